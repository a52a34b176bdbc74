//===- analyzer/remedy/GroupRemedy.cpp - Fewer sectors --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/GroupRemedy.h"

#include "analyzer/model/AccessWords.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/FieldRemedy.h"
#include "analyzer/remedy/Reductions.h"
#include "analyzer/remedy/SharedLayout.h"
#include "analyzer/remedy/SwappedRoles.h"
#include "analyzer/remedy/VectorRemedy.h"
#include "report/Names.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace cudalint {

Phrase absorbed(const AccessGroup &G, std::string_view Which, Phrase Remedy) {
  const std::string Who =
      G.AreTurns ? "the turns of the loop"
                 : fmt::format("the {{accesses}} {}s {}",
                               nameOf(G.Members.front()->Op), Which);
  Phrase Why{Remedy.Id,
             Who + " together use {percent_used} % of the bytes they fetch, so "
                   "with an L1 the waste is L1 requests, not DRAM traffic",
             {{"accesses", G.Members.size()},
              {"percent_used", std::round(100 * G.UsedShare)}}};
  Remedy.Text += ", which may save no time";
  return Remedy.append(": ", Why);
}

static Phrase pieceRemedy(const AccessGroup &G, const LanePattern &P) {
  const Phrase Staging{"stage-in-shared",
                       "copy through shared memory with neighbouring lanes on "
                       "neighbouring elements",
                       {}};
  return absorbed(G, "that differ from it by a constant",
                  asVector(G, P).append(", or ", Staging));
}

/// The lanes that are active have neighbouring elements as far as they are
/// neighbours: `if (tid % 2 == 0) … a[tid]`.
static bool isThinned(const Access &A, const LanePattern &P) {
  if (!P.HasGaps || P.StrideMadeUp.Is)
    return false;
  const RequestSample &S = A.Samples.front();
  const int First = std::countr_zero(S.ActiveMask);
  for (int Lane = First; Lane < static_cast<int>(WarpSize); ++Lane)
    if (S.ActiveMask >> Lane & 1 &&
        S.Offset[Lane] - S.Offset[First] !=
            (Lane - First) * static_cast<std::int64_t>(A.Bytes))
      return false;
  return true;
}

/// Whether a warp takes rows of the block, whose lanes are side by side, from
/// one or several planes of it.
static bool hasRowsOfBlock(const Access &A) {
  if (A.Block[0] >= WarpSize || A.Block[0] < 2 || A.Block[1] * A.Block[2] < 2)
    return false;
  const RequestSample &S = A.Samples.front();
  if (std::popcount(S.ActiveMask) != static_cast<int>(WarpSize))
    return false;
  unsigned Breaks = 0;
  for (unsigned Lane = 1; Lane < WarpSize; ++Lane)
    Breaks += S.Offset[Lane] - S.Offset[Lane - 1] !=
              static_cast<std::int64_t>(A.Bytes);
  // A row may begin anywhere in the warp.
  return Breaks > 0 && Breaks <= (WarpSize + A.Block[0] - 1) / A.Block[0];
}

/// Whether lanes that follow each other in x are neighbours, or at one address,
/// in all that the kernel accesses: a wider block is good for all of it.
static bool isForWiderBlocks(const KernelModel &K, const Access &A) {
  return std::ranges::all_of(K.Accesses, [&](const Access &B) {
    if (B.Block != A.Block || B.Space != MemorySpace::Global)
      return true;
    // Where data decides, it is so in any block.
    if (!B.Predicted && B.Cause == UnknownCause::LoadedData)
      return true;
    if (!B.Predicted || B.Samples.empty() || B.Stride)
      return false;
    const LanePattern P = lanePattern(B.Samples.front());
    return hasRowsOfBlock(B) || P.Kind == LanePattern::Lone ||
           P.Kind == LanePattern::Same ||
           (P.Kind != LanePattern::Scattered &&
            std::abs(P.Stride) <= static_cast<std::int64_t>(B.Bytes));
  });
}

/// Whether the turns of a short loop are a lane's own few elements. Along a
/// column, a long loop walks down a row, and in a block of several rows other
/// lanes are there to take what is side by side.
static bool isRunOfLane(const Access &A, const AccessGroup &G, bool IsColumn) {
  if (A.Op == AccessOp::Atomic ||
      (!G.AreTurns && (G.Members.size() < 2 || A.LoopDepth == 0)))
    return false;
  const unsigned Turns = A.LoopTurns.empty() ? 0 : A.LoopTurns.front();
  return !IsColumn ||
         (A.Block[1] == 1 && Turns > 0 && Turns <= threshold::FewTurns);
}

/// Whether it makes one access of a few, and that moves fewer bytes of a lane
/// than there are instructions for: measured,
/// docs/validation/applied-remedies-h100.md.
static bool isOfNarrowVectors(const Phrase &Remedy, const Access &A) {
  const NamedValue *Elements = Remedy.find("vector_elements");
  return Elements && Remedy.Id != "unroll-to-vectors" &&
         std::get<double>(Elements->What) * A.Bytes < 16;
}

