//===- report/SourceSnippet.h - A source line and its caret -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SOURCESNIPPET_H
#define CUDA_LINT_REPORT_SOURCESNIPPET_H

#include "report/TextWriter.h"

#include <cstdint>
#include <map>
#include <vector>

namespace cudalint {

/// The files that a report quotes, each asked for once and cut into lines once.
/// Lines end at \n, \r\n or \r, as for Clang.
class QuotedSources {
public:
  explicit QuotedSources(const SourceText &Source) : Source(Source) {}

  /// Line \p Number, from 1, without its end; nothing where there is none.
  std::optional<std::string_view> line(const std::string &File,
                                       unsigned Number);

  /// \p Length bytes at \p Offset; nothing when they are not all there.
  std::optional<std::string_view>
  text(const std::string &File, std::uint64_t Offset, std::uint64_t Length);

  /// The place of byte \p Offset; nothing when it is not there. The end of the
  /// file counts as there.
  std::optional<Location> place(const std::string &File, std::uint64_t Offset);

  /// The reverse: the byte of \p Where; of a column that is not known, the
  /// first of the line. Nothing when it is not there.
  std::optional<std::uint64_t> offset(const Location &Where);

private:
  struct Quoted {
    std::optional<std::string_view> Text;
    std::vector<std::size_t> LineStarts;
  };

  const Quoted &get(const std::string &File);

  const SourceText &Source;
  std::map<std::string, Quoted> Files;
};

/// The first columns of a snippet line: the line number, or blanks for 0.
std::string snippetGutter(unsigned LineNumber);

/// \p Line behind its number and, where \p Column is not 0, a caret below its
/// byte \p Column (from 1). Tabs are expanded to columns of eight. A line wider
/// than \p Options.Width is cut around the caret, with `...` where it was cut;
/// without a width, at 4096 columns. Ends with a newline.
std::string snippet(std::string_view Line, unsigned LineNumber, unsigned Column,
                    const TextOptions &Options);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SOURCESNIPPET_H
