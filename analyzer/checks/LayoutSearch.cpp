//===- analyzer/checks/LayoutSearch.cpp - The best of other layouts -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/LayoutSearch.h"

#include <algorithm>
#include <cmath>

namespace cudalint {

/// What an access must gain, and what all together must where conflicts are
/// left: below, the arithmetic of another index can cost as much as it saves.
static constexpr double WorthIt = 1.3, WorthItInAll = 1.15;

/// Bytes that a launch with \p Demand needs more for the array of \p User,
/// which grows by \p Growth.
static std::uint64_t moreBytes(const SharedArray::User &User, double Growth,
                               const BlockDemand &Demand) {
  const std::uint64_t Now = User.Bytes ? User.Bytes : Demand.DynamicShared;
  return Growth <= 1 ? 0
                     : static_cast<std::uint64_t>(
                           std::ceil(static_cast<double>(Now) * (Growth - 1)));
}

/// Whether all launches of \p User still start with the array as large as \p
/// Change makes it, and have as many blocks resident. Notes what it costs.
static bool hasRoom(const SharedArray::User &User, const LayoutChange &Change,
                    RemedyEffect &Effect) {
  const KernelModel &Kernel = *User.Kernel;
  const Architecture &Arch = *Kernel.Gpu.Arch;
  const std::uint64_t More =
      moreBytes(User, Change.Growth, {.DynamicShared = 0});
  Effect.MoreSharedBytes = std::max(Effect.MoreSharedBytes, More);
  if (Kernel.staticShared().value_or(0) + More > Arch.SharedPerBlock)
    return false;
  for (const LaunchVerdict &Verdict : Kernel.Verdicts) {
    if (!Verdict.Fit || Verdict.fails())
      continue;
    BlockDemand Demand = Verdict.Fit->Demand;
    const std::uint64_t Its = moreBytes(User, Change.Growth, Demand);
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

/// The first user's cost under \p Change, if it harms nobody; and that of all
/// users, each in parts of what it is now.
static std::optional<ArrayCost> tried(const SharedArray &Array,
                                      const LayoutChange &Change,
                                      RemedyEffect &Effect, bool &IsComplete,
                                      double &InAll) {
  std::optional<ArrayCost> First;
  IsComplete = true;
  InAll = 0;
  for (const SharedArray::User &User : Array.Users) {
    const std::optional<ArrayCost> Now = costOf(User);
    const std::optional<ArrayCost> Then = costOf(User, Change.New);
    if (!Then || Then->Wavefronts > Now->Wavefronts * 1.0001 ||
        !hasRoom(User, Change, Effect))
      return std::nullopt;
    IsComplete &= Then->isFree();
    InAll += Now->Wavefronts > 0 ? Then->Wavefronts / Now->Wavefronts : 1;
    if (!First)
      First = Then;
  }
  return First;
}

std::optional<LayoutRemedy> bestLayout(const SharedArray &Array,
                                       const Access &A,
                                       std::vector<LayoutChange> Changes) {
  if (!Array.Obstacle.empty())
    return std::nullopt;
  const SharedArray::User &Own = Array.Users.front();
  const SharedArray::User Alone{Own.Kernel, Own.Bytes, Own.Widest, {&A}};
  const ArrayCost Now = *costOf(Own);
  // One declaration has one remedy, whichever of its users asks.
  double Least = static_cast<double>(Array.Users.size());
  std::optional<LayoutRemedy> Best;
  for (LayoutChange &Change : Changes) {
    RemedyEffect Effect{.Object = Array.Name,
                        .Unit = Now.IsOfBlock ? "wavefronts_per_block"
                                              : "wavefronts_per_warp",
                        .Before = Now.Wavefronts};
    bool IsComplete = false;
    double InAll = 0;
    const std::optional<ArrayCost> Then =
        tried(Array, Change, Effect, IsComplete, InAll);
    if (!Then || InAll >= Least * 0.999 ||
        (!IsComplete && Then->Wavefronts > Now.Wavefronts / WorthItInAll) ||
        costOf(Alone, Change.New)->Wavefronts >
            costOf(Alone)->Wavefronts / WorthIt)
      continue;
    Least = InAll;
    Effect.After = Then->Wavefronts;
    Best = {std::move(Change), std::move(Effect), IsComplete};
    if (IsComplete)
      break;
  }
  return Best;
}

} // namespace cudalint
