//===- tests/unit/report/SupposedTrafficTests.cpp - What is not counted ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SupposedTraffic.h"

#include <gmock/gmock.h>

namespace SupposedTrafficTests {

using namespace cudalint;
using testing::DoubleEq;

static constexpr BlockShape Small = {32, 1, 1}, Large = {1024, 1, 1};

/// A request of a warp of \p Small that takes so many of four sectors too many.
static AccessRecord access(std::optional<double> PerRequest,
                           std::vector<Frequency> Frequencies) {
  AccessRecord A = {.PerRequest = PerRequest, .Block = Small};
  if (PerRequest)
    A.Ideal = 4;
  A.Counts = {{.Block = Small, .Executions = {}, .Frequencies = Frequencies}};
  return A;
}

static SupposedTraffic::Share shareOfFirst(const KernelRecord &K,
                                           const BlockShape &Told = Small) {
  const auto Share =
      SupposedTraffic(K, "sectors", Told).wastedBy({&K.Accesses.front()});
  EXPECT_TRUE(Share);
  return Share.value_or(SupposedTraffic::Share());
}

static KernelRecord kernelOf(std::vector<AccessRecord> Accesses) {
  KernelRecord K;
  K.Accesses = std::move(Accesses);
  return K;
}

// 28 of 32 + 4, however often the loop turns.
TEST(SupposedTraffic, WhatIsInOneLoopNeedsNoTurns) {
  const SupposedTraffic::Share S =
      shareOfFirst(kernelOf({access(32, {{.Times = 1, .Loops = {7}}}),
                             access(4, {{.Times = 1, .Loops = {7}}})}));
  EXPECT_THAT(S.Usual, DoubleEq(28.0 / 36));
  EXPECT_FALSE(S.Hangs);
  EXPECT_FALSE(S.IsMost);
}

// What data lets some lanes of some warps do may be next to nothing.
TEST(SupposedTraffic, WhatDataDecidesIsAnUpperBound) {
  KernelRecord K = kernelOf({access(32, {{.Times = 1, .Loops = {7}}}),
                             access(4, {{.Times = 1, .Loops = {7}}})});
  K.Accesses[0].IsByData = true;
  EXPECT_TRUE(shareOfFirst(K).IsMost);
  K.Accesses[0].IsByData = false;
  K.Accesses[1].IsByData = true;
  EXPECT_FALSE(shareOfFirst(K).IsMost);
}

// A size of which nothing is known decides how many warps come: 28 of 36, or a
// quarter of that beside the 4 that all of them take.
TEST(SupposedTraffic, WhatAnUnknownConditionDecidesIsAnUpperBound) {
  KernelRecord K =
      kernelOf({access(32, {{.Times = 1}}), access(4, {{.Times = 1}})});
  K.Accesses[0].Undecided = 3;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 36));
  EXPECT_TRUE(shareOfFirst(K).IsMost);
  // It decides about all of it, or about another one.
  K.Accesses[1].Undecided = 3;
  EXPECT_FALSE(shareOfFirst(K).IsMost);
  K.Accesses[1].Undecided = 4;
  EXPECT_TRUE(shareOfFirst(K).IsMost);
  // What is counted is decided.
  K.Accesses[0].Counts[0].Executions = 1;
  EXPECT_FALSE(shareOfFirst(K).IsMost);
}

// `if (x) { a[3 * i] = 1; } else { a[3 * i] = 0; }`: no warp does both, so 28
// of the 32 and the 4 behind are wasted, not 56 of 68.
TEST(SupposedTraffic, OfTwoWaysAWarpGoesOne) {
  KernelRecord K =
      kernelOf({access(32, {{.Times = 1}}), access(32, {{.Times = 1}}),
                access(4, {{.Times = 1}})});
  const auto shareOf = [&](std::vector<const AccessRecord *> Its) {
    return SupposedTraffic(K, "sectors", Small).wastedBy(Its)->Usual;
  };
  const AccessRecord *Then = &K.Accesses[0], *Else = &K.Accesses[1];
  EXPECT_THAT(shareOf({Then, Else}), DoubleEq(56.0 / 68));
  K.Accesses[0].Undecided = 7;
  K.Accesses[1].Undecided = 8;
  EXPECT_THAT(shareOf({Then, Else}), DoubleEq(28.0 / 36));
  EXPECT_THAT(shareOf({Else}), DoubleEq(28.0 / 36));
  // The way on which more is wasted.
  K.Accesses[1].PerRequest = 20;
  EXPECT_THAT(shareOf({Then, Else}), DoubleEq(28.0 / 36));
  EXPECT_THAT(shareOf({Else}), DoubleEq(16.0 / 24));
  // These are ways of two branches.
  K.Accesses[1].Undecided = 9;
  EXPECT_THAT(shareOf({Then, Else}), DoubleEq(44.0 / 56));
}

