//===- analyzer/model/LittleCost.h - What hardly matters --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The most of a kernel's time that something costs: clocks of an SM that it
/// takes, beside those in which the same warp issues what it computes on the
/// way (analyzer/ir/PathSlots.h). Errs high, so that what is called little is:
/// what the kernel waits for, and what its memory takes, comes on top of the
/// latter. What is supposed of loops beside the place may be too much, though:
/// where launches are known to pass a small size, it is not used. All shares
/// are 0 .. 1, and empty where nothing is known.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_LITTLECOST_H
#define CUDA_LINT_ANALYZER_MODEL_LITTLECOST_H

#include "analyzer/model/KernelModel.h"

#include <optional>

namespace cudalint {

/// Says it in \p F, by which what costs little is told to be a note; nothing
/// where \p Share is empty.
void setMostOfKernel(Finding &F, std::optional<double> Share);

/// Of wavefronts that \p A takes more than it needs.
std::optional<double> mostOfWavefronts(const KernelModel &K, const Access &A);

/// Of sectors that \p A, in no loop, takes more than it needs, if DRAM moved
/// them.
std::optional<double> mostOfSectors(const KernelModel &K, const Access &A);

/// Of updates of one address by \p Lanes of each warp that makes \p A, where
/// all SMs of the target queue that have a block.
std::optional<double> mostOfUpdates(const KernelModel &K, const Access &A,
                                    double Lanes);

/// Of a loop that one thread runs while the others wait: \p Turns of them, in
/// each of which it loads \p A from shared memory.
std::optional<double> mostOfLoneLoop(const KernelModel &K, const Access &A,
                                     double Turns);

/// Of what the function of \p Found computes in double near its line, if
/// \p FloatsPerDouble operations of floats take as long as one.
std::optional<double> mostOfDoubles(const KernelModel &K, const Finding &Found,
                                    double FloatsPerDouble);

/// Of the accesses to a private array, among all to local memory.
std::optional<double> mostOfArray(const KernelModel &K,
                                  const LocalArray &Array);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_LITTLECOST_H
