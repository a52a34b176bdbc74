//===- analyzer/ir/BarrierArrivals.cpp - Who arrives at barriers ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/BarrierArrivals.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/WarpGroups.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <bit>
#include <map>

using namespace llvm;

namespace cudalint {

namespace {
/// The code of a kernel, as far as it has to do with barriers.
class BarrierCode {
public:
  explicit BarrierCode(const Function &Kernel);

  /// All that may be a barrier of the block is one of those that are known, and
  /// not all of them are passed by whoever runs the kernel.
  bool isWorthRunning() const { return IsKnown && MayPart; }
  bool isKnown() const { return IsKnown; }
  DenseSet<const BasicBlock *> watched() const;

  unsigned barriersIn(const BasicBlock *B) const {
    const auto Found = Barriers.find(B);
    return Found == Barriers.end() ? 0 : Found->second.Number;
  }
  const Instruction *barrierOf(const BasicBlock *B) const {
    return Barriers.find(B)->second.First;
  }
  /// All lanes of a warp have to be at it at once.
  bool isAligned(const BasicBlock *B) const {
    return Barriers.find(B)->second.IsAligned;
  }
  bool hasEffects(const BasicBlock *B) const { return Effects.contains(B); }
  /// The end of the last block before \p B from which some ways lead past it;
  /// null for none.
  const Instruction *branchBefore(const BasicBlock *B) const;

private:
  struct BarriersOfBlock {
    const Instruction *First = nullptr;
    unsigned Number = 0;
    bool IsAligned = true;
  };
  const Function &Kernel;
  DominatorTree Dominators;
  PostDominatorTree PostDominators;
  LoopInfo Loops;
  DenseMap<const BasicBlock *, BarriersOfBlock> Barriers;
  DenseSet<const BasicBlock *> Effects;
  bool IsKnown = true, MayPart = false;

  void add(const CallInst &Call);
};
} // namespace

BarrierCode::BarrierCode(const Function &F)
    : Kernel(F), Dominators(const_cast<Function &>(F)),
      PostDominators(const_cast<Function &>(F)), Loops(Dominators) {
  for (const Instruction &I : instructions(F)) {
    if (accessesMemory(I) || I.mayHaveSideEffects())
      Effects.insert(I.getParent());
    if (auto *Call = dyn_cast<CallInst>(&I))
      add(*Call);
  }
  for (const auto &[B, Of] : Barriers)
    MayPart |=
        Loops.getLoopFor(B) || !PostDominators.dominates(B, &F.getEntryBlock());
}

void BarrierCode::add(const CallInst &Call) {
  if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    const StringRef Text = Asm->getAsmString();
    IsKnown &= !Text.contains("bar") && !Text.contains("exit");
    return;
  }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic()) {
    IsKnown &= Callee && (markedAccess(Call) || !Call.isConvergent() ||
                          Callee->getName().starts_with("__nv_"));
    return;
  }
  const StringRef Name = Callee->getName();
  if (!Name.starts_with("llvm.nvvm.barrier"))
    return;
  // Of others, a number of threads is waited for that need not be all. So it
  // is of clusters, which is no matter of one block.
  const bool IsOfBlock =
      Name.starts_with("llvm.nvvm.barrier.cta.") && Name.contains(".all");
  auto *Number =
      Call.arg_size() ? dyn_cast<ConstantInt>(Call.getArgOperand(0)) : nullptr;
  IsKnown &= IsOfBlock && Number && Number->isZero();
  BarriersOfBlock &Of = Barriers[Call.getParent()];
  if (!Of.Number)
    Of.First = &Call;
  ++Of.Number;
  Of.IsAligned &= Name.contains(".aligned.");
}

DenseSet<const BasicBlock *> BarrierCode::watched() const {
  DenseSet<const BasicBlock *> All = Effects;
  All.insert(&Kernel.getEntryBlock());
  for (const auto &[B, Of] : Barriers)
    All.insert(B);
  return All;
}

const Instruction *BarrierCode::branchBefore(const BasicBlock *B) const {
  const Loop *L = Loops.getLoopFor(B);
  for (const auto *Node = Dominators.getNode(B)->getIDom(); Node;
       Node = Node->getIDom()) {
    const BasicBlock *D = Node->getBlock();
    if (L && !L->contains(D))
      break;
    if (!PostDominators.dominates(B, D))
      return D->getTerminator();
  }
  if (L)
    return L->getLoopLatch() ? L->getLoopLatch()->getTerminator() : nullptr;
  return nullptr;
}

bool knowsAllBarriers(const Function &Kernel) {
  return BarrierCode(Kernel).isKnown();
}

