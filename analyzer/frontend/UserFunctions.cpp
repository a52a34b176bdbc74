//===- analyzer/frontend/UserFunctions.cpp - The user's functions ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>

using namespace clang;

namespace cudalint {

bool isInSystemHeader(const ASTContext &Context, SourceLocation Where) {
  const SourceManager &Sources = Context.getSourceManager();
  return Where.isValid() &&
         Sources.isInSystemHeader(Sources.getExpansionLoc(Where));
}

bool isInSystemHeader(const Decl &D) {
  return isInSystemHeader(D.getASTContext(), D.getLocation());
}

std::string plainName(const NamedDecl &D) {
  std::string Name = D.getNameAsString();
  for (const DeclContext *In = D.getDeclContext(); In; In = In->getParent()) {
    const auto *Scope = dyn_cast<NamedDecl>(In);
    if (!Scope || (isa<NamespaceDecl>(In) &&
                   cast<NamespaceDecl>(In)->isInlineNamespace()))
      continue;
    const std::string Outer = Scope->getNameAsString();
    Name.insert(0, (Outer.empty() ? "(anonymous)" : Outer) + "::");
  }
  return Name;
}

void forEachStatement(const Stmt *Root,
                      const std::function<void(const Stmt &)> &Visit) {
  std::vector<const Stmt *> Pending{Root};
  while (!Pending.empty()) {
    const Stmt *Next = Pending.back();
    Pending.pop_back();
    if (!Next)
      continue;
    // What initialises a declaration that is invalid may have no type.
    const auto *Value = dyn_cast<Expr>(Next);
    if (!Value || !Value->getType().isNull())
      Visit(*Next);
    std::size_t First = Pending.size();
    Pending.insert(Pending.end(), Next->child_begin(), Next->child_end());
    std::reverse(Pending.begin() + First, Pending.end());
  }
}

const Expr *withoutNoOpCasts(const Expr *E) {
  while (true) {
    E = E->IgnoreParens();
    const auto *Cast = dyn_cast<CastExpr>(E);
    if (!Cast || Cast->getCastKind() != CK_NoOp)
      return E;
    E = Cast->getSubExpr();
  }
}

const FunctionDecl *namedFunction(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(E))
    E = Address->getSubExpr()->IgnoreParenCasts();
  const auto *Reference = dyn_cast<DeclRefExpr>(E);
  return Reference ? dyn_cast<FunctionDecl>(Reference->getDecl()) : nullptr;
}

const ValueDecl *namedObject(const Expr *E) {
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->getMemberDecl();
  const auto *Reference = dyn_cast<DeclRefExpr>(E);
  return Reference ? Reference->getDecl() : nullptr;
}

const RecordDecl *recordOf(QualType Type) {
  if (Type->isPointerType() || Type->isReferenceType())
    Type = Type->getPointeeType();
  Type = QualType(Type->getBaseElementTypeUnsafe(), 0);
  return Type->getAsRecordDecl();
}

const CXXRecordDecl *classOf(QualType Type) {
  while (!Type.isNull() && (Type->isPointerType() || Type->isReferenceType()))
    Type = Type->getPointeeType();
  const CXXRecordDecl *Class =
      Type.isNull() ? nullptr
                    : Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return Class ? Class->getCanonicalDecl() : nullptr;
}

namespace {

class Collector {
public:
  void visitContext(const DeclContext &Scope) {
    // What a precompiled header holds is not the user's: do not load it.
    for (const Decl *Each : Scope.noload_decls())
      visit(Each);
  }

  void visitRecord(const CXXRecordDecl *Record) {
    if (Record->isThisDeclarationADefinition() &&
        !Record->isDependentContext() && Seen.insert(Record).second)
      visitContext(*Record);
  }

  UserFunctions Result;

private:
  void visit(const Decl *D) {
    if (isInSystemHeader(*D))
      return;
    if (const auto *Function = dyn_cast<FunctionDecl>(D))
      return addFunction(Function);
    if (const auto *Variable = dyn_cast<VarDecl>(D);
        Variable && !Variable->isInvalidDecl() &&
        !Variable->getType()->isDependentType())
      Result.Variables.push_back(Variable);
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
      return addTemplate(Template);
    if (const auto *Template = dyn_cast<ClassTemplateDecl>(D)) {
      if (Seen.insert(Template->getCanonicalDecl()).second)
        for (const auto *Each : Template->specializations())
          visitRecord(Each);
      return;
    }
    if (const auto *Record = dyn_cast<CXXRecordDecl>(D))
      return visitRecord(Record);
    if (const auto *Friend = dyn_cast<FriendDecl>(D)) {
      if (const NamedDecl *Befriended = Friend->getFriendDecl())
        visit(Befriended);
      return;
    }
    if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
      visitContext(*cast<DeclContext>(D));
  }

  void addFunction(const FunctionDecl *Function) {
    if (Function->isDependentContext() || Function->isInvalidDecl())
      return;
    if (Function == Function->getCanonicalDecl())
      Result.Declarations.push_back(Function);
    const FunctionDecl *Definition = Function->getDefinition();
    if (Definition && Definition->doesThisDeclarationHaveABody() &&
        Seen.insert(Definition).second)
      Result.Definitions.push_back(Definition);
  }

  void addTemplate(const FunctionTemplateDecl *Template) {
    if (!Seen.insert(Template->getCanonicalDecl()).second)
      return;
    for (const FunctionDecl *Each : Template->specializations())
      addFunction(Each);
    const FunctionDecl *Pattern = Template->getTemplatedDecl();
    if (Pattern->getDefinition())
      Result.Templates.push_back(Template);
  }

  llvm::SmallPtrSet<const Decl *, 32> Seen;
};

} // namespace

UserFunctions collectUserFunctions(const ASTContext &Context) {
  Collector Walk;
  Walk.visitContext(*Context.getTranslationUnitDecl());
  return std::move(Walk.Result);
}

UserFunctions collectUserFunctions(const CXXRecordDecl &Class) {
  Collector Walk;
  Walk.visitRecord(&Class);
  return std::move(Walk.Result);
}

} // namespace cudalint
