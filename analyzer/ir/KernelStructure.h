//===- analyzer/ir/KernelStructure.h - Loops and order of a kernel --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every warp's run of a kernel shares: the order of its blocks, its
/// loops with their exits, and a number for every value.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_KERNELSTRUCTURE_H
#define CUDA_LINT_ANALYZER_IR_KERNELSTRUCTURE_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/BranchAlternatives.h"
#include "analyzer/ir/RemainderBranches.h"
#include "analyzer/ir/StaticAccess.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

#include <optional>
#include <vector>

namespace cudalint {

using BlockEdge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

/// A loop, or the whole function: its own blocks and, in place of each loop
/// inside it, that loop's header, in an order in which every block comes
/// after those that lead to it.
struct Region {
  const llvm::Loop *Loop = nullptr; ///< Null for the function.
  std::vector<const llvm::BasicBlock *> Items;
  std::vector<BlockEdge> Exits;   ///< Edges that leave it.
  std::vector<BlockEdge> Latches; ///< Edges back to its header.
  bool StoresToLocals = false;    ///< Some alloca is written in it.
  /// Of a loop in another one: what the loops around it compute that its
  /// conditions, and what their next turns begin with, may depend on; nothing
  /// where that is not all that they may depend on.
  std::optional<std::vector<const llvm::Instruction *>> SourcesOfWays;

  /// Of a loop: others are inside of it.
  bool hasLoops() const { return !Loop->getSubLoops().empty(); }
};

/// Whether private arrays may hold something else after it.
bool mayWritePrivate(const llvm::CallInst &Call);

/// Of a number that is 0 or 1 as a truth value says: that, and what it is where
/// the number is 1; null: it is no such number.
std::pair<const llvm::Value *, bool> zeroOrOne(const llvm::Instruction &I);

/// The instructions of a block that have an effect on addresses or on the way
/// of lanes; those that have one on the way, or on what loops begin their next
/// turns with; and how many instructions there are, but for phis and the
/// branch.
struct BlockCode {
  std::vector<const llvm::Instruction *> Steps, StepsOfWays;
  unsigned Instructions = 0;
};

class PrivateStores;

class KernelStructure {
public:
  explicit KernelStructure(const llvm::Function &F,
                           Partings PartedAt = Partings());

