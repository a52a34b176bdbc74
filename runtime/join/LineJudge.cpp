//===- runtime/join/LineJudge.cpp - A prediction against counters ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/LineJudge.h"

#include "runtime/join/VerdictRules.h"

#include <algorithm>
#include <cmath>

namespace cudalint {

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

static bool predictAlike(std::span<const AccessRecord *const> Accesses) {
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
  if (!predictAlike(Accesses))
    Out.Trust = std::max(Out.Trust, Certainty::Assumed);
  Out.PerRequest = Sum / Weights;
  if (HasIdeal)
    Out.Ideal = IdealSum / Weights;
}

std::string_view counterOf(MemorySpace Space, TrafficUnit Unit) {
  if (Unit == TrafficUnit::Wavefronts)
    return "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared";
  return Space == MemorySpace::Local ? "smsp__sass_sectors_mem_local"
                                     : "smsp__sass_sectors_mem_global";
}

void describeMeasurement(const CountedLine &Line, TrafficUnit Unit,
                         LineVerdict &Out) {
  Out.Counter = counterOf(Line.Space, Unit);
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

/// Sets what \p By says of \p Out.
template <class Facts>
static void set(const Rule<Facts> &By, const Facts &F, LineVerdict &Out) {
  std::string Why = By.Why(F); // The facts look at what is set here.
  Out.Kind = By.Verdict;
  Out.Rule = By.Name;
  Out.Why = std::move(Why);
}

/// Whether the sums over all launches are those that were predicted.
static void judgeSums(const LineFacts &Line, LineVerdict &Out) {
  std::optional<double> Requests = Line.predictedRequests();
  if (!Requests || !Out.Requests || !Out.Total || !Out.PerRequest)
    return;
  double Total = 0;
  for (const AccessRecord *Access : Line.Accesses)
    Total += *Access->Executions * *Line.Launches.Warps * *Access->PerRequest;
  Out.PredictedRequests = Requests;
  Out.PredictedTotal = Total;
  const SumFacts F = {.Line = Line, .Requests = *Requests, .Total = Total};
  const Rule<SumFacts> &By = decide(sumRules(), F);
  Out.Sums = By.Verdict;
  if (By.Verdict == VerdictKind::Refuted && Out.Kind == VerdictKind::Confirmed)
    set(By, F, Out);
}

void judge(std::span<const AccessRecord *const> Accesses,
           const LaunchPremise &Launches, const Tolerance &Allowed,
           LineVerdict &Out, const CodeEvidence &Code) {
  const LineFacts F(Accesses, Launches, Allowed, Code, Out);
  set(decide(lineRules(), F), F, Out);
  judgeSums(F, Out);
}

void noteUnits(std::span<const AccessRecord *const> Accesses,
               LineVerdict &Out) {
  if (!Out.MeasuredPerRequest)
    return;
  constexpr double Sector = 32;
  const unsigned Widest =
      (*std::ranges::max_element(Accesses, {}, [](const AccessRecord *A) {
        return A->Bytes;
      }))->Bytes;
  const unsigned Narrowest =
      (*std::ranges::min_element(Accesses, {}, [](const AccessRecord *A) {
        return A->Bytes;
      }))->Bytes;
  std::string_view Note;
  // Fewer sectors than the lanes would fill.
  if (Out.Unit == TrafficUnit::Sectors && Out.Op == AccessOp::Atomic &&
      Out.MeasuredLanes &&
      *Out.MeasuredPerRequest * Sector < *Out.MeasuredLanes * Narrowest)
    Note = "lanes share words: the hardware has more sectors of such atomics "
           "than CUPTI counts";
  else if (Out.Unit == TrafficUnit::Wavefronts && Out.Op == AccessOp::Load &&
           Widest >= 8 && Out.MeasuredIdeal &&
           *Out.MeasuredPerRequest > *Out.MeasuredIdeal * 1.001)
    Note = "of wide loads that conflict CUPTI may count more wavefronts than "
           "the hardware has";
  if (!Note.empty())
    Out.Why += (Out.Why.empty() ? "" : "; ") + std::string(Note);
}

} // namespace cudalint
