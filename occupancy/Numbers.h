//===- occupancy/Numbers.h - Numbers as users write them --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_OCCUPANCY_NUMBERS_H
#define CUDA_LINT_OCCUPANCY_NUMBERS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalint {

/// x, y, z of a block or a grid.
using Shape = std::array<std::uint64_t, 3>;

/// "640", "16x16", "4x4x4"
std::string toString(const Shape &Dimensions);

/// All of them multiplied. Shapes that parseShape() returned do not overflow.
std::uint64_t sizeOf(const Shape &Dimensions);

/// A number from \p Least to \p Most: digits alone. Empty, with the reason in
/// \p Error, for everything else: a sign, a fraction, `1e9`, `12abc`.
std::optional<std::uint64_t> parseCount(std::string_view Text,
                                        std::uint64_t Least, std::uint64_t Most,
                                        std::string &Error);

/// Bytes up to 2^31 - 1: `36864`, `36K`, `36KB`, `36KiB`; a K is 1024 bytes, an
/// M 1024 K.
std::optional<std::uint64_t> parseBytes(std::string_view Text,
                                        std::string &Error);

/// Times, in whatever unit: of a launch, and of the parts of a model. Within
/// these no product of theirs with work overflows.
inline constexpr double LeastTime = 1e-12;
inline constexpr double MostTime = 1e15;
/// False for what is no number, too.
inline bool isTime(double Value) {
  return Value >= LeastTime && Value <= MostTime;
}

/// `256`, `16,16`, `16x16x4`: each from 1 to 2^31 - 1, and fewer than 2^63
/// together.
std::optional<Shape> parseShape(std::string_view Text, std::string &Error);

} // namespace cudalint

#endif // CUDA_LINT_OCCUPANCY_NUMBERS_H
