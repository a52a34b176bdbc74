//===- tests/unit/analyzer/checks/SourceChecksTests.cpp - AST checks ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phrases.h"
#include "analyzer/checks/Check.h"
#include "tests/mock/MockCuda.h"

#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace SourceChecksTests {

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// What one check says of a file `a.cu`, whose first line is `Code`'s first.
static std::vector<Finding> lint(std::string_view Name, const std::string &Code,
                                 std::string_view Gpu = "h200") {
  const std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(
          Code,
          {"-xcuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90",
           "-nocudainc", "-nocudalib", "-std=c++17", "-Wno-everything",
           "-resource-dir", CUDA_LINT_RESOURCE_DIR, "-include",
           test::mockCudaPath()},
          "a.cu");
  EXPECT_TRUE(Unit);
  EXPECT_FALSE(Unit->getDiagnostics().hasErrorOccurred()) << Code;
  std::vector<Finding> Found;
  for (const auto &C : makeChecks()) {
    if (C->info().Name != Name)
      continue;
    FindingSink Sink(C->info(), Found);
    C->checkSource(Unit->getASTContext(), *parseTarget(Gpu), Sink);
  }
  return Found;
}

static std::vector<Finding> doubles(const std::string &Statement,
                                    std::string_view Gpu = "h200") {
  return lint("implicit-double",
              "__global__ void k(float *o, float x, float y, double d, int i) "
              "{\n" +
                  Statement + "\n}\n",
              Gpu);
}

TEST(ImplicitDouble, SilentWithoutDouble) {
  EXPECT_THAT(doubles("o[0] = x * 0.5f + sqrt(y);"), IsEmpty());
}

TEST(ImplicitDouble, SilentWhereDoubleIsMeant) {
  EXPECT_THAT(doubles("o[0] = x * d + 1.0;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = (double)x * 0.1;"), IsEmpty());
  EXPECT_THAT(doubles("double e = x * 0.1 + 2.0; d = e;"), IsEmpty());
}

