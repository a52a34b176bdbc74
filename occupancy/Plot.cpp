//===- occupancy/Plot.cpp - A sweep as a plot in the terminal -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Reports.h"

#include "report/TerminalText.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cudalint {

static constexpr std::size_t Columns = 64;
static constexpr std::size_t Lines = 8;
static constexpr std::size_t Margin = 8; ///< Labels left of the axis.

/// The row that holds \p Value, which is at most the last row's end.
static const SweepRow &rowAt(std::span<const SweepRow> Rows, double Value) {
  for (const SweepRow &Row : Rows)
    if (Value <= static_cast<double>(Row.To))
      return Row;
  return Rows.back();
}

/// One line of bars; \p Line counts from the bottom.
static std::string barLine(std::span<const unsigned> Warps, unsigned Most,
                           std::size_t Line, bool UseUtf8) {
  static constexpr const char *Eighths[] = {" ", "▁", "▂", "▃", "▄",
                                            "▅", "▆", "▇", "█"};
  std::string Out;
  for (unsigned Each : Warps) {
    // In eighths of a line, rounded up so that one warp is seen.
    std::size_t Height = (std::size_t{Each} * Lines * 8 + Most - 1) / Most;
    std::size_t Part =
        Height <= Line * 8 ? 0 : std::min<std::size_t>(Height - Line * 8, 8);
    if (UseUtf8)
      Out += Eighths[Part];
    else
      Out += Part >= 5 ? '#' : Part != 0 ? '_' : ' ';
  }
  Out.erase(Out.find_last_not_of(' ') + 1);
  return Out;
}

std::string_view plotTitle(std::span<const SweepRow> Rows) {
  return std::ranges::any_of(
             Rows, [](const SweepRow &Row) { return Row.At.IsAtMost; })
             ? "warps per SM, at most"
             : "warps per SM";
}

std::string sweepPlot(const Target &Gpu, SweepOver What,
                      std::span<const SweepRow> Rows,
                      const OccupancyTextOptions &Options) {
  if (Rows.empty())
    return {};
  auto Last = static_cast<double>(Rows.back().To);
  std::vector<unsigned> Warps;
  for (std::size_t C = 0; C != Columns; ++C)
    Warps.push_back(
        warpsOf(rowAt(Rows, Last * static_cast<double>(C + 1) / Columns).At));

  unsigned Most = Gpu.Arch->WarpsPerSM;
  std::string Out = fmt::format("  {}\n", plotTitle(Rows));
  for (std::size_t Line = Lines; Line-- != 0;) {
    // Every other line has a label: that of its upper end.
    std::string Label =
        (Line + 1) % 2 == 0 ? std::to_string(Most * (Line + 1) / Lines) : "";
    Out += fmt::format("{:>6} {}{}\n", Label, Options.UseUtf8 ? "│" : "|",
                       barLine(Warps, Most, Line, Options.UseUtf8));
  }

  // The last column whose bar is still of the row that ends with a value.
  auto lastOf = [&](double Value) {
    auto C = static_cast<std::size_t>(Value * Columns / Last);
    return std::min(C == 0 ? 0 : C - 1, Columns - 1);
  };
  // The column that a value is in.
  auto columnOf = [&](std::uint64_t Value) {
    double C = std::ceil(static_cast<double>(Value) * Columns / Last);
    return std::min(C < 1 ? 0 : static_cast<std::size_t>(C) - 1, Columns - 1);
  };
  std::string Axis(Columns, '-'), Mine(Columns, ' ');
  bool HasMine = false;
  for (const SweepRow &Row : Rows) {
    if (Row.IsCliff)
      Axis[lastOf(static_cast<double>(Row.To))] = '|';
    if (Row.Yours) {
      Mine[columnOf(*Row.Yours)] = '^';
      HasMine = true;
    }
  }
  Out += std::string(Margin - 1, ' ') + "+" + Axis + "\n";
  Mine.erase(Mine.find_last_not_of(' ') + 1);
  if (HasMine)
    Out += std::string(Margin, ' ') +
           coloured(Mine, Style::Caret, Options.UseColour) + "\n";
  std::string Unit = What == SweepOver::Block       ? "threads of a block"
                     : What == SweepOver::Registers ? "registers per thread"
                                                    : "bytes of shared memory";
  std::string Ends = fmt::format("{}  {}  (|: a cliff{})", Rows.front().From,
                                 Unit, HasMine ? ", ^: yours" : "");
  std::string End = std::to_string(Rows.back().To);
  Ends.resize(std::max(Columns - End.size(), Ends.size() + 1), ' ');
  return Out + std::string(Margin, ' ') + Ends + End + "\n";
}

} // namespace cudalint
