//===- analyzer/ir/ComputedIndices.h - Indices with an order ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether numbers that are loaded are places that somebody worked out, one
/// behind the other, rather than data of which each is as likely as another:
/// from an array in shared memory into which the kernel writes anything but
/// what it makes of data from elsewhere, as the sums of a scan, counts and
/// ranks; or where a part of something begins or ends, as the element beside it
/// is a bound, `rows[i]` and `rows[i + 1]`.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_COMPUTEDINDICES_H
#define CUDA_LINT_ANALYZER_IR_COMPUTEDINDICES_H

namespace llvm {
class Function;
class LoadInst;
} // namespace llvm

namespace cudalint {

/// Notes of each load of an integer in \p F whether it is such a number, while
/// all stores are still there. Errs towards being worked out.
void noteComputedIndices(llvm::Function &F);

/// What was noted.
bool isComputedIndex(const llvm::LoadInst &Load);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_COMPUTEDINDICES_H
