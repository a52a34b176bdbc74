//===- analyzer/ir/WarpRun.h - One run of one warp --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The state of one warp's run, shared by the files that carry it out: blocks
/// and edges in WarpInterpreter.cpp, which edges lanes take in
/// WarpBranches.cpp, loops in WarpLoops.cpp, of the long ones some turns in
/// LoopSample.cpp, what is known of loops in trials in LoopPassages.cpp, loads
/// and stores in WarpMemory.cpp. Nobody else includes this.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_WARPRUN_H
#define CUDA_LINT_ANALYZER_IR_WARPRUN_H

#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/LaneVotes.h"
#include "analyzer/ir/StaticAccess.h"
#include "analyzer/ir/ValueEvaluator.h"
#include "analyzer/ir/WarpInterpreter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace cudalint {

/// Lanes that go somewhere, and those of them that may not: data decides.
struct PathMask {
  LaneMask May = 0;
  LaneMask Doubtful = 0;
  LaneMask DataDriven = 0; ///< Doubtful, and it is loaded data that decides.
  /// What the conditions on the way take for granted.
  std::uint32_t Assumes = 0;
  /// Lanes that wait, together, for a condition that is not known; 0: none.
  unsigned Condition = 0;
  /// Branches on the way at which some lanes may have parted from others, who
  /// cannot be told.
  unsigned Partings = 0;
  /// Not all blocks come here: blockIdx decided about some lane on the way.
  bool SomeBlocks = false;
  /// All who come here come from blocks of which blockIdx has one value.
  bool FewBlocks = false;
  /// Dimensions of blockIdx by which conditions on the way were not decided.
  unsigned OpenBlocks = 0;
  /// The last branch on the way, and its side, of which it is not known whether
  /// any lane takes it, and that is no test of a loop; 0: there is none.
  unsigned Undecided = 0;
  unsigned UndecidedBefore = 0; ///< That of the way to this branch.
  LaneChoice Chosen;            ///< Of these lanes, by data.
  HeldRemaindersPtr Held;       ///< Of all lanes that come here; null: nothing.
  static constexpr unsigned AllDimensions = 7;

  /// Some lane surely goes there.
  bool isSure() const { return !Condition && (May & ~Doubtful); }
  /// Others do not come.
  void keepOnly(LaneMask Lanes) {
    May &= Lanes;
    Doubtful &= Lanes;
    DataDriven &= Lanes;
  }
  /// Behind both ways of a branch, what decided before does so again.
  void addUndecided(const PathMask &Other) {
    if (Undecided == Other.Undecided)
      return;
    // Odd of one way, and one more of the other.
    const bool AreBothWays = Undecided && Other.Undecided &&
                             (Undecided - 1) / 2 == (Other.Undecided - 1) / 2;
    if (AreBothWays)
      Undecided = std::max(UndecidedBefore, Other.UndecidedBefore);
    else
      Undecided = Undecided && Other.Undecided
                      ? std::max(Undecided, Other.Undecided)
                      : 0;
    UndecidedBefore = 0;
  }
  LaneMask waiting() const { return Condition ? May & ~Doubtful : 0; }

  void add(PathMask Other) {
    if (!May || !Other.May) {
      Other.Assumes |= Assumes;
      if (!May)
        *this = Other;
      Assumes = Other.Assumes;
      return;
    }
    // A lane that surely arrives by one way surely arrives.
    LaneMask Waiting = waiting() | Other.waiting();
    LaneMask Sure = (May & ~Doubtful & ~waiting()) |
                    (Other.May & ~Other.Doubtful & ~Other.waiting());
    // Lanes that wait for different things do not arrive together.
    if (May == Other.May || Condition == Other.Condition)
      Waiting = 0;
    May |= Other.May;
    Doubtful = (Doubtful | Other.Doubtful | Waiting) & ~Sure;
    DataDriven = (DataDriven | Other.DataDriven) & Doubtful;
    Assumes |= Other.Assumes;
    SomeBlocks |= Other.SomeBlocks;
    FewBlocks &= Other.FewBlocks;
    OpenBlocks |= Other.OpenBlocks;
    addUndecided(Other);
    Partings = std::max(Partings, Other.Partings);
    Chosen.add(Other.Chosen);
    Held = eitherHolds(Held, Other.Held);
    Condition = Sure ? 0 : std::max(Condition, Other.Condition);
  }
};

