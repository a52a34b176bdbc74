//===- runtime/join/LineJudge.cpp - A prediction against counters ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/LineJudge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cudalint {

static bool isKnown(const AccessRecord &Access) {
  return Access.Trust <= Certainty::Assumed && Access.PerRequest.has_value();
}

/// Whether it is known how often each access runs, as their shares of a line.
static bool haveWeights(std::span<const AccessRecord *const> Accesses) {
  double Sum = 0;
  for (const AccessRecord *Access : Accesses) {
    if (!Access->Executions)
      return false;
    Sum += *Access->Executions;
  }
  return Sum > 0;
}

static bool areEqual(const std::optional<double> &A,
                     const std::optional<double> &B) {
  return A.has_value() == B.has_value() &&
         std::abs(A.value_or(0) - B.value_or(0)) <= 1e-9 * A.value_or(0);
}

static bool areAlike(std::span<const AccessRecord *const> Accesses) {
  const AccessRecord &First = *Accesses.front();
  return std::ranges::all_of(Accesses, [&](const AccessRecord *Access) {
    return areEqual(First.PerRequest, Access->PerRequest) &&
           areEqual(First.Ideal, Access->Ideal);
  });
}

void describePrediction(std::span<const AccessRecord *const> Accesses,
                        LineVerdict &Out) {
  Out.Accesses = static_cast<unsigned>(Accesses.size());
  Out.Unit = Accesses.front()->Unit;
  Out.Trust = Certainty::Exact;
  double Sum = 0, IdealSum = 0;
  bool IsKnown = true, HasIdeal = true;
  const bool IsWeighted = haveWeights(Accesses);
  double Weights = 0;
  for (const AccessRecord *Access : Accesses) {
    Out.Trust = std::max(Out.Trust, Access->Trust);
    IsKnown &= isKnown(*Access);
    HasIdeal &= Access->Ideal.has_value();
    const double Weight = IsWeighted ? *Access->Executions : 1;
    Weights += Weight;
    Sum += Weight * Access->PerRequest.value_or(0);
    IdealSum += Weight * Access->Ideal.value_or(0);
    for (const std::string &Text : Access->Assumptions)
      if (std::ranges::find(Out.Assumptions, Text) == Out.Assumptions.end())
        Out.Assumptions.push_back(Text);
  }
  if (!IsKnown)
    return;
  // How often each ran the compiler may have changed: it keeps values of some
  // turns of a loop in registers.
  if (!areAlike(Accesses))
    Out.Trust = std::max(Out.Trust, Certainty::Assumed);
  Out.PerRequest = Sum / Weights;
  if (HasIdeal)
    Out.Ideal = IdealSum / Weights;
}

void describeMeasurement(const MeasuredLine &Line, TrafficUnit Unit,
                         LineVerdict &Out) {
  Out.Instructions = Line.Instructions;
  Out.Requests = Line.requests();
  Out.Total = Line.total(Unit);
  Out.IdealTotal = Line.ideal(Unit);
  auto perRequest = [&](const Count &Sum) -> std::optional<double> {
    if (!Sum || !Out.Requests || *Out.Requests == 0)
      return std::nullopt;
    return static_cast<double>(*Sum) / static_cast<double>(*Out.Requests);
  };
  Out.MeasuredPerRequest = perRequest(Out.Total);
  Out.MeasuredIdeal = perRequest(Out.IdealTotal);
  Out.MeasuredLanes = perRequest(Line.Lanes);
}

namespace {
/// The smallest and the largest of what the accesses predict.
struct Range {
  double Least = INFINITY;
  double Most = -INFINITY;

  void add(double Value) {
    Least = std::min(Least, Value);
    Most = std::max(Most, Value);
  }
  bool isOne() const { return Most - Least <= 1e-9 * Most; }
  bool holds(double Value, double Allowed) const {
    return Value >= Least * (1 - Allowed) && Value <= Most * (1 + Allowed);
  }
};

std::string format(const Range &R) {
  return R.isOne() ? fmt::format("{:.1f}", R.Most)
                   : fmt::format("{:.1f} to {:.1f}", R.Least, R.Most);
}
} // namespace

static bool agrees(double Measured, double Predicted, double Allowed) {
  return std::abs(Measured - Predicted) <= Allowed * Predicted + 1e-9;
}

/// A few warps at the edge of the data, with fewer lanes, lower both numbers.
static bool agreesAsRatio(const LineVerdict &V, double Allowed) {
  std::optional<double> Measured = V.measuredRatio();
  std::optional<double> Predicted = V.predictedRatio();
  return Measured && Predicted && agrees(*Measured, *Predicted, Allowed);
}

/// What the ratio says when the numbers themselves cannot be compared.
static std::string ratioNote(const LineVerdict &V, double Allowed) {
  std::optional<double> Measured = V.measuredRatio();
  std::optional<double> Predicted = V.predictedRatio();
  if (!Measured || !Predicted)
    return {};
  if (agreesAsRatio(V, Allowed))
    return fmt::format("; {:.2f} times the ideal, as predicted", *Measured);
  return fmt::format("; {:.2f} times the ideal, predicted {:.2f}", *Measured,
                     *Predicted);
}

