//===- analyzer/ir/StrideSymbol.h - What lanes are apart by -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The run-time value by which lanes of a request are apart, and the offsets
/// that a number for it gives. Pure.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_STRIDESYMBOL_H
#define CUDA_LINT_ANALYZER_IR_STRIDESYMBOL_H

#include "analyzer/ir/LaneValue.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class Value;
} // namespace llvm

namespace cudalint {

using LaneOffsets = std::array<std::int64_t, WarpSize>;

/// A symbol by which the distance between lanes grows: `tid * pitch`.
struct StrideSymbol {
  Symbol S = 0;
  std::string Name;
  std::int64_t BytesPerUnit = 0;
  bool IsBound = false;  ///< As isBound() says.
  bool IsOfRows = false; ///< As RuntimeStride has it.
  unsigned RowLanes = 1; ///< Likewise.
  /// The symbol's coefficient in each lane, in bytes.
  LaneOffsets Coefficient = {};
};

/// As the source has the symbol \p S of an address at \p Pointer: `n`,
/// `a * b` or `n / 10`; empty where that cannot be told.
std::string strideName(const LaneArithmetic &A, Symbol S,
                       const llvm::Value &Pointer);

/// By how much the rows are longer than the symbol: 1, where they are `n + 1`
/// apart. Empty: they are not as far apart from each other.
std::optional<std::int64_t>
longerBy(const LaneValue &Address, const StrideSymbol &Stride, LaneMask Active);

/// \p T as such a symbol; BytesPerUnit is of the lanes \p Active.
StrideSymbol makeStride(const LaneArithmetic &A, const Term &T,
                        LaneMask Active);

/// The offsets of the address with the stride symbol set to `Value`.
LaneOffsets withStride(const LaneValue &Address, const StrideSymbol &Stride,
                       std::int64_t Value);

/// The offsets of the address without its symbols.
LaneOffsets constantOffsets(const LaneValue &Address);

/// Fewer rows than this in one warp are a tile, not a stride.
bool hasManyValues(const Lanes &C, LaneMask Active);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_STRIDESYMBOL_H
