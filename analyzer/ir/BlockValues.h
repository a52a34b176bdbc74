//===- analyzer/ir/BlockValues.h - What differs by block ------ -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_BLOCKVALUES_H
#define CUDA_LINT_ANALYZER_IR_BLOCKVALUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/PostDominators.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

/// What may differ from block to block: what is computed from blockIdx, or from
/// what memory holds. Parameters, indices of threads and counters do not.
class BlockValues {
public:
  explicit BlockValues(llvm::Function &F);

  bool mayDiffer(const llvm::Value *V) const { return Differing.contains(V); }

  /// Some blocks may come to \p B and others not.
  bool mayBeLeftOut(const llvm::BasicBlock &B);

private:
  llvm::ArrayRef<llvm::BasicBlock *> conditionsOf(const llvm::BasicBlock &B);
  bool hasDifferingEnd(const llvm::BasicBlock &B) const;
  bool differs(const llvm::Instruction &I);

  llvm::PostDominatorTree Tree;
  llvm::SmallPtrSet<const llvm::Value *, 32> Differing;
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallVector<llvm::BasicBlock *, 4>>
      Conditions;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_BLOCKVALUES_H
