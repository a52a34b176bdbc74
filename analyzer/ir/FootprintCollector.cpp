//===- analyzer/ir/FootprintCollector.cpp - Bytes of a block --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/FootprintCollector.h"

#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/AddressVariants.h"
#include "analyzer/ir/AssumptionNames.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/SymbolFacts.h"
#include "analyzer/ir/SymbolIdentity.h"
#include "analyzer/ir/UnknownCause.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <bit>

using namespace llvm;

namespace cudalint {

/// Separate ranges of one block at most. That many take less memory than the
/// requests that make them.
static constexpr std::size_t MostRanges = 1 << 16;
static constexpr std::size_t MostArrays = 256;
static constexpr const char TooMany[] =
    "its addresses are too many or too far apart to be told one by one";

/// What makes the union another one, rather than the addresses in it.
static constexpr std::uint32_t Doubts = AssumesAllLanes | AssumesBlockLanes |
                                        AssumesTruncated | AssumesSampled |
                                        AssumesSomeBlocks;

/// Fails for good: a mean of which a part is not known is not known.
void FootprintCollector::fail(Side &Of, const Instruction &Inst,
                              const std::string &Why) {
  if (!Of.WhyNotKnown.empty())
    return;
  Access Place;
  Place.Op = &Of == &Loads ? AccessOp::Load : AccessOp::Store;
  locate(Place, Inst, Facts);
  Of.WhyNotKnown = "line " + std::to_string(Place.UserWhere.Line) + ": " + Why;
  Of.Arrays.clear();
  Of.Bases.clear();
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// By how much each symbol but the number of the warp moves all active lanes.
/// False, and in \p Apart the symbol, where one moves them apart.
template <typename Terms>
static bool addTerms(const LaneArithmetic &A, const Request &R, Terms &Out,
                     Symbol &Apart) {
  const auto First = static_cast<unsigned>(std::countr_zero(R.Active));
  for (const Term &T : R.Address.Terms) {
    if (A.info(T.S).Kind == SymbolKind::Warp)
      continue;
    if (!T.Coefficient.isUniformIn(R.Active)) {
      Apart = T.S;
      return false;
    }
    if (const std::int64_t C = T.Coefficient[First])
      Out.emplace_back(T.S, C);
  }
  return true;
}

FootprintCollector::Array *FootprintCollector::arrayOf(Side &To,
                                                       const LaneArithmetic &A,
                                                       const Request &R) {
  Side::Seen Now = {.Terms = {}, .Of = nullptr};
  Symbol Apart = 0;
  if (!addTerms(A, R, Now.Terms, Apart)) {
    fail(To, *R.Inst,
         A.info(Apart).Kind == SymbolKind::Object
             ? "which array each lane is in is not told apart"
             : "how far lanes are apart depends on " + describe(A, Apart));
    return nullptr;
  }
  for (const Side::Seen &Each : To.Bases)
    if (Each.Terms == Now.Terms)
      return Each.Of;
  Now.Of = makeArray(To, A, R, Now);
  if (!Now.Of)
    return nullptr;
  To.Bases.push_back(Now);
  return Now.Of;
}

/// The array of a base that is new in the run of this warp.
FootprintCollector::Array *
FootprintCollector::makeArray(Side &To, const LaneArithmetic &A,
                              const Request &R, const Side::Seen &Base) {
  Key Identity;
  const SymbolInfo *Object = nullptr;
  std::vector<Key> Parts;
  for (auto [S, Coefficient] : Base.Terms) {
    const bool IsObject = A.info(S).Kind == SymbolKind::Object;
    if (IsObject && (Object || Coefficient != 1)) {
      fail(To, *R.Inst, "which array it is in is not known");
      return nullptr;
    }
    Key &Into = IsObject ? Identity : Parts.emplace_back();
    if (IsObject)
      Object = &A.info(S);
    else
      Into.push_back(Coefficient);
    if (!addIdentity(A, S, Into)) {
      fail(To, *R.Inst, whyNotTold(A, S));
      return nullptr;
    }
  }
  if (!Object) {
    fail(To, *R.Inst, "which array it is in is not known");
    return nullptr;
  }
  std::ranges::sort(Parts);
  Key All;
  for (const Key &Each : Parts)
    All.insert(All.end(), Each.begin(), Each.end());

  auto Found = std::ranges::find(To.Arrays, Identity, &Array::Identity);
  if (Found == To.Arrays.end()) {
    if (To.Arrays.size() == MostArrays) {
      fail(To, *R.Inst, "the kernel has too many arrays");
      return nullptr;
    }
    To.Arrays.push_back({.Identity = Identity,
                         .Name = Object->Name,
                         .IsVariable = isa_and_nonnull<GlobalVariable>(
                             static_cast<const Value *>(Object->Origin))});
    Found = std::prev(To.Arrays.end());
  }
  if (Found->Ranges.held() && Found->Base != All) {
    fail(To, *R.Inst,
         "how far it is from other addresses" +
             (Found->Name.empty() ? "" : " in '" + Found->Name + "'") +
             " is not known");
    return nullptr;
  }
  Found->Base = std::move(All);
  constexpr std::uint64_t Sector = 32;
  for (auto [S, Coefficient] : Base.Terms) {
    const SymbolInfo &I = A.info(S);
    const auto Times = static_cast<std::uint64_t>(Coefficient);
    if (Times * I.MultipleOf % Sector == 0)
      continue;
    if (Times * I.AssumedMultipleOf % Sector != 0)
      To.WhyNoSectors = "where sectors begin depends on " + describe(A, S);
    else if (I.Kind == SymbolKind::Object)
      To.Aligned.insert(alignmentOf(I));
    else
      To.Aligned.insert(roundness(A, S));
  }
  return &*Found;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Whether the request stands for no others than those that it tells.
static bool isForItselfAlone(const Request &R) {
  const auto &[Turn, Period, Turns, Bytes] = R.Repeated;
  const std::int64_t Times = Period ? (Turns - Turn + Period - 1) / Period : 1;
  return !R.Sampled && R.Weight == static_cast<double>(Times);
}

/// How often a loop around it is left out of what the machine code does.
static unsigned hoistedOut(const CompiledAccess *Compiled) {
  return Compiled
             ? std::ranges::min(Compiled->Parts, {}, &CompiledPart::Hoisted)
                   .Hoisted
             : 0;
}

void FootprintCollector::add(LaneArithmetic &A, const Request &R,
                             unsigned First, unsigned Last) {
  if (R.Space != MemorySpace::Global && R.Space != MemorySpace::Generic)
    return;
  Side &To = sideOf(R.Op);
  if (!To.WhyNotKnown.empty() || !R.Active || R.Weight == 0)
    return;
  const CompiledAccess *Compiled = Plan.find(*R.Inst, R.Part);
  if (Compiled && Compiled->Parts.empty())
    return; // the machine code does not have it
  if (R.Space == MemorySpace::Generic)
    fail(To, *R.Inst, "in which memory it is is not known");
  else if (R.Address.Unknown & R.Active)
    fail(To, *R.Inst,
         "the address depends on " +
             explainUnknown(*Kernel.accesses(*R.Inst)[R.Part].Pointer, Kernel,
                            Facts)
                 .What);
  else if (R.openOutside(hoistedOut(Compiled)))
    fail(To, *R.Inst, "only the run tells how often a loop around it turns");
  else if (R.DataDriven)
    fail(To, *R.Inst, "which lanes take part depends on loaded data");
  else if (!R.IsSure || R.Doubtful || R.SomeBlocks)
    fail(To, *R.Inst, "a condition decides whether it runs that is not known");
  else if (!isForItselfAlone(R) || R.Address.Assumes & Doubts)
    fail(To, *R.Inst, "not all turns or lanes were looked at");
  else if (!R.Repeated.Period || R.Repeated.Turn == 0)
    // The others of a period are in the repetition of the first.
    add(To, A, R, First, Last);
}

void FootprintCollector::add(Side &To, LaneArithmetic &A, const Request &R,
                             unsigned First, unsigned Last) {
  // What tells the warps apart is taken out of the address.
  Moves OfWarps = {.Start = 0, .Bytes = 0, .Times = 1};
  if (A.dependsOnWarp(R.Address)) {
    Request Each = R;
    if (First != Last)
      for (const Term &T : R.Address.Terms) {
        if (!A.info(T.S).ByWarp)
          continue;
        if (A.info(T.S).Kind != SymbolKind::Warp ||
            !T.Coefficient.isUniformIn(R.Active)) {
          // More than a number tells them apart.
          for (unsigned W = First; W <= Last && To.WhyNotKnown.empty(); ++W) {
            Each.Address = A.inWarp(R.Address, W);
            addMoved(To, A, Each, OfWarps);
          }
          return;
        }
        OfWarps.Bytes =
            T.Coefficient[static_cast<unsigned>(std::countr_zero(R.Active))];
        OfWarps.Times = Last - First + 1;
      }
    Each.Address = A.inWarp(R.Address, First);
    addMoved(To, A, Each, OfWarps);
    return;
  }
  addMoved(To, A, R, OfWarps);
}

/// The request, and the same moved as often as there are warps.
void FootprintCollector::addMoved(Side &To, LaneArithmetic &A, const Request &R,
                                  const Moves &OfWarps) {
  Array *Of = arrayOf(To, A, R);
  if (!Of)
    return;
  Assumes |= R.Address.Assumes;
  const std::size_t Before = Of->Ranges.held();
  bool Fits = true;
  auto Add = [&](Piece P) {
    if (!R.Repeated.Period) {
      Fits &= add(Of->Ranges, R, P, OfWarps);
      return;
    }
    for (std::int64_t W = 0; W < OfWarps.Times; ++W)
      Fits &= add(Of->Ranges, R, P,
                  {.Start = static_cast<std::int64_t>(
                       static_cast<std::uint64_t>(W) *
                       static_cast<std::uint64_t>(OfWarps.Bytes)),
                   .Bytes = R.Repeated.Bytes,
                   .Times = R.Repeated.Turns});
  };
  // What is wider holds other accesses or other turns, which are added, too.
  const CompiledAccess *Compiled = Plan.find(*R.Inst, R.Part);
  if (!Compiled || llvm::any_of(Compiled->Parts, [](const CompiledPart &P) {
        return P.IsAsWritten || P.IsWider;
      }))
    Add({R.Bytes, 0});
  else
    for (const CompiledPart &Each : Compiled->Parts)
      Add({Each.Bytes, Each.Offset});
  To.Held += Of->Ranges.held() - Before;
  if (To.Held > 2 * MostRanges) {
    To.Held = 0;
    for (Array &Each : To.Arrays) {
      Each.Ranges.merge();
      To.Held += Each.Ranges.held();
    }
    Fits &= To.Held <= MostRanges;
  }
  if (!Fits)
    fail(To, *R.Inst, TooMany);
}

/// False: it is out of reach.
bool FootprintCollector::add(ByteRanges &To, const Request &R, Piece P,
                             Moves By) {
  auto OfLane = [&](unsigned Lane) {
    // Hostile offsets wrap, as addresses do.
    const std::uint64_t At =
        static_cast<std::uint64_t>(R.Address.Constant[Lane]) +
        static_cast<std::uint64_t>(By.Start) + P.Offset;
    return ByteRanges::Range{static_cast<std::int64_t>(At),
                             static_cast<std::int64_t>(At + P.Bytes)};
  };
  const auto First = static_cast<unsigned>(std::countr_zero(R.Active));
  ByteRanges::Range Now = OfLane(First);
  if (R.Address.Constant.isUniform())
    return To.add(Now, By.Bytes, By.Times);
  bool Fits = true;
  for (unsigned L = First + 1; L < WarpSize; ++L) {
    if (!(R.Active >> L & 1))
      continue;
    const ByteRanges::Range Each = OfLane(L);
    if (Each.First >= Now.First && Each.First <= Now.End) {
      Now.End = std::max(Now.End, Each.End);
    } else {
      Fits &= To.add(Now, By.Bytes, By.Times);
      Now = Each;
    }
  }
  return To.add(Now, By.Bytes, By.Times) && Fits;
}

void FootprintCollector::endWarp(const WarpOutcome &Outcome) {
  Loads.Bases.clear();
  Stores.Bases.clear();
  CutShort.insert(Outcome.CutShort.begin(), Outcome.CutShort.end());
  Sampled.insert(Outcome.Sampled.begin(), Outcome.Sampled.end());
  Assumes |= Outcome.LeftOutUnder;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// What the loop accesses in global memory, and was not reached, is not known.
void FootprintCollector::leaveOut(
    const llvm::Loop &L, const char *Why,
    function_ref<bool(const Instruction *)> IsReached) {
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      for (const StaticAccess &Each : Kernel.accesses(I))
        if ((Each.Space == MemorySpace::Global ||
             Each.Space == MemorySpace::Generic) &&
            !IsReached(&I))
          fail(sideOf(Each.Op), I, Why);
}

void FootprintCollector::endBlock(
    double Weight, function_ref<bool(const Instruction *)> IsReached) {
  for (const llvm::Loop *L : CutShort)
    leaveOut(*L, "not all turns of a long loop around it were looked at",
             [](const Instruction *) { return false; });
  // What was reached there, its requests tell.
  for (const llvm::Loop *L : Sampled)
    leaveOut(*L, "none of the turns that are looked at reaches it", IsReached);
  CutShort.clear();
  Sampled.clear();
  endBlock(Loads, Weight);
  endBlock(Stores, Weight);
  Blocks += Weight;
}

void FootprintCollector::startAnew() {
  Loads = {};
  Stores = {};
  Blocks = 0;
  Assumes = 0;
}

void FootprintCollector::endBlock(Side &Of, double Weight) {
  for (Array &Each : Of.Arrays) {
    const std::optional<ByteRanges::Size> Size = Each.Ranges.size(MostRanges);
    if (!Size) {
      Of.WhyNotKnown = "its addresses are too many to be told one by one";
      if (!Each.Name.empty())
        Of.WhyNotKnown = "'" + Each.Name + "': " + Of.WhyNotKnown;
      Of.Arrays.clear();
      break;
    }
    Each.Bytes += Weight * static_cast<double>(Size->Bytes);
    Each.Sectors += Weight * static_cast<double>(Size->Sectors);
    Each.Ranges = ByteRanges();
  }
  Of.Held = 0;
}

BlockFootprint FootprintCollector::finish() const {
  BlockFootprint Out;
  std::set<Assumption> Assumptions;
  for (const Side *Of : {&Loads, &Stores}) {
    DistinctBytes &To = Of == &Loads ? Out.Loads : Out.Stores;
    To.WhyNotKnown = Of->WhyNotKnown;
    if (!To.WhyNotKnown.empty() || Blocks <= 0)
      continue;
    To.Bytes = 0;
    To.Sectors = 0;
    To.WhyNotKnown = Of->WhyNoSectors;
    bool IsOfPointers = false;
    for (const Array &Each : Of->Arrays) {
      ArrayFootprint Own = {.Name = Each.Name,
                            .Op =
                                Of == &Loads ? AccessOp::Load : AccessOp::Store,
                            .Bytes = Each.Bytes / Blocks,
                            .Sectors = Each.Sectors / Blocks};
      *To.Bytes += Own.Bytes;
      *To.Sectors += *Own.Sectors;
      IsOfPointers |= !Each.IsVariable;
      if (!Of->WhyNoSectors.empty())
        Own.Sectors.reset();
      Out.Arrays.push_back(std::move(Own));
    }
    if (!Of->WhyNoSectors.empty())
      To.Sectors.reset();
    else
      Assumptions.insert(Of->Aligned.begin(), Of->Aligned.end());
    if (IsOfPointers && Of->Arrays.size() > 1)
      Assumptions.insert("arrays do not overlap");
  }
  // How lanes meet is of no importance to what they access.
  nameAssumptions(Assumes & ~(Doubts | AssumesMeeting), Assumptions);
  Out.Assumptions.assign(Assumptions.begin(), Assumptions.end());
  return Out;
}

} // namespace cudalint
