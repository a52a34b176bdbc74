//===- analyzer/frontend/ArrayUseFinder.cpp - Uses in the syntax ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ArrayUseFinder.h"

#include "analyzer/frontend/CarvedPointers.h"
#include "analyzer/frontend/PlainAccesses.h"
#include "analyzer/frontend/SyntaxVisitor.h"
#include "analyzer/frontend/UnseenUses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

using namespace clang;

namespace cudalint {

/// The array that \p E is an element of, with a subscript for each dimension,
/// or the pointer that it subscripts once; null for all else.
static const DeclRefExpr *nameOfElement(const Expr *E) {
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
    unsigned Dimensions = Name->getType()->isPointerType() ? 1 : 0;
    for (QualType Type = Name->getType(); Type->isArrayType();
         Type = Type->getAsArrayTypeUnsafe()->getElementType())
      ++Dimensions;
    return Dimensions != 0 && Count == Dimensions ? Name : nullptr;
  }
}

namespace {
class UseFinder : public SyntaxVisitor, public FoundUses {
public:
  explicit UseFinder(const ASTContext &Context)
      : Context(Context), Sources(Context.getSourceManager()) {
    ShouldVisitTemplateInstantiations = true;
  }

  FoundUses find() {
    TraverseDecl(Context.getTranslationUnitDecl());
    for (const auto &[Array, Element] : Elements)
      if (!Plain.has(*Element))
        Unwritten.insert(Array); // Who knows what a reference leads to?
    return std::move(*this);
  }

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

