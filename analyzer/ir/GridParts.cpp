//===- analyzer/ir/GridParts.cpp - Blocks that do the same ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/GridParts.h"

#include <algorithm>
#include <deque>

namespace cudalint {

namespace {
struct OpenPart {
  GridPart Part;
  /// Dimensions along which the ends of the grid were cut off.
  unsigned HasNoEnds = 0;
};
} // namespace

static std::int64_t lengthOf(const GridPart &Part, unsigned D) {
  const auto &Range = Part.Blocks[D];
  return Range ? Range->second - Range->first + 1 : 1;
}

/// The part from \p First to \p Last.
static GridPart cut(const GridPart &Part, unsigned D, std::int64_t First,
                    std::int64_t Last) {
  GridPart Result = Part;
  Result.Blocks[D] = std::pair(First, Last);
  Result.Share = Part.Share * static_cast<double>(Last - First + 1) /
                 static_cast<double>(lengthOf(Part, D));
  return Result;
}

/// Bounds are met at the ends of a grid, most of them; the others are searched
/// for by halves.
static std::vector<OpenPart> splitPart(const OpenPart &Whole, unsigned D) {
  const auto [First, Last] = *Whole.Part.Blocks[D];
  std::vector<OpenPart> Result;
  auto Add = [&](std::int64_t From, std::int64_t To) {
    if (From <= To)
      Result.push_back(
          {cut(Whole.Part, D, From, To), Whole.HasNoEnds | 1u << D});
  };
  if (!(Whole.HasNoEnds >> D & 1)) {
    Add(First, First);
    Add(First + 1, Last - 1);
    Add(std::max(First + 1, Last), Last);
  } else {
    const std::int64_t Middle = First + (Last - First) / 2;
    Add(First, Middle);
    Add(Middle + 1, Last);
  }
  return Result;
}

static GridPart wholeOf(const Extent &Grid) {
  GridPart Result;
  for (unsigned D = 0; D < 3; ++D)
    if (Grid[D].value_or(0) > 0)
      Result.Blocks[D] = std::pair(std::int64_t(0), *Grid[D] - 1);
  return Result;
}

std::vector<GridPart>
partsOf(const Extent &Grid, std::size_t Most,
        const std::function<unsigned(const BlockRanges &)> &OpenIn) {
  std::vector<GridPart> Result;
  std::deque<OpenPart> Left = {{wholeOf(Grid)}};
  while (!Left.empty()) {
    const OpenPart Next = Left.front();
    Left.pop_front();
    // Three more come of one at most.
    const bool HasRoom = Result.size() + Left.size() + 3 <= Most;
    unsigned Open = HasRoom ? OpenIn(Next.Part.Blocks) : 0;
    for (unsigned D = 0; D < 3; ++D)
      if (lengthOf(Next.Part, D) == 1)
        Open &= ~(1u << D);
    if (!Open) {
      Result.push_back(Next.Part);
      continue;
    }
    // Which of several dimensions decides may not be known: bounds are met at
    // the ends of each, and by few blocks of a long one.
    const unsigned WithEnds = Open & ~Next.HasNoEnds;
    unsigned D = 3;
    for (unsigned Each = 0; Each < 3; ++Each)
      if ((WithEnds ? WithEnds : Open) >> Each & 1 &&
          (D == 3 ||
           (!WithEnds && lengthOf(Next.Part, Each) > lengthOf(Next.Part, D))))
        D = Each;
    for (OpenPart &Each : splitPart(Next, D))
      Left.push_back(std::move(Each));
  }
  return Result;
}

std::vector<GridPart> blocksOf(const Extent &Grid) {
  std::vector<GridPart> Result = {wholeOf(Grid)};
  for (unsigned D = 3; D-- != 0;) { // x changes first
    std::vector<GridPart> Cut;
    for (const GridPart &Each : Result)
      if (!Each.Blocks[D])
        Cut.push_back(Each);
      else
        for (std::int64_t B = 0; B <= Each.Blocks[D]->second; ++B)
          Cut.push_back(cut(Each, D, B, B));
    Result = std::move(Cut);
  }
  for (GridPart &Each : Result)
    Each.Share = 1 / static_cast<double>(Result.size());
  return Result;
}

std::vector<GridPart> endsAndMiddle(const Extent &Grid) {
  const std::int64_t Blocks = *Grid[0];
  const GridPart Whole = {{std::pair(std::int64_t(0), Blocks - 1)}};
  std::vector<GridPart> Result = {cut(Whole, 0, 0, 0)};
  if (Blocks > 2)
    Result.push_back(cut(Whole, 0, 1, Blocks - 2));
  Result.push_back(cut(Whole, 0, Blocks - 1, Blocks - 1));
  return Result;
}

std::vector<GridPart> spreadOver(const Extent &Grid, std::int64_t Count) {
  static constexpr std::array<std::int64_t, 3> Order = {1, 13, 21};
  std::vector<GridPart> Result;
  for (std::int64_t B = 0; B < Count; ++B) {
    GridPart Each = {.Share = 1 / static_cast<double>(Count)};
    for (unsigned D = 0; D < 3; ++D)
      if (Grid[D]) {
        const std::int64_t Part = B * Order[D] % Count;
        const std::int64_t At = (2 * Part + 1) * *Grid[D] / (2 * Count);
        Each.Blocks[D] = std::pair(At, At);
      }
    Result.push_back(Each);
  }
  return Result;
}

} // namespace cudalint
