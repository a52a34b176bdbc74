//===- runtime/hotspots/GpuPeaks.h - What a GPU does at most ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_GPUPEAKS_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_GPUPEAKS_H

#include "hardware/Roofline.h"
#include "runtime/join/Measurement.h"

#include <optional>

namespace cudalint {

/// What a GPU does at most in a nanosecond; empty where no source says so, as
/// for L2, whose counters have a peak of their own.
struct GpuPeaks {
  std::optional<double> BoostMHz; ///< As HotGpu has it, and the next.
  bool ExceedsBoost = false;
  std::optional<double> Sectors, Wavefronts, DramBytes;

  std::optional<double> of(Resource What) const {
    return What == Resource::L1       ? Sectors
           : What == Resource::Shared ? Wavefronts
           : What == Resource::Dram   ? DramBytes
                                      : std::nullopt;
  }
};

/// Of hardware/Roofline.h, at the boost clock of the data sheet.
GpuPeaks peaksOf(const MeasuredGpu &Gpu);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_GPUPEAKS_H
