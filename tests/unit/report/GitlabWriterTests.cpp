//===- tests/unit/report/GitlabWriterTests.cpp - Code Quality of GitLab ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/GitlabWriter.h"

#include "PageExample.h"
#include "ReportDocuments.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <set>

namespace GitlabWriterTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using Json = nlohmann::json;

/// What GitLab gets; checks what it wants of each entry.
static Json read(std::span<const Document> Documents,
                 const ReportPlaces &Places = InRoot) {
  const Json All = Json::parse(toGitlab(Documents, Places));
  EXPECT_TRUE(All.is_array());
  std::set<std::string> Fingerprints;
  for (const Json &Each : All) {
    for (const char *Name : {"description", "check_name", "fingerprint"})
      EXPECT_NE(Each.value(Name, ""), "") << Each;
    EXPECT_THAT(Each["severity"].get<std::string>(),
                MatchesRegex("info|minor|major|critical|blocker"));
    const std::string Path = Each["location"]["path"];
    EXPECT_FALSE(Path.starts_with("./"));
    EXPECT_GE(Each["location"]["lines"]["begin"].get<int>(), 1);
    EXPECT_TRUE(Fingerprints.insert(Each["fingerprint"]).second) << Each;
  }
  return All;
}

static Json read(const Document &Doc, const ReportPlaces &Places = InRoot) {
  return read(std::span(&Doc, 1), Places);
}

TEST(GitlabWriter, AProblemIsAnEntry) {
  const Json All = read(contractDocument());
  ASSERT_EQ(All.size(), 1u);
  Json Entry = All[0];
  EXPECT_THAT(Entry["fingerprint"].get<std::string>(),
              MatchesRegex("[0-9a-f]+"));
  Entry.erase("fingerprint");
  EXPECT_EQ(Entry, Json::parse(R"({
      "description": "load touches 12 sectors per request, ideal 4; )"
                               R"(align 'vec3d' to 16 bytes",
      "check_name": "global-uncoalesced", "severity": "major",
      "location": {"path": "a.cu", "lines": {"begin": 6}}})"));
}

TEST(GitlabWriter, SeveritiesAreItsOwn) {
  Finding Note = findingAt("a.cu", 1), Error = findingAt("a.cu", 2);
  Note.Level = Severity::Note;
  Error.Level = Severity::Error;
  Document Doc = withFindings({Note, Error});
  Doc.Units[0].Errors = {{{}, "no such type"}};
  const Json All = read(Doc);
  ASSERT_EQ(All.size(), 3u);
  EXPECT_EQ(All[0]["severity"], "critical");
  EXPECT_EQ(All[1]["severity"], "info");
  EXPECT_EQ(All[2]["severity"], "major");
  EXPECT_EQ(All[2]["check_name"], "not-analysed");
  EXPECT_EQ(All[2]["location"],
            Json::parse(R"({"path": "a.cu", "lines": {"begin": 1}})"));
}

TEST(GitlabWriter, FingerprintsStayWhenLinesMove) {
  Document Doc = contractDocument();
  const Json Before = read(Doc)[0]["fingerprint"];
  Finding &F = Doc.Units[0].Findings[0];
  F.Where.Line = 60;
  F.Predicted->Value = 13;
  F.What.Values[1].What = 13.0;
  EXPECT_EQ(read(Doc)[0]["fingerprint"], Before);
  // By another name of the file, too.
  F.Where.File = F.Meant.Begin.File = F.Meant.End.File = "/repo/./a.cu";
  EXPECT_EQ(read(Doc)[0]["fingerprint"], Before);
  F.Where.File = "src/a.cu";
  EXPECT_NE(read(Doc)[0]["fingerprint"], Before);
}

TEST(GitlabWriter, NoTwoEntriesHaveOneFingerprint) {
  // Files of one name, findings without a fingerprint, and the same twice.
  Finding A = findingAt("x/a.cu", 6), B = findingAt("y/a.cu", 6);
  A.Fingerprint = B.Fingerprint = "00000000000000aa";
  A.Occurrence = B.Occurrence = 1;
  Finding C = findingAt("y/a.cu", 7), D = findingAt("y/a.cu", 8);
  Document Doc = withFindings({A, B, C, D});
  for (std::size_t I = 0; I != 4; ++I) // So that they are no group.
    Doc.Units[0].Findings[I].Remedy = {"r", "remedy {n}", {{"n", I}}};
  Doc.Units[0].Findings[3].Remedy = Doc.Units[0].Findings[2].Remedy;
  Doc.Units[0].Findings[3].Cause = {"c", "cause", {}};
  Doc.Units[0].Errors = {{{"a.cu", 1, 1}, "same"}, {{"a.cu", 2, 1}, "same"}};
  EXPECT_EQ(read(Doc).size(), 6u);
}

TEST(GitlabWriter, AGroupIsOneEntryForAllTargets) {
  EXPECT_EQ(read(std::vector(2, groupDocument())).size(), 1u);
}

TEST(GitlabWriter, HostileNamesAreKeptAndTextsAreShown) {
  const Json All = read(hostileDocument());
  EXPECT_EQ(All[0]["location"]["path"],
            "dir with blanks/100%,a:b\"c'<&>\n\x1b\xEF\xBF\xBD[x](1).cu");
  EXPECT_THAT(All[0]["description"].get<std::string>(),
              HasSubstr("<U+000A>::error::x<U+000D><U+0001><E9>"));
}

TEST(GitlabWriter, NothingIsAnEmptyArray) {
  EXPECT_EQ(toGitlab({}, InRoot), "[]\n");
  UnitRecord Unit = unitOf("a.cu", {});
  Unit.Silenced = {{findingAt("a.cu", 6), Silencer::Baseline, {}}};
  const Document Doc = documentOf({Unit});
  EXPECT_EQ(toGitlab(std::span(&Doc, 1), InRoot), "[]\n");
}

TEST(GitlabWriter, ThePageShowsARealExample) {
  EXPECT_EQ(pageExample("gitlab"), read(contractDocument()));
}

} // namespace GitlabWriterTests
