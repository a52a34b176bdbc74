//===- tests/unit/report/RankingTests.cpp - What a finding wastes ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/LaunchTraffic.h"
#include "report/Ranking.h"

#include <gmock/gmock.h>

namespace RankingTests {

using namespace cudalint;
using testing::DoubleEq;
using testing::Optional;

static constexpr std::optional<double> NotKnown;

/// A load of line 5 that takes 8 wavefronts where 2 would do, 10 times a warp.
static Finding makeFinding() {
  Finding F;
  F.Check = "shared-bank-conflict";
  F.Where = {"a.cu", 5, 3};
  F.Kernel = "k";
  F.About = {SubjectKind::Load, "k", "s[i]", "s", "s"};
  F.What = {"wavefronts", "{access}", {{"access", "load of 's[i]'"}}};
  F.Predicted = Prediction{"wavefronts_per_request", 8, 2};
  F.Executions = 10;
  return F;
}

static AccessRecord access(unsigned Line, double PerRequest, double Ideal,
                           std::optional<double> Executions) {
  return {.Where = {"/src/a.cu", Line, 3},
          .Space = MemorySpace::Shared,
          .Unit = TrafficUnit::Wavefronts,
          .PerRequest = PerRequest,
          .Ideal = Ideal,
          .Block = {128, 1, 1},
          .Executions = Executions};
}

/// 100 wavefronts a warp: 80 of the finding's load, 20 of another. 5 blocks of
/// 128 threads are 20 warps.
static KernelRecord makeKernel() {
  KernelRecord K;
  K.Name = "k";
  K.Accesses = {access(5, 8, 2, 10), access(6, 1, 1, 20)};
  K.Launches = {{.Grid = {5, 1, 1}, .Block = {128, 1, 1}}};
  K.Totals = {{.Block = {128, 1, 1},
               .Grid = {5, 1, 1},
               .Warps = 20,
               .Spaces = {{.Space = MemorySpace::Shared,
                           .Unit = TrafficUnit::Wavefronts,
                           .Traffic = 100},
                          {.Space = MemorySpace::Global, .Traffic = 7}}}};
  return K;
}

static Document documentOf(std::vector<KernelRecord> Kernels) {
  UnitRecord Unit;
  Unit.File = "a.cu";
  Unit.Kernels = std::move(Kernels);
  Unit.Findings = {makeFinding()};
  return {"0.1.0", {"h200", "9.0", 132}, {std::move(Unit)}};
}

TEST(Waste, IsWhatGoesBeyondTheIdealAsOftenAsItIsMade) {
  const std::optional<Waste> W = wasteOf(makeFinding(), makeKernel());
  ASSERT_TRUE(W);
  EXPECT_EQ(W->Unit, "wavefronts");
  // 10 times 8 - 2.
  EXPECT_THAT(W->PerWarp, Optional(60.0));
  // Of 20 warps.
  EXPECT_THAT(W->InAll, Optional(1200.0));
  // Of 100.
  EXPECT_THAT(W->OfKernel, Optional(DoubleEq(0.6)));
  EXPECT_EQ(W->Estimate, NotKnown);
}

// A copy of a struct is several loads at one place.
TEST(Waste, IsThatOfAllAccessesAtItsPlace) {
  KernelRecord K = makeKernel();
  K.Accesses.push_back(access(5, 4, 3, 20));
  const std::optional<Waste> W = wasteOf(makeFinding(), K);
  EXPECT_THAT(W->PerWarp, Optional(60.0 + 20));
  EXPECT_THAT(W->OfKernel, Optional(DoubleEq(0.8)));
  // A store there is another finding's.
  K.Accesses.back().Op = AccessOp::Store;
  EXPECT_THAT(wasteOf(makeFinding(), K)->PerWarp, Optional(60.0));
}

// What is told of one block is no mean over all that are launched.
TEST(Waste, IsOfTheBlockThatIsTold) {
  KernelRecord K = makeKernel();
  K.Accesses.push_back(access(5, 3, 2, 10));
  K.Accesses.back().Block = {32, 1, 1};
  K.Totals.push_back(K.Totals[0]);
  K.Totals[1].Block = {32, 1, 1};
  K.Totals[1].Warps = 5;
  const std::optional<Waste> W = wasteOf(makeFinding(), K);
  EXPECT_THAT(W->OfKernel, Optional(DoubleEq(0.6)));
  EXPECT_THAT(W->InAll, Optional(60.0 * 20 + 10.0 * 5));
  Finding F = makeFinding();
  F.Predicted->Value = 3;
  EXPECT_THAT(wasteOf(F, K)->OfKernel, Optional(DoubleEq(0.1)));
}

// In blocks of 128 the other access is made 20 times, in blocks of 8 x 32 once.
TEST(Waste, IsOfTheBlockThatTheFindingNames) {
  KernelRecord K = makeKernel();
  K.Totals.clear();
  for (AccessRecord &A : K.Accesses)
    A.Counts = {{.Block = {128, 1, 1}, .Executions = A.Executions},
                {.Block = {8, 32, 1}, .Executions = 1}};
  Finding F = makeFinding();
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(60.0 / 100)));
  F.Block = BlockShape{8, 32, 1};
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(6.0 / 9)));
  EXPECT_THAT(wasteOf(F, K)->PerWarp, Optional(6.0));
  F.Block = BlockShape{128, 1, 1};
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(60.0 / 100)));
}

