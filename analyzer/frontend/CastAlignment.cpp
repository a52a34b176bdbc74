//===- analyzer/frontend/CastAlignment.cpp - What a cast promises ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CastAlignment.h"

#include "analyzer/frontend/AstEdits.h"
#include "analyzer/frontend/SyntaxVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudalint {

namespace {

/// Leads every explicit cast between pointers over `void *`, beyond which the
/// code generator does not look for a declaration.
class CastVisitor : public SyntaxVisitor {
public:
  CastVisitor(ASTContext &AST, AstEdits &Edits) : AST(AST), Edits(Edits) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitExplicitCastExpr(ExplicitCastExpr *Cast) override {
    if (Cast->containsErrors() || Cast->isInstantiationDependent() ||
        Cast->getSubExpr()->isInstantiationDependent())
      return true;
    // Instantiations share what does not depend on their arguments: a cast
    // may come by twice, and is not changed again then.
    if (Cast->getCastKind() == CK_BitCast)
      visitPointer(*Cast);
    else if (Cast->getCastKind() == CK_LValueBitCast)
      visitReference(*Cast);
    return true;
  }

private:
  Expr *convert(Expr *E, QualType Pointee) {
    return ImplicitCastExpr::Create(AST, AST.getPointerType(Pointee),
                                    CK_BitCast, E, /*BasePath=*/nullptr,
                                    VK_PRValue, FPOptionsOverride());
  }

  /// `void` with the qualifiers, and in the address space, of `Type`.
  QualType voidLike(QualType Type) {
    return AST.getQualifiedType(AST.VoidTy, Type.getQualifiers());
  }

  /// `(T *)p` becomes `(T *)(void *)p`.
  void visitPointer(ExplicitCastExpr &Cast) {
    Expr *Sub = Cast.getSubExpr();
    const auto *From = Sub->getType()->getAs<PointerType>();
    const auto *To = Cast.getType()->getAs<PointerType>();
    if (!From || !To || From->getPointeeType()->isVoidType() ||
        !From->getPointeeType()->isObjectType() ||
        !To->getPointeeType()->isObjectType())
      return;
    replace(Cast, convert(Sub, voidLike(From->getPointeeType())), CK_BitCast);
  }

  /// `reinterpret_cast<T &>(x)` becomes `*(T *)(void *)&x`.
  void visitReference(ExplicitCastExpr &Cast) {
    Expr *Sub = Cast.getSubExpr();
    if (!Sub->isLValue() || !Cast.isLValue() || Sub->refersToBitField() ||
        Sub->refersToVectorElement() || !Sub->getType()->isObjectType() ||
        !Cast.getType()->isObjectType())
      return;
    const SourceLocation Where = Sub->getExprLoc();
    Expr *Address = UnaryOperator::Create(
        AST, Sub, UO_AddrOf, AST.getPointerType(Sub->getType()), VK_PRValue,
        OK_Ordinary, Where, /*CanOverflow=*/false, FPOptionsOverride());
    Expr *Pointer =
        convert(convert(Address, voidLike(Sub->getType())), Cast.getType());
    replace(Cast,
            UnaryOperator::Create(AST, Pointer, UO_Deref, Cast.getType(),
                                  VK_LValue, OK_Ordinary, Where,
                                  /*CanOverflow=*/false, FPOptionsOverride()),
            CK_NoOp);
  }

  void replace(ExplicitCastExpr &Cast, Expr *Sub, CastKind Kind) {
    Edits.add([&Cast, Old = Cast.getSubExpr(), OldKind = Cast.getCastKind()] {
      Cast.setSubExpr(Old);
      Cast.setCastKind(OldKind);
    });
    Cast.setSubExpr(Sub);
    Cast.setCastKind(Kind);
  }

  ASTContext &AST;
  AstEdits &Edits;
};

} // namespace

void trustCasts(ASTContext &AST, AstEdits &Edits) {
  CastVisitor(AST, Edits).TraverseDecl(AST.getTranslationUnitDecl());
}

} // namespace cudalint
