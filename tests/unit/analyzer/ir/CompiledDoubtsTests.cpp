//===- tests/unit/analyzer/ir/CompiledDoubtsTests.cpp - Whose they are ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where an instruction may be that of another access, the match is assumed.
/// Each has a neighbour in which it is surely its own.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledCode.h"

#include <gmock/gmock.h>

namespace CompiledDoubtsTests {

using namespace cudalint;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// A load of 4 bytes from shared memory, in loops of so many turns each, the
/// innermost first, in each turn of which it happens.
static WrittenAccess written(unsigned Line, std::vector<unsigned> Turns = {}) {
  static unsigned Chain = 0;
  WrittenAccess A;
  A.Space = MemorySpace::Shared;
  A.Bytes = A.Align = 4;
  A.Frames = {{.File = "a.cu", .Line = Line}};
  A.Chain = ++Chain;
  A.LoopDepth = A.InEachTurn = static_cast<unsigned>(Turns.size());
  A.Loop = A.LoopDepth ? 7 : 0;
  A.InEachRun = !A.LoopDepth;
  A.Turns = 1;
  for (const unsigned Of : Turns) {
    A.Turns *= Of;
    A.Steps.push_back(1024);
  }
  A.LoopTurns = std::move(Turns);
  return A;
}

using Code = std::vector<MachineInstruction>;

/// So many instructions of it, each in so many loops, to which each turn comes.
static Code loads(unsigned Line, unsigned Number, unsigned Depth = 0) {
  Code Out;
  for (unsigned N = 0; N != Number; ++N) {
    MachineInstruction &I = Out.emplace_back();
    I.Name = "LDS";
    I.Space = MemorySpace::Shared;
    I.Bytes = 4;
    I.Offset = 0x1000 * Line + 16 * N;
    I.Frames = {{.File = "a.cu", .Line = Line}};
    I.Block = I.Offset;
    I.IsInEachTurn = I.IsInEachRun = true;
    for (unsigned L = Depth; L-- != 0;)
      I.Loops.push_back(0x100 * L);
  }
  return Out;
}
static Code operator+(Code A, const Code &B) {
  A.insert(A.end(), B.begin(), B.end());
  return A;
}

static auto areTheirOwn() {
  return Not(Contains(HasSubstr("instructions of a line are those")));
}
static auto areDoubted() {
  return Contains(HasSubstr("instructions of a line are those"));
}

// Where nothing is known at line 9, what is there belongs to another line, and
// so may what is at line 3.
TEST(CompiledDoubts, AnInstructionOfNobodyIsSomebodys) {
  const std::vector<WrittenAccess> One = {written(3)};
  EXPECT_THAT(matchCompiled(One, loads(3, 1)).Accesses[0].Assumptions,
              areTheirOwn());
  const CompiledKernel K = matchCompiled(One, loads(3, 1) + loads(900, 1));
  EXPECT_THAT(K.Unmatched, SizeIs(1));
  EXPECT_THAT(K.Accesses[0].Assumptions, areDoubted());
  // One of another width is not that of a load of 4 bytes.
  Code Wide = loads(900, 1);
  Wide[0].Bytes = 8;
  EXPECT_THAT(matchCompiled(One, loads(3, 1) + Wide).Accesses[0].Assumptions,
              areTheirOwn());
}

// Line 3 needs one and has two; line 900 needs one and has none.
TEST(CompiledDoubts, OneTooManyIsOfOneThatHasNone) {
  const std::vector<WrittenAccess> Two = {written(3), written(900)};
  const CompiledKernel K = matchCompiled(Two, loads(3, 2));
  EXPECT_FALSE(K.Accesses[1].WhyRemoved.empty());
  EXPECT_THAT(K.Accesses[0].Assumptions, areDoubted());
  EXPECT_THAT(matchCompiled(Two, loads(3, 1)).Accesses[0].Assumptions,
              areTheirOwn());
  EXPECT_THAT(matchCompiled({Two[0]}, loads(3, 2)).Accesses[0].Assumptions,
              areTheirOwn());
}

// `c ? s[i] : s[j]` may be one load of either address: then the second is of
// what has none.
TEST(CompiledDoubts, OfTwoBranchesOneMayMakeBoth) {
  std::vector<WrittenAccess> All = {written(3), written(3), written(900)};
  for (unsigned A : {0, 1}) {
    All[A].Alternative = 1;
    All[A].InEachRun = false;
  }
  Code Apart = loads(3, 2);
  for (MachineInstruction &Each : Apart)
    Each.IsInEachTurn = false;
  EXPECT_THAT(matchCompiled(All, Apart).Accesses[0].Assumptions, areDoubted());
  All.pop_back();
  EXPECT_THAT(matchCompiled(All, Apart).Accesses[0].Assumptions, areTheirOwn());
}

// The same in a loop of which two turns are written out: each instruction is
// one that each turn comes to, so it is not that of one branch.
TEST(CompiledDoubts, WhatEachTurnComesToIsNoBranch) {
  std::vector<WrittenAccess> Two = {written(3, {8}), written(3, {8})};
  for (WrittenAccess &Each : Two) {
    Each.Alternative = 1;
    Each.InEachTurn = 0;
  }
  const CompiledKernel K = matchCompiled(Two, loads(3, 2, 1));
  for (const CompiledAccess &Each : K.Accesses) {
    ASSERT_THAT(Each.Parts, SizeIs(1));
    EXPECT_TRUE(Each.Parts[0].IsAlternative);
    EXPECT_THAT(K.Pools[Each.Parts[0].Pool], SizeIs(2));
  }
  Code Apart = loads(3, 2, 1);
  for (MachineInstruction &Each : Apart)
    Each.IsInEachTurn = false;
  for (const CompiledAccess &Each : matchCompiled(Two, Apart).Accesses)
    EXPECT_FALSE(Each.Parts.at(0).IsAlternative);
}

TEST(CompiledDoubts, AConditionThatIsLeftOut) {
  WrittenAccess Guarded = written(3);
  Guarded.InEachRun = false;
  Code One = loads(3, 1);
  EXPECT_THAT(matchCompiled({Guarded}, One).Accesses[0].Assumptions,
              Contains(HasSubstr("the compiler leaves out")));
  One[0].Predicated = true;
  EXPECT_THAT(matchCompiled({Guarded}, One).Accesses[0].Assumptions, IsEmpty());
  One[0].Predicated = One[0].IsInEachTurn = false;
  EXPECT_THAT(matchCompiled({Guarded}, One).Accesses[0].Assumptions, IsEmpty());
}

// Two loops around it, and one of them in the compiled code: of the other, each
// turn has its own, at least of the shorter one.
TEST(CompiledDoubts, ALoopThatIsGoneHasItsTurns) {
  const std::vector<WrittenAccess> One = {written(3, {3, 16})};
  EXPECT_THAT(matchCompiled(One, loads(3, 1, 1)).Accesses[0].Assumptions,
              areDoubted());
  EXPECT_THAT(matchCompiled(One, loads(3, 3, 1)).Accesses[0].Assumptions,
              areTheirOwn());
  EXPECT_THAT(matchCompiled(One, loads(3, 1, 2)).Accesses[0].Assumptions,
              areTheirOwn());
  // In a loop of one turn, one is enough.
  EXPECT_THAT(matchCompiled({written(3, {1, 16})}, loads(3, 1, 1))
                  .Accesses[0]
                  .Assumptions,
              areTheirOwn());
}

// `s[j] - s[k]` in the loop over j: that of k is before the loop. Where of
// three before it two belong to the turns that are left over, any may be it.
TEST(CompiledDoubts, WhichOfThemIsBeforeTheLoop) {
  std::vector<WrittenAccess> Two = {written(3, {0}), written(3, {0})};
  Two[1].Steps.clear();
  Two[1].Invariant = 1;
  const Code Loop = loads(4, 4, 1);
  const std::vector<WrittenAccess> All = {Two[0], Two[1], written(4, {0})};
  EXPECT_THAT(matchCompiled(All, Loop + loads(3, 4, 1) + loads(3, 1))
                  .Accesses[1]
                  .Assumptions,
              areTheirOwn());
  for (unsigned A : {0, 1})
    EXPECT_THAT(matchCompiled(All, Loop + loads(3, 2, 1) + loads(3, 3))
                    .Accesses[A]
                    .Assumptions,
                areDoubted())
        << A;
}

// `x += s[i]; atomicAdd(&s[j], 1.0f);` in one line: the loop that compares and
// swaps loads too, and the source has no loop.
TEST(CompiledDoubts, TheLoadOfAnAtomicIsNotThatBesideIt) {
  Code All = loads(3, 1) + loads(3, 1, 1) + loads(3, 1, 1);
  All[2].Op = AccessOp::Atomic;
  WrittenAccess Add = written(3);
  Add.Op = AccessOp::Atomic;
  const CompiledKernel K = matchCompiled({written(3), Add}, All);
  ASSERT_THAT(K.Accesses[0].Parts, SizeIs(1));
  EXPECT_THAT(K.Pools[K.Accesses[0].Parts[0].Pool], SizeIs(1));
  EXPECT_THAT(K.Accesses[0].Assumptions, IsEmpty());
  EXPECT_THAT(K.Unmatched, SizeIs(1));
}

// `c ? s[i] : s[j]` where s[i] is in a register: one load, under a condition,
// as if it were of both.
TEST(CompiledDoubts, OfTwoBranchesOneHasItsValue) {
  std::vector<WrittenAccess> Two = {written(3), written(3)};
  for (WrittenAccess &Each : Two) {
    Each.Alternative = 1;
    Each.InEachRun = false;
  }
  Code One = loads(3, 1);
  EXPECT_THAT(matchCompiled(Two, One).Accesses[0].Assumptions, IsEmpty());
  One[0].Predicated = true;
  for (const CompiledAccess &Each : matchCompiled(Two, One).Accesses)
    EXPECT_THAT(Each.Assumptions,
                Contains(HasSubstr("one instruction makes the accesses")));
}

// A load of a `__shared__` variable that the compiler has no use for, through a
// pointer of which the type does not tell: no load of global memory is its.
TEST(CompiledDoubts, WhatItIsInTellsTheSpace) {
  WrittenAccess Dead = written(3);
  Dead.Space = MemorySpace::Generic;
  Dead.ObjectSpace = MemorySpace::Shared;
  Code Other = loads(3, 1);
  EXPECT_THAT(matchCompiled({Dead}, Other).Accesses[0].Parts, SizeIs(1));
  Other[0].Space = MemorySpace::Global;
  EXPECT_THAT(matchCompiled({Dead}, Other).Accesses[0].Parts, IsEmpty());
}

// `float4 u = x[t], v = y[t];` of which u.z and u.w are not needed: the first
// is 8 bytes, the second 16, and neither is both.
TEST(CompiledDoubts, OfTwoWideLoadsOneIsNarrow) {
  std::vector<WrittenAccess> Two = {written(3), written(3)};
  for (WrittenAccess &Each : Two)
    Each.Bytes = Each.Align = 16;
  Code Both = loads(3, 2);
  Both[0].Bytes = 8;
  Both[1].Bytes = 16;
  const CompiledKernel K = matchCompiled(Two, Both);
  for (unsigned A : {0, 1}) {
    ASSERT_THAT(K.Accesses[A].Parts, SizeIs(1));
    EXPECT_EQ(K.Accesses[A].Parts[0].Bytes, A ? 16u : 8u);
    EXPECT_THAT(K.Accesses[A].Assumptions, areDoubted());
  }
  Both[0].Bytes = 16;
  for (const CompiledAccess &Each : matchCompiled(Two, Both).Accesses)
    EXPECT_THAT(Each.Assumptions, IsEmpty());
}

// `if (s[t] > 0) d = s[t] * s[8 * t];`: the one load of the second line is the
// one whose value nobody has.
TEST(CompiledDoubts, WhatIsInARegisterIsNotLoadedAgain) {
  std::vector<WrittenAccess> All = {written(3), written(4), written(4)};
  All[1].IsRedundant = true;
  auto IsGone = [&](const std::vector<MachineInstruction> &Code) {
    const CompiledKernel K = matchCompiled(All, Code);
    EXPECT_THAT(K.Accesses[0].Parts, Not(IsEmpty()));
    EXPECT_THAT(K.Accesses[2].Parts, Not(IsEmpty()));
    return K.Accesses[1].Parts.empty();
  };
  const CompiledKernel K = matchCompiled(All, loads(3, 1) + loads(4, 1));
  EXPECT_THAT(K.Accesses[1].WhyRemoved, HasSubstr("in a register"));
  for (unsigned A : {0, 2}) {
    EXPECT_THAT(K.Accesses[A].Parts, SizeIs(1)) << A;
    EXPECT_THAT(K.Accesses[A].Assumptions, IsEmpty()) << A;
  }
  EXPECT_FALSE(IsGone(loads(3, 1) + loads(4, 2)));
  // Four turns are written out; the other line tells that it is not two.
  for (WrittenAccess &A : All)
    A.Loop = A.LoopDepth = 1;
  EXPECT_TRUE(IsGone(loads(3, 4) + loads(4, 4)));
  EXPECT_FALSE(IsGone(loads(3, 2) + loads(4, 4)));
  All[1].IsRedundant = false;
  EXPECT_FALSE(IsGone(loads(3, 4) + loads(4, 4)));
}

// A loop over i whose address only the loop over j changes: its loads may be
// before the loop over i, in a copy of the loop over j that is not in it.
TEST(CompiledDoubts, SomeCopiesAreInMoreLoops) {
  std::vector<WrittenAccess> One = {written(3, {0, 0})};
  const Code Both = loads(3, 1, 2) + loads(3, 1, 1);
  EXPECT_THAT(matchCompiled(One, Both).Accesses[0].Assumptions, areTheirOwn());
  One[0].IsInvariantInSome = true;
  EXPECT_THAT(matchCompiled(One, Both).Accesses[0].Assumptions, areDoubted());
  EXPECT_THAT(matchCompiled(One, loads(3, 2, 2)).Accesses[0].Assumptions,
              areTheirOwn());
  One[0].Volatile = true;
  EXPECT_THAT(matchCompiled(One, Both).Accesses[0].Assumptions, areTheirOwn());
}

// A loop of four turns whose line 3 has five loads: one is of another line,
// whose own may be that of a third. Eight are of two turns of a loop around it.
TEST(CompiledDoubts, MoreThanAllTurnsNeedAreOthers) {
  std::vector<WrittenAccess> Two = {written(3, {4}), written(4, {4})};
  const Code Four = loads(4, 4);
  for (unsigned A : {0, 1}) {
    EXPECT_THAT(matchCompiled(Two, loads(3, 5) + Four).Accesses[A].Assumptions,
                areDoubted())
        << A;
    EXPECT_THAT(matchCompiled(Two, loads(3, 4) + Four).Accesses[A].Assumptions,
                areTheirOwn())
        << A;
    EXPECT_THAT(matchCompiled(Two, loads(3, 8, 1) + loads(4, 8, 1))
                    .Accesses[A]
                    .Assumptions,
                areTheirOwn())
        << A;
  }
}

// An address that stays in all turns of a loop that is written out twice: two
// instructions are two turns of it, or one before it and one before the rest.
TEST(CompiledDoubts, WhatIsMadeOnceHasOneInstruction) {
  std::vector<WrittenAccess> Two = {written(3, {0}), written(3, {0})};
  Two[1].Steps.clear();
  Two[1].Invariant = 1;
  const std::vector<WrittenAccess> All = {Two[0], Two[1], written(4, {0})};
  const Code Loop = loads(4, 4, 1) + loads(3, 4, 1);
  EXPECT_THAT(matchCompiled(All, Loop + loads(3, 1)).Accesses[1].Assumptions,
              areTheirOwn());
  EXPECT_THAT(matchCompiled(All, Loop + loads(3, 2)).Accesses[1].Assumptions,
              areDoubted());
}

// `x = c ? s[i] : s[j]; if (d) x += s[k];` in a loop that changes neither: two
// instructions are that of both branches and that of k, not those of i and j.
TEST(CompiledDoubts, OfTwoBranchesOneHasNoneOfItsOwn) {
  std::vector<WrittenAccess> Three(3, written(3, {0}));
  for (WrittenAccess &Each : Three)
    Each.Chain = written(3).Chain;
  Three[0].InEachTurn = Three[1].InEachTurn = Three[2].InEachTurn = 0;
  Three[2].Steps.clear();
  Three[2].Invariant = 1;
  Code Two = loads(3, 2, 1);
  for (MachineInstruction &I : Two)
    I.IsInEachTurn = false;
  EXPECT_THAT(matchCompiled(Three, Two).Accesses[2].Parts, IsEmpty());
  Three[0].Alternative = Three[1].Alternative = 1;
  EXPECT_THAT(matchCompiled(Three, Two).Accesses[2].Parts, SizeIs(1));
}

// Two neighbours are one word of 8 bytes, and 4 bytes of one of them are loaded
// beside it: by what, nobody knows.
TEST(CompiledDoubts, WhatIsInAWordHasNoneOfItsOwn) {
  std::vector<WrittenAccess> Two = {written(3), written(3)};
  for (unsigned A : {0, 1}) {
    Two[A].Chain = Two[0].Chain;
    Two[A].ChainOffset = 4 * A;
    Two[A].Align = A ? 4 : 8;
    Two[A].BaseAlign = Two[A].MostAlign = 8;
  }
  Code Word = loads(3, 1);
  Word[0].Bytes = 8;
  EXPECT_THAT(matchCompiled(Two, Word).Accesses[0].Assumptions, IsEmpty());
  const CompiledKernel K = matchCompiled(Two, Word + loads(3, 1));
  EXPECT_THAT(K.Accesses[0].Assumptions, areDoubted());
  EXPECT_THAT(K.Accesses[0].Parts, testing::Not(IsEmpty()));
}

// `for (i < n) for (j < 2) x += s[8 * t + j];`: one word is both turns over j,
// and of those over i nobody knows how often it is made.
TEST(CompiledDoubts, AWideWordIsNotWrittenOutForUnknownTurns) {
  WrittenAccess Both = written(3, {2, 0});
  Both.Align = Both.BaseAlign = Both.MostAlign = 8;
  Both.Steps = {4};
  Code Words = loads(3, 2);
  for (MachineInstruction &I : Words)
    I.Bytes = 8;
  EXPECT_THAT(matchCompiled({Both}, Words).Accesses[0].Assumptions,
              areDoubted());
  Both.LoopTurns = {2, 2};
  EXPECT_THAT(matchCompiled({Both}, Words).Accesses[0].Assumptions,
              areTheirOwn());
}

// A value is in a register at line 3, and so it may be at line 4: then the load
// that is said to be there is that of line 5, which else has none.
TEST(CompiledDoubts, WhatIsElsewhereInARegisterMayBeInOne) {
  std::vector<WrittenAccess> Three = {written(3), written(4), written(5)};
  const Code One = loads(4, 1);
  EXPECT_THAT(matchCompiled(Three, One).Accesses[1].Assumptions, areTheirOwn());
  Three[1].Chain = Three[0].Chain;
  EXPECT_THAT(matchCompiled(Three, One).Accesses[1].Assumptions, areDoubted());
  Three[2] = written(50);
  EXPECT_THAT(matchCompiled(Three, One).Accesses[1].Assumptions, areTheirOwn());
}

// Sixteen turns are four of four, but not three of six.
TEST(CompiledDoubts, TurnsOfALoopAreAMultipleOfItsCopies) {
  const std::vector<WrittenAccess> One = {written(3, {16})};
  EXPECT_THAT(matchCompiled(One, loads(3, 4, 1)).Accesses[0].Assumptions,
              areTheirOwn());
  EXPECT_THAT(matchCompiled(One, loads(3, 6, 1)).Accesses[0].Assumptions,
              areDoubted());
  // All turns of the inner loop, and two of the one around it.
  const std::vector<WrittenAccess> Two = {written(3, {3, 8})};
  EXPECT_THAT(matchCompiled(Two, loads(3, 6, 1)).Accesses[0].Assumptions,
              areTheirOwn());
  EXPECT_THAT(matchCompiled(Two, loads(3, 4, 1)).Accesses[0].Assumptions,
              areDoubted());
}

// `for (i) { for (j < n) { x += s[j]; y = s[j + 1]; } o[i] = y; }`: only the
// last turn over j needs that of line 4, which is then not in that loop.
TEST(CompiledDoubts, EachCopyOfALoopHasAllOfIt) {
  const std::vector<WrittenAccess> Two = {written(3, {0, 0}),
                                          written(4, {0, 0})};
  const Code Both = loads(3, 1, 2) + loads(3, 1, 1);
  EXPECT_THAT(matchCompiled(Two, Both + loads(4, 1, 2) + loads(4, 1, 1))
                  .Accesses[1]
                  .Assumptions,
              areTheirOwn());
  const CompiledKernel Sunk = matchCompiled(Two, Both + loads(4, 2, 1));
  EXPECT_THAT(Sunk.Accesses[0].Assumptions, areTheirOwn());
  EXPECT_THAT(Sunk.Accesses[1].Assumptions, areDoubted());
}

// An atomic that is a loop of the compiled code does not make the loop around
// it a deeper one: the store of each turn is in it, not before it.
TEST(CompiledDoubts, TheLoopOfAnAtomicIsNotThatOfTheSource) {
  WrittenAccess Store = written(3, {0}), Add = written(4, {0});
  Store.Op = AccessOp::Store;
  Store.Steps.clear();
  Store.Invariant = 1;
  Add.Op = AccessOp::Atomic;
  Code All = loads(3, 1, 1) + loads(4, 1, 2);
  All[0].Op = AccessOp::Store;
  All[1].Op = AccessOp::Atomic;
  const CompiledKernel K = matchCompiled({Store, Add}, All);
  ASSERT_THAT(K.Accesses[0].Parts, SizeIs(1));
  EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, 0u);
}

