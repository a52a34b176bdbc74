//===- tests/unit/analyzer/checks/StrideConditionsTests.cpp - Tests -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/StrideConditions.h"

#include <gtest/gtest.h>

namespace StrideConditionsTests {

using namespace cudalint;
using enum ConditionReach;

/// Whether each of \p Count values is bad, by \p IsBad.
static std::vector<bool> values(unsigned Count, bool (*IsBad)(unsigned)) {
  std::vector<bool> Bad;
  for (unsigned I = 0; I != Count; ++I)
    Bad.push_back(IsBad(I));
  return Bad;
}

TEST(StrideConditions, TheShorterListIsSaid) {
  const auto Even = values(32, [](unsigned I) { return I % 2 == 0; });
  EXPECT_EQ(residueCondition("n", Even, Whole), "if and only if n is even");
  const auto One = values(32, [](unsigned I) { return I % 8 == 3; });
  EXPECT_EQ(residueCondition("n", One, Whole), "if and only if n % 8 == 3");
  const auto Two = values(32, [](unsigned I) { return I % 8 == 3 || I == 5; });
  EXPECT_EQ(residueCondition("n", Two, Whole),
            "if and only if n % 32 is one of 3, 5, 11, 19, 27");
  const auto Most = values(32, [](unsigned I) { return I % 4 != 1; });
  EXPECT_EQ(residueCondition("n", Most, Whole), "unless n % 4 == 1");
}

// No value is said to be good where other sizes decide as well.
TEST(StrideConditions, APartSaysOnlyWhatIsBad) {
  const auto Odd = values(32, [](unsigned I) { return I % 2 == 1; });
  EXPECT_EQ(residueCondition("n", Odd, Part), "if n is odd");
  const auto One = values(32, [](unsigned I) { return I % 8 == 3; });
  EXPECT_EQ(residueCondition("n", One, Part), "if n % 8 == 3");
}

TEST(StrideConditions, AGoodLengthIsTheFirst) {
  EXPECT_EQ(goodResidue(values(32, [](unsigned I) { return I % 2 == 0; })),
            "an odd length");
  EXPECT_EQ(goodResidue(values(32, [](unsigned I) { return I % 4 != 1; })),
            "a length with length % 4 == 1");
}

TEST(StrideConditions, AlignmentIsOfLargeValues) {
  const auto ByEight = [](unsigned I) { return I > 16 && I % 8 != 0; };
  EXPECT_EQ(neededAlignment(values(33, ByEight)), 8u);
  EXPECT_EQ(neededAlignment(values(33, [](unsigned I) { return I == 17; })),
            0u);
}

TEST(StrideConditions, PowersAreARangeOrAList) {
  CostByPower By = {.Symbol = "n"};
  for (const std::int64_t Power : {1, 2, 4, 8})
    By.Values.push_back({.Power = Power});
  EXPECT_EQ(whenBad(By, {true, true, true, true}), "whatever n is");
  EXPECT_EQ(whenBad(By, {true, true, false, false}), "when n < 4");
  EXPECT_EQ(whenBad(By, {false, false, true, true}), "when n > 2");
  EXPECT_EQ(whenBad(By, {false, true, true, false}), "when n is 2 or 4");
  EXPECT_EQ(whenBad(By, {false, true, false, false}), "when n is 2");
  EXPECT_EQ(whenBad(By, {true, false, false, true}), "when n is 1 or 8");
  EXPECT_EQ(whenBad(By, {true, true, false, true}), "when n is 1, 2 or 8");
  By.Symbol = "1 << n";
  EXPECT_EQ(whenBad(By, {true, true, false, false}), "when '1 << n' < 4");
}

} // namespace StrideConditionsTests
