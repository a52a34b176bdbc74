//===- tests/unit/analyzer/ir/MemoryKindsTests.cpp - What is accessed how -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Types, spaces, special instructions and ways to compute an index. Expected
/// numbers are counted by hand: sectors of 32 bytes, banks of 4 bytes.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

#include <numeric>

namespace MemoryKindsTests {

using namespace cudalint;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// A kernel with that body; `t` is the thread, `s` an array in shared memory.
static Evaluated body(const std::string &Text, const Setting &S = {}) {
  return evaluate("__constant__ float c[64];\n"
                  "__device__ float g[4096];\n"
                  "__global__ void k(float *o, const float *a, const int *p, "
                  "int n) {\n"
                  "  __shared__ float s[2048];\n"
                  "  int t = threadIdx.x;\n" +
                      Text + "\n}\n",
                  S);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

struct TypeRow {
  const char *Type;
  unsigned Bytes;
};

class VectorTypes : public testing::TestWithParam<TypeRow> {};

// Side by side, 32 elements touch just the sectors that they fill; in shared
// memory a wavefront moves 128 bytes.
TEST_P(VectorTypes, AreOneAccess) {
  const TypeRow &Row = GetParam();
  const std::string T = Row.Type;
  const Evaluated E = evaluate("__global__ void k(" + T + " *o, const " + T +
                               " *a) {\n"
                               "  __shared__ " +
                               T +
                               " s[256];\n"
                               "  s[threadIdx.x] = a[threadIdx.x];\n"
                               "  __syncthreads();\n"
                               "  o[threadIdx.x] = s[255 - threadIdx.x];\n}\n");
  const double Sectors = Row.Bytes, Wavefronts = (Row.Bytes + 3) / 4;
  for (const Access &A : {E.globalLoad(), E.globalStore()}) {
    EXPECT_EQ(A.Bytes, Row.Bytes);
    EXPECT_TRUE(costs(A, {Sectors, Sectors}));
  }
  for (const Access &A : {E.sharedLoad(), E.sharedStore()}) {
    EXPECT_EQ(A.Bytes, Row.Bytes);
    EXPECT_TRUE(costs(A, {Wavefronts, Wavefronts, 1}));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, VectorTypes,
    testing::Values(TypeRow{"char", 1}, TypeRow{"short", 2},
                    TypeRow{"uchar4", 4}, TypeRow{"half2", 4},
                    TypeRow{"float", 4}, TypeRow{"float2", 8},
                    TypeRow{"double", 8}, TypeRow{"double2", 16},
                    TypeRow{"float4", 16}),
    [](const auto &Info) { return std::string(Info.param.Type); });

// A struct of 48 bytes for every lane: no two of them share a sector.
TEST(Structs, NestedArrays) {
  const Evaluated E = evaluate(R"(
struct matrix { float m[3][4]; };
__global__ void k(float *o, const matrix *a) {
  o[threadIdx.x] = a[threadIdx.x].m[1][2];
}
)");
  const Access A = E.globalLoad();
  EXPECT_TRUE(costs(A, {32, 4}));
  ASSERT_THAT(A.Samples, Not(IsEmpty()));
  const auto &O = A.Samples[0].Offset;
  EXPECT_EQ(O[1] - O[0], 48);
}

TEST(Structs, ArrayOfArraysInShared) {
  const Evaluated E = evaluate(R"(
struct cell { int tag; float v[3]; };
__global__ void k(float *o) {
  __shared__ cell s[4][64];
  s[threadIdx.y][threadIdx.x].v[1] = 1;
  o[threadIdx.x] = s[0][threadIdx.x].tag;
}
)",
                               {.Block = {32, 4, 1}});
  // Four words apart: 8 banks, 4 lanes each.
  EXPECT_TRUE(costs(E.sharedStore(), {4, 1, 4}));
  EXPECT_TRUE(costs(E.sharedLoad(), {4, 1, 4}));
  EXPECT_EQ(E.Kernel.StaticSharedBytes, 4u * 64 * 16);
}

TEST(Structs, ByValueArgumentsAreNoAccess) {
  const Evaluated E = evaluate(R"(
struct view { float *data; int pitch; };
__global__ void k(view v) { v.data[threadIdx.x * 2] = v.pitch; }
)");
  EXPECT_THAT(E.Kernel.Accesses, SizeIs(1));
  EXPECT_TRUE(costs(E.globalStore(), {8, 4}));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

TEST(Functions, DeviceFunctionsAreSeenThrough) {
  const Evaluated E = evaluate(R"(
__device__ __attribute__((noinline)) float fetch(const float *a, int i) {
  return a[i * 3]; // fetch
}
__global__ void k(float *o, const float *a) {
  o[threadIdx.x] = fetch(a, threadIdx.x); // call
}
)");
  const Access A = E.globalLoad("// fetch");
  EXPECT_TRUE(costs(A, {12, 4}));
  ASSERT_THAT(A.InlinedAt, SizeIs(1));
  EXPECT_EQ(A.InlinedAt[0].Line, 6u);
}

TEST(Functions, TemplatesByArgument) {
  const Evaluated E = evaluate(R"(
template <int Stride, class T> __device__ T at(const T *a) {
  return a[threadIdx.x * Stride];
}
template <class T> __global__ void k(T *o, const T *a) {
  T x = at<2>(a);
  T y = at<8>(a);
  o[threadIdx.x] = x + y;
}
template __global__ void k<float>(float *, const float *);
)");
  const std::vector<Access> Loads = E.all(MemorySpace::Global, AccessOp::Load);
  ASSERT_THAT(Loads, SizeIs(2));
  EXPECT_EQ(Loads[0].Predicted->PerRequest + Loads[1].Predicted->PerRequest,
            8 + 32);
}

TEST(Functions, Lambdas) {
  const Evaluated E = evaluate(R"(
__global__ void k(float *o, int n) {
  __shared__ float s[1024];
  auto index = [=](int i) { return i * 4 + n; };
  auto put = [&](int i, float v) { s[index(i)] = v; };
  put(threadIdx.x, 1);
  o[threadIdx.x] = s[threadIdx.x];
}
)");
  EXPECT_TRUE(costs(E.sharedStore(), {4, 1, 4}));
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

TEST(DynamicShared, SeveralArraysInOneBuffer) {
  const Evaluated E = evaluate(R"(
__global__ void k(float *o, int n) {
  extern __shared__ float buffer[];
  float *a = buffer;
  float2 *b = (float2 *)(a + 256);
  double *c = (double *)(b + 256);
  float *d = buffer + n;
  int t = threadIdx.x;
  a[t] = 1; // a
  b[t] = {1, 2}; // b
  c[2 * t] = 3; // c
  d[4 * t] = 4; // d
  o[t] = a[255 - t];
}
)");
  EXPECT_TRUE(E.Kernel.UsesDynamicShared);
  EXPECT_EQ(E.Kernel.StaticSharedBytes, 0u);
  EXPECT_TRUE(costs(E.sharedStore("// a"), {1, 1, 1}));
  // Eight bytes: two wavefronts are ideal; every second double doubles them.
  EXPECT_TRUE(costs(E.sharedStore("// b"), {2, 2, 1}));
  EXPECT_TRUE(costs(E.sharedStore("// c"), {4, 2, 2}));
  // Where it starts is not known and does not matter.
  EXPECT_TRUE(costs(E.sharedStore("// d"), {4, 1, 4}));
  EXPECT_EQ(E.sharedStore("// d").Trust, Certainty::Exact);
}

TEST(SharedMemory, FourWavefrontsOfFloat4AreNoConflict) {
  const Evaluated E = evaluate(R"(
__global__ void k(float4 *o) {
  __shared__ float4 s[256];
  s[threadIdx.x] = {1, 2, 3, 4};
  o[threadIdx.x] = s[threadIdx.x ^ 1];
}
)");
  for (const Access &A : {E.sharedStore(), E.sharedLoad()}) {
    EXPECT_TRUE(costs(A, {4, 4, 1}));
    EXPECT_EQ(A.Trust, Certainty::Exact);
  }
}

TEST(SharedMemory, OneWordForAllIsABroadcast) {
  const Evaluated E = body("o[t] = s[3] + s[blockIdx.x];");
  for (const Access &A : E.all(MemorySpace::Shared, AccessOp::Load))
    EXPECT_TRUE(costs(A, {1, 1, 1}));
}

// pitch · t: bank conflicts by the pitch's remainder, gcd(pitch, 32) ways.
TEST(SharedMemory, UnknownPitchIsAConditionalStatement) {
  const Access A = body("s[t * n] = 1;").sharedStore();
  EXPECT_EQ(A.Trust, Certainty::Unknown);
  EXPECT_FALSE(A.Predicted);
  ASSERT_TRUE(A.Stride);
  EXPECT_EQ(A.Stride->Symbol, "n");
  EXPECT_EQ(A.Stride->BytesPerUnit, 4);
  ASSERT_THAT(A.Stride->PerRequest, SizeIs(32));
  for (unsigned R = 0; R < 32; ++R)
    EXPECT_EQ(A.Stride->PerRequest[R], std::gcd(R, 32u)) << R;
}

// Words at a pitch in halves: the banks come again after 64.
TEST(SharedMemory, UnknownPitchInHalves) {
  const Access A =
      body("*(unsigned *)&((unsigned short *)s)[t * n] = 1;").sharedStore();
  ASSERT_TRUE(A.Stride);
  EXPECT_EQ(A.Stride->BytesPerUnit, 2);
  ASSERT_THAT(A.Stride->PerRequest, SizeIs(64));
  for (unsigned R = 0; R < 64; R += 2)
    EXPECT_EQ(A.Stride->PerRequest[R], std::gcd(R / 2, 32u)) << R;
}

// Four lanes share a word at a pitch of 1, and none does at one of 129.
TEST(SharedMemory, UnknownPitchInBytesHasNoRule) {
  const Access A = body("((char *)s)[t * n] = 1;").sharedStore();
  ASSERT_TRUE(A.Stride);
  EXPECT_THAT(A.Stride->PerRequest, IsEmpty());
}

//===----------------------------------------------------------------------===//
// Other spaces and instructions
//===----------------------------------------------------------------------===//

static Access constantLoad(const std::string &Index) {
  return body("o[t] = c[" + Index + "]; // here")
      .only(MemorySpace::Constant, AccessOp::Load, "// here");
}

// It has neither sectors nor banks: different addresses take turns.
TEST(Spaces, ConstantMemory) {
  const std::pair<const char *, double> Rows[] = {
      {"t & 63", 32},    {"t & 31", 32},        {"63 - (t & 31)", 32},
      {"t / 8 & 63", 4}, {"t % 2 * 7", 2},      {"3", 1},
      {"n & 63", 1},     {"t / 32 & 63", 1},    {"(t + n) & 31", 32},
      {"t % 5", 5},      {"blockIdx.x % 64", 1}};
  for (const auto &[Index, Addresses] : Rows) {
    const Access A = constantLoad(Index);
    EXPECT_EQ(A.Bytes, 4u) << Index;
    EXPECT_TRUE(costs(A, {Addresses, 1})) << Index << ": " << toString(A);
    EXPECT_EQ(A.Trust, Certainty::Assumed) << "of one address, no load";
  }
}

TEST(Spaces, ConstantMemoryOfSomeLanes) {
  const Access A = body("if (t % 4 == 0) o[t] = c[t & 63]; // here")
                       .only(MemorySpace::Constant, AccessOp::Load, "// here");
  EXPECT_TRUE(costs(A, {8, 1})) << toString(A);
}

// 32 draws of 64: 64 * (1 - (63/64)^32) different ones, on average.
TEST(Spaces, ConstantMemoryAtRandom) {
  const Access A = constantLoad("p[t] & 63");
  ASSERT_TRUE(A.Expected) << toString(A);
  EXPECT_NEAR(A.Expected->PerRequest, 25.34, 0.01);
  EXPECT_DOUBLE_EQ(A.Expected->Ideal, 1);
  // One for all lanes is one, whatever it is.
  EXPECT_TRUE(costs(constantLoad("p[0] & 63"), {1, 1}));
}

// Lanes may be told to read the same entries by data that nobody knows.
TEST(Spaces, ConstantMemoryOfRowsThatDataPicks) {
  const Access A = constantLoad("(p[t] * 32) & 63");
  EXPECT_NE(A.Trust, Certainty::Exact);
  EXPECT_FALSE(A.Predicted) << toString(A);
}

// There are no loads of 16 bytes: two of 8, each at as many addresses.
TEST(Spaces, WideConstantMemory) {
  const Evaluated E = evaluate("__constant__ float4 c[64];\n"
                               "__global__ void k(float4 *o) {\n"
                               "  o[threadIdx.x] = c[threadIdx.x & 15];\n}\n");
  for (const Access &A : E.Kernel.Accesses)
    if (A.Space == MemorySpace::Constant) {
      EXPECT_LE(A.Bytes, 8u);
      EXPECT_TRUE(costs(A, {16, 1})) << toString(A);
    }
}

// They are in constant memory, too, but no load of them is written.
TEST(Spaces, ParametersAreNotListed) {
  const Evaluated E = evaluate("struct Pair { float x[8]; int n; };\n"
                               "__global__ void k(float *o, Pair p) {\n"
                               "  o[threadIdx.x] = p.x[p.n & 7];\n}\n");
  EXPECT_THAT(E.Kernel.Accesses, SizeIs(1));
  E.globalStore();
}

// A declared array needs no assumption about where it starts.
TEST(Spaces, DeviceVariables) {
  const Evaluated E = body("g[t * 2] = 1;");
  EXPECT_TRUE(costs(E.globalStore(), {8, 4}));
}

TEST(Spaces, PrivateArraysIndexedAtRunTime) {
  const Evaluated E = body("float x[64];\n"
                           "for (int i = 0; i < 64; ++i) x[i] = a[i];\n"
                           "o[t] = x[p[0] & 63]; // use");
  const Access A = E.only(MemorySpace::Local, AccessOp::Load, "// use");
  EXPECT_EQ(A.Bytes, 4u);
  // All lanes use the same element: interleaved, 128 bytes side by side.
  EXPECT_TRUE(costs(A, {4, 4}));
}

TEST(Instructions, Atomics) {
  const Evaluated E = body("atomicAdd(&o[t], 1.0f); // global\n"
                           "atomicAdd((int *)s + t * 2, 1); // shared\n"
                           "atomicCAS((int *)o + 8 * t, 1, 2); // swap\n");
  EXPECT_TRUE(costs(E.only(MemorySpace::Global, AccessOp::Atomic, "// global"),
                    {4, 4}));
  EXPECT_TRUE(costs(E.only(MemorySpace::Shared, AccessOp::Atomic, "// shared"),
                    {2, 1, 2}));
  EXPECT_TRUE(
      costs(E.only(MemorySpace::Global, AccessOp::Atomic, "// swap"), {32, 4}));
}

// What an atomic returns differs from lane to lane: the place is not known.
TEST(Instructions, ResultOfAnAtomicIsNotKnown) {
  const Evaluated E = body("int i = atomicAdd((int *)o, 1);\n"
                           "s[i] = 1; // slot");
  EXPECT_EQ(E.sharedStore("// slot").Trust, Certainty::Unknown);
}

TEST(Instructions, AsynchronousCopy) {
  const Evaluated E = body(
      "__nvvm_cp_async_ca_shared_global_4(\n"
      "    (__attribute__((address_space(3))) void *)(s + t * 2),\n"
      "    (const __attribute__((address_space(1))) void *)(a + t * 3));\n");
  EXPECT_TRUE(costs(E.globalLoad(), {12, 4}));
  EXPECT_TRUE(costs(E.sharedStore(), {2, 1, 2}));
  EXPECT_EQ(E.globalLoad().Bytes, 4u);
}

TEST(Instructions, AsynchronousCopyInAsm) {
  const Evaluated E = body(R"(
  unsigned to = (unsigned)(unsigned long)(
      (__attribute__((address_space(3))) float *)(s + t * 4));
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;"
               : : "r"(to), "l"(a + t * 4), "n"(16), "n"(16) : "memory");
)");
  EXPECT_TRUE(costs(E.globalLoad(), {16, 16}));
  EXPECT_TRUE(costs(E.sharedStore(), {4, 4, 1}));
}

/// Rows of 16 bytes, `Pitch` bytes apart; `Outputs` of the four results.
static Access matrices(int Pitch, const std::string &Count,
                       const std::string &Outputs) {
  return body("int r0, r1, r2, r3;\n"
              "unsigned at = (unsigned)(unsigned long)(\n"
              "    (__attribute__((address_space(3))) char *)s + t % 32 * " +
              std::to_string(Pitch) +
              ");\n"
              "asm volatile(\"ldmatrix.sync.aligned.m8n8." +
              Count + ".shared.b16 {" + Outputs +
              "}, [%4];\"\n : \"=r\"(r0), \"=r\"(r1), \"=r\"(r2), "
              "\"=r\"(r3) : \"r\"(at));\n")
      .sharedLoad();
}

// Each matrix is 8 rows of 4 banks, and all 32 banks are one wavefront.
TEST(Instructions, RowsOfAMatrixInTheSameBanks) {
  const std::string All = "%0, %1, %2, %3";
  // 64 bytes: rows 0, 2, 4, 6 in the same banks, and rows 1, 3, 5, 7.
  EXPECT_TRUE(costs(matrices(64, "x4", All), {16, 4, 4}));
  EXPECT_TRUE(costs(matrices(128, "x4", All), {32, 4, 8}));
  // Padding by one row of 16 bytes moves each row on by 4 banks.
  EXPECT_TRUE(costs(matrices(144, "x4", All), {4, 4, 1}));
  EXPECT_TRUE(costs(matrices(16, "x4", All), {4, 4, 1}));
}

TEST(Instructions, FewerMatricesTakeTheFirstLanes) {
  const Access One = matrices(128, "x1", "%0");
  EXPECT_TRUE(costs(One, {8, 1, 8, 8}));
  EXPECT_EQ(One.Bytes, 16u);
  EXPECT_TRUE(costs(matrices(128, "x2", "%0, %1"), {16, 2, 8, 16}));
}

// The second matrix at the rows of the first: each is fetched all the same.
TEST(Instructions, MatricesAreFetchedOneByOne) {
  const Evaluated E = body(R"(
  int r0, r1;
  unsigned at = (unsigned)(unsigned long)(
      (__attribute__((address_space(3))) char *)s + t % 8 * 16);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r0), "=r"(r1) : "r"(at));
)");
  EXPECT_TRUE(costs(E.sharedLoad(), {2, 2, 1}));
}

TEST(Instructions, StoredMatrices) {
  const Evaluated E = body(R"(
  unsigned at = (unsigned)(unsigned long)(
      (__attribute__((address_space(3))) char *)s + t % 32 * 128);
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};"
               : : "r"(at), "r"(t), "r"(t) : "memory");
)");
  EXPECT_TRUE(costs(E.sharedStore(), {16, 2, 8, 16}));
}