// `if (c) a = s[i]; b += s[i + 1];`: after a turn that took the branch the
// second may be in a register.
TEST(CompiledDoubts, SomeTurnsHaveTheValue) {
  WrittenAccess Each = written(3, {0});
  Code One = loads(3, 1, 1);
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions, IsEmpty());
  One[0].IsInEachTurn = false;
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions,
              Contains(HasSubstr("the compiler adds")));
  // What the source makes in some turns only is its own condition.
  Each.InEachTurn = 0;
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions, IsEmpty());
}

// Two neighbours in a loop of four turns that is gone: two words of 16 bytes
// hold them all, and two of 8 bytes hold half.
TEST(CompiledDoubts, AWideWordIsOfSeveralOfATurn) {
  std::vector<WrittenAccess> Two = {written(3, {4}), written(3, {4})};
  for (unsigned A : {0, 1}) {
    Two[A].Chain = Two[0].Chain;
    Two[A].ChainOffset = 4 * A;
    Two[A].Run = 1;
    Two[A].Align = A ? 4 : 16;
    Two[A].BaseAlign = Two[A].MostAlign = 16;
    Two[A].Steps = {8};
  }
  auto Words = [](unsigned Number, unsigned Bytes) {
    Code Out = loads(3, Number);
    for (MachineInstruction &I : Out)
      I.Bytes = Bytes;
    return Out;
  };
  const CompiledKernel All = matchCompiled(Two, Words(2, 16));
  EXPECT_THAT(All.Accesses[0].Parts, SizeIs(1));
  EXPECT_THAT(All.Accesses[0].Assumptions, areTheirOwn());
  const CompiledKernel Half = matchCompiled(Two, Words(2, 8));
  EXPECT_THAT(Half.Accesses[0].Parts, SizeIs(1));
  EXPECT_THAT(Half.Accesses[0].Assumptions, areDoubted());
}

