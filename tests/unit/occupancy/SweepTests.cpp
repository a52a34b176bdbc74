//===- tests/unit/occupancy/SweepTests.cpp - Rows, cliffs and ranks -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Run.h"
#include "occupancy/Sweep.h"

#include <gmock/gmock.h>

namespace SweepTests {

using namespace cudalint;

static std::vector<SweepRow> sweepOf(const char *Gpu, SweepOver What,
                                     LaunchInput Input) {
  return sweep(*parseTarget(Gpu), Input, What, std::nullopt);
}

/// Every value of a row must have the figures of the row's end, and rows must
/// follow on each other.
static void expectRowsAreTrue(const char *Gpu, SweepOver What,
                              const LaunchInput &Input, std::uint64_t Step) {
  const Target Target = *parseTarget(Gpu);
  std::vector<SweepRow> Rows = sweep(Target, Input, What, std::nullopt);
  ASSERT_FALSE(Rows.empty());
  for (std::size_t I = 1; I != Rows.size(); ++I)
    ASSERT_EQ(Rows[I].From, Rows[I - 1].To + 1);
  for (const SweepRow &Row : Rows)
    for (std::uint64_t Value = Row.From; Value <= Row.To; Value += Step) {
      BlockDemand Demand = Row.At.Demand;
      if (What == SweepOver::Block)
        Demand.Threads = Value;
      else if (What == SweepOver::Registers)
        Demand.Registers = Value;
      else {
        Demand.StaticShared = std::min(Input.StaticShared.value_or(0), Value);
        Demand.DynamicShared = Value - Demand.StaticShared;
      }
      Occupancy Result = occupancy(*Target.Arch, Demand);
      ASSERT_EQ(Result.BlocksPerSM, Row.At.Result->BlocksPerSM) << Value;
      ASSERT_EQ(Result.WarpsPerSM, Row.At.Result->WarpsPerSM) << Value;
      if (What == SweepOver::Block)
        continue;
      for (Limiter Which : {Limiter::Warps, Limiter::Blocks, Limiter::Registers,
                            Limiter::SharedMemory, Limiter::Barriers})
        ASSERT_EQ(Result.isLimitedBy(Which), Row.At.Result->isLimitedBy(Which))
            << Value << " " << nameOf(Which);
    }
}

TEST(Sweep, EveryValueOfARowCostsTheSame) {
  for (const char *Gpu : {"sm_10", "sm_20", "sm_35", "gtx-1080-ti", "sm_75",
                          "sm_86", "h200", "sm_120"}) {
    SCOPED_TRACE(Gpu);
    expectRowsAreTrue(
        Gpu, SweepOver::Block,
        {.Registers = 24, .StaticShared = 5000, .DynamicShared = 0}, 1);
    expectRowsAreTrue(
        Gpu, SweepOver::Registers,
        {.Block = Shape{192, 1, 1}, .StaticShared = 100, .DynamicShared = 0},
        1);
    expectRowsAreTrue(Gpu, SweepOver::Shared,
                      {.Block = Shape{64, 1, 1},
                       .Registers = 24,
                       .StaticShared = 3000,
                       .DynamicShared = 0},
                      1);
  }
}

// 16384 registers of a partition, by hand: 40 registers are 1280 a warp, 12
// warps; 41 are 1536, 10 warps; and so on.
TEST(Sweep, RegisterCliffsOfThePuzzle) {
  std::vector<std::uint64_t> Cliffs;
  for (const SweepRow &Row : sweepOf("gtx-1080-ti", SweepOver::Registers,
                                     {.Block = Shape{641, 1, 1},
                                      .Registers = 48,
                                      .StaticShared = 0,
                                      .DynamicShared = 0}))
    if (Row.IsCliff)
      Cliffs.push_back(Row.To);
  // 81 registers are 2816 a warp, and 24 such warps, to which 21 are rounded
  // at the launch, are more than a block can have.
  EXPECT_THAT(Cliffs, testing::ElementsAre(32, 40, 80));
}

TEST(Sweep, SharedMemoryCliffs) {
  // 96 KB: 98304 / n, down to whole 256 bytes; the largest block is 48 KB. The
  // limit by blocks, 32, is reached at 3072 bytes.
  std::vector<SweepRow> Rows = sweepOf(
      "gtx-1080-ti", SweepOver::Shared,
      {.Block = Shape{1, 1, 1}, .Registers = 20, .StaticShared = 36864});
  std::vector<std::uint64_t> Ends;
  for (const SweepRow &Row : Rows)
    Ends.push_back(Row.To);
  std::vector<std::uint64_t> Expected;
  unsigned Last = 0;
  for (std::uint64_t Bytes = 49152; Bytes >= 256; Bytes -= 256) {
    unsigned Blocks = std::min<unsigned>(32, 98304 / Bytes);
    if (Blocks != Last)
      Expected.insert(Expected.begin(), Bytes);
    Last = Blocks;
  }
  // 3072 x 32 is all of it: there, both limit, and below only the blocks do.
  std::erase(Ends, 2816u);
  EXPECT_EQ(Ends, Expected);
  auto Mine = std::ranges::find_if(
      Rows, [](const SweepRow &Row) { return Row.Yours.has_value(); });
  ASSERT_NE(Mine, Rows.end());
  EXPECT_EQ(Mine->Yours, 36864u);
  EXPECT_EQ(Mine->From, 32769u);
  EXPECT_EQ(Mine->To, 49152u);
}

// Registers that nobody told: rows differ in the most blocks, or are known.
TEST(Sweep, WhatIsAtMostIsOneRow) {
  std::vector<SweepRow> Rows = sweepOf(
      "h200", SweepOver::Shared,
      {.Block = Shape{256, 1, 1}, .StaticShared = 0, .DynamicShared = 0});
  ASSERT_GT(Rows.size(), 2u);
  EXPECT_TRUE(Rows.front().At.IsAtMost);
  for (std::size_t I = 1; I != Rows.size(); ++I)
    EXPECT_GT(Rows[I - 1].At.Result->BlocksPerSM,
              Rows[I].At.Result->BlocksPerSM);
  // One block fits with as many registers as there are.
  EXPECT_FALSE(Rows.back().At.IsAtMost);
}

TEST(Sweep, BlockCliffs) {
  std::vector<SweepRow> Rows = sweepOf("gtx-1080-ti", SweepOver::Block,
                                       {.Block = Shape{673, 1, 1},
                                        .Registers = 16,
                                        .StaticShared = 0,
                                        .DynamicShared = 0});
  ASSERT_EQ(Rows.size(), 32u);
  // 672 threads are 21 warps, three blocks of which are 63.
  EXPECT_EQ(Rows[20].To, 672u);
  EXPECT_TRUE(Rows[20].IsCliff);
  EXPECT_EQ(Rows[20].At.Result->WarpsPerSM, 63u);
  EXPECT_EQ(Rows[21].Yours, 673u);
  EXPECT_FALSE(Rows[21].IsCliff);
}

TEST(Sweep, RowsThatFailAreOne) {
  std::vector<SweepRow> Rows =
      sweepOf("h200", SweepOver::Block, {.Registers = 80});
  // 768 threads are 24 warps; the rest exceeds the registers of a block.
  ASSERT_EQ(Rows.size(), 25u);
  EXPECT_EQ(Rows.back().From, 769u);
  EXPECT_EQ(Rows.back().To, 1024u);
  EXPECT_FALSE(Rows.back().At.Failures.empty());
}

TEST(Figures, DimensionsThatFail) {
  Target H200 = *parseTarget("h200");
  LaunchFigures Deep =
      figuresOf(H200, {.Block = Shape{1, 1, 65}, .Registers = 16});
  EXPECT_THAT(failureOf(Deep), testing::HasSubstr("65 threads in z, h200 "
                                                  "allows 64"));
  EXPECT_EQ(recordOf(Deep).BlocksPerSM, 0u);
  EXPECT_EQ(recordOf(Deep).Limiter, "");
  // x up to 65535 on 2.x.
  LaunchFigures Long =
      figuresOf(*parseTarget("tesla-s2050"),
                {.Block = Shape{32, 1, 1}, .Grid = Shape{65536, 1, 1}});
  EXPECT_THAT(failureOf(Long), testing::HasSubstr("65536 blocks in x"));
  EXPECT_EQ(recordOf(Long).Rounds, std::nullopt);
}

// Blocks of 8 warps on Hopper: 8 by its 64 warps; with 255 registers a warp
// takes 8192, of which a partition has 16384: 8 warps, one block.
TEST(Figures, WhatIsNotKnownMakesAMost) {
  const Target H200 = *parseTarget("h200");
  LaunchInput Input = {.Block = Shape{256, 1, 1},
                       .Grid = Shape{99, 1, 1},
                       .StaticShared = 0,
                       .DynamicShared = 0};
  EXPECT_TRUE(figuresOf(H200, Input).IsAtMost);
  EXPECT_EQ(recordOf(figuresOf(H200, Input)).BlocksPerSM, std::nullopt);
  EXPECT_EQ(recordOf(figuresOf(H200, Input)).Limits.Warps, 8u);
  EXPECT_EQ(recordOf(figuresOf(H200, Input)).Rounds, std::nullopt);
  Input.Registers = 32;
  EXPECT_FALSE(figuresOf(H200, Input).IsAtMost);
  EXPECT_EQ(recordOf(figuresOf(H200, Input)).BlocksPerSM, 8u);
  Input.DynamicShared.reset();
  EXPECT_TRUE(figuresOf(H200, Input).IsAtMost);
  EXPECT_EQ(recordOf(figuresOf(H200, Input)).Limits.Shared, std::nullopt);
  // One block of 32 warps is all that fits, whatever it shares.
  Input.Registers = 64;
  Input.Block = Shape{1024, 1, 1};
  EXPECT_FALSE(figuresOf(H200, Input).IsAtMost);
  EXPECT_EQ(recordOf(figuresOf(H200, Input)).BlocksPerSM, 1u);
}

TEST(Figures, AFailureThatOthersFound) {
  LaunchFigures Figures =
      figuresOf(*parseTarget("h200"), {.Block = Shape{256, 1, 1},
                                       .Grid = Shape{99, 1, 1},
                                       .Registers = 32,
                                       .StaticShared = 0,
                                       .DynamicShared = 0,
                                       .Judged = {{"the launch fails"}}});
  EXPECT_EQ(recordOf(Figures).BlocksPerSM, 0u);
  EXPECT_EQ(recordOf(Figures).Rounds, std::nullopt);
  EXPECT_EQ(recordOf(Figures).Limiter, "");
}

TEST(Figures, WhatIsJudgedToRunRuns) {
  // Its program does something else where the grid is too large.
  LaunchInput Input = {.Block = Shape{256, 1, 1},
                       .Grid = Shape{1, 65536, 1},
                       .Registers = 32,
                       .StaticShared = 0,
                       .DynamicShared = 0};
  const Target H200 = *parseTarget("h200");
  EXPECT_THAT(failureOf(figuresOf(H200, Input)),
              testing::HasSubstr("65536 blocks in y"));
  Input.Judged.emplace();
  EXPECT_EQ(failureOf(figuresOf(H200, Input)), "");
  EXPECT_EQ(recordOf(figuresOf(H200, Input)).BlocksPerSM, 8u);
  // With another number it was not judged.
  std::vector<SweepRow> Rows =
      sweep(H200, Input, SweepOver::Registers, std::nullopt);
  EXPECT_FALSE(Rows.front().At.Failures.empty());
}

TEST(Figures, EveryReasonIsTold) {
  // With 64 registers it would still have too much shared memory.
  LaunchInput Input = {.Block = Shape{1024, 1, 1},
                       .Registers = 80,
                       .StaticShared = 0,
                       .DynamicShared = 1 << 20};
  const Target H200 = *parseTarget("h200");
  LaunchFigures Figures = figuresOf(H200, Input);
  ASSERT_EQ(Figures.Failures.size(), 2u);
  EXPECT_THAT(Figures.Failures[0], testing::HasSubstr("error 701"));
  EXPECT_THAT(Figures.Failures[1],
              testing::HasSubstr("more than the 227 KB that a block"));
  EXPECT_THAT(failureOf(Figures), testing::HasSubstr("; the launch fails"));
  // Or need an opt-in.
  Input.DynamicShared = 60'000;
  Figures = figuresOf(H200, Input);
  EXPECT_EQ(Figures.Failures.size(), 1u);
  auto isOptIn = [](const Remark &Each) {
    return Each.Label == "limit" &&
           Each.Words.starts_with("60000 bytes of shared memory are more");
  };
  EXPECT_TRUE(std::ranges::any_of(remarksOn(Figures), isOptIn));
  Figures.Input.SharedMemoryOptIn = true;
  EXPECT_TRUE(std::ranges::none_of(remarksOn(Figures), isOptIn));
  // Once for each: its threads are too many, whatever their dimensions.
  Input = {.Block = Shape{2048, 1, 1}, .Grid = Shape{0, 1, 1}, .Registers = 80};
  Figures = figuresOf(H200, Input);
  ASSERT_EQ(Figures.Failures.size(), 2u);
  EXPECT_THAT(Figures.Failures[0],
              testing::HasSubstr("2048 threads are more than the 1024"));
  EXPECT_THAT(Figures.Failures[1],
              testing::HasSubstr("0 blocks in x, at least 1 is needed"));
}

TEST(Figures, WithoutABlockNothingIsKnown) {
  OccupancyRecord Record = recordOf(figuresOf(*parseTarget("h200"), {}));
  EXPECT_EQ(Record.BlocksPerSM, std::nullopt);
  EXPECT_EQ(Record.WarpsPerSM, std::nullopt);
}

// By hand, on 2.0 with 14 SMs: a step of a lone warp takes 11 cycles by the
// assumed model, so one block of 1 thread takes 2^24 * 11, and 14 blocks of 22
// warps, which just cover the latency, 32 * 22 * 14 times less.
TEST(Rank, CoveringLatencyGainsThousands) {
  Target Gpu = *parseTarget("tesla-s2050");
  SweepWork Work = {.Elements = 32.0 * 22 * 14 * 100,
                    .Model = assumedModel(*Gpu.Arch)};
  auto time = [&](Shape Grid, Shape Block) {
    return timeOf(
        figuresOf(Gpu, {.Block = Block, .Grid = Grid, .Registers = 20}), Work);
  };
  double One = time({1, 1, 1}, {1, 1, 1}).value();
  double Many = time({14, 1, 1}, {22 * 32, 1, 1}).value();
  EXPECT_DOUBLE_EQ(One, Work.Elements * 11);
  EXPECT_DOUBLE_EQ(One / Many, 32 * 22 * 14);
}

TEST(Rank, TheFastestComesFirst) {
  Target Gpu = *parseTarget("h200");
  SweepWork Work = {.Elements = 1 << 24, .Model = assumedModel(*Gpu.Arch)};
  std::vector<LaunchFigures> All = rank(Gpu, {.Registers = 32}, Work);
  ASSERT_GT(All.size(), 100u);
  for (std::size_t I = 1; I != All.size(); ++I)
    ASSERT_LE(*All[I - 1].Time, *All[I].Time);
  // One warp on one SM is the slowest.
  EXPECT_EQ(All.back().Input.Grid, (Shape{1, 1, 1}));
  EXPECT_EQ(All.back().Input.Block, (Shape{32, 1, 1}));
}

} // namespace SweepTests
