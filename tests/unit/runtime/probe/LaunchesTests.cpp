//===- tests/unit/runtime/probe/LaunchesTests.cpp - Shapes and times ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Launches.h"

#include <gmock/gmock.h>

namespace cudalint::probe::LaunchesTests {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(Durations, FewAreKeptAsTheyCame) {
  Durations D;
  for (std::uint64_t Time : {30, 10, 20, 40})
    D.add(Time);
  DurationSummary S = D.summary();
  EXPECT_EQ(S.Min, 10u);
  EXPECT_EQ(S.Median, 25u);
  EXPECT_EQ(S.Max, 40u);
  EXPECT_THAT(S.Samples, ElementsAre(30, 10, 20, 40));
}

TEST(Durations, ManyTakeBoundedRoom) {
  Durations D;
  constexpr std::uint64_t Number = 100'000;
  for (std::uint64_t Time = 1; Time <= Number; ++Time)
    D.add(Time);
  DurationSummary S = D.summary();
  EXPECT_EQ(D.count(), Number);
  EXPECT_EQ(S.Min, 1u);
  EXPECT_EQ(S.Max, Number);
  EXPECT_THAT(S.Samples, SizeIs(64));
  // Evenly kept times of an even sequence: the median is near the middle, the
  // samples rise from end to end.
  EXPECT_NEAR(static_cast<double>(S.Median), Number / 2.0, Number / 100.0);
  EXPECT_TRUE(std::is_sorted(S.Samples.begin(), S.Samples.end()));
  EXPECT_EQ(S.Samples.front(), 1u);
  EXPECT_GT(S.Samples.back(), Number * 99 / 100);
}

TEST(LaunchTable, ShapesAreListedAndKernelsSummed) {
  LaunchTable Table;
  for (unsigned Grid : {1, 2, 2}) {
    Table.row({"k", 0, {Grid, 1, 1}, {32, 1, 1}, 0})->Count += 1;
    Table.kernel({"k", 0}).Launches += 1;
  }
  Table.kernel({"k", 0}).Measured = 2;
  Profile P;
  Table.summarize(P);
  EXPECT_THAT(P.Launches, SizeIs(2));
  EXPECT_EQ(P.Launches.at({"k", 0, {2, 1, 1}, {32, 1, 1}, 0}).Count, 2u);
  EXPECT_EQ(P.Launches.begin()->second.Duration, std::nullopt);
  EXPECT_EQ(P.Kernels.at({"k", 0}).Launches, 3u);
  EXPECT_EQ(P.Kernels.at({"k", 0}).Measured, 2u);
}

TEST(LaunchTable, WhatWasMeasuredAsAWholeIsMeanAndSum) {
  LaunchTable Table;
  LaunchTable::Row &Row = *Table.row({"k", 0, {1, 1, 1}, {32, 1, 1}, 0});
  Row.Count = 5;
  Row.Ranges.add({.Occupancy = 0.25,
                  .DramBytes = 1000,
                  .L2Sectors = 64,
                  .L2Share = 0.125});
  Row.Ranges.add(
      {.Occupancy = 0.75, .DramBytes = 500, .L2Sectors = 16, .L2Share = 0.375});
  // Was not measured after all.
  Row.Ranges.add({.DramBytes = 7, .L2Sectors = 7, .L2Share = 0.5});
  Profile P;
  Table.summarize(P);
  const LaunchSummary &Launch = P.Launches.begin()->second;
  EXPECT_EQ(Launch.RangeLaunches, 2u);
  EXPECT_EQ(Launch.Occupancy, 0.5);
  EXPECT_EQ(Launch.DramBytes, 1500u);
  EXPECT_EQ(Launch.L2Sectors, 80u);
  EXPECT_EQ(Launch.L2Share, 0.25);
}

TEST(LaunchTable, ASumThatLacksALaunchIsUnknown) {
  LaunchTable Table;
  for (unsigned Grid : {1, 2})
    Table.row({"k", 0, {Grid, 1, 1}, {32, 1, 1}, 0})->Count = 3;
  RangeSums &Sums = Table.row({"k", 0, {1, 1, 1}, {32, 1, 1}, 0})->Ranges;
  const RangeFigures Whole = {
      .Occupancy = 0.5, .DramBytes = 1000, .L2Sectors = 64, .L2Share = 0.25};
  Sums.add(Whole);
  Sums.add({.Occupancy = 0.5});
  Sums.add(Whole);
  Profile P;
  Table.summarize(P);
  EXPECT_EQ(P.Launches.begin()->second.RangeLaunches, 3u);
  EXPECT_EQ(P.Launches.begin()->second.DramBytes, std::nullopt);
  EXPECT_EQ(P.Launches.begin()->second.L2Sectors, std::nullopt);
  EXPECT_EQ(P.Launches.begin()->second.L2Share, std::nullopt);
  // Nothing of the other shape was measured.
  EXPECT_EQ(P.Launches.rbegin()->second.RangeLaunches, 0u);
  EXPECT_EQ(P.Launches.rbegin()->second.Occupancy, std::nullopt);
}

TEST(LaunchTable, EverNewShapesDoNotFillTheMemory) {
  LaunchTable Table;
  unsigned Rows = 0;
  for (unsigned Grid = 1; Grid <= 100'000; ++Grid)
    if (LaunchTable::Row *Row =
            Table.row({"k", 0, {Grid, 1, 1}, {1, 1, 1}, 0})) {
      Row->Count = 1;
      ++Rows;
    }
  EXPECT_LT(Rows, 50'000u);
  // Those that it knows still count.
  EXPECT_NE(Table.row({"k", 0, {1, 1, 1}, {1, 1, 1}, 0}), nullptr);
  Profile P;
  Table.summarize(P);
  ASSERT_THAT(P.Problems, SizeIs(1));
  EXPECT_EQ(P.Problems[0].Kind, "too-many-shapes");
  EXPECT_TRUE(P.Problems[0].IsLoss);
}

} // namespace
} // namespace cudalint::probe::LaunchesTests
