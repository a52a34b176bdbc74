//===- tests/unit/runtime/join/TimeJudgeTests.cpp - Verdicts on times -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/TimeJudge.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace cudalint::TimeJudgeTests {
namespace {

using Times = std::vector<double>;

TimeVerdict verdict(const Times &Before, const Times &After) {
  const auto Result = compareTimes(Before, After);
  EXPECT_TRUE(Result);
  return Result ? Result->Verdict : TimeVerdict::Inconclusive;
}

TEST(TimeJudge, FewPairsProveNothing) {
  EXPECT_FALSE(compareTimes(Times(5, 2), Times(5, 1)));
  EXPECT_FALSE(compareTimes(Times(9, 2), Times(5, 1)));
  EXPECT_TRUE(compareTimes(Times(6, 2), Times(6, 1)));
}

TEST(TimeJudge, NoTimeIsNoTime) {
  Times Wrong(7, 1);
  for (const double Each : {0.0, -1.0, std::nan("")}) {
    Wrong[3] = Each;
    EXPECT_FALSE(compareTimes(Wrong, Times(7, 1)));
    EXPECT_FALSE(compareTimes(Times(7, 1), Wrong));
  }
}

TEST(TimeJudge, Verdicts) {
  EXPECT_EQ(TimeVerdict::Faster, verdict(Times(7, 2), Times(7, 1)));
  EXPECT_EQ(TimeVerdict::Slower, verdict(Times(7, 1), Times(7, 2)));
  EXPECT_EQ(TimeVerdict::Neutral, verdict(Times(7, 1), Times(7, 1)));
  // Surely less, and too little to matter.
  EXPECT_EQ(TimeVerdict::Neutral, verdict(Times(7, 1), Times(7, 0.985)));
  EXPECT_EQ(TimeVerdict::Faster, verdict(Times(7, 1), Times(7, 0.975)));
  // One run of seven that was slower: all of them are needed for 95 %.
  EXPECT_EQ(TimeVerdict::Inconclusive,
            verdict(Times(7, 1), {.5, .5, .5, 1.1, .5, .5, .5}));
  // Around no change, and wider than what counts as none.
  EXPECT_EQ(TimeVerdict::Inconclusive,
            verdict(Times(7, 1), {.9, 1, 1, 1, 1, 1, 1.1}));
}

TEST(TimeJudge, DriftFallsOnBothOfAPair) {
  // The clocks fall to half, and each pair has the same ratio.
  const Times Before = {10, 11, 12, 14, 16, 18, 20};
  Times After;
  for (const double Each : Before)
    After.push_back(Each * 0.9);
  const auto Result = compareTimes(Before, After);
  ASSERT_TRUE(Result);
  EXPECT_EQ(TimeVerdict::Faster, Result->Verdict);
  EXPECT_NEAR(0.9, Result->Low, 1e-12);
  EXPECT_NEAR(0.9, Result->High, 1e-12);
  EXPECT_EQ(14, Result->Before.Median);
  EXPECT_EQ(10, Result->Before.Least);
  EXPECT_EQ(20, Result->Before.Most);
}

/// How many sorted values the sign test leaves out at either end for an
/// interval of the median of 95 %: with n of 20 the 6th to the 15th is left, as
/// textbooks have it, since (1 + 20 + 190 + 1140 + 4845) / 2^20 is 2.07 %.
TEST(TimeJudge, RanksOfTheTables) {
  const std::pair<std::size_t, std::size_t> Tabled[] = {
      {6, 0}, {7, 0}, {8, 0}, {9, 1}, {11, 1}, {12, 2}, {15, 3}, {20, 5}};
  for (const auto &[Count, Left] : Tabled) {
    Times After;
    for (std::size_t I = 1; I <= Count; ++I)
      After.push_back(static_cast<double>(I));
    const auto Result = compareTimes(Times(Count, 1), After);
    ASSERT_TRUE(Result);
    EXPECT_EQ(static_cast<double>(1 + Left), Result->Low) << Count;
    EXPECT_EQ(static_cast<double>(Count - Left), Result->High) << Count;
  }
}

/// The interval holds the true median 95 times in 100 whatever the times are
/// distributed like: here with a long tail, as times of programs are.
TEST(TimeJudge, CoversTheMedian) {
  std::mt19937 Random(7);
  std::lognormal_distribution<double> Ratio(0, 0.5); // Its median is 1.
  for (const std::size_t Count : {7, 12, 30}) {
    unsigned Held = 0;
    static constexpr unsigned Trials = 4000;
    for (unsigned Trial = 0; Trial != Trials; ++Trial) {
      Times After;
      for (std::size_t I = 0; I != Count; ++I)
        After.push_back(Ratio(Random));
      const auto Result = compareTimes(Times(Count, 1), After);
      Held += Result && Result->Low <= 1 && Result->High >= 1;
    }
    // Three standard deviations below 95 %.
    EXPECT_GT(Held, Trials * 0.94) << Count;
  }
}

TEST(TimeJudge, ThousandsOfRunsAreNoMatter) {
  EXPECT_EQ(TimeVerdict::Faster, verdict(Times(5000, 2), Times(5000, 1)));
}

} // namespace
} // namespace cudalint::TimeJudgeTests
