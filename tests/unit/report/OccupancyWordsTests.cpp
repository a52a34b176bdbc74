//===- tests/unit/report/OccupancyWordsTests.cpp - Limits and gains -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/OccupancyRecord.h"
#include "report/OccupancyWords.h"

#include "hardware/Architecture.h"
#include "hardware/Steps.h"

#include <gmock/gmock.h>

namespace OccupancyWordsTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {
/// A launch on a GPU, and what is said of it.
struct Case {
  Case(std::string_view Gpu, BlockDemand Demand)
      : Arch(*parseTarget(Gpu)->Arch), SMs(parseTarget(Gpu)->SMs),
        Demand(Demand), Result(occupancy(Arch, Demand)),
        Next(cliffs(Arch, Demand)) {}

  std::string words() const {
    return occupancyInWords(Arch, Demand, Result, Next);
  }
  std::string gain() const {
    return gainInWords(Arch, Demand, Result, Next, /*WithWarps=*/true);
  }
  std::string limit(Limiter Which) const {
    return limitInWords(Arch, Demand, Result, Which);
  }
  std::string unit(Limiter Which) const {
    return unitInWords(Arch, Demand, Result, Which);
  }
  std::string waves(std::uint64_t Grid) const {
    return wavesInWords(Grid, *SMs, Result, rounds(Grid));
  }
  std::string saved(std::uint64_t Grid) const {
    return roundsSavedInWords(Grid, Demand.Threads, *SMs, rounds(Grid), Next);
  }
  std::string failure() const { return failureInWords(Arch, Demand, Result); }
  Waves rounds(std::uint64_t Grid) const {
    return cudalint::waves(Grid, *SMs, Result.BlocksPerSM).value();
  }

  const Architecture &Arch;
  std::optional<int> SMs;
  BlockDemand Demand;
  Occupancy Result;
  std::vector<Cliff> Next;
};
} // namespace

// The two launches that puzzled an author who measured rounds on this GPU:
// the products say that they fit.

TEST(OccupancyWords, RegistersThatAreFewEnoughButNotByPartition) {
  Case C("gtx-1080-ti", {.Threads = 641, .Registers = 48});
  EXPECT_THAT(C.words(),
              StartsWith("48 registers x 21 warps: 2 blocks need 42 warps of "
                         "registers, 40 fit; at 640 threads, or at 40 "
                         "registers (41 to 48 cost the same), two fit"));
  // 48 * 641 * 2 = 61536; 65536 / 4 = 16384 hold 10 warps of 1536.
  EXPECT_EQ(C.unit(Limiter::Registers),
            "48 registers x 641 threads x 2 blocks = 61536 would fit in 65536, "
            "but registers are given to whole warps, in units of 256: 21 warps "
            "x 1536 = 32256 for a block, and each of the 4 partitions of an SM "
            "has 16384 of its own, enough for 10 warps: 40 in all");
  // 29 x 641 = 18589 threads: 30 blocks of 640.
  EXPECT_EQ(C.saved(29),
            "at 40 registers the 29 blocks take 1 round instead of "
            "2; at 640 threads the 30 blocks of as many threads "
            "in all take 1 round instead of 2");
}

TEST(OccupancyWords, SharedMemoryWithOneThread) {
  Case C("gtx-1080-ti", {.Threads = 1, .StaticShared = 36 * 1024});
  EXPECT_EQ(C.limit(Limiter::SharedMemory),
            "36 KB of shared memory a block: 3 blocks need 108 KB, an SM has "
            "96 KB");
  EXPECT_EQ(C.unit(Limiter::SharedMemory), "");
  EXPECT_THAT(C.gain(), HasSubstr("at 32 KB of shared memory three fit"));
  EXPECT_EQ(C.waves(56), "56 blocks, 56 at a time (28 SMs x 2): 1 round, full");
  // 55 of 112 places.
  EXPECT_EQ(C.waves(57),
            "57 blocks, 56 at a time (28 SMs x 2): 2 rounds, the last with 1 "
            "block: 49.1 % of all places stay empty; 112 blocks take as long, "
            "56 a round less");
}

TEST(OccupancyWords, OneThreadMoreThanWholeWarps) {
  Case C("gtx-1080-ti", {.Threads = 673});
  EXPECT_THAT(C.words(),
              StartsWith("22 warps a block: 3 blocks need 66 warps, 64 fit; "
                         "at 672 threads three fit"));
  EXPECT_EQ(C.unit(Limiter::Warps),
            "673 threads x 3 blocks = 2019 would fit in 2048, but a block "
            "takes whole warps of 32 threads: 22");
  EXPECT_THAT(C.gain(), StartsWith("at 672 threads three fit (63 of 64 warps "
                                   "instead of 44)"));
  EXPECT_EQ(C.saved(57),
            "at 672 threads the 58 blocks of as many threads in all take 1 "
            "round instead of 2");
  EXPECT_EQ(C.saved(56), "");
  // 84 blocks of 672 threads fit at once, but 84 x 673 threads need 85.
  EXPECT_EQ(C.saved(84), "");
}

