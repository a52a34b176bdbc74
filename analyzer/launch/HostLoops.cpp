//===- analyzer/launch/HostLoops.cpp - Loops of host code -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudalint {

/// A loop of more turns that launch is not told turn by turn.
static constexpr unsigned MaxLaunchingTurns = 64;
/// The same for a loop that only computes, as `while (p < n) p *= 2`.
static constexpr unsigned MaxComputingTurns = 1024;
/// Rounds in which a loop shows what it changes before all is forgotten.
static constexpr unsigned MaxRounds = 4;

HostEvaluator::Checkpoint HostEvaluator::checkpoint() const {
  Checkpoint Point;
  Point.State = Memory.state();
  Point.Met = Sinks.mark();
  Point.Returns = Top->Returns.size();
  for (const auto &[Label, States] : Top->Jumps)
    Point.Jumps[Label] = States.size();
  return Point;
}

/// Returns what has been met since.
HostVisits HostEvaluator::goBackTo(const Checkpoint &Point) {
  Memory.exchange(Point.State);
  Top->Returns.resize(Point.Returns);
  for (auto &[Label, States] : Top->Jumps)
    States.resize(std::min(States.size(), Point.Jumps.lookup(Label)));
  return Sinks.takeBack(Point.Met);
}

/// Assigns no more than named variables and calls nothing.
static bool onlyComputes(const Stmt *S) {
  bool Pure = true;
  forEachStatement(S, [&](const Stmt &Each) {
    const auto *Unary = dyn_cast<UnaryOperator>(&Each);
    if (isa<CallExpr, CXXConstructExpr, CXXNewExpr, CXXDeleteExpr, LambdaExpr,
            ArraySubscriptExpr>(Each) ||
        (Unary && Unary->getOpcode() == UO_Deref))
      Pure = false;
  });
  return Pure;
}

void HostEvaluator::runFor(const ForStmt &S) {
  run(S.getInit());
  Loop L;
  L.Whole = &S;
  L.ConditionVariable = S.getConditionVariable();
  L.Condition = S.getCond();
  L.Increment = S.getInc();
  L.Body = S.getBody();
  runLoop(L);
}

/// True if the user's functions get the loop from one element to the next.
static bool hasIteratorsOfTheUser(const CXXForRangeStmt &S) {
  auto NamesThem = [](const Stmt *Each) {
    return llvm::any_of(effectsOf(Each).Named, [](const FunctionDecl *Named) {
      return !isInSystemHeader(*Named) && !Named->isTrivial();
    });
  };
  return NamesThem(S.getBeginStmt()) || NamesThem(S.getEndStmt()) ||
         NamesThem(S.getCond()) || NamesThem(S.getInc()) ||
         NamesThem(S.getLoopVarStmt());
}

void HostEvaluator::runRangeFor(const CXXForRangeStmt &S) {
  run(S.getInit());
  run(S.getRangeStmt());
  Loop L;
  L.Whole = &S;
  L.Body = S.getBody();
  if (hasIteratorsOfTheUser(S)) {
    run(S.getBeginStmt());
    run(S.getEndStmt());
    L.Condition = S.getCond();
    L.Increment = S.getInc();
    L.TurnStart = S.getLoopVarStmt();
    return runLoop(L);
  }
  L.Element = S.getLoopVariable();
  const auto *Range = dyn_cast<VarDecl>(S.getRangeStmt()->getSingleDecl());
  if (const MaybePlace Where = Range ? Memory.placeOf(*Range) : std::nullopt)
    followRange(L, *Where, Range->getType().getNonReferenceType());
  runLoop(L);
}

Value HostEvaluator::loopCondition(const Loop &L, std::uint64_t Turn) {
  if (L.ConditionVariable)
    declare(*L.ConditionVariable);
  if (L.Condition)
    return Memory.resolve(evaluate(L.Condition));
  if (!L.Element)
    return Values.boolean(true);
  if (!L.RangeSize)
    return Values.symbol("the length of a range");
  if (Turn >= L.RangeSize)
    return Values.boolean(false);
  Place Slot = *L.Range;
  Slot.Path.push_back(indexKey(Turn));
  Value Element = Memory.read(Slot, "'" + L.Element->getNameAsString() + "'");
  // What would be converted on its way is not told.
  QualType Type = L.Element->getType();
  if (Type->isReferenceType())
    Memory.declare(*L.Element, Values.address(Slot));
  else if (Element->Type == Values.numberType(Type))
    Memory.declare(*L.Element, Element);
  else
    Memory.declareUnknown(*L.Element);
  declareHolders(*L.Element);
  return Values.boolean(true);
}

