//===- analyzer/ir/KernelEvaluator.h - Accesses of a kernel -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates one kernel for every warp of one block and says what each of its
/// memory instructions costs on one architecture.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_KERNELEVALUATOR_H
#define CUDA_LINT_ANALYZER_IR_KERNELEVALUATOR_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/AccessPlan.h"
#include "analyzer/ir/GridParts.h"
#include "analyzer/ir/SharedVariables.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace cudalint {

/// Two sizes of a block that are not known, but what both of them come to:
/// `threads / n` and n.
struct PairedBlock {
  std::int64_t Threads = 0;
  unsigned Quotient = 0, Divisor = 1; ///< The dimensions, of n the latter.
  /// Parameters, by position, that are a size of the block: its dimension.
  std::map<unsigned, unsigned> Arguments;

  auto operator<=>(const PairedBlock &) const = default;
};

/// What is known of one launch of the kernel.
struct LaunchShape {
  std::array<std::int64_t, 3> Block = {256, 1, 1}; ///< Each at least 1.
  LaunchSource BlockSource = LaunchSource::Assumed;
  /// Dimensions of the block that are not known: a smaller one may be assumed
  /// in its place.
  std::array<bool, 3> IsOpen = {};
  /// Of which the block is one, where it has such sizes.
  std::optional<PairedBlock> Paired = {};
  /// The block was made smaller until the kernel could run with it.
  bool IsLargestFitting = false;
  /// Why an assumed block is as it is, `as 'n' is large`; or empty.
  std::string BlockReason = {};
  /// What a remedy would make of it: the block is turned, Y x X threads, and
  /// the code reads threadIdx.y where it says threadIdx.x, and the reverse.
  /// Block and Grid are as before, for the code.
  bool HasSwappedRoles = false;
  Extent Grid;
  /// First and last of the blocks along each dimension that are meant; empty:
  /// the grid.
  BlockRanges Blocks;
  /// Integer kernel parameters by position, where the launch gives them.
  std::vector<std::optional<std::int64_t>> Arguments;
  std::vector<PassedField> Fields = {}; ///< In parameters that are objects.
  std::set<unsigned> Nulls = {};        ///< Positions of null pointers.
  /// Of pointers that are moved, by position: the bytes, above 0, that they
  /// are behind what is 256-byte aligned.
  std::map<unsigned, std::uint64_t> Offsets = {};
  /// Positions of those that are powers of two, whatever they are.
  std::set<unsigned> Powers = {};
  /// Positions of those that are not taken to be round sizes.
  std::set<unsigned> NotRound = {};
  /// What those that are not given are at most, and powers of two that divide
  /// them, by position.
  std::map<unsigned, std::int64_t> Limits = {};
  std::map<unsigned, std::uint64_t> Multiples = {};
  /// Positions of those that are not given here and a few in another launch:
  /// not large.
  std::set<unsigned> SmallElsewhere = {};
  /// What pointers are aligned to, by position, that begin somewhere in an
  /// allocation.
  std::map<unsigned, std::uint64_t> Alignments = {};
};

struct KernelEvaluation {
  std::vector<Access> Accesses; ///< In source order.
  /// What one instruction does together with another access.
  std::vector<RemovedAccess> Removed;
  std::vector<SharedVariable> Shared;  ///< That its code refers to.
  std::uint64_t StaticSharedBytes = 0; ///< Of all of them.
  bool UsesDynamicShared = false;
  unsigned Barriers = 0; ///< Static barrier instructions.
  /// Of a warp of the launch, a mean; empty where that is not known.
  std::optional<OperationCount> Operations;
  std::string WhyNotCounted; ///< A phrase, when Operations is empty.
  /// Without what lanes ask for, which Accesses tell.
  BlockFootprint Footprint = {};
};

/// `Kernel` is a definition in a module that was canonicalised.
KernelEvaluation evaluateKernel(const llvm::Function &Kernel,
                                const LaunchShape &Shape,
                                const Architecture &Arch,
                                const SourceFacts &Facts,
                                const AccessPlan &Plan = AccessPlan());

/// The kernel of that linkage name; null also for one that was left out as too
/// long.
llvm::Function *findKernel(llvm::Module &M, const std::string &Name);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_KERNELEVALUATOR_H
