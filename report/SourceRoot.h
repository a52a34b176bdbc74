//===- report/SourceRoot.h - Names of files in reports ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A report that another program reads names files from the root of the
/// repository, whatever the analysed program's build called them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SOURCEROOT_H
#define CUDA_LINT_REPORT_SOURCEROOT_H

#include <string>

namespace cudalint {

/// Where the files of a report are, in absolute paths. Nothing is looked up on
/// the disk: symbolic links are not followed.
struct ReportPlaces {
  /// What names are relative to: the root of the repository, mostly. Empty:
  /// relative names stay so.
  std::string Root = {};
  /// The folder that relative names start at, where the program ran. Empty: the
  /// root.
  std::string Current = {};
};

struct ReportedPath {
  /// Relative to the root, `src/a.cu`, without `./` and `..`; absolute, or with
  /// `..`, where it is not below it. The bytes are those of the name.
  std::string Name;
  bool IsBelowRoot = false;
};

ReportedPath pathIn(const ReportPlaces &Places, const std::string &File);

/// As RFC 3986 has it: a relative reference, or `file:///usr/include/a.h`.
/// Bytes that are not ASCII, and all that has a meaning there, are
/// percent-encoded.
std::string uriOf(const ReportedPath &Path);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SOURCEROOT_H
