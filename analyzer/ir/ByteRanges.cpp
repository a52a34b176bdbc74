//===- analyzer/ir/ByteRanges.cpp - Bytes that were accessed --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ByteRanges.h"

#include <algorithm>

namespace cudalint {

/// As many ranges as this of one repetition are no reason for a group.
static constexpr std::int64_t FewTimes = 16;
/// Different repetitions that are kept: each is looked for among all.
static constexpr std::size_t MostGroups = 256;

static void mergeSorted(std::vector<ByteRanges::Range> &Ranges) {
  std::ranges::sort(Ranges, {}, &ByteRanges::Range::First);
  std::size_t Last = 0;
  for (std::size_t I = 1; I < Ranges.size(); ++I)
    if (Ranges[I].First <= Ranges[Last].End)
      Ranges[Last].End = std::max(Ranges[Last].End, Ranges[I].End);
    else
      Ranges[++Last] = Ranges[I];
  if (!Ranges.empty())
    Ranges.resize(Last + 1);
}

/// Those of one repetition; null: there are too many of them.
std::vector<ByteRanges::Range> *ByteRanges::repeated(std::int64_t Move,
                                                     std::int64_t Times) {
  for (Group &Each : Groups)
    if (Each.Move == Move && Each.Times == Times)
      return &Each.Ranges;
  if (Groups.size() == MostGroups)
    return nullptr;
  return &Groups.emplace_back(Move, Times).Ranges;
}

bool ByteRanges::add(Range R, std::int64_t Move, std::int64_t Times) {
  auto IsFar = [](__int128 Address) {
    return Address < -Farthest || Address > Farthest;
  };
  if (R.First >= R.End || Times < 1)
    return true;
  const __int128 Moved = __int128(Move) * (Times - 1);
  if (IsFar(R.First) || IsFar(R.End) || IsFar(R.First + Moved) ||
      IsFar(R.End + Moved))
    return false;
  const auto Whole = static_cast<std::int64_t>(Moved);
  if (Move < 0) {
    R = {R.First + Whole, R.End + Whole};
    Move = -Move;
  }
  // One after the other without a gap: a single one.
  if (Move <= R.End - R.First) {
    R.End += std::max(Whole, -Whole);
    Times = 1;
  }
  const bool IsGroup = Times > FewTimes;
  std::vector<Range> *Found = IsGroup ? repeated(Move, Times) : repeated(0, 1);
  if (!Found)
    return false;
  std::vector<Range> &Into = *Found;
  for (std::int64_t K = 0; K < (IsGroup ? 1 : Times); ++K) {
    const Range Each = {R.First + K * Move, R.End + K * Move};
    // Most are behind the one before.
    if (!Into.empty() && Each.First <= Into.back().End &&
        Each.End >= Into.back().First) {
      Into.back().First = std::min(Into.back().First, Each.First);
      Into.back().End = std::max(Into.back().End, Each.End);
    } else {
      Into.push_back(Each);
      ++Held;
    }
  }
  return true;
}

void ByteRanges::merge() {
  Held = 0;
  for (Group &Each : Groups) {
    mergeSorted(Each.Ranges);
    Held += Each.Ranges.size();
  }
}

std::optional<ByteRanges::Size> ByteRanges::size(std::size_t Most) {
  merge();
  std::vector<Range> All;
  for (const Group &Each : Groups)
    for (const Range &R : Each.Ranges) {
      const bool IsOne = Each.Move <= R.End - R.First;
      const auto Times = static_cast<std::size_t>(IsOne ? 1 : Each.Times);
      if (Times > Most || All.size() > Most - Times)
        return std::nullopt;
      if (IsOne)
        All.push_back({R.First, R.End + Each.Move * (Each.Times - 1)});
      else
        for (std::int64_t K = 0; K < Each.Times; ++K)
          All.push_back({R.First + K * Each.Move, R.End + K * Each.Move});
    }
  mergeSorted(All);
  constexpr unsigned SectorBits = 5;
  Size Out;
  std::optional<std::int64_t> LastSector;
  for (const Range &R : All) {
    Out.Bytes += static_cast<std::uint64_t>(R.End - R.First);
    // Shifts of negative numbers round down.
    std::int64_t First = R.First >> SectorBits;
    const std::int64_t Last = (R.End - 1) >> SectorBits;
    // The ranges before may have brought the first one.
    if (LastSector && *LastSector >= First)
      First = *LastSector + 1;
    Out.Sectors += static_cast<std::uint64_t>(Last - First + 1);
    LastSector = Last;
  }
  return Out;
}

} // namespace cudalint
