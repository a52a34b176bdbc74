//===- analyzer/pipeline/AssumedBlock.cpp - Blocks of no launch -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/AssumedBlock.h"

#include <algorithm>

namespace cudalint {

std::array<std::int64_t, 3>
assumeBlock(const Extent &Known, unsigned Dimensions, std::int64_t Threads) {
  std::int64_t Left = std::max<std::int64_t>(Threads, 1);
  for (const std::optional<std::int64_t> &Size : Known)
    Left = std::max<std::int64_t>(
        Left / std::max<std::int64_t>(Size.value_or(1), 1), 1);
  bool AllOpen = !Known[0] && !Known[1] && !Known[2];
  // Rows of whole warps: what shorter ones would cost is not the kernel's
  // fault.
  if (AllOpen && Dimensions >= 3 && Left >= 64) {
    const std::int64_t Rows = std::min<std::int64_t>(Left / 32, 4);
    return {32, Rows, Left / (32 * Rows)};
  }
  std::array<std::int64_t, 3> Result = {
      Known[0].value_or(0), Known[1].value_or(0), Known[2].value_or(0)};
  if (!Known[0]) {
    bool TwoOpen = !Known[1] && Dimensions >= 2;
    Result[0] = TwoOpen ? std::min<std::int64_t>(Left, 32) : Left;
    Left /= Result[0];
  }
  if (!Known[1]) {
    Result[1] = Left;
    Left = 1;
  }
  if (!Known[2])
    Result[2] = Left;
  return Result;
}

} // namespace cudalint
