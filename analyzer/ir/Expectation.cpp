//===- analyzer/ir/Expectation.cpp - Costs of random requests ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/Expectation.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cudalint {

static RequestMemory memoryOf(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Shared:
    return RequestMemory::Shared;
  case MemorySpace::Local:
    return RequestMemory::Local;
  case MemorySpace::Constant:
    return RequestMemory::Constant;
  default:
    return RequestMemory::Global;
  }
}

/// Of lanes that are not active, nothing matters.
static void clearIdle(LaneMask Active, RandomNumber &N) {
  for (unsigned L = 0; L < WarpSize; ++L)
    if (!(Active >> L & 1))
      N.Bytes[L] = N.Draw[L] = 0;
}

const RandomCost *RandomCosts::costOf(RequestMemory Memory, RequestKind Kind,
                                      unsigned Piece, LaneMask Active,
                                      const LaneOffsets &Offsets,
                                      const std::vector<RandomNumber> &Numbers,
                                      unsigned &NewLeft) {
  // A distance that changes nothing is left out: a period of everything.
  constexpr std::int64_t Period = 256;
  const auto First = static_cast<unsigned>(std::countr_zero(Active));
  const std::int64_t Shift = Offsets[First] & ~(Period - 1);
  LaneOffsets Near = {};
  std::vector<RandomNumber> OfActive = Numbers;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1) // hostile offsets wrap, as addresses do
      Near[L] =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(Offsets[L]) -
                                    static_cast<std::uint64_t>(Shift));
  for (RandomNumber &N : OfActive)
    clearIdle(Active, N);
  Key Of = {Memory, Kind, Piece, Active, Near, std::move(OfActive)};
  if (const auto It = Known.find(Of); It != Known.end())
    return &It->second;
  if (NewLeft == 0 || Known.size() == MostKnown)
    return nullptr;
  --NewLeft;
  RandomRequest R;
  R.Memory = Memory;
  R.Known.Kind = Kind;
  R.Known.BytesPerLane = Piece;
  R.Known.ActiveMask = Active;
  // Any base will do that keeps offsets positive and the alignment.
  constexpr std::uint64_t Base = std::uint64_t(1) << 62;
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Known.Address[L] = Base + static_cast<std::uint64_t>(Near[L]);
  R.Numbers = std::get<std::vector<RandomNumber>>(Of);
  return &Known.emplace(std::move(Of), randomCost(Arch, R)).first->second;
}

std::optional<Expectation>
RandomCosts::expectation(const Request &R, const RandomAddress &Address,
                         unsigned Piece, const LaneArithmetic &A,
                         unsigned &NewLeft) {
  if (Address.Numbers.empty() || !R.Active)
    return std::nullopt;
  const AddressVariants Variants =
      R.Space == MemorySpace::Shared
          ? sharedVariants(A, Address.Known, R.Active)
          : globalVariants(A, Address.Known, R.Active, globalPeriod(Arch));
  if (Variants.Offsets.empty())
    return std::nullopt;
  Expectation Out{.Least = INFINITY,
                  .Lanes = static_cast<double>(std::popcount(R.Active)),
                  .IsExact = true};
  double Variance = 0;
  for (const LaneOffsets &Offsets : Variants.Offsets) {
    double Least = 0, Most = 0;
    // A matrix is fetched alone: 8 rows of 16 bytes, whose lanes are a group.
    constexpr LaneMask Row = 0xff;
    for (unsigned First = 0; First < WarpSize;
         First += R.IsMatrix ? 8 : WarpSize) {
      const LaneMask Active = R.IsMatrix ? R.Active & Row << First : R.Active;
      if (!Active)
        continue;
      const RandomCost *Each =
          costOf(memoryOf(R.Space), kindOf(Arch, R), Piece, Active, Offsets,
                 Address.Numbers, NewLeft);
      if (!Each)
        return std::nullopt;
      Out.PerRequest += Each->Mean;
      Out.Ideal += Each->Ideal;
      Out.IfEqual += Each->IfEqual;
      Out.IsExact &= Each->IsExact;
      Variance += Each->StandardError * Each->StandardError;
      Least += Each->Least;
      Most += Each->Most;
    }
    Out.Least = std::min(Out.Least, Least);
    Out.Most = std::max(Out.Most, Most);
  }
  const auto Count = static_cast<double>(Variants.Offsets.size());
  Out.PerRequest /= Count;
  Out.Ideal /= Count;
  Out.IfEqual /= Count;
  Out.StandardError = std::sqrt(Variance) / Count;
  return Out;
}

