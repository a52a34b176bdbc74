//===- analyzer/frontend/ArrayUses.cpp - How arrays are used --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ArrayUses.h"

#include "analyzer/frontend/CarvedPointers.h"
#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/WrittenNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
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
/// By where the array is declared.
using ByPlace = std::map<SourceLocation, std::vector<SubscriptText>>;

class UseFinder : public RecursiveASTVisitor<UseFinder> {
public:
  explicit UseFinder(const ASTContext &Context)
      : Context(Context), Sources(Context.getSourceManager()) {}

  std::set<SourceLocation> Otherwise; ///< Used in another way.
  std::set<SourceLocation> Unwritten; ///< Subscripted by no plain text.
  ByPlace Subscripts;
  std::map<SourceLocation, std::vector<OffsetText>> Offsets;
  /// Of all arrays and of pointers into them, and where each is named, in
  /// files.
  std::map<SourceLocation, const ValueDecl *> Variables;
  std::map<SourceLocation, std::set<SourceLocation>> Named;
  /// The array that a pointer begins in.
  llvm::DenseMap<const ValueDecl *, const DeclaratorDecl *> Carved;

  /// Where the array is declared that \p Variable is, or points into; invalid:
  /// it does neither.
  SourceLocation arrayAt(const ValueDecl &Variable) const {
    if (const DeclaratorDecl *Array = arrayOf(Variable))
      return Array->getLocation();
    return {};
  }

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
    const DeclRefExpr *Array = nameOfElement(E);
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
      if (const DeclRefExpr *Array = nameOfElement(E->getSubExpr()))
        note(*Array);
    return RecursiveASTVisitor::TraverseUnaryOperator(E);
  }

  /// `float *b = s + 1024;` does nothing with the array but to say where `b`
  /// begins.
  bool TraverseVarDecl(VarDecl *V) {
    const std::optional<PointerBegin> Begin = beginOf(Context, *V);
    const DeclaratorDecl *Array =
        Begin ? arrayOf(*Begin->Base->getDecl()) : nullptr;
    if (!Array || !isFlat(*Array) || !V->getTypeSourceInfo())
      return RecursiveASTVisitor::TraverseVarDecl(V);
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

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    note(*E);
    return true;
  }

