//===- tests/unit/analyzer/ir/ExecutionsTests.cpp - How often it runs -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often a warp of the launch makes a request. Expected values count the
/// requests of each warp by hand and divide by the warps of the block, which
/// are 8 where nothing else is said. What only the run decides has no value,
/// never a guess.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace ExecutionsTests {

using namespace cudalint;
using testing::Contains;
using testing::HasSubstr;

/// The access of a kernel with that body which is marked with `X`, or its only
/// store to global memory.
static Access marked(const std::string &Body, const Setting &S = {}) {
  const bool HasMark = Body.find("// X") != std::string::npos;
  const Evaluated E =
      evaluate("__device__ int Flag;\n"
               "__global__ void k(float *G, const int *a, int n) {\n"
               "  __shared__ float s[1024];\n"
               "  int t = threadIdx.x;\n" +
                   Body + "\n}\n",
               S);
  if (!HasMark)
    return E.globalStore();
  std::vector<Access> Found;
  for (MemorySpace Space : {MemorySpace::Global, MemorySpace::Shared})
    for (AccessOp Op : {AccessOp::Load, AccessOp::Store, AccessOp::Atomic})
      for (Access &A : E.all(Space, Op, "// X"))
        Found.push_back(std::move(A));
  EXPECT_EQ(Found.size(), 1u) << Body;
  return Found.empty() ? Access() : Found.front();
}

static testing::AssertionResult runs(const Access &A, double Times) {
  if (A.Executions && std::abs(*A.Executions - Times) < 1e-9 * Times)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << (A.Executions ? std::to_string(*A.Executions)
                          : "not counted: " + A.WhyNotCounted)
         << " instead of " << Times << ": " << toString(A);
}

