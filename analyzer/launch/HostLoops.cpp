//===- analyzer/launch/HostLoops.cpp - Loops of host code -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "clang/AST/ASTContext.h"

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
  Point.State = State;
  Point.Visits = Visits.size();
  Point.OuterCalls = OuterCalls.size();
  Point.Returns = Top->Returns.size();
  for (const auto &[Label, States] : Top->Jumps)
    Point.Jumps[Label] = States.size();
  return Point;
}

void HostEvaluator::goBackTo(const Checkpoint &Point) {
  State = Point.State;
  Visits.resize(Point.Visits);
  OuterCalls.resize(Point.OuterCalls);
  Top->Returns.resize(Point.Returns);
  for (auto &[Label, States] : Top->Jumps)
    States.resize(std::min(States.size(), Point.Jumps.lookup(Label)));
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

void HostEvaluator::runRangeFor(const CXXForRangeStmt &S) {
  run(S.getInit());
  run(S.getRangeStmt());
  Loop L;
  L.Whole = &S;
  L.Body = S.getBody();
  L.Element = S.getLoopVariable();
  const auto *Range = dyn_cast<VarDecl>(S.getRangeStmt()->getSingleDecl());
  if (Range)
    L.Range = placeOf(*Range);
  if (L.Range && L.Range->Exact && L.Element) {
    Value Array = load(L.Range, S.getRangeInit());
    // The elements of an array or of an initializer_list are all listed.
    bool Listed = Array->Tag == ValueNode::Aggregate &&
                  llvm::all_of(Array->Keys, isIndex);
    L.RangeSize = Listed ? Array->Keys.size() : 0;
  }
  runLoop(L);
}

Value HostEvaluator::loopCondition(const Loop &L, std::uint64_t Turn) {
  if (L.ConditionVariable)
    declare(*L.ConditionVariable);
  if (L.Condition)
    return Values.resolve(evaluate(L.Condition), State.Known);
  if (!L.Element)
    return Values.boolean(true);
  if (!L.RangeSize)
    return Values.symbol("the length of a range");
  if (Turn >= L.RangeSize)
    return Values.boolean(false);
  const VarDecl *Object = L.Element->getCanonicalDecl();
  Variables[Object] = L.Element;
  Place Slot = *L.Range;
  Slot.Path.push_back(indexKey(Turn));
  Value Element = contents(Slot.Object);
  for (PartKey Key : Slot.Path)
    Element = Values.part(Element, Key, nameOf(Object));
  // What would be converted on its way is not told.
  QualType Type = L.Element->getType();
  if (Type->isReferenceType())
    State.Objects[Object] = Values.address(Slot);
  else if (Element->Type == numberType(Type))
    State.Objects[Object] = Element;
  else
    State.Objects[Object] = Values.symbol(nameOf(Object));
  return Values.boolean(true);
}

void HostEvaluator::runTurn(const Loop &L, JumpTarget &Target) {
  Targets.push_back(&Target);
  run(L.Body);
  Targets.pop_back();
  joinAll(Target.Continues);
  if (State.Live && L.Increment)
    evaluate(L.Increment);
}

/// Runs the loop as the machine would. False when it does not end in time or
/// when its end cannot be told; the caller then takes everything back.
bool HostEvaluator::runTurnByTurn(const Loop &L, unsigned MaxTurns) {
  for (unsigned Turn = 0; Turn <= MaxTurns && Steps <= TurnLimit; ++Turn) {
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
    if (Left && State.Live)
      return false;
    joinAll(Target.Breaks);
    if (Left || !State.Live)
      return true;
  }
  return false;
}

/// Runs the body once for all turns, with what changes in it unknown. False
/// when it changed something else, which is then in `Changing`.
bool HostEvaluator::runForgetfulOnce(
    const Loop &L, llvm::SmallPtrSetImpl<const void *> &Changing) {
  forgetChangesIn(L.Whole, "which changes in a loop");
  for (const void *Each : Changing)
    forget({Each, {}, true}, "code in a loop");
  if (L.Element) {
    const VarDecl *Object = L.Element->getCanonicalDecl();
    Variables[Object] = L.Element;
    State.Objects[Object] = Values.symbol(nameOf(Object));
  }
  HostState Head = State;
  HostState Left;
  Left.Live = false;
  auto Leave = [&] {
    Value Condition = L.Element ? Values.symbol("the length of a range")
                                : loopCondition(L, 0);
    HostState Before = State;
    learn(Condition, false);
    Left = std::move(State);
    State = std::move(Before);
    learn(Condition, true);
    if (EvenDead)
      State.Live = true;
  };
  if (!L.BodyFirst)
    Leave();
  JumpTarget Target;
  if (State.Live)
    runTurn(L, Target);
  if (L.BodyFirst && State.Live)
    Leave();
  std::size_t Known = Changing.size();
  if (State.Live)
    for (const auto &[Object, Contents] : State.Objects) {
      auto Before = Head.Objects.find(Object);
      auto Variable = Variables.find(Object);
      if (Before != Head.Objects.end()
              ? Before->second != Contents
              : Variable != Variables.end() &&
                    Variable->second->hasGlobalStorage() &&
                    Code.Changed.contains(Variable->second->getCanonicalDecl()))
        Changing.insert(Object);
    }
  for (const VarDecl *Each : effectsIn(L.Whole).Changed)
    Changing.erase(Each);
  if (L.Element)
    Changing.erase(L.Element->getCanonicalDecl());
  State = std::move(Left);
  joinAll(Target.Breaks);
  return Changing.size() == Known;
}

void HostEvaluator::runForgetful(const Loop &L) {
  Checkpoint Start = checkpoint();
  llvm::SmallPtrSet<const void *, 8> Changing;
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    if (runForgetfulOnce(L, Changing))
      return;
    goBackTo(Start);
  }
  forgetEverything();
  runForgetfulOnce(L, Changing);
}

void HostEvaluator::runLoop(const Loop &L) {
  bool Once = L.BodyFirst && L.Condition && !L.Condition->isValueDependent() &&
              evaluateConstant(L.Condition)->isZero();
  Checkpoint Start = checkpoint();
  if (Once) { // do { … } while (0) is a block.
    JumpTarget Target;
    runTurn(L, Target);
    joinAll(Target.Breaks);
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
  if (EvenDead || Steps > TurnLimit || !lacksOnly(Start, FirstSymbol))
    return;
  // Something in it is known in each turn, perhaps: try, or take it back.
  Checkpoint After = checkpoint();
  std::vector<LaunchVisit> Forgetful(Visits.begin() + Start.Visits,
                                     Visits.end());
  std::vector<OuterCallVisit> Calls(OuterCalls.begin() + Start.OuterCalls,
                                    OuterCalls.end());
  std::vector<Exit> Returns(Top->Returns.begin() + Start.Returns,
                            Top->Returns.end());
  auto Jumps = Top->Jumps;
  goBackTo(Start);
  if (runTurnByTurn(L, MaxLaunchingTurns))
    return;
  goBackTo(Start);
  State = std::move(After.State);
  Visits.insert(Visits.end(), Forgetful.begin(), Forgetful.end());
  OuterCalls.insert(OuterCalls.end(), Calls.begin(), Calls.end());
  Top->Returns.insert(Top->Returns.end(), Returns.begin(), Returns.end());
  Top->Jumps = std::move(Jumps);
}

} // namespace cudalint
