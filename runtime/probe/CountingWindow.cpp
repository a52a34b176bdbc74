//===- runtime/probe/CountingWindow.cpp - A launch counted alone ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/CountingWindow.h"

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

// For a window that was left open, before each launch.
static constexpr auto LeftPatience = 20ms;

// For another thread to close its window: meanwhile all launches are counted.
static constexpr auto AvoidancePatience = 20ms;

void CountingWindow::prepare(CUcontext Context) noexcept {
  closeLeft(LeftPatience);
  avoid(Context);
  // Whether the launch before ends by itself.
  if (const auto Suspect = Launches.suspect()) {
    const auto Start = Clock::now();
    const bool HasEnded =
        Idle.act(Suspect->Context, std::nullopt, Suspect->Patience, [] {});
    Launches.judge(*Suspect, HasEnded, Clock::now() - Start);
  }
}

/// While another thread counts a launch, this one would be counted, too, which
/// it may be.
void CountingWindow::avoid(CUcontext Context) noexcept {
  auto Start = Clock::now();
  while (IsTaken && Counter.isCounting(Context) && !hasLeft() &&
         Clock::now() - Start < AvoidancePatience)
    std::this_thread::sleep_for(20us);
}

bool CountingWindow::hasLeft() const {
  std::lock_guard Lock(Mutex);
  return Left != nullptr;
}

bool CountingWindow::open(CUcontext Context,
                          const LaunchTarget &Target) noexcept {
  if (!Launches.isDue(Target) || IsTaken.exchange(true))
    return false;
  Opened = Clock::now();
  auto ForQueue = Set.samples() ? QueuePatience : ChoicePatience;
  bool IsIdle = Idle.act(Context, std::nullopt, ForQueue, [&] {
    auto Start = Clock::now();
    Counter.start(Context);
    LaunchesBefore = Launches.started();
    CountingSince = Clock::now();
    Launches.switchedOn(CountingSince - Start);
  });
  if (IsIdle && Counter.isCounting(Context))
    return true;
  if (!IsIdle)
    Launches.foundBusy(Target, Clock::now() - Opened);
  IsTaken = false;
  return false;
}

void CountingWindow::close(CUcontext Context, const LaunchTarget &Target,
                           CUstream Stream) noexcept {
  CountedLaunch Its;
  std::size_t Dropped = 0;
  Clock::time_point Ready;
  auto Close = [&] {
    Ready = Clock::now();
    Its.Traffic = Counter.stop(Context, Dropped);
  };
  Clock::duration Most;
  {
    std::lock_guard Lock(Mutex);
    Most = Patience;
  }
  if (Launches.mayWait(Target))
    Most = std::min<Clock::duration>(Most, WaiterPatience);
  auto Start = Clock::now();
  bool IsClosed = Idle.act(Context, Stream, 0s, Close);
  if (!IsClosed) {
    Idle.waitFor(Context, Stream, Most);
    IsClosed = Idle.act(Context, Stream, OthersPatience, Close);
  }
  auto Now = Clock::now();
  Launches.spend(Now - Opened);
  if (!IsClosed) {
    std::lock_guard Lock(Mutex);
    Patience -= std::min<Clock::duration>(Patience, Now - Start);
    Left = Context;
    return; // the window stays taken
  }
  Its.Ran = Ready - CountingSince;
  Its.Closing = Now - Ready;
  Its.Launches = Launches.started() - LaunchesBefore;
  Launches.counted(Target, Its);
  if (Dropped)
    Problems.add(loss("counts-lost",
                      "CUPTI dropped counts of a launch, so its lines lack "
                      "them; please report it"));
  IsTaken = false;
}

void CountingWindow::closeLeft(Clock::duration Most) noexcept {
  CUcontext Context = nullptr;
  {
    std::lock_guard Lock(Mutex);
    Context = Left;
    Most = std::min(Most, Patience);
  }
  if (!Context)
    return;
  auto Start = Clock::now();
  bool IsClosed = Idle.act(Context, std::nullopt, Most, [&] {
    {
      std::lock_guard Lock(Mutex);
      if (Left != Context)
        return; // another thread was faster
      Left = nullptr;
    }
    std::size_t Dropped = 0;
    Counter.stop(Context, Dropped);
    IsTaken = false;
  });
  auto Waited = Clock::now() - Start;
  Launches.spend(Waited);
  std::lock_guard Lock(Mutex);
  if (!IsClosed)
    Patience -= std::min(Patience, Waited);
}

void CountingWindow::forget(CUcontext Context) noexcept {
  std::lock_guard Lock(Mutex);
  if (Left != Context)
    return;
  Left = nullptr;
  IsTaken = false;
}

} // namespace cudalint::probe
