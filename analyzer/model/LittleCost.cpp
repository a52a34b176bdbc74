//===- analyzer/model/LittleCost.cpp - What hardly matters ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/LittleCost.h"

#include "hardware/Roofline.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace cudalint {

/// Of issue slots, which count what the compiler may do without: addresses that
/// accesses have in common, counters of loops that it unrolls. Chosen.
static constexpr double IssuedForSure = 0.5;

static std::optional<double> share(double Clocks, double Slots,
                                   double PerClock) {
  return Slots > 0 ? std::optional(Clocks /
                                   (Clocks + Slots * IssuedForSure / PerClock))
                   : std::nullopt;
}

void setMostOfKernel(Finding &F, std::optional<double> Share) {
  if (Share)
    F.What.Values.push_back({"most_percent_of_kernel", 100 * *Share});
}

/// The shortest of the ways to it; zeros: not known.
static PathSlots pathTo(const KernelModel &K, const Access &A) {
  PathSlots Least;
  for (const AccessPath &Each : K.Traits.Paths)
    if (Each.Op == A.Op && Each.Place.Where == A.UserWhere &&
        Each.Place.InlinedAt == A.InlinedAt &&
        (Least.InAll == 0 || Each.Slots.InAll < Least.InAll))
      Least = Each.Slots;
  return Least;
}

std::optional<double> mostOfWavefronts(const KernelModel &K, const Access &A) {
  const PeakRates Peaks = peakRatesOf(K.Gpu);
  if (!A.Predicted || !Peaks.Instructions || !Peaks.Wavefronts)
    return std::nullopt;
  const double More =
      std::max(0.0, A.Predicted->PerRequest - A.Predicted->Ideal);
  return share(More / *Peaks.Wavefronts, pathTo(K, A).InAll,
               *Peaks.Instructions);
}

std::optional<double> mostOfSectors(const KernelModel &K, const Access &A) {
  const PeakRates Peaks = peakRatesOf(K.Gpu);
  if (A.LoopDepth != 0 || !A.Predicted || !Peaks.Instructions ||
      !Peaks.DramSectors)
    return std::nullopt;
  const double More =
      std::max(0.0, A.Predicted->PerRequest - A.Predicted->Ideal);
  return share(More / *Peaks.DramSectors, pathTo(K, A).InAll,
               *Peaks.Instructions);
}

std::optional<double> mostOfUpdates(const KernelModel &K, const Access &A,
                                    double Lanes) {
  // Until L2 is ready for the next one: 1.8 ns of floats on an H100, less of
  // integers (hot-atomic), rounded up.
  constexpr double OfUpdate = 4;
  const PeakRates Peaks = peakRatesOf(K.Gpu);
  if (!Peaks.Instructions || !K.Gpu.SMs || !A.Target)
    return std::nullopt;
  // What an SM computes meanwhile, the others do, too. Of the slots, half of
  // those that share() counts for sure: the loops of kernels that matter here
  // are long, and nvcc writes them out (docs/validation/bounds-h200.md).
  const double SMs = std::min(static_cast<double>(*K.Gpu.SMs),
                              A.Target->Blocks.value_or(*K.Gpu.SMs));
  return share(Lanes * OfUpdate * SMs, pathTo(K, A).InAll / 2,
               *Peaks.Instructions);
}

std::optional<double> mostOfLoneLoop(const KernelModel &K, const Access &A,
                                     double Turns) {
  // Cycles until shared memory answers, and of an instruction that waits for
  // another: rounded from what microbenchmarks find from Volta on.
  constexpr double OfLoad = 30, OfInstruction = 4;
  const double OfTurn = pathTo(K, A).OfTurn;
  const double Clocks = Turns * (OfLoad + OfInstruction * OfTurn);
  // A warp issues one instruction in a clock, at most.
  return OfTurn > 0 ? share(Clocks, K.Traits.PathSlots - Turns * OfTurn, 1)
                    : std::nullopt;
}

