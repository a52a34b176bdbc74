//===- tests/unit/analyzer/launch/BlockSizesTests.cpp - Other blocks ------===//
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

namespace cudalint::test::BlockSizesTests {

static std::string withBlocks(std::string Text, const BlockSizeText &Sizes,
                              std::int64_t Threads) {
  std::vector<Edit> Edits;
  const auto write = [&](Edit Place, std::int64_t Number) {
    Place.Text = std::to_string(Number);
    Edits.push_back(std::move(Place));
  };
  for (const Edit &Each : Sizes.Sizes)
    write(Each, Threads);
  for (const Edit &Each : Sizes.SizesLessOne)
    write(Each, Threads - 1);
  for (const BlockCountText &Each : Sizes.Blocks)
    write(Each.Where, Each.Total / Threads);
  std::ranges::sort(Edits, std::greater(), &Edit::Offset);
  for (const Edit &Each : Edits)
    Text.replace(Each.Offset, Each.Length, Each.Text);
  return Text;
}

namespace {
/// A kernel `k(float *p, int n)`, and a function of the host.
struct Program {
  std::string Kernel = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n) p[i] *= 2;\n";
  std::string Host;
  std::string Before = {}; ///< Both.
  std::string Parameters = "float *p, int n";
};
} // namespace

/// The function of the host with blocks of 128 threads; `no` where that is not
/// told.
static std::string rewritten(const Program &P) {
  const std::string Head = P.Before + "__global__ void k(float *p, int n) {\n" +
                           P.Kernel + "}\nvoid run(" + P.Parameters + ") {\n";
  const std::string Text = Head + P.Host + "}\n";
  const LaunchFacts Facts = extract(Text.c_str());
  if (Facts.Launches.empty())
    return "no launch";
  const std::optional<BlockSizeText> &Sizes =
      Facts.Launches.front().OtherBlocks;
  if (!Sizes)
    return "no";
  for (std::int64_t Total : Sizes->Totals)
    if (Total % 128)
      return "no, " + std::to_string(Total) + " threads";
  const std::string Result = withBlocks(Text, *Sizes, 128);
  return Result.substr(Head.size(), Result.size() - Head.size() - 2);
}

static std::string launched(std::string Host, std::string Before = {}) {
  return rewritten({.Host = std::move(Host), .Before = std::move(Before)});
}
static std::string computed(std::string Kernel, std::string Before = {}) {
  return rewritten({.Kernel = std::move(Kernel),
                    .Host = "k<<<(n + 99) / 100, 100>>>(p, n);\n",
                    .Before = std::move(Before)});
}

static const std::string InNumbers = "k<<<(n + 127) / 128, 128>>>(p, n);\n";

TEST(BlockSizes, NumbersAreWrittenWhereTheyStand) {
  EXPECT_EQ(InNumbers, launched("k<<<(n + 99) / 100, 100>>>(p, n);\n"));
  EXPECT_EQ("k<<<(n - 1) / 128 + 1, 128>>>(p, n);\n",
            launched("k<<<(n - 1) / 100 + 1, 100>>>(p, n);\n"));
  EXPECT_EQ("k<<<n / 128 + 1, 128>>>(p, n);\n",
            launched("k<<<n / 100 + 1, 100>>>(p, n);\n"));
  EXPECT_EQ("k<<<n / 128 + (n % 128 != 0), 128>>>(p, n);\n",
            launched("k<<<n / 100 + (n % 100 != 0), 100>>>(p, n);\n"));
  EXPECT_EQ("k<<<n / 128 + (n % 128 ? 1 : 0), 128>>>(p, n);\n",
            launched("k<<<n / 100 + (n % 100 ? 1 : 0), 100>>>(p, n);\n"));
  EXPECT_EQ("k<<<n % 128 == 0 ? n / 128 : n / 128 + 1, 128>>>(p, n);\n",
            launched("k<<<n % 100 == 0 ? n / 100 : n / 100 + 1, "
                     "100>>>(p, n);\n"));
  EXPECT_EQ("k<<<dim3((n + 128 - 1) / 128), dim3(128, 1, 1)>>>(p, n);\n",
            launched("k<<<dim3((n + 100 - 1) / 100), dim3(100, 1, 1)>>>"
                     "(p, n);\n"));
  // As many threads in all.
  EXPECT_EQ("k<<<250, 128>>>(p, 9);\n", launched("k<<<4000, 8>>>(p, 9);\n"));
  EXPECT_EQ("no, 100000 threads", launched("k<<<1000, 100>>>(p, 9);\n"));
}

