//===- tests/unit/report/JsonWriterTests.cpp - The format cuda-lint/1 -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonWriter.h"

#include "report/DocumentOrder.h"

#include "ContractDocument.h"
#include "SchemaCheck.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace JsonWriterTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

static std::string write(const Document &Doc) {
  return toJson(std::span(&Doc, 1));
}

/// What a reader gets for \p Doc; throws when it is not JSON.
static Json readBack(const Document &Doc) { return Json::parse(write(Doc)); }

static Document withFinding(Finding F) {
  return {"0.1.0",
          {"sm_90", "9.0", {}},
          {{.File = "a.cu",
            .Status = {},
            .Errors = {},
            .Kernels = {},
            .Findings = {std::move(F)}}}};
}

static Document withAccess(AccessRecord A) {
  KernelRecord K;
  K.Name = "k";
  K.Accesses = {std::move(A)};
  return {"0.1.0",
          {"sm_90", "9.0", {}},
          {{.File = "a.cu",
            .Status = {},
            .Errors = {},
            .Kernels = {std::move(K)},
            .Findings = {}}}};
}

//===----------------------------------------------------------------------===//
// Form
//===----------------------------------------------------------------------===//

TEST(JsonWriter, WritesTheContractByteForByte) {
  EXPECT_EQ(write(contractDocument()),
            R"json({
  "schema": "cuda-lint/1",
  "tool": {"name":"cuda-lint","version":"0.1.0"},
  "target": {"name":"h200","compute_capability":"9.0","sms":132},
  "rules": [],
  "skipped": [],
  "units": [
    {
      "file": "a.cu",
      "status": "ok",
      "errors": [],
      "notes": [],
      "sources": [
        {"file":"a.cu","bytes":861,"xxh3":"0c0b7e2a4b6f1d3e"}
      ],
      "kernels": [
        {
          "name": "_Z4funcP5vec3dPf",
          "signature": "func(vec3d *, float *)",
          "template": null,
          "template_arguments": [],
          "file": "a.cu",
          "line": 4,
          "resources": {"registers":12,"shared_bytes":0,"local_bytes":0,"spill_stores":0,"spill_loads":0,"barriers":0,"source":"nvcc"},
          "static_shared_bytes": 0,
          "launches": [
            {"file":"a.cu","line":30,"column":3,"grid":[64,1,1],"block":[256,1,1],"dynamic_shared_bytes":0,"shared_memory_opt_in":false,"source":"launch","occupancy":{"blocks_per_sm":8,"warps_per_sm":64,"ratio":1.0,"limiter":"warps","limits":{"warps":8,"blocks":32,"registers":16,"shared":null,"barriers":null},"waves":0.06,"rounds":1,"tail_waste":0.94,"next":[]},"verdict":{"state":"runs","why":[]}}
          ],
          "accesses": [
            {"file":"a.cu","line":6,"column":17,"space":"global","op":"load","bytes":4,"unit":"sectors","per_request":12.0,"ideal":4.0,"least":null,"most":null,"expectation":null,"by_power":null,"lanes":32.0,"executions":4.0,"not_counted_because":null,"certainty":"assumed","assumptions":["data is 256-byte aligned"],"unknown_because":null,"block":[256,1,1],"loop_depth":0,"inlined_at":[{"file":"a.cu","line":20,"column":5}],"compiled":{"opcode":"LDG","bytes":4,"offset":96,"predicated":false,"loop_depth":0},"written":null}
          ],
          "removed": [
            {"file":"a.cu","line":9,"column":5,"space":"shared","op":"load","bytes":4,"why":"the compiled code has no instruction for it","inlined_at":[]}
          ],
          "totals": [
            {"block":[256,1,1],"grid":[64,1,1],"warps":512.0,"memory":[{"space":"global","unit":"sectors","certainty":"assumed","not_known_because":null,"per_warp":{"requests":4.0,"traffic":48.0,"ideal":16.0,"bytes":512.0},"per_launch":{"requests":2048.0,"traffic":24576.0,"ideal":8192.0,"bytes":262144.0}}],"footprint":{"loads":{"requested":4096.0,"distinct":4096.0,"sectors":384.0,"not_known_because":null},"stores":{"requested":0.0,"distinct":0.0,"sectors":0.0,"not_known_because":null},"arrays":[{"name":"data","op":"load","distinct":4096.0,"sectors":384.0}],"assumptions":["'data' is 256-byte aligned"]},"operations":{"not_known_because":null,"per_warp":{"half":0.0,"float":64.0,"double":0.0},"per_launch":{"half":0.0,"float":32768.0,"double":0.0}},"intensity":0.041666666666666664,"bounds":[{"resource":"l1","clocks_per_warp":12.0},{"resource":"issue","clocks_per_warp":1.25},{"resource":"float","clocks_per_warp":0.25}]}
          ]
        }
      ],
      "findings": [
        {"check":"global-uncoalesced","severity":"warning","file":"a.cu","line":6,"column":17,"kernel":"_Z4funcP5vec3dPf","message":"load touches 12 sectors per request, ideal 4; align 'vec3d' to 16 bytes","certainty":"assumed","assumptions":["data is 256-byte aligned"],"assumed":[{"kind":"alignment","about":null,"text":"data is 256-byte aligned"}],"prediction":{"metric":"sectors_per_request","value":12.0,"ideal":4.0},"fixes":[{"description":"align vec3d to 16 bytes","safety":"layout","edits":[{"file":"a.cu","offset":7,"length":0,"text":"__align__(16) "}]}],"begin":{"line":6,"column":10},"end":{"line":6,"column":20},"what":{"id":"traffic","text":"{access} touches {traffic} sectors per request, ideal {ideal}","values":{"access":"load","ideal":4.0,"traffic":12.0}},"cause":null,"remedy":{"id":"align-struct","text":"align '{struct}' to {alignment} bytes","values":{"alignment":16.0,"struct":"vec3d"}},"effect":null,"request":{"unit":"sectors","bytes":4,"addresses":[0,12,24,36,48,60,72,84,96,108,120,132,144,156,168,180,192,204,216,228,240,252,264,276,288,300,312,324,336,348,360,372],"cost":12,"ideal":4,"then":null},"others":0,"executions":4.0,"block":[256,1,1],"waste":{"unit":"sectors","per_warp":32.0,"in_all":16384.0,"share_of_kernel":0.6666666666666666,"share_of_program":0.6666666666666666,"estimate":null,"rough":false,"at_most":false},"group":1,"inlined_at":[{"file":"a.cu","line":20,"column":5}],"included_from":[],"macros":[],"subject":{"kind":"load","function":"func","name":"data[i].x","variable":"data","object":"data"},"fingerprint":"0123456789abcdef","occurrence":1}
      ],
      "silenced": []
    }
  ]
}
)json");
}

