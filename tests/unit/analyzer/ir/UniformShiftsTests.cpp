//===- tests/unit/analyzer/ir/UniformShiftsTests.cpp - Moved alike --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/UniformShifts.h"

#include <gmock/gmock.h>

#include <array>
#include <map>
#include <numeric>

namespace UniformShiftsTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

static constexpr unsigned Sector = 32;

TEST(UniformShiftsTest, NothingMovesNothing) {
  EXPECT_THAT(UniformShifts(Sector).get(64), ElementsAre(0));
}

TEST(UniformShiftsTest, MultiplesAreAllRemainders) {
  UniformShifts S(Sector);
  S.addMultiples(24);
  EXPECT_THAT(S.get(64), ElementsAre(0, 8, 16, 24));
  EXPECT_THAT(S.get(64, /*Least=*/16), ElementsAre(0, 16));
  EXPECT_EQ(S.step(), 8u);
}

// 4 * (n & 3): four places of eight. 8 * (n % 3): three, none more frequent.
TEST(UniformShiftsTest, FewValuesAreTheirPlacesAlone) {
  UniformShifts Masked(Sector);
  Masked.addValues({0, 1, 4}, 4);
  EXPECT_THAT(Masked.get(64), ElementsAre(0, 4, 8, 12));
  UniformShifts Three(Sector);
  Three.addValues({0, 1, 3}, 8);
  EXPECT_THAT(Three.get(64), ElementsAre(0, 8, 16));
  UniformShifts Back(Sector);
  Back.addValues({-1, 1, 2}, 4);
  EXPECT_THAT(Back.get(64), ElementsAre(0, -4));
}

// Two of three values are the same place.
// Elements of 12 bytes stay where they are in each other.
TEST(UniformShiftsTest, ShiftsAreThoseOfValues) {
  UniformShifts S(Sector);
  S.addValues({0, 1, 4}, 12);
  EXPECT_THAT(S.get(64), ElementsAre(0, 36, 12, 24));
}

TEST(UniformShiftsTest, WhatIsTwiceAsFrequentStandsThereTwice) {
  UniformShifts S(Sector);
  S.addValues({0, 2, 3}, 8);
  EXPECT_THAT(S.get(64), ElementsAre(32, 32, 16)); // 32 is one of 0 and 32.
  UniformShifts Round(Sector);
  Round.addValues({0, 1, 8}, 32);
  EXPECT_THAT(Round.get(64), ElementsAre(7 * 32));
}

// Sums of independent values are as frequent as the pairs that give them, also
// beside what only a multiple is known of.
TEST(UniformShiftsTest, SumsAreAsFrequentAsAllPairs) {
  const std::array<FewValues, 2> Of = {FewValues{1, 2, 3}, FewValues{-2, 1, 5}};
  for (const unsigned Multiples : {8u, 32u}) {
    UniformShifts S(Sector);
    S.addValues(Of[0], 4);
    S.addMultiples(Multiples);
    S.addValues(Of[1], 12);
    std::map<unsigned, unsigned> Expected, Found;
    for (unsigned K = 0; K < Of[0].Count; ++K)
      for (unsigned J = 0; J < Of[1].Count; ++J)
        for (unsigned M = 0; M < Sector; M += Multiples) {
          const std::int64_t At =
              4 * Of[0][K] + 12 * Of[1][J] + std::int64_t(M);
          ++Expected[static_cast<unsigned>((At % 32 + 32) % 32)];
        }
    for (std::int64_t Each : S.get(64))
      ++Found[static_cast<unsigned>((Each % 32 + 32) % 32)];
    ASSERT_EQ(Found.size(), Expected.size()) << Multiples;
    unsigned Common = 0;
    for (const auto &[At, Times] : Expected)
      Common = std::gcd(Common, Times);
    for (auto &[At, Times] : Expected)
      Times /= Common;
    EXPECT_EQ(Found, Expected) << Multiples;
  }
}

// Too many weights to list: any multiple of what the values have in common.
TEST(UniformShiftsTest, TooManyAreAnyMultiple) {
  UniformShifts S(Sector);
  for (std::int64_t Bytes : {8, 8, 8, 8})
    S.addValues({0, 1, 3}, Bytes);
  EXPECT_THAT(S.get(64), ElementsAre(0, 8, 16, 24));
  UniformShifts Lines(128);
  Lines.addMultiples(1);
  EXPECT_THAT(Lines.get(64), SizeIs(64));
}

TEST(UniformShiftsTest, ValuesOfARange) {
  const auto Of = [](std::int64_t Min, std::int64_t Max, std::uint64_t By) {
    std::vector<std::int64_t> R;
    if (const auto Few = fewValues({.Min = Min, .Max = Max, .MultipleOf = By}))
      for (unsigned K = 0; K < Few->Count; ++K)
        R.push_back((*Few)[K]);
    return R;
  };
  EXPECT_THAT(Of(0, 3, 1), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Of(-3, 3, 2), ElementsAre(-2, 0, 2));
  EXPECT_THAT(Of(1, 100, 32), ElementsAre(32, 64, 96));
  EXPECT_THAT(Of(0, 31, 1), SizeIs(32));
  EXPECT_THAT(Of(0, 32, 1), IsEmpty());
  EXPECT_THAT(Of(5, 7, 8), IsEmpty());
  EXPECT_THAT(Of(3, 2, 1), IsEmpty());
  EXPECT_THAT(Of(NoMin, 3, 1), IsEmpty());
  EXPECT_THAT(Of(NoMin + 1, NoMax - 1, 1), IsEmpty());
  EXPECT_THAT(Of(NoMax - 3, NoMax - 1, 1u << 30), IsEmpty());
}

} // namespace UniformShiftsTests
