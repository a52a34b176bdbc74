//===- hardware/Steps.h - Changes that reach a number of warps --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_STEPS_H
#define CUDA_LINT_HARDWARE_STEPS_H

#include "hardware/Occupancy.h"

#include <vector>

namespace cudalint {

/// The smallest change of one quantity, all others kept, with which at least
/// \p Warps are resident on an SM: at most one for registers and shared memory
/// and two for threads (smaller, larger), as cliffs(). Empty when none is
/// enough, or as many are resident already.
std::vector<Cliff> stepsTo(const Architecture &Arch, const BlockDemand &Demand,
                           unsigned Warps);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_STEPS_H
