//===- runtime/join/ChosenAccesses.h - Of the blocks that ran ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_CHOSENACCESSES_H
#define CUDA_LINT_RUNTIME_JOIN_CHOSENACCESSES_H

#include "runtime/join/KernelJoin.h"

namespace cudalint {

/// Which predictions of a kernel speak of the launches that were measured.
struct ChosenAccesses {
  std::vector<const AccessRecord *> Accesses;
  LaunchPremise Launches;
};

/// A template of a header is in several units: the first that has a block shape
/// speaks for it. Kernels of equal name in several files speak each for itself.
/// An access stands under the first shape of equal cost and not
/// again under the others: of each, those under a block that was launched
/// count, or else all.
ChosenAccesses chooseAccesses(const PredictedKernel &Predicted,
                              const MeasuredKernel &Measured);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_CHOSENACCESSES_H
