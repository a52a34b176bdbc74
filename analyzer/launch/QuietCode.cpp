//===- analyzer/launch/QuietCode.cpp - Host code without a look -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/QuietCode.h"

#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudalint {
namespace {

class QuietWalk {
public:
  QuietWalk(const ASTContext &Context, bool MayCopy)
      : Context(Context), MayCopy(MayCopy) {}

  bool isQuiet(const Stmt &Code, unsigned Depth);

private:
  bool isQuietHere(const Stmt &S, const Stmt *Parent, unsigned Depth);
  bool isQuietCall(const CallExpr &Call, unsigned Depth);
  bool hasOneStream(const CUDAKernelCallExpr &Launch);
  bool isOneStream(const Expr *Stream);

  const ASTContext &Context;
  bool MayCopy;
  llvm::SmallPtrSet<const VarDecl *, 2> Streams;
  /// Variables that are passed for parameters of functions.
  llvm::DenseMap<const VarDecl *, const VarDecl *> Means;
  bool UsesDefault = false;
};

} // namespace

/// Calls within calls that are followed.
static constexpr unsigned MaxCallDepth = 4;

/// Whether something in \p Condition is an error of the runtime, or was one
/// before it was converted.
static bool asksForError(const Expr *Condition) {
  bool Asks = false;
  forEachStatement(Condition, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    const auto *Enum =
        E ? E->getType().getNonReferenceType()->getAs<EnumType>() : nullptr;
    Asks = Asks || (Enum && Enum->getDecl()->getName() == "cudaError");
    const auto *Named = E ? E->getType()->getAs<TypedefType>() : nullptr;
    Asks = Asks || (Named && Named->getDecl()->getName() == "cudaError_t");
    Asks = Asks || (Enum && Enum->getDecl()->getName() == "cudaError_t");
  });
  return Asks;
}

bool QuietWalk::isQuiet(const Stmt &Code, unsigned Depth) {
  bool IsQuiet = true;
  forEachWithin(&Code, [&](const Stmt &S, llvm::ArrayRef<const Stmt *> Around) {
    if (!IsQuiet)
      return false;
    const Stmt *Parent = Around.empty() ? nullptr : Around.back();
    // What happens when a call fails is no part of the turn.
    if (const auto *If = dyn_cast_or_null<IfStmt>(Parent);
        If && &S == If->getThen() && asksForError(If->getCond()))
      return false;
    IsQuiet = isQuietHere(S, Parent, Depth);
    return IsQuiet;
  });
  return IsQuiet;
}

static bool isStream(QualType Type) {
  const RecordDecl *Record = recordOf(Type);
  return Type->isPointerType() && Record && Record->getName() == "CUstream_st";
}

/// Another stream in another turn.
static bool choosesStream(const Stmt &S) {
  if (const auto *Operator = dyn_cast<BinaryOperator>(&S))
    return Operator->isAssignmentOp() && isStream(Operator->getType());
  const auto *Declared = dyn_cast<DeclStmt>(&S);
  return Declared && llvm::any_of(Declared->decls(), [](const Decl *D) {
           const auto *V = dyn_cast<VarDecl>(D);
           return V && isStream(V->getType());
         });
}

bool QuietWalk::isQuietHere(const Stmt &S, const Stmt *Parent, unsigned Depth) {
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    return isQuietCall(*Call, Depth);
  if (isa<LambdaExpr, CXXNewExpr, CXXDeleteExpr, GotoStmt, IndirectGotoStmt,
          GCCAsmStmt, CXXThrowExpr, CoroutineBodyStmt, RecoveryExpr>(S))
    return false;
  if (choosesStream(S))
    return false;
  // Whoever called goes on without a wait behind the loop.
  if (isa<ReturnStmt>(S))
    return Depth > 0;
  // `&p[n]` only counts.
  const auto *Address = dyn_cast_or_null<UnaryOperator>(Parent);
  const bool IsAddress = Address && Address->getOpcode() == UO_AddrOf;
  if (const auto *Operator = dyn_cast<UnaryOperator>(&S))
    return Operator->getOpcode() != UO_Deref || IsAddress;
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&S))
    return IsAddress ||
           Element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
  if (const auto *Member = dyn_cast<MemberExpr>(&S))
    return !Member->isArrow() || IsAddress ||
           isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts());
  if (const auto *Named = dyn_cast<DeclRefExpr>(&S)) {
    const auto *V = dyn_cast<VarDecl>(Named->getDecl());
    // What a reference leads to, and a managed variable, which is one of the
    // device here, the GPU may write.
    return !V ||
           !(V->hasAttr<CUDADeviceAttr>() || V->getType()->isReferenceType() ||
             V->getType().isVolatileQualified());
  }
  if (const auto *Made = dyn_cast<CXXConstructExpr>(&S)) {
    const CXXConstructorDecl *By = Made->getConstructor();
    return By->isTrivial() || (isInSystemHeader(*By) && By->isConstexpr());
  }
  return true;
}

