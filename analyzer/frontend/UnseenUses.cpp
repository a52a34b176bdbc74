//===- analyzer/frontend/UnseenUses.cpp - What may be used unseen ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/UnseenUses.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/SyntaxVisitor.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/frontend/WrittenNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"

#include <string>

using namespace clang;

namespace cudalint {

static bool isOnDevice(const FunctionDecl &Function) {
  return Function.hasAttr<CUDAGlobalAttr>() ||
         Function.hasAttr<CUDADeviceAttr>();
}

bool isCallableElsewhere(const FunctionDecl &Function) {
  return !Function.hasAttr<CUDAGlobalAttr>() &&
         Function.isExternallyVisible() && !Function.isInlined() &&
         Function.getTemplatedKind() == FunctionDecl::TK_NonTemplate;
}

namespace {
class UnseenFinder : public SyntaxVisitor {
public:
  explicit UnseenFinder(const ASTContext &Context)
      : Sources(Context.getSourceManager()) {
    ShouldVisitTemplateInstantiations = true;
  }

  UnseenUses Result;
  llvm::StringSet<> Assembler; ///< Its words, and numbers.
  llvm::StringSet<> Shared;    ///< Names of what is in shared memory.

  bool TraverseDecl(Decl *D) override {
    if (D && isa<FunctionDecl, CXXRecordDecl>(D) &&
        Sources.isInSystemHeader(D->getLocation()))
      return true;
    const FunctionDecl *const Outer = Current;
    if (const auto *Function = dyn_cast_or_null<FunctionDecl>(D))
      Current = Function;
    const bool Result = SyntaxVisitor::TraverseDecl(D);
    Current = Outer;
    return Result;
  }

  /// Constructors, destructors and operators, too.
  bool VisitFunctionDecl(FunctionDecl *F) override {
    Result.OfDynamicMemory |= F->hasAttr<CUDADeviceAttr>() && !F->hasBody() &&
                              !F->isDefaulted() && F->getBuiltinID() == 0 &&
                              !F->isDependentContext() &&
                              F->isUsed(/*CheckUsedAttr=*/false);
    return true;
  }

  bool VisitCallExpr(CallExpr *E) override {
    if (!Current || !isOnDevice(*Current) || Current->isDependentContext() ||
        E->isTypeDependent())
      return true;
    const FunctionDecl *Callee = E->getDirectCallee();
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    Result.OfDynamicMemory |= !Callee || (Method && Method->isVirtual());
    return true;
  }

  /// Who asks how many blocks fit may say how much each of them has.
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    const auto *Function = dyn_cast<FunctionDecl>(E->getDecl());
    Result.OfDynamicMemory |=
        Function && Function->getIdentifier() &&
        (Function->getName().starts_with("cudaOccupancy") ||
         Function->getName().starts_with("cuOccupancy"));
    return true;
  }

  bool VisitGCCAsmStmt(GCCAsmStmt *S) override {
    readAssembler(S->getAsmString());
    return true;
  }
  bool VisitFileScopeAsmDecl(FileScopeAsmDecl *D) override {
    readAssembler(D->getAsmString());
    return true;
  }

  bool VisitVarDecl(VarDecl *V) override {
    if (V->hasAttr<CUDASharedAttr>() && V->getIdentifier())
      Shared.insert(V->getName());
    return true;
  }

private:
  void readAssembler(StringRef Text) {
    Result.InAssembler |= Text.contains("shared") || Text.contains("smem");
    while (!Text.empty()) {
      const StringRef Word =
          Text.take_while([](char C) { return isAsciiIdentifierContinue(C); });
      Assembler.insert(Word);
      Text = Text.drop_front(std::max<std::size_t>(Word.size(), 1));
    }
  }

  const SourceManager &Sources;
  const FunctionDecl *Current = nullptr; ///< Around what is visited.
};
} // namespace

UnseenUses unseenUses(const ASTContext &Context) {
  UnseenFinder Finder(Context);
  Finder.TraverseDecl(Context.getTranslationUnitDecl());
  UnseenUses &Result = Finder.Result;
  for (const auto &Each : Finder.Shared)
    Result.InAssembler |= Finder.Assembler.contains(Each.getKey());
  // Of <cuda/ptx>.
  const SourceManager &Sources = Context.getSourceManager();
  forEachUserFile(Sources, [&](FileID File) {
    forEachName(Context, rangeOf(Context, File),
                [&](StringRef Name, SourceLocation, bool) {
                  Result.OfDynamicMemory |=
                      Name.ends_with("dynamic_smem_size") ||
                      Name.ends_with("total_smem_size");
                });
  });
  return Result;
}

} // namespace cudalint
