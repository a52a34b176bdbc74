//===- tests/unit/analyzer/ir/SharedVariablesTests.cpp - Who touches what -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace cudalint::SharedVariablesTests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The one of a variable `Name` of a kernel, whose linkage name ends with it.
SharedVariable variable(const Evaluated &E, const std::string &Name) {
  for (const SharedVariable &Each : E.Kernel.Shared)
    if (Each.Name.ends_with(Name))
      return Each;
  ADD_FAILURE() << "no variable " << Name;
  return {};
}

TEST(SharedVariables, AreSeenThroughCastsAndPointers) {
  const Evaluated E = evaluate(R"cuda(
__global__ void k(float *p) {
  __shared__ float tile[32][32];
  __shared__ float other[64];
  int t = threadIdx.x;
  tile[t / 32][t % 32] = p[t];                     // named
  *(float4 *)&tile[t / 8][t % 8 * 4] = float4{};   // cast
  float *flat = &tile[0][0];
  flat[t] = 1;                                     // flat
  other[t & 63] = 2;                               // other
  p[t] = tile[t % 32][t / 32] + other[63 - (t & 63)];
}
)cuda");
  ASSERT_THAT(E.Kernel.Shared, SizeIs(2));
  EXPECT_EQ(variable(E, "tile").Bytes, 32u * 32 * 4);
  EXPECT_EQ(variable(E, "tile").Widest, 16u);
  EXPECT_THAT(variable(E, "tile").Unseen, IsEmpty());
  EXPECT_FALSE(variable(E, "tile").HasUnreached);
  EXPECT_EQ(variable(E, "other").Bytes, 64u * 4);
  EXPECT_EQ(variable(E, "other").Widest, 4u);
  for (const char *Mark : {"// named", "// cast", "// flat"})
    EXPECT_THAT(E.sharedStore(Mark).Variable, EndsWith("tile")) << Mark;
  EXPECT_THAT(E.sharedStore("// other").Variable, EndsWith("other"));
}

TEST(SharedVariables, WhoseAddressLeavesAreNotAllSeen) {
  const Evaluated E = evaluate(R"cuda(
__device__ void f(float *);
__global__ void k(float *p, float **q) {
  __shared__ float passed[32], kept[32], assembled[32], own[32];
  int t = threadIdx.x & 31;
  passed[t] = kept[t] = assembled[t] = own[t] = t;
  f(passed);
  q[t] = kept;
  asm volatile("red.async %0;" ::"l"(assembled));
  p[t] = passed[t] + kept[t] + assembled[t] + own[t];
}
)cuda");
  EXPECT_THAT(variable(E, "passed").Unseen, HasSubstr("passed to '_Z1fPf'"));
  EXPECT_THAT(variable(E, "kept").Unseen, HasSubstr("stored"));
  EXPECT_THAT(variable(E, "assembled").Unseen, HasSubstr("inline PTX"));
  EXPECT_THAT(variable(E, "own").Unseen, IsEmpty());
}

TEST(SharedVariables, OneOfSeveralIsNone) {
  const Evaluated E = evaluate(R"cuda(
__global__ void k(float *p, int n) {
  __shared__ float a[32], b[32];
  int t = threadIdx.x & 31;
  a[t] = b[t] = t;
  float *q = n > 7 ? a : b;
  q[t] = 3; // either
  p[t] = a[t] + b[t];
}
)cuda");
  EXPECT_THAT(E.sharedStore("// either").Variable, IsEmpty());
  for (const char *Name : {"1a", "1b"})
    EXPECT_THAT(variable(E, Name).Unseen, HasSubstr("another variable"));
}

TEST(SharedVariables, WhatNoLaneComesToIsNoted) {
  const Evaluated E = evaluate(R"cuda(
__global__ void k(float *p) {
  __shared__ float all[256], some[256];
  int t = threadIdx.x;
  all[t] = some[t] = p[t];
  if (t >= 512)
    ((double *)some)[t & 1] = 2;
  p[t] = all[255 - t] + some[255 - t];
}
)cuda");
  EXPECT_FALSE(variable(E, "all").HasUnreached);
  EXPECT_TRUE(variable(E, "some").HasUnreached);
  EXPECT_EQ(variable(E, "some").Widest, 8u);
}

TEST(SharedVariables, OfTheLaunchHaveNoSize) {
  const Evaluated E = evaluate(R"cuda(
extern __shared__ float s[];
__global__ void k(float *p) {
  s[threadIdx.x] = p[threadIdx.x];
  p[threadIdx.x] = s[255 - threadIdx.x];
}
)cuda");
  ASSERT_THAT(E.Kernel.Shared, SizeIs(1));
  EXPECT_EQ(E.Kernel.Shared[0].Bytes, 0u);
  EXPECT_EQ(E.sharedStore().Variable, E.Kernel.Shared[0].Name);
}

} // namespace
// Lanes 0 to 31 fill 128 floats, and take four of them at once: those that are
// loaded with the first of a word are not beyond it.
TEST(Reach, IsThatOfTheLanesOwnBytes) {
  const Evaluated E =
      evaluate("__global__ void k(float *o) {\n"
               "  __shared__ __align__(16) float s[128];\n"
               "  int t = threadIdx.x;\n"
               "  for (int i = 0; i < 4; ++i) s[t + 32 * i] = i; // store\n"
               "  __syncthreads();\n"
               "  float sum = 0;\n"
               "#pragma unroll\n"
               "  for (int i = 0; i < 4; ++i) sum += s[t * 4 + i]; // load\n"
               "  o[t] = sum;\n"
               "}\n",
               {.Block = {32, 1, 1}, .Expected = true});
  const Access Store = E.only(MemorySpace::Shared, AccessOp::Store, "// store");
  ASSERT_TRUE(Store.Reach);
  EXPECT_EQ(Store.Reach->Begin, 0);
  EXPECT_EQ(Store.Reach->End, 512);
  const Access Load = E.only(MemorySpace::Shared, AccessOp::Load, "// load");
  EXPECT_EQ(Load.Bytes, 16u);
  ASSERT_TRUE(Load.Reach);
  EXPECT_EQ(Load.Reach->Begin, 0);
  EXPECT_EQ(Load.Reach->End, 512);
}

// As ptxas -v has it, of nvcc 13.0 for sm_90: 7936 bytes.
TEST(SharedVariables, WhatNothingReadsTakesNoRoom) {
  const Evaluated E = evaluate(R"cuda(
__device__ void use(float *p) { asm volatile("" :: "l"(p)); }
__global__ void k(float *p) {
  __shared__ float read[64], cast[128], counted[256], passed[512];
  __shared__ float stored[100];
  __shared__ float4 vectors[100];
  __shared__ volatile float kept[1024];
  int t = threadIdx.x;
  read[t] = p[t];
  stored[t] = p[t];
  vectors[t] = float4{};
  kept[t] = p[t];
  *(float4 *)&cast[4 * t] = float4{};
  atomicAdd(&counted[t], 1.0f);
  passed[t] = 2;
  use(passed);
  p[t] = read[t];
}
)cuda");
  for (const char *Each : {"stored", "vectors"})
    EXPECT_TRUE(variable(E, Each).IsOnlyStored) << Each;
  for (const char *Each : {"read", "cast", "counted", "passed", "kept"})
    EXPECT_FALSE(variable(E, Each).IsOnlyStored) << Each;
  EXPECT_EQ(E.Kernel.StaticSharedBytes, 7936u);
}

} // namespace cudalint::SharedVariablesTests
