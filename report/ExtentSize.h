//===- report/ExtentSize.h - How many a grid or block has -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_EXTENTSIZE_H
#define CUDA_LINT_REPORT_EXTENTSIZE_H

#include "report/Document.h"

#include <cstdint>
#include <optional>

namespace cudalint {

/// The blocks of a grid, or the threads of a block. Empty when a dimension is
/// unknown, not positive, or absurdly large.
inline std::optional<std::uint64_t> sizeOf(const Extent &E) {
  std::uint64_t Result = 1;
  for (const std::optional<std::int64_t> &Size : E)
    if (!Size || *Size <= 0 ||
        __builtin_mul_overflow(Result, static_cast<std::uint64_t>(*Size),
                               &Result))
      return std::nullopt;
  return Result;
}

} // namespace cudalint

#endif // CUDA_LINT_REPORT_EXTENTSIZE_H
