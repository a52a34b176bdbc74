//===- analyzer/launch/RestrictedPointers.cpp - Apart ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/RestrictedPointers.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/frontend/WrittenNames.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

using namespace clang;

namespace cudalint {

/// Whether a value of that type leads nowhere.
static bool hasNoPointer(QualType Type, unsigned Depth = 0) {
  Type = Type.getCanonicalType();
  if (const ArrayType *Array = Type->getAsArrayTypeUnsafe())
    return hasNoPointer(Array->getElementType(), Depth);
  if (const auto *Vector = Type->getAs<VectorType>())
    return hasNoPointer(Vector->getElementType(), Depth);
  if (Type->isArithmeticType() || Type->isEnumeralType())
    return true;
  constexpr unsigned MostDepth = 8;
  const RecordDecl *Record = Type->getAsRecordDecl();
  const RecordDecl *Definition = Record ? Record->getDefinition() : nullptr;
  if (!Definition || Depth == MostDepth)
    return false;
  const auto *Class = dyn_cast<CXXRecordDecl>(Definition);
  if (Class && (Class->isPolymorphic() || Class->getNumVBases() ||
                !llvm::all_of(Class->bases(), [&](const CXXBaseSpecifier &B) {
                  return hasNoPointer(B.getType(), Depth + 1);
                })))
    return false;
  return llvm::all_of(Definition->fields(), [&](const FieldDecl *Field) {
    return hasNoPointer(Field->getType(), Depth + 1);
  });
}

/// `T *p` for data that holds no pointers; of `void *`, what it is cast to is
/// looked at where it is.
static bool isDataPointer(QualType Type) {
  if (!Type->isPointerType())
    return false;
  const QualType To = Type->getPointeeType();
  return !To.isVolatileQualified() && (To->isVoidType() || hasNoPointer(To));
}

namespace {

/// What a kernel does with pointers, in the functions that it calls, too.
class PointerWalk {
public:
  explicit PointerWalk(const FunctionDecl &Kernel)
      : Context(Kernel.getASTContext()), Kernel(Kernel) {
    look(Kernel);
  }

  bool KeepsPromise = true;
  /// Where something is named or declared.
  llvm::DenseSet<SourceLocation> Named;

private:
  using Parents = llvm::ArrayRef<const Stmt *>;

  void look(const FunctionDecl &Function);
  void noteNames(const Stmt &S);
  bool isHarmless(const Stmt &S, Parents Around);
  bool isHarmless(const CallExpr &Call, Parents Around);
  bool isHarmless(const CastExpr &Cast) const;
  bool isHarmless(const DeclRefExpr &Name, Parents Around);

  const ASTContext &Context;
  const FunctionDecl &Kernel;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
};

} // namespace

void PointerWalk::look(const FunctionDecl &Function) {
  if (!Seen.insert(Function.getCanonicalDecl()).second)
    return;
  KeepsPromise &= llvm::all_of(Function.parameters(), [](const ParmVarDecl *P) {
    const QualType Type = P->getType();
    return !Type->isReferenceType() ||
           !Type->getPointeeType()->isAnyPointerType();
  });
  // Of the toolkit, each architecture may have its own.
  forEachName(Context, Function.getSourceRange(),
              [&](StringRef Name, SourceLocation, bool) {
                KeepsPromise &= !Name.starts_with("__CUDA_ARCH");
              });
  forEachWithin(Function.getBody(), [&](const Stmt &S, Parents Around) {
    KeepsPromise = KeepsPromise && isHarmless(S, Around);
    return KeepsPromise;
  });
}

void PointerWalk::noteNames(const Stmt &S) {
  const auto note = [&](SourceLocation Where) {
    Named.insert(Context.getSourceManager().getFileLoc(Where));
  };
  if (const auto *Name = dyn_cast<DeclRefExpr>(&S))
    note(Name->getLocation());
  if (const auto *Member = dyn_cast<MemberExpr>(&S))
    note(Member->getMemberLoc());
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(&S))
    note(Property->getMemberLoc());
  if (const auto *Declared = dyn_cast<DeclStmt>(&S))
    for (const Decl *Each : Declared->decls())
      note(Each->getLocation());
}