/// An exact prediction knows its lanes. But the turns of a loop may differ, and
/// the compiler may have kept values of some in registers.
static bool isBlamed(std::span<const AccessRecord *const> Accesses,
                     const LineVerdict &V) {
  return V.Trust == Certainty::Exact &&
         std::ranges::all_of(Accesses, [](const AccessRecord *Access) {
           return Access->LoopDepth == 0;
         });
}

/// The requests that ran are not those that were predicted.
static std::string idealNote(const LineVerdict &V, const Range &Ideals,
                             const std::string &Ratio) {
  std::string_view Why = "the compiler merged accesses";
  if (*V.MeasuredIdeal < Ideals.Least)
    Why = V.MeasuredLanes ? "the compiler split accesses"
                          : "the compiler split accesses, or fewer lanes were "
                            "active";
  return fmt::format("{}: the ideal of a request is {:.1f}, predicted was {}{}",
                     Why, *V.MeasuredIdeal, format(Ideals), Ratio);
}

/// A loop's turns of unequal cost have a mean that is no whole number. Had all
/// of them been executed as predicted, the total would be one; where it would
/// not, the compiler removed some.
static bool hasOtherTurns(std::span<const AccessRecord *const> Accesses,
                          const LineVerdict &V) {
  if (Accesses.size() != 1 || Accesses.front()->LoopDepth == 0)
    return false;
  double Total = *V.PerRequest * static_cast<double>(*V.Requests);
  return std::abs(Total - std::round(Total)) > 1e-3 + 1e-9 * Total;
}

/// A number that the prediction has for sizes that are no multiples of 32,
/// which it assumes and nobody can look up.
static std::optional<std::string>
otherSizes(std::span<const AccessRecord *const> Accesses, double Measured,
           double Allowed) {
  Range Sizes;
  for (const AccessRecord *Access : Accesses) {
    if (!Access->Least || !Access->Most)
      return std::nullopt;
    Sizes.add(*Access->Least);
    Sizes.add(*Access->Most);
  }
  if (!Sizes.holds(Measured, Allowed))
    return std::nullopt;
  return fmt::format("it has {} if sizes are no multiples of 32, which is "
                     "assumed",
                     format(Sizes));
}

static void set(LineVerdict &Out, VerdictKind Kind, std::string Why) {
  Out.Kind = Kind;
  Out.Why = std::move(Why);
}

/// True when there is nothing to compare; then the verdict is set.
static bool lacksNumbers(std::span<const AccessRecord *const> Accesses,
                         LineVerdict &Out) {
  if (Out.Requests && *Out.Requests == 0) {
    set(Out, VerdictKind::NotMeasured,
        Out.Instructions.value_or(0) == 0
            ? "it was never executed"
            : "it was executed without an active lane");
    return true;
  }
  if (!Out.MeasuredPerRequest) {
    set(Out, VerdictKind::NotMeasured,
        fmt::format("the GPU gave no count of its {}",
                    Out.Unit == TrafficUnit::Sectors ? "sectors"
                                                     : "wavefronts"));
    return true;
  }
  auto Unknown = std::ranges::count_if(
      Accesses, [](const AccessRecord *A) { return !isKnown(*A); });
  if (Unknown == 0)
    return false;
  if (static_cast<std::size_t>(Unknown) == Accesses.size())
    set(Out, VerdictKind::MeasuredOnly, "it depends on data");
  else
    set(Out, VerdictKind::Inconclusive,
        fmt::format("{} of the {} accesses of this line depend on data",
                    Unknown, Accesses.size()));
  return true;
}

