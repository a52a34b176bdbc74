//===- tests/unit/analyzer/checks/ResourceChecksTests.cpp - Fits ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"
#include "Phrases.h"

#include "analyzer/checks/Repeated.h"
#include "analyzer/model/RegisterBounds.h"

#include <gmock/gmock.h>

namespace ResourceChecksTests {

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
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

// The state of a generator: its type and its indices are the toolkit's.
TEST(LocalArray, OfALibraryThePlaceAloneCanBeChanged) {
  LocalArray State = array(140, /*IndexIsData=*/true);
  State.IsOfLibrary = true;
  // 228 KB of an SM hold those of 1,667 threads.
  Finding F = runCheck("local-array", withStack(State, 144)).at(0);
  EXPECT_EQ(F.Remedy.Id, "keep-in-shared");
  // Of 536 bytes, those of 435: too few.
  State.Bytes = 536;
  F = runCheck("local-array", withStack(State, 536)).at(0);
  EXPECT_TRUE(F.Remedy.isEmpty());
  EXPECT_THAT(inWords(F.Cause), Not(HasSubstr("registers have no room")));
  State.IsOfLibrary = false;
  F = runCheck("local-array", withStack(State, 536)).at(0);
  EXPECT_TRUE(F.Remedy.isEmpty());
  EXPECT_THAT(inWords(F.Cause), HasSubstr("registers have no room"));
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

// Sixteen words can be selected from, and three quarters of 255 registers are
// for all: 191 words.
TEST(LocalArray, RegistersHaveRoomForAllTogether) {
  KernelModel K = withStack(array(64, /*IndexIsData=*/true), 764);
  K.Launches = {makeLaunch({4096, 1, 1}, {256, 1, 1})};
  const LocalArray One = K.Traits.LocalArrays.at(0);
  const auto remedy = [&](std::uint64_t Other) {
    K.Traits.LocalArrays = {One, One};
    K.Traits.LocalArrays[1].Bytes = Other;
    ++K.Traits.LocalArrays[1].Where.Line;
    K.Resources->LocalBytes = 64 + Other;
    return runCheck("local-array", K).at(0).Remedy;
  };
  EXPECT_THAT(remedy(700), Is("constant-indices"));
  EXPECT_TRUE(remedy(704).isEmpty());
}

TEST(LocalArray, TheArrayIsNotItsObject) {
  LocalArray Part = array(72, /*IndexIsData=*/true);
  Part.Name = "state.part";
  Part.ArrayBytes = 64;
  // The stack holds the object.
  EXPECT_THAT(runCheck("local-array", withStack(Part, 64)), IsEmpty());
  EXPECT_THAT(
      runCheck("local-array", withStack(Part, 72)).at(0).What,
      AllOf(Is("in-local-memory"),
            Tells("array", "the private array 'state.part' of 64 bytes"),
            Tells("kernel", "k"), Tells("local_bytes", 72),
            Tells("gpu", "h200")));
  Part.Name.clear();
  EXPECT_THAT(runCheck("local-array", withStack(Part, 72)).at(0).What,
              AllOf(Is("in-local-memory"),
                    Tells("array", "a private array of 64 bytes")));
}

static Finding localArrayFinding(std::uint64_t Bytes, Extent Block) {
  KernelModel K = withStack(array(Bytes, /*IndexIsData=*/true), Bytes);
  K.Launches = {makeLaunch({4096, 1, 1}, Block)};
  return runCheck("local-array", K).at(0);
}

static Phrase localArrayRemedy(std::uint64_t Bytes, Extent Block) {
  return localArrayFinding(Bytes, Block).Remedy;
}

// A stack of 64 words is not selected from: that takes longer than its memory.
TEST(LocalArray, FewWordsCanBeSelectedFrom) {
  EXPECT_THAT(inWords(localArrayRemedy(64, {64, 1, 1})),
              HasSubstr("make the indices constants"));
  EXPECT_THAT(inWords(localArrayRemedy(68, {64, 1, 1})),
              AllOf(Not(HasSubstr("indices")),
                    HasSubstr("shared memory, 4352 bytes a block (")));
  EXPECT_THAT(inWords(localArrayRemedy(128, {512, 1, 1})),
              HasSubstr("shared memory, 64 KB a block by opt-in ("));
}

// Four flags are no work for memory.
TEST(LocalArray, AWordIsShifted) {
  const auto remedy = [](LocalArray Of) {
    return runCheck("local-array", withStack(std::move(Of), 8)).at(0).Remedy;
  };
  EXPECT_THAT(remedy(array(4, /*IndexIsData=*/true)),
              AllOf(Is("keep-in-word"), Tells("array_bytes", 4)));
  EXPECT_THAT(remedy(array(8, /*IndexIsData=*/true)), Is("constant-indices"));
  EXPECT_THAT(remedy(array(4, /*IndexIsData=*/false)), Is("unroll"));
}

TEST(LocalArray, SharedMemoryIsOfAllThatNeedIt) {
  KernelModel K = withStack(array(96, /*IndexIsData=*/true), 128);
  K.Traits.LocalArrays.push_back(array(32, /*IndexIsData=*/true));
  K.Traits.LocalArrays[1].Where.Line = 9;
  K.Launches = {makeLaunch({4096, 1, 1}, {256, 1, 1})};
  EXPECT_THAT(inWords(runCheck("local-array", K).at(0).Remedy),
              HasSubstr("keep it in shared memory, 32 KB a block for 2 such "
                        "arrays"));
  K.Traits.LocalArrays.pop_back();
  EXPECT_THAT(inWords(runCheck("local-array", K).at(0).Remedy),
              AllOf(HasSubstr("24 KB a block"), Not(HasSubstr("such arrays"))));
}

// A copy of what the launch passes takes its place beside the arrays.
TEST(LocalArray, ParametersAreThoseThatHaveRoom) {
  LocalArray Passed = array(72, /*IndexIsData=*/true);
  Passed.Name = "P";
  Passed.IsParameter = true;
  Passed.Where.Line = 9;
  const auto found = [&](std::uint64_t Stack, const char *Gpu = "h200") {
    KernelModel K = withStack(array(64, /*IndexIsData=*/true), Stack);
    K.Gpu = makeKernel(Gpu).Gpu;
    K.Traits.LocalArrays.push_back(Passed);
    return runCheck("local-array", K);
  };
  EXPECT_THAT(found(64), SizeIs(1));
  EXPECT_THAT(found(135), SizeIs(1));
  EXPECT_THAT(found(64 + 143), SizeIs(2));
  EXPECT_THAT(found(64 + 144), SizeIs(1));
  const std::vector<Finding> Found = found(136);
  ASSERT_THAT(Found, SizeIs(2));
  EXPECT_THAT(Found[1].What, Tells("array", "the parameter 'P' of 72 bytes"));
  EXPECT_THAT(Found[1].Remedy, Is("copy-for-block"));
  Passed.DiffersByLane = false;
  EXPECT_THAT(found(136).at(1).Remedy, Is("grid-constant"));
  EXPECT_THAT(found(136, "sm_61").at(1).Remedy, Is("keep-in-constant"));
}

TEST(LocalArray, SharedMemoryIsAdvisedWhereItFits) {
  const Phrase Small = localArrayRemedy(64, {256, 1, 1});
  EXPECT_THAT(Small, Tells("room", "64 bytes x 256 threads are 16 KB a block"));
  // The words alone tell whether there is room: where there is none, they have
  // the same values.
  EXPECT_THAT(inWords(Small), HasSubstr("keep it in"));
  // 32 registers let eight blocks of 256 threads in; 13 x 17 KB, one of them
  // reserved, are the 228 KB of an SM, so that they stay.
  EXPECT_THAT(inWords(localArrayRemedy(128, {512, 1, 1})),
              AllOf(HasSubstr("keep it in"),
                    HasSubstr("64 KB a block, more than 48 KB"),
                    HasSubstr("opt-in"),
                    // 65 KB of 228 KB.
                    HasSubstr("3 blocks instead of 4")));
}

TEST(LocalArray, AnOptInIsForAllOfTheSharedMemory) {
  // 64 bytes x 32 threads are 2 KB; with 47 KB of the kernel's own that is more
  // than the 48 KB of a block, and 2 KB alone are not.
  KernelModel K = withStack(array(64, /*IndexIsData=*/true), 64);
  K.StaticSharedBytes = 47 * 1024;
  K.Launches = {makeLaunch({4096, 1, 1}, {32, 1, 1})};
  EXPECT_THAT(inWords(runCheck("local-array", K).at(0).Remedy),
              AllOf(HasSubstr("64 bytes x 32 threads are 2 KB a block, 49 KB "
                              "with the 47 KB that it has, more than 48 KB"),
                    HasSubstr("opt-in")));
  // The same of dynamic shared memory.
  K.StaticSharedBytes = 45 * 1024;
  K.Launches[0].DynamicSharedBytes = 2 * 1024;
  EXPECT_THAT(inWords(runCheck("local-array", K).at(0).Remedy),
              HasSubstr("2 KB a block, 49 KB with the 47 KB that it has, more "
                        "than 48 KB"));
}

TEST(LocalArray, WhatDoesNotFitIsNotAdvised) {
  // 400 bytes x 1024 threads are 400 KB of the 227 KB that a block can have.
  EXPECT_THAT(localArrayFinding(400, {1024, 1, 1}),
              AllOf(Field(&Finding::Remedy, Is("")),
                    Field(&Finding::Cause,
                          Tells("room", "400 bytes x 1024 threads are 400 KB a "
                                        "block, and a block has 227 KB at "
                                        "most"))));
  // Nor registers: 512 words.
  const Finding Large = localArrayFinding(2048, {256, 1, 1});
  EXPECT_TRUE(Large.Remedy.isEmpty());
  EXPECT_THAT(Large.Cause, Tells("room", "2048 bytes x 256 threads are 512 KB "
                                         "a block, and a block has 227 KB at "
                                         "most"));
  EXPECT_THAT(inWords(Large.Cause),
              AllOf(HasSubstr("neither registers nor shared memory have room"),
                    // Of 2048 threads.
                    HasSubstr("an SM holds have 4096 KB of local")));
  // Without a launch nobody knows: 232448 / 2048 threads.
  KernelModel K = withStack(array(2048, /*IndexIsData=*/true), 2048);
  const Finding Unlaunched = runCheck("local-array", K).at(0);
  EXPECT_TRUE(Unlaunched.Remedy.isEmpty());
  EXPECT_THAT(inWords(Unlaunched.Cause),
              AllOf(HasSubstr("there is room for at most 113 threads"),
                    Not(HasSubstr("that an SM holds"))));
}

// Each of two arrays alone leaves eight blocks where they are; of both, with
// what is reserved, a block has 33 KB of the 228 KB of an SM.
TEST(LocalArray, WhatIsDoneToOneIsDoneToAll) {
  KernelModel K = withStack(array(64, /*IndexIsData=*/true), 2 * 64);
  LocalArray Other = K.Traits.LocalArrays[0];
  Other.Name = "other";
  Other.Where.Line = 9;
  K.Traits.LocalArrays.push_back(Other);
  K.Launches = {makeLaunch({4096, 1, 1}, {256, 1, 1})};
  EXPECT_THAT(inWords(runCheck("local-array", K).at(0).Remedy),
              AllOf(HasSubstr("keep it in"),
                    HasSubstr("of 2 such, 128 bytes x 256 threads are 32 KB"),
                    HasSubstr("6 blocks instead of 8")));
}

TEST(LocalArray, WhatNoCompilerSaidIsNotSaid) {
  KernelModel K = withStack(array(64, /*IndexIsData=*/true), 64);
  EXPECT_THAT(runCheck("local-array", K).at(0).What,
              AllOf(Is("in-local-memory"),
                    Tells("array", "the private array 'part' of 64 bytes")));
  K.Resources.reset();
  EXPECT_THAT(runCheck("local-array", K), testing::IsEmpty());
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

TEST(RegisterBounds, AreWhatMaxnregAllows) {
  KernelDeclaration Kernel;
  Kernel.MaxRegisters = 40;
  const Architecture &Arch = *parseTarget("h200")->Arch;
  EXPECT_EQ(boundedRegisters(Arch, Kernel), 40u);
  EXPECT_EQ(launchBoundsOf(Kernel), "__maxnreg__(40)");
  Kernel.MaxRegisters = 8; // As of ptxas 13.0.
  EXPECT_EQ(boundedRegisters(Arch, Kernel), 24u);
  Kernel.MaxRegisters = 255;
  EXPECT_EQ(boundedRegisters(Arch, Kernel), std::nullopt);
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
  const std::vector<std::unique_ptr<Check>> All = makeChecks();
  std::vector<const Check *> Checks;
  for (const std::unique_ptr<Check> &Each : All)
    Checks.push_back(Each.get());
  dropRepeated(Findings, Checks);
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
  return K;
}

TEST(Gate, OnlyStepsThatPassAreOffered) {
  // 1024 threads with 40 registers are one block of 32 warps.
  KernelModel K = gated({1024, 1, 1}, 0.8);
  K.Resources = ResourceRecord{.Registers = 40, .Source = "user"};
  const std::vector<Finding> Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  // 40 registers allow 48 warps, 75 %, however the block is cut.
  EXPECT_THAT(Found[0].Remedy, Is("change-resources"));
  EXPECT_THAT(inWords(Found[0].Remedy), // The words alone tell the steps.
              AllOf(HasSubstr("at 32 registers (33 to 40 "),
                    HasSubstr("64 of 64 warps instead of 32"),
                    Not(HasSubstr("threads"))));
}

TEST(Gate, WhatCannotRunFails) {
  // 80 registers x 1024 threads are more than 65536.
  KernelModel K = gated({1024, 1, 1}, 0.5);
  K.Resources = ResourceRecord{.Registers = 80, .Source = "user"};
  std::vector<Finding> Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Error);
  EXPECT_THAT(Found[0].What, AllOf(Is("no-warps"), Tells("gpu", "h200"),
                                   Tells("percent_wanted", 50)));
  EXPECT_EQ(Found[0].Predicted->Value, 0);
  EXPECT_THAT(Found[0].Cause, Is("fits-no-sm"));
  EXPECT_THAT(inWords(Found[0].Cause), HasSubstr("701"));
  // Whatever the registers.
  K = gated({2048, 1, 1}, 0.5);
  Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Error);
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("dimension-too-large"), Tells("dimension", "block.x"),
                    Tells("size", 2048), Tells("limit", 1024)));
  // A dimension of 0 has no occupancy to compute.
  K = gated({0, 1, 1}, 0.5);
  EXPECT_EQ(runCheck("low-occupancy", K).at(0).Level, Severity::Error);
}

