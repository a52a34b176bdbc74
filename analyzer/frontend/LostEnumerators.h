//===- analyzer/frontend/LostEnumerators.h - No value read ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Clang counts an enumerator whose value it cannot read, `X = MISSING`, on
/// from the one before it, and leaves no mark on it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_LOSTENUMERATORS_H
#define CUDA_LINT_ANALYZER_FRONTEND_LOSTENUMERATORS_H

#include "llvm/ADT/DenseMap.h"

namespace clang {
class EnumConstantDecl;
class EnumDecl;
} // namespace clang

namespace cudalint {

class LostEnumerators {
public:
  /// Whether an error took the value of \p Enumerator, or one that it rests on.
  bool has(const clang::EnumConstantDecl &Enumerator);

private:
  void read(const clang::EnumDecl &Enum);

  llvm::DenseMap<const clang::EnumConstantDecl *, bool> Known;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_LOSTENUMERATORS_H
