//===- analyzer/remedy/LayoutSearch.cpp - The best of other layouts -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/LayoutSearch.h"

#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/SharedLayout.h"
#include "analyzer/remedy/VectorRemedy.h"

#include <algorithm>
#include <cmath>

namespace cudalint {

std::array<std::int64_t, 5> gapDistances(const SharedArray &Array,
                                         std::int64_t Unit) {
  const Architecture &Arch = *Array.Users.front().Kernel->Gpu.Arch;
  const std::int64_t Row = (Arch.CC.Major < 2 ? 16 : 32) * Unit;
  return {Row, 4 * Row, 2 * Row, Row / 2, Row / 4};
}

std::set<std::int64_t> gapsThatKeepWhole(const SharedArray &Array,
                                         std::int64_t Element) {
  const std::int64_t Written = std::max(Element, Array.Widest);
  std::set<std::int64_t> Units = {Written};
  for (const SharedArray::User &User : Array.Users)
    for (const Access *Each : User.Accesses) {
      Units.insert(std::max<std::int64_t>(Written, Each->Bytes));
      if (takesRuns(*Each))
        Units.insert(WidestVector);
    }
  return Units;
}

/// An instance of a template may have other rows than the one that is told.
static double growthOf(const SharedArray::User &User,
                       const LayoutChange &Change) {
  const std::optional<ArrayFact> &Its = User.Accesses.front()->Source.Array;
  const std::uint64_t Pad = Change.IsOfEvenRows ? 1 : Change.padElements();
  if (Pad == 0 || !Its || Its->Dimensions.empty() ||
      Its->Dimensions.back() == 0)
    return Change.Growth;
  if (Change.IsOfEvenRows && Its->Dimensions.back() % 2 != 0)
    return 1;
  return 1 +
         static_cast<double>(Pad) / static_cast<double>(Its->Dimensions.back());
}

/// Bytes that a launch with \p Demand needs more for the array of \p User,
/// which grows by \p Growth.
static std::uint64_t moreBytes(const SharedArray::User &User, double Growth,
                               const BlockDemand &Demand) {
  const std::uint64_t Now = User.Bytes ? User.Bytes : Demand.DynamicShared;
  if (Growth <= 1)
    return 0;
  // Whole words.
  const double More = static_cast<double>(Now) * (Growth - 1);
  return 4 * static_cast<std::uint64_t>(std::ceil(More / 4 - 1e-9));
}

/// Whether all launches of \p User still start with the array as large as \p
/// Change makes it, and have as many blocks resident. Notes what it costs.
static bool hasRoom(const SharedArray::User &User, const LayoutChange &Change,
                    RemedyEffect &Effect) {
  const KernelModel &Kernel = *User.Kernel;
  const Architecture &Arch = *Kernel.Gpu.Arch;
  const double Growth = growthOf(User, Change);
  const std::uint64_t More = moreBytes(User, Growth, {.DynamicShared = 0});
  Effect.MoreSharedBytes = std::max(Effect.MoreSharedBytes, More);
  if (Kernel.staticShared().value_or(0) + More > Arch.SharedPerBlock)
    return false;
  for (const LaunchVerdict &Verdict : Kernel.Verdicts) {
    if (!Verdict.Fit || Verdict.fails())
      continue;
    BlockDemand Demand = Verdict.Fit->Demand;
    const std::uint64_t Its = moreBytes(User, Growth, Demand);
    Effect.MoreSharedBytes = std::max(Effect.MoreSharedBytes, Its);
    (User.Bytes ? Demand.StaticShared : Demand.DynamicShared) += Its;
    const std::uint64_t Before = Verdict.Fit->OnSM.BlocksPerSM;
    const std::uint64_t After = occupancy(Arch, Demand).BlocksPerSM;
    if (After < Before)
      return false;
    Effect.BlocksPerSMBefore =
        std::min(Effect.BlocksPerSMBefore.value_or(Before), Before);
    Effect.BlocksPerSMAfter =
        std::min(Effect.BlocksPerSMAfter.value_or(After), After);
  }
  return true;
}

namespace {
/// The users of an array, and what they cost as it is.
struct Baseline {
  explicit Baseline(const SharedArray &Array) : Array(Array) {
    for (const SharedArray::User &User : Array.Users)
      Costs.push_back(*costOf(User));
  }

