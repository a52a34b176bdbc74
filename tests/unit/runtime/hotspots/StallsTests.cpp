//===- tests/unit/runtime/hotspots/StallsTests.cpp - Stalls in reports ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MadeProfiles.h"
#include "runtime/hotspots/HotspotWriters.h"
#include "runtime/hotspots/StallReasons.h"

#include <gmock/gmock.h>

namespace StallsTests {

using namespace cudalint;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// Line 7 has 600 of 1000 samples, 500 of which are long_scoreboard; line 8,
/// which touches no memory, 300 of wait and 100 of selected.
static Profile sampled() {
  Profile Out = timed();
  Out.StallReasons = {"wait", "selected", "long_scoreboard", "made_up"};
  Out.Sampling = {{.PeriodCycles = 1024, .Samples = 1010, .Others = 10}};
  Out.Stalls = {
      {.Kernel = "f",
       .File = "a.cu",
       .Line = 8,
       .Reasons = {{0, 300, 40}, {1, 100, 0}, {2, 0, 0}}},
      {.Kernel = "f",
       .File = "a.cu",
       .Line = 7,
       .Reasons = {{2, 500, 460}, {3, 100, 100}}},
  };
  return Out;
}

static std::vector<Profile> profiles() {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 1045440, 104544)};
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  return {Counted, Times, sampled()};
}

static std::string textOf(std::span<const Profile> Profiles,
                          std::optional<std::size_t> Top = 5) {
  return textIn80Columns({.Found = findHotspots(Profiles)}, Top);
}

TEST(HotStalls, OnlySamplesAreSummed) {
  const std::vector<Profile> All = profiles();
  const Hotspots Found = findHotspots(All);
  EXPECT_TRUE(Found.HasSamples);
  EXPECT_EQ(Found.Gpus[0].Sampling->Samples, 1010u);
  const HotStalls &Stalls = Found.Gpus[0].Kernels.at(0).Stalls;
  // That in 600 of them nothing was issued makes no more of them.
  EXPECT_EQ(Stalls.Sums.Samples, 1000u);
  EXPECT_EQ(Stalls.Sums.NotIssued, 600u);
  std::vector<std::string> Names;
  for (const ReasonCount &Each : Stalls.Sums.Reasons)
    Names.push_back(Each.Name);
  EXPECT_THAT(Names,
              ElementsAre("long_scoreboard", "wait", "made_up", "selected"));
  EXPECT_EQ(Stalls.Sums.share(500), 0.5);
  ASSERT_THAT(Stalls.Lines, SizeIs(2));
  EXPECT_EQ(Stalls.Lines[0].Line, 7u);
  EXPECT_EQ(Stalls.Lines[0].Sums.Samples, 600u);
  // A reason of no sample is none.
  EXPECT_THAT(Stalls.Lines[1].Sums.Reasons, SizeIs(2));
}

TEST(HotStalls, NothingSampledIsNotZeroSamples) {
  const Profile Times = profiles()[1];
  const Hotspots Found = findHotspots({&Times, 1});
  EXPECT_FALSE(Found.HasSamples);
  EXPECT_FALSE(Found.Gpus[0].Sampling);
  EXPECT_THAT(Found.Gpus[0].Kernels[0].Stalls.Lines, IsEmpty());
  EXPECT_THAT(textOf({&Times, 1}), Not(HasSubstr("sample")));
  EXPECT_THAT(hotspotJson({.Found = Found}), HasSubstr("\"stalls\": null"));
}

TEST(HotStalls, TheReportNamesLinesAndReasons) {
  const std::string Out = textOf(profiles());
  EXPECT_THAT(Out, HasSubstr("\n1010 samples, one in 1024 cycles of an SM; 10 "
                             "in kernels of the driver\n"));
  EXPECT_THAT(Out, HasSubstr("\n   1000 samples of its warps: 90.0 % did not "
                             "issue; in 60.0 % the scheduler\n      issued "
                             "nothing at all\n"));
  EXPECT_THAT(Out,
              HasSubstr("\n   50.0 % long_scoreboard: waits for a scoreboard "
                        "dependency on an L1TEX\n      operation: local, "
                        "global, surface or texture memory\n"
                        "   30.0 % wait: waits on a fixed latency execution "
                        "dependency\n"
                        // Which is not in the table.
                        "   10.0 % made_up\n"
                        "   a.cu:7: 60.0 % of the samples: 83.3 % "
                        "long_scoreboard, 16.7 % made_up\n"
                        "    7 |   x = v[i].x;\n"
                        // It touches no memory.
                        "   a.cu:8: 40.0 % of the samples: 75.0 % wait\n"
                        "    8 |   y = x + 1;\n"));
  EXPECT_THAT(Out, Not(HasSubstr("% selected")));
  EXPECT_THAT(Out, Not(HasSubstr("say little")));
}

TEST(HotStalls, TopLeavesTheRestOut) {
  const std::string Out = textOf(profiles(), 1);
  EXPECT_THAT(Out, HasSubstr("a.cu:7: 60.0 %"));
  EXPECT_THAT(Out, Not(HasSubstr("a.cu:8:")));
  EXPECT_THAT(Out, HasSubstr("   1 line more with 40.0 % of the samples\n"));
  EXPECT_THAT(textOf(profiles(), std::nullopt), HasSubstr("a.cu:8: 40.0 %"));
}

TEST(HotStalls, FewSamplesAreSaidToBeFew) {
  std::vector<Profile> All = profiles();
  All[2].Stalls = {{.Kernel = "f", .Reasons = {{0, 99, 0}}}};
  const std::string Out = textOf(All);
  EXPECT_THAT(Out, HasSubstr("99 samples of its warps: 100.0 % did not issue"));
  EXPECT_THAT(Out, HasSubstr("so few say little"));
  EXPECT_THAT(Out, HasSubstr("   code without a line: 100.0 % of the samples"));
}

TEST(HotStalls, WithoutTimesAndWasteSamplesGiveTheOrder) {
  Profile Only = sampled();
  Only.Stalls = {{.Kernel = "a", .Reasons = {{0, 10, 0}}},
                 {.Kernel = "b", .Reasons = {{0, 20, 0}}}};
  const Hotspots Found = findHotspots({&Only, 1});
  ASSERT_THAT(Found.Gpus[0].Kernels, SizeIs(2));
  EXPECT_EQ(Found.Gpus[0].Kernels[0].Name, "b");
}

TEST(StallReasons, MeaningsAreThoseOfNsightCompute) {
  EXPECT_EQ(meaningOf("barrier"), "waits for sibling warps at a CTA barrier");
  EXPECT_THAT(std::string(meaningOf("short_scoreboard")),
              HasSubstr("shared memory"));
  // As CUPTI and as ncu spell it.
  EXPECT_EQ(meaningOf("no_instruction"), meaningOf("no_instructions"));
  EXPECT_EQ(meaningOf("warpgroup_arrive").substr(0, 8), "waits on");
  EXPECT_EQ(meaningOf("unheard_of"), "");
  EXPECT_EQ(meaningOf(""), "");
  EXPECT_FALSE(isStall("selected"));
  EXPECT_TRUE(isStall("not_selected"));
}

} // namespace StallsTests
