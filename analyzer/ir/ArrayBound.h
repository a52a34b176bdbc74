//===- analyzer/ir/ArrayBound.h - Random addresses in arrays ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// No lane of a program without faults leaves an array: of the values that data
/// might have, those are left with which all lanes stay in arrays of known
/// size.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ARRAYBOUND_H
#define CUDA_LINT_ANALYZER_IR_ARRAYBOUND_H

#include "analyzer/ir/RandomAddress.h"

#include <array>
#include <vector>

namespace cudalint {

/// Of more values than these, a number may as well have any.
inline constexpr std::uint64_t ManyValues = 1 << 20;

/// Keeps an address within the arrays of known size that its lanes are in.
class ArrayBound {
public:
  /// For accesses of \p Bytes by the lanes \p Active.
  ArrayBound(RandomAddress &Address, LaneMask Active, unsigned Bytes,
             LaneArithmetic &A)
      : Address(Address), Active(Active), Bytes(Bytes), A(A) {}

  /// False: with which values of the numbers all lanes stay there is not the
  /// same for each of them.
  bool apply(const ValueEvaluator &Values);

private:
  RandomAddress &Address;
  LaneMask Active;
  __int128 Bytes;
  LaneArithmetic &A;
  std::array<__int128, WarpSize> Size = {}; ///< Of each lane's; 0: not known.
  std::vector<Term> Rest;                   ///< What is added to the arrays.

  template <typename Predicate> bool allInArrays(Predicate Test) const {
    for (unsigned L = 0; L < WarpSize; ++L)
      if (Active >> L & 1 && Size[L] && !Test(L))
        return false;
    return true;
  }
  bool findArrays(const ValueEvaluator &Values);
  Range reach(unsigned Lane, const RandomNumber *Without) const;
  bool isWithin() const;
  RandomNumber *decisive();
  bool absorbRest(const RandomNumber &Into);
  bool clip(RandomNumber &N);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ARRAYBOUND_H
