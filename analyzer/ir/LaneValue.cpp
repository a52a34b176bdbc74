//===- analyzer/ir/LaneValue.cpp - A value in all lanes of a warp ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneValue.h"

#include "analyzer/ir/LaneOperations.h"

#include <algorithm>
#include <bit>

namespace cudalint {

Lanes::Lanes(const std::array<std::int64_t, WarpSize> &Values)
    : First(Values[0]) {
  std::int64_t By = 0, Span = 0, Last = 0;
  if (!__builtin_sub_overflow(Values[1], Values[0], &By) &&
      !__builtin_mul_overflow(By, std::int64_t(WarpSize - 1), &Span) &&
      !__builtin_add_overflow(First, Span, &Last)) {
    bool Grows = true;
    for (unsigned L = 0; L < WarpSize; ++L)
      Grows &= Values[L] == First + By * std::int64_t(L);
    if (Grows) {
      Step = By;
      return;
    }
  }
  First = 0;
  Each = new Table(Values);
}

/// Lanes from the first to the last, which must have room in so many bits; a
/// truth value does not grow.
std::optional<Lanes> Lanes::growing(__int128 First, __int128 Last,
                                    unsigned Bits) {
  const __int128 Limit = __int128(1) << (Bits - 1);
  if (Bits == 1 || std::min(First, Last) < -Limit ||
      std::max(First, Last) >= Limit)
    return std::nullopt;
  Lanes R(static_cast<std::int64_t>(First));
  R.Step = static_cast<std::int64_t>((Last - First) / int(WarpSize - 1));
  return R;
}

Lanes Lanes::sum(const Lanes &A, const Lanes &B, std::int64_t Sign,
                 unsigned Bits, bool &Wrapped) {
  constexpr unsigned Last = WarpSize - 1;
  if (!A.Each && !B.Each)
    if (auto R = growing(__int128(A.First) + __int128(Sign) * B.First,
                         __int128(A[Last]) + __int128(Sign) * B[Last], Bits))
      return *R;
  return A.zip(B, [&](std::int64_t P, std::int64_t Q) {
    const __int128 Exact = __int128(P) + __int128(Sign) * Q;
    const std::int64_t V = canonical(static_cast<std::uint64_t>(Exact), Bits);
    Wrapped |= V != Exact;
    return V;
  });
}

Lanes Lanes::product(const Lanes &A, const Lanes &B, unsigned Bits,
                     bool &Wrapped) {
  constexpr unsigned Last = WarpSize - 1;
  if (!A.Each && !B.Each && (!A.Step || !B.Step))
    if (auto R = growing(__int128(A.First) * B.First,
                         __int128(A[Last]) * B[Last], Bits))
      return *R;
  return A.zip(B, [&](std::int64_t P, std::int64_t Q) {
    const __int128 Exact = __int128(P) * Q;
    const std::int64_t V = canonical(static_cast<std::uint64_t>(Exact), Bits);
    Wrapped |= V != Exact;
    return V;
  });
}

bool Lanes::isUniformIn(LaneMask Mask) const {
  if (isUniform() || !(Mask & (Mask - 1)))
    return true;
  if (!Each || Mask == AllLanes)
    return false; // They would have been stored once.
  const auto Lane = static_cast<unsigned>(std::countr_zero(Mask));
  for (Mask &= Mask - 1; Mask; Mask &= Mask - 1)
    if (Each->Values[std::countr_zero(Mask)] != Each->Values[Lane])
      return false;
  return true;
}

LaneMask Lanes::zeros() const {
  if (isUniform())
    return First ? 0 : AllLanes;
  LaneMask R = 0;
  for (unsigned L = 0; L < WarpSize; ++L)
    R |= LaneMask((*this)[L] == 0) << L;
  return R;
}

bool Lanes::isZeroIn(LaneMask Mask) const {
  if (isUniform() || !Mask)
    return First == 0 || !Mask;
  if (Mask == AllLanes)
    return false; // As they differ.
  for (; Mask; Mask &= Mask - 1)
    if ((*this)[static_cast<unsigned>(std::countr_zero(Mask))] != 0)
      return false;
  return true;
}

std::pair<std::int64_t, std::int64_t> Lanes::extremes(LaneMask Mask) const {
  if (!Each) {
    const std::int64_t Low =
        (*this)[static_cast<unsigned>(std::countr_zero(Mask))];
    const std::int64_t High =
        (*this)[WarpSize - 1 - static_cast<unsigned>(std::countl_zero(Mask))];
    return std::minmax(Low, High);
  }
  std::pair R(INT64_MAX, INT64_MIN);
  for (; Mask; Mask &= Mask - 1) {
    const std::int64_t V = Each->Values[std::countr_zero(Mask)];
    R = {std::min(R.first, V), std::max(R.second, V)};
  }
  return R;
}

bool Lanes::operator==(const Lanes &Other) const {
  // Each value has one form.
  if (!Each || !Other.Each)
    return !Each && !Other.Each && First == Other.First && Step == Other.Step;
  return Each == Other.Each || Each->Values == Other.Each->Values;
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
  if (Bits > 1) {
    const auto [Low, High] = V.extremes(AllLanes);
    if (canonical(static_cast<std::uint64_t>(Low), Bits) == Low &&
        canonical(static_cast<std::uint64_t>(High), Bits) == High)
      return V;
  }
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
  return !(Unknown & Mask) && Constant.isUniformIn(Mask) &&
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

void LaneArithmetic::narrow(Symbol S, Range R) {
  SymbolInfo &Info = Symbols[S];
  if (R.Max < Info.Min || Info.Max < R.Min)
    return; // Nobody comes here.
  Info.Min =
      static_cast<std::int64_t>(std::clamp<__int128>(R.Min, Info.Min, NoMax));
  Info.Max =
      static_cast<std::int64_t>(std::clamp<__int128>(R.Max, NoMin, Info.Max));
  constexpr auto Round = static_cast<std::int64_t>(RoundSize);
  if (Info.Min > -Round && Info.Max < Round)
    Info.AssumedMultipleOf = Info.MultipleOf;
}

void LaneArithmetic::setMultiple(Symbol S, std::uint64_t Of) {
  SymbolInfo &Info = Symbols[S];
  if (!std::has_single_bit(Of))
    return; // It may not divide what has wrapped.
  Info.MultipleOf = std::max(Info.MultipleOf, Of);
  Info.AssumedMultipleOf = std::max(Info.AssumedMultipleOf, Of);
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
    return Lanes::sum(X, Y, Sign, A.Bits, Wrapped);
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
    return Lanes::product(X, Factor, A.Bits, Wrapped);
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
