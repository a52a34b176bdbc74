//===- analyzer/tool/ExitCodes.h - What a run ends with ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the exit code says of what was found, and of what was not looked at,
/// and what is said where there is none of it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_EXITCODES_H
#define CUDA_LINT_ANALYZER_TOOL_EXITCODES_H

#include "analyzer/tool/Options.h"
#include "report/Document.h"

#include <optional>
#include <span>
#include <string_view>

namespace cudalint {

/// Findings below \p FailOn do not count; empty: none does. 3 wins over 1: who
/// reads the code must not believe that all was seen.
ExitCode exitCodeOf(std::span<const Document> Documents,
                    std::optional<Severity> FailOn);

/// That beside a compiler. Of a file that is read in part, what is found fails
/// the build as well; and where nothing is found there, nobody knows that there
/// is nothing.
ExitCode exitCodeBesideCompiler(std::span<const Document> Documents,
                                std::optional<Severity> FailOn);

/// Tells on standard error why there is nothing to tell of the run.
void complain(std::string_view Message);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_EXITCODES_H
