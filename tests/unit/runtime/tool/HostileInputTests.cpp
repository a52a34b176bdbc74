//===- tests/unit/runtime/tool/HostileInputTests.cpp - Changed files ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thousands of predictions and profiles that were changed at random, always in
// the same way, go through all that confirm does with them. Each must be
// refused with a message or give a report: the sanitizers see the rest.
//
//===----------------------------------------------------------------------===//

#include "report/JsonReader.h"
#include "report/JsonWriter.h"
#include "runtime/hotspots/HotspotWriters.h"
#include "runtime/tool/Report.h"

#include "tests/unit/report/JsonMutator.h"
#include "tests/unit/runtime/join/Examples.h"

#include <gmock/gmock.h>

namespace HostileInputTests {

using namespace cudalint;

namespace {
/// What became of the files.
struct Outcome {
  unsigned Refused = 0;
  unsigned Reported = 0;

  /// A message of one line that a person can read to the end.
  void refuse(const std::string &Error) {
    ++Refused;
    EXPECT_LT(Error.size(), 600u) << Error.substr(0, 800);
  }
};
} // namespace

static Json goodPredictions() {
  AccessRecord Shared = access(20, 2, 1), Local = access(21, 4, {});
  Shared.Space = MemorySpace::Shared;
  Shared.Unit = TrafficUnit::Wavefronts;
  Local.Space = MemorySpace::Local;
  Document Doc = document(
      {access(14, 12, 4), access(14, 4, 4), Shared, Local, access(15, {}, {})});
  Doc.Units.push_back(Doc.Units[0]);
  Doc.Units[1].File = "other.cu";
  Doc.Units[1].Kernels[0].Name = "_ZL5otherPf";
  return Json::parse(toJson(std::span(&Doc, 1)));
}

static Json goodProfile() {
  Json Line = Json::parse(R"({"kernel": "_Z4funcP5vec3dPf", "device": 0,
      "file": "/b/vec3d.cu", "line": 14, "space": "global", "op": "load",
      "instructions": 4096, "requests": 4096, "lanes": 131072,
      "sectors": 49152, "ideal_sectors": 16384, "wavefronts": null,
      "ideal_wavefronts": null})");
  Json Shared = Line, Bare = Line;
  Shared.update(Json::parse(R"({"space": "shared", "line": 20,
      "sectors": null, "ideal_sectors": null, "wavefronts": 8192,
      "ideal_wavefronts": 4096})"));
  Bare.update(Json::parse(R"({"file": null, "line": null, "op": "store"})"));
  Json Out = Json::parse(R"({"schema": "cuda-lint-profile/1",
      "process": {"command": ["./app"], "end": "exit"},
      "collect": "counters", "counters": "sass",
      "problems": [{"kind": "some", "message": "something"}],
      "devices": [{"index": 0, "name": "NVIDIA H200",
                   "compute_capability": "9.0", "sms": 132}],
      "kernels": [{"kernel": "_Z4funcP5vec3dPf", "device": 0, "launches": 2,
                   "measured_launches": 2, "has_lines": true}],
      "launches": [{"kernel": "_Z4funcP5vec3dPf", "device": 0,
                    "grid": [512, 1, 1], "block": [256, 1, 1],
                    "registers": 18, "static_shared_bytes": 0,
                    "dynamic_shared_bytes": 0, "local_bytes": 0,
                    "blocks_per_sm": 8, "achieved_occupancy": 0.5,
                    "dram_bytes": 4096, "range_launches": 2, "count": 2,
                    "duration_ns": {"min": 1, "median": 2, "max": 3,
                                    "samples": [1, 3]}}]})");
  Out["lines"] = {Line, Shared, Bare};
  return Out;
}

static std::string resultOf(std::span<const Document> Predictions,
                            std::span<const Profile> Profiles) {
  ConfirmReport Report;
  Report.Result = join(Predictions, merge(Profiles), Report.Allowed);
  SourceText NoSource = [](const std::string &) {
    return std::optional<std::string_view>();
  };
  ReportOptions Options = {.Text = {.Width = 80}, .ShowAll = true};
  EXPECT_FALSE(confirmText(Report, Options, NoSource).empty());
  return confirmJson(Report);
}

