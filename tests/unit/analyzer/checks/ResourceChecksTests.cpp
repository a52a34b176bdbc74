//===- tests/unit/analyzer/checks/ResourceChecksTests.cpp - Fits ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"

#include "analyzer/checks/RegisterBounds.h"
#include "analyzer/checks/Repeated.h"

#include <gmock/gmock.h>

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

//===----------------------------------------------------------------------===//
// Local arrays
//===----------------------------------------------------------------------===//

static LocalArray array(std::uint64_t Bytes, bool IndexIsData) {
  return {.Name = "part",
          .Bytes = Bytes,
          .Where = {"a.cu", 7, 5},
          .InlinedAt = {},
          .IndexIsData = IndexIsData,
          .IsStored = true};
}

static KernelModel withStack(LocalArray Array, std::uint64_t Stack) {
  KernelModel K = makeKernel("h200");
  K.Traits.LocalArrays = {std::move(Array)};
  K.Resources = ResourceRecord{
      .Registers = 32, .LocalBytes = Stack, .SpillStores = 0, .Source = "log"};
  return K;
}

TEST(LocalArray, TheStackOfALibraryFunctionIsNoArray) {
  // sinf takes 28 bytes, which ptxas rounds up to 32: an array of 16 bytes
  // whose loops are unrolled has no part in them.
  KernelModel K = withStack(array(16, /*IndexIsData=*/false), 32);
  EXPECT_THAT(runCheck("local-array", K), SizeIs(1));
  K.Library = {.Most = 28, .Least = 28};
  EXPECT_THAT(runCheck("local-array", K), IsEmpty());
  // Both: 28 + 64.
  K = withStack(array(64, /*IndexIsData=*/false), 96);
  K.Library = {.Most = 28, .Least = 28};
  EXPECT_THAT(runCheck("local-array", K), SizeIs(1));
}

TEST(LocalArray, FunctionsMayShareTheirStack) {
  // sinf and printf with 16 bytes: 44 together, or 28 where they overlap.
  KernelModel K = withStack(array(64, /*IndexIsData=*/true), 96);
  K.Library = {.Most = 44, .Least = 28};
  EXPECT_THAT(runCheck("local-array", K), SizeIs(1));
  K = withStack(array(64, /*IndexIsData=*/false), 96);
  K.Library = {.Most = 44, .Least = 28};
  EXPECT_THAT(runCheck("local-array", K), IsEmpty());
}

TEST(LocalArray, WhatNoCompilerSaidMayBe) {
  KernelModel K = withStack(array(64, /*IndexIsData=*/true), 64);
  EXPECT_THAT(runCheck("local-array", K).at(0).Message,
              HasSubstr("64 bytes, lives in the local memory"));
  K.Resources.reset();
  EXPECT_THAT(runCheck("local-array", K).at(0).Message,
              HasSubstr("64 bytes, may live in the local memory"));
}

//===----------------------------------------------------------------------===//
// Launch bounds
//===----------------------------------------------------------------------===//

static std::optional<std::uint64_t>
bounded(std::string_view Gpu, std::optional<std::int64_t> Threads,
        std::optional<std::int64_t> Blocks = std::nullopt) {
  KernelDeclaration Kernel;
  Kernel.MaxThreads = Threads;
  Kernel.MinBlocks = Blocks;
  return boundedRegisters(*parseTarget(Gpu)->Arch, Kernel);
}

// 65536 registers of an SM over the threads, in steps of 8 for a thread.
TEST(RegisterBounds, AreWhatThePromisedBlocksLeave) {
  EXPECT_EQ(bounded("h200", 1024), 64u);
  EXPECT_EQ(bounded("h200", 1024, 2), 32u);
  EXPECT_EQ(bounded("h200", 256, 4), 64u);
  EXPECT_EQ(bounded("h200", 256, 3), 80u); // 65536 / 768 = 85
  EXPECT_EQ(bounded("h200", 256), std::nullopt);
  EXPECT_EQ(bounded("h200", std::nullopt), std::nullopt);
}

