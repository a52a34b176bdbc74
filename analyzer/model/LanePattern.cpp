//===- analyzer/model/LanePattern.cpp - The shape of a request ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/LanePattern.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace cudalint {

static std::vector<std::int64_t> activeOffsets(const RequestSample &Sample) {
  std::vector<std::int64_t> Offsets;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (Sample.ActiveMask >> Lane & 1)
      Offsets.push_back(Sample.Offset[Lane]);
  return Offsets;
}

/// True when `Steps` is `Stride` everywhere but at every `RowLanes`-th place,
/// counted from `First`, where it is one other value throughout.
static bool isRows(std::span<const std::int64_t> Steps, std::size_t First,
                   std::size_t RowLanes) {
  for (std::size_t I = 0; I < Steps.size(); ++I) {
    const bool Jump = I >= First && (I - First) % RowLanes == 0;
    if (Steps[I] != (Jump ? Steps[First] : Steps[First == 0 ? 1 : 0]))
      return false;
  }
  return true;
}

/// What is known of a distance of which `Part` bytes were made up.
static LanePattern::MadeUp madeUp(std::int64_t Distance, std::int64_t Part,
                                  const MadeUpOffsets &M) {
  LanePattern::MadeUp R;
  R.Is = Part != 0;
  // With a remainder there is no simple way to say it.
  if (R.Is && Part == Distance && !M.Symbol.empty() && M.Value != 0 &&
      Part % M.Value == 0)
    R.BytesPerUnit = Part / M.Value;
  return R;
}

/// Tells which distances of the pattern were made up.
static void noteMadeUp(LanePattern &P, const RequestSample &Sample) {
  const MadeUpOffsets &M = *Sample.MadeUp;
  RequestSample Only = Sample;
  Only.Offset = M.Offset;
  Only.MadeUp = nullptr;
  const std::vector<std::int64_t> Parts = activeOffsets(Only);
  const std::vector<std::int64_t> All = activeOffsets(Sample);
  P.Symbol = M.Symbol;
  std::optional<std::int64_t> Stride, RowStride;
  for (std::size_t I = 1; I < All.size(); ++I)
    if (All[I] - All[I - 1] == P.Stride && !Stride)
      Stride = Parts[I] - Parts[I - 1];
  for (std::size_t I = P.RowLanes; P.RowLanes && I < All.size(); ++I)
    if (All[I] - All[I - P.RowLanes] == P.RowStride && !RowStride)
      RowStride = Parts[I] - Parts[I - P.RowLanes];
  P.StrideMadeUp = madeUp(P.Stride, Stride.value_or(0), M);
  // Rows that none of is whole: say too little rather than too much.
  P.RowStrideMadeUp = RowStride ? madeUp(P.RowStride, *RowStride, M)
                                : LanePattern::MadeUp{.Is = true};
}

static LanePattern shapeOf(const RequestSample &Sample) {
  const std::vector<std::int64_t> Offsets = activeOffsets(Sample);
  LanePattern P;
  if (Offsets.size() < 2) {
    P.Kind = LanePattern::Lone;
    return P;
  }
  std::vector<std::int64_t> Steps;
  for (std::size_t I = 1; I < Offsets.size(); ++I)
    Steps.push_back(Offsets[I] - Offsets[I - 1]);

  const auto Break = std::adjacent_find(Steps.begin(), Steps.end(),
                                        std::not_equal_to<std::int64_t>());
  if (Break == Steps.end()) {
    P.Kind = Steps[0] == 0 ? LanePattern::Same : LanePattern::Strided;
    P.Stride = Steps[0];
    return P;
  }
  // A warp may begin in the middle of a row, so the first row can be shorter
  // than the others; the first step may be the jump itself.
  const std::size_t First =
      Steps.size() > 2 && Break == Steps.begin() && Steps[1] == Steps[2]
          ? 0
          : Break - Steps.begin() + 1;
  for (std::size_t Lanes = std::max<std::size_t>(First + 1, 2);
       Lanes < Offsets.size(); ++Lanes) {
    if (!isRows(Steps, First, Lanes))
      continue;
    P.Kind = LanePattern::Rows;
    P.Stride = Steps[First == 0 ? 1 : 0];
    P.RowLanes = static_cast<unsigned>(Lanes);
    P.RowStride =
        P.Stride * static_cast<std::int64_t>(Lanes - 1) + Steps[First];
    return P;
  }
  return P;
}

