//===- analyzer/remedy/SharedPlace.h - Room for private arrays --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_SHAREDPLACE_H
#define CUDA_LINT_ANALYZER_REMEDY_SHAREDPLACE_H

#include "analyzer/model/KernelModel.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace cudalint {

/// Whether a column for each thread can be in shared memory, in words.
struct SharedPlace {
  bool Fits = false;
  std::string Why;
  bool CostsBlocks = false; ///< More than half of those on an SM.
  std::uint64_t Bytes = 0;  ///< Of a block, where that is known.
  std::size_t Arrays = 1;   ///< That need that together.
  bool NeedsOptIn = false;
};

/// The largest block that is launched, by what shared memory it would need for
/// the array of every thread. Empty when no block is known.
std::optional<LaunchFit> largestBlock(const KernelModel &K);

/// Of \p Bytes of each thread, which are those of all \p Arrays.
SharedPlace sharedPlace(const KernelModel &K, std::uint64_t Bytes,
                        std::size_t Arrays);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_SHAREDPLACE_H
