//===- tests/unit/analyzer/ir/FrequenciesTests.cpp - Loops left open ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is known of how often an access is made in loops of which only the run
/// knows how often they turn. Expected values are what a warp makes of it in
/// one turn of these, counted by hand; the block has 8 warps.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace FrequenciesTests {

using namespace cudalint;
using testing::DoubleEq;
using testing::DoubleNear;
using testing::SizeIs;

/// The stores to shared memory of a kernel with that body, in their order.
static std::vector<Access> stores(const std::string &Body) {
  const Evaluated E =
      evaluate("__global__ void k(float *G, const int *a, int n, int m) {\n"
               "  __shared__ float s[2048];\n"
               "  int t = threadIdx.x;\n" +
                   Body + "\n__syncthreads();\nG[t] = s[2047 - t];\n}\n",
               {.Expected = true});
  std::vector<Access> Found = E.all(MemorySpace::Shared, AccessOp::Store, "//");
  std::ranges::sort(Found, {}, [](const Access &A) { return A.Where.Line; });
  return Found;
}

// Of a sweep by halves in a loop without a known bound: the steps of 128, 64
// and 32 threads or fewer are made by 4, 2 and 1 of 8 warps, 6 times by one.
TEST(Frequencies, WarpsThatSkipItAreInTheMean) {
  const auto All = stores("for (int b = 0; b < n; ++b)\n"
                          "  for (int d = 128; d > 0; d >>= 1)\n"
                          "    if (t < d)\n"
                          "      s[t] += 1; //\n");
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_FALSE(All[0].Executions);
  ASSERT_THAT(All[0].Frequencies, SizeIs(1));
  EXPECT_THAT(All[0].Frequencies[0].Times, DoubleEq((4 + 2 + 6) / 8.0));
  EXPECT_THAT(All[0].Frequencies[0].Loops, SizeIs(1));
  EXPECT_THAT(All[0].Frequencies[0].CutLoops, SizeIs(0));
}

TEST(Frequencies, LoopsOfOneLengthHaveOneNumber) {
  const auto All = stores("for (int i = 0; i < n; ++i)\n"
                          "  s[t + i] = 1; //\n"
                          "for (int i = 0; i < n; ++i)\n"
                          "  s[t + 2 * i] = 1; //\n"
                          "for (int i = 0; i < m; ++i)\n"
                          "  s[t + 3 * i] = 1; //\n");
  ASSERT_THAT(All, SizeIs(3));
  for (const Access &A : All) {
    ASSERT_THAT(A.Frequencies, SizeIs(1));
    EXPECT_THAT(A.Frequencies[0].Times, DoubleEq(1));
    ASSERT_THAT(A.Frequencies[0].Loops, SizeIs(1));
  }
  EXPECT_EQ(All[0].Frequencies[0].Loops, All[1].Frequencies[0].Loops);
  EXPECT_NE(All[0].Frequencies[0].Loops, All[2].Frequencies[0].Loops);
}

// That a bound is met does not decide how often the loop around it turns.
TEST(Frequencies, AKnownLoopIsCountedInAnOpenOne) {
  const auto All = stores("for (int i = 0; i < n; ++i)\n"
                          "  for (int j = 0; j < 4; ++j)\n"
                          "    if (a[i] > j)\n"
                          "      s[t + 256 * j] = i; //\n");
  ASSERT_THAT(All, SizeIs(1));
  ASSERT_THAT(All[0].Frequencies, SizeIs(1));
  EXPECT_THAT(All[0].Frequencies[0].Times, DoubleEq(4));
  EXPECT_THAT(All[0].Frequencies[0].Loops, SizeIs(1));
}

// Behind a loop of which not all turns are looked at, as what is left of the
// work that one warp may make is spent on it: the source tells 8 and 2.
TEST(Frequencies, BehindALongLoopTheSourceTellsTheTurns) {
  const auto All =
      stores("float sums[8][8] = {};\n"
             "int k = 0;\n"
             "do {\n"
             "  k += 8;\n"
             "  for (int j = 0; j < 64; ++j)\n"
             "    for (int x = 0; x < 64; ++x)\n"
             "      for (int y = 0; y < 64; ++y)\n"
             "        sums[x % 8][y % 8] += G[k * j + x * y + t];\n"
             "} while (k < n);\n"
             "for (int i = 0; i < 8; ++i)\n"
             "  for (int j = 0; j < 2; ++j)\n"
             "    s[t * 4 + i + j] = sums[i][j]; //\n");
  ASSERT_THAT(All, SizeIs(1));
  ASSERT_THAT(All[0].Frequencies, SizeIs(1));
  EXPECT_THAT(All[0].Frequencies[0].Times, DoubleEq(16));
  EXPECT_THAT(All[0].Frequencies[0].Loops, SizeIs(0));
}

