//===- tests/unit/analyzer/pipeline/AccessRecordsTests.cpp - Tests --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/AccessRecords.h"

#include <gmock/gmock.h>

namespace AccessRecordsTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

static constexpr const char *Toolkit =
    "/usr/local/cuda/include/sm_32_intrinsics.hpp";

/// A load in `load()`, line 3 of a header, which is called in line 20 of
/// `row()`, which the kernel calls in line 40: one request of 4 sectors.
static Access access() {
  Access A;
  A.Where = {.File = "src/a.cuh", .Line = 3, .Column = 9};
  A.UserWhere = A.Where;
  A.InlinedAt = {{.File = "src/a.cu", .Line = 20, .Column = 5},
                 {.File = "src/a.cu", .Line = 40, .Column = 7}};
  A.Bytes = 4;
  A.Trust = Certainty::Exact;
  A.Predicted = Traffic{.PerRequest = 4, .Ideal = 4, .Lanes = 32};
  A.Executions = 1;
  return A;
}

static MachineInstruction machine(std::uint64_t Offset, Location Where = {}) {
  return {.Name = "LDG.E",
          .Offset = Offset,
          .Space = MemorySpace::Global,
          .Bytes = 4,
          .Where = std::move(Where)};
}

static Location inMain(unsigned Line) {
  return {.File = "/build/src/a.cu", .Line = Line};
}

/// Three turns of 4, 8 and 16 sectors.
static Access unequalTurns() {
  Access A = access();
  A.Executions = 3;
  A.Predicted->PerRequest = 28 / 3.0;
  for (double Sectors : {4, 8, 16})
    A.InOrder.push_back(
        {.PerRequest = Sectors, .Ideal = 4, .Lanes = 32, .Requests = 1});
  return A;
}

static std::vector<AccessRecord> recordsOf(const Access &A) {
  std::vector<AccessRecord> Records;
  addRecords(A, Records);
  return Records;
}

TEST(AccessRecords, costsByPowerBoundTheRequest) {
  Access A = access();
  A.Trust = Certainty::Unknown;
  A.Predicted.reset();
  A.ByPower = CostByPower{.Symbol = "n",
                          .Assumptions = {},
                          .Values = {{.Power = 1, .PerRequest = 2},
                                     {.Power = 2, .PerRequest = 8},
                                     {.Power = 4, .PerRequest = 4}}};
  const AccessRecord Record = recordOf(A);
  EXPECT_FALSE(Record.PerRequest) << "there is no one number";
  EXPECT_EQ(Record.Least, 2);
  EXPECT_EQ(Record.Most, 8);
  EXPECT_EQ(Record.ByPower, A.ByPower);
  EXPECT_FALSE(recordOf(access()).Least);
  // Two shapes that differ by power only are two records.
  std::vector<Access> All;
  std::uint64_t NextGroup = 1;
  addShape(All, {A}, NextGroup);
  A.ByPower->Values[1].PerRequest = 16;
  addShape(All, {A}, NextGroup);
  EXPECT_THAT(All, SizeIs(2));
  addShape(All, {A}, NextGroup);
  EXPECT_THAT(All, SizeIs(2));
}

static std::vector<double> sectors(const std::vector<AccessRecord> &Records) {
  std::vector<double> Result;
  for (const AccessRecord &Each : Records)
    Result.push_back(Each.PerRequest.value_or(-1));
  return Result;
}

//===----------------------------------------------------------------------===//
// One record for each instruction
//===----------------------------------------------------------------------===//

TEST(AccessRecords, WithoutTheMachineCodeThereIsOne) {
  const std::vector<AccessRecord> Records = recordsOf(unequalTurns());
  ASSERT_THAT(Records, SizeIs(1));
  EXPECT_FALSE(Records[0].Compiled);
  EXPECT_FALSE(Records[0].Written);
  EXPECT_EQ(Records[0].Executions, 3);
  EXPECT_EQ(Records[0].PerRequest, 28 / 3.0);
}

