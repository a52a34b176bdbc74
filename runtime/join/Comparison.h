//===- runtime/join/Comparison.h - Before and after a change ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_COMPARISON_H
#define CUDA_LINT_RUNTIME_JOIN_COMPARISON_H

#include "runtime/join/Measurement.h"
#include "runtime/join/TimeJudge.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// What one kernel did in all its launches. What is not known is empty.
struct KernelTotals {
  std::string Name; ///< As the linker sees it.
  std::string Signature;
  std::uint64_t Launches = 0;
  std::uint64_t MeasuredLaunches = 0;
  /// Of all launches, scaled from the measured ones where these are fewer.
  CountedLine Global; ///< Generic accesses included.
  CountedLine Shared;
  CountedLine Local;
  /// Some instruction was there to be counted; without any, what is counted of
  /// a space is 0, and else not known where it is empty.
  bool HasGlobal = false, HasShared = false, HasLocal = false;
  Count Registers;
  std::optional<unsigned> WarpsPerSM; ///< Equal for all launches, or empty.
  /// Resident on an SM by the driver's answer, the mean over the launches.
  std::optional<double> MeanWarps;
  std::optional<double> Achieved;  ///< Mean over the launches.
  std::optional<double> DramBytes; ///< Of one launch, likewise.
  /// Of one launch, in nanoseconds; over all launches, whatever their shape.
  std::optional<ProfileDuration> Time;
  /// Of all launches, in nanoseconds; empty where some shape has no time.
  std::optional<double> AllTime;
  /// The same in each of several runs, in their order. Empty where one of the
  /// runs has no time of it.
  std::vector<double> Runs;
};

/// Sums and times by kernel, in the order of the names, over all GPUs.
std::vector<KernelTotals> totals(std::span<const Profile> Profiles);

/// What all of \p Kernels did together: launches, times, requests, sectors and
/// wavefronts. What one that ran does not know, the sum does not know; what
/// none does is 0.
KernelTotals sumOf(std::span<const KernelTotals> Kernels);

struct KernelPair {
  std::optional<std::size_t> Before; ///< Index; one of them is there.
  std::optional<std::size_t> After;
  /// Why two kernels of different names are taken for the same one; empty when
  /// the names are equal.
  std::string Why;
};

/// Equal names first; then equal names but for arguments and namespaces; then
/// the only ones left on both sides. What is left stands alone.
std::vector<KernelPair> matchKernels(std::span<const KernelTotals> Before,
                                     std::span<const KernelTotals> After);

/// By runs in turns, the one at the same place of both sides a pair; nothing
/// where there are fewer than LeastPairs of them. Launches of one run of each
/// say little: what drifts falls on one side alone.
std::optional<TimeComparison> compareTimes(const KernelTotals &Before,
                                           const KernelTotals &After);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_COMPARISON_H
