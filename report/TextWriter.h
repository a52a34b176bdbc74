//===- report/TextWriter.h - Diagnostics for people -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints findings as Clang prints its diagnostics, the dearest problem first:
///
///   a.cu:6:17: warning: load of 'v' touches 12 sectors per request, ideal 4;
///         keep the field in an array of its own [global-uncoalesced]
///       6 |   f[threadIdx.x] = v[threadIdx.x].x;
///         |                 ^ 60 % of the sectors of 'func'; assumes 'n' is
///         large
///
///   1 warning in 1 file (1 kernel, 2 accesses predicted)
///   1 finding: 1 assumed
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

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

/// In which order problems are printed.
enum class FindingOrder : std::uint8_t {
  Waste, ///< The dearest first.
  Line,  ///< By file and line.
};

struct TextOptions {
  bool UseColour = false;
  /// Columns of the terminal, to wrap messages and trim source lines at; 0 is
  /// unlimited.
  unsigned Width = 0;
  bool ShowSource = true;  ///< The source line and the caret.
  bool ShowErrors = true;  ///< The compiler's errors in each unit.
  bool ShowFixes = true;   ///< With ShowAll, a note for each fix.
  bool ShowDetail = false; ///< Finding::Detail.
  /// The whole sentence, all assumptions, call stacks and places.
  bool ShowAll = false;
  bool ShowSummary = true; ///< The first lines and the last.
  FindingOrder Sort = FindingOrder::Waste;
  /// Problems to print, the dearest; empty: all.
  std::optional<std::size_t> MaxFindings = std::nullopt;
};

/// Gives the contents of a file, or nothing when there are none to show. Asked
/// once for each file; the text must live until the writer returns, so do not
/// give it a function that returns a std::string.
using SourceText =
    std::function<std::optional<std::string_view>(const std::string &File)>;

/// Returns the report of \p Documents, one for each target. Location::Column
/// counts bytes, as Clang's columns do.
///
/// Findings that are one problem are printed once, for all targets; see
/// groupFindings().
std::string toText(std::span<const Document> Documents,
                   const TextOptions &Options, const SourceText &Source);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_TEXTWRITER_H
