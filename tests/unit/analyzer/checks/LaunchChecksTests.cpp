//===- tests/unit/analyzer/checks/LaunchChecksTests.cpp - Launches --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phrases.h"
#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace LaunchChecksTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

static KernelModel launched(Extent Grid, Extent Block,
                            std::string_view Gpu = "h200") {
  KernelModel K = makeKernel(Gpu);
  K.Launches = {makeLaunch(Grid, Block)};
  K.Traits.HasLongLoops = true;
  K.Accesses = {makeAccess(K, MemorySpace::Global, 7, 4,
                           [](std::int64_t Lane) { return 4 * Lane; })};
  return K;
}

/// The only finding; one that says nothing when there is none.
static Finding only(const std::vector<Finding> &Found) {
  EXPECT_LE(Found.size(), 1u);
  return Found.empty() ? Finding() : Found.front();
}
static Finding invalid(const KernelModel &K) {
  return only(runCheck("invalid-launch", K));
}
static Finding memory(const KernelModel &K) {
  return only(runCheck("shared-memory-limits", K));
}
static Finding partial(const KernelModel &K) {
  return only(runCheck("partial-warp-block", K));
}
static Finding small(const KernelModel &K) {
  return only(runCheck("small-grid", K));
}

/// A dimension of the grid or the block beyond its limit.
static auto exceeds(const char *Dimension, std::int64_t Size,
                    std::int64_t Limit) {
  return AllOf(Is("dimension-too-large"), Tells("dimension", Dimension),
               Tells("size", Size), Tells("limit", Limit));
}

TEST(InvalidLaunch, SilentWithinTheLimits) {
  EXPECT_THAT(invalid(launched({2147483647, 65535, 65535}, {1024, 1, 1})).What,
              Is(""));
  EXPECT_THAT(invalid(launched({1, 1, 1}, {4, 4, 64})).What, Is(""));
}

TEST(InvalidLaunch, SilentAboutWhatIsNotKnown) {
  EXPECT_THAT(
      invalid(launched({std::nullopt, 1, 1}, {std::nullopt, 1, 1})).What,
      Is(""));
}

TEST(InvalidLaunch, TooManyThreads) {
  const std::vector<Finding> Found =
      runCheck("invalid-launch", launched({1, 1, 1}, {33, 32, 1}));
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What, AllOf(Is("launch-fails"), Tells("kernel", "k()"),
                                   Tells("gpu", "h200")));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("too-many-threads"), Tells("block", "33x32"),
                    Tells("threads", 1056), Tells("limit", 1024)));
  EXPECT_EQ(Found[0].Level, Severity::Error);
  EXPECT_EQ(Found[0].Where, (Location{"a.cu", 90, 3}));
}

TEST(InvalidLaunch, AnUnknownDimensionIsAtLeastOne) {
  EXPECT_THAT(invalid(launched({1, 1, 1}, {64, 32, std::nullopt})).Cause,
              AllOf(Is("too-many-threads"), Tells("block", "64x32x?"),
                    Tells("threads", 2048)));
}

TEST(InvalidLaunch, LimitsOfTheFirstGenerations) {
  // 1.x: 512 threads a block and flat grids.
  EXPECT_THAT(invalid(launched({1, 1, 1}, {1024, 1, 1}, "sm_13")).Cause,
              Tells("limit", 512));
  EXPECT_THAT(invalid(launched({1, 1, 2}, {64, 1, 1}, "sm_13")).Cause,
              exceeds("grid.z", 2, 1));
  EXPECT_THAT(invalid(launched({65536, 1, 1}, {64, 1, 1}, "sm_20")).Cause,
              exceeds("grid.x", 65536, 65535));
  EXPECT_THAT(invalid(launched({65536, 1, 1}, {64, 1, 1}, "sm_30")).What,
              Is(""));
}

TEST(InvalidLaunch, Dimensions) {
  EXPECT_THAT(invalid(launched({1, 1, 1}, {1, 1, 65})).Cause,
              exceeds("block.z", 65, 64));
  EXPECT_THAT(invalid(launched({1, 65536, 1}, {1, 1, 1})).Cause,
              exceeds("grid.y", 65536, 65535));
  EXPECT_THAT(invalid(launched({1, 1, 1}, {0, 1, 1})).Cause,
              AllOf(Is("dimension-too-small"), Tells("dimension", "block.x"),
                    Tells("size", 0)));
  EXPECT_THAT(invalid(launched({-1, 1, 1}, {1, 1, 1})).Cause,
              AllOf(Is("dimension-too-small"), Tells("dimension", "grid.x"),
                    Tells("size", -1)));
}

