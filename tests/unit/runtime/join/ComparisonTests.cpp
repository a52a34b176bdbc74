//===- tests/unit/runtime/join/ComparisonTests.cpp - Before and after -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Comparison.h"

#include "Examples.h"

#include <gmock/gmock.h>

namespace ComparisonTests {

using namespace cudalint;

static std::vector<KernelTotals>
named(std::initializer_list<const char *> Signatures) {
  std::vector<KernelTotals> Out;
  for (const char *Each : Signatures) {
    KernelTotals Kernel;
    Kernel.Name = Each;
    Kernel.Signature = Each;
    Out.push_back(Kernel);
  }
  return Out;
}

TEST(Comparison, SumsUpAKernel) {
  ProfileLine Shared = measured(15, 0, 0);
  Shared.Space = MemorySpace::Shared;
  Shared.Sectors = Shared.IdealSectors = std::nullopt;
  Shared.Wavefronts = 65536;
  Profile P =
      profile({measured(14, 49152, 16384), measured(16, 16384, 16384), Shared});
  std::vector<KernelTotals> All = totals(std::span(&P, 1));
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Global.Sectors, 65536u);
  EXPECT_EQ(All[0].Global.Requests, 8192u);
  EXPECT_EQ(All[0].Shared.Wavefronts, 65536u);
  EXPECT_FALSE(All[0].Local.Sectors.has_value());
  EXPECT_EQ(All[0].WarpsPerSM, 64u);
  EXPECT_EQ(All[0].Time->Median, 5000);
}

TEST(Comparison, TimesComeFromTheRunWithoutCounters) {
  Profile Counted = profile({measured(14, 49152, 16384)});
  Profile Timed = profile({});
  Counted.Launches[0].Duration = std::nullopt;
  Timed.HasCounters = false;
  Timed.IsExtra = true;
  Timed.Launches[0].Duration = ProfileDuration{1000, 1100, 1200, {1000, 1200}};
  std::vector<Profile> Both = {Counted, Timed};
  std::vector<KernelTotals> All = totals(Both);
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Launches, 1u);
  EXPECT_EQ(All[0].Global.Sectors, 49152u);
  EXPECT_EQ(All[0].Time->Median, 1100);
}

TEST(Comparison, OccupancyAndDramAreMeansOverTheirLaunches) {
  Profile Counted = profile({measured(14, 49152, 16384)});
  Profile Whole = profile({});
  Whole.IsExtra = true;
  Whole.Launches.push_back(launch({1, 1, 1}, {512, 1, 1}));
  Whole.Launches[0].Ranged = 1;
  Whole.Launches[0].Achieved = 0.25;
  Whole.Launches[0].DramBytes = 100;
  Whole.Launches[1].Ranged = 3;
  Whole.Launches[1].Achieved = 0.75;
  Whole.Launches[1].DramBytes = 500;
  std::vector<Profile> Both = {Counted, Whole};
  KernelTotals Kernel = totals(Both).at(0);
  EXPECT_EQ(Kernel.Launches, 1u); // not those of the other run
  EXPECT_EQ(Kernel.Achieved, 0.625);
  EXPECT_EQ(Kernel.DramBytes, 150.0);
  Both[1].Launches[1].DramBytes = std::nullopt;
  EXPECT_EQ(totals(Both).at(0).DramBytes, std::nullopt);
  EXPECT_EQ(totals(Both).at(0).Achieved, 0.625);
}

TEST(Comparison, ShapesWithUnequalOccupancyHaveNone) {
  Profile P = profile({});
  P.Launches.push_back(launch({1, 1, 1}, {512, 1, 1}));
  EXPECT_FALSE(totals(std::span(&P, 1)).at(0).WarpsPerSM.has_value());
}

TEST(Comparison, EqualNamesBelongTogether) {
  auto Before = named({"a()", "b()"}), After = named({"b()", "a()"});
  std::vector<KernelPair> Pairs = matchKernels(Before, After);
  ASSERT_EQ(Pairs.size(), 2u);
  EXPECT_EQ(Pairs[0].After, 1u);
  EXPECT_EQ(Pairs[0].Why, "");
}

TEST(Comparison, ArgumentsMayChange) {
  auto Before = named({"void k<float>(vec3 *)", "b()"});
  auto After = named({"b()", "void ns::k<float>(vec4 *)"});
  std::vector<KernelPair> Pairs = matchKernels(Before, After);
  ASSERT_EQ(Pairs.size(), 2u);
  EXPECT_EQ(Pairs[1].Before, 0u);
  EXPECT_EQ(Pairs[1].After, 1u);
  EXPECT_EQ(Pairs[1].Why, "its arguments or its namespace differ");
}

