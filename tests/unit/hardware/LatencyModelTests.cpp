//===- tests/unit/hardware/LatencyModelTests.cpp - Time of grids ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pi_*.csv: a sum over 2^24 strips, shared out among blocks x threads, timed
// by its author. The model is fitted on eight rows, the middle ones of eight
// equal parts of the table, and must predict the others.
//
//===----------------------------------------------------------------------===//

#include "hardware/Waves.h"

#include "Csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace LatencyModelTests {

using namespace cudalint;

/// A row has one time or several, of which the shortest is least disturbed.
/// Registers are not known; up to 20, the most with which an SM of the S2050
/// is full, they change nothing.
static std::vector<MeasuredLaunch> readLaunches(const std::string &File,
                                                ComputeCapability CC) {
  const Architecture &Arch = *findArchitecture(CC);
  std::vector<MeasuredLaunch> All;
  for (const auto &Row : readCsv(File)) {
    const auto Grid = static_cast<std::uint64_t>(Row[0]);
    const auto Block = static_cast<std::uint64_t>(Row[1]);
    All.push_back({.Work = {.Grid = Grid,
                            .Block = Block,
                            .Steps = std::pow(2.0, 24) / double(Grid * Block),
                            .BlocksPerSM =
                                occupancy(Arch, {.Threads = Block}).BlocksPerSM,
                            .IssueLanes = issueLanes(Arch)},
                   .Time = *std::min_element(Row.begin() + 2, Row.end())});
  }
  return All;
}

struct HeldOut {
  std::vector<double> Predicted, Measured;
  /// Of the fitted launches: the root of the mean squared relative error.
  double FitError = 0;
};

static HeldOut predictAllBut8(const std::vector<MeasuredLaunch> &All, int SMs) {
  std::vector<MeasuredLaunch> Fitted, Others;
  std::vector<bool> IsFitted(All.size());
  for (std::size_t I = 0; I < 8; ++I)
    IsFitted[(2 * I + 1) * All.size() / 16] = true;
  for (std::size_t I = 0; I < All.size(); ++I)
    (IsFitted[I] ? Fitted : Others).push_back(All[I]);
  HeldOut H;
  const auto Model = fitLatencyModel(Fitted, SMs);
  if (!Model) {
    ADD_FAILURE() << "no model";
    return H;
  }
  for (const MeasuredLaunch &M : Fitted) {
    const double Off = predictTime(*Model, M.Work, SMs).value() / M.Time - 1;
    H.FitError += Off * Off / double(Fitted.size());
  }
  H.FitError = std::sqrt(H.FitError);
  for (const MeasuredLaunch &M : Others) {
    H.Predicted.push_back(predictTime(*Model, M.Work, SMs).value());
    H.Measured.push_back(M.Time);
  }
  return H;
}

static double medianError(const HeldOut &H) {
  std::vector<double> Errors;
  for (std::size_t I = 0; I < H.Measured.size(); ++I)
    Errors.push_back(std::abs(H.Predicted[I] / H.Measured[I] - 1));
  std::ranges::sort(Errors);
  const std::size_t N = Errors.size();
  return (Errors[(N - 1) / 2] + Errors[N / 2]) / 2;
}

/// 0 for the smallest; equals share the mean of their places.
static std::vector<double> ranks(const std::vector<double> &Values) {
  std::vector<double> Ranks;
  for (double V : Values) {
    const auto Less =
        std::ranges::count_if(Values, [&](double W) { return W < V; });
    const auto Same = std::ranges::count(Values, V);
    Ranks.push_back(double(Less) + double(Same - 1) / 2);
  }
  return Ranks;
}

/// Spearman's: the correlation of the ranks.
static double rankCorrelation(const HeldOut &H) {
  const std::vector<double> A = ranks(H.Predicted), B = ranks(H.Measured);
  const double Mean = double(A.size() - 1) / 2;
  double AB = 0, AA = 0, BB = 0;
  for (std::size_t I = 0; I < A.size(); ++I) {
    AB += (A[I] - Mean) * (B[I] - Mean);
    AA += (A[I] - Mean) * (A[I] - Mean);
    BB += (B[I] - Mean) * (B[I] - Mean);
  }
  return AB / std::sqrt(AA * BB);
}

TEST(MeasuredTimes, TeslaS2050) {
  const auto All = readLaunches("pi_s2050.csv", {2, 0});
  ASSERT_EQ(All.size(), 96u);
  const HeldOut H = predictAllBut8(All, 14);
  EXPECT_EQ(H.Measured.size(), 88u);
  EXPECT_LE(medianError(H), 0.06);
  EXPECT_GE(rankCorrelation(H), 0.99);
}

// 16 SMs, although an 8800 GT has 14: 16 blocks took as long as one on each SM
// (16 x 256: 0.99 ms, and 4 x 256 with four times the steps: 3.71 ms). The
// fitted launches alone tell it. See docs/decisions/0006-occupancy.md.
TEST(MeasuredTimes, GeForce8800) {
  const auto All = readLaunches("pi_8800gt.csv", {1, 1});
  ASSERT_EQ(All.size(), 13u);
  const HeldOut H = predictAllBut8(All, 16);
  EXPECT_EQ(H.Measured.size(), 5u);
  EXPECT_LE(medianError(H), 0.06);
  EXPECT_GE(rankCorrelation(H), 0.99);
  for (int SMs = 8; SMs < 16; ++SMs)
    EXPECT_GT(predictAllBut8(All, SMs).FitError, 3 * H.FitError) << SMs;
}

