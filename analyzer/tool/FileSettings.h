//===- analyzer/tool/FileSettings.h - What each file wants ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_FILESETTINGS_H
#define CUDA_LINT_ANALYZER_TOOL_FILESETTINGS_H

#include "analyzer/checks/Check.h"
#include "analyzer/tool/Configuration.h"
#include "report/Document.h"

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// The checks and severities of each file of a run, as its configuration and
/// the command line have them.
class FileSettings {
public:
  using AllChecks = std::vector<std::unique_ptr<Check>>;

  explicit FileSettings(const AllChecks &All) : All(All) {}

  /// \p File is called so in documents, and \p Absolute on disk. \p Globs are
  /// those of the command line, behind those of \p Its. Returns what is wrong
  /// with them; empty: nothing.
  std::string add(const std::string &File, const std::string &Absolute,
                  const Configuration &Its, const std::string &Globs);

  /// Those that any file wants, in their order.
  std::vector<const Check *> checks() const;

  /// What is set of their options, by the names of files.
  const std::map<std::string, OptionValues> &values() const { return Values; }

  /// Takes out the findings that their file does not want, and gives the others
  /// the severity that it does.
  void apply(std::span<Document> Documents) const;

private:
  struct OfFile {
    std::set<std::string_view> On;
    std::map<std::string_view, Severity> Levels;
  };

  const AllChecks &All;
  std::map<std::string, OfFile> ByFile;
  std::map<std::string, OptionValues> Values;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_FILESETTINGS_H
