//===- report/SourceAssertions.h - Numbers to keep --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether the numbers of a report are those that the source promises.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SOURCEASSERTIONS_H
#define CUDA_LINT_REPORT_SOURCEASSERTIONS_H

#include "report/Document.h"
#include "report/TextWriter.h"

#include <span>

namespace cudalint {

/// The check whose findings are what is not kept.
constexpr const char *ExpectationCheck = "expectation-failed";

/// Adds to \p Documents an error for each expectation that a number of it does
/// not keep or that is written wrong, and a note for each of which a number is
/// not known. Documents in which the check did not run stay as they are.
void checkAssertions(std::span<Document> Documents, const SourceText &Source);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SOURCEASSERTIONS_H
