//===- report/RdjsonWriter.h - What reviewdog reads -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The Reviewdog Diagnostic Format as one JSON object (`rdjson`), which
/// reviewdog makes comments of a review of: on GitHub, GitLab, Gerrit and
/// Bitbucket.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_RDJSONWRITER_H
#define CUDA_LINT_REPORT_RDJSONWRITER_H

#include "report/Document.h"
#include "report/SourceRoot.h"
#include "report/TextWriter.h"

#include <span>
#include <string>

namespace cudalint {

/// Returns the JSON text, with a newline at its end: each problem once, the
/// dearest first, then the compiler's errors.
///
/// Columns count bytes from 1, as the format has it, and ends are just behind
/// the last character. A suggestion is a fix of one edit in the file of the
/// problem: a reviewer may take suggestions one by one, so half of a longer fix
/// is none. Bytes that are not UTF-8 become U+FFFD.
std::string toRdjson(std::span<const Document> Documents,
                     const ReportPlaces &Places, const SourceText &Source);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_RDJSONWRITER_H
