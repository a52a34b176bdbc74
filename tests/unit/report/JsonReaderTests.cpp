//===- tests/unit/report/JsonReaderTests.cpp - Reading cuda-lint/1 back ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonReader.h"

#include "ContractDocument.h"
#include "report/JsonCursor.h"
#include "report/JsonWriter.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <random>

namespace JsonReaderTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Json = nlohmann::json;

static Json contractJson() {
  Document Doc = contractDocument();
  return Json::parse(toJson(std::span(&Doc, 1)));
}

static std::string errorOf(const Json &Value) {
  DocumentsRead Read = readDocuments(Value.dump());
  EXPECT_EQ(Read.Documents.empty(), !Read.Error.empty());
  return Read.Error;
}

//===----------------------------------------------------------------------===//
// What the writer wrote comes back
//===----------------------------------------------------------------------===//

namespace {
/// Documents of any shape: each optional is there or not, names hold what JSON
/// must escape.
class RandomDocuments {
public:
  explicit RandomDocuments(unsigned Seed) : Engine(Seed) {}

  std::vector<Document> documents() {
    std::vector<Document> Out = list<Document>([&] {
      return Document{.ToolVersion = "0.1.0",
                      .Target = {.Name = name(),
                                 .ComputeCapability = maybeText("9.0"),
                                 .SMs = maybe<int>(200)},
                      .Units = list<UnitRecord>([&] { return unit(); }),
                      .Rules = list<RuleRecord>([&] { return rule(); }),
                      .Skipped = list<SkippedCheck>([&] {
                        return SkippedCheck{"small-grid", coin(), name()};
                      })};
    });
    return Out;
  }

private:
  unsigned below(unsigned Limit) { return Engine() % Limit; }
  bool coin() { return below(2) == 0; }
  std::string name() {
    static const char *const Names[] = {"a.cu",  "_Z1kPf", "\"q\\uote\n",
                                        "ä\x7f", "x y",    "\x1b[31m"};
    return Names[below(std::size(Names))];
  }
  std::string maybeText(const char *Text) { return coin() ? Text : ""; }
  template <typename T> std::optional<T> maybe(unsigned Limit) {
    return coin() ? std::optional<T>(static_cast<T>(below(Limit)))
                  : std::nullopt;
  }
  std::optional<double> maybeFigure() {
    return coin() ? std::optional<double>(below(1000) / 7.0) : std::nullopt;
  }
  template <typename T, typename Make> std::vector<T> list(Make One) {
    std::vector<T> Out;
    for (unsigned I = below(4); I != 0; --I)
      Out.push_back(One());
    return Out;
  }
  std::vector<Location> places() {
    return list<Location>([&] { return place(); });
  }
  Location place() { return {coin() ? name() : "", below(3), below(3)}; }
  Extent extent() {
    return {maybe<std::int64_t>(99), maybe<std::int64_t>(9), -1};
  }
  std::vector<std::string> texts() {
    return list<std::string>([&] { return name(); });
  }

  OccupancyRecord occupancy() {
    return {.BlocksPerSM = maybe<unsigned>(32),
            .WarpsPerSM = maybe<unsigned>(64),
            .Ratio = maybeFigure(),
            .Limiter = maybeText("warps"),
            .Limits = {.Warps = maybe<unsigned>(32),
                       .Blocks = maybe<unsigned>(32),
                       .Registers = maybe<unsigned>(32),
                       .Shared = maybe<unsigned>(32),
                       .Barriers = maybe<unsigned>(32)},
            .Waves = maybeFigure(),
            .Rounds = maybe<std::uint64_t>(9),
            .TailWaste = maybeFigure(),
            .Next = list<CliffRecord>([&] {
              return CliffRecord{.Quantity = "registers",
                                 .Value = below(255),
                                 .BlocksPerSM = below(32),
                                 .WarpsPerSM = below(64),
                                 .Ratio = 0.5};
            })};
  }

