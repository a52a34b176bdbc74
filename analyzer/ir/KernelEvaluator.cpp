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

/// Refines by all blocks of a grid, of which the dimensions that are not known
/// are left open.
static void runOneByOne(BlockEvaluation &E, const Extent &Grid,
                        const std::vector<const Instruction *> &Uneven) {
  const std::vector<GridPart> Blocks = blocksOf(Grid);
  E.refine(Blocks.size(), Uneven);
  for (const GridPart &Each : Blocks)
    E.run(Each.Blocks, Each.Share);
}

/// Blocks that are run for a grid that is too large for all of them.
static constexpr std::int64_t SomeBlocks = 32;

/// Refines by blocks from all over a grid: along each dimension, one of each of
/// as many equal parts, in another order.
static void runSome(BlockEvaluation &E, const Extent &Grid,
                    const std::vector<const Instruction *> &Uneven) {
  static constexpr std::array<std::int64_t, 3> Order = {1, 13, 21};
  E.refineBySome(SomeBlocks, Uneven);
  for (std::int64_t B = 0; B < SomeBlocks; ++B) {
    BlockRanges Blocks;
    for (unsigned D = 0; D < 3; ++D)
      if (Grid[D]) {
        const std::int64_t Part = B * Order[D] % SomeBlocks;
        const std::int64_t At = (2 * Part + 1) * *Grid[D] / (2 * SomeBlocks);
        Blocks[D] = std::pair(At, At);
      }
    E.run(Blocks, 1 / static_cast<double>(SomeBlocks));
  }
  E.assumeSomeBlocks();
}

static void countOperations(const BlockEvaluation &E, KernelEvaluation &Out) {
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
  for (const GridPart &Each : Parts)
    E.run(Each.Blocks, Each.Share);
  if (!IsFootprintKnown && E.footprint().isKnown())
    Out.Footprint = E.footprint().finish();
  std::map<std::tuple<const Instruction *, unsigned, unsigned>, double> Counts;
  countOperations(E, Out);
  for (const CollectedAccess &A : E.finish())
    if (A.Result.Executions)
      Counts[{A.Inst, A.Part, A.Piece}] = *A.Result.Executions;
  for (CollectedAccess &A : Found) {
    if (A.Result.Executions)
      continue;
    auto Count = Counts.find({A.Inst, A.Part, A.Piece});
    const bool IsNever = Open.contains(A.Inst) && !E.LeavesTurnsOut &&
                         !E.Reached.contains(A.Inst);
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

/// What the source alone says of an access.
static void noteWritten(const WrittenAccess &W, CollectedAccess &A) {
  A.Result.LoopTurns = W.LoopTurns;
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
  E->run({}, 1);
  const std::size_t Requests = std::max<std::size_t>(E->Requests, 1);
  const auto Most = static_cast<double>(
      std::min({MostBlocksOneByOne, MostRequestsOneByOne / Requests,
                MostWorkOneByOne / E->leastWork()}));
  double Count = 1;
  for (std::optional<std::int64_t> Size : Shape.Grid)
    Count *= static_cast<double>(Size.value_or(1));
  const std::int64_t Blocks = Shape.Grid[0].value_or(1);
  if (E->MeetsBounds && Blocks > 1) {
    // Bounds are met at the ends of the grid: look at those blocks alone.
    E.emplace(Kernel, Shape, Reached);
    double Share = 1.0 / static_cast<double>(Blocks);
    E->run({std::pair(std::int64_t(0), std::int64_t(0))}, Share);
    if (Blocks > 2)
      E->run({std::pair(std::int64_t(1), Blocks - 2)}, 1 - 2 * Share);
    E->run({std::pair(Blocks - 1, Blocks - 1)}, Share);
  }
  const std::vector<const Instruction *> Uneven = E->unevenByBlock();
  if ((!E->BlockBound.empty() || !Uneven.empty()) && Count > 1 && Count <= Most)
    runOneByOne(*E, Shape.Grid, Uneven);
  else if (!Uneven.empty() && Count > 1)
    runSome(*E, Shape.Grid, Uneven);
  if (!Uneven.empty())
    E->forget(E->unevenByBlock());
  if (E->LeavesTurnsOut)
    E->addUnreached();
  countOperations(*E, Out);
  Out.Footprint = E->footprint().finish();
  std::vector<CollectedAccess> Found = E->finish();
  std::optional<double> GridBlocks = Count;
  if (!std::ranges::all_of(Shape.Grid, [](auto D) { return D.has_value(); }))
    GridBlocks.reset();
  for (CollectedAccess &A : Found) {
    if ((A.Result.Target = E->Targets.targetOf(*A.Inst)))
      A.Result.Target->Blocks = GridBlocks;
    if (const WrittenAccess *W = Kernel.Plan.written(*A.Inst, A.Part))
      noteWritten(*W, A);
  }
  InstructionSet Open;
  for (const CollectedAccess &A : Found)
    if (!A.Result.Executions && E->OpenByBlock.contains(A.Inst))
      Open.insert(A.Inst);
  if (!Open.empty() && Count > 1 && Most > 1)
    countInParts(Found, Open, Shape.Grid, static_cast<std::size_t>(Most),
                 Count <= Most, {Kernel, Shape, Reached},
                 E->footprint().isKnown(), Out);
  Reached.insert(E->Reached.begin(), E->Reached.end());
  Joined.insert(E->Joined.begin(), E->Joined.end());
  return {std::move(Found), Requests, E->LeavesArray};
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
  if (Kernel.Instructions * Warps > MostWorkByPower ||
      Found.Requests > MostWorkByPower ||
      std::ranges::all_of(Found.Accesses, [](const CollectedAccess &A) {
        return A.Result.Trust == Certainty::Exact;
      }))
    return;
  for (const PowerParameter &Of :
       powerParameters(Kernel.Structure.function(), Shape)) {
    std::vector<PowerRun> Runs;
    for (unsigned Exponent = 0; Exponent <= MostExponent; ++Exponent) {
      LaunchShape Each = Shape;
      Each.Arguments.resize(
          std::max<std::size_t>(Each.Arguments.size(), Of.Index + 1));
      Each.Arguments[Of.Index] = Of.argument(Exponent);
      InstructionSet Reached;
      JoinedAccesses Joined;
      KernelEvaluation Ignored;
      FoundInBlock One = evaluateBlock(Kernel, Each, Reached, Joined, Ignored);
      if (!One.LeavesArray)
        Runs.push_back({std::int64_t(1) << Exponent, std::move(One.Accesses)});
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
    Out.StaticSharedBytes += Each.Bytes;
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
      if (Block == Shape.Block || Reached.size() >= countAccesses(Kernel))
        continue;
      std::ranges::move(
          evaluateBlock(Evaluated, Other, Reached, Joined, OfOthers).Accesses,
          std::back_inserter(Found));
    }
  DenseSet<const Instruction *> Executed;
  for (CollectedAccess &Each : Found) {
    Executed.insert(Each.Inst);
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
