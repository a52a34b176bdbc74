//===- tests/unit/analyzer/model/RegisterTrialsTests.cpp - Tried ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/RegisterTrials.h"
#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gmock/gmock.h>

namespace RegisterTrialsTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A launch of blocks of \p Threads that take as many registers each.
static KernelModel kernelOf(std::uint64_t Registers, std::int64_t Threads,
                            std::int64_t Blocks = 4096) {
  KernelModel K = makeKernel("h200");
  K.Resources = ResourceRecord{.Registers = Registers,
                               .SpillStores = 4,
                               .SpillLoads = 4,
                               .Source = "nvcc"};
  K.Launches = {makeLaunch({Blocks, 1, 1}, {Threads, 1, 1})};
  K.Verdicts = {judge(K, K.Launches[0])};
  return K;
}

static ResourceRecord tried(std::uint64_t Registers, std::uint64_t Stores,
                            std::uint64_t Loads) {
  return {.Registers = Registers,
          .SpillStores = Stores,
          .SpillLoads = Loads,
          .Source = "nvcc"};
}

// 65536 registers: of 1024 threads with 32, two blocks fit, with 33 one does.
TEST(RegistersToTry, AreThoseOfMoreWarps) {
  EXPECT_THAT(registersToTry(kernelOf(33, 1024)), ElementsAre(32));
  EXPECT_THAT(registersToTry(kernelOf(32, 1024)), IsEmpty());
  // The next block needs 40, a third fewer, and is a fifth more.
  EXPECT_THAT(registersToTry(kernelOf(48, 256)), IsEmpty());
  // 15 warps with 72; with 64 they are 30.
  EXPECT_THAT(registersToTry(kernelOf(72, 480)), ElementsAre(64));
}

TEST(RegistersToTry, AreNoneWhereNothingIsToBeGained) {
  // All of the grid is on the GPU as it is.
  EXPECT_THAT(registersToTry(kernelOf(33, 1024, 100)), IsEmpty());
  KernelModel K = kernelOf(33, 1024);
  K.Resources->Source = "user";
  EXPECT_THAT(registersToTry(K), IsEmpty());
  K = kernelOf(33, 1024);
  K.MaxRegisters = 64;
  EXPECT_THAT(registersToTry(K), IsEmpty());
  // Threads alone are no bound that goes before that of the arguments.
  K = kernelOf(33, 1024);
  K.Declaration.MaxThreads = 1024;
  EXPECT_THAT(registersToTry(K), ElementsAre(32));
  K.Declaration.MinBlocks = 1;
  EXPECT_THAT(registersToTry(K), IsEmpty());
  K = kernelOf(33, 1024);
  K.Declaration.MaxRegisters = 40;
  EXPECT_THAT(registersToTry(K), IsEmpty());
  K.Resources.reset();
  EXPECT_THAT(registersToTry(K), IsEmpty());
}

// 32 of 64 warps are enough, unless somebody asks for more.
TEST(RegistersToTry, AreThoseOfTheGate) {
  KernelModel K = kernelOf(40, 1024, 100);
  EXPECT_THAT(registersToTry(K), IsEmpty());
  K.MinOccupancy = 0.75;
  EXPECT_THAT(registersToTry(K), ElementsAre(32));
}

TEST(SpilledWith, IsWhatComesOnTop) {
  KernelModel K = kernelOf(33, 1024);
  EXPECT_EQ(spilledWith(K, 32), std::nullopt);
  K.Trials.emplace(32, tried(32, 4, 4));
  EXPECT_EQ(spilledWith(K, 32), 0);
  K.Trials[32] = tried(32, 12, 16);
  EXPECT_EQ(spilledWith(K, 32), 20);
  K.Trials[32] = tried(32, 0, 0);
  EXPECT_EQ(spilledWith(K, 32), 0);
  // Something of the kernel allowed it more.
  K.Trials[32] = tried(33, 4, 4);
  EXPECT_EQ(spilledWith(K, 32), std::nullopt);
}

TEST(SpilledWith, DecidesWhatIsTold) {
  KernelModel K = kernelOf(33, 1024);
  K.Verdicts.clear(); // runCheck() judges.
  const auto remedyOf = [&](const char *Check) {
    const std::vector<Finding> Found = runCheck(Check, K);
    return Found.empty() ? "" : inWords(Found[0].Remedy);
  };
  EXPECT_THAT(remedyOf("register-cliff"), HasSubstr("unless it spills then"));
  K.Trials.emplace(32, tried(32, 4, 4));
  EXPECT_THAT(remedyOf("register-cliff"),
              HasSubstr("ask for 32 registers by __launch_bounds__(1024, 2), "
                        "with which nothing spills: "));
  // Of launch bounds that are there, the second is missing.
  K.Declaration.MaxThreads = 1024;
  EXPECT_THAT(
      remedyOf("register-cliff"),
      HasSubstr("__launch_bounds__(1024, 2), with which nothing spills"));
  K.Declaration.MaxThreads.reset();
  // It would load and store more than it gains.
  K.Trials[32].SpillLoads = 8;
  EXPECT_THAT(runCheck("register-cliff", K), IsEmpty());
  K.MinOccupancy = 0.9;
  EXPECT_THAT(remedyOf("low-occupancy"),
              HasSubstr("; with 32 registers the compiler spills 4 bytes of a "
                        "thread"));
  K.Trials[32].SpillLoads = 4;
  EXPECT_THAT(remedyOf("low-occupancy"),
              testing::AllOf(HasSubstr("__launch_bounds__(1024, 2)"),
                             Not(HasSubstr("the compiler spills"))));
}

} // namespace RegisterTrialsTests
