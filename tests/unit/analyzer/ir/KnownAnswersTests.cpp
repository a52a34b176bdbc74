//===- tests/unit/analyzer/ir/KnownAnswersTests.cpp - From text to numbers ===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels whose traffic is known without this program: measured on an H200,
/// published, or counted by hand where the comment says how.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace KnownAnswersTests {

using namespace cudalint;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Replaces every `@` by `Text`.
static std::string with(std::string Source, const std::string &Text) {
  for (std::size_t At; (At = Source.find('@')) != std::string::npos;)
    Source.replace(At, 1, Text);
  return Source;
}

//===----------------------------------------------------------------------===//
// What an H200 measured, instruction by instruction
//===----------------------------------------------------------------------===//

struct StrideRow {
  const char *Type;
  unsigned Stride; ///< In elements.
  double PerRequest, Ideal;
};

class SharedStride : public testing::TestWithParam<StrideRow> {};

TEST_P(SharedStride, AsMeasured) {
  const StrideRow &Row = GetParam();
  const Evaluated E =
      evaluate(with("__global__ void k(" + std::string(Row.Type) +
                        " *o) {\n"
                        "  extern __shared__ " +
                        Row.Type +
                        " s[];\n"
                        "  o[threadIdx.x] = s[threadIdx.x * @];\n"
                        "}\n",
                    std::to_string(Row.Stride)));
  const Access A = E.sharedLoad();
  EXPECT_TRUE(costs(A, {Row.PerRequest, Row.Ideal}));
  EXPECT_EQ(A.Trust, Certainty::Exact) << toString(A);
  EXPECT_TRUE(E.Kernel.UsesDynamicShared);
}

INSTANTIATE_TEST_SUITE_P(
    H200, SharedStride,
    testing::Values(StrideRow{"float", 1, 1, 1}, StrideRow{"float", 2, 2, 1},
                    StrideRow{"float", 4, 4, 1}, StrideRow{"float", 16, 16, 1},
                    StrideRow{"float", 17, 1, 1}, StrideRow{"float", 32, 32, 1},
                    StrideRow{"double", 1, 2, 2}, StrideRow{"double", 2, 4, 2},
                    StrideRow{"float4", 1, 4, 4}, StrideRow{"float4", 3, 4, 4},
                    StrideRow{"float4", 8, 32, 4}),
    [](const auto &Info) {
      return Info.param.Type + std::to_string(Info.param.Stride);
    });

class GlobalStride : public testing::TestWithParam<StrideRow> {};

TEST_P(GlobalStride, AsMeasured) {
  const StrideRow &Row = GetParam();
  const Evaluated E =
      evaluate(with("__global__ void k(float *o, const float *a) {\n"
                    "  __shared__ float s[256];\n"
                    "  s[threadIdx.x] = a[threadIdx.x * @];\n"
                    "  o[threadIdx.x] = s[255 - threadIdx.x];\n"
                    "}\n",
                    std::to_string(Row.Stride)));
  const Access A = E.globalLoad();
  EXPECT_TRUE(costs(A, {Row.PerRequest, Row.Ideal}));
  // An allocation starts at a multiple of 256 bytes: that is taken for granted.
  EXPECT_EQ(A.Trust, Certainty::Assumed);
  EXPECT_THAT(A.Assumptions, testing::ElementsAre("'a' is 256-byte aligned"));
}

INSTANTIATE_TEST_SUITE_P(
    H200, GlobalStride,
    testing::Values(StrideRow{"float", 1, 4, 4}, StrideRow{"float", 2, 8, 4},
                    StrideRow{"float", 3, 12, 4}, StrideRow{"float", 8, 32, 4},
                    StrideRow{"float", 32, 32, 4}),
    [](const auto &Info) {
      return Info.param.Type + std::to_string(Info.param.Stride);
    });

