//===- tests/unit/hardware/WarpTransactionsTests.cpp - By the texts ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the texts about coalescing and banks say, then and now, and properties
// that hold of every request. Numbers are from the programming guides, from
// measurements on an H200, or worked out beside the expectation.
//
//===----------------------------------------------------------------------===//

#include "hardware/WarpTransactions.h"
#include "tests/unit/hardware/NaiveTraffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <random>

namespace WarpTransactionsTests {

using namespace cudalint;

static const Architecture &arch(int Major, int Minor) {
  const Architecture *A = findArchitecture({Major, Minor});
  EXPECT_NE(A, nullptr);
  return *A;
}

static const Architecture &today() { return arch(9, 0); }

/// Lane l at byte `Start + l * Stride`.
static WarpRequest strided(unsigned Bytes, unsigned Stride, unsigned Start = 0,
                           std::uint32_t Mask = 0xffffffff) {
  WarpRequest R;
  R.BytesPerLane = Bytes;
  R.ActiveMask = Mask;
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Address[L] = Start + std::uint64_t(L) * Stride;
  return R;
}

struct Counts {
  unsigned Count, Ideal;
  bool operator==(const Counts &) const = default;
};

static std::ostream &operator<<(std::ostream &OS, const Counts &C) {
  return OS << C.Count << " (ideal " << C.Ideal << ")";
}

static Counts global(const Architecture &A, const WarpRequest &R) {
  const GlobalTraffic T = globalTraffic(A, R);
  return {T.Transactions, T.Ideal};
}

static Counts shared(const Architecture &A, const WarpRequest &R,
                     BankMode Mode = BankMode::FourByte) {
  const SharedTraffic T = sharedTraffic(A, R, Mode);
  return {T.Wavefronts, T.Ideal};
}

//===----------------------------------------------------------------------===//
// Measured on an H200: the values that the model must give exactly
//===----------------------------------------------------------------------===//

// 32 banks of 4 bytes; before 2.0 they are 16, and serve half a warp.
TEST(WarpTransactions, IdealWavefronts) {
  for (const auto &[Bytes, Wavefronts] :
       {std::pair{1U, 1U}, {4U, 1U}, {8U, 2U}, {16U, 4U}})
    EXPECT_EQ(idealWavefronts(today(), Bytes), Wavefronts) << Bytes;
  EXPECT_EQ(idealWavefronts(arch(1, 0), 4), 2U);
  EXPECT_EQ(idealWavefronts(today(), 12), 0U); // no such instruction
}

TEST(MeasuredTable, SharedFloatStrides) {
  const unsigned Strides[] = {1, 2, 4, 16, 17, 32};
  const unsigned Wavefronts[] = {1, 2, 4, 16, 1, 32};
  for (unsigned I = 0; I < 6; ++I)
    EXPECT_EQ(shared(today(), strided(4, 4 * Strides[I])),
              (Counts{Wavefronts[I], 1}))
        << "stride " << Strides[I];
}

TEST(MeasuredTable, SharedWideStrides) {
  EXPECT_EQ(shared(today(), strided(8, 8)), (Counts{2, 2}));
  EXPECT_EQ(shared(today(), strided(8, 16)), (Counts{4, 2}));
  EXPECT_EQ(shared(today(), strided(16, 16)), (Counts{4, 4}));
  EXPECT_EQ(shared(today(), strided(16, 48)), (Counts{4, 4}));
  EXPECT_EQ(shared(today(), strided(16, 128)), (Counts{32, 4}));
}

TEST(MeasuredTable, GlobalFloatStrides) {
  const unsigned Strides[] = {1, 2, 3, 8, 32};
  const unsigned Sectors[] = {4, 8, 12, 32, 32};
  for (unsigned I = 0; I < 5; ++I)
    EXPECT_EQ(global(today(), strided(4, 4 * Strides[I])),
              (Counts{Sectors[I], 4}))
        << "stride " << Strides[I];
}

TEST(MeasuredTable, StructOfThreeFloats) {
  for (unsigned Field : {0, 4, 8})
    EXPECT_EQ(global(today(), strided(4, 12, Field)), (Counts{12, 4}));
  const GlobalTraffic Aligned = globalTraffic(today(), strided(16, 16));
  EXPECT_EQ(Aligned.Transactions, 16u);
  // The remedy moves 512 bytes where the three loads touch 384.
  EXPECT_EQ(Aligned.BytesMoved, 512u);
  EXPECT_EQ(globalTraffic(today(), strided(4, 12)).BytesMoved, 384u);
}

TEST(MeasuredTable, WorkedExampleOfTheHeader) {
  const GlobalTraffic Field = globalTraffic(today(), strided(4, 12));
  EXPECT_EQ(Field.BytesUsed, 128u);
  const SharedTraffic Column = sharedTraffic(today(), strided(8, 256));
  EXPECT_EQ(Column.Wavefronts, 32u);
  EXPECT_EQ(Column.Ideal, 2u);
  EXPECT_EQ(Column.Ways, 16u);
  EXPECT_EQ(shared(today(), strided(8, 33 * 8)), (Counts{2, 2}));
}

TEST(MeasuredTable, IdealCountsLanesNotDistinctBytes) {
  // 32 lanes in pairs on 16 sectors: the profiler's ideal is 4, not 2.
  WarpRequest Pairs = strided(4, 0);
  for (unsigned L = 0; L < WarpSize; ++L)
    Pairs.Address[L] = L / 2 * 64;
  EXPECT_EQ(global(today(), Pairs), (Counts{16, 4}));
  EXPECT_EQ(globalTraffic(today(), Pairs).BytesUsed, 64u);
  // Sharing costs nothing: never more than what is needed.
  EXPECT_EQ(global(today(), strided(4, 0)), (Counts{1, 1}));
  // Ten lanes of 8 bytes: 80 bytes, 3 sectors and 1 wavefront.
  EXPECT_EQ(global(today(), strided(8, 8, 0, 0x3ff)), (Counts{3, 3}));
  EXPECT_EQ(shared(today(), strided(8, 8, 0, 0x3ff)), (Counts{1, 1}));
  // Seventeen: 136 bytes do not fit in one.
  EXPECT_EQ(shared(today(), strided(8, 8, 0, 0x1ffff)), (Counts{2, 2}));
  EXPECT_EQ(shared(today(), strided(16, 16, 0, 1)), (Counts{1, 1}));
}

TEST(MeasuredTable, WideLoadsWhoseLanesPairUpMerge) {
  // All lanes at one double, or at one float4.
  EXPECT_EQ(shared(today(), strided(8, 0)), (Counts{1, 1}));
  EXPECT_EQ(shared(today(), strided(16, 0)), (Counts{2, 2}));
  // Stores do not merge.
  WarpRequest Store = strided(8, 0);
  Store.Kind = RequestKind::Store;
  EXPECT_EQ(shared(today(), Store), (Counts{2, 2}));
  // Lanes alternate between two doubles of one bank: the hardware takes 2
  // wavefronts, the counters patched into the code say 4.
  WarpRequest Two = strided(8, 0);
  for (unsigned L = 0; L < WarpSize; ++L)
    Two.Address[L] = L % 2 * 128;
  const SharedTraffic T = sharedTraffic(today(), Two);
  EXPECT_EQ(T.Wavefronts, 4u);
  EXPECT_EQ(T.Served, 2u);
  EXPECT_EQ(T.Ways, 2u);
}

TEST(MeasuredTable, AtomicsQueueUpAtAWord) {
  for (unsigned Stride : {0, 1, 2, 3, 8, 32}) {
    WarpRequest R = strided(4, 4 * Stride);
    R.Kind = RequestKind::Atomic;
    const unsigned Ways = std::gcd(Stride, 32u);
    EXPECT_EQ(shared(today(), R), (Counts{Ways, 1})) << Stride;
  }
}

// As kernels/atomic measures it on 9.0.
TEST(MeasuredTable, CompareAndSwapBringsTwoValues) {
  for (unsigned Stride : {0, 1, 2, 3, 8, 32}) {
    WarpRequest R = strided(4, 4 * Stride);
    R.Kind = RequestKind::CompareAndSwap;
    const unsigned Ways = std::gcd(Stride, 32u);
    EXPECT_EQ(shared(today(), R), (Counts{2 * Ways, 2})) << Stride;
    EXPECT_EQ(sharedTraffic(today(), R).Ways, Ways);
    R.ActiveMask = 1;
    EXPECT_EQ(shared(today(), R), (Counts{2, 2}));
    EXPECT_EQ(globalTraffic(today(), R).Transactions, 1u);
  }
}

//===----------------------------------------------------------------------===//
// Coalescing, as texts for compute capability 1.x teach it
//===----------------------------------------------------------------------===//

TEST(Coalescing, WordsOfFourEightAndSixteenBytes) {
  for (int Minor : {0, 1, 2, 3}) {
    const Architecture &Old = arch(1, Minor);
    EXPECT_EQ(global(Old, strided(4, 4)), (Counts{2, 2}));
    EXPECT_EQ(global(Old, strided(8, 8)), (Counts{2, 2}));
    EXPECT_EQ(global(Old, strided(16, 16)), (Counts{4, 4}));
    EXPECT_EQ(globalTraffic(Old, strided(4, 4)).BytesMoved, 128u);
    EXPECT_EQ(globalTraffic(Old, strided(16, 16)).BytesMoved, 512u);
  }
  // Smaller words do not coalesce on 1.0; they do from 1.2 on, in one segment
  // of 32 or 64 bytes for each half-warp.
  EXPECT_EQ(global(arch(1, 0), strided(1, 1)), (Counts{32, 2}));
  EXPECT_EQ(global(arch(1, 0), strided(2, 2)), (Counts{32, 2}));
  EXPECT_EQ(global(arch(1, 3), strided(1, 1)), (Counts{2, 2}));
  EXPECT_EQ(global(arch(1, 3), strided(2, 2)), (Counts{2, 2}));
  EXPECT_EQ(global(today(), strided(1, 1)), (Counts{1, 1}));
  EXPECT_EQ(global(today(), strided(2, 2)), (Counts{2, 2}));
}

TEST(Coalescing, LaneKAtWordK) {
  WarpRequest Reversed = strided(4, 4);
  std::ranges::reverse(Reversed.Address);
  EXPECT_EQ(global(arch(1, 0), Reversed), (Counts{32, 2}));
  EXPECT_EQ(global(arch(1, 1), Reversed), (Counts{32, 2}));
  EXPECT_EQ(globalTraffic(arch(1, 0), Reversed).BytesMoved, 32u * 32);
  // In any order from 1.2 on.
  EXPECT_EQ(global(arch(1, 2), Reversed), (Counts{2, 2}));
  EXPECT_EQ(global(arch(2, 0), Reversed), (Counts{1, 1}));
  EXPECT_EQ(global(today(), Reversed), (Counts{4, 4}));
}

TEST(Coalescing, AlignedStart) {
  const WarpRequest Off = strided(4, 4, 4);
  EXPECT_EQ(global(arch(1, 0), Off), (Counts{32, 2}));
  // 1.3: bytes 4..67 in one segment; 68..127 in its upper half, 128..131 in
  // the next: 128 + 64 + 32 bytes.
  EXPECT_EQ(global(arch(1, 3), Off), (Counts{3, 2}));
  EXPECT_EQ(globalTraffic(arch(1, 3), Off).BytesMoved, 224u);
  EXPECT_EQ(global(arch(2, 0), Off), (Counts{2, 1}));
  EXPECT_EQ(global(today(), Off), (Counts{5, 4}));
  // 64 bytes are aligned enough for a half-warp on 1.0, and for sectors.
  EXPECT_EQ(global(arch(1, 0), strided(4, 4, 64)), (Counts{2, 2}));
  EXPECT_EQ(global(today(), strided(4, 4, 64)), (Counts{4, 4}));
}

TEST(Coalescing, IdleLanesDoNoHarm) {
  for (std::uint32_t Mask : {0x55555555u, 0x0000fffeu, 0x80018001u}) {
    for (unsigned Bytes : {4, 8}) {
      const WarpRequest R = strided(Bytes, Bytes, 0, Mask);
      const unsigned Halves = (Mask & 0xffff) && Mask >> 16 ? 2 : 1;
      EXPECT_EQ(global(arch(1, 0), R).Count, Halves) << Mask;
      EXPECT_EQ(global(arch(1, 3), R).Count, Halves) << Mask;
    }
    EXPECT_LE(global(today(), strided(4, 4, 0, Mask)).Count, 4u);
  }
}

TEST(Coalescing, TwelveByteStruct) {
  for (unsigned Field : {0, 4, 8}) {
    const WarpRequest R = strided(4, 12, Field);
    EXPECT_EQ(global(arch(1, 0), R), (Counts{32, 2}));
    EXPECT_EQ(global(arch(1, 1), R), (Counts{32, 2}));
    // 1.3: a half-warp spans 192 bytes: a segment and a half.
    EXPECT_EQ(global(arch(1, 3), R), (Counts{4, 2}));
    EXPECT_EQ(globalTraffic(arch(1, 3), R).BytesMoved, 384u);
    EXPECT_EQ(global(arch(2, 0), R), (Counts{3, 1}));
    EXPECT_EQ(global(today(), R), (Counts{12, 4}));
  }
}

TEST(Coalescing, RemediesForTheStruct) {
  for (const Architecture &A : architectures()) {
    SCOPED_TRACE(toString(A.CC));
    // __align__(16) and one 16-byte load.
    const Counts Aligned = global(A, strided(16, 16));
    EXPECT_EQ(Aligned.Count, Aligned.Ideal);
    // Three arrays.
    const Counts Array = global(A, strided(4, 4));
    EXPECT_EQ(Array.Count, Array.Ideal);
    // Staging: floats side by side, then temp[tid * 3 + 0..2] from shared
    // memory, conflict-free as 3 is odd.
    for (unsigned Field : {0, 4, 8}) {
      const SharedTraffic T = sharedTraffic(A, strided(4, 12, Field));
      EXPECT_EQ(T.Ways, 1u);
      EXPECT_EQ(T.Wavefronts, T.Ideal);
    }
  }
}

//===----------------------------------------------------------------------===//
// Banks, as texts for compute capability 1.x teach them
//===----------------------------------------------------------------------===//

TEST(Banks, SideBySideIsFreeFromAnyBase) {
  for (const Architecture &A : architectures())
    for (unsigned Base = 0; Base < 33; ++Base)
      EXPECT_EQ(sharedTraffic(A, strided(4, 4, 4 * Base)).Ways, 1u)
          << toString(A.CC) << " base " << Base;
}

TEST(Banks, EveryFourthWordIsFourWay) {
  EXPECT_EQ(sharedTraffic(arch(1, 0), strided(4, 16)).Ways, 4u);
  EXPECT_EQ(shared(arch(1, 0), strided(4, 16)), (Counts{8, 2}));
  EXPECT_EQ(sharedTraffic(arch(2, 0), strided(4, 16)).Ways, 4u);
  EXPECT_EQ(sharedTraffic(today(), strided(4, 16)).Ways, 4u);
}

TEST(Banks, OneWordForAllIsABroadcast) {
  for (const Architecture &A : architectures()) {
    const SharedTraffic T = sharedTraffic(A, strided(4, 0, 12));
    EXPECT_EQ(T.Ways, 1u) << toString(A.CC);
    EXPECT_EQ(T.Wavefronts, T.Ideal) << toString(A.CC);
  }
}

TEST(Banks, OnlyOneWordIsBroadcastInAStepOn1x) {
  // Two words in two banks, eight lanes each: two steps, then one from 2.0 on.
  WarpRequest R = strided(4, 0, 0, 0xffff);
  for (unsigned L = 0; L < 16; ++L)
    R.Address[L] = L / 8 * 4;
  EXPECT_EQ(shared(arch(1, 3), R), (Counts{2, 1}));
  EXPECT_EQ(shared(arch(2, 0), R), (Counts{1, 1}));
  EXPECT_EQ(shared(today(), R), (Counts{1, 1}));
}

TEST(Banks, SixteenWordsApartConflictFullyOn1x) {
  EXPECT_EQ(sharedTraffic(arch(1, 1), strided(4, 64)).Ways, 16u);
  EXPECT_EQ(shared(arch(1, 1), strided(4, 64)), (Counts{32, 2}));
  EXPECT_EQ(sharedTraffic(today(), strided(4, 64)).Ways, 16u);
  EXPECT_EQ(sharedTraffic(today(), strided(4, 128)).Ways, 32u);
}

TEST(Banks, RowsOfSeventeenRepairSixteenBanks) {
  // Reading data[17 * tid].
  EXPECT_EQ(shared(arch(1, 1), strided(4, 68)), (Counts{2, 2}));
  EXPECT_EQ(shared(today(), strided(4, 68)), (Counts{1, 1}));
  // Writing at row * 17 + column, 16 columns.
  WarpRequest Write = strided(4, 0);
  Write.Kind = RequestKind::Store;
  for (unsigned L = 0; L < WarpSize; ++L)
    Write.Address[L] = 4 * (L / 16 * 17 + L % 16);
  EXPECT_EQ(shared(arch(1, 1), Write), (Counts{2, 2}));
  // On 32 banks lane 0 writes word 0 and lane 31 word 32: the same bank.
  EXPECT_EQ(shared(today(), Write), (Counts{2, 1}));
}

TEST(Banks, GreatestCommonDivisor) {
  for (unsigned Stride = 1; Stride <= 64; ++Stride) {
    SCOPED_TRACE(Stride);
    const WarpRequest R = strided(4, 4 * Stride);
    EXPECT_EQ(sharedTraffic(arch(1, 3), R).Ways, std::gcd(Stride, 16u));
    for (ComputeCapability CC :
         {ComputeCapability{2, 0}, {5, 0}, {6, 1}, {7, 5}, {9, 0}, {12, 0}})
      EXPECT_EQ(sharedTraffic(arch(CC.Major, CC.Minor), R).Ways,
                std::gcd(Stride, 32u))
          << toString(CC);
  }
}

TEST(Banks, PartsOfAWord) {
  // Bytes side by side: 4-way on 1.x, 16-bit words 2-way; free from 2.0 on.
  EXPECT_EQ(sharedTraffic(arch(1, 0), strided(1, 1)).Ways, 4u);
  EXPECT_EQ(sharedTraffic(arch(1, 0), strided(2, 2)).Ways, 2u);
  EXPECT_EQ(sharedTraffic(arch(1, 0), strided(1, 4)).Ways, 1u);
  for (unsigned Bytes : {1, 2}) {
    EXPECT_EQ(shared(arch(2, 0), strided(Bytes, Bytes)), (Counts{1, 1}));
    EXPECT_EQ(shared(arch(3, 5), strided(Bytes, Bytes)), (Counts{1, 1}));
    EXPECT_EQ(shared(today(), strided(Bytes, Bytes)), (Counts{1, 1}));
  }
}

TEST(Banks, Doubles) {
  // 1.x: two 32-bit requests a half-warp, each 2-way.
  EXPECT_EQ(shared(arch(1, 3), strided(8, 8)), (Counts{8, 4}));
  EXPECT_EQ(sharedTraffic(arch(1, 3), strided(8, 8)).Ways, 2u);
  EXPECT_EQ(shared(arch(2, 0), strided(8, 8)), (Counts{2, 2}));
  for (BankMode Mode : {BankMode::FourByte, BankMode::EightByte})
    EXPECT_EQ(shared(arch(3, 5), strided(8, 8), Mode), (Counts{1, 1}));
  EXPECT_EQ(shared(arch(5, 0), strided(8, 8)), (Counts{2, 2}));
}

TEST(Banks, SixteenBytes) {
  // 2.x: a quarter-warp costs one more than its conflicts.
  EXPECT_EQ(shared(arch(2, 0), strided(16, 16)), (Counts{8, 8}));
  EXPECT_EQ(sharedTraffic(arch(2, 0), strided(16, 16)).Ways, 1u);
  EXPECT_EQ(shared(arch(5, 2), strided(16, 16)), (Counts{4, 4}));
}

TEST(Banks, KeplerModes) {
  const Architecture &K = arch(3, 5);
  // Strides of one, two and three words are free in 4-byte mode: words i and
  // i + 32 of one 64-word segment are served together.
  for (unsigned Stride : {1, 2, 3})
    EXPECT_EQ(shared(K, strided(4, 4 * Stride)), (Counts{1, 1})) << Stride;
  EXPECT_EQ(sharedTraffic(K, strided(4, 4 * 32)).Ways, 16u);
  EXPECT_EQ(sharedTraffic(K, strided(4, 4 * 64)).Ways, 32u);
  // Words 0 and 32 meet in one segment; 32 and 64 do not.
  WarpRequest Two = strided(4, 0, 0, 3);
  Two.Address[1] = 4 * 32;
  EXPECT_EQ(sharedTraffic(K, Two).Ways, 1u);
  Two.Address[0] = 4 * 64;
  EXPECT_EQ(sharedTraffic(K, Two).Ways, 2u);
  // 8-byte mode: banks are 8 bytes wide.
  const BankMode Eight = BankMode::EightByte;
  EXPECT_EQ(sharedTraffic(K, strided(4, 4), Eight).Ways, 1u);
  EXPECT_EQ(sharedTraffic(K, strided(4, 8), Eight).Ways, 1u);
  EXPECT_EQ(sharedTraffic(K, strided(8, 16), Eight).Ways, 2u);
  EXPECT_EQ(sharedTraffic(K, strided(8, 256), Eight).Ways, 32u);
  // The mode means nothing elsewhere.
  EXPECT_EQ(shared(today(), strided(8, 16), Eight), (Counts{4, 2}));
}

TEST(Banks, LanesOfOtherPhasesDoNotConflict) {
  // Lanes 0 and 16 at one bank: 2-way as floats, two phases as doubles.
  WarpRequest R = strided(4, 0, 0, 0x00030003);
  R.Address = {};
  R.Address[1] = 4, R.Address[16] = 128, R.Address[17] = 132;
  EXPECT_EQ(sharedTraffic(today(), R).Ways, 2u);
  R.BytesPerLane = 8;
  R.Address[1] = 8, R.Address[17] = 136;
  EXPECT_EQ(sharedTraffic(today(), R).Ways, 1u);
  EXPECT_EQ(shared(today(), R), (Counts{2, 1}));
}

TEST(Banks, PaddingAndSwizzles) {
  // A column of a 32 x 32 tile of floats; padded; swizzled.
  EXPECT_EQ(sharedTraffic(today(), strided(4, 128)).Ways, 32u);
  EXPECT_EQ(sharedTraffic(today(), strided(4, 132)).Ways, 1u);
  WarpRequest Swizzled = strided(4, 0);
  for (unsigned L = 0; L < WarpSize; ++L)
    Swizzled.Address[L] = 4 * (L * 32 + (5 ^ L));
  EXPECT_EQ(sharedTraffic(today(), Swizzled).Ways, 1u);
}

TEST(Banks, TableSaysWhereEachLaneGoes) {
  const auto Table = bankTable(today(), strided(8, 16, 0, 0x80010002));
  ASSERT_EQ(Table.size(), 3u);
  // Lane 1: byte 16, word 4. Lane 16: byte 256, word 64. Lane 31: byte 496.
  EXPECT_EQ(Table[0].Lane, 1u);
  EXPECT_EQ(Table[0].Phase, 0u);
  EXPECT_EQ(Table[0].Bank, 4u);
  EXPECT_EQ(Table[0].Word, 4u);
  EXPECT_EQ(Table[1].Phase, 1u);
  EXPECT_EQ(Table[1].Bank, 0u);
  EXPECT_EQ(Table[1].Word, 64u);
  EXPECT_EQ(Table[2].Lane, 31u);
  EXPECT_EQ(Table[2].Bank, 28u);
  const auto Wide = bankTable(arch(3, 5), strided(8, 8), BankMode::EightByte);
  EXPECT_EQ(Wide[31].Bank, 31u);
  EXPECT_EQ(Wide[31].Phase, 0u);
  EXPECT_EQ(bankTable(arch(1, 0), strided(4, 4))[17].Phase, 1u);
  EXPECT_EQ(bankTable(arch(1, 0), strided(4, 4))[17].Bank, 1u);
}

//===----------------------------------------------------------------------===//
// Constant memory
//===----------------------------------------------------------------------===//

static unsigned constantCost(unsigned Bytes,
                             const std::function<unsigned(unsigned)> &Entry,
                             std::uint32_t Lanes = ~0u) {
  WarpRequest R{.ActiveMask = Lanes, .BytesPerLane = Bytes};
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Address[L] = 4096 + std::uint64_t(Entry(L)) * Bytes;
  return constantRequests(R);
}

/// idc__requests of an H200, as docs/validation/transactions-h200.md has them.
TEST(ConstantMemory, AsMeasured) {
  for (unsigned Different : {2u, 4u, 8u, 16u, 32u})
    EXPECT_EQ(constantCost(4, [=](unsigned L) { return L % Different; }),
              Different);
  for (unsigned Apart : {2u, 16u, 17u, 64u})
    EXPECT_EQ(constantCost(4, [=](unsigned L) { return L * Apart; }), 32u);
  for (unsigned Different : {4u, 32u}) {
    EXPECT_EQ(constantCost(1, [=](unsigned L) { return L % Different; }),
              Different);
    EXPECT_EQ(constantCost(8, [=](unsigned L) { return L % Different; }),
              Different);
  }
}

TEST(ConstantMemory, OnlyActiveLanesCount) {
  EXPECT_EQ(constantCost(4, [](unsigned L) { return L; }, 0x80000001), 2u);
  EXPECT_EQ(constantCost(4, [](unsigned) { return 5; }, 0xff), 1u);
  EXPECT_EQ(constantCost(4, [](unsigned L) { return L; }, 0), 0u);
}

//===----------------------------------------------------------------------===//
// Of every request
//===----------------------------------------------------------------------===//

TEST(EveryRequest, NothingActiveCostsNothing) {
  for (const Architecture &A : architectures())
    for (unsigned Bytes : {1, 2, 4, 8, 16}) {
      const WarpRequest R = strided(Bytes, 64, 0, 0);
      const GlobalTraffic G = globalTraffic(A, R);
      EXPECT_EQ(G.Transactions + G.Ideal + G.BytesMoved + G.BytesUsed, 0u);
      const SharedTraffic S = sharedTraffic(A, R);
      EXPECT_EQ(S.Wavefronts + S.Served + S.Ideal + S.Ways, 0u);
      EXPECT_TRUE(bankTable(A, R).empty());
    }
}

TEST(EveryRequest, OtherWidthsHaveNoNumber) {
  for (const Architecture &A : architectures())
    for (unsigned Bytes : {0u, 3u, 12u, 32u, 64u, 1u << 31}) {
      const WarpRequest R = strided(Bytes, 64);
      EXPECT_EQ(globalTraffic(A, R).Transactions, 0u);
      EXPECT_EQ(sharedTraffic(A, R).Wavefronts, 0u);
      EXPECT_TRUE(bankTable(A, R).empty());
    }
}

// Misaligned requests mean little, but they must not write out of bounds:
// this test is for the sanitizers.
TEST(EveryRequest, AnyAddressIsSafe) {
  std::mt19937_64 Random(5);
  for (unsigned I = 0; I < 20000; ++I) {
    WarpRequest R;
    R.BytesPerLane = 1u << Random() % 5;
    R.ActiveMask = Random();
    for (std::uint64_t &Address : R.Address)
      Address = Random() >> Random() % 64;
    const Architecture &A = architectures()[I % architectures().size()];
    EXPECT_LE(globalTraffic(A, R).Transactions, 64u);
    EXPECT_LE(sharedTraffic(A, R).Ways, 32u);
  }
}

TEST(EveryRequest, BoundsHold) {
  std::mt19937 Random(1);
  for (unsigned I = 0; I < 20000; ++I) {
    WarpRequest R = naive::anyRequest(Random);
    const unsigned Lanes = std::popcount(R.ActiveMask);
    const Architecture &A = architectures()[I % architectures().size()];
    SCOPED_TRACE(toString(A.CC) + ": " + naive::describe(R));
    const GlobalTraffic G = globalTraffic(A, R);
    ASSERT_LE(G.Ideal, G.Transactions);
    ASSERT_LE(G.Transactions, Lanes);
    ASSERT_LE(G.BytesUsed, G.BytesMoved);
    ASSERT_LE(G.BytesUsed, Lanes * R.BytesPerLane);
    const SharedTraffic S = sharedTraffic(A, R);
    ASSERT_LE(S.Ideal, S.Wavefronts);
    // What is reported of 16-byte loads errs both ways.
    if (R.BytesPerLane != 16) {
      ASSERT_LE(S.Served, S.Wavefronts);
    }
    ASSERT_GE(S.Served, 1u);
    ASSERT_GE(S.Ways, 1u);
    ASSERT_LE(S.Ways, Lanes);
    ASSERT_LE(S.Ways, S.Wavefronts);
  }
}

TEST(EveryRequest, PeriodsChangeNothing) {
  std::mt19937 Random(2);
  for (unsigned I = 0; I < 20000; ++I) {
    const WarpRequest R = naive::anyRequest(Random);
    const Architecture &A = architectures()[I % architectures().size()];
    SCOPED_TRACE(toString(A.CC) + ": " + naive::describe(R));
    WarpRequest Moved = R;
    for (std::uint64_t &Address : Moved.Address)
      Address += std::uint64_t(I % 7 + 1) * globalPeriod(A);
    const GlobalTraffic G = globalTraffic(A, R), GM = globalTraffic(A, Moved);
    ASSERT_EQ(G.Transactions, GM.Transactions);
    ASSERT_EQ(G.BytesMoved, GM.BytesMoved);
    for (unsigned L = 0; L < WarpSize; ++L)
      Moved.Address[L] = R.Address[L] + std::uint64_t(I) * SharedPeriod;
    for (BankMode Mode : {BankMode::FourByte, BankMode::EightByte})
      ASSERT_EQ(sharedTraffic(A, R, Mode).Wavefronts,
                sharedTraffic(A, Moved, Mode).Wavefronts);
  }
}

TEST(EveryRequest, OrderOfLanesMattersOnlyOn1x0) {
  std::mt19937 Random(3);
  for (unsigned I = 0; I < 20000; ++I) {
    WarpRequest R = naive::anyRequest(Random);
    R.ActiveMask = 0xffffffff;
    const Architecture &A = architectures()[2 + I % 27];
    ASSERT_GE(A.CC, (ComputeCapability{1, 2}));
    SCOPED_TRACE(toString(A.CC) + ": " + naive::describe(R));
    // Among lanes that are served together.
    const unsigned Group = A.CC.Major == 1 ? 16
                           : A.CC.Major >= 5
                               ? 32
                               : 128 / std::max(4u, R.BytesPerLane);
    WarpRequest Mixed = R;
    for (unsigned First = 0; First < WarpSize; First += Group)
      std::shuffle(Mixed.Address.begin() + First,
                   Mixed.Address.begin() + First + Group, Random);
    ASSERT_EQ(globalTraffic(A, R).Transactions,
              globalTraffic(A, Mixed).Transactions);
    ASSERT_EQ(globalTraffic(A, R).BytesMoved,
              globalTraffic(A, Mixed).BytesMoved);
  }
}

TEST(EveryRequest, IdleLanesMayHoldAnything) {
  std::mt19937 Random(4);
  for (unsigned I = 0; I < 5000; ++I) {
    WarpRequest R = naive::anyRequest(Random);
    R.ActiveMask &= Random();
    const Architecture &A = architectures()[I % architectures().size()];
    WarpRequest Other = R;
    for (unsigned L = 0; L < WarpSize; ++L)
      if (!(R.ActiveMask >> L & 1))
        Other.Address[L] = Random();
    ASSERT_EQ(global(A, R), global(A, Other)) << naive::describe(R);
    ASSERT_EQ(shared(A, R), shared(A, Other)) << naive::describe(R);
  }
}

TEST(EveryRequest, AddressesNearTheEndOfMemory) {
  // A symbol minus an offset wraps around; neighbours must stay neighbours.
  WarpRequest R = strided(4, 4);
  for (std::uint64_t &Address : R.Address)
    Address -= 128;
  EXPECT_EQ(global(today(), R), (Counts{4, 4}));
  EXPECT_EQ(shared(today(), R), (Counts{1, 1}));
}

} // namespace WarpTransactionsTests
