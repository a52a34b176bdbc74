//===- tests/unit/report/SarifWriterTests.cpp - Problems as SARIF 2.1.0 ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SarifWriter.h"

#include "ReportDocuments.h"
#include "SchemaCheck.h"

#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace SarifWriterTests {

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::json;

static Json runOf(std::span<const Document> Documents, const Texts &Known = {},
                  const ReportPlaces &Places = InRoot) {
  const Json Log = Json::parse(toSarif(Documents, Places, sourceOf(Known)));
  EXPECT_EQ(Log["runs"].size(), 1u);
  return Log["runs"][0];
}

static Json runOf(const Document &Doc, const Texts &Known = {},
                  const ReportPlaces &Places = InRoot) {
  return runOf(std::span(&Doc, 1), Known, Places);
}

static Json resultOf(const Document &Doc, const Texts &Known = {}) {
  const Json Results = runOf(Doc, Known)["results"];
  EXPECT_EQ(Results.size(), 1u);
  return Results[0];
}

static Json regionOf(const Json &Result) {
  return Result["locations"][0]["physicalLocation"]["region"];
}

static std::string uriOf(const Json &Location) {
  return Location["physicalLocation"]["artifactLocation"]["uri"];
}

static RuleRecord ruleOf(std::string Name) {
  return {.Name = std::move(Name),
          .Summary = "finds grids that leave SMs idle",
          .Default = Severity::Note,
          .Why = "\nA block runs\non one SM.\n\nMore.\n",
          .Bad = "k<<<1, 32>>>();\n",
          .Good = "k<<<132, 32>>>();",
          .Limits = "Silent if the grid is not known.",
          .Proof = "the waves of a launch"};
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

TEST(SarifWriter, HasWhatCodeScanningRequires) {
  Document Doc = contractDocument();
  Doc.Rules = {ruleOf("global-uncoalesced")};
  const Json Log =
      Json::parse(toSarif(std::span(&Doc, 1), InRoot, sourceOf({})));
  EXPECT_THAT(Log["$schema"].get<std::string>(), HasSubstr("sarif-2.1.0"));
  EXPECT_EQ(Log["version"], "2.1.0");
  const Json Driver = Log["runs"][0]["tool"]["driver"];
  EXPECT_EQ(Driver["name"], "cuda-lint");
  EXPECT_EQ(Driver["version"], "0.1.0");
  for (const char *Path :
       {"/id", "/shortDescription/text", "/fullDescription/text", "/help/text"})
    EXPECT_NE(Driver["rules"][0].value(Json::json_pointer(Path), ""), "")
        << Path;
  const Json Result = Log["runs"][0]["results"][0];
  EXPECT_EQ(Result["ruleId"], "global-uncoalesced");
  EXPECT_EQ(Result["ruleIndex"], 0);
  EXPECT_EQ(Result["level"], "warning");
  EXPECT_EQ(Result["message"]["text"],
            "load touches 12 sectors per request, ideal 4; align 'vec3d' to 16 "
            "bytes.\nwastes 67 % of the sectors of 'func'; 4 times a warp; "
            "called at line 20.");
  EXPECT_EQ(uriOf(Result["locations"][0]), "a.cu");
  EXPECT_EQ(regionOf(Result), Json::parse(R"({"startLine": 6, "startColumn": 10,
                                  "endLine": 6, "endColumn": 20})"));
  EXPECT_EQ(Result["partialFingerprints"],
            Json::parse(R"({"cudaLint/v1": "0123456789abcdef:1"})"));
}

TEST(SarifWriter, RulesSayAllThatIsKnown) {
  Document Doc = documentOf({});
  Doc.Rules = {ruleOf("small-grid")};
  const Json Rule = runOf(Doc)["tool"]["driver"]["rules"][0];
  EXPECT_EQ(Rule["shortDescription"]["text"],
            "Finds grids that leave SMs idle.");
  EXPECT_EQ(Rule["fullDescription"]["text"], "A block runs on one SM.");
  EXPECT_EQ(Rule["defaultConfiguration"]["level"], "note");
  EXPECT_EQ(Rule["properties"]["problem.severity"], "recommendation");
  EXPECT_EQ(Rule["help"]["markdown"],
            "## Why\n\nA block runs\non one SM.\n\nMore.\n\n"
            "## Example\n\n```cuda\nk<<<1, 32>>>();\n```\n\n"
            "## What it becomes\n\n```cuda\nk<<<132, 32>>>();\n```\n\n"
            "## Limits\n\nSilent if the grid is not known.\n\n"
            "## Proof\n\nthe waves of a launch");
  EXPECT_THAT(Rule["help"]["text"].get<std::string>(), Not(HasSubstr("#")));
}

TEST(SarifWriter, ADescriptionIsNoLongerThanCodeScanningTakes) {
  Document Doc = documentOf({});
  Doc.Rules = {ruleOf("small-grid")};
  Doc.Rules[0].Why.clear();
  for (int I = 0; I != 500; ++I)
    Doc.Rules[0].Why += "\xC3\xA9t\xC3\xA9 ";
  const std::string Text =
      runOf(Doc)["tool"]["driver"]["rules"][0]["fullDescription"]["text"];
  EXPECT_LE(Text.size(), 1024u);
  EXPECT_THAT(Text, EndsWith("\xC3\xA9t\xC3\xA9 ..."));
}

TEST(SarifWriter, EachRuleOnceAndEachResultHasOne) {
  std::vector<Document> Docs(2, withFindings({findingAt("a.cu", 6)}));
  for (Document &Doc : Docs)
    Doc.Rules = {ruleOf("hot-atomic"), ruleOf("other")};
  Docs[1].Units[0].Findings[0].Check = "unheard-of";
  const Json Run = runOf(Docs);
  const Json &Rules = Run["tool"]["driver"]["rules"];
  std::vector<std::string> Names;
  for (const Json &Each : Rules)
    Names.push_back(Each["id"]);
  EXPECT_EQ(std::set<std::string>(Names.begin(), Names.end()).size(), 4u);
  ASSERT_EQ(Run["results"].size(), 2u);
  for (const Json &Each : Run["results"])
    EXPECT_EQ(Names.at(Each["ruleIndex"]), Each["ruleId"].get<std::string>());
}

TEST(SarifWriter, ARunThatReadAllWasSuccessful) {
  const Json Run = runOf(documentOf({unitOf("a.cu", {})}));
  EXPECT_EQ(Run["invocations"], Json::parse(R"([{"executionSuccessful":
                                                 true}])"));
  EXPECT_EQ(Run["results"], Json::array());
}

