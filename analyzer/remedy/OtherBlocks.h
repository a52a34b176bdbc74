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

/// Whether a block of another size is a remedy: the kernel asks for the size in
/// each dimension that \p L has, or its threads do without one another. Else it
/// is written for that size, and other ones leave work undone.
bool mayHaveOtherBlocks(const KernelModel &K, const Launch &L);

/// Whether that line launches other kernels, too, of whichever one is chosen:
/// what is good for one of them may break the others. Instances of one template
/// are one kernel.
bool launchesOthers(const KernelModel &K, const Launch &L);

/// The same of a block of \p Threads: where the kernel halves it again and
/// again, only powers of two.
bool mayHaveBlockOf(const KernelModel &K, const Launch &L,
                    std::uint64_t Threads);

/// Whether the same place launches \p K in other blocks, too, of which a
/// quarter more warps are resident: of sizes that are tried one after the
/// other, somebody takes the best.
bool triesBetterBlocks(const KernelModel &K, const FittedLaunch &L);

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