TEST(Gate, WhatCannotRunHasNoOccupancyBesides) {
  // 64 KB of shared memory would fit three times, and need an opt-in.
  KernelModel K = gated({256, 1, 1}, 0.5);
  K.Resources = ResourceRecord{.Registers = 16, .Source = "user"};
  K.StaticSharedBytes = 0;
  K.Launches[0].DynamicSharedBytes = 65536;
  std::vector<Finding> Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What, Is("no-warps"));
  K.Launches[0].SharedMemoryOptIn = true;
  Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What, AllOf(Is("few-warps"), Tells("warps", 24),
                                   Tells("warps_possible", 64)));
}

TEST(Gate, WhereNoStepPassesThatIsSaid) {
  KernelModel K = gated({64, 1, 1}, 0.9);
  K.Resources = ResourceRecord{.Registers = 128, .Source = "user"};
  const Finding F = runCheck("low-occupancy", K).at(0);
  EXPECT_THAT(F.What, Tells("percent_wanted", 90));
  EXPECT_THAT(F.Remedy, Is("no-small-step"));
}

// ptxas 13.0 builds 68,000 bytes for sm_90a, and not for sm_90; an H200 runs
// them. Three blocks of 67 KB, one of them reserved, fit its 228 KB.
TEST(SharedMemoryLimits, CodeForOneArchitectureAloneHasNoStaticLimit) {
  KernelModel K = makeKernel("h200");
  K.Resources = ResourceRecord{.Registers = 16, .Source = "user"};
  K.StaticSharedBytes = 68'000;
  K.Launches = {makeLaunch({4096, 1, 1}, {256, 1, 1})};
  EXPECT_THAT(runCheck("shared-memory-limits", K), SizeIs(1));
  K.IsForOneArchitecture = true;
  EXPECT_THAT(runCheck("shared-memory-limits", K), IsEmpty());
  EXPECT_EQ(judge(K, K.Launches[0]).Fit->OnSM.BlocksPerSM, 3u);
  // Nor has it more than there is.
  K.StaticSharedBytes = 230 * 1024;
  EXPECT_THAT(runCheck("shared-memory-limits", K), SizeIs(1));
}