TEST(SarifWriter, ErrorsAndChecksThatCouldNotLookAreNotifications) {
  UnitRecord Unit = unitOf("a.cu", {});
  Unit.Status = UnitStatus::Failed;
  Unit.Errors = {{{"b.h", 9, 1}, "no such type"}, {{}, "it crashed"}};
  Unit.Notes = {{{"a.cu", 3, 1}, "not looked at"}};
  UnitRecord Other = Unit; // The header is in both.
  Other.File = "c.cu";
  Document Doc = documentOf({Unit, Other});
  Doc.Rules = {ruleOf("hot-atomic"), ruleOf("small-grid")};
  Doc.Skipped = {{"small-grid", false, "needs the SMs"}};
  const Json Said = runOf(std::vector(2, Doc))["invocations"][0];
  EXPECT_EQ(Said["executionSuccessful"], false);
  const Json &Errors = Said["toolExecutionNotifications"];
  ASSERT_EQ(Errors.size(), 4u) << Errors;
  EXPECT_EQ(Errors[0]["level"], "error");
  EXPECT_EQ(Errors[0]["message"]["text"], "no such type.");
  EXPECT_EQ(uriOf(Errors[0]["locations"][0]), "b.h");
  EXPECT_EQ(uriOf(Errors[1]["locations"][0]), "a.cu");
  EXPECT_EQ(uriOf(Errors[2]["locations"][0]), "c.cu");
  EXPECT_EQ(Errors[3]["level"], "note");
  const Json &Checks = Said["toolConfigurationNotifications"];
  ASSERT_EQ(Checks.size(), 1u);
  EXPECT_EQ(Checks[0]["message"]["text"],
            "not looked for: small-grid (needs the SMs).");
  EXPECT_EQ(Checks[0]["associatedRule"],
            Json::parse(R"({"id": "small-grid", "index": 1})"));
}

