//===- tests/unit/analyzer/ir/BlockRoleTests.cpp - What a block is --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

namespace BlockRoleTests {

using namespace cudalint;

/// As `printf("%d", n)` is compiled, but for where its arguments go.
static constexpr char Shows[] =
    "extern \"C\" __device__ int vprintf(const char *, const char *);\n"
    "#define show(n) vprintf(\"%d\", (const char *)(size_t)(n))\n";

static BlockRole roleOf(const std::string &Body) {
  return evaluate(std::string(Shows) +
                  "__device__ int unseen(int);\n"
                  "__global__ void k(float *o, int *p, int n) {\n" +
                  Body + "\n}\n")
      .Traits.Blocks;
}

TEST(BlockRole, BlocksThatHalveThemselves) {
  const std::string Sum = "if (threadIdx.x < h) o[threadIdx.x] += "
                          "o[threadIdx.x + h];\n";
  for (const char *Loop :
       {"for (int h = blockDim.x / 2; h > 0; h /= 2)\n",
        "for (unsigned h = blockDim.x >> 1; h > 0; h >>= 1)\n",
        "for (unsigned h = blockDim.x * blockDim.y / 2; h > 32; h /= 2)\n",
        "for (int h = 128; h; h >>= 1)\n"})
    EXPECT_TRUE(roleOf(Loop + Sum).HalvesItself) << Loop;
  for (const char *Loop : {"for (int h = 16; h > 0; h /= 2)\n", // In a warp.
                           "for (int h = 1; h < blockDim.x; h *= 2)\n",
                           "for (int h = n; h > 0; h /= 2)\n",
                           "for (int h = blockDim.x; h > 0; --h)\n"})
    EXPECT_FALSE(roleOf(Loop + Sum).HalvesItself) << Loop;
}

TEST(BlockRole, BlocksThatDoTheSame) {
  for (const char *Body :
       {"o[threadIdx.x] = n;",
        "for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) o[i] = "
        "1;",
        "atomicAdd(p, 1);",
        // All make the same of what they load, and leave it side by side.
        "int s = 0; for (int i = 0; i < n; ++i) s += p[i]; o[blockIdx.x] = s;",
        "int s = 0; for (int i = threadIdx.x; i < n; i += 64) s += p[i];\n"
        "if (threadIdx.x == 0) o[2 * blockIdx.x + 1] = s;",
        // The number is of this block alone.
        "__shared__ int s; s = 0; __syncthreads(); o[atomicAdd(&s, 1)] = n;"})
    EXPECT_FALSE(roleOf(Body).TellsBlocksApart) << Body;
  for (const char *Body :
       {"o[blockIdx.x] = n;",
        "for (int i = 0; i < n; ++i) o[blockIdx.x * n + i] = p[i];",
        "long long c; asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(c));\n"
        "o[blockIdx.x] = p[0] + c;",
        "int m; asm(\"mov.u32 %0, %%smid;\" : \"=r\"(m));\n"
        "o[blockIdx.x] = p[0] + m;",
        "int s = 0; for (int i = 0; i < n; ++i) s += p[i + blockIdx.x];\n"
        "o[blockIdx.x] = s;",
        "int s = 0; for (int i = 0; i < n; ++i) s += p[i];\n"
        "if (blockIdx.x == 0) o[blockIdx.x] = s;",
        // Only what is stored depends on it.
        "o[threadIdx.x] = blockIdx.y;", "atomicAdd(o, float(blockIdx.x));",
        "for (int i = atomicAdd(p, 1); i < n; i = atomicAdd(p, 1)) o[i] = 1;",
        "int b; asm volatile(\"atom.global.add.u32 %0, [%1], 1;\" : \"=r\"(b) "
        ": \"l\"(p) : \"memory\"); o[b] = 1;",
        "int b; asm(\"mov.u32 %0, %%ctaid.x;\" : \"=r\"(b)); o[b] = 1;",
        "o[unseen(n)] = 1;"})
    EXPECT_TRUE(roleOf(Body).TellsBlocksApart) << Body;
}

TEST(BlockRole, MoreBlocksShareTheWork) {
  for (const char *Body :
       {"for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
        "     i += gridDim.x * blockDim.x) o[i] = 1;",
        "int part = n / gridDim.x;\n"
        "for (int i = blockIdx.x * part; i < (blockIdx.x + 1) * part; ++i)\n"
        "  o[i] = 1;",
        "unsigned all; asm(\"mov.u32 %0, %%nctaid.x;\" : \"=r\"(all));\n"
        "for (int i = blockIdx.x; i < n; i += all) o[i] = 1;"})
    EXPECT_TRUE(roleOf(Body).SharesAmongBlocks) << Body;
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) o[blockIdx.x * n + i] = 1;",
        // It takes the size for a number of rows.
        "for (int i = 0; i < n; ++i)\n"
        "  o[(blockIdx.x * gridDim.y + blockIdx.y) * n + i] = 1;",
        "if (blockIdx.x * 256 + threadIdx.x < n)\n"
        "  for (int i = 0; i < n; ++i) o[i * n + blockIdx.x] += 1;",
        // The last block to come here, which has all of them left.
        "if (atomicAdd(p, 1) == gridDim.x - 1)\n"
        "  for (int i = 0; i < gridDim.x * blockDim.x; ++i) o[i] = 1;",
        // What is behind the last one is left out; a row beside it.
        "int b = blockIdx.y * gridDim.x + blockIdx.x;\n"
        "if (b < n) for (int i = 0; i < n; ++i) o[b * n + i] = 1;",
        "for (int i = 0; i < n; ++i)\n"
        "  o[i * n + blockIdx.x] = blockIdx.x + 1 < gridDim.x ? 1 : 2;",
        // A place in a list is no part of a queue.
        "for (int i = 0; i < n; ++i) o[atomicAdd(p, 1)] = i;"})
    EXPECT_FALSE(roleOf(Body).SharesAmongBlocks) << Body;
}

