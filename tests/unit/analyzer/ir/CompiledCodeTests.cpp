//===- tests/unit/analyzer/ir/CompiledCodeTests.cpp - Widths of lines -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledCode.h"

#include <gmock/gmock.h>

namespace CompiledCodeTests {

using namespace cudalint;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

static constexpr auto Load = AccessOp::Load;
static constexpr auto Store = AccessOp::Store;
static constexpr auto Shared = MemorySpace::Shared;
static constexpr auto Global = MemorySpace::Global;

static std::vector<Location> at(std::initializer_list<unsigned> Lines) {
  std::vector<Location> Frames;
  for (unsigned Line : Lines)
    Frames.push_back({.File = "a.cu", .Line = Line});
  return Frames;
}

static WrittenAccess written(std::initializer_list<unsigned> Lines,
                             unsigned Bytes, unsigned Chain = 0,
                             std::int64_t Offset = 0,
                             std::vector<std::int64_t> Steps = {}) {
  static unsigned Own = 1000;
  return {.Op = Load,
          .Space = Shared,
          .Bytes = Bytes,
          .Align = Bytes,
          .Frames = at(Lines),
          .Chain = Chain ? Chain : ++Own,
          .ChainOffset = Offset,
          .Steps = std::move(Steps)};
}

static MachineInstruction machine(std::initializer_list<unsigned> Lines,
                                  unsigned Bytes, std::int64_t Offset = 0) {
  std::vector<Location> Frames = at(Lines);
  for (Location &Each : Frames)
    Each.File = "/src/" + Each.File;
  return {.Name = "LDS",
          .Op = Load,
          .Space = Shared,
          .Bytes = Bytes,
          .Frames = Frames,
          .AddressOffset = Offset};
}

/// Bytes of the parts of each access.
static std::vector<std::vector<unsigned>> widths(const CompiledKernel &K) {
  std::vector<std::vector<unsigned>> Result;
  for (const CompiledAccess &A : K.Accesses) {
    Result.emplace_back();
    for (const CompiledPart &P : A.Parts)
      Result.back().push_back(P.Bytes);
  }
  return Result;
}

using Widths = std::vector<unsigned>;

TEST(CompiledCode, WhatIsWrittenIsCompiled) {
  const CompiledKernel K = matchCompiled({written({3}, 4), written({4}, 8)},
                                         {machine({4}, 8), machine({3}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}, Widths{8}));
  EXPECT_FALSE(K.Accesses[0].Parts[0].IsWider);
  EXPECT_EQ(K.Pools[K.Accesses[0].Parts[0].Pool][0].Bytes, 4u);
  EXPECT_THAT(K.Unmatched, IsEmpty());
}

// `t[4 * i] + t[4 * i + 1] + ...`: the first stands for all four.
TEST(CompiledCode, NeighboursAreOneInstruction) {
  std::vector<WrittenAccess> Four;
  for (int K = 0; K < 4; ++K)
    Four.push_back(written({3}, 4, 1, 4 * K));
  const CompiledKernel K = matchCompiled(Four, {machine({3}, 16)});
  EXPECT_THAT(widths(K),
              ElementsAre(Widths{16}, IsEmpty(), IsEmpty(), IsEmpty()));
  EXPECT_TRUE(K.Accesses[0].Parts[0].IsWider);
  EXPECT_THAT(K.Accesses[1].WhyRemoved, testing::HasSubstr("part of a wider"));
}

// Three words: the compiler makes 8 bytes of the first two, and 4 are left.
TEST(CompiledCode, WhatIsAloneInItsWordStaysNarrow) {
  const CompiledKernel K = matchCompiled(
      {written({3}, 4, 1, 0), written({3}, 4, 1, 4), written({3}, 4, 1, 8)},
      {machine({3}, 8), machine({3}, 4, 8)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{8}, IsEmpty(), Widths{4}));
}

TEST(CompiledCode, NeighboursOfOtherLinesToo) {
  const CompiledKernel K = matchCompiled(
      {written({3}, 4, 1, 0), written({4}, 4, 1, 4)}, {machine({3}, 8)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{8}, IsEmpty()));
  EXPECT_THAT(K.Accesses[1].WhyRemoved, testing::HasSubstr("part of a wider"));
}

// `f(t[i])`: that f needs is loaded in a line of f, far from the call. What is
// as near, but another width, is none of it.
TEST(CompiledCode, ArgumentsMayHaveTheLineOfTheFunction) {
  const CompiledKernel K =
      matchCompiled({written({171}, 4), written({171}, 1)},
                    {machine({6, 171}, 4), machine({163}, 1)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}, Widths{1}));
  EXPECT_THAT(K.Unmatched, IsEmpty());
}

