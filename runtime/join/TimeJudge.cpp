//===- runtime/join/TimeJudge.cpp - Whether a change is faster ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/TimeJudge.h"

#include <algorithm>
#include <vector>

namespace cudalint {

static double medianOf(std::span<const double> Sorted) {
  const std::size_t Half = Sorted.size() / 2;
  return Sorted.size() % 2 ? Sorted[Half]
                           : (Sorted[Half - 1] + Sorted[Half]) / 2;
}

static std::vector<double> sorted(std::span<const double> Values) {
  std::vector<double> Result(Values.begin(), Values.end());
  std::ranges::sort(Result);
  return Result;
}

static TimeSpread spreadOf(std::span<const double> Values) {
  const std::vector<double> Sorted = sorted(Values);
  return {.Median = medianOf(Sorted),
          .Least = Sorted.front(),
          .Most = Sorted.back()};
}

/// How many of \p Count sorted values may be left out at either end for the
/// rest to hold the median with 95 %: each value is as likely below as above
/// it (the sign test).
static std::size_t outside(std::size_t Count) {
  double Each = 1; // The chance that just K are below.
  for (std::size_t I = 0; I != Count; ++I)
    Each /= 2;
  double Below = Each;
  std::size_t K = 0;
  while (2 * (Below + Each * static_cast<double>(Count - K) /
                          static_cast<double>(K + 1)) <=
         0.05) {
    Each = Each * static_cast<double>(Count - K) / static_cast<double>(K + 1);
    Below += Each;
    ++K;
  }
  return K;
}

static TimeVerdict verdictOf(const TimeComparison &Times) {
  const bool IsAroundOne = Times.Low <= 1 && Times.High >= 1;
  const bool IsSmall =
      Times.Ratio > 1 - LeastChange && Times.Ratio < 1 + LeastChange;
  if (IsSmall)
    return !IsAroundOne ||
                   (Times.Low > 1 - LeastChange && Times.High < 1 + LeastChange)
               ? TimeVerdict::Neutral
               : TimeVerdict::Inconclusive;
  if (IsAroundOne)
    return TimeVerdict::Inconclusive;
  return Times.Ratio < 1 ? TimeVerdict::Faster : TimeVerdict::Slower;
}

std::optional<TimeComparison> compareTimes(std::span<const double> Before,
                                           std::span<const double> After) {
  // More make the chances of the sign test too small for a double.
  static constexpr std::size_t MostPairs = 1000;
  const std::size_t Count = std::min({Before.size(), After.size(), MostPairs});
  const auto isWrong = [](double Time) { return !(Time > 0); };
  Before = Before.first(Count);
  After = After.first(Count);
  if (Count < LeastPairs || std::ranges::any_of(Before, isWrong) ||
      std::ranges::any_of(After, isWrong))
    return std::nullopt;
  std::vector<double> Ratios;
  for (std::size_t I = 0; I != Count; ++I)
    Ratios.push_back(After[I] / Before[I]);
  std::ranges::sort(Ratios);
  const std::size_t Left = outside(Count);
  TimeComparison Result = {.Before = spreadOf(Before),
                           .After = spreadOf(After),
                           .Ratio = medianOf(Ratios),
                           .Low = Ratios[Left],
                           .High = Ratios[Count - 1 - Left]};
  Result.Verdict = verdictOf(Result);
  return Result;
}

} // namespace cudalint
