//===- tests/unit/runtime/hotspots/HotspotsTests.cpp - Bounds -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/hotspots/Hotspots.h"

#include "MadeProfiles.h"

#include <gmock/gmock.h>

namespace HotspotsTests {

using namespace cudalint;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

static const HotKernel &only(const Hotspots &Found) {
  EXPECT_THAT(Found.Gpus, SizeIs(1));
  EXPECT_THAT(Found.Gpus[0].Kernels, SizeIs(1));
  return Found.Gpus[0].Kernels[0];
}

static const UnitWork &unit(const HotKernel &Kernel, Resource What) {
  for (const UnitWork &Each : Kernel.Units)
    if (Each.What == What)
      return Each;
  ADD_FAILURE() << "no such unit";
  return Kernel.Units.front();
}

TEST(Hotspots, WasteAndItsBounds) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 1045440, 104544)};
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  const Profile All[] = {Counted, Times};
  const Hotspots Found = findHotspots(All);
  const HotKernel &Kernel = only(Found);
  // 1045440 sectors at 1045.44 in a nanosecond.
  EXPECT_NEAR(1000, *unit(Kernel, Resource::L1).Busy, 1e-6);
  EXPECT_EQ(5000, Kernel.Time);
  EXPECT_EQ(1, Kernel.Share);
  ASSERT_THAT(Kernel.Lines, SizeIs(1));
  const HotLine &Line = Kernel.Lines[0];
  EXPECT_EQ(940896u, Line.Wasted);
  EXPECT_NEAR(0.9, *Line.ShareOfUnit, 1e-9);
  EXPECT_NEAR(900, *Line.WasteBusy, 1e-6);
  // A tenth of the sectors remains, which takes 100 ns.
  EXPECT_NEAR(4900, *Line.SavesAtMost, 1e-6);
}

// A kernel that polls memory does so more often while it is slowed down.
TEST(Hotspots, MoreThanFitsTheTimeIsNoBound) {
  for (const auto &[Time, Exceeds] :
       {std::pair(960.0, false), std::pair(940.0, true)}) {
    Profile Counted = countedOn();
    addKernel(Counted, "f", 1, 1);
    Counted.Lines = {globalLoad("f", 1045440, 104544)};
    Profile Times = timed();
    addTimes(Times, "f", 1, {Time});
    const Profile All[] = {Counted, Times};
    const Hotspots Found = findHotspots(All);
    const HotKernel &Kernel = only(Found);
    EXPECT_EQ(Exceeds, unit(Kernel, Resource::L1).ExceedsTime);
    EXPECT_EQ(!Exceeds, unit(Kernel, Resource::L1).Busy.has_value());
    EXPECT_EQ(!Exceeds, Kernel.Busiest.has_value());
    EXPECT_EQ(!Exceeds, Kernel.Lines[0].WasteBusy.has_value());
    EXPECT_EQ(!Exceeds, Kernel.Lines[0].SavesAtMost.has_value());
    EXPECT_EQ(940896u, Kernel.Lines[0].Wasted);
  }
}

// NCCL loads hundreds of kernels to launch one.
TEST(Hotspots, CodeThatNeverRanIsNoKernelOfTheProgram) {
  Profile Counted = countedOn();
  addKernel(Counted, "ran", 1, 1);
  Counted.Kernels.push_back({.Kernel = "loaded", .HasLines = true});
  // A kernel launched it.
  Counted.Kernels.push_back({.Kernel = "nested", .HasLines = true});
  ProfileLine Never = globalLoad("loaded", 0, 0);
  Never.Requests = Never.Lanes = 0;
  Counted.Lines = {globalLoad("ran", 400, 400), Never,
                   globalLoad("nested", 400, 400)};
  const Profile All[] = {Counted};
  const Hotspots Found = findHotspots(All);
  std::vector<std::string> Names;
  for (const HotKernel &Each : Found.Gpus.at(0).Kernels)
    Names.push_back(Each.Name);
  EXPECT_THAT(Names, UnorderedElementsAre("ran", "nested"));
}

