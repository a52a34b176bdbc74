//===- tests/unit/analyzer/ir/BlockCountsTests.cpp - Counts by blockIdx ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often a warp makes an access that blockIdx alone decides about, as a
/// mean over all blocks of a grid, of which too many to run them all.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/GridParts.h"
#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace BlockCountsTests {

using namespace cudalint;
using testing::DoubleNear;
using testing::Optional;

static auto isAbout(double Count) { return Optional(DoubleNear(Count, 1e-12)); }

static std::optional<double> executions(const std::string &Body,
                                        const Setting &S) {
  return evaluate("__global__ void k(float *G, const int *a, int n) {\n"
                  "  int tx = threadIdx.x, ty = threadIdx.y;\n"
                  "  int x = blockIdx.x * blockDim.x + tx;\n"
                  "  int y = blockIdx.y * blockDim.y + ty;\n"
                  "  int z = blockIdx.z;\n" +
                      Body + "\n}\n",
                  S)
      .globalStore()
      .Executions;
}

static const Setting Square = {.Block = {32, 32, 1}, .Grid = {32, 32, 1}};

// A warp is a row of 32: one row of 1,024 is left out, and one at each end.
TEST(BlockCounts, ABorderOfRows) {
  EXPECT_THAT(executions("if (y < 1) return; G[y * 1024 + x] = 1;", Square),
              isAbout(1 - 1 / 1024.0));
  EXPECT_THAT(executions("if (y < 1 || y >= 1023) return; G[y * 1024 + x] = 1;",
                         Square),
              isAbout(1 - 2 / 1024.0));
}

// Columns at the ends are lanes, of which the others make the request.
TEST(BlockCounts, ABorderAllRound) {
  EXPECT_THAT(executions("if (x > 0 && x < 1023 && y > 0 && y < 1023)\n"
                         "  G[y * 1024 + x] = 1;",
                         Square),
              isAbout(1 - 2 / 1024.0));
}

// A bound inside: 1,000 of 1,024 rows, 300 of 1,024, and 7 of 48 layers.
TEST(BlockCounts, ABoundInside) {
  EXPECT_THAT(executions("if (y < 1000) G[y * 1024 + x] = 1;", Square),
              isAbout(1000 / 1024.0));
  EXPECT_THAT(executions("if (y < 300) G[y * 1024 + x] = 1;", Square),
              isAbout(300 / 1024.0));
  EXPECT_THAT(executions("if (z >= 5 && z < 12) G[z * 256 + tx] = 1;",
                         {.Grid = {100, 3, 48}}),
              isAbout(7 / 48.0));
}

// Of 100 rows of blocks one is each case, and the other 98 are the default.
TEST(BlockCounts, ASwitch) {
  const Setting Rows = {.Grid = {3, 100, 1}};
  const std::string Cases = "switch (blockIdx.y) {\n"
                            "case 0: a0; break;\n"
                            "case 1: a1; break;\n"
                            "default: a2; }";
  for (auto [Case, Share] :
       {std::pair("a0", 0.01), {"a1", 0.01}, {"a2", 0.98}}) {
    std::string Body = Cases;
    for (const char *Each : {"a0", "a1", "a2"})
      Body.replace(Body.find(Each), 2,
                   std::string(Each) == Case ? "G[tx] = 1" : "__syncthreads()");
    EXPECT_THAT(executions(Body, Rows), isAbout(Share)) << Body;
  }
}

// Conditions that no block meets together.
TEST(BlockCounts, NoBlock) {
  const char *Body = "switch (blockIdx.x & 3) {\n"
                     "case 0: if (blockIdx.x % 3 == 2 && blockIdx.x < 7)\n"
                     "  G[tx] = 1; }";
  EXPECT_THAT(executions(Body, {.Grid = {8, 1, 1}}), isAbout(0));
  EXPECT_THAT(executions(Body, {.Grid = {7, 5, 1}}), isAbout(0));
}

