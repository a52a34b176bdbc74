//===- tests/unit/report/NoLintTests.cpp - Comments that silence ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/NoLint.h"

#include "report/NoLintReader.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace NoLintTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static Finding findingAt(std::string File, unsigned Line, unsigned Column,
                         std::string Check = "tail-wave") {
  Finding F;
  F.Check = std::move(Check);
  F.Where = {std::move(File), Line, Column};
  F.Group = 3;
  return F;
}

namespace {
/// Files, and findings in them for one target.
struct LintRun {
  std::map<std::string, std::string> Files;
  std::vector<Document> Documents;
  std::vector<NoLintRemark> Remarks;
  std::map<std::string, unsigned> Asked;

  explicit LintRun(std::map<std::string, std::string> Files)
      : Files(std::move(Files)), Documents(1) {
    for (const char *Check : {"hot-atomic", "small-grid", "tail-wave"})
      Documents[0].Rules.push_back({.Name = Check});
    Documents[0].Units.push_back({.File = "a.cu"});
  }
  explicit LintRun(std::string Text)
      : LintRun(std::map<std::string, std::string>{{"a.cu", std::move(Text)}}) {
  }

  LintRun &add(Finding F) {
    Documents[0].Units[0].Findings.push_back(std::move(F));
    return *this;
  }
  LintRun &at(unsigned Line, unsigned Column, std::string Check = "tail-wave") {
    return add(findingAt("a.cu", Line, Column, std::move(Check)));
  }

  LintRun &silence(std::vector<std::string> Judged = {"a.cu"}) {
    NoLintOptions Options;
    Options.Checks = {"hot-atomic", "small-grid", "tail-wave"};
    Options.Nearest = [](std::string_view Word) {
      return Word == "tail-wav" ? "tail-wave" : "";
    };
    Options.Files = std::move(Judged);
    const SourceText Source =
        [this](const std::string &File) -> std::optional<std::string_view> {
      ++Asked[File];
      const auto Found = Files.find(File);
      return Found == Files.end() ? std::optional<std::string_view>()
                                  : Found->second;
    };
    Remarks = silenceByComments(Documents, Source, Options);
    return *this;
  }

  /// `2:1 tail-wave`, of those that are still told.
  std::vector<std::string> told() const {
    std::vector<std::string> Out;
    for (const Finding &F : Documents[0].Units[0].Findings)
      Out.push_back(std::to_string(F.Where.Line) + ":" +
                    std::to_string(F.Where.Column) + " " + F.Check);
    return Out;
  }
  /// `2:1` of the comment for each that is not.
  std::vector<std::string> comments() const {
    std::vector<std::string> Out;
    for (const SilencedFinding &Each : Documents[0].Units[0].Silenced)
      Out.push_back(std::to_string(Each.Where.Line) + ":" +
                    std::to_string(Each.Where.Column));
    return Out;
  }
  /// `2:1 message`
  std::vector<std::string> remarks() const {
    std::vector<std::string> Out;
    for (const NoLintRemark &Each : Remarks)
      Out.push_back(std::to_string(Each.Where.Line) + ":" +
                    std::to_string(Each.Where.Column) + " " + Each.Message);
    return Out;
  }
};

struct Snippet {
  const char *Name;
  std::string Text;
  /// Lines with a finding in column 12, and those where it is still told.
  std::vector<unsigned> Found, Told;
};
} // namespace

// The text of a finding; clang-tidy's was in column 12, too.
#define CODE "struct A { A(int); };"

