//===- tests/differential/LinearSystem.h - Equations modulo 2^64 ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether some integers satisfy linear equations modulo 2^64.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_DIFFERENTIAL_LINEARSYSTEM_H
#define CUDA_LINT_TESTS_DIFFERENTIAL_LINEARSYSTEM_H

#include <cstdint>
#include <optional>
#include <vector>

namespace cudalint::differential {

/// `Coefficients · x = Right`, modulo 2^64.
struct Equation {
  std::vector<std::uint64_t> Coefficients; ///< As many in every equation.
  std::uint64_t Right = 0;
};

bool isSolvable(std::vector<Equation> Equations);

/// All solutions of equations in one unknown: `Value` modulo 2^`Bits`, with
/// `Bits` 0 if any number is one; empty if none is.
struct Residue {
  std::uint64_t Value = 0;
  unsigned Bits = 0;

  /// Both at once; empty if they contradict each other.
  static std::optional<Residue> both(Residue A, Residue B);
  /// Whether some number of `Min` to `Max` that `Step` divides is one.
  bool meets(std::int64_t Min, std::int64_t Max, std::uint64_t Step) const;
};
std::optional<Residue> solve(const std::vector<Equation> &Equations);

} // namespace cudalint::differential

#endif // CUDA_LINT_TESTS_DIFFERENTIAL_LINEARSYSTEM_H
