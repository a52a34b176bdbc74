//===- analyzer/model/KernelModel.h - What is known of a kernel -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a check looks at: accesses, launches and the limits of the target, all
/// as plain values.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_KERNELMODEL_H
#define CUDA_LINT_ANALYZER_MODEL_KERNELMODEL_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/DivergentBarrier.h"
#include "analyzer/ir/DivergentBranch.h"
#include "analyzer/ir/KernelTraits.h"
#include "analyzer/ir/LibraryStack.h"
#include "analyzer/ir/SharedRace.h"
#include "analyzer/launch/Launch.h"
#include "analyzer/model/LaunchVerdict.h"
#include "hardware/Architecture.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace cudalint {

/// A launch that the source or the user gives, and how it fills the GPU.
struct FittedLaunch {
  const Launch *Where = nullptr;
  const LaunchFit *Fit = nullptr;
  /// More launches of the kernel that ask for the same, whatever their grids.
  std::vector<FittedLaunch> Alike = {};
};

struct KernelModel {
  KernelDeclaration Declaration;
  Target Gpu;
  /// Launches of this kernel, each shape once, in source order. May hold
  /// shapes with unknown parts. Empty when no launch was found.
  std::vector<Launch> Launches;
  /// Every static memory instruction under every block shape that was
  /// evaluated, in source order.
  std::vector<Access> Accesses;
  /// The same with the roles of threadIdx.x and threadIdx.y swapped, for the
  /// shapes whose requests to global memory that may save. Empty where it must
  /// not be: lanes of a warp depend on one another.
  std::vector<Access> Swapped;
  std::vector<SharedVariable> Shared; ///< That its code refers to.
  /// Of all of them; empty without its code.
  std::optional<std::uint64_t> StaticSharedBytes;
  bool UsesDynamicShared = false;
  unsigned Barriers = 0; ///< Static barrier instructions.
  /// Those of the launches whose block is known; each place once.
  std::vector<DivergentBarrier> DivergentBarriers;
  std::vector<DivergentBranch> DivergentBranches; ///< The same.
  std::vector<SharedRace> SharedRaces;            ///< The same.
  KernelTraits Traits;
  LibraryStack Library;
  /// What the compiler gave the kernel on this target, where it is known.
  std::optional<ResourceRecord> Resources;
  /// What it would take where a thread has at most so many registers; of those
  /// of registersToTry() that were tried.
  std::map<std::uint64_t, ResourceRecord> Trials;
  /// Accesses were matched with the instructions that the compiler made; those
  /// without one are not among these, or nobody knows which they are.
  bool HasMachineCode = false;
  /// The machine code computes with doubles, or may convert one; empty: it is
  /// not known.
  std::optional<bool> HasDoubles;
  std::vector<LaunchVerdict> Verdicts; ///< One for each of Launches.
  /// What a warp does under each block shape that was evaluated.
  std::vector<WarpTotals> Totals;
  /// All kernels of the file under the same target, this one too; empty: it is
  /// alone. What they declare together is judged by all of them.
  std::span<const KernelModel *const> Unit;
  /// From -maxrregcount, where the compiler's arguments hold it.
  std::optional<std::uint64_t> MaxRegisters;
  /// It is compiled for this architecture alone, as for sm_90a.
  bool IsForOneArchitecture = false;
  /// The share of an SM's warps that the user wants resident, 0 .. 1.
  std::optional<double> MinOccupancy;

  enum class Apart : std::uint8_t { Demand, DemandAndGrid };
  /// Launches of the source and of the user whose fit is known, each demand
  /// once, in source order; of equal demands, the one with the largest grid.
  /// Left out are shapes that are assumed and launches that fail.
  std::vector<FittedLaunch> launchesThatRun(Apart By = Apart::Demand) const;
  /// The same of those whose block fits no SM, and that fail for nothing else.
  std::vector<FittedLaunch> launchesThatNeverFit() const;

  /// The fewest warps of an SM that MinOccupancy asks for; empty: it does not.
  std::optional<unsigned> gateWarps() const;

  /// Static shared memory of a block: ptxas knows what it left of the
  /// variables that the source declares. Empty when nobody counted.
  std::optional<std::uint64_t> staticShared() const;

  /// Of it, a block gets so much: what no launch asks for needs no opt-in in
  /// code for one architecture alone (ptxas 13.0 builds it for sm_90a, sm_100a
  /// and sm_120a, not for sm_90 and sm_100f; an H200 runs it).
  std::uint64_t staticSharedLimit() const;

  /// The accesses of one memory that have a number, one for each place in the
  /// user's code, operation and calls that lead there: the costliest of the
  /// block shapes and instructions. In source order.
  std::vector<const Access *> costliestPerPlace(MemorySpace Space) const;

  /// Of these, what checks of traffic judge: the number is that of the launch,
  /// not of a stride that only the run decides, and no lane faults.
  /// None of a kernel that only prints.
  std::vector<const Access *> judgeable(MemorySpace Space) const;

  /// True when accesses of more than one block shape were evaluated, so that
  /// a message must say which one it is about.
  bool hasSeveralShapes() const;

  /// True when \p A, which has a prediction, costs something else in blocks of
  /// another shape, or nobody knows what: likewise, of its cost alone.
  bool costsByShape(const Access &A) const;

  /// True when \p A, which has a prediction, costs something else in other
  /// launches in blocks of the same shape, or nobody knows what.
  bool costsByLaunch(const Access &A) const;
};

/// Bytes per lane of what the source accesses there: the compiler may make one
/// access of several neighbours. Those of the access where that is not known.
std::int64_t bytesAsWritten(const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_KERNELMODEL_H
