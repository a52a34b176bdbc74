//===- tests/unit/analyzer/pipeline/UnitAnalysisTests.cpp - Tests ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/UnitAnalysis.h"

#include "tests/mock/MockCuda.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <llvm/Support/CrashRecoveryContext.h>

#define XXH_INLINE_ALL // The judge of LLVM's.
#include <xxhash.h>

namespace UnitAnalysisTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {
/// Source files by name, analysed together for an sm_90.
class Analysis : public testing::Test {
protected:
  Analysis() : Checks(makeChecks()) {
    Options.Gpus = {*parseTarget("sm_90")};
    Options.Frontend.Arch = Options.Gpus[0].Arch;
    Options.Frontend.StandInHeader = test::mockCuda();
    for (const std::unique_ptr<Check> &Each : Checks)
      Options.Checks.push_back(Each.get());
  }

  std::vector<UnitResult> analyse(std::map<std::string, std::string> Files) {
    std::vector<ParsedUnit> Units;
    ParseProgress Progress;
    for (const auto &[Name, Text] : Files)
      Units.push_back(parseUnit({.File = Name,
                                 .Folder = {},
                                 .Arguments = {},
                                 .Files = overDisk(Files, "")},
                                Options, Progress));
    Diagnostics.clear();
    for (const ParsedUnit &Unit : Units)
      Diagnostics += Unit.Diagnostics;
    std::vector<UnitIndex> Indexes;
    for (ParsedUnit &Unit : Units)
      Indexes.push_back(std::move(Unit.Index));
    std::vector<UnitResult> Results;
    for (std::size_t I = 0; I != Units.size(); ++I)
      Results.push_back(evaluateUnit(Units[I], Indexes, I, Options, 0));
    return Results;
  }

  UnitResult analyseOne(std::string Text) {
    return std::move(analyse({{"/a.cu", std::move(Text)}}).front());
  }

  std::vector<std::unique_ptr<Check>> Checks;
  UnitOptions Options;
  std::string Diagnostics;
};
} // namespace

static std::vector<std::string> checksOf(const UnitResult &Result) {
  std::vector<std::string> Names;
  for (const Finding &F : Result.Record.Findings)
    Names.push_back(F.Check);
  return Names;
}

TEST_F(Analysis, aKernelItsLaunchAndItsAccesses) {
  UnitResult R = analyseOne(R"cuda(
__global__ void copy(const float *In, float *Out) {
  Out[threadIdx.x] = In[threadIdx.x];
}
void run(float *A, float *B) { copy<<<160, 256>>>(A, B); }
)cuda");
  EXPECT_EQ(R.Record.Status, UnitStatus::Ok);
  EXPECT_EQ(Diagnostics, "");
  EXPECT_THAT(R.Notes, IsEmpty());
  ASSERT_THAT(R.Record.Kernels, SizeIs(1));
  const KernelRecord &K = R.Record.Kernels[0];
  EXPECT_EQ(K.Name, "_Z4copyPKfPf");
  EXPECT_EQ(K.Where.File, "/a.cu");
  EXPECT_EQ(K.Where.Line, 2u);
  EXPECT_FALSE(K.Resources.has_value());
  ASSERT_THAT(K.Launches, SizeIs(1));
  EXPECT_EQ(K.Launches[0].Block, (Extent{256, 1, 1}));
  EXPECT_EQ(K.Launches[0].Where.Line, 5u);
  // 32 floats side by side are 128 bytes: 4 sectors.
  ASSERT_THAT(K.Accesses, SizeIs(2));
  for (const AccessRecord &A : K.Accesses) {
    EXPECT_EQ(A.Where.Line, 3u);
    EXPECT_EQ(A.PerRequest, 4.0);
    EXPECT_EQ(A.Ideal, 4.0);
    EXPECT_EQ(A.Lanes, 32.0);
    EXPECT_EQ(A.Block, (std::array<std::int64_t, 3>{256, 1, 1}));
  }
  EXPECT_THAT(checksOf(R), IsEmpty());
}

TEST_F(Analysis, theTextsOfItsFilesAreToldByDigests) {
  const std::string Header = "struct pair { float x, y; };\n"
                             "__device__ inline float first(pair *P) {\r\n"
                             "  return P[threadIdx.x].x;\n}\n";
  const std::string Main = "\xEF\xBB\xBF#include \"/b.h\"\n"
                           "#include \"/unused.h\"\n"
                           "__global__ void k(pair *P, float *Out) {\n"
                           "  Out[threadIdx.x] = first(P);\n}\n";
  // Sources as given; /b.h and /unused.h are analysed as well, and are first
  // and last.
  const std::vector<UnitResult> Results = analyse(
      {{"/a.cu", Main}, {"/b.h", Header}, {"/unused.h", "struct unused;\n"}});
  auto record = [](const char *Name, const std::string &Text) {
    return SourceRecord{
        Name, Text.size(),
        fmt::format("{:016x}", XXH3_64bits(Text.data(), Text.size()))};
  };
  EXPECT_THAT(Results[0].Record.Sources,
              ElementsAre(record("/a.cu", Main), record("/b.h", Header)));
  EXPECT_THAT(Results[2].Record.Sources, IsEmpty()) << "it has no kernels";
}

