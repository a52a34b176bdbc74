//===- analyzer/ir/DivergentBarrier.h - Who does not arrive -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A barrier that threads of one block reach differently. Plain values: no
/// LLVM.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_DIVERGENTBARRIER_H
#define CUDA_LINT_ANALYZER_IR_DIVERGENTBARRIER_H

#include "analyzer/ir/CodePlace.h"

#include <array>
#include <cstdint>

namespace cudalint {

struct DivergentBarrier {
  CodePlace Place;
  /// Of the branch that parts the threads; no line: not known.
  Location Branch;
  /// A thread that arrives, and one of the same block that has not ended and
  /// does not, by threadIdx.x + blockDim.x * (threadIdx.y + ...).
  unsigned Arrives = 0, Missing = 0;
  /// Both are in one warp, of which so many arrive of those that are there;
  /// else 0.
  unsigned Lanes = 0, LanesOfWarp = 0;
  /// Where they meet at another barrier for the first time that they reached
  /// different numbers of times before: that, and the numbers. Else no line.
  Location Meeting;
  unsigned BarriersOfArriving = 0, BarriersOfMissing = 0;
  std::array<std::int64_t, 3> Block = {1, 1, 1};
  /// That happens in some block of the grid only: the last one.
  bool InLastBlock = false;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_DIVERGENTBARRIER_H
