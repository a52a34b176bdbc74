//===- analyzer/tool/Configuration.h - .cuda-lint ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a project wants of the linter, in YAML beside its sources, as
/// .clang-tidy has it:
///
///   Checks: '-*,shared-*,global-*'
///   Severities: { shared-bank-conflict: error, small-grid: off }
///   Gpus: [h200, sm_80]
///   FailOn: warning
///   MinOccupancy: 50
///   Exclude: [third_party/*]
///   Paths:
///     - Match: [tests/*, bench/*]
///       Checks: '-*'
///   InheritParentConfig: true
///
/// Of a file, that of the nearest folder counts; what the command line says
/// comes behind it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_CONFIGURATION_H
#define CUDA_LINT_ANALYZER_TOOL_CONFIGURATION_H

#include "report/Finding.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// What every file of a configuration is called.
constexpr const char *ConfigurationName = ".cuda-lint";

/// Of a check, or of a glob of them; empty: it is off.
/// A number of a check that may be set: as CheckOption has it.
struct OptionRange {
  std::string Name;
  double Least = 0, Most = 0;
};

/// What a configuration may speak of.
struct KnownChecks {
  std::vector<std::string> Names;
  std::vector<OptionRange> Options;
};

using Severities = std::map<std::string, std::optional<Severity>>;

/// What holds for some files only.
/// Numbers of checks, by the names of their options.
using OptionNumbers = std::map<std::string, double, std::less<>>;

struct PathSettings {
  /// Globs of names from the folder of the configuration, in which `*` also
  /// goes through folders.
  std::vector<std::string> Match;
  std::string Checks; ///< Globs, behind those that hold for all.
  Severities Levels;
  OptionNumbers Options;
};

struct Configuration {
  std::string Checks; ///< Globs, as --checks has them.
  Severities Levels;
  OptionNumbers Options;
  std::vector<std::string> Gpus;    ///< As --gpu; empty: not said.
  std::string FailOn;               ///< As --fail-on; empty: not said.
  std::string MinOccupancy;         ///< As --min-occupancy; empty: not said.
  std::vector<std::string> Exclude; ///< Globs of files that are not linted.
  std::vector<PathSettings> Paths;
  bool InheritsParent = false;

  std::string Folder; ///< From which Match and Exclude are named; absolute.

  /// Whether \p File, an absolute name, is to be left out.
  bool excludes(const std::string &File) const;
  /// The globs of all that hold for \p File, in the order in which they count.
  std::string checksFor(const std::string &File) const;
  /// What is set for \p File.
  OptionNumbers optionsFor(const std::string &File) const;
  /// What \p File wants of the findings of \p Check; the outer empty: nothing.
  std::optional<std::optional<Severity>> levelOf(const std::string &File,
                                                 std::string_view Check) const;
};

struct ConfigurationRead {
  Configuration Value;
  /// `FILE:LINE:COLUMN: ...`, in words for a user; or empty.
  std::string Error;
};

/// \p Text is that of the file \p Name. Checks and globs are compared with \p
/// Checks, the names of all.
ConfigurationRead parseConfiguration(std::string_view Text,
                                     const std::string &Name,
                                     const std::string &Folder,
                                     const KnownChecks &Checks);

/// Finds and reads configurations, each once.
class Configurations {
public:
  /// \p Forced counts for all files in place of those beside them.
  explicit Configurations(KnownChecks Checks,
                          std::optional<Configuration> Forced = std::nullopt)
      : Checks(std::move(Checks)), Forced(std::move(Forced)) {}

  /// That of the files in \p Folder, which is absolute; without any, one that
  /// says nothing. What is wrong with one is in error().
  const Configuration &of(const std::string &Folder);
  const std::string &error() const { return Error; }

private:
  KnownChecks Checks;
  std::optional<Configuration> Forced;
  std::map<std::string, std::shared_ptr<const Configuration>> ByFolder;
  std::string Error;
};

/// As YAML that parseConfiguration() reads.
std::string dumpConfiguration(const Configuration &Value);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_CONFIGURATION_H