TEST(InvalidLaunch, LaunchBounds) {
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  K.Declaration.MaxThreads = 128;
  EXPECT_THAT(invalid(K).Cause,
              AllOf(Is("over-launch-bounds"), Tells("limit", 128)));
  K.Declaration.MaxThreads = 256;
  EXPECT_THAT(invalid(K).What, Is(""));
}

TEST(InvalidLaunch, NegativeSharedMemory) {
  KernelModel K = launched({5, 1, 1}, {64, 1, 1});
  K.Launches[0].DynamicSharedBytes = -16;
  // 2^64 - 16
  EXPECT_THAT(invalid(K).Cause,
              AllOf(Is("negative-shared-memory"), Tells("bytes", -16),
                    Tells("as_size_t", "18446744073709551600")));
  EXPECT_THAT(memory(K).What, Is("")); // Said once.
}

TEST(InvalidLaunch, CooperativeBlocksMustAllBeResident) {
  // 2048 threads of an SM are 4 blocks of 512; the H200 has 132 SMs.
  KernelModel K = launched({529, 1, 1}, {512, 1, 1});
  EXPECT_THAT(invalid(K).What, Is(""));
  K.Launches[0].Cooperative = true;
  const Phrase Cause = invalid(K).Cause;
  EXPECT_THAT(Cause, AllOf(Is("too-many-to-cooperate"), Tells("blocks", 529),
                           Tells("resident", 528), Tells("per_sm", 4),
                           Tells("sms", 132)));
  // The words alone tell the error, and that there may be fewer.
  EXPECT_THAT(inWords(Cause),
              AllOf(HasSubstr("at most"), HasSubstr("error 720")));
  K.Launches[0].Grid[0] = 528;
  EXPECT_THAT(invalid(K).What, Is(""));
  // 64 registers for 512 threads are half of the 65536: two blocks.
  K.StaticSharedBytes = 0;
  K.Resources = ResourceRecord{.Registers = 64, .Source = "user"};
  EXPECT_THAT(invalid(K).Cause,
              AllOf(Is("too-many-to-cooperate"), Tells("resident", 264)));
  EXPECT_THAT(inWords(invalid(K).Cause), Not(HasSubstr("at most")));
  // The program asks for the limit itself.
  K.Launches[0].CheckedSizes = {528};
  EXPECT_THAT(invalid(K).What, Is(""));
  // An architecture has no number of SMs.
  K.Launches[0].CheckedSizes = {};
  K.Gpu.SMs = std::nullopt;
  EXPECT_THAT(invalid(K).What, Is(""));
}

TEST(InvalidLaunch, ClustersAreWhole) {
  KernelModel K = launched({1001, 6, 1}, {256, 1, 1});
  EXPECT_THAT(invalid(K).What, Is(""));
  K.Declaration.ClusterSize = {2, 3, 1};
  EXPECT_THAT(invalid(K).Cause,
              AllOf(Is("partial-cluster"), Tells("dimension", "grid.x"),
                    Tells("size", 1001), Tells("cluster", 2)));
  K.Launches[0].Grid = {1000, 7, 1};
  EXPECT_THAT(invalid(K).Cause,
              AllOf(Is("partial-cluster"), Tells("dimension", "grid.y"),
                    Tells("size", 7), Tells("cluster", 3)));
  K.Launches[0].Grid = {1000, 6, std::nullopt};
  EXPECT_THAT(invalid(K).What, Is(""));
}

TEST(InvalidLaunch, AssumedShapesCannotFail) {
  KernelModel K = launched({1, 1, 1}, {2048, 1, 1});
  K.Launches[0].Source = LaunchSource::Assumed;
  EXPECT_THAT(invalid(K).What, Is(""));
}

