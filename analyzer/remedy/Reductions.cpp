//===- analyzer/remedy/Reductions.cpp - Interleaved sums ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/Reductions.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>
#include <set>

namespace cudalint {

/// Bytes between each active lane and the next, where that is one distance and
/// not 0.
static std::optional<std::int64_t> distanceOf(const RequestSample &S) {
  std::optional<std::int64_t> Last, Distance;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!(S.ActiveMask >> Lane & 1))
      continue;
    if (Last && Distance && S.Offset[Lane] - *Last != *Distance)
      return std::nullopt;
    if (Last)
      Distance = S.Offset[Lane] - *Last;
    Last = S.Offset[Lane];
  }
  return Distance == 0 ? std::nullopt : Distance;
}

/// A loop whose stride doubles, as in the interleaved reduction.
static bool hasGrowingStride(const Access &A) {
  if (A.LoopDepth == 0)
    return false;
  std::set<std::int64_t> Distances;
  for (const RequestSample &S : A.Samples)
    if (const std::optional<std::int64_t> D = distanceOf(S))
      Distances.insert(std::abs(*D));
  return Distances.size() >= 3;
}

/// Lane `t` is at element `t * stride`, whatever the stride: where a reduction
/// keeps its sums. A scan has them at the ends of the parts.
static bool startsAtZero(const Access &A) {
  return std::ranges::all_of(A.Samples, [](const RequestSample &S) {
    const std::optional<std::int64_t> D = distanceOf(S);
    if (!D)
      return true;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (S.ActiveMask >> Lane & 1)
        return S.Offset[Lane] % *D == 0;
    return true;
  });
}

/// Whether \p A reads what \p Bytes of each lane of \p S are, \p Further bytes
/// behind.
static bool reads(const Access &A, const RequestSample &S, std::int64_t Further,
                  std::int64_t Bytes) {
  return std::ranges::any_of(A.Samples, [&](const RequestSample &Other) {
    if (Other.ActiveMask != S.ActiveMask)
      return false;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (S.ActiveMask >> Lane & 1 &&
          (Other.Offset[Lane] > S.Offset[Lane] + Further ||
           Other.Offset[Lane] + A.Bytes < S.Offset[Lane] + Further + Bytes))
        return false;
    return true;
  });
}

/// Of what is at one place, in whatever memory.
static bool areOfOneArray(const Access &A, const Access &B) {
  return A.Space == B.Space && A.Variable == B.Variable &&
         (A.Space == MemorySpace::Shared || A.Source.Object == B.Source.Object);
}

/// `s[i] += s[i + stride / 2]`: all that \p Store writes is read before, and so
/// is what is half a stride behind.
static bool addsHalfAStrideOn(const KernelModel &K, const Access &Store) {
  return std::ranges::all_of(Store.Samples, [&](const RequestSample &S) {
    const std::optional<std::int64_t> D = distanceOf(S);
    const auto isRead = [&](std::int64_t Further) {
      return std::ranges::any_of(K.Accesses, [&](const Access &B) {
        return B.Op == AccessOp::Load && areOfOneArray(B, Store) &&
               reads(B, S, Further, Store.Bytes);
      });
    };
    return !D || (isRead(0) && isRead(std::abs(*D) / 2));
  });
}

/// At last one lane of a warp adds: sums of eight each are meant to be several.
static bool endsWithOneLane(const Access &A) {
  return std::ranges::any_of(A.Samples, [](const RequestSample &S) {
    return std::popcount(S.ActiveMask) == 1;
  });
}

/// Lanes ask for what the sums of parts are, which are others then.
static bool isReadElsewhere(const KernelModel &K, const Access &A) {
  return std::ranges::any_of(K.Accesses, [&](const Access &B) {
    return B.Op == AccessOp::Load && areOfOneArray(A, B) &&
           B.LoopDepth < A.LoopDepth && A.Where < B.Where &&
           std::ranges::any_of(
               B.Samples,
               [](const RequestSample &S) {
                 return distanceOf(S).has_value();
               });
  });
}

bool isReduction(const KernelModel &K, const Access &A) {
  if (!hasGrowingStride(A) || !endsWithOneLane(A) || isReadElsewhere(K, A))
    return false;
  bool Stores = false;
  for (const Access &B : K.Accesses) {
    if (B.Op == AccessOp::Load || B.Space == MemorySpace::Local)
      continue;
    if (B.Space != A.Space || !hasGrowingStride(B)) {
      if (B.LoopDepth >= A.LoopDepth)
        return false;
      continue;
    }
    Stores = true;
    if (!startsAtZero(B) || !addsHalfAStrideOn(K, B))
      return false;
  }
  return Stores;
}

Phrase sequentialAddressing() {
  return {"sequential-addressing",
          "use sequential addressing: halve the stride from turn to turn, and "
          "add element tid + stride to element tid, where any order will do",
          {}};
}

} // namespace cudalint
