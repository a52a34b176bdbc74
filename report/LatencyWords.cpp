//===- report/LatencyWords.cpp - Latency that is not covered, in words ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/OccupancyWords.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

std::uint64_t warpsOnBusiestSM(const Occupancy &Result,
                               std::optional<std::uint64_t> Grid,
                               std::optional<int> SMs) {
  if (!Grid || !SMs || *SMs <= 0)
    return Result.WarpsPerSM;
  auto Count = static_cast<std::uint64_t>(*SMs);
  std::uint64_t Blocks = *Grid / Count + (*Grid % Count != 0);
  return std::min<std::uint64_t>(Blocks, Result.BlocksPerSM) *
         Result.WarpsPerBlock;
}

static std::string timesInWords(double Factor) {
  return Factor < 9.95 ? fmt::format("{:.1f} times", Factor)
                       : fmt::format("{:.0f} times", Factor);
}

std::string latencyInWords(const Architecture &Arch, const BlockDemand &Demand,
                           const Occupancy &Result,
                           std::optional<std::uint64_t> Grid,
                           std::optional<int> SMs) {
  if (Result.Failure != LaunchFailure::None || Demand.Threads == 0)
    return {};
  unsigned Needed = warpsToCoverDependentIssue(Arch);
  std::uint64_t Warps = warpsOnBusiestSM(Result, Grid, SMs);
  if (Warps == 0 || Warps >= Needed)
    return {};
  double Gain = static_cast<double>(Needed) / static_cast<double>(Warps);
  std::string Text = fmt::format(
      "{} on an SM, but {} are needed to issue an instruction each cycle when "
      "each waits for the one before it: a warp spends most of its time "
      "waiting, and others run in that time for nothing, up to {} the work",
      countOf(Warps, "warp"), Needed, timesInWords(Gain));

  bool HasMore = false;
  auto add = [&](double Factor, std::string Part) {
    Gain *= Factor;
    HasMore = true;
    Text += "; " + Part;
  };
  if (Grid && SMs && *Grid < static_cast<std::uint64_t>(std::max(*SMs, 0)))
    add(static_cast<double>(*SMs) / static_cast<double>(*Grid),
        fmt::format("blocks on {} of {} SMs", *Grid, *SMs));
  // A last warp that is not quite full is not worth a word.
  std::uint64_t Lanes = std::uint64_t{Result.WarpsPerBlock} * 32;
  if (Demand.Threads * 5 < Lanes * 4)
    add(static_cast<double>(Lanes) / static_cast<double>(Demand.Threads),
        fmt::format("threads in {} of {} lanes", Demand.Threads, Lanes));
  if (HasMore)
    Text += fmt::format("; all in all up to {}", timesInWords(Gain));
  return Text;
}

} // namespace cudalint