// `atomicAdd(&s[j], 1.0f)` in a loop: the loop that compares and swaps, and
// where a lane is done, the load of the next turn, may be one loop.
TEST(CompiledDoubts, TheLoopOfAnAtomicMayHoldWhatIsBehindIt) {
  WrittenAccess Add = written(4, {0});
  Add.Op = AccessOp::Atomic;
  Add.Volatile = true;
  const std::vector<WrittenAccess> Two = {written(3, {0}), Add};
  auto In = [](Code Of, std::vector<std::uint64_t> Loops) {
    for (MachineInstruction &I : Of)
      I.Loops = Loops;
    return Of;
  };
  auto Swap = [](Code Of) {
    for (MachineInstruction &I : Of)
      I.Op = AccessOp::Atomic;
    return Of;
  };
  const Code Loop =
      In(loads(4, 1), {0x200, 0x100}) + Swap(In(loads(4, 1), {0x200, 0x100}));
  EXPECT_THAT(matchCompiled(Two, In(loads(3, 1), {0x100}) + Loop)
                  .Accesses[0]
                  .Assumptions,
              IsEmpty());
  EXPECT_THAT(matchCompiled(Two, In(loads(3, 1), {0x200, 0x100}) + Loop)
                  .Accesses[0]
                  .Assumptions,
              Contains(HasSubstr("behind the loop of an atomic")));
}

