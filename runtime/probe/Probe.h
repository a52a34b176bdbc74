//===- runtime/probe/Probe.h - What is measured, and when -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_PROBE_H
#define CUDA_LINT_RUNTIME_PROBE_PROBE_H

#include "runtime/probe/DriverApi.h"
#include "runtime/probe/EndOfProcess.h"
#include "runtime/probe/LaunchGate.h"
#include "runtime/probe/Launches.h"
#include "runtime/probe/ModuleTable.h"
#include "runtime/probe/ProfileFile.h"
#include "runtime/probe/RangeProfiler.h"
#include "runtime/probe/SassMetrics.h"
#include "runtime/probe/Settings.h"

#include <atomic>
#include <memory>
#include <span>
#include <sys/stat.h>
#include <unordered_map>

namespace cudalint::probe {

/// Where a launch is counted.
struct LaunchTarget {
  LaunchTable::Kernel *Kernel = nullptr;
  LaunchTable::Row *Row = nullptr; // may be absent
};

/// The state of the probe in one process. Its functions are called from the
/// callbacks of CUPTI, on the threads of the program, and never throw.
///
/// Locks: `State` guards the tables, and nothing of the driver is called while
/// it is held, because a callback can come with a lock of the driver. `Gate`
/// keeps launches out while counts are read. `Filter` is held from the start
/// to the end of a launch where some run without counters, and where launches
/// are measured one by one.
class Probe {
public:
  explicit Probe(Settings &S);

  const Settings &settings() const { return Set; }
  CuptiLibrary &cupti() { return Cupti; }

  /// Loads CUPTI. False: it does not work, which the profile says.
  bool load();
  void addProblem(Problem P) noexcept;
  /// Kernel activity records instead of counts.
  void collectTimes() noexcept;

  void contextCreated(CUcontext Context) noexcept;
  void contextDestroyed(CUcontext Context) noexcept;
  /// The number that CUPTI is to give to a module in its records.
  std::uint32_t moduleNumber(std::string_view Cubin) noexcept;
  void moduleLoaded(CUcontext Context, std::string_view Cubin) noexcept;
  void moduleUnloaded(std::string_view Cubin) noexcept;
  /// Before code goes: the last moment to read its counts.
  void unloading() noexcept;

  /// Between them stands the launch; \p Succeeded is its outcome.
  void launching(CUcontext Context, const char *Name, const LaunchShape &Shape,
                 CUstream Stream) noexcept;
  void graphLaunching(CUcontext Context, CUgraphExec Graph,
                      CUstream Stream) noexcept;
  void launched(bool Succeeded) noexcept;
  void graphCreated(CUcontext Context, CUgraph Graph,
                    CUgraphExec Executable) noexcept;
  void graphDestroyed(CUgraphExec Executable) noexcept;

  /// A stream is captured between them.
  void captureBeginning() noexcept;
  void captureEnded() noexcept;

  /// How many launches there were so far.
  std::uint64_t launches() const { return Started.load(); }
  /// The program has waited for \p Stream, or for the whole context where
  /// that is absent, since there were \p LaunchesBefore launches. Reads the
  /// counts if nothing can be running, so that a later SIGKILL loses little.
  void synchronized(CUcontext Context, std::optional<CUstream> Stream,
                    std::uint64_t LaunchesBefore) noexcept;

  /// A kernel's activity record.
  void ran(const LaunchKey &Key, std::uint64_t Nanoseconds) noexcept;

  void finish(EndKind How) noexcept;

private:
  struct Context {
    unsigned Device = 0;
    bool Counting = false;
    bool IsStarting = false; // on some thread: to start twice fails
    bool Failed = false;
    // Ranges that have been started since the last reading, in their order.
    bool Ranging = false;
    std::vector<LaunchTable::Row *> Ranged;
  };
  struct CacheKey {
    CUcontext Context;
    const char *Name;
    LaunchShape Shape;

    bool operator==(const CacheKey &) const = default;
  };
  struct CacheHash {
    std::size_t operator()(const CacheKey &Key) const;
  };

  void startCounting(CUcontext Handle) noexcept;
  bool setCounting(CUcontext Handle, bool Wanted) noexcept;
  LaunchTarget target(CUcontext Handle, const char *Name,
                      const LaunchShape &Shape, bool &IsNew);
  void setResources(const LaunchTarget &Target, const LaunchShape &Shape);
  void begin(CUcontext Handle, CUstream Stream) noexcept;
  bool wanted(std::span<const LaunchTarget> Targets) const;
  void filterCounts(CUcontext Handle, std::span<const LaunchTarget> Targets,
                    bool IsGraph);
  bool setRanging(CUcontext Handle, std::span<const LaunchTarget> Targets,
                  bool IsGraph);
  void startRanges(CUcontext Handle, unsigned Device) noexcept;
  void stopRanges(CUcontext Handle) noexcept;
  void stopAllRanges() noexcept;

  void readCounts(CUcontext Handle) noexcept;
  void readAll(std::chrono::milliseconds Patience) noexcept;
  void merge(CUcontext Handle, const std::vector<InstructionCount> &Counts);
  InstructionInfo describe(const InstructionKey &Key);
  void keep(Problem P);
  void complain(int Error) const noexcept;
  void write(const char *End, const std::vector<Problem> &Extra,
             bool IsLast = false) noexcept;

  Settings &Set;
  const bool WantsRanges;
  CuptiLibrary Cupti;
  DriverApi Driver;
  SassMetrics Sass;
  RangeProfiler Ranges; // used while the gate is closed
  ModuleTable Modules;  // has a lock of its own
  LaunchGate Gate;
  std::mutex Filter;
  std::atomic<bool> CollectsTimes = false, WantsCounts = false;
  std::atomic<std::uint64_t> Started = 0;       // launches
  std::atomic<std::uint64_t> StartedAtRead = 0; // when all were read
  // The only stream that was launched to so far, or one of the marks.
  static constexpr std::uintptr_t NoStream = ~std::uintptr_t{0};
  static constexpr std::uintptr_t ManyStreams = NoStream - 1;
  std::atomic<std::uintptr_t> OnlyStream = NoStream;

  std::mutex State;
  std::map<CUcontext, Context> Contexts;
  std::unordered_map<CacheKey, LaunchTarget, CacheHash> Cache;
  std::map<CUgraphExec, std::vector<LaunchTarget>> Graphs;
  InstructionTable Instructions;
  LaunchTable Launches;
  std::map<unsigned, Device> Devices;
  std::vector<Problem> Problems;
  bool Counted = false;
  unsigned Captures = 0; // streams that are being captured

  std::mutex Writing;
  ProfileFile File;
  std::vector<std::string> Command;
  struct stat Errors = {}; // the standard error stream as it began
  bool HasErrors = false;
  bool Finished = false;
  std::chrono::steady_clock::time_point NextSnapshot;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_PROBE_H