TEST(CompiledCode, TurnsOfALoopAreOneInstruction) {
  const CompiledKernel K = matchCompiled(
      {written({3}, 4, 1, 0, {4})}, {machine({3}, 16), machine({3}, 16, 16)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{16}));
  EXPECT_THAT(K.Pools[0], SizeIs(2));
}

// `a[k] * b[16 * k]`: only what moves by its own size can be wider.
TEST(CompiledCode, OfOneLineThatWhichMayBeWiderIs) {
  const CompiledKernel K =
      matchCompiled({written({3}, 4, 1, 0, {4}), written({3}, 4, 2, 0, {64})},
                    {machine({3}, 16), machine({3}, 4), machine({3}, 4, 64)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{16}, Widths{4}));
}

// What a loop leaves over is as it is written.
TEST(CompiledCode, TheRestOfALoopIsNarrow) {
  const CompiledKernel K = matchCompiled({written({3}, 4, 1, 0, {4})},
                                         {machine({3}, 16), machine({3}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{16, 4}));
}

// Two components of a float4.
TEST(CompiledCode, PartsOfACopyAreSeveral) {
  const CompiledKernel K = matchCompiled(
      {written({3}, 16)}, {machine({3}, 4, 0x400), machine({3}, 4, 0x408)});
  ASSERT_THAT(widths(K), ElementsAre(Widths{4, 4}));
  EXPECT_EQ(K.Accesses[0].Parts[0].Offset, 0u);
  EXPECT_EQ(K.Accesses[0].Parts[1].Offset, 8u);
}

// `lut[d[t] & 255]`, of which nvcc needs one byte of each: two loads of bytes.
TEST(CompiledCode, OfAWideLoadOneByteMayBeNeeded) {
  std::vector<WrittenAccess> Both = {written({3}, 4), written({3}, 1)};
  const std::vector<MachineInstruction> Code = {machine({3}, 1, 2),
                                                machine({3}, 1)};
  const CompiledKernel K = matchCompiled(Both, Code);
  ASSERT_THAT(widths(K), ElementsAre(Widths{1}, Widths{1}));
  EXPECT_EQ(K.Accesses[0].Parts[0].Offset, 2u);
  for (const CompiledAccess &Each : K.Accesses) {
    EXPECT_THAT(K.Pools[Each.Parts[0].Pool], SizeIs(1));
    EXPECT_THAT(Each.Assumptions, ElementsAre(testing::HasSubstr("a line")));
  }
  // What is volatile is loaded as it is; of a loop, both may be copies.
  Both[0].Volatile = true;
  EXPECT_THAT(matchCompiled(Both, Code).Accesses[0].Parts, IsEmpty());
  Both[0].Volatile = false;
  Both[1].LoopDepth = 1;
  EXPECT_THAT(matchCompiled(Both, Code).Accesses[0].Parts, IsEmpty());
}

// One byte of one of two words, nobody knows of which: neither is gone.
TEST(CompiledCode, OfWideLoadsWithOneRestNoneIsRemoved) {
  const CompiledKernel K =
      matchCompiled({written({3}, 4), written({3}, 8), written({3}, 1)},
                    {machine({3}, 1), machine({3}, 1)});
  ASSERT_THAT(widths(K), ElementsAre(Widths{1}, Widths{1}, Widths{1}));
  EXPECT_EQ(K.Accesses[0].Parts[0].Pool, K.Accesses[1].Parts[0].Pool);
  EXPECT_NE(K.Accesses[0].Parts[0].Pool, K.Accesses[2].Parts[0].Pool);
}

TEST(CompiledCode, WhatHasNoInstructionIsRemoved) {
  const CompiledKernel K =
      matchCompiled({written({3}, 4), written({5}, 4)}, {machine({3}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}, IsEmpty()));
  EXPECT_THAT(K.Accesses[1].WhyRemoved, testing::HasSubstr("no instruction"));
}

// An instruction whose line nobody wrote may be that of any: nothing is said
// to be removed, and the instruction is not told apart from it.
TEST(CompiledCode, WhatMayBeElsewhereIsNotRemoved) {
  const CompiledKernel K =
      matchCompiled({written({3}, 4)}, {machine({300}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}));
  EXPECT_THAT(K.Accesses[0].Assumptions, SizeIs(1));
  EXPECT_THAT(K.Unmatched, IsEmpty());
}

// A helper at line 3, called at lines 7 and 9: each call is matched alone.
TEST(CompiledCode, CopiesOfAHelperAreApart) {
  const CompiledKernel K = matchCompiled(
      {written({3, 7}, 4, 1, 0, {4}), written({3, 9}, 4, 2, 0, {4})},
      {machine({3, 7}, 16), machine({3, 9}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{16}, Widths{4}));
}

// The compiler gives some of its instructions the line of the call.
TEST(CompiledCode, TheLineOfACallIsThatOfWhatItCalls) {
  const CompiledKernel K = matchCompiled({written({3, 7}, 4, 1, 0, {4})},
                                         {machine({3, 7}, 4), machine({7}, 8)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{8, 4}));
  EXPECT_THAT(K.Unmatched, IsEmpty());
}

TEST(CompiledCode, NearbyLinesOfOneStatement) {
  const CompiledKernel K = matchCompiled({written({5}, 4)}, {machine({3}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}));
  EXPECT_THAT(K.Unmatched, IsEmpty());
}

TEST(CompiledCode, OtherSpacesAndOperationsAreNotMatched) {
  WrittenAccess A = written({3}, 4), B = written({3}, 4);
  A.Space = Global;
  B.Op = Store;
  const CompiledKernel K = matchCompiled({A, B}, {machine({3}, 8)});
  EXPECT_THAT(widths(K), ElementsAre(IsEmpty(), IsEmpty()));
  EXPECT_THAT(K.Unmatched, SizeIs(1));
}

TEST(CompiledCode, GenericMayBeAny) {
  MachineInstruction Generic = machine({3}, 4);
  Generic.Space = MemorySpace::Generic;
  const CompiledKernel K = matchCompiled({written({3}, 4)}, {Generic});
  EXPECT_EQ(K.Pools.size(), 1u);
  EXPECT_THAT(K.Unmatched, IsEmpty());
}

// Branches of which each lane takes one, or the same address again.
TEST(CompiledCode, FewerInstructionsThanAccessesAreShared) {
  const CompiledKernel K = matchCompiled(
      {written({3}, 4, 1, 0), written({3}, 4, 2, 0)}, {machine({3}, 4)});
  ASSERT_THAT(widths(K), ElementsAre(Widths{4}, Widths{4}));
  EXPECT_TRUE(K.Accesses[0].Parts[0].IsShared);
  EXPECT_EQ(K.Accesses[0].Parts[0].Pool, K.Accesses[1].Parts[0].Pool);
}

TEST(CompiledCode, SpillsAreNobodys) {
  MachineInstruction Spill = machine({3}, 4);
  Spill.Space = MemorySpace::Local;
  const CompiledKernel K = matchCompiled({written({3}, 4)}, {Spill});
  EXPECT_THAT(K.Unmatched, IsEmpty());
  EXPECT_THAT(widths(K), ElementsAre(IsEmpty()));
}

TEST(CompiledCode, NothingOfNothing) {
  EXPECT_THAT(matchCompiled({}, {}).Accesses, IsEmpty());
  EXPECT_THAT(matchCompiled({}, {machine({3}, 4)}).Unmatched, SizeIs(1));
  EXPECT_THAT(widths(matchCompiled({written({3}, 4)}, {})),
              ElementsAre(IsEmpty()));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// An access of loop 7 that addresses the same in each turn of so many of the
/// loops around it, or moves by 4 bytes.
static WrittenAccess inLoop(unsigned Line, unsigned Invariant) {
  static unsigned Chain = 5000;
  WrittenAccess A = written({Line}, 4, ++Chain);
  A.Loop = 7;
  A.Invariant = Invariant;
  if (!Invariant)
    A.Steps = {1024};
  return A;
}

/// So many instructions of that line, with so many loops around each.
static std::vector<MachineInstruction> code(unsigned Line, unsigned Number,
                                            unsigned Depth) {
  std::vector<MachineInstruction> Result(Number, machine({Line}, 4));
  for (MachineInstruction &Each : Result)
    for (unsigned L = Depth; L-- != 0;)
      Each.Loops.push_back(0x100 * L);
  return Result;
}

static CompiledKernel
matchAll(const std::vector<WrittenAccess> &Written,
         std::initializer_list<std::vector<MachineInstruction>> Parts) {
  std::vector<MachineInstruction> All;
  for (const std::vector<MachineInstruction> &Each : Parts)
    All.insert(All.end(), Each.begin(), Each.end());
  return matchCompiled(Written, All);
}

static std::size_t poolOf(const CompiledKernel &K, std::size_t Access) {
  return K.Pools[K.Accesses[Access].Parts.at(0).Pool].size();
}

/// `x[i] += a[j] * b[j]` in line 3, and in line 4 of the same loop `c[j]`,
/// which is loaded in each turn: that says how many turns are written out.
static const std::vector<WrittenAccess> &sumOfProducts() {
  static const std::vector<WrittenAccess> Written = {
      inLoop(3, 1), inLoop(3, 0), inLoop(3, 0), inLoop(4, 0)};
  return Written;
}

TEST(CompiledCode, WhatIsInARegisterInTheLoopIsGone) {
  const CompiledKernel K =
      matchAll(sumOfProducts(), {code(3, 58, 1), code(4, 29, 1)});
  EXPECT_THAT(widths(K),
              ElementsAre(IsEmpty(), Widths{4}, Widths{4}, Widths{4}));
  EXPECT_THAT(K.Accesses[0].WhyRemoved, testing::HasSubstr("in a register"));
  EXPECT_EQ(poolOf(K, 1), 58u) << "a's and b's";
}

TEST(CompiledCode, WhatIsLoadedBeforeTheLoopIsHoisted) {
  const CompiledKernel K = matchAll(
      sumOfProducts(), {code(3, 58, 1), code(3, 1, 0), code(4, 29, 1)});
  ASSERT_THAT(widths(K),
              ElementsAre(Widths{4}, Widths{4}, Widths{4}, Widths{4}));
  EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, 1u);
  EXPECT_EQ(K.Accesses[1].Parts[0].Hoisted, 0u);
  // Its instruction is the one that is not in the loop.
  ASSERT_EQ(poolOf(K, 0), 1u);
  EXPECT_THAT(K.Pools[K.Accesses[0].Parts[0].Pool][0].Loops, IsEmpty());
  EXPECT_EQ(poolOf(K, 1), 58u);
}

// Before the loop, and before what is left of its turns: both are those of x.
TEST(CompiledCode, WhatIsHoistedMoreThanOnceKeepsItsInstructions) {
  const CompiledKernel K = matchAll(
      sumOfProducts(), {code(3, 58, 1), code(3, 2, 0), code(4, 29, 1)});
  ASSERT_THAT(widths(K),
              ElementsAre(Widths{4}, Widths{4}, Widths{4}, Widths{4}));
  EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, 1u);
  EXPECT_EQ(poolOf(K, 0), 2u);
  EXPECT_EQ(poolOf(K, 1), 58u);
}

// nvcc gives it the line of what is before the loop.
TEST(CompiledCode, WhatIsMovedOutHasAnotherLine) {
  std::vector<WrittenAccess> Written = sumOfProducts();
  for (WrittenAccess &Each : Written)
    Each.LoopDepth = 1;
  const CompiledKernel K =
      matchAll(Written, {code(30, 1, 0), code(3, 58, 1), code(4, 29, 1)});
  ASSERT_THAT(widths(K),
              ElementsAre(Widths{4}, Widths{4}, Widths{4}, Widths{4}));
  EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, 1u);
  EXPECT_EQ(poolOf(K, 0), 1u);
  EXPECT_EQ(poolOf(K, 1), 58u);
  EXPECT_THAT(K.Unmatched, IsEmpty());
  // Two of them, or one in a loop, are not its.
  for (const auto &Other : {code(30, 2, 0), code(30, 1, 1)}) {
    const CompiledKernel Two =
        matchAll(Written, {Other, code(3, 58, 1), code(4, 29, 1)});
    EXPECT_THAT(Two.Accesses[0].Parts, IsEmpty());
    EXPECT_THAT(Two.Unmatched, SizeIs(Other.size()));
  }
}