TEST(Comparison, TheOnlyOnesLeftBelongTogetherOthersStandAlone) {
  std::vector<KernelPair> Pairs =
      matchKernels(named({"interleaved()"}), named({"sequential()"}));
  ASSERT_EQ(Pairs.size(), 1u);
  EXPECT_EQ(Pairs[0].Why, "they are the only ones left on either side");
  Pairs = matchKernels(named({"a()"}), named({"b()", "c()"}));
  EXPECT_EQ(Pairs.size(), 3u);
  for (const KernelPair &Pair : Pairs)
    EXPECT_FALSE(Pair.Before && Pair.After);
}

/// A run for times alone, the \p Run th, in which \p Launches launches of one
/// shape took as long as \p Samples each.
static Profile timed(unsigned Run, std::vector<double> Samples,
                     std::uint64_t Launches) {
  Profile P = profile({});
  P.HasCounters = false;
  P.IsExtra = true;
  P.Run = Run;
  P.Kernels[0].Launches = P.Launches[0].Number = Launches;
  P.Launches[0].Duration = ProfileDuration{Samples.front(), Samples.front(),
                                           Samples.back(), Samples};
  return P;
}

TEST(Comparison, EachRunHasATimeOfAllLaunches) {
  std::vector<Profile> All = {profile({measured(14, 49152, 16384)})};
  All[0].Launches[0].Duration = std::nullopt;
  // In any order, and of many launches only samples.
  for (const unsigned Run : {3u, 1u, 2u})
    All.push_back(timed(Run, {100.0 * Run, 300.0 * Run}, 10));
  EXPECT_THAT(totals(All).at(0).Runs, testing::ElementsAre(2000, 4000, 6000));
  // Shapes have means of their own.
  ProfileLaunch Small = All[1].Launches[0];
  Small.Block = {32, 1, 1};
  Small.Number = 1;
  Small.Duration = ProfileDuration{7, 7, 7, {7}};
  for (std::size_t I = 1; I != All.size(); ++I)
    All[I].Launches.push_back(Small);
  EXPECT_THAT(totals(All).at(0).Runs, testing::ElementsAre(2007, 4007, 6007));
  // A run without its time leaves nobody who knows which is whose pair.
  All[2].Launches[0].Duration.reset();
  EXPECT_THAT(totals(All).at(0).Runs, testing::IsEmpty());
}

TEST(Comparison, EachProcessHasItsOwnMeanAndNumber) {
  // Of a run of their own, beside one that counted the same launches.
  std::vector<Profile> All = {profile({measured(14, 49152, 16384)}),
                              profile({measured(14, 49152, 16384)}),
                              timed(0, std::vector<double>(64, 1000), 10000),
                              timed(0, std::vector<double>(64, 1), 64)};
  All[0].Launches[0].Duration = All[1].Launches[0].Duration = std::nullopt;
  All[0].Launches[0].Number = 10000;
  All[1].Launches[0].Number = 64;
  EXPECT_EQ(totals(All).at(0).AllTime, 10'000'064);
  // As it was in one run of three.
  for (const unsigned Run : {1u, 2u}) {
    All.push_back(timed(Run, {1000}, 10000));
    All.push_back(timed(Run, {1}, 64));
  }
  EXPECT_EQ(totals(All).at(0).AllTime, 10'000'064);
}

TEST(Comparison, TimesOfOneRunAreNoComparison) {
  Profile P = profile({measured(14, 49152, 16384)});
  const KernelTotals One = totals(std::span(&P, 1)).at(0);
  EXPECT_TRUE(One.Time);
  EXPECT_FALSE(compareTimes(One, One));
}

TEST(Comparison, SumsKnowWhatAllKernelsKnow) {
  std::vector<KernelTotals> Two(2);
  for (KernelTotals &Each : Two) {
    Each.Launches = Each.MeasuredLaunches = 1;
    Each.HasGlobal = true;
    Each.Global.Requests = 10;
    Each.Global.Sectors = 40;
    Each.Runs = {1, 2, 3};
  }
  KernelTotals Sum = sumOf(Two);
  EXPECT_EQ(Sum.Global.Sectors, 80u);
  EXPECT_EQ(Sum.Shared.Wavefronts, 0u);
  EXPECT_THAT(Sum.Runs, testing::ElementsAre(2, 4, 6));
  Two[1].Global.Sectors.reset();
  Two[1].Runs.pop_back();
  Sum = sumOf(Two);
  EXPECT_EQ(Sum.Global.Sectors, std::nullopt);
  EXPECT_EQ(Sum.Global.Requests, 20u);
  EXPECT_THAT(Sum.Runs, testing::IsEmpty());
  // What did not run leaves nothing open.
  Two[1].Launches = 0;
  Two[1].Runs.clear();
  EXPECT_EQ(sumOf(Two).Global.Sectors, 40u);
}

} // namespace ComparisonTests
