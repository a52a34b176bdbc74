//===- analyzer/ir/LaneDivision.cpp - Quotients and right shifts ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <optional>
#include <vector>

namespace cudalint {

static Lanes shifted(const Lanes &V, std::int64_t By) {
  return V.map([=](std::int64_t X) { return X - By; });
}

/// \p T, of Bits bits, divided by \p C times the product of \p By, sorted;
/// nothing where it is no multiple of that in each lane.
static std::optional<LaneValue> dividedBy(LaneArithmetic &A, const Term &T,
                                          unsigned Bits, std::int64_t C,
                                          const std::vector<Symbol> &By) {
  bool Divides = C > 0;
  if (T.Coefficient.isUniform())
    Divides = Divides && T.Coefficient[0] % C == 0;
  else
    for (unsigned L = 0; L < WarpSize && Divides; ++L)
      Divides = T.Coefficient[L] % C == 0;
  if (!Divides)
    return std::nullopt;
  const Lanes Divided =
      T.Coefficient.map([=](std::int64_t X) { return X / C; });
  LaneValue R = LaneValue::constant(Bits, 0);
  if (By.empty()) {
    R.Terms.push_back({T.S, Divided});
    return R;
  }
  // Take the divisor's factors out of the term's.
  const std::vector<Symbol> Of = factorsOf(A.info(T.S), T.S);
  if (!std::ranges::includes(Of, By))
    return std::nullopt;
  std::vector<Symbol> Left;
  std::ranges::set_difference(Of, By, std::back_inserter(Left));
  if (Left.empty()) {
    R.Constant = Divided;
    return R;
  }
  Symbol S = Left[0];
  for (std::size_t I = 1; I < Left.size(); ++I)
    S = A.product(S, Left[I]);
  R.Terms.push_back({S, Divided});
  return R;
}

namespace {
/// Whether lanes of a warp are on both sides of a multiple of the divisor.
enum class Straddling { Never, Seldom, Mostly };
} // namespace

/// Of lanes that begin \p Low to \p High behind \p Rest, which is the same in
/// all of them, and a divisor \p C of more than High - Low.
static Straddling straddling(LaneArithmetic &A, const LaneValue &Rest,
                             std::int64_t C, std::int64_t Low,
                             std::int64_t High) {
  // Nobody has rows of so many elements, and sums stay numbers of 64 bits.
  constexpr std::int64_t Longest = std::int64_t(1) << 40;
  if (C > Longest)
    return Straddling::Seldom;
  auto Common = static_cast<std::uint64_t>(C);
  for (const Term &T : Rest.Terms)
    Common = std::gcd(Common, A.multipleOf(T));
  // A row of C has so many places where a warp can begin: First, First + Step
  // and so on; fewer where it is known how large Rest can be.
  const auto Step = static_cast<std::int64_t>(Common);
  std::int64_t Places = C / Step;
  std::int64_t First = Low - floorDiv(Low, Step) * Step;
  constexpr std::int64_t Few = 1024;
  if (const std::optional<Range> Of = A.range(Rest, 0);
      Of && Of->Min >= -Longest && Of->Max <= Longest &&
      Of->Max - Of->Min < C - Step) {
    const std::int64_t Least =
        -floorDiv(-static_cast<std::int64_t>(Of->Min), Step) * Step;
    Places = (static_cast<std::int64_t>(Of->Max) - Least) / Step + 1;
    First = Least + Low;
  }
  std::int64_t Within = 0;
  if (Places <= Few) {
    for (std::int64_t K = 0; K < Places; ++K)
      Within += floorDiv(First + K * Step, C) ==
                floorDiv(First + K * Step + High - Low, C);
  } else {
    const std::int64_t LastThatFits = C - 1 - (High - Low);
    Within = LastThatFits < First ? 0 : (LastThatFits - First) / Step + 1;
  }
  if (Within >= Places)
    return Straddling::Never;
  return 2 * Within < Places ? Straddling::Mostly : Straddling::Seldom;
}

/// The quotient of \p Rest, which the divisor does not divide term by term, and
/// the constants \p K of the lanes. Neither \p Rest nor the divisor depends on
/// the lane; the constants may. \p C is the divisor, or 0 if it has symbols.
static LaneValue shareOfRest(LaneArithmetic &A, const LaneValue &Rest,
                             const LaneValue &B, std::int64_t C, const Lanes &K,
                             bool Signed, std::uint32_t &Assumes) {
  std::int64_t Low = K[0], High = K[0];
  for (unsigned L = 1; L < WarpSize; ++L) {
    Low = std::min(Low, K[L]);
    High = std::max(High, K[L]);
  }
  LaneValue Uniform = Rest;
  Uniform.Constant = Lanes(Low);
  auto Share = [&] {
    return A.opaque(Rest.Bits, Signed ? 'd' : 'D', Uniform, B);
  };
  if (Low != High && C && High - Low >= C - 1) {
    // Whole rows in one warp: take the uniform part as a multiple.
    Assumes |= AssumesPhase;
    LaneValue Floor = LaneValue::constant(
        Rest.Bits, shifted(K, Low).map([=](std::int64_t X) { return X / C; }));
    return combine(Share(), Floor, 1);
  }
  if (C && Low != High) {
    const Straddling Of = straddling(A, Rest, C, Low, High);
    if (Of == Straddling::Mostly)
      return LaneValue::unknown(Rest.Bits);
    if (Of == Straddling::Never)
      return Share();
  }
  if (Low != High)
    Assumes |= AssumesNoStraddle;
  if (!Uniform.Terms.empty() || Low < 0 || High - Low >= 1024 || C)
    return Share();
  // A row of run-time length that is longer than what one warp touches.
  Assumes |= AssumesNoStraddle;
  return LaneValue::constant(Rest.Bits, 0);
}

/// The quotient of a value with symbols; floor division, under the assumption
/// that the dividend is not negative. Operands are not both constant.
LaneValue LaneArithmetic::divide(const LaneValue &A, const LaneValue &B,
                                 bool Signed) {
  auto Unknown = [&](std::uint32_t Assumes) {
    LaneValue U = LaneValue::unknown(A.Bits);
    U.Assumes = Assumes;
    return U;
  };
  std::uint32_t Assumes = A.Assumes | B.Assumes;
  if (A.Unknown || B.Unknown || !B.isUniform())
    return Unknown(Assumes);
  bool ByConstant = B.Terms.empty();
  std::int64_t C = ByConstant ? B.Constant[0]
                   : B.Terms.size() == 1 && B.Constant.isZero()
                       ? B.Terms[0].Coefficient[0]
                       : 0;
  if (ByConstant && (C == 0 || (C < 0 && !A.isUniform())))
    return Unknown(Assumes);
  // All of it stays, also that it may wrap.
  if (ByConstant && C == 1) {
    LaneValue R = A;
    R.Assumes |= B.Assumes;
    return R;
  }

  // Split the dividend into terms that the divisor divides, and the rest.
  LaneValue Quotient = LaneValue::constant(A.Bits, 0);
  LaneValue Rest = LaneValue::constant(A.Bits, 0);
  const std::vector<Symbol> By =
      ByConstant || !C ? std::vector<Symbol>()
                       : factorsOf(Symbols[B.Terms[0].S], B.Terms[0].S);
  for (const Term &T : A.Terms)
    if (std::optional<LaneValue> Part = dividedBy(*this, T, A.Bits, C, By))
      Quotient = combine(Quotient, *Part, 1);
    else
      Rest.Terms.push_back(T);

  if (!fits(A, Signed) || !fits(B, Signed))
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
    LaneValue R = combine(Quotient, LaneValue::constant(A.Bits, Floor), 1);
    R.Assumes = Assumes;
    return R;
  }
  if (!Rest.isUniform())
    return Unknown(Assumes);
  const LaneValue Share =
      shareOfRest(*this, Rest, B, ByConstant ? C : 0, K, Signed, Assumes);
  SymbolInfo *Info = Share.Terms.empty() ? nullptr : &Symbols[Share.Terms[0].S];
  if (Info && !(Assumes & AssumesNonNegative))
    Info->Min = std::max<std::int64_t>(Info->Min, 0);
  // Then all of the quotient is the share.
  if (Info && ByConstant && C > 0 && A.isUniform() && Quotient.Terms.empty()) {
    if (fits(A, Signed)) {
      const Range Of = hull(A);
      narrow(Share.Terms[0].S, {Of.Min / C, Of.Max / C});
    } else if (!Signed) {
      narrow(Share.Terms[0].S, {0, ((__int128(1) << A.Bits) - 1) / C});
    }
  }
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
      return Y == -1
                 ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(X))
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
          A.Bits, A.Constant.map([=](std::int64_t X) { return X & (C - 1); }));
      R.Assumes = A.Assumes | B.Assumes;
      return R;
    }
  }
  if (A.isUniform() && B.isUniform()) {
    LaneValue R = opaque(A.Bits, 'R', A, B);
    // Below a divisor that is positive as a signed number, too.
    if (auto RB = range(B, 0);
        RB && RB->Min > 0 && RB->Max <= NoMax && fits(B, /*Signed=*/true))
      narrow(R.Terms[0].S, {0, RB->Max - 1});
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
  if (A.isUniform() && B.isUniform()) {
    LaneValue R = opaque(A.Bits, 'r', A, B);
    if (auto RB = range(B, 0);
        RB && RB->Min > 0 && RB->Max <= NoMax && fits(B, /*Signed=*/true))
      narrow(R.Terms[0].S, {1 - RB->Max, RB->Max - 1});
    return R;
  }
  LaneValue Q = sdiv(A, B);
  if (Q.Unknown)
    return Q;
  return sub(A, mul(B, Q, /*NoWrap=*/true), /*NoWrap=*/true);
}

