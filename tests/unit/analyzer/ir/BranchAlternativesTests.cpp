//===- tests/unit/analyzer/ir/BranchAlternativesTests.cpp - Who stores ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Data decides which branch a lane takes, and each branch stores: nvcc makes
/// one store without predicate of them, in which all lanes take part. 32 lanes
/// store 4 bytes each, side by side: 4 sectors.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace BranchAlternativesTests {

using namespace cudalint;
using testing::SizeIs;

/// Stores of so many bytes on these lines of kernel.cu.
static std::vector<Access> storesOf(const std::string &Body,
                                    std::initializer_list<unsigned> Lines,
                                    unsigned Bytes = 4,
                                    bool Predicated = false) {
  Setting S;
  S.Code.emplace();
  for (unsigned Line : Lines) {
    MachineInstruction I;
    I.Name = "STG";
    I.Space = MemorySpace::Global;
    I.Op = AccessOp::Store;
    I.Bytes = Bytes;
    I.Predicated = Predicated;
    I.Frames = {{.File = "kernel.cu", .Line = Line}};
    S.Code->push_back(I);
  }
  return evaluate("__global__ void k(const float *in, float *out, int n) {\n"
                  "  int t = threadIdx.x;\n"
                  "  float v = in[t];\n" +
                      Body + "\n}\n",
                  S)
      .all(MemorySpace::Global, AccessOp::Store);
}

static const std::string Relu = "if (v > 0)\n"
                                "  out[t] = v;\n"
                                "else\n"
                                "  out[t] = 0;";

TEST(BranchAlternatives, AllLanesStoreInOneOfTwoBranches) {
  const std::vector<Access> All = storesOf(Relu, {5});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_TRUE(costs(All[0], {.PerRequest = 4, .Ideal = 4, .Lanes = 32}));
  EXPECT_EQ(All[0].Executions, 1);
}

TEST(BranchAlternatives, AllLanesStoreInOneOfThree) {
  const std::vector<Access> All = storesOf("if (v > 1)\n"
                                           "  out[t] = v;\n"
                                           "else if (v > 0)\n"
                                           "  out[t] = v * v;\n"
                                           "else\n"
                                           "  out[t] = 0;",
                                           {9});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_TRUE(costs(All[0], {.PerRequest = 4, .Ideal = 4, .Lanes = 32}));
}

// Half of the lanes are left out before data decides: 16 of them, 2 sectors.
TEST(BranchAlternatives, LanesThatAreLeftOutBeforeStayOut) {
  const std::vector<Access> All =
      storesOf("if (t % 32 < 16) {\n" + Relu + "}", {6});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_TRUE(costs(All[0], {.PerRequest = 2, .Ideal = 2, .Lanes = 16}));
}

// Those that are left out by data: nobody knows how many.
TEST(BranchAlternatives, DataThatDecidesBeforeStillDoes) {
  const std::vector<Access> All = storesOf("if (v < 9) {\n" + Relu + "}", {6});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_EQ(All[0].Trust, Certainty::Unknown);
  EXPECT_EQ(All[0].Cause, UnknownCause::LoadedLanes);
}

TEST(BranchAlternatives, LanesThatTakeNoneOfThemDoNotStore) {
  const std::vector<Access> All = storesOf("if (v > 1)\n"
                                           "  out[t] = v;\n"
                                           "else if (v < 0)\n"
                                           "  out[t] = 0;",
                                           {5});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_EQ(All[0].Trust, Certainty::Unknown);
}

TEST(BranchAlternatives, APredicateMayLeaveLanesOut) {
  const std::vector<Access> All = storesOf(Relu, {5}, 4, true);
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_EQ(All[0].Trust, Certainty::Unknown);
}

TEST(BranchAlternatives, AStoreOfEachBranchIsOfItsLanesAlone) {
  const std::vector<Access> All = storesOf(Relu, {5, 7});
  ASSERT_THAT(All, SizeIs(2));
  for (const Access &A : All)
    EXPECT_EQ(A.Trust, Certainty::Unknown);
}

// Both branches store the same 8 bytes, in one instruction: 8 sectors.
TEST(BranchAlternatives, AWordOfTwoStoresIsOfAllLanesToo) {
  const std::vector<Access> All = storesOf("float2 *o = (float2 *)out;\n"
                                           "if (v > 0) {\n"
                                           "  o[t].x = v; o[t].y = 1;\n"
                                           "} else {\n"
                                           "  o[t].x = 0; o[t].y = v;\n"
                                           "}",
                                           {6}, 8);
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_TRUE(costs(All[0], {.PerRequest = 8, .Ideal = 8, .Lanes = 32}));
}

} // namespace BranchAlternativesTests
