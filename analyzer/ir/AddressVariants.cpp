//===- analyzer/ir/AddressVariants.cpp - Concrete addresses of a request --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AddressVariants.h"

#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/SymbolFacts.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cudalint {

void assumeEquallyFrequent(const LaneArithmetic &A, Symbol S,
                           AddressVariants &R) {
  if (isChosenAtRunTime(A, S) && !isChoice(A.info(S))) {
    R.WhyOneHolds = whyUnknown::Distance;
    return;
  }
  const bool ByBlock = A.info(S).Kind == SymbolKind::BlockIndex;
  (ByBlock ? R.ByBlock : R.ByTurn) = true;
  R.Assumptions.insert(
      ByBlock ? "all values of " + describe(A, S) + " are equally frequent"
      : isChoice(A.info(S)) ? "either value of a condition is equally frequent"
                            : "turns of a loop are equally frequent");
}

bool areApartByMultiples(const LaneOffsets &O, LaneMask Active,
                         unsigned Bytes) {
  const auto First = static_cast<unsigned>(std::countr_zero(Active));
  for (unsigned L = First; L < WarpSize; ++L)
    if (Active >> L & 1 && (O[L] - O[First]) % Bytes != 0)
      return false;
  return true;
}

AddressVariants unknownByData() {
  AddressVariants R;
  R.WhyUnknown = whyUnknown::Data;
  return R;
}

/// The offsets where each lane chooses one of several arrays that all begin in
/// the first bank: which bank it is in, then, the rest of the address says.
static std::optional<LaneOffsets> inSharedArrays(const LaneArithmetic &A,
                                                 const LaneValue &Address,
                                                 LaneMask Active) {
  constexpr std::int64_t Apart = 1 << 20; // more than all of shared memory
  LaneOffsets O = constantOffsets(Address);
  std::array<unsigned, WarpSize> Arrays = {};
  std::int64_t Next = 0;
  for (const Term &T : Address.Terms) {
    if (T.Coefficient.isUniformIn(Active))
      continue;
    const SymbolInfo &I = A.info(T.S);
    if (I.Kind != SymbolKind::Object || !I.BeginsInFirstBank)
      return std::nullopt;
    Next += Apart;
    for (unsigned L = 0; L < WarpSize; ++L) {
      if (!(Active >> L & 1) || T.Coefficient[L] == 0)
        continue;
      if (T.Coefficient[L] != 1 || Arrays[L]++)
        return std::nullopt;
      O[L] += Next;
    }
  }
  return O;
}

AddressVariants constantVariants(const LaneArithmetic &A,
                                 const LaneValue &Address, LaneMask Active) {
  // Whether they are the same, the data decides.
  if (std::ranges::any_of(Address.Terms, [&](const Term &T) {
        return !T.Coefficient.isUniformIn(Active) && A.isGathered(T.S);
      }))
    return unknownByData();
  return globalVariants(A, Address, Active, /*Period=*/1);
}

AddressVariants sharedVariants(const LaneArithmetic &A,
                               const LaneValue &Address, LaneMask Active) {
  if (Address.Unknown & Active)
    return unknownByData();
  AddressVariants R;
  const Term *Varying = nullptr;
  for (const Term &T : Address.Terms) {
    if (T.Coefficient.isUniformIn(Active))
      continue;
    if (A.isGathered(T.S))
      return unknownByData();
    if (Varying) {
      if (const auto Offsets = inSharedArrays(A, Address, Active)) {
        R.Offsets.push_back(*Offsets);
        R.Assumptions.insert("shared arrays lie one behind the other");
        return R;
      }
      R.WhyUnknown = "the address depends on " + describe(A, Varying->S) +
                     " and " + describe(A, T.S);
      R.Cause = causeOf(A, Varying->S);
      return R;
    }
    Varying = &T;
  }
  if (!Varying) {
    R.Offsets.push_back(constantOffsets(Address));
    return R;
  }
  const SymbolInfo &I = A.info(Varying->S);
  StrideSymbol Stride = makeStride(A, *Varying, Active);
  if (isBounded(I) || I.Kind == SymbolKind::Counter) {
    const FewValues Turns = fewValues(I).value_or(FewValues{0, 1, SmallRange});
    for (unsigned K = 0; K < Turns.Count; ++K)
      R.Offsets.push_back(withStride(Address, Stride, Turns[K]));
    assumeEquallyFrequent(A, Varying->S, R);
    return R;
  }
  if (I.Kind == SymbolKind::Object) {
    R.WhyUnknown = "lanes use different arrays";
    R.Cause = UnknownCause::PointerMerge;
    return R;
  }
  R.WhyUnknown = "the address depends on " + describe(A, Varying->S);
  R.Cause = causeOf(A, Varying->S);
  if (isChosenAtRunTime(A, Varying->S))
    R.Stride = std::move(Stride);
  return R;
}

} // namespace cudalint
