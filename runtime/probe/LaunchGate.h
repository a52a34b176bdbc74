//===- runtime/probe/LaunchGate.h - Holds launches back ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_LAUNCHGATE_H
#define CUDA_LINT_RUNTIME_PROBE_LAUNCHGATE_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace cudalint::probe {

/// A door that launches pass while it is open, and that is closed while the
/// counters are read: CUPTI deadlocks when another thread launches meanwhile
/// (seen with 13.0: the reader waits for the context, the launch for CUPTI).
/// To pass costs two atomic operations.
class LaunchGate {
public:
  /// Waits while the gate is closed. A thread that entered leaves again.
  void enter();
  void leave();

  /// Closes the gate and waits until nobody is inside, for at most \p Patience.
  /// False: somebody stayed inside, or another thread has closed it; then the
  /// gate is as before.
  bool close(std::chrono::milliseconds Patience);

  /// Of the thread for which close() returned true.
  void open();

private:
  std::atomic<int> Inside = 0;
  std::atomic<bool> Closed = false;
  std::mutex Mutex;
  std::condition_variable Changed;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_LAUNCHGATE_H
