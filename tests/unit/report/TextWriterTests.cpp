//===- tests/unit/report/TextWriterTests.cpp - Diagnostics for people -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/TextWriter.h"

#include "ContractDocument.h"
#include "report/TerminalText.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <regex>
#include <sstream>

namespace TextWriterTests {

using namespace cudalint;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The file that contractDocument() is about.
static constexpr std::string_view VecSource = "struct vec3d {\n"
                                              "  float x, y, z;\n"
                                              "};\n"
                                              "__global__ void func(vec3d *v, "
                                              "float *f) {\n"
                                              "\n"
                                              "  f[threadIdx.x] = v[0].x;\n"
                                              "}\n";

static std::string text(const Document &Doc, TextOptions Options = {},
                        std::string_view Source = VecSource) {
  return toText(
      std::span(&Doc, 1), Options,
      [Source](const std::string &File) -> std::optional<std::string_view> {
        if (File != "a.cu")
          return std::nullopt;
        return Source;
      });
}

static std::optional<std::string_view> NoSource(const std::string &) {
  return std::nullopt;
}

/// Only the diagnostics.
static std::string brief(const Document &Doc) {
  TextOptions Options;
  Options.ShowSource = false;
  Options.ShowSummary = false;
  return text(Doc, Options);
}

/// The diagnostics with all that is known of them.
static std::string full(const Document &Doc) {
  TextOptions Options;
  Options.ShowSource = false;
  Options.ShowSummary = false;
  Options.ShowAll = true;
  return text(Doc, Options);
}

static Finding makeFinding() {
  Finding F;
  F.Check = "small-grid";
  F.Where = {"a.cu", 6, 3};
  F.What = {"small", "grid of 3 blocks", {}};
  return F;
}

static Document documentWith(std::vector<Finding> Findings) {
  UnitRecord Unit;
  Unit.File = "a.cu";
  Unit.Findings = std::move(Findings);
  return {"0.1.0", {"h200", "9.0", 132}, {std::move(Unit)}};
}

static KernelRecord kernel(std::string Name, std::string Signature,
                           unsigned Line) {
  KernelRecord K;
  K.Name = std::move(Name);
  K.Signature = std::move(Signature);
  K.Where = {"a.cu", Line, 0};
  return K;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

TEST(TextWriter, LooksLikeClang) {
  Document Doc = contractDocument();
  Finding &F = Doc.Units[0].Findings[0];
  F.LanePattern = "01234567012345670123456701234567";
  F.InlinedAt = {{"a.cu", 8, 20}, {"b.cu", 9, 0}};
  EXPECT_EQ(
      text(Doc),
      R"(a.cu:6:17: warning: load of 'data' touches 12 sectors per request, ideal 4; align 'vec3d' to 16 bytes [global-uncoalesced]
    6 |   f[threadIdx.x] = v[0].x;
      |                 ^ wastes 67 % of the sectors of 'func'; 4 times a warp; called at line 8, b.cu:9
      | lanes: 01234567012345670123456701234567
1 warning in 1 file (1 kernel, 1 access predicted)
1 finding: 1 assumed
)");
}

TEST(TextWriter, AllThatIsKnownOnlyWhenAsked) {
  Document Doc = contractDocument();
  Doc.Units[0].Findings[0].InlinedAt = {{"a.cu", 7, 1}, {"b.cu", 9, 0}};
  TextOptions Options;
  Options.ShowAll = true;
  EXPECT_EQ(
      text(Doc, Options),
      R"(a.cu:6:17: warning: load of 'data' touches 12 sectors per request, ideal 4; align 'vec3d' to 16 bytes [global-uncoalesced]
    6 |   f[threadIdx.x] = v[0].x;
      |                 ^ wastes 67 % of the sectors of 'func'; 4 times a warp; called at line 7, b.cu:9
a.cu:6:17: note: load touches 12 sectors per request, ideal 4; align 'vec3d' to 16 bytes
a.cu:6:17: note: assumes data is 256-byte aligned
a.cu:7:1: note: inlined from here
    7 | }
      | ^
b.cu:9: note: inlined from here
a.cu:4: note: in kernel 'func(vec3d *, float *)'
a.cu:1:8: note: align vec3d to 16 bytes: insert '__align__(16) '
    1 | struct vec3d {
      |        ^
1 warning in 1 file (1 kernel, 1 access predicted)
1 finding: 1 assumed
)");
}

TEST(TextWriter, LanesThatAllDoTheSameTellNothing) {
  Document Doc = documentWith({makeFinding()});
  Doc.Units[0].Findings[0].LanePattern = std::string(32, '#');
  EXPECT_THAT(text(Doc), Not(HasSubstr("lanes:")));
  Doc.Units[0].Findings[0].LanePattern[31] = '.';
  EXPECT_THAT(text(Doc), HasSubstr("lanes: ###"));
}

TEST(TextWriter, WrapsAt80ColumnsAsClangDoes) {
  Document Doc = documentWith({makeFinding()});
  Finding &F = Doc.Units[0].Findings[0];
  F.What.Text = "grid of 3 blocks leaves 129 of 132 multiprocessors without "
                "work";
  F.Remedy = {"more", "launch at least 132 blocks", {}};
  TextOptions Options;
  Options.Width = 80;
  Options.ShowSource = false;
  Options.ShowSummary = false;
  EXPECT_EQ(text(Doc, Options),
            "a.cu:6:3: warning: grid of 3 blocks leaves 129 of 132 "
            "multiprocessors without\n"
            "      work; launch at least 132 blocks [small-grid]\n");
}

TEST(TextWriter, ColoursAreClangsAndOnlyOnRequest) {
  Document Doc = documentWith({makeFinding()});
  Doc.Units[0].Findings[0].Trust = Certainty::Assumed;
  Doc.Units[0].Findings[0].Assumptions = {
      {"'n' is large", AssumptionKind::LargeSize, "'n'"}};
  EXPECT_THAT(text(Doc), Not(HasSubstr("\x1b")));
  TextOptions Options;
  Options.UseColour = true;
  Options.ShowSummary = false;
  EXPECT_EQ(text(Doc, Options),
            "\x1b[1ma.cu:6:3: \x1b[0m\x1b[0;1;35mwarning: \x1b[0m"
            "\x1b[1mgrid of 3 blocks [small-grid]\x1b[0m\n"
            "    6 |   f[threadIdx.x] = v[0].x;\n"
            "      |   \x1b[0;1;32m^\x1b[0m assumes 'n' is large\n");
  Doc.Units[0].Findings[0].Level = Severity::Error;
  EXPECT_THAT(text(Doc, Options), HasSubstr("\x1b[0;1;31merror: \x1b[0m"));
}

TEST(TextWriter, SeveralTargetsAreOneReport) {
  std::vector<Document> Docs(2, documentWith({makeFinding()}));
  Docs[1].Target.Name = "t4";
  TextOptions Options;
  EXPECT_EQ(toText(Docs, Options, NoSource),
            "a.cu:6:3: warning: grid of 3 blocks [small-grid]\n"
            "1 warning in 1 file (0 kernels)\n"
            "1 finding: 1 exact\n");
  Docs[0].Units[0].Findings.clear();
  EXPECT_THAT(toText(Docs, Options, NoSource),
              HasSubstr("[small-grid]\n      | only on t4\n"));
  // They may know of different kernels.
  Docs[1].Units[0].Kernels.resize(1);
  EXPECT_THAT(toText(Docs, Options, NoSource), HasSubstr("1 warning in 1 file\n"
                                                         "for h200: 0 kernels\n"
                                                         "for t4: 1 kernel\n"));
  EXPECT_EQ(toText({}, Options, NoSource), "");
}

TEST(TextWriter, NumbersOfTargetsAreToldApart) {
  Finding F = makeFinding();
  F.Predicted = Prediction{"wavefronts_per_request", 8, 1.0};
  std::vector<Document> Docs(2, documentWith({F}));
  Docs[1].Target.Name = "t4";
  Docs[1].Units[0].Findings[0].Predicted->Value = 4;
  TextOptions Options;
  Options.ShowSummary = false;
  EXPECT_EQ(toText(Docs, Options, NoSource),
            "a.cu:6:3: warning: grid of 3 blocks [small-grid]\n"
            "      | 8 on h200, 4 on t4\n");
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

TEST(TextWriter, UnknownPartsOfAPlaceAreLeftOut) {
  Document Doc = documentWith({makeFinding()});
  Location &Where = Doc.Units[0].Findings[0].Where;
  Where = {"a.cu", 6, 0};
  EXPECT_THAT(brief(Doc), StartsWith("a.cu:6: warning: grid"));
  Where = {"a.cu", 0, 0};
  EXPECT_THAT(brief(Doc), StartsWith("a.cu: warning: grid"));
  Where = {"", 0, 0};
  EXPECT_THAT(brief(Doc), StartsWith("cuda-lint: warning: grid"));
}

TEST(TextWriter, AFileThatCannotBeReadIsReportedWithoutItsLine) {
  Document Doc = documentWith({makeFinding()});
  Doc.Units[0].Findings[0].Where.File = "gone.cu";
  Doc.Units[0].Findings[0].LanePattern = "xy";
  EXPECT_EQ(text(Doc), "gone.cu:6:3: warning: grid of 3 blocks [small-grid]\n"
                       "      | lanes: xy\n"
                       "1 warning in 1 file (0 kernels)\n"
                       "1 finding: 1 exact\n");
}

TEST(TextWriter, IncludesComeFirstAndOnlyWhenTheyChange) {
  Finding F = makeFinding();
  F.Where = {"c.h", 3, 5};
  F.IncludedFrom = {{"b.h", 2, 0}, {"a.cu", 1, 0}};
  Finding G = F;
  G.Where.Line = 4;
  EXPECT_THAT(full(documentWith({F, G, makeFinding(), F})),
              StartsWith("a.cu:6:3: warning: grid of 3 blocks [small-grid]\n"
                         "a.cu:6:3: note: grid of 3 blocks\n"
                         "In file included from a.cu:1:\n"
                         "In file included from b.h:2:\n"
                         "c.h:3:5: warning: grid of 3 blocks [small-grid]\n"
                         "c.h:3:5: note: grid of 3 blocks\n"
                         "c.h:4:5: warning: grid of 3 blocks [small-grid]\n"));
  EXPECT_THAT(brief(documentWith({F})), Not(HasSubstr("included")));
}

TEST(TextWriter, EqualCallsAreCounted) {
  Finding F = makeFinding();
  F.InlinedAt = {{"a.cu", 20, 1}};
  F.InlinedAt.insert(F.InlinedAt.end(), 16, {"a.cu", 8, 5});
  F.InlinedAt.push_back({"a.cu", 20, 1});
  EXPECT_THAT(full(documentWith({F})),
              EndsWith("a.cu:6:3: note: grid of 3 blocks\n"
                       "a.cu:20:1: note: inlined from here\n"
                       "a.cu:8:5: note: inlined from here 16 times\n"
                       "a.cu:20:1: note: inlined from here\n"));
  // Two calls tell enough.
  EXPECT_EQ(brief(documentWith({F})),
            "a.cu:6:3: warning: grid of 3 blocks [small-grid]\n"
            "      | called at lines 20, 8\n");
}

TEST(TextWriter, SkippedCallsAreAllCounted) {
  Finding F = makeFinding();
  for (unsigned I = 1; I <= 12; ++I)
    F.InlinedAt.insert(F.InlinedAt.end(), 3, {"a.cu", I, 1});
  F.Where.Line = 99;
  // 12 places are 2 more than are shown: the 7th and the 8th.
  EXPECT_THAT(full(documentWith({F})),
              HasSubstr("a.cu:6:1: note: inlined from here 3 times\n"
                        "a.cu:7:1: note: (skipping 6 inlined calls)\n"
                        "a.cu:9:1: note: inlined from here 3 times\n"));
}

TEST(TextWriter, LongInliningStacksAreCutInTheMiddle) {
  Finding F = makeFinding();
  for (unsigned I = 1; I <= 30; ++I)
    F.InlinedAt.push_back({"a.cu", I, 1});
  std::string Out = full(documentWith({F}));
  EXPECT_THAT(Out, HasSubstr("a.cu:6:1: note: inlined from here\n"
                             "a.cu:7:1: note: (skipping 20 inlined calls)\n"
                             "a.cu:27:1: note: inlined from here\n"));
  EXPECT_THAT(Out, HasSubstr("a.cu:30:1: note: inlined from here\n"));
  EXPECT_THAT(Out, Not(HasSubstr("a.cu:8:1:")));
}

//===----------------------------------------------------------------------===//
// Notes
//===----------------------------------------------------------------------===//

TEST(TextWriter, AssumptionsAreListed) {
  Finding F = makeFinding();
  F.About.Kind = SubjectKind::Load;
  F.Assumptions = {"n > 0",
                   {"'data' is 256-byte aligned", AssumptionKind::Alignment},
                   {"'n' is large", AssumptionKind::LargeSize, "'n'"}};
  EXPECT_THAT(full(documentWith({F})),
              HasSubstr("a.cu:6:3: note: assumes n > 0, 'data' is 256-byte "
                        "aligned and 'n' is large\n"));
  EXPECT_THAT(brief(documentWith({F})),
              HasSubstr("\n      | assumes 'n' is large\n"));
  // What is assumed of a launch is its program's.
  F.About.Kind = SubjectKind::Launch;
  F.Assumptions = {"all blocks take equally long"};
  EXPECT_THAT(brief(documentWith({F})),
              HasSubstr("\n      | assumes all blocks take equally long\n"));
}

TEST(TextWriter, DetailOnlyWhenAsked) {
  Finding F = makeFinding();
  F.Detail = "lane  bank\n   0     0\n\n   1     2\n";
  Document Doc = documentWith({F});
  EXPECT_THAT(text(Doc), Not(HasSubstr("bank")));
  TextOptions Options;
  Options.ShowDetail = true;
  Options.ShowSource = false;
  Options.Width = 12; // tables are not wrapped
  EXPECT_THAT(text(Doc, Options), HasSubstr("      lane  bank\n"
                                            "         0     0\n"
                                            "\n"
                                            "         1     2\n"));
}

TEST(TextWriter, FixesSayWhatTheyEdit) {
  Finding F = makeFinding();
  // Offsets of VecSource: "struct " 7 bytes, then "vec3d".
  F.Fixes = {
      {"rename it",
       FixSafety::Safe,
       {{"a.cu", 7, 5, "v3"}, {"a.cu", 24, 2, ""}}},
      {"use separate arrays", FixSafety::Advice, {}},
      {"edit a lost file", FixSafety::Safe, {{"lost.cu", 3, 2, "a\n\tb"}}}};
  EXPECT_THAT(full(documentWith({F})),
              HasSubstr("a.cu:1:8: note: rename it: replace 'vec3d' with 'v3'\n"
                        "a.cu:2:10: note: also remove ', '\n"
                        "a.cu:6:3: note: use separate arrays\n"
                        "lost.cu: note: edit a lost file: replace 2 bytes with "
                        "'a\\n\\tb'\n"));
  TextOptions Options;
  EXPECT_THAT(text(documentWith({F}), Options), Not(HasSubstr("rename it")));
  Options.ShowAll = true;
  Options.ShowFixes = false;
  EXPECT_THAT(text(documentWith({F}), Options), Not(HasSubstr("rename it")));
}

TEST(TextWriter, LongEditsAreCut) {
  Finding F = makeFinding();
  F.Fixes = {
      {"rewrite", FixSafety::Safe, {{"a.cu", 0, 0, std::string(100000, 'x')}}}};
  EXPECT_THAT(full(documentWith({F})),
              HasSubstr("insert '" + std::string(60, 'x') + "...'\n"));
}

TEST(TextWriter, TheKernelIsNamed) {
  Finding F = makeFinding();
  F.Kernel = "_Z1aPi";
  F.KernelSignature = "a(int *)";
  Finding G = F;
  G.Where.Line = 8;
  G.What.Id = "other";
  G.Kernel = "_Z1bPi"; // known by its record only
  G.KernelSignature.clear();
  Document Doc = documentWith({F, G});
  Doc.Units[0].Kernels = {kernel("_Z1aPi", "a(int *)", 4),
                          kernel("_Z1bPi", "b(int *)", 0)};
  EXPECT_EQ(brief(Doc), "a.cu:6:3: warning: grid of 3 blocks [small-grid]\n"
                        "      | in 'a'\n"
                        "a.cu:8:3: warning: grid of 3 blocks [small-grid]\n"
                        "      | in 'b'\n");
  EXPECT_THAT(full(Doc), HasSubstr("a.cu:4: note: in kernel 'a(int *)'\n"));
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

TEST(TextWriter, InstantiationsAreFolded) {
  std::vector<Finding> Findings(4, makeFinding());
  const char *Names[] = {"f<int>", "f<float>", "f<double>", "g"};
  Document Doc = documentWith({});
  for (unsigned I = 0; I != 4; ++I) {
    Findings[I].Kernel = Findings[I].KernelSignature = Names[I];
    Doc.Units[0].Kernels.push_back(kernel(Names[I], Names[I], I == 3 ? 9 : 4));
  }
  Doc.Units[0].Findings = {Findings[0], Findings[1]};
  EXPECT_EQ(brief(Doc), "a.cu:6:3: warning: grid of 3 blocks [small-grid]\n"
                        "      | in 'f<int>' and 1 more instantiation\n");
  Doc.Units[0].Findings = Findings;
  EXPECT_EQ(brief(Doc), "a.cu:6:3: warning: grid of 3 blocks [small-grid]\n"
                        "      | in 'f<int>' and 2 more instantiations and 1 "
                        "more kernel\n");
  EXPECT_THAT(text(Doc), HasSubstr("\n1 warning in 1 file"));
}

// A file that two others include, one of them as './f.cu', has one kernel.
TEST(TextWriter, AKernelOfAFileOfTwoNamesIsOne) {
  Finding F = makeFinding();
  F.Kernel = F.KernelSignature = "f";
  Document Doc = documentWith({F});
  Doc.Units[0].Kernels = {kernel("f", "f", 4)};
  Doc.Units.push_back(Doc.Units[0]);
  Doc.Units[1].File = "b.cu";
  Doc.Units[1].Findings[0].Where.File = "./a.cu";
  Doc.Units[1].Kernels[0].Where.File = "./a.cu";
  EXPECT_THAT(brief(Doc), HasSubstr("| in 'f'"));
  EXPECT_THAT(brief(Doc), Not(HasSubstr("more")));
}

TEST(TextWriter, CallSitesAreFolded) {
  Finding F = makeFinding();
  F.Kernel = F.KernelSignature = "f";
  EXPECT_EQ(brief(documentWith({F, F, F})),
            "a.cu:6:3: warning: grid of 3 blocks [small-grid]\n"
            "      | in 'f'\n");
  Finding G = F, H = F;
  F.InlinedAt = {{"a.cu", 20, 1}};
  G.InlinedAt = {{"a.cu", 21, 1}};
  H.InlinedAt = {{"a.cu", 22, 1}};
  EXPECT_THAT(full(documentWith({F, G, H})),
              EndsWith("a.cu:20:1: note: inlined from here\n"
                       "a.cu:6:3: note: and from 2 more call sites\n"
                       "a.cu:6:3: note: in kernel 'f'\n"));
}

TEST(TextWriter, AHeaderOfTwoUnitsIsReportedOnce) {
  Document Doc = documentWith({makeFinding()});
  Doc.Units[0].Findings[0].Where.File = "common.h";
  Doc.Units[0].Errors = {{{"common.h", 1, 1}, "unknown type name 'x'"}};
  Doc.Units[0].Status = UnitStatus::Partial;
  Doc.Units.push_back(Doc.Units[0]);
  Doc.Units[1].File = "src/b.cu";
  Doc.Units[1].Findings[0].Where.File = "src/../common.h";
  EXPECT_EQ(text(Doc), "common.h:1:1: error: unknown type name 'x'\n"
                       "\n"
                       "common.h:6:3: warning: grid of 3 blocks [small-grid]\n"
                       "1 error and 1 warning in 2 files (0 kernels); 2 files "
                       "analysed in part\n"
                       "1 finding: 1 exact\n");
}

TEST(TextWriter, DifferentFindingsAreNotFolded) {
  // A change of any of these is a change of what is told or what helps.
  std::function<void(Finding &)> Changes[] = {
      [](Finding &F) { F.Check = "other-check"; },
      [](Finding &F) { F.Level = Severity::Error; },
      [](Finding &F) { F.Where.Line = 7; },
      [](Finding &F) { F.Where.Column = 4; },
      [](Finding &F) { F.What.Text += " of 64 threads"; },
      [](Finding &F) { F.Cause = {"few", "few", {}}; },
      [](Finding &F) { F.Remedy = {"more", "more", {}}; },
      [](Finding &F) { F.Others = 1; },
      [](Finding &F) { F.Trust = Certainty::Random; },
      [](Finding &F) { F.Fixes = {{"launch more", FixSafety::Advice, {}}}; },
  };
  std::vector<Finding> Findings = {makeFinding()};
  for (auto &Change : Changes)
    Change(Findings.emplace_back(makeFinding()));
  EXPECT_THAT(text(documentWith(Findings)),
              HasSubstr("\n1 error and 10 warnings in 1 file"));
}

/// `Text` of the `value` and the `kernel`, in f<1>, f<2>, …; with as many
/// wavefronts as `Values` says.
static Document instantiations(std::initializer_list<double> Values,
                               std::string Text) {
  Document Doc = documentWith({});
  for (const double Value : Values) {
    const std::string Name =
        "f<" + std::to_string(Doc.Units[0].Kernels.size() + 1) + ">";
    Finding F = makeFinding();
    F.Kernel = F.KernelSignature = Name;
    F.About = {SubjectKind::Load, "f"};
    F.What = {"value", Text, {{"value", Value}, {"kernel", Name}}};
    F.Predicted = Prediction{"wavefronts_per_request", Value, 4.0};
    Doc.Units[0].Findings.push_back(F);
    Doc.Units[0].Kernels.push_back(kernel(Name.c_str(), Name.c_str(), 4));
    Doc.Units[0].Kernels.back().Template = "f";
  }
  return Doc;
}

TEST(TextWriter, WhatIsSilencedIsCounted) {
  Document Doc = instantiations({8, 16}, "takes {value} wavefronts");
  EXPECT_THAT(text(Doc), Not(HasSubstr("silenced")));
  UnitRecord &Unit = Doc.Units[0];
  Unit.Silenced = {{Unit.Findings[0], Silencer::Baseline, {}},
                   {Unit.Findings[0], Silencer::Baseline, {}},
                   {Unit.Findings[1], Silencer::Comment, {"a.cu", 6, 9}}};
  Unit.Findings.clear();
  EXPECT_THAT(text(Doc), HasSubstr("no findings in 1 file"));
  EXPECT_THAT(text(Doc), HasSubstr("\nsilenced: 1 finding by comments and 2 "
                                   "findings by the baseline\n"));
}

TEST(TextWriter, NumbersOfInstantiationsAreARange) {
  EXPECT_EQ(brief(instantiations({8, 32, 4.5}, "takes {value} wavefronts")),
            "a.cu:6:3: warning: takes 32 wavefronts [small-grid]\n"
            "      | in 'f<2>' and 2 more instantiations; 4.5 to 32 wavefronts "
            "per request\n");
  // What differs behind the printed digits is no range.
  EXPECT_EQ(brief(instantiations({8.01, 8.02}, "takes 8 wavefronts")),
            "a.cu:6:3: warning: takes 8 wavefronts [small-grid]\n"
            "      | in 'f<2>' and 1 more instantiation\n");
  // Nor is there one of what no request costs.
  Document Grids = instantiations({2, 6}, "grid of {value} blocks");
  for (Finding &F : Grids.Units[0].Findings)
    F.Predicted.reset();
  EXPECT_EQ(brief(Grids), "a.cu:6:3: warning: grid of 2 blocks [small-grid]\n"
                          "      | in 'f<1>' and, some with other numbers, 1 "
                          "more instantiation\n");
  // The name of the kernel is no difference, and is said once.
  EXPECT_EQ(brief(instantiations({8, 8}, "in '{kernel}': {value}")),
            "a.cu:6:3: warning: in 'f<1>': 8 [small-grid]\n"
            "      | in 'f<1>' and 1 more instantiation\n");
}

TEST(TextWriter, TheDearestOfInstantiationsIsTold) {
  Document Doc = instantiations({8, 16}, "takes {value} wavefronts");
  Doc.Units[0].Findings[1].Remedy = {"tile", "use a tile", {}};
  EXPECT_THAT(text(Doc), HasSubstr("takes 16 wavefronts; use a tile"));
  Doc = instantiations({8, 16}, "takes {value} wavefronts");
  for (Finding &F : Doc.Units[0].Findings)
    F.Remedy = {"pad", "pad by {value}", F.What.Values};
  EXPECT_THAT(text(Doc),
              AllOf(HasSubstr("\n1 warning in 1 file"), HasSubstr("pad by 16"),
                    HasSubstr("8 to 16 wavefronts")));
  // Numbers of one kernel are of two places in it.
  Doc = instantiations({8, 16}, "takes {value} wavefronts");
  for (Finding &F : Doc.Units[0].Findings)
    F.Kernel = F.KernelSignature = "g";
  EXPECT_THAT(text(Doc), HasSubstr("\n2 warnings in 1 file"));
}

TEST(TextWriter, AssumptionsOfOneAreToldAsItsOwn) {
  Document Doc = instantiations({8, 4}, "takes {value} wavefronts");
  Doc.Units[0].Findings[0].Assumptions = {"data is aligned", "n is 4"};
  Doc.Units[0].Findings[1].Assumptions = {"data is aligned", "n is 2"};
  EXPECT_THAT(full(Doc), HasSubstr("note: assumes data is aligned and here n "
                                   "is 4\n"));
}

TEST(TextWriter, FoldingBearsNotANumber) {
  Finding F = makeFinding();
  F.Predicted = Prediction{"m", std::nan(""), std::nan("")};
  EXPECT_THAT(text(documentWith({F, F, F})), HasSubstr("\n1 warning in"));
}

//===----------------------------------------------------------------------===//
// Hostile text
//===----------------------------------------------------------------------===//

TEST(TextWriter, NothingCanDriveTheTerminal) {
  // Every string that comes from outside holds an escape sequence, a newline
  // with a forged diagnostic behind it, and a byte that is not UTF-8.
  const std::string Evil = "\x1b]0;owned\x07\r\nx.cu:1:1: error: forged\xff";
  Finding F;
  F.Check = Evil;
  F.Where = {Evil, 1, 1};
  F.Kernel = F.KernelSignature = Evil;
  F.LanePattern = F.Detail = Evil;
  F.What = {Evil, Evil, {{Evil, Evil}}};
  F.Assumptions = {Evil};
  F.Fixes = {{Evil, FixSafety::Safe, {{Evil, 0, 3, Evil}}},
             {Evil, FixSafety::Advice, {}}};
  F.InlinedAt = F.IncludedFrom = {{Evil, 1, 1}};
  Document Doc = documentWith({F});
  Doc.Target.Name = Evil;
  Doc.Units[0].File = Evil;
  Doc.Units[0].Errors = {{{Evil, 1, 1}, Evil}};
  std::vector<Document> Docs(2, Doc);
  for (unsigned Width : {0u, 80u}) {
    TextOptions Options;
    Options.ShowDetail = Options.ShowAll = true;
    Options.Width = Width;
    std::string Out = toText(Docs, Options, [&](const std::string &) {
      return std::string_view(Evil);
    });
    for (char C : Out)
      ASSERT_TRUE(C == '\n' || (C >= ' ' && C < '\x7f')) << Out;
    // Only the first line of Detail and of the file may be split off, and
    // those stand behind an indent or a gutter.
    EXPECT_THAT(Out, Not(HasSubstr("\nx.cu:1:1: error"))) << Out;
  }
}

//===----------------------------------------------------------------------===//
// The summary
//===----------------------------------------------------------------------===//

TEST(TextWriter, TheSummaryCounts) {
  Document Doc = contractDocument();
  UnitRecord &Unit = Doc.Units[0];
  Unit.Kernels.resize(3, kernel("b", "b()", 1));
  AccessRecord Known = Unit.Kernels[0].Accesses[0];
  AccessRecord Unknown = Known;
  Unknown.Trust = Certainty::Unknown;
  AccessRecord Numberless = Known; // a space that has no figure
  Numberless.PerRequest.reset();
  Unknown.Where.Column = 100;
  Numberless.Where.Column = 101;
  // Four instructions each of seven loads and of seven stores.
  Unit.Kernels[0].Accesses.assign(56, Known);
  for (unsigned I = 0; I != 56; ++I) {
    Unit.Kernels[0].Accesses[I].Where.Column = 1 + I % 7;
    Unit.Kernels[0].Accesses[I].Op = I < 28 ? AccessOp::Load : AccessOp::Store;
  }
  // Another instance has them again, and knows less of one of them.
  Unit.Kernels[1].Accesses = {Unit.Kernels[0].Accesses[0], Unknown, Known};
  Unit.Kernels[1].Accesses[2].Where.Column = 100;
  Unit.Kernels[2].Accesses = {Numberless};
  // Where the machine code has it does not make it another.
  Unit.Kernels[2].Accesses.push_back(Unit.Kernels[0].Accesses[0]);
  Unit.Kernels[2].Accesses[1].Written = Unit.Kernels[2].Accesses[1].Where;
  Unit.Kernels[2].Accesses[1].Where.Line += 10;
  Unit.Findings.push_back(makeFinding());
  EXPECT_THAT(text(Doc), EndsWith("\n2 warnings in 1 file (3 kernels, 14 "
                                  "accesses predicted, 2 unknown)\n"
                                  "2 findings: 1 exact, 1 assumed\n"));
  Unit.Findings[0].Level = Severity::Note;
  Unit.Findings[1].Level = Severity::Error;
  EXPECT_THAT(text(Doc), HasSubstr("\n1 error and 1 note in 1 file"));
}

TEST(TextWriter, TheSummaryNamesWhatWasNotAnalysed) {
  Document Doc = documentWith({});
  Doc.Units.push_back({.File = "b.cu",
                       .Status = UnitStatus::Failed,
                       .Errors = {{{"b.cu", 0, 0}, "no such file"}},
                       .Kernels = {},
                       .Findings = {}});
  EXPECT_EQ(text(Doc), "b.cu: error: no such file\n"
                       "\n"
                       "1 error in 2 files (0 kernels); 1 file could not be "
                       "analysed\n");
  // Clang has shown the errors already: they still count.
  TextOptions Options;
  Options.ShowErrors = false;
  EXPECT_EQ(text(Doc, Options), "1 error in 2 files (0 kernels); 1 file could "
                                "not be analysed\n");
}

TEST(TextWriter, ManyFindingsInAGeneratedFileAreQuick) {
  std::string Source;
  for (int I = 0; I != 20000; ++I)
    Source += "  a[threadIdx.x] = b[threadIdx.x];\n";
  std::vector<Finding> Findings(20000, makeFinding());
  for (unsigned I = 0; I != Findings.size(); ++I)
    Findings[I].Where.Line = I + 1;
  EXPECT_THAT(text(documentWith(Findings), {}, Source),
              HasSubstr("\n20000 warnings in 1 file"));
}

//===----------------------------------------------------------------------===//
// Kernels of one name in several files
//===----------------------------------------------------------------------===//

static UnitRecord unitWithKernel(const std::string &File, unsigned Line) {
  Finding F = makeFinding();
  F.Where = {File, Line + 1, 3};
  F.What.Text += " in " + File;
  F.Kernel = "_ZL1kPf";
  F.KernelSignature = "k(float *)";
  KernelRecord K = kernel("_ZL1kPf", "k(float *)", Line);
  K.Where.File = File;
  UnitRecord Unit;
  Unit.File = File;
  Unit.Findings = {F};
  Unit.Kernels = {K};
  return Unit;
}

TEST(TextWriter, KernelsOfOneNameAreToldApartByTheirFiles) {
  Document Doc = {"0.1.0",
                  {"h200", "9.0", 132},
                  {unitWithKernel("a.cu", 4), unitWithKernel("b.cu", 7)}};
  EXPECT_EQ(brief(Doc),
            "a.cu:5:3: warning: grid of 3 blocks in a.cu [small-grid]\n"
            "      | in 'k'\n"
            "b.cu:8:3: warning: grid of 3 blocks in b.cu [small-grid]\n"
            "      | in 'k'\n");
}

TEST(TextWriter, OneFindingInKernelsOfOneNameIsInTwoKernels) {
  Document Doc = {"0.1.0",
                  {"h200", "9.0", 132},
                  {unitWithKernel("a.cu", 4), unitWithKernel("b.cu", 7)}};
  for (UnitRecord &Unit : Doc.Units)
    Unit.Findings[0].Where = {"c.cuh", 2, 1}, Unit.Findings[0].What.Text = "it";
  EXPECT_EQ(brief(Doc), "c.cuh:2:1: warning: it [small-grid]\n"
                        "      | in 'k' and 1 more kernel\n");
}

//===----------------------------------------------------------------------===//
// The order, and how much is shown
//===----------------------------------------------------------------------===//

/// One warning for each line, in files and with shares as given.
static Document
withShares(std::initializer_list<std::pair<const char *, double>> Shares) {
  Document Doc = documentWith({});
  for (const auto &[File, Share] : Shares) {
    Finding F = makeFinding();
    F.Where.File = File;
    F.Wasted = Waste{.Unit = "sectors", .OfKernel = Share};
    Doc.Units[0].Findings.push_back(F);
  }
  return Doc;
}

TEST(TextWriter, BeginsWithTheThreeDearestOfMoreThanThree) {
  const Document Doc = withShares(
      {{"k1.cu", 0.1}, {"k2.cu", 0.2}, {"k10.cu", 0.2}, {"d.cu", 0.4}});
  EXPECT_THAT(text(Doc), StartsWith("Where to begin:\n"
                                    "  1. d.cu:6: 40 %: grid of 3 blocks\n"
                                    "  2. k2.cu:6: 20 %: grid of 3 blocks\n"
                                    "  3. k10.cu:6: 20 %: grid of 3 blocks\n"
                                    "\n"
                                    "d.cu:6:3: warning: "));
  EXPECT_THAT(text(withShares({{"k1.cu", 0.1}, {"k2.cu", 0.2}, {"d.cu", 0.4}})),
              StartsWith("d.cu:6:3: warning: "));
  TextOptions Quiet;
  Quiet.ShowSummary = false;
  EXPECT_THAT(text(Doc, Quiet), StartsWith("d.cu:6:3: warning: "));
}

// Whatever others waste: what a race leaves may be wrong.
TEST(TextWriter, FaultsComeFirst) {
  Document Doc =
      withShares({{"a.cu", 0.1}, {"b.cu", 0.2}, {"c.cu", 0.9}, {"d.cu", 0.4}});
  Finding &Race = Doc.Units[0].Findings[0];
  Race.Wasted.reset();
  Race.What = {"race", "two threads race", {}};
  const std::string Out = text(Doc);
  EXPECT_THAT(Out, StartsWith("Where to begin:\n"
                              "  1. a.cu:6: two threads race\n"
                              "  2. c.cu:6: 90 %: "));
  EXPECT_THAT(Out, HasSubstr("\n\na.cu:6:3: warning: two threads race"));
}

// A stride that may be any, and is 1 nearly always, is no news.
TEST(TextWriter, GeneralStridesAreShownWhenAsked) {
  Document Doc = withShares({{"a.cu", 0.5}, {"b.cu", 0.5}});
  Finding &F = Doc.Units[0].Findings[1];
  F.Wasted.reset();
  F.Predicted.reset();
  F.Effect.reset();
  F.Level = Severity::Note;
  F.What = {"traffic-of-general-stride", "up to 32 sectors", {}};
  EXPECT_THAT(text(Doc), AllOf(Not(HasSubstr("b.cu:")),
                               HasSubstr("1 note of less than 10 %")));
  TextOptions All;
  All.ShowAll = true;
  EXPECT_THAT(text(Doc, All), HasSubstr("b.cu:6:3: note: up to 32 sectors"));
}

// A header offers kernels that not all need who include it.
TEST(TextWriter, NotesOfHeadersThatNothingUsesAreShownWhenAsked) {
  Document Doc = withShares({{"a.h", 0.5}});
  Finding &F = Doc.Units[0].Findings[0];
  F.Level = Severity::Note;
  F.Kernel = "k";
  F.IncludedFrom = {{"a.cu", 1, 1}};
  EXPECT_THAT(text(Doc), Not(HasSubstr("a.h:6:3:")));
  TextOptions All;
  All.ShowAll = true;
  EXPECT_THAT(text(Doc, All), HasSubstr("a.h:6:3: note"));
  // A guess is no launch, another file's is one.
  Doc.Units.emplace_back().Kernels.push_back(kernel("k", "k()", 1));
  LaunchRecord &L = Doc.Units.back().Kernels.back().Launches.emplace_back();
  L.Source = LaunchSource::Assumed;
  EXPECT_THAT(text(Doc), Not(HasSubstr("a.h:6:3:")));
  L.Source = LaunchSource::Launch;
  EXPECT_THAT(text(Doc), HasSubstr("a.h:6:3: note"));
  // Nor is it left out where it is asked for by name, or is no note.
  L.Source = LaunchSource::Assumed;
  Doc.Units[0].Findings[0].Level = Severity::Warning;
  EXPECT_THAT(text(Doc), HasSubstr("a.h:6:3: warning"));
  Doc.Units[0].Findings[0].Level = Severity::Note;
  Doc.Units[0].Findings[0].IncludedFrom.clear();
  EXPECT_THAT(text(Doc), HasSubstr("a.h:6:3: note"));
}

TEST(TextWriter, FilesAreInNaturalOrder) {
  TextOptions Options;
  Options.Sort = FindingOrder::Line;
  Options.ShowSummary = false;
  const std::string Out =
      text(withShares({{"k10.cu", 0.9}, {"k2.cu", 0.1}}), Options);
  EXPECT_LT(Out.find("k2.cu"), Out.find("k10.cu"));
}

TEST(TextWriter, ShowsTheDearestAndHowManyMoreThereAre) {
  TextOptions Options;
  Options.MaxFindings = 1;
  EXPECT_EQ(
      text(withShares({{"a.h", 0.1}, {"b.h", 0.9}, {"c.h", 0.2}}), Options),
      "b.h:6:3: warning: grid of 3 blocks [small-grid]\n"
      "      | wastes 90 % of the sectors\n"
      "2 more problems not shown; --max-findings=3 shows all\n"
      "3 warnings in 1 file (0 kernels)\n"
      "3 findings: 3 exact\n");
  Options.MaxFindings = 3;
  EXPECT_THAT(
      text(withShares({{"a.h", 0.1}, {"b.h", 0.9}, {"c.h", 0.2}}), Options),
      Not(HasSubstr("not shown")));
}

TEST(TextWriter, ChecksThatDidNotRunAreNamedByWhatTheyNeed) {
  Document Doc = documentWith({});
  Doc.Skipped = {{"register-spill", true, "needs nvcc"},
                 {"small-grid", false, "needs a product"},
                 {"tail-wave", false, "needs a product"}};
  EXPECT_EQ(text(Doc), "no findings in 1 file (0 kernels)\n"
                       "not looked for: small-grid and tail-wave (needs a "
                       "product)\n"
                       "looked for in part: register-spill (needs nvcc)\n");
}

//===----------------------------------------------------------------------===//
// 80 columns
//===----------------------------------------------------------------------===//

/// Lines of \p Text that are wider than \p Width, without colours.
static std::vector<std::string> wideLines(const std::string &Text,
                                          unsigned Width) {
  std::vector<std::string> Wide;
  std::istringstream In(
      std::regex_replace(Text, std::regex("\x1b\\[[0-9;]*m"), std::string()));
  for (std::string Line; std::getline(In, Line);)
    if (columnsOf(Line) > Width)
      Wide.push_back(Line);
  return Wide;
}

TEST(TextWriter, NothingIsWiderThanTheTerminal) {
  Document Doc = contractDocument();
  const Finding Example = Doc.Units[0].Findings[0];
  Doc.Units[0].Kernels[0].Signature = std::string(300, 'k') + "<int>(float *)";
  for (unsigned I = 0; I != 5; ++I) {
    Finding F = Example;
    F.KernelSignature = Doc.Units[0].Kernels[0].Signature;
    F.Where.Line = 6 + I;
    F.What.Id += std::to_string(I);
    F.About.Object = std::string(300, 'a');
    // Two columns for each character.
    F.Remedy = {"wide", "\u7248\u672c \u7248\u672c for 'x', and more", {}};
    F.Assumptions = {
        {"'" + std::string(20, 'n') + "' is large", AssumptionKind::LargeSize},
        "the block is 256 threads wide"};
    Doc.Units[0].Findings.push_back(F);
  }
  for (const bool Colour : {false, true}) {
    TextOptions Options;
    Options.Width = 80;
    Options.UseColour = Colour;
    EXPECT_THAT(wideLines(text(Doc, Options), 80), testing::IsEmpty());
    Options.ShowSource = false;
    EXPECT_THAT(wideLines(text(Doc, Options), 80), testing::IsEmpty());
  }
}

TEST(TextWriter, ALabelThatIsTooLongGoesOnBelow) {
  Document Doc = contractDocument();
  Doc.Units[0].Findings[0].Assumptions = {
      {"'first' is large", AssumptionKind::LargeSize, "'first'"},
      {"'second' is large", AssumptionKind::LargeSize, "'second'"}};
  TextOptions Options;
  Options.Width = 60;
  Options.ShowSummary = false;
  EXPECT_EQ(text(Doc, Options),
            "a.cu:6:17: warning: load of 'data' touches 12 sectors, ideal\n"
            "      4; align 'vec3d' to 16 bytes [global-uncoalesced]\n"
            "    6 |   f[threadIdx.x] = v[0].x;\n"
            "      |                 ^\n"
            "      | wastes up to 67 % of the sectors of 'func'; 4 times\n"
            "      | a warp; called at line 20; assumes 'first' is large\n"
            "      | and 'second' is large\n");
  // Behind the caret where all of it has room.
  Options.Width = 160;
  EXPECT_THAT(text(Doc, Options),
              HasSubstr("^ wastes up to 67 % of the sector"));
}

} // namespace TextWriterTests
