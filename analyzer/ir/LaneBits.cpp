//===- analyzer/ir/LaneBits.cpp - And, or, exclusive or -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"

#include <bit>

namespace cudalint {

static std::int64_t applyBitwise(unsigned Operation, std::int64_t X,
                                 std::int64_t Y) {
  return Operation == '&' ? X & Y : Operation == '|' ? X | Y : X ^ Y;
}

/// A truth value is a polynomial over 0 and 1, modulo 2.
static bool isTruth(const LaneValue &V) { return V.Bits == 1; }

/// `A` op `B` where lanes differ in their low bits only and sizes known at run
/// time only are taken to be round: below bit K all is constant, above it all
/// is uniform. Empty where that is not so.
std::optional<LaneValue> LaneArithmetic::bitwiseRound(unsigned Operation,
                                                      const LaneValue &A,
                                                      const LaneValue &B) {
  if (A.Unknown || B.Unknown)
    return std::nullopt;
  // What exchanges the lanes of a warp leaves all as it is, as 0 does.
  auto RoundOf = [&](const SymbolInfo &Of) {
    const bool Exchanges = Operation == '^' &&
                           Of.Kind == SymbolKind::Parameter && Of.Min >= 0 &&
                           Of.Max < WarpSize;
    return Exchanges ? RoundSize : Of.AssumedMultipleOf;
  };
  int K = 63;
  for (const LaneValue *V : {&A, &B})
    for (const Term &T : V->Terms) {
      if (!T.Coefficient.isUniform())
        return std::nullopt;
      K = std::min(K, std::countr_zero(magnitude(T.Coefficient[0])) +
                          std::countr_zero(RoundOf(Symbols[T.S])));
    }
  std::int64_t LowMask = static_cast<std::int64_t>((std::uint64_t(1) << K) - 1);
  auto High = [&](const LaneValue &V) {
    LaneValue H = V;
    H.Constant = V.Constant.map([=](std::int64_t X) { return X & ~LowMask; });
    return H;
  };
  LaneValue HighA = High(A), HighB = High(B);
  if (!HighA.isUniform() || !HighB.isUniform())
    return std::nullopt;
  LaneValue R = opaque(A.Bits, Operation, HighA, HighB);
  if (R.Terms.size() == 1) {
    SymbolInfo &Info = Symbols[R.Terms[0].S];
    Info.AssumedMultipleOf = std::max<std::uint64_t>(
        Info.AssumedMultipleOf, std::uint64_t(1) << std::min(K, 40));
    Info.Remainders = nullptr; // It stands for the bits above K alone.
  }
  R.Constant = A.Constant.zip(B.Constant, [=](std::int64_t X, std::int64_t Y) {
    return applyBitwise(Operation, X, Y) & LowMask;
  });
  R.Assumes |= AssumesRound;
  return R;
}

/// `A` op `B` where A is a constant below bit K, B is one per lane, and of what
/// A is above, each lane of B keeps, clears or turns all. Empty where that is
/// not so.
static std::optional<LaneValue> bitwiseByHalves(unsigned Operation,
                                                const LaneValue &A,
                                                const LaneValue &B, int K) {
  std::int64_t LowMask = static_cast<std::int64_t>((std::uint64_t(1) << K) - 1);
  LaneValue R = LaneValue::constant(A.Bits, 0);
  R.Unknown = A.Unknown | B.Unknown;
  R.Assumes = A.Assumes | B.Assumes;
  R.MayWrap = A.MayWrap;
  // What becomes of A's part above bit K, in each lane: factor and constant.
  std::array<std::int64_t, WarpSize> Factor, Constant;
  for (unsigned L = 0; L < WarpSize; ++L) {
    std::int64_t BHigh = B.Constant[L] & ~LowMask,
                 ALow = A.Constant[L] & LowMask;
    bool Zero = BHigh == 0, Ones = BHigh == ~LowMask;
    if (!Zero && !Ones && !(R.Unknown >> L & 1))
      return std::nullopt;
    std::int64_t Low = applyBitwise(Operation, ALow, B.Constant[L] & LowMask);
    std::int64_t AHigh = A.Constant[L] - ALow;
    Factor[L] = Operation == '&'   ? Ones
                : Operation == '|' ? Zero
                                   : (Zero ? 1 : -1);
    Constant[L] = Low + Factor[L] * AHigh;
    if (Ones && Operation != '&')
      Constant[L] += ~LowMask;
  }
  LaneValue High = A;
  High.Constant = 0;
  High = scale(High, Lanes(Factor));
  R.Terms = High.Terms;
  R.Constant = reduce(Lanes(Constant), A.Bits);
  return R;
}

/// The low bits of what is taken not to be negative, as signed divisions take
/// it: LLVM asks for the sign bit as well in the place of `x % 2 == 1`. Empty
/// where that is not what the constant \p B asks for.
std::optional<LaneValue> LaneArithmetic::lowBitsAndSign(const LaneValue &A,
                                                        const LaneValue &B) {
  const std::uint64_t Sign = std::uint64_t(1) << (A.Bits - 1);
  const std::uint64_t Low = unsignedOf(B.Constant[0], B.Bits) ^ Sign;
  if (!B.Constant.isUniform() || Low >= Sign || !std::has_single_bit(Low + 1))
    return std::nullopt;
  LaneValue R = bitwise(
      '&', A, LaneValue::constant(A.Bits, static_cast<std::int64_t>(Low)));
  R.Assumes |= B.Assumes;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (const auto Of = range(A, L); !Of || Of->Min < 0 || A.MayWrap)
      R.Assumes |= AssumesNonNegative;
  return R;
}

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
  if (A.isUniform() && B.isUniform() && !A.Terms.empty() && !B.Terms.empty())
    return opaque(A.Bits, Operation, A, B);
  // With one number for all lanes, more may be known without that.
  auto IsNumber = [](const LaneValue &V) {
    return V.Terms.empty() && V.isUniform();
  };
  if (!IsNumber(A) && !IsNumber(B))
    if (auto R = bitwiseRound(Operation, A, B))
      return *R;
  if (!A.Terms.empty() && !B.Terms.empty())
    return U;
  if (A.Terms.empty())
    return bitwise(Operation, B, A);