/// The quotient by a power of two, for a shift by a constant.
LaneValue LaneArithmetic::shiftedRight(const LaneValue &A, const LaneValue &B,
                                       bool Signed) {
  LaneValue R = divide(
      A, LaneValue::constant(A.Bits, std::int64_t(1) << B.Constant[0]), Signed);
  R.Assumes |= B.Assumes;
  return R;
}

// What C++ leaves undefined, the GPU defines, and nvcc leaves to it: "shift
// amounts greater than the register width N are clamped to N" (PTX ISA, shr).
LaneValue LaneArithmetic::lshr(const LaneValue &A, const LaneValue &B) {
  if (A.Terms.empty() && B.Terms.empty())
    return perLane(A, B, false, [&](std::int64_t X, std::int64_t Y) {
      std::uint64_t S = unsignedOf(Y, B.Bits);
      return S >= A.Bits
                 ? 0
                 : static_cast<std::int64_t>(unsignedOf(X, A.Bits) >> S);
    });
  if (B.isConstant() && B.Constant.isUniform() && B.Constant[0] >= 0 &&
      B.Constant[0] < A.Bits - 1)
    return shiftedRight(A, B, /*Signed=*/false);
  if (A.isUniform() && B.isUniform())
    return opaque(A.Bits, '>', A, B);
  return LaneValue::unknown(A.Bits);
}

LaneValue LaneArithmetic::ashr(const LaneValue &A, const LaneValue &B) {
  if (A.Terms.empty() && B.Terms.empty())
    return perLane(A, B, false, [&](std::int64_t X, std::int64_t Y) {
      return X >> std::min<std::uint64_t>(unsignedOf(Y, B.Bits), 63);
    });
  if (B.isConstant() && B.Constant.isUniform() && B.Constant[0] >= 0 &&
      B.Constant[0] < A.Bits - 1)
    return shiftedRight(A, B, /*Signed=*/true);
  if (A.isUniform() && B.isUniform())
    return opaque(A.Bits, ')', A, B);
  return LaneValue::unknown(A.Bits);
}

} // namespace cudalint
