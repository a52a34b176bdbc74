//===- hardware/Architecture.h - The GPUs that we know ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compute capabilities 1.0 to 12.1 with their limits, and real products with
/// their SM counts. Every number of the hardware stands in the tables of
/// Architecture.cpp, with its source.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_ARCHITECTURE_H
#define CUDA_LINT_HARDWARE_ARCHITECTURE_H

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

struct ComputeCapability {
  int Major = 0;
  int Minor = 0;

  auto operator<=>(const ComputeCapability &) const = default;
};

/// "9.0"
std::string toString(ComputeCapability CC);

/// Limits of one compute capability. Bytes, registers, threads, warps.
struct Architecture {
  ComputeCapability CC;
  unsigned WarpsPerSM;
  unsigned ThreadsPerSM;
  unsigned BlocksPerSM;
  unsigned RegistersPerSM;
  unsigned RegistersPerBlock;
  unsigned RegistersPerThread;
  unsigned RegisterUnit; ///< Allocated per warp from 2.0 on, per block on 1.x.
  /// The most that blocks of one SM can have together, SharedReserved of each
  /// included: the largest setting where the split with L1 can be set.
  unsigned SharedPerSM;
  unsigned SharedPerBlock;      ///< Without opt-in; the static limit.
  unsigned SharedPerBlockOptIn; ///< SharedPerBlock where there is no opt-in.
  unsigned SharedUnit;
  /// Per block, by the system. On 1.x these are the 16 bytes of the launch's
  /// dimensions, and the kernel's arguments come on top: errs low there.
  unsigned SharedReserved;
  unsigned ThreadsPerBlock;
  unsigned BlockX, BlockY, BlockZ;   ///< Largest block dimensions.
  std::uint64_t GridX, GridY, GridZ; ///< Largest grid dimensions.
  /// Warp schedulers of one SM, each with its share of warps and registers.
  unsigned Partitions;
};

/// All of them, sorted by compute capability.
std::span<const Architecture> architectures();

/// Null when there is no such compute capability in the table.
const Architecture *findArchitecture(ComputeCapability CC);

/// A GPU to lint for: a real product, or an architecture alone. `Arch` is never
/// null in a target that parseTarget returned.
struct Target {
  std::string Name; ///< Canonical: "h200", "gtx-1080-ti", "sm_90".
  const Architecture *Arch = nullptr;
  std::optional<int> SMs; ///< Empty when only the architecture is known.
};

/// Accepts a product name ("H200", "gtx 1080 ti", "GTX-1080-Ti"; case, spaces,
/// dashes and underscores do not matter, nor do "NVIDIA", "GeForce" and
/// "Tesla" in front), common names as drivers print them ("NVIDIA
/// A100-SXM4-80GB"), "sm_90", "sm_90a", "compute_90" and "9.0". Empty when
/// nothing of that name is known.
std::optional<Target> parseTarget(std::string_view Name);

/// The three known target names nearest to a misspelt one, joined by ", ", for
/// an error message.
std::string nearestTargets(std::string_view Name);

struct Product {
  std::string_view Name; ///< Canonical: lower case, words joined by dashes.
  ComputeCapability CC;
  int SMs; ///< Of one GPU, where a board has several.
};

/// All of them, sorted by name.
std::span<const Product> products();

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_ARCHITECTURE_H
