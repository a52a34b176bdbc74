//===- tests/unit/analyzer/ir/RemaindersTests.cpp - Tests -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/Remainders.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

namespace RemaindersTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::IsNull;

namespace {
class Remainders : public testing::Test {
protected:
  LaneArithmetic A;
  LaneValue N =
      A.fresh(32, {.Kind = SymbolKind::Parameter, .Name = "n", .Min = 0});

  LaneValue constant(std::int64_t V) { return LaneValue::constant(32, V); }
  std::vector<std::int64_t> valuesOf(const LaneValue &V) {
    const auto &R = A.info(V.Terms[0].S).Remainders;
    return R ? R->Values : std::vector<std::int64_t>();
  }
  /// Of all terms of an address of floats, together.
  JointShifts shiftsOf(const LaneValue &V) {
    std::vector<const Term *> Terms;
    for (const Term &T : V.Terms)
      Terms.push_back(&T);
    return *jointShifts(A, N.Terms[0].S, Terms, 0);
  }
};
} // namespace

TEST_F(Remainders, OfMasksAndDivisors) {
  EXPECT_THAT(valuesOf(A.bitAnd(N, constant(3))), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(valuesOf(A.bitAnd(N, constant(2))), ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(valuesOf(A.urem(N, constant(3))), ElementsAre(0, 1, 2));
  EXPECT_THAT(valuesOf(A.srem(A.sub(N, constant(1), true), constant(4))),
              ElementsAre(3, 0, 1, 2));
}

// (8 - (n & 7)) & 7 brings n to a multiple of 8.
TEST_F(Remainders, OfWhatIsComputedFromThem) {
  const LaneValue Low = A.bitAnd(N, constant(7));
  const LaneValue Peeled = A.bitAnd(A.sub(constant(8), Low), constant(7));
  EXPECT_THAT(valuesOf(Peeled), ElementsAre(0, 7, 6, 5, 4, 3, 2, 1));
  const auto Shifts = shiftsOf(A.add(N, Peeled)).Bytes;
  for (std::int64_t Each : Shifts)
    EXPECT_EQ(Each % 8, 0) << Each;
  const LaneValue IsEven = A.compare(LaneArithmetic::Predicate::EQ,
                                     A.urem(N, constant(2)), constant(0));
  EXPECT_THAT(valuesOf(IsEven), ElementsAre(1, 0));
}

TEST_F(Remainders, OfSeveralSymbolsAreNone) {
  const LaneValue M = A.fresh(32, {.Kind = SymbolKind::Parameter, .Min = 0});
  EXPECT_THAT(valuesOf(A.bitAnd(A.add(N, M), constant(3))), ElementsAre());
  EXPECT_THAT(valuesOf(A.bitAnd(N, constant(63))), ElementsAre());
  EXPECT_THAT(valuesOf(A.udiv(N, constant(3))), ElementsAre());
}

// Of few values, whatever is computed from them is known for each.
TEST_F(Remainders, OfFewValuesAreAll) {
  const LaneValue Few =
      A.fresh(32, {.Kind = SymbolKind::BlockIndex, .Min = 0, .Max = 4});
  EXPECT_THAT(valuesOf(A.udiv(Few, constant(2))), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(
      valuesOf(A.compare(LaneArithmetic::Predicate::SGT, Few, constant(1))),
      ElementsAre(0, 0, 1, 1, 1));
}

TEST_F(Remainders, WhatMayBeNegativeIsTakenNotToBe) {
  const LaneValue Any = A.fresh(32, {.Kind = SymbolKind::Parameter});
  const auto TakesIt = [&](const LaneValue &V) {
    return A.info(V.Terms[0].S).Remainders->TakesNonNegative;
  };
  EXPECT_TRUE(TakesIt(A.srem(Any, constant(4))));
  EXPECT_FALSE(TakesIt(A.srem(N, constant(4))));
  EXPECT_FALSE(TakesIt(A.bitAnd(Any, constant(3))));
  // -1 % 4 is -1.
  EXPECT_THAT(valuesOf(A.srem(A.sub(constant(7), N, true), constant(4))),
              ElementsAre());
}

// Each sum against the integers themselves, for one period of all of them.
TEST_F(Remainders, TogetherAreAsForEachValue) {
  const LaneValue By3 = A.srem(N, constant(3)), By4 = A.srem(N, constant(4)),
                  Odd = A.bitAnd(N, constant(1));
  struct {
    LaneValue V;
    std::function<std::int64_t(std::int64_t)> Of;
  } const Sums[] = {
      {A.add(By4, Odd), [](std::int64_t X) { return X % 4 + X % 2; }},
      {A.sub(N, By4), [](std::int64_t X) { return X - X % 4; }},
      {A.sub(By3, By4), [](std::int64_t X) { return X % 3 - X % 4; }},
      {A.sub(A.add(N, N), By3), [](std::int64_t X) { return 2 * X - X % 3; }},
  };
  for (const auto &Each : Sums) {
    const JointShifts Shifts = shiftsOf(Each.V);
    // Modulo what is not told apart.
    const std::int64_t Modulo =
        Shifts.Multiples ? static_cast<std::int64_t>(Shifts.Multiples) : 1000;
    std::vector<std::int64_t> Told, Expected;
    for (std::int64_t Bytes : Shifts.Bytes)
      Told.push_back((Bytes % Modulo + Modulo) % Modulo);
    for (std::size_t X = 0; X < Shifts.Bytes.size(); ++X) {
      const std::int64_t V = Each.Of(static_cast<std::int64_t>(X));
      Expected.push_back((V % Modulo + Modulo) % Modulo);
    }
    EXPECT_THAT(Told, testing::UnorderedElementsAreArray(Expected));
  }
}

TEST_F(Remainders, ThatHold) {
  auto Held = [&](const LaneValue &Of, std::int64_t Is, bool Wanted) {
    return heldWhere(A, Of, AllLanes,
                     [=](std::int64_t V) { return (V == Is) == Wanted; });
  };
  const auto Fourth = Held(A.urem(N, constant(4)), 0, true);
  ASSERT_NE(Fourth, nullptr);
  EXPECT_EQ(Fourth->front().Of, N.Terms[0].S);
  EXPECT_THAT(Fourth->front().Holds, ElementsAre(true, false, false, false));
  const auto Others = Held(A.urem(N, constant(4)), 0, false);
  EXPECT_THAT(Others->front().Holds, ElementsAre(false, true, true, true));
  const auto Odd = Held(A.bitAnd(N, constant(1)), 1, true);
  EXPECT_THAT(bothHold(Others, Odd)->front().Holds,
              ElementsAre(false, true, false, true));
  EXPECT_THAT(eitherHolds(Fourth, Odd)->front().Holds,
              ElementsAre(true, true, false, true));
  // Of two symbols, both are told, and neither where one of them may not hold.
  const LaneValue M = A.fresh(32, {.Kind = SymbolKind::Parameter, .Min = 0});
  const auto Two = bothHold(Fourth, Held(A.bitAnd(M, constant(1)), 1, true));
  ASSERT_EQ(Two->size(), 2u);
  EXPECT_NE(heldOf(Two.get(), M.Terms[0].S), nullptr);
  EXPECT_EQ(eitherHolds(Two, Odd)->size(), 1u);
  EXPECT_THAT(eitherHolds(Fourth, Held(M, 0, true)), IsNull());
  // All, or none, say nothing.
  EXPECT_THAT(eitherHolds(Fourth, Others), IsNull());
  EXPECT_THAT(bothHold(Fourth, Odd), IsNull());
  EXPECT_THAT(Held(N, 4, true), IsNull());
  EXPECT_FALSE(leavesOutMultiples(Fourth->front(), 32));
  EXPECT_TRUE(leavesOutMultiples(Fourth->front(), 2));
  EXPECT_TRUE(
      leavesOutMultiples(Held(A.urem(N, constant(3)), 1, true)->front(), 32));
}

// The turn of a loop is another one in the next.
TEST_F(Remainders, OfTurnsDoNotHold) {
  const LaneValue Turn = A.fresh(32, {.Kind = SymbolKind::Counter, .Min = 0});
  EXPECT_THAT(heldWhere(A, A.trunc(Turn, 1), AllLanes,
                        [](std::int64_t V) { return V != 0; }),
              IsNull());
}

} // namespace RemaindersTests
