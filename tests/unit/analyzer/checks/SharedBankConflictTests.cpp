//===- tests/unit/analyzer/checks/SharedBankConflictTests.cpp - Conflicts -===//
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

namespace SharedBankConflictTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

static constexpr MemorySpace Shared = MemorySpace::Shared;
static std::vector<Finding> lint(const KernelModel &K) {
  return runCheck("shared-bank-conflict", K);
}

/// What all accesses to the array take with the remedy; -1 where no remedy was
/// tried. It is the ideal of all where no access to it conflicts then.
static double wavefrontsThen(const Finding &F) {
  return F.Effect ? F.Effect->After : -1;
}

/// `tile[Rows][Columns]`, declared at line 2, padded at offset 60.
static AccessFact tileFact(std::uint64_t Rows, std::uint64_t Columns,
                           std::string Text = "tile[threadIdx.x][i]",
                           std::uint64_t ElementBytes = 4) {
  AccessFact F;
  F.Text = std::move(Text);
  F.Object = "tile";
  F.Subscripts = 2;
  F.Array =
      ArrayFact{{Rows, Columns}, ElementBytes, {"a.cu", 2, 20}, {"a.cu", 60}};
  return F;
}

TEST(SharedBankConflict, SilentWithoutConflict) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Shared, 3, 4, [](auto L) { return 4 * L; }),
                makeAccess(K, Shared, 4, 4, [](auto L) { return 132 * L; }),
                makeAccess(K, Shared, 5, 4, [](auto) { return 64; })};
  EXPECT_THAT(lint(K), IsEmpty());
}

TEST(SharedBankConflict, VectorsTakeTheirPhasesWithoutConflict) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Shared, 3, 16, [](auto L) { return 16 * L; }),
                makeAccess(K, Shared, 4, 8, [](auto L) { return 8 * L; })};
  ASSERT_EQ(K.Accesses[0].Predicted->PerRequest, 4); // Measured on an H200.
  EXPECT_THAT(lint(K), IsEmpty());
}

TEST(SharedBankConflict, SilentWhereOneLaneIsActive) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Shared, 3, 4, [](auto L) { return 128 * L; }, 1)};
  EXPECT_THAT(lint(K), IsEmpty());
}

TEST(SharedBankConflict, SilentWhereFewRequestsConflict) {
  // One request in ten takes two wavefronts: 1.1 a request.
  KernelModel K = makeKernel();
  RequestSample Bad = makeSample([](auto L) { return 8 * L; });
  RequestSample Good = makeSample([](auto L) { return 4 * L; });
  Bad.Weight = 0.1;
  Good.Weight = 0.9;
  K.Accesses = {makeAccess(K, Shared, 3, 4, {Bad, Good})};
  EXPECT_THAT(lint(K), IsEmpty());
}

TEST(SharedBankConflict, ColumnOfATileIsPadded) {
  KernelModel K = makeKernel();
  K.StaticSharedBytes = 4096;
  K.Shared = {{.Name = "array", .Bytes = 4096, .Widest = 4}};
  Access Store = makeAccess(K, Shared, 3, 4, [](auto L) { return 4 * L; });
  Store.Op = AccessOp::Store;
  Store.Kind = RequestKind::Store;
  Store.Source = tileFact(32, 32, "tile[threadIdx.y][threadIdx.x]");
  Access Load = makeAccess(K, Shared, 5, 4, [](auto L) { return 128 * L; });
  Load.Source = tileFact(32, 32);
  K.Accesses = {Store, Load};

  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Where, (Location{"a.cu", 5, 5}));
  EXPECT_EQ(Found[0].Level, Severity::Warning);
  EXPECT_THAT(Found[0].What,
              AllOf(Is("wavefronts"),
                    Tells("access", "load of 'tile[threadIdx.x][i]'"),
                    Tells("wavefronts", 32), Tells("ideal", 1)));
  EXPECT_THAT(Found[0].Cause, AllOf(Is("strided-lanes"), Tells("ways", 32),
                                    Tells("stride_words", 32)));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("pad-rows"), Tells("array", "tile"),
                                     Tells("dimensions", "[32][32 + 1]"),
                                     Tells("pad_elements", 1)));
  ASSERT_TRUE(Found[0].Effect);
  EXPECT_EQ(wavefrontsThen(Found[0]), 2); // The store and the load.
  EXPECT_EQ(Found[0].Predicted,
            (Prediction{"wavefronts_per_request", 32.0, 1.0}));
  ASSERT_THAT(Found[0].Fixes, SizeIs(1));
  EXPECT_THAT(Found[0].Fixes[0].Edits,
              testing::ElementsAre(Edit{"a.cu", 60, 0, " + 1"}));
  // 32 rows, 4 bytes each.
  EXPECT_EQ(Found[0].Effect->MoreSharedBytes, 128u);
  EXPECT_EQ(Found[0].LanePattern, std::string(32, '#'));
}

