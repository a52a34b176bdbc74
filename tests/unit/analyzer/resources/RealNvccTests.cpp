//===- tests/unit/analyzer/resources/RealNvccTests.cpp - With a toolkit ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What can be known of a kernel's figures without a compiler: the size of its
/// shared arrays, of an array that is indexed at run time, whether there is a
/// barrier, the limit that was set for registers.
///
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Frontend.h"
#include "analyzer/resources/Resources.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Program.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace RealNvccTests {

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static const ComputeCapability SM80{8, 0}, SM90{9, 0};

static constexpr const char *Source = R"(
#include <sizes.h>
static __global__ void shared(float *p) {
  __shared__ float s[WORDS];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[WORDS - 1 - threadIdx.x];
}
namespace {
__global__ void local(int *p, int n) {
  int a[100];
  for (int i = 0; i < 100; i++)
    a[i] = p[i];
  for (int i = 0; i < n; i++)
    a[p[i]] += i;
  *p = a[n];
}
}
void launch(float *p, int *q) {
  shared<<<1, WORDS>>>(p);
  local<<<1, 1>>>(q, 3);
}
)";

class RealNvcc : public testing::Test {
protected:
  void SetUp() override {
    const ToolkitLookup Found = findToolkit("");
    if (Found.Path.empty())
      GTEST_SKIP() << Found.Error;
    for (const char *Program : {"nvcc", "ptxas"})
      if (!exists(std::filesystem::path(Found.Path) / "bin" / Program))
        GTEST_SKIP() << "no " << Program << " in " << Found.Path
                     << ": install a whole CUDA toolkit";
    if (!llvm::sys::findProgramByName("g++"))
      GTEST_SKIP() << "no g++ for nvcc: install g++";
    std::string Name = testing::TempDir() + "real-nvcc-XXXXXX";
    ASSERT_NE(mkdtemp(Name.data()), nullptr);
    Root = Name;
    std::ofstream(Root / "a.cu") << Source;
    std::ofstream(Root / "sizes.h") << "#define WORDS 64\n";
    Options.CacheDir = Root / "cache";
    Arguments = {"-std=c++17",
                 "-Wall",
                 "-O2",
                 "-I",
                 Root,
                 CUDA_LINT_FEW_HEADERS,
                 "-fcolor-diagnostics",
                 "-c"};
  }
  void TearDown() override {
    if (!Root.empty())
      std::filesystem::remove_all(Root);
  }

  ResourceRecord record(const char *Kernel, ComputeCapability CC) {
    ResourceFinder Finder(Options);
    std::array Targets = {SM80, SM90};
    FileResources Compiled = Finder.compile(job(), Targets);
    EXPECT_THAT(Compiled.Notes, IsEmpty());
    Cached = Compiled.Cached;
    auto isNamed = [](std::string_view) { return false; };
    ResourceAnswer Answer =
        Finder.find(Kernel, Root / "a.cu", CC, isNamed, &Compiled);
    EXPECT_TRUE(Answer.Record.has_value()) << Answer.Note;
    return Answer.Record.value_or(ResourceRecord());
  }

  CompileJob job() const {
    return {.File = Root / "a.cu",
            .Folder = {},
            .Arguments = Arguments,
            .Files = nullptr};
  }

  std::filesystem::path Root;
  ResourceOptions Options;
  std::vector<std::string> Arguments; ///< Of the compiler.
  bool Cached = false;
};

TEST_F(RealNvcc, figuresOfEachTarget) {
  for (ComputeCapability CC : {SM80, SM90}) {
    ResourceRecord Shared = record("_ZL6sharedPf", CC);
    EXPECT_EQ(Shared.SharedBytes, 64u * 4);
    EXPECT_EQ(Shared.Barriers, 1u);
    EXPECT_EQ(Shared.LocalBytes, 0u);
    EXPECT_GT(Shared.Registers, 0u);
    ResourceRecord Local = record("_ZN12_GLOBAL__N_15localEPii", CC);
    EXPECT_EQ(Local.LocalBytes, 100u * 4);
    EXPECT_EQ(Local.SharedBytes, 0u);
    EXPECT_EQ(Local.Barriers, 0u);
  }
}

TEST_F(RealNvcc, limitsOfTheUserCount) {
  std::optional<std::uint64_t> Free =
      record("_ZN12_GLOBAL__N_15localEPii", SM90).Registers;
  ASSERT_GT(Free, 24u) << "the limit must be below what it takes freely";
  Arguments.emplace_back("--maxrregcount=24");
  EXPECT_LE(record("_ZN12_GLOBAL__N_15localEPii", SM90).Registers, 24u);
}