TEST(SharedMemoryLimits, SharedMemoryNeedsItsOptIn) {
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  K.StaticSharedBytes = 1024;
  K.Launches[0].DynamicSharedBytes = 48 * 1024;
  const std::vector<Finding> Found = runCheck("shared-memory-limits", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("not-raised"), Tells("bytes", 50176),
                    Tells("static_bytes", 1024), Tells("limit", 49152),
                    Tells("opt_in", 232448))); // 227 KB on 9.0
  EXPECT_EQ(Found[0].Trust, Certainty::Assumed);
  K.Launches[0].SharedMemoryOptIn = true;
  EXPECT_THAT(memory(K).What, Is(""));
  K.Launches[0].DynamicSharedBytes = 228 * 1024;
  EXPECT_THAT(memory(K).Cause, AllOf(Is("over-limit"), Tells("limit", 232448)));
}

TEST(SharedMemoryLimits, AnOptInMustBeEnough) {
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  K.Launches[0].DynamicSharedBytes = 100 * 1024;
  K.Launches[0].SharedMemoryOptIn = true;
  K.Launches[0].Raised = SharedMemoryRaise{64 * 1024, false, {"a.cu", 8, 3}};
  const std::vector<Finding> Found = runCheck("shared-memory-limits", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Error);
  EXPECT_EQ(Found[0].Trust, Certainty::Exact);
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("raised-too-little"), Tells("bytes", 102400),
                    Tells("line", 8), Tells("allowed", 65536)));
  K.Launches[0].Raised->MayBeMore = true;
  EXPECT_EQ(runCheck("shared-memory-limits", K).at(0).Trust,
            Certainty::Assumed);
  K.Launches[0].Raised->Bytes = 100 * 1024;
  EXPECT_THAT(memory(K).What, Is(""));
}

TEST(SharedMemoryLimits, AnOptInMustComeFirst) {
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  K.Launches[0].DynamicSharedBytes = 100 * 1024;
  K.Launches[0].SharedMemoryOptIn = true;
  K.Launches[0].Raised = SharedMemoryRaise{100 * 1024, true, {"a.cu", 9, 3}};
  EXPECT_THAT(memory(K).Cause, AllOf(Is("raised-too-late"),
                                     Tells("limit", 49152), Tells("line", 9)));
  // What needs none has all the time.
  K.Launches[0].DynamicSharedBytes = 48 * 1024;
  EXPECT_THAT(memory(K).What, Is(""));
}

TEST(SharedMemoryLimits, StaticSharedMemoryNeverFits) {
  KernelModel K = makeKernel();
  K.StaticSharedBytes = 65536;
  EXPECT_THAT(memory(K).Cause, AllOf(Is("static-shared"), Tells("bytes", 65536),
                                     Tells("limit", 49152)));
}

TEST(SharedMemoryLimits, TheCompilersFigureComesFirst) {
  KernelModel K = makeKernel();
  K.StaticSharedBytes = 65536;
  K.Resources = ResourceRecord{.SharedBytes = 1024, .Source = "nvcc"};
  EXPECT_THAT(memory(K).What, Is(""));
}

TEST(PartialWarpBlock, SilentWhereWarpsAreFull) {
  EXPECT_THAT(partial(launched({64, 1, 1}, {256, 1, 1})).What, Is(""));
  EXPECT_THAT(partial(launched({64, 1, 1}, {16, 16, 1})).What, Is(""));
  // 96 is 3 warps.
  EXPECT_THAT(partial(launched({64, 1, 1}, {24, 4, 1})).What, Is(""));
}

TEST(PartialWarpBlock, SilentForSerialCodeAndTheUnknown) {
  EXPECT_THAT(partial(launched({1, 1, 1}, {1, 1, 1})).What, Is(""));
  EXPECT_THAT(partial(launched({64, 1, 1}, {std::nullopt, 3, 1})).What, Is(""));
}

TEST(PartialWarpBlock, SilentWhereTheLaunchFails) {
  KernelModel K = launched({64, 1, 1}, {100, 1, 1});
  EXPECT_THAT(partial(K).What, Is("idle-lanes"));
  K.Launches[0].DynamicSharedBytes = -1;
  EXPECT_THAT(partial(K).What, Is(""));
  EXPECT_THAT(partial(launched({0, 1, 1}, {100, 1, 1})).What, Is(""));
  KernelModel Bounded = launched({64, 1, 1}, {100, 1, 1});
  Bounded.Declaration.MaxThreads = 64;
  EXPECT_THAT(partial(Bounded).What, Is(""));
}

