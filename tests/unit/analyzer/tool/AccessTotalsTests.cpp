//===- tests/unit/analyzer/tool/AccessTotalsTests.cpp - Sums --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/AccessTotals.h"

#include <gmock/gmock.h>

using namespace cudalint;
using testing::HasSubstr;
using testing::SizeIs;

static Access access(MemorySpace Space, double PerRequest, double Executions) {
  Access A;
  A.Where.Line = A.UserWhere.Line = 7;
  A.Space = Space;
  A.Bytes = 4;
  A.Block = {256, 1, 1};
  A.Trust = Certainty::Exact;
  A.Executions = Executions;
  A.Predicted = Traffic{.PerRequest = PerRequest, .Ideal = 4, .Lanes = 32};
  return A;
}

static WarpTotals totals(std::vector<Access> Accesses, Extent Grid = {}) {
  KernelEvaluation Kernel;
  Kernel.Accesses = std::move(Accesses);
  return totalsOf(Kernel, {.Block = {256, 1, 1}, .Grid = Grid},
                  *parseTarget("sm_90"));
}

// 10 requests of 4 sectors and 2 of 32; 12 requests of 32 lanes with 4 bytes.
TEST(AccessTotals, EachAsOftenAsItIsMade) {
  const WarpTotals T = totals(
      {access(MemorySpace::Global, 4, 10), access(MemorySpace::Global, 32, 2)},
      {64, 2, 1});
  ASSERT_THAT(T.Spaces, SizeIs(1));
  const SpaceTotals &S = T.Spaces[0];
  EXPECT_EQ(S.Requests, 12);
  EXPECT_EQ(S.Traffic, 104);
  EXPECT_EQ(S.Ideal, 48);
  EXPECT_EQ(S.Bytes, 1536);
  EXPECT_EQ(S.WhyNotKnown, "");
  EXPECT_EQ(T.Warps, 8 * 128);
}

TEST(AccessTotals, SpacesStandApart) {
  const WarpTotals T = totals(
      {access(MemorySpace::Shared, 2, 1), access(MemorySpace::Global, 4, 1)});
  ASSERT_THAT(T.Spaces, SizeIs(2));
  EXPECT_EQ(T.Spaces[0].Space, MemorySpace::Global);
  EXPECT_EQ(T.Spaces[1].Unit, TrafficUnit::Wavefronts);
  EXPECT_EQ(T.Spaces[1].Traffic, 2);
  EXPECT_FALSE(T.Warps);
}

// Without a weight there is no sum.
TEST(AccessTotals, WhatIsNotCountedLeavesNoSum) {
  Access A = access(MemorySpace::Global, 4, 1);
  A.Executions.reset();
  A.WhyNotCounted = "only the run tells";
  const SpaceTotals S =
      totals({access(MemorySpace::Global, 4, 1), A}).Spaces[0];
  EXPECT_FALSE(S.Requests);
  EXPECT_FALSE(S.Traffic);
  EXPECT_THAT(S.WhyNotKnown, HasSubstr("line 7: only the run tells"));
}

// How many requests there are is known all the same.
TEST(AccessTotals, AnUnknownCostLeavesTheRequests) {
  Access A = access(MemorySpace::Global, 4, 3);
  A.Predicted.reset();
  A.Trust = Certainty::Unknown;
  A.WhyUnknown = "the address depends on data";
  const SpaceTotals S = totals({A}).Spaces[0];
  EXPECT_EQ(S.Requests, 3);
  EXPECT_FALSE(S.Traffic);
  EXPECT_EQ(S.Trust, Certainty::Unknown);
  A.Expected = Expectation{.PerRequest = 20, .Ideal = 4, .Lanes = 16};
  const SpaceTotals Random = totals({A}).Spaces[0];
  EXPECT_EQ(Random.Traffic, 60);
  EXPECT_EQ(Random.Bytes, 3 * 16 * 4);
  EXPECT_EQ(Random.Trust, Certainty::Random);
  A.Expected.reset();
  A.Executions = 0;
  EXPECT_EQ(totals({A}).Spaces[0].Traffic, 0);
}

// Found where an assumed block was another one: not made by this one.
TEST(AccessTotals, OtherBlocksAreNotAdded) {
  Access A = access(MemorySpace::Global, 4, 3);
  A.Block = {32, 1, 1};
  EXPECT_THAT(totals({A}).Spaces, SizeIs(0));
}
