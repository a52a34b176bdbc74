//===- tests/unit/runtime/join/LineJudgeTests.cpp - Verdicts on one line --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/LineJudge.h"

#include "Examples.h"

#include <cmath>
#include <gmock/gmock.h>

namespace LineJudgeTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::IsEmpty;

/// 1000 requests of 32 lanes each.
static CountedLine row(double PerRequest, double Ideal, double Lanes = 32) {
  return {.File = "vec3d.cu",
          .Line = 14,
          .Instructions = 1000,
          .Requests = 1000,
          .Lanes = static_cast<std::uint64_t>(Lanes * 1000),
          .Sectors = static_cast<std::uint64_t>(PerRequest * 1000),
          .IdealSectors = static_cast<std::uint64_t>(Ideal * 1000)};
}

static LineVerdict verdict(const std::vector<AccessRecord> &Predicted,
                           const CountedLine &Row,
                           const LaunchPremise &Block = {},
                           const Tolerance &Allowed = {}) {
  std::vector<const AccessRecord *> Accesses;
  for (const AccessRecord &Access : Predicted)
    Accesses.push_back(&Access);
  LineVerdict V;
  describePrediction(Accesses, V);
  describeMeasurement(Row, V.Unit, V);
  judge(Accesses, Block, Allowed, V);
  return V;
}

static AccessRecord exact(AccessRecord Access) {
  Access.Trust = Certainty::Exact;
  return Access;
}

TEST(LineJudge, EqualNumbersAreConfirmed) {
  LineVerdict V = verdict({access(14, 12, 4)}, row(12, 4));
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_THAT(V.Why, IsEmpty());
  EXPECT_EQ(V.measuredRatio(), 3.0);
}

TEST(LineJudge, TheToleranceIsFivePercentOneWhenExact) {
  EXPECT_EQ(verdict({access(14, 100, 4)}, row(104.9, 4)).Kind,
            VerdictKind::Confirmed);
  EXPECT_EQ(verdict({access(14, 100, 4)}, row(105.1, 4)).Kind,
            VerdictKind::Refuted);
  EXPECT_EQ(verdict({access(14, 100, 4)}, row(94.9, 4)).Kind,
            VerdictKind::Refuted);
  EXPECT_EQ(verdict({exact(access(14, 100, 4))}, row(100.9, 4)).Kind,
            VerdictKind::Confirmed);
  EXPECT_EQ(verdict({exact(access(14, 100, 4))}, row(101.1, 4)).Kind,
            VerdictKind::Refuted);
  EXPECT_EQ(
      verdict({access(14, 100, 4)}, row(119, 4), {}, {.Assumed = 0.2}).Kind,
      VerdictKind::Confirmed);
}

TEST(LineJudge, PartialWarpsLowerTotalAndIdealTogether) {
  // 1.5 of 32 lanes are missing on average: both numbers are 5 % lower, and
  // one of them passes the tolerance.
  EXPECT_EQ(verdict({access(14, 32, 4)}, row(30.2, 3.82, 30.5)).Kind,
            VerdictKind::Confirmed);
  EXPECT_EQ(verdict({access(14, 32, 4)}, row(30.2, 4, 32)).Kind,
            VerdictKind::Refuted);
}

TEST(LineJudge, AGoodPredictionCanBeRefutedToo) {
  LineVerdict V = verdict({access(14, 4, 4)}, row(32, 4));
  EXPECT_EQ(V.Kind, VerdictKind::Refuted);
}

TEST(LineJudge, MergedAccessesAreInconclusive) {
  // Four loads of 4 bytes became one of 16.
  LineVerdict V = verdict({access(14, 4, 4)}, row(16, 16));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("the compiler merged accesses: the ideal of a "
                               "request is 16.0, predicted was 4.0"));
  EXPECT_THAT(V.Why, HasSubstr("1.00 times the ideal, as predicted"));
  V = verdict({access(14, 16, 16)}, row(32, 4));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("the compiler split accesses"));
  EXPECT_THAT(V.Why, HasSubstr("8.00 times the ideal, predicted 1.00"));
}