// What another access loaded in a branch is loaded on the other ways alone.
TEST(CompiledDoubts, SomeWaysHaveTheValue) {
  WrittenAccess Each = written(3);
  Each.InEachRun = false;
  Code One = loads(3, 1);
  One[0].IsInEachTurn = One[0].IsInEachRun = false;
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions,
              areTheirOwn());
  Each.SharesValue = true;
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions, areDoubted());
  Each.InEachRun = One[0].IsInEachTurn = One[0].IsInEachRun = true;
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions,
              areTheirOwn());
}

// What the loop may change is not loaded before it.
TEST(CompiledDoubts, WhatChangesIsNotTakenOutOfTheLoop) {
  WrittenAccess Stays = written(3, {0});
  Stays.Steps.clear();
  Stays.Invariant = 1;
  const std::vector<WrittenAccess> Two = {Stays, written(4, {0})};
  const Code Before = loads(3, 1) + loads(4, 1, 1);
  const CompiledKernel K = matchCompiled(Two, Before);
  ASSERT_THAT(K.Accesses[0].Parts, SizeIs(1));
  EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, 1u);
  EXPECT_THAT(K.Accesses[0].Assumptions, areTheirOwn());
  Stays.StaysInLoops = 0;
  EXPECT_THAT(matchCompiled({Stays, Two[1]}, Before).Accesses[0].Assumptions,
              areDoubted());
}

