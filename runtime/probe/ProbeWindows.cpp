//===- runtime/probe/ProbeWindows.cpp - A few launches are counted --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How counting is switched on for one launch without waiting for what may
/// never come: see Probe.
///
//===----------------------------------------------------------------------===//

#include "runtime/probe/Probe.h"

#include <algorithm>
#include <thread>

namespace cudalint::probe {

using namespace std::chrono_literals;

// All patience is chosen, so that a program that waits for something else goes
// on soon: what is not idle by then runs without counters.
//
// For the work that was queued before a launch to end; and where the user has
// chosen the launches.
static constexpr std::chrono::nanoseconds QueuePatience = 250ms;
static constexpr std::chrono::nanoseconds ChoicePatience = 2s;

// For a kernel that loads what others write: it may wait for this very thread.
static constexpr auto WaiterPatience = 200ms;

// Where another thread keeps the context busy when the kernel has ended.
static constexpr auto OthersPatience = 50ms;

// For another thread to close its window: meanwhile all launches are counted.
static constexpr auto AvoidancePatience = 20ms;

// So many launches of a kernel that may wait for others have to end by
// themselves before one is counted. Chosen: one may end by chance.
static constexpr unsigned EnoughEnds = 3;

// A kernel of so few threads, whose code is not known before its module is
// loaded, may be one that waits: a warp is enough for that.
static constexpr std::uint64_t ThreadsOfWaiter = 32;

// To patch a kernel takes up to this long, however long it runs: at most 1.9 ms
// were seen, docs/validation/overhead-h200.md.
static constexpr auto PatchTime = 3ms;

// Fewer threads do not fill a GPU: their kernel takes no less time for that.
// Chosen: 32 SMs of 2048.
static constexpr std::uint64_t FewThreads = 65536;

// Of what is allowed, the rest is left for kernels that were never counted.
// Chosen.
static constexpr double PartOfKnownKernels = 0.5;

void Probe::streamCreated(CUcontext Handle, CUstream Stream) noexcept {
  std::lock_guard<std::mutex> Lock(State);
  if (auto Found = Contexts.find(Handle); Found != Contexts.end())
    Found->second.Streams.insert(Stream);
}

void Probe::streamDestroyed(CUcontext Handle, CUstream Stream) noexcept {
  std::lock_guard<std::mutex> Lock(State);
  if (auto Found = Contexts.find(Handle); Found != Contexts.end())
    Found->second.Streams.erase(Stream);
}

/// Nobody asks about a stream while it goes: that is asked with the gate
/// closed. What it still has to do goes on.
void Probe::streamEnding(CUcontext Handle, CUstream Stream) noexcept {
  if (!Set.filters())
    return;
  bool IsBusy = WantsCounts && Driver.isBusy(Stream);
  Gate.enter();
  std::lock_guard<std::mutex> Lock(State);
  if (auto Found = Contexts.find(Handle); Found != Contexts.end() && IsBusy)
    Found->second.MayRunUnseen = true;
}

void Probe::streamEnded() noexcept {
  if (Set.filters())
    Gate.leave();
}

/// Whether nothing runs in the context; \p Own is a stream of this thread.
/// EXPECTS: the gate is closed.
bool Probe::isIdle(CUcontext Handle, std::optional<CUstream> Own) noexcept {
  std::vector<CUstream> Streams = {CU_STREAM_LEGACY};
  if (Own)
    Streams.push_back(*Own);
  {
    std::lock_guard<std::mutex> Lock(State);
    auto Found = Contexts.find(Handle);
    // To ask about a stream would end the capture of another.
    if (Found == Contexts.end() || Found->second.MayRunUnseen || Captures)
      return false;
    const std::set<CUstream> &All = Found->second.Streams;
    Streams.insert(Streams.end(), All.begin(), All.end());
  }
  DriverApi::Current Current(Driver, Handle);
  return std::none_of(Streams.begin(), Streams.end(),
                      [&](CUstream Each) { return Driver.isBusy(Each); });
}

/// Before somebody who has waited for so long looks again. Most kernels are
/// short, and some are very long.
static void pauseAfter(std::chrono::nanoseconds Waited) {
  if (Waited < 100us)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(
        std::clamp<std::chrono::nanoseconds>(Waited / 16, 20us, 2ms));
}

/// Calls \p Act at a moment when nothing runs in the context and nobody
/// launches. False: there was none in \p Patience.
bool Probe::whenIdle(CUcontext Handle, std::optional<CUstream> Own,
                     Clock::duration Patience,
                     const std::function<void()> &Act) noexcept {
  auto Start = Clock::now();
  for (;;) {
    // Does not wait for those inside.
    if (Gate.close(0ms)) {
      bool Idle = isIdle(Handle, Own);
      if (Idle)
        Act();
      Gate.open();
      if (Idle)
        return true;
    }
    auto Waited = Clock::now() - Start;
    if (Waited >= Patience)
      return false;
    pauseAfter(Waited);
  }
}

/// Whether a launch is to be counted. EXPECTS: State is held.
bool Probe::isDue(const LaunchTarget &Target) {
  LaunchTable::Kernel &K = *Target.Kernel;
  auto Now = Clock::now();
  if (Ended || !K.Wanted || Now < NextTry)
    return false;
  if (mayWait(K, Target)) {
    K.Why = Uncounted::Waits;
    return false;
  }
  if (Set.Launches)
    return K.Measured < *Set.Launches;
  if (!Set.samples())
    return true;
  LaunchTable::Row *Row = Target.Row;
  if (!Row || !Row->Sampling.isDue(Row->Count))
    return false;
  bool IsFirst = K.Measured == 0;
  if (!IsFirst && !Row->Sampling.count() && !K.Sampling.isDue(Row->Number))
    return false;
  auto Threads = static_cast<double>(std::max(Target.Threads, FewThreads));
  Budget::Duration Cost = SwitchCost;
  Cost += Budget::Duration(static_cast<Budget::Duration::rep>(
      std::min(K.CostOfThread * Threads, 9e17)));
  if (Spending.holds(Cost, Now - Begin, IsFirst ? 1 : PartOfKnownKernels))
    return true;
  K.Why = Cost > Spending.allowed(Now - Begin) ? Uncounted::Cost
                                               : Uncounted::Overhead;
  return false;
}

/// Whether the kernel may wait for what is launched after it. While it is
/// counted, CUPTI has the first launch of each other kernel wait for it.
/// EXPECTS: State is held.
bool Probe::mayWait(LaunchTable::Kernel &K, const LaunchTarget &Target) const {
  if (K.EndedAlone >= EnoughEnds)
    return false;
  if (!K.MayWait)
    K.MayWait = Modules.mayWait(K.Name);
  return K.MayWait.value_or(Target.Threads <= ThreadsOfWaiter &&
                            K.Launches == 0);
}

/// Before a launch: whether the one before has ended by itself.
void Probe::noteEnd(CUcontext Handle) noexcept {
  {
    std::lock_guard<std::mutex> Lock(State);
    if (!Suspect || Started.load() != SuspectLaunches)
      return;
  }
  bool Ended = whenIdle(Handle, std::nullopt, 0s, [] {});
  std::lock_guard<std::mutex> Lock(State);
  if (Suspect && Ended)
    ++Suspect->EndedAlone;
  Suspect = nullptr;
}

/// Before a launch: while another thread counts one, this one would be counted,
/// too, which it may be.
void Probe::avoidWindow(CUcontext Handle) noexcept {
  auto Start = Clock::now();
  auto IsOpen = [&] {
    std::lock_guard<std::mutex> Lock(State);
    auto Found = Contexts.find(Handle);
    return Found != Contexts.end() && Found->second.Counting && !LeftOpen;
  };
  while (WindowTaken && IsOpen() && Clock::now() - Start < AvoidancePatience)
    std::this_thread::sleep_for(20us);
}

/// Counts from here on, where the launch that follows is to be counted.
bool Probe::openWindow(CUcontext Handle, const LaunchTarget &Target) noexcept {
  {
    std::lock_guard<std::mutex> Lock(State);
    if (!isDue(Target))
      return false;
  }
  if (WindowTaken.exchange(true))
    return false;
  WindowOpened = Clock::now();
  auto ForQueue = Set.samples() ? QueuePatience : ChoicePatience;
  bool Idle = whenIdle(Handle, std::nullopt, ForQueue, [&] {
    auto Start = Clock::now();
    startCounting(Handle);
    LaunchesBefore = Started.load();
    CountingSince = Clock::now();
    std::lock_guard<std::mutex> Lock(State);
    SwitchCost = Clock::now() - Start;
  });
  std::lock_guard<std::mutex> Lock(State);
  auto Found = Contexts.find(Handle);
  if (Idle && Found != Contexts.end() && Found->second.Counting)
    return true;
  auto Now = Clock::now();
  if (!Idle) {
    if (Target.Kernel->Why == Uncounted::No)
      Target.Kernel->Why = Uncounted::Busy;
    // Not again until what was lost here is little.
    NextTry = Now + 20 * (Now - WindowOpened);
    Spending.spend(Now - WindowOpened);
  }
  WindowTaken = false;
  return false;
}

/// After the launch has returned: waits for its kernel, reads its counts, and
/// counts no more.
void Probe::closeWindow(CUcontext Handle, const LaunchTarget &Target,
                        CUstream Stream) noexcept {
  double Traffic = 0;
  std::size_t Dropped = 0;
  Clock::time_point Ready;
  auto Close = [&] {
    Ready = Clock::now();
    Traffic = readCounts(Handle);
    Sass.disable(Handle, Dropped);
    std::lock_guard<std::mutex> Lock(State);
    Contexts[Handle].Counting = false;
  };
  Clock::duration Most;
  {
    std::lock_guard<std::mutex> Lock(State);
    Most = Patience;
    if (Modules.mayWait(Target.Kernel->Name).value_or(false))
      Most = std::min<Clock::duration>(Most, WaiterPatience);
  }
  auto Start = Clock::now();
  bool Closed = whenIdle(Handle, Stream, 0s, Close);
  {
    DriverApi::Current Current(Driver, Handle);
    for (auto Waited = Start - Start;
         !Closed && Driver.isBusy(Stream) && Waited < Most;
         Waited = Clock::now() - Start)
      pauseAfter(Waited);
  }
  if (!Closed)
    Closed = whenIdle(Handle, Stream, OthersPatience, Close);
  auto Now = Clock::now();

  std::lock_guard<std::mutex> Lock(State);
  Spending.spend(Now - WindowOpened);
  if (!Closed) {
    Patience -= std::min<Clock::duration>(Patience, Now - Start);
    LeftOpen = Handle;
    return; // the window stays taken
  }
  SwitchCost += Now - Ready;
  LaunchTable::Kernel &K = *Target.Kernel;
  auto Threads = static_cast<double>(std::max(Target.Threads, FewThreads));
  // A launch may return when its kernel has ended.
  auto Cost = std::max<Clock::duration>(Ready - CountingSince - PatchTime, 0ns);
  K.CostOfThread = static_cast<double>(Cost.count()) / Threads;
  std::uint64_t Counted = Started.load() - LaunchesBefore;
  if (Target.Row && Target.Row->Count && Counted) {
    if (!Target.Row->Sampling.count())
      K.Sampling.add(Target.Row->Number);
    // Other threads may have launched meanwhile.
    Target.Row->Sampling.add(Target.Row->Count - 1,
                             Traffic / static_cast<double>(Counted));
  }
  if (Dropped)
    keep(loss("counts-lost", "CUPTI dropped counts of a launch, so its lines "
                             "lack them; please report it"));
  WindowTaken = false;
}

/// Closes the window of a launch whose kernel did not end in time, if it has
/// ended now: until then all launches are counted.
void Probe::closeLeftWindow(Clock::duration Most) noexcept {
  CUcontext Handle = nullptr;
  {
    std::lock_guard<std::mutex> Lock(State);
    Handle = LeftOpen;
    Most = std::min(Most, Patience);
  }
  if (!Handle)
    return;
  auto Start = Clock::now();
  std::size_t Dropped = 0;
  bool Closed = whenIdle(Handle, std::nullopt, Most, [&] {
    {
      std::lock_guard<std::mutex> Lock(State);
      if (LeftOpen != Handle)
        return; // another thread was faster
      LeftOpen = nullptr;
    }
    readCounts(Handle);
    Sass.disable(Handle, Dropped);
    std::lock_guard<std::mutex> Lock(State);
    Contexts[Handle].Counting = false;
    WindowTaken = false;
  });
  auto Waited = Clock::now() - Start;
  std::lock_guard<std::mutex> Lock(State);
  Spending.spend(Waited);
  if (!Closed)
    Patience -= std::min(Patience, Waited);
}

} // namespace cudalint::probe
