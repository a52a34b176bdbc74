//===- tests/unit/analyzer/checks/LaunchChecksTests.cpp - Launches --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
  return K;
}

/// The message of the only finding; empty when there is none.
static std::string only(const std::vector<Finding> &Found) {
  EXPECT_LE(Found.size(), 1u);
  return Found.empty() ? std::string() : messageOf(Found.front());
}
static std::string invalid(const KernelModel &K) {
  return only(runCheck("invalid-launch", K));
}
static std::string memory(const KernelModel &K) {
  return only(runCheck("shared-memory-limits", K));
}
static std::string partial(const KernelModel &K) {
  return only(runCheck("partial-warp-block", K));
}
static std::string small(const KernelModel &K) {
  return only(runCheck("small-grid", K));
}

TEST(InvalidLaunch, SilentWithinTheLimits) {
  EXPECT_EQ(invalid(launched({2147483647, 65535, 65535}, {1024, 1, 1})), "");
  EXPECT_EQ(invalid(launched({1, 1, 1}, {4, 4, 64})), "");
}

TEST(InvalidLaunch, SilentAboutWhatIsNotKnown) {
  EXPECT_EQ(invalid(launched({std::nullopt, 1, 1}, {std::nullopt, 1, 1})), "");
}

TEST(InvalidLaunch, TooManyThreads) {
  EXPECT_EQ(invalid(launched({1, 1, 1}, {33, 32, 1})),
            "launch of 'k()' fails on h200: a block of 33x32 has 1056 threads, "
            "the limit is 1024");
  const std::vector<Finding> Found =
      runCheck("invalid-launch", launched({1, 1, 1}, {33, 32, 1}));
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Error);
  EXPECT_EQ(Found[0].Where, (Location{"a.cu", 90, 3}));
}

TEST(InvalidLaunch, AnUnknownDimensionIsAtLeastOne) {
  EXPECT_THAT(invalid(launched({1, 1, 1}, {64, 32, std::nullopt})),
              HasSubstr("a block of 64x32x? has 2048 threads"));
}

TEST(InvalidLaunch, LimitsOfTheFirstGenerations) {
  // 1.x: 512 threads a block and flat grids.
  EXPECT_THAT(invalid(launched({1, 1, 1}, {1024, 1, 1}, "sm_13")),
              HasSubstr("the limit is 512"));
  EXPECT_THAT(invalid(launched({1, 1, 2}, {64, 1, 1}, "sm_13")),
              HasSubstr("grid.z is 2, the limit is 1"));
  EXPECT_THAT(invalid(launched({65536, 1, 1}, {64, 1, 1}, "sm_20")),
              HasSubstr("grid.x is 65536, the limit is 65535"));
  EXPECT_EQ(invalid(launched({65536, 1, 1}, {64, 1, 1}, "sm_30")), "");
}

TEST(InvalidLaunch, Dimensions) {
  EXPECT_THAT(invalid(launched({1, 1, 1}, {1, 1, 65})),
              HasSubstr("block.z is 65, the limit is 64"));
  EXPECT_THAT(invalid(launched({1, 65536, 1}, {1, 1, 1})),
              HasSubstr("grid.y is 65536, the limit is 65535"));
  EXPECT_THAT(invalid(launched({1, 1, 1}, {0, 1, 1})),
              HasSubstr("block.x is 0, at least 1 is needed"));
  EXPECT_THAT(invalid(launched({-1, 1, 1}, {1, 1, 1})),
              HasSubstr("grid.x is -1"));
}

TEST(InvalidLaunch, LaunchBounds) {
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  K.Declaration.MaxThreads = 128;
  EXPECT_THAT(invalid(K), HasSubstr("__launch_bounds__ promise at most 128"));
  K.Declaration.MaxThreads = 256;
  EXPECT_EQ(invalid(K), "");
}

TEST(InvalidLaunch, NegativeSharedMemory) {
  KernelModel K = launched({5, 1, 1}, {64, 1, 1});
  K.Launches[0].DynamicSharedBytes = -16;
  // 2^64 - 16
  EXPECT_THAT(invalid(K), HasSubstr("dynamic shared memory of -16 bytes is "
                                    "18446744073709551600 as the size_t"));
  EXPECT_EQ(memory(K), ""); // Said once.
}

