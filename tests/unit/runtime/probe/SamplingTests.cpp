//===- tests/unit/runtime/probe/SamplingTests.cpp - A few of many ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Sampling.h"

#include <gmock/gmock.h>
#include <vector>

namespace cudalint::probe::SamplingTests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Ge;
using testing::Le;

TEST(Budget, ASecondIsAlwaysAllowed) {
  Budget B(0);
  EXPECT_TRUE(B.holds(1s, 0s, 1));
  EXPECT_FALSE(B.holds(1001ms, 0s, 1));
  EXPECT_FALSE(B.holds(501ms, 0s, 0.5));
  B.spend(600ms);
  EXPECT_TRUE(B.holds(400ms, 1h, 1));
  EXPECT_FALSE(B.holds(401ms, 1h, 1));
}

TEST(Budget, ThenAShareOfTheProgramsOwnTime) {
  Budget B(0.3);
  EXPECT_EQ(B.allowed(10s), 3s);
  B.spend(3s);
  // Of 13 seconds, 10 are the program's.
  EXPECT_EQ(B.allowed(13s), 3s);
  EXPECT_FALSE(B.holds(1ns, 13s, 1));
  EXPECT_TRUE(B.holds(299ms, 14s, 1));
}

TEST(Budget, NeitherOverflowsNorShrinksBelowASecond) {
  EXPECT_GT(Budget(1e4).allowed(24h * 365 * 10), 24h * 365 * 100);
  Budget B(0.3);
  B.spend(5s);
  EXPECT_EQ(B.allowed(1s), 1s);
}

/// The numbers of the launches that are counted of \p Launches.
template <class Function>
std::vector<std::uint64_t> counted(std::uint64_t Launches, Function Amount) {
  Samples S;
  std::vector<std::uint64_t> Out;
  for (std::uint64_t I = 0; I != Launches; ++I)
    if (S.isDue(I)) {
      S.add(I, Amount(I));
      Out.push_back(I);
    }
  return Out;
}

TEST(Samples, TheFirstAndThenEverFewer) {
  std::vector<std::uint64_t> Equal =
      counted(100'000, [](std::uint64_t) { return 7.0; });
  EXPECT_EQ(Equal.front(), 0u);
  EXPECT_THAT(Equal.size(), AllOf(Ge(6u), Le(14u)));
  // Spread: some of the last three quarters, too.
  EXPECT_GT(Equal.back(), 25'000u);
  EXPECT_EQ(counted(1, [](std::uint64_t) { return 7.0; }).size(), 1u);
}

TEST(Samples, MoreWhereTheNumbersDiffer) {
  auto Grows = [](std::uint64_t I) { return static_cast<double>(I); };
  std::size_t Differing = counted(100'000, Grows).size();
  EXPECT_GT(Differing,
            counted(100'000, [](std::uint64_t) { return 1; }).size());
  EXPECT_THAT(Differing, Le(40u));
}

TEST(Samples, BothKindsOfAlternatingLaunches) {
  std::vector<std::uint64_t> Numbers =
      counted(1000, [](std::uint64_t I) { return I % 2 ? 1000.0 : 1.0; });
  auto Odd = std::count_if(Numbers.begin(), Numbers.end(),
                           [](std::uint64_t I) { return I % 2; });
  EXPECT_GE(Odd, 3);
  EXPECT_GE(static_cast<std::ptrdiff_t>(Numbers.size()) - Odd, 3);
}

TEST(Samples, SettledByTheErrorOfTheMean) {
  Samples S;
  S.add(0, 100);
  S.add(1, 100);
  EXPECT_FALSE(S.isSettled()); // two say little
  S.add(2, 100);
  EXPECT_TRUE(S.isSettled());
  S.add(3, 200);
  EXPECT_FALSE(S.isSettled());
  Samples Nothing;
  for (int I = 0; I != 3; ++I)
    Nothing.add(0, 0);
  EXPECT_TRUE(Nothing.isSettled());
}

TEST(ShapeSamples, TheFirstFewAndThenEverFewer) {
  ShapeSamples S;
  std::vector<std::uint64_t> Out;
  for (std::uint64_t I = 0; I != 10'000; ++I)
    if (S.isDue(I)) {
      S.add(I);
      Out.push_back(I);
    }
  EXPECT_THAT(std::vector(Out.begin(), Out.begin() + 4),
              testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Out.size(), AllOf(Ge(20u), Le(60u)));
}

} // namespace
} // namespace cudalint::probe::SamplingTests