// One block of 8 warps has 156 registers a thread; two of 6 would fit, but a
// reduction of 192 values by halves leaves out 64 of them.
TEST(LowOccupancy, ABlockThatIsHalvedStaysAPowerOfTwo) {
  KernelModel K = makeKernel("h200");
  K.Resources = ResourceRecord{.Registers = 156, .Source = "user"};
  K.StaticSharedBytes = 0;
  K.Launches = {makeLaunch({4096, 1, 1}, {256, 1, 1})};
  EXPECT_THAT(inWords(runCheck("low-occupancy", K).at(0).Remedy),
              HasSubstr("192 threads"));
  K.Traits.Blocks.HalvesItself = true;
  EXPECT_THAT(inWords(runCheck("low-occupancy", K).at(0).Remedy),
              Not(HasSubstr("192 threads")));
}

TEST(Gate, WhatIsKnownMayBeEnoughToFail) {
  // 32 blocks of one warp: half of the 64, whatever the registers.
  KernelModel K = gated({32, 1, 1}, 0.6);
  std::vector<Finding> Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Error);
  EXPECT_THAT(Found[0].What,
              AllOf(Is("few-warps-at-most"), Tells("warps", 32),
                    Tells("warps_possible", 64), Tells("gpu", "h200"),
                    Tells("unknown", "its registers"), Tells("percent", 50)));
  // With half wanted, they decide.
  K.MinOccupancy = 0.5;
  Found = runCheck("low-occupancy", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Note);
  EXPECT_THAT(Found[0].What, Is("not-comparable"));
  EXPECT_THAT(Found[0].Cause, Is("not-known"));
  EXPECT_THAT(inWords(Found[0].Cause), HasSubstr("its registers"));
}

