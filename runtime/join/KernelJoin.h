//===- runtime/join/KernelJoin.h - The lines of one kernel ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_KERNELJOIN_H
#define CUDA_LINT_RUNTIME_JOIN_KERNELJOIN_H

#include "runtime/join/LineJudge.h"
#include "runtime/join/PredictedKernels.h"
#include "runtime/join/Verdict.h"

#include <string>
#include <vector>

namespace cudalint {

/// A verdict on every line, space and op of \p Predicted, and those that were
/// missed. \p Measured has no launches if the kernel never ran.
std::vector<LineVerdict> joinLines(const PredictedKernel &Predicted,
                                   const MeasuredKernel &Measured,
                                   bool HasCounters, const Tolerance &Allowed);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_KERNELJOIN_H