// nvcc 13.0 emits no .f64 for these, as its PTX shows.
TEST(ImplicitDouble, SilentWhereTheCompilerNarrows) {
  EXPECT_THAT(doubles("o[0] = x * 2.0;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = 1.0 / x;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = x / 3.0;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] += 1.0;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = -(x * 2.0);"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = x > 0 ? x : 0.0;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = x > 0 ? y * 2.0 : 0.0;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = x * (2.0 * 3.0);"), IsEmpty());
  EXPECT_THAT(doubles("if (x > 0.5) o[0] = 0;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = 1.0 * x * y;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = x / -1.0 + y;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = -1.0 * (x + y) - y * 1.0;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = (x - 0.0) + y;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = (2.0 * x) / 1.0;"), IsEmpty());
  EXPECT_THAT(doubles("o[0] += 1.0 * x;"), IsEmpty());
  EXPECT_THAT(doubles("if (1.0 * x > y) o[0] = 0;"), IsEmpty());
}

TEST(ImplicitDouble, SilentWhereTheCompilerKnowsAll) {
  EXPECT_THAT(doubles("float c = 2.0; o[0] = x * c * (c * 0.1 + 0.3);"),
              SizeIs(1)); // The product remains.
  EXPECT_THAT(doubles("float c = 2.0; float e = c * 0.1 + 0.3; o[0] = e * x;"),
              IsEmpty());
  EXPECT_THAT(doubles("float c = 1.0 / 7, e = c * c; o[0] = e * 0.1 + 0.3;"),
              IsEmpty());
  EXPECT_THAT(doubles("float c = sqrt(2.0); o[0] = -c * 0.1;"), IsEmpty());
  EXPECT_THAT(doubles("float c = i; o[0] = c * 0.1;"), SizeIs(1));
  EXPECT_THAT(doubles("float c = sqrt(x); o[0] = c * 0.1;"), SizeIs(1));
  EXPECT_THAT(doubles("float c = 2.0; if (i) c = x; o[0] = c * 0.1;"),
              SizeIs(1));
}

// And it does for these.
TEST(ImplicitDouble, FiresWhereDoubleRemains) {
  EXPECT_THAT(doubles("o[0] = x * 0.1;"), SizeIs(1)); // No float is 0.1.
  EXPECT_THAT(doubles("o[0] = x * 0.5 + 1.0;"), SizeIs(1));
  EXPECT_THAT(doubles("o[0] = x * 2.0 * 3.0;"), SizeIs(1));
  EXPECT_THAT(doubles("o[0] = sqrt(1.0 - x * x);"), SizeIs(1));
  EXPECT_THAT(doubles("o[0] = floor(x + 0.5);"), SizeIs(1));
  EXPECT_THAT(doubles("if (x > 0.1) o[0] = 0;"), SizeIs(1));
  EXPECT_THAT(doubles("i = (int)(x * 255.0);"), SizeIs(1));
  EXPECT_THAT(doubles("o[0] *= 0.1;"), SizeIs(1));
  EXPECT_THAT(doubles("o[0] = (x + 0.0) + y;"), SizeIs(1)); // -0.0 + 0.0
  EXPECT_THAT(doubles("o[0] = (0.0 - x) * y;"), SizeIs(1));
  EXPECT_THAT(doubles("o[0] = 1.0 / x * y;"), SizeIs(1));
  EXPECT_THAT(doubles("o[0] = 2.0 * x * y;"), SizeIs(1));
  EXPECT_THAT(doubles("o[0] = fmax(x, 0.0);"), SizeIs(1));
  EXPECT_THAT(doubles("o[0] = floor(i ? x : 0.5);"), SizeIs(1));
}

/// How bad a literal in the kernel `start` is, which this host code launches
/// beside `step`.
static Severity inStart(const std::string &Host) {
  const std::vector<Finding> Found =
      lint("implicit-double",
           "__global__ void start(float *o) { o[0] = o[1] * 0.1; }\n"
           "__global__ void step(float *o) { o[0] = o[1]; }\n" +
               Host);
  EXPECT_EQ(Found.size(), 1u) << Host;
  return Found.empty() ? Severity::Error : Found[0].Level;
}

TEST(ImplicitDouble, IsANoteInWhatIsLaunchedOnceBesideALoop) {
  const std::string Loop = "for (int i = 0; i < 9; ++i) step<<<1, 32>>>(o);";
  const auto main = [](const std::string &Body) {
    return "int main() { float *o = 0;" + Body + "}";
  };
  const std::string Start = "start<<<1, 32>>>(o);";
  EXPECT_EQ(inStart(main(Start + Loop)), Severity::Note);
  EXPECT_EQ(inStart(main("do {" + Start + "} while (0);" + Loop)),
            Severity::Note);
  EXPECT_EQ(
      inStart("void run(float *o) {" + Start + Loop + "}" + main("run(o);")),
      Severity::Note);
  const auto devices = [&](const std::string &Device) {
    return main("for (int d = 0; d < 4; ++d) { cudaSetDevice(" + Device + ");" +
                Start + "}" + Loop);
  };
  EXPECT_EQ(inStart(devices("d")), Severity::Note);
  EXPECT_EQ(inStart(devices("0")), Severity::Warning);
  // No other is in a loop, or it is so itself.
  EXPECT_EQ(inStart(main(Start + "step<<<1, 32>>>(o);")), Severity::Warning);
  EXPECT_EQ(inStart(main("while (o) {" + Start + "}" + Loop)),
            Severity::Warning);
  EXPECT_EQ(inStart("void run(float *o) {" + Start + Loop + "}" +
                    main("while (o) run(o);")),
            Severity::Warning);
  // Nobody knows how often.
  EXPECT_EQ(inStart("void run(float *o) {" + Start + Loop + "}"),
            Severity::Warning);
  EXPECT_EQ(inStart("void run(float *o) {" + Start + Loop + "}" +
                    main("run(o); run(o);")),
            Severity::Warning);
  EXPECT_EQ(inStart(main("auto later = [&] {" + Start + "};" + Loop)),
            Severity::Warning);
  EXPECT_EQ(inStart(main(Start + Loop + "void (*p)(float *) = start;")),
            Severity::Warning);
}

TEST(ImplicitDouble, NamesTheLiteralAndTheRate) {
  const std::vector<Finding> Found =
      doubles("  o[0] = sqrt(1.0 - x * x);", "gtx-1080-ti");
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("double-literal"), Tells("literal", "1.0"),
                    Tells("function", "sqrt"), Tells("floats_per_double", 32),
                    Tells("gpu", "gtx-1080-ti")));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("write-float"), Tells("advice", "write '1.0f'")));
  EXPECT_EQ(Found[0].Where, (Location{"a.cu", 2, 15}));
  // 67 characters and a newline before the statement; 17 up to the literal's
  // end.
  ASSERT_THAT(Found[0].Fixes, SizeIs(1));
  ASSERT_THAT(Found[0].Fixes[0].Edits, SizeIs(1));
  EXPECT_EQ(Found[0].Fixes[0].Edits[0].Text, "f");
}

