//===- analyzer/frontend/ArrayUses.cpp - How arrays are used --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ArrayUses.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/WrittenNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <optional>
#include <utility>

using namespace clang;

namespace cudalint {

/// The array that \p E is an element of, with a subscript for each dimension;
/// null for all else.
static const DeclRefExpr *arrayOfElement(const Expr *E) {
  unsigned Count = 0;
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      ++Count;
      E = S->getBase();
      continue;
    }
    const auto *Name = dyn_cast<DeclRefExpr>(E);
    if (!Name)
      return nullptr;
    unsigned Dimensions = 0;
    for (QualType Type = Name->getType(); Type->isArrayType();
         Type = Type->getAsArrayTypeUnsafe()->getElementType())
      ++Dimensions;
    return Dimensions != 0 && Count == Dimensions ? Name : nullptr;
  }
}

namespace {
/// By where the array is declared.
using ByPlace = std::map<SourceLocation, std::vector<SubscriptText>>;

class UseFinder : public RecursiveASTVisitor<UseFinder> {
public:
  explicit UseFinder(const ASTContext &Context)
      : Context(Context), Sources(Context.getSourceManager()) {}

  std::set<SourceLocation> Otherwise; ///< Used in another way.
  std::set<SourceLocation> Unwritten; ///< Subscripted by no plain text.
  ByPlace Subscripts;
  /// Of all arrays, and where each is named, in files.
  std::map<SourceLocation, const ValueDecl *> Arrays;
  std::map<SourceLocation, std::set<SourceLocation>> Named;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool TraverseDecl(Decl *D) {
    if (D && isa<FunctionDecl, CXXRecordDecl>(D) &&
        Sources.isInSystemHeader(D->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  /// An element by its indices, and what is at its indices.
  bool TraverseArraySubscriptExpr(ArraySubscriptExpr *E) {
    const DeclRefExpr *Array = arrayOfElement(E);
    if (!Array)
      return RecursiveASTVisitor::TraverseArraySubscriptExpr(E);
    note(*Array, *E);
    const Expr *Each = E;
    while (const auto *S =
               dyn_cast<ArraySubscriptExpr>(Each->IgnoreParenImpCasts())) {
      if (!TraverseStmt(const_cast<Expr *>(S->getIdx())))
        return false;
      Each = S->getBase();
    }
    return true;
  }

  /// CUDA's `atomicAdd(&sums[i][j], 1)` takes the address for nothing else.
  bool TraverseCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    const bool IsAtomic = Callee && Callee->getIdentifier() &&
                          Callee->getName().starts_with("atomic") &&
                          Sources.isInSystemHeader(Callee->getLocation());
    if (!IsAtomic)
      return RecursiveASTVisitor::TraverseCallExpr(E);
    for (Expr *Argument : E->arguments()) {
      const auto *U = dyn_cast<UnaryOperator>(Argument->IgnoreParenImpCasts());
      const bool IsAddress = U && U->getOpcode() == UO_AddrOf;
      if (!TraverseStmt(IsAddress ? U->getSubExpr() : Argument))
        return false;
    }
    return true;
  }

  bool TraverseUnaryOperator(UnaryOperator *E) {
    if (E->getOpcode() == UO_AddrOf)
      if (const DeclRefExpr *Array = arrayOfElement(E->getSubExpr()))
        note(*Array);
    return RecursiveASTVisitor::TraverseUnaryOperator(E);
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    note(*E);
    return true;
  }

private:
  static bool isShared(const DeclRefExpr &E) {
    return E.getDecl()->hasAttr<CUDASharedAttr>() && E.getType()->isArrayType();
  }
  void note(const DeclRefExpr &E) {
    if (!isShared(E))
      return;
    Otherwise.insert(E.getDecl()->getLocation());
    name(E);
  }
  void name(const DeclRefExpr &E) {
    const SourceLocation Declared = E.getDecl()->getLocation();
    Arrays.emplace(Declared, E.getDecl());
    Named[Declared].insert(Sources.getFileLoc(E.getLocation()));
  }
  /// \p Element, with a subscript for each dimension of \p Array.
  void note(const DeclRefExpr &Array, const ArraySubscriptExpr &Element) {
    if (!isShared(Array))
      return;
    name(Array);
    const SourceLocation Declared = Array.getDecl()->getLocation();
    SubscriptText Its;
    const Expr *Each = &Element;
    while (const auto *S =
               dyn_cast<ArraySubscriptExpr>(Each->IgnoreParenImpCasts())) {
      std::optional<ExpressionText> Index;
      // The brackets are no macro's, nor what a macro is given, which it may
      // write elsewhere, too; and the array is in front of them.
      if (S->getRBracketLoc().isFileID() && S->getLHS() == S->getBase())
        Index = expressionText(Context, *S->getIdx());
      if (!Index) {
        Unwritten.insert(Declared);
        return;
      }
      Its.Indices.insert(Its.Indices.begin(), std::move(*Index));
      Each = S->getBase();
    }
    add(Subscripts[Declared], std::move(Its));
  }
  /// Instances of a template are written once. What one of them cannot repeat,
  /// none can; of the template itself, types are not known.
  static void add(std::vector<SubscriptText> &To, SubscriptText Its) {
    const auto Same = std::ranges::find_if(To, [&](const SubscriptText &Known) {
      return Known.Indices.front().Begin == Its.Indices.front().Begin;
    });
    if (Same == To.end())
      To.push_back(std::move(Its));
    else
      for (std::size_t I = 0; I != Its.Indices.size(); ++I)
        Same->Indices[I].IsRepeatable &= Its.Indices[I].IsRepeatable;
  }

  const ASTContext &Context;
  const SourceManager &Sources;
};
} // namespace

/// Looks for \p Array in the text of its function, or of all files: the
/// preprocessor may have left out what another build compiles.
static void lookInText(const ASTContext &Context, const ValueDecl &Array,
                       UseFinder &Uses) {
  const SourceLocation Declared = Array.getLocation();
  const std::set<SourceLocation> &Known = Uses.Named[Declared];
  const SourceManager &Sources = Context.getSourceManager();
  const auto Look = [&](StringRef Name, SourceLocation Where,
                        bool IsSubscripted) {
    if (Name != Array.getName() || Where == Sources.getFileLoc(Declared) ||
        Known.contains(Where))
      return;
    (IsSubscripted ? Uses.Unwritten : Uses.Otherwise).insert(Declared);
  };
  if (const auto *Function = dyn_cast<FunctionDecl>(Array.getDeclContext()))
    forEachName(Context, Function->getSourceRange(), Look);
  else
    forEachUserFile(Sources, [&](FileID File) {
      forEachName(Context, rangeOf(Context, File), Look);
    });
}

ArrayUses::ArrayUses(ASTContext &Context)
    : IsWhole(!Context.getDiagnostics().hasErrorOccurred()) {
  UseFinder Uses(Context);
  Uses.TraverseDecl(Context.getTranslationUnitDecl());
  for (const auto &[Declared, Array] : Uses.Arrays)
    if (!Uses.Otherwise.contains(Declared) && Array->getIdentifier())
      lookInText(Context, *Array, Uses);
  Otherwise = std::move(Uses.Otherwise);
  for (auto &[Declared, Subscripts] : Uses.Subscripts)
    if (!Otherwise.contains(Declared) && !Uses.Unwritten.contains(Declared))
      Written.emplace(Declared,
                      std::make_shared<const std::vector<SubscriptText>>(
                          std::move(Subscripts)));
}

bool ArrayUses::isOnlySubscripted(const ValueDecl &Array) const {
  return IsWhole && !Otherwise.contains(Array.getLocation());
}

std::shared_ptr<const std::vector<SubscriptText>>
ArrayUses::subscriptsOf(const ValueDecl &Array) const {
  const auto Found = Written.find(Array.getLocation());
  return Found == Written.end() ? nullptr : Found->second;
}

} // namespace cudalint