LanePattern lanePattern(const RequestSample &Sample) {
  LanePattern P = shapeOf(Sample);
  if (const std::uint32_t Mask = Sample.ActiveMask; Mask != 0)
    P.HasGaps =
        std::popcount(Mask) + std::countl_zero(Mask) + std::countr_zero(Mask) !=
        static_cast<int>(WarpSize);
  if (Sample.MadeUp &&
      (P.Kind == LanePattern::Strided || P.Kind == LanePattern::Rows))
    noteMadeUp(P, Sample);
  return P;
}

WarpRequest toRequest(const Access &A, const RequestSample &Sample,
                      const Layout &NewLayout) {
  std::array<std::int64_t, WarpSize> Offset = Sample.Offset;
  std::int64_t Lowest = 0;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!(Sample.ActiveMask >> Lane & 1))
      continue;
    if (NewLayout)
      Offset[Lane] = NewLayout(Offset[Lane]);
    Lowest = std::min(Lowest, Offset[Lane]);
  }
  // A multiple of everything that banks, sectors and segments count in.
  const std::int64_t Base = (-Lowest + 4095) / 4096 * 4096;
  WarpRequest R;
  R.ActiveMask = Sample.ActiveMask;
  R.BytesPerLane = A.Bytes;
  R.Kind = A.Kind;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (Sample.ActiveMask >> Lane & 1)
      R.Address[Lane] = static_cast<std::uint64_t>(Offset[Lane] + Base);
  return R;
}

static void add(MeanTraffic &Sum, const GlobalTraffic &T, double Weight) {
  Sum.Transactions += Weight * T.Transactions;
  Sum.Ideal += Weight * T.Ideal;
  Sum.BytesMoved += Weight * T.BytesMoved;
  Sum.BytesUsed += Weight * T.BytesUsed;
}

static MeanTraffic divided(MeanTraffic Sum, double Weight) {
  if (Weight <= 0)
    return Sum;
  Sum.Transactions /= Weight;
  Sum.Ideal /= Weight;
  Sum.BytesMoved /= Weight;
  Sum.BytesUsed /= Weight;
  return Sum;
}

static MeanTraffic sumShared(const Architecture &Arch, const Access &A,
                             const Layout &NewLayout) {
  MeanTraffic Sum;
  for (const RequestSample &S : A.Samples) {
    const SharedTraffic T = sharedTraffic(Arch, toRequest(A, S, NewLayout));
    Sum.Transactions += S.Weight * T.Wavefronts;
    Sum.Ideal += S.Weight * T.Ideal;
    Sum.Ways = std::max(Sum.Ways, T.Ways);
  }
  return Sum;
}

static MeanTraffic sumGlobal(const Architecture &Arch, const Access &A,
                             const Layout &NewLayout) {
  MeanTraffic Sum;
  for (const RequestSample &S : A.Samples)
    add(Sum, globalTraffic(Arch, toRequest(A, S, NewLayout)), S.Weight);
  return Sum;
}

/// The mean over the samples of \p A, of which \p Sum is the sum and \p Now
/// what it is without another layout, and over the requests of which none is
/// kept. These cost less, or as much: they are taken to do so in another
/// layout.
static MeanTraffic meanOfAll(const MeanTraffic &Sum, const MeanTraffic &Now,
                             const Access &A) {
  double Weight = 0;
  for (const RequestSample &S : A.Samples)
    Weight += S.Weight;
  MeanTraffic Mean = divided(Sum, Weight);
  constexpr double AllButRounding = 1 - 1e-9;
  if (!A.Predicted || Weight <= 0 || Weight > AllButRounding)
    return Mean;
  const double Rest = 1 - Weight;
  const auto meanWith = [&](double Kept, double KeptNow, double All) {
    const double Others = std::max((All - Weight * KeptNow) / Rest, 0.0);
    return Weight * Kept + Rest * (Kept <= KeptNow ? std::min(Others, Kept)
                                                   : Others * Kept / KeptNow);
  };
  const MeanTraffic MeanNow = divided(Now, Weight);
  Mean.Transactions = meanWith(Mean.Transactions, MeanNow.Transactions,
                               A.Predicted->PerRequest);
  Mean.Ideal = meanWith(Mean.Ideal, MeanNow.Ideal, A.Predicted->Ideal);
  return Mean;
}

