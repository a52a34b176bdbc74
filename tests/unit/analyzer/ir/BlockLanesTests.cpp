//===- tests/unit/analyzer/ir/BlockLanesTests.cpp - Guards by block ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Guards that blockIdx decides: every block of a small grid counts; of a large
/// one it is said what was assumed. Means are counted by hand.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace BlockLanesTests {

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

// One lane more for each 100 blocks: too many blocks to look at each.
TEST(BlockLanes, ALargeGridIsAssumed) {
  for (const auto &[Index, Grid] :
       {std::pair("x", Extent{3200, 1, 1}), std::pair("y", Extent{1, 3200, 1}),
        std::pair("z", Extent{1, 1, 3200})}) {
    const Access A =
        guarded(std::string("threadIdx.x <= blockIdx.") + Index + " / 100",
                {.Block = {32, 1, 1}, .Grid = Grid});
    EXPECT_THAT(A.Assumptions, Contains(BlockLanes)) << Index;
    EXPECT_THAT(A.Assumptions, Not(Contains(DataLanes))) << Index;
  }
}

// What is beside a guard in a large grid is known, or not, as without one.
static Evaluated besideAGuard(const std::string &Guard, std::int64_t Blocks) {
  return evaluate("__global__ void k(float *o, float *p) {\n"
                  "  __shared__ float s[4096];\n"
                  "  int t = threadIdx.x;\n  if (" +
                      Guard +
                      ")\n    p[t] = 1; // guarded\n"
                      "  s[(t * (blockIdx.x % 16 == 9 ? 32 : 1)) & 4095] = 1;"
                      " // by block\n"
                      "  if (blockIdx.x == 500)\n"
                      "    o[t * 32] = s[t]; // one block\n"
                      "}\n",
                  {.Block = {32, 1, 1}, .Grid = {Blocks, 1, 1}});
}

TEST(BlockLanes, AGuardInALargeGridChangesNothingBesideIt) {
  const std::string Guard = "t < blockIdx.x / 100";
  for (const std::string &Condition : {std::string("true"), Guard}) {
    const Evaluated E = besideAGuard(Condition, 994);
    EXPECT_EQ(E.sharedStore("// by block").Trust, Certainty::Unknown)
        << Condition;
    EXPECT_TRUE(costs(E.globalStore("// one block"), {32, 4})) << Condition;
  }
  EXPECT_THAT(besideAGuard(Guard, 994).globalStore("// guarded").Assumptions,
              Contains(BlockLanes));
}

// 60 of the 64 blocks store without a conflict, 4 in one bank: (60 + 4 * 32)
// over 64, and that is exact.
TEST(BlockLanes, AllIsKnownBesideAGuardInASmallGrid) {
  const Evaluated E = besideAGuard("t < blockIdx.x / 2", 64);
  const Access A = E.sharedStore("// by block");
  EXPECT_EQ(A.Trust, Certainty::Exact);
  EXPECT_TRUE(costs(A, {(60 + 4 * 32) / 64.0, 1, 32}));
  EXPECT_THAT(E.globalStore("// guarded").Assumptions,
              Not(Contains(BlockLanes)));
}

// Their share is too small for the loop: what is beside the guard keeps what
// one run found out.
TEST(BlockLanes, ALoopBesideAGuardIsAsWithoutOne) {
  const Evaluated E = evaluate(R"(
__global__ void k(float *o, float *p) {
  __shared__ float s[4096];
  float x = 0;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 20; ++j)
      x = x * 0.5f + j;
    s[(threadIdx.x << (i >> 5)) & 4095] = x; // loop
  }
  if (threadIdx.x < blockIdx.x * 3)
    p[threadIdx.x] = s[threadIdx.x];
}
)",
                               {.Block = {32, 1, 1}, .Grid = {64, 1, 1}});
  const Access A = E.sharedStore("// loop");
  EXPECT_EQ(A.Trust, Certainty::Exact);
  // 32 turns each of 1, 2 and 4 ways, and 4 of 8.
  EXPECT_TRUE(costs(A, {(32 + 64 + 128 + 32) / 100.0, 1, 8}));
}

// The middle of the grid is decided at once: nothing is left to sample.
TEST(BlockLanes, BorderOfALargeGrid) {
  const Access A = guarded("blockIdx.x * 32 + threadIdx.x < 4999 * 32 + 8",
                           {.Block = {32, 1, 1}, .Grid = {5000, 1, 1}});
  ASSERT_TRUE(A.Predicted);
  EXPECT_NEAR(A.Predicted->Lanes, 32 - 24.0 / 5000, 1e-9);
  EXPECT_THAT(A.Assumptions, Not(Contains(BlockLanes)));
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

} // namespace BlockLanesTests
