//===- tests/unit/analyzer/ir/BlockTurnsTests.cpp - Turns by block --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops that some blocks run more often than others, and code that not all
/// blocks come to: each turn counts as often as there are blocks that run it.
/// Expected means add up the blocks one by one. A float that lanes are d apart
/// costs 4 * d sectors, 32 at most.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

#include <functional>

namespace BlockTurnsTests {

using namespace cudalint;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

static Access store(const std::string &Body, const Setting &S) {
  return evaluate("__global__ void k(float *G, int n) {\n"
                  "  int t = threadIdx.x;\n  " +
                      Body + "\n}\n",
                  S)
      .globalStore();
}

static double apart(std::int64_t Distance) {
  return static_cast<double>(Distance ? std::min<std::int64_t>(4 * Distance, 32)
                                      : 1);
}

/// Mean of `Cost` over the turns from `First` of each of `Blocks`, of which
/// block b runs `Turns(b)`.
static double
mean(std::int64_t Blocks,
     const std::function<std::int64_t(std::int64_t)> &Turns,
     const std::function<double(std::int64_t, std::int64_t)> &Cost) {
  double Sum = 0, Count = 0;
  for (std::int64_t B = 0; B < Blocks; ++B)
    for (std::int64_t J = 0; J < Turns(B); ++J) {
      Sum += Cost(B, J);
      ++Count;
    }
  return Sum / Count;
}

static const std::string Triangle =
    "for (int j = 0; j <= blockIdx.x; ++j) G[t * (j + 1)] = 1;";
static double triangle(std::int64_t Blocks) {
  return mean(
      Blocks, [](auto B) { return B + 1; },
      [](auto, auto J) { return apart(J + 1); });
}

TEST(BlockTurns, SmallGrid) {
  // 8 turns of 4 sectors, 7 of 8 ... 1 of 32: 480 / 36.
  ASSERT_NEAR(triangle(8), 480 / 36.0, 1e-9);
  for (std::int64_t Blocks : {2, 8, 50}) {
    const Access A = store(Triangle, {.Grid = {Blocks, 1, 1}});
    ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
    EXPECT_NEAR(A.Predicted->PerRequest, triangle(Blocks), 1e-9) << Blocks;
    EXPECT_THAT(A.Assumptions, ElementsAre("'G' is 256-byte aligned"));
  }
}

TEST(BlockTurns, LargeGrid) {
  for (std::int64_t Blocks : {100, 1000, 4096}) {
    const Access A =
        store(Triangle, {.Block = {64, 1, 1}, .Grid = {Blocks, 1, 1}});
    ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
    EXPECT_NEAR(A.Predicted->PerRequest, triangle(Blocks),
                0.02 * triangle(Blocks))
        << Blocks;
    EXPECT_THAT(A.Assumptions, Contains(HasSubstr("blocks from all over")));
    EXPECT_THAT(A.Assumptions, Not(Contains(HasSubstr("equally"))));
  }
}

TEST(BlockTurns, UnknownGrid) {
  const Access A = store(Triangle, {});
  EXPECT_EQ(A.Trust, Certainty::Unknown) << toString(A);
  EXPECT_THAT(A.WhyUnknown, HasSubstr("blocks"));
}

// However often it turns, each turn costs the same.
TEST(BlockTurns, WhatCostsTheSameInEachTurnNeedsNoGrid) {
  const Access A = store(
      "for (int j = 0; j <= blockIdx.x; ++j) G[t * 2 + 256 * j] = 1;", {});
  EXPECT_TRUE(costs(A, {8, 4}));
}

TEST(BlockTurns, AlongY) {
  const Access A =
      store("for (int j = 0; j < blockIdx.y; ++j) G[t * blockIdx.y] = 1;",
            {.Grid = {3, 6, 1}});
  ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
  EXPECT_NEAR(
      A.Predicted->PerRequest,
      mean(
          6, [](auto B) { return B; }, [](auto B, auto) { return apart(B); }),
      1e-9);
}

TEST(BlockTurns, FromTheBlockOn) {
  const Access A = store("for (int j = blockIdx.z; j < 12; ++j) G[t * j] = 1;",
                         {.Grid = {1, 2, 12}});
  ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
  EXPECT_NEAR(A.Predicted->PerRequest,
              mean(
                  12, [](auto B) { return 12 - B; },
                  [](auto B, auto J) { return apart(B + J); }),
              1e-9);
}

// Blocks 4 to 7 store; the others would be cheaper.
TEST(BlockTurns, NotAllBlocksComeThere) {
  const Access A =
      store("if (blockIdx.y > 3) G[t * blockIdx.y] = 1;", {.Grid = {5, 8, 1}});
  ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
  EXPECT_NEAR(A.Predicted->PerRequest,
              (apart(4) + apart(5) + apart(6) + apart(7)) / 4, 1e-9);
  EXPECT_THAT(A.Assumptions, ElementsAre("'G' is 256-byte aligned"));
}

// A bound that the run decides leaves nothing to count.
TEST(BlockTurns, ABoundThatIsAParameter) {
  const Access A =
      store("for (int j = blockIdx.x; j < n; ++j) G[t + 33 * j] = 1;", {});
  ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
}

} // namespace BlockTurnsTests