// Only the grid tells how many others there are.
TEST(Frequencies, OneValueOfBlockIdxIsOfFewBlocks) {
  const auto All = stores("if (blockIdx.y == 0)\n"
                          "  s[t] = 1; //\n"
                          "if (blockIdx.y * blockDim.y + threadIdx.y != 0)\n"
                          "  s[t + 256] = 1; //\n"
                          "else if (t < n)\n"
                          "  s[t + 512] = 1; //\n"
                          "if (blockIdx.x * 256 + t < n)\n"
                          "  s[t + 768] = 1; //\n");
  std::vector<bool> Its;
  for (const Access &A : All)
    Its.push_back(A.IsOfFewBlocks);
  EXPECT_THAT(Its, testing::ElementsAre(true, false, true, false));
}

// Nothing is known of n and m. That loops turn is taken for granted, and a
// condition that the number of a warp meets is known.
TEST(Frequencies, WhatAConditionDecidesHasItsNumber) {
  const auto All = stores("if (t / 32 < n)\n"
                          "  s[t] = 1; //\n"
                          "for (int i = 0; i < n; ++i) {\n"
                          "  s[t + i] = 1; //\n"
                          "  if (t / 32 < m) {\n"
                          "    s[t + 2 * i] = 1; //\n"
                          "    s[t + 3 * i] = 1; //\n"
                          "  } else\n"
                          "    s[t + 4 * i] = 1; //\n"
                          "  if (t / 32 < 2)\n"
                          "    s[t + 5 * i] = 1; //\n"
                          "}\n");
  ASSERT_THAT(All, SizeIs(6));
  std::vector<unsigned> Its;
  for (const Access &A : All)
    Its.push_back(A.Undecided);
  EXPECT_NE(Its[0], 0u);
  EXPECT_EQ(Its[1], 0u);
  EXPECT_NE(Its[2], 0u);
  EXPECT_NE(Its[2], Its[0]);
  EXPECT_EQ(Its[3], Its[2]);
  EXPECT_NE(Its[4], 0u);
  EXPECT_NE(Its[4], Its[2]); // the other side
  EXPECT_EQ(Its[5], 0u);
}

// Of a million turns, which are too many to look at, one of 8 warps makes the
// second store in each, all warps the third in one of four.
TEST(Frequencies, WarpsAndTurnsThatSkipItInALongLoopAreInTheMean) {
  const auto All = stores("for (int i = 0; i < 1000; ++i)\n"
                          "  for (int j = 0; j < 1000; ++j) {\n"
                          "    s[t + (i ^ j)] = a[i]; //\n"
                          "    if (t < 32)\n"
                          "      s[t * 32 + (i ^ j)] = a[j]; //\n"
                          "    if (j % 4 == 0)\n"
                          "      s[t * 8 + (i ^ j)] = a[i + j]; //\n"
                          "  }\n");
  ASSERT_THAT(All, SizeIs(3));
  const double Expected[] = {1e6, 1e6 / 8, 1e6 / 4};
  for (std::size_t I = 0; I != 3; ++I) {
    EXPECT_FALSE(All[I].Executions);
    ASSERT_THAT(All[I].Frequencies, SizeIs(1));
    EXPECT_THAT(All[I].Frequencies[0].Times,
                DoubleNear(Expected[I], 0.05 * Expected[I]));
    EXPECT_THAT(All[I].Frequencies[0].CutLoops, SizeIs(0));
  }
}

// There is no other access in the loop to compare it with.
TEST(Frequencies, WarpsThatSkipALongLoopAreInTheMean) {
  const auto All = stores("if (t < 64)\n"
                          "  for (int i = 0; i < 1000; ++i)\n"
                          "    for (int j = 0; j < 1000; ++j)\n"
                          "      s[t + (i ^ j)] = i; //\n");
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_FALSE(All[0].Executions);
  ASSERT_THAT(All[0].Frequencies, SizeIs(1));
  EXPECT_THAT(All[0].Frequencies[0].Times, DoubleEq(1e6 * 2 / 8));
}

} // namespace FrequenciesTests
