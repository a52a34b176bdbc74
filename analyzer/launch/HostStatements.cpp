//===- analyzer/launch/HostStatements.cpp - Statements of host code -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace cudalint {

HostVisits HostEvaluator::runRoot(const FunctionDecl &Function, bool Dead,
                                  const CallArguments &Arguments) {
  Budget.beginRoot();
  Memory.begin(Function.isMain());
  Sinks.beginRoot(Dead);
  EvenDead = Dead;
  for (const ParmVarDecl *Each : Function.parameters()) {
    const unsigned I = Each->getFunctionScopeIndex();
    const NumberType Type = Values.numberType(Each->getType());
    if (I < Arguments.size() && Arguments[I] &&
        Type.Kind == NumberType::Integer)
      Memory.declare(*Each, Values.integer(Type, static_cast<std::uint64_t>(
                                                     *Arguments[I])));
    else
      Memory.declareAtEntry(*Each);
  }
  runBody(Function, std::nullopt);
  HostVisits Met = Sinks.endRoot();
  Met.UnknownPlaces = Memory.takeUnknownPlaces();
  return Met;
}

/// Launches in it happened before, if at all.
Value HostEvaluator::initialValue(const Expr &Init) {
  HostSinks::Mark Before = Sinks.mark();
  Value Result = evaluate(&Init);
  Before.OuterCalls = Sinks.mark().OuterCalls;
  Sinks.takeBack(Before);
  return Result;
}

MaybePlace HostEvaluator::initialReferent(const Expr &Init) {
  return locate(&Init);
}

MaybePlace HostEvaluator::thisPlace() const {
  return Top ? Top->This : std::nullopt;
}

/// Forgets what `S` may change, whenever it may run and however far.
void HostEvaluator::forgetAround(const Stmt *S, const std::string &Which,
                                 const std::string &By) {
  Memory.forgetChangesIn(S, Which);
  Memory.forgetOutOfSight(By);
  if (Top->This)
    Memory.forget(*Top->This, By);
}

void HostEvaluator::run(const Stmt *S) {
  if (!S)
    return;
  const HostBudget::Level Level(Budget);
  if (!Level)
    return Memory.forgetEverything();
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Each : Block->body())
      run(Each);
    return;
  }
  // Only a label brings dead code back to life.
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    return runLabel(*Label);
  if (Memory.isLive())
    runLive(*S);
}

void HostEvaluator::runLive(const Stmt &S) {
  if (const auto *E = dyn_cast<Expr>(&S)) {
    evaluate(E);
    return;
  }
  switch (S.getStmtClass()) {
  case Stmt::NullStmtClass:
    return;
  case Stmt::DeclStmtClass:
    for (const Decl *Each : cast<DeclStmt>(S).decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Each))
        declare(*Variable);
    return;
  case Stmt::IfStmtClass:
    return runIf(cast<IfStmt>(S));
  case Stmt::SwitchStmtClass:
    return runSwitch(cast<SwitchStmt>(S));
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    return run(cast<SwitchCase>(S).getSubStmt());
  case Stmt::AttributedStmtClass:
    return run(cast<AttributedStmt>(S).getSubStmt());
  case Stmt::ForStmtClass:
    return runFor(cast<ForStmt>(S));
  case Stmt::CXXForRangeStmtClass:
    return runRangeFor(cast<CXXForRangeStmt>(S));
  case Stmt::WhileStmtClass: {
    const auto &While = cast<WhileStmt>(S);
    Loop L;
    L.Whole = &S;
    L.ConditionVariable = While.getConditionVariable();
    L.Condition = While.getCond();
    L.Body = While.getBody();
    return runLoop(L);
  }
  case Stmt::DoStmtClass: {
    const auto &Do = cast<DoStmt>(S);
    Loop L;
    L.Whole = &S;
    L.Condition = Do.getCond();
    L.Body = Do.getBody();
    L.BodyFirst = true;
    return runLoop(L);
  }
  case Stmt::ReturnStmtClass:
    return runReturn(cast<ReturnStmt>(S));
  case Stmt::BreakStmtClass:
    if (!Targets.empty())
      Targets.back()->Breaks.push_back(Memory.state());
    Memory.setLive(false);
    return;
  case Stmt::ContinueStmtClass:
    for (JumpTarget *Each : llvm::reverse(Targets))
      if (Each->IsLoop) {
        Each->Continues.push_back(Memory.state());
        break;
      }
    Memory.setLive(false);
    return;
  case Stmt::GotoStmtClass:
    Top->Jumps[cast<GotoStmt>(S).getLabel()].push_back(Memory.state());
    Memory.setLive(false);
    return;
  case Stmt::IndirectGotoStmtClass:
    Memory.setLive(false);
    return;
  case Stmt::CXXTryStmtClass:
    return runTry(cast<CXXTryStmt>(S));
  case Stmt::GCCAsmStmtClass:
    return runAssembler(cast<GCCAsmStmt>(S));
  default:
    runUnhandled(S);
  }
}

