//===- analyzer/ir/KernelEvaluator.cpp - Accesses of a kernel -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/ir/SharedVariables.h"

#include "analyzer/ir/AccessCollector.h"
#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/FittingBlock.h"
#include "analyzer/ir/FootprintCollector.h"
#include "analyzer/ir/InstructionShares.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/LongCode.h"
#include "analyzer/ir/Operations.h"
#include "analyzer/ir/PowerValues.h"
#include "analyzer/ir/SharedRequests.h"
#include "analyzer/ir/WarpGroups.h"
#include "analyzer/ir/WarpInterpreter.h"
#include "analyzer/ir/WiderRequests.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

using namespace llvm;

namespace cudalint {

using InstructionSet = DenseSet<const Instruction *>;

/// Instructions that are evaluated turn by turn for one kernel, over all of
/// its warps; beyond it, loops are generalised. Keeps a kernel below the time
/// that its parse takes.
static constexpr std::size_t WorkPerKernel = 400'000;

llvm::Function *findKernel(Module &M, const std::string &Name) {
  Function *F = M.getFunction(Name);
  return F && !F->isDeclaration() && !accessesLeftOut(*F) ? F : nullptr;
}

/// Shapes that are tried for what an assumed one does not reach.
static constexpr std::array<std::int64_t, 3> AlternativeBlocks[] = {
    {256, 1, 1}, {128, 4, 1}, {16, 16, 1}, {32, 1, 1}, {1024, 1, 1}};

static bool isOneAddress(const Request &R) {
  const auto First = static_cast<unsigned>(std::countr_zero(R.Active));
  for (unsigned L = First; L < WarpSize; ++L)
    if (R.Active >> L & 1 &&
        (R.Address.Unknown >> L & 1 ||
         R.Address.Constant[L] != R.Address.Constant[First] ||
         llvm::any_of(R.Address.Terms, [&](const Term &T) {
           return T.Coefficient[L] != T.Coefficient[First];
         })))
      return false;
  return true;
}

namespace {

/// Evaluation of one kernel under one block shape.
class BlockEvaluation {
public:
  BlockEvaluation(const KernelStructure &Structure, std::size_t Instructions,
                  const LaunchShape &Shape, const Architecture &Arch,
                  const SourceFacts &Facts, const AccessPlan &Plan,
                  const InstructionSet &LeaveOut)
      : Structure(Structure), Shape(Shape), Plan(Plan), LeaveOut(LeaveOut),
        Collector(Arch, Structure, Shape, Facts),
        Footprint(Structure, Facts, Plan) {
    std::int64_t Threads = Shape.Block[0] * Shape.Block[1] * Shape.Block[2];
    Warps = static_cast<unsigned>((Threads + WarpSize - 1) / WarpSize);
    Groups = WarpGroups(Warps);
    LeastWork = std::max<std::size_t>(Warps * Instructions, 1);
    // Every warp gets its share, and at least each instruction a few times.
    Work = std::max(WorkPerKernel / std::max(Warps, 1u),
                    std::min<std::size_t>(4 * Instructions, 20'000));
  }

  /// Runs all warps of the blocks that are meant; they count `Weight` times.
  void run(const BlockRanges &Blocks, double Weight) {
    LaunchShape Part = Shape;
    Part.Blocks = Blocks;
    Groups.run(Structure, Part, Work, [&](LaneArithmetic &Arithmetic) {
      return std::make_unique<WarpRequests>(*this, Arithmetic, Weight);
    });
    if (!IsFootprintKept)
      Footprint.endBlock(
          Weight, [&](const Instruction *I) { return Reached.contains(I); });
  }

  /// By which dimensions of blockIdx it is open whether warps of \p Blocks make
  /// \p Accesses.
  unsigned openIn(const BlockRanges &Blocks,
                  const InstructionSet &Accesses) const {
    LaunchShape Part = Shape;
    Part.Blocks = Blocks;
    unsigned Open = 0;
    struct OpenRequests : WarpSink {
      const InstructionSet &Accesses;
      unsigned &Open;
      OpenRequests(const InstructionSet &Accesses, unsigned &Open)
          : Accesses(Accesses), Open(Open) {}
      void add(const Request &R) override {
        if (!R.IsSure && !R.DataDriven && Accesses.contains(R.Inst))
          Open |= R.OpenBlocks;
      }
    };
    WarpGroups(Groups).run(Structure, Part, Work, [&](LaneArithmetic &) {
      return std::make_unique<OpenRequests>(Accesses, Open);
    });
    return Open;
  }

  /// The next runs are of so many parts of the grid.
  void expectParts(std::size_t Parts) {
    Work =
        WorkPerKernel / std::max(Warps, 1u) / std::max<std::size_t>(Parts, 1);
  }

  /// Adds what is accessed only in turns that no run looked at. Without work
  /// every loop is one turn that stands for all.
  void addUnreached() {
    const InstructionSet Before = Reached;
    if (llvm::none_of(
            instructions(Structure.function()), [&](const Instruction &I) {
              return accessesMemory(I) && Structure.loopOf(I.getParent()) &&
                     !Before.contains(&I);
            }))
      return;
    struct UnreachedRequests : WarpSink {
      BlockEvaluation &E;
      const InstructionSet &Before;
      UnreachedRequests(BlockEvaluation &E, const InstructionSet &Before)
          : E(E), Before(Before) {}
      void add(const Request &R) override {
        if (E.LeaveOut.contains(R.Inst) || Before.contains(R.Inst))
          return;
        E.Reached.insert(R.Inst);
        E.forEachPart(
            R, [&](const Request &Part) { E.Collector.addUnreached(Part); });
      }
    };
    Groups.run(Structure, Shape, 0, [&](LaneArithmetic &) {
      return std::make_unique<UnreachedRequests>(*this, Before);
    });
  }

  /// Accesses that do not cost the same in each turn or block, and blockIdx
  /// decides how often there is which.
  std::vector<const Instruction *> unevenByBlock() const {
    return Collector.uneven(BoundByBlock);
  }

  /// Nothing is known of what these access.
  void forget(const std::vector<const Instruction *> &Instructions) {
    Collector.forget(Instructions, "it costs more in some blocks than in "
                                   "others, and the grid is not known");
  }

  /// The next runs, which are all `Blocks` of the grid, replace what is known
  /// of the accesses that differ from block to block, and what is not known of
  /// any, where they reach them.
  void refine(std::size_t Blocks,
              const std::vector<const Instruction *> &Uneven) {
    // Whatever an access costs, the bytes of a block are those of all of them.
    IsFootprintKept = Footprint.isKnown();
    if (!IsFootprintKept)
      Footprint.startAnew();
    Only = BlockBound;
    Only->insert(Uneven.begin(), Uneven.end());
    for (const Instruction *I : Collector.unknown())
      Only->insert(I);
    restart(Blocks);
  }

  /// The same for so many blocks that stand for the grid, and for what these
  /// instructions access alone.
  void refineBySome(std::size_t Blocks,
                    const std::vector<const Instruction *> &Instructions) {
    IsFootprintKept = true;
    Only.emplace(Instructions.begin(), Instructions.end());
    restart(Blocks);
  }
  void assumeSomeBlocks() { Collector.assumeSomeBlocks(); }

  /// Instructions that one run evaluates at least.
  std::size_t leastWork() const { return LeastWork; }

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

  std::vector<CollectedAccess> finish() { return Collector.finish(); }
  const FootprintCollector &footprint() const { return Footprint; }

  /// Accesses that some request of another has in it.
  JoinedAccesses Joined;
  OperationCount Operations;           ///< Of a warp, a mean.
  const char *WhyNotCounted = nullptr; ///< Or why that is not known.

private:
  const KernelStructure &Structure;
  const LaunchShape &Shape;
  const AccessPlan &Plan;
  const InstructionSet &LeaveOut;
  AccessCollector Collector;
  FootprintCollector Footprint;
  bool IsFootprintKept = false; ///< What runs from here on is no part of it.
  unsigned Warps;
  WarpGroups Groups;
  std::size_t Work;
  std::size_t LeastWork;
  std::optional<InstructionSet> Only; ///< Meant by the runs; or all.
  std::set<const llvm::Loop *> BoundByBlock;

  /// The requests of one warp on their way to the collector.
  struct WarpRequests : WarpSink {
    BlockEvaluation &E;
    LaneArithmetic &Arithmetic;
    double Weight;
    SharedRequests Shared;
    WiderRequests Wider;
    NeighbourRequests Neighbours;

    WarpRequests(BlockEvaluation &E, LaneArithmetic &Arithmetic, double Weight)
        : E(E), Arithmetic(Arithmetic), Weight(Weight),
          Shared(Arithmetic, E.Plan, E.Joined,
                 [this](const Request &Whole) {
                   this->E.Collector.add(this->Arithmetic, Whole, this->Weight);
                 }),
          Wider(E.Plan),
          Neighbours(
              E.Plan,
              [this](const Request &R, const CompiledPart &As) {
                return this->E.Collector.add(
                    this->Arithmetic, this->E.partOf(R, As), this->Weight);
              },
              [this](const Request &R) { toParts(R); },
              [this](const Request &Held) {
                this->E.Joined.insert({Held.Inst, Held.Part});
              }) {
      E.MadeOnce.clear();
    }

    unsigned companyOf(const Request &R) const override {
      return E.Plan.companyOf(*R.Inst, R.Part);
    }

    void add(const Request &R) override {
      if (E.LeaveOut.contains(R.Inst) || !R.Weight ||
          (E.Only && !E.Only->contains(R.Inst)))
        return;
      E.Reached.insert(R.Inst);
      E.Requests += R.AlikeWarps;
      if (R.Doubtful && (R.Address.Assumes & AssumesBlockLanes))
        E.BlockBound.insert(R.Inst);
      if (!R.IsSure && R.OpenBlocks && !R.DataDriven)
        E.OpenByBlock.insert(R.Inst);
      E.MeetsBounds |= (R.Doubtful & ~R.DataDriven) != 0;
      if (E.Plan.isAmongNeighbours(*R.Inst, R.Part))
        Neighbours.add(R);
      else
        toParts(R);
    }

    void addOfWarps(const Request &R, unsigned First, unsigned Last) override {
      if (R.Space == MemorySpace::Shared && R.IsSure && !R.UncountedLoops &&
          R.Weight && !E.LeaveOut.contains(R.Inst))
        for (unsigned W = First; W <= Last && !E.LeavesArray; ++W) {
          Request Each = R;
          Each.Address = Arithmetic.inWarp(R.Address, W);
          E.LeavesArray = leavesSharedArray(Arithmetic, Each);
        }
      if (!E.IsFootprintKept && !E.LeaveOut.contains(R.Inst))
        E.Footprint.add(Arithmetic, R, First, Last);
    }

    void finish(const WarpOutcome &Outcome) override {
      Neighbours.finish();
      Shared.finish();
      E.Collector.addOutcome(Outcome, Weight);
      E.Footprint.endWarp(Outcome);
      E.Operations.add(Outcome.Operations, Weight / E.Warps);
      if (Outcome.WhyNotCounted)
        E.WhyNotCounted = Outcome.WhyNotCounted;
      else if (!Outcome.CutShort.empty() && !E.WhyNotCounted)
        E.WhyNotCounted = "not all turns of a long loop were looked at";
      E.BoundByBlock.insert(Outcome.BoundByBlock.begin(),
                            Outcome.BoundByBlock.end());
      E.LeavesTurnsOut |= !Outcome.CutShort.empty() || !Outcome.Sampled.empty();
    }

    void toParts(const Request &R) {
      E.add(R, Arithmetic, Shared, Wider, Weight);
    }
  };

  /// Adds the request as the instructions that the plan makes of it, but for
  /// those that it makes with neighbours.
  void add(const Request &R, LaneArithmetic &Arithmetic, SharedRequests &Shared,
           WiderRequests &Wider, double Weight) {
    bool IsAdded = !Plan.find(*R.Inst, R.Part) ||
                   Plan.find(*R.Inst, R.Part)->Parts.empty();
    forEachPart(R, [&](const Request &Part) {
      if (Part.As && Part.As->IsOfNeighbours)
        return;
      IsAdded = true;
      if (!Part.As)
        Collector.add(Arithmetic, Part, Weight);
      else if (Part.As->IsWider) {
        if (Wider.mayHappen(Part))
          Wider.note(Part, Collector.add(Arithmetic,
                                         Part.As->IsOfAllBranches
                                             ? Shared.ofAllBranches(Part)
                                             : Part,
                                         Weight));
      } else if (Wider.cover(Part))
        Joined.insert({Part.Inst, Part.Part});
      else if (Part.As->IsShared)
        Shared.add(Part);
      else
        Collector.add(Arithmetic, Part, Weight);
    });
    // It is part of wider ones, in turns that were not looked at.
    if (!IsAdded)
      Joined.insert({R.Inst, R.Part});
  }

  /// The request as one of the parts of what the plan makes of it.
  Request partOf(const Request &R, const CompiledPart &As) const {
    const CompiledAccess &Compiled = *Plan.find(*R.Inst, R.Part);
    Request Part = R;
    Part.Piece = static_cast<unsigned>(&As - Compiled.Parts.data());
    if (!As.IsAsWritten) {
      Part.As = &As;
      Part.Bytes = As.Bytes;
    }
    Part.Assumptions = &Compiled.Assumptions;
    if (As.OneLane && isOneAddress(Part)) {
      Part.Active &= ~Part.Active + 1; // the lowest of them
      Part.Doubtful &= Part.Active;
      Part.DataDriven &= Part.Active;
    }
    if (As.Offset)
      Part.Address.Constant = Part.Address.Constant.map(
          [&](std::int64_t At) { return At + As.Offset; });
    return Part;
  }

  /// Calls \p Add with the request as the instructions that the plan makes of
  /// it, or as it is.
  template <typename Function>
  void forEachPart(const Request &R, Function Add) {
    const CompiledAccess *Compiled = Plan.find(*R.Inst, R.Part);
    if (!Compiled) {
      Add(R);
      return;
    }
    for (const CompiledPart &Each : Compiled->Parts) {
      Request Part = partOf(R, Each);
      if (!Each.Hoisted || makesOnce(Each.Hoisted, Part))
        Add(Part);
    }
  }

  /// Of an access that leaves \p Loops loops: its first request since the
  /// outermost of them was entered stands for all.
  bool makesOnce(unsigned Loops, Request &Part) {
    const Request::LoopEntry &Entry =
        Part.Entries[std::min(Loops, Request::MostEntries) - 1];
    if (!MadeOnce.insert({Part.Inst, Part.Part, Part.Piece, Entry.Number})
             .second)
      return false;
    Part.Weight = Entry.Weight;
    Part.Repeated = {};
    return true;
  }
  std::set<std::tuple<const Instruction *, unsigned, unsigned, unsigned>>
      MadeOnce; ///< In the run of the warp, by loops as they were entered.

  void restart(std::size_t Blocks) {
    expectParts(Blocks);
    Collector.startAnew();
    BoundByBlock.clear();
    Operations = {};
    WhyNotCounted = nullptr;
  }
};

} // namespace

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

/// Accesses under one shape that are not in `Reached`, to which they are added.
static FoundInBlock
evaluateBlock(const KernelStructure &Structure, std::size_t Instructions,
              const LaunchShape &Shape, const Architecture &Arch,
              const SourceFacts &Facts, const AccessPlan &Plan,
              InstructionSet &Reached, JoinedAccesses &Joined,
              KernelEvaluation &Out) {
  std::optional<BlockEvaluation> E;
  auto Restart = [&] {
    E.emplace(Structure, Instructions, Shape, Arch, Facts, Plan, Reached);
  };
  Restart();
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
    Restart();
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
  InstructionSet Open;
  for (const CollectedAccess &A : Found)
    if (!A.Result.Executions && E->OpenByBlock.contains(A.Inst))
      Open.insert(A.Inst);
  if (!Open.empty() && Count > 1 && Most > 1)
    countInParts(Found, Open, Shape.Grid, static_cast<std::size_t>(Most),
                 Count <= Most,
                 {Structure, Instructions, Shape, Arch, Facts, Plan, Reached},
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
static void lookAtEachPower(FoundInBlock &Found,
                            const KernelStructure &Structure,
                            std::size_t Instructions, const LaunchShape &Shape,
                            const Architecture &Arch, const SourceFacts &Facts,
                            const AccessPlan &Plan) {
  const auto [X, Y, Z] = Shape.Block;
  const auto Warps =
      static_cast<std::size_t>((X * Y * Z + WarpSize - 1) / WarpSize);
  if (Instructions * Warps > MostWorkByPower ||
      Found.Requests > MostWorkByPower ||
      std::ranges::all_of(Found.Accesses, [](const CollectedAccess &A) {
        return A.Result.Trust == Certainty::Exact;
      }))
    return;
  for (const PowerParameter &Of :
       powerParameters(Structure.function(), Shape)) {
    std::vector<PowerRun> Runs;
    for (unsigned Exponent = 0; Exponent <= MostExponent; ++Exponent) {
      LaunchShape Each = Shape;
      Each.Arguments.resize(
          std::max<std::size_t>(Each.Arguments.size(), Of.Index + 1));
      Each.Arguments[Of.Index] = Of.argument(Exponent);
      InstructionSet Reached;
      JoinedAccesses Joined;
      KernelEvaluation Ignored;
      FoundInBlock One = evaluateBlock(Structure, Instructions, Each, Arch,
                                       Facts, Plan, Reached, Joined, Ignored);
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
  InstructionSet Reached;
  JoinedAccesses Joined;
  FoundInBlock Block = evaluateBlock(*Structure, Instructions, Shape, Arch,
                                     Facts, Plan, Reached, Joined, Out);
  lookAtEachPower(Block, *Structure, Instructions, Shape, Arch, Facts, Plan);
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
      std::ranges::move(evaluateBlock(*Structure, Instructions, Other, Arch,
                                      Facts, Plan, Reached, Joined, OfOthers)
                            .Accesses,
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
