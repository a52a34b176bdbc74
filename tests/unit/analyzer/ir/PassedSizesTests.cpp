//===- tests/unit/analyzer/ir/PassedSizesTests.cpp - Tests ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace PassedSizesTests {

using namespace cudalint;

/// Whether where \p Body stores is computed from what the kernel is passed.
static bool restsOnSize(const std::string &Body) {
  return evaluate("struct Box { int n, pad; };\n"
                  "__global__ void k(float *o, const int *p, int n, Box box) "
                  "{\n"
                  "  int t = threadIdx.x;\n" +
                  Body + "\n}\n")
      .globalStore()
      .IsOfPassedSize;
}

TEST(PassedSizes, AreFollowedToAddresses) {
  for (const char *Body :
       {"o[t * n] = 1;", "o[t + n / 2] = 1;", "o[t * box.n] = 1;",
        "o[t + (t < 8 ? n : 4)] = 1;", "float *q = o + n; q[t] = 1;",
        "for (int i = 0; i < 4; ++i) o[(t + i) * n + i] = 1;",
        "*(float4 *)(o + t * n) = float4{};"})
    EXPECT_TRUE(restsOnSize(Body)) << Body;
}

// How often, or whether, is another question; and what is loaded is data.
TEST(PassedSizes, AreNotWhatOnlyAsksForThem) {
  for (const char *Body :
       {"o[t] = n;", "o[4 * t + blockIdx.x * blockDim.x] = 1;",
        "for (int i = 0; i < n; ++i) o[4 * t + i] = 1;", "if (t < n) o[t] = 1;",
        "o[p[t]] = n;", "o[p[n + t] + t] = 1;"})
    EXPECT_FALSE(restsOnSize(Body)) << Body;
}

} // namespace PassedSizesTests
