//===- analyzer/ir/Operations.h - Floating-point operations -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Floating-point operations of code, as peak rates count them: an addition, a
/// subtraction, a multiplication, a division and a square root are one, a fused
/// multiply-add is two; the elements of a vector count one by one. What a
/// mathematical function is made of is not counted, and conversions and
/// comparisons are none: errs low.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_OPERATIONS_H
#define CUDA_LINT_ANALYZER_IR_OPERATIONS_H

#include "report/Document.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace cudalint {

/// Notes at the end of each block what a thread that runs it does: before what
/// is stored, and then all that is computed for it, is dropped.
void noteOperations(llvm::Function &Kernel);

/// What is noted there.
OperationCount notedOperations(const llvm::BasicBlock &Block);

/// Whether all that was noted is still there: code that computes nothing but
/// numbers may have gone, with the condition that decides whether it runs.
bool hasAllNotedOperations(const llvm::Function &Kernel);

/// Whether the function has instructions of tensor cores, which are many
/// operations each and are not counted.
bool hasMatrixOperations(const llvm::Function &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_OPERATIONS_H