TEST(SarifWriter, ACheckThatOneTargetLacksIsLookedForInPart) {
  std::vector<Document> Docs(2, documentOf({}));
  Docs[1].Skipped = {{"small-grid", false, "needs the SMs"}};
  EXPECT_EQ(runOf(Docs)["invocations"][0]["toolConfigurationNotifications"][0]
                       ["message"]["text"],
            "looked for in part: small-grid (needs the SMs).");
}

TEST(SarifWriter, NoDocumentsAreARunWithoutResults) {
  const Json Run = runOf(std::span<const Document>());
  EXPECT_EQ(Run["results"], Json::array());
  EXPECT_EQ(Run["tool"]["driver"]["rules"], Json::array());
  EXPECT_FALSE(Run["tool"]["driver"].contains("version"));
}

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

TEST(SarifWriter, AProblemIsOneResultThatLinksItsOtherPlaces) {
  const Json Result = resultOf(groupDocument());
  EXPECT_EQ(regionOf(Result)["startLine"], 6);
  EXPECT_EQ(Result["locations"].size(), 1u);
  EXPECT_THAT(
      Result["message"]["text"].get<std::string>(),
      AllOf(StartsWith("store takes 4 wavefronts; leave 4 bytes free.\n"),
            EndsWith("\nOther places: [a.cu:7](1), [src/b.cuh:4](2).")));
  const Json &Related = Result["relatedLocations"];
  ASSERT_EQ(Related.size(), 3u);
  for (std::size_t I = 0; I != Related.size(); ++I)
    EXPECT_EQ(Related[I]["id"], I + 1);
  EXPECT_EQ(Related[0]["message"]["text"],
            "store takes 4 wavefronts, in 'sum()'");
  EXPECT_EQ(Related[0]["physicalLocation"]["region"],
            Json::parse(R"({"startLine": 7, "startColumn": 5,
                            "endLine": 7, "endColumn": 12})"));
  EXPECT_EQ(uriOf(Related[1]), "src/b.cuh");
  EXPECT_EQ(Related[2]["message"]["text"], "kernel 'sum()'");
  EXPECT_DOUBLE_EQ(Result["rank"].get<double>(), 75);
  EXPECT_EQ(Result["properties"]["kernels"], Json::array({"sum()"}));
  EXPECT_EQ(Result["properties"]["prediction"],
            Json::parse(R"({"metric": "wavefronts_per_request",
                            "value": 4.0, "ideal": 1.0})"));
}

TEST(SarifWriter, TargetsShareTheirResults) {
  std::vector<Document> Docs(2, groupDocument());
  Docs[1].Target.Name = "t4";
  const Json Results = runOf(Docs)["results"];
  ASSERT_EQ(Results.size(), 1u);
  EXPECT_EQ(Results[0]["properties"]["targets"], Json::array({"h200", "t4"}));
  EXPECT_EQ(Results[0]["relatedLocations"].size(), 3u);
}