/// What clang-tidy 22.1.8 said of google-explicit-constructor in each of these,
/// with that name in place of ours.
static std::vector<Snippet> asClangTidyReadsThem() {
  using namespace std::string_literals;
  return {
      {"plain", CODE " // NOLINT\n", {1}, {}},
      {"list", CODE " // NOLINT(cuda-lint-tail-wave)\n", {1}, {}},
      {"glob", CODE " // NOLINT(cuda-lint-*)\n", {1}, {}},
      {"glob with two stars", CODE " // NOLINT(*tail*)\n", {1}, {}},
      {"star", CODE " // NOLINT(*)\n", {1}, {}},
      {"another check", CODE " // NOLINT(bugprone-x)\n", {1}, {1}},
      {"part of a name", CODE " // NOLINT(cuda-lint-tail)\n", {1}, {1}},
      {"two", CODE " // NOLINT(bugprone-x, cuda-lint-tail-wave)\n", {1}, {}},
      {"blanks",
       CODE " // NOLINT(  bugprone-x ,\tcuda-lint-tail-wave  )\n",
       {1},
       {}},
      {"other blanks", CODE " // NOLINT(\vcuda-lint-tail-wave\f)\n", {1}, {}},
      {"minus is skipped", CODE " // NOLINT(*,-cuda-lint-*)\n", {1}, {}},
      {"minus alone", CODE " // NOLINT(-cuda-lint-tail-wave)\n", {1}, {1}},
      {"empty list", CODE " // NOLINT()\n", {1}, {1}},
      {"blank list", CODE " // NOLINT( )\n", {1}, {1}},
      {"blank before the list", CODE " // NOLINT (bugprone-x)\n", {1}, {}},
      {"list not closed", CODE " // NOLINT(bugprone-x\n", {1}, {}},
      {"list over lines", CODE " // NOLINT(bugprone-x,\n// y)\n", {1}, {}},
      {"another word", CODE " // NOLINTFOO\n", {1}, {1}},
      {"lower case", CODE " // nolint\n", {1}, {1}},
      {"a letter follows", CODE " // NOLINTs\n", {1}, {1}},
      {"no letter follows", CODE " // NOLINT_X\n", {1}, {}},
      {"a digit follows", CODE " // NOLINT1\n", {1}, {}},
      {"a letter before", CODE " // xNOLINT\n", {1}, {}},
      {"colon", CODE " // NOLINT: because\n", {1}, {}},
      {"two lists",
       CODE " // NOLINT(bugprone-x) NOLINT(cuda-lint-*)\n",
       {1},
       {}},
      {"in its own list", CODE " // NOLINT(NOLINT)\n", {1}, {1}},
      {"in a list that is none", CODE " // NOLINT(a NOLINT\n", {1}, {}},
      {"brackets in a list", CODE " // NOLINT((bugprone-x))\n", {1}, {1}},
      {"case of a name", CODE " // NOLINT(Cuda-lint-tail-wave)\n", {1}, {1}},
      {"question mark", CODE " // NOLINT(cuda-lint-tail-wav?)\n", {1}, {1}},
      {"string literal",
       "struct A { A(int); const char *T = \"NOLINT\"; };\n",
       {1},
       {}},
      {"raw string over lines",
       "const char *T = R\"(\nNOLINTNEXTLINE\n)\"; struct A { A(int); };\n",
       {3},
       {}},
      {"identifier", "struct NOLINT { NOLINT(int); };\n", {1}, {}},
      {"block comment", CODE " /* NOLINT */\n", {1}, {}},
      {"block comment over lines", CODE " /*\n NOLINT */\n", {1}, {1}},
      {"comment goes on", CODE " // x \\\nNOLINT\n", {1}, {1}},
      {"line goes on", "struct A { A\\\n(int); }; // NOLINT\n", {1}, {1}},
      {"before it", "/*NOLINT*/ " CODE "\n", {1}, {}},
      {"next line", "// NOLINTNEXTLINE\n" CODE "\n", {2}, {}},
      {"next line, in its own", CODE " // NOLINTNEXTLINE\n", {1}, {1}},
      {"next line but one", "// NOLINTNEXTLINE\n\n" CODE "\n", {3}, {3}},
      {"next line of two",
       "// NOLINTNEXTLINE(bugprone-x)\n// NOLINTNEXTLINE\n" CODE "\n",
       {3},
       {}},
      {"next line, first of two",
       "// NOLINTNEXTLINE\n// NOLINTNEXTLINE(bugprone-x)\n" CODE "\n",
       {3},
       {3}},
      {"next line is none", CODE "\n// NOLINTNEXTLINE", {1}, {1}},
      {"next line goes on", "// NOLINTNEXTLINE \\\n\n" CODE "\n", {3}, {3}},
      {"in the line before", "// NOLINT\n" CODE "\n", {2}, {2}},
      {"block", "// NOLINTBEGIN\n" CODE "\n// NOLINTEND\n", {2}, {}},
      {"block with blanks",
       "// NOLINTBEGIN( cuda-lint-tail-wave )\n" CODE
       "\n// NOLINTEND(cuda-lint-tail-wave)\n",
       {2},
       {}},
      {"block of another list",
       "// NOLINTBEGIN\n" CODE "\n// NOLINTEND(*)\n",
       {2},
       {2}},
      {"block of a list in another order",
       "// NOLINTBEGIN(a,cuda-lint-*)\n" CODE "\n// NOLINTEND(cuda-lint-*,a)\n",
       {2},
       {2}},
      {"block of an empty list",
       "// NOLINTBEGIN()\n" CODE "\n// NOLINTEND\n",
       {2},
       {2}},
      {"block not closed", "// NOLINTBEGIN\n" CODE "\n", {2}, {2}},
      {"end alone", CODE "\n// NOLINTEND\n", {1}, {1}},
      {"block in a block",
       "// NOLINTBEGIN(a)\n// NOLINTBEGIN(*)\n" CODE
       "\n// NOLINTEND(*)\n// NOLINTEND(a)\n" CODE "\n",
       {3, 6},
       {6}},
      {"blocks crossed",
       "// NOLINTBEGIN(a)\n// NOLINTBEGIN(*)\n" CODE
       "\n// NOLINTEND(a)\n// NOLINTEND(*)\n" CODE "\n",
       {3, 6},
       {6}},
      {"block in the same",
       "// NOLINTBEGIN\n// NOLINTBEGIN\n" CODE "\n// NOLINTEND\n" CODE
       "\n// NOLINTEND\n",
       {3, 5},
       {}},
      {"CRLF", CODE " // NOLINT\r\n" CODE "\r\n", {1, 2}, {2}},
      {"CRLF, next line",
       "// NOLINTNEXTLINE\r\n" CODE "\r\n" CODE "\r\n",
       {2, 3},
       {3}},
      {"CRLF, not closed", CODE " // NOLINT(bugprone-x\r\n", {1}, {}},
      // For Clang these are lines, for clang-tidy they are not.
      {"CR, next line",
       "// NOLINTNEXTLINE\r" CODE "\r" CODE "\r",
       {2, 3},
       {2, 3}},
      {"CR", CODE "\r" CODE " // NOLINT\r", {1, 2}, {}},
      {"byte order mark", "\xef\xbb\xbf" CODE " // NOLINT\n", {1}, {}},
      {"byte order mark, next line",
       "\xef\xbb\xbf// NOLINTNEXTLINE\n" CODE "\n",
       {2},
       {}},
      {"Latin-1 in a list", CODE " // \xe9\xff NOLINT(\xe9)\n", {1}, {1}},
      {"Latin-1 follows", CODE " // NOLINT\xe9\n", {1}, {}},
      {"NUL", CODE " // \0 NOLINT\n"s, {1}, {}},
  };
}

