//===- hardware/Occupancy.cpp - How many blocks fit an SM -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/Occupancy.h"

#include "hardware/CarveOut.h"

#include <algorithm>

namespace cudalint {

static constexpr unsigned WarpSize = 32;
static constexpr unsigned MostBarriers = 16; // Programming guides, all of them.
/// Far above every limit, and small enough that no product overflows.
static constexpr std::uint64_t Absurd = std::uint64_t(1) << 31;

static std::uint64_t roundUp(std::uint64_t Value, std::uint64_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

static unsigned narrow(std::uint64_t Value) {
  return static_cast<unsigned>(std::min<std::uint64_t>(Value, ~0u));
}

static unsigned &limitOf(Occupancy &O, Limiter Which) {
  return O.Limit[static_cast<unsigned>(Which)];
}

/// The first failure is the one that is told.
static void fail(Occupancy &O, Limiter Which, LaunchFailure Why) {
  limitOf(O, Which) = 0;
  if (O.Failure == LaunchFailure::None)
    O.Failure = Why;
}

static void limitByWarps(const Architecture &Arch, std::uint64_t Threads,
                         std::uint64_t Warps, Occupancy &O) {
  if (Threads == 0)
    return fail(O, Limiter::Warps, LaunchFailure::NoThreads);
  if (Threads > Arch.ThreadsPerBlock)
    return fail(O, Limiter::Warps, LaunchFailure::TooManyThreads);
  limitOf(O, Limiter::Warps) = narrow(Arch.WarpsPerSM / Warps);
}

/// cuda_occupancy.h takes 256 from 7.0 on: a kernel of 255 registers may get
/// one more by a tool, and costs the same.
static unsigned registersPerThread(const Architecture &Arch) {
  return Arch.CC.Major >= 7 ? Arch.RegistersPerThread + 1
                            : Arch.RegistersPerThread;
}

/// Registers belong to blocks. NVIDIA's occupancy spreadsheet, which rounds
/// the warps up to two.
static void limitByTeslaRegisters(const Architecture &Arch,
                                  std::uint64_t Registers, std::uint64_t Warps,
                                  Occupancy &O) {
  const std::uint64_t PerBlock =
      roundUp(roundUp(Warps, 2) * Registers * WarpSize, Arch.RegisterUnit);
  O.RegistersPerBlock = narrow(PerBlock);
  if (Registers > registersPerThread(Arch))
    return fail(O, Limiter::Registers, LaunchFailure::RegistersPerThread);
  if (PerBlock > Arch.RegistersPerBlock)
    return fail(O, Limiter::Registers, LaunchFailure::RegistersPerBlock);
  if (PerBlock != 0)
    limitOf(O, Limiter::Registers) = narrow(Arch.RegistersPerSM / PerBlock);
}

/// What one warp gets. From 2.0 on. The counts for which 2.x doubles its unit
/// are those of cuda_occupancy.h of CUDA 7.0, which still knew it.
static std::uint64_t registersPerWarp(const Architecture &Arch,
                                      std::uint64_t Registers) {
  const bool Doubled = Arch.CC.Major == 2 && Registers >= 21 &&
                       Registers <= 46 &&
                       (Registers % 8 == 5 || Registers % 8 == 6);
  return roundUp(Registers * WarpSize,
                 Doubled ? 2 * Arch.RegisterUnit : Arch.RegisterUnit);
}

/// Each partition has its share of the registers.
static std::uint64_t warpsThatFit(const Architecture &Arch,
                                  std::uint64_t RegistersPerWarp) {
  return Arch.RegistersPerSM / Arch.Partitions / RegistersPerWarp *
         Arch.Partitions;
}

/// Registers belong to warps, and a warp to one partition of the SM.
static void limitByRegisters(const Architecture &Arch, std::uint64_t Registers,
                             std::uint64_t Warps, Occupancy &O) {
  if (Arch.CC.Major == 1)
    return limitByTeslaRegisters(Arch, Registers, Warps, O);
  const std::uint64_t PerWarp = registersPerWarp(Arch, Registers);
  O.RegistersPerWarp = narrow(PerWarp);
  O.RegistersPerBlock = narrow(PerWarp * Warps);
  if (Registers > registersPerThread(Arch))
    return fail(O, Limiter::Registers, LaunchFailure::RegistersPerThread);
  // The check at the launch assumes that every partition gets equally many
  // warps. 6.0 has two partitions, but what does not launch on the rest of its
  // family does not launch there either.
  const unsigned Checked =
      std::max(Arch.Partitions, Arch.CC.Major == 6 ? 4u : 1u);
  if (PerWarp * roundUp(Warps, Checked) > Arch.RegistersPerBlock)
    return fail(O, Limiter::Registers, LaunchFailure::RegistersPerBlock);
  if (PerWarp == 0 || Warps == 0)
    return;
  limitOf(O, Limiter::Registers) = narrow(warpsThatFit(Arch, PerWarp) / Warps);
}

static unsigned sharedPerSM(const Architecture &Arch,
                            std::optional<unsigned> CarveOut,
                            std::uint64_t PerBlock) {
  if (Arch.CC.Major < 7 || !CarveOut)
    return Arch.SharedPerSM;
  const std::uint64_t Wanted =
      std::uint64_t(std::min(*CarveOut, 100u)) * Arch.SharedPerSM / 100;
  // A wish that is too small for one block is ignored.
  const unsigned Size = carveOutFor(Arch, Wanted);
  return Size >= PerBlock ? Size : carveOutFor(Arch, PerBlock);
}

static void limitByShared(const Architecture &Arch, const BlockDemand &Demand,
                          Occupancy &O) {
  const std::uint64_t Static = std::min(Demand.StaticShared, Absurd);
  const std::uint64_t Dynamic = std::min(Demand.DynamicShared, Absurd);
  const std::uint64_t PerBlock =
      roundUp(Static + Dynamic + Arch.SharedReserved, Arch.SharedUnit);
  O.SharedPerBlock = narrow(PerBlock);
  O.SharedPerSM = sharedPerSM(Arch, Demand.CarveOut, PerBlock);
  if (Static > Arch.SharedPerBlock)
    return fail(O, Limiter::SharedMemory, LaunchFailure::StaticShared);
  // What 1.x reserves comes out of the block's share, later it is on top.
  const unsigned OnTop = Arch.CC.Major > 1 ? Arch.SharedReserved : 0;
  if (PerBlock > Arch.SharedPerBlockOptIn + OnTop)
    return fail(O, Limiter::SharedMemory, LaunchFailure::SharedPerBlock);
  if (PerBlock != 0)
    limitOf(O, Limiter::SharedMemory) = narrow(O.SharedPerSM / PerBlock);
}

/// Barriers that the blocks of one SM have together, by cuda_occupancy.h;
/// empty before 9.0, where they do not limit.
static std::optional<unsigned> barriersPerSM(const Architecture &Arch) {
  if (Arch.CC.Major < 9)
    return std::nullopt;
  return Arch.CC.Major >= 11 ? Arch.BlocksPerSM : 2 * Arch.BlocksPerSM;
}

static void limitByBarriers(const Architecture &Arch, unsigned Barriers,
                            Occupancy &O) {
  if (Barriers > MostBarriers)
    return fail(O, Limiter::Barriers, LaunchFailure::Barriers);
  const std::optional<unsigned> Available = barriersPerSM(Arch);
  if (Available && Barriers != 0)
    limitOf(O, Limiter::Barriers) = *Available / Barriers;
}

Occupancy occupancy(const Architecture &Arch, const BlockDemand &Demand) {
  Occupancy O;
  std::ranges::fill(O.Limit, Occupancy::NotLimited);
  const std::uint64_t Threads = std::min(Demand.Threads, Absurd);
  const std::uint64_t Registers = std::min(Demand.Registers, Absurd >> 16);
  const std::uint64_t Warps = (Threads + WarpSize - 1) / WarpSize;
  O.WarpsPerBlock = narrow(Warps);

  limitByWarps(Arch, Threads, Warps, O);
  limitOf(O, Limiter::Blocks) = Arch.BlocksPerSM;
  limitByRegisters(Arch, Registers, Warps, O);
  limitByShared(Arch, Demand, O);
  limitByBarriers(Arch, Demand.Barriers, O);

  O.BlocksPerSM = *std::ranges::min_element(O.Limit);
  O.WarpsPerSM = O.BlocksPerSM * O.WarpsPerBlock;
  O.Ratio = double(O.WarpsPerSM) / Arch.WarpsPerSM;
  O.WarpsLeft = Arch.WarpsPerSM - O.WarpsPerSM;
  O.RegistersLeft = Arch.RegistersPerSM - O.BlocksPerSM * O.RegistersPerBlock;
  O.SharedLeft = O.SharedPerSM - O.BlocksPerSM * O.SharedPerBlock;
  return O;
}

Limiter Occupancy::limiter() const {
  return static_cast<Limiter>(std::ranges::min_element(Limit) - Limit);
}

std::string_view nameOf(Limiter Which) {
  switch (Which) {
  case Limiter::Warps:
    return "warps";
  case Limiter::Blocks:
    return "blocks";
  case Limiter::Registers:
    return "registers";
  case Limiter::SharedMemory:
    return "shared";
  case Limiter::Barriers:
    return "barriers";
  }
  return "";
}

std::uint64_t registersOfSameCost(const Architecture &Arch,
                                  std::uint64_t Registers) {
  if (Arch.CC.Major == 1)
    return Registers;
  const std::uint64_t Cost = registersPerWarp(Arch, Registers);
  while (Registers < Arch.RegistersPerThread &&
         registersPerWarp(Arch, Registers + 1) == Cost)
    ++Registers;
  return Registers;
}

std::optional<unsigned> warpsByRegisters(const Architecture &Arch,
                                         std::uint64_t Registers) {
  if (Arch.CC.Major == 1 || Registers == 0 ||
      Registers > registersPerThread(Arch))
    return std::nullopt;
  return narrow(warpsThatFit(Arch, registersPerWarp(Arch, Registers)));
}

} // namespace cudalint
