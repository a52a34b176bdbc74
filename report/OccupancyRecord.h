//===- report/OccupancyRecord.h - Occupancy as a record ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_OCCUPANCYRECORD_H
#define CUDA_LINT_REPORT_OCCUPANCYRECORD_H

#include "hardware/Occupancy.h"
#include "hardware/Waves.h"
#include "report/Document.h"

#include <optional>
#include <span>

namespace cudalint {

/// What documents hold of \p Result. A launch that fails has 0 blocks, and
/// neither a limiter nor limits; \p Rounds is empty where the grid or the
/// number of SMs is not known.
OccupancyRecord occupancyRecord(const Occupancy &Result,
                                std::span<const Cliff> Next,
                                const std::optional<Waves> &Rounds);

/// Of the \p Static bytes of a block, those that are more than all kernels get,
/// though \p L is known to run: code for one architecture alone has no limit of
/// them. To the model, they are as good as dynamic ones.
std::uint64_t unlimitedStatic(const Architecture &Arch, std::uint64_t Static,
                              const LaunchRecord &L);

/// The same of a launch that fails whatever fits: 0 blocks.
OccupancyRecord failedRecord();

} // namespace cudalint

#endif // CUDA_LINT_REPORT_OCCUPANCYRECORD_H
