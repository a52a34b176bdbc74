//===- tests/unit/analyzer/pipeline/SyntaxTreeTests.cpp - Others' trees ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tree that another compiler has made, as a plugin's host does: the answers
/// are those of our own parse, and the tree is as before.
///
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/Pipeline.h"

#include "report/JsonWriter.h"
#include "tests/mock/MockCuda.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/CodeGenOptions.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>
#include <gmock/gmock.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/raw_ostream.h>

namespace SyntaxTreeTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::SizeIs;

/// All that code generation treats in its own way: casts to wide types, tables
/// that are `__constant__` to Clang alone, templates, methods, lambdas, static
/// kernels and members, virtual functions.
static const std::string Source = test::mockCuda() + R"cuda(
struct __attribute__((aligned(16))) quad { float a, b, c, d; };
constexpr int Table[] = {1, 2, 4, 8};
__device__ const int Other[] = {8, 4, 2, 1};
__constant__ int Set[4];
template <class T> struct Holder {
  static __device__ T Value;
  T P;
  __device__ T get(int I) const { return P + I; }
  static __global__ void inside(T *out) { out[threadIdx.x * 3] = Value; }
};
template <class T> __device__ T Holder<T>::Value = 5;
struct Base {
  __device__ virtual int turn(int I) const { return I * 2; }
};
template <class F> __global__ void apply(float *p, F f) {
  p[threadIdx.x * 2] = f(threadIdx.x);
}
template <int N> __global__ void strided(float *p) {
  static const int Steps[] = {4, 3, 2, 1};
  p[threadIdx.x * N] = Steps[threadIdx.x & 3] + Table[threadIdx.x & 3] +
                       Other[threadIdx.x & 3] + Set[threadIdx.x & 3];
}
static __global__ void wide(float *p, int n) {
  __shared__ float tile[32][32];
  *(quad *)(tile[threadIdx.x]) = *reinterpret_cast<quad *>(p + 4 * threadIdx.x);
  quad &q = reinterpret_cast<quad &>(p[4 * threadIdx.x]);
  Holder<int> h{n};
  Base b;
  q.a = tile[threadIdx.x][h.get(1)] + b.turn(n);
}
int main() {
  float *p;
  cudaMalloc(&p, 4096);
  wide<<<1, 32>>>(p, 3);
  strided<4><<<2, 64>>>(p);
  Holder<int>::inside<<<1, 32>>>((int *)p);
  apply<<<1, 96>>>(p, [] __device__(int i) { return i * 0.5f; });
}
)cuda";

static const std::vector<std::string> Device = {
    "-xcuda",     "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc",
    "-nocudalib", "-std=c++17",         "-Wno-everything"};

static std::string dumped(const clang::ASTContext &AST) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  AST.getTranslationUnitDecl()->dump(Out);
  return Text;
}

namespace {
class OthersTree : public testing::Test {
protected:
  OthersTree() {
    for (const auto &Each : Checks)
      Request.Checks.push_back(Each.get());
    Request.Gpus = {*parseTarget("sm_90")};
    Request.Jobs = {{.File = "input.cu",
                     .Folder = {},
                     .Arguments = {"-nocudainc"},
                     .Files = overDisk({{"input.cu", Source}}, "")}};
  }

  AnalysisResult analyseTree(clang::ASTUnit &Unit) {
    const SyntaxTree Tree{Unit.getASTContext(), Unit.getCodeGenOpts()};
    Request.Jobs[0].Tree = &Tree;
    return analyse(Request);
  }

  std::vector<std::unique_ptr<Check>> Checks = makeChecks();
  AnalysisRequest Request;
};
} // namespace

static std::unique_ptr<clang::ASTUnit>
treeOf(const std::string &Code, const std::vector<std::string> &Arguments) {
  auto Unit =
      clang::tooling::buildASTFromCodeWithArgs(Code, Arguments, "input.cu");
  EXPECT_NE(Unit, nullptr);
  return Unit;
}

TEST_F(OthersTree, GivesTheAnswersOfOurOwnParse) {
  const AnalysisResult Own = analyse(Request);
  ASSERT_THAT(Own.Documents, SizeIs(1));
  ASSERT_EQ(Own.Documents[0].Units.at(0).Status, UnitStatus::Ok)
      << Own.Diagnostics;
  ASSERT_THAT(Own.Documents[0].Units[0].Kernels, SizeIs(4));
  const auto Unit = treeOf(Source, Device);
  const std::string Before = dumped(Unit->getASTContext());
  const AnalysisResult First = analyseTree(*Unit);
  EXPECT_EQ(toJson(First.Documents), toJson(Own.Documents));
  EXPECT_EQ(dumped(Unit->getASTContext()), Before);
  // What has been read can be read again.
  EXPECT_EQ(toJson(analyseTree(*Unit).Documents), toJson(Own.Documents));
}

namespace {
struct RecoveringGuard final : WorkGuard {
  RecoveringGuard() { llvm::CrashRecoveryContext::Enable(); }
  ~RecoveringGuard() override { llvm::CrashRecoveryContext::Disable(); }
  bool runFile(const Work &Do) const override { return runPart(Do); }
  bool runPart(const Work &Do) const override {
    return llvm::CrashRecoveryContext().RunSafely(Do);
  }
};
} // namespace

// Clang's code generator follows a null pointer where it is to map coverage and
// no preprocessor told it what to map.
TEST_F(OthersTree, IsPutBackAfterACrash) {
  const auto Unit = treeOf(Source, Device);
  const std::string Before = dumped(Unit->getASTContext());
  clang::CodeGenOptions Options = Unit->getCodeGenOpts();
  Options.setProfileInstr(llvm::driver::ProfileInstrKind::ProfileClangInstr);
  Options.CoverageMapping = true;
  const SyntaxTree Tree{Unit->getASTContext(), Options};
  Request.Jobs[0].Tree = &Tree;
  const RecoveringGuard Guard;
  Request.Guard = &Guard;
  const AnalysisResult Crashed = analyse(Request);
  EXPECT_EQ(Crashed.Documents.at(0).Units.at(0).Status, UnitStatus::Failed);
  EXPECT_EQ(dumped(Unit->getASTContext()), Before);
}

TEST_F(OthersTree, OfTheHostIsRefused) {
  std::vector<std::string> Host = Device;
  Host[1] = "--cuda-host-only";
  const auto Unit = treeOf(Source, Host);
  EXPECT_THAT(analyseTree(*Unit).Diagnostics, HasSubstr("for the host"));
}

TEST_F(OthersTree, WithErrorsIsRefused) {
  const auto Unit = treeOf(Source + "int x = nowhere;\n", Device);
  const AnalysisResult Result = analyseTree(*Unit);
  ASSERT_THAT(Result.Documents[0].Units, SizeIs(1));
  EXPECT_EQ(Result.Documents[0].Units[0].Status, UnitStatus::Failed);
  EXPECT_THAT(Result.Diagnostics, HasSubstr("has errors"));
}

} // namespace SyntaxTreeTests
