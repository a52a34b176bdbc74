//===- tests/unit/runtime/hotspots/LintedLinesTests.cpp - Beside ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MadeProfiles.h"
#include "runtime/hotspots/HotspotWriters.h"
#include "runtime/hotspots/LintedLines.h"

#include <gmock/gmock.h>
#include <sstream>

namespace LintedLinesTests {

using namespace cudalint;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Of a load that kernel `f` makes in line 7 of a.cu.
static Finding finding(const std::string &Cause) {
  return {
      .Check = "global-uncoalesced",
      .Where = {"a.cu", 7, 5},
      .About = {.Kind = SubjectKind::Load,
                .Function = "f",
                .Name = "v[i].x",
                .Variable = "v"},
      .Kernel = "f",
      .What = {.Id = "traffic", .Text = "load from 'v' touches 12 sectors"},
      .Cause = {.Id = "cause", .Text = Cause},
      .Remedy = {.Id = "remedy", .Text = "mend it"},
      .Predicted =
          Prediction{.Metric = "sectors_per_request", .Value = 12, .Ideal = 4},
      .Fingerprint = "0123456789abcdef"};
}

/// A file with a kernel of each of \p Kernels.
static UnitRecord unitOf(const std::string &File,
                         std::vector<std::string> Kernels,
                         std::vector<Finding> Findings) {
  UnitRecord Out = {.File = File,
                    .Errors = {},
                    .Kernels = {},
                    .Findings = std::move(Findings)};
  for (std::string &Name : Kernels)
    Out.Kernels.push_back({.Name = std::move(Name),
                           .Signature = {},
                           .Where = {File, 3, 1},
                           .Resources = {},
                           .StaticSharedBytes = {},
                           .Launches = {},
                           .Accesses = {},
                           .Removed = {}});
  return Out;
}

static Document documentOf(std::vector<UnitRecord> Units) {
  return {.ToolVersion = "0.1.0",
          .Target = {"h200", "9.0", 132},
          .Units = std::move(Units)};
}

namespace {
/// Profiles, of which each test adds lines, and the documents for them.
struct Linted {
  Profile Counted = countedOn();
  std::vector<Document> Documents;
  SourceLookup Look;
  HotspotReport Report;

  Linted() {
    addKernel(Counted, "f", 1, 1);
    Counted.Lines = {globalLoad("f", 1200, 400)};
  }

  void find() {
    Report.Found = findHotspots({&Counted, 1});
    Report.Notes =
        addFindings(Documents, merge({&Counted, 1}), Look, Report.Found);
  }

  std::string text(std::optional<std::size_t> Top = 5) {
    find();
    const std::string Out =
        hotspotText(Report, {.Text = {.Width = 80}, .Top = Top},
                    [](const std::string &) { return std::nullopt; });
    std::istringstream In(Out);
    for (std::string Line; std::getline(In, Line);)
      EXPECT_LE(Line.size(), 80u) << Line;
    return Out;
  }

  const HotKernel &kernel(const std::string &Name = "f") {
    for (const HotKernel &Each : Report.Found.Gpus.at(0).Kernels)
      if (Each.Name == Name)
        return Each;
    throw std::out_of_range(Name);
  }
};
} // namespace

static std::vector<std::string> causesOf(const HotLine &Line) {
  std::vector<std::string> Out;
  for (const LintedFinding &Each : Line.Findings)
    Out.push_back(Each.What.Cause.Text);
  return Out;
}

TEST(LintedLines, TellsCauseAndRemedyBesideTheLine) {
  Linted L;
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {finding("far apart")})})};
  const std::string Out = L.text();
  EXPECT_THAT(Out, HasSubstr("\n   linter, global-uncoalesced: far apart; mend "
                             "it\n"));
  EXPECT_THAT(Out, Not(HasSubstr("note:")));
  ASSERT_TRUE(L.Report.Found.Gpus[0].Lint);
  EXPECT_EQ(L.Report.Found.Gpus[0].Lint->Problems, 1u);
  EXPECT_EQ(L.Report.Found.Gpus[0].Lint->AtMeasured, 1u);
}

TEST(LintedLines, OfAKernelBelongToItsLinesAlone) {
  Linted L;
  addKernel(L.Counted, "g", 1, 1);
  L.Counted.Lines.push_back(globalLoad("g", 1200, 400));
  Finding Nobodys = finding("for all");
  Nobodys.Kernel.clear();
  Nobodys.Check = "other";
  L.Documents = {documentOf(
      {unitOf("a.cu", {"f", "g"}, {finding("far apart"), Nobodys})})};
  L.find();
  EXPECT_THAT(causesOf(L.kernel("f").Lines[0]),
              testing::UnorderedElementsAre("far apart", "for all"));
  EXPECT_THAT(causesOf(L.kernel("g").Lines[0]), ElementsAre("for all"));
  // The second time, it is told where.
  EXPECT_THAT(L.text(), HasSubstr("\n   linter, other: as above\n"));
}

