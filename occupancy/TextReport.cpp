//===- occupancy/TextReport.cpp - Occupancy for people --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Reports.h"

#include "report/Names.h"
#include "report/OccupancyWords.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

std::vector<Remark> remarksOn(const LaunchFigures &Figures) {
  std::vector<Remark> Remarks;
  auto add = [&](std::string_view Label, std::string Words) {
    if (!Words.empty())
      Remarks.push_back({Label, std::move(Words)});
  };
  const Architecture &Arch = *Figures.Gpu.Arch;
  if (!Figures.Failure.empty()) {
    add("why", Figures.Failure);
  } else if (Figures.Result) {
    const Occupancy &Result = *Figures.Result;
    for (unsigned I = 0; I != LimiterCount; ++I)
      if (auto Which = static_cast<Limiter>(I); Result.isLimitedBy(Which)) {
        add("why", limitInWords(Arch, Figures.Demand, Result, Which));
        add("unit", unitInWords(Arch, Figures.Demand, Result, Which));
      }
    if (!Figures.Input.SharedMemoryOptIn)
      add("limit", optInInWords(Arch, Figures.Demand, Result));
    add("gain", gainInWords(Arch, Figures.Demand, Result, Figures.Next,
                            /*WithWarps=*/true));
    std::optional<std::uint64_t> Grid;
    if (Figures.Input.Grid)
      Grid = sizeOf(*Figures.Input.Grid);
    if (Figures.Rounds) {
      add("grid",
          wavesInWords(*Grid, *Figures.Gpu.SMs, Result, *Figures.Rounds));
      add("gain", roundsSavedInWords(*Grid, *Figures.Gpu.SMs, *Figures.Rounds,
                                     Figures.Next));
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
  auto row = [&](Limiter Which, std::uint64_t Takes, std::uint64_t Has,
                 std::uint64_t Unused) {
    unsigned Limit = Result.Limit[static_cast<unsigned>(Which)];
    Out += fmt::format(
        "  {:<9}{:>8}{} {:>13} {:>10} {:>9}\n", nameOf(Which),
        Limit == Occupancy::NotLimited ? "-" : std::to_string(Limit),
        Result.isLimitedBy(Which) ? '*' : ' ', Takes, Has, Unused);
  };
  row(Limiter::Warps, Result.WarpsPerBlock, Arch.WarpsPerSM, Result.WarpsLeft);
  row(Limiter::Blocks, 1, Arch.BlocksPerSM,
      Arch.BlocksPerSM - Result.BlocksPerSM);
  if (Figures.Input.Registers)
    row(Limiter::Registers, Result.RegistersPerBlock, Arch.RegistersPerSM,
        Result.RegistersLeft);
  row(Limiter::SharedMemory, Result.SharedPerBlock, Result.SharedPerSM,
      Result.SharedLeft);
  unsigned Barriers = Result.Limit[static_cast<unsigned>(Limiter::Barriers)];
  if (Barriers != Occupancy::NotLimited)
    Out +=
        fmt::format("  {:<9}{:>8}{} {:>13}\n", nameOf(Limiter::Barriers),
                    Barriers, Result.isLimitedBy(Limiter::Barriers) ? '*' : ' ',
                    Figures.Demand.Barriers);
  return Out;
}

static std::string limitersOf(const Occupancy &Result) {
  std::string Names;
  for (unsigned I = 0; I != LimiterCount; ++I)
    if (auto Which = static_cast<Limiter>(I); Result.isLimitedBy(Which))
      Names += fmt::format("{}{}", Names.empty() ? "" : ", ", nameOf(Which));
  return Names;
}

static std::string percent(double Ratio) {
  return fmt::format("{:.1f} %", 100 * Ratio);
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
  if (!Figures.Failure.empty()) {
    Out +=
        coloured("the launch fails", Style::Error, Options.UseColour) + "\n\n";
  } else if (Figures.Result) {
    const Occupancy &Result = *Figures.Result;
    Out += fmt::format("  blocks per SM  {}\n"
                       "  warps per SM   {} of {}, {}\n"
                       "  limited by     {}\n",
                       Result.BlocksPerSM, Result.WarpsPerSM,
                       Figures.Gpu.Arch->WarpsPerSM, percent(Result.Ratio),
                       limitersOf(Result));
    if (const std::optional<Waves> &Rounds = Figures.Rounds)
      Out += fmt::format("  waves          {:.2f}, in {}\n"
                         "  tail waste     {}\n",
                         Rounds->Count, countOf(Rounds->Rounds, "round"),
                         percent(Rounds->TailWaste));
    Out += "\n" + resourceTable(Figures) + "\n";
  }
  return Out + remarksText(remarksOn(Figures), Options);
}

//===----------------------------------------------------------------------===//
// Many launches
//===----------------------------------------------------------------------===//

/// One line of cells each; all but the last column are padded.
static std::string columns(const std::vector<std::vector<std::string>> &Rows) {
  std::vector<std::size_t> Widths;
  for (const auto &Row : Rows) {
    Widths.resize(std::max(Widths.size(), Row.size()));
    for (std::size_t I = 0; I != Row.size(); ++I)
      Widths[I] = std::max<std::size_t>(Widths[I], columnsOf(Row[I]));
  }
  std::string Out;
  for (const auto &Row : Rows) {
    std::string Line;
    for (std::size_t I = 0; I != Row.size(); ++I) {
      Line += (I == 0 ? "" : "  ") + Row[I];
      Line.append(Widths[I] - columnsOf(Row[I]), ' ');
    }
    Line.erase(Line.find_last_not_of(' ') + 1);
    Out += Line + "\n";
  }
  return Out;
}

static std::size_t widestOf(std::string_view Lines) {
  std::size_t Width = 0;
  while (!Lines.empty()) {
    std::size_t End = std::min(Lines.find('\n'), Lines.size());
    Width = std::max<std::size_t>(Width, columnsOf(Lines.substr(0, End)));
    Lines.remove_prefix(std::min(End + 1, Lines.size()));
  }
  return Width;
}

/// Takes \p Excess columns from the names of kernels, the first cells, and then
/// from the front of their places, the second; names keep a few.
static std::vector<std::vector<std::string>>
withShortNames(std::vector<std::vector<std::string>> Rows, std::size_t Excess) {
  for (std::size_t Column : {0, 1}) {
    const std::size_t Least = Column == 0 ? 10 : 12;
    std::size_t Widest = 0;
    for (const auto &Row : Rows)
      Widest = std::max<std::size_t>(Widest, columnsOf(Row[Column]));
    if (Widest <= Least || Excess == 0)
      continue;
    const std::size_t Width =
        std::max(Least, Widest - std::min(Widest, Excess));
    Excess -= std::min(Excess, Widest - Width);
    for (auto &Row : Rows)
      Row[Column] = Column == 0 ? cutTo(Row[Column], Width)
                                : cutToEnd(Row[Column], Width);
  }
  return Rows;
}

/// \p Rows, the first of which names the columns. Where they are wider than
/// \p Width, which 0 does not bound, those that others tell are left out, and
/// then names are shortened.
static std::string columnsWithin(std::vector<std::vector<std::string>> Rows,
                                 unsigned Width) {
  std::string Out = columns(Rows);
  std::string Left;
  for (const char *Name : {"waves", "of most", "tail", "rounds", "blocks"}) {
    if (Width == 0 || widestOf(Out) <= Width)
      break;
    auto Found = std::ranges::find(Rows.front(), Name);
    if (Found == Rows.front().end())
      continue;
    std::ptrdiff_t At = Found - Rows.front().begin();
    for (auto &Row : Rows)
      Row.erase(Row.begin() + At);
    Left += (Left.empty() ? "" : ", ") + std::string(Name);
    Out = columns(Rows);
  }
  if (Width != 0 && widestOf(Out) > Width)
    Out = columns(withShortNames(std::move(Rows), widestOf(Out) - Width));
  if (!Left.empty())
    Out += wrapped(fmt::format("not shown for width: {}; --format=csv has all",
                               Left),
                   0, Width) +
           "\n";
  return Out;
}

template <typename T> static std::string orDash(const std::optional<T> &Value) {
  return Value ? fmt::format("{}", *Value) : "-";
}

static std::string orDash(const std::optional<Shape> &Value) {
  return Value ? toString(*Value) : "-";
}

/// blocks, warps, of most, limit, waves, rounds, tail
static void addFigures(const LaunchFigures &Figures,
                       std::vector<std::string> &Row) {
  if (!Figures.Failure.empty()) {
    Row.insert(Row.end(), {"0", "-", "-", "fails", "-", "-", "-"});
    return;
  }
  if (!Figures.Result) {
    Row.insert(Row.end(), 7, "-");
    return;
  }
  const Occupancy &Result = *Figures.Result;
  const std::optional<Waves> &Rounds = Figures.Rounds;
  Row.insert(Row.end(), {std::to_string(Result.BlocksPerSM),
                         std::to_string(Result.WarpsPerSM),
                         percent(Result.Ratio), limitersOf(Result),
                         Rounds ? fmt::format("{:.2f}", Rounds->Count) : "-",
                         Rounds ? std::to_string(Rounds->Rounds) : "-",
                         Rounds ? percent(Rounds->TailWaste) : "-"});
}

std::string occupancyTable(std::span<const LaunchFigures> All, unsigned Width) {
  std::vector<std::vector<std::string>> Rows = {
      {"kernel", "launch", "grid", "block", "regs", "shared", "blocks", "warps",
       "of most", "limit", "waves", "rounds", "tail"}};
  for (const LaunchFigures &Each : All) {
    const LaunchInput &Input = Each.Input;
    std::string Shared = "-";
    if (Input.StaticShared && Input.DynamicShared)
      Shared = std::to_string(*Input.StaticShared + *Input.DynamicShared);
    std::vector<std::string> Row = {
        printable(withoutParameters(Input.Kernel)),
        Input.Where.File.empty()
            ? "-"
            : printable(
                  fmt::format("{}:{}", Input.Where.File, Input.Where.Line)),
        orDash(Input.Grid),
        orDash(Input.Block),
        orDash(Input.Registers),
        Shared};
    addFigures(Each, Row);
    Rows.push_back(std::move(Row));
  }
  return columnsWithin(std::move(Rows), Width);
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

  std::vector<std::vector<std::string>> Table = {
      {std::string(nameOf(What)), "blocks", "warps", "of most", "limit",
       "waves", "rounds", "tail"}};
  if (HasTime)
    Table.front().emplace_back("time");
  Table.front().emplace_back("");
  for (const SweepRow &Row : Rows) {
    std::vector<std::string> Cells = {valuesOf(Row)};
    addFigures(Row.At, Cells);
    if (HasTime)
      Cells.push_back(Row.At.Time && Best > 0
                          ? fmt::format("{:.2f}", *Row.At.Time / Best)
                          : "-");
    Cells.push_back(
        std::string(Row.IsCliff ? "| cliff" : "") +
        (Row.HoldsInput ? (Row.IsCliff ? ", yours" : "yours") : ""));
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
  std::vector<std::vector<std::string>> Table = {
      {"rank", "grid", "block", "time", "warps", "rounds", "tail"}};
  double Best = All.empty() ? 0 : All.front().Time.value_or(0);
  for (std::size_t I = 0; I != std::min(Most, All.size()); ++I) {
    const LaunchFigures &Each = All[I];
    Table.push_back({std::to_string(I + 1), orDash(Each.Input.Grid),
                     orDash(Each.Input.Block),
                     fmt::format("{:.3f}", Each.Time.value_or(0) / Best),
                     std::to_string(residentWarps(Each)),
                     std::to_string(Each.Rounds->Rounds),
                     percent(Each.Rounds->TailWaste)});
  }
  std::string Out = gpuHeading(Gpu) + "\n\n" + columns(Table);
  if (All.size() > Most)
    Out += fmt::format("and {} more\n", All.size() - Most);
  return Out;
}

std::string modelText(const SweepWork &Work,
                      const OccupancyTextOptions &Options) {
  return remarkLine({"time", "is relative to the best; " + Work.ModelWords},
                    Options);
}

} // namespace cudalint
