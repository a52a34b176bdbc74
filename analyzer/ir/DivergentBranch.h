//===- analyzer/ir/DivergentBranch.h - Who takes which side -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A branch at which lanes of a warp part. Plain values: no LLVM.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_DIVERGENTBRANCH_H
#define CUDA_LINT_ANALYZER_IR_DIVERGENTBRANCH_H

#include "analyzer/ir/CodePlace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cudalint {

struct DivergentBranch {
  CodePlace Place;
  /// Of the lanes of one warp that part as most do: how many take each side
  /// that some take, and about how many instructions it has.
  struct Side {
    unsigned Lanes = 0;
    double Instructions = 0;
  };
  std::vector<Side> Sides;
  bool IsAtLeast = false; ///< Loops in them may have more turns.
  /// Share of the visits of all warps at which lanes part, 0 .. 1.
  double Parting = 0;
  /// Issue slots of a visit, a mean over all, and how many there would be if
  /// each warp agreed and as many lanes took each side.
  double Issued = 0, Needed = 0;
  /// What is lost by that, of all issue slots of the kernel, 0 .. 1.
  double LostOfKernel = 0;
  std::array<std::int64_t, 3> Block = {1, 1, 1};
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_DIVERGENTBRANCH_H
