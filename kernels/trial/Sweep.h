//===- kernels/trial/Sweep.h - One claim and its points -------- *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A sweep puts one claim of hardware/WarpTransactions.h on trial: points that
/// are launched one by one, each with the counts that the model predicts for
/// it. The prediction is made on the host, from a formula for the address of
/// every thread that is written apart from the kernel's own.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_KERNELS_TRIAL_SWEEP_H
#define CUDA_LINT_KERNELS_TRIAL_SWEEP_H

#include "hardware/WarpTransactions.h"

#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace cudalint {

/// What one launch costs, summed over its warps.
struct Counts {
  std::uint64_t Sectors = 0; ///< Of global memory.
  std::uint64_t IdealSectors = 0;
  std::uint64_t Wavefronts = 0; ///< Of shared memory.
  std::uint64_t IdealWavefronts = 0;
  std::uint64_t LocalSectors = 0;

  bool operator==(const Counts &) const = default;
  /// In each of them no less, and no more.
  bool isBetween(const Counts &Least, const Counts &Most) const;
  Counts &operator+=(const Counts &Other);
};

/// The memory that every launch is given.
struct TrialMemory {
  static constexpr std::uint64_t GlobalBytes = 64 << 20;
  static constexpr unsigned SharedBytes = 48 << 10;

  unsigned char *Global = nullptr; ///< GlobalBytes, all zero; 256-aligned.
  /// For kernels that load what they access; a launch fills it.
  static constexpr unsigned IndexCount = 1 << 16;
  unsigned *Indices = nullptr;
  unsigned *Sink = nullptr;    ///< Where what never happens is stored.
  unsigned Never = 0xdeadbeef; ///< A value that no load returns.
};

struct Point {
  std::string Name; ///< Unique in the sweep: the parameters.
  Counts Predicted;
  std::function<void(const TrialMemory &)> Launch;
  /// What may be measured, where that is not Predicted alone.
  std::optional<std::pair<Counts, Counts>> Within = {};
  bool IsMean = false; ///< Predicted is what many requests tend to.

  bool isAsPredicted(const Counts &Measured) const {
    return Within ? Measured.isBetween(Within->first, Within->second)
                  : Measured == Predicted;
  }
};

struct Sweep {
  std::string Name; ///< The folder under kernels/.
  std::string Claim;
  std::vector<Point> Points;
};

/// Threads of a block, by row: x is the first in a warp.
struct BlockShape {
  unsigned X = 32;
  unsigned Y = 1;

  unsigned threads() const { return X * Y; }
};

/// "32x8"
std::string toString(BlockShape Shape);

/// The name of a point: "load 4 B stride 2". fmt does not compile under nvcc.
template <typename... Types> std::string words(const Types &...All) {
  std::ostringstream Out;
  const char *Space = "";
  ((Out << Space << All, Space = " "), ...);
  return Out.str();
}

/// The byte address of what thread (x, y) accesses, from the start of the
/// memory; empty where it does not take part.
using AddressOf =
    std::function<std::optional<std::uint64_t>(unsigned X, unsigned Y)>;

/// What the model says of one instruction that a whole block executes.
Counts predictGlobal(const Architecture &Arch, BlockShape Block, unsigned Bytes,
                     RequestKind Kind, const AddressOf &Address);
Counts predictShared(const Architecture &Arch, BlockShape Block, unsigned Bytes,
                     RequestKind Kind, const AddressOf &Address);

/// The same for an access to a local array, `Address` being the offset within
/// a thread's own memory. Word w of lane l lies at (w * 32 + l) * 4: what is
/// at one offset in all lanes is contiguous.
Counts predictLocal(const Architecture &Arch, BlockShape Block, unsigned Bytes,
                    const AddressOf &Address);

// The sweeps, by folder.
Sweep atomicSweep(const Architecture &Arch);
Sweep compactionSweep(const Architecture &Arch);
Sweep gatherSweep(const Architecture &Arch);
Sweep globalStrideSweep(const Architecture &Arch);
Sweep localArraySweep(const Architecture &Arch);
Sweep partialWarpSweep(const Architecture &Arch);
Sweep randomIndexSweep(const Architecture &Arch);
Sweep sharedBroadcastSweep(const Architecture &Arch);
Sweep sharedStrideSweep(const Architecture &Arch);
Sweep sharedSwizzleSweep(const Architecture &Arch);
Sweep sharedTileSweep(const Architecture &Arch);
Sweep sharedWideSweep(const Architecture &Arch);
Sweep structFieldsSweep(const Architecture &Arch);

} // namespace cudalint

#endif // CUDA_LINT_KERNELS_TRIAL_SWEEP_H
