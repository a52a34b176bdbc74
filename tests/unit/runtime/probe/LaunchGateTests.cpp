//===- tests/unit/runtime/probe/LaunchGateTests.cpp - Who may pass when ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/LaunchGate.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace cudalint::probe::LaunchGateTests {
namespace {

using namespace std::chrono_literals;

TEST(LaunchGate, NobodyIsInsideWhileItIsClosed) {
  LaunchGate Gate;
  std::atomic<int> Inside = 0;
  std::atomic<bool> Stop = false;
  std::atomic<long> Passed = 0;
  std::vector<std::thread> Threads;
  for (int I = 0; I != 4; ++I)
    Threads.emplace_back([&] {
      while (!Stop) {
        Gate.enter();
        ++Inside;
        ++Passed;
        --Inside;
        Gate.leave();
      }
    });
  for (int Round = 0; Round != 200; ++Round) {
    ASSERT_TRUE(Gate.close(10s));
    EXPECT_EQ(Inside.load(), 0);
    long Before = Passed.load();
    std::this_thread::sleep_for(100us);
    EXPECT_EQ(Passed.load(), Before);
    Gate.open();
  }
  Stop = true;
  for (std::thread &T : Threads)
    T.join();
  EXPECT_GT(Passed.load(), 0);
}

TEST(LaunchGate, GivesUpOnALaunchThatStays) {
  LaunchGate Gate;
  Gate.enter();
  EXPECT_FALSE(Gate.close(10ms));
  // It is open again, for that launch and for others.
  Gate.enter();
  Gate.leave();
  Gate.leave();
  EXPECT_TRUE(Gate.close(10ms));
  EXPECT_FALSE(Gate.close(10ms)); // closed by somebody
  Gate.open();
}

} // namespace
} // namespace cudalint::probe::LaunchGateTests