TEST(LintedLines, NamesOfInternalLinkageAreMatchedAsForVerdicts) {
  Linted L;
  L.Counted = countedOn();
  addKernel(L.Counted, "_Z1fPf", 1, 1);
  L.Counted.Lines = {globalLoad("_Z1fPf", 1200, 400)};
  Finding F = finding("far apart");
  F.Kernel = "_ZL1fPf";
  L.Documents = {documentOf({unitOf("a.cu", {"_ZL1fPf"}, {F})})};
  L.find();
  EXPECT_THAT(causesOf(L.kernel("_Z1fPf").Lines[0]), ElementsAre("far apart"));
}

TEST(LintedLines, OfAHeaderAreFoundByTheEndOfItsPath) {
  Linted L;
  L.Counted.Lines[0].File = "/build/src/tile.cuh";
  Finding F = finding("far apart");
  F.Where.File = "src/../src/tile.cuh";
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {F})})};
  L.find();
  EXPECT_THAT(causesOf(L.kernel().Lines[0]), ElementsAre("far apart"));
}

TEST(LintedLines, OfTheToolkitAreThoseThatCallIt) {
  Linted L;
  const std::string Header = "/cuda/include/sm_32_intrinsics.hpp";
  L.Counted.Lines[0].File = Header;
  L.Counted.Lines[0].Line = 108;
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {finding("far apart")})})};
  // Nobody knows who calls it.
  L.find();
  EXPECT_THAT(causesOf(L.kernel().Lines[0]), IsEmpty());
  L.Report.Found = findHotspots({&L.Counted, 1});
  Measurement Measured = merge({&L.Counted, 1});
  MeasuredInstruction Load;
  Load.Where = MeasuredPlace{.File = Header, .Line = 108};
  Load.Frames = {{.File = Header, .Line = 108},
                 {.File = "/build/a.cu", .Line = 7}};
  Measured.Gpus[0].Kernels[0].Instructions = {Load};
  addFindings(L.Documents, Measured, {}, L.Report.Found);
  EXPECT_THAT(causesOf(L.kernel().Lines[0]), ElementsAre("far apart"));
  const auto noSource = [](const std::string &) { return std::nullopt; };
  EXPECT_THAT(
      hotspotText(L.Report, {.Text = {.Width = 80}}, noSource),
      HasSubstr("\n   linter, global-uncoalesced: called at a.cu:7: far "
                "apart; mend it\n"));
}

TEST(LintedLines, AnotherFileOfTheNameIsAnother) {
  Linted L;
  L.Counted.Lines[0].File = "/build/y/util.h";
  Finding X = finding("of x"), Y = finding("of y");
  X.Where.File = "x/util.h";
  Y.Where.File = "y/util.h";
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {X, Y})})};
  L.find();
  EXPECT_THAT(causesOf(L.kernel().Lines[0]), ElementsAre("of y"));
  // Nobody found anything in the other one, which is there all the same.
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {X})})};
  L.Documents[0].Units[0].Sources = {{.File = "y/util.h"}};
  L.find();
  EXPECT_THAT(causesOf(L.kernel().Lines[0]), IsEmpty());
}

TEST(LintedLines, BelongToTheOperationAndUnitThatWereCounted) {
  Linted L;
  ProfileLine Store = globalLoad("f", 800, 400);
  Store.Op = AccessOp::Store;
  ProfileLine Shared = {.Kernel = "f",
                        .File = "a.cu",
                        .Line = 7,
                        .Space = MemorySpace::Shared,
                        .Requests = 100,
                        .Lanes = 3200,
                        .Wavefronts = 300,
                        .IdealWavefronts = 100};
  L.Counted.Lines.push_back(Store);
  L.Counted.Lines.push_back(Shared);
  Finding Conflict = finding("same bank");
  Conflict.Check = "shared-bank-conflict";
  Conflict.Predicted->Metric = "wavefronts_per_request";
  L.Documents = {
      documentOf({unitOf("a.cu", {"f"}, {finding("far apart"), Conflict})})};
  L.find();
  for (const HotLine &Each : L.kernel().Lines)
    if (Each.Line.Op == AccessOp::Store)
      EXPECT_THAT(causesOf(Each), IsEmpty());
    else if (Each.Unit == TrafficUnit::Wavefronts)
      EXPECT_THAT(causesOf(Each), ElementsAre("same bank"));
    else
      EXPECT_THAT(causesOf(Each), ElementsAre("far apart"));
}

TEST(LintedLines, TwoOfALineAndOneOfEachProblem) {
  Linted L;
  Finding Again = finding("far apart"); // Of a member of the same object.
  Again.Where.Column = 30;
  Again.About.Name = "v[i].y";
  Finding Other = finding("not aligned");
  Other.Check = "global-misaligned";
  L.Documents = {documentOf(
      {unitOf("a.cu", {"f"}, {finding("far apart"), Again, Other})})};
  L.find();
  EXPECT_THAT(causesOf(L.kernel().Lines[0]),
              testing::UnorderedElementsAre("far apart", "not aligned"));
}

