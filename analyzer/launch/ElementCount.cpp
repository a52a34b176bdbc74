//===- analyzer/launch/ElementCount.cpp - How many structs there are ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/ElementCount.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/frontend/WrittenMacros.h"
#include "analyzer/frontend/WrittenNames.h"
#include "analyzer/launch/PointerUses.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/FoldingSet.h"

#include <algorithm>

using namespace clang;

namespace cudalint {

//===----------------------------------------------------------------------===//
// The same number each time
//===----------------------------------------------------------------------===//

/// Where the token at \p Where, the first or the last one of something, is
/// written: what a macro is given where it is given, and what is all of a macro
/// where that is named. Invalid for a part of what a macro says.
static SourceLocation writtenAt(const ASTContext &Context, SourceLocation Where,
                                bool IsFirst) {
  const SourceManager &Sources = Context.getSourceManager();
  while (Where.isMacroID()) {
    if (Sources.isMacroArgExpansion(Where)) {
      Where = Sources.getImmediateSpellingLoc(Where);
      continue;
    }
    const unsigned Length = Lexer::MeasureTokenLength(
        Sources.getSpellingLoc(Where), Sources, Context.getLangOpts());
    if (!(IsFirst ? Sources.isAtStartOfImmediateMacroExpansion(Where)
                  : Sources.isAtEndOfImmediateMacroExpansion(
                        Where.getLocWithOffset(Length))))
      return {};
    const CharSourceRange Macro = Sources.getImmediateExpansionRange(Where);
    Where = IsFirst ? Macro.getBegin() : Macro.getEnd();
  }
  return Where;
}

/// \p E as it is written, also for a macro; else empty.
static std::string textOf(const ASTContext &Context, const Expr &E) {
  const SourceLocation Begin = writtenAt(Context, E.getBeginLoc(), true),
                       End = writtenAt(Context, E.getEndLoc(), false);
  return Begin.isValid() && End.isValid() ? writtenText(Context, {Begin, End})
                                          : std::string();
}

/// \p E as it is, and as it is written.
static bool areWrittenAlike(const ASTContext &Context, const Expr &A,
                            const Expr &B) {
  llvm::FoldingSetNodeID IdOfA, IdOfB;
  A.Profile(IdOfA, Context, /*Canonical=*/true);
  B.Profile(IdOfB, Context, /*Canonical=*/true);
  // What two macros say may differ in another build.
  return IdOfA == IdOfB && textOf(Context, A) == textOf(Context, B);
}

/// \p E without parentheses around it, but for those that a macro writes.
static const Expr *withoutParentheses(const Expr &E) {
  const Expr *Plain = E.IgnoreImpCasts();
  while (const auto *Around = dyn_cast<ParenExpr>(Plain)) {
    if (Around->getLParen().isMacroID())
      break;
    Plain = Around->getSubExpr()->IgnoreImpCasts();
  }
  return Plain;
}

void ElementCount::addElements(const Expr &Elements) {
  const Expr *Plain = withoutParentheses(Elements);
  if (!Plain->getType()->isIntegerType() ||
      (Count && !areWrittenAlike(In.getASTContext(), *Count, *Plain)))
    IsUnknown = true;
  Count = Plain;
}

/// The variable that \p E names, whose first value is its only one if nothing
/// changes it; null where that is narrower than a size.
static const VarDecl *initialised(const Expr &E, const FunctionDecl &In) {
  const auto *Name = dyn_cast<DeclRefExpr>(&E);
  const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  if (!Variable || isa<ParmVarDecl>(Variable) || !Variable->getInit() ||
      !Variable->hasLocalStorage() || Variable->getDeclContext() != &In ||
      !Variable->getType()->isIntegerType())
    return nullptr;
  const ASTContext &Context = In.getASTContext();
  return Context.getTypeSize(Variable->getType()) >=
                 Context.getTypeSize(Context.getSizeType())
             ? Variable
             : nullptr;
}

void ElementCount::addBytes(const Expr &Size) {
  const Expr *Plain = Size.IgnoreParenImpCasts();
  if (const VarDecl *Variable = initialised(*Plain, In)) {
    Bytes.insert(Variable);
    useAt(Variable->getLocation());
    Plain = Variable->getInit()->IgnoreParenImpCasts();
  }
  const auto *Product = dyn_cast<BinaryOperator>(Plain);
  if (!Product || Product->getOpcode() != BO_Mul) {
    IsUnknown = true;
    return;
  }
  const Expr &Left = *Product->getLHS(), &Right = *Product->getRHS();
  if (isSizeOf(Left, Struct) || isSizeOf(Right, Struct))
    addElements(isSizeOf(Left, Struct) ? Right : Left);
  else
    IsUnknown = true;
}

void ElementCount::useAt(SourceLocation Where) {
  Uses.insert(In.getASTContext().getSourceManager().getFileLoc(Where));
}

//===----------------------------------------------------------------------===//
// Variables that keep their values
//===----------------------------------------------------------------------===//

/// Whether each call of \p In declares \p Variable once.
static bool isDeclaredOnce(const VarDecl &Variable, const FunctionDecl &In) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(In.getBody());
  return Variable.getDeclContext() == &In &&
         (isa<ParmVarDecl>(Variable) ||
          (Body && std::ranges::any_of(Body->body(), [&](const Stmt *Each) {
             const auto *Declared = dyn_cast<DeclStmt>(Each);
             return Declared &&
                    llvm::is_contained(Declared->decls(), &Variable);
           })));
}

