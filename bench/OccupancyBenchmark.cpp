//===- bench/OccupancyBenchmark.cpp - Speed of occupancy ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the occupancy of one launch costs, its cliffs, a sweep over a million
/// launches, a fit of the latency model, and requests of random addresses.
///
//===----------------------------------------------------------------------===//

#include "hardware/RandomRequest.h"
#include "hardware/Waves.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

using namespace cudalint;

static const Architecture &hopper() { return *findArchitecture({9, 0}); }

/// Launches that differ, so that no branch is learnt by heart.
static std::vector<BlockDemand> demands() {
  std::vector<BlockDemand> All;
  for (std::uint64_t I = 0; I < 1024; ++I)
    All.push_back({.Threads = 1 + I * 397 % 1024,
                   .Registers = I * 61 % 256,
                   .StaticShared = I * 7919 % 40000,
                   .DynamicShared = I * 104729 % 100000,
                   .Barriers = 1});
  return All;
}

static void occupancyOfOne(benchmark::State &State) {
  const std::vector<BlockDemand> All = demands();
  std::size_t I = 0;
  for (auto _ : State)
    benchmark::DoNotOptimize(occupancy(hopper(), All[++I % All.size()]));
}
BENCHMARK(occupancyOfOne);

static void cliffsOfOne(benchmark::State &State) {
  const std::vector<BlockDemand> All = demands();
  std::size_t I = 0;
  for (auto _ : State)
    benchmark::DoNotOptimize(cliffs(hopper(), All[++I % All.size()]));
}
BENCHMARK(cliffsOfOne);

/// 1000 block sizes times 250 register counts times 4 of shared memory.
static void sweepOfAMillion(benchmark::State &State) {
  for (auto _ : State) {
    std::uint64_t Warps = 0;
    for (std::uint64_t Threads = 1; Threads <= 1000; ++Threads)
      for (std::uint64_t Registers = 1; Registers <= 250; ++Registers)
        for (std::uint64_t Shared = 0; Shared < 40000; Shared += 10000)
          Warps += occupancy(hopper(), {.Threads = Threads,
                                        .Registers = Registers,
                                        .DynamicShared = Shared})
                       .WarpsPerSM;
    benchmark::DoNotOptimize(Warps);
  }
}
BENCHMARK(sweepOfAMillion)->Unit(benchmark::kMillisecond);

static void fitOfEight(benchmark::State &State) {
  constexpr LatencyModel Truth = {
      .Latency = 20, .Issue = 2, .PerWarp = 3, .PerLaunch = 7};
  std::vector<MeasuredLaunch> All;
  for (std::uint64_t Grid : {1u, 40u})
    for (std::uint64_t Block : {32u, 64u, 256u, 512u}) {
      const LaunchWork W = {
          .Grid = Grid, .Block = Block, .Steps = 100, .BlocksPerSM = 4};
      All.push_back({W, predictTime(Truth, W, 14).value()});
    }
  for (auto _ : State)
    benchmark::DoNotOptimize(fitLatencyModel(All, 14));
}
BENCHMARK(fitOfEight)->Unit(benchmark::kMillisecond);

/// Each value of each lane is looked at: to be no slower than randomDrawn().
static void randomComputed(benchmark::State &State) {
  RandomRequest R;
  R.Known.BytesPerLane = 4;
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Known.Address[L] = std::uint64_t(L + 1) << 20;
  R.Numbers = {RandomNumber::ofEachLane(128, 4096)};
  for (auto _ : State)
    benchmark::DoNotOptimize(randomCost(hopper(), R));
}
BENCHMARK(randomComputed)->Unit(benchmark::kMillisecond);

/// About a thousand draws of 128 words of local memory each.
static void randomDrawn(benchmark::State &State) {
  RandomRequest R;
  R.Memory = RequestMemory::Local;
  R.Known.BytesPerLane = 16;
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Known.Address[L] = (1 << 20) + 16 * L;
  R.Numbers = {RandomNumber::ofEachLane(16, 256)};
  for (auto _ : State)
    benchmark::DoNotOptimize(randomCost(hopper(), R));
}
BENCHMARK(randomDrawn)->Unit(benchmark::kMillisecond);
