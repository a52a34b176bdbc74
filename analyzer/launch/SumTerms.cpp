//===- analyzer/launch/SumTerms.cpp - What is added up --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/SumTerms.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudalint {

const BinaryOperator *operationOf(const Expr &E, BinaryOperatorKind Kind) {
  const auto *Result = dyn_cast<BinaryOperator>(&E);
  return Result && Result->getOpcode() == Kind ? Result : nullptr;
}

void SumTerms::add(const Expr &E, bool IsNegative) {
  const Expr &Plain = *E.IgnoreParenImpCasts();
  const auto *Sum = dyn_cast<BinaryOperator>(&Plain);
  if (!Sum || !Sum->isAdditiveOp()) {
    Terms.push_back({&Plain, IsNegative});
    return;
  }
  add(*Sum->getLHS(), IsNegative);
  add(*Sum->getRHS(), IsNegative != (Sum->getOpcode() == BO_Sub));
}

bool SumTerms::take(bool IsNegative,
                    llvm::function_ref<bool(const Expr &)> Is) {
  const auto Found = llvm::find_if(Terms, [&](const Term &Each) {
    return Each.IsNegative == IsNegative && Is(*Each.E);
  });
  if (Found == Terms.end())
    return false;
  Terms.erase(Found);
  return true;
}

} // namespace cudalint