MeanTraffic meanShared(const Architecture &Arch, const Access &A,
                       const Layout &NewLayout) {
  return meanOfAll(sumShared(Arch, A, NewLayout), sumShared(Arch, A, nullptr),
                   A);
}

MeanTraffic meanGlobal(const Architecture &Arch, const Access &A,
                       const Layout &NewLayout) {
  return meanOfAll(sumGlobal(Arch, A, NewLayout), sumGlobal(Arch, A, nullptr),
                   A);
}

/// The sample with every contiguous run of touched bytes moved to the start of
/// a period of its own. Lanes keep their order, as the oldest rules demand.
static RequestSample alignedRuns(const RequestSample &Sample, unsigned Bytes,
                                 std::int64_t Period) {
  const std::vector<std::int64_t> Active = activeOffsets(Sample);
  const std::set<std::int64_t> Sorted(Active.begin(), Active.end());
  std::map<std::int64_t, std::int64_t> Moved;
  std::int64_t From = 0, To = 0, End = 0;
  for (const std::int64_t Offset : Sorted) {
    if (Moved.empty() || Offset > End) {
      To = Moved.empty() ? 0
                         : (To + (End - From) + Period - 1) / Period * Period;
      From = Offset;
    }
    Moved[Offset] = To + (Offset - From);
    End = Offset + Bytes;
  }
  RequestSample Result = Sample;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (Sample.ActiveMask >> Lane & 1)
      Result.Offset[Lane] = Moved[Sample.Offset[Lane]];
  return Result;
}

MeanTraffic meanGlobalAligned(const Architecture &Arch, const Access &A) {
  MeanTraffic Sum;
  for (const RequestSample &S : A.Samples) {
    const RequestSample Aligned = alignedRuns(S, A.Bytes, globalPeriod(Arch));
    add(Sum, globalTraffic(Arch, toRequest(A, Aligned)), S.Weight);
  }
  return meanOfAll(Sum, sumGlobal(Arch, A, nullptr), A);
}

/// Whether it speaks of instructions, not of lanes or their addresses, or of
/// the pointer alone.
static bool leavesDistances(const Assumption &Of) {
  return Of.Kind == AssumptionKind::Alignment ||
         Of.Kind == AssumptionKind::Compiler;
}

AddressFault faultOf(const Access &A) {
  if (A.Stride || A.Samples.empty() || !std::has_single_bit(A.Bytes) ||
      !std::ranges::all_of(A.Assumptions, leavesDistances))
    return AddressFault::None;
  AddressFault Worst = AddressFault::None;
  for (const RequestSample &S : A.Samples) {
    if (S.MadeUp || !S.ActiveMask)
      continue;
    const std::int64_t First = S.Offset[std::countr_zero(S.ActiveMask)];
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if ((S.ActiveMask >> Lane & 1) && (S.Offset[Lane] - First) % A.Bytes)
        return AddressFault::OfLanes;
    // Where a shared array begins, the linker decides.
    if (A.Space == MemorySpace::Global && First % A.Bytes)
      Worst = AddressFault::OfBase;
  }
  return Worst;
}

unsigned misalignment(const Architecture &Arch, const RequestSample &Sample) {
  const std::vector<std::int64_t> Offsets = activeOffsets(Sample);
  if (Offsets.empty())
    return 0;
  const std::int64_t Period = globalPeriod(Arch);
  const std::int64_t First = *std::min_element(Offsets.begin(), Offsets.end());
  return static_cast<unsigned>(((First % Period) + Period) % Period);
}

/// Rounds towards minus infinity, as sectors of negative offsets need.
static std::int64_t floorDivide(std::int64_t A, std::int64_t B) {
  return A / B - (A % B != 0 && (A < 0) != (B < 0));
}

/// Hostile offsets wrap, as addresses do.
static std::int64_t wrapped(std::int64_t Offset, std::uint64_t Bytes) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(Offset) + Bytes);
}

