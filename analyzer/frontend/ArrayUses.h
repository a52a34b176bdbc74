//===- analyzer/frontend/ArrayUses.h - More than indices --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_ARRAYUSES_H
#define CUDA_LINT_ANALYZER_FRONTEND_ARRAYUSES_H

#include <set>

namespace clang {
class ASTContext;
class ValueDecl;
} // namespace clang

namespace cudalint {

/// The `__shared__` arrays of the user's code that are not just indexed in all
/// their dimensions: whose size is asked for, whose address is taken but for an
/// atomic, or that are passed on. Another declaration may change what such a
/// use means, or not compile.
std::set<const clang::ValueDecl *>
arraysUsedOtherwise(clang::ASTContext &Context);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_ARRAYUSES_H
