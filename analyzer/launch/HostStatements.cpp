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
#include "llvm/ADT/ScopeExit.h"

using namespace clang;

namespace cudalint {

/// As for expressions: the stack is finite.
static constexpr unsigned MaxDepth = 1000;

/// Steps of evaluation for a translation unit, one or two microseconds each,
/// and for each further function when they are used up.
static constexpr std::uint64_t MaxSteps = 150'000;
static constexpr std::uint64_t MoreSteps = 2'000;

static constexpr NumberType Boolean{NumberType::Integer, 1, false};

HostEvaluator::HostEvaluator(const ASTContext &Context, const HostCode &Code,
                             const ProgramValues &Program,
                             ProgramPlaces &Places, ValueFactory &Values)
    : Context(Context), Code(Code), Program(Program), Places(Places),
      Values(Values) {}

void HostEvaluator::runRoot(const FunctionDecl &Function, bool Dead,
                            const CallArguments &Arguments) {
  State = HostState();
  ++Root;
  StepLimit = std::max(MaxSteps, Steps + MoreSteps);
  TurnLimit = StepLimit - StepLimit / 2;
  if (Steps > TurnLimit)
    TurnLimit = 0;
  Depth = 0;
  EvenDead = Dead;
  RootIsMain = Function.isMain();
  bindParameters(Function, {});
  for (const ParmVarDecl *Each : Function.parameters()) {
    Value &Contents = State.Objects[Each->getCanonicalDecl()];
    const unsigned I = Each->getFunctionScopeIndex();
    if (const NumberType Type = numberType(Each->getType());
        I < Arguments.size() && Arguments[I] &&
        Type.Kind == NumberType::Integer)
      Contents =
          Values.integer(Type, static_cast<std::uint64_t>(*Arguments[I]));
    else if (const std::string Place = Places.nameOf(*Each); !Place.empty())
      Contents = orOfProgram(Contents, *Each, placeAtEntry(Place));
  }
  for (const FunctionDecl *Each : Code.Unnamed)
    distrustChangesOf(*Each);
  runBody(Function, std::nullopt);
}

const EffectSummary &HostEvaluator::effectsIn(const Stmt *S) {
  auto [Found, IsNew] = Effects.try_emplace(S);
  if (IsNew)
    Found->second = effectsOf(S);
  return Found->second;
}

void HostEvaluator::forgetChangesIn(const Stmt *S, const std::string &Why) {
  const EffectSummary &Changes = effectsIn(S);
  if (Changes.TooDeep)
    forgetEverything();
  for (const VarDecl *Each : Changes.Changed)
    forgetVariable(*Each, Why);
}

void HostEvaluator::run(const Stmt *S) {
  if (!S)
    return;
  if (Depth >= MaxDepth)
    return forgetEverything();
  ++Depth;
  ++Steps;
  llvm::scope_exit Leave([this] { --Depth; });
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Each : Block->body())
      run(Each);
    return;
  }
  // Only a label brings dead code back to life.
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    return runLabel(*Label);
  if (State.Live)
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
      Targets.back()->Breaks.push_back(State);
    State.Live = false;
    return;
  case Stmt::ContinueStmtClass:
    for (JumpTarget *Each : llvm::reverse(Targets))
      if (Each->IsLoop) {
        Each->Continues.push_back(State);
        break;
      }
    State.Live = false;
    return;
  case Stmt::GotoStmtClass:
    Top->Jumps[cast<GotoStmt>(S).getLabel()].push_back(State);
    State.Live = false;
    return;
  case Stmt::IndirectGotoStmtClass:
    State.Live = false;
    return;
  case Stmt::CXXTryStmtClass:
    return runTry(cast<CXXTryStmt>(S));
  default:
    runUnhandled(S);
  }
}

