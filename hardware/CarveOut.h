//===- hardware/CarveOut.h - Shared memory split from L1 --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From 7.0 on, shared memory and L1 are one memory, which is split at one of
/// a few sizes.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_CARVEOUT_H
#define CUDA_LINT_HARDWARE_CARVEOUT_H

#include "hardware/Architecture.h"

#include <span>

namespace cudalint {

/// The sizes in bytes that the shared memory of one SM can be set to, rising;
/// the last is SharedPerSM. Empty before 7.0.
std::span<const unsigned> carveOutSizes(const Architecture &Arch);

/// The smallest size that holds `Bytes`, or the largest size when none does.
/// SharedPerSM before 7.0.
unsigned carveOutFor(const Architecture &Arch, std::uint64_t Bytes);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_CARVEOUT_H
