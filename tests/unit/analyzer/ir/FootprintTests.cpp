//===- tests/unit/analyzer/ir/FootprintTests.cpp - Bytes of a block -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many different bytes of global memory a block accesses, counted by hand:
/// a mean over the blocks of the grid; or why that is not known.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace FootprintTests {

using namespace cudalint;
using testing::AllOf;
using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

static auto isAbout(double Count) { return Optional(DoubleNear(Count, 1e-9)); }

static auto are(double Bytes, double Sectors) {
  return AllOf(Field("Bytes", &DistinctBytes::Bytes, isAbout(Bytes)),
               Field("Sectors", &DistinctBytes::Sectors, isAbout(Sectors)),
               Field("WhyNotKnown", &DistinctBytes::WhyNotKnown, ""));
}

static auto areNotKnown(const std::string &Why) {
  return AllOf(
      Field("Bytes", &DistinctBytes::Bytes, std::nullopt),
      Field("Sectors", &DistinctBytes::Sectors, std::nullopt),
      Field("WhyNotKnown", &DistinctBytes::WhyNotKnown, HasSubstr(Why)));
}

static BlockFootprint footprint(const std::string &Body, const Setting &S) {
  return evaluate("__device__ float ga[1024], gb[1024];\n"
                  "struct Arrays { float *a, *b; int n; };\n"
                  "__global__ void k(float *o, const float *a,\n"
                  "                  const float *b, const int *d, int n,\n"
                  "                  Arrays s) {\n"
                  "  int tx = threadIdx.x, ty = threadIdx.y;\n"
                  "  int x = blockIdx.x * blockDim.x + tx;\n"
                  "  int y = blockIdx.y * blockDim.y + ty;\n"
                  "  float v = 0;\n" +
                      Body + "\n}\n",
                  S)
      .Kernel.Footprint;
}

/// A launch whose last number is \p n, if that is given.
static Setting launch(std::array<std::int64_t, 3> Block, Extent Grid,
                      std::optional<std::int64_t> n = {}) {
  return {.Block = Block,
          .Arguments = {{}, {}, {}, {}, n},
          .Grid = Grid,
          .Expected = true};
}

static const Setting Line = launch({256, 1, 1}, {64, 1, 1});

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

// 256 floats are loaded, as many stored.
TEST(Footprint, ACopy) {
  const BlockFootprint F = footprint("o[x] = a[x];", Line);
  EXPECT_THAT(F.Loads, are(1024, 32));
  EXPECT_THAT(F.Stores, are(1024, 32));
  ASSERT_EQ(F.Arrays.size(), 2u);
  EXPECT_EQ(F.Arrays[0].Name, "a");
  EXPECT_EQ(F.Arrays[0].Op, AccessOp::Load);
  EXPECT_EQ(F.Arrays[0].Bytes, 1024);
  EXPECT_EQ(F.Arrays[1].Name, "o");
  EXPECT_EQ(F.Arrays[1].Op, AccessOp::Store);
  EXPECT_THAT(F.Assumptions, ElementsAre("'a' is 256-byte aligned",
                                         "'o' is 256-byte aligned"));
}

// All warps of the largest block, which differ by whole kilobytes.
TEST(Footprint, AllWarps) {
  EXPECT_THAT(footprint("o[x] = a[32 * x];", launch({1024, 1, 1}, {64, 1, 1})),
              AllOf(Field(&BlockFootprint::Loads, are(4096, 1024)),
                    Field(&BlockFootprint::Stores, are(4096, 128))));
}

// Warps that go round in 1,024 bytes, or in pairs, are not as many as they are.
TEST(Footprint, WarpsThatShareBytes) {
  const Setting Large = launch({1024, 1, 1}, {64, 1, 1});
  EXPECT_THAT(footprint("o[x] = a[tx & 255];", Large).Loads, are(1024, 32));
  EXPECT_THAT(footprint("o[x] = a[(tx & 63) + 64 * (tx / 512)];", Large).Loads,
              are(512, 16));
  EXPECT_THAT(footprint("o[x] = a[tx / 2];", Large).Loads, are(2048, 64));
  EXPECT_THAT(footprint("if (tx >= 512) o[x] = a[tx ^ 512];", Large),
              AllOf(Field(&BlockFootprint::Loads, are(2048, 64)),
                    Field(&BlockFootprint::Stores, are(2048, 64))));
  // In a loop that is told as one, too: 300 rows of 128 bytes, by halves.
  EXPECT_THAT(footprint("for (int k = 0; k < 300; ++k)\n"
                        "  v += a[k * 64 + (tx & 31)];\n o[x] = v;",
                        Large)
                  .Loads,
              are(300 * 128, 300 * 4));
}

