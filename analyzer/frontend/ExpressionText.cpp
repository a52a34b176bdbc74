//===- analyzer/frontend/ExpressionText.cpp - What is written -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ExpressionText.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudalint {

/// Variables of the function, and constants. Others may change what a reference
/// leads to.
static bool isSteady(const DeclRefExpr &E) {
  const auto *Variable = dyn_cast<VarDecl>(E.getDecl());
  if (Variable && Variable->getType()->isReferenceType())
    return false;
  return !Variable || Variable->hasLocalStorage() ||
         Variable->isUsableInConstantExpressions(Variable->getASTContext());
}

/// Whether to compute \p E twice computes the same and changes nothing: it
/// looks at no memory. Errs towards false.
static bool isRepeatable(const Stmt &E) {
  const auto *Value = dyn_cast<Expr>(&E);
  if (!Value || Value->getType().isVolatileQualified())
    return false;
  // `threadIdx.x`, which reads a register; a property of the user's calls what
  // the user likes.
  if (const auto *P = dyn_cast<PseudoObjectExpr>(Value)) {
    const auto *Property = dyn_cast<MSPropertyRefExpr>(P->getSyntacticForm());
    return Property && isInSystemHeader(*Property->getPropertyDecl());
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Value))
    return isSteady(*Ref);
  if (const auto *B = dyn_cast<BinaryOperator>(Value))
    if (B->isAssignmentOp() || B->getOpcode() == BO_Comma)
      return false;
  if (const auto *U = dyn_cast<UnaryOperator>(Value))
    if (U->isIncrementDecrementOp() || U->getOpcode() == UO_Deref)
      return false;
  // A reference leads to memory, and a static member is one for all.
  if (const auto *M = dyn_cast<MemberExpr>(Value)) {
    const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (M->isArrow() || !Field || Field->getType()->isReferenceType())
      return false;
  }
  if (!isa<BinaryOperator, UnaryOperator, MemberExpr, CastExpr, ParenExpr,
           ConditionalOperator, IntegerLiteral, CharacterLiteral,
           CXXBoolLiteralExpr, ConstantExpr, SubstNonTypeTemplateParmExpr,
           UnaryExprOrTypeTraitExpr>(Value))
    return false;
  return llvm::all_of(Value->children(), [](const Stmt *Child) {
    return Child && isRepeatable(*Child);
  });
}

/// Whether \p Where is part of what some macro is given.
static bool isGivenToMacro(const SourceManager &Sources, SourceLocation Where) {
  for (; Where.isMacroID();
       Where = Sources.getImmediateExpansionRange(Where).getBegin())
    if (Sources.isMacroArgExpansion(Where))
      return true;
  return false;
}

static bool isOperand(StringRef Text) {
  return llvm::all_of(
      Text, [](char C) { return isAlphanumeric(C) || C == '_' || C == '.'; });
}

std::optional<ExpressionText> expressionText(const ASTContext &Context,
                                             const Expr &E) {
  const SourceManager &Sources = Context.getSourceManager();
  const CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E.getSourceRange()), Sources,
      Context.getLangOpts());
  if (Range.isInvalid() || isGivenToMacro(Sources, E.getBeginLoc()) ||
      isGivenToMacro(Sources, E.getEndLoc()))
    return std::nullopt;
  const std::optional<Edit> Begin = insertionAt(Context, Range.getBegin(), "");
  const std::optional<Edit> End = insertionAt(Context, Range.getEnd(), "");
  const StringRef Text =
      Lexer::getSourceText(Range, Sources, Context.getLangOpts());
  if (!Begin || !End || Begin->File != End->File || Text.empty() ||
      Text.contains('\n') || Text.contains("//") || Text.contains("/*"))
    return std::nullopt;
  const Expr *Plain = E.IgnoreParenImpCasts();
  return ExpressionText{
      .Begin = {.File = Begin->File, .Offset = Begin->Offset},
      .End = End->Offset,
      .Text = Text.str(),
      .IsRepeatable = !Plain->isTypeDependent() &&
                      Plain->getType()->isIntegerType() &&
                      !Plain->getType()->isEnumeralType() && isRepeatable(E),
      .IsOperand = E.getBeginLoc().isFileID() && E.getEndLoc().isFileID() &&
                   isOperand(Text)};
}

} // namespace cudalint
