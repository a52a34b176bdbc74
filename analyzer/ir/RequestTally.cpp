//===- analyzer/ir/RequestTally.cpp - Requests to accesses ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RequestTally.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/AccessTally.h"
#include "analyzer/ir/CompiledMatching.h"
#include "analyzer/ir/Expectation.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/RequestVariants.h"
#include "analyzer/ir/StagedLoads.h"
#include "analyzer/ir/StrideLattice.h"
#include "analyzer/ir/StrideTally.h"
#include "analyzer/ir/UnknownCause.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>

using namespace llvm;

namespace cudalint {

struct RequestTally::Implementation {
  const Architecture &Arch;
  const KernelStructure &Kernel;
  const LaunchShape &Shape;
  const SourceFacts &Facts;
  std::deque<AccessTally> Tallies{}; ///< In the order in which they were met.
  /// By instruction, part and piece.
  std::map<std::tuple<const Instruction *, unsigned, unsigned>, AccessTally *>
      TallyOf{};
  /// By instruction and part.
  std::map<std::pair<const Instruction *, unsigned>, WarpShifts> Shifts{};
  /// Of global memory, likewise.
  std::map<std::pair<const Instruction *, unsigned>, StrideLattice> Lattices{};
  AddressGroups Groups{};
  unsigned Start = 0; ///< How often it started anew.
  unsigned Runs = 0;  ///< Of a warp of a block, that are over.
  /// Of the runs since it started anew that are over.
  std::vector<double> Shares{};
  RandomCosts Random{Arch};

