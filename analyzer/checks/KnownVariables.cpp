//===- analyzer/checks/KnownVariables.cpp - By the compiler ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/KnownVariables.h"

#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/EffectSummary.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace cudalint {

KnownVariables::KnownVariables(const clang::ASTContext &Context,
                               const clang::FunctionDecl &F)
    : Context(Context) {
  const EffectSummary Effects = effectsOf(F);
  // What one is made of is declared before.
  forEachStatement(F.getBody(), [&](const clang::Stmt &S) {
    if (const auto *Declared = llvm::dyn_cast<clang::DeclStmt>(&S))
      for (const clang::Decl *D : Declared->decls())
        if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D);
            V && V->hasLocalStorage() && V->hasInit() &&
            !Effects.Changed.contains(V) && decide(V->getInit()))
          Known.insert(V);
  });
}

bool KnownVariables::decide(const clang::Expr *E) const {
  E = E->IgnoreParenCasts();
  if (E->isInstantiationDependent() || !E->getType()->isArithmeticType())
    return false;
  if (const clang::VarDecl *V = namedVariable(E); V && Known.contains(V))
    return true;
  if (E->isEvaluatable(Context))
    return true;
  if (const auto *Sign = llvm::dyn_cast<clang::UnaryOperator>(E))
    return Sign->isArithmeticOp() && decide(Sign->getSubExpr());
  if (const auto *Operation = llvm::dyn_cast<clang::BinaryOperator>(E))
    return !Operation->isAssignmentOp() && decide(Operation->getLHS()) &&
           decide(Operation->getRHS());
  const auto *Call = llvm::dyn_cast<clang::CallExpr>(E);
  const clang::FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && (F->getBuiltinID() != 0 || isInSystemHeader(*F)) &&
         Call->getNumArgs() != 0 &&
         llvm::all_of(Call->arguments(), [&](const clang::Expr *Argument) {
           return decide(Argument);
         });
}

} // namespace cudalint
