//===- analyzer/frontend/CarvedPointers.cpp - Parts of arrays -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CarvedPointers.h"

#include "analyzer/frontend/IntegerConstants.h"
#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/APSInt.h"

#include <algorithm>
#include <numeric>

using namespace clang;

namespace cudalint {

/// Empty where \p E is no base with something added to it.
static std::optional<PointerBegin> beginAt(const ASTContext &Context,
                                           const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Name = dyn_cast<DeclRefExpr>(E))
    return PointerBegin{Name, {}, {}};
  const Expr *Base = nullptr, *Offset = nullptr;
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->getOpcode() == BO_Add) {
    Base = B->getLHS();
    Offset = B->getRHS();
  } else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && U->getOpcode() == UO_AddrOf) {
    const auto *Element =
        dyn_cast<ArraySubscriptExpr>(U->getSubExpr()->IgnoreParens());
    if (!Element || Element->getBase() != Element->getLHS())
      return std::nullopt;
    Base = Element->getBase();
    Offset = Element->getIdx();
  }
  if (!Base)
    return std::nullopt;
  std::optional<PointerBegin> Result = beginAt(Context, Base);
  const std::optional<llvm::APSInt> Known = integerConstant(Context, *Offset);
  if (Result)
    (Known && *Known == 0 ? Result->Zeros : Result->Offsets).push_back(Offset);
  return Result;
}

std::optional<PointerBegin> beginOf(const ASTContext &Context,
                                    const VarDecl &Pointer) {
  if (!Pointer.hasLocalStorage() || isa<ParmVarDecl>(Pointer) ||
      !Pointer.getInit() || !Pointer.getIdentifier())
    return std::nullopt;
  // What is included may be so elsewhere, under other macros.
  const SourceManager &Sources = Context.getSourceManager();
  if (!isa<FunctionDecl>(Pointer.getDeclContext()) ||
      !Sources.isInMainFile(Sources.getFileLoc(Pointer.getLocation())))
    return std::nullopt;
  std::optional<PointerBegin> Result = beginAt(Context, Pointer.getInit());
  if (!Result)
    return std::nullopt;
  QualType Base = Result->Base->getType().getNonReferenceType();
  if (const ArrayType *Array = Context.getAsArrayType(Base))
    Base = Array->getElementType();
  else
    Base = Base->getPointeeType();
  const QualType Its = Pointer.getType()->getPointeeType();
  if (!Pointer.getType()->isPointerType() || Base.isNull() ||
      Base->isArrayType() || !Context.hasSameUnqualifiedType(Base, Its))
    return std::nullopt;
  return Result;
}

/// The greatest power of two that divides \p Number; 0: it is 0.
static std::uint64_t powerIn(std::uint64_t Number) { return Number & -Number; }

/// The initialiser of the variable that \p E names, where that keeps it; else
/// null.
static const Expr *keptBy(const Expr &E) {
  const auto *Name = dyn_cast<DeclRefExpr>(&E);
  const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  return Variable && Variable->getType().isConstQualified() &&
                 !isa<ParmVarDecl>(Variable)
             ? Variable->getInit()
             : nullptr;
}

static bool isOfBool(QualType Type) {
  if (const auto *Enum = Type->getAs<EnumType>())
    Type = Enum->getDecl()->getIntegerType();
  return !Type.isNull() && Type->isBooleanType();
}

/// As divisorOf() has it of what is no constant, a power of two.
static std::uint64_t powerOf(const ASTContext &Context, const Expr &Whole) {
  const Expr &E = *Whole.IgnoreParens();
  // A cast to bool makes 1 of what it is given.
  if (isOfBool(E.getType()))
    return 1;
  if (const auto *Cast = dyn_cast<CastExpr>(&E))
    return Cast->getSubExpr()->getType()->isIntegralOrEnumerationType()
               ? powerIn(divisorOf(Context, *Cast->getSubExpr()))
               : 1;
  constexpr std::uint64_t Most = std::uint64_t(1) << 31;
  const auto sub = [&](const Expr *Part) {
    return powerIn(divisorOf(Context, *Part));
  };
  if (!E.getType()->isIntegralOrEnumerationType())
    return 1;
  if (const Expr *Value = keptBy(E))
    return sub(Value);
  if (const auto *C = dyn_cast<ConditionalOperator>(&E))
    return std::gcd(sub(C->getTrueExpr()), sub(C->getFalseExpr()));
  const auto *B = dyn_cast<BinaryOperator>(&E);
  if (!B)
    return 1;
  switch (B->getOpcode()) {
  case BO_Add:
  case BO_Sub:
    return std::gcd(sub(B->getLHS()), sub(B->getRHS()));
  case BO_Mul:
    return std::min(Most, sub(B->getLHS()) * sub(B->getRHS()));
  case BO_And: // `n & ~31`
    return std::max(sub(B->getLHS()), sub(B->getRHS()));
  case BO_Shl: {
    const std::optional<llvm::APSInt> By =
        integerConstant(Context, *B->getRHS());
    return By && *By >= 0 && *By < 31
               ? std::min(Most, sub(B->getLHS()) << By->getZExtValue())
               : 1;
  }
  default:
    return 1;
  }
}