// What the author could not explain: 2300 times faster on 112 lanes. One warp
// alone waits on latency nine tenths of the time.
TEST(MeasuredTimes, OneWarpWaitsNineTenths) {
  const auto Model = fitLatencyModel(readLaunches("pi_s2050.csv", {2, 0}), 14);
  ASSERT_TRUE(Model);
  EXPECT_NEAR(1 - Model->Issue / Model->Latency, 0.9, 0.02);
}

static LaunchWork work(std::uint64_t Grid, std::uint64_t Block) {
  return {.Grid = Grid, .Block = Block, .Steps = 100, .BlocksPerSM = 4};
}

static constexpr LatencyModel Simple = {
    .Latency = 20, .Issue = 2, .PerWarp = 3, .PerLaunch = 7};

// By hand, on 2 SMs.
TEST(PredictTime, IsLatencyThenIssue) {
  // One warp waits: 100 * 20 + 3 + 7.
  EXPECT_DOUBLE_EQ(predictTime(Simple, work(1, 32), 2).value(), 2010);
  // So does a part of one.
  EXPECT_DOUBLE_EQ(predictTime(Simple, work(1, 1), 2).value(), 2010);
  // The busier SM has two of three blocks: 8 warps still wait.
  EXPECT_DOUBLE_EQ(predictTime(Simple, work(3, 128), 2).value(), 2031);
  // 16 warps are more than 10: 100 * 32 + 48 + 7.
  EXPECT_DOUBLE_EQ(predictTime(Simple, work(8, 128), 2).value(), 3255);
  // One block more is a round more: 100 * 20 + 12.
  EXPECT_DOUBLE_EQ(predictTime(Simple, work(9, 128), 2).value(), 5267);
}

TEST(PredictTime, HalfAWarpIsIssuedInHalfTheTimeOn1x) {
  LaunchWork W = work(1, 16);
  W.IssueLanes = issueLanes(*findArchitecture({1, 1}));
  // 100 * (20 - 2 / 2) + 3 / 2 + 7.
  EXPECT_DOUBLE_EQ(predictTime(Simple, W, 2).value(), 1908.5);
  W.Block = 17;
  EXPECT_DOUBLE_EQ(predictTime(Simple, W, 2).value(), 2010);
}

TEST(PredictTime, WithoutIssueOnlyLatencyIsLeft) {
  EXPECT_DOUBLE_EQ(predictTime({.Latency = 20}, work(9, 1024), 2).value(),
                   4000);
}

TEST(PredictTime, NothingIsKnownOfNothing) {
  EXPECT_FALSE(predictTime(Simple, work(0, 32), 2));
  EXPECT_FALSE(predictTime(Simple, work(1, 0), 2));
  EXPECT_FALSE(predictTime(Simple, work(1, 32), 0));
  EXPECT_FALSE(predictTime(Simple, {.Grid = 1, .Block = 1, .Steps = 1}, 2));
}

TEST(FitLatencyModel, FindsTheConstantsOfExactTimes) {
  std::vector<MeasuredLaunch> All;
  for (std::uint64_t Grid : {1u, 2u, 5u, 40u})
    for (std::uint64_t Block : {32u, 64u, 512u}) {
      LaunchWork W = work(Grid, Block);
      W.Steps = 10000.0 / double(Grid * Block);
      All.push_back({W, predictTime(Simple, W, 2).value()});
    }
  const auto Model = fitLatencyModel(All, 2);
  ASSERT_TRUE(Model);
  EXPECT_NEAR(Model->Latency, 20, 1e-6);
  EXPECT_NEAR(Model->Issue, 2, 1e-6);
  EXPECT_NEAR(Model->PerWarp, 3, 1e-6);
  EXPECT_NEAR(Model->PerLaunch, 7, 1e-6);
}

TEST(FitLatencyModel, RefusesWhatCannotBeFitted) {
  std::vector<MeasuredLaunch> All(3, {work(1, 32), 1});
  EXPECT_FALSE(fitLatencyModel(All, 2)) << "too few";
  All.resize(4, {work(1, 32), 1});
  EXPECT_TRUE(fitLatencyModel(All, 2));
  EXPECT_FALSE(fitLatencyModel(All, 0)) << "no SM";
  All[0].Time = 0;
  EXPECT_FALSE(fitLatencyModel(All, 2)) << "no time";
  All[0].Time = std::nan("");
  EXPECT_FALSE(fitLatencyModel(All, 2)) << "no number";
  All[0] = {{.Grid = 1, .Block = 32, .Steps = 0, .BlocksPerSM = 1}, 1};
  EXPECT_FALSE(fitLatencyModel(All, 2)) << "no steps";
}

} // namespace LatencyModelTests
