//===- tests/unit/analyzer/launch/RestrictedPointersTests.cpp - Tests -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which kernels may have their pointers declared `__restrict__`, and which
/// launches pass pointers into allocations of their own.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace cudalint::test::RestrictedPointersTests {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The head of the last kernel of \p Text with what is written into it; empty
/// where nothing is.
static std::string restricted(std::string Text) {
  const LaunchFacts Facts = extract(Text);
  if (Facts.Kernels.empty())
    return "no kernel";
  std::vector<Edit> Edits = Facts.Kernels.back().Restricts;
  if (Edits.empty())
    return {};
  std::ranges::sort(Edits, std::greater(), &Edit::Offset);
  for (const Edit &Each : Edits)
    Text.replace(Each.Offset, Each.Length, Each.Text);
  const std::size_t Begin = Text.rfind("k(");
  return Text.substr(Begin, Text.find(')', Begin) + 1 - Begin);
}

/// The same of a kernel with two pointers; \p Around comes in front of it.
static bool isRestricted(const std::string &Body,
                         const std::string &Around = "") {
  return !restricted(Around + "__global__ void k(float *a, float *b, int n) {" +
                     Body + "}\n")
              .empty();
}

TEST(RestrictedPointers, AreWrittenBeforeTheNames) {
  EXPECT_EQ("k(float *__restrict__ a, const float* __restrict__ b, int n)",
            restricted("__global__ void k(float *a, const float* b, int n) "
                       "{ a[n] = b[n]; }"));
  EXPECT_EQ("k(float *__restrict__ a, double *const __restrict__ b, float *)",
            restricted("__global__ void k(float *__restrict__ a, "
                       "double *const b, float *) { a[0] = b[0]; }"));
  EXPECT_EQ("k(void *__restrict__ a, S s, P *__restrict__ p)",
            restricted("struct S { int n[4]; float2 v; }; struct P : S {};\n"
                       "__global__ void k(void *a, S s, P *p) "
                       "{ ((float *)a)[s.n[0]] = p->v.x; }"));
}

TEST(RestrictedPointers, WhatIsWrittenAnotherWayStays) {
  EXPECT_EQ("", restricted("__global__ void k(float a[], float *b) "
                           "{ a[0] = b[0]; }"));
  EXPECT_EQ("", restricted("typedef float *F;\n"
                           "__global__ void k(F a, F b) { a[0] = b[0]; }"));
  EXPECT_EQ("", restricted("#define IN float *a\n"
                           "__global__ void k(IN, float *b) { a[0] = b[0]; }"));
  EXPECT_EQ("", restricted("__global__ void k(float *__restrict__ a, "
                           "float *__restrict__ b) { a[0] = b[0]; }"));
  EXPECT_EQ("", restricted("__global__ void k(int n) {}"));
  EXPECT_EQ("", restricted("template <class T> __global__ void k(T *a, T *b) "
                           "{ a[0] = b[0]; }\n"
                           "template __global__ void k(int *, int *);"));
}

TEST(RestrictedPointers, CodeThatGoesByItsPointersKeepsThePromise) {
  EXPECT_TRUE(isRestricted("a[threadIdx.x] = b[n];"));
  EXPECT_TRUE(isRestricted("for (int a = 0; a < n; ++a) b[a] += 1;"))
      << "another variable of that name";
  EXPECT_TRUE(isRestricted("float *p = a + n; while (n--) *p++ += b[n];"));
  EXPECT_TRUE(isRestricted("float *p = a; if (n) p = b; *p = 1;"));
  EXPECT_TRUE(isRestricted("a += threadIdx.x; ++b; *(a) = (b)[1];"));
  EXPECT_TRUE(isRestricted("if (!a || a == b) return; *a = b - a;"));
  EXPECT_TRUE(isRestricted("set(a, *b);", "__device__ void set(float *p, "
                                          "float v) { *p = v; }\n"));
  EXPECT_TRUE(isRestricted("__shared__ float s[32]; s[n] = b[n]; "
                           "__syncthreads(); a[n] = s[n] + T[n];",
                           "__device__ float T[32];\n"));
  EXPECT_TRUE(isRestricted("atomicAdd(a, *b); if (n) atomicAdd(a, 2.0f);"));
  EXPECT_TRUE(isRestricted("float4 v = *reinterpret_cast<float4 *>(a); "
                           "*b = v.x;"));
  EXPECT_TRUE(
      isRestricted("V v; v.x = *b; *a = v.x;", "struct V { float x, y; };\n"));
  EXPECT_TRUE(isRestricted("*a = fabs(*b); *b = __builtin_sqrtf(*a);"));
}