TEST(CompiledCode, WhatIsLoadedInEachTurnIsAsWritten) {
  const CompiledKernel K =
      matchAll(sumOfProducts(), {code(3, 87, 1), code(4, 29, 1)});
  for (std::size_t A = 0; A != 3; ++A) {
    ASSERT_THAT(K.Accesses[A].Parts, SizeIs(1));
    EXPECT_EQ(K.Accesses[A].Parts[0].Hoisted, 0u);
    EXPECT_EQ(poolOf(K, A), 87u);
  }
}

// Of two loops that do not change it, it leaves as many as the code says, and
// no more than there are.
TEST(CompiledCode, HowManyLoopsItLeaves) {
  for (const auto &[Invariant, Depth, Hoisted] :
       {std::tuple(2u, 0u, 2u), std::tuple(2u, 1u, 1u), std::tuple(1u, 1u, 1u),
        std::tuple(1u, 0u, 1u)}) {
    const CompiledKernel K =
        matchAll({inLoop(3, Invariant), inLoop(3, 0), inLoop(4, 0)},
                 {code(3, 1, 2), code(3, 1, Depth), code(4, 1, 2)});
    ASSERT_THAT(widths(K), ElementsAre(Widths{4}, Widths{4}, Widths{4}));
    EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, Hoisted)
        << Invariant << ", at depth " << Depth;
    EXPECT_EQ(K.Accesses[1].Parts[0].Hoisted, 0u);
  }
}

