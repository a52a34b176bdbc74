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

/// Of which struct \p Side is the size, or the place of a field.
static void addMeasured(const Expr *Side, Records &To) {
  Side = Side->IgnoreParenImpCasts();
  if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(Side);
      Size && Size->getKind() == UETT_SizeOf)
    add(Size->getTypeOfArgument(), To);
  if (const auto *Offset = dyn_cast<OffsetOfExpr>(Side))
    add(Offset->getTypeSourceInfo()->getType(), To);
}

/// Of which structs \p Condition fixes the size, or the place of a field: that
/// one fits into a cache line fixes nothing.
static void addAsked(const Expr *Condition, Records &To) {
  const auto *Both = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Both || (Both->getOpcode() != BO_EQ && Both->getOpcode() != BO_LAnd))
    return;
  for (const Expr *Side : {Both->getLHS(), Both->getRHS()})
    Both->getOpcode() == BO_EQ ? addMeasured(Side, To) : addAsked(Side, To);
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
  return From->isPointerType() && From->getPointeeType()->isCharType();
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
