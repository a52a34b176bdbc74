//===- analyzer/launch/CoveringGrid.cpp - Grids by their blocks -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/CoveringGrid.h"

#include "analyzer/frontend/IntegerConstants.h"
#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/SumTerms.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace clang;

namespace cudalint {

//===----------------------------------------------------------------------===//
// What is written
//===----------------------------------------------------------------------===//

/// Without parentheses and casts of integers to what is as wide; of a parameter
/// of a helper, what it is given.
const Expr &CoveringGrid::plain(const Expr &E) const {
  const Expr *Result = &E;
  while (true) {
    Result = Result->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(Result)) {
      const QualType From = Cast->getSubExpr()->getType(), To = Cast->getType();
      if (Cast->getCastKind() != CK_LValueToRValue &&
          Cast->getCastKind() != CK_NoOp &&
          !(From->isIntegerType() && To->isIntegerType() &&
            Context.getIntWidth(To) >= Context.getIntWidth(From)))
        return *Result;
      Result = Cast->getSubExpr();
      continue;
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(Result);
    const auto *Parameter =
        Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    const auto Known = Given.find(Parameter);
    if (!Parameter || Known == Given.end())
      return *Result;
    Result = Known->second;
  }
}

/// A number of blocks, which has 31 bits in whatever type it is computed.
static const Expr &withoutWidth(const Expr &Blocks, const ASTContext &Context) {
  const Expr *Result = Blocks.IgnoreParens();
  while (const auto *Cast = dyn_cast<CastExpr>(Result)) {
    if (!Cast->getType()->isIntegerType() ||
        !Cast->getSubExpr()->getType()->isIntegerType() ||
        Context.getIntWidth(Cast->getType()) < 32)
      break;
    Result = Cast->getSubExpr()->IgnoreParens();
  }
  return *Result;
}

std::optional<std::int64_t> CoveringGrid::constant(const Expr &E) const {
  return int64Constant(Context, plain(E));
}

bool CoveringGrid::isNumber(const Expr &E, std::int64_t Value) const {
  return constant(E) == Value;
}

/// In the code of Holder, and no helper's, which others call.
bool CoveringGrid::isHere(const Expr &E) const {
  const SourceRange Range = Holder.getSourceRange();
  return Context.getSourceManager().isPointWithin(
      E.getBeginLoc(), Range.getBegin(), Range.getEnd());
}

/// Of the user's file, in plain decimal digits.
std::optional<Edit> CoveringGrid::placeOf(const IntegerLiteral &Number) const {
  std::optional<Edit> Place = insertionAt(Context, Number.getLocation(), "");
  const std::string Digits = writtenText(Context, Number.getSourceRange());
  if (!Place || Digits.empty() || Digits.front() == '0' ||
      !llvm::all_of(Digits, llvm::isDigit))
    return std::nullopt;
  Place->Length = Digits.size();
  return Place;
}

/// What the variable that \p Name names begins as. Its other uses are looked
/// for later.
const Expr *CoveringGrid::initOf(const Expr &Name) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&Name);
  const auto *Variable = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Variable || isa<ParmVarDecl>(Variable) || !Variable->getInit() ||
      !(Variable->isLocalVarDecl() || Variable->isFileVarDecl()))
    return nullptr;
  Uses.Names.insert(Ref);
  Uses.Variables.insert(Variable);
  const Expr *Init = Variable->getInit()->IgnoreParenImpCasts();
  if (const auto *List = dyn_cast<InitListExpr>(Init);
      List && List->getNumInits() == 1)
    return List->getInit(0);
  return Init;
}

/// The x of a dim3 whose y and z are 1.
const Expr *CoveringGrid::onlyDimension(const Expr &Dimensions) {
  const Expr *E = Dimensions.IgnoreUnlessSpelledInSource();
  if (E->getType()->isIntegerType())
    return E;
  const CXXRecordDecl *Class = E->getType()->getAsCXXRecordDecl();
  if (!Class || !Class->getIdentifier() || Class->getName() != "dim3")
    return nullptr;
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
    return onlyDimension(*Cast->getSubExpr());
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E)) {
    if (Made->getNumArgs() == 1)
      return onlyDimension(*Made->getArg(0));
    if (Made->getNumArgs() != 3 || isa<CXXDefaultArgExpr>(Made->getArg(0)))
      return nullptr;
    for (unsigned I : {1, 2})
      if (!isa<CXXDefaultArgExpr>(Made->getArg(I)) &&
          !isNumber(*Made->getArg(I), 1))
        return nullptr;
    return Made->getArg(0);
  }
  const Expr *Init = initOf(*E);
  return Init ? onlyDimension(*Init) : nullptr;
}

