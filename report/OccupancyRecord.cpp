//===- report/OccupancyRecord.cpp - Occupancy as a record -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/OccupancyRecord.h"

namespace cudalint {

static std::string_view nameOf(Cliff::Quantity What) {
  switch (What) {
  case Cliff::Quantity::Registers:
    return "registers";
  case Cliff::Quantity::SharedMemory:
    return "shared";
  case Cliff::Quantity::Threads:
    return "block";
  }
  return {};
}

static std::optional<unsigned> limitOf(const Occupancy &Result, Limiter Which) {
  unsigned Blocks = Result.Limit[static_cast<unsigned>(Which)];
  if (Result.Failure != LaunchFailure::None || Blocks == Occupancy::NotLimited)
    return std::nullopt;
  return Blocks;
}

std::uint64_t unlimitedStatic(const Architecture &Arch, std::uint64_t Static,
                              const LaunchRecord &L) {
  const bool Runs = L.Occupancy && L.Occupancy->BlocksPerSM.value_or(0) > 0;
  return Runs && Static > Arch.SharedPerBlock ? Static : 0;
}

OccupancyRecord failedRecord() {
  OccupancyRecord Record;
  Record.BlocksPerSM = 0;
  Record.WarpsPerSM = 0;
  Record.Ratio = 0;
  return Record;
}

OccupancyRecord occupancyRecord(const Occupancy &Result,
                                std::span<const Cliff> Next,
                                const std::optional<Waves> &Rounds) {
  OccupancyRecord Record;
  Record.BlocksPerSM = Result.BlocksPerSM;
  Record.WarpsPerSM = Result.WarpsPerSM;
  Record.Ratio = Result.Ratio;
  if (Result.Failure == LaunchFailure::None)
    Record.Limiter = nameOf(Result.limiter());
  Record.Limits = {.Warps = limitOf(Result, Limiter::Warps),
                   .Blocks = limitOf(Result, Limiter::Blocks),
                   .Registers = limitOf(Result, Limiter::Registers),
                   .Shared = limitOf(Result, Limiter::SharedMemory),
                   .Barriers = limitOf(Result, Limiter::Barriers)};
  if (Rounds) {
    Record.Waves = Rounds->Count;
    Record.Rounds = Rounds->Rounds;
    Record.TailWaste = Rounds->TailWaste;
  }
  for (const Cliff &Each : Next)
    Record.Next.push_back({.Quantity = std::string(nameOf(Each.What)),
                           .Value = Each.Value,
                           .BlocksPerSM = Each.Then.BlocksPerSM,
                           .WarpsPerSM = Each.Then.WarpsPerSM,
                           .Ratio = Each.Then.Ratio});
  return Record;
}

} // namespace cudalint
