//===- analyzer/checks/BankRemedy.cpp - What removes a bank conflict ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/BankRemedy.h"

#include "analyzer/checks/AccessWords.h"
#include "analyzer/checks/LanePattern.h"
#include "analyzer/checks/SharedLayout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cudalint {

unsigned lanesThatTakeTurns(const Access &A) {
  if (A.Op != AccessOp::Atomic || A.Kind == RequestKind::Increment)
    return 1;
  unsigned Most = 1;
  for (const RequestSample &S : A.Samples) {
    std::map<std::int64_t, unsigned> Lanes;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (S.ActiveMask >> Lane & 1)
        Most = std::max(Most, ++Lanes[S.Offset[Lane]]);
  }
  return Most;
}

/// `tile[a][b]` names every dimension, so that a longer row changes nothing
/// but the distance of rows; a cast or a flat pointer would break.
static bool namesEveryDimension(const Access &A) {
  return A.Source.Subscripts == A.Source.Array->Dimensions.size();
}

/// True when every shared access of the kernel is known to name its array in
/// full: then nothing reads this one through a pointer.
static bool isSafeToPad(const KernelModel &K) {
  return std::all_of(K.Accesses.begin(), K.Accesses.end(), [](const Access &A) {
    return A.Space != MemorySpace::Shared ||
           (A.Source.Array && namesEveryDimension(A));
  });
}

/// What is left, in words that follow a colon.
static Phrase effect(const LayoutCost &Now, const LayoutCost &Then) {
  if (Then.isFree())
    return {"no-conflict-then", "no access to it conflicts then", {}};
  return {"fewer-wavefronts-then",
          "its accesses take {wavefronts_percent} % of the wavefronts then",
          {{"wavefronts_percent",
            std::round(100 * Then.Wavefronts / Now.Wavefronts)}}};
}

static std::string dimensions(const ArrayFact &Array, std::uint64_t Pad) {
  std::string Text;
  for (std::size_t I = 0; I + 1 < Array.Dimensions.size(); ++I)
    Text += fmt::format("[{}]", Array.Dimensions[I]);
  return fmt::format("{}[{} + {}]", Text, Array.Dimensions.back(), Pad);
}

static BankRemedy padRows(const KernelModel &K, const Access &A) {
  const Architecture &Arch = *K.Gpu.Arch;
  const ArrayFact &Array = *A.Source.Array;
  const std::uint64_t Element = Array.ElementBytes;
  const std::uint64_t Pitch = Array.Dimensions.back() * Element;
  std::uint64_t Rows = 1;
  for (std::size_t I = 0; I + 1 < Array.Dimensions.size(); ++I)
    Rows *= Array.Dimensions[I];
  const std::vector<const Access *> All = sharers(K, A);
  std::uint64_t Widest = 1;
  for (const Access *B : All)
    Widest = std::max<std::uint64_t>(Widest, B->Bytes);

  const LayoutCost Now = costOf(Arch, All, nullptr);
  std::uint64_t Best = 0;
  LayoutCost Least = Now;
  // More than a quarter of a row is a high price for what a wider block or a
  // swizzle gives for nothing.
  const std::uint64_t MostPad =
      std::clamp<std::uint64_t>(Array.Dimensions.back() / 4, 4, 32);
  for (std::uint64_t Pad = 1; Pad <= MostPad; ++Pad) {
    // A wide access must stay aligned in every row, and the block must still
    // start.
    if (Pad * Element % std::min(Widest, std::uint64_t(16)) != 0 &&
        Widest > Element)
      continue;
    if (K.staticShared().value_or(0) + Pad * Element * Rows >
        Arch.SharedPerBlock)
      break;
    const LayoutCost C =
        costOf(Arch, All, padded(Pitch, Pitch + Pad * Element));
    if (C.Wavefronts < Least.Wavefronts * 0.999) {
      Least = C;
      Best = Pad;
    }
    if (C.isFree())
      break;
  }
  // Half a remedy is not worth more shared memory.
  if (Best == 0 || (!Least.isFree() && Least.Wavefronts > Now.Wavefronts / 1.3))
    return {};
  BankRemedy R;
  R.IsComplete = Least.isFree();
  R.Said = {"pad-rows",
            "declare '{array}{dimensions}'",
            {{"array", A.Source.Object},
             {"dimensions", dimensions(Array, Best)},
             {"pad_elements", Best}}};
  R.Said.append(": ", effect(Now, Least));
  if (R.IsComplete && !Array.PadPoint.File.empty() && isSafeToPad(K))
    R.Edit = Fix{fmt::format("pad the rows of '{}' by {}, {} more bytes of "
                             "shared memory per block",
                             A.Source.Object, countOf(Best, "element"),
                             Best * Element * Rows),
                 FixSafety::Safe,
                 {{Array.PadPoint.File, Array.PadPoint.Offset, 0,
                   fmt::format(" + {}", Best)}}};
  return R;
}