TEST(NoLint, ReadsWhatClangTidyReads) {
  for (const Snippet &Each : asClangTidyReadsThem()) {
    LintRun Of(Each.Text);
    std::vector<std::string> Told;
    for (const unsigned Line : Each.Found)
      Of.at(Line, 12);
    for (const unsigned Line : Each.Told)
      Told.push_back(std::to_string(Line) + ":12 tail-wave");
    EXPECT_EQ(Of.silence().told(), Told) << Each.Name;
  }
}

TEST(NoLint, BlocksBeginAndEndWithinALine) {
  // Of clang-tidy, too.
  LintRun Of("/* NOLINTBEGIN */ " CODE " /* NOLINTEND */ " CODE "\n");
  EXPECT_THAT(Of.at(1, 30).at(1, 68).silence().told(),
              ElementsAre("1:68 tail-wave"));
  LintRun Turned("/* NOLINTEND */ " CODE " /* NOLINTBEGIN */\n");
  EXPECT_THAT(Turned.at(1, 28).silence().told(), ElementsAre("1:28 tail-wave"));
}

TEST(NoLint, TellsWhichCommentItWas) {
  LintRun Of("// NOLINTBEGIN\n"
             "// NOLINTBEGIN(cuda-lint-tail-wave)\n"
             "x; x;\n"
             "// NOLINTNEXTLINE\n"
             "x; // NOLINT(a) NOLINT(*)\n"
             "// NOLINTEND(cuda-lint-tail-wave)\n"
             "x;\n"
             "// NOLINTEND\n");
  Of.at(3, 1).at(3, 4, "hot-atomic").at(5, 1).at(7, 1).silence();
  EXPECT_THAT(Of.told(), IsEmpty());
  EXPECT_THAT(Of.comments(), ElementsAre("2:4", "1:4", "5:17", "1:4"));
  const SilencedFinding &First = Of.Documents[0].Units[0].Silenced[0];
  EXPECT_EQ(First.By, Silencer::Comment);
  EXPECT_EQ(First.Where.File, "a.cu");
  EXPECT_EQ(First.What.Group, 0u);
  EXPECT_EQ(First.What.Where.Line, 3u);
}