TEST(LineJudge, FewerLanesThanAssumedLeaveTheRatio) {
  LineVerdict V = verdict({access(14, 4, 4)}, row(2.5, 2.5, 20));
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(V.Why, "1.00 times the ideal, as predicted, with 20.0 active lanes "
                   "instead of 32.0");
  V = verdict({access(14, 4, 4)}, row(3.5, 2.5, 20));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("20.0 lanes were active on average, predicted "
                               "were 32.0"));
  // A few lanes are good whatever they do.
  V = verdict({access(14, 4, 4)}, row(1.5, 1.5, 12));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  // One that claims to know its lanes has no such excuse.
  EXPECT_EQ(verdict({exact(access(14, 4, 4))}, row(2.5, 2.5, 20)).Kind,
            VerdictKind::Refuted);
}

TEST(LineJudge, ALoopThatLostAccessesIsInconclusive) {
  // `Data[I] += Data[I + Apart]` of an interleaved reduction on an H200: the
  // two loads of the first turn became one of 8 bytes.
  AccessRecord Load = exact(access(32, 3.9167, 1));
  Load.Lanes = 21.25;
  Load.LoopDepth = 1;
  LineVerdict V = verdict({Load, Load}, row(4.3, 1.2, 19.1));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("the compiler merged accesses"));
  V = verdict({Load, Load}, row(4.3, 1, 19.1));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("of some turns of the loop"));
}

TEST(LineJudge, SeveralAccessesAreWeightedEqually) {
  std::vector<AccessRecord> Two = {access(14, 4, 4), access(14, 32, 4)};
  LineVerdict V = verdict(Two, row(18, 4));
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(V.PerRequest, 18.0);
  EXPECT_EQ(V.Accesses, 2u);
}

/// An access that a warp makes so often.
static AccessRecord counted(double PerRequest, double Executions) {
  AccessRecord Access = exact(access(14, PerRequest, 4));
  Access.Executions = Executions;
  return Access;
}

// 3 of 4 requests have 4 sectors, and one has 32: 44 / 4.
TEST(LineJudge, SeveralAccessesAreWeightedByHowOftenTheyRun) {
  std::vector<AccessRecord> Two = {counted(4, 6), counted(32, 2)};
  LineVerdict V = verdict(Two, row(11, 4));
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(V.PerRequest, 11.0);
  EXPECT_EQ(V.Ideal, 4.0);
  EXPECT_EQ(V.Trust, Certainty::Assumed) << "the compiler may change weights";
  // The ideals have the same weights: 3 of 4 are 4, one is 8.
  Two[1].Ideal = 8;
  EXPECT_EQ(verdict(Two, row(11, 5)).Ideal, 5.0);
  EXPECT_EQ(verdict(Two, row(11, 5)).Kind, VerdictKind::Confirmed);
}

// Shares of a line need no whole numbers: half of the warps, and all of them.
TEST(LineJudge, WeightsAreShares) {
  LineVerdict V = verdict({counted(4, 0.5), counted(16, 1)}, row(12, 4));
  EXPECT_EQ(V.PerRequest, 12.0);
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  // One that never runs says nothing of the mean.
  V = verdict({counted(4, 1), counted(32, 0)}, row(4, 4));
  EXPECT_EQ(V.PerRequest, 4.0);
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
}

// The compiler keeps values of some turns of a loop in registers: other shares
// of the same requests refute nothing, another request does.
TEST(LineJudge, AnotherMixtureOfExactOnesIsInconclusive) {
  std::vector<AccessRecord> Two = {counted(4, 6), counted(32, 2)};
  EXPECT_EQ(verdict(Two, row(18, 4)).Kind, VerdictKind::Inconclusive);
  EXPECT_EQ(verdict(Two, row(11.4, 4)).Kind, VerdictKind::Confirmed);
  EXPECT_EQ(verdict(Two, row(34, 4)).Kind, VerdictKind::Refuted);
}

// One access that is assumed makes the mean assumed: the mixture is.
TEST(LineJudge, AnotherMixtureThanAnAssumedOneIsInconclusive) {
  std::vector<AccessRecord> Two = {counted(4, 6), counted(32, 2)};
  Two[1].Trust = Certainty::Assumed;
  LineVerdict V = verdict(Two, row(18, 4));
  EXPECT_EQ(V.Trust, Certainty::Assumed);
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("its 2 accesses have 4.0 to 32.0 each"));
  EXPECT_THAT(V.Why, HasSubstr("how often each ran is assumed"));
  EXPECT_EQ(verdict(Two, row(11.4, 4)).Kind, VerdictKind::Confirmed)
      << "within 5 %";
}

