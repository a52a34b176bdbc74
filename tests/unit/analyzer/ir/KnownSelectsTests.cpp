//===- tests/unit/analyzer/ir/KnownSelectsTests.cpp - Same condition -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An index that is computed under a condition and used under it, or under
/// another one.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

namespace KnownSelectsTests {

using namespace cudalint;

static Evaluated statement(const std::string &Text) {
  return evaluate("__global__ void k(float *o, const int *p, int n, int m) {\n"
                  "  __shared__ float s[2048];\n"
                  "  int t = threadIdx.x;\n"
                  "  int x = t + blockIdx.x * blockDim.x;\n" +
                  Text + "\n}\n");
}

// The barrier keeps the two branches apart. 32 neighbours: 4 sectors.
TEST(KnownSelects, TheSameConditionBehindABarrier) {
  const Access A = statement("int i; bool active = x < n;\n"
                             "if (active) i = x;\n"
                             "__syncthreads();\n"
                             "if (active) o[i] = 1;")
                       .globalStore();
  EXPECT_TRUE(costs(A, {4, 4}));
}

TEST(KnownSelects, AnAccessUnderTheConditionKeepsTheBranch) {
  const Evaluated E = statement("int i = 0; bool active = x < n;\n"
                                "if (active) { s[t] = 1; i = x; }\n"
                                "__syncthreads();\n"
                                "if (active) o[i] = s[t ^ 1];");
  EXPECT_TRUE(costs(E.globalStore(), {4, 4}));
}

TEST(KnownSelects, TheOtherSide) {
  const Access A = statement("int i = n > 7 ? 32 * t : t;\n"
                             "__syncthreads();\n"
                             "if (!(n > 7)) s[i] = 1;")
                       .sharedStore();
  EXPECT_TRUE(costs(A, {1, 1}));
}

// Either index, for all lanes alike: not one of the two.
TEST(KnownSelects, AnotherConditionSaysNothing) {
  const Access A = statement("int i = n > 7 ? 32 * t : t;\n"
                             "__syncthreads();\n"
                             "if (m > 7) s[i] = 1;")
                       .sharedStore();
  EXPECT_NE(A.Trust, Certainty::Exact);
  if (A.Predicted) {
    EXPECT_NE(A.Predicted->PerRequest, 32);
    EXPECT_NE(A.Predicted->PerRequest, 1);
  }
}

// In an odd turn the index is that of the even turn before: neighbours.
TEST(KnownSelects, WhatComesFromTheTurnBeforeHadItsCondition) {
  const Access A = statement("int i = t;\n"
                             "for (int k = 0; k < 4; ++k) {\n"
                             "  if (k & 1) s[i] = 1;\n"
                             "  i = (k & 1) ? 32 * t : t;\n"
                             "  __syncthreads();\n"
                             "}")
                       .sharedStore();
  EXPECT_TRUE(costs(A, {1, 1}));
}

// The same with a bound that only the run knows.
TEST(KnownSelects, WhatComesFromTheTurnBeforeOfAnyNumber) {
  const Access A = statement("int i = t;\n"
                             "for (int k = 0; k < n; ++k) {\n"
                             "  bool odd = m > k;\n"
                             "  if (odd) s[i] = 1;\n"
                             "  i = odd ? 32 * t : t;\n"
                             "  __syncthreads();\n"
                             "}")
                       .sharedStore();
  EXPECT_NE(A.Trust, Certainty::Exact);
}

// Lanes below 16 have their own number, others none; they do not use it.
TEST(KnownSelects, AVariableThatIsNotSetIsAnything) {
  const Evaluated E = statement("int i;\n"
                                "if (t < 16) { s[t] = 2; i = t; }\n"
                                "__syncthreads();\n"
                                "if (t < 16) o[i] = s[t];");
  EXPECT_TRUE(costs(E.globalStore(), {2, 2, {}, 16}));
  EXPECT_EQ(E.globalStore().Assumptions.size(), 1u); // how `o` is aligned
}

} // namespace KnownSelectsTests
