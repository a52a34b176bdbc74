//===- analyzer/ir/LaneArithmetic.cpp - Symbols, ranges, ring and casts ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/Remainders.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cudalint {

Symbol LaneArithmetic::makeSymbol(SymbolInfo Info) {
  Symbols.push_back(std::move(Info));
  return static_cast<Symbol>(Symbols.size() - 1);
}

static std::uint64_t saturatingProduct(std::uint64_t A, std::uint64_t B) {
  unsigned __int128 P = static_cast<unsigned __int128>(A) * B;
  constexpr std::uint64_t Cap = std::uint64_t(1) << 40;
  // A smaller power of two that still divides it is as true.
  return P <= Cap
             ? static_cast<std::uint64_t>(P)
             : std::uint64_t(1)
                   << std::min(40, std::countr_zero(A) + std::countr_zero(B));
}

static Range productRange(Range A, Range B) {
  __int128 P[] = {A.Min * B.Min, A.Min * B.Max, A.Max * B.Min, A.Max * B.Max};
  return {*std::min_element(P, P + 4), *std::max_element(P, P + 4)};
}

/// The interval as a symbol's bounds; unbounded where it is too large to tell.
static void setRange(SymbolInfo &Info, Range R) {
  if (R.Min > NoMin && R.Min < NoMax)
    Info.Min = static_cast<std::int64_t>(R.Min);
  if (R.Max < NoMax && R.Max > NoMin)
    Info.Max = static_cast<std::int64_t>(R.Max);
}

bool LaneArithmetic::isGathered(Symbol S) const {
  return Symbols[S].IsGathered ||
         std::ranges::any_of(Symbols[S].Factors,
                             [&](Symbol F) { return Symbols[F].IsGathered; });
}

Symbol LaneArithmetic::product(Symbol A, Symbol B) {
  auto [It, New] = Products.try_emplace(std::minmax(A, B), 0);
  if (!New)
    return It->second;
  SymbolInfo Info;
  Info.Kind = SymbolKind::Product;
  for (Symbol S : {A, B})
    if (Symbols[S].Kind == SymbolKind::Product)
      Info.Factors.insert(Info.Factors.end(), Symbols[S].Factors.begin(),
                          Symbols[S].Factors.end());
    else
      Info.Factors.push_back(S);
  std::ranges::sort(Info.Factors);
  const SymbolInfo &X = Symbols[A], &Y = Symbols[B];
  Info.ByBlock = X.ByBlock | Y.ByBlock;
  Info.ByWarp = X.ByWarp || Y.ByWarp;
  Info.MultipleOf = saturatingProduct(X.MultipleOf, Y.MultipleOf);
  Info.AssumedMultipleOf =
      saturatingProduct(X.AssumedMultipleOf, Y.AssumedMultipleOf);
  // Half-open knowledge is enough: sizes and indices are rarely negative.
  if (X.Min != NoMin && Y.Min != NoMin && X.Max != NoMax && Y.Max != NoMax)
    setRange(Info, productRange({X.Min, X.Max}, {Y.Min, Y.Max}));
  else if (X.Min >= 0 && Y.Min >= 0)
    setRange(Info, {static_cast<__int128>(X.Min) * Y.Min, __int128(NoMax)});
  // The factors, not the pair, decide.
  auto [Known, IsFirst] = ProductsOf.try_emplace(Info.Factors, 0);
  if (IsFirst)
    Known->second = makeSymbol(std::move(Info));
  return It->second = Known->second;
}

std::uint64_t LaneArithmetic::multipleOf(const Term &T) const {
  std::uint64_t G = 0;
  for (unsigned L = 0; L < WarpSize; ++L) {
    G = std::gcd(G, magnitude(T.Coefficient[L]));
    if (T.Coefficient.isUniform())
      break;
  }
  return saturatingProduct(std::max<std::uint64_t>(G, 1),
                           Symbols[T.S].MultipleOf);
}

bool LaneArithmetic::isOfKind(const LaneValue &A, SymbolKind Kind) const {
  return std::ranges::all_of(A.Terms, [&](const Term &T) {
    // In each single warp, its number is a constant.
    auto IsOfKind = [&](const SymbolInfo &I) {
      return I.Kind == Kind || I.Kind == SymbolKind::Warp;
    };
    const SymbolInfo &I = Symbols[T.S];
    if (I.Kind != SymbolKind::Product)
      return IsOfKind(I);
    return std::ranges::all_of(I.Factors,
                               [&](Symbol F) { return IsOfKind(Symbols[F]); });
  });
}

unsigned LaneArithmetic::blockDimensions(const LaneValue &A) const {
  unsigned Result = 0;
  for (const Term &T : A.Terms)
    Result |= Symbols[T.S].ByBlock;
  return Result;
}

