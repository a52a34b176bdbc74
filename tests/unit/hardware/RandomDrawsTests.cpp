//===- tests/unit/hardware/RandomDrawsTests.cpp - Balls in boxes ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The means of draws, against all possible draws one by one where they are
/// few, and against draws of another generator where they are many.
///
//===----------------------------------------------------------------------===//

#include "hardware/RandomDraws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <set>

namespace RandomDrawsTests {

using namespace cudalint;

using Draw = std::vector<unsigned>;

/// Each of Things^Draws draws.
static void forEachDraw(unsigned Things, unsigned Draws,
                        const std::function<void(const Draw &)> &Visit) {
  Draw D(Draws, 0);
  for (;;) {
    Visit(D);
    unsigned At = 0;
    while (At != Draws && ++D[At] == Things)
      D[At++] = 0;
    if (At == Draws)
      return;
  }
}

/// Wavefronts if word w lies in bank \p BankOf[w].
static unsigned fullest(const Draw &D, const std::vector<unsigned> &BankOf,
                        EqualWords Equal) {
  unsigned InBank[32] = {}, Most = 0;
  for (std::size_t I = 0; I != D.size(); ++I) {
    bool IsServed = false; // by the wavefront of an equal word
    for (std::size_t J = 0; J != I && Equal == EqualWords::Together; ++J)
      IsServed |= D[J] == D[I];
    if (!IsServed)
      Most = std::max(Most, ++InBank[BankOf[D[I]]]);
  }
  return Most;
}

TEST(RandomDraws, DistinctThings) {
  for (unsigned Things : {1u, 2u, 3u, 5u, 8u})
    for (unsigned Draws : {1u, 2u, 3u, 4u}) {
      double Sum = 0, Count = 0;
      forEachDraw(Things, Draws, [&](const Draw &D) {
        Sum += static_cast<double>(std::set(D.begin(), D.end()).size());
        ++Count;
      });
      EXPECT_NEAR(expectedDistinct(Things, Draws), Sum / Count, 1e-12)
          << Things << " things, " << Draws << " draws";
    }
  EXPECT_EQ(expectedDistinct(7, 0), 0);
  // All but surely different, to the last digit: 32 - 496 / S.
  EXPECT_NEAR(expectedDistinct(1e12, 32), 32 - 496e-12, 1e-13);
}

// A thing with chance 1/2 and two with 1/4 each are four of which two are one.
TEST(RandomDraws, DistributionOfUnequalThings) {
  const double Chance[] = {0.5, 0.25, 0.25};
  for (unsigned Draws : {1u, 2u, 3u, 4u}) {
    std::vector<double> Count(Draws + 1);
    forEachDraw(4, Draws, [&](Draw D) {
      std::ranges::replace(D, 3u, 0u);
      Count[std::set(D.begin(), D.end()).size()] += std::pow(0.25, Draws);
    });
    const std::vector<double> Found = distinctDistribution(Chance, Draws);
    ASSERT_EQ(Found.size(), Count.size());
    for (unsigned D = 0; D <= Draws; ++D)
      EXPECT_NEAR(Found[D], Count[D], 1e-12) << Draws << " draws, " << D;
  }
}

TEST(RandomDraws, DistributionHasTheKnownMean) {
  const std::vector<double> Chance(50, 1 / 50.0);
  const std::vector<double> P = distinctDistribution(Chance, 32);
  double Mean = 0;
  for (unsigned D = 0; D < P.size(); ++D)
    Mean += D * P[D];
  EXPECT_NEAR(std::accumulate(P.begin(), P.end(), 0.0), 1, 1e-12);
  EXPECT_NEAR(Mean, expectedDistinct(50, 32), 1e-10);
}

TEST(RandomDraws, FullestBankOfAllDraws) {
  const std::vector<unsigned> Places[] = {
      {0}, {0, 0, 0}, {0, 1, 2}, {0, 1, 0, 1, 0}, {0, 1, 2, 3, 0, 1, 2}};
  for (const std::vector<unsigned> &BankOf : Places)
    for (EqualWords Equal : {EqualWords::Together, EqualWords::InTurn})
      for (unsigned Draws : {1u, 2u, 3u, 4u}) {
        double Sum = 0, Count = 0;
        const auto Words = static_cast<unsigned>(BankOf.size());
        forEachDraw(Words, Draws, [&](const Draw &D) {
          Sum += fullest(D, BankOf, Equal);
          ++Count;
        });
        std::vector<double> InBank(32, 0);
        for (unsigned B : BankOf)
          ++InBank[B];
        EXPECT_NEAR(expectedFullestBank(InBank, Draws, Equal), Sum / Count,
                    1e-12)
            << Words << " words, " << Draws << " draws";
      }
}

// 32 draws: too many to try, and so 40000 of a generator that the library does
// not use. The maximum varies by less than 2: four standard errors are 0.04.
TEST(RandomDraws, FullestBankOfSomeDraws) {
  std::minstd_rand Random(7);
  for (unsigned Words : {32u, 64u, 100u, 256u, 4096u}) {
    std::vector<unsigned> BankOf(Words);
    std::vector<double> InBank(32, 0);
    for (unsigned W = 0; W < Words; ++W)
      ++InBank[BankOf[W] = W % 32];
    for (EqualWords Equal : {EqualWords::Together, EqualWords::InTurn}) {
      double Sum = 0;
      constexpr unsigned Tries = 40000;
      std::uniform_int_distribution<unsigned> Uniform(0, Words - 1);
      for (unsigned T = 0; T < Tries; ++T) {
        Draw D(32);
        for (unsigned &W : D)
          W = Uniform(Random);
        Sum += fullest(D, BankOf, Equal);
      }
      EXPECT_NEAR(expectedFullestBank(InBank, 32, Equal), Sum / Tries, 0.04)
          << Words << " words";
    }
  }
}

// Where no two lanes draw one word, it does not matter how equal ones are
// served. 3.53 is the known mean of the fullest of 32 boxes with 32 balls.
TEST(RandomDraws, ManyWords) {
  const std::vector<double> InBank(32, 1e9);
  const double InTurn = expectedFullestBank(InBank, 32, EqualWords::InTurn);
  EXPECT_NEAR(InTurn, 3.53, 0.005);
  EXPECT_NEAR(expectedFullestBank(InBank, 32, EqualWords::Together), InTurn,
              1e-6);
}

} // namespace RandomDrawsTests
