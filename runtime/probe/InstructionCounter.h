//===- runtime/probe/InstructionCounter.h - Counts of contexts --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_INSTRUCTIONCOUNTER_H
#define CUDA_LINT_RUNTIME_PROBE_INSTRUCTIONCOUNTER_H

#include "runtime/probe/DriverApi.h"
#include "runtime/probe/KernelTimes.h"
#include "runtime/probe/LaunchBook.h"
#include "runtime/probe/SassMetrics.h"

namespace cudalint::probe {

/// Counts instructions: in which contexts, and what was read so far. Where that
/// is impossible for good, times are taken instead.
///
/// EXPECTS of start(), read() and stop(): the lock of no table is held. Those
/// that read wait for all kernels of the context: EXPECTS: the gate is closed,
/// and nothing runs in it that may wait for this thread.
class InstructionCounter {
public:
  InstructionCounter(const CuptiLibrary &Cupti, const DriverApi &Driver,
                     const Settings &S, const ModuleTable &Modules,
                     LaunchBook &Launches, KernelTimes &Times,
                     ProblemList &Problems)
      : Cupti(Cupti), Driver(Driver), Modules(Modules), Launches(Launches),
        Times(Times), Problems(Problems), Sass(Cupti, S.samples()),
        IsWanted(S.Collect == CollectKind::Counters) {}

  /// Whether instructions are to be counted, and can be as far as is known.
  bool isWanted() const { return IsWanted; }

  void contextCreated(CUcontext Context, unsigned Device);
  void contextGone(CUcontext Context);

  /// Counts in \p Context from here on. Does nothing where that has begun or
  /// has failed for good.
  void start(CUcontext Context) noexcept;
  bool isCounting(CUcontext Context) const;
  /// Whether it ever did.
  bool hasCounted(CUcontext Context) const;
  /// All contexts that count.
  std::vector<CUcontext> counting() const;

  /// Reads what was counted since the last time. Returns how much traffic there
  /// was, for the mean of several launches.
  double read(CUcontext Context) noexcept;
  /// Reads, and counts no more. \p Dropped: counts that could not be read.
  double stop(CUcontext Context, std::size_t &Dropped) noexcept;
  /// Nothing is read any more: kernels run that stop() would wait for.
  void giveUp(CUcontext Context);

  /// Adds launches, and what was counted of these, to \p Out: of the same
  /// moment.
  void summarize(Profile &Out) const;
  /// Whether any instruction was counted at all.
  bool anyExecuted() const;

private:
  struct State {
    unsigned Device = 0;
    bool IsCounting = false;
    bool HasCounted = false; // at any time
    bool IsStarting = false; // on some thread: to start twice fails
    bool HasFailed = false;
  };

  double merge(unsigned Device, const std::vector<InstructionCount> &Counts);
  InstructionInfo describe(const InstructionKey &Key);

  const CuptiLibrary &Cupti;
  const DriverApi &Driver;
  const ModuleTable &Modules;
  LaunchBook &Launches;
  KernelTimes &Times;
  ProblemList &Problems;
  SassMetrics Sass; // has a lock of its own
  std::atomic<bool> IsWanted;

  mutable RankedMutex<LockRank::Counts> Mutex; // guards all below
  std::map<CUcontext, State> Contexts;
  InstructionTable Instructions;
  bool EverCounted = false;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_INSTRUCTIONCOUNTER_H
