//===- tests/unit/report/JunitWriterTests.cpp - Checks as test cases ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JunitWriter.h"

#include "ReportDocuments.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

namespace JunitWriterTests {

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

/// What a parser of XML makes of \p Xml: see read_junit.py.
static Json parse(const std::string &Xml) {
  const auto File = std::filesystem::temp_directory_path() /
                    ("cuda-lint-junit-" + std::to_string(::getpid()) + ".xml");
  std::ofstream(File, std::ios::binary) << Xml;
  const std::string Command =
      std::string(CUDA_LINT_PYTHON) + " '" + CUDA_LINT_SOURCE_DIR +
      "/tests/unit/report/read_junit.py' '" + File.string() + "'";
  std::string Out;
  if (FILE *Pipe = ::popen(Command.c_str(), "r")) {
    char Buffer[4096];
    while (const std::size_t Count =
               std::fread(Buffer, 1, sizeof(Buffer), Pipe))
      Out.append(Buffer, Count);
    EXPECT_EQ(::pclose(Pipe), 0) << Xml;
  }
  std::filesystem::remove(File);
  return Json::parse(Out);
}

/// The suites; checks that their counts are right.
static Json read(std::span<const Document> Documents,
                 const ReportPlaces &Places = InRoot) {
  const Json Root = parse(toJunit(Documents, Places));
  const auto expectCount = [](const Json &Of, const char *Name, std::size_t N) {
    EXPECT_EQ(Of[Name], std::to_string(N)) << Name;
  };
  std::map<std::string, std::size_t> All;
  for (const Json &Suite : Root["suites"]) {
    std::map<std::string, std::size_t> Own;
    std::set<std::string> Names;
    for (const Json &Case : Suite["cases"]) {
      ++Own[Case.value("outcome", "")];
      // By which Jenkins knows them.
      EXPECT_TRUE(Names
                      .insert(std::string(Case["classname"]) + " " +
                              std::string(Case["name"]))
                      .second);
    }
    expectCount(Suite, "tests", Suite["cases"].size());
    expectCount(Suite, "failures", Own["failure"]);
    expectCount(Suite, "errors", Own["error"]);
    expectCount(Suite, "skipped", Own["skipped"]);
    All["tests"] += Suite["cases"].size();
    for (const auto &[Name, N] : Own)
      All[Name] += N;
  }
  expectCount(Root, "tests", All["tests"]);
  expectCount(Root, "failures", All["failure"]);
  expectCount(Root, "errors", All["error"]);
  expectCount(Root, "skipped", All["skipped"]);
  return Root["suites"];
}

static Json read(const Document &Doc, const ReportPlaces &Places = InRoot) {
  return read(std::span(&Doc, 1), Places);
}

/// `analysis small-grid:failure`
static std::string casesOf(const Json &Suite) {
  std::string Out;
  for (const Json &Case : Suite["cases"]) {
    Out += (Out.empty() ? "" : " ") + std::string(Case["name"]);
    if (const std::string How = Case.value("outcome", ""); !How.empty())
      Out += ":" + How;
  }
  return Out;
}

static RuleRecord ruleOf(std::string Name) {
  return {.Name = std::move(Name), .Summary = "finds"};
}

TEST(JunitWriter, LooksAsJenkinsReadsIt) {
  Document Doc = contractDocument();
  Doc.Rules = {ruleOf("global-uncoalesced"), ruleOf("hot-atomic")};
  EXPECT_EQ(toJunit(std::span(&Doc, 1), InRoot),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="cuda-lint" tests="3" failures="1" errors="0" skipped="0">
 <testsuite name="a.cu" tests="3" failures="1" errors="0" skipped="0">
  <testcase classname="cuda-lint.a_cu" name="analysis" file="a.cu"/>
  <testcase classname="cuda-lint.a_cu" name="global-uncoalesced" file="a.cu" line="6">
   <failure message="load touches 12 sectors per request, ideal 4; align 'vec3d' to 16 bytes" type="warning">a.cu:6:17: warning: load touches 12 sectors per request, ideal 4; align 'vec3d' to 16 bytes
  wastes 67 % of the sectors of 'func'; 4 times a warp; called at line 20
</failure>
  </testcase>
  <testcase classname="cuda-lint.a_cu" name="hot-atomic" file="a.cu"/>
 </testsuite>
</testsuites>
)");
}

TEST(JunitWriter, ACheckIsOneCaseOfAFile) {
  Finding First = findingAt("a.cu", 6), Second = findingAt("a.cu", 9),
          Note = findingAt("a.cu", 12);
  Second.Level = Severity::Error;
  Note.Level = Severity::Note;
  First.What.Text = "three";
  Second.What.Text = "four";
  Note.What.Text = "five";
  const Json Suites = read(withFindings({First, Second, Note}));
  ASSERT_EQ(Suites.size(), 1u);
  EXPECT_EQ(casesOf(Suites[0]), "analysis small-grid:failure");
  const Json &Case = Suites[0]["cases"][1];
  EXPECT_EQ(Case["message"], "four (and 1 more)");
  EXPECT_EQ(Case["type"], "error");
  EXPECT_EQ(Case["line"], "9");
  EXPECT_EQ(Case["text"], "a.cu:9:3: error: four\na.cu:6:3: warning: three\n");
  EXPECT_EQ(Case["output"], "a.cu:12:3: note: five\n");
}

TEST(JunitWriter, NotesDoNotFail) {
  Finding Note = findingAt("a.cu", 12);
  Note.Level = Severity::Note;
  const Json Suites = read(withFindings({Note}));
  EXPECT_EQ(casesOf(Suites[0]), "analysis small-grid");
  EXPECT_THAT(Suites[0]["cases"][1]["output"].get<std::string>(),
              HasSubstr("note: grid of 3 blocks"));
}

TEST(JunitWriter, ChecksThatCouldNotLookAreSkipped) {
  Document Doc = documentOf({unitOf("a.cu", {})});
  Doc.Rules = {ruleOf("a-check"), ruleOf("b-check"), ruleOf("c-check")};
  Doc.Skipped = {{"a-check", true, "in part"}, {"b-check", false, "no SMs"}};
  const Json Suites = read(Doc);
  EXPECT_EQ(casesOf(Suites[0]), "analysis a-check b-check:skipped c-check");
  EXPECT_EQ(Suites[0]["cases"][2]["message"], "no SMs");
  // Another target has what it needs.
  std::vector<Document> Docs(2, Doc);
  Docs[1].Skipped.clear();
  EXPECT_EQ(casesOf(read(Docs)[0]), "analysis a-check b-check c-check");
}

TEST(JunitWriter, WhatWasNotReadIsAnErrorAndPassesNothing) {
  UnitRecord Failed = unitOf("a.cu", {}), Partial = unitOf("b.cu", {});
  Failed.Status = UnitStatus::Failed;
  Partial.Status = UnitStatus::Partial;
  Failed.Errors = {{{"x.h", 9, 1}, "no such type"}, {{}, "it stopped"}};
  Partial.Errors = {{{"x.h", 9, 1}, "no such type"}};
  Document Doc = documentOf({Failed, Partial});
  Doc.Rules = {ruleOf("a-check")};
  const Json Suites = read(std::vector(2, Doc));
  ASSERT_EQ(Suites.size(), 2u);
  EXPECT_EQ(casesOf(Suites[0]), "analysis:error");
  EXPECT_EQ(Suites[0]["cases"][0]["message"], "no such type");
  EXPECT_EQ(Suites[0]["cases"][0]["text"],
            "x.h:9:1: error: no such type\na.cu: error: it stopped\n");
  EXPECT_EQ(casesOf(Suites[1]), "analysis:error a-check");
  EXPECT_EQ(Suites[1]["cases"][0]["text"], "x.h:9:1: error: no such type\n");
  // Without a reason, too.
  Doc.Units[0].Errors.clear();
  EXPECT_EQ(casesOf(read(Doc)[0]), "analysis:error");
}

TEST(JunitWriter, FilesThatWereIncludedComeLast) {
  Document Doc =
      documentOf({unitOf("z.cu", {findingAt("x10.h", 1), findingAt("x2.h", 1)}),
                  unitOf("a.cu", {findingAt("a.cu", 1)})});
  Doc.Rules = {ruleOf("a-check")};
  Doc.Units[0].Findings[0].Check = "other";
  std::vector<std::string> Names, Cases;
  for (const Json &Suite : read(Doc)) {
    Names.push_back(Suite["name"]);
    Cases.push_back(casesOf(Suite));
  }
  EXPECT_THAT(Names, ElementsAre("z.cu", "a.cu", "x2.h", "x10.h"));
  EXPECT_THAT(Cases, ElementsAre("analysis a-check other small-grid",
                                 "analysis a-check other small-grid:failure",
                                 "small-grid:failure", "other:failure"));
}

TEST(JunitWriter, AGroupIsToldInOneFileForAllTargets) {
  const Json Suites = read(std::vector(2, groupDocument()));
  ASSERT_EQ(Suites.size(), 1u);
  EXPECT_THAT(Suites[0]["cases"][1]["text"].get<std::string>(),
              HasSubstr("also at line 7, src/b.cuh:4"));
}

TEST(JunitWriter, NamesAreRelativeToTheRoot) {
  const Json Suites =
      read(documentOf({unitOf("../src/a.cu", {findingAt("../src/a.cu", 6)})}),
           {.Root = "/repo", .Current = "/repo/build"});
  ASSERT_EQ(Suites.size(), 1u);
  EXPECT_EQ(Suites[0]["name"], "src/a.cu");
  EXPECT_EQ(Suites[0]["cases"][1]["file"], "src/a.cu");
  EXPECT_EQ(Suites[0]["cases"][1]["classname"], "cuda-lint.src/a_cu");
}

TEST(JunitWriter, WhateverTheTextsAreItIsXml) {
  const Json Suites = read(hostileDocument());
  EXPECT_EQ(Suites[0]["name"],
            "dir with blanks/100%,a:b\"c'<&><U+000A><U+001B><FF>[x](1).cu");
  EXPECT_THAT(Suites[0]["cases"][1]["message"].get<std::string>(),
              HasSubstr("a%b,c:d\"e'<f>&]]><U+000A>::error::x<U+000D><U+0001>"
                        "<E9> {0} f[i](x) <U+202E>"));
  std::string All;
  for (int C = 0; C != 256; ++C)
    All += static_cast<char>(C);
  All += "\xEF\xBF\xBE\xEF\xBF\xBF\xED\xA0\x80"; // U+FFFE, and half a pair
  Finding F = findingAt("a.cu", 6);
  F.Check = F.Where.File = All;
  F.What = {"x", "{x}", {{"x", All}}};
  EXPECT_EQ(read(withFindings({F})).size(), 2u);
}

TEST(JunitWriter, NothingIsNoSuite) {
  EXPECT_EQ(read(std::span<const Document>()), Json::array());
}

} // namespace JunitWriterTests
