//===- analyzer/launch/PointerUses.cpp - What is done with pointers -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/PointerUses.h"

#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace clang;

namespace cudalint {

using Kind = PointerUse::Kind;
/// What is around an expression, the outermost first.
using Outwards = ArrayRef<const Stmt *>;

static const RecordDecl *structOf(QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  return Record ? Record->getDefinition() : nullptr;
}

const RecordDecl *structBehind(QualType Pointer) {
  const QualType Pointee = Pointer->getPointeeType();
  if (!Pointer->isPointerType() || Pointee.isVolatileQualified())
    return nullptr;
  return structOf(Pointee);
}

/// The function of a library that \p Call names, or none.
static StringRef libraryCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && Callee->getIdentifier() &&
                 (isInSystemHeader(*Callee) ||
                  (Callee->getBuiltinID() && !Callee->isDefined()))
             ? Callee->getName()
             : StringRef();
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// CUDA's functions that look at the one object behind a pointer.
static bool looksAtOneObject(const CallExpr &Call) {
  const StringRef Name = libraryCall(Call);
  return Name.starts_with("atomic") || Name == "__ldg";
}

/// Whether all that is made of \p LValue is its value: no reference to it and
/// no pointer is kept.
static bool isUsedByValue(const Expr &LValue, Outwards Around) {
  const Stmt *Inner = &LValue;
  for (; !Around.empty(); Inner = Around.back(), Around = Around.drop_back()) {
    const Stmt *Outer = Around.back();
    if (const auto *Cast = dyn_cast<CastExpr>(Outer))
      return Cast->getCastKind() == CK_LValueToRValue ||
             Cast->getCastKind() == CK_ToVoid;
    if (const auto *Binary = dyn_cast<BinaryOperator>(Outer)) {
      const bool IsLeft = Binary->getLHS() == Inner;
      if (Binary->getOpcode() == BO_Comma && IsLeft)
        return true;
      if (Binary->getOpcode() != BO_Comma &&
          !(Binary->isAssignmentOp() && IsLeft))
        return false;
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(Outer)) {
      if (Unary->isPostfix())
        return true;
      if (Unary->getOpcode() == UO_AddrOf) {
        Around = Around.drop_back();
        while (!Around.empty() && isa<ImplicitCastExpr>(Around.back()))
          Around = Around.drop_back();
        const auto *Call = dyn_cast_or_null<CallExpr>(
            Around.empty() ? nullptr : Around.back());
        return Call && looksAtOneObject(*Call);
      }
      if (!Unary->isIncrementDecrementOp())
        return false;
    } else if (isa<Expr>(Outer)) {
      if (!isa<ParenExpr, ConditionalOperator, ExprWithCleanups>(Outer))
        return false;
    } else {
      // What else is no expression may declare a reference, or return one.
      return isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt,
                 CXXForRangeStmt, SwitchCase>(Outer);
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool isSizeOf(const Expr &E, const RecordDecl &Struct) {
  const auto *Size =
      dyn_cast<UnaryExprOrTypeTraitExpr>(E.IgnoreParenImpCasts());
  return Size && Size->getKind() == UETT_SizeOf &&
         structOf(Size->getTypeOfArgument()) == &Struct;
}

/// What a pointer to \p Struct becomes with the value \p Value.
static PointerUse useOfValue(const Expr &Value, const RecordDecl *Struct) {
  PointerUse Use;
  const Expr *E = Value.IgnoreParenCasts();
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const StringRef Name = libraryCall(*Call);
    if (Name == "malloc" && Call->getNumArgs() == 1) {
      Use.What = Kind::Memory;
      Use.Bytes = Call->getArg(0);
    } else if (Name == "calloc" && Call->getNumArgs() == 2 &&
               isSizeOf(*Call->getArg(1), *Struct)) {
      Use.What = Kind::Memory;
      Use.Elements = Call->getArg(0);
    }
  } else if (const auto *New = dyn_cast<CXXNewExpr>(E)) {
    const auto *Made =
        dyn_cast_or_null<CXXConstructExpr>(New->getInitializer());
    if (New->isArray() && New->getNumPlacementArgs() == 0 &&
        New->getOperatorNew()->isReplaceableGlobalAllocationFunction() &&
        (!New->getInitializer() || (Made && Made->getNumArgs() == 0))) {
      Use.What = Kind::Memory;
      Use.Elements = *New->getArraySize();
    }
  } else if (const VarDecl *Other = namedVariable(E)) {
    Use.What = Kind::Same;
    Use.With = Other;
  } else if (const auto *Cast = dyn_cast<CastExpr>(Value.IgnoreParens());
             Cast && Cast->getCastKind() == CK_NullToPointer) {
    Use.What = Kind::Neutral;
  }
  return Use;
}

static bool allocates(const CallExpr &Call) {
  return llvm::StringSwitch<bool>(runtimeCall(Call))
      .Cases({"cudaMalloc", "cudaMallocAsync", "cudaMallocHost"}, true)
      .Cases({"cudaMallocManaged", "cudaHostAlloc"}, true)
      .Default(false);
}

/// Whether nobody gets the value of the expression that is \p Around's.
static bool isDiscarded(Outwards Around) {
  if (Around.empty() || isa<Expr, DeclStmt, ReturnStmt>(Around.back()))
    return false;
  return Around.size() < 2 || !isa<StmtExpr>(Around[Around.size() - 2]);
}

/// What a library does with the pointer that is its argument.
static PointerUse useInLibrary(const CallExpr &Call, unsigned Argument,
                               Outwards Around) {
  enum class Library { None, Keeps, Sets, Copies, Swaps };
  PointerUse Use;
  // It may be the argument again.
  if (Call.getType()->isPointerType() && !isDiscarded(Around))
    return Use;
  switch (
      llvm::StringSwitch<Library>(libraryCall(Call))
          .Cases({"cudaFree", "cudaFreeAsync", "cudaFreeHost", "free"},
                 Library::Keeps)
          .Cases({"cudaMemAdvise", "cudaMemPrefetchAsync"}, Library::Keeps)
          .Cases({"cudaMemset", "cudaMemsetAsync", "memset"}, Library::Sets)
          .Cases({"cudaMemcpy", "cudaMemcpyAsync", "memcpy"}, Library::Copies)
          .Case("swap", Library::Swaps)
          .Default(Library::None)) {
  case Library::Keeps:
    Use.What = Kind::Neutral;
    break;
  case Library::Sets:
    if (Argument == 0 && Call.getNumArgs() > 2) {
      Use.What = Kind::Memory;
      Use.Bytes = Call.getArg(2);
    }
    break;
  case Library::Copies:
    if (Argument < 2 && Call.getNumArgs() > 2) {
      Use.With = namedVariable(Call.getArg(1 - Argument));
      Use.Bytes = Call.getArg(2);
      Use.What = Use.With ? Kind::Memory : Kind::Other;
    }
    break;
  case Library::Swaps:
    if (Call.getNumArgs() == 2) {
      Use.With = namedVariable(Call.getArg(1 - Argument));
      Use.What = Use.With ? Kind::Same : Kind::Other;
    }
    break;
  case Library::None:
    break;
  }
  return Use;
}

//===----------------------------------------------------------------------===//
// All uses
//===----------------------------------------------------------------------===//

/// The next expression or statement of \p Around that is no parenthesis and no
/// implicit cast; also no cast to `void *` or `void **`, which the functions of
/// C want.
static const Stmt *outerOf(Outwards &Around) {
  while (!Around.empty()) {
    const Stmt *Outer = Around.back();
    Around = Around.drop_back();
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(Outer);
        Cast && !Cast->isGLValue()) {
      QualType To = Cast->getType()->getPointeeType();
      if (!To.isNull() && To->isPointerType())
        To = To->getPointeeType();
      if (!To.isNull() && To->isVoidType())
        continue;
    }
    if (!isa<ParenExpr, ImplicitCastExpr>(Outer))
      return Outer;
  }
  return nullptr;
}

static std::optional<unsigned> argumentOf(const CallExpr &Call, const Expr &E) {
  for (unsigned I = 0; I != Call.getNumArgs(); ++I)
    if (Call.getArg(I)->IgnoreParenCasts() == &E)
      return I;
  return std::nullopt;
}

static PointerUse useInCall(const CallExpr &Call, const DeclRefExpr &Name,
                            Outwards Around) {
  const std::optional<unsigned> Argument = argumentOf(Call, Name);
  if (!Argument || isa<CXXOperatorCallExpr, CXXMemberCallExpr>(Call))
    return {};
  if (!libraryCall(Call).empty())
    return useInLibrary(Call, *Argument, Around);
  PointerUse Use;
  // As it is: a cast could lead to the argument of another type.
  if (Call.getArg(*Argument)->IgnoreParenImpCasts() == &Name)
    Use.What = Kind::Argument;
  Use.Call = &Call;
  Use.Argument = *Argument;
  return Use;
}

/// An element of what \p Name points to, or its size.
static PointerUse useOfElement(const ArraySubscriptExpr &Element,
                               const DeclRefExpr &Name, Outwards Around) {
  PointerUse Use;
  if (Element.getLHS() != Element.getBase() ||
      Element.getLHS()->IgnoreParenImpCasts() != &Name)
    return Use;
  const Stmt *Outer = outerOf(Around);
  if (const auto *Size = dyn_cast_or_null<UnaryExprOrTypeTraitExpr>(Outer);
      Size && Size->getKind() == UETT_SizeOf)
    Use.What = Kind::SizeOf;
  const auto *Member = dyn_cast_or_null<MemberExpr>(Outer);
  if (Member && isa<FieldDecl>(Member->getMemberDecl()) &&
      isUsedByValue(*Member, Around)) {
    Use.What = Kind::Field;
    Use.Element = &Element;
    Use.Field = Member;
  }
  return Use;
}

static PointerUse useInUnary(const UnaryOperator &Operator,
                             const DeclRefExpr &Name, Outwards Around) {
  PointerUse Use;
  const Stmt *Outer = outerOf(Around);
  if (Operator.getOpcode() == UO_Deref)
    if (const auto *Size = dyn_cast_or_null<UnaryExprOrTypeTraitExpr>(Outer);
        Size && Size->getKind() == UETT_SizeOf)
      Use.What = Kind::SizeOf;
  if (Operator.getOpcode() == UO_AddrOf)
    if (const auto *Call = dyn_cast_or_null<CallExpr>(Outer);
        Call && allocates(*Call) && Call->getNumArgs() > 1 &&
        addressedVariable(Call->getArg(0)) == Name.getDecl()) {
      Use.What = Kind::Memory;
      Use.Bytes = Call->getArg(1);
    }
  return Use;
}

static PointerUse useInBinary(const BinaryOperator &Operator,
                              const DeclRefExpr &Name, Outwards Around) {
  const bool IsLeft = Operator.getLHS()->IgnoreParenImpCasts() == &Name;
  const Expr *Other = IsLeft ? Operator.getRHS() : Operator.getLHS();
  // The value of an assignment goes nowhere.
  if (Operator.getOpcode() == BO_Assign && isDiscarded(Around)) {
    if (IsLeft)
      return useOfValue(*Other, structBehind(Name.getType()));
    PointerUse Use;
    Use.With = namedVariable(Other);
    if (Use.With && Operator.getRHS()->IgnoreParenImpCasts() == &Name)
      Use.What = Kind::Same;
    return Use;
  }
  PointerUse Use;
  if (const auto *Cast = dyn_cast<CastExpr>(Other->IgnoreParens());
      Operator.isEqualityOp() && Cast &&
      Cast->getCastKind() == CK_NullToPointer)
    Use.What = Kind::Neutral;
  return Use;
}

static PointerUse useOf(const DeclRefExpr &Name, Outwards Around) {
  PointerUse Use;
  // In a lambda, it is a variable of the lambda's.
  if (Name.refersToEnclosingVariableOrCapture())
    return Use;
  for (const Stmt *Outer : llvm::reverse(Around)) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(Outer);
    if (Cast && Cast->getCastKind() == CK_PointerToBoolean)
      Use.What = Kind::Neutral;
    if (!Cast && !isa<ParenExpr>(Outer))
      break;
  }
  if (Use.What == Kind::Neutral)
    return Use;
  const Stmt *Outer = outerOf(Around);
  if (const auto *Element = dyn_cast_or_null<ArraySubscriptExpr>(Outer))
    return useOfElement(*Element, Name, Around);
  if (const auto *Call = dyn_cast_or_null<CallExpr>(Outer))
    return useInCall(*Call, Name, Around);
  if (const auto *Operator = dyn_cast_or_null<UnaryOperator>(Outer))
    return useInUnary(*Operator, Name, Around);
  if (const auto *Operator = dyn_cast_or_null<BinaryOperator>(Outer))
    return useInBinary(*Operator, Name, Around);
  if (const auto *Delete = dyn_cast_or_null<CXXDeleteExpr>(Outer))
    if (Delete->isArrayForm())
      Use.What = Kind::Neutral;
  // `P *q = p;`
  if (const auto *Declared = dyn_cast_or_null<DeclStmt>(Outer))
    for (const Decl *Each : Declared->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Each);
          Variable && Variable->getInit() &&
          Variable->getInit()->IgnoreParenImpCasts() == &Name) {
        Use.What = Kind::Same;
        Use.With = Variable;
      }
  return Use;
}

