//===- tests/unit/analyzer/ir/KernelTraitsTests.cpp - What a kernel has ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>
#include <regex>

namespace KernelTraitsTests {

using namespace cudalint;
using testing::SizeIs;

static KernelTraits traits(const std::string &Body) {
  return evaluate("__global__ void k(float *o, int n) {\n" + Body + "\n}\n")
      .Traits;
}

TEST(KernelTraits, WhichThreadsAreInAWarpMatters) {
  for (const char *Body :
       {"o[0] = __shfl_down_sync(~0u, n, 1);", "o[0] = __shfl_sync(~0u, n, 3);",
        "o[threadIdx.x] = __nvvm_vote_ballot_sync(~0u, n > 3);",
        "o[threadIdx.x] = __nvvm_activemask();", "__nvvm_bar_warp_sync(~0u);",
        "int lane; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane)); o[lane] = "
        "1;"})
    EXPECT_TRUE(traits(Body).DependsOnLanes) << Body;
  for (const char *Body :
       {"o[threadIdx.x] = n;", "__syncthreads(); o[threadIdx.x % 32] = n;",
        "atomicAdd(o, 1.0f);",
        "__shared__ float s[64]; s[threadIdx.x] = o[n]; __syncthreads();"
        "o[threadIdx.x] = s[63 - threadIdx.x];"})
    EXPECT_FALSE(traits(Body).DependsOnLanes) << Body;
}

TEST(KernelTraits, LoopsThatTurnOften) {
  for (const char *Body :
       {"for (int i = 0; i < n; ++i) o[i] = i;",
        "for (int i = 0; i < 9; ++i) o[i * n] = i;", "while (o[n] < 3) ++n;"})
    EXPECT_TRUE(traits(Body).HasLongLoops) << Body;
  for (const char *Body :
       {"o[threadIdx.x] = n;", "for (int i = 0; i < 8; ++i) o[i * n] = i;"})
    EXPECT_FALSE(traits(Body).HasLongLoops) << Body;
}

TEST(KernelTraits, BarriersInLoopsAreToldOnce) {
  EXPECT_THAT(traits("for (int i = 0; i < n; ++i) { o[i] = 1;\n"
                     "  __syncthreads(); }\n")
                  .LoopBarriers,
              SizeIs(1));
  EXPECT_THAT(traits("o[1] = 1; __syncthreads();").LoopBarriers, SizeIs(0));
}

/// The source with .x and .y of threadIdx, blockIdx, blockDim exchanged.
static std::string turned(std::string Body) {
  Body = std::regex_replace(
      Body, std::regex("(threadIdx|blockIdx|blockDim)\\.x"), "$1.@");
  Body = std::regex_replace(
      Body, std::regex("(threadIdx|blockIdx|blockDim)\\.y"), "$1.x");
  return std::regex_replace(Body, std::regex("@"), "y");
}

// `#pragma unroll` is asked for already: nothing is left in local memory for
// it.
TEST(KernelTraits, ArraysOfLoopsThatAreUnrolledAreNotLocal) {
  const auto arrays = [](const std::string &Pragma) {
    return traits("float part[8];\n" + Pragma +
                  "for (int i = 0; i < 8; ++i) part[i] = o[32 * i + n];\n" +
                  Pragma + "for (int i = 0; i < 8; ++i) o[i] = part[7 - i];\n")
        .LocalArrays;
  };
  EXPECT_THAT(arrays(""), SizeIs(1));
  EXPECT_THAT(arrays("#pragma unroll\n"), SizeIs(0));
  EXPECT_THAT(arrays("#pragma unroll 8\n"), SizeIs(0));
  EXPECT_THAT(arrays("#pragma unroll 2\n"), SizeIs(1));
}

// What the lanes of a warp do with other roles is what they do in the code that
// is written so.
TEST(SwappedRoles, AreThoseOfTheTurnedSource) {
  const char *Bodies[] = {
      "o[threadIdx.x * 64 + threadIdx.y] = 1;",
      "o[(blockIdx.y * blockDim.y + threadIdx.y) * 1024 + blockIdx.x * "
      "blockDim.x + threadIdx.x] = 1;",
      "__shared__ float s[32][33]; s[threadIdx.x % 32][threadIdx.y] = n;\n"
      "__syncthreads(); o[threadIdx.x] = s[threadIdx.y % 32][threadIdx.x % "
      "32];",
      "if (threadIdx.x < 3) o[threadIdx.y * 4 + threadIdx.x] = 1;",
      "for (int i = threadIdx.y; i < 64; i += blockDim.y) o[i * 64 + "
      "threadIdx.x] = 1;"};
  for (const std::string Body : Bodies)
    for (const std::array<std::int64_t, 3> Block :
         {std::array<std::int64_t, 3>{16, 16, 1}, {32, 8, 1}, {4, 12, 2}}) {
      const auto source = [](const std::string &Of) {
        return "__global__ void k(float *o, int n) {\n" + Of + "\n}\n";
      };
      Setting Swapped, Turned;
      Swapped.HasSwappedRoles = true;
      Swapped.Block = Block;
      Turned.Block = {Block[1], Block[0], Block[2]};
      const Evaluated A = evaluate(source(Body), Swapped);
      const Evaluated B = evaluate(source(turned(Body)), Turned);
      ASSERT_EQ(A.Kernel.Accesses.size(), B.Kernel.Accesses.size()) << Body;
      for (std::size_t I = 0; I != A.Kernel.Accesses.size(); ++I) {
        const Access &X = A.Kernel.Accesses[I], &Y = B.Kernel.Accesses[I];
        ASSERT_TRUE(X.Predicted && Y.Predicted) << Body;
        EXPECT_EQ(X.Predicted->PerRequest, Y.Predicted->PerRequest) << Body;
        EXPECT_EQ(X.Predicted->Lanes, Y.Predicted->Lanes) << Body;
        EXPECT_EQ(X.Executions, Y.Executions) << Body;
      }
    }
}

} // namespace KernelTraitsTests