// Of a grid of a million blocks, the first.
TEST(BlockCounts, OneOfAMillion) {
  EXPECT_THAT(executions("if (blockIdx.x == 0 && tx < 32) G[tx] = 1;",
                         {.Grid = {1'000'000, 1, 1}}),
              isAbout(1 / 8e6));
  EXPECT_THAT(executions("if (blockIdx.x == 654'321 && tx < 32) G[tx] = 1;",
                         {.Grid = {1'000'000, 1, 1}}),
              isAbout(1 / 8e6));
}

// Each second block of a small grid; of a large one that takes too long.
TEST(BlockCounts, BlocksAllOver) {
  EXPECT_THAT(
      executions("if (blockIdx.x % 2 == 0) G[tx] = 1;", {.Grid = {15, 3, 1}}),
      isAbout(8 / 15.0));
  for (const char *Body :
       {"if (blockIdx.x % 2 == 0) G[tx] = 1;",
        "if (blockIdx.x * blockIdx.y % 7 == 3) G[tx] = 1;"}) {
    const auto Count = executions(Body, {.Grid = {15'000, 300, 1}});
    EXPECT_EQ(Count, std::nullopt) << *Count;
  }
}

// Compilers make one unsigned comparison of two bounds. Whatever is negative
// is larger than all that is not.
TEST(BlockCounts, TwoBoundsAreOneComparison) {
  for (const char *Body :
       {"if (unsigned(y - 5) < 7) G[y * 1024 + x] = 1;",
        "if (unsigned(y - 12) >= unsigned(-7)) G[y * 1024 + x] = 1;",
        "if (unsigned(y - 2000) >= unsigned(-1995) && y < 12)\n"
        "  G[y * 1024 + x] = 1;",
        "unsigned long long u = (long long)y - 5;\n"
        "if (u < 7) G[y * 1024 + x] = 1;"})
    EXPECT_THAT(executions(Body, Square), isAbout(7 / 1024.0)) << Body;
}

// What it costs is as in all blocks that make it.
TEST(BlockCounts, TheCostStays) {
  const Access A = evaluate("__global__ void k(float *G) {\n"
                            "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
                            "  if (y < 1) return;\n"
                            "  G[32 * (y * 1024 + threadIdx.x)] = 1;\n"
                            "}\n",
                            Square)
                       .globalStore();
  EXPECT_TRUE(costs(A, {.PerRequest = 32, .Ideal = 4, .Lanes = 32}));
}

// Data, sizes of the run and grids that are not known decide as before.
TEST(BlockCounts, WhatElseDecidesIsNotKnown) {
  for (const char *Body :
       {"if (y < 1 || a[0]) return; G[y * 1024 + x] = 1;",
        "if (y < n) G[y * 1024 + x] = 1;",
        "if (y > 0 && x < n) G[y * 1024 + x] = 1;",
        "if (a[y] < 1) G[y * 1024 + x] = 1;",
        "if (blockIdx.y < gridDim.y - n) G[y * 1024 + x] = 1;"})
    EXPECT_EQ(executions(Body, Square), std::nullopt) << Body;
  EXPECT_EQ(executions("if (y < 1) return; G[y * 1024 + x] = 1;",
                       {.Block = {32, 32, 1}}),
            std::nullopt);
  // Known along y, by which it is decided.
  EXPECT_THAT(
      executions("if (y < 1) return; G[y * 1024 + x] = 1;",
                 {.Block = {32, 32, 1}, .Grid = Extent{std::nullopt, 32, 1}}),
      isAbout(1 - 1 / 1024.0));
}

// Its turns are counted in each of the parts.
TEST(BlockCounts, InALoop) {
  EXPECT_THAT(executions("for (int j = 0; j < 10; ++j)\n"
                         "  if (y > 0) G[(j * 1024 + y) * 1024 + x] = 1;",
                         Square),
              isAbout(10 * (1 - 1 / 1024.0)));
}

// A turn for 500 threads, which are 16 of 32 warps.
TEST(BlockCounts, ALoopThatSomeBlocksComeTo) {
  EXPECT_THAT(executions("for (int i = x; i < 500; i += 1024) G[i] = 1;",
                         {.Block = {256, 1, 1}, .Grid = {4, 1, 1}}),
              isAbout(0.5));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static double sharesOf(const std::vector<GridPart> &Parts) {
  double Sum = 0;
  for (const GridPart &Each : Parts)
    Sum += Each.Share;
  return Sum;
}

TEST(GridParts, AreTheWholeGrid) {
  for (const Extent &Grid :
       {Extent{1, 1, 1}, Extent{2, 1, 3}, Extent{1000, 7, {}}, Extent{}})
    for (std::size_t Most : {1, 5, 64}) {
      std::size_t Asked = 0;
      const std::vector<GridPart> Parts =
          partsOf(Grid, Most, [&](const BlockRanges &) {
            ++Asked;
            return 7u;
          });
      EXPECT_LE(Parts.size(), Most);
      EXPECT_LE(Asked, 2 * Most);
      EXPECT_NEAR(sharesOf(Parts), 1, 1e-12);
    }
}

TEST(GridParts, OnlyWhatIsOpenIsCut) {
  // Rows of blocks from 300 on differ from those before.
  const std::vector<GridPart> Parts =
      partsOf({8, 1000, 1}, 64, [](const BlockRanges &Blocks) {
        return Blocks[1]->first < 300 && Blocks[1]->second >= 300 ? 2u : 0u;
      });
  double Before = 0;
  for (const GridPart &Each : Parts) {
    EXPECT_EQ(Each.Blocks[0], std::pair(std::int64_t(0), std::int64_t(7)));
    if (Each.Blocks[1]->second < 300)
      Before += Each.Share;
  }
  EXPECT_NEAR(Before, 0.3, 1e-12);
}

TEST(GridParts, BlocksOneByOne) {
  const std::vector<GridPart> Blocks = blocksOf({3, {}, 2});
  ASSERT_EQ(Blocks.size(), 6u);
  EXPECT_EQ(Blocks[1].Blocks[0], std::pair(std::int64_t(1), std::int64_t(1)));
  EXPECT_EQ(Blocks[1].Blocks[2], std::pair(std::int64_t(0), std::int64_t(0)));
  EXPECT_FALSE(Blocks[1].Blocks[1]);
  EXPECT_NEAR(sharesOf(Blocks), 1, 1e-12);
}

TEST(GridParts, EndsAndWhatIsBetween) {
  for (std::int64_t Blocks : {2, 3, 1000}) {
    const std::vector<GridPart> Parts = endsAndMiddle({Blocks, 5, {}});
    EXPECT_EQ(Parts.size(), Blocks == 2 ? 2u : 3u);
    EXPECT_NEAR(sharesOf(Parts), 1, 1e-12);
    std::int64_t Next = 0;
    for (const GridPart &Each : Parts) {
      EXPECT_EQ(Each.Blocks[0]->first, Next);
      Next = Each.Blocks[0]->second + 1;
      EXPECT_FALSE(Each.Blocks[1]);
    }
    EXPECT_EQ(Next, Blocks);
    EXPECT_EQ(Parts.back().Blocks[0]->first, Blocks - 1);
  }
}

// One of each eighth of the grid, along both dimensions, in another order.
TEST(GridParts, SpreadOver) {
  const std::vector<GridPart> Parts = spreadOver({80, 800, {}}, 8);
  EXPECT_NEAR(sharesOf(Parts), 1, 1e-12);
  std::set<std::int64_t> Along[2];
  for (const GridPart &Each : Parts) {
    for (unsigned D = 0; D < 2; ++D) {
      EXPECT_EQ(Each.Blocks[D]->first, Each.Blocks[D]->second);
      Along[D].insert(Each.Blocks[D]->first / (D ? 100 : 10));
    }
    EXPECT_FALSE(Each.Blocks[2]);
  }
  EXPECT_EQ(Along[0].size(), 8u);
  EXPECT_EQ(Along[1].size(), 8u);
}

} // namespace BlockCountsTests
