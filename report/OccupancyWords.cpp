//===- report/OccupancyWords.cpp - Occupancy in words ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/OccupancyWords.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <vector>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::string bytesInWords(std::uint64_t Bytes) {
  if (Bytes != 0 && Bytes % 1024 == 0)
    return fmt::format("{} KB", Bytes / 1024);
  return countOf(Bytes, "byte");
}

/// "two": reads better than a number beside numbers.
static std::string wordFor(unsigned Number) {
  static constexpr const char *Words[] = {
      "none",  "one",   "two",  "three", "four",   "five",  "six",
      "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return Number < std::size(Words) ? Words[Number] : std::to_string(Number);
}

static void append(std::string &To, const std::string &Part) {
  if (!To.empty() && !Part.empty())
    To += "; ";
  To += Part;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// Warps whose registers fit one SM; each partition has registers of its own.
/// Not for 1.x, which allocates per block.
static std::uint64_t warpsByRegisters(const Architecture &Arch,
                                      const Occupancy &Result) {
  std::uint64_t PerPartition = Arch.RegistersPerSM / Arch.Partitions;
  return PerPartition / Result.RegistersPerWarp * Arch.Partitions;
}

static std::uint64_t sharedBytes(const BlockDemand &Demand) {
  return Demand.StaticShared + Demand.DynamicShared;
}

static std::string registerLimit(const Architecture &Arch,
                                 const BlockDemand &Demand,
                                 const Occupancy &Result) {
  std::uint64_t Blocks = Result.BlocksPerSM + 1ULL;
  if (Result.RegistersPerWarp == 0)
    return fmt::format("{} registers x {}: {} need {} registers, an SM has {}",
                       Demand.Registers, countOf(Demand.Threads, "thread"),
                       countOf(Blocks, "block"),
                       Blocks * Result.RegistersPerBlock, Arch.RegistersPerSM);
  return fmt::format("{} registers x {}: {} need {} warps of registers, {} fit",
                     Demand.Registers, countOf(Result.WarpsPerBlock, "warp"),
                     countOf(Blocks, "block"), Blocks * Result.WarpsPerBlock,
                     warpsByRegisters(Arch, Result));
}

static std::string sharedLimit(const BlockDemand &Demand,
                               const Occupancy &Result) {
  std::uint64_t Blocks = Result.BlocksPerSM + 1ULL;
  std::string Text = fmt::format("{} of shared memory a block",
                                 bytesInWords(sharedBytes(Demand)));
  if (Result.SharedPerBlock != sharedBytes(Demand))
    Text +=
        fmt::format(", {} as allocated", bytesInWords(Result.SharedPerBlock));
  return Text + fmt::format(": {} need {}, an SM {} {}",
                            countOf(Blocks, "block"),
                            bytesInWords(Blocks * Result.SharedPerBlock),
                            Demand.CarveOut ? "is set to" : "has",
                            bytesInWords(Result.SharedPerSM));
}

std::string limitInWords(const Architecture &Arch, const BlockDemand &Demand,
                         const Occupancy &Result, Limiter Which) {
  std::uint64_t Blocks = Result.BlocksPerSM + 1ULL;
  switch (Which) {
  case Limiter::Warps:
    return fmt::format("{} a block: {} need {} warps, {} fit",
                       countOf(Result.WarpsPerBlock, "warp"),
                       countOf(Blocks, "block"), Blocks * Result.WarpsPerBlock,
                       Arch.WarpsPerSM);
  case Limiter::Blocks:
    return fmt::format("an SM holds at most {} blocks: with {} each, {} of {} "
                       "warps",
                       Arch.BlocksPerSM, countOf(Result.WarpsPerBlock, "warp"),
                       Result.WarpsPerSM, Arch.WarpsPerSM);
  case Limiter::Registers:
    return registerLimit(Arch, Demand, Result);
  case Limiter::SharedMemory:
    return sharedLimit(Demand, Result);
  case Limiter::Barriers:
    return fmt::format("{} a block: the barriers of an SM are enough for {}",
                       countOf(Demand.Barriers, "barrier"),
                       countOf(Result.BlocksPerSM, "block"));
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

static std::string registerUnit(const Architecture &Arch,
                                const BlockDemand &Demand,
                                const Occupancy &Result) {
  std::uint64_t Blocks = Result.BlocksPerSM + 1ULL;
  std::uint64_t Product = Demand.Registers * Demand.Threads * Blocks;
  if (Product > Arch.RegistersPerSM)
    return {};
  std::string Text = fmt::format(
      "{} registers x {} threads x {} blocks = {} would fit in {}, but ",
      Demand.Registers, Demand.Threads, Blocks, Product, Arch.RegistersPerSM);
  if (Result.RegistersPerWarp == 0)
    return Text + fmt::format("registers are given to pairs of warps, in units "
                              "of {} for a block: {} each",
                              Arch.RegisterUnit, Result.RegistersPerBlock);
  Text += fmt::format("registers are given to whole warps, in units of {}: {} "
                      "x {} = {} for a block",
                      Arch.RegisterUnit, countOf(Result.WarpsPerBlock, "warp"),
                      Result.RegistersPerWarp, Result.RegistersPerBlock);
  std::uint64_t PerPartition = Arch.RegistersPerSM / Arch.Partitions;
  if (Blocks * Result.RegistersPerBlock <= Arch.RegistersPerSM)
    Text += fmt::format(", and each of the {} partitions of an SM has {} of "
                        "its own, enough for {}: {} in all",
                        Arch.Partitions, PerPartition,
                        countOf(PerPartition / Result.RegistersPerWarp, "warp"),
                        warpsByRegisters(Arch, Result));
  return Text;
}

static std::string sharedUnit(const Architecture &Arch,
                              const BlockDemand &Demand,
                              const Occupancy &Result) {
  std::uint64_t Blocks = Result.BlocksPerSM + 1ULL;
  std::uint64_t Product = sharedBytes(Demand) * Blocks;
  if (Product > Result.SharedPerSM)
    return {};
  return fmt::format(
      "{} bytes x {} blocks = {} would fit in {}, but a block takes {}: in "
      "units of {}{}",
      sharedBytes(Demand), Blocks, Product, Result.SharedPerSM,
      Result.SharedPerBlock, Arch.SharedUnit,
      Arch.SharedReserved ? fmt::format(", with {} that the system reserves",
                                        Arch.SharedReserved)
                          : "");
}

std::string unitInWords(const Architecture &Arch, const BlockDemand &Demand,
                        const Occupancy &Result, Limiter Which) {
  std::uint64_t Blocks = Result.BlocksPerSM + 1ULL;
  switch (Which) {
  case Limiter::Warps:
    if (Demand.Threads * Blocks > Arch.ThreadsPerSM)
      return {};
    return fmt::format("{} threads x {} blocks = {} would fit in {}, but a "
                       "block takes whole warps of 32 threads: {}",
                       Demand.Threads, Blocks, Demand.Threads * Blocks,
                       Arch.ThreadsPerSM, Result.WarpsPerBlock);
  case Limiter::Registers:
    return registerUnit(Arch, Demand, Result);
  case Limiter::SharedMemory:
    return sharedUnit(Arch, Demand, Result);
  case Limiter::Blocks:
  case Limiter::Barriers:
    break;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Gains
//===----------------------------------------------------------------------===//

/// The registers above \p Value that gain nothing: "(41 to 48 cost the same)".
/// Empty where some of them do gain.
static std::string deadRegisters(const Architecture &Arch, BlockDemand Demand,
                                 const Occupancy &Result, std::uint64_t Value) {
  std::uint64_t Last = registersOfSameCost(Arch, Demand.Registers);
  Demand.Registers = Value + 1;
  if (Last <= Value + 1 ||
      occupancy(Arch, Demand).BlocksPerSM > Result.BlocksPerSM)
    return {};
  bool IsNeighbour = registersOfSameCost(Arch, Value + 1) == Last;
  return fmt::format(" ({} to {} {})", Value + 1, Last,
                     IsNeighbour ? "cost the same" : "gain nothing");
}

std::string stepInWords(const Cliff &Step) {
  switch (Step.What) {
  case Cliff::Quantity::Registers:
    return countOf(Step.Value, "register");
  case Cliff::Quantity::SharedMemory:
    return bytesInWords(Step.Value) + " of shared memory";
  case Cliff::Quantity::Threads:
    return countOf(Step.Value, "thread");
  }
  return {};
}

/// What a larger block could gain is named last.
static unsigned orderOf(const Cliff *Step) {
  switch (Step->What) {
  case Cliff::Quantity::Threads:
    return Step->IsLarger ? 3 : 0;
  case Cliff::Quantity::Registers:
    return 1;
  case Cliff::Quantity::SharedMemory:
    return 2;
  }
  return 4;
}

/// Of steps with which equally many blocks fit.
static std::string groupInWords(const Architecture &Arch,
                                const BlockDemand &Demand,
                                const Occupancy &Result,
                                std::span<const Cliff *const> Steps,
                                bool WithWarps) {
  std::string Text;
  unsigned Least = ~0u, Most = 0;
  for (const Cliff *Step : Steps) {
    Text +=
        fmt::format("{}at {}", Text.empty() ? "" : ", or ", stepInWords(*Step));
    if (Step->What == Cliff::Quantity::Registers)
      Text += deadRegisters(Arch, Demand, Result, Step->Value);
    Least = std::min(Least, Step->Then.WarpsPerSM);
    Most = std::max(Most, Step->Then.WarpsPerSM);
  }
  unsigned Blocks = Steps.front()->Then.BlocksPerSM;
  Text += fmt::format("{} {} {}", Steps.size() == 1 ? "" : ",", wordFor(Blocks),
                      Blocks == 1 ? "fits" : "fit");
  if (WithWarps)
    Text += fmt::format(" ({}{} of {} warps instead of {})", Least,
                        Least == Most ? "" : fmt::format(" to {}", Most),
                        Arch.WarpsPerSM, Result.WarpsPerSM);
  return Text;
}

std::string gainInWords(const Architecture &Arch, const BlockDemand &Demand,
                        const Occupancy &Result, std::span<const Cliff> Next,
                        bool WithWarps) {
  std::vector<const Cliff *> Rest;
  for (const Cliff &Each : Next)
    Rest.push_back(&Each);
  std::ranges::stable_sort(Rest, {}, orderOf);
  std::string Text;
  while (!Rest.empty()) {
    unsigned Blocks = Rest.front()->Then.BlocksPerSM;
    auto Others = std::ranges::stable_partition(Rest, [&](const Cliff *Step) {
      return Step->Then.BlocksPerSM == Blocks;
    });
    append(Text,
           groupInWords(Arch, Demand, Result,
                        std::span(Rest.begin(), Others.begin()), WithWarps));
    Rest.erase(Rest.begin(), Others.begin());
  }
  return Text;
}

std::string occupancyInWords(const Architecture &Arch,
                             const BlockDemand &Demand, const Occupancy &Result,
                             std::span<const Cliff> Next) {
  if (Result.Failure != LaunchFailure::None)
    return failureInWords(Arch, Demand, Result);
  std::string Text;
  for (unsigned I = 0; I != LimiterCount; ++I)
    if (auto Which = static_cast<Limiter>(I); Result.isLimitedBy(Which))
      append(Text, limitInWords(Arch, Demand, Result, Which));
  append(Text, gainInWords(Arch, Demand, Result, Next, /*WithWarps=*/false));
  return Text;
}

} // namespace cudalint
