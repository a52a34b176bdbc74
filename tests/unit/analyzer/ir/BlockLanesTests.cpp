//===- tests/unit/analyzer/ir/BlockLanesTests.cpp - Guards by block ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Guards that blockIdx decides: every block of a small grid counts, of a large
/// one some do, and it is said what was assumed. Means are counted by hand.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

using namespace cudalint;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

static Access guarded(const std::string &Condition, const Setting &S) {
  return evaluate("__global__ void k(float *o, int n) {\n  if (" + Condition +
                      ")\n    o[threadIdx.x] = 1;\n}\n",
                  S)
      .globalStore();
}

static const std::string BlockLanes =
    "all lanes take branches that depend on blockIdx";
static const std::string DataLanes =
    "all lanes take branches that depend on data";

TEST(BlockLanes, EveryBlockOfASmallGrid) {
  // 31 lanes in block 0, one less in each: 496 in the 31 blocks that store.
  const Access A = guarded("threadIdx.x > blockIdx.x",
                           {.Block = {32, 1, 1}, .Grid = {32, 1, 1}});
  ASSERT_TRUE(A.Predicted);
  EXPECT_NEAR(A.Predicted->Lanes, 16, 1e-9);
  EXPECT_THAT(A.Assumptions, ElementsAre("'o' is 256-byte aligned"));
}

TEST(BlockLanes, WarpsOfEveryBlock) {
  // 16, 32 ... 112 threads in blocks 1 to 7: 448 lanes in 16 requests.
  const Access A = guarded("threadIdx.x < blockIdx.x * 16",
                           {.Block = {128, 1, 1}, .Grid = {8, 1, 1}});
  ASSERT_TRUE(A.Predicted);
  EXPECT_NEAR(A.Predicted->Lanes, 28, 1e-9);
  EXPECT_THAT(A.Assumptions, ElementsAre("'o' is 256-byte aligned"));
}

TEST(BlockLanes, EveryBlockOfASmallGridOfThreeDimensions) {
  // 1 to 8 lanes along y, and the same for each of the 4 others.
  const Access A = guarded("threadIdx.x <= blockIdx.y",
                           {.Block = {32, 1, 1}, .Grid = {2, 8, 2}});
  ASSERT_TRUE(A.Predicted);
  EXPECT_NEAR(A.Predicted->Lanes, 4.5, 1e-9);
  EXPECT_THAT(A.Assumptions, ElementsAre("'o' is 256-byte aligned"));
}

TEST(BlockLanes, AlongZ) {
  // Only block 0 and 1 of 16 take part, with 32 and 16 lanes.
  const Access A = guarded("threadIdx.x + 16 * blockIdx.z < 32",
                           {.Block = {32, 1, 1}, .Grid = {1, 1, 16}});
  ASSERT_TRUE(A.Predicted);
  EXPECT_NEAR(A.Predicted->Lanes, 24, 1e-9);
}

static const std::string Sampled = "a few blocks of the grid stand for all";

TEST(BlockLanes, SomeBlocksOfALargeGrid) {
  // One lane more for each 100 blocks, up to all 32: 16.5 in the mean.
  for (const auto &[Index, Grid] :
       {std::pair("x", Extent{3200, 1, 1}), std::pair("y", Extent{1, 3200, 1}),
        std::pair("z", Extent{1, 1, 3200})}) {
    const Access A =
        guarded(std::string("threadIdx.x <= blockIdx.") + Index + " / 100",
                {.Block = {32, 1, 1}, .Grid = Grid});
    ASSERT_TRUE(A.Predicted) << Index;
    EXPECT_NEAR(A.Predicted->Lanes, 16.5, 0.3) << Index;
    EXPECT_THAT(A.Assumptions, Contains(Sampled));
    EXPECT_THAT(A.Assumptions, Not(Contains(BlockLanes)));
    EXPECT_THAT(A.Assumptions, Not(Contains(DataLanes)));
  }
}

TEST(BlockLanes, TheEndsOfALargeGridCountForThemselvesAlone) {
  // Block 0 has one lane, the other 4,999 all: the ends are no sample.
  const Access A = guarded("threadIdx.x == 0 || blockIdx.y > 0",
                           {.Block = {32, 1, 1}, .Grid = {1, 5000, 1}});
  ASSERT_TRUE(A.Predicted);
  EXPECT_NEAR(A.Predicted->Lanes, 32 - 31.0 / 5000, 1e-9);
}

// The middle of the grid is decided at once: nothing is left to sample.
TEST(BlockLanes, BorderOfALargeGrid) {
  const Access A = guarded("blockIdx.x * 32 + threadIdx.x < 4999 * 32 + 8",
                           {.Block = {32, 1, 1}, .Grid = {5000, 1, 1}});
  ASSERT_TRUE(A.Predicted);
  EXPECT_NEAR(A.Predicted->Lanes, 32 - 24.0 / 5000, 1e-9);
  EXPECT_THAT(A.Assumptions, Not(Contains(Sampled)));
}

TEST(BlockLanes, AGridThatIsNotKnown) {
  const Access A =
      guarded("threadIdx.x > blockIdx.x", {.Block = {32, 1, 1}, .Grid = {}});
  EXPECT_THAT(A.Assumptions, Contains(BlockLanes));
  EXPECT_THAT(A.Assumptions, Not(Contains(DataLanes)));
}

TEST(BlockLanes, ArgumentsAreData) {
  const Access A =
      guarded("blockIdx.x * 256 + threadIdx.x < n", {.Grid = {5000, 1, 1}});
  EXPECT_THAT(A.Assumptions, Contains(DataLanes));
  EXPECT_THAT(A.Assumptions, Not(Contains(BlockLanes)));
}
