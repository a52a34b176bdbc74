//===- analyzer/frontend/PrivateTables.h - Arrays of constants --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Variables of each thread that are the same for all: constants initialise
/// them, and nothing changes them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_PRIVATETABLES_H
#define CUDA_LINT_ANALYZER_FRONTEND_PRIVATETABLES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class ASTContext;
class DeclaratorDecl;
class FunctionDecl;
class QualType;
class VarDecl;
} // namespace clang

namespace cudalint {

class PrivateTables {
public:
  explicit PrivateTables(clang::ASTContext &Context) : Context(Context) {}

  /// Whether `static const` before \p D, an array of \p Element, changes
  /// nothing but where it is.
  bool has(const clang::DeclaratorDecl &D, clang::QualType Element);

private:
  using Variables = llvm::DenseSet<const clang::VarDecl *>;
  bool isOnlyRead(const clang::VarDecl &Variable);

  clang::ASTContext &Context;
  /// Of each function the arrays of which something but elements is used, or
  /// whose elements are not just read.
  llvm::DenseMap<const clang::FunctionDecl *, Variables> UsedOtherwise;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_PRIVATETABLES_H
