//===- tests/unit/analyzer/ir/SeedsTests.cpp - Claims on 1.x --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a well-known introduction to CUDA said of coalescing and of bank
/// conflicts for compute capability 1.x, statement by statement: on the rules
/// of 1.0 and on those of 9.0.
///
/// On 1.0 a half-warp is served at a time. It costs one transaction of 64 or
/// 128 bytes, two of 128 for words of 16 bytes, if lane k reads word k from an
/// aligned start, and one for each lane if not. Shared memory has 16 banks and
/// serves a half-warp at a time as well, so two wavefronts are free of
/// conflicts.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace SeedsTests {

using namespace cudalint;
using testing::SizeIs;

/// Transactions of an access on 1.0 and on 9.0.
static void expectGlobal(const std::string &Source, double Old, double New,
                         AccessOp Op = AccessOp::Load,
                         const std::string &Mark = {}) {
  for (auto [CC, Expected] : {std::pair(ComputeCapability{1, 0}, Old),
                              std::pair(ComputeCapability{9, 0}, New)}) {
    const Evaluated E = evaluate(Source, {.CC = CC});
    const auto Found = E.all(MemorySpace::Global, Op, Mark);
    ASSERT_FALSE(Found.empty()) << Source;
    for (const Access &A : Found) {
      ASSERT_TRUE(A.Predicted) << toString(A);
      EXPECT_EQ(A.Predicted->PerRequest, Expected)
          << toString(CC) << ": " << toString(A);
    }
  }
}

static std::string reads(const std::string &Type, const std::string &Index) {
  return "__global__ void k(" + Type + " *o, const " + Type +
         " *data) {\n"
         "  int tid = threadIdx.x;\n"
         "  " +
         Type + " v = data[" + Index +
         "];\n"
         "  o[blockIdx.x * 256 + tid] = v;\n}\n";
}

//===----------------------------------------------------------------------===//
// Coalescing
//===----------------------------------------------------------------------===//

TEST(Coalescing, WordsOf4And8And16Bytes) {
  expectGlobal(reads("float", "tid"), 2, 4);
  expectGlobal(reads("float2", "tid"), 2, 8);
  expectGlobal(reads("float4", "tid"), 4, 16);
}

// 1.0 does not coalesce single bytes. Today 32 of them are one sector.
TEST(Coalescing, OtherWordsAreNot) {
  expectGlobal(reads("char", "tid"), 32, 1);
}

TEST(Coalescing, LaneKMustReadWordK) {
  // Neighbours swap places: all the same to today's sectors.
  expectGlobal(reads("float", "tid ^ 1"), 32, 4);
}

TEST(Coalescing, StartMustBeAligned) {
  // From 4 bytes into a sector, 128 bytes touch five.
  expectGlobal(reads("float", "tid + 1"), 32, 5);
  // A start at 64 bytes is aligned for a half-warp.
  expectGlobal(reads("float", "tid + 16"), 2, 4);
}

TEST(Coalescing, IdleLanesDoNoHarm) {
  expectGlobal("__global__ void k(float *o, const float *data) {\n"
               "  int tid = threadIdx.x;\n"
               "  if (tid % 2 == 0)\n"
               "    o[tid] = data[tid];\n}\n",
               2, 4);
}

static constexpr const char *StructRead = R"(
struct @ vec3d { float x, y, z; };
__global__ void k(float *o, const vec3d *data) {
  int tid = threadIdx.x;
  vec3d v = data[tid]; // read
  o[tid] = v.x * v.x + v.y * v.y + v.z * v.z;
}
)";

static std::string structRead(const std::string &Attribute) {
  std::string S = StructRead;
  return S.replace(S.find('@'), 1, Attribute);
}

// 12 bytes are none of 4, 8 and 16: each of the three fields on its own.
TEST(Coalescing, StructOfTwelveBytesIsNot) {
  const Evaluated E = evaluate(structRead(""));
  EXPECT_THAT(E.all(MemorySpace::Global, AccessOp::Load, "// read"), SizeIs(3));
  expectGlobal(structRead(""), 32, 12, AccessOp::Load, "// read");
}

TEST(Coalescing, RemedyAlignment) {
  const Evaluated E = evaluate(structRead("__align__(16)"));
  EXPECT_EQ(E.globalLoad("// read").Bytes, 16u);
  expectGlobal(structRead("__align__(16)"), 4, 16, AccessOp::Load, "// read");
}

TEST(Coalescing, RemedySeparateArrays) {
  expectGlobal(R"(
__global__ void k(float *o, const float *x, const float *y, const float *z) {
  int tid = threadIdx.x;
  o[tid] = x[tid] * x[tid] + y[tid] * y[tid] + z[tid] * z[tid];
}
)",
               2, 4);
}

