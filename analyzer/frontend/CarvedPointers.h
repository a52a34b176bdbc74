//===- analyzer/frontend/CarvedPointers.h - Parts of arrays -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `float *b = s + 1024;`: how a function carves up an array, and what the form
/// of the numbers says, whatever they come to.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_CARVEDPOINTERS_H
#define CUDA_LINT_ANALYZER_FRONTEND_CARVEDPOINTERS_H

#include "analyzer/frontend/SourceFacts.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class DeclRefExpr;
class Expr;
class VarDecl;
} // namespace clang

namespace cudalint {

/// Where a pointer begins.
struct PointerBegin {
  const clang::DeclRefExpr *Base = nullptr; ///< An array, or another pointer.
  /// In elements, added up; those that are 0 are left out.
  std::vector<const clang::Expr *> Offsets;
  std::vector<const clang::Expr *> Zeros; ///< Those.
};

/// Of a local variable that is initialised with the name of an array or of a
/// pointer to the same type, with something added to it, or with the address of
/// an element; empty for all others. Who says what it does later?
std::optional<PointerBegin> beginOf(const clang::ASTContext &Context,
                                    const clang::VarDecl &Pointer);

/// A number that divides \p E, whatever its variables are: all of a constant,
/// else a power of two, which a product keeps if it wraps. 0: \p E is 0. Of a
/// template, 0, too: its instances say.
std::uint64_t divisorOf(const clang::ASTContext &Context, const clang::Expr &E);

/// Of an index of an instance, or of no template.
IndexSign signOf(const clang::ASTContext &Context, const clang::Expr &Index);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_CARVEDPOINTERS_H