TEST(OccupancyWords, CoLimitersAreNamedTogether) {
  // 32 blocks of 2 warps are all 64 warps.
  Case C("sm_61", {.Threads = 64});
  EXPECT_EQ(C.words(), "2 warps a block: 33 blocks need 66 warps, 64 fit; an "
                       "SM holds at most 32 blocks: with 2 warps each, 64 of "
                       "64 warps");
  Case Small("sm_61", {.Threads = 32});
  EXPECT_THAT(Small.words(), StartsWith("an SM holds at most 32 blocks: with 1 "
                                        "warp each, 32 of 64 warps"));
}

TEST(OccupancyWords, WhatTheSystemReservesIsNamed) {
  // 32 KB + 1 KB; 7 of them are 231 KB.
  Case C("h200", {.Threads = 128, .DynamicShared = 32 * 1024});
  EXPECT_EQ(C.limit(Limiter::SharedMemory),
            "32 KB of shared memory a block, 33 KB as allocated: 7 blocks need "
            "231 KB, an SM has 228 KB");
  EXPECT_EQ(C.unit(Limiter::SharedMemory),
            "32768 bytes x 7 blocks = 229376 would fit in 233472, but a block "
            "takes 33792: in units of 128, with 1024 that the system reserves");
}

TEST(OccupancyWords, BarriersLimitBlocks) {
  // 64 barriers on an SM.
  Case C("h200", {.Threads = 32, .Barriers = 16});
  EXPECT_EQ(C.limit(Limiter::Barriers),
            "16 barriers a block: the barriers of an SM are enough for 4 "
            "blocks");
}

TEST(OccupancyWords, RegistersOfTheFirstGenerationAreTheBlocks) {
  // For the block: 8 warps x 32 x 17 = 4352 registers, a multiple of 256; two
  // need 8704.
  Case C("sm_11", {.Threads = 256, .Registers = 17});
  EXPECT_THAT(C.words(), StartsWith("17 registers x 256 threads: 2 blocks need "
                                    "8704 registers, an SM has 8192"));
}

TEST(OccupancyWords, NoGainNoWords) {
  EXPECT_EQ(Case("h200", {.Threads = 256, .Registers = 32}).gain(), "");
}

