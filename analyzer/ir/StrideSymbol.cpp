//===- analyzer/ir/StrideSymbol.cpp - What lanes are apart by -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/StrideSymbol.h"

#include "analyzer/ir/SymbolFacts.h"

#include <bit>
#include <cstdlib>
#include <numeric>
#include <set>

namespace cudalint {

LaneOffsets constantOffsets(const LaneValue &Address) {
  LaneOffsets O;
  for (unsigned L = 0; L < WarpSize; ++L)
    O[L] = Address.Constant[L];
  return O;
}

StrideSymbol makeStride(const LaneArithmetic &A, const Term &T,
                        LaneMask Active) {
  StrideSymbol R;
  R.S = T.S;
  R.Name = A.info(T.S).Name;
  R.IsBound = isBound(A, T.S);
  std::uint64_t Step = 0;
  std::int64_t Last = 0;
  bool First = true;
  for (unsigned L = 0; L < WarpSize; ++L) {
    R.Coefficient[L] = T.Coefficient[L];
    if (!(Active >> L & 1))
      continue;
    if (!First)
      Step = std::gcd(
          Step, static_cast<std::uint64_t>(std::abs(T.Coefficient[L] - Last)));
    Last = T.Coefficient[L];
    First = false;
  }
  R.BytesPerUnit = static_cast<std::int64_t>(Step);
  const auto Begin = static_cast<unsigned>(std::countr_zero(Active));
  while (Begin + R.RowLanes < WarpSize &&
         R.Coefficient[Begin + R.RowLanes] == R.Coefficient[Begin])
    ++R.RowLanes;
  return R;
}

bool hasManyValues(const Lanes &C, LaneMask Active) {
  std::set<std::int64_t> Values;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1)
      Values.insert(C[L]);
  return Values.size() >= 8;
}

LaneOffsets withStride(const LaneValue &Address, const StrideSymbol &Stride,
                       std::int64_t Value) {
  LaneOffsets O = constantOffsets(Address);
  for (unsigned L = 0; L < WarpSize; ++L)
    O[L] += Stride.Coefficient[L] * Value;
  return O;
}

} // namespace cudalint
