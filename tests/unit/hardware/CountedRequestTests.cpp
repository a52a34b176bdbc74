//===- tests/unit/hardware/CountedRequestTests.cpp - Counted lanes --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Requests whose addresses count lanes: against every way in which few lanes
/// can say yes or no, and against what can be computed by hand. Each request's
/// own cost is WarpTransactions', which is tested, and measured, apart.
///
//===----------------------------------------------------------------------===//

#include "hardware/CountedRequest.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace CountedRequestTests {

using namespace cudalint;

static const Architecture &arch(ComputeCapability CC = {9, 0}) {
  return *findArchitecture(CC);
}

/// `if (p) out[rank] = x` by these lanes, for words of 4 bytes.
static CountedRequest compaction(std::uint32_t Voters = ~0u) {
  CountedRequest R;
  R.Known.Kind = RequestKind::Store;
  R.Known.ActiveMask = R.Voters = Voters;
  R.Known.BytesPerLane = 4;
  R.Known.Address.fill(1 << 20);
  R.Bytes = 4;
  R.OnlyYes = true;
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Counted[L] = (1u << L) - 1;
  return R;
}

/// By all ways to say yes or no, or so many of them if the lanes take part
/// whatever they say.
static CountedCost ofAllWays(const Architecture &Arch,
                             const CountedRequest &R) {
  CountedCost Out;
  Out.Least = INFINITY;
  double Ways = 0;
  std::uint32_t Yes = 0;
  do {
    WarpRequest W = R.Known;
    if (R.OnlyYes)
      W.ActiveMask &= Yes;
    for (unsigned L = 0; L < WarpSize; ++L)
      W.Address[L] += static_cast<std::uint64_t>(R.Bytes) *
                      static_cast<unsigned>(std::popcount(R.Counted[L] & Yes));
    if (W.ActiveMask) {
      const RequestCosts Each = costIn(R.Memory, Arch, W);
      ++Ways;
      Out.Mean += Each.Cost;
      Out.Ideal += Each.Ideal;
      Out.Lanes += std::popcount(W.ActiveMask);
      Out.Least = std::min(Out.Least, Each.Cost);
      Out.Most = std::max(Out.Most, Each.Cost);
    }
    // The next of the subsets of the voters.
    Yes = (Yes - R.Voters) & R.Voters;
  } while (Yes);
  Out.Mean /= Ways;
  Out.Ideal /= Ways;
  Out.Lanes /= Ways;
  return Out;
}

static void expectAsAllWays(const CountedRequest &R,
                            const Architecture &Arch = arch()) {
  const auto Actual = countedCost(Arch, R);
  ASSERT_TRUE(Actual);
  const CountedCost Expected = ofAllWays(Arch, R);
  if (Actual->IsExact) {
    EXPECT_EQ(Actual->StandardError, 0);
    EXPECT_NEAR(Actual->Mean, Expected.Mean, 1e-9);
    EXPECT_NEAR(Actual->Ideal, Expected.Ideal, 1e-9);
    EXPECT_NEAR(Actual->Lanes, Expected.Lanes, 1e-9);
    EXPECT_EQ(Actual->Least, Expected.Least);
    EXPECT_EQ(Actual->Most, Expected.Most);
  } else {
    // Beyond four standard errors, one of 16,000 such means lies.
    EXPECT_NEAR(Actual->Mean, Expected.Mean, 4 * Actual->StandardError + 1e-9);
    EXPECT_LE(Actual->Least, Expected.Least);
    EXPECT_GE(Actual->Most, Expected.Most);
  }
}