// As many instructions as requests: the loop is unrolled, and the first is the
// first turn.
TEST(AccessRecords, EachTurnHasItsInstruction) {
  Access A = unequalTurns();
  A.Instructions = {machine(0x100), machine(0x180), machine(0x200)};
  A.InOrder[2].Lanes = 8;
  A.InOrder[2].Ideal = 1;
  const std::vector<AccessRecord> Records = recordsOf(A);
  EXPECT_THAT(sectors(Records), ElementsAre(4, 8, 16));
  ASSERT_THAT(Records, SizeIs(3));
  for (std::size_t I = 0; I != 3; ++I) {
    EXPECT_EQ(Records[I].Executions, 1);
    EXPECT_EQ(Records[I].Compiled, A.Instructions[I]);
  }
  EXPECT_EQ(Records[1].Lanes, 32);
  EXPECT_EQ(Records[2].Lanes, 8);
  EXPECT_EQ(Records[2].Ideal, 1);
}

// Two instructions for three turns: each has the mean, and half of the
// requests.
TEST(AccessRecords, OtherwiseEachHasItsShare) {
  Access A = unequalTurns();
  A.Instructions = {machine(0x100), machine(0x180)};
  const std::vector<AccessRecord> Records = recordsOf(A);
  EXPECT_THAT(sectors(Records), ElementsAre(28 / 3.0, 28 / 3.0));
  for (const AccessRecord &Each : Records)
    EXPECT_EQ(Each.Executions, 1.5);
}

TEST(AccessRecords, WhatIsNotCountedStaysSo) {
  Access A = access();
  A.Executions.reset();
  A.WhyNotCounted = "a condition";
  A.Instructions = {machine(0x100), machine(0x180)};
  for (const AccessRecord &Each : recordsOf(A)) {
    EXPECT_FALSE(Each.Executions);
    EXPECT_EQ(Each.WhyNotCounted, "a condition");
  }
}