TEST(BlockSizes, VariablesAreWrittenWhereTheyBegin) {
  EXPECT_EQ("const int t = 128; int b = (n + t - 1) / t; k<<<b, t>>>(p, n);\n",
            launched("const int t = 100; int b = (n + t - 1) / t; "
                     "k<<<b, t>>>(p, n);\n"));
  EXPECT_EQ("dim3 t(128); dim3 b((n + t.x - 1) / t.x); k<<<b, t>>>(p, n);\n",
            launched("dim3 t(100); dim3 b((n + t.x - 1) / t.x); "
                     "k<<<b, t>>>(p, n);\n"));
  EXPECT_EQ("int t{128}; k<<<up(n, t), t>>>(p, n); k<<<up(9, t), t>>>(p, 9);\n",
            launched("int t{100}; k<<<up(n, t), t>>>(p, n); "
                     "k<<<up(9, t), t>>>(p, 9);\n",
                     "int up(int a, int b) { return (a + b - 1) / b; }\n"));
  EXPECT_EQ("int t = 128; k<<<UP(n, t), t>>>(p, n);\n",
            launched("int t = 100; k<<<UP(n, t), t>>>(p, n);\n",
                     "#define UP(a, b) (((a) + (b) - 1) / (b))\n"));
  EXPECT_EQ("int t = 128; k<<<64000 / t, t>>>(p, 9);\n",
            launched("int t = 100; k<<<64000 / t, t>>>(p, 9);\n"));
}

TEST(BlockSizes, WhoeverElseReadsTheSizeKeepsIt) {
  for (const char *Host : {
           // Somebody prints it, changes it, or sizes an array by it.
           "int t = 100; k<<<(n + t - 1) / t, t>>>(p, n); other(t);\n",
           "int t = 100; t += n; k<<<(n + t - 1) / t, t>>>(p, n);\n",
           "const int t = 100; float a[t]; k<<<(n + t - 1) / t, t>>>(p, n);\n",
           "int t = 100, b = (n + t - 1) / t; k<<<b, t>>>(p, n); other(b);\n",
           "int t = 100; k<<<(n + t - 1) / t, t, t * 4>>>(p, n);\n",
           "int t = 100; k<<<(n + t - 1) / t, t>>>(p, n + t);\n",
           "int t = 100; k<<<(n + t - 1) / t, t>>>(p, n);\n#if 0\nother(t);\n"
           "#endif\n",
           // Another launch with it, of which nothing is known.
           "int t = 100; k<<<(n + t - 1) / t, t>>>(p, n); k<<<n, t>>>(p, n);\n",
           // Macros are not edited, nor is what a helper computes with.
           "k<<<(n + T - 1) / T, T>>>(p, n);\n",
           "k<<<hundreds(n), 100>>>(p, n);\n",
           // Of two dimensions, or of more than a number.
           "k<<<dim3((n + 99) / 100, 2), 100>>>(p, n);\n",
           "k<<<(n + 99) / 100, dim3(100, 2)>>>(p, n);\n",
           "k<<<(n + 99) / 100, 50 + 50>>>(p, n);\n",
           // Threads that may be too few.
           "k<<<n / 100, 100>>>(p, n);\n",
           "k<<<(n + 98) / 100, 100>>>(p, n);\n",
           "k<<<n, 100>>>(p, n);\n",
           // Bounded by another number, or by what it was.
           "k<<<(n + 99) / 100, 100>>>(p, n + 1);\n",
           "k<<<(n + 99) / 100, 100>>>(p, *m);\n",
           "int b = (n + 99) / 100; n = *m; k<<<b, 100>>>(p, n);\n",
           "int b = (n + 99) / 100; other(&n); k<<<b, 100>>>(p, n);\n",
           "k<<<(n++ + 99) / 100, 100>>>(p, n++);\n",
       })
    EXPECT_EQ("no", rewritten({.Host = Host,
                               .Before = "#define T 100\n"
                                         "void other(int); void other(int *);\n"
                                         "int hundreds(int n) "
                                         "{ return (n + 99) / 100; }\n",
                               .Parameters = "float *p, int n, int *m"}))
        << Host;
}