// Of a launch that fails for its registers, too little shared memory is told as
// well: fewer registers alone would not help.
TEST(Verdict, AllThatFailsIsTold) {
  KernelModel K = makeKernel("h200");
  K.Resources = ResourceRecord{.Registers = 80, .Source = "user"};
  K.StaticSharedBytes = 0;
  K.Launches = {makeLaunch({64, 1, 1}, {1024, 1, 1})};
  K.Launches[0].DynamicSharedBytes = 60'000;
  const LaunchVerdict V = judge(K, K.Launches[0]);
  ASSERT_THAT(V.Faults, SizeIs(2));
  EXPECT_EQ(V.Faults[0].What, LaunchFault::Kind::SharedMemory);
  EXPECT_THAT(V.Faults[0].Reason, Is("not-raised"));
  EXPECT_THAT(V.Faults[0].Assumption, Not(IsEmpty()));
  EXPECT_EQ(V.Faults[1].What, LaunchFault::Kind::Resources);
  EXPECT_THAT(V.Faults[1].Reason, Is("fits-no-sm"));
  EXPECT_THAT(inWords(V.Faults[1].Reason), HasSubstr("701"));
  // What fails has no warps to waste, no tail and nothing to gain.
  for (const char *Check : {"partial-warp-block", "tail-wave", "low-occupancy",
                            "register-cliff", "large-block-barriers"})
    EXPECT_THAT(runCheck(Check, K), SizeIs(0)) << Check;
}

