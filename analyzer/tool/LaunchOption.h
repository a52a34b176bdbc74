//===- analyzer/tool/LaunchOption.h - --launch and --block ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The words that users write for shapes.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_LAUNCHOPTION_H
#define CUDA_LINT_ANALYZER_TOOL_LAUNCHOPTION_H

#include "analyzer/pipeline/ShapeOptions.h"
#include "hardware/Architecture.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalint {

/// Reads the value of `--launch`. GRID and BLOCK are `64`, `64x2` or `16x16x1`;
/// a `?` stands for a dimension, a lone one for all three, and SMEM may be `?`
/// too. Empty, with a message in \p Error, when that is no launch.
std::optional<LaunchOption> parseLaunchOption(std::string_view Text,
                                              std::string &Error);

/// Reads the value of `--block`: `X[,Y[,Z]]`, or with `x` in place of commas.
/// Empty, with a message in \p Error, when that is no block.
std::optional<std::array<std::int64_t, 3>>
parseBlockOption(std::string_view Text, std::string &Error);

/// Says why no launch of that shape can run on \p Gpu; empty when it can.
std::string whyImpossible(const ShapeOptions &Shapes, const Target &Gpu);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_LAUNCHOPTION_H
