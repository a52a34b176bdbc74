//===- tests/unit/analyzer/model/LaunchVerdictTests.cpp - Runs, or not ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gmock/gmock.h>

namespace LaunchVerdictTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

static KernelModel withRegisters(std::optional<std::uint64_t> Registers) {
  KernelModel K = makeKernel("h200");
  K.Resources = ResourceRecord{.Registers = Registers, .Source = "user"};
  return K;
}

/// The identities of what is not known, of a launch whose state is that.
static std::vector<std::string> notKnown(const KernelModel &K,
                                         const Launch &L) {
  const LaunchVerdict V = judge(K, L);
  EXPECT_EQ(V.state(),
            V.NotKnown.empty() ? LaunchState::Runs : LaunchState::Unknown);
  std::vector<std::string> Ids;
  for (const Phrase &Each : V.NotKnown) {
    EXPECT_EQ(faultOf(Each), "");
    Ids.push_back(Each.Id);
  }
  return Ids;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

TEST(LaunchVerdict, Runs) {
  const LaunchVerdict V =
      judge(withRegisters(32), makeLaunch({64, 1, 1}, {256, 1, 1}));
  EXPECT_EQ(V.state(), LaunchState::Runs);
  EXPECT_THAT(V.Faults, IsEmpty());
  ASSERT_TRUE(V.Fit);
  EXPECT_EQ(V.Fit->OnSM.BlocksPerSM, 8u);
}

// Of 256 threads, 65536 registers leave 256 for each: more than there can be.
TEST(LaunchVerdict, RegistersThatCannotBeTooManyNeedNotBeKnown) {
  KernelModel K = withRegisters(std::nullopt);
  const auto with = [](std::int64_t Threads) {
    return makeLaunch({64, 1, 1}, {Threads, 1, 1});
  };
  EXPECT_THAT(notKnown(K, with(256)), IsEmpty());
  EXPECT_THAT(notKnown(K, with(288)), ElementsAre("registers-not-known"));
  K.Resources.reset();
  EXPECT_THAT(notKnown(K, with(288)), ElementsAre("registers-not-known"));
  // Compilers keep to what they are told.
  K.MaxRegisters = 64;
  EXPECT_THAT(notKnown(K, with(1024)), IsEmpty());
  K.MaxRegisters.reset();
  K.Declaration.MaxThreads = 1024;
  EXPECT_THAT(notKnown(K, with(1024)), IsEmpty());
  // Of the two, the kernel's own bounds hold.
  K.Declaration.MaxThreads = 128;
  K.MaxRegisters = 255;
  EXPECT_THAT(notKnown(K, with(128)), IsEmpty());
}

TEST(LaunchVerdict, AGridThatIsNotKnownIsNoDoubt) {
  EXPECT_THAT(notKnown(withRegisters(32), makeLaunch({}, {256, 1, 1})),
              IsEmpty());
}

//===----------------------------------------------------------------------===//
// Unknown
//===----------------------------------------------------------------------===//

TEST(LaunchVerdict, WithoutTheBlock) {
  const Launch L = makeLaunch({64, 1, 1}, {std::nullopt, 1, 1});
  EXPECT_THAT(notKnown(withRegisters(32), L), ElementsAre("block-not-known"));
  EXPECT_FALSE(judge(withRegisters(32), L).fails());
}

TEST(LaunchVerdict, WithoutTheSharedMemory) {
  KernelModel K = withRegisters(32);
  Launch L = makeLaunch({64, 1, 1}, {256, 1, 1});
  L.DynamicSharedBytes.reset();
  EXPECT_THAT(notKnown(K, L), ElementsAre("dynamic-shared-not-known"));
  // Of a user or a list, no size is none where the kernel uses none.
  L.Source = LaunchSource::User;
  EXPECT_THAT(notKnown(K, L), IsEmpty());
  K.UsesDynamicShared = true;
  EXPECT_THAT(notKnown(K, L), ElementsAre("dynamic-shared-not-known"));
  L.DynamicSharedBytes = 40'000;
  EXPECT_THAT(notKnown(K, L), IsEmpty());
  K.StaticSharedBytes.reset();
  EXPECT_THAT(notKnown(K, L), ElementsAre("static-shared-not-known"));
  // What is static alone fits, or does not compile.
  L.DynamicSharedBytes = 0;
  EXPECT_THAT(notKnown(K, L), IsEmpty());
}

TEST(LaunchVerdict, WithoutTheLimitThatTheProgramSets) {
  const KernelModel K = withRegisters(32);
  Launch L = makeLaunch({64, 1, 1}, {256, 1, 1});
  L.DynamicSharedBytes = 60'000;
  L.SharedMemoryOptIn = true;
  EXPECT_THAT(notKnown(K, L), ElementsAre("raise-not-known"));
  L.Raised = SharedMemoryRaise{.Bytes = 60'000, .Where = {"a.cu", 80, 1}};
  EXPECT_THAT(notKnown(K, L), IsEmpty());
  L.Raised.reset();
  L.DynamicSharedBytes = 40'000;
  EXPECT_THAT(notKnown(K, L), IsEmpty());
}

TEST(LaunchVerdict, ACooperativeLaunchNeedsItsGrid) {
  const KernelModel K = withRegisters(32);
  Launch L = makeLaunch({}, {256, 1, 1});
  L.Cooperative = true;
  EXPECT_THAT(notKnown(K, L), ElementsAre("residency-not-known"));
  L.Grid = {64, 1, 1};
  EXPECT_THAT(notKnown(K, L), IsEmpty());
}

TEST(LaunchVerdict, NobodyLaunchesWhatIsAssumed) {
  Launch L = makeLaunch({1, 1, 1}, {2048, 1, 1});
  L.Source = LaunchSource::Assumed;
  EXPECT_THAT(notKnown(withRegisters(32), L), ElementsAre("shape-assumed"));
}

//===----------------------------------------------------------------------===//
// Fails
//===----------------------------------------------------------------------===//

TEST(LaunchVerdict, WhatFailsIsKnown) {
  Launch L = makeLaunch({64, 1, 1}, {2048, 1, 1});
  L.DynamicSharedBytes.reset();
  const LaunchVerdict V = judge(withRegisters(std::nullopt), L);
  EXPECT_EQ(V.state(), LaunchState::Fails);
  EXPECT_THAT(V.NotKnown, IsEmpty());
}

// By the words of its dimension, and of its threads.
TEST(LaunchVerdict, AFaultIsToldOnce) {
  Launch L = makeLaunch({64, 1, 1}, {2048, 1, 1});
  LaunchVerdict V = judge(withRegisters(32), L);
  ASSERT_THAT(V.Faults, SizeIs(1));
  EXPECT_EQ(V.Faults[0].Reason.Id, "dimension-too-large");
  EXPECT_THAT(V.Faults[0].InFull,
              HasSubstr("2048 threads are more than the 1024"));
  L.Block = {32, 64, 1};
  V = judge(withRegisters(32), L);
  ASSERT_THAT(V.Faults, SizeIs(1));
  EXPECT_THAT(V.Faults[0].InFull, HasSubstr("launch more and smaller blocks"));
  L.Block = {256, 1, 1};
  L.DynamicSharedBytes = 1 << 20;
  V = judge(withRegisters(32), L);
  ASSERT_THAT(V.Faults, SizeIs(1));
  EXPECT_EQ(V.Faults[0].What, LaunchFault::Kind::SharedMemory);
  EXPECT_THAT(V.Faults[0].InFull, HasSubstr("at most 227 KB of dynamic"));
}

TEST(LaunchVerdict, AFaultNamesTheError) {
  const KernelModel K = withRegisters(32);
  EXPECT_EQ(judge(K, makeLaunch({0, 1, 1}, {256, 1, 1})).Faults.at(0).InFull,
            "the launch fails with error 9 (cudaErrorInvalidConfiguration): "
            "grid.x is 0, at least 1 is needed");
  Launch L = makeLaunch({64, 1, 1}, {256, 1, 1});
  L.DynamicSharedBytes = 60'000;
  EXPECT_THAT(judge(K, L).Faults.at(0).InFull,
              HasSubstr("with error 1 (cudaErrorInvalidValue): it asks for "
                        "60000 bytes of shared memory, the limit is 49152"));
}

} // namespace LaunchVerdictTests