  double warps() const {
    const auto [X, Y, Z] = Shape.Block;
    return std::ceil(static_cast<double>(X * Y * Z) / WarpSize);
  }
  AccessTally &tallyOf(const Request &R);
  void noteMakers(AccessTally &T, const Request &R);
  void expect(AccessTally &T, const LaneArithmetic &A, const Request &R,
              double Weight);
  void note(AccessTally &T, const LaneArithmetic &A, const Request &R,
            double BlockWeight);
  bool leaveOutPitch(AccessTally &T, const Request &R, AddressVariants &V);
  void addVariants(AccessTally &T, const Request &R, AddressVariants &V,
                   double BlockWeight);
  void explain(AccessTally &T, const Request &R);
  void explainCounted(AccessTally &T, const Request &R);
  void setUnknown(AccessTally &T, const Request &R, UnknownCause Because,
                  std::string Why);
};

RequestTally::RequestTally(const Architecture &Arch,
                           const KernelStructure &Kernel,
                           const LaunchShape &Shape, const SourceFacts &Facts)
    : I(new Implementation{Arch, Kernel, Shape, Facts}) {}
RequestTally::~RequestTally() = default;

/// See Access::BytesOfWhole. One or two bytes of a larger element can only be
/// of a number, and four where the source says so; unless its alignment makes
/// several loads of it.
static unsigned bytesOfWhole(const Access &A, const Request &R,
                             const KernelStructure &Kernel) {
  constexpr unsigned LargestNumber = 8;
  const unsigned Whole = Kernel.accesses(*R.Inst)[R.Part].Bytes;
  const std::optional<MarkedAccess> Marked = markedAccess(*R.Inst);
  const bool IsOfNumber =
      A.Bytes <= 2 || (A.Source.IsScalar && A.Source.Bytes == Whole);
  return R.Op == AccessOp::Load && IsOfNumber && Whole <= LargestNumber &&
                 Whole > A.Bytes && Marked && Marked->Align >= Whole
             ? Whole
             : 0;
}

AccessTally &RequestTally::Implementation::tallyOf(const Request &R) {
  auto [It, New] = TallyOf.try_emplace({R.Inst, R.Part, R.Piece});
  if (New)
    It->second = &Tallies.emplace_back();
  else if (It->second->Start == Start)
    return *It->second;
  else
    *It->second = AccessTally();
  AccessTally &T = *It->second;
  T.Start = Start;
  T.FirstRun = Runs;
  T.Inst = R.Inst;
  T.Part = R.Part;
  T.Piece = R.Piece;
  T.As = R.As;
  Access &A = T.Result;
  A.Op = R.Op;
  A.Space = R.Space;
  A.Bytes = pieceOf(R);
  A.Volatile = R.Volatile;
  const auto *Update = dyn_cast<AtomicRMWInst>(R.Inst);
  A.IsExchange = isa<AtomicCmpXchgInst>(R.Inst) ||
                 (Update && Update->getOperation() == AtomicRMWInst::Xchg);
  A.Kind = kindOf(Arch, R);
  A.Block = Shape.Block;
  A.BlockSource = Shape.BlockSource;
  A.LoopDepth = loopDepth(Kernel, *R.Inst);
  A.Place = Kernel.placeOf(*R.Inst);
  A.Kernel = R.Inst->getFunction()->getName().str();
  A.GroupKey = Groups.keyOf(R, Start);
  Request OfLane = R;
  OfLane.Active &= ~OfLane.Active + 1;
  T.Random = RandomSums(costOf(Arch, OfLane, A.Bytes, {}).PerRequest);
  locate(A, *R.Inst, Facts);
  const ArrayRef<StaticAccess> Parts = Kernel.accesses(*R.Inst);
  A.Source.GoesToShared |= isStaged(*R.Inst, Parts, R.Op);
  A.BytesOfWhole = bytesOfWhole(A, R, Kernel);
  A.IsOfPassedSize = Kernel.isOfPassedSize(*Parts[R.Part].Pointer);
  return T;
}

void RequestTally::Implementation::noteMakers(AccessTally &T,
                                              const Request &R) {
  for (const Instruction *Maker : R.Makers) {
    Access Place;
    Place.Op = R.Op;
    locate(Place, *Maker, Facts);
    T.Written.insert(std::move(Place.Source));
  }
  T.IsMadeByOthersAlone &= !R.Makers.empty();
}

/// Finds what the address is computed from that is not known.
void RequestTally::Implementation::explain(AccessTally &T, const Request &R) {
  UnknownReason Reason =
      explainUnknown(*Kernel.accesses(*R.Inst)[R.Part].Pointer, Kernel, Facts);
  // Lanes that are known one by one: the model gave up on their sum.
  if (Reason.Cause == UnknownCause::NotModelled &&
      !(R.Address.Unknown & R.Active))
    return;
  T.setUnknown(Reason.Cause, "the address depends on " + Reason.What);
  T.CauseWhere = std::move(Reason.Where);
}

void RequestTally::Implementation::setUnknown(AccessTally &T, const Request &R,
                                              UnknownCause Because,
                                              std::string Why) {
  T.setUnknown(Because, std::move(Why));
  T.CauseWhere =
      whereUnknown(Because, *R.Inst, *Kernel.accesses(*R.Inst)[R.Part].Pointer,
                   Kernel, Facts);
}

/// The same where lanes are counted, whatever else the address depends on: the
/// data by which they are.
void RequestTally::Implementation::explainCounted(AccessTally &T,
                                                  const Request &R) {
  const Value *Predicate = R.Counted->Predicate;
  if (R.Counted->OnlyYes || !Predicate) {
    setUnknown(T, R, UnknownCause::LoadedLanes,
               "which lanes take part depends on loaded data");
    return;
  }
  const UnknownReason Reason = explainUnknown(*Predicate, Kernel, Facts);
  T.setUnknown(UnknownCause::LoadedData,
               "the address depends on " + Reason.What);
  T.CauseWhere = Reason.Where;
}

/// Adds what a request costs if the data is random that its address comes from.
/// Which lanes take part must not be data, too, unless it is these that count
/// themselves in the address.
void RequestTally::Implementation::expect(AccessTally &T,
                                          const LaneArithmetic &A,
                                          const Request &R, double Weight) {
  if (Weight == 0)
    return;
  std::optional<Expectation> Each;
  if (R.Counted && !(R.As && R.As->IsWider))
    Each = Random.expectation(R, *R.Counted, T.Result.Bytes, A, T.DistinctLeft);
  else if (R.Random && !R.DataDriven)
    Each = Random.expectation(R, *R.Random, T.Result.Bytes, A, T.DistinctLeft);
  T.Random.add(Each, Each ? Each->Lanes : std::popcount(R.Active), Weight);
}

void RequestTally::addOfWarps(LaneArithmetic &A, const Request &R,
                              unsigned First, unsigned Last) {
  if (R.Space == MemorySpace::Global)
    I->Lattices[{R.Inst, R.Part}].add(A, R, First, Last);
  if (R.Space != MemorySpace::Shared || !R.Active || First == Last)
    return;
  WarpShifts &Its = I->Shifts[{R.Inst, R.Part}];
  if (!Its.AreAskedFor) {
    Access Place;
    Place.Op = R.Op;
    locate(Place, *R.Inst, I->Facts);
    Its.AreAskedFor = Place.Source.FixedRow.has_value();
  }
  if (*Its.AreAskedFor)
    Its.add(A, R, First, Last);
}

void RequestTally::addUnreached(const Request &R) {
  if (!R.Active || R.Space == MemorySpace::Constant ||
      I->TallyOf.contains({R.Inst, R.Part, R.Piece}))
    return;
  AccessTally &T = I->tallyOf(R);
  T.setUnknown(UnknownCause::LoopBound,
               "none of the turns that are looked at reaches it");
  T.WhyNotCounted = "none of the turns that are looked at reaches it";
}

/// Who makes it, how often, and what that takes for granted, whatever it costs.
void RequestTally::Implementation::note(AccessTally &T, const LaneArithmetic &A,
                                        const Request &R, double BlockWeight) {
  // Of one address for all lanes, nvcc makes an operand.
  if (R.Space == MemorySpace::Constant)
    T.Assumptions.insert(OwnInstructions);
  noteMakers(T, R);
  noteRows(T.Result, A, R, Shifts[{R.Inst, R.Part}]);
  noteReach(T.Result, A, R);
  noteBlocks(T.Result, A, R);
  T.Base.add(A, R);
  T.Turns.add(A, R, Runs);
  T.count(R, BlockWeight, Shares.size());
  expect(T, A, R, BlockWeight * R.Weight);
  T.AssumedBits |= R.Address.Assumes;
  if (R.Sampled)
    T.AssumedBits |= AssumesSampled;
  if (R.Doubtful && (R.DataDriven || !(R.Address.Assumes & AssumesBlockLanes)))
    T.AssumedBits |= AssumesAllLanes;
}

/// Nothing is known of the offsets, unless a pitch on which they depend changes
/// nothing: then any will do. False: they stay unknown.
bool RequestTally::Implementation::leaveOutPitch(AccessTally &T,
                                                 const Request &R,
                                                 AddressVariants &V) {
  const std::optional<RuntimeStride> &Stride = T.Result.Stride;
  if (Stride && Stride->PerRequest.size() &&
      std::ranges::all_of(Stride->PerRequest, [&](double P) {
        return P == Stride->PerRequest[0];
      })) {
    V.Offsets.push_back(withStride(R.Address, *V.Stride, 0));
    T.StrideFloor = std::max(T.StrideFloor, Stride->PerRequest[0]);
    T.Result.Stride.reset();
    return true;
  }
  setUnknown(T, R, V.Cause, V.WhyUnknown);
  if (R.Counted)
    explainCounted(T, R);
  else if (V.Cause == UnknownCause::LoadedData)
    explain(T, R);
  return false;
}

/// Adds what each of the offsets costs, which are equally frequent.
void RequestTally::Implementation::addVariants(AccessTally &T, const Request &R,
                                               AddressVariants &V,
                                               double BlockWeight) {
  double Weight =
      BlockWeight * R.Weight / static_cast<double>(V.Offsets.size());
  double Least = 0, Most = 0;
  std::size_t Aligned = 0;
  const RequestSums Before = {.Requests = T.Sum.Requests,
                              .PerRequest = T.Sum.PerRequest,
                              .Ideal = T.Sum.Ideal,
                              .LaneSum = T.Sum.LaneSum};
  for (std::size_t K = 0; K < V.Offsets.size(); ++K) {
    RequestSums *Into = &T.Sum;
    T.AreUneven |= R.As && R.As->IsWider && areUneven(V.Offsets[K], R);
    if (R.As && R.As->IsWider && alignDown(V.Offsets[K], R)) {
      Into = &T.Misaligned;
      T.Executions -= Weight;
      T.MisalignedExecutions += Weight;
    } else {
      ++Aligned;
    }
    const double Cost = Into->add(Arch, R, T.Result.Bytes, V.Offsets[K], Weight,
                                  K != 0 || Runs != T.FirstRun,
                                  V.MadeUp.empty() ? nullptr : V.MadeUp[K]);
    Least = K ? std::min(Least, Cost) : Cost;
    Most = std::max(Most, Cost);
  }
  if (Aligned == 0)
    T.addToRuns(R, Shares.size(), -R.Weight);
  T.IsMeanOfRun |= Aligned != 0 && Aligned != V.Offsets.size();
  T.addInOrder(R, Before, BlockWeight, Runs);
  if (Least != Most) {
    T.DiffersByTurn |= V.ByTurn;
    T.DiffersByBlock |= V.ByBlock;
    T.SomeBlocks |= R.SomeBlocks;
  }
}

bool RequestTally::add(const LaneArithmetic &A, const Request &R,
                       double BlockWeight) {
  if (!R.Active)
    return false;
  if (R.Space == MemorySpace::Constant &&
      !isConstantVariable(A, I->Kernel.accesses(*R.Inst)[R.Part].Pointer, R))
    return false;
  AccessTally &T = I->tallyOf(R);
  BlockWeight *= R.AlikeWarps;
  I->note(T, A, R, BlockWeight);
  const bool IsWider = R.As && R.As->IsWider;
  if (!T.WhyUnknown.empty() && !IsWider) {
    if (T.Result.Stride && R.Space == MemorySpace::Shared)
      addBesideStride(T, I->Arch, A, R, I->Kernel);
    return false;
  }
  AddressVariants V = variantsOf(A, R, I->Arch, T.Result.Bytes);
  const bool Happens =
      !IsWider || std::ranges::any_of(V.Offsets, [&](LaneOffsets Offsets) {
        return !alignDown(Offsets, R);
      });
  if (!T.WhyUnknown.empty())
    return Happens;
  if (V.Stride)
    addStride(T, I->Arch, A, R, I->Kernel, *V.Stride);
  if (V.Offsets.empty() && !I->leaveOutPitch(T, R, V))
    return false;
  if (!V.WhyOneHolds.empty() && !costTheSame(I->Arch, R, T.Result.Bytes, V)) {
    I->setUnknown(T, R, UnknownCause::RunTimeValue, V.WhyOneHolds);
    return Happens;
  }
  if (R.Space != MemorySpace::Local)
    T.Assumptions.merge(V.Assumptions);
  if (R.Assumptions)
    T.Assumptions.insert(R.Assumptions->begin(), R.Assumptions->end());
  if (R.DataDriven && R.Space != MemorySpace::Local &&
      !holdsForAnyLanes(R, [&](const Request &Part) {
        return costOf(I->Arch, Part, T.Result.Bytes, V.Offsets[0]);
      })) {
    I->setUnknown(T, R, UnknownCause::LoadedLanes,
                  "which lanes take part depends on loaded data");
    return Happens;
  }
  if (V.TakesRound && R.Space != MemorySpace::Local &&
      R.Space != MemorySpace::Constant)
    T.Sum.bound(I->Arch, A, R, T.Result.Bytes);
  I->addVariants(T, R, V, BlockWeight);
  return Happens;
}

void RequestTally::addOutcome(const WarpOutcome &Outcome, double BlockWeight) {
  ++I->Runs;
  I->Shares.push_back(BlockWeight / I->warps());
  if (Outcome.leftNothingOut())
    return;
  for (AccessTally &T : I->Tallies) {
    unsigned Hoisted = T.As ? T.As->Hoisted : 0, K = 0;
    const llvm::Loop *L = I->Kernel.loopOf(T.Inst->getParent());
    for (; T.Start == I->Start && L; L = L->getParentLoop(), ++K) {
      const bool IsCut = Outcome.CutShort.contains(L);
      T.Truncated |= IsCut;
      T.CutLoops |= IsCut && !Hoisted && K < 32 ? 1u << K : 0;
      if (Hoisted && Hoisted--)
        continue;
      // Also where only turns that were all looked at came to it.
      if (Outcome.SampledAccesses.contains({L, T.Inst}))
        T.AssumedBits |= AssumesSampled;
      if (Outcome.LeftByLane.contains(L))
        T.LeftByLane = std::max(T.LeftByLane, L->getLoopDepth());
    }
  }
}

void RequestTally::startAnew() {
  ++I->Start;
  I->Shares.clear();
}

void RequestTally::assumeSomeBlocks() {
  for (AccessTally &T : I->Tallies)
    if (T.Start == I->Start)
      T.AssumedBits |= AssumesSomeBlocks;
}

std::vector<const Instruction *>
RequestTally::uneven(const std::set<const llvm::Loop *> &BoundByBlock) const {
  std::vector<const Instruction *> Out;
  for (const AccessTally &T : I->Tallies) {
    if (!T.DiffersByTurn && !T.DiffersByBlock && T.WhyUnknown.empty())
      continue;
    bool Uneven = T.DiffersByBlock && T.SomeBlocks;
    for (const llvm::Loop *L = I->Kernel.loopOf(T.Inst->getParent()); L;
         L = L->getParentLoop())
      Uneven |= BoundByBlock.contains(L);
    if (Uneven)
      Out.push_back(T.Inst);
  }
  return Out;
}

void RequestTally::forget(const std::vector<const Instruction *> &Instructions,
                          const std::string &Why) {
  for (AccessTally &T : I->Tallies)
    if (llvm::is_contained(Instructions, T.Inst) && T.WhyUnknown.empty())
      T.setUnknown(UnknownCause::Blocks, Why);
}

std::vector<const Instruction *> RequestTally::unknown() const {
  std::vector<const Instruction *> Out;
  for (const AccessTally &T : I->Tallies)
    if (!T.WhyUnknown.empty())
      Out.push_back(T.Inst);
  return Out;
}

std::vector<CollectedAccess> RequestTally::finish() {
  std::vector<CollectedAccess> Out;
  Out.reserve(I->Tallies.size());
  const auto Shares = std::make_shared<const std::vector<double>>(I->Shares);
  std::map<std::vector<StrideLattice::Sum>, std::uint64_t> Places;
  for (AccessTally &T : I->Tallies) {
    tellLeastStride(T);
    nameRows(T);
    Out.push_back(T.finish(I->Shape, I->warps()));
    if (const auto Its = I->Lattices[{T.Inst, T.Part}].place(); !Its.empty())
      Out.back().Result.Lattice =
          Places.try_emplace(Its, Places.size() + 1).first->second;
    if (T.Start != I->Start || T.IsMeanOfRun || Out.back().IsMisaligned)
      continue;
    T.ByRun.resize(Shares->size());
    Out.back().ByRun = std::move(T.ByRun);
    Out.back().Shares = Shares;
  }
  return Out;
}

} // namespace cudalint
