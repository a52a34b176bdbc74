//===- analyzer/frontend/LvalueParts.cpp - Parts of an lvalue -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/LvalueParts.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudalint {

const Expr *innerOperand(const Expr *E) {
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
    return S->getBase();
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()) ? nullptr
                                                                 : M->getBase();
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf ||
                   (U->isIncrementDecrementOp() &&
                    U->getType()->isPointerType())
               ? U->getSubExpr()
               : nullptr;
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return !B->isAdditiveOp() || !B->getType()->isPointerType() ? nullptr
           : B->getLHS()->getType()->isPointerType()            ? B->getLHS()
                                                                : B->getRHS();
  if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
    return C->getSubExpr();
  return nullptr;
}

const Expr *baseOfLvalue(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    const Expr *Inner = innerOperand(E);
    if (!Inner)
      return E;
    E = Inner;
  }
}

bool isBaseOf(const Expr *Part, const Expr *LValue) {
  for (const Expr *E = LValue; E; E = innerOperand(E)) {
    E = E->IgnoreParenImpCasts();
    if (E == Part)
      return true;
  }
  return false;
}

const ValueDecl *accessedArray(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
      if (Cast->getCastKind() == CK_LValueToRValue) {
        const auto *Pointer =
            dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens());
        return Pointer ? Pointer->getDecl() : nullptr;
      }
      if (Cast->getCastKind() != CK_ArrayToPointerDecay &&
          Cast->getCastKind() != CK_NoOp)
        return nullptr;
      E = Cast->getSubExpr();
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      E = S->getBase();
    } else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U &&
               (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf)) {
      E = U->getSubExpr();
    } else if (const auto *B = dyn_cast<BinaryOperator>(E);
               B && B->isAdditiveOp() && B->getType()->isPointerType()) {
      E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
    } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->getType()->isArrayType())
        return M->getMemberDecl();
      if (M->isArrow())
        return nullptr;
      E = M->getBase();
    } else if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      return D->getDecl();
    } else {
      return nullptr;
    }
  }
}

static bool isZero(const Expr *Index) {
  const auto *Literal = dyn_cast<IntegerLiteral>(Index->IgnoreParenImpCasts());
  return Literal && Literal->getValue() == 0;
}

llvm::SmallVector<const Expr *, 4> lastSubscripts(const Expr *E,
                                                  const Expr *Base) {
  llvm::SmallVector<const Expr *, 4> Found;
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (E == Base)
      return Found;
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      Found.push_back(S->getIdx());
      E = S->getBase();
    } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
      Found.clear();
      E = M->getBase();
    } else if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E)) {
      if (!llvm::all_of(Found, isZero)) // `((float4 *)tile)[i]`
        return {};
      Found.clear();
      E = Cast->getSubExpr();
    } else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U && Found.empty() &&
               (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf)) {
      E = U->getSubExpr();
    } else {
      return {};
    }
  }
}

SourceLocation placeOfIndex(const Expr *LValue) {
  const Expr *E = LValue->IgnoreParenImpCasts();
  // `a[i].x` is where a[i] is.
  for (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow();
       M = dyn_cast<MemberExpr>(E))
    E = M->getBase()->IgnoreParenImpCasts();
  const auto *Follow = dyn_cast<UnaryOperator>(E);
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    E = Element->getIdx();
  else if (Follow && Follow->getOpcode() == UO_Deref)
    E = Follow->getSubExpr();
  else
    return {};
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      E = B->getRHS();
    else if (const auto *C = dyn_cast<ConditionalOperator>(E))
      E = C->getFalseExpr();
    else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && !U->isIncrementDecrementOp())
      E = U->getSubExpr();
    else
      return E->getBeginLoc();
  }
}

} // namespace cudalint