TEST(SharedBankConflict, DetailShowsLanesAndBanksByPhase) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Shared, 3, 16, [](auto L) { return 128 * L; })};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  // Eight lanes a phase, all of them in the same four banks.
  EXPECT_THAT(Found[0].Detail, HasSubstr("phase 4 of 4: lanes 24 to 31"));
  EXPECT_THAT(Found[0].Detail, HasSubstr("32 wavefronts, ideal 4"));
  EXPECT_THAT(Found[0].Detail,
              HasSubstr("  bank    0    0    0    0    0    0    0    0\n"));
}

TEST(SharedBankConflict, NoEditWhereTheArrayIsReadThroughAPointer) {
  KernelModel K = makeKernel();
  K.StaticSharedBytes = 4096;
  Access Load = makeAccess(K, Shared, 5, 4, [](auto L) { return 128 * L; });
  Load.Source = tileFact(32, 32);
  Access Flat = makeAccess(K, Shared, 6, 4, [](auto L) { return 4 * L; });
  Flat.Source = tileFact(32, 32, "((float *)tile)[threadIdx.x]");
  Flat.Source.Subscripts = 0;
  K.Accesses = {Load, Flat};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Remedy.Id, "layout-not-judged");
  EXPECT_THAT(Found[0].Fixes, IsEmpty());
}

TEST(SharedBankConflict, PaddingKeepsVectorsAligned) {
  // A column of float4 in rows of 32 floats: one more float would misalign it,
  // four put the next row four banks further.
  KernelModel K = makeKernel();
  K.StaticSharedBytes = 4096;
  Access Load = makeAccess(K, Shared, 5, 16, [](auto L) { return 128 * L; });
  Load.Source = tileFact(32, 32);
  K.Accesses = {Load};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("pad-rows"), Tells("dimensions", "[32][32 + 4]"),
                    Tells("pad_elements", 4)));
}

TEST(SharedBankConflict, RemedyMustSuitAllAccesses) {
  // Two rows of 16 floats are the 32 banks of a row access. Rows of 17 would
  // make it a 2-way conflict (words 0 and 32 in bank 0), so that it is the
  // swizzle that leaves none.
  KernelModel K = makeKernel();
  Access Row = makeAccess(K, Shared, 5, 4,
                          [](auto L) { return L / 16 * 64 + L % 16 * 4; });
  Row.Source = tileFact(16, 16, "tile[threadIdx.y][threadIdx.x]");
  Access Column = makeAccess(K, Shared, 6, 4,
                             [](auto L) { return L % 16 * 64 + L / 16 * 4; });
  Column.Source = tileFact(16, 16, "tile[threadIdx.x][threadIdx.y]");
  K.Accesses = {Row, Column};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Where.Line, 6u);
  EXPECT_THAT(Found[0].Cause, Tells("ways", 8));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("swizzle-columns"),
                                     Tells("columns", 16), Tells("rows", 1)));
  EXPECT_EQ(wavefrontsThen(Found[0]), 2); // Of the row and the column.
  EXPECT_THAT(Found[0].Fixes, IsEmpty());
}

