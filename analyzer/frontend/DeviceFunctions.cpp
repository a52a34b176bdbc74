//===- analyzer/frontend/DeviceFunctions.cpp - What runs there ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/DeviceFunctions.h"

#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

#include <set>

namespace cudalint {

/// The same of \p Body alone.
static void
forEachThatRuns(const clang::ASTContext &Context, const clang::Stmt *Body,
                const std::function<void(const clang::Stmt &)> &Visit) {
  std::set<const clang::Stmt *> Never;
  const auto Exclude = [&](const clang::Stmt *Root) {
    forEachStatement(Root,
                     [&](const clang::Stmt &Part) { Never.insert(&Part); });
  };
  forEachStatement(Body, [&](const clang::Stmt &S) {
    if (Never.contains(&S))
      return;
    bool Holds = false;
    if (const auto *If = llvm::dyn_cast<clang::IfStmt>(&S);
        If && If->getCond() && !If->getCond()->isValueDependent() &&
        If->getCond()->EvaluateAsBooleanCondition(Holds, Context))
      Exclude(Holds ? If->getElse() : If->getThen());
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr>(S))
      for (const clang::Stmt *Operand : S.children())
        Exclude(Operand);
    Visit(S);
  });
}

/// What \p S stands for and is none of its children, or null.
static const clang::Expr *writtenElsewhere(const clang::Stmt &S) {
  if (const auto *Argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(&S))
    return Argument->getExpr();
  const auto *Member = llvm::dyn_cast<clang::CXXDefaultInitExpr>(&S);
  return Member ? Member->getExpr() : nullptr;
}

void forEachThatRuns(const clang::ASTContext &Context,
                     const clang::FunctionDecl &F,
                     const std::function<void(const clang::Stmt &)> &Visit) {
  std::vector<const clang::Stmt *> Left;
  if (const auto *Constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&F))
    for (const clang::CXXCtorInitializer *Each : Constructor->inits())
      Left.push_back(Each->getInit());
  Left.push_back(F.getBody());
  // Default arguments may call what has others, twice each.
  std::set<const clang::Stmt *> Met;
  for (std::size_t I = 0; I < Left.size(); ++I)
    forEachThatRuns(Context, Left[I], [&](const clang::Stmt &S) {
      Visit(S);
      const clang::Expr *Elsewhere = writtenElsewhere(S);
      if (Elsewhere && Met.insert(Elsewhere).second)
        Left.push_back(Elsewhere);
    });
}

bool isOfTemplate(const clang::FunctionDecl &F) {
  for (const clang::DeclContext *Around = &F; Around;
       Around = Around->getParent()) {
    const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(Around);
    const auto *Class =
        llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(Around);
    // What is written for some arguments alone serves no others.
    if ((Function && Function->isTemplateInstantiation()) ||
        (Class &&
         clang::isTemplateInstantiation(Class->getSpecializationKind())))
      return true;
  }
  return false;
}

/// The function that \p S calls, constructs with or takes the address of.
static const clang::FunctionDecl *usedFunction(const clang::Stmt &S) {
  if (const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(&S))
    return Construct->getConstructor();
  const auto *E = llvm::dyn_cast<clang::Expr>(&S);
  return E ? llvm::dyn_cast_or_null<clang::FunctionDecl>(namedObject(E))
           : nullptr;
}

/// The user says that it runs on the device, and nowhere else.
static bool isOfDeviceAlone(const clang::FunctionDecl &F) {
  return F.hasAttr<clang::CUDAGlobalAttr>() ||
         (F.hasAttr<clang::CUDADeviceAttr>() &&
          !F.hasAttr<clang::CUDAHostAttr>());
}

/// A constexpr function is both by itself, and mostly meant for the host.
static bool isMadeForBoth(const clang::FunctionDecl &F) {
  const auto *Device = F.getAttr<clang::CUDADeviceAttr>();
  return Device && !Device->isImplicit() && F.hasAttr<clang::CUDAHostAttr>();
}

namespace {
/// Definitions of the user, each once, in the order in which they are met.
class FunctionSet {
public:
  void add(const clang::FunctionDecl *F) {
    const clang::FunctionDecl *Definition = F->getDefinition();
    if (Definition && Definition->doesThisDeclarationHaveABody() &&
        !isInSystemHeader(*Definition) && Seen.insert(Definition).second)
      All.push_back(Definition);
  }

