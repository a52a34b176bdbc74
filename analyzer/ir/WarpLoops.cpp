//===- analyzer/ir/WarpLoops.cpp - Turns of a loop -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/WarpRun.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace cudalint {

/// Turns of one loop at most, however little work they are.
static constexpr unsigned MaxTurns = 4096;
/// Turns of a loop with loops inside that are run before others are left out.
static constexpr unsigned SteadyOuterTurns = 16;
/// Turns of a loop that doubles or halves something until a bound that only
/// the run knows: what it reaches after these is larger than any block.
static constexpr unsigned MaxDoublings = 16;

/// Runs one turn and reports nothing of it. Leaves no trace.
WarpInterpreter::Trial WarpInterpreter::tryTurn(const Region &R, PathMask Mask,
                                                const PhiValues &Phis,
                                                RunContext As) {
  const llvm::SaveAndRestore Saved(Context, As);
  RunState Outside = {.Locals = State.Locals, .MeetLater = State.MeetLater};
  std::swap(State, Outside);
  Decided[R.Loop] = false;

  runItems(R, R.Loop->getHeader(), Mask, &Phis);
  Trial Result;
  Result.Back = takeIncoming(R.Loop->getHeader(), Result.Next, R.Latches);

  for (const BlockEdge &E : R.Exits)
    if (auto Left = State.Edges.find(E); Left != State.Edges.end())
      Result.Left.add(Left->second.Mask);
  State = std::move(Outside);
  return Result;
}

/// The same of a turn before which others are left out: what these do to
/// private arrays is not known.
WarpInterpreter::Trial WarpInterpreter::tryLaterTurn(const Region &R,
                                                     PathMask Mask,
                                                     const PhiValues &Phis,
                                                     RunContext As) {
  llvm::SaveAndRestore Saved(State.Locals);
  if (R.StoresToLocals)
    State.Locals.clear();
  return tryTurn(R, Mask, Phis, As);
}

void WarpInterpreter::runLoop(const llvm::Loop *L) {
  PhiValues Start;
  PathMask Mask = takeIncoming(L->getHeader(), Start);
  if (!Mask.May) {
    for (const BlockEdge &E : Kernel.region(L).Exits)
      leave(E.first, E.second, {.Assumes = Mask.Assumes});
    return;
  }
  PartingsBefore[L] = Mask.Partings;
  Running.push_back({.Entry = {++LoopsEntered, Context.Weight}});
  runTurnsOf(L, Mask, std::move(Start));
  Running.pop_back();
}

void WarpInterpreter::runTurnsOf(const llvm::Loop *L, PathMask Mask,
                                 PhiValues Start) {
  const Region &R = Kernel.region(L);
  if (!isReporting()) {
    // Only the shape of the loop around is asked for: be quick.
    if (Context.For == RunPurpose::Ways && R.SourcesOfWays)
      passThrough(R, Mask, Start);
    else
      runGeneralised(R, Mask, Start);
    return;
  }
  if (!RunsByTurn.contains(L)) {
    const PhiValues Next = tryTurn(R, Mask, Start).Next;
    bool ByTurn = Decided[L];
    if (!ByTurn && isDoubling(R, Mask, Start, Next)) {
      ByTurn = true;
      Doubling.insert(L);
    }
    RunsByTurn[L] = ByTurn;
  }
  const bool WasLeftByLane = Outcome.LeftByLane.erase(L);
  if (RunsByTurn[L] && Work)
    Doubling.contains(L) ? runDoublings(R, Mask, std::move(Start))
                         : runTurns(R, Mask, std::move(Start));
  else {
    // What was not run turn by turn for want of work is not all there is.
    if (RunsByTurn[L])
      Outcome.CutShort.insert(L);
    runGeneralised(R, Mask, Start);
  }
  // nvcc makes sure that they meet behind it, but not always in another loop.
  if (Outcome.LeftByLane.contains(L) && Running.size() > 1)
    State.MeetLater = AssumesMeeting;
  if (WasLeftByLane)
    Outcome.LeftByLane.insert(L);
}