/// What a path carries: its lanes, and the values it gives to the phis of the
/// block that it leads to, as they were when the lanes left. Without lanes:
/// what was taken for granted when none went there.
struct EdgeState {
  PathMask Mask;
  std::vector<LaneValue> PhiValues;
};

using PhiValues = std::vector<LaneValue>;

/// Where lanes went that came to a loop, as far as they tell: of others that
/// come in the same way it need not be found out again.
struct LoopPassage {
  PathMask Mask;
  PhiValues Start;
  PhiValues Sources; ///< Region::SourcesOfWays
  LaneArithmetic::WarpRange Warps;
  std::vector<unsigned> PartingsBefore; ///< The loops around it, inwards out.
  unsigned Conditions = 0; ///< Not known before; their numbers end with this.
  unsigned NewConditions = 0;
  std::size_t Work = 0;
  std::vector<std::pair<BlockEdge, EdgeState>> Exits;
  std::vector<const llvm::Loop *> Decided; ///< As in WarpInterpreter.
};

/// What a part of the run is for.
enum class RunPurpose {
  Requests, ///< They are reported, and all else that Outcome says.
  Values,   ///< What the code behind it computes with.
  Ways      ///< Where lanes go, and what the next turn of a loop begins with.
};

/// What a loop itself accesses in one turn that is tried for all.
struct TurnProbe {
  const llvm::Loop *Loop = nullptr;
  PathMask Mask; ///< With which the turn begins.
  std::vector<Request> Requests = {};
  /// Of which some request is not made by the same lanes in every turn.
  std::set<const llvm::Instruction *> Uneven = {};
  /// Of the blocks that end with Counted; of others, who knows.
  OperationCount Operations = {};
  std::vector<const llvm::Instruction *> Counted = {};
  bool HasMoreOperations = false;
};

/// For what, and for which turns, a part of the code is run.
struct RunContext {
  RunPurpose For = RunPurpose::Requests;
  double Weight = 1;      ///< Turns that the one that is being run stands for.
  unsigned Turn = 0;      ///< Its number, of those of all loops.
  bool IsSampled = false; ///< In a loop of which some turns stand for others.
  std::int64_t SampledTurn = 0; ///< Which of them, of the outermost such loop.
  bool IsDoubling = false; ///< In one that runs as far as its arrays reach.
  TurnProbe *Probed = nullptr;
};

/// What a part of the code leaves to what runs after it.
struct RunState {
  /// Ways that lanes have taken to blocks that have not run.
  std::map<BlockEdge, EdgeState> Edges = {};
  /// Contents of private arrays at constant offsets: (object, byte offset).
  std::map<std::pair<Symbol, std::int64_t>, LaneValue> Locals = {};
  /// AssumesMeeting behind a loop in another one that lanes have left one after
  /// the other: the GPU may put them together later, and does so at the next
  /// barrier. Else 0.
  std::uint32_t MeetLater = 0;
};

class WarpInterpreter {
public:
  WarpInterpreter(const KernelStructure &Kernel, const LaunchShape &Shape,
                  Warps Of, std::size_t Work, LaneArithmetic &A,
                  const std::function<void(const Request &)> &Sink)
      : Kernel(Kernel), A(A), Sink(Sink), Warp(Of.First), Work(Work),
        Values(Kernel, Shape, Of, A) {}

