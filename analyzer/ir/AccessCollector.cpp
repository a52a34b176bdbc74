//===- analyzer/ir/AccessCollector.cpp - Requests to accesses -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessCollector.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/AddressVariants.h"
#include "analyzer/ir/CompiledMatching.h"
#include "analyzer/ir/Expectation.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/RequestCost.h"
#include "analyzer/ir/UnknownCause.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <map>
#include <set>

using namespace llvm;

namespace cudalint {

/// Patterns of one access that are kept for checks and explanations.
static constexpr std::size_t MaxSamples = 8;

namespace {

/// What requests cost, added up.
struct Sums {
  /// What a request costs if sizes that are taken to be round are not.
  double Least = INFINITY, Most = 0;
  unsigned BoundsOf = 0; ///< So many requests.
  double Requests = 0, PerRequest = 0, Ideal = 0, LaneSum = 0, BytesUsed = 0;
  unsigned Ways = 0;
  /// Costs of patterns seen, by offsets relative to the first and remainder.
  std::map<std::pair<LaneOffsets, LaneMask>,
           std::pair<RequestCost, RequestSample>>
      Patterns;
};

/// The requests of an access in the order in which each warp makes them, as
/// long as that is one for all warps.
class Sequence {
public:
  /// The next request of the warp that run number \p Run is of.
  void add(unsigned Run, const Traffic &Mean) {
    if (IsBroken)
      return;
    if (Run != Current) {
      finishWarp();
      Current = Run;
    }
    if (Next == MostRequests || (Length && Next == Length)) {
      stop();
      return;
    }
    if (Next == Sum.size())
      Sum.emplace_back();
    Traffic &Into = Sum[Next++];
    Into.Requests += Mean.Requests;
    Into.PerRequest += Mean.Requests * Mean.PerRequest;
    Into.Ideal += Mean.Requests * Mean.Ideal;
    Into.Lanes += Mean.Requests * Mean.Lanes;
  }
  /// There is no such order.
  void stop() {
    IsBroken = true;
    Sum.clear();
  }
  /// Empty unless the requests differ.
  std::vector<Traffic> finish() {
    finishWarp();
    for (Traffic &T : Sum) {
      T.PerRequest /= T.Requests;
      T.Ideal /= T.Requests;
      T.Lanes /= T.Requests;
      T.Requests = 1;
    }
    // Blocks that are a tenth of the grid do not add up to the last bit.
    auto IsAsFirst = [&](double Traffic::*Mean) {
      return std::ranges::all_of(Sum, [&](const Traffic &T) {
        return std::abs(T.*Mean - Sum[0].*Mean) <= 1e-9 * Sum[0].*Mean;
      });
    };
    if (IsAsFirst(&Traffic::PerRequest) && IsAsFirst(&Traffic::Ideal) &&
        IsAsFirst(&Traffic::Lanes))
      return {};
    return std::move(Sum);
  }

private:
  void finishWarp() {
    if (Next && Length && Next != Length)
      stop();
    if (Next && !Length)
      Length = Next;
    Next = 0;
  }
  static constexpr std::size_t MostRequests = 1024;
  std::vector<Traffic> Sum;
  std::size_t Next = 0, Length = 0;
  unsigned Current = 0;
  bool IsBroken = false;
};

/// What requests at addresses from data cost, added up.
class RandomSums {
public:
  RandomSums() = default;
  /// No request of one lane costs more than \p MostOfLane.
  explicit RandomSums(double MostOfLane) : MostOfLane(MostOfLane) {}

  /// \p Weight requests, of which nothing but the lanes is known without
  /// \p Each.
  void add(const std::optional<Expectation> &Each, double RequestLanes,
           double Weight) {
    All += Weight;
    Lanes += Weight * RequestLanes;
    MostLanes = std::max(MostLanes, RequestLanes);
    if (!Each)
      return;
    Known += Weight;
    Sum.PerRequest += Weight * Each->PerRequest;
    Sum.Ideal += Weight * Each->Ideal;
    Sum.IfEqual += Weight * Each->IfEqual;
    // The same draws stand for all of them.
    Sum.StandardError += Weight * Each->StandardError;
    Sum.IsExact &= Each->IsExact;
    Sum.IsCounted |= Each->IsCounted;
    Sum.Least = std::min(Sum.Least, Each->Least);
    Sum.Most = std::max(Sum.Most, Each->Most);
  }

  bool isKnownOfAll() const { return Known == All; }

