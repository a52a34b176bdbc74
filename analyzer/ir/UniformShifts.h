//===- analyzer/ir/UniformShifts.h - What moves all lanes alike -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// By how many bytes the parts of an address that lanes share move all of them,
/// where only the remainder modulo a period matters. Pure.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_UNIFORMSHIFTS_H
#define CUDA_LINT_ANALYZER_IR_UNIFORMSHIFTS_H

#include "analyzer/ir/SymbolFacts.h"

#include <cstdint>
#include <vector>

namespace cudalint {

class UniformShifts {
public:
  /// No shift but 0; bytes modulo \p Period, a power of two.
  explicit UniformShifts(unsigned Period) : Period(Period), Step(Period) {}

  /// And any multiple of \p Bytes.
  void addMultiples(std::uint64_t Bytes);
  /// And one of \p Values, each as often as the others, times \p Bytes.
  void addValues(const FewValues &Values, std::int64_t Bytes);
  /// And one of \p Bytes, each as often as the others; not empty.
  void addEach(std::vector<std::int64_t> Bytes);
  /// What the parts of which only multiples are known are multiples of, in
  /// bytes: a power of two, Period at most.
  std::uint64_t step() const { return Step; }
  /// One shift for each remainder, each standing for as many of the values as
  /// every other one: one stands there twice that is twice as frequent. \p Most
  /// at most, a power of two: where there are more, few values are taken for
  /// any multiple of their greatest common divisor. Multiples of less than \p
  /// Least bytes are taken for multiples of it; a power of two, Period at most.
  std::vector<std::int64_t> get(unsigned Most, unsigned Least = 1) const;

private:
  unsigned Period;
  std::uint64_t Step;
  std::vector<std::vector<std::int64_t>> Few; ///< One of each, in bytes.

  /// As get() has them, with multiples of \p Apart; empty: too many.
  std::vector<std::int64_t> ofKnownValues(unsigned Most, unsigned Apart) const;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_UNIFORMSHIFTS_H
