//===- tests/unit/analyzer/model/LanePatternTests.cpp - Request shapes ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LanePattern.h"
#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gtest/gtest.h>

namespace LanePatternTests {

using namespace cudalint;

TEST(LanePattern, OneActiveLaneIsLone) {
  EXPECT_EQ(lanePattern(makeSample([](auto L) { return 4 * L; }, 1)).Kind,
            LanePattern::Lone);
}

TEST(LanePattern, EqualAddresses) {
  EXPECT_EQ(lanePattern(makeSample([](auto) { return 12; })).Kind,
            LanePattern::Same);
}

TEST(LanePattern, StrideOfAStruct) {
  const LanePattern P =
      lanePattern(makeSample([](auto L) { return 8 + 12 * L; }));
  EXPECT_EQ(P.Kind, LanePattern::Strided);
  EXPECT_EQ(P.Stride, 12);
}

TEST(LanePattern, StrideCountsActiveLanesOnly) {
  // Every second lane: neighbours that are active are 8 bytes apart.
  const LanePattern P =
      lanePattern(makeSample([](auto L) { return 4 * L; }, 0x55555555));
  EXPECT_EQ(P.Kind, LanePattern::Strided);
  EXPECT_EQ(P.Stride, 8);
}

TEST(LanePattern, TwoRowsOfABlockOf16) {
  const LanePattern P = lanePattern(
      makeSample([](auto L) { return L / 16 * 4096 + L % 16 * 4; }));
  EXPECT_EQ(P.Kind, LanePattern::Rows);
  EXPECT_EQ(P.RowLanes, 16u);
  EXPECT_EQ(P.Stride, 4);
  EXPECT_EQ(P.RowStride, 4096);
}

TEST(LanePattern, RowsThatAWarpEntersInTheMiddle) {
  // The second warp of a block that is 12 wide begins with thread 8 of row 2.
  const LanePattern P = lanePattern(makeSample([](std::int64_t L) {
    const std::int64_t Thread = 32 + L;
    return Thread / 12 * 1024 + Thread % 12 * 4;
  }));
  EXPECT_EQ(P.Kind, LanePattern::Rows);
  EXPECT_EQ(P.RowLanes, 12u);
  EXPECT_EQ(P.Stride, 4);
  EXPECT_EQ(P.RowStride, 1024);
}

TEST(LanePattern, RowsAtOneAddressEach) {
  const LanePattern P =
      lanePattern(makeSample([](auto L) { return L / 8 * 128; }));
  EXPECT_EQ(P.Kind, LanePattern::Rows);
  EXPECT_EQ(P.RowLanes, 8u);
  EXPECT_EQ(P.Stride, 0);
  EXPECT_EQ(P.RowStride, 128);
}

TEST(LanePattern, PairsAreRowsOfTwo) {
  const LanePattern P =
      lanePattern(makeSample([](auto L) { return L / 2 * 64 + L % 2 * 4; }));
  EXPECT_EQ(P.Kind, LanePattern::Rows);
  EXPECT_EQ(P.RowLanes, 2u);
  EXPECT_EQ(P.RowStride, 64);
}

TEST(LanePattern, ASwizzleIsScattered) {
  EXPECT_EQ(lanePattern(makeSample([](auto L) { return (L ^ 5) * 4; })).Kind,
            LanePattern::Scattered);
}

TEST(LanePattern, NegativeOffsetsKeepTheirPlaceInSectors) {
  const RequestSample S = makeSample([](auto L) { return 4 * L - 4; });
  Access A;
  A.Bytes = 4;
  const WarpRequest R = toRequest(A, S);
  EXPECT_EQ(R.Address[0] % 128, 124u);
  EXPECT_EQ(R.Address[1] % 128, 0u);
}

// Neighbours share 16 words of 8 bytes, all banks once: both halves of the warp
// are read together, and written one after the other.
TEST(LanePattern, AWideStoreIsNoLoad) {
  const Architecture &Arch = *findArchitecture({9, 0});
  Access A;
  A.Space = MemorySpace::Shared;
  A.Bytes = 8;
  A.Samples = {makeSample([](auto L) { return L / 2 * 8; })};
  A.Op = AccessOp::Load;
  EXPECT_EQ(meanShared(Arch, A).Transactions, 1);
  A.Op = AccessOp::Store;
  A.Kind = RequestKind::Store;
  EXPECT_EQ(meanShared(Arch, A).Transactions, 2);
}

TEST(LanePattern, AlignedRunsOfTwoMisalignedRows) {
  // Two rows of 64 bytes, each 4 bytes behind a sector: 3 + 3 sectors as they
  // are, 2 + 2 where each starts on a sector.
  const KernelModel K = makeKernel();
  const Access A = makeAccess(K, MemorySpace::Global, 1, 4, [](auto L) {
    return 4 + L / 16 * 4096 + L % 16 * 4;
  });
  EXPECT_EQ(meanGlobal(*K.Gpu.Arch, A).Transactions, 6);
  EXPECT_EQ(meanGlobalAligned(*K.Gpu.Arch, A).Transactions, 4);
  EXPECT_EQ(misalignment(*K.Gpu.Arch, A.Samples.front()), 4u);
}

TEST(LanePattern, RequestsWithoutASampleAreAlignedAsTheyAre) {
  // Six of seven requests are two rows of 64 bytes, one of them 16 bytes behind
  // a sector: 2 + 3 sectors. Of the seventh, of two sectors, no sample is kept.
  const KernelModel K = makeKernel();
  Access A = makeAccess(K, MemorySpace::Global, 1, 4,
                        [](auto L) { return L / 16 * 400 + L % 16 * 4; });
  A.Samples.front().Weight = 6.0 / 7;
  A.Predicted = {.PerRequest = (6 * 5 + 2) / 7.0, .Ideal = (6 * 4 + 1) / 7.0};
  EXPECT_DOUBLE_EQ(meanGlobalAligned(*K.Gpu.Arch, A).Transactions,
                   (6 * 4 + 2) / 7.0);
}

TEST(LanePattern, AligningDoesNotMendAStride) {
  const KernelModel K = makeKernel();
  const Access A =
      makeAccess(K, MemorySpace::Global, 1, 4, [](auto L) { return L * 32; });
  EXPECT_EQ(meanGlobalAligned(*K.Gpu.Arch, A).Transactions, 32);
}

TEST(LanePattern, FieldsOfAStructFillTheirSectorsTogether) {
  // 32 structs of 12 bytes are 384 bytes: 12 sectors, all of them used.
  const KernelModel K = makeKernel();
  std::vector<Access> Fields;
  for (const int Offset : {0, 4, 8})
    Fields.push_back(makeAccess(K, MemorySpace::Global, 1, 4,
                                [=](auto L) { return 12 * L + Offset; }));
  const Access *Group[] = {&Fields[0], &Fields[1], &Fields[2]};
  EXPECT_EQ(unionTraffic({Group, 1}).Transactions, 12);
  EXPECT_EQ(unionTraffic({Group, 1}).BytesUsed, 128);
  EXPECT_EQ(unionTraffic(Group).Transactions, 12);
  EXPECT_EQ(unionTraffic(Group).BytesUsed, 384);
}

static std::vector<std::int64_t> turnsOfLane(const Access &A, unsigned Lane) {
  std::vector<std::int64_t> Offsets;
  for (const RequestSample &S : samplesOfTurns(A))
    Offsets.push_back(S.Offset[Lane]);
  return Offsets;
}

TEST(LanePattern, TurnsOfALoopFillSectorsTogether) {
  const KernelModel K = makeKernel();
  Access A =
      makeAccess(K, MemorySpace::Global, 1, 4, [](auto L) { return 48 * L; });
  A.LoopTurns = {12};
  // It stays where it is.
  EXPECT_EQ(unionOfTurns(A).BytesUsed, 128);
  // All of the 1,536 bytes, and 8 of each 12.
  A.TurnStep = 4;
  EXPECT_EQ(turnsOfLane(A, 1),
            (std::vector<std::int64_t>{48, 52, 56, 60, 64, 68, 72, 76, 80, 84,
                                       88, 92}));
  EXPECT_EQ(unionOfTurns(A).BytesUsed, 1536);
  EXPECT_EQ(unionOfTurns(A).Transactions, 48);
  A.LoopTurns = {8};
  EXPECT_EQ(unionOfTurns(A).BytesUsed, 1024);
  // As many as come to the next lane's, where nobody knows.
  A.LoopTurns = {0};
  EXPECT_EQ(turnsOfLane(A, 0).size(), 12u);
  A.LoopTurns = {};
  EXPECT_EQ(turnsOfLane(A, 0).size(), 12u);
  A.TurnStep = 4096;
  EXPECT_EQ(turnsOfLane(A, 0).size(), 32u);
  // Far apart, each has a sector of its own.
  A.LoopTurns = {4};
  EXPECT_EQ(unionOfTurns(A).BytesUsed, 4 * 128);
  EXPECT_EQ(unionOfTurns(A).Transactions, 4 * 32);
}

/// With requests so many bytes behind the first one.
static Access withSamplesBehind(Access A,
                                std::initializer_list<std::int64_t> Bytes,
                                bool AreOfOthers) {
  for (const std::int64_t Each : Bytes) {
    RequestSample &S = A.Samples.emplace_back(A.Samples.front());
    S.IsOfOthers = AreOfOthers;
    for (std::int64_t &Offset : S.Offset)
      Offset += Each;
  }
  return A;
}

// `for i < 3, for k < 4: a[12 * t + 4 * i + k]`
TEST(LanePattern, OuterTurnsBeginAnew) {
  const KernelModel K = makeKernel();
  Access A = withSamplesBehind(
      makeAccess(K, MemorySpace::Global, 1, 4, [](auto L) { return 48 * L; }),
      {4, 8, 12, 16, 20, 24, 28}, false);
  A.LoopTurns = {4, 3};
  A.TurnStep = 4;
  EXPECT_EQ(turnsOfLane(A, 0),
            (std::vector<std::int64_t>{0, 4, 8, 12, 16, 20, 24, 28}));
}

TEST(LanePattern, OtherBlocksAreNoTurns) {
  const KernelModel K = makeKernel();
  const Access A =
      makeAccess(K, MemorySpace::Global, 1, 4, [](auto L) { return 32 * L; });
  const auto with = [&](bool AreOfOthers) {
    return withSamplesBehind(A, {4, 8, 12, 16, 20, 24, 28}, AreOfOthers);
  };
  EXPECT_EQ(unionOfTurns(with(true)).BytesUsed, 128);
  EXPECT_EQ(turnsOfLane(with(true), 1), std::vector<std::int64_t>{32});
  EXPECT_EQ(unionOfTurns(with(false)).BytesUsed, 1024);
}

TEST(LanePattern, HostileStepsWrap) {
  const KernelModel K = makeKernel();
  Access A = makeAccess(K, MemorySpace::Global, 1, 4,
                        [](auto) { return INT64_MAX - 1; });
  A.TurnStep = INT64_MAX;
  EXPECT_EQ(turnsOfLane(A, 0).size(), 32u);
  EXPECT_GT(unionOfTurns(A).BytesUsed, 0);
}

TEST(LanePattern, PatternsOfOneCharacterALane) {
  const KernelModel K = makeKernel();
  const Access Unit =
      makeAccess(K, MemorySpace::Global, 1, 4, [](auto L) { return 4 * L; });
  EXPECT_EQ(sectorPattern(Unit), "#-------#-------#-------#-------");
  const Access Half = makeAccess(
      K, MemorySpace::Shared, 1, 4, [](auto L) { return 8 * L; }, 0xffff);
  EXPECT_EQ(bankPattern(*K.Gpu.Arch, Half), "----------------................");
  const Access Two =
      makeAccess(K, MemorySpace::Shared, 1, 4, [](auto L) { return 8 * L; });
  EXPECT_EQ(bankPattern(*K.Gpu.Arch, Two), std::string(32, '#'));
}

/// `Sure` and `PerUnit` times a value that only the run knows, of which 2^20
/// was made.
static RequestSample
sampleWithSymbol(const std::function<std::int64_t(std::int64_t)> &Sure,
                 const std::function<std::int64_t(std::int64_t)> &PerUnit,
                 std::string Symbol) {
  constexpr std::int64_t Value = 1 << 20;
  RequestSample S =
      makeSample([&](auto L) { return Sure(L) + PerUnit(L) * Value; });
  MadeUpOffsets M;
  for (unsigned L = 0; L < WarpSize; ++L)
    M.Offset[L] = PerUnit(L) * Value;
  M.Symbol = std::move(Symbol);
  M.Value = Value;
  S.MadeUp = std::make_shared<const MadeUpOffsets>(M);
  return S;
}

TEST(LanePattern, DistancesOfARunTimePitchAreInItsUnits) {
  // m[Size * (L % 4) + L / 4]
  const RequestSample S =
      sampleWithSymbol([](auto L) { return L / 4 * 4; },
                       [](auto L) { return L % 4 * 4; }, "Size");
  EXPECT_EQ(inWords(describe(lanePattern(S), false)),
            "lanes form rows of 4 that are 4 bytes apart, 4 * 'Size' bytes "
            "from lane to lane within a row");
  // m[Size * (L / 8) + L % 8]
  const RequestSample R =
      sampleWithSymbol([](auto L) { return L % 8 * 4; },
                       [](auto L) { return L / 8 * 4; }, "Size");
  EXPECT_EQ(inWords(describe(lanePattern(R), false)),
            "lanes form rows of 8 that are 4 * 'Size' bytes apart, 4 bytes "
            "from lane to lane within a row");
}

TEST(LanePattern, MadeUpDistancesAreNotNumbers) {
  // m[(Size + 1) * L]: no simple multiple.
  EXPECT_EQ(inWords(describe(lanePattern(sampleWithSymbol(
                                 [](auto L) { return 4 * L; },
                                 [](auto L) { return 4 * L; }, "Size")),
                             false)),
            "neighbouring lanes are a run-time distance apart");
  // (L & 1 ? a : b)[L]
  EXPECT_EQ(inWords(describe(
                lanePattern(sampleWithSymbol([](auto L) { return 4 * L; },
                                             [](auto L) { return L & 1; }, "")),
                false)),
            "lanes form rows of 2 that are 8 bytes apart, a run-time distance "
            "from lane to lane within a row");
}

} // namespace LanePatternTests
