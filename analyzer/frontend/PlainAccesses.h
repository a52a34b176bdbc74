//===- analyzer/frontend/PlainAccesses.h - Elements by value ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_PLAINACCESSES_H
#define CUDA_LINT_ANALYZER_FRONTEND_PLAINACCESSES_H

#include "llvm/ADT/DenseSet.h"

namespace clang {
class ArraySubscriptExpr;
class Expr;
class Stmt;
} // namespace clang

namespace cudalint {

/// The elements of arrays that are just read or written, `a[i].x += b[j]`, as
/// opposed to those that a reference is bound to: that may lead to others.
class PlainAccesses {
public:
  /// Adds what \p S itself reads or writes. EXPECTS: it is called for all that
  /// is around an element before has() is for that.
  void addWithin(const clang::Stmt &S);

  /// Adds \p Element, which is read or written.
  void add(const clang::Expr &Element);

  bool has(const clang::ArraySubscriptExpr &Element) const {
    return Elements.contains(&Element);
  }

private:
  /// What \p Value writes, of which nobody uses what it leads to then.
  void addUnused(const clang::Expr &Value);

  llvm::DenseSet<const clang::ArraySubscriptExpr *> Elements;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_PLAINACCESSES_H
