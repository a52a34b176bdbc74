//===- runtime/join/CompareGate.cpp - What is worse after a change --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/CompareGate.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace cudalint {

std::string_view nameOf(CompareGate Gate) {
  switch (Gate) {
  case CompareGate::Slower:
    return "slower";
  case CompareGate::MoreSectors:
    return "more-sectors";
  case CompareGate::MoreWavefronts:
    return "more-wavefronts";
  case CompareGate::LowerOccupancy:
    return "lower-occupancy";
  }
  return {};
}

namespace {
/// One pair, or all kernels together.
struct Judge {
  const KernelTotals &Before, &After;
  double Allowed;
  std::string Signature;

  std::optional<GateFault> judge(CompareGate Gate) const;

private:
  std::optional<GateFault> judgeTimes() const;
  std::optional<GateFault> judgeSums(CompareGate Gate, std::string_view What,
                                     std::optional<double> B,
                                     std::optional<double> A) const;
  std::optional<GateFault> judgeOccupancy() const;

  GateFault worse(CompareGate Gate, std::string Message) const {
    return {Gate, Signature, /*IsUndecided=*/false, std::move(Message)};
  }
  GateFault undecided(CompareGate Gate, std::string Message) const {
    return {Gate, Signature, /*IsUndecided=*/true, std::move(Message)};
  }
};
} // namespace

std::optional<GateFault> Judge::judgeTimes() const {
  const std::optional<TimeComparison> Times = compareTimes(Before, After);
  if (!Times)
    return undecided(CompareGate::Slower,
                     fmt::format("there are fewer than {} pairs of runs with "
                                 "its times",
                                 LeastPairs));
  const std::string Numbers =
      fmt::format("{:.2f} times as long ({:.2f} to {:.2f})", Times->Ratio,
                  Times->Low, Times->High);
  if (Times->Verdict == TimeVerdict::Slower && Times->Ratio > 1 + Allowed)
    return worse(CompareGate::Slower, Numbers);
  // Also where the middle of it is hardly any change.
  if (Times->Verdict != TimeVerdict::Slower &&
      Times->Verdict != TimeVerdict::Faster &&
      Times->High > 1 + std::max(Allowed, LeastChange))
    return undecided(CompareGate::Slower,
                     "its times spread too much: " + Numbers +
                         "; give it more --runs, or a larger "
                         "--threshold");
  return std::nullopt;
}

static std::optional<double> figure(const Count &Value) {
  return Value ? std::optional(static_cast<double>(*Value)) : std::nullopt;
}

static std::optional<double> sectorsOf(const KernelTotals &Sum) {
  const auto Global = figure(Sum.Global.Sectors);
  const auto Local = figure(Sum.Local.Sectors);
  return Global && Local ? std::optional(*Global + *Local) : std::nullopt;
}

std::optional<GateFault> Judge::judgeSums(CompareGate Gate,
                                          std::string_view What,
                                          std::optional<double> B,
                                          std::optional<double> A) const {
  if (!B || !A)
    return undecided(Gate, fmt::format("the {} {} are not known", What,
                                       B ? "after" : "before"));
  const bool IsScaled = Before.MeasuredLaunches < Before.Launches ||
                        After.MeasuredLaunches < After.Launches;
  const double Most =
      *B * (1 + (IsScaled ? std::max(Allowed, LeastScaledChange) : Allowed));
  if (*A <= Most)
    return std::nullopt;
  return worse(Gate, fmt::format("{:.0f} {} became {:.0f}", *B, What, *A));
}

std::optional<GateFault> Judge::judgeOccupancy() const {
  if (!Before.MeanWarps || !After.MeanWarps)
    return undecided(CompareGate::LowerOccupancy,
                     fmt::format("the warps of an SM {} are not known",
                                 Before.MeanWarps ? "after" : "before"));
  if (*After.MeanWarps >= *Before.MeanWarps * (1 - Allowed) - 1e-9)
    return std::nullopt;
  return worse(CompareGate::LowerOccupancy,
               fmt::format("{:.4g} warps on an SM became {:.4g}",
                           *Before.MeanWarps, *After.MeanWarps));
}

std::optional<GateFault> Judge::judge(CompareGate Gate) const {
  const auto sums = [](const KernelTotals &Side) {
    return sumOf(std::span(&Side, 1));
  };
  switch (Gate) {
  case CompareGate::Slower:
    return judgeTimes();
  case CompareGate::MoreSectors:
    return judgeSums(Gate, "sectors", sectorsOf(sums(Before)),
                     sectorsOf(sums(After)));
  case CompareGate::MoreWavefronts:
    return judgeSums(Gate, "shared wavefronts",
                     figure(sums(Before).Shared.Wavefronts),
                     figure(sums(After).Shared.Wavefronts));
  case CompareGate::LowerOccupancy:
    return judgeOccupancy();
  }
  return std::nullopt;
}

/// Of the time of all runs, in the larger of both shares.
static double shareOf(const KernelTotals &Before, const KernelTotals &After,
                      const KernelTotals &AllBefore,
                      const KernelTotals &AllAfter) {
  const auto share = [](const KernelTotals &One, const KernelTotals &All) {
    double Its = 0, Sum = 0;
    for (const double Each : One.Runs)
      Its += Each;
    for (const double Each : All.Runs)
      Sum += Each;
    return Its > 0 && Sum > 0 ? Its / Sum : 1;
  };
  return std::max(share(Before, AllBefore), share(After, AllAfter));
}

std::vector<GateFault> judgeGates(std::span<const KernelTotals> Before,
                                  std::span<const KernelTotals> After,
                                  std::span<const KernelPair> Pairs,
                                  const std::set<CompareGate> &Gates,
                                  double Allowed) {
  std::vector<GateFault> Out;
  const KernelTotals AllBefore = sumOf(Before), AllAfter = sumOf(After);
  const auto ask = [&](const Judge &Asked, CompareGate Gate) {
    if (std::optional<GateFault> Fault = Asked.judge(Gate))
      Out.push_back(std::move(*Fault));
  };
  for (const KernelPair &Pair : Pairs) {
    if (!Pair.Before || !Pair.After)
      continue;
    const KernelTotals &B = Before[*Pair.Before], &A = After[*Pair.After];
    for (const CompareGate Gate : Gates)
      if (Gate != CompareGate::Slower ||
          shareOf(B, A, AllBefore, AllAfter) >= LeastShareOfTime)
        ask({B, A, Allowed, A.Signature}, Gate);
  }
  // One pair is all there is.
  const bool IsOnePair = Pairs.size() == 1 && Pairs[0].Before && Pairs[0].After;
  // Warps of different kernels have a mean, which says something only where
  // some of them are gone or new.
  const bool HasUnpaired =
      std::ranges::any_of(Pairs, [](const KernelPair &Each) {
        return !Each.Before || !Each.After;
      });
  for (const CompareGate Gate : Gates)
    if (Gate == CompareGate::LowerOccupancy ? HasUnpaired : !IsOnePair)
      ask({AllBefore, AllAfter, Allowed, {}}, Gate);
  return Out;
}

} // namespace cudalint
