//===- report/SupposedTraffic.cpp - What is not counted -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SupposedTraffic.h"

#include "report/Names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace cudalint {

/// Turns of a loop of which nothing is known, and others that it may make:
/// chosen. One of fewer turns mostly has its bound in the source.
static constexpr double UsualTurns = 100, FewTurns = 16, ManyTurns = 1000;
/// Of one of which not all turns were looked at, so many times as many; of one
/// in which no access of the source is, as the slow ways through functions of
/// the toolkit are, so many turns instead of one.
static constexpr double ManyMore = 10;
/// What a condition decides of which nothing is known, such a part of the warps
/// may do as well as all of them.
static constexpr double SeldomPart = 0.25;

namespace {
/// What the number of a loop is one of.
enum NumberOf : unsigned {
  OpenLoop,    ///< Frequency::Loops
  CutLoop,     ///< Frequency::CutLoops
  MachineLoop, ///< MachineInstruction::Loops
  NestedLoop,  ///< From 1 for the outermost.
};
} // namespace

const BlockCount *countOf(const AccessRecord &A, const BlockShape &Block) {
  const auto Found = std::ranges::find(A.Counts, Block, &BlockCount::Block);
  return Found == A.Counts.end() ? nullptr : &*Found;
}

/// What a request of which nothing is predicted costs at most: each lane for
/// itself. Of words of shared memory that data chooses, as many meet in one
/// bank as of random ones.
static double mostOf(const AccessRecord &A) {
  constexpr double Lanes = 32, RandomWords = 4;
  constexpr unsigned WordBytes = 4;
  const bool IsRandom = A.Unit == TrafficUnit::Wavefronts &&
                        A.Op != AccessOp::Atomic && A.Unknown &&
                        A.Unknown->Cause == UnknownCause::LoadedData;
  return IsRandom ? RandomWords * std::max(1u, A.Bytes / WordBytes) : Lanes;
}

SupposedTraffic::SupposedTraffic(const KernelRecord &Kernel,
                                 std::string_view Unit,
                                 const std::optional<BlockShape> &Told)
    : Told(Told) {
  std::vector<const AccessRecord *> Unknown;
  for (const AccessRecord &A : Kernel.Accesses) {
    if (nameOf(A.Unit) != Unit)
      continue;
    Counted Each{.Of = &A, .Parts = {}};
    if (A.Counts.empty()) {
      if (Told && A.Block != *Told)
        continue;
      if (!A.Executions) {
        Unknown.push_back(&A);
        continue;
      }
      addPart(Each, *A.Executions, {});
    }
    for (const BlockCount &Count : A.Counts)
      if (!Told || Count.Block == *Told)
        addParts(Each, Count, Kernel);
    if (Each.Parts.empty())
      continue;
    Place[&A] = All.size();
    All.push_back(std::move(Each));
  }
  for (const AccessRecord *A : Unknown) {
    Counted Each{.Of = A, .Parts = {}, .IsRare = isOnSlowWay(*A)};
    if (!addAsNeighbour(Each))
      addNested(Each);
    Place[A] = All.size();
    All.push_back(std::move(Each));
  }
  Sums.resize(suppositions());
  for (std::size_t Supposed = 0; Supposed != Sums.size(); ++Supposed)
    for (const Counted &Each : All)
      if (!Each.IsRare)
        Sums[Supposed] +=
            timesOf(Each, Supposed) * Each.Of->PerRequest.value_or(1);
  for (const Counted &Each : All)
    SumAtMost +=
        timesOf(Each, 0) * Each.Of->PerRequest.value_or(mostOf(*Each.Of));
}

void SupposedTraffic::addPart(Counted &To, double Times,
                              const std::vector<LoopKey> &Of) {
  Part &Each = To.Parts.emplace_back();
  Each.Times = Times;
  for (const LoopKey &Key : Of) {
    const auto [Found, IsNew] = Loops.try_emplace(Key, Loops.size());
    if (IsNew)
      HasFew.push_back(Key.first == CutLoop || Key.first == MachineLoop);
    Each.Loops.push_back(Found->second);
  }
}

static bool isCutShort(const BlockCount &Of) {
  return std::ranges::any_of(Of.Frequencies, [](const Frequency &Each) {
    return !Each.CutLoops.empty();
  });
}

/// What was seen of it, each of its loops turning once of which nobody knows.
static double seenOf(const BlockCount &Of) {
  double Sum = 0;
  for (const Frequency &Each : Of.Frequencies)
    Sum += Each.Times;
  return Sum;
}