void HostEvaluator::runTurn(const Loop &L, JumpTarget &Target) {
  run(L.TurnStart);
  Targets.push_back(&Target);
  run(L.Body);
  Targets.pop_back();
  Memory.joinAll(Target.Continues);
  if (Memory.isLive() && L.Increment)
    evaluate(L.Increment);
}

/// Runs the loop as the machine would. False when it does not end in time or
/// when its end cannot be told; the caller then takes everything back.
bool HostEvaluator::runTurnByTurn(const Loop &L, unsigned MaxTurns) {
  for (unsigned Turn = 0; Turn <= MaxTurns && Budget.allowsTurns(); ++Turn) {
    if (!L.BodyFirst || Turn) {
      Value Condition = loopCondition(L, Turn);
      if (!Condition->isNumber())
        return false;
      if (Condition->isZero())
        return true;
    }
    JumpTarget Target;
    runTurn(L, Target);
    bool Left = !Target.Breaks.empty();
    if (Left && Memory.isLive())
      return false;
    Memory.joinAll(Target.Breaks);
    if (Left || !Memory.isLive())
      return true;
  }
  return false;
}

/// The integer that \p S, if it is an expression, changes by one.
const VarDecl *HostEvaluator::countedBy(const Stmt *S) {
  const Expr *Step = dyn_cast<Expr>(S);
  Step = Step ? Step->IgnoreParens() : nullptr;
  const Expr *Changed = nullptr;
  if (const auto *Unary = dyn_cast_or_null<UnaryOperator>(Step);
      Unary && Unary->isIncrementDecrementOp())
    Changed = Unary->getSubExpr();
  else if (const auto *Sum = dyn_cast_or_null<CompoundAssignOperator>(Step);
           Sum && (Sum->getOpcode() == BO_AddAssign ||
                   Sum->getOpcode() == BO_SubAssign)) {
    const Value By = Values.constant(Sum->getRHS());
    if (By->isInteger() && By->Bits == 1)
      Changed = Sum->getLHS();
  }
  const auto *Named =
      Changed ? dyn_cast<DeclRefExpr>(Changed->IgnoreParens()) : nullptr;
  const auto *Counter = Named ? dyn_cast<VarDecl>(Named->getDecl()) : nullptr;
  return Counter && Counter->getType()->isIntegerType()
             ? Counter->getCanonicalDecl()
             : nullptr;
}

/// The integers that turns of \p L change by one, each in one place.
std::vector<const VarDecl *> HostEvaluator::countersOf(const Loop &L) {
  llvm::SmallVector<const Stmt *, 8> Parts = {L.Condition, L.Increment};
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(L.Body))
    Parts.append(Block->body_begin(), Block->body_end());
  else
    Parts.push_back(L.Body);
  llvm::erase(Parts, nullptr);
  std::vector<const VarDecl *> Result;
  for (const Stmt *Step : Parts) {
    const VarDecl *Counter = countedBy(Step);
    auto ChangesIt = [&](const Stmt *Other) {
      return Other != Step && Memory.effectsIn(Other).Changed.contains(Counter);
    };
    // What begins anew in each turn counts nothing.
    if (Counter && llvm::none_of(Parts, ChangesIt) &&
        !llvm::is_contained(Memory.effectsIn(L.Body).Variables, Counter))
      Result.push_back(Counter);
  }
  return Result;
}

/// Adds what of an object has another usual value after a turn, or none.
void HostEvaluator::noteCounters(const Place &Where, Value Start, Value Next,
                                 LoopChanges &Changes) {
  if (Start == Next)
    return;
  std::set<PartKey> Parts;
  for (Value Each : {Start, Next})
    if (Each->Tag == ValueNode::Aggregate)
      Parts.insert(Each->Keys.begin(), Each->Keys.end());
  for (PartKey Key : Parts) {
    Place Part = Where;
    Part.Path.push_back(Key);
    noteCounters(Part, Values.part(Start, Key, ""), Values.part(Next, Key, ""),
                 Changes);
  }
  const Value Usual = Parts.empty() ? Values.usual(Start) : nullptr;
  if (Usual && Usual != Values.usual(Next))
    Changes.Counters.emplace(Where.Object, Where.Path);
}

/// Adds what a turn that began with `Head` changed.
void HostEvaluator::noteChanges(const Loop &L, const HostState &Head,
                                LoopChanges &Changes) {
  for (const auto &[Object, Contents] : Memory.state().Objects) {
    auto Before = Head.Objects.find(Object);
    if (Before != Head.Objects.end() ? Before->second != Contents
                                     : Memory.isChangedGlobal(Object))
      Changes.Unforeseen.insert(Object);
    if (Before != Head.Objects.end())
      noteCounters({Object, {}, true}, Before->second, Contents, Changes);
  }
  for (const VarDecl *Each : Memory.effectsIn(L.Whole).Changed)
    Changes.Unforeseen.erase(Each);
  if (L.Element)
    Changes.Unforeseen.erase(L.Element->getCanonicalDecl());
}

