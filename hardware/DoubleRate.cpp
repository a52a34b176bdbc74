//===- hardware/DoubleRate.cpp - Double against float ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/DoubleRate.h"

namespace cudalint {

std::optional<unsigned> floatsPerDouble(ComputeCapability CC) {
  struct Row {
    ComputeCapability CC;
    unsigned Floats;
  };
  // Results per clock and SM: the table "Throughput of Native Arithmetic
  // Instructions" of the CUDA C++ Programming Guide, versions 4.2 (1.x, 2.x),
  // 8.0 (3.x), 11.8 and 13.0.
  static constexpr Row Table[] = {
      {{1, 3}, 8},  {{2, 0}, 2},   {{2, 1}, 12},  {{3, 0}, 24},  {{3, 2}, 24},
      {{3, 5}, 3},  {{3, 7}, 3},   {{5, 0}, 32},  {{5, 2}, 32},  {{5, 3}, 32},
      {{6, 0}, 2},  {{6, 1}, 32},  {{6, 2}, 32},  {{7, 0}, 2},   {{7, 5}, 32},
      {{8, 0}, 2},  {{8, 6}, 64},  {{8, 7}, 64},  {{8, 9}, 64},  {{9, 0}, 2},
      {{10, 0}, 2}, {{10, 3}, 64}, {{11, 0}, 64}, {{12, 0}, 64}, {{12, 1}, 64}};
  for (const Row &R : Table)
    if (R.CC == CC)
      return R.Floats;
  return std::nullopt;
}

} // namespace cudalint