static BankRemedy swizzleRows(const KernelModel &K, const Access &A) {
  const ArrayFact &Array = *A.Source.Array;
  const std::uint64_t Columns = Array.Dimensions.back();
  if (Columns < 2 || (Columns & (Columns - 1)) != 0)
    return {};
  const std::vector<const Access *> All = sharers(K, A);
  for (const Access *B : All)
    if (B->Bytes > Array.ElementBytes)
      return {}; // A swizzle of elements tears a wider access apart.
  const Architecture &Arch = *K.Gpu.Arch;
  const LayoutCost Now = costOf(Arch, All, nullptr);
  const LayoutCost Then =
      costOf(Arch, All,
             swizzled(static_cast<std::int64_t>(Array.ElementBytes),
                      static_cast<std::int64_t>(Columns)));
  if (Then.Wavefronts > Now.Wavefronts / 1.3)
    return {};
  Phrase Said{"swizzle-columns",
              "keep element (row, col) of '{array}' at column col ^ (row % "
              "{columns})",
              {{"array", A.Source.Object}, {"columns", Columns}}};
  return {Said.append(": ", effect(Now, Then)), std::nullopt, Then.isFree()};
}

/// Structs in shared memory that are read field by field.
static BankRemedy padStruct(const KernelModel &K, const Access &A) {
  const FieldFact &Field = *A.Source.Field;
  const auto Size = static_cast<std::int64_t>(Field.StructBytes);
  const double Enough = A.Predicted->PerRequest / 1.3;
  const auto then = [&](const Layout &New) {
    return meanShared(*K.Gpu.Arch, A, New).Transactions;
  };
  Phrase Said;
  if (then(fieldAlone(Field)) <= Enough)
    Said = {"fields-apart",
            "keep the fields of '{struct}' in arrays of their own",
            {{"struct", Field.Struct}}};
  // One more word takes structs of an even number of words apart.
  if (Size % 4 == 0 && then(padded(Size, Size + 4)) <= Enough)
    Said.append(", or ",
                {"pad-struct",
                 Said.isEmpty() ? "make '{struct}' {bytes} bytes with one more "
                                  "word"
                                : "make it {bytes} bytes with one more word",
                 {{"struct", Field.Struct}, {"bytes", Size + 4}}});
  return {std::move(Said), std::nullopt};
}

/// Bytes between lanes, of the requests in which that is one distance.
static std::set<std::int64_t> stridesOf(const Access &A) {
  std::set<std::int64_t> Strides;
  for (const RequestSample &S : A.Samples) {
    const LanePattern P = lanePattern(S);
    if (P.Kind == LanePattern::Strided)
      Strides.insert(std::abs(P.Stride));
  }
  return Strides;
}

/// A loop whose stride doubles, as in the interleaved reduction.
static bool hasGrowingStride(const Access &A) {
  return A.LoopDepth > 0 && stridesOf(A).size() >= 3;
}

