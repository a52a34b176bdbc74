//===- tests/unit/analyzer/frontend/CarvedPointersTests.cpp - Parts -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pointers that carve up an array: what is known of where they begin and of
/// their indices, and which uses make all of it unknown.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/frontend/CarvedKernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

using testing::ElementsAre;
using testing::IsEmpty;

namespace cudalint::test::CarvedPointersTests {

TEST(CarvedPointers, BeginSomewhereInTheArray) {
  EXPECT_THAT(begins("float *b = s;"), IsEmpty());
  EXPECT_THAT(begins("float *b = &s[0];"), IsEmpty());
  EXPECT_THAT(begins("float *b = s + 32 * 32;"), ElementsAre("32 * 32: 1024"));
  EXPECT_THAT(begins("float *b = &s[1024];"), ElementsAre("1024: 1024"));
  EXPECT_THAT(begins("float *a = s; float *b = a + 48;"),
              ElementsAre("48: 48"));
  EXPECT_THAT(begins("float *a = s + 64; float *b = &a[32] + 16;"),
              ElementsAre("64: 64", "32: 32", "16: 16"));
  EXPECT_THAT(begins("auto *b = s + 32;"), ElementsAre("32: 32"));
  EXPECT_THAT(begins("float *__restrict__ const b = s + 32;"),
              ElementsAre("32: 32"));
  EXPECT_THAT(begins("volatile float *b = s + 32;"), ElementsAre("32: 32"));
  EXPECT_THAT(begins("float *b = (s + N);", "#define N 4 * 8\n"),
              ElementsAre("N: 32"));
}

// What is no constant has a power of two that stays if the product wraps.
TEST(CarvedPointers, OffsetsHaveDivisorsByTheirForm) {
  const auto divisor = [](const std::string &Offset) {
    return begins("float *b = s + " + Offset + ";");
  };
  EXPECT_THAT(divisor("n * 32"), ElementsAre("n * 32: 32"));
  EXPECT_THAT(divisor("n * 48"), ElementsAre("n * 48: 16"));
  EXPECT_THAT(divisor("n * 4 * n * 8"), ElementsAre("n * 4 * n * 8: 32"));
  EXPECT_THAT(divisor("(n << 5)"), ElementsAre("(n << 5): 32"));
  EXPECT_THAT(divisor("(n + 31) / 32 * 32"),
              ElementsAre("(n + 31) / 32 * 32: 32"));
  EXPECT_THAT(divisor("(n & ~31)"), ElementsAre("(n & ~31): 32"));
  EXPECT_THAT(divisor("(n * 32 + 64)"), ElementsAre("(n * 32 + 64): 32"));
  EXPECT_THAT(divisor("(n * 32 + 8)"), ElementsAre("(n * 32 + 8): 8"));
  EXPECT_THAT(divisor("(n ? 32 : n * 64)"),
              ElementsAre("(n ? 32 : n * 64): 32"));
  EXPECT_THAT(divisor("n"), ElementsAre("n: 1"));
  EXPECT_THAT(divisor("bool(n & 64) * 8"), ElementsAre("bool(n & 64) * 8: 8"));
  EXPECT_THAT(begins("const bool c = n & 32; float *b = s + c * 16;"),
              ElementsAre("c * 16: 16"));
  EXPECT_THAT(
      begins("float *b = s + E(n & 32) * 16;", "enum E : bool { No, Yes };\n"),
      ElementsAre("E(n & 32) * 16: 16"));
  EXPECT_THAT(divisor("n * n"), ElementsAre("n * n: 1"));
  EXPECT_THAT(divisor("(int)(n * 32 * 0.3f)"),
              ElementsAre("(int)(n * 32 * 0.3f): 1!"));
  EXPECT_THAT(begins("const int c = n * 32; float *b = s + c;"),
              ElementsAre("c: 32"));
  EXPECT_THAT(begins("int c = n * 32; c++; float *b = s + c;"),
              ElementsAre("c: 1"));
  EXPECT_THAT(begins("float *b = s + n++ * 32;"), ElementsAre("n++ * 32: 32!"));
  // Another thread may change what it leads to.
  EXPECT_THAT(begins("__shared__ int i; int &c = i; float *b = s + c * 32;"),
              ElementsAre("c * 32: 32!"));
}

// `(u - 1) * 32` may lead back by a number that is large.
TEST(CarvedPointers, OffsetsThatMayHaveWrapped) {
  EXPECT_THAT(begins("float *b = s + (u - 1) * 32;"),
              ElementsAre("(u - 1) * 32: 32?"));
  EXPECT_THAT(begins("float *b = s + (size_t(u) - 1) * 32;"),
              ElementsAre("(size_t(u) - 1) * 32: 32?"));
  EXPECT_THAT(begins("float *b = s + (n - 1) * 32;"),
              ElementsAre("(n - 1) * 32: 32"));
  EXPECT_THAT(begins("float *b = s + 32 + (u - 1) * 32;"),
              ElementsAre("32: 32", "(u - 1) * 32: 32?"));
  EXPECT_THAT(begins("float *a = s + 32; float *b = a + u * 32;"),
              ElementsAre("32: 32", "u * 32: 32?"));
  EXPECT_THAT(begins("float *a = s + 32; float *b = a + threadIdx.y * 32;"),
              ElementsAre("32: 32", "threadIdx.y * 32: 32"));
}

TEST(CarvedPointers, AreUnderstoodOnlyWhereTheyAreSubscripted) {
  const std::string B = "float *b = s + 32; ";
  EXPECT_THAT(begins(B + "b[n] = b[n + 1]; atomicAdd(&b[n], 1.f);"),
              ElementsAre("32: 32"));
  EXPECT_THAT(begins(B + "auto get = [&] { return b[n]; }; out[0] = get();"),
              ElementsAre("32: 32"));
  for (const char *Use :
       {"use(b);",
        "use(&b[1]);",
        "use(s);",
        "b++;",
        "b += 32;",
        "b = s;",
        "float *c = s; c = b;",
        "if (b == out) n = 1;",
        "if (b) n = 1;",
        "float **c = &b;",
        "float *&c = b; c[0] = 1;",
        "out[0] = *b;",
        "out[0] = *(b + n);",
        "out[0] = n[b];",
        "n = b - s;",
        "n = sizeof(b);",
        "struct { float *p; } c = {b};",
        "int *c = (int *)b; c[0] = 1;",
        "((float2 *)b)[n] = float2{};",
        "float *c{b}; c[0] = 1;",
        "float (*c)[32] = reinterpret_cast<float (*)[32]>(s); c[0][0] = 1;",
        "float *c = n ? s : out; c[0] = 1;",
        "float *c = s - 32; c[0] = 1;",
        "float *c = 32 + s; c[0] = 1;",
        "void *c = b;",
        "static float *c; c = b;",
        "auto c = [b] { return b[0]; };",
        "decltype(&s[0]) c = out; c[0] = 1;",
        "asm volatile(\"\" :: \"l\"(b));"})
    EXPECT_THAT(begins(B + Use), ElementsAre("none")) << Use;
}

TEST(CarvedPointers, AreNotUnderstoodWhereSomeTextIsLeftOut) {
  const std::string B = "float *b = s + 32; ";
  EXPECT_THAT(begins(B + "\n#if 0\n b[1] = 0;\n#endif\n"), ElementsAre("none"));
  EXPECT_THAT(begins(B + "\n#if 0\n float *c = s;\n#endif\n"),
              ElementsAre("none"));
  EXPECT_THAT(begins(B + "float *c = s + 64;\n#if 0\n c[1] = 0;\n#endif\n"),
              ElementsAre("none"));
  EXPECT_THAT(begins(B + "out[0] = AT(1);", "#define AT(i) b[i]\n"),
              ElementsAre("none"));
  EXPECT_THAT(begins("BEGIN(32)", "#define BEGIN(n) float *b = s + n;\n"),
              ElementsAre("none"));
  const std::string A = "float *x = s; float *b = s + 32; ";
  EXPECT_THAT(begins(A, "#define TWICE(b, x) (2 * b + x)\n"),
              ElementsAre("32: 32"));
  EXPECT_THAT(begins(A, "#define PART b\n"), ElementsAre("none"));
  EXPECT_THAT(begins(A, "#define FIRST(i) x[i]\n"), ElementsAre("none"));
  EXPECT_THAT(begins(A, "#define AT(i) \\\n  (1 + \\\n b[i])\n"),
              ElementsAre("none"));
  EXPECT_THAT(begins(A, "#if 0\n#define PART b\n#endif\n"),
              ElementsAre("none"));
  EXPECT_THAT(begins(A, "#define OF(of) of##b\n"), ElementsAre("none"));
  // In other functions, it is the same memory if it has the name.
  EXPECT_THAT(begins(B, "#define PART s + 64\n"), ElementsAre("none"));
  EXPECT_THAT(begins(B, "#if 0\n__device__ void f() {\n"
                        "extern __shared__ float s[];\n}\n#endif\n"),
              ElementsAre("none"));
  EXPECT_THAT(begins(B, "__device__ void f() { extern __shared__ float s[]; "
                        "s[0] = 1; }\n"),
              ElementsAre("none"));
  EXPECT_THAT(begins(B, "__global__ void f() { extern __shared__ float s[]; "
                        "s[0] = 1; }\n"),
              ElementsAre("32: 32"));
  EXPECT_THAT(begins(B, "void f(unsigned s) { unsigned n = s; }\n"),
              ElementsAre("32: 32"));
  // Members are no variables.
  EXPECT_THAT(begins("float *x = s + 32; float *b = s; x[0] = float2{}.x;"),
              ElementsAre("32: 32"));
}

TEST(CarvedPointers, AreIntoFlatArraysOfTheirType) {
  const auto carved = [](const std::string &Declared,
                         const std::string &Begin) {
    const Parsed P = parseKernel("__global__ void k(int n) {\n" + Declared +
                                 "\n" + Begin + "\n  b[0] = {};\n}\n");
    return arrayOfB(P) != nullptr;
  };
  EXPECT_TRUE(carved("__shared__ float s[2048];", "float *b = s + 1024;"));
  EXPECT_TRUE(carved("__shared__ float2 s[64];", "float2 *b = s + 32;"));
  EXPECT_FALSE(carved("__shared__ float s[32][32];", "float *b = &s[1][0];"));
  EXPECT_FALSE(carved("__shared__ float s[32][32];", "float *b = s[1];"));
  EXPECT_FALSE(carved("extern __shared__ char s[];",
                      "float *b = reinterpret_cast<float *>(s);"));
  EXPECT_FALSE(carved("__shared__ float s[64];", "float2 *b = (float2 *)s;"));
  EXPECT_FALSE(carved("float s[64];", "float *b = s + 32;"));
}

/// What is known of `b[..]` of `float *b = s + 32`.
static IndexSign signOf(const std::string &Index,
                        const std::string &Begin = "s + 32") {
  const Parsed P =
      kernel("float *b = " + Begin + ";\n  unsigned char c = u;\n" +
             "  out[0] = b[" + Index + "];");
  const ArrayFact *Array = arrayOfB(P);
  if (!Array || !Array->Subscripts) {
    ADD_FAILURE() << Index;
    return IndexSign::Signed;
  }
  return Array->Subscripts->front().Sign;
}

TEST(CarvedPointers, IndicesMayLeadBack) {
  for (const char *Index :
       {"0", "31", "threadIdx.x", "threadIdx.y * 32 + threadIdx.x",
        "(int)threadIdx.x + 1", "threadIdx.x % 8 * 4", "n & 31", "u & 31", "c",
        "c + 1", "threadIdx.x >> 1", "n ? 1 : threadIdx.x"})
    EXPECT_EQ(signOf(Index), IndexSign::NeverNegative) << Index;
  for (const char *Index :
       {"((int)threadIdx.x << 27) >> 27", "n", "n + 1", "n % 32", "-1",
        "(int)u", "31 - c", "(int)(blockIdx.x * blockDim.x) % 32"})
    EXPECT_EQ(signOf(Index), IndexSign::Signed) << Index;
  for (const char *Index : {"u", "u + 1", "threadIdx.x - 1", "threadIdx.x + n",
                            "threadIdx.x * 4294967295u"})
    EXPECT_EQ(signOf(Index), IndexSign::Unsigned) << Index;
  EXPECT_EQ(signOf("v", "s + 32;\n  const int v = threadIdx.x"),
            IndexSign::NeverNegative);
  EXPECT_EQ(signOf("v", "s + 32;\n  const int v = n"), IndexSign::Signed);
  EXPECT_EQ(signOf("v", "s + 32;\n  int v = threadIdx.x"), IndexSign::Signed);
  // What is in front of the array is nobody's.
  EXPECT_EQ(signOf("n", "s"), IndexSign::NeverNegative);
  EXPECT_EQ(signOf("u - 1", "&s[0]"), IndexSign::NeverNegative);
}

// Of all instances what all of them have.
TEST(CarvedPointers, InstancesOfATemplateShareTheirText) {
  const Parsed P = parseKernel(R"(template <int N> __global__ void k(int *p) {
  extern __shared__ int s[];
  int *b = s + N * 8;
  b[threadIdx.x * N + p[0]] = 1;
  b[threadIdx.x * N] = 2;
}
template __global__ void k<4>(int *);
template __global__ void k<6>(int *);
)");
  const ArrayFact *Array = arrayOfB(P);
  ASSERT_TRUE(Array && Array->Offsets && Array->Subscripts);
  ASSERT_EQ(Array->Offsets->size(), 1u);
  EXPECT_EQ(Array->Offsets->front().Divisor, 16u); // Of 32 and 48.
  ASSERT_EQ(Array->Subscripts->size(), 2u);
  EXPECT_EQ(Array->Subscripts->front().Sign, IndexSign::Unsigned);
  EXPECT_EQ(Array->Subscripts->back().Sign, IndexSign::NeverNegative);
}

// Another file, or this one, may include them under other macros.
TEST(CarvedPointers, InHeadersAreNotUnderstood) {
  const auto carved = [](const std::string &Template, const std::string &Use) {
    ParseSetting Options;
    Options.VirtualFiles["k.cuh"] = Template +
                                    "__global__ void k(int *p) {\n"
                                    "  __shared__ int s[64];\n"
                                    "  int *b = s + 32;\n  b[0] = 1;\n}\n";
    const Parsed P = parse("#include \"k.cuh\"\n" + Use, Options);
    EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
    return arrayOfB(P) != nullptr;
  };
  EXPECT_FALSE(carved("", ""));
  EXPECT_FALSE(carved("static ", ""));
  EXPECT_FALSE(
      carved("template <int N> ", "template __global__ void k<4>(int *);\n"));
}

} // namespace cudalint::test::CarvedPointersTests