  LaunchVerdictRecord verdict() {
    LaunchVerdictRecord Out = {.State = LaunchStates[below(3)], .Why = {}};
    if (Out.State != LaunchState::Runs)
      Out.Why = {{name(), name(), maybeText("nothing is raised elsewhere")}};
    return Out;
  }

  LaunchRecord launch() {
    LaunchRecord Out = {.Where = place(),
                        .Grid = extent(),
                        .Block = extent(),
                        .DynamicSharedBytes = maybe<std::int64_t>(99),
                        .Source = static_cast<LaunchSource>(below(4))};
    if (coin())
      Out.Occupancy = occupancy();
    Out.SharedMemoryOptIn = coin();
    if (coin())
      Out.Verdict = verdict();
    return Out;
  }

  std::optional<ExpectationRecord> expectation() {
    if (coin())
      return std::nullopt;
    return ExpectationRecord{coin(), below(9) / 16.0, below(33) / 4.0};
  }

  std::optional<CostByPower> byPower() {
    if (coin())
      return std::nullopt;
    return CostByPower{name(), false, texts(), list<PowerCost>([&] {
                         return PowerCost{1 << below(16), below(99) / 4.0,
                                          below(99) / 4.0, below(33) / 1.0};
                       })};
  }

  std::optional<UnknownReason> unknown() {
    if (coin())
      return std::nullopt;
    return UnknownReason{.Cause = static_cast<UnknownCause>(below(15)),
                         .What = name(),
                         .Where = place()};
  }

  std::optional<MachineInstruction> compiled() {
    if (coin())
      return std::nullopt;
    MachineInstruction Out;
    Out.Name = "LDG.E.128";
    Out.Bytes = below(17);
    Out.Offset = below(999);
    Out.Predicated = coin();
    Out.Loops.resize(below(3));
    return Out;
  }

  AccessRecord access() {
    return {.Where = place(),
            .Space = static_cast<MemorySpace>(below(5)),
            .Op = static_cast<AccessOp>(below(3)),
            .Bytes = below(17),
            .Unit = static_cast<TrafficUnit>(below(2)),
            .PerRequest = maybeFigure(),
            .Ideal = maybeFigure(),
            .Lanes = maybeFigure(),
            .Least = maybeFigure(),
            .Most = maybeFigure(),
            .Random = expectation(),
            .ByPower = byPower(),
            .Trust = static_cast<Certainty>(below(4)),
            .Assumptions = texts(),
            .Unknown = unknown(),
            .Block = {below(99), below(99), 1},
            .Executions = maybeFigure(),
            .WhyNotCounted = maybeText("a loop"),
            .LoopDepth = below(4),
            .InlinedAt = places(),
            .Compiled = compiled(),
            .Written = coin() ? std::optional(place()) : std::nullopt};
  }

  RemovedAccess removed() {
    return {.Where = place(),
            .Space = static_cast<MemorySpace>(below(5)),
            .Op = static_cast<AccessOp>(below(3)),
            .Bytes = below(17),
            .Why = name(),
            .InlinedAt = places()};
  }

  KernelRecord kernel() {
    KernelRecord Out = {
        .Name = name(), .Signature = coin() ? name() : "", .Where = place()};
    if (coin())
      Out.Resources = ResourceRecord{.Registers = maybe<std::uint64_t>(255),
                                     .SharedBytes = maybe<std::uint64_t>(99),
                                     .LocalBytes = maybe<std::uint64_t>(99),
                                     .SpillStores = maybe<std::uint64_t>(99),
                                     .SpillLoads = maybe<std::uint64_t>(99),
                                     .Barriers = maybe<std::uint64_t>(16),
                                     .Source = "nvcc"};
    Out.StaticSharedBytes = maybe<std::uint64_t>(99);
    if (coin()) {
      Out.Template = name();
      Out.TemplateArguments = {name(), name()};
    }
    Out.Launches = list<LaunchRecord>([&] { return launch(); });
    Out.Accesses = list<AccessRecord>([&] { return access(); });
    Out.Removed = list<RemovedAccess>([&] { return removed(); });
    return Out;
  }

