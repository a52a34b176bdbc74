//===- runtime/join/Stalls.h - Samples of several profiles ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What PC sampling saw, added up: profiles number the reasons as they come, so
/// that here they have their names.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_STALLS_H
#define CUDA_LINT_RUNTIME_JOIN_STALLS_H

#include "runtime/join/Profile.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudalint {

/// Samples of warps for one reason.
struct ReasonCount {
  std::string Name;          ///< CUPTI's, without what all have in common.
  std::uint64_t Samples = 0; ///< In all cycles.
  /// Of them, those of cycles in which their scheduler issued nothing.
  std::uint64_t NotIssued = 0;
};

/// The samples of one line of a kernel.
struct SampledLine {
  std::string File; ///< Empty: not known.
  unsigned Line = 0;
  std::vector<ReasonCount> Reasons; ///< Sorted by name.
};

/// What was sampled on GPUs of one kind.
struct SamplingTotals {
  /// All samples, dropped ones and those of the driver's own kernels included.
  std::uint64_t Samples = 0, Dropped = 0, Others = 0;
  Count LeastPeriod, MostPeriod; ///< Cycles between two; empty: not known.
};

/// Empty before the first.
void add(std::optional<SamplingTotals> &All, const ProfileSampling &From);

/// The sums of a kernel.
class StallSums {
public:
  /// \p Reasons are the names that \p In numbers.
  void add(const ProfileStall &In, const std::vector<std::string> &Reasons);

  std::vector<SampledLine> lines() const; ///< By file and line.

private:
  std::map<std::pair<std::string, unsigned>, std::map<std::string, ReasonCount>>
      Lines;
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_STALLS_H
