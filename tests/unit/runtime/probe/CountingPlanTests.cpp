//===- tests/unit/runtime/probe/CountingPlanTests.cpp - What is due -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/CountingPlan.h"

#include <gtest/gtest.h>

namespace cudalint::probe::CountingPlanTests {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t Threads = 1 << 20;

/// A plan and one kernel of one shape.
struct Plan : CountingPlan {
  explicit Plan(const Settings &S) : CountingPlan(S) {}

  bool isDueAt(Duration Elapsed) { return isDue(K, &R, Threads, Elapsed); }
  /// A launch that is counted in \p Ran.
  void count(Duration Ran) {
    ++K.Launches;
    ++K.Measured;
    ++R.Count;
    counted(K, &R, Threads, {.Ran = Ran, .Launches = 1, .Traffic = 100});
    spend(Ran);
  }

  LaunchTable::Kernel K;
  LaunchTable::Row R;
};

TEST(CountingPlan, AsManyAsTheUserChose) {
  Settings S;
  S.Launches = 2;
  Plan P(S);
  for (int I = 0; I != 2; ++I) {
    EXPECT_TRUE(P.isDueAt(0s));
    P.count(100s); // whatever it costs
  }
  EXPECT_FALSE(P.isDueAt(0s));
  EXPECT_EQ(P.K.Why, Uncounted::No);
}

TEST(CountingPlan, AllOfTheKernelsThatTheUserChose) {
  Settings S;
  S.AllLaunches = true;
  Plan P(S);
  P.count(100s);
  EXPECT_TRUE(P.isDueAt(0s));
}

TEST(CountingPlan, TheFirstAndThenFewer) {
  Plan P{Settings()};
  std::uint64_t Counted = 0;
  for (int I = 0; I != 1000; ++I)
    if (P.isDueAt(10s)) {
      P.count(4ms);
      ++Counted;
    } else {
      ++P.R.Count;
    }
  EXPECT_TRUE(Counted >= 5 && Counted <= 20) << Counted;
}

TEST(CountingPlan, WhatOneLaunchCostsMoreThanIsAllowed) {
  Plan P{Settings()};
  ASSERT_TRUE(P.isDueAt(0s));
  P.count(5s);
  P.R.Count += 10;
  EXPECT_FALSE(P.isDueAt(6s));
  EXPECT_EQ(P.K.Why, Uncounted::Cost);
}

TEST(CountingPlan, WhatIsLeftIsForKernelsThatWereNeverCounted) {
  Plan P{Settings()};
  P.count(4ms);
  P.spend(600ms); // of a second
  P.R.Count += 10;
  EXPECT_FALSE(P.isDueAt(0s));
  EXPECT_EQ(P.K.Why, Uncounted::Overhead);
  LaunchTable::Kernel New;
  LaunchTable::Row Row;
  EXPECT_TRUE(P.isDue(New, &Row, Threads, 0s));
}

// Kernels that call through pointers bring all that they may call.
TEST(CountingPlan, CodeThatTakesLongerToPatchThanIsAllowed) {
  Settings S;
  S.Overhead = 0.3;
  Plan P(S);
  P.K.CodeBytes = 9'000'000;
  EXPECT_TRUE(P.isDueAt(0s));
  P.K.CodeBytes = 98'133'632;
  EXPECT_FALSE(P.isDueAt(0s));
  EXPECT_EQ(Uncounted::Cost, P.K.Why);
  EXPECT_TRUE(P.isDueAt(60s)); // of which 30 % is more than 9.8 s
  // Once it was counted, what that took is known.
  P.K.CodeBytes = 9'000'000;
  P.count(4ms);
  P.K.CodeBytes = 98'133'632;
  P.R.Count = 1000;
  EXPECT_TRUE(P.isDueAt(1s));
}

TEST(CountingPlan, WhatOneKernelCostsAfterwardsIsNoneOfTheOthers) {
  Settings S;
  S.Overhead = 0.3;
  Plan P(S);
  ASSERT_TRUE(P.isDueAt(0s));
  ++P.K.Launches;
  ++P.K.Measured;
  ++P.R.Count;
  P.counted(P.K, &P.R, Threads,
            {.Ran = 4ms, .Closing = 5s, .Launches = 1, .Traffic = 100});
  P.R.Count = 1000;
  EXPECT_FALSE(P.isDueAt(1s));
  LaunchTable::Kernel Other;
  LaunchTable::Row Its;
  EXPECT_TRUE(P.isDue(Other, &Its, Threads, 1s));
}

TEST(CountingPlan, AShapeWithoutARowIsNeverSampled) {
  Plan P{Settings()};
  EXPECT_FALSE(P.isDue(P.K, nullptr, Threads, 0s));
}

TEST(CountingPlan, AfterAWaitInVainItRestsForTwentyTimesAsLong) {
  Plan P{Settings()};
  EXPECT_FALSE(P.isResting(0s));
  P.foundBusy(P.K, 250ms, 1s);
  EXPECT_EQ(P.K.Why, Uncounted::Busy);
  // The last cause is told.
  P.K.Why = Uncounted::Waits;
  P.foundBusy(P.K, 250ms, 1s);
  EXPECT_EQ(P.K.Why, Uncounted::Busy);
  EXPECT_TRUE(P.isResting(5999ms));
  EXPECT_FALSE(P.isResting(6s));
}

} // namespace
} // namespace cudalint::probe::CountingPlanTests
