//===- analyzer/ir/BarrierArrivals.h - Who arrives at barriers --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds barriers that threads of one block reach differently, as the CUDA
/// programming guide does not allow. Proved in one of two ways, both of which
/// the synccheck of compute-sanitizer reports, too:
///
///   * lanes of a warp arrive at an aligned barrier, as __syncthreads() is,
///     while others of them do not, and both go on together later;
///   * threads wait together at a barrier before which some of them waited more
///     often than others.
///
/// A thread that has ended need not arrive: from compute capability 7.0 on it
/// is not waited for. So `if (i >= n) return;` is no fault, and neither is a
/// condition around all that is left of the kernel.
///
/// It errs towards silence: what data, an argument that is not known or a part
/// of a long loop decides is not looked at.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_BARRIERARRIVALS_H
#define CUDA_LINT_ANALYZER_IR_BARRIERARRIVALS_H

#include "analyzer/ir/DivergentBarrier.h"
#include "analyzer/ir/KernelEvaluator.h"

#include <cstddef>
#include <vector>

namespace cudalint {

/// Instructions that all warps of a block may evaluate together, for each of
/// the things that are asked of barriers; a longer kernel is not looked at.
/// Chosen: a few hundredths of a second, and more than any kernel of
/// docs/validation takes that waits in a loop of known length.
inline constexpr std::size_t BarrierWorkPerBlock = 400'000;

/// Whether all that threads of a block wait for each other at are barriers of
/// the whole block, which are seen.
bool knowsAllBarriers(const llvm::Function &Kernel);

/// Adds barriers that are not in \p Out yet, which is in source order. `Kernel`
/// is a definition in a module that was canonicalised.
void addDivergentBarriers(const llvm::Function &Kernel,
                          const LaunchShape &Shape, const SourceFacts &Facts,
                          std::vector<DivergentBarrier> &Out);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_BARRIERARRIVALS_H
