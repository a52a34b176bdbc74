//===- analyzer/fix/ExportedFixes.h - For other tools -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FIX_EXPORTEDFIXES_H
#define CUDA_LINT_ANALYZER_FIX_EXPORTEDFIXES_H

#include "analyzer/fix/ProvedFixes.h"

#include <span>
#include <string>

namespace cudalint {

/// The findings of \p Documents and the proved ones of \p Fixes in the YAML
/// that `clang-tidy --export-fixes` writes and clang-apply-replacements reads.
/// A finding that several targets or files share stands there once, a fix at
/// the first finding that it mends. Names are absolute, from \p Folder.
std::string exportedFixes(std::span<const Document> Documents,
                          std::span<const TriedFix> Fixes,
                          const std::string &Folder,
                          const SourceText &Original);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FIX_EXPORTEDFIXES_H
