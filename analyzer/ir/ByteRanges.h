//===- analyzer/ir/ByteRanges.h - Bytes that were accessed ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A set of bytes as ranges of addresses, and how many there are of them: what
/// is added twice counts once. A range may be repeated at equal distances, as
/// a loop does: those are kept as one until they are counted. Plain values: no
/// LLVM.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_BYTERANGES_H
#define CUDA_LINT_ANALYZER_IR_BYTERANGES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cudalint {

class ByteRanges {
public:
  struct Range {
    std::int64_t First = 0, End = 0; ///< Without End.
    bool operator==(const Range &) const = default;
  };

  /// Addresses that are farther from 0 are not of any array.
  static constexpr std::int64_t Farthest = std::int64_t(1) << 60;

  /// Adds the bytes of \p R, and again, each time \p Move bytes after the last,
  /// so that they are added \p Times times. Empty ranges and less than one time
  /// are nothing. False, and nothing is added, if that is out of reach, or one
  /// repetition more than are kept.
  bool add(Range R, std::int64_t Move = 0, std::int64_t Times = 1);

  /// Puts together ranges that overlap or touch.
  void merge();

  /// Ranges that are kept.
  std::size_t held() const { return Held; }

  struct Size {
    std::uint64_t Bytes = 0;
    std::uint64_t Sectors = 0; ///< Of 32 bytes, from multiples of 32 on.
    bool operator==(const Size &) const = default;
  };
  /// How many there are; empty if they are more than \p Most separate ranges
  /// before those of different loops are put together.
  std::optional<Size> size(std::size_t Most);

private:
  /// Ranges that are all repeated alike.
  struct Group {
    std::int64_t Move, Times;
    std::vector<Range> Ranges;
  };
  std::vector<Group> Groups;
  std::size_t Held = 0;

  std::vector<Range> *repeated(std::int64_t Move, std::int64_t Times);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_BYTERANGES_H
