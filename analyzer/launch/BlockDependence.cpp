//===- analyzer/launch/BlockDependence.cpp - Threads cut to blocks --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/BlockDependence.h"

#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/LaneCode.h"
#include "analyzer/launch/SumTerms.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

using namespace clang;

namespace cudalint {

static bool isWideInteger(QualType Type, const ASTContext &Context) {
  return Type->isIntegerType() && Context.getIntWidth(Type) >= 32;
}

/// Without parentheses and casts that keep the number, but for its sign:
/// between integers of at least 32 bits, to one that is as wide.
static const Expr &plain(const Expr &E, const ASTContext &Context) {
  const Expr *Result = &E;
  while (true) {
    Result = Result->IgnoreParens();
    const auto *Cast = dyn_cast<CastExpr>(Result);
    if (!Cast || (Cast->getCastKind() != CK_LValueToRValue &&
                  Cast->getCastKind() != CK_NoOp &&
                  (Cast->getCastKind() != CK_IntegralCast ||
                   !isWideInteger(Cast->getSubExpr()->getType(), Context) ||
                   Context.getIntWidth(Cast->getType()) <
                       Context.getIntWidth(Cast->getSubExpr()->getType()))))
      return *Result;
    Result = Cast->getSubExpr();
  }
}

/// Whether to compute \p E changes nothing and looks at no memory but
/// variables; errs towards false.
static bool changesNothing(const Expr &E) {
  // The part of a builtin, which calls what reads it.
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(&E))
    return builtinPart(*Pseudo->getSyntacticForm()).has_value();
  if (const auto *U = dyn_cast<UnaryOperator>(&E);
      U && (U->isIncrementDecrementOp() || U->getOpcode() == UO_Deref))
    return false;
  if (const auto *M = dyn_cast<MemberExpr>(&E); M && M->isArrow())
    return false;
  if (const auto *B = dyn_cast<BinaryOperator>(&E); B && B->isAssignmentOp())
    return false;
  return isa<BinaryOperator, UnaryOperator, CastExpr, ParenExpr, DeclRefExpr,
             MemberExpr, ConditionalOperator, IntegerLiteral, FloatingLiteral,
             CXXBoolLiteralExpr, CharacterLiteral, ConstantExpr,
             SubstNonTypeTemplateParmExpr>(E) &&
         llvm::all_of(E.children(), [](const Stmt *Child) {
           const auto *Part = dyn_cast_or_null<Expr>(Child);
           return Part && changesNothing(*Part);
         });
}

namespace {
class KernelLook {
public:
  explicit KernelLook(const FunctionDecl &Kernel)
      : Context(Kernel.getASTContext()), Kernel(Kernel) {}