/// Changes what it names and no other code's memory, unless it says so. The
/// toolkit's functions for both sides are full of it, as the tree is that of
/// the device.
void HostEvaluator::runAssembler(const GCCAsmStmt &S) {
  for (unsigned I = 0; I < S.getNumClobbers(); ++I)
    if (S.getClobber(I) == "memory")
      return runUnhandled(S);
  for (const Expr *Input : S.inputs())
    Memory.forgetReachable(Memory.resolve(evaluate(Input)), "assembler");
  for (const Expr *Output : S.outputs())
    Memory.store(locate(Output), Output->getType(),
                 Values.symbol("what assembler computes"));
}

/// A statement that is not understood, such as an OpenMP region: what is in it
/// may run any number of times.
void HostEvaluator::runUnhandled(const Stmt &S) {
  for (unsigned Round = 0; Round < 2; ++Round) {
    forgetAround(&S, "changed by code that cannot be read",
                 "code that cannot be read");
    if (Round)
      return;
    HostState Before = Memory.state();
    if (const auto *Captured = dyn_cast<CapturedStmt>(&S))
      run(Captured->getCapturedStmt());
    else
      for (const Stmt *Child : S.children())
        run(Child);
    Memory.join(std::move(Before), Values.symbol("code that cannot be read"));
  }
}

void HostEvaluator::runLabel(const LabelStmt &S) {
  if (auto Found = Top->Jumps.find(S.getDecl()); Found != Top->Jumps.end()) {
    std::vector<HostState> Arriving = std::move(Found->second);
    Top->Jumps.erase(Found);
    Memory.joinAll(Arriving);
  }
  // Jumps from below have not been seen yet: anything may come with them.
  if (Top->JumpsBack) {
    Memory.setLive(true);
    for (const VarDecl *Each : Top->JumpsBack->Changed)
      Memory.forgetVariable(*Each, "which changes around a goto");
    Memory.forgetOutOfSight("code around a goto");
    if (Top->This)
      Memory.forget(*Top->This, "code around a goto");
  }
  run(S.getSubStmt());
}

void HostEvaluator::declare(const VarDecl &Variable) {
  if (const auto *Cleanup = Variable.getAttr<CleanupAttr>())
    noteCallback(*Cleanup->getFunctionDecl());
  const Expr *Init = writtenInitialiser(Variable.getInit());
  const bool IsReference = Variable.getType()->isReferenceType();
  if (Variable.hasGlobalStorage()) {
    // A static local: contents() knows its value; here it may launch.
    if (Variable.isStaticLocal() && Init)
      IsReference ? Expressions.bindMember(Init, Variable.getType())
                  : evaluate(Init);
    return;
  }
  if (!Init)
    Memory.declareUnknown(Variable,
                          IsReference ? "" : ", which is not initialised");
  else
    Memory.declare(Variable, IsReference ? Expressions.bindReference(Init)
                                         : evaluate(Init));
  if (!IsReference)
    Memory.distrustDestructor(Variable.getType(),
                              Memory.contents(Variable.getCanonicalDecl()));
  declareHolders(Variable);
}

void HostEvaluator::declareHolders(const VarDecl &Variable) {
  if (const auto *Parts = dyn_cast<DecompositionDecl>(&Variable))
    for (const BindingDecl *Each : Parts->bindings())
      if (const VarDecl *Holder = Each->getHoldingVar())
        declare(*Holder);
}

void HostEvaluator::runReturn(const ReturnStmt &S) {
  Value Result = Values.symbol("nothing");
  if (const Expr *E = S.getRetValue()) {
    bool ByReference = Top->Function->getReturnType()->isReferenceType();
    Result = ByReference ? Expressions.bindReference(E) : evaluate(E);
    Result = Memory.resolve(Result);
  }
  if (!Memory.isLive())
    return;
  Top->Returns.push_back({Memory.state(), Result});
  Memory.setLive(EvenDead);
}

void HostEvaluator::runIf(const IfStmt &S) {
  run(S.getInit());
  if (const VarDecl *Variable = S.getConditionVariable())
    declare(*Variable);
  if (S.isConsteval()) // This is run time.
    return run(S.isNegatedConsteval() ? S.getThen() : S.getElse());
  Value Condition = Memory.resolve(evaluate(S.getCond()));
  if (!Condition->isNumber()) {
    Expressions.branch(
        Condition,
        [&] {
          run(S.getThen());
          return Condition;
        },
        [&] {
          run(S.getElse());
          return Condition;
        });
    return;
  }
  bool Truth = !Condition->isZero();
  if (EvenDead) {
    HostState Before = Memory.state();
    run(Truth ? S.getElse() : S.getThen());
    Memory.exchange(std::move(Before));
  }
  run(Truth ? S.getThen() : S.getElse());
}

