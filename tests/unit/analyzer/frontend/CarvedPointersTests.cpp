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

#include "tests/unit/analyzer/frontend/Parsing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

using testing::ElementsAre;
using testing::IsEmpty;

namespace cudalint::test {

static Parsed parseKernel(const std::string &Code) {
  Parsed P = parse(Code, ParseSetting());
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  return P;
}

/// In a function that carves `s` up; the last store is to `b`.
static Parsed kernel(const std::string &Body, const std::string &Before = "") {
  return parseKernel(Before +
                     "__device__ void use(float *p);\n"
                     "__global__ void k(int n, unsigned u, float *out) {\n"
                     "  extern __shared__ float s[];\n" +
                     Body + "\n  b[0] = 1;\n}\n");
}

static const ArrayFact *arrayOfB(const Parsed &P) {
  for (const auto &[Where, Fact] : P.Facts.Stores)
    if (Fact.Object == "b" && Fact.CarvedFrom)
      return &*Fact.CarvedFrom;
  return nullptr;
}

/// Of each offset the text and what divides it; `!` behind what may not be
/// written twice, `?` behind what may have wrapped.
static std::vector<std::string> begins(const std::string &Body,
                                       const std::string &Before = "") {
  const Parsed P = kernel(Body, Before);
  const ArrayFact *Array = arrayOfB(P);
  if (!Array || !Array->Offsets)
    return {"none"};
  std::vector<std::string> Result;
  for (const OffsetText &Each : *Array->Offsets)
    Result.push_back(Each.Text.Text + ": " + std::to_string(Each.Divisor) +
                     (Each.Text.IsRepeatable ? "" : "!") +
                     (Each.Sign == IndexSign::Unsigned ? "?" : ""));
  return Result;
}

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

TEST(CarvedPointers, TheCommandLineDefinesMacrosToo) {
  const auto carved = [](const char *Argument) {
    ParseSetting Options;
    Options.CompilerArguments = {Argument};
    const Parsed P = parse("__global__ void k(int *p) {\n"
                           "  extern __shared__ int s[];\n"
                           "  int *part = s + 32;\n  int *b = s;\n"
                           "  b[0] = part[1];\n}\n",
                           Options);
    EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
    return arrayOfB(P) != nullptr;
  };
  EXPECT_TRUE(carved("-DN=32"));
  EXPECT_FALSE(carved("-DN=part"));
}

// A reference leads to what is behind it, too.
TEST(CarvedPointers, ElementsAreReadAndWrittenThemselves) {
  const std::string B = "float *b = s + 32; ";
  const std::string Before =
      "struct V { float x, y[2]; __device__ float *at() { return &x; } };\n"
      "__device__ inline float get(const float &of) { return of; }\n"
      "__device__ inline float copy(V of) { return of.x; }\n"
      "__device__ inline float view(const V &of) { return of.x; }\n";
  for (const char *Use :
       {"b[n] += b[n + 1] * 2; b[1]++;", "out[0] = (float)b[n] + -b[0];",
        "out[0] = n ? b[n] : s[n];", "float c[2] = {b[0], b[1]};",
        "(n ? b[n] : b[0]) = 1;", "n = sizeof(b[0]);", "(b[n] = 1) += 1;",
        "for (;; b[n] *= 2, ++b[1]) if (n) b[n] = b[1] = 2; else (void)(b[n] "
        "-= 1);"})
    EXPECT_THAT(begins(B + Use, Before), ElementsAre("32: 32")) << Use;
  for (const char *Use :
       {"float &c = b[n]; *(&c + 1) = 1;", "const float &c = b[n];",
        "auto &&c = s[n];", "float &c = n ? b[n] : s[n];", "get(b[n]);",
        "get(s[n]);", "auto c = [&]() -> float & { return b[n]; };",
        "reinterpret_cast<int &>(b[n]) = 1;", "(int &)b[n] = 1;",
        "struct { float &c; } c{b[n]};", "float &c = (b[n] += 1);",
        "get(++b[n]);", "asm(\"\" : \"=f\"(b[n]));"})
    EXPECT_NE(begins(B + Use, Before), std::vector<std::string>{"32: 32"})
        << Use;
  const auto structs = [&](const std::string &Use) {
    const Parsed P =
        parseKernel(Before +
                    "__global__ void k(V *p) {\n  extern __shared__ V s[];\n"
                    "  V *b = s + 32;\n  b[0] = p[0];\n" +
                    Use + "\n}\n");
    return arrayOfB(P) != nullptr;
  };
  for (const char *Use :
       {"V v = b[1]; b[2] = v; b[1] = s[0]; p[1] = b[1];", "copy(b[1]);",
        "p[0].x = b[1].x + b[1].y[1]; b[1].y[0] = 1;"})
    EXPECT_TRUE(structs(Use)) << Use;
  for (const char *Use :
       {"view(b[1]);", "b[1].at();", "float *f = b[1].y;", "V &v = b[1];"})
    EXPECT_FALSE(structs(Use)) << Use;
}

// Of a static array, it is said where it is declared.
TEST(CarvedPointers, ReferencesToElementsOfOtherArrays) {
  const auto isWritten = [](const std::string &Use) {
    const Parsed P = parseKernel("__device__ inline void set(float &v) {}\n"
                                 "__global__ void k(int n) {\n"
                                 "  __shared__ float s[2048];\n  s[n] = 1;\n" +
                                 Use + "\n}\n");
    for (const auto &[Where, Fact] : P.Facts.Stores)
      if (Fact.Object == "s" && Fact.Array)
        return Fact.Array->Subscripts != nullptr;
    return false;
  };
  EXPECT_TRUE(isWritten("s[n] += 2;"));
  EXPECT_FALSE(isWritten("float &v = s[n]; *(&v + 1) = 1;"));
  EXPECT_FALSE(isWritten("set(s[n]);"));
}

// The host, and code for another GPU, may see other numbers.
TEST(CarvedPointers, NumbersAreTheSameForAll) {
  const std::string B = "float *b = s + N; ";
  EXPECT_THAT(begins(B, "#define M 32\n#define N (2 * M)\n"),
              ElementsAre("N: 64"));
  EXPECT_THAT(begins(B, "constexpr int M = 32; enum { L, N = M };\n"),
              ElementsAre("N: 32!"));
  EXPECT_THAT(begins(B, "#ifdef OTHER\nint f();\n#endif\n"
                        "constexpr int N = 32;\n"),
              ElementsAre("N: 32"));
  for (const char *Before :
       {"#if __CUDA_ARCH__ >= 900\nint f();\n#endif\n"
        "constexpr int N = 32;\n",
        "#ifdef A\nconstexpr int N = 31;\n#else\nconstexpr int N = 32;\n"
        "#endif\n",
        "#ifndef N\n#define N 32\n#endif\n",
        "#define N 31\n#undef N\n#define N 32\n",
        "#ifdef A\n#define M 31\n#else\n#define M 32\n#endif\n"
        "#define N M\n",
        "#ifdef A\n#define M 31\n#else\n#define M 32\n#endif\n"
        "constexpr int N = M;\n",
        "#ifdef A\n#define M 31\n#else\n#define M 32\n#endif\n"
        "constexpr int L = M; constexpr int N = L;\n",
        "#ifdef A\n#define M 31\n#else\n#define M 32\n#endif\n"
        "constexpr int f() { return M; } constexpr int N = f();\n",
        "enum {\n#ifdef A\n L,\n#endif\n M = 31, N };\n",
        "#ifdef A\ntypedef double T;\n#else\ntypedef float T;\n#endif\n"
        "constexpr int N = 8 * sizeof(T);\n",
        "#ifdef A\ntypedef double R;\n#else\ntypedef float R;\n#endif\n"
        "typedef R T;\nconstexpr int N = 8 * sizeof(T);\n",
        "struct R {\n#ifdef A\n int i;\n#endif\n float f; };\n"
        "constexpr int N = 8 * sizeof(R);\n",
        "#ifdef A\n#define M 32\n#else\n#define M 0\n#endif\n"
        "constexpr int N = M;\n",
        // Another launch, or other memory.
        "constexpr int N = 32;\n#ifdef A\nvoid f(void *p = (void *)k);\n"
        "#endif\n",
        "constexpr int N = 32;\n#define LAUNCH k\n",
        "constexpr int N = 32;\nint l(int k);\n"})
    EXPECT_THAT(begins(B, Before), ElementsAre("none")) << Before;
  // Of an index, whether it may lead back.
  EXPECT_THAT(begins("float *b = s + 32; b[threadIdx.x + M] = 1;",
                     "#ifdef A\n#define M -1\n#else\n#define M 1\n"
                     "#endif\n"),
              ElementsAre("none"));
}

TEST(CarvedPointers, AllThatIsWrittenAboutTheirFunctionIsCompiled) {
  const auto carved = [](const std::string &Host) {
    const Parsed P = parseKernel("__global__ void k(int *p) {\n"
                                 "  extern __shared__ int s[];\n"
                                 "  int *b = s + 32;\n  b[0] = 1;\n}\n" +
                                 Host);
    return arrayOfB(P) != nullptr;
  };
  const std::string Template =
      "template <class T> void run(T *p) { k<<<1, 1>>>(p); }\n";
  EXPECT_TRUE(carved("void run() { k<<<1, 1>>>(nullptr); }\n"));
  EXPECT_TRUE(carved(Template + "void all(int *p) { run(p); }\n"));
  EXPECT_FALSE(carved(Template));
  EXPECT_FALSE(carved("#ifdef A\nvoid run() { k<<<1, 1>>>(nullptr); }\n"
                      "#endif\n"));
  EXPECT_FALSE(carved("#define LAUNCH(p) k<<<1, 1>>>(p)\n"));
}

TEST(CarvedPointers, InstancesAreTheSameForAll) {
  const auto carved = [](const std::string &Number, const std::string &Its) {
    const Parsed P = parseKernel(Number +
                                 "template <int N> __global__ void k() {\n"
                                 "  extern __shared__ int s[];\n"
                                 "  int *b = s + N;\n  b[0] = 1;\n}\n" +
                                 Its);
    return arrayOfB(P) != nullptr;
  };
  const std::string M = "constexpr int M = 32;\n";
  const std::string Either =
      "#ifdef A\nconstexpr int M = 31;\n#else\nconstexpr int M = 32;\n"
      "#endif\n";
  const std::string Instance = "template __global__ void k<M>();\n";
  const std::string Launch = "void run() { k<M><<<1, 1>>>(); }\n";
  EXPECT_TRUE(carved(M, Instance));
  EXPECT_TRUE(carved(M, Launch));
  EXPECT_FALSE(carved(Either, Instance));
  EXPECT_FALSE(carved(Either, Launch));
  EXPECT_FALSE(carved(M, Instance + "#ifdef A\ntemplate __global__ void "
                                    "k<31>();\n#endif\n"));
}

// What has no body here may declare the memory for itself.
TEST(CarvedPointers, WhatIsCalledIsSeen) {
  const std::string B = "float *b = s + 32; ";
  const std::string Before =
      "__device__ inline int seen() { return 1; }\n"
      "struct Other { __device__ Other(); __device__ ~Other();\n"
      "  virtual __device__ int value() { return 1; } };\n"
      "struct Quiet { int i; __device__ int get() { return i; } };\n"
      "__device__ int operator+(Quiet, int);\n"
      "__device__ int unseen(int);\n"
      "template <class T> __device__ T made(T);\n";
  for (const char *Use : {"n = seen();", "Quiet q; n = q.get();",
                          "__syncthreads();", "n = [&] { return n; }();"})
    EXPECT_THAT(begins(B + Use, Before), ElementsAre("32: 32")) << Use;
  for (const char *Use :
       {"n = unseen(n);", "Other o;", "Quiet q; n = q + 1;", "n = made(n);",
        "int (*f)(int) = unseen;", "int (*f)() = seen; n = f();",
        "n = ((Other *)out)->value();"})
    EXPECT_THAT(begins(B + Use, Before), ElementsAre("none")) << Use;
  // Nobody else reaches what is not dynamic.
  EXPECT_THAT(begins("__shared__ float t[64]; float *b = t + 32; n = "
                     "unseen(n);",
                     Before),
              ElementsAre("32: 32"));
}

TEST(CarvedPointers, NobodyElseAsksForTheMemory) {
  const std::string B = "float *b = s + 32; unsigned c; ";
  EXPECT_THAT(begins(B + "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(c));"),
              ElementsAre("32: 32"));
  for (const char *Use :
       {"asm(\"mov.u32 %0, %%dynamic_smem_size;\" : \"=r\"(c));",
        "asm(\"mov.u32 %0, %%total_\" \"smem_size;\" : \"=r\"(c));",
        "asm(\"st.shared.u32 [%0], %0;\" :: \"r\"(c));",
        "asm(\"mov.u32 %0, s;\" : \"=r\"(c));"})
    EXPECT_THAT(begins(B + Use), ElementsAre("none")) << Use;
  EXPECT_THAT(begins(B + "c = get_sreg_dynamic_smem_size();",
                     "__device__ inline unsigned get_sreg_dynamic_smem_size() "
                     "{ return 1; }\n"),
              ElementsAre("none"));
  EXPECT_THAT(begins(B, "void cudaOccupancyAsked(int);\nvoid ask() { "
                        "cudaOccupancyAsked(64); }\n"),
              ElementsAre("none"));
}

TEST(CarvedPointers, NoOtherFileCallsWhatUsesTheMemory) {
  const auto carved = [](const std::string &Kind) {
    const Parsed P =
        parseKernel("extern __shared__ int s[];\n" + Kind +
                    "__device__ void f() { int *b = s + 32; "
                    "b[0] = 1; }\n"
                    "__global__ void k() { f" +
                    (Kind.starts_with("template") ? "<1>" : "") + "(); }\n");
    return arrayOfB(P) != nullptr;
  };
  EXPECT_TRUE(carved("static "));
  EXPECT_TRUE(carved("inline "));
  EXPECT_TRUE(carved("template <int N> "));
  EXPECT_FALSE(carved(""));
  EXPECT_FALSE(carved("extern \"C\" "));
}

// Else an edit of one is one of the other.
TEST(CarvedPointers, TheirTextIsReadOnce) {
  const auto isWritten = [](const std::string &Text, const std::string &Part) {
    ParseSetting Options;
    Options.VirtualFiles["part.inc"] = Part;
    const Parsed P = parse(Text, Options);
    EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
    for (const auto &[Where, Fact] : P.Facts.Stores)
      if (Fact.Object == "s" && Fact.Array)
        return Fact.Array->Subscripts != nullptr;
    return false;
  };
  const std::string Part = "\n#include \"part.inc\"\n";
  EXPECT_TRUE(isWritten(Part, "static __global__ void k() { __shared__ int "
                              "s[64]; s[1] = 2; }\n"));
  EXPECT_FALSE(
      isWritten("__global__ void k() { __shared__ int s[64];" + Part + "}\n",
                "s[1] = 2;\n"));
  EXPECT_FALSE(isWritten("__global__ void k() {" + Part + "s[1] = 2; }\n",
                         "__shared__ int s[64];\n"));
  EXPECT_FALSE(isWritten(Part, "__shared__ int s[64];\n__device__ inline void "
                               "f() { s[1] = 2; }\n"));
  EXPECT_TRUE(isWritten("__shared__ int s[64];\n__device__ inline void "
                        "f() { s[1] = 2; }\n",
                        ""));
  EXPECT_FALSE(
      isWritten("namespace a {" + Part + "}\nnamespace b {" + Part + "}\n",
                "static __global__ void k() { __shared__ int s[64]; "
                "s[1] = 2; }\n"));
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

} // namespace cudalint::test
