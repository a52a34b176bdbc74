//===- runtime/probe/IdleMoments.h - When nothing runs ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_IDLEMOMENTS_H
#define CUDA_LINT_RUNTIME_PROBE_IDLEMOMENTS_H

#include "runtime/probe/ContextTable.h"
#include "runtime/probe/DriverApi.h"
#include "runtime/probe/LaunchGate.h"

#include <functional>

namespace cudalint::probe {

/// To read counts and to switch counting, CUPTI waits for all kernels of a
/// context, and a kernel may wait for another thread. So nobody waits for a
/// kernel with the gate closed: whether the context is idle is asked, for a
/// bounded time, and the gate stays closed only while the answer is yes.
///
/// EXPECTS of all functions: the lock of no table is held, and this thread is
/// not inside the gate.
class IdleMoments {
public:
  using Clock = std::chrono::steady_clock;

  IdleMoments(LaunchGate &Gate, const ContextTable &Contexts,
              const DriverApi &Driver)
      : Gate(Gate), Contexts(Contexts), Driver(Driver) {}

  /// Calls \p Act at a moment when nothing runs in \p Context and nobody
  /// launches, with the gate closed; \p Own is a stream of this thread to be
  /// asked, too. False: there was none in \p Patience. Asks once at least.
  bool act(CUcontext Context, std::optional<CUstream> Own,
           Clock::duration Patience, const std::function<void()> &Act) noexcept;

  /// Waits until \p Stream has no work, for at most \p Patience. The gate stays
  /// open.
  void waitFor(CUcontext Context, CUstream Stream,
               Clock::duration Patience) noexcept;

private:
  bool isIdle(CUcontext Context, std::optional<CUstream> Own) noexcept;

  LaunchGate &Gate;
  const ContextTable &Contexts;
  const DriverApi &Driver;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_IDLEMOMENTS_H
