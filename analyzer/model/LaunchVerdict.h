//===- analyzer/model/LaunchVerdict.h - What launches do --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What becomes of one launch on one target: whether it runs, and how it fills
/// the GPU. It is found out once for each launch, and all that speaks of it
/// reads it: the checks and the gate here, the summary and `occupancy` in the
/// launch's record.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_LAUNCHVERDICT_H
#define CUDA_LINT_ANALYZER_MODEL_LAUNCHVERDICT_H

#include "hardware/Occupancy.h"
#include "hardware/Waves.h"
#include "report/Document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

struct KernelModel;
struct Launch;

/// How a launch fills an SM, and the GPU.
struct LaunchFit {
  BlockDemand Demand;
  Occupancy OnSM;
  std::vector<Cliff> Next;
  std::optional<std::uint64_t> Grid; ///< Blocks in all, where it is known.
  std::optional<Waves> Rounds;       ///< Where the number of SMs is, too.
  /// Of the products of that compute capability that are known; 0: of none.
  std::uint64_t FewestSMs = 0;
};

/// One reason for which a launch fails.
struct LaunchFault {
  enum class Kind : std::uint8_t {
    Configuration, ///< Its grid, block, cluster or size of shared memory.
    SharedMemory,  ///< More than a block may have, or than it is allowed.
    Resources,     ///< A block that fits no SM: registers, mostly.
  };
  Kind What = Kind::Configuration;
  Phrase Reason;          ///< What a finding of that launch says.
  std::string Assumption; ///< Empty when nothing is assumed.
  /// The same as a sentence of its own, with the error of CUDA and what would
  /// run, where they are known: "the launch fails with error 701 (...".
  std::string InFull;
};

struct LaunchVerdict {
  /// Why it fails, the most certain first.
  std::vector<LaunchFault> Faults;
  /// What may make it fail and is not known. Empty of a launch that fails. The
  /// size of the grid is none of it, unless all blocks have to be resident at
  /// once: else it fails only for none at all, or for billions of them.
  std::vector<Phrase> NotKnown;
  /// Empty where its registers, its block or its shared memory is not known.
  std::optional<LaunchFit> Fit;
  /// The same with nothing in place of registers and shared memory that are not
  /// known: no launch has more warps resident. Empty without the block.
  std::optional<LaunchFit> AtMost;

  LaunchState state() const {
    return fails()            ? LaunchState::Fails
           : NotKnown.empty() ? LaunchState::Runs
                              : LaunchState::Unknown;
  }
  bool fails() const { return !Faults.empty(); }
  /// The first of that kind; null without one.
  const LaunchFault *find(LaunchFault::Kind What) const;
};

LaunchVerdict judge(const KernelModel &Kernel, const Launch &L);

/// How a launch of \p Kernel fills its target. Empty when the registers, the
/// static shared memory, some dimension of the block or the size of the dynamic
/// shared memory is not known, or is negative. Without a launch in the source,
/// a kernel that uses none is given none.
std::optional<LaunchFit> fitOf(const KernelModel &Kernel, const Extent &Grid,
                               const Extent &Block,
                               std::optional<std::int64_t> DynamicSharedBytes,
                               LaunchSource Source = LaunchSource::Assumed);

/// The same with nothing in place of what is not known, as in LaunchVerdict.
std::optional<LaunchFit>
mostFitOf(const KernelModel &Kernel, const Extent &Grid, const Extent &Block,
          std::optional<std::int64_t> DynamicSharedBytes);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_LAUNCHVERDICT_H