TEST_F(RealNvcc, aHeaderIsAmongWhatItRead) {
  EXPECT_EQ(record("_ZL6sharedPf", SM90).SharedBytes, 64u * 4);
  EXPECT_FALSE(Cached);
  EXPECT_EQ(record("_ZL6sharedPf", SM90).SharedBytes, 64u * 4);
  EXPECT_TRUE(Cached);
  std::ofstream(Root / "sizes.h") << "#define WORDS 128\n";
  EXPECT_EQ(record("_ZL6sharedPf", SM90).SharedBytes, 128u * 4);
  EXPECT_FALSE(Cached);
}

// Clang has newer names for templates with `auto` parameters and constraints.
TEST_F(RealNvcc, itsNamesAreOurs) {
  std::ofstream(Root / "a.cu") << R"(
template <auto N> __global__ void a(float *p) { *p = N; }
template <class T, auto... Ns> __global__ void b(T *p) { *p = (Ns + ...); }
template <class T> concept Small = sizeof(T) <= 4;
template <Small T> __global__ void c(T *p) { *p = 0; }
template <class T> requires Small<T> __global__ void d(T *p) { *p = 0; }
template <class T> __global__ void e(T *p) requires Small<T> { *p = 0; }
__global__ void f(Small auto *p) { *p = 0; }
template <template <auto> class C> __global__ void g(float *p) { *p = 0; }
template <auto> struct Box {};
void run(float *p) {
  a<2><<<1, 1>>>(p);
  a<3u><<<1, 1>>>(p);
  b<float, 1, 2><<<1, 1>>>(p);
  c<<<1, 1>>>(p);
  d<<<1, 1>>>(p);
  e<<<1, 1>>>(p);
  f<<<1, 1>>>(p);
  g<Box><<<1, 1>>>(p);
}
)";
  Arguments[0] = "-std=c++20";
  FrontendOptions Frontend;
  Frontend.Arch = findArchitecture(SM90);
  llvm::LLVMContext Context;
  std::string Stopped;
  FrontendResult Parse = parseCuda(
      job(), Frontend, Context, [](clang::ASTContext &, auto &) {}, Stopped);
  ASSERT_TRUE(Parse.Module) << Parse.Diagnostics;
  unsigned Kernels = 0;
  for (const llvm::Function &F : *Parse.Module)
    if (F.getCallingConv() == llvm::CallingConv::PTX_Kernel) {
      ++Kernels;
      record(F.getName().str().c_str(), SM90);
    }
  EXPECT_EQ(Kernels, 8u);
}

TEST_F(RealNvcc, anArchitectureThatItDoesNotKnow) {
  ResourceFinder Finder(Options);
  FileResources Compiled =
      Finder.compile(job(), std::array{ComputeCapability{1, 3}});
  ASSERT_EQ(Compiled.Notes.size(), 1u);
  EXPECT_THAT(Compiled.Notes[0], HasSubstr("does not compile for sm_13"));
}

//===----------------------------------------------------------------------===//
// Clang's code
//===----------------------------------------------------------------------===//

class ClangCode : public RealNvcc {
protected:
  FileResources assemble(ComputeCapability Parsed, ComputeCapability CC) {
    Options.Mode = PtxasMode::Clang;
    FrontendOptions Frontend;
    Frontend.Arch = findArchitecture(Parsed);
    llvm::LLVMContext Context;
    std::string Stopped;
    FrontendResult Parse = parseCuda(
        job(), Frontend, Context, [](clang::ASTContext &, auto &) {}, Stopped);
    EXPECT_TRUE(Parse.Module) << Parse.Diagnostics;
    if (!Parse.Module)
      return {};
    std::size_t Functions = Parse.Module->size();
    FileResources Result =
        ResourceFinder(Options).assemble(job(), *Parse.Module, CC);
    EXPECT_EQ(Parse.Module->size(), Functions);
    return Result;
  }

  ResourceAnswer find(const FileResources &Compiled, const char *Kernel) {
    auto isNamed = [](std::string_view) { return false; };
    return ResourceFinder(Options).find(Kernel, Root / "a.cu", SM90, isNamed,
                                        &Compiled);
  }
};

TEST_F(ClangCode, figuresThroughPtxas) {
  // What is called of libdevice must not be missing.
  std::ofstream(Root / "a.cu")
      << Source
      << "__global__ void sine(float *p) { *p = sinf(*p) + powf(*p, 3.1f); }\n";
  FileResources Compiled = assemble(SM90, SM90);
  EXPECT_THAT(Compiled.Notes, IsEmpty());
  ResourceAnswer Shared = find(Compiled, "_ZL6sharedPf");
  ASSERT_TRUE(Shared.Record.has_value()) << Shared.Note;
  EXPECT_EQ(Shared.Record->SharedBytes, 64u * 4);
  EXPECT_EQ(Shared.Record->Barriers, 1u);
  EXPECT_EQ(Shared.Record->Source, "ptxas");
  EXPECT_THAT(Shared.Note, HasSubstr("approximate"));
  ResourceAnswer Local = find(Compiled, "_ZN12_GLOBAL__N_15localEPii");
  ASSERT_TRUE(Local.Record.has_value()) << Local.Note;
  EXPECT_EQ(Local.Record->LocalBytes, 100u * 4);
  EXPECT_TRUE(find(Compiled, "_Z4sinePf").Record.has_value());
}

