//===- runtime/probe/KernelTimes.h - Kernels that are timed -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_KERNELTIMES_H
#define CUDA_LINT_RUNTIME_PROBE_KERNELTIMES_H

#include "runtime/probe/CuptiLibrary.h"
#include "runtime/probe/ProblemList.h"

#include <atomic>

namespace cudalint::probe {

/// CUPTI's activity records of kernels, which need no permission, and which set
/// the counts of all GPUs to 0. It has no lock. EXPECTS of all functions: the
/// lock of no table is held.
class KernelTimes {
public:
  KernelTimes(const CuptiLibrary &Cupti, ProblemList &Problems)
      : Cupti(Cupti), Problems(Problems) {}

  /// From here on, unless it was so before.
  void start() noexcept;
  bool areTaken() const { return AreTaken; }

  /// Has CUPTI hand over what it holds.
  void flush() noexcept;

private:
  const CuptiLibrary &Cupti;
  ProblemList &Problems;
  std::atomic<bool> AreTaken = false;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_KERNELTIMES_H
