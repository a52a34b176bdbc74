//===- report/NoLintReader.h - NOLINT in a source text ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds `NOLINT`, `NOLINTNEXTLINE`, `NOLINTBEGIN` and `NOLINTEND` as
/// clang-tidy 22 does, with which one comment silences both tools:
///
/// - They are words of the text, not of its comments: a string literal has
///   them, too. No letter follows, but anything else may: `NOLINT_X` is one.
/// - A list follows at once and ends in the same line: `NOLINT(a, b-*)`. All
///   else, `NOLINT (a)` or `NOLINT(a`, has none, and without a list they
///   silence all; an empty list silences nothing.
/// - Lines end at \n alone.
///
/// All of this takes time and memory in proportion to the text.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_NOLINTREADER_H
#define CUDA_LINT_REPORT_NOLINTREADER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cudalint {

enum class NoLintKind : std::uint8_t { Line, NextLine, Begin, End };

/// `NOLINT`, `NOLINTNEXTLINE`
std::string_view nameOf(NoLintKind Kind);

/// A name or glob of a list, without the blanks around it.
struct NoLintItem {
  std::string_view Glob;
  std::size_t Offset = 0; ///< In the text.
};

struct NoLintDirective {
  NoLintKind Kind = NoLintKind::Line;
  std::size_t Offset = 0; ///< Of its `N` in the text.
  std::size_t End = 0;    ///< Just behind it and its list.
  /// Between the brackets, part of the text; nothing: there is no list.
  std::optional<std::string_view> List;

  /// Whether it is meant for the check that is called so, by its full name.
  bool isFor(std::string_view Name) const;
  /// Those that silence: without `-name`, which clang-tidy skips.
  std::vector<NoLintItem> items() const;
};

/// Whether \p Glob, in which `*` is any text, is all of \p Name.
bool matchesGlob(std::string_view Name, std::string_view Glob);

/// In the order of the text, which must outlive them.
std::vector<NoLintDirective> readNoLint(std::string_view Text);

/// What `NOLINTBEGIN` and `NOLINTEND` enclose; the figures are indices of the
/// directives.
struct NoLintBlocks {
  struct Block {
    std::size_t Begin = 0, End = 0;
  };
  struct LoneEnd {
    std::size_t End = 0;
    /// The innermost that is open there, and has another list.
    std::optional<std::size_t> Open;
  };
  std::vector<Block> Closed; ///< One is in another or beside it. By their ends.
  std::vector<std::size_t> LoneBegins;
  std::vector<LoneEnd> LoneEnds;
};

/// An end closes the innermost open block if the two lists are the same but for
/// blanks, else nothing.
NoLintBlocks pairUp(const std::vector<NoLintDirective> &Directives);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_NOLINTREADER_H