TEST(BlockRole, APartForEachThread) {
  EXPECT_TRUE(
      roleOf("o[blockIdx.x * blockDim.x + threadIdx.x] = n;").HasPartPerThread);
  EXPECT_FALSE(roleOf("o[blockIdx.x * 256 + threadIdx.x] = blockDim.x;")
                   .HasPartPerThread);
}

TEST(BlockRole, ResultsOfWhichTheLastOneWins) {
  for (const char *Body :
       {"float sum = 0;\n"
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
        "     i += gridDim.x * blockDim.x) sum += o[i];\n"
        "if (threadIdx.x == 0) o[0] = sum;",
        "o[threadIdx.x + n] = blockIdx.x;"})
    EXPECT_TRUE(roleOf(Body).StoresToOnePlace) << Body;
  for (const char *Body :
       {"if (threadIdx.x == 0) o[blockIdx.x] = o[n];",
        // All blocks store the same.
        "o[0] = n;",
        // Of one block.
        "if (blockIdx.x == 3) o[0] = o[n];",
        // The last block to come here.
        "if (atomicAdd(p, 1) == gridDim.x - 1) o[0] = o[n];",
        "atomicAdd(o, o[blockIdx.x]);",
        // What is read decides where.
        "int i = 0; while (p[i + blockIdx.x]) ++i; o[i] = o[n];",
        "__shared__ float s[256]; s[threadIdx.x] = o[blockIdx.x];"})
    EXPECT_FALSE(roleOf(Body).StoresToOnePlace) << Body;
}

