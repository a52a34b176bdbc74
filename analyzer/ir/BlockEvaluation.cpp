//===- analyzer/ir/BlockEvaluation.cpp - All warps of one block -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/BlockEvaluation.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/FittingBlock.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/WarpInterpreter.h"
#include "analyzer/ir/WiderRequests.h"

#include "llvm/IR/InstIterator.h"

#include <algorithm>
#include <bit>

using namespace llvm;

namespace cudalint {

/// Instructions that are evaluated turn by turn for one kernel, over all of
/// its warps; beyond it, loops are generalised. Keeps a kernel below the time
/// that its parse takes.
static constexpr std::size_t WorkPerKernel = 400'000;

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

BlockEvaluation::BlockEvaluation(const EvaluatedKernel &Kernel,
                                 const LaunchShape &Shape,
                                 const InstructionSet &LeaveOut)
    : Structure(Kernel.Structure), Shape(Shape), Plan(Kernel.Plan),
      LeaveOut(LeaveOut),
      Collector(Kernel.Arch, Structure, Shape, Kernel.Facts),
      Footprint(Structure, Kernel.Facts, Plan) {
  std::int64_t Threads = Shape.Block[0] * Shape.Block[1] * Shape.Block[2];
  Warps = static_cast<unsigned>((Threads + WarpSize - 1) / WarpSize);
  Groups = WarpGroups(Warps);
  LeastWork = std::max<std::size_t>(Warps * Kernel.Instructions, 1);
  // Every warp gets its share, and at least each instruction a few times.
  Work = std::max(WorkPerKernel / std::max(Warps, 1u),
                  std::min<std::size_t>(4 * Kernel.Instructions, 20'000));
}

/// The requests of one warp on their way to the collector.
struct BlockEvaluation::WarpRequests : WarpSink {
  BlockEvaluation &E;
  LaneArithmetic &Arithmetic;
  double Weight;
  SharedRequests Shared;
  WiderRequests Wider;
  NeighbourRequests Neighbours;

  WarpRequests(BlockEvaluation &E, LaneArithmetic &Arithmetic, double Weight)
      : E(E), Arithmetic(Arithmetic), Weight(Weight),
        Shared(Arithmetic, E.Plan, E.Found.Joined,
               [this](const Request &Whole) {
                 this->E.Collector.add(this->Arithmetic, Whole, this->Weight);
               }),
        Wider(E.Plan),
        Neighbours(
            E.Plan,
            [this](const Request &R, const CompiledPart &As) {
              return this->E.Collector.add(this->Arithmetic,
                                           this->E.partOf(R, As), this->Weight);
            },
            [this](const Request &R) { toParts(R); },
            [this](const Request &Held) {
              this->E.Found.Joined.insert({Held.Inst, Held.Part});
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
    E.Found.Reached.insert(R.Inst);
    E.Found.Requests += R.AlikeWarps;
    if (R.Doubtful && (R.Address.Assumes & AssumesBlockLanes))
      E.Found.BlockBound.insert(R.Inst);
    if (!R.IsSure && R.OpenBlocks && !R.DataDriven)
      E.Found.OpenByBlock.insert(R.Inst);
    E.Found.MeetsBounds |= (R.Doubtful & ~R.DataDriven) != 0;
    if (E.Plan.isAmongNeighbours(*R.Inst, R.Part))
      Neighbours.add(R);
    else
      toParts(R);
  }

  void addOfWarps(const Request &R, unsigned First, unsigned Last) override {
    if (R.Space == MemorySpace::Shared && R.IsSure && !R.OpenLoops &&
        R.Weight && !E.LeaveOut.contains(R.Inst))
      for (unsigned W = First; W <= Last && !E.Found.LeavesArray; ++W) {
        Request Each = R;
        Each.Address = Arithmetic.inWarp(R.Address, W);
        E.Found.LeavesArray = leavesSharedArray(Arithmetic, Each);
      }
    E.Collector.addOfWarps(Arithmetic, R, First, Last);
    if (R.Op == AccessOp::Atomic)
      E.Found.Targets.add(Arithmetic, R);
    if (!E.IsFootprintKept && !E.LeaveOut.contains(R.Inst))
      E.Footprint.add(Arithmetic, R, First, Last);
  }

  void finish(const WarpOutcome &Outcome) override {
    Neighbours.finish();
    Shared.finish();
    E.Collector.addOutcome(Outcome, Weight);
    E.Footprint.endWarp(Outcome);
    E.Found.Operations.add(Outcome.Operations, Weight / E.Warps);
    if (Outcome.WhyNotCounted)
      E.Found.WhyNotCounted = Outcome.WhyNotCounted;
    else if (!Outcome.CutShort.empty() && !E.Found.WhyNotCounted)
      E.Found.WhyNotCounted = "not all turns of a long loop were looked at";
    E.BoundByBlock.insert(Outcome.BoundByBlock.begin(),
                          Outcome.BoundByBlock.end());
    E.Found.LeavesTurnsOut |=
        !Outcome.CutShort.empty() || !Outcome.Sampled.empty();
  }

  void toParts(const Request &R) {
    E.add(R, Arithmetic, Shared, Wider, Weight);
  }
};

void BlockEvaluation::run(const std::vector<GridPart> &Parts) {
  for (const GridPart &Each : Parts)
    runPart(Each);
}

void BlockEvaluation::runPart(const GridPart &Part) {
  LaunchShape Its = Shape;
  Its.Blocks = Part.Blocks;
  Groups.run(Structure, Its, Work, [&](LaneArithmetic &Arithmetic) {
    return std::make_unique<WarpRequests>(*this, Arithmetic, Part.Share);
  });
  if (!IsFootprintKept)
    Footprint.endBlock(Part.Share, [&](const Instruction *I) {
      return Found.Reached.contains(I);
    });
}

unsigned BlockEvaluation::openIn(const BlockRanges &Blocks,
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

bool BlockEvaluation::isInLoopByBlock(const Instruction &I) const {
  const Loop *L = Structure.loopOf(I.getParent());
  while (L && !BoundByBlock.contains(L))
    L = L->getParentLoop();
  return L;
}

void BlockEvaluation::expectParts(std::size_t Parts) {
  Work = WorkPerKernel / std::max(Warps, 1u) / std::max<std::size_t>(Parts, 1);
}

void BlockEvaluation::addUnreached() {
  const InstructionSet Before = Found.Reached;
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
      E.Found.Reached.insert(R.Inst);
      E.forEachPart(
          R, [&](const Request &Part) { E.Collector.addUnreached(Part); });
    }
  };
  Groups.run(Structure, Shape, 0, [&](LaneArithmetic &) {
    return std::make_unique<UnreachedRequests>(*this, Before);
  });
}

void BlockEvaluation::refine(std::size_t Blocks,
                             const std::vector<const Instruction *> &Uneven) {
  // Whatever an access costs, the bytes of a block are those of all of them.
  IsFootprintKept = Footprint.isKnown();
  if (!IsFootprintKept)
    Footprint.startAnew();
  Only = Found.BlockBound;
  Only->insert(Uneven.begin(), Uneven.end());
  for (const Instruction *I : Collector.unknown())
    Only->insert(I);
  restart(Blocks);
}

void BlockEvaluation::refineBySome(
    std::size_t Blocks, const std::vector<const Instruction *> &Instructions) {
  IsFootprintKept = true;
  Only.emplace(Instructions.begin(), Instructions.end());
  restart(Blocks);
}

/// Adds the request as the instructions that the plan makes of it, but for
/// those that it makes with neighbours.
void BlockEvaluation::add(const Request &R, LaneArithmetic &Arithmetic,
                          SharedRequests &Shared, WiderRequests &Wider,
                          double Weight) {
  bool IsAdded =
      !Plan.find(*R.Inst, R.Part) || Plan.find(*R.Inst, R.Part)->Parts.empty();
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
      Found.Joined.insert({Part.Inst, Part.Part});
    else if (Part.As->IsShared)
      Shared.add(Part);
    else
      Collector.add(Arithmetic, Part, Weight);
  });
  // It is part of wider ones, in turns that were not looked at.
  if (!IsAdded)
    Found.Joined.insert({R.Inst, R.Part});
}

/// The request as one of the parts of what the plan makes of it.
Request BlockEvaluation::partOf(const Request &R,
                                const CompiledPart &As) const {
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
void BlockEvaluation::forEachPart(const Request &R, Function Add) {
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
bool BlockEvaluation::makesOnce(unsigned Loops, Request &Part) {
  const Request::LoopEntry &Entry =
      Part.Entries[std::min(Loops, Request::MostEntries) - 1];
  if (!MadeOnce.insert({Part.Inst, Part.Part, Part.Piece, Entry.Number}).second)
    return false;
  Part.Weight = Entry.Weight;
  Part.Repeated = {};
  return true;
}

void BlockEvaluation::restart(std::size_t Blocks) {
  expectParts(Blocks);
  Collector.startAnew();
  BoundByBlock.clear();
  Found.Operations = {};
  Found.WhyNotCounted = nullptr;
}

} // namespace cudalint