/// The state in which a case is entered from the head of the switch.
HostState HostEvaluator::enterCase(const SwitchCase &Case,
                                   const HostState &Before, Value Condition,
                                   NumberType Type, bool Matched) {
  HostState Saved = Memory.exchange(Before);
  if (const auto *Labelled = dyn_cast<CaseStmt>(&Case)) {
    Value Low = evaluate(Labelled->getLHS());
    NumberType LowType = Values.numberType(Labelled->getLHS()->getType());
    if (LowType && Type)
      Low = Values.convert(LowType, Type, Low);
    if (Labelled->getRHS() && Condition->isNumber()) {
      std::optional<std::int64_t> At = integerOf(Condition);
      std::optional<std::int64_t> From = integerOf(Low);
      std::optional<std::int64_t> To = integerOf(evaluate(Labelled->getRHS()));
      Memory.setLive(!At || !From || !To || (*From <= *At && *At <= *To));
    } else if (!Labelled->getRHS()) {
      Memory.learn(Values.binary(Operator::Equal, Boolean, Condition, Low),
                   true);
    }
  } else if (Matched) {
    Memory.setLive(false);
  }
  return Memory.exchange(std::move(Saved));
}

/// The labels of a switch and what is behind them, in the order of the source.
static std::vector<const Stmt *> stepsOf(const Stmt *Body) {
  std::vector<const Stmt *> Steps;
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Body))
    for (const Stmt *Each : Block->body()) {
      while (const auto *Case = dyn_cast<SwitchCase>(Each)) {
        Steps.push_back(Case);
        Each = Case->getSubStmt();
      }
      Steps.push_back(Each);
    }
  return Steps;
}

void HostEvaluator::runCases(llvm::ArrayRef<const Stmt *> Steps,
                             Value Condition, NumberType Type) {
  HostState Before = Memory.state();
  bool HasDefault = false;
  bool Matched = false;
  // Whether the default is taken shows only when all cases have been seen.
  for (const Stmt *Each : Steps)
    if (Condition->isNumber() && isa<CaseStmt>(Each))
      Matched |= enterCase(cast<CaseStmt>(*Each), Before, Condition, Type,
                           /*Matched=*/false)
                     .Live;
  Memory.setLive(false);
  for (const Stmt *Each : Steps) {
    const auto *Case = dyn_cast<SwitchCase>(Each);
    if (!Case) {
      run(Each);
      continue;
    }
    HasDefault |= isa<DefaultStmt>(Case);
    Memory.join(enterCase(*Case, Before, Condition, Type, Matched),
                Values.symbol("which case is taken"));
  }
  if (!HasDefault && !Matched)
    Memory.join(std::move(Before), Values.symbol("which case is taken"));
}

void HostEvaluator::runSwitch(const SwitchStmt &S) {
  run(S.getInit());
  if (const VarDecl *Variable = S.getConditionVariable())
    declare(*Variable);
  Value Condition = Memory.resolve(evaluate(S.getCond()));
  if (EvenDead && Condition->isNumber())
    Condition = Values.symbol("which case is taken");
  const std::vector<const Stmt *> Steps = stepsOf(S.getBody());
  auto Cases = llvm::count_if(Steps, llvm::IsaPred<SwitchCase>);
  for (const SwitchCase *Each = S.getSwitchCaseList(); Each;
       Each = Each->getNextSwitchCase())
    --Cases;
  JumpTarget Target;
  Target.IsLoop = false;
  Targets.push_back(&Target);
  if (!Steps.empty() && !Cases) {
    runCases(Steps, Condition, Values.numberType(S.getCond()->getType()));
  } else {
    // Cases inside of other statements: the body is run from anywhere.
    Memory.forgetChangesIn(S.getBody(), "which changes in a switch");
    Memory.forgetOutOfSight("code in a switch");
    HostState Before = Memory.state();
    run(S.getBody());
    Memory.join(std::move(Before), Values.symbol("which case is taken"));
  }
  Targets.pop_back();
  Memory.joinAll(Target.Breaks);
}

void HostEvaluator::runTry(const CXXTryStmt &S) {
  const HostState Before = Memory.state();
  run(S.getTryBlock());
  for (unsigned I = 0; I < S.getNumHandlers(); ++I) {
    HostState After = Memory.exchange(Before);
    forgetAround(S.getTryBlock(), "which changes before an exception",
                 "code before an exception");
    run(S.getHandler(I)->getHandlerBlock());
    HostState Handled = Memory.exchange(std::move(After));
    Memory.join(std::move(Handled), Values.symbol("an exception"));
  }
}

} // namespace cudalint