// Both ways of a branch that others are on: of the dearer one they waste less
// than of the cheaper one.
TEST(SupposedTraffic, OfAnotherBranchAWarpGoesTheCheaperWayAtMost) {
  KernelRecord K =
      kernelOf({access(32, {{.Times = 1}}), access(8, {{.Times = 1}}),
                access(60, {{.Times = 1}})});
  K.Accesses[1].Undecided = 7;
  K.Accesses[2].Undecided = 8;
  SupposedTraffic::Share S = shareOfFirst(K);
  EXPECT_THAT(S.Usual, DoubleEq(28.0 / 40));
  EXPECT_TRUE(S.IsMost);
  // Few blocks go the other way: it is left out once.
  K.Accesses[2].PerRequest = 30;
  K.Accesses[2].IsOfFewBlocks = true;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 40));
  K.Accesses[2].IsOfFewBlocks = false;
  // It makes no odds, or there is no other way.
  K.Accesses[1].PerRequest = 2;
  K.Accesses[2].PerRequest = 1;
  S = shareOfFirst(K);
  EXPECT_THAT(S.Usual, DoubleEq(28.0 / 33));
  EXPECT_FALSE(S.IsMost);
  K.Accesses[1].Undecided = 0;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 35));
}

// `if (blockIdx.y == 0)`: 28 of 36, or of hardly more than 32 in a tall grid.
TEST(SupposedTraffic, WhatFewBlocksDoLeavesAnUpperBound) {
  KernelRecord K =
      kernelOf({access(32, {{.Times = 1}}), access(32, {{.Times = 1}})});
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 64));
  K.Accesses[1].IsOfFewBlocks = true;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 32));
  EXPECT_TRUE(shareOfFirst(K).IsMost);
  // What is counted is known.
  K.Accesses[1].Counts[0].Executions = 1;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 64));
}

// 28 of 32 for each turn, beside 36: 28 of 68 if the loop turns once.
TEST(SupposedTraffic, ALoopThatMayTurnOnceLeavesAnUpperBound) {
  const SupposedTraffic::Share S =
      shareOfFirst(kernelOf({access(32, {{.Times = 1, .Loops = {7}}}),
                             access(36, {{.Times = 1, .Loops = {}}})}));
  EXPECT_FALSE(S.Hangs);
  EXPECT_TRUE(S.IsMost);
  EXPECT_THAT(S.Usual, DoubleEq(28000.0 / 32036));
}

// What is beside the loop is more of it then, than anybody would say.
TEST(SupposedTraffic, WhatIsBesideALoopThatMayTurnOnceHangs) {
  EXPECT_TRUE(shareOfFirst(kernelOf({access(32, {{.Times = 8, .Loops = {}}}),
                                     access(4, {{.Times = 1, .Loops = {7}}})}))
                  .Hangs);
}

// Each of them may make ten times as many turns as the other.
TEST(SupposedTraffic, TwoLoopsTurnIndependently) {
  EXPECT_TRUE(shareOfFirst(kernelOf({access(32, {{.Times = 1, .Loops = {1}}}),
                                     access(4, {{.Times = 8, .Loops = {2}}})}))
                  .Hangs);
}

// A sweep of which a quarter of the warps makes each step, in a loop of unknown
// turns: 0.25 times 12, beside 4.
TEST(SupposedTraffic, WarpsThatSkipAnAccessWeighNothing) {
  const SupposedTraffic::Share S =
      shareOfFirst(kernelOf({access(12, {{.Times = 0.25, .Loops = {3}}}),
                             access(4, {{.Times = 1, .Loops = {3}}})}));
  EXPECT_THAT(S.Usual, DoubleEq(0.25 * 8 / (0.25 * 12 + 4)));
  EXPECT_FALSE(S.Hangs);
}

// A gather moves a sector at least, and one for each lane at most.
TEST(SupposedTraffic, WhatIsNotPredictedLeavesAnUpperBound) {
  const SupposedTraffic::Share S = shareOfFirst(kernelOf(
      {access(32, {{.Times = 8}}), access(std::nullopt, {{.Times = 8}})}));
  EXPECT_THAT(S.Usual, DoubleEq(28.0 / 33));
  EXPECT_TRUE(S.IsMost);
  EXPECT_FALSE(S.Hangs);
  // A single one beside a hundred others.
  EXPECT_FALSE(shareOfFirst(kernelOf({access(32, {{.Times = 100}}),
                                      access(std::nullopt, {{.Times = 1}})}))
                   .IsMost);
}

// Counters of a histogram in shared memory are where random words are.
TEST(SupposedTraffic, RandomWordsOfSharedMemoryTakeFewWavefronts) {
  KernelRecord K = kernelOf(
      {access(32, {{.Times = 1}}), access(std::nullopt, {{.Times = 1}})});
  for (AccessRecord &A : K.Accesses)
    A.Unit = TrafficUnit::Wavefronts;
  K.Accesses[1].Bytes = 4;
  K.Accesses[1].Unknown = {.Cause = UnknownCause::LoadedData, .What = {}};
  const auto Share =
      SupposedTraffic(K, "wavefronts", Small).wastedBy({&K.Accesses.front()});
  ASSERT_TRUE(Share);
  // Of 33 or of 36.
  EXPECT_THAT(Share->Usual, DoubleEq(28.0 / 33));
  EXPECT_FALSE(Share->IsMost);
}

