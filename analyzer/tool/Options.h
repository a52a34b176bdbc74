//===- analyzer/tool/Options.h - The command line ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_OPTIONS_H
#define CUDA_LINT_ANALYZER_TOOL_OPTIONS_H

#include "analyzer/pipeline/LaunchList.h"
#include "analyzer/project/Project.h"
#include "analyzer/resources/Resources.h"
#include "analyzer/tool/Configuration.h"
#include "analyzer/tool/LaunchOption.h"
#include "analyzer/tool/OccupancyCommand.h"
#include "analyzer/tool/ProveOptions.h"
#include "hardware/Architecture.h"
#include "report/Finding.h"
#include "report/Terminal.h"
#include "report/TextWriter.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// The exit codes of the program.
enum ExitCode : int {
  NothingFound = 0,    ///< Nothing at or above the threshold.
  SomethingFound = 1,  ///< Findings at or above it.
  NothingAnalysed = 2, ///< Bad usage, or nothing could be analysed.
  SomeNotAnalysed = 3, ///< A part of the input could not be analysed.
};

enum class Command {
  Analyse,
  Merge,   ///< Of reports, which Inputs are.
  Discard, ///< What a build makes of the files of Launched is removed.
  Occupancy,
  Prove,
  ListChecks,
  Explain,
  WriteCheckPages,
  Version ///< With the toolkit that CudaPath chooses.
};
enum class OutputFormat {
  Text,
  Json,
  Sarif,
  Github,
  Gitlab,
  Rdjson,
  Junit,
  Html
};

/// A compiler that a build runs meanwhile.
struct LaunchedBuild {
  std::vector<std::string> Words;   ///< The compiler and its arguments.
  std::vector<std::string> Options; ///< Of ours, as the user wrote them.
  int Running = -1;                 ///< As in BuiltObjects.
  std::string Results;              ///< A folder for reports; empty: none.
};

/// What becomes of fixes.
struct FixOptions {
  bool Apply = false; ///< Files are edited.
  bool Show = false;  ///< A patch is printed.
  FixSafety Most = FixSafety::Safe;
  std::string Export; ///< A file; empty: none.

  bool areWished() const { return Apply || Show || !Export.empty(); }
};

struct Options {
  Command What = Command::Analyse;
  /// Each once, as the user wrote them: files, folders and globs; empty: all
  /// that Build compiles.
  std::vector<std::string> Inputs;
  /// A database of compile commands, or its folder; empty: the nearest one.
  std::string Build;
  /// There is a `--`: no database is looked for.
  bool HasCompilerArguments = false;
  /// Inputs and Build are empty then: it says what is compiled, and how.
  std::optional<LaunchedBuild> Launched;
  std::vector<ProjectFile> Files;     ///< Filled when the run begins.
  std::vector<ProjectFile> HostFiles; ///< As Project has them; likewise.
  /// Absolute names: of the build, what is or includes one of these is linted;
  /// empty: all. Filled when the run begins.
  std::vector<std::string> ChangedHeaders;
  /// Of the files that can be read but once: what they hold, and of those that
  /// could not be read, why. By name; filled when the run begins.
  std::map<std::string, std::string> Texts, Unreadable;
  std::vector<std::string> CompilerArguments; ///< What follows `--`.
  std::vector<Target> Gpus;                   ///< At least one, each once.
  bool HasGpus = false;                       ///< The user named them.
  std::vector<std::string> Notes; ///< For standard error, each a line.
  OutputFormat Format = OutputFormat::Text;
  std::string Output = "-"; ///< `-` is standard output.
  /// Other reports, and the files they go to; `-` is none.
  std::map<OutputFormat, std::string> Outputs;
  std::string Baseline;      ///< A file; empty: none.
  std::string WriteBaseline; ///< A file; empty: none.
  bool UnusedNoLint = false;
  FixOptions Fixes;
  std::string Checks; ///< Globs; empty is the default.
  std::optional<Severity> FailOn = Severity::Error; ///< Empty is never.
  bool HasFailOn = false;                           ///< The user said it.
  std::string Config;     ///< YAML in place of all configurations, or
  std::string ConfigFile; ///< a file that holds it; empty: none.
  bool DumpConfig = false;
  std::vector<std::string> Exclude; ///< Globs, besides the configuration's.
  std::string HeaderFilter;         ///< A regular expression; empty: all.
  std::string Diff; ///< A revision, or - for standard input; empty: all lines.
  ShapeOptions Shapes;
  std::string LaunchesFrom; ///< A file or a folder; empty for none.
  /// What it holds; filled when the run begins.
  std::optional<LaunchList> Listed;
  std::string CudaPath;
  /// Complete: with the toolkit.
  ResourceOptions Resources;
  std::optional<double> MinOccupancy; ///< 0 .. 1; less is an error.
  bool Summary = false;    ///< Print the table of kernels below the findings.
  bool Explain = false;    ///< Print the details of findings.
  bool ExplainAll = false; ///< Print all that is known of each finding.
  FindingOrder Sort = FindingOrder::Waste;
  std::optional<std::size_t> MaxFindings; ///< At least 1; empty: all.
  std::optional<Location> ExplainAt;
  ColourMode Colour = ColourMode::Auto;
  bool Quiet = false;
  bool AsWritten = false;                    ///< As in AnalysisSettings.
  unsigned Jobs = 0;                         ///< 0: as many as there are cores.
  std::optional<OccupancyRequest> Occupancy; ///< Of that command.
  std::optional<ProveOptions> Prove;         ///< Of that command.
  std::string Argument; ///< Of a sub-command: the check, or the folder.
};

/// Either Run is there, or the program has nothing more to do than to print
/// and end: help, version, or bad usage.
struct ParsedOptions {
  std::optional<Options> Run;
  std::string Out; ///< For standard output.
  std::string Err; ///< For standard error.
  int Code = NothingFound;
};

/// Bad usage, in words for a user.
ParsedOptions refuse(std::string_view Message);

/// Reads the arguments behind the program's name. Looks at no file.
ParsedOptions parseOptions(const std::vector<std::string> &Arguments);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_OPTIONS_H
