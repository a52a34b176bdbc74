//===- analyzer/ir/BlockRole.h - What a block is to a kernel ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel's code makes of the number of its blocks and of their size:
/// whether more of them, or others, would do what it is meant to do. It is
/// noted before what is stored, and all that is computed for it, is dropped.
/// Where something is not seen, what would keep a remedy from being offered is
/// taken not to be there.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_BLOCKROLE_H
#define CUDA_LINT_ANALYZER_IR_BLOCKROLE_H

#include <array>

namespace llvm {
class Function;
} // namespace llvm

namespace cudalint {

struct BlockRole {
  /// Blocks may do different work: something depends on blockIdx beside where a
  /// block leaves what it has made of its loads, or it takes a number from an
  /// atomic, as from a queue. False: each would do the same again.
  bool TellsBlocksApart = true;
  /// How far a loop steps, or what a block takes, hangs by how many blocks
  /// there are: more of them share the work. False: or that is not seen.
  bool SharesAmongBlocks = true;
  /// It computes `blockIdx.x * blockDim.x`: what it takes is a thread's.
  bool HasPartPerThread = false;
  /// Each block stores what it computed to global memory where no other block
  /// would store anything else: the last one would win.
  bool StoresToOnePlace = false;
  bool LaunchesKernels = false;
  /// All that is left of it is what it prints: it stores and updates nothing
  /// that others see. It is there to show something, not to be fast.
  bool OnlyPrints = false;
  /// It loops until another thread, GPU or the host has changed a flag.
  bool WaitsForFlag = false;
  /// Some loop of more than a few turns accesses no memory.
  bool HasBareLoops = false;
  /// A loop goes on with half of it as long as there is something, from its
  /// size on, or from more than a warp: of what is no power of two, it leaves
  /// out a part.
  bool HalvesItself = false;
  /// blockDim.x, .y, .z.
  std::array<bool, 3> ReadsBlockSize = {true, true, true};
};

void noteBlockRole(llvm::Function &Kernel);

/// What is noted there.
BlockRole notedBlockRole(const llvm::Function &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_BLOCKROLE_H
