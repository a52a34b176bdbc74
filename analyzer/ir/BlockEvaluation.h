//===- analyzer/ir/BlockEvaluation.h - All warps of one block ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates one kernel under one block shape: the requests of its warps become
/// instructions as the plan has them, and their costs, counts and bytes are
/// added up. Which blocks of the grid are run, and again, the caller decides.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_BLOCKEVALUATION_H
#define CUDA_LINT_ANALYZER_IR_BLOCKEVALUATION_H

#include "analyzer/ir/AtomicTargets.h"
#include "analyzer/ir/FootprintCollector.h"
#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/ir/RequestTally.h"
#include "analyzer/ir/SharedRequests.h"
#include "analyzer/ir/WarpGroups.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace cudalint {

class WiderRequests;

using InstructionSet = llvm::DenseSet<const llvm::Instruction *>;

/// What all evaluations of one kernel have in common.
struct EvaluatedKernel {
  const KernelStructure &Structure;
  std::size_t Instructions; ///< Of its code.
  const Architecture &Arch;
  const SourceFacts &Facts;
  const AccessPlan &Plan;
};

/// What the runs have met, but for what the accesses cost.
struct BlockFindings {
  AtomicTargets Targets;
  InstructionSet Reached;
  /// Some lanes are active or not by a bound that was not decided.
  bool MeetsBounds = false;
  /// Accesses of which that holds where blockIdx decides.
  InstructionSet BlockBound;
  /// Accesses of which blockIdx may decide whether a warp makes them.
  InstructionSet OpenByBlock;
  std::size_t Requests = 0;
  /// Some turns of some loop were not looked at.
  bool LeavesTurnsOut = false;
  /// Some lane surely accesses an array in shared memory outside of it.
  bool LeavesArray = false;
  /// Accesses that some request of another has in it.
  JoinedAccesses Joined;
  OperationCount Operations;           ///< Of a warp, a mean.
  const char *WhyNotCounted = nullptr; ///< Or why that is not known.
};

class BlockEvaluation {
public:
  /// Accesses of \p LeaveOut are not looked at.
  BlockEvaluation(const EvaluatedKernel &Kernel, const LaunchShape &Shape,
                  const InstructionSet &LeaveOut);

  /// Runs all warps of a block that stands for those of each part.
  void run(const std::vector<GridPart> &Parts);

  /// By which dimensions of blockIdx it is open whether warps of \p Blocks make
  /// \p Accesses.
  unsigned openIn(const BlockRanges &Blocks,
                  const InstructionSet &Accesses) const;

  /// The next runs are of so many parts of the grid.
  void expectParts(std::size_t Parts);

  /// Adds what is accessed only in turns that no run looked at. Without work
  /// every loop is one turn that stands for all.
  void addUnreached();

  /// Accesses that do not cost the same in each turn or block, and blockIdx
  /// decides how often there is which.
  std::vector<const llvm::Instruction *> unevenByBlock() const {
    return Collector.uneven(BoundByBlock);
  }

  /// Whether blockIdx decided in the runs how often a loop around it turns.
  bool isInLoopByBlock(const llvm::Instruction &I) const;

  /// Nothing is known of what these access.
  void forget(const std::vector<const llvm::Instruction *> &Instructions) {
    Collector.forget(Instructions, "it costs more in some blocks than in "
                                   "others, and the grid is not known");
  }

  /// The next runs, which are all `Blocks` of the grid, replace what is known
  /// of the accesses that differ from block to block, and what is not known of
  /// any, where they reach them.
  void refine(std::size_t Blocks,
              const std::vector<const llvm::Instruction *> &Uneven);

  /// The same for so many blocks that stand for the grid, and for what these
  /// instructions access alone.
  void refineBySome(std::size_t Blocks,
                    const std::vector<const llvm::Instruction *> &Instructions);
  void assumeSomeBlocks() { Collector.assumeSomeBlocks(); }

  /// Instructions that one run evaluates at least.
  std::size_t leastWork() const { return LeastWork; }

  std::vector<CollectedAccess> finish() { return Collector.finish(); }
  const FootprintCollector &footprint() const { return Footprint; }
  const BlockFindings &found() const { return Found; }

private:
  struct WarpRequests;

  BlockFindings Found;

  const KernelStructure &Structure;
  const LaunchShape &Shape;
  const AccessPlan &Plan;
  const InstructionSet &LeaveOut;
  RequestTally Collector;
  FootprintCollector Footprint;
  bool IsFootprintKept = false; ///< What runs from here on is no part of it.
  unsigned Warps;
  WarpGroups Groups;
  std::size_t Work;
  std::size_t LeastWork;
  std::optional<InstructionSet> Only; ///< Meant by the runs; or all.
  std::set<const llvm::Loop *> BoundByBlock;
  std::set<std::tuple<const llvm::Instruction *, unsigned, unsigned, unsigned>>
      MadeOnce; ///< In the run of the warp, by loops as they were entered.

  void runPart(const GridPart &Part);
  void add(const Request &R, LaneArithmetic &Arithmetic, SharedRequests &Shared,
           WiderRequests &Wider, double Weight);
  Request partOf(const Request &R, const CompiledPart &As) const;
  template <typename Function> void forEachPart(const Request &R, Function Add);
  bool makesOnce(unsigned Loops, Request &Part);
  void restart(std::size_t Blocks);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_BLOCKEVALUATION_H
