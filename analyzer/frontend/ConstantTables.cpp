//===- analyzer/frontend/ConstantTables.cpp - Where tables lie ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ConstantTables.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace cudalint {

namespace {

class TablePlacer : public RecursiveASTVisitor<TablePlacer> {
public:
  explicit TablePlacer(ASTContext &AST) : AST(AST) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool VisitVarDecl(VarDecl *V) {
    const auto *Constant = V->getAttr<CUDAConstantAttr>();
    if (!Constant || !Constant->isImplicit())
      return true;
    V->dropAttr<CUDAConstantAttr>();
    if (!V->hasAttr<CUDADeviceAttr>())
      V->addAttr(CUDADeviceAttr::CreateImplicit(AST));
    return true;
  }

private:
  ASTContext &AST;
};

} // namespace

void placeTables(ASTContext &AST) {
  TablePlacer(AST).TraverseDecl(AST.getTranslationUnitDecl());
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