TEST(SharedBankConflict, SwizzleWhereSharedMemoryIsFull) {
  KernelModel K = makeKernel();
  K.StaticSharedBytes = 49152; // The limit: not one more byte.
  K.Shared = {{.Name = "array", .Bytes = 49152, .Widest = 4}};
  Access Load = makeAccess(K, Shared, 5, 4, [](auto L) { return 128 * L; });
  Load.Source = tileFact(384, 32);
  K.Accesses = {Load};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("swizzle-columns"),
                                     Tells("columns", 32), Tells("rows", 1)));
  EXPECT_THAT(Found[0].Fixes, IsEmpty());
}

TEST(SharedBankConflict, RowsOfLanesGetAnotherLength) {
  KernelModel K = makeKernel();
  Access Load = makeAccess(K, Shared, 5, 4, [](auto L) { return 128 * L; });
  Load.Source.Text = "s[32 * threadIdx.x]";
  K.Accesses = {Load};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("change-pitch"), Tells("pitch", 33),
                                     Tells("pitch_now", 32)));
  EXPECT_EQ(wavefrontsThen(Found[0]), 1);
}

// Of a few elements for each lane, nobody would say that they are a row.
TEST(SharedBankConflict, FlatArrayGetsAPaddedIndex) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Shared, 5, 4, [](auto L) { return 16 * L; })};
  const Finding F = lint(K).at(0);
  EXPECT_THAT(F.Remedy, AllOf(Is("skip-elements"), Tells("run", 32)));
  // The words alone tell that it is an index, and what that may cost.
  EXPECT_THAT(inWords(F.Remedy),
              HasSubstr("instead of i, where the index costs no more"));
  EXPECT_EQ(wavefrontsThen(F), 1);
  // Another index is worth it where it halves the wavefronts, at least.
  EXPECT_EQ(F.Level, Severity::Warning);
}

TEST(SharedBankConflict, SixteenBanksOfTheFirstGenerations) {
  // The text of 2008: data[16 * tid] conflicts fully, rows of 17 mend it.
  KernelModel K = makeKernel("sm_10");
  Access Load = makeAccess(K, Shared, 5, 4, [](auto L) { return 64 * L; });
  Load.Source.Text = "data[16 * tid]";
  K.Accesses = {Load};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Cause, Tells("ways", 16));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("change-pitch"), Tells("pitch", 17),
                                     Tells("pitch_now", 16)));
}

TEST(SharedBankConflict, InterleavedReductionIsTurnedRound) {
  // for (s = 1; s < 256; s *= 2) index = 2 * s * tid: the strides double.
  KernelModel K = makeKernel();
  std::vector<RequestSample> Turns;
  for (int Stride = 16; Stride >= 1; Stride /= 2)
    Turns.push_back(makeSample([=](auto L) { return 8 * Stride * L; }));
  // At last one lane adds.
  Turns.push_back(makeSample([](auto) { return 0; }, 1));
  Access Load = makeAccess(K, Shared, 5, 4, Turns);
  Load.LoopDepth = 1;
  Access Store = Load;
  Store.Op = AccessOp::Store;
  Store.Kind = RequestKind::Store;
  // s[index + s]
  std::vector<RequestSample> HalfOn;
  for (int Stride = 16; Stride >= 1; Stride /= 2)
    HalfOn.push_back(
        makeSample([=](auto L) { return 8 * Stride * L + 4 * Stride; }));
  HalfOn.push_back(makeSample([](auto) { return 4 * 32; }, 1));
  Access Other = makeAccess(K, Shared, 5, 4, HalfOn);
  Other.LoopDepth = 1;
  K.Accesses = {Load, Other, Store};
  // A wavelet writes what the sums lose: backwards, it would be another one.
  KernelModel Wavelet = K;
  Access Detail =
      makeAccess(K, MemorySpace::Global, 6, 4, [](auto L) { return 4 * L; });
  Detail.Op = AccessOp::Store;
  Detail.LoopDepth = 1;
  Wavelet.Accesses.push_back(Detail);
  EXPECT_NE(lint(Wavelet).at(0).Remedy.Id, "sequential-addressing");
  // Nor is it one that adds something else.
  KernelModel Else = K;
  Else.Accesses = {Load, Store};
  EXPECT_NE(lint(Else).at(0).Remedy.Id, "sequential-addressing");
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(2)); // One place, one problem.
  EXPECT_EQ(Found[0].Remedy, Found[1].Remedy);
  EXPECT_THAT(Found[0].What,
              Tells("wavefronts", (32 + 16 + 8 + 4 + 2 + 1) / 6.0));
  EXPECT_THAT(Found[0].Cause, Tells("ways", 32));
  EXPECT_THAT(inWords(Found[0].Cause), HasSubstr("up to")); // In words alone.
  EXPECT_THAT(Found[0].Remedy, Is("sequential-addressing"));
  // Sums of parts that are asked for: it would have others.
  KernelModel Parts = K;
  Parts.Accesses.push_back(
      makeAccess(K, Shared, 9, 4, [](auto L) { return 4 * L; }));
  EXPECT_NE(lint(Parts).at(0).Remedy.Id, "sequential-addressing");
  // Or nobody adds to one.
  for (Access &Each : K.Accesses)
    Each.Samples.pop_back();
  EXPECT_NE(lint(K).at(0).Remedy.Id, "sequential-addressing");
}

