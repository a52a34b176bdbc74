//===- report/DocumentOrder.cpp - One order for equal contents ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/DocumentOrder.h"

#include "report/JsonWriter.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace cudalint {

/// A key that orders every double, NaN among them; comparing NaN with `<` would
/// break the sort.
static std::optional<std::int64_t> orderKey(std::optional<double> Value) {
  if (!Value)
    return std::nullopt;
  auto Bits = std::bit_cast<std::int64_t>(*Value);
  return Bits < 0 ? Bits ^ INT64_MAX : Bits;
}

static auto orderKey(const LaunchRecord &L) {
  return std::tie(L.Where, L.Grid, L.Block, L.DynamicSharedBytes, L.Source);
}

static auto orderKey(const AccessRecord &A) {
  return std::tuple_cat(
      std::tie(A.Where, A.Space, A.Op, A.Bytes, A.Block, A.LoopDepth,
               A.InlinedAt, A.Unit, A.Trust, A.Assumptions),
      std::tuple(orderKey(A.PerRequest), orderKey(A.Ideal), orderKey(A.Lanes)));
}

static auto orderKey(const Finding &F) {
  static const Prediction None;
  const Prediction &P = F.Predicted ? *F.Predicted : None;
  // Of two findings on one place, the graver comes first.
  auto Gravity = -static_cast<int>(F.Level);
  return std::tuple_cat(
      std::tie(F.Where), std::tuple(Gravity),
      std::tie(F.Check, F.Kernel, F.What, F.Cause, F.Remedy, F.InlinedAt,
               F.Trust, F.Assumptions, P.Metric),
      std::tuple(orderKey(P.Value), orderKey(P.Ideal)),
      std::tie(F.Fixes, F.LanePattern, F.Detail, F.KernelSignature));
}

static auto orderKey(const KernelRecord &K) {
  return std::tie(K.Where, K.Name, K.Signature);
}

template <typename T> static void sortByKey(std::vector<T> &Records) {
  std::ranges::stable_sort(Records, [](const T &A, const T &B) {
    return orderKey(A) < orderKey(B);
  });
}

/// Several jobs of one file, with other arguments: by all that was found.
static void sortUnitsOfOneFile(std::vector<UnitRecord> &Units) {
  for (auto First = Units.begin(); First != Units.end();) {
    const auto End = std::find_if(First, Units.end(), [&](const UnitRecord &U) {
      return U.File != First->File;
    });
    if (End - First > 1)
      std::stable_sort(First, End,
                       [](const UnitRecord &A, const UnitRecord &B) {
                         return unitToJson(A) < unitToJson(B);
                       });
    First = End;
  }
}

void sortDocument(Document &Doc) {
  for (UnitRecord &Unit : Doc.Units) {
    for (KernelRecord &Kernel : Unit.Kernels) {
      sortByKey(Kernel.Launches);
      sortByKey(Kernel.Accesses);
    }
    sortByKey(Unit.Kernels);
    sortByKey(Unit.Findings);
  }
  std::ranges::stable_sort(Doc.Units, {}, &UnitRecord::File);
  sortUnitsOfOneFile(Doc.Units);
}

} // namespace cudalint
