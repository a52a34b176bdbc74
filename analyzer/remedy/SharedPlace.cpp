//===- analyzer/remedy/SharedPlace.cpp - Room for private arrays ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/SharedPlace.h"

#include "report/OccupancyWords.h"

#include <fmt/format.h>

#include <algorithm>

namespace cudalint {

std::optional<LaunchFit> largestBlock(const KernelModel &K) {
  std::optional<LaunchFit> Largest;
  for (std::size_t I = 0; I != K.Verdicts.size(); ++I) {
    const std::optional<LaunchFit> &Fit = K.Verdicts[I].AtMost;
    if (Fit && isLaunched(K.Launches[I].Source) &&
        Fit->Demand.Threads <= K.Gpu.Arch->ThreadsPerBlock &&
        (!Largest || Fit->Demand.Threads > Largest->Demand.Threads))
      Largest = Fit;
  }
  return Largest;
}

SharedPlace sharedPlace(const KernelModel &K, std::uint64_t Bytes,
                        std::size_t Arrays) {
  const Architecture &Arch = *K.Gpu.Arch;
  const std::uint64_t Taken = K.staticShared().value_or(0);
  const std::uint64_t Most = Arch.SharedPerBlockOptIn;
  const std::optional<LaunchFit> Block = largestBlock(K);
  if (!Block) {
    const std::uint64_t Threads =
        (Most - std::min(Most, Taken)) / std::max<std::uint64_t>(Bytes, 1);
    if (Threads >= Arch.ThreadsPerBlock)
      return {.Fits = true, .Why = {}};
    const std::uint64_t OnSM =
        Arch.SharedPerSM / std::max<std::uint64_t>(Bytes, 1);
    // Of those that registers leave an SM, and no more than are mostly enough:
    // chosen.
    const unsigned Registers =
        K.Resources && K.Resources->Registers ? *K.Resources->Registers : 0;
    const std::uint64_t Now =
        Registers == 0
            ? 0
            : std::min<std::uint64_t>(Arch.RegistersPerSM / Registers,
                                      Arch.ThreadsPerSM / 2);
    return {.Fits = Threads >= 32,
            .Why = fmt::format("there is room for at most {}",
                               countOf(Threads, "thread")),
            .CostsBlocks = 2 * OnSM < Now};
  }
  BlockDemand Demand = Block->Demand;
  const std::uint64_t Need = Bytes * Demand.Threads;
  const std::string Sum =
      fmt::format("{}{} x {} are {} a block",
                  Arrays > 1 ? fmt::format("of {} such, ", Arrays) : "",
                  countOf(Bytes, "byte"), countOf(Demand.Threads, "thread"),
                  bytesInWords(Need));
  Demand.DynamicShared += Need;
  const std::uint64_t All = Demand.StaticShared + Demand.DynamicShared;
  if (All > Most)
    return {.Fits = false,
            .Why = fmt::format(
                "{}, and a block has {} at most{}", Sum, bytesInWords(Most),
                All == Need ? ""
                            : fmt::format(", {} of them taken",
                                          bytesInWords(All - Need)))};
  SharedPlace Place{.Fits = true,
                    .Why = Sum,
                    .Bytes = Need,
                    .Arrays = Arrays,
                    .NeedsOptIn = All > Arch.SharedPerBlock};
  if (Place.NeedsOptIn)
    Place.Why += fmt::format(
        ", {}more than {} and so by opt-in only",
        // What the kernel and the launch have taken counts as well.
        All == Need ? ""
                    : fmt::format("{} with the {} that it has, ",
                                  bytesInWords(All), bytesInWords(All - Need)),
        bytesInWords(Arch.SharedPerBlock));
  const unsigned Now = Block->OnSM.BlocksPerSM;
  const unsigned Then = occupancy(Arch, Demand).BlocksPerSM;
  if (!K.Resources || !K.Resources->Registers)
    return Place;
  // As many as an SM has of the grid, if that is known. Warps that are not
  // there hide no latency: chosen.
  const std::uint64_t SMs = std::max<std::uint64_t>(K.Gpu.SMs.value_or(1), 1);
  const std::uint64_t Resident =
      Block->Grid ? std::min<std::uint64_t>(Now, (*Block->Grid + SMs - 1) / SMs)
                  : Now;
  Place.CostsBlocks = 2 * Then < Resident;
  if (Then < Now)
    Place.Why += fmt::format(", so that {} instead of {} fit an SM",
                             countOf(Then, "block"), Now);
  return Place;
}

} // namespace cudalint