/// How often an access of which not all turns were looked at is made, by what
/// is known of others in loops that turn as often, a mean over instructions. Of
/// those that are cut short like it, one that was seen less is made less.
static std::optional<double> countedAlike(const AccessRecord &A,
                                          const BlockCount &Own,
                                          const KernelRecord &Kernel) {
  if (A.LoopsAlike.empty())
    return std::nullopt;
  double Sum = 0, Count = 0, MostSeen = 0;
  for (const AccessRecord &Other : Kernel.Accesses) {
    const BlockCount *Its = countOf(Other, Own.Block);
    if (!Its || Other.LoopsAlike != A.LoopsAlike)
      continue;
    if (Its->Executions) {
      Sum += *Its->Executions;
      ++Count;
    } else if (isCutShort(*Its)) {
      MostSeen = std::max(MostSeen, seenOf(*Its));
    }
  }
  return Count > 0 && MostSeen > 0
             ? std::optional(Sum / Count * seenOf(Own) / MostSeen)
             : std::nullopt;
}

void SupposedTraffic::addParts(Counted &To, const BlockCount &Of,
                               const KernelRecord &Kernel) {
  if (Of.Executions) {
    addPart(To, *Of.Executions, {});
    return;
  }
  To.Undecided = To.Of->Undecided;
  To.IsOfFewBlocks = To.Of->IsOfFewBlocks;
  const std::optional<double> Alike =
      isCutShort(Of) ? countedAlike(*To.Of, Of, Kernel) : std::nullopt;
  if (Alike) {
    addPart(To, *Alike, {});
    return;
  }
  for (const Frequency &Each : Of.Frequencies) {
    std::vector<LoopKey> Around;
    for (const unsigned L : Each.Loops)
      Around.push_back({OpenLoop, L});
    for (const unsigned L : Each.CutLoops)
      Around.push_back({CutLoop, L});
    addPart(To, Each.Times, Around);
  }
}

/// Whether all loops of \p Outer are around \p Inner.
static bool areAround(const std::vector<std::uint64_t> &Outer,
                      const std::vector<std::uint64_t> &Inner) {
  return Outer.size() <= Inner.size() &&
         std::equal(Outer.rbegin(), Outer.rend(), Inner.rbegin());
}

/// An instruction of no access of the source, behind a branch, or in a loop of
/// its own to which not each run comes: on the slow way through a function of
/// the toolkit, as of the sine of a large number.
bool SupposedTraffic::isOnSlowWay(const AccessRecord &A) const {
  if (!A.Unknown || A.Unknown->Cause != UnknownCause::Unmatched || !A.Compiled)
    return false;
  const MachineInstruction &Own = *A.Compiled;
  if (!Own.IsInEachTurn)
    return true;
  return !Own.IsInEachRun && !Own.Loops.empty() &&
         std::ranges::none_of(All, [&](const Counted &Each) {
           const auto &Its = Each.Of->Compiled;
           return Its && !Each.IsRare && areAround(Own.Loops, Its->Loops);
         });
}

/// An instruction of no access that is known runs as often as others of its
/// block, or else of its loops, or those around. False: there are none.
bool SupposedTraffic::addAsNeighbour(Counted &To) {
  if (!To.Of->Compiled || To.Of->Compiled->Loops.empty())
    return false;
  const MachineInstruction &Own = *To.Of->Compiled;
  const Counted *Like = nullptr;
  std::pair<std::size_t, bool> Nearest;
  for (const Counted &Each : All) {
    const auto &Its = Each.Of->Compiled;
    if (!Its || Its->Loops.empty() || !areAround(Its->Loops, Own.Loops))
      continue;
    const std::pair<std::size_t, bool> Near = {
        Its->Loops.size(), Own.Block && Its->Block == Own.Block};
    if (!Like || Near > Nearest) {
      Like = &Each;
      Nearest = Near;
    }
  }
  if (!Like)
    return false;
  std::vector<LoopKey> Inner;
  for (std::size_t L = 0; L + Nearest.first != Own.Loops.size(); ++L)
    Inner.push_back({MachineLoop, Own.Loops[L]});
  for (const Part &Each : Like->Parts) {
    addPart(To, Each.Times, Inner);
    To.Parts.back().Loops.insert(To.Parts.back().Loops.end(),
                                 Each.Loops.begin(), Each.Loops.end());
  }
  return true;
}

