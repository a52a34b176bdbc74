//===- tests/unit/report/BaselineTests.cpp - Findings that are known ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Baseline.h"

#include "report/Fingerprint.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sstream>

namespace BaselineTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

static const std::string Header = "# cuda-lint baseline 1\n";
static const std::string Print = "0123456789abcdef";

static const BaselineScope AtRoot = {.Root = "/src", .Here = "/src"};

static Finding at(unsigned Line, std::string Name = "tile[x][i+32]",
                  std::string File = "k/a.cu") {
  Finding F;
  F.Check = "shared-bank-conflict";
  F.Where = {std::move(File), Line, 5};
  F.About = {.Kind = SubjectKind::Load,
             .Function = "ns::tile",
             .Name = std::move(Name)};
  F.What.Id = "wavefronts";
  F.Group = 2;
  return F;
}

static Finding withLevel(Finding F, Severity Level) {
  F.Level = Level;
  return F;
}

static Finding withWaste(Finding F, double Share) {
  F.Wasted = Waste{.Unit = "wavefronts", .OfProgram = Share};
  return F;
}

/// A unit for each file, with the findings of that.
static Document documentOf(std::vector<Finding> Findings,
                           std::set<std::string> Files = {"k/a.cu"}) {
  Document Doc;
  for (const char *Check : {"invalid-launch", "shared-bank-conflict"})
    Doc.Rules.push_back({.Name = Check});
  for (const Finding &F : Findings)
    Files.insert(F.Where.File);
  for (const std::string &File : Files) {
    UnitRecord Unit{.File = File};
    std::ranges::copy_if(
        Findings, std::back_inserter(Unit.Findings),
        [&](const Finding &F) { return F.Where.File == File; });
    Doc.Units.push_back(std::move(Unit));
  }
  addFingerprints(Doc);
  return Doc;
}

static std::string textOf(std::vector<Finding> Findings,
                          const BaselineScope &Scope = AtRoot) {
  const Document Doc = documentOf(std::move(Findings));
  return toBaseline(std::span(&Doc, 1), Scope);
}

static Baseline read(const std::string &Text) {
  BaselineRead Read = readBaseline(Text, "known");
  for (const ErrorRecord &Each : Read.Errors)
    ADD_FAILURE() << Each.Where.Line << ": " << Each.Message;
  return std::move(Read.Known);
}

static std::vector<std::string> linesOf(const std::string &Text) {
  std::vector<std::string> Lines;
  std::istringstream In(Text);
  for (std::string Line; std::getline(In, Line);)
    Lines.push_back(Line);
  return Lines;
}

/// Without the fingerprint.
static std::vector<std::string> entriesOf(const std::string &Text) {
  std::vector<std::string> Lines = linesOf(Text);
  Lines.erase(Lines.begin());
  for (std::string &Each : Lines)
    Each.erase(0, 17);
  std::ranges::sort(Lines);
  return Lines;
}

namespace {
struct Applied {
  std::vector<Document> Documents;
  BaselineUse Use;

  Applied(std::vector<Document> Of, const Baseline &Known,
          const BaselineScope &Scope = AtRoot)
      : Documents(std::move(Of)), Use(applyBaseline(Documents, Known, Scope)) {}
  Applied(std::vector<Finding> Of, const std::string &Known,
          const BaselineScope &Scope = AtRoot)
      : Applied(std::vector<Document>{documentOf(std::move(Of))}, read(Known),
                Scope) {}