// Each is exact, and their mean is not, as nobody knows of how many.
TEST(LineJudge, WithoutWeightsAMeanIsAssumedAtBest) {
  std::vector<AccessRecord> Two = {counted(4, 6), counted(32, 2)};
  Two[0].Executions.reset();
  LineVerdict V = verdict(Two, row(11, 4));
  EXPECT_EQ(V.PerRequest, 18.0);
  EXPECT_EQ(V.Trust, Certainty::Assumed);
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("how often each ran is not known"));
  EXPECT_EQ(verdict(Two, row(33.7, 4)).Kind, VerdictKind::Refuted)
      << "no mixture of them is that";
  // Weights that are all 0 are none.
  V = verdict({counted(4, 0), counted(32, 0)}, row(18, 4));
  EXPECT_EQ(V.PerRequest, 18.0);
  EXPECT_EQ(V.Trust, Certainty::Assumed);
}

// Whatever the weights are, the mean of equal numbers is theirs.
TEST(LineJudge, EqualAccessesNeedNoWeights) {
  std::vector<AccessRecord> Two = {counted(12, 6), counted(12, 2)};
  Two[0].Executions.reset();
  LineVerdict V = verdict(Two, row(12, 4));
  EXPECT_EQ(V.Trust, Certainty::Exact);
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(verdict(Two, row(12.2, 4)).Kind, VerdictKind::Refuted);
  // Means over the same lanes, added up in another order, are equal, too.
  Two[1].PerRequest = std::nextafter(12.0, 13.0);
  EXPECT_EQ(verdict(Two, row(12, 4)).Trust, Certainty::Exact);
}

// How often an unknown access runs does not make a number of it.
TEST(LineJudge, WeightsDoNotReplaceWhatIsNotKnown) {
  AccessRecord Gather = access(14, std::nullopt, std::nullopt);
  Gather.Executions = 1;
  LineVerdict V = verdict({counted(4, 1), Gather}, row(4, 4));
  EXPECT_FALSE(V.PerRequest);
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_EQ(V.Why, "1 of the 2 accesses of this line depend on data");
}

TEST(LineJudge, AMixtureOfAccessesIsInconclusiveWhatLiesOutsideIsRefuted) {
  std::vector<AccessRecord> Two = {access(14, 4, 4), access(14, 32, 4)};
  LineVerdict V = verdict(Two, row(10, 4));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("its 2 accesses have 4.0 to 32.0 each"));
  Two[0] = access(14, 12, 4);
  EXPECT_EQ(verdict(Two, row(4, 4)).Kind, VerdictKind::Refuted);
}

// Rows that are assumed to begin with a sector may begin anywhere.
TEST(LineJudge, OtherSizesThanAssumedAreInconclusive) {
  AccessRecord Rows = access(14, 10, 8);
  Rows.Least = 8;
  Rows.Most = 10;
  LineVerdict V = verdict({Rows}, row(9.4, 8));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_EQ(V.Why, "it has 8.0 to 10.0 if sizes are no multiples of 32, which "
                   "is assumed");
  EXPECT_EQ(verdict({Rows}, row(16, 8)).Kind, VerdictKind::Refuted);
  EXPECT_EQ(verdict({Rows, access(14, 10, 8)}, row(9.4, 8)).Kind,
            VerdictKind::Refuted)
      << "one has no such bounds";
}

TEST(LineJudge, DataIsMeasuredOnly) {
  AccessRecord Gather = access(14, std::nullopt, std::nullopt);
  LineVerdict V = verdict({Gather}, row(20, 4));
  EXPECT_EQ(V.Kind, VerdictKind::MeasuredOnly);
  EXPECT_EQ(V.MeasuredPerRequest, 20.0);
  EXPECT_FALSE(V.PerRequest.has_value());
  V = verdict({Gather, access(14, 4, 4)}, row(20, 4));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_EQ(V.Why, "1 of the 2 accesses of this line depend on data");
}

TEST(LineJudge, AnotherBlockCannotRefute) {
  LaunchPremise Other = {false, "it was launched with blocks of 100"};
  LineVerdict V = verdict({access(14, 4, 4)}, row(12, 4), Other);
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr(Other.Why));
  // The same number all the same is confirmed, and the block is told.
  V = verdict({access(14, 4, 4)}, row(4, 4), Other);
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(V.Why, Other.Why);
}

