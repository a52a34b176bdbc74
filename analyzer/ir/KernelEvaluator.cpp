//===- analyzer/ir/KernelEvaluator.cpp - Accesses of a kernel -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KernelEvaluator.h"

#include "analyzer/ir/AccessCollector.h"
#include "analyzer/ir/WarpInterpreter.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace llvm;

namespace cudalint {

using InstructionSet = DenseSet<const Instruction *>;
using BlockRanges = decltype(LaunchShape::Blocks);

/// Instructions that are evaluated turn by turn for one kernel, over all of
/// its warps; beyond it, loops are generalised. Keeps a kernel below the time
/// that its parse takes.
static constexpr std::size_t WorkPerKernel = 400'000;

/// Shared variables that `V` refers to, through constant expressions too.
static void collectShared(const Value *V, std::set<const GlobalVariable *> &Out,
                          std::set<const Value *> &Seen) {
  if (!isa<Constant>(V) || !Seen.insert(V).second)
    return;
  if (auto *G = dyn_cast<GlobalVariable>(V)) {
    if (G->getAddressSpace() == 3)
      Out.insert(G);
    return;
  }
  if (auto *E = dyn_cast<ConstantExpr>(V))
    for (const Use &U : E->operands())
      collectShared(U.get(), Out, Seen);
}

llvm::Function *findKernel(Module &M, const std::string &Name) {
  Function *F = M.getFunction(Name);
  return F && !F->isDeclaration() ? F : nullptr;
}

/// Shapes that are tried for what an assumed one does not reach.
static constexpr std::array<std::int64_t, 3> AlternativeBlocks[] = {
    {256, 1, 1}, {128, 4, 1}, {16, 16, 1}, {32, 1, 1}, {1024, 1, 1}};

static bool accessesMemory(const Instruction &I) {
  return isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I);
}

static std::size_t countAccesses(const Function &F) {
  return static_cast<std::size_t>(
      llvm::count_if(instructions(F), accessesMemory));
}