TEST(Waste, EachLaunchOfAShapeCounts) {
  KernelRecord K = makeKernel();
  K.Launches.push_back(K.Launches[0]);
  EXPECT_THAT(wasteOf(makeFinding(), K)->InAll, Optional(2400.0));
  // Another shape is another entry of the totals: 2 blocks are 8 warps more.
  K.Launches[1].Grid = {2, 1, 1};
  K.Totals.push_back(K.Totals[0]);
  K.Totals[1].Grid = {2, 1, 1};
  K.Totals[1].Warps = 8;
  const std::optional<Waste> W = wasteOf(makeFinding(), K);
  EXPECT_THAT(W->InAll, Optional(60.0 * 28));
  EXPECT_THAT(W->OfKernel, Optional(DoubleEq(0.6)));
}

// k<<<5, 128>>>(a, 1); k<<<5, 128>>>(a, 2);
TEST(Waste, LaunchesOfEqualSizesMayPassSomethingElse) {
  KernelRecord K = makeKernel();
  K.Launches.push_back(K.Launches[0]);
  K.Accesses[0].Shapes = {1};
  K.Accesses[1].Shapes = {0, 1};
  // The finding's load costs nothing beyond its ideal in the first one.
  K.Accesses.push_back(access(5, 2, 2, 10));
  K.Accesses.back().Shapes = {0};
  K.Totals.push_back(K.Totals[0]);
  K.Totals[0].Spaces[0].Traffic = 40;
  K.Totals[1].Shape = 1;
  const Document Doc = [&] {
    Document Of = documentOf({K});
    addWaste(Of);
    return Of;
  }();
  const std::optional<Waste> &W = Doc.Units[0].Findings[0].Wasted;
  ASSERT_TRUE(W);
  EXPECT_THAT(W->PerWarp, Optional(60.0));
  EXPECT_THAT(W->OfKernel, Optional(DoubleEq(0.6)));
  EXPECT_THAT(W->InAll, Optional(60.0 * 20));
  EXPECT_THAT(W->OfProgram, Optional(DoubleEq(60.0 / 140)));
}

TEST(Waste, WithoutAGridItIsOfAWarpAndOfTheKernel) {
  KernelRecord K = makeKernel();
  K.Totals[0].Warps.reset();
  const std::optional<Waste> W = wasteOf(makeFinding(), K);
  EXPECT_THAT(W->PerWarp, Optional(60.0));
  EXPECT_EQ(W->InAll, NotKnown);
  EXPECT_THAT(W->OfKernel, Optional(DoubleEq(0.6)));
  EXPECT_EQ(trafficOf(K, "wavefronts"), NotKnown);
}