TEST(ImplicitDouble, OneEditForEachLiteral) {
  const std::vector<Finding> Found = doubles("o[0] = x * .5 + 1. + 1e-3;");
  ASSERT_THAT(Found, SizeIs(1));
  ASSERT_THAT(Found[0].Fixes, SizeIs(1));
  std::vector<std::uint64_t> Offsets;
  for (const Edit &E : Found[0].Fixes[0].Edits)
    Offsets.push_back(E.Offset);
  const std::uint64_t Start = Offsets.front() - 13; // Behind `.5`
  EXPECT_THAT(Offsets, ElementsAre(Start + 13, Start + 18, Start + 25));
}

TEST(ImplicitDouble, ResolvedOverloads) {
  // pow(float, int) is the double one in <cmath>; sqrt(float) is not.
  const std::vector<Finding> Found = doubles("o[0] = pow(x, 2);");
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("double-function"), Tells("function", "pow")));
  EXPECT_THAT(Found[0].Remedy, Tells("advice", "call 'powf'"));
  EXPECT_THAT(doubles("o[0] = pow(x, 2.0f) + exp(x);"), IsEmpty());
}

TEST(ImplicitDouble, ClangsPowOfAnIntIsNvccsDouble) {
  const auto Lint = [](const std::string &Statement) {
    return lint("implicit-double",
                "# 1 \"cmath.h\" 3\n"
                "namespace math { __device__ float pow(float, int); }\n"
                "# 1 \"a.cu\"\n"
                "__global__ void k(float *o, float x, float y, double d) {" +
                    Statement + "}\n");
  };
  std::vector<Finding> Found = Lint("if (math::pow(x, 2) > 1.0) o[0] = y;");
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("double-literal"), Tells("function", "pow")));
  EXPECT_THAT(Found[0].Remedy, Tells("advice", "write '1.0f', call 'powf'"));
  // With 1.0f alone, pow is the double function still.
  EXPECT_THAT(Found[0].Fixes, IsEmpty());
  EXPECT_THAT(Lint("o[0] = y * 2.0 - -math::pow(x, 2) / y;"), SizeIs(1));
  // What is kept as a double is meant to be one.
  EXPECT_THAT(Lint("d = math::pow(x, 2); if (d > 1.0) o[0] = y;"), IsEmpty());
}

TEST(ImplicitDouble, MacrosAreConvertedWhereTheyAreUsed) {
  const std::vector<Finding> Found = doubles("o[0] = x * M_PI;");
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("double-literal"), Tells("literal", "M_PI")));
  EXPECT_THAT(Found[0].Remedy, Tells("advice", "write 'float(M_PI)'"));
  ASSERT_THAT(Found[0].Fixes, SizeIs(1));
  ASSERT_THAT(Found[0].Fixes[0].Edits, SizeIs(2));
  EXPECT_EQ(Found[0].Fixes[0].Edits[0].Text, "float(");
  EXPECT_EQ(Found[0].Fixes[0].Edits[1].Text, ")");
  EXPECT_EQ(Found[0].Fixes[0].Edits[1].Offset,
            Found[0].Fixes[0].Edits[0].Offset + 4);
  EXPECT_EQ(Found[0].Where.Line, 2u);
}

TEST(ImplicitDouble, AMacroWithParametersIsMendedInside) {
  const std::vector<Finding> Found =
      lint("implicit-double", "#define MUL(x) ((x) * 0.1)\n"
                              "#define ID(x) (x)\n"
                              "namespace ns {\n"
                              "__global__ void k(float *o, float x) {\n"
                              "  o[0] = MUL(x);\n"
                              "  o[1] = ID(x * 0.2);\n"
                              "}\n"
                              "}\n");
  ASSERT_THAT(Found, SizeIs(2));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("double-literal"), Tells("literal", "0.1")));
  EXPECT_THAT(Found[0].Remedy,
              Tells("advice", "write '0.1f' in the macro 'MUL'"));
  ASSERT_THAT(Found[0].Macros, SizeIs(1));
  EXPECT_EQ(Found[0].Macros[0].Name, "MUL");
  EXPECT_EQ(Found[0].Macros[0].Where.Line, 1u);
  EXPECT_EQ(Found[0].Meant.Begin, (Location{"a.cu", 5, 10}));
  EXPECT_EQ(Found[0].Meant.End, (Location{"a.cu", 5, 16}));
  EXPECT_EQ(Found[0].About, (Subject{SubjectKind::Literal, "ns::k", "0.1"}));
  // An argument is written at the call.
  EXPECT_THAT(Found[1].Remedy, Tells("advice", "write '0.2f'"));
  EXPECT_EQ(Found[1].Where, (Location{"a.cu", 6, 17}));
  EXPECT_EQ(Found[1].Meant.End, (Location{"a.cu", 6, 20}));
  EXPECT_THAT(Found[1].Macros, IsEmpty());
}

