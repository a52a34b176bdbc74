//===- analyzer/ir/LaneValue.cpp - A value in all lanes of a warp ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"

#include <algorithm>
#include <bit>

namespace cudalint {

Lanes::Lanes(const std::array<std::int64_t, WarpSize> &Values)
    : Same(Values[0]) {
  if (std::ranges::any_of(Values, [&](auto V) { return V != Same; }))
    Each = std::make_shared<const std::array<std::int64_t, WarpSize>>(Values);
}

bool Lanes::isUniformIn(LaneMask Mask) const {
  if (!Each || !Mask)
    return true;
  if (Mask == AllLanes)
    return false; // They would have been stored once.
  std::int64_t First = (*Each)[std::countr_zero(Mask)];
  for (Mask &= Mask - 1; Mask; Mask &= Mask - 1)
    if ((*Each)[std::countr_zero(Mask)] != First)
      return false;
  return true;
}

bool Lanes::isZeroIn(LaneMask Mask) const {
  if (!Each)
    return Same == 0 || !Mask;
  if (Mask == AllLanes)
    return false; // As they differ.
  for (; Mask; Mask &= Mask - 1)
    if ((*Each)[std::countr_zero(Mask)] != 0)
      return false;
  return true;
}

bool Lanes::operator==(const Lanes &Other) const {
  if (Each == Other.Each && (Each || Same == Other.Same))
    return true;
  // Lanes that are all equal are stored once, so the forms must agree.
  return Each && Other.Each && *Each == *Other.Each;
}

Lanes Lanes::blend(LaneMask Mask, const Lanes &A, const Lanes &B) {
  if (Mask == AllLanes || A == B)
    return A;
  if (!Mask)
    return B;
  std::array<std::int64_t, WarpSize> R;
  for (unsigned L = 0; L < WarpSize; ++L)
    R[L] = (Mask >> L & 1) ? A[L] : B[L];
  return Lanes(R);
}

Lanes reduce(const Lanes &V, unsigned Bits) {
  if (Bits >= 64)
    return V;
  return V.map([=](std::int64_t X) { return canonical(X, Bits); });
}

LaneValue LaneValue::constant(unsigned Bits, Lanes Value) {
  LaneValue V;
  V.Bits = Bits;
  V.Constant = reduce(Value, Bits);
  return V;
}

LaneValue LaneValue::symbol(unsigned Bits, Symbol S) {
  LaneValue V;
  V.Bits = Bits;
  V.Terms.push_back({S, Lanes(1)});
  return V;
}

LaneValue LaneValue::unknown(unsigned Bits) {
  LaneValue V;
  V.Bits = Bits;
  V.Unknown = AllLanes;
  return V;
}

bool LaneValue::isUniform() const { return isUniformIn(AllLanes); }

bool LaneValue::isUniformIn(LaneMask Mask) const {
  if (Unknown & Mask)
    return false;
  return Constant.isUniformIn(Mask) &&
         std::ranges::all_of(Terms, [&](const Term &T) {
           return T.Coefficient.isUniformIn(Mask);
         });
}

bool LaneValue::isConstantIn(LaneMask Mask) const {
  if (Unknown & Mask)
    return false;
  return std::ranges::all_of(
      Terms, [&](const Term &T) { return T.Coefficient.isZeroIn(Mask); });
}

bool LaneValue::sameAs(const LaneValue &O) const {
  return Bits == O.Bits && Unknown == 0 && O.Unknown == 0 &&
         Constant == O.Constant &&
         std::ranges::equal(Terms, O.Terms, [](const Term &A, const Term &B) {
           return A.S == B.S && A.Coefficient == B.Coefficient;
         });
}

LaneValue combine(const LaneValue &A, const LaneValue &B, std::int64_t Sign) {
  LaneValue R;
  R.Bits = A.Bits;
  R.Unknown = A.Unknown | B.Unknown;
  R.Assumes = A.Assumes | B.Assumes;
  R.MayWrap = A.MayWrap || B.MayWrap;
  // Where a coefficient wraps, the polynomial is the value only modulo 2^Bits,
  // even if the value itself did not wrap.
  bool Wrapped = false;
  auto Sum = [&](const Lanes &X, const Lanes &Y) {
    return X.zip(Y, [&](std::int64_t P, std::int64_t Q) {
      __int128 Exact = __int128(P) + __int128(Sign) * Q;
      std::int64_t V = canonical(static_cast<std::uint64_t>(Exact), A.Bits);
      Wrapped |= V != Exact;
      return V;
    });
  };
  R.Constant = Sum(A.Constant, B.Constant);
  R.Terms.reserve(A.Terms.size() + B.Terms.size());
  auto I = A.Terms.begin(), J = B.Terms.begin();
  while (I != A.Terms.end() || J != B.Terms.end()) {
    Term T;
    if (J == B.Terms.end() || (I != A.Terms.end() && I->S < J->S))
      T = *I++;
    else if (I == A.Terms.end() || J->S < I->S) {
      T = {J->S, Sum(Lanes(0), J->Coefficient)};
      ++J;
    } else {
      T = {I->S, Sum(I->Coefficient, J->Coefficient)};
      ++I, ++J;
    }
    if (!T.Coefficient.isZero())
      R.Terms.push_back(std::move(T));
  }
  R.MayWrap |= Wrapped;
  return R;
}

LaneValue scale(const LaneValue &A, const Lanes &Factor) {
  LaneValue R;
  R.Bits = A.Bits;
  R.Unknown = A.Unknown;
  R.Assumes = A.Assumes;
  R.MayWrap = A.MayWrap;
  bool Wrapped = false;
  auto Times = [&](const Lanes &X) {
    return X.zip(Factor, [&](std::int64_t P, std::int64_t Q) {
      __int128 Exact = __int128(P) * Q;
      std::int64_t V = canonical(static_cast<std::uint64_t>(Exact), A.Bits);
      Wrapped |= V != Exact;
      return V;
    });
  };
  R.Constant = Times(A.Constant);
  for (const Term &T : A.Terms) {
    Lanes C = Times(T.Coefficient);
    if (!C.isZero())
      R.Terms.push_back({T.S, std::move(C)});
  }
  R.MayWrap |= Wrapped;
  return R;
}

} // namespace cudalint