TEST(Waste, ALoopThatIsNotKnownIsAnEstimate) {
  KernelRecord K = makeKernel();
  K.Totals[0].Spaces[0].Traffic.reset();
  // The other access is in a loop: 100 turns of 1 wavefront.
  K.Accesses[1].Executions.reset();
  K.Accesses[1].LoopDepth = 1;
  std::optional<Waste> W = wasteOf(makeFinding(), K);
  EXPECT_THAT(W->PerWarp, Optional(60.0));
  EXPECT_EQ(W->OfKernel, NotKnown);
  // 60 of 80 + 100.
  EXPECT_THAT(W->Estimate, Optional(DoubleEq(60.0 / 180)));
  // The finding is in the inner of two: 600 times 100 turns, of 8 times 10000
  // and 100.
  Finding F = makeFinding();
  F.Executions.reset();
  K.Accesses[0].Executions.reset();
  K.Accesses[0].LoopDepth = 2;
  W = wasteOf(F, K);
  EXPECT_EQ(W->PerWarp, NotKnown);
  EXPECT_EQ(W->InAll, NotKnown);
  EXPECT_THAT(W->Estimate, Optional(DoubleEq(60000.0 / 80100)));
  // The compiler has unrolled them both.
  K.Accesses[0].Compiled = MachineInstruction();
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(6.0 / 108)));
}

// Of two loops, the inner one makes 16 turns, the outer one who knows.
TEST(Waste, LoopsOfKnownTurnsMakeTheirTurns) {
  KernelRecord K = makeKernel();
  K.Totals[0].Spaces[0].Traffic.reset();
  for (AccessRecord &A : K.Accesses)
    A.Executions.reset();
  K.Accesses[0].Counts = {
      {.Block = {128, 1, 1}, .Frequencies = {{.Times = 1, .Loops = {1}}}}};
  K.Accesses[1].Counts = {
      {.Block = {128, 1, 1}, .Frequencies = {{.Times = 16, .Loops = {1}}}}};
  Finding F = makeFinding();
  F.Executions.reset();
  // 6 of 8 in 100 turns, beside 1 in 1600.
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(600.0 / 2400)));
}

TEST(Waste, AnEstimateThatHangsByTurnsIsRough) {
  KernelRecord K = makeKernel();
  K.Accesses = {access(5, 8, 2, std::nullopt), access(6, 1, 1, std::nullopt)};
  K.Accesses[0].LoopDepth = K.Accesses[1].LoopDepth = 1;
  Finding F = makeFinding();
  F.Executions.reset();
  // Both in one loop: however often it turns, 6 of 9.
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(6.0 / 9)));
  EXPECT_FALSE(wasteOf(F, K)->IsRough);
  // One in a loop inside: 6 of 18 with ten turns, 6 of 1008 with a thousand.
  K.Accesses[1].LoopDepth = 2;
  EXPECT_TRUE(wasteOf(F, K)->IsRough);
  EXPECT_THAT(wasteOf(F, K)->IfMany, Optional(DoubleEq(6.0 / 1008)));
  // A scatter may cost nearly nothing, or more than all the rest.
  K.Accesses[1].LoopDepth = 1;
  K.Accesses[1].PerRequest.reset();
  EXPECT_FALSE(wasteOf(F, K)->IsRough);
  EXPECT_TRUE(wasteOf(F, K)->IsMost);
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(6.0 / 9)));
  // What is counted is not rough.
  K.Accesses[1].PerRequest = 1;
  F.Executions = 10;
  EXPECT_FALSE(wasteOf(F, K)->IsRough);
}

// Two grids of blocks that are alike: no warp makes both.
TEST(Waste, EntriesOfOtherLaunchesAreNotAddedUp) {
  KernelRecord K = makeKernel();
  K.Accesses.push_back(access(5, 7, 2, 10));
  for (AccessRecord &Each : K.Accesses)
    Each.Compiled = MachineInstruction{.Name = "LDS", .Offset = 16};
  EXPECT_THAT(wasteOf(makeFinding(), K)->PerWarp, Optional(60.0));
  // Another instruction is one more.
  K.Accesses[2].Compiled->Offset = 32;
  EXPECT_THAT(wasteOf(makeFinding(), K)->PerWarp, Optional(110.0));
}