TEST(JsonWriter, NoDocumentsAreAnEmptyArray) { EXPECT_EQ(toJson({}), "[]\n"); }

TEST(JsonWriter, AnEmptyDocumentHasEmptyUnits) {
  EXPECT_EQ(write({"0.1.0", {"sm_70", "7.0", {}}, {}}),
            R"json({
  "schema": "cuda-lint/1",
  "tool": {"name":"cuda-lint","version":"0.1.0"},
  "target": {"name":"sm_70","compute_capability":"7.0","sms":null},
  "rules": [],
  "skipped": [],
  "units": []
}
)json");
}

TEST(JsonWriter, SeveralTargetsAreAnArrayInTheGivenOrder) {
  std::vector<Document> Docs(2, contractDocument());
  Docs[0].Target.Name = "t4";
  Json Read = Json::parse(toJson(Docs));
  ASSERT_TRUE(Read.is_array());
  ASSERT_EQ(Read.size(), 2u);
  EXPECT_EQ(Read[0]["target"]["name"], "t4");
  EXPECT_EQ(Read[1]["target"]["name"], "h200");
  EXPECT_EQ(Read[1]["units"], readBack(Docs[1])["units"]);
}

TEST(JsonWriter, ManyRecordsAreAllWritten) {
  Document Doc = contractDocument();
  std::vector<AccessRecord> &Accesses = Doc.Units[0].Kernels[0].Accesses;
  AccessRecord Model = Accesses[0];
  Accesses.assign(10000, Model);
  for (unsigned I = 0; I != Accesses.size(); ++I)
    Accesses[I].Where.Line = I + 1;
  Json Read = readBack(Doc)["units"][0]["kernels"][0]["accesses"];
  ASSERT_EQ(Read.size(), 10000u);
  EXPECT_EQ(Read.back()["line"], 10000);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST(JsonWriter, WhatIsNotKnownIsNull) {
  AccessRecord A;
  A.Trust = Certainty::Unknown;
  Document Doc = withAccess(A);
  LaunchRecord L;
  L.Block = {32, {}, {}};
  L.Occupancy.emplace();
  Doc.Units[0].Kernels[0].Launches = {L, {}};
  Finding F;
  F.Check = "small-grid";
  Doc.Units[0].Findings = {F};
  Doc.Target = {"mystery", "", {}};

  Json Read = readBack(Doc);
  EXPECT_EQ(Read["target"], Json::parse(R"({"name": "mystery",
      "compute_capability": null, "sms": null})"));
  Json Kernel = Read["units"][0]["kernels"][0];
  EXPECT_TRUE(Kernel["resources"].is_null());
  EXPECT_TRUE(Kernel["static_shared_bytes"].is_null());
  EXPECT_TRUE(Kernel["line"].is_null());
  EXPECT_EQ(Kernel["launches"][0],
            Json::parse(R"({"file": null, "line": null, "column": null,
      "grid": [null, null, null], "block": [32, null, null],
      "dynamic_shared_bytes": null, "shared_memory_opt_in": false,
      "source": "launch",
      "occupancy": {"blocks_per_sm": null, "warps_per_sm": null, "ratio": null,
                    "limiter": null, "limits": {"warps": null, "blocks": null,
                    "registers": null, "shared": null, "barriers": null},
                    "waves": null, "rounds": null, "tail_waste": null,
                    "next": []},
      "verdict": null})"));
  EXPECT_TRUE(Kernel["launches"][1]["occupancy"].is_null());
  Json Access = Kernel["accesses"][0];
  for (const char *Name :
       {"file", "line", "column", "per_request", "ideal", "lanes"})
    EXPECT_TRUE(Access[Name].is_null()) << Name;
  Json Found = Read["units"][0]["findings"][0];
  for (const char *Name : {"file", "line", "column", "kernel", "prediction"})
    EXPECT_TRUE(Found[Name].is_null()) << Name;
}

TEST(JsonWriter, UnknownAccessesCarryNoNumbers) {
  AccessRecord A;
  A.Trust = Certainty::Unknown;
  A.PerRequest = 32;
  A.Ideal = 4;
  Json Access = readBack(withAccess(A))["units"][0]["kernels"][0]["accesses"];
  EXPECT_TRUE(Access[0]["per_request"].is_null());
  EXPECT_TRUE(Access[0]["ideal"].is_null());
}

TEST(JsonWriter, AMeanOfDrawsSaysSo) {
  AccessRecord A;
  A.Trust = Certainty::Random;
  A.PerRequest = 3.5;
  A.Random = ExpectationRecord{.StandardError = 0.02, .IfEqual = 1};
  EXPECT_THAT(write(withAccess(A)),
              HasSubstr(R"("expectation":{"method":"drawn",)"
                        R"("standard_error":0.02,"if_equal":1.0})"));
  A.Random = ExpectationRecord{.IsExact = true, .IfEqual = 1};
  EXPECT_THAT(write(withAccess(A)), HasSubstr(R"({"method":"computed",)"));
}

TEST(JsonWriter, CostsByPowerAreWrittenOneByOne) {
  AccessRecord A;
  A.Least = 1;
  A.Most = 2;
  A.ByPower = CostByPower{
      .Symbol = "1 << n",
      .Assumptions = {"'1 << n' is 2 at most"},
      .Values = {{.Power = 1, .PerRequest = 1, .Ideal = 1, .Lanes = 32},
                 {.Power = 2, .PerRequest = 2, .Ideal = 1, .Lanes = 16}}};
  EXPECT_THAT(
      write(withAccess(A)),
      HasSubstr(
          R"("by_power":{"symbol":"1 << n","assumptions":["'1 << n' is 2 at most"],"values":[)"
          R"({"power":1,"per_request":1.0,"ideal":1.0,"lanes":32.0},)"
          R"({"power":2,"per_request":2.0,"ideal":1.0,"lanes":16.0}]})"));
}

TEST(JsonWriter, NotANumberAndInfinityAreNull) {
  double NaN = std::nan("");
  double Infinity = std::numeric_limits<double>::infinity();
  AccessRecord A;
  A.Trust = Certainty::Exact;
  A.PerRequest = NaN;
  A.Ideal = -Infinity;
  A.Lanes = Infinity;
  Document Doc = withAccess(A);
  Finding F;
  F.Predicted = Prediction{"m", Infinity, 4.0};
  Finding G;
  G.Predicted = Prediction{"m", 4.0, NaN};
  Doc.Units[0].Findings = {F, G};

  Json Unit = readBack(Doc)["units"][0];
  Json Access = Unit["kernels"][0]["accesses"][0];
  EXPECT_TRUE(Access["per_request"].is_null());
  EXPECT_TRUE(Access["ideal"].is_null());
  EXPECT_TRUE(Access["lanes"].is_null());
  EXPECT_TRUE(Unit["findings"][0]["prediction"].is_null());
  EXPECT_TRUE(Unit["findings"][1]["prediction"]["ideal"].is_null());
}

TEST(JsonWriter, NumbersAreShortAndStayNumbersOfTheirKind) {
  AccessRecord A;
  A.Trust = Certainty::Exact;
  A.PerRequest = 12.0;
  A.Ideal = 0.1;
  A.Lanes = 1.0 / 3;
  std::string Text = write(withAccess(A));
  EXPECT_THAT(Text, HasSubstr(R"("per_request":12.0,"ideal":0.1,)"));
  // 16 digits are the fewest that give back the same double.
  EXPECT_THAT(Text, HasSubstr(R"("lanes":0.3333333333333333,)"));
}

TEST(JsonWriter, RulesAreThoseOfTheFindings) {
  Document Doc = contractDocument();
  Doc.Rules = {{.Name = "global-uncoalesced", .Summary = "finds scattered"},
               {.Name = "small-grid", .Summary = "finds small grids"}};
  const Json Rules = readBack(Doc)["rules"];
  ASSERT_EQ(Rules.size(), 1u);
  EXPECT_EQ(Rules[0]["name"], "global-uncoalesced");
  EXPECT_EQ(Rules[0]["summary"], "finds scattered");
}

TEST(JsonWriter, LargeValuesKeepEveryDigit) {
  Finding F;
  F.Fixes = {{"d", FixSafety::Safe, {{"a.cu", UINT64_MAX, 1, ""}}}};
  EXPECT_THAT(write(withFinding(F)),
              HasSubstr(R"("offset":18446744073709551615,)"));
  Document Doc = contractDocument();
  Doc.Units[0].Kernels[0].Launches[0].Grid = {2147483648, -1, INT64_MIN};
  EXPECT_THAT(write(Doc),
              HasSubstr(R"("grid":[2147483648,-1,-9223372036854775808])"));
}

TEST(JsonWriter, EveryEnumeratorHasTheNameOfTheContract) {
  struct {
    MemorySpace Space;
    const char *Name;
  } Spaces[] = {{MemorySpace::Global, "global"},
                {MemorySpace::Shared, "shared"},
                {MemorySpace::Local, "local"},
                {MemorySpace::Constant, "constant"},
                {MemorySpace::Generic, "generic"}};
  for (auto [Space, Name] : Spaces) {
    AccessRecord A;
    A.Space = Space;
    EXPECT_THAT(write(withAccess(A)),
                HasSubstr(std::string("\"space\":\"") + Name + "\""));
  }
  AccessRecord A;
  A.Op = AccessOp::Store;
  EXPECT_THAT(write(withAccess(A)), HasSubstr(R"("op":"store")"));
  A.Op = AccessOp::Atomic;
  A.Unit = TrafficUnit::Wavefronts;
  EXPECT_THAT(write(withAccess(A)),
              HasSubstr(R"("op":"atomic","bytes":0,"unit":"wavefronts")"));

  Document Doc = contractDocument();
  std::pair<LaunchSource, const char *> Sources[] = {
      {LaunchSource::LaunchBounds, "launch_bounds"},
      {LaunchSource::User, "user"},
      {LaunchSource::Profile, "profile"},
      {LaunchSource::Usual, "usual"},
      {LaunchSource::Assumed, "assumed"}};
  for (auto [Source, Name] : Sources) {
    Doc.Units[0].Kernels[0].Launches[0].Source = Source;
    EXPECT_EQ(readBack(Doc)["units"][0]["kernels"][0]["launches"][0]["source"],
              Name);
  }
  std::pair<UnitStatus, const char *> Statuses[] = {
      {UnitStatus::Partial, "partial"}, {UnitStatus::Failed, "failed"}};
  for (auto [Status, Name] : Statuses) {
    Doc.Units[0].Status = Status;
    EXPECT_EQ(readBack(Doc)["units"][0]["status"], Name);
  }
  std::pair<Severity, const char *> Severities[] = {{Severity::Error, "error"},
                                                    {Severity::Note, "note"}};
  for (auto [Level, Name] : Severities) {
    Doc.Units[0].Findings[0].Level = Level;
    EXPECT_EQ(readBack(Doc)["units"][0]["findings"][0]["severity"], Name);
  }
}

//===----------------------------------------------------------------------===//
// Hostile text
//===----------------------------------------------------------------------===//

TEST(JsonWriter, TextThatIsNotUtf8IsReplacedNotThrown) {
  Finding F;
  // A lone continuation byte, an overlong slash, a cut-off sequence.
  F.What = {"said", "a\x80z \xC0\xAF \xE6\x97", {}};
  Document Doc = withFinding(F);
  Doc.Units[0].File = "dir\xFF/a.cu";
  Json Unit = readBack(Doc)["units"][0];
  EXPECT_EQ(Unit["file"], "dir\xEF\xBF\xBD/a.cu");
  EXPECT_THAT(Unit["findings"][0]["message"].get<std::string>(),
              testing::StartsWith("a\xEF\xBF\xBDz "));
}

TEST(JsonWriter, QuotesAndControlCharactersComeBackUnchanged) {
  Finding F;
  const std::string Said("\"\\/\b\f\n\r\t\x1b[31m\x7f\0end", 18);
  F.What = {"said", Said, {}};
  std::string Text = write(withFinding(F));
  EXPECT_EQ(Json::parse(Text)["units"][0]["findings"][0]["message"]
                .get<std::string>(),
            Said);
  EXPECT_THAT(Text, Not(HasSubstr("\x1b")));
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

TEST(SortDocument, AnyOrderOfTheSameContentsGivesTheSameBytes) {
  Document Doc = contractDocument();
  KernelRecord &Kernel = Doc.Units[0].Kernels[0];
  AccessRecord A = Kernel.Accesses[0];
  LaunchRecord L = Kernel.Launches[0];
  Finding F = Doc.Units[0].Findings[0];
  // Records that differ in one member each, the last one NaN.
  for (double PerRequest : {4.0, 32.0, -0.0, 0.0, std::nan("")}) {
    A.PerRequest = PerRequest;
    F.Predicted->Value = PerRequest;
    Kernel.Accesses.push_back(A);
    Doc.Units[0].Findings.push_back(F);
  }
  A.PerRequest.reset();
  Kernel.Accesses.push_back(A);
  L.Block[0].reset();
  Kernel.Launches.push_back(L);
  F.Predicted.reset();
  Doc.Units[0].Findings.push_back(F);
  F.Fixes.clear();
  Doc.Units[0].Findings.push_back(F);
  Doc.Units[0].Kernels.push_back(Kernel);
  Doc.Units[0].Kernels[1].Name = "_Z1a";
  Doc.Units.push_back(Doc.Units[0]);
  Doc.Units[1].File = "0.cu";

  Document Turned = Doc;
  std::ranges::reverse(Turned.Units);
  for (UnitRecord &Unit : Turned.Units) {
    std::ranges::reverse(Unit.Kernels);
    std::ranges::reverse(Unit.Findings);
    for (KernelRecord &K : Unit.Kernels) {
      std::ranges::reverse(K.Accesses);
      std::ranges::rotate(K.Launches, K.Launches.begin() + 1);
    }
  }
  ASSERT_NE(write(Doc), write(Turned));
  sortDocument(Doc);
  sortDocument(Turned);
  EXPECT_EQ(write(Doc), write(Turned));
}

TEST(SortDocument, JobsOfOneFileStandByWhatTheyFound) {
  Document Doc = contractDocument();
  Doc.Units.push_back(Doc.Units[0]);
  Doc.Units[1].Findings.clear();
  Doc.Units.push_back({.File = "0.cu", .Kernels = {}, .Findings = {}});
  Document Turned = Doc;
  std::ranges::reverse(Turned.Units);
  sortDocument(Doc);
  sortDocument(Turned);
  EXPECT_EQ(Doc.Units[0].File, "0.cu");
  EXPECT_EQ(write(Doc), write(Turned));
}

TEST(SortDocument, ReadersGetSourceOrder) {
  Finding F;
  F.Check = "b";
  F.Where = {"a.cu", 10, 1};
  Finding Earlier = F;
  Earlier.Where.Line = 9;
  Finding Graver = F;
  Graver.Level = Severity::Error;
  Graver.Check = "c";
  Finding Other = F;
  Other.Check = "a";
  Document Doc = withFinding(F);
  Doc.Units[0].Findings = {F, Other, Graver, Earlier};
  sortDocument(Doc);
  EXPECT_THAT(Doc.Units[0].Findings,
              testing::ElementsAre(Earlier, Graver, Other, F));
}

TEST(SortDocument, ErrorsKeepTheCompilersOrder) {
  Document Doc = contractDocument();
  Doc.Units[0].Errors = {{{"b.h", 9, 1}, "cause"},
                         {{"a.cu", 1, 1}, "consequence"}};
  sortDocument(Doc);
  EXPECT_EQ(Doc.Units[0].Errors[0].Message, "cause");
}

//===----------------------------------------------------------------------===//
// The schema
//===----------------------------------------------------------------------===//

static const char *const Schema =
    CUDA_LINT_SOURCE_DIR "/docs/cuda-lint-1.schema.json";

static int validate(const std::string &Text, const std::string &Flags) {
  return validateJson({Text}, Schema, Flags);
}

namespace {
class JsonSchema : public testing::Test {
protected:
  void SetUp() override {
    if (validate("{}", "") == 77)
      GTEST_SKIP() << "no schema is tested: install python3-jsonschema";
  }
};
} // namespace

TEST_F(JsonSchema, TakesWhatTheWriterMakes) {
  // One document with every member known, one with as little as there can be.
  Document Poor = withAccess({});
  Poor.Units[0].Kernels[0].Accesses[0].Trust = Certainty::Unknown;
  Poor.Units[0].Kernels[0].Launches.resize(1);
  Poor.Units[0].Kernels[0].Launches[0].Occupancy.emplace();
  Finding F;
  F.Check = "small-grid";
  F.What = {"small",
            "grid of {blocks} blocks on {sms} SMs",
            {{"blocks", 3}, {"sms", 132}}};
  Poor.Units[0].Findings = {F};
  Poor.Units.push_back({.File = "missing.cu",
                        .Status = UnitStatus::Failed,
                        .Errors = {{{}, "no such file"}},
                        .Kernels = {},
                        .Findings = {}});
  std::vector<Document> Docs = {contractDocument(), Poor};
  EXPECT_EQ(validate(toJson(Docs), "--strict"), 0);
  EXPECT_EQ(validate(write(contractDocument()), "--strict"), 0);
  EXPECT_EQ(validate(toJson({}), "--strict"), 0);
}

TEST_F(JsonSchema, AVerdictSaysWhy) {
  Document Doc = contractDocument();
  LaunchRecord &Launch = Doc.Units[0].Kernels[0].Launches[0];
  Launch.Verdict = LaunchVerdictRecord{
      .State = LaunchState::Fails,
      .Why = {{"not-raised", "the launch fails", "it is not raised elsewhere"},
              {"fits-no-sm", "the launch fails with error 701", ""}}};
  const Json Verdict =
      readBack(Doc)["units"][0]["kernels"][0]["launches"][0]["verdict"];
  EXPECT_EQ(Verdict, Json::parse(R"({"state": "fails", "why": [
      {"id": "not-raised", "text": "the launch fails",
       "assumes": "it is not raised elsewhere"},
      {"id": "fits-no-sm", "text": "the launch fails with error 701",
       "assumes": null}]})"));
  EXPECT_EQ(validate(write(Doc), "--strict"), 0);
  Launch.Verdict.reset();
  EXPECT_EQ(validate(write(Doc), "--strict"), 0);
}

TEST_F(JsonSchema, RefusesWhatTheContractForbids) {
  const Json Good = readBack(contractDocument());
  struct {
    const char *Path;
    Json Value;
  } Faults[] = {
      {"/schema", "cuda-lint/2"},
      {"/target/sms", 0},
      {"/units/0/status", "fine"},
      {"/units/0/status", "failed"}, // and no error says why
      {"/units/0/kernels/0/line", 0},
      {"/units/0/kernels/0/resources/source", "guess"},
      {"/units/0/kernels/0/launches/0/grid", {1, 1}},
      {"/units/0/kernels/0/launches/0/block/0", "256"},
      {"/units/0/kernels/0/launches/0/occupancy/ratio", 1.5},
      {"/units/0/kernels/0/launches/0/verdict/state", "fails"}, // for nothing
      {"/units/0/kernels/0/launches/0/verdict/state", "may"},
      {"/units/0/kernels/0/accesses/0/space", "texture"},
      {"/units/0/kernels/0/accesses/0/space", "shared"}, // counts sectors
      {"/units/0/kernels/0/accesses/0/lanes", 33},
      {"/units/0/kernels/0/accesses/0/certainty", "unknown"}, // with a number
      {"/units/0/kernels/0/accesses/0/assumptions", Json::array()},
      {"/units/0/findings/0/check", "Global Uncoalesced"},
      {"/units/0/findings/0/severity", "fatal"},
      {"/units/0/findings/0/assumptions", Json::array()},
      {"/units/0/findings/0/prediction/value", nullptr},
      {"/units/0/findings/0/request/bytes", 3},
      {"/units/0/findings/0/request/addresses", {0, 4}},
      {"/units/0/findings/0/fixes/0/edits/0/offset", -1},
  };
  std::vector<std::string> Texts;
  for (const auto &[Path, Value] : Faults) {
    Json Bad = Good;
    Json::json_pointer Pointer(Path);
    ASSERT_TRUE(Bad.contains(Pointer)) << Path;
    Bad[Pointer] = Value;
    Texts.push_back(Bad.dump());
  }
  EXPECT_EQ(validateJson(Texts, Schema, "--expect-invalid"), 0)
      << "by its number, one of the above is valid";
}

TEST_F(JsonSchema, EveryMemberMustBeThere) {
  Json Good = readBack(contractDocument());
  std::vector<std::string> Texts;
  // The objects of the contract, each by its path.
  for (const char *Path :
       {"", "/tool", "/target", "/units/0", "/units/0/kernels/0",
        "/units/0/kernels/0/resources", "/units/0/kernels/0/launches/0",
        "/units/0/kernels/0/launches/0/occupancy",
        "/units/0/kernels/0/accesses/0",
        "/units/0/kernels/0/accesses/0/inlined_at/0", "/units/0/findings/0",
        "/units/0/findings/0/prediction", "/units/0/findings/0/what",
        "/units/0/findings/0/request", "/units/0/findings/0/end",
        "/units/0/findings/0/fixes/0", "/units/0/findings/0/fixes/0/edits/0"}) {
    Json::json_pointer Pointer(Path);
    Json Bad = Good;
    Bad[Pointer].erase(std::prev(Bad[Pointer].end()).key());
    Texts.push_back(Bad.dump());
  }
  EXPECT_EQ(validateJson(Texts, Schema, "--expect-invalid"), 0)
      << "by its number, one of the above is valid";
}

TEST_F(JsonSchema, NewMembersAreLegalToReadButNotToWrite) {
  Json More = readBack(contractDocument());
  More["units"][0]["findings"][0]["new_member"] = 1;
  EXPECT_EQ(validate(More.dump(), ""), 0);
  EXPECT_EQ(validate(More.dump(), "--strict"), 1);
}

TEST(JsonPage, TheDocumentationShowsARealExample) {
  std::ifstream In(CUDA_LINT_SOURCE_DIR "/docs/json.md");
  std::string Page{std::istreambuf_iterator<char>(In), {}};
  std::size_t Start = Page.find("```json\n");
  ASSERT_NE(Start, Page.npos);
  Start += 8;
  std::string Example = Page.substr(Start, Page.find("```", Start) - Start);
  EXPECT_EQ(Json::parse(Example), readBack(contractDocument()));
}

TEST_F(JsonSchema, TheValidatorTellsInvalidFromUnusable) {
  EXPECT_EQ(validate("{}", ""), 1);
  EXPECT_EQ(validate("", ""), 2);
  EXPECT_EQ(validate("[NaN]", ""), 2);
  EXPECT_EQ(validate(R"({"a": 1, "a": 2})", ""), 2);
}

} // namespace JsonWriterTests