  /// Nothing where nothing is known. \p IsCutShort: nobody knows how many more
  /// requests there are.
  std::optional<Expectation> mean(bool IsCutShort) const {
    if (Known == 0)
      return std::nullopt;
    Expectation Out = Sum;
    for (double Expectation::*Each :
         {&Expectation::PerRequest, &Expectation::Ideal, &Expectation::IfEqual,
          &Expectation::StandardError})
      Out.*Each /= Known;
    Out.Lanes = Lanes / All;
    if (Known == All && !IsCutShort)
      return Out;
    Out.IsExact = false;
    Out.Least = 1;
    Out.Most = MostLanes * MostOfLane;
    // No standard deviation between two bounds is more than half of it.
    const double Share = IsCutShort ? 1 : 1 - Known / All;
    Out.StandardError += Share * (Out.Most - Out.Least) / 2;
    return Out;
  }

private:
  Expectation Sum = {.Least = INFINITY, .IsExact = true};
  double MostOfLane = 0, MostLanes = 0;
  double All = 0, Known = 0, Lanes = 0; ///< Of requests.
};

struct Tally {
  Access Result;
  const Instruction *Inst = nullptr;
  unsigned Part = 0, Piece = 0;
  const CompiledPart *As = nullptr;
  unsigned Start = 0; ///< Of the collector, when its first request came.
  Sums Sum;
  /// Of requests that are wider than what is written and begin somewhere in
  /// the wider word.
  Sums Misaligned;
  SmallBitVector Warps;            ///< That execute it.
  double Executions = 0;           ///< By all warps of a block.
  double MisalignedExecutions = 0; ///< Of requests in Misaligned.
  Sequence InOrder;
  RandomSums Random;
  /// What branches have written there; nothing: what Inst has.
  std::set<AccessFact> Written;
  bool IsMadeByOthersAlone = true;
  /// So many more different requests at random addresses are looked at: more
  /// than there are turns of most loops that are written out.
  unsigned DistinctLeft = 64;
  const char *WhyNotCounted = nullptr;
  std::set<std::string> Assumptions;
  std::uint32_t AssumedBits = 0;
  std::string WhyUnknown;
  UnknownCause Cause = UnknownCause::NotModelled;
  Location CauseWhere;
  /// From here on there is no number.
  void setUnknown(UnknownCause Because, std::string Why) {
    WhyUnknown = std::move(Why);
    Cause = Because;
  }
  bool Truncated = false;
  unsigned LeftByLane = 0; ///< As in CollectedAccess.
  /// Costs differ from turn to turn or from block to block, of which each was
  /// taken to be as frequent.
  bool DiffersByTurn = false, DiffersByBlock = false;
  bool SomeBlocks = false; ///< And not all blocks come there.

  std::vector<double> ByRun;
  bool IsMeanOfRun = false; ///< Some of ByRun differ by what is not known.

  /// In run number \p Run, and those of the warps that it stands for.
  void addToRuns(const Request &R, std::size_t Run, double Weight) {
    const std::size_t Last = Run + (R.AlikeWarps - 1) * R.AlikeStep;
    ByRun.resize(std::max(ByRun.size(), Last + 1));
    for (std::size_t Each = Run; Each <= Last; Each += R.AlikeStep)
      ByRun[Each] += Weight;
  }

  void count(const Request &R, double BlockWeight, std::size_t Run) {
    addToRuns(R, Run, R.Weight);
    const unsigned LastWarp = R.Warp + (R.AlikeWarps - 1) * R.AlikeStep;
    if (Warps.size() <= LastWarp)
      Warps.resize(LastWarp + 1);
    for (unsigned W = R.Warp; W <= LastWarp; W += R.AlikeStep)
      Warps.set(W);
    Executions += BlockWeight * R.Weight;
    if (R.UncountedLoops > (R.As ? R.As->Hoisted : 0))
      WhyNotCounted = "only the run tells how often a loop around it turns";
    else if (!R.IsSure)
      WhyNotCounted = "a condition decides whether it runs that is not known";
  }
};

} // namespace

struct AccessCollector::Implementation {
  const Architecture &Arch;
  const KernelStructure &Kernel;
  const LaunchShape &Shape;
  const SourceFacts &Facts;
  std::deque<Tally> Tallies{}; ///< In the order in which they were met.
  /// By instruction, part and piece.
  std::map<std::tuple<const Instruction *, unsigned, unsigned>, Tally *>
      TallyOf{};
  std::map<std::vector<std::int64_t>, std::uint64_t> Groups{};
  unsigned Start = 0; ///< How often it started anew.
  unsigned Runs = 0;  ///< Of a warp of a block, that are over.
  /// Of the runs since it started anew that are over.
  std::vector<double> Shares{};
  RandomCosts Random{Arch};

