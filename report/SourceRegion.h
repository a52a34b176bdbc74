//===- report/SourceRegion.h - What a finding marks -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SOURCEREGION_H
#define CUDA_LINT_REPORT_SOURCEREGION_H

#include "report/Finding.h"
#include "report/SourceSnippet.h"

namespace cudalint {

/// From a place to just behind another, in one file. Lines and columns count
/// from 1; 0 is unknown. A place alone has no end.
struct SourceRegion {
  unsigned Line = 0, Column = 0;
  unsigned EndLine = 0, EndColumn = 0;

  bool operator==(const SourceRegion &) const = default;
};

/// What is meant, where that is known and in the file of the finding; else its
/// place. Columns count bytes.
SourceRegion regionOf(const Finding &F);
SourceRegion regionOf(const Location &Where);

/// The same with columns in UTF-16 code units, as SARIF and GitHub count them:
/// a byte that is not UTF-8 is one, a byte order mark is none. Where the text
/// is not known, columns stay, which errs high behind characters of several
/// bytes.
SourceRegion inUtf16(SourceRegion Region, const std::string &File,
                     QuotedSources &Sources);

/// Where an edit begins and ends, in bytes; nothing where the text is not known
/// or too short.
std::optional<SourceRegion> regionOf(const Edit &E, QuotedSources &Sources);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SOURCEREGION_H
