//===- analyzer/ir/KnownSelects.h - Selects under a condition --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels compute an index under a condition and use it under the same one,
/// behind a barrier:
///
///     if (active) i = ...;
///     __syncthreads();
///     if (active) p[i] = ...;
///
/// The barrier keeps LLVM from making one branch of the two. Here the use gets
/// what was computed, instead of a choice that only the run decides.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_KNOWNSELECTS_H
#define CUDA_LINT_ANALYZER_IR_KNOWNSELECTS_H

#include "llvm/IR/PassManager.h"

namespace cudalint {

/// Replaces uses of selects and phis where branches on the way say which side
/// is taken. LLVM's own passes (CVP, GVN) follow conditions into comparisons,
/// not through a select to a use behind a convergent call.
struct KnownSelects : llvm::PassInfoMixin<KnownSelects> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_KNOWNSELECTS_H
