//===- analyzer/pipeline/AccessTotals.cpp - Accesses of one shape ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/AccessTotals.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cudalint {

static void add(std::optional<double> &Sum, const std::optional<double> &Each,
                double Times) {
  if (Sum && Each)
    *Sum += Times * *Each;
  else
    Sum.reset();
}

static void add(SpaceTotals &Sum, const Access &A) {
  std::optional<double> PerRequest, Ideal, Lanes;
  Certainty Trust = A.Trust;
  if (A.Predicted) {
    PerRequest = A.Predicted->PerRequest;
    Ideal = A.Predicted->Ideal;
    Lanes = A.Predicted->Lanes;
  } else if (A.Expected) {
    PerRequest = A.Expected->PerRequest;
    Ideal = A.Expected->Ideal;
    Lanes = A.Expected->Lanes;
    Trust = Certainty::Random;
  }
  // What is never made costs nothing, whatever one would.
  const bool IsMade = A.Executions.value_or(1) != 0 && !A.IsOfFewThreads;
  if (!IsMade)
    return;
  const std::string &Why = !A.Executions ? A.WhyNotCounted
                           : !PerRequest ? A.WhyUnknown
                                         : std::string();
  if (Sum.WhyNotKnown.empty() && !Why.empty())
    Sum.WhyNotKnown = fmt::format("line {}: {}", A.UserWhere.Line, Why);
  Sum.Trust = std::max(Sum.Trust, Trust);
  const std::optional<double> One =
      A.Executions ? std::optional(1.0) : std::nullopt;
  const double Times = A.Executions.value_or(0);
  add(Sum.Requests, One, Times);
  add(Sum.Traffic, One ? PerRequest : One, Times);
  add(Sum.Ideal, One ? Ideal : One, Times);
  add(Sum.Bytes, One ? Lanes : One, Times * A.Bytes);
}

/// Of one block.
static double warpsOf(const LaunchShape &Shape) {
  const auto Threads =
      static_cast<double>(Shape.Block[0] * Shape.Block[1] * Shape.Block[2]);
  return std::ceil(Threads / WarpSize);
}

/// What the lanes of a block ask for by \p Kernel's loads, or by the others.
static void addRequested(DistinctBytes &To, bool IsLoads,
                         const KernelEvaluation &Kernel,
                         const LaunchShape &Shape) {
  SpaceTotals Sum{.Requests = 0, .Traffic = 0, .Ideal = 0, .Bytes = 0};
  for (const Access &A : Kernel.Accesses)
    if (A.Space == MemorySpace::Global && A.Block == Shape.Block &&
        (A.Op == AccessOp::Load) == IsLoads)
      add(Sum, A);
  if (Sum.Bytes)
    To.Requested = *Sum.Bytes * warpsOf(Shape);
  else if (To.WhyNotKnown.empty())
    To.WhyNotKnown = Sum.WhyNotKnown;
  // The machine code may have fewer accesses than the source, which are not
  // told apart then; what is asked for is at least what there is.
  if (To.Bytes && To.Requested && *To.Bytes > *To.Requested * (1 + 1e-9)) {
    To.Bytes.reset();
    To.Sectors.reset();
    To.WhyNotKnown = "the machine code asks for less than the source does";
  }
}

static BlockFootprint footprintOf(const KernelEvaluation &Kernel,
                                  const LaunchShape &Shape) {
  BlockFootprint Out = Kernel.Footprint;
  addRequested(Out.Loads, true, Kernel, Shape);
  addRequested(Out.Stores, false, Kernel, Shape);
  std::erase_if(Out.Arrays, [&](const ArrayFootprint &Each) {
    return !(Each.Op == AccessOp::Load ? Out.Loads : Out.Stores).Bytes;
  });
  return Out;
}

void leaveOutUnseen(WarpTotals &Totals, const Target &Gpu) {
  static constexpr const char *Why =
      "the kernel runs code that is not looked at";
  for (SpaceTotals &S : Totals.Spaces) {
    S.Requests.reset();
    S.Traffic.reset();
    S.Ideal.reset();
    S.Bytes.reset();
    S.Trust = Certainty::Unknown;
    if (S.WhyNotKnown.empty())
      S.WhyNotKnown = Why;
  }
  Totals.Operations.reset();
  if (Totals.WhyNotCounted.empty())
    Totals.WhyNotCounted = Why;
  Totals.Bounds = boundsOf(peakRatesOf(Gpu), {});
  if (!Totals.Footprint)
    return;
  for (DistinctBytes *Each :
       {&Totals.Footprint->Loads, &Totals.Footprint->Stores}) {
    Each->Bytes.reset();
    Each->Sectors.reset();
    if (Each->WhyNotKnown.empty())
      Each->WhyNotKnown = Why;
  }
  Totals.Footprint->Arrays.clear();
  Totals.Footprint->Assumptions.clear();
}

/// A sum of which a part is not known is not known.
static WarpDemand demandOf(const WarpTotals &Totals) {
  WarpDemand Demand{.Requests = 0, .Wavefronts = 0, .Sectors = 0};
  for (const SpaceTotals &S : Totals.Spaces) {
    add(Demand.Requests, S.Requests, 1);
    add(S.Unit == TrafficUnit::Wavefronts ? Demand.Wavefronts : Demand.Sectors,
        S.Traffic, 1);
  }
  if (Totals.Operations) {
    Demand.Half = Totals.Operations->Half;
    Demand.Float = Totals.Operations->Float;
    Demand.Double = Totals.Operations->Double;
  }
  return Demand;
}

WarpTotals totalsOf(const KernelEvaluation &Kernel, const LaunchShape &Shape,
                    const Target &Gpu) {
  WarpTotals Out{.Block = Shape.Block,
                 .Source = Shape.BlockSource,
                 .Grid = Shape.Grid,
                 .Operations = Kernel.Operations,
                 .WhyNotCounted = Kernel.WhyNotCounted};
  Out.Footprint = footprintOf(Kernel, Shape);
  if (Shape.Grid[0] && Shape.Grid[1] && Shape.Grid[2]) {
    Out.Warps = warpsOf(Shape) * static_cast<double>(*Shape.Grid[0]) *
                static_cast<double>(*Shape.Grid[1]) *
                static_cast<double>(*Shape.Grid[2]);
  }
  for (MemorySpace Space : {MemorySpace::Global, MemorySpace::Shared,
                            MemorySpace::Local, MemorySpace::Generic}) {
    SpaceTotals Sum{.Space = Space,
                    .Unit = unitOf(Space),
                    .Requests = 0,
                    .Traffic = 0,
                    .Ideal = 0,
                    .Bytes = 0};
    bool IsUsed = false;
    for (const Access &A : Kernel.Accesses)
      if (A.Space == Space && A.Block == Shape.Block) {
        IsUsed = true;
        add(Sum, A);
      }
    if (IsUsed)
      Out.Spaces.push_back(std::move(Sum));
  }
  Out.Bounds = boundsOf(peakRatesOf(Gpu), demandOf(Out));
  return Out;
}

} // namespace cudalint
