//===- tests/unit/analyzer/checks/LanePatternTests.cpp - Request shapes ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/LanePattern.h"
#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gtest/gtest.h>

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
  const WarpRequest R = toRequest(S, 4);
  EXPECT_EQ(R.Address[0] % 128, 124u);
  EXPECT_EQ(R.Address[1] % 128, 0u);
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
