//===- analyzer/frontend/ArrayUses.h - How arrays are used ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_ARRAYUSES_H
#define CUDA_LINT_ANALYZER_FRONTEND_ARRAYUSES_H

#include "analyzer/frontend/SourceFacts.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace clang {
class ASTContext;
class DeclaratorDecl;
class ValueDecl;
} // namespace clang

namespace cudalint {

/// What a translation unit does with its `__shared__` arrays, by the place of
/// their declarations: instances of a template are written once. What it does
/// with a pointer that only begins in an array, and is only subscripted, it
/// does with the array.
class ArrayUses {
public:
  explicit ArrayUses(clang::ASTContext &Context);

  /// Whether \p Array is just subscripted in all its dimensions: its size is
  /// not asked for, its address not taken but for an atomic, it is not passed
  /// on. Another declaration may change what such a use means, or not compile.
  /// False for all where there are errors: what cannot be read may do anything.
  bool isOnlySubscripted(const clang::ValueDecl &Array) const;

  /// All subscripts of \p Array and of such pointers; null where it is used
  /// otherwise, or where one is not plain text of the user's: from a macro, or
  /// over several lines.
  std::shared_ptr<const std::vector<SubscriptText>>
  subscriptsOf(const clang::ValueDecl &Array) const;

  /// Where such pointers begin in \p Array; null where there are none, or
  /// subscriptsOf() is.
  std::shared_ptr<const std::vector<OffsetText>>
  offsetsOf(const clang::ValueDecl &Array) const;

  /// The array that \p Pointer is such a pointer into; null for all others.
  const clang::DeclaratorDecl *carvedBy(const clang::ValueDecl &Pointer) const;

private:
  bool IsWhole = true; ///< Nothing was left out for an error.
  std::set<clang::SourceLocation> Otherwise;
  std::map<clang::SourceLocation,
           std::shared_ptr<const std::vector<SubscriptText>>>
      Written;
  std::map<clang::SourceLocation,
           std::shared_ptr<const std::vector<OffsetText>>>
      Begins;
  /// Of each pointer; instances of a template have arrays of their own.
  llvm::DenseMap<const clang::ValueDecl *, const clang::DeclaratorDecl *>
      Carved;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_ARRAYUSES_H
