//===- occupancy/Sweep.h - One quantity over its range ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_OCCUPANCY_SWEEP_H
#define CUDA_LINT_OCCUPANCY_SWEEP_H

#include "occupancy/Figures.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

enum class SweepOver : std::uint8_t { Block, Registers, Shared };

/// "block", "registers", "shared"
std::string_view nameOf(SweepOver What);

/// Neighbouring values that cost the same, and are limited by the same.
struct SweepRow {
  std::uint64_t From = 0;
  std::uint64_t To = 0;
  LaunchFigures At; ///< Of To: the last of equal values.
  /// Fewer warps are resident with one step more; false where not known.
  bool IsCliff = false;
  std::optional<std::uint64_t> Yours; ///< What the user gave, if in this row.
};

/// What work is done, to compare the time of launches.
struct SweepWork {
  double Elements = 0; ///< Of all threads together.
  LatencyModel Model;
  /// How the model was found, and what it says: for the report.
  std::string ModelWords;
};

/// The constants that are assumed when the user gives none: a step is one
/// instruction that waits for the one before, in cycles.
LatencyModel assumedModel(const Architecture &Arch);

/// Warps of an SM; 0 where that is not known, or the launch fails.
unsigned warpsOf(const LaunchFigures &Figures);

/// The time of \p Work when each thread has an equal share of the elements;
/// empty when the launch fails, or the grid or the SMs are not known.
std::optional<double> timeOf(const LaunchFigures &Figures,
                             const SweepWork &Work);

/// Up to the most that a block can have: threads by whole warps, registers, or
/// bytes of shared memory (what is above the static memory is dynamic). A block
/// that is not given counts as \p Input has it: empty, all figures are.
///
/// With \p Work each row has a time: of \p Input's grid, or else of as many
/// blocks as have one thread for each element. A block size then has a row of
/// its own, for no other takes the same time: those of whole warps, and
/// \p Input's own; ranges are left of those that fail.
std::vector<SweepRow> sweep(const Target &Gpu, const LaunchInput &Input,
                            SweepOver What,
                            const std::optional<SweepWork> &Work);

} // namespace cudalint

#endif // CUDA_LINT_OCCUPANCY_SWEEP_H
