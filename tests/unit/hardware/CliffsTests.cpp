//===- tests/unit/hardware/CliffsTests.cpp - Steps that gain --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What holds of every occupancy and every cliff, over random launches; cliffs
// against a search that tries every value.
//
//===----------------------------------------------------------------------===//

#include "hardware/Occupancy.h"
#include "hardware/Steps.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace CliffsTests {

using namespace cudalint;

using Quantity = Cliff::Quantity;

struct Launch {
  const Architecture *Arch;
  BlockDemand Demand;
};

/// Over all architectures; some of the launches fail.
class RandomLaunches {
public:
  explicit RandomLaunches(unsigned Seed) : Engine(Seed) {}

  Launch next() {
    const Architecture &A = architectures()[upTo(architectures().size() - 1)];
    BlockDemand D{.Threads = 1 + upTo(A.ThreadsPerBlock + 20),
                  .Registers = upTo(A.RegistersPerThread + 5)};
    if (upTo(1) != 0)
      D.StaticShared = upTo(A.SharedPerBlock + 100);
    if (upTo(1) != 0)
      D.DynamicShared = upTo(A.SharedPerBlockOptIn / 2);
    if (upTo(3) == 0)
      D.CarveOut = static_cast<unsigned>(upTo(100));
    D.Barriers = static_cast<unsigned>(upTo(17));
    return {&A, D};
  }

private:
  std::uint64_t upTo(std::uint64_t Most) { return Engine() % (Most + 1); }

  std::mt19937_64 Engine;
};

static std::string name(const Launch &L) {
  return toString(L.Arch->CC) + ": " + std::to_string(L.Demand.Threads) +
         " threads, " + std::to_string(L.Demand.Registers) + " registers, " +
         std::to_string(L.Demand.StaticShared) + " + " +
         std::to_string(L.Demand.DynamicShared) + " bytes, carve-out " +
         (L.Demand.CarveOut ? std::to_string(*L.Demand.CarveOut) : "default");
}

static Occupancy occupancyOf(const Launch &L) {
  return occupancy(*L.Arch, L.Demand);
}

static Launch with(Launch L, Quantity What, std::uint64_t Value) {
  switch (What) {
  case Quantity::Registers:
    L.Demand.Registers = Value;
    break;
  case Quantity::Threads:
    L.Demand.Threads = Value;
    break;
  case Quantity::SharedMemory:
    if (L.Demand.StaticShared > Value)
      L.Demand.StaticShared = Value;
    L.Demand.DynamicShared = Value - L.Demand.StaticShared;
    break;
  }
  return L;
}

static std::uint64_t valueOf(const Launch &L, Quantity What) {
  switch (What) {
  case Quantity::Registers:
    return L.Demand.Registers;
  case Quantity::Threads:
    return L.Demand.Threads;
  case Quantity::SharedMemory:
    return L.Demand.StaticShared + L.Demand.DynamicShared;
  }
  return 0;
}

/// What a cliff of that quantity has more of.
static unsigned gainOf(const Launch &L, Quantity What) {
  const Occupancy O = occupancyOf(L);
  return What == Quantity::Threads ? O.WarpsPerSM : O.BlocksPerSM;
}

static std::optional<std::uint64_t> found(const Launch &L, Quantity What,
                                          bool IsLarger = false) {
  std::optional<std::uint64_t> Value;
  for (const Cliff &C : cliffs(*L.Arch, L.Demand))
    if (C.What == What && C.IsLarger == IsLarger) {
      EXPECT_FALSE(Value) << "two cliffs of a kind";
      Value = C.Value;
    }
  return Value;
}

/// The first value that gains, going down to `Least`.
static std::optional<std::uint64_t> searched(const Launch &L, Quantity What,
                                             std::uint64_t Least) {
  const unsigned Now = gainOf(L, What);
  for (std::uint64_t Value = valueOf(L, What); Value-- > Least;)
    if (gainOf(with(L, What, Value), What) > Now)
      return Value;
  return std::nullopt;
}

