//===- analyzer/launch/LaneCode.cpp - Code of a lane for itself -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaneCode.h"

#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/frontend/WrittenNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace cudalint {

static constexpr llvm::StringLiteral Builtins[] = {"threadIdx", "blockIdx",
                                                   "blockDim", "gridDim"};

static StringRef plainNameOf(const FunctionDecl &Function) {
  return Function.getIdentifier() ? Function.getName() : StringRef();
}

bool isBlockBarrier(const FunctionDecl &Function) {
  const StringRef Name = plainNameOf(Function);
  return Name.starts_with("__syncthreads") ||
         (Name.starts_with("__nvvm_bar") && !Name.contains("warp"));
}

/// What `threadIdx.x` calls.
static bool readsIndex(const FunctionDecl &Function) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Function.getDeclContext());
  return Class && Class->getName().starts_with("__cuda_builtin_");
}

/// Of what has no body here.
static bool isForOneLane(const ASTContext &Context,
                         const FunctionDecl &Function) {
  const StringRef Name = plainNameOf(Function);
  if (isBlockBarrier(Function))
    return true;
  // Which lane or block asks is in a register of its own.
  if (Name.contains("_sreg_"))
    return false;
  if (const unsigned Builtin = Function.getBuiltinID()) {
    const Builtin::Context &All = Context.BuiltinInfo;
    return All.isConst(Builtin) || All.isPure(Builtin) ||
           All.isConstWithoutErrnoAndExceptions(Builtin) ||
           Name.starts_with("__nvvm_ldg") || Name.starts_with("__nvvm_ldu");
  }
  return isInSystemHeader(Context, Function.getLocation()) &&
         Name.starts_with("__nv_");
}

/// What calls code that is written elsewhere and that is no call here: of
/// constructors, destructors, default arguments and initial values.
static bool isImplicitCode(const Stmt &S) {
  if (const auto *Made = dyn_cast<CXXConstructExpr>(&S))
    return !Made->getConstructor()->isTrivial();
  if (const auto *Declared = dyn_cast<DeclStmt>(&S))
    return llvm::any_of(Declared->decls(), [](const Decl *Each) {
      const auto *Variable = dyn_cast<VarDecl>(Each);
      const auto *Bound = dyn_cast<DecompositionDecl>(Each);
      return (Variable && Variable->getType().isDestructedType()) ||
             (Bound && llvm::any_of(Bound->bindings(), [](BindingDecl *One) {
                return One->getHoldingVar() != nullptr;
              }));
    });
  return isa<CXXDefaultArgExpr, CXXDefaultInitExpr, CXXBindTemporaryExpr,
             CXXNewExpr, CXXDeleteExpr>(&S);
}

namespace {
class LaneStatements {
public:
  LaneStatements(
      const FunctionDecl &Kernel,
      llvm::function_ref<void(const Stmt &, const FunctionDecl &)> Visit)
      : Context(Kernel.getASTContext()), Visit(Visit) {
    look(Kernel);
  }

  bool AreOwn = true;

private:
  void look(const FunctionDecl &Function) {
    if (!Seen.insert(Function.getCanonicalDecl()).second)
      return;
    // Of the toolkit, each architecture may have its own.
    if (!isInSystemHeader(Context, Function.getLocation()))
      forEachName(Context, Function.getSourceRange(),
                  [&](StringRef Name, SourceLocation, bool) {
                    AreOwn &= !Name.starts_with("__CUDA_ARCH");
                  });
    AreOwn &= llvm::none_of(Function.parameters(), [](const ParmVarDecl *Each) {
      return Each->getType().isDestructedType();
    });
    // One that is recursive has been seen.
    forEachStatement(Function.getBody(), [&](const Stmt &S) {
      if (!AreOwn)
        return;
      AreOwn = isOwn(S);
      Visit(S, Function);
    });
  }

  bool isOwn(const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    // Volatile memory is read where no barrier is, as within a warp.
    if (isa<AsmStmt, AtomicExpr, CUDAKernelCallExpr>(&S) ||
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
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    if (Method && (Method->isVirtual() || isa<CXXDestructorDecl>(Method)))
      return false;
    const FunctionDecl *Definition = Callee->getDefinition();
    if (!Definition || !Definition->getBody())
      return isForOneLane(Context, *Callee);
    look(*Definition);
    return AreOwn;
  }

  const ASTContext &Context;
  llvm::function_ref<void(const Stmt &, const FunctionDecl &)> Visit;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;
};
} // namespace

bool forEachLaneStatement(
    const FunctionDecl &Kernel,
    llvm::function_ref<void(const Stmt &, const FunctionDecl &)> Visit) {
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