private:
  static bool isFlat(const ValueDecl &Array) {
    return !Array.getType()
                ->getAsArrayTypeUnsafe()
                ->getElementType()
                ->isArrayType();
  }
  /// As arrayAt() has it.
  const DeclaratorDecl *arrayOf(const ValueDecl &Variable) const {
    if (Variable.hasAttr<CUDASharedAttr>() && Variable.getType()->isArrayType())
      return cast<DeclaratorDecl>(&Variable);
    return Carved.lookup(&Variable);
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
    Named[Declared].insert(Sources.getFileLoc(E.getLocation()));
  }
  /// Of \p Pointer, into \p Array.
  void addBegin(const VarDecl &Pointer, SourceLocation Array,
                const PointerBegin &Begin) {
    const bool BaseIsBehind = Behind.contains(Begin.Base->getDecl());
    if (BaseIsBehind || !Begin.Offsets.empty())
      Behind.insert(&Pointer);
    const bool MayLeadBack = BaseIsBehind || Begin.Offsets.size() > 1;
    for (const Expr *Each : Begin.Offsets) {
      std::optional<ExpressionText> Text = expressionText(Context, *Each);
      if (!Text) {
        Unwritten.insert(Array);
        return;
      }
      OffsetText Its{std::move(*Text), divisorOf(Context, *Each)};
      if (MayLeadBack && !Pointer.getDeclContext()->isDependentContext() &&
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
    SubscriptText Its;
    // Of a template, the instances say.
    if (Behind.contains(Array.getDecl()) &&
        !Array.getDecl()->getDeclContext()->isDependentContext())
      Its.Sign = signOf(Context, *Element.getIdx());
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
  /// Pointers that need not begin where their array does.
  llvm::DenseSet<const ValueDecl *> Behind;
};
} // namespace

/// `threadIdx.x` names no variable `x`.
static bool isMember(const SourceManager &Sources, SourceLocation Where) {
  const unsigned Before = Sources.getFileOffset(Where);
  const char *At = Sources.getCharacterData(Where);
  return (Before >= 1 && At[-1] == '.') ||
         (Before >= 2 && At[-1] == '>' && At[-2] == '-');
}

/// Whether the line begins with `#`: a macro may write what is there anywhere.
static bool isInDirective(const SourceManager &Sources, SourceLocation Where) {
  const StringRef Text = Sources.getBufferData(Sources.getFileID(Where))
                             .take_front(Sources.getFileOffset(Where));
  return Text.substr(Text.rfind('\n') + 1).ltrim().starts_with("#");
}

/// The function that \p Variable is declared in, which an `extern` array is no
/// member of; null: in none.
static const FunctionDecl *functionOf(const ValueDecl &Variable) {
  return dyn_cast<FunctionDecl>(Variable.getLexicalDeclContext());
}

/// Whether an array of some kernel is named there. In another kernel, a name is
/// for other memory; a function that is none may be called with this one's.
static bool isOfKernel(const UseFinder &Uses, SourceLocation Where) {
  for (const auto &[Declared, Variable] : Uses.Variables) {
    const auto Names = Uses.Named.find(Declared);
    if (Declared != Where &&
        (Names == Uses.Named.end() || !Names->second.contains(Where)))
      continue;
    const FunctionDecl *Function = functionOf(*Variable);
    return Function && Function->hasAttr<CUDAGlobalAttr>();
  }
  return false;
}

/// Looks for \p Variable, an array or a pointer into one, in the text of its
/// function, or of all files: the preprocessor may have left out what another
/// build compiles.
static void lookInText(const ASTContext &Context, const ValueDecl &Variable,
                       UseFinder &Uses) {
  const SourceLocation Declared = Variable.getLocation();
  const std::set<SourceLocation> &Known = Uses.Named[Declared];
  const SourceManager &Sources = Context.getSourceManager();
  const auto Look = [&](StringRef Name, SourceLocation Where,
                        bool IsSubscripted) {
    if (Name != Variable.getName() || Where == Sources.getFileLoc(Declared) ||
        Known.contains(Where) || isMember(Sources, Where))
      return;
    (IsSubscripted ? Uses.Unwritten : Uses.Otherwise)
        .insert(Uses.arrayAt(Variable));
  };
  const FunctionDecl *Function = functionOf(Variable);
  if (Function)
    forEachName(Context, Function->getSourceRange(), Look);
  if (isa<FunctionDecl>(Variable.getDeclContext()))
    return;
  // `extern __shared__ float s[]` is the same memory in each function, which
  // has to declare it: `s[`. Else its name may be that of anything there.
  const auto LookElsewhere = [&](StringRef Name, SourceLocation Where,
                                 bool IsSubscripted) {
    if (!Function || (Name == Variable.getName() &&
                      (IsSubscripted || isInDirective(Sources, Where)) &&
                      !isOfKernel(Uses, Where)))
      Look(Name, Where, IsSubscripted);
  };
  forEachUserFile(Sources, [&](FileID File) {
    forEachName(Context, rangeOf(Context, File), LookElsewhere);
  });
}

template <typename Text>
static std::shared_ptr<const std::vector<Text>> kept(std::vector<Text> All) {
  return std::make_shared<const std::vector<Text>>(std::move(All));
}

ArrayUses::ArrayUses(ASTContext &Context)
    : IsWhole(!Context.getDiagnostics().hasErrorOccurred()) {
  UseFinder Uses(Context);
  Uses.TraverseDecl(Context.getTranslationUnitDecl());
  for (const auto &[Declared, Variable] : Uses.Variables)
    if (!Uses.Otherwise.contains(Uses.arrayAt(*Variable)) &&
        Variable->getIdentifier())
      lookInText(Context, *Variable, Uses);
  Otherwise = std::move(Uses.Otherwise);
  const auto areKnown = [&](SourceLocation Declared) {
    return !Otherwise.contains(Declared) && !Uses.Unwritten.contains(Declared);
  };
  for (auto &[Declared, Subscripts] : Uses.Subscripts)
    if (areKnown(Declared))
      Written.emplace(Declared, kept(std::move(Subscripts)));
  for (auto &[Declared, Offsets] : Uses.Offsets)
    if (Written.contains(Declared))
      Begins.emplace(Declared, kept(std::move(Offsets)));
  if (IsWhole)
    for (const auto &[Pointer, Array] : Uses.Carved)
      if (Begins.contains(Array->getLocation()))
        Carved[Pointer] = Array;
}

bool ArrayUses::isOnlySubscripted(const ValueDecl &Array) const {
  return IsWhole && !Otherwise.contains(Array.getLocation());
}

std::shared_ptr<const std::vector<SubscriptText>>
ArrayUses::subscriptsOf(const ValueDecl &Array) const {
  const auto Found = Written.find(Array.getLocation());
  return Found == Written.end() ? nullptr : Found->second;
}

std::shared_ptr<const std::vector<OffsetText>>
ArrayUses::offsetsOf(const ValueDecl &Array) const {
  const auto Found = Begins.find(Array.getLocation());
  return Found == Begins.end() ? nullptr : Found->second;
}

const DeclaratorDecl *ArrayUses::carvedBy(const ValueDecl &Pointer) const {
  return Carved.lookup(&Pointer);
}

} // namespace cudalint