  const SharedArray &Array;
  std::vector<ArrayCost> Costs; ///< Of each user.
};

/// What a change does to all users.
struct Trial {
  RemedyEffect Effect;                                 ///< On the first one.
  std::uint64_t LeastMoreBytes = 0, MostMoreBytes = 0; ///< Of all.
  double InAll = 0; ///< Of all, each in parts of what it costs now.
  bool IsComplete = true;
  bool IsTrade = false; ///< As in LayoutRemedy.
  /// A lane's runs of 16 bytes, which a compiler loads at once, or may, come
  /// apart.
  bool TearsRuns = false;
};
} // namespace

/// Whether each access costs at most \p Factor times what it did.
static bool isWithin(double Factor, const ArrayCost &Now,
                     const ArrayCost &Then) {
  return std::ranges::equal(Then.Each, Now.Each,
                            [&](double After, double Before) {
                              return After <= Before * Factor * 1.0001;
                            });
}

/// Whether what \p Then saves is in deeper loops than what it loses.
static bool savesInDeeperLoops(const ArrayCost &Now, const ArrayCost &Then) {
  unsigned Saves = 0, Loses = 0;
  for (std::size_t I = 0; I != Now.Each.size(); ++I)
    if (Then.Each[I] > Now.Each[I] * 1.0001)
      Loses = std::max(Loses, Now.LoopDepths[I]);
    else if (Then.Each[I] < Now.Each[I] / threshold::WorthAnEdit)
      Saves = std::max(Saves, Now.LoopDepths[I]);
  return Saves > Loses;
}

/// Whether \p Then takes more of somebody than \p Now. Where it is not known
/// how often each access is made, none may cost more, but for what is little
/// beside what loops save; several instructions in place of one are worth it
/// for much less traffic only.
static bool isDearer(const ArrayCost &Now, const ArrayCost &Then) {
  if (Then.Weighed > Now.Weighed * 1.0001)
    return true;
  if (Now.IsOfBlock)
    return Then.IsTorn && Then.Weighed > Now.Weighed / threshold::WorthAnEdit;
  const bool SavesMuch =
      Then.Weighed <= Now.Weighed / 2 && savesInDeeperLoops(Now, Then);
  return Then.IsTorn || !isWithin(SavesMuch ? 2 : 1, Now, Then);
}

/// Whether \p New takes apart, or misaligns, words of 16 bytes that lanes take
/// piece by piece in \p A, of which nobody knows what instructions it is.
static bool tearsRuns(const Access &A, const Layout &New) {
  constexpr std::int64_t Width = WidestVector;
  if (!A.Instructions.empty() || !takesRuns(A))
    return false;
  return std::ranges::any_of(A.Samples, [&](const RequestSample &S) {
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      const std::int64_t Old = floorDivide(S.Offset[Lane], Width) * Width;
      if (S.ActiveMask >> Lane & 1 &&
          (New(Old) % Width != 0 ||
           New(Old + Width - 1) - New(Old) != Width - 1))
        return true;
    }
    return false;
  });
}

/// Whether it is dearer for \p User where its warps are further in the array. A
/// request stands for all that differ by a distance: in rows of the banks, as
/// what 32 lanes take mostly is, these may have gaps elsewhere.
static bool isDearerElsewhere(const SharedArray::User &User,
                              const ArrayCost &Now,
                              const LayoutChange &Change) {
  // Each step of a swizzle is met within as many rows. Of more accesses, the
  // trials would take seconds: then none is proposed.
  constexpr std::int64_t RowOfBanks = 128, MostTried = 64 * RowOfBanks;
  constexpr std::size_t MostAccesses = 256;
  if (Change.Period > RowOfBanks && User.Accesses.size() > MostAccesses)
    return true;
  for (std::int64_t By = RowOfBanks; By < std::min(Change.Period, MostTried);
       By += RowOfBanks) {
    const auto moved = [&](const SharedArray::User &Of,
                           const Access &A) -> Layout {
      return [=, New = Change.New(Of, A)](std::int64_t Offset) {
        return New(Offset + By);
      };
    };
    const std::optional<ArrayCost> Then = costOf(User, moved);
    if (!Then || isDearer(Now, *Then))
      return true;
  }
  return false;
}