/// What stands behind a `#line` is of a file that nobody read.
TEST_F(Analysis, aNameThatALineDirectiveGaveHasNoText) {
  const UnitResult R = analyseOne("#line 1 \"/made.cu\"\n"
                                  "__global__ void k(float *Out) {\n"
                                  "  Out[threadIdx.x] = 1;\n}\n");
  ASSERT_THAT(R.Record.Kernels, SizeIs(1));
  EXPECT_EQ(R.Record.Kernels[0].Where.File, "/made.cu");
  EXPECT_THAT(R.Record.Sources, IsEmpty());
}

TEST_F(Analysis, shapesThatCostTheSameAreOneRecord) {
  UnitResult R = analyseOne(R"cuda(
__global__ void copy(const float *In, float *Out) {
  Out[threadIdx.x] = In[threadIdx.x];
}
void run(float *A, float *B) {
  copy<<<160, 256>>>(A, B);
  copy<<<160, 128>>>(A, B);
}
)cuda");
  EXPECT_THAT(R.Record.Kernels.at(0).Launches, SizeIs(2));
  EXPECT_THAT(R.Record.Kernels.at(0).Accesses, SizeIs(2));
}

TEST_F(Analysis, shapesThatCostDifferentlyAreBothRecorded) {
  // 32×1: a row, 4 sectors. 1×32: a column of rows 4 KiB apart, 32 sectors.
  UnitResult R = analyseOne(R"cuda(
__global__ void fill(float *Out) {
  Out[threadIdx.y * 1024 + threadIdx.x] = 1;
}
void run(float *A) {
  fill<<<160, dim3(32, 1)>>>(A);
  fill<<<160, dim3(1, 32)>>>(A);
}
)cuda");
  const std::vector<AccessRecord> &Accesses = R.Record.Kernels.at(0).Accesses;
  ASSERT_THAT(Accesses, SizeIs(2));
  EXPECT_EQ(Accesses[0].PerRequest, 4.0);
  EXPECT_EQ(Accesses[1].PerRequest, 32.0);
}

TEST_F(Analysis, aLaunchInAnotherFileGivesTheShape) {
  std::vector<UnitResult> Results = analyse(
      {{"/kernel.cu", "__global__ void set(int *P) { P[threadIdx.x] = 1; }\n"},
       {"/main.cu", "__global__ void set(int *P);\n"
                    "void run(int *P) { set<<<200, 96>>>(P); }\n"}});
  ASSERT_THAT(Results, SizeIs(2));
  const KernelRecord &K = Results[0].Record.Kernels.at(0);
  ASSERT_THAT(K.Launches, SizeIs(1));
  EXPECT_EQ(K.Launches[0].Where.File, "/main.cu");
  EXPECT_EQ(K.Launches[0].Block, (Extent{96, 1, 1}));
  ASSERT_THAT(K.Accesses, SizeIs(1));
  EXPECT_EQ(K.Accesses[0].Block[0], 96);
  EXPECT_THAT(Results[1].Record.Kernels, IsEmpty());
}

TEST_F(Analysis, withoutALaunchTheAssumptionIsStated) {
  UnitResult R =
      analyseOne("__global__ void set(int *P) { P[threadIdx.x] = 1; }\n");
  const KernelRecord &K = R.Record.Kernels.at(0);
  ASSERT_THAT(K.Launches, SizeIs(1));
  EXPECT_EQ(K.Launches[0].Source, LaunchSource::Assumed);
  EXPECT_EQ(K.Launches[0].Block, (Extent{256, 1, 1}));
  EXPECT_EQ(K.Launches[0].Grid, Extent());
  ASSERT_THAT(K.Accesses, SizeIs(1));
  EXPECT_EQ(K.Accesses[0].Trust, Certainty::Assumed);
  EXPECT_THAT(K.Accesses[0].Assumptions, testing::Contains(HasSubstr("256")));
}

// Of instances of a template, those that are launched are judged. A plain
// kernel is there whether it is launched or not.
TEST_F(Analysis, anInstanceThatNoCaseLaunchesIsNotJudged) {
  const std::string Kernels = R"cuda(
template <int Stride> __global__ void strided(float *Out) {
  Out[Stride * threadIdx.x] = 1;
}
__global__ void plain(float *Out) { Out[32 * threadIdx.x] = 1; }
)cuda";
  const std::string Cases = R"cuda(
