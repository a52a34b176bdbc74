//===- analyzer/ir/SharedVariables.h - Who touches shared memory *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which variable in shared memory an access is to, whatever pointer, cast or
/// inline PTX it goes through, and whether all that is done with a variable is
/// among the accesses. Another layout of a variable is judged by all of them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_SHAREDVARIABLES_H
#define CUDA_LINT_ANALYZER_IR_SHAREDVARIABLES_H

#include "analyzer/ir/Access.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

/// Whether \p Object is a variable in shared memory.
bool isSharedVariable(const llvm::Value *Object);

class SharedVariables {
public:
  /// Of a kernel's definition in a module that was canonicalised.
  explicit SharedVariables(const llvm::Function &Kernel);

  /// Sorted by name.
  const std::vector<SharedVariable> &all() const { return Variables; }

  /// Marks those of which \p Reached, the instructions that some lane has
  /// executed, lacks an access.
  void markUnreached(const llvm::DenseSet<const llvm::Instruction *> &Reached);

  /// The name of the one that \p Address points into; empty: of none, or one
  /// of several.
  std::string variableOf(const llvm::Value &Address) const;

private:
  void follow(const llvm::GlobalVariable &Variable,
              const llvm::Function &Kernel, std::size_t Index);

  std::vector<SharedVariable> Variables;
  /// Of each value that is made of a variable's address, the variable.
  llvm::DenseMap<const llvm::Value *, std::size_t> Owner;
  /// Accesses that are there to be executed.
  std::vector<std::pair<const llvm::Instruction *, std::size_t>> Accesses;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_SHAREDVARIABLES_H
