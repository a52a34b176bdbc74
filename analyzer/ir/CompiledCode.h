//===- analyzer/ir/CompiledCode.h - What nvcc makes of accesses -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The source says what lanes address, the machine code with which
/// instructions. nvcc makes one instruction of neighbouring accesses, of one
/// access in several turns of a loop, several of one copy, and none of what it
/// keeps in registers. Here the two are brought together, line by line: plain
/// values in, plain values out, no LLVM.
///
/// `s[4 * t + j]` in a loop of four turns that is one LDS.128 is evaluated as
/// 16 bytes a lane in every turn whose addresses are multiples of 16, and not
/// at all in the others.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_COMPILEDCODE_H
#define CUDA_LINT_ANALYZER_IR_COMPILEDCODE_H

#include "report/Assumption.h"
#include "report/Document.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudalint {

/// All that keeps compilers from making an access once: another pointer that
/// the kernel is given may lead to the same place.
struct MayAlias {
  unsigned Parameter = 0; ///< Position of that pointer.
  /// Once for all turns of so many of the loops around it, from the innermost
  /// on; 0: what an access before it in its block has loaded or stored.
  unsigned Loops = 0;

  bool operator==(const MayAlias &) const = default;
};

/// One access as the source has it, and all on which its compiled form depends.
struct WrittenAccess {
  AccessOp Op = AccessOp::Load;
  MemorySpace Space = MemorySpace::Generic; ///< Generic: not known yet.
  /// Of all objects that the address may be in; Generic: not known.
  MemorySpace ObjectSpace = MemorySpace::Generic;
  unsigned Bytes = 0; ///< Per lane.
  unsigned Align = 1; ///< Bytes of which each lane's address is a multiple.
  /// Bytes of which the distance of neighbouring lanes is a multiple, at most;
  /// no instruction of more bytes has its address in all lanes.
  unsigned MostAlign = ~0u;
  /// Of the array that it is surely in; 1: of a pointer that is not known.
  unsigned BaseAlign = 1;
  Location Where; ///< Where a message should point.
  /// In the user's code, innermost first; what is in system headers is left
  /// out, unless there is nothing else.
  std::vector<Location> Frames;
  bool InHeader = false; ///< Its innermost place was left out.
  /// Addresses of one chain differ by constants, which are these.
  unsigned Chain = 0;
  std::int64_t ChainOffset = 0;
  /// Accesses with the same number, one after the other, have nothing between
  /// them that keeps the compiler from making one of them.
  unsigned Run = 0;
  /// By how many bytes the address moves from turn to turn, for each loop
  /// around it where that is a constant.
  std::vector<std::int64_t> Steps;
  /// In the innermost loop around it, where its turns are of a known number,
  /// nothing forbids to write them out, and no barrier parts them; 0: not so.
  std::int64_t StepWrittenOut = 0;
  /// There, bytes of which each lane's address in the first turn is a multiple.
  unsigned FirstAlign = 1;
  unsigned Loop = 0;      ///< The innermost around it, a number; 0: none.
  unsigned LoopDepth = 0; ///< Loops around it.
  unsigned Turns = 0;     ///< Of all of them together; 0: not known.
  /// Of those together in which the address changes; 0: not known.
  unsigned AddressTurns = 0;
  /// Of each of these loops, the innermost first; 0: not known.
  std::vector<unsigned> LoopTurns;
  /// Likewise, a number each: those with the same turn as often, by the code.
  std::vector<unsigned> LoopsAlike;
  /// So many of the loops around it, from the innermost on, do not change the
  /// address.
  unsigned Invariant = 0;
  /// Or some other of them does not; or perhaps does not, and has no barrier.
  bool IsInvariantInSome = false, MayBeInvariantInSome = false;
  /// In each turn of so many, likewise, it happens.
  unsigned InEachTurn = 0;
  bool Volatile = false; ///< Or atomic: it happens in each turn.
  /// Compilers have the value in a register: it was loaded or stored before,
  /// on each way here, and nothing since may have written it.
  bool IsRedundant = false;
  /// On some of the ways here another access had its value, or it has that of
  /// another one: a compiler may load it on the other ways alone, or once.
  bool SharesValue = false;
  std::optional<MayAlias> Aliased;
  /// In so many of the loops around it, from the innermost on, nothing writes
  /// what it loads.
  unsigned StaysInLoops = ~0u;
  /// A load that compilers take out of so many loops around it, from the
  /// innermost on: each turn makes it, of the same address, and nothing there
  /// may write what it loads.
  unsigned LeavesLoops = 0;
  /// Branches that decide about it, and those in its innermost loop.
  unsigned Conditions = 0, ConditionsInLoop = 0;
  /// The variable of the program that it is surely in, a number; 0: not
  /// known, or the address goes where it is not followed.
  unsigned Variable = 0;
  bool IsUnread = false;    ///< Nothing reads that variable.
  bool IsUnwritten = false; ///< Nothing writes it, and it begins undefined.
  /// In that variable, nothing but the turns of loops decides the address:
  /// where these are written out, the compiler knows it.
  bool OfTurnsAlone = false;
  /// Such a load from a table whose contents the program says: the compiler
  /// knows what it loads.
  bool OfKnownTable = false;
  /// Accesses with the same number are the same ones, counted from the end, of
  /// branches that meet right after: of them each lane takes one. 0: none.
  unsigned Alternative = 0;
  /// Behind no branch, and in no loop that may make no turn: each run of the
  /// kernel makes it.
  bool InEachRun = false;
  /// An integer atomic at an address that compilers see to be one for all lanes
  /// of a warp: nvcc adds the lanes up first, and one of them makes it.
  bool AddsUp = false;
};