// `t[i]` alone in its line: the loop of line 4 has one more loop around it.
TEST(CompiledCode, AloneInItsLineItIsHoistedToo) {
  const CompiledKernel K =
      matchAll({inLoop(3, 1), inLoop(4, 0)}, {code(3, 1, 0), code(4, 8, 1)});
  ASSERT_THAT(widths(K), ElementsAre(Widths{4}, Widths{4}));
  EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, 1u);
}

// `if (i < t) x += s[t];` is loaded once by the lanes of all turns together.
TEST(CompiledCode, OnceForAllTurnsIsOfTheLanesOfAll) {
  WrittenAccess Always = inLoop(3, 1), Sometimes = Always;
  Always.InEachTurn = 1;
  for (const WrittenAccess &Each : {Always, Sometimes}) {
    const CompiledKernel K =
        matchAll({Each, inLoop(4, 0)}, {code(3, 1, 0), code(4, 8, 1)});
    EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, 1u);
    EXPECT_EQ(K.Accesses[0].Assumptions.empty(), Each.InEachTurn == 1);
  }
}

// A store in 8 turns that are written out: all but the last are overwritten.
// Three of them are left, of copies of the loop around; of which turns, nobody
// knows.
TEST(CompiledCode, TurnsThatAreOverwrittenAreLeftOut) {
  WrittenAccess Store = inLoop(3, 1);
  Store.Op = AccessOp::Store;
  Store.LoopDepth = 2;
  Store.Bytes = 8;
  std::vector<MachineInstruction> Code = code(3, 3, 1);
  for (MachineInstruction &Each : Code)
    Each.Op = AccessOp::Store;
  EXPECT_THAT(matchCompiled({Store}, Code).Accesses[0].Assumptions,
              ElementsAre(testing::HasSubstr("are those of its accesses")));
}

