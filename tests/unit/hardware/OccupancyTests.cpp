//===- tests/unit/hardware/OccupancyTests.cpp - Blocks of an SM -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values by hand, and the old GPUs, which the toolkit no longer knows, against
// a second description of them: blocks are dealt out one by one until one does
// not fit.
//
//===----------------------------------------------------------------------===//

#include "hardware/Occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace OccupancyTests {

using namespace cudalint;

static const Architecture &arch(int Major, int Minor) {
  return *findArchitecture({Major, Minor});
}

static unsigned blocks(int Major, int Minor, const BlockDemand &Demand) {
  return occupancy(arch(Major, Minor), Demand).BlocksPerSM;
}

// Kirk and Hwu, Programming Massively Parallel Processors (2010), chapter 6:
// on a G80, 10 registers let three blocks of 256 in, 11 only two.
TEST(Occupancy, TheElevenRegistersOfTheTextbook) {
  EXPECT_EQ(blocks(1, 0, {.Threads = 256, .Registers = 10}), 3u);
  EXPECT_EQ(blocks(1, 0, {.Threads = 256, .Registers = 11}), 2u);
}

TEST(Occupancy, OldGPUsByHand) {
  // 3 warps, 8 blocks: all 24 warps.
  EXPECT_EQ(blocks(1, 1, {.Threads = 96}), 8u);
  // Registers are for an even number of warps: 4 * 32 * 20 = 2560, 3 times.
  EXPECT_EQ(blocks(1, 1, {.Threads = 96, .Registers = 20}), 3u);
  // 8 * 32 * 16 = 4096 of 16384.
  EXPECT_EQ(blocks(1, 3, {.Threads = 256, .Registers = 16}), 4u);
  // 4096 and the 16 bytes of the system are 4608 in units of 512.
  EXPECT_EQ(blocks(1, 1, {.Threads = 64, .StaticShared = 4096}), 3u);
  EXPECT_EQ(blocks(1, 1, {.Threads = 64, .StaticShared = 4080}), 4u);
  // 20 * 32 = 640 a warp: 25 in each half of the SM. 21 are 768: 21 of them.
  EXPECT_EQ(blocks(2, 0, {.Threads = 256, .Registers = 20}), 6u);
  EXPECT_EQ(blocks(2, 0, {.Threads = 256, .Registers = 21}), 5u);
  // 3 warps of 2048: 8 warps in each half.
  EXPECT_EQ(blocks(2, 0, {.Threads = 96, .Registers = 63}), 5u);
}

TEST(Occupancy, RowsByHand) {
  // 65536 / 4 / (88 * 32) = 5 warps in each partition.
  EXPECT_EQ(blocks(5, 2, {.Threads = 128, .Registers = 85}), 5u);
  // 112 KB / 48 KB.
  EXPECT_EQ(blocks(3, 7, {.Threads = 64, .StaticShared = 48 * 1024}), 2u);
  // 228 KB / (75 KB + 1 KB) = 3, exactly.
  EXPECT_EQ(blocks(9, 0, {.Threads = 64, .DynamicShared = 75 * 1024}), 3u);
  EXPECT_EQ(blocks(9, 0, {.Threads = 64, .DynamicShared = 75 * 1024 + 1}), 2u);
  // 64 barriers for 9 each.
  EXPECT_EQ(blocks(9, 0, {.Threads = 32, .Barriers = 9}), 7u);
  // 24 barriers for 2 each.
  EXPECT_EQ(blocks(12, 0, {.Threads = 32, .Barriers = 2}), 12u);
}

// Two warps of 32 registers: 64 warps by registers, 32 blocks by all three.
TEST(Occupancy, NamesAllThatLimit) {
  const Occupancy O =
      occupancy(arch(9, 0), {.Threads = 64, .Registers = 32, .Barriers = 1});
  EXPECT_EQ(O.BlocksPerSM, 32u);
  EXPECT_TRUE(O.isLimitedBy(Limiter::Warps));
  EXPECT_TRUE(O.isLimitedBy(Limiter::Blocks));
  EXPECT_TRUE(O.isLimitedBy(Limiter::Registers));
  EXPECT_FALSE(O.isLimitedBy(Limiter::SharedMemory)); // 228 of 1 KB each.
  EXPECT_FALSE(O.isLimitedBy(Limiter::Barriers));     // 64 of 1 each.
  EXPECT_EQ(O.limiter(), Limiter::Warps);
  EXPECT_EQ(O.Ratio, 1);
}