  double warps() const {
    const auto [X, Y, Z] = Shape.Block;
    return std::ceil(static_cast<double>(X * Y * Z) / WarpSize);
  }
  Tally &tallyOf(const Request &R);
  void noteMakers(Tally &T, const Request &R);
  double addPattern(Tally &T, Sums &Sum, const Request &R,
                    const LaneOffsets &Offsets, double Weight,
                    std::shared_ptr<const MadeUpOffsets> MadeUp);
  void addStride(Tally &T, const Request &R, const StrideSymbol &S);
  void bound(Sums &Sum, const LaneArithmetic &A, const Request &R,
             unsigned Piece);
  void expect(Tally &T, const LaneArithmetic &A, const Request &R,
              double Weight);
  std::uint64_t groupKey(const Request &R);
  void explain(Tally &T, const Request &R);
  void explainCounted(Tally &T, const Request &R);
  void setUnknown(Tally &T, const Request &R, UnknownCause Because,
                  std::string Why);
};

AccessCollector::AccessCollector(const Architecture &Arch,
                                 const KernelStructure &Kernel,
                                 const LaunchShape &Shape,
                                 const SourceFacts &Facts)
    : I(new Implementation{Arch, Kernel, Shape, Facts}) {}
AccessCollector::~AccessCollector() = default;

Tally &AccessCollector::Implementation::tallyOf(const Request &R) {
  auto [It, New] = TallyOf.try_emplace({R.Inst, R.Part, R.Piece});
  if (New)
    It->second = &Tallies.emplace_back();
  else if (It->second->Start == Start)
    return *It->second;
  Tally &T = *It->second;
  T = Tally();
  T.Start = Start;
  T.Inst = R.Inst;
  T.Part = R.Part;
  T.Piece = R.Piece;
  T.As = R.As;
  Access &A = T.Result;
  A.Op = R.Op;
  A.Space = R.Space;
  A.Bytes = pieceOf(R);
  // One or two bytes of a larger element can only be of an integer, unless its
  // alignment makes several loads of it.
  const unsigned Whole = Kernel.accesses(*R.Inst)[R.Part].Bytes;
  const std::optional<MarkedAccess> Marked = markedAccess(*R.Inst);
  if (R.Op == AccessOp::Load && A.Bytes <= 2 && Whole <= 8 && Whole > A.Bytes &&
      Marked && Marked->Align >= Whole)
    A.BytesOfWhole = Whole;
  A.Volatile = R.Volatile;
  A.Kind = kindOf(Arch, R);
  A.Block = Shape.Block;
  A.BlockSource = Shape.BlockSource;
  A.LoopDepth = loopDepth(Kernel, *R.Inst);
  A.Kernel = R.Inst->getFunction()->getName().str();
  A.GroupKey = groupKey(R);
  Request OfLane = R;
  OfLane.Active &= ~OfLane.Active + 1;
  T.Random = RandomSums(costOf(Arch, OfLane, A.Bytes, {}).PerRequest);
  locate(A, *R.Inst, Facts);
  return T;
}

void AccessCollector::Implementation::noteMakers(Tally &T, const Request &R) {
  for (const Instruction *Maker : R.Makers) {
    Access Place;
    Place.Op = R.Op;
    locate(Place, *Maker, Facts);
    T.Written.insert(std::move(Place.Source));
  }
  T.IsMadeByOthersAlone &= !R.Makers.empty();
}

/// Finds what the address is computed from that is not known.
void AccessCollector::Implementation::explain(Tally &T, const Request &R) {
  UnknownReason Reason =
      explainUnknown(*Kernel.accesses(*R.Inst)[R.Part].Pointer, Kernel, Facts);
  // Lanes that are known one by one: the model gave up on their sum.
  if (Reason.Cause == UnknownCause::NotModelled &&
      !(R.Address.Unknown & R.Active))
    return;
  T.setUnknown(Reason.Cause, "the address depends on " + Reason.What);
  T.CauseWhere = std::move(Reason.Where);
}

void AccessCollector::Implementation::setUnknown(Tally &T, const Request &R,
                                                 UnknownCause Because,
                                                 std::string Why) {
  T.setUnknown(Because, std::move(Why));
  T.CauseWhere =
      whereUnknown(Because, *R.Inst, *Kernel.accesses(*R.Inst)[R.Part].Pointer,
                   Kernel, Facts);
}

/// The same where lanes are counted, whatever else the address depends on: the
/// data by which they are.
void AccessCollector::Implementation::explainCounted(Tally &T,
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

/// What the request costs at least and at most if run-time sizes are not the
/// multiples of 32 that they are taken to be.
void AccessCollector::Implementation::bound(Sums &Sum, const LaneArithmetic &A,
                                            const Request &R, unsigned Piece) {
  constexpr unsigned MostBounds = 4;
  if (Sum.BoundsOf >= MostBounds || (R.As && R.As->IsWider))
    return;
  Sum.BoundsOf += R.AlikeWarps;
  for (const LaneOffsets &Offsets :
       globalVariants(A, R.Address, R.Active, globalPeriod(Arch), false)
           .Offsets) {
    const double Each = costOf(Arch, R, Piece, Offsets).PerRequest;
    Sum.Least = std::min(Sum.Least, Each);
    Sum.Most = std::max(Sum.Most, Each);
  }
}

/// Adds what a request costs if the data is random that its address comes from.
/// Which lanes take part must not be data, too, unless it is these that count
/// themselves in the address.
void AccessCollector::Implementation::expect(Tally &T, const LaneArithmetic &A,
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

/// Hostile offsets wrap, as addresses do.
static std::int64_t distance(std::int64_t From, std::int64_t To) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(To) -
                                   static_cast<std::uint64_t>(From));
}

/// Equal for addresses that differ by a constant only.
std::uint64_t AccessCollector::Implementation::groupKey(const Request &R) {
  if (R.Address.Unknown & R.Active || R.Address.Terms.empty())
    return 0;
  std::vector<std::int64_t> Key = {static_cast<std::int64_t>(R.Op),
                                   static_cast<std::int64_t>(R.Space), R.Active,
                                   Start};
  for (const Term &T : R.Address.Terms) {
    Key.push_back(T.S);
    for (unsigned L = 0; L < WarpSize; ++L)
      Key.push_back(T.Coefficient[L]);
  }
  for (unsigned L = 0; L < WarpSize; ++L)
    Key.push_back(distance(R.Address.Constant[0], R.Address.Constant[L]));
  return Groups.try_emplace(std::move(Key), Groups.size() + 1).first->second;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// What the request costs, per ideal.
double AccessCollector::Implementation::addPattern(
    Tally &T, Sums &Sum, const Request &R, const LaneOffsets &Offsets,
    double Weight, std::shared_ptr<const MadeUpOffsets> MadeUp) {
  // Move the pattern near zero by a distance that changes nothing.
  std::int64_t Low = INT64_MAX;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.Active >> L & 1)
      Low = std::min(Low, Offsets[L]);
  constexpr std::int64_t Period = 256;
  std::int64_t Shift = Low & ~(Period - 1);
  LaneOffsets O = {};
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.Active >> L & 1)
      O[L] = distance(Shift, Offsets[L]);
  auto It = Sum.Patterns.find({O, R.Active});
  if (It == Sum.Patterns.end()) {
    RequestCost C;
    unsigned Piece = T.Result.Bytes;
    unsigned Pieces = std::max(1u, R.Bytes / std::max(Piece, 1u));
    for (unsigned P = 0; P < Pieces; ++P) {
      LaneOffsets Q = O;
      for (std::int64_t &X : Q)
        X += P * Piece;
      RequestCost One = costOf(Arch, R, Piece, Q);
      C.PerRequest += One.PerRequest / Pieces;
      C.Ideal += One.Ideal / Pieces;
      C.BytesUsed += One.BytesUsed / Pieces;
      C.Ways = std::max(C.Ways, One.Ways);
    }
    RequestSample S;
    for (unsigned L = 0; L < WarpSize; ++L)
      S.Offset[L] = R.Active >> L & 1 ? Offsets[L] : 0;
    S.ActiveMask = R.Active;
    S.MadeUp = std::move(MadeUp);
    // Data decides many patterns of some accesses: keep memory bounded.
    if (Sum.Patterns.size() > 4096)
      Sum.Patterns.clear();
    It = Sum.Patterns.try_emplace({O, R.Active}, C, S).first;
  }
  const RequestCost &C = It->second.first;
  It->second.second.Weight += Weight;
  Sum.Requests += Weight;
  Sum.PerRequest += Weight * C.PerRequest;
  Sum.Ideal += Weight * C.Ideal;
  Sum.BytesUsed += Weight * C.BytesUsed;
  Sum.Ways = std::max(Sum.Ways, C.Ways);
  Sum.LaneSum += Weight * std::popcount(R.Active);
  return C.PerRequest / std::max(C.Ideal, 1.0);
}