namespace {
/// The visits of one warp, in order.
struct WarpVisits {
  unsigned Warp = 0;
  LaneMask Existing = 0;
  std::vector<BlockVisit> Visits;
  bool HasAllTurns = true; ///< And nothing was left out for other reasons.
};

/// A thread at a barrier: of those before it, how many it waited at.
struct Arrival {
  unsigned Thread = 0;
  unsigned Before = 0;
};

/// What the threads of one block do.
class BlockArrivals {
public:
  BlockArrivals(const BarrierCode &Code, const LaunchShape &Shape,
                const SourceFacts &Facts, bool InLastBlock)
      : Code(Code), Shape(Shape), Facts(Facts), InLastBlock(InLastBlock) {}

  void add(const WarpVisits &Of) {
    addParted(Of);
    count(Of);
  }
  void finish();

  /// By the barrier.
  std::map<const Instruction *, DivergentBarrier> Found;

private:
  const BarrierCode &Code;
  const LaunchShape &Shape;
  const SourceFacts &Facts;
  const bool InLastBlock;

  /// The how-manyeth visit of a block by a thread.
  using Meeting = std::pair<const BasicBlock *, unsigned>;
  struct ThreadVisits {
    std::map<const BasicBlock *, unsigned> Visits; ///< Of those with barriers.
    std::vector<std::pair<Meeting, unsigned>> Before; ///< Barriers, in order.
    unsigned Barriers = 0;
  };
  std::map<unsigned, ThreadVisits> Threads; ///< Of which all is known.

  void addParted(const WarpVisits &Of);
  void count(const WarpVisits &Of);
  void addUneven(unsigned T, unsigned U);
  DivergentBarrier &report(const BasicBlock *At);
};
} // namespace

DivergentBarrier &BlockArrivals::report(const BasicBlock *At) {
  DivergentBarrier &D = Found[Code.barrierOf(At)];
  D.Place = codePlaceOf(*Code.barrierOf(At), Facts);
  if (const Instruction *Branch = Code.branchBefore(At);
      Branch && Branch->getDebugLoc())
    D.Branch = codePlaceOf(*Branch, Facts).Where;
  D.Block = Shape.Block;
  D.InLastBlock = InLastBlock;
  return D;
}

/// Lanes of a warp of which some arrive at an aligned barrier, and go on
/// together with others that did not.
void BlockArrivals::addParted(const WarpVisits &Of) {
  for (std::size_t I = 0; I != Of.Visits.size(); ++I) {
    const BlockVisit &V = Of.Visits[I];
    if (!Code.barriersIn(V.Block) || !Code.isAligned(V.Block) ||
        Found.contains(Code.barrierOf(V.Block)))
      continue;
    const LaneMask Missing = Of.Existing & ~V.May;
    // Who may arrive or not, nobody knows; the others are known.
    if (!V.Sure || !Missing)
      continue;
    for (const BlockVisit &Later : std::span(Of.Visits).subspan(I + 1)) {
      const LaneMask Met = Later.Sure & Missing;
      if (!(Later.Sure & V.Sure) || !Met || !Code.hasEffects(Later.Block))
        continue;
      DivergentBarrier &D = report(V.Block);
      const unsigned First = Of.Warp * WarpSize;
      D.Arrives = First + static_cast<unsigned>(std::countr_zero(V.Sure));
      D.Missing = First + static_cast<unsigned>(std::countr_zero(Met));
      D.Lanes = static_cast<unsigned>(std::popcount(V.May));
      D.LanesOfWarp = static_cast<unsigned>(std::popcount(Of.Existing));
      break;
    }
  }
}

/// Notes the barriers of the threads of which all are known.
void BlockArrivals::count(const WarpVisits &Of) {
  LaneMask Known = Of.HasAllTurns ? Of.Existing : 0;
  for (const BlockVisit &V : Of.Visits)
    if (!V.Block || Code.barriersIn(V.Block))
      Known &= V.Block ? ~(V.May & ~V.Sure) : 0;
  for (unsigned L = 0; L != WarpSize; ++L) {
    if (!(Known >> L & 1))
      continue;
    ThreadVisits &T = Threads[Of.Warp * WarpSize + L];
    for (const BlockVisit &V : Of.Visits) {
      const unsigned Barriers = Code.barriersIn(V.Block);
      if (!Barriers || !(V.Sure >> L & 1))
        continue;
      T.Before.push_back({{V.Block, T.Visits[V.Block]++}, T.Barriers});
      T.Barriers += Barriers;
    }
  }
}