TEST(Verdict, AShapeThatNobodyLaunchesCannotFail) {
  KernelModel K = makeKernel("h200");
  K.Launches = {makeLaunch({1, 1, 1}, {2048, 1, 1})};
  EXPECT_TRUE(judge(K, K.Launches[0]).fails());
  K.Launches[0].Source = LaunchSource::Assumed;
  EXPECT_FALSE(judge(K, K.Launches[0]).fails());
}

//===----------------------------------------------------------------------===//
// Launches that ask for the same
//===----------------------------------------------------------------------===//

/// Launches of blocks of 1024 threads with 33 registers, of which one fits an
/// SM, in lines of their own.
static KernelModel launchesOf(std::initializer_list<std::int64_t> Grids) {
  KernelModel K = makeKernel("h200");
  K.Resources = ResourceRecord{.Registers = 33, .Source = "user"};
  unsigned Line = 20;
  for (const std::int64_t Grid : Grids) {
    K.Launches.push_back(makeLaunch({Grid, 1, 1}, {1024, 1, 1}));
    K.Launches.back().Where.Line = Line++;
  }
  return K;
}

TEST(FewerRegisters, AreAskedForWhereEveryLaunchStaysPossible) {
  // 32 registers let two blocks of 1024 threads onto an SM.
  KernelModel K = launchesOf({4096});
  const auto remedyOf = [&] {
    const std::vector<Finding> Found = runCheck("register-cliff", K);
    return Found.empty() ? "" : inWords(Found[0].Remedy);
  };
  EXPECT_THAT(remedyOf(),
              HasSubstr("ask for 32 registers by __launch_bounds__(1024, 2), "
                        "unless it spills then: "));
  // Larger blocks could not be launched any more.
  K.Launches.push_back(makeLaunch({std::nullopt, 1, 1}, {std::nullopt, 1, 1}));
  EXPECT_THAT(remedyOf(), AllOf(HasSubstr("unless it spills then"),
                                Not(HasSubstr("__launch_bounds__"))));
}