// Nobody knows what it costs; it is counted all the same.
TEST(AccessRecords, WhatIsNotKnownSaysWhyAndIsCounted) {
  Access A = access();
  A.Trust = Certainty::Unknown;
  A.Predicted.reset();
  A.WhyUnknown = "the index is loaded";
  A.Cause = UnknownCause::LoadedData;
  A.Instructions = {machine(0x100), machine(0x180)};
  const std::vector<AccessRecord> Records = recordsOf(A);
  ASSERT_THAT(Records, SizeIs(2));
  EXPECT_FALSE(Records[1].PerRequest);
  ASSERT_TRUE(Records[1].Unknown);
  EXPECT_EQ(Records[1].Unknown->Cause, UnknownCause::LoadedData);
  EXPECT_EQ(Records[1].Executions, 0.5);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// An access to rows of 32 floats that reaches up to that byte of them.
static Access toRows(std::int64_t Last) {
  Access A = access();
  A.Space = MemorySpace::Shared;
  A.Variable = "tile";
  A.LastInRow = Last;
  A.Source.Object = "tile";
  A.Source.Array = ArrayFact{{32, 32}, 4, {}, {}};
  return A;
}

/// Of `c ? a[t][0] : b[t][0]`: blocks of one shape come to either, and so no
/// array is the one of it; those of the other shape come to one of them.
TEST(AccessRecords, RowsAreThoseOfOneArray) {
  Access Either = toRows(3);
  Either.Source = {};
  Either.LastInRow.reset();
  std::vector<Access> All = {Either};
  std::uint64_t NextGroup = 1;
  addShape(All, {toRows(3)}, NextGroup);
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_THAT(rowsOf(All), IsEmpty());

  All.push_back(toRows(7));
  const std::vector<RowUse> Rows = rowsOf(All);
  ASSERT_THAT(Rows, SizeIs(1));
  EXPECT_EQ(Rows[0].RowBytes, 128u);
  EXPECT_EQ(Rows[0].LastInRow, 7u);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

// The line table has the call in `row()`: the profiler shows it there. What is
// left of the chain is the kernel's call.
TEST(AccessRecords, ThePlaceIsTheOneOfTheLineTable) {
  Access A = access();
  A.Instructions = {machine(0x100, inMain(20))};
  const AccessRecord Record = recordsOf(A).front();
  EXPECT_EQ(Record.Where, A.InlinedAt[0]);
  EXPECT_EQ(Record.Written, A.Where);
  EXPECT_THAT(Record.InlinedAt, ElementsAre(A.InlinedAt[1]));

  A.Instructions = {machine(0x100, inMain(40))};
  const AccessRecord Outermost = recordsOf(A).front();
  EXPECT_EQ(Outermost.Where, A.InlinedAt[1]);
  EXPECT_EQ(Outermost.Written, A.Where);
  EXPECT_THAT(Outermost.InlinedAt, IsEmpty());
}

// Clang has atomicAdd() in its own headers, which are no place; nvcc names the
// line of the toolkit's.
TEST(AccessRecords, OrInAHeaderOfTheToolkit) {
  Access A = access();
  A.Instructions = {machine(0x100, {.File = Toolkit, .Line = 123})};
  A.Instructions[0].IsInHeader = true;
  const AccessRecord Record = recordsOf(A).front();
  EXPECT_EQ(Record.Where.File, Toolkit);
  EXPECT_EQ(Record.Where.Line, 123u);
  EXPECT_EQ(Record.Written, A.Where);
  EXPECT_THAT(Record.InlinedAt,
              ElementsAre(A.Where, A.InlinedAt[0], A.InlinedAt[1]));
}

TEST(AccessRecords, WhatIsWrittenThereIsNotMoved) {
  const Location Same = {.File = "/build/src/a.cuh", .Line = 3};
  for (const Location &Where :
       {Same, Location(), Location{.File = "b.cu", .Line = 20}}) {
    Access A = access();
    A.Instructions = {machine(0x100, Where)};
    const AccessRecord Record = recordsOf(A).front();
    EXPECT_EQ(Record.Where, A.Where) << Where.File << ':' << Where.Line;
    EXPECT_FALSE(Record.Written);
    EXPECT_EQ(Record.InlinedAt, A.InlinedAt);
  }
}

// The compiler sinks the accesses of two branches behind both: profilers show
// them there.
TEST(AccessRecords, WhatIsSunkIsWhereTheCompilerHasIt) {
  Access A = access();
  A.Instructions = {machine(0x100, {.File = "a.cuh", .Line = 7})};
  const AccessRecord Record = recordsOf(A).front();
  EXPECT_EQ(Record.Where.Line, 7U);
  EXPECT_EQ(Record.Written, A.Where);
  EXPECT_EQ(Record.InlinedAt, A.InlinedAt);
}

// Some are shown here, some there: each where it is.
TEST(AccessRecords, EachInstructionHasItsPlace) {
  Access A = unequalTurns();
  A.Instructions = {machine(0x100, inMain(20)),
                    machine(0x180, {.File = "a.cuh", .Line = 3}),
                    machine(0x200, inMain(40))};
  std::vector<unsigned> Lines;
  for (const AccessRecord &Each : recordsOf(A))
    Lines.push_back(Each.Where.Line);
  EXPECT_THAT(Lines, ElementsAre(20, 3, 40));
  // Turns that are alike may be any of them, and any number.
  A.InOrder.clear();
  A.Executions = 100;
  Lines.clear();
  for (const AccessRecord &Each : recordsOf(A))
    Lines.push_back(Each.Where.Line);
  EXPECT_THAT(Lines, ElementsAre(20, 3, 40));
}

// The mean of unequal turns is that of both instructions, in one place, and not
// that of either where it is alone.
TEST(AccessRecords, UnequalTurnsThatNobodyCanTellApartStayTogether) {
  Access A = unequalTurns();
  A.Instructions = {machine(0x100, inMain(20)), machine(0x180, inMain(40))};
  for (const AccessRecord &Each : recordsOf(A)) {
    EXPECT_EQ(Each.Where, A.Where);
    EXPECT_FALSE(Each.Written);
    EXPECT_EQ(Each.InlinedAt, A.InlinedAt);
  }
}

//===----------------------------------------------------------------------===//
// Several launches
//===----------------------------------------------------------------------===//

/// The one access that is left of two launches in which it costs the same.
static Access merged(std::optional<double> First,
                     std::optional<double> Second) {
  std::uint64_t NextGroup = 1;
  std::vector<Access> All;
  for (std::optional<double> Count : {First, Second}) {
    Access A = access();
    A.Executions = Count;
    A.WhyNotCounted = Count ? "" : All.empty() ? "first" : "second";
    addShape(All, {A}, NextGroup);
  }
  EXPECT_THAT(All, SizeIs(1));
  return All.empty() ? Access() : All.front();
}

TEST(AccessRecords, LaunchesThatAgreeAreCounted) {
  EXPECT_EQ(merged(2, 2).Executions, 2);
  EXPECT_EQ(merged(2, 2).WhyNotCounted, "");
}

TEST(AccessRecords, LaunchesThatDifferAreNotCounted) {
  EXPECT_FALSE(merged(2, 3).Executions);
  EXPECT_EQ(merged(2, 3).WhyNotCounted, "launches differ in it");
  EXPECT_FALSE(merged(2, std::nullopt).Executions);
  EXPECT_EQ(merged(2, std::nullopt).WhyNotCounted, "second");
  EXPECT_FALSE(merged(std::nullopt, 2).Executions);
  EXPECT_EQ(merged(std::nullopt, 2).WhyNotCounted, "first");
  EXPECT_EQ(merged(std::nullopt, std::nullopt).WhyNotCounted, "first");
}

// Each launch keeps its own count: a finding is about one of them.
TEST(AccessRecords, TheRecordOfTwoBlocksHasBothCounts) {
  std::uint64_t NextGroup = 1;
  std::vector<Access> All;
  Access A = access();
  A.Block = {32, 1, 1};
  A.Executions = 2;
  addShape(All, {A}, NextGroup);
  A.Block = {64, 1, 1};
  A.Executions.reset();
  A.Frequencies = {{.Times = 3, .Loops = {1}}};
  addShape(All, {A}, NextGroup);
  ASSERT_THAT(All, SizeIs(1));
  const BlockCount First = {.Block = {32, 1, 1}, .Executions = 2};
  const BlockCount Second = {
      .Block = {64, 1, 1}, .Executions = {}, .Frequencies = A.Frequencies};
  EXPECT_THAT(recordOf(All[0]).Counts, ElementsAre(First, Second));
}

// Three turns that are written out are three instructions, and no loop.
TEST(AccessRecords, InstructionsShareWhatTheAccessDoes) {
  Access A = access();
  A.Executions.reset();
  A.Frequencies = {{.Times = 3, .Loops = {1}}};
  A.Instructions.resize(3);
  const std::vector<AccessRecord> Records = recordsOf(A);
  ASSERT_THAT(Records, SizeIs(3));
  for (const AccessRecord &Each : Records) {
    ASSERT_THAT(Each.Counts, SizeIs(1));
    EXPECT_THAT(Each.Counts[0].Frequencies,
                ElementsAre(Frequency{.Times = 1, .Loops = {1}}));
  }
}

// Ten blocks, of which each counts a tenth, and one: once each.
TEST(AccessRecords, LaunchesAgreeThoughNotToTheLastBit) {
  double Tenths = 0;
  for (int Block = 0; Block != 10; ++Block)
    Tenths += 0.1;
  ASSERT_NE(Tenths, 1.0);
  ASSERT_TRUE(merged(1, Tenths).Executions) << merged(1, Tenths).WhyNotCounted;
  EXPECT_NEAR(*merged(1, Tenths).Executions, 1, 1e-9);
}

// A third launch does not bring back what two of them do not agree on.
TEST(AccessRecords, WhatIsNotCountedOnceIsNotCountedAgain) {
  std::uint64_t NextGroup = 1;
  std::vector<Access> All;
  for (double Count : {2, 3, 2}) {
    Access A = access();
    A.Executions = Count;
    addShape(All, {A}, NextGroup);
  }
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_FALSE(All[0].Executions);
  EXPECT_EQ(All[0].WhyNotCounted, "launches differ in it");
}

// What costs something else is an access of its own, and keeps its count.
TEST(AccessRecords, LaunchesOfOtherCostStandAlone) {
  std::uint64_t NextGroup = 1;
  std::vector<Access> All;
  addShape(All, {access()}, NextGroup);
  Access Worse = access();
  Worse.Predicted->PerRequest = 32;
  Worse.Executions = 5;
  addShape(All, {Worse}, NextGroup);
  ASSERT_THAT(All, SizeIs(2));
  EXPECT_EQ(All[0].Executions, 1);
  EXPECT_EQ(All[1].Executions, 5);
}

} // namespace AccessRecordsTests
