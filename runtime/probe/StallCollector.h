//===- runtime/probe/StallCollector.h - When samples are read ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_STALLCOLLECTOR_H
#define CUDA_LINT_RUNTIME_PROBE_STALLCOLLECTOR_H

#include "runtime/probe/DriverApi.h"
#include "runtime/probe/LockOrder.h"
#include "runtime/probe/ModuleTable.h"
#include "runtime/probe/ProblemList.h"
#include "runtime/probe/StallSampler.h"
#include "runtime/probe/StallTable.h"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>

namespace cudalint::probe {

/// PC sampling of the contexts of a process, from their creation on, of each
/// GPU one at a time: with two, CUPTI gives the samples of neither, and says so
/// no sooner than at the end (13.0, H200). One that has launched is kept, and
/// launches in others are a loss until it is gone. Samples are read after
/// launches and waits once in a while, when code goes, when a context goes, and
/// at the end.
///
/// Locks: each context has one, which is held while CUPTI is asked, and one
/// that is held while its kernels are waited for; `Mutex` guards the tables,
/// and nobody is asked while it is held.
class StallCollector {
public:
  /// The code of modules that are gone is kept up to so much: CUPTI hands the
  /// samples of it over later.
  static constexpr std::size_t KeptCodeBytes = std::size_t{64} << 20;

  StallCollector(const CuptiLibrary &Cupti, const DriverApi &Driver,
                 const ModuleTable &Modules)
      : Cupti(Cupti), Driver(Driver), Modules(Modules) {}

  /// How start() is called.
  enum class Occasion : std::uint8_t { NoLaunch, Launch };

  void contextCreated(CUcontext Handle, unsigned Device) noexcept;
  /// Begins to sample, unless that was so before. A context may not be ready
  /// when it is created: its first module, or its first launch, finds it ready.
  /// What is launched before is a problem. \p IsCapturing: a stream is
  /// captured, which what CUPTI allocates would spoil; nothing begins then.
  void start(CUcontext Handle, Occasion On, bool IsCapturing) noexcept;
  /// Before a context goes. \p HasEnded: nothing runs in it; absent: that is
  /// not known.
  void contextEnding(CUcontext Handle, std::optional<bool> HasEnded) noexcept;
  bool isSampling(CUcontext Handle) const noexcept;

  /// Reads all contexts if that is due and nobody else does.
  void readSometimes() noexcept;
  /// Before code goes.
  void readAll() noexcept;
  /// Whether anything is sampled that finish() has not read.
  bool isRunning() const noexcept;
  /// Waits for all kernels, for ever if one does not end, and samples no more.
  void finish() noexcept;

  /// Adds samples, totals and problems to \p Out. \p IsLast: also what only
  /// the end can tell.
  void summarize(Profile &Out, bool IsLast) const;

private:
  enum class Step { Created, Started, Ended };
  struct Session {
    Session(const CuptiLibrary &Cupti, CUcontext Handle, unsigned Device)
        : Sampler(Cupti, Handle), Handle(Handle), Device(Device) {}

    RankedMutex<LockRank::Sampled> Use;
    RankedMutex<LockRank::Sampling> Mutex;
    StallSampler Sampler;
    const CUcontext Handle;
    const unsigned Device;
    Step At = Step::Created;
    std::atomic<bool> HasLaunched = false, HasMadeRoom = false;
    // It launched while a capture kept it from starting.
    bool WasHeldUp = false;
    bool IsToldOf = false; // that it was launched in and not sampled
  };
  using Sessions = std::vector<std::shared_ptr<Session>>;

  static bool isStarted(Session &S);
  Sessions all() const;
  std::shared_ptr<Session> find(CUcontext Handle) const;
  void makeRoomFor(const Session &S) noexcept;
  bool takeGpu(Session &S);
  void holdUp(Session &S) noexcept;
  void read(Session &S);
  void stop(Session &S);
  void add(unsigned Device, const SamplesRead &Read);
  SourceLine lineOf(const SampledInstruction &Of);

  const CuptiLibrary &Cupti;
  const DriverApi &Driver;
  const ModuleTable &Modules;

  mutable RankedMutex<LockRank::Stalls> Mutex; // guards all below
  Sessions Open;
  std::map<unsigned, CUcontext> Sampled; // by device
  // CUPTI could not stop in these, and its threads have their buffers.
  Sessions Abandoned;
  StallTable Table;
  ProblemList Problems; // has a lock of its own
  bool WasStarted = false, HasSamples = false;
  std::chrono::steady_clock::time_point NextRead = {};
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_STALLCOLLECTOR_H