  BlockDependence result() {
    // A cluster is a number of blocks.
    if (Kernel.hasAttr<CUDAClusterDimsAttr>())
      return {};
    const bool AreOwn = forEachLaneStatement(
        Kernel, [&](const Stmt &S, const FunctionDecl &In) {
          Function = &In;
          look(S);
        });
    if (!AreOwn || HasBlock || !std::ranges::includes(Known, Named))
      return {};
    const auto *Body = dyn_cast_or_null<CompoundStmt>(Kernel.getBody());
    return {.OnlyOnTotal = true,
            .Bound = Body && !AsksTotal ? boundOf(*Body) : nullptr};
  }

private:
  void look(const Stmt &S) {
    if (const std::optional<BuiltinPart> Part = builtinPart(S)) {
      Named.insert({Function, Part->Where});
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
      if (!threadBuiltin(*Ref).empty())
        Named.insert({Function, Ref->getLocation()});
      HasBlock |= Ref->getDecl()->hasAttr<CUDASharedAttr>();
      HasBlock |= Ref->getDecl()->getDeclName().isIdentifier() &&
                  Ref->getDecl()->getName() == "warpSize";
      note(*Ref);
    } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      HasBlock |= Callee && isBlockBarrier(*Callee);
    } else if (const auto *E = dyn_cast<Expr>(&S)) {
      const auto *Cast = dyn_cast<CastExpr>(E);
      if (Cast && Cast->getCastKind() == CK_LValueToRValue)
        if (const auto *Ref =
                dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens()))
          Reads.insert(Ref);
      std::vector<SourceLocation> Parts = numberParts(*E);
      if (Parts.empty()) {
        Parts = totalParts(*E);
        AsksTotal |= !Parts.empty();
      }
      for (SourceLocation Each : Parts)
        Known.insert({Function, Each});
    }
  }

  void note(const DeclRefExpr &Ref) {
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Ref.getDecl());
        Parameter && Parameter->getDeclContext() == &Kernel)
      Parameters.push_back(&Ref);
  }

  /// The name of `Variable.x` in \p E; invalid where that is another thing.
  SourceLocation nameOf(const Expr &E, StringRef Variable) const {
    const auto *Pseudo = dyn_cast<PseudoObjectExpr>(&plain(E, Context));
    const std::optional<BuiltinPart> Part =
        Pseudo ? builtinPart(*Pseudo->getSyntacticForm()) : std::nullopt;
    return Part && Part->Variable == Variable && Part->Part == "x"
               ? Part->Where
               : SourceLocation();
  }

  /// The names in a product of the two, either way round.
  std::vector<SourceLocation> productParts(const Expr &E, StringRef A,
                                           StringRef B) const {
    const BinaryOperator *Product = operationOf(plain(E, Context), BO_Mul);
    if (!Product || !isWideInteger(Product->getType(), Context))
      return {};
    for (const auto &[Left, Right] : {std::pair(A, B), std::pair(B, A)}) {
      const SourceLocation L = nameOf(*Product->getLHS(), Left),
                           R = nameOf(*Product->getRHS(), Right);
      if (L.isValid() && R.isValid())
        return {L, R};
    }
    return {};
  }

  /// The names in `blockIdx.x * blockDim.x + threadIdx.x`.
  std::vector<SourceLocation> numberParts(const Expr &E) const {
    const BinaryOperator *Sum = operationOf(plain(E, Context), BO_Add);
    if (!Sum || !isWideInteger(Sum->getType(), Context))
      return {};
    for (const auto &[Block, Thread] :
         {std::pair(Sum->getLHS(), Sum->getRHS()),
          std::pair(Sum->getRHS(), Sum->getLHS())}) {
      std::vector<SourceLocation> Parts =
          productParts(*Block, "blockIdx", "blockDim");
      const SourceLocation Own = nameOf(*Thread, "threadIdx");
      if (Parts.empty() || Own.isInvalid())
        continue;
      Parts.push_back(Own);
      return Parts;
    }
    return {};
  }

  std::vector<SourceLocation> totalParts(const Expr &E) const {
    return productParts(E, "gridDim", "blockDim");
  }

  /// What the first statements that do more than compute leave to threads with
  /// lower numbers alone.
  const Expr *boundOf(const CompoundStmt &Body) {
    for (auto It = Body.body_begin(); It != Body.body_end(); ++It) {
      if (const auto *Declared = dyn_cast<DeclStmt>(*It)) {
        if (!llvm::all_of(Declared->decls(),
                          [&](const Decl *D) { return declares(*D); }))
          return nullptr;
      } else if (const auto *If = dyn_cast<IfStmt>(*It)) {
        if (If->getInit() || If->getConditionVariable() || If->getElse())
          return nullptr;
        if (isReturn(*If->getThen()))
          return boundIn(*If->getCond(), /*Leaves=*/true);
        return std::all_of(std::next(It), Body.body_end(),
                           [](const Stmt *S) { return isReturn(*S); })
                   ? boundIn(*If->getCond(), /*Leaves=*/false)
                   : nullptr;
      } else if (!isa<NullStmt>(*It)) {
        return nullptr;
      }
    }
    return nullptr;
  }

  /// Notes a variable that is the number; whether nothing happens.
  bool declares(const Decl &D) {
    const auto *Variable = dyn_cast<VarDecl>(&D);
    if (!Variable || !Variable->hasLocalStorage())
      return false;
    const Expr *Init = Variable->getInit();
    if (!Init)
      return true;
    if (isWideInteger(Variable->getType(), Context) &&
        !numberParts(*Init).empty())
      Numbers.insert(Variable);
    return changesNothing(*Init);
  }

  static bool isReturn(const Stmt &S) {
    if (const auto *Block = dyn_cast<CompoundStmt>(&S))
      return Block->size() == 1 && isReturn(*Block->body_front());
    return isa<ReturnStmt>(S);
  }

  bool isNumber(const Expr &E) const {
    const auto *Ref = dyn_cast<DeclRefExpr>(&plain(E, Context));
    return (Ref && Numbers.contains(Ref->getDecl())) || !numberParts(E).empty();
  }

  /// Of `i >= n || ...` where that \p Leaves, of `i < n && ...` where it
  /// enters.
  const Expr *boundIn(const Expr &Condition, bool Leaves) const {
    const auto *Test =
        dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
    if (!Test)
      return nullptr;
    if (Test->getOpcode() == (Leaves ? BO_LOr : BO_LAnd)) {
      const Expr *Found = boundIn(*Test->getLHS(), Leaves);
      return Found || !changesNothing(*Test->getLHS())
                 ? Found
                 : boundIn(*Test->getRHS(), Leaves);
    }
    const BinaryOperatorKind Upwards = Leaves ? BO_GE : BO_LT,
                             Downwards = Leaves ? BO_LE : BO_GT;
    const Expr *Bound = nullptr;
    if (Test->getOpcode() == Upwards && isNumber(*Test->getLHS()))
      Bound = Test->getRHS();
    else if (Test->getOpcode() == Downwards && isNumber(*Test->getRHS()))
      Bound = Test->getLHS();
    return Bound && isSteady(*Bound) ? &plain(*Bound, Context) : nullptr;
  }

  bool isSteady(const Expr &E) const {
    const Expr &Bound = plain(E, Context);
    if (!isWideInteger(Bound.getType(), Context))
      return false;
    if (!Bound.isValueDependent() && Bound.isEvaluatable(Context))
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(&Bound);
    return Ref && isa<ParmVarDecl>(Ref->getDecl()) &&
           Ref->getDecl()->getDeclContext() == &Kernel &&
           llvm::all_of(Parameters, [&](const DeclRefExpr *Each) {
             return Each->getDecl() != Ref->getDecl() || Reads.contains(Each);
           });
  }

  const ASTContext &Context;
  const FunctionDecl &Kernel;
  const FunctionDecl *Function = nullptr; ///< That is looked at.
  /// Where builtins are named, and where as a part of what is the same in other
  /// blocks. Instantiations of a template have the same places.
  std::set<std::pair<const FunctionDecl *, SourceLocation>> Named, Known;
  bool AsksTotal = false;
  bool HasBlock = false; ///< It has something in common with its block.
  llvm::SmallPtrSet<const ValueDecl *, 4> Numbers;
  std::vector<const DeclRefExpr *> Parameters;
  llvm::SmallPtrSet<const DeclRefExpr *, 16> Reads;
};
} // namespace

BlockDependence blockDependence(const FunctionDecl &Kernel) {
  return KernelLook(Kernel).result();
}

} // namespace cudalint