static constexpr const char Matrices[] =
    "for (int k = 0; k < n; ++k) v += a[y * n + k] * b[k * n + x];\n"
    "o[y * n + x] = v;";

// 16 rows of 64 floats, and 64 rows of 16; a row of the result is 64 bytes.
TEST(Footprint, AProductOfMatrices) {
  const BlockFootprint F =
      footprint(Matrices, launch({16, 16, 1}, {4, 4, 1}, 64));
  EXPECT_THAT(F.Loads, are(4096 + 4096, 128 + 128));
  EXPECT_THAT(F.Stores, are(1024, 32));
  EXPECT_THAT(F.Assumptions, Contains("arrays do not overlap"));
  ASSERT_EQ(F.Arrays.size(), 3u);
  EXPECT_EQ(F.Arrays[0].Bytes, 4096);
  EXPECT_EQ(F.Arrays[1].Bytes, 4096);
}

// More turns than are run one by one. 16 rows of 300 floats lie one behind the
// other. Of the other matrix, every second row of 64 bytes begins in the middle
// of a sector, as 1,200 bytes are 37.5 of them. So does that of the result.
TEST(Footprint, ALongProductOfMatrices) {
  const BlockFootprint F =
      footprint(Matrices, launch({16, 16, 1}, {4, 4, 1}, 300));
  EXPECT_THAT(F.Loads, are(19200 + 19200, 600 + 150 * 2 + 150 * 3));
  EXPECT_THAT(F.Stores, are(1024, 8 * 2 + 8 * 3));
}

// 3 more on each side. 1,048 bytes begin with a sector.
TEST(Footprint, AStencil) {
  const BlockFootprint F =
      footprint("for (int d = 0; d < 7; ++d) v += a[x + d];\n o[x] = v;", Line);
  EXPECT_THAT(F.Loads, are(4 * (256 + 6), 33));
  EXPECT_THAT(F.Stores, are(1024, 32));
}

// Rows of 128 bytes are read and written, whatever a request costs.
TEST(Footprint, ATranspose) {
  const BlockFootprint F = footprint("o[x * 1024 + y] = a[y * 1024 + x];",
                                     launch({32, 32, 1}, {32, 32, 1}));
  EXPECT_THAT(F.Loads, are(4096, 128));
  EXPECT_THAT(F.Stores, are(4096, 128));
}

// A float in each sector, and one in each second one.
TEST(Footprint, Strides) {
  const BlockFootprint F = footprint("o[16 * x] = a[8 * x];", Line);
  EXPECT_THAT(F.Loads, are(1024, 256));
  EXPECT_THAT(F.Stores, are(1024, 256));
}

// One float for all of them; 64 threads share 4 bytes of each array.
TEST(Footprint, WhatAllThreadsLoad) {
  EXPECT_THAT(footprint("o[x] = a[0];", Line).Loads, are(4, 1));
  EXPECT_THAT(footprint("o[x] = a[blockIdx.x] + b[tx / 64];", Line).Loads,
              Field(&DistinctBytes::Bytes, isAbout(4 + 16)));
}

// A block that begins anywhere in a sector touches one more than it has.
TEST(Footprint, SectorsOfBlocksThatBeginAnywhere) {
  const BlockFootprint F = footprint("o[x] = a[blockIdx.x * 254 + tx];", Line);
  EXPECT_THAT(F.Loads, AllOf(Field(&DistinctBytes::Bytes, isAbout(1024)),
                             Field(&DistinctBytes::Sectors, std::nullopt),
                             Field(&DistinctBytes::WhyNotKnown,
                                   HasSubstr("where sectors begin depends on "
                                             "'blockIdx.x'"))));
  EXPECT_THAT(F.Stores, are(1024, 32));
}

