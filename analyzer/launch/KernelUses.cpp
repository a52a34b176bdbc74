//===- analyzer/launch/KernelUses.cpp - Kernels that are named ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/KernelUses.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/SyntaxVisitor.h"
#include "analyzer/frontend/WrittenNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SaveAndRestore.h"

#include <vector>

using namespace clang;

namespace cudalint {

/// Of the runtime, what asks about a kernel or sets something, and launches
/// nothing.
static constexpr llvm::StringLiteral Questions[] = {
    "cudaFuncGetAttributes",      "cudaFuncGetName",
    "cudaFuncSetAttribute",       "cudaFuncSetCacheConfig",
    "cudaFuncSetSharedMemConfig", "cudaOccupancy"};

namespace {
class KernelUses : public SyntaxVisitor {
public:
  explicit KernelUses(const SourceManager &Sources) : Sources(Sources) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool TraverseDecl(Decl *D) override {
    const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
    if (D && (Function || isa<CXXRecordDecl>(D)) &&
        Sources.isInSystemHeader(D->getLocation()))
      return true;
    const llvm::SaveAndRestore<bool> Saved(
        OnDevice, Function ? Function->hasAttr<CUDAGlobalAttr>() ||
                                 Function->hasAttr<CUDADeviceAttr>()
                           : OnDevice);
    return SyntaxVisitor::TraverseDecl(D);
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *E) override {
    if (!OnDevice)
      allow(E->getCallee());
    return true;
  }

  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (Callee && Callee->getIdentifier() &&
        llvm::any_of(Questions, [&](StringRef Each) {
          return Callee->getName().starts_with(Each);
        }))
      for (const Expr *Argument : E->arguments())
        allow(Argument);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (isa<FunctionDecl>(E->getDecl()) &&
        E->getDecl()->hasAttr<CUDAGlobalAttr>())
      Named.push_back(E);
    see(E->getLocation());
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr *E) override {
    see(E->getNameLoc());
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *F) override {
    see(F->getLocation());
    see(F->getPointOfInstantiation());
    if (F->hasAttr<CUDAGlobalAttr>() && F->getIdentifier())
      Kernels[F->getName()].insert(F->getCanonicalDecl());
    return true;
  }

  std::set<const FunctionDecl *> result(const ASTContext &Context) const {
    std::set<const FunctionDecl *> Result;
    // What the preprocessor left out, another build launches.
    forEachUserFile(Sources, [&](FileID File) {
      forEachName(Context, rangeOf(Context, File),
                  [&](StringRef Name, SourceLocation Where, bool) {
                    if (const auto Its = Kernels.find(Name);
                        Its != Kernels.end() && !Seen.contains(Where))
                      Result.insert(Its->second.begin(), Its->second.end());
                  });
    });
    for (const DeclRefExpr *Each : Named)
      if (!Allowed.contains(Each))
        Result.insert(cast<FunctionDecl>(Each->getDecl())->getCanonicalDecl());
    return Result;
  }

private:
  void see(SourceLocation Where) {
    if (Where.isValid())
      Seen.insert(Sources.getFileLoc(Where));
  }
  void allow(const Expr *E) {
    const Expr *Name = E->IgnoreParenCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(Name);
        U && U->getOpcode() == UO_AddrOf)
      Name = U->getSubExpr()->IgnoreParenCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Name))
      Allowed.insert(Ref);
  }

  const SourceManager &Sources;
  bool OnDevice = false;
  std::vector<const DeclRefExpr *> Named;
  llvm::SmallPtrSet<const DeclRefExpr *, 16> Allowed;
  llvm::DenseSet<SourceLocation> Seen; ///< Where functions are named.
  llvm::StringMap<std::set<const FunctionDecl *>> Kernels;
};
} // namespace

std::set<const FunctionDecl *> kernelsUsedOtherwise(ASTContext &Context) {
  KernelUses Uses(Context.getSourceManager());
  Uses.TraverseDecl(Context.getTranslationUnitDecl());
  return Uses.result(Context);
}

} // namespace cudalint
