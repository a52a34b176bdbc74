//===- report/Document.h - The result of one run ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One document is the result of one run for one target GPU: what the JSON
/// format `cuda-lint/1` holds and what every writer prints. An empty optional
/// is a figure that is not known, and is written as null, never as 0.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_DOCUMENT_H
#define CUDA_LINT_REPORT_DOCUMENT_H

#include "report/Finding.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

enum class MemorySpace : std::uint8_t {
  Global,
  Shared,
  Local,
  Constant,
  Generic
};

enum class AccessOp : std::uint8_t { Load, Store, Atomic };

enum class TrafficUnit : std::uint8_t { Sectors, Wavefronts };

/// Where the shape of a launch came from.
enum class LaunchSource : std::uint8_t {
  Launch,       ///< A launch in the source.
  LaunchBounds, ///< `__launch_bounds__` or `__block_size__`.
  User,         ///< `--launch` or `--block`.
  Assumed,      ///< Nothing was known: our own assumption.
};

/// x, y, z; what is not known is empty.
using Extent = std::array<std::optional<std::int64_t>, 3>;

struct ResourceRecord {
  unsigned Registers = 0;
  unsigned SharedBytes = 0;
  unsigned LocalBytes = 0;
  unsigned SpillStores = 0;
  unsigned SpillLoads = 0;
  unsigned Barriers = 0;
  std::string Source; ///< nvcc, ptxas, log, user
};

struct OccupancyRecord {
  std::optional<unsigned> BlocksPerSM;
  std::optional<unsigned> WarpsPerSM;
  std::optional<double> Ratio;
  std::string Limiter;
  std::optional<double> Waves;
};

struct LaunchRecord {
  Location Where;
  Extent Grid;
  Extent Block;
  std::optional<std::int64_t> DynamicSharedBytes;
  LaunchSource Source = LaunchSource::Launch;
  std::optional<OccupancyRecord> Occupancy;
};

/// One static memory instruction of one kernel under one block shape.
struct AccessRecord {
  Location Where;
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
  unsigned Bytes = 0; ///< Per lane.
  TrafficUnit Unit = TrafficUnit::Sectors;
  std::optional<double> PerRequest; ///< Mean over the warps of the block.
  std::optional<double> Ideal;
  std::optional<double> Lanes; ///< Mean active lanes.
  Certainty Trust = Certainty::Unknown;
  std::vector<std::string> Assumptions;
  std::array<std::int64_t, 3> Block = {1, 1, 1};
  unsigned LoopDepth = 0;
  std::vector<Location> InlinedAt;
};

struct KernelRecord {
  std::string Name;      ///< As the linker sees it.
  std::string Signature; ///< As the user writes it.
  Location Where;
  std::optional<ResourceRecord> Resources;
  std::vector<LaunchRecord> Launches;
  std::vector<AccessRecord> Accesses;
};

enum class UnitStatus : std::uint8_t {
  Ok,
  Partial, ///< There were errors; the rest was analysed.
  Failed   ///< Nothing could be analysed.
};

struct ErrorRecord {
  Location Where;
  std::string Message;
};

struct UnitRecord {
  std::string File;
  UnitStatus Status = UnitStatus::Ok;
  std::vector<ErrorRecord> Errors;
  std::vector<KernelRecord> Kernels;
  std::vector<Finding> Findings;
};

struct TargetRecord {
  std::string Name;              ///< `h200`, or `sm_90`.
  std::string ComputeCapability; ///< `9.0`
  std::optional<int> SMs;        ///< Empty when only sm_XX is known.
};

struct Document {
  std::string ToolVersion;
  TargetRecord Target;
  std::vector<UnitRecord> Units;
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_DOCUMENT_H
