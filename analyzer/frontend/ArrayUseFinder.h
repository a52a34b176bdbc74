//===- analyzer/frontend/ArrayUseFinder.h - Uses in the syntax --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_ARRAYUSEFINDER_H
#define CUDA_LINT_ANALYZER_FRONTEND_ARRAYUSEFINDER_H

#include "analyzer/frontend/SourceFacts.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>
#include <vector>

namespace clang {
class ASTContext;
class DeclaratorDecl;
class Expr;
class ValueDecl;
} // namespace clang

namespace cudalint {

/// What the syntax says of `__shared__` arrays, by where they are declared.
struct FoundUses {
  std::set<clang::SourceLocation> Otherwise; ///< Used in another way.
  std::set<clang::SourceLocation> Unwritten; ///< Subscripted by no plain text.
  std::map<clang::SourceLocation, std::vector<SubscriptText>> Subscripts;
  std::map<clang::SourceLocation, std::vector<OffsetText>> Offsets;
  /// Of all arrays and of pointers into them, and where each is named, in
  /// files.
  std::map<clang::SourceLocation, const clang::ValueDecl *> Variables;
  std::map<clang::SourceLocation, std::set<clang::SourceLocation>> Named;
  std::set<clang::SourceLocation>
      Exposed; ///< Named where other files may call.
  /// By the array, what is known of the values of which.
  std::map<clang::SourceLocation, std::vector<const clang::Expr *>> Numbers;
  /// All declarations of dynamic memory.
  std::vector<const clang::ValueDecl *> Dynamic;
  /// Where functions are declared and named, in files, by code that is
  /// compiled.
  std::set<clang::SourceLocation> Functions;
  /// By the template of a function, what is given for its parameters.
  std::map<clang::SourceLocation, std::vector<const clang::Expr *>> Instances;
  /// Where it is instantiated as such: the syntax has no arguments then.
  std::map<clang::SourceLocation, std::vector<clang::SourceLocation>>
      ExplicitInstances;
  /// The array that a pointer begins in.
  llvm::DenseMap<const clang::ValueDecl *, const clang::DeclaratorDecl *>
      Carved;

  /// The array that \p Variable is, or points into; null: it does neither.
  const clang::DeclaratorDecl *arrayOf(const clang::ValueDecl &Variable) const;
  /// Where that is declared; invalid for none.
  clang::SourceLocation arrayAt(const clang::ValueDecl &Variable) const;
};

FoundUses findUses(const clang::ASTContext &Context);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_ARRAYUSEFINDER_H
