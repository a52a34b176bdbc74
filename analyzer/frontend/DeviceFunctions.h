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

#include <cstddef>
#include <functional>
#include <set>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace cudalint {

/// Definitions outside system headers, each in one of the lists and there once.
/// Nothing that depends on a template's parameters; instantiations instead.
struct DeviceFunctions {
  /// Kernels, functions and lambdas for the device alone, and what these use:
  /// by calls, names and constructors. Virtual calls, destructors and what a
  /// library's template calls are not followed.
  std::vector<const clang::FunctionDecl *> Reached;
  /// So many of these, the first ones, are kernels and what they use.
  std::size_t OfKernels = 0;
  /// What the user made for both sides, and of which no such use is seen: only
  /// the host may run it.
  std::vector<const clang::FunctionDecl *> ForBoth;
  /// Of all these, what headers offer to all who include them, and what neither
  /// a kernel nor other code of this file's own is seen to use on the device.
  std::set<const clang::FunctionDecl *> UnusedOfHeaders;
};

DeviceFunctions deviceFunctions(const clang::ASTContext &Context);

/// Whether \p Functions has kernels, and neither they nor anything else in the
/// file is seen to use the function number \p Of of those that are reached.
bool isOfNoKernel(const DeviceFunctions &Functions, std::size_t Of);

/// Calls `Visit` for what is in `F` and can run, initializers of a constructor
/// and default arguments included: no branch that a constant condition
/// excludes, no operand of sizeof. What is around comes before what is within.
void forEachThatRuns(const clang::ASTContext &Context,
                     const clang::FunctionDecl &F,
                     const std::function<void(const clang::Stmt &)> &Visit);

/// Whether the text of `F` serves other types as well: it, or what is around
/// it, is an instantiation.
bool isOfTemplate(const clang::FunctionDecl &F);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_DEVICEFUNCTIONS_H
