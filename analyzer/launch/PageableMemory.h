//===- analyzer/launch/PageableMemory.h - Not pinned ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_PAGEABLEMEMORY_H
#define CUDA_LINT_ANALYZER_LAUNCH_PAGEABLEMEMORY_H

#include <map>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace cudalint {

struct UserFunctions;

struct CopiedMemory {
  std::string Name; ///< What a copy calls it.
  std::string From; ///< In words: `of 'malloc'`, `a 'std::vector'`.
};

/// Which expressions of a file are pageable memory of the host: variables and
/// plain vectors, and what nothing but `malloc`, `new` and their like have
/// given to a pointer that no other file sees.
class PageableMemory {
public:
  PageableMemory(const clang::ASTContext &Context,
                 const UserFunctions &Functions);

  /// Whose memory the pointer \p Copied leads to; empty: it is not known to be
  /// pageable.
  std::optional<CopiedMemory> of(const clang::Expr &Copied) const;

private:
  struct Origins {
    std::string Allocator; ///< `malloc`, `new`; empty: none is seen.
    bool HasOthers = false;
  };

  const clang::ASTContext &Context;
  /// Other files do nothing to the variables of this one.
  bool HasMain = false;
  std::map<const clang::VarDecl *, Origins> Known;

  Origins &originsOf(const clang::VarDecl &V);
  bool areFromHeap(const clang::VarDecl &V) const;
  void noteOrigin(const clang::VarDecl *V, const clang::Expr *From);
  void noteOrigins(const clang::Stmt *Body);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_PAGEABLEMEMORY_H