TEST(Occupancy, WhatIsLeft) {
  const Occupancy O = occupancy(
      arch(9, 0), {.Threads = 300, .Registers = 40, .StaticShared = 10000});
  EXPECT_EQ(O.WarpsPerBlock, 10u);
  EXPECT_EQ(O.RegistersPerWarp, 1280u);
  EXPECT_EQ(O.RegistersPerBlock, 12800u);
  EXPECT_EQ(O.SharedPerBlock, 11136u); // 11024 in units of 128.
  EXPECT_EQ(O.BlocksPerSM, 4u);        // 12 warps in a partition: 48.
  EXPECT_EQ(O.WarpsPerSM, 40u);
  EXPECT_EQ(O.WarpsLeft, 24u);
  EXPECT_EQ(O.RegistersLeft, 65536u - 4 * 12800);
  EXPECT_EQ(O.SharedLeft, 228u * 1024 - 4 * 11136);
  EXPECT_DOUBLE_EQ(O.Ratio, 40.0 / 64);
}

TEST(Occupancy, UnusedResourcesDoNotLimit) {
  const Occupancy O = occupancy(arch(7, 0), {.Threads = 32});
  for (Limiter L :
       {Limiter::Registers, Limiter::SharedMemory, Limiter::Barriers})
    EXPECT_EQ(O.Limit[static_cast<unsigned>(L)], Occupancy::NotLimited);
}

// The wish for 8 KB is taken up to what one block needs.
TEST(Occupancy, CarveOut) {
  BlockDemand D{.Threads = 32, .StaticShared = 3 * 1024};
  EXPECT_EQ(occupancy(arch(9, 0), D).SharedPerSM, 228u * 1024);
  D.CarveOut = 3; // 6.84 KB, the next size is 8: two of 4 KB.
  EXPECT_EQ(occupancy(arch(9, 0), D).SharedPerSM, 8u * 1024);
  EXPECT_EQ(occupancy(arch(9, 0), D).BlocksPerSM, 2u);
  D.DynamicShared = 100 * 1024;
  EXPECT_EQ(occupancy(arch(9, 0), D).SharedPerSM, 132u * 1024);
  EXPECT_EQ(occupancy(arch(9, 0), D).BlocksPerSM, 1u);
  D.CarveOut = 4000000000; // As 100.
  EXPECT_EQ(occupancy(arch(9, 0), D).BlocksPerSM, 2u);
}

static LaunchFailure failure(int Major, int Minor, const BlockDemand &Demand) {
  const Occupancy O = occupancy(arch(Major, Minor), Demand);
  EXPECT_EQ(O.Failure == LaunchFailure::None, O.BlocksPerSM != 0);
  if (O.Failure != LaunchFailure::None) {
    EXPECT_EQ(O.WarpsPerSM, 0u);
    EXPECT_EQ(O.Limit[static_cast<unsigned>(O.limiter())], 0u);
    EXPECT_FALSE(O.isLimitedBy(O.limiter()));
  }
  return O.Failure;
}

TEST(LaunchFailures, Threads) {
  EXPECT_EQ(failure(9, 0, {.Threads = 0}), LaunchFailure::NoThreads);
  EXPECT_EQ(failure(9, 0, {.Threads = 1024}), LaunchFailure::None);
  EXPECT_EQ(failure(9, 0, {.Threads = 1025}), LaunchFailure::TooManyThreads);
  EXPECT_EQ(failure(1, 3, {.Threads = 513}), LaunchFailure::TooManyThreads);
}

TEST(LaunchFailures, Registers) {
  EXPECT_EQ(failure(3, 0, {.Threads = 32, .Registers = 63}),
            LaunchFailure::None);
  EXPECT_EQ(failure(3, 0, {.Threads = 32, .Registers = 64}),
            LaunchFailure::RegistersPerThread);
  EXPECT_EQ(failure(9, 0, {.Threads = 32, .Registers = 257}),
            LaunchFailure::RegistersPerThread);
  EXPECT_EQ(failure(9, 0, {.Threads = 1024, .Registers = 64}),
            LaunchFailure::None);
  EXPECT_EQ(failure(9, 0, {.Threads = 1024, .Registers = 65}),
            LaunchFailure::RegistersPerBlock);
  // 29 warps of 72 registers fit 65536, but are checked as 32.
  EXPECT_EQ(failure(9, 0, {.Threads = 928, .Registers = 65}),
            LaunchFailure::RegistersPerBlock);
  EXPECT_EQ(failure(9, 0, {.Threads = 896, .Registers = 65}),
            LaunchFailure::None);
  EXPECT_EQ(failure(1, 1, {.Threads = 512, .Registers = 17}),
            LaunchFailure::RegistersPerBlock);
}