TEST(SharedBankConflict, ScanIsPaddedNotTurnedRound) {
  // The up-sweep: s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1]. Half the
  // strides backwards and it is no scan.
  KernelModel K = makeKernel();
  std::vector<RequestSample> Turns;
  for (int D = 16; D >= 1; D /= 2)
    Turns.push_back(
        makeSample([=](auto L) { return 4 * (D * (2 * L + 2) - 1); }));
  Access Load = makeAccess(K, Shared, 5, 4, Turns);
  Load.LoopDepth = 1;
  Access Store = Load;
  Store.Op = AccessOp::Store;
  Store.Kind = RequestKind::Store;
  K.Accesses = {Load, Store};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(2)); // One place, one problem.
  EXPECT_EQ(Found[0].Remedy, Found[1].Remedy);
  EXPECT_THAT(Found[0].Remedy, Not(Is("sequential-addressing")));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("skip-elements"), Tells("run", 32)));
}

/// The finding about one load of `Bytes` from a flat array.
static Finding
flatFinding(unsigned Bytes,
            const std::function<std::int64_t(std::int64_t)> &Offset) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Shared, 5, Bytes, Offset)};
  const std::vector<Finding> Found = lint(K);
  EXPECT_THAT(Found, SizeIs(1));
  return Found.empty() ? Finding() : Found[0];
}

TEST(SharedBankConflict, BestOfSeveralPaddings) {
  // Doubles 32 apart: one more takes each pair of 16 lanes to another bank.
  const Finding F = flatFinding(8, [](auto L) { return 256 * L; });
  EXPECT_THAT(F.Remedy, AllOf(Is("change-pitch"), Tells("pitch", 33),
                              Tells("pitch_now", 32)));
  EXPECT_EQ(wavefrontsThen(F), 2);
  // Floats 4 apart: after every 32, lanes move a bank each.
  EXPECT_THAT(flatFinding(4, [](auto L) { return 16 * L; }).Remedy,
              AllOf(Is("skip-elements"), Tells("run", 32)));
}

TEST(SharedBankConflict, PaddingForSixteenBanks) {
  // s[i + (i >> 4)]: lanes 0 and 31 are at words 0 and 32.
  const Finding F = flatFinding(4, [](auto L) { return 4 * (L + L / 16); });
  EXPECT_THAT(F.Remedy, AllOf(Is("skip-elements"), Tells("run", 32),
                              Tells("run_now", 16)));
  // The block is 256 wide: wider is no help.
  EXPECT_THAT(F.Remedy,
              AllOf(Not(Is("widen-block")), Not(Is("widen-block-and-rows"))));
}

