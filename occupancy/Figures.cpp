//===- occupancy/Figures.cpp - All figures of one launch ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Figures.h"

#include "report/OccupancyRecord.h"
#include "report/OccupancyWords.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

std::string shapeFailure(const Target &Gpu, const std::optional<Shape> &Block,
                         const std::optional<Shape> &Grid) {
  const Architecture &Arch = *Gpu.Arch;
  const std::uint64_t MostThreads[] = {Arch.BlockX, Arch.BlockY, Arch.BlockZ};
  const std::uint64_t MostBlocks[] = {Arch.GridX, Arch.GridY, Arch.GridZ};
  auto wrong = [&](std::string_view What, const std::optional<Shape> &Has,
                   const std::uint64_t (&Most)[3]) -> std::string {
    for (unsigned I = 0; Has && I != 3; ++I)
      if ((*Has)[I] == 0 || (*Has)[I] > Most[I])
        return fmt::format(
            "the launch fails with error 9 (cudaErrorInvalidConfiguration): {} "
            "{} in {}, {}",
            (*Has)[I], What, "xyz"[I],
            (*Has)[I] == 0 ? "at least 1 is needed"
                           : fmt::format("{} allows {}", Gpu.Name, Most[I]));
    return {};
  };
  std::string Why = wrong("blocks", Grid, MostBlocks);
  return Why.empty() ? wrong("threads", Block, MostThreads) : Why;
}

/// Whether what \p Input leaves open can cost a block: with as many registers,
/// or as much shared memory, as there can be.
static bool mayBeFewer(const Architecture &Arch, const LaunchInput &Input,
                       BlockDemand Demand, const Occupancy &Most) {
  if (!Input.Registers)
    Demand.Registers = Arch.RegistersPerThread;
  const std::uint64_t Shared = Demand.StaticShared + Demand.DynamicShared;
  if ((!Input.StaticShared || !Input.DynamicShared) &&
      Shared < Arch.SharedPerBlockOptIn)
    Demand.DynamicShared += Arch.SharedPerBlockOptIn - Shared;
  return occupancy(Arch, Demand).BlocksPerSM != Most.BlocksPerSM;
}

/// Every reason for which these numbers fail: who does what the words on one of
/// them advise should not meet the next.
static std::vector<std::string> failuresOf(const LaunchFigures &Figures) {
  std::vector<std::string> Words;
  const auto add = [&](std::string Each) {
    if (!Each.empty() && std::ranges::find(Words, Each) == Words.end())
      Words.push_back(std::move(Each));
  };
  const Architecture &Arch = *Figures.Gpu.Arch;
  const LaunchInput &Input = Figures.Input;
  const LaunchFailure First =
      Figures.Result ? Figures.Result->Failure : LaunchFailure::None;
  if (First != LaunchFailure::None) {
    add(failureInWords(Arch, Figures.Demand, *Figures.Result));
    // Only the first is in the result: the others are those of a block whose
    // threads and registers are no matter.
    BlockDemand Rest = Figures.Demand;
    Rest.Threads = 1;
    Rest.Registers = 0;
    add(failureInWords(Arch, Rest, occupancy(Arch, Rest)));
  }
  const bool IsBlockTold = First == LaunchFailure::TooManyThreads ||
                           First == LaunchFailure::NoThreads;
  add(shapeFailure(Figures.Gpu, IsBlockTold ? std::nullopt : Input.Block,
                   Input.Grid));
  return Words;
}

