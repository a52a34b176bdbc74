//===- tests/unit/hardware/RandomRequestTests.cpp - Random addresses ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Means and bounds of requests at random addresses: against all that the data
/// can be where that is little, and against requests that another generator
/// draws where it is much. Each request's own cost is WarpTransactions', which
/// is tested, and measured, apart.
///
//===----------------------------------------------------------------------===//

#include "hardware/RandomRequest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

namespace RandomRequestTests {

using namespace cudalint;

static const Architecture &arch(ComputeCapability CC = {9, 0}) {
  return *findArchitecture(CC);
}

using Numbers = std::vector<std::array<std::uint64_t, WarpSize>>;

/// Every value of every draw that an active lane takes.
static void forEachData(const RandomRequest &R,
                        const std::function<void(const Numbers &)> &Visit) {
  std::vector<std::pair<std::size_t, unsigned>> Draws;
  for (std::size_t K = 0; K < R.Numbers.size(); ++K)
    for (unsigned L = 0; L < WarpSize; ++L)
      if (R.Known.ActiveMask >> L & 1 &&
          std::ranges::find(Draws,
                            std::pair(K, unsigned(R.Numbers[K].Draw[L]))) ==
              Draws.end())
        Draws.emplace_back(K, R.Numbers[K].Draw[L]);
  std::vector<std::uint64_t> Value(Draws.size(), 0);
  for (;;) {
    Numbers N(R.Numbers.size());
    for (std::size_t D = 0; D < Draws.size(); ++D)
      for (unsigned L = 0; L < WarpSize; ++L)
        if (R.Numbers[Draws[D].first].Draw[L] == Draws[D].second)
          N[Draws[D].first][L] = Value[D];
    Visit(N);
    std::size_t At = 0;
    while (At != Draws.size() &&
           ++Value[At] == R.Numbers[Draws[At].first].Values)
      Value[At++] = 0;
    if (At == Draws.size())
      return;
  }
}

struct Tried {
  double Mean = 0, Ideal = 0, Least = 1e9, Most = 0;
};

static Tried tryAll(const Architecture &Arch, const RandomRequest &R) {
  Tried Out;
  double Count = 0;
  forEachData(R, [&](const Numbers &N) {
    const RequestCosts Each = costIn(R.Memory, Arch, withNumbers(R, N));
    Out.Mean += Each.Cost;
    Out.Ideal += Each.Ideal;
    Out.Least = std::min(Out.Least, Each.Cost);
    Out.Most = std::max(Out.Most, Each.Cost);
    ++Count;
  });
  Out.Mean /= Count;
  Out.Ideal /= Count;
  return Out;
}

static std::string nameOf(const RandomRequest &R) {
  std::string Name = "memory " + std::to_string(int(R.Memory)) + " kind " +
                     std::to_string(int(R.Known.Kind)) + " width " +
                     std::to_string(R.Known.BytesPerLane) + " lanes " +
                     std::to_string(R.Known.ActiveMask);
  for (const RandomNumber &N : R.Numbers)
    Name += " (" + std::to_string(N.Bytes[0]) + " B of " +
            std::to_string(N.Values) + ")";
  return Name;
}

/// Compares with all that the data can be. The figures.
static RandomCost expectRight(const RandomRequest &R,
                              const Architecture &Arch = arch()) {
  const RandomCost C = randomCost(Arch, R);
  const Tried All = tryAll(Arch, R);
  const std::string Name = nameOf(R);
  EXPECT_LE(C.Least, All.Least) << Name;
  EXPECT_GE(C.Most, All.Most) << Name;
  EXPECT_LE(C.Least, C.IfEqual) << Name;
  EXPECT_GE(C.Most, C.IfEqual) << Name;
  if (C.IsExact) {
    EXPECT_NEAR(C.Mean, All.Mean, 1e-9) << Name;
    EXPECT_NEAR(C.Ideal, All.Ideal, 1e-9) << Name;
    EXPECT_EQ(C.StandardError, 0) << Name;
  } else {
    // Four standard errors, once in 16000 requests; a sample without any
    // difference has none.
    EXPECT_NEAR(C.Mean, All.Mean, 5 * C.StandardError + 0.01) << Name;
  }
  return C;
}

static RandomRequest request(RequestMemory Memory, RequestKind Kind,
                             unsigned Bytes, std::uint32_t Lanes) {
  RandomRequest R;
  R.Memory = Memory;
  R.Known.Kind = Kind;
  R.Known.BytesPerLane = Bytes;
  R.Known.ActiveMask = Lanes;
  R.Known.Address.fill(1 << 20);
  return R;
}

static constexpr RequestKind Kinds[] = {
    RequestKind::Load, RequestKind::Store, RequestKind::Atomic,
    RequestKind::Increment, RequestKind::CompareAndSwap};

/// Requests of few lanes at one address, plus one number of each.
static void forEachSmall(const std::function<void(const RandomRequest &)> &F) {
  for (RequestMemory Memory : {RequestMemory::Global, RequestMemory::Shared,
                               RequestMemory::Local, RequestMemory::Constant})
    for (RequestKind Kind : Kinds)
      for (unsigned Width : {1u, 4u, 8u, 16u})
        for (std::uint32_t Lanes : {0x1u, 0x3u, 0x80000001u, 0x10101u, 0xfu})
          for (std::int64_t Steps : {1, 2, 3, 8, 32, -1}) {
            if ((Kind > RequestKind::Store && Width != 4) ||
                (Memory == RequestMemory::Local && Kind > RequestKind::Store) ||
                (Memory == RequestMemory::Constant &&
                 Kind != RequestKind::Load))
              continue;
            for (std::uint64_t Values : {1, 2, 3, 5, 8}) {
              RandomRequest R = request(Memory, Kind, Width, Lanes);
              R.Numbers.push_back(
                  RandomNumber::ofEachLane(Steps * int(Width), Values));
              F(R);
            }
          }
}

/// Phases of wide loads merge by rules of their own, where lanes pair up.
static bool mayMerge(const RandomRequest &R) {
  return R.Memory == RequestMemory::Shared && R.Known.BytesPerLane >= 8 &&
         R.Known.Kind == RequestKind::Load;
}

// The bounds of lanes that draw of the same values are met.
TEST(RandomRequest, LanesOfOneArray) {
  unsigned Exact = 0, All = 0;
  forEachSmall([&](const RandomRequest &R) {
    const RandomCost C = expectRight(R);
    const Tried Seen = tryAll(arch(), R);
    if (!mayMerge(R)) {
      EXPECT_EQ(C.Least, Seen.Least) << nameOf(R);
      EXPECT_EQ(C.Most, Seen.Most) << nameOf(R);
    }
    ++All;
    Exact += C.IsExact;
  });
  EXPECT_GT(Exact, All * 3 / 4);
}

TEST(RandomRequest, LanesOfOneArrayOnOlderArchitectures) {
  for (ComputeCapability CC :
       {ComputeCapability{1, 0}, {1, 3}, {2, 0}, {3, 5}, {6, 1}})
    forEachSmall([&](const RandomRequest &R) {
      if (R.Memory != RequestMemory::Local && R.Numbers[0].Values <= 3)
        expectRight(R, arch(CC));
    });
}

// `a[stride * lane + i]`: each lane around an address of its own.
TEST(RandomRequest, LanesOfTheirOwnArrays) {
  for (RequestMemory Memory : {RequestMemory::Global, RequestMemory::Shared})
    for (RequestKind Kind : {RequestKind::Load, RequestKind::Atomic})
      for (unsigned Stride : {1u, 2u, 8u, 31u, 32u, 33u})
        for (int Step : {1, 8, 32})
          for (std::uint64_t Values : {2, 4, 6}) {
            RandomRequest R = request(Memory, Kind, 4, 0xf);
            for (unsigned L = 0; L < WarpSize; ++L)
              R.Known.Address[L] += 4 * Stride * L;
            R.Numbers.push_back(RandomNumber::ofEachLane(4 * Step, Values));
            expectRight(R);
          }
}

// `a[row[lane / 2] * pitch + lane % 2]`, and two numbers in one address.
TEST(RandomRequest, LanesThatShareNumbers) {
  for (RequestMemory Memory : {RequestMemory::Global, RequestMemory::Shared})
    for (RequestKind Kind : {RequestKind::Load, RequestKind::Atomic})
      for (int Pitch : {1, 2, 8, 32, 33})
        for (unsigned Column : {0u, 1u, 4u}) {
          RandomRequest R = request(Memory, Kind, 4, 0x3f);
          RandomNumber N = RandomNumber::ofTheWarp(4 * Pitch, 5);
          for (unsigned L = 0; L < WarpSize; ++L) {
            N.Draw[L] = static_cast<std::uint8_t>(L / 2);
            R.Known.Address[L] += 4 * Column * (L % 2);
          }
          R.Numbers = {N};
          expectRight(R);
          R.Known.ActiveMask = 0xf;
          R.Numbers.push_back(RandomNumber::ofEachLane(4, 3));
          expectRight(R);
        }
}

// One number of all lanes, which only some of them add.
TEST(RandomRequest, OneNumberOfSomeLanes) {
  for (RequestMemory Memory : {RequestMemory::Global, RequestMemory::Shared}) {
    RandomRequest R = request(Memory, RequestKind::Load, 4, ~0u);
    RandomNumber N = RandomNumber::ofTheWarp(4, 300);
    for (unsigned L = 0; L < WarpSize; ++L) {
      R.Known.Address[L] += 4 * L;
      if (L < 16)
        N.Bytes[L] = 0;
    }
    R.Numbers = {N};
    expectRight(R);
  }
}

/// The mean over requests of a generator that the library does not use.
static double drawn(const RandomRequest &R, unsigned Tries) {
  std::minstd_rand Random(11);
  double Sum = 0;
  for (unsigned T = 0; T < Tries; ++T) {
    Numbers N(R.Numbers.size());
    for (std::size_t K = 0; K < N.size(); ++K) {
      std::uniform_int_distribution<std::uint64_t> Uniform(
          0, R.Numbers[K].Values - 1);
      for (std::uint64_t &Each : N[K])
        Each = Uniform(Random);
    }
    Sum += costIn(R.Memory, arch(), withNumbers(R, N)).Cost;
  }
  return Sum / Tries;
}

// All lanes: 20000 requests, of which the mean is known to 1 %.
TEST(RandomRequest, WholeWarps) {
  for (RequestMemory Memory : {RequestMemory::Global, RequestMemory::Shared,
                               RequestMemory::Local, RequestMemory::Constant})
    for (RequestKind Kind : Kinds)
      for (unsigned Width : {1u, 4u, 8u, 16u})
        for (std::uint64_t Values : {33, 256, 2048}) {
          if ((Kind > RequestKind::Store && Width != 4) ||
              (Memory == RequestMemory::Local && Kind > RequestKind::Store) ||
              (Memory == RequestMemory::Constant && Kind != RequestKind::Load))
            continue;
          RandomRequest R = request(Memory, Kind, Width, ~0u);
          R.Numbers.push_back(RandomNumber::ofEachLane(Width, Values));
          const RandomCost C = randomCost(arch(), R);
          const double Mean = drawn(R, 20000);
          EXPECT_NEAR(C.Mean, Mean, 0.01 * Mean + 4 * C.StandardError)
              << nameOf(R);
          EXPECT_TRUE(C.IsExact || Width == 1) << nameOf(R);
        }
}

// A histogram of 256 words, 8 in each bank. Equal words of an atomic take
// turns, and all 32 lanes may want one; a count of them is one access.
TEST(RandomRequest, Histogram) {
  RandomRequest R =
      request(RequestMemory::Shared, RequestKind::Increment, 4, ~0u);
  R.Numbers.push_back(RandomNumber::ofEachLane(4, 256));
  const RandomCost Count = randomCost(arch(), R);
  EXPECT_EQ(Count.Least, 1);
  EXPECT_EQ(Count.Most, 8);
  EXPECT_EQ(Count.IfEqual, 1);
  R.Known.Kind = RequestKind::Atomic;
  const RandomCost Add = randomCost(arch(), R);
  EXPECT_GT(Add.Mean, Count.Mean);
  EXPECT_EQ(Add.Least, 1);
  EXPECT_EQ(Add.Most, 32);
  EXPECT_EQ(Add.IfEqual, 32);
  R.Known.Kind = RequestKind::CompareAndSwap;
  EXPECT_NEAR(randomCost(arch(), R).Mean, 2 * Add.Mean, 1e-12);
}

// A number of which nothing is known: a sector for each lane, at most.
TEST(RandomRequest, WithoutBounds) {
  RandomRequest R = request(RequestMemory::Global, RequestKind::Load, 4, ~0u);
  R.Numbers.push_back(RandomNumber::ofEachLane(4, 0));
  const RandomCost C = randomCost(arch(), R);
  EXPECT_EQ(C.Mean, 32);
  EXPECT_EQ(C.Ideal, 4);
  EXPECT_EQ(C.Least, 1);
  EXPECT_EQ(C.Most, 32);
  // Apart by more than any sector, data may bring them together all the same.
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Known.Address[L] += 4096 * L;
  EXPECT_EQ(randomCost(arch(), R).Least, 1);
}

// Two groups of 16 lanes side by side, each somewhere: no bank has more than
// two words of them, although every lane can come to every bank.
TEST(RandomRequest, RowsKeepTheirShape) {
  RandomRequest R = request(RequestMemory::Shared, RequestKind::Load, 4, ~0u);
  RandomNumber N = RandomNumber::ofTheWarp(4, 1000);
  for (unsigned L = 0; L < WarpSize; ++L) {
    N.Draw[L] = L / 16;
    R.Known.Address[L] += 4 * (L % 16);
  }
  R.Numbers = {N};
  EXPECT_EQ(randomCost(arch(), R).Most, 2);
}

// Addresses that wrap are no reason to overflow.
TEST(RandomRequest, HugeFactors) {
  RandomRequest R = request(RequestMemory::Global, RequestKind::Load, 4, ~0u);
  R.Numbers.push_back(RandomNumber::ofEachLane(INT64_MIN, 0));
  R.Numbers.push_back(RandomNumber::ofEachLane(INT64_MAX, UINT64_MAX));
  const RandomCost C = randomCost(arch(), R);
  EXPECT_LE(C.Most, 32);
  EXPECT_GE(C.Least, 1);
}

// What is too much to compute is drawn.
TEST(RandomRequest, ManyWordsOfManyLanesAreDrawn) {
  RandomRequest Computed =
      request(RequestMemory::Global, RequestKind::Load, 4, ~0u);
  for (unsigned L = 0; L < WarpSize; ++L)
    Computed.Known.Address[L] += std::uint64_t(L) << 20;
  Computed.Numbers = {RandomNumber::ofEachLane(128, 4096)};
  EXPECT_TRUE(randomCost(arch(), Computed).IsExact);
  RandomRequest Drawn =
      request(RequestMemory::Local, RequestKind::Load, 16, ~0u);
  for (unsigned L = 0; L < WarpSize; ++L)
    Drawn.Known.Address[L] += 16 * L;
  Drawn.Numbers = {RandomNumber::ofEachLane(16, 256)};
  EXPECT_FALSE(randomCost(arch(), Drawn).IsExact);
}

TEST(RandomRequest, NoLanes) {
  RandomRequest R = request(RequestMemory::Shared, RequestKind::Load, 4, 0);
  R.Numbers.push_back(RandomNumber::ofEachLane(4, 256));
  EXPECT_EQ(randomCost(arch(), R).Mean, 0);
}

} // namespace RandomRequestTests
