//===- analyzer/tool/OptionTable.h - What the options are -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_OPTIONTABLE_H
#define CUDA_LINT_ANALYZER_TOOL_OPTIONTABLE_H

#include "analyzer/tool/ResourceOption.h"

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace cudalint {

/// What the options hold before they are understood.
struct RawOptions {
  std::vector<std::string> Files;
  std::string Build;
  std::string Config;
  std::string ConfigFile;
  bool DumpConfig = false;
  std::string Diff;
  std::vector<std::string> Exclude;
  std::string HeaderFilter;
  std::string Baseline;
  std::string WriteBaseline;
  bool UnusedNoLint = false;
  std::string Fix;
  bool FixDryRun = false;
  std::string ExportFixes;
  /// By the name of the format.
  std::map<std::string, std::string> Outputs;
  std::vector<std::string> Gpus;
  std::string Format = "text";
  std::string Output = "-";
  std::string Checks;
  std::string FailOn;
  std::vector<std::string> Launches;
  std::string LaunchesFrom;
  std::string Block;
  RawResourceOptions Resources;
  std::string MinOccupancy;
  bool Summary = false;
  std::string CudaPath;
  std::string Explain;
  std::string Colour = "auto";
  std::string Jobs;
  std::string Sort = "waste";
  std::string MaxFindings;
  bool ExplainAll = false;
  bool Quiet = false;
  bool AsWritten = false;
  bool Version = false;
};

/// Declares the options, their help and that of the program; parsing fills in
/// \p Raw, which outlives \p App.
void declare(CLI::App &App, RawOptions &Raw);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_OPTIONTABLE_H
