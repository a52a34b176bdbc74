//===- tests/unit/analyzer/ir/BoundedValuesTests.cpp - Small unknowns -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values that only the launch knows and that are known to be small: one in
/// all of a launch. Numbers are counted by hand: 32 floats side by side touch 4
/// sectors of 32 bytes, and 5 unless the first is a multiple of 8 of them.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace BoundedValuesTests {

using namespace cudalint;
using testing::ElementsAre;

static Evaluated kernel(const std::string &Body) {
  return evaluate("struct Box { unsigned shift : 5, stride : 3; int n; };\n"
                  "__global__ void k(float *o, int n, unsigned u, Box b) {\n"
                  "  __shared__ float s[2048];\n"
                  "  int t = threadIdx.x;\n" +
                  Body + "\n}\n");
}

static Access stored(const std::string &Index) {
  return kernel("o[" + Index + "] = 1;").globalStore();
}

static Access storedShared(const std::string &Index) {
  return kernel("s[" + Index + "] = 1; o[t] = s[255 - t];").sharedStore();
}

static bool isOfLaunch(const Access &A) {
  return A.Trust == Certainty::Unknown && A.Cause == UnknownCause::RunTimeValue;
}

// One of eight alignments keeps 4 sectors: (4 + 7 * 5) / 8.
TEST(BoundedValues, AreNoRoundOffsets) {
  for (const char *Index :
       {"t + (n & 31)", "t + n % 32", "t + (u & 31)", "t + u % 32",
        "t + (u >> 27)", "t + (u & 31) / 4", "t + b.shift"})
    EXPECT_TRUE(costs(stored(Index), {4.875, 4})) << Index;
  // Elements of 16 bytes begin at a sector or in the middle of one.
  EXPECT_TRUE(costs(stored("(t + (n & 3)) * 4"), {16.5, 4}));
}

// Only their own alignments count, each as often as the values that give it.
TEST(BoundedValues, HaveFewAlignments) {
  const Access Odd = stored("t + (n & 1)");
  EXPECT_TRUE(costs(Odd, {(4 + 5) / 2.0, 4}));
  EXPECT_THAT(
      Odd.Assumptions,
      testing::Contains("the offset takes each of its alignments in turn"));
  EXPECT_TRUE(costs(stored("t + 2 * (u % 3)"), {(4 + 5 + 5) / 3.0, 4}));
  EXPECT_TRUE(costs(stored("t + 4 * (u % 3)"), {(4 + 5 + 4) / 3.0, 4}));
  EXPECT_TRUE(costs(stored("t + (n & 1) + 7"), {(5 + 4) / 2.0, 4}));
  EXPECT_TRUE(costs(stored("t + (n & 1) * 3"), {(4 + 5) / 2.0, 4}));
  EXPECT_TRUE(costs(stored("t + (n % 2 == 0)"), {(4 + 5) / 2.0, 4}));
  EXPECT_TRUE(costs(stored("t + 3 - (n & 3)"), {(5 + 5 + 5 + 4) / 4.0, 4}));
  EXPECT_TRUE(costs(stored("t + ((n & 3) ^ 1)"), {(4 + 3 * 5) / 4.0, 4}));
  EXPECT_TRUE(costs(stored("t + ((n & 4) | 8)"), {(4 + 5) / 2.0, 4}));
  // Four floats apart, lanes stay in their halves of a sector.
  EXPECT_TRUE(costs(stored("t * 4 + (n & 3)"), {16, 4}));
}

// Ten rows of 1001 floats: the first and the ninth begin at a sector.
TEST(BoundedValues, OfBlocks) {
  EXPECT_TRUE(costs(evaluate("__global__ void k(float *o) {\n"
                             "  o[blockIdx.x * 1001 + threadIdx.x] = 1;\n}\n",
                             {.Grid = {10, 1, 1}})
                        .globalStore(),
                    {(2 * 4 + 8 * 5) / 10.0, 4}));
}

