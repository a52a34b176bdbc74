//===- hardware/Roofline.h - What would limit a kernel ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For how long each resource of a GPU is busy with one warp if nothing waits:
/// the one that is busy longest bounds what the kernel can reach. A bound, not
/// a time: latency, dependences and imbalance come on top.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_ROOFLINE_H
#define CUDA_LINT_HARDWARE_ROOFLINE_H

#include "hardware/Architecture.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cudalint {

enum class Resource : std::uint8_t {
  Issue,  ///< The schedulers of an SM.
  Half,   ///< Its units for floating-point operations of each width, without
  Float,  ///< tensor cores.
  Double, ///<
  Shared, ///< Its shared memory.
  L1,     ///< Its L1 cache.
  L2,     ///< The GPU's L2 cache.
  Dram,   ///< The GPU's memory.
};

/// The most that one SM does in one of its clocks; of what the SMs share, the
/// share of one while all are busy. Empty: no source gives it. Each is above 0.
struct PeakRates {
  std::optional<double> Instructions; ///< Of warps.
  /// Additions, multiplications or fused multiply-adds, of single lanes.
  std::optional<double> Half, Float, Double;
  std::optional<double> Wavefronts; ///< Of shared memory.
  std::optional<double> L1Sectors, L2Sectors, DramSectors; ///< 32 bytes each.
};

/// Those of an architecture alone have neither L2Sectors nor DramSectors.
PeakRates peakRatesOf(const Target &Gpu);

/// The boost clock of a product, MHz, by its data sheet. Empty: it is in no
/// table here.
std::optional<double> boostMHzOf(const Target &Gpu);

/// Whether no SM of this product exceeds boostMHzOf(): those of data centres.
/// GPUs for desktops run faster than their data sheets say while they are cool.
bool isBoostTheMost(const Target &Gpu);

/// What one warp asks for; empty where it is not known.
struct WarpDemand {
  std::optional<double> Requests;            ///< To any memory.
  std::optional<double> Half, Float, Double; ///< Operations; an FMA is two.
  std::optional<double> Wavefronts;          ///< Of shared memory.
  std::optional<double> Sectors;             ///< Of all other memory.
};

/// Clocks of an SM for each warp, at least.
struct ResourceBound {
  Resource What = Resource::Issue;
  double Clocks = 0;

  bool operator==(const ResourceBound &) const = default;
};

/// The largest first; of resources whose rate is known and of which the warp is
/// known to need some. Caches are taken to keep nothing: each sector comes from
/// DRAM, through L2 and L1. To Issue count the instructions that access memory
/// and those that the operations need at least: all fused, halves in pairs.
std::vector<ResourceBound> boundsOf(const PeakRates &Peaks,
                                    const WarpDemand &Warp);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_ROOFLINE_H
