//===- tests/differential/Comparison.h - Both, lane by lane ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compares what the evaluator says of one warp with what 32 threads do.
///
/// A request is exact if it has no assumptions, no unknown lanes and no
/// doubtful ones. Then the active lanes, and no others, execute it, at the
/// addresses that its polynomial has for the values of its symbols, or nobody
/// executes it: the evaluator reports what a condition that is the same in all
/// lanes guards without knowing whether it holds. Every execution must have
/// one request.
///
/// Values of symbols: parameters, block indices and bases of arrays are those
/// of the launch, counters are the turns of their loops. Others (results of
/// operations that are no polynomials) are unknowns, for which some values
/// must exist that fit all lanes, are in the symbol's range and, if nothing
/// but parameters goes into them, are the same in all requests of the warp.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_DIFFERENTIAL_COMPARISON_H
#define CUDA_LINT_TESTS_DIFFERENTIAL_COMPARISON_H

#include "RandomKernel.h"

#include <string>

namespace cudalint::differential {

struct Tally {
  // Requests, without those that mark turns.
  std::uint64_t Exact = 0, Assumed = 0, Doubtful = 0, Unknown = 0;
  std::uint64_t ExactNotExecuted = 0; ///< Of the exact.
  // Memory instructions, by the worst of their requests.
  std::uint64_t ExactInsts = 0, AssumedInsts = 0, DoubtfulInsts = 0,
                UnknownInsts = 0;
  // Lanes of requests, compared with a thread's address.
  std::uint64_t ExactLanes = 0, AssumedLanes = 0, DoubtfulLanes = 0,
                UnknownLanes = 0;
  std::uint64_t AssumedEqual = 0;
  /// Lanes that assume no overflow or nothing negative where that was so.
  std::uint64_t HeldLanes = 0, HeldEqual = 0;
  std::uint64_t BeyondCut = 0; ///< Executions in turns after the last reported.
  std::uint64_t NoTurns = 0;   ///< Executions whose turns cannot be told.
  std::uint64_t RuledOut = 0;  ///< Executions on paths left out: assumed.
  /// Launches of which the warp was one of several that were run at once.
  std::uint64_t RunTogether = 0;
  std::uint64_t Mismatches = 0;

  std::uint64_t requests() const {
    return Exact + Assumed + Doubtful + Unknown;
  }
  Tally &operator+=(const Tally &Other);
};

enum class Scope {
  Compared,
  Undefined,   ///< Some thread does what has no meaning.
  TooLong,     ///< Some thread does not end soon.
  Unsupported, ///< The scalar interpreter does not know an instruction.
};

struct Comparison {
  Scope S = Scope::Compared;
  Tally Counts;
  /// Of the first mismatch, or of what is not supported.
  std::string What;
};

Comparison compare(const RandomKernel &Kernel, const RandomLaunch &Launch);

} // namespace cudalint::differential

#endif // CUDA_LINT_TESTS_DIFFERENTIAL_COMPARISON_H
