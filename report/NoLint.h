//===- report/NoLint.h - Findings that a comment silences -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `// NOLINT(cuda-lint-tail-wave)` in the analysed source:
///
///   a.cu:12:30: 'cuda-lint-tail-wave' silences nothing here; remove it
///
/// report/NoLintReader.h says how comments are read: as by clang-tidy.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_NOLINT_H
#define CUDA_LINT_REPORT_NOLINT_H

#include "report/Document.h"
#include "report/TextWriter.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// In front of the name of a check of ours, in comments: those are read by
/// clang-tidy, too, whose checks all begin with the name of a module.
inline constexpr std::string_view NoLintPrefix = "cuda-lint-";

enum class NoLintFault : std::uint8_t {
  LoneBegin,    ///< `NOLINTBEGIN` without its end: it silences nothing.
  LoneEnd,      ///< `NOLINTEND` without its begin.
  ListNotRead,  ///< `NOLINT (cuda-lint-x)`, which silences all.
  UnknownCheck, ///< `cuda-lint-x`, which no check is called.
  Unused,       ///< `cuda-lint-x`, for which there is no finding.
};

/// What is wrong with a comment.
struct NoLintRemark {
  NoLintFault Fault = NoLintFault::Unused;
  Location Where;      ///< Of the word, or of the name in its list.
  std::string Message; ///< Printable; lower case, no full stop.
};

struct NoLintOptions {
  /// The names of all checks that there are, without the prefix.
  std::vector<std::string> Checks;
  /// The name of these that a word, which is none, is most likely meant to be;
  /// or empty. May be null.
  std::function<std::string(std::string_view)> Nearest;
  /// Files in which names are looked at, whether or not there are findings, by
  /// the names that findings give them: those that all findings are known of.
  /// For a header, whoever includes it must have been analysed.
  std::vector<std::string> Files;
};

/// Moves each finding for which there is a comment to UnitRecord::Silenced, in
/// their order. Errors, too: a comment means what it says.
///
/// It must stand where the finding is, Finding::Where; or, if that is where a
/// macro is used, on any line of the definition of one of Finding::Macros. In
/// that we err on the side of silence: clang-tidy, which knows the line of the
/// definition, asks for that one. Calls and inclusions that lead there do not
/// matter. A finding of a place that the text does not have, as behind a
/// `#line`, is not silenced.
///
/// Returns what is wrong with comments, by place: with blocks in each file that
/// has a finding or is in \p Options.Files, if they concern us; with names in
/// the latter. A name is unused if nothing in all \p Documents is silenced by
/// it and each check that it stands for has run in each of them, without being
/// in Document::Skipped; if the file is a unit, without errors. Names of other
/// tools are nobody's. Each file is asked for once.
std::vector<NoLintRemark> silenceByComments(std::span<Document> Documents,
                                            const SourceText &Source,
                                            const NoLintOptions &Options);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_NOLINT_H