SymbolKind LaneArithmetic::kindOf(const LaneValue &A,
                                  const LaneValue &B) const {
  // What is computed from parameters alone is as round as they are.
  for (SymbolKind Kind : {SymbolKind::Parameter, SymbolKind::BlockIndex})
    if (isOfKind(A, Kind) && isOfKind(B, Kind))
      return Kind;
  return SymbolKind::Opaque;
}

LaneValue LaneArithmetic::fresh(unsigned Bits, SymbolInfo Info) {
  return LaneValue::symbol(Bits, makeSymbol(std::move(Info)));
}

LaneValue LaneArithmetic::opaque(unsigned Bits, unsigned Operation,
                                 const LaneValue &A, const LaneValue &B) {
  std::vector<std::int64_t> Key = {Operation, Bits, A.Bits, B.Bits};
  for (const LaneValue *V : {&A, &B}) {
    Key.push_back(V->Constant[0]);
    Key.push_back(static_cast<std::int64_t>(V->Terms.size()));
    for (const Term &T : V->Terms) {
      Key.push_back(T.S);
      Key.push_back(T.Coefficient[0]);
    }
  }
  auto [It, New] = Opaques.try_emplace(std::move(Key), 0);
  if (New) {
    SymbolInfo Info;
    Info.Kind = kindOf(A, B);
    Info.ByBlock = blockDimensions(A) | blockDimensions(B);
    if (Info.Kind == SymbolKind::Parameter)
      Info.AssumedMultipleOf = RoundSize;
    if (Bits < 64) {
      Info.Min = Bits == 1 ? 0 : -(std::int64_t(1) << (Bits - 1));
      Info.Max = Bits == 1 ? 1 : (std::int64_t(1) << (Bits - 1)) - 1;
    }
    Info.Remainders = byRemainder(*this, Operation, A, B);
    It->second = makeSymbol(std::move(Info));
  }
  LaneValue R = LaneValue::symbol(Bits, It->second);
  R.Assumes = A.Assumes | B.Assumes;
  return R;
}

std::optional<Range> LaneArithmetic::range(const LaneValue &A,
                                           unsigned L) const {
  if (A.Unknown >> L & 1)
    return std::nullopt;
  Range R = {A.Constant[L], A.Constant[L]};
  bool Lower = true, Upper = true;
  for (const Term &T : A.Terms) {
    __int128 C = T.Coefficient[L];
    if (!C)
      continue;
    const SymbolInfo &I = Symbols[T.S];
    bool HasMin = I.Min != NoMin, HasMax = I.Max != NoMax;
    if (C < 0)
      std::swap(HasMin, HasMax);
    Lower &= HasMin;
    Upper &= HasMax;
    if (HasMin)
      R.Min += C * (C < 0 ? I.Max : I.Min);
    if (HasMax)
      R.Max += C * (C < 0 ? I.Min : I.Max);
  }
  // Far outside of any 64-bit value, and still safe to add up.
  constexpr __int128 Far = __int128(1) << 100;
  if (!Lower)
    R.Min = -Far;
  if (!Upper)
    R.Max = Far;
  return R;
}

Range LaneArithmetic::hull(const LaneValue &A) const {
  const LaneMask Known = ~A.Unknown;
  if (!Known)
    return {0, 0};
  const auto First = static_cast<unsigned>(std::countr_zero(Known));
  Range R = *range(A, First);
  // The interval moves with the constant where nothing else differs.
  if (std::ranges::all_of(
          A.Terms, [](const Term &T) { return T.Coefficient.isUniform(); })) {
    const auto [Low, High] = A.Constant.extremes(Known);
    const __int128 At = A.Constant[First];
    return {R.Min + Low - At, R.Max + High - At};
  }
  for (unsigned L = First + 1; L < WarpSize; ++L)
    if (const std::optional<Range> Each = range(A, L))
      R = {std::min(R.Min, Each->Min), std::max(R.Max, Each->Max)};
  return R;
}

/// Whether the polynomial, as an integer, is the value's own in every lane.
bool LaneArithmetic::fits(const LaneValue &A, bool Signed) const {
  if (Signed && !A.MayWrap)
    return true;
  const Range All = hull(A);
  if (Signed) {
    const __int128 Limit = __int128(1) << (A.Bits - 1);
    return All.Min >= -Limit && All.Max < Limit;
  }
  // Or known not to wrap in the signed sense, and not to be negative.
  return All.Min >= 0 && (!A.MayWrap || All.Max < __int128(1) << A.Bits);
}