/// What \p Value is made of, where that is numbers, variables and enumerators.
static bool collectVariables(const Stmt &Value,
                             std::set<const ValueDecl *> &Variables) {
  if (const auto *Name = dyn_cast<DeclRefExpr>(&Value)) {
    Variables.insert(Name->getDecl());
    return isa<VarDecl, EnumConstantDecl>(Name->getDecl());
  }
  if (const auto *Operator = dyn_cast<BinaryOperator>(&Value))
    if (!Operator->isMultiplicativeOp() && !Operator->isAdditiveOp() &&
        !Operator->isShiftOp())
      return false;
  if (!isa<BinaryOperator, ParenExpr, ImplicitCastExpr, ExplicitCastExpr,
           IntegerLiteral>(Value) ||
      !cast<Expr>(Value).getType()->isIntegerType())
    return false;
  return llvm::all_of(Value.children(), [&](const Stmt *Each) {
    return collectVariables(*Each, Variables);
  });
}

bool ElementCount::isSteady(const ValueDecl &Value) const {
  // The function finds what is declared around it by its name alone.
  const DeclContext *Around = Value.getDeclContext()->getRedeclContext();
  const bool IsAround = !Around->isFunctionOrMethod() && Around->Encloses(&In);
  const auto *Variable = dyn_cast<VarDecl>(&Value);
  if (!Variable)
    return IsAround;
  const QualType Type = Variable->getType();
  if (!Type->isIntegerType() || Type.isVolatileQualified())
    return false;
  if (Variable->isFileVarDecl())
    return IsAround &&
           Variable->isUsableInConstantExpressions(In.getASTContext());
  return Variable->hasLocalStorage() && isDeclaredOnce(*Variable, In);
}

namespace {
/// Whether variables of a function are changed from some place on, or may be.
class Changes {
public:
  Changes(const FunctionDecl &In, SourceLocation From)
      : In(In), From(From), Sources(In.getASTContext().getSourceManager()) {}

  bool mayChange(const std::set<const ValueDecl *> &Variables) {
    forEachWithin(
        In.getBody(), [&](const Stmt &S, ArrayRef<const Stmt *> Around) {
          // What stands behind may come first.
          IsFound |= isa<LabelStmt>(S);
          if (const auto *Member = dyn_cast<MemberExpr>(&S))
            Places.insert(Sources.getFileLoc(Member->getMemberLoc()));
          if (const auto *Declared = dyn_cast<DeclStmt>(&S))
            for (const Decl *Each : Declared->decls())
              IsFound |= hides(*Each, Variables);
          const auto *Name = dyn_cast<DeclRefExpr>(&S);
          const ValueDecl *Variable = Name ? Name->getDecl() : nullptr;
          if (!Variable || !Variables.contains(Variable))
            return true;
          Places.insert(Sources.getFileLoc(Name->getLocation()));
          IsFound |= isa<VarDecl>(Variable) &&
                     !Variable->getType().isConstQualified() &&
                     mayChange(*Name, Around);
          return true;
        });
    for (const ValueDecl *Each : Variables)
      Places.insert(Sources.getFileLoc(Each->getLocation()));
    // Another variable of that name, or what the preprocessor left out.
    for (const ValueDecl *Each : Variables)
      IsFound |= !isNamedOnlyAt(In.getASTContext(), In.getSourceRange(),
                                Each->getName(), Places);
    return IsFound;
  }

private:
  /// Whether \p Local is another one of a name of \p Variables, or has such a
  /// one, also where a macro declares it.
  static bool hides(const Decl &Local,
                    const std::set<const ValueDecl *> &Variables) {
    if (const auto *Enum = dyn_cast<EnumDecl>(&Local))
      for (const EnumConstantDecl *Each : Enum->enumerators())
        if (hides(*Each, Variables))
          return true;
    if (const auto *Parts = dyn_cast<DecompositionDecl>(&Local))
      for (const BindingDecl *Each : Parts->bindings())
        if (hides(*Each, Variables))
          return true;
    const auto *Named = dyn_cast<NamedDecl>(&Local);
    return Named && Named->getIdentifier() &&
           llvm::any_of(Variables, [&](const ValueDecl *Each) {
             return Each != Named && Each->getName() == Named->getName();
           });
  }