/// Runs the body once for all turns, with what changes in it unknown. False
/// when that was not all: what else it is, is then in `Changes`.
bool HostEvaluator::runForgetfulOnce(const Loop &L, LoopChanges &Changes) {
  // What it changes only when input asks for it is known to be so at the end.
  Memory.forgetChangesIn(L.Whole, "which changes in a loop", Change::OfInput);
  for (const void *Each : Changes.Unforeseen)
    Memory.forget({Each, {}, true}, "code in a loop", Change::OfInput);
  for (const auto &[Object, Path] : Changes.Counters)
    Memory.forgetStart({Object, Path, true});
  std::vector<Value> Counted;
  for (const VarDecl *Counter : countersOf(L)) {
    Counted.push_back(Memory.read({Counter, {}, true}, "a counter"));
    Values.noteCounter(Counted.back());
  }
  if (L.Element) {
    Memory.declareUnknown(*L.Element);
    declareHolders(*L.Element);
    const QualType Type = L.Element->getType();
    if (L.Range && Type->isReferenceType() &&
        !Type->getPointeeType().isConstQualified())
      Memory.escape(L.Range->Object); // The reference will not lead back to it.
  }
  const HostState Head = Memory.state();
  HostState Left;
  Left.Live = false;
  auto Leave = [&] {
    Value Condition = L.Element ? Values.symbol("the length of a range")
                                : loopCondition(L, 0);
    HostState Before = Memory.state();
    Memory.learn(Condition, false);
    Left = Memory.exchange(std::move(Before));
    Memory.learn(Condition, true);
    if (EvenDead)
      Memory.setLive(true);
  };
  if (!L.BodyFirst)
    Leave();
  JumpTarget Target;
  if (Memory.isLive())
    runTurn(L, Target);
  for (const Value Each : Counted)
    Values.dropCounter(Each);
  if (L.BodyFirst && Memory.isLive())
    Leave();
  const std::size_t Known = Changes.size();
  if (Memory.isLive())
    noteChanges(L, Head, Changes);
  Memory.exchange(std::move(Left));
  Memory.joinAll(Target.Breaks);
  return Changes.size() == Known;
}

void HostEvaluator::runForgetful(const Loop &L) {
  Checkpoint Start = checkpoint();
  LoopChanges Changes;
  // Each round runs the loops in it as often again: where steps are used up,
  // these are run once, with nothing known.
  const bool IsOutermost = OpenLoops == 0;
  const llvm::SaveAndRestore Open(OpenLoops, OpenLoops + 1);
  for (unsigned Round = 0;
       Round < MaxRounds && (IsOutermost || Budget.allowsCalls()); ++Round) {
    if (runForgetfulOnce(L, Changes))
      return;
    goBackTo(Start);
  }
  Memory.forgetEverything();
  runForgetfulOnce(L, Changes);
}

void HostEvaluator::runLoop(const Loop &L) {
  bool Once = L.BodyFirst && L.Condition && !L.Condition->isValueDependent() &&
              Values.constant(L.Condition)->isZero();
  Checkpoint Start = checkpoint();
  if (Once) { // do { … } while (0) is a block.
    JumpTarget Target;
    runTurn(L, Target);
    Memory.joinAll(Target.Breaks);
    return;
  }
  if (!EvenDead && !L.BodyFirst) { // It may not run at all.
    Value First = loopCondition(L, 0);
    if (First->isNumber() && First->isZero())
      return;
    goBackTo(Start);
  }
  if (!EvenDead && onlyComputes(L.Whole)) {
    if (runTurnByTurn(L, MaxComputingTurns))
      return;
    goBackTo(Start);
  }
  std::uint64_t FirstSymbol = Values.symbolCount();
  runForgetful(L);
  if (EvenDead || !Budget.allowsTurns() ||
      !Sinks.lacksOnly(Start.Met, FirstSymbol))
    return;
  // Something in it is known in each turn, perhaps: try, or take it back.
  HostState After = Memory.state();
  std::vector<Exit> Returns = Top->Returns;
  auto Jumps = Top->Jumps;
  HostVisits Forgetful = goBackTo(Start);
  if (runTurnByTurn(L, MaxLaunchingTurns))
    return;
  goBackTo(Start);
  Memory.exchange(std::move(After));
  Sinks.putBack(std::move(Forgetful));
  Top->Returns = std::move(Returns);
  Top->Jumps = std::move(Jumps);
}

} // namespace cudalint
