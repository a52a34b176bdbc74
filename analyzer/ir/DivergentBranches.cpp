//===- analyzer/ir/DivergentBranches.cpp - Lanes that part ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/DivergentBranches.h"

#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/BranchSides.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/WarpGroups.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <bit>
#include <map>

using namespace llvm;

namespace cudalint {

/// Instructions that are evaluated turn by turn, over all warps of a block.
static constexpr std::size_t WorkPerBlock = 400'000;

namespace {
/// What the warps of a block do at one branch.
class BranchVisits {
public:
  explicit BranchVisits(const MarkedSides &Of) : Of(Of) {}

  void add(const BlockVisit &V);
  /// Nothing where not all is known, or no lanes part.
  std::optional<DivergentBranch> finish() const;

private:
  const MarkedSides &Of;
  bool IsKnown = true;
  unsigned Visits = 0, Parted = 0;
  double Issued = 0, Needed = 0;
  /// How often lanes part so: how many take each side.
  std::map<std::vector<unsigned>, unsigned> Splits;
};
} // namespace

void BranchVisits::add(const BlockVisit &V) {
  // Who comes at all, or which side it takes, data decides.
  if (V.Sides.empty() || V.DataDriven) {
    IsKnown = false;
    return;
  }
  ++Visits;
  std::vector<unsigned> Lanes(Of.Instructions.size());
  for (std::size_t K = 0; K != Lanes.size() && K != V.Sides.size(); ++K)
    Lanes[K] = static_cast<unsigned>(std::popcount(V.Sides[K]));
  const auto All = static_cast<double>(std::popcount(V.May));
  unsigned Long = 0;
  for (std::size_t K = 0; K != Lanes.size(); ++K)
    if (Lanes[K]) {
      Issued += Of.Instructions[K];
      Needed += Of.Instructions[K] * Lanes[K] / All;
      Long += Of.Instructions[K] >= LeastOfSide;
    }
  if (Long < 2)
    return;
  ++Parted;
  ++Splits[Lanes];
}

std::optional<DivergentBranch> BranchVisits::finish() const {
  if (!IsKnown || !Parted)
    return std::nullopt;
  DivergentBranch Out;
  const auto Most = std::ranges::max_element(
      Splits, {}, [](const auto &S) { return S.second; });
  for (std::size_t K = 0; K != Most->first.size(); ++K)
    if (Most->first[K])
      Out.Sides.push_back({Most->first[K], Of.Instructions[K]});
  Out.IsAtLeast = Of.IsAtLeast;
  Out.Parting = static_cast<double>(Parted) / Visits;
  Out.Issued = Issued / Visits;
  Out.Needed = Needed / Visits;
  Out.LostOfKernel = (Out.Issued - Out.Needed) * Of.Times / Of.OfKernel;
  return Out;
}

void addDivergentBranches(const Function &Kernel, const LaunchShape &Shape,
                          const SourceFacts &Facts,
                          std::vector<DivergentBranch> &Out) {
  std::map<const BasicBlock *, MarkedSides> Marked;
  std::map<const BasicBlock *, const Instruction *> Marks;
  for (const Instruction &I : instructions(Kernel))
    if (const std::optional<MarkedSides> Of = markedSides(I)) {
      Marked.emplace(I.getParent(), *Of);
      Marks.emplace(I.getParent(), &I);
    }
  // Which lanes are in a warp, only the launch says.
  if (Marked.empty() || !isLaunched(Shape.BlockSource))
    return;
  KernelStructure Structure(Kernel);
  DenseSet<const BasicBlock *> Blocks;
  std::map<const BasicBlock *, BranchVisits> Visits;
  for (const auto &[B, Of] : Marked) {
    Blocks.insert(B);
    Visits.emplace(B, Of);
  }
  Structure.watch(std::move(Blocks));
  struct VisitSink : WarpSink {
    std::map<const BasicBlock *, BranchVisits> &Visits;
    explicit VisitSink(std::map<const BasicBlock *, BranchVisits> &Visits)
        : Visits(Visits) {}
    void add(const Request &) override {}
    void finish(const WarpOutcome &Outcome) override {
      for (const BlockVisit &V : Outcome.Visits)
        if (const auto Of = Visits.find(V.Block); Of != Visits.end())
          Of->second.add(V);
    }
  };
  const std::int64_t Threads = Shape.Block[0] * Shape.Block[1] * Shape.Block[2];
  const auto Warps = static_cast<unsigned>((Threads + WarpSize - 1) / WarpSize);
  WarpGroups(Warps).run(
      Structure, Shape, WorkPerBlock / std::max(Warps, 1u),
      [&](LaneArithmetic &) { return std::make_unique<VisitSink>(Visits); });
  for (const auto &[B, Of] : Visits)
    if (std::optional<DivergentBranch> Found = Of.finish()) {
      Found->Place = codePlaceOf(*Marks[B], Facts);
      Found->Block = Shape.Block;
      if (std::ranges::count(Out, Found->Place, &DivergentBranch::Place) == 0)
        Out.push_back(std::move(*Found));
    }
  std::ranges::sort(Out, {}, &DivergentBranch::Place);
}

} // namespace cudalint
