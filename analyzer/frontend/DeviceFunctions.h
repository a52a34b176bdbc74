//===- analyzer/frontend/DeviceFunctions.h - What runs there -*- C++ -*----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The user's code that runs on the device, for checks that read the syntax
/// tree.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_DEVICEFUNCTIONS_H
#define CUDA_LINT_ANALYZER_FRONTEND_DEVICEFUNCTIONS_H

#include <functional>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace cudalint {

/// The definitions outside system headers that run on the device, each once:
/// kernels, functions and lambdas for the device alone, functions for both
/// sides that no function of the file uses, and all that these use. So a
/// function for both sides that only host code calls is none of them. Nothing
/// that depends on a template's parameters; instantiations instead.
std::vector<const clang::FunctionDecl *>
deviceFunctions(const clang::ASTContext &Context);

/// Calls `Visit` for `Body` and what is below it and can run: no branch that a
/// constant condition excludes, no operand of sizeof. What is around comes
/// before what is within.
void forEachThatRuns(const clang::ASTContext &Context, const clang::Stmt *Body,
                     const std::function<void(const clang::Stmt &)> &Visit);

/// Whether the text of `F` serves other types as well: it, or what is around
/// it, is an instantiation.
bool isOfTemplate(const clang::FunctionDecl &F);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_DEVICEFUNCTIONS_H
