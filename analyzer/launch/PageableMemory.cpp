//===- analyzer/launch/PageableMemory.cpp - Host memory, not pinned -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/PageableMemory.h"

#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudalint {

PageableMemory::Origins &PageableMemory::originsOf(const clang::VarDecl &V) {
  return Known[V.getCanonicalDecl()];
}

bool PageableMemory::areFromHeap(const clang::VarDecl &V) const {
  const auto Of = Known.find(V.getCanonicalDecl());
  return Of != Known.end() && !Of->second.HasOthers &&
         !Of->second.Allocator.empty();
}

/// Whose pageable memory \p E is; empty: not known to be pageable. Null
/// pointers are "0": they are copied by nobody.
static llvm::StringRef pageableAllocator(const clang::ASTContext &Context,
                                         const clang::Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *New = llvm::dyn_cast<clang::CXXNewExpr>(E)) {
    const clang::FunctionDecl *By = New->getOperatorNew();
    return By && By->isReplaceableGlobalAllocationFunction() && !By->isDefined()
               ? "new"
               : "";
  }
  if (E->isNullPointerConstant(const_cast<clang::ASTContext &>(Context),
                               clang::Expr::NPC_ValueDependentIsNotNull))
    return "0";
  const auto *Call = llvm::dyn_cast<clang::CallExpr>(E);
  const clang::FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier() || Callee->hasBody() ||
      !Callee->isExternC())
    return "";
  return llvm::StringSwitch<llvm::StringRef>(Callee->getName())
      .Case("malloc", "malloc")
      .Case("calloc", "calloc")
      .Case("realloc", "realloc")
      .Case("aligned_alloc", "aligned_alloc")
      .Default("");
}

void PageableMemory::noteOrigin(const clang::VarDecl *V,
                                const clang::Expr *From) {
  if (!V || !V->getType()->isPointerType())
    return;
  Origins &Of = originsOf(*V);
  const llvm::StringRef By = pageableAllocator(Context, From);
  if (By.empty())
    Of.HasOthers = true;
  else if (By != "0")
    Of.Allocator = By.str();
}

/// Everything that is done to variables that are pointers, other than to read
/// them.
void PageableMemory::noteOrigins(const clang::Stmt *Body) {
  const auto hasOthers = [&](const clang::Expr *E) {
    if (const clang::VarDecl *V = E ? namedVariable(E) : nullptr)
      originsOf(*V).HasOthers = true;
  };
  forEachWithin(Body, [&](const clang::Stmt &S,
                          llvm::ArrayRef<const clang::Stmt *> Around) {
    if (const auto *Declared = llvm::dyn_cast<clang::DeclStmt>(&S)) {
      for (const clang::Decl *D : Declared->decls()) {
        const auto *V = llvm::dyn_cast<clang::VarDecl>(D);
        if (!V || !V->getInit())
          continue;
        if (V->getType()->isReferenceType())
          hasOthers(V->getInit());
        noteOrigin(V, V->getInit());
      }
    } else if (const auto *Operator =
                   llvm::dyn_cast<clang::BinaryOperator>(&S)) {
      if (Operator->getOpcode() == clang::BO_Assign)
        noteOrigin(namedVariable(Operator->getLHS()), Operator->getRHS());
    } else if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(&S)) {
      if (Unary->getOpcode() == clang::UO_AddrOf)
        hasOthers(Unary->getSubExpr());
    } else if (const auto *Lambda = llvm::dyn_cast<clang::LambdaExpr>(&S)) {
      for (const clang::LambdaCapture &Each : Lambda->captures())
        if (Each.capturesVariable() &&
            Each.getCaptureKind() == clang::LCK_ByRef)
          if (const auto *V =
                  llvm::dyn_cast<clang::VarDecl>(Each.getCapturedVar()))
            originsOf(*V).HasOthers = true;
    } else if (const auto *Named = llvm::dyn_cast<clang::DeclRefExpr>(&S)) {
      // Neither read nor the left side of an assignment: bound to a reference.
      const clang::Stmt *Parent = nullptr;
      for (const clang::Stmt *Each : llvm::reverse(Around)) {
        if (llvm::isa<clang::ParenExpr>(Each))
          continue;
        Parent = Each;
        break;
      }
      const auto *Cast = llvm::dyn_cast_or_null<clang::CastExpr>(Parent);
      if (Parent && llvm::isa<clang::CallExpr, clang::CXXConstructExpr>(Parent))
        hasOthers(Named);
      else if (Cast && Cast->getCastKind() != clang::CK_LValueToRValue &&
               Cast->getCastKind() != clang::CK_ArrayToPointerDecay)
        hasOthers(Named);
    }
    return true;
  });
}

