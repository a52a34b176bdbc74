//===- analyzer/frontend/PrivateTables.cpp - Arrays of constants ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/PrivateTables.h"

#include "analyzer/frontend/SyntaxVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace cudalint {

namespace {
class UseVisitor : public SyntaxVisitor {
public:
  llvm::DenseSet<const VarDecl *> Otherwise;

  /// `a[i][j]` whose value is taken.
  bool TraverseImplicitCastExpr(ImplicitCastExpr *E) override {
    if (E->getCastKind() != CK_LValueToRValue)
      return SyntaxVisitor::TraverseImplicitCastExpr(E);
    llvm::SmallVector<Expr *, 2> Indices;
    Expr *Of = E->getSubExpr()->IgnoreParens();
    while (auto *S = dyn_cast<ArraySubscriptExpr>(Of)) {
      Indices.push_back(S->getIdx());
      Of = S->getBase()->IgnoreParenImpCasts();
    }
    const auto *Named = dyn_cast<DeclRefExpr>(Of);
    if (Indices.empty() || !Named || !Named->getType()->isArrayType())
      return SyntaxVisitor::TraverseImplicitCastExpr(E);
    return llvm::all_of(Indices,
                        [&](Expr *Index) { return TraverseStmt(Index); });
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (const auto *Variable = dyn_cast<VarDecl>(E->getDecl()))
      Otherwise.insert(Variable);
    return true;
  }
};
} // namespace

bool PrivateTables::isOnlyRead(const VarDecl &Variable) {
  const auto *In = cast<FunctionDecl>(Variable.getDeclContext());
  const auto [Known, IsNew] = UsedOtherwise.try_emplace(In);
  if (IsNew) {
    UseVisitor Uses;
    Uses.TraverseStmt(In->getBody());
    Known->second = std::move(Uses.Otherwise);
  }
  return !Known->second.contains(&Variable);
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
         (Element.isConstQualified() || isOnlyRead(*Variable));
}

} // namespace cudalint