void AccessCollector::Implementation::addStride(Tally &T, const Request &R,
                                                const StrideSymbol &S) {
  if (T.Result.Stride)
    return;
  RuntimeStride Out;
  Out.Symbol = S.Name;
  Out.BytesPerUnit = S.BytesPerUnit;
  // Shared: by remainder, and a pitch of 32 is what 0 stands for.
  const bool Shared = R.Space == MemorySpace::Shared;
  for (std::int64_t V = 0; V <= (Shared ? 31 : 32); ++V)
    Out.PerRequest.push_back(
        costOf(Arch, R, T.Result.Bytes,
               withStride(R.Address, S, Shared && V == 0 ? 32 : V))
            .PerRequest);
  T.Result.Stride = std::move(Out);
}

/// In shared memory the hardware has integer atomics of 32 bits, and swaps of
/// 64; the others are made of loops whose turns depend on how lanes meet.
static bool isCompareAndSwapLoop(const Request &R) {
  return R.Op == AccessOp::Atomic && R.Space == MemorySpace::Shared &&
         (R.Bytes < 4 || R.Atomic == AtomicForm::FloatingPoint ||
          (R.Bytes > 4 && R.Atomic == AtomicForm::Arithmetic));
}

/// Whether a request is good or bad whichever of its lanes data picks: tried
/// with every second lane, every fourth and a scattered half of them.
static bool
holdsForAnyLanes(const Request &R,
                 const std::function<RequestCost(const Request &)> &CostOf) {
  constexpr double Bad = 1.3;
  auto IsBad = [&](LaneMask Mask) {
    Request Part = R;
    Part.Active &= Mask;
    if (!Part.Active)
      return std::optional<bool>();
    RequestCost C = CostOf(Part);
    return std::optional(C.PerRequest >= Bad * C.Ideal);
  };
  bool All = *IsBad(AllLanes);
  for (LaneMask Mask : {0x55555555u, 0x11111111u, 0x6d2b94c3u})
    if (IsBad(Mask).value_or(All) != All)
      return false;
  return true;
}

