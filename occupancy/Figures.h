//===- occupancy/Figures.h - All figures of one launch ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_OCCUPANCY_FIGURES_H
#define CUDA_LINT_OCCUPANCY_FIGURES_H

#include "hardware/Occupancy.h"
#include "hardware/Waves.h"
#include "occupancy/Numbers.h"
#include "report/Document.h"

#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// What is asked for: a kernel's resources and the shape of its launch. What is
/// empty is not known.
struct LaunchInput {
  std::string Kernel;      ///< As the user writes it; empty for bare numbers.
  std::string LinkageName; ///< As the linker sees it.
  Location Where;          ///< Of the launch.
  std::optional<Shape> Block;
  bool BlockIsAssumed = false; ///< No launch gave it.
  std::optional<Shape> Grid;
  std::optional<std::uint64_t> Registers; ///< Per thread.
  std::optional<std::uint64_t> StaticShared;
  std::optional<std::uint64_t> DynamicShared;
  std::optional<unsigned> Barriers;
  std::optional<unsigned> CarveOut; ///< Per cent; empty is the driver's choice.
  /// The source lets the kernel have more shared memory than by default, or
  /// is known to need no more.
  bool SharedMemoryOptIn = false;
  /// Why it fails, in words, as an analysis of the source judged: none where it
  /// runs. Without a value, the numbers above are judged.
  std::optional<std::vector<std::string>> Judged;

  bool operator==(const LaunchInput &) const = default;
};

/// What a GPU makes of it.
struct LaunchFigures {
  Target Gpu;
  LaunchInput Input;
  BlockDemand Demand; ///< What is not known counts as nothing.
  /// Empty when the block is not known.
  std::optional<Occupancy> Result;
  /// Registers or shared memory are not known, and some numbers of them would
  /// allow fewer blocks: Result is the most that there can be.
  bool IsAtMost = false;
  std::vector<Cliff> Next;     ///< Empty for what is at most.
  std::optional<Waves> Rounds; ///< Empty for what is at most.
  /// Why the launch fails, in words, each reason; empty when it does not.
  std::vector<std::string> Failures;
  /// Relative to other launches of the same sweep.
  std::optional<double> Time;
};

LaunchFigures figuresOf(const Target &Gpu, const LaunchInput &Input);

/// All reasons in one text; empty of a launch that does not fail.
std::string failureOf(const LaunchFigures &Figures);

/// The figures as documents hold them; a launch that fails, for whatever
/// reason, has no blocks. What is at most is not known, and neither are the
/// limits by resources that nobody told.
OccupancyRecord recordOf(const LaunchFigures &Figures);

/// What is not known and what it may change, and what would tell: phrases.
std::vector<std::string> assumptionsOf(const LaunchFigures &Figures);

/// Of a launch that fails by the dimensions alone: "the launch fails with error
/// 9 (cudaErrorInvalidConfiguration): 65 threads in z, sm_90 allows 64".
std::string shapeFailure(const Target &Gpu, const std::optional<Shape> &Block,
                         const std::optional<Shape> &Grid);

} // namespace cudalint

#endif // CUDA_LINT_OCCUPANCY_FIGURES_H