LaneValue LaneArithmetic::add(const LaneValue &A, const LaneValue &B,
                              bool NoWrap) {
  LaneValue R = combine(A, B, 1);
  if (R.Terms.empty())
    R.MayWrap = false;
  else if (!NoWrap || R.MayWrap) {
    R.MayWrap = true;
    R.MayWrap = !fits(R, /*Signed=*/true);
  }
  return limited(std::move(R));
}

LaneValue LaneArithmetic::sub(const LaneValue &A, const LaneValue &B,
                              bool NoWrap) {
  LaneValue R = combine(A, B, -1);
  if (R.Terms.empty())
    R.MayWrap = false;
  else if (!NoWrap || R.MayWrap) {
    R.MayWrap = true;
    R.MayWrap = !fits(R, /*Signed=*/true);
  }
  return limited(std::move(R));
}

LaneValue LaneArithmetic::withSum(const LaneValue &A) {
  LaneValue Rest = A, Sum = LaneValue::constant(A.Bits, 0);
  Rest.Terms.clear();
  SymbolInfo Info = {.MultipleOf = 0, .AssumedMultipleOf = 0};
  std::vector<std::int64_t> Key;
  for (const Term &T : A.Terms) {
    const SymbolInfo &Of = Symbols[T.S];
    if (!T.Coefficient.isUniform() || Of.Kind == SymbolKind::Object ||
        Of.ByWarp || (isGathered(T.S) && !Of.Vote)) {
      Rest.Terms.push_back(T);
      continue;
    }
    Sum.Terms.push_back(T);
    Key.push_back(T.S);
    Key.push_back(T.Coefficient[0]);
    const std::uint64_t Times = magnitude(T.Coefficient[0]);
    Info.MultipleOf =
        std::gcd(Info.MultipleOf, saturatingProduct(Times, Of.MultipleOf));
    Info.AssumedMultipleOf = std::gcd(
        Info.AssumedMultipleOf, saturatingProduct(Times, Of.AssumedMultipleOf));
  }
  if (Sum.Terms.size() < 2 || A.Bits == 1)
    return A;
  const auto [It, IsNew] = Sums.try_emplace(std::move(Key), 0);
  if (IsNew) {
    Info.Kind = kindOf(Sum, Sum);
    Info.ByBlock = blockDimensions(Sum);
    if (const std::optional<Range> All = range(Sum, 0))
      setRange(Info, *All);
    It->second = makeSymbol(std::move(Info));
  }
  Rest.Terms.push_back({It->second, 1});
  std::ranges::sort(Rest.Terms, {}, &Term::S);
  return Rest;
}

bool LaneArithmetic::hasTooManyTerms(const LaneValue &V) const {
  if (V.Terms.size() <= MaxTerms)
    return false;
  const auto Votes = static_cast<std::size_t>(std::ranges::count_if(
      V.Terms, [&](const Term &T) { return Symbols[T.S].Vote != 0; }));
  return Votes > MaxVoteTerms || V.Terms.size() - Votes > MaxTerms;
}

LaneValue LaneArithmetic::limited(LaneValue V) {
  if (!hasTooManyTerms(V))
    return V;
  LaneValue R = withSum(V);
  if (!hasTooManyTerms(R))
    return R;
  LaneValue U = LaneValue::unknown(V.Bits);
  U.Assumes = V.Assumes;
  return U;
}

LaneValue LaneArithmetic::mul(const LaneValue &A, const LaneValue &B,
                              bool NoWrap) {
  LaneValue R = scale(A, B.Constant);
  R.Unknown |= B.Unknown;
  R.Assumes |= B.Assumes;
  R.MayWrap |= B.MayWrap;
  for (const Term &T : B.Terms) {
    // (constant of A) · t, then every term of A times t.
    LaneValue Part = LaneValue::constant(A.Bits, 0);
    LaneValue C = scale(LaneValue::constant(A.Bits, A.Constant), T.Coefficient);
    Part.MayWrap = C.MayWrap;
    if (!C.Constant.isZero())
      Part.Terms.push_back({T.S, C.Constant});
    R = combine(R, Part, 1);
    for (const Term &U : A.Terms) {
      LaneValue Cross = LaneValue::constant(A.Bits, 0);
      LaneValue D =
          scale(LaneValue::constant(A.Bits, U.Coefficient), T.Coefficient);
      Cross.MayWrap = D.MayWrap;
      if (!D.Constant.isZero())
        Cross.Terms.push_back({product(U.S, T.S), D.Constant});
      R = combine(R, Cross, 1);
    }
    if (hasTooManyTerms(R)) {
      // Not limited(): some of the product is missing.
      const LaneValue X = withSum(A), Y = withSum(B);
      if (X.Terms.size() < A.Terms.size() || Y.Terms.size() < B.Terms.size())
        return mul(X, Y, NoWrap);
      LaneValue U = LaneValue::unknown(A.Bits);
      U.Assumes = A.Assumes | B.Assumes;
      return U;
    }
  }
  // Nothing is unknown about zero times something.
  for (const LaneValue *V : {&A, &B}) {
    LaneMask Zero = R.Unknown ? V->Constant.zeros() & ~V->Unknown : 0;
    for (const Term &T : V->Terms)
      Zero &= T.Coefficient.zeros();
    R.Unknown &= ~Zero;
  }
  if (R.Terms.empty())
    R.MayWrap = false;
  else if (!NoWrap || R.MayWrap) {
    R.MayWrap = true;
    R.MayWrap = !fits(R, /*Signed=*/true);
  }
  return R;
}

