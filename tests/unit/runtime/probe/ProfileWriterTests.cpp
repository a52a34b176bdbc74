//===- tests/unit/runtime/probe/ProfileWriterTests.cpp - The JSON of it ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ProfileWriter.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace cudalint::probe::ProfileWriterTests {
namespace {

using nlohmann::json;
using testing::SizeIs;

TEST(JsonString, EscapesAndKeepsUtf8) {
  EXPECT_EQ(jsonString("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(jsonString(std::string("\0\n\x1f\x7f", 4)),
            R"("\u0000\u000a\u001f\u007f")");
  EXPECT_EQ(jsonString("größe 深 😀"), "\"größe 深 😀\"");
}

TEST(JsonString, WhatIsNoUtf8IsReplaced) {
  EXPECT_EQ(jsonString("a\xff"), R"("a\ufffd")");
  EXPECT_EQ(jsonString("\xc3"), R"("\ufffd")");                     // cut off
  EXPECT_EQ(jsonString("\xc0\x80"), R"("\ufffd\ufffd")");           // overlong
  EXPECT_EQ(jsonString("\xed\xa0\x80"), R"("\ufffd\ufffd\ufffd")"); // surrogate
}

TEST(JsonString, AnyBytesParse) {
  for (unsigned First = 0; First != 256; ++First)
    for (unsigned Second = 0; Second != 256; ++Second) {
      std::string Text = {static_cast<char>(First), static_cast<char>(Second)};
      EXPECT_TRUE(json::accept(jsonString(Text))) << First << ' ' << Second;
    }
}

/// With what docs/profile.md shows.
Profile sample() {
  Profile P;
  P.Pid = 1234;
  P.Parent = 1200;
  P.Command = {"./app", "6\"4"};
  P.End = "exit";
  P.Collect = "counters";
  P.Counted = true;
  P.Problems = {loss("a", "first"), {"b", "later"}};
  P.Devices[0] = {"NVIDIA H200", "GPU-1", 9, 0, 132};
  P.Kernels[{"k", 0}] = {.Launches = 12,
                         .Measured = 10,
                         .Threads = 6144,
                         .MeasuredThreads = 5120,
                         .HasLines = true};
  P.Kernels[{"none", 0}] = {.Launches = 1, .Why = Uncounted::Waits};
  P.Samples = true;
  P.Lines[{"k", 0, {"/a.cu", 14}, Space::Global, Op::Load}] = {
      .Instructions = 4096, .Sectors = 49152, .IdealSectors = 16384};
  P.Lines[{"k", 0, {}, Space::Generic, Op::Atomic}] = {};
  P.Files = {"/a.cu", "/b.h"};
  P.Sources = {{1, {.Bytes = 900, .Modified = 50}}};
  P.Code = {
      {.Kernel = "k",
       .CallsOthers = true,
       .Rows = {{.Offset = 32,
                 .Opcode = "LDG",
                 .Bytes = 16,
                 .Where = Place{1, 14},
                 .Frames = {{1, 14}, {0, 30}},
                 .Counts = {.Requests = 4096}},
                {.Opcode = "ATOMS", .In = Space::Shared, .What = Op::Atomic}}}};
  P.Branches[{"k", 0, {"/a.cu", 20}}] = {4096, 12};
  LaunchSummary &Launch = P.Launches[{"k", 0, {64, 2, 1}, {256, 1, 1}, 512}];
  Launch.Resources.Registers = 12;
  Launch.Count = 12;
  Launch.Duration = {1, 2, 3, {1, 3, 2}};
  return P;
}

TEST(ProfileWriter, WritesWhatTheDocumentationSays) {
  json J = json::parse(profileText(sample()));
  EXPECT_EQ(J["schema"], "cuda-lint-profile/1");
  EXPECT_EQ(J["tool"]["name"], "cuda-lint-probe");
  EXPECT_EQ(J["process"]["command"], json({"./app", "6\"4"}));
  EXPECT_EQ(J["process"]["end"], "exit");
  EXPECT_EQ(J["counters"], "sass");
  EXPECT_EQ(J["devices"][0]["compute_capability"], "9.0");
  EXPECT_EQ(J["kernels"][0]["measured_launches"], 10);
  EXPECT_EQ(J["kernels"][0]["has_lines"], true);
  EXPECT_EQ(J["kernels"][0]["threads"], 6144);
  EXPECT_EQ(J["kernels"][0]["measured_threads"], 5120);
  EXPECT_TRUE(J["kernels"][0]["uncounted"].is_null());
  EXPECT_EQ(J["kernels"][1]["uncounted"], "waits");
  EXPECT_EQ(J["sampled"], true);
  EXPECT_EQ(J["branches"][0]["threads_divergent"], 12);
  json Launch = J["launches"][0];
  EXPECT_EQ(Launch["grid"], json({64, 2, 1}));
  EXPECT_EQ(Launch["dynamic_shared_bytes"], 512);
  EXPECT_EQ(Launch["registers"], 12);
  EXPECT_EQ(Launch["duration_ns"]["samples"], json({1, 3, 2}));
}

TEST(ProfileWriter, RowsNameTheirFilesByNumber) {
  json J = json::parse(profileText(sample()));
  EXPECT_EQ(J["files"], json({"/a.cu", "/b.h"}));
  EXPECT_EQ(J["sources"],
            json::parse(R"([{"file": 1, "bytes": 900, "modified": 50}])"));
  ASSERT_THAT(J["code"], SizeIs(1));
  EXPECT_EQ(J["code"][0]["kernel"], "k");
  EXPECT_EQ(J["code"][0]["device"], 0);
  EXPECT_EQ(J["code"][0]["calls_others"], true);
  const json &Rows = J["code"][0]["instructions"];
  EXPECT_EQ(Rows[0], json::parse(R"({"offset": 32, "opcode": "LDG",
      "bytes": 16, "space": "global", "op": "load", "file": 1, "line": 14,
      "frames": [[1, 14], [0, 30]], "instructions": null, "requests": 4096,
      "lanes": null, "sectors": null, "ideal_sectors": null,
      "wavefronts": null, "ideal_wavefronts": null})"));
  EXPECT_TRUE(Rows[1]["bytes"].is_null());
  EXPECT_TRUE(Rows[1]["file"].is_null());
  EXPECT_EQ(Rows[1]["frames"], json::array());
}

TEST(ProfileWriter, OccupancyIsAShare) {
  for (double Share : {0.0, 1.25e-9, 0.000001, 0.0625, 0.8125, 1.0}) {
    Profile P = sample();
    LaunchSummary &Launch = P.Launches.begin()->second;
    Launch.RangeLaunches = 3;
    Launch.Occupancy = Share;
    Launch.DramBytes = 123'456'789'012;
    Launch.L2Sectors = 3'858'024'656;
    Launch.L2Share = Share;
    json J = json::parse(profileText(P))["launches"][0];
    EXPECT_EQ(J["achieved_occupancy"], Share);
    EXPECT_EQ(J["dram_bytes"], 123'456'789'012);
    EXPECT_EQ(J["l2_sectors"], 3'858'024'656);
    EXPECT_EQ(J["l2_peak_share"], Share);
    EXPECT_EQ(J["range_launches"], 3);
  }
}

TEST(ProfileWriter, UnknownIsNull) {
  json J = json::parse(profileText(sample()));
  ASSERT_THAT(J["lines"], SizeIs(2));
  for (const json &Line : J["lines"]) {
    EXPECT_TRUE(Line["wavefronts"].is_null());
    EXPECT_TRUE(Line["requests"].is_null());
  }
  EXPECT_TRUE(J["lines"][0]["file"].is_null() ||
              J["lines"][1]["file"].is_null());
  EXPECT_TRUE(J["launches"][0]["blocks_per_sm"].is_null());
  EXPECT_TRUE(J["launches"][0]["achieved_occupancy"].is_null());
  EXPECT_TRUE(J["launches"][0]["dram_bytes"].is_null());
  EXPECT_TRUE(J["launches"][0]["l2_sectors"].is_null());
  EXPECT_TRUE(J["launches"][0]["l2_peak_share"].is_null());
  EXPECT_EQ(J["launches"][0]["range_launches"], 0);
  Profile Empty;
  json E = json::parse(profileText(Empty));
  EXPECT_EQ(E["counters"], "none");
  EXPECT_THAT(E["lines"], SizeIs(0));
}

TEST(ProfileWriter, ProblemsHaveKindMessageAndSeverity) {
  json J = json::parse(profileText(sample()));
  ASSERT_THAT(J["problems"], SizeIs(2));
  EXPECT_EQ(J["problems"][0],
            json({{"kind", "a"}, {"message", "first"}, {"severity", "loss"}}));
  EXPECT_EQ(J["problems"][1]["severity"], "note");
}

TEST(ProfileWriter, ManyNotesHideNoLoss) {
  std::vector<Problem> All;
  for (unsigned I = 0; I != 3 * MostProblems; ++I)
    All.push_back({"bulk-copy", std::to_string(I / 2)}); // Each of them twice.
  All.push_back(loss("counts-lost", "the last of all"));
  boundProblems(All);
  ASSERT_THAT(All, SizeIs(MostProblems + 1));
  EXPECT_EQ(All.front(), loss("counts-lost", "the last of all"));
  EXPECT_EQ(All.back(), (Problem{"more-problems", "51 more are not listed"}));
  for (unsigned I = 0; I != 2 * MostProblems; ++I)
    All.push_back(loss("counts-lost", std::to_string(I)));
  boundProblems(All);
  EXPECT_TRUE(All.back().IsLoss);
  EXPECT_EQ(All.back().Kind, "more-problems");
}

TEST(Problems, OneOfEachKindStaysWhereTheyAreBounded) {
  std::vector<Problem> All = {loss("z", "last of all"),
                              loss("more-problems", "more are not listed")};
  for (std::size_t I = 0; I != MostProblems - 1; ++I)
    All.push_back(loss("often", std::to_string(I)));
  // They fit in, but a list of them did not.
  boundProblems(All);
  EXPECT_EQ(All.size(), MostProblems + 1);
  EXPECT_EQ(All.back(), loss("more-problems", "more are not listed"));
  All.push_back(loss("often", "one more"));
  boundProblems(All);
  EXPECT_EQ(All.size(), MostProblems + 1);
  EXPECT_EQ(All.front(), loss("often", "0"));
  EXPECT_EQ(All[1], loss("z", "last of all"));
  EXPECT_EQ(All.back(), loss("more-problems", "more are not listed"));
}

TEST(ProfileWriter, SamplesNumberTheirReasons) {
  Profile P = sample();
  // Others have no such member.
  EXPECT_FALSE(json::parse(profileText(P)).contains("stalls"));
  P.Collect = "stalls";
  P.Sampling[0] = {.PeriodCycles = 1024, .Samples = 9, .Dropped = 2};
  P.Sampling[1] = {.Others = 3};
  P.StallReasons = {"wait", "membar"};
  P.Stalls[{"k", 0, {"/a.cu", 14}}] = {{0, 5, 1}, {1, 2, 0}};
  P.Stalls[{"k", 0, {}}] = {};
  json J = json::parse(profileText(P));
  EXPECT_EQ(J["pc_sampling"], json::parse(R"([
      {"device": 0, "period_cycles": 1024, "samples": 9, "dropped_samples": 2,
       "other_samples": 0},
      {"device": 1, "period_cycles": null, "samples": 0, "dropped_samples": 0,
       "other_samples": 3}])"));
  EXPECT_EQ(J["stall_reasons"], json({"wait", "membar"}));
  EXPECT_EQ(J["stalls"], json::parse(R"([
      {"kernel": "k", "device": 0, "file": null, "line": null, "reasons": []},
      {"kernel": "k", "device": 0, "file": "/a.cu", "line": 14,
       "reasons": [[0, 5, 1], [1, 2, 0]]}])"));
}

} // namespace
} // namespace cudalint::probe::ProfileWriterTests
