//===- analyzer/ir/RequestSums.cpp - Costs of requests, added up ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RequestSums.h"

#include "hardware/WarpTransactions.h"

#include <bit>

namespace cudalint {

/// Patterns of one access that are kept for checks and explanations: a scan of
/// 1024 elements has one or two for each of ten strides.
static constexpr std::size_t MaxSamples = 16;

double RequestSums::add(const Architecture &Arch, const Request &R,
                        unsigned Piece, const LaneOffsets &Offsets,
                        double Weight, bool IsOfOthers,
                        std::shared_ptr<const MadeUpOffsets> MadeUp) {
  // Move the pattern near zero by a distance that changes nothing.
  std::int64_t Low = INT64_MAX;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.Active >> L & 1)
      Low = std::min(Low, Offsets[L]);
  constexpr std::int64_t Period = 256;
  std::int64_t Shift = Low & ~(Period - 1);
  LaneOffsets O = {};
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.Active >> L & 1)
      O[L] = distance(Shift, Offsets[L]);
  auto It = Patterns.find({O, R.Active});
  if (It == Patterns.end()) {
    RequestCost C;
    unsigned Pieces = std::max(1u, R.Bytes / std::max(Piece, 1u));
    for (unsigned P = 0; P < Pieces; ++P) {
      LaneOffsets Q = O;
      for (std::int64_t &X : Q)
        X += P * Piece;
      RequestCost One = costOf(Arch, R, Piece, Q);
      C.PerRequest += One.PerRequest / Pieces;
      C.Ideal += One.Ideal / Pieces;
      C.BytesUsed += One.BytesUsed / Pieces;
      C.Ways = std::max(C.Ways, One.Ways);
    }
    RequestSample S;
    for (unsigned L = 0; L < WarpSize; ++L)
      S.Offset[L] = R.Active >> L & 1 ? Offsets[L] : 0;
    S.ActiveMask = R.Active;
    S.IsOfOthers = IsOfOthers;
    S.MadeUp = std::move(MadeUp);
    // Data decides many patterns of some accesses: keep memory bounded.
    if (Patterns.size() > 4096)
      Patterns.clear();
    It = Patterns.try_emplace({O, R.Active}, C, S).first;
  }
  const RequestCost &C = It->second.first;
  It->second.second.Weight += Weight;
  It->second.second.IsOfOthers &= IsOfOthers;
  Requests += Weight;
  PerRequest += Weight * C.PerRequest;
  Ideal += Weight * C.Ideal;
  BytesUsed += Weight * C.BytesUsed;
  Ways = std::max(Ways, C.Ways);
  LaneSum += Weight * std::popcount(R.Active);
  return C.PerRequest / std::max(C.Ideal, 1.0);
}

void RequestSums::bound(const Architecture &Arch, const LaneArithmetic &A,
                        const Request &R, unsigned Piece) {
  constexpr unsigned MostBounds = 4;
  if (BoundsOf >= MostBounds || (R.As && R.As->IsWider))
    return;
  BoundsOf += R.AlikeWarps;
  for (const LaneOffsets &Offsets :
       globalVariants(A, R.Address, R.Active, globalPeriod(Arch), false,
                      alignedBytes(Piece), R.Held.get())
           .Offsets) {
    const double Each = costOf(Arch, R, Piece, Offsets).PerRequest;
    Least = std::min(Least, Each);
    Most = std::max(Most, Each);
  }
}

bool RequestSums::isUneven() const {
  if (Patterns.empty())
    return false;
  const RequestCost &First = Patterns.begin()->second.first;
  return std::ranges::any_of(Patterns, [&](const auto &Each) {
    return Each.second.first.PerRequest != First.PerRequest ||
           Each.second.first.Ideal != First.Ideal;
  });
}

Traffic RequestSums::mean(unsigned Warps) const {
  Traffic P;
  P.PerRequest = PerRequest / Requests;
  P.Ideal = Ideal / Requests;
  P.Lanes = LaneSum / Requests;
  P.BytesUsed = BytesUsed / Requests;
  P.Requests = Requests / static_cast<double>(Warps);
  P.Ways = Ways;
  if (BoundsOf && Least <= Most) {
    P.Least = std::min(Least, P.PerRequest);
    P.Most = std::max(Most, P.PerRequest);
  }
  P.Warps = Warps;
  return P;
}

std::vector<RequestSample> RequestSums::samples() const {
  std::vector<std::pair<double, const RequestSample *>> Sorted;
  for (const auto &[Pattern, Value] : Patterns)
    Sorted.push_back({-Value.first.PerRequest, &Value.second});
  std::ranges::stable_sort(Sorted, {}, [](auto &X) { return X.first; });
  std::vector<RequestSample> Out;
  for (auto &[Cost, S] : Sorted) {
    if (Out.size() == MaxSamples)
      break;
    Out.push_back(*S);
    Out.back().Weight /= Requests;
  }
  return Out;
}

} // namespace cudalint
