//===- report/LaunchRecord.h - A launch and what fits -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A launch of a kernel as it is told, with what the compiler gave the kernel
/// and how many blocks of it fit. An empty optional is a figure that is not
/// known.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_LAUNCHRECORD_H
#define CUDA_LINT_REPORT_LAUNCHRECORD_H

#include "report/Finding.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// Where the shape of a launch came from.
enum class LaunchSource : std::uint8_t {
  Launch,       ///< A launch in the source.
  LaunchBounds, ///< `__launch_bounds__` or `__block_size__`.
  User,         ///< `--launch` or `--block`.
  Profile,      ///< `--launches-from`: recorded, or listed by hand.
  Usual, ///< A launch in the source, if the program's input leaves all that it
         ///< may change at what it is before.
  Assumed, ///< Nothing was known: our own assumption.
};

/// True of a shape that is launched, by the word of the source, the user or a
/// recording; false of one that stands in for launches that are not known.
constexpr bool isLaunched(LaunchSource Source) {
  return Source == LaunchSource::Launch || Source == LaunchSource::User ||
         Source == LaunchSource::Profile;
}

/// x, y, z; what is not known is empty.
using Extent = std::array<std::optional<std::int64_t>, 3>;

/// An integer, boolean or enumerator in an object that a launch passes by
/// value, `k<<<1, 32>>>(box)`.
struct PassedField {
  unsigned Position = 0;    ///< Of the parameter.
  std::uint64_t Offset = 0; ///< In the object, in bytes.
  unsigned Bits = 0;        ///< 8 to 64.
  std::int64_t Value = 0;   ///< Extended as its type has it.

  auto operator<=>(const PassedField &) const = default;
};

/// What the compiler gave a kernel. What its source does not say is empty: a
/// user gives registers alone.
struct ResourceRecord {
  std::optional<std::uint64_t> Registers;   ///< Per thread.
  std::optional<std::uint64_t> SharedBytes; ///< Static.
  std::optional<std::uint64_t> LocalBytes;  ///< Stack frame per thread.
  std::optional<std::uint64_t> SpillStores; ///< Bytes per thread.
  std::optional<std::uint64_t> SpillLoads;
  std::optional<std::uint64_t> Barriers;
  std::string Source; ///< nvcc, object, ptxas, log, user
};

/// Blocks that fit one SM by each resource alone; empty where the kernel does
/// not use it, or where it is not known.
struct OccupancyLimits {
  std::optional<unsigned> Warps;
  std::optional<unsigned> Blocks;
  std::optional<unsigned> Registers;
  std::optional<unsigned> Shared;
  std::optional<unsigned> Barriers;
};

/// The nearest change of one quantity that gains a block or warps.
struct CliffRecord {
  std::string Quantity; ///< registers, shared, block
  std::uint64_t Value = 0;
  unsigned BlocksPerSM = 0;
  unsigned WarpsPerSM = 0;
  double Ratio = 0;
};

struct OccupancyRecord {
  std::optional<unsigned> BlocksPerSM;
  std::optional<unsigned> WarpsPerSM;
  std::optional<double> Ratio;
  std::string Limiter; ///< warps, blocks, registers, shared, barriers
  OccupancyLimits Limits;
  std::optional<double> Waves;
  std::optional<std::uint64_t> Rounds;
  std::optional<double> TailWaste; ///< Empty share of all rounds, 0 .. 1.
  std::vector<CliffRecord> Next;
};

/// What becomes of a launch, the better first.
enum class LaunchState : std::uint8_t {
  Runs,
  Unknown, ///< It fails for nothing that is known, but all is not known.
  Fails,
};
inline constexpr LaunchState LaunchStates[] = {
    LaunchState::Runs, LaunchState::Unknown, LaunchState::Fails};

constexpr std::string_view nameOf(LaunchState State) {
  constexpr std::string_view Names[] = {"runs", "unknown", "fails"};
  return Names[static_cast<std::size_t>(State)];
}

/// One reason for which a launch fails, or one thing that is not known of it
/// and may make it fail.
struct LaunchReason {
  std::string Id; ///< The same whatever the numbers are: `not-raised`.
  std::string Text;
  std::string Assumption; ///< Under which it fails; empty for none.
};

struct LaunchVerdictRecord {
  LaunchState State = LaunchState::Unknown;
  std::vector<LaunchReason> Why; ///< All; none of a launch that runs.
};

struct LaunchRecord {
  Location Where;
  Extent Grid;
  Extent Block;
  std::optional<std::int64_t> DynamicSharedBytes;
  LaunchSource Source = LaunchSource::Launch;
  std::optional<OccupancyRecord> Occupancy;
  /// The source raises cudaFuncAttributeMaxDynamicSharedMemorySize for the
  /// kernel.
  bool SharedMemoryOptIn = false;
  /// Empty where nobody judged it: its kernel could not be evaluated, or the
  /// report is of an earlier version.
  std::optional<LaunchVerdictRecord> Verdict = {};
};

/// It fails whatever a part of the program that nobody looked at does: only
/// such a part could raise the limit of its shared memory, and then its figures
/// hold.
inline bool failsForCertain(const LaunchRecord &L) {
  if (!L.Verdict || L.Verdict->State != LaunchState::Fails)
    return false;
  for (const LaunchReason &Each : L.Verdict->Why)
    if (Each.Assumption.empty() || L.SharedMemoryOptIn)
      return true;
  return false;
}

} // namespace cudalint

#endif // CUDA_LINT_REPORT_LAUNCHRECORD_H
