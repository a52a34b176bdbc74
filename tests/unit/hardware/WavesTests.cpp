//===- tests/unit/hardware/WavesTests.cpp - Rounds of a grid --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// waves_*.csv: whole launches timed by their author on a GTX 1080 Ti, each
// block spinning for about one second. The number of rounds is the time in
// seconds, rounded.
//
//===----------------------------------------------------------------------===//

#include "hardware/Waves.h"

#include "Csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace WavesTests {

using namespace cudalint;

/// Every row: blocks, threads, time. How many there were.
static std::size_t expectMeasuredRounds(const std::string &File,
                                        double TimePerRound,
                                        const BlockDemand &Kernel) {
  const auto Card = parseTarget("gtx-1080-ti");
  const auto Rows = readCsv(File);
  for (const auto &Row : Rows) {
    BlockDemand Demand = Kernel;
    Demand.Threads = static_cast<std::uint64_t>(Row[1]);
    const auto W = waves(static_cast<std::uint64_t>(Row[0]), Card->SMs.value(),
                         occupancy(*Card->Arch, Demand).BlocksPerSM);
    SCOPED_TRACE(File + ": " + std::to_string(int(Row[0])) + " x " +
                 std::to_string(int(Row[1])));
    EXPECT_EQ(W ? W->Rounds : 0,
              static_cast<std::uint64_t>(std::lround(Row[2] / TimePerRound)));
  }
  return Rows.size();
}

TEST(MeasuredRounds, ThreadsAlone) {
  EXPECT_EQ(expectMeasuredRounds("waves_threads.csv", 1, {}), 11u);
}

TEST(MeasuredRounds, FortyEightRegisters) {
  EXPECT_EQ(
      expectMeasuredRounds("waves_registers.csv", 1000, {.Registers = 48}),
      11u);
}

TEST(MeasuredRounds, ThirtySixKilobytesOfStaticSharedMemory) {
  EXPECT_EQ(expectMeasuredRounds("waves_shared.csv", 1000,
                                 {.StaticShared = 36 * 1024}),
            4u);
}

// The first row that puzzled the author: 48 registers of 641 threads, twice,
// are 61536 of 65536. But a warp gets 1536, a partition holds 10 such warps,
// and two blocks have 42.
TEST(MeasuredRounds, ThePuzzleIsThatOfPartitions) {
  const Architecture &Card = *findArchitecture({6, 1});
  const Occupancy O = occupancy(Card, {.Threads = 641, .Registers = 48});
  EXPECT_EQ(O.WarpsPerBlock, 21u);
  EXPECT_EQ(O.RegistersPerWarp, 1536u);
  EXPECT_EQ(O.RegistersPerBlock, 32256u);
  EXPECT_EQ(O.BlocksPerSM, 1u);
  EXPECT_EQ(O.limiter(), Limiter::Registers);
  EXPECT_EQ(O.RegistersLeft, 65536u - 32256u); // More than a block takes.
  const auto Next = cliffs(Card, {.Threads = 641, .Registers = 48});
  ASSERT_GE(Next.size(), 2u);
  EXPECT_EQ(Next[0].What, Cliff::Quantity::Registers);
  EXPECT_EQ(Next[0].Value, 40u); // 1280 a warp: 12 in a partition, 48 in all.
  EXPECT_EQ(Next[0].Then.BlocksPerSM, 2u);
  EXPECT_EQ(Next[1].What, Cliff::Quantity::Threads);
  EXPECT_EQ(Next[1].Value, 640u);
  EXPECT_EQ(Next[1].Then.BlocksPerSM, 2u);
}

TEST(Waves, CountsRoundsAndWaste) {
  const auto W = waves(57, 28, 2);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->Resident, 56u);
  EXPECT_DOUBLE_EQ(W->Count, 57.0 / 56);
  EXPECT_EQ(W->Rounds, 2u);
  EXPECT_EQ(W->TailBlocks, 1u);
  EXPECT_DOUBLE_EQ(W->TailWaste, 55.0 / 112);
}

TEST(Waves, AFullLastRoundWastesNothing) {
  const auto W = waves(112, 28, 2);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->Rounds, 2u);
  EXPECT_EQ(W->TailBlocks, 56u);
  EXPECT_EQ(W->TailWaste, 0);
}

TEST(Waves, LargestGridAndLargestGPU) {
  constexpr std::uint64_t Most = std::numeric_limits<std::uint64_t>::max();
  const auto W = waves(Most, std::numeric_limits<int>::max(), 32);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->Rounds, Most / W->Resident + 1);
  EXPECT_EQ(W->TailBlocks, Most % W->Resident);
}

TEST(Waves, NothingIsKnownWithoutBlocksOrSMs) {
  EXPECT_FALSE(waves(0, 28, 2));
  EXPECT_FALSE(waves(1, 0, 2));
  EXPECT_FALSE(waves(1, -1, 2));
  EXPECT_FALSE(waves(1, 28, 0));
}

// The figures of NVIDIA's guides; hardware/DependentIssue.cpp names them.
TEST(Waves, WarpsThatCoverADependence) {
  auto Warps = [](int Major, int Minor) {
    return warpsToCoverDependentIssue(*findArchitecture({Major, Minor}));
  };
  EXPECT_EQ(Warps(1, 0), 6u); // 192 threads
  EXPECT_EQ(Warps(1, 3), 6u);
  EXPECT_EQ(Warps(2, 0), 22u);
  EXPECT_EQ(Warps(3, 5), 44u);
  EXPECT_EQ(Warps(5, 2), 24u); // 37.5 % of 64
  EXPECT_EQ(Warps(6, 0), 12u); // Two schedulers.
  EXPECT_EQ(Warps(6, 1), 24u);
  EXPECT_EQ(Warps(7, 0), 16u);
  EXPECT_EQ(Warps(9, 0), 16u);
  EXPECT_EQ(Warps(12, 1), 16u);
}

} // namespace WavesTests
