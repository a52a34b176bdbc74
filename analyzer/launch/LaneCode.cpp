//===- analyzer/launch/LaneCode.cpp - Code of a lane for itself -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaneCode.h"

#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace cudalint {

/// Of the toolkit, what works on a warp or by the order of lanes; each of these
/// has longer names.
static constexpr llvm::StringLiteral OfWarps[] = {
    "__shfl",  "__ballot",  "__any",   "__all",  "__activemask", "__syncwarp",
    "__match", "__reduce_", "__nvvm_", "atomic", "printf",       "vprintf"};

static constexpr llvm::StringLiteral Builtins[] = {"threadIdx", "blockIdx",
                                                   "blockDim", "gridDim"};

static bool worksOnWarps(const FunctionDecl &Function) {
  const StringRef Name =
      Function.getIdentifier() ? Function.getName() : StringRef();
  // What waits for all of the block.
  if (Name.starts_with("__nvvm_bar"))
    return false;
  return llvm::any_of(OfWarps,
                      [&](StringRef Each) { return Name.starts_with(Each); });
}

/// What `threadIdx.x` calls.
static bool readsIndex(const FunctionDecl &Function) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Function.getDeclContext());
  return Class && Class->getName().starts_with("__cuda_builtin_");
}

/// Of the system, what is known to work for its lane alone: in no namespace, or
/// in std. Libraries of warps and blocks have namespaces.
static bool isForOneLane(const FunctionDecl &Function) {
  if (worksOnWarps(Function))
    return false;
  return Function.getEnclosingNamespaceContext()->isTranslationUnit() ||
         Function.isInStdNamespace();
}

/// What calls code that is written elsewhere and that is no call here: of
/// constructors, destructors, default arguments and initial values.
static bool isImplicitCode(const Stmt &S) {
  if (const auto *Made = dyn_cast<CXXConstructExpr>(&S))
    return !Made->getConstructor()->isTrivial();
  if (const auto *Declared = dyn_cast<DeclStmt>(&S))
    return llvm::any_of(Declared->decls(), [](const Decl *Each) {
      const auto *Variable = dyn_cast<VarDecl>(Each);
      return Variable && Variable->getType().isDestructedType();
    });
  return isa<CXXDefaultArgExpr, CXXDefaultInitExpr, CXXBindTemporaryExpr>(&S);
}

namespace {
class LaneStatements {
public:
  LaneStatements(const FunctionDecl &Kernel,
                 llvm::function_ref<void(const Stmt &, bool)> Visit)
      : Context(Kernel.getASTContext()), Visit(Visit) {
    look(Kernel, /*IsKernel=*/true);
  }

  bool AreOwn = true;

private:
  void look(const FunctionDecl &Function, bool IsKernel) {
    if (!Seen.insert(Function.getCanonicalDecl()).second)
      return;
    // One that is recursive has been seen.
    forEachStatement(Function.getBody(), [&](const Stmt &S) {
      if (!AreOwn)
        return;
      AreOwn = isOwn(S);
      Visit(S, IsKernel);
    });
  }

  bool isOwn(const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    // Volatile memory is read where no barrier is, as within a warp.
    if (isa<AsmStmt, CUDAKernelCallExpr>(&S) ||
        (E && E->getType().isVolatileQualified()))
      return false;
    if (isa<MSPropertyRefExpr, DeclRefExpr>(&S))
      return true;
    if (const auto *Call = dyn_cast<CallExpr>(&S))
      return follow(Call->getDirectCallee());
    return !isImplicitCode(S);
  }

  bool follow(const FunctionDecl *Callee) {
    if (!Callee)
      return false; // A function that is computed, or not resolved.
    if (readsIndex(*Callee))
      return true;
    const FunctionDecl *Definition = Callee->getDefinition();
    if (!Definition || isInSystemHeader(Context, Definition->getLocation()))
      return isForOneLane(*Callee);
    look(*Definition, /*IsKernel=*/false);
    return AreOwn;
  }

  const ASTContext &Context;
  llvm::function_ref<void(const Stmt &, bool)> Visit;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;
};
} // namespace

bool forEachLaneStatement(
    const FunctionDecl &Kernel,
    llvm::function_ref<void(const Stmt &, bool IsKernel)> Visit) {
  return LaneStatements(Kernel, Visit).AreOwn;
}

StringRef threadBuiltin(const DeclRefExpr &Ref) {
  if (!Ref.getDecl()->getDeclName().isIdentifier())
    return {};
  const StringRef Name = Ref.getDecl()->getName();
  return llvm::is_contained(Builtins, Name) ? Name : StringRef();
}

std::optional<BuiltinPart> builtinPart(const Stmt &S) {
  // In the device's AST that is a property of the variable.
  const auto *Property = dyn_cast<MSPropertyRefExpr>(&S);
  if (!Property)
    return std::nullopt;
  const Expr *Object = Property->getBaseExpr()->IgnoreParenImpCasts();
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Object))
    Object = Opaque->getSourceExpr()->IgnoreParenImpCasts();
  const auto *Base = dyn_cast<DeclRefExpr>(Object);
  if (!Base || threadBuiltin(*Base).empty())
    return std::nullopt;
  return BuiltinPart{.Variable = threadBuiltin(*Base),
                     .Part = Property->getPropertyDecl()->getName(),
                     .Where = Base->getLocation(),
                     .PartWhere = Property->getMemberLoc()};
}

} // namespace cudalint