// As code that a compiler of tensors makes has it: rows of 80 bytes.
TEST(Instructions, MatricesAtAnAddressThatPtxConverts) {
  const Evaluated E = body(R"(
  int r0, r1, r2, r3;
  unsigned at;
  asm volatile("{ .reg .u64 addr; cvta.to.shared.u64 addr, %1; "
               "cvt.u32.u64 %0, addr; }\n"
               : "=r"(at) : "l"((void *)((char *)s + t % 16 * 80)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16"
               "{%0, %1, %2, %3}, [%4];\n"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(at));
)");
  // Eight rows 20 banks apart: 0, 20, 8, 28, 16, 4, 24, 12.
  EXPECT_TRUE(costs(E.sharedLoad(), {4, 4, 1}));
}

// Lanes 0 to 15, of 16 bytes each.
TEST(Instructions, CopiesOnAConditionOfPtx) {
  const Evaluated E = body(R"(
  unsigned to = (unsigned)(unsigned long)(
      (__attribute__((address_space(3))) float *)(s + t * 4));
  asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %0, 0;\n"
               " @p cp.async.cg.shared.global [%1], [%2], %3;\n}\n"
               : : "r"((int)(t % 32 < 16)), "r"(to), "l"(a + t * 4), "n"(16));
)");
  EXPECT_TRUE(costs(E.globalLoad(), {8, 8, 0, 16}));
  EXPECT_TRUE(costs(E.sharedStore(), {2, 2, 1, 16}));
}