  /// `k/a.cu:3` of those that are new.
  std::vector<std::string> told() const {
    std::vector<std::string> Out;
    for (const Document &Doc : Documents)
      for (const UnitRecord &Unit : Doc.Units)
        for (const Finding &F : Unit.Findings)
          Out.push_back(F.Where.File + ":" + std::to_string(F.Where.Line));
    return Out;
  }
  /// `2 k/a.cu`
  std::vector<std::string> fixed() const {
    std::vector<std::string> Out;
    for (const FixedEntry &Each : Use.Fixed)
      Out.push_back(std::to_string(Each.Places) + " " + Each.Entry.File);
    return Out;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

TEST(BaselineFile, OneLineForEachEntry) {
  const std::string Text =
      textOf({at(3), at(9, "tile[x][i+64]"), at(5, "rows2[1]"),
              withLevel(at(20), Severity::Error),
              withLevel(at(30, "rows2[7]"), Severity::Note)});
  EXPECT_TRUE(Text.starts_with(Header));
  // A note is no other: what is one hangs by the rest of the run.
  EXPECT_THAT(entriesOf(Text),
              ElementsAre("1 error shared-bank-conflict k/a.cu ns::tile "
                          "tile[x][i+#]",
                          "2 warning shared-bank-conflict k/a.cu ns::tile "
                          "rows2[#]",
                          "2 warning shared-bank-conflict k/a.cu ns::tile "
                          "tile[x][i+#]"));
  const std::vector<std::string> Lines = linesOf(Text);
  EXPECT_TRUE(std::ranges::is_sorted(Lines));
  EXPECT_THAT(Lines[1], testing::MatchesRegex("[0-9a-f]+ .*"));
  EXPECT_EQ(toText(read(Text)), Text);
}

TEST(BaselineFile, OfNothingIsOneLine) {
  EXPECT_EQ(textOf({}), Header);
  EXPECT_THAT(read(Header).Entries, IsEmpty());
}

TEST(BaselineFile, WhatIsMovedChangesNothing) {
  const std::string Is = textOf({at(3), at(9)});
  EXPECT_EQ(textOf({at(103), at(700)}), Is);
  EXPECT_EQ(textOf({at(3, "tile[x][i+33]"), at(9)}), Is);
  EXPECT_EQ(textOf({at(9), at(3)}), Is);
  EXPECT_EQ(textOf({withLevel(at(3), Severity::Note), at(9)}), Is);
}

TEST(BaselineFile, InstantiationsTargetsAndUnitsAreOnePlace) {
  Finding Other = at(3);
  Other.Kernel = "_Z4tileILi8EEvPf";
  std::vector<Document> Both = {documentOf({at(3), Other}),
                                documentOf({at(3)})};
  Both[1].Units.push_back(Both[1].Units[0]);
  EXPECT_THAT(entriesOf(toBaseline(Both, AtRoot)),
              ElementsAre(HasSubstr("1 warning")));
}

TEST(BaselineFile, AnyNameComesBack) {
  const std::vector<std::string> Names = {
      "a b.cu",   "a\nb.cu",   "\"q\".cu",        "-",
      "\\x20.cu", "tab\t.cu",  "\xff\xe9.cu",     "\xc3\xa9t\xc3\xa9.cu",
      "#.cu",     "<<<<<<<",   "\xe2\x80\xae.cu", std::string("n\0l.cu", 6),
      "\\",       "trailing ", "\r.cu",           "\xef\xbb\xbf.cu"};
  std::vector<BaselineEntry> Entries;
  for (const std::string &Name : Names)
    Entries.push_back({.Fingerprint = Print,
                       .File = Name,
                       .Places = 2,
                       .Check = "a-check",
                       .Function = Name,
                       .Name = ""});
  const Baseline Known = makeBaseline(Entries);
  ASSERT_EQ(Known.Entries.size(), Names.size());
  const std::string Text = toText(Known);
  EXPECT_EQ(linesOf(Text).size(), Names.size() + 1);
  EXPECT_THAT(Text, HasSubstr("\xc3\xa9t\xc3\xa9.cu"));
  EXPECT_THAT(Text, HasSubstr("\\xff\\xe9.cu"));
  EXPECT_EQ(read(Text).Entries, Known.Entries);
}

TEST(BaselineFile, LongNamesStayReadable) {
  Finding F = at(3, std::string(100'000, 'x'), std::string(100'000, ' '));
  F.About.Function = std::string(100'000, '\xff');
  const Document Doc = documentOf({F});
  const std::string Text = toBaseline(std::span(&Doc, 1), AtRoot);
  EXPECT_LT(Text.size(), MostBaselineLine);
  Applied Of({Doc}, read(Text));
  EXPECT_THAT(Of.told(), IsEmpty());
}

TEST(BaselineFile, NamesOfFilesAreThoseOfTheProject) {
  const auto Name = [](std::string File, std::string Root, std::string Here) {
    return nameInBaseline(File, {.Root = Root, .Here = Here});
  };
  EXPECT_EQ(Name("a.cu", "/p", "/p/src"), "src/a.cu");
  EXPECT_EQ(Name("/p/src/a.cu", "/p", "/q"), "src/a.cu");
  EXPECT_EQ(Name("/p/src/a.cu", "/p/", "/q/"), "src/a.cu");
  EXPECT_EQ(Name("../lib/./a.cuh", "/p", "/p/src"), "lib/a.cuh");
  EXPECT_EQ(Name("src//x/../a.cu", "/p", "/p"), "src/a.cu");
  // Below another folder: that of one machine.
  EXPECT_EQ(Name("/opt/cuda/a.cuh", "/p", "/p"), "*/a.cuh");
  EXPECT_EQ(Name("/project/a.cu", "/p", "/p"), "*/a.cu");
  EXPECT_EQ(Name("../a.cu", "/p/q", "/p/q"), "*/a.cu");
  // Nobody says where the root is.
  EXPECT_EQ(Name("./src/a.cu", "", ""), "src/a.cu");
  EXPECT_EQ(Name("/p/src/a.cu", "", ""), "*/a.cu");
  EXPECT_EQ(Name("..a/b.cu", "/p", "/p"), "..a/b.cu");
}

static std::string entry(std::string_view Print, int Places,
                         std::string_view File = "k/a.cu") {
  return std::string(Print) + " " + std::to_string(Places) +
         " warning shared-bank-conflict " + std::string(File) + " f -\n";
}

TEST(BaselineFile, WhatPeopleAndGitMakeOfIt) {
  const std::string A = entry(Print, 2), B = entry("fedcba9876543210", 1);
  const std::vector<BaselineEntry> Both = read(Header + A + B).Entries;
  ASSERT_THAT(Both, SizeIs(2));
  for (const std::string &Text :
       {Header + B + A, Header + A + B + A, Header + A + Header + B,
        Header + A + "\n  \n# a word\n" + B, "\xef\xbb\xbf" + Header + A + B,
        Header + "  " + A + B})
    EXPECT_EQ(read(Text).Entries, Both) << Text;
  // With \r\n, tabs, and without the last newline.
  std::string Windows = Header + A + B;
  for (std::size_t I = Windows.find('\n'); I != Windows.npos;
       I = Windows.find('\n', I + 2))
    Windows.insert(I, "\r");
  EXPECT_EQ(read(Windows).Entries, Both);
  std::string Tabs = A + B;
  std::ranges::replace(Tabs, ' ', '\t');
  Tabs.pop_back();
  EXPECT_EQ(read(Header + Tabs).Entries, Both);
}

TEST(BaselineFile, OfTwoCountsTheLargerHolds) {
  const Baseline Union =
      read(Header + entry(Print, 2) + entry(Print, 10) + entry(Print, 3));
  ASSERT_THAT(Union.Entries, SizeIs(1));
  EXPECT_EQ(Union.Entries[0].Places, 10u);
}

/// `2:18 message` of the first error.
static std::string errorOf(const std::string &Text) {
  const BaselineRead Read = readBaseline(Text, "known");
  if (Read.Errors.empty())
    return "";
  EXPECT_THAT(Read.Known.Entries, IsEmpty());
  const ErrorRecord &E = Read.Errors[0];
  EXPECT_EQ(E.Where.File, "known");
  return std::to_string(E.Where.Line) + ":" + std::to_string(E.Where.Column) +
         " " + E.Message;
}

TEST(BaselineFile, SaysWhatIsWrongAndWhere) {
  const std::string No =
      "1:1 this is no baseline: its first line is not '# cuda-lint baseline 1'";
  EXPECT_EQ(errorOf(""), No);
  EXPECT_EQ(errorOf("\n" + Header), No);
  EXPECT_EQ(errorOf("{\"schema\": 1}\n"), No);
  EXPECT_EQ(errorOf(std::string("\0\0\0", 3)), No);
  EXPECT_EQ(errorOf("# cuda-lint baseline 2\nwhatever\n"),
            "1:22 version '2' is not known here, only 1: use a newer "
            "cuda-lint, or write the baseline anew");
  EXPECT_THAT(errorOf("# cuda-lint baseline 12\n"), HasSubstr("1:22 version"));
  EXPECT_EQ(errorOf(Header + "<<<<<<< HEAD\n" + entry(Print, 1)),
            "2:1 '<<<<<<<' is left of a merge: take it away, and keep the "
            "entries of both sides, in any order");
  EXPECT_THAT(errorOf("<<<<<<< HEAD\n" + Header), HasSubstr("1:1 '<<<<<<<'"));
  EXPECT_THAT(errorOf(Header + "=======\n"), HasSubstr("2:1 '======='"));
  EXPECT_THAT(errorOf(Header + "========\n"), HasSubstr("no fingerprint"));
  EXPECT_THAT(errorOf(Header + "||||||| 1a2b\n"), HasSubstr("2:1 '|||||||'"));
  EXPECT_THAT(errorOf(Header + ">>>>>>> x\r\n"), HasSubstr("2:1 '>>>>>>>'"));
  EXPECT_EQ(errorOf(Header + "\nabc 1 error c f - -\n"),
            "3:1 'abc' is no fingerprint of 16 hexadecimal digits");
  EXPECT_THAT(errorOf(Header + "0123456789ABCDEF 1 error c f - -\n"),
              HasSubstr("2:1 '0123456789ABCDEF' is no fingerprint"));
  EXPECT_EQ(errorOf(Header + Print + " 1 error c f -\n"),
            "2:31 an entry has 7 fields, not 6");
  EXPECT_EQ(errorOf(Header + Print + " 1 error c f - - x\n"),
            "2:34 an entry has 7 fields, not 8");
  for (const char *Count : {"0", "-1", "+1", "1.0", "0x1", "4294967296", "two"})
    EXPECT_EQ(errorOf(Header + Print + " " + Count + " error c f - -\n"),
              "2:18 '" + std::string(Count) + "' is no number of places");
  EXPECT_EQ(errorOf(Header + Print + " 1 fatal c f - -\n"),
            "2:20 'fatal' is neither 'error' nor 'warning'");
  for (const char *Bad : {"a\\", "a\\x", "a\\x2", "a\\q", "a\\xZZ", "a\\n"})
    EXPECT_EQ(errorOf(Header + Print + " 1 error c " + Bad + " - -\n"),
              "2:29 a backslash is written as '\\\\'")
        << Bad;
  EXPECT_EQ(errorOf(Header + Print + " 1 error c a\x1b[31m - -\n"),
            "2:29 a control character is not written as '\\x00'");
}

TEST(BaselineFile, SaysNotAllThatIsWrong) {
  std::string Text = Header;
  for (int I = 0; I != 1000; ++I)
    Text += "\x1b[31m\n";
  const BaselineRead Read = readBaseline(Text, "known");
  EXPECT_THAT(Read.Errors, SizeIs(20));
  EXPECT_THAT(Read.Errors[0].Message, Not(HasSubstr("\x1b")));
}

TEST(BaselineFile, HasBounds) {
  EXPECT_THAT(errorOf(std::string(MostBaselineBytes + 1, ' ')),
              HasSubstr("longer than 64 MB"));
  EXPECT_THAT(errorOf(Header + Print + std::string(MostBaselineLine, ' ')),
              HasSubstr("2:65537 a line is longer than 65536 bytes"));
}

TEST(BaselineFile, AnyBytesAreRead) {
  // Each byte of a good file is made another: whatever comes of it, what is
  // read can be written and is then the same.
  const std::string Good = Header + entry(Print, 2) + entry(Print, 1, "\\x20");
  for (std::size_t I = 0; I != Good.size(); ++I)
    for (const char C : {'\0', '\n', '\r', ' ', '\\', '0', 'x', '\xff', '<'}) {
      std::string Text = Good;
      Text[I] = C;
      const BaselineRead Read = readBaseline(Text, "known");
      if (Read.Errors.empty()) {
        EXPECT_EQ(read(toText(Read.Known)).Entries, Read.Known.Entries);
      }
      const BaselineRead Cut = readBaseline(Good.substr(0, I), "known");
      EXPECT_TRUE(Cut.Errors.empty() || Cut.Known.Entries.empty());
    }
}

//===----------------------------------------------------------------------===//
// Its use
//===----------------------------------------------------------------------===//

TEST(BaselineUse, KnownFindingsAreNotTold) {
  Applied Of({at(13), at(15, "other[i]"), at(19)}, textOf({at(3), at(9)}));
  EXPECT_THAT(Of.told(), ElementsAre("k/a.cu:15"));
  EXPECT_EQ(Of.Use.Silenced, 2u);
  EXPECT_THAT(Of.fixed(), IsEmpty());
  const std::vector<SilencedFinding> &Silenced =
      Of.Documents[0].Units[0].Silenced;
  ASSERT_THAT(Silenced, SizeIs(2));
  EXPECT_EQ(Silenced[0].By, Silencer::Baseline);
  EXPECT_EQ(Silenced[0].Where, Location());
  EXPECT_EQ(Silenced[0].What.Group, 0u);
  EXPECT_EQ(Silenced[1].What.Where.Line, 19u);
}

TEST(BaselineUse, AnEmptyOneKnowsNothing) {
  EXPECT_THAT(Applied({at(3)}, Header).told(), SizeIs(1));
}

TEST(BaselineUse, AFindingWithoutFingerprintIsNew) {
  Document Doc = documentOf({at(3)});
  Doc.Units[0].Findings[0].Fingerprint.clear();
  EXPECT_EQ(toBaseline(std::span(&Doc, 1), AtRoot), Header);
  EXPECT_THAT(Applied({Doc}, read(textOf({at(3)}))).told(), SizeIs(1));
}

TEST(BaselineUse, OfOneMoreTheDearestIsNew) {
  const std::string Known = textOf({at(3), at(9)});
  EXPECT_THAT(Applied({withWaste(at(3), 0.1), withWaste(at(6), 0.5),
                       withWaste(at(9), 0.2)},
                      Known)
                  .told(),
              ElementsAre("k/a.cu:6"));
  // The last of those that cost the same.
  EXPECT_THAT(Applied({at(3), at(6), at(9)}, Known).told(),
              ElementsAre("k/a.cu:9"));
  // All instantiations of it.
  Finding Other = at(9);
  Other.Kernel = "_Z4tileILi8EEvPf";
  EXPECT_THAT(Applied({at(3), at(6), at(9), Other}, Known).told(),
              ElementsAre("k/a.cu:9", "k/a.cu:9"));
}

TEST(BaselineUse, OfOneLessOneIsFixed) {
  Applied Of({at(9)}, textOf({at(3), at(9), at(12)}));
  EXPECT_THAT(Of.told(), IsEmpty());
  EXPECT_THAT(Of.fixed(), ElementsAre("2 k/a.cu"));
  EXPECT_EQ(Of.Use.Fixed[0].Entry.Check, "shared-bank-conflict");
  EXPECT_EQ(Of.Use.Fixed[0].Entry.Function, "ns::tile");
}

TEST(BaselineUse, AnErrorIsNewWhereAWarningWas) {
  const std::string Known = textOf({at(3)});
  EXPECT_THAT(Applied({withLevel(at(3), Severity::Error)}, Known).told(),
              SizeIs(1));
  EXPECT_THAT(Applied({withLevel(at(3), Severity::Note)}, Known).told(),
              IsEmpty());
  const std::string Error = textOf({withLevel(at(3), Severity::Error)});
  EXPECT_THAT(Applied({withLevel(at(3), Severity::Error)}, Error).told(),
              IsEmpty());
  // It is better than it was, and still there.
  Applied Better({at(3)}, Error);
  EXPECT_THAT(Better.told(), IsEmpty());
  EXPECT_THAT(Better.fixed(), IsEmpty());
  const std::string Note = textOf({withLevel(at(3), Severity::Note)});
  EXPECT_THAT(Applied({at(3)}, Note).told(), IsEmpty());
}

TEST(BaselineUse, AnErrorTakesNoPlaceOfAWarning) {
  const std::string Known = textOf({at(3), withLevel(at(9), Severity::Error)});
  EXPECT_THAT(Applied({withLevel(at(3), Severity::Error),
                       withLevel(at(9), Severity::Error), at(12)},
                      Known)
                  .told(),
              ElementsAre("k/a.cu:9"));
}

TEST(BaselineUse, WhatIsKnownForOneTargetIsKnownForAll) {
  Applied Of({documentOf({at(3)}), documentOf({at(3)})}, read(textOf({at(3)})));
  EXPECT_THAT(Of.told(), IsEmpty());
  EXPECT_EQ(Of.Use.Silenced, 2u);
  // For another one it is an error, and known as that.
  const std::vector<Document> Both = {
      documentOf({at(3)}), documentOf({withLevel(at(3), Severity::Error)})};
  Applied Mixed(Both, read(toBaseline(Both, AtRoot)));
  EXPECT_THAT(Mixed.told(), IsEmpty());
}

TEST(BaselineUse, WhereTheRunWasDoesNotMatter) {
  const std::string Known = textOf({at(3)});
  Document Doc =
      documentOf({at(3, "tile[x][i+32]", "/other/k/a.cu")}, {"/other/k/a.cu"});
  Applied Of({Doc}, read(Known), {.Root = "/other", .Here = "/tmp"});
  EXPECT_THAT(Of.told(), IsEmpty());
  EXPECT_EQ(toBaseline(std::span(&Doc, 1), {.Root = "/other", .Here = "/tmp"}),
            Known);
}

TEST(BaselineUse, FoldersAreRenamed) {
  const std::string Known = textOf({at(3), at(9)});
  const Document Doc = documentOf(
      {at(3, "tile[x][i+32]", "new/a.cu"), at(9, "tile[x][i+32]", "new/a.cu")},
      {"new/a.cu"});
  BaselineScope Scope = AtRoot;
  EXPECT_THAT(Applied({Doc}, read(Known), Scope).told(), IsEmpty());
  Scope.Exists = [](const std::string &File) { return File != "k/a.cu"; };
  Applied Moved({Doc}, read(Known), Scope);
  EXPECT_THAT(Moved.told(), IsEmpty());
  EXPECT_THAT(Moved.fixed(), IsEmpty());
  // What was a warning lends no place to an error.
  Document Worse = Doc;
  Worse.Units[0].Findings[1].Level = Severity::Error;
  EXPECT_THAT(Applied({Worse}, read(Known), Scope).told(),
              ElementsAre("new/a.cu:9"));
  // The old file is still there: this is a copy.
  Scope.Exists = [](const std::string &) { return true; };
  EXPECT_THAT(Applied({Doc}, read(Known), Scope).told(), SizeIs(2));
}

TEST(BaselineUse, FilesOfOneNameDoNotLendToEachOther) {
  // Both were analysed: mended in one of them, made in the other.
  const Document Doc = documentOf({at(3, "tile[x][i+32]", "x/a.cu")});
  Applied Of({Doc}, read(textOf({at(3)})));
  EXPECT_THAT(Of.told(), ElementsAre("x/a.cu:3"));
  EXPECT_THAT(Of.fixed(), ElementsAre("1 k/a.cu"));
}

TEST(BaselineUse, AHeaderWithFindingsHasNotMoved) {
  // One of two places in it is mended, and a copy is made.
  const std::string File = "k/h.cuh", Copy = "x/h.cuh", Name = "t[i]";
  const Document Before = documentOf({at(3, Name, File), at(9, Name, File)});
  Document After = documentOf({});
  After.Units[0].Findings = {at(3, Name, File), at(9, Name, Copy)};
  addFingerprints(After);
  EXPECT_THAT(
      Applied({After}, read(toBaseline(std::span(&Before, 1), AtRoot))).told(),
      ElementsAre("x/h.cuh:9"));
}

TEST(BaselineUse, WhatIsElsewhereIsNotGone) {
  const Document Before = documentOf({at(3, "t[i]", "/opt/h.cuh")});
  const Baseline Known = read(toBaseline(std::span(&Before, 1), AtRoot));
  BaselineScope Scope = AtRoot;
  Scope.Exists = [](const std::string &) { return false; };
  EXPECT_THAT(Applied({documentOf({})}, Known, Scope).fixed(), IsEmpty());
  // In another folder on another machine.
  EXPECT_THAT(
      Applied({documentOf({at(3, "t[i]", "/usr/h.cuh")})}, Known, Scope).told(),
      IsEmpty());
}

TEST(BaselineUse, OnlyWhatWasLookedForIsFixed) {
  const std::string Known = textOf({at(3)});
  const auto Fixed = [&](const std::function<void(Document &)> &Change,
                         const BaselineScope &Scope = AtRoot) {
    Document Doc = documentOf({});
    Change(Doc);
    return Applied({Doc}, read(Known), Scope).fixed().size();
  };
  EXPECT_EQ(Fixed([](Document &) {}), 1u);
  const auto OtherFile = [](Document &D) { D.Units[0].File = "k/b.cu"; };
  EXPECT_EQ(Fixed(OtherFile), 0u);
  EXPECT_EQ(Fixed([](Document &D) { D.Units[0].Status = UnitStatus::Partial; }),
            0u);
  EXPECT_EQ(Fixed([](Document &D) { D.Rules.pop_back(); }), 0u);
  EXPECT_EQ(Fixed([](Document &D) {
              D.Skipped = {{.Name = "shared-bank-conflict", .InPart = true}};
            }),
            0u);
  BaselineScope Scope = AtRoot;
  Scope.Headers = {"./k/a.cu"};
  EXPECT_EQ(Fixed(OtherFile, Scope), 1u);
  // Neither what was read in part, even if it is of no file, as `<stdin>`.
  const auto InPart = [](Document &D) {
    D.Units[0].Status = UnitStatus::Partial;
  };
  EXPECT_EQ(Fixed(InPart, Scope), 0u);
  Scope.Exists = [](const std::string &) { return false; };
  EXPECT_EQ(Fixed(InPart, Scope), 0u);
  // Gone, with all that was in it.
  Scope = AtRoot;
  Scope.Exists = [](const std::string &) { return false; };
  EXPECT_EQ(Fixed(OtherFile, Scope), 1u);
  Scope.Exists = [](const std::string &) { return true; };
  EXPECT_EQ(Fixed(OtherFile, Scope), 0u);
}

TEST(BaselineUse, OneTargetThatFailsJudgesNothing) {
  std::vector<Document> Both = {documentOf({}), documentOf({})};
  Both[1].Units[0].Status = UnitStatus::Failed;
  EXPECT_THAT(Applied(Both, read(textOf({at(3)}))).fixed(), IsEmpty());
}

TEST(BaselineUse, TwoPeopleMeet) {
  const std::string Mine = textOf({at(3), at(9), at(5, "mine[i]")});
  const std::string Yours = textOf({at(3), at(7, "yours[i]")});
  std::vector<std::string> Lines = linesOf(Mine);
  for (const std::string &Each : linesOf(Yours))
    Lines.push_back(Each);
  std::ranges::sort(Lines);
  Lines.erase(std::ranges::unique(Lines).begin(), Lines.end());
  std::string Union;
  for (const std::string &Each : Lines)
    Union += Each + "\n";
  // The title sorts before any entry.
  ASSERT_TRUE(Union.starts_with(Header));
  Applied Of({at(3), at(9), at(5, "mine[i]"), at(7, "yours[i]"), at(11)},
             Union);
  EXPECT_THAT(Of.told(), ElementsAre("k/a.cu:11"));
  EXPECT_THAT(Of.fixed(), IsEmpty());
}

//===----------------------------------------------------------------------===//
// Written anew
//===----------------------------------------------------------------------===//

TEST(BaselineWrite, KeepsWhatABaselineSilences) {
  const std::string Known = textOf({at(3), at(9)});
  Applied Of({at(3), at(9)}, Known);
  EXPECT_EQ(toBaseline(Of.Documents, AtRoot), Known);
  // What a comment silences needs no entry.
  Of.Documents[0].Units[0].Silenced[0].By = Silencer::Comment;
  EXPECT_THAT(entriesOf(toBaseline(Of.Documents, AtRoot)),
              ElementsAre(HasSubstr("1 warning")));
}

TEST(BaselineWrite, KeepsWhatTheRunDoesNotJudge) {
  const Baseline Old =
      read(textOf({at(3), at(4, "x[i]", "k/b.cu"), at(5, "y[i]", "k/c.cu")}));
  ASSERT_THAT(Old.Entries, SizeIs(3));
  // k/a.cu is mended, k/b.cu was not asked for, k/c.cu is gone.
  const Document Doc = documentOf({});
  BaselineScope Scope = AtRoot;
  Scope.Exists = [](const std::string &File) { return File != "k/c.cu"; };
  EXPECT_THAT(entriesOf(toBaseline(std::span(&Doc, 1), Scope, &Old)),
              ElementsAre("1 warning shared-bank-conflict k/b.cu ns::tile "
                          "x[i]"));
}

//===----------------------------------------------------------------------===//
// Baselines that take long
//===----------------------------------------------------------------------===//

TEST(BaselineSpeed, OfOneFingerprint) {
  // Comparing each place with each entry would take minutes: CTest's TIMEOUT
  // would end it.
  std::vector<Finding> Findings;
  for (unsigned I = 1; I != 20'000; ++I)
    Findings.push_back(at(I));
  const Document Doc = documentOf(Findings);
  const std::string &Same = Doc.Units[0].Findings[0].Fingerprint;
  std::string Text = Header;
  for (int I = 0; I != 200'000; ++I)
    Text += entry(Same, 1, "gone/" + std::to_string(I));
  Applied Of({Doc}, read(Text));
  EXPECT_THAT(Of.told(), IsEmpty());
}

} // namespace BaselineTests
