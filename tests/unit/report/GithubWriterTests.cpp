//===- tests/unit/report/GithubWriterTests.cpp - Annotations in workflows -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/GithubWriter.h"

#include "ReportDocuments.h"

#include <gmock/gmock.h>
#include <sstream>

namespace GithubWriterTests {

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// The lines, of which each must be a command.
static std::vector<std::string> linesOf(std::span<const Document> Documents,
                                        const Texts &Known = {},
                                        const ReportPlaces &Places = InRoot) {
  std::vector<std::string> Lines;
  std::istringstream In(toGithub(Documents, Places, sourceOf(Known)));
  for (std::string Line; std::getline(In, Line);) {
    EXPECT_THAT(Line, StartsWith("::"));
    Lines.push_back(Line);
  }
  return Lines;
}

static std::vector<std::string> linesOf(const Document &Doc,
                                        const Texts &Known = {}) {
  return linesOf(std::span(&Doc, 1), Known);
}

TEST(GithubWriter, AProblemIsACommand) {
  const Document Doc = contractDocument();
  EXPECT_EQ(toGithub(std::span(&Doc, 1), InRoot, sourceOf({})),
            "::warning file=a.cu,line=6,endLine=6,col=10,endColumn=20,"
            "title=global-uncoalesced::load touches 12 sectors per request, "
            "ideal 4; align 'vec3d' to 16 bytes%0Awastes 67 %25 of the sectors "
            "of 'func'; 4 times a warp; called at line 20\n");
}

TEST(GithubWriter, APlaceHasNoEnd) {
  EXPECT_THAT(linesOf(withFindings({findingAt("a.cu", 6, 3)})),
              ElementsAre("::warning file=a.cu,line=6,col=3,title=small-grid"
                          "::grid of 3 blocks"));
  EXPECT_THAT(linesOf(withFindings({findingAt("a.cu", 6, 0)})),
              ElementsAre(StartsWith("::warning file=a.cu,line=6,title=")));
  EXPECT_THAT(linesOf(withFindings({findingAt("", 0, 0)})),
              ElementsAre(StartsWith("::warning file=a.cu,title=")));
}

TEST(GithubWriter, SeveralLinesHaveNoColumns) {
  Finding F = findingAt("a.cu", 6);
  F.Meant = {{"a.cu", 6, 3}, {"a.cu", 8, 2}};
  EXPECT_THAT(
      linesOf(withFindings({F})),
      ElementsAre(StartsWith("::warning file=a.cu,line=6,endLine=8,title=")));
}

TEST(GithubWriter, ColumnsCountUtf16) {
  Finding F = findingAt("a.cu", 1, 6);
  F.Meant = {{"a.cu", 1, 6}, {"a.cu", 1, 7}};
  EXPECT_THAT(linesOf(withFindings({F}), {{"a.cu", "\xF0\x9F\x98\x80 x\r\n"}}),
              ElementsAre(HasSubstr("col=4,endColumn=5,")));
}

TEST(GithubWriter, WhatHasAMeaningIsEscaped) {
  const std::vector<std::string> Lines = linesOf(hostileDocument());
  ASSERT_EQ(Lines.size(), 2u);
  EXPECT_THAT(
      Lines[1],
      StartsWith("::warning file=dir with blanks/100%25%2Ca%3Ab\"c'<&>"
                 "<U+000A><U+001B><FF>[x](1).cu,line=6,col=3,"
                 "title=small-grid::a%25b,c:d\"e'<f>&]]><U+000A>::error::x"
                 "<U+000D><U+0001><E9> {0} f[i](x) <U+202E>%0A"));
}

TEST(GithubWriter, NothingBeginsACommandOfItsOwn) {
  // Whatever the texts are, there is a line for each problem.
  Finding F = findingAt("a.cu\n::error::x", 6);
  F.Check = "a\r\n::stop-commands::x";
  F.What = {"x", "{x}", {{"x", "\n::add-mask::x\r::x"}}};
  EXPECT_THAT(linesOf(withFindings({F})),
              ElementsAre(AllOf(Not(HasSubstr("\r")), Not(HasSubstr("\n")))));
}

TEST(GithubWriter, TheDearestAreFirstOfEachKind) {
  Finding Note = findingAt("a.cu", 1), Cheap = findingAt("a.cu", 2),
          Dear = findingAt("a.cu", 3), Error = findingAt("a.cu", 4);
  Note.Level = Severity::Note;
  Error.Level = Severity::Error;
  Note.Check = "a-note";
  Error.Check = "an-error";
  Dear.Check = "dear";
  Cheap.Wasted = Waste{.Unit = "sectors", .OfKernel = 0.2};
  Dear.Wasted = Waste{.Unit = "sectors", .OfKernel = 0.8};
  Document Doc = withFindings({Note, Cheap, Dear, Error});
  Doc.Units[0].Errors = {{{"b.h", 9, 1}, "no such type"}};
  EXPECT_THAT(linesOf(std::vector(2, Doc)), // Once for both targets.
              ElementsAre(StartsWith("::error file=a.cu,line=4,"),
                          "::error file=b.h,line=9,col=1,title=not analysed"
                          "::no such type",
                          StartsWith("::warning file=a.cu,line=3,"),
                          StartsWith("::warning file=a.cu,line=2,"),
                          StartsWith("::notice file=a.cu,line=1,")));
}

TEST(GithubWriter, AGroupIsToldOnce) {
  EXPECT_THAT(linesOf(std::vector(2, groupDocument())),
              ElementsAre(HasSubstr("also at line 7, src/b.cuh:4")));
}

TEST(GithubWriter, NamesAreRelativeToTheRoot) {
  const Document Doc = withFindings({findingAt("../src/a.cu", 6)});
  EXPECT_THAT(linesOf(std::span(&Doc, 1), {},
                      {.Root = "/repo", .Current = "/repo/build"}),
              ElementsAre(StartsWith("::warning file=src/a.cu,")));
}

TEST(GithubWriter, NothingToTellIsNothing) {
  EXPECT_THAT(linesOf(std::span<const Document>()), IsEmpty());
  EXPECT_THAT(linesOf(documentOf({unitOf("a.cu", {})})), IsEmpty());
  UnitRecord Unit = unitOf("a.cu", {});
  Unit.Silenced = {{findingAt("a.cu", 6), Silencer::Comment, {}}};
  EXPECT_THAT(linesOf(documentOf({Unit})), IsEmpty());
}

} // namespace GithubWriterTests
