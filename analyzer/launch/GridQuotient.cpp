//===- analyzer/launch/GridQuotient.cpp - Grids rounded down --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/GridQuotient.h"

#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/EffectSummary.h"

#include "clang/AST/ExprCXX.h"

#include <set>

using namespace clang;

namespace cudalint {

/// What a local variable begins as that nothing changes; null for all else.
static const Expr *initOf(const Expr &Name) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&Name);
  const auto *Variable = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Variable || !Variable->isLocalVarDecl() || !Variable->getInit())
    return nullptr;
  const auto *In = dyn_cast<FunctionDecl>(Variable->getDeclContext());
  if (!In)
    return nullptr;
  return effectsOf(*In).Changed.contains(Variable) ? nullptr
                                                   : Variable->getInit();
}

/// That size as it is written; null where that is not seen.
static const Expr *writtenSize(const Expr &Sizes, unsigned Dimension) {
  const Expr *E = Sizes.IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  constexpr unsigned MostSteps = 8;
  for (unsigned Step = 0; E && Step != MostSteps; ++Step) {
    if (const auto *Made = dyn_cast<CXXConstructExpr>(E)) {
      const bool IsCopy = Made->getConstructor()->isCopyOrMoveConstructor();
      const unsigned Its = IsCopy ? 0 : Dimension;
      if (Its >= Made->getNumArgs())
        return nullptr;
      E = Made->getArg(Its);
      Dimension = IsCopy ? Dimension : 0;
    } else if (const Expr *Init = initOf(*E)) {
      E = Init;
    } else {
      return E->getType()->isArithmeticType() && Dimension == 0 ? E : nullptr;
    }
    E = E->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  }
  return nullptr;
}

/// Whether something is added to \p E that may be there to round up: more than
/// 1, or by \p Divisor.
static bool mayRoundUp(const Expr &E, const Expr &Divisor) {
  std::set<const ValueDecl *> Names;
  const auto nameIn = [](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    return Ref ? Ref->getDecl() : nullptr;
  };
  forEachStatement(&Divisor, [&](const Stmt &S) {
    if (const ValueDecl *Name = nameIn(S))
      Names.insert(Name);
  });
  bool May = false;
  forEachStatement(&E, [&](const Stmt &S) {
    const auto *Sum = dyn_cast<BinaryOperator>(&S);
    if (Sum && Sum->isAdditiveOp())
      for (const Expr *Part : {Sum->getLHS(), Sum->getRHS()})
        if (const auto *Number =
                dyn_cast<IntegerLiteral>(Part->IgnoreParenCasts()))
          May = May || Number->getValue().ugt(1);
    May = May || Names.contains(nameIn(S));
  });
  return May;
}

/// The quotient of integers that it is; or null.
static const BinaryOperator *quotientOf(const Expr *E) {
  const auto *Quotient = dyn_cast_or_null<BinaryOperator>(E);
  return Quotient && Quotient->getOpcode() == BO_Div &&
                 Quotient->getType()->isIntegerType()
             ? Quotient
             : nullptr;
}

/// `ceil(n / 256)`: what it rounds up was rounded down before.
static bool isCeilOfQuotient(const Expr &E) {
  const auto *Call = dyn_cast<CallExpr>(&E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() && Call->getNumArgs() == 1 &&
         (Callee->getName() == "ceil" || Callee->getName() == "ceilf") &&
         quotientOf(Call->getArg(0)->IgnoreParenCasts());
}

bool isRoundedDown(const CUDAKernelCallExpr &Launch, unsigned Dimension) {
  const CallExpr *Config = Launch.getConfig();
  const Expr *Size = Config && Config->getNumArgs() != 0
                         ? writtenSize(*Config->getArg(0), Dimension)
                         : nullptr;
  if (Size && isCeilOfQuotient(*Size))
    return true;
  const BinaryOperator *Quotient = quotientOf(Size);
  return Quotient &&
         !isa<IntegerLiteral>(Quotient->getLHS()->IgnoreParenCasts()) &&
         !mayRoundUp(*Quotient->getLHS(), *Quotient->getRHS());
}

} // namespace cudalint