// What is loaded is another thing than what is stored at the same place.
TEST(Footprint, InPlace) {
  const BlockFootprint F = footprint("o[x] = o[x] + o[x + 1];", Line);
  EXPECT_THAT(F.Loads, are(1028, 33));
  EXPECT_THAT(F.Stores, are(1024, 32));
  EXPECT_THAT(F.Assumptions, Not(Contains("arrays do not overlap")));
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

// Two pointers may lead to one array; two variables never do.
TEST(Footprint, ArraysThatMayOverlap) {
  const BlockFootprint Pointers = footprint("o[x] = a[x] + b[x];", Line);
  EXPECT_THAT(Pointers.Loads, are(2048, 64));
  EXPECT_THAT(Pointers.Assumptions, Contains("arrays do not overlap"));
  const BlockFootprint Variables = footprint("o[x] = ga[tx] + gb[tx];", Line);
  EXPECT_THAT(Variables.Loads, are(2048, 64));
  EXPECT_THAT(Variables.Assumptions, Not(Contains("arrays do not overlap")));
  const BlockFootprint Mixed = footprint("o[x] = ga[tx] + a[x];", Line);
  EXPECT_THAT(Mixed.Loads, are(2048, 64));
  EXPECT_THAT(Mixed.Assumptions, Contains("arrays do not overlap"));
}

// Pointers in what is passed by value are as good as others.
TEST(Footprint, PointersInAStruct) {
  const BlockFootprint F = footprint("o[x] = s.a[x] + s.b[x] + s.a[x];", Line);
  EXPECT_THAT(F.Loads, are(2048, 64));
  EXPECT_EQ(F.Arrays.size(), 3u);
}

// All of either, but which?
TEST(Footprint, OneArrayOrTheOther) {
  EXPECT_THAT(footprint("o[x] = (n ? a : b)[x];", Line).Loads,
              areNotKnown("which array"));
  EXPECT_THAT(
      footprint("o[x] = (n ? a : b)[x];", launch({256, 1, 1}, {64, 1, 1}, 1))
          .Loads,
      are(1024, 32));
}

//===----------------------------------------------------------------------===//
// What is not known
//===----------------------------------------------------------------------===//

// The loads are, the words that are counted up are not.
TEST(Footprint, AHistogram) {
  const BlockFootprint F = footprint("atomicAdd((int *)&o[d[x]], 1);", Line);
  EXPECT_THAT(F.Loads, are(1024, 32));
  EXPECT_THAT(F.Stores, areNotKnown("line 10: the address depends on"));
  EXPECT_EQ(F.Arrays.size(), 1u);
  // A place that is known is a store like others.
  EXPECT_THAT(footprint("atomicAdd((int *)&o[tx & 63], d[x]);", Line).Stores,
              are(256, 8));
}

TEST(Footprint, RowsOfALengthThatIsNotKnown) {
  EXPECT_THAT(
      footprint("o[x] = a[ty * n + tx];", launch({16, 16, 1}, {})).Loads,
      areNotKnown("how far lanes are apart depends on 'n'"));
  // Each warp has one, and they are somewhere.
  EXPECT_THAT(
      footprint("o[x] = a[ty * n + tx];", launch({32, 8, 1}, {})).Loads,
      areNotKnown("how far it is from other addresses in 'a' is not known"));
  // One that is the same for all does no harm, but for sectors.
  const BlockFootprint F =
      footprint("o[x] = a[blockIdx.y * n + tx];", launch({256, 1, 1}, {}));
  EXPECT_THAT(F.Loads, are(1024, 32));
  EXPECT_THAT(F.Assumptions, Contains(HasSubstr("is a multiple of 32")));
}

TEST(Footprint, Conditions) {
  for (const char *Condition : {"x < n", "n > 7"})
    EXPECT_THAT(
        footprint(std::string("if (") + Condition + ") o[x] = a[x];", Line)
            .Loads,
        areNotKnown("line 10: a condition decides whether it runs"))
        << Condition;
  EXPECT_THAT(footprint("if (d[x] > 0) o[x] = a[x];", Line).Stores,
              areNotKnown("which lanes take part depends on loaded data"));
}

TEST(Footprint, LoopsThatOnlyTheRunKnows) {
  EXPECT_THAT(
      footprint("for (int k = 0; k < n; ++k) v += a[k];\n o[x] = v;", Line)
          .Loads,
      areNotKnown("only the run tells how often a loop around it turns"));
}

//===----------------------------------------------------------------------===//
// Lanes, blocks and turns
//===----------------------------------------------------------------------===//

// 40 threads are a warp and a quarter.
TEST(Footprint, APartOfAWarp) {
  EXPECT_THAT(footprint("o[x] = a[tx];", launch({40, 1, 1}, {8, 1, 1})).Loads,
              are(160, 5));
}

// 1,000 of 1,024 elements for 4 blocks; and those of one row of 10, with
// 1,000 of 8,192 blocks: too many for each to be run.
TEST(Footprint, Guards) {
  const BlockFootprint F = footprint("if (x < n) o[x] = a[x];",
                                     launch({256, 1, 1}, {4, 1, 1}, 1000));
  EXPECT_THAT(F.Loads, are(1000, 125 / 4.0));
  EXPECT_THAT(F.Stores, are(1000, 125 / 4.0));
  const BlockFootprint Long = footprint(
      "if (x < n) o[x] = a[x];", launch({256, 1, 1}, {8192, 1, 1}, 1000 * 256));
  EXPECT_THAT(Long.Loads, are(1024 * 1000 / 8192.0, 32 * 1000 / 8192.0));
  const BlockFootprint Square =
      footprint("if (x < n && y < n) o[y * n + x] = a[y * n + x];",
                launch({16, 16, 1}, {4, 4, 1}, 50));
  EXPECT_THAT(Square.Loads,
              Field(&DistinctBytes::Bytes, isAbout(4 * 50 * 50 / 16.0)));
}

// A loop that moves by the whole grid: 64 and 1,024 turns of a block's width.
TEST(Footprint, GridStrideLoops) {
  static constexpr const char Loop[] =
      "for (int i = x; i < n; i += 64 * 256) v += a[i];\n o[x] = v;";
  EXPECT_THAT(footprint(Loop, launch({256, 1, 1}, {64, 1, 1}, 1 << 20)).Loads,
              are(64 * 1024, 64 * 32));
  EXPECT_THAT(footprint(Loop, launch({256, 1, 1}, {64, 1, 1}, 1 << 24)).Loads,
              are(1024 * 1024, 1024 * 32));
}

// Turns that move on by less than what they load; and one place in each turn.
TEST(Footprint, LongLoops) {
  EXPECT_THAT(footprint("for (int k = 0; k < 100000; ++k) v += a[k + tx];\n"
                        "o[x] = v;",
                        Line)
                  .Loads,
              Field(&DistinctBytes::Bytes, isAbout(4 * (100000 + 255))));
  EXPECT_THAT(footprint("for (int k = 0; k < 100000; ++k) v += a[99999 - k];\n"
                        "o[x] = v;",
                        Line)
                  .Loads,
              are(400000, 12500));
}

// More than can be run, and each turn is another: some stand for all.
TEST(Footprint, TurnsThatStandForOthers) {
  EXPECT_THAT(footprint("for (int k = 0; k < 1000000; ++k)\n"
                        "  v += a[(k * k) & 0xffff];\n"
                        "o[x] = v;",
                        Line)
                  .Loads,
              areNotKnown("not all turns"));
  EXPECT_THAT(footprint("for (int k = 0; k < 1000000; ++k)\n"
                        "  if ((k * k & 0xffff) == 3456) v += a[k];\n"
                        "o[x] = v;",
                        Line)
                  .Loads,
              Field(&DistinctBytes::Bytes, std::nullopt));
}

// The same bytes as four loads and as one; three floats of a struct of four.
TEST(Footprint, WiderAccesses) {
  EXPECT_THAT(footprint("v = a[4 * x] + a[4 * x + 1] + a[4 * x + 2] +\n"
                        "    a[4 * x + 3];\n o[x] = v;",
                        Line)
                  .Loads,
              are(4096, 128));
  EXPECT_THAT(footprint("float4 q = ((const float4 *)a)[x];\n"
                        "o[x] = q.x + q.y + q.z + q.w;",
                        Line)
                  .Loads,
              are(4096, 128));
}

// 65,536 separate ranges at most: 300 turns of 256 lanes, all far apart.
TEST(Footprint, TooManyRanges) {
  static constexpr const char Loop[] =
      "for (int k = 0; k < n; ++k) v += a[(k * 256 + tx) * 2];\n o[x] = v;";
  EXPECT_THAT(footprint(Loop, launch({256, 1, 1}, {64, 1, 1}, 200)).Loads,
              are(200 * 1024, 200 * 64));
  EXPECT_THAT(footprint(Loop, launch({256, 1, 1}, {64, 1, 1}, 300)).Loads,
              areNotKnown("too many"));
}

} // namespace FootprintTests