  Finding finding() {
    Finding Out;
    Out.Check = "shared-bank-conflict";
    Out.Level = static_cast<Severity>(below(3));
    Out.Where = place();
    Out.Kernel = coin() ? name() : "";
    if (coin()) { // In one file.
      Out.Meant = {Out.Where, Out.Where};
      Out.Meant.Begin.Line = 1 + below(9);
      Out.Meant.End.Line = 10;
    }
    Out.About = {static_cast<SubjectKind>(below(8)), maybeText("ns::k"),
                 maybeText("a[i]"), maybeText("a"), maybeText("tile")};
    Out.What = {"said", name(), {{"lanes", below(99)}, {"word", name()}}};
    if (coin())
      Out.Cause = {"cause", name(), {}};
    if (coin())
      Out.Remedy = {"remedy", name(), {{"pad", below(9) / 8.0}}};
    if (coin())
      Out.Effect = RemedyEffect{.Object = coin() ? name() : "",
                                .Unit = "wavefronts_per_block",
                                .Before = below(99) / 4.0,
                                .After = below(9) / 2.0,
                                .MoreSharedBytes = below(999),
                                .BlocksPerSMBefore = maybe<std::uint64_t>(32),
                                .BlocksPerSMAfter = maybe<std::uint64_t>(32)};
    if (coin()) {
      Out.Request = RequestExample{.Unit = "wavefronts",
                                   .Bytes = 1u << below(5),
                                   .Lanes = lanes(),
                                   .Cost = below(33),
                                   .Ideal = below(5)};
      if (coin()) {
        Out.Request->LanesThen = lanes();
        Out.Request->CostThen = below(33);
      }
    }
    Out.Others = below(3);
    Out.Executions = maybeFigure();
    Out.Group = below(3);
    if (coin())
      Out.Wasted =
          Waste{"wavefronts",  maybeFigure(), maybeFigure(), maybeFigure(),
                maybeFigure(), maybeFigure(), coin(),        coin()};
    Out.Macros = list<MacroUse>([&] { return MacroUse{name(), place()}; });
    Out.InlinedAt = places();
    Out.IncludedFrom = places();
    Out.Fingerprint = coin() ? name() : "";
    Out.Occurrence = below(3);
    Out.Trust = static_cast<Certainty>(below(4));
    Out.Assumptions = list<Assumption>([&] {
      return Assumption(name(), static_cast<AssumptionKind>(below(7)),
                        maybeText("'n'"));
    });
    if (coin())
      Out.Predicted = Prediction{"waves", 0.25, maybeFigure()};
    Out.Fixes = list<Fix>([&] {
      return Fix{name(),
                 static_cast<FixSafety>(below(4)),
                 {{name(), below(99), below(9), name()}}};
    });
    return Out;
  }

  LaneAddresses lanes() {
    LaneAddresses Out(32);
    for (std::optional<std::uint64_t> &Each : Out)
      Each = maybe<std::uint64_t>(4096);
    return Out;
  }

  /// Of the check of all findings.
  RuleRecord rule() {
    return {.Name = "shared-bank-conflict",
            .Summary = name(),
            .Default = static_cast<Severity>(below(3)),
            .Why = name(),
            .Bad = name(),
            .Good = name(),
            .Limits = name(),
            .Proof = name()};
  }

  ErrorRecord error() {
    return {place(), name(), static_cast<ErrorKind>(below(3))};
  }

  UnitRecord unit() {
    return {
        .File = name(),
        .Status = static_cast<UnitStatus>(below(3)),
        .Errors = list<ErrorRecord>([&] { return error(); }),
        .Notes = list<ErrorRecord>([&] { return error(); }),
        .Kernels = list<KernelRecord>([&] { return kernel(); }),
        .Findings = list<Finding>([&] { return finding(); }),
        .Silenced = list<SilencedFinding>([&] {
          const Silencer By = coin() ? Silencer::Comment : Silencer::Baseline;
          return SilencedFinding{.What = finding(), .By = By, .Where = place()};
        })};
  }