TEST(InvalidLaunch, CooperativeBlocksMustAllBeResident) {
  // 2048 threads of an SM are 4 blocks of 512; the H200 has 132 SMs.
  KernelModel K = launched({529, 1, 1}, {512, 1, 1});
  EXPECT_EQ(invalid(K), "");
  K.Launches[0].Cooperative = true;
  EXPECT_THAT(invalid(K),
              AllOf(HasSubstr("a cooperative launch of 529 blocks, of which at "
                              "most 528 can be resident at once (4 on each of "
                              "132 SMs)"),
                    HasSubstr("720 (cudaErrorCooperativeLaunchTooLarge)")));
  K.Launches[0].Grid[0] = 528;
  EXPECT_EQ(invalid(K), "");
  // 64 registers for 512 threads are half of the 65536: two blocks.
  K.StaticSharedBytes = 0;
  K.Resources = ResourceRecord{.Registers = 64, .Source = "user"};
  EXPECT_THAT(invalid(K), HasSubstr("of which 264 can be resident at once"));
  // The program asks for the limit itself.
  K.Launches[0].CheckedSizes = {528};
  EXPECT_EQ(invalid(K), "");
  // An architecture has no number of SMs.
  K.Launches[0].CheckedSizes = {};
  K.Gpu.SMs = std::nullopt;
  EXPECT_EQ(invalid(K), "");
}

TEST(InvalidLaunch, ClustersAreWhole) {
  KernelModel K = launched({1001, 6, 1}, {256, 1, 1});
  EXPECT_EQ(invalid(K), "");
  K.Declaration.ClusterSize = {2, 3, 1};
  EXPECT_THAT(invalid(K), HasSubstr("grid.x is 1001, no multiple of the 2 "
                                    "blocks of its __cluster_dims__"));
  K.Launches[0].Grid = {1000, 7, 1};
  EXPECT_THAT(invalid(K), HasSubstr("grid.y is 7, no multiple of the 3"));
  K.Launches[0].Grid = {1000, 6, std::nullopt};
  EXPECT_EQ(invalid(K), "");
}

TEST(InvalidLaunch, AssumedShapesCannotFail) {
  KernelModel K = launched({1, 1, 1}, {2048, 1, 1});
  K.Launches[0].Source = LaunchSource::Assumed;
  EXPECT_EQ(invalid(K), "");
}

