//===- hardware/DoubleRate.h - Double against float -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_DOUBLERATE_H
#define CUDA_LINT_HARDWARE_DOUBLERATE_H

#include "hardware/Architecture.h"

#include <optional>

namespace cudalint {

/// How many additions or multiplications of floats an SM does in the time of
/// one of doubles. Empty where there are no doubles, or where it is not known.
/// GeForce cards of 2.0 and 3.5 are slower at doubles than this says.
std::optional<unsigned> floatsPerDouble(ComputeCapability CC);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_DOUBLERATE_H
