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
  MeasuredLine Global; ///< Generic accesses included.
  MeasuredLine Shared;
  MeasuredLine Local;
  Count Registers;
  std::optional<unsigned> WarpsPerSM; ///< Equal for all launches, or empty.
  std::optional<double> Achieved;     ///< Mean over the launches.
  std::optional<double> DramBytes;    ///< Of one launch, likewise.
  /// Of one launch, in nanoseconds; over all launches, whatever their shape.
  std::optional<ProfileDuration> Time;
};

/// Sums and times by kernel, in the order of the names, over all GPUs.
std::vector<KernelTotals> totals(std::span<const Profile> Profiles);

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

/// Whether a change of time is more than the launches differ among themselves.
enum class TimeChange { Unknown, WithinSpread, Faster, Slower };
TimeChange timeChange(const KernelTotals &Before, const KernelTotals &After);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_COMPARISON_H
