//===- report/Assumption.h - What a number takes for granted ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Something that a number takes for granted: a text for people, and what kind
/// of thing it is, for checks that ask whether their case depends on it and for
/// writers that leave out what no reader can judge.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_ASSUMPTION_H
#define CUDA_LINT_REPORT_ASSUMPTION_H

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

namespace cudalint {

enum class AssumptionKind : std::uint8_t {
  Model,     ///< How it is counted: of values, lanes, turns.
  Compiler,  ///< What the compiler makes of an access, wherever that is.
  Alignment, ///< An array begins at a multiple of 256 bytes.
  AnyOffset, ///< An offset takes every alignment in turn.
  LargeSize, ///< `About` is so large that other terms do not matter.
  RoundSize, ///< `About` is a multiple of 32.
  Program,   ///< Else of the program: a block, a value, a condition.
};

/// Of those of kind Model, which others ask for.
enum class ModelLimit : std::uint8_t {
  None,
  AllLanesByData, ///< Lanes that take a branch on data may be fewer.
  FirstTurns,     ///< Of a long loop, for all of its turns.
  SomeTurns,      ///< Likewise, from all over it.
};

/// One text is one assumption, of one kind, and sorts by it.
struct Assumption {
  std::string Text; ///< A clause, as of "this holds if".
  AssumptionKind Kind;
  std::string About; ///< `'n'`, of a size; empty where it has no name.
  ModelLimit Limit = ModelLimit::None; ///< Not written.

  Assumption(std::string Text, AssumptionKind Kind = AssumptionKind::Model,
             std::string About = {})
      : Text(std::move(Text)), Kind(Kind), About(std::move(About)) {}
  Assumption(const char *Text, AssumptionKind Kind = AssumptionKind::Model)
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

#endif // CUDA_LINT_REPORT_ASSUMPTION_H