// Behind a branch that a remainder decides, only its alignments are left.
TEST(BoundedValues, BehindBranchesOnRemainders) {
  auto Behind = [](const std::string &Condition, const std::string &Index) {
    return kernel("int r = blockIdx.x; if (" + Condition + ") o[" + Index +
                  "] = 1;")
        .globalStore();
  };
  EXPECT_TRUE(costs(Behind("r >= 0", "r * 2 + t"), {(4 + 3 * 5) / 4.0, 4}));
  EXPECT_TRUE(costs(Behind("r % 4 == 0", "r * 2 + t"), {4, 4}));
  EXPECT_TRUE(costs(Behind("(r & 3) == 1", "r * 2 + t"), {5, 4}));
  EXPECT_TRUE(costs(Behind("r % 4 != 0", "r * 2 + t"), {5, 4}));
  EXPECT_TRUE(costs(Behind("r & 1", "r * 4 + t"), {5, 4}));
  EXPECT_TRUE(costs(Behind("r % 2 == 0", "r * 2 + t"), {(4 + 5) / 2.0, 4}));
  // Sizes that are not round here; where they may be, they are.
  EXPECT_TRUE(costs(Behind("n % 8 == 4", "n + t"), {5, 4}));
  EXPECT_TRUE(costs(Behind("n % 4 != 0", "n + t"), {5, 4}));
  EXPECT_TRUE(costs(Behind("n % 4 == 0", "n + t"), {4, 4}));
  EXPECT_TRUE(costs(Behind("n % 4 == 2", "t + (n & 7)"), {5, 4}));
  EXPECT_TRUE(
      costs(Behind("n % 2 == 0", "t + (n & 7)"), {(4 + 3 * 5) / 4.0, 4}));
}

// What else is asked, of lanes or of other sizes, does not undo it.
TEST(BoundedValues, BehindConditionsOnRemaindersAndMore) {
  for (const char *Condition :
       {"n % 8 == 4 && t < m", "n % 8 == 4 && u > 3",
        "n % 8 == 4 && u % 2 == 1", "u % 2 == 1 && n % 8 == 4",
        "n % 8 == 4 || n % 8 == 2"})
    EXPECT_TRUE(costs(
        kernel(std::string("int m = u; if (") + Condition + ") o[n + t] = 1;")
            .globalStore(),
        {5, 4}))
        << Condition;
}

TEST(BoundedValues, BehindCasesOfRemainders) {
  const Evaluated E = kernel("int r = blockIdx.x;\n"
                             "switch (r % 4) {\n"
                             "case 0: o[r * 2 + t] = 1; break;\n"
                             "case 1: o[r * 2 + t + 1024] = 2; break;\n"
                             "case 2: o[r * 2 + t + 2048] = 3; break;\n"
                             "default: o[r * 2 + t + 4096] = 4;\n"
                             "}\n");
  std::vector<double> Costs;
  for (const Access &Each : E.all(MemorySpace::Global, AccessOp::Store))
    Costs.push_back(Each.Predicted->PerRequest);
  EXPECT_THAT(Costs, ElementsAre(4, 5, 5, 5));
}

TEST(BoundedValues, BehindSeveralBranchesOnRemainders) {
  const Evaluated E = kernel("int r = blockIdx.x;\n"
                             "if (r % 2 == 0) {\n"
                             "  if (r % 4 == 0) o[r * 2 + t] = 1;\n"
                             "  else o[r * 2 + t + 1024] = 2;\n"
                             "  o[r * 2 + t + 2048] = 3;\n"
                             "}\n"
                             "o[r * 2 + t + 4096] = 4;\n");
  std::vector<double> Costs;
  for (const Access &Each : E.all(MemorySpace::Global, AccessOp::Store))
    Costs.push_back(Each.Predicted->PerRequest);
  EXPECT_THAT(Costs, ElementsAre(4, 5, 4.5, 4.75));
}

