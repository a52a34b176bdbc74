//===- analyzer/tool/FixRun.h - --fix and its like --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_FIXRUN_H
#define CUDA_LINT_ANALYZER_TOOL_FIXRUN_H

#include "analyzer/fix/ProvedFixes.h"
#include "analyzer/tool/Options.h"

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// The fixes of one run: they are proved, then shown, exported, or applied.
class FixRun {
public:
  /// \p Start is when the run began to read its files: what has changed since
  /// is left alone.
  FixRun(const Options &Run, std::chrono::system_clock::time_point Start);

  /// Proves the fixes of \p Documents, which outlive this; \p Only as FixScope
  /// has it.
  void prove(std::span<const Document> Documents, const Reanalysis &Again,
             std::optional<std::size_t> Only = {});
  const ProvedFixes &proved() const { return Proved; }
  /// What \p File holds, of which an edit was tried.
  std::string textOf(const std::string &File) {
    return std::string(original(File).value_or(""));
  }

  /// The patch, where the run asks for it.
  std::string patch() const;

  /// Writes what the run asks for: the exported fixes, and the files. Returns
  /// why it cannot, a line for each file.
  std::vector<std::string> write();

  /// What became of each fix, and in all, each a line for standard error.
  std::vector<std::string> remarks() const;

  /// The analysis of the files as they are now; null: that of the run.
  const std::vector<Document> *after() const;
  /// What the files hold that were written.
  const std::map<std::string, std::string> &texts() const { return Written; }

private:
  std::optional<std::string_view> original(const std::string &File);
  std::string whyNotOurs(const std::string &File) const;
  bool isWritten(const Fix &What) const;

  const Options &Run;
  std::chrono::system_clock::time_point Start;
  std::string Here, Root;
  std::span<const Document> Before;
  ProvedFixes Proved;
  /// By name; nothing where it is not to be edited.
  std::map<std::string, std::optional<std::string>> Originals;
  std::map<std::string, std::string> Written;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_FIXRUN_H