/// All that is known of it is in how many loops it is.
void SupposedTraffic::addNested(Counted &To) {
  const AccessRecord &A = *To.Of;
  std::vector<LoopKey> Around;
  // Loops that are written out are none.
  if (A.Compiled && A.Compiled->Loops.size() != A.LoopsAlike.size())
    for (const std::uint64_t L : A.Compiled->Loops)
      Around.push_back({MachineLoop, L});
  else if (!A.LoopsAlike.empty())
    for (const unsigned L : A.LoopsAlike)
      Around.push_back({OpenLoop, L});
  else
    for (unsigned L = 1; L <= (A.Compiled ? 0 : A.LoopDepth); ++L)
      Around.push_back({NestedLoop, L});
  addPart(To, 1, Around);
}

/// The first supposition is the usual one, then each of the loops makes few
/// turns, many, and one alone, at last all of them.
double SupposedTraffic::turnsOf(std::size_t Loop, std::size_t Supposed) const {
  if (Supposed == 0)
    return HasFew[Loop] ? 1 : UsualTurns;
  const std::size_t Changed = (Supposed - 1) / Kinds;
  if (Changed != Loop && Changed != HasFew.size())
    return turnsOf(Loop, 0);
  const bool AreMany = (Supposed - 1) % Kinds == IsMany;
  if (HasFew[Loop])
    return AreMany ? ManyMore : 1;
  return AreMany ? ManyTurns : isOfOneTurn(Supposed) ? 1 : FewTurns;
}

double SupposedTraffic::timesOf(const Counted &Each,
                                std::size_t Supposed) const {
  double Sum = 0;
  for (const Part &One : Each.Parts) {
    double Times = One.Times;
    for (const std::size_t L : One.Loops)
      Times = std::min(Times * turnsOf(L, Supposed), 1e16);
    Sum += Times;
  }
  return Sum;
}

/// By how much a share may differ that is told as about that.
static double tolerance(double Share) {
  return std::clamp(Share / 3, 0.03, 0.1); // Chosen.
}

double
SupposedTraffic::beyondIdeal(const std::vector<const AccessRecord *> &Its,
                             const LeftOut &Sides) const {
  // Where theirs is large, it is for all.
  std::set<std::string_view> Large = {""};
  for (const AccessRecord *A : Its)
    Large.insert(A->SupposedLarge);
  double Sum = 0;
  for (std::size_t I = 0; I != All.size(); ++I) {
    const Counted &Each = All[I];
    const AccessRecord &A = *Each.Of;
    if (!Large.contains(A.SupposedLarge) && A.PerRequest && A.Ideal &&
        !Each.IsRare && !Each.IsOfFewBlocks && !Sides.has(I))
      Sum += timesOf(Each, 0) * std::max(0.0, *A.PerRequest - *A.Ideal);
  }
  return Sum;
}

double
SupposedTraffic::ofFewBlocks(const std::vector<const AccessRecord *> &Its,
                             const LeftOut &Sides) const {
  double Sum = 0;
  for (std::size_t I = 0; I != All.size(); ++I) {
    const Counted &Each = All[I];
    if (Each.IsOfFewBlocks && !Each.IsRare && !Sides.has(I) &&
        std::ranges::find(Its, Each.Of) == Its.end())
      Sum += timesOf(Each, 0) * Each.Of->PerRequest.value_or(1);
  }
  return Sum;
}

/// Others that the same conditions decide are made as seldom as they are.
double SupposedTraffic::wastedIfSeldom(
    const std::vector<const AccessRecord *> &Its) const {
  std::set<unsigned> Conditions;
  for (const AccessRecord *A : Its)
    if (const auto Found = Place.find(A); Found != Place.end())
      Conditions.insert(All[Found->second].Undecided);
  Conditions.erase(0);
  double Wasted = 0, Sum = 0;
  for (const Counted &Each : All) {
    const AccessRecord &A = *Each.Of;
    const double Times = timesOf(Each, 0) *
                         (Conditions.contains(Each.Undecided) ? SeldomPart : 1);
    if (!Each.IsRare)
      Sum += Times * A.PerRequest.value_or(1);
    if (A.PerRequest && A.Ideal && std::ranges::find(Its, &A) != Its.end())
      Wasted += Times * std::max(0.0, *A.PerRequest - *A.Ideal);
  }
  return Sum > 0 ? Wasted / Sum : 0;
}

