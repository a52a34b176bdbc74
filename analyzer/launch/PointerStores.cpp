//===- analyzer/launch/PointerStores.cpp - Moved when stored --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/PointerStores.h"

#include "analyzer/frontend/IntegerConstants.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudalint {

/// What allocations are aligned to.
static constexpr std::int64_t Alignment = 256;

std::string pointerPlace(const ValueDecl &Declaration) {
  const auto *Variable = dyn_cast<VarDecl>(&Declaration);
  const bool IsPlace = Declaration.getType()->isPointerType() &&
                       (isa<FieldDecl>(Declaration) ||
                        (Variable && Variable->hasGlobalStorage()));
  return IsPlace ? usrOf(Declaration) : std::string();
}

namespace {
/// Finds by how many bytes a pointer is moved.
class Movement {
public:
  /// A pointer that is moved from where \p To was may be moved again.
  Movement(const ASTContext &Context, const ValueDecl &To)
      : Context(Context), To(To) {}

  /// Of \p E, from the pointer that it begins with; empty: not known.
  std::optional<std::int64_t> of(const Expr *E) const {
    std::int64_t Bytes = 0;
    while (true) {
      E = E->IgnoreParenCasts();
      const Expr *Pointer = nullptr, *Index = nullptr;
      bool IsBack = false;
      if (const auto *Sum = dyn_cast<BinaryOperator>(E);
          Sum && Sum->isAdditiveOp()) {
        if (!Sum->getType()->isPointerType()) // Of addresses as numbers.
          return std::nullopt;
        const bool IsSwapped = !Sum->getLHS()->getType()->isPointerType();
        Pointer = IsSwapped ? Sum->getRHS() : Sum->getLHS();
        Index = IsSwapped ? Sum->getLHS() : Sum->getRHS();
        IsBack = Sum->getOpcode() == BO_Sub;
      } else if (const auto *Address = dyn_cast<UnaryOperator>(E);
                 Address && Address->getOpcode() == UO_AddrOf) {
        const auto *Element =
            dyn_cast<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParens());
        if (!Element)
          return Bytes;
        Pointer = Element->getBase();
        Index = Element->getIdx();
      } else if (isa<AbstractConditionalOperator, InitListExpr>(E)) {
        return std::nullopt;
      } else {
        const bool IsOwn = namedObject(E) == &To && Bytes;
        return IsOwn ? std::nullopt : std::optional(Bytes);
      }
      const auto By = bytesOf(*Index, Pointer->getType());
      if (!By)
        return std::nullopt;
      Bytes = (Bytes + (IsBack ? Alignment - *By : *By)) % Alignment;
      E = Pointer;
    }
  }

private:
  std::optional<std::int64_t> bytesOf(const Expr &Index, QualType Type) const {
    const QualType Element =
        Type->getPointeeOrArrayElementType()->getCanonicalTypeUnqualified();
    const std::optional<std::int64_t> Number = int64Constant(Context, Index);
    if (Element->isIncompleteType() || Element->isDependentType() || !Number)
      return std::nullopt;
    const std::int64_t Size =
        Context.getTypeSizeInChars(Element).getQuantity() % Alignment;
    const std::int64_t Count = *Number % Alignment;
    return (Size * Count % Alignment + Alignment) % Alignment;
  }

  const ASTContext &Context;
  const ValueDecl &To;
};

/// Collects what is stored.
class Stores {
public:
  explicit Stores(const ASTContext &Context) : Context(Context) {}

  decltype(ProgramFacts::Pointers) Result;

  void scan(const Stmt &S) {
    if (const auto *Step = dyn_cast<UnaryOperator>(&S);
        Step && Step->isIncrementDecrementOp())
      return moveAnywhere(*Step->getSubExpr());
    const auto *Binary = dyn_cast<BinaryOperator>(&S);
    if (!Binary || !Binary->isAssignmentOp())
      return;
    if (Binary->getOpcode() != BO_Assign)
      return moveAnywhere(*Binary->getLHS());
    if (const ValueDecl *To = namedObject(Binary->getLHS()->IgnoreParens()))
      store(*To, *Binary->getRHS());
  }

  void store(const ValueDecl &To, const Expr &From) {
    if (!To.getType()->isPointerType() || From.isValueDependent() ||
        From.isNullPointerConstant(const_cast<ASTContext &>(Context),
                                   Expr::NPC_ValueDependentIsNotNull))
      return;
    if (const std::string Place = pointerPlace(To); !Place.empty())
      Result[Place].insert(Movement(Context, To).of(&From));
  }

private:
  void moveAnywhere(const Expr &Moved) {
    const ValueDecl *To = namedObject(Moved.IgnoreParens());
    if (const std::string Place = To ? pointerPlace(*To) : std::string();
        !Place.empty())
      Result[Place].insert(std::nullopt);
  }

  const ASTContext &Context;
};
} // namespace

decltype(ProgramFacts::Pointers) pointerStores(const ASTContext &Context,
                                               const UserFunctions &Functions) {
  Stores Found(Context);
  for (const FunctionDecl *Each : Functions.Definitions) {
    if (!isHostCode(*Each))
      continue;
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Each))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        if (const FieldDecl *Field = Init->getMember();
            Field && Init->getInit())
          Found.store(*Field, *Init->getInit());
    forEachStatement(Each->getBody(), [&](const Stmt &S) { Found.scan(S); });
  }
  for (const VarDecl *Each : Functions.Variables)
    if (const Expr *Init = Each->getInit())
      Found.store(*Each, *Init);
  return std::move(Found.Result);
}

} // namespace cudalint
