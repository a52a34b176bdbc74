//===- tests/unit/analyzer/frontend/ParseTests.cpp - Tests ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/mock/MockCuda.h"
#include "tests/unit/analyzer/frontend/Parsing.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace cudalint::test::ParseTests {

static Architecture architecture(int Major, int Minor) {
  Architecture A{};
  A.CC = {Major, Minor};
  return A;
}

static std::string targetOf(const Architecture &A) {
  ParseSetting Options;
  Options.Arch = &A;
  Parsed P = parse("__global__ void k() {}\n", Options);
  llvm::Function *K = P.Result.Module->getFunction("_Z1kv");
  return K->getFnAttribute("target-cpu").getValueAsString().str();
}

TEST(Parse, GivesAstAndIrOfOneTranslationUnit) {
  Parsed P = parse("__global__ void k(float *data, int count) {\n"
                   "  data[threadIdx.x] = count;\n"
                   "}\n"
                   "int main() { k<<<1, 32>>>(0, 0); }\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  EXPECT_EQ(P.Visits, 1);
  EXPECT_EQ(P.Result.Module->getTargetTriple().str(), "nvptx64-nvidia-cuda");
  // Host code is in the tree only.
  EXPECT_EQ(P.Result.Module->getFunction("main"), nullptr);
  llvm::Function *K = P.Result.Module->getFunction("_Z1kPfi");
  ASSERT_NE(K, nullptr);
  EXPECT_EQ(K->getArg(0)->getName(), "data");
  EXPECT_EQ(K->getArg(1)->getName(), "count");
  EXPECT_FALSE(K->hasFnAttribute(llvm::Attribute::OptimizeNone));
}

TEST(Parse, PlacesAreAsTheUserTypedThem) {
  const std::string Code =
      "#include \"sub/k.h\"\n__global__ void k(int *p) { p[0] = f(); }\n";
  for (const char *File : {"input.cu", "dir/input.cu", "/abs/dir/input.cu"}) {
    ParseSetting Options;
    Options.StandInHeader = mockCuda();
    Options.VirtualFiles = {{File, Code},
                            {"/abs/sub/k.h", "__device__ int f() {\n"
                                             "  return 1; }\n"}};
    Options.CompilerArguments = {"-I/abs"};
    llvm::LLVMContext Context;
    FrontendResult R =
        parseFile(File, Options, Context, [](clang::ASTContext &, auto &) {});
    ASSERT_EQ(R.Status, UnitStatus::Ok) << R.Diagnostics;
    EXPECT_EQ(R.Module->getFunction("_Z1kPi")->getSubprogram()->getFilename(),
              File);
    EXPECT_EQ(R.Module->getFunction("_Z1fv")->getSubprogram()->getFilename(),
              "/abs/sub/k.h");
  }
}

TEST(Parse, InstructionsKnowLineAndColumn) {
  Parsed P = parse("__global__ void k(int *p) {\n  p[1] = 2;\n}\n");
  std::vector<std::pair<unsigned, unsigned>> Stores;
  for (llvm::Instruction &I :
       llvm::instructions(P.Result.Module->getFunction("_Z1kPi")))
    if (auto *S = llvm::dyn_cast<llvm::StoreInst>(&I); S && S->getDebugLoc())
      Stores.emplace_back(S->getDebugLoc().getLine(),
                          S->getDebugLoc().getCol());
  EXPECT_THAT(Stores, ElementsAre(std::pair(2u, 8u)));
}

TEST(Parse, TheArchitectureIsTheNearestThatClangKnows) {
  // CUDA 13 has dropped what is older than 7.5; Clang 22 ends at 12.1.
  EXPECT_EQ(targetOf(architecture(9, 0)), "sm_90");
  EXPECT_EQ(targetOf(architecture(8, 6)), "sm_86");
  EXPECT_EQ(targetOf(architecture(12, 1)), "sm_121");
  EXPECT_EQ(targetOf(architecture(13, 0)), "sm_121");
}

TEST(Parse, AnOldArchitectureIsParsedAsTheOldestLeft) {
  EXPECT_EQ(targetOf(architecture(1, 3)), targetOf(architecture(2, 0)));
}

TEST(Parse, TheUserChoosesTheStandard) {
  const std::string Code =
      "static_assert(__cplusplus == EXPECTED, \"\");\nint x;\n";
  for (auto [Standard, Value] :
       {std::pair("", "201703L"), std::pair("-std=c++14", "201402L"),
        std::pair("-std=c++20", "202002L")}) {
    ParseSetting Options;
    Options.CompilerArguments = {std::string("-DEXPECTED=") + Value};
    if (*Standard)
      Options.CompilerArguments.push_back(Standard);
    EXPECT_EQ(parse(Code, Options).Result.Status, UnitStatus::Ok) << Standard;
  }
}

TEST(Parse, HostOnlyFilesHaveNoKernels) {
  Parsed P = parse("int main() { return 0; }\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok);
  EXPECT_THAT(P.kernels(), IsEmpty());
}

TEST(Parse, OnlyInstantiatedTemplatesBecomeKernels) {
  Parsed P = parse("template <class T> __global__ void never(T *p) {}\n"
                   "template <class T> __global__ void once(T *p) {}\n"
                   "void launch() { once<<<1, 1>>>((int *)0); }\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok);
  EXPECT_THAT(P.kernels(), ElementsAre("_Z4onceIiEvPT_"));
}

TEST(Parse, RecursionIsFine) {
  Parsed P =
      parse("__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }\n"
            "__global__ void k(int *p) { p[0] = f(p[1]); }\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok);
  EXPECT_THAT(P.kernels(), ElementsAre("_Z1kPi"));
}

TEST(Parse, DeepExpressionsFitTheStack) {
  std::string Sum = "p[0]";
  for (int I = 1; I != 20000; ++I)
    Sum += " + p[" + std::to_string(I) + "]";
  Parsed P = parse("__global__ void k(int *p) { p[0] = " + Sum + "; }\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok);
  EXPECT_THAT(P.kernels(), ElementsAre("_Z1kPi"));
}

//===----------------------------------------------------------------------===//
// What only nvcc accepts.
//===----------------------------------------------------------------------===//

static constexpr char SharedStandIn[] =
    "#define __sharedI_ static __attribute__((device, "
    "annotate(\"cuda-lint-shared\")))\n";

// nvcc takes them for the host's; Clang does not.
TEST(Parse, ConstexprFunctionsThatAreNotOfTheDevice) {
  const auto toldOf = [](const std::string &Value) {
    return parse(
               "namespace n {\n"
               "constexpr int twice(int a) { return 2 * a; }\n"
               "__device__ constexpr int thrice(int a) { return 3 * a; }\n"
               "struct At { int x; constexpr At(const At &) = default;\n"
               "            __device__ At(int x) : x(x) {} };\n"
               "}\n"
               "# 1 \"std.h\" 1 3\n"
               "namespace std {\n"
               "template <class T> struct plus {\n"
               "  constexpr T operator()(T a, T b) const { return a + b; } };\n"
               "template <class T> constexpr T &&move(T &a) {\n"
               "  return static_cast<T &&>(a); }\n"
               "}\n"
               "namespace toolkit { constexpr int one(int a) { return a; } }\n"
               "# 8 \"input.cu\" 2\n"
               "constexpr int Known = n::twice(3);\n"
               "__global__ void k(int *p, int i) { *p = " +
               Value + "; }\n")
        .Result.ConstexprOfHost;
  };
  EXPECT_EQ(toldOf("n::twice(i)"), "'n::twice' (input.cu:2)");
  EXPECT_EQ(toldOf("std::plus<int>()(i, 1)"), "'std::plus<int>::operator()'");
  for (const char *Fine :
       {"Known", "n::thrice(i)", "n::At(n::At(i)).x", "std::move(i)",
        "toolkit::one(i)", "[](int a) { return a; }(i)"})
    EXPECT_EQ(toldOf(Fine), "") << Fine;
}

TEST(Repairs, SharedVariablesMayHaveConstructors) {
  // nvcc warns (#20054-D) and runs no constructor.
  Parsed P = parse(SharedStandIn + std::string(R"cuda(
struct Barrier {
  int Count;
  __device__ Barrier() : Count(1) {}
  __device__ ~Barrier() {}
};
__global__ void k(int *p) {
  __shared__ Barrier bars[4];
  p[threadIdx.x] = bars[threadIdx.x].Count;
}
template <class T> __global__ void t(int *p) {
  __shared__ T bar;
  p[threadIdx.x] = bar.Count;
}
void launch() { t<Barrier><<<1, 1>>>(0); }
)cuda"));
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  EXPECT_THAT(P.kernels(), ElementsAre("_Z1kPi", "_Z1tI7BarrierEvPi"));
  EXPECT_EQ(P.Visits, 1);
  unsigned Shared = 0;
  for (llvm::GlobalVariable &V : P.Result.Module->globals())
    Shared += V.getAddressSpace() == 3 &&
              llvm::isa<llvm::UndefValue>(V.getInitializer());
  EXPECT_EQ(Shared, 2u);
  for (llvm::Function &F : *P.Result.Module)
    EXPECT_FALSE(F.getName().contains("Barrier") && !F.isDeclaration() &&
                 F.getCallingConv() != llvm::CallingConv::PTX_Kernel)
        << F.getName().str();
}

TEST(Repairs, BracketsOfALaunchMayBeSpaced) {
  Parsed P = parse("template <class T> __global__ void k(T *p) { p[0] = 1; }\n"
                   "void f(int g) { k << < g, 32 >> > ((int *)0); }\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  EXPECT_THAT(P.kernels(), ElementsAre("_Z1kIiEvPT_"));
}

TEST(Repairs, ShapesOfALaunchMayStandInBraces) {
  const std::string Prelude = "#define $(...) dim3(__VA_ARGS__)\n"
                              "#define $$(...) <<<dim3(__VA_ARGS__)\n"
                              "__global__ void k(int *p) { p[0] = 1; }\n"
                              "template <class T> void f(unsigned n) {\n";
  Parsed P =
      parse(Prelude + "  k<<<n, {32, (n, 8)}>>>((int *)0);\n"
                      "  k<<<{n, 2}, {32, 8}>>>((int *)0);\n"
                      "  k<<< {n}, {n / 8, 2, 1}, 0>>>((int *)0); int *q = x;\n"
                      "}\n");
  // Places behind them are those of the file.
  EXPECT_THAT(P.errors(), ElementsAre(HasSubstr("7:53: use of undeclared")));
  EXPECT_THAT(P.kernels(), ElementsAre("_Z1kPi"));
  // No launch, no end, and no place for a name.
  for (const char *Other : {"  n = sizeof {1, 2};\n}\n", "  k<<<n, {1;\n}\n",
                            "  k<<<n,{32, 2}>>>((int *)0);\n}\n"})
    EXPECT_THAT(parse(Prelude + Other).errors(),
                Contains(HasSubstr("expected expression")))
        << Other;
}

TEST(Repairs, KernelsMayLaunchKernels) {
  Parsed P = parse("extern \"C\" __device__ void *cudaGetParameterBuffer("
                   "size_t, size_t);\n"
                   "extern \"C\" __device__ int cudaLaunchDevice("
                   "void *, void *, dim3, dim3, unsigned, void *);\n"
                   "static __global__ void child(int *p) { p[0] = 1; }\n"
                   "__global__ void parent(int *p) { child<<<1, 32>>>(p); }\n");
  EXPECT_THAT(P.kernels(), Contains("_Z6parentPi")) << P.Result.Diagnostics;
  // As the rest of the program calls it: no suffix of Clang's.
  EXPECT_THAT(P.kernels(), Contains("_ZL5childPi"));
}

TEST(Repairs, AssemblyMayNameARegisterWithOnePercent) {
  Parsed P = parse("__global__ void k(long *p) {\n"
                   "  long t;\n"
                   "  asm volatile(\"mov.u64 %0, %globaltimer;\" : "
                   "\"=l\"(t));\n"
                   "  p[threadIdx.x] = 1;\n"
                   "}\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  EXPECT_THAT(P.kernels(), ElementsAre("_Z1kPl"));
}

TEST(Repairs, OperandsOfAssemblyNeedNoComma) {
  Parsed P = parse("__global__ void k(int *p, int a, int b) {\n"
                   "  asm volatile(\"\" :: \"r\"(a) \"r\"(b));\n"
                   "  p[threadIdx.x] = 1;\n"
                   "}\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
}

} // namespace cudalint::test::ParseTests