TEST(SharedBankConflict, PaddingThatTheOthersNeedStays) {
  // Rows of 17 words: lanes 0 and 31 of two half rows meet in bank 0, and 16
  // rows that are 17 apart meet in none. Rows of 16 would mend the first and
  // cost the second 8 ways.
  KernelModel K = makeKernel();
  Access Row = makeAccess(K, Shared, 5, 4,
                          [](auto L) { return L / 16 * 68 + L % 16 * 4; });
  Access Column = makeAccess(K, Shared, 6, 4,
                             [](auto L) { return L % 16 * 68 + L / 16 * 4; });
  for (Access *A : {&Row, &Column}) {
    A->Block = {16, 16, 1};
    A->Source.Object = "s";
    A->Source.Text = "s[row * 17 + col]";
  }
  K.Accesses = {Row, Column};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(2));
  EXPECT_THAT(Found[0].Remedy, Not(Tells("run", 32)));
  EXPECT_THAT(Found[0].Remedy, Not(Tells("pitch", 16)));
  // Shorter rows are never told, as nobody knows how far they reach.
  K.Accesses = {Row};
  EXPECT_THAT(lint(K).at(0).Remedy, Not(Tells("pitch", 16)));
}

// Lanes alternate between two float4 of one bank group. The counters of a line
// report 8 wavefronts, the hardware takes 4: measured on an H100.
TEST(SharedBankConflict, SilentWhereOnlyTheCountersOfALineSeeOne) {
  KernelModel K = makeKernel();
  K.Accesses = {
      makeAccess(K, Shared, 5, 16, [](auto L) { return L % 2 * 1024; })};
  ASSERT_EQ(K.Accesses[0].Predicted->PerRequest, 8);
  EXPECT_THAT(lint(K), IsEmpty());
}

// for (i = 0; i < 4; ++i) r[i] = s[4 * tid + i]: nvcc makes one LDS.128 of it.
TEST(SharedBankConflict, SilentWhereTurnsMayBeOneAccess) {
  KernelModel K = makeKernel();
  std::vector<RequestSample> Turns;
  for (int I = 0; I < 4; ++I)
    Turns.push_back(makeSample([=](auto L) { return 16 * L + 4 * I; }));
  Access A = makeAccess(K, Shared, 5, 4, Turns);
  A.LoopDepth = 1;
  K.Accesses = {A};
  EXPECT_THAT(lint(K), SizeIs(1));
  // What it takes is known, as from a log: that tells nothing of its code.
  K.Resources = ResourceRecord{};
  EXPECT_THAT(lint(K), SizeIs(1));
  // Its machine code was read, and does not tell.
  K.HasMachineCode = true;
  EXPECT_THAT(lint(K), IsEmpty());
  // It does tell.
  K.Accesses[0].Instructions = {MachineInstruction{}};
  EXPECT_THAT(lint(K), SizeIs(1));
}

TEST(SharedBankConflict, RowsOfDoublesTakeAnotherPitch) {
  // s[tx * 8 + ty] in blocks of 8x8: half a warp is two columns of eight rows.
  // Rows of 10 doubles put the eight rows into the even pairs of banks, the
  // second column into the odd ones; one free double after every 16 leaves
  // two ways.
  KernelModel K = makeKernel();
  Access Store = makeAccess(K, Shared, 5, 8,
                            [](auto L) { return L % 8 * 64 + L / 8 * 8; });
  Store.Block = {8, 8, 1};
  Store.Source.Object = "s";
  K.Accesses = {Store};
  const Finding F = lint(K).at(0);
  EXPECT_THAT(F.Remedy, AllOf(Is("change-pitch"), Tells("pitch", 10),
                              Tells("pitch_now", 8)));
  EXPECT_EQ(wavefrontsThen(F), 2);
}

TEST(SharedBankConflict, RowsOfAnEvenNumberOfWordsTakeAnOddOne) {
  // s[tid * 6 + i]: lanes 0 and 16 meet, after whatever power of two a word is
  // left free.
  KernelModel K = makeKernel();
  Access Store = makeAccess(K, Shared, 5, 4, [](auto L) { return 24 * L; });
  Store.Source.Object = "s";
  K.Accesses = {Store};
  EXPECT_EQ(wavefrontsThen(lint(K).at(0)), 1);
}

