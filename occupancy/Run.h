//===- occupancy/Run.h - Answers cuda-lint occupancy ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_OCCUPANCY_RUN_H
#define CUDA_LINT_OCCUPANCY_RUN_H

#include "occupancy/Options.h"
#include "occupancy/Reports.h"

#include <vector>

namespace cudalint {

/// One answer for each GPU of \p Run.
std::vector<OccupancyAnswer> answer(const OccupancyOptions &Run);

/// Launches of \p Run's work by block sizes and grids, the fastest first. The
/// block or grid that the user gave is kept.
std::vector<LaunchFigures> rank(const Target &Gpu, const LaunchInput &Input,
                                const SweepWork &Work);

/// Answers and writes. Returns the exit code: 0, 1 when a launch fails, 2 when
/// the output cannot be written.
int runOccupancy(const OccupancyOptions &Run);

} // namespace cudalint

#endif // CUDA_LINT_OCCUPANCY_RUN_H
