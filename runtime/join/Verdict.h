//===- runtime/join/Verdict.h - The verdicts of the GPU ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_VERDICT_H
#define CUDA_LINT_RUNTIME_JOIN_VERDICT_H

#include "report/Document.h"
#include "runtime/join/Measurement.h"
#include "runtime/join/UnitCheck.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

enum class VerdictKind : std::uint8_t {
  Confirmed,    ///< The number predicted is the number measured.
  Refuted,      ///< It is not, and nothing but the prediction is to blame.
  Inconclusive, ///< Both are known, but do not speak of the same thing: Why.
  NotMeasured,  ///< There is no number to compare with: Why.
  Missed,       ///< Measured bad, and nothing was predicted.
  MeasuredOnly, ///< The prediction had no number: it depends on data.
};

/// confirmed, refuted, inconclusive, not_measured, missed, measured
std::string_view nameOf(VerdictKind Kind);

/// One line, space and op of one kernel.
struct LineVerdict {
  VerdictKind Kind = VerdictKind::NotMeasured;
  std::string_view Rule; ///< That decided: runtime/join/VerdictRules.h.
  std::string Why;       ///< Lower case, no full stop; may be empty.
  Location Where; ///< File as predicted; as measured where it was missed.
  bool IsWholeKernel = false; ///< All lines of the kernel: no -lineinfo.
  /// Its kernel ran, and a count of it was to be had.
  bool WantsCount = false;
  std::string Kernel; ///< Linkage name, as predicted.
  std::string Signature;
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
  TrafficUnit Unit = TrafficUnit::Sectors;

  // Predicted, the mean over Accesses.
  unsigned Accesses = 0;
  std::optional<double> PerRequest;
  std::optional<double> Ideal;
  Certainty Trust = Certainty::Unknown;
  std::vector<std::string> Assumptions;
  /// Summed over all launches; empty where how often it runs is not known, or
  /// other launches were measured than predicted.
  std::optional<double> PredictedRequests;
  std::optional<double> PredictedTotal;
  /// Of these sums; NotMeasured when they are empty.
  VerdictKind Sums = VerdictKind::NotMeasured;

  // Measured.
  std::string_view Counter; ///< Of Total, as CUPTI names it; empty: none.
  Count Instructions;
  Count Requests;
  Count Total;      ///< Sectors or wavefronts.
  Count IdealTotal; ///< The same.
  /// In all launches, scaled from those that were counted.
  Count AllRequests, AllTotal;
  std::optional<double> MeasuredPerRequest;
  std::optional<double> MeasuredIdeal; ///< Per request.
  std::optional<double> MeasuredLanes; ///< Per request.

  /// A count is there, be it 0.
  bool hasCount() const {
    return MeasuredPerRequest || (Requests && *Requests == 0);
  }
  /// Predicted, or measured, by the ideal.
  std::optional<double> predictedRatio() const;
  std::optional<double> measuredRatio() const;
};

/// Launches of one shape.
struct CheckedLaunch {
  VerdictKind Kind = VerdictKind::NotMeasured;
  std::string Why;
  ProfileLaunch Launch;                    ///< As measured.
  std::optional<unsigned> PredictedBlocks; ///< Per SM.
  std::optional<unsigned> PredictedWarps;
  std::optional<double> PredictedWaves;
  std::optional<double> PredictedOccupancy; ///< 0 .. 1, at most.
  std::string PredictedLimiter;
  std::optional<unsigned> MeasuredWarps; ///< Per SM, by the driver's blocks.
  std::optional<double> MeasuredWaves;
};

struct KernelVerdict {
  std::string
      Name; ///< Linkage name, as measured; as predicted if it never ran.
  std::string Signature;
  bool WasPredicted = false;
  std::uint64_t Launches = 0;
  std::uint64_t MeasuredLaunches = 0;
  std::uint64_t Threads = 0, MeasuredThreads = 0; ///< Of these launches.
  double Scale = 1;      ///< From the sums of the measured launches to all.
  std::string Uncounted; ///< Why none was measured; may be empty.
  bool HasLines = false;
  Count PredictedRegisters;
  Count MeasuredRegisters;
  /// Of the registers; NotMeasured when one of them is not known.
  VerdictKind Registers = VerdictKind::NotMeasured;
  std::vector<CheckedLaunch> Launched;
  CountedLine Traffic[4];     ///< Sums: global, shared, local, generic.
  std::vector<UnitSum> Units; ///< Where the hardware's units were asked.
};

struct VerdictCounts {
  unsigned Confirmed = 0;
  unsigned Refuted = 0;
  unsigned Inconclusive = 0;
  unsigned NotMeasured = 0;
  unsigned Missed = 0;
  unsigned MeasuredOnly = 0;

  void add(VerdictKind Kind);
};

/// Why the launches of a kernel were not counted, and what to do: a clause
/// about several kernels. \p Reason is that of the profile.
std::string_view whyUncounted(std::string_view Reason);

/// Everything about one kind of GPU.
struct GpuVerdict {
  std::string Name;
  std::string ComputeCapability;
  std::optional<int> SMs;
  unsigned Devices = 0;
  std::vector<MeasuredDevice> Parts;  ///< As in MeasuredGpu.
  std::string TargetName;             ///< Of the predictions.
  std::vector<KernelVerdict> Kernels; ///< Sorted: predicted ones first.
  std::vector<LineVerdict> Lines;     ///< Sorted by place.
  VerdictCounts LineCounts;
  VerdictCounts SumCounts;      ///< Of the sums of the lines.
  VerdictCounts LaunchCounts;   ///< Occupancy, one for each shape.
  VerdictCounts RegisterCounts; ///< One for each kernel that ran.
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_VERDICT_H
