//===- analyzer/frontend/FactMaker.h - From an lvalue to a fact -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_FACTMAKER_H
#define CUDA_LINT_ANALYZER_FRONTEND_FACTMAKER_H

#include "analyzer/frontend/ArrayUses.h"
#include "analyzer/frontend/FixedLayouts.h"
#include "analyzer/frontend/PrivateTables.h"
#include "analyzer/frontend/SourceFacts.h"
#include "analyzer/frontend/SourcePlaces.h"

#include "clang/Basic/SourceLocation.h"

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

  Location locate(clang::SourceLocation Where) const {
    return Places.locate(Where);
  }
  /// Of what is accessed at `Where`. `Alike`, if not null, is of the same text
  /// in another instantiation: its text and origin are taken.
  AccessFact describe(const clang::Expr *LValue, clang::SourceLocation Where,
                      const AccessFact *Alike);
  std::string textOf(const clang::Expr *E) const;

private:
  TextOrigin originOf(const clang::Expr *LValue, clang::SourceLocation Where);
  EditPoint editPoint(clang::SourceLocation Where) const;
  /// Of an element behind \p Base, with nothing of a field.
  FieldFact describeStruct(const clang::RecordDecl &Record,
                           const clang::Expr &Base) const;
  std::optional<FieldFact> describeField(const clang::Expr *LValue) const;
  EditPoint alignPoint(const clang::RecordDecl *Record) const;
  std::optional<ArrayFact> describeArray(const clang::DeclaratorDecl *Variable);
  void describeText(const clang::DeclaratorDecl *Variable,
                    ArrayFact &Fact) const;

  clang::ASTContext &Context;
  const clang::SourceManager &Sources;
  SourcePlaces Places;
  const ArrayUses Uses;
  const FixedLayouts Fixed;
  PrivateTables Tables;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_FACTMAKER_H