TEST(LaunchFailures, SharedMemory) {
  EXPECT_EQ(failure(9, 0, {.Threads = 32, .StaticShared = 49152}),
            LaunchFailure::None);
  EXPECT_EQ(failure(9, 0, {.Threads = 32, .StaticShared = 49153}),
            LaunchFailure::StaticShared);
  EXPECT_EQ(failure(9, 0, {.Threads = 32, .DynamicShared = 227 * 1024}),
            LaunchFailure::None);
  EXPECT_EQ(failure(9, 0, {.Threads = 32, .DynamicShared = 227 * 1024 + 1}),
            LaunchFailure::SharedPerBlock);
  EXPECT_EQ(failure(6, 1, {.Threads = 32, .DynamicShared = 49153}),
            LaunchFailure::SharedPerBlock);
  // 16 bytes of 1.x belong to the system.
  EXPECT_EQ(failure(1, 0, {.Threads = 32, .StaticShared = 16368}),
            LaunchFailure::None);
  EXPECT_EQ(failure(1, 0, {.Threads = 32, .StaticShared = 16369}),
            LaunchFailure::SharedPerBlock);
}

TEST(LaunchFailures, Barriers) {
  EXPECT_EQ(failure(9, 0, {.Threads = 32, .Barriers = 16}),
            LaunchFailure::None);
  EXPECT_EQ(failure(9, 0, {.Threads = 32, .Barriers = 17}),
            LaunchFailure::Barriers);
}

TEST(LaunchFailures, AbsurdNumbersDoNotOverflow) {
  constexpr std::uint64_t Most = ~std::uint64_t(0);
  EXPECT_EQ(failure(9, 0, {.Threads = Most}), LaunchFailure::TooManyThreads);
  for (const Architecture &A : architectures()) {
    const BlockDemand D{Most, Most, Most, Most, ~0u, ~0u};
    EXPECT_EQ(occupancy(A, D).BlocksPerSM, 0u);
    EXPECT_EQ(
        occupancy(A, {.Threads = 32, .StaticShared = 1, .DynamicShared = Most})
            .Failure,
        LaunchFailure::SharedPerBlock);
  }
}

TEST(Registers, ThatCostTheSame) {
  EXPECT_EQ(registersOfSameCost(arch(6, 1), 41), 48u);
  EXPECT_EQ(registersOfSameCost(arch(6, 1), 48), 48u);
  EXPECT_EQ(registersOfSameCost(arch(6, 1), 250), 255u);
  EXPECT_EQ(registersOfSameCost(arch(6, 1), 300), 300u);
  EXPECT_EQ(registersOfSameCost(arch(6, 1), 0), 0u);
  EXPECT_EQ(registersOfSameCost(arch(2, 0), 19), 20u);
  EXPECT_EQ(registersOfSameCost(arch(2, 0), 21), 24u); // 768, as 24.
  EXPECT_EQ(registersOfSameCost(arch(2, 0), 63), 63u);
  EXPECT_EQ(registersOfSameCost(arch(1, 1), 10), 10u);
}

// 65536 / 4 / 1536 = 10 in each partition; 32768 / 2 / 768 = 21 in each half.
TEST(Registers, OfHowManyWarps) {
  EXPECT_EQ(warpsByRegisters(arch(6, 1), 48), 40u);
  EXPECT_EQ(warpsByRegisters(arch(6, 0), 48), 42u); // Two partitions: 21.
  EXPECT_EQ(warpsByRegisters(arch(2, 0), 21), 42u);
  EXPECT_EQ(warpsByRegisters(arch(9, 0), 255), 8u);
  EXPECT_FALSE(warpsByRegisters(arch(9, 0), 0));
  EXPECT_FALSE(warpsByRegisters(arch(9, 0), 300));
  EXPECT_FALSE(warpsByRegisters(arch(1, 1), 10));
}