TEST(Hotspots, AnotherUnitLimitsWhatALineSaves) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  ProfileLine Shared = {.Kernel = "f",
                        .File = "a.cu",
                        .Line = 9,
                        .Space = MemorySpace::Shared,
                        .Requests = 100,
                        .Wavefronts = 261360 * 3,
                        .IdealWavefronts = 261360 * 3};
  Counted.Lines = {globalLoad("f", 1045440 * 4, 0), Shared};
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  const Profile All[] = {Counted, Times};
  const Hotspots Found = findHotspots(All);
  const HotKernel &Kernel = only(Found);
  EXPECT_EQ(Resource::L1, Kernel.Units[*Kernel.Busiest].What);
  // Without all of its sectors, shared memory still takes 3000 ns.
  EXPECT_NEAR(2000, *Kernel.Lines[0].SavesAtMost, 1e-6);
  EXPECT_EQ(0u, Kernel.Lines[1].Wasted);
  EXPECT_FALSE(Kernel.Lines[1].SavesAtMost);
}

TEST(Hotspots, WhatWasNotCountedIsNotKnown) {
  Profile Times = timed();
  addTimes(Times, "f", 2, {100, 300});
  const Hotspots Found = findHotspots({&Times, 1});
  const HotKernel &Kernel = only(Found);
  EXPECT_FALSE(Found.HasCounters);
  EXPECT_TRUE(Found.HasTimes);
  EXPECT_EQ(2u, Kernel.Launches);
  EXPECT_EQ(0u, Kernel.Measured);
  EXPECT_EQ(400, Kernel.Time); // Their mean, twice.
  for (const UnitWork &Each : Kernel.Units) {
    EXPECT_FALSE(Each.Amount);
    EXPECT_FALSE(Each.Busy);
  }
  EXPECT_FALSE(Kernel.Busiest);
  EXPECT_THAT(Kernel.Lines, IsEmpty());
}

TEST(Hotspots, WithoutTimesThereIsNoShareAndNoSaving) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 800, 400)};
  const Hotspots Found = findHotspots({&Counted, 1});
  const HotKernel &Kernel = only(Found);
  EXPECT_FALSE(Found.HasTimes);
  EXPECT_FALSE(Kernel.Time);
  EXPECT_FALSE(Kernel.Share);
  EXPECT_FALSE(Kernel.Lines[0].SavesAtMost);
  EXPECT_EQ(400u, Kernel.Lines[0].Wasted);
  EXPECT_TRUE(Kernel.Lines[0].WasteBusy);
}

TEST(Hotspots, AnUnknownGpuHasNoPeaks) {
  Profile Counted = countedOn("NVIDIA Someday 1");
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 800, 400)};
  const Hotspots Found = findHotspots({&Counted, 1});
  EXPECT_FALSE(Found.Gpus[0].BoostMHz);
  const HotKernel &Kernel = only(Found);
  EXPECT_EQ(800, unit(Kernel, Resource::L1).Amount);
  EXPECT_FALSE(unit(Kernel, Resource::L1).Busy);
  EXPECT_FALSE(Kernel.Lines[0].WasteBusy);
  EXPECT_EQ(400u, Kernel.Lines[0].Wasted);
}

TEST(Hotspots, ANameOfAnotherCapabilityHasNoPeaks) {
  Profile Counted = countedOn();
  Counted.Devices[0].ComputeCapability = "8.0";
  addKernel(Counted, "f", 1, 1);
  EXPECT_FALSE(findHotspots({&Counted, 1}).Gpus[0].BoostMHz);
}

TEST(Hotspots, KernelsAreSortedByTime) {
  Profile Counted = countedOn();
  for (const char *Name : {"a", "b", "c"})
    addKernel(Counted, Name, 1, 1);
  Profile Times = timed();
  addTimes(Times, "a", 1, {100});
  addTimes(Times, "b", 3, {100});
  const Profile All[] = {Counted, Times};
  const Hotspots Found = findHotspots(All);
  ASSERT_THAT(Found.Gpus[0].Kernels, SizeIs(3));
  EXPECT_EQ("b", Found.Gpus[0].Kernels[0].Name);
  EXPECT_EQ(0.75, Found.Gpus[0].Kernels[0].Share);
  EXPECT_EQ("a", Found.Gpus[0].Kernels[1].Name);
  // It was not timed.
  EXPECT_EQ("c", Found.Gpus[0].Kernels[2].Name);
  EXPECT_FALSE(Found.Gpus[0].Kernels[2].Share);
}