TEST(Instructions, ReadOnlyLoads) {
  EXPECT_TRUE(costs(body("o[t] = __ldg(a + 2 * t);").globalLoad(), {8, 4}));
}

TEST(Instructions, LoadInAsm) {
  const Evaluated E = body("float x;\n"
                           "asm(\"ld.global.cs.f32 %0, [%1];\" : \"=f\"(x) : "
                           "\"l\"(a + 2 * t)); // asm\n"
                           "o[t] = x; // out");
  EXPECT_TRUE(costs(E.globalLoad("// asm"), {8, 4}));
  EXPECT_TRUE(costs(E.globalStore("// out"), {4, 4}));
}

TEST(Instructions, UnknownAsmIsUnknown) {
  const Evaluated E = body("int i;\n"
                           "asm(\"popc.b32 %0, %1;\" : \"=r\"(i) : \"r\"(t));\n"
                           "s[i] = 1; // unknown\n"
                           "s[2 * t] = 2; // known");
  EXPECT_EQ(E.sharedStore("// unknown").Trust, Certainty::Unknown);
  EXPECT_TRUE(costs(E.sharedStore("// known"), {2, 1, 2}));
}

TEST(Instructions, VolatileIsSaid) {
  const Evaluated E = body("volatile float *v = s;\n"
                           "v[t] = 1;\n o[t] = v[t ^ 1];");
  EXPECT_TRUE(E.sharedStore().Volatile);
  EXPECT_TRUE(E.sharedLoad().Volatile);
  EXPECT_FALSE(E.globalStore().Volatile);
  EXPECT_TRUE(costs(E.sharedLoad(), {1, 1, 1}));
}

