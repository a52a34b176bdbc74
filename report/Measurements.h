//===- report/Measurements.h - What counters said ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_MEASUREMENTS_H
#define CUDA_LINT_REPORT_MEASUREMENTS_H

#include "report/Document.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// What was measured of one line, space and operation of a kernel.
struct MeasuredLine {
  std::string Kernel; ///< Linkage name.
  Location Where;     ///< Without a line: of all lines of the kernel.
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
  TrafficUnit Unit = TrafficUnit::Sectors;
  std::string Verdict; ///< confirmed, refuted, inconclusive, ... of a word.
  std::string Why;     ///< A phrase; may be empty.
  std::optional<double> PerRequest, Ideal;
  std::optional<std::uint64_t> Requests; ///< Of all launches.
};

/// Launches of one kernel and shape.
struct MeasuredShape {
  std::string Kernel; ///< Linkage name.
  std::array<std::uint64_t, 3> Grid = {}, Block = {};
  std::uint64_t Launches = 0;
  std::string Verdict; ///< Of the blocks per SM.
  std::string Why;
  std::optional<std::uint64_t> BlocksPerSM;
  std::optional<double> Achieved;      ///< Occupancy, 0 .. 1.
  std::optional<double> MedianSeconds; ///< Of a launch.
};

/// Of GPUs of one kind.
struct Measurements {
  std::string Gpu;               ///< As its driver calls it.
  std::string ComputeCapability; ///< `9.0`
  std::vector<MeasuredLine> Lines;
  std::vector<MeasuredShape> Shapes;

  /// Of what \p F is about, an access of \p Kernel, which may be null; null
  /// where it was not measured.
  const MeasuredLine *of(const Finding &F, const KernelRecord *Kernel) const;
};

/// Enters into the findings of \p Documents what was \p Measured of them, on
/// GPUs of the compute capability of their target.
void addMeasured(std::span<Document> Documents,
                 std::span<const Measurements> Measured);

struct MeasurementsRead {
  std::vector<Measurements> Gpus; ///< Empty when there was an error.
  bool IsOther = false; ///< The text is JSON of another kind: no error.
  std::string Error;    ///< As in DocumentsRead.
};

/// Reads what `confirm --format=json` wrote, `cuda-lint-confirm/1`: of it, what
/// is said above. Whatever the text holds, this returns.
MeasurementsRead readMeasurements(std::string_view Text);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_MEASUREMENTS_H