/// Whether every phi moved by the same constant in all lanes.
static bool isSteady(LaneArithmetic &A, const PhiValues &Before,
                     const PhiValues &After, LaneMask Active) {
  for (std::size_t K = 0; K < Before.size(); ++K) {
    if (Before[K].Unknown & Active || After[K].Unknown & Active)
      continue; // data, not an index
    LaneValue D = A.sub(After[K], Before[K], true);
    if (A.dependsOnWarp(D))
      A.tellWarpsApart();
    if (!D.isConstantIn(Active) || !D.Constant.isUniformIn(Active))
      return false;
  }
  return true;
}

/// By what a number of the loop grows in each turn, if that is one and the same
/// value; else null.
static const Value *stepOf(const Region &R, const PHINode &Phi) {
  const Value *Step = nullptr;
  for (const BlockEdge &E : R.Latches) {
    auto *Sum = dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(E.first));
    if (!Sum || Sum->getOpcode() != Instruction::Add)
      return nullptr;
    const unsigned Of = Sum->getOperand(0) == &Phi ? 1 : 0;
    const Value *Each = Sum->getOperand(Of);
    if (Sum->getOperand(1 - Of) != &Phi || !R.Loop->isLoopInvariant(Each) ||
        (Step && Step != Each))
      return nullptr;
    Step = Each;
  }
  return Step;
}

/// Whether some counter of the loop is known in every turn but does not grow
/// by the same amount: `for (s = 1; s < n; s *= 2)`.
bool WarpInterpreter::isDoubling(const Region &R, PathMask Mask,
                                 const PhiValues &Start,
                                 const PhiValues &Next) {
  if (Next.size() != Start.size())
    return false;
  auto IsKnown = [&](const LaneValue &V) {
    return A.isConstantInWarp(V, Mask.May);
  };
  bool Candidate = false;
  std::size_t Of = 0;
  for (const PHINode &Phi : R.Loop->getHeader()->phis()) {
    const std::size_t K = Of++;
    Candidate |= Start[K].Bits > 1 && IsKnown(Start[K]) && IsKnown(Next[K]) &&
                 !Start[K].sameAs(Next[K]) && !stepOf(R, Phi);
  }
  if (!Candidate)
    return false;
  const PhiValues Third = tryTurn(R, Mask, Next).Next;
  for (std::size_t K = 0; K < Start.size(); ++K)
    if (Third.size() == Start.size() && Start[K].Bits > 1 &&
        IsKnown(Start[K]) && IsKnown(Next[K]) && IsKnown(Third[K]) &&
        !A.sub(Third[K], Next[K]).sameAs(A.sub(Next[K], Start[K])))
      return true;
  return false;
}

/// Runs a loop whose bound is not known as far as its arrays reach: beyond,
/// the program would be wrong.
void WarpInterpreter::runDoublings(const Region &R, PathMask Mask,
                                   PhiValues Phis) {
  llvm::SaveAndRestore Saved(Context.IsDoubling, true);
  OutOfBounds = false;
  for (unsigned Turn = 0; Turn < MaxDoublings && !OutOfBounds; ++Turn) {
    runItems(R, R.Loop->getHeader(), Mask, &Phis);
    PhiValues Next;
    PathMask Back = takeIncoming(R.Loop->getHeader(), Next, R.Latches);
    if (!Back.May)
      break;
    Mask = Back;
    Phis = std::move(Next);
  }
  Outcome.CutShort.insert(R.Loop);
  forceExit(R, Mask);
}

