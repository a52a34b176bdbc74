//===- runtime/probe/LaunchBook.h - What is launched, how often -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_LAUNCHBOOK_H
#define CUDA_LINT_RUNTIME_PROBE_LAUNCHBOOK_H

#include "runtime/probe/CountingPlan.h"
#include "runtime/probe/DriverApi.h"
#include "runtime/probe/LockOrder.h"
#include "runtime/probe/ModuleTable.h"
#include "runtime/probe/ProblemList.h"

#include <atomic>
#include <chrono>
#include <span>
#include <unordered_map>

namespace cudalint::probe {

/// One call that launches a kernel or a graph.
struct LaunchCall {
  CUcontext Context = nullptr;
  std::uint32_t Correlation = 0; // CUPTI's number of it
  bool IsGraph = false;
  bool MayBeCounted = true;
  Uncounted Otherwise = Uncounted::No; // why, where it is not counted
  bool IsSelected = true;              // it is one of those that are asked for
  bool IsCounted = false;              // its instructions are
  bool IsTimed = false;                // a record of each kernel will come
};

/// All launches: of which kernels and shapes they are, how many of each there
/// were, which of them are asked for, and which are to be counted.
class LaunchBook {
public:
  using Clock = std::chrono::steady_clock;

  LaunchBook(const Settings &S, const ModuleTable &Modules,
             ProblemList &Problems)
      : Set(S), Modules(Modules), Problems(Problems), Plan(S) {}

  /// Where a launch is booked. \p Name is known again by its address until
  /// forgetNames(). \p IsNew: the resources of the shape are not known yet.
  /// Without the shape of a block, it is booked for its kernel alone.
  LaunchTarget target(CUcontext Context, unsigned Device, const char *Name,
                      const LaunchShape &Shape, bool &IsNew);
  void setResources(const LaunchTarget &Target, const LaunchResources &Its);
  /// Names or handles of functions may be gone, and their addresses come again.
  void forgetNames();

  /// Whether a launch comes after those that are to be skipped of one of its
  /// kernels. If not, it is one of them.
  bool isPastSkipped(std::span<const LaunchTarget> Targets);

  /// Books a launch. EXPECTS: this thread is inside the gate.
  void launching(const LaunchCall &Call, std::span<const LaunchTarget> Targets);
  /// It failed: takes it back. EXPECTS: the same.
  void failed(const LaunchCall &Call, std::span<const LaunchTarget> Targets);
  /// A kernel's activity record.
  void ran(const LaunchKey &Key, std::uint64_t Nanoseconds,
           std::uint32_t Correlation);
  /// Whether the user's filter has its kernel.
  bool isWanted(const LaunchTarget &Target) const;
  /// How many launches there were so far.
  std::uint64_t started() const { return Started.load(); }

  /// Whether a launch is to be counted alone.
  bool isDue(const LaunchTarget &Target);
  /// Whether a launch may be counted alone and its code is not loaded, which
  /// tells whether it may be.
  bool needsCode(const LaunchTarget &Target) const;
  /// Whether its kernel may wait for what others write; false also where its
  /// code is not loaded.
  bool mayWait(const LaunchTarget &Target) const;
  void switchedOn(Clock::duration Cost);
  void counted(const LaunchTarget &Target, const CountedLaunch &Its);
  void foundBusy(const LaunchTarget &Target, Clock::duration Waited);
  void spend(Clock::duration Cost);

  /// A launch of a kernel that may wait for others.
  struct Suspect {
    LaunchTable::Kernel *Kernel = nullptr;
    CUcontext Context = nullptr;
    std::uint64_t Number = 0; // of all launches
    /// How long its end is worth waiting for, before anything else is launched.
    Clock::duration Patience = {};
  };
  /// The last launch of all, if it is one of these and its kernel is not known
  /// to end by itself.
  std::optional<Suspect> suspect() const;
  /// Whether that has ended, for which the program waited.
  void judge(const Suspect &Its, bool HasEnded, Clock::duration Waited);

  /// The counts of all launches in the context so far were read, or are lost.
  void countsEnded(CUcontext Context, bool AreRead);
  void contextGone(CUcontext Context);

  /// Whether one of them has not been measured as a whole often enough.
  bool wantsRange(std::span<const LaunchTarget> Targets) const;
  void ranged(const LaunchTarget &Target);
  /// What launches did, in the order of \p Rows; these may be absent.
  void addFigures(std::span<LaunchTable::Row *const> Rows,
                  std::span<const RangeFigures> Figures);

  /// Adds kernels, launches and problems to \p Out.
  void summarize(Profile &Out) const;
  /// Whether \p P has no launch but of kernels that the user's filter leaves
  /// out.
  bool isAllUnwanted(const Profile &P) const;
  /// Takes out of \p P what was counted of these.
  void eraseUnwanted(Profile &P) const;

private:
  struct CacheKey {
    CUcontext Context;
    const char *Name;
    LaunchShape Shape;

    bool operator==(const CacheKey &) const = default;
  };
  struct CacheHash {
    std::size_t operator()(const CacheKey &Key) const;
  };
  struct Sums {
    std::uint64_t Launches = 0, Threads = 0;
  };

  bool mayWaitForLater(const LaunchTarget &Target);

  const Settings &Set;
  const ModuleTable &Modules;
  ProblemList &Problems;
  const Clock::time_point Begin = Clock::now();
  std::atomic<std::uint64_t> Started = 0;

  mutable RankedMutex<LockRank::Launches> Mutex; // guards all below
  LaunchTable Table;
  CountingPlan Plan;
  std::unordered_map<CacheKey, LaunchTarget, CacheHash> Cache;
  // Calls that launched something that is asked for, where only some are: how
  // many records of each have not come.
  std::map<std::uint32_t, std::size_t> Awaited;
  // Launches that are counted and not read yet.
  std::map<CUcontext, std::map<LaunchTable::Kernel *, Sums>> Unread;
  Suspect LastSuspect;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_LAUNCHBOOK_H
