//===- tests/unit/analyzer/launch/FieldArraysTests.cpp - Arrays of fields -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

namespace cudalint::test::FieldArraysTests {

/// With all edits of the struct that the first access with one is to; `no`
/// where there are none.
static std::string rewritten(std::string Text, bool MayFail = false) {
  const SourceFacts Facts = sourceFacts(Text, MayFail);
  for (const auto &[Where, Fact] : Facts.Stores) {
    if (!Fact.Field || !Fact.Field->Apart)
      continue;
    std::vector<Edit> Edits = *Fact.Field->Apart;
    std::ranges::sort(Edits, std::greater(), &Edit::Offset);
    for (const Edit &Each : Edits)
      Text.replace(Each.Offset, Each.Length, Each.Text);
    return Text;
  }
  return "no";
}

static const std::string Struct = "struct P { float x, y; };\n";
static const std::string Arrays =
    "struct PArrays { // The fields of P, one array behind the other.\n"
    "  float *x, *y;\n"
    "  PArrays(P *memory, size_t count)\n"
    "      : x((float *)memory), y(x + count) {}\n"
    "};\n";
static const std::string Kernel =
    "__global__ void k(P *p, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) p[i].x = 2 * p[i].y;\n"
    "}\n";
static const std::string KernelThen =
    "__global__ void k(PArrays p, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) p.x[i] = 2 * p.y[i];\n"
    "}\n";
/// Of all programs that do something else besides.
static const std::string Host = "P *h = (P *)malloc(n * sizeof(P));\n"
                                "P *d;\n"
                                "cudaMalloc(&d, n * sizeof(P));\n"
                                "cudaMemcpy(d, h, n * sizeof(P), "
                                "cudaMemcpyHostToDevice);\n"
                                "k<<<1, n>>>(d, n);\n"
                                "cudaFree(d);\n";
static const std::string HostThen = "P *h = (P *)malloc(n * sizeof(P));\n"
                                    "P *d;\n"
                                    "cudaMalloc(&d, n * sizeof(P));\n"
                                    "cudaMemcpy(d, h, n * sizeof(P), "
                                    "cudaMemcpyHostToDevice);\n"
                                    "k<<<1, n>>>(PArrays(d, n), n);\n"
                                    "cudaFree(d);\n";

/// The body of a function of the host, behind \p Before and the kernel.
static std::string hostOf(const std::string &Body,
                          const std::string &Before = {}) {
  const std::string Text = rewritten(Struct + Kernel + Before +
                                     "void run(int n) {\n" + Body + "}\n");
  const std::string Head = "void run(int n) {\n";
  const std::size_t At = Text.find(Head);
  if (At == std::string::npos)
    return Text;
  EXPECT_EQ(Text.find(Struct + Arrays + KernelThen), 0u);
  return Text.substr(At + Head.size(), Text.size() - At - Head.size() - 2);
}

TEST(FieldArrays, WhoLooksAtAFieldIsEdited) {
  EXPECT_EQ(HostThen, hostOf(Host));
  EXPECT_EQ(HostThen + "PArrays(h, n).x[0] = 1;\n",
            hostOf(Host + "h[0].x = 1;\n"));
  EXPECT_EQ(HostThen + "for (int i = 0; i < n; ++i)\n"
                       "PArrays(h, n).x[i] = PArrays(h, n).y[i] = 0, "
                       "PArrays(h, n).x[n - i - 1]++, "
                       "PArrays(h, n).y[i] *= 2;\n",
            hostOf(Host + "for (int i = 0; i < n; ++i)\n"
                          "h[i].x = h[i].y = 0, h[n - i - 1].x++, "
                          "h[i].y *= 2;\n"));
  EXPECT_EQ(HostThen +
                "PArrays(h, n).x[0] = least(PArrays(h, n).y[1], T(3));\n",
            hostOf(Host + "h[0].x = least(h[1].y, T(3));\n",
                   "struct T { float f; T(float); ~T(); };\n"
                   "float least(float, const T &);\n"));
  EXPECT_EQ(HostThen + "float f = PArrays(h, n).x[int(PArrays(h, n).y[2])];\n",
            hostOf(Host + "float f = h[int(h[2].y)].x;\n"));
  EXPECT_EQ(HostThen +
                "if (PArrays(h, n).x[0] && !PArrays(h, n).y[0]) free(h);\n",
            hostOf(Host + "if (h[0].x && !h[0].y) free(h);\n"));
}

TEST(FieldArrays, MemoryStaysAsItIs) {
  for (const std::string Memory : {
           "P *d = 0, *h; cudaMalloc((void **)&d, sizeof(P) * n);\n",
           "P *d; cudaMallocManaged(&d, n * sizeof(P));\n",
           "P *d; cudaMallocManaged(&d, n * sizeof(*d));\n",
           "P *d; cudaMalloc(&d, n * sizeof(P)); if (!d || d == nullptr) "
           "return; cudaMemset(d, 0, n * sizeof(P));\n",
           "size_t b = n * sizeof(P); P *d; cudaMalloc(&d, b); "
           "P *h = (P *)malloc(b); cudaMemcpy(h, d, b, "
           "cudaMemcpyDeviceToHost);\n",
           "P *d, *h; cudaMallocHost(&h, n * sizeof(P)); cudaMalloc(&d, n * "
           "sizeof(P)); cudaMemcpyAsync((void *)d, (const void *)h, n * "
           "sizeof(P), cudaMemcpyHostToDevice); cudaFreeHost(h);\n",
           "P *h = new P[n], *d; h = new P[n](); cudaMalloc(&d, n * sizeof(P));"
           " cudaMemcpy(d, h, n * sizeof(P), cudaMemcpyHostToDevice); "
           "delete[] h;\n",
           "P *h = static_cast<P *>(calloc(n, sizeof(P))); P *d; cudaMalloc(&d,"
           " n * sizeof(P)); cudaMemcpy(d, h, n * sizeof(P), "
           "cudaMemcpyHostToDevice);\n",
           // Two that change places.
           "P *d, *e; cudaMalloc(&d, n * sizeof(P)); cudaMalloc(&e, n * "
           "sizeof(P)); P *t = d; d = e; e = t;\n",
           // It keeps its value from there on.
           "if (n > 100) n = 100; P *d; cudaMalloc(&d, n * sizeof(P));\n",
           "while (n > 100) { n /= 2; } P *d; cudaMalloc(&d, n * "
           "sizeof(P));\n",
       })
    EXPECT_EQ(Memory + "k<<<1, n>>>(PArrays(d, n), n);\n",
              hostOf(Memory + "k<<<1, n>>>(d, n);\n"));
}

TEST(FieldArrays, ANumberIsWrittenAsInTheSource) {
  const auto of = [](const std::string &Number, const std::string &Before) {
    return hostOf(Before + "P *d; cudaMalloc(&d, " + Number +
                  " * sizeof(P)); k<<<1, 2>>>(d, 2);\n");
  };
  const auto then = [](const std::string &Number, const std::string &Before) {
    return Before + "P *d; cudaMalloc(&d, " + Number +
           " * sizeof(P)); k<<<1, 2>>>(PArrays(d, " + Number + "), 2);\n";
  };
  EXPECT_EQ(then("1024", ""), of("1024", ""));
  EXPECT_EQ(then("m", "const int m = n + 3; "),
            of("m", "const int m = n + 3; "));
  EXPECT_EQ(then("N", "\n#define N (1 << 20)\n"),
            of("N", "\n#define N (1 << 20)\n"));
  EXPECT_EQ("no", of("N", "\n#define N 5\n#undef N\n#define N 6\n"));
  // Given to a macro, or said by one.
  const std::string Macros = "\n#define N 4096\n#define DO(x) do { if (x) "
                             "return; } while (0)\n";
  EXPECT_EQ(Macros + "P *d; DO(cudaMalloc(&d, 2 * N * sizeof(P))); k<<<1, "
                     "2>>>(PArrays(d, 2 * N), 2);\n",
            hostOf(Macros +
                   "P *d; DO(cudaMalloc(&d, 2 * N * sizeof(P))); k<<<1, "
                   "2>>>(d, 2);\n"));
  EXPECT_EQ("no", of("2 * N", "\n#define N 3 + n\n"));
  EXPECT_EQ("no", hostOf("\n#define BYTES ((n + 1) * sizeof(P))\nP *d; "
                         "cudaMalloc(&d, BYTES); k<<<1, 2>>>(d, 2);\n"));
  EXPECT_EQ(then("n * m", "int m = 3; "), of("n * m", "int m = 3; "));
  EXPECT_EQ(then("(size_t)n", ""), of("(size_t)n", ""));
  const std::string Nested = "\n#define M 64\n#define N (2 * M) // Of M.\n";
  EXPECT_EQ(then("N", Nested), of("N", Nested));
  EXPECT_EQ("no", of("N", "\n#define M 64\n#define N (2 * M)\n#undef M\n"
                          "#define M 5\n"));
  EXPECT_EQ("no", of("N", "\n#define M N\n#define N (n + 5)\n"));
  EXPECT_EQ("no", of("(8 + __LINE__)", ""));
  EXPECT_EQ("no", of("(8 + __COUNTER__)", ""));
  EXPECT_EQ("no", of("__INT_MAX__", ""));
  EXPECT_EQ("no", of("(I)n", "typedef int I; "));
  EXPECT_EQ(then("count_", "int count_ = n; "),
            of("count_", "int count_ = n; "));
}

// Of <stdio.h>, that is BUFSIZ: each system has its own.
TEST(FieldArrays, MacrosOfSystemHeadersAreNoNumbers) {
  const std::string Include = "\n#include <float.h>\n";
  const std::string Memory = "P *d; cudaMalloc(&d, FLT_DIG * sizeof(P)); ";
  const std::string Launch = "k<<<1, 2>>>(d, 2);\n";
  EXPECT_NE("no",
            hostOf(Include + "P *d; cudaMalloc(&d, 6 * sizeof(P)); " + Launch));
  EXPECT_EQ("no", hostOf(Include + Memory + Launch));
  EXPECT_EQ("no", hostOf(Include +
                         "\n#define N (2 * FLT_DIG)\nP *d; "
                         "cudaMalloc(&d, N * sizeof(P)); " +
                         Launch));
  // The user's own, from there on.
  EXPECT_EQ("no", hostOf(Include + Memory + "\n#define FLT_DIG 5\n" + Launch));
}

TEST(FieldArrays, FunctionsGetTheArrays) {
  EXPECT_EQ(HostThen + "init(PArrays(h, n), n);\n",
            hostOf(Host + "init(h, n);\n",
                   "void init(P *p, int n) { while (n--) p[n].x = n; }\n"));
  EXPECT_EQ(
      Struct + Arrays +
          "__device__ float get(PArrays p, int i);\n"
          "__device__ float get(PArrays q, int i) { return q.y[i]; }\n"
          "__global__ void k(int n, PArrays p) { p.x[n] = get(p, n); }\n"
          "__global__ void l(PArrays, int);\n"
          "void both(PArrays p, int n) { k<<<1, n>>>(n, p); l<<<1, 1>>>(p, n); "
          "}\n"
          "void run(const int n) { P *d; cudaMalloc(&d, n * sizeof(P)); "
          "both(PArrays(d, n), n); }\n"
          "__global__ void l(PArrays p, int n) { atomicAdd(&p.x[n], p.y[1]); "
          "}\n",
      rewritten(
          Struct +
          "__device__ float get(const P *p, int i);\n"
          "__device__ float get(const P *__restrict__ q, int i) { return "
          "q[i].y; }\n"
          "__global__ void k(int n, P p[]) { p[n].x = get(p, n); }\n"
          "__global__ void l(P *, int);\n"
          "void both(P *p, int n) { k<<<1, n>>>(n, p); l<<<1, 1>>>(p, n); }\n"
          "void run(const int n) { P *d; cudaMalloc(&d, n * sizeof(P)); "
          "both(d, n); }\n"
          "__global__ void l(P *p, int n) { atomicAdd(&p[n].x, p[1].y); }\n"));
}

TEST(FieldArrays, OtherStructs) {
  const auto of = [](const std::string &Declared) {
    const std::string Text = rewritten(
        Declared + "__global__ void k(P *p) { p[threadIdx.x].x = 1; }\n"
                   "void run() { P *d; cudaMalloc(&d, 8 * sizeof(P)); k<<<1, "
                   "8>>>(d); }\n");
    return Text.substr(0, Text.find("__global__"));
  };
  EXPECT_EQ(
      "typedef struct { int x; } Q; typedef struct { int x, y; } P; // 1\n"
      "struct PArrays { // The fields of P, one array behind the other.\n"
      "  int *x, *y;\n"
      "  PArrays(P *memory, size_t count)\n"
      "      : x((int *)memory), y(x + count) {}\n"
      "};\n",
      of("typedef struct { int x; } Q; typedef struct { int x, y; } P; // "
         "1\n"));
  EXPECT_EQ("struct P { float x; int count; unsigned memory, z; };\n"
            "struct PArrays { // The fields of P, one array behind the other.\n"
            "  float *x;\n"
            "  int *count;\n"
            "  unsigned int *memory, *z;\n"
            "  PArrays(P *memory_, size_t count_)\n"
            "      : x((float *)memory_), count((int *)(x + count_)),\n"
            "        memory((unsigned int *)(count + count_)), z(memory + "
            "count_) {}\n"
            "};\n ",
            of("struct P { float x; int count; unsigned memory, z; };\n "));
  EXPECT_EQ("struct P { int count_, count, x; };\n"
            "struct PArrays { // The fields of P, one array behind the other.\n"
            "  int *count_, *count, *x;\n"
            "  PArrays(P *memory, size_t count__)\n"
            "      : count_((int *)memory), count(count_ + count__), x(count + "
            "count__) {}\n"
            "};\n ",
            of("struct P { int count_, count, x; };\n "));
  for (
      const char *Declared : {
          "struct P { float x; double y; };\n",
          "struct P { float x; };\n",
          "struct P { float x; float y[2]; };\n",
          "struct P { float x; int y : 3; };\n",
          "struct P { float x; volatile float y; };\n",
          "struct alignas(16) P { float x, y; };\n",
          "struct __attribute__((packed)) P { float x, y; };\n",
          "struct P { alignas(4) float x; float y; };\n",
          "struct P { float x = 1, y; };\n",
          "struct P { P() {} float x, y; };\n",
          "struct Q { float z; }; struct P : Q { float x, y; };\n",
          "union P { float x, y; };\n",
          "struct P { float x; struct { float a; } y; };\n",
          "struct P { float x; float *y; };\n",
          "struct P { float x, y; } one;\n",
          "namespace a { struct P { float x, y; }; } using a::P;\n",
          "template <class T> struct Q { T x, y; }; typedef Q<float> P;\n",
          "struct P { float x, y; }; int PArrays;\n",
          "#define S struct P { float x, y; }\nS;\n",
          "typedef float real; struct P { int x; real y; };\n",
          "typedef float real; struct P { real x; int y; };\n",
          "#define REAL float\nstruct P { REAL x, y; };\n",
          "struct P { int x; enum { A, B } y; };\n",
          "#ifdef WIDE\nstruct P { double x, y; };\n#else\nstruct P { float x, "
          "y; };\n#endif\n",
          "struct P { float x, y; }; decltype(1) one;\n",
          "struct P { float x, y; }; __attribute__((access(none, 1))) void f(P "
          "*);\n",
          "struct P { float x, y; };\n#pragma omp declare simd\n",
      })
    EXPECT_EQ("no", of(Declared)) << Declared;
}

TEST(FieldArrays, WhoeverMayLookOtherwiseKeepsTheStructs) {
  const std::string Before = "void other(P *);\n"
                             "void byReference(P *&);\n"
                             "void value(const float &);\n"
                             "template <class F> void use(F) {}\n"
                             "float *raw; P *many[2]; P *everywhere;\n"
                             "struct { P *p; } held;\n"
                             "void done(P **);\n"
                             "extern \"C\" void *memset(void *, int, size_t);\n"
                             "extern \"C\" void *memcpy(void *, const void *, "
                             "size_t);\n"
                             "struct T { T(float); ~T(); };\n"
                             "#define ID(x) x\n";
  EXPECT_EQ(HostThen, hostOf(Host, Before));
  EXPECT_EQ(HostThen + "memset(h, 0, n * sizeof(P));\n",
            hostOf(Host + "memset(h, 0, n * sizeof(P));\n", Before));
  for (const char *Also : {
           "P v = h[0];",
           "h[0] = h[1];",
           "P &r = h[0];",
           "auto &[a, b] = h[0];",
           "P *q = h + 1;",
           "h++;",
           "h->x = 1;",
           "(*h).x = 1;",
           "(h + 1)[2].x = 1;",
           "2[h].x = 1;",
           "float *q = &h[0].x;",
           "float &q = h[0].x;",
           "float &q = h[0].x = 3;",
           "auto &&q = h[0].x;",
           "const float &q = (T(1), h[0].x);",
           "float *q = &(h[0].x += 1);",
           "float *q = &(1, h[0].x);",
           "other(h);",
           "other(&h[1]);",
           "byReference(h);",
           "value(h[0].x);",
           "void *v = h;",
           "float *f = (float *)h;",
           "(void *&)h = malloc(7 * sizeof(P));",
           "P **pp = &h;",
           "P *&r = h;",
           "use([=] { return h[0].x; });",
           "use([&] { return h[0].x; });",
           "k<<<1, n>>>(d + 1, n);",
           "k<<<1, n>>>(nullptr, n);",
           "k<<<1, n>>>(many[0], n);",
           "k<<<1, n>>>(everywhere, n);",
           "k<<<1, n>>>(held.p, n);",
           "k<<<1, n>>>((P *)(float *)d, n);",
           "auto f = k; f<<<1, n>>>(d, n);",
           "void *a[] = {&d, &n}; cudaLaunchKernel((void *)k, dim3(1), "
           "dim3(1), "
           "a, 0, 0);",
           "cudaMemcpy(d, h, 5 * sizeof(P), cudaMemcpyHostToDevice);",
           "cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);",
           "cudaMemcpy(d, h, sizeof(P), cudaMemcpyHostToDevice);",
           "cudaMemcpy(d, h, (n - 1) * sizeof(P), cudaMemcpyHostToDevice);",
           "cudaMemcpy(d, h + 1, n * sizeof(P), cudaMemcpyHostToDevice);",
           "cudaMemcpy(d, raw, n * sizeof(P), cudaMemcpyHostToDevice);",
           "cudaMemcpy(d, many[1], n * sizeof(P), cudaMemcpyHostToDevice);",
           "cudaMemset(d, 0, 4 * n);",
           "P *e; cudaMalloc(&e, 2 * n * sizeof(P)); k<<<1, n>>>(e, n);",
           "P *e = h; cudaMalloc(&e, 7 * sizeof(P));",
           "P *e; k<<<1, n>>>(e = d, n);",
           "\n#define GET(i) h[i].x\nGET(0) = 1;",
           "\n#define GET(i) h[i].x\n#ifndef __clang__\nGET(0) = 1;\n#endif\n",
           "\n#define LESS n /= 2\n#ifndef __clang__\nLESS;\n#endif\n",
           "\n#define OF(v) v##ost\n",
           "decltype(auto) y = h[0].y;",
           "\n#define TWICE for (int n = 0; n < 2; ++n)\nTWICE k<<<1, 1>>>(d, "
           "1);",
           "ID(h[0].x) = 1;",
           "ID((k<<<1, n>>>(d, n)));",
           "held.p = h;",
           "everywhere = h;",
           "if ((h = (P *)malloc(n * sizeof(P))) == nullptr) return;",
           "P *e = n ? h : d;",
           "P *e = (P *)memcpy(d, h, n * sizeof(P));",
           "P *e; e = (P *)memset(h, 0, n * sizeof(P));",
           "held.p = (P *)memset(h, 0, n * sizeof(P));",
           "__attribute__((cleanup(done))) P *e = h; k<<<1, n>>>(e, n);",
           "\n#ifdef DEBUG\nh[0].x = 1;\n#endif\n",
           "\n#ifdef DEBUG\nk<<<1, n>>>(d, n);\n#endif\n",
           "\n#ifdef DEBUG\nn = 3;\n#endif\n",
       })
    EXPECT_EQ("no", hostOf(Host + Also + "\n", Before)) << Also;
}

TEST(FieldArrays, ANumberThatMayChangeIsNone) {
  for (
      const char *Body : {
          "P *d; cudaMalloc(&d, n * sizeof(P)); n = 3; k<<<1, n>>>(d, n);",
          "P *d; cudaMalloc(&d, n * sizeof(P)); k<<<1, 1>>>(d, n--);",
          "P *d; cudaMalloc(&d, n * sizeof(P)); int &m = n; k<<<1, 1>>>(d, 1);",
          "int *q = &n; P *d; cudaMalloc(&d, n * sizeof(P)); k<<<1, 1>>>(d, "
          "1);",
          "change(n); P *d; cudaMalloc(&d, n * sizeof(P)); k<<<1, 1>>>(d, 1);",
          "auto f = [&] { n = 3; }; P *d; cudaMalloc(&d, n * sizeof(P)); f(); "
          "k<<<1, 1>>>(d, 1);",
          "for (n = 1; n < 9; n *= 2) { P *d; cudaMalloc(&d, n * sizeof(P)); "
          "k<<<1, 1>>>(d, 1); }",
          "P *d = 0; for (int m = 1; m < 9; ++m) { if (!d) cudaMalloc(&d, m * "
          "sizeof(P)); k<<<1, 1>>>(d, 1); }",
          "P *d = 0; for (int j = 1; j < 9; ++j) { const int m = j; if (!d) "
          "cudaMalloc(&d, m * sizeof(P)); k<<<1, 1>>>(d, 1); }",
          "again: n++; P *d; cudaMalloc(&d, n * sizeof(P)); k<<<1, 1>>>(d, 1); "
          "if (n < 9) goto again;",
          "P *d; cudaMalloc(&d, n * sizeof(P)); { int n = 3; k<<<1, 1>>>(d, "
          "n); }",
          "P *d; { enum { M = 8 }; cudaMalloc(&d, M * sizeof(P)); } k<<<1, "
          "1>>>(d, 1);",
          "P *d; cudaMalloc(&d, M * sizeof(P)); { const int M = 3; k<<<1, "
          "1>>>(d, M); }",
          "P *d; cudaMalloc(&d, a::N * sizeof(P)); { namespace a = b; k<<<1, "
          "1>>>(d, 1); }",
          "P *d; { using namespace a; cudaMalloc(&d, N * sizeof(P)); } { using "
          "namespace b; k<<<1, 1>>>(d, 1); }",
          "unsigned bytes = n * sizeof(P); P *d; cudaMalloc(&d, bytes); k<<<1, "
          "1>>>(d, 1);",
          "static P *d; if (!d) cudaMalloc(&d, n * sizeof(P)); k<<<1, 1>>>(d, "
          "1);",
          "static int m = n; P *d; cudaMalloc(&d, m * sizeof(P)); k<<<1, "
          "1>>>(d, 1);",
          "volatile int m = n; P *d; cudaMalloc(&d, m * sizeof(P)); k<<<1, "
          "1>>>(d, 1);",
          "const int &m = global; P *d; cudaMalloc(&d, m * sizeof(P)); k<<<1, "
          "1>>>(d, 1);",
          "P *d; cudaMalloc(&d, global * sizeof(P)); k<<<1, 1>>>(d, 1);",
          "P *d; cudaMalloc(&d, change(n) * sizeof(P)); k<<<1, 1>>>(d, 1);",
          "P *d; cudaMalloc(&d, size_t(1.5 * n) * sizeof(P)); k<<<1, 1>>>(d, "
          "1);",
          "unsigned char b = n * sizeof(P); P *d; cudaMalloc(&d, b); k<<<1, "
          "1>>>(d, 1);",
          "size_t b = n * sizeof(P); P *d; cudaMalloc(&d, b); b /= 2; "
          "cudaMemset(d, 0, b); k<<<1, 1>>>(d, 1);",
          "size_t b = n * sizeof(P); n = 4; P *d; cudaMalloc(&d, b); k<<<1, "
          "1>>>(d, n);",
          "P *d; cudaMalloc(&d, 4096); k<<<1, 1>>>(d, 1);",
          "P *d; k<<<1, 1>>>(d, 1);",
      })
    EXPECT_EQ("no",
              hostOf(Body,
                     "int change(int &);\nint global = 8;\nenum { M = 8 };\n"
                     "namespace a { const int N = 8; }\n"
                     "namespace b { const int N = 9; }\n"))
        << Body;
}

TEST(FieldArrays, KernelsThatOthersMayLaunch) {
  const std::string Run =
      "void run(const int n) { P *d; cudaMalloc(&d, n * sizeof(P)); "
      "k<<<1, n>>>(d); }\n";
  EXPECT_NE("no", rewritten(Struct +
                            "__global__ void k(P *p) { p[0].x = 1; }\n" + Run));
  for (const char *Kernel : {
           "extern \"C\" __global__ void k(P *p) { p[0].x = 1; }\n",
           "template <class T> __global__ void k(T *p) { p[0].x = 1; }\n",
           "__global__ void k(P *p = nullptr) { p[0].x = 1; }\n",
           "__attribute__((nonnull(1))) __global__ void k(P *p) { p[0].x = 1; "
           "}\n",
           "__global__ void k(P *p) asm(\"l\");\n"
           "__global__ void k(P *p) { p[0].x = 1; }\n",
           "__global__ void k(volatile P *p) { p[0].x = 1; }\n",
           "__global__ void k(P *p) { p[0].x = 1; P v = p[0]; }\n",
           "__global__ void k(P *p) { P *q = p; q[0].x = 1; }\n",
           "__global__ void k(P *p) { p += threadIdx.x; p[0].x = 1; }\n",
           "__global__ void k(P *p) { if (p) p[0].x = 1; }\n",
           "__global__ void k(P *p) { p[0].x = sizeof(*p); }\n",
           "__global__ void k(P *p) { p[0].x = 1; float *q = &p[0].y; }\n",
           "__device__ void f(P *); __global__ void k(P *p) { p[0].x = 1; "
           "f(p); }\n",
           "__device__ void f(P &v) { v.y = 1; } __global__ void k(P *p) { "
           "p[0].x = 1; f(p[0]); }\n",
           "__device__ void f(P *p) { p->y = 1; } __global__ void k(P *p) { "
           "p[0].x = 1; f(p); }\n",
           "__global__ void k(P *p) { p[0].x = 1; }\n"
           "template <class T> void later(T *t) { k<<<1, 1>>>(t); }\n",
           "__global__ void k(P *p) { p[0].x = 1; }\n"
           "#define LATER(t) k<<<1, 1>>>(t)\n",
           "__global__ void k(P *p) { p[0].x = 1; }\n"
           "void (*f)(P *) = k;\n",
           "__global__ void k(P *p) { p[0].x = 1; }\n"
           "__global__ void k(int *p) { p[0] = 1; }\n",
           "#define PARAMETER P *p\n__global__ void k(PARAMETER) { p[0].x = 1; "
           "}\n",
           "__global__ void k(P * /* in */ p) { p[0].x = 1; }\n",
           "__global__ void l(P *p) { p[0].x = 1; }\n"
           "__global__ void k(P *p) { p[0].x = 1; }\n",
       })
    EXPECT_EQ("no", rewritten(Struct + Kernel + Run)) << Kernel;
  EXPECT_EQ("no", rewritten("struct P; __global__ void k(P *p);\n" + Struct +
                            "__global__ void k(P *p) { p[0].x = 1; }\n" + Run));
  EXPECT_EQ("no",
            rewritten(Struct + "__global__ void k(P *p) { p[0].x = 1; }\n" +
                          Run + "int i = wrong;\n",
                      /*MayFail=*/true));
}

} // namespace cudalint::test::FieldArraysTests
