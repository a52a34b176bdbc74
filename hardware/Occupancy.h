//===- hardware/Occupancy.h - How many blocks fit an SM ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From what one block asks for to the number of blocks and warps that are
/// resident on one SM, the resource that limits them, and the nearest changes
/// that gain a block.
///
///   gtx-1080-ti, 641 threads, 48 registers:
///     warps per block      21     ceil(641 / 32)
///     registers per warp   1536   48 * 32, rounded up to 256
///     warps that fit       40     floor(65536 / 4 / 1536) * 4: each of the
///                                 four partitions has its own registers
///     blocks by registers  1      floor(40 / 21)
///
/// Equal to cuda_occupancy.h of the toolkit for every architecture that it
/// covers, 3.0 and later, with partitioned global caching off; below that, the
/// rules are those of NVIDIA's occupancy spreadsheet. That caching is a mode
/// of 5.2, 5.3, 6.1 and 6.2 which confines a block to half an SM: with it
/// (-Xptxas -dlcm=ca), fewer blocks may fit.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_OCCUPANCY_H
#define CUDA_LINT_HARDWARE_OCCUPANCY_H

#include "hardware/Architecture.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cudalint {

/// What one block of a launch asks for.
struct BlockDemand {
  std::uint64_t Threads = 0;       ///< Of the block, all dimensions together.
  std::uint64_t Registers = 0;     ///< Per thread; 0 is none.
  std::uint64_t StaticShared = 0;  ///< Bytes.
  std::uint64_t DynamicShared = 0; ///< Bytes: the third launch argument.
  unsigned Barriers = 0;           ///< Named barriers, as ptxas counts them.
  /// How much of the unified cache is to be shared memory, in per cent, as
  /// cudaFuncAttributePreferredSharedMemoryCarveout; more than 100 is 100.
  /// Empty is the driver's choice, which does not cost a block. From 7.0 on;
  /// ignored before.
  std::optional<unsigned> CarveOut = std::nullopt;
};

/// What can limit the resident blocks; in the order in which they are named.
enum class Limiter : std::uint8_t {
  Warps,
  Blocks,
  Registers,
  SharedMemory,
  Barriers
};
inline constexpr unsigned LimiterCount = 5;

/// "warps", "blocks", "registers", "shared", "barriers"
std::string_view nameOf(Limiter Which);

/// Why a launch fails.
enum class LaunchFailure : std::uint8_t {
  None,
  NoThreads,          ///< A block of 0 threads.
  TooManyThreads,     ///< More than a block may have.
  RegistersPerThread, ///< More than a thread may have.
  RegistersPerBlock,  ///< Error 701: out of resources for this launch.
  StaticShared,       ///< More than a block may declare.
  SharedPerBlock,     ///< Static and dynamic exceed the opt-in limit. That the
                      ///< kernel did opt in is taken for granted.
  Barriers,           ///< More than a block may have: 16.
};

struct Occupancy {
  LaunchFailure Failure = LaunchFailure::None;
  unsigned BlocksPerSM = 0; ///< 0 when the launch fails.
  unsigned WarpsPerBlock = 0;
  unsigned WarpsPerSM = 0;
  double Ratio = 0; ///< WarpsPerSM by the architecture's most.

  /// Blocks that fit by each resource alone, by Limiter; NotLimited where the
  /// kernel does not use it.
  static constexpr unsigned NotLimited = ~0u;
  unsigned Limit[LimiterCount] = {};

  // As the hardware allocates them.
  unsigned RegistersPerWarp = 0; ///< 0 on 1.x, which allocates per block.
  unsigned RegistersPerBlock = 0;
  unsigned SharedPerBlock = 0; ///< Bytes; what the system reserves included.
  /// Bytes, of the carve-out; without one, the most that the SM can have.
  unsigned SharedPerSM = 0;

  // What the resident blocks leave over.
  unsigned WarpsLeft = 0;
  unsigned RegistersLeft = 0;
  unsigned SharedLeft = 0;

  /// True for every resource whose limit equals BlocksPerSM.
  bool isLimitedBy(Limiter Which) const {
    return Failure == LaunchFailure::None &&
           Limit[static_cast<unsigned>(Which)] == BlocksPerSM;
  }
  /// The first of them; of a launch that fails, the first that is 0.
  Limiter limiter() const;
};

/// Never fails: a launch that would is told by Failure. Below 1 µs.
Occupancy occupancy(const Architecture &Arch, const BlockDemand &Demand);

/// One step that gains: the smallest change of one quantity, all others kept,
/// with which more blocks or more warps are resident.
struct Cliff {
  enum class Quantity : std::uint8_t { Registers, SharedMemory, Threads };
  Quantity What = Quantity::Registers;
  /// The largest value with which it holds: registers per thread (1 or more),
  /// bytes of static and dynamic shared memory together, dynamic memory given
  /// up first, or threads of a block, in whole warps.
  std::uint64_t Value = 0;
  /// The next block size up or down may gain: for threads only.
  bool IsLarger = false;
  Occupancy Then; ///< With that value.
};

/// The nearest cliffs, at most one for registers and shared memory and two for
/// threads (smaller, larger). A cliff of threads is one where more WARPS are
/// resident; the others gain a block. Empty when the launch fails for another
/// reason than the quantity itself.
std::vector<Cliff> cliffs(const Architecture &Arch, const BlockDemand &Demand);

/// The largest number of registers per thread that costs no more than
/// `Registers`: 41 to 48 cost the same. On 1.x, where that depends on the
/// block, `Registers` itself; so are those beyond what a thread may have.
std::uint64_t registersOfSameCost(const Architecture &Arch,
                                  std::uint64_t Registers);

/// Warps of `Registers` per thread for which one SM has registers, whatever
/// else limits them: 40 of 48 registers on 6.1, so that two blocks of 21 warps
/// do not fit. Empty on 1.x, where registers belong to blocks, for 0, and for
/// more than a thread may have.
std::optional<unsigned> warpsByRegisters(const Architecture &Arch,
                                         std::uint64_t Registers);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_OCCUPANCY_H
