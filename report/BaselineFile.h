//===- report/BaselineFile.h - Known findings as a file ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The file of known findings, which people review and git merges:
///
///   # cuda-lint baseline 1
///   9b1e0c3d55aa0127 1 error invalid-launch src/b.cu ns::scale -
///   c3c0a4e1a2f0b7d5 2 warning shared-bank-conflict src/a.cu tile rows[x][i+#]
///
/// Each line stands for itself: a fingerprint, at how many places, whether they
/// are errors, and then for people the check, the file, the function and what
/// is written there. It holds no lines, numbers or totals, which would change
/// with what is not meant; and lines are sorted by their bytes, so that those
/// of two people seldom meet. The union of two files, in any order, is a file.
///
/// A byte that is a blank, a backslash or not to be shown is `\x20`, a
/// backslash `\\`; an empty field is `-`, and that is `\x2d`.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_BASELINEFILE_H
#define CUDA_LINT_REPORT_BASELINEFILE_H

#include "report/Document.h"

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// No baseline is as long; a file that was named by mistake may be.
inline constexpr std::size_t MostBaselineBytes = std::size_t(64) << 20;
inline constexpr std::size_t MostBaselineLine = std::size_t(64) << 10;

/// Whether it is what Finding::Fingerprint is, where that is not empty.
bool isFingerprint(std::string_view Text);

/// What one line holds.
struct BaselineEntry {
  std::string Fingerprint; ///< As Finding::Fingerprint.
  bool IsError = false;    ///< Else warnings and notes.
  std::string File;        ///< From the root.
  unsigned Places = 1;     ///< At least 1.
  /// For people, and to tell whether it was looked for.
  std::string Check;
  std::string Function, Name; ///< Of Finding::About.

  auto operator<=>(const BaselineEntry &) const = default;
};

/// Sorted; one entry for each fingerprint, kind and file.
struct Baseline {
  std::vector<BaselineEntry> Entries;
};

/// Sorts, and of what is there twice keeps that with more places: either file
/// of a union counts all of them.
Baseline makeBaseline(std::vector<BaselineEntry> Entries);

std::string toText(const Baseline &Known);

struct BaselineRead {
  Baseline Known; ///< Empty when there was an error.
  /// By their places in the file, 20 at most. The messages are printable.
  std::vector<ErrorRecord> Errors;
};

/// Reads what toText() wrote, and what people and git have made of it: lines in
/// any order, twice, empty, of comments that begin with `#`; with \r\n. \p Name
/// is that of the file, for errors. Whatever the text holds, this returns.
BaselineRead readBaseline(std::string_view Text, const std::string &Name);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_BASELINEFILE_H