// Alignment saves 3 of the 6 wavefronts beyond the ideal.
TEST(Waste, OfWhatIsMisalignedIsWhatAlignmentSaves) {
  Finding F = makeFinding();
  F.What.Values.emplace_back("aligned", 5);
  const std::optional<Waste> W = wasteOf(F, makeKernel());
  ASSERT_TRUE(W);
  EXPECT_THAT(W->PerWarp, Optional(30.0));
  EXPECT_THAT(W->InAll, Optional(600.0));
  EXPECT_THAT(W->OfKernel, Optional(DoubleEq(0.3)));
}

// What is at most so much holds of small sizes, too.
TEST(Waste, AtMostItIsWhereOthersCostLeast) {
  KernelRecord K = makeKernel();
  K.Accesses = {access(5, 8, 2, std::nullopt), access(6, 32, 4, std::nullopt),
                access(7, 0, 0, std::nullopt)};
  K.Accesses[2].PerRequest.reset();
  for (AccessRecord &Each : K.Accesses)
    Each.LoopDepth = 1;
  Finding F = makeFinding();
  F.Executions.reset();
  // 8 and 32 and at least 1.
  EXPECT_TRUE(wasteOf(F, K)->IsMost);
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(6.0 / 41)));
  K.Accesses[1].SupposedLarge = "n";
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(6.0 / 13)));
  // The same size is as large for both.
  K.Accesses[0].SupposedLarge = "n";
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(6.0 / 41)));
  // Where all are predicted, the assumptions say for what that holds.
  K.Accesses.pop_back();
  EXPECT_FALSE(wasteOf(F, K)->IsMost);
  EXPECT_THAT(wasteOf(F, K)->Estimate, Optional(DoubleEq(6.0 / 40)));
}

TEST(Waste, AllInstructionsOfTheLineCountAndNoOthers) {
  KernelRecord K = makeKernel();
  K.Totals[0].Spaces[0].Traffic.reset();
  K.Accesses = {access(5, 8, 2, 5), access(5, 8, 2, 5), access(6, 8, 2, 10)};
  EXPECT_THAT(wasteOf(makeFinding(), K)->Estimate,
              Optional(DoubleEq(60.0 / 160)));
  // A store is not the load, nor is a sector a wavefront.
  K.Accesses[1].Op = AccessOp::Store;
  K.Accesses[2].Unit = TrafficUnit::Sectors;
  EXPECT_THAT(wasteOf(makeFinding(), K)->Estimate,
              Optional(DoubleEq(30.0 / 80)));
}

TEST(Waste, InAFunctionOfTheToolkitTheCallIsThePlace) {
  KernelRecord K = makeKernel();
  K.Totals[0].Spaces[0].Traffic.reset();
  K.Accesses[0].Where = {"/usr/include/copy.h", 99, 1};
  K.Accesses[0].InlinedAt = {{"/usr/include/all.h", 7, 1}, {"a.cu", 5, 3}};
  EXPECT_THAT(wasteOf(makeFinding(), K)->Estimate, Optional(DoubleEq(0.6)));
  K.Accesses[0].InlinedAt.pop_back();
  EXPECT_EQ(wasteOf(makeFinding(), K)->Estimate, NotKnown);
}

TEST(Waste, OnlyOfWhatHasAnIdeal) {
  Finding F = makeFinding();
  F.Predicted->Ideal.reset();
  EXPECT_EQ(wasteOf(F, makeKernel()), std::nullopt);
  F.Predicted = Prediction{"warps_per_sm", 8, 64};
  EXPECT_EQ(wasteOf(F, makeKernel()), std::nullopt);
  // Up to an ideal that is more, as where lanes are bounds, nothing is wasted.
  F.Predicted = Prediction{"wavefronts_per_request", 2, 4};
  EXPECT_THAT(wasteOf(F, makeKernel())->PerWarp, Optional(0.0));
}

