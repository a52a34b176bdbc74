//===- analyzer/ir/VariableUses.h - What is done with an array --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a module does with one of its variables: compilers drop stores to what
/// nothing reads, and know nothing of what nothing writes.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_VARIABLEUSES_H
#define CUDA_LINT_ANALYZER_IR_VARIABLEUSES_H

namespace llvm {
class Value;
} // namespace llvm

namespace cudalint {

struct VariableUses {
  bool IsRead = false;
  bool IsWritten = false;
  /// Its address goes where it is not followed. It is read and written then.
  bool Escapes = false;
};

/// Of an alloca in its function, of a global variable in the whole module, and
/// by whoever else may know its name.
VariableUses usesOf(const llvm::Value &Variable);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_VARIABLEUSES_H
