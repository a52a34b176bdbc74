//===- runtime/probe/LaunchGate.cpp - Holds launches back -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/LaunchGate.h"

#include "runtime/probe/LockOrder.h"

namespace cudalint::probe {

void LaunchGate::enter() {
  expectNoTableLock();
  for (;;) {
    Inside.fetch_add(1);
    // Either the closer sees us inside, or we see that it is closed.
    if (!Closed.load())
      return;
    leave();
    std::unique_lock<std::mutex> Lock(Mutex);
    Changed.wait(Lock, [&] { return !Closed.load(); });
  }
}

void LaunchGate::leave() {
  if (Inside.fetch_sub(1) != 1 || !Closed.load())
    return;
  // Under the lock, so that the closer cannot miss it between test and wait.
  std::lock_guard<std::mutex> Lock(Mutex);
  Changed.notify_all();
}

bool LaunchGate::close(std::chrono::milliseconds Patience) {
  expectNoTableLock();
  auto Until = std::chrono::steady_clock::now() + Patience;
  std::unique_lock<std::mutex> Lock(Mutex);
  if (!Changed.wait_until(Lock, Until, [&] { return !Closed.load(); }))
    return false;
  Closed.store(true);
  if (Changed.wait_until(Lock, Until, [&] { return Inside.load() == 0; }))
    return true;
  Closed.store(false);
  Changed.notify_all();
  return false;
}

void LaunchGate::open() {
  std::lock_guard<std::mutex> Lock(Mutex);
  Closed.store(false);
  Changed.notify_all();
}

} // namespace cudalint::probe
