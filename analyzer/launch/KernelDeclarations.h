//===- analyzer/launch/KernelDeclarations.h - The kernels -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the declarations of kernels say by themselves.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_KERNELDECLARATIONS_H
#define CUDA_LINT_ANALYZER_LAUNCH_KERNELDECLARATIONS_H

#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/Launch.h"

#include <memory>
#include <string>

namespace clang {
class FunctionDecl;
class MangleContext;
} // namespace clang

namespace cudalint {

/// Gives functions the names that the device module gives them.
class LinkageNames {
public:
  explicit LinkageNames(clang::ASTContext &Context);
  ~LinkageNames();

  /// Empty for what has no name of its own, such as a dependent function.
  std::string nameOf(const clang::FunctionDecl &Function) const;

private:
  std::unique_ptr<clang::MangleContext> Mangler;
};

/// `ns::kernel<32>`: the qualified name with template arguments.
std::string writtenName(const clang::FunctionDecl &Function);

/// Fills Kernels and UninstantiatedTemplates of `Facts`, in source order.
void collectKernels(clang::ASTContext &Context, const UserFunctions &Functions,
                    const LinkageNames &Names, LaunchFacts &Facts);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_KERNELDECLARATIONS_H
