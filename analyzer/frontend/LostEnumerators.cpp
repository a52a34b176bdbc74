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
  explicit LostValueFinder(LostEnumerators &Lost) : Lost(Lost) {}

  bool Found = false;

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (const auto *Other = dyn_cast<EnumConstantDecl>(E->getDecl()))
      Found |= Lost.has(*Other);
    return !Found;
  }

private:
  LostEnumerators &Lost;
};
} // namespace

/// All of it at once: one without a value counts on from the one before it.
void LostEnumerators::read(const EnumDecl &Enum) {
  bool IsLost = false;
  for (const EnumConstantDecl *Each : Enum.enumerators()) {
    if (const Expr *Init = Each->getInitExpr()) {
      LostValueFinder Finder(*this);
      Finder.TraverseStmt(const_cast<Expr *>(Init));
      IsLost = Finder.Found;
    } else {
      IsLost |= isGivenAValue(*Each);
    }
    Known[Each] = IsLost;
  }
}

bool LostEnumerators::has(const EnumConstantDecl &Enumerator) {
  if (!Enumerator.getASTContext().getDiagnostics().hasErrorOccurred())
    return false;
  const auto [Its, IsNew] = Known.try_emplace(&Enumerator, false);
  if (!IsNew)
    return Its->second;
  read(*cast<EnumDecl>(Enumerator.getDeclContext()));
  return Known.lookup(&Enumerator);
}

} // namespace cudalint
