//===- analyzer/ir/DivergentBranches.h - Lanes that part --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_DIVERGENTBRANCHES_H
#define CUDA_LINT_ANALYZER_IR_DIVERGENTBRANCHES_H

#include "analyzer/ir/DivergentBranch.h"
#include "analyzer/ir/KernelEvaluator.h"

namespace cudalint {

/// Adds branches that are marked (BranchSides.h), at places that are not in
/// \p Out yet, and at which lanes part of which all is known under a block that
/// is launched.
void addDivergentBranches(const llvm::Function &Kernel,
                          const LaunchShape &Shape, const SourceFacts &Facts,
                          std::vector<DivergentBranch> &Out);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_DIVERGENTBRANCHES_H