bool PointerWalk::isHarmless(const Stmt &S, Parents Around) {
  const auto *E = dyn_cast<Expr>(&S);
  noteNames(S);
  if (isa<AsmStmt, AtomicExpr, CUDAKernelCallExpr, LambdaExpr, CXXNewExpr,
          CXXDeleteExpr, CXXDefaultArgExpr, CXXDefaultInitExpr,
          CoroutineBodyStmt, RecoveryExpr>(&S) ||
      (E && E->getType().isVolatileQualified()))
    return false;
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    return isHarmless(*Call, Around);
  if (const auto *Cast = dyn_cast<CastExpr>(&S))
    return isHarmless(*Cast);
  if (const auto *Name = dyn_cast<DeclRefExpr>(&S))
    return isHarmless(*Name, Around);
  if (const auto *Made = dyn_cast<CXXConstructExpr>(&S)) {
    const CXXConstructorDecl *By = Made->getConstructor();
    return By->isTrivial() || isInSystemHeader(*By);
  }
  if (const auto *Declared = dyn_cast<DeclStmt>(&S))
    return llvm::all_of(Declared->decls(), [](const Decl *Each) {
      const auto *Variable = dyn_cast<VarDecl>(Each);
      return !Variable ||
             (!Variable->getType().isVolatileQualified() &&
              !Variable->getType().isDestructedType() &&
              !(Variable->getType()->isReferenceType() &&
                Variable->getType()->getPointeeType()->isAnyPointerType()));
    });
  return true;
}

/// Pointers come from variables of the function alone.
bool PointerWalk::isHarmless(const CastExpr &Cast) const {
  switch (Cast.getCastKind()) {
  case CK_IntegralToPointer:
  case CK_PointerToIntegral:
    return false;
  case CK_LValueToRValue: {
    if (!Cast.getType()->isAnyPointerType())
      return true;
    const VarDecl *Variable = namedVariable(Cast.getSubExpr()->IgnoreParens());
    return Variable && Variable->hasLocalStorage();
  }
  case CK_LValueBitCast:
  case CK_LValueToRValueBitCast: // of a pointer, or to one
    return hasNoPointer(Cast.getType()) &&
           hasNoPointer(Cast.getSubExpr()->getType());
  default:
    return true;
  }
}

/// A pointer is read, or moved within what it leads to. Only one of the
/// function's own becomes another.
bool PointerWalk::isHarmless(const DeclRefExpr &Name, Parents Around) {
  const auto *Variable = dyn_cast<VarDecl>(Name.getDecl());
  if (!Variable)
    return true;
  if (!Variable->getType()->isAnyPointerType())
    return true;
  const Stmt *Parent = nullptr;
  for (const Stmt *Each : llvm::reverse(Around))
    if (Parent = Each; !isa<ParenExpr>(Each))
      break;
  if (const auto *Cast = dyn_cast_or_null<CastExpr>(Parent))
    return Cast->getCastKind() == CK_LValueToRValue;
  if (const auto *Step = dyn_cast_or_null<UnaryOperator>(Parent))
    return Step->isIncrementDecrementOp();
  const auto *Assignment = dyn_cast_or_null<BinaryOperator>(Parent);
  return Assignment && Assignment->isAssignmentOp() &&
         (Assignment->isCompoundAssignmentOp() ||
          !(isa<ParmVarDecl>(Variable) &&
            Variable->getDeclContext() == &Kernel));
}