struct OldGPU {
  ComputeCapability CC;
  unsigned Warps, Registers, BlockUnit, Shared, SharedUnit, System;
};

// NVIDIA's occupancy spreadsheet, as of CUDA 3.2 and 5.0.
static constexpr OldGPU OldGPUs[] = {
    {{1, 0}, 24, 8192, 256, 16384, 512, 16},
    {{1, 1}, 24, 8192, 256, 16384, 512, 16},
    {{1, 2}, 32, 16384, 512, 16384, 512, 16},
    {{1, 3}, 32, 16384, 512, 16384, 512, 16},
    {{2, 0}, 48, 32768, 0, 49152, 128, 0},
    {{2, 1}, 48, 32768, 0, 49152, 128, 0},
};

static unsigned up(unsigned Value, unsigned Unit) {
  while (Value % Unit != 0)
    ++Value;
  return Value;
}

/// Registers of a warp of 2.x. Eight counts go by twice the unit.
static unsigned fermiWarp(unsigned Registers) {
  for (unsigned Odd : {21, 22, 29, 30, 37, 38, 45, 46})
    if (Registers == Odd)
      return up(Registers * 32, 128);
  return up(Registers * 32, 64);
}

static unsigned dealOut(const OldGPU &G, unsigned Threads, unsigned Registers,
                        unsigned Bytes) {
  const bool Tesla = G.CC.Major == 1;
  if (Threads > (Tesla ? 512u : 1024u) || Registers > (Tesla ? 124u : 63u))
    return 0;
  const unsigned Warps = up(Threads, 32) / 32;
  const unsigned Evened = up(Warps, 2);
  const unsigned OfWarp = fermiWarp(Registers);
  // A block that is dealt to both halves of 2.x alike must fit on its own.
  if (!Tesla && Evened * OfWarp > G.Registers)
    return 0;
  unsigned WarpsLeft = G.Warps, SharedLeft = G.Shared, Left = G.Registers;
  unsigned HalfLeft[2] = {G.Registers / 2, G.Registers / 2};
  for (unsigned Block = 0;; ++Block) {
    if (Block == 8 || WarpsLeft < Warps ||
        SharedLeft < up(Bytes + G.System, G.SharedUnit))
      return Block;
    if (Tesla) {
      const unsigned OfBlock = up(Evened * Registers * 32, G.BlockUnit);
      if (Left < OfBlock)
        return Block;
      Left -= OfBlock;
    }
    for (unsigned W = 0; !Tesla && W < Warps; ++W) {
      unsigned &Half = HalfLeft[0] >= HalfLeft[1] ? HalfLeft[0] : HalfLeft[1];
      if (Half < OfWarp)
        return Block;
      Half -= OfWarp;
    }
    WarpsLeft -= Warps;
    SharedLeft -= up(Bytes + G.System, G.SharedUnit);
  }
}

TEST(OldGPUs, EqualBlocksDealtOutOneByOne) {
  std::mt19937_64 Engine(1);
  auto UpTo = [&](unsigned Most) {
    return static_cast<unsigned>(Engine() % (Most + 1));
  };
  unsigned Running = 0, Compared = 0;
  for (const OldGPU &G : OldGPUs)
    for (unsigned I = 0; I < 20000; ++I) {
      const unsigned Threads = 1 + UpTo(UpTo(1) != 0 ? 300 : 1100);
      const unsigned Registers = UpTo(UpTo(1) != 0 ? 30 : 130);
      const unsigned Bytes = UpTo(2) != 0 ? 0 : UpTo(17000);
      const unsigned Expected = dealOut(G, Threads, Registers, Bytes);
      ASSERT_EQ(occupancy(*findArchitecture(G.CC), {.Threads = Threads,
                                                    .Registers = Registers,
                                                    .DynamicShared = Bytes})
                    .BlocksPerSM,
                Expected)
          << toString(G.CC) << ": " << Threads << " threads, " << Registers
          << " registers, " << Bytes << " bytes";
      Running += Expected != 0;
      ++Compared;
    }
  EXPECT_GT(Running, Compared / 3);
  EXPECT_LT(Running, Compared);
}

} // namespace OccupancyTests
