//===- occupancy/Reports.h - Text, JSON, CSV and plots ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_OCCUPANCY_REPORTS_H
#define CUDA_LINT_OCCUPANCY_REPORTS_H

#include "occupancy/Figures.h"
#include "occupancy/Sweep.h"
#include "report/LaunchRecord.h"

#include <span>
#include <string>

namespace cudalint {

struct OccupancyTextOptions {
  bool UseColour = false;
  bool UseUtf8 = false; ///< Blocks in the plot, else plain characters.
  unsigned Width = 0;   ///< Columns to wrap at; 0 is unlimited.
};

/// One launch with its table, and the explanation below it.
std::string occupancyText(const LaunchFigures &Figures,
                          const OccupancyTextOptions &Options);

/// One row for each launch, for many: kernel, launch, figures, and what their
/// marks mean. Within \p Width columns, which 0 does not bound.
std::string occupancyTable(std::span<const LaunchFigures> All, unsigned Width);

/// The rows of a sweep; the cliffs and the user's own value are marked.
std::string sweepText(const Target &Gpu, SweepOver What,
                      std::span<const SweepRow> Rows,
                      const OccupancyTextOptions &Options);

/// The launches with a time, the fastest first; at most \p Most of them.
std::string rankText(const Target &Gpu, std::span<const LaunchFigures> All,
                     std::size_t Most);

/// What the times of a sweep or a ranking are, for below its table.
std::string modelText(const SweepWork &Work,
                      const OccupancyTextOptions &Options);

/// What a plot shows: "warps per SM", or "warps per SM, at most".
std::string_view plotTitle(std::span<const SweepRow> Rows);

/// Warps over the values of a sweep, in 80 columns.
std::string sweepPlot(const Target &Gpu, SweepOver What,
                      std::span<const SweepRow> Rows,
                      const OccupancyTextOptions &Options);

/// The same as a picture: an SVG document of its own.
std::string sweepSvg(const Target &Gpu, SweepOver What,
                     const LaunchInput &Input, std::span<const SweepRow> Rows);

/// A GPU with what was asked and found; Rows is empty without a sweep.
struct OccupancyAnswer {
  LaunchFigures Figures;
  /// What the analysis judged of a launch of a file: it may fail under an
  /// assumption, which the figures do not make.
  std::optional<LaunchVerdictRecord> Verdict;
  std::optional<SweepOver> Sweep;
  std::vector<SweepRow> Rows;
  std::vector<LaunchFigures> Ranking; ///< The fastest first.
};

/// An object for one answer, an array for any other number of them. Figures
/// that are not known are null.
std::string occupancyJson(std::span<const OccupancyAnswer> Answers,
                          bool AsArray = false);

/// A line of names, then one for each answer or row; unknown figures are empty.
std::string occupancyCsv(std::span<const OccupancyAnswer> Answers);

/// "warps, registers": all that limit as much.
std::string limitersOf(const Occupancy &Result);

/// "32.8 %"
std::string percent(double Ratio);

/// "1.04", or "<0.01" for a grid that is nearly nothing.
std::string wavesOf(const Waves &Rounds);

/// "h200: compute capability 9.0, 132 SMs"
std::string gpuHeading(const Target &Gpu);

/// What is said below the table, as label and phrase: "why", "unit", "gain".
struct Remark {
  std::string_view Label;
  std::string Words;
};
std::vector<Remark> remarksOn(const LaunchFigures &Figures);

/// The same as lines.
std::string remarksText(std::span<const Remark> Remarks,
                        const OccupancyTextOptions &Options);

} // namespace cudalint

#endif // CUDA_LINT_OCCUPANCY_REPORTS_H