TEST(SharedMemoryLimits, SharedMemoryNeedsItsOptIn) {
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  K.StaticSharedBytes = 1024;
  K.Launches[0].DynamicSharedBytes = 48 * 1024;
  const std::vector<Finding> Found = runCheck("shared-memory-limits", K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(messageOf(Found[0]),
              AllOf(HasSubstr("asks for 50176 bytes of shared memory, 1024 of "
                              "them static, the limit is 49152 unless"),
                    HasSubstr("up to 232448"))); // 227 KB on 9.0
  EXPECT_EQ(Found[0].Trust, Certainty::Assumed);
  K.Launches[0].SharedMemoryOptIn = true;
  EXPECT_EQ(memory(K), "");
  K.Launches[0].DynamicSharedBytes = 228 * 1024;
  EXPECT_THAT(memory(K), HasSubstr("the limit is 232448"));
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
  EXPECT_THAT(messageOf(Found[0]),
              HasSubstr("asks for 102400 bytes of dynamic shared memory, and "
                        "cudaFuncSetAttribute (line 8) allows 65536"));
  K.Launches[0].Raised->MayBeMore = true;
  EXPECT_EQ(runCheck("shared-memory-limits", K).at(0).Trust,
            Certainty::Assumed);
  K.Launches[0].Raised->Bytes = 100 * 1024;
  EXPECT_EQ(memory(K), "");
}

TEST(SharedMemoryLimits, AnOptInMustComeFirst) {
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  K.Launches[0].DynamicSharedBytes = 100 * 1024;
  K.Launches[0].SharedMemoryOptIn = true;
  K.Launches[0].Raised = SharedMemoryRaise{100 * 1024, true, {"a.cu", 9, 3}};
  EXPECT_THAT(memory(K), AllOf(HasSubstr("49152 are the limit until"),
                               HasSubstr("only after this launch (line 9)")));
  // What needs none has all the time.
  K.Launches[0].DynamicSharedBytes = 48 * 1024;
  EXPECT_EQ(memory(K), "");
}

TEST(SharedMemoryLimits, StaticSharedMemoryNeverFits) {
  KernelModel K = makeKernel();
  K.StaticSharedBytes = 65536;
  EXPECT_THAT(memory(K), HasSubstr("65536 bytes of static shared memory, the "
                                   "limit is 49152"));
}

TEST(SharedMemoryLimits, TheCompilersFigureComesFirst) {
  KernelModel K = makeKernel();
  K.StaticSharedBytes = 65536;
  K.Resources = ResourceRecord{.SharedBytes = 1024, .Source = "nvcc"};
  EXPECT_EQ(memory(K), "");
}

TEST(PartialWarpBlock, SilentWhereWarpsAreFull) {
  EXPECT_EQ(partial(launched({64, 1, 1}, {256, 1, 1})), "");
  EXPECT_EQ(partial(launched({64, 1, 1}, {16, 16, 1})), "");
  EXPECT_EQ(partial(launched({64, 1, 1}, {24, 4, 1})), ""); // 96 is 3 warps.
}

TEST(PartialWarpBlock, SilentForSerialCodeAndTheUnknown) {
  EXPECT_EQ(partial(launched({1, 1, 1}, {1, 1, 1})), "");
  EXPECT_EQ(partial(launched({64, 1, 1}, {std::nullopt, 3, 1})), "");
}

TEST(PartialWarpBlock, SilentWhereTheLaunchFails) {
  KernelModel K = launched({64, 1, 1}, {100, 1, 1});
  EXPECT_NE(partial(K), "");
  K.Launches[0].DynamicSharedBytes = -1;
  EXPECT_EQ(partial(K), "");
  EXPECT_EQ(partial(launched({0, 1, 1}, {100, 1, 1})), "");
  KernelModel Bounded = launched({64, 1, 1}, {100, 1, 1});
  Bounded.Declaration.MaxThreads = 64;
  EXPECT_EQ(partial(Bounded), "");
}

TEST(PartialWarpBlock, SmallerThanAWarp) {
  EXPECT_EQ(partial(launched({64, 1, 1}, {8, 1, 1})),
            "block of 8 threads is smaller than a warp: 24 of its 32 lanes "
            "never work (75 %); use at least 32 threads, and "
            "let the kernel work with as many");
}

TEST(PartialWarpBlock, LastWarpNotFull) {
  EXPECT_EQ(partial(launched({64, 1, 1}, {10, 10, 1})),
            "block of 10x10 (100 threads) fills 3 of 4 warps: 28 of 128 lanes "
            "never work (21.9 %); use 96 or 128 threads, and let the kernel "
            "work with as many");
  EXPECT_THAT(partial(launched({64, 1, 1}, {1000, 1, 1})),
              HasSubstr("use 992 or 1024 threads"));
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
  EXPECT_THAT(messageOf(Found[0]), HasSubstr("fills 21 of 22 warps"));
  EXPECT_THAT(messageOf(Found[0]), HasSubstr("use 672 or 704 threads"));
  EXPECT_EQ(Found[0].Level, Severity::Note);
}

TEST(SmallGrid, SilentWhereAllSMsWork) {
  EXPECT_EQ(small(launched({132, 1, 1}, {256, 1, 1})), "");
  EXPECT_EQ(small(launched({2, 66, 1}, {256, 1, 1})), "");
  EXPECT_EQ(small(launched({std::nullopt, 1, 1}, {256, 1, 1})), "");
  EXPECT_EQ(small(launched({1, 1, 1}, {32, 1, 1})), "");
}

TEST(SmallGrid, ALaunchThatFailsLeavesNoSMsIdle) {
  EXPECT_EQ(small(launched({9, 1, 1}, {2048, 1, 1})), "");
  EXPECT_EQ(small(launched({8, 1, 1}, {1, 1, 128})), "");
  // Nor does it show that the other one's grid is meant.
  KernelModel K = launched({8, 1, 1}, {256, 1, 1});
  K.Launches.push_back(makeLaunch({1000, 1, 1}, {2048, 1, 1}));
  EXPECT_NE(small(K), "");
}

TEST(SmallGrid, SilentWhereTheSMsAreNotKnown) {
  EXPECT_EQ(small(launched({8, 1, 1}, {256, 1, 1}, "sm_90")), "");
}

TEST(SmallGrid, CountsIdleSMs) {
  EXPECT_EQ(small(launched({8, 1, 1}, {256, 1, 1})),
            "grid of 8 blocks leaves 124 of the 132 SMs of h200 without work: "
            "they run on at most 8 SMs; use more, smaller blocks, or give each "
            "less to do");
  // 28 SMs: the card of the experiments.
  EXPECT_THAT(small(launched({2, 8, 1}, {64, 1, 1}, "gtx-1080-ti")),
              HasSubstr("leaves 12 of the 28 SMs"));
  EXPECT_EQ(small(launched({28, 1, 1}, {64, 1, 1}, "gtx-1080-ti")), "");
}

TEST(SmallGrid, GridsOfOneLaunchAreToldTogether) {
  // for (n = 1; n <= 64; n *= 2) k<<<n, 256>>>();
  KernelModel K = launched({1, 1, 1}, {256, 1, 1});
  for (std::int64_t Blocks = 2; Blocks <= 64; Blocks *= 2)
    K.Launches.push_back(makeLaunch({Blocks, 1, 1}, {256, 1, 1}));
  EXPECT_EQ(small(K),
            "grids of 1 to 64 blocks (7 sizes) leave 68 to 131 of the "
            "132 SMs of h200 without work; use more, smaller blocks, "
            "or give each less to do");
  K.Launches.back().Where.Line = 91;
  EXPECT_THAT(runCheck("small-grid", K), SizeIs(2));
}

TEST(SmallGrid, SaysNothingOfFewSMsOrLittleWork) {
  EXPECT_EQ(small(launched({99, 1, 1}, {256, 1, 1})), "");
  EXPECT_NE(small(launched({98, 1, 1}, {256, 1, 1})), "");
  // An element for each thread.
  KernelModel K = launched({8, 1, 1}, {256, 1, 1});
  K.Traits.HasLongLoops = false;
  EXPECT_EQ(small(K), "");
  // Or a few for each.
  K.Traits.HasLongLoops = true;
  Access A = makeAccess(K, MemorySpace::Global, 9, 4, [](auto L) { return L; });
  A.LoopDepth = 1;
  A.Executions = 7;
  K.Accesses = {A};
  EXPECT_EQ(small(K), "");
  K.Accesses[0].Executions = 8;
  EXPECT_NE(small(K), "");
  K.Accesses[0].Executions.reset();
  EXPECT_NE(small(K), "");
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
  EXPECT_EQ(small(K), "");
  Access A = makeAccess(K, MemorySpace::Global, 9, 4, [](auto L) { return L; });
  A.LoopDepth = 1;
  A.Block = {256, 1, 1};
  K.Accesses = {A};
  EXPECT_EQ(small(K), "");
  K.Accesses[0].Executions = 8;
  EXPECT_NE(small(K), "");
  // Of a long loop not all turns are looked at.
  K.Accesses[0].Executions.reset();
  K.Accesses[0].Predicted->MoreRequests = true;
  EXPECT_NE(small(K), "");
}

TEST(SmallGrid, BlocksThatWorkTogetherKeepTheirSize) {
  KernelModel K = launched({8, 1, 1}, {256, 1, 1});
  K.Traits.Blocks.SharesAmongBlocks = false;
  K.Traits.Blocks.HasPartPerThread = true;
  EXPECT_THAT(small(K), HasSubstr("use more, smaller blocks"));
  K.Barriers = 1;
  EXPECT_THAT(small(K), HasSubstr("divide the work into more parts"));
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
static std::string lone(const KernelModel &K) {
  return only(runCheck("lone-thread-loop", K));
}

TEST(LoneThreadLoop, CountsWhatATreeWouldTake) {
  EXPECT_EQ(lone(loneLoop(256)),
            "load of 's[i]' runs 256 times in one thread while the other 255 "
            "threads of the block have nothing to do; if it is a sum, add with "
            "shuffles in "
            "each warp, then one value of each warp; a tree in shared memory, "
            "8 steps for 256 values, can take longer than the loop when many "
            "blocks run");
}

TEST(LoneThreadLoop, NoShufflesBeforeKepler) {
  KernelModel K = loneLoop(256);
  K.Gpu = *parseTarget("sm_20");
  EXPECT_THAT(lone(K), AllOf(HasSubstr("add in a tree, 8 steps for 256 values"),
                             Not(HasSubstr("shuffle"))));
}

TEST(LoneThreadLoop, LongLoopsAreNotCountedToTheEnd) {
  KernelModel K = loneLoop(128);
  K.Accesses[0].Predicted->MoreRequests = true;
  EXPECT_THAT(lone(K), AllOf(HasSubstr("runs at least 128 times"),
                             HasSubstr("halves the values in each step")));
}

TEST(LoneThreadLoop, AllThreadsMayRunTheLoop) {
  // for (d = 0; d < 64; ++d) { if (tid == 0) out[d] = s[0]; … s[tid] … }
  KernelModel K = loneLoop(64);
  EXPECT_NE(lone(K), "");
  K.Accesses.push_back(
      makeAccess(K, MemorySpace::Shared, 7, 4, [](auto L) { return 4 * L; }));
  K.Accesses.back().Predicted->Requests = 64;
  EXPECT_NE(lone(K), ""); // In another loop.
  K.Accesses.back().Place.Loop = K.Accesses[0].Place.Loop;
  EXPECT_EQ(lone(K), "");
  // One value in all turns is no sum of many.
  K = loneLoop(64);
  K.Accesses[0].Samples.resize(1);
  EXPECT_EQ(lone(K), "");
}

TEST(LoneThreadLoop, CountsTheValuesOfTheSource) {
  // for (i = 0; i < 256; ++i) t += s[i]; as 64 loads of four floats each.
  KernelModel K = loneLoop(64);
  K.Accesses[0].Bytes = 16;
  K.Accesses[0].Source.Bytes = 4;
  EXPECT_THAT(lone(K), AllOf(HasSubstr("runs 256 times in one thread"),
                             HasSubstr("8 steps for 256 values")));
}

TEST(LoneThreadLoop, ValuesThatStayApartAreNoSum) {
  // for (q = 0; q < n; ++q) s[q] += mine[q];
  KernelModel K = loneLoop(256);
  K.Accesses.push_back(K.Accesses[0]);
  K.Accesses[1].Op = AccessOp::Store;
  K.Accesses[1].Kind = RequestKind::Store;
  EXPECT_THAT(lone(K), AllOf(HasSubstr("let each value be some thread's own"),
                             Not(HasSubstr("shuffles"))));
  for (Access &A : K.Accesses)
    A.Predicted->Requests = 16;
  EXPECT_EQ(lone(K), "");
}

TEST(LoneThreadLoop, SilentWhereItIsSomethingElse) {
  EXPECT_EQ(lone(loneLoop(4)), ""); // As short as a tree.
  KernelModel K = loneLoop(256);
  K.Barriers = 0; // Nobody waits.
  EXPECT_EQ(lone(K), "");
  K = loneLoop(256);
  K.Accesses[0].Predicted->Warps = 8; // One lane in each warp.
  EXPECT_EQ(lone(K), "");
  K = loneLoop(256);
  K.Accesses[0].Block = {32, 1, 1}; // No other warp.
  EXPECT_EQ(lone(K), "");
  K = loneLoop(256);
  K.Accesses[0].Predicted->Lanes = 32;
  EXPECT_EQ(lone(K), "");
}

TEST(LoneThreadLoop, OneFindingForOneLoop) {
  KernelModel K = loneLoop(256);
  K.Accesses.push_back(K.Accesses[0]);
  K.Accesses[1].UserWhere.Line = 10;
  EXPECT_THAT(runCheck("lone-thread-loop", K), SizeIs(1));
}

} // namespace LaunchChecksTests