void WarpInterpreter::runTurns(const Region &R, PathMask Mask, PhiValues Phis) {
  const BasicBlock *Header = R.Loop->getHeader();
  const unsigned Enough = R.hasLoops() ? SteadyOuterTurns : SteadyTurns / 2;
  unsigned Steady = 0;
  for (unsigned Turn = 0;; ++Turn) {
    Decided[R.Loop] = false;
    std::size_t TurnWork = Work;
    runItems(R, Header, Mask, &Phis);
    TurnWork -= Work;
    bool WasDecided = Decided[R.Loop];
    PhiValues Next;
    PathMask Back = takeIncoming(Header, Next, R.Latches);
    if (!Back.May)
      return;
    if (Back.May != Mask.May || Back.DataDriven & ~Mask.DataDriven)
      Outcome.LeftByLane.insert(R.Loop);
    if (!WasDecided) {
      runGeneralised(R, Back, Next);
      return;
    }
    Steady = Back.May == Mask.May && isSteady(A, Phis, Next, Back.May)
                 ? Steady + 1
                 : 0;
    // Lanes that have left keep their last value; nobody looks at it.
    PhiValues Before = std::exchange(Phis, std::move(Next));
    Mask = Back;
    if (Steady == Enough && Work) {
      auto Form = closedForm(R, Mask, Before, Phis);
      auto Turns =
          Form ? turnsUntilExit(R, Mask, Phis, Form->Step) : std::nullopt;
      bool IsLong =
          Turns && (*Turns > SteadyTurns - Enough ||
                    TurnWork * static_cast<std::size_t>(*Turns) > Work / 2);
      if (IsLong && runSample(R, Mask, Phis, *Form, *Turns, TurnWork)) {
        Phis = afterTurns(Phis, Form->Step, *Turns);
        Turn = 0;
        Steady = 0;
        continue;
      }
    }
    if (Turn >= MaxTurns || !Work) {
      llvm::SaveAndRestore Saved(Context.For, RunPurpose::Values);
      Outcome.CutShort.insert(R.Loop);
      runGeneralised(R, Mask, Phis);
      return;
    }
  }
}

namespace {
/// What is believed of the phis of a loop's header in all of its turns; each
/// round weakens what it finds untrue, until all of it is true.
class TurnForms {
public:
  TurnForms(LaneArithmetic &A, LaneMask Active, const PhiValues &Start)
      : A(A), Active(Active), Start(Start), Assumes(Start.size()),
        MayWrap(Start.size()) {
    for (std::size_t K = 0; K < Start.size(); ++K) {
      Forms.push_back(Start[K].Unknown & Active ? Form::Unknown : Form::Affine);
      if (isUnknown(K))
        Assumes[K] = Start[K].Assumes;
    }
  }

  bool isUnknown(std::size_t K) const { return Forms[K] == Form::Unknown; }

  /// Of each phi, from turn to turn, where it is affine.
  std::vector<LaneValue> Step;

  PhiValues inTurn(Symbol Turn) const;
  /// \p Next is what the next turn begins with if one begins with \p Phis.
  /// False: it is what is believed.
  bool weaken(const PhiValues &Phis, const PhiValues &Next);

private:
  enum class Form { Affine, Uniform, Unknown };
  LaneArithmetic &A;
  const LaneMask Active;
  const PhiValues &Start;
  std::vector<Form> Forms;
  // What the steps say of all turns: assumptions, and whether they may wrap.
  std::vector<std::uint32_t> Assumes;
  std::vector<bool> MayWrap;
};
} // namespace

PhiValues TurnForms::inTurn(Symbol Turn) const {
  PhiValues Phis = Start;
  for (std::size_t K = 0; K < Start.size(); ++K) {
    const LaneValue &S = Start[K];
    switch (Forms[K]) {
    case Form::Affine:
      Phis[K] =
          A.add(S, A.mul(LaneValue::symbol(S.Bits, Turn), Step[K], true), true);
      break;
    case Form::Uniform: // Start plus something that all lanes share.
      Phis[K] = A.add(S, A.fresh(S.Bits, {.Kind = SymbolKind::Opaque}), true);
      break;
    case Form::Unknown:
      Phis[K] = LaneValue::unknown(S.Bits);
      break;
    }
    Phis[K].Assumes |= Assumes[K];
    Phis[K].MayWrap |= MayWrap[K];
  }
  return Phis;
}

bool TurnForms::weaken(const PhiValues &Phis, const PhiValues &Next) {
  bool Changed = false;
  for (std::size_t K = 0; K < Start.size(); ++K) {
    if (isUnknown(K)) {
      Changed |= (Next[K].Assumes & ~Assumes[K]) != 0;
      Assumes[K] |= Next[K].Assumes;
      continue;
    }
    LaneValue D = A.sub(Next[K], Phis[K], true);
    bool Known = !(D.Unknown & Active);
    Changed |= (D.Assumes & ~Assumes[K]) || (Next[K].MayWrap && !MayWrap[K]);
    Assumes[K] |= D.Assumes;
    MayWrap[K] = MayWrap[K] || Next[K].MayWrap;
    if (Forms[K] == Form::Affine && Known && D.sameAs(Step[K]))
      continue;
    if (A.dependsOnWarp(D) || A.dependsOnWarp(Step[K]))
      A.tellWarpsApart();
    Form F = Known && D.isUniformIn(Active) ? Form::Uniform : Form::Unknown;
    Changed |= Forms[K] != F;
    Forms[K] = F;
  }
  return Changed;
}