/// A statement that is not understood, such as an OpenMP region: what is in it
/// may run any number of times.
void HostEvaluator::runUnhandled(const Stmt &S) {
  for (unsigned Round = 0; Round < 2; ++Round) {
    forgetChangesIn(&S, "changed by code that cannot be read");
    forgetOutOfSight("code that cannot be read");
    if (Top->This)
      forget(*Top->This, "code that cannot be read");
    if (Round)
      return;
    HostState Before = State;
    if (const auto *Captured = dyn_cast<CapturedStmt>(&S))
      run(Captured->getCapturedStmt());
    else
      for (const Stmt *Child : S.children())
        run(Child);
    State = join(std::move(State), std::move(Before),
                 Values.symbol("code that cannot be read"));
  }
}

void HostEvaluator::runLabel(const LabelStmt &S) {
  if (auto Found = Top->Jumps.find(S.getDecl()); Found != Top->Jumps.end()) {
    std::vector<HostState> Arriving = std::move(Found->second);
    Top->Jumps.erase(Found);
    joinAll(Arriving);
  }
  // Jumps from below have not been seen yet: anything may come with them.
  if (Top->JumpsBack) {
    State.Live = true;
    for (const VarDecl *Each : Top->JumpsBack->Changed)
      forgetVariable(*Each, "which changes around a goto");
    forgetOutOfSight("code around a goto");
    if (Top->This)
      forget(*Top->This, "code around a goto");
  }
  run(S.getSubStmt());
}

void HostEvaluator::declare(const VarDecl &Variable) {
  const VarDecl *Object = Variable.getCanonicalDecl();
  Variables[Object] = &Variable;
  if (const auto *Cleanup = Variable.getAttr<CleanupAttr>())
    noteCallback(*Cleanup->getFunctionDecl());
  const Expr *Init = Variable.getInit();
  if (Variable.hasGlobalStorage()) {
    // A static local: contents() knows its value; here it may launch.
    if (Variable.isStaticLocal() && Init)
      evaluate(Init);
    return;
  }
  if (Variable.getType()->isReferenceType())
    State.Objects[Object] =
        Init ? bindReference(Init) : Values.symbol(nameOf(Object));
  else if (!Init)
    State.Objects[Object] =
        Values.symbol(nameOf(Object) + ", which is not initialised");
  else
    State.Objects[Object] = evaluate(Init);
  if (!Variable.getType()->isReferenceType())
    distrustDestructor(Variable.getType(), contents(Object));
}

void HostEvaluator::runReturn(const ReturnStmt &S) {
  Value Result = Values.symbol("nothing");
  if (const Expr *E = S.getRetValue()) {
    bool ByReference = Top->Function->getReturnType()->isReferenceType();
    Result = ByReference ? bindReference(E) : evaluate(E);
    Result = Values.resolve(Result, State.Known);
  }
  if (!State.Live)
    return;
  Top->Returns.push_back({State, Result});
  State.Live = EvenDead;
}