//===----------------------------------------------------------------------===//
// Lanes that are counted
//===----------------------------------------------------------------------===//

const CountedCost *RandomCosts::countedCostOf(const CountedRequest &R,
                                              unsigned &NewLeft) {
  const auto First =
      static_cast<unsigned>(std::countr_zero(R.Known.ActiveMask));
  const CountedKey Of = {R.Memory,
                         R.Known.Kind,
                         R.Known.BytesPerLane,
                         R.Known.ActiveMask,
                         static_cast<std::int64_t>(R.Known.Address[First]),
                         R.Bytes,
                         R.Voters,
                         R.Counted,
                         R.OnlyYes};
  auto It = KnownCounted.find(Of);
  if (It == KnownCounted.end()) {
    if (NewLeft == 0 || KnownCounted.size() == MostKnown)
      return nullptr;
    --NewLeft;
    It = KnownCounted.emplace(Of, countedCost(Arch, R)).first;
  }
  return It->second ? &*It->second : nullptr;
}

/// The request, and \p Known, the address without what lanes count in it.
/// Nothing where that is not one distance for each lane that is counted.
static std::optional<CountedRequest> countedRequest(const Request &R,
                                                    const CountedLanes &Counted,
                                                    LaneValue &Known) {
  CountedRequest Out;
  Out.Voters = Counted.Lanes;
  Out.OnlyYes = Counted.OnlyYes;
  Known = R.Address;
  Known.Terms.clear();
  for (const Term &T : R.Address.Terms) {
    const auto Says = std::ranges::find(Counted.Says, T.S);
    if (Says == Counted.Says.end()) {
      Known.Terms.push_back(T);
      continue;
    }
    const auto Of = static_cast<unsigned>(Says - Counted.Says.begin());
    for (unsigned L = 0; L < WarpSize; ++L) {
      const std::int64_t Bytes = T.Coefficient[L];
      if (!(R.Active >> L & 1) || !Bytes)
        continue;
      if (Out.Bytes && Out.Bytes != Bytes)
        return std::nullopt;
      Out.Bytes = Bytes;
      Out.Counted[L] |= LaneMask(1) << Of;
    }
  }
  // Else lanes are apart by more than the count.
  if (!Known.isUniformIn(R.Active))
    return std::nullopt;
  return Out;
}

std::optional<Expectation> RandomCosts::expectation(const Request &R,
                                                    const CountedLanes &Counted,
                                                    unsigned Piece,
                                                    const LaneArithmetic &A,
                                                    unsigned &NewLeft) {
  LaneValue Known;
  std::optional<CountedRequest> Of = countedRequest(R, Counted, Known);
  if (!Of || R.IsMatrix)
    return std::nullopt;
  const bool IsShared = R.Space == MemorySpace::Shared;
  const AddressVariants Variants =
      IsShared ? sharedVariants(A, Known, R.Active)
               : globalVariants(A, Known, R.Active, globalPeriod(Arch));
  if (Variants.Offsets.empty())
    return std::nullopt;
  Of->Memory = memoryOf(R.Space);
  Of->Known.Kind = kindOf(Arch, R);
  Of->Known.BytesPerLane = Piece;
  Of->Known.ActiveMask = R.Active;
  Expectation Out{.Least = INFINITY, .IsExact = true, .IsCounted = true};
  for (const LaneOffsets &Offsets : Variants.Offsets) {
    // Only where it begins in a sector or in the banks matters; and any base
    // will do that keeps addresses positive.
    constexpr std::uint64_t Period = 256, Base = std::uint64_t(1) << 62;
    for (unsigned L = 0; L < WarpSize; ++L)
      Of->Known.Address[L] =
          Base + static_cast<std::uint64_t>(Offsets[L]) % Period;
    const CountedCost *Each = countedCostOf(*Of, NewLeft);
    if (!Each)
      return std::nullopt;
    Out.PerRequest += Each->Mean;
    Out.Ideal += Each->Ideal;
    Out.IfEqual += Each->IfEqual;
    Out.Lanes += Each->Lanes;
    Out.IsExact &= Each->IsExact;
    // The same draws stand for all of them.
    Out.StandardError += Each->StandardError;
    Out.Least = std::min(Out.Least, Each->Least);
    Out.Most = std::max(Out.Most, Each->Most);
  }
  const auto Count = static_cast<double>(Variants.Offsets.size());
  for (double Expectation::*Mean :
       {&Expectation::PerRequest, &Expectation::Ideal, &Expectation::IfEqual,
        &Expectation::Lanes, &Expectation::StandardError})
    Out.*Mean /= Count;
  return Out;
}

} // namespace cudalint
