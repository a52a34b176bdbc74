//===- tests/unit/analyzer/ir/OperationsTests.cpp - Floating point --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Floating-point operations of a warp: those of each of its 32 lanes, worked
/// out by hand from the source.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

namespace OperationsTests {

using namespace cudalint;

static KernelEvaluation kernel(const std::string &Text,
                               const Setting &How = {}) {
  return evaluate("__global__ void k(float *o, const float *a, double *d,\n"
                  "                  const int *p, int n) {\n"
                  "  int t = threadIdx.x;\n" +
                      Text + "\n}\n",
                  How)
      .Kernel;
}

static OperationCount operations(const std::string &Text,
                                 const Setting &How = {}) {
  const KernelEvaluation K = kernel(Text, How);
  EXPECT_TRUE(K.Operations) << K.WhyNotCounted;
  return K.Operations.value_or(OperationCount());
}

// A multiply-add is two, fused or not.
TEST(Operations, OneStatement) {
  EXPECT_EQ(operations("o[t] = a[t] * 2.5f + o[t];").Float, 64);
  EXPECT_EQ(operations("o[t] = __builtin_fmaf(a[t], 2.5f, o[t]);").Float, 64);
  EXPECT_EQ(operations("o[t] = a[t] / o[t];").Float, 32);
  const OperationCount Double = operations("d[t] = d[t] - 1;");
  EXPECT_EQ(Double.Double, 32);
  EXPECT_EQ(Double.Float, 0);
}

// What the intrinsics of halves are in the toolkit's headers.
TEST(Operations, OfInlinePtx) {
  auto Of = [](const std::string &Ptx) {
    return operations("unsigned r = t, x = n;\n"
                      "asm volatile (\"" +
                      Ptx +
                      "\" : \"+r\"(r) : \"r\"(x)); ((unsigned *)o)[t] = r;");
  };
  EXPECT_EQ(Of("{fma.rn.f16x2 %0,%1,%1,%1;\\n}").Half, 128);
  EXPECT_EQ(Of("{ add.f16x2 %0,%1,%1; mul.bf16x2 %0,%0,%1; }").Half, 128);
  EXPECT_EQ(Of("fma.rn.f32 %0, %1, %1, %1;").Float, 64);
  EXPECT_EQ(Of("add.s32 %0, %1, %1;").all(), 0);
  EXPECT_EQ(Of("mov.b32 %0, %1;").all(), 0);
}

TEST(Operations, WhatIsNone) {
  EXPECT_EQ(operations("o[t] = -a[t];").all(), 0);
  EXPECT_EQ(operations("o[t] = p[t] * 3 + t;").all(), 0);
}

// 100 turns of two; 10000 turns, of which most are told from the first.
TEST(Operations, Loops) {
  const std::string Sum = "float s = 0;\n"
                          "#pragma unroll 1\n"
                          "for (int i = 0; i < TURNS; ++i)\n"
                          "  s += a[i * 32 + t] * o[i];\n"
                          "o[t] = s;";
  for (auto [Turns, Count] : {std::pair("100", 6400), {"10000", 640000}}) {
    std::string Text = Sum;
    Text.replace(Text.find("TURNS"), 5, Turns);
    EXPECT_EQ(operations(Text).Float, Count) << Turns;
  }
}

// Half of the lanes; one of eight warps.
TEST(Operations, SomeLanesAndWarps) {
  EXPECT_EQ(operations("if (t % 32 < 16) o[t] = a[t] + 1;").Float, 16);
  EXPECT_EQ(operations("if (t < 32) o[t] = a[t] + 1;").Float, 4);
}

// The grid decides: one of four blocks.
TEST(Operations, OneBlockOfFour) {
  Setting Four;
  Four.Grid = {4, 1, 1};
  EXPECT_EQ(operations("if (blockIdx.x == 0) o[t] = a[t] + 1;", Four).Float, 8);
}

TEST(Operations, WhatIsNotKnownSaysWhy) {
  for (const char *Text :
       {"for (int i = 0; i < n; ++i) o[t + i] = a[t] + i;",
        "if (p[0] > n) o[t] = a[t] + 1;",
        "for (int i = 0; i < p[t]; ++i) o[t + i] = a[t] + i;"}) {
    const KernelEvaluation K = kernel(Text);
    EXPECT_FALSE(K.Operations) << Text;
    EXPECT_NE(K.WhyNotCounted, "") << Text;
  }
}

} // namespace OperationsTests