TEST(PartialWarpBlock, SmallerThanAWarp) {
  const Finding F = partial(launched({64, 1, 1}, {8, 1, 1}));
  EXPECT_THAT(F.What, AllOf(Is("idle-lanes"), Tells("block", "8 threads"),
                            Tells("full_warps", 0), Tells("idle", 24),
                            Tells("lanes", 32), Tells("percent", 75)));
  EXPECT_THAT(F.Remedy, AllOf(Is("fill-a-warp"), Tells("threads_more", 32)));
}

TEST(PartialWarpBlock, LastWarpNotFull) {
  const Finding F = partial(launched({64, 1, 1}, {10, 10, 1}));
  EXPECT_THAT(F.What,
              AllOf(Is("idle-lanes"), Tells("block", "10x10 (100 threads)"),
                    Tells("full_warps", 3), Tells("warps", 4),
                    Tells("idle", 28), Tells("lanes", 128),
                    Tells("percent", 100 * 28 / 128.0)));
  EXPECT_THAT(F.Remedy, AllOf(Is("whole-warps-of-rows"), Tells("length", 16),
                              Tells("dimension", "x"), Tells("threads", 160)));
  EXPECT_THAT(partial(launched({64, 1, 1}, {1000, 1, 1})).Remedy,
              AllOf(Is("whole-warps"), Tells("threads_less", 992),
                    Tells("threads_more", 1024)));
}

TEST(PartialWarpBlock, TheOtherDimensionsStay) {
  EXPECT_THAT(partial(launched({64, 1, 1}, {16, 9, 1})).Remedy,
              AllOf(Is("whole-warps-of-rows"), Tells("length", 32),
                    Tells("dimension", "x"), Tells("threads", 288)));
  EXPECT_THAT(partial(launched({64, 1, 1}, {2, 30, 3})).Remedy,
              AllOf(Tells("length_less", 16), Tells("length_more", 32),
                    Tells("dimension", "y"), Tells("threads_less", 96),
                    Tells("threads_more", 192)));
  // 64 x 31 threads are more than a block has.
  EXPECT_THAT(partial(launched({64, 1, 1}, {31, 31, 1})).Remedy,
              AllOf(Tells("length", 32), Tells("threads", 992)));
}

TEST(PartialWarpBlock, SilentForALaneOfAThousand) {
  EXPECT_THAT(
      runCheck("partial-warp-block", launched({64, 1, 1}, {1023, 1, 1})),
      IsEmpty());
}

TEST(PartialWarpBlock, LittleWasteIsANote) {
  // The row of the experiment: 673 threads are 22 warps, 672 are 21.
  const std::vector<Finding> Found =
      runCheck("partial-warp-block", launched({57, 1, 1}, {673, 1, 1}));
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Tells("full_warps", 21), Tells("warps", 22)));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("whole-warps"), Tells("threads_less", 672),
                    Tells("threads_more", 704)));
  EXPECT_EQ(Found[0].Level, Severity::Note);
  // 24 of 128 lanes, and 16 of 64.
  EXPECT_EQ(partial(launched({64, 1, 1}, {104, 1, 1})).Level, Severity::Note);
  EXPECT_EQ(partial(launched({64, 1, 1}, {48, 1, 1})).Level, Severity::Warning);
}

TEST(SmallGrid, SilentWhereAllSMsWork) {
  EXPECT_THAT(small(launched({132, 1, 1}, {256, 1, 1})).What, Is(""));
  EXPECT_THAT(small(launched({2, 66, 1}, {256, 1, 1})).What, Is(""));
  EXPECT_THAT(small(launched({std::nullopt, 1, 1}, {256, 1, 1})).What, Is(""));
  EXPECT_THAT(small(launched({1, 1, 1}, {32, 1, 1})).What, Is(""));
}

