//===- tests/unit/analyzer/ir/AddressNotesTests.cpp - Beside costs --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How far the next block and the next turn are, and whose samples there are,
/// counted by hand.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace AddressNotesTests {

using namespace cudalint;

static Access loadOf(const std::string &Index, const Setting &S = {}) {
  return evaluate("__global__ void k(float *o, const float *p, int n) {\n"
                  "  int t = threadIdx.x, w = t / 32, lane = t % 32;\n"
                  "  o[t + lane + w + n] = p[" +
                      Index + "]; // it\n}\n",
                  S)
      .globalLoad("// it");
}
static std::int64_t stepOf(const std::string &Index, const Setting &S = {}) {
  return loadOf(Index, S).BlockStep;
}

// Which of the arguments it loads from, neither the call says nor the library.
TEST(BaseName, IsOfTheAddressWhereNothingIsWritten) {
  const auto nameOf = [](const std::string &Argument) {
    return evaluate(
               "struct Three { float x, y, z; };\n"
               "# 1 \"vec.h\" 1 3\n"
               "__device__ inline float twice(const float &v) {\n"
               "  return v * 2; // library\n}\n"
               "# 5 \"input.cu\" 2\n"
               "__device__ void part(const Three *far, const Three *near,\n"
               "                     float *o, int n) {\n"
               "  o[0] = twice(" +
               Argument +
               "); }\n"
               "__global__ void k(const Three *far, const Three *near,\n"
               "                  float *out, int n) {\n"
               "  part(far, near, out + threadIdx.x, n);\n}\n")
        .globalLoad()
        .Source.Object;
  };
  EXPECT_EQ(nameOf("near[threadIdx.x].y"), "near");
  EXPECT_EQ(nameOf("far[threadIdx.x].y"), "far");
}

