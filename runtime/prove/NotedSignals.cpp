//===- runtime/prove/NotedSignals.cpp - Clean up first --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/prove/NotedSignals.h"

#include <pthread.h>

namespace cudalint {

static volatile std::sig_atomic_t Caught = 0;
/// That which waits for programs. The system may hand a signal to another one.
static pthread_t Waiting;

static void note(int Signal) {
  Caught = Signal;
  if (!::pthread_equal(::pthread_self(), Waiting))
    ::pthread_kill(Waiting, Signal);
}

NotedSignals::NotedSignals() {
  Caught = 0;
  Waiting = ::pthread_self();
  struct sigaction Note = {};
  Note.sa_handler = note;
  Note.sa_flags = SA_RESTART;
  for (std::size_t I = 0; I != Signals.size(); ++I) {
    ::sigaction(Signals[I], nullptr, &Before[I]);
    // Whoever started us may want one to be ignored (nohup).
    if (Before[I].sa_handler != SIG_IGN)
      ::sigaction(Signals[I], &Note, nullptr);
  }
}

NotedSignals::~NotedSignals() {
  for (std::size_t I = 0; I != Signals.size(); ++I)
    ::sigaction(Signals[I], &Before[I], nullptr);
}

int NotedSignals::last() { return Caught; }
void NotedSignals::add(int Signal) { Caught = Signal; }

} // namespace cudalint