/// A part of an access, or more than it, as one instruction accesses it.
struct CompiledPart {
  unsigned Bytes = 0;
  unsigned Offset = 0; ///< Bytes into the access as it is written.
  /// It holds several accesses, or several turns of a loop: it happens only
  /// where the address of each lane is a multiple of Bytes.
  bool IsWider = false;
  /// Wider only in turns in which accesses of its pool are neighbours.
  bool IsOfNeighbours = false;
  /// The turns of so many loops around it, from the innermost on, are written
  /// out, and have so many instructions of it: it happens no more often. 0: not
  /// known.
  unsigned Unrolled = 0, Most = 0;
  /// It happens once for all turns of so many of the loops around it, from the
  /// innermost on, in which its address does not change.
  unsigned Hoisted = 0;
  /// Nothing changed: it is evaluated as it is written.
  bool IsAsWritten = false;
  /// The pool has fewer instructions than accesses: what lanes access at one
  /// address, or in branches of which each takes one, is one request.
  bool IsShared = false;
  /// And that request is the one instruction's, whoever of them makes it.
  bool IsAlternative = false;
  /// Wider, and the one instruction holds the same bytes of the branches that
  /// meet right after.
  bool IsOfAllBranches = false;
  /// One lane makes it for all.
  bool OneLane = false;
  /// Accesses of one pool share its instructions.
  unsigned Pool = 0;
};

/// What became of one written access.
struct CompiledAccess {
  std::vector<CompiledPart> Parts;  ///< Empty: removed.
  std::string WhyRemoved;           ///< A phrase, when Parts is empty.
  std::set<Assumption> Assumptions; ///< That are to be told.
};

/// What became of all accesses of a kernel.
struct CompiledKernel {
  std::vector<CompiledAccess> Accesses; ///< In the order of the written ones.
  std::vector<std::vector<MachineInstruction>> Pools;
  /// Instructions of which no written access is known that they may be of.
  std::vector<MachineInstruction> Unmatched;
};

/// What a compiler is expected to make of them, where its code is not known:
/// neighbours that are read or written one after the other become one access,
/// as wide as their alignment allows, 16 bytes at most.
CompiledKernel expectCompiled(const std::vector<WrittenAccess> &Written);

/// Matches what is written with what was compiled. Spills and other private
/// memory that nobody wrote is left out.
CompiledKernel matchCompiled(const std::vector<WrittenAccess> &Written,
                             const std::vector<MachineInstruction> &Code);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_COMPILEDCODE_H
