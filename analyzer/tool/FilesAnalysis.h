//===- analyzer/tool/FilesAnalysis.h - All files of a run -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_FILESANALYSIS_H
#define CUDA_LINT_ANALYZER_TOOL_FILESANALYSIS_H

#include "analyzer/checks/Check.h"
#include "analyzer/resources/Resources.h"
#include "analyzer/tool/Options.h"
#include "report/Document.h"

#include <string>
#include <vector>

namespace cudalint {

/// What a run over all files gave, before anything is printed.
struct FilesResult {
  std::vector<Document> Documents; ///< One for each GPU; sorted.
  std::string Diagnostics;         ///< Clang's, for standard error.
  std::vector<std::string> Notes;  ///< For standard error.
  std::string Explanations;
  /// Why nothing was evaluated: options that the files do not bear out. Empty
  /// when something was.
  std::string Error;
};

/// Parses the files once for each architecture, several at a time, and
/// evaluates them for each GPU. A file that cannot be analysed is a unit with
/// errors. \p Resources is null when nobody needs them.
FilesResult analyseFiles(const Options &Run,
                         const std::vector<const Check *> &Checks,
                         const ResourceFinder *Resources);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_FILESANALYSIS_H