TEST(Hotspots, AKernelThatRanOnlyWhenTimesWereTaken) {
  Profile Counted = countedOn();
  addKernel(Counted, "a", 1, 1);
  Profile Times = timed();
  addTimes(Times, "b", 4, {100});
  const Profile All[] = {Counted, Times};
  const Hotspots Found = findHotspots(All);
  ASSERT_THAT(Found.Gpus[0].Kernels, SizeIs(2));
  const HotKernel &Kernel = Found.Gpus[0].Kernels[0];
  EXPECT_EQ("b", Kernel.Name);
  EXPECT_EQ(4u, Kernel.Launches);
  EXPECT_EQ(0u, Kernel.Measured);
  EXPECT_EQ("second-run", Kernel.Uncounted);
  EXPECT_EQ(400, Kernel.Time);
  EXPECT_FALSE(Found.Gpus[0].Kernels[1].Time);
}

TEST(Hotspots, SumsOfAFewLaunchesAreScaled) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 10, 2);
  Counted.Lines = {globalLoad("f", 800, 400)};
  const Hotspots Found = findHotspots({&Counted, 1});
  const HotKernel &Kernel = only(Found);
  EXPECT_EQ(4000, unit(Kernel, Resource::L1).Amount);
  EXPECT_EQ(4000u, Kernel.Lines[0].Total);
  EXPECT_EQ(500u, Kernel.Lines[0].Requests);
  EXPECT_EQ(8, Kernel.Lines[0].PerRequest);
  // A few launches leave instructions without an active lane out.
  EXPECT_FALSE(Kernel.Lines[0].Instructions);
  Counted.Lines[0].Instructions = 120;
  EXPECT_EQ(600u, only(findHotspots({&Counted, 1})).Lines[0].Instructions);
}

TEST(Hotspots, DramBytesAreOfAllLaunches) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 10, 10);
  Profile Ranges = timed();
  addKernel(Ranges, "f", 10, 0);
  Ranges.Launches[0].Ranged = 2;
  Ranges.Launches[0].Achieved = 0.5;
  Ranges.Launches[0].DramBytes = 2000;
  const Profile All[] = {Counted, Ranges};
  const Hotspots Found = findHotspots(All);
  const HotKernel &Kernel = only(Found);
  EXPECT_EQ(10000, unit(Kernel, Resource::Dram).Amount);
  // 4813 GB/s are 4813 bytes in a nanosecond.
  EXPECT_NEAR(10000 / 4813.0, *unit(Kernel, Resource::Dram).Busy, 1e-9);
  EXPECT_EQ(0.5, Kernel.Achieved);
}

TEST(Hotspots, ACountThatIsMissingMakesTheSumUnknown) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  ProfileLine Unknown = globalLoad("f", 0, 0);
  Unknown.Line = 8;
  Unknown.Sectors.reset();
  Counted.Lines = {globalLoad("f", 800, 400), Unknown};
  const Hotspots Found = findHotspots({&Counted, 1});
  const HotKernel &Kernel = only(Found);
  EXPECT_FALSE(unit(Kernel, Resource::L1).Amount);
  EXPECT_EQ(0, unit(Kernel, Resource::Shared).Amount);
  EXPECT_FALSE(Kernel.Lines[0].ShareOfUnit);
  EXPECT_EQ(400u, Kernel.Lines[0].Wasted);
  EXPECT_FALSE(Kernel.Lines[1].Wasted);
}

