//===- analyzer/frontend/IntegerConstants.cpp - Known integers ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/IntegerConstants.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/APSInt.h"

using namespace clang;

namespace cudalint {

std::optional<llvm::APSInt> integerConstant(const ASTContext &Context,
                                            const Expr &E) {
  Expr::EvalResult Known;
  if (E.isInstantiationDependent() || E.containsErrors() ||
      !E.getType()->isIntegralOrEnumerationType() ||
      !E.EvaluateAsInt(Known, Context))
    return std::nullopt;
  return Known.Val.getInt();
}

std::optional<std::int64_t> int64Constant(const ASTContext &Context,
                                          const Expr &E) {
  const std::optional<llvm::APSInt> Known = integerConstant(Context, E);
  return Known ? Known->tryExtValue() : std::nullopt;
}

} // namespace cudalint