TEST(Occupancy, MoreRegistersAndSharedMemoryNeverGain) {
  RandomLaunches Random(2);
  for (unsigned I = 0; I < 100000; ++I) {
    const Launch L = Random.next();
    const unsigned Now = occupancyOf(L).BlocksPerSM;
    Launch More = L;
    ++More.Demand.Registers;
    ASSERT_LE(occupancyOf(More).BlocksPerSM, Now) << name(L);
    More = L;
    More.Demand.DynamicShared += 1 + I % 300;
    ASSERT_LE(occupancyOf(More).BlocksPerSM, Now) << name(L);
    More = L;
    More.Demand.StaticShared += 1 + I % 300;
    ASSERT_LE(occupancyOf(More).BlocksPerSM, Now) << name(L);
  }
}

TEST(Occupancy, WhatIsResidentFits) {
  RandomLaunches Random(3);
  for (unsigned I = 0; I < 100000; ++I) {
    const Launch L = Random.next();
    const Occupancy O = occupancyOf(L);
    ASSERT_EQ(O.WarpsPerSM + O.WarpsLeft, L.Arch->WarpsPerSM) << name(L);
    ASSERT_LE(O.RegistersLeft, L.Arch->RegistersPerSM) << name(L);
    ASSERT_LE(O.SharedLeft, O.SharedPerSM) << name(L);
    ASSERT_LE(O.SharedPerSM, L.Arch->SharedPerSM) << name(L);
    ASSERT_LE(O.BlocksPerSM, L.Arch->BlocksPerSM) << name(L);
    unsigned Limiters = 0;
    for (unsigned W = 0; W < LimiterCount; ++W)
      Limiters += O.isLimitedBy(static_cast<Limiter>(W));
    ASSERT_EQ(Limiters != 0, O.Failure == LaunchFailure::None) << name(L);
  }
}

TEST(Cliffs, RegistersAreThoseOfASearch) {
  RandomLaunches Random(4);
  unsigned Some = 0;
  for (unsigned I = 0; I < 20000; ++I) {
    const Launch L = Random.next();
    const auto Value = found(L, Quantity::Registers);
    ASSERT_EQ(Value, searched(L, Quantity::Registers, 1)) << name(L);
    Some += Value.has_value();
  }
  EXPECT_GT(Some, 4000u);
}

TEST(Cliffs, SharedMemoryIsThatOfASearchByTheByte) {
  RandomLaunches Random(5);
  unsigned Some = 0;
  for (unsigned I = 0; I < 1000; ++I) {
    const Launch L = Random.next();
    const auto Value = found(L, Quantity::SharedMemory);
    ASSERT_EQ(Value, searched(L, Quantity::SharedMemory, 0)) << name(L);
    Some += Value.has_value();
  }
  EXPECT_GT(Some, 100u);
}

TEST(Cliffs, ThreadsAreThoseOfASearch) {
  RandomLaunches Random(6);
  unsigned Smaller = 0, Larger = 0;
  for (unsigned I = 0; I < 3000; ++I) {
    const Launch L = Random.next();
    const auto Down = found(L, Quantity::Threads);
    ASSERT_EQ(Down, searched(L, Quantity::Threads, 1)) << name(L);
    Smaller += Down.has_value();

    const auto Up = found(L, Quantity::Threads, true);
    std::optional<std::uint64_t> First;
    for (std::uint64_t T = L.Demand.Threads; !First && ++T <= 1024;)
      if (gainOf(with(L, Quantity::Threads, T), Quantity::Threads) >
          gainOf(L, Quantity::Threads))
        First = T;
    ASSERT_EQ(Up.has_value(), First.has_value()) << name(L);
    if (Up) { // The whole of that warp.
      ASSERT_EQ(*Up, (*First + 31) / 32 * 32) << name(L);
    }
    Larger += Up.has_value();
  }
  EXPECT_GT(Smaller, 500u);
  EXPECT_GT(Larger, 500u);
}

