//===- analyzer/remedy/ColumnRemedy.cpp - Lanes a row apart ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/ColumnRemedy.h"

#include "analyzer/model/Thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace cudalint {

/// What the loop takes is no sum: it is stored as it comes.
static bool isStoredInLoop(const KernelModel &K, const Access &A) {
  return std::ranges::any_of(K.Accesses, [&](const Access &B) {
    return B.Op != AccessOp::Load && B.Space == MemorySpace::Global &&
           B.Block == A.Block && B.Place.Loop == A.Place.Loop;
  });
}

/// Lanes add up a column of which blocks that follow each other have
/// neighbouring ones: what a warp is to take, no other lane of its block has.
/// The grid shrinks where lanes take the columns: 144 us became 840 where 96
/// blocks remained of 3,072, 41 became 17 where the rows were split among
/// blocks in turn, unless these are a warp each
/// (docs/validation/applied-remedies-h200.md). A lane that takes a vector has
/// columns of its own, as in the tile of a matrix product.
Phrase columnsOfBlocks(const KernelModel &K, const Access &A) {
  // Of larger blocks, each warp may have a column.
  const auto hasSeveralColumns = [&](const Access &B) {
    return B.UserWhere == A.UserWhere && B.Op == A.Op && B.Block != A.Block &&
           B.BlockStep != A.BlockStep;
  };
  // Lanes are a row apart: less is a way along it, to other columns.
  const bool WalksAlongRow =
      A.TurnStep != 0 && !A.Samples.empty() &&
      A.TurnStep < std::abs(lanePattern(A.Samples.front()).Stride);
  static constexpr std::int64_t WidestScalar = 8; // Bytes.
  if (A.Op != AccessOp::Load || bytesAsWritten(A) > WidestScalar ||
      A.LoopDepth != 1 || A.Block[1] > 1 || A.Block[2] > 1 ||
      A.BlockStep != static_cast<std::int64_t>(A.Bytes) || WalksAlongRow ||
      isStoredInLoop(K, A) ||
      std::ranges::any_of(K.Accesses, hasSeveralColumns))
    return {};
  return {"columns-by-lanes",
          fmt::format("let the lanes of a warp take neighbouring columns, of "
                      "which a block has one here, and split the rows among "
                      "blocks{}, too, or {{fewer}} times fewer of them remain",
                      A.Block[0] > WarpSize ? "" : " of several warps"),
          {{"fewer", WarpSize}}};
}

/// Where a lane has so few elements, a warp for each row may have more to do
/// for its sum than for its row: rows of 64 floats take 1.3 times as long if
/// they stay in the caches, and 0.35 if they are read once. A tile gains in
/// both (docs/validation/applied-remedies-h200.md).
static bool hasShortRows(const Access &A) {
  constexpr double Shortest = 64, Longest = 256; // Bytes; measured.
  if (A.Op == AccessOp::Atomic || A.LoopDepth != 1 || !A.Predicted ||
      A.Predicted->MoreRequests ||
      !std::ranges::all_of(A.Frequencies, [](const Frequency &F) {
        return F.Loops.empty() && F.CutLoops.empty();
      }))
    return false;
  const double Bytes = std::round(A.Predicted->Requests) * A.Bytes;
  return Bytes > Shortest && Bytes <= Longest &&
         A.TurnStep == static_cast<std::int64_t>(A.Bytes);
}

/// Whether all that a block takes of the array leaves most of its sectors to
/// nobody: neither other lanes nor a tile make use of them then.
static bool leavesSectors(const KernelModel &K, const Access &A) {
  const auto Totals = std::ranges::find(K.Totals, A.Block, &WarpTotals::Block);
  if (Totals == K.Totals.end() || !Totals->Footprint || A.Source.Object.empty())
    return false;
  bool IsKnown = false;
  for (const ArrayFootprint &Each : Totals->Footprint->Arrays) {
    if (Each.Name != A.Source.Object)
      continue;
    if (!Each.Sectors ||
        *Each.Sectors * SectorBytes < threshold::LeftToNobody * Each.Bytes)
      return false;
    IsKnown = true;
  }
  return IsKnown;
}

