//===- analyzer/frontend/PlainAccesses.cpp - Elements by value ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/PlainAccesses.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudalint {

/// What \p E writes and leads to afterwards; null where it is no such thing.
static const Expr *writtenBy(const Expr &E) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(&E))
    return Binary->isAssignmentOp() ? Binary->getLHS() : nullptr;
  if (const auto *Unary = dyn_cast<UnaryOperator>(&E))
    return Unary->isIncrementDecrementOp() ? Unary->getSubExpr() : nullptr;
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E);
  const auto *Assignment =
      Call ? dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee()) : nullptr;
  return Assignment && Assignment->isTrivial() ? Call->getArg(0) : nullptr;
}

void PlainAccesses::add(const Expr &Element) {
  const Expr *E = &Element;
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
      if (Cast->getCastKind() != CK_NoOp &&
          Cast->getCastKind() != CK_ArrayToPointerDecay &&
          Cast->getCastKind() != CK_DerivedToBase &&
          Cast->getCastKind() != CK_UncheckedDerivedToBase)
        return;
      E = Cast->getSubExpr();
    } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow())
        return;
      E = Member->getBase();
    } else if (const auto *Its = dyn_cast<ArraySubscriptExpr>(E)) {
      Elements.insert(Its);
      E = Its->getBase(); // Of an array that is a member of another element.
    } else if (const auto *Either = dyn_cast<ConditionalOperator>(E)) {
      add(*Either->getTrueExpr());
      E = Either->getFalseExpr();
    } else if (const Expr *Written = writtenBy(*E)) {
      E = Written;
    } else {
      return;
    }
  }
}

void PlainAccesses::addUnused(const Expr &Value) {
  const Expr *E = Value.IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    addUnused(*Full->getSubExpr());
  else if (const auto *Cast = dyn_cast<CastExpr>(E);
           Cast && Cast->getCastKind() == CK_ToVoid)
    addUnused(*Cast->getSubExpr());
  else if (const auto *Comma = dyn_cast<BinaryOperator>(E);
           Comma && Comma->getOpcode() == BO_Comma)
    addUnused(*Comma->getRHS()); // Of the other one, the operator says.
  else if (const auto *Either = dyn_cast<ConditionalOperator>(E)) {
    addUnused(*Either->getTrueExpr());
    addUnused(*Either->getFalseExpr());
  } else if (const Expr *Written = writtenBy(*E)) {
    add(*Written);
  }
}

void PlainAccesses::addWithin(const Stmt &S) {
  if (!isa<Expr>(S)) {
    if (!isa<ReturnStmt, DeclStmt, AsmStmt>(S))
      for (const Stmt *Each : S.children())
        if (const auto *Value = dyn_cast_or_null<Expr>(Each))
          addUnused(*Value);
  } else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&S)) {
    if (Cast->getCastKind() == CK_LValueToRValue)
      add(*Cast->getSubExpr());
  } else if (const auto *Comma = dyn_cast<BinaryOperator>(&S)) {
    if (Comma->getOpcode() == BO_Comma)
      addUnused(*Comma->getLHS());
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(&S)) {
    if (Unary->isPostfix()) // The old value.
      add(*Unary->getSubExpr());
  } else if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(&S)) {
    if (!Size->isArgumentType())
      add(*Size->getArgumentExpr());
  } else if (const auto *Made = dyn_cast<CXXConstructExpr>(&S)) {
    if (Made->getConstructor()->isTrivial())
      for (const Expr *Each : Made->arguments())
        add(*Each);
  } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&S)) {
    if (writtenBy(*Call) && Call->getNumArgs() == 2)
      add(*Call->getArg(1));
  } else if (const auto *List = dyn_cast<InitListExpr>(&S)) {
    // As it is written, it does not say what becomes of its values.
    if (!List->isSemanticForm())
      List = List->getSemanticForm();
    if (List)
      for (const Expr *Each : List->inits())
        for (const auto *Its = dyn_cast<ImplicitCastExpr>(Each); Its;
             Its = dyn_cast<ImplicitCastExpr>(Its->getSubExpr()))
          addWithin(*Its);
  }
}

} // namespace cudalint