// What is odd is no multiple of 32; of all its alignments, none is known.
TEST(BoundedValues, OfSetBitsAreNoRoundSizes) {
  for (const char *Index : {"t + (n | 1)", "t + (n ^ 2)"})
    EXPECT_TRUE(costs(stored(Index), {4.875, 4})) << Index;
  EXPECT_TRUE(costs(stored("t + (n | 32)"), {4, 4}));
}

TEST(BoundedValues, OfWholeSectorsMoveNothing) {
  for (const char *Index : {"t + (n & 24)", "t + 8 * (n & 3)"}) {
    const Access A = stored(Index);
    EXPECT_TRUE(costs(A, {4, 4})) << Index;
    EXPECT_THAT(A.Assumptions, ElementsAre("'o' is 256-byte aligned"));
  }
  // A size itself is still taken to be round, and so is what is left of it.
  EXPECT_TRUE(costs(stored("t + n"), {4, 4}));
  EXPECT_TRUE(costs(stored("t + (n & 1023)"), {4, 4}));
}

// Whatever is below 32 exchanges the lanes of a warp.
TEST(BoundedValues, ExchangeLanes) {
  EXPECT_TRUE(costs(stored("t ^ (n & 31)"), {4, 4}));
  EXPECT_TRUE(costs(stored("(t ^ b.shift) * 2"), {8, 4}));
}

TEST(BoundedValues, OneOfThemIsTheStride) {
  for (const char *Index :
       {"t * (n & 7)", "t * (u % 5)", "t * b.stride", "t * b.stride + b.shift"})
    EXPECT_TRUE(isOfLaunch(stored(Index))) << Index;
  for (const char *Index : {"t * (n & 7)", "t * (u % 5)", "t * b.stride"})
    EXPECT_TRUE(isOfLaunch(storedShared(Index))) << Index;
}

TEST(BoundedValues, StridesThatCostTheSame) {
  // 8, 16, 24 or 32 floats apart: each lane has a sector of its own.
  const Access Far = stored("t * 8 * (1 + (n & 3))");
  EXPECT_TRUE(costs(Far, {32, 4}));
  EXPECT_THAT(Far.Assumptions, ElementsAre("'o' is 256-byte aligned"));
  EXPECT_FALSE(Far.Stride);
}

// What the host checks before it launches.
TEST(BoundedValues, OfArguments) {
  const std::string Kernel = "__global__ void k(float *o, int n) {\n"
                             "  o[INDEX] = 1;\n}\n";
  const auto at = [&](const std::string &Index, const Setting &S) {
    std::string Text = Kernel;
    return evaluate(Text.replace(Text.find("INDEX"), 5, Index), S)
        .globalStore();
  };
  // Of any pitch, each lane has a sector of its own; of 3 at most, it has not.
  EXPECT_TRUE(costs(at("threadIdx.x * n", {}), {32, 4}));
  EXPECT_TRUE(isOfLaunch(at("threadIdx.x * n", {.Limits = {{1, 3}}})));
  EXPECT_TRUE(
      costs(at("threadIdx.x * n", {.Limits = {{1, 1 << 20}}}), {32, 4}));
  // Eight floats are a sector.
  const Access Whole = at("threadIdx.x + n", {.Multiples = {{1, 8}}});
  EXPECT_TRUE(costs(Whole, {4, 4}));
  EXPECT_THAT(Whole.Assumptions,
              testing::Not(testing::Contains("'n' is a multiple of 32")));
  // Of half a sector, with a size that is not taken to be round.
  EXPECT_TRUE(
      costs(at("threadIdx.x + n", {.NotRound = {1}, .Multiples = {{1, 4}}}),
            {4.5, 4}));
}

// A loop goes through all of them: 0 to 3 floats apart are 1, 4, 8 and 12
// sectors.
TEST(BoundedValues, OfLoopsAreAllMet) {
  EXPECT_TRUE(costs(
      kernel("for (int k = 0; k < 64; ++k) o[t * (k & 3)] = k;").globalStore(),
      {(1 + 4 + 8 + 12) / 4.0, (1 + 4 + 4 + 4) / 4.0}));
}

} // namespace BoundedValuesTests