TEST(BlockSizes, KernelsThatAreBoundByTheirThreads) {
  for (const char *Kernel : {
           "unsigned i = threadIdx.x + blockDim.x * blockIdx.x;\n"
           "if (i >= n) return;\np[i] = 1;\n",
           "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
           "if (n <= i || p[i] < 0) { return; }\np[i] = 1;\n",
           "if (blockIdx.x * blockDim.x + threadIdx.x < n && n > 3)\n"
           "  p[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n",
           "int i = me(); if (me() < n) p[0] = 1;\n",
       }) {
    const std::string Before =
        "__device__ int me() { return blockIdx.x * blockDim.x + threadIdx.x; "
        "}\n";
    const bool IsHelper = std::string(Kernel).find("me()") != std::string::npos;
    EXPECT_EQ(IsHelper ? "no" : InNumbers, computed(Kernel, Before)) << Kernel;
  }
  // By a constant that the grid covers.
  const std::string Kernel = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "if (i < N) p[i] = 1;\n";
  EXPECT_EQ("k<<<(N + 127) / 128, 128>>>(p, 0);\n",
            rewritten({.Kernel = Kernel,
                       .Host = "k<<<(N + 99) / 100, 100>>>(p, 0);\n",
                       .Before = "#define N 1000000\n"}));
  EXPECT_EQ("no", rewritten({.Kernel = Kernel,
                             .Host = "k<<<(999 + 99) / 100, 100>>>(p, 0);\n",
                             .Before = "#define N 1000000\n"}));
}

