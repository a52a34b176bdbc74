//===- occupancy/TableReport.cpp - Many launches as text ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Reports.h"

#include "occupancy/TextTable.h"
#include "report/Names.h"
#include "report/OccupancyWords.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

/// Whether the launch fails without an opt-in that the source does not make.
static bool lacksOptIn(const LaunchFigures &Figures) {
  return Figures.Result && Figures.Failures.empty() &&
         !Figures.Input.SharedMemoryOptIn &&
         !optInInWords(*Figures.Gpu.Arch, Figures.Demand, *Figures.Result)
              .empty();
}

template <typename T> static std::string orDash(const std::optional<T> &Value) {
  return Value ? fmt::format("{}", *Value) : "-";
}

static std::string orDash(const std::optional<Shape> &Value) {
  return Value ? toString(*Value) : "-";
}

/// blocks, warps, of most, limit, waves, rounds, tail
static void addCells(const LaunchFigures &Figures,
                     std::vector<std::string> &Row) {
  if (!Figures.Failures.empty()) {
    Row.insert(Row.end(), {"0", "-", "-", "fails", "-", "-", "-"});
    return;
  }
  if (!Figures.Result) {
    Row.insert(Row.end(), 7, "-");
    return;
  }
  const Occupancy &Result = *Figures.Result;
  const std::optional<Waves> &Rounds = Figures.Rounds;
  const std::string Most = Figures.IsAtMost ? "<=" : "";
  Row.insert(Row.end(), {Most + std::to_string(Result.BlocksPerSM),
                         Most + std::to_string(Result.WarpsPerSM),
                         Most + percent(Result.Ratio),
                         Figures.IsAtMost ? "-" : limitersOf(Result),
                         Rounds ? wavesOf(*Rounds) : "-",
                         Rounds ? std::to_string(Rounds->Rounds) : "-",
                         Rounds ? percent(Rounds->TailWaste) : "-"});
}

/// Static and dynamic bytes of a block; a mark where they need an opt-in that
/// the source does not make.
static std::string sharedCell(const LaunchFigures &Figures) {
  const LaunchInput &Input = Figures.Input;
  if (!Input.StaticShared || !Input.DynamicShared)
    return "-";
  return std::to_string(*Input.StaticShared + *Input.DynamicShared) +
         (lacksOptIn(Figures) ? "!" : "");
}

static std::string blockCell(const LaunchInput &Input) {
  return orDash(Input.Block) + (Input.BlockIsAssumed ? "*" : "");
}

std::string occupancyTable(std::span<const LaunchFigures> All, unsigned Width) {
  TableRows Rows = {{"kernel", "launch", "grid", "block", "regs", "shared",
                     "blocks", "warps", "of most", "limit", "waves", "rounds",
                     "tail"}};
  for (const LaunchFigures &Each : All) {
    const LaunchInput &Input = Each.Input;
    std::vector<std::string> Row = {
        printable(withoutParameters(Input.Kernel)),
        Input.Where.File.empty()
            ? "-"
            : printable(
                  fmt::format("{}:{}", Input.Where.File, Input.Where.Line)),
        orDash(Input.Grid),
        blockCell(Input),
        orDash(Input.Registers),
        sharedCell(Each)};
    addCells(Each, Row);
    Rows.push_back(std::move(Row));
  }
  std::string Out = columnsWithin(std::move(Rows), Width);
  auto note = [&](std::string_view Words) {
    Out += wrapped(Words, 0, Width) + "\n";
  };
  if (std::ranges::any_of(All, &LaunchInput::BlockIsAssumed,
                          &LaunchFigures::Input))
    note("* this block is assumed: the source does not give it");
  if (std::ranges::any_of(All, lacksOptIn))
    note(fmt::format("! more than {}: the launch fails unless "
                     "cudaFuncSetAttribute raises "
                     "cudaFuncAttributeMaxDynamicSharedMemorySize",
                     bytesInWords(All.front().Gpu.Arch->SharedPerBlock)));
  if (std::ranges::any_of(All, &LaunchFigures::IsAtMost))
    note("<= at most: what is not known (-) may allow less");
  return Out;
}

static std::string valuesOf(const SweepRow &Row) {
  return Row.From == Row.To ? std::to_string(Row.To)
                            : fmt::format("{}-{}", Row.From, Row.To);
}

std::string sweepText(const Target &Gpu, SweepOver What,
                      std::span<const SweepRow> Rows,
                      const OccupancyTextOptions &Options) {
  bool HasTime = std::ranges::any_of(
      Rows, [](const SweepRow &Row) { return Row.At.Time.has_value(); });
  double Best = 0;
  for (const SweepRow &Row : Rows)
    if (Row.At.Time && (Best == 0 || *Row.At.Time < Best))
      Best = *Row.At.Time;

  TableRows Table = {{std::string(nameOf(What)), "blocks", "warps", "of most",
                      "limit", "waves", "rounds", "tail"}};
  if (HasTime)
    Table.front().emplace_back("time");
  Table.front().emplace_back("");
  for (const SweepRow &Row : Rows) {
    std::vector<std::string> Cells = {valuesOf(Row)};
    addCells(Row.At, Cells);
    if (HasTime)
      Cells.push_back(Row.At.Time && Best > 0
                          ? fmt::format("{:.2f}", *Row.At.Time / Best)
                          : "-");
    Cells.push_back(std::string(Row.IsCliff ? "| cliff" : "") +
                    (Row.Yours ? (Row.IsCliff ? ", yours" : "yours") : ""));
    Table.push_back(std::move(Cells));
  }
  return gpuHeading(Gpu) + "\n\n" +
         columnsWithin(std::move(Table), Options.Width) + "\n" +
         sweepPlot(Gpu, What, Rows, Options);
}

/// Those on the SM that has most of them: a grid may have fewer blocks than
/// fit.
static std::uint64_t residentWarps(const LaunchFigures &Figures) {
  auto SMs = static_cast<std::uint64_t>(*Figures.Gpu.SMs);
  std::uint64_t Blocks = (sizeOf(*Figures.Input.Grid) - 1) / SMs + 1;
  return std::min<std::uint64_t>(Blocks, Figures.Result->BlocksPerSM) *
         Figures.Result->WarpsPerBlock;
}

std::string rankText(const Target &Gpu, std::span<const LaunchFigures> All,
                     std::size_t Most) {
  TableRows Table = {
      {"rank", "grid", "block", "time", "warps", "rounds", "tail"}};
  double Best = All.empty() ? 0 : All.front().Time.value_or(0);
  for (std::size_t I = 0; I != std::min(Most, All.size()); ++I) {
    const LaunchFigures &Each = All[I];
    Table.push_back({std::to_string(I + 1), orDash(Each.Input.Grid),
                     orDash(Each.Input.Block),
                     fmt::format("{:.3f}", Each.Time.value_or(0) / Best),
                     std::to_string(residentWarps(Each)),
                     Each.Rounds ? std::to_string(Each.Rounds->Rounds) : "-",
                     Each.Rounds ? percent(Each.Rounds->TailWaste) : "-"});
  }
  std::string Out = gpuHeading(Gpu) + "\n\n" + columns(Table);
  if (All.size() > Most)
    Out += fmt::format("and {} more\n", All.size() - Most);
  return Out;
}

} // namespace cudalint
