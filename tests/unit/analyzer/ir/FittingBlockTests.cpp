//===- tests/unit/analyzer/ir/FittingBlockTests.cpp - Assumed blocks ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace FittingBlockTests {

using namespace cudalint;
using testing::Contains;

using Block = std::array<std::int64_t, 3>;

/// The block with which the body of a kernel is evaluated when \p Guess is all
/// there is.
static Block blockOf(const std::string &Body, Block Guess = {256, 1, 1}) {
  Setting S;
  S.Block = Guess;
  S.IsGuess = true;
  const Evaluated E =
      evaluate("__global__ void k(float *o, int n) {\n" + Body + "}\n", S);
  return E.Block;
}

// 64 words hold 64 threads. 100 hold three warps; 66 with a neighbour hold 65
// threads, two warps.
TEST(FittingBlock, threadsHaveAWordEach) {
  EXPECT_EQ(blockOf("  __shared__ float s[64];\n"
                    "  s[threadIdx.x] = o[threadIdx.x];\n"),
            (Block{64, 1, 1}));
  EXPECT_EQ(blockOf("  __shared__ float s[100];\n"
                    "  s[threadIdx.x] = o[threadIdx.x];\n"),
            (Block{96, 1, 1}));
  EXPECT_EQ(blockOf("  __shared__ float s[66];\n"
                    "  s[threadIdx.x + 1] = o[threadIdx.x];\n"),
            (Block{64, 1, 1}));
  EXPECT_EQ(blockOf("  __shared__ float s[8];\n"
                    "  s[2 * threadIdx.x] = o[threadIdx.x];\n"),
            (Block{4, 1, 1}));
}

