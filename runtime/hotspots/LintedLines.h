//===- runtime/hotspots/LintedLines.h - Findings beside counts --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Puts what the linter says beside the lines that were measured. Pure: no GPU,
/// no file, no clock.
///
/// A finding belongs to the lines of its place: of its file, by the end of the
/// path as for verdicts, and of its kernel, if it has one. A line in a header
/// of the toolkit counts as those that call it. A finding about a load, a store
/// or an atomic belongs to counts of these, in the unit of its prediction.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_LINTEDLINES_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_LINTEDLINES_H

#include "report/Document.h"
#include "runtime/hotspots/Hotspots.h"
#include "runtime/join/OtherSources.h"

#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// Adds to \p To, which was found in what \p Measured is merged of, the
/// findings of the document for each GPU. A file that was built from another
/// text than was analysed is a problem, and its findings, and those of its
/// kernels, are left out; \p Look finds the sources as they are now. Returns
/// what could not be told at all, in words for the user: documents are for
/// other GPUs.
std::vector<std::string> addFindings(std::span<const Document> Documents,
                                     const Measurement &Measured,
                                     const SourceLookup &Look, Hotspots &To);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_LINTEDLINES_H
