//===- analyzer/ir/WarpInterpreter.h - Runs a kernel for one warp ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs canonical device IR for one warp, all lanes at once: a predicated
/// interpretation over LaneValue. Conditions that can be decided per lane
/// narrow the active lanes; a loop whose exit can be decided is run turn by
/// turn, and of a very long one, turns from all over its range; any other loop
/// is run once for a turn `k` that stands for all of them. Every memory
/// instruction that some lane may execute is reported.
///
/// It errs towards more lanes: a branch that depends on data is taken by all
/// lanes on both sides, and the request says so.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_WARPINTERPRETER_H
#define CUDA_LINT_ANALYZER_IR_WARPINTERPRETER_H

#include "analyzer/ir/BranchAlternatives.h"
#include "analyzer/ir/CompiledCode.h"
#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/ir/LaneValue.h"
#include "analyzer/ir/LaneVotes.h"
#include "analyzer/ir/RandomAddress.h"
#include "analyzer/ir/Remainders.h"
#include "analyzer/ir/StaticAccess.h"
#include "report/Document.h"

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Loop;
} // namespace llvm

namespace cudalint {

/// Turns of one loop that are run one by one before others are left out. A
/// pattern that repeats does so within 128 bytes, which is 128 turns of the
/// smallest step.
inline constexpr unsigned SteadyTurns = 128;

/// One memory request of one warp, or one part of a copy that is two.
struct Request {
  const llvm::Instruction *Inst = nullptr;
  /// Where one instruction makes the accesses of several branches: those that
  /// made this request. Empty: Inst.
  std::vector<const llvm::Instruction *> Makers;
  unsigned Part = 0;  ///< 0; 1 for the store of an asynchronous copy.
  unsigned Piece = 0; ///< Which of the instructions that the plan makes of it.
  AccessOp Op = AccessOp::Load;
  MemorySpace Space = MemorySpace::Generic;
  unsigned Bytes = 0; ///< Per lane.
  bool Volatile = false;
  AtomicForm Atomic = AtomicForm::Arithmetic;
  /// ldmatrix and stmatrix: each 8 lanes give the rows of one matrix.
  bool IsMatrix = false;
  /// Shared memory of some block of the cluster, perhaps of another one.
  bool InCluster = false;
  LaneValue Address; ///< In bytes.
  /// What is known of it where data decides; null or without parts: nothing.
  std::shared_ptr<const RandomAddress> Random;
  /// What lanes count in it, where data decides who is counted; null: nothing,
  /// or it is not known who accesses.
  std::shared_ptr<const CountedLanes> Counted;
  HeldRemaindersPtr Held; ///< Where it is made.
  LaneMask Active = 0;
  /// Active lanes that may as well be inactive: data decides.
  LaneMask Doubtful = 0;
  /// Those of them of which loaded data decides, rather than a bound that
  /// most warps do not meet.
  LaneMask DataDriven = 0;
  /// The same of KernelStructure::partedAt(), all of whose lanes make this
  /// access or one of its alternatives; no lanes are active where that is none.
  struct BeforeParting {
    LaneMask Active = 0, Doubtful = 0, DataDriven = 0;
    bool IsSure = false;
  } Before;
  unsigned Warp = 0;
  /// It stands for so many warps, each `AlikeStep` after the one before, whose
  /// addresses are as far apart as makes no difference to what they cost.
  unsigned AlikeWarps = 1;
  unsigned AlikeStep = 1;
  bool AreAlikeAtOnePlace = false; ///< Their addresses are the same.
  /// Of the loop around it, or of none: another number in each turn.
  unsigned Turn = 0;
  /// Requests that it stands for: 1, or more where turns of a long loop are
  /// run for others, too; 0 where it was added before, for every turn.
  double Weight = 1;
  /// Where it was added for every turn at once: the turn, from 0 for the first
  /// that is left, and after how many turns the address has moved by a multiple
  /// of 256 bytes. It stands for all of those below `Turns`.
  struct Repetition {
    std::int64_t Turn = 0;
    std::int64_t Period = 0; ///< 0 for all other requests.
    std::int64_t Turns = 0;
    std::int64_t Bytes = 0; ///< By which the address moves in one turn.
  } Repeated;
  /// It stands for those of turns that may differ from it.
  bool Sampled = false;
  std::int64_t SampledTurn = 0; ///< Then, the turn of the outermost such loop.
  /// Not all blocks make it.
  bool SomeBlocks = false;
  /// Only those make it of which blockIdx has one value: `blockIdx.y == 0`.
  bool FewBlocks = false;
  /// Some lane surely makes it, each time that it is reported.
  bool IsSure = true;
  unsigned Undecided = 0; ///< As Access has it; else by a branch before.
  /// Dimensions of blockIdx (bits 1, 2 and 4) that may decide whether it does.
  unsigned OpenBlocks = 0;
  /// Of the loops around it, from the innermost on: the how-manyeth loop of the
  /// run it is, in the order in which they are entered, and how many requests
  /// one that is made once for all of its turns stands for.
  struct LoopEntry {
    unsigned Number = 0;
    double Weight = 1;
  };
  static constexpr unsigned MostEntries = 4;
  std::array<LoopEntry, MostEntries> Entries;
  /// Loops around it of which it is not known how often they turn: bit K, of
  /// the K-th from the innermost on.
  std::uint32_t OpenLoops = 0;
  /// The same of an instruction that leaves so many of them.
  std::uint32_t openOutside(unsigned Hoisted) const {
    return Hoisted < 32 ? OpenLoops >> Hoisted << Hoisted : 0;
  }
  /// As which instruction it happens; null: as it is written.
  const CompiledPart *As = nullptr;
  /// What that takes for granted; null: nothing.
  const std::set<Assumption> *Assumptions = nullptr;
  /// Of WarpOutcome::Barriers, those that the warp has passed before; empty:
  /// they are not all known.
  std::optional<std::size_t> Barriers;
};

/// Structure of one kernel that every warp's run shares: loops, order,
/// numbering. Made once per kernel.
class KernelStructure;
std::shared_ptr<const KernelStructure>
makeKernelStructure(const llvm::Function &Kernel,
                    Partings PartedAt = Partings());

/// Loops around an instruction.
unsigned loopDepth(const KernelStructure &K, const llvm::Instruction &I);

/// That lanes come to a block of the code that KernelStructure::watch() was
/// given.
struct BlockVisit {
  const llvm::BasicBlock *Block = nullptr;
  LaneMask May = 0;
  /// Of those, the ones that come whatever is not known; none where it is not
  /// even known who may.
  LaneMask Sure = 0;
  LaneMask DataDriven = 0; ///< Of those, the ones of which loaded data decides.
  /// Where a mark of BranchSides.h is in the block: the lanes of each side.
  /// Empty: there is none, or that is not known of all.
  std::vector<LaneMask> Sides = {};
};

/// What the requests that were reported leave open.
struct WarpOutcome {
  /// Assumptions under which paths were left out: where one does not hold,
  /// more may happen than was reported.
  std::uint32_t LeftOutUnder = 0;
  /// Loops of which the first turns stand for the others, however many those
  /// are.
  std::set<const llvm::Loop *> CutShort;
  /// Loops of which turns from the first to the last stand for the others.
  std::set<const llvm::Loop *> Sampled;
  /// In which of these that is so of an access.
  std::set<std::pair<const llvm::Loop *, const llvm::Instruction *>>
      SampledAccesses;
  /// Loops that some lanes leave while others go on.
  std::set<const llvm::Loop *> LeftByLane;