TEST(MeasuredStructs, FieldOfTwelveBytes) {
  const Evaluated E = evaluate(R"(
struct vec { float x, y, z; };
__global__ void k(float *o, const vec *a) {
  float x = a[threadIdx.x].x; // x
  float y = a[threadIdx.x].y; // y
  float z = a[threadIdx.x].z; // z
  o[threadIdx.x] = x * y + z;
}
)");
  // Three loads, each 12 sectors where its 128 bytes would fit into 4.
  std::uint64_t Key = 0;
  for (const char *Mark : {"// x", "// y", "// z"}) {
    const Access A = E.globalLoad(Mark);
    EXPECT_TRUE(costs(A, {12, 4}));
    EXPECT_EQ(A.Bytes, 4u);
    EXPECT_EQ(A.Predicted->BytesUsed, 128);
    // One warp touches the three together.
    EXPECT_NE(A.GroupKey, 0u);
    EXPECT_TRUE(Key == 0 || Key == A.GroupKey);
    Key = A.GroupKey;
    ASSERT_TRUE(A.Source.Field);
    EXPECT_EQ(A.Source.Field->StructBytes, 12u);
  }
}

TEST(MeasuredStructs, AlignedStructIsOneLoad) {
  const Evaluated E = evaluate(R"(
struct __align__(16) vec { float x, y, z; };
__global__ void k(float *o, const vec *a) {
  vec v = a[threadIdx.x];
  o[threadIdx.x] = v.x * v.y + v.z;
}
)");
  // 32 lanes times 16 bytes are 16 sectors, all of them needed.
  const Access A = E.globalLoad();
  EXPECT_EQ(A.Bytes, 16u);
  EXPECT_TRUE(costs(A, {16, 16}));
}

//===----------------------------------------------------------------------===//
// Published counts
//===----------------------------------------------------------------------===//

/// Wavefronts beyond the ideal, in all warps of the block together.
static double extraWavefronts(const Evaluated &E) {
  double Sum = 0;
  for (const Access &A : E.Kernel.Accesses)
    if (A.Space == MemorySpace::Shared && A.Predicted)
      Sum += (A.Predicted->PerRequest - A.Predicted->Ideal) *
             A.Predicted->Requests * A.Predicted->Warps;
  return Sum;
}

/// The second kernel of Harris' reduction, over 256 threads. In turn s the
/// threads t with 2·s·t < 256 work, 128/s of them, on words 2·s·t and
/// 2·s·t + s. Lanes are 2·s words apart, so of 32 lanes min(2·s, 32) share a
/// bank, and from s = 8 on there are fewer than 32 lanes to share it:
///
///   s          1   2   4   8  16  32  64 128
///   threads  128  64  32  16   8   4   2   1
///   warps      4   2   1   1   1   1   1   1
///   ways       2   4   8   8   8   4   2   1
///   extra      4   6   7   7   7   3   1   0      (ways - 1) · warps, sum 35
///
/// Each turn has three requests of this shape, two loads and a store: 105.
TEST(Reduction, InterleavedWithStride) {
  const Evaluated E = evaluate(R"(
__global__ void k(int *o, const int *a) {
  __shared__ int s[256];
  unsigned tid = threadIdx.x;
  s[tid] = a[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    unsigned index = 2 * d * tid;
    if (index < blockDim.x)
      s[index] += s[index + d]; // turn
    __syncthreads();
  }
  if (tid == 0)
    o[blockIdx.x] = s[0];
}
)");
  EXPECT_EQ(extraWavefronts(E), 105);
  EXPECT_THAT(E.all(MemorySpace::Shared, AccessOp::Load, "// turn"), SizeIs(2));
  const Access Store = E.sharedStore("// turn");
  EXPECT_EQ(Store.Predicted->Ways, 8u);
  // The sum of the row of warps.
  EXPECT_EQ(Store.Predicted->Requests * Store.Predicted->Warps, 12);
  EXPECT_EQ(Store.Trust, Certainty::Exact) << toString(Store);
}

/// The first kernel of the same: t % (2·s) == 0. Active lanes are 2·s words
/// apart but hold still: no two of 32 consecutive words share a bank. Warps
/// with an active lane: all 8 while 2·s is up to 32, then 4, 2 and 1; active
/// lanes over all turns: 128 + 64 + … + 1.
TEST(Reduction, InterleavedWithRemainder) {
  const Evaluated E = evaluate(R"(
__global__ void k(int *o, const int *a) {
  __shared__ int s[256];
  unsigned tid = threadIdx.x;
  s[tid] = a[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    if (tid % (2 * d) == 0)
      s[tid] += s[tid + d]; // turn
    __syncthreads();
  }
  if (tid == 0)
    o[blockIdx.x] = s[0];
}
)");
  EXPECT_EQ(extraWavefronts(E), 0);
  const Access Store = E.sharedStore("// turn");
  EXPECT_EQ(Store.Predicted->Requests * Store.Predicted->Warps, 5 * 8 + 7);
  EXPECT_TRUE(costs(Store, {1, 1, 1, 255.0 / 47}));
  EXPECT_EQ(Store.Trust, Certainty::Exact) << toString(Store);
}