  const llvm::Function &function() const { return F; }
  const Region &topLevel() const { return Regions.find(nullptr)->second; }
  const Region &region(const llvm::Loop *L) const {
    return Regions.find(L)->second;
  }
  const llvm::Loop *loopOf(const llvm::BasicBlock *B) const {
    return Loops.getLoopFor(B);
  }
  /// Position in the order of the function; a predecessor with a larger one
  /// that is no latch belongs to a cycle that is no loop.
  unsigned order(const llvm::BasicBlock *B) const { return Order.lookup(B); }
  /// The block whose active lanes all arrive at `B`, too; null if none does.
  const llvm::BasicBlock *sameLanesAs(const llvm::BasicBlock *B) const {
    return Convergent.lookup(B);
  }
  /// The block in which lanes parted all of which make `I` or one of its
  /// alternatives; null if that is not so.
  const llvm::BasicBlock *partedAt(const llvm::Instruction &I) const {
    return PartedAt.lookup(&I);
  }
  /// The last block that all lanes that are in `B` have passed, and in no loop
  /// that `B` is not in; null for the first block.
  const llvm::BasicBlock *cameBy(const llvm::BasicBlock *B) const {
    return CameBy.lookup(B);
  }
  /// Whether lanes that parted at a branch come to `B` by several ways while
  /// others of them come to where all meet by another one: the GPU puts lanes
  /// together again where all meet, and need not do so before.
  bool isBeforeMeeting(const llvm::BasicBlock *B) const {
    return BeforeMeeting.contains(B);
  }
  /// Whether an earlier branch tells, on some of the ways to `B`, where the one
  /// at its end goes: compilers lead these past it, and lanes that come by
  /// others are not put together in it.
  bool isPassedBy(const llvm::BasicBlock *B) const {
    return PassedBy.contains(B);
  }
  /// Whether all who read private arrays after some lane was in `B` were in it
  /// themselves.
  bool isPassedByReaders(const llvm::BasicBlock *B) const {
    return PassedByReaders.contains(B);
  }
  /// What is known of a distance on the way from a block to another; nothing is
  /// compared where that is nothing.
  Remainder remainderOn(BlockEdge Way) const { return Remainders.lookup(Way); }
  /// Whether it is 0 or 1, a sum of which lanes make by `__shfl_up_sync`.
  bool isAddedUp(const llvm::Instruction &I) const {
    return AddedUp.contains(&I);
  }
  /// Numbers of the values that nothing outside of `B` uses: once it has run,
  /// they may be forgotten.
  const std::vector<unsigned> &ownValues(const llvm::BasicBlock *B) const {
    return OwnValues.find(B)->second;
  }
  /// Where it is; the stretch of what accesses no memory is 0.
  BlockPlace placeOf(const llvm::Instruction &I) const;
  /// What an instruction accesses.
  llvm::ArrayRef<StaticAccess> accesses(const llvm::Instruction &I) const {
    auto Found = Accesses.find(&I);
    return Found == Accesses.end() ? llvm::ArrayRef<StaticAccess>()
                                   : llvm::ArrayRef(Found->second);
  }
  const BlockCode &code(const llvm::BasicBlock *B) const {
    return Code.find(B)->second;
  }
  /// Whether an address or a condition may be computed from it, also through
  /// a private array: of data that is only computed with, nothing is asked.
  bool isNeeded(const llvm::Instruction &I) const {
    return Needed.contains(&I);
  }
  /// Whether a condition, or what a loop begins its next turn with, may be.
  bool isOfWays(const llvm::Instruction &I) const {
    return OfWays.contains(&I);
  }
  /// Whether an address is computed from a number that the kernel is passed.
  bool isOfPassedSize(const llvm::Value &Address) const {
    return OfPassedSizes.contains(&Address);
  }
  /// Says of each visit of these blocks, in WarpOutcome, who comes.
  void watch(llvm::DenseSet<const llvm::BasicBlock *> Blocks) {
    Watched = std::move(Blocks);
  }
  bool isWatched(const llvm::BasicBlock *B) const {
    return Watched.contains(B);
  }
  const llvm::DominatorTree &dominators() const { return Dominators; }
  unsigned valueCount() const { return Numbers.size(); }
  unsigned number(const llvm::Value *V) const { return Numbers.lookup(V); }

private:
  using InstructionSet = llvm::DenseSet<const llvm::Instruction *>;

  const llvm::Function &F;
  Partings PartedAt;
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::DenseMap<const llvm::Loop *, Region> Regions;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Order;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> Convergent;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> CameBy;
  llvm::DenseSet<const llvm::BasicBlock *> BeforeMeeting, PassedBy;
  llvm::DenseSet<const llvm::BasicBlock *> PassedByReaders;
  llvm::DenseSet<const llvm::Instruction *> AddedUp;
  RemainderBranches Remainders;
  llvm::DenseMap<const llvm::Value *, unsigned> Numbers;
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<unsigned>> OwnValues;
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<StaticAccess, 2>>
      Accesses;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Stretches;

  llvm::DenseSet<const llvm::BasicBlock *> Watched;
  InstructionSet Needed, OfWays;
  llvm::DenseSet<const llvm::Value *> OfPassedSizes;
  llvm::DenseMap<const llvm::BasicBlock *, BlockCode> Code;

  /// NeededCode.cpp
  void findNeeded();
  std::optional<std::vector<const llvm::Instruction *>>
  findSourcesOfWays(const llvm::Loop &L) const;
  void addSources(InstructionSet &Set,
                  llvm::SmallVector<const llvm::Instruction *> Pending,
                  PrivateStores Stores) const;
  void countStretches();
  bool passesBy(const llvm::BasicBlock *B, const llvm::BasicBlock *D,
                std::size_t &Work) const;
  void findAddedUp();
  void findReaders(const std::vector<const llvm::BasicBlock *> &Writers);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_KERNELSTRUCTURE_H