/// `std::vector<T>` with the allocator that comes with it.
static bool isPlainVector(clang::QualType Type) {
  const auto *Class =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
          Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Class || !Class->isInStdNamespace() || Class->getName() != "vector" ||
      Class->getTemplateArgs().size() < 2)
    return false;
  const clang::TemplateArgument &Second = Class->getTemplateArgs()[1];
  const clang::CXXRecordDecl *Allocator =
      Second.getKind() == clang::TemplateArgument::Type
          ? Second.getAsType()->getAsCXXRecordDecl()
          : nullptr;
  return Allocator && Allocator->isInStdNamespace() &&
         Allocator->getName() == "allocator";
}

/// The vector whose memory `v.data()` or `&v[i]` is; or null.
static const clang::Expr *vectorOf(const clang::Expr *E) {
  if (const auto *Call = llvm::dyn_cast<clang::CXXMemberCallExpr>(E)) {
    const clang::CXXMethodDecl *Method = Call->getMethodDecl();
    const clang::Expr *Object =
        Call->getImplicitObjectArgument()->IgnoreParenImpCasts();
    return Method && Method->getIdentifier() && Method->getName() == "data" &&
                   isPlainVector(Object->getType())
               ? Object
               : nullptr;
  }
  const auto *Address = llvm::dyn_cast<clang::UnaryOperator>(E);
  const auto *Element = Address && Address->getOpcode() == clang::UO_AddrOf
                            ? llvm::dyn_cast<clang::CXXOperatorCallExpr>(
                                  Address->getSubExpr()->IgnoreParenImpCasts())
                            : nullptr;
  if (!Element || Element->getOperator() != clang::OO_Subscript)
    return nullptr;
  const clang::Expr *Object = Element->getArg(0)->IgnoreParenImpCasts();
  return isPlainVector(Object->getType()) ? Object : nullptr;
}

/// Of `all[i].rows`, `rows`; of `rows[i]`, too.
static std::string firstName(const clang::Expr *E) {
  std::string Name;
  forEachStatement(E, [&](const clang::Stmt &S) {
    const auto *Part = llvm::dyn_cast<clang::Expr>(&S);
    const clang::ValueDecl *Named = Part ? namedObject(Part) : nullptr;
    if (Name.empty() &&
        llvm::isa_and_present<clang::VarDecl, clang::FieldDecl>(Named))
      Name = Named->getNameAsString();
  });
  return Name.empty() ? "a vector" : Name;
}

std::optional<CopiedMemory>
PageableMemory::of(const clang::Expr &Copied) const {
  const clang::Expr *E = Copied.IgnoreParenCasts();
  if (const clang::Expr *Vector = vectorOf(E)) {
    return CopiedMemory{firstName(Vector), "a 'std::vector'"};
  }
  // `p + n`, `&p[n]`, `&x`, `array`
  const auto *Sum = llvm::dyn_cast<clang::BinaryOperator>(E);
  if (Sum && Sum->isAdditiveOp() && Sum->getLHS()->getType()->isPointerType())
    E = Sum->getLHS()->IgnoreParenCasts();
  const auto *Address = llvm::dyn_cast<clang::UnaryOperator>(E);
  bool IsAddress = Address && Address->getOpcode() == clang::UO_AddrOf;
  if (IsAddress)
    E = Address->getSubExpr()->IgnoreParenCasts();
  while (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(E)) {
    const clang::Expr *Base = Element->getBase()->IgnoreParenImpCasts();
    if (!IsAddress && !Element->getType()->isArrayType())
      return std::nullopt;
    E = Base;
    // `&p[n]` is in what p points to, and p itself is no array.
    if (!Base->getType()->isArrayType()) {
      IsAddress = false;
      break;
    }
  }
  const clang::VarDecl *V = namedVariable(E);
  if (!V || V->hasAttr<clang::CUDADeviceAttr>() ||
      V->hasAttr<clang::CUDAConstantAttr>() ||
      V->getType()->isReferenceType() || (V->isExternallyVisible() && !HasMain))
    return std::nullopt;
  if (V->getType()->isArrayType() || IsAddress)
    return llvm::isa<clang::ParmVarDecl>(V) && !IsAddress
               ? std::nullopt
               : std::optional(CopiedMemory{V->getNameAsString(),
                                            "a variable of the host"});
  if (llvm::isa<clang::ParmVarDecl>(V) || !V->getType()->isPointerType() ||
      V->hasExternalStorage() || !areFromHeap(*V))
    return std::nullopt;
  return CopiedMemory{V->getNameAsString(),
                      "of '" + Known.at(V->getCanonicalDecl()).Allocator + "'"};
}

PageableMemory::PageableMemory(const clang::ASTContext &Context,
                               const UserFunctions &Functions)
    : Context(Context),
      HasMain(llvm::any_of(Functions.Definitions,
                           [](const auto *F) { return F->isMain(); })) {
  for (const clang::VarDecl *V : Functions.Variables)
    if (V->getInit())
      noteOrigin(V, V->getInit());
  for (const clang::FunctionDecl *F : Functions.Definitions)
    noteOrigins(F->getBody());
}

} // namespace cudalint
