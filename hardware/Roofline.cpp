//===- hardware/Roofline.cpp - What would limit a kernel ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/Roofline.h"

#include "hardware/DoubleRate.h"

#include <algorithm>

namespace cudalint {

static constexpr double SectorBytes = 32;

namespace {
/// Results per clock and SM: the table "Throughput of Native Arithmetic
/// Instructions" of the CUDA C++ Programming Guide, versions 4.2 (1.x, 2.x),
/// 8.0 (3.x), 11.8 and 13.0. Half is empty where the versions differ.
struct ArithmeticRow {
  ComputeCapability CC;
  double Float;
  double Half; ///< 0: none, or not known.
};
constexpr ArithmeticRow Arithmetic[] = {
    {{1, 0}, 8, 0},     {{1, 1}, 8, 0},    {{1, 2}, 8, 0},
    {{1, 3}, 8, 0},     {{2, 0}, 32, 0},   {{2, 1}, 48, 0},
    {{3, 0}, 192, 0},   {{3, 2}, 192, 0},  {{3, 5}, 192, 0},
    {{3, 7}, 192, 0},   {{5, 0}, 128, 0},  {{5, 2}, 128, 0},
    {{5, 3}, 128, 256}, {{6, 0}, 64, 128}, {{6, 1}, 128, 2},
    {{6, 2}, 128, 256}, {{7, 0}, 64, 128}, {{7, 2}, 64, 128},
    {{7, 5}, 64, 128},  {{8, 0}, 64, 256}, {{8, 6}, 128, 0},
    {{8, 7}, 128, 0},   {{8, 9}, 128, 0},  {{9, 0}, 128, 256},
    {{10, 0}, 128, 0},  {{10, 3}, 128, 0}, {{11, 0}, 128, 0},
    {{12, 0}, 128, 0},  {{12, 1}, 128, 0}};

/// Boost clock, and bytes per second of DRAM: NVIDIA's data sheets and product
/// pages. Of variants under one name, the fastest: a bound holds for all. Of
/// the L2 cache, bytes per clock of the SMs that these read: by the white paper
/// of the A100; of the H200, 188 sectors in each of its own clocks, of which
/// there are 1.12, by its counter lts__t_sectors_op_read.sum.peak_sustained:
/// 210 sectors. 170 were seen in a kernel that reads 24 MB again and again.
struct ProductRow {
  std::string_view Name;
  bool IsBoostTheMost;
  double BoostMHz;
  double DramGBs;
  double L2Bytes = 0; ///< 0: not known.
};
/// No SM of a data centre's exceeds the boost clock; cards for desks do.
constexpr bool Data = true, Card = false;
constexpr ProductRow Memory[] = {
    {"a10", Data, 1695, 600},
    {"a100", Data, 1410, 2039, 5120},
    {"a30", Data, 1440, 933},
    {"a40", Data, 1740, 696},
    {"gtx-1060-6gb", Card, 1708, 192},
    {"gtx-1070", Card, 1683, 256},
    {"gtx-1080", Card, 1733, 320},
    {"gtx-1080-ti", Card, 1582, 484},
    {"h100", Data, 1980, 3352},
    {"h100-pcie", Data, 1755, 2039},
    {"h200", Data, 1980, 4813, 6738},
    {"l4", Data, 2040, 300},
    {"l40", Data, 2490, 864},
    {"l40s", Data, 2520, 864},
    {"p100", Data, 1480, 732},
    {"rtx-2060", Card, 1680, 336},
    {"rtx-2070", Card, 1620, 448},
    {"rtx-2080", Card, 1710, 448},
    {"rtx-2080-ti", Card, 1545, 616},
    {"rtx-3050", Card, 1777, 224},
    {"rtx-3060", Card, 1777, 360},
    {"rtx-3060-ti", Card, 1665, 448},
    {"rtx-3070", Card, 1725, 448},
    {"rtx-3080", Card, 1710, 760},
    {"rtx-3090", Card, 1695, 936},
    {"rtx-3090-ti", Card, 1860, 1008},
    {"rtx-4060", Card, 2460, 272},
    {"rtx-4060-ti", Card, 2535, 288},
    {"rtx-4070", Card, 2475, 504},
    {"rtx-4070-ti", Card, 2610, 504},
    {"rtx-4080", Card, 2505, 717},
    {"rtx-4090", Card, 2520, 1008},
    {"rtx-5070", Card, 2512, 672},
    {"rtx-5070-ti", Card, 2452, 896},
    {"rtx-5080", Card, 2617, 960},
    {"rtx-5090", Card, 2407, 1792},
    {"rtx-6000-ada", Card, 2505, 960},
    {"rtx-a6000", Card, 1800, 768},
    {"t4", Data, 1590, 320},
    {"titan-rtx", Card, 1770, 672},
    {"titan-v", Card, 1455, 653, 2048},
    {"v100", Data, 1530, 900, 2048},
};
} // namespace

static const ProductRow *rowOf(const Target &Gpu) {
  const auto *Row = std::ranges::find(Memory, Gpu.Name, &ProductRow::Name);
  return Row == std::end(Memory) ? nullptr : Row;
}

std::optional<double> boostMHzOf(const Target &Gpu) {
  const ProductRow *Row = rowOf(Gpu);
  return Row ? std::optional(Row->BoostMHz) : std::nullopt;
}

bool isBoostTheMost(const Target &Gpu) {
  const ProductRow *Row = rowOf(Gpu);
  return Row && Row->IsBoostTheMost;
}

PeakRates peakRatesOf(const Target &Gpu) {
  PeakRates Peaks;
  const ComputeCapability CC = Gpu.Arch->CC;
  // One instruction for each scheduler; before 7.0, some issue two at a time.
  if (CC.Major >= 7)
    Peaks.Instructions = Gpu.Arch->Partitions;
  if (const auto Row = std::ranges::find(Arithmetic, CC, &ArithmeticRow::CC);
      Row != std::end(Arithmetic)) {
    Peaks.Float = Row->Float;
    if (Row->Half > 0)
      Peaks.Half = Row->Half;
    if (const std::optional<unsigned> Floats = floatsPerDouble(CC))
      Peaks.Double = Row->Float / *Floats;
  }
  // One wavefront, of up to 128 bytes, in a clock; L1 has the same data path
  // from 7.0 on.
  if (CC.Major >= 5)
    Peaks.Wavefronts = 1;
  if (CC.Major >= 7)
    Peaks.L1Sectors = 128 / SectorBytes;
  const ProductRow *Row = rowOf(Gpu);
  if (!Row || !Gpu.SMs)
    return Peaks;
  const double Clocks = Row->BoostMHz * 1e6 * *Gpu.SMs;
  Peaks.DramSectors = Row->DramGBs * 1e9 / SectorBytes / Clocks;
  if (Row->L2Bytes > 0)
    Peaks.L2Sectors = Row->L2Bytes / SectorBytes / *Gpu.SMs;
  return Peaks;
}

std::vector<ResourceBound> boundsOf(const PeakRates &Peaks,
                                    const WarpDemand &Warp) {
  constexpr double Lanes = 32, OperationsOfFma = 2, HalvesOfLane = 2;
  std::vector<ResourceBound> Bounds;
  auto add = [&](Resource What, const std::optional<double> &Demand,
                 const std::optional<double> &Rate, double PerUnit = 1) {
    if (Demand && Rate && *Demand > 0)
      Bounds.push_back({What, *Demand / PerUnit / *Rate});
  };
  std::optional<double> Instructions = Warp.Requests;
  if (Instructions)
    *Instructions += (Warp.Half.value_or(0) / HalvesOfLane +
                      Warp.Float.value_or(0) + Warp.Double.value_or(0)) /
                     OperationsOfFma / Lanes;
  add(Resource::Issue, Instructions, Peaks.Instructions);
  add(Resource::Half, Warp.Half, Peaks.Half, OperationsOfFma);
  add(Resource::Float, Warp.Float, Peaks.Float, OperationsOfFma);
  add(Resource::Double, Warp.Double, Peaks.Double, OperationsOfFma);
  add(Resource::Shared, Warp.Wavefronts, Peaks.Wavefronts);
  add(Resource::L1, Warp.Sectors, Peaks.L1Sectors);
  add(Resource::L2, Warp.Sectors, Peaks.L2Sectors);
  add(Resource::Dram, Warp.Sectors, Peaks.DramSectors);
  std::ranges::stable_sort(Bounds, std::greater(), &ResourceBound::Clocks);
  return Bounds;
}

} // namespace cudalint
