//===- analyzer/frontend/ParseLimits.h - Ends what has no end ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A header that includes itself twice, 60 levels deep, is read 2^60 times, and
/// macros that double each other are as bad. The limits are counts, so that the
/// same file always ends in the same way; no real file comes near them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_PARSELIMITS_H
#define CUDA_LINT_ANALYZER_FRONTEND_PARSELIMITS_H

#include <memory>
#include <string>

namespace clang {
class PPCallbacks;
class SourceManager;
} // namespace clang

namespace cudalint {

/// Counts what one parse reads. Beyond a limit it writes to \p Reason, which is
/// empty before, why, and leaves the innermost CrashRecoveryContext.
std::unique_ptr<clang::PPCallbacks>
makeParseLimits(const clang::SourceManager &Sources, std::string &Reason);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_PARSELIMITS_H
