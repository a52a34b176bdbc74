//===- tests/identity/PrivatePointers.h - Into own variables --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Proves that an address is one of the thread's own variables: Andersen's
/// points-to analysis of one function. It is blind to the order in which things
/// happen and knows nothing of what passes do, so it errs to one side only: a
/// pointer that it calls private points to nothing else.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_IDENTITY_PRIVATEPOINTERS_H
#define CUDA_LINT_TESTS_IDENTITY_PRIVATEPOINTERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SparseBitVector.h"

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

class PrivatePointers {
public:
  explicit PrivatePointers(const llvm::Function &F);

  /// Whether \p Pointer, a value of the function, only ever points into
  /// variables of the thread, parameters of the kernel or what Clang copies
  /// initial values from.
  bool isPrivate(const llvm::Value &Pointer) const;

private:
  using Objects = llvm::SparseBitVector<>;
  /// Everything that is not private, and what is not known.
  static constexpr unsigned Foreign = 0;

  llvm::DenseMap<const llvm::Value *, unsigned> Numbers; ///< Of objects.
  llvm::DenseMap<const llvm::Value *, Objects> Pointees; ///< Of instructions.
  llvm::DenseMap<unsigned, Objects> Contents;            ///< Of objects.

  void addObject(const llvm::Value &V);
  Objects pointeesOf(const llvm::Value &V) const;
  Objects contentsOf(const Objects &Of) const;
  bool store(const Objects &Into, const Objects &What);
  bool escape(const Objects &What);
  bool visit(const llvm::Instruction &I);
};

} // namespace cudalint

#endif // CUDA_LINT_TESTS_IDENTITY_PRIVATEPOINTERS_H
