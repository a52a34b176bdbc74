//===- tests/unit/analyzer/pipeline/AccessTotalsTests.cpp - Sums ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/AccessTotals.h"

#include <gmock/gmock.h>

namespace AccessTotalsTests {

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

//===----------------------------------------------------------------------===//
// Bytes of a block
//===----------------------------------------------------------------------===//

/// 16 loads and one store or atomic by each of 8 warps of 32 lanes, 4 bytes
/// each; \p Loads is what is known of the different ones.
static BlockFootprint footprint(DistinctBytes Loads,
                                std::optional<double> Executions = 16) {
  KernelEvaluation Kernel;
  Kernel.Accesses = {access(MemorySpace::Global, 4, 16),
                     access(MemorySpace::Global, 4, 1),
                     access(MemorySpace::Shared, 1, 100)};
  Kernel.Accesses[0].Executions = Executions;
  Kernel.Accesses[0].WhyNotCounted = Executions ? "" : "a loop";
  Kernel.Accesses[1].Op = AccessOp::Atomic;
  Kernel.Footprint = {
      .Loads = std::move(Loads),
      .Stores = {.Bytes = 1024, .Sectors = 32},
      .Arrays = {{.Name = "a", .Bytes = 2048, .Sectors = 64},
                 {.Name = "o", .Op = AccessOp::Store, .Bytes = 1024}}};
  return *totalsOf(Kernel, {.Block = {256, 1, 1}}, *parseTarget("sm_90"))
              .Footprint;
}

TEST(AccessTotals, BytesOfABlock) {
  const BlockFootprint F = footprint({.Bytes = 2048, .Sectors = 64});
  EXPECT_EQ(F.Loads.Requested, 16 * 8 * 128);
  EXPECT_EQ(F.Loads.Bytes, 2048);
  EXPECT_EQ(F.Loads.WhyNotKnown, "");
  EXPECT_EQ(F.Stores.Requested, 8 * 128);
  EXPECT_EQ(F.Stores.Bytes, 1024);
  EXPECT_THAT(F.Arrays, SizeIs(2));
}

// One figure does not need the other.
TEST(AccessTotals, BytesOfABlockThatAreNotKnown) {
  BlockFootprint F = footprint({.Bytes = 2048, .Sectors = 64}, std::nullopt);
  EXPECT_EQ(F.Loads.Requested, std::nullopt);
  EXPECT_EQ(F.Loads.Bytes, 2048);
  EXPECT_EQ(F.Loads.WhyNotKnown, "line 7: a loop");
  F = footprint({.WhyNotKnown = "line 3: data"});
  EXPECT_EQ(F.Loads.Requested, 16 * 8 * 128);
  EXPECT_EQ(F.Loads.WhyNotKnown, "line 3: data");
  EXPECT_EQ(F.Stores.Bytes, 1024);
}

// No byte is loaded that nobody asks for: the two do not count the same.
TEST(AccessTotals, MoreBytesThanAreAskedFor) {
  const BlockFootprint F = footprint({.Bytes = 20'000, .Sectors = 640});
  EXPECT_EQ(F.Loads.Requested, 16 * 8 * 128);
  EXPECT_EQ(F.Loads.Bytes, std::nullopt);
  EXPECT_EQ(F.Loads.Sectors, std::nullopt);
  EXPECT_THAT(F.Loads.WhyNotKnown, HasSubstr("asks for less"));
  ASSERT_THAT(F.Arrays, SizeIs(1));
  EXPECT_EQ(F.Arrays[0].Name, "o");
}

// What calls access, nobody knows.
TEST(AccessTotals, CodeThatIsNotSeen) {
  const Target Gpu = parseTarget("h200").value();
  WarpTotals T;
  leaveOutUnseen(T, Gpu);
  EXPECT_FALSE(T.Footprint);
  T.Spaces = {{.Requests = 1, .Traffic = 4, .Ideal = 4, .Bytes = 128}};
  T.Operations = OperationCount();
  T.Footprint = footprint({.Bytes = 2048, .Sectors = 64});
  leaveOutUnseen(T, Gpu);
  EXPECT_FALSE(T.Operations);
  EXPECT_THAT(T.WhyNotCounted, HasSubstr("not looked at"));
  EXPECT_FALSE(T.Spaces[0].Requests || T.Spaces[0].Traffic ||
               T.Spaces[0].Ideal || T.Spaces[0].Bytes);
  EXPECT_THAT(T.Spaces[0].WhyNotKnown, HasSubstr("not looked at"));
  EXPECT_THAT(T.Bounds, SizeIs(0));
  EXPECT_EQ(T.Footprint->Loads.Requested, 16 * 8 * 128);
  EXPECT_EQ(T.Footprint->Loads.Bytes, std::nullopt);
  EXPECT_EQ(T.Footprint->Stores.Sectors, std::nullopt);
  EXPECT_THAT(T.Footprint->Stores.WhyNotKnown, HasSubstr("not looked at"));
  EXPECT_THAT(T.Footprint->Arrays, SizeIs(0));
}

} // namespace AccessTotalsTests
