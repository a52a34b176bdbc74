//===- analyzer/ir/PassedSizes.h - What launches decide ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is computed from numbers that a kernel is passed: a launch that is
/// evaluated passes one, and others may pass another. What rests on the number
/// alone, as that a row of 4 elements begins with a vector, holds for it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_PASSEDSIZES_H
#define CUDA_LINT_ANALYZER_IR_PASSEDSIZES_H

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace cudalint {

/// The values of \p Kernel that are computed from integers among its
/// parameters, or in the objects that it is passed by value: not those that are
/// loaded there, nor those that are only as many.
llvm::DenseSet<const llvm::Value *>
valuesOfPassedSizes(const llvm::Function &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_PASSEDSIZES_H
