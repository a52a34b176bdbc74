//===- analyzer/checks/FlatRemedy.cpp - New indices -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/AccessWords.h"
#include "analyzer/checks/SharedLayout.h"

#include <algorithm>
#include <cmath>

namespace cudalint {

namespace {
/// What one new layout of a flat array makes of an access to it.
struct FlatRemedy {
  Phrase Said; ///< Empty when none gains.
  MeanTraffic Then;
};

/// Tries layouts of the flat array that an access touches: each is counted
/// for that access and for all accesses to the array together.
class FlatLayouts {
public:
  FlatLayouts(const KernelModel &K, const Access &A)
      : Arch(*K.Gpu.Arch), A(A), All(sharers(K, A)),
        Now(costOf(Arch, All, nullptr)) {
    Best.Then.Transactions = meanShared(Arch, A).Transactions / 1.3;
    Element = A.Source.Array && A.Source.Array->ElementBytes > 0
                  ? static_cast<std::int64_t>(A.Source.Array->ElementBytes)
                  : A.Bytes;
    for (const Access *B : All)
      Widest = std::max<std::int64_t>(Widest, B->Bytes);
    Widest = std::max<std::int64_t>(Widest, A.Bytes);
  }

  /// Keeps it when it is the best one so far; \p Said says what to do.
  void consider(const Layout &New, Phrase Said) {
    const MeanTraffic Then = meanShared(Arch, A, New);
    if (Then.Transactions >= Best.Then.Transactions * 0.999 ||
        costOf(Arch, All, New).Wavefronts >= Now.Wavefronts)
      return;
    if (Then.Transactions <= Then.Ideal * 1.0001)
      Said.Text += ": no conflict then";
    else
      Said.append(": ", {"fewer-wavefronts-then",
                         "{wavefronts_then wavefront} then",
                         {{"wavefronts_then", std::round(Then.Transactions)}}});
    Best = {std::move(Said), Then};
  }

  const Architecture &Arch;
  const Access &A;
  std::vector<const Access *> All;
  LayoutCost Now;
  FlatRemedy Best;
  std::int64_t Element = 1;
  std::int64_t Widest = 1; ///< Bytes per lane of the widest access.
};
} // namespace

/// The byte that is furthest in its row of `Pitch` bytes, of all lanes.
static std::int64_t widthUsed(const std::vector<const Access *> &All,
                              std::int64_t Pitch) {
  std::int64_t Width = 0;
  for (const Access *B : All)
    for (const RequestSample &S : B->Samples)
      for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
        if (S.ActiveMask >> Lane & 1)
          Width =
              std::max(Width, S.Offset[Lane] -
                                  floorDivide(S.Offset[Lane], Pitch) * Pitch +
                                  static_cast<std::int64_t>(B->Bytes));
  return Width;
}

/// `s[row * 17 + col]` becomes `s[row * 16 + col]`: rows that are another
/// distance apart.
static void tryPitches(FlatLayouts &Try, const LanePattern &P) {
  if ((P.Kind != LanePattern::Rows && P.Kind != LanePattern::Strided) ||
      P.StrideMadeUp.Is || P.RowStrideMadeUp.Is)
    return;
  const std::int64_t Pitch =
      std::max(std::abs(P.Stride), std::abs(P.RowStride));
  if (Pitch % Try.Element != 0 || Try.Widest != Try.Element ||
      Pitch <= 2 * Try.Element)
    return;
  const std::int64_t Now = Pitch / Try.Element;
  const std::int64_t Least = widthUsed(Try.All, Pitch) / Try.Element;
  // The next ones first: they take the least memory.
  for (std::int64_t Step = 1; Step <= 32; ++Step)
    for (const std::int64_t New : {Now + Step, Now - Step})
      if (New >= Least && New > 0)
        Try.consider(padded(Pitch, New * Try.Element),
                     {"change-pitch",
                      "let the rows be {pitch} elements apart, not {pitch_now}",
                      {{"pitch", New}, {"pitch_now", Now}}});
}

/// `s[i]` becomes `s[i + i / 32]`: the run that costs least.
static void tryRuns(FlatLayouts &Try) {
  const bool IsFlat = Try.A.Source.Subscripts < 2;
  // What is skipped is as long as the widest access, which stays aligned.
  const std::int64_t Unit = std::max(Try.Element, Try.Widest);
  // A row of the banks first: it is what people know, and wins among equals;
  // then what takes less memory.
  const std::int64_t Banks = Try.Arch.CC.Major < 2 ? 16 : 32;
  for (const std::int64_t Run :
       {Banks, 4 * Banks, 2 * Banks, Banks / 2, Banks / 4}) {
    // An element must not be torn apart.
    if (Run * Unit % Try.Element != 0)
      continue;
    // Where widths differ, an index in elements would misalign the wide ones.
    Try.consider(
        padded(Run * Unit, Run * Unit + Unit),
        Unit != Try.Element || Unit != Try.A.Bytes
            ? Phrase{"skip-bytes",
                     "leave {free} bytes free after every {run} bytes",
                     {{"free", Unit}, {"run", Run * Unit}}}
            : Phrase{"skip-elements",
                     IsFlat ? "leave one element free after every {run}, index "
                              "i + i / {run} instead of i"
                            : "leave one element free after every {run}",
                     {{"run", Run}}});
  }
}

/// `s[i + i / 16]` becomes `s[i + i / 32]`: padding that was made for the 16
/// banks of old GPUs.
static void tryWiderRuns(FlatLayouts &Try, const LanePattern &P) {
  const std::int64_t Bytes = Try.A.Bytes;
  const unsigned Banks = Try.Arch.CC.Major < 2 ? 16 : 32;
  if (Bytes != 4 || Try.A.Block[1] > 1 || P.Kind != LanePattern::Rows ||
      std::abs(P.Stride) != Bytes || P.RowLanes < 2 || P.RowLanes >= Banks ||
      std::abs(P.RowStride) != Bytes * (P.RowLanes + 1))
    return;
  const std::int64_t Run = P.RowLanes;
  Try.consider(
      [=](std::int64_t Offset) {
        const std::int64_t Row = floorDivide(Offset, (Run + 1) * Bytes);
        const std::int64_t Index = (Offset - Row * Bytes) / Bytes;
        return (Index + Index / Banks) * Bytes;
      },
      {"skip-elements",
       "leave one element free after every {run}, not after every {run_now}, "
       "as there are {run} banks",
       {{"run", Banks}, {"run_now", Run}}});
}

Phrase flatRemedy(const KernelModel &K, const Access &A) {
  const LanePattern P = lanePattern(A.Samples.front());
  FlatLayouts Try(K, A);
  tryWiderRuns(Try, P);
  // Of layouts that cost the same, the one that is nearer to the source.
  if (A.Block[1] > 1)
    tryPitches(Try, P);
  tryRuns(Try);
  if (A.Block[1] <= 1)
    tryPitches(Try, P);
  return std::move(Try.Best.Said);
}

} // namespace cudalint
