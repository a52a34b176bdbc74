//===- runtime/join/TimeJudge.h - Whether a change is faster ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_TIMEJUDGE_H
#define CUDA_LINT_RUNTIME_JOIN_TIMEJUDGE_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

enum class TimeVerdict : std::uint8_t {
  Faster,
  Neutral,
  Slower,
  Inconclusive, ///< The times spread too much.
};

/// Of several runs, in nanoseconds.
struct TimeSpread {
  double Median = 0, Least = 0, Most = 0;
};

struct TimeComparison {
  TimeSpread Before, After;
  /// The ratio of the times of the two runs of a pair, after to before: its
  /// median, and an interval that holds the true median with a probability of
  /// at least 95 % whatever the times' distribution is.
  double Ratio = 1, Low = 1, High = 1;
  TimeVerdict Verdict = TimeVerdict::Inconclusive;
};

/// With fewer pairs no interval has 95 %.
inline constexpr unsigned LeastPairs = 6;

/// Less than that is no change, in the median of the ratios.
inline constexpr double LeastChange = 0.02;

/// Compares the times of pairs of runs, the one at the same place of \p Before
/// and \p After; nothing where there are fewer than LeastPairs, or one of them
/// is not positive.
///
/// It is faster where all of the interval is below 1 and the median by
/// LeastChange, and slower likewise; it is neutral where the median is within
/// LeastChange of 1, and the interval too or not around 1; else inconclusive.
std::optional<TimeComparison> compareTimes(std::span<const double> Before,
                                           std::span<const double> After);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_TIMEJUDGE_H
