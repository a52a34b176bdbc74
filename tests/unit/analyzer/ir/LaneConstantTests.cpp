//===- tests/unit/analyzer/ir/LaneConstantTests.cpp - Known lanes ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values that are a constant in every lane: every operation must give what
/// plain integers give, in every lane, and assume nothing.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Operations.h"

#include <gtest/gtest.h>

#include <random>

namespace LaneConstantTests {

using namespace cudalint;

using Values = std::array<std::int64_t, WarpSize>;

/// One operation on 32 pairs: a mistake in any lane is one failure.
static void expectPlain(Operation O, unsigned Bits, const Values &X,
                        const Values &Y) {
  LaneArithmetic Arithmetic;
  const LaneValue R =
      overLanes(Arithmetic, O, LaneValue::constant(Bits, Lanes(X)),
                LaneValue::constant(Bits, Lanes(Y)));
  const unsigned Width = isComparison(O) ? 1 : Bits;
  ASSERT_EQ(R.Bits, Width) << nameOf(O);
  ASSERT_TRUE(R.Terms.empty()) << nameOf(O);
  ASSERT_EQ(R.Assumes, 0u) << nameOf(O);
  ASSERT_FALSE(R.MayWrap) << nameOf(O);
  for (unsigned L = 0; L < WarpSize; ++L) {
    auto Expected = plain(O, static_cast<std::uint64_t>(X[L]),
                          static_cast<std::uint64_t>(Y[L]), Bits);
    // By the width or more: what PTX does, where C++ says nothing.
    if (!Expected && (O == Operation::Shl || O == Operation::LShr))
      Expected = 0;
    if (!Expected && O == Operation::AShr)
      Expected = signedOf(static_cast<std::uint64_t>(X[L]), Bits) < 0
                     ? ~std::uint64_t(0)
                     : 0;
    if (!Expected)
      continue; // undefined: any answer will do, but no crash
    ASSERT_FALSE(R.Unknown >> L & 1)
        << nameOf(O) << ' ' << X[L] << ' ' << Y[L] << " at " << Bits;
    // Truth values are kept as 0 and 1, all others sign-extended.
    ASSERT_EQ(R.Constant[L], Width == 1 ? static_cast<std::int64_t>(*Expected)
                                        : signedOf(*Expected, Width))
        << nameOf(O) << ' ' << X[L] << ' ' << Y[L] << " at " << Bits;
  }
}

class LaneConstants : public testing::TestWithParam<int> {
protected:
  Operation operation() const { return static_cast<Operation>(GetParam()); }
};

TEST_P(LaneConstants, AllPairsOfEightBits) {
  for (int X = 0; X < 256; ++X)
    for (int Y = 0; Y < 256; Y += WarpSize) {
      Values A, B;
      for (unsigned L = 0; L < WarpSize; ++L) {
        A[L] = X;
        B[L] = Y + static_cast<int>(L);
      }
      expectPlain(operation(), 8, A, B);
      if (HasFatalFailure())
        return;
      expectPlain(operation(), 8, B, A);
      if (HasFatalFailure())
        return;
    }
}

TEST_P(LaneConstants, DrawnPairsOfOtherWidths) {
  std::mt19937_64 Draw(22);
  // Small numbers, numbers at the ends of the width and any others.
  auto Number = [&](unsigned Bits) {
    const std::uint64_t R = Draw();
    switch (Draw() % 4) {
    case 0:
      return static_cast<std::int64_t>(R % 70);
    case 1:
      return signedOf(0 - R % 5, Bits);
    case 2:
      return signedOf((std::uint64_t(1) << (Bits - 1)) - 2 + R % 5, Bits);
    default:
      return signedOf(R, Bits);
    }
  };
  for (unsigned Bits : {2u, 7u, 16u, 31u, 32u, 33u, 64u})
    for (int Turn = 0; Turn < 1000; ++Turn) {
      Values A, B;
      for (unsigned L = 0; L < WarpSize; ++L) {
        A[L] = Number(Bits);
        B[L] = Number(Bits);
      }
      expectPlain(operation(), Bits, A, B);
      if (HasFatalFailure())
        return;
    }
}

INSTANTIATE_TEST_SUITE_P(All, LaneConstants, testing::Range(0, OperationKinds),
                         [](const auto &Info) {
                           return std::string(
                               nameOf(static_cast<Operation>(Info.param)));
                         });

TEST(LaneTruth, LogicOfConstants) {
  LaneArithmetic A;
  // Lane L holds bits 0 and 1 of L.
  Values X, Y;
  for (unsigned L = 0; L < WarpSize; ++L) {
    X[L] = L & 1;
    Y[L] = L >> 1 & 1;
  }
  const LaneValue P = LaneValue::constant(1, Lanes(X));
  const LaneValue Q = LaneValue::constant(1, Lanes(Y));
  for (unsigned L = 0; L < WarpSize; ++L) {
    EXPECT_EQ(A.bitAnd(P, Q).Constant[L], X[L] & Y[L]);
    EXPECT_EQ(A.bitOr(P, Q).Constant[L], X[L] | Y[L]);
    EXPECT_EQ(A.bitXor(P, Q).Constant[L], X[L] ^ Y[L]);
  }
}

TEST(LaneCasts, ConstantsOfEveryWidth) {
  LaneArithmetic A;
  for (unsigned From : {1u, 8u, 16u, 32u})
    for (std::int64_t X = -300; X < 300; ++X) {
      const LaneValue V = LaneValue::constant(From, X);
      const auto U = static_cast<std::uint64_t>(X) & maskOf(From);
      EXPECT_EQ(A.zext(V, 64).Constant[0], static_cast<std::int64_t>(U));
      EXPECT_EQ(A.sext(V, 64).Constant[0], signedOf(U, From));
      if (From > 8) {
        EXPECT_EQ(A.trunc(V, 8).Constant[0], signedOf(U, 8));
        EXPECT_EQ(A.trunc(V, 1).Constant[0], static_cast<std::int64_t>(U & 1));
      }
    }
}

TEST(Lanes, EqualLanesAreOneValue) {
  Values V;
  V.fill(7);
  EXPECT_TRUE(Lanes(V).isUniform());
  EXPECT_TRUE(Lanes(V) == Lanes(7));
  V[31] = 8;
  EXPECT_FALSE(Lanes(V).isUniform());
  EXPECT_TRUE(Lanes(V).isUniformIn(0x7fffffff));
  EXPECT_FALSE(Lanes(V).isUniformIn(0xc0000000));
  EXPECT_TRUE(Lanes(V).isUniformIn(0));
  EXPECT_FALSE(Lanes(V) == Lanes(7));
}

TEST(Lanes, BlendTakesTheLanesOfTheMask) {
  const Lanes B = Lanes::blend(0xf, Lanes(1), Lanes(2));
  for (unsigned L = 0; L < WarpSize; ++L)
    EXPECT_EQ(B[L], L < 4 ? 1 : 2);
  EXPECT_TRUE(Lanes::blend(0, 1, 2) == Lanes(2));
  EXPECT_TRUE(Lanes::blend(AllLanes, 1, 2) == Lanes(1));
}

} // namespace LaneConstantTests
