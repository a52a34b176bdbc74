//===- tests/unit/analyzer/launch/KernelDeclarationTests.cpp - Tests ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>

#include <algorithm>

using testing::Contains;
using testing::ElementsAre;
using testing::Field;

namespace cudalint::test::KernelDeclarationTests {

static std::vector<std::string>
signatures(const std::vector<KernelDeclaration> &Kernels) {
  std::vector<std::string> Result;
  for (const KernelDeclaration &Each : Kernels)
    Result.push_back(Each.Signature);
  return Result;
}

static const char Kernels[] = R"(
struct vec3d { float x, y, z; };
__global__ void func(vec3d *v, float *const f) {}
extern "C" __global__ void plain(const unsigned int *n) {}
namespace ns { namespace {
  template <int N> __global__ void hidden(float *, int) {}
} }
template <class T, bool B> __global__ void typed(T *p, T v) {}
template <> __global__ void typed<double, true>(double *p, double v) {}
template __global__ void typed<float, false>(float *, float);
static __global__ void local() {}
struct S { static __global__ void member(S s) {} };
__device__ void helper() {}
int main() {
  ns::hidden<32><<<1, 32>>>(nullptr, 0);
  local<<<1, 1>>>();
}
)";

TEST(KernelDeclaration, Signatures) {
  EXPECT_THAT(signatures(extract(Kernels).Kernels),
              ElementsAre("func(vec3d *, float *)",
                          "plain(const unsigned int *)",
                          "ns::(anonymous namespace)::hidden<32>(float *, int)",
                          "typed<float, false>(float *, float)",
                          "typed<double, true>(double *, double)", "local()",
                          "S::member(S)"));
}

TEST(KernelDeclaration, LinkageNamesAreThoseOfTheModule) {
  std::vector<std::string> Emitted = emittedNames(Kernels);
  LaunchFacts Facts = extract(Kernels);
  ASSERT_EQ(Facts.Kernels.size(), 7U);
  for (const KernelDeclaration &Each : Facts.Kernels)
    EXPECT_THAT(Emitted, Contains(Each.Name)) << Each.Signature;
  // By the Itanium rules.
  EXPECT_EQ(Facts.Kernels[0].Name, "_Z4funcP5vec3dPf");
  EXPECT_EQ(Facts.Kernels[1].Name, "plain");
  EXPECT_EQ(Facts.Kernels[4].Name, "_Z5typedIdLb1EEvPT_S0_");
}

TEST(KernelDeclaration, LaunchesNameTheSameKernels) {
  LaunchFacts Facts = extract(Kernels);
  ASSERT_EQ(Facts.Launches.size(), 2U);
  EXPECT_EQ(Facts.Launches[0].Kernel, Facts.Kernels[2].Name);
  EXPECT_EQ(Facts.Launches[1].Kernel, Facts.Kernels[5].Name);
}

TEST(KernelDeclaration, DeclarationsAreNoDefinitions) {
  EXPECT_TRUE(extract("__global__ void k(int);").Kernels.empty());
}

TEST(KernelDeclaration, LaunchBounds) {
  LaunchFacts Facts = extract(R"(
    #define THREADS 64
    __global__ void __launch_bounds__(THREADS * 2, 3) both(int) {}
    __global__ __launch_bounds__(512) void one(int) {}
    __global__ void none(int) {}
    template <int N> __global__ void __launch_bounds__(N * 4) depends(int) {}
    template __global__ void depends<8>(int);
  )");
  ASSERT_EQ(Facts.Kernels.size(), 4U);
  EXPECT_EQ(Facts.Kernels[0].MaxThreads, 128);
  EXPECT_EQ(Facts.Kernels[0].MinBlocks, 3);
  EXPECT_EQ(Facts.Kernels[1].MaxThreads, 512);
  EXPECT_EQ(Facts.Kernels[1].MinBlocks, std::nullopt);
  EXPECT_EQ(Facts.Kernels[2].MaxThreads, std::nullopt);
  EXPECT_EQ(Facts.Kernels[3].MaxThreads, 32);
}

