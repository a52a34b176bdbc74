//===- analyzer/frontend/FixedLayouts.cpp - Structs that stay -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/FixedLayouts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudalint {

using Records = llvm::DenseSet<const RecordDecl *>;

static void add(QualType Type, Records &To) {
  if (const RecordDecl *Record =
          Type.isNull() ? nullptr : Type->getAsRecordDecl())
    To.insert(Record->getDefinition());
}

/// Of which struct \p Condition asks for the size, or for the place of a field.
static void addAsked(const Stmt *Condition, Records &To) {
  if (!Condition)
    return;
  if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(Condition);
      Size && Size->getKind() == UETT_SizeOf)
    add(Size->getTypeOfArgument(), To);
  if (const auto *Offset = dyn_cast<OffsetOfExpr>(Condition))
    add(Offset->getTypeSourceInfo()->getType(), To);
  for (const Stmt *Child : Condition->children())
    addAsked(Child, To);
}

/// Those that \p In declares, and what is inside of it that is no function.
static void addAsserts(const DeclContext &In, const SourceManager &Sources,
                       Records &To) {
  for (const Decl *D : In.decls()) {
    if (Sources.isInSystemHeader(D->getLocation()))
      continue;
    if (const auto *Assert = dyn_cast<StaticAssertDecl>(D))
      addAsked(Assert->getAssertExpr(), To);
    else if (isa<NamespaceDecl, LinkageSpecDecl, RecordDecl>(D))
      addAsserts(*cast<DeclContext>(D), Sources, To);
  }
}

FixedLayouts::FixedLayouts(const ASTContext &Context) {
  addAsserts(*Context.getTranslationUnitDecl(), Context.getSourceManager(),
             Asserted);
}

bool FixedLayouts::contains(const RecordDecl &Record) const {
  return Record.hasAttr<PackedAttr>() ||
         Record.hasAttr<MaxFieldAlignmentAttr>() ||
         Asserted.contains(Record.getDefinition());
}

static bool isMadeOfBytes(const Expr *Pointer) {
  const auto *Cast =
      dyn_cast_or_null<ExplicitCastExpr>(Pointer->IgnoreParenImpCasts());
  if (!Cast)
    return false;
  const QualType From = Cast->getSubExpr()->IgnoreParenImpCasts()->getType();
  return From->isPointerType() && (From->getPointeeType()->isVoidType() ||
                                   From->getPointeeType()->isCharType());
}

bool areMadeOfBytes(const Expr &Elements) {
  const Expr *Pointer = Elements.IgnoreParenImpCasts();
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Pointer))
    Pointer = Subscript->getBase()->IgnoreParenImpCasts();
  if (isMadeOfBytes(Pointer))
    return true;
  const auto *Name = dyn_cast<DeclRefExpr>(Pointer);
  const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  return Variable && Variable->hasInit() && isMadeOfBytes(Variable->getInit());
}

} // namespace cudalint