TEST(ImplicitDouble, OnlyDeviceCode) {
  EXPECT_THAT(lint("implicit-double",
                   "float f(float x) { return x * 0.1; }\n"
                   "constexpr float g(float x) { return x * 0.1; }\n"),
              IsEmpty());
  EXPECT_THAT(lint("implicit-double", "__host__ __device__ float f(float x) { "
                                      "return x * 0.1; }\n"),
              SizeIs(1));
}

TEST(ImplicitDouble, TemplatesAreReportedOnceAndNotEdited) {
  const std::vector<Finding> Found =
      lint("implicit-double", "template <class T> __global__ void k(T *o) {\n"
                              "  o[0] = o[1] * 0.1;\n"
                              "}\n"
                              "void f(float *a, double *b) {\n"
                              "  k<<<1, 32>>>(a);\n"
                              "  k<<<1, 32>>>(b);\n"
                              "}\n");
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy,
              Tells("advice", "convert '0.1' to the template's type"));
  EXPECT_THAT(Found[0].Fixes, IsEmpty());
  EXPECT_THAT(lint("implicit-double",
                   "template <class T> __global__ void k(T *o) {\n"
                   "  o[0] = o[1] * 0.1;\n"
                   "}\n"
                   "void f(double *b) { k<<<1, 32>>>(b); }\n"),
              IsEmpty());
}

TEST(ImplicitDouble, FirstGenerationsHaveNoDouble) {
  EXPECT_THAT(doubles("o[0] = x * 0.1;", "sm_11"), IsEmpty());
  EXPECT_THAT(doubles("o[0] = x * 0.1;", "sm_13"), SizeIs(1));
}

static std::string host(const std::string &Body) {
  return "void f() { " + Body + " }\n";
}

TEST(ObsoleteAdvice, GoesByTheTarget) {
  const std::string Mul =
      "__global__ void k(int *o) { *o = __mul24(threadIdx.x, 3); }\n";
  EXPECT_THAT(lint("obsolete-advice", Mul, "sm_11"), IsEmpty());
  ASSERT_THAT(lint("obsolete-advice", Mul, "sm_20"), SizeIs(1));
  const Finding F = lint("obsolete-advice", Mul).at(0);
  EXPECT_THAT(F.What, AllOf(Is("obsolete"), Tells("name", "__mul24")));
  EXPECT_THAT(F.Remedy, AllOf(Is("use-instead"), Tells("instead", "use '*'")));
  EXPECT_EQ(F.Level, Severity::Note); // It is slower, and works.
  const std::string Banks =
      host("cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);");
  EXPECT_THAT(lint("obsolete-advice", Banks, "sm_35"), IsEmpty());
  EXPECT_THAT(lint("obsolete-advice", Banks, "sm_50"), SizeIs(1));
  const std::string Shuffle =
      "__global__ void k(int *o) { *o = __shfl_down(*o, 1); }\n";
  EXPECT_THAT(lint("obsolete-advice", Shuffle, "sm_60"), IsEmpty());
  EXPECT_THAT(lint("obsolete-advice", Shuffle, "sm_70"), SizeIs(1));
}

TEST(ObsoleteAdvice, RenamedCallsAreEdited) {
  const std::vector<Finding> Found =
      lint("obsolete-advice", host("cudaThreadSynchronize();"));
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Where, (Location{"a.cu", 1, 12}));
  ASSERT_THAT(Found[0].Fixes, SizeIs(1));
  // `void f() { ` is 11 characters.
  EXPECT_THAT(Found[0].Fixes[0].Edits,
              ElementsAre(Edit{"a.cu", 11, 21, "cudaDeviceSynchronize"}));
}

TEST(ObsoleteAdvice, TheUsersOwnFunctionIsTheirs) {
  EXPECT_THAT(lint("obsolete-advice",
                   "void cudaThreadExit() {}\n" + host("cudaThreadExit();")),
              IsEmpty());
}

} // namespace SourceChecksTests
