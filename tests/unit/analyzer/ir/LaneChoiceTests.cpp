//===- tests/unit/analyzer/ir/LaneChoiceTests.cpp - Decided by ranges -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What must be decided, and what must not: the other tests accept any answer
/// that is not wrong, these want the useful one.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneValue.h"

#include <gtest/gtest.h>

#include <limits>

#include <functional>

namespace LaneChoiceTests {

using namespace cudalint;
using Predicate = LaneArithmetic::Predicate;

namespace {

class LaneChoice : public testing::Test {
protected:
  LaneArithmetic A;

  LaneValue symbol(std::int64_t Min, std::int64_t Max,
                   std::uint64_t MultipleOf = 1,
                   SymbolKind Kind = SymbolKind::Parameter) {
    return A.fresh(32, {.Kind = Kind,
                        .Min = Min,
                        .Max = Max,
                        .MultipleOf = MultipleOf,
                        .AssumedMultipleOf = MultipleOf});
  }
  static LaneValue number(std::int64_t N) { return LaneValue::constant(32, N); }
  static LaneValue lane(std::int64_t Scale = 1) {
    std::array<std::int64_t, WarpSize> R;
    for (unsigned L = 0; L < WarpSize; ++L)
      R[L] = Scale * L;
    return LaneValue::constant(32, Lanes(R));
  }
  /// The lanes in which it is known to hold, if it is known in all lanes.
  static std::optional<LaneMask> decided(const LaneValue &V) {
    if (!V.isConstantIn(AllLanes))
      return std::nullopt;
    LaneMask M = 0;
    for (unsigned L = 0; L < WarpSize; ++L)
      M |= LaneMask(V.Constant[L] != 0) << L;
    return M;
  }
};

} // namespace

TEST_F(LaneChoice, RangesDecide) {
  const LaneValue N = symbol(10, 20);
  EXPECT_EQ(decided(A.compare(Predicate::SLT, N, number(21))), AllLanes);
  EXPECT_EQ(decided(A.compare(Predicate::SLT, N, number(10))), 0u);
  EXPECT_EQ(decided(A.compare(Predicate::UGE, N, number(10))), AllLanes);
  EXPECT_EQ(decided(A.compare(Predicate::NE, N, number(9))), AllLanes);
  EXPECT_EQ(decided(A.compare(Predicate::EQ, N, number(21))), 0u);
  EXPECT_EQ(decided(A.compare(Predicate::SLT, N, number(20))), std::nullopt);
  EXPECT_EQ(decided(A.compare(Predicate::EQ, N, number(15))), std::nullopt);
}

// As unsigned, what is negative is larger than all that is not; where only the
// block tells whether it is, nothing is decided.
TEST_F(LaneChoice, NegativeNumbersAreLargeUnsignedOnes) {
  for (std::int64_t Last : {std::int64_t(-1), std::int64_t(3)}) {
    const LaneValue N = symbol(-20, Last, 1, SymbolKind::BlockIndex);
    const bool IsNegative = Last < 0;
    const auto Always = IsNegative ? std::optional(AllLanes) : std::nullopt;
    const auto Never = IsNegative ? std::optional(0u) : std::nullopt;
    EXPECT_EQ(decided(A.compare(Predicate::UGT, N, number(100))), Always);
    EXPECT_EQ(decided(A.compare(Predicate::ULT, N, number(100))), Never);
    EXPECT_EQ(decided(A.compare(Predicate::ULT, number(100), N)), Always);
    EXPECT_EQ(decided(A.compare(Predicate::UGE, N, number(-20))), Always);
    EXPECT_EQ(decided(A.compare(Predicate::ULT, N, number(-20))), Never);
    EXPECT_EQ(decided(A.compare(Predicate::UGT, N, number(-10))), std::nullopt);
    EXPECT_FALSE(A.compare(Predicate::UGT, N, number(100)).Assumes);
  }
}

// lane < n with n in 10 to 20: lanes 0 to 9 surely, 20 to 31 surely not.
TEST_F(LaneChoice, LanesBeyondTheRangeAreDecided) {
  const LaneValue V = A.compare(Predicate::SLT, lane(), symbol(10, 20));
  for (unsigned L = 0; L < WarpSize; ++L) {
    const LaneMask Bit = LaneMask(1) << L;
    EXPECT_EQ(V.isConstantIn(Bit), L < 10 || L >= 20) << L;
    if (V.isConstantIn(Bit)) {
      EXPECT_EQ(V.Constant[L], L < 10) << L;
    }
  }
}

TEST_F(LaneChoice, DifferencesCancelSymbols) {
  const LaneValue N = symbol(0, 1000);
  EXPECT_EQ(decided(A.compare(Predicate::SLT, A.add(N, lane()),
                              A.add(N, number(16)))),
            0x0000ffffu);
  EXPECT_EQ(decided(A.compare(Predicate::EQ, A.add(N, lane()), N)), 1u);
}

// 8·k + 1 is never equal to 0 or 4, but may be equal to 9.
TEST_F(LaneChoice, MultiplesDecideEquality) {
  const LaneValue K = A.add(A.mul(symbol(-1000, 1000), number(8)), number(1));
  EXPECT_EQ(decided(A.compare(Predicate::EQ, K, number(0))), 0u);
  EXPECT_EQ(decided(A.compare(Predicate::NE, K, number(4))), AllLanes);
  EXPECT_EQ(decided(A.compare(Predicate::EQ, K, number(9))), std::nullopt);
  const LaneValue M = symbol(0, 1 << 20, /*MultipleOf=*/32);
  EXPECT_EQ(decided(A.compare(Predicate::EQ, A.urem(M, number(32)), lane())),
            1u);
}

TEST_F(LaneChoice, UndecidedButAlikeIsOneSymbol) {
  const LaneValue N = symbol(0, 100);
  const LaneValue V = A.compare(Predicate::SLT, N, number(50));
  EXPECT_EQ(V.Unknown, 0u);
  EXPECT_TRUE(V.isUniform());
  // Asked again, it is the same; its opposite is not.
  EXPECT_TRUE(V.sameAs(A.compare(Predicate::SLT, N, number(50))));
  EXPECT_FALSE(V.sameAs(A.compare(Predicate::SGE, N, number(50))));
  // Where lanes may differ, nothing is claimed.
  EXPECT_EQ(A.compare(Predicate::SLT, lane(), symbol(0, 32)).Unknown, AllLanes);
}

TEST_F(LaneChoice, SelectByKnownLanes) {
  const LaneValue C = A.compare(Predicate::SLT, lane(), number(8));
  const LaneValue N = symbol(0, 100);
  const LaneValue V = A.select(C, N, lane());
  EXPECT_EQ(V.Unknown, 0u);
  EXPECT_EQ(V.Assumes, 0u);
  EXPECT_FALSE(V.isConstantIn(1));
  EXPECT_TRUE(V.isConstantIn(0xffffff00));
  EXPECT_EQ(V.Constant[8], 8);
  EXPECT_EQ(V.Constant[31], 31);
}

// n < 50 ? 3 : 7 is 3 or 7 in all lanes alike.
TEST_F(LaneChoice, SelectByASharedConditionIsShared) {
  const LaneValue C = A.compare(Predicate::SLT, symbol(0, 100), number(50));
  const LaneValue V = A.select(C, number(3), number(7));
  EXPECT_TRUE(V.isUniform());
  EXPECT_EQ(V.Assumes, 0u);
  const auto R = A.range(V, 0);
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Min, 3);
  EXPECT_EQ(R->Max, 7);
}

