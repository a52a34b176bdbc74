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

#include "analyzer/launch/HostEvaluator.h"
#include "analyzer/launch/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace cudalint {

/// What a function changes that runs unseen, now or at any time to come.
void HostEvaluator::distrustChangesOf(const FunctionDecl &Unseen) {
  Code.forEachReached(Unseen, [&](const EffectSummary &Effects) {
    for (const VarDecl *Each : Effects.Changed)
      if (Each->hasGlobalStorage())
        State.Unsteady.insert(Each);
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

/// `Object`, of that type, will be destroyed in a moment that is not followed.
void HostEvaluator::distrustDestructor(QualType Type, Value Object,
                                       unsigned Level) {
  const auto *Record =
      QualType(Type->getBaseElementTypeUnsafe(), 0)->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Level > 4)
    return;
  if (const auto *Template = dyn_cast<ClassTemplateSpecializationDecl>(Record))
    for (const TemplateArgument &Each : Template->getTemplateArgs().asArray())
      if (Each.getKind() == TemplateArgument::Type)
        distrustDestructor(Each.getAsType(), Object, Level + 1);
  if (Record->hasTrivialDestructor() ||
      isInSystemHeader(Context, Record->getLocation()))
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
        State.Unsteady.insert(Each->place().Object);
}

/// Code out of sight gets to know a function of the user's.
void HostEvaluator::noteCallback(const FunctionDecl &Function) {
  const FunctionDecl *Callback = Function.getDefinition();
  if (!Callback)
    return;
  NotFollowed.insert(Callback);
  distrustChangesOf(*Callback);
}

} // namespace cudalint
