//===- analyzer/ir/ArrayBound.cpp - Random addresses in arrays ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ArrayBound.h"

#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace cudalint {

using Wide = __int128;

static Wide floorOf(Wide A, Wide B) { return A / B - (A % B != 0 && A < 0); }

/// Values of \p N with which the lane, of which \p Rest is known but for it,
/// accesses bytes from 0 to \p Last. EXPECTS: it moves the lane.
static Range valuesWithin(const RandomNumber &N, unsigned Lane, Wide Rest,
                          Wide Last) {
  Wide Below = Rest, Above = Last - Rest;
  if (N.Bytes[Lane] < 0)
    std::swap(Below, Above);
  const Wide Step = magnitude(N.Bytes[Lane]);
  Range Out = {-floorOf(Below, Step), floorOf(Above, Step)};
  if (N.Values) {
    Out.Min = std::max<Wide>(Out.Min, 0);
    Out.Max = std::min<Wide>(Out.Max, Wide(N.Values) - 1);
  }
  return Out;
}

bool ArrayBound::findArrays(const ValueEvaluator &Values) {
  for (const Term &T : Address.Known.Terms) {
    auto *Array = dyn_cast_or_null<GlobalVariable>(Values.originOf(T.S));
    if (!Array || Array->isDeclaration()) {
      Rest.push_back(T);
      continue;
    }
    for (unsigned L = 0; L < WarpSize; ++L) {
      if (!(Active >> L & 1) || T.Coefficient[L] == 0)
        continue;
      if (T.Coefficient[L] != 1 || Size[L])
        return false;
      Size[L] = Array->getDataLayout().getTypeAllocSize(Array->getValueType());
    }
  }
  return true;
}

/// What the numbers that the code bounds add to the address of a lane.
Range ArrayBound::reach(unsigned Lane, const RandomNumber *Without) const {
  Range Out = {0, 0};
  for (const RandomNumber &N : Address.Numbers)
    if (&N != Without && N.Values) {
      const Wide Last = Wide(N.Bytes[Lane]) * Wide(N.Values - 1);
      (Last < 0 ? Out.Min : Out.Max) += Last;
    }
  return Out;
}

/// Whether the code keeps all lanes there.
bool ArrayBound::isWithin() const {
  // Wherever that moves it, it meets no more sectors and words than there are.
  const Wide Moves = Rest.empty() ? 0 : 256;
  return llvm::all_of(Address.Numbers,
                      [](const RandomNumber &N) { return N.Values != 0; }) &&
         allInArrays([&](unsigned L) {
           const Range Reach = reach(L, nullptr);
           const Wide From = Address.Known.Constant[L];
           return Rest.empty()
                      ? From + Reach.Min >= 0 &&
                            From + Reach.Max + Bytes <= Size[L]
                      : Reach.Max - Reach.Min + Bytes + Moves <= Size[L];
         });
}

/// The one number that the array bounds rather than the code; null: there are
/// several.
RandomNumber *ArrayBound::decisive() {
  RandomNumber *Only = nullptr;
  for (RandomNumber &N : Address.Numbers)
    if (N.Values == 0 || Address.Numbers.size() == 1) {
      if (Only)
        return nullptr;
      Only = &N;
    }
  return Only;
}

/// A number that may be any may as well be any other one: with what moves all
/// lanes alike, by a multiple of what it does.
bool ArrayBound::absorbRest(const RandomNumber &Into) {
  const auto First = static_cast<unsigned>(countr_zero(Active));
  const std::uint64_t Step = magnitude(Into.Bytes[First]);
  const bool IsAlike = allInArrays(
      [&](unsigned L) { return Into.Bytes[L] == Into.Bytes[First]; });
  if (Into.Values || !Step || !IsAlike)
    return false;
  for (const Term &T : Rest)
    if (!T.Coefficient.isUniformIn(Active) ||
        Wide(T.Coefficient[First]) * A.info(T.S).MultipleOf % Step != 0)
      return false;
  llvm::erase_if(Address.Known.Terms, [&](const Term &T) {
    return llvm::any_of(Rest, [&](const Term &R) { return R.S == T.S; });
  });
  return true;
}

/// Leaves the values with which lanes stay in their arrays whatever the other
/// numbers are: each lane has as many, wherever its own begin.
bool ArrayBound::clip(RandomNumber &N) {
  std::optional<Wide> Count;
  std::array<std::int64_t, WarpSize> First = {};
  const bool IsSame = allInArrays([&](unsigned L) {
    if (!N.Bytes[L])
      return true;
    const Wide Known = Address.Known.Constant[L], Last = Size[L] - Bytes;
    const Range Others = reach(L, &N);
    const Range Low = valuesWithin(N, L, Known + Others.Min, Last);
    const Range High = valuesWithin(N, L, Known + Others.Max, Last);
    const Range Each = {std::max(Low.Min, High.Min),
                        std::min(Low.Max, High.Max)};
    const Wide Number = Each.Max - Each.Min + 1;
    if (Count.value_or(Number) != Number)
      return false;
    Count = Number;
    First[L] = static_cast<std::int64_t>(Each.Min);
    return true;
  });
  if (!IsSame || !Count || *Count <= 0)
    return false;
  if (*Count >= ManyValues)
    return true;
  N.Values = static_cast<std::uint64_t>(*Count);
  Address.Known = A.add(Address.Known,
                        A.mul(LaneValue::constant(64, Lanes(N.Bytes)),
                              LaneValue::constant(64, Lanes(First)), true),
                        true);
  return true;
}

bool ArrayBound::apply(const ValueEvaluator &Values) {
  if (Address.Numbers.empty())
    return true;
  if (!findArrays(Values))
    return false;
  const bool IsInAny = !allInArrays([](unsigned) { return false; });
  if (!IsInAny || isWithin())
    return true;
  RandomNumber *N = decisive();
  return N && (Rest.empty() || absorbRest(*N)) && clip(*N);
}

} // namespace cudalint
