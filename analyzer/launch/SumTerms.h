//===- analyzer/launch/SumTerms.h - What is added up ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_SUMTERMS_H
#define CUDA_LINT_ANALYZER_LAUNCH_SUMTERMS_H

#include "clang/AST/OperationKinds.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <vector>

namespace clang {
class BinaryOperator;
class Expr;
} // namespace clang

namespace cudalint {

/// \p E itself where it is an operation of that kind; else null.
const clang::BinaryOperator *operationOf(const clang::Expr &E,
                                         clang::BinaryOperatorKind Kind);

/// The terms of a sum, in order, without parentheses and implicit casts: what
/// it is converted to is taken to be as wide. `n + size - 1` has three.
class SumTerms {
public:
  explicit SumTerms(const clang::Expr &Sum) { add(Sum, /*IsNegative=*/false); }

  std::size_t size() const { return Terms.size(); }

  /// Takes out the first term of that sign that \p Is; false: there is none.
  bool take(bool IsNegative, llvm::function_ref<bool(const clang::Expr &)> Is);

private:
  struct Term {
    const clang::Expr *E = nullptr;
    bool IsNegative = false;
  };
  std::vector<Term> Terms;

  void add(const clang::Expr &E, bool IsNegative);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_SUMTERMS_H
