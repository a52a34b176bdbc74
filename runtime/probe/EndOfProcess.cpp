//===- runtime/probe/EndOfProcess.cpp - Acts before the end ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/EndOfProcess.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

namespace cudalint::probe {

// Handlers of the C library get no argument, so what they need is global. All
// of it is safe to use in a signal handler.
static void (*FinishFunction)(EndKind) noexcept;
static unsigned Patience;
static pid_t Owner;
static sem_t Request;
static std::atomic<bool> Requested, Done;
static std::atomic<EndKind> How;

/// Waits for the end and finishes once.
static void *finishOnRequest(void *) {
  while (::sem_wait(&Request) != 0 && errno == EINTR)
    ;
  FinishFunction(How.load());
  Done.store(true);
  return nullptr;
}

static void sleepMilliseconds(long Milliseconds) {
  timespec Time = {0, Milliseconds * 1'000'000};
  ::nanosleep(&Time, nullptr);
}

/// The work is done by the waiting thread, because a signal handler may not
/// allocate memory. This one only waits.
static void finish(EndKind Kind) {
  if (::getpid() != Owner)
    return;
  if (!Requested.exchange(true)) {
    How.store(Kind);
    ::sem_post(&Request);
  }
  for (unsigned Waited = 0; !Done.load() && Waited != Patience * 1000; ++Waited)
    sleepMilliseconds(1);
}

static void onExit() { finish(EndKind::Exit); }

static void onSignal(int Signal, siginfo_t *Info, void *) {
  int Error = errno;
  finish(EndKind::Signal);
  std::signal(Signal, SIG_DFL);
  // A fault happens again when we return. A signal that was sent does not: it
  // is raised, and delivered on return, because its own handler blocks it.
  bool IsFault = Signal == SIGSEGV || Signal == SIGBUS || Signal == SIGFPE ||
                 Signal == SIGILL;
  if (!IsFault || Info->si_code <= 0)
    std::raise(Signal);
  errno = Error;
}

static void catchSignals() {
  for (int Signal : {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGPIPE,
                     SIGQUIT, SIGSEGV, SIGSYS, SIGTERM, SIGXCPU}) {
    struct sigaction Old = {};
    if (::sigaction(Signal, nullptr, &Old) != 0 || Old.sa_handler != SIG_DFL)
      continue;
    struct sigaction New = {};
    New.sa_sigaction = onSignal;
    New.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    ::sigaction(Signal, &New, nullptr);
  }
}

void actBeforeEnd(void (*Finish)(EndKind) noexcept, unsigned PatienceSeconds) {
  FinishFunction = Finish;
  Patience = PatienceSeconds;
  Owner = ::getpid();
  ::sem_init(&Request, 0, 0);

  // The thread takes none of the program's signals.
  sigset_t All, Before;
  ::sigfillset(&All);
  ::pthread_sigmask(SIG_SETMASK, &All, &Before);
  pthread_t Thread;
  bool Started =
      ::pthread_create(&Thread, nullptr, finishOnRequest, nullptr) == 0;
  ::pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  if (!Started)
    return;
  ::pthread_detach(Thread);
  std::atexit(onExit);
  std::at_quick_exit(onExit);
  catchSignals();
}

} // namespace cudalint::probe
