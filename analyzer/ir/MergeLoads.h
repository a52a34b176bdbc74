//===- analyzer/ir/MergeLoads.h - Neighbours of other types -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Merges loads that fill an aligned word together but are of different types,
/// as nvcc does; the load-store vectoriser merges equal types only.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_MERGELOADS_H
#define CUDA_LINT_ANALYZER_IR_MERGELOADS_H

#include "llvm/IR/PassManager.h"

namespace cudalint {

struct MergeMixedLoads : llvm::PassInfoMixin<MergeMixedLoads> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_MERGELOADS_H
