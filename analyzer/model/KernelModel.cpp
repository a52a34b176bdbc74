//===- analyzer/model/KernelModel.cpp - What is known of a kernel ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/KernelModel.h"

#include "analyzer/model/LanePattern.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace cudalint {

static double waste(const Access &A) {
  return A.Predicted->Ideal > 0 ? A.Predicted->PerRequest / A.Predicted->Ideal
                                : 1;
}

/// The calls of the user's code through which its place was inlined, innermost
/// first: without those inside of what is called there.
static std::span<const Location> callsAround(const Access &A) {
  const auto Own = std::ranges::find(A.InlinedAt, A.UserWhere);
  return Own == A.InlinedAt.end() ? std::span(A.InlinedAt)
                                  : std::span(Own + 1, A.InlinedAt.end());
}

std::vector<const Access *>
KernelModel::costliestPerPlace(MemorySpace Space) const {
  // What is inlined twice may touch two arrays, each in its own way.
  using Place = std::tuple<Location, std::vector<Location>, AccessOp>;
  const auto placeOf = [](const Access &A, AccessOp Op) {
    const std::span<const Location> Calls = callsAround(A);
    return Place(A.UserWhere, {Calls.begin(), Calls.end()}, Op);
  };
  std::map<Place, const Access *> Worst;
  std::vector<const Access *> InOrder;
  for (const Access &A : Accesses) {
    if (A.Space != Space || !A.Predicted)
      continue;
    const auto [At, New] = Worst.try_emplace(placeOf(A, A.Op), &A);
    if (New)
      InOrder.push_back(&A);
    else if (waste(A) > waste(*At->second))
      At->second = &A;
  }
  for (const Access *&A : InOrder)
    A = Worst.at(placeOf(*A, A->Op));
  return InOrder;
}

std::vector<const Access *> KernelModel::judgeable(MemorySpace Space) const {
  if (Traits.Blocks.OnlyPrints)
    return {};
  std::vector<const Access *> Result = costliestPerPlace(Space);
  std::erase_if(Result, [](const Access *A) {
    return A->Stride || A->Samples.empty() || A->Predicted->Ideal <= 0 ||
           faultOf(*A) != AddressFault::None;
  });
  return Result;
}

std::optional<unsigned> KernelModel::gateWarps() const {
  if (!MinOccupancy)
    return std::nullopt;
  const unsigned Most = Gpu.Arch->WarpsPerSM;
  unsigned Warps = 1;
  while (Warps < Most && Warps < *MinOccupancy * Most)
    ++Warps;
  return Warps;
}

bool KernelModel::hasSeveralShapes() const {
  return std::any_of(Accesses.begin(), Accesses.end(), [&](const Access &A) {
    return A.Block != Accesses.front().Block;
  });
}

/// Whether \p B is what \p A is, where that has another cost, or nobody knows
/// which.
static bool costsOtherwise(const Access &A, const Access &B) {
  return B.Op == A.Op && B.UserWhere == A.UserWhere &&
         std::ranges::equal(callsAround(B), callsAround(A)) &&
         (!B.Predicted || B.Predicted->PerRequest != A.Predicted->PerRequest ||
          B.Predicted->Ideal != A.Predicted->Ideal);
}

bool KernelModel::costsByShape(const Access &A) const {
  return std::ranges::any_of(Accesses, [&](const Access &B) {
    return B.Block != A.Block && costsOtherwise(A, B);
  });
}

bool KernelModel::costsByLaunch(const Access &A) const {
  return std::ranges::any_of(Accesses, [&](const Access &B) {
    return B.Block == A.Block && costsOtherwise(A, B) &&
           std::ranges::any_of(B.Shapes, [&](unsigned Each) {
             return std::ranges::find(A.Shapes, Each) == A.Shapes.end();
           });
  });
}

std::int64_t bytesAsWritten(const Access &A) {
  const auto Bytes = static_cast<std::int64_t>(A.Source.Bytes);
  return Bytes != 0 && Bytes < A.Bytes ? Bytes : A.Bytes;
}

} // namespace cudalint