LaneValue LaneArithmetic::shl(const LaneValue &A, const LaneValue &B,
                              bool NoWrap) {
  if (B.isConstantIn(~B.Unknown)) {
    std::array<std::int64_t, WarpSize> Power;
    for (unsigned L = 0; L < WarpSize; ++L) {
      // By the width or more, nothing is left: see lshr().
      const std::uint64_t S = unsignedOf(B.Constant[L], B.Bits);
      Power[L] = S >= A.Bits ? 0 : canonical(std::uint64_t(1) << S, 64);
      // The factor is the sign bit, which as a number is negative.
      NoWrap &= S + 1 < A.Bits;
    }
    LaneValue R = mul(A, LaneValue::constant(A.Bits, Lanes(Power)), NoWrap);
    R.Unknown |= B.Unknown;
    R.Assumes |= B.Assumes;
    return R;
  }
  if (!B.isUniform())
    return LaneValue::unknown(A.Bits);
  return mul(A, opaque(A.Bits, 'L', LaneValue::constant(A.Bits, 1), B), false);
}

bool isPlainTruth(const LaneValue &A) {
  if (A.Terms.size() != 1)
    return A.Terms.empty();
  for (unsigned L = 0; L < WarpSize; ++L)
    if (A.Terms[0].Coefficient[L] && A.Constant[L])
      return false;
  return true;
}

LaneValue LaneArithmetic::trunc(const LaneValue &A, unsigned Bits) {
  LaneValue R = A;
  R.Bits = Bits;
  R.Constant = reduce(A.Constant, Bits);
  R.Terms.clear();
  for (const Term &T : A.Terms) {
    Lanes C = reduce(T.Coefficient, Bits);
    if (!C.isZero())
      R.Terms.push_back({T.S, C});
  }
  if (R.Terms.empty()) {
    R.MayWrap = false;
  } else if (Bits == 1) {
    // Only a symbol that is itself 0 or 1 stays a truth value.
    return A.isUniform() ? opaque(1, 't', A, A) : LaneValue::unknown(1);
  } else {
    R.MayWrap = true;
    R.MayWrap = !fits(R, /*Signed=*/true);
  }
  return R;
}

LaneValue LaneArithmetic::zext(const LaneValue &A, unsigned Bits,
                               bool NonNegative) {
  if (A.Bits == 1 && !isPlainTruth(A)) {
    if (A.isUniform()) {
      LaneValue R = opaque(Bits, 'z', A, A);
      SymbolInfo &Info = Symbols[R.Terms[0].S];
      Info.Min = 0;
      Info.Max = 1;
      return R;
    }
    LaneValue U = LaneValue::unknown(Bits);
    U.Assumes = A.Assumes;
    return U;
  }
  LaneValue R = A;
  R.Bits = Bits;
  if (A.Terms.empty()) {
    R.Constant = A.Constant.map([&](std::int64_t X) {
      return static_cast<std::int64_t>(unsignedOf(X, A.Bits));
    });
    return R;
  }
  if (A.Bits > 1 && !fits(A, /*Signed=*/false) && (!NonNegative || A.MayWrap))
    R.Assumes |= AssumesNoWrap;
  R.MayWrap = false;
  // Lanes without symbols are constants, and those wrap as constants do.
  for (unsigned L = 0; L < WarpSize; ++L)
    if (A.Constant[L] < 0 && A.isConstantIn(LaneMask(1) << L))
      R.Constant = Lanes::blend(
          LaneMask(1) << L,
          Lanes(static_cast<std::int64_t>(unsignedOf(A.Constant[L], A.Bits))),
          R.Constant);
  return R;
}

LaneValue LaneArithmetic::sext(const LaneValue &A, unsigned Bits) {
  if (A.Bits == 1)
    return sub(LaneValue::constant(Bits, 0), zext(A, Bits), /*NoWrap=*/true);
  LaneValue R = A;
  R.Bits = Bits;
  if (!fits(A, /*Signed=*/true))
    R.Assumes |= AssumesNoWrap;
  R.MayWrap = false;
  return R;
}

} // namespace cudalint
