//===- analyzer/ir/BranchAlternatives.h - Branches that meet ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Branches that meet again: what each of them does last, the compiler may do
/// once, behind them, for the lanes of all.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_BRANCHALTERNATIVES_H
#define CUDA_LINT_ANALYZER_IR_BRANCHALTERNATIVES_H

#include "analyzer/ir/CompiledCode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <tuple>
#include <vector>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

/// Of instructions, of which each lane makes one of several: where lanes part.
using Partings =
    llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *>;

/// Where a block goes on that has no choice: to a block, past those that do
/// nothing, or, that is the function then, out of it. Null: it has a choice.
const llvm::Value *meetingOf(const llvm::BasicBlock &From);

/// The block in which lanes part and, by whichever way they go, come through
/// one of \p Blocks before they meet; null if there is none.
const llvm::BasicBlock *
partingOf(llvm::ArrayRef<const llvm::BasicBlock *> Blocks,
          const llvm::DominatorTree &Dominators);

/// Numbers what the compiler may sink out of branches that meet again: the last
/// load of each, for one, becomes one load behind them.
class BranchAlternatives {
public:
  /// \p W is the access number \p Number of those that finish() is given.
  void add(const llvm::Instruction &I, std::size_t Number,
           const WrittenAccess &W);

  /// Sets WrittenAccess::Alternative. Tells of each instruction of which all
  /// alternatives together are taken by all lanes where these parted.
  Partings finish(std::vector<WrittenAccess> &Written,
                  const llvm::DominatorTree &Dominators) const;

private:
  std::vector<const llvm::Instruction *> Instructions; ///< By number.
  std::map<std::tuple<const llvm::BasicBlock *, const llvm::Value *, AccessOp,
                      MemorySpace, unsigned, unsigned>,
           std::vector<std::size_t>>
      InBlock;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_BRANCHALTERNATIVES_H
