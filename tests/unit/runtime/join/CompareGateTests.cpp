//===- tests/unit/runtime/join/CompareGateTests.cpp - Worse or not --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/CompareGate.h"

#include <gmock/gmock.h>

namespace CompareGateTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

/// A kernel that was counted in each of its launches.
KernelTotals kernel(const char *Name, std::uint64_t Sectors,
                    std::vector<double> Runs = {}) {
  KernelTotals Out;
  Out.Name = Out.Signature = Name;
  Out.Launches = Out.MeasuredLaunches = 10;
  Out.HasGlobal = true;
  Out.Global.Requests = 1000;
  Out.Global.Sectors = Sectors;
  Out.MeanWarps = 64;
  Out.Runs = std::move(Runs);
  return Out;
}

std::vector<GateFault> judge(const std::vector<KernelTotals> &Before,
                             const std::vector<KernelTotals> &After,
                             CompareGate Gate, double Allowed = 0) {
  return judgeGates(Before, After, matchKernels(Before, After), {Gate},
                    Allowed);
}

std::vector<double> runs(double Time, std::size_t Count = 7) {
  return std::vector<double>(Count, Time);
}

constexpr auto Sectors = CompareGate::MoreSectors;
constexpr auto Slower = CompareGate::Slower;

TEST(CompareGate, OneSectorMoreIsMore) {
  EXPECT_THAT(judge({kernel("k", 4000)}, {kernel("k", 4000)}, Sectors),
              IsEmpty());
  EXPECT_THAT(judge({kernel("k", 4000)}, {kernel("k", 3999)}, Sectors),
              IsEmpty());
  const auto Faults = judge({kernel("k", 4000)}, {kernel("k", 4001)}, Sectors);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_FALSE(Faults[0].IsUndecided);
  EXPECT_EQ(Faults[0].Signature, "k");
  EXPECT_EQ(Faults[0].Message, "4000 sectors became 4001");
}

TEST(CompareGate, UpToTheThresholdIsAllowed) {
  EXPECT_THAT(judge({kernel("k", 4000)}, {kernel("k", 4200)}, Sectors, 0.05),
              IsEmpty());
  EXPECT_THAT(judge({kernel("k", 4000)}, {kernel("k", 4201)}, Sectors, 0.05),
              SizeIs(1));
}

TEST(CompareGate, SumsOfAFewLaunchesAreKnownToOnePerCent) {
  KernelTotals Before = kernel("k", 4000), After = kernel("k", 4040);
  EXPECT_THAT(judge({Before}, {After}, Sectors), SizeIs(1));
  After.MeasuredLaunches = 4;
  EXPECT_THAT(judge({Before}, {After}, Sectors), IsEmpty());
  After.Global.Sectors = 4041;
  EXPECT_THAT(judge({Before}, {After}, Sectors), SizeIs(1));
}

TEST(CompareGate, SpillsAreSectorsToo) {
  KernelTotals After = kernel("k", 4000);
  After.HasLocal = true;
  After.Local.Requests = 10;
  After.Local.Sectors = 40;
  const auto Faults = judge({kernel("k", 4000)}, {After}, Sectors);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_EQ(Faults[0].Message, "4000 sectors became 4040");
}

TEST(CompareGate, WhatIsNotCountedIsUndecided) {
  KernelTotals After = kernel("k", 1);
  After.Global = {};
  After.HasGlobal = false;
  After.MeasuredLaunches = 0;
  auto Faults = judge({kernel("k", 4000)}, {After}, Sectors);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_TRUE(Faults[0].IsUndecided);
  EXPECT_EQ(Faults[0].Message, "the sectors after are not known");
  // But a kernel that was counted and has none, has none.
  After.MeasuredLaunches = 10;
  EXPECT_THAT(judge({kernel("k", 4000)}, {After}, Sectors), IsEmpty());
  EXPECT_THAT(judge({After}, {kernel("k", 4000)}, Sectors), SizeIs(1));
}

TEST(CompareGate, SectorsAreKnownWithoutRequests) {
  // A sampled run of a GPU that does not count these.
  KernelTotals Before = kernel("k", 4000), After = kernel("k", 400000);
  for (KernelTotals *Each : {&Before, &After})
    Each->Global.Requests.reset();
  EXPECT_THAT(judge({Before}, {After}, Sectors), SizeIs(1));
  After.Global.Sectors.reset();
  EXPECT_TRUE(judge({Before}, {After}, Sectors).at(0).IsUndecided);
}

TEST(CompareGate, WarpsOfKernelsThatAreNew) {
  KernelTotals Two[] = {kernel("b()", 1), kernel("c()", 1)};
  for (KernelTotals &Each : Two)
    Each.MeanWarps = 8;
  const auto Gate = CompareGate::LowerOccupancy;
  const auto Faults = judge({kernel("a()", 1)}, {Two[0], Two[1]}, Gate);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_EQ(Faults[0].Message, "64 warps on an SM became 8");
  EXPECT_EQ(Faults[0].Signature, "");
}

TEST(CompareGate, AKernelOfTheRunsForTimesAlone) {
  KernelTotals New = kernel("b()", 0, runs(1000));
  New.Launches = New.MeasuredLaunches = 0;
  const auto Faults = judge({kernel("a()", 1, runs(100))},
                            {kernel("a()", 1, runs(100)), New}, Slower);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_EQ(Faults[0].Signature, "");
  EXPECT_FALSE(Faults[0].IsUndecided);
}

