//===- runtime/probe/ContextTable.h - Contexts and their streams *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_CONTEXTTABLE_H
#define CUDA_LINT_RUNTIME_PROBE_CONTEXTTABLE_H

#include "runtime/probe/LockOrder.h"
#include "runtime/probe/Profile.h"

#include <cuda.h>
#include <set>

namespace cudalint::probe {

/// The contexts of the program, their devices and streams, and what may run in
/// them. Of a context that it does not know, nothing is told and nothing kept.
class ContextTable {
public:
  /// \p Its tells about the device of number \p Index.
  void add(CUcontext Context, unsigned Index, Device Its);
  void remove(CUcontext Context);
  std::optional<unsigned> deviceOf(CUcontext Context) const;
  /// Of all contexts that ever were, by number.
  std::map<unsigned, Device> devices() const;

  void streamCreated(CUcontext Context, CUstream Stream);
  void streamDestroyed(CUcontext Context, CUstream Stream);

  /// Something is launched to \p Stream. \p IsWaitedFor: by the probe, as soon
  /// as it is launched.
  void launching(CUcontext Context, CUstream Stream, bool IsWaitedFor);
  /// Whether all launches so far were to \p Stream.
  bool isOnlyStream(CUstream Stream) const;

  /// Something may run in a stream that is gone.
  void mayRunUnseen(CUcontext Context);
  /// Nothing runs in any stream, be it known or not.
  void waitedForAll(CUcontext Context);

  /// A capture ends with its stream, too.
  void captureBegan(CUstream Stream);
  void captureEnded(CUstream Stream);
  bool isCapturing() const;

  /// The streams to ask whether something runs; absent: these may not be asked,
  /// or do not know.
  std::optional<std::vector<CUstream>> streamsToAsk(CUcontext Context) const;

private:
  struct Entry {
    unsigned Device = 0;
    // All but those of threads, which nobody else can name.
    std::set<CUstream> Streams;
    // Something may run in a stream of a thread, or in one that is gone.
    bool MayRunUnseen = false;
  };

  mutable RankedMutex<LockRank::Contexts> Mutex; // guards all
  std::map<CUcontext, Entry> Contexts;
  std::map<unsigned, Device> Devices;
  // Streams that are being captured, and how often: each thread has one of the
  // same name.
  std::map<CUstream, unsigned> Captures;
  std::optional<CUstream> FirstStream; // that was launched to
  bool HasMoreStreams = false;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_CONTEXTTABLE_H
