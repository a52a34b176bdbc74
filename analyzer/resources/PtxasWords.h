//===- analyzer/resources/PtxasWords.h - Words of ptxas ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_PTXASWORDS_H
#define CUDA_LINT_ANALYZER_RESOURCES_PTXASWORDS_H

#include "hardware/Architecture.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalint {

/// Without blanks at either end.
std::string_view trimmed(std::string_view Text);

/// Drops the number at the start of \p Text. `44+16`, which old compilers
/// write for what the user and the system take, is their sum.
std::optional<std::uint64_t> consumeNumber(std::string_view &Text,
                                           std::uint64_t Most);

/// The text behind `ptxas info    :`, wherever in the line that stands: build
/// tools put numbers and times before it. Visual Studio writes `ptxas : info
/// :`.
std::optional<std::string_view> behind(std::string_view Tool,
                                       std::string_view Line);

/// Removes the sequences that colour a terminal.
std::string withoutEscapes(std::string_view Line);

/// What ptxas and nvlink say besides the figures of kernels.
bool saysNothingOfKernels(std::string_view Text);

/// Whether a version of ptxas that writes otherwise may have printed \p Line:
/// it speaks of registers, or ptxas speaks and does not complain.
bool mayBeOutput(std::string_view Line);

/// `sm_90a` is 9.0 and specific.
std::optional<ComputeCapability> readArchitecture(std::string_view Name,
                                                  bool &Specific);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_PTXASWORDS_H