TEST(CompareGate, ALongEndIsNoNo) {
  // The middle is hardly slower, and three runs took three times as long.
  const auto Faults =
      judge({kernel("k", 1, runs(1))},
            {kernel("k", 1, {1.001, 1.002, 1.01, 1.015, 3, 3, 3})}, Slower);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_TRUE(Faults[0].IsUndecided);
}

TEST(CompareGate, AGainDoesNotHideALoss) {
  const auto Faults =
      judge({kernel("a()", 4000), kernel("b()", 4000)},
            {kernel("a()", 1000), kernel("b()", 5000)}, Sectors);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_EQ(Faults[0].Signature, "b()");
}

TEST(CompareGate, ANewKernelCountsInTheSum) {
  const auto Faults = judge({kernel("a()", 4000)},
                            {kernel("a()", 4000), kernel("b()", 1)}, Sectors);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_EQ(Faults[0].Signature, "");
  EXPECT_EQ(Faults[0].Message, "4000 sectors became 4001");
  // One that was split into two does not.
  EXPECT_THAT(judge({kernel("a()", 4000)},
                    {kernel("b()", 2000), kernel("c()", 2000)}, Sectors),
              IsEmpty());
}

TEST(CompareGate, WavefrontsOfSharedMemory) {
  KernelTotals Before = kernel("k", 1), After = kernel("k", 2);
  for (KernelTotals *Each : {&Before, &After}) {
    Each->HasShared = true;
    Each->Shared.Requests = 100;
    Each->Shared.Wavefronts = 100;
  }
  EXPECT_THAT(judge({Before}, {After}, CompareGate::MoreWavefronts), IsEmpty());
  After.Shared.Wavefronts = 101;
  EXPECT_THAT(judge({Before}, {After}, CompareGate::MoreWavefronts), SizeIs(1));
}

TEST(CompareGate, FewerWarpsOnAnSm) {
  const auto Gate = CompareGate::LowerOccupancy;
  KernelTotals Before = kernel("k", 1), After = kernel("k", 1);
  EXPECT_THAT(judge({Before}, {After}, Gate), IsEmpty());
  After.MeanWarps = 48;
  const auto Faults = judge({Before}, {After}, Gate);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_EQ(Faults[0].Message, "64 warps on an SM became 48");
  EXPECT_THAT(judge({Before}, {After}, Gate, 0.25), IsEmpty());
  After.MeanWarps.reset();
  EXPECT_TRUE(judge({Before}, {After}, Gate).at(0).IsUndecided);
}

TEST(CompareGate, SlowerIsByPairsOfRuns) {
  EXPECT_THAT(
      judge({kernel("k", 1, runs(10))}, {kernel("k", 1, runs(10))}, Slower),
      IsEmpty());
  auto Faults =
      judge({kernel("k", 1, runs(10))}, {kernel("k", 1, runs(11))}, Slower);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_FALSE(Faults[0].IsUndecided);
  EXPECT_EQ(Faults[0].Message, "1.10 times as long (1.10 to 1.10)");
  EXPECT_THAT(judge({kernel("k", 1, runs(10))}, {kernel("k", 1, runs(11))},
                    Slower, 0.15),
              IsEmpty());
  // Five pairs prove nothing, nor does one run too many.
  for (const std::size_t Count : {0u, 1u, 5u, 8u}) {
    Faults = judge({kernel("k", 1, runs(10))},
                   {kernel("k", 1, runs(10, Count))}, Slower);
    ASSERT_THAT(Faults, SizeIs(1)) << Count;
    EXPECT_TRUE(Faults[0].IsUndecided) << Count;
  }
}

TEST(CompareGate, TimesThatSpreadAreUndecided) {
  const std::vector<double> Wild = {5, 20, 9, 11, 10, 8, 14};
  auto Faults =
      judge({kernel("k", 1, runs(10))}, {kernel("k", 1, Wild)}, Slower);
  ASSERT_THAT(Faults, SizeIs(1));
  EXPECT_TRUE(Faults[0].IsUndecided);
  EXPECT_THAT(Faults[0].Message, HasSubstr("give it more --runs"));
  // Even the worst is allowed.
  EXPECT_THAT(
      judge({kernel("k", 1, runs(10))}, {kernel("k", 1, Wild)}, Slower, 1.0),
      IsEmpty());
}

TEST(CompareGate, ATrifleOfTheTimeIsNotJudgedForItself) {
  const std::vector<double> Wild = {.05, .2, .09, .11, .1, .08, .14};
  EXPECT_THAT(judge({kernel("a()", 1, runs(100)), kernel("b()", 1, runs(.1))},
                    {kernel("a()", 1, runs(100)), kernel("b()", 1, Wild)},
                    Slower),
              IsEmpty());
  // But all together are.
  EXPECT_THAT(judge({kernel("a()", 1, runs(100)), kernel("b()", 1, runs(.5))},
                    {kernel("a()", 1, runs(100)), kernel("b()", 1, runs(5))},
                    Slower),
              SizeIs(2));
}

} // namespace

} // namespace CompareGateTests