std::uint64_t divisorOf(const ASTContext &Context, const Expr &E) {
  if (E.isInstantiationDependent())
    return 0;
  if (const std::optional<llvm::APSInt> Known = integerConstant(Context, E))
    return Known->abs().getLimitedValue();
  return powerOf(Context, E);
}

static bool isNeverNegative(const ASTContext &Context, const Expr &Whole);

static bool isCastOfNeverNegative(const ASTContext &Context,
                                  const CastExpr &Cast) {
  const Expr &From = *Cast.getSubExpr();
  if (!From.getType()->isIntegralOrEnumerationType())
    return false;
  const std::uint64_t Before = Context.getIntWidth(From.getType()),
                      After = Context.getIntWidth(Cast.getType());
  // A register, as threadIdx.x is, has no number that an int has not.
  const bool IsWhole = !Cast.getType()->isSignedIntegerOrEnumerationType() ||
                       From.getType()->isSignedIntegerOrEnumerationType() ||
                       Before < After ||
                       isa<PseudoObjectExpr>(From.IgnoreParenImpCasts());
  return Before <= After && IsWhole && isNeverNegative(Context, From);
}

/// Whether \p Whole is what its form says if no number is negative: a
/// difference may be, and wrap. Errs towards false.
static bool isNeverNegative(const ASTContext &Context, const Expr &Whole) {
  const Expr &E = *Whole.IgnoreParens();
  if (!E.getType()->isIntegralOrEnumerationType())
    return false;
  if (const std::optional<llvm::APSInt> Known = integerConstant(Context, E))
    return *Known >= 0 && Known->getActiveBits() < 32;
  if (!E.getType()->isSignedIntegerOrEnumerationType() &&
      Context.getIntWidth(E.getType()) < 32)
    return true;
  if (const auto *P = dyn_cast<PseudoObjectExpr>(&E)) {
    const auto *Property = dyn_cast<MSPropertyRefExpr>(P->getSyntacticForm());
    return Property && isInSystemHeader(*Property->getPropertyDecl());
  }
  if (const Expr *Value = keptBy(E))
    return isNeverNegative(Context, *Value);
  if (const auto *Cast = dyn_cast<CastExpr>(&E))
    return isCastOfNeverNegative(Context, *Cast);
  if (const auto *C = dyn_cast<ConditionalOperator>(&E))
    return isNeverNegative(Context, *C->getTrueExpr()) &&
           isNeverNegative(Context, *C->getFalseExpr());
  const auto *B = dyn_cast<BinaryOperator>(&E);
  if (!B)
    return false;
  const bool Left = isNeverNegative(Context, *B->getLHS()),
             Right = isNeverNegative(Context, *B->getRHS());
  switch (B->getOpcode()) {
  case BO_And: // Of numbers below 0, too: `i & 31`.
    return Left || Right;
  case BO_Add:
  case BO_Mul:
  case BO_Div:
  case BO_Rem:
  case BO_Or:
  case BO_Shr:
    return Left && Right;
  case BO_Shl: // `(int)threadIdx.x << 31`
    return Left && Right && !E.getType()->isSignedIntegerOrEnumerationType();
  default:
    return false;
  }
}

IndexSign signOf(const ASTContext &Context, const Expr &Index) {
  if (isNeverNegative(Context, Index))
    return IndexSign::NeverNegative;
  return Index.IgnoreParenImpCasts()
                 ->getType()
                 ->isSignedIntegerOrEnumerationType()
             ? IndexSign::Signed
             : IndexSign::Unsigned;
}

} // namespace cudalint
