//===- analyzer/pipeline/UnitIndexText.h - Indexes as text ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Indexes between processes and runs: what a file tells the others, without
/// the file. The text is JSON of the format UnitIndexFormat. An index is an
/// intermediate result of one version of the analysis and no document: what
/// another version wrote is made again, never converted.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_UNITINDEXTEXT_H
#define CUDA_LINT_ANALYZER_PIPELINE_UNITINDEXTEXT_H

#include "analyzer/frontend/CompileJob.h"
#include "analyzer/launch/Launch.h"
#include "hardware/Architecture.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// Its number changes with every change of UnitIndex.
inline constexpr std::string_view UnitIndexFormat = "cuda-lint-index/8";

/// What an index depends on besides the texts of its file and of what that
/// includes: one that was made for anything else means something else.
struct IndexKey {
  std::string Tool;                   ///< Version of cuda-lint.
  std::string Arch;                   ///< Compute capability: `9.0`.
  std::optional<std::int64_t> SMs;    ///< Of the GPU; none: of no product.
  std::string Folder;                 ///< In which the compiler runs.
  std::vector<std::string> Arguments; ///< Of the compiler.
  bool HasOneFile = true;             ///< The run has no other file.

  bool operator==(const IndexKey &) const = default;
};

/// The key of this cuda-lint.
IndexKey indexKey(const CompileJob &Job, const Target &Gpu, bool HasOneFile);

/// One line, with a newline at its end. Equal indexes give equal bytes, and
/// readUnitIndex() gives back the very index, names that are not UTF-8
/// included.
std::string toText(const UnitIndex &Index, const IndexKey &Key);

/// Whatever \p Text holds, this returns: the index, if it was made for \p Key,
/// or for the user what is wrong with it, where, and what to do. The error is
/// printable and does not know whence \p Text is: name the file before it.
llvm::Expected<UnitIndex> readUnitIndex(llvm::StringRef Text,
                                        const IndexKey &Key);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_UNITINDEXTEXT_H
