//===- tests/unit/analyzer/ir/FractionTests.cpp - Indices through float ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Indices that are floats for a while. The reference is this machine's
/// arithmetic, which rounds as a GPU's does.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

namespace FractionTests {

using namespace cudalint;
using testing::Contains;
using testing::HasSubstr;

static Evaluated store(const std::string &Index, const Setting &S) {
  return evaluate("#define floorf __builtin_floorf\n"
                  "#define ceilf __builtin_ceilf\n"
                  "#define rintf __builtin_rintf\n"
                  "#define truncf __builtin_truncf\n"
                  "extern \"C\" __device__ int __nv_float2int_rd(float);\n"
                  "extern \"C\" __device__ int __nv_float2int_rn(float);\n"
                  "extern \"C\" __device__ float __nv_int2float_rn(int);\n"
                  "__global__ void k(char *o, float x) {\n"
                  "  int t = threadIdx.x, i = t + blockIdx.x * blockDim.x;\n"
                  "  o[" +
                      Index + "] = 1;\n}\n",
                  S);
}

/// Expects that lanes 0 to 31 store where `Index` says.
static void expectOffsets(const std::string &Text,
                          const std::function<std::int64_t(int)> &Index) {
  SCOPED_TRACE(Text);
  const Access A = store(Text, {.Block = {32, 1, 1}}).globalStore();
  ASSERT_FALSE(A.Samples.empty()) << A.WhyUnknown;
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(A.Samples[0].Offset[L] - A.Samples[0].Offset[0],
              Index(L) - Index(0))
        << "lane " << L;
}

static void expectUnknown(const std::string &Text) {
  SCOPED_TRACE(Text);
  EXPECT_EQ(store(Text, {.Block = {32, 1, 1}}).globalStore().Trust,
            Certainty::Unknown);
}

TEST(Fractions, OfThreadIndices) {
  expectOffsets("(int)((float)t * 0.5f)", [](int T) { return T / 2; });
  expectOffsets("(int)(t / 2.0f)", [](int T) { return T / 2; });
  expectOffsets("(int)(t / 4.0)", [](int T) { return T / 4; });
  expectOffsets("(int)(t * 1.5f + 0.75f)",
                [](int T) { return int(float(T) * 1.5f + 0.75f); });
  expectOffsets("(int)(t - 15.5f)", [](int T) { return int(T - 15.5); });
  expectOffsets("(int)floorf(t * -0.25f)",
                [](int T) { return int(std::floor(T * -0.25)); });
  expectOffsets("(int)ceilf(t * 0.125f) * 9",
                [](int T) { return int(std::ceil(T * 0.125)) * 9; });
  expectOffsets("(int)rintf(t * 0.5f)",
                [](int T) { return int(std::rint(T * 0.5)); });
  expectOffsets("(int)truncf(-0.5f * t)", [](int T) { return -(T / 2); });
  expectOffsets("(unsigned)((t + 7) * 3.0f)",
                [](int T) { return (T + 7) * 3; });
  expectOffsets("(int)__builtin_fabsf(t - 15.5f)",
                [](int T) { return int(std::abs(T - 15.5)); });
  expectOffsets("__nv_float2int_rd(t * -0.5f)",
                [](int T) { return int(std::floor(T * -0.5)); });
  expectOffsets("__nv_float2int_rn(__nv_int2float_rn(t) * 0.5f)",
                [](int T) { return int(std::rint(T * 0.5)); });
  expectOffsets("(t * 0.5f > 3.0f ? t : 0)",
                [](int T) { return T > 6 ? T : 0; });
  expectOffsets("(long long)((double)(t * 1000003) * 0.5)",
                [](int T) { return std::int64_t(T * 1000003) / 2; });
}

// Correctly rounded, the quotient of small integers is never rounded up to an
// integer.
TEST(Fractions, QuotientsThatRound) {
  for (int By : {3, 5, 7, 10, 33, 1000})
    expectOffsets("(int)(t * 41 / " + std::to_string(By) + ".0f)",
                  [=](int T) { return int(float(T * 41) / float(By)); });
  expectOffsets("(int)floorf(-(t / 3.0f))",
                [](int T) { return int(std::floor(-(float(T) / 3.0f))); });
}

// Rounded products, sums of rounded quotients, and what does not fit.
TEST(Fractions, WhatRoundsIsNotFollowed) {
  expectUnknown("(int)(t * 0.1f)");
  expectUnknown("(int)(t / 3.0f + 0.5f)");
  expectUnknown("(int)(t / 3.0f * 3.0f)");
  expectUnknown("(int)rintf(t / 3.0f) & 0xffff");
  expectUnknown("(int)((float)(t * 16777217) * 0.5f)");
  expectUnknown("(int)(t * x)");
  // 1e10 has ten powers of two, and the quotient has none.
  expectUnknown("(int)((t + 9765625.0f) * 1024.0f / 33.0f) & 0xffff");
  expectUnknown("(int)(t * 4294967296.0f)");
  expectUnknown("(unsigned)(t - 3.5f)");
}

// What all blocks do: half the bytes, from any of their starts.
TEST(Fractions, OfBlockIndices) {
  for (const char *Text : {"(int)(i * 0.5f) * 4", "(int)(i / 2.0f) * 4",
                           "(int)floorf(i * 0.5f) * 4"}) {
    SCOPED_TRACE(Text);
    const Access A = store(Text, {}).globalStore();
    EXPECT_TRUE(costs(A, {2, 1})) << toString(A);
    EXPECT_THAT(A.Assumptions, Contains(HasSubstr("without rounding")));
  }
  EXPECT_THAT(store("(int)(i * 0.5f) * 4", {.Grid = {64, 1, 1}})
                  .globalStore()
                  .Assumptions,
              testing::Not(Contains(HasSubstr("without rounding"))))
      << "16,384 threads fit";
}

} // namespace FractionTests
