//===- analyzer/ir/IndexedParameters.h - Copied to be indexed ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel is passed by value lies in constant memory, which can be
/// indexed. Where a loop does, or a function that is not inlined, nvcc 13.0
/// makes a copy in local memory nevertheless, unless the parameter is a
/// __grid_constant__ (tests/cli/compiled_test.py).
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_INDEXEDPARAMETERS_H
#define CUDA_LINT_ANALYZER_IR_INDEXEDPARAMETERS_H

#include "analyzer/ir/AccessPlace.h"

#include <vector>

namespace llvm {
class Argument;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

/// Whether \p Pointer leads into what a kernel is passed by value, by an index
/// that is no constant.
bool indexesParameter(const llvm::Value &Pointer);

/// Notes, on the kernel, that \p Marker marks an access through \p Pointer, if
/// that does.
void noteIndexed(const llvm::Instruction &Marker, const llvm::Value &Pointer);

struct IndexedParameter {
  const llvm::Argument *Which = nullptr;
  std::vector<CodeFrame> Where; ///< Of the first such access.
  /// Some such index may differ from lane to lane of a warp.
  bool DiffersByLane = false;
};

/// Those of \p Kernel, by these notes: no __grid_constant__, and nothing that
/// the kernel writes to.
std::vector<IndexedParameter> indexedParameters(const llvm::Function &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_INDEXEDPARAMETERS_H
