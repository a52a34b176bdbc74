//===- runtime/hotspots/HotStalls.h - Where warps stand ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_HOTSTALLS_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_HOTSTALLS_H

#include "runtime/hotspots/LintedFinding.h"
#include "runtime/join/Stalls.h"

#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// Samples of warps and their reasons. A reason's NotIssued is a part of its
/// Samples and no further reason: only these are summed.
struct SampleSums {
  std::uint64_t Samples = 0;
  std::uint64_t NotIssued = 0;      ///< Their scheduler issued nothing.
  std::vector<ReasonCount> Reasons; ///< The most samples first; none of 0.

  /// Of \p Part in these samples, 0 .. 1; 0 where there are none.
  double share(std::uint64_t Part) const;
};

struct HotSampledLine {
  std::string File; ///< Empty: the code has no lines.
  unsigned Line = 0;
  SampleSums Sums;
  std::vector<LintedFinding> Findings = {}; ///< The dearest problem first.
};

struct HotStalls {
  SampleSums Sums;                   ///< Of all lines.
  std::vector<HotSampledLine> Lines; ///< The most samples first; none of 0.
};

HotStalls stallsOf(std::span<const SampledLine> Lines);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_HOTSTALLS_H
