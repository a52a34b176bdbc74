//===- tests/unit/runtime/join/ProfileTests.cpp - Reading profiles --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Profile.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace ProfileTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;
using Json = nlohmann::json;

/// The example of docs/profile.md.
static Json example() {
  return Json::parse(R"json({
    "schema": "cuda-lint-profile/1",
    "tool": {"name": "cuda-lint-probe", "version": "0.1.0"},
    "process": {"pid": 1234, "parent": 1200, "command": ["./app", "64"],
                "end": "exit"},
    "counters": "sass",
    "problems": [{"kind": "profiler-active", "message": "another one"}],
    "devices": [{"index": 0, "name": "NVIDIA H200",
                 "compute_capability": "9.0", "sms": 132}],
    "kernels": [{"kernel": "_Z4funcP5vec3dPf", "device": 0, "launches": 12,
                 "measured_launches": 12, "has_lines": true}],
    "lines": [{"kernel": "_Z4funcP5vec3dPf", "device": 0, "file": "/s/a.cu",
               "line": 14, "space": "global", "op": "load",
               "instructions": 4096, "requests": 4096, "lanes": 131072,
               "sectors": 49152, "ideal_sectors": 16384,
               "wavefronts": null, "ideal_wavefronts": null}],
    "files": ["/s/a.cu", "/s/b.h"],
    "code": [{"kernel": "_Z4funcP5vec3dPf", "device": 0, "calls_others": false,
              "instructions": [{"offset": 128, "opcode": "LDG", "bytes": 4,
                "space": "global", "op": "load", "file": 1, "line": 14,
                "frames": [[1, 14], [0, 30]],
                "instructions": 4096, "requests": 4096, "lanes": 131072,
                "sectors": 49152, "ideal_sectors": 16384,
                "wavefronts": null, "ideal_wavefronts": null}]}],
    "branches": [{"kernel": "_Z4funcP5vec3dPf", "device": 0,
                  "file": "/s/a.cu", "line": 20, "instructions": 4096,
                  "threads_divergent": 12}],
    "launches": [{"kernel": "_Z4funcP5vec3dPf", "device": 0,
                  "grid": [64, 1, 1], "block": [256, 1, 1],
                  "registers": 12, "static_shared_bytes": 0,
                  "dynamic_shared_bytes": 0, "local_bytes": 0,
                  "blocks_per_sm": 8, "achieved_occupancy": null, "count": 12,
                  "duration_ns": {"min": 1, "median": 2, "max": 3,
                                  "samples": [1, 2, 3]}}]
  })json");
}

static std::string errorOf(const Json &Value) {
  return readProfile(Value.dump()).Error;
}