/// Empty where \p Change harms somebody.
static std::optional<Trial> tried(const Baseline &Now,
                                  const LayoutChange &Change) {
  const SharedArray &Array = Now.Array;
  const ArrayCost &First = Now.Costs.front();
  Trial Result;
  Result.Effect = {.Object = Array.Name,
                   .Unit = First.IsOfBlock ? "wavefronts_per_block"
                                           : "wavefronts_per_warp",
                   .Before = First.Wavefronts};
  for (std::size_t I = 0; I != Array.Users.size(); ++I) {
    const double Before = Now.Costs[I].Weighed;
    const std::optional<ArrayCost> Then = costOf(Array.Users[I], Change.New);
    RemedyEffect Its;
    if (Then && !Now.Costs[I].IsOfBlock)
      Result.IsTrade |= !isWithin(1, Now.Costs[I], *Then);
    if (!Then || isDearer(Now.Costs[I], *Then) ||
        isDearerElsewhere(Array.Users[I], Now.Costs[I], Change) ||
        !hasRoom(Array.Users[I], Change, Its))
      return std::nullopt;
    if (I == 0) {
      Result.LeastMoreBytes = Its.MoreSharedBytes;
      Result.Effect.After = Then->Wavefronts;
      Result.Effect.MoreSharedBytes = Its.MoreSharedBytes;
      Result.Effect.BlocksPerSMBefore = Its.BlocksPerSMBefore;
      Result.Effect.BlocksPerSMAfter = Its.BlocksPerSMAfter;
    }
    Result.LeastMoreBytes =
        std::min(Result.LeastMoreBytes, Its.MoreSharedBytes);
    Result.MostMoreBytes = std::max(Result.MostMoreBytes, Its.MoreSharedBytes);
    Result.IsComplete &= Then->isFree();
    Result.TearsRuns |= Then->IsTorn;
    Result.TearsRuns |=
        std::ranges::any_of(Array.Users[I].Accesses, [&](const Access *Each) {
          const Layout New = Change.New(Array.Users[I], *Each);
          return New && tearsRuns(*Each, New);
        });
    Result.InAll += Before > 0 ? Then->Weighed / Before : 1;
  }
  return Result;
}

bool helps(const LayoutChange &Change, const SharedArray &Array,
           const Access &A) {
  const SharedArray::User &Own = Array.Users.front();
  const SharedArray::User Alone{Own.Kernel, Own.Bytes, Own.Widest, {&A}};
  const std::optional<ArrayCost> Then = costOf(Alone, Change.New);
  return Then &&
         Then->Wavefronts <= costOf(Alone)->Wavefronts / threshold::WorthAnEdit;
}

std::optional<LayoutRemedy> bestLayout(const SharedArray &Array,
                                       std::vector<LayoutChange> Changes) {
  if (!Array.Obstacle.empty())
    return std::nullopt;
  const Baseline Now(Array);
  // One declaration has one remedy, whichever of its users asks.
  const auto Users = static_cast<double>(Array.Users.size());
  double Least = Users * threshold::WorthAnEdit;
  std::optional<LayoutRemedy> Best;
  for (LayoutChange &Change : Changes) {
    std::optional<Trial> One = tried(Now, Change);
    if (!One)
      continue;
    // Whoever forgoes vectors must gain more than that by it.
    const double Score =
        One->InAll * (One->TearsRuns ? threshold::WorthAnEdit : 1);
    if (One->InAll >= Users * 0.999 || Score >= Least * 0.999)
      continue;
    Least = Score;
    Best = {std::move(Change),  std::move(One->Effect), One->LeastMoreBytes,
            One->MostMoreBytes, One->IsComplete,        One->IsTrade};
    if (One->IsComplete && !One->TearsRuns)
      break;
  }
  return Best;
}

} // namespace cudalint
