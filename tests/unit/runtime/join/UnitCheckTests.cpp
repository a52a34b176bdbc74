//===- tests/unit/runtime/join/UnitCheckTests.cpp - Tests -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/UnitCheck.h"

#include "tests/unit/runtime/join/Examples.h"

#include <gmock/gmock.h>

namespace UnitCheckTests {

using namespace cudalint;
using testing::IsEmpty;
using testing::SizeIs;

/// Three launches of 4096 warps each: one of 512 blocks and two of 1024.
static Profile counted(std::vector<ProfileLine> Lines) {
  Profile Out = profile(std::move(Lines));
  Out.Kernels[0].Launches = Out.Kernels[0].MeasuredLaunches = 3;
  Out.Launches.push_back(launch({1024, 1, 1}, {256, 1, 1}));
  Out.Launches[1].Number = 2;
  return Out;
}

/// The same program, whose launches were measured as a whole: \p Small of one
/// launch of 512 blocks, \p Large of one of 1024, of which one was measured.
static Profile ofHardware(MemorySpace Space, std::optional<AccessOp> Op,
                          std::uint64_t Small, std::uint64_t Large) {
  Profile Out = counted({});
  Out.HasCounters = false;
  Out.IsExtra = true;
  Out.Launches[0].Units = {
      {.Space = Space, .Op = Op, .Launches = 1, .Amount = Small}};
  Out.Launches[1].Units = {
      {.Space = Space, .Op = Op, .Launches = 1, .Amount = Large}};
  return Out;
}

static std::vector<UnitSum> checked(std::vector<Profile> Profiles) {
  const Measurement Measured = merge(Profiles);
  return checkUnits(Measured.Gpus.at(0).Kernels.at(0));
}

TEST(UnitCheck, ShapesAreScaledToAllTheirLaunches) {
  const auto Sums =
      checked({counted({measured(14, 5000, 5000)}),
               ofHardware(MemorySpace::Global, AccessOp::Load, 1000, 2000)});
  ASSERT_THAT(Sums, SizeIs(1));
  EXPECT_EQ(Sums[0].Counted, 5000);
  EXPECT_EQ(Sums[0].Hardware, 1000 + 2 * 2000);
  EXPECT_TRUE(Sums[0].agrees(0));
}

TEST(UnitCheck, WhatDiffersIsSeen) {
  for (const auto &[Counted, Agrees] : {std::pair{4951u, true},
                                        {4949u, false},
                                        {5049u, true},
                                        {5051u, false}}) {
    const auto Sums =
        checked({counted({measured(14, Counted, 5000)}),
                 ofHardware(MemorySpace::Global, AccessOp::Load, 1000, 2000)});
    ASSERT_THAT(Sums, SizeIs(1));
    EXPECT_EQ(Sums[0].agrees(0.01), Agrees) << Counted;
  }
}

/// A store, an access of any pointer and shared memory beside the loads.
TEST(UnitCheck, LinesGoWithTheirUnits) {
  ProfileLine Load = measured(14, 100, 100), Store = Load, Any = Load,
              Shared = Load;
  Store.Op = AccessOp::Store;
  Any.Space = MemorySpace::Generic;
  Any.Wavefronts = 7;
  Shared.Space = MemorySpace::Shared;
  Shared.Sectors = std::nullopt;
  Shared.Wavefronts = 40;
  Store.Sectors = 11;
  const std::vector<ProfileLine> Lines = {Load, Store, Any, Shared};
  const auto sumOf = [&](MemorySpace Space, std::optional<AccessOp> Op) {
    Profile Hardware = ofHardware(Space, Op, 1, 1);
    if (Op == AccessOp::Atomic)
      for (ProfileLaunch &Each : Hardware.Launches) {
        if (Space == MemorySpace::Shared)
          continue;
        Each.Units.push_back(Each.Units[0]);
        Each.Units[1].IsReduction = true;
      }
    const auto Sums = checked({counted(Lines), Hardware});
    return Sums.empty() ? -1 : Sums[0].Counted;
  };
  EXPECT_EQ(sumOf(MemorySpace::Global, AccessOp::Load), 200);
  EXPECT_EQ(sumOf(MemorySpace::Global, AccessOp::Store), 11);
  EXPECT_EQ(sumOf(MemorySpace::Global, AccessOp::Atomic), 0);
  EXPECT_EQ(sumOf(MemorySpace::Shared, AccessOp::Load), 47);
  EXPECT_EQ(sumOf(MemorySpace::Shared, AccessOp::Atomic), 0);
  EXPECT_EQ(sumOf(MemorySpace::Local, AccessOp::Load), 0);
}

/// Wavefronts of shared memory that are of no operation, as of warps and
/// barriers, stand in no sum.
TEST(UnitCheck, SharedMemoryIsComparedByOperations) {
  ProfileLine Shared = measured(14, 0, 0);
  Shared.Space = MemorySpace::Shared;
  Shared.Wavefronts = 30;
  const auto Sums =
      checked({counted({Shared}),
               ofHardware(MemorySpace::Shared, AccessOp::Load, 10, 10)});
  ASSERT_THAT(Sums, SizeIs(1));
  EXPECT_EQ(Sums[0].Hardware, 30);
  EXPECT_TRUE(Sums[0].agrees(0));
  EXPECT_THAT(
      checked({counted({Shared}), ofHardware(MemorySpace::Shared, {}, 10, 10)}),
      IsEmpty());
}

TEST(UnitCheck, NothingIsSaidOfWhatWasNotMeasured) {
  const Profile Counted = counted({measured(14, 5000, 5000)});
  // A shape of which no launch was measured.
  Profile Hardware = ofHardware(MemorySpace::Global, AccessOp::Load, 1, 1);
  Hardware.Launches[1].Units.clear();
  EXPECT_THAT(checked({Counted, Hardware}), IsEmpty());
  // No launch was counted.
  Profile Uncounted = Counted;
  Uncounted.Kernels[0].MeasuredLaunches = 0;
  EXPECT_THAT(checked({Uncounted,
                       ofHardware(MemorySpace::Global, AccessOp::Load, 1, 1)}),
              IsEmpty());
  // A line without a count.
  Profile Null = Counted;
  Null.Lines[0].Sectors = std::nullopt;
  EXPECT_THAT(
      checked({Null, ofHardware(MemorySpace::Global, AccessOp::Load, 1, 1)}),
      IsEmpty());
  EXPECT_THAT(checked({Counted}), IsEmpty());
}

TEST(UnitCheck, WhatIsScaledSaysSo) {
  const Profile Hardware =
      ofHardware(MemorySpace::Global, AccessOp::Load, 1000, 2000);
  Profile All = counted({measured(14, 5000, 5000)});
  // Of the two launches of the second shape one was measured.
  EXPECT_TRUE(checked({All, Hardware}).at(0).IsScaled);
  Profile Every = Hardware;
  Every.Launches[1].Units[0].Launches = 2;
  EXPECT_FALSE(checked({All, Every}).at(0).IsScaled);
  All.Kernels[0].MeasuredLaunches = 2;
  EXPECT_TRUE(checked({All, Every}).at(0).IsScaled);
}

/// Runs for several purposes launch the same.
TEST(UnitCheck, RunsForUnitsAloneAddNoLaunches) {
  std::vector<Profile> Runs;
  for (unsigned Part = 0; Part != 3; ++Part) {
    Runs.push_back(ofHardware(MemorySpace::Global, AccessOp::Load, 1, 1));
    Runs.back().Collects = "units";
    Runs.back().UnitPart = Part;
  }
  Runs.push_back(Runs.front());
  Runs.back().Collects = "occupancy";
  Runs.back().UnitPart = 0;
  std::uint64_t Launches = 0;
  const Measurement Measured = merge(Runs);
  for (const ProfileLaunch &Each : Measured.Gpus.at(0).Kernels.at(0).Launched)
    Launches += Each.Number;
  EXPECT_EQ(Launches, 3u);
}

/// One instruction may be either for the code.
TEST(UnitCheck, AtomicsAreSumsOfTwo) {
  const Profile Counted = counted({measured(14, 5000, 5000)});
  Profile Half = ofHardware(MemorySpace::Global, AccessOp::Atomic, 1, 1);
  EXPECT_THAT(checked({Counted, Half}), IsEmpty());
  Profile Other = Half;
  for (ProfileLaunch &Each : Other.Launches)
    Each.Units = {{.Space = MemorySpace::Global,
                   .Op = AccessOp::Atomic,
                   .IsReduction = true,
                   .Launches = 1,
                   .Amount = 10}};
  const auto Sums = checked({Counted, Half, Other});
  ASSERT_THAT(Sums, SizeIs(1));
  EXPECT_EQ(Sums[0].Hardware, 3 + 30);
}

/// Each run measures a few units; two processes measure each.
TEST(UnitCheck, RunsAndProcessesAreAddedUp) {
  const auto Sums = checked(
      {counted({measured(14, 5000, 5000)}), counted({measured(14, 5000, 5000)}),
       ofHardware(MemorySpace::Global, AccessOp::Load, 1000, 2000),
       ofHardware(MemorySpace::Global, AccessOp::Load, 1000, 2000),
       ofHardware(MemorySpace::Global, AccessOp::Store, 1, 0),
       ofHardware(MemorySpace::Global, AccessOp::Store, 1, 0)});
  ASSERT_THAT(Sums, SizeIs(2));
  EXPECT_EQ(Sums[0].Op, AccessOp::Load);
  EXPECT_EQ(Sums[0].Counted, 10000);
  EXPECT_EQ(Sums[0].Hardware, 10000);
  EXPECT_EQ(Sums[1].Op, AccessOp::Store);
  EXPECT_EQ(Sums[1].Hardware, 2);
}

} // namespace UnitCheckTests