SourceLocation CoveringGrid::readBlock(const Expr &Block) {
  if (const auto *Ref =
          dyn_cast<DeclRefExpr>(Block.IgnoreUnlessSpelledInSource());
      Ref && !Ref->getType()->isIntegerType())
    Shape = dyn_cast<VarDecl>(Ref->getDecl());
  const Expr *Threads = onlyDimension(Block);
  if (!Threads)
    return {};
  Threads = &plain(*Threads);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Threads)) {
    Size = dyn_cast<VarDecl>(Ref->getDecl());
    const Expr *Init = initOf(*Ref);
    if (!Init)
      return {};
    Threads = &plain(*Init);
  }
  const auto *Number = dyn_cast<IntegerLiteral>(Threads);
  if (!Number)
    return {};
  std::optional<Edit> Place = placeOf(*Number);
  if (!Place)
    return {};
  Text.Threads = Number->getValue().getLimitedValue(1U << 16);
  Text.Sizes.push_back(std::move(*Place));
  return Number->getLocation();
}

/// Notes a number that stands for the size.
bool CoveringGrid::isSize(const Expr &E) {
  const Expr &Plain = plain(E);
  const Expr *Name = &Plain;
  const VarDecl *Variable = Size;
  if (const auto *Member = dyn_cast<MemberExpr>(Name)) {
    if (Member->isArrow() || Member->getMemberDecl()->getName() != "x")
      return false;
    Name = Member->getBase()->IgnoreParenImpCasts();
    Variable = Shape;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Name)) {
    if (!Variable || Ref->getDecl() != Variable)
      return false;
    Uses.Names.insert(Ref);
    return true;
  }
  const auto *Number = dyn_cast<IntegerLiteral>(&Plain);
  std::optional<Edit> Place =
      Number && isHere(*Number) && Number->getValue() == Text.Threads
          ? placeOf(*Number)
          : std::nullopt;
  if (!Place)
    return false;
  Text.Sizes.push_back(std::move(*Place));
  return true;
}

/// As a number; not `size - 1`.
bool CoveringGrid::isSizeLessOne(const Expr &E) {
  const auto *Number = dyn_cast<IntegerLiteral>(&plain(E));
  std::optional<Edit> Place =
      Number && isHere(*Number) && Number->getValue() == Text.Threads - 1
          ? placeOf(*Number)
          : std::nullopt;
  if (!Place)
    return false;
  Text.SizesLessOne.push_back(std::move(*Place));
  return true;
}

//===----------------------------------------------------------------------===//
// What bounds the kernel's threads
//===----------------------------------------------------------------------===//

/// Whether \p E is the same at each place of Holder, and has no size in it: its
/// variables get their value where they are declared.
bool CoveringGrid::isSteady(const Expr &E) const {
  llvm::SmallPtrSet<const ValueDecl *, 4> Named;
  bool IsPlain = true;
  forEachStatement(&E, [&](const Stmt &S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
      const auto *Variable = dyn_cast<VarDecl>(Ref->getDecl());
      IsPlain &= !Variable || !Uses.Variables.contains(Variable);
      if (Variable && !Variable->isUsableInConstantExpressions(Context)) {
        // Of another function, a lambda may change it.
        IsPlain &= Variable->hasLocalStorage() &&
                   Variable->getDeclContext() == &Holder &&
                   !Variable->getType()->isReferenceType();
        Named.insert(Variable);
      }
      return;
    }
    const auto *Binary = dyn_cast<BinaryOperator>(&S);
    const auto *Unary = dyn_cast<UnaryOperator>(&S);
    IsPlain &= (Binary && !Binary->isAssignmentOp()) ||
               (Unary && !Unary->isIncrementDecrementOp() &&
                Unary->getOpcode() != UO_Deref) ||
               isa<CastExpr, ParenExpr, IntegerLiteral, ConstantExpr,
                   UnaryExprOrTypeTraitExpr>(&S);
  });
  if (!IsPlain || Named.empty())
    return IsPlain;
  llvm::SmallPtrSet<const Expr *, 16> Read, All;
  forEachStatement(Holder.getBody(), [&](const Stmt &S) {
    if (const auto *Cast = dyn_cast<CastExpr>(&S);
        Cast && Cast->getCastKind() == CK_LValueToRValue)
      Read.insert(Cast->getSubExpr()->IgnoreParens());
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S);
        Ref && Named.contains(Ref->getDecl()))
      All.insert(Ref);
  });
  return llvm::all_of(All,
                      [&](const Expr *Each) { return Read.contains(Each); });
}

