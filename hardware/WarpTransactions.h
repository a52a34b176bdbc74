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
/// Pure functions of the request and the architecture: no state, no heap, and
/// from 5.0 on what the counters of a profiler count, to the unit.
///
/// An example: 12-byte structs in global memory, one float field of each, and
/// a column of a 32-wide tile of doubles in shared memory, on 9.0.
///
///   request                     Transactions  Ideal  BytesMoved  BytesUsed
///   global  4 B, lane * 12                12      4         384        128
///
///   request                     Wavefronts  Ideal  Ways
///   shared  8 B, lane * 32 * 8          32      2    16
///
/// The field: 32 lanes times 12 bytes span 384 bytes, which are 12 sectors of
/// 32 bytes, all of them touched. 32 lanes that ask for 4 bytes each could do
/// with 128 bytes, 4 sectors: two thirds of what is moved was not asked for.
///
/// The column: a wide request is served in phases, here of 16 lanes. A double
/// is two words of 4 bytes in two neighbouring banks, and rows are 64 words
/// apart, so every lane of a phase comes to the same two of the 32 banks with
/// another word: 16 ways. Two phases of 16 wavefronts are 32. Doubles side by
/// side would take one wavefront a phase, which is the ideal 2. A row of 33
/// doubles gets there: rows are then 66 words apart, and 16 lanes come to 16
/// different pairs of banks.
///
/// How: set arithmetic on what the lanes touch. On global memory, distinct
/// sectors (lines or segments on older GPUs). On shared memory, per phase, the
/// number of distinct words in the fullest bank. Which lanes are taken
/// together is the whole difference between generations; the rules and their
/// sources stand beside the code.
///
/// Where the rules come from, and which way they err:
///  - 9.0: measured. Equal to what a profiler reports by instruction for every
///    one of 2057 requests on an H200 and of the sweeps in kernels/; see
///    docs/validation/transactions-h200.md and h200.md.
///  - 5.0 to 12.1 but 9.0: the guides' rules, which are those of 9.0, and for
///    wide shared loads from 7.0 on what 9.0 does. On 5.x and 6.x no merging
///    of phases is assumed: Wavefronts errs high there, if at all.
///  - 2.x and 3.x: loads are taken to be cached in L1. Where they are not
///    (-Xptxas -dlcm=cg, and the default on 3.x), 32-byte segments move, and
///    BytesMoved errs high.
///  - 1.x: uncoalesced half-warps on 1.0 and 1.1 cost one transaction for each
///    active lane. Which word a bank serves first is unspecified on 1.x, and
///    the best choice is taken: Wavefronts errs low.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_WARPTRANSACTIONS_H
#define CUDA_LINT_HARDWARE_WARPTRANSACTIONS_H

#include "hardware/Architecture.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cudalint {

inline constexpr unsigned WarpSize = 32;
inline constexpr unsigned SectorBytes = 32;

enum class RequestKind : std::uint8_t {
  Load,
  Store,
  Atomic,
  /// An atomicAdd of the constant 1 on 4-byte words of shared memory whose
  /// result is not used: ATOMS.POPC.INC counts the lanes of a word, which then
  /// cost one access together. On global memory as Atomic.
  Increment,
  /// Of 4-byte words of shared memory: ATOMS.CAS brings two values for each
  /// lane. Elsewhere as Atomic.
  CompareAndSwap,
};

/// One memory instruction of one warp.
/// EXPECTS: the addresses of active lanes are multiples of BytesPerLane, as
/// the hardware demands; others fault there, and here get a number that means
/// little. Lanes that are not active may hold anything. There are no
/// instructions of other widths: compilers split such accesses, callers must,
/// and all results are 0 for them.
struct WarpRequest {
  std::array<std::uint64_t, WarpSize> Address = {}; ///< Byte addresses.
  std::uint32_t ActiveMask = 0xffffffff;            ///< Bit l is lane l.
  unsigned BytesPerLane = 4;                        ///< 1, 2, 4, 8 or 16.
  RequestKind Kind = RequestKind::Load;
};