  std::minstd_rand Engine;
};
} // namespace

TEST(JsonReader, ReadsTheContract) {
  Json Value = contractJson();
  Value["units"][0]["kernels"][0]["resources"]["spill_loads"] = nullptr;
  DocumentsRead Read = readDocuments(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  ASSERT_EQ(Read.Documents.size(), 1u);
  const Document &Doc = Read.Documents[0];
  EXPECT_EQ(Doc.Target.ComputeCapability, "9.0");
  EXPECT_EQ(Doc.Target.SMs, 132);
  const KernelRecord &Kernel = Doc.Units.at(0).Kernels.at(0);
  EXPECT_EQ(Kernel.Name, "_Z4funcP5vec3dPf");
  EXPECT_EQ(Kernel.Resources->Registers, 12u);
  EXPECT_FALSE(Kernel.Resources->SpillLoads.has_value());
  EXPECT_EQ(Kernel.Launches.at(0).Occupancy->BlocksPerSM, 8u);
  const AccessRecord &Access = Kernel.Accesses.at(0);
  EXPECT_EQ(Access.Where.Line, 6u);
  EXPECT_EQ(Access.PerRequest, 12.0);
  EXPECT_EQ(Access.Trust, Certainty::Assumed);
  EXPECT_EQ(Doc.Units[0].Findings.at(0).Predicted->Value, 12.0);
}

/// Values that compare. Signatures are the kernels' and so not of each.
static std::vector<Finding> findingsOf(const UnitRecord &Unit) {
  std::vector<Finding> Out = Unit.Findings;
  for (Finding &F : Out)
    F.KernelSignature.clear();
  return Out;
}

TEST(JsonReader, AFindingHasTheSignatureOfItsKernel) {
  const DocumentsRead Read = readDocuments(contractJson().dump());
  EXPECT_EQ(Read.Documents.at(0).Units.at(0).Findings.at(0).KernelSignature,
            "func(vec3d *, float *)");
}

TEST(JsonReader, ReadsBackWhatTheWriterWrites) {
  for (unsigned Seed = 1; Seed <= 200; ++Seed) {
    std::vector<Document> Docs = RandomDocuments(Seed).documents();
    std::string Text = toJson(Docs);
    DocumentsRead Read = readDocuments(Text);
    ASSERT_THAT(Read.Error, IsEmpty()) << Text;
    ASSERT_EQ(toJson(Read.Documents), Text);
    for (std::size_t D = 0; D != Docs.size(); ++D)
      for (std::size_t U = 0; U != Docs[D].Units.size(); ++U)
        ASSERT_EQ(findingsOf(Read.Documents[D].Units[U]),
                  findingsOf(Docs[D].Units[U]));
  }
}

TEST(JsonReader, SkipsMembersOfLaterVersions) {
  Json Doc = contractJson();
  Doc["extra"] = {1, 2, 3};
  Doc["units"][0]["kernels"][0]["accesses"][0]["colour"] = "red";
  EXPECT_THAT(errorOf(Doc), IsEmpty());
}

TEST(JsonReader, AnEarlierFindingIsItsMessage) {
  Json Value = contractJson();
  Json &Finding = Value["units"][0]["findings"][0];
  for (const char *Each :
       {"what", "cause", "remedy", "others", "executions", "block", "begin",
        "end", "inlined_at", "included_from", "macros", "subject",
        "fingerprint", "occurrence"})
    Finding.erase(Each);
  Finding["fixes"][0].erase("safety");
  Value.erase("rules");
  const DocumentsRead Read = readDocuments(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  const cudalint::Finding &F = Read.Documents.at(0).Units.at(0).Findings.at(0);
  EXPECT_EQ(messageOf(F), Finding["message"].get<std::string>());
  // Nobody said that it is safe.
  EXPECT_EQ(F.Fixes.at(0).Safety, FixSafety::Layout);
}

TEST(JsonReader, EarlierAccessesAreReadWithLess) {
  Json Value = contractJson();
  Json &Kernel = Value["units"][0]["kernels"][0];
  Kernel["launches"][0].erase("column");
  Kernel.erase("removed");
  Json &Access = Kernel["accesses"][0];
  Access["inlined_at"][0].erase("column");
  for (const char *Each : {"not_counted_because", "compiled", "written"})
    Access.erase(Each);
  // A cause that is none any more.
  Access["unknown_because"] = {{"cause", "footprint"},
                               {"what", "too much"},
                               {"file", nullptr},
                               {"line", nullptr}};
  const DocumentsRead Read = readDocuments(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  EXPECT_EQ(Read.Documents.at(0)
                .Units.at(0)
                .Kernels.at(0)
                .Accesses.at(0)
                .Unknown->Cause,
            UnknownCause::NotModelled);
}

TEST(JsonReader, LoopsOfAnInstructionAreLimited) {
  Json Value = contractJson();
  Value["units"][0]["kernels"][0]["accesses"][0]["compiled"]["loop_depth"] =
      4000000000u;
  EXPECT_THAT(errorOf(Value), HasSubstr("loop_depth: is more than 1000"));
}

TEST(JsonReader, ValuesOfAPhraseAreNumbersOrNames) {
  Json Value = contractJson();
  Value["units"][0]["findings"][0]["what"]["values"]["traffic"] = {1, 2};
  EXPECT_THAT(errorOf(Value),
              HasSubstr("/units/0/findings/0/what/values/traffic"));
}

TEST(JsonReader, AnEarlierAccessHasNoExpectation) {
  Json Value = contractJson();
  Value["units"][0]["kernels"][0]["accesses"][0].erase("expectation");
  EXPECT_THAT(errorOf(Value), IsEmpty());
}

TEST(JsonReader, AnEarlierAccessHasNoCostsByPower) {
  Json Value = contractJson();
  Value["units"][0]["kernels"][0]["accesses"][0].erase("by_power");
  EXPECT_THAT(errorOf(Value), IsEmpty());
}

TEST(JsonReader, AnEarlierUnitHasNoNotes) {
  Json Value = contractJson();
  Value["units"][0].erase("notes");
  DocumentsRead Read = readDocuments(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  EXPECT_THAT(Read.Documents.at(0).Units.at(0).Notes, IsEmpty());
}

TEST(JsonReader, AnEarlierOccupancyHasNoLimits) {
  Json Doc = contractJson();
  Json &Occupancy = Doc["units"][0]["kernels"][0]["launches"][0]["occupancy"];
  for (const char *Member : {"limits", "rounds", "tail_waste", "next"})
    Occupancy.erase(Member);
  EXPECT_THAT(errorOf(Doc), IsEmpty());
}

TEST(JsonReader, AnEarlierLaunchHasNoVerdict) {
  Json Value = contractJson();
  Value["units"][0]["kernels"][0]["launches"][0].erase("verdict");
  DocumentsRead Read = readDocuments(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  const KernelRecord &Kernel = Read.Documents.at(0).Units.at(0).Kernels.at(0);
  EXPECT_FALSE(Kernel.Launches.at(0).Verdict);
}

//===----------------------------------------------------------------------===//
// Hostile input
//===----------------------------------------------------------------------===//

TEST(JsonReader, SaysWhereAWrongMemberStands) {
  struct {
    const char *Pointer;
    Json Value;
    const char *Says;
  } const Cases[] = {
      {"/schema", 1, "/schema: is not a string"},
      {"/schema", "cuda-lint/2", "/schema: is 'cuda-lint/2'; this program"},
      {"/schema", "cuda-lint-profile/1", "/schema: this is a profile"},
      {"/units", nullptr, "/units: is not an array"},
      {"/units/0/status", "fine", "/units/0/status: is 'fine'"},
      {"/target/sms", -1, "/target/sms: is not a whole number"},
      {"/target/sms", 4294967296, "/target/sms: is 4294967296, more than"},
      {"/units/0/kernels/0/name", Json::array(),
       "/units/0/kernels/0/name: is not a string"},
      {"/units/0/kernels/0/launches/0/grid",
       {1, 2},
       "/units/0/kernels/0/launches/0/grid: has 2 items, not 3"},
      {"/units/0/kernels/0/accesses/0/line", 1.5,
       "/units/0/kernels/0/accesses/0/line: is not a whole number"},
      {"/units/0/kernels/0/accesses/0/per_request", "12",
       "/units/0/kernels/0/accesses/0/per_request: is not a number"},
      {"/units/0/kernels/0/accesses/0/per_request", -1.0,
       "/units/0/kernels/0/accesses/0/per_request: is negative"},
      {"/units/0/kernels/0/accesses/0/space", "texture",
       "/units/0/kernels/0/accesses/0/space: is 'texture'"}};
  for (const auto &Case : Cases) {
    Json Doc = contractJson();
    Doc[Json::json_pointer(Case.Pointer)] = Case.Value;
    EXPECT_THAT(errorOf(Doc), StartsWith(Case.Says));
  }
}

TEST(JsonReader, SaysWhichMemberIsMissing) {
  Json Doc = contractJson();
  Doc["units"][0]["kernels"][0]["accesses"][0].erase("op");
  EXPECT_EQ(errorOf(Doc), "/units/0/kernels/0/accesses/0/op: is missing");
}

TEST(JsonReader, RefusesWhatIsNoDocument) {
  EXPECT_EQ(readDocuments("").Error, "is empty");
  EXPECT_EQ(readDocuments(" \n").Error, "is empty");
  EXPECT_THAT(readDocuments("\x7f"
                            "ELF\x02\x01")
                  .Error,
              StartsWith("is not JSON: "));
  EXPECT_EQ(readDocuments("17").Error, "is not an object");
  EXPECT_EQ(readDocuments("[[]]").Error, "/0: is not an object");
  EXPECT_THAT(readDocuments("{\"schema\": \"\xff\"}").Error,
              StartsWith("is not JSON: "));
  EXPECT_THAT(readDocuments("[1e999]").Error, StartsWith("is not JSON: "));
}

TEST(JsonReader, RefusesDeepNesting) {
  EXPECT_EQ(readDocuments(std::string(1 << 20, '[')).Error,
            "is nested deeper than 32 levels at byte 32");
  // Brackets in a string are no nesting.
  Json Doc = contractJson();
  Doc["note"] = std::string(100, '[') + "\"\\";
  EXPECT_THAT(errorOf(Doc), IsEmpty());
}

TEST(JsonReader, RefusesTooManyBytesAndValues) {
  EXPECT_THROW(parseJson("[1, 2, 3]", {.Bytes = 8}), JsonFault);
  EXPECT_NO_THROW(parseJson("[1, 2, 3]", {.Bytes = 9}));
  EXPECT_THROW(parseJson("[1, 2, 3]", {.Values = 3}), JsonFault);
  EXPECT_NO_THROW(parseJson("[1, 2, 3]", {.Values = 4}));
}

TEST(JsonReader, RefusesEveryTruncation) {
  std::string Text = contractJson().dump();
  for (std::size_t Size = 0; Size != Text.size(); ++Size)
    EXPECT_FALSE(readDocuments(Text.substr(0, Size)).Error.empty()) << Size;
}

TEST(JsonReader, SurvivesEveryWrongByte) {
  std::string Text = contractJson().dump();
  for (std::size_t I = 0; I != Text.size(); ++I)
    for (char Wrong : {'\0', '"', '}', '9', '\xff'}) {
      std::string Broken = Text;
      Broken[I] = Wrong;
      DocumentsRead Read = readDocuments(Broken);
      EXPECT_EQ(Read.Documents.empty(), !Read.Error.empty());
    }
}

} // namespace JsonReaderTests