TEST(NoLint, WhatStaysKeepsItsOrder) {
  LintRun Of("x; // NOLINT\nx\nx; // NOLINT\nx\n");
  Of.at(1, 1).at(2, 1).at(3, 1).at(4, 1).silence();
  EXPECT_THAT(Of.told(), ElementsAre("2:1 tail-wave", "4:1 tail-wave"));
}

TEST(NoLint, AnErrorIsSilencedToo) {
  LintRun Of("f<<<1, 2048>>>(); // NOLINT(cuda-lint-*)\n");
  Finding F = findingAt("a.cu", 1, 1);
  F.Level = Severity::Error;
  EXPECT_THAT(Of.add(F).silence().told(), IsEmpty());
}

TEST(NoLint, TheBareNameOfACheckIsNone) {
  LintRun Of("x; // NOLINT(tail-wave)\n");
  EXPECT_THAT(Of.at(1, 1).silence().told(), ElementsAre("1:1 tail-wave"));
  EXPECT_THAT(Of.remarks(),
              ElementsAre("1:14 no check is called 'tail-wave'; did you mean "
                          "'cuda-lint-tail-wave'?"));
}

TEST(NoLint, PlacesThatTheTextDoesNotHave) {
  LintRun Of("x; // NOLINT\n");
  Of.at(0, 0).at(99, 1).add(findingAt("none.cu", 1, 1));
  EXPECT_EQ(Of.silence().told().size(), 3u);
  // The column is nobody's, but the line is there.
  LintRun Wide("x; // NOLINT\n");
  EXPECT_THAT(Wide.at(1, 0).at(1, 500).silence().told(), IsEmpty());
}

//===----------------------------------------------------------------------===//
// Macros
//===----------------------------------------------------------------------===//

static Finding inMacro(unsigned Line, std::vector<MacroUse> Macros) {
  Finding F = findingAt("a.cu", Line, 1);
  F.Macros = std::move(Macros);
  return F;
}

TEST(NoLint, WhereAMacroIsUsedOrDefined) {
  const std::vector<MacroUse> M = {{"M", {"a.cu", 1, 9}}};
  const auto Told = [&](std::string Text, unsigned Line) {
    LintRun Of(std::move(Text));
    return Of.add(inMacro(Line, M)).silence().told().size();
  };
  EXPECT_EQ(Told("#define M() x\nM()\n", 2), 1u);
  EXPECT_EQ(Told("#define M() x // NOLINT\nM()\n", 2), 0u);
  EXPECT_EQ(Told("#define M() x\nM() // NOLINT\n", 2), 0u);
  EXPECT_EQ(Told("#define M() x // NOLINT(bugprone-x)\nM()\n", 2), 1u);
  EXPECT_EQ(Told("#define M() \\\n x /* NOLINT */ \\\n\nM()\n", 4), 0u);
  EXPECT_EQ(Told("#define M() x\n// NOLINT\nM()\n", 3), 1u);
  // More than clang-tidy does, which knows the line.
  EXPECT_EQ(Told("#define M() \\ \r\n x \\\r\n y // NOLINT\r\nM()\r\n", 4), 0u);
  EXPECT_EQ(Told("#define M() x \\", 1), 1u);
}

