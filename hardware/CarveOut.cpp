//===- hardware/CarveOut.cpp - Shared memory split from L1 ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/CarveOut.h"

#include <algorithm>

namespace cudalint {

static constexpr unsigned K = 1024;

// The technical specifications of NVIDIA's CUDA C++ programming guide, "Shared
// memory" of each compute capability, and cuda_occupancy.h of CUDA 13.0.
// Architectures of one row differ in the largest size that they have.
static constexpr unsigned Volta[] = {0, 8 * K, 16 * K, 32 * K, 64 * K, 96 * K};
static constexpr unsigned Turing[] = {32 * K, 64 * K};
static constexpr unsigned Ampere[] = {0,       8 * K,   16 * K,  32 * K,
                                      64 * K,  100 * K, 132 * K, 164 * K,
                                      196 * K, 228 * K};

std::span<const unsigned> carveOutSizes(const Architecture &Arch) {
  if (Arch.CC.Major < 7)
    return {};
  if (Arch.CC == ComputeCapability{7, 5})
    return Turing;
  if (Arch.CC.Major == 7)
    return Volta;
  const auto *End = std::ranges::upper_bound(Ampere, Arch.SharedPerSM);
  return {std::begin(Ampere), End};
}

unsigned carveOutFor(const Architecture &Arch, std::uint64_t Bytes) {
  const std::span<const unsigned> Sizes = carveOutSizes(Arch);
  const auto It = std::ranges::lower_bound(Sizes, Bytes);
  return It == Sizes.end() ? Arch.SharedPerSM : *It;
}

} // namespace cudalint
