//===- hardware/Cliffs.cpp - The nearest changes that gain a block --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/Occupancy.h"

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

std::vector<Cliff> cliffs(const Architecture &Arch, const BlockDemand &Demand) {
  using Quantity = Cliff::Quantity;
  const Occupancy Now = occupancy(Arch, Demand);
  std::vector<Cliff> All;
  auto Add = [&](Quantity What, std::uint64_t Value, BlockDemand Changed,
                 bool IsLarger = false) {
    All.push_back({What, Value, IsLarger, occupancy(Arch, Changed)});
  };
  auto GainsBlock = [&](const BlockDemand &Changed) {
    return occupancy(Arch, Changed).BlocksPerSM > Now.BlocksPerSM;
  };
  auto GainsWarps = [&](std::uint64_t Warps) {
    return occupancy(Arch, withThreads(Demand, Warps * WarpSize)).WarpsPerSM >
           Now.WarpsPerSM;
  };

  auto Registers = largestBelow(Demand.Registers, 1, [&](std::uint64_t Value) {
    return GainsBlock(withRegisters(Demand, Value));
  });
  if (Registers)
    Add(Quantity::Registers, *Registers, withRegisters(Demand, *Registers));

  auto Shared = largestBelow(sharedOf(Demand), 0, [&](std::uint64_t Value) {
    return GainsBlock(withShared(Demand, Value));
  });
  if (Shared)
    Add(Quantity::SharedMemory, *Shared, withShared(Demand, *Shared));

  // Warps do not rise and fall with the block's size: look at each.
  const std::uint64_t Most = Arch.ThreadsPerBlock / WarpSize;
  const std::uint64_t Warps = Now.WarpsPerBlock;
  for (std::uint64_t W = std::min(Warps, Most + 1); W-- > 1;)
    if (GainsWarps(W)) {
      Add(Quantity::Threads, W * WarpSize, withThreads(Demand, W * WarpSize));
      break;
    }
  for (std::uint64_t W = Warps + 1; W <= Most; ++W)
    if (GainsWarps(W)) {
      Add(Quantity::Threads, W * WarpSize, withThreads(Demand, W * WarpSize),
          true);
      break;
    }
  return All;
}

} // namespace cudalint