TEST(Alike, OnlyLaunchesWithTheFaultAreCounted) {
  // 132 SMs: grids of up to 132 blocks are resident at once.
  std::vector<Finding> Found =
      runCheck("register-cliff", launchesOf({10, 4096, 132, 8192, 100}));
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Where.Line, 23u);
  EXPECT_THAT(Found[0].What,
              AllOf(Is("near-cliff"), Tells("alike", " (and 1 more launch)")));
  Found = runCheck("register-cliff", launchesOf({10, 4096, 132}));
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What, AllOf(Is("near-cliff"), Tells("alike", "")));
}

TEST(TailWave, ProposesSmallStepsAlone) {
  // 128 registers: 2 blocks of 256 threads to the SM, 264 in all. 72 registers
  // would let 3 in and 300 blocks through in one round; nobody saves 56.
  KernelModel K = makeKernel("h200");
  K.Resources = ResourceRecord{.Registers = 128, .Source = "user"};
  K.Launches = {makeLaunch({300, 1, 1}, {256, 1, 1})};
  std::vector<Finding> Found = runCheck("tail-wave", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Not(Is("save-a-round")), Is("resident-grid"),
                    Tells("blocks", 264)));
}

TEST(Fit, WhatALaunchPassesCountsThoughTheKernelUsesNone) {
  KernelModel K = makeKernel("h200");
  K.Resources = ResourceRecord{.Registers = 32, .SharedBytes = 0};
  EXPECT_TRUE(fitOf(K, {8, 1, 1}, {64, 1, 1}, std::nullopt));
  EXPECT_FALSE(
      fitOf(K, {8, 1, 1}, {64, 1, 1}, std::nullopt, LaunchSource::Launch));
}

} // namespace ResourceChecksTests