// The toolkit's headers define __maxnreg__ as this attribute.
TEST(KernelDeclaration, MaxRegisters) {
  LaunchFacts Facts = extract(R"(
    #undef __maxnreg__
    #define __maxnreg__(n) __attribute__((maxnreg(n)))
    __global__ void __maxnreg__(16 * 2) one(int) {}
    __global__ void __attribute__((annotate("maxnreg", 8))) none(int) {}
    template <int N> __global__ void __maxnreg__(N * 4) depends(int) {}
    template __global__ void depends<8>(int);
    __global__ void __maxnreg__(40) declared(int);
    __global__ void declared(int) {}
  )");
  ASSERT_EQ(Facts.Kernels.size(), 4U);
  EXPECT_EQ(Facts.Kernels[0].MaxRegisters, 32);
  EXPECT_EQ(Facts.Kernels[1].MaxRegisters, std::nullopt);
  EXPECT_EQ(Facts.Kernels[2].MaxRegisters, 32);
  EXPECT_EQ(Facts.Kernels[3].MaxRegisters, 40);
}

TEST(KernelDeclaration, LaunchBoundsOfTheDeclarationAlone) {
  LaunchFacts Facts = extract("__global__ void __launch_bounds__(96) k(int);\n"
                              "__global__ void k(int) {}");
  ASSERT_EQ(Facts.Kernels.size(), 1U);
  EXPECT_EQ(Facts.Kernels[0].MaxThreads, 96);
}

TEST(KernelDeclaration, ParametersAndPlace) {
  LaunchFacts Facts = extract("\n__global__ void k(int n, float *data) {}");
  ASSERT_EQ(Facts.Kernels.size(), 1U);
  EXPECT_THAT(Facts.Kernels[0].Parameters,
              ElementsAre(Field(&KernelParameter::Name, "n"),
                          Field(&KernelParameter::Name, "data")));
  EXPECT_EQ(Facts.Kernels[0].Where.Line, 2U);
  EXPECT_EQ(Facts.Kernels[0].Where.Column, 17U);
}

TEST(KernelDeclaration, KindsOfParameters) {
  LaunchFacts Facts = extract(R"(
    enum Mode : unsigned char { Fast };
    struct Sizes { int x, y; };
    template <class T>
    __global__ void k(T n, const bool on, Mode m, float *p, double d, Sizes s,
                      unsigned long long u) {}
    template __global__ void k<short>(short, bool, Mode, float *, double, Sizes,
                                      unsigned long long);
  )");
  ASSERT_EQ(Facts.Kernels.size(), 1U);
  using Kind = KernelParameter::Kind;
  struct {
    const char *Type;
    Kind What;
    unsigned Bits;
    bool IsSigned;
  } Expected[] = {
      {"short", Kind::Integer, 16, true},
      {"bool", Kind::Integer, 1, false},
      {"Mode", Kind::Integer, 8, false},
      {"float *", Kind::Pointer, 0, false},
      {"double", Kind::Floating, 0, false},
      {"Sizes", Kind::Other, 0, false},
      {"unsigned long long", Kind::Integer, 64, false},
  };
  const auto &Found = Facts.Kernels[0].Parameters;
  ASSERT_EQ(Found.size(), std::size(Expected));
  for (std::size_t I = 0; I != Found.size(); ++I) {
    EXPECT_EQ(Found[I].Type, Expected[I].Type);
    EXPECT_EQ(Found[I].What, Expected[I].What) << Expected[I].Type;
    EXPECT_EQ(Found[I].Bits, Expected[I].Bits) << Expected[I].Type;
    EXPECT_EQ(Found[I].IsSigned, Expected[I].IsSigned) << Expected[I].Type;
  }
}

TEST(KernelDeclaration, DimensionsUsed) {
  LaunchFacts Facts = extract(R"(
    __device__ int row() { return threadIdx.y; }
    __device__ int indirect() { return row(); }
    __global__ void x(int *p) { p[threadIdx.x + blockIdx.y] = 0; }
    __global__ void y(int *p) { p[blockIdx.x * blockDim.y] = 0; }
    __global__ void z(int *p) { auto f = [=] { return threadIdx.z; }; p[f()] = 0; }
    __global__ void called(int *p) { p[row()] = 0; }
    __global__ void deep(int *p) { p[indirect()] = 0; }
    template <class T> __global__ void t(T *p) { p[threadIdx.y] = 0; }
    template __global__ void t<int>(int *);
  )");
  ASSERT_EQ(Facts.Kernels.size(), 6U);
  EXPECT_EQ(Facts.Kernels[0].DimensionsUsed, 1U);
  EXPECT_EQ(Facts.Kernels[1].DimensionsUsed, 2U);
  EXPECT_EQ(Facts.Kernels[2].DimensionsUsed, 3U);
  EXPECT_EQ(Facts.Kernels[3].DimensionsUsed, 2U);
  EXPECT_EQ(Facts.Kernels[4].DimensionsUsed, 1U); // One level, no more.
  EXPECT_EQ(Facts.Kernels[5].DimensionsUsed, 2U);
}