// `t != 7 ? pair[t] : word[t]`: nvcc makes an LDS.64 of words of which it knows
// where they are. The pair has one, and nobody knows which.
TEST(CompiledCode, OneHasTwoAndAnotherNone) {
  const CompiledKernel K =
      matchCompiled({written({3}, 8, 1), written({3}, 4, 2)},
                    {machine({3}, 8), machine({3}, 8)});
  EXPECT_EQ(K.Accesses[0].Assumptions.size(), 1u);
}

// Twice: none of them is left for another access nearby that has none.
TEST(CompiledCode, WhatIsHoistedTwiceIsNobodyElses) {
  const CompiledKernel K =
      matchAll({inLoop(3, 1), inLoop(4, 0), written({2}, 4)},
               {code(3, 2, 0), code(4, 8, 1)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}, Widths{4}, IsEmpty()));
  EXPECT_EQ(poolOf(K, 0), 2u);
  EXPECT_THAT(K.Unmatched, IsEmpty());
}

// One in each of 4 turns: the compiler did not know that nobody writes there.
TEST(CompiledCode, WhatMayChangeStaysInTheLoop) {
  const CompiledKernel K =
      matchAll({inLoop(3, 1), inLoop(4, 0)}, {code(3, 4, 1), code(4, 4, 1)});
  EXPECT_EQ(K.Accesses[0].Parts.at(0).Hoisted, 0u);
  EXPECT_EQ(poolOf(K, 0), 4u);
}

// An atomic, or what is volatile, happens in each turn, whatever it addresses.
TEST(CompiledCode, WhatIsVolatileIsNotHoisted) {
  WrittenAccess Volatile = inLoop(3, 1);
  Volatile.Volatile = true;
  const CompiledKernel K =
      matchAll({Volatile, inLoop(3, 0), inLoop(4, 0)},
               {code(3, 1, 0), code(3, 1, 1), code(4, 1, 1)});
  ASSERT_THAT(K.Accesses[0].Parts, SizeIs(1));
  EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, 0u);
}

// Accesses of two loops in one line are not judged by either.
TEST(CompiledCode, OfTwoLoopsNothingIsSaid) {
  WrittenAccess Other = inLoop(3, 0);
  Other.Loop = 8;
  const CompiledKernel K =
      matchAll({inLoop(3, 1), Other, inLoop(4, 0)},
               {code(3, 1, 0), code(3, 1, 1), code(4, 1, 1)});
  ASSERT_THAT(widths(K), ElementsAre(Widths{4}, Widths{4}, Widths{4}));
  EXPECT_EQ(K.Accesses[0].Parts[0].Hoisted, 0u);
}