bool CoveringGrid::isBound(const Expr &E, const Expr &Bound) const {
  const std::optional<std::int64_t> Least = constant(E);
  // Where the sum would be beyond its type with blocks of any size, it is none.
  if (Least)
    return constant(Bound) == Least &&
           *Least <= std::numeric_limits<std::int32_t>::max() - 1024;
  const Expr &A = plain(E), &B = plain(Bound);
  llvm::FoldingSetNodeID OfA, OfB;
  A.Profile(OfA, Context, /*Canonical=*/true);
  B.Profile(OfB, Context, /*Canonical=*/true);
  return OfA == OfB && isSteady(A);
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// `n + size - 1`, or `n + 127`.
bool CoveringGrid::isRoundedUp(const Expr &Sum, const Expr &Bound) {
  SumTerms Terms(plain(Sum));
  if (!Terms.take(false, [&](const Expr &E) { return isBound(E, Bound); }))
    return false;
  if (Terms.size() == 1)
    return Terms.take(false, [&](const Expr &E) { return isSizeLessOne(E); });
  return Terms.size() == 2 &&
         Terms.take(false, [&](const Expr &E) { return isSize(E); }) &&
         Terms.take(true, [&](const Expr &E) { return isNumber(E, 1); });
}

/// `n / size`
bool CoveringGrid::isQuotient(const Expr &E, const Expr &Bound) {
  const BinaryOperator *Quotient = operationOf(plain(E), BO_Div);
  return Quotient && isBound(*Quotient->getLHS(), Bound) &&
         isSize(*Quotient->getRHS());
}

/// `n % size`
bool CoveringGrid::isRest(const Expr &E, const Expr &Bound) {
  const BinaryOperator *Rest = operationOf(plain(E), BO_Rem);
  return Rest && isBound(*Rest->getLHS(), Bound) && isSize(*Rest->getRHS());
}

/// 1, or what is 1 where `n % size` is not 0.
bool CoveringGrid::isOneForRest(const Expr &E, const Expr &Bound) {
  if (isNumber(E, 1))
    return true;
  const Expr &Plain = plain(E);
  const auto isTest = [&](const Expr &Test, BinaryOperatorKind Kind) {
    const BinaryOperator *Compared = operationOf(plain(Test), Kind);
    return Compared && isNumber(*Compared->getRHS(), 0) &&
           isRest(*Compared->getLHS(), Bound);
  };
  if (isTest(Plain, BO_NE) || isTest(Plain, BO_GT))
    return true;
  const auto *Choice = dyn_cast<ConditionalOperator>(&Plain);
  if (!Choice)
    return false;
  const Expr &Condition = *Choice->getCond()->IgnoreParenImpCasts();
  if (isTest(Condition, BO_EQ))
    return isNumber(*Choice->getTrueExpr(), 0) &&
           isNumber(*Choice->getFalseExpr(), 1);
  return isNumber(*Choice->getTrueExpr(), 1) &&
         isNumber(*Choice->getFalseExpr(), 0) &&
         (isTest(Condition, BO_NE) || isTest(Condition, BO_GT) ||
          isRest(Condition, Bound));
}

/// `n % size ? n / size + 1 : n / size`
bool CoveringGrid::isChoice(const Expr &E, const Expr &Bound) {
  const auto *Choice = dyn_cast<ConditionalOperator>(&plain(E));
  if (!Choice)
    return false;
  const Expr *Rest = Choice->getCond()->IgnoreParenImpCasts();
  const Expr *More = Choice->getTrueExpr(), *Even = Choice->getFalseExpr();
  if (const auto *Compared = dyn_cast<BinaryOperator>(Rest);
      Compared && Compared->isComparisonOp()) {
    if (!isNumber(*Compared->getRHS(), 0))
      return false;
    if (Compared->getOpcode() == BO_EQ)
      std::swap(More, Even);
    else if (Compared->getOpcode() != BO_NE && Compared->getOpcode() != BO_GT)
      return false;
    Rest = Compared->getLHS();
  }
  const BinaryOperator *Sum = operationOf(plain(*More), BO_Add);
  return isRest(*Rest, Bound) && isQuotient(*Even, Bound) && Sum &&
         isQuotient(*Sum->getLHS(), Bound) && isNumber(*Sum->getRHS(), 1);
}

/// A call of a function that returns such a formula and does nothing else.
bool CoveringGrid::isHelper(const Expr &E, const Expr &Bound) {
  const auto *Call = dyn_cast<CallExpr>(&plain(E));
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  Callee = Callee ? Callee->getDefinition() : nullptr;
  if (!Callee || isa<CXXMethodDecl>(Callee) || !Given.empty() ||
      Callee->getNumParams() != Call->getNumArgs())
    return false;
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Callee->getBody());
  const auto *Return = Body && Body->size() == 1
                           ? dyn_cast<ReturnStmt>(Body->body_front())
                           : nullptr;
  if (!Return || !Return->getRetValue())
    return false;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const QualType Type = Callee->getParamDecl(I)->getType();
    if (!Type.getNonReferenceType()->isIntegerType() ||
        Context.getIntWidth(Type.getNonReferenceType()) < 32)
      return false;
    Given[Callee->getParamDecl(I)] = Call->getArg(I);
  }
  const bool Covers = covers(*Return->getRetValue(), Bound);
  Given.clear();
  return Covers;
}

