//===- analyzer/ir/CollectedAccess.h - What requests add up to --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An access with its numbers, and of which instruction it is which part: what
/// the requests of all warps of a block add up to.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_COLLECTEDACCESS_H
#define CUDA_LINT_ANALYZER_IR_COLLECTEDACCESS_H

#include "analyzer/ir/Access.h"

#include <memory>
#include <vector>

namespace llvm {
class Instruction;
} // namespace llvm

namespace cudalint {

/// An access, and of which instruction it is which part.
struct CollectedAccess {
  Access Result;
  const llvm::Instruction *Inst = nullptr;
  unsigned Part = 0, Piece = 0; ///< As in Request.
  const CompiledPart *As = nullptr;
  /// It is wider than what is written, and no lane's address was aligned to
  /// it: some neighbour's must be.
  bool IsMisaligned = false;
  /// Its requests do not all cost the same.
  bool IsUneven = false;
  /// The depth of the innermost loop around it, of those in which it happens,
  /// that lanes leave one after the other; 0: none.
  unsigned LeftByLane = 0;
  /// The part of the block's warps that make it at all.
  double PartOfWarps = 1;
  /// How often each run of a warp makes it; empty: not known. And, of these
  /// runs, the share of each among all: others cannot be compared.
  std::vector<double> ByRun = {};
  std::shared_ptr<const std::vector<double>> Shares = {};
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_COLLECTEDACCESS_H