// `if (n) if (t == 0) x = s[3];`: nvcc may load it wherever n holds.
TEST(CompiledDoubts, WhatIsSafeAnywhereMayBeLoadedBeforeItsBranch) {
  WrittenAccess Each = written(3);
  Each.InEachRun = false;
  Each.OfTurnsAlone = true;
  Each.ObjectSpace = MemorySpace::Shared;
  Each.Conditions = Each.ConditionsInLoop = 2;
  Code One = loads(3, 1);
  One[0].IsInEachTurn = One[0].IsInEachRun = false;
  const auto IsLeft = Contains(HasSubstr("the compiler leaves out"));
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions, IsLeft);
  Each.Conditions = 1;
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions, IsEmpty());
  Each.Conditions = 2;
  Each.OfTurnsAlone = false;
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions, IsEmpty());
  Each.OfTurnsAlone = One[0].Predicated = true;
  EXPECT_THAT(matchCompiled({Each}, One).Accesses[0].Assumptions, IsEmpty());
}

// `if (c) for (i) for (j of 2) x += s[j];`, all written out: that the second
// turn over i has the values is seen where they are loaded in blocks of others.
TEST(CompiledDoubts, AddressesMayRepeatInALoopAround) {
  WrittenAccess Each = written(3, {2, 3});
  Each.InEachRun = false;
  Code All = loads(3, 6);
  for (MachineInstruction &I : All)
    I.IsInEachTurn = I.IsInEachRun = false;
  EXPECT_THAT(matchCompiled({Each}, All).Accesses[0].Assumptions,
              areTheirOwn());
  Each.MayBeInvariantInSome = true;
  EXPECT_THAT(matchCompiled({Each}, All).Accesses[0].Assumptions, areDoubted());
}

