//===- analyzer/ir/IssueSlots.h - What code is compiled to ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// About how many instructions of the machine one of LLVM's is: each takes a
/// warp an issue slot. What the addresses of neighbouring accesses share, and
/// what unrolling saves, is not known: good for comparing pieces of code, not
/// for counting them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ISSUESLOTS_H
#define CUDA_LINT_ANALYZER_IR_ISSUESLOTS_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace cudalint {

/// Whether \p I adds a product that nothing else uses, of floats or doubles:
/// compilers make one FMA of both.
bool isFusedMultiplyAdd(const llvm::Instruction &I);

/// 0: it is a part of another one, or of none.
double issueSlotsOf(const llvm::Instruction &I);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ISSUESLOTS_H