TEST(NoLint, BlocksAndLinesBeforeTheDefinition) {
  const std::vector<MacroUse> M = {{"M", {"a.cu", 2, 9}}};
  LintRun Next("// NOLINTNEXTLINE\n#define M() x\nM()\n");
  EXPECT_THAT(Next.add(inMacro(3, M)).silence().comments(), ElementsAre("1:4"));
  LintRun Block("// NOLINTBEGIN\n#define M() x\n// NOLINTEND\nM()\n");
  EXPECT_THAT(Block.add(inMacro(4, M)).silence().comments(),
              ElementsAre("1:4"));
}

TEST(NoLint, OuterAndInnerMacrosOfOtherFiles) {
  const std::vector<MacroUse> Both = {{"I", {"i.h", 1, 9}},
                                      {"M", {"m.h", 1, 9}}};
  for (const char *Silent : {"i.h", "m.h"}) {
    LintRun Of({{"a.cu", "M()\n"},
                {"i.h", "#define I() x \n"},
                {"m.h", "#define M() I() \n"}});
    Of.Files[Silent].insert(Of.Files[Silent].size() - 1, "// NOLINT");
    Of.add(inMacro(1, Both)).silence();
    ASSERT_EQ(Of.comments().size(), 1u) << Silent;
    EXPECT_EQ(Of.Documents[0].Units[0].Silenced[0].Where.File, Silent);
  }
}

TEST(NoLint, AMacroBesideThePlaceIsAnotherMatter) {
  // The finding is at the `t` of `t[N]`; who silences a check of macros means
  // the macro.
  LintRun Of("#define N 32 // NOLINT\nt[N] = 1;\n");
  Finding F = inMacro(2, {{"N", {"a.cu", 1, 9}}});
  EXPECT_EQ(Of.add(F).silence().told().size(), 1u);
  // `NN` is no `N`.
  LintRun Longer("#define N 32 // NOLINT\nNN = 1;\n");
  EXPECT_EQ(Longer.add(F).silence().told().size(), 1u);
}

