//===- analyzer/ir/AccessTally.cpp - The requests of one access -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessTally.h"

#include "analyzer/ir/AssumptionNames.h"

#include <algorithm>

namespace cudalint {

void AccessTally::addToRuns(const Request &R, std::size_t Run, double Weight) {
  const std::size_t Last = Run + (R.AlikeWarps - 1) * R.AlikeStep;
  ByRun.resize(std::max(ByRun.size(), Last + 1));
  for (std::size_t Each = Run; Each <= Last; Each += R.AlikeStep)
    ByRun[Each] += Weight;
}

void AccessTally::count(const Request &R, double BlockWeight, std::size_t Run) {
  addToRuns(R, Run, R.Weight);
  const unsigned LastWarp = R.Warp + (R.AlikeWarps - 1) * R.AlikeStep;
  if (Warps.size() <= LastWarp)
    Warps.resize(LastWarp + 1);
  for (unsigned W = R.Warp; W <= LastWarp; W += R.AlikeStep)
    Warps.set(W);
  Executions += BlockWeight * R.Weight;
  ManyBlocks |= !R.FewBlocks;
  if (R.Sampled && SampledTurns.size() < LeastSampledTurns)
    SampledTurns.insert(R.SampledTurn);
  if (!R.IsSure)
    Result.Undecided = std::max(Result.Undecided, R.Undecided);
  const std::uint32_t Open = R.openOutside(R.As ? R.As->Hoisted : 0);
  ByOpenLoops[Open] += BlockWeight * R.Weight;
  if (Open)
    WhyNotCounted = "only the run tells how often a loop around it turns";
  else if (!R.IsSure)
    WhyNotCounted = "a condition decides whether it runs that is not known";
}

void AccessTally::addInOrder(const Request &R, const RequestSums &Before,
                             double BlockWeight, unsigned Run) {
  const double Requests = Sum.Requests - Before.Requests;
  if (R.Weight != 1 || R.Repeated.Period || R.OpenLoops)
    InOrder.stop();
  else if (Requests > BlockWeight * (1 - 1e-9))
    InOrder.add(Run,
                {.PerRequest = (Sum.PerRequest - Before.PerRequest) / Requests,
                 .Ideal = (Sum.Ideal - Before.Ideal) / Requests,
                 .Lanes = (Sum.LaneSum - Before.LaneSum) / Requests,
                 .Requests = Requests});
  else if (Requests > 0) // aligned to a wider word in some blocks alone
    InOrder.stop();
}

/// `a[t] or b[17 * t]`.
static AccessFact eitherOf(const std::set<AccessFact> &Written) {
  // The arms of a branch may write the same.
  std::set<std::string> Texts;
  for (const AccessFact &Each : Written)
    Texts.insert(Each.Text);
  if (Texts.size() == 1)
    return *Written.begin();
  AccessFact All;
  for (const std::string &Each : Texts) {
    if (Each.empty())
      return {};
    All.Text += (All.Text.empty() ? "" : " or ") + Each;
  }
  // They may be elements of one array.
  const AccessFact &First = *Written.begin();
  if (std::ranges::all_of(Written, [&](const AccessFact &Each) {
        return Each.Object == First.Object && Each.Array == First.Array;
      })) {
    All.Object = First.Object;
    All.Array = First.Array;
    for (const AccessFact &Each : Written)
      All.MayLeaveRow |= Each.MayLeaveRow;
  }
  return All;
}

/// How often a warp of the block makes it if each loop turned once of which it
/// is not known how often it turns.
void AccessTally::finishFrequencies(bool IsMisaligned, double WarpsOfBlock) {
  // Of those that begin in the middle of a wider word, each has its part.
  const double Kept = IsMisaligned ? MisalignedExecutions : Executions;
  const double All = Executions + MisalignedExecutions;
  for (const auto &[Open, Times] : ByOpenLoops) {
    Frequency &Each = Result.Frequencies.emplace_back();
    Each.Times = All > 0 ? Times * Kept / All / WarpsOfBlock : 0;
    for (unsigned K = 0; K != 32; ++K) {
      if (Open >> K & 1)
        Each.Loops.push_back(K);
      else if (CutLoops >> K & 1)
        Each.CutLoops.push_back(K);
    }
  }
}

/// How often a warp of the block makes it, or why that is not known.
void AccessTally::finishExecutions(double Times, double WarpsOfBlock) {
  if (Truncated)
    Result.WhyNotCounted =
        "not all turns of a long loop around it were looked at";
  else if (As && As->IsWider && !WhyUnknown.empty())
    Result.WhyNotCounted = "where it is aligned is not known";
  else if (WhyNotCounted)
    Result.WhyNotCounted = WhyNotCounted;
  else if (AssumedBits & AssumesSampled &&
           SampledTurns.size() < LeastSampledTurns)
    Result.WhyNotCounted = "hardly any of the turns that are looked at reaches "
                           "it";
  else if (Cause == UnknownCause::AtomicLoop)
    Result.WhyNotCounted = "how lanes meet decides how often its loop turns";
  else
    Result.Executions = Times / WarpsOfBlock;
}

CollectedAccess AccessTally::finish(const LaunchShape &Shape,
                                    double WarpsOfBlock) {
  Access &A = Result;
  const bool IsMisaligned = Sum.Requests == 0 && Misaligned.Requests > 0;
  const RequestSums &Of = IsMisaligned ? Misaligned : Sum;
  if (IsMisaligned && AreUneven && WhyUnknown.empty())
    setUnknown(UnknownCause::NotModelled,
               "the compiled code has no instruction that suits its lanes");
  std::uint32_t Bits = AssumedBits;
  if (Truncated)
    Bits |= AssumesTruncated;
  nameAssumptions(Bits, Assumptions);
  if (Shape.BlockSource == LaunchSource::Assumed ||
      Shape.BlockSource == LaunchSource::Usual)
    Assumptions.insert(blockAssumption(Shape));
  A.IsOfFewBlocks = !ManyBlocks && Executions + MisalignedExecutions > 0;
  finishExecutions(IsMisaligned ? MisalignedExecutions : Executions,
                   WarpsOfBlock);
  finishFrequencies(IsMisaligned, WarpsOfBlock);
  if (!Written.empty()) {
    if (!IsMadeByOthersAlone)
      Written.insert(A.Source);
    A.Source = eitherOf(Written);
    if (!A.Source.Array) {
      A.LastInRow.reset();
      A.StaysInRow.reset();
    }
  }
  // Where a library makes it, nobody has written what it goes to.
  if (A.Source.Text.empty() && A.Space == MemorySpace::Global)
    A.Source.Text = A.Source.Object = Base.name();
  A.WhyUnknown = WhyUnknown;
  A.Cause = Cause;
  A.CauseWhere = CauseWhere;
  if (WhyUnknown.empty() && Of.Requests > 0) {
    A.Trust = Assumptions.empty() ? Certainty::Exact : Certainty::Assumed;
    A.Assumptions.assign(Assumptions.begin(), Assumptions.end());
    A.Predicted = Of.mean(Warps.count());
    A.Predicted->MoreRequests = Truncated;
    A.InOrder = InOrder.finish();
    A.Samples = Of.samples();
    A.TurnStep = Turns.step();
  } else {
    A.Trust = Certainty::Unknown;
    if (A.Cause == UnknownCause::LoadedData ||
        (A.Cause == UnknownCause::LoadedLanes && Random.isKnownOfAll()))
      A.Expected = Random.mean(Truncated);
    if (A.Stride && A.Space == MemorySpace::Global)
      A.Stride.reset();
  }
  return {.Result = std::move(A),
          .Inst = Inst,
          .Part = Part,
          .Piece = Piece,
          .As = As,
          .IsMisaligned = IsMisaligned,
          .IsUneven = Of.isUneven(),
          .LeftByLane = LeftByLane,
          .PartOfWarps = Warps.count() / WarpsOfBlock};
}

} // namespace cudalint
