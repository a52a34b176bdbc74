//===- report/OccupancyWords.h - Occupancy in words -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What limits a launch, why, and what would gain, as phrases for messages:
/// lower case, no full stop, parts joined by "; ". An empty string is nothing
/// to say. They tell of hardware/Occupancy.h and hardware/Waves.h what the
/// figures alone do not: in which unit a resource is allocated, by how much
/// the next block misses, and how small a change is enough.
///
///   48 registers x 21 warps: 2 blocks need 42 warps of registers, 40 fit; at
///   640 threads, or at 40 registers (41 to 48 cost the same), two fit
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_OCCUPANCYWORDS_H
#define CUDA_LINT_REPORT_OCCUPANCYWORDS_H

#include "hardware/Occupancy.h"
#include "hardware/Waves.h"
#include "report/Phrase.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

/// "36 KB" for whole kilobytes of 1024, else "37000 bytes"
std::string bytesInWords(std::uint64_t Bytes);

/// Why no further block fits, by \p Which: "22 warps a block: 3 blocks need 66
/// warps, 64 fit". For a launch that does not fail.
std::string limitInWords(const Architecture &Arch, const BlockDemand &Demand,
                         const Occupancy &Result, Limiter Which);

/// Why one block more does not fit although the plain product says that it
/// does, "48 x 641 x 2 = 61536 registers": the unit of the allocation. Empty
/// when the product says the same.
std::string unitInWords(const Architecture &Arch, const BlockDemand &Demand,
                        const Occupancy &Result, Limiter Which);

/// "at 640 threads, or at 40 registers (41 to 48 cost the same), two fit",
/// with the warps that are then resident when \p WithWarps.
std::string gainInWords(const Architecture &Arch, const BlockDemand &Demand,
                        const Occupancy &Result, std::span<const Cliff> Next,
                        bool WithWarps);

/// "640 threads", "36 KB of shared memory"
std::string stepInWords(const Cliff &Step);

/// Why the launch fails, the error that CUDA returns, and what to do.
std::string failureInWords(const Architecture &Arch, const BlockDemand &Demand,
                           const Occupancy &Result);

/// That the launch runs only after an opt-in to more shared memory, and how to
/// make it. Empty when it needs none, and for a launch that fails with it too.
std::string optInInWords(const Architecture &Arch, const BlockDemand &Demand,
                         const Occupancy &Result);

/// The above in one message: the failure, or all limiters and the gain.
std::string occupancyInWords(const Architecture &Arch,
                             const BlockDemand &Demand, const Occupancy &Result,
                             std::span<const Cliff> Next);

/// "57 blocks, 56 at a time (28 SMs x 2): 2 rounds, the last with 1 block: 49.1
/// % of all places stay empty; 112 blocks take as long, 56 a round less"
std::string wavesInWords(std::uint64_t Grid, int SMs, const Occupancy &Result,
                         const Waves &Rounds);

/// The rounds of the same threads after \p Step: another size than \p Threads
/// needs another grid. Empty where that is too large, or no block fits, and for
/// larger blocks: a round of them is more work.
std::optional<Waves> wavesAfter(std::uint64_t Grid, std::uint64_t Threads,
                                int SMs, const Cliff &Step);

/// "at 40 registers the 29 blocks take 1 round instead of 2", "at 672 threads
/// the 58 blocks of as many threads in all take 1 round instead of 2": for
/// another size than \p Threads the grid is another, too. Empty when no step of
/// \p Next saves a round.
std::string roundsSavedInWords(std::uint64_t Grid, std::uint64_t Threads,
                               int SMs, const Waves &Rounds,
                               std::span<const Cliff> Next);

/// The warps of the busiest SM: the resident ones, or fewer when the grid does
/// not fill the GPU. Without a grid or SMs, the resident ones.
std::uint64_t warpsOnBusiestSM(const Occupancy &Result,
                               std::optional<std::uint64_t> Grid,
                               std::optional<int> SMs);

/// That latency is not covered: what is resident against what dependent issue
/// needs, idle SMs and idle lanes, and by how much more parallel work could
/// gain. Empty when enough warps are there.
std::string latencyInWords(const Architecture &Arch, const BlockDemand &Demand,
                           const Occupancy &Result,
                           std::optional<std::uint64_t> Grid,
                           std::optional<int> SMs);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_OCCUPANCYWORDS_H
