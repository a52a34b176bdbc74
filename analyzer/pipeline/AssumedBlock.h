//===- analyzer/pipeline/AssumedBlock.h - Blocks of no launch ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_ASSUMEDBLOCK_H
#define CUDA_LINT_ANALYZER_PIPELINE_ASSUMEDBLOCK_H

#include "report/LaunchRecord.h"

#include <array>
#include <cstdint>

namespace cudalint {

/// Fills in the unknown dimensions of \p Known so that the block has about
/// \p Threads threads.
std::array<std::int64_t, 3>
assumeBlock(const Extent &Known, unsigned Dimensions, std::int64_t Threads);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_ASSUMEDBLOCK_H
