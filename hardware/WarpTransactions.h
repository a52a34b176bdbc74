//===- hardware/WarpTransactions.h - What one request costs ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the 32 addresses of one warp to what the memory system does with them.
/// Pure functions of the request and the architecture; no state, no estimate:
/// what they return is what the counters of that architecture count.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_WARPTRANSACTIONS_H
#define CUDA_LINT_HARDWARE_WARPTRANSACTIONS_H

#include "hardware/Architecture.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudalint {

inline constexpr unsigned WarpSize = 32;
inline constexpr unsigned SectorBytes = 32;

/// One memory instruction of one warp.
struct WarpRequest {
  std::array<std::uint64_t, WarpSize> Address = {}; ///< Byte addresses.
  std::uint32_t ActiveMask = 0xffffffff;            ///< Bit l is lane l.
  unsigned BytesPerLane = 4;                        ///< 1, 2, 4, 8 or 16.
};

/// Traffic of a global memory request.
/// `Transactions` is sectors of 32 bytes from 5.0 on, and the number of memory
/// transactions (segments or lines) before; `BytesMoved` is what they carry.
/// `Ideal` is the fewest transactions that could carry the same distinct
/// bytes.
struct GlobalTraffic {
  unsigned Transactions = 0;
  unsigned Ideal = 0;
  unsigned BytesMoved = 0;
  unsigned BytesUsed = 0; ///< Distinct bytes touched by active lanes.
};

GlobalTraffic globalTraffic(const Architecture &Arch, const WarpRequest &R);

/// Global addresses that differ by a multiple of this many bytes cost the same
/// on `Arch`: 32 where sectors count, more where segments do.
unsigned globalPeriod(const Architecture &Arch);

/// Traffic of a shared memory request.
struct SharedTraffic {
  unsigned Wavefronts = 0;
  unsigned Ideal = 0; ///< Fewest wavefronts for this size and these lanes.
  /// Largest number of distinct words in one bank within one phase: an N-way
  /// conflict when greater than 1.
  unsigned Ways = 0;
};

/// How Kepler's banks are set; it means nothing on other architectures.
enum class BankMode : std::uint8_t { FourByte, EightByte };

SharedTraffic sharedTraffic(const Architecture &Arch, const WarpRequest &R,
                            BankMode Mode = BankMode::FourByte);

/// Which word of which bank an active lane touches first, and in which phase
/// it is served.
struct LaneBank {
  unsigned Lane = 0;
  unsigned Phase = 0;
  unsigned Bank = 0;
  std::uint64_t Word = 0; ///< Address / bank width.
};

/// One entry per active lane, by lane.
std::vector<LaneBank> bankTable(const Architecture &Arch, const WarpRequest &R,
                                BankMode Mode = BankMode::FourByte);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_WARPTRANSACTIONS_H