TEST(NoLint, MacrosOfNoFile) {
  LintRun Of("M() \n");
  EXPECT_EQ(Of.add(inMacro(1, {{"M", {}}})).silence().told().size(), 1u);
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

TEST(NoLintRemarks, BlocksThatConcernUs) {
  LintRun Of("// NOLINTBEGIN(bugprone-x)\n"
             "// NOLINTEND(bugprone-y)\n"
             "// NOLINTBEGIN(cuda-lint-tail-wave)\n"
             "// NOLINTBEGIN(misc-x)\n"
             "// NOLINTEND(cuda-lint-tail-wave)\n");
  EXPECT_THAT(
      Of.silence().remarks(),
      ElementsAre("3:4 'NOLINTBEGIN(cuda-lint-tail-wave)' silences nothing: no "
                  "NOLINTEND with the same list follows",
                  "5:4 'NOLINTEND(cuda-lint-tail-wave)' ends nothing: what is "
                  "open is 'NOLINTBEGIN(misc-x)' of line 4"));
  EXPECT_EQ(Of.Remarks[0].Fault, NoLintFault::LoneBegin);
  EXPECT_EQ(Of.Remarks[1].Fault, NoLintFault::LoneEnd);
  EXPECT_EQ(Of.Remarks[0].Where.File, "a.cu");
}

TEST(NoLintRemarks, BlocksOfAllChecks) {
  EXPECT_THAT(LintRun("// NOLINTEND\nx;\n// NOLINTBEGIN\n").silence().remarks(),
              ElementsAre("1:4 'NOLINTEND' ends nothing: no NOLINTBEGIN is "
                          "open",
                          HasSubstr("3:4 'NOLINTBEGIN' silences nothing")));
  // A file that has a finding is told of, too; another one is not.
  LintRun Found("x;\n// NOLINTBEGIN\n");
  EXPECT_EQ(Found.at(1, 1).silence({}).remarks().size(), 1u);
  EXPECT_THAT(LintRun("// NOLINTBEGIN\n").silence({}).remarks(), IsEmpty());
}

TEST(NoLintRemarks, NamesThatSilenceNothing) {
  LintRun Of("x; // NOLINT(cuda-lint-tail-wave, cuda-lint-hot-atomic)\n"
             "y; // NOLINT(cuda-lint-*, bugprone-x, *)\n"
             "z; // NOLINT\n"
             "// NOLINTNEXTLINE(cuda-lint-tail-wave)\n"
             "// NOLINTBEGIN(cuda-lint-small-grid)\n"
             "// NOLINTEND(cuda-lint-small-grid)\n"
             "// NOLINTNEXTLINE(cuda-lint-small-grid)");
  EXPECT_THAT(
      Of.at(1, 1).silence().remarks(),
      ElementsAre("1:35 'cuda-lint-hot-atomic' silences nothing here; remove "
                  "it",
                  HasSubstr("2:14 'cuda-lint-*' silences"),
                  HasSubstr("4:19 'cuda-lint-tail-wave' silences"),
                  HasSubstr("5:16 'cuda-lint-small-grid' silences"),
                  HasSubstr("7:19 'cuda-lint-small-grid' silences")));
  EXPECT_EQ(Of.Remarks[0].Fault, NoLintFault::Unused);
}

TEST(NoLintRemarks, AllThatCoverAFindingAreUsed) {
  LintRun Of("// NOLINTBEGIN(cuda-lint-*)\n"
             "#define M() x // NOLINT(cuda-lint-tail-wave)\n"
             "// NOLINTNEXTLINE(cuda-lint-tail-wave)\n"
             "M() // NOLINT(cuda-lint-tail-wave)\n"
             "// NOLINTEND(cuda-lint-*)\n");
  Of.add(inMacro(4, {{"M", {"a.cu", 2, 9}}})).silence();
  EXPECT_THAT(Of.remarks(), IsEmpty());
  EXPECT_THAT(Of.comments(), ElementsAre("4:8"));
}

TEST(NoLintRemarks, NotOfWhatThisRunCannotTell) {
  const std::string Text = "x; // NOLINT(cuda-lint-tail-wave)\n";
  const auto Remarks = [&](const std::function<void(Document &)> &Change) {
    LintRun Of(Text);
    Change(Of.Documents[0]);
    return Of.silence().remarks().size();
  };
  EXPECT_EQ(Remarks([](Document &) {}), 1u);
  EXPECT_EQ(Remarks([](Document &D) { D.Rules.pop_back(); }), 0u);
  EXPECT_EQ(Remarks([](Document &D) { D.Skipped = {{.Name = "tail-wave"}}; }),
            0u);
  EXPECT_EQ(
      Remarks([](Document &D) { D.Units[0].Status = UnitStatus::Partial; }),
      0u);
  // Nobody asked.
  EXPECT_THAT(LintRun(Text).silence({}).remarks(), IsEmpty());
  // Of a glob, all checks must have run.
  LintRun Glob("x; // NOLINT(cuda-lint-*)\n");
  Glob.Documents[0].Rules.pop_back();
  EXPECT_THAT(Glob.silence().remarks(), IsEmpty());
}

TEST(NoLintRemarks, AnotherTargetUsesIt) {
  LintRun Of("x; // NOLINT(cuda-lint-tail-wave)\n");
  Of.Files["./a.cu"] = Of.Files["a.cu"];
  Of.Documents.push_back(Of.Documents[0]);
  Of.Documents[1].Units[0].Findings.push_back(findingAt("./a.cu", 1, 1));
  EXPECT_THAT(Of.silence().remarks(), IsEmpty());
  EXPECT_THAT(Of.Documents[1].Units[0].Findings, IsEmpty());
  EXPECT_EQ(Of.Asked.size(), 1u);
  EXPECT_EQ(Of.Asked.begin()->second, 1u);
}

TEST(NoLintRemarks, NamesThatNoCheckHas) {
  LintRun Of("// NOLINT(cuda-lint-tail-wav)\n"
             "// NOLINT(cuda-lint-foo-*)\n"
             "// NOLINT(cuda-lint, -cuda-lint-foo)\n");
  EXPECT_THAT(Of.silence().remarks(),
              ElementsAre("1:11 no check is called 'cuda-lint-tail-wav'; did "
                          "you mean 'cuda-lint-tail-wave'?",
                          "2:11 no check is called 'cuda-lint-foo-*'",
                          "3:11 no check is called 'cuda-lint'"));
  EXPECT_EQ(Of.Remarks[0].Fault, NoLintFault::UnknownCheck);
}

TEST(NoLintRemarks, ListsThatAreNone) {
  LintRun Of("x; // NOLINT (cuda-lint-tail-wave)\n"
             "x; // NOLINT(cuda-lint-tail-wave\n"
             "x; // NOLINT: cuda-lint-tail-wave\n"
             "x; // NOLINT (bugprone-x)\n");
  EXPECT_THAT(Of.silence().remarks(),
              ElementsAre("1:7 this silences all checks: a list stands in "
                          "brackets right behind NOLINT, in one line",
                          HasSubstr("2:7 this silences all checks"),
                          HasSubstr("3:7 this silences all checks")));
}

TEST(NoLintRemarks, AreFitForATerminal) {
  LintRun Of("// NOLINT(cuda-lint-\x1b[31m\xff)\n");
  EXPECT_THAT(Of.silence().remarks(),
              ElementsAre("1:11 no check is called "
                          "'cuda-lint-<U+001B>[31m<FF>'"));
}

//===----------------------------------------------------------------------===//
// Texts that take long
//===----------------------------------------------------------------------===//

static std::string times(std::size_t Count, std::string_view Text) {
  std::string Out;
  for (std::size_t I = 0; I != Count; ++I)
    Out += Text;
  return Out;
}

// A quadratic reader takes minutes for any of these texts: CTest's TIMEOUT ends
// it. An instrumented build of a linear one needs seconds for all.

TEST(NoLintSpeed, OfHostileTexts) {
  const std::size_t N = 100'000;
  const std::vector<std::pair<const char *, std::string>> Texts = {
      {"lists that are not closed", times(N, "NOLINT(")},
      {"nothing but stars", "NOLINT(" + times(N * 10, "*") + "x)\n"},
      {"many stars", "NOLINT(" + times(N * 10, "*a") + ")\n"},
      {"a long list", "NOLINT(" + times(N, "cuda-lint-x,") + ")\n"},
      {"many comments in one line", times(N, "NOLINT(cuda-lint-x) ")},
      {"many comments in many lines", times(N, "NOLINT(cuda-lint-x)\n")},
      {"deep blocks", times(N, "NOLINTBEGIN(cuda-lint-small-grid) ") +
                          times(N, "NOLINTEND(cuda-lint-small-grid) ")},
      {"ends of another list",
       "NOLINTBEGIN(" + times(N * 10, "x") + ")\n" + times(N, "NOLINTEND(y) ")},
      {"a long word", "NOLINT" + times(N * 10, "NOLINT")},
      {"newlines", "NOLINT" + times(N * 10, "\n")},
      {"nothing", times(N * 100, "x")},
  };
  for (const auto &[Name, Text] : Texts) {
    LintRun Of(Text);
    for (unsigned I = 1; I != 20'000; ++I)
      Of.at(1, I * 7);
    Of.silence();
    EXPECT_EQ(Of.told().size() + Of.comments().size(), 19'999u) << Name;
  }
}

TEST(NoLintSpeed, OfALongMacro) {
  LintRun Of("#define M() x " + times(100'000, "\\\n x /*NOLINT(a)*/ ") +
             "\nM()\n");
  for (unsigned I = 0; I != 20'000; ++I)
    Of.add(inMacro(100'002, {{"M", {"a.cu", 1, 9}}}));
  EXPECT_EQ(Of.silence().told().size(), 20'000u);
}

TEST(NoLintReader, PlacesOfItems) {
  const std::string Text = "x // NOLINT( a ,,-b,c*)";
  const std::vector<NoLintDirective> Found = readNoLint(Text);
  ASSERT_EQ(Found.size(), 1u);
  std::vector<std::string> Items;
  for (const NoLintItem &Item : Found[0].items())
    Items.push_back(std::string(Item.Glob) + "@" +
                    std::string(1, Text[Item.Offset]));
  EXPECT_THAT(Items, ElementsAre("a@a", "c*@c"));
  EXPECT_EQ(Found[0].End, Text.size());
}

} // namespace NoLintTests