TEST(LineJudge, WhatDidNotRunIsNotMeasured) {
  CountedLine Row = row(0, 0, 0);
  Row.Requests = 0;
  EXPECT_EQ(verdict({access(14, 4, 4)}, Row).Why,
            "it was executed without an active lane");
  Row.Instructions = 0;
  LineVerdict V = verdict({access(14, 4, 4)}, Row);
  EXPECT_EQ(V.Kind, VerdictKind::NotMeasured);
  EXPECT_EQ(V.Why, "it was never executed");
}

TEST(LineJudge, ACounterThatIsNotThereIsNotZero) {
  CountedLine Row = row(4, 4);
  Row.Sectors = std::nullopt;
  LineVerdict V = verdict({access(14, 4, 4)}, Row);
  EXPECT_EQ(V.Kind, VerdictKind::NotMeasured);
  EXPECT_THAT(V.Why, HasSubstr("no count of its sectors"));
}

TEST(LineJudge, WithoutAnIdealTheTotalsDecide) {
  CountedLine Row = row(4, 4);
  Row.IdealSectors = std::nullopt;
  EXPECT_EQ(verdict({access(14, 4, 4)}, Row).Kind, VerdictKind::Confirmed);
  EXPECT_EQ(verdict({access(14, 8, 4)}, Row).Kind, VerdictKind::Refuted);
}

TEST(LineJudge, WavefrontsAreComparedWithWavefronts) {
  AccessRecord Shared = access(14, 16, 1);
  Shared.Space = MemorySpace::Shared;
  Shared.Unit = TrafficUnit::Wavefronts;
  CountedLine Row = {.Instructions = 10,
                     .Requests = 10,
                     .Lanes = 320,
                     .Sectors = 999,
                     .IdealSectors = 999,
                     .Wavefronts = 160,
                     .IdealWavefronts = 10};
  EXPECT_EQ(verdict({Shared}, Row).Kind, VerdictKind::Confirmed);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static AccessRecord running(AccessRecord Access, double Executions) {
  Access.Executions = Executions;
  return Access;
}

/// As if 500 warps were launched.
static LineVerdict ofWarps(const std::vector<AccessRecord> &Predicted,
                           const CountedLine &Row) {
  return verdict(Predicted, Row, {.Warps = 500});
}

// 1000 requests of 12 sectors are what 500 warps make that come here twice.
TEST(LineJudge, SumsAreExecutionsOfAllWarps) {
  LineVerdict V = ofWarps({running(exact(access(14, 12, 4)), 2)}, row(12, 4));
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(V.Sums, VerdictKind::Confirmed);
  EXPECT_EQ(V.PredictedRequests, 1000);
  EXPECT_EQ(V.PredictedTotal, 12000);
}

TEST(LineJudge, OtherSumsRefuteWhatIsExact) {
  LineVerdict V =
      ofWarps({running(exact(access(14, 12, 4)), 2.05)}, row(12, 4));
  EXPECT_EQ(V.Sums, VerdictKind::Refuted);
  EXPECT_EQ(V.Kind, VerdictKind::Refuted);
  EXPECT_EQ(V.Why, "12000 sectors in 1000 requests, predicted were 12300 in "
                   "1025");
  V = ofWarps({running(exact(access(14, 12, 4)), 2.015)}, row(12, 4));
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
}

TEST(LineJudge, OtherSumsLeaveWhatIsAssumed) {
  LineVerdict V = ofWarps({running(access(14, 12, 4), 3)}, row(12, 4));
  EXPECT_EQ(V.Sums, VerdictKind::Inconclusive);
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(V.PredictedRequests, 1500);
}

// One that runs once with 20 sectors and one that runs once with 4 are together
// what 12 twice are.
TEST(LineJudge, SumsAreOfAllAccesses) {
  LineVerdict V =
      ofWarps({running(access(14, 20, 4), 1), running(access(14, 4, 4), 1)},
              row(12, 4));
  EXPECT_EQ(V.Sums, VerdictKind::Confirmed);
  EXPECT_EQ(V.PredictedTotal, 12000);
}

TEST(LineJudge, WithoutExecutionsOrWarpsThereAreNoSums) {
  AccessRecord Access = exact(access(14, 12, 4));
  LineVerdict V = ofWarps({Access, running(Access, 1)}, row(12, 4));
  EXPECT_EQ(V.Sums, VerdictKind::NotMeasured);
  EXPECT_EQ(V.PredictedRequests, std::nullopt);
  EXPECT_EQ(verdict({running(Access, 7)}, row(12, 4)).Sums,
            VerdictKind::NotMeasured);
}

} // namespace LineJudgeTests
