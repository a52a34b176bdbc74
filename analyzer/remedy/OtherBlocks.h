//===- analyzer/remedy/OtherBlocks.h - Blocks of another size ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_OTHERBLOCKS_H
#define CUDA_LINT_ANALYZER_REMEDY_OTHERBLOCKS_H

#include "analyzer/model/KernelModel.h"
#include "report/Finding.h"

#include <cstdint>
#include <optional>
#include <span>

namespace cudalint {

/// The edit that launches \p L in blocks of \p Threads, by which the kernel
/// does the same (BlockSizes). None where that is not known, or where grids
/// would have other numbers of threads.
std::optional<Fix> withBlocksOf(const KernelModel &K, const Launch &L,
                                std::int64_t Threads);

/// The same, in blocks of whole warps: the nearest size to that of today, or to
/// 128 if it is smaller, where \p L can be launched.
///
/// From 128 threads on is what the CUDA C++ Best Practices Guide begins with
/// ("Thread and Block Heuristics"): an SM holds 32 blocks at most on some GPUs.
std::optional<Fix> withWholeWarps(const KernelModel &K, const Launch &L);

/// The same, in blocks that the best of \p Steps names.
std::optional<Fix> withStep(const KernelModel &K, const FittedLaunch &L,
                            std::span<const Cliff> Steps);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_OTHERBLOCKS_H