TEST(BlockSizes, KernelsThatKnowMoreOfTheirBlocks) {
  const std::string Number = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  for (const std::string &Kernel : {
           // Threads beyond the bound do something.
           Number + "p[i] = n;\n",
           Number + "if (i > n) return; p[i] = 1;\n",
           Number + "p[0] = i; if (i < n) p[i] = 1;\n",
           Number + "if (i < n) p[i] = 1; else p[0] = 1;\n",
           Number + "if (i < n) p[i] = 1; p[0] = 2;\n",
           Number + "++i; if (i < n) p[i] = 1;\n",
           Number + "n = 7; if (i < n) p[i] = 1;\n",
           Number + "if (i < n) p[i] = n--;\n",
           // How many there are.
           Number + "if (i < n) p[i] = gridDim.x * blockDim.x;\n",
           // Parts of the number, and other dimensions.
           Number + "if (i < n) p[i] = threadIdx.x;\n",
           Number + "if (i < n) p[i] = blockIdx.x;\n",
           Number + "if (i < n) p[i] = blockDim.x;\n",
           Number + "if (i < n) p[i] = gridDim.x;\n",
           Number + "if (i < n) p[i] = threadIdx.y;\n",
           Number + "if (i < n) p[i] = warpSize;\n",
           Number + "if (i < n) p[i] = lane();\n",
           std::string("int i = blockIdx.x * 100 + threadIdx.x;\n"
                       "if (i < n) p[i] = 1;\n"),
           std::string("int i = blockIdx.x * blockDim.x - threadIdx.x;\n"
                       "if (i < n) p[i] = 1;\n"),
           std::string("int i = blockIdx.y * blockDim.x + threadIdx.x;\n"
                       "if (i < n) p[i] = 1;\n"),
           std::string("short i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "if (i < n) p[i] = 1;\n"),
           // What a block or a warp has in common.
           Number + "__shared__ float s[128]; s[0] = 1; if (i < n) p[i] = 1;\n",
           Number + "if (i >= n) return; __syncthreads(); p[i] = 1;\n",
           Number + "if (i < n) p[i] = __shfl_sync(~0u, i, 0);\n",
           Number + "if (i < n) atomicAdd(p, 1.0f);\n",
           Number + "volatile float *v = p; if (i < n) v[i] = v[0];\n",
           Number + "if (i < n) asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(i));\n",
       })
    EXPECT_EQ("no",
              computed(Kernel, "__device__ int lane() { return threadIdx.x; "
                               "}\n"))
        << Kernel;
  // With as many threads in all, some of these do the same.
  const std::string Same = "k<<<250, 128>>>(p, 9);\n";
  for (const std::string &Kernel :
       {Number + "p[i] = n;\n",
        Number + "for (; i < n; i += blockDim.x * gridDim.x) p[i] = 1;\n"})
    EXPECT_EQ(Same,
              rewritten({.Kernel = Kernel, .Host = "k<<<4000, 8>>>(p, 9);\n"}))
        << Kernel;
  EXPECT_EQ("no", rewritten({.Kernel = Number + "p[i] = threadIdx.x;\n",
                             .Host = "k<<<4000, 8>>>(p, 9);\n"}));
}

TEST(BlockSizes, CodeThatIsNoLanesOwn) {
  const std::string Number = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "if (i < n) ";
  const auto calls = [&](const std::string &Statement, std::string Before) {
    return computed(Number + "{ " + Statement + " }\n", std::move(Before));
  };
  EXPECT_EQ(InNumbers, calls("p[i] = twice(i);",
                             "__device__ float twice(float v) { return 2 * "
                             "__builtin_sqrtf(v); }\n"));
  EXPECT_EQ(InNumbers, calls("p[i] = __ldg(p);", ""));
  EXPECT_EQ(InNumbers, calls("p[i] = S<int>{i}.get();",
                             "template <class T> struct S { T v; __device__ T "
                             "get() const { return v; } };\n"));
  // Nobody knows what is called.
  EXPECT_EQ("no", calls("p[i] = other();", "extern __device__ int other();\n"));
  EXPECT_EQ("no", calls("B &b = *(B *)p; p[i] = b.f();",
                        "struct B { __device__ virtual int f() { return 1; } "
                        "};\n"));
  EXPECT_EQ("no", calls("int (*f)() = one; p[i] = f();",
                        "__device__ int one() { return 1; }\n"));
  // What the toolkit calls.
  EXPECT_EQ("no", calls("wait();", "__device__ void wait() "
                                   "{ __syncthreads(); }\n"));
  EXPECT_EQ("no", calls("__nvvm_bar_warp_sync(n);", ""));
  EXPECT_EQ("no", calls("__atomic_fetch_add((int *)p, 1, 0);", ""));
  EXPECT_EQ("no", calls("p[i] = __nvvm_read_ptx_sreg_laneid();", ""));
  EXPECT_EQ("no", calls("__builtin_trap();", ""));
  // Code that is called where no call is written.
  const char *Last = "struct Last { int v; __device__ ~Last() {} };\n";
  EXPECT_EQ("no", calls("delete (Last *)p;", Last));
  EXPECT_EQ("no", calls("((Last *)p)->~Last();", Last));
  EXPECT_EQ("no", calls("p[i] = *new int(i);", ""));
  EXPECT_EQ("no", calls("p[i] = me();",
                        "__device__ int me(int v = threadIdx.x) { return v; "
                        "}\n"));
  // Of two instances of a function, one is another number.
  EXPECT_EQ("no", calls("p[i] = me<unsigned>() + me<unsigned char>();",
                        "template <class T> __device__ T me() { return "
                        "(T)blockIdx.x * blockDim.x + threadIdx.x; }\n"));
  // Another architecture compiles another kernel.
  EXPECT_EQ("no",
            calls("\n#if __CUDA_ARCH__ >= 1000\np[0] = 1;\n#endif\n", ""));
}

TEST(BlockSizes, ThreadsBehindTheBoundLookAtNothing) {
  const std::string Number = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  EXPECT_EQ("no", computed(Number + "float v = p[i]; if (i < n) p[i] = v;\n"));
  EXPECT_EQ("no",
            computed(Number + "float v = *(p + i); if (i < n) p[i] = v;\n"));
  EXPECT_EQ("no", computed(Number + "if (p[i] > 0 && i < n) p[i] = 0;\n"));
  EXPECT_EQ("no", computed(Number + "if (p[i] > 0 || i >= n) return;\n"
                                    "p[i] = 1;\n"));
  EXPECT_EQ(InNumbers, computed(Number + "if (i < n && p[i] > 0) p[i] = 0;\n"));
  EXPECT_EQ(InNumbers,
            computed(Number + "float v = 2.0f * n; if (i < n) p[i] = v;\n"));
}

TEST(BlockSizes, NumbersThatAreMadeNarrower) {
  const std::string Kernel =
      "  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) p[i] = 1;\n";
  const auto withN = [&](const std::string &Host) {
    const std::string Text = "__global__ void k(float *p, long long n) {\n" +
                             Kernel + "}\nvoid run(float *p, long long n) {\n" +
                             Host + "}\n";
    const LaunchFacts Facts = extract(Text);
    return !Facts.Launches.empty() &&
           Facts.Launches.front().OtherBlocks.has_value();
  };
  EXPECT_TRUE(withN("k<<<(n + 99) / 100, 100>>>(p, n);\n"));
  EXPECT_TRUE(withN("k<<<(int)((n + 99) / 100), 100>>>(p, n);\n"));
  EXPECT_FALSE(withN("k<<<((int)n + 99) / 100, 100>>>(p, n);\n"));
  // The sum with blocks of another size is beyond an int.
  EXPECT_EQ("no", launched("k<<<(2147483520 + 99) / 100, 100>>>"
                           "(p, 2147483520);\n"));
  // What is launched with a cluster has a multiple of its blocks.
  EXPECT_EQ(
      "no",
      launched("c<<<(n + 99) / 100, 100>>>(p, n);\n",
               "__global__ __attribute__((cluster_dims(4, 1, 1))) void c(float "
               "*p, int "
               "n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i "
               "< n) p[i] = 1; }\n"));
  // Whatever is evaluated first.
  EXPECT_EQ("no",
            rewritten({.Host = "k<<<(n + 99) / 100, 100>>>(p += n++, n);\n"}));
}

TEST(BlockSizes, TemplatesAndFilesWithErrorsAreLeftAlone) {
  const std::string Kernel =
      "__global__ void k(float *p, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) p[i] = 1;\n}\n";
  const std::string Launch = "k<<<(n + 99) / 100, 100>>>(p, n);";
  const auto isTold = [&](const std::string &Host, bool Fails = false) {
    const LaunchFacts Facts = extract(Kernel + Host, Fails);
    return !Facts.Launches.empty() &&
           Facts.Launches.front().OtherBlocks.has_value();
  };
  EXPECT_TRUE(isTold("void run(float *p, int n) { " + Launch + " }\n"));
  EXPECT_FALSE(
      isTold("void run(float *p, int n) { " + Launch + " missing(); }\n",
             /*Fails=*/true));
  EXPECT_FALSE(isTold("template <class T> void run(T p, int n) { " + Launch +
                      " }\ntemplate void run(float *, int);\n"));
}

} // namespace cudalint::test::BlockSizesTests
