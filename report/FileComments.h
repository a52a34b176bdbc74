//===- report/FileComments.h - The comments of one file ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_FILECOMMENTS_H
#define CUDA_LINT_REPORT_FILECOMMENTS_H

#include "report/Finding.h"
#include "report/NoLintReader.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cudalint {

/// Says by which comment of its file a finding is silenced, and notes it. Every
/// question is answered once for each line and check, so that a line of a
/// million comments and findings costs no more than many lines.
class FileComments {
public:
  static constexpr std::size_t None = std::string_view::npos;

  /// \p Contents must outlive this; nothing: the file has no comments.
  FileComments(std::string File, std::optional<std::string_view> Contents);

  bool isEmpty() const { return Directives.empty(); }

  /// Nothing where there is no such line. Lines end as for Clang.
  std::optional<std::size_t> offsetOf(const Location &Where);
  Location placeOf(std::size_t Offset);

  /// The directive by which a finding of \p Check at \p Offset is silenced, or
  /// None. \p Id is a number for the check.
  std::size_t silencerOf(std::size_t Offset, const std::string &Check,
                         std::size_t Id);
  /// The same of one that the macro whose name is defined there has written,
  /// on whichever of its lines.
  std::size_t silencerOfMacro(std::size_t Name, const std::string &Check,
                              std::size_t Id);

  /// Whether a finding of that check, of those that were asked for, is where
  /// directive \p D silences: none that begins or ends a block alone.
  bool isReached(std::size_t D, std::size_t Id);

  const std::string File;
  const std::string_view Text;
  const std::vector<NoLintDirective> Directives;
  const NoLintBlocks Blocks;

private:
  /// The innermost block for a check, from Offset to the next of these.
  struct Stretch {
    std::size_t Offset, Begin;
  };

  void makeLines();
  std::size_t silencerOfLine(std::size_t Line, const std::string &Name);
  std::size_t silencerOfBlock(std::size_t Offset, const std::string &Name,
                              std::size_t Id);
  /// From where to where a line goes; nothing behind the last one.
  std::pair<std::size_t, std::size_t> line(std::size_t Line) const;

  /// Those that Clang counts, and those that clang-tidy looks at, which end at
  /// \n alone. Empty until they are needed.
  std::vector<std::size_t> ClangLines, Lines;
  /// By the line or the macro, and the check.
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> OfLines, OfMacros;
  std::unordered_map<std::size_t, std::vector<Stretch>> Stretches;
  /// Where the findings are that were asked for, by the check.
  std::unordered_map<std::size_t, std::vector<std::size_t>> Reached;
  bool IsSorted = true;
  std::vector<std::size_t> EndOfBlock; ///< By the directive that begins it.
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_FILECOMMENTS_H