  /// Nothing where something but a number tells the warps apart.
  std::optional<WarpOutcome> run() {
    const llvm::BasicBlock *Entry = &Kernel.function().getEntryBlock();
    runItems(Kernel.topLevel(), Entry, {Values.existingLanes()}, nullptr);
    if (A.areWarpsApart())
      return std::nullopt;
    return std::move(Outcome);
  }

private:
  const KernelStructure &Kernel;
  LaneArithmetic &A;
  const std::function<void(const Request &)> &Sink;
  unsigned Warp; ///< The first of them, if they are several.
  std::size_t Work;
  ValueEvaluator Values;

  RunContext Context;
  RunState State;
  unsigned Conditions = 0; ///< Conditions that were not known, so far.
  WarpOutcome Outcome;
  bool KnowsBarriers = true; ///< Outcome.Barriers are all so far.
  llvm::DenseMap<const llvm::BasicBlock *, PathMask> Masks;
  /// Of blocks that KernelStructure::isPassedBy(): lanes by way.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<PathMask, 2>> Ways;
  struct RunningLoop {
    bool IsCounted = true; ///< Each turn is run, or stands for so many.
    Request::LoopEntry Entry;
  };
  unsigned LoopsEntered = 0;
  unsigned TurnsBegun = 0;          ///< Of all loops.
  std::vector<RunningLoop> Running; ///< Outermost first.
  /// Of the loops that are being run: partings before the first turn.
  llvm::DenseMap<const llvm::Loop *, unsigned> PartingsBefore;
  /// Loops of which some exit was decided in the turn that is being run.
  llvm::DenseMap<const llvm::Loop *, bool> Decided;
  llvm::DenseMap<const llvm::Loop *, bool> RunsByTurn;
  /// Loops whose counter is known although their bound is not.
  std::set<const llvm::Loop *> Doubling;
  llvm::DenseMap<const llvm::Loop *, std::vector<LoopPassage>> Passages;
  bool OutOfBounds = false; ///< Some access left its array.
  /// What was added for all turns of the loop that is being run: accesses, and
  /// the ends of blocks whose operations were.
  std::set<const llvm::Instruction *> AddedForAll;
  llvm::DenseMap<const llvm::BasicBlock *, OperationCount> OperationsOf;

  bool isReporting() const { return Context.For == RunPurpose::Requests; }
  bool isNeeded(const llvm::Instruction &I) const {
    return Context.For == RunPurpose::Ways ? Kernel.isOfWays(I)
                                           : Kernel.isNeeded(I);
  }
  /// What is to be noted of what is in that block; null: nothing.
  TurnProbe *probeOf(const llvm::BasicBlock *B) const {
    TurnProbe *Of = Context.Probed;
    return Of && Kernel.loopOf(B) == Of->Loop ? Of : nullptr;
  }
  void runItems(const Region &R, const llvm::BasicBlock *First, PathMask Mask,
                const PhiValues *FirstPhis);
  void runBlock(const llvm::BasicBlock *B, PathMask Mask,
                const PhiValues *Phis);
  bool leftTogether(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                    PathMask Earlier, PathMask Later) const;
  void countOperations(const llvm::BasicBlock *B, PathMask Mask);
  bool isCertain(const PathMask &Mask) const;
  void noteBarrier(const llvm::Instruction &I, const PathMask &Mask);
  void noteVisit(const llvm::BasicBlock *B, const PathMask &Mask);
  void noteSides(const llvm::BasicBlock *B, const PathMask &Mask);
  PathMask takeIncoming(const llvm::BasicBlock *B, PhiValues &Phis,
                        llvm::ArrayRef<BlockEdge> Only = {});
  void leave(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
             PathMask Mask);
  LaneValue merged(const LaneValue &V, const LaneValue &W, bool SameForAll);
  bool comeApart(const llvm::BasicBlock *B, LaneMask Lanes) const;
  LaneMask lanesOf(const Remainder &Few, LaneMask Lanes);

