//===- analyzer/launch/SwappedIndices.cpp - threadIdx turned --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/SwappedIndices.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/SystemHeaders.h"
#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>

using namespace clang;

namespace cudalint {

/// Of the toolkit, what works on a warp or by the order of lanes; each of these
/// has longer names.
static constexpr llvm::StringLiteral OfWarps[] = {
    "__shfl",     "__ballot", "__any",     "__all",   "__activemask",
    "__syncwarp", "__match",  "__reduce_", "__nvvm_", "atomic"};

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

namespace {
class Indices {
public:
  explicit Indices(const FunctionDecl &Kernel)
      : Context(Kernel.getASTContext()) {
    look(Kernel, /*IsKernel=*/true);
  }

  std::vector<Edit> edits() const {
    // What is named in no other way than to take a part of it.
    if (!IsWritable || !std::ranges::includes(Taken, Named))
      return {};
    return {Edits.begin(), Edits.end()};
  }

private:
  void look(const FunctionDecl &Function, bool IsKernel) {
    if (!Seen.insert(Function.getCanonicalDecl()).second)
      return;
    // One that is recursive has been seen.
    forEachStatement(Function.getBody(), [&](const Stmt &S) {
      if (IsWritable)
        look(S, IsKernel);
    });
  }

  void look(const Stmt &S, bool IsKernel) {
    const auto *E = dyn_cast<Expr>(&S);
    // Volatile memory is read where no barrier is, as within a warp.
    if (isa<AsmStmt>(&S) || (E && E->getType().isVolatileQualified())) {
      IsWritable = false;
    } else if (const auto *Property = dyn_cast<MSPropertyRefExpr>(&S)) {
      lookAt(*Property, IsKernel);
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
      if (isThreadIndex(*Ref))
        Named.insert(Ref->getLocation());
    } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
      follow(Call->getDirectCallee());
    } else if (isImplicitCode(S)) {
      IsWritable = false;
    }
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

  static bool isThreadIndex(const DeclRefExpr &Ref) {
    return Ref.getDecl()->getDeclName().isIdentifier() &&
           Ref.getDecl()->getName() == "threadIdx";
  }

  void lookAt(const MSPropertyRefExpr &Property, bool IsKernel) {
    const Expr *Object = Property.getBaseExpr()->IgnoreParenImpCasts();
    if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Object))
      Object = Opaque->getSourceExpr()->IgnoreParenImpCasts();
    const auto *Base = dyn_cast<DeclRefExpr>(Object);
    if (!Base || !isThreadIndex(*Base))
      return;
    Taken.insert(Base->getLocation());
    IsWritable &= IsKernel;
    const StringRef Name = Property.getPropertyDecl()->getName();
    if (Name == "z")
      return;
    std::optional<Edit> Other =
        insertionAt(Context, Property.getMemberLoc(), Name == "x" ? "y" : "x");
    if (!Other) {
      IsWritable = false;
      return;
    }
    Other->Length = 1;
    Edits.insert(std::move(*Other));
  }

  void follow(const FunctionDecl *Callee) {
    if (!Callee) {
      IsWritable = false; // A function that is computed, or not resolved.
      return;
    }
    if (readsIndex(*Callee))
      return;
    const FunctionDecl *Definition = Callee->getDefinition();
    if (!Definition || isInSystemHeader(Context, Definition->getLocation()))
      IsWritable &= isForOneLane(*Callee);
    else
      look(*Definition, /*IsKernel=*/false);
  }

  const ASTContext &Context;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;
  std::set<SourceLocation> Named, Taken;
  std::set<Edit> Edits;
  bool IsWritable = true;
};
} // namespace

std::vector<Edit> swappedIndices(const FunctionDecl &Kernel) {
  // What instantiations do may differ.
  if (Kernel.isTemplateInstantiation() || Kernel.isDependentContext())
    return {};
  return Indices(Kernel).edits();
}

} // namespace cudalint
