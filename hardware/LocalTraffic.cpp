//===- hardware/LocalTraffic.cpp - Private memory of the lanes ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/WarpTransactions.h"

#include <algorithm>
#include <bit>
#include <set>

namespace cudalint {

// Measured on 9.0, in all points of kernels/local-array.
GlobalTraffic localTraffic(const WarpRequest &R) {
  std::set<std::uint64_t> Sectors;
  const unsigned Words = std::max(1u, R.BytesPerLane / 4);
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.ActiveMask >> L & 1)
      for (unsigned W = 0; W < Words; ++W)
        Sectors.insert(((R.Address[L] / 4 + W) * 128 + L * 4) / SectorBytes);
  GlobalTraffic T;
  T.Transactions = static_cast<unsigned>(Sectors.size());
  T.BytesMoved = T.Transactions * SectorBytes;
  T.BytesUsed = static_cast<unsigned>(std::popcount(R.ActiveMask)) * Words * 4;
  T.Ideal = (T.BytesUsed + SectorBytes - 1) / SectorBytes;
  return T;
}

} // namespace cudalint
