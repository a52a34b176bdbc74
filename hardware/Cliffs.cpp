//===- hardware/Cliffs.cpp - The nearest changes that gain a block --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/Occupancy.h"
#include "hardware/Steps.h"

#include <algorithm>

namespace cudalint {

static constexpr unsigned WarpSize = 32;

/// The largest value below `Above` for which `Gains` holds, given that it
/// holds for all smaller ones too; empty when it does not even for `Least`.
template <typename Predicate>
static std::optional<std::uint64_t>
largestBelow(std::uint64_t Above, std::uint64_t Least, Predicate Gains) {
  if (Above <= Least || !Gains(Least))
    return std::nullopt;
  std::uint64_t Low = Least, High = Above;
  while (High - Low > 1) {
    const std::uint64_t Middle = Low + (High - Low) / 2;
    (Gains(Middle) ? Low : High) = Middle;
  }
  return Low;
}

static BlockDemand withRegisters(BlockDemand Demand, std::uint64_t Registers) {
  Demand.Registers = Registers;
  return Demand;
}

/// Dynamic memory is given up first: it is the third argument of a launch.
static BlockDemand withShared(BlockDemand Demand, std::uint64_t Bytes) {
  Demand.StaticShared = std::min(Demand.StaticShared, Bytes);
  Demand.DynamicShared = Bytes - Demand.StaticShared;
  return Demand;
}

static BlockDemand withThreads(BlockDemand Demand, std::uint64_t Threads) {
  Demand.Threads = Threads;
  return Demand;
}

/// The sum of what a block asks for, short of an overflow.
static std::uint64_t sharedOf(const BlockDemand &Demand) {
  const std::uint64_t Room = ~std::uint64_t(0) - Demand.StaticShared;
  return Demand.StaticShared + std::min(Demand.DynamicShared, Room);
}

/// The nearest change of each quantity that is good: for \p IsGood(Occupancy)
/// of registers and shared memory, and for \p IsGoodBlock of threads.
template <typename Predicate, typename BlockPredicate>
static std::vector<Cliff> nearest(const Architecture &Arch,
                                  const BlockDemand &Demand, Predicate IsGood,
                                  BlockPredicate IsGoodBlock) {
  using Quantity = Cliff::Quantity;
  std::vector<Cliff> All;
  auto Add = [&](Quantity What, std::uint64_t Value, BlockDemand Changed,
                 bool IsLarger = false) {
    All.push_back({What, Value, IsLarger, occupancy(Arch, Changed)});
  };
  auto IsGoodWithWarps = [&](std::uint64_t Warps) {
    return IsGoodBlock(occupancy(Arch, withThreads(Demand, Warps * WarpSize)));
  };

  auto Registers = largestBelow(Demand.Registers, 1, [&](std::uint64_t Value) {
    return IsGood(occupancy(Arch, withRegisters(Demand, Value)));
  });
  if (Registers)
    Add(Quantity::Registers, *Registers, withRegisters(Demand, *Registers));

  auto Shared = largestBelow(sharedOf(Demand), 0, [&](std::uint64_t Value) {
    return IsGood(occupancy(Arch, withShared(Demand, Value)));
  });
  if (Shared)
    Add(Quantity::SharedMemory, *Shared, withShared(Demand, *Shared));

  // Warps do not rise and fall with the block's size: look at each.
  const std::uint64_t Most = Arch.ThreadsPerBlock / WarpSize;
  const std::uint64_t Warps = occupancy(Arch, Demand).WarpsPerBlock;
  for (std::uint64_t W = std::min(Warps, Most + 1); W-- > 1;)
    if (IsGoodWithWarps(W)) {
      Add(Quantity::Threads, W * WarpSize, withThreads(Demand, W * WarpSize));
      break;
    }
  for (std::uint64_t W = Warps + 1; W <= Most; ++W)
    if (IsGoodWithWarps(W)) {
      Add(Quantity::Threads, W * WarpSize, withThreads(Demand, W * WarpSize),
          true);
      break;
    }
  return All;
}

std::vector<Cliff> cliffs(const Architecture &Arch, const BlockDemand &Demand) {
  const Occupancy Now = occupancy(Arch, Demand);
  return nearest(
      Arch, Demand,
      [&](const Occupancy &O) { return O.BlocksPerSM > Now.BlocksPerSM; },
      [&](const Occupancy &O) { return O.WarpsPerSM > Now.WarpsPerSM; });
}

std::vector<Cliff> stepsTo(const Architecture &Arch, const BlockDemand &Demand,
                           unsigned Warps) {
  if (occupancy(Arch, Demand).WarpsPerSM >= Warps)
    return {};
  auto IsEnough = [&](const Occupancy &O) { return O.WarpsPerSM >= Warps; };
  return nearest(Arch, Demand, IsEnough, IsEnough);
}

} // namespace cudalint