PointerUses::PointerUses(const UserFunctions &Functions) {
  for (const FunctionDecl *Each : Functions.Definitions)
    read(*Each);
  for (const VarDecl *Each : Functions.Variables)
    forEachStatement(Each->getInit(), [&](const Stmt &S) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
        if (const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl()))
          Named[Function->getCanonicalDecl()].push_back(Ref);
    });
}

void PointerUses::read(const FunctionDecl &Function) {
  forEachWithin(Function.getBody(), [&](const Stmt &S, Outwards Around) {
    if (const auto *Call = dyn_cast<CallExpr>(&S))
      if (const FunctionDecl *Callee = Call->getDirectCallee())
        Calls[Callee->getCanonicalDecl()].push_back(Call);
    if (const auto *Declared = dyn_cast<DeclStmt>(&S))
      for (const Decl *Each : Declared->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Each);
            Variable && Variable->getInit() &&
            structBehind(Variable->getType()))
          Variables[Variable].push_back(useOfValue(
              *Variable->getInit(), structBehind(Variable->getType())));
    const auto *Name = dyn_cast<DeclRefExpr>(&S);
    if (!Name)
      return true;
    if (const auto *Callee = dyn_cast<FunctionDecl>(Name->getDecl()))
      Named[Callee->getCanonicalDecl()].push_back(Name);
    if (const auto *Variable = dyn_cast<VarDecl>(Name->getDecl());
        Variable && !Variable->getType()->isDependentType() &&
        structBehind(Variable->getType())) {
      PointerUse Use = useOf(*Name, Around);
      Use.Name = Name;
      Variables[Variable].push_back(Use);
    }
    return true;
  });
}

} // namespace cudalint