  if (Operation == '&' && !A.isUniform())
    if (std::optional<LaneValue> R = lowBitsAndSign(A, B))
      return *R;

  // A has symbols, B is a constant per lane. Below bit K, A is a constant too.
  int K = 63;
  for (const Term &T : A.Terms)
    K = std::min(K, std::countr_zero(multipleOf(T)));
  if (const std::optional<LaneValue> R = bitwiseByHalves(Operation, A, B, K))
    return *R;
  if (A.isUniform() && B.isUniform()) {
    LaneValue V = opaque(A.Bits, Operation, A, B);
    SymbolInfo &Info = Symbols[V.Terms[0].S];
    if (Operation == '&') {
      std::int64_t M = B.Constant[0];
      std::uint64_t Step =
          std::uint64_t(1) << std::min(
              40, std::countr_zero(static_cast<std::uint64_t>(M)));
      Info.MultipleOf = std::max(Info.MultipleOf, Step);
      Info.AssumedMultipleOf = std::max(Info.AssumedMultipleOf, Step);
      if (M > 0)
        narrow(V.Terms[0].S, {0, M});
      return V;
    }
    // Bits that are set or turned are no longer those of a round size.
    const auto M = static_cast<std::uint64_t>(B.Constant[0]);
    if (M % RoundSize != 0)
      Info.AssumedMultipleOf = 1;
    constexpr auto Many = std::uint64_t(1) << 40;
    if (const auto Of = range(A, 0);
        Of && Of->Min >= 0 && Of->Max < __int128(Many) && M < Many) {
      const int Bits = std::bit_width(M | static_cast<std::uint64_t>(Of->Max));
      narrow(V.Terms[0].S, {0, (std::int64_t(1) << Bits) - 1});
    }
    return V;
  }
  if (Operation == '&' && B.Constant.isUniform()) {
    // A mask of low bits is a remainder, one of high bits what is left by it.
    std::uint64_t M = unsignedOf(B.Constant[0], B.Bits);
    std::uint64_t Inverse = unsignedOf(~B.Constant[0], B.Bits);
    if (std::has_single_bit(M + 1))
      return urem(
          A, LaneValue::constant(A.Bits, static_cast<std::int64_t>(M + 1)));
    if (std::has_single_bit(Inverse + 1))
      return sub(A,
                 urem(A, LaneValue::constant(
                             A.Bits, static_cast<std::int64_t>(Inverse + 1))));
  }
  if (auto R = bitwiseRound(Operation, A, B))
    return *R;
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

} // namespace cudalint