namespace {
/// The bytes that requests touch together.
class TouchedBytes {
public:
  void add(const Access &A, const RequestSample &S) {
    for (const std::int64_t Offset : activeOffsets(S))
      for (unsigned Byte = 0; Byte < A.Bytes; ++Byte) {
        const std::int64_t At = wrapped(Offset, Byte);
        const std::int64_t Sector = floorDivide(At, SectorBytes);
        BySector[Sector] |= 1u << (At - Sector * SectorBytes);
      }
  }

  MeanTraffic traffic() const {
    MeanTraffic T;
    for (const auto &[Sector, Used] : BySector)
      T.BytesUsed += std::popcount(Used);
    T.Transactions = static_cast<double>(BySector.size());
    T.BytesMoved = T.Transactions * SectorBytes;
    T.Ideal = static_cast<double>(
        (static_cast<std::uint64_t>(T.BytesUsed) + SectorBytes - 1) /
        SectorBytes);
    return T;
  }

private:
  static_assert(SectorBytes == 32, "a bit for each byte of a sector");
  std::map<std::int64_t, std::uint32_t> BySector;
};
} // namespace

MeanTraffic unionTraffic(std::span<const Access *const> Group) {
  TouchedBytes Touched;
  for (const Access *A : Group)
    if (!A->Samples.empty())
      Touched.add(*A, A->Samples.front());
  return Touched.traffic();
}

/// How many turns of the innermost loop there are to look at.
static unsigned turnsOf(const Access &A) {
  // More than fill the lines that they begin with tell nothing new.
  constexpr std::int64_t MostTurns = 32;
  if (A.TurnStep == 0)
    return 1;
  if (!A.LoopTurns.empty() && A.LoopTurns.front() != 0)
    return std::min<unsigned>(A.LoopTurns.front(), MostTurns);
  // Who walks towards the next lane's bytes is not taken to go on into them.
  const std::int64_t Lanes = std::abs(lanePattern(A.Samples.front()).Stride);
  const std::int64_t Turns = Lanes / A.TurnStep;
  return static_cast<unsigned>(Turns == 0 ? MostTurns
                                          : std::min(Turns, MostTurns));
}

std::vector<RequestSample> samplesOfTurns(const Access &A) {
  std::vector<RequestSample> Turns;
  if (A.Samples.empty())
    return Turns;
  // By lanes and what the first of them touches.
  std::set<std::pair<std::uint32_t, std::int64_t>> Seen;
  const unsigned Count = turnsOf(A);
  for (const RequestSample &S : A.Samples) {
    if (S.IsOfOthers || S.ActiveMask == 0)
      continue;
    const std::int64_t First = S.Offset[std::countr_zero(S.ActiveMask)];
    if (Seen.contains({S.ActiveMask, First}))
      continue;
    for (unsigned Turn = 0; Turn != Count; ++Turn) {
      const std::uint64_t By = Turn * static_cast<std::uint64_t>(A.TurnStep);
      Seen.emplace(S.ActiveMask, wrapped(First, By));
      for (std::int64_t &Offset : Turns.emplace_back(S).Offset)
        Offset = wrapped(Offset, By);
    }
  }
  return Turns;
}

MeanTraffic unionOfTurns(const Access &A) {
  TouchedBytes Touched;
  for (const RequestSample &S : samplesOfTurns(A))
    Touched.add(A, S);
  return Touched.traffic();
}

std::string sectorPattern(const Access &A) {
  if (A.Samples.empty())
    return {};
  const RequestSample &S = A.Samples.front();
  std::set<std::int64_t> Seen;
  std::string Pattern(WarpSize, '.');
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (S.ActiveMask >> Lane & 1)
      Pattern[Lane] =
          Seen.insert(floorDivide(S.Offset[Lane], SectorBytes)).second ? '#'
                                                                       : '-';
  return Pattern;
}

std::string bankPattern(const Architecture &Arch, const Access &A) {
  if (A.Samples.empty())
    return {};
  const std::vector<LaneBank> Table =
      bankTable(Arch, toRequest(A, A.Samples.front()));
  std::map<std::pair<unsigned, unsigned>, std::set<std::uint64_t>> Words;
  for (const LaneBank &L : Table)
    Words[{L.Phase, L.Bank}].insert(L.Word);
  std::string Pattern(WarpSize, '.');
  for (const LaneBank &L : Table)
    Pattern[L.Lane] = Words[{L.Phase, L.Bank}].size() > 1 ? '#' : '-';
  return Pattern;
}

} // namespace cudalint