// A loop of which only the run knows the turns cannot be written out whole.
TEST(CompiledDoubts, ALoopOfUnknownTurnsIsNotGone) {
  const WrittenAccess Each = written(3, {0, 20});
  EXPECT_THAT(matchCompiled({Each}, loads(3, 1, 2)).Accesses[0].Assumptions,
              areTheirOwn());
  EXPECT_THAT(matchCompiled({Each}, loads(3, 1, 1)).Accesses[0].Assumptions,
              areDoubted());
}

// Two turns of a loop are written out, as line 3 says with accesses of both
// widths. Four loads of line 4, in a branch, are two of another line.
TEST(CompiledDoubts, MoreThanTheTurnsThatAreWrittenOut) {
  std::vector<WrittenAccess> All = {written(3, {0}), written(3, {0}),
                                    written(4, {0}), written(5, {0})};
  All[1].Bytes = 8;
  All[2].InEachTurn = 0;
  Code Loop = loads(3, 4, 1);
  Loop[2].Bytes = Loop[3].Bytes = 8;
  auto InBranch = [](Code Of) {
    for (MachineInstruction &I : Of)
      I.IsInEachTurn = false;
    return Of;
  };
  EXPECT_THAT(matchCompiled(All, Loop + InBranch(loads(4, 2, 1)))
                  .Accesses[2]
                  .Assumptions,
              areTheirOwn());
  EXPECT_THAT(matchCompiled(All, Loop + InBranch(loads(4, 4, 1)))
                  .Accesses[2]
                  .Assumptions,
              areDoubted());
}