/// Lane `t` is at element `t * stride`, whatever the stride: where a reduction
/// keeps its sums. A scan has them at the ends of the parts.
static bool startsAtZero(const Access &A) {
  return std::all_of(A.Samples.begin(), A.Samples.end(),
                     [](const RequestSample &S) {
                       const LanePattern P = lanePattern(S);
                       if (P.Kind != LanePattern::Strided || P.Stride == 0)
                         return true;
                       for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
                         if (S.ActiveMask >> Lane & 1)
                           return S.Offset[Lane] % P.Stride == 0;
                       return true;
                     });
}

/// The interleaved reduction: all that the kernel stores at a growing stride
/// are sums that a reduction keeps.
static bool isReduction(const KernelModel &K, const Access &A) {
  if (!hasGrowingStride(A))
    return false;
  bool Stores = false;
  for (const Access &B : K.Accesses) {
    if (B.Space != MemorySpace::Shared || B.Op == AccessOp::Load ||
        !hasGrowingStride(B))
      continue;
    Stores = true;
    if (!startsAtZero(B))
      return false;
  }
  return Stores;
}

/// A block of 16x16 has two rows of a tile in each warp: 32 neighbours of one
/// row have a bank each.
static bool isForWiderBlocks(const LanePattern &P, const Access &A) {
  return A.Block[0] < WarpSize && P.Kind == LanePattern::Rows &&
         P.RowLanes < WarpSize && P.RowStride != 0 &&
         std::abs(P.Stride) == static_cast<std::int64_t>(A.Bytes);
}

static BankRemedy said(const char *Id, const char *Text) {
  return {{Id, Text, {}}, std::nullopt};
}

BankRemedy findBankRemedy(const KernelModel &K, const Access &A) {
  if (lanesThatTakeTurns(A) > 1)
    return said("combine-in-warp",
                "combine the values of the warp first, with shuffles or "
                "__reduce_add_sync, and let one lane update");
  if (isReduction(K, A))
    return said("sequential-addressing",
                "use sequential addressing: halve the stride from turn to "
                "turn, and add element tid + stride to element tid");
  const bool IsTable = A.Source.Array && A.Source.Array->ElementBytes > 0 &&
                       A.Source.Array->Dimensions.size() >= 2 &&
                       A.Source.Array->Dimensions.back() > 0;
  if (IsTable) {
    BankRemedy Padding = padRows(K, A);
    if (Padding.IsComplete)
      return Padding;
    // Rows of 16 lanes and a column of a 16x16 tile want different pitches: a
    // swizzle can suit both.
    BankRemedy Swizzle = swizzleRows(K, A);
    if (Swizzle.IsComplete)
      return Swizzle;
    if (!Padding.Said.isEmpty())
      return Padding;
    if (!Swizzle.Said.isEmpty())
      return Swizzle;
  }
  if (A.Source.Field && A.Source.Field->StructBytes > A.Bytes)
    if (BankRemedy R = padStruct(K, A); !R.Said.isEmpty())
      return R;
  const LanePattern P = lanePattern(A.Samples.front());
  // Where the rows have room for 32 lanes, no array changes.
  const bool IsNarrow = isForWiderBlocks(P, A);
  if (IsNarrow &&
      std::abs(P.RowStride) >= static_cast<std::int64_t>(WarpSize * A.Bytes))
    return said("widen-block",
                "make the block 32 wide in x, so that a warp is in one row");
  if (!IsTable)
    if (Phrase Said = flatRemedy(K, A); !Said.isEmpty())
      return {std::move(Said), std::nullopt};
  if (IsNarrow)
    return said("widen-block-and-rows",
                "make the block 32 wide in x, and the rows of the array with "
                "it, so that a warp is in one row");
  // 1.x serves wide accesses word by word.
  if (K.Gpu.Arch->CC.Major < 2 && A.Bytes > 4)
    return said("words-apart",
                "keep the words of the vector in arrays of their own");
  return {};
}

} // namespace cudalint