  /// An element by its indices, and what is at its indices.
  bool TraverseArraySubscriptExpr(ArraySubscriptExpr *E) override {
    const DeclRefExpr *Array = nameOfElement(E);
    if (!Array)
      return SyntaxVisitor::TraverseArraySubscriptExpr(E);
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
  bool TraverseCallExpr(CallExpr *E) override {
    const FunctionDecl *Callee = E->getDirectCallee();
    const bool IsAtomic = Callee && Callee->getIdentifier() &&
                          Callee->getName().starts_with("atomic") &&
                          Sources.isInSystemHeader(Callee->getLocation());
    if (!IsAtomic)
      return SyntaxVisitor::TraverseCallExpr(E);
    for (Expr *Argument : E->arguments()) {
      const auto *U = dyn_cast<UnaryOperator>(Argument->IgnoreParenImpCasts());
      const bool IsAddress = U && U->getOpcode() == UO_AddrOf;
      if (IsAddress)
        Plain.add(*U->getSubExpr());
      if (!TraverseStmt(IsAddress ? U->getSubExpr() : Argument))
        return false;
    }
    return true;
  }

  bool TraverseUnaryOperator(UnaryOperator *E) override {
    if (E->getOpcode() == UO_AddrOf)
      if (const DeclRefExpr *Array = nameOfElement(E->getSubExpr()))
        note(*Array);
    return SyntaxVisitor::TraverseUnaryOperator(E);
  }

  /// `float *b = s + 1024;` does nothing with the array but to say where `b`
  /// begins.
  bool TraverseVarDecl(VarDecl *V) override {
    const std::optional<PointerBegin> Begin = beginOf(Context, *V);
    const DeclaratorDecl *Array =
        Begin ? arrayOf(*Begin->Base->getDecl()) : nullptr;
    if (V->getType()->isReferenceType() && V->getInit())
      if (const DeclRefExpr *Element = nameOfElement(V->getInit()))
        note(*Element); // Its address may be taken.
    if (!Array || !isFlat(*Array) || !V->getTypeSourceInfo())
      return SyntaxVisitor::TraverseVarDecl(V);
    name(*Begin->Base);
    Variables.emplace(V->getLocation(), V);
    Carved[V] = Array;
    addBegin(*V, Array->getLocation(), *Begin);
    Offsets.try_emplace(Array->getLocation());
    for (const Expr *Each : Begin->Offsets)
      if (!TraverseStmt(const_cast<Expr *>(Each)))
        return false;
    return TraverseTypeLoc(V->getTypeSourceInfo()->getTypeLoc());
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    note(*E);
    // Of a template, the instances say.
    if (isa<FunctionDecl>(E->getDecl()) &&
        !(Current && Current->isDependentContext()))
      Functions.insert(Sources.getFileLoc(E->getLocation()));
    if (E->hasExplicitTemplateArgs())
      addInstance(*E->getDecl(), E->template_arguments());
    return true;
  }
  bool VisitVarDecl(VarDecl *V) override {
    if (V->hasAttr<CUDASharedAttr>() && V->getType()->isIncompleteArrayType())
      Dynamic.push_back(V);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *F) override {
    Functions.insert(Sources.getFileLoc(F->getLocation()));
    if (const auto *Written = F->getTemplateSpecializationArgsAsWritten())
      addInstance(*F, Written->arguments());
    const SourceLocation At = F->getPointOfInstantiation();
    if (At.isValid() && isTemplateExplicitInstantiationOrSpecialization(
                            F->getTemplateSpecializationKind())) {
      ExplicitInstances[F->getLocation()].push_back(At);
      Functions.insert(Sources.getFileLoc(At));
    }
    return true;
  }
  bool VisitStmt(Stmt *S) override {
    Plain.addWithin(*S);
    return true;
  }

private:
  void addInstance(const ValueDecl &Its, ArrayRef<TemplateArgumentLoc> Given) {
    for (const TemplateArgumentLoc &Each : Given)
      if (Each.getArgument().getKind() == TemplateArgument::Expression)
        Instances[Its.getLocation()].push_back(Each.getSourceExpression());
  }
  static bool isDependent(const ValueDecl &Local) {
    return Local.getDeclContext()->isDependentContext();
  }
  static bool isFlat(const ValueDecl &Array) {
    return !Array.getType()
                ->getAsArrayTypeUnsafe()
                ->getElementType()
                ->isArrayType();
  }
  void note(const DeclRefExpr &E) {
    const SourceLocation Array = arrayAt(*E.getDecl());
    if (Array.isInvalid())
      return;
    Otherwise.insert(Array);
    name(E);
  }
  void name(const DeclRefExpr &E) {
    const SourceLocation Declared = E.getDecl()->getLocation();
    Variables.emplace(Declared, E.getDecl());
    if (Current && isCallableElsewhere(*Current))
      Exposed.insert(arrayAt(*E.getDecl()));
    Named[Declared].insert(Sources.getFileLoc(E.getLocation()));
  }
  /// Of \p Pointer, into \p Array.
  void addBegin(const VarDecl &Pointer, SourceLocation Array,
                const PointerBegin &Begin) {
    if (Behind.contains(Begin.Base->getDecl()) || !Begin.Offsets.empty())
      Behind.insert(&Pointer);
    for (const Expr *Each : Begin.Zeros)
      Numbers[Array].push_back(Each);
    for (const Expr *Each : Begin.Offsets) {
      Numbers[Array].push_back(Each);
      std::optional<ExpressionText> Text = expressionText(Context, *Each);
      if (!Text) {
        Unwritten.insert(Array);
        return;
      }
      OffsetText Its{std::move(*Text), divisorOf(Context, *Each)};
      if (!isDependent(Pointer) &&
          signOf(Context, *Each) == IndexSign::Unsigned)
        Its.Sign = IndexSign::Unsigned;
      add(Offsets[Array], std::move(Its));
    }
  }
  static void add(std::vector<OffsetText> &To, OffsetText Its) {
    const auto Same = std::ranges::find_if(To, [&](const OffsetText &Known) {
      return Known.Text.Begin == Its.Text.Begin;
    });
    if (Same == To.end()) {
      To.push_back(std::move(Its));
    } else {
      Same->Text.IsRepeatable &= Its.Text.IsRepeatable;
      Same->Divisor = std::gcd(Same->Divisor, Its.Divisor);
      Same->Sign = std::max(Same->Sign, Its.Sign);
    }
  }
  /// \p Element, with a subscript for each dimension of \p Array.
  void note(const DeclRefExpr &Array, const ArraySubscriptExpr &Element) {
    const SourceLocation Declared = arrayAt(*Array.getDecl());
    if (Declared.isInvalid())
      return;
    name(Array);
    // What is around it is looked at later.
    if (!isDependent(*Array.getDecl()))
      Elements.emplace_back(Declared, &Element);
    SubscriptText Its;
    // Of a template, the instances say.
    if (Behind.contains(Array.getDecl()) && !isDependent(*Array.getDecl())) {
      Its.Sign = signOf(Context, *Element.getIdx());
      Numbers[Declared].push_back(Element.getIdx());
    }
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
    if (Same == To.end()) {
      To.push_back(std::move(Its));
    } else {
      Same->Sign = std::max(Same->Sign, Its.Sign);
      for (std::size_t I = 0; I != Its.Indices.size(); ++I)
        Same->Indices[I].IsRepeatable &= Its.Indices[I].IsRepeatable;
    }
  }

  const ASTContext &Context;
  const SourceManager &Sources;
  const FunctionDecl *Current = nullptr; ///< Around what is visited.
  PlainAccesses Plain;
  /// By the array.
  std::vector<std::pair<SourceLocation, const ArraySubscriptExpr *>> Elements;
  /// Pointers that need not begin where their array does.
  llvm::DenseSet<const ValueDecl *> Behind;
};
} // namespace

const DeclaratorDecl *FoundUses::arrayOf(const ValueDecl &Variable) const {
  if (Variable.hasAttr<CUDASharedAttr>() && Variable.getType()->isArrayType())
    return cast<DeclaratorDecl>(&Variable);
  return Carved.lookup(&Variable);
}

SourceLocation FoundUses::arrayAt(const ValueDecl &Variable) const {
  if (const DeclaratorDecl *Array = arrayOf(Variable))
    return Array->getLocation();
  return {};
}

FoundUses findUses(const ASTContext &Context) {
  return UseFinder(Context).find();
}

} // namespace cudalint