/// Traffic of a global memory request.
struct GlobalTraffic {
  /// Sectors of 32 bytes from 5.0 on; before, the memory transactions of the
  /// generation: 128-byte lines on 2.x and 3.x, segments of 32 to 128 bytes on
  /// 1.x.
  unsigned Transactions = 0;
  /// What as many lanes would need if each had its own element and these lay
  /// side by side: ceil(active lanes * BytesPerLane / 32) from 5.0 on. Never
  /// more than Transactions, so lanes that share an element cost nothing extra.
  unsigned Ideal = 0;
  unsigned BytesMoved = 0; ///< What the transactions carry.
  unsigned BytesUsed = 0;  ///< Distinct bytes touched by active lanes.
};

/// Under 0.1 us, no heap; all fields are 0 when no lane is active.
GlobalTraffic globalTraffic(const Architecture &Arch, const WarpRequest &R);

/// Global addresses that differ by a multiple of this many bytes cost the same
/// on `Arch`: 32 where sectors count, 128 where lines or segments do.
unsigned globalPeriod(const Architecture &Arch);

/// Private memory, an address being one within the lane's own: word w of all
/// lanes is one line of 128 bytes. Sectors on every architecture; BytesUsed
/// counts whole words.
GlobalTraffic localTraffic(const WarpRequest &R);

/// Requests that an indexed load from constant memory makes of its cache: one
/// for each different address of the lanes, near to each other or not. The CUDA
/// C++ Programming Guide says so; on an H200 the counter idc__requests is this
/// number for 1, 2, 4, 8, 16 and 32 addresses, bytes and words, side by side
/// and 4 to 256 bytes apart, and the same for each half of a 16-byte load. Of
/// one address for all lanes there may be no load at all.
unsigned constantRequests(const WarpRequest &R);

/// Traffic of a shared memory request.
struct SharedTraffic {
  /// What profilers report for the instruction: the sum over phases of the
  /// ways in each.
  unsigned Wavefronts = 0;
  /// What the hardware takes: equal to Wavefronts but for some wide loads from
  /// 7.0 on. It merges phases two by two also where they conflict, but decides
  /// for the warp as a whole; the counters that are patched into the code do
  /// neither.
  unsigned Served = 0;
  /// What as many lanes would need if their elements lay side by side:
  /// ceil(active lanes * BytesPerLane / 128) from 5.0 on, the number of phases
  /// with an active lane before. Never more than Wavefronts.
  unsigned Ideal = 0;
  /// Largest number of distinct words in one bank within one phase: an N-way
  /// conflict when greater than 1. Lanes of an atomic count even when they
  /// share a word. With 1 there is no conflict, and where Wavefronts exceeds
  /// Ideal all the same, active lanes are spread thinly over the phases.
  unsigned Ways = 0;
};

/// How Kepler's banks are set; it means nothing on other architectures.
enum class BankMode : std::uint8_t { FourByte, EightByte };

/// Under 0.1 us, no heap; all fields are 0 when no lane is active. Atomics are
/// those of one instruction (32-bit integers from 5.0 on): a loop that
/// compares and swaps costs more.
SharedTraffic sharedTraffic(const Architecture &Arch, const WarpRequest &R,
                            BankMode Mode = BankMode::FourByte);

/// The Ideal of a shared load by all lanes: 1 for 4 bytes from 2.0 on, 2
/// before, where each half of the warp is served by itself.
unsigned idealWavefronts(const Architecture &Arch, unsigned BytesPerLane);

/// Shared addresses that differ by a multiple of this many bytes cost the same
/// on every architecture and in both modes.
inline constexpr unsigned SharedPeriod = 256;

/// Which word of which bank an active lane touches first, and in which phase
/// it is served, where no phases merge.
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