/// Whether so many blocks have at least \p Bound threads, whatever the size.
bool CoveringGrid::covers(const Expr &Blocks, const Expr &Bound) {
  const Expr &Plain = plain(withoutWidth(Blocks, Context));
  if (const BinaryOperator *Quotient = operationOf(Plain, BO_Div))
    return isRoundedUp(*Quotient->getLHS(), Bound) &&
           isSize(*Quotient->getRHS());
  if (const BinaryOperator *Sum = operationOf(Plain, BO_Add)) {
    // (n - 1) / size + 1
    const BinaryOperator *Quotient = operationOf(plain(*Sum->getLHS()), BO_Div);
    const BinaryOperator *Less =
        Quotient ? operationOf(plain(*Quotient->getLHS()), BO_Sub) : nullptr;
    if (Less && isNumber(*Less->getRHS(), 1) && isNumber(*Sum->getRHS(), 1) &&
        isBound(*Less->getLHS(), Bound))
      return isSize(*Quotient->getRHS());
    return isQuotient(*Sum->getLHS(), Bound) &&
           isOneForRest(*Sum->getRHS(), Bound);
  }
  return isChoice(Plain, Bound) || isHelper(Plain, Bound);
}

/// A number of blocks, or `n / size` of a number n.
bool CoveringGrid::keepsTotal(const Expr &Blocks) {
  const Expr &Plain = plain(Blocks);
  if (const auto *Number = dyn_cast<IntegerLiteral>(&Plain)) {
    std::optional<Edit> Place =
        isHere(*Number) ? placeOf(*Number) : std::nullopt;
    if (!Place || Number->getValue().getActiveBits() > 31)
      return false;
    const std::int64_t Total =
        static_cast<std::int64_t>(Number->getValue().getZExtValue()) *
        Text.Threads;
    Text.Blocks.push_back({std::move(*Place), Total});
    Text.Totals.push_back(Total);
    return true;
  }
  const BinaryOperator *Quotient = operationOf(Plain, BO_Div);
  const std::optional<std::int64_t> Total =
      Quotient ? constant(*Quotient->getLHS()) : std::nullopt;
  if (!Total || *Total % Text.Threads || !isSize(*Quotient->getRHS()))
    return false;
  Text.Totals.push_back(*Total);
  return true;
}

bool CoveringGrid::readGrid(const Expr &Grid, const Expr *Bound) {
  const Expr *Blocks = onlyDimension(Grid);
  if (!Blocks || Text.Threads < 1)
    return false;
  Blocks = &plain(withoutWidth(*Blocks, Context));
  if (isa<DeclRefExpr>(Blocks)) {
    Blocks = initOf(*Blocks);
    if (!Blocks)
      return false;
    Blocks = &withoutWidth(*Blocks, Context);
  }
  const SizeUses UsesBefore = Uses;
  const BlockSizeText TextBefore = Text;
  if (Bound && covers(*Blocks, *Bound))
    return true;
  Uses = UsesBefore;
  Text = TextBefore;
  return keepsTotal(*Blocks);
}

} // namespace cudalint