  void branch(const llvm::BasicBlock *B, PathMask Mask);
  void branchBy(const llvm::BranchInst &Br, PathMask Mask);
  void switchBy(const llvm::SwitchInst &Switch, PathMask Mask);
  void switchByUnknown(const llvm::SwitchInst &Switch, const LaneValue &V,
                       PathMask Mask);
  HeldRemaindersPtr heldBy(const llvm::Value &Condition, LaneMask Lanes,
                           bool Wanted, unsigned Depth);
  void noteExits(const llvm::BasicBlock *B, const llvm::Value *Condition,
                 bool IsDecided);
  bool asksForBlock(const llvm::Value *Condition, unsigned Depth);
  /// Whether it is \p Wanted only where a number that grows with blockIdx is
  /// that of one block, `blockIdx.y == 0`.
  bool asksForOneBlock(const llvm::Value *Condition, bool Wanted,
                       unsigned Depth);

  void runLoop(const llvm::Loop *L);
  void runTurnsOf(const llvm::Loop *L, PathMask Mask, PhiValues Start);
  bool isDoubling(const Region &R, PathMask Mask, const PhiValues &Start,
                  const PhiValues &Next);
  void runDoublings(const Region &R, PathMask Mask, PhiValues Start);
  void runTurns(const Region &R, PathMask Mask, PhiValues Start);
  /// By what the phis of the header grow in each turn.
  struct ClosedForm {
    PhiValues Step;
    bool IsLeftByLane = false; ///< Some lanes may make more turns than others.
  };
  std::optional<ClosedForm> closedForm(const Region &R, PathMask Mask,
                                       const PhiValues &Before,
                                       const PhiValues &Now);
  std::optional<std::int64_t> turnsUntilExit(const Region &R, PathMask Mask,
                                             const PhiValues &Now,
                                             const PhiValues &Step);
  PhiValues afterTurns(const PhiValues &Now, const PhiValues &Step,
                       std::int64_t Turns);
  bool runSample(const Region &R, PathMask Mask, const PhiValues &Now,
                 const ClosedForm &Form, std::int64_t Turns,
                 std::size_t TurnWork);
  bool addPeriodic(const Region &R, PathMask Mask, const PhiValues &Now,
                   const PhiValues &Step, std::int64_t Turns);
  void runGeneralised(const Region &R, PathMask Mask, const PhiValues &Start);
  void passThrough(const Region &R, PathMask Mask, const PhiValues &Start);
  bool repeat(const LoopPassage &Known, const LoopPassage &Now,
              const Region &R);
  struct Trial {
    PhiValues Next;     ///< What the phis of the header would be in the next.
    PathMask Back = {}; ///< Who begins that.
    PathMask Left = {}; ///< Who leaves the loop.
  };
  Trial tryTurn(const Region &R, PathMask Mask, const PhiValues &Phis,
                RunContext As = {.For = RunPurpose::Ways});
  Trial tryLaterTurn(const Region &R, PathMask Mask, const PhiValues &Phis,
                     RunContext As = {.For = RunPurpose::Ways});
  PhiValues generalise(const Region &R, PathMask Mask, const PhiValues &Start,
                       Symbol Turn, PathMask &Back);
  void forceExit(const Region &R, PathMask Mask);

  bool memory(const llvm::Instruction &I, PathMask Mask);
  void access(const llvm::Instruction &I, unsigned Part,
              const StaticAccess &What, PathMask Mask);
  bool leavesArray(const LaneValue &Address, LaneMask Active,
                   unsigned Bytes) const;
  LaneValue loaded(const llvm::LoadInst &I, const LaneValue &Address,
                   LaneMask Active);
  bool isLookedUp(const LaneValue &Address) const;
  std::optional<LaneValue> localElements(const LaneValue &Address,
                                         LaneMask Active, unsigned Bits) const;
  std::optional<LaneValue> tableEntries(const llvm::LoadInst &I,
                                        const LaneValue &Address,
                                        LaneMask Active) const;
  std::optional<LaneValue> givenField(const llvm::LoadInst &I,
                                      const LaneValue &Address,
                                      LaneMask Active) const;
  void stored(const llvm::StoreInst &I, const LaneValue &Address,
              PathMask Mask);
  std::optional<std::pair<Symbol, std::int64_t>>
  localSlot(const LaneValue &Address) const;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_WARPRUN_H
