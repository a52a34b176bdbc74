//===- report/SarifWriter.h - Problems as SARIF 2.1.0 -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SARIF 2.1.0, which GitHub's code scanning, Azure DevOps and editors read:
/// one run for all targets.
///
/// A result is a problem, not a place. Code scanning makes each result an alert
/// that somebody closes by a change, shows it at its first location alone, and
/// tells alerts apart by their rule and a hash of the line: places of one
/// problem would be as many alerts that one change closes, and two problems of
/// one line are one more often. The price: where a change adds a place to an
/// old problem, it adds no alert. Other places are related locations, which are
/// shown as they are linked in the message.
///
/// The hash that code scanning knows alerts by, `primaryLocationLineHash`, is
/// left to the action that uploads the file: it computes its own of the line,
/// and complains of any other. `cudaLint/v1` is ours, for all other readers; it
/// stays the same when the line is edited.
///
/// What the program silences is a suppressed result. Errors are notifications
/// of the invocation, as are checks that could not look.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SARIFWRITER_H
#define CUDA_LINT_REPORT_SARIFWRITER_H

#include "report/Document.h"
#include "report/SourceRoot.h"
#include "report/TextWriter.h"

#include <span>
#include <string>

namespace cudalint {

/// Returns the JSON text, with a newline at its end; the dearest problem is
/// first. Equal documents give equal bytes, wherever the root is: no absolute
/// path is written but those of files that are not below it.
///
/// Columns count UTF-16 code units, see inUtf16(). What is not known is left
/// out. Names and texts are printable; in paths, bytes are percent-encoded. In
/// sentences, what SARIF would take for a link or a placeholder, as `f[i](x)`
/// and `{0}`, gets a blank in its middle.
std::string toSarif(std::span<const Document> Documents,
                    const ReportPlaces &Places, const SourceText &Source);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SARIFWRITER_H
