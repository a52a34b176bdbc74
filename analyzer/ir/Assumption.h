//===- analyzer/ir/Assumption.h - What a number takes for granted ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Something that a number takes for granted: a text for people, and what it is
/// about, for checks that ask whether their case depends on it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ASSUMPTION_H
#define CUDA_LINT_ANALYZER_IR_ASSUMPTION_H

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

namespace cudalint {

enum class AssumptionKind : std::uint8_t {
  Other,     ///< Of values, lanes, turns, blocks, or whose an instruction is.
  Alignment, ///< An array begins at a multiple of 256 bytes.
  RoundSize, ///< A size is a multiple of 32.
  AnyOffset, ///< An offset takes every alignment in turn.
  Compiler,  ///< What the compiler makes of an access, wherever that is.
};

/// One text is one assumption, of one kind, and sorts by it.
struct Assumption {
  std::string Text; ///< A clause, as of "this holds if".
  AssumptionKind Kind;

  Assumption(std::string Text, AssumptionKind Kind = AssumptionKind::Other)
      : Text(std::move(Text)), Kind(Kind) {}
  Assumption(const char *Text, AssumptionKind Kind = AssumptionKind::Other)
      : Text(Text), Kind(Kind) {}

  operator const std::string &() const { return Text; }
  friend bool operator==(const Assumption &X, const Assumption &Y) {
    return X.Text == Y.Text;
  }
  friend auto operator<=>(const Assumption &X, const Assumption &Y) {
    return X.Text <=> Y.Text;
  }
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ASSUMPTION_H