/// The third: from s = 128 down, threads below s. No conflicts, whole warps
/// until s is 16. Requests: 4, 2, 1 and then one for each of 16, 8, 4, 2, 1.
TEST(Reduction, Sequential) {
  const Evaluated E = evaluate(R"(
__global__ void k(int *o, const int *a) {
  __shared__ int s[256];
  unsigned tid = threadIdx.x;
  s[tid] = a[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (tid < d)
      s[tid] += s[tid + d]; // turn
    __syncthreads();
  }
  if (tid == 0)
    o[blockIdx.x] = s[0]; // last
}
)");
  EXPECT_EQ(extraWavefronts(E), 0);
  const Access Store = E.sharedStore("// turn");
  EXPECT_EQ(Store.Predicted->Requests * Store.Predicted->Warps, 4 + 2 + 1 + 5);
  EXPECT_TRUE(costs(Store, {1, 1, 1, 255.0 / 12}));
  EXPECT_TRUE(costs(E.globalStore("// last"), {1, 1, {}, 1}));
}

/// The row of one thread is the column of its neighbour: lanes are 32 words
/// apart, one bank, 32 wavefronts. The other factor is one word for a warp.
TEST(MatrixMultiply, TransposedTileConflicts) {
  const Evaluated E = evaluate(R"(
__global__ void k(float *c, const float *a, const float *b, int n) {
  __shared__ float A[32][32], B[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    A[ty][tx] = a[row * n + t + tx]; // store a
    B[ty][tx] = b[column * n + t + ty]; // store b
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      float f = A[ty][k]; // load a
      sum += f * B[tx][k]; // load b
    }
    __syncthreads();
  }
  c[row * n + column] = sum; // store c
}
)",
                               {.Block = {32, 32, 1}, .Expected = true});
  // nvcc 13.0 makes one load of 16 bytes of four turns, of either.
  EXPECT_TRUE(costs(E.sharedLoad("// load a"), {2, 2, 1}));
  EXPECT_TRUE(costs(E.sharedLoad("// load b"), {32, 4, 8}));
  for (const char *Line : {"// load a", "// load b"}) {
    EXPECT_EQ(E.sharedLoad(Line).Bytes, 16u);
    EXPECT_THAT(E.sharedLoad(Line).Assumptions,
                testing::ElementsAre(testing::HasSubstr("neighbouring turns")));
  }
  EXPECT_EQ(E.sharedLoad("// load b").LoopDepth, 2u);
  EXPECT_TRUE(costs(E.sharedStore("// store a"), {1, 1, 1}));
  EXPECT_TRUE(costs(E.globalLoad("// store a"), {4, 4}));
  EXPECT_TRUE(costs(E.globalStore("// store c"), {4, 4}));
  // A row of n floats for every lane.
  const Access Column = E.globalLoad("// store b");
  EXPECT_TRUE(costs(Column, {32, 4}));
  ASSERT_TRUE(Column.Stride);
  EXPECT_EQ(Column.Stride->Symbol, "n");
}

class Transpose : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(Transpose, Conflicts) {
  const auto [Row, Wavefronts] = GetParam();
  const Evaluated E = evaluate(with(R"(
__global__ void k(float *o, const float *a, int n) {
  __shared__ float tile[32][@];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x]; // in
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    o[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j]; // out
}
)",
                                    std::to_string(Row)),
                               {.Block = {32, 8, 1}});
  EXPECT_TRUE(costs(E.sharedStore("// in"), {1, 1, 1}));
  EXPECT_TRUE(
      costs(E.sharedLoad("// out"), {static_cast<double>(Wavefronts), 1,
                                     static_cast<unsigned>(Wavefronts)}));
  EXPECT_EQ(E.sharedLoad("// out").Trust, Certainty::Exact);
  EXPECT_TRUE(costs(E.globalLoad("// in"), {4, 4}));
  EXPECT_TRUE(costs(E.globalStore("// out"), {4, 4}));
  EXPECT_EQ(E.Kernel.StaticSharedBytes, 32u * 4 * static_cast<unsigned>(Row));
  EXPECT_EQ(E.Kernel.Barriers, 1u);
}

