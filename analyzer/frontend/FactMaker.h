//===- analyzer/frontend/FactMaker.h - From an lvalue to a fact -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_FACTMAKER_H
#define CUDA_LINT_ANALYZER_FRONTEND_FACTMAKER_H

#include "analyzer/frontend/SourceFacts.h"

#include "clang/Basic/SourceLocation.h"

#include <set>

namespace clang {
class ASTContext;
class DeclaratorDecl;
class Expr;
class RecordDecl;
class SourceManager;
class ValueDecl;
} // namespace clang

namespace cudalint {

/// Makes facts out of expressions; knows nothing of where they stand.
class FactMaker {
public:
  explicit FactMaker(clang::ASTContext &Context);

  Location locate(clang::SourceLocation Where) const;
  /// `Alike` is written the same, so its text is taken.
  AccessFact describe(const clang::Expr *LValue, const AccessFact *Alike) const;
  std::string textOf(const clang::Expr *E) const;

private:
  SourceExtent extentOf(const clang::Expr *E) const;
  std::vector<MacroUse> macrosOf(clang::SourceLocation Where) const;
  EditPoint editPoint(clang::SourceLocation Where) const;
  std::optional<FieldFact> describeField(const clang::Expr *LValue) const;
  EditPoint alignPoint(const clang::RecordDecl *Record) const;
  std::optional<ArrayFact>
  describeArray(const clang::DeclaratorDecl *Variable) const;
  EditPoint padPoint(const clang::DeclaratorDecl *Variable) const;

  clang::ASTContext &Context;
  const clang::SourceManager &Sources;
  const std::set<const clang::ValueDecl *> UsedOtherwise;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_FACTMAKER_H