// One record for several blocks is a part of what each of them moves.
TEST(SupposedTraffic, ARecordOfSeveralBlocksIsInEach) {
  KernelRecord K = kernelOf({access(32, {}), access(4, {})});
  K.Accesses[0].Counts = {{.Block = Small, .Executions = 1},
                          {.Block = Large, .Executions = 3}};
  K.Accesses[1].Counts = {{.Block = Small, .Executions = 2},
                          {.Block = Large, .Executions = 2}};
  EXPECT_THAT(shareOfFirst(K, Small).Usual, DoubleEq(28.0 / (32 + 8)));
  EXPECT_THAT(shareOfFirst(K, Large).Usual, DoubleEq(84.0 / (96 + 8)));
}

// A loop that was left early turns as often as one like it that was not.
TEST(SupposedTraffic, ALoopCutShortTurnsAsOthersOfItsLength) {
  KernelRecord K = kernelOf({access(8, {{.Times = 64, .CutLoops = {5}}}),
                             access(4, {{.Times = 1000}})});
  K.Accesses[0].LoopsAlike = K.Accesses[1].LoopsAlike = {5};
  K.Accesses[1].Counts[0].Executions = 1000;
  const SupposedTraffic::Share S = shareOfFirst(K);
  EXPECT_THAT(S.Usual, DoubleEq(4.0 / 12));
  EXPECT_FALSE(S.Hangs);
  // Of another length: as far as it was looked at, or longer.
  K.Accesses[1].LoopsAlike = {6};
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(4.0 * 64 / (8 * 64 + 4000)));
  EXPECT_TRUE(shareOfFirst(K).Hangs);
}

// An instruction of no known access is made as often as others of its block.
TEST(SupposedTraffic, AnUnknownInstructionIsMadeAsItsNeighbours) {
  KernelRecord K = kernelOf(
      {access(32, {{.Times = 1, .Loops = {1}}}), access(std::nullopt, {})});
  K.Accesses[1].Counts.clear();
  MachineInstruction I;
  I.Loops = {0x100};
  K.Accesses[0].Compiled = K.Accesses[1].Compiled = I;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 33));
  EXPECT_FALSE(shareOfFirst(K).Hangs);
}

// The slow way through a function of the toolkit is rarely taken; if it is, the
// share is less.
TEST(SupposedTraffic, InstructionsBehindABranchLeaveAnUpperBound) {
  KernelRecord K =
      kernelOf({access(32, {{.Times = 1}}), access(std::nullopt, {})});
  K.Accesses[1].Counts.clear();
  K.Accesses[1].Unknown = {.Cause = UnknownCause::Unmatched, .What = {}};
  K.Accesses[1].Compiled = MachineInstruction();
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 32));
  EXPECT_TRUE(shareOfFirst(K).IsMost);
  K.Accesses[1].Compiled->IsInEachTurn = true;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 33));
}

// Sine of a large number: a loop of the toolkit's, in which nothing else is.
TEST(SupposedTraffic, LoopsOfNoKnownAccessAreRare) {
  KernelRecord K =
      kernelOf({access(32, {{.Times = 10}}), access(std::nullopt, {})});
  K.Accesses[1].Counts.clear();
  MachineInstruction I;
  I.Loops = {0x100};
  K.Accesses[1].Compiled = I;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(280.0 / 321));
  EXPECT_FALSE(shareOfFirst(K).Hangs);
}

// Each turn of it loads a word of the table, but not each run comes to it.
TEST(SupposedTraffic, ALoopOfTheToolkitBehindABranchIsASlowWay) {
  KernelRecord K =
      kernelOf({access(32, {{.Times = 1}}), access(std::nullopt, {})});
  K.Accesses[1].Counts.clear();
  K.Accesses[1].Unknown = {.Cause = UnknownCause::Unmatched, .What = {}};
  MachineInstruction I;
  I.Loops = {0x100};
  I.IsInEachTurn = true;
  K.Accesses[1].Compiled = I;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 32));
  EXPECT_FALSE(shareOfFirst(K).Hangs);
  EXPECT_TRUE(shareOfFirst(K).IsMost);

  // An access of the source is in that loop, too: one of the program's.
  K.Accesses[0].Compiled = I;
  EXPECT_THAT(shareOfFirst(K).Usual, DoubleEq(28.0 / 33));
  K.Accesses[0].Compiled.reset();

  // Each run comes to it, and it may turn ten times: 28 of 42.
  K.Accesses[1].Compiled->IsInEachRun = true;
  EXPECT_TRUE(shareOfFirst(K).Hangs);
}

} // namespace SupposedTrafficTests
