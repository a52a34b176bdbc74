//===- runtime/join/LaunchJudge.h - The verdict on a launch -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_LAUNCHJUDGE_H
#define CUDA_LINT_RUNTIME_JOIN_LAUNCHJUDGE_H

#include "runtime/join/Verdict.h"

#include <optional>
#include <span>

namespace cudalint {

/// `64x2`, `256`; trailing ones are left out.
std::string formatShape(const Shape &Dimensions);

/// Warps of a block; 0 for an empty one.
std::uint64_t warpsOf(const Shape &Block);

/// Judges the registers and every launch of \p Kernel. \p Predicted are the
/// records that speak of this kernel, one for each unit that has it; none when
/// the kernel was not predicted. \p SMs are those of the GPU.
///
/// Registers are refuted when those of any launch differ. Blocks per SM are
/// judged by occupancyRules(). Waves are compared nowhere: they follow from the
/// blocks.
void judgeLaunches(std::span<const KernelRecord *const> Predicted,
                   const MeasuredKernel &Measured, std::optional<int> SMs,
                   KernelVerdict &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_LAUNCHJUDGE_H
