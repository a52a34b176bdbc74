//===- analyzer/ir/DataOrigin.h - Whose data a number is --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of a number that is computed from data: which data, and which lanes have the
/// same. `p[t / 4] & 31` is one number for each four lanes; the column and the
/// row of `x % w + pitch * (x / w)` are numbers of the same x that do not
/// depend on each other, and `x` and `x & 31` are not.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_DATAORIGIN_H
#define CUDA_LINT_ANALYZER_IR_DATAORIGIN_H

#include "analyzer/ir/LaneValue.h"

#include <array>
#include <cstdint>
#include <set>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

class ValueEvaluator;

struct DataOrigin {
  /// Loads, and whatever else is not followed.
  std::set<const llvm::Value *> Sources;
  /// Lanes with the same entry have the same number in every run.
  std::array<std::uint8_t, WarpSize> Draw = {};
  /// Lanes tell each other, as in a vote, or what is loaded are places one
  /// behind the other: the numbers of a warp are no independent ones, as the
  /// ranks of those that say yes.
  bool IsExchanged = false;
};

/// Where \p Number, of which something is not known in the lanes \p Active of
/// the access \p At, comes from.
DataOrigin originOfData(const llvm::Value &Number, const llvm::Instruction &At,
                        LaneMask Active, ValueEvaluator &Values);

/// Whether \p X says nothing about \p Y, if the data is random: they come from
/// other data, are other bits of the same, or quotient and remainder.
bool areIndependent(const llvm::Value &X, const DataOrigin &OfX,
                    const llvm::Value &Y, const DataOrigin &OfY);

/// Values of one block alone are forgotten behind it: whether that of \p V is
/// still there at the access \p At.
bool isKept(const llvm::Value &V, const llvm::Instruction &At);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_DATAORIGIN_H
