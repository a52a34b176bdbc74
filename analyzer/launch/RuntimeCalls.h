//===- analyzer/launch/RuntimeCalls.h - Calls of the runtime ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What checks of host code ask of a call, and of the statements around it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_RUNTIMECALLS_H
#define CUDA_LINT_ANALYZER_LAUNCH_RUNTIMECALLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace cudalint {

/// The function of the CUDA runtime that is called, `cudaMemcpy`, whichever
/// default stream the compiler was asked for; empty: another function, also of
/// the same name.
llvm::StringRef runtimeCall(const clang::CallExpr &Call);

/// Functions that run on the host alone.
bool isHostCode(const clang::FunctionDecl &F);

/// \p E without casts and parentheses, which names a variable; or null.
const clang::VarDecl *namedVariable(const clang::Expr *E);

/// The variable whose address \p E is, `&p` with any casts; or null.
const clang::VarDecl *addressedVariable(const clang::Expr *E);

/// In which direction cudaMemcpy() and its like copy, where the call says so:
/// `cudaMemcpyDeviceToHost`.
llvm::StringRef copyDirection(const clang::CallExpr &Call, unsigned Argument);

/// Calls \p Visit for \p Root and all below it, with the statements around
/// each, the outermost first. Where it returns false, nothing below is visited.
/// Needs no stack however deep the statement is.
void forEachWithin(
    const clang::Stmt *Root,
    llvm::function_ref<bool(const clang::Stmt &,
                            llvm::ArrayRef<const clang::Stmt *> Around)>
        Visit);

/// True for a call that asks what time it is, on the host or the GPU.
bool asksForTime(const clang::CallExpr &Call);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_RUNTIMECALLS_H
