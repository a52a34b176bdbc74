//===- analyzer/fix/FixTrial.h - Whether a fix holds ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A fix is proved by what the analysis says of the edited text, beside what it
/// says of the text as it is. Pure: two lists of documents in, words out.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FIX_FIXTRIAL_H
#define CUDA_LINT_ANALYZER_FIX_FIXTRIAL_H

#include "analyzer/fix/OfferedFixes.h"
#include "report/Document.h"

#include <span>
#include <string>

namespace cudalint {

/// What \p After, the analysis of the texts with \p Applied, has that \p Before
/// had not, and that no edit may bring: errors, findings from \p Least on,
/// traffic of a warp in a space of memory, fewer resident blocks. A note may
/// come on a line on which more than a note is gone, which hid it. What a check
/// says of another text on the line on which it was, is no new finding, unless
/// it is the check of one of \p Applied. The first fault in words, or empty.
/// Both are of the same files and targets.
std::string newFault(std::span<const OfferedFix> Applied,
                     std::span<const Document> Before,
                     std::span<const Document> After,
                     Severity Least = Severity::Note);

/// Why an index of an array in \p Before leaves its row, as \p After shows, the
/// same with longer rows; or empty.
std::string leftRows(std::span<const Document> Before,
                     std::span<const Document> After);

/// Whether none of the findings that \p Fix mends is left. They go by their
/// fingerprints, and those that \p Others mend as well count once each.
bool areGone(const OfferedFix &Fix, std::span<const OfferedFix> Applied,
             std::span<const Document> Before, std::span<const Document> After);

struct FixGain {
  /// What the kernels of the findings move less, in words: `'f': 1056 -> 64
  /// shared wavefronts per warp`; empty: nothing, or it is not known.
  std::string Words;
  /// The findings predict traffic, and the sums did not fall.
  bool IsMissing = false;
};

FixGain gainOf(const OfferedFix &Fix, std::span<const Document> Before,
               std::span<const Document> After);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FIX_FIXTRIAL_H
