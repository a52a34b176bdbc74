//===- runtime/hotspots/LintedFinding.h - Said of a line --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_LINTEDFINDING_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_LINTEDFINDING_H

#include "report/Finding.h"

#include <cstddef>
#include <string>

namespace cudalint {

/// What the linter says of a line that was measured.
struct LintedFinding {
  Finding What;
  /// That it is a part of: 1 is the dearest of its document.
  std::size_t Problem = 0;
};

/// Of the document whose findings stand beside the lines of a GPU.
struct LintSummary {
  std::string Target;         ///< That it was made for.
  std::size_t Problems = 0;   ///< That the linter found.
  std::size_t AtMeasured = 0; ///< Of these, with a line that was measured.
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_LINTEDFINDING_H
