//===- tests/unit/analyzer/frontend/ErrorTests.cpp - Tests ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/mock/MockCuda.h"
#include "tests/unit/analyzer/frontend/Parsing.h"

#include "llvm/Support/CrashRecoveryContext.h"

#include "llvm/Support/FileSystem.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

namespace cudalint::test::ErrorTests {

TEST(Errors, OneInHostCodeLeavesTheKernels) {
  Parsed P = parse("__global__ void good(float *p) { p[threadIdx.x] = 1; }\n"
                   "int main() {\n"
                   "  int x = unknown;\n"
                   "  good<<<1, 32>>>(nullptr);\n"
                   "  int y = ;\n"
                   "}\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Partial);
  EXPECT_THAT(P.kernels(), ElementsAre("_Z4goodPf"));
  EXPECT_THAT(P.errors(),
              ElementsAre("3:11: use of undeclared identifier 'unknown'",
                          "5:11: expected expression"));
  EXPECT_EQ(P.Visits, 1);
}

TEST(Errors, OneInAKernelLeavesTheOthers) {
  Parsed P = parse(
      "__global__ void good(float *p) { p[threadIdx.x] = 1; }\n"
      "__global__ void bad(float *p) { p[threadIdx.x] = unknown; p[0] = 1; }\n"
      "__global__ void last(float *p) { p[threadIdx.x] = 2; }\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Partial);
  EXPECT_THAT(P.kernels(), ElementsAre("_Z4goodPf", "_Z4lastPf"));
}

TEST(Errors, OneInAParameterLosesThatKernel) {
  Parsed P = parse("__global__ void bad(Unknown *u, int *p) { p[0] = 1; }\n"
                   "__global__ void good(int *p) { p[0] = 1; }\n");
  EXPECT_THAT(P.kernels(), ElementsAre("_Z4goodPi"));
}

TEST(Errors, OneInAStructLosesTheKernelsThatUseIt) {
  Parsed P = parse("struct Bad { Unknown u; float f; };\n"
                   "__global__ void bad(Bad *b, float *p) { p[0] = b[1].f; }\n"
                   "__device__ Bad variable;\n"
                   "__global__ void good(float *p) { p[0] = 1; }\n");
  EXPECT_THAT(P.kernels(), ElementsAre("_Z4goodPf"));
}

TEST(Errors, OneInAnEnumLosesTheKernelsThatUseItsValues) {
  Parsed P = parse(
      "enum { A = 4, B = unknown, C, D = 2, E = B * 2, F = A };\n"
      "__global__ void a(float *p) { p[A] = 1; }\n"
      "__global__ void b(float *p) { p[B] = 1; }\n"
      "__global__ void c(float *p) { p[C] = 1; }\n"
      "__global__ void d(float *p) { p[D] = 1; }\n"
      "__global__ void e(float *p) { __shared__ float s[E + 1]; s[0] = 1; }\n"
      "__global__ void f(float *p) { p[F] = 1; }\n");
  EXPECT_THAT(P.kernels(), ElementsAre("_Z1aPf", "_Z1dPf", "_Z1fPf"));
}

TEST(Errors, OneInADeviceFunctionLeavesItsCallers) {
  Parsed P = parse("__device__ float bad() { return unknown; }\n"
                   "__global__ void k(float *p) { p[threadIdx.x] = bad(); }\n");
  EXPECT_THAT(P.kernels(), ElementsAre("_Z1kPf"));
  EXPECT_TRUE(P.Result.Module->getFunction("_Z3badv")->isDeclaration());
}

TEST(Errors, OneInATemplateLosesItsInstantiation) {
  Parsed P = parse("template <class T> __global__ void bad(T *p) {\n"
                   "  p[0] = T::nothing;\n"
                   "}\n"
                   "__global__ void good(float *p) { p[0] = 1; }\n"
                   "void launch() { bad<<<1, 32>>>((float *)0); }\n");
  EXPECT_THAT(P.kernels(), ElementsAre("_Z4goodPf"));
  EXPECT_THAT(P.errors(), SizeIs(1));
}

TEST(Errors, ACallOfAHostFunctionLosesThatKernel) {
  Parsed P = parse("void host(int);\n"
                   "__global__ void bad(int *p) { host(1); p[0] = 1; }\n"
                   "__global__ void good(int *p) { p[0] = 1; }\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Partial);
  EXPECT_THAT(P.kernels(), ElementsAre("_Z4goodPi"));
}

TEST(Errors, AMissingHeaderIsOneErrorAmongOthers) {
  Parsed P = parse("#include \"missing.h\"\n"
                   "__global__ void good(float *p) { p[threadIdx.x] = 1; }\n"
                   "int x = unknown;\n");
  EXPECT_EQ(P.Result.Status, UnitStatus::Partial);
  EXPECT_THAT(P.kernels(), ElementsAre("_Z4goodPf"));
  EXPECT_THAT(P.errors(),
              ElementsAre("1:10: 'missing.h' file not found",
                          "3:9: use of undeclared identifier 'unknown'"));
  EXPECT_EQ(P.Result.Errors[0].MissingHeader, "missing.h");
  EXPECT_EQ(P.Result.Errors[1].MissingHeader, "");
  EXPECT_THAT(P.Result.Diagnostics,
              HasSubstr("input.cu:1:10: fatal error: 'missing.h' file not "
                        "found\n    1 | #include \"missing.h\"\n"));
}

TEST(Errors, WhatAMissingHeaderBringsAboutIsNotTold) {
  Parsed P = parse("int x = before;\n"
                   "#include \"missing.h\"\n"
                   "#include \"other.h\"\n"
                   "Thing y;\n"
                   "int z = behind;\n");
  EXPECT_THAT(P.Result.Errors, SizeIs(5));
  EXPECT_THAT(P.Result.Diagnostics, HasSubstr("'before'"));
  EXPECT_THAT(P.Result.Diagnostics, HasSubstr("'other.h' file not found"));
  EXPECT_THAT(P.Result.Diagnostics, Not(HasSubstr("Thing")));
  EXPECT_THAT(P.Result.Diagnostics, Not(HasSubstr("'behind'")));
  EXPECT_THAT(P.Result.Diagnostics,
              HasSubstr("note: 2 errors behind the missing header not shown"));
}

TEST(Errors, AHeaderIsNamedWithThePathToIt) {
  ParseSetting Options;
  Options.VirtualFiles["sub/broken.h"] = "int x = unknown;\n";
  Parsed P = parse("#include \"sub/broken.h\"\n", std::move(Options));
  ASSERT_THAT(P.Result.Errors, SizeIs(1));
  EXPECT_EQ(P.Result.Errors[0].Where, (Location{"./sub/broken.h", 1, 9}));
  EXPECT_THAT(P.Result.Diagnostics,
              HasSubstr("In file included from input.cu:1:\n"
                        "./sub/broken.h:1:9: error: use of undeclared"));
}

TEST(Errors, PrintsTwentyAndCountsTheRest) {
  std::string Code;
  for (int I = 0; I != 30; ++I)
    Code += "int x" + std::to_string(I) + " = unknown;\n";
  Parsed P = parse(Code);
  EXPECT_THAT(P.Result.Errors, SizeIs(30));
  EXPECT_THAT(P.Result.Diagnostics, HasSubstr("input.cu:20:"));
  EXPECT_THAT(P.Result.Diagnostics, Not(HasSubstr("input.cu:21:")));
  EXPECT_THAT(P.Result.Diagnostics, HasSubstr("\n10 more errors not shown\n"));
}

TEST(Errors, ColoursOnRequest) {
  EXPECT_THAT(parse("int x = unknown;\n").Result.Diagnostics,
              Not(HasSubstr("\033[")));
  ParseSetting Options;
  Options.UseColour = true;
  EXPECT_THAT(parse("int x = unknown;\n", Options).Result.Diagnostics,
              HasSubstr("\033["));
}

TEST(Errors, WarningsAreNotOurs) {
  ParseSetting Options;
  Options.CompilerArguments = {"-Wall", "-Wextra", "-Werror", "-pedantic"};
  Parsed P = parse("__global__ void k(int n, unsigned u) {\n"
                   "  int unused; if (n < u) n = 0;\n"
                   "}\n"
                   "#warning \"not ours\"\n"
                   "int narrow[] = {1.5f};\n",
                   Options);
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok);
  EXPECT_EQ(P.Result.Diagnostics, "");
}

TEST(Errors, AnUnknownOptionFailsWithClangsWords) {
  ParseSetting Options;
  Options.CompilerArguments = {"--no-such-option"};
  Parsed P = parse("__global__ void k() {}\n", Options);
  EXPECT_EQ(P.Result.Status, UnitStatus::Failed);
  EXPECT_THAT(P.Result.Diagnostics,
              HasSubstr("error: unknown argument: '--no-such-option'"));
  EXPECT_THAT(P.errors(), SizeIs(1));
  EXPECT_EQ(P.Visits, 0);
}

//===----------------------------------------------------------------------===//
// What is no source at all.
//===----------------------------------------------------------------------===//

static FrontendResult refuse(const std::string &File) {
  llvm::LLVMContext Context;
  FrontendResult R =
      parseFile(File, {}, Context, [](clang::ASTContext &, auto &) { FAIL(); });
  EXPECT_EQ(R.Status, UnitStatus::Failed);
  EXPECT_EQ(R.Module, nullptr);
  EXPECT_THAT(R.Errors, SizeIs(1));
  EXPECT_EQ(R.Errors.at(0).Where.File, File);
  return R;
}

TEST(Input, MissingFile) {
  EXPECT_EQ(refuse("no/such.cu").Diagnostics,
            "error: 'no/such.cu' does not exist; check the path\n");
}

TEST(Input, Folder) {
  EXPECT_THAT(refuse(".").Diagnostics, HasSubstr("is a folder"));
}

TEST(Input, EmptyAndBinaryFiles) {
  EXPECT_THAT(parse("").Result.Diagnostics, HasSubstr("is empty"));
  EXPECT_THAT(parse(" \n\t\n").Result.Diagnostics, HasSubstr("is empty"));
  EXPECT_THAT(parse(std::string("\177ELF\0\1\2", 7)).Result.Diagnostics,
              HasSubstr("is a binary file"));
}

TEST(Input, AMissingToolkitIsNamed) {
  ParseSetting Options;
  Options.CudaPath = "no/such/toolkit";
  Parsed P = parseWithToolkit("__global__ void k() {}\n", Options);
  EXPECT_EQ(P.Result.Status, UnitStatus::Failed);
  EXPECT_THAT(P.Result.Diagnostics, HasSubstr("'no/such/toolkit'"));
  EXPECT_THAT(P.Result.Diagnostics, HasSubstr("--cuda-path"));
}

//===----------------------------------------------------------------------===//
// What never ends
//===----------------------------------------------------------------------===//

/// Why the parse was left.
static std::string whyStopped(const std::string &Code,
                              ParseSetting Options = {}) {
  Options.StandInHeader = mockCuda();
  Options.VirtualFiles["input.cu"] = Code;
  std::string Why;
  llvm::CrashRecoveryContext::Enable();
  EXPECT_FALSE(llvm::CrashRecoveryContext().RunSafely([&] {
    llvm::LLVMContext Context;
    parseFile(
        "input.cu", Options, Context, [](clang::ASTContext &, auto &) {}, &Why);
  }));
  llvm::CrashRecoveryContext::Disable();
  return Why;
}

TEST(Endless, IncludesAreCutOff) {
  ParseSetting Options;
  Options.VirtualFiles["bomb.h"] = "#if __INCLUDE_LEVEL__ < 60\n"
                                   "#include \"bomb.h\"\n"
                                   "#include \"bomb.h\"\n"
                                   "#endif\n";
  EXPECT_THAT(whyStopped("#include \"bomb.h\"\n", Options),
              HasSubstr("includes more than 200000 files, the last of them "
                        "'./bomb.h'"));
}

TEST(Endless, MacrosAreCutOff) {
  std::string Code = "#define M0 1\n";
  for (int I = 1; I != 60; ++I) {
    std::string Former = "M" + std::to_string(I - 1);
    Code +=
        "#define M" + std::to_string(I) + " " + Former + "+" + Former + "\n";
  }
  EXPECT_THAT(whyStopped(Code + "#if M59\n#endif\n"),
              HasSubstr("expands macros more than 20000000 times"));
}

/// Clang would read it for ever; nvcc does.
TEST(Endless, ADeviceThatIsIncludedIsOneError) {
  Parsed P = parse("#include \"/dev/zero\"\n"
                   "__global__ void good(int *p) { p[0] = 1; }\n");
  EXPECT_THAT(P.errors(),
              ElementsAre("1:10: cannot open file '/dev/zero': it is a device "
                          "or a pipe, which is not read; include a plain "
                          "file"));
  EXPECT_THAT(P.Result.Diagnostics, Not(HasSubstr("not found")));
  EXPECT_THAT(P.Result.Diagnostics, Not(HasSubstr("-IDIR")));
  EXPECT_THAT(P.kernels(), ElementsAre("_Z4goodPi"));
  EXPECT_TRUE(P.Result.MetClosedFile);
  EXPECT_FALSE(parse("#include \"nowhere.h\"\n").Result.MetClosedFile);
}

TEST(Endless, ArgumentsForSomethingElseAreErrors) {
  for (const char *Argument : {"--cuda-host-only", "--version", "--analyze"}) {
    ParseSetting Options;
    Options.CompilerArguments = {Argument};
    Parsed P = parse("__global__ void k() {}\n", Options);
    EXPECT_EQ(P.Result.Status, UnitStatus::Failed) << Argument;
    ASSERT_THAT(P.Result.Errors, SizeIs(1)) << Argument;
    EXPECT_THAT(P.Result.Errors[0].Message,
                HasSubstr("asks Clang for something else"));
  }
}

} // namespace cudalint::test::ErrorTests
