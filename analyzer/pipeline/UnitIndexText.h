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

#include "analyzer/launch/Launch.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <string>
#include <string_view>

namespace cudalint {

/// Its number changes with every change of UnitIndex and of what it means.
inline constexpr std::string_view UnitIndexFormat = "cuda-lint-index/1";

/// One line, with a newline at its end. Equal indexes give equal bytes, and
/// readUnitIndex() gives back the very index, names that are not UTF-8
/// included.
std::string toText(const UnitIndex &Index);

/// Whatever \p Text holds, this returns: the index, or for the user what is
/// wrong with it, where, and what to do. The error is printable and does not
/// know whence \p Text is: name the file before it.
llvm::Expected<UnitIndex> readUnitIndex(llvm::StringRef Text);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_UNITINDEXTEXT_H