TEST(SharedBankConflict, StructsOfThreeBytesGetNoWord) {
  // s[16 * tid].x of uchar3: 12 words from lane to lane, 4 ways. An array of
  // the x alone is 4 words from lane to lane, the same 4 ways.
  KernelModel K = makeKernel();
  Access Load = makeAccess(K, Shared, 5, 1, [](auto L) { return 48 * L; });
  Load.Source.Text = "s[16 * tid].x";
  Load.Source.Field = FieldFact{"uchar3", 3, 1, "x", 0, 1, {}, {}};
  K.Accesses = {Load};
  const Finding F = lint(K).at(0);
  EXPECT_THAT(F.Remedy, Not(Is("pad-struct")));
  EXPECT_THAT(F.Remedy, Not(Is("fields-apart")));
}

TEST(SharedBankConflict, WideBlocksAreNotMadeWider) {
  // Rows of 16 lanes that are 18 words apart, in a block 256 wide.
  const Finding F =
      flatFinding(4, [](auto L) { return L / 16 * 72 + L % 16 * 4; });
  EXPECT_THAT(F.Remedy,
              AllOf(Not(Is("widen-block")), Not(Is("widen-block-and-rows"))));
}

TEST(SharedBankConflict, PaddedIndexKeepsVectorsAligned) {
  // One float more would put the float4s of the same array off their 16 bytes.
  KernelModel K = makeKernel();
  Access Load = makeAccess(K, Shared, 5, 4, [](auto L) { return 128 * L; });
  Access Wide = makeAccess(K, Shared, 6, 16, [](auto L) { return 16 * L; });
  for (Access *A : {&Load, &Wide}) {
    A->Source.Object = "s";
    A->Source.Array = ArrayFact{{2048}, 4, {"a.cu", 2, 20}, {}};
  }
  K.Accesses = {Load, Wide};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("skip-bytes"), Tells("free", 16)));
  EXPECT_THAT(Found[0].Remedy, Not(Is("skip-elements")));
}

TEST(SharedBankConflict, StructInSharedMemory) {
  KernelModel K = makeKernel();
  Access Load = makeAccess(K, Shared, 5, 4, [](auto L) { return 16 * L; });
  Load.Source.Text = "s[tid].x";
  Load.Source.Field =
      FieldFact{"body", 16, 4, "x", 0, 4, {"a.cu", 1, 8}, {"a.cu", 7}};
  K.Accesses = {Load};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  // Five words are odd: every lane has a bank of its own.
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("pad-struct"), Tells("struct", "body"),
                                     Tells("bytes", 20)));
}

// struct { float x, y; }: nvcc loads both at once where arrays are whole words.
TEST(SharedBankConflict, FieldsSideBySideAreTakenToBeMerged) {
  KernelModel K = makeKernel();
  for (const std::uint64_t Field : {0, 4}) {
    Access A =
        makeAccess(K, Shared, 5, 4, [=](auto L) { return 8 * L + Field; });
    A.Source.Field =
        FieldFact{"pair", 8, 4, Field ? "y" : "x", Field, 4, {}, {}};
    A.GroupKey = 1;
    A.Variable = "s";
    K.Accesses.push_back(A);
  }
  K.Shared = {{.Name = "s", .Bytes = 1056}};
  EXPECT_THAT(lint(K), SizeIs(0));
  // Nobody knows where it begins.
  K.Shared = {{.Name = "s", .Bytes = 1056}, {.Name = "t", .Bytes = 4}};
  EXPECT_THAT(lint(K), Not(SizeIs(0)));
}

TEST(SharedBankConflict, AtomicsOnOneWordTakeTurns) {
  // Lanes that read one word share it; lanes that update it cannot.
  KernelModel K = makeKernel();
  Access Add = makeAccess(K, Shared, 5, 4, [](auto) { return 0; });
  Add.Op = AccessOp::Atomic;
  Add.Kind = RequestKind::Atomic;
  Add.Source.Text = "sum";
  Add.Predicted->PerRequest = 32;
  Add.Predicted->Ways = 32;
  K.Accesses = {Add};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("lanes-take-turns"), Tells("lanes", 32)));
  EXPECT_THAT(Found[0].Remedy, Is("combine-in-warp"));
  EXPECT_THAT(Found[0].Detail, HasSubstr("request: 32 wavefronts"));
}

