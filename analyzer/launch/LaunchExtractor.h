//===- analyzer/launch/LaunchExtractor.h - Launches from the AST ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds kernels and the shapes they are launched with in a Clang AST.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LAUNCHEXTRACTOR_H
#define CUDA_LINT_ANALYZER_LAUNCH_LAUNCHEXTRACTOR_H

#include "analyzer/frontend/Repairs.h"
#include "analyzer/launch/Launch.h"
#include "hardware/Architecture.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace cudalint {

/// Reads a device-side AST, which holds the host code too. Values are found by
/// Clang's constant evaluator and, beyond it, by following locals that are
/// assigned once, members of dim3 variables, default arguments and parameters
/// of functions that are called in the same file; and in \p Program, which is
/// that of this file alone if it is null. What cannot be told is empty and
/// named in Launch::Unknown; it is never guessed. What the program asks of its
/// GPU is that of \p Gpu. How the file calls functions of others is found out
/// unless it \p IsAlone. What may be set by statements in which \p Errors are
/// is not known.
LaunchFacts extractLaunches(clang::ASTContext &Context, const Target &Gpu,
                            bool IsAlone, const WholeProgram *Program = nullptr,
                            const std::vector<Problem> &Errors = {});

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LAUNCHEXTRACTOR_H
