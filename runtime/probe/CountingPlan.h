//===- runtime/probe/CountingPlan.h - Which launch is due -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_COUNTINGPLAN_H
#define CUDA_LINT_RUNTIME_PROBE_COUNTINGPLAN_H

#include "runtime/probe/Launches.h"
#include "runtime/probe/Settings.h"

namespace cudalint::probe {

/// One launch that was counted alone.
struct CountedLaunch {
  Budget::Duration Ran = {};     // from its start until nothing ran
  Budget::Duration Closing = {}; // to read its counts and to count no more
  std::uint64_t Launches = 0;    // it, and those that came with it
  double Traffic = 0;            // of all of these
};

/// Where some launches run without counters: whether one is to be counted, by
/// the user's choice, by what was counted so far, and by what that cost. Pure:
/// no clock, no GPU; it is guarded by whose it is. \p Elapsed is how long the
/// program has run.
class CountingPlan {
public:
  using Duration = Budget::Duration;

  explicit CountingPlan(const Settings &S)
      : Launches(S.Launches), Samples(S.samples()), Spending(S.Overhead) {}

  /// After a launch that could not be counted: none is for a while.
  bool isResting(Duration Elapsed) const { return Elapsed < NextTry; }

  /// Whether a launch of \p K with \p Threads is to be counted; \p R may be
  /// absent. Keeps why not.
  bool isDue(LaunchTable::Kernel &K, LaunchTable::Row *R, std::uint64_t Threads,
             Duration Elapsed);

  /// Counting was switched on in \p Cost.
  void switchedOn(Duration Cost) { SwitchCost = Cost; }
  void counted(LaunchTable::Kernel &K, LaunchTable::Row *R,
               std::uint64_t Threads, const CountedLaunch &Its);
  /// The context was never idle while a launch of \p K waited to be counted.
  void foundBusy(LaunchTable::Kernel &K, Duration Waited, Duration Elapsed);

  /// Whether a wait of \p Cost is within what is allowed for kernels that were
  /// never counted.
  bool affords(Duration Cost, Duration Elapsed) const {
    return Spending.holds(Cost, Elapsed, 1);
  }
  /// The program waited for so long because it is measured.
  void spend(Duration Cost) { Spending.spend(Cost); }

private:
  const std::optional<std::uint64_t> Launches; // of each kernel
  const bool Samples;                          // a few, as the overhead allows
  Budget Spending;
  Duration SwitchCost = {};
  Duration NextTry = {};
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_COUNTINGPLAN_H