// Three turns of a byte are no word of four.
TEST(CompiledDoubts, AWideWordNeedsAsManyTurns) {
  WrittenAccess Byte = written(3, {4});
  Byte.Bytes = 1;
  Byte.Align = Byte.BaseAlign = Byte.MostAlign = 4;
  Byte.Steps = {1};
  Byte.AddressTurns = 4;
  EXPECT_THAT(matchCompiled({Byte}, loads(3, 1)).Accesses[0].Assumptions,
              areTheirOwn());
  Byte.LoopTurns = {3};
  Byte.Turns = Byte.AddressTurns = 3;
  EXPECT_THAT(matchCompiled({Byte}, loads(3, 1)).Accesses[0].Assumptions,
              areDoubted());
}

// Of two turns one before the loop would leave a loop that turns once, and of
// six one leaves a loop of four that turns once and a quarter.
TEST(CompiledDoubts, ALoopTurnsSeveralTimes) {
  const Code One = loads(3, 1) + loads(3, 1, 1);
  const Code Four = loads(3, 1, 1) + loads(3, 4, 2);
  EXPECT_THAT(matchCompiled({written(3, {2})}, One).Accesses[0].Assumptions,
              areDoubted());
  EXPECT_THAT(matchCompiled({written(3, {3})}, One).Accesses[0].Assumptions,
              areTheirOwn());
  EXPECT_THAT(
      matchCompiled({written(3, {6, 20})}, Four).Accesses[0].Assumptions,
      areDoubted());
  EXPECT_THAT(
      matchCompiled({written(3, {9, 20})}, Four).Accesses[0].Assumptions,
      areTheirOwn());
}

