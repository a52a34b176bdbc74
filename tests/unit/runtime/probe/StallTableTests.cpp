//===- tests/unit/runtime/probe/StallTableTests.cpp - Samples of lines ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/StallTable.h"

#include <gmock/gmock.h>

namespace cudalint::probe::StallTableTests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

StallKey at(unsigned Line) { return {"f", 0, {"a.cu", Line}}; }

/// Reason, samples and those where nothing was issued.
std::vector<std::array<std::uint64_t, 3>>
countsOf(const std::vector<StallCount> &In) {
  std::vector<std::array<std::uint64_t, 3>> Out;
  for (const StallCount &Each : In)
    Out.push_back({Each.Reason, Each.Samples, Each.NotIssued});
  return Out;
}

TEST(StallTable, NamesOfCupti) {
  StallName Name = stallNameOf("smsp__pcsamp_warps_issue_stalled_wait");
  EXPECT_EQ(Name.Reason, "wait");
  EXPECT_FALSE(Name.IsNotIssued);
  Name = stallNameOf("smsp__pcsamp_warps_issue_stalled_wait_not_issued");
  EXPECT_EQ(Name.Reason, "wait");
  EXPECT_TRUE(Name.IsNotIssued);
  // A reason of its own, whose name begins alike.
  Name = stallNameOf("smsp__pcsamp_warps_issue_stalled_not_selected");
  EXPECT_EQ(Name.Reason, "not_selected");
  EXPECT_FALSE(Name.IsNotIssued);
  Name =
      stallNameOf("smsp__pcsamp_warps_issue_stalled_not_selected_not_issued");
  EXPECT_EQ(Name.Reason, "not_selected");
  EXPECT_TRUE(Name.IsNotIssued);
  // As others may be called one day.
  EXPECT_EQ(stallNameOf("smsp__pcsamp_later").Reason, "later");
  EXPECT_EQ(stallNameOf("something").Reason, "something");
  EXPECT_EQ(stallNameOf("").Reason, "");
}

TEST(StallTable, AddsUpByLineAndReason) {
  StallTable Table;
  const std::uint32_t Wait = Table.reason("wait");
  const std::uint32_t Long = Table.reason("long_scoreboard");
  EXPECT_EQ(Table.reason("wait"), Wait);
  // The two names of a reason come apart; so do instructions of a line.
  const StallCount First[] = {{Long, 10, 0}, {Wait, 3, 0}, {Long, 0, 9}};
  const StallCount Second[] = {{Wait, 1, 1}};
  Table.add(at(3), First);
  Table.add(at(4), Second);
  Table.add(at(3), Second);
  Profile P;
  Table.summarize(P);
  EXPECT_THAT(P.StallReasons, ElementsAre("wait", "long_scoreboard"));
  ASSERT_THAT(P.Stalls, SizeIs(2));
  EXPECT_THAT(countsOf(P.Stalls[at(3)]),
              ElementsAre(std::array<std::uint64_t, 3>{0, 4, 1},
                          std::array<std::uint64_t, 3>{1, 10, 9}));
  EXPECT_THAT(countsOf(P.Stalls[at(4)]),
              ElementsAre(std::array<std::uint64_t, 3>{0, 1, 1}));
  EXPECT_THAT(P.Problems, IsEmpty());
}

TEST(StallTable, DroppedSamplesAreALossFromAHundredthOn) {
  for (auto [Dropped, IsLoss] : {std::pair(9u, false), std::pair(10u, true)}) {
    StallTable Table;
    Table.setPeriod(0, 1024);
    Table.addTotals(0, {.Samples = 600, .Dropped = 4, .Others = 5});
    Table.addTotals(0, {.Samples = 400, .Dropped = Dropped - 4, .Others = 6});
    Profile P;
    Table.summarize(P);
    EXPECT_EQ(P.Sampling[0].Samples, 1000u);
    EXPECT_EQ(P.Sampling[0].Dropped, Dropped);
    EXPECT_EQ(P.Sampling[0].Others, 11u);
    EXPECT_EQ(P.Sampling[0].PeriodCycles, 1024u);
    ASSERT_THAT(P.Problems, SizeIs(1));
    EXPECT_EQ(P.Problems[0].Kind, "samples-dropped");
    EXPECT_EQ(P.Problems[0].IsLoss, IsLoss) << Dropped;
  }
}

TEST(StallTable, TooManyLinesKeepTheirSamples) {
  StallTable Table;
  const StallCount One[] = {{Table.reason("wait"), 1, 0}};
  for (unsigned Line = 1; Line <= StallTable::MostRows + 5; ++Line)
    Table.add(at(Line), One);
  Table.add(at(1), One); // is there
  Profile P;
  Table.summarize(P);
  // The row that takes all others is one more.
  EXPECT_EQ(P.Stalls.size(), StallTable::MostRows + 1);
  EXPECT_EQ(P.Stalls[at(1)][0].Samples, 2u);
  EXPECT_EQ((P.Stalls[{"f", 0, {}}][0].Samples), 5u);
  ASSERT_THAT(P.Problems, SizeIs(1));
  EXPECT_EQ(P.Problems[0].Kind, "stall-lines-full");
  EXPECT_FALSE(P.Problems[0].IsLoss);
}

} // namespace
} // namespace cudalint::probe::StallTableTests