/// Of a branch of which nobody knows the way, a warp takes one side: which of
/// All it leaves out where it takes that on which \p Its waste most. Of one
/// with two sides of which they are on none, it leaves out the dearer one.
SupposedTraffic::LeftOut SupposedTraffic::onOtherSides(
    const std::vector<const AccessRecord *> &Its) const {
  // By branch and side.
  std::map<unsigned, std::array<double, 2>> WastedOn, MovedOn;
  for (const AccessRecord *A : Its)
    if (const auto Found = Place.find(A);
        Found != Place.end() && A->PerRequest && A->Ideal)
      if (const Counted &Each = All[Found->second]; Each.Undecided != 0)
        WastedOn[branchOf(Each.Undecided)][sideOf(Each.Undecided)] +=
            timesOf(Each, 0) * std::max(0.0, *A->PerRequest - *A->Ideal);
  for (const Counted &Each : All)
    if (Each.Undecided != 0 && !Each.IsRare)
      MovedOn[branchOf(Each.Undecided)][sideOf(Each.Undecided)] +=
          timesOf(Each, 0) * Each.Of->PerRequest.value_or(1);
  LeftOut Out;
  for (std::size_t I = 0; I != All.size(); ++I) {
    if (All[I].Undecided == 0)
      continue;
    const unsigned Branch = branchOf(All[I].Undecided);
    const unsigned Side = sideOf(All[I].Undecided);
    const auto Own = WastedOn.find(Branch);
    if (Own != WastedOn.end()) {
      if (Side == (Own->second[0] >= Own->second[1] ? 1 : 0))
        Out.OfOwn.insert(I);
      continue;
    }
    const auto &[Then, Else] = MovedOn[Branch];
    if (Then > 0 && Else > 0 && Side == (Then >= Else ? 0 : 1))
      Out.OfOthers.insert(I);
  }
  return Out;
}

std::optional<SupposedTraffic::Share>
SupposedTraffic::wastedBy(const std::vector<const AccessRecord *> &Its) const {
  std::vector<double> Wasted(Sums.size());
  bool IsFound = false, IsByData = false;
  const LeftOut Sides = onOtherSides(Its);
  std::vector<double> Moved = Sums;
  const auto leaveOut = [&](const std::set<std::size_t> &Side) {
    for (const std::size_t I : Side)
      for (std::size_t S = 0; S != Moved.size() && !All[I].IsRare; ++S)
        Moved[S] -= timesOf(All[I], S) * All[I].Of->PerRequest.value_or(1);
  };
  leaveOut(Sides.OfOwn);
  const double WithOthers = Moved[0];
  leaveOut(Sides.OfOthers);
  for (const AccessRecord *A : Its) {
    const auto Found = Place.find(A);
    if (Found == Place.end() || !A->PerRequest || !A->Ideal)
      continue;
    IsFound = true;
    const double Each = std::max(0.0, *A->PerRequest - *A->Ideal);
    IsByData |= A->IsByData && Each > 0;
    if (Sides.OfOwn.contains(Found->second))
      continue;
    for (std::size_t S = 0; S != Moved.size(); ++S)
      Wasted[S] += timesOf(All[Found->second], S) * Each;
  }
  if (!IsFound || !(Moved[0] > 0))
    return std::nullopt;
  const double Usual = Wasted[0] / Moved[0];
  Share Out{.Usual = Usual};
  const double OfMany = Moved[0] - ofFewBlocks(Its, Sides);
  Out.IsMost = IsByData || !Sides.OfOwn.empty() ||
               Usual - Wasted[0] / WithOthers > tolerance(Usual) ||
               Wasted[0] / OfMany - Usual > tolerance(Usual) ||
               Usual - Wasted[0] / SumAtMost > tolerance(Usual) ||
               Usual - wastedIfSeldom(Its) > tolerance(Usual);
  double Most = Usual;
  bool IsLessOnce = false;
  for (std::size_t S = 1; S != Moved.size(); ++S) {
    if (!(Moved[S] > 0))
      continue;
    const double Then = Wasted[S] / Moved[S];
    Most = std::max(Most, Then);
    if (S == 1 + Kinds * HasFew.size() + IsMany)
      Out.IfMany = Then;
    // A loop that turns once may be all that the program has.
    if (isOfOneTurn(S) && Then < Usual - tolerance(Usual))
      IsLessOnce = true;
    else
      Out.Hangs |= std::abs(Then - Usual) > tolerance(Usual);
  }
  if (IsLessOnce && !Out.Hangs) {
    Out.IsMost = true;
    Out.Usual = Most;
  }
  if (Out.IsMost)
    Out.Usual =
        std::max(Out.Usual,
                 std::min(1.0, Wasted[0] / (OfMany - beyondIdeal(Its, Sides))));
  return Out;
}

} // namespace cudalint
