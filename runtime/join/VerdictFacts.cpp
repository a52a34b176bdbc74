//===- runtime/join/VerdictFacts.cpp - What the rules ask -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/VerdictFacts.h"

#include "hardware/WarpTransactions.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

std::string format(const NumberRange &R) {
  return R.isOne() ? fmt::format("{:.1f}", R.Most)
                   : fmt::format("{:.1f} to {:.1f}", R.Least, R.Most);
}

bool agrees(double Measured, double Predicted, double Allowed) {
  return std::abs(Measured - Predicted) <= Allowed * Predicted + 1e-9;
}

bool isKnown(const AccessRecord &Access) {
  return Access.Trust <= Certainty::Assumed && Access.PerRequest.has_value();
}

LineFacts::LineFacts(std::span<const AccessRecord *const> Accesses,
                     const LaunchPremise &Launches, const Tolerance &Tolerated,
                     const CodeEvidence &Code, const LineVerdict &V)
    : Accesses(Accesses), Launches(Launches), Code(Code), V(V),
      Allowed(V.Trust == Certainty::Exact ? Tolerated.Exact
                                          : Tolerated.Assumed) {
  for (const AccessRecord *Access : Accesses)
    Unknown += !isKnown(*Access);
  HasNumbers = V.MeasuredPerRequest && Unknown == 0;
  if (!HasNumbers)
    return;
  HasIdeals = V.MeasuredIdeal && V.Ideal;
  for (const AccessRecord *Access : Accesses) {
    Totals.add(*Access->PerRequest);
    if (HasIdeals)
      Ideals.add(*Access->Ideal);
    if (Access->Lanes)
      Lanes.add(*Access->Lanes);
  }
}

bool LineFacts::agreesAll() const {
  return agrees(*V.MeasuredPerRequest, *V.PerRequest, Allowed) &&
         (!HasIdeals || agrees(*V.MeasuredIdeal, *V.Ideal, Allowed));
}

bool LineFacts::agreesAsRatio() const {
  std::optional<double> Measured = V.measuredRatio();
  std::optional<double> Predicted = V.predictedRatio();
  return Measured && Predicted && agrees(*Measured, *Predicted, Allowed);
}

bool LineFacts::hasFewerLanes() const {
  if (!V.MeasuredLanes || Lanes.Most <= 0 ||
      *V.MeasuredLanes >= Lanes.Least * (1 - 1e-9) ||
      *V.MeasuredLanes * 2 < Lanes.Most)
    return false;
  const double Share = *V.MeasuredLanes / Lanes.Most;
  return *V.MeasuredPerRequest <= Totals.Most * (1 + 1e-9) &&
         *V.MeasuredPerRequest >= Totals.Least * Share * (1 - Allowed);
}

bool LineFacts::lanesMayCause() const {
  if (!lanesDiffer())
    return false;
  const bool AreFewerOfAll =
      Lanes.Least >= WarpSize && *V.MeasuredLanes < WarpSize;
  return !AreFewerOfAll || isInLoop() ||
         *V.MeasuredPerRequest <= Totals.Most * BadRatio;
}

bool LineFacts::isInLoop() const {
  return std::ranges::any_of(Accesses, [](const AccessRecord *Access) {
    return Access->LoopDepth != 0;
  });
}

bool LineFacts::hasWeights() const {
  return std::ranges::all_of(Accesses, [](const AccessRecord *Access) {
    return Access->Executions.has_value();
  });
}

std::optional<double> LineFacts::predictedRequests() const {
  if (!Launches.Warps || !hasWeights())
    return std::nullopt;
  double Sum = 0;
  for (const AccessRecord *Access : Accesses)
    Sum += *Access->Executions * *Launches.Warps;
  return Sum;
}

bool LineFacts::hasAllRequests() const {
  std::optional<double> Predicted = predictedRequests();
  return Predicted && V.Requests &&
         agrees(static_cast<double>(*V.Requests), *Predicted, Allowed);
}

bool LineFacts::hasOtherTurns() const {
  if (Accesses.size() != 1 || !isInLoop() || hasAllRequests())
    return false;
  double Total = *V.PerRequest * static_cast<double>(*V.Requests);
  return std::abs(Total - std::round(Total)) > 1e-3 + 1e-9 * Total;
}

std::optional<NumberRange> LineFacts::otherSizes() const {
  NumberRange Sizes;
  for (const AccessRecord *Access : Accesses) {
    if (!Access->Least || !Access->Most)
      return std::nullopt;
    Sizes.add(*Access->Least);
    Sizes.add(*Access->Most);
  }
  if (!Sizes.holds(*V.MeasuredPerRequest, Allowed))
    return std::nullopt;
  return Sizes;
}

std::string_view LineFacts::units() const {
  return V.Unit == TrafficUnit::Sectors ? "sectors" : "wavefronts";
}

std::string LineFacts::ratioNote() const {
  std::optional<double> Measured = V.measuredRatio();
  std::optional<double> Predicted = V.predictedRatio();
  if (!Measured || !Predicted)
    return {};
  if (agreesAsRatio())
    return fmt::format("; {:.2f} times the ideal, as predicted", *Measured);
  return fmt::format("; {:.2f} times the ideal, predicted {:.2f}", *Measured,
                     *Predicted);
}

std::string LineFacts::idealNote() const {
  return fmt::format("the ideal of a request is {:.1f}, predicted was {}{}",
                     *V.MeasuredIdeal, format(Ideals), ratioNote());
}

std::string LineFacts::lanesNote() const {
  return fmt::format("{:.1f} lanes were active on average, predicted were {}",
                     *V.MeasuredLanes, format(Lanes));
}

bool SumFacts::agreesAll() const {
  return agrees(static_cast<double>(*Line.V.Requests), Requests,
                Line.Allowed) &&
         agrees(static_cast<double>(*Line.V.Total), Total, Line.Allowed);
}

bool MovedFacts::isNear() const {
  const unsigned A = V.Where.Line, B = Gone.front()->Where.Line;
  return (A > B ? A - B : B - A) <= NearBy;
}

bool MovedFacts::isOfBoth() const {
  if (!V.PerRequest || !V.MeasuredPerRequest)
    return false;
  double Most = *V.PerRequest;
  for (const AccessRecord *Access : Gone)
    Most +=
        Access->PerRequest.value_or(std::numeric_limits<double>::infinity());
  return *V.MeasuredPerRequest <= Most * (1 + Allowed.Assumed);
}

bool TextFacts::hasOtherSize() const {
  return !Built.empty() &&
         std::ranges::all_of(Built, [&](const SourceVersion &Each) {
           return Each.Bytes != 0 && Each.Bytes != Analysed.Bytes;
         });
}

bool TextFacts::isPresentBuilt() const {
  return Present && Built.size() == 1 && Built.begin()->Modified != 0 &&
         *Built.begin() == Present->Version;
}

} // namespace cudalint
