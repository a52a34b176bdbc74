//===- report/page/OccupancyCurves.h - Warps over sizes ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_OCCUPANCYCURVES_H
#define CUDA_LINT_REPORT_PAGE_OCCUPANCYCURVES_H

#include "hardware/Occupancy.h"
#include "report/page/Symbols.h"

#include <string>

namespace cudalint {

/// Figures: how many warps are resident on an SM with each size of a block, and
/// with each number of registers, all else as \p Demand has it, whose own place
/// and whose cliffs are marked. Empty where blocks have no threads.
std::string occupancyCurves(const Architecture &Arch, const BlockDemand &Demand,
                            Symbols &Known);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_OCCUPANCYCURVES_H