TEST(RegisterBounds, BoundsThatNoSMKeepsAreIgnored) {
  EXPECT_EQ(bounded("h200", 1024, 3), 64u); // 3072 threads
  EXPECT_EQ(bounded("h200", 2048), std::nullopt);
  EXPECT_EQ(bounded("h200", -1, 2), std::nullopt);
  EXPECT_EQ(bounded("h200", 1024, -2), 64u);
}

//===----------------------------------------------------------------------===//
// One remark for one thing
//===----------------------------------------------------------------------===//

static Finding finding(const char *Check, unsigned Line, double Warps,
                       Severity Level = Severity::Warning) {
  Finding F;
  F.Check = Check;
  F.Level = Level;
  F.Where = {"a.cu", Line, 3};
  F.Kernel = "k";
  F.Predicted = Prediction{"warps_per_sm", Warps, std::nullopt};
  return F;
}

static std::vector<std::string> keptOf(std::vector<Finding> Findings) {
  dropRepeated(Findings);
  std::vector<std::string> Names;
  for (const Finding &F : Findings)
    Names.push_back(F.Check + " " + std::to_string(F.Where.Line));
  return Names;
}

TEST(Repeated, TheCliffTellsMore) {
  EXPECT_THAT(
      keptOf({finding("low-occupancy", 9, 21), finding("register-cliff", 9, 21),
              finding("tail-wave", 9, 21)}),
      ElementsAre("register-cliff 9", "tail-wave 9"));
}

TEST(Repeated, TheGateIsNeverDropped) {
  EXPECT_THAT(keptOf({finding("low-occupancy", 9, 21, Severity::Error),
                      finding("register-cliff", 9, 21)}),
              ElementsAre("low-occupancy 9"));
}

TEST(Repeated, OtherLaunchesStay) {
  EXPECT_THAT(
      keptOf({finding("low-occupancy", 9, 21), finding("low-occupancy", 9, 8),
              finding("register-cliff", 9, 16),
              finding("register-cliff", 8, 21)}),
      SizeIs(4));
}

//===----------------------------------------------------------------------===//
// The gate
//===----------------------------------------------------------------------===//

static KernelModel gated(Extent Block, double MinOccupancy) {
  KernelModel K = makeKernel("h200");
  K.Launches = {makeLaunch({4096, 1, 1}, Block)};
  K.MinOccupancy = MinOccupancy;
  K.Fits.resize(1);
  return K;
}

TEST(Gate, OnlyStepsThatPassAreOffered) {
  // 1024 threads with 40 registers are one block of 32 warps.
  KernelModel K = gated({1024, 1, 1}, 0.8);
  K.Resources = ResourceRecord{.Registers = 40, .Source = "user"};
  K.Fits[0] = fitOf(K, K.Launches[0].Grid, K.Launches[0].Block, 0);
  const std::vector<Finding> Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  // 40 registers allow 48 warps, 75 %, however the block is cut.
  EXPECT_THAT(Found[0].Message,
              AllOf(HasSubstr("at 32 registers (33 to 40 cost the same) two "
                              "fit (64 of 64 warps instead of 32)"),
                    Not(HasSubstr("threads two fit"))));
}

TEST(Gate, WhereNoStepPassesThatIsSaid) {
  KernelModel K = gated({64, 1, 1}, 0.9);
  K.Resources = ResourceRecord{.Registers = 128, .Source = "user"};
  K.Fits[0] = fitOf(K, K.Launches[0].Grid, K.Launches[0].Block, 0);
  EXPECT_THAT(runCheck("low-occupancy", K).at(0).Message,
              HasSubstr("are enough alone"));
}

TEST(Gate, WhatIsKnownMayBeEnoughToFail) {
  // 32 blocks of one warp: half of the 64, whatever the registers.
  KernelModel K = gated({32, 1, 1}, 0.6);
  std::vector<Finding> Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Error);
  EXPECT_THAT(Found[0].Message,
              HasSubstr("has at most 32 of 64 warps resident on an SM of h200, "
                        "whatever its registers: 50.0 %"));
  // With half wanted, they decide.
  K.MinOccupancy = 0.5;
  Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Note);
  EXPECT_THAT(Found[0].Message, HasSubstr("its registers are not known"));
}