/// What the header's phis are in turn `Turn`: start + turn · step where that
/// is so; else the same in all lanes, if that can be shown; else unknown.
PhiValues WarpInterpreter::generalise(const Region &R, PathMask Mask,
                                      const PhiValues &Start, Symbol Turn,
                                      PathMask &Back) {
  TurnForms Forms(A, Mask.May, Start);
  // Of numbers that grow by what does not change, no turn need tell by what.
  for (const PHINode &Phi : R.Loop->getHeader()->phis()) {
    const Value *By = Kernel.isNeeded(Phi) ? stepOf(R, Phi) : nullptr;
    if (By)
      Forms.Step.push_back(Values.get(By));
    else if (Forms.isUnknown(Forms.Step.size()))
      Forms.Step.emplace_back();
    else
      break;
  }
  if (Forms.Step.size() != Start.size()) {
    const Trial First = tryTurn(R, Mask, Start);
    Back = First.Back;
    if (First.Next.size() != Start.size())
      return Start; // no way back: the loop runs once
    Forms.Step.clear();
    for (std::size_t K = 0; K < Start.size(); ++K)
      Forms.Step.push_back(A.sub(First.Next[K], Start[K], true));
  }
  for (;;) {
    PhiValues Phis = Forms.inTurn(Turn);
    const Trial Any = tryTurn(R, Mask, Phis);
    Back = Any.Back;
    if (Any.Next.size() != Start.size() || !Forms.weaken(Phis, Any.Next))
      return Phis;
  }
}

static bool mentions(const LaneArithmetic &A, const LaneValue &V, Symbol S) {
  return std::ranges::any_of(V.Terms, [&](const Term &T) {
    return T.S == S || std::ranges::binary_search(A.info(T.S).Factors, S);
  });
}

void WarpInterpreter::runGeneralised(const Region &R, PathMask Mask,
                                     const PhiValues &Start) {
  if (R.StoresToLocals)
    State.Locals.clear();
  Symbol Turn = A.makeSymbol({.Kind = SymbolKind::Counter, .Min = 0});
  PathMask Back;
  PhiValues Phis = generalise(R, Mask, Start, Turn, Back);
  // Lanes that may leave may be gone by the turn that stands for all.
  PathMask Any = Mask;
  if (Back.May) {
    Any.Doubtful |= Mask.May & (Back.Doubtful | ~Back.May);
    Any.Assumes |= Back.Assumes;
    Any.Condition = Back.Condition;
    if (Back.Chosen.Set != Mask.Chosen.Set)
      Any.Chosen = {.Set = ++Conditions};
  }
  Running.back().IsCounted = false;
  runItems(R, R.Loop->getHeader(), Any, &Phis);
  PhiValues Ignored;
  takeIncoming(R.Loop->getHeader(), Ignored, R.Latches);
  if (isReporting() && Back.DataDriven)
    Outcome.LeftByLane.insert(R.Loop);
  forceExit(R, Mask);
  // Lanes that leave when data says so do not leave in the same turn.
  for (const BlockEdge &E : R.Exits)
    if (auto It = State.Edges.find(E);
        It != State.Edges.end() && It->second.Mask.Partings != Mask.Partings)
      for (LaneValue &V : It->second.PhiValues)
        if (mentions(A, V, Turn))
          V.Unknown |= It->second.Mask.Doubtful;
  if (R.StoresToLocals)
    State.Locals.clear();
}

/// A loop that no lane was seen to leave is left by all: what comes after it
/// is code that runs, too.
void WarpInterpreter::forceExit(const Region &R, PathMask Mask) {
  for (const BlockEdge &E : R.Exits)
    if (const auto It = State.Edges.find(E);
        It != State.Edges.end() && It->second.Mask.May)
      return;
  for (const BlockEdge &E : R.Exits)
    leave(E.first, E.second, Mask);
}

} // namespace cudalint