/// Whether nobody takes the value that the call returns.
static bool isAlone(llvm::ArrayRef<const Stmt *> Around, const Stmt &Call) {
  const Stmt *Parent = Around.empty() ? nullptr : Around.back();
  if (const auto *If = dyn_cast_or_null<IfStmt>(Parent))
    return &Call == If->getThen() || &Call == If->getElse();
  if (const auto *For = dyn_cast_or_null<ForStmt>(Parent))
    return &Call == For->getBody();
  return isa_and_present<CompoundStmt>(Parent);
}

static StringRef identifierOf(const FunctionDecl &Function) {
  return Function.getIdentifier() ? Function.getName() : StringRef();
}

/// Whether it is there to wait for other threads, or to see what they wrote:
/// fences, loads that ask memory each time, and what libcu++ has beyond C++.
static bool maySeeOthers(const FunctionDecl &Function) {
  const StringRef Name = identifierOf(Function);
  const std::string Qualified = Function.getQualifiedNameAsString();
  const bool IsOfThreads = StringRef(Qualified).starts_with("cuda::") &&
                           !StringRef(Qualified).starts_with("cuda::std::");
  return IsOfThreads || Name.contains("fence") || Name.contains("membar") ||
         Name.contains("sleep") || Name == "__ldcv";
}

bool PointerWalk::isHarmless(const CallExpr &Call, Parents Around) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (!Callee || (Method && Method->isVirtual()))
    return false;
  if (Callee->getBuiltinID() || isInSystemHeader(*Callee))
    return !maySeeOthers(*Callee) &&
           (!identifierOf(*Callee).contains("atomic") || isAlone(Around, Call));
  const FunctionDecl *Definition = Callee->getDefinition();
  if (!Definition || !Definition->getBody())
    return false;
  look(*Definition);
  return KeepsPromise;
}

/// Before the name, where what is written before it is a `*`.
static std::optional<Edit> restrictOf(const ASTContext &Context,
                                      const ParmVarDecl &Pointer) {
  TypeLoc Written = Pointer.getTypeSourceInfo()->getTypeLoc();
  while (const auto Qualified = Written.getAs<QualifiedTypeLoc>())
    Written = Qualified.getUnqualifiedLoc();
  if (!Written.getAs<PointerTypeLoc>())
    return std::nullopt;
  return insertionAt(Context, Pointer.getLocation(), "__restrict__ ");
}

std::vector<Edit> restrictedPointers(const FunctionDecl &Kernel) {
  const ASTContext &Context = Kernel.getASTContext();
  const SourceManager &Sources = Context.getSourceManager();
  // What instantiations do may differ, and what other files do with a header.
  if (Kernel.isTemplateInstantiation() || Kernel.isDependentContext() ||
      !Sources.isInMainFile(Kernel.getLocation()))
    return {};
  std::vector<Edit> Edits;
  llvm::StringMap<SourceLocation> Pointers;
  for (const ParmVarDecl *Each : Kernel.parameters()) {
    const QualType Type = Each->getType();
    if (hasNoPointer(Type))
      continue;
    if (!isDataPointer(Type))
      return {};
    // One without a name leads to nothing that is accessed.
    if (Each->getIdentifier() && !Type.isRestrictQualified()) {
      std::optional<Edit> Its = restrictOf(Context, *Each);
      if (!Its)
        return {};
      Edits.push_back(std::move(*Its));
    }
    Pointers[Each->getName()] = Sources.getFileLoc(Each->getLocation());
  }
  if (Edits.empty())
    return {};
  const PointerWalk Walk(Kernel);
  bool IsAllSeen = Walk.KeepsPromise;
  forEachName(Context, Kernel.getSourceRange(),
              [&](StringRef Name, SourceLocation Where, bool) {
                const auto Its = Pointers.find(Name);
                IsAllSeen &= Its == Pointers.end() || Its->second == Where ||
                             Walk.Named.contains(Where);
              });
  return IsAllSeen ? Edits : std::vector<Edit>();
}

} // namespace cudalint
