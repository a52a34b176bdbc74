//===- analyzer/ir/SharedRaces.h - Missing barriers -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds stores to shared memory and loads by threads of other warps that no
/// barrier keeps apart. Proved word by word: both threads surely come, both
/// addresses are known, and all barriers so far are. What threads of one warp
/// do, and volatile and atomic accesses, is left out.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_SHAREDRACES_H
#define CUDA_LINT_ANALYZER_IR_SHAREDRACES_H

#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/ir/SharedRace.h"

namespace cudalint {

/// Adds pairs of a store and a load that are not in \p Out yet, which is in
/// source order.
void addSharedRaces(const llvm::Function &Kernel, const LaunchShape &Shape,
                    const SourceFacts &Facts, std::vector<SharedRace> &Out);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_SHAREDRACES_H
