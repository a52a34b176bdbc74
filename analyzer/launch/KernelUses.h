//===- analyzer/launch/KernelUses.h - Kernels that are named ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_KERNELUSES_H
#define CUDA_LINT_ANALYZER_LAUNCH_KERNELUSES_H

#include <set>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace cudalint {

/// The kernels, canonical declarations, that the user's code names for more
/// than a launch `<<<...>>>` by the host or a question about them: in a table,
/// as an argument, in a node of a graph, or for a launch by another kernel; or
/// whose names stand in code that the preprocessor left out. These are launched
/// in shapes that nobody sees here.
std::set<const clang::FunctionDecl *>
kernelsUsedOtherwise(clang::ASTContext &Context);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_KERNELUSES_H
