//===- runtime/tool/Options.h - The command line of confirm -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_OPTIONS_H
#define CUDA_LINT_RUNTIME_TOOL_OPTIONS_H

#include "report/Terminal.h"
#include "runtime/join/CompareGate.h"
#include "runtime/join/LineJudge.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudalint {

/// As those of cuda-lint.
enum ExitCode : int {
  NothingFound = 0,   ///< Nothing that --fail-on names.
  SomethingFound = 1, ///< Something that it names.
  NothingDone = 2,    ///< Bad usage, or nothing could be joined.
  PartlyDone = 3,     ///< The program failed, or a part was not measured.
};

enum class FailOn { Never, Refuted, Missed }; ///< Where there are predictions.
enum class OutputFormat { Text, Json };

struct Options {
  std::vector<std::string> Predictions;    ///< JSON files.
  std::vector<std::string> Sources;        ///< To be linted; or BEFORE, AFTER.
  std::vector<std::string> ExtraArguments; ///< Of the compiler, for Sources.
  std::vector<std::string> Profiles;
  std::vector<std::string> Ncu; ///< Exported pages of one report.
  /// The programs to run: one, two with Compare, none with Profiles.
  std::vector<std::vector<std::string>> Commands;
  bool Compare = false;
  bool Hotspots = false;    ///< In place of verdicts.
  bool Occupancy = false;   ///< A further run for achieved occupancy and DRAM.
  bool Stalls = false;      ///< A further run for the reasons of stalls.
  bool CheckUnits = false;  ///< Further runs for what hardware units count.
  bool NoArguments = false; ///< Of programs, in what is written.
  bool NoCounters = false;  ///< Launches and times alone.
  bool Once = false;        ///< Counters, and no second run for times.

  std::string Kernel; ///< A POSIX extended regular expression; may be empty.
  std::optional<std::uint64_t> Launches; ///< To measure, of each kernel.
  bool AllLaunches = false;
  std::uint64_t Skip = 0; ///< Launches of each kernel, which count for nothing.
  std::string Range;      ///< Of the program, in NVTX's words; may be empty.
  std::optional<double> Overhead; ///< Per cent, where neither is given.
  std::optional<double> Timeout;  ///< Seconds.
  std::string Probe;              ///< Path; empty: beside the program.
  std::string Cupti;              ///< Path; empty: the probe looks itself.
  std::string SaveProfile;        ///< Folder; may be empty.

  Tolerance Allowed;
  FailOn Gate = FailOn::Never;
  std::set<CompareGate> Gates; ///< With Compare.
  double Threshold = 0;        ///< How much worse is allowed, a share.
  /// Of each program for its times, with Compare.
  unsigned Runs = LeastPairs + 1;
  /// The share of predicted lines that must have counts.
  double LeastCoverage = 0.5;
  OutputFormat Format = OutputFormat::Text;
  std::string Output = "-";
  ColourMode Colour = ColourMode::Auto;
  bool ShowAll = false;
  std::optional<std::size_t> Top; ///< Kernels, and lines of each, to show.
  std::string SourceRoot;         ///< Folder; empty: not given.
  bool Quiet = false;

  /// Without predictions, what was measured is all there is to tell.
  bool isHotspots() const { return !Compare && (Hotspots || !isLinted()); }
  /// Whether there is a linter's word on the program.
  bool isLinted() const { return !Predictions.empty() || !Sources.empty(); }
};

/// Either Run is there, or the program has nothing more to do than to print
/// and end: help, version, or bad usage.
struct ParsedOptions {
  std::optional<Options> Run;
  std::string Out; ///< For standard output.
  std::string Err; ///< For standard error.
  int Code = NothingFound;
};

/// Reads the arguments behind the program's name. Looks at no file.
ParsedOptions parseOptions(const std::vector<std::string> &Arguments);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_OPTIONS_H
