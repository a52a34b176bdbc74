//===- analyzer/ir/LaneValue.cpp - A value in all lanes of a warp ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneValue.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cudalint {

/// More terms than this say nothing useful about an address any more.
static constexpr std::size_t MaxTerms = 16;

/// The canonical form of a Bits-wide integer: sign-extended, but 0 or 1 for a
/// truth value.
static std::int64_t canonical(std::uint64_t V, unsigned Bits) {
  if (Bits == 1)
    return V & 1;
  if (Bits >= 64)
    return static_cast<std::int64_t>(V);
  std::uint64_t Shift = 64 - Bits;
  return static_cast<std::int64_t>(V << Shift) >> Shift;
}

static std::uint64_t unsignedOf(std::int64_t V, unsigned Bits) {
  std::uint64_t U = static_cast<std::uint64_t>(V);
  return Bits >= 64 ? U : U & ((std::uint64_t(1) << Bits) - 1);
}

static std::int64_t floorDiv(std::int64_t A, std::int64_t B) {
  std::int64_t Q = A / B;
  return Q - ((A % B != 0) && ((A < 0) != (B < 0)));
}

static std::uint64_t magnitude(std::int64_t V) {
  return V < 0 ? 0 - static_cast<std::uint64_t>(V) : V;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

Lanes::Lanes(const std::array<std::int64_t, WarpSize> &Values)
    : Same(Values[0]) {
  if (std::ranges::any_of(Values, [&](auto V) { return V != Same; }))
    Each = std::make_shared<const std::array<std::int64_t, WarpSize>>(Values);
}

bool Lanes::isUniformIn(LaneMask Mask) const {
  if (!Each || !Mask)
    return true;
  std::int64_t First = (*Each)[std::countr_zero(Mask)];
  for (unsigned L = 0; L < WarpSize; ++L)
    if ((Mask >> L & 1) && (*Each)[L] != First)
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

//===----------------------------------------------------------------------===//
// LaneValue
//===----------------------------------------------------------------------===//

static Lanes reduce(const Lanes &V, unsigned Bits) {
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
  return std::ranges::all_of(Terms, [&](const Term &T) {
    for (unsigned L = 0; L < WarpSize; ++L)
      if ((Mask >> L & 1) && T.Coefficient[L])
        return false;
    return true;
  });
}

bool LaneValue::sameAs(const LaneValue &O) const {
  return Bits == O.Bits && Unknown == 0 && O.Unknown == 0 &&
         Constant == O.Constant &&
         std::ranges::equal(Terms, O.Terms, [](const Term &A, const Term &B) {
           return A.S == B.S && A.Coefficient == B.Coefficient;
         });
}

/// Adds `Sign` times `B` to `A`, term by term.
static LaneValue combine(const LaneValue &A, const LaneValue &B,
                         std::int64_t Sign) {
  LaneValue R;
  R.Bits = A.Bits;
  R.Unknown = A.Unknown | B.Unknown;
  R.Assumes = A.Assumes | B.Assumes;
  R.MayWrap = A.MayWrap || B.MayWrap;
  auto Sum = [&](const Lanes &X, const Lanes &Y) {
    return X.zip(Y, [&](std::int64_t P, std::int64_t Q) {
      return canonical(static_cast<std::uint64_t>(P) +
                           static_cast<std::uint64_t>(Sign) *
                               static_cast<std::uint64_t>(Q),
                       A.Bits);
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
  return R;
}

/// `A` times a constant per lane.
static LaneValue scale(const LaneValue &A, const Lanes &Factor) {
  LaneValue R;
  R.Bits = A.Bits;
  R.Unknown = A.Unknown;
  R.Assumes = A.Assumes;
  R.MayWrap = A.MayWrap;
  auto Times = [&](const Lanes &X) {
    return X.zip(Factor, [&](std::int64_t P, std::int64_t Q) {
      return canonical(static_cast<std::uint64_t>(P) *
                           static_cast<std::uint64_t>(Q),
                       A.Bits);
    });
  };
  R.Constant = Times(A.Constant);
  for (const Term &T : A.Terms) {
    Lanes C = Times(T.Coefficient);
    if (!C.isZero())
      R.Terms.push_back({T.S, std::move(C)});
  }
  return R;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

Symbol LaneArithmetic::makeSymbol(SymbolInfo Info) {
  Symbols.push_back(std::move(Info));
  return static_cast<Symbol>(Symbols.size() - 1);
}

static std::uint64_t saturatingProduct(std::uint64_t A, std::uint64_t B) {
  unsigned __int128 P = static_cast<unsigned __int128>(A) * B;
  constexpr std::uint64_t Cap = std::uint64_t(1) << 40;
  // A smaller power of two that still divides it is as true.
  return P <= Cap ? static_cast<std::uint64_t>(P)
                  : std::uint64_t(1)
                        << std::min(40, std::countr_zero(A) +
                                            std::countr_zero(B));
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
  Info.MultipleOf = saturatingProduct(X.MultipleOf, Y.MultipleOf);
  Info.AssumedMultipleOf =
      saturatingProduct(X.AssumedMultipleOf, Y.AssumedMultipleOf);
  // Half-open knowledge is enough: sizes and indices are rarely negative.
  if (X.Min != NoMin && Y.Min != NoMin && X.Max != NoMax && Y.Max != NoMax)
    setRange(Info, productRange({X.Min, X.Max}, {Y.Min, Y.Max}));
  else if (X.Min >= 0 && Y.Min >= 0)
    setRange(Info, {static_cast<__int128>(X.Min) * Y.Min, __int128(NoMax)});
  // The factors, not the pair, decide: (a·b)·c is a·(b·c).
  for (const auto &[Pair, S] : Products)
    if (S && Symbols[S].Factors == Info.Factors)
      return It->second = S;
  return It->second = makeSymbol(std::move(Info));
}

/// What divides a term in all lanes, proved.
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

SymbolKind LaneArithmetic::kindOf(const LaneValue &A,
                                  const LaneValue &B) const {
  // What is computed from parameters alone is as round as they are.
  for (const LaneValue *V : {&A, &B})
    for (const Term &T : V->Terms) {
      const SymbolInfo &I = Symbols[T.S];
      if (I.Kind == SymbolKind::Product) {
        for (Symbol F : I.Factors)
          if (Symbols[F].Kind != SymbolKind::Parameter)
            return SymbolKind::Opaque;
      } else if (I.Kind != SymbolKind::Parameter) {
        return SymbolKind::Opaque;
      }
    }
  return SymbolKind::Parameter;
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
    if (Info.Kind == SymbolKind::Parameter)
      Info.AssumedMultipleOf = 32;
    if (Bits < 64) {
      Info.Min = Bits == 1 ? 0 : -(std::int64_t(1) << (Bits - 1));
      Info.Max = Bits == 1 ? 1 : (std::int64_t(1) << (Bits - 1)) - 1;
    }
    It->second = makeSymbol(std::move(Info));
  }
  LaneValue R = LaneValue::symbol(Bits, It->second);
  R.Assumes = A.Assumes | B.Assumes;
  return R;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

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

/// Whether the polynomial, as an integer, is the value's own in every lane.
bool LaneArithmetic::fits(const LaneValue &A, bool Signed) const {
  if (Signed && !A.MayWrap)
    return true;
  __int128 One = 1;
  __int128 Min = Signed ? -(One << (A.Bits - 1)) : 0;
  __int128 Max = Signed ? (One << (A.Bits - 1)) - 1 : (One << A.Bits) - 1;
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (A.Unknown >> L & 1)
      continue;
    auto R = range(A, L);
    if (!R || R->Min < Min || R->Max > Max) {
      // Known not to wrap in the signed sense and known not to be negative.
      if (Signed || A.MayWrap || !R || R->Min < 0)
        return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Ring operations
//===----------------------------------------------------------------------===//

static LaneValue limited(LaneValue V) {
  if (V.Terms.size() <= MaxTerms)
    return V;
  LaneValue U = LaneValue::unknown(V.Bits);
  U.Assumes = V.Assumes;
  return U;
}

LaneValue LaneArithmetic::add(const LaneValue &A, const LaneValue &B,
                              bool NoWrap) {
  LaneValue R = combine(A, B, 1);
  if (R.Terms.empty())
    R.MayWrap = false;
  else if (!NoWrap && !R.MayWrap) {
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
  else if (!NoWrap && !R.MayWrap) {
    R.MayWrap = true;
    R.MayWrap = !fits(R, /*Signed=*/true);
  }
  return limited(std::move(R));
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
    Lanes C = scale(LaneValue::constant(A.Bits, A.Constant), T.Coefficient)
                  .Constant;
    if (!C.isZero())
      Part.Terms.push_back({T.S, C});
    R = combine(R, Part, 1);
    for (const Term &U : A.Terms) {
      LaneValue Cross = LaneValue::constant(A.Bits, 0);
      Lanes D = scale(LaneValue::constant(A.Bits, U.Coefficient),
                      T.Coefficient)
                    .Constant;
      if (!D.isZero())
        Cross.Terms.push_back({product(U.S, T.S), D});
      R = combine(R, Cross, 1);
    }
    if (R.Terms.size() > MaxTerms)
      return limited(std::move(R));
  }
  // Nothing is unknown about zero times something.
  for (const LaneValue *V : {&A, &B}) {
    LaneMask Zero = 0;
    for (unsigned L = 0; L < WarpSize; ++L)
      if (V->isConstantIn(LaneMask(1) << L) && V->Constant[L] == 0)
        Zero |= LaneMask(1) << L;
    R.Unknown &= ~Zero;
  }
  if (R.Terms.empty())
    R.MayWrap = false;
  else if (!NoWrap && !R.MayWrap) {
    R.MayWrap = true;
    R.MayWrap = !fits(R, /*Signed=*/true);
  }
  return R;
}

LaneValue LaneArithmetic::shl(const LaneValue &A, const LaneValue &B,
                              bool NoWrap) {
  if (B.isConstantIn(~B.Unknown)) {
    LaneMask Poison = 0;
    std::array<std::int64_t, WarpSize> Power;
    for (unsigned L = 0; L < WarpSize; ++L) {
      std::uint64_t S = unsignedOf(B.Constant[L], B.Bits);
      // Shifting by the width or more is undefined: nothing is known of it.
      if (S >= A.Bits)
        Poison |= LaneMask(1) << L;
      Power[L] = S >= A.Bits ? 0 : canonical(std::uint64_t(1) << S, 64);
    }
    LaneValue R = mul(A, LaneValue::constant(A.Bits, Lanes(Power)), NoWrap);
    R.Unknown |= Poison | B.Unknown;
    R.Assumes |= B.Assumes;
    return R;
  }
  if (!B.isUniform())
    return LaneValue::unknown(A.Bits);
  return mul(A, opaque(A.Bits, 'L', LaneValue::constant(A.Bits, 1), B), false);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// Exact division of constants, lane by lane; by zero nothing is known.
template <typename Op>
static LaneValue perLane(const LaneValue &A, const LaneValue &B,
                         bool ZeroIsUnknown, Op F) {
  LaneMask Bad = A.Unknown | B.Unknown;
  std::array<std::int64_t, WarpSize> R = {};
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (ZeroIsUnknown && B.Constant[L] == 0)
      Bad |= LaneMask(1) << L;
    else
      R[L] = F(A.Constant[L], B.Constant[L]);
  }
  LaneValue V = LaneValue::constant(A.Bits, Lanes(R));
  V.Unknown = Bad;
  V.Assumes = A.Assumes | B.Assumes;
  return V;
}

static Lanes shifted(const Lanes &V, std::int64_t By) {
  return V.map([=](std::int64_t X) { return X - By; });
}

/// The quotient of a value with symbols; floor division, under the assumption
/// that the dividend is not negative. Operands are not both constant.
LaneValue LaneArithmetic::divide(const LaneValue &A, const LaneValue &B,
                                 bool Signed) {
  if (A.Unknown || B.Unknown || !B.isUniform()) {
    LaneValue U = LaneValue::unknown(A.Bits);
    U.Assumes = A.Assumes | B.Assumes;
    return U;
  }
  bool ByConstant = B.Terms.empty();
  std::int64_t C = ByConstant ? B.Constant[0]
                   : B.Terms.size() == 1 && B.Constant.isZero()
                       ? B.Terms[0].Coefficient[0]
                       : 0;
  const SymbolInfo *N =
      !ByConstant && C ? &Symbols[B.Terms[0].S] : nullptr;

  // Split the dividend into terms that the divisor divides, and the rest.
  LaneValue Quotient = LaneValue::constant(A.Bits, 0);
  LaneValue Rest = LaneValue::constant(A.Bits, 0);
  for (const Term &T : A.Terms) {
    bool Divides = C > 0;
    if (T.Coefficient.isUniform())
      Divides &= C > 0 && T.Coefficient[0] % C == 0;
    else
      for (unsigned L = 0; L < WarpSize && Divides; ++L)
        Divides = T.Coefficient[L] % C == 0;
    Lanes Divided =
        Divides ? T.Coefficient.map([=](std::int64_t X) { return X / C; })
                : Lanes(0);
    LaneValue Part = LaneValue::constant(A.Bits, 0);
    if (Divides && ByConstant) {
      Part.Terms.push_back({T.S, Divided});
    } else if (Divides && N) {
      // Take the divisor's factors out of the term's.
      std::vector<Symbol> Of = Symbols[T.S].Kind == SymbolKind::Product
                                   ? Symbols[T.S].Factors
                                   : std::vector<Symbol>{T.S};
      std::vector<Symbol> By = N->Kind == SymbolKind::Product
                                   ? N->Factors
                                   : std::vector<Symbol>{B.Terms[0].S};
      std::vector<Symbol> Left;
      if (!std::ranges::includes(Of, By)) {
        Rest.Terms.push_back(T);
        continue;
      }
      std::ranges::set_difference(Of, By, std::back_inserter(Left));
      if (Left.empty())
        Part.Constant = Divided;
      else {
        Symbol S = Left[0];
        for (std::size_t I = 1; I < Left.size(); ++I)
          S = product(S, Left[I]);
        Part.Terms.push_back({S, Divided});
        N = &Symbols[B.Terms[0].S]; // product() may have moved the table
      }
    } else {
      Rest.Terms.push_back(T);
      continue;
    }
    Quotient = combine(Quotient, Part, 1);
  }

  std::uint32_t Assumes = A.Assumes | B.Assumes;
  if (!fits(A, Signed))
    Assumes |= AssumesNoWrap;
  // Truncation and floor agree when nothing is negative.
  for (unsigned L = 0; L < WarpSize; ++L) {
    auto RA = range(A, L), RB = range(B, L);
    if (!RA || RA->Min < 0 || !RB || RB->Min < 1) {
      Assumes |= AssumesNonNegative;
      break;
    }
  }

  const Lanes &K = A.Constant;
  if (Rest.Terms.empty() && ByConstant && C > 0) {
    Lanes Floor = K.map([=](std::int64_t X) { return floorDiv(X, C); });
    LaneValue R =
        combine(Quotient, LaneValue::constant(A.Bits, Floor), 1);
    R.Assumes = Assumes;
    return R;
  }
  if (!Rest.isUniform()) {
    LaneValue U = LaneValue::unknown(A.Bits);
    U.Assumes = Assumes;
    return U;
  }

  // Neither the rest nor the divisor depends on the lane; the constants may.
  std::int64_t Low = K[0], High = K[0];
  for (unsigned L = 1; L < WarpSize; ++L) {
    Low = std::min(Low, K[L]);
    High = std::max(High, K[L]);
  }
  LaneValue Uniform = Rest;
  Uniform.Constant = Lanes(Low);
  LaneValue Share;
  if (Low == High || !ByConstant || High - Low < C) {
    if (Low != High)
      Assumes |= AssumesNoStraddle;
    if (Uniform.Terms.empty() && Low >= 0 && High - Low < 1024 && !ByConstant) {
      // A row of run-time length that is longer than what one warp touches.
      Share = LaneValue::constant(A.Bits, 0);
      Assumes |= AssumesNoStraddle;
    } else {
      Share = opaque(A.Bits, Signed ? 'd' : 'D', Uniform, B);
    }
  } else {
    // Many quotients in one warp: take the uniform part as a multiple.
    Assumes |= AssumesPhase;
    LaneValue Floor = LaneValue::constant(
        A.Bits,
        shifted(K, Low).map([=](std::int64_t X) { return X / C; }));
    Share = combine(opaque(A.Bits, Signed ? 'd' : 'D', Uniform, B), Floor, 1);
  }
  SymbolInfo *Info =
      Share.Terms.empty() ? nullptr : &Symbols[Share.Terms[0].S];
  if (Info && !(Assumes & AssumesNonNegative))
    Info->Min = std::max<std::int64_t>(Info->Min, 0);
  LaneValue R = combine(Quotient, Share, 1);
  R.Assumes = Assumes;
  return R;
}

LaneValue LaneArithmetic::udiv(const LaneValue &A, const LaneValue &B) {
  if (A.Terms.empty() && B.Terms.empty())
    return perLane(A, B, true, [&](std::int64_t X, std::int64_t Y) {
      return static_cast<std::int64_t>(unsignedOf(X, A.Bits) /
                                       unsignedOf(Y, A.Bits));
    });
  return divide(A, B, /*Signed=*/false);
}

LaneValue LaneArithmetic::sdiv(const LaneValue &A, const LaneValue &B) {
  if (A.Terms.empty() && B.Terms.empty())
    return perLane(A, B, true, [](std::int64_t X, std::int64_t Y) {
      // The one quotient that overflows is undefined; wrapping is as good.
      return Y == -1 ? static_cast<std::int64_t>(
                           0 - static_cast<std::uint64_t>(X))
                     : X / Y;
    });
  return divide(A, B, /*Signed=*/true);
}

LaneValue LaneArithmetic::urem(const LaneValue &A, const LaneValue &B) {
  if (A.Terms.empty() && B.Terms.empty())
    return perLane(A, B, true, [&](std::int64_t X, std::int64_t Y) {
      return static_cast<std::int64_t>(unsignedOf(X, A.Bits) %
                                       unsignedOf(Y, A.Bits));
    });
  // A power of two divides 2^Bits: exact, however the dividend wraps.
  if (B.isConstant() && B.Constant.isUniform() &&
      std::has_single_bit(unsignedOf(B.Constant[0], B.Bits)) &&
      B.Constant[0] > 0 && !A.Unknown) {
    std::int64_t C = B.Constant[0];
    if (std::ranges::all_of(A.Terms, [&](const Term &T) {
          return multipleOf(T) % static_cast<std::uint64_t>(C) == 0;
        })) {
      LaneValue R = LaneValue::constant(
          A.Bits,
          A.Constant.map([=](std::int64_t X) { return X & (C - 1); }));
      R.Assumes = A.Assumes | B.Assumes;
      return R;
    }
  }
  if (A.isUniform() && B.isUniform()) {
    LaneValue R = opaque(A.Bits, 'R', A, B);
    SymbolInfo &Info = Symbols[R.Terms[0].S];
    Info.Min = std::max<std::int64_t>(Info.Min, 0);
    if (auto RB = range(B, 0); RB && RB->Min > 0 && RB->Max <= NoMax)
      Info.Max = std::min<std::int64_t>(
          Info.Max, static_cast<std::int64_t>(RB->Max - 1));
    return R;
  }
  LaneValue Q = udiv(A, B);
  if (Q.Unknown)
    return Q;
  return sub(A, mul(B, Q, /*NoWrap=*/true), /*NoWrap=*/true);
}

LaneValue LaneArithmetic::srem(const LaneValue &A, const LaneValue &B) {
  if (A.Terms.empty() && B.Terms.empty())
    return perLane(A, B, true, [](std::int64_t X, std::int64_t Y) {
      return Y == -1 ? 0 : X % Y;
    });
  if (A.isUniform() && B.isUniform())
    return opaque(A.Bits, 'r', A, B);
  LaneValue Q = sdiv(A, B);
  if (Q.Unknown)
    return Q;
  return sub(A, mul(B, Q, /*NoWrap=*/true), /*NoWrap=*/true);
}

LaneValue LaneArithmetic::lshr(const LaneValue &A, const LaneValue &B) {
  if (A.Terms.empty() && B.Terms.empty()) {
    LaneValue R = perLane(A, B, false, [&](std::int64_t X, std::int64_t Y) {
      std::uint64_t S = unsignedOf(Y, B.Bits);
      return S >= A.Bits ? 0
                         : static_cast<std::int64_t>(unsignedOf(X, A.Bits) >>
                                                     S);
    });
    for (unsigned L = 0; L < WarpSize; ++L)
      if (unsignedOf(B.Constant[L], B.Bits) >= A.Bits)
        R.Unknown |= LaneMask(1) << L;
    return R;
  }
  if (B.isConstant() && B.Constant.isUniform() && B.Constant[0] >= 0 &&
      B.Constant[0] < A.Bits - 1)
    return divide(A,
                  LaneValue::constant(A.Bits, std::int64_t(1)
                                                  << B.Constant[0]),
                  /*Signed=*/false);
  if (A.isUniform() && B.isUniform())
    return opaque(A.Bits, '>', A, B);
  return LaneValue::unknown(A.Bits);
}

LaneValue LaneArithmetic::ashr(const LaneValue &A, const LaneValue &B) {
  if (A.Terms.empty() && B.Terms.empty()) {
    LaneValue R = perLane(A, B, false, [&](std::int64_t X, std::int64_t Y) {
      std::uint64_t S = unsignedOf(Y, B.Bits);
      return X >> std::min<std::uint64_t>(S, 63);
    });
    for (unsigned L = 0; L < WarpSize; ++L)
      if (unsignedOf(B.Constant[L], B.Bits) >= A.Bits)
        R.Unknown |= LaneMask(1) << L;
    return R;
  }
  if (B.isConstant() && B.Constant.isUniform() && B.Constant[0] >= 0 &&
      B.Constant[0] < A.Bits - 1)
    return divide(A,
                  LaneValue::constant(A.Bits, std::int64_t(1)
                                                  << B.Constant[0]),
                  /*Signed=*/true);
  if (A.isUniform() && B.isUniform())
    return opaque(A.Bits, ')', A, B);
  return LaneValue::unknown(A.Bits);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

static std::int64_t applyBitwise(unsigned Operation, std::int64_t X,
                                 std::int64_t Y) {
  return Operation == '&' ? X & Y : Operation == '|' ? X | Y : X ^ Y;
}

/// A truth value is a polynomial over 0 and 1, modulo 2.
static bool isTruth(const LaneValue &V) { return V.Bits == 1; }

LaneValue LaneArithmetic::bitwise(unsigned Operation, const LaneValue &A,
                                  const LaneValue &B) {
  if (A.Terms.empty() && B.Terms.empty())
    return perLane(A, B, false, [&](std::int64_t X, std::int64_t Y) {
      return applyBitwise(Operation, X, Y);
    });
  if (isTruth(A)) {
    LaneValue Product = mul(A, B, /*NoWrap=*/true);
    if (Operation == '&')
      return Product;
    LaneValue R = combine(A, B, 1);
    return limited(Operation == '^' ? R : combine(R, Product, 1));
  }
  LaneValue U = LaneValue::unknown(A.Bits);
  U.Assumes = A.Assumes | B.Assumes;
  if (!A.Terms.empty() && !B.Terms.empty())
    return A.isUniform() && B.isUniform() ? opaque(A.Bits, Operation, A, B) : U;
  if (A.Terms.empty())
    return bitwise(Operation, B, A);

  // A has symbols, B is a constant per lane. Below bit K, A is a constant too.
  int K = 63;
  for (const Term &T : A.Terms)
    K = std::min(K, std::countr_zero(multipleOf(T)));
  std::int64_t LowMask = static_cast<std::int64_t>(
      (std::uint64_t(1) << K) - 1);
  LaneValue R = LaneValue::constant(A.Bits, 0);
  R.Unknown = A.Unknown | B.Unknown;
  R.Assumes = A.Assumes | B.Assumes;
  R.MayWrap = A.MayWrap;
  // What becomes of A's part above bit K, in each lane: factor and constant.
  std::array<std::int64_t, WarpSize> Factor, Constant;
  bool Simple = true;
  for (unsigned L = 0; L < WarpSize && Simple; ++L) {
    std::int64_t BHigh = B.Constant[L] & ~LowMask, ALow = A.Constant[L] & LowMask;
    bool Zero = BHigh == 0, Ones = BHigh == ~LowMask;
    Simple = Zero || Ones || (R.Unknown >> L & 1);
    std::int64_t Low = applyBitwise(Operation, ALow, B.Constant[L] & LowMask);
    std::int64_t AHigh = A.Constant[L] - ALow;
    Factor[L] = Operation == '&' ? Ones : Operation == '|' ? Zero
                                                           : (Zero ? 1 : -1);
    Constant[L] = Low + Factor[L] * AHigh;
    if (Ones && Operation != '&')
      Constant[L] += ~LowMask;
  }
  if (Simple) {
    LaneValue High = A;
    High.Constant = 0;
    High = scale(High, Lanes(Factor));
    R.Terms = High.Terms;
    R.Constant = reduce(Lanes(Constant), A.Bits);
    return R;
  }
  if (A.isUniform() && B.isUniform()) {
    LaneValue V = opaque(A.Bits, Operation, A, B);
    SymbolInfo &Info = Symbols[V.Terms[0].S];
    if (Operation == '&') {
      std::int64_t M = B.Constant[0];
      if (M > 0) {
        Info.Min = std::max<std::int64_t>(Info.Min, 0);
        Info.Max = std::min(Info.Max, M);
      }
      std::uint64_t Step = std::uint64_t(1)
                           << std::min(40, std::countr_zero(
                                               static_cast<std::uint64_t>(M)));
      Info.MultipleOf = std::max(Info.MultipleOf, Step);
      Info.AssumedMultipleOf = std::max(Info.AssumedMultipleOf, Step);
    }
    return V;
  }
  if (Operation == '&' && B.Constant.isUniform()) {
    // A mask of low bits is a remainder, one of high bits what is left by it.
    std::uint64_t M = unsignedOf(B.Constant[0], B.Bits);
    std::uint64_t Inverse = unsignedOf(~B.Constant[0], B.Bits);
    if (std::has_single_bit(M + 1))
      return urem(A, LaneValue::constant(A.Bits,
                                         static_cast<std::int64_t>(M + 1)));
    if (std::has_single_bit(Inverse + 1))
      return sub(A, urem(A, LaneValue::constant(
                                A.Bits,
                                static_cast<std::int64_t>(Inverse + 1))));
  }
  return U;
}

LaneValue LaneArithmetic::bitAnd(const LaneValue &A, const LaneValue &B) {
  LaneValue R = bitwise('&', A, B);
  // Zero decides, whatever the other side is.
  for (const LaneValue *V : {&A, &B})
    for (unsigned L = 0; L < WarpSize; ++L) {
      LaneMask Bit = LaneMask(1) << L;
      if (!(R.Unknown & Bit) || !V->isConstantIn(Bit) || V->Constant[L])
        continue;
      R = blend(Bit, LaneValue::constant(R.Bits, 0), R);
    }
  return R;
}

LaneValue LaneArithmetic::bitOr(const LaneValue &A, const LaneValue &B) {
  LaneValue R = bitwise('|', A, B);
  if (!isTruth(A))
    return R;
  // True decides, whatever the other side is.
  for (const LaneValue *V : {&A, &B})
    for (unsigned L = 0; L < WarpSize; ++L) {
      LaneMask Bit = LaneMask(1) << L;
      if (!(R.Unknown & Bit) || !V->isConstantIn(Bit) || !V->Constant[L])
        continue;
      R = blend(Bit, LaneValue::constant(R.Bits, 1), R);
    }
  return R;
}

LaneValue LaneArithmetic::bitXor(const LaneValue &A, const LaneValue &B) {
  return bitwise('^', A, B);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

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

/// A truth value's polynomial is one over the integers only when it is a
/// single symbol in each lane, or a constant.
static bool isPlainTruth(const LaneValue &A) {
  if (A.Terms.size() != 1)
    return A.Terms.empty();
  for (unsigned L = 0; L < WarpSize; ++L)
    if (A.Terms[0].Coefficient[L] && A.Constant[L])
      return false;
  return true;
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

//===----------------------------------------------------------------------===//
// Comparisons and choices
//===----------------------------------------------------------------------===//

static bool isUnsigned(LaneArithmetic::Predicate P) {
  using enum LaneArithmetic::Predicate;
  return P == ULT || P == ULE || P == UGT || P == UGE;
}

static bool holds(LaneArithmetic::Predicate P, std::int64_t A, std::int64_t B,
                  unsigned Bits) {
  using enum LaneArithmetic::Predicate;
  std::uint64_t UA = unsignedOf(A, Bits), UB = unsignedOf(B, Bits);
  switch (P) {
  case EQ:
    return A == B;
  case NE:
    return A != B;
  case ULT:
    return UA < UB;
  case ULE:
    return UA <= UB;
  case UGT:
    return UA > UB;
  case UGE:
    return UA >= UB;
  case SLT:
    return A < B;
  case SLE:
    return A <= B;
  case SGT:
    return A > B;
  case SGE:
    return A >= B;
  }
  return false;
}

/// Whether `P` is decided by the interval of A - B: yes, no or not decided.
static std::optional<bool> decide(LaneArithmetic::Predicate P, Range D) {
  using enum LaneArithmetic::Predicate;
  switch (P) {
  case EQ:
  case NE:
    if (D.Min > 0 || D.Max < 0)
      return P == NE;
    if (D.Min == 0 && D.Max == 0)
      return P == EQ;
    return std::nullopt;
  case ULT:
  case SLT:
    return D.Max < 0 ? std::optional(true)
                     : D.Min >= 0 ? std::optional(false) : std::nullopt;
  case ULE:
  case SLE:
    return D.Max <= 0 ? std::optional(true)
                      : D.Min > 0 ? std::optional(false) : std::nullopt;
  case UGT:
  case SGT:
    return D.Min > 0 ? std::optional(true)
                     : D.Max <= 0 ? std::optional(false) : std::nullopt;
  case UGE:
  case SGE:
    return D.Min >= 0 ? std::optional(true)
                      : D.Max < 0 ? std::optional(false) : std::nullopt;
  }
  return std::nullopt;
}

LaneValue LaneArithmetic::compare(Predicate P, const LaneValue &A,
                                  const LaneValue &B) {
  LaneValue R = LaneValue::constant(1, 0);
  R.Unknown = A.Unknown | B.Unknown;
  R.Assumes = A.Assumes | B.Assumes;
  std::array<std::int64_t, WarpSize> Value = {};
  if (A.Terms.empty() && B.Terms.empty()) {
    for (unsigned L = 0; L < WarpSize; ++L)
      Value[L] = holds(P, A.Constant[L], B.Constant[L], A.Bits);
    R.Constant = Lanes(Value);
    return R;
  }

  LaneValue D = combine(A, B, -1);
  bool Equality = P == Predicate::EQ || P == Predicate::NE;
  // The difference of two integers, if both polynomials are the integers that
  // are compared; equality needs that only where a range decides it.
  bool Faithful = fits(A, !isUnsigned(P)) && fits(B, !isUnsigned(P));
  std::uint64_t Common = 0;
  for (const Term &T : D.Terms)
    Common = std::gcd(Common, multipleOf(T));
  std::uint64_t Power = Common ? Common & (0 - Common) : 0;

  LaneMask Open = 0;
  std::array<std::int64_t, WarpSize> OpenCoefficient = {};
  for (unsigned L = 0; L < WarpSize; ++L) {
    LaneMask Bit = LaneMask(1) << L;
    if (R.Unknown & Bit)
      continue;
    if (A.isConstantIn(Bit) && B.isConstantIn(Bit)) {
      Value[L] = holds(P, A.Constant[L], B.Constant[L], A.Bits);
      continue;
    }
    if (Equality && Power > 1 && (D.Constant[L] & (Power - 1))) {
      Value[L] = P == Predicate::NE;
      continue;
    }
    bool Same = D.isConstantIn(Bit);
    std::optional<bool> Answer;
    if (Equality && Same) {
      Answer = (D.Constant[L] == 0) == (P == Predicate::EQ);
    } else if (auto Interval = range(D, L)) {
      // The range of a difference of symbols can exceed the width; that only
      // makes it less decisive.
      if (Same)
        Interval = Range{D.Constant[L], D.Constant[L]};
      Answer = decide(P, *Interval);
      if (Answer && !Faithful)
        R.Assumes |= AssumesNoWrap;
    }
    if (Answer)
      Value[L] = *Answer;
    else
      Open |= Bit;
  }
  R.Constant = Lanes(Value);
  if (!Open)
    return R;
  // Not decided. The same in all those lanes, or different from lane to lane?
  if (A.isUniformIn(Open) && B.isUniformIn(Open)) {
    unsigned First = std::countr_zero(Open);
    auto OfLane = [&](const LaneValue &V) {
      LaneValue U = LaneValue::constant(V.Bits, V.Constant[First]);
      for (const Term &T : V.Terms)
        if (T.Coefficient[First])
          U.Terms.push_back({T.S, Lanes(T.Coefficient[First])});
      return U;
    };
    LaneValue S = opaque(1, 'c' + (static_cast<unsigned>(P) << 8), OfLane(A),
                         OfLane(B));
    for (unsigned L = 0; L < WarpSize; ++L)
      OpenCoefficient[L] = Open >> L & 1;
    R.Terms.push_back({S.Terms[0].S, Lanes(OpenCoefficient)});
    return R;
  }
  R.Unknown |= Open;
  return R;
}

LaneValue LaneArithmetic::min(const LaneValue &A, const LaneValue &B,
                              bool Signed) {
  return select(compare(Signed ? Predicate::SLT : Predicate::ULT, A, B), A, B);
}

LaneValue LaneArithmetic::max(const LaneValue &A, const LaneValue &B,
                              bool Signed) {
  return select(compare(Signed ? Predicate::SGT : Predicate::UGT, A, B), A, B);
}

LaneValue LaneArithmetic::blend(LaneMask Mask, const LaneValue &A,
                                const LaneValue &B) {
  if (Mask == AllLanes)
    return A;
  if (!Mask)
    return B;
  LaneValue R;
  R.Bits = A.Bits;
  R.Unknown = (A.Unknown & Mask) | (B.Unknown & ~Mask);
  R.Assumes = A.Assumes | B.Assumes;
  R.MayWrap = A.MayWrap || B.MayWrap;
  R.Constant = Lanes::blend(Mask, A.Constant, B.Constant);
  auto I = A.Terms.begin(), J = B.Terms.begin();
  while (I != A.Terms.end() || J != B.Terms.end()) {
    Term T;
    if (J == B.Terms.end() || (I != A.Terms.end() && I->S < J->S)) {
      T = {I->S, Lanes::blend(Mask, I->Coefficient, 0)};
      ++I;
    } else if (I == A.Terms.end() || J->S < I->S) {
      T = {J->S, Lanes::blend(Mask, 0, J->Coefficient)};
      ++J;
    } else {
      T = {I->S, Lanes::blend(Mask, I->Coefficient, J->Coefficient)};
      ++I, ++J;
    }
    if (!T.Coefficient.isZero())
      R.Terms.push_back(std::move(T));
  }
  return limited(std::move(R));
}

LaneValue LaneArithmetic::select(const LaneValue &C, const LaneValue &A,
                                 const LaneValue &B) {
  LaneMask Undecided = C.Unknown, True = 0;
  for (unsigned L = 0; L < WarpSize; ++L) {
    LaneMask Bit = LaneMask(1) << L;
    if (!C.isConstantIn(Bit))
      Undecided |= Bit;
    else if (C.Constant[L])
      True |= Bit;
  }
  LaneValue R = blend(True, A, B);
  R.Assumes |= C.Assumes;
  if (!Undecided || A.sameAs(B))
    return R;
  LaneValue M;
  bool Objects = false;
  for (const LaneValue *V : {&A, &B})
    for (const Term &T : V->Terms)
      Objects |= Symbols[T.S].Kind == SymbolKind::Object;
  if (!C.Unknown && isPlainTruth(C) && !Objects && A.Bits > 1) {
    // b + c · (a - b), with c in {0, 1}: still a polynomial.
    LaneValue Choice = zext(C, A.Bits);
    M = add(B, mul(Choice, sub(A, B, true), true), true);
  } else {
    M = merge(A, B, C.Unknown == 0);
  }
  M.Assumes |= C.Assumes;
  return blend(Undecided, M, R);
}

LaneValue LaneArithmetic::merge(const LaneValue &A, const LaneValue &B,
                                bool SameForAll) {
  if (A.sameAs(B))
    return A;
  LaneValue U = LaneValue::unknown(A.Bits);
  U.Assumes = A.Assumes | B.Assumes;
  // Addresses in two different objects: one object, which one is not known.
  auto WithoutObject = [&](const LaneValue &V, const SymbolInfo *&Object) {
    LaneValue R = V;
    std::erase_if(R.Terms, [&](const Term &T) {
      if (Symbols[T.S].Kind != SymbolKind::Object || !T.Coefficient.isUniform())
        return false;
      Object = &Symbols[T.S];
      return true;
    });
    return R;
  };
  const SymbolInfo *ObjectA = nullptr, *ObjectB = nullptr;
  LaneValue RestA = WithoutObject(A, ObjectA);
  LaneValue RestB = WithoutObject(B, ObjectB);
  if (ObjectA && ObjectB && ObjectA != ObjectB) {
    if (!SameForAll)
      return U;
    SymbolInfo Info = *ObjectA;
    Info.MultipleOf = std::gcd(ObjectA->MultipleOf, ObjectB->MultipleOf);
    Info.AssumedMultipleOf =
        std::gcd(ObjectA->AssumedMultipleOf, ObjectB->AssumedMultipleOf);
    LaneValue Base = fresh(A.Bits, std::move(Info));
    return add(Base, merge(RestA, RestB, true), true);
  }
  if (A.Unknown || B.Unknown)
    return U;
  if (A.Bits == 1) {
    if (SameForAll && A.isUniform() && B.isUniform())
      return fresh(1, {.Min = 0, .Max = 1});
    return U;
  }
  if (SameForAll) {
    // Either, for all lanes alike: b + t · (a - b) with t in {0, 1}.
    LaneValue T = fresh(A.Bits, {.Min = 0, .Max = 1});
    return add(B, mul(T, sub(A, B, true), true), true);
  }
  // Lanes may differ in which one they have. Where one side varies with the
  // lane and the other does not, the latter is the border of the former.
  bool UniformA = A.isUniform(), UniformB = B.isUniform();
  if (UniformA && UniformB)
    return U;
  LaneValue R = UniformA ? B : A;
  R.Assumes = A.Assumes | B.Assumes | AssumesInterior;
  return R;
}

} // namespace cudalint
