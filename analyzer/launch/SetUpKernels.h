//===- analyzer/launch/SetUpKernels.h - Before the loops --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_SETUPKERNELS_H
#define CUDA_LINT_ANALYZER_LAUNCH_SETUPKERNELS_H

#include <set>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace cudalint {

/// The kernels, canonical declarations, each launch of which a program comes to
/// once at most, or once for each GPU, where it launches another kernel in a
/// loop: what these take is not what the program takes. Of files that have
/// main(); other files are taken not to launch what this one does. Errs towards
/// fewer.
std::set<const clang::FunctionDecl *>
setUpKernels(const clang::ASTContext &Context);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_SETUPKERNELS_H
