//===- runtime/hotspots/HotspotWords.h - Figures in words -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_HOTSPOTWORDS_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_HOTSPOTWORDS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace cudalint {

/// `16.7 us`: three digits or four, and a unit that a person reads at once.
std::string durationText(double Nanoseconds);

/// `98.5 %`, of 0 .. 1.
std::string percentText(double Share);

/// `1 launch`, `2 launches`
std::string countText(std::uint64_t Number, std::string_view Noun,
                      std::string_view Ending = "s");

/// Wrapped at \p Width, with the end of its last line.
std::string linesOf(const std::string &Text, unsigned Width);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_HOTSPOTWORDS_H
