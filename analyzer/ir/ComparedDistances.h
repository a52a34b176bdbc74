//===- analyzer/ir/ComparedDistances.h - What is compared -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// What conditions say of the difference of two sums: `i + 3 < n` says that it
/// is 4 at least. Pure: from the code alone, in which no index overflows.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_COMPAREDDISTANCES_H
#define CUDA_LINT_ANALYZER_IR_COMPAREDDISTANCES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <limits>
#include <utility>

namespace cudalint {

/// Wider than that, all lanes may go there anyway. Also keeps sums in range.
inline constexpr std::int64_t MostDistance = 4096;

/// What is added up, sorted: of one sum in two orders it is the same.
using Addends = llvm::SmallVector<const llvm::Value *, 4>;

/// `Of - From` is in [Least, Greatest].
struct Distance {
  Addends Of, From;
  std::int64_t Least = std::numeric_limits<std::int64_t>::min();
  std::int64_t Greatest = std::numeric_limits<std::int64_t>::max();
  const llvm::ICmpInst *Compared = nullptr;
  /// By comparisons of signed numbers, and of unsigned ones, for which what is
  /// below zero is large.
  bool IsOfSigned = false, IsOfUnsigned = false;

  /// It is and is not, however large the numbers are.
  bool isNever() const {
    return Least > Greatest && !(IsOfSigned && IsOfUnsigned);
  }
};

/// The condition that one asks for, as an integer that is 0 or 1, and which of
/// them: `__builtin_expect(a < b, 1)`. Null: it is no such condition.
std::pair<const llvm::Value *, bool> askedFor(const llvm::Value *Condition);

/// Adds what holds where \p Condition is \p Holds, by the conditions that it is
/// made of to that \p Depth.
void addDistances(const llvm::Value *Condition, bool Holds, unsigned Depth,
                  llvm::SmallVectorImpl<Distance> &To);

/// Where \p By is of the same two sides as \p D.
void narrow(Distance &D, const Distance &By);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_COMPAREDDISTANCES_H