/// Clocks of an SM that a warp takes at least, of what is known and no matter
/// of caches; of the shape that takes least.
static double leastClocks(const KernelModel &K) {
  double Least = 0;
  for (const WarpTotals &Each : K.Totals) {
    double Clocks = 0;
    for (const ResourceBound &Bound : Each.Bounds)
      if (Bound.What != Resource::L2 && Bound.What != Resource::Dram)
        Clocks = std::max(Clocks, Bound.Clocks);
    Least = &Each == &K.Totals.front() ? Clocks : std::min(Least, Clocks);
  }
  return Least;
}

/// `sum` of `ns::sum`.
static std::string_view ownName(std::string_view Function) {
  const std::size_t Scope = Function.rfind("::");
  return Scope == Function.npos ? Function : Function.substr(Scope + 2);
}

std::optional<double> mostOfDoubles(const KernelModel &K, const Finding &Found,
                                    double FloatsPerDouble) {
  // At an eighth of the rate of an FMA, at least, on most GPUs (CUDA C++
  // Programming Guide, "Arithmetic Instructions").
  constexpr double SlotsOfConversion = 8;
  // Of an expression of several lines, operations are where its operators are.
  constexpr unsigned Near = 2;
  const PeakRates Peaks = peakRatesOf(K.Gpu);
  if (!Peaks.Instructions)
    return std::nullopt;
  std::optional<double> Sum;
  for (const DoubleWork &Each : K.Traits.Doubles) {
    const unsigned Line = Each.Where.Line;
    if (Each.Where.File != Found.Where.File || Line + Near < Found.Where.Line ||
        Line > Found.Where.Line + Near ||
        Each.Function != ownName(Found.About.Function))
      continue;
    const double Slots =
        Each.Slots * FloatsPerDouble + Each.Conversions * SlotsOfConversion;
    double Share = share(Slots, Each.PathSlots, 1).value_or(1);
    if (Each.IsOnce)
      Share = std::min(
          Share, Slots / *Peaks.Instructions /
                     std::max(leastClocks(K), Slots / *Peaks.Instructions));
    Sum = Sum.value_or(0) + Share;
  }
  return Sum ? std::optional(std::min(*Sum, 1.0)) : std::nullopt;
}

/// How often it is made, if loops whose turns are not known turned ten times:
/// of two accesses of one loop the ratio is known all the same.
static double supposedTimes(const Access &A) {
  constexpr double Unknown = 10;
  if (A.Executions)
    return *A.Executions;
  double Times = 1;
  for (const unsigned Turns : A.LoopTurns)
    Times = std::min(Times * (Turns ? Turns : Unknown), 1e16);
  if (A.LoopTurns.empty())
    for (unsigned I = 0; I != std::min(A.LoopDepth, 8u); ++I)
      Times *= Unknown;
  return Times;
}

/// `state` of `state.part`.
static std::string_view objectOf(const LocalArray &Array) {
  return std::string_view(Array.Name).substr(0, Array.Name.find('.'));
}

std::optional<double> mostOfArray(const KernelModel &K,
                                  const LocalArray &Array) {
  if (Array.Name.empty())
    return std::nullopt;
  double Own = 0, All = 0;
  for (const Access &A : K.Accesses) {
    if (A.Space != MemorySpace::Local)
      continue;
    const double Times = supposedTimes(A);
    All += Times;
    // What has the name of no other array may be to this one: functions have
    // names of their own for what they are given.
    const bool IsOther =
        std::ranges::any_of(K.Traits.LocalArrays, [&](const LocalArray &Each) {
          return objectOf(Each) != objectOf(Array) &&
                 objectOf(Each) == A.Source.Object;
        });
    if (!IsOther)
      Own += Times;
  }
  return All > 0 ? std::optional(Own / All) : std::nullopt;
}

} // namespace cudalint
