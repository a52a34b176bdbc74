//===- analyzer/ir/KernelTraits.h - What a kernel holds ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the code of a kernel holds whatever the shape of its launch: private
/// arrays that registers cannot hold, barriers inside loops.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_KERNELTRAITS_H
#define CUDA_LINT_ANALYZER_IR_KERNELTRAITS_H

#include "analyzer/frontend/SourceFacts.h"
#include "analyzer/ir/BlockRole.h"
#include "analyzer/ir/CodePlace.h"
#include "analyzer/ir/PathSlots.h"
#include "report/Document.h"
#include "report/Finding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace cudalint {

/// A private array with an index that is not a constant. Registers have no
/// index, so it lives in local memory, unless the compiler makes the indices
/// constants by unrolling the loops that count them. Or a variable that is no
/// array and is accessed like one, `(&v.x)[i]`, `*(n ? &x : p)`, which a
/// compiler may well keep in registers.
struct LocalArray {
  /// As the user calls it, `part` or `state.part`; empty when not known.
  std::string Name;
  /// Per thread, of the whole object that it is or is a part of.
  std::uint64_t Bytes = 0;
  /// Of the array alone; empty where it is the object, or that is not known.
  std::optional<std::uint64_t> ArrayBytes = std::nullopt;
  /// Of the first access with such an index, in the user's code.
  Location Where;
  std::vector<Location> InlinedAt;
  /// Some index is read from memory, or counts a loop whose number of turns is
  /// not bounded by a constant: unrolling does not help.
  bool IndexIsData = false;
  /// Some store has such an index: it is no copy of a parameter or of
  /// constants, which a compiler may index where they are.
  bool IsStored = false;
  /// The index is one of a toolkit's function, as of a generator's state: the
  /// user can change neither the index nor the type.
  bool IsOfLibrary = false;
  /// As of ArrayFact: one for all threads would do.
  bool IsTable = false;
  bool IsArray = true; ///< Or holds one.
  /// It is what the kernel is passed by value, which nvcc copies where it is
  /// indexed through a reference, unless it is a __grid_constant__.
  bool IsParameter = false;
  bool DiffersByLane = true; ///< Its index does, or that is not known.
};

/// A division of 64-bit integers, or its remainder, in each turn of a loop, by
/// what the compiler does not know.
struct RuntimeDivision {
  CodePlace Place;
  bool IsRemainder = false;
  bool IsSigned = false;
  /// What is divided grows by a constant from turn to turn of the loop.
  bool CountsUp = false;
  /// What is divided takes more than 32 bits, as hashes and random numbers do.
  bool IsOfWide = false;
  bool IsIndex = false; ///< Or a sum or a multiple of it is.
  /// Of the other one of quotient and remainder, which one division gives: its
  /// line in the same file, where that is another; 0: there is none.
  unsigned OtherLine = 0;
};

/// An access of a loop.
struct TurnAccess {
  Location Where; ///< In the user's code.
  AccessOp Op = AccessOp::Load;
  unsigned Bytes = 0;    ///< Per lane.
  bool IsShared = false; ///< Surely of a variable in shared memory.
  /// How often it is made in each turn; 0: not in each, or before the loop, or
  /// its value is in a register.
  double PerTurn = 1;
};

/// A loop that multiplies and adds what it loads: what a thread does in a turn.
struct ArithmeticLoop {
  double FloatFma = 0, DoubleFma = 0;
  /// Issue slots of what else it computes, without addresses, counters and what
  /// is a part of an FMA: about so many (IssueSlots.h).
  double OtherSlots = 0;
  unsigned Turns = 0; ///< 0: not known.
  /// To any memory but the thread's own.
  std::vector<TurnAccess> Accesses = {};
  /// And those of a turn of the loop around it, or of the kernel, that are not
  /// in it: how often at most, of loops that are not counted one turn.
  std::vector<TurnAccess> Around = {};
};

/// The way to an access.
struct AccessPath {
  CodePlace Place;
  AccessOp Op = AccessOp::Load;
  PathSlots Slots;
};

struct KernelTraits {
  std::vector<LocalArray> LocalArrays;    ///< In source order.
  std::vector<RuntimeDivision> Divisions; ///< In source order; each place once.
  std::vector<Location> LoopBarriers;     ///< In the user's code; each once.
  std::vector<ArithmeticLoop> Loops;      ///< That load, multiply and add.
  bool UsesTensorCores = false;
  /// Which threads are in a warp matters: it exchanges values among its lanes,
  /// asks for the lane, or does what is not evaluated.
  bool DependsOnLanes = false;
  bool ReadsBothIndices = false; ///< threadIdx.x and threadIdx.y.
  /// Some loop turns more than eight times, or nobody knows how often.
  bool HasLongLoops = false;
  BlockRole Blocks;
  /// Of its shortest way, as PathSlots.h has it; 0: not known.
  double PathSlots = 0;
  std::vector<DoubleWork> Doubles; ///< Of all lines that compute in double.
  std::vector<AccessPath> Paths;   ///< To all accesses.
};

/// `Kernel` is a definition in a module that was canonicalised.
KernelTraits traitsOf(const llvm::Function &Kernel, const SourceFacts &Facts);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_KERNELTRAITS_H
