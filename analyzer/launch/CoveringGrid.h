//===- analyzer/launch/CoveringGrid.h - Grids by their blocks ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_COVERINGGRID_H
#define CUDA_LINT_ANALYZER_LAUNCH_COVERINGGRID_H

#include "analyzer/launch/Launch.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>
#include <optional>

namespace clang {
class ASTContext;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class IntegerLiteral;
class ParmVarDecl;
class VarDecl;
} // namespace clang

namespace cudalint {

/// The variables through which a launch gets its sizes, and where.
struct SizeUses {
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Variables;
  llvm::SmallPtrSet<const clang::DeclRefExpr *, 8> Names;
};

/// Reads how a launch writes its two sizes.
class CoveringGrid {
public:
  /// Of a launch in \p Holder. All that is read goes to \p Uses and \p Text.
  CoveringGrid(const clang::ASTContext &Context,
               const clang::FunctionDecl &Holder, SizeUses &Uses,
               BlockSizeText &Text)
      : Context(Context), Holder(Holder), Uses(Uses), Text(Text) {}

  /// Of a block of one dimension, the number that says its threads; invalid
  /// where that is not one number of the user's.
  clang::SourceLocation readBlock(const clang::Expr &Block);

  /// After readBlock(): whether the grid has one dimension and, with other
  /// blocks, as many threads in all, by Text.Blocks and Text.Totals; or at
  /// least \p Bound, by a formula, whatever the blocks are. Null: no bound.
  bool readGrid(const clang::Expr &Grid, const clang::Expr *Bound);

private:
  using Expr = clang::Expr;

  const Expr &plain(const Expr &E) const;
  const Expr *onlyDimension(const Expr &Size);
  const Expr *initOf(const Expr &Name);
  std::optional<std::int64_t> constant(const Expr &E) const;
  bool isHere(const Expr &E) const;
  std::optional<Edit> placeOf(const clang::IntegerLiteral &Number) const;

  bool isNumber(const Expr &E, std::int64_t Value) const;
  bool isSize(const Expr &E);
  bool isSizeLessOne(const Expr &E);
  bool isBound(const Expr &E, const Expr &Bound) const;
  bool isSteady(const Expr &E) const;

  bool keepsTotal(const Expr &Blocks);
  bool covers(const Expr &Blocks, const Expr &Bound);
  bool isRoundedUp(const Expr &Sum, const Expr &Bound);
  bool isQuotient(const Expr &E, const Expr &Bound);
  bool isOneForRest(const Expr &E, const Expr &Bound);
  bool isRest(const Expr &E, const Expr &Bound);
  bool isChoice(const Expr &E, const Expr &Bound);
  bool isHelper(const Expr &E, const Expr &Bound);

  const clang::ASTContext &Context;
  const clang::FunctionDecl &Holder;
  SizeUses &Uses;
  BlockSizeText &Text;
  /// The block where it is a variable of type dim3.
  const clang::VarDecl *Shape = nullptr;
  /// The number of its threads where that is a variable.
  const clang::VarDecl *Size = nullptr;
  /// What a helper that computes the grid is given.
  std::map<const clang::ParmVarDecl *, const Expr *> Given;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_COVERINGGRID_H
