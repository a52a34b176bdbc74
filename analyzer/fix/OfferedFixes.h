//===- analyzer/fix/OfferedFixes.h - What findings offer --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FIX_OFFEREDFIXES_H
#define CUDA_LINT_ANALYZER_FIX_OFFEREDFIXES_H

#include "report/Document.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// Where a finding is: of which target and file of a run.
struct FindingPlace {
  std::size_t Document = 0, Unit = 0;
  const Finding *What = nullptr;
};

/// One change of the source, whoever asks for it: several accesses to one
/// array, instantiations, or targets.
struct OfferedFix {
  Fix What;
  std::vector<FindingPlace> Mends; ///< At least one, in the order of the run.

  const Finding &first() const { return *Mends.front().What; }
};

/// The fixes of all findings of \p Documents, which outlive the result, each
/// once: those of the dearest problems first, then in the order of the source.
std::vector<OfferedFix> offeredFixes(std::span<const Document> Documents);

/// Whether \p Text says in its first lines that a program wrote it: "DO NOT
/// EDIT" or "@generated". Its next version would undo an edit.
bool isGenerated(std::string_view Text);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FIX_OFFEREDFIXES_H
