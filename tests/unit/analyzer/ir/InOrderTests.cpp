//===- tests/unit/analyzer/ir/InOrderTests.cpp - One request by one -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The requests of an access in the order in which each warp makes them, where
/// they do not all cost the same. Costs are those of lanes that are 1, 2, 4 and
/// 8 floats apart: 4, 8, 16 and 32 sectors, where 4 would be ideal.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace InOrderTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

static Access store(const std::string &Body, const Setting &S = {}) {
  return evaluate("__global__ void k(float *G, const int *a, int n) {\n"
                  "  int t = threadIdx.x;\n" +
                      Body + "\n}\n",
                  S)
      .globalStore();
}

static std::vector<double> sectors(const Access &A) {
  std::vector<double> Result;
  for (const Traffic &T : A.InOrder)
    Result.push_back(T.PerRequest);
  return Result;
}

TEST(InOrder, TheTurnsOfALoop) {
  const Access A = store("for (int j = 0; j < 4; ++j) G[t << j] = 1;");
  EXPECT_THAT(sectors(A), ElementsAre(4, 8, 16, 32));
  for (const Traffic &T : A.InOrder) {
    EXPECT_EQ(T.Ideal, 4);
    EXPECT_EQ(T.Lanes, 32);
    EXPECT_EQ(T.Requests, 1);
  }
  ASSERT_TRUE(A.Predicted);
  EXPECT_EQ(A.Predicted->PerRequest, 15) << "their mean";
}

TEST(InOrder, AnInnerLoopComesFirst) {
  EXPECT_THAT(sectors(store("for (int i = 0; i < 2; ++i)\n"
                            "  for (int j = 0; j < 3; ++j)\n"
                            "    G[t << (i + j)] = 1;")),
              ElementsAre(4, 8, 16, 8, 16, 32));
}

// 16 lanes, which have 2 sectors, then all.
TEST(InOrder, LanesDifferToo) {
  const Access A = store("for (int j = 1; j < 3; ++j)\n"
                         "  if (t % 32 < 16 * j) G[t] = 1;");
  EXPECT_THAT(sectors(A), ElementsAre(2, 4));
  ASSERT_THAT(A.InOrder, SizeIs(2));
  EXPECT_EQ(A.InOrder[0].Lanes, 16);
  EXPECT_EQ(A.InOrder[0].Ideal, 2);
}

// In the second turn half of the warps are 8 apart: (4 + 32) / 2.
TEST(InOrder, EachIsAMeanOverTheWarps) {
  EXPECT_THAT(sectors(store("for (int j = 0; j < 2; ++j)\n"
                            "  G[j && t < 128 ? t * 8 : t] = 1;")),
              ElementsAre(4, 18));
}

TEST(InOrder, NothingWhereTheyAreAlike) {
  EXPECT_THAT(store("G[t] = 1;").InOrder, IsEmpty());
  EXPECT_THAT(store("for (int j = 0; j < 4; ++j) G[t + 256 * j] = 1;").InOrder,
              IsEmpty());
}

// The blocks of a grid of 3 or of 10 have weights that are no binary fractions,
// and 12 sectors are not, either: sums of them differ in their last bits.
TEST(InOrder, NothingWhereTheyAreAlikeInEachBlock) {
  for (const std::int64_t Blocks : {3, 7, 10, 1000})
    EXPECT_THAT(store("int i = blockIdx.x * 256 + t;\n"
                      "if (i < n)\n"
                      "  for (int j = 0; j < 4; ++j)\n"
                      "    G[3 * i + 1024 * j] = 1;",
                      {.Arguments = {{}, {}, 256 * Blocks - 100},
                       .Grid = {Blocks, 1, 1}})
                    .InOrder,
                IsEmpty())
        << Blocks;
}

TEST(InOrder, TheBlocksOfAGridHaveTheirShare) {
  const Access A = store("int i = blockIdx.x * 256 + t;\n"
                         "if (i < n)\n"
                         "  for (int j = 0; j < 2; ++j)\n"
                         "    G[i << j] = 1;",
                         {.Arguments = {{}, {}, 512}, .Grid = {3, 1, 1}});
  ASSERT_THAT(A.InOrder, SizeIs(2)) << toString(A);
  EXPECT_NEAR(A.InOrder[0].PerRequest, 4, 1e-9);
  EXPECT_NEAR(A.InOrder[1].PerRequest, 8, 1e-9);
}

// Warp w makes w + 1 of them: the second one is not in every warp.
TEST(InOrder, NoOrderWhereWarpsMakeMoreAndLess) {
  EXPECT_THAT(
      store("for (int j = 0; j <= t / 32; ++j) G[t << (j & 3)] = 1;").InOrder,
      IsEmpty());
  EXPECT_THAT(
      store("for (int j = t / 32; j < 8; ++j) G[t << (j & 3)] = 1;").InOrder,
      IsEmpty());
}

TEST(InOrder, NoOrderWhereTurnsAreNotRunOneByOne) {
  for (const char *Body : {
           "for (int j = 0; j < n; ++j) G[t * j] = 1;",
           "for (int j = 0; j < 100000; ++j) G[t << (j & 3)] = 1;",
       })
    EXPECT_THAT(store(Body).InOrder, IsEmpty()) << Body;
}

TEST(InOrder, NoOrderOfWhatIsNotKnown) {
  EXPECT_THAT(store("for (int j = 0; j < 4; ++j) G[a[t] << j] = 1;").InOrder,
              IsEmpty());
}

} // namespace InOrderTests