/// Whether some launch that is evaluated makes both.
static bool areOfOneLaunch(const Access &A, const Access &B) {
  return A.Shapes.empty() || B.Shapes.empty() ||
         std::ranges::find_first_of(A.Shapes, B.Shapes) != A.Shapes.end();
}

bool leavesWhatLiesBetween(const KernelModel &K, const Access &A,
                           const AccessGroup &G, const LanePattern &P) {
  // Chosen: of two elements in three, a tile leaves a third.
  constexpr double MostUsed = 0.6;
  // A request may be for a piece of what is written.
  const bool AreNeighbours =
      !P.StrideMadeUp.Is &&
      std::abs(P.Stride) <= static_cast<std::int64_t>(A.Source.Bytes);
  if (A.Lattice == 0 || A.Source.Object.empty() || AreNeighbours ||
      G.UsedShare > MostUsed)
    return false;
  return std::ranges::all_of(K.Accesses, [&](const Access &B) {
    return B.Block != A.Block || B.Op != A.Op ||
           B.Source.Object != A.Source.Object || !areOfOneLaunch(A, B) ||
           B.Lattice == A.Lattice ||
           std::ranges::find(G.Members, &B) != G.Members.end();
  });
}

Phrase layOutByLanes(const Access &A) {
  if (A.BlockStep == static_cast<std::int64_t>(A.Bytes) && A.Predicted &&
      A.Predicted->Lanes == WarpSize)
    return {"tile-over-blocks",
            "let each block take a tile of several rows and columns through "
            "shared memory: other blocks take what lies beside it",
            {}};
  if (A.HasBlockQuotient)
    return {"tile-if-over-blocks",
            "where other blocks take what lies between, let each take a tile "
            "of several rows and columns through shared memory; else only a "
            "layout with these elements side by side takes fewer",
            {}};
  return {"lay-out-by-lanes",
          "only a layout with these elements side by side takes fewer, if all "
          "else that uses the array allows one: the block takes nothing of "
          "what lies between",
          {}};
}

Phrase layOutOrTile() {
  return {"lay-out-or-tile",
          "lay the array out so that what neighbouring lanes take here is side "
          "by side, if all else that uses it allows that, or go through a tile "
          "in shared memory where the block takes whole rows",
          {}};
}

Phrase columnRemedy(const KernelModel &K, const Access &A) {
  // Whichever index counts along it, a row of the block is no sector.
  if (const std::int64_t Row = A.Block[1] * static_cast<std::int64_t>(A.Bytes);
      A.Block[1] != 1 && A.Block[2] == 1 && Row < SectorBytes &&
      A.Block[0] * static_cast<std::int64_t>(A.Bytes) < SectorBytes)
    return {"longer-rows",
            "let a block have more threads along a row: those of {threads} "
            "threads are {bytes} of the {sector_bytes} bytes of a sector",
            {{"threads", A.Block[1]},
             {"bytes", Row},
             {"sector_bytes", SectorBytes}}};
  if (A.Block[1] != 1 || A.Block[2] != 1)
    return {
        "neighbours-in-a-row",
        "go through a tile in shared memory, or let threadIdx.x count along "
        "a row, if all else that uses it allows that",
        {}};
  // No turn comes to what lies beside it; the rest of the block may, and other
  // blocks. What a few lanes leave of each block is not theirs to share.
  if (A.LoopDepth == 0 && leavesSectors(K, A))
    return layOutByLanes(A);
  if (A.LoopDepth == 0)
    return layOutOrTile();
  if (hasShortRows(A))
    return {"tile-for-rows",
            "go through a tile in shared memory, or, if they are read once, "
            "let the lanes of a warp take neighbouring elements of one row",
            {}};
  // By how much a turn goes on is not known: it may leave what lies between.
  if (A.TurnStep == 0)
    return {"row-per-warp",
            "let the lanes of a warp take neighbouring elements of one row, or "
            "go through a tile in shared memory, where the block takes what "
            "lies between, too; else only another layout takes fewer",
            {}};
  return {"row-per-warp",
          "let the lanes of a warp take neighbouring elements of one row, or "
          "go through a tile in shared memory",
          {}};
}

} // namespace cudalint