int main() {
  float *Out = nullptr;
  const int Stride = 1;
  switch (Stride) {
  case 1: strided<1><<<64, 256>>>(Out); break;
  case 32: strided<32><<<64, 256>>>(Out); break;
  case 64: plain<<<64, 256>>>(Out); break;
  }
}
)cuda";
  const auto uncoalesced = [&](const std::string &Text) {
    std::vector<unsigned> Lines;
    for (const Finding &F : analyseOne(Text).Record.Findings)
      if (F.Check == "global-uncoalesced")
        Lines.push_back(F.Where.Line);
    return Lines;
  };
  EXPECT_THAT(uncoalesced(Kernels + Cases), ElementsAre(5u));
  // Another launch of it that may happen, or something else that names it.
  for (const char *Other :
       {"void run(float *Out) { strided<32><<<64, 256>>>(Out); }\n",
        "auto Chosen = &strided<32>;\n"})
    EXPECT_THAT(uncoalesced(Kernels + Cases + Other),
                testing::UnorderedElementsAre(3u, 5u))
        << Other;
}

TEST_F(Analysis, anErrorInHostCodeDoesNotLoseTheKernel) {
  UnitResult R = analyseOne(R"cuda(
__global__ void set(int *P) { P[threadIdx.x] = 1; }
void run(int *P) {
  int Blocks = nosuch();
  set<<<Blocks, 64>>>(P);
}
)cuda");
  EXPECT_EQ(R.Record.Status, UnitStatus::Partial);
  EXPECT_THAT(Diagnostics, HasSubstr("/a.cu:4:16: error:"));
  ASSERT_THAT(R.Record.Errors, SizeIs(1));
  EXPECT_EQ(R.Record.Errors[0].Where.Line, 4u);
  ASSERT_THAT(R.Record.Kernels, SizeIs(1));
  EXPECT_THAT(R.Record.Kernels[0].Accesses, SizeIs(1));
}

TEST_F(Analysis, textThatIsNoCudaFails) {
  UnitResult R = analyseOne("Dear reader, this is a letter.\n");
  EXPECT_EQ(R.Record.Status, UnitStatus::Failed);
  EXPECT_THAT(Diagnostics, HasSubstr("error:"));
  EXPECT_THAT(Diagnostics, HasSubstr("/a.cu: note: there is no kernel in what "
                                     "could be read; is this CUDA source?"));
}

TEST_F(Analysis, notesSayWhatWasNotThere) {
  EXPECT_THAT(analyseOne("int X;\n").Notes,
              ElementsAre("/a.cu: note: there are no kernels in this file"));
  UnitResult R = analyseOne(
      "template <class T> __global__ void set(T *P) { P[0] = T(); }\n");
  ASSERT_THAT(R.Notes, SizeIs(1));
  EXPECT_THAT(R.Notes[0], testing::StartsWith("/a.cu:1:"));
  EXPECT_THAT(R.Notes[0], HasSubstr("is never instantiated here"));
  EXPECT_EQ(R.Record.Status, UnitStatus::Ok);
}

TEST_F(Analysis, aLineIsExplained) {
  Options.ExplainAt = Location{.File = "a.cu", .Line = 3};
  UnitResult R = analyseOne(R"cuda(
__global__ void set(int *P) {
  P[threadIdx.x * 2] = 1;
  P[0] = 2;
}
)cuda");
  EXPECT_THAT(R.Explanations, testing::StartsWith("/a.cu:3:"));
  EXPECT_THAT(R.Explanations, HasSubstr("global store of 4 bytes"));
  EXPECT_THAT(R.Explanations, HasSubstr("\n    31       248  7\n"));
  EXPECT_THAT(R.Explanations, testing::Not(HasSubstr("/a.cu:4:")));
}

namespace {
/// As a program's, without a stack for deeply nested source.
class RecoveringGuard : public WorkGuard {
public:
  RecoveringGuard() { llvm::CrashRecoveryContext::Enable(); }
  ~RecoveringGuard() override { llvm::CrashRecoveryContext::Disable(); }
  bool runPart(const Work &Do) const override {
    return llvm::CrashRecoveryContext().RunSafely(Do);
  }
};

class CrashingCheck : public Check {
public:
  static constexpr CheckInfo Info = {.Name = "crashing"};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &Kernel, FindingSink &Out) const override {
    if (Kernel.Declaration.Signature.starts_with("bad"))
      std::abort();
    Out.report(Kernel, {"said", "seen", {}});
  }
};
} // namespace

TEST_F(Analysis, aCrashCostsOneKernel) {
  CrashingCheck Crashing;
  Options.Checks = {&Crashing};
  const RecoveringGuard Guard;
  Options.Guard = &Guard;
  UnitResult R =
      analyseOne("__global__ void good(int *P) { P[threadIdx.x] = 1; }\n"
                 "__global__ void bad(int *P) { P[threadIdx.x] = 1; }\n"
                 "__global__ void fine(int *P) { P[threadIdx.x] = 1; }\n");
  EXPECT_EQ(R.Record.Status, UnitStatus::Partial);
  ASSERT_THAT(R.Record.Errors, SizeIs(1));
  EXPECT_EQ(R.Record.Errors[0].Where.Line, 2u);
  EXPECT_THAT(R.Record.Errors[0].Message, HasSubstr("kernel 'bad(int *)'"));
  EXPECT_THAT(R.Record.Kernels, SizeIs(3));
  EXPECT_THAT(R.Record.Findings, SizeIs(2));
}

} // namespace UnitAnalysisTests