/// A constant variable of the program; parameters of the kernel are in constant
/// memory, too, but nobody wrote a load of them.
static bool isConstantVariable(const LaneArithmetic &A, const Value *Pointer,
                               const Request &R) {
  while (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer))
    Pointer = Cast->getPointerOperand();
  if (Pointer->getType()->isPointerTy() &&
      Pointer->getType()->getPointerAddressSpace() == 4)
    return true;
  return std::ranges::any_of(R.Address.Terms, [&](const Term &T) {
    auto *Origin = static_cast<const Value *>(A.info(T.S).Origin);
    return Origin && isa<GlobalVariable>(Origin);
  });
}

void AccessCollector::addUnreached(const Request &R) {
  if (!R.Active || R.Space == MemorySpace::Constant ||
      I->TallyOf.contains({R.Inst, R.Part, R.Piece}))
    return;
  Tally &T = I->tallyOf(R);
  T.setUnknown(UnknownCause::LoopBound,
               "none of the turns that are looked at reaches it");
  T.WhyNotCounted = "none of the turns that are looked at reaches it";
}

/// Moves the lanes' addresses to where words as wide as the request begin.
/// False: they are there.
static bool alignDown(LaneOffsets &Offsets, const Request &R) {
  bool Moved = false;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.Active >> L & 1) {
      const std::int64_t In =
          Offsets[L] & (static_cast<std::int64_t>(std::bit_floor(R.Bytes)) - 1);
      Offsets[L] -= In;
      Moved |= In != 0;
    }
  return Moved;
}

static AddressVariants variantsOf(const LaneArithmetic &A, const Request &R,
                                  const Architecture &Arch) {
  AddressVariants V;
  if (R.InCluster) {
    V.WhyUnknown = "shared memory of the cluster may be another block's";
    V.Cause = UnknownCause::OtherBlock;
    return V;
  }
  if (isCompareAndSwapLoop(R)) {
    V.WhyUnknown = "the atomic is a loop that compares and swaps";
    V.Cause = UnknownCause::AtomicLoop;
    return V;
  }
  if (R.Space == MemorySpace::Shared && R.Op == AccessOp::Atomic &&
      R.Bytes > 4) {
    V.WhyUnknown = "swaps of 8 bytes in shared memory are not modelled";
    V.Cause = UnknownCause::NotModelled;
    return V;
  }
  switch (R.Space) {
  case MemorySpace::Shared:
    return sharedVariants(A, R.Address, R.Active);
  case MemorySpace::Local:
    return globalVariants(A, R.Address, R.Active, 4);
  case MemorySpace::Constant:
    return constantVariants(A, R.Address, R.Active);
  default:
    return globalVariants(A, R.Address, R.Active, globalPeriod(Arch));
  }
}