TEST(SharedBankConflict, IncrementsShareAWord) {
  // Two words of one bank, each under 16 lanes that are counted together.
  KernelModel K = makeKernel();
  Access Add = makeAccess(K, Shared, 5, 4, [](auto L) { return L % 2 * 128; });
  Add.Op = AccessOp::Atomic;
  Add.Kind = RequestKind::Increment;
  Add.Predicted->PerRequest = 2;
  Add.Predicted->Ways = 2;
  K.Accesses = {Add};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Not(Is("lanes-take-turns")), Tells("ways", 2)));
  EXPECT_THAT(Found[0].Remedy, Not(Is("combine-in-warp")));
  EXPECT_THAT(Found[0].Detail, HasSubstr("request: 2 wavefronts"));
}

TEST(SharedBankConflict, NarrowBlockInATileWithAHalo) {
  // Rows of 16 lanes in a tile 18 wide: words 0 to 15 and 18 to 33. Only rows
  // of 48 would do, which is no price to ask.
  KernelModel K = makeKernel();
  Access Load = makeAccess(K, Shared, 5, 4,
                           [](auto L) { return L / 16 * 72 + L % 16 * 4; });
  Load.Source = tileFact(18, 18);
  Load.Block = {16, 16, 1};
  K.Accesses = {Load};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy, Is("widen-block-and-rows"));
}

TEST(SharedBankConflict, WorstShapeIsNamed) {
  KernelModel K = makeKernel();
  Access Narrow = makeAccess(K, Shared, 5, 4, [](auto L) { return 8 * L; });
  Access Wide = makeAccess(K, Shared, 5, 4, [](auto L) { return 16 * L; });
  Wide.Block = {64, 4, 1};
  K.Accesses = {Narrow, Wide};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What, Tells("shape", " in blocks of 64x4"));
  EXPECT_THAT(Found[0].Cause, Tells("ways", 4));
  // Not where it costs the same in any.
  K.Accesses[0].Samples = Wide.Samples;
  K.Accesses[0].Predicted = Wide.Predicted;
  ASSERT_THAT(lint(K), SizeIs(1));
  EXPECT_THAT(lint(K)[0].What, Tells("shape", ""));
}

TEST(SharedBankConflict, AssumptionsAndInliningComeFromTheAccess) {
  KernelModel K = makeKernel();
  Access Load = makeAccess(K, Shared, 5, 4, [](auto L) { return 8 * L; });
  Load.Trust = Certainty::Assumed;
  Load.Assumptions = {"blocks of 256 threads"};
  Load.InlinedAt = {{"a.cu", 20, 3}};
  K.Accesses = {Load};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Trust, Certainty::Assumed);
  EXPECT_THAT(Found[0].Assumptions,
              testing::ElementsAre("blocks of 256 threads"));
  EXPECT_EQ(Found[0].InlinedAt, Load.InlinedAt);
  EXPECT_EQ(Found[0].Kernel, "_Z1kv");
  EXPECT_EQ(Found[0].KernelSignature, "k()");
}

TEST(SharedBankConflict, PaddedIndexKeepsWhatTheCompilerMerged) {
  // Floats of the source, of which nvcc loads four at once: lanes 32 bytes
  // apart. Four free after 32 take all lanes to banks of their own.
  KernelModel K = makeKernel();
  Access Load = makeAccess(K, Shared, 5, 16, [](auto L) { return 32 * L; });
  Load.Source.Bytes = 4;
  Load.Source.Object = "s";
  Load.Source.Array = ArrayFact{{1024}, 4, {"a.cu", 2, 20}, {}};
  K.Accesses = {Load};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("skip-elements"), Tells("free", 4), Tells("run", 32)));
  EXPECT_EQ(Found[0].Level, Severity::Warning);
}

// Groups of four lanes, eight floats apart: two wavefronts of 4 bytes where one
// is ideal, and no conflict of 16, which nvcc may have made of the turns.
TEST(SharedBankConflict, WhatMayBeMergedIsNotGuessedAt) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Shared, 5, 4, [](auto L) { return L / 4 * 32; })};
  K.Accesses[0].LoopDepth = 1;
  EXPECT_THAT(lint(K), SizeIs(1));
  // The machine code was read, and does not tell which instruction it is.
  K.HasMachineCode = true;
  EXPECT_THAT(lint(K), SizeIs(0));
  // A column conflicts in vectors as well.
  K.Accesses = {makeAccess(K, Shared, 5, 4, [](auto L) { return L * 128; })};
  K.Accesses[0].LoopDepth = 1;
  EXPECT_THAT(lint(K), SizeIs(1));
}

