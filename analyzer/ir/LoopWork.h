//===- analyzer/ir/LoopWork.h - What a turn of a loop is --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops that load from shared memory and multiply and add: what they do in a
/// turn. Like the operations of Operations.h, what they compute is noted at the
/// end of each block before it is dropped.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_LOOPWORK_H
#define CUDA_LINT_ANALYZER_IR_LOOPWORK_H

#include "analyzer/frontend/SourceFacts.h"
#include "analyzer/ir/KernelTraits.h"

namespace cudalint {

/// Notes what a thread computes in each block. Of a kernel without loops or
/// without shared memory nothing is asked, and nothing noted.
void noteWork(llvm::Function &Kernel);

/// The innermost loops of \p Kernel that hold loads and FMAs, which come to
/// both in each turn. Left out are kernels of which some FMAs are no longer
/// known, and loops with loops in them whose turns are not known.
std::vector<ArithmeticLoop> arithmeticLoops(llvm::Function &Kernel,
                                            const SourceFacts &Facts);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_LOOPWORK_H