TEST(SmallGrid, ALaunchThatFailsLeavesNoSMsIdle) {
  EXPECT_THAT(small(launched({9, 1, 1}, {2048, 1, 1})).What, Is(""));
  EXPECT_THAT(small(launched({8, 1, 1}, {1, 1, 128})).What, Is(""));
  // Nor does it show that the other one's grid is meant.
  KernelModel K = launched({8, 1, 1}, {256, 1, 1});
  K.Launches.push_back(makeLaunch({1000, 1, 1}, {2048, 1, 1}));
  EXPECT_THAT(small(K).What, Is("idle-sms"));
}

// Other streams have work for the SMs that one leaves idle.
TEST(SmallGrid, SilentInOneOfSeveralStreams) {
  KernelModel K = launched({8, 1, 1}, {256, 1, 1});
  K.Launches[0].HasOneOfStreams = true;
  EXPECT_THAT(small(K).What, Is(""));
}

// Each block of the first leaves a value, and the only one of the last adds
// them up, several to a thread.
TEST(SmallGrid, ALastStageIsMeantToBeOne) {
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  K.Traits.Blocks.SharesAmongBlocks = true;
  EXPECT_THAT(small(K).What, Is("idle-sms"));
  Access Left = makeAccess(
      K, MemorySpace::Global, 9, 4, [](std::int64_t) { return 0; }, 1);
  Left.Op = AccessOp::Store;
  Left.Block = {256, 1, 1};
  Left.Predicted->Lanes = 1;
  Left.Predicted->Warps = 1;
  K.Accesses.push_back(Left);
  K.Launches.insert(K.Launches.begin(), makeLaunch({1056, 1, 1}, {256, 1, 1}));
  K.Launches[0].Where.Line = 80;
  EXPECT_THAT(small(K).What, Is(""));
  // Both work on as many elements as there are, which no block has left.
  K.Launches[0].Arguments = K.Launches[1].Arguments = {1 << 26};
  EXPECT_THAT(small(K).What, Is("idle-sms"));
  // In one line, `first<<<…>>>(…), last<<<…>>>(…)`, as well.
  K.Launches[0].Arguments.clear();
  K.Launches[0].Where.Line = K.Launches[1].Where.Line;
  K.Launches[0].Where.Column = K.Launches[1].Where.Column - 1;
  EXPECT_THAT(small(K).What, Is(""));
  // `min((n + 255) / 256, 1024)` blocks left as many values.
  K.Launches[0].Grid = {std::nullopt, 1, 1};
  EXPECT_THAT(small(K).What, Is(""));
}

TEST(SmallGrid, SilentWhereTheSMsAreNotKnown) {
  EXPECT_THAT(small(launched({8, 1, 1}, {256, 1, 1}, "sm_90")).What, Is(""));
}

TEST(SmallGrid, CountsIdleSMs) {
  const Finding F = small(launched({8, 1, 1}, {256, 1, 1}));
  EXPECT_THAT(F.What,
              AllOf(Is("idle-sms"), Tells("blocks", 8), Tells("idle_sms", 124),
                    Tells("sms", 132), Tells("gpu", "h200")));
  EXPECT_THAT(F.Remedy, Is("more-blocks"));
  EXPECT_EQ(inWords(F.Remedy), "use more blocks"); // They take their share.
  // 28 SMs: the card of the experiments.
  EXPECT_THAT(small(launched({2, 8, 1}, {64, 1, 1}, "gtx-1080-ti")).What,
              AllOf(Is("idle-sms"), Tells("idle_sms", 12), Tells("sms", 28)));
  EXPECT_THAT(small(launched({28, 1, 1}, {64, 1, 1}, "gtx-1080-ti")).What,
              Is(""));
}

TEST(SmallGrid, GridsOfOneLaunchAreToldTogether) {
  // for (n = 1; n <= 64; n *= 2) k<<<n, 256>>>();
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  for (std::int64_t Blocks = 2; Blocks <= 64; Blocks *= 2)
    K.Launches.push_back(makeLaunch({Blocks, 1, 1}, {256, 1, 1}));
  const Finding F = small(K);
  EXPECT_THAT(F.What, AllOf(Is("idle-sms"), Tells("least_blocks", 1),
                            Tells("blocks", 64), Tells("sizes", 7),
                            Tells("idle_sms", 68), Tells("most_idle_sms", 131),
                            Tells("sms", 132), Tells("gpu", "h200")));
  EXPECT_THAT(F.Remedy, Is("more-blocks"));
  EXPECT_EQ(inWords(F.Remedy), "use more blocks");
  K.Launches.back().Where.Line = 91;
  EXPECT_THAT(runCheck("small-grid", K), SizeIs(2));
}