LaunchFigures figuresOf(const Target &Gpu, const LaunchInput &Input) {
  LaunchFigures Figures{.Gpu = Gpu, .Input = Input};
  Figures.Demand = {.Threads = Input.Block ? sizeOf(*Input.Block) : 0,
                    .Registers = Input.Registers.value_or(0),
                    .StaticShared = Input.StaticShared.value_or(0),
                    .DynamicShared = Input.DynamicShared.value_or(0),
                    .Barriers = Input.Barriers.value_or(0),
                    .CarveOut = Input.CarveOut};
  const Architecture &Arch = *Gpu.Arch;
  BlockDemand Demand = Figures.Demand;
  // occupancy() follows cuda_occupancy.h, which takes one register more than a
  // thread can have. No kernel that somebody asks about has so many.
  if (Demand.Registers == Arch.RegistersPerThread + 1)
    ++Demand.Registers;
  if (Input.Block)
    Figures.Result = occupancy(Arch, Demand);
  Figures.Failures = Input.Judged.value_or(std::vector<std::string>());
  // No verdict makes a block fit that does not.
  if (!Input.Judged || (Figures.Failures.empty() && Figures.Result &&
                        Figures.Result->Failure != LaunchFailure::None))
    Figures.Failures = failuresOf(Figures);
  if (!Figures.Result)
    return Figures;
  Figures.IsAtMost = Figures.Failures.empty() &&
                     mayBeFewer(Arch, Input, Demand, *Figures.Result);
  if (Figures.IsAtMost)
    return Figures;
  Figures.Next = cliffs(Arch, Demand);
  if (Figures.Failures.empty() && Input.Grid && Gpu.SMs)
    Figures.Rounds =
        waves(sizeOf(*Input.Grid), *Gpu.SMs, Figures.Result->BlocksPerSM);
  return Figures;
}

std::string failureOf(const LaunchFigures &Figures) {
  return fmt::format("{}", fmt::join(Figures.Failures, "; "));
}

OccupancyRecord recordOf(const LaunchFigures &Figures) {
  if (!Figures.Failures.empty() &&
      (!Figures.Result || Figures.Result->BlocksPerSM != 0))
    return failedRecord();
  if (!Figures.Result)
    return {};
  OccupancyRecord Record =
      occupancyRecord(*Figures.Result, Figures.Next, Figures.Rounds);
  const LaunchInput &Input = Figures.Input;
  if (!Input.Registers)
    Record.Limits.Registers = std::nullopt;
  if (!Input.StaticShared || !Input.DynamicShared)
    Record.Limits.Shared = std::nullopt;
  if (Figures.IsAtMost) {
    Record.BlocksPerSM = std::nullopt;
    Record.WarpsPerSM = std::nullopt;
    Record.Ratio = std::nullopt;
    Record.Limiter.clear();
  }
  return Record;
}

std::vector<std::string> assumptionsOf(const LaunchFigures &Figures) {
  const LaunchInput &Input = Figures.Input;
  std::vector<std::string> Words;
  if (!Input.Block)
    Words.emplace_back("the block is not known: give it with --block");
  if (Input.Block && Input.BlockIsAssumed)
    Words.push_back(fmt::format("no launch gives the block, {} is assumed: "
                                "give it with --block or --launch",
                                toString(*Input.Block)));
  if (!Input.Registers)
    Words.emplace_back("the registers are not known, and may allow fewer "
                       "blocks: give them with --registers, as 'nvcc -Xptxas "
                       "-v' prints them");
  if (!Input.StaticShared)
    Words.emplace_back("the static shared memory is not known, and may allow "
                       "fewer blocks: give it with --shared");
  if (!Input.DynamicShared)
    Words.emplace_back("the dynamic shared memory is not known, and may allow "
                       "fewer blocks: give it with --dynamic-shared");
  if (Input.Grid && !Figures.Gpu.SMs)
    Words.push_back(fmt::format("the rounds are not known: '{}' is an "
                                "architecture; name a product with --gpu, or "
                                "its SMs with --sms",
                                Figures.Gpu.Name));
  if (Input.CarveOut && Figures.Gpu.Arch->CC.Major < 7)
    Words.push_back(fmt::format("the carve-out changes nothing: '{}' has no "
                                "unified cache",
                                Figures.Gpu.Name));
  // What a compiler told about a kernel is no wish of the user's.
  if (Input.Kernel.empty() && Input.Barriers.value_or(0) != 0 &&
      Figures.Failures.empty() && Figures.Result &&
      Figures.Result->Limit[static_cast<unsigned>(Limiter::Barriers)] ==
          Occupancy::NotLimited)
    Words.push_back(fmt::format("the barriers change nothing: on '{}' they do "
                                "not limit the blocks of an SM",
                                Figures.Gpu.Name));
  return Words;
}

} // namespace cudalint
