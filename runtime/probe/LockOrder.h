//===- runtime/probe/LockOrder.h - Which lock comes first -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All locks of the probe, and the order in which a thread may take them.
///
/// A callback of CUPTI can come with locks of the driver, and what the driver
/// is asked can wait for these, for kernels, or for a thread that launches. So:
///
///  1. Who holds a lock takes only locks that come later.
///  2. Who holds the lock of a table calls nothing of the driver or of CUPTI,
///     waits for nothing, and neither enters nor closes the LaunchGate.
///
/// Where assertions are on, a thread that breaks a rule ends the process, also
/// when no other thread is there to wait for.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_LOCKORDER_H
#define CUDA_LINT_RUNTIME_PROBE_LOCKORDER_H

#include <cassert>
#include <cstdint>
#include <mutex>

namespace cudalint::probe {

/// First to last, by who has it.
enum class LockRank : std::uint8_t {
  OneLaunch, // LaunchRanges, from the start to the end of a launch
  Metrics,   // SassMetrics, while CUPTI is asked what a device counts
  Sampled,   // StallCollector, of one context, which must not go meanwhile
  Sampling,  // StallCollector, of one context, while CUPTI is asked
  Snapshot,  // SnapshotWriter, while the file is written
  // From here on, those of tables.
  Window,    // CountingWindow
  Ranges,    // LaunchRanges
  Counts,    // InstructionCounter
  Launches,  // LaunchBook
  Contexts,  // ContextTable
  Functions, // FunctionShapes
  Graphs,    // GraphTable
  Stalls,    // StallCollector
  Modules,   // ModuleTable
  Problems,  // ProblemList
};

#ifndef NDEBUG
/// A bit for each rank of which this thread holds a lock.
inline constinit thread_local unsigned HeldLocks = 0;
#endif

/// EXPECTS: this thread holds the lock of no table.
inline void expectNoTableLock() {
  assert(HeldLocks < 1u << static_cast<unsigned>(LockRank::Window) &&
         "the lock of a table is held");
}

/// A mutex with its place in the order.
template <LockRank Rank> class RankedMutex {
public:
  void lock() {
    assert(HeldLocks < Bit && "a later lock is held");
    Mutex.lock();
#ifndef NDEBUG
    HeldLocks |= Bit;
#endif
  }
  /// Never waits, so that a thread may try whatever it holds.
  bool try_lock() {
    if (!Mutex.try_lock())
      return false;
#ifndef NDEBUG
    HeldLocks |= Bit;
#endif
    return true;
  }
  void unlock() {
#ifndef NDEBUG
    HeldLocks &= ~Bit;
#endif
    Mutex.unlock();
  }

private:
  static constexpr unsigned Bit = 1u << static_cast<unsigned>(Rank);
  std::mutex Mutex;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_LOCKORDER_H