/// Threads that meet at a barrier although one of them, \p T, has waited more
/// often before: reports the first barrier that the other did not wait at.
void BlockArrivals::addUneven(unsigned T, unsigned U) {
  const ThreadVisits &More = Threads[T], &Less = Threads[U];
  std::map<Meeting, unsigned> BeforeOfLess(Less.Before.begin(),
                                           Less.Before.end());
  const BasicBlock *Skipped = nullptr;
  for (const auto &[At, Before] : More.Before) {
    const auto Other = BeforeOfLess.find(At);
    if (Other == BeforeOfLess.end()) {
      if (!Skipped)
        Skipped = At.first;
      continue;
    }
    if (Other->second >= Before)
      continue;
    if (!Skipped || Found.contains(Code.barrierOf(Skipped)))
      return;
    DivergentBarrier &D = report(Skipped);
    D.Arrives = T;
    D.Missing = U;
    D.Meeting = codePlaceOf(*Code.barrierOf(At.first), Facts).Where;
    D.BarriersOfArriving = Before;
    D.BarriersOfMissing = Other->second;
    return;
  }
}

void BlockArrivals::finish() {
  if (Threads.empty())
    return;
  // Threads with equal numbers may part and wait at different places, as warps
  // with different roles do: each still waits for all.
  const auto Most = std::ranges::max_element(
      Threads, {}, [](const auto &T) { return T.second.Barriers; });
  std::map<unsigned, unsigned> Seen; // Threads by their numbers of barriers.
  for (const auto &[Thread, Of] : Threads)
    Seen.try_emplace(Of.Barriers, Thread);
  for (const auto &[Barriers, Thread] : Seen)
    if (Barriers != Most->second.Barriers)
      addUneven(Most->first, Thread);
}

/// Runs the warps of some blocks.
static std::vector<WarpVisits> visitsOf(const KernelStructure &Structure,
                                        const LaunchShape &Shape,
                                        unsigned Warps) {
  struct VisitSink : WarpSink {
    std::vector<WarpVisits> &All;
    explicit VisitSink(std::vector<WarpVisits> &All) : All(All) {}
    void add(const Request &) override {}
    void finish(const WarpOutcome &Outcome) override {
      WarpVisits &Of = All.emplace_back();
      Of.Warp = static_cast<unsigned>(All.size()) - 1;
      Of.Visits = Outcome.Visits;
      Of.Existing = Of.Visits.empty() ? 0 : Of.Visits.front().May;
      Of.HasAllTurns = Outcome.CutShort.empty() && Outcome.Sampled.empty() &&
                       !(Outcome.LeftOutUnder & ~AssumesMeeting);
    }
  };
  std::vector<WarpVisits> All;
  WarpGroups(Warps).run(
      Structure, Shape, BarrierWorkPerBlock / Warps,
      [&](LaneArithmetic &) { return std::make_unique<VisitSink>(All); });
  return All;
}

void addDivergentBarriers(const Function &Kernel, const LaunchShape &Shape,
                          const SourceFacts &Facts,
                          std::vector<DivergentBarrier> &Out) {
  const std::int64_t Threads = Shape.Block[0] * Shape.Block[1] * Shape.Block[2];
  // Who is there at all, only the launch says.
  if (!isLaunched(Shape.BlockSource) || Threads < 2)
    return;
  const BarrierCode Code(Kernel);
  if (!Code.isWorthRunning())
    return;
  KernelStructure Structure(Kernel);
  Structure.watch(Code.watched());
  const auto Warps = static_cast<unsigned>((Threads + WarpSize - 1) / WarpSize);
  auto Run = [&](const BlockRanges &Blocks, bool InLastBlock) {
    LaunchShape Of = Shape;
    Of.Blocks = Blocks;
    BlockArrivals Block(Code, Shape, Facts, InLastBlock);
    for (const WarpVisits &Each : visitsOf(Structure, Of, Warps))
      Block.add(Each);
    Block.finish();
    for (auto &[Barrier, Found] : Block.Found)
      if (std::ranges::count(Out, Found.Place, &DivergentBarrier::Place) == 0)
        Out.push_back(std::move(Found));
    return !Block.Found.empty();
  };
  // Bounds are met at the end of the grid.
  BlockRanges Last;
  for (unsigned D = 0; D != 3; ++D)
    if (Shape.Grid[D])
      Last[D] = std::pair(*Shape.Grid[D] - 1, *Shape.Grid[D] - 1);
  if (!Run({}, false) && Last != BlockRanges())
    Run(Last, true);
  std::ranges::sort(Out, {}, &DivergentBarrier::Place);
}

} // namespace cudalint