TEST(RestrictedPointers, AnotherWayToMemoryIsAnEnemy) {
  // A pointer that is loaded.
  EXPECT_EQ("", restricted("__global__ void k(float **a, float *b) "
                           "{ a[0][1] = b[0]; }"));
  EXPECT_EQ("", restricted("struct S { float *p; };\n"
                           "__global__ void k(S s, float *b) "
                           "{ s.p[1] = b[0]; }"));
  EXPECT_EQ("", restricted("struct S { int n; float *p; };\n"
                           "__global__ void k(S *s, float *b) "
                           "{ s->p[1] = b[0]; }"));
  EXPECT_FALSE(isRestricted("g[n] = b[n];", "__device__ float *g;\n"));
  EXPECT_FALSE(isRestricted("static float *p; p[n] = b[n];"));
  EXPECT_FALSE(isRestricted("float *p[2] = {a, b}; p[n][0] = p[1][0];"));
  EXPECT_FALSE(isRestricted("__shared__ float *s; s = a; __syncthreads(); "
                            "s[n] = b[n];"));
  // One that is made of a number, or becomes one.
  EXPECT_FALSE(isRestricted("float *p = (float *)(long long)n; *p = *b;"));
  EXPECT_FALSE(isRestricted("long long p = (long long)a; *b = p;"));
  // Parameters that become each other, or are changed unseen.
  EXPECT_FALSE(isRestricted("a = b; *a = 1;"));
  EXPECT_FALSE(isRestricted("float **p = &a; **p = *b;"));
  EXPECT_FALSE(isRestricted("float *&p = a; p = b; *p = 1;"));
  EXPECT_FALSE(isRestricted("swap(a, b); *a = *b;",
                            "__device__ void swap(float *&x, float *&y) "
                            "{ float *z = x; x = y; y = z; }\n"));
  EXPECT_FALSE(isRestricted("float *p = n ? a : b; *p = 1;"));
  EXPECT_FALSE(isRestricted("auto f = [=] { return b[n]; }; *a = f();"));
}

TEST(RestrictedPointers, CodeThatIsNotSeenIsAnEnemy) {
  EXPECT_FALSE(isRestricted("f(a); *b = 1;", "__device__ void f(float *);\n"));
  EXPECT_FALSE(isRestricted("void (*p)(float *) = f; p(a);",
                            "__device__ void f(float *x) { *x = 1; }\n"));
  EXPECT_FALSE(isRestricted("f(a, *b);",
                            "__device__ float *g;\n__device__ void f(float *x, "
                            "float v) { g[0] = v; *x = v; }\n"))
      << "in a function that is called";
  EXPECT_FALSE(
      isRestricted("asm volatile(\"st.global.f32 [%0], 0f00000000;\" :: "
                   "\"l\"(a)); *b = 1;"));
  EXPECT_FALSE(isRestricted("Made m(b); *a = m.v;",
                            "struct Made { float v; __device__ "
                            "Made(float *p) : v(*p) {} };\n"));
  // In another build.
  EXPECT_FALSE(isRestricted("\n#ifdef OTHER\nother(a);\n#endif\n*b = 1;"));
  EXPECT_FALSE(isRestricted("\n#if __CUDA_ARCH__ > 900\n*a = 1;\n#else\n"
                            "*a = 2;\n#endif\n*b = 1;"));
}

