//===- tests/unit/analyzer/ir/BlockLanesTests.cpp - Guards by block ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Guards that blockIdx decides: every block of a small grid counts, and of a
/// large one it is said what was assumed. Means are counted by hand.
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

TEST(BlockLanes, LargeGridSaysThatTheBlockDecides) {
  const Access A = guarded("threadIdx.x > blockIdx.x",
                           {.Block = {32, 1, 1}, .Grid = {5000, 1, 1}});
  EXPECT_THAT(A.Assumptions, Contains(BlockLanes));
  EXPECT_THAT(A.Assumptions, Not(Contains(DataLanes)));
}

TEST(BlockLanes, ArgumentsAreData) {
  const Access A =
      guarded("blockIdx.x * 256 + threadIdx.x < n", {.Grid = {5000, 1, 1}});
  EXPECT_THAT(A.Assumptions, Contains(DataLanes));
  EXPECT_THAT(A.Assumptions, Not(Contains(BlockLanes)));
}
