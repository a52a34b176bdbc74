//===- analyzer/frontend/ArrayUses.cpp - Arrays that are more than indexed ===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ArrayUses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudalint {

/// The array that \p E is an element of, with a subscript for each dimension;
/// null for all else.
static const DeclRefExpr *arrayOfElement(const Expr *E) {
  unsigned Count = 0;
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      ++Count;
      E = S->getBase();
      continue;
    }
    const auto *Name = dyn_cast<DeclRefExpr>(E);
    if (!Name)
      return nullptr;
    unsigned Dimensions = 0;
    for (QualType Type = Name->getType(); Type->isArrayType();
         Type = Type->getAsArrayTypeUnsafe()->getElementType())
      ++Dimensions;
    return Dimensions != 0 && Count == Dimensions ? Name : nullptr;
  }
}

namespace {
class ArrayUses : public RecursiveASTVisitor<ArrayUses> {
public:
  explicit ArrayUses(const SourceManager &Sources) : Sources(Sources) {}

  std::set<const ValueDecl *> Otherwise;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool TraverseDecl(Decl *D) {
    if (D && isa<FunctionDecl, CXXRecordDecl>(D) &&
        Sources.isInSystemHeader(D->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  /// An element by its indices, and what is at its indices.
  bool TraverseArraySubscriptExpr(ArraySubscriptExpr *E) {
    const DeclRefExpr *Array = arrayOfElement(E);
    if (!Array)
      return RecursiveASTVisitor::TraverseArraySubscriptExpr(E);
    const Expr *Each = E;
    while (const auto *S =
               dyn_cast<ArraySubscriptExpr>(Each->IgnoreParenImpCasts())) {
      if (!TraverseStmt(const_cast<Expr *>(S->getIdx())))
        return false;
      Each = S->getBase();
    }
    return true;
  }

  /// CUDA's `atomicAdd(&sums[i][j], 1)` takes the address for nothing else.
  bool TraverseCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    const bool IsAtomic = Callee && Callee->getIdentifier() &&
                          Callee->getName().starts_with("atomic") &&
                          Sources.isInSystemHeader(Callee->getLocation());
    if (!IsAtomic)
      return RecursiveASTVisitor::TraverseCallExpr(E);
    for (Expr *Argument : E->arguments()) {
      const auto *U = dyn_cast<UnaryOperator>(Argument->IgnoreParenImpCasts());
      const bool IsAddress = U && U->getOpcode() == UO_AddrOf;
      if (!TraverseStmt(IsAddress ? U->getSubExpr() : Argument))
        return false;
    }
    return true;
  }

  bool TraverseUnaryOperator(UnaryOperator *E) {
    if (E->getOpcode() == UO_AddrOf)
      if (const DeclRefExpr *Array = arrayOfElement(E->getSubExpr()))
        note(*Array);
    return RecursiveASTVisitor::TraverseUnaryOperator(E);
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    note(*E);
    return true;
  }

private:
  void note(const DeclRefExpr &E) {
    if (E.getDecl()->hasAttr<CUDASharedAttr>() && E.getType()->isArrayType())
      Otherwise.insert(E.getDecl());
  }

  const SourceManager &Sources;
};
} // namespace

std::set<const ValueDecl *> arraysUsedOtherwise(ASTContext &Context) {
  ArrayUses Uses(Context.getSourceManager());
  Uses.TraverseDecl(Context.getTranslationUnitDecl());
  return std::move(Uses.Otherwise);
}

} // namespace cudalint