TEST_F(LaneChoice, MinAndMaxByRanges) {
  const LaneValue N = symbol(100, 1000);
  EXPECT_TRUE(A.min(lane(), N, true).sameAs(lane()));
  EXPECT_TRUE(A.max(lane(), N, true).sameAs(N));
  EXPECT_TRUE(A.max(N, number(0), true).sameAs(N));
  EXPECT_TRUE(A.min(N, number(1000), true).sameAs(N) ||
              A.min(N, number(1000), true).isUniform());
}

// 16 * blockIdx.x + t is 0 in lane 0 of the first block at least: whether it is
// more is no question of which is the larger one.
TEST_F(LaneChoice, ExtremaOfWhatMayBeEqual) {
  const LaneValue I = A.add(
      A.mul(symbol(0, 1000, 1, SymbolKind::BlockIndex), number(16)), lane());
  for (const LaneValue &V :
       {A.max(I, number(0), true), A.max(number(0), I, true)}) {
    EXPECT_TRUE(V.sameAs(I));
    EXPECT_EQ(V.Assumes & ~AssumesNoWrap, 0u);
  }
  EXPECT_TRUE(A.min(I, number(0), true).sameAs(number(0)));
  EXPECT_TRUE(A.min(number(0), I, true).sameAs(number(0)));
  // In lane 0 the symbol decides, in the others it is above.
  const LaneValue One = A.max(I, number(1), true);
  EXPECT_EQ(One.Unknown & ~LaneMask(1), 0u);
  for (unsigned L = 1; L != 32; ++L)
    EXPECT_TRUE(One.Constant[L] == I.Constant[L]) << L;
}

// clamp(i - 1): where it bites depends on the lane; the inside is taken.
TEST_F(LaneChoice, ClampsAreBorders) {
  const LaneValue I = A.add(symbol(0, 1 << 20), lane());
  const LaneValue Bound = symbol(1, 1 << 20);
  const LaneValue V = A.min(I, Bound, true);
  EXPECT_EQ(V.Unknown, 0u);
  EXPECT_EQ(V.Assumes & AssumesInterior, AssumesInterior);
  EXPECT_TRUE(V.sameAs(I));
}

TEST_F(LaneChoice, MergeOfEqualsIsNoMerge) {
  const LaneValue N = A.add(symbol(0, 9), lane());
  const LaneValue V = A.merge(N, N, /*SameForAll=*/false);
  EXPECT_TRUE(V.sameAs(N));
  EXPECT_EQ(V.Assumes, 0u);
}