TEST(OccupancyWords, ALoneRoundThatIsNotFull) {
  Case C("gtx-1080-ti", {.Threads = 1024});
  EXPECT_EQ(C.waves(1), "1 block, 56 at a time (28 SMs x 2): 1 round with 55 "
                        "of 56 places empty");
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

TEST(FailureWords, RegistersOfABlock) {
  // 65536 / 1024 = 64 registers; 80 registers are 2560 a warp, 25.6 warps of
  // them, in fours: 24 warps.
  Case C("h200", {.Threads = 1024, .Registers = 80});
  EXPECT_EQ(C.words(),
            "the launch fails with error 701 (cudaErrorLaunchOutOfResources): "
            "80 registers x 32 warps as allocated are more than the 65536 that "
            "a block can have; at most 64 registers "
            "(`__launch_bounds__(1024)` or -maxrregcount=64), or at most 768 "
            "threads");
}

TEST(FailureWords, Threads) {
  EXPECT_THAT(Case("h200", {.Threads = 1025}).failure(),
              HasSubstr("1025 threads are more than the 1024"));
  EXPECT_THAT(Case("sm_13", {.Threads = 513}).failure(),
              HasSubstr("513 threads are more than the 512"));
  EXPECT_THAT(Case("h200", {.Threads = 0}).failure(),
              HasSubstr("at least 1 thread"));
}

TEST(FailureWords, SharedMemory) {
  // 227 KB of Hopper, 48 KB where there is no opt-in.
  EXPECT_THAT(
      Case("h200", {.Threads = 32, .DynamicShared = 228 * 1024}).failure(),
      AllOf(HasSubstr("error 1 (cudaErrorInvalidValue)"),
            HasSubstr("228 KB of shared memory are more than the 227 KB")));
  EXPECT_THAT(
      Case("h200", {.Threads = 32, .StaticShared = 49 * 1024}).failure(),
      AllOf(HasSubstr("49 KB of static shared memory are more than the 48 KB"),
            HasSubstr("as dynamic shared memory 227 KB are possible")));
  EXPECT_THAT(
      Case("sm_61", {.Threads = 32, .StaticShared = 49 * 1024}).failure(),
      Not(HasSubstr("dynamic")));
}

TEST(FailureWords, RegistersAndBarriers) {
  EXPECT_THAT(Case("h200", {.Threads = 32, .Registers = 300}).failure(),
              HasSubstr("300 registers a thread: 255 are the most"));
  EXPECT_THAT(Case("sm_30", {.Threads = 32, .Registers = 64}).failure(),
              HasSubstr("63 are the most"));
  EXPECT_THAT(Case("h200", {.Threads = 32, .Barriers = 17}).failure(),
              HasSubstr("17 barriers are more than the 16"));
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

TEST(OccupancyRecord, HoldsWhatIsKnown) {
  Case C("gtx-1080-ti", {.Threads = 641, .Registers = 48});
  OccupancyRecord R = occupancyRecord(C.Result, C.Next, C.rounds(29));
  EXPECT_EQ(R.BlocksPerSM, 1u);
  EXPECT_EQ(R.WarpsPerSM, 21u);
  EXPECT_DOUBLE_EQ(R.Ratio.value(), 21 / 64.0);
  EXPECT_EQ(R.Limiter, "registers");
  EXPECT_EQ(R.Limits.Warps, 3u);
  EXPECT_EQ(R.Limits.Blocks, 32u);
  EXPECT_EQ(R.Limits.Registers, 1u);
  EXPECT_EQ(R.Limits.Shared, std::nullopt);
  EXPECT_EQ(R.Limits.Barriers, std::nullopt);
  EXPECT_DOUBLE_EQ(R.Waves.value(), 29 / 28.0);
  EXPECT_EQ(R.Rounds, 2u);
  EXPECT_DOUBLE_EQ(R.TailWaste.value(), 27 / 56.0);
  ASSERT_GE(R.Next.size(), 2u);
  EXPECT_EQ(R.Next[0].Quantity, "registers");
  EXPECT_EQ(R.Next[0].Value, 40u);
  EXPECT_EQ(R.Next[0].BlocksPerSM, 2u);
  EXPECT_EQ(R.Next[0].WarpsPerSM, 42u);
  EXPECT_EQ(R.Next[1].Quantity, "block");
  EXPECT_EQ(R.Next[1].Value, 640u);
}

TEST(OccupancyRecord, WithoutAGridThereAreNoRounds) {
  Case C("sm_61", {.Threads = 64});
  OccupancyRecord R = occupancyRecord(C.Result, C.Next, std::nullopt);
  EXPECT_EQ(R.Waves, std::nullopt);
  EXPECT_EQ(R.Rounds, std::nullopt);
  EXPECT_EQ(R.TailWaste, std::nullopt);
}

TEST(OccupancyRecord, AFailedLaunchHasNoLimiter) {
  Case C("h200", {.Threads = 1024, .Registers = 80});
  OccupancyRecord R = occupancyRecord(C.Result, C.Next, std::nullopt);
  EXPECT_EQ(R.BlocksPerSM, 0u);
  EXPECT_EQ(R.Limiter, "");
  EXPECT_EQ(R.Limits.Registers, std::nullopt);
  EXPECT_EQ(R.Limits.Warps, std::nullopt);
}

TEST(OccupancyWords, RegistersBetweenThatGainAreNotCalledDead) {
  // 65536 / (32 * 8 * 32) are 8 blocks at 32 registers, and 5 at 48 already.
  Case C("sm_90", {.Threads = 256, .Registers = 64});
  C.Next = stepsTo(C.Arch, C.Demand, 64);
  EXPECT_EQ(C.gain(), "at 32 registers eight fit (64 of 64 warps instead of "
                      "32)");
}

TEST(OccupancyWords, MoreSharedMemoryThanByDefaultNeedsAnOptIn) {
  auto optIn = [](const Case &C) {
    return optInInWords(C.Arch, C.Demand, C.Result);
  };
  const std::uint64_t KB = 1024;
  EXPECT_EQ(optIn(Case("h200", {.Threads = 256, .DynamicShared = 64 * KB})),
            "64 KB of shared memory are more than 48 KB: the launch fails with "
            "error 1 (cudaErrorInvalidValue) unless "
            "cudaFuncSetAttribute(kernel, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize, 65536) comes before "
            "it");
  // The attribute is about the dynamic part.
  EXPECT_THAT(optIn(Case("h200", {.Threads = 256,
                                  .StaticShared = 40 * KB,
                                  .DynamicShared = 16 * KB})),
              AllOf(StartsWith("56 KB"), HasSubstr("Size, 16384)")));
  EXPECT_EQ(optIn(Case("h200", {.Threads = 256, .DynamicShared = 48 * KB})),
            "");
  EXPECT_EQ(optIn(Case("h200", {.Threads = 256, .StaticShared = 48 * KB})), "");
  // Fails with it, too; and there is none on Pascal.
  EXPECT_EQ(optIn(Case("h200", {.Threads = 256, .DynamicShared = 228 * KB})),
            "");
  EXPECT_EQ(optIn(Case("sm_61", {.Threads = 256, .DynamicShared = 64 * KB})),
            "");
}

} // namespace OccupancyWordsTests