// Rows of 33 words move every row by a bank; of 34 by two, which lets lanes l
// and l + 16 meet; of 48 by 16.
INSTANTIATE_TEST_SUITE_P(Rows, Transpose,
                         testing::Values(std::pair(32, 32), std::pair(33, 1),
                                         std::pair(34, 2), std::pair(48, 16)),
                         [](const auto &Info) {
                           return "of" + std::to_string(Info.param.first);
                         });

// Column c of row r lies at c ^ r: rows and columns are both free.
TEST(Swizzle, ExclusiveOrIsConflictFree) {
  const Evaluated E = evaluate(R"(
__global__ void k(float *o, const float *a) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x ^ y] = a[y * 32 + x]; // in
  __syncthreads();
  o[y * 32 + x] = tile[x][y ^ x]; // out
}
)",
                               {.Block = {32, 32, 1}});
  for (const Access &A : {E.sharedStore("// in"), E.sharedLoad("// out")}) {
    EXPECT_TRUE(costs(A, {1, 1, 1}));
    EXPECT_EQ(A.Trust, Certainty::Exact);
  }
}

//===----------------------------------------------------------------------===//
// A block of 16 x 16: a warp is two rows
//===----------------------------------------------------------------------===//

/// 16 floats are 64 bytes, two sectors where they start at one. A row of 1024
/// floats is whole sectors: 2 + 2. Rows of 1001 floats are 4004 bytes, which
/// is 4 more than whole sectors: row y starts 4·y bytes into a sector, and
/// 64 bytes touch three sectors unless y is a multiple of 8. Warps hold rows
/// 0 1, 2 3, … 14 15: (2+3), (3+3), (3+3), (3+3) and again, 46 for 8 warps.
TEST(SixteenBySixteen, GlobalRows) {
  constexpr const char *Source = R"(
__global__ void k(float *o, const float *a) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  o[y * 1024 + x] = a[y * @ + x];
}
)";
  const Evaluated Even = evaluate(with(Source, "1024"), {.Block = {16, 16, 1}});
  EXPECT_TRUE(costs(Even.globalLoad(), {4, 4, {}, 32}));
  const Evaluated Odd = evaluate(with(Source, "1001"), {.Block = {16, 16, 1}});
  EXPECT_TRUE(costs(Odd.globalLoad(), {5.75, 4, {}, 32}));
}

TEST(SixteenBySixteen, RowsOfUnknownLength) {
  const Evaluated E = evaluate(R"(
__global__ void k(float *o, const float *a, int width) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  o[y * width + x] = a[y * width + x];
}
)",
                               {.Block = {16, 16, 1}});
  const Access A = E.globalLoad();
  EXPECT_TRUE(costs(A, {4, 4}));
  EXPECT_EQ(A.Trust, Certainty::Assumed);
  EXPECT_THAT(A.Assumptions, Contains(HasSubstr("'width'")));
}

/// Words 16·r + c of two rows are 32 neighbours. The other way round, lanes of
/// a row are 16 words apart, in two banks, the second row's in two others: 8
/// lanes each. With rows of 17 the two rows give 17·c and 17·c + 1, where
/// c = 15 of the second meets c = 0 of the first in bank 0: 2 ways.
TEST(SixteenBySixteen, SharedTiles) {
  constexpr const char *Source = R"(
__global__ void k(float *o, const float *a) {
  __shared__ float tile[16][@];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = a[y * 16 + x]; // in
  __syncthreads();
  o[y * 16 + x] = tile[x][y]; // out
}
)";
  const Evaluated Plain = evaluate(with(Source, "16"), {.Block = {16, 16, 1}});
  EXPECT_TRUE(costs(Plain.sharedStore("// in"), {1, 1, 1}));
  EXPECT_TRUE(costs(Plain.sharedLoad("// out"), {8, 1, 8}));
  const Evaluated Padded = evaluate(with(Source, "17"), {.Block = {16, 16, 1}});
  EXPECT_TRUE(costs(Padded.sharedLoad("// out"), {2, 1, 2}));
}

} // namespace KnownAnswersTests