  /// Neither turns nor lanes: all is as it was reported.
  bool leftNothingOut() const {
    return CutShort.empty() && Sampled.empty() && LeftByLane.empty();
  }

  /// Floating-point operations of all lanes, and a phrase where it is not known
  /// how many there are.
  OperationCount Operations;
  const char *WhyNotCounted = nullptr;
  /// Loops that were not run turn by turn and whose end blockIdx decides: how
  /// often a turn is run differs from block to block.
  std::set<const llvm::Loop *> BoundByBlock;
  /// Of the whole block that all lanes of the warp surely came to, in order, up
  /// to the first at which that is not sure.
  std::vector<const llvm::Instruction *> Barriers;
  /// In the order in which they are made; at most MostVisits, of which the last
  /// is of no block where there were more.
  std::vector<BlockVisit> Visits;
  static constexpr std::size_t MostVisits = 1 << 13;
};

/// Runs `Warp` of the block. `Arithmetic` holds the symbols of the addresses
/// that `Sink` is given; they are valid during the call. `Work` is how many
/// instructions may be evaluated turn by turn before loops are generalised.
WarpOutcome runWarp(const KernelStructure &Kernel, const LaunchShape &Shape,
                    unsigned Warp, std::size_t Work, LaneArithmetic &Arithmetic,
                    const std::function<void(const Request &)> &Sink);

/// Runs the warps from `First` to `Last` at once, or most of them: those that
/// something but a number tells apart are left out, and `Arithmetic.warps()`
/// are those that it ran. Nothing where each is to be run by itself. What is
/// asked of one of them is LaneArithmetic::inWarp() of the addresses.
std::optional<WarpOutcome> runWarps(const KernelStructure &Kernel,
                                    const LaunchShape &Shape, unsigned First,
                                    unsigned Last, std::size_t Work,
                                    LaneArithmetic &Arithmetic,
                                    std::vector<Request> &Requests);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_WARPINTERPRETER_H
