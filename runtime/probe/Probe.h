//===- runtime/probe/Probe.h - What is measured, and when -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The parts of the probe, each with one lock of its own (LockOrder.h), and
/// which of them knows which others:
///
///   ProblemList          what went wrong
///   ModuleTable          the code that is loaded
///   ContextTable         contexts, their streams, and what may run in them
///   FunctionShapes       shapes of blocks that are set before a launch
///   GraphTable           the kernels of graphs
///   LaunchGate           keeps launches out while counts are read or switched
///   IdleMoments          ContextTable, LaunchGate: when nothing runs
///   LaunchBook           ModuleTable: what was launched, and what is due
///   KernelTimes          kernels that are timed
///   InstructionCounter   LaunchBook, ModuleTable, KernelTimes: counts
///   CountingWindow       InstructionCounter, LaunchBook, IdleMoments: one
///                        launch that is counted alone
///   LaunchRanges         LaunchBook, LaunchGate: launches as a whole
///   StallCollector       ModuleTable: where warps stand
///   SnapshotWriter       the file, and when it is written
///
/// A launch is booked, and counted or not; what is counted is read in an idle
/// moment; a snapshot takes launches and counts together.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_PROBE_H
#define CUDA_LINT_RUNTIME_PROBE_PROBE_H

#include "runtime/probe/CountingWindow.h"
#include "runtime/probe/EndOfProcess.h"
#include "runtime/probe/FunctionShapes.h"
#include "runtime/probe/GraphTable.h"
#include "runtime/probe/LaunchRanges.h"
#include "runtime/probe/SnapshotWriter.h"
#include "runtime/probe/StallCollector.h"

namespace cudalint::probe {

/// The probe in one process. Its functions are called from the callbacks of
/// CUPTI, on the threads of the program, perhaps with a lock of the driver, and
/// never throw. It has no lock: it only says which of its parts does what next.
class Probe {
public:
  explicit Probe(const Settings &S);

  CuptiLibrary &cupti() { return Cupti; }

  /// Loads CUPTI. False: it does not work, which the profile says.
  bool load();
  void addProblem(Problem P) noexcept { Problems.add(std::move(P)); }
  /// Kernel activity records instead of counts.
  void collectTimes() noexcept { Times.start(); }

  void contextCreated(CUcontext Context) noexcept;
  void contextDestroyed(CUcontext Context) noexcept;
  /// The number that CUPTI is to give to a module in its records.
  std::uint32_t moduleNumber(std::string_view Cubin) noexcept;
  void moduleLoaded(CUcontext Context, std::string_view Cubin) noexcept;
  void moduleUnloaded(std::string_view Cubin) noexcept;
  /// Before code goes: the last moment to read its counts.
  void unloading() noexcept;
  /// It is gone. \p Module may be null: more than one.
  void unloaded(CUmodule Module) noexcept;

  /// Between them stands the launch; \p Succeeded is its outcome.
  /// \p Correlation is CUPTI's number of the call, which ran() has, too.
  void launching(CUcontext Context, const char *Name, const LaunchShape &Shape,
                 CUstream Stream, std::uint32_t Correlation) noexcept;
  void graphLaunching(CUcontext Context, CUgraphExec Graph, CUstream Stream,
                      std::uint32_t Correlation) noexcept;
  /// By a call that takes the block from what was set of the function before,
  /// which \p Shape lacks.
  void gridLaunching(CUcontext Context, const char *Name, LaunchShape Shape,
                     CUstream Stream, std::uint32_t Correlation) noexcept;
  void blockShapeSet(CUcontext Context, CUfunction Function,
                     std::array<unsigned, 3> Block) noexcept;
  void sharedSizeSet(CUcontext Context, CUfunction Function,
                     unsigned Bytes) noexcept;
  /// On several GPUs at once, by one call. \p Context is that of the thread.
  void togetherLaunching(CUcontext Context, const char *Name,
                         std::span<const CUDA_LAUNCH_PARAMS> List,
                         std::uint32_t Correlation) noexcept;
  void launched(bool Succeeded) noexcept;
  void graphCreated(CUcontext Context, CUgraph Graph,
                    CUgraphExec Executable) noexcept;
  void graphDestroyed(CUgraphExec Executable) noexcept;
  void graphUploaded(CUgraphExec Executable) noexcept;
  /// Around the call that makes it, or gives it other kernels.
  void graphChanging(CUcontext Context) noexcept;
  void graphChanged() noexcept;

  void streamCreated(CUcontext Context, CUstream Stream) noexcept;
  void streamDestroyed(CUcontext Context, CUstream Stream) noexcept;
  /// Around the call that destroys it.
  void streamEnding(CUcontext Context, CUstream Stream) noexcept;
  void streamEnded() noexcept;

  /// A stream is captured between them.
  void captureBeginning(CUcontext Context, CUstream Stream) noexcept;
  void captureEnded(CUstream Stream) noexcept;

  /// How many launches there were so far.
  std::uint64_t launches() const { return Launches.started(); }
  /// The program has waited for \p Stream, or for the whole context where
  /// that is absent, since there were \p LaunchesBefore launches. Reads the
  /// counts if nothing can be running, so that a later SIGKILL loses little.
  void synchronized(CUcontext Context, std::optional<CUstream> Stream,
                    std::uint64_t LaunchesBefore) noexcept;

  /// A kernel's activity record.
  void ran(const LaunchKey &Key, std::uint64_t Nanoseconds,
           std::uint32_t Correlation) noexcept;

  void finish(EndKind How) noexcept;

private:
  /// Whether it asks streams for their work while others launch.
  bool asksStreams() const { return Set.filters() || WantsStalls; }
  void launchingOne(CUcontext Context, const char *Name,
                    const LaunchShape &Shape, CUstream Stream,
                    std::uint32_t Correlation) noexcept;
  void begin(CUstream Stream, CUfunction Function) noexcept;
  void loadCode(CUfunction Function) noexcept;
  void beginTogether() noexcept;
  bool enterUncounted(std::span<const CUcontext> Contexts,
                      std::chrono::milliseconds Patience) noexcept;
  void enterWithGraph(std::span<const CUcontext> Contexts) noexcept;
  void launchedTogether(bool Succeeded) noexcept;
  void read(CUcontext Context) noexcept;
  void startStalls(CUcontext Context, StallCollector::Occasion On) noexcept;
  bool readAll(std::chrono::milliseconds Patience) noexcept;
  void write(const char *End, const std::vector<Problem> &Extra,
             bool IsLast = false) noexcept;

  const Settings &Set;
  const bool WantsRanges; // launches as a whole, not their instructions
  const bool WantsStalls; // samples instead of both
  CuptiLibrary Cupti;
  DriverApi Driver;
  ProblemList Problems;
  ModuleTable Modules;
  ContextTable Contexts;
  FunctionShapes Functions;
  GraphTable Graphs;
  LaunchGate Gate;
  IdleMoments Idle;
  LaunchBook Launches;
  KernelTimes Times;
  InstructionCounter Counter;
  CountingWindow Window;
  LaunchRanges Ranges;
  StallCollector Stalls;
  SnapshotWriter Snapshots;
  std::atomic<bool> Ended = false; // what is launched now is not measured
  std::atomic<std::int64_t> WaitedForGraphs = 0; // milliseconds
  std::atomic<std::uint64_t> LaunchesAtRead = 0; // when all were read
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_PROBE_H