// Floats in order into shared memory, then three of them for each thread:
// three and 16 have no common factor, nor have three and 32.
TEST(Coalescing, RemedyStaging) {
  const std::string Source = R"(
__global__ void k(float *o, const float *data) {
  __shared__ float temp[768];
  int tid = threadIdx.x;
  temp[tid] = data[tid]; // stage
  temp[tid + 256] = data[tid + 256]; // stage
  temp[tid + 512] = data[tid + 512]; // stage
  __syncthreads();
  float x = temp[tid * 3]; // use
  float y = temp[tid * 3 + 1]; // use
  float z = temp[tid * 3 + 2]; // use
  o[tid] = x * x + y * y + z * z;
}
)";
  expectGlobal(Source, 2, 4, AccessOp::Load, "// stage");
  for (auto [CC, Free] : {std::pair(ComputeCapability{1, 0}, 2.0),
                          std::pair(ComputeCapability{9, 0}, 1.0)}) {
    const Evaluated E = evaluate(Source, {.CC = CC});
    const auto Uses = E.all(MemorySpace::Shared, AccessOp::Load, "// use");
    EXPECT_THAT(Uses, SizeIs(3));
    for (const Access &A : Uses)
      EXPECT_TRUE(costs(A, {Free, Free, 1}));
    for (const Access &A :
         E.all(MemorySpace::Shared, AccessOp::Store, "// stage"))
      EXPECT_TRUE(costs(A, {Free, Free, 1}));
  }
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

struct BankRow {
  const char *Name;
  const char *Index;
  double OldWavefronts;
  unsigned OldWays;
  double Wavefronts;
  unsigned Ways;
};

class Banks : public testing::TestWithParam<BankRow> {};

TEST_P(Banks, OnBothGenerations) {
  const BankRow &Row = GetParam();
  const std::string Source = "__global__ void k(float *o, int base) {\n"
                             "  extern __shared__ float data[];\n"
                             "  int tid = threadIdx.x;\n"
                             "  float v = data[" +
                             std::string(Row.Index) +
                             "];\n"
                             "  o[tid] = v;\n}\n";
  const Access Old = evaluate(Source, {.CC = {1, 0}}).sharedLoad();
  EXPECT_TRUE(costs(Old, {Row.OldWavefronts, 2, Row.OldWays}));
  EXPECT_EQ(Old.Trust, Certainty::Exact);
  const Access New = evaluate(Source, {.CC = {9, 0}}).sharedLoad();
  EXPECT_TRUE(costs(New, {Row.Wavefronts, 1, Row.Ways}));
  EXPECT_EQ(New.Trust, Certainty::Exact);
}

// Two half-warps of 16 lanes on 16 banks, then 32 lanes on 32 banks. Rows of
// 17 repair the columns on both; writing the rows (a warp of 32 holds two)
// costs nothing on 1.0, but on 9.0 word 17r meets word 17r + 32, the last of
// the row below.
INSTANTIATE_TEST_SUITE_P(
    Statements, Banks,
    testing::Values(BankRow{"Consecutive", "base + tid", 2, 1, 1, 1},
                    BankRow{"FourApart", "base + 4 * tid", 8, 4, 4, 4},
                    BankRow{"Broadcast", "3", 2, 1, 1, 1},
                    BankRow{"SixteenApart", "16 * tid", 32, 16, 16, 16},
                    BankRow{"ColumnsOfSeventeen", "17 * tid", 2, 1, 1, 1},
                    BankRow{"RowsOfSeventeen", "tid / 16 * 17 + tid % 16", 2, 1,
                            2, 2}),
    [](const auto &Info) { return std::string(Info.param.Name); });

//===----------------------------------------------------------------------===//
// The sum of cubes
//===----------------------------------------------------------------------===//

static constexpr const char *SumOfCubes = R"(
#define DATA_SIZE 1048576
#define BLOCK_NUM 32
#define THREAD_NUM 256
__global__ void sumOfCubes(int *num, int *result) {
  extern __shared__ int shared[];
  const int tid = threadIdx.x;
  const int bid = blockIdx.x;
  shared[tid] = 0; // clear
  for (int i = bid * THREAD_NUM + tid; i < DATA_SIZE;
       i += BLOCK_NUM * THREAD_NUM) {
    int x = num[i]; // read
    shared[tid] += x * x * x; // add
  }
  __syncthreads();
  if (tid == 0) {
    for (int i = 1; i < THREAD_NUM; i++)
      shared[0] += shared[i]; // alone
    result[bid] = shared[0]; // result
  }
}
)";

TEST(SumOfCubes, ReadsInOrder) {
  expectGlobal(SumOfCubes, 2, 4, AccessOp::Load, "// read");
}

TEST(SumOfCubes, OneThreadAddsAlone) {
  const Evaluated E = evaluate(SumOfCubes);
  EXPECT_TRUE(E.Kernel.UsesDynamicShared);
  EXPECT_EQ(E.Kernel.Barriers, 1u);
  EXPECT_TRUE(costs(E.sharedStore("// clear"), {1, 1, 1, 32}));
  const auto Alone = E.all(MemorySpace::Shared, AccessOp::Load, "// alone");
  ASSERT_FALSE(Alone.empty());
  bool Walks = false;
  for (const Access &A : Alone) {
    EXPECT_TRUE(costs(A, {1, 1, 1, 1}));
    EXPECT_EQ(A.Predicted->Warps, 1u);
    Walks |= A.LoopDepth == 1;
  }
  EXPECT_TRUE(Walks);
  EXPECT_TRUE(costs(E.globalStore("// result"), {1, 1, {}, 1}));
}

} // namespace SeedsTests