// for (i = 0; i < 4; ++i) s[4 * t + i]: four wavefronts of a float each are
// those of one float4, which nvcc makes of them.
TEST(SharedBankConflict, TurnsSideBySideAreTakenToBeMerged) {
  KernelModel K = makeKernel();
  Access A = makeAccess(K, Shared, 5, 4, [](auto L) { return 16 * L; });
  A.Op = AccessOp::Store;
  A.LoopDepth = 1;
  A.LoopTurns = {4};
  const auto findings = [&](std::int64_t Step) {
    A.TurnStep = Step;
    K.Accesses = {A};
    return lint(K).size();
  };
  EXPECT_EQ(findings(4), 0);
  // A load that was evaluated as one of a float is no float4.
  A.Op = AccessOp::Load;
  EXPECT_EQ(findings(4), 1);
  A.Op = AccessOp::Store;
  // As a column of a tile is, and nothing is known of.
  EXPECT_EQ(findings(4096), 1);
  EXPECT_EQ(findings(0), 1);
  // No vectors: of so many turns nvcc writes out none at all, or nothing may
  // take their place.
  A.LoopTurns = {1000};
  EXPECT_EQ(findings(4), 1);
  A.LoopTurns = {4};
  A.Volatile = true;
  EXPECT_EQ(findings(4), 1);
  // A row of each lane's own is in one bank, in vectors as well.
  A = makeAccess(K, Shared, 5, 4, [](auto L) { return 128 * L; });
  A.LoopTurns = {32};
  EXPECT_EQ(findings(4), 1);
}

TEST(SharedBankConflict, NobodyAddsUpAnExchange) {
  KernelModel K = makeKernel();
  Access A = makeAccess(K, Shared, 5, 4, [](auto) { return 0; });
  A.Op = AccessOp::Atomic;
  A.Kind = RequestKind::Atomic;
  A.Predicted->PerRequest = A.Predicted->Ways = 32;
  K.Accesses = {A};
  EXPECT_THAT(lint(K).at(0).Remedy, Is("combine-in-warp"));
  K.Accesses[0].IsExchange = true;
  EXPECT_THAT(lint(K).at(0).Remedy, Is("one-lane-exchanges"));
}

// A sum in shared memory: two loads and, where another may be the same word, a
// store in each turn.
TEST(SharedBoundLoop, StoresThatStayInTheLoop) {
  KernelModel K = makeKernel();
  const auto Add = [&](unsigned Line, AccessOp Op, double Times, int Step) {
    Access A = makeAccess(K, MemorySpace::Shared, Line, 4,
                          [=](auto L) { return Step * L; });
    A.Op = Op;
    A.Executions = Times;
    A.Instructions.emplace_back();
    K.Accesses.push_back(A);
    return A.UserWhere;
  };
  const Location X = Add(1, AccessOp::Load, 64, 0);
  const Location Y = Add(2, AccessOp::Load, 64, 4);
  const Location Sum = Add(3, AccessOp::Store, 64, 4);
  K.Traits.Loops = {
      {.FloatFma = 1,
       .Turns = 64,
       .Accesses = {{X, AccessOp::Load, 4, true, 1},
                    {Y, AccessOp::Load, 4, true, 1},
                    {Sum, AccessOp::Store, 4, true, /*PerTurn=*/0}}}};
  const auto Wavefronts = [&] {
    const Finding Found = runCheck("shared-bound-loop", K).at(0);
    return std::get<double>(Found.What.find("wavefronts")->What);
  };
  EXPECT_EQ(Wavefronts(), 3);
  // It is in a register until the loop ends.
  K.Accesses.back().Executions = 1;
  EXPECT_NEAR(Wavefronts(), 2, 0.1);
}

} // namespace SharedBankConflictTests
