//===- hardware/Waves.h - Rounds of a grid, and their time ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often the GPU must be filled to run a grid, how much of the last round
/// stays empty, and a model of the time that equal blocks take.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_WAVES_H
#define CUDA_LINT_HARDWARE_WAVES_H

#include "hardware/Occupancy.h"

#include <cstdint>
#include <optional>
#include <span>

namespace cudalint {

struct Waves {
  std::uint64_t Resident = 0;   ///< Blocks that the whole GPU holds at once.
  double Count = 0;             ///< Grid / Resident, as ncu's waves per SM.
  std::uint64_t Rounds = 0;     ///< Count, rounded up.
  std::uint64_t TailBlocks = 0; ///< Blocks of the last round; 1 .. Resident.
  /// The share of all block slots of all rounds that stays empty, 0 .. 1.
  double TailWaste = 0;
};

/// Empty when no block fits, SMs is not positive, or the grid is empty.
std::optional<Waves> waves(std::uint64_t Grid, int SMs, unsigned BlocksPerSM);

/// Time of equal work, by the latency of one step of one warp and the cost of
/// issuing it. One round of W warps on the busiest SM takes
///   steps * max(Latency, W * Issue) + PerWarp * W
/// Rounds add up, and PerLaunch once. In the unit of the fitted times. The
/// latency includes the issue of a full warp; see LaunchWork::IssueLanes.
///
/// So few warps wait on latency: while W < Latency / Issue, a launch with twice
/// the warps takes half the time, far beyond one thread for each core.
struct LatencyModel {
  double Latency = 0;
  double Issue = 0;
  double PerWarp = 0;
  double PerLaunch = 0;
};

/// One launch: `Steps` is what one thread does, in steps (strips, elements).
struct LaunchWork {
  std::uint64_t Grid = 0;
  std::uint64_t Block = 0;
  double Steps = 0;
  unsigned BlocksPerSM = 0;
  /// Lanes that are issued together: those of a warp, or of half a warp on 1.x,
  /// where a half without threads costs nothing. See issueLanes().
  unsigned IssueLanes = 32;
};

/// 16 on 1.x, 32 later.
unsigned issueLanes(const Architecture &Arch);

struct MeasuredLaunch {
  LaunchWork Work;
  double Time = 0;
};

/// Empty where waves() is.
std::optional<double> predictTime(const LatencyModel &Model,
                                  const LaunchWork &Work, int SMs);

/// The model that comes nearest to the measured times, by the squares of the
/// relative errors; no constant is negative. Deterministic. Empty with fewer
/// than 4 launches, or when a time or a number of steps is not positive.
std::optional<LatencyModel> fitLatencyModel(std::span<const MeasuredLaunch> All,
                                            int SMs);

/// Warps that the schedulers of one SM need so that each issues in every cycle
/// although every instruction waits for the one before it: latency of dependent
/// issue times schedulers. Fewer do where a warp has independent instructions,
/// more are needed to cover memory.
unsigned warpsToCoverDependentIssue(const Architecture &Arch);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_WAVES_H
