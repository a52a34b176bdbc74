//===- analyzer/frontend/LostEnumerators.cpp - No value read --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/LostEnumerators.h"

#include "analyzer/frontend/SyntaxVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace cudalint {

/// Whether a value is written for it, whatever became of that.
static bool isGivenAValue(const EnumConstantDecl &Enumerator) {
  const ASTContext &Context = Enumerator.getASTContext();
  const std::optional<Token> Next =
      Lexer::findNextToken(Enumerator.getLocation(), Context.getSourceManager(),
                           Context.getLangOpts());
  return Next && Next->is(tok::equal);
}

namespace {
class LostValueFinder : public SyntaxVisitor {
public:
  bool Found = false;

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (const auto *Other = dyn_cast<EnumConstantDecl>(E->getDecl()))
      Found |= hasLostValue(*Other);
    return !Found;
  }
};
} // namespace

bool hasLostValue(const EnumConstantDecl &Enumerator) {
  if (!Enumerator.getASTContext().getDiagnostics().hasErrorOccurred())
    return false;
  if (const Expr *Init = Enumerator.getInitExpr()) {
    LostValueFinder Finder;
    Finder.TraverseStmt(const_cast<Expr *>(Init));
    return Finder.Found;
  }
  if (isGivenAValue(Enumerator))
    return true;
  const EnumConstantDecl *Before = nullptr;
  for (const EnumConstantDecl *Each :
       cast<EnumDecl>(Enumerator.getDeclContext())->enumerators()) {
    if (Each == &Enumerator)
      break;
    Before = Each;
  }
  return Before && hasLostValue(*Before);
}

} // namespace cudalint