TEST(BlockRole, WaitsForAFlag) {
  for (const char *Body :
       {"while (*(volatile int *)p != n) ;",
        "if (threadIdx.x == 0) while (*(volatile int *)(p + blockIdx.x) < n) ;",
        "while (atomicAdd(p, 0) == 0) ;"})
    EXPECT_TRUE(roleOf(Body).WaitsForFlag) << Body;
  for (const char *Body :
       {// Each turn looks elsewhere.
        "volatile int *v = p; int i = 0; while (v[i] != n) ++i; o[i] = 1;",
        "while (atomicAdd(p, 1) < n) o[threadIdx.x] += 1;",
        "int old = *p, seen; do { seen = old; old = atomicCAS(p, seen, seen + "
        "n); } while (seen != old);",
        "__shared__ volatile int s; s = n; while (s) ;"})
    EXPECT_FALSE(roleOf(Body).WaitsForFlag) << Body;
}

TEST(BlockRole, LoopsThatAccessNothing) {
  EXPECT_TRUE(roleOf("for (int i = 0; i < n; ++i) n = n * n % 1009;\n"
                     "o[n] = 1;")
                  .HasBareLoops);
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) o[i] = 1;",
        "for (int i = 0; i < 4; ++i) n = n * n % 1009; o[n] = 1;"})
    EXPECT_FALSE(roleOf(Body).HasBareLoops) << Body;
}

TEST(BlockRole, SizesOfTheBlockThatAreRead) {
  using Sizes = std::array<bool, 3>;
  EXPECT_EQ(roleOf("o[threadIdx.x] = 1;").ReadsBlockSize, Sizes());
  EXPECT_EQ(roleOf("o[threadIdx.x] = blockDim.y;").ReadsBlockSize,
            (Sizes{false, true, false}));
  EXPECT_EQ(
      roleOf("o[blockIdx.x * blockDim.x + blockDim.z] = 1;").ReadsBlockSize,
      (Sizes{true, false, true}));
  EXPECT_EQ(roleOf("o[unseen(n)] = 1;").ReadsBlockSize,
            (Sizes{true, true, true}));
}

TEST(BlockRole, OnlyPrints) {
  for (const char *Body : {"show(threadIdx.x);", "show(p[threadIdx.x]);",
                           "__shared__ int s; s = p[n]; show(s);"})
    EXPECT_TRUE(roleOf(Body).OnlyPrints) << Body;
  for (const char *Body :
       {"o[n] = 1;", "if (n < 0) show(n); o[n] = 1;", "show(atomicAdd(p, 1));",
        "show(unseen(n));",
        "asm volatile(\"st.global.u32 [%0], %1;\" :: \"l\"(p), \"r\"(n));\n"
        "show(n);"})
    EXPECT_FALSE(roleOf(Body).OnlyPrints) << Body;
}

TEST(BlockRole, LaunchesKernels) {
  const std::string Declared =
      "extern \"C\" __device__ void *cudaGetParameterBuffer(size_t, size_t);\n"
      "extern \"C\" __device__ int cudaLaunchDevice(void *, void *, dim3, dim3,"
      " unsigned, void *);\n";
  EXPECT_TRUE(evaluate(Declared + "__global__ void k(int *p, int n) {\n"
                                  "  p[n] = 1;\n"
                                  "  if (n > 0) k<<<4, 32>>>(p, n - 1);\n"
                                  "}\n")
                  .Traits.Blocks.LaunchesKernels);
  EXPECT_FALSE(roleOf("o[threadIdx.x] = 1;").LaunchesKernels);
  // As the headers of CUDA 12 and 13 have it; what it launches may print, too.
  const BlockRole Role =
      evaluate(
          std::string(Shows) +
          "extern \"C\" __device__ void *__cudaCDP2GetParameterBuffer(size_t, "
          "size_t);\n"
          "extern \"C\" __device__ int __cudaCDP2LaunchDevice(void *, void "
          "*);\n"
          "__global__ void k(int n) {\n"
          "  show(n);\n"
          "  int *p = (int *)__cudaCDP2GetParameterBuffer(8, 8);\n"
          "  *p = n - 1;\n"
          "  __cudaCDP2LaunchDevice(p, nullptr);\n"
          "}\n")
          .Traits.Blocks;
  EXPECT_TRUE(Role.LaunchesKernels);
  EXPECT_TRUE(Role.OnlyPrints);
}

} // namespace BlockRoleTests
