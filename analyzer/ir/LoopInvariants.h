//===- analyzer/ir/LoopInvariants.h - Out of the loop ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An access whose address does not change in a loop is often made once, before
/// or after all turns, or never, where the value is in a register already. The
/// source does not say so, and the machine code does not say which of its loads
/// belongs to which access of a line. Their number does: of `x[i] += a[j] *
/// b[j]` in a loop of which 29 turns are written out, 58 loads are those of `a`
/// and `b`, 59 or 60 have one of `x` before the loop and before what is left of
/// its turns, and 87 one in each turn.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_LOOPINVARIANTS_H
#define CUDA_LINT_ANALYZER_IR_LOOPINVARIANTS_H

#include <set>
#include <vector>

namespace cudalint {

/// Accesses of one loop, kind and width in one place, and their instructions.
struct LoopGroup {
  unsigned Varying = 0;   ///< Accesses that address something else each turn.
  unsigned Invariant = 0; ///< Accesses that do not.
  /// Of each instruction: how many loops of the machine code are around it.
  std::vector<unsigned> Depths;
  bool AreStores = false; ///< Whose values must get to memory.
};

/// What other accesses of the loop tell of it.
struct LoopCode {
  std::set<unsigned> Turns; ///< How many turns are written out; empty: unknown.
  /// The same, unless what tells it is out of the loop itself.
  std::set<unsigned> PerhapsTurns;
  unsigned Depth = 0; ///< Loops of the machine code around them.
  /// Some line of it has more than its accesses need in all turns.
  bool HasOthers = false;
};

enum class InvariantCode {
  EachTurn, ///< Or nothing else can be told.
  Once,     ///< For all turns.
  Never
};

/// What became of the invariant ones.
InvariantCode invariantCode(const LoopGroup &Group, const LoopCode &Loop);

/// Of a group whose invariant ones happen Once: how many of its instructions
/// are theirs. A loop that is unrolled has another one for the rest of its
/// turns, and they may be made again before that.
unsigned instructionsOfInvariant(const LoopGroup &Group, const LoopCode &Loop);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_LOOPINVARIANTS_H