//===----------------------------------------------------------------------===//
// Without the code
//===----------------------------------------------------------------------===//

static WrittenAccess inArray(int Offset, unsigned Align = 4, unsigned Run = 0,
                             std::vector<std::int64_t> Steps = {}) {
  WrittenAccess A = written({3}, 4, 1, Offset, std::move(Steps));
  A.Align = Align;
  A.BaseAlign = 16;
  A.Run = Run;
  return A;
}

TEST(ExpectedCode, AlignedNeighboursAreOne) {
  const CompiledKernel K =
      expectCompiled({inArray(0, 16), inArray(4), inArray(8, 8), inArray(12),
                      inArray(16, 16)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{16}, IsEmpty(), IsEmpty(),
                                     IsEmpty(), Widths{4}));
  EXPECT_THAT(K.Accesses[0].Assumptions,
              ElementsAre(testing::HasSubstr("one access")));
}

// nvcc 13.0 loads the fourth with them; it stores two, and one.
TEST(ExpectedCode, ThreeAreLoadedAsFour) {
  std::vector<WrittenAccess> Three = {inArray(0, 16), inArray(4),
                                      inArray(8, 8)};
  EXPECT_THAT(widths(expectCompiled(Three)),
              ElementsAre(Widths{16}, IsEmpty(), IsEmpty()));
  for (WrittenAccess &Each : Three)
    Each.Op = AccessOp::Store;
  EXPECT_THAT(widths(expectCompiled(Three)),
              ElementsAre(Widths{8}, IsEmpty(), Widths{4}));
}

TEST(ExpectedCode, WhatIsNotAlignedStays) {
  const CompiledKernel K = expectCompiled({inArray(4), inArray(8)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}, Widths{4}));
}

TEST(ExpectedCode, WhatAStorePartsStaysUnderAnAssumption) {
  const CompiledKernel K =
      expectCompiled({inArray(0, 16, 1), inArray(4, 4, 2)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}, Widths{4}));
  EXPECT_THAT(K.Accesses[0].Assumptions,
              ElementsAre(testing::HasSubstr("neighbouring")));
}

// nvcc unrolls the loop and makes one access of four turns, or not.
TEST(ExpectedCode, TurnsOfALoopStayApartUnderAnAssumption) {
  const CompiledKernel K = expectCompiled({inArray(0, 4, 0, {4})});
  EXPECT_THAT(K.Accesses[0].Assumptions,
              ElementsAre(testing::HasSubstr("turns")));
}

