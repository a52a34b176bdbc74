//===- analyzer/pipeline/AccessTotals.h - Accesses of one shape -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_ACCESSTOTALS_H
#define CUDA_LINT_ANALYZER_PIPELINE_ACCESSTOTALS_H

#include "analyzer/ir/KernelEvaluator.h"

namespace cudalint {

/// Adds up what \p Kernel, which was evaluated under \p Shape, does on \p Gpu.
/// Accesses that were found under another block alone are not made under this
/// one.
WarpTotals totalsOf(const KernelEvaluation &Kernel, const LaunchShape &Shape,
                    const Target &Gpu);

/// The kernel runs code that was not evaluated, which may access memory, too:
/// nothing is known of its sums.
void leaveOutUnseen(WarpTotals &Totals, const Target &Gpu);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_ACCESSTOTALS_H
