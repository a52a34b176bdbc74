//===- tests/unit/analyzer/resources/RealObjectTests.cpp - From nvcc ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is read from an object is what ptxas printed when it was made.
///
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Frontend.h"
#include "analyzer/resources/BuiltCode.h"
#include "analyzer/resources/PtxasLog.h"

#include "llvm/Support/Program.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace RealObjectTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::IsEmpty;

/// Shared memory of all kinds, barriers whose number is known and not, frames
/// without spills, spills of 4 and of more bytes.
static constexpr const char *Source = R"(
__global__ void plain(float *p) { p[threadIdx.x] = 1; }
__global__ void tile(float *p) {
  __shared__ float t[129];
  t[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = t[128 - threadIdx.x];
}
__global__ void most(float *p) {
  __shared__ float t[12287];
  t[threadIdx.x] = p[threadIdx.x];
  asm volatile("bar.sync %0;" ::"r"(threadIdx.y));
  p[threadIdx.x] = t[128 - threadIdx.x];
}
__global__ void dynamic(float *p) {
  extern __shared__ float t[];
  t[threadIdx.x] = p[threadIdx.x];
  asm volatile("bar.sync 3;");
  p[threadIdx.x] = t[128 - threadIdx.x];
}
__global__ void frame(int *p, int n) {
  int a[100];
  for (int i = 0; i < 100; i++)
    a[i] = p[i];
  for (int i = 0; i < n; i++)
    a[p[i]] += i;
  *p = a[n];
}
template <class T>
__global__ __launch_bounds__(1024) void spill(const T *p, T *q, int n) {
  T v[100];
#pragma unroll
  for (int i = 0; i < 100; i++)
    v[i] = p[threadIdx.x + i * n];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 100; i++)
    q[threadIdx.x + i * n] = v[99 - i] * v[i * 3 % 100];
}
template __global__ void spill(const float *, float *, int);
template __global__ void spill(const double *, double *, int);
)";

namespace {

class RealObject : public testing::Test {
protected:
  void SetUp() override {
    const ToolkitLookup Found = findToolkit("");
    Program = Found.Path + "/bin/nvcc";
    if (Found.Path.empty() || !std::filesystem::exists(Program))
      GTEST_SKIP() << "no nvcc: install a whole CUDA toolkit";
    std::string Name = testing::TempDir() + "real-object-XXXXXX";
    ASSERT_NE(mkdtemp(Name.data()), nullptr);
    Root = Name;
    std::ofstream(Root / "a.cu") << Source;
  }
  void TearDown() override {
    if (!Root.empty())
      std::filesystem::remove_all(Root);
  }

  /// Compiles to `a.o`, and returns what was printed.
  std::string compile(std::vector<std::string> More) {
    const std::string Log = Root / "log", Object = Root / "a.o";
    std::filesystem::remove(Log); // It is not cut.
    More.insert(More.begin(), {Program, "-Xptxas", "-v", CUDA_LINT_FEW_HEADERS,
                               Root / "a.cu", "-o", Object});
    const std::vector<llvm::StringRef> Arguments(More.begin(), More.end());
    const std::optional<llvm::StringRef> Streams[] = {
        llvm::StringRef(""), llvm::StringRef(Log), llvm::StringRef(Log)};
    EXPECT_EQ(
        llvm::sys::ExecuteAndWait(Program, Arguments, std::nullopt, Streams),
        0);
    std::stringstream Text;
    Text << std::ifstream(Log).rdbuf();
    return Text.str();
  }

  std::string Program;
  std::filesystem::path Root;
};

/// All figures of a kernel on a target, for comparisons.
std::string lineOf(const std::string &Kernel, ComputeCapability CC,
                   const ResourceRecord &R) {
  std::stringstream Out;
  Out << Kernel << ' ' << toString(CC);
  for (const auto &Each : {R.Registers, R.SharedBytes, R.LocalBytes,
                           R.SpillStores, R.SpillLoads, R.Barriers})
    Each ? Out << ' ' << *Each : Out << " -";
  return Out.str();
}

} // namespace

TEST_F(RealObject, figuresAreThoseOfPtxas) {
  const std::vector<ComputeCapability> Targets = {{7, 5}, {8, 0},  {8, 6},
                                                  {9, 0}, {10, 0}, {12, 0}};
  std::vector<std::string> Arguments;
  for (const ComputeCapability CC : Targets)
    Arguments.push_back("-gencode=arch=compute_" +
                        std::to_string(CC.Major * 10 + CC.Minor) + ",code=sm_" +
                        std::to_string(CC.Major * 10 + CC.Minor));
  for (const char *Step : {"-c", "-dc"}) {
    Arguments.emplace_back(Step);
    PtxasLog Log;
    Log.read(compile(Arguments));
    Log.finish();
    std::vector<std::string> Expected, Found;
    bool HasSpills = false;
    for (const PtxasEntry *Each : Log.entries()) {
      ASSERT_TRUE(Each->CC);
      Expected.push_back(lineOf(Each->Kernel, *Each->CC, Each->Record));
      HasSpills |= Each->Record.SpillStores.value_or(0) > 1000;
    }
    EXPECT_TRUE(HasSpills);
    const FileResources Built =
        readBuilt({.Objects = {{"a.cu", Root / "a.o"}}}, "a.cu", Targets, {});
    EXPECT_THAT(Built.Notes, IsEmpty());
    for (const KernelResources &Each : Built.Kernels)
      Found.push_back(lineOf(Each.Kernel, Each.CC, Each.Record));
    EXPECT_EQ(Expected.size(), 7 * Targets.size());
    std::ranges::sort(Expected);
    std::ranges::sort(Found);
    EXPECT_EQ(Found, Expected) << Step;
    Arguments.pop_back();
  }
}

TEST_F(RealObject, codeWithLinesIsRead) {
  compile({"-c", "-arch=sm_90", "-lineinfo"});
  const ComputeCapability SM90{9, 0};
  FileResources Built =
      readBuilt({.Objects = {{"a.cu", Root / "a.o"}}}, "a.cu", {&SM90, 1}, {});
  EXPECT_EQ(Built.Instructions.size(), 7u);
  const ComputeCapability SM80{8, 0};
  Built =
      readBuilt({.Objects = {{"a.cu", Root / "a.o"}}}, "a.cu", {&SM80, 1}, {});
  EXPECT_THAT(Built.Kernels, IsEmpty());
  ASSERT_EQ(Built.Notes.size(), 1u);
  EXPECT_THAT(Built.Notes.front(), HasSubstr("no machine code for 8.0"));
}

} // namespace RealObjectTests