TEST(Waste, OfTheProgramWhereAllKernelsAreKnown) {
  // The other kernel moves 100 wavefronts in each of 60 warps: 6000 and 2000.
  KernelRecord Other = makeKernel();
  Other.Name = "other";
  Other.Totals[0].Warps = 60;
  Document Doc = documentOf({makeKernel(), Other});
  addWaste(Doc);
  EXPECT_THAT(Doc.Units[0].Findings[0].Wasted->OfProgram,
              Optional(DoubleEq(1200.0 / 8000)));
  // Without its grid nobody knows.
  Doc.Units[0].Kernels[1].Totals[0].Warps.reset();
  addWaste(Doc);
  EXPECT_EQ(Doc.Units[0].Findings[0].Wasted->OfProgram, NotKnown);
  EXPECT_THAT(Doc.Units[0].Findings[0].Wasted->OfKernel,
              Optional(DoubleEq(0.6)));
  // What nothing launches is no part of what is launched.
  Doc.Units[0].Kernels[1].Launches[0].Source = LaunchSource::Assumed;
  addWaste(Doc);
  EXPECT_THAT(Doc.Units[0].Findings[0].Wasted->OfProgram,
              Optional(DoubleEq(0.6)));
  Doc.Units[0].Kernels[1].Launches[0].Source = LaunchSource::Launch;
  // What has no traffic of the kind needs none.
  Doc.Units[0].Kernels[1].Totals[0].Spaces[0].Traffic = 0;
  addWaste(Doc);
  EXPECT_THAT(Doc.Units[0].Findings[0].Wasted->OfProgram,
              Optional(DoubleEq(0.6)));
}

TEST(Waste, AFindingOfNoKernelHasNone) {
  Document Doc = documentOf({makeKernel()});
  Doc.Units[0].Findings[0].Kernel = "gone";
  addWaste(Doc);
  EXPECT_EQ(Doc.Units[0].Findings[0].Wasted, std::nullopt);
}

TEST(Rank, IsTheWidestShareThatIsKnown) {
  Finding F = makeFinding();
  EXPECT_EQ(rankOf(F), 0);
  F.Wasted = Waste{.Unit = "wavefronts", .Estimate = 0.5};
  EXPECT_EQ(rankOf(F), 0.5);
  F.Wasted->OfKernel = 0.4;
  EXPECT_EQ(rankOf(F), 0.4);
  F.Wasted->OfProgram = 0.1;
  EXPECT_EQ(rankOf(F), 0.1);
}

// 100 wavefronts are as many clocks; 1600 sectors, four in each, are 400.
TEST(Rank, WhatTakesFewClocksMattersLittle) {
  KernelRecord K = makeKernel();
  AccessRecord Copied = access(9, 4, 4, 400);
  Copied.Space = MemorySpace::Global;
  Copied.Unit = TrafficUnit::Sectors;
  K.Accesses.push_back(Copied);
  Finding F = makeFinding();
  F.Wasted = wasteOf(F, K);
  EXPECT_THAT(F.Wasted->OfKernel, Optional(DoubleEq(0.6)));
  EXPECT_DOUBLE_EQ(rankOf(F), 0.6 / 4);
  // Of what takes most of them, all matters.
  K.Accesses.back().Executions = 50;
  F.Wasted = wasteOf(F, K);
  EXPECT_DOUBLE_EQ(rankOf(F), 0.6);
}

TEST(Rank, WhatIsNoAccessRanksByWhatIsIdle) {
  Finding F;
  F.What = {"idle-sms", "", {{"idle_sms", 129}, {"sms", 132}}};
  EXPECT_DOUBLE_EQ(rankOf(F), 129.0 / 132 / 2);
  F.What = {"idle-lanes", "", {{"percent", 25.0}}};
  EXPECT_DOUBLE_EQ(rankOf(F), 0.25);
  F.What = {"tail", "", {}};
  F.Predicted = Prediction{"waves", 1.5, 2};
  EXPECT_DOUBLE_EQ(rankOf(F), 0.25);
  // Updates that queue up, by the time that they take at most.
  F.What = {"one-address", "", {{"most_percent_of_kernel", 80.0}}};
  F.Predicted = Prediction{"active_lanes_per_warp", 32, 1};
  EXPECT_DOUBLE_EQ(rankOf(F), 0.8);
}

} // namespace RankingTests
