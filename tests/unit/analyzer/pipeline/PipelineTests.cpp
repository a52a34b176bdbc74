//===- tests/unit/analyzer/pipeline/PipelineTests.cpp - Jobs to documents -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/Pipeline.h"

#include "JobFolder.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <llvm/Support/CrashRecoveryContext.h>

namespace PipelineTests {

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

namespace {
/// As a program's, without a stack for deeply nested source.
class RecoveringGuard : public WorkGuard {
public:
  RecoveringGuard() { llvm::CrashRecoveryContext::Enable(); }
  ~RecoveringGuard() override { llvm::CrashRecoveryContext::Disable(); }
  bool runFile(const Work &Do) const override { return runPart(Do); }
  bool runPart(const Work &Do) const override {
    return llvm::CrashRecoveryContext().RunSafely(Do);
  }
};
} // namespace

// The same names lead to other files in another folder.
TEST_F(Pipeline, NamesAreFromTheFolderOfTheJob) {
  for (const char *Folder : {"one", "eight"}) {
    write(std::string(Folder) + "/a.cu",
          "#include \"sub/stride.h\"\n" + kernel("STRIDE"));
    write(std::string(Folder) + "/sub/stride.h",
          std::string("#define STRIDE ") + (*Folder == 'o' ? "1" : "8") + "\n");
  }
  const std::filesystem::path Before = std::filesystem::current_path();
  for (const auto &[Folder, Sectors] :
       {std::pair("one", 4.0), std::pair("eight", 32.0)}) {
    Request.Jobs = {job("a.cu", Folder)};
    const std::vector<UnitRecord> Units = unitsOf(Request);
    ASSERT_THAT(Units, SizeIs(1));
    EXPECT_EQ(Units[0].File, "a.cu");
    EXPECT_EQ(sectorsOf(Units[0]), Sectors) << Folder;
  }
  EXPECT_EQ(std::filesystem::current_path(), Before);
}

TEST_F(Pipeline, FindingsSayHowTheirPlaceWasReached) {
  const auto Checks = makeChecks();
  for (const auto &Each : Checks)
    Request.Checks.push_back(Each.get());
  const std::string Header = "__device__ inline float get(const float *a) {\n"
                             "  return a[threadIdx.x * 64];\n}\n";
  const std::string Main =
      "#include \"h.h\"\n"
      "template <int N> __global__ void k(float *p) { p[0] = get(p); }\n"
      "template __global__ void k<7>(float *);\n";
  write("one/h.h", Header);
  write("one/a.cu", Main);
  write("two/h.h", "\n\n// Moved.\n" + Header);
  write("two/a.cu", Main);
  std::set<std::string> Fingerprints;
  for (const char *Folder : {"one", "two"}) {
    Request.Jobs = {job("a.cu", Folder)};
    const std::vector<UnitRecord> Units = unitsOf(Request);
    ASSERT_THAT(Units, SizeIs(1));
    ASSERT_THAT(Units[0].Findings, SizeIs(1));
    const Finding &F = Units[0].Findings[0];
    EXPECT_EQ(F.Check, "global-uncoalesced");
    EXPECT_EQ(F.Cause.Id, "strided-lanes");
    EXPECT_EQ(F.Where.File, "./h.h");
    ASSERT_THAT(F.IncludedFrom, SizeIs(1));
    EXPECT_EQ(F.IncludedFrom[0].File, "a.cu");
    EXPECT_EQ(F.Executions, 1);
    Fingerprints.insert(F.Fingerprint);
    ASSERT_THAT(Units[0].Kernels, SizeIs(1));
    EXPECT_EQ(Units[0].Kernels[0].Template, "k");
    EXPECT_THAT(Units[0].Kernels[0].TemplateArguments,
                testing::ElementsAre("7"));
  }
  EXPECT_THAT(Fingerprints, SizeIs(1));
}

static std::vector<std::string> fingerprintsOf(const UnitRecord &Unit) {
  std::vector<std::string> Out;
  for (const Finding &F : Unit.Findings)
    Out.push_back(F.Fingerprint + ":" + std::to_string(F.Occurrence));
  return Out;
}

/// What the finding of \p Check in \p Line wastes.
static Waste wasteIn(const UnitRecord &Unit, const std::string &Check,
                     unsigned Line) {
  for (const Finding &F : Unit.Findings)
    if (F.Check == Check && F.Where.Line == Line && F.Wasted)
      return *F.Wasted;
  ADD_FAILURE() << "no " << Check << " in line " << Line;
  return {};
}

// One warp of eight makes the conflict, in a loop that turns who knows how
// often: for each turn of a warp it takes 1 + 1 wavefronts and an eighth of
// 8 + 8, of which 7 / 8 of a load are too many.
TEST_F(Pipeline, WarpsThatSkipAnAccessWeighNothing) {
  const auto Checks = makeChecks();
  for (const auto &Each : Checks)
    Request.Checks.push_back(Each.get());
  write("a.cu", "__global__ void k(float *p, int n) {\n"
                "  __shared__ float s[256];\n"
                "  for (int b = 0; b < n; ++b) {\n"
                "    s[threadIdx.x] = b;\n"
                "    __syncthreads();\n"
                "    if (threadIdx.x < 32)\n"
                "      s[threadIdx.x * 8] += 1;\n"
                "    __syncthreads();\n"
                "    p[b * 256 + threadIdx.x] = s[255 - threadIdx.x];\n"
                "    __syncthreads();\n"
                "  }\n"
                "}\n"
                "void run(float *p, int n) { k<<<100, 256>>>(p, n); }\n");
  Request.Jobs = {job("a.cu")};
  const std::vector<UnitRecord> Units = unitsOf(Request);
  ASSERT_THAT(Units, SizeIs(1));
  const Waste W = wasteIn(Units[0], "shared-bank-conflict", 7);
  ASSERT_TRUE(W.Estimate);
  EXPECT_NEAR(*W.Estimate, 7.0 / 8 / (1 + 1 + 2), 1e-9);
  EXPECT_FALSE(W.IsRough);
  EXPECT_FALSE(W.IsMost);
}

// Beside stores of 8 times 32 sectors and loads of 16 times 4, a gather of 8
// times 1 to 32: products of data are not followed.
TEST_F(Pipeline, WhatAGatherCostsBoundsTheShare) {
  const auto Checks = makeChecks();
  for (const auto &Each : Checks)
    Request.Checks.push_back(Each.get());
  write("a.cu", "__global__ void k(float *p, const float *t, const int *a) {\n"
                "  for (int j = 0; j < 8; ++j)\n"
                "    p[threadIdx.x * 8 + j] = t[a[j * 32 + threadIdx.x] *\n"
                "                               a[threadIdx.x]];\n"
                "}\n"
                "void run(float *p, const float *t, const int *a) {\n"
                "  k<<<1, 32>>>(p, t, a);\n"
                "}\n");
  Request.Jobs = {job("a.cu")};
  const std::vector<UnitRecord> Units = unitsOf(Request);
  ASSERT_THAT(Units, SizeIs(1));
  const Waste W = wasteIn(Units[0], "global-uncoalesced", 3);
  ASSERT_TRUE(W.Estimate);
  EXPECT_NEAR(*W.Estimate, 28.0 / (32 + 2 * 4 + 1), 1e-9);
  EXPECT_TRUE(W.IsMost);
  EXPECT_FALSE(W.IsRough);
}

TEST_F(Pipeline, AHeaderHasTheSameFingerprintsInEachFile) {
  const auto Checks = makeChecks();
  for (const auto &Each : Checks)
    Request.Checks.push_back(Each.get());
  write("k.cuh", "template <int N> __global__ void k(float *p) {\n"
                 "  p[threadIdx.x * 32] = 1;\n  p[threadIdx.x*64] = 2;\n}\n");
  write("a.cu", "#include \"k.cuh\"\n"
                "template __global__ void k<1>(float *);\n");
  write("b.cu", "#include \"k.cuh\"\n"
                "template __global__ void k<2>(float *);\n"
                "template __global__ void k<3>(float *);\n");
  Request.Jobs = {job("b.cu")};
  const std::vector<UnitRecord> Alone = unitsOf(Request);
  Request.Jobs = {job("a.cu"), job("b.cu")};
  const std::vector<UnitRecord> Both = unitsOf(Request);
  ASSERT_THAT(Both, SizeIs(2));
  EXPECT_EQ(fingerprintsOf(Both[1]), fingerprintsOf(Alone.at(0)));
  const std::vector<std::string> First = fingerprintsOf(Both[0]);
  ASSERT_THAT(First, SizeIs(2));
  // Blanks do not matter, the place does.
  EXPECT_EQ(First[0].substr(0, 16), First[1].substr(0, 16));
  EXPECT_NE(First[0], First[1]);
  EXPECT_THAT(fingerprintsOf(Both[1]),
              ElementsAre(First[0], First[0], First[1], First[1]));
}

TEST_F(Pipeline, KernelsOfAClassTemplateAreToldApart) {
  const auto Checks = makeChecks();
  for (const auto &Each : Checks)
    Request.Checks.push_back(Each.get());
  write("a.cu",
        "template <class T> struct S {\n"
        "  static __global__ void k1(T *p) { p[threadIdx.x * 32] = 1; }\n"
        "  static __global__ void k2(T *p) { p[threadIdx.x * 32] = 1; }\n"
        "};\n"
        "template struct S<int>;\n"
        "template struct S<float>;\n");
  Request.Jobs = {job("a.cu")};
  const std::vector<UnitRecord> Units = unitsOf(Request);
  std::map<std::string, std::set<std::string>> Fingerprints;
  for (const Finding &F : Units.at(0).Findings)
    Fingerprints[F.About.Function].insert(F.Fingerprint);
  ASSERT_THAT(Fingerprints, SizeIs(2));
  EXPECT_THAT(Fingerprints["S::k1"], SizeIs(1));
  EXPECT_THAT(Fingerprints["S::k2"], SizeIs(1));
  EXPECT_NE(Fingerprints["S::k1"], Fingerprints["S::k2"]);
}

TEST_F(Pipeline, WhatIsMeantIsAroundThePlace) {
  const auto Checks = makeChecks();
  for (const auto &Each : Checks)
    Request.Checks.push_back(Each.get());
  // The access of the assembly is one of its line, not of the call.
  write("ld.h", "__attribute__((device)) inline float ld(const float *p) {\n"
                "  float v;\n"
                "  asm(\"ld.global.f32 %0, [%1];\" : \"=f\"(v) : \"l\"(p));\n"
                "  return v;\n}\n");
  write("a.cu", "#include \"ld.h\"\n"
                "__global__ void k(float *p) {\n"
                "  p[threadIdx.x] = ld(p + threadIdx.x * 32);\n}\n");
  Request.Jobs = {job("a.cu")};
  const std::vector<UnitRecord> Units = unitsOf(Request);
  ASSERT_THAT(Units.at(0).Findings, testing::Not(IsEmpty()));
  for (const Finding &F : Units[0].Findings) {
    EXPECT_THAT(F.Where.File, testing::EndsWith("ld.h"));
    EXPECT_EQ(F.Meant, SourceExtent());
    EXPECT_THAT(F.IncludedFrom, SizeIs(1));
  }
}

TEST_F(Pipeline, FindingsOfALaunchShowAllOfIt) {
  const auto Checks = makeChecks();
  for (const auto &Each : Checks)
    Request.Checks.push_back(Each.get());
  write("a.cu", "#define RUN(k, n) k<<<n, 100>>>(nullptr)\n"
                "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
                "void run() {\n"
                "  k<<<7, 100>>>(nullptr);\n"
                "  RUN(k, 9);\n}\n");
  Request.Jobs = {job("a.cu")};
  const std::vector<UnitRecord> Units = unitsOf(Request);
  std::vector<std::string> Found;
  for (const Finding &F : Units.at(0).Findings)
    if (F.Check == "partial-warp-block") {
      EXPECT_EQ(F.About, (Subject{SubjectKind::Launch, "k", ""}));
      Found.push_back(std::to_string(F.Where.Line) + ":" +
                      std::to_string(F.Where.Column) + " " +
                      std::to_string(F.Meant.Begin.Column) + "-" +
                      std::to_string(F.Meant.End.Column) +
                      (F.Macros.empty() ? "" : " " + F.Macros[0].Name));
    }
  EXPECT_THAT(Found, ElementsAre("4:3 3-25", "5:7 3-12 RUN"));
}

TEST_F(Pipeline, AFolderThatIsNotThereIsNamed) {
  Request.Jobs = {job("a.cu", "nowhere")};
  const std::vector<UnitRecord> Units = unitsOf(Request);
  ASSERT_THAT(Units, SizeIs(1));
  EXPECT_EQ(Units[0].Status, UnitStatus::Failed);
  ASSERT_THAT(Units[0].Errors, SizeIs(1));
  EXPECT_THAT(Units[0].Errors[0].Message, HasSubstr("nowhere' does not exist"));
}

TEST_F(Pipeline, OneFileWithSeveralFlags) {
  write("a.cu", kernel("STRIDE"));
  Request.Jobs = {job("a.cu", ".", {"-DSTRIDE=1"}),
                  job("a.cu", ".", {"-DSTRIDE=8"})};
  const std::vector<UnitRecord> Units = unitsOf(Request);
  ASSERT_THAT(Units, SizeIs(2));
  EXPECT_EQ(sectorsOf(Units[0]) + sectorsOf(Units[1]), 4 + 32);
}

// Two of them are parsed together: what the host is told is the same.
TEST_F(Pipeline, EachTargetHasItsOwnSMs) {
  write("a.cu", kernel("1") +
                    "int main() {\n"
                    "  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n"
                    "  k<<<2 * p.multiProcessorCount, 64>>>(nullptr); }\n");
  Request.Jobs = {job("a.cu")};
  Request.Gpus = {*parseTarget("h200"), *parseTarget("h100-pcie"),
                  *parseTarget("h100"), *parseTarget("sm_90")};
  const AnalysisResult Result = analyse(Request);
  std::vector<std::pair<std::string, std::optional<std::int64_t>>> Grids;
  for (const Document &Each : Result.Documents)
    Grids.emplace_back(Each.Target.Name,
                       Each.Units.at(0).Kernels.at(0).Launches.at(0).Grid[0]);
  EXPECT_THAT(Grids,
              testing::ElementsAre(testing::Pair("h200", 264),
                                   testing::Pair("h100-pcie", 228),
                                   testing::Pair("h100", 264),
                                   testing::Pair("sm_90", std::nullopt)));
}

TEST_F(Pipeline, AVirtualFileHidesARealOne) {
  write("a.cu", "#include \"stride.h\"\n" + kernel("STRIDE"));
  write("stride.h", "#define STRIDE 8\n");
  Request.Jobs = {job("a.cu")};
  EXPECT_EQ(sectorsOf(unitsOf(Request).at(0)), 32);
  Request.Jobs[0].Files = overDisk({{"stride.h", "#define STRIDE 1\n"}}, Root);
  EXPECT_EQ(sectorsOf(unitsOf(Request).at(0)), 4);
  EXPECT_EQ(std::filesystem::file_size(Root / "stride.h"), 17u);
}

TEST_F(Pipeline, ACrashOfClangsCostsOneFile) {
  const RecoveringGuard Guard;
  Request.Guard = &Guard;
  Request.Threads = 1;
  write("bad.cu", "#pragma clang __debug crash\n");
  write("good.cu", kernel("1"));
  Request.Jobs = {job("bad.cu"), job("good.cu")};
  const AnalysisResult Result = analyse(Request);
  const std::vector<UnitRecord> &Units = Result.Documents.at(0).Units;
  ASSERT_THAT(Units, SizeIs(2));
  EXPECT_EQ(Units[0].Status, UnitStatus::Failed);
  EXPECT_THAT(Result.Diagnostics, HasSubstr("'bad.cu' made Clang crash"));
  ASSERT_THAT(Units[0].Errors, SizeIs(1));
  EXPECT_EQ(Units[0].Errors[0].Kind, ErrorKind::Parse);
  EXPECT_EQ(sectorsOf(Units[1]), 4);
}

namespace {
class CrashingCheck : public Check {
public:
  static constexpr CheckInfo Info = {.Name = "crashing", .Summary = "crashes"};
  const CheckInfo &info() const override { return Info; }
  void checkSource(const clang::ASTContext &, const Target &,
                   FindingSink &) const override {
    __builtin_trap();
  }
};
} // namespace

TEST_F(Pipeline, ACrashOfACheckIsNotBlamedOnClang) {
  const RecoveringGuard Guard;
  const CrashingCheck Crashing;
  Request.Guard = &Guard;
  Request.Threads = 1;
  Request.Checks = {&Crashing};
  write("a.cu", kernel("1"));
  Request.Jobs = {job("a.cu")};
  const AnalysisResult Result = analyse(Request);
  const UnitRecord &Unit = Result.Documents.at(0).Units.at(0);
  EXPECT_EQ(Unit.Status, UnitStatus::Failed);
  ASSERT_THAT(Unit.Errors, SizeIs(1));
  EXPECT_EQ(Unit.Errors[0].Kind, ErrorKind::Parse);
  EXPECT_THAT(Unit.Errors[0].Message,
              AllOf(HasSubstr("internal error"), Not(HasSubstr("Clang"))));
}

TEST_F(Pipeline, WhatNeverEndsIsStopped) {
  const RecoveringGuard Guard;
  Request.Guard = &Guard;
  write("a.cu", "#include \"bomb.h\"\n");
  write("bomb.h", "#if __INCLUDE_LEVEL__ < 60\n#include \"bomb.h\"\n"
                  "#include \"bomb.h\"\n#endif\n");
  Request.Jobs = {job("a.cu")};
  EXPECT_THAT(analyse(Request).Diagnostics,
              HasSubstr("includes more than 200000 files"));
}

} // namespace PipelineTests
