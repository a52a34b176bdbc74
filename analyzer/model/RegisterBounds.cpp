//===- analyzer/model/RegisterBounds.cpp - What launch bounds leave -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/RegisterBounds.h"

#include "hardware/Occupancy.h"

#include <fmt/format.h>

#include <algorithm>

namespace cudalint {

std::uint64_t registersFor(const Architecture &Arch, std::uint64_t Threads,
                           std::uint64_t Blocks) {
  BlockDemand Demand;
  Demand.Threads = Threads;
  for (Demand.Registers = Arch.RegistersPerThread; Demand.Registers > 1;
       --Demand.Registers)
    if (occupancy(Arch, Demand).BlocksPerSM >= Blocks)
      break;
  return Demand.Registers;
}

std::string launchBoundsOf(const KernelDeclaration &Kernel) {
  if (Kernel.MaxRegisters)
    return fmt::format("__maxnreg__({})", *Kernel.MaxRegisters);
  if (!Kernel.MaxThreads)
    return {};
  if (Kernel.MinBlocks.value_or(1) > 1)
    return fmt::format("__launch_bounds__({}, {})", *Kernel.MaxThreads,
                       *Kernel.MinBlocks);
  return fmt::format("__launch_bounds__({})", *Kernel.MaxThreads);
}

/// ptxas of CUDA 13.0 raises a lower `.maxnreg` to it ("adjusting per thread
/// register count of 8 to lower bound of 24"), whatever the architecture.
static constexpr std::uint64_t LeastRegisters = 24;

std::optional<std::uint64_t> boundedRegisters(const Architecture &Arch,
                                              const KernelDeclaration &Kernel) {
  if (Kernel.MaxRegisters.value_or(0) > 0) {
    const std::uint64_t Most = std::max<std::uint64_t>(
        LeastRegisters, static_cast<std::uint64_t>(*Kernel.MaxRegisters));
    return Most < Arch.RegistersPerThread ? std::optional(Most) : std::nullopt;
  }
  if (Kernel.MaxThreads.value_or(0) <= 0)
    return std::nullopt;
  BlockDemand Demand;
  Demand.Threads = static_cast<std::uint64_t>(*Kernel.MaxThreads);
  const unsigned Most = occupancy(Arch, Demand).BlocksPerSM;
  if (Most == 0)
    return std::nullopt;
  const std::int64_t Wanted = Kernel.MinBlocks.value_or(1);
  const std::int64_t Blocks = Wanted > 0 && Wanted <= Most ? Wanted : 1;
  const std::uint64_t Registers =
      registersFor(Arch, Demand.Threads, static_cast<std::uint64_t>(Blocks));
  if (Registers >= Arch.RegistersPerThread)
    return std::nullopt;
  return Registers;
}

} // namespace cudalint