TEST(Hotspots, AGenericAccessHasBothUnits) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  ProfileLine Generic = globalLoad("f", 800, 400);
  Generic.Space = MemorySpace::Generic;
  Generic.Wavefronts = 64;
  Generic.IdealWavefronts = 2;
  Counted.Lines = {Generic};
  const Hotspots Found = findHotspots({&Counted, 1});
  const HotKernel &Kernel = only(Found);
  ASSERT_THAT(Kernel.Lines, SizeIs(2));
  // 400 sectors are 0.38 ns, 62 wavefronts 0.24 ns.
  EXPECT_EQ(TrafficUnit::Sectors, Kernel.Lines[0].Unit);
  EXPECT_EQ(62u, Kernel.Lines[1].Wasted);
}

TEST(Hotspots, LocalMemoryHasNoIdeal) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  ProfileLine Local = globalLoad("f", 800, 0);
  Local.Space = MemorySpace::Local;
  Local.IdealSectors.reset();
  Counted.Lines = {Local};
  const Hotspots Found = findHotspots({&Counted, 1});
  EXPECT_FALSE(only(Found).Lines[0].Wasted);
  EXPECT_EQ(800, unit(only(Found), Resource::L1).Amount);
}

TEST(Hotspots, LessThanTheIdealIsNoWaste) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 300, 400)};
  EXPECT_EQ(0u, only(findHotspots({&Counted, 1})).Lines[0].Wasted);
}

TEST(Hotspots, EachProcessHasItsOwnMeanAndNumber) {
  Profile Ranks[] = {timed(), timed()};
  addTimes(Ranks[0], "f", 10000, std::vector<double>(64, 1000));
  addTimes(Ranks[1], "f", 64, std::vector<double>(64, 1));
  EXPECT_EQ(10'000'064, only(findHotspots(Ranks)).Time);
}

TEST(Hotspots, TheTimeIsThatOfOneRunOfSeveral) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 2, 2);
  std::vector<Profile> All = {Counted};
  for (unsigned Run = 1; Run != 4; ++Run) {
    All.push_back(timed());
    All.back().Run = Run;
    addTimes(All.back(), "f", 2, {100.0 * Run});
    addTimes(All.back(), "g", 5, {10});
  }
  Hotspots Found = findHotspots(All);
  ASSERT_THAT(Found.Gpus[0].Kernels, SizeIs(2));
  EXPECT_EQ(400, Found.Gpus[0].Kernels[0].Time);
  EXPECT_EQ(2u, Found.Gpus[0].Kernels[0].Launches);
  EXPECT_EQ(50, Found.Gpus[0].Kernels[1].Time);
  EXPECT_EQ(5u, Found.Gpus[0].Kernels[1].Launches);
  // Nothing was counted.
  All.erase(All.begin());
  Found = findHotspots(All);
  EXPECT_EQ(400, Found.Gpus[0].Kernels[0].Time);
  EXPECT_EQ(2u, Found.Gpus[0].Kernels[0].Launches);
}

TEST(Hotspots, AShapeWithoutTimesLeavesTheTimeUnknown) {
  Profile Times = timed();
  addTimes(Times, "f", 2, {100});
  Times.Launches.push_back(launch("f", 1));
  Times.Launches.back().Grid = {11, 1, 1};
  addTimes(Times, "g", 1, {50});
  const Hotspots Found = findHotspots({&Times, 1});
  ASSERT_THAT(Found.Gpus[0].Kernels, SizeIs(2));
  EXPECT_EQ("g", Found.Gpus[0].Kernels[0].Name);
  EXPECT_FALSE(Found.Gpus[0].Kernels[1].Time);
  ASSERT_THAT(Found.Problems, SizeIs(1));
  EXPECT_EQ("times-incomplete", Found.Problems[0].Kind);
  EXPECT_TRUE(Found.Problems[0].IsLoss);
}

TEST(Hotspots, ABlockThatNoGpuRunsHasNoWrongWarps) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Launches[0].Block = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  Counted.Launches[0].BlocksPerSM = UINT32_MAX;
  EXPECT_EQ(UINT32_MAX, only(findHotspots({&Counted, 1})).MostWarps);
}

