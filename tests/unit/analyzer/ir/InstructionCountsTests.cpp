//===- tests/unit/analyzer/ir/InstructionCountsTests.cpp - By hand --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often instructions happen, worked out by hand.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/InstructionCounts.h"

#include <gtest/gtest.h>

namespace InstructionCountsTests {

using namespace cudalint;

using Code = std::vector<MachineInstruction>;

/// So many of one block, which begins at \p Block; in the loop that begins
/// there too, if \p IsLoop.
static Code block(std::uint64_t Block, unsigned Number, bool IsLoop,
                  bool InEachTurn) {
  Code Out;
  for (unsigned I = 0; I != Number; ++I) {
    MachineInstruction &Each = Out.emplace_back();
    Each.Offset = Block + 16 * I;
    Each.Block = Block;
    Each.IsInEachTurn = InEachTurn;
    if (IsLoop)
      Each.Loops = {Block};
  }
  return Out;
}
static Code loop(std::uint64_t Block, unsigned Number) {
  return block(Block, Number, true, true);
}
static Code branch(std::uint64_t Block, unsigned Number) {
  return block(Block, Number, false, false);
}
static Code always(std::uint64_t Block, unsigned Number) {
  return block(Block, Number, false, true);
}
static Code operator+(Code A, const Code &B) {
  A.insert(A.end(), B.begin(), B.end());
  return A;
}

TEST(InstructionCounts, WhatEachRunComesToHappensOnce) {
  const InstructionCounts Counts({});
  EXPECT_EQ(Counts.of(always(0, 3)), 3);
  EXPECT_EQ(Counts.of(branch(0, 1)), std::nullopt);
}

// Two loads in each turn of 6 of what the source has once in 12.
TEST(InstructionCounts, ALoopIsCountedByWhatIsInIt) {
  const InstructionCounts Counts({{loop(64, 2), 12}});
  EXPECT_EQ(Counts.of(loop(64, 1)), 6);
  EXPECT_EQ(Counts.of(loop(128, 1)), std::nullopt);
}

// 23 turns: one of the loop that has 16, none of 8, one of 4, and 3 alone.
TEST(InstructionCounts, TheLargestCopyOfALoopFirst) {
  const Code Sixteen = loop(64, 16), Eight = branch(1024, 8),
             Four = branch(2048, 4), One = loop(4096, 1);
  const InstructionCounts Counts({{Sixteen + Eight + Four + One, 23, {23}}},
                                 {1});
  EXPECT_EQ(Counts.of(Sixteen), 16);
  EXPECT_EQ(Counts.of(Eight), 0);
  EXPECT_EQ(Counts.of(Four), 4);
  EXPECT_EQ(Counts.of(One), 3);
  EXPECT_TRUE(Counts.isByOrder(One));
}

// Of four warps each makes one turn more than the one before it: four at once
// are made by the last, the rest by one alone. Of the mean, 2.5, nothing is
// known.
TEST(InstructionCounts, TheLargestCopyOfEachWarp) {
  const Code Four = loop(64, 4), One = loop(1024, 1);
  const std::vector<double> Quarters(4, 0.25);
  const InstructionCounts Counts({{Four + One, 2.5, {1, 2, 3, 4}}}, Quarters);
  EXPECT_EQ(Counts.of(Four), 1);
  EXPECT_EQ(Counts.of(One), 1.5);
  const InstructionCounts OfMean({{Four + One, 2.5}}, Quarters);
  EXPECT_EQ(OfMean.of(Four), std::nullopt);
}

// What is known of the rest is taken away, warp by warp.
TEST(InstructionCounts, WhatIsLeftOfEachWarp) {
  const Code Loop = loop(64, 1), Three = loop(1024, 3), One = loop(2048, 1);
  const InstructionCounts Counts(
      {{Loop, 2, {1, 3}}, {Loop + Three + One, 6, {2, 10}}}, {0.5, 0.5});
  EXPECT_EQ(Counts.of(Three), 3); // 0 and 2 turns of 3
  EXPECT_EQ(Counts.of(One), 1);   // 1 and 1
}

// Of branches none is the copy of another.
TEST(InstructionCounts, BranchesAreNoCopies) {
  const InstructionCounts Counts({{branch(64, 2) + branch(128, 1), 1}});
  EXPECT_EQ(Counts.of(branch(64, 1)), std::nullopt);
}

// A branch is taken once at most: three times is of something else.
TEST(InstructionCounts, ABranchIsTakenOnceAtMost) {
  const InstructionCounts Counts({{branch(64, 1), 3}});
  EXPECT_EQ(Counts.of(branch(64, 1)), std::nullopt);
}

// One function, called twice: the same offsets, and no contradiction.
TEST(InstructionCounts, EachCallOfAFunctionIsCountedAlone) {
  Code First = branch(64, 1), Second = branch(64, 1);
  First[0].Copy = 1;
  Second[0].Copy = 2;
  const InstructionCounts Branches({{First, 0.5}, {Second, 0.25}});
  EXPECT_EQ(Branches.of(First), 0.5);
  EXPECT_EQ(Branches.of(Second), 0.25);
  First = Second = loop(64, 1);
  First[0].Copy = First[0].CopyOfLoop = 1;
  Second[0].Copy = Second[0].CopyOfLoop = 2;
  const InstructionCounts Loops({{First, 4}, {Second, 200}});
  EXPECT_EQ(Loops.of(First), 4);
  EXPECT_EQ(Loops.of(Second), 200);
}

// Two calls in each turn of the caller's loop: both as often as it turns.
TEST(InstructionCounts, TheLoopOfTheCallerIsOne) {
  Code First = loop(64, 1), Second = loop(64, 1);
  First[0].Copy = 1;
  Second[0].Copy = 2;
  const InstructionCounts Counts({{First + Second, 12}});
  EXPECT_EQ(Counts.of(First), 6);
}

// Two lines say that the loop turns 5 times, one says 10.
TEST(InstructionCounts, MostOfWhatIsSaidIsRight) {
  const Code Loop = loop(64, 1);
  const InstructionCounts Counts({{Loop, 5}, {Loop + Loop, 20}, {Loop, 5}});
  EXPECT_EQ(Counts.of(Loop), 5);
  EXPECT_FALSE(Counts.isDisputed(Loop));
}

TEST(InstructionCounts, OneAgainstOneIsDisputed) {
  const Code Loop = loop(64, 1);
  const InstructionCounts Counts({{Loop, 5}, {Loop + Loop, 20}});
  EXPECT_EQ(Counts.of(Loop), std::nullopt);
  EXPECT_TRUE(Counts.isDisputed(Loop));
}

// Two of one block cannot be what one of two warps does once: one is another
// line's.
TEST(InstructionCounts, ARunDoesNothingByHalves) {
  const Code Block = branch(64, 2);
  InstructionSum Once = {Block, 0.5};
  Once.ByRun = {1, 0};
  const InstructionCounts Counts({Once}, {0.5, 0.5});
  EXPECT_EQ(Counts.of(Block), std::nullopt);
  EXPECT_TRUE(Counts.isDisputed(Block));
  Once.Executions = 1;
  Once.ByRun = {2, 0};
  EXPECT_EQ(InstructionCounts({Once}, {0.5, 0.5}).of(Block), 1);
}

// Many instructions that were given to the nearest line do not outvote one of
// its own.
TEST(InstructionCounts, GuessesCountOnlyWhereNothingElseDoes) {
  const Code Loop = loop(64, 1), Other = loop(1024, 1);
  InstructionSum Guess = {Loop, 264};
  Guess.IsGuess = true;
  const InstructionCounts Counts({Guess, Guess, {Loop, 33}});
  EXPECT_EQ(Counts.of(Loop), 33);
  Guess.Instructions = Other;
  EXPECT_EQ(InstructionCounts({Guess}).of(Other), 264);
}

// A guard is not that of its neighbours.
TEST(InstructionCounts, PredicatesAreOnTheirOwn) {
  Code Guarded = loop(64, 2);
  Guarded[1].Predicated = true;
  const InstructionCounts Counts({{{Guarded[0]}, 8}});
  EXPECT_EQ(Counts.of(Guarded[0]), 8);
  EXPECT_EQ(Counts.of(Guarded[1]), std::nullopt);
}

// A thousand loops, each known by the one before it: it comes to an end.
TEST(InstructionCounts, LongChainsEnd) {
  std::vector<InstructionSum> Sums = {{loop(0, 1), 3}};
  for (std::uint64_t L = 1; L != 1000; ++L)
    Sums.push_back({loop(1024 * (L - 1), 1) + loop(1024 * L, 1), 6});
  const InstructionCounts Counts(Sums);
  EXPECT_EQ(Counts.of(loop(1024, 1)), 3);
}

} // namespace InstructionCountsTests
