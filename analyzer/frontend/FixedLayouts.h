//===- analyzer/frontend/FixedLayouts.h - Structs that stay -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Structs whose bytes somebody else lays down, such as a file format: nobody
/// can give them other fields, or their fields arrays of their own.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_FIXEDLAYOUTS_H
#define CUDA_LINT_ANALYZER_FRONTEND_FIXEDLAYOUTS_H

#include "llvm/ADT/DenseSet.h"

namespace clang {
class ASTContext;
class Expr;
class RecordDecl;
} // namespace clang

namespace cudalint {

/// Of one translation unit, which must outlive it.
class FixedLayouts {
public:
  explicit FixedLayouts(const clang::ASTContext &Context);

  /// Whether \p Record is packed, or a static_assert of the user's is about its
  /// size or where a field of it is.
  bool contains(const clang::RecordDecl &Record) const;

private:
  /// As they are defined.
  llvm::DenseSet<const clang::RecordDecl *> Asserted;
};

/// Whether \p Elements, what is subscripted or followed, are seen through a
/// pointer that was made of one to bytes: `(const block *)data`, or a variable
/// that begins as that.
bool areMadeOfBytes(const clang::Expr &Elements);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_FIXEDLAYOUTS_H