TEST(SmallGrid, SaysNothingOfFewSMsOrLittleWork) {
  EXPECT_THAT(small(launched({99, 1, 1}, {256, 1, 1})).What, Is(""));
  EXPECT_THAT(small(launched({98, 1, 1}, {256, 1, 1})).What, Is("idle-sms"));
  // An element for each thread.
  KernelModel K = launched({8, 1, 1}, {256, 1, 1});
  K.Traits.HasLongLoops = false;
  EXPECT_THAT(small(K).What, Is(""));
  // Or a few for each.
  K.Traits.HasLongLoops = true;
  Access A = makeAccess(K, MemorySpace::Global, 9, 4, [](auto L) { return L; });
  A.LoopDepth = 1;
  A.Executions = 7;
  K.Accesses = {A};
  EXPECT_THAT(small(K).What, Is(""));
  K.Accesses[0].Executions = 8;
  EXPECT_THAT(small(K).What, Is("idle-sms"));
  K.Accesses[0].Executions.reset();
  EXPECT_THAT(small(K).What, Is("idle-sms"));
}

TEST(SmallGrid, OneBlockIsANote) {
  const std::vector<Finding> Found =
      runCheck("small-grid", launched({1, 1, 1}, {256, 1, 1}));
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Note);
}

TEST(SmallGrid, OneBlockIsMeantUnlessItHasMuchToDo) {
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  K.Traits.Blocks.SharesAmongBlocks = false;
  EXPECT_THAT(small(K).What, Is(""));
  Access A = makeAccess(K, MemorySpace::Global, 9, 4, [](auto L) { return L; });
  A.LoopDepth = 1;
  A.Block = {256, 1, 1};
  K.Accesses = {A};
  EXPECT_THAT(small(K).What, Is(""));
  K.Accesses[0].Executions = 8;
  EXPECT_THAT(small(K).What, Is("idle-sms"));
  // Of a long loop not all turns are looked at.
  K.Accesses[0].Executions.reset();
  K.Accesses[0].Predicted->MoreRequests = true;
  EXPECT_THAT(small(K).What, Is("idle-sms"));
}

TEST(SmallGrid, BlocksThatWorkTogetherKeepTheirSize) {
  KernelModel K = launched({8, 1, 1}, {256, 1, 1});
  K.Traits.Blocks.SharesAmongBlocks = false;
  K.Traits.Blocks.HasPartPerThread = true;
  const Phrase Remedy = small(K).Remedy;
  EXPECT_THAT(Remedy, Is("more-blocks"));
  EXPECT_THAT(inWords(Remedy), HasSubstr("smaller"));
  K.Barriers = 1;
  EXPECT_THAT(small(K).Remedy, Is("more-parts"));
}

/// `for (i = 0; i < Turns; ++i) sum += s[i];` in thread 0 of 256.
static KernelModel loneLoop(double Turns) {
  KernelModel K = makeKernel();
  K.Barriers = 1;
  Access A =
      makeAccess(K, MemorySpace::Shared, 9, 4, [](auto) { return 0; }, 1);
  A.Samples.assign(8, A.Samples.front());
  for (unsigned Turn = 0; Turn != 8; ++Turn)
    A.Samples[Turn].Offset[0] = 4 * Turn;
  A.Predicted->Requests = Turns;
  A.Predicted->Warps = 1;
  A.LoopDepth = 1;
  A.Place.Loop = 1;
  A.Source.Text = "s[i]";
  K.Accesses = {A};
  return K;
}
static Finding lone(const KernelModel &K) {
  return only(runCheck("lone-thread-loop", K));
}

TEST(LoneThreadLoop, CountsWhatATreeWouldTake) {
  const Finding F = lone(loneLoop(256));
  EXPECT_THAT(F.What,
              AllOf(Is("lone-thread"), Tells("access", "load of 's[i]'"),
                    Tells("turns", 256), Tells("idle_threads", 255)));
  EXPECT_THAT(F.Remedy, AllOf(Is("add-with-shuffles"), Tells("steps", 8),
                              Tells("values", 256)));
}