TEST_F(LaneChoice, MergeForAllLanesAlike) {
  const LaneValue V = A.merge(lane(), A.add(lane(), number(64)), true);
  EXPECT_EQ(V.Unknown, 0u);
  EXPECT_EQ(V.Assumes, 0u);
  // Either 0 or 64 more in all lanes: the distance of lanes stays what it is.
  for (unsigned L = 0; L < WarpSize; ++L) {
    const auto R = A.range(V, L);
    ASSERT_TRUE(R);
    EXPECT_EQ(R->Min, static_cast<std::int64_t>(L));
    EXPECT_EQ(R->Max, static_cast<std::int64_t>(L) + 64);
  }
}

TEST_F(LaneChoice, MergeOfLanesThatDifferIsUnknownOrAssumed) {
  EXPECT_EQ(A.merge(number(1), number(2), false).Unknown, AllLanes);
  const LaneValue V = A.merge(number(0), lane(4), false);
  EXPECT_TRUE(V.Unknown == AllLanes || V.Assumes & AssumesInterior);
}

TEST_F(LaneChoice, BlendTakesEachLaneFromOneSide) {
  const LaneValue N = symbol(0, 9), M = symbol(0, 9);
  const LaneValue V = A.blend(0xff, A.add(N, lane()), M);
  EXPECT_TRUE(V.Terms.size() == 2);
  EXPECT_TRUE(V.isUniformIn(0xffffff00));
  EXPECT_FALSE(V.isUniformIn(0xff));
  LaneValue U = LaneValue::unknown(32);
  EXPECT_EQ(A.blend(0xff, U, M).Unknown, 0xffu);
}

// What is unknown stays so, unless the other side decides.
TEST_F(LaneChoice, UnknownTimesZeroIsZero) {
  const LaneValue U = LaneValue::unknown(32);
  EXPECT_EQ(A.mul(U, number(0)).Unknown, 0u);
  EXPECT_EQ(A.bitAnd(U, number(0)).Unknown, 0u);
  EXPECT_EQ(A.add(U, number(0)).Unknown, AllLanes);
  const LaneValue Truth = LaneValue::unknown(1);
  EXPECT_EQ(A.bitOr(Truth, LaneValue::constant(1, 1)).Unknown, 0u);
  EXPECT_EQ(A.bitAnd(Truth, LaneValue::constant(1, 0)).Unknown, 0u);
}

//===----------------------------------------------------------------------===//
// Index arithmetic as kernels write it: exact without assuming anything
//===----------------------------------------------------------------------===//

TEST_F(LaneChoice, RowAndColumnOfAFlatIndex) {
  // (256·b + lane) % 16 and / 16, unsigned: the block starts at a row.
  const LaneValue B = symbol(0, 1000, 1, SymbolKind::BlockIndex);
  const LaneValue I = A.add(A.mul(B, number(256)), lane());
  const LaneValue Column = A.urem(I, number(16));
  const LaneValue Row = A.udiv(I, number(16));
  EXPECT_EQ(Column.Assumes, 0u);
  EXPECT_TRUE(Column.isConstant());
  EXPECT_EQ(Row.Assumes, 0u);
  for (unsigned L = 0; L < WarpSize; ++L)
    EXPECT_EQ(Column.Constant[L], L % 16);
  EXPECT_TRUE(
      A.sub(Row, A.mul(B, number(16))).sameAs(A.udiv(lane(), number(16))));
  // The same with masks and shifts.
  EXPECT_TRUE(A.bitAnd(I, number(15)).sameAs(Column));
  EXPECT_TRUE(A.lshr(I, number(4)).sameAs(Row));
}

TEST_F(LaneChoice, RemaindersThatAskForTheSignAsWell) {
  // `i % 4 == 1` of a signed index, as the optimiser has it.
  const LaneValue Mask = number(std::numeric_limits<std::int32_t>::min() | 3);
  for (const std::int64_t Least : {0, -1000}) {
    const LaneValue B = symbol(Least, 1000, 1, SymbolKind::BlockIndex);
    const LaneValue I = A.add(A.mul(B, number(64), true), lane(), true);
    const LaneValue R = A.bitAnd(I, Mask);
    ASSERT_TRUE(R.isConstant());
    for (unsigned L = 0; L < WarpSize; ++L)
      EXPECT_EQ(R.Constant[L], L % 4);
    EXPECT_EQ(R.Assumes, Least < 0 ? unsigned(AssumesNonNegative) : 0u);
  }
  // Of numbers, the sign is theirs.
  EXPECT_EQ(A.bitAnd(A.sub(lane(), number(40)), Mask).Constant[0],
            std::int64_t(std::numeric_limits<std::int32_t>::min()) + 0);
}

TEST_F(LaneChoice, SwizzleIsExactBesideSymbols) {
  const LaneValue B = symbol(0, 1000, 1, SymbolKind::BlockIndex);
  const LaneValue I = A.add(A.mul(B, number(32)), lane());
  const LaneValue V = A.bitXor(I, number(5));
  EXPECT_EQ(V.Unknown, 0u);
  EXPECT_EQ(V.Assumes, 0u);
  for (unsigned L = 0; L < WarpSize; ++L)
    EXPECT_EQ(V.Constant[L], L ^ 5);
}

} // namespace LaneChoiceTests
