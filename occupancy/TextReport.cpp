//===- occupancy/TextReport.cpp - Occupancy for people --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Reports.h"

#include "report/OccupancyWords.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

/// A step that gains less than this share is not worth the change: what it
/// costs elsewhere (spills, smaller tiles, more blocks) is not in the figures.
static constexpr double LeastGain = 0.1;

/// Of the steps that gain something to speak of, those that gain most: all with
/// as many resident warps as the best, and those with as many blocks.
static std::vector<Cliff> stepsWorthwhile(const Occupancy &Now,
                                          std::span<const Cliff> Next) {
  auto isWorthwhile = [&](const Cliff &Step) {
    return Step.Then.WarpsPerSM >= Now.WarpsPerSM * (1 + LeastGain);
  };
  const Cliff *Best = nullptr;
  for (const Cliff &Step : Next)
    if (isWorthwhile(Step) &&
        (!Best || Step.Then.WarpsPerSM > Best->Then.WarpsPerSM))
      Best = &Step;
  std::vector<Cliff> Steps;
  for (const Cliff &Step : Next)
    if (isWorthwhile(Step) && Step.Then.BlocksPerSM == Best->Then.BlocksPerSM)
      Steps.push_back(Step);
  return Steps;
}

/// Those with which the grid takes the fewest rounds, where these are fewer to
/// speak of.
static std::vector<Cliff> stepsThatSaveRounds(std::uint64_t Grid,
                                              std::uint64_t Threads, int SMs,
                                              const Waves &Now,
                                              std::span<const Cliff> Next) {
  auto roundsWith = [&](const Cliff &Step) {
    std::optional<Waves> Then = wavesAfter(Grid, Threads, SMs, Step);
    return Then ? Then->Rounds : Now.Rounds;
  };
  std::uint64_t Least = Now.Rounds;
  for (const Cliff &Step : Next)
    Least = std::min(Least, roundsWith(Step));
  std::vector<Cliff> Steps;
  if (static_cast<double>(Now.Rounds - Least) <
      LeastGain * static_cast<double>(Now.Rounds))
    return Steps;
  for (const Cliff &Step : Next)
    if (roundsWith(Step) == Least)
      Steps.push_back(Step);
  return Steps;
}

/// Of a launch that fails for something else: that its shared memory needs an
/// opt-in, too. What runs without it has a remark of its own.
static std::string optInToo(const LaunchFigures &Figures) {
  const BlockDemand Shared = {.Threads = 1,
                              .StaticShared = Figures.Demand.StaticShared,
                              .DynamicShared = Figures.Demand.DynamicShared};
  if (Figures.Input.SharedMemoryOptIn)
    return {};
  const Architecture &Arch = *Figures.Gpu.Arch;
  return optInInWords(Arch, Shared, occupancy(Arch, Shared));
}

std::vector<Remark> remarksOn(const LaunchFigures &Figures) {
  std::vector<Remark> Remarks;
  auto add = [&](std::string_view Label, std::string Words) {
    if (!Words.empty())
      Remarks.push_back({Label, std::move(Words)});
  };
  const Architecture &Arch = *Figures.Gpu.Arch;
  if (!Figures.Failures.empty()) {
    for (const std::string &Each : Figures.Failures)
      add("why", Each);
    if (!Figures.Input.Judged)
      add("limit", optInToo(Figures));
  } else if (Figures.IsAtMost) {
    if (!Figures.Input.SharedMemoryOptIn)
      add("limit", optInInWords(Arch, Figures.Demand, *Figures.Result));
  } else if (Figures.Result) {
    const Occupancy &Result = *Figures.Result;
    for (unsigned I = 0; I != LimiterCount; ++I)
      if (auto Which = static_cast<Limiter>(I); Result.isLimitedBy(Which)) {
        add("why", limitInWords(Arch, Figures.Demand, Result, Which));
        add("unit", unitInWords(Arch, Figures.Demand, Result, Which));
      }
    if (!Figures.Input.SharedMemoryOptIn)
      add("limit", optInInWords(Arch, Figures.Demand, Result));
    std::string Gain = gainInWords(Arch, Figures.Demand, Result,
                                   stepsWorthwhile(Result, Figures.Next),
                                   /*WithWarps=*/true);
    if (!Gain.empty() && Figures.Rounds && Figures.Rounds->Rounds == 1)
      Gain = "none by more blocks on an SM: all blocks of the grid are "
             "resident at once";
    add("gain", std::move(Gain));
    std::optional<std::uint64_t> Grid;
    if (Figures.Input.Grid)
      Grid = sizeOf(*Figures.Input.Grid);
    if (Figures.Rounds) {
      add("grid",
          wavesInWords(*Grid, *Figures.Gpu.SMs, Result, *Figures.Rounds));
      add("gain",
          roundsSavedInWords(
              *Grid, Figures.Demand.Threads, *Figures.Gpu.SMs, *Figures.Rounds,
              stepsThatSaveRounds(*Grid, Figures.Demand.Threads,
                                  *Figures.Gpu.SMs, *Figures.Rounds,
                                  Figures.Next)));
    }
    add("idle",
        latencyInWords(Arch, Figures.Demand, Result, Grid, Figures.Gpu.SMs));
  }
  for (std::string &Words : assumptionsOf(Figures))
    add("note", std::move(Words));
  return Remarks;
}

//===----------------------------------------------------------------------===//
// One launch
//===----------------------------------------------------------------------===//

std::string gpuHeading(const Target &Gpu) {
  std::string Text = fmt::format("{}: compute capability {}", Gpu.Name,
                                 toString(Gpu.Arch->CC));
  if (Gpu.SMs)
    Text += ", " + countOf(static_cast<std::uint64_t>(*Gpu.SMs), "SM");
  return Text;
}

