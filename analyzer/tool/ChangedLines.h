//===- analyzer/tool/ChangedLines.h - Of a unified diff ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_CHANGEDLINES_H
#define CUDA_LINT_ANALYZER_TOOL_CHANGEDLINES_H

#include "report/Document.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudalint {

class EndGuard; // analyzer/resources/ChildProcess.h

/// The lines that a change has added or rewritten, as they are numbered behind
/// it.
struct ChangedLines {
  /// First and last lines, in their order, by file: as the diff names it,
  /// without git's `b/`.
  std::map<std::string, std::vector<std::pair<unsigned, unsigned>>> ByFile;
  /// Why it is no diff; or empty. A diff of nothing is one.
  std::string Error;
};

/// Reads a unified diff, as of `git diff` or `diff -u`, with any number of
/// lines around the changes. Binary files and files that are gone have no
/// lines.
ChangedLines parseDiff(std::string_view Text);

/// The change from \p Revision to the files in the work tree, as git has it:
/// `git diff`, run in the folder of this process. Names are absolute.
/// \p Guard may be null.
ChangedLines changedSince(const std::string &Revision, const EndGuard *Guard);

/// The files in \p Changes that are there, absolute.
std::vector<std::string> changedFiles(const ChangedLines &Changes,
                                      const std::string &Here);

/// The CUDA files in \p Changes that are there, named from \p Here or absolute.
std::vector<std::string> changedSources(const ChangedLines &Changes,
                                        const std::string &Here);

/// The CUDA files in \p Changes that are not there, as the diff names them.
std::vector<std::string> missingSources(const ChangedLines &Changes,
                                        const std::string &Here);

/// Whether \p Changes are of headers, too.
bool changesHeaders(const ChangedLines &Changes);

/// Takes out the findings of \p Documents that are on no line of \p Changes:
/// neither they themselves nor where a macro or an inlined call of theirs is.
/// Names are those from \p Here, and may be those from a folder around it.
void keepChanged(std::span<Document> Documents, const ChangedLines &Changes,
                 const std::string &Here);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_CHANGEDLINES_H
