//===- tests/unit/runtime/probe/InstructionTableTests.cpp - Sums of lines -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/InstructionTable.h"

#include <gmock/gmock.h>

namespace cudalint::probe::InstructionTableTests {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;

constexpr std::uint64_t Ldg = 0x981, Stg = 0x986, Ld = 0x980, Ldl = 0x983,
                        Ldgsts = 0xfae, Lds = 0x984, Bra = 0x947;

MetricSet all() {
  MetricSet Out;
  Out.fill(true);
  return Out;
}

void count(InstructionTable &Table, std::uint64_t Offset, std::uint64_t Word,
           unsigned Line, std::map<Metric, std::uint64_t> Sums,
           const std::string &Function = "k") {
  InstructionKey Key = {0, 7, Function, Offset};
  auto &Entry = Table.at(Key, [&] {
    InstructionInfo Info;
    if (Line)
      Info.Where = {"/src/a.cu", Line};
    Info.Word = Word;
    return Info;
  });
  for (auto [M, Value] : Sums)
    Entry.Sums[static_cast<std::size_t>(M)] += Value;
}

TEST(InstructionTable, InstructionsOfALineAndKindAreOne) {
  InstructionTable Table;
  for (std::uint64_t Offset : {0, 16})
    count(Table, Offset, Ldg, 14,
          {{Metric::Instructions, 10},
           {Metric::GlobalRequests, 8},
           {Metric::Lanes, 256},
           {Metric::GlobalSectors, 96},
           {Metric::IdealGlobalSectors, 32}});
  count(Table, 32, Stg, 14, {{Metric::Instructions, 10}});
  Profile P;
  Table.summarize(all(), P);
  ASSERT_THAT(P.Lines, SizeIs(2));
  const LineCounts &Load =
      P.Lines.at({"k", 0, {"/src/a.cu", 14}, Space::Global, Op::Load});
  EXPECT_THAT(Load.Instructions, Optional(Eq(20u)));
  EXPECT_THAT(Load.Requests, Optional(Eq(16u)));
  EXPECT_THAT(Load.Lanes, Optional(Eq(512u)));
  EXPECT_THAT(Load.Sectors, Optional(Eq(192u)));
  EXPECT_THAT(Load.IdealSectors, Optional(Eq(64u)));
  EXPECT_EQ(Load.Wavefronts, std::nullopt);
  EXPECT_THAT(P.Problems, IsEmpty());
  EXPECT_THAT(P.Kernels.at({"k", 0}).HasLines, Optional(true));
}

TEST(InstructionTable, AMetricThatTheGpuLacksIsAbsent) {
  InstructionTable Table;
  count(Table, 0, Lds, 3,
        {{Metric::Instructions, 4}, {Metric::SharedWavefronts, 8}});
  MetricSet Available = all();
  Available[static_cast<std::size_t>(Metric::IdealSharedWavefronts)] = false;
  Profile P;
  Table.summarize(Available, P);
  const LineCounts &Line = P.Lines.begin()->second;
  EXPECT_THAT(Line.Wavefronts, Optional(Eq(8u)));
  EXPECT_EQ(Line.IdealWavefronts, std::nullopt);
}

TEST(InstructionTable, AnAsynchronousCopyIsTwoLines) {
  InstructionTable Table;
  count(Table, 0, Ldgsts, 5,
        {{Metric::Instructions, 4},
         {Metric::AsyncCopyRequests, 3},
         {Metric::GlobalSectors, 12},
         {Metric::SharedWavefronts, 6}});
  Profile P;
  Table.summarize(all(), P);
  ASSERT_THAT(P.Lines, SizeIs(2));
  const LineCounts &Load =
      P.Lines.at({"k", 0, {"/src/a.cu", 5}, Space::Global, Op::Load});
  const LineCounts &Store =
      P.Lines.at({"k", 0, {"/src/a.cu", 5}, Space::Shared, Op::Store});
  EXPECT_THAT(Load.Requests, Optional(Eq(3u)));
  EXPECT_THAT(Load.Sectors, Optional(Eq(12u)));
  EXPECT_EQ(Load.Wavefronts, std::nullopt);
  EXPECT_THAT(Store.Requests, Optional(Eq(3u)));
  EXPECT_THAT(Store.Wavefronts, Optional(Eq(6u)));
  EXPECT_EQ(Store.Sectors, std::nullopt);
}

TEST(InstructionTable, AGenericLineHasSectorsAndWavefronts) {
  InstructionTable Table;
  // Of 10 warps all touched global memory and 7 shared memory too.
  count(Table, 0, Ld, 5,
        {{Metric::Instructions, 10},
         {Metric::GlobalRequests, 10},
         {Metric::SharedRequests, 7},
         {Metric::GlobalSectors, 40},
         {Metric::SharedWavefronts, 7}});
  Profile P;
  Table.summarize(all(), P);
  const LineCounts &Line =
      P.Lines.at({"k", 0, {"/src/a.cu", 5}, Space::Generic, Op::Load});
  EXPECT_THAT(Line.Requests, Optional(Eq(10u)));
  EXPECT_THAT(Line.Sectors, Optional(Eq(40u)));
  EXPECT_THAT(Line.Wavefronts, Optional(Eq(7u)));
}

TEST(InstructionTable, LocalSectorsHaveNoIdeal) {
  InstructionTable Table;
  count(Table, 0, Ldl, 9,
        {{Metric::Instructions, 2},
         {Metric::LocalRequests, 2},
         {Metric::LocalSectors, 64}});
  Profile P;
  Table.summarize(all(), P);
  const LineCounts &Line = P.Lines.begin()->second;
  EXPECT_THAT(Line.Requests, Optional(Eq(2u)));
  EXPECT_THAT(Line.Sectors, Optional(Eq(64u)));
  EXPECT_EQ(Line.IdealSectors, std::nullopt);
}

TEST(InstructionTable, OnlyBranchesThatPartedAreListed) {
  InstructionTable Table;
  count(Table, 0, Bra, 7,
        {{Metric::Instructions, 4}, {Metric::DivergentThreads, 3}});
  count(Table, 16, Bra, 8, {{Metric::Instructions, 4}});
  Profile P;
  Table.summarize(all(), P);
  ASSERT_THAT(P.Branches, SizeIs(1));
  EXPECT_EQ(P.Branches.begin()->first.Where.Line, 7u);
  EXPECT_THAT(P.Branches.begin()->second.ThreadsDivergent, Optional(Eq(3u)));
  EXPECT_THAT(P.Lines, IsEmpty());
}

TEST(InstructionTable, WithoutALineTableTheCountsStandAtNoLine) {
  InstructionTable Table;
  count(Table, 0, Ldg, 0, {{Metric::Instructions, 4}});
  Profile P;
  Table.summarize(all(), P);
  EXPECT_THAT(P.Kernels.at({"k", 0}).HasLines, Optional(false));
  EXPECT_EQ(P.Lines.begin()->first.Where.File, std::nullopt);
}

TEST(InstructionTable, WhatIsNotMeasuredIsNamed) {
  InstructionTable Table;
  count(Table, 0, Bra, 7, {{Metric::BulkCopies, 1}}, "tma");
  count(Table, 0, Bra, 8, {{Metric::SharedRequests, 1}}, "strange");
  Profile P;
  Table.summarize(all(), P);
  EXPECT_THAT(P.Problems,
              testing::UnorderedElementsAre(
                  testing::AllOf(Field(&Problem::Kind, "bulk-copy"),
                                 Field(&Problem::Message,
                                       HasSubstr("tma at /src/a.cu:7"))),
                  testing::AllOf(Field(&Problem::Kind, "unknown-instruction"),
                                 Field(&Problem::Message,
                                       HasSubstr("strange at /src/a.cu:8")))));
}

/// A load of 16 bytes in line 14, which was inlined at line 30, and a store.
cubin::FunctionAccesses loadAndStore() {
  cubin::FunctionAccesses Out;
  Out.Accesses = {
      {.Offset = 0,
       .Access = {.In = Space::Global, .What = Op::Load, .Bytes = 16},
       .Opcode = "LDG",
       .Shown = cubin::Frame{"/src/a.h", 14},
       .Frames = {{"/src/a.h", 14}, {"/src/a.cu", 30, 0, "", {900, 50}}}},
      {.Offset = 32,
       .Access = {.In = Space::Global, .What = Op::Store},
       .Opcode = "STG"}};
  Out.CallsOthers = true;
  return Out;
}

TEST(InstructionTable, RowsAreOfTheCodeWhetherItRanOrNot) {
  InstructionTable Table;
  const InstructionKey Key = {0, 7, "k", 0};
  unsigned Asked = 0;
  for (int I = 0; I != 2; ++I)
    Table.readCode(Key, [&](std::size_t Most) -> auto {
      ++Asked;
      EXPECT_EQ(Most, InstructionTable::MostRows);
      return std::optional(loadAndStore());
    });
  EXPECT_EQ(Asked, 1u);
  count(Table, 0, Ldg, 14,
        {{Metric::GlobalRequests, 8}, {Metric::GlobalSectors, 96}});
  Profile P;
  Table.summarize(all(), P);
  EXPECT_THAT(P.Files, ElementsAre("/src/a.h", "/src/a.cu"));
  // Once for all rows; of the other file nothing is known.
  EXPECT_THAT(P.Sources, ElementsAre(SourceStamp{1, {900, 50}}));
  ASSERT_THAT(P.Code, SizeIs(1));
  EXPECT_EQ(P.Code[0].Kernel, "k");
  EXPECT_TRUE(P.Code[0].CallsOthers);
  ASSERT_THAT(P.Code[0].Rows, SizeIs(2));
  const InstructionRow &Load = P.Code[0].Rows[0], &Store = P.Code[0].Rows[1];
  EXPECT_EQ(Load.Opcode, "LDG");
  EXPECT_EQ(Load.Bytes, 16u);
  EXPECT_THAT(Load.Where, Optional(Eq(Place{0, 14})));
  EXPECT_THAT(Load.Frames, ElementsAre(Place{0, 14}, Place{1, 30}));
  EXPECT_THAT(Load.Counts.Requests, Optional(Eq(8u)));
  EXPECT_THAT(Load.Counts.Sectors, Optional(Eq(96u)));
  EXPECT_EQ(Store.Where, std::nullopt);
  EXPECT_EQ(Store.Counts.Requests, std::nullopt) << "no record";
  // What has no counts makes no line.
  EXPECT_THAT(P.Lines, SizeIs(1));
}

TEST(InstructionTable, WhatIsCopiedAsynchronouslyHasTwoRows) {
  InstructionTable Table;
  Table.readCode({0, 7, "k", 0}, [](std::size_t) {
    cubin::FunctionAccesses Out;
    Out.Accesses = {
        {.Access = {.In = Space::Global, .What = Op::Load}, .Opcode = "LDGSTS"},
        {.Access = {.In = Space::Shared, .What = Op::Store},
         .Opcode = "LDGSTS"}};
    return std::optional(Out);
  });
  count(Table, 0, Ldgsts, 5,
        {{Metric::AsyncCopyRequests, 3},
         {Metric::GlobalSectors, 12},
         {Metric::SharedWavefronts, 6}});
  Profile P;
  Table.summarize(all(), P);
  ASSERT_THAT(P.Code, SizeIs(1));
  ASSERT_THAT(P.Code[0].Rows, SizeIs(2));
  EXPECT_THAT(P.Code[0].Rows[0].Counts.Requests, Optional(Eq(3u)));
  EXPECT_THAT(P.Code[0].Rows[0].Counts.Sectors, Optional(Eq(12u)));
  EXPECT_EQ(P.Code[0].Rows[0].Counts.Wavefronts, std::nullopt);
  EXPECT_THAT(P.Code[0].Rows[1].Counts.Wavefronts, Optional(Eq(6u)));
}

TEST(InstructionTable, RowsAreBounded) {
  InstructionTable Table;
  std::size_t Left = 0;
  for (unsigned Module = 1; Module != 3; ++Module)
    Table.readCode({0, Module, "k", 0}, [&](std::size_t Most) {
      Left = Most;
      return std::optional(loadAndStore());
    });
  EXPECT_EQ(Left, InstructionTable::MostRows - 2);
  // A function that has none does not ask again, and has no code.
  Table.readCode({0, 3, "j", 0}, [](std::size_t) {
    return std::optional<cubin::FunctionAccesses>();
  });
  Profile P;
  Table.summarize(all(), P);
  EXPECT_THAT(P.Code, SizeIs(2));
}

} // namespace
} // namespace cudalint::probe::InstructionTableTests
