//===- runtime/hotspots/GpuPeaks.cpp - What a GPU does at most ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/hotspots/GpuPeaks.h"

namespace cudalint {

GpuPeaks peaksOf(const MeasuredGpu &Gpu) {
  const std::optional<Target> Product = parseTarget(Gpu.Name);
  // Another GPU of that name has other peaks.
  if (!Product || toString(Product->Arch->CC) != Gpu.ComputeCapability)
    return {};
  const std::optional<double> BoostMHz = boostMHzOf(*Product);
  const std::optional<int> SMs = Gpu.SMs ? Gpu.SMs : Product->SMs;
  if (!BoostMHz || !SMs)
    return {};
  const PeakRates Rates = peakRatesOf(*Product);
  const double Clocks = *BoostMHz / 1000; // In a nanosecond.
  GpuPeaks Out = {.ExceedsBoost = !isBoostTheMost(*Product)};
  if (!Out.ExceedsBoost) {
    Out.BoostMHz = BoostMHz;
    if (Rates.L1Sectors)
      Out.Sectors = *Rates.L1Sectors * *SMs * Clocks;
    if (Rates.Wavefronts)
      Out.Wavefronts = *Rates.Wavefronts * *SMs * Clocks;
  }
  // Of the whole product: a part of it, as MIG has them, has less.
  if (Rates.DramSectors && Product->SMs)
    Out.DramBytes = *Rates.DramSectors * 32 * *Product->SMs * Clocks;
  return Out;
}

} // namespace cudalint
