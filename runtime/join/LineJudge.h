//===- runtime/join/LineJudge.h - The verdict on a line ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of a verdict on one line, space and op. They are all here.
///
/// A line may hold several accesses, and the counters only know their sum. If
/// all predict the same, that number is compared. Else their mean is, each
/// access weighted by how often it runs, or equally where that is not known. It
/// is assumed at best, since the compiler keeps values of some turns of a loop
/// in registers. When that fails, the measured figure may still be a mixture of
/// theirs, and the verdict is inconclusive, not refuted.
///
/// Two numbers are compared, per request: the total and the ideal; and their
/// ratio, since partial warps at the edge of the data lower both.
///   ideal, and total or ratio     confirmed
///   ratio, with fewer lanes       confirmed, if lanes are assumed
///   a premise does not hold       inconclusive: another block shape, fewer
///                                 active lanes than assumed
///   the ideal differs             inconclusive: the compiler merged accesses
///                                 (four loads became one) or split them
///   the ideal alone agrees        refuted
///
/// Where it is known how often each access runs and how many warps were
/// launched, the sums are compared as well. What is exact is refuted when they
/// differ; what is assumed stays what it is, since a sum rests on the turns and
/// branches that were assumed.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_LINEJUDGE_H
#define CUDA_LINT_RUNTIME_JOIN_LINEJUDGE_H

#include "runtime/join/Verdict.h"

#include <span>

namespace cudalint {

struct Tolerance {
  double Assumed = 0.05; ///< Of the predicted number.
  double Exact = 0.01;   ///< For predictions whose certainty is exact.
};

/// Measured by the ideal: bad and predicted bad. Those of the yardstick that
/// the analyzer is measured with.
inline constexpr double BadRatio = 1.5;
inline constexpr double PredictedBadRatio = 1.3;
/// Below, a line is not worth a word.
inline constexpr std::uint64_t FewInstructions = 8;

/// How the launches that were measured relate to those that were predicted.
struct LaunchPremise {
  bool Holds = true; ///< Their blocks are the same.
  std::string Why;   ///< When they are not.
  /// Of all launches that were measured, if they have the one grid and block
  /// that were predicted.
  std::optional<double> Warps = {};
};

/// Fills the predicted half of \p Out from \p Accesses, of which there is at
/// least one: the same kernel, line, space and op.
void describePrediction(std::span<const AccessRecord *const> Accesses,
                        LineVerdict &Out);

/// Fills the measured half.
void describeMeasurement(const MeasuredLine &Line, TrafficUnit Unit,
                         LineVerdict &Out);

/// Sets Kind and Why of \p Out, both halves of which are filled, and what is
/// predicted of its sums and comes of it.
void judge(std::span<const AccessRecord *const> Accesses,
           const LaunchPremise &Launches, const Tolerance &Allowed,
           LineVerdict &Out);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_LINEJUDGE_H
