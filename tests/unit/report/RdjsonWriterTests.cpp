//===- tests/unit/report/RdjsonWriterTests.cpp - What reviewdog reads -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/RdjsonWriter.h"

#include "PageExample.h"
#include "ReportDocuments.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace RdjsonWriterTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::MatchesRegex;
using Json = nlohmann::json;

/// The diagnostics that reviewdog gets; checks what it wants of each.
static Json read(std::span<const Document> Documents, const Texts &Known = {},
                 const ReportPlaces &Places = InRoot) {
  const Json All = Json::parse(toRdjson(Documents, Places, sourceOf(Known)));
  EXPECT_EQ(All.size(), 2u); // It refuses what it does not know.
  EXPECT_EQ(All["source"], Json::parse(R"({"name": "cuda-lint"})"));
  for (const Json &Each : All["diagnostics"]) {
    EXPECT_NE(Each.value("message", ""), "");
    EXPECT_NE(Each["location"].value("path", ""), "");
    EXPECT_THAT(Each["severity"].get<std::string>(),
                MatchesRegex("ERROR|WARNING|INFO"));
  }
  return All["diagnostics"];
}

static Json read(const Document &Doc, const Texts &Known = {}) {
  return read(std::span(&Doc, 1), Known);
}

TEST(RdjsonWriter, AProblemIsADiagnostic) {
  EXPECT_EQ(read(contractDocument(), {{"a.cu", "struct vec3d {\n"}}),
            Json::parse(R"([{
      "message": "load touches 12 sectors per request, ideal 4; )"
                        R"(align 'vec3d' to 16 bytes\nwastes 67 % of the )"
                        R"(sectors of 'func'; 4 times a warp; called at )"
                        R"(line 20",
      "location": {"path": "a.cu", "range": {
          "start": {"line": 6, "column": 10},
          "end": {"line": 6, "column": 20}}},
      "severity": "WARNING",
      "code": {"value": "global-uncoalesced"},
      "suggestions": [{
          "range": {"start": {"line": 1, "column": 8},
                    "end": {"line": 1, "column": 8}},
          "text": "__align__(16) "}]}])"));
}

TEST(RdjsonWriter, ColumnsCountBytes) {
  Finding F = findingAt("a.cu", 1, 5);
  F.Meant = {{"a.cu", 1, 5}, {"a.cu", 1, 6}};
  const Json Range =
      read(withFindings({F}),
           {{"a.cu", "\xF0\x9F\x98\x80x\r\n"}})[0]["location"]["range"];
  EXPECT_EQ(Range["start"]["column"], 5);
  EXPECT_EQ(Range["end"]["column"], 6);
}

TEST(RdjsonWriter, WhatIsNotKnownIsLeftOut) {
  EXPECT_EQ(
      read(withFindings({findingAt("a.cu", 4, 0)}))[0]["location"],
      Json::parse(R"({"path": "a.cu", "range": {"start": {"line": 4}}})"));
  EXPECT_EQ(read(withFindings({findingAt("a.cu", 0, 0)}))[0]["location"],
            Json::parse(R"({"path": "a.cu"})"));
}

TEST(RdjsonWriter, OnlyWholeFixesInTheFileAreSuggested) {
  Finding F = findingAt("a.cu", 1);
  F.Fixes = {
      {"in two", FixSafety::Safe, {{"a.cu", 0, 1, "x"}, {"a.cu", 2, 1, "x"}}},
      {"elsewhere", FixSafety::Safe, {{"b.h", 0, 1, "x"}}},
      {"words", FixSafety::Advice, {}},
      {"beyond", FixSafety::Safe, {{"a.cu", 90, 1, "x"}}},
      {"over a line's end", FixSafety::Safe, {{"a.cu", 1, 3, "-"}}}};
  const Texts Known = {{"a.cu", "ab\r\ncd\r\n"}, {"b.h", "abc\n"}};
  EXPECT_EQ(read(withFindings({F}), Known)[0]["suggestions"],
            Json::parse(R"([{"range": {"start": {"line": 1, "column": 2},
                                       "end": {"line": 2, "column": 1}},
                             "text": "-"}])"));
  EXPECT_FALSE(read(withFindings({F}))[0].contains("suggestions"));
}

TEST(RdjsonWriter, SeveritiesAndOrder) {
  Finding Note = findingAt("a.cu", 1), Error = findingAt("a.cu", 2);
  Note.Level = Severity::Note;
  Error.Level = Severity::Error;
  Document Doc = withFindings({Note, Error});
  Doc.Units[0].Errors = {{{"b.h", 9, 2}, "no such type"}};
  const Json All = read(std::vector(2, Doc));
  ASSERT_EQ(All.size(), 3u);
  EXPECT_EQ(All[0]["severity"], "ERROR");
  EXPECT_EQ(All[1]["severity"], "INFO");
  EXPECT_EQ(All[2], Json::parse(R"({"message": "no such type",
      "location": {"path": "b.h",
                   "range": {"start": {"line": 9, "column": 2}}},
      "severity": "ERROR", "code": {"value": "not-analysed"}})"));
}

TEST(RdjsonWriter, AGroupIsOneDiagnosticForAllTargets) {
  EXPECT_EQ(read(std::vector(2, groupDocument())).size(), 1u);
}

TEST(RdjsonWriter, HostileNamesAreKeptAndTextsAreShown) {
  const Json All = read(hostileDocument());
  EXPECT_EQ(All[0]["location"]["path"],
            "dir with blanks/100%,a:b\"c'<&>\n\x1b\xEF\xBF\xBD[x](1).cu");
  EXPECT_THAT(All[0]["message"].get<std::string>(),
              HasSubstr("<U+000A>::error::x<U+000D><U+0001><E9>"));
}

TEST(RdjsonWriter, NothingIsAnEmptyList) {
  EXPECT_EQ(read(std::span<const Document>()), Json::array());
  EXPECT_EQ(read(documentOf({unitOf("a.cu", {})})), Json::array());
}

TEST(RdjsonWriter, ThePageShowsARealExample) {
  EXPECT_EQ(pageExample("rdjson")["diagnostics"],
            read(contractDocument(), {{"a.cu", "struct vec3d {\n"}}));
}

} // namespace RdjsonWriterTests
