//===- tests/unit/runtime/hotspots/L2Tests.cpp - A peak of its own --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MadeProfiles.h"

#include <gmock/gmock.h>

namespace L2Tests {

using namespace cudalint;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

static const HotKernel &only(const Hotspots &Found) {
  EXPECT_THAT(Found.Gpus, SizeIs(1));
  EXPECT_THAT(Found.Gpus[0].Kernels, SizeIs(1));
  return Found.Gpus[0].Kernels[0];
}

static UnitWork l2Of(const Profile &Of) {
  return only(findHotspots({&Of, 1})).unit(Resource::L2);
}

/// A kernel of two shapes, of which L2 did 100 sectors in each launch: 10 of
/// the first, at a tenth of its peak, and 5 of the second, at half of it.
static Profile withL2() {
  Profile Out = timed();
  addKernel(Out, "f", 10, 0);
  Out.Launches.push_back(launch("f", 5));
  Out.Launches[1].Grid = {20, 1, 1};
  Out.Kernels[0].Launches = 15;
  for (ProfileLaunch &Each : Out.Launches) {
    Each.Ranged = 2;
    Each.Achieved = 0.5;
    Each.L2Sectors = 200;
  }
  Out.Launches[0].L2Share = 0.1;
  Out.Launches[1].L2Share = 0.5;
  return Out;
}

TEST(L2, ShareOfL2IsOfAllThatItCouldHaveDone) {
  const Profile Ranges = withL2();
  const Hotspots Found = findHotspots({&Ranges, 1});
  const UnitWork &L2 = only(Found).unit(Resource::L2);
  EXPECT_EQ(1500, L2.Amount);
  // 10 times 1000, and 5 times 200.
  EXPECT_NEAR(1500.0 / 11000, *L2.PeakShare, 1e-9);
  EXPECT_FALSE(L2.Busy); // There is no time.
  EXPECT_FALSE(only(Found).unit(Resource::Dram).Amount);
}

TEST(L2, L2IsBusyForItsShareOfTheTime) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 104544, 104000)};
  ProfileLaunch &Launch = Counted.Launches[0];
  Launch.Ranged = 1;
  Launch.Achieved = 0.5;
  Launch.L2Sectors = 43520;
  Launch.L2Share = 0.8;
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  const Profile All[] = {Counted, Times};
  Hotspots Found = findHotspots(All);
  EXPECT_NEAR(4000, *only(Found).unit(Resource::L2).Busy, 1e-6);
  EXPECT_EQ(Resource::L2, only(Found).Units[*only(Found).Busiest].What);
  // 544 sectors may have been 8 each in L2: a tenth of its own.
  EXPECT_NEAR(5000 - 3600, *only(Found).Lines[0].SavesAtMost, 1e-6);
}

TEST(L2, WhatAShapeDoesNotKnowOfL2TheKernelDoesNotKnow) {
  Profile Ranges = withL2();
  Ranges.Launches[1].L2Share.reset();
  EXPECT_EQ(1500, l2Of(Ranges).Amount);
  EXPECT_FALSE(l2Of(Ranges).PeakShare);
  Ranges.Launches[1].L2Sectors.reset();
  EXPECT_FALSE(l2Of(Ranges).Amount);
  // What it could have done in the launches with 0 is not known.
  Ranges = withL2();
  Ranges.Launches[0].L2Share = 0;
  EXPECT_FALSE(l2Of(Ranges).PeakShare);
  // A shape that was not measured.
  Ranges = withL2();
  Ranges.Launches[1].Ranged = 0;
  EXPECT_FALSE(l2Of(Ranges).Amount);
}

TEST(L2, AShareThatRoundsToNothingIsKnown) {
  Profile Ranges = withL2();
  Ranges.Launches[0].L2Share = Ranges.Launches[1].L2Share = 0;
  EXPECT_EQ(0, l2Of(Ranges).PeakShare);
  // Nor did it do anything.
  Ranges.Launches[0].L2Sectors = Ranges.Launches[1].L2Sectors = 0;
  EXPECT_EQ(0, l2Of(Ranges).PeakShare);
}

/// A kernel of 5000 ns, of which L2 was busy for \p Share.
static std::string textWith(std::optional<double> Share, Count Sectors = 43520,
                            Count DramBytes = 4813) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 104544, 104000)};
  ProfileLaunch &Launch = Counted.Launches[0];
  Launch.Ranged = 1;
  Launch.Achieved = 0.5;
  Launch.L2Sectors = Sectors;
  Launch.L2Share = Share;
  Launch.DramBytes = DramBytes;
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  const Profile All[] = {Counted, Times};
  return textIn80Columns({.Found = findHotspots(All)});
}

TEST(L2, MayLimitAKernel) {
  const std::string Out = textWith(0.8);
  EXPECT_THAT(Out, HasSubstr("   L2: about 43520 sectors, 4 us at its peak: "
                             "busy about 80.0 % of the time\n"));
  EXPECT_THAT(Out, HasSubstr("   limited by L2\n"));
}

TEST(L2, IsNamedWhereItMayLimitAKernelUnseen) {
  EXPECT_THAT(textWith(0.1), HasSubstr("look at latency (--stalls samples it) "
                                       "and\n      arithmetic\n"));
  EXPECT_THAT(textWith(0.0), HasSubstr("samples it) and\n      arithmetic\n"));
  EXPECT_THAT(textWith(0.0), HasSubstr("busy about 0.0 % of the time\n"));
  // A GPU that counts sectors and no share, one that counts neither, and one
  // without DRAM.
  std::string Out = textWith(std::nullopt);
  EXPECT_THAT(Out, HasSubstr("   L2: about 43520 sectors, its peak is not "
                             "known\n"));
  EXPECT_THAT(Out, HasSubstr("samples it),\n      arithmetic and L2\n"));
  Out = textWith(std::nullopt, std::nullopt);
  EXPECT_THAT(Out, Not(HasSubstr("   L2:")));
  EXPECT_THAT(Out, HasSubstr("samples it),\n      arithmetic and L2\n"));
  EXPECT_THAT(textWith(0.1, 43520, std::nullopt),
              HasSubstr("samples it),\n      arithmetic and DRAM\n"));
  EXPECT_THAT(textWith(std::nullopt, std::nullopt, std::nullopt),
              HasSubstr("arithmetic, L2 and DRAM\n"));
}

TEST(L2, ShareIsToldWithoutTimes) {
  const Profile Ranges = withL2();
  EXPECT_THAT(textIn80Columns({.Found = findHotspots({&Ranges, 1})}),
              HasSubstr("   L2: about 1500 sectors, 13.6 % of its peak\n"));
}

TEST(L2, JsonHasItsShare) {
  const Profile Ranges = withL2();
  const std::string Out = hotspotJson({.Found = findHotspots({&Ranges, 1})});
  EXPECT_THAT(Out, HasSubstr("\"peak_share\": 0.136"));
  EXPECT_THAT(Out, HasSubstr("\"unit\": \"l2\""));
}

} // namespace L2Tests
