//===- runtime/tool/SourceFiles.h - Files that a report quotes --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_SOURCEFILES_H
#define CUDA_LINT_RUNTIME_TOOL_SOURCEFILES_H

#include "report/TextWriter.h"
#include "runtime/join/OtherSources.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// Files that a report quotes, each read once. Their names come from profiles
/// and predictions, which may be anybody's: with a root, nothing is quoted that
/// is not below it, symbolic links followed.
class SourceFiles {
public:
  /// Files below one of \p Roots, folders; without any, all files.
  explicit SourceFiles(const std::vector<std::string> &Roots);

  /// Lives no longer than this object.
  SourceText text();
  /// The same.
  SourceLookup lookup();

private:
  bool isBelowRoot(const std::string &File) const;

  const bool AllowsAll;
  std::vector<std::string> Roots; ///< Canonical, a slash at their ends.
  std::map<std::string, std::optional<std::string>> Texts;
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_SOURCEFILES_H
