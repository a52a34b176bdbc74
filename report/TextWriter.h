//===- report/TextWriter.h - Diagnostics for people -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints findings as Clang prints its diagnostics:
///
///   a.cu:6:17: warning: load touches 12 sectors per request, ideal 4
///         [global-uncoalesced]
///       6 |   f[threadIdx.x] = v[threadIdx.x].x;
///         |                 ^
///   a.cu:6:17: note: assumes data is 256-byte aligned
///   a.cu:4: note: in kernel 'func(vec3d *, float *)'
///
///   1 warning in 1 file (1 kernel, 2 accesses predicted)
///
/// The accesses are those of the source: each place once, whatever the compiler
/// makes of it.
///
/// Names and messages come from the analysed code: control characters,
/// invisible ones and bytes that are not UTF-8 are shown as <U+001B> or <FF>.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_TEXTWRITER_H
#define CUDA_LINT_REPORT_TEXTWRITER_H

#include "report/Document.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

struct TextOptions {
  bool UseColour = false;
  /// Columns of the terminal, to wrap messages and trim source lines at; 0 is
  /// unlimited.
  unsigned Width = 0;
  bool ShowSource = true;  ///< The source line and the caret.
  bool ShowErrors = true;  ///< The compiler's errors in each unit.
  bool ShowFixes = true;   ///< A note for each fix.
  bool ShowDetail = false; ///< Finding::Detail.
  bool ShowSummary = true; ///< The last line.
};

/// Gives the contents of a file, or nothing when there are none to show. Asked
/// once for each file; the text must live until the writer returns, so do not
/// give it a function that returns a std::string.
using SourceText =
    std::function<std::optional<std::string_view>(const std::string &File)>;

/// Returns the report of \p Documents, one for each target. Location::Column
/// counts bytes, as Clang's columns do.
///
/// Findings come in the order of the documents. Those that say the same about
/// the same place for other instantiations, launches or call sites are printed
/// once, with how many more there are.
std::string toText(std::span<const Document> Documents,
                   const TextOptions &Options, const SourceText &Source);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_TEXTWRITER_H