TEST(LoneThreadLoop, NoShufflesBeforeKepler) {
  KernelModel K = loneLoop(256);
  K.Gpu = *parseTarget("sm_20");
  EXPECT_THAT(lone(K).Remedy, AllOf(Is("add-in-tree"), Tells("steps", 8),
                                    Tells("values", 256)));
}

TEST(LoneThreadLoop, LongLoopsAreNotCountedToTheEnd) {
  KernelModel K = loneLoop(128);
  K.Accesses[0].Predicted->MoreRequests = true;
  const Finding F = lone(K);
  EXPECT_THAT(F.What, AllOf(Is("lone-thread"), Tells("turns", 128)));
  // The words alone tell that there may be more.
  EXPECT_THAT(inWords(F.What), HasSubstr("at least"));
  EXPECT_THAT(inWords(F.Remedy), HasSubstr("halves the values"));
}

TEST(LoneThreadLoop, AllThreadsMayRunTheLoop) {
  // for (d = 0; d < 64; ++d) { if (tid == 0) out[d] = s[0]; … s[tid] … }
  KernelModel K = loneLoop(64);
  EXPECT_THAT(lone(K).What, Is("lone-thread"));
  K.Accesses.push_back(
      makeAccess(K, MemorySpace::Shared, 7, 4, [](auto L) { return 4 * L; }));
  K.Accesses.back().Predicted->Requests = 64;
  EXPECT_THAT(lone(K).What, Is("lone-thread")); // In another loop.
  K.Accesses.back().Place.Loop = K.Accesses[0].Place.Loop;
  EXPECT_THAT(lone(K).What, Is(""));
  // One value in all turns is no sum of many.
  K = loneLoop(64);
  K.Accesses[0].Samples.resize(1);
  EXPECT_THAT(lone(K).What, Is(""));
}

TEST(LoneThreadLoop, CountsTheValuesOfTheSource) {
  // for (i = 0; i < 256; ++i) t += s[i]; as 64 loads of four floats each.
  KernelModel K = loneLoop(64);
  K.Accesses[0].Bytes = 16;
  K.Accesses[0].Source.Bytes = 4;
  const Finding F = lone(K);
  EXPECT_THAT(F.What, AllOf(Is("lone-thread"), Tells("turns", 64),
                            Tells("values", 256)));
  EXPECT_THAT(F.Remedy, AllOf(Tells("steps", 8), Tells("values", 256)));
}

TEST(LoneThreadLoop, ValuesThatStayApartAreNoSum) {
  // for (q = 0; q < n; ++q) s[q] += mine[q];
  KernelModel K = loneLoop(256);
  K.Accesses.push_back(K.Accesses[0]);
  K.Accesses[1].Op = AccessOp::Store;
  K.Accesses[1].Kind = RequestKind::Store;
  EXPECT_THAT(lone(K).Remedy, Is("spread-values"));
  for (Access &A : K.Accesses)
    A.Predicted->Requests = 16;
  EXPECT_THAT(lone(K).What, Is(""));
}

TEST(LoneThreadLoop, SilentWhereItIsSomethingElse) {
  EXPECT_THAT(lone(loneLoop(4)).What, Is("")); // As short as a tree.
  KernelModel K = loneLoop(256);
  K.Barriers = 0; // Nobody waits.
  EXPECT_THAT(lone(K).What, Is(""));
  K = loneLoop(256);
  K.Accesses[0].Predicted->Warps = 8; // One lane in each warp.
  EXPECT_THAT(lone(K).What, Is(""));
  K = loneLoop(256);
  K.Accesses[0].Block = {32, 1, 1}; // No other warp.
  EXPECT_THAT(lone(K).What, Is(""));
  K = loneLoop(256);
  K.Accesses[0].Predicted->Lanes = 32;
  EXPECT_THAT(lone(K).What, Is(""));
}

TEST(LoneThreadLoop, OneFindingForOneLoop) {
  KernelModel K = loneLoop(256);
  K.Accesses.push_back(K.Accesses[0]);
  K.Accesses[1].UserWhere.Line = 10;
  EXPECT_THAT(runCheck("lone-thread-loop", K), SizeIs(1));
}

} // namespace LaunchChecksTests