TEST(Hotspots, SMsOfADesktopGpuExceedItsBoostClock) {
  Profile Counted = countedOn("NVIDIA GeForce RTX 3090");
  Counted.Devices[0].ComputeCapability = "8.6";
  Counted.Devices[0].SMs = 82;
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 800, 400)};
  Counted.Launches[0].Ranged = 1;
  Counted.Launches[0].Achieved = 0.5;
  Counted.Launches[0].DramBytes = 936000;
  const Hotspots Found = findHotspots({&Counted, 1});
  EXPECT_FALSE(Found.Gpus[0].BoostMHz);
  EXPECT_TRUE(Found.Gpus[0].ExceedsBoost);
  EXPECT_FALSE(unit(only(Found), Resource::L1).Busy);
  EXPECT_FALSE(only(Found).Lines[0].WasteBusy);
  // 936 GB/s, whatever the SMs do.
  EXPECT_NEAR(1000, *unit(only(Found), Resource::Dram).Busy, 1e-6);
}

/// Loads of shared memory on line 9, of \p Bytes a lane, with twice the
/// wavefronts that they need; 0: not known.
static Profile conflicts(unsigned Bytes) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  const ProfileLine Load = {.Kernel = "f",
                            .File = "a.cu",
                            .Line = 9,
                            .Space = MemorySpace::Shared,
                            .Requests = 100,
                            .Wavefronts = 261360 * 2,
                            .IdealWavefronts = 261360};
  Counted.Lines = {Load};
  if (Bytes != 0) {
    Counted.Files = {"a.cu"};
    Counted.Code = {{.Kernel = "f",
                     .Instructions = {{.Opcode = "LDS",
                                       .Bytes = Bytes,
                                       .Where = ProfilePlace{0, 9},
                                       .Counts = Load}}}};
  }
  return Counted;
}

TEST(Hotspots, ConflictsOfWideLoadsMayNotHappen) {
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  for (const unsigned Bytes : {0u, 8u, 16u}) {
    const Profile All[] = {conflicts(Bytes), Times};
    const Hotspots Found = findHotspots(All);
    const UnitWork &Shared = unit(only(Found), Resource::Shared);
    EXPECT_EQ(261360 * 2, Shared.Amount);
    EXPECT_EQ(261360, Shared.AtLeast);
    EXPECT_NEAR(1000, *Shared.Busy, 1e-6);
    const HotLine &Line = only(Found).Lines[0];
    EXPECT_EQ(261360u, Line.Wasted);
    EXPECT_FALSE(Line.WasteBusy);
    EXPECT_NEAR(4000, *Line.SavesAtMost, 1e-6);
  }
  const Profile All[] = {conflicts(4), Times};
  const Hotspots Found = findHotspots(All);
  EXPECT_NEAR(2000, *unit(only(Found), Resource::Shared).Busy, 1e-6);
  EXPECT_NEAR(1000, *only(Found).Lines[0].WasteBusy, 1e-6);
  EXPECT_NEAR(4000, *only(Found).Lines[0].SavesAtMost, 1e-6);
  // Stores are counted as they are.
  Profile Store = conflicts(0);
  Store.Lines[0].Op = AccessOp::Store;
  EXPECT_NEAR(2000,
              *unit(only(findHotspots({&Store, 1})), Resource::Shared).Busy,
              1e-6);
}

TEST(Hotspots, AWastedSectorMayCostDramALine) {
  Profile Counted = countedOn();
  addKernel(Counted, "f", 1, 1);
  Counted.Lines = {globalLoad("f", 104544, 54544)};
  Counted.Launches[0].Ranged = 1;
  Counted.Launches[0].Achieved = 0.5;
  // 4000 ns; the 50000 wasted sectors are 6400000 bytes of them.
  Counted.Launches[0].DramBytes = 4813 * 4000;
  Profile Times = timed();
  addTimes(Times, "f", 1, {5000});
  const Profile All[] = {Counted, Times};
  EXPECT_NEAR(5000 - (4000 - 6400000 / 4813.0),
              *only(findHotspots(All)).Lines[0].SavesAtMost, 1e-6);
}

TEST(Hotspots, NothingIsNothing) {
  const Hotspots Found = findHotspots({});
  EXPECT_THAT(Found.Gpus, IsEmpty());
  EXPECT_FALSE(Found.HasTimes);
}

} // namespace HotspotsTests
