//===- kernels/trial/SassCounters.h - Counts of one launch ----- *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The sectors and wavefronts of single launches, counted by code that CUPTI
/// patches into the kernels: the counters which the probe reads as well, and
/// which profilers show beside a line.
///
///   SassCounters Counters;          // Needs a current context.
///   if (!Counters.error().empty()) ...
///   kernel<<<...>>>();
///   Counts C = Counters.take();     // Waits, reads and resets.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_KERNELS_TRIAL_SASSCOUNTERS_H
#define CUDA_LINT_KERNELS_TRIAL_SASSCOUNTERS_H

#include "kernels/trial/Sweep.h"

#include <memory>

namespace cudalint {

/// Counts while it lives. One at a time.
class SassCounters {
public:
  SassCounters();
  ~SassCounters();
  SassCounters(const SassCounters &) = delete;
  SassCounters &operator=(const SassCounters &) = delete;

  /// Empty, or why nothing can be counted, with the remedy where it is known.
  const std::string &error() const { return Error; }

  /// What was counted since the last call. Empty after an error.
  std::optional<Counts> take();

private:
  struct State;
  std::unique_ptr<State> S;
  std::string Error;
};

} // namespace cudalint

#endif // CUDA_LINT_KERNELS_TRIAL_SASSCOUNTERS_H