bool QuietWalk::hasOneStream(const CUDAKernelCallExpr &Launch) {
  const CallExpr *Shape = Launch.getConfig();
  return isOneStream(Shape && Shape->getNumArgs() == 4 ? Shape->getArg(3)
                                                       : nullptr);
}

bool QuietWalk::isOneStream(const Expr *Stream) {
  if (!Stream || isa<CXXDefaultArgExpr>(Stream) ||
      Stream->IgnoreParenCasts()->isNullPointerConstant(
          const_cast<ASTContext &>(Context),
          Expr::NPC_ValueDependentIsNotNull)) {
    UsesDefault = true;
  } else {
    const VarDecl *V = namedVariable(Stream);
    if (!V)
      return false;
    const auto Passed = Means.find(V);
    Streams.insert(Passed == Means.end() ? V : Passed->second);
  }
  return Streams.size() + UsesDefault <= 1;
}

/// What neither looks at memory nor depends on other streams.
static bool isQuietName(const CallExpr &Call, llvm::StringRef Name,
                        bool MayCopy) {
  if (Name == "cudaMemcpy") {
    const llvm::StringRef Direction = copyDirection(Call, 3);
    return Direction == "cudaMemcpyDeviceToDevice" ||
           (MayCopy && (Direction == "cudaMemcpyDeviceToHost" ||
                        Direction == "cudaMemcpyHostToDevice"));
  }
  return llvm::StringSwitch<bool>(Name)
      .Cases({"cudaDeviceSynchronize", "cudaThreadSynchronize",
              "cudaStreamSynchronize", "cudaGetLastError",
              "cudaPeekAtLastError", "cudaGetErrorString", "cudaGetErrorName",
              "cudaMemset"},
             true)
      .Default(false);
}

bool QuietWalk::isQuietCall(const CallExpr &Call, unsigned Depth) {
  if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(&Call))
    return Call.getDirectCallee() && hasOneStream(*Launch);
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return false;
  if (const llvm::StringRef Name = runtimeCall(Call); !Name.empty())
    return isQuietName(Call, Name, MayCopy) &&
           (Name != "cudaStreamSynchronize" || isOneStream(Call.getArg(0)));
  if (isInSystemHeader(*Callee) || Callee->getBuiltinID() != 0) {
    const llvm::StringRef Name =
        Callee->getIdentifier() ? Callee->getName() : llvm::StringRef();
    if (Name == "cudaConfigureCall" || Name == "__cudaPushCallConfiguration")
      return true;
    if (Callee->isInStdNamespace() &&
        (Name == "swap" || Name == "min" || Name == "max"))
      return true;
    // The functions of C and C++ that compute.
    return (Callee->getBuiltinID() != 0 || Callee->isInStdNamespace()) &&
           llvm::all_of(Callee->parameters(), [](const ParmVarDecl *P) {
             return P->getType()->isArithmeticType();
           });
  }
  const FunctionDecl *Definition = Callee->getDefinition();
  if (Definition && !isa<CXXOperatorCallExpr>(Call))
    for (unsigned I = 0;
         I < Call.getNumArgs() && I < Definition->getNumParams(); ++I)
      if (const VarDecl *Passed = namedVariable(Call.getArg(I))) {
        const auto Known = Means.find(Passed);
        const VarDecl *Meant = Known == Means.end() ? Passed : Known->second;
        Means[Definition->getParamDecl(I)] = Meant;
      }
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  return Definition && Definition->getBody() && Depth < MaxCallDepth &&
         isHostCode(*Definition) && !(Method && Method->isVirtual()) &&
         isQuiet(*Definition->getBody(), Depth + 1);
}

bool isQuiet(const ASTContext &Context, const Stmt &Code, bool MayCopy) {
  return QuietWalk(Context, MayCopy).isQuiet(Code, 0);
}

} // namespace cudalint
