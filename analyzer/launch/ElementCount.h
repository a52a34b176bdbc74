//===- analyzer/launch/ElementCount.h - How many there are ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_ELEMENTCOUNT_H
#define CUDA_LINT_ANALYZER_LAUNCH_ELEMENTCOUNT_H

#include "clang/Basic/SourceLocation.h"

#include <set>
#include <string>

namespace clang {
class Expr;
class FunctionDecl;
class RecordDecl;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace cudalint {

/// The one number of structs that a function allocates, copies and sets.
///
/// It is written as `n * sizeof(P)`, the same each time, or is in a variable
/// that begins as that; and it is made of numbers and of variables of the
/// function that keep their values from the first use on.
class ElementCount {
public:
  ElementCount(const clang::RecordDecl &Struct, const clang::FunctionDecl &In)
      : Struct(Struct), In(In) {}

  /// Take the number of \p Bytes, or of \p Elements, for that of all others.
  void addBytes(const clang::Expr &Bytes);
  void addElements(const clang::Expr &Elements);

  /// It has to be known there, in the function.
  void useAt(clang::SourceLocation Where);

  /// As it can be written at all uses; empty where it is not one number, or may
  /// be another one somewhere.
  std::string text() const;

private:
  bool isSteady(const clang::ValueDecl &Value) const;

  const clang::RecordDecl &Struct;
  const clang::FunctionDecl &In;
  const clang::Expr *Count = nullptr; ///< The first of them.
  bool IsUnknown = false;
  std::set<const clang::VarDecl *> Bytes; ///< Variables that begin as bytes.
  std::set<clang::SourceLocation> Uses;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_ELEMENTCOUNT_H
