//===- runtime/hotspots/Hotspots.h - Where requests are wasted --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What was measured, without any prediction: the kernels by their share of the
/// GPU's time, in each the lines by what they waste, and what that may cost.
///
/// Times are bounds, but for L2 and DRAM, of which a few launches were measured
/// and scaled. The share of its peak that L2 reached is the hardware's own.
/// What another unit was asked for, at its peak, is the time that it was busy
/// *at least*: the peak is that of hardware/Roofline.h, at a clock that no SM
/// exceeds. A line saves *at most* what is left of its kernel's time above the
/// busiest unit without that waste: a kernel cannot end before any of its units
/// has done the rest.
///
///   16.7 us measured; L1 asked for 1179648 sectors; 132 SMs, 4 sectors a
///   clock each, 1980 MHz:    1179648 / (132 * 4) / 1980 MHz = 1.13 us at least
///   a line wastes 917504:    262144 / (132 * 4) / 1980 MHz = 0.25 us remain,
///                            so that it saves at most 16.4 us
///
/// Pure: no GPU, no file, no clock. Empty is not known, never 0.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_HOTSPOTS_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_HOTSPOTS_H

#include "hardware/Roofline.h"
#include "runtime/hotspots/HotStalls.h"
#include "runtime/hotspots/LintedFinding.h"
#include "runtime/join/Measurement.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// What one unit did for all launches of a kernel.
struct UnitWork {
  Resource What = Resource::L1; ///< L1, Shared, L2 or Dram.
  /// L1: sectors of global, local and generic accesses. Shared: wavefronts.
  /// L2: sectors, whoever asks. Dram: bytes. Scaled where a part of the
  /// launches was counted.
  std::optional<double> Amount;
  /// What of it was done for certain: the counter of wavefronts says more than
  /// there were of wide loads that conflict.
  std::optional<double> AtLeast;
  /// Nanoseconds of AtLeast at the peak; empty where one of them is not known,
  /// or ExceedsTime.
  std::optional<double> Busy;
  /// More was counted than the unit can do in the kernel's time: in the
  /// launches that were counted it did more, as where it waits in a loop, which
  /// takes longer then.
  bool ExceedsTime = false;
  /// Of L2: its part of what it could do while the launches ran, 0 .. 1.
  std::optional<double> PeakShare = {};
};

/// A line of a kernel, and one of its units: a generic access has two.
struct HotLine {
  CountedLine Line; ///< Of the launches that were counted.
  TrafficUnit Unit = TrafficUnit::Sectors;
  /// In all launches, scaled. Instructions is empty where only those with an
  /// active lane were counted, Ideal for local memory.
  Count Instructions, Requests, Total, Ideal;
  Count Wasted; ///< Above the ideal.
  std::optional<double> PerRequest, IdealPerRequest;
  std::optional<double> ShareOfUnit; ///< Wasted, of all that its unit did.
  /// Nanoseconds at the peak, at least; empty where the waste may be counted
  /// too high.
  std::optional<double> WasteBusy;
  std::optional<double> SavesAtMost; ///< Nanoseconds of its kernel's time.
  /// By addFindings(), one of each problem; the dearest first.
  std::vector<LintedFinding> Findings = {};
};

struct HotKernel {
  std::string Name; ///< As the linker sees it.
  std::string Signature;
  std::uint64_t Launches = 0, Measured = 0; ///< Launches; those counted.
  /// Why none was, as a profile has it, or `second-run`: it ran only in the run
  /// that took the times. May be empty.
  std::string Uncounted;
  bool HasLines = false; ///< Of those that were counted.
  /// Nanoseconds of all launches together, in one run: of each process the mean
  /// of those whose times were kept, as many times as it launched them. Empty
  /// where a shape has no times.
  std::optional<double> Time;
  std::optional<double> Share; ///< Of the time of all kernels, 0 .. 1.
  Count Registers;             ///< Most of any launch.
  /// Resident warps by the driver's answer, over the shapes.
  std::optional<unsigned> LeastWarps, MostWarps;
  std::optional<double> Achieved; ///< Occupancy, the mean, 0 .. 1.
  std::vector<UnitWork> Units;    ///< L1, Shared, L2, Dram: always these four.
  /// The unit that was busy longest at least; an index of Units.
  std::optional<std::size_t> Busiest;
  std::vector<HotLine> Lines; ///< The most waste first.
  HotStalls Stalls;           ///< Of PC sampling; no sample: there was none.

  const UnitWork &unit(Resource What) const {
    return *std::ranges::find(Units, What, &UnitWork::What);
  }
};

struct HotGpu {
  std::string Name;
  std::string ComputeCapability;
  std::optional<int> SMs;
  unsigned Devices = 0;
  /// The clock of the bounds of L1 and shared memory, by the data sheet; empty
  /// where that is not known, or SMs exceed it.
  std::optional<double> BoostMHz;
  bool ExceedsBoost = false;      ///< The product is known, and its SMs may.
  std::optional<double> Time;     ///< Nanoseconds, of all kernels.
  std::vector<HotKernel> Kernels; ///< The longest first.
  std::optional<SamplingTotals> Sampling; ///< Empty: nothing was sampled.
  std::optional<LintSummary> Lint = {};   ///< Empty: nothing was linted for it.
};

struct Hotspots {
  std::vector<HotGpu> Gpus;
  std::vector<ProfileProblem> Problems;
  bool HasCounters = false;
  bool HasTimes = false;
  bool HasSamples = false; ///< Of PC sampling, in any kernel.
};

/// Of counts, times and achieved occupancy as they came from several runs.
Hotspots findHotspots(std::span<const Profile> Profiles);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_HOTSPOTS_H