// All threads of most blocks are within what the grid covers. Of one block, and
// of data, nobody knows.
TEST(FittingBlock, boundsOfTheGridSpareNoThread) {
  EXPECT_EQ(blockOf("  __shared__ float s[64];\n"
                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  if (i < n) s[threadIdx.x] = o[i];\n"),
            (Block{64, 1, 1}));
  EXPECT_EQ(blockOf("  __shared__ float s[64 * 4][16 + 1];\n"
                    "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
                    "  if (4 * y < n && x < n)\n"
                    "    s[threadIdx.y * 4][threadIdx.x] = o[x * n + y];\n",
                    {32, 8, 1}),
            (Block{16, 16, 1}));
  EXPECT_EQ(blockOf("  __shared__ float s[64];\n"
                    "  if (threadIdx.x < n) s[threadIdx.x] = o[0];\n"),
            (Block{256, 1, 1}));
  EXPECT_EQ(blockOf("  __shared__ float s[64];\n"
                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  if (i < n && o[i] > 0) s[threadIdx.x] = o[i];\n"),
            (Block{256, 1, 1}));
}

// blockDim.x words lie behind those of the threads: 2 * 64 = 128.
TEST(FittingBlock, sizesOfTheBlockCountToo) {
  EXPECT_EQ(blockOf("  __shared__ float s[128];\n"
                    "  s[threadIdx.x + blockDim.x] = o[threadIdx.x];\n"),
            (Block{64, 1, 1}));
}

// A loop over the tiles of a matrix runs at least once, or the kernel does
// nothing.
TEST(FittingBlock, loopsAreLookedInto) {
  EXPECT_EQ(blockOf("  __shared__ float s[32];\n"
                    "  for (int i = 0; i < n; ++i) {\n"
                    "    s[threadIdx.x] = o[i];\n"
                    "    __syncthreads();\n"
                    "    o[threadIdx.x] += s[0];\n"
                    "    __syncthreads();\n"
                    "  }\n"),
            (Block{32, 1, 1}));
}

// All of 16 x 16 words hold 32 x 8 threads, but threadIdx.x of 16 and more
// would be in the next row.
TEST(FittingBlock, aRowHoldsItsOwnThreadsOnly) {
  EXPECT_EQ(blockOf("  __shared__ float s[16][16];\n"
                    "  s[threadIdx.y][threadIdx.x] = o[threadIdx.x];\n",
                    {32, 8, 1}),
            (Block{16, 16, 1}));
  EXPECT_EQ(blockOf("  __shared__ float s[8][8 + 1];\n"
                    "  s[threadIdx.y][threadIdx.x] = o[threadIdx.x];\n",
                    {32, 8, 1}),
            (Block{8, 8, 1}));
  EXPECT_EQ(blockOf("  __shared__ float s[4][4][4];\n"
                    "  s[threadIdx.z][threadIdx.y][threadIdx.x] = 1;\n"
                    "  __syncthreads();\n"
                    "  o[threadIdx.x] = s[0][0][threadIdx.x];\n",
                    {8, 8, 4}),
            (Block{4, 4, 4}));
  EXPECT_EQ(blockOf("  __shared__ float s[8][8][8];\n"
                    "  s[threadIdx.z][threadIdx.y][threadIdx.x] = 1;\n"
                    "  __syncthreads();\n"
                    "  o[threadIdx.x] = s[0][0][threadIdx.x];\n",
                    {32, 4, 2}),
            (Block{8, 8, 4}));
}

// More than three warps do nothing.
TEST(FittingBlock, aKernelMayRefuse) {
  EXPECT_EQ(blockOf("  if (blockDim.x > 100)\n"
                    "    return;\n"
                    "  o[threadIdx.x] = 1;\n"),
            (Block{96, 1, 1}));
}

TEST(FittingBlock, theReasonIsSaid) {
  Setting S;
  S.IsGuess = true;
  const std::string Source = "__global__ void k(float *o) {\n"
                             "  __shared__ float s[@];\n"
                             "  s[threadIdx.x] = o[threadIdx.x];\n"
                             "}\n";
  auto With = [&](const std::string &Size) {
    std::string Text = Source;
    return evaluate(Text.replace(Text.find('@'), 1, Size), S)
        .sharedStore()
        .Assumptions;
  };
  EXPECT_THAT(
      With("64"),
      Contains(
          "the block is 64 threads wide, a size that the kernel can run with"));
  EXPECT_THAT(With("256"), Contains("the block is 256 threads wide"));
}

//===----------------------------------------------------------------------===//
// Neighbours: the guess stays
//===----------------------------------------------------------------------===//

TEST(FittingBlock, whatFitsStays) {
  for (const char *Body : {
           "  __shared__ float s[256];\n"
           "  s[threadIdx.x] = o[threadIdx.x];\n",
           // Only threads that have a word use it.
           "  __shared__ float s[64];\n"
           "  if (threadIdx.x < 64)\n"
           "    s[threadIdx.x] = o[threadIdx.x];\n",
           "  __shared__ float s[64];\n"
           "  for (int i = threadIdx.x; i < 64; i += blockDim.x)\n"
           "    s[i] = o[i];\n",
           // How large it is, the launch says.
           "  extern __shared__ float s[];\n"
           "  s[threadIdx.x] = o[threadIdx.x];\n",
           // Where it is, the run says.
           "  __shared__ float s[64];\n"
           "  s[threadIdx.x * n] = o[threadIdx.x];\n",
           "  __shared__ float s[64];\n"
           "  s[threadIdx.x / 4] = o[threadIdx.x];\n",
           "  if (blockDim.x < 100)\n"
           "    return;\n"
           "  o[threadIdx.x] = 1;\n",
       })
    EXPECT_EQ(blockOf(Body), (Block{256, 1, 1})) << Body;
  EXPECT_EQ(blockOf("  __shared__ float s[32][33];\n"
                    "  s[threadIdx.y][threadIdx.x] = o[threadIdx.x];\n",
                    {32, 8, 1}),
            (Block{32, 8, 1}));
}

// A kernel that is wrong with any block is not the block's fault.
TEST(FittingBlock, whatNeverFitsStays) {
  EXPECT_EQ(blockOf("  __shared__ float s[4];\n"
                    "  s[threadIdx.x + 8] = o[threadIdx.x];\n"),
            (Block{256, 1, 1}));
}

// A block that is given is as it is.
TEST(FittingBlock, aLaunchIsNoGuess) {
  const Evaluated E = evaluate("__global__ void k(float *o) {\n"
                               "  __shared__ float s[64];\n"
                               "  s[threadIdx.x] = o[threadIdx.x];\n"
                               "}\n");
  EXPECT_EQ(E.Block, (Block{256, 1, 1}));
}

} // namespace FittingBlockTests