  bool contains(const clang::FunctionDecl *Definition) const {
    return Seen.contains(Definition);
  }

  /// Adds what those from number \p First on use; returns how many there are.
  std::size_t follow(const clang::ASTContext &Context, std::size_t First) {
    for (; First < All.size(); ++First)
      forEachThatRuns(Context, *All[First], [&](const clang::Stmt &S) {
        if (const clang::FunctionDecl *Callee = usedFunction(S))
          add(Callee);
      });
    return First;
  }

  std::vector<const clang::FunctionDecl *> All;

private:
  std::set<const clang::FunctionDecl *> Seen;
};
} // namespace

/// Whether the call of it need not be seen: that of a virtual function, a
/// destructor, or a functor that a library calls.
static bool mayBeCalledUnseen(const clang::FunctionDecl &F) {
  const auto *Method = llvm::dyn_cast<clang::CXXMethodDecl>(&F);
  return Method && (Method->isVirtual() || Method->isOverloadedOperator() ||
                    llvm::isa<clang::CXXDestructorDecl>(Method));
}

static std::set<const clang::FunctionDecl *>
unusedOfHeaders(const clang::ASTContext &Context,
                const UserFunctions &Functions, const DeviceFunctions &Of) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  FunctionSet Used;
  std::vector<const clang::FunctionDecl *> Offered;
  const auto sort = [&](const clang::FunctionDecl *F) {
    if (mayBeCalledUnseen(*F) ||
        Sources.isWrittenInMainFile(Sources.getExpansionLoc(F->getLocation())))
      Used.add(F);
    else
      Offered.push_back(F);
  };
  for (std::size_t I = 0; I != Of.Reached.size(); ++I)
    if (I < Of.OfKernels)
      Used.add(Of.Reached[I]);
    else
      sort(Of.Reached[I]);
  llvm::for_each(Of.ForBoth, sort);
  if (Offered.empty())
    return {};
  // Tables of functions.
  for (const clang::VarDecl *Each : Functions.Variables)
    forEachStatement(Each->getInit(), [&](const clang::Stmt &S) {
      if (const clang::FunctionDecl *Named = usedFunction(S))
        Used.add(Named);
    });
  Used.follow(Context, 0);
  std::erase_if(Offered,
                [&](const clang::FunctionDecl *F) { return Used.contains(F); });
  return {Offered.begin(), Offered.end()};
}

DeviceFunctions deviceFunctions(const clang::ASTContext &Context) {
  FunctionSet Reached, Others, ForBoth;
  const auto Sort = [&](const clang::FunctionDecl *F) {
    if (F->hasAttr<clang::CUDAGlobalAttr>())
      Reached.add(F);
    else if (isOfDeviceAlone(*F))
      Others.add(F);
    else if (isMadeForBoth(*F))
      ForBoth.add(F);
  };
  const UserFunctions Functions = collectUserFunctions(Context);
  for (const clang::FunctionDecl *F : Functions.Definitions) {
    Sort(F);
    forEachStatement(F->getBody(), [&](const clang::Stmt &S) {
      if (const auto *Lambda = llvm::dyn_cast<clang::LambdaExpr>(&S))
        Sort(Lambda->getCallOperator());
    });
  }
  std::size_t Next = Reached.follow(Context, 0);
  const std::size_t OfKernels = Reached.All.size();
  for (const clang::FunctionDecl *Each : Others.All)
    Reached.add(Each);
  Reached.follow(Context, Next);
  std::erase_if(ForBoth.All, [&](const clang::FunctionDecl *F) {
    return Reached.contains(F);
  });
  DeviceFunctions Result{
      std::move(Reached.All), OfKernels, std::move(ForBoth.All), {}};
  Result.UnusedOfHeaders = unusedOfHeaders(Context, Functions, Result);
  return Result;
}

bool isOfNoKernel(const DeviceFunctions &Functions, std::size_t Of) {
  // Not all that calls is followed: virtual calls, libraries, pointers.
  const clang::FunctionDecl &F = *Functions.Reached[Of];
  const bool IsCalledUnseen = F.isReferenced() ||
                              F.isUsed(/*CheckUsedAttr=*/false) ||
                              mayBeCalledUnseen(F);
  return Functions.OfKernels != 0 && Of >= Functions.OfKernels &&
         !IsCalledUnseen;
}

} // namespace cudalint