TEST(LintedLines, AProblemOfSeveralLinesIsToldOnce) {
  Linted L;
  L.Counted.Lines.push_back(globalLoad("f", 900, 400));
  L.Counted.Lines[1].Line = 9;
  Finding Again = finding("far apart");
  Again.Where.Line = 9;
  Again.About.Name = "v[i].y";
  L.Documents = {
      documentOf({unitOf("a.cu", {"f"}, {finding("far apart"), Again})})};
  const std::string Out = L.text();
  EXPECT_THAT(Out, HasSubstr("linter, global-uncoalesced: far apart;"));
  EXPECT_THAT(Out, HasSubstr("linter, global-uncoalesced: as at line 7\n"));
}

TEST(LintedLines, WhatIsNotShownIsCounted) {
  Linted L;
  // As good as can be, and not shown.
  L.Counted.Lines.push_back(globalLoad("f", 400, 400));
  L.Counted.Lines[1].Line = 9;
  Finding Good = finding("hardly"), Never = finding("never ran");
  Good.Where.Line = 9;
  Good.Check = "a";
  Never.Where.Line = 70;
  Never.Check = "b";
  L.Documents = {
      documentOf({unitOf("a.cu", {"f"}, {finding("far apart"), Good, Never})})};
  EXPECT_THAT(L.text(), HasSubstr("note: 2 of 3 problems that the linter found "
                                  "are about lines that are not shown\n"));
  EXPECT_EQ(L.Report.Found.Gpus[0].Lint->AtMeasured, 2u);
  EXPECT_THAT(L.text(std::nullopt), HasSubstr("note: 1 of 3 problems"));
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {})})};
  EXPECT_THAT(L.text(), HasSubstr("note: the linter found nothing\n"));
}

TEST(LintedLines, NothingMatches) {
  Linted L;
  Finding F = finding("far apart");
  F.Kernel = "h";
  L.Documents = {documentOf({unitOf("a.cu", {"h"}, {F})})};
  EXPECT_THAT(L.text(), HasSubstr("1 of 1 problem that the linter found is"));
  EXPECT_THAT(causesOf(L.kernel().Lines[0]), IsEmpty());
  // For another GPU.
  L.Documents[0].Target = {"a10", "8.6", 72};
  L.find();
  ASSERT_EQ(L.Report.Notes.size(), 1u);
  EXPECT_THAT(L.Report.Notes[0], HasSubstr("the predictions are for a10"));
  EXPECT_FALSE(L.Report.Found.Gpus[0].Lint);
  // Nothing was linted: nothing is said.
  L.Counted.Lines[0].File.clear();
  L.Counted.Lines[0].Line = 0;
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {finding("far apart")})})};
  L.find();
  EXPECT_THAT(causesOf(L.kernel().Lines[0]), IsEmpty());
}

TEST(LintedLines, OfAnotherTextAreNotShown) {
  Linted L;
  L.Counted.Files = {"a.cu"};
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {finding("far apart")})})};
  L.Documents[0].Units[0].Sources = {
      {.File = "a.cu", .Bytes = 900, .Xxh3 = "0000000000000000"}};
  L.Counted.Sources = {{.File = 0, .Bytes = 901, .Modified = 50}};
  const std::string Out = L.text();
  EXPECT_THAT(Out, HasSubstr("was built from a 'a.cu' of 901 bytes"));
  EXPECT_THAT(Out, HasSubstr("(other-sources)"));
  EXPECT_THAT(Out, Not(HasSubstr("linter, global")));
  EXPECT_TRUE(L.Report.Found.Problems.at(0).IsLoss);
}

TEST(LintedLines, LongRemediesAreWhole) {
  Linted L;
  Finding F = finding("neighbouring lanes are 4096 bytes apart, 4 of the 32 "
                      "bytes of each sector are used");
  F.Remedy.Text =
      "swap threadIdx.x and blockDim.x with threadIdx.y and blockDim.y, and "
      "launch blocks of 8x32, in the grid as it is: 144 sectors of a warp "
      "become 48";
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {F})})};
  EXPECT_THAT(
      L.text(),
      HasSubstr("\n   linter, global-uncoalesced: neighbouring lanes are 4096 "
                "bytes apart; swap\n"
                "      threadIdx.x and blockDim.x with threadIdx.y and "
                "blockDim.y, and launch\n"
                "      blocks of 8x32, in the grid as it is\n"));
}

TEST(LintedLines, SampledLinesHaveThemToo) {
  Linted L;
  L.Counted.StallReasons = {"wait"};
  Finding F = finding("a double");
  F.About.Kind = SubjectKind::Literal;
  F.Predicted.reset();
  F.Where.Line = 8;
  L.Documents = {documentOf({unitOf("a.cu", {"f"}, {F})})};
  L.Report.Found = findHotspots({&L.Counted, 1});
  L.Report.Found.Gpus[0].Kernels[0].Stalls.Lines = {
      {.File = "a.cu", .Line = 8, .Sums = {.Samples = 5}}};
  addFindings(L.Documents, merge({&L.Counted, 1}), {}, L.Report.Found);
  EXPECT_EQ(L.kernel().Stalls.Lines[0].Findings.size(), 1u);
}

} // namespace LintedLinesTests