//===----------------------------------------------------------------------===//
// Ways to an index
//===----------------------------------------------------------------------===//

struct IndexRow {
  const char *Name;
  const char *Index; ///< Of an array of words in shared memory.
  unsigned Ways;
};

class ExactIndex : public testing::TestWithParam<IndexRow> {};

TEST_P(ExactIndex, InShared) {
  const IndexRow &Row = GetParam();
  const Access A =
      body("int w = " + std::string(Row.Index) + ";\ns[w] = 1; // here",
           {.Block = {32, 1, 1}})
          .sharedStore("// here");
  EXPECT_TRUE(costs(A, {static_cast<double>(Row.Ways), 1, Row.Ways}));
  EXPECT_EQ(A.Trust, Certainty::Exact) << toString(A);
}

// Ways are the most lanes with different words in one bank; 32 lanes, t is the
// lane.
INSTANTIATE_TEST_SUITE_P(
    Arithmetic, ExactIndex,
    testing::Values(
        IndexRow{"Remainder", "t % 8 * 33", 1},
        IndexRow{"RemainderOfRows", "t % 8 * 32", 8},
        IndexRow{"Quotient", "t / 4 * 32", 8},
        IndexRow{"And", "(t & 12) * 8", 4}, IndexRow{"Or", "(t | 16) * 2", 1},
        IndexRow{"Shift", "t << 3", 8},
        IndexRow{"ShiftBack", "(t * 64) >> 2", 16},
        IndexRow{"Xor", "t * 32 + (t ^ 5)", 1},
        IndexRow{"Minimum", "min(t, 15) * 2", 1},
        IndexRow{"MinimumOfRows", "min(t, 3) * 32", 4},
        IndexRow{"Maximum", "max(t - 16, 0) * 32", 16},
        // Lanes 16 to 31 in bank 0, where lane 0's word is, too.
        IndexRow{"Choice", "t < 16 ? t * 2 : t * 32", 17},
        IndexRow{"Reversed", "31 - t", 1},
        IndexRow{"Negative", "1024 - 2 * t", 2},
        IndexRow{"Unsigned", "(int)((unsigned)(t - 32) % 32u) * 4", 4},
        IndexRow{"Bytes", "(int)(unsigned char)(t * 16)", 8},
        IndexRow{"SignedBytes", "(int)(signed char)(t * 8) + 128", 8},
        // 2^32 + 4 times t, over 2^30: 4t and something below one.
        IndexRow{"Wide", "(int)((long long)t * 4294967300ll >> 30)", 4}),
    [](const auto &Info) { return std::string(Info.param.Name); });