TEST(RestrictedPointers, WaitingForOthersIsAnEnemy) {
  EXPECT_EQ("", restricted("__global__ void k(volatile int *a, float *b) "
                           "{ while (!*a); b[1] = b[0]; }"));
  EXPECT_FALSE(isRestricted("volatile float *p = a; while (!*p); *b = 1;"));
  // Of the toolkit, which is a header of the system.
  const std::string Toolkit =
      "# 1 \"/cuda/include/device.h\" 1 3\n"
      "__device__ void __threadfence(); __device__ void __other();\n"
      "namespace cuda { struct flag { __device__ int load(); }; }\n"
      "# 1 \"input.cu\" 2\n";
  EXPECT_TRUE(isRestricted("*a = 1; __other(); *b = 1;", Toolkit));
  EXPECT_FALSE(isRestricted("*a = 1; __threadfence(); *b = 1;", Toolkit));
  EXPECT_FALSE(
      isRestricted("cuda::flag f; while (f.load()); *b = 1;", Toolkit));
  EXPECT_FALSE(isRestricted("while (atomicAdd(a, 0.0f) == 0); *b = 1;"));
  EXPECT_FALSE(isRestricted("float v = atomicAdd(a, 1.0f); *b = v;"));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static const char Kernel[] =
    "__global__ void k(float *a, const float *b, int n) {}\n";

/// Whether all launches that \p Code has pass pointers of their own.
static bool haveOwn(const std::string &Code) {
  const LaunchFacts Facts = extract(Kernel + Code);
  EXPECT_FALSE(Facts.Launches.empty());
  return std::ranges::all_of(Facts.Launches, &Launch::HasOwnAllocations);
}

static bool haveOwnInMain(const std::string &Body) {
  return haveOwn("int main(int argc, char **) {\n"
                 "  float *p, *q;\n"
                 "  cudaMalloc(&p, 4096);\n"
                 "  cudaMalloc((void **)&q, 4096);\n" +
                 Body + "}\n");
}

TEST(OwnAllocations, AreThoseOfCudaMalloc) {
  EXPECT_TRUE(haveOwnInMain("k<<<1, 32>>>(p, q, 1);"));
  EXPECT_TRUE(haveOwnInMain("k<<<1, 32>>>(p + 8, q, 1);"));
  EXPECT_TRUE(haveOwnInMain("k<<<1, 32>>>(p, &q[argc], 1);"));
  EXPECT_TRUE(haveOwnInMain("k<<<1, 32>>>(p, nullptr, 1);"));
  EXPECT_TRUE(haveOwnInMain("k<<<1, 32>>>(p, q, 1); k<<<1, 32>>>(q, p, 1);"));
  EXPECT_TRUE(haveOwnInMain("for (int i = 0; i < argc; ++i)\n"
                            "  k<<<1, 32>>>(p, q, i);"));
  EXPECT_TRUE(haveOwnInMain("cudaMallocManaged(&q, 64);\n"
                            "k<<<1, 32>>>(p, q, 1);"));
  EXPECT_TRUE(haveOwnInMain("void *v; cudaMalloc(&v, 64);\n"
                            "k<<<1, 32>>>(p, static_cast<float *>(v), 1);"));
}

TEST(OwnAllocations, AreFollowedThroughFunctionsAndStructs) {
  EXPECT_TRUE(haveOwn("float *get() { float *p; cudaMalloc(&p, 64); return p; "
                      "}\n"
                      "void run(float *a, float *b) { k<<<1, 32>>>(a, b, 1); "
                      "}\n"
                      "int main() { run(get(), get()); }"));
  EXPECT_TRUE(haveOwn("struct S { float *a, *b; };\n"
                      "int main() { S s; cudaMalloc(&s.a, 64); "
                      "cudaMalloc(&s.b, 64); k<<<1, 32>>>(s.a, s.b, 1); }"));
  EXPECT_TRUE(haveOwn("float *a, *b;\n"
                      "void init() { cudaMalloc(&a, 64); cudaMalloc(&b, 64); "
                      "}\n"
                      "int main() { init(); k<<<1, 32>>>(a, b, 1); }"));
}

TEST(OwnAllocations, TheSameMemoryTwiceIsNone) {
  EXPECT_FALSE(haveOwnInMain("k<<<1, 32>>>(p, p, 1);"));
  EXPECT_FALSE(haveOwnInMain("k<<<1, 32>>>(p, p + 32, 1);"));
  EXPECT_FALSE(haveOwnInMain("q = p; k<<<1, 32>>>(p, q, 1);"));
  EXPECT_FALSE(haveOwnInMain("float *r = &p[argc]; k<<<1, 32>>>(p, r, 1);"));
  // Of launches that look alike, one is enough.
  EXPECT_FALSE(haveOwn("void run(float *a, float *b) { k<<<1, 32>>>(a, b, 1); "
                       "}\n"
                       "int main() { float *p, *q; cudaMalloc(&p, 64); "
                       "cudaMalloc(&q, 64); run(p, q); run(p, p); run(p, q); "
                       "}"));
  EXPECT_FALSE(haveOwnInMain("for (int i = 0; i < argc; ++i) {\n"
                             "  k<<<1, 32>>>(p, q, i); q = p; }"));
}

TEST(OwnAllocations, WhatIsNotTracedIsNone) {
  EXPECT_FALSE(haveOwn("void run(float *a, float *b) { k<<<1, 32>>>(a, b, 1); "
                       "}"));
  EXPECT_FALSE(haveOwnInMain("if (argc > 1) q = p; k<<<1, 32>>>(p, q, 1);"));
  EXPECT_FALSE(haveOwn("float *get();\nint main() { float *p; cudaMalloc(&p, "
                       "64); k<<<1, 32>>>(p, get(), 1); }"));
  EXPECT_FALSE(haveOwn("void change(float **);\nint main() { float *p, *q; "
                       "cudaMalloc(&p, 64); cudaMalloc(&q, 64); change(&q); "
                       "k<<<1, 32>>>(p, q, 1); }"));
  EXPECT_FALSE(haveOwnInMain("float *r = (float *)((long long)p + 64);\n"
                             "k<<<1, 32>>>(r, q, 1);"));
  EXPECT_FALSE(haveOwn("int cudaMalloc(float **p, int, int);\n"
                       "int main() { float *p, *q; cudaMalloc(&p, 64, 1); "
                       "cudaMalloc(&q, 64, 1); k<<<1, 32>>>(p, q, 1); }"))
      << "a function of the user's";
  // An array of pointers, filled by a loop.
  EXPECT_FALSE(haveOwn("int main(int n, char **) { float *d[8]; "
                       "for (int i = 0; i < n; ++i) cudaMalloc(&d[i], 64); "
                       "k<<<1, 32>>>(d[0], d[1], 1); }"));
  // A pool that is made when it is first asked for.
  EXPECT_FALSE(haveOwn("float *pool() { static float *p = nullptr; "
                       "if (!p) cudaMalloc(&p, 64); return p; }\n"
                       "int main() { float *a = pool(), *b = pool(); "
                       "k<<<1, 32>>>(a, b, 1); }"));
}

TEST(OwnAllocations, OfOtherFilesNobodyLaunchesAStaticKernel) {
  const LaunchFacts Facts =
      extract("static __global__ void s(float *a) {}\n"
              "namespace { __global__ void t(float *a) {} }\n"
              "__global__ void u(float *a) {}\n");
  ASSERT_EQ(Facts.Kernels.size(), 3u);
  EXPECT_TRUE(Facts.Kernels[0].IsOfFileAlone);
  EXPECT_TRUE(Facts.Kernels[1].IsOfFileAlone);
  EXPECT_FALSE(Facts.Kernels[2].IsOfFileAlone);
}

/// Whether no other file can launch a static kernel on memory that is not
/// known, of which \p Code has the launches.
static bool isOfFileAlone(const std::string &Code) {
  return extract("static __global__ void k(float *a, const float *b) "
                 "{ a[0] = b[0]; }\n" +
                 Code)
      .Kernels.at(0)
      .IsOfFileAlone;
}

TEST(OwnAllocations, OtherFilesMayCallWhatLaunches) {
  const std::string Run =
      "void run(float *a, float *b) { k<<<1, 32>>>(a, b); }\n";
  const std::string Main = "int main() { float *p, *q; cudaMalloc(&p, 64); "
                           "cudaMalloc(&q, 64); run(p, q); }";
  EXPECT_FALSE(isOfFileAlone(Run + Main));
  EXPECT_TRUE(isOfFileAlone("static " + Run + Main));
  EXPECT_TRUE(isOfFileAlone("namespace {" + Run + "}" + Main));
  EXPECT_FALSE(isOfFileAlone("static " + Run +
                             "void other(float *a) { run(a, a); }\n" + Main));
  // Whoever calls it, it allocates both.
  EXPECT_TRUE(isOfFileAlone(
      "void test() { float *p, *q; cudaMalloc(&p, 64); cudaMalloc(&q, 64); "
      "k<<<1, 32>>>(p, q); }\nint main() { test(); }"));
  EXPECT_FALSE(isOfFileAlone(
      "struct Solver { float *p, *q; Solver() { cudaMalloc(&p, 64); "
      "cudaMalloc(&q, 64); } void step() { k<<<1, 32>>>(p, q); } };\n"
      "int main() { Solver s; s.step(); }"));
}

} // namespace cudalint::test::RestrictedPointersTests
