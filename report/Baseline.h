//===- report/Baseline.h - Findings that are known --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which findings were there before, so that only new ones are told. A place is
/// known by Finding::Fingerprint: whatever its line, its numbers and the target
/// are. So
///
/// - a remark that was known for one target is known for all of them;
/// - one that costs more than before is still known; but an error is new where
///   there was a warning or a note;
/// - of three places that had the same remark where two are known, the dearest
///   is new: which one was added, nobody can tell. By Finding::Wasted; of
///   several that cost the same, the last. All instantiations, launches,
///   targets and units of a place are one place.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_BASELINE_H
#define CUDA_LINT_REPORT_BASELINE_H

#include "report/BaselineFile.h"
#include "report/Document.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// How files are called in a baseline, and which of them were looked at.
struct BaselineScope {
  /// The folder that names start from, and that in which relative names of the
  /// documents do: both absolute, or both empty. Only text: a symbolic link is
  /// a folder of its own.
  std::string Root, Here;
  /// Headers of which all findings are in the documents: those whose includers
  /// were all analysed. Units need not be here.
  std::vector<std::string> Headers = {};
  /// Whether a file, named from the root, is there; not asked for those that
  /// are elsewhere. May be null: then all that were not analysed are taken for
  /// moved where that explains a finding, and for unchanged where it does not.
  std::function<bool(const std::string &File)> Exists = {};
};

/// What \p File, of a document, is called in a baseline: `src/a.cu`; what is
/// not below the root `*/a.cu`, as its folder is that of one machine.
std::string nameInBaseline(const std::string &File, const BaselineScope &Scope);

/// The text of a baseline that makes all findings of \p Documents known, with
/// those that a baseline has silenced, without those that a comment has. What
/// \p Old, which may be null, knows of files and checks that this run cannot
/// judge is kept, unless the file is gone.
std::string toBaseline(std::span<const Document> Documents,
                       const BaselineScope &Scope,
                       const Baseline *Old = nullptr);

/// Known places that are no more.
struct FixedEntry {
  BaselineEntry Entry;
  unsigned Places = 0; ///< So many of Entry.Places.
};

struct BaselineUse {
  std::size_t Silenced = 0; ///< Findings, each target's.
  std::vector<FixedEntry> Fixed;
};

/// Moves the findings that are known to UnitRecord::Silenced, in their order,
/// with no place.
///
/// An entry is for the places in its file. What is left of one whose file was
/// not analysed, and does not exist as far as one knows, is for places of the
/// same fingerprint in other files: folders are renamed.
///
/// Fixed are entries of units that were analysed without errors for each
/// target, of Scope.Headers and of files that are gone, if their check has run
/// in full. What a comment silences now is fixed. Whoever analyses for fewer
/// targets than the baseline was written for is told of what only the others
/// have.
BaselineUse applyBaseline(std::span<Document> Documents, const Baseline &Known,
                          const BaselineScope &Scope);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_BASELINE_H