TEST(Cliffs, TellWhatHoldsThen) {
  RandomLaunches Random(7);
  for (unsigned I = 0; I < 5000; ++I) {
    const Launch L = Random.next();
    for (const Cliff &C : cliffs(*L.Arch, L.Demand)) {
      const Occupancy Then = occupancyOf(with(L, C.What, C.Value));
      ASSERT_EQ(C.Then.Failure, LaunchFailure::None) << name(L);
      ASSERT_EQ(C.Then.BlocksPerSM, Then.BlocksPerSM) << name(L);
      ASSERT_EQ(C.Then.WarpsPerSM, Then.WarpsPerSM) << name(L);
    }
  }
}

// 1024 threads of 72 registers do not launch: 64 registers do, or 896 threads.
TEST(Cliffs, RepairALaunchThatFails) {
  const auto All =
      cliffs(*findArchitecture({9, 0}), {.Threads = 1024, .Registers = 72});
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].Value, 64u);
  EXPECT_EQ(All[0].Then.BlocksPerSM, 1u);
  EXPECT_EQ(All[1].Value, 896u);
  EXPECT_EQ(All[1].Then.BlocksPerSM, 1u);
}

// Fewer registers do not help a block of 2000 threads.
TEST(Cliffs, OfAnotherReasonThereAreNone) {
  for (const Cliff &C :
       cliffs(*findArchitecture({9, 0}), {.Threads = 2000, .Registers = 64}))
    EXPECT_EQ(C.What, Quantity::Threads);
  EXPECT_TRUE(cliffs(*findArchitecture({9, 0}),
                     {.Threads = 64, .Registers = 64, .Barriers = 17})
                  .empty());
}

TEST(Steps, AreTheNearestThatReachTheWarps) {
  RandomLaunches Random(11);
  unsigned Found = 0;
  for (unsigned I = 0; I != 300; ++I) {
    const Launch L = Random.next();
    const Occupancy Now = occupancyOf(L);
    const unsigned Goal = (Now.WarpsPerSM + L.Arch->WarpsPerSM + 1) / 2;
    const std::vector<Cliff> Steps = stepsTo(*L.Arch, L.Demand, Goal);
    if (Now.WarpsPerSM >= Goal) {
      EXPECT_TRUE(Steps.empty()) << name(L);
      continue;
    }
    auto reaches = [&](Quantity What, std::uint64_t Value) {
      return occupancyOf(with(L, What, Value)).WarpsPerSM >= Goal;
    };
    auto found = [&](Quantity What) -> std::optional<std::uint64_t> {
      for (const Cliff &Step : Steps)
        if (Step.What == What && !Step.IsLarger)
          return Step.Value;
      return std::nullopt;
    };
    std::optional<std::uint64_t> Registers;
    for (std::uint64_t R = L.Demand.Registers; !Registers && R-- > 1;)
      if (reaches(Quantity::Registers, R))
        Registers = R;
    EXPECT_EQ(found(Quantity::Registers), Registers) << name(L);
    for (const Cliff &Step : Steps) {
      ++Found;
      EXPECT_GE(Step.Then.WarpsPerSM, Goal) << name(L);
      EXPECT_TRUE(reaches(Step.What, Step.Value)) << name(L);
    }
  }
  EXPECT_GT(Found, 50u);
}

TEST(Steps, PassNearerCliffsThatAreNotEnough) {
  // 256 threads with 64 registers are 4 blocks of an SM of 9.0, at 56 are 4,
  // at 48 are 5: 40 warps. All 64 warps need 32.
  const Architecture &Arch = *parseTarget("sm_90")->Arch;
  const BlockDemand Demand{.Threads = 256, .Registers = 64};
  const std::vector<Cliff> Steps = stepsTo(Arch, Demand, 64);
  ASSERT_EQ(Steps.size(), 1u);
  EXPECT_EQ(Steps[0].Value, 32u);
  EXPECT_GT(cliffs(Arch, Demand)[0].Value, 32u);
}

} // namespace CliffsTests
