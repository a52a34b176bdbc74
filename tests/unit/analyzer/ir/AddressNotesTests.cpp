//===- tests/unit/analyzer/ir/AddressNotesTests.cpp - Beside costs --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How far the next block is, counted by hand.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

namespace AddressNotesTests {

using namespace cudalint;

static std::int64_t stepOf(const std::string &Index, const Setting &S = {}) {
  return evaluate("__global__ void k(float *o, const float *p, int n) {\n"
                  "  int t = threadIdx.x, w = t / 32, lane = t % 32;\n"
                  "  o[t + lane + w + n] = p[" +
                      Index + "]; // it\n}\n",
                  S)
      .globalLoad("// it")
      .BlockStep;
}

TEST(BlockStep, IsInBytes) {
  EXPECT_EQ(stepOf("t * 64 + blockIdx.x"), 4);
  EXPECT_EQ(stepOf("t * n + blockIdx.x"), 4);
  EXPECT_EQ(stepOf("lane * n + blockIdx.x * 4 + w"), 16);
  EXPECT_EQ(stepOf("blockIdx.x * blockDim.x + t"), 1024);
  EXPECT_EQ(stepOf("t * 64 + blockIdx.x", {.Grid = {100, 1, 1}}), 4);
}

// Along y blocks are neighbours, along x far from each other.
TEST(BlockStep, IsTheLeast) {
  EXPECT_EQ(stepOf("t * 64 + blockIdx.x * 4096 + blockIdx.y"), 4);
  EXPECT_EQ(stepOf("t * 64 + blockIdx.x * n + blockIdx.z * 2"), 8);
}

TEST(BlockStep, IsNone) {
  EXPECT_EQ(stepOf("t"), 0);
  EXPECT_EQ(stepOf("t + blockIdx.x * n"), 0);
  // What is computed from it may be anything.
  EXPECT_EQ(stepOf("t + blockIdx.x / 3"), 0);
  EXPECT_EQ(stepOf("t + (blockIdx.x ^ n)"), 0);
  // It goes down, or lanes go apart.
  EXPECT_EQ(stepOf("t + n - blockIdx.x"), 0);
  EXPECT_EQ(stepOf("t * blockIdx.x"), 0);
  // Other memory is not what sectors are of.
  EXPECT_EQ(evaluate("__global__ void k(float *o) {\n"
                     "  __shared__ float s[4096];\n"
                     "  s[threadIdx.x + blockIdx.x] = 1; // it\n"
                     "  __syncthreads(); o[threadIdx.x] = s[threadIdx.x];\n}\n")
                .sharedStore("// it")
                .BlockStep,
            0);
}

} // namespace AddressNotesTests
