//===- analyzer/ir/WarpInterpreter.cpp - Runs a kernel for one warp -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/WarpInterpreter.h"

#include "analyzer/ir/BranchSides.h"
#include "analyzer/ir/Operations.h"
#include "analyzer/ir/WarpRun.h"

#include <bit>

using namespace llvm;

namespace cudalint {

/// Requests of several warps that are kept at once.
static constexpr std::size_t MostRequestsTogether = 1 << 14;

static unsigned phiCount(const BasicBlock *B) {
  return static_cast<unsigned>(
      std::distance(B->phis().begin(), B->phis().end()));
}

/// What two paths give, in each of several warps.
LaneValue WarpInterpreter::merged(const LaneValue &V, const LaneValue &W,
                                  bool SameForAll) {
  if (V.sameAs(W) || (!A.dependsOnWarp(V) && !A.dependsOnWarp(W)))
    return A.merge(V, W, SameForAll);
  return A.throughWarps([&](unsigned Warp) {
    return A.merge(A.inWarp(V, Warp), A.inWarp(W, Warp), SameForAll);
  });
}

/// Whether lanes that may leave loops in one turn or in a later one all do so
/// in the same.
bool WarpInterpreter::leftTogether(const BasicBlock *From, const BasicBlock *To,
                                   PathMask Earlier, PathMask Later) const {
  const llvm::Loop *Left = nullptr;
  for (const llvm::Loop *L = Kernel.loopOf(From); L && !L->contains(To);
       L = L->getParentLoop())
    Left = L;
  return Left && std::max(Earlier.Partings, Later.Partings) ==
                     PartingsBefore.lookup(Left);
}

/// Records that lanes go from one block to another, with what the phis there
/// are to be in those lanes; or that none do, and what that takes for granted.
void WarpInterpreter::leave(const BasicBlock *From, const BasicBlock *To,
                            PathMask Mask) {
  if (!Mask.May && !Mask.Assumes)
    return;
  EdgeState &E = State.Edges[{From, To}];
  if (!Mask.May) {
    E.Mask.add(Mask);
    return;
  }
  unsigned K = 0;
  bool New = !E.Mask.May;
  if (New)
    E.PhiValues.resize(phiCount(To));
  for (const PHINode &Phi : To->phis()) {
    if (!isNeeded(Phi)) {
      E.PhiValues[K++] = LaneValue::unknown(Values.bitsOf(Phi.getType()));
      continue;
    }
    LaneValue V = Values.get(Phi.getIncomingValueForBlock(From));
    V.Assumes |= Mask.Assumes & ~AssumesMeeting; // which is of lanes alone
    // Lanes that left in an earlier turn keep what they left with; those that
    // only may have left then have one or the other.
    if (!New) {
      const LaneValue &Old = E.PhiValues[K];
      LaneMask Both = Mask.May & E.Mask.May;
      LaneValue Either =
          Both ? merged(V, Old, leftTogether(From, To, E.Mask, Mask)) : Old;
      V = A.blend(Both, Either, A.blend(Mask.May, V, Old));
      if (Mask.May & ~Both && E.Mask.May & ~Both &&
          !ValueEvaluator::isTracked(Phi.getType()))
        V.Unknown |= Mask.May | E.Mask.May;
    }
    E.PhiValues[K++] = std::move(V);
  }
  E.Mask.add(Mask);
}

static bool isUnset(const PHINode &Phi, const BasicBlock *From) {
  return isa<UndefValue>(Phi.getIncomingValueForBlock(From));
}

/// Lanes and phi values that arrive at `B`, over all edges or those of `Only`,
/// and forgets them.
PathMask WarpInterpreter::takeIncoming(const BasicBlock *B, PhiValues &Phis,
                                       ArrayRef<BlockEdge> Only) {
  PathMask Mask;
  Phis.assign(phiCount(B), LaneValue());
  // Of each phi: lanes that come with no value, as of a variable that is not
  // set on their way; they may have any.
  SmallVector<LaneMask> Unset(Phis.size(), 0);
  // Lanes that parted nowhere on the way came by the same edge, also where it
  // is not known which of them came.
  const BasicBlock *Before = Only.empty() ? Kernel.cameBy(B) : B;
  const unsigned Partings = Masks.lookup(Before).Partings;
  std::set<BlockEdge> Seen;
  const bool IsPassedBy = Only.empty() && Kernel.isPassedBy(B);
  if (IsPassedBy)
    Ways[B].clear();
  auto Take = [&](const BlockEdge &Edge) {
    auto It = State.Edges.find(Edge);
    if (It == State.Edges.end() || !Seen.insert(Edge).second)
      return;
    EdgeState E = std::move(It->second);
    State.Edges.erase(It);
    if (IsPassedBy)
      Ways[B].push_back(E.Mask);
    std::size_t K = 0;
    if (!E.Mask.May) {
      Mask.add(E.Mask);
      return;
    }
    if (!Mask.May) {
      Phis = std::move(E.PhiValues);
      Mask.add(E.Mask);
      for (const PHINode &Phi : B->phis())
        Unset[K++] = isUnset(Phi, Edge.first) ? Mask.May & ~Mask.Doubtful : 0;
      return;
    }
    const LaneMask Both = Mask.May & E.Mask.May;
    if (Only.empty() && Kernel.isBeforeMeeting(B))
      E.Mask.Assumes |= AssumesMeeting;
    const bool SameForAll =
        Before && std::max(Mask.Partings, E.Mask.Partings) == Partings;
    for (const PHINode &Phi : B->phis()) {
      const LaneValue V = std::move(E.PhiValues[K]);
      LaneValue &Value = Phis[K];
      LaneMask &Any = Unset[K++];
      if (!isNeeded(Phi))
        continue;
      if (isUnset(Phi, Edge.first)) {
        Any |= E.Mask.May & ~Both & ~E.Mask.Doubtful;
        continue;
      }
      const LaneValue Old = Value;
      Value = A.blend(E.Mask.May & (~Both | Any), V, Old);
      if (const LaneMask Either = Both & ~Any)
        Value = A.blend(Either, merged(Old, V, SameForAll), Value);
      if (E.Mask.May & ~Both && Mask.May & ~Both &&
          !ValueEvaluator::isTracked(Phi.getType()) && !Phi.hasConstantValue())
        Value.Unknown |= E.Mask.May | Mask.May;
      Any &= ~E.Mask.May;
    }
    Mask.add(E.Mask);
  };
  if (!Only.empty())
    for (const BlockEdge &E : Only)
      Take(E);
  else
    for (const BasicBlock *P : predecessors(B))
      Take({P, B});
  // In a loop the number would be one from which others are counted.
  const llvm::Loop *L = Kernel.loopOf(B);
  for (std::size_t K = 0; K < Phis.size(); ++K)
    if (Unset[K] && !(L && L->getHeader() == B))
      Phis[K] =
          A.blend(Unset[K], LaneValue::constant(Phis[K].Bits, 0), Phis[K]);
  return Mask;
}

void WarpInterpreter::runItems(const Region &R, const BasicBlock *First,
                               PathMask Mask, const PhiValues *FirstPhis) {
  const unsigned Outer = std::exchange(Context.Turn, ++TurnsBegun);
  for (const BasicBlock *B : R.Items) {
    if (A.areWarpsApart())
      break;
    if (B == First) {
      runBlock(B, Mask, FirstPhis);
      continue;
    }
    const llvm::Loop *L = Kernel.loopOf(B);
    if (L != R.Loop) {
      runLoop(L);
      continue;
    }
    PhiValues Phis;
    PathMask In = takeIncoming(B, Phis);
    // A cycle that is no loop: what comes round it is not known.
    for (const BasicBlock *P : predecessors(B))
      if (Kernel.order(P) >= Kernel.order(B))
        for (LaneValue &V : Phis)
          V = LaneValue::unknown(V.Bits);
    if (!In.May) {
      Masks.erase(B);
      for (const BasicBlock *S : successors(B))
        leave(B, S, {.Assumes = In.Assumes});
      continue;
    }
    // Lanes that parted at the dominator and all come here are whole again.
    if (const BasicBlock *D = Kernel.sameLanesAs(B)) {
      auto It = Masks.find(D);
      if (It != Masks.end() && (In.May & ~It->second.May) == 0)
        In = It->second;
    }
    runBlock(B, In, &Phis);
  }
  Context.Turn = Outer;
}

void WarpInterpreter::countOperations(const BasicBlock *B, PathMask Mask) {
  const auto [It, IsNew] = OperationsOf.try_emplace(B);
  if (IsNew)
    It->second = notedOperations(*B);
  const OperationCount &Of = It->second;
  TurnProbe *const Probed = probeOf(B);
  if (Of == OperationCount() || !Mask.May || (!isReporting() && !Probed))
    return;
  const double Times = Context.Weight * std::popcount(Mask.May);
  if (Probed) {
    if (Mask.Doubtful & ~Probed->Mask.Doubtful ||
        Mask.Condition != Probed->Mask.Condition) {
      Probed->HasMoreOperations = true;
      return;
    }
    Probed->Operations.add(Of, Times);
    Probed->Counted.push_back(B->getTerminator());
    return;
  }
  if (AddedForAll.contains(B->getTerminator()))
    return;
  Outcome.Operations.add(Of, Times);
  if (!std::ranges::all_of(Running, &RunningLoop::IsCounted))
    Outcome.WhyNotCounted =
        "only the run tells how often a loop around some of them turns";
  else if (Mask.Condition || !(Mask.May & ~Mask.Doubtful))
    Outcome.WhyNotCounted =
        "a condition decides whether some of them run that is not known";
}

/// Whether lanes that may not be doubted go there once, whatever is not known.
bool WarpInterpreter::isCertain(const PathMask &Mask) const {
  // Where lanes meet again says nothing of which of them come.
  return !(Mask.Assumes & ~AssumesMeeting) && !Mask.Condition &&
         Context.Weight == 1 && !Context.IsSampled && !Context.IsDoubling &&
         std::ranges::all_of(Running, &RunningLoop::IsCounted);
}

void WarpInterpreter::noteBarrier(const Instruction &I, const PathMask &Mask) {
  KnowsBarriers &= isCertain(Mask) && !Mask.Doubtful &&
                   Mask.May == Values.existingLanes() &&
                   Outcome.Barriers.size() != WarpOutcome::MostVisits;
  if (KnowsBarriers)
    Outcome.Barriers.push_back(&I);
}

void WarpInterpreter::noteVisit(const BasicBlock *B, const PathMask &Mask) {
  if (Outcome.Visits.size() == WarpOutcome::MostVisits)
    return;
  Outcome.Visits.push_back(
      {.Block = B,
       .May = Mask.May,
       .Sure = isCertain(Mask) ? Mask.May & ~Mask.Doubtful : 0,
       .DataDriven = Mask.DataDriven});
  if (Outcome.Visits.size() == WarpOutcome::MostVisits)
    Outcome.Visits.back() = {};
}

/// Adds to the visit of the block which side of the branch at its end each lane
/// takes.
void WarpInterpreter::noteSides(const BasicBlock *B, const PathMask &Mask) {
  const std::optional<MarkedSides> Of = markedSidesAt(*B);
  if (!Of)
    return;
  const LaneValue Side = Values.get(Of->Side);
  if (A.dependsOnWarp(Side))
    A.tellWarpsApart();
  if (Outcome.Visits.back().Block != B || !Side.isConstantIn(Mask.May))
    return;
  std::vector<LaneMask> &Sides = Outcome.Visits.back().Sides;
  Sides.resize(Of->Instructions.size());
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Mask.May >> L & 1)
      Sides[static_cast<std::size_t>(Side.Constant[L])] |= LaneMask(1) << L;
}

