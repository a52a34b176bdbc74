//===- analyzer/ir/RemainderBranches.h - What is left over ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Ways on which a distance, as `n - i`, is one of a few values, whatever n is:
/// `if (n - i >= 8) ... else` in a loop while i < n. Of lanes that are 8 apart,
/// one at most goes there. Pure: from the conditions that lead to a block.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_REMAINDERBRANCHES_H
#define CUDA_LINT_ANALYZER_IR_REMAINDERBRANCHES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <utility>

namespace cudalint {

/// The difference of what `Compared` compares takes one of `Values`
/// neighbouring values, 0 where nobody comes by, or one of other comparisons is
/// so: at the right border of an image, or at the left one.
struct Remainder {
  const llvm::ICmpInst *Compared = nullptr;
  std::int64_t Values = 0;
  llvm::SmallVector<std::pair<const llvm::ICmpInst *, bool>, 1> Or = {};
};

/// By the ways from a block to another; not of a block to itself.
using RemainderBranches = llvm::DenseMap<
    std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, Remainder>;

RemainderBranches findRemainderBranches(const llvm::Function &F,
                                        const llvm::DominatorTree &Dominators);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_REMAINDERBRANCHES_H
