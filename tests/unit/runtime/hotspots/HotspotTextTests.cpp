//===- tests/unit/runtime/hotspots/HotspotTextTests.cpp - Reports ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MadeProfiles.h"
#include "runtime/hotspots/HotspotWriters.h"

#include <gmock/gmock.h>

namespace HotspotTextTests {

using namespace cudalint;
using ::testing::HasSubstr;
using ::testing::Not;

static HotspotReport reportOf(std::span<const Profile> Profiles) {
  return {.Found = findHotspots(Profiles)};
}

TEST(HotspotText, SaysWhatIsWastedAndWhatItMayCost) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 1045440, 104544)};
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  const Profile All[] = {Counted, Times};
  const std::string Out = textIn80Columns(reportOf(All));
  EXPECT_THAT(Out, HasSubstr("NVIDIA H200: 1 kernel, 1 launch, 5 us of GPU "
                             "time in them\n"));
  EXPECT_THAT(Out, HasSubstr("peaks are of 132 SMs at the boost clock, "
                             "1980 MHz\n"));
  EXPECT_THAT(Out, HasSubstr("1. f\n   100.0 % of the GPU time: 5 us in 1 "
                             "launch; 32 registers; 64 warps per SM\n"));
  EXPECT_THAT(Out, HasSubstr("   L1: 1045440 sectors, 1 us at its peak: busy "
                             "at least 20.0 % of the time\n"));
  EXPECT_THAT(Out, HasSubstr("none of these explains its time"));
  EXPECT_THAT(Out, HasSubstr("    7 |   x = v[i].x;\n"));
  EXPECT_THAT(Out, HasSubstr("at most"));
}

TEST(HotspotText, NamesTheUnitThatLimits) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 1045440 * 4, 104544)};
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  const Profile All[] = {Counted, Times};
  EXPECT_THAT(textIn80Columns(reportOf(All)), HasSubstr("   limited by L1\n"));
}

// No unit is busy, so that the bound is all of the time, whatever is wasted.
TEST(HotspotText, ABoundThatSaysNothingIsLeftOut) {
  for (const auto &[Ideal, IsSaid] : {std::pair(900u, true), {901u, false}}) {
    Profile Counted = countedOn();
    addKernel(Counted, "f", 1, 1);
    Counted.Lines = {globalLoad("f", 1000, Ideal)};
    Profile Times = timed();
    addTimes(Times, "f", 1, {5000});
    const Profile All[] = {Counted, Times};
    const std::string Said = textIn80Columns(reportOf(All));
    EXPECT_THAT(Said, HasSubstr(" of those of its kernel"));
    EXPECT_EQ(IsSaid, Said.find("removing that") != std::string::npos) << Said;
  }
}

TEST(HotspotText, NeverShowsAZeroForWhatIsNotKnown) {
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  const std::string Out = textIn80Columns(reportOf({&Times, 1}));
  EXPECT_THAT(Out, HasSubstr("; 0 counted"));
  EXPECT_THAT(Out, Not(HasSubstr("L1")));
  EXPECT_THAT(Out, Not(HasSubstr("limited")));
  EXPECT_THAT(Out, Not(HasSubstr("wastes")));
  Profile Counted = countedOn("Someday");
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 800, 400)};
  const std::string Unknown = textIn80Columns(reportOf({&Counted, 1}));
  EXPECT_THAT(Unknown, HasSubstr("times not known"));
  EXPECT_THAT(Unknown, HasSubstr("its clock and peaks are not known"));
  EXPECT_THAT(Unknown, HasSubstr("   L1: 800 sectors\n"));
}

TEST(HotspotText, SaysWhichFiguresAreNoBounds) {
  Profile Counted = countedOn("NVIDIA GeForce RTX 3090");
  Counted.Devices[0].ComputeCapability = "8.6";
  Counted.Devices[0].SMs = 82;
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 800, 400)};
  Counted.Launches[0].Ranged = 1;
  Counted.Launches[0].Achieved = 0.5;
  Counted.Launches[0].DramBytes = 936000;
  Counted.Launches[0].Duration = {5000, 5000, 5000, {5000}};
  std::string Out = textIn80Columns(reportOf({&Counted, 1}));
  EXPECT_THAT(Out, HasSubstr("its SMs run faster than its data sheet says"));
  EXPECT_THAT(Out, HasSubstr("   L1: 800 sectors\n"));
  EXPECT_THAT(Out, HasSubstr("   DRAM: about 936000 bytes, 1 us at its peak: "
                             "busy about 20.0 % of the time\n"));
  // L1 may.
  EXPECT_THAT(Out, Not(HasSubstr("none of these explains its time")));
  Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {{.Kernel = "f",
                    .Space = MemorySpace::Shared,
                    .Requests = 100,
                    .Wavefronts = 400,
                    .IdealWavefronts = 200}};
  Out = textIn80Columns(reportOf({&Counted, 1}));
  EXPECT_THAT(Out, HasSubstr("   shared memory: 400 wavefronts counted, at "
                             "least 200 done, 1 ns at its peak\n"));
}

TEST(HotspotText, ShowsTheTopAndCountsTheRest) {
  Profile Times = timed();
  for (char C = 'a'; C != 'k'; ++C)
    addTimes(Times, std::string(1, C), 1, {100.0 * (C - 'a' + 1)});
  const std::string Out = textIn80Columns(reportOf({&Times, 1}), 2);
  EXPECT_THAT(Out, HasSubstr("1. j\n"));
  EXPECT_THAT(Out, HasSubstr("2. i\n"));
  EXPECT_THAT(Out, Not(HasSubstr("3. h\n")));
  // 5500 ns less 1000 and 900.
  EXPECT_THAT(Out, HasSubstr("8 more kernels with 65.5 % of the GPU time; "
                             "--all shows them\n"));
  EXPECT_THAT(textIn80Columns(reportOf({&Times, 1}), std::nullopt),
              HasSubstr("10. a\n"));
}

TEST(HotspotText, HostileNamesAreHarmless) {
  Profile Counted = countedOn();
  const std::string Name = std::string(100000, 'x') + "\x1b[2J";
  addKernel(Counted, Name, 1, 1);
  Counted.Lines = {globalLoad(Name, 800, 400)};
  Counted.Lines[0].File = "\x1b]0;owned\a";
  const std::string Out = textIn80Columns(reportOf({&Counted, 1}));
  EXPECT_THAT(Out, Not(HasSubstr("\x1b")));
  EXPECT_LT(Out.size(), 4000u);
  EXPECT_FALSE(hotspotJson(reportOf({&Counted, 1})).empty());
}

TEST(HotspotText, NoKernelIsAProblem) {
  EXPECT_THAT(textIn80Columns({}),
              HasSubstr("problem: the program launched no kernel"));
}

} // namespace HotspotTextTests
