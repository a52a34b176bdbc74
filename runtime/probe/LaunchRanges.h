//===- runtime/probe/LaunchRanges.h - Launches, one by one ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_LAUNCHRANGES_H
#define CUDA_LINT_RUNTIME_PROBE_LAUNCHRANGES_H

#include "runtime/probe/DriverApi.h"
#include "runtime/probe/LaunchBook.h"
#include "runtime/probe/LaunchGate.h"
#include "runtime/probe/RangeProfiler.h"

namespace cudalint::probe {

/// Measures launches as a whole, one by one: their achieved occupancy and what
/// L2 and DRAM did, or what other units did. CUPTI serves one context of a
/// device at a time.
///
/// One launch at a time: a thread holds the first lock of all from the start to
/// the end of its launch, the driver's call among it. EXPECTS of all functions:
/// the lock of no table is held; of those that close the gate, too, that this
/// thread is not inside.
class LaunchRanges {
public:
  LaunchRanges(const CuptiLibrary &Cupti, const DriverApi &Driver,
               const Settings &S, LaunchGate &Gate, LaunchBook &Launches,
               ProblemList &Problems)
      : IsOfUnits(S.Collect == CollectKind::Units), Noun(nounOf(S.Collect)),
        Cupti(Cupti), Driver(Driver), Gate(Gate), Launches(Launches),
        Problems(Problems), Profiler(Cupti, S) {}

  /// What is measured, for the user.
  static const char *nounOf(CollectKind Kind) {
    return Kind == CollectKind::Units ? "what hardware units did"
                                      : "achieved occupancy";
  }
  /// Runs that the units need; 0: not asked for, or no launch was measured.
  unsigned parts() const { return Profiler.parts(); }

  void contextCreated(CUcontext Context, unsigned Device);
  /// Before it goes. Closes the gate.
  void contextEnding(CUcontext Context) noexcept;

  /// A launch begins: from here on nobody else launches.
  void begin() noexcept { OneLaunch.lock(); }
  /// Whether it is measured, as it shall be if \p IsWanted and if that is
  /// possible. Between begin() and the launch; may close the gate.
  bool set(CUcontext Context, bool IsWanted) noexcept;
  /// It was measured. EXPECTS: this thread is inside the gate.
  void measured(CUcontext Context, const LaunchTarget &Target) noexcept;
  /// It is over.
  void end() noexcept { OneLaunch.unlock(); }

  /// The contexts in which launches are measured.
  std::vector<CUcontext> measuring() const;
  /// Reads what was measured, and measures no more. EXPECTS: the gate is
  /// closed.
  void stop(CUcontext Context) noexcept;
  /// Everywhere. Closes the gate.
  void stopAll() noexcept;

private:
  struct State {
    unsigned Device = 0;
    bool IsMeasuring = false;
    bool HasFailed = false;
    // Launches since the last reading, in their order; rows may be absent.
    std::vector<LaunchTable::Row *> Rows;
  };

  void start(CUcontext Context, unsigned Device) noexcept;

  const bool IsOfUnits;
  const char *const Noun;
  const CuptiLibrary &Cupti;
  const DriverApi &Driver;
  LaunchGate &Gate;
  LaunchBook &Launches;
  ProblemList &Problems;
  RangeProfiler Profiler; // used while the gate is closed
  RankedMutex<LockRank::OneLaunch> OneLaunch;

  mutable RankedMutex<LockRank::Ranges> Mutex; // guards all below
  std::map<CUcontext, State> Contexts;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_LAUNCHRANGES_H