TEST(SarifWriter, NoMoreLocationsThanCodeScanningTakes) {
  Document Doc = groupDocument();
  std::vector<Finding> &All = Doc.Units[0].Findings;
  All.resize(1);
  for (unsigned Line = 100; Line != 1500; ++Line) {
    All.push_back(All.front());
    All.back().Where.Line = Line;
    All.back().Meant = {};
  }
  All[0].InlinedAt.assign(20000, {"a.cu", 3, 3});
  const Json Result = resultOf(Doc);
  EXPECT_EQ(Result["relatedLocations"].size(), 100u);
  EXPECT_LE(Result["message"]["text"].get<std::string>().size(), 1000u);
  EXPECT_EQ(Result["codeFlows"][0]["threadFlows"][0]["locations"].size(), 101u);
}

TEST(SarifWriter, TheDearestIsFirstAndNotesAreLast) {
  Finding Note = findingAt("a.cu", 1), Cheap = findingAt("a.cu", 2),
          Dear = findingAt("a.cu", 3), Error = findingAt("a.cu", 4);
  Note.Level = Severity::Note;
  Error.Level = Severity::Error;
  Note.Check = "a-note";
  Error.Check = "an-error";
  Dear.Check = "dear";
  Cheap.Wasted = Waste{.Unit = "sectors", .OfKernel = 0.2};
  Dear.Wasted = Waste{.Unit = "sectors", .OfKernel = 0.8};
  std::vector<std::string> Levels, Rules;
  const Json Run = runOf(withFindings({Note, Cheap, Dear, Error}));
  for (const Json &Each : Run["results"]) {
    Levels.push_back(Each["level"]);
    Rules.push_back(Each["ruleId"]);
  }
  EXPECT_THAT(Levels, ElementsAre("error", "warning", "warning", "note"));
  EXPECT_THAT(Rules, ElementsAre("an-error", "dear", "small-grid", "a-note"));
}

TEST(SarifWriter, SilencedFindingsAreSuppressedResults) {
  UnitRecord Unit = unitOf("a.cu", {});
  Finding F = findingAt("a.cu", 6);
  F.Fingerprint = "00000000000000aa";
  F.Occurrence = 2;
  Unit.Silenced = {{F, Silencer::Comment, {"a.cu", 5, 1}},
                   {F, Silencer::Comment, {"a.cu", 5, 1}}, // Another kernel.
                   {findingAt("a.cu", 9), Silencer::Baseline, {}}};
  const Json Results = runOf(std::vector(2, documentOf({Unit})))["results"];
  ASSERT_EQ(Results.size(), 2u);
  const Json &ByComment = Results[0]["suppressions"];
  ASSERT_EQ(ByComment.size(), 1u);
  EXPECT_EQ(ByComment[0]["kind"], "inSource");
  EXPECT_EQ(ByComment[0]["location"]["physicalLocation"]["region"]["startLine"],
            5);
  EXPECT_EQ(Results[0]["partialFingerprints"]["cudaLint/v1"],
            "00000000000000aa:2");
  EXPECT_EQ(regionOf(Results[0])["startLine"], 6);
  EXPECT_EQ(Results[1]["suppressions"][0]["kind"], "external");
  EXPECT_FALSE(Results[1]["suppressions"][0].contains("location"));
}

TEST(SarifWriter, ToldFindingsAreNotSuppressed) {
  EXPECT_FALSE(resultOf(contractDocument()).contains("suppressions"));
}

