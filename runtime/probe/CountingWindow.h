//===- runtime/probe/CountingWindow.h - A launch counted alone --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_COUNTINGWINDOW_H
#define CUDA_LINT_RUNTIME_PROBE_COUNTINGWINDOW_H

#include "runtime/probe/IdleMoments.h"
#include "runtime/probe/InstructionCounter.h"

namespace cudalint::probe {

/// Where some launches run without counters, one launch at a time has the
/// window: it is opened when nothing runs in the context, its kernel is waited
/// for when the launch has returned, and it is closed when again nothing runs.
/// Between these moments the gate is open.
///
/// EXPECTS of all functions but forget(): the lock of no table is held, and
/// this thread is not inside the gate.
class CountingWindow {
public:
  using Clock = std::chrono::steady_clock;

  CountingWindow(const Settings &S, IdleMoments &Idle,
                 InstructionCounter &Counter, LaunchBook &Launches,
                 ProblemList &Problems)
      : Set(S), Idle(Idle), Counter(Counter), Launches(Launches),
        Problems(Problems) {}

  /// Before each launch in \p Context: nothing of earlier ones is to count it,
  /// as far as a short wait helps.
  void prepare(CUcontext Context) noexcept;

  /// Counts from here on, if the launch that follows is to be counted. True: it
  /// has the window, and the thread calls close() when the launch has returned.
  bool open(CUcontext Context, const LaunchTarget &Target) noexcept;
  /// Waits for its kernel, reads its counts, and counts no more.
  void close(CUcontext Context, const LaunchTarget &Target,
             CUstream Stream) noexcept;

  /// Closes the window of a launch whose kernel did not end in time, if it has
  /// ended within \p Most: until then all launches are counted.
  void closeLeft(Clock::duration Most) noexcept;

  /// The context is gone.
  void forget(CUcontext Context) noexcept;

private:
  void avoid(CUcontext Context) noexcept;
  bool hasLeft() const;

  const Settings &Set;
  IdleMoments &Idle;
  InstructionCounter &Counter;
  LaunchBook &Launches;
  ProblemList &Problems;

  std::atomic<bool> IsTaken = false;
  // Of the launch that has the window: guarded by that. Opened: the thread
  // began to wait for it. LaunchesBefore: those before it.
  Clock::time_point Opened = {}, CountingSince = {};
  std::uint64_t LaunchesBefore = 0;

  mutable RankedMutex<LockRank::Window> Mutex; // guards all below
  CUcontext Left = nullptr; // whose kernel did not end in time
  Clock::duration Patience = std::chrono::seconds(10); // for all such together
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_COUNTINGWINDOW_H
