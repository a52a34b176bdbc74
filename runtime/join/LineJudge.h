//===- runtime/join/LineJudge.h - The verdict on a line ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verdict on one line, space and op, or on a part of one. The rules are a
/// table: runtime/join/VerdictRules.h.
///
/// A line may hold several accesses. Where the instructions of the code are
/// known, and which access is which, each is judged by itself:
/// runtime/join/AccessMatch.h. Otherwise the counters only know their sum. If
/// all predict the same, that number is compared. Else their mean is, each
/// access weighted by how often it runs, or equally where that is not known. It
/// is assumed at best, since the compiler keeps values of some turns of a loop
/// in registers.
///
/// Two numbers are compared, per request: the total and the ideal, within one
/// tolerance. Where it is known how often each access runs and how many warps
/// were launched, the sums are compared as well.
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

/// What the instructions of a line say about the widths of its accesses.
struct CodeEvidence {
  enum class Widths : std::uint8_t {
    Unknown,     ///< The code is not known: an older profile, for instance.
    AsPredicted, ///< The compiler neither merged nor split.
    Wider,       ///< Some are wider than any that was predicted.
    Narrower,    ///< Some are narrower.
    Fewer        ///< There is none of a width that was predicted.
  };
  Widths What = Widths::Unknown;
  std::string Words; ///< Of the last three.
  /// Each access has an instruction of its own, and some have other numbers:
  /// that their mean agrees proves nothing.
  bool IsNoPair = false;
  /// The instruction takes any pointer, and touched two spaces.
  bool TouchesBoth = false;
};

/// Fills the predicted half of \p Out from \p Accesses, of which there is at
/// least one: the same kernel, line, space and op.
void describePrediction(std::span<const AccessRecord *const> Accesses,
                        LineVerdict &Out);

/// What counts the traffic of accesses to \p Space, as CUPTI names it.
std::string_view counterOf(MemorySpace Space, TrafficUnit Unit);

/// Fills the measured half.
void describeMeasurement(const CountedLine &Line, TrafficUnit Unit,
                         LineVerdict &Out);

/// Sets Kind, Rule and Why of \p Out, both halves of which are filled, and what
/// is predicted of its sums and comes of it.
void judge(std::span<const AccessRecord *const> Accesses,
           const LaunchPremise &Launches, const Tolerance &Allowed,
           LineVerdict &Out, const CodeEvidence &Code = {});

/// Adds to Why of \p Out where its counter is known not to count what the
/// hardware does: docs/validation/transactions-h200.md.
void noteUnits(std::span<const AccessRecord *const> Accesses, LineVerdict &Out);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_LINEJUDGE_H