static std::string describe(const LaunchInput &Input) {
  std::string Text;
  auto add = [&](std::string Part) {
    Text += (Text.empty() ? "" : ", ") + std::move(Part);
  };
  if (Input.Grid)
    add(fmt::format("grid {}", toString(*Input.Grid)));
  if (Input.Block)
    add(fmt::format("block {}", toString(*Input.Block)));
  if (Input.Registers)
    add(countOf(*Input.Registers, "register"));
  if (Input.StaticShared.value_or(0) != 0)
    add(bytesInWords(*Input.StaticShared) + " shared");
  if (Input.DynamicShared.value_or(0) != 0)
    add(bytesInWords(*Input.DynamicShared) + " dynamic shared");
  if (Input.Barriers)
    add(countOf(*Input.Barriers, "barrier"));
  if (Input.CarveOut)
    add(fmt::format("carve-out {} %", *Input.CarveOut));
  return Text;
}

static std::string resourceTable(const LaunchFigures &Figures) {
  const Architecture &Arch = *Figures.Gpu.Arch;
  const Occupancy &Result = *Figures.Result;
  std::string Out = "  limit      blocks  a block takes  an SM has    unused\n";
  auto row = [&](Limiter Which, std::uint64_t Takes,
                 std::optional<std::uint64_t> Has, std::uint64_t Unused) {
    unsigned Limit = Result.Limit[static_cast<unsigned>(Which)];
    Out += fmt::format(
        "  {:<9}{:>8}{} {:>13}", nameOf(Which),
        Limit == Occupancy::NotLimited ? "-" : std::to_string(Limit),
        Result.isLimitedBy(Which) && !Figures.IsAtMost ? '*' : ' ', Takes);
    if (Has)
      Out += fmt::format(" {:>10} {:>9}", *Has,
                         Figures.IsAtMost ? "-" : std::to_string(Unused));
    Out += '\n';
  };
  row(Limiter::Warps, Result.WarpsPerBlock, Arch.WarpsPerSM, Result.WarpsLeft);
  row(Limiter::Blocks, 1, Arch.BlocksPerSM,
      Arch.BlocksPerSM - Result.BlocksPerSM);
  if (Figures.Input.Registers)
    row(Limiter::Registers, Result.RegistersPerBlock, Arch.RegistersPerSM,
        Result.RegistersLeft);
  if (Figures.Input.StaticShared && Figures.Input.DynamicShared)
    row(Limiter::SharedMemory, Result.SharedPerBlock, Result.SharedPerSM,
        Result.SharedLeft);
  if (Result.Limit[static_cast<unsigned>(Limiter::Barriers)] !=
      Occupancy::NotLimited)
    row(Limiter::Barriers, Figures.Demand.Barriers, std::nullopt, 0);
  return Out;
}

std::string limitersOf(const Occupancy &Result) {
  std::string Names;
  for (unsigned I = 0; I != LimiterCount; ++I)
    if (auto Which = static_cast<Limiter>(I); Result.isLimitedBy(Which))
      Names += fmt::format("{}{}", Names.empty() ? "" : ", ", nameOf(Which));
  return Names;
}

std::string percent(double Ratio) {
  return fmt::format("{:.1f} %", 100 * Ratio);
}

std::string wavesOf(const Waves &Rounds) {
  return Rounds.Count < 0.005 ? "<0.01" : fmt::format("{:.2f}", Rounds.Count);
}

static std::string remarkLine(const Remark &Each,
                              const OccupancyTextOptions &Options) {
  return coloured(fmt::format("{:<6}", Each.Label), Style::Note,
                  Options.UseColour) +
         wrapped(printable(Each.Words), 6, Options.Width) + "\n";
}

std::string remarksText(std::span<const Remark> Remarks,
                        const OccupancyTextOptions &Options) {
  std::string Out;
  for (const Remark &Each : Remarks)
    Out += remarkLine(Each, Options);
  return Out;
}

std::string occupancyText(const LaunchFigures &Figures,
                          const OccupancyTextOptions &Options) {
  std::string Out =
      coloured(gpuHeading(Figures.Gpu), Style::Plain, Options.UseColour) +
      "\n" + describe(Figures.Input) + "\n\n";
  if (!Figures.Failures.empty()) {
    Out +=
        coloured("the launch fails", Style::Error, Options.UseColour) + "\n\n";
  } else if (Figures.Result) {
    const Occupancy &Result = *Figures.Result;
    const char *AtMost = Figures.IsAtMost ? "at most " : "";
    Out += fmt::format("  blocks per SM  {}{}\n"
                       "  warps per SM   {}{} of {}, {}\n"
                       "  limited by     {}\n",
                       AtMost, Result.BlocksPerSM, AtMost, Result.WarpsPerSM,
                       Figures.Gpu.Arch->WarpsPerSM, percent(Result.Ratio),
                       Figures.IsAtMost ? "not known" : limitersOf(Result));
    if (const std::optional<Waves> &Rounds = Figures.Rounds)
      Out += fmt::format("  waves          {}, in {}\n"
                         "  tail waste     {}\n",
                         wavesOf(*Rounds), countOf(Rounds->Rounds, "round"),
                         percent(Rounds->TailWaste));
    Out += "\n" + resourceTable(Figures) + "\n";
  }
  return Out + remarksText(remarksOn(Figures), Options);
}

std::string modelText(const SweepWork &Work,
                      const OccupancyTextOptions &Options) {
  return remarkLine({"time", "is relative to the best; " + Work.ModelWords},
                    Options);
}

} // namespace cudalint