// ptxas gives both instructions the call in line 9: it writes no row where the
// line stays the same and the call alone changes.
TEST(CompiledCode, TwoCallsOfOneFunctionShareItsInstructions) {
  const CompiledKernel K =
      matchCompiled({written({1, 8}, 4), written({1, 9}, 4)},
                    {machine({1, 9}, 4), machine({1, 9}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(ElementsAre(4u), ElementsAre(4u)));
  EXPECT_TRUE(K.Unmatched.empty());
}

// `if (t < 32) put(4 * t); else put(2 * t);` in line 8 shares one instruction,
// which has the call in line 9, as the other one has.
TEST(CompiledCode, CallsInBranchesShareARowTogether) {
  std::vector<WrittenAccess> Calls = {written({1, 8}, 4), written({1, 8}, 4),
                                      written({1, 9}, 4)};
  Calls[0].Alternative = Calls[1].Alternative = 1;
  Calls[0].Frames[1].Column = 16;
  const CompiledKernel K =
      matchCompiled(Calls, {machine({1, 9}, 4), machine({1, 9}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}, Widths{4}, Widths{4}));
  EXPECT_EQ(K.Accesses[0].Parts[0].Pool, K.Accesses[1].Parts[0].Pool);
  EXPECT_NE(K.Accesses[0].Parts[0].Pool, K.Accesses[2].Parts[0].Pool);
}

// `set(p, float)` in line 8 and `set(q, double)` in line 9, in a loop of two
// turns that is written out: ptxas gives the instructions of the second turn
// the call of what was before them.
TEST(CompiledCode, CallsOfOneFunctionKeepTheirWidths) {
  const CompiledKernel K =
      matchCompiled({written({1, 8}, 4), written({1, 9}, 8)},
                    {machine({1, 8}, 4), machine({1, 8}, 8), machine({1, 9}, 8),
                     machine({1, 9}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(Each(4u), Each(8u)));
  EXPECT_TRUE(K.Unmatched.empty());
  // One that is as wide as what it is given to stays there.
  const CompiledKernel Parts = matchCompiled(
      {written({1, 8}, 4), written({1, 9}, 8)},
      {machine({1, 8}, 4), machine({1, 9}, 4), machine({1, 9}, 4)});
  EXPECT_THAT(widths(Parts), ElementsAre(Widths{4}, Each(4u)));
}

static WrittenAccess stored(std::initializer_list<unsigned> Lines,
                            unsigned Bytes, unsigned Chain = 0,
                            std::int64_t Offset = 0) {
  WrittenAccess A = written(Lines, Bytes, Chain, Offset);
  A.Op = Store;
  A.MostAlign = 16;
  return A;
}

static MachineInstruction machineStore(std::initializer_list<unsigned> Lines,
                                       unsigned Bytes) {
  MachineInstruction I = machine(Lines, Bytes);
  I.Op = Store;
  return I;
}

// Of a load, a half may be enough; what is stored is stored whole.
TEST(CompiledCode, AStoreOfAnotherCallIsNoPartOfAWiderOne) {
  std::vector<WrittenAccess> Calls = {written({1, 8}, 4), written({1, 9}, 8)};
  std::vector<MachineInstruction> Code = {
      machine({1, 8}, 4), machine({1, 9}, 8), machine({1, 9}, 4)};
  for (WrittenAccess &Each : Calls)
    Each.Op = Store;
  for (MachineInstruction &Each : Code)
    Each.Op = Store;
  EXPECT_THAT(widths(matchCompiled(Calls, Code)),
              ElementsAre(Each(4u), Widths{8}));
  // Two neighbours could be one of 8 bytes, but another call stores as many at
  // once, and has no other instruction for that.
  EXPECT_THAT(
      widths(matchCompiled(
          {stored({1, 8}, 8), stored({1, 9}, 4, 1, 0), stored({1, 9}, 4, 1, 4)},
          {machineStore({1, 9}, 8), machineStore({1, 9}, 4),
           machineStore({1, 9}, 4)})),
      ElementsAre(Widths{8}, Widths{4}, Widths{4}));
  // Where it is not aligned, in parts.
  Calls[1].Align = 4;
  EXPECT_THAT(widths(matchCompiled(Calls, Code))[0], Widths{4});
}

// One instruction is that of the call it names; the other access has none.
TEST(CompiledCode, ACallThatIsGoneHasNoPartInTheOther) {
  const CompiledKernel K = matchCompiled(
      {written({1, 8}, 4), written({1, 9}, 4)}, {machine({1, 9}, 4)});
  EXPECT_THAT(widths(K), ElementsAre(IsEmpty(), ElementsAre(4u)));
}

// Of a pointer nobody knows more than its type says: nothing can be merged.
TEST(ExpectedCode, ThroughPointersNothingIsMerged) {
  WrittenAccess Store = written({3}, 4, 1, 0, {4});
  Store.Op = AccessOp::Store;
  EXPECT_THAT(expectCompiled({Store}).Accesses[0].Assumptions, IsEmpty());
}

//===----------------------------------------------------------------------===//
// Fewer instructions than accesses
//===----------------------------------------------------------------------===//

static MachineInstruction wide(unsigned Line, unsigned Bytes,
                               std::int64_t Offset) {
  return machine({Line}, Bytes, Offset);
}

// Of four members the second and the third are left, wherever they are.
TEST(CompiledCode, DistancesTellWhichMembersAreLeft) {
  std::vector<WrittenAccess> Members;
  for (std::int64_t Offset : {0, 4, 12, 24})
    Members.push_back(written({3}, 4, 7, Offset));
  for (std::int64_t Shift : {0, 256}) {
    const CompiledKernel K =
        matchCompiled(Members, {wide(3, 4, Shift + 4), wide(3, 4, Shift + 12)});
    EXPECT_THAT(widths(K),
                ElementsAre(IsEmpty(), Widths{4}, Widths{4}, IsEmpty()))
        << Shift;
  }
}

// Neighbours at equal distances: it may be any two of them.
TEST(CompiledCode, EqualDistancesDoNotTell) {
  std::vector<WrittenAccess> Members;
  for (std::int64_t Offset : {0, 4, 8})
    Members.push_back(written({3}, 4, 7, Offset));
  const CompiledKernel K =
      matchCompiled(Members, {wide(3, 4, 256), wide(3, 4, 260)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{4}, Widths{4}, Widths{4}));
  EXPECT_TRUE(K.Accesses[0].Parts[0].IsShared);
}

// double4 in two halves, of the second of which only z is needed.
TEST(CompiledCode, TheSecondHalfIsNarrower) {
  const CompiledKernel K =
      matchCompiled({written({3}, 16, 7, 0), written({3}, 16, 7, 16)},
                    {wide(3, 16, 0), wide(3, 8, 16)});
  EXPECT_THAT(widths(K), ElementsAre(Widths{16}, Widths{8}));
}

TEST(CompiledCode, AlternativesShareTheirInstruction) {
  std::vector<WrittenAccess> Two = {written({3}, 4), written({5}, 4)};
  for (WrittenAccess &Each : Two)
    Each.Alternative = 1;
  const CompiledKernel K = matchCompiled(Two, {machine({5}, 4)});
  for (const CompiledAccess &Each : K.Accesses) {
    ASSERT_THAT(Each.Parts, SizeIs(1));
    EXPECT_TRUE(Each.Parts[0].IsAlternative);
    EXPECT_THAT(Each.Assumptions, SizeIs(1));
  }
  // Of others, what has no instruction is gone.
  Two[1].Alternative = 2;
  EXPECT_THAT(widths(matchCompiled(Two, {machine({5}, 4)})),
              ElementsAre(IsEmpty(), Widths{4}));
}

// Three calls of a function whose loop of 4 turns is written out: 12
// instructions, none of which has the second call. They may be of any call.
TEST(CompiledCode, ACallWithoutRowsIsAmongThoseWithTooMany) {
  std::vector<WrittenAccess> Calls = {written({1, 7}, 4), written({1, 8}, 4),
                                      written({1, 9}, 4)};
  for (WrittenAccess &Each : Calls) {
    Each.Loop = Each.LoopDepth = 1;
    Each.Turns = 4;
  }
  std::vector<MachineInstruction> Code(5, machine({1, 7}, 4));
  Code.insert(Code.end(), 7, machine({1, 9}, 4));
  const CompiledKernel K = matchCompiled(Calls, Code);
  for (const CompiledAccess &Each : K.Accesses) {
    ASSERT_THAT(Each.Parts, SizeIs(1));
    EXPECT_THAT(K.Pools[Each.Parts[0].Pool], SizeIs(12));
  }
  // Four for each of the others: it is gone.
  Code.erase(Code.begin());
  Code.resize(8, machine({1, 9}, 4));
  EXPECT_THAT(matchCompiled(Calls, Code).Accesses[1].Parts, IsEmpty());
}

// atomicAdd is a function in a header: of two calls behind each other both
// instructions have the line of one.
TEST(CompiledCode, CallsOfTheToolkitShareARow) {
  std::vector<WrittenAccess> Calls = {written({7}, 4), written({8}, 4)};
  for (WrittenAccess &Each : Calls) {
    Each.Op = AccessOp::Atomic;
    Each.InHeader = true;
  }
  MachineInstruction I = machine({7}, 4);
  I.Op = AccessOp::Atomic;
  for (unsigned Line : {7u, 8u}) {
    I.Frames = at({Line});
    EXPECT_THAT(widths(matchCompiled(Calls, {I, I})),
                ElementsAre(Widths{4}, Widths{4}));
  }
  Calls[1].InHeader = false;
  I.Frames = at({7});
  EXPECT_THAT(widths(matchCompiled(Calls, {I, I})),
              ElementsAre(Widths{4}, IsEmpty()));
}

// Lanes that nvcc adds up first: the instruction has a predicate.
TEST(CompiledCode, OneLaneMakesWhatAddsUp) {
  WrittenAccess Sum = written({7}, 4);
  Sum.Op = AccessOp::Atomic;
  Sum.AddsUp = true;
  MachineInstruction I = machine({7}, 4);
  I.Op = AccessOp::Atomic;
  EXPECT_FALSE(matchCompiled({Sum}, {I}).Accesses[0].Parts.at(0).OneLane);
  I.Predicated = true;
  EXPECT_TRUE(matchCompiled({Sum}, {I}).Accesses[0].Parts.at(0).OneLane);
  Sum.AddsUp = false;
  EXPECT_FALSE(matchCompiled({Sum}, {I}).Accesses[0].Parts.at(0).OneLane);
}

// A load in each run, whose one instruction is on another line and behind a
// branch: neither says what the other does.
TEST(CompiledCode, EachAssumptionIsTold) {
  WrittenAccess A = written({3}, 4);
  A.InEachRun = true;
  MachineInstruction I = machine({5}, 4);
  I.Block = 64;
  EXPECT_THAT(matchCompiled({A}, {I}).Accesses[0].Assumptions,
              testing::UnorderedElementsAre(testing::HasSubstr("nearest"),
                                            testing::HasSubstr("condition")));
}

} // namespace CompiledCodeTests