INSTANTIATE_TEST_SUITE_P(
    LanesAndWarps, ExactIndex,
    testing::Values(
        IndexRow{"LaneByMask", "(threadIdx.x & 31) * 2", 2},
        IndexRow{"LaneByRemainder", "threadIdx.x % warpSize * 2", 2},
        IndexRow{"WarpIsShared", "(threadIdx.x >> 5) * 7", 1},
        IndexRow{"FromBlockIndex", "(int)blockIdx.x * 100 + t * 2", 2},
        IndexRow{"FromParameter", "n * 5 + t * 2", 2},
        // A lane reads from its partner: the same 32 indices in another order.
        IndexRow{"Butterfly", "__shfl_xor_sync(~0u, t, 1) * 2", 2},
        IndexRow{"FromLaneZero", "__shfl_sync(~0u, t * 32, 0)", 1},
        // Lanes 0 to 15 get 16 to 31, the others keep their own: 16 words.
        IndexRow{"Down", "__shfl_down_sync(~0u, t, 16) * 32", 16},
        IndexRow{"Up", "__shfl_up_sync(~0u, t, 16) * 32", 16}),
    [](const auto &Info) { return std::string(Info.param.Name); });

TEST(Indices, LaneRegister) {
  const Evaluated E = body("unsigned lane;\n"
                           "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n"
                           "s[lane * 2] = 1;");
  const Access A = E.sharedStore();
  EXPECT_TRUE(costs(A, {2, 1, 2}));
  EXPECT_EQ(A.Trust, Certainty::Exact);
}

