//===- analyzer/frontend/PrivateTables.cpp - Arrays of constants ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/PrivateTables.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/Analyses/ExprMutationAnalyzer.h"

using namespace clang;

namespace cudalint {

bool PrivateTables::isChanged(const VarDecl &Variable) {
  const auto [Known, IsNew] = Changed.try_emplace(&Variable, true);
  if (IsNew) {
    const auto *In = cast<FunctionDecl>(Variable.getDeclContext());
    const Stmt *Body = In->getBody();
    Known->second =
        !Body || ExprMutationAnalyzer(*Body, Context).isMutated(&Variable);
  }
  return Known->second;
}

bool PrivateTables::has(const DeclaratorDecl &D, QualType Element) {
  const auto *Variable = dyn_cast<VarDecl>(&D);
  const Expr *Init = Variable ? Variable->getInit() : nullptr;
  const auto *In =
      Variable ? dyn_cast<FunctionDecl>(Variable->getDeclContext()) : nullptr;
  // No variable of a constexpr function is static.
  return Init && In && !In->isConstexpr() && Variable->hasLocalStorage() &&
         !isa<ParmVarDecl>(Variable) && Element->isArithmeticType() &&
         !Init->isValueDependent() &&
         Init->isConstantInitializer(Context, /*ForRef=*/false) &&
         (Element.isConstQualified() || !isChanged(*Variable));
}

} // namespace cudalint