static void judgeRequests(std::span<const AccessRecord *const> Accesses,
                          const LaunchPremise &Launches,
                          const Tolerance &Allowed, LineVerdict &Out) {
  if (lacksNumbers(Accesses, Out))
    return;
  double Most = Out.Trust == Certainty::Exact ? Allowed.Exact : Allowed.Assumed;
  double Measured = *Out.MeasuredPerRequest;
  // An ideal that one side does not know cannot disagree.
  bool HasIdeals = Out.MeasuredIdeal && Out.Ideal;
  Range Totals, Ideals, Lanes;
  for (const AccessRecord *Access : Accesses) {
    Totals.add(*Access->PerRequest);
    if (HasIdeals)
      Ideals.add(*Access->Ideal);
    if (Access->Lanes)
      Lanes.add(*Access->Lanes);
  }
  bool IsUniform = Totals.isOne() && (!HasIdeals || Ideals.isOne());
  bool Agrees = HasIdeals ? agrees(*Out.MeasuredIdeal, *Out.Ideal, Most) &&
                                (agrees(Measured, *Out.PerRequest, Most) ||
                                 agreesAsRatio(Out, Most))
                          : agrees(Measured, *Out.PerRequest, Most);

  // That the mean of a whole kernel agrees says little of its lines.
  if (Agrees && (IsUniform || !Out.IsWholeKernel))
    return set(Out, VerdictKind::Confirmed, Launches.Why);
  if (!Launches.Holds)
    return set(Out, VerdictKind::Inconclusive,
               Launches.Why + ratioNote(Out, Most));
  bool IdealFits = !HasIdeals || Ideals.holds(*Out.MeasuredIdeal, Most);
  if (!IsUniform && IdealFits && Totals.holds(Measured, Most))
    return set(Out, VerdictKind::Inconclusive,
               fmt::format("its {} accesses have {} each, and {}; what was "
                           "measured can be a mixture of them",
                           Accesses.size(), format(Totals),
                           haveWeights(Accesses)
                               ? "how often each ran is assumed"
                               : "how often each ran is not known"));
  // More than was predicted in one request: that is another request.
  if (!IdealFits && *Out.MeasuredIdeal > Ideals.Most)
    return set(Out, VerdictKind::Inconclusive,
               idealNote(Out, Ideals, ratioNote(Out, Most)));
  bool LanesDiffer = Out.MeasuredLanes && Lanes.Most > 0 &&
                     !Lanes.holds(*Out.MeasuredLanes, Most);
  // Fewer lanes lower both numbers, as at the edge of the data; very few are
  // good whatever they do.
  if (LanesDiffer && Out.Trust == Certainty::Assumed && HasIdeals &&
      *Out.MeasuredLanes < Lanes.Least &&
      *Out.MeasuredLanes * 2 >= Lanes.Most && Measured <= Totals.Most &&
      agreesAsRatio(Out, Most))
    return set(Out, VerdictKind::Confirmed,
               fmt::format("{:.2f} times the ideal, as predicted, with {:.1f} "
                           "active lanes instead of {}",
                           *Out.measuredRatio(), *Out.MeasuredLanes,
                           format(Lanes)));
  if (LanesDiffer && !isBlamed(Accesses, Out))
    return set(Out, VerdictKind::Inconclusive,
               fmt::format("{:.1f} lanes were active on average, predicted "
                           "were {}: {}{}",
                           *Out.MeasuredLanes, format(Lanes),
                           Out.Trust == Certainty::Exact
                               ? "the compiler removed accesses of some turns "
                                 "of the loop"
                               : "a condition that depends on data",
                           ratioNote(Out, Most)));
  if (!IdealFits && !LanesDiffer)
    return set(Out, VerdictKind::Inconclusive,
               idealNote(Out, Ideals, ratioNote(Out, Most)));
  if (Out.Trust == Certainty::Exact && hasOtherTurns(Accesses, Out))
    return set(Out, VerdictKind::Inconclusive,
               fmt::format("{} requests cannot have the mean that is predicted "
                           "for the turns of its loop: the compiler removed "
                           "some",
                           *Out.Requests));
  if (std::optional<std::string> Why = otherSizes(Accesses, Measured, Most))
    return set(Out, VerdictKind::Inconclusive, std::move(*Why));
  set(Out, VerdictKind::Refuted,
      LanesDiffer ? fmt::format("{:.1f} lanes were active on average, "
                                "predicted were {}",
                                *Out.MeasuredLanes, format(Lanes))
                  : std::string());
}

/// Whether the sums over all launches are those that were predicted.
static void judgeSums(std::span<const AccessRecord *const> Accesses,
                      const LaunchPremise &Launches, const Tolerance &Allowed,
                      LineVerdict &Out) {
  if (!Launches.Warps || !Out.Requests || !Out.Total || !Out.PerRequest ||
      !std::ranges::all_of(Accesses, [](const AccessRecord *Access) {
        return Access->Executions.has_value();
      }))
    return;
  double Requests = 0, Total = 0;
  for (const AccessRecord *Access : Accesses) {
    Requests += *Access->Executions * *Launches.Warps;
    Total += *Access->Executions * *Launches.Warps * *Access->PerRequest;
  }
  Out.PredictedRequests = Requests;
  Out.PredictedTotal = Total;
  const double Most =
      Out.Trust == Certainty::Exact ? Allowed.Exact : Allowed.Assumed;
  if (agrees(static_cast<double>(*Out.Requests), Requests, Most) &&
      agrees(static_cast<double>(*Out.Total), Total, Most)) {
    Out.Sums = VerdictKind::Confirmed;
    return;
  }
  // What the branches and turns that it assumes do is not what it is about.
  if (Out.Trust != Certainty::Exact) {
    Out.Sums = VerdictKind::Inconclusive;
    return;
  }
  Out.Sums = VerdictKind::Refuted;
  if (Out.Kind == VerdictKind::Confirmed)
    set(Out, VerdictKind::Refuted,
        fmt::format("{} {} in {} requests, predicted were {:.0f} in {:.0f}",
                    *Out.Total,
                    Out.Unit == TrafficUnit::Sectors ? "sectors" : "wavefronts",
                    *Out.Requests, Total, Requests));
}

void judge(std::span<const AccessRecord *const> Accesses,
           const LaunchPremise &Launches, const Tolerance &Allowed,
           LineVerdict &Out) {
  judgeRequests(Accesses, Launches, Allowed, Out);
  judgeSums(Accesses, Launches, Allowed, Out);
}

} // namespace cudalint
