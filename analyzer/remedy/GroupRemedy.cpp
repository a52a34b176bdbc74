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
#include "analyzer/remedy/ColumnRemedy.h"
#include "analyzer/remedy/FieldRemedy.h"
#include "analyzer/remedy/OtherBlocks.h"
#include "analyzer/remedy/Reductions.h"
#include "analyzer/remedy/SharedLayout.h"
#include "analyzer/remedy/StructAlignment.h"
#include "analyzer/remedy/SwappedRoles.h"
#include "analyzer/remedy/VectorRemedy.h"
#include "report/Names.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string_view>

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

bool isTakenByOthers(const KernelModel &K, const Access &A) {
  const auto takesRest = [&](const Access &B) {
    return !A.Source.Text.empty() && B.Source.Text == A.Source.Text &&
           B.Op == A.Op && B.Block == A.Block && !B.Samples.empty() &&
           !(B.Samples.front().ActiveMask & A.Samples.front().ActiveMask) &&
           isThinned(B, lanePattern(B.Samples.front()));
  };
  return std::ranges::any_of(K.Accesses, takesRest);
}

static Phrase thinnedRemedy(const KernelModel &K, const Access &A) {
  if (!isTakenByOthers(K, A))
    return {"keep-used-side-by-side",
            "keep what is used here side by side: lanes between them are "
            "inactive, and what they would access is not used",
            {}};
  return {"one-access-for-both",
          A.Op == AccessOp::Store
              ? "let each branch choose the value only, and store it once "
                "behind them: the other lanes store what lies between"
              : "load it once, before the branches, for all lanes: the others "
                "load what lies between",
          {}};
}

/// Whether a warp takes rows of the block, whose lanes are side by side, from
/// one or several planes of it.
static bool hasRowsOfBlock(const Access &A) {
  if (A.Block[0] >= WarpSize || A.Block[0] < 2 || A.Block[1] * A.Block[2] < 2)
    return false;
  // At the rim of a grid, some lanes of each row stay away.
  const RequestSample &S =
      *std::ranges::max_element(A.Samples, {}, [](const RequestSample &Each) {
        return std::popcount(Each.ActiveMask);
      });
  if (2 * std::popcount(S.ActiveMask) < static_cast<int>(WarpSize))
    return false;
  unsigned Breaks = 0;
  std::optional<unsigned> Before;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!(S.ActiveMask >> Lane & 1))
      continue;
    if (Before)
      Breaks += S.Offset[Lane] - S.Offset[*Before] !=
                (Lane - *Before) * static_cast<std::int64_t>(A.Bytes);
    Before = Lane;
  }
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
  // Of a vector, all that a lane takes may be less than it could load.
  if ((G.isWhole() ||
       (A.Op == AccessOp::Load && std::abs(P.Stride) == vectorBytes(G, P))) &&
      !G.AreTurns)
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
    return thinnedRemedy(K, A);
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
  if (Phrase Columns = columnsOfBlocks(K, A); !Columns.isEmpty())
    return Columns;
  if (leavesWhatLiesBetween(K, A, G, P))
    return layOutByLanes(A);
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

static Phrase loadAlongRows() {
  return {
      "load-along-rows",
      "let neighbouring lanes load neighbouring elements: what they fill in "
      "shared memory may be filled in any order, with padded rows where that "
      "fills columns",
      {}};
}

bool ownsPartOfSector(const Access &A) {
  return A.BlockStep != 0 && std::abs(A.BlockStep) < SectorBytes &&
         (A.TurnStep == 0 || A.TurnStep >= SectorBytes);
}

Phrase sideBySideRemedy(const KernelModel &Kernel, const Access &A) {
  if (A.Source.GoesToShared)
    return loadAlongRows();
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
  if (std::optional<GroupRemedy> R = wholeVectorRemedy(Kernel, A, G))
    return std::move(*R);
  if (isElementOfField(A))
    if (Phrase Vector = asVector(G, P); !Vector.isEmpty())
      return {.Said = mayBeForNothing(Vector, A),
              .MaySaveNothing = isOfNarrowVectors(Vector, A)};
  if (A.Source.Field &&
      A.Source.Field->StructBytes > A.Source.Field->FieldBytes)
    if (std::optional<GroupRemedy> R = fieldRemedy(Kernel, A, G))
      return std::move(*R);
  if (std::optional<GroupRemedy> R = copyRemedy(A))
    return std::move(*R);
  GroupRemedy Result = {.Said = strideRemedy(Kernel, A, G, P)};
  // It fills a tile already. What the block does to others, it may to itself.
  static const std::set<std::string_view> ThroughTile = {
      "neighbours-side-by-side", "step-over-all-lanes", "row-per-warp",
      "lay-out-or-tile", "tile-for-rows"};
  if (A.Source.GoesToShared && ThroughTile.contains(Result.Said.Id))
    Result.Said = loadAlongRows();
  else if (Result.Said.Id == "row-per-warp" ||
           Result.Said.Id == "tile-for-rows")
    if (const Phrase Vectors = rowAsVectors(G, P); !Vectors.isEmpty())
      Result.Said.append(", or at least ", Vectors);
  Result.MaySaveNothing = isOfNarrowVectors(Result.Said, A);
  if (Result.Said.Id != "neighbours-in-a-row")
    return Result;
  const auto [X, Y, Z] = A.Block;
  // Another block is not for the other kernels that this launch is of.
  const bool IsFixed =
      X != Y && std::ranges::any_of(Kernel.Launches, [&](const Launch &L) {
        return L.Block == Extent{X, Y, Z} && launchesOthers(Kernel, L);
      });
  if (!IsFixed)
    Result.Effect = effectOfSwap(Kernel, A.Block);
  if (IsFixed || losesBySwap(Kernel, A.Block))
    Result.Said = A.Source.GoesToShared
                      ? loadAlongRows()
                      : Phrase{"tile-for-rows-of-block",
                               "go through a tile in shared memory",
                               {}};
  if (!Result.Effect)
    return Result;
  // Each block keeps its part of the work.
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
