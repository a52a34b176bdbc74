//===- tests/unit/analyzer/ir/CastAlignmentTests.cpp - Vectors by cast ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How wide an access through a cast is. The expected widths are those of the
/// instructions that `nvcc -ptx -arch=sm_90` (CUDA 12) makes of the kernels:
/// `ld.shared.v2.f32` is 8 bytes, four `ld.global.f32` are 4 accesses of 4.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace CastAlignmentTests {

using namespace cudalint;
using testing::SizeIs;

struct CastRow {
  const char *Name;
  const char *Body; ///< Of the kernel; the access is marked `HERE`.
  MemorySpace Space;
  AccessOp Op;
  unsigned Bytes;
  unsigned Count = 1; ///< Of such accesses.
};

/// A kernel with that body among arrays of every kind.
static Evaluated kernelWith(const std::string &Body, const Setting &S = {}) {
  return evaluate(R"(
struct four { float a, b, c, d; };
struct holder { float a[4]; };
struct __attribute__((packed)) packed {
  char c; float4 v; unsigned char q[16];
};
__device__ float dg[4096];
__device__ unsigned char dc[8192];
extern __shared__ float s[];
extern __shared__ unsigned char bytes[];
template <typename T> __device__ T fetch(const float *p, int i) {
  return *reinterpret_cast<const T *>(p + i);
}
__global__ void k(float *o, const holder *h, packed *p, const four *f,
                  const float3 *f3, float4 *o4) {
  __shared__ unsigned char fixed[8192];
  int t = threadIdx.x;
)" + Body + "\n}\n",
                  S);
}

/// In the names of tests.
static void PrintTo(const CastRow &Row, std::ostream *Out) { *Out << Row.Name; }

class WidthThroughCast : public testing::TestWithParam<CastRow> {};

TEST_P(WidthThroughCast, IsTheOneOfNvcc) {
  const CastRow &Row = GetParam();
  const std::vector<Access> Found =
      kernelWith(Row.Body).all(Row.Space, Row.Op, "HERE");
  ASSERT_THAT(Found, SizeIs(Row.Count));
  for (const Access &A : Found)
    EXPECT_EQ(A.Bytes, Row.Bytes);
}

static constexpr auto Shared = MemorySpace::Shared;
static constexpr auto Global = MemorySpace::Global;
static constexpr auto Load = AccessOp::Load;
static constexpr auto Store = AccessOp::Store;

INSTANTIATE_TEST_SUITE_P(
    Casts, WidthThroughCast,
    testing::Values(
        CastRow{"DynamicShared",
                "float2 w = ((float2 *)s)[t]; // HERE\n o[t] = w.x + w.y;",
                Shared, Load, 8},
        CastRow{"DynamicSharedBytes",
                "float4 w = *(float4 *)(bytes + 16 * t); // HERE\n"
                "o[t] = w.x + w.y + w.z + w.w;",
                Shared, Load, 16},
        CastRow{"StoreToDynamicShared",
                "*(float4 *)(s + 4 * t) = o4[t]; //HERE", Shared, Store, 16},
        CastRow{"BetweenArrays",
                "*(float4 *)(s + 4 * t) = *(float4 *)(dg + 4 * t); // HERE",
                Shared, Store, 16},
        CastRow{"WordOfBytes", "o[t] = *(int *)&bytes[4 * t + 512]; // HERE",
                Shared, Load, 4},
        CastRow{"WordOfFixedBytes",
                "fixed[t] = 1; __syncthreads();\n"
                "o[t] = *(int *)&fixed[4 * t]; // HERE",
                Shared, Load, 4},
        CastRow{"DeviceArray",
                "float4 w = *(float4 *)(dg + 4 * t); // HERE\n"
                "o[t] = w.x + w.y + w.z + w.w;",
                Global, Load, 16},
        CastRow{"DeviceBytes",
                "float4 w = *(float4 *)(dc + 16 * t); // HERE\n"
                "o[t] = w.x + w.y + w.z + w.w;",
                Global, Load, 16},
        CastRow{"StoreToDeviceArray", "((float4 *)dg)[t] = o4[t]; // HERE",
                Global, Store, 16},
        CastRow{"Member",
                "float4 w = *(float4 *)h[t].a; // HERE\n"
                "o[t] = w.x + w.y + w.z + w.w;",
                Global, Load, 16},
        CastRow{"Reference",
                "float4 w = reinterpret_cast<float4 &>(dg[4 * t]); // HERE\n"
                "o[t] = w.x + w.y + w.z + w.w;",
                Global, Load, 16},
        CastRow{"ConstReference",
                "float4 w = reinterpret_cast<const float4 &>(s[4 * t]);//HERE\n"
                "o[t] = w.x + w.y + w.z + w.w;",
                Shared, Load, 16},
        CastRow{"Lambda",
                "auto put = [&](int i) {\n"
                "  o4[i] = *(float4 *)&dg[4 * i]; // HERE\n};\n put(t);",
                Global, Load, 16},
        CastRow{"CastMemberOfPacked", "o[t] = *(int *)(p[t].q + 4); // HERE",
                Global, Load, 4}),
    [](const auto &Info) { return std::string(Info.param.Name); });