static Phrase mayBeForNothing(Phrase Vector, const Access &A) {
  if (isOfNarrowVectors(Vector, A))
    Vector.Text += ", which may save no time";
  return Vector;
}

/// One of several elements that a field has: `data[i].values[k]`.
static bool isElementOfField(const Access &A) {
  return A.Source.Field && A.Source.Bytes != 0 &&
         A.Source.Bytes < A.Source.Field->FieldBytes;
}

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
static Phrase columnsOfBlocks(const KernelModel &K, const Access &A) {
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

bool storesVectorsSideBySide(const Access &A, const LanePattern &P) {
  const std::uint64_t Bytes = A.Source.Bytes;
  return A.Op == AccessOp::Store && (Bytes == 8 || Bytes == 16) &&
         A.Source.Align == Bytes && A.Bytes < Bytes && !A.Source.Field &&
         static_cast<std::uint64_t>(std::abs(P.Stride)) == Bytes;
}

static Phrase atOneAddress(AccessOp Op) {
  switch (Op) {
  case AccessOp::Load:
    return {"fetch-once",
            "keep it in constant memory, or let one lane fetch it",
            {}};
  case AccessOp::Store:
    return {"store-once", "let one lane store it", {}};
  case AccessOp::Atomic:
    return {"update-once",
            "combine what the block adds in shared memory first, and let one "
            "thread update it",
            {}};
  }
  return {};
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

static Phrase layOutOrTile() {
  return {"lay-out-or-tile",
          "lay the array out so that what neighbouring lanes take here is side "
          "by side, if all else that uses it allows that, or go through a tile "
          "in shared memory where the block takes whole rows",
          {}};
}

/// Of lanes that walk down a column.
static Phrase columnRemedy(const KernelModel &K, const Access &A) {
  if (Phrase Columns = columnsOfBlocks(K, A); !Columns.isEmpty())
    return Columns;
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
  if (A.LoopDepth == 0 && leavesSectors(K, A)) {
    if (A.BlockStep == static_cast<std::int64_t>(A.Bytes) && A.Predicted &&
        A.Predicted->Lanes == WarpSize)
      return {"tile-over-blocks",
              "let each block take a tile of several rows and columns through "
              "shared memory: other blocks take what lies beside it",
              {}};
    return {
        "lay-out-by-lanes",
        "only a layout with these elements side by side takes fewer, if all "
        "else that uses the array allows one: the block takes nothing of "
        "what lies between",
        {}};
  }
  if (A.LoopDepth == 0)
    return layOutOrTile();
  if (hasShortRows(A))
    return {"tile-for-rows",
            "go through a tile in shared memory, or, if they are read once, "
            "let the lanes of a warp take neighbouring elements of one row",
            {}};
  return {"row-per-warp",
          "let the lanes of a warp take neighbouring elements of one row, or "
          "go through a tile in shared memory",
          {}};
}

static Phrase widerBlock(bool AtOneAddress) {
  return {"widen-block",
          AtOneAddress
              ? "make the block wider in x, and let the kernel and its launch "
                "work with that, so that a warp is in fewer rows"
              : "make the block wider in x, and let the kernel and its launch "
                "work with that, so that a row of lanes fills whole sectors",
          {}};
}

static Phrase strideRemedy(const KernelModel &K, const Access &A,
                           const AccessGroup &G, const LanePattern &P) {
  if (storesVectorsSideBySide(A, P))
    return {};
  // Loads of several turns that a cache makes up for are not told of.
  if (G.isAbsorbed() && !G.AreTurns && K.Gpu.Arch->CC.Major >= 2)
    return pieceRemedy(G, P);
  if (G.isWhole() && !G.AreTurns)
    if (Phrase Vector = asVector(G, P); !Vector.isEmpty())
      return mayBeForNothing(std::move(Vector), A);
  if (Phrase Vector = asVectorOfOthers(K, A, P); !Vector.isEmpty())
    return mayBeForNothing(std::move(Vector), A);
  if (P.Kind == LanePattern::Same) // Only before 1.2 is that a fault.
    return atOneAddress(A.Op);
  if (P.Kind == LanePattern::Scattered && hasRowsOfBlock(A) &&
      isForWiderBlocks(K, A))
    return widerBlock(/*AtOneAddress=*/false);
  // Neither loops nor threadIdx place lanes that choose an array or an index.
  if (P.Kind == LanePattern::Scattered ||
      (P.StrideMadeUp.Is && P.Symbol.empty()))
    return {"neighbours-side-by-side",
            "let neighbouring lanes take neighbouring elements, or go through "
            "a tile in shared memory",
            {}};
  if (isReduction(K, A))
    return sequentialAddressing();
  if (isThinned(A, P))
    return {"keep-used-side-by-side",
            "keep what is used here side by side: lanes between them are "
            "inactive, and what they would access is not used",
            {}};
  // Lanes are neighbours already, each with vectors side by side: two stores of
  // them in a row take 2.4 times as long as where they are staged.
  if (G.isWhole() && !G.AreTurns && A.Bytes == WidestVector &&
      P.Kind == LanePattern::Strided)
    return {"stage-in-shared",
            "copy through shared memory with neighbouring lanes on "
            "neighbouring elements, or, where each element is worked on alone, "
            "let neighbouring lanes have neighbouring ones",
            {}};
  // A warp that reads a row's width per lane walks down a column. Lanes that
  // share sectors are in one row.
  const bool IsColumn =
      std::abs(P.Stride) >= 128 ||
      (std::abs(P.Stride) >= SectorBytes &&
       ((A.Source.Array && A.Source.Array->Dimensions.size() >= 2) ||
        A.Block[1] > 1));
  if (isRunOfLane(A, G, IsColumn))
    if (Phrase Vector = turnsAsVectors(*K.Gpu.Arch, G, P); !Vector.isEmpty())
      return Vector;
  // The sectors at the ends of rows are for fewer, longer rows to save.
  if (P.Kind == LanePattern::Rows && P.RowStride != 0 && A.Block[1] > 1 &&
      A.Block[0] < WarpSize &&
      std::abs(P.Stride) <= static_cast<std::int64_t>(A.Bytes) &&
      isForWiderBlocks(K, A))
    return widerBlock(P.Stride == 0);
  if (IsColumn)
    return columnRemedy(K, A);
  if (A.LoopDepth > 0)
    // What a lane adds up may be any elements, what it works on may not.
    return {"step-over-all-lanes",
            "let the lanes take neighbouring elements in each turn of the "
            "loop, if any lane may take them, else go through a tile in shared "
            "memory",
            {}};
  return {"neighbours-side-by-side",
          "let neighbouring lanes take neighbouring elements, or copy through "
          "shared memory",
          {}};
}

bool ownsPartOfSector(const Access &A) {
  return A.BlockStep != 0 && std::abs(A.BlockStep) < SectorBytes &&
         (A.TurnStep == 0 || A.TurnStep >= SectorBytes);
}

Phrase sideBySideRemedy(const KernelModel &Kernel, const Access &A) {
  if (Phrase Columns = columnsOfBlocks(Kernel, A); !Columns.isEmpty())
    return Columns;
  if (ownsPartOfSector(A))
    return {"widen-tile",
            "let a block take more columns: the {bytes byte} that it has of a "
            "row are less than the {sector_bytes} of a sector",
            {{"bytes", std::abs(A.BlockStep)}, {"sector_bytes", SectorBytes}}};
  // No turn and no other row of the block comes to what lies beside it.
  if (A.LoopDepth == 0 && A.Block[1] == 1 && A.Block[2] == 1)
    return layOutOrTile();
  return {"neighbours-side-by-side",
          "let neighbouring lanes take neighbouring elements, or go through a "
          "tile in shared memory",
          {}};
}

GroupRemedy groupRemedy(const KernelModel &Kernel, const Access &A,
                        const AccessGroup &G, const LanePattern &P) {
  if (std::optional<GroupRemedy> R = wholeVectorRemedy(A, G))
    return std::move(*R);
  if (isElementOfField(A))
    if (Phrase Vector = asVector(G, P); !Vector.isEmpty())
      return {.Said = mayBeForNothing(Vector, A),
              .MaySaveNothing = isOfNarrowVectors(Vector, A)};
  if (A.Source.Field &&
      A.Source.Field->StructBytes > A.Source.Field->FieldBytes)
    if (std::optional<GroupRemedy> R = fieldRemedy(Kernel, A, G))
      return std::move(*R);
  GroupRemedy Result = {.Said = strideRemedy(Kernel, A, G, P)};
  Result.MaySaveNothing = isOfNarrowVectors(Result.Said, A);
  if (Result.Said.Id != "neighbours-in-a-row")
    return Result;
  Result.Effect = effectOfSwap(Kernel, A.Block);
  if (!Result.Effect)
    return Result;
  // Each block keeps its part of the work.
  const auto [X, Y, Z] = A.Block;
  Result.Said = {
      "swap-thread-roles",
      X == Y ? "swap the roles of threadIdx.x and threadIdx.y"
      : A.BlockSource == LaunchSource::Assumed
          ? "swap threadIdx.x and blockDim.x with threadIdx.y and blockDim.y, "
            "and these sizes where it is launched, in the grid as it is"
          : "swap threadIdx.x and blockDim.x with threadIdx.y and "
            "blockDim.y, and launch blocks of {block}, in the grid as "
            "it is",
      {}};
  if (X != Y && A.BlockSource != LaunchSource::Assumed)
    Result.Said.Values.emplace_back("block",
                                    Z == 1 ? fmt::format("{}x{}", Y, X)
                                           : fmt::format("{}x{}x{}", Y, X, Z));
  Result.Said.append(": ", {"fewer-then",
                            "{before} {unit} of a warp become {after}",
                            {{"before", std::round(Result.Effect->Before)},
                             {"unit", globalUnit(*Kernel.Gpu.Arch)},
                             {"after", std::round(Result.Effect->After)}}});
  return Result;
}

} // namespace cudalint