TEST(Indices, ArgumentOfTheLaunch) {
  const Evaluated E = body("o[t] = a[t * n];", {.Arguments = {{}, {}, {}, 3}});
  EXPECT_TRUE(costs(E.globalLoad(), {12, 4}));
  EXPECT_FALSE(E.globalLoad().Stride);
}

// A pitch that only the run decides: far apart, and what it is for every one.
TEST(Indices, UnknownStrideInGlobal) {
  const Access A = body("o[t] = a[t * n];").globalLoad();
  EXPECT_TRUE(costs(A, {32, 4}));
  EXPECT_EQ(A.Trust, Certainty::Assumed);
  EXPECT_THAT(A.Assumptions, Contains(HasSubstr("'n' is 8 or more")));
  ASSERT_TRUE(A.Stride);
  EXPECT_EQ(A.Stride->Symbol, "n");
  ASSERT_THAT(A.Stride->PerRequest, SizeIs(33));
  // 0: one word. Up to 8 floats, 4 bytes more each: 4 · n sectors.
  EXPECT_EQ(A.Stride->PerRequest[0], 1);
  for (unsigned N = 1; N <= 8; ++N)
    EXPECT_EQ(A.Stride->PerRequest[N], 4 * N) << N;
  EXPECT_EQ(A.Stride->PerRequest[32], 32);
}

