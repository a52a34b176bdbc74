//===- analyzer/ir/FittingBlock.h - Blocks that arrays allow ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A block that is assumed must be one that the kernel can run with: no thread
/// of it may index past an array in shared memory, and the kernel must not
/// refuse it, as `if (blockDim.x > 128) return;` does.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_FITTINGBLOCK_H
#define CUDA_LINT_ANALYZER_IR_FITTINGBLOCK_H

#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/ir/WarpInterpreter.h"

#include <cstdint>
#include <optional>

namespace cudalint {

/// Whether some lane that surely takes part in the request accesses an array
/// in shared memory, of known size, outside of it.
bool leavesSharedArray(const LaneArithmetic &A, const Request &R);

/// The bytes of the array in shared memory that the request accesses, wherever
/// in it; empty where that is not known, or where the launch gives its size.
std::optional<std::int64_t> sharedArrayBytes(const LaneArithmetic &A,
                                             const Request &R);

/// \p Shape, or with the largest smaller block that fits, if that of \p Shape
/// does not; \p Shape where no block fits, and where all of the block is known.
/// Blocks are tried that have as many dimensions.
LaunchShape fittedBlock(const llvm::Function &Kernel, const LaunchShape &Shape);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_FITTINGBLOCK_H
