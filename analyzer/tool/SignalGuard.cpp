//===- analyzer/tool/SignalGuard.cpp - Keeps signals that end us ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/SignalGuard.h"

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>
#include <unistd.h>

namespace cudalint {

static constexpr std::array Signals = {SIGINT, SIGTERM, SIGHUP};

namespace {
/// What was set before somebody was inside.
struct FormerActions {
  std::array<struct sigaction, Signals.size()> Each;
  struct sigaction OfChildren;
};
} // namespace

static std::mutex Guarded;
static unsigned Inside = 0;
static FormerActions Former;
static std::atomic<int> Kept = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void SignalGuard::enter() const {
  std::scoped_lock Lock(Guarded);
  if (Inside++ != 0)
    return;
  // Whoever ignores the ends of children cannot wait for them, and may have us
  // inherit that.
  sigaction(SIGCHLD, nullptr, &Former.OfChildren);
  if (Former.OfChildren.sa_handler == SIG_IGN) {
    struct sigaction Default = {};
    Default.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &Default, nullptr);
  }
  struct sigaction Ours = {};
  Ours.sa_handler = [](int Signal) { Kept = Signal; };
  for (std::size_t I = 0; I != Signals.size(); ++I) {
    sigaction(Signals[I], nullptr, &Former.Each[I]);
    // nohup's choice to ignore one stays.
    if (Former.Each[I].sa_handler != SIG_IGN)
      sigaction(Signals[I], &Ours, nullptr);
  }
}

void SignalGuard::leave() const {
  std::scoped_lock Lock(Guarded);
  if (--Inside != 0)
    return;
  for (std::size_t I = 0; I != Signals.size(); ++I)
    sigaction(Signals[I], &Former.Each[I], nullptr);
  sigaction(SIGCHLD, &Former.OfChildren, nullptr);
  if (const int Signal = Kept.exchange(0))
    kill(getpid(), Signal);
}

bool SignalGuard::isToEnd() const { return Kept != 0; }

} // namespace cudalint