TEST(Indices, GatherIsNeverANumber) {
  const Evaluated E = body("o[t] = a[p[t]]; // gather\n"
                           "s[p[t]] = 1; // scatter");
  const std::vector<Access> Loads =
      E.all(MemorySpace::Global, AccessOp::Load, "// gather");
  ASSERT_THAT(Loads, SizeIs(2));
  unsigned Unknown = 0;
  for (const Access &A : Loads) {
    if (A.Trust == Certainty::Unknown) {
      ++Unknown;
      EXPECT_FALSE(A.Predicted);
      EXPECT_THAT(A.Samples, IsEmpty());
      EXPECT_THAT(A.WhyUnknown, Not(IsEmpty()));
    } else {
      EXPECT_TRUE(costs(A, {4, 4}));
    }
  }
  EXPECT_EQ(Unknown, 1u);
  EXPECT_EQ(E.sharedStore("// scatter").Trust, Certainty::Unknown);
}

// p[blockIdx.x] is one number for all lanes, whatever it is.
TEST(Indices, LoadedButAlike) {
  const Evaluated E = body("int base = p[blockIdx.x];\n"
                           "s[base + 2 * t] = 1; // shared");
  EXPECT_TRUE(costs(E.sharedStore("// shared"), {2, 1, 2}));
  EXPECT_EQ(E.sharedStore("// shared").Trust, Certainty::Exact);
}

// Eight lanes read the same index; rows of 8 floats are a sector each, wherever
// they are.
TEST(Indices, LoadedByGroupsOfLanes) {
  const Evaluated E = body("int row = p[t / 8];\n"
                           "o[t] = a[row * 8 + t % 8]; // rows");
  const Access A = E.globalLoad("// rows");
  EXPECT_TRUE(costs(A, {4, 4}));
  EXPECT_THAT(A.Assumptions, Contains(HasSubstr("loaded data picks")));
}

// How many sectors four runs of eight lanes touch, the table decides.
TEST(Indices, LoadedByGroupsOfLanesAnywhere) {
  for (const char *Index : {"p[t / 8]", "p[t / 8] + t % 8", "n * p[t / 16]"}) {
    const Evaluated E =
        body(std::string("int j = ") + Index + ";\no[t] = a[j]; // gather");
    EXPECT_EQ(E.globalLoad("// gather").Trust, Certainty::Unknown) << Index;
  }
}

TEST(Indices, LanesThatAGroupsDataPicks) {
  const Access A = body("if (t % 8 < p[t / 8]) o[t] = 1;").globalStore();
  EXPECT_EQ(A.Trust, Certainty::Unknown) << toString(A);
}

/// A kernel that loads a[table[t % 32] + t / 32] with a table of the file.
static Access throughTable(const std::string &Qualifiers) {
  std::string Entries;
  for (int L = 0; L < 32; ++L)
    Entries += (L ? ", " : "") + std::to_string(8 * L);
  return evaluate(Qualifiers + " int table[32] = {" + Entries +
                  "};\n__global__ void k(float *o, const float *a) {\n"
                  "  int t = threadIdx.x;\n"
                  "  int j = table[t % 32];\n"
                  "  o[t] = a[j + t / 32]; // gather\n}\n")
      .globalLoad("// gather");
}

// Entries are 8 floats apart: a sector for each lane.
TEST(Indices, ConstantTable) {
  for (const char *Table : {"__device__ const", "__constant__ const"}) {
    const Access A = throughTable(Table);
    EXPECT_TRUE(costs(A, {32, 4})) << Table;
    EXPECT_EQ(A.Trust, Certainty::Assumed) << Table;
  }
}

TEST(Indices, TableThatTheDeviceMayWrite) {
  EXPECT_EQ(throughTable("__device__").Trust, Certainty::Unknown);
}

// Rows are 256 floats apart, and every fourth lane is in the same: 4 sectors of
// each of 4 rows.
TEST(Indices, TableOfTheFunction) {
  for (const char *Bound : {"", "if (t + blockIdx.x * 256 >= n) return;\n"})
    for (const char *Table : {"const int off[4] = {8, 0, 24, 16};",
                              "static constexpr int off[4] = "
                              "{8, 0, 24, 16};",
                              "int off[4] = {8, 0, 0, 16}; off[2] = 24;"}) {
      SCOPED_TRACE(std::string(Bound) + Table);
      const Evaluated E = body(std::string(Bound) + Table +
                               "\no[off[t & 3] * 32 + t] = 1; // here");
      EXPECT_TRUE(costs(E.globalStore("// here"), {16, 4}));
    }
}