// A load before the loop, of a line that has none, may be what the loop of the
// other line does not make any more.
TEST(CompiledDoubts, WhatIsOnAnotherLineMayBeOfThisLoop) {
  WrittenAccess Each = written(3, {0});
  const std::vector<WrittenAccess> Two = {Each, written(6)};
  const Code All = loads(3, 1, 1) + loads(4, 1);
  EXPECT_THAT(matchCompiled(Two, All).Accesses[0].Assumptions, areTheirOwn());
  Each.MayBeInvariantInSome = true;
  EXPECT_THAT(matchCompiled({Each, Two[1]}, All).Accesses[0].Assumptions,
              areDoubted());
  EXPECT_THAT(matchCompiled({Each, Two[1]}, loads(3, 1, 1) + loads(6, 1))
                  .Accesses[0]
                  .Assumptions,
              areTheirOwn());
}

// `x = t & 1 ? s[i] : 0; y = s[i];` where one load is behind the branch: that
// the second is made at all is a doubt of the first, too.
// Five turns are written out. The load that is the same in all of them is made
// once, on the line of the loop, and what changes has its line.
TEST(CompiledDoubts, WhatIsWrittenOutMayBeOfTheNextLine) {
  std::vector<WrittenAccess> Loads = {written(2, {5}), written(4, {8, 5})};
  Loads[0].Invariant = Loads[0].MayBeInvariantInSome = true;
  const CompiledKernel Found = matchCompiled(Loads, loads(1, 1) + loads(2, 5));
  EXPECT_THAT(Found.Accesses[0].Assumptions, areDoubted());
  // What is another in each turn is loaded in each.
  Loads[0].Invariant = Loads[0].MayBeInvariantInSome = false;
  EXPECT_THAT(
      matchCompiled(Loads, loads(1, 1) + loads(2, 5)).Accesses[0].Assumptions,
      areTheirOwn());
}

TEST(CompiledDoubts, OneInstructionSharesTheDoubts) {
  std::vector<WrittenAccess> Two = {written(3), written(3)};
  Two[1].Chain = Two[0].Chain;
  Two[0].InEachRun = false;
  Code One = loads(3, 1);
  const auto Holds = Contains(HasSubstr("the compiler adds"));
  for (const bool IsPredicated : {false, true}) {
    One[0].Predicated = IsPredicated;
    for (const CompiledAccess &Each : matchCompiled(Two, One).Accesses)
      EXPECT_EQ(testing::Matches(Holds)(Each.Assumptions), IsPredicated);
  }
}

} // namespace CompiledDoubtsTests