TEST_F(ClangCode, theLimitOfRegistersCounts) {
  // Forty values live across the barrier.
  std::ofstream(Root / "a.cu") << R"(__global__ void wide(float *p) {
  float v[40];
#pragma unroll
  for (int i = 0; i < 40; ++i)
    v[i] = p[i * 32];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 40; ++i)
    p[(39 - i) * 32] = v[i];
})";
  ResourceAnswer Free = find(assemble(SM90, SM90), "_Z4widePf");
  ASSERT_TRUE(Free.Record.has_value());
  EXPECT_GT(Free.Record->Registers, 40u);
  Arguments.emplace_back("-maxrregcount=32");
  ResourceAnswer Limited = find(assemble(SM90, SM90), "_Z4widePf");
  ASSERT_TRUE(Limited.Record.has_value());
  EXPECT_LE(Limited.Record->Registers, 32u);
  EXPECT_GT(Limited.Record->SpillStores, 0u);
}

/// Calls what another file defines.
static constexpr const char *Separate = R"(
__device__ float far(float);
static __global__ void local(float *p) { p[threadIdx.x] = 1; }
__global__ void calls(float *p) { p[threadIdx.x] = far(p[threadIdx.x]); }
void run(float *p) { local<<<1, 32>>>(p); }
)";

TEST_F(ClangCode, separateCompilation) {
  std::ofstream(Root / "a.cu") << Separate;
  Arguments = {"-fgpu-rdc"};
  FileResources Compiled = assemble(SM90, SM90);
  EXPECT_TRUE(find(Compiled, "_Z5callsPf").Record.has_value());
  EXPECT_TRUE(find(Compiled, "_ZL5localPf").Record.has_value());
  EXPECT_THAT(Compiled.Notes, ElementsAre(HasSubstr("before device linking")));
}

TEST_F(RealNvcc, separateCompilation) {
  std::ofstream(Root / "a.cu") << Separate;
  auto isNamed = [](std::string_view) { return false; };
  Options.Mode = PtxasMode::Nvcc;
  FileResources Whole =
      ResourceFinder(Options).compile(job(), std::span(&SM90, 1));
  EXPECT_THAT(Whole.Notes, ElementsAre(AllOf(HasSubstr("Unresolved extern"),
                                             HasSubstr("-- -rdc=true"))));
  Arguments = {"-rdc=true"};
  ResourceFinder Finder(Options);
  FileResources Parts = Finder.compile(job(), std::span(&SM90, 1));
  for (const char *Kernel : {"_Z5callsPf", "_ZL5localPf"})
    EXPECT_TRUE(Finder.find(Kernel, Root / "a.cu", SM90, isNamed, &Parts)
                    .Record.has_value())
        << Kernel;
}

// Whether all is in one section, or each function in its own.
TEST_F(RealNvcc, theCodeOfFunctionsThatAreNotInlined) {
  std::ofstream(Root / "a.cu") << R"(
__device__ __noinline__ float row(const float *p, int i) { return p[i * 32]; }
__global__ void calls(float *p) { *p = row(p, threadIdx.x); }
)";
  for (const char *Argument : {"-rdc=false", "-rdc=true"}) {
    Arguments = {Argument};
    FileResources Compiled =
        ResourceFinder(Options).compile(job(), std::span(&SM90, 1));
    const KernelInstructions *Code =
        findInstructions(Compiled, "_Z5callsPf", SM90);
    ASSERT_NE(Code, nullptr) << Argument;
    const auto Load = std::ranges::find(Code->Memory, AccessOp::Load,
                                        &MachineInstruction::Op);
    ASSERT_NE(Load, Code->Memory.end()) << Argument;
    std::vector<unsigned> Lines;
    for (const Location &Each : Load->Frames)
      Lines.push_back(Each.Line);
    EXPECT_THAT(Lines, ElementsAre(2, 3)) << Argument;
  }
}

TEST_F(ClangCode, aTargetThatItWasNotParsedFor) {
  FileResources Compiled = assemble(SM90, SM80);
  ASSERT_EQ(Compiled.Notes.size(), 1u);
  EXPECT_THAT(Compiled.Notes[0], HasSubstr("Clang does not compile for"));
  EXPECT_THAT(Compiled.Kernels, IsEmpty());
}

TEST_F(ClangCode, aFileWithoutKernels) {
  std::ofstream(Root / "a.cu") << "int f() { return 1; }\n";
  FileResources Compiled = assemble(SM90, SM90);
  EXPECT_THAT(Compiled.Notes, IsEmpty());
  EXPECT_THAT(Compiled.Kernels, IsEmpty());
}

} // namespace RealNvccTests