TEST(BlockQuotient, IsWhatIsComputedFromTheBlock) {
  EXPECT_TRUE(loadOf("t * 64 + blockIdx.x / 12").HasBlockQuotient);
  EXPECT_TRUE(loadOf("t * 64 + blockIdx.x % 12").HasBlockQuotient);
  EXPECT_FALSE(loadOf("t * 64 + blockIdx.x * 12").HasBlockQuotient);
  EXPECT_FALSE(loadOf("t * 64 + n / 12").HasBlockQuotient);
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
  // There are too few for the lanes of a warp.
  EXPECT_EQ(stepOf("t * 64 + blockIdx.x", {.Grid = {31, 1, 1}}), 0);
  EXPECT_EQ(stepOf("t * 64 + blockIdx.x", {.Grid = {32, 1, 1}}), 4);
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

static Access inLoop(const std::string &Loop, const std::string &Index,
                     const Setting &S = {}) {
  return evaluate("__global__ void k(float *o, const float *p, int n) {\n"
                  "  int t = threadIdx.x;\n  float s = 0;\n" +
                      Loop + "\n    s += p[" + Index +
                      "]; // it\n  o[t] = s;\n}\n",
                  S)
      .globalLoad("// it");
}

static std::int64_t turnStepOf(const std::string &Loop,
                               const std::string &Index,
                               const Setting &S = {}) {
  return inLoop(Loop, Index, S).TurnStep;
}

TEST(TurnStep, IsInBytes) {
  const std::string Rows = "for (int i = 0; i < 64; ++i)";
  EXPECT_EQ(turnStepOf(Rows, "t * 64 + i"), 4);
  EXPECT_EQ(turnStepOf(Rows, "t * 64 + 63 - i"), 4);
  EXPECT_EQ(turnStepOf(Rows, "t * 128 + i * 2"), 8);
  EXPECT_EQ(turnStepOf(Rows, "t + i * 4096"), 16384);
  // Of long loops turns are left out, and blocks are several.
  EXPECT_EQ(turnStepOf("for (int i = 0; i < 100000; ++i)", "t * 64 + i"), 4);
  EXPECT_EQ(turnStepOf(Rows, "t * 4096 + i * 128 + blockIdx.x"), 512);
  EXPECT_EQ(turnStepOf("for (int r = t; r < 8192; r += blockDim.x)",
                       "r * 1024 + blockIdx.x", {.Grid = {1024, 1, 1}}),
            1 << 20);
  EXPECT_EQ(turnStepOf("for (int i = 0; i < n; ++i)", "t * 64 + i"), 4);
  // The rows of an outer loop begin anew.
  EXPECT_EQ(turnStepOf("for (int j = 0; j < 4; ++j)\n"
                       "for (int i = 0; i < 8; ++i)",
                       "t * 64 + j * 1000 + i"),
            4);
}

TEST(TurnStep, IsOfSharedMemoryToo) {
  EXPECT_EQ(evaluate("__global__ void k(float *o) {\n"
                     "  __shared__ float s[4096];\n"
                     "  for (int i = 0; i < 4; ++i)\n"
                     "    s[threadIdx.x * 4 + i] = o[i]; // it\n"
                     "  __syncthreads(); o[threadIdx.x] = s[threadIdx.x];\n}\n")
                .sharedStore("// it")
                .TurnStep,
            4);
}

TEST(TurnStep, IsNone) {
  EXPECT_EQ(turnStepOf("for (int i = 0; i < 64; ++i)", "t * 64"), 0);
  EXPECT_EQ(turnStepOf("for (int i = 1; i < 4096; i *= 2)", "t * 4096 + i"), 0);
  EXPECT_EQ(turnStepOf("for (int i = 0; i < 64; ++i)", "t * 64 + i * i"), 0);
  EXPECT_EQ(turnStepOf("", "t * 64"), 0);
}

TEST(GoesToShared, IsSaidByAnAsynchronousCopy) {
  const auto goes = [](const std::string &Statement) {
    return evaluate("__global__ void k(float *o, const float *p) {\n"
                    "  __shared__ float s[256];\n  int t = threadIdx.x;\n"
                    "  unsigned at = (unsigned)(unsigned long)(__attribute__(("
                    "address_space(3))) float *)(s + t);\n  " +
                    Statement +
                    " // it\n"
                    "  __syncthreads(); o[t] = s[255 - t];\n}\n")
        .globalLoad("// it")
        .Source.GoesToShared;
  };
  EXPECT_TRUE(goes("asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" "
                   ":: \"r\"(at), \"l\"(p + t * 8) : \"memory\");"));
  EXPECT_TRUE(goes("s[t] = p[t * 8];"));
  EXPECT_FALSE(goes("s[t] = 2 * p[t * 8];"));
  // By way of variables, or zero at a rim.
  EXPECT_TRUE(goes("float v = p[t * 8]; s[t] = v;"));
  EXPECT_TRUE(goes("s[t] = t < 7 ? p[t * 8] : 0;"));
  EXPECT_TRUE(goes("float v = 0; if (t < 7) v = p[t * 8]; s[t] = v;"));
  EXPECT_FALSE(goes("float v = p[t * 8]; s[t] = v; o[t] = v;"));
  EXPECT_FALSE(goes("float v = 0; if (t < 7) v = p[t * 8]; s[t] = v + 1;"));
}

// Lanes, turns and warps are whole strides apart, whatever the stride is.
TEST(Lattice, IsOfAllThatABlockTakes) {
  const auto has = [](const std::string &Loop, const std::string &Index,
                      const Setting &S = {}) {
    return inLoop(Loop, Index, S).Lattice != 0;
  };
  const std::string Grid =
      "for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * "
      "gridDim.x)";
  EXPECT_TRUE(has("", "t * 2"));
  EXPECT_TRUE(has("", "t * n"));
  EXPECT_TRUE(has("", "t * 8 + blockIdx.x % 8"));
  EXPECT_TRUE(has(Grid, "i * 32"));
  EXPECT_TRUE(has(Grid, "i * n"));
  EXPECT_TRUE(has(Grid, "i * n + blockIdx.y"));
  EXPECT_TRUE(has("for (int j = 0; j < 5; ++j)", "(t + j * 7) * 3 + 1"));
  EXPECT_FALSE(has("for (int j = 0; j < 5; ++j)", "(t * 7 + j) * 3 + 1"));
  EXPECT_TRUE(has("for (int j = 0; j < n; ++j)", "(j * 512 + t) * n"));
  EXPECT_TRUE(has("", "(threadIdx.y * n + t) * 8", {.Block = {16, 16, 1}}));
  // Neighbours take neighbours, or turns and warps come to what lies between.
  EXPECT_FALSE(has("", "t"));
  EXPECT_FALSE(has("", "(t % 32) * n + t / 32"));
  EXPECT_FALSE(has("", "(t % 32) * 64 + t / 32"));
  EXPECT_FALSE(has("for (int j = 0; j < 5; ++j)", "t * 8 + j"));
  EXPECT_FALSE(has("for (int j = 0; j < n; ++j)", "t * n + j"));
  EXPECT_FALSE(has("for (int j = 0; j < n; ++j)", "t * n + j * j"));
  EXPECT_FALSE(has("", "t * n + threadIdx.y", {.Block = {16, 16, 1}}));
  EXPECT_FALSE(has("", "t * t"));
}

TEST(Lattice, IsOneForThoseThatLeaveTheSame) {
  const auto both = [](const std::string &One, const std::string &Other) {
    const Evaluated E =
        evaluate("__global__ void k(float *o, const float *p, int n, int m) {\n"
                 "  int t = threadIdx.x;\n  float s = 0;\n"
                 "  for (int i = 0; i < n; ++i)\n    s += p[" +
                 One + "]; // one\n  for (int i = 0; i < n; ++i)\n    s += p[" +
                 Other + "]; // other\n  o[t] = s;\n}\n");
    const std::uint64_t A = E.globalLoad("// one").Lattice;
    const std::uint64_t B = E.globalLoad("// other").Lattice;
    EXPECT_NE(A, 0);
    EXPECT_NE(B, 0);
    return A == B;
  };
  EXPECT_TRUE(both("(i * 256 + t) * n", "(i * 256 + t + 1) * n"));
  EXPECT_TRUE(both("(i * 256 + t) * 8", "(i * 512 + t) * 8 + 16"));
  EXPECT_FALSE(both("(i * 256 + t) * 8", "(i * 256 + t) * 8 + 1"));
  EXPECT_FALSE(both("(i * 256 + t) * n", "(i * 256 + t) * n + 1"));
  EXPECT_FALSE(both("(i * 256 + t) * n", "(i * 256 + t) * m"));
}

static std::pair<std::size_t, std::ptrdiff_t>
samplesAndThoseOfOthers(const Access &A) {
  return {A.Samples.size(),
          std::ranges::count_if(A.Samples, &RequestSample::IsOfOthers)};
}

TEST(Samples, OfOneWarpAndOfOthers) {
  const auto of = samplesAndThoseOfOthers;
  // Eight turns begin at eight places of 256 bytes, the others where these do.
  const std::string Turns = "for (int i = 0; i < 16; ++i)";
  EXPECT_THAT(of(inLoop(Turns, "t * 64 + i * 8")), testing::Pair(8, 0));
  // So do blocks, but their turns are all at one place.
  EXPECT_THAT(
      of(inLoop(Turns, "t * 64 + i * 64 + blockIdx.x", {.Grid = {64, 1, 1}})),
      testing::Pair(8, 7));
  // So do the eight warps of the block.
  EXPECT_THAT(of(inLoop(Turns, "t % 32 * 64 + t / 32 + i * 64")),
              testing::Pair(8, 7));
}

static std::optional<bool> staysInRow(const std::string &Store,
                                      std::int64_t Threads) {
  return evaluate("__global__ void k(float *o, const int *p, int n) {\n"
                  "  __shared__ float s[4][32];\n  int t = threadIdx.x;\n  " +
                      Store +
                      " = 1; // it\n"
                      "  __syncthreads(); o[t] = s[t % 4][t % 32];\n}\n",
                  {.Block = {Threads, 1, 1}})
      .sharedStore("// it")
      .StaysInRow;
}

// Rows of 32 elements.
TEST(StaysInRow, IsSeenInAllRequests) {
  EXPECT_EQ(staysInRow("s[0][t]", 32), true);
  EXPECT_EQ(staysInRow("s[2][31 - t]", 32), true);
  EXPECT_EQ(staysInRow("if (t < 31) s[2][t + 1]", 64), true);
  // The second warp is in the next row, or the last lane is.
  EXPECT_EQ(staysInRow("s[0][t]", 64), false);
  EXPECT_EQ(staysInRow("s[2][t + 1]", 32), false);
  EXPECT_EQ(staysInRow("s[2][t - 1]", 32), false);
  // One row, but another one.
  EXPECT_EQ(staysInRow("s[0][t + 32]", 32), false);
}

TEST(StaysInRow, IsOnlyOfWhatIsKnown) {
  EXPECT_EQ(staysInRow("s[0][p[t]]", 32), false);
  EXPECT_EQ(staysInRow("s[0][n]", 32), false);
  EXPECT_EQ(staysInRow("for (int i = 0; i < n; ++i) s[0][i]", 32), false);
  EXPECT_EQ(staysInRow("for (int i = 0; i < 32; ++i) s[0][i]", 32), true);
  // Of a row that is no constant nothing is asked.
  EXPECT_EQ(staysInRow("s[t % 4][t]", 32), std::nullopt);
}

// Warps of rows of threads are evaluated for each other.
static std::optional<bool> staysInRowOfBlock(const std::string &Store,
                                             std::int64_t X, std::int64_t Y,
                                             unsigned Row) {
  return evaluate("__global__ void k(float *o) {\n"
                  "  __shared__ float s[4][" +
                      std::to_string(Row) +
                      "];\n"
                      "  int x = threadIdx.x, y = threadIdx.y;\n"
                      "  int i = y * blockDim.x + x;\n  " +
                      Store +
                      " = 1; // it\n"
                      "  __syncthreads(); o[i] = s[x % 4][x % 32];\n}\n",
                  {.Block = {X, Y, 1}})
      .sharedStore("// it")
      .StaysInRow;
}

TEST(StaysInRow, OfBlocksWithRowsOfThreads) {
  const auto stays = staysInRowOfBlock;
  EXPECT_EQ(stays("s[0][x]", 32, 8, 32), true);
  EXPECT_EQ(stays("s[0][i % 32]", 32, 8, 32), true);
  EXPECT_EQ(stays("s[1][x]", 16, 16, 16), true);
  EXPECT_EQ(stays("if (y == 0) s[0][i]", 32, 8, 32), true);
  // The second row of threads is behind the row of the array, the third one of
  // them only, and the last one.
  EXPECT_EQ(stays("s[0][i]", 32, 8, 32), false);
  EXPECT_EQ(stays("s[0][i]", 32, 3, 64), false);
  EXPECT_EQ(stays("s[0][i]", 32, 32, 992), false);
  EXPECT_EQ(stays("s[0][x + 1]", 32, 8, 32), false);
  EXPECT_EQ(stays("s[0][x]", 64, 4, 32), false);
  EXPECT_EQ(stays("s[0][x]", 64, 4, 64), true);
  EXPECT_EQ(stays("s[0][i % 64]", 32, 8, 32), false);
  EXPECT_EQ(stays("s[0][i % 64]", 32, 8, 64), true);
}

// Which plane it is, other subscripts say.
TEST(StaysInRow, OfARowOfEachPlane) {
  const auto stays = [](const std::string &Store) {
    return evaluate("__global__ void k(float *o) {\n"
                    "  __shared__ float s[2][8][8][9];\n"
                    "  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;\n"
                    "  " +
                        Store +
                        " = 1; // it\n"
                        "  __syncthreads(); o[x] = s[z][x][y][x];\n}\n",
                    {.Block = {8, 8, 2}})
        .sharedStore("// it")
        .StaysInRow;
  };
  EXPECT_EQ(stays("s[z][x][0][y]"), true);
  EXPECT_EQ(stays("s[z][x][7][y + 1]"), true);
  EXPECT_EQ(stays("s[z][x][7][y + 2]"), false);
  EXPECT_EQ(stays("s[z][x][0][y * 8 + x]"), false);
  EXPECT_EQ(stays("s[z][2][0][y]"), true);
}

// The addresses of warps are as far apart as makes no difference to what they
// cost: one of them stands for all.
TEST(StaysInRow, OfWarpsThatStandForOthers) {
  const auto stays = staysInRowOfBlock;
  EXPECT_EQ(stays("s[0][i]", 32, 8, 256), true);
  EXPECT_EQ(stays("s[3][i]", 16, 16, 256), true);
  EXPECT_EQ(stays("s[0][x * 16 + y]", 16, 16, 256), true);
  EXPECT_EQ(stays("s[0][255 - i]", 32, 8, 256), true);
  EXPECT_EQ(stays("for (int k = 0; k < 2; ++k) s[0][i + 256 * k]", 32, 8, 512),
            true);
  // The last warp, or the last turn, is in the next row.
  EXPECT_EQ(stays("s[0][i]", 32, 9, 256), false);
  EXPECT_EQ(stays("s[1][224 - i]", 32, 8, 256), false);
  EXPECT_EQ(stays("s[0][i + 1]", 32, 8, 256), false);
  EXPECT_EQ(stays("for (int k = 0; k < 3; ++k) s[0][i + 256 * k]", 32, 8, 512),
            false);
}

} // namespace AddressNotesTests