// Lanes may have stored there, each on its own.
TEST(Indices, TableThatLanesChange) {
  const Evaluated E = body("int off[4] = {8, 0, 24, 16};\n"
                           "if (p[t]) off[1] = 9;\n"
                           "o[off[t & 3] * 32 + t] = 1; // data\n"
                           "off[p[t] & 3] = 2;\n"
                           "o[off[t & 3] * 32 + t] = 1; // anywhere");
  for (const char *Mark : {"// data", "// anywhere"})
    EXPECT_EQ(E.globalStore(Mark).Trust, Certainty::Unknown);
}

// Which of two arrays it is, the run decides; each lane has both.
TEST(Indices, TablesToChooseFrom) {
  const Evaluated E = body("int x[4] = {0, 8, 16, 24}, y[4] = {1, 2, 3, 4};\n"
                           "int *q = n > 5 ? x : y;\n"
                           "q[t & 3] = 100;\n"
                           "o[x[t & 3] * 32 + t] = y[n & 3]; // stored");
  EXPECT_EQ(E.globalStore("// stored").Trust, Certainty::Unknown);
}

// Pieces of one array that are aligned by hand.
TEST(Indices, AlignedPieces) {
  const Evaluated E = evaluate(
      "extern __shared__ unsigned char raw[];\n"
      "__global__ void k(float *p, int n) {\n"
      "  int t = threadIdx.x;\n"
      "  ((double *)(((size_t)(raw + 400) + 15) & ~(size_t)15))[t] = 1; // a\n"
      "  ((float *)(((size_t)raw + n * 4 + 127) & ~127ull))[t * 4] = 2; // b\n"
      "  ((float *)(((size_t)p + n * 4 + 31) & ~31ull))[t * 2] = 3; // c\n"
      "  ((float *)(raw + n * sizeof(float)))[t * 2] = 4; // d\n"
      "}\n");
  EXPECT_TRUE(costs(E.sharedStore("// a"), {2, 2, 1}));
  EXPECT_TRUE(costs(E.sharedStore("// b"), {4, 1, 4}));
  EXPECT_TRUE(costs(E.globalStore("// c"), {8, 4}));
  EXPECT_TRUE(costs(E.sharedStore("// d"), {2, 1, 2}));
}

// A neighbour within a pair, in rows of a length that comes at run time.
TEST(Indices, BitsOfARemainder) {
  const Evaluated E = body("int i = blockIdx.x * 256 + t;\n"
                           "o[i / n * n + (i % n ^ 1)] = 1; // here");
  EXPECT_TRUE(costs(E.globalStore("// here"), {4, 4}));
  EXPECT_THAT(E.globalStore("// here").Assumptions,
              Contains(HasSubstr("multiples of 32")));
}

// a[max(i - 1, 0)]: 128 bytes that begin 4 bytes before a sector touch five,
// but for the first warp of the grid, whose lane 0 does not go back.
TEST(Indices, ClampedNeighbour) {
  const Evaluated E = body("int i = blockIdx.x * blockDim.x + t;\n"
                           "o[i] = a[max(i - 1, 0)] // left\n"
                           "     + a[min(i + 1, n - 1)]; // right");
  const Access Left = E.globalLoad("// left");
  ASSERT_TRUE(Left.Predicted);
  EXPECT_GE(Left.Predicted->PerRequest, 4.8);
  EXPECT_LE(Left.Predicted->PerRequest, 5.0);
  const Access Right = E.globalLoad("// right");
  EXPECT_TRUE(costs(Right, {5, 4}));
  EXPECT_EQ(Right.Trust, Certainty::Assumed);
}

// A clamp of what is in the row anyway, as those of images are: 128 bytes that
// begin with a sector.
TEST(Indices, ClampedIndex) {
  for (const char *Index :
       {"max(i, 0)", "max(0, min(i, n - 1))", "min(max(0, i), n - 1)",
        "i < 0 ? 0 : i >= n ? n - 1 : i"}) {
    const Evaluated E = body("int i = blockIdx.x * blockDim.x + t;\n"
                             "o[i] = a[" +
                             std::string(Index) + "]; // here");
    EXPECT_TRUE(costs(E.globalLoad("// here"), {4, 4})) << Index;
  }
}

// Accesses of one warp to the same lines have one key; others have not.
TEST(Groups, SameAddressButForAConstant) {
  const Evaluated E = body("int i = blockIdx.x * 256 + t;\n"
                           "float x = a[i * 4]; // one\n"
                           "float y = a[i * 4 + 8]; // two\n"
                           "float z = a[i * 2]; // three\n"
                           "o[i] = x + y + z;");
  const auto One = E.globalLoad("// one").GroupKey,
             Two = E.globalLoad("// two").GroupKey,
             Three = E.globalLoad("// three").GroupKey;
  EXPECT_NE(One, 0u);
  EXPECT_EQ(One, Two);
  EXPECT_NE(One, Three);
}

} // namespace MemoryKindsTests
