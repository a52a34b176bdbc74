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
#include "runtime/probe/Sampling.h"
#include "runtime/probe/SassMetrics.h"
#include "runtime/probe/Settings.h"
#include "runtime/probe/StallCollector.h"

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <sys/stat.h>
#include <unordered_map>

namespace cudalint::probe {

/// Where a launch is counted.
struct LaunchTarget {
  LaunchTable::Kernel *Kernel = nullptr;
  LaunchTable::Row *Row = nullptr; // may be absent
  std::uint64_t Threads = 0;
};

/// The state of the probe in one process. Its functions are called from the
/// callbacks of CUPTI, on the threads of the program, and never throw.
///
/// Locks: `State` guards the tables, and nothing of the driver is called while
/// it is held, because a callback can come with a lock of the driver. `Gate`
/// keeps launches out while counts are read or switched. `Filter` is held from
/// the start to the end of a launch where launches are measured as a whole.
///
/// Where some launches run without counters, one launch at a time has a window:
/// it is opened when nothing runs in the context, its kernel is waited for
/// when the launch has returned, and it is closed when again nothing runs. To
/// read and to switch CUPTI waits for all kernels of a context, and a kernel
/// may wait for another thread. So nothing waits with a lock or with the gate
/// closed: whether the context is idle is asked, for a bounded time, and the
/// gate is closed only while the answer is yes.
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
  /// \p Correlation is CUPTI's number of the call, which ran() has, too.
  void launching(CUcontext Context, const char *Name, const LaunchShape &Shape,
                 CUstream Stream, std::uint32_t Correlation) noexcept;
  void graphLaunching(CUcontext Context, CUgraphExec Graph, CUstream Stream,
                      std::uint32_t Correlation) noexcept;
  void launched(bool Succeeded) noexcept;
  void graphCreated(CUcontext Context, CUgraph Graph,
                    CUgraphExec Executable) noexcept;
  void graphDestroyed(CUgraphExec Executable) noexcept;

  void streamCreated(CUcontext Context, CUstream Stream) noexcept;
  void streamDestroyed(CUcontext Context, CUstream Stream) noexcept;
  /// Around the call that destroys it.
  void streamEnding(CUcontext Context, CUstream Stream) noexcept;
  void streamEnded() noexcept;

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
  void ran(const LaunchKey &Key, std::uint64_t Nanoseconds,
           std::uint32_t Correlation) noexcept;

  void finish(EndKind How) noexcept;

private:
  struct Context {
    unsigned Device = 0;
    bool Counting = false;
    bool HasCounted = false; // at any time
    bool IsStarting = false; // on some thread: to start twice fails
    bool Failed = false;
    // Launches that are counted and not read yet, and their threads.
    std::map<LaunchTable::Kernel *, std::pair<std::uint64_t, std::uint64_t>>
        Unread;
    // All but those of threads, which nobody else can name.
    std::set<CUstream> Streams;
    // Something may run in a stream of a thread, or in one that is gone.
    bool MayRunUnseen = false;
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

  using Clock = std::chrono::steady_clock;

  void startCounting(CUcontext Handle) noexcept;
  void stopCounting(CUcontext Handle) noexcept;
  LaunchTarget target(CUcontext Handle, const char *Name,
                      const LaunchShape &Shape, bool &IsNew);
  void setResources(const LaunchTarget &Target, const LaunchShape &Shape);
  void begin(CUcontext Handle, CUstream Stream,
             std::uint32_t Correlation) noexcept;
  bool isSelected(std::span<const LaunchTarget> Targets);
  bool wanted(std::span<const LaunchTarget> Targets) const;
  bool isIdle(CUcontext Handle, std::optional<CUstream> Own) noexcept;
  bool whenIdle(CUcontext Handle, std::optional<CUstream> Own,
                Clock::duration Patience,
                const std::function<void()> &Act) noexcept;
  bool isDue(const LaunchTarget &Target);
  bool openWindow(CUcontext Handle, const LaunchTarget &Target) noexcept;
  void closeWindow(CUcontext Handle, const LaunchTarget &Target,
                   CUstream Stream) noexcept;
  void closeLeftWindow(Clock::duration Patience) noexcept;
  bool mayWait(LaunchTable::Kernel &Kernel, const LaunchTarget &Target) const;
  void avoidWindow(CUcontext Handle) noexcept;
  void noteEnd(CUcontext Handle) noexcept;
  bool setRanging(CUcontext Handle, std::span<const LaunchTarget> Targets,
                  bool IsGraph);
  void startRanges(CUcontext Handle, unsigned Device) noexcept;
  void stopRanges(CUcontext Handle) noexcept;
  void stopAllRanges() noexcept;

  double readCounts(CUcontext Handle) noexcept;
  bool readAll(std::chrono::milliseconds Patience) noexcept;
  double merge(CUcontext Handle, const std::vector<InstructionCount> &Counts);
  InstructionInfo describe(const InstructionKey &Key);
  void keep(Problem P);
  void complain(int Error) const noexcept;
  void write(const char *End, const std::vector<Problem> &Extra,
             bool IsLast = false) noexcept;

  Settings &Set;
  const bool WantsRanges, WantsStalls;
  CuptiLibrary Cupti;
  DriverApi Driver;
  SassMetrics Sass;
  RangeProfiler Ranges;  // used while the gate is closed
  ModuleTable Modules;   // has a lock of its own
  StallCollector Stalls; // and so has this
  LaunchGate Gate;
  std::mutex Filter;
  std::atomic<bool> CollectsTimes = false, WantsCounts = false;
  std::atomic<bool> Ended = false; // what is launched now is not measured
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
  // Calls that launched something that is asked for, where only some are: how
  // many records of each have not come.
  std::map<std::uint32_t, std::size_t> Selected;
  InstructionTable Instructions;
  LaunchTable Launches;
  std::map<unsigned, Device> Devices;
  std::vector<Problem> Problems;
  bool Counted = false;
  unsigned Captures = 0; // streams that are being captured

  // Windows. The thread that has taken one changes the next three.
  std::atomic<bool> WindowTaken = false;
  Clock::time_point WindowOpened = {}, CountingSince = {};
  std::uint64_t LaunchesBefore = 0; // those before the one of the window
  const Clock::time_point Begin = Clock::now();
  // Guarded by State.
  Budget Spending;
  Clock::duration SwitchCost = {};
  Clock::time_point NextTry = {}; // after one that found no idle moment
  CUcontext LeftOpen = nullptr;   // its kernel did not end in time
  Clock::duration Patience = std::chrono::seconds(10); // for such, together
  // The last launch, if it is of a kernel that may wait for others and is not
  // known to end by itself; how many launches there were with it.
  LaunchTable::Kernel *Suspect = nullptr;
  std::uint64_t SuspectLaunches = 0;

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
