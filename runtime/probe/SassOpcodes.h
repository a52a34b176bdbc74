//===- runtime/probe/SassOpcodes.h - Which code touches memory --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_SASSOPCODES_H
#define CUDA_LINT_RUNTIME_PROBE_SASSOPCODES_H

#include "runtime/probe/Profile.h"

#include <cstdint>
#include <span>

namespace cudalint::probe {

/// One way in which an instruction touches memory.
struct MemoryAccess {
  Space In;
  Op What;

  bool operator==(const MemoryAccess &) const = default;
};

/// What the instruction touches whose first eight bytes are \p Word: nothing,
/// one space, or two for LDGSTS, which loads from global and stores to shared
/// memory. A reduction counts as an atomic.
///
/// The lower nine bits of a 128-bit instruction name the operation and the
/// next three the form of its operands. This holds from sm_70 to sm_120, as
/// `nvdisasm -hex` prints the code of kernels that contain all of them. Not in
/// the table: the bulk copies of sm_90 and later (UBLKCP, UTMALDG, ...), which
/// no thread addresses, and textures and surfaces.
std::span<const MemoryAccess> accessesOf(std::uint64_t Word);

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_SASSOPCODES_H
