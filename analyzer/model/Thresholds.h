//===- analyzer/model/Thresholds.h - What is worth saying -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The numbers by which checks and remedies decide that something is worth a
/// user's time, beside those that users set (CheckOption). Where no source is
/// named, a number is chosen, not measured. What the hardware has is elsewhere:
/// in hardware/, and beside the code that computes with it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_THRESHOLDS_H
#define CUDA_LINT_ANALYZER_MODEL_THRESHOLDS_H

#include "hardware/WarpTransactions.h"

#include <cstdint>

namespace cudalint::threshold {

//===----------------------------------------------------------------------===//
// What an edit gains
//===----------------------------------------------------------------------===//

/// Sectors or wavefronts of one access, over their ideal or over what they are
/// after a change: what gains less is not worth an edit, as the arithmetic of
/// another index can cost as much. It is also where the validation against
/// counters calls a line bad.
inline constexpr double WorthAnEdit = 1.3;

/// The same of all accesses to an object together.
inline constexpr double WorthItInAll = 1.15;

/// Of a private array that one register holds.
inline constexpr std::uint64_t BytesOfWord = 4;

/// Resident warps, or the time that follows from them.
inline constexpr double WorthAnotherBlock = 1.25;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// To save more than one unit of what a thread is given, compilers spill,
/// which costs more than a round of blocks.
inline constexpr std::uint64_t FewRegisters = 8;

/// A tile of 4x4 results takes a thread some 24 registers more; with half of
/// the 255 in use there may be one already.
inline constexpr std::uint64_t RegistersOfSmallTile = 128;

/// From here on, a thread holds a tile of its own for sure: it has independent
/// instructions.
inline constexpr std::uint64_t RegistersOfTile = 160;

/// Of those that a thread can have, what one private array may take, and what
/// all of them may that are alive at once: the rest is for all else.
inline constexpr double ShareOfArray = 0.5, ShareOfArrays = 0.75;

/// An array of 16 words: to select from more, by an index that only the run
/// knows, is an instruction for each of them.
inline constexpr std::uint64_t BytesToSelectFrom = 64;

//===----------------------------------------------------------------------===//
// Threads and lanes
//===----------------------------------------------------------------------===//

/// Lanes that fetch what lies beside a tile have a sector each, wherever they
/// are: an eighth of the warp.
inline constexpr double LanesOfHalo = 4;

/// Fewer lanes that update an address are no crowd: what the shuffles cost is
/// not measured.
inline constexpr double LanesOfCrowd = 8;

/// One lane that does what is to be done once for all is no other way to go.
inline constexpr unsigned LanesOfSide = 2;

/// A share of the lanes that load from different addresses: the others use the
/// same.
inline constexpr double FewOfLanes = 0.25;

/// A share of the lanes of a block's warps that idle. With fewer, the block is
/// mostly as large as what it works on, 13x13 pixels, which takes as many warps
/// whoever rounds it up: there is little to gain, and nothing by that alone.
inline constexpr double ManyIdleLanes = 0.25;

/// Fewer warps that share a byte are no block that does.
inline constexpr double SeveralWarps = 4;

/// Threads that a block may give up to run in more blocks on an SM.
inline constexpr std::uint64_t FewThreads = WarpSize;

/// One warp waits for what it loads, rather than for others.
inline constexpr std::int64_t ThreadsOfSharedBound = 2 * WarpSize;

//===----------------------------------------------------------------------===//
// Loops and counts
//===----------------------------------------------------------------------===//

/// Turns of a loop of which nothing is known, where accesses are weighed
/// against each other: few, so that what is outside of it counts.
inline constexpr double TurnsOfALoop = 8;

/// Fewer turns are a small part of a kernel, or a lane's own few elements.
inline constexpr unsigned FewTurns = 16;

/// What a thread does so often is no single element of its own.
inline constexpr double ManyTimes = 8;

/// Whoever makes it, a block updates an address no more often than some warp
/// does; then shared memory saves nothing.
inline constexpr double FewUpdatesOfBlock = 4;

/// Times that a block comes to each byte, and others use what one loads.
inline constexpr double OftenUsed = 4;

/// Bytes of whole sectors over those that a block needs of them: most are left
/// to nobody.
inline constexpr double LeftToNobody = 4;

/// Instructions of a side of a branch that is long.
inline constexpr double LongSide = 64;

/// The share of warps that a branch divides: bounds and edges are met by few.
inline constexpr double MostWarps = 0.5;

/// Between the two sides of an innermost loop: below, what was left out of
/// them may decide.
inline constexpr double ClearlySlower = 2;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// A table of that size is read from L1 alone (docs/validation/bounds-h200.md,
/// `cached`).
inline constexpr double FitsInL1 = 16 * 1024;

/// Elements of a row: fewer are what a lane takes.
inline constexpr std::int64_t FewestOfARow = 8;

} // namespace cudalint::threshold

#endif // CUDA_LINT_ANALYZER_MODEL_THRESHOLDS_H
