//===- analyzer/checks/KnownVariables.h - By the compiler -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What costs nothing where it is computed, as the compiler does so: more than
/// the constants of the language.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_KNOWNVARIABLES_H
#define CUDA_LINT_ANALYZER_CHECKS_KNOWNVARIABLES_H

#include <set>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace cudalint {

/// Local variables of a function that are numbers, begin with what is made of
/// constants and of each other, and are never changed.
class KnownVariables {
public:
  KnownVariables(const clang::ASTContext &Context,
                 const clang::FunctionDecl &F);

  /// Whether \p E, a number, is made of them and of constants alone. Functions
  /// of system headers are taken to be evaluated, too, where all that they are
  /// given is known: `acos(-1.0)`.
  bool decide(const clang::Expr *E) const;

private:
  const clang::ASTContext &Context;
  std::set<const clang::VarDecl *> Known;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_KNOWNVARIABLES_H
