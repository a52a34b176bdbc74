//===- analyzer/launch/TypedValues.h - Values of C++ types ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_TYPEDVALUES_H
#define CUDA_LINT_ANALYZER_LAUNCH_TYPEDVALUES_H

#include "analyzer/frontend/LostEnumerators.h"
#include "analyzer/launch/HostValue.h"

namespace clang {
class APValue;
class ASTContext;
class Expr;
class FieldDecl;
class QualType;
} // namespace clang

namespace cudalint {

/// Values by the types, constants and expressions of a syntax tree.
class TypedValues : public ValueFactory {
public:
  /// Arrays with more elements are not followed element by element.
  static constexpr std::uint64_t MaxElements = 256;

  explicit TypedValues(const clang::ASTContext &Context) : Context(Context) {}

  /// None for what is no number, or one that is not computed with here.
  NumberType numberType(clang::QualType Type) const;
  /// An object of that type whose bytes are zero.
  Value zero(clang::QualType Type);
  /// What Clang makes of `E`; unknown() if that is no constant.
  Value constant(const clang::Expr *E);
  Value fromConstant(const clang::APValue &Constant, clang::QualType Type);
  /// A symbol for `E`, named as the source has it when it is short.
  Value unknown(const clang::Expr *E);

private:
  const clang::ASTContext &Context;
  LostEnumerators Lost;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_TYPEDVALUES_H