void WarpInterpreter::runBlock(const BasicBlock *B, PathMask Mask,
                               const PhiValues *Phis) {
  Masks[B] = Mask;
  if (isReporting() && Kernel.isWatched(B))
    noteVisit(B, Mask);
  countOperations(B, Mask);
  unsigned K = 0;
  for (const PHINode &Phi : B->phis()) {
    LaneValue V = Phis ? (*Phis)[K] : LaneValue::unknown(32);
    V.Bits = Values.bitsOf(Phi.getType());
    if (A.areSeveralWarps() && !A.dependsAlike(V))
      A.tellWarpsApart();
    Values.set(&Phi, std::move(V));
    ++K;
  }
  for (const PHINode &Phi : B->phis())
    if (!isNeeded(Phi))
      continue;
    else if (auto Numbers = Values.numbersOf(Phi, Mask.May, Mask.Chosen.Set))
      Values.set(&Phi, std::move(*Numbers));
  const BlockCode &Code = Kernel.code(B);
  Work -= std::min<std::size_t>(Work, Code.Instructions);
  for (const Instruction *I :
       Context.For == RunPurpose::Ways ? Code.StepsOfWays : Code.Steps) {
    if (A.areWarpsApart())
      return;
    if (!memory(*I, Mask))
      Values.set(I,
                 Values.evaluate(*I, Mask.May, Mask.Doubtful, Mask.Chosen.Set));
  }
  if (isReporting() && Kernel.isWatched(B))
    noteSides(B, Mask);
  branch(B, Mask);
  Values.forget(Kernel.ownValues(B));
}

WarpOutcome runWarp(const KernelStructure &Kernel, const LaunchShape &Shape,
                    unsigned Warp, std::size_t Work, LaneArithmetic &Arithmetic,
                    const std::function<void(const Request &)> &Sink) {
  return *WarpInterpreter(Kernel, Shape, {Warp, Warp}, Work, Arithmetic, Sink)
              .run();
}

std::optional<WarpOutcome> runWarps(const KernelStructure &Kernel,
                                    const LaunchShape &Shape, unsigned First,
                                    unsigned Last, std::size_t Work,
                                    LaneArithmetic &Arithmetic,
                                    std::vector<Request> &Requests) {
  return WarpInterpreter(Kernel, Shape, {First, Last}, Work, Arithmetic,
                         [&](const Request &R) {
                           if (Requests.size() == MostRequestsTogether)
                             Arithmetic.tellWarpsApart();
                           else
                             Requests.push_back(R);
                         })
      .run();
}

} // namespace cudalint
