//===- cubin/Loops.h - The loops of machine code -------------- -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_CUBIN_LOOPS_H
#define CUDA_LINT_CUBIN_LOOPS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace cudalint::cubin {

/// A loop of the machine code. Unrolling leaves one where the source has one,
/// with more instructions, and a remainder beside it.
struct Loop {
  std::uint64_t Start = 0; ///< Offset of the block that is entered.
  std::uint64_t End = 0;   ///< Behind the last instruction that belongs to it.
  std::optional<unsigned> Parent;
  unsigned Depth = 1; ///< 1: in no other.
  /// Each turn of the parent comes to it, without one each run. False: or not
  /// known.
  bool IsInEachTurn = false;

  bool operator==(const Loop &) const = default;
};

/// How control goes through instructions that are numbered from 0.
struct ControlFlow {
  std::uint32_t Size = 0; ///< How many there are.
  /// From one to another, in order.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> Jumps;
  std::vector<std::uint32_t>
      Ends; ///< After these comes not the next, in order.
  std::vector<std::uint32_t> Exits; ///< With these some lane may end, in order.
};

struct LoopNest {
  std::vector<Loop> Loops; ///< In instructions; a parent before its children.
  /// The innermost loop of each instruction, or None.
  std::vector<std::uint32_t> Innermost;
  static constexpr std::uint32_t None = ~std::uint32_t{0};
  /// Whether each turn of that loop comes to the instruction, also the last;
  /// without a loop, each run. False where it is not known.
  std::vector<bool> IsInEachTurn;
  /// The first instruction of the block of each: those of one block happen
  /// equally often.
  std::vector<std::uint32_t> BlockOf;
};

/// A loop is a set of blocks each of which reaches all others. The block that
/// is entered from outside is taken out, and what is still such a set is a loop
/// within. So blocks that stand far away belong to it, and what stands between
/// does not. Loops that share their first block are one. Time is bounded by the
/// size and the depth, of which no more is found than MostLoopDepth.
LoopNest findLoops(const ControlFlow &Flow);
inline constexpr unsigned MostLoopDepth = 32;

} // namespace cudalint::cubin

#endif // CUDA_LINT_CUBIN_LOOPS_H
