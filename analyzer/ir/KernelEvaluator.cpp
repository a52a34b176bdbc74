//===- analyzer/ir/KernelEvaluator.cpp - Accesses of a kernel -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KernelEvaluator.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/BlockEvaluation.h"
#include "analyzer/ir/InstructionShares.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/LongCode.h"
#include "analyzer/ir/Operations.h"
#include "analyzer/ir/PowerValues.h"
#include "analyzer/ir/SmallBounds.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <map>
#include <optional>

using namespace llvm;

namespace cudalint {

llvm::Function *findKernel(Module &M, const std::string &Name) {
  Function *F = M.getFunction(Name);
  return F && !F->isDeclaration() && !accessesLeftOut(*F) ? F : nullptr;
}

/// Shapes that are tried for what an assumed one does not reach.
static constexpr std::array<std::int64_t, 3> AlternativeBlocks[] = {
    {256, 1, 1}, {128, 4, 1}, {16, 16, 1}, {32, 1, 1}, {1024, 1, 1}};

/// Where blockIdx decides which lanes take part, so many blocks, requests and
/// instructions, loops aside, are run one by one.
static constexpr std::size_t MostBlocksOneByOne = 64;
static constexpr std::size_t MostRequestsOneByOne = 32'768;
static constexpr std::size_t MostWorkOneByOne = 1'000'000;

/// Blocks that are run for a grid that is too large for all of them.
static constexpr std::int64_t SomeBlocks = 32;

/// Looks at accesses again that are not the same in all blocks: in each block
/// of a grid of \p Count, or, where these are more than \p Most, in some.
static void refine(BlockEvaluation &E, const Extent &Grid, double Count,
                   double Most) {
  const std::vector<const Instruction *> Uneven = E.unevenByBlock();
  if (Count > 1 && Count <= Most &&
      !(E.found().BlockBound.empty() && Uneven.empty())) {
    const std::vector<GridPart> Blocks = blocksOf(Grid);
    E.refine(Blocks.size(), Uneven);
    E.run(Blocks);
  } else if (Count > 1 && !Uneven.empty()) {
    E.refineBySome(SomeBlocks, Uneven);
    E.run(spreadOver(Grid, SomeBlocks));
    E.assumeSomeBlocks();
  }
  if (!Uneven.empty())
    E.forget(E.unevenByBlock());
}

static void countOperations(const BlockFindings &E, KernelEvaluation &Out) {
  Out.Operations.reset();
  Out.WhyNotCounted = E.WhyNotCounted ? E.WhyNotCounted : "";
  if (!E.WhyNotCounted)
    Out.Operations = E.Operations;
}

/// Counts accesses of \p Found, as which \p Open may or may not happen by
/// blockIdx, in parts of the grid, \p Most at most, in each of which that is
/// decided. What they cost, \p Found knows already.
static void countInParts(std::vector<CollectedAccess> &Found,
                         const InstructionSet &Open, const Extent &Grid,
                         std::size_t Most, bool IsSmall, BlockEvaluation E,
                         bool IsFootprintKnown, KernelEvaluation &Out) {
  E.expectParts(Most);
  const std::vector<GridPart> Parts =
      IsSmall ? blocksOf(Grid)
              : partsOf(Grid, Most, [&](const BlockRanges &Blocks) {
                  return E.openIn(Blocks, Open);
                });
  if (Parts.size() == 1)
    return;
  E.run(Parts);
  if (!IsFootprintKnown && E.footprint().isKnown())
    Out.Footprint = E.footprint().finish();
  std::map<std::tuple<const Instruction *, unsigned, unsigned>, double> Counts;
  countOperations(E.found(), Out);
  for (const CollectedAccess &A : E.finish())
    if (A.Result.Executions)
      Counts[{A.Inst, A.Part, A.Piece}] = *A.Result.Executions;
  for (CollectedAccess &A : Found) {
    if (A.Result.Executions)
      continue;
    auto Count = Counts.find({A.Inst, A.Part, A.Piece});
    const bool IsNever = Open.contains(A.Inst) && !E.found().LeavesTurnsOut &&
                         !E.found().Reached.contains(A.Inst);
    if (Count == Counts.end() && !IsNever)
      continue;
    A.Result.Executions = IsNever ? 0 : Count->second;
    A.Shares.reset();
    A.Result.WhyNotCounted.clear();
  }
}

namespace {
struct FoundInBlock {
  std::vector<CollectedAccess> Accesses;
  std::size_t Requests = 0; ///< That were looked at.
  bool LeavesArray = false; ///< As in BlockEvaluation.
};
} // namespace

/// The product of the turns of all loops that it does not leave; nothing where
/// the source does not tell one of them.
static std::optional<double> turnsOf(const WrittenAccess &W,
                                     const CollectedAccess &A) {
  double Turns = 1;
  for (std::size_t L = A.As ? A.As->Hoisted : 0; L < W.LoopTurns.size(); ++L)
    Turns *= W.LoopTurns[L];
  return Turns > 0 ? std::optional(Turns) : std::nullopt;
}

/// The innermost loop that it does not leave; null: there is none.
static const Loop *countedLoop(const CollectedAccess &A,
                               const KernelStructure &In) {
  const Loop *L = In.loopOf(A.Inst->getParent());
  for (unsigned Left = A.As ? A.As->Hoisted : 0; L && Left; --Left)
    L = L->getParentLoop();
  return L;
}

static bool leavesTurnsOut(const CollectedAccess &A) {
  return std::ranges::any_of(A.Result.Frequencies, [](const Frequency &Each) {
    return !Each.CutLoops.empty();
  });
}

/// Of the turns of its loop, the part in which a warp makes it, a mean: each
/// run of a warp looked at some, of which it made \p Most in the access of the
/// loop that it made most. Without runs, the warps are known that come at all.
static double partOfTurns(const CollectedAccess &A,
                          const std::vector<double> &Most) {
  if (!A.Shares)
    return A.PartOfWarps;
  double Part = 0;
  for (std::size_t Run = 0; Run != A.ByRun.size(); ++Run)
    if (Most[Run] > 0)
      Part += (*A.Shares)[Run] * A.ByRun[Run] / Most[Run];
  return Part;
}

/// Of loops whose turns the source tells, though not all were looked at: how
/// often accesses are made in all of them, by those that were.
static void countCutLoops(std::vector<CollectedAccess> &Found,
                          const EvaluatedKernel &Kernel) {
  std::map<const Loop *, std::vector<double>> MostSeen;
  for (const CollectedAccess &A : Found) {
    if (!leavesTurnsOut(A) || !A.Shares)
      continue;
    std::vector<double> &Most = MostSeen[countedLoop(A, Kernel.Structure)];
    Most.resize(A.ByRun.size());
    for (std::size_t Run = 0; Run != Most.size(); ++Run)
      Most[Run] = std::max(Most[Run], A.ByRun[Run]);
  }
  for (CollectedAccess &A : Found) {
    const WrittenAccess *W = Kernel.Plan.written(*A.Inst, A.Part);
    const auto Turns = W && leavesTurnsOut(A) ? turnsOf(*W, A) : std::nullopt;
    if (Turns)
      A.Result.Frequencies = {
          {.Times =
               *Turns *
               partOfTurns(A, MostSeen[countedLoop(A, Kernel.Structure)])}};
  }
}

/// Where the evaluation was over before a loop turned again, the source may
/// tell how often it does.
static void closeCountedLoops(const WrittenAccess &W, CollectedAccess &A) {
  for (Frequency &Each : A.Result.Frequencies)
    std::erase_if(Each.Loops, [&](unsigned L) {
      const unsigned Turns = L < W.LoopTurns.size() ? W.LoopTurns[L] : 0;
      Each.Times *= std::max(Turns, 1u);
      return Turns != 0;
    });
}

/// Loops by their numbers instead of their places around the access.
static void nameLoops(const WrittenAccess &W, CollectedAccess &A) {
  for (Frequency &Each : A.Result.Frequencies)
    for (std::vector<unsigned> *Loops : {&Each.Loops, &Each.CutLoops})
      for (unsigned &L : *Loops)
        L = L < W.LoopsAlike.size() ? W.LoopsAlike[L] : ~L;
}

/// What the source alone says of an access.
static void noteWritten(const WrittenAccess &W, CollectedAccess &A) {
  A.Result.LoopTurns = W.LoopTurns;
  A.Result.LoopsAlike = W.LoopsAlike;
  closeCountedLoops(W, A);
  nameLoops(W, A);
  if (!A.As || !A.As->Hoisted)
    A.Result.Aliased = W.Aliased;
}

/// Accesses under one shape that are not in `Reached`, to which they are added.
static FoundInBlock evaluateBlock(const EvaluatedKernel &Kernel,
                                  const LaunchShape &Shape,
                                  InstructionSet &Reached,
                                  JoinedAccesses &Joined,
                                  KernelEvaluation &Out) {
  std::optional<BlockEvaluation> E;
  E.emplace(Kernel, Shape, Reached);
  E->run({GridPart()});
  const std::size_t Requests = std::max<std::size_t>(E->found().Requests, 1);
  const auto Most = static_cast<double>(
      std::min({MostBlocksOneByOne, MostRequestsOneByOne / Requests,
                MostWorkOneByOne / E->leastWork()}));
  double Count = 1;
  for (std::optional<std::int64_t> Size : Shape.Grid)
    Count *= static_cast<double>(Size.value_or(1));
  if (E->found().MeetsBounds && Shape.Grid[0].value_or(1) > 1) {
    // Bounds are met at the ends of the grid: look at those blocks alone.
    E.emplace(Kernel, Shape, Reached);
    E->run(endsAndMiddle(Shape.Grid));
  }
  refine(*E, Shape.Grid, Count, Most);
  const BlockFindings &Met = E->found();
  if (Met.LeavesTurnsOut)
    E->addUnreached();
  countOperations(Met, Out);
  Out.Footprint = E->footprint().finish();
  std::vector<CollectedAccess> Found = E->finish();
  std::optional<double> GridBlocks = Count;
  if (!std::ranges::all_of(Shape.Grid, [](auto D) { return D.has_value(); }))
    GridBlocks.reset();
  countCutLoops(Found, Kernel);
  for (CollectedAccess &A : Found) {
    if ((A.Result.Target = Met.Targets.targetOf(*A.Inst)))
      A.Result.Target->Blocks = GridBlocks;
    if (const WrittenAccess *W = Kernel.Plan.written(*A.Inst, A.Part))
      noteWritten(*W, A);
    else
      A.Result.Frequencies.clear(); // which loops they are is not known
  }
  InstructionSet Open;
  for (const CollectedAccess &A : Found)
    if (!A.Result.Executions &&
        (Met.OpenByBlock.contains(A.Inst) || E->isInLoopByBlock(*A.Inst)))
      Open.insert(A.Inst);
  if (!Open.empty() && Count > 1 && Most > 1)
    countInParts(Found, Open, Shape.Grid, static_cast<std::size_t>(Most),
                 Count <= Most, {Kernel, Shape, Reached},
                 E->footprint().isKnown(), Out);
  Reached.insert(Met.Reached.begin(), Met.Reached.end());
  Joined.insert(Met.Joined.begin(), Met.Joined.end());
  return {std::move(Found), Requests, Met.LeavesArray};
}

/// Instructions and requests of all warps of a kernel that is evaluated once
/// more for each value of a parameter; a larger one takes too long.
static constexpr std::size_t MostWorkByPower = 20'000;

/// Evaluates the kernel for each value of the parameters that are powers of
/// two, as far as no access leaves its array with it.
static void lookAtEachPower(FoundInBlock &Found, const EvaluatedKernel &Kernel,
                            const LaunchShape &Shape) {
  const auto [X, Y, Z] = Shape.Block;
  const auto Warps =
      static_cast<std::size_t>((X * Y * Z + WarpSize - 1) / WarpSize);
  const Function &F = Kernel.Structure.function();
  const bool IsTooMuch = Kernel.Instructions * Warps > MostWorkByPower ||
                         Found.Requests > MostWorkByPower;
  // Without them, nothing is known for all of the blocks.
  if (IsTooMuch && Shape.Paired)
    addByPower(Found.Accesses, powerOfBlock(F, Shape), {});
  if (IsTooMuch ||
      (!Shape.Paired &&
       std::ranges::all_of(Found.Accesses, [](const CollectedAccess &A) {
         return A.Result.Trust == Certainty::Exact;
       })))
    return;
  std::vector<PowerParameter> All = powerParameters(F, Shape);
  if (Shape.Paired)
    All = {powerOfBlock(F, Shape)};
  for (const PowerParameter &Of : All) {
    const std::int64_t Most =
        Of.IsOfBlock ? Shape.Paired->Threads : std::int64_t(1) << MostExponent;
    std::vector<PowerRun> Runs;
    for (std::int64_t Power = 1; Power <= Most; Power *= 2) {
      InstructionSet Reached;
      JoinedAccesses Joined;
      KernelEvaluation Ignored;
      FoundInBlock One = evaluateBlock(Kernel, withPower(Shape, Of, Power),
                                       Reached, Joined, Ignored);
      if (!One.LeavesArray)
        Runs.push_back({Power, std::move(One.Accesses)});
    }
    addByPower(Found.Accesses, Of, Runs);
  }
}

KernelEvaluation evaluateKernel(const Function &Kernel,
                                const LaunchShape &Shape,
                                const Architecture &Arch,
                                const SourceFacts &Facts,
                                const AccessPlan &Plan) {
  KernelEvaluation Out;
  SharedVariables Shared(Kernel);
  for (const SharedVariable &Each : Shared.all()) {
    Out.StaticSharedBytes += Each.IsOnlyStored ? 0 : Each.Bytes;
    Out.UsesDynamicShared |= Each.Bytes == 0;
  }
  std::size_t Instructions = 0;
  for (const Instruction &I : instructions(Kernel)) {
    ++Instructions;
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *F = Call ? Call->getCalledFunction() : nullptr;
    if (F && F->getName().starts_with("llvm.nvvm.barrier"))
      ++Out.Barriers;
  }

  std::shared_ptr<const KernelStructure> Structure =
      makeKernelStructure(Kernel, Plan.partings());
  const EvaluatedKernel Evaluated{*Structure, Instructions, Arch, Facts, Plan};
  InstructionSet Reached;
  JoinedAccesses Joined;
  FoundInBlock Block = evaluateBlock(Evaluated, Shape, Reached, Joined, Out);
  lookAtEachPower(Block, Evaluated, Shape);
  std::vector<CollectedAccess> Found = std::move(Block.Accesses);
  if (hasMatrixOperations(Kernel)) {
    Out.Operations.reset();
    Out.WhyNotCounted = "instructions of tensor cores are not counted";
  }
  if (!hasAllNotedOperations(Kernel)) {
    Out.Operations.reset();
    Out.WhyNotCounted = "some of them run under a condition that is not "
                        "followed, as no access depends on it";
  }
  KernelEvaluation OfOthers;
  // The block was a guess: what it never reaches, another one may.
  if (Shape.BlockSource == LaunchSource::Assumed)
    for (std::array<std::int64_t, 3> Block : AlternativeBlocks) {
      LaunchShape Other = Shape;
      Other.Block = Block;
      if (Block == Shape.Block || Shape.Paired ||
          Reached.size() >= countAccesses(Kernel))
        continue;
      std::ranges::move(
          evaluateBlock(Evaluated, Other, Reached, Joined, OfOthers).Accesses,
          std::back_inserter(Found));
    }
  DenseSet<const Instruction *> Executed;
  const SmallBounds Small(Kernel);
  for (CollectedAccess &Each : Found) {
    Executed.insert(Each.Inst);
    if (Small.isBehind(*Each.Inst->getParent())) {
      Each.Result.IsOfFewThreads = true;
      Each.Result.Executions.reset();
      Each.Result.Frequencies.clear();
      Each.Result.WhyNotCounted = "few of the threads make it";
    }
    Each.Result.Variable =
        Shared.variableOf(*Structure->accesses(*Each.Inst)[Each.Part].Pointer);
  }
  Shared.markUnreached(Executed);
  Out.Shared = Shared.all();
  Out.Removed = joinedInto(Found, Joined, Plan);
  Out.Accesses = withInstructions(std::move(Found), Plan, Shape.Block);
  return Out;
}

} // namespace cudalint