TEST(SarifWriter, WhatIsNotKnownIsLeftOut) {
  Finding F;
  F.Check = "small-grid";
  F.What = {"small", "grid of 3 blocks", {}};
  F.Predicted = Prediction{"m", std::numeric_limits<double>::quiet_NaN(), {}};
  const Json Result = resultOf(withFindings({F}));
  for (const char *Name : {"rank", "partialFingerprints", "fixes", "codeFlows",
                           "relatedLocations", "suppressions"})
    EXPECT_FALSE(Result.contains(Name)) << Name;
  EXPECT_FALSE(Result["properties"].contains("prediction"));
  // The file that it was found in, as code scanning wants some place.
  EXPECT_EQ(uriOf(Result["locations"][0]), "a.cu");
  EXPECT_FALSE(Result["locations"][0]["physicalLocation"].contains("region"));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

TEST(SarifWriter, NamesBelowTheRootAreRelativeToIt) {
  const ReportPlaces Places = {.Root = "/repo", .Current = "/repo/build"};
  Document Doc =
      documentOf({unitOf("../src/a b.cu", {findingAt("../src/a b.cu", 1)}),
                  unitOf("b.cu", {findingAt("/usr/x.h", 1)})});
  Doc.Units[1].Findings[0].Check = "other";
  std::map<std::string, bool> Uris;
  const Json Run = runOf(Doc, {}, Places);
  for (const Json &Each : Run["results"]) {
    const Json &At =
        Each["locations"][0]["physicalLocation"]["artifactLocation"];
    Uris[At["uri"]] = At.value("uriBaseId", "") == "%SRCROOT%";
  }
  EXPECT_EQ(Uris, (std::map<std::string, bool>{{"src/a%20b.cu", true},
                                               {"file:///usr/x.h", false}}));
}

TEST(SarifWriter, TheRootItselfIsNotWritten) {
  Document Doc = contractDocument();
  EXPECT_THAT(toSarif(std::span(&Doc, 1), {.Root = "/a/secret"}, sourceOf({})),
              Not(HasSubstr("secret")));
}

TEST(SarifWriter, ColumnsCountUtf16) {
  Finding F = findingAt("a.cu", 2, 8);
  F.Meant = {{"a.cu", 2, 8}, {"a.cu", 2, 11}};
  // A comment in Latin-1, Windows's line ends, an accent and an emoji.
  const Texts Known = {
      {"a.cu", "// \xE9\r\n\xC3\xA9 \xF0\x9F\x98\x80xyz;\r\n"}};
  EXPECT_EQ(runOf(withFindings({F}))["columnKind"], "utf16CodeUnits");
  EXPECT_EQ(regionOf(resultOf(withFindings({F}), Known)),
            Json::parse(R"({"startLine": 2, "startColumn": 5,
                            "endLine": 2, "endColumn": 8})"));
  F.Meant = {};
  EXPECT_EQ(regionOf(resultOf(withFindings({F}), Known)),
            Json::parse(R"({"startLine": 2, "startColumn": 5,
                            "endLine": 2, "endColumn": 6})"));
}

TEST(SarifWriter, CallsAreAFlowFromTheOutermostToThePlace) {
  Document Doc = contractDocument();
  Doc.Units[0].Findings[0].InlinedAt = {{"a.cu", 20, 5}, {"b.cuh", 30, 1}};
  const Json Steps =
      resultOf(Doc)["codeFlows"][0]["threadFlows"][0]["locations"];
  std::vector<int> Lines;
  for (const Json &Each : Steps)
    Lines.push_back(
        Each["location"]["physicalLocation"]["region"]["startLine"]);
  EXPECT_THAT(Lines, ElementsAre(30, 20, 6));
}

TEST(SarifWriter, IncludesAreRelationsOfThePlace) {
  Document Doc = withFindings({findingAt("b.cuh", 3)});
  Doc.Units[0].Findings[0].IncludedFrom = {{"a.cu", 1, 1}};
  const Json Result = resultOf(Doc);
  const Json &Here = Result["locations"][0];
  EXPECT_EQ(Here["relationships"],
            Json::parse(R"([{"target": 1, "kinds": ["isIncludedBy"]}])"));
  EXPECT_EQ(uriOf(Result["relatedLocations"][0]), "a.cu");
  EXPECT_NE(Here["id"], Result["relatedLocations"][0]["id"]);
}

//===----------------------------------------------------------------------===//
// Fixes
//===----------------------------------------------------------------------===//

TEST(SarifWriter, FixesAreByTextAndByBytes) {
  Document Doc = withFindings({findingAt("a.cu", 1)});
  Doc.Units[0].Findings[0].Fixes = {
      {"swap",
       FixSafety::Safe,
       {{"b.h", 0, 0, "z"}, {"a.cu", 5, 2, "yy"}, {"a.cu", 2, 1, ""}}},
      {"words alone", FixSafety::Advice, {}}};
  const Json Fixes = resultOf(Doc, {{"a.cu", "\xC3\xA9x\r\nuv\n"}})["fixes"];
  ASSERT_EQ(Fixes.size(), 1u);
  EXPECT_EQ(Fixes[0]["description"]["text"], "swap");
  const Json &Changes = Fixes[0]["artifactChanges"];
  ASSERT_EQ(Changes.size(), 2u);
  EXPECT_EQ(Changes[0]["artifactLocation"]["uri"], "a.cu");
  EXPECT_EQ(Changes[0]["replacements"], Json::parse(R"([
      {"deletedRegion": {"startLine": 1, "startColumn": 2, "endLine": 1,
                         "endColumn": 3, "byteOffset": 2, "byteLength": 1},
       "insertedContent": {"text": ""}},
      {"deletedRegion": {"startLine": 2, "startColumn": 1, "endLine": 2,
                         "endColumn": 3, "byteOffset": 5, "byteLength": 2},
       "insertedContent": {"text": "yy"}}])"));
  // Its text is not known.
  EXPECT_EQ(Changes[1]["replacements"][0]["deletedRegion"],
            Json::parse(R"({"byteOffset": 0, "byteLength": 0})"));
}

TEST(SarifWriter, AnInsertionIsEmptyInItsFile) {
  Document Doc = withFindings({findingAt("a.cu", 1)});
  Doc.Units[0].Findings[0].Fixes = {
      {"add", FixSafety::Safe, {{"a.cu", 1, 0, "z"}}}};
  EXPECT_EQ(
      resultOf(Doc, {{"a.cu", "abc\n"}})["fixes"][0]["artifactChanges"][0]
                                        ["replacements"][0]["deletedRegion"],
      Json::parse(R"({"startLine": 1, "startColumn": 2, "endLine": 1,
                            "endColumn": 2, "byteOffset": 1,
                            "byteLength": 0})"));
}

//===----------------------------------------------------------------------===//
// Hostile input
//===----------------------------------------------------------------------===//

TEST(SarifWriter, WhatIsHostileIsShownAsItIs) {
  const Json Run = runOf(hostileDocument());
  const Json &Result = Run["results"][0];
  const std::string Text = Result["message"]["text"];
  EXPECT_THAT(Text, HasSubstr("a%b,c:d\"e'<f>&]]><U+000A>::error::x<U+000D>"
                              "<U+0001><E9> { 0} f[i] (x) <U+202E>"));
  EXPECT_THAT(Text, Not(HasSubstr("](")));
  EXPECT_EQ(uriOf(Result["locations"][0]),
            "dir%20with%20blanks/100%25,a%3Ab%22c'%3C&%3E%0A%1B%FF%5Bx%5D(1)"
            ".cu");
}

TEST(SarifWriter, NothingHidesOrTurnsAround) {
  const Document Doc = hostileDocument();
  const std::string Text = toSarif(std::span(&Doc, 1), InRoot, sourceOf({}));
  for (const char *Hidden : {"\xE2\x80\xAE", "\\u0001", "\\r"})
    EXPECT_THAT(Text, Not(HasSubstr(Hidden)));
}

TEST(SarifWriter, ALinkIsNotEndedByAName) {
  Document Doc = groupDocument();
  Doc.Units[0].Findings[1].Where.File = "a](9)[b.cu";
  EXPECT_THAT(resultOf(Doc)["message"]["text"].get<std::string>(),
              HasSubstr("Other places: [a_(9)_b.cu:7](1), "));
}

//===----------------------------------------------------------------------===//
// The schema
//===----------------------------------------------------------------------===//

static constexpr const char *Schema =
    CUDA_LINT_SOURCE_DIR "/build/schemas/sarif-2.1.0.json";

namespace {
class SarifSchema : public testing::Test {
protected:
  void SetUp() override {
    // Skipped, nobody would see that nothing is tested.
    ASSERT_TRUE(std::filesystem::exists(Schema))
        << "run `scripts/setup --tests`, which fetches the schema";
    ASSERT_NE(validateJson({"{}"}, Schema), 77)
        << "run `scripts/setup`, which installs python3-jsonschema";
  }

  static int validate(std::span<const Document> Documents,
                      const Texts &Known = {}) {
    return validateJson({toSarif(Documents, InRoot, sourceOf(Known))}, Schema);
  }
  static int validate(const Document &Doc, const Texts &Known = {}) {
    return validate(std::span(&Doc, 1), Known);
  }
};
} // namespace

TEST_F(SarifSchema, TakesWhatTheWriterMakes) {
  EXPECT_EQ(validate(contractDocument()), 0);
  EXPECT_EQ(validate(groupDocument()), 0);
  EXPECT_EQ(validate(hostileDocument()), 0);
  EXPECT_EQ(validate(hostileDocument(), {{HostileName, "a\nb\n"}}), 0);
  EXPECT_EQ(validate(std::span<const Document>()), 0);
  EXPECT_EQ(validate(documentOf({unitOf("a.cu", {})})), 0);
  EXPECT_EQ(validate(withFindings({Finding()})), 0);
}

TEST_F(SarifSchema, TakesAllThatThereCanBe) {
  Document Doc = groupDocument();
  Doc.Rules = {ruleOf("shared-bank-conflict"), {.Name = "bare", .Summary = ""}};
  Finding &F = Doc.Units[0].Findings[0];
  F.Macros = {{"M", {"m.h", 1, 9}}, {"N", {}}};
  F.IncludedFrom = {{"a.cu", 1, 0}, {"z.cu", 0, 0}};
  F.InlinedAt = {{"a.cu", 0, 0}};
  F.Executions = std::numeric_limits<double>::infinity();
  F.Predicted->Ideal = std::numeric_limits<double>::quiet_NaN();
  F.Wasted->OfKernel = 7; // No share, and no rank.
  F.Fixes = {{"x", FixSafety::Layout, {{"a.cu", 0, 1, "\xFF"}}},
             {"y", FixSafety::Advice, {}}};
  Doc.Units[0].Silenced = {{F, Silencer::Comment, {"a.cu", 1, 1}},
                           {F, Silencer::Baseline, {}}};
  Doc.Units[0].Errors = {{{"a.cu", 1, 1}, "e"}, {{}, ""}};
  Doc.Units[0].Notes = {{{"a.cu", 1, 1}, "n"}};
  Doc.Units[0].Status = UnitStatus::Partial;
  Doc.Skipped = {{"bare", false, "w"}, {"unheard-of", true, "w"}};
  EXPECT_EQ(validate(std::vector(2, Doc), {{"a.cu", "abc\n"}}), 0);
}

TEST_F(SarifSchema, RefusesWhatTheStandardForbids) {
  const Document Doc = contractDocument();
  const Json Good =
      Json::parse(toSarif(std::span(&Doc, 1), InRoot, sourceOf({})));
  struct {
    const char *Path;
    Json Value;
  } Faults[] = {
      {"/version", "2.2"},
      {"/runs/0/columnKind", "bytes"},
      {"/runs/0/results/0/level", "fatal"},
      {"/runs/0/results/0/rank", 101},
      {"/runs/0/results/0/new", 1},
      {"/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0},
      {"/runs/0/results/0/message", Json::object()},
      {"/runs/0/invocations/0", Json::object()},
  };
  std::vector<std::string> Texts;
  for (const auto &[Path, Value] : Faults) {
    Json Bad = Good;
    Bad[Json::json_pointer(Path)] = Value;
    Texts.push_back(Bad.dump());
  }
  EXPECT_EQ(validateJson(Texts, Schema, "--expect-invalid"), 0)
      << "by its number, one of the above is valid";
}

} // namespace SarifWriterTests
