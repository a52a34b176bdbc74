//===- analyzer/frontend/UnseenUses.h - What may be used unseen -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_UNSEENUSES_H
#define CUDA_LINT_ANALYZER_FRONTEND_UNSEENUSES_H

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace cudalint {

/// What device code of the user's may do with shared memory without naming it.
struct UnseenUses {
  /// It calls what has no body here, which may declare the dynamic memory for
  /// itself, or asks how much of that there is.
  bool OfDynamicMemory = false;
  /// Its assembler is about shared memory.
  bool InAssembler = false;
};

UnseenUses unseenUses(const clang::ASTContext &Context);

/// Whether another file may call \p Function, for memory that its own kernels
/// lay out. A kernel has memory of its own.
bool isCallableElsewhere(const clang::FunctionDecl &Function);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_UNSEENUSES_H