namespace {

/// Evaluation of one kernel under one block shape.
class BlockEvaluation {
public:
  BlockEvaluation(const KernelStructure &Structure, std::size_t Instructions,
                  const LaunchShape &Shape, const Architecture &Arch,
                  const SourceFacts &Facts, const InstructionSet &LeaveOut)
      : Structure(Structure), Shape(Shape), LeaveOut(LeaveOut),
        Collector(Arch, Structure, Shape, Facts) {
    std::int64_t Threads = Shape.Block[0] * Shape.Block[1] * Shape.Block[2];
    Warps = static_cast<unsigned>((Threads + WarpSize - 1) / WarpSize);
    // Every warp gets its share, and at least each instruction a few times.
    Work = std::max(WorkPerKernel / std::max(Warps, 1u),
                    std::min<std::size_t>(4 * Instructions, 20'000));
  }

  /// Runs all warps of the blocks that are meant; they count `Weight` times.
  void run(const BlockRanges &Blocks, double Weight) {
    LaunchShape Part = Shape;
    Part.Blocks = Blocks;
    for (unsigned W = 0; W < Warps; ++W) {
      LaneArithmetic Arithmetic;
      WarpOutcome Outcome =
          runWarp(Structure, Part, W, Work, Arithmetic, [&](const Request &R) {
            if (LeaveOut.contains(R.Inst))
              return;
            Reached.insert(R.Inst);
            ++Requests;
            if (R.Doubtful && (R.Address.Assumes & AssumesBlockLanes))
              BlockBound.insert(R.Inst);
            MeetsBounds |= (R.Doubtful & ~R.DataDriven) != 0;
            if (!Sampled.contains(R.Inst))
              return Collector.add(Arithmetic, R, Weight);
            Request OfSample = R;
            OfSample.Address.Assumes |= AssumesSampledBlocks;
            Collector.add(Arithmetic, OfSample, Weight);
          });
      Collector.addOutcome(Outcome);
    }
  }

  InstructionSet Reached;
  /// Some lanes are active or not by a bound that was not decided.
  bool MeetsBounds = false;
  /// Accesses of which that holds where blockIdx decides.
  InstructionSet BlockBound;
  /// Accesses that differ from block to block, of which not all are run.
  InstructionSet Sampled;
  std::size_t Requests = 0;

  std::vector<Access> finish() { return Collector.finish(); }

private:
  const KernelStructure &Structure;
  const LaunchShape &Shape;
  const InstructionSet &LeaveOut;
  AccessCollector Collector;
  unsigned Warps;
  std::size_t Work;
};

} // namespace

/// Where blockIdx decides which lanes take part, so many blocks and requests
/// are run one by one.
static constexpr std::int64_t MostBlocksOneByOne = 64;
static constexpr std::size_t MostRequestsOneByOne = 32'768;

/// A block index, and the share of the blocks for which it stands.
using Position = std::pair<std::int64_t, double>;

/// At most `Most` of `Blocks` positions: all of them, or the ends and what is
/// in the middle of equal parts between.
static std::vector<Position> positions(std::int64_t Blocks, std::int64_t Most) {
  std::vector<Position> Out;
  const double One = 1 / static_cast<double>(Blocks);
  if (Blocks <= Most) {
    for (std::int64_t B = 0; B < Blocks; ++B)
      Out.emplace_back(B, One);
    return Out;
  }
  const std::int64_t Parts = std::max<std::int64_t>(Most - 2, 1);
  const std::int64_t Inner = Blocks - 2;
  Out.emplace_back(0, One);
  for (std::int64_t P = 0; P < Parts; ++P) {
    const std::int64_t From = 1 + Inner * P / Parts;
    const std::int64_t To = 1 + Inner * (P + 1) / Parts;
    Out.emplace_back((From + To) / 2, One * static_cast<double>(To - From));
  }
  Out.emplace_back(Blocks - 1, One);
  return Out;
}

/// Runs about `Most` blocks of a grid one by one; all of them if they are so
/// few.
static void runOneByOne(BlockEvaluation &E, const Extent &Grid,
                        std::int64_t Most) {
  // The short dimensions first: what they leave is for the long ones.
  std::array<unsigned, 3> Order = {0, 1, 2};
  auto SizeOf = [&](unsigned D) { return Grid[D].value_or(1); };
  std::ranges::stable_sort(Order, {}, SizeOf);
  std::array<std::vector<Position>, 3> Along;
  std::int64_t Left = Most;
  for (unsigned K = 0; K < 3; ++K) {
    const unsigned D = Order[K];
    std::int64_t Share = 1;
    while (std::pow(static_cast<double>(Share + 1), 3 - K) <=
           static_cast<double>(Left))
      ++Share;
    Along[D] = positions(SizeOf(D), std::max<std::int64_t>(Share, 3));
    const auto Count = static_cast<std::int64_t>(Along[D].size());
    Left = std::max<std::int64_t>(Left / Count, 1);
  }
  for (auto [Z, ShareZ] : Along[2])
    for (auto [Y, ShareY] : Along[1])
      for (auto [X, ShareX] : Along[0]) {
        BlockRanges Blocks;
        const std::array<std::int64_t, 3> At = {X, Y, Z};
        for (unsigned D = 0; D < 3; ++D)
          if (Grid[D])
            Blocks[D] = std::pair(At[D], At[D]);
        E.run(Blocks, ShareX * ShareY * ShareZ);
      }
}

/// Accesses under one shape that are not in `Reached`, to which they are added.
static std::vector<Access>
evaluateBlock(const KernelStructure &Structure, std::size_t Instructions,
              const LaunchShape &Shape, const Architecture &Arch,
              const SourceFacts &Facts, InstructionSet &Reached) {
  std::optional<BlockEvaluation> E;
  auto Restart = [&] {
    E.emplace(Structure, Instructions, Shape, Arch, Facts, Reached);
  };
  Restart();
  E->run({}, 1);
  const std::size_t Requests = std::max<std::size_t>(E->Requests, 1);
  const std::int64_t Most = std::min<std::int64_t>(
      MostBlocksOneByOne,
      static_cast<std::int64_t>(MostRequestsOneByOne / Requests));
  double Count = 1;
  for (std::optional<std::int64_t> Size : Shape.Grid)
    Count *= static_cast<double>(Size.value_or(1));
  const bool Few = Count > 1 && Count <= static_cast<double>(Most);
  const std::int64_t Blocks = Shape.Grid[0].value_or(1);
  if (E->MeetsBounds && Blocks > 1 && !(Few && !E->BlockBound.empty())) {
    // Bounds are met at the ends of the grid: look at those blocks alone.
    Restart();
    double Share = 1.0 / static_cast<double>(Blocks);
    E->run({std::pair(std::int64_t(0), std::int64_t(0))}, Share);
    if (Blocks > 2)
      E->run({std::pair(std::int64_t(1), Blocks - 2)}, 1 - 2 * Share);
    E->run({std::pair(Blocks - 1, Blocks - 1)}, Share);
  }
  constexpr std::int64_t FewestToSample = 27; // Three along each dimension.
  if (!E->BlockBound.empty() && Count > 1 && (Few || Most >= FewestToSample)) {
    InstructionSet BlockBound = std::move(E->BlockBound);
    Restart();
    if (!Few)
      E->Sampled = std::move(BlockBound);
    runOneByOne(*E, Shape.Grid, Most);
  }
  Reached.insert(E->Reached.begin(), E->Reached.end());
  return E->finish();
}

KernelEvaluation evaluateKernel(const Function &Kernel,
                                const LaunchShape &Shape,
                                const Architecture &Arch,
                                const SourceFacts &Facts) {
  KernelEvaluation Out;
  std::set<const GlobalVariable *> Shared;
  std::set<const Value *> Seen;
  std::size_t Instructions = 0;
  for (const Instruction &I : instructions(Kernel)) {
    ++Instructions;
    for (const Use &U : I.operands())
      collectShared(U.get(), Shared, Seen);
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *F = Call ? Call->getCalledFunction() : nullptr;
    if (F && F->getName().starts_with("llvm.nvvm.barrier"))
      ++Out.Barriers;
  }
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  for (const GlobalVariable *G : Shared) {
    std::uint64_t Bytes =
        Layout.getTypeAllocSize(G->getValueType()).getFixedValue();
    if (G->isDeclaration() || Bytes == 0)
      Out.UsesDynamicShared = true;
    else
      Out.StaticSharedBytes += Bytes;
  }

  std::shared_ptr<const KernelStructure> Structure =
      makeKernelStructure(Kernel);
  InstructionSet Reached;
  Out.Accesses =
      evaluateBlock(*Structure, Instructions, Shape, Arch, Facts, Reached);
  if (Shape.BlockSource != LaunchSource::Assumed)
    return Out;
  // The block was a guess: what it never reaches, another one may.
  for (std::array<std::int64_t, 3> Block : AlternativeBlocks) {
    LaunchShape Other = Shape;
    Other.Block = Block;
    if (Block == Shape.Block || Reached.size() >= countAccesses(Kernel))
      continue;
    std::vector<Access> More =
        evaluateBlock(*Structure, Instructions, Other, Arch, Facts, Reached);
    Out.Accesses.insert(Out.Accesses.end(), More.begin(), More.end());
  }
  return Out;
}

} // namespace cudalint
