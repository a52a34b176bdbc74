//===- analyzer/launch/HostUnseen.cpp - Code that runs unseen -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callbacks and destructors: nothing in the code calls them, or not by name.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostMemory.h"
#include "analyzer/launch/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace cudalint {

void HostMemory::distrustChangesOf(const FunctionDecl &Unseen) {
  Code.forEachReached(Unseen, [&](const EffectSummary &Effects) {
    for (const VarDecl *Each : Effects.Changed)
      if (Each->hasGlobalStorage())
        distrust(Each);
  });
}

/// True if the code writes integers through pointers, references or `this`.
static bool writesThroughPointers(const Stmt *Code) {
  bool Writes = false;
  forEachStatement(Code, [&](const Stmt &S) {
    const Expr *To = nullptr;
    if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
        Binary && Binary->isAssignmentOp())
      To = Binary->getLHS();
    if (const auto *Unary = dyn_cast<UnaryOperator>(&S);
        Unary && Unary->isIncrementDecrementOp())
      To = Unary->getSubExpr();
    Writes |= To && !isa<DeclRefExpr>(To->IgnoreParens()) &&
              To->getType()->isIntegralOrEnumerationType();
  });
  return Writes;
}

void HostMemory::distrustDestructor(QualType Type, Value Object,
                                    unsigned Level) {
  const auto *Record =
      QualType(Type->getBaseElementTypeUnsafe(), 0)->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Level > 4)
    return;
  if (const auto *Template = dyn_cast<ClassTemplateSpecializationDecl>(Record))
    for (const TemplateArgument &Each : Template->getTemplateArgs().asArray())
      if (Each.getKind() == TemplateArgument::Type)
        distrustDestructor(Each.getAsType(), Object, Level + 1);
  if (Record->hasTrivialDestructor() || isInSystemHeader(*Record))
    return;
  for (const FieldDecl *Field : Record->fields())
    distrustDestructor(Field->getType(), Object, Level + 1);
  for (const CXXBaseSpecifier &Base : Record->bases())
    distrustDestructor(Base.getType(), Object, Level + 1);
  const CXXDestructorDecl *Destructor = Record->getDestructor();
  const FunctionDecl *Definition =
      Destructor ? Destructor->getDefinition() : nullptr;
  if (!Definition || !Definition->getBody())
    return;
  distrustChangesOf(*Definition);
  if (writesThroughPointers(Definition->getBody()))
    for (Value Each : Object->Operands)
      if (Each->Tag == ValueNode::Address)
        distrust(Each->place().Object);
}

void HostMemory::distrustAllChanges() {
  for (const VarDecl *Each : Code.Changed)
    if (Each->hasGlobalStorage() || has(Each))
      distrust(Each);
}

} // namespace cudalint