/// What was added for a request since \p Before is one of a sequence.
static void addInOrder(Tally &T, const Request &R, const Sums &Before,
                       double BlockWeight, unsigned Run) {
  const double Requests = T.Sum.Requests - Before.Requests;
  if (R.Weight != 1 || R.Repeated.Period || R.UncountedLoops)
    T.InOrder.stop();
  else if (Requests > BlockWeight * (1 - 1e-9))
    T.InOrder.add(
        Run, {.PerRequest = (T.Sum.PerRequest - Before.PerRequest) / Requests,
              .Ideal = (T.Sum.Ideal - Before.Ideal) / Requests,
              .Lanes = (T.Sum.LaneSum - Before.LaneSum) / Requests,
              .Requests = Requests});
  else if (Requests > 0) // aligned to a wider word in some blocks alone
    T.InOrder.stop();
}

bool AccessCollector::add(const LaneArithmetic &A, const Request &R,
                          double BlockWeight) {
  if (!R.Active)
    return false;
  if (R.Space == MemorySpace::Constant &&
      !isConstantVariable(A, I->Kernel.accesses(*R.Inst)[R.Part].Pointer, R))
    return false;
  Tally &T = I->tallyOf(R);
  // Of one address for all lanes, nvcc makes an operand.
  if (R.Space == MemorySpace::Constant)
    T.Assumptions.insert(OwnInstructions);
  I->noteMakers(T, R);
  BlockWeight *= R.AlikeWarps;
  T.count(R, BlockWeight, I->Shares.size());
  I->expect(T, A, R, BlockWeight * R.Weight);
  T.AssumedBits |= R.Address.Assumes;
  if (R.Sampled)
    T.AssumedBits |= AssumesSampled;
  if (R.Doubtful && (R.DataDriven || !(R.Address.Assumes & AssumesBlockLanes)))
    T.AssumedBits |= AssumesAllLanes;
  const bool IsWider = R.As && R.As->IsWider;
  if (!T.WhyUnknown.empty() && !IsWider)
    return false;
  AddressVariants V = variantsOf(A, R, I->Arch);
  const bool Happens =
      !IsWider || std::ranges::any_of(V.Offsets, [&](LaneOffsets Offsets) {
        return !alignDown(Offsets, R);
      });
  if (!T.WhyUnknown.empty())
    return Happens;
  if (V.Stride)
    I->addStride(T, R, *V.Stride);
  if (V.Offsets.empty()) {
    // A pitch that changes nothing is no reason not to know.
    if (T.Result.Stride && T.Result.Stride->PerRequest.size() &&
        std::ranges::all_of(T.Result.Stride->PerRequest, [&](double P) {
          return P == T.Result.Stride->PerRequest[0];
        })) {
      V.Offsets.push_back(withStride(R.Address, *V.Stride, 0));
      T.Result.Stride.reset();
    } else {
      I->setUnknown(T, R, V.Cause, V.WhyUnknown);
      if (R.Counted)
        I->explainCounted(T, R);
      else if (V.Cause == UnknownCause::LoadedData)
        I->explain(T, R);
      return false;
    }
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
    I->bound(T.Sum, A, R, T.Result.Bytes);
  double Weight =
      BlockWeight * R.Weight / static_cast<double>(V.Offsets.size());
  double Least = 0, Most = 0;
  std::size_t Aligned = 0;
  const Sums Before = {.Requests = T.Sum.Requests,
                       .PerRequest = T.Sum.PerRequest,
                       .Ideal = T.Sum.Ideal,
                       .LaneSum = T.Sum.LaneSum};
  for (std::size_t K = 0; K < V.Offsets.size(); ++K) {
    Sums *Into = &T.Sum;
    if (IsWider && alignDown(V.Offsets[K], R)) {
      Into = &T.Misaligned;
      T.Executions -= Weight;
      T.MisalignedExecutions += Weight;
    } else {
      ++Aligned;
    }
    const double Cost = I->addPattern(T, *Into, R, V.Offsets[K], Weight,
                                      V.MadeUp.empty() ? nullptr : V.MadeUp[K]);
    Least = K ? std::min(Least, Cost) : Cost;
    Most = std::max(Most, Cost);
  }
  if (Aligned == 0)
    T.addToRuns(R, I->Shares.size(), -R.Weight);
  T.IsMeanOfRun |= Aligned != 0 && Aligned != V.Offsets.size();
  addInOrder(T, R, Before, BlockWeight, I->Runs);
  if (Least != Most) {
    T.DiffersByTurn |= V.ByTurn;
    T.DiffersByBlock |= V.ByBlock;
    T.SomeBlocks |= R.SomeBlocks;
  }
  return Happens;
}

void AccessCollector::addOutcome(const WarpOutcome &Outcome,
                                 double BlockWeight) {
  ++I->Runs;
  I->Shares.push_back(BlockWeight / I->warps());
  if (Outcome.CutShort.empty() && Outcome.LeftByLane.empty())
    return;
  for (Tally &T : I->Tallies) {
    unsigned Hoisted = T.As ? T.As->Hoisted : 0;
    for (const llvm::Loop *L = T.Start == I->Start
                                   ? I->Kernel.loopOf(T.Inst->getParent())
                                   : nullptr;
         L; L = L->getParentLoop()) {
      T.Truncated |= Outcome.CutShort.contains(L);
      if (Hoisted)
        --Hoisted;
      else if (Outcome.LeftByLane.contains(L))
        T.LeftByLane = std::max(T.LeftByLane, L->getLoopDepth());
    }
  }
}

void AccessCollector::startAnew() {
  ++I->Start;
  I->Shares.clear();
}

void AccessCollector::assumeSomeBlocks() {
  for (Tally &T : I->Tallies)
    if (T.Start == I->Start)
      T.AssumedBits |= AssumesSomeBlocks;
}

std::vector<const Instruction *> AccessCollector::uneven(
    const std::set<const llvm::Loop *> &BoundByBlock) const {
  std::vector<const Instruction *> Out;
  for (const Tally &T : I->Tallies) {
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

void AccessCollector::forget(
    const std::vector<const Instruction *> &Instructions,
    const std::string &Why) {
  for (Tally &T : I->Tallies)
    if (llvm::is_contained(Instructions, T.Inst) && T.WhyUnknown.empty())
      T.setUnknown(UnknownCause::Blocks, Why);
}

std::vector<const Instruction *> AccessCollector::unknown() const {
  std::vector<const Instruction *> Out;
  for (const Tally &T : I->Tallies)
    if (!T.WhyUnknown.empty())
      Out.push_back(T.Inst);
  return Out;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void nameAssumptions(std::uint32_t Bits, std::set<std::string> &Out) {
  static constexpr std::pair<std::uint32_t, const char *> Texts[] = {
      {AssumesNoWrap, "index arithmetic does not overflow"},
      {AssumesNonNegative, "indices are not negative"},
      {AssumesInterior, "threads at a border are not looked at"},
      {AssumesNoStraddle, "rows do not end inside a warp"},
      {AssumesAllLanes, "all lanes take branches that depend on data"},
      {AssumesBlockLanes, "all lanes take branches that depend on blockIdx"},
      {AssumesTruncated, "the first turns of a long loop stand for all"},
      {AssumesInitialTable, "constant tables hold what the program says"},
      {AssumesSampled, "some turns from all over a long loop stand for all"},
      {AssumesRound, "sizes known only at run time are multiples of 32"},
      {AssumesPhase, "a block starts at a multiple of the divisor"},
      {AssumesExactFloat, "a float holds the index without rounding"},
      {AssumesMeeting, "lanes that come here by different ways go on together"},
      {AssumesSomeBlocks, "some blocks from all over the grid stand for all"},
  };
  for (auto [Bit, Text] : Texts)
    if (Bits & Bit)
      Out.insert(Text);
}

static bool isUneven(const Sums &Sum) {
  if (Sum.Patterns.empty())
    return false;
  const RequestCost &First = Sum.Patterns.begin()->second.first;
  return std::ranges::any_of(Sum.Patterns, [&](const auto &Each) {
    return Each.second.first.PerRequest != First.PerRequest ||
           Each.second.first.Ideal != First.Ideal;
  });
}

static std::string blockAssumption(const LaunchShape &Shape) {
  std::string S = "the block is " + std::to_string(Shape.Block[0]);
  for (unsigned D = 1; D < 3; ++D)
    if (Shape.Block[D] > 1 || (D == 1 && Shape.Block[2] > 1))
      S += " x " + std::to_string(Shape.Block[D]);
  return S +
         (Shape.Block[1] * Shape.Block[2] > 1 ? " threads" : " threads wide") +
         (Shape.BlockSource == LaunchSource::Usual
              ? ", as it is unless input changes it"
          : Shape.IsLargestFitting ? ", the most that the kernel allows"
                                   : "");
}

/// `a[t] or b[17 * t]`.
static AccessFact eitherOf(const std::set<AccessFact> &Written) {
  if (Written.size() == 1)
    return *Written.begin();
  AccessFact All;
  for (const AccessFact &Each : Written) {
    if (Each.Text.empty())
      return {};
    All.Text += (All.Text.empty() ? "" : " or ") + Each.Text;
  }
  return All;
}

std::vector<CollectedAccess> AccessCollector::finish() {
  std::vector<CollectedAccess> Out;
  const auto Shares = std::make_shared<const std::vector<double>>(I->Shares);
  for (Tally &T : I->Tallies) {
    Access &A = T.Result;
    const bool IsMisaligned = T.Sum.Requests == 0 && T.Misaligned.Requests > 0;
    const Sums &Sum = IsMisaligned ? T.Misaligned : T.Sum;
    std::uint32_t Bits = T.AssumedBits;
    if (T.Truncated)
      Bits |= AssumesTruncated;
    nameAssumptions(Bits, T.Assumptions);
    if (I->Shape.BlockSource == LaunchSource::Assumed ||
        I->Shape.BlockSource == LaunchSource::Usual)
      T.Assumptions.insert(blockAssumption(I->Shape));
    if (T.Truncated)
      A.WhyNotCounted = "not all turns of a long loop around it were looked at";
    else if (T.As && T.As->IsWider && !T.WhyUnknown.empty())
      A.WhyNotCounted = "where it is aligned is not known";
    else if (T.WhyNotCounted)
      A.WhyNotCounted = T.WhyNotCounted;
    else if (T.Cause == UnknownCause::AtomicLoop)
      A.WhyNotCounted = "how lanes meet decides how often its loop turns";
    else
      A.Executions =
          (IsMisaligned ? T.MisalignedExecutions : T.Executions) / I->warps();
    if (!T.Written.empty()) {
      if (!T.IsMadeByOthersAlone)
        T.Written.insert(A.Source);
      A.Source = eitherOf(T.Written);
    }
    A.WhyUnknown = T.WhyUnknown;
    A.Cause = T.Cause;
    A.CauseWhere = T.CauseWhere;
    if (T.WhyUnknown.empty() && Sum.Requests > 0) {
      A.Trust = T.Assumptions.empty() ? Certainty::Exact : Certainty::Assumed;
      A.Assumptions.assign(T.Assumptions.begin(), T.Assumptions.end());
      Traffic P;
      P.PerRequest = Sum.PerRequest / Sum.Requests;
      P.Ideal = Sum.Ideal / Sum.Requests;
      P.Lanes = Sum.LaneSum / Sum.Requests;
      P.BytesUsed = Sum.BytesUsed / Sum.Requests;
      P.Requests = Sum.Requests / static_cast<double>(T.Warps.count());
      P.MoreRequests = T.Truncated;
      P.Ways = Sum.Ways;
      if (Sum.BoundsOf && Sum.Least <= Sum.Most) {
        P.Least = std::min(Sum.Least, P.PerRequest);
        P.Most = std::max(Sum.Most, P.PerRequest);
      }
      P.Warps = T.Warps.count();
      A.Predicted = P;
      A.InOrder = T.InOrder.finish();
      std::vector<std::pair<double, const RequestSample *>> Sorted;
      for (const auto &[Pattern, Value] : Sum.Patterns)
        Sorted.push_back({-Value.first.PerRequest, &Value.second});
      std::ranges::stable_sort(Sorted, {}, [](auto &X) { return X.first; });
      for (auto &[Cost, S] : Sorted) {
        if (A.Samples.size() == MaxSamples)
          break;
        A.Samples.push_back(*S);
        A.Samples.back().Weight /= Sum.Requests;
      }
    } else {
      A.Trust = Certainty::Unknown;
      if (A.Cause == UnknownCause::LoadedData ||
          (A.Cause == UnknownCause::LoadedLanes && T.Random.isKnownOfAll()))
        A.Expected = T.Random.mean(T.Truncated);
      if (A.Stride && A.Space == MemorySpace::Global)
        A.Stride.reset();
    }
    Out.push_back({std::move(A), T.Inst, T.Part, T.Piece, T.As, IsMisaligned,
                   isUneven(Sum), T.LeftByLane});
    if (T.Start != I->Start || T.IsMeanOfRun || IsMisaligned)
      continue;
    T.ByRun.resize(Shares->size());
    Out.back().ByRun = std::move(T.ByRun);
    Out.back().Shares = Shares;
  }
  return Out;
}

} // namespace cudalint