static void compareSides(const Profile &Before, const Profile &After) {
  CompareReport Report;
  Report.Before = totals(std::span(&Before, 1));
  Report.After = totals(std::span(&After, 1));
  Report.Pairs = matchKernels(Report.Before, Report.After);
  compareText(Report, 80);
  EXPECT_TRUE(Json::accept(compareJson(Report)));
}

/// Feeds \p Read with changes of \p Good; it counts what becomes of them.
template <typename Function>
static void feed(unsigned Seed, const Json &Good, Function Read) {
  static constexpr unsigned Files = 4000;
  JsonMutator Changes(Seed);
  Outcome Ends;
  for (unsigned I = 0; I != Files; ++I)
    Read(Changes.mutate(Good), Ends);
  EXPECT_EQ(Ends.Refused + Ends.Reported, Files);
  // Neither way is there for show.
  EXPECT_GT(Ends.Refused, Files / 4);
  EXPECT_GT(Ends.Reported, Files / 20);
}

TEST(HostileInput, Predictions) {
  Profile Measured = readProfile(goodProfile().dump()).Value;
  feed(1, goodPredictions(), [&](const std::string &Text, Outcome &Ends) {
    DocumentsRead Read = readDocuments(Text);
    if (!Read.Error.empty())
      return Ends.refuse(Read.Error);
    ++Ends.Reported;
    EXPECT_TRUE(
        Json::accept(resultOf(Read.Documents, std::span(&Measured, 1))));
  });
}

TEST(HostileInput, Profiles) {
  Profile Plain = readProfile(goodProfile().dump()).Value;
  DocumentsRead Predicted = readDocuments(goodPredictions().dump());
  ASSERT_EQ(Predicted.Error, "");
  feed(2, goodProfile(), [&](const std::string &Text, Outcome &Ends) {
    ProfileRead Read = readProfile(Text);
    if (!Read.Error.empty())
      return Ends.refuse(Read.Error);
    ++Ends.Reported;
    // What comes out can be read again.
    std::string Result =
        resultOf(Predicted.Documents, std::span(&Read.Value, 1));
    EXPECT_EQ(readProfileOrResult(Result).Error, "");
    compareSides(Plain, Read.Value);
  });
}

TEST(HostileInput, Samples) {
  Json Good = goodProfile();
  Good.update(Json::parse(R"({"collect": "stalls",
      "pc_sampling": [{"device": 0, "period_cycles": 1024, "samples": 90,
                       "dropped_samples": 2, "other_samples": 1}],
      "stall_reasons": ["wait", "membar", "selected"],
      "stalls": [{"kernel": "_Z4funcP5vec3dPf", "device": 0,
                  "file": "/b/vec3d.cu", "line": 14,
                  "reasons": [[1, 40, 3], [0, 2, 0]]},
                 {"kernel": "other", "device": 0, "file": null, "line": null,
                  "reasons": [[2, 4, 0]]}]})"));
  feed(4, Good, [&](const std::string &Text, Outcome &Ends) {
    const ProfileRead Read = readProfile(Text);
    if (!Read.Error.empty())
      return Ends.refuse(Read.Error);
    ++Ends.Reported;
    HotspotReport Report = {.Found = findHotspots({&Read.Value, 1})};
    hotspotText(
        Report, {.Text = {.Width = 80}, .Top = {}},
        [](const std::string &) { return std::optional<std::string_view>(); });
    EXPECT_TRUE(Json::accept(hotspotJson(Report)));
  });
}

TEST(HostileInput, Results) {
  Profile Plain = readProfile(goodProfile().dump()).Value;
  DocumentsRead Predicted = readDocuments(goodPredictions().dump());
  Json Good = Json::parse(resultOf(Predicted.Documents, std::span(&Plain, 1)));
  feed(3, Good, [&](const std::string &Text, Outcome &Ends) {
    ProfileRead Read = readProfileOrResult(Text);
    if (!Read.Error.empty())
      return Ends.refuse(Read.Error);
    ++Ends.Reported;
    compareSides(Read.Value, Plain);
  });
}

} // namespace HostileInputTests
