//===- runtime/join/CompareGate.h - Worse after a change --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `confirm --compare --fail-on` asks: is anything worse after a change?
/// Each pair of kernels is asked for itself, and all kernels together, so that
/// neither a kernel that gains hides one that loses, nor one that was split or
/// is new goes unseen.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_COMPAREGATE_H
#define CUDA_LINT_RUNTIME_JOIN_COMPAREGATE_H

#include "runtime/join/Comparison.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

enum class CompareGate : std::uint8_t {
  Slower,         ///< By the test of TimeJudge.h.
  MoreSectors,    ///< Of global and local memory.
  MoreWavefronts, ///< Of shared memory.
  LowerOccupancy, ///< Fewer warps on an SM, by the driver's answer.
};

/// slower, more-sectors, more-wavefronts, lower-occupancy
std::string_view nameOf(CompareGate Gate);

struct GateFault {
  CompareGate Gate = CompareGate::Slower;
  std::string Signature;    ///< Of the kernel after; empty: all together.
  bool IsUndecided = false; ///< It could not be told whether it is worse.
  std::string Message;      ///< A clause with the numbers, or why not.
};

/// Scaled sums are of a few launches, whose mean is known to 1 %.
inline constexpr double LeastScaledChange = 0.01;
/// The times of a kernel that takes less of all time are not judged for
/// themselves.
inline constexpr double LeastShareOfTime = 0.01;

/// What is worse by more than \p Allowed, a share (0.05: 5 %), or cannot be
/// told, in the order of the pairs; all kernels together come last.
std::vector<GateFault> judgeGates(std::span<const KernelTotals> Before,
                                  std::span<const KernelTotals> After,
                                  std::span<const KernelPair> Pairs,
                                  const std::set<CompareGate> &Gates,
                                  double Allowed);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_COMPAREGATE_H