TEST(KernelDeclaration, UninstantiatedTemplates) {
  LaunchFacts Facts = extract(R"(
    template <class T> __global__ void never(T *p) { p[threadIdx.y] = 0; }
    template <class T> __global__ void once(T *p) {}
    template <class T> __global__ void declared(T *p);
    template <class T> __device__ void helper(T *p) {}
    int main() { once<<<1, 1>>>((int *)nullptr); })");
  EXPECT_THAT(signatures(Facts.Kernels), ElementsAre("once<int>(int *)"));
  ASSERT_EQ(Facts.UninstantiatedTemplates.size(), 1U);
  EXPECT_EQ(Facts.UninstantiatedTemplates[0].Signature, "never(T *)");
  EXPECT_EQ(Facts.UninstantiatedTemplates[0].DimensionsUsed, 2U);
}

TEST(KernelDeclaration, KernelsOfClassTemplates) {
  LaunchFacts Facts = extract(R"(
    template <class T> struct Op { template <int N> static __global__ void k(T *) {} };
    int main() { Op<float>::k<4><<<1, 32>>>(nullptr); })");
  EXPECT_THAT(signatures(Facts.Kernels),
              ElementsAre("Op<float>::k<4>(float *)"));
  EXPECT_EQ(Facts.Launches.at(0).Kernel, Facts.Kernels.at(0).Name);
}

static bool isUsedOtherwise(const std::string &Code) {
  const LaunchFacts Facts = extract(
      ("__global__ void k(float *p) { p[threadIdx.x] = 1; }\n" + Code).c_str());
  return Facts.Kernels.at(0).IsUsedOtherwise;
}

TEST(KernelDeclaration, IsLaunchedAndNothingElse) {
  EXPECT_FALSE(isUsedOtherwise(""));
  EXPECT_FALSE(isUsedOtherwise("int main() { k<<<1, 32>>>(nullptr); }"));
  EXPECT_FALSE(isUsedOtherwise("int main() { (k)<<<1, 32>>>(nullptr); }"));
  EXPECT_FALSE(isUsedOtherwise(
      "template <class F> int cudaFuncSetAttribute(F *, int, int);\n"
      "int main() { cudaFuncSetAttribute(k, 8, 1); "
      "cudaFuncSetAttribute(&k, 8, 1); k<<<1, 32>>>(nullptr); }"));
}

TEST(KernelDeclaration, IsUsedInATableAnArgumentOrByAKernel) {
  EXPECT_TRUE(isUsedOtherwise("void (*Table[])(float *) = {k};"));
  EXPECT_TRUE(
      isUsedOtherwise("int main() { auto f = k; f<<<1, 1>>>(nullptr); }"));
  EXPECT_TRUE(isUsedOtherwise(
      "template <class F> void launch(F f) { f<<<1, 32>>>(nullptr); }\n"
      "int main() { launch(k); }"));
  EXPECT_TRUE(isUsedOtherwise("void *Node = (void *)&k;"));
  EXPECT_TRUE(isUsedOtherwise("struct S { void *F = (void *)k; };"));
  // In another build.
  EXPECT_TRUE(isUsedOtherwise(
      "#ifdef SMALL\nint main() { k<<<1, 8>>>(nullptr); }\n#endif\n"));
  EXPECT_TRUE(isUsedOtherwise("#define GO k<<<1, 8>>>(nullptr)\n"));
  EXPECT_FALSE(isUsedOtherwise("// k is a kernel.\nconst char *N = \"k\";"));
}

/// The body of a kernel with the indices of its lanes swapped; empty where that
/// is not offered. \p Around comes in front of the kernel.
static std::string swapped(const std::string &Body,
                           const std::string &Around = "") {
  const std::string Head = "__global__ void k(float *p, int n) {\n";
  std::string Text = Around + Head + Body + "}\n";
  const LaunchFacts Facts = extract(Text.c_str());
  if (Facts.Kernels.empty())
    return "no kernel";
  std::vector<Edit> Edits = Facts.Kernels.back().SwapsIndices;
  if (Edits.empty())
    return {};
  std::ranges::sort(Edits, std::greater(), &Edit::Offset);
  for (const Edit &Each : Edits)
    Text.replace(Each.Offset, Each.Length, Each.Text);
  return Text.substr(Around.size() + Head.size(), Body.size());
}

