//===- analyzer/ir/RuntimeDivisions.h - Slow divisions ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_RUNTIMEDIVISIONS_H
#define CUDA_LINT_ANALYZER_IR_RUNTIMEDIVISIONS_H

#include "analyzer/ir/KernelTraits.h"

namespace cudalint {

/// Those of \p Kernel, which the analyses do not change. Left out are those in
/// loops of few turns, in branches that some turns do not take, and by powers
/// of two.
std::vector<RuntimeDivision> runtimeDivisions(llvm::Function &Kernel,
                                              const SourceFacts &Facts);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_RUNTIMEDIVISIONS_H
