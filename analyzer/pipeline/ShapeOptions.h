//===- analyzer/pipeline/ShapeOptions.h - Shapes of the user ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The shapes that the user gives where the source does not.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_SHAPEOPTIONS_H
#define CUDA_LINT_ANALYZER_PIPELINE_SHAPEOPTIONS_H

#include "report/Document.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// One `--launch 'KERNEL=GRID,BLOCK[,SMEM]'`.
struct LaunchOption {
  /// Name, qualified name, signature or linkage name of a kernel; `*` is all.
  std::string Kernel;
  Extent Grid;
  Extent Block;
  std::optional<std::int64_t> DynamicSharedBytes;
};

/// All that the user said about shapes.
struct ShapeOptions {
  std::vector<LaunchOption> Launches;
  std::optional<std::array<std::int64_t, 3>> Block;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_SHAPEOPTIONS_H
