//===- analyzer/remedy/SwappedRoles.h - threadIdx turned --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_SWAPPEDROLES_H
#define CUDA_LINT_ANALYZER_REMEDY_SWAPPEDROLES_H

#include "analyzer/model/KernelModel.h"
#include "report/Finding.h"

#include <array>
#include <cstdint>
#include <optional>

namespace cudalint {

/// What all accesses of a warp to global memory cost in blocks of that shape,
/// and would cost if threadIdx.x and threadIdx.y changed their roles, in
/// sectors or in the transactions of older GPUs. Empty where that was not
/// evaluated, hardly saves any, costs wavefronts of shared memory, or where
/// some access is not understood.
std::optional<RemedyEffect>
effectOfSwap(const KernelModel &K, const std::array<std::int64_t, 3> &Block);

/// Whether that is known to save nothing: what one access gains, others lose.
bool losesBySwap(const KernelModel &K,
                 const std::array<std::int64_t, 3> &Block);

/// What becomes of \p A, an access of \p K; null where that is not one access.
const Access *afterSwap(const KernelModel &K, const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_SWAPPEDROLES_H
