//===- tests/unit/runtime/probe/LockOrderTests.cpp - Wrong orders ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/LaunchGate.h"
#include "runtime/probe/LockOrder.h"

#include <gtest/gtest.h>
#include <thread>

namespace cudalint::probe::LockOrderTests {
namespace {

using namespace std::chrono_literals;

TEST(LockOrder, LaterOnesMayBeTakenAndGivenBackInAnyOrder) {
  RankedMutex<LockRank::OneLaunch> First;
  RankedMutex<LockRank::Counts> Second;
  RankedMutex<LockRank::Problems> Third;
  First.lock();
  Second.lock();
  Third.lock();
  First.unlock();
  Third.unlock();
  Third.lock();
  Second.unlock();
  Third.unlock();
  First.lock();
  First.unlock();
}

TEST(LockOrder, AnEarlierOneEndsTheProcess) {
  RankedMutex<LockRank::Counts> Counts;
  RankedMutex<LockRank::Launches> Launches;
  std::lock_guard Lock(Launches);
  EXPECT_DEBUG_DEATH(std::lock_guard Wrong(Counts), "a later lock is held");
}

TEST(LockOrder, AnotherOfTheSameRankEndsTheProcess) {
  RankedMutex<LockRank::Launches> One, Other;
  std::lock_guard Lock(One);
  EXPECT_DEBUG_DEATH(std::lock_guard Wrong(Other), "a later lock is held");
}

TEST(LockOrder, OtherThreadsHoldTheirOwn) {
  RankedMutex<LockRank::Problems> Last;
  RankedMutex<LockRank::OneLaunch> First;
  std::lock_guard Lock(Last);
  std::thread([&] { std::lock_guard Lock(First); }).join();
}

TEST(LockOrder, WithATableNobodyGoesThroughTheGate) {
  LaunchGate Gate;
  RankedMutex<LockRank::Window> Table;
  RankedMutex<LockRank::Snapshot> File;
  {
    std::lock_guard Lock(File);
    expectNoTableLock();
  }
  std::lock_guard Lock(Table);
  EXPECT_DEBUG_DEATH(expectNoTableLock(), "the lock of a table is held");
  EXPECT_DEBUG_DEATH(Gate.enter(), "the lock of a table is held");
  EXPECT_DEBUG_DEATH(Gate.close(0ms), "the lock of a table is held");
}

} // namespace
} // namespace cudalint::probe::LockOrderTests
