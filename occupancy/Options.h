//===- occupancy/Options.h - The options of cuda-lint occupancy -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_OCCUPANCY_OPTIONS_H
#define CUDA_LINT_OCCUPANCY_OPTIONS_H

#include "occupancy/Figures.h"
#include "occupancy/Sweep.h"
#include "report/Terminal.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace cudalint {

/// What the options hold that are the same for bare numbers and for files,
/// before they are understood; empty is not given.
struct GivenOptionWords {
  std::optional<std::string> SMs, Grid, Shared, DynamicShared, Barriers,
      CarveOut, Sweep;
  // With files they mean nothing.
  std::optional<std::string> Elements, Model, Fit;
  bool Rank = false;
};

/// What these say, with nothing in place of what is not given.
struct GivenNumbers {
  LaunchInput Launch;
  std::optional<int> SMs;
  std::optional<SweepOver> Sweep;
};

void addGivenOptions(CLI::App &App, GivenOptionWords &Words);

/// Empty where an option means nothing, with \p Error, which says why.
std::optional<GivenNumbers> readGivenOptions(const GivenOptionWords &Words,
                                             std::string &Error);

enum class OccupancyFormat : std::uint8_t { Text, Json, Csv };

/// An error for what is none of them, else empty.
std::string readFormat(const std::string &Text, OccupancyFormat &Value);

struct OccupancyOptions {
  std::vector<Target> Gpus; ///< At least one, each once; --sms is in them.
  LaunchInput Input;
  std::optional<SweepOver> Sweep;
  std::optional<SweepWork> Work; ///< --elements; its model by --model.
  bool HasModel = false;         ///< --model was given.
  std::string FitFile;           ///< Of measured launches; empty without.
  bool Rank = false;
  OccupancyFormat Format = OccupancyFormat::Text;
  std::string Output = "-";
  ColourMode Colour = ColourMode::Auto;
};

/// Either Run is there, or IsForFiles, or the program has nothing more to do
/// than to print and to end with Code: 0 for help, 2 for bad usage.
struct ParsedOccupancy {
  std::optional<OccupancyOptions> Run;
  /// The arguments name source files: only the analyzer can read them.
  bool IsForFiles = false;
  std::string Out; ///< For standard output.
  std::string Err; ///< For standard error.
  int Code = 0;
};

/// Whether \p Output is to be a plot: its name ends in .svg, or .SVG.
bool isSvg(std::string_view Output);

/// Reads the arguments behind `cuda-lint occupancy`. Looks at no file.
ParsedOccupancy parseOccupancy(const std::vector<std::string> &Arguments);

} // namespace cudalint

#endif // CUDA_LINT_OCCUPANCY_OPTIONS_H
