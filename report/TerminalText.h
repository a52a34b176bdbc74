//===- report/TerminalText.h - Text that is safe and fits -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a terminal needs to know about text: which characters may be shown,
/// and how many columns each takes.
///
/// Widths come from the East Asian Width and General Category tables of
/// Unicode 15, by blocks. For a character outside these blocks the width may
/// be wrong by one, and a caret behind it off by one column.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_TERMINALTEXT_H
#define CUDA_LINT_REPORT_TERMINALTEXT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudalint {

/// One character of a text, made fit to be shown.
struct Glyph {
  std::string Text; ///< UTF-8; `<U+001B>`, `<FF>` where it may not be shown.
  unsigned Columns = 0;  ///< 0 for a combining mark.
  std::size_t Bytes = 0; ///< What it took of the input, at least 1.
};

/// Decodes the first character of \p Text, which must not be empty. Control
/// characters (a tab and a newline too), invisible and direction-changing
/// characters and bytes that are not UTF-8 come back as their numbers.
Glyph firstGlyph(std::string_view Text);

/// \p Text with each character as firstGlyph() shows it.
std::string printable(std::string_view Text);

/// Breaks the printable \p Text between words so that no line is wider than
/// \p Width columns; the first line starts at \p Column, the others are
/// indented by six, as Clang does. A word that is too long stands alone. A
/// \p Width of 0 breaks nothing.
std::string wrapped(std::string_view Text, unsigned Column, unsigned Width);

/// Columns that printable text takes.
unsigned columnsOf(std::string_view Text);

/// Printable text within \p Columns, at least 1: what is too long ends, or for
/// cutToEnd() begins, with `~`.
std::string cutTo(std::string_view Text, std::size_t Columns);
std::string cutToEnd(std::string_view Text, std::size_t Columns);

/// The colours of Clang's diagnostics, all bold.
enum class Style : std::uint8_t { Plain, Error, Warning, Note, Caret };

/// Source text inside a message, in quotes: printable, one line, and not longer
/// than one.
std::string inQuotes(std::string_view Text);

/// \p Text in \p Colour, followed by a reset; \p Text alone when not \p
/// Enabled.
std::string coloured(std::string_view Text, Style Colour, bool Enabled);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_TERMINALTEXT_H