TEST(Profile, ReadsTheExample) {
  ProfileRead Read = readProfile(example().dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  const Profile &P = Read.Value;
  EXPECT_THAT(P.Command, ElementsAre("./app", "64"));
  EXPECT_TRUE(P.HasCounters);
  EXPECT_EQ(P.Problems.at(0).Kind, "profiler-active");
  EXPECT_EQ(P.Devices.at(0).SMs, 132);
  EXPECT_EQ(P.Kernels.at(0).Launches, 12u);
  const ProfileLine &Line = P.Lines.at(0);
  EXPECT_EQ(Line.Sectors, 49152u);
  EXPECT_FALSE(Line.Wavefronts.has_value());
  const ProfileLaunch &Launch = P.Launches.at(0);
  EXPECT_EQ(Launch.Grid, (Shape{64, 1, 1}));
  EXPECT_FALSE(Launch.Achieved.has_value());
  EXPECT_THAT(Launch.Duration->Samples, ElementsAre(1, 2, 3));
}

TEST(Profile, AProblemSaysWhetherSomethingIsLost) {
  const auto isLoss = [](const char *Kind, const Json &Severity) {
    Json Value = example();
    Value["problems"] = {{{"kind", Kind}, {"message", "m"}}};
    if (!Severity.is_null())
      Value["problems"][0]["severity"] = Severity;
    return readProfile(Value.dump()).Value.Problems.at(0).IsLoss;
  };
  EXPECT_TRUE(isLoss("anything", "loss"));
  EXPECT_FALSE(isLoss("counts-lost", "note"));
  // A word that this version does not know.
  EXPECT_TRUE(isLoss("anything", "worse"));
  // Profiles from before it was said.
  EXPECT_TRUE(isLoss("counts-lost", nullptr));
  EXPECT_FALSE(isLoss("bulk-copy", nullptr));
}

TEST(Profile, ReadsSources) {
  Json Value = example();
  EXPECT_THAT(readProfile(Value.dump()).Value.Sources, IsEmpty());
  Value["sources"] =
      Json::parse(R"([{"file": 1, "bytes": 900, "modified": 50}])");
  const ProfileRead Read = readProfile(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  ASSERT_EQ(Read.Value.Sources.size(), 1u);
  EXPECT_EQ(Read.Value.Sources[0].File, 1u);
  EXPECT_EQ(Read.Value.Sources[0].Bytes, 900u);
  EXPECT_EQ(Read.Value.Sources[0].Modified, 50u);
  Value["sources"][0]["file"] = 2; // There are two.
  EXPECT_EQ(readProfile(Value.dump()).Error,
            "/sources/0/file: is 2, and there are 2 files");
}

TEST(Profile, ReadsInstructions) {
  ProfileRead Read = readProfile(example().dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  EXPECT_THAT(Read.Value.Files, ElementsAre("/s/a.cu", "/s/b.h"));
  const ProfileFunction &Function = Read.Value.Code.at(0);
  EXPECT_EQ(Function.Kernel, "_Z4funcP5vec3dPf");
  EXPECT_FALSE(Function.CallsOthers);
  const ProfileInstruction &Load = Function.Instructions.at(0);
  EXPECT_EQ(Load.Offset, 128u);
  EXPECT_EQ(Load.Opcode, "LDG");
  EXPECT_EQ(Load.Bytes, 4u);
  EXPECT_EQ(Load.Where, (ProfilePlace{1, 14}));
  EXPECT_THAT(Load.Frames,
              ElementsAre(ProfilePlace{1, 14}, ProfilePlace{0, 30}));
  EXPECT_EQ(Load.Counts.Space, MemorySpace::Global);
  EXPECT_EQ(Load.Counts.Sectors, 49152u);
  // What is not known, and what earlier versions did not write.
  Json Value = example();
  Json &Row = Value["code"][0]["instructions"][0];
  for (const char *Name : {"bytes", "file", "line", "sectors"})
    Row[Name] = nullptr;
  Row["frames"] = Json::array();
  Read = readProfile(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  EXPECT_EQ(Read.Value.Code[0].Instructions[0].Bytes, 0u);
  EXPECT_FALSE(Read.Value.Code[0].Instructions[0].Where);
  Value.erase("code");
  Value.erase("files");
  Read = readProfile(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  EXPECT_THAT(Read.Value.Code, IsEmpty());
  EXPECT_EQ(Read.Value.Lines.size(), 1u);
}

TEST(Profile, ReadsWhatLaunchesDidAsAWhole) {
  Json Value = example();
  // A profile of before they were measured.
  EXPECT_EQ(readProfile(Value.dump()).Value.Launches.at(0).Ranged, 0u);
  EXPECT_FALSE(readProfile(Value.dump()).Value.IsExtra);
  Value["collect"] = "occupancy";
  Value["launches"][0].update({{"achieved_occupancy", 0.75},
                               {"dram_bytes", 4096},
                               {"range_launches", 2}});
  ProfileRead Read = readProfile(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  // Of before L2 was counted.
  EXPECT_FALSE(Read.Value.Launches[0].L2Sectors);
  EXPECT_FALSE(Read.Value.Launches[0].L2Share);
  Value["launches"][0].update({{"l2_sectors", 128}, {"l2_peak_share", 0.25}});
  Read = readProfile(Value.dump());
  EXPECT_TRUE(Read.Value.IsExtra);
  EXPECT_EQ(Read.Value.Launches[0].Achieved, 0.75);
  EXPECT_EQ(Read.Value.Launches[0].DramBytes, 4096u);
  EXPECT_EQ(Read.Value.Launches[0].L2Sectors, 128u);
  EXPECT_EQ(Read.Value.Launches[0].L2Share, 0.25);
  EXPECT_EQ(Read.Value.Launches[0].Ranged, 2u);
  Value["launches"][0]["dram_bytes"] = -1;
  EXPECT_THAT(errorOf(Value), testing::HasSubstr("/launches/0/dram_bytes"));
}

/// The example, and what a run for stalls adds.
static Json sampledExample() {
  Json Value = example();
  Value.update(Json::parse(R"json({
    "collect": "stalls",
    "pc_sampling": [{"device": 0, "period_cycles": 1024, "samples": 9,
                     "dropped_samples": 2, "other_samples": 1}],
    "stall_reasons": ["wait", "membar"],
    "stalls": [{"kernel": "f", "device": 0, "file": "/s/a.cu", "line": 14,
                "reasons": [[1, 4, 3], [0, 2, 0]]}]})json"));
  return Value;
}

TEST(Profile, ReadsSamples) {
  // A profile of before there were any.
  EXPECT_THAT(readProfile(example().dump()).Value.Stalls, IsEmpty());
  Json Value = sampledExample();
  ProfileRead Read = readProfile(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  EXPECT_TRUE(Read.Value.IsExtra);
  EXPECT_FALSE(Read.Value.IsForTimes);
  EXPECT_EQ(Read.Value.Sampling.at(0).PeriodCycles, 1024u);
  EXPECT_EQ(Read.Value.Sampling[0].Samples, 9u);
  EXPECT_EQ(Read.Value.Sampling[0].Dropped, 2u);
  EXPECT_EQ(Read.Value.Sampling[0].Others, 1u);
  EXPECT_THAT(Read.Value.StallReasons, ElementsAre("wait", "membar"));
  const ProfileStall &Stall = Read.Value.Stalls.at(0);
  EXPECT_EQ(Stall.File, "/s/a.cu");
  EXPECT_EQ(Stall.Line, 14u);
  ASSERT_EQ(Stall.Reasons.size(), 2u);
  EXPECT_EQ(Stall.Reasons[0].Reason, 1u);
  EXPECT_EQ(Stall.Reasons[0].Samples, 4u);
  EXPECT_EQ(Stall.Reasons[0].NotIssued, 3u);
  Value["stalls"][0].update({{"file", nullptr}, {"line", nullptr}});
  Value["pc_sampling"][0]["period_cycles"] = nullptr;
  Read = readProfile(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  EXPECT_EQ(Read.Value.Stalls[0].File, "");
  EXPECT_FALSE(Read.Value.Sampling[0].PeriodCycles);
}

TEST(Profile, SaysWhichSampleIsWrong) {
  struct {
    const char *Pointer;
    Json Value;
    const char *Says;
  } const Cases[] = {
      {"/stalls/0/reasons/0/0", 2,
       "/stalls/0/reasons/0/0: is 2, and there are 2 reasons"},
      {"/stalls/0/reasons/0/0", 4294967296,
       "/stalls/0/reasons/0/0: is 4294967296, more than"},
      {"/stalls/0/reasons/1/1", -1,
       "/stalls/0/reasons/1/1: is not a whole number"},
      {"/stalls/0/reasons/1", {1, 2}, "/stalls/0/reasons/1: has 2 items"},
      {"/stalls/0/reasons", nullptr, "/stalls/0/reasons: is not an array"},
      {"/stalls/0/kernel", nullptr, "/stalls/0/kernel: is not a string"},
      {"/stall_reasons/1", 7, "/stall_reasons/1: is not a string"},
      {"/stall_reasons", nullptr, "/stalls/0/reasons/0/0: is 1, and there"},
      {"/pc_sampling/0/samples", "9",
       "/pc_sampling/0/samples: is not a whole number"},
      {"/pc_sampling/0/dropped_samples", -1,
       "/pc_sampling/0/dropped_samples: is not a whole number"}};
  for (const auto &Case : Cases) {
    Json Value = sampledExample();
    Value[Json::json_pointer(Case.Pointer)] = Case.Value;
    EXPECT_THAT(errorOf(Value), StartsWith(Case.Says));
  }
}

TEST(Profile, WithoutLineinfoThereIsNoPlace) {
  Json Value = example();
  Value["lines"][0]["file"] = nullptr;
  Value["lines"][0]["line"] = nullptr;
  ProfileRead Read = readProfile(Value.dump());
  ASSERT_THAT(Read.Error, IsEmpty());
  EXPECT_EQ(Read.Value.Lines[0].File, "");
  EXPECT_EQ(Read.Value.Lines[0].Line, 0u);
}

TEST(Profile, SaysWhereAWrongMemberStands) {
  struct {
    const char *Pointer;
    Json Value;
    const char *Says;
  } const Cases[] = {
      {"/schema", "cuda-lint/1", "/schema: these are predictions"},
      {"/schema", "cuda-lint-profile/9", "/schema: is 'cuda-lint-profile/9'"},
      {"/kernels/0/has_lines", 1, "/kernels/0/has_lines: is not true or"},
      {"/lines/0/sectors", -1, "/lines/0/sectors: is not a whole number"},
      {"/lines/0/op", "fetch", "/lines/0/op: is 'fetch'"},
      {"/lines/0/line", "14", "/lines/0/line: is not a whole number"},
      {"/files", {1}, "/files/0: is not a string"},
      {"/code/0/calls_others", nullptr, "/code/0/calls_others: is not true or"},
      {"/code/0/instructions/0/offset", -1,
       "/code/0/instructions/0/offset: is not a whole number"},
      {"/code/0/instructions/0/bytes", 4294967296,
       "/code/0/instructions/0/bytes: is 4294967296, more than"},
      {"/code/0/instructions/0/op", "fetch",
       "/code/0/instructions/0/op: is 'fetch'"},
      {"/code/0/instructions/0/file", 2,
       "/code/0/instructions/0/file: is 2, and there are 2 files"},
      {"/code/0/instructions/0/frames/1",
       {2, 30},
       "/code/0/instructions/0/frames/1/0: is 2, and there are 2 files"},
      {"/code/0/instructions/0/frames/1",
       {0},
       "/code/0/instructions/0/frames/1: has 1 items, not 2"},
      {"/launches/0/block", {256}, "/launches/0/block: has 1 items, not 3"},
      {"/launches/0/grid",
       {1, 1, 4294967296},
       "/launches/0/grid/2: is 4294967296, more than"},
      {"/problems", {1}, "/problems/0: is not an object"}};
  for (const auto &Case : Cases) {
    Json Value = example();
    Value[Json::json_pointer(Case.Pointer)] = Case.Value;
    EXPECT_THAT(errorOf(Value), StartsWith(Case.Says));
  }
}

TEST(Profile, RefusesEveryTruncation) {
  std::string Text = sampledExample().dump();
  for (std::size_t Size = 0; Size != Text.size(); ++Size)
    EXPECT_FALSE(readProfile(Text.substr(0, Size)).Error.empty()) << Size;
}

TEST(Profile, AResultHasTheTimeOfAllProcesses) {
  const ProfileRead Read = readProfileOrResult(R"({
    "schema": "cuda-lint-confirm/1", "counters": true, "problems": [],
    "gpus": [{"name": null, "compute_capability": null, "sms": null,
      "kernels": [{"kernel": "f", "launches": 2, "measured_launches": 0,
        "has_lines": true, "registers": {},
        "traffic": {"global": {}, "shared": {}, "local": {}, "generic": {}},
        "shapes": [{"grid": [1, 1, 1], "block": [32, 1, 1], "count": 2,
          "duration_ns": {"min": 1, "median": 1, "max": 9, "samples": [1, 9]},
          "total_ns": 11, "measured": {}}]}]}]})");
  ASSERT_EQ(Read.Error, "");
  ASSERT_EQ(Read.Value.Launches.size(), 1u);
  EXPECT_EQ(Read.Value.Launches[0].Total, 11);
}

} // namespace ProfileTests
