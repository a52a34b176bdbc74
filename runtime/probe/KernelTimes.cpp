//===- runtime/probe/KernelTimes.cpp - Kernels that are timed -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/KernelTimes.h"

namespace cudalint::probe {

void KernelTimes::start() noexcept {
  expectNoTableLock();
  if (AreTaken.exchange(true))
    return;
  CUptiResult Result =
      Cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  if (Result == CUPTI_SUCCESS)
    return;
  AreTaken = false;
  Problems.add(Cupti.problem(Result, "times are not available"));
}

void KernelTimes::flush() noexcept {
  expectNoTableLock();
  if (AreTaken)
    Cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

} // namespace cudalint::probe
