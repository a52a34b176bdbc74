//===- tests/unit/analyzer/frontend/CarvedTextTests.cpp - What is unseen --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Memory that is carved up: what another build, another file or code that is
/// not seen may make of it, so that it stays as it is.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/frontend/CarvedKernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

using testing::ElementsAre;

namespace cudalint::test::CarvedTextTests {

TEST(CarvedPointersText, TheCommandLineDefinesMacrosToo) {
  const auto carved = [](const char *Argument, const char *Offset = "32") {
    ParseSetting Options;
    Options.CompilerArguments = {Argument};
    const Parsed P = parse(std::string("__global__ void k(int *p) {\n"
                                       "  extern __shared__ int s[];\n"
                                       "  int *part = s + ") +
                               Offset +
                               ";\n  int *b = s;\n"
                               "  b[0] = part[1];\n}\n",
                           Options);
    EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
    return arrayOfB(P) != nullptr;
  };
  EXPECT_TRUE(carved("-DN=32"));
  EXPECT_FALSE(carved("-DN=part"));
  // For another target of the build, it may be another number.
  EXPECT_FALSE(carved("-DN=32", "N"));
}

// A reference leads to what is behind it, too.
TEST(CarvedPointersText, ElementsAreReadAndWrittenThemselves) {
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
TEST(CarvedPointersText, ReferencesToElementsOfOtherArrays) {
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
TEST(CarvedPointersText, NumbersAreTheSameForAll) {
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
        // What types are made of.
        "#ifdef A\nconstexpr int M = 33;\n#else\nconstexpr int M = 32;\n"
        "#endif\nconstexpr int L = M; struct R { float x[L]; };\n"
        "constexpr int N = sizeof(R) / 4;\n",
        "#ifdef A\ntypedef double R;\n#else\ntypedef float R;\n#endif\n"
        "struct T { R x[32]; }; constexpr int N = sizeof(T) / 4;\n",
        "#ifdef A\nstruct R { double x; };\n#else\nstruct R { int x; };\n"
        "#endif\nstruct T : R {}; constexpr int N = 8 * sizeof(T);\n",
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

TEST(CarvedPointersText, AllThatIsWrittenAboutTheirFunctionIsCompiled) {
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

TEST(CarvedPointersText, InstancesAreTheSameForAll) {
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
  // What a type is called is lost where it is deduced.
  const std::string Real = "#ifdef A\ntypedef double real;\n#else\n"
                           "typedef float real;\n#endif\n";
  const auto ofType = [](const std::string &Before) {
    const Parsed P =
        parseKernel(Before + "template <class T> __global__ void k(T *) {\n"
                             "  extern __shared__ int s[];\n"
                             "  int *b = s + 128 / sizeof(T);\n"
                             "  b[0] = 1;\n}\n"
                             "void run(real *p) { k<<<1, 1>>>(p); }\n");
    return arrayOfB(P) != nullptr;
  };
  EXPECT_TRUE(ofType("typedef float real;\n"));
  EXPECT_FALSE(ofType(Real));
  EXPECT_FALSE(carved(M, Instance + "#ifdef A\ntemplate __global__ void "
                                    "k<31>();\n#endif\n"));
}

TEST(CarvedPointersText, EachBuildReadsTheSameFiles) {
  const auto carved = [](const std::string &Before, const std::string &Within) {
    ParseSetting Options;
    Options.VirtualFiles["part.inc"] = "\n";
    const Parsed P = parse(Before +
                               "__global__ void k(int *p) {\n"
                               "  extern __shared__ int s[];\n"
                               "  int *b = s + 32;\n" +
                               Within + "  b[0] = 1;\n}\n",
                           Options);
    EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
    return arrayOfB(P) != nullptr;
  };
  const std::string Part = "#include \"part.inc\"\n";
  EXPECT_TRUE(carved(Part, ""));
  EXPECT_TRUE(carved("#ifdef A\n#include <part.h>\n#endif\n", ""));
  EXPECT_FALSE(carved("#ifdef A\n" + Part + "#endif\n", ""));
  EXPECT_FALSE(carved("#define PART \"part.inc\"\n#include PART\n", ""));
  EXPECT_FALSE(carved("", Part));
  EXPECT_FALSE(carved("", "#if 0\n" + Part + "#endif\n"));
}

// What has no body here may declare the memory for itself.
TEST(CarvedPointersText, WhatIsCalledIsSeen) {
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

// All of them begin where the memory does.
TEST(CarvedPointersText, TheMemoryHasOneName) {
  const std::string B = "float *b = s + 32; ";
  EXPECT_THAT(begins(B, "__global__ void other() { extern __shared__ int t[]; "
                        "t[0] = 1; }\n"),
              ElementsAre("32: 32"));
  EXPECT_THAT(begins(B + "if (false) { extern __shared__ int t[]; t[0] = 1; }"),
              ElementsAre("none"));
  EXPECT_THAT(begins(B,
                     "static __device__ void other() { extern __shared__ int "
                     "t[]; t[0] = 1; }\n"),
              ElementsAre("none"));
}

TEST(CarvedPointersText, NobodyElseAsksForTheMemory) {
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

TEST(CarvedPointersText, NoOtherFileCallsWhatUsesTheMemory) {
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
TEST(CarvedPointersText, TheirTextIsReadOnce) {
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

} // namespace cudalint::test::CarvedTextTests