static testing::AssertionResult isNotCounted(const Access &A,
                                             const std::string &Why) {
  if (!A.Executions && A.WhyNotCounted.find(Why) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << (A.Executions ? std::to_string(*A.Executions) + " times"
                          : A.WhyNotCounted)
         << " instead of: " << Why << "; " << toString(A);
}

static const std::string ByLoop = "only the run tells how often a loop";
static const std::string ByCondition = "a condition decides";

//===----------------------------------------------------------------------===//
// Known
//===----------------------------------------------------------------------===//

TEST(Executions, AStraightLineRunsOnce) {
  for (const std::array<std::int64_t, 3> Block :
       {std::array<std::int64_t, 3>{256, 1, 1},
        {32, 8, 1},
        {40, 1, 1},
        {1, 1, 1}})
    EXPECT_TRUE(runs(marked("G[t] = 1;", {.Block = Block}), 1));
}

TEST(Executions, ALoopRunsItsTurns) {
  EXPECT_TRUE(
      runs(marked("for (int j = 0; j < 5; ++j) G[t + 256 * j] = 1;"), 5));
  EXPECT_TRUE(
      runs(marked("for (int j = 100; j > 0; j -= 7) G[t + 256 * j] = 1;"), 15))
      << "100, 93 ... 2";
  EXPECT_TRUE(runs(marked("int j = 0; do G[t + j] = 1; while (++j < 3);"), 3));
}

TEST(Executions, NestedLoopsMultiply) {
  EXPECT_TRUE(runs(marked("for (int i = 0; i < 6; ++i)\n"
                          "  for (int j = 0; j < 7; ++j) G[t + i * j] = 1;"),
                   42));
  EXPECT_TRUE(runs(marked("for (int i = 0; i < 6; ++i) {\n"
                          "  G[t + i] = 1; // X\n"
                          "  for (int j = 0; j < 7; ++j) s[t + j] = i;\n"
                          "}\n"),
                   6));
}

// 7 + 6 + ... + 1.
TEST(Executions, ATriangleHasHalfOfASquare) {
  EXPECT_TRUE(runs(marked("for (int i = 0; i < 7; ++i)\n"
                          "  for (int j = i; j < 7; ++j) G[t + 8 * j] = 1;"),
                   28));
}

TEST(Executions, SomeOfTheWarps) {
  EXPECT_TRUE(runs(marked("if (t < 128) G[t] = 1;"), 0.5));
  // A warp of which one lane comes makes the request as well: 4 of them and
  // one more.
  EXPECT_TRUE(runs(marked("if (t < 129) G[t] = 1;"), 0.625));
  EXPECT_TRUE(runs(marked("if (t % 32 == 0) G[t] = 1;"), 1));
  EXPECT_TRUE(runs(marked("if (t == 77) G[t] = 1;"), 0.125));
  EXPECT_TRUE(runs(marked("if (t >= 64) return; G[t] = 1;"), 0.25));
  // 3 warps, the last with 4 threads: 2 of 3.
  EXPECT_TRUE(
      runs(marked("if (t < 64) G[t] = 1;", {.Block = {68, 1, 1}}), 2 / 3.0));
}

// 20 x 10 threads are 7 warps, no warp is a row. Of the last row of blocks,
// five rows of threads are inside: the first three warps, and of the fourth the
// last four threads of a row, which are outside in the last column of blocks,
// where 15 columns are inside. In all others, each warp has some lane inside.
TEST(Executions, BothBoundsOfAGridOfBlocksWhoseRowsAreNoWarps) {
  EXPECT_TRUE(
      runs(marked("int x = blockIdx.x * 20 + t;\n"
                  "int y = blockIdx.y * 10 + threadIdx.y;\n"
                  "if (x < 995 && y < 595) G[y * 995 + x] = 1;",
                  {.Block = {20, 10, 1}, .Grid = {50, 60, 1}}),
           (59 / 60.0 * 7 + 1 / 60.0 * (4 * 49 / 50.0 + 3 / 50.0)) / 7));
}

// What divides inside a warp is both sides of it; what divides between warps
// is one.
TEST(Executions, BothSidesOfABranch) {
  for (const auto &[Condition, First, Second] :
       {std::tuple("t % 2", 1.0, 1.0), std::tuple("t < 32", 0.125, 0.875)}) {
    const std::string If = "if (" + std::string(Condition) + ") ";
    EXPECT_TRUE(runs(marked(If + "G[t] = 1; // X\nelse s[t] = 1;"), First));
    EXPECT_TRUE(runs(marked(If + "s[t] = 1;\nelse G[t] = 1; // X"), Second));
  }
}

// The lane with the most turns keeps its warp in the loop: 32, 64 ... 256
// turns, whose mean is 144.
TEST(Executions, LanesThatLeaveEarlierDoNotCount) {
  EXPECT_TRUE(
      runs(marked("for (int j = 0; j <= t; ++j) G[t + 256 * j] = 1;"), 144));
}

// 990 = 3 * 256 + 222: the first 222 threads, which are in 7 warps, make a
// fourth turn: (7 * 4 + 3) / 8.
TEST(Executions, ABlockStridesOverWhatDoesNotDivide) {
  EXPECT_TRUE(
      runs(marked("for (int i = t; i < 990; i += 256) G[i] = 1;"), 3.875));
  EXPECT_TRUE(runs(marked("for (int i = t; i < n; i += 256) G[i] = 1;",
                          {.Arguments = {{}, {}, 990}}),
                   3.875));
}

// Warps 0 to 3 make 3 turns, 0, 8 and 16 of the first; the others 2.
TEST(Executions, WarpsStrideOverTheirShare) {
  EXPECT_TRUE(
      runs(marked("for (int j = t / 32; j < 20; j += 8) G[t + j] = 1;"), 2.5));
}

// 4, 13, 40, 121, 364 and 1093.
TEST(Executions, ACounterThatIsComputed) {
  EXPECT_TRUE(runs(
      marked("int q = 1; while (q < 1000) { q = q * 3 + 1; G[t + q] = 1; }"),
      6));
}

TEST(Executions, ASwitchOverLanesAndWarps) {
  EXPECT_TRUE(runs(marked("switch (t / 32) {\n"
                          "case 0: G[t] = 1; break;\n"
                          "case 3: s[t] = 1;\n"
                          "}"),
                   0.125));
  EXPECT_TRUE(runs(marked("switch (t & 3) {\n"
                          "case 0: G[t] = 1; break;\n"
                          "case 3: s[t] = 1;\n"
                          "}"),
                   1));
}

// Of each warp, lane 0 decides: of 0, 32, 64 ... two are below 64.
TEST(Executions, WhatAnotherLaneHasIsKnown) {
  EXPECT_TRUE(runs(marked("if (__shfl_sync(~0u, t, 0) < 64) G[t] = 1;"), 0.25));
}

// A reduction by halves: 4 warps at 128, 2 at 64, then one at 32, 16, 8, 4, 2
// and 1: 12 requests of 8 warps.
TEST(Executions, AReductionByHalves) {
  EXPECT_TRUE(runs(marked("for (int d = 128; d > 0; d /= 2)\n"
                          "  if (t < d)\n"
                          "    s[t] = 1; // X\n"),
                   1.5));
}

// 2, 4, 8 ... 256: 8 turns; in each, lanes of all warps: t % d == 0 is so in
// 8 warps up to 32, then in 4, 2 and 1.
TEST(Executions, AReductionByDoubling) {
  EXPECT_TRUE(runs(marked("for (int d = 2; d <= 256; d *= 2)\n"
                          "  if (t % d == 0)\n"
                          "    s[t] = 1; // X\n"),
                   (5 * 8 + 4 + 2 + 1) / 8.0));
}

TEST(Executions, ALongLoopIsCountedWhole) {
  for (std::int64_t Turns : {5'000, 100'000, 123'457})
    EXPECT_TRUE(runs(marked("for (int j = 0; j < " + std::to_string(Turns) +
                            "; ++j) G[t + 256 * j] = 1;"),
                     static_cast<double>(Turns)));
  // Lanes begin one behind the other; 7 of them make one turn more.
  EXPECT_TRUE(runs(marked("for (int i = t; i < n; i += 256) G[i] = 1;",
                          {.Arguments = {{}, {}, 256 * 100'000 + 7}}),
                   100'000 + 1 / 8.0));
}

// The first turns alone, which is proved; one among many, of which the turns
// that are looked at tell nothing.
TEST(Executions, ARareTurnOfALongLoop) {
  const auto inLongLoop = [](const std::string &Condition) {
    return marked("for (int j = 0; j < 100000; ++j) {\n"
                  "  if (j * j % 7 == 3) G[t + 32 * j + 4096] = 1;\n"
                  "  if (" +
                  Condition + ") G[t] = j; // X\n}");
  };
  EXPECT_TRUE(runs(inLongLoop("j < 3"), 3));
  const Access A = inLongLoop("j < 2 || j == 60000");
  EXPECT_FALSE(A.Executions) << *A.Executions;
  EXPECT_THAT(A.WhyNotCounted, testing::HasSubstr("hardly any of the turns"));
}

// Every third of 100,000 turns, and a square of 300 by 300: some turns stand
// for others, and each for as many as there are of its kind.
TEST(Executions, ALongLoopWithAConditionIsNearlyRight) {
  const Access A = marked("for (int j = 0; j < 100000; ++j)\n"
                          "  if (j % 3 == 0) G[t + 256 * j] = 1;");
  ASSERT_TRUE(A.Executions) << A.WhyNotCounted;
  EXPECT_NEAR(*A.Executions, 33'334, 333);
  const Access B = marked("for (int i = 0; i < 300; ++i)\n"
                          "  for (int j = 0; j < 300; ++j)\n"
                          "    G[t + i * 1024 + j * 32] = 1;");
  ASSERT_TRUE(B.Executions) << B.WhyNotCounted;
  EXPECT_NEAR(*B.Executions, 90'000, 900);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

// Block b makes b + 1 turns that cost more each time: 1 + 2 + ... + 8 of 8.
// The first turns of a long loop are looked at one by one, and of the others
// some: no turn of these comes to the store, though 2^6, 2^7 ... do.
TEST(Executions, TurnsThatNobodyLookedAtMayComeToItToo) {
  for (const char *Condition :
       {"(j & (j - 1)) == 0", "j == 0 || j == 7 || j == 200001"}) {
    const Access A =
        marked(std::string("for (int j = 0; j < 1000000; ++j)\n  if (") +
               Condition + ") s[(t * (j ? 32 : 1)) & 1023] = j; // X\n");
    EXPECT_NE(A.Trust, Certainty::Exact) << Condition;
    EXPECT_THAT(A.Assumptions,
                testing::Contains(testing::Field(
                    &Assumption::Text, testing::HasSubstr("stand for all"))))
        << Condition;
  }
}

TEST(Executions, TurnsByBlockAreCountedInEach) {
  EXPECT_TRUE(runs(marked("for (int j = 0; j <= blockIdx.x; ++j)\n"
                          "  G[t * (j + 1)] = 1;",
                          {.Grid = {8, 1, 1}}),
                   4.5));
}

// Of 1,000 blocks, some stand for all: 500.5 turns, and it says so.
TEST(Executions, OfALargeGridSomeBlocksStandForAll) {
  const Access A = marked("for (int j = 0; j <= blockIdx.x; ++j)\n"
                          "  G[t * (j + 1)] = 1;",
                          {.Block = {64, 1, 1}, .Grid = {1000, 1, 1}});
  ASSERT_TRUE(A.Executions) << A.WhyNotCounted;
  EXPECT_NEAR(*A.Executions, 500.5, 10);
  EXPECT_THAT(A.Assumptions, Contains(HasSubstr("blocks from all over")));
}

// 10 blocks of 256 threads, of which 2,400 pass: 9 whole blocks, and of the
// last one 96 threads, which are 3 warps.
TEST(Executions, ABoundIsMetInTheLastBlock) {
  EXPECT_TRUE(runs(marked("int i = blockIdx.x * 256 + t; if (i < n) G[i] = 1;",
                          {.Arguments = {{}, {}, 2400}, .Grid = {10, 1, 1}}),
                   (9 * 8 + 3) / 80.0));
}

// 10 blocks stride over 10,000: 3 whole turns of 2,560, and 2,320 are left,
// which are 9 blocks and 16 threads of the last: one warp.
TEST(Executions, AGridStridesOverWhatDoesNotDivide) {
  const Access A = marked("for (int i = blockIdx.x * 256 + t; i < n;\n"
                          "     i += 256 * gridDim.x) G[i] = 1; // X",
                          {.Arguments = {{}, {}, 10'000}, .Grid = {10, 1, 1}});
  EXPECT_TRUE(runs(A, 3 + (9 * 8 + 1) / 80.0));
}

// The same in blocks that are told apart by y, whatever x is: 1 + 2 + 3 + 4
// turns of 4 blocks.
TEST(Executions, TurnsByBlockAlongY) {
  for (const Extent &Grid : {Extent{3, 4, 1}, Extent{std::nullopt, 4, 1}})
    EXPECT_TRUE(runs(marked("for (int j = 0; j <= blockIdx.y; ++j)\n"
                            "  G[t * (j + 1)] = 1;",
                            {.Grid = Grid}),
                     2.5));
}

// Each turn costs the same, so that the blocks are not looked at one by one:
// nothing is better than the turns of some block.
TEST(Executions, TurnsByBlockThatAreAlikeAreNotGuessed) {
  for (const Extent &Grid : {Extent{}, Extent{8, 1, 1}}) {
    const Access A = marked("for (int j = 0; j <= blockIdx.x; ++j)\n"
                            "  G[t + 256 * j] = 1;",
                            {.Grid = Grid});
    EXPECT_TRUE(!A.Executions || (Grid[0] && runs(A, 4.5)));
  }
}

// 100 threads of the first of 4 blocks, which are in 4 of 32 warps; and in each
// block, thread b of the first warp: one of 8.
TEST(Executions, ThreadsByBlock) {
  EXPECT_TRUE(runs(
      marked("if (blockIdx.x * 256 + t < 100) G[t] = 1;", {.Grid = {4, 1, 1}}),
      0.125));
  EXPECT_TRUE(runs(
      marked("if (t == blockIdx.x) G[t] = 1;", {.Grid = {4, 1, 1}}), 0.125));
  EXPECT_TRUE(
      isNotCounted(marked("if (t == blockIdx.x) G[t] = 1;"), ByCondition));
}

// One block in four.
TEST(Executions, OneBlockIsNotAll) {
  EXPECT_TRUE(runs(
      marked("if (blockIdx.x == 0) G[t] = 1;", {.Grid = {4, 1, 1}}), 0.25));
  EXPECT_TRUE(
      isNotCounted(marked("if (blockIdx.x == 0) G[t] = 1;"), ByCondition));
}

//===----------------------------------------------------------------------===//
// Not known
//===----------------------------------------------------------------------===//

TEST(Executions, ABoundOfTheRunIsNotCounted) {
  for (const char *Loop : {
           "for (int i = t; i < n; i += 256) G[i] = 1;",
           "for (int j = 0; j < n; ++j) G[t + 256 * j] = 1;",
           "for (int j = 0; j < a[0]; ++j) G[t + 256 * j] = 1;",
           "for (int j = n; j > 0; j /= 2) G[t + 256 * j] = 1;",
           // The inner one is known, and the outer one is not.
           "for (int i = 0; i < n; ++i)\n"
           "  for (int j = 0; j < 4; ++j) G[t + 256 * j] = 1;",
       })
    EXPECT_TRUE(isNotCounted(marked(Loop), ByLoop)) << Loop;
}

// The counter is known in each turn, the bound is not.
TEST(Executions, DoublingUpToABoundOfTheRunIsNotCounted) {
  const Access A = marked("for (int d = 1; d < n; d *= 2)\n"
                          "  s[t + d] = 1; // X\n");
  EXPECT_FALSE(A.Executions) << *A.Executions;
  EXPECT_THAT(A.WhyNotCounted, HasSubstr("loop"));
}

// What follows a loop that is not counted, and what is around it, is.
TEST(Executions, AroundALoopThatIsNotCounted) {
  EXPECT_TRUE(runs(marked("float Sum = 0;\n"
                          "for (int j = 0; j < n; ++j) Sum += s[t + j];\n"
                          "G[t] = Sum;"),
                   1));
  EXPECT_TRUE(runs(marked("for (int i = 0; i < 4; ++i) {\n"
                          "  float Sum = 0;\n"
                          "  for (int j = 0; j < n; ++j) Sum += s[t + j];\n"
                          "  G[t + i] = Sum;\n"
                          "}\n"),
                   4));
  EXPECT_TRUE(runs(marked("float Sum = 0;\n"
                          "while (a[t] > Sum) Sum += 1;\n"
                          "G[t] = Sum;"),
                   1));
}

TEST(Executions, AConditionOnDataIsNotCounted) {
  for (const char *Body : {
           "if (a[t] > 0) G[t] = 1;",
           "if (a[t] > 0) return; G[t] = 1;",
           "for (int j = 0; j < 4; ++j) if (a[t + j]) G[t + j] = 1;",
           "for (int j = 0; j < 4; ++j) {\n"
           "  if (a[t + j]) break;\n"
           "  G[t + j] = 1;\n"
           "}",
           "for (int j = 0; j < 4; ++j) if (a[t + j]) return;\n"
           "G[t] = 1;",
           "for (int j = 0; j < 100000; ++j) if (a[j]) G[t + 256 * j] = 1;",
           "if (__shfl_sync(~0u, a[t], 0) < 64) G[t] = 1;",
       })
    EXPECT_TRUE(isNotCounted(marked(Body), ByCondition)) << Body;
}

// All warps do it or none: data or an argument that is the same for all.
TEST(Executions, AConditionThatIsOneForAllIsNotCounted) {
  for (const char *Body : {
           "if (n) G[t] = 1;",
           "if (n > 7 && t < 32) G[t] = 1;",
           "if (t < n) G[t] = 1;",
           "for (int j = 0; j < 10; ++j) if (j == n) G[t] = 1;",
           "if (a[0]) G[t] = 1;",
           "if (Flag) return; G[t] = 1;",
           "switch (n) { case 1: s[t] = 1; break; case 2: G[t] = 1; }",
       })
    EXPECT_TRUE(isNotCounted(marked(Body), ByCondition)) << Body;
  EXPECT_TRUE(runs(marked("if (n) G[t] = 1;", {.Arguments = {{}, {}, 1}}), 1));
}

// A null pointer decides what is asked of it, and is an array otherwise. One
// that is somewhere in an allocation is not null.
TEST(Executions, NullPointersAreKnown) {
  const Setting Null = {.Nulls = {1}}, Moved = {.Offsets = {{1, 8}}};
  for (const char *Asked : {"a != nullptr", "a", "!(a == nullptr)"}) {
    const std::string If = std::string("if (") + Asked + ") ";
    EXPECT_TRUE(isNotCounted(marked(If + "G[t] = 1;"), ByCondition)) << Asked;
    EXPECT_TRUE(runs(marked(If + "G[t] = 1;", Moved), 1)) << Asked;
    EXPECT_TRUE(runs(marked(If + "s[t] = 1;\nelse G[t] = 1;", Null), 1))
        << Asked;
  }
  EXPECT_TRUE(isNotCounted(marked("if (n) G[t] = a[t];", Null), ByCondition));
}

// Some lane comes for sure, and which others is all that data decides.
TEST(Executions, WhereOneLaneIsSureTheWarpIs) {
  EXPECT_TRUE(runs(marked("if (t % 32 == 0 || a[t]) G[t] = 1;"), 1));
}

// The branches meet again.
TEST(Executions, AfterAConditionOnDataItIsCounted) {
  EXPECT_TRUE(runs(marked("if (a[t]) s[t] = 1;\nG[t] = 1;"), 1));
  EXPECT_TRUE(runs(marked("if (n) s[t] = 1;\nG[t] = 1;"), 1));
  for (const char *Condition : {"a[t + j]", "a[0]", "n == 3"})
    EXPECT_TRUE(runs(marked("for (int j = 0; j < 8; ++j) {\n  if (" +
                            std::string(Condition) +
                            ") break;\n  s[t] = 1;\n}\nG[t] = 1;"),
                     1))
        << Condition;
}

// The loop around it turns as often as it does.
TEST(Executions, ALoopThatDataEndsIsNotCounted) {
  const Access A = marked("int j = 0;\n"
                          "while (a[t + 256 * j]) { G[t] = j; ++j; }");
  EXPECT_FALSE(A.Executions) << *A.Executions;
  EXPECT_FALSE(A.WhyNotCounted.empty());
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

TEST(Executions, AtomicsAreCounted) {
  EXPECT_TRUE(runs(marked("for (int j = 0; j < 3; ++j)\n"
                          "  if (t < 64)\n"
                          "    atomicAdd(G + t, 1.0f); // X\n"),
                   0.75));
  EXPECT_TRUE(runs(marked("atomicAdd((int *)s + t, 1); // X\n"), 1));
}

// A loop that compares and swaps, of which nobody knows the turns.
TEST(Executions, ALoopOfAnAtomicIsNot) {
  const Access A = marked("atomicAdd(s + t, 1.0f); // X\n");
  EXPECT_EQ(A.Executions, std::nullopt);
  EXPECT_THAT(A.WhyNotCounted, testing::HasSubstr("how often its loop turns"));
}

// Where it goes is not known, how often is.
TEST(Executions, AnUnknownAddressIsCounted) {
  const Access A = marked("for (int j = 0; j < 6; ++j)\n"
                          "  if (t < 128) G[a[t + j]] = 1;");
  EXPECT_EQ(A.Trust, Certainty::Unknown) << toString(A);
  EXPECT_TRUE(runs(A, 3));
}

TEST(Executions, ConstantMemory) {
  const Evaluated E = evaluate("__constant__ float c[64];\n"
                               "__global__ void k(float *G) {\n"
                               "  int t = threadIdx.x;\n"
                               "  for (int j = 0; j < 6; ++j)\n"
                               "    G[t + 256 * j] = c[t % 64];\n"
                               "}\n");
  const Access A = E.only(MemorySpace::Constant, AccessOp::Load);
  EXPECT_TRUE(runs(A, 6));
}

TEST(Executions, WiderAndPrivateAccesses) {
  EXPECT_TRUE(runs(marked("for (int j = 0; j < 6; ++j)\n"
                          "  ((float4 *)G)[t + 256 * j] = float4{}; // X\n"),
                   6));
  const Evaluated E =
      evaluate("__global__ void k(float *G, int n) {\n"
               "  float p[64];\n"
               "  for (int j = 0; j < 6; ++j) p[(j * n) & 63] = n; // X\n"
               "  G[threadIdx.x] = p[n & 63];\n"
               "}\n");
  EXPECT_TRUE(runs(E.only(MemorySpace::Local, AccessOp::Store, "// X"), 6));
}

// The same index is below a multiple of the size elsewhere: few threads are
// below the size itself. Unless that is what each of them goes on to.
TEST(SmallBounds, AreThoseOfFewThreads) {
  const auto ofFew = [](const std::string &Body) {
    const Evaluated E =
        evaluate("__global__ void k(float *o, const float *a, int n, int m) {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                 Body + "\n}\n");
    unsigned Few = 0;
    for (const Access &A : E.Kernel.Accesses)
      Few += A.IsOfFewThreads;
    return Few;
  };
  EXPECT_EQ(ofFew("if (i < n * m) o[i] = 1;\nif (i < n) o[i] = a[2 * i];"), 2u);
  EXPECT_EQ(ofFew("if (i < n)\n"
                  "  for (int j = i; j < n * m; j += n) o[j] = a[j];"),
            0u);
  EXPECT_EQ(ofFew("if (i < n) o[i] = a[i];\nif (i < m) o[i] = 1;"), 0u);
}

} // namespace ExecutionsTests
