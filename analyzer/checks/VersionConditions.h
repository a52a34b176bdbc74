//===- analyzer/checks/VersionConditions.h - Asked of GPUs ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a function does only on other GPUs than the target, as it asks for the
/// compute capability: `if (prop.major < 5)`.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_VERSIONCONDITIONS_H
#define CUDA_LINT_ANALYZER_CHECKS_VERSIONCONDITIONS_H

#include "hardware/Architecture.h"

#include <set>

namespace clang {
class CallExpr;
class FunctionDecl;
} // namespace clang

namespace cudalint {

/// Calls in \p F, which has a body and depends on no template, that it never
/// comes to on \p Gpu, whatever else is true: by conditions on the version,
/// also where a variable keeps it or a return comes before, and by constant
/// ones. Errs towards fewer.
std::set<const clang::CallExpr *> callsOfOtherGpus(const clang::FunctionDecl &F,
                                                   const Target &Gpu);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_VERSIONCONDITIONS_H
