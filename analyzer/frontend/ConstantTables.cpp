//===- analyzer/frontend/ConstantTables.cpp - Where tables lie ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ConstantTables.h"

#include "analyzer/frontend/AstEdits.h"
#include "analyzer/frontend/SyntaxVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace cudalint {

namespace {

class TablePlacer : public SyntaxVisitor {
public:
  TablePlacer(ASTContext &AST, AstEdits &Edits) : AST(AST), Edits(Edits) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitVarDecl(VarDecl *V) override {
    const auto *Constant = V->getAttr<CUDAConstantAttr>();
    if (!Constant || !Constant->isImplicit())
      return true;
    Edits.add([V, Old = V->getAttrs()] {
      V->dropAttrs();
      V->setAttrs(Old);
    });
    V->dropAttr<CUDAConstantAttr>();
    if (!V->hasAttr<CUDADeviceAttr>())
      V->addAttr(CUDADeviceAttr::CreateImplicit(AST));
    return true;
  }

private:
  ASTContext &AST;
  AstEdits &Edits;
};

class HostConstants : public SyntaxVisitor {
public:
  std::set<const Decl *> Found;

  HostConstants() { ShouldVisitTemplateInstantiations = true; }

  bool TraverseDecl(Decl *D) override {
    const bool Before = InHost;
    if (const auto *F = dyn_cast_or_null<FunctionDecl>(D))
      InHost = !F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAGlobalAttr>();
    const bool GoesOn = SyntaxVisitor::TraverseDecl(D);
    InHost = Before;
    return GoesOn;
  }

  /// `sizeof(table)` changes nothing.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (InHost && E->getDecl()->hasAttr<CUDAConstantAttr>())
      Found.insert(E->getDecl()->getCanonicalDecl());
    return true;
  }

private:
  bool InHost = false;
};

} // namespace

std::set<const Decl *> constantsOfHost(ASTContext &AST) {
  HostConstants Host;
  Host.TraverseDecl(AST.getTranslationUnitDecl());
  return std::move(Host.Found);
}

void forgetContents(const std::set<const Decl *> &Constants,
                    llvm::Module &Module, CodeGenerator &Generator) {
  for (llvm::GlobalVariable &Variable : Module.globals()) {
    const Decl *Of = Generator.GetDeclForMangledName(Variable.getName());
    if (Of && Variable.hasInitializer() &&
        Constants.contains(Of->getCanonicalDecl()))
      Variable.setInitializer(llvm::UndefValue::get(Variable.getValueType()));
  }
}

void placeTables(ASTContext &AST, AstEdits &Edits) {
  TablePlacer(AST, Edits).TraverseDecl(AST.getTranslationUnitDecl());
}

void nameTables(llvm::Module &Module, CodeGenerator &Generator) {
  for (llvm::GlobalVariable &Copy : Module.globals()) {
    llvm::StringRef Name = Copy.getName();
    // What is copied into a variable of a function, "__const.f.x", stays.
    if (!Copy.hasPrivateLinkage() || !Name.consume_back(".const"))
      continue;
    const Decl *Of = Generator.GetDeclForMangledName(Name);
    if (Of && !Of->hasAttr<CUDAConstantAttr>())
      Copy.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

} // namespace cudalint