// n lanes side by side from where a sector begins are ceil(n / 8) sectors; and
// n of 32 lanes say yes in C(32, n) of 2^32 - 1 ways.
TEST(CountedRequest, ACompaction) {
  const auto C = countedCost(arch(), compaction());
  ASSERT_TRUE(C);
  double Mean = 0, Ways = 1;
  for (int N = 1; N <= 32; ++N) {
    Ways = Ways * (33 - N) / N;
    Mean += Ways / 4294967295.0 * ((N + 7) / 8);
  }
  EXPECT_TRUE(C->IsExact);
  EXPECT_NEAR(C->Mean, Mean, 1e-9);
  EXPECT_NEAR(C->Ideal, Mean, 1e-9);
  EXPECT_NEAR(C->Lanes, 16, 1e-6);
  EXPECT_EQ(C->Least, 1);
  EXPECT_EQ(C->Most, 4);
  EXPECT_EQ(C->IfEqual, 4);
}

// Over the eight places where a word can be in a sector, n words are in
// (n + 7) / 8 sectors, and 16 lanes say yes on average.
TEST(CountedRequest, ACompactionAtAnyPlace) {
  double Mean = 0;
  for (unsigned Word = 0; Word < 8; ++Word) {
    CountedRequest R = compaction();
    R.Known.Address.fill((1 << 20) + 4 * Word);
    Mean += countedCost(arch(), R)->Mean / 8;
  }
  EXPECT_NEAR(Mean, (16 + 7) / 8.0, 1e-6);
}

// 31 lanes count those before the last: m of them, 31 / 2 on average, are in
// floor(m / 8) + 1 sectors. For each m there is 31 - m, which is in so many
// that both together are 5.
TEST(CountedRequest, RanksOfAllLanes) {
  CountedRequest R = compaction();
  R.OnlyYes = false;
  const auto C = countedCost(arch(), R);
  ASSERT_TRUE(C);
  EXPECT_NEAR(C->Mean, 2.5, 1e-9);
  EXPECT_EQ(C->Lanes, 32);
  EXPECT_EQ(C->Least, 1);
  EXPECT_EQ(C->Most, 4);
  EXPECT_EQ(C->IfEqual, 2.5); // one sector, or four
}

// Words side by side are in banks of their own.
TEST(CountedRequest, SharedMemory) {
  CountedRequest R = compaction();
  R.Memory = RequestMemory::Shared;
  for (const RequestKind Kind :
       {RequestKind::Load, RequestKind::Store, RequestKind::Atomic}) {
    R.Known.Kind = Kind;
    const auto C = countedCost(arch(), R);
    ASSERT_TRUE(C);
    EXPECT_EQ(C->Mean, 1);
    EXPECT_EQ(C->Most, 1);
  }
  // 32 words apart all are in one bank, and take turns: as many as say yes.
  R.Bytes = 128;
  const auto C = countedCost(arch(), R);
  EXPECT_NEAR(C->Mean, 16, 1e-6);
  EXPECT_EQ(C->Most, 32);
}

// Every way of 10 lanes, whichever they are, counted from below and above,
// themselves included or not, at each place in a sector, for words of any
// width.
TEST(CountedRequest, EveryWayOfFewLanes) {
  constexpr std::uint32_t Some = 0x80120f43;
  static_assert(std::popcount(Some) == 10);
  for (const bool OnlyYes : {true, false})
    for (const bool FromAbove : {true, false})
      for (const bool Themselves : {true, false})
        for (const unsigned Bytes : {1u, 4u, 16u})
          for (const std::int64_t Each : {1, 2, -1, 9})
            for (const unsigned Word : {0u, 1u, 31u})
              for (const RequestMemory Memory :
                   {RequestMemory::Global, RequestMemory::Shared}) {
                CountedRequest R = compaction(Some);
                R.OnlyYes = OnlyYes;
                R.Memory = Memory;
                R.Known.BytesPerLane = Bytes;
                R.Bytes = Each * Bytes;
                R.Known.Address.fill((1 << 20) + Word * Bytes);
                for (unsigned L = 0; L < WarpSize; ++L) {
                  const std::uint32_t Self = 1u << L, Below = Self - 1;
                  R.Counted[L] = FromAbove ? ~(Below | Self) : Below;
                  if (Themselves)
                    R.Counted[L] |= Self;
                }
                expectAsAllWays(R);
              }
}