  bool mayChange(const DeclRefExpr &Name, ArrayRef<const Stmt *> Around) const {
    while (!Around.empty() && isa<ParenExpr>(Around.back()))
      Around = Around.drop_back();
    const Stmt *Outer = Around.empty() ? nullptr : Around.back();
    if (const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Outer))
      return Cast->getCastKind() != CK_LValueToRValue;
    const auto *Binary = dyn_cast_or_null<BinaryOperator>(Outer);
    const auto *Unary = dyn_cast_or_null<UnaryOperator>(Outer);
    const bool IsChange = (Binary && Binary->isAssignmentOp() &&
                           Binary->getLHS()->IgnoreParens() == &Name) ||
                          (Unary && Unary->isIncrementDecrementOp());
    // Its address or a reference, which may be kept.
    if (!IsChange || Name.refersToEnclosingVariableOrCapture())
      return true;
    if (!isBefore(Name.getLocation()))
      return true;
    return llvm::any_of(Around, [&](const Stmt *Each) {
      return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Each) &&
             !isBefore(Each->getEndLoc());
    });
  }
  bool isBefore(SourceLocation Where) const {
    return Sources.isBeforeInTranslationUnit(Sources.getFileLoc(Where), From);
  }

  const FunctionDecl &In;
  SourceLocation From;
  const SourceManager &Sources;
  std::set<SourceLocation> Places; ///< Where the names are that are known.
  bool IsFound = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

/// Whether \p Text, the same all over the function, names \p Variables alone,
/// types of integers, and macros that are numbers.
static bool isSteadyText(const ASTContext &Context, StringRef Text,
                         const std::set<const ValueDecl *> &Variables) {
  const WrittenMacros Macros(Context);
  if (Text.contains("::"))
    return false;
  while (!Text.empty()) {
    // Also what begins as a number, as 16u.
    const StringRef Name =
        Text.take_while([](char C) { return isAsciiIdentifierContinue(C); });
    Text = Text.drop_front(std::max<std::size_t>(Name.size(), 1));
    if (Name.empty() || isDigit(Name.front()) || isIntegerWord(Name))
      continue;
    const auto Its = Context.Idents.find(Name);
    if (Its != Context.Idents.end() && Its->second->hadMacroDefinition()
            ? !Macros.isNumber(Name)
            : llvm::none_of(Variables, [&](const ValueDecl *Each) {
                return Each->getName() == Name;
              }))
      return false;
  }
  return llvm::none_of(Variables, [&](const ValueDecl *Each) {
    return Macros.mayName(Each->getName());
  });
}

/// Whether all of \p Value is written in the user's files: a macro of a system
/// header may be defined anew between two places that name it.
static bool isOfUser(const ASTContext &Context, const Expr &Value) {
  const SourceManager &Sources = Context.getSourceManager();
  bool Result = true;
  forEachStatement(&Value, [&](const Stmt &Each) {
    for (const SourceLocation Where : {Each.getBeginLoc(), Each.getEndLoc()}) {
      const SourceLocation Spelled = Sources.getSpellingLoc(Where);
      Result &= Sources.getFileEntryForID(Sources.getFileID(Spelled)) &&
                !Sources.isInSystemHeader(Spelled);
    }
  });
  return Result;
}

std::string ElementCount::text() const {
  std::set<const ValueDecl *> Variables;
  if (!Count || IsUnknown || Uses.empty() ||
      !collectVariables(*Count, Variables))
    return {};
  const ASTContext &Context = In.getASTContext();
  const SourceManager &Sources = Context.getSourceManager();
  const SourceLocation First =
      *std::ranges::min_element(Uses, [&](SourceLocation A, SourceLocation B) {
        return Sources.isBeforeInTranslationUnit(A, B);
      });
  for (const ValueDecl *Each : Variables)
    if (!isSteady(*Each) || !Sources.isBeforeInTranslationUnit(
                                Sources.getFileLoc(Each->getLocation()), First))
      return {};
  Variables.insert(Bytes.begin(), Bytes.end());
  const std::string Text = textOf(Context, *Count);
  const bool IsOneLine = Text.find('\n') == std::string::npos &&
                         Text.find("//") == std::string::npos &&
                         Text.find("/*") == std::string::npos;
  return IsOneLine && isOfUser(Context, *Count) &&
                 isSteadyText(Context, Text, Variables) &&
                 !Changes(In, First).mayChange(Variables)
             ? Text
             : std::string();
}

} // namespace cudalint
