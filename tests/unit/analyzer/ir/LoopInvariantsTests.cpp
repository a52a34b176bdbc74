//===- tests/unit/analyzer/ir/LoopInvariantsTests.cpp - Out of the loop ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expected are the loads of `x[i] += a[j] * b[j]` as a compiler writes them
/// out: two that vary in each turn, and of `x` one in each turn, one for all,
/// or none.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LoopInvariants.h"

#include <gtest/gtest.h>

namespace LoopInvariantsTests {

using namespace cudalint;

using enum InvariantCode;

/// So many instructions outside of the loop, and so many in it.
static std::vector<unsigned> depths(unsigned Outside, unsigned Inside,
                                    unsigned Depth = 1) {
  std::vector<unsigned> Result(Outside, Depth - 1);
  Result.insert(Result.end(), Inside, Depth);
  return Result;
}

static LoopGroup group(unsigned Varying, unsigned Invariant, unsigned Outside,
                       unsigned Inside) {
  return {.Varying = Varying,
          .Invariant = Invariant,
          .Depths = depths(Outside, Inside)};
}

static LoopCode turns(std::set<unsigned> Turns) {
  return {.Turns = std::move(Turns), .PerhapsTurns = {}, .Depth = 1};
}

// 29 turns are written out.
TEST(LoopInvariants, TheNumberOfLoadsTells) {
  const LoopCode Loop = turns({29});
  struct {
    unsigned Outside, Inside;
    InvariantCode Code;
  } Cases[] = {
      {0, 58, Never},    // of a and b
      {29, 29, Never},   // the same, if some turns are written out before it
      {1, 58, Once},     // and one of x before the loop
      {2, 58, Once},     // and one before the rest of its turns
      {0, 59, Once},     // in a loop around both
      {0, 87, EachTurn}, // three in each
      {0, 88, EachTurn}, // what that is, nobody knows
      {0, 57, EachTurn}, // too few even of a and b
  };
  for (const auto &[Outside, Inside, Code] : Cases)
    EXPECT_EQ(invariantCode(group(2, 1, Outside, Inside), Loop), Code)
        << Outside << " + " << Inside;
}

// Of two that do not vary, each has one more, or neither: 8 turns of one that
// varies, and 2, 4 ... of the two.
TEST(LoopInvariants, WhatIsLeftMustBelongToAllOfThem) {
  const LoopCode Loop = turns({8});
  EXPECT_EQ(invariantCode(group(1, 2, 0, 8), Loop), Never);
  EXPECT_EQ(invariantCode(group(1, 2, 2, 8), Loop), Once);
  EXPECT_EQ(invariantCode(group(1, 2, 4, 8), Loop), Once);
  EXPECT_EQ(invariantCode(group(1, 2, 1, 8), Loop), EachTurn);
  EXPECT_EQ(invariantCode(group(1, 2, 0, 24), Loop), EachTurn);
}

// One turn has three loads in any case but `Never`: one of them is outside of
// the loop, or none is.
TEST(LoopInvariants, OfOneTurnTheDepthTells) {
  EXPECT_EQ(invariantCode(group(2, 1, 1, 2), turns({1})), Once);
  EXPECT_EQ(invariantCode(group(2, 1, 0, 3), turns({1})), EachTurn);
  EXPECT_EQ(invariantCode(group(2, 1, 0, 2), turns({1})), Never);
  // All three are before the loop that others are in: no turn of this one is.
  EXPECT_EQ(invariantCode({.Varying = 2, .Invariant = 1, .Depths = {0, 0, 0}},
                          turns({1})),
            EachTurn);
}

// One load for one turn is that of what varies, if others tell of one turn;
// else it may be that of another one.
TEST(LoopInvariants, WhatVariesIsLoadedInEachTurn) {
  EXPECT_EQ(invariantCode(group(1, 1, 0, 1), turns({1})), Never);
  EXPECT_EQ(invariantCode(group(1, 1, 0, 1), LoopCode()), EachTurn);
  EXPECT_EQ(invariantCode(group(1, 2, 0, 2), turns({2})), Never);
  EXPECT_EQ(invariantCode(group(1, 2, 0, 2), turns({3})), EachTurn);
}

// In two loops, of which it is taken out of the inner one.
TEST(LoopInvariants, OnlyTheInnerLoopCounts) {
  LoopCode Loop = turns({1});
  Loop.Depth = 2;
  EXPECT_EQ(
      invariantCode({.Varying = 2, .Invariant = 1, .Depths = {1, 2, 2}}, Loop),
      Once);
  EXPECT_EQ(
      invariantCode({.Varying = 2, .Invariant = 1, .Depths = {2, 2, 2}}, Loop),
      EachTurn);
}

// Nothing else in the loop tells how many turns are written out.
TEST(LoopInvariants, WithoutEvidenceTheLoadsThemselvesTell) {
  const LoopCode None;
  EXPECT_EQ(invariantCode(group(2, 1, 1, 2), None), Once) << "one turn";
  EXPECT_EQ(invariantCode(group(2, 1, 0, 3), None), EachTurn) << "one turn";
  EXPECT_EQ(invariantCode(group(2, 1, 0, 12), None), EachTurn)
      << "4 turns, or 6 without x: nothing is said to be gone";
  EXPECT_EQ(invariantCode(group(2, 1, 0, 8), None), Never)
      << "4 turns: 8 are no three each";
  EXPECT_EQ(invariantCode(group(2, 1, 1, 4), None), Once) << "2 turns";
  EXPECT_EQ(invariantCode(group(2, 1, 0, 5), None), EachTurn)
      << "one too many, and none outside";
}

// What is gone itself may be what tells.
TEST(LoopInvariants, EvidenceOutOfTheLoopItselfIsWeak) {
  LoopCode Loop;
  Loop.PerhapsTurns = {29};
  EXPECT_EQ(invariantCode(group(2, 1, 0, 58), Loop), Never);
  EXPECT_EQ(invariantCode(group(2, 1, 1, 58), Loop), Once);
  EXPECT_EQ(invariantCode(group(2, 1, 0, 87), Loop), EachTurn);
  // One instruction of an invariant access: it is out of the loop, or there is
  // one turn.
  Loop.PerhapsTurns = {1};
  EXPECT_EQ(invariantCode(group(2, 1, 0, 12), Loop), EachTurn);
  EXPECT_EQ(invariantCode(group(2, 1, 0, 2), Loop), Never);
  // What is known for sure goes first.
  Loop.PerhapsTurns = {58};
  Loop.Turns = {29};
  EXPECT_EQ(invariantCode(group(1, 1, 0, 58), Loop), EachTurn);
}

// Other lines of the loop that were written out differently: one of them fits.
TEST(LoopInvariants, OfSeveralNumbersOfTurnsOneFits) {
  EXPECT_EQ(invariantCode(group(2, 1, 0, 58), turns({4, 29})), Never);
  EXPECT_EQ(invariantCode(group(2, 1, 1, 8), turns({4, 29})), Once);
}

// `x[i] += y[i]`: nothing in the group varies, other lines tell.
TEST(LoopInvariants, AGroupThatDoesNotVary) {
  EXPECT_EQ(invariantCode(group(0, 2, 2, 0), turns({8})), Once);
  EXPECT_EQ(invariantCode(group(0, 2, 4, 0), turns({8})), Once);
  EXPECT_EQ(invariantCode(group(0, 2, 0, 16), turns({8})), EachTurn);
  EXPECT_EQ(invariantCode(group(0, 2, 2, 0), turns({1})), Once);
  EXPECT_EQ(invariantCode(group(0, 2, 0, 2), turns({1})), EachTurn);
  // Without evidence they may be in any loop.
  EXPECT_EQ(invariantCode(group(0, 2, 2, 0), {}), EachTurn);
  EXPECT_EQ(invariantCode(group(0, 2, 0, 3), {}), EachTurn);
}

// Before the loop, and perhaps before the loop for the rest of its turns.
TEST(LoopInvariants, AsManyInstructionsAsAreLeft) {
  EXPECT_EQ(instructionsOfInvariant(group(2, 1, 1, 58), turns({29})), 1u);
  EXPECT_EQ(instructionsOfInvariant(group(2, 1, 2, 58), turns({29})), 2u);
  EXPECT_EQ(instructionsOfInvariant(group(1, 2, 4, 8), turns({8})), 4u);
  EXPECT_EQ(instructionsOfInvariant(group(0, 2, 4, 0), turns({8})), 4u);
  EXPECT_EQ(instructionsOfInvariant(group(2, 1, 1, 2), turns({1})), 1u);
  EXPECT_EQ(instructionsOfInvariant(group(2, 1, 1, 4), {}), 1u)
      << "nothing tells of more";
  LoopCode Loop;
  Loop.PerhapsTurns = {29};
  EXPECT_EQ(instructionsOfInvariant(group(2, 1, 2, 58), Loop), 2u);
}

TEST(LoopInvariants, NothingOfNothing) {
  for (const LoopCode &Loop :
       {LoopCode(), turns({0}), turns({1}), turns({8, 9})}) {
    EXPECT_EQ(invariantCode({}, Loop), EachTurn);
    EXPECT_EQ(invariantCode(group(0, 0, 3, 4), Loop), EachTurn);
    EXPECT_EQ(invariantCode(group(7, 0, 3, 4), Loop), EachTurn);
    EXPECT_EQ(invariantCode(group(2, 1, 0, 0), Loop), EachTurn)
        << "what has no instruction is not judged here";
    EXPECT_EQ(invariantCode(group(0, 5, 0, 0), Loop), EachTurn);
  }
  EXPECT_EQ(invariantCode(group(2, 1, 1, 6), turns({0})), EachTurn);
  EXPECT_EQ(invariantCode(group(1000, 1000, 1, 1), {}), EachTurn)
      << "fewer instructions than accesses";
}

} // namespace LoopInvariantsTests