void HostEvaluator::runIf(const IfStmt &S) {
  run(S.getInit());
  if (const VarDecl *Variable = S.getConditionVariable())
    declare(*Variable);
  if (S.isConsteval()) // This is run time.
    return run(S.isNegatedConsteval() ? S.getThen() : S.getElse());
  Value Condition = Values.resolve(evaluate(S.getCond()), State.Known);
  if (!Condition->isNumber()) {
    branch(
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
    HostState Before = State;
    run(Truth ? S.getElse() : S.getThen());
    State = std::move(Before);
  }
  run(Truth ? S.getThen() : S.getElse());
}

/// The state in which a case is entered from the head of the switch.
HostState HostEvaluator::enterCase(const SwitchCase &Case,
                                   const HostState &Before, Value Condition,
                                   NumberType Type, bool Matched) {
  HostState Saved = std::move(State);
  State = Before;
  if (const auto *Labelled = dyn_cast<CaseStmt>(&Case)) {
    Value Low = evaluate(Labelled->getLHS());
    NumberType LowType = numberType(Labelled->getLHS()->getType());
    if (LowType && Type)
      Low = Values.convert(LowType, Type, Low);
    if (Labelled->getRHS() && Condition->isNumber()) {
      std::optional<std::int64_t> At = integerOf(Condition);
      std::optional<std::int64_t> From = integerOf(Low);
      std::optional<std::int64_t> To = integerOf(evaluate(Labelled->getRHS()));
      State.Live = !At || !From || !To || (*From <= *At && *At <= *To);
    } else if (!Labelled->getRHS()) {
      learn(Values.binary(Operator::Equal, Boolean, Condition, Low), true);
    }
  } else if (Matched) {
    State.Live = false;
  }
  HostState Entered = std::move(State);
  State = std::move(Saved);
  return Entered;
}

void HostEvaluator::runCases(const CompoundStmt &Body, Value Condition,
                             NumberType Type) {
  HostState Before = State;
  bool HasDefault = false;
  bool Matched = false;
  // Whether the default is taken shows only when all cases have been seen.
  if (Condition->isNumber())
    for (const Stmt *Each : Body.body())
      while (const auto *Case = dyn_cast<SwitchCase>(Each)) {
        if (isa<CaseStmt>(Case))
          Matched |= enterCase(*Case, Before, Condition, Type, false).Live;
        Each = Case->getSubStmt();
      }
  State.Live = false;
  for (const Stmt *Each : Body.body()) {
    while (const auto *Case = dyn_cast<SwitchCase>(Each)) {
      HasDefault |= isa<DefaultStmt>(Case);
      HostState Entered = enterCase(*Case, Before, Condition, Type, Matched);
      State = join(std::move(State), std::move(Entered),
                   Values.symbol("which case is taken"));
      Each = Case->getSubStmt();
    }
    run(Each);
  }
  if (!HasDefault && !Matched)
    State = join(std::move(State), std::move(Before),
                 Values.symbol("which case is taken"));
}

void HostEvaluator::runSwitch(const SwitchStmt &S) {
  run(S.getInit());
  if (const VarDecl *Variable = S.getConditionVariable())
    declare(*Variable);
  Value Condition = Values.resolve(evaluate(S.getCond()), State.Known);
  if (EvenDead && Condition->isNumber())
    Condition = Values.symbol("which case is taken");
  const auto *Body = dyn_cast_or_null<CompoundStmt>(S.getBody());
  unsigned Cases = 0;
  for (const SwitchCase *Each = S.getSwitchCaseList(); Each;
       Each = Each->getNextSwitchCase())
    ++Cases;
  unsigned OnTop = 0;
  if (Body)
    for (const Stmt *Each : Body->body())
      while (const auto *Case = dyn_cast<SwitchCase>(Each)) {
        ++OnTop;
        Each = Case->getSubStmt();
      }
  JumpTarget Target;
  Target.IsLoop = false;
  Targets.push_back(&Target);
  if (Body && OnTop == Cases) {
    runCases(*Body, Condition, numberType(S.getCond()->getType()));
  } else {
    // Cases inside of other statements: the body is run from anywhere.
    forgetChangesIn(S.getBody(), "which changes in a switch");
    forgetOutOfSight("code in a switch");
    HostState Before = State;
    run(S.getBody());
    State = join(std::move(State), std::move(Before),
                 Values.symbol("which case is taken"));
  }
  Targets.pop_back();
  joinAll(Target.Breaks);
}

void HostEvaluator::runTry(const CXXTryStmt &S) {
  HostState Before = State;
  run(S.getTryBlock());
  HostState After = std::move(State);
  for (unsigned I = 0; I < S.getNumHandlers(); ++I) {
    State = Before;
    forgetChangesIn(S.getTryBlock(), "which changes before an exception");
    forgetOutOfSight("code before an exception");
    if (Top->This)
      forget(*Top->This, "code before an exception");
    run(S.getHandler(I)->getHandlerBlock());
    After =
        join(std::move(After), std::move(State), Values.symbol("an exception"));
  }
  State = std::move(After);
}

} // namespace cudalint