TEST(KernelDeclaration, IndicesAreSwappedWhereTheyAreWritten) {
  EXPECT_EQ("p[threadIdx.x * n + threadIdx.y] = threadIdx.z;\n",
            swapped("p[threadIdx.y * n + threadIdx.x] = threadIdx.z;\n"));
  // blockDim and blockIdx stay: each block keeps its part of the work.
  EXPECT_EQ("p[blockIdx.x * blockDim.x + threadIdx . y] = 1;\n",
            swapped("p[blockIdx.x * blockDim.x + threadIdx . x] = 1;\n"));
  EXPECT_EQ("__syncthreads(); p[threadIdx.y] = __builtin_sqrtf(n);\n",
            swapped("__syncthreads(); p[threadIdx.x] = __builtin_sqrtf(n);\n"));
  EXPECT_EQ("p[threadIdx.y] = half(n);\n",
            swapped("p[threadIdx.x] = half(n);\n",
                    "__device__ float half(float v) { return v / 2; }\n"));
}

TEST(KernelDeclaration, IndicesStayWhereLanesHaveSomethingInCommon) {
  EXPECT_EQ("", swapped("p[0] = 1;\n"));
  // A macro, another name of it, and a function that asks itself.
  EXPECT_EQ("",
            swapped("p[ME + threadIdx.y] = 1;\n", "#define ME threadIdx.x\n"));
  EXPECT_EQ("", swapped("auto &t = threadIdx; p[t.x + threadIdx.y] = 1;\n"));
  EXPECT_EQ("", swapped("p[threadIdx.x] = me();\n",
                        "__device__ int me() { return threadIdx.x; }\n"));
  EXPECT_EQ("", swapped("p[threadIdx.x] = outer();\n",
                        "__device__ int me() { return threadIdx.x; }\n"
                        "__device__ int outer() { return me(); }\n"));
  EXPECT_EQ("", swapped("Me m; p[threadIdx.x] = m.v;\n",
                        "struct Me { int v; __device__ Me() "
                        "{ v = threadIdx.x; } };\n"));
  EXPECT_EQ("", swapped("auto f = [=] { return threadIdx.x; }; p[f()] = 1;\n"));
  EXPECT_EQ("", swapped("volatile float *v = p; v[threadIdx.x] = v[0];\n"));
  EXPECT_EQ("", swapped("uint3 t = threadIdx; p[t.x + threadIdx.y] = 1;\n"));
  // Code that is called where no call is written.
  const char *Lane = "struct Lane { int v; __device__ Lane() : v(threadIdx.x) "
                     "{} };\n";
  EXPECT_EQ("", swapped("Lane l; p[threadIdx.x] = l.v;\n", Lane));
  EXPECT_EQ("", swapped("Other o; p[threadIdx.x] = o.v;\n",
                        std::string(Lane) + "struct Other : Lane {};\n"));
  EXPECT_EQ("", swapped("Lane l{}; p[threadIdx.x] = l.v;\n",
                        "struct Lane { int v = threadIdx.x; };\n"));
  EXPECT_EQ("", swapped("p[threadIdx.x] = f();\n",
                        "__device__ int f(int i = threadIdx.x) "
                        "{ return i; }\n"));
  EXPECT_EQ("", swapped("Last l; p[threadIdx.x] = 1;\n",
                        "struct Last { __device__ ~Last() {} };\n"));
  // The order of lanes decides about the last bits.
  EXPECT_EQ("", swapped("atomicAdd(p, 1.0f * threadIdx.x);\n"));
  // Nobody knows what is called.
  EXPECT_EQ("", swapped("p[threadIdx.x] = other();\n",
                        "__device__ int __ballot_of_mine();\n"
                        "__device__ int other() { return "
                        "__ballot_of_mine(); }\n"));
  EXPECT_EQ("", swapped("int (*f)() = mine; p[threadIdx.x] = f();\n",
                        "__device__ int mine() { return 1; }\n"));
  EXPECT_EQ("", swapped("int v; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(v)); "
                        "p[threadIdx.x] = v;\n"));
}

} // namespace cudalint::test::KernelDeclarationTests