// Where nothing promises more, or something promises less, nvcc splits too.
INSTANTIATE_TEST_SUITE_P(
    StaySplit, WidthThroughCast,
    testing::Values(
        CastRow{"FourFloats",
                "four w = f[t]; // HERE\n o[t] = w.a + w.b + w.c + w.d;",
                Global, Load, 4, 4},
        CastRow{"FourFloatsOfDeviceArray",
                "four w = *(four *)(dg + 4 * t); // HERE\n"
                "o[t] = w.a + w.b + w.c + w.d;",
                Global, Load, 4, 4},
        CastRow{"ThreeFloats",
                "float3 w = f3[t]; // HERE\n o[t] = w.x + w.y + w.z;", Global,
                Load, 4, 3},
        CastRow{"ThreeFloatsOfDynamicShared",
                "float3 w = *(float3 *)(s + 3 * t); // HERE\n"
                "o[t] = w.x + w.y + w.z;",
                Shared, Load, 4, 3},
        CastRow{"PackedMember", "o[t] = p[t].v.y; // HERE", Global, Load, 1},
        CastRow{"CopyOfBytes",
                "int w; __builtin_memcpy(&w, dc + 4 * t, 4); // HERE\n"
                "o[t] = w;",
                Global, Load, 1, 4}),
    [](const auto &Info) { return std::string(Info.param.Name); });

// Four floats in a row from dynamic shared memory, which nvcc takes to be
// aligned to 16 bytes: one access, and as global memory is not, four there.
TEST(Neighbours, AreMergedInDynamicShared) {
  const std::string Sum = "int i = 4 * t;\n o[t] = A[i] + A[i + 1] + A[i + 2] "
                          "+ A[i + 3]; // HERE";
  const Evaluated E = kernelWith("float *A = s;" + Sum, {.Expected = true});
  const Access A = E.sharedLoad("HERE");
  EXPECT_EQ(A.Bytes, 16u);
  EXPECT_TRUE(costs(A, {4, 4, 1}));
  EXPECT_THAT(kernelWith("float *A = dg;" + Sum, {.Expected = true})
                  .all(Global, Load, "HERE"),
              SizeIs(4));
}

// A vector of 8 bytes for each lane takes two wavefronts and has no conflict:
// in two halves of 4 bytes each of them would have one of two ways.
TEST(Costs, AreThoseOfTheWholeVector) {
  const Evaluated E =
      kernelWith("float2 w = reinterpret_cast<float2 *>(s)[t]; // HERE\n"
                 "o[t] = w.x + w.y;");
  EXPECT_TRUE(costs(E.sharedLoad("HERE"), {2, 2, 1}));
}

// A shared body of a template is read for each of its instantiations.
TEST(Templates, EachInstantiationHasItsWidth) {
  const Evaluated E = kernelWith("float2 v = fetch<float2>(dg, 2 * t);\n"
                                 "float4 w = fetch<float4>(dg, 4 * t + 1024);\n"
                                 "o[t] = v.x + v.y + w.x + w.y + w.z + w.w;");
  std::vector<unsigned> Widths;
  for (const Access &A : E.all(Global, Load))
    Widths.push_back(A.Bytes);
  EXPECT_THAT(Widths, testing::UnorderedElementsAre(8, 16));
}

// A start that is a multiple of 256, but for a bound of which nothing is known:
// either it is aligned, or no lane is left.
TEST(Bounds, AStartThatABoundLimits) {
  const Evaluated E =
      evaluate("__global__ void k(float *o, const int *size) {\n"
               "  int n = *size;\n"
               "  int start = min((int)blockIdx.x * 256, n);\n"
               "  int i = start + threadIdx.x;\n"
               "  if (i < n) o[i] = 1; // here\n"
               "}\n");
  const Access A = E.globalStore("// here");
  EXPECT_TRUE(costs(A, {4, 4}));
  EXPECT_THAT(A.Assumptions, testing::Contains(testing::HasSubstr("bounds")));
}

// Both of what it may be are aligned to nothing.
TEST(Bounds, AStartThatIsDataStaysOne) {
  const Evaluated E =
      evaluate("__global__ void k(float *o, const int *size) {\n"
               "  int start = min(size[1], size[0]);\n"
               "  o[start + threadIdx.x] = 1; // here\n"
               "}\n");
  EXPECT_THAT(E.globalStore("// here").Assumptions,
              testing::Contains(testing::HasSubstr("every alignment")));
}

} // namespace CastAlignmentTests
