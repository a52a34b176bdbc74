//===- tests/unit/hardware/NaiveTrafficTests.cpp - By the rules ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random requests, on every architecture, against the second reading of the
// rules in NaiveTraffic.h.
//
//===----------------------------------------------------------------------===//

#include "hardware/WarpTransactions.h"
#include "tests/unit/hardware/NaiveTraffic.h"

#include <gtest/gtest.h>

#include <bit>

namespace NaiveTrafficTests {

using namespace cudalint;

static naive::Cost naiveGlobal(ComputeCapability CC, const WarpRequest &R) {
  if (CC.Major >= 5)
    return naive::sectors(R);
  if (CC.Major >= 2)
    return naive::lines(R);
  return CC.Minor >= 2 ? naive::segments(R) : naive::inOrder(R);
}

TEST(AgainstNaive, Global) {
  std::mt19937 Random(11);
  for (unsigned I = 0; I < 15000; ++I) {
    const WarpRequest R = naive::anyRequest(Random);
    const Architecture &A = architectures()[I % architectures().size()];
    SCOPED_TRACE(toString(A.CC) + ": " + naive::describe(R));
    const naive::Cost Want = naiveGlobal(A.CC, R);
    const GlobalTraffic Got = globalTraffic(A, R);
    ASSERT_EQ(Got.Transactions, Want.Count);
    ASSERT_EQ(Got.BytesMoved, Want.Bytes);
    ASSERT_EQ(Got.BytesUsed, naive::touched(R, naive::active(R), 1).size());
  }
}

static unsigned naivePhases(ComputeCapability CC, const WarpRequest &R,
                            BankMode Mode) {
  const unsigned Bytes = R.BytesPerLane;
  const unsigned Together = Bytes == 16 ? 8 : Bytes == 8 ? 16 : 32;
  if (CC.Major == 3)
    return naive::phases(R, Bytes == 16 ? 16 : 32,
                         Mode == BankMode::EightByte ? 8 : 4, 256);
  return naive::phases(R, Together, 4, 128, CC.Major == 2 && Bytes == 16);
}

TEST(AgainstNaive, SharedPhases) {
  std::mt19937 Random(12);
  for (unsigned I = 0; I < 15000; ++I) {
    WarpRequest R = naive::anyRequest(Random);
    if (I % 9 == 0)
      R.Kind = RequestKind::Atomic;
    const Architecture &A = architectures()[4 + I % 25];
    ASSERT_GE(A.CC.Major, 2);
    const BankMode Mode = I % 2 ? BankMode::FourByte : BankMode::EightByte;
    SCOPED_TRACE(toString(A.CC) + ": " + naive::describe(R));
    const SharedTraffic Got = sharedTraffic(A, R, Mode);
    const unsigned Single = naivePhases(A.CC, R, Mode);
    if (A.CC.Major < 7 || R.BytesPerLane < 8 || R.Kind != RequestKind::Load) {
      ASSERT_EQ(Got.Wavefronts, Single);
      ASSERT_EQ(Got.Served, Single);
      continue;
    }
    // Two phases in one, when the warp pairs up.
    const unsigned Pair = R.BytesPerLane == 8 ? 32 : 16;
    const bool Merges = naive::pairsUp(R, 1) || naive::pairsUp(R, 2);
    ASSERT_EQ(Got.Served, Merges ? naive::phases(R, Pair, 4, 128) : Single);
    ASSERT_EQ(Got.Wavefronts, naive::reported(R));
  }
}

TEST(AgainstNaive, SharedStepsOf1x) {
  // The search tries every choice of the hardware, so few lanes at a time.
  std::mt19937 Random(13);
  for (unsigned I = 0; I < 1500; ++I) {
    WarpRequest R = naive::anyRequest(Random);
    while (std::popcount(R.ActiveMask & 0xffff) > 7)
      R.ActiveMask &= ~(1u << Random() % 16);
    while (std::popcount(R.ActiveMask >> 16) > 7)
      R.ActiveMask &= ~(1u << (16 + Random() % 16));
    if (I % 2) // Crowd the banks.
      for (std::uint64_t &Address : R.Address)
        Address = Address / R.BytesPerLane % 5 * 16 * R.BytesPerLane +
                  Address / R.BytesPerLane % 3 * R.BytesPerLane;
    SCOPED_TRACE(naive::describe(R));
    ASSERT_EQ(sharedTraffic(architectures()[I % 4], R).Wavefronts,
              naive::teslaWavefronts(R));
  }
}

} // namespace NaiveTrafficTests