// Half-warps fetch 16 words of 8 bytes, quarters 8 of 16: side by side, they
// meet no other in a bank. A lane apart by all of the banks meets each.
TEST(CountedRequest, WideElementsInSharedMemory) {
  for (const bool OnlyYes : {true, false})
    for (const unsigned Bytes : {8u, 16u}) {
      CountedRequest R = compaction();
      R.OnlyYes = OnlyYes;
      R.Memory = RequestMemory::Shared;
      R.Known.BytesPerLane = Bytes;
      R.Bytes = Bytes;
      auto C = countedCost(arch(), R);
      ASSERT_TRUE(C);
      EXPECT_FALSE(C->IsExact);
      EXPECT_EQ(C->Most, Bytes / 4);
      EXPECT_GE(C->Mean, 1);
      EXPECT_LE(C->Mean, Bytes / 4);
      R.Bytes = 128;
      EXPECT_EQ(countedCost(arch(), R)->Most, 32);
    }
}

TEST(CountedRequest, LanesThatVoteAndDoNotAccess) {
  CountedRequest R = compaction(0xfff);
  R.OnlyYes = false;
  R.Known.ActiveMask = 0x0ff;
  expectAsAllWays(R);
  R.Known.ActiveMask = 0xff0; // the first of them may count four
  EXPECT_TRUE(countedCost(arch(), R));
  expectAsAllWays(R);
}

// Atomics on one word take turns, and how many are on one, the data decides:
// no word counts as often as there are lanes.
TEST(CountedRequest, AtomicsOfAllLanesInSharedMemory) {
  CountedRequest R = compaction(0x3ff);
  R.OnlyYes = false;
  R.Memory = RequestMemory::Shared;
  R.Known.Kind = RequestKind::Atomic;
  EXPECT_FALSE(countedCost(arch(), R)->IsExact);
  expectAsAllWays(R);
}

TEST(CountedRequest, OldArchitectures) {
  for (const ComputeCapability CC :
       {ComputeCapability{1, 0}, {1, 3}, {2, 0}, {3, 5}})
    for (const RequestMemory Memory :
         {RequestMemory::Global, RequestMemory::Shared}) {
      CountedRequest R = compaction(0x3ff);
      R.Memory = Memory;
      expectAsAllWays(R, arch(CC));
    }
}

// What is not side by side, or not shown to be, has no number.
TEST(CountedRequest, WhatIsNoRank) {
  // Lanes that differ by more than the count.
  CountedRequest R = compaction();
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Known.Address[L] += 4 * L;
  EXPECT_FALSE(countedCost(arch(), R));
  // Those that count themselves and those that do not.
  R = compaction();
  R.Counted[7] |= 1u << 7;
  EXPECT_FALSE(countedCost(arch(), R));
  // Those who count all but one that is before them.
  R = compaction();
  for (std::uint32_t &Each : R.Counted)
    Each &= ~8u;
  EXPECT_FALSE(countedCost(arch(), R));
  // Ranks in each half of a warp.
  R = compaction();
  for (unsigned L = 16; L < WarpSize; ++L)
    R.Counted[L] &= 0xffff0000;
  EXPECT_FALSE(countedCost(arch(), R));
  // Some lanes take part without a vote.
  R = compaction();
  R.Voters = 0xffff;
  EXPECT_FALSE(countedCost(arch(), R));
  // Nobody, nothing, nowhere.
  R = compaction();
  R.Known.ActiveMask = 0;
  EXPECT_FALSE(countedCost(arch(), R));
  R = compaction();
  R.Bytes = 0;
  EXPECT_FALSE(countedCost(arch(), R));
  R = compaction();
  R.Memory = RequestMemory::Local;
  EXPECT_FALSE(countedCost(arch(), R));
}

// Hostile factors wrap, as addresses do.
TEST(CountedRequest, HugeFactors) {
  CountedRequest R = compaction();
  R.Bytes = INT64_MIN;
  EXPECT_TRUE(countedCost(arch(), R));
  R.Bytes = INT64_MAX - 3;
  EXPECT_TRUE(countedCost(arch(), R));
}

} // namespace CountedRequestTests
