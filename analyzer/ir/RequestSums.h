//===- analyzer/ir/RequestSums.h - Costs of requests, added up --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the requests of one access cost, added up in three ways: by pattern,
/// which gives means and samples; in the order in which each warp makes them;
/// and as expectations where data decides the addresses. All are weighted by
/// the number of warps and blocks that a request stands for.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_REQUESTSUMS_H
#define CUDA_LINT_ANALYZER_IR_REQUESTSUMS_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/RequestCost.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cudalint {

/// Of offsets or addresses. Hostile ones wrap, as addresses do.
inline std::int64_t distance(std::int64_t From, std::int64_t To) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(To) -
                                   static_cast<std::uint64_t>(From));
}

/// What requests cost, added up.
struct RequestSums {
  /// What a request costs if sizes that are taken to be round are not.
  double Least = INFINITY, Most = 0;
  unsigned BoundsOf = 0; ///< So many requests.
  double Requests = 0, PerRequest = 0, Ideal = 0, LaneSum = 0, BytesUsed = 0;
  unsigned Ways = 0;
  /// Costs of patterns seen, by offsets relative to the first and remainder.
  std::map<std::pair<LaneOffsets, LaneMask>,
           std::pair<RequestCost, RequestSample>>
      Patterns;

  /// Adds \p Weight requests as \p R, of \p Piece bytes each, at these
  /// offsets, and says what one costs, per ideal. \p IsOfOthers as in
  /// RequestSample.
  double add(const Architecture &Arch, const Request &R, unsigned Piece,
             const LaneOffsets &Offsets, double Weight, bool IsOfOthers,
             std::shared_ptr<const MadeUpOffsets> MadeUp);

  /// Notes what the request costs at least and at most if run-time sizes are
  /// not the multiples of 32 that they are taken to be.
  void bound(const Architecture &Arch, const LaneArithmetic &A,
             const Request &R, unsigned Piece);

  /// Whether requests do not all cost the same.
  bool isUneven() const;

  /// Means; of Traffic's Requests, those of each of so many warps.
  Traffic mean(unsigned Warps) const;

  /// Up to sixteen patterns, the costliest first.
  std::vector<RequestSample> samples() const;
};

/// The requests of an access in the order in which each warp makes them, as
/// long as that is one for all warps.
class RequestOrder {
public:
  /// The next request of the warp that run number \p Run is of.
  void add(unsigned Run, const Traffic &Mean) {
    if (IsBroken)
      return;
    if (Run != Current) {
      finishWarp();
      Current = Run;
    }
    if (Next == MostRequests || (Length && Next == Length)) {
      stop();
      return;
    }
    if (Next == Sum.size())
      Sum.emplace_back();
    Traffic &Into = Sum[Next++];
    Into.Requests += Mean.Requests;
    Into.PerRequest += Mean.Requests * Mean.PerRequest;
    Into.Ideal += Mean.Requests * Mean.Ideal;
    Into.Lanes += Mean.Requests * Mean.Lanes;
  }
  /// There is no such order.
  void stop() {
    IsBroken = true;
    Sum.clear();
  }
  /// Empty unless the requests differ.
  std::vector<Traffic> finish() {
    finishWarp();
    for (Traffic &T : Sum) {
      T.PerRequest /= T.Requests;
      T.Ideal /= T.Requests;
      T.Lanes /= T.Requests;
      T.Requests = 1;
    }
    // Blocks that are a tenth of the grid do not add up to the last bit.
    auto IsAsFirst = [&](double Traffic::*Mean) {
      return std::ranges::all_of(Sum, [&](const Traffic &T) {
        return std::abs(T.*Mean - Sum[0].*Mean) <= 1e-9 * Sum[0].*Mean;
      });
    };
    if (IsAsFirst(&Traffic::PerRequest) && IsAsFirst(&Traffic::Ideal) &&
        IsAsFirst(&Traffic::Lanes))
      return {};
    return std::move(Sum);
  }

private:
  void finishWarp() {
    if (Next && Length && Next != Length)
      stop();
    if (Next && !Length)
      Length = Next;
    Next = 0;
  }
  static constexpr std::size_t MostRequests = 1024;
  std::vector<Traffic> Sum;
  std::size_t Next = 0, Length = 0;
  unsigned Current = 0;
  bool IsBroken = false;
};

/// What requests at addresses from data cost, added up.
class RandomSums {
public:
  RandomSums() = default;
  /// No request of one lane costs more than \p MostOfLane.
  explicit RandomSums(double MostOfLane) : MostOfLane(MostOfLane) {}

  /// \p Weight requests, of which nothing but the lanes is known without
  /// \p Each.
  void add(const std::optional<Expectation> &Each, double RequestLanes,
           double Weight) {
    All += Weight;
    Lanes += Weight * RequestLanes;
    MostLanes = std::max(MostLanes, RequestLanes);
    if (!Each)
      return;
    Known += Weight;
    Sum.PerRequest += Weight * Each->PerRequest;
    Sum.Ideal += Weight * Each->Ideal;
    Sum.IfEqual += Weight * Each->IfEqual;
    // The same draws stand for all of them.
    Sum.StandardError += Weight * Each->StandardError;
    Sum.IsExact &= Each->IsExact;
    Sum.IsCounted |= Each->IsCounted;
    Sum.Least = std::min(Sum.Least, Each->Least);
    Sum.Most = std::max(Sum.Most, Each->Most);
  }

  bool isKnownOfAll() const { return Known == All; }

  /// Nothing where nothing is known. \p IsCutShort: nobody knows how many more
  /// requests there are.
  std::optional<Expectation> mean(bool IsCutShort) const {
    if (Known == 0)
      return std::nullopt;
    Expectation Out = Sum;
    for (double Expectation::*Each :
         {&Expectation::PerRequest, &Expectation::Ideal, &Expectation::IfEqual,
          &Expectation::StandardError})
      Out.*Each /= Known;
    Out.Lanes = Lanes / All;
    if (Known == All && !IsCutShort)
      return Out;
    Out.IsExact = false;
    Out.Least = 1;
    Out.Most = MostLanes * MostOfLane;
    // No standard deviation between two bounds is more than half of it.
    const double Share = IsCutShort ? 1 : 1 - Known / All;
    Out.StandardError += Share * (Out.Most - Out.Least) / 2;
    return Out;
  }

private:
  Expectation Sum = {.Least = INFINITY, .IsExact = true};
  double MostOfLane = 0, MostLanes = 0;
  double All = 0, Known = 0, Lanes = 0; ///< Of requests.
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_REQUESTSUMS_H
