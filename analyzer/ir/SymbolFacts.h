//===- analyzer/ir/SymbolFacts.h - What a symbol may be ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is known of a value that only the run knows, and what it may be taken
/// for: bounded, chosen by whoever runs the program, large, aligned. Pure: from
/// what LaneArithmetic says of a symbol to yes, no or words.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_SYMBOLFACTS_H
#define CUDA_LINT_ANALYZER_IR_SYMBOLFACTS_H

#include "analyzer/ir/LaneValue.h"
#include "report/Assumption.h"
#include "report/Document.h"

#include <optional>
#include <string>

namespace cudalint {

/// Values of a symbol are all tried where there are no more than these.
inline constexpr unsigned SmallRange = 32;

/// The name of a symbol as a user would know it, in quotes; "a value known
/// only at run time" where there is none.
std::string describe(const LaneArithmetic &A, Symbol S);

/// The symbol as the user wrote it, without quotes; empty where he did not.
std::string writtenName(const LaneArithmetic &A, Symbol S);

/// What is taken for granted where an array begins at a multiple of 256 bytes,
/// or as far behind one as the launch has it.
Assumption alignmentOf(const SymbolInfo &Object);

/// And where a size is a multiple of 32.
Assumption roundness(const LaneArithmetic &A, Symbol S);

/// First, First + Step and so on, Count of them: 1 to SmallRange.
struct FewValues {
  std::int64_t First = 0, Step = 1;
  unsigned Count = 1;
  /// The \p K-th of them, beginning again behind the last.
  std::int64_t operator[](unsigned K) const {
    return First + Step * static_cast<std::int64_t>(K % Count);
  }
};

/// All that a symbol may be, by its range and by what it is proved to be a
/// multiple of; none where that is more than a few, or is not known.
std::optional<FewValues> fewValues(const SymbolInfo &I);

inline bool isBounded(const SymbolInfo &I) { return fewValues(I).has_value(); }

/// One of two values, for all lanes alike: a bound that bites or does not.
inline bool isChoice(const SymbolInfo &I) {
  return (I.Kind == SymbolKind::Opaque || I.Kind == SymbolKind::Parameter) &&
         I.Min == 0 && I.Max == 1;
}

/// A size that the program's user chooses, rather than something that runs
/// through values by itself.
bool isChosenAtRunTime(const LaneArithmetic &A, Symbol S);

/// Whether a pitch, if that is what the symbol is, can be taken to be large.
/// What the program computes from other things, `transposed ? pitch : 1`, may
/// as well be 1, and so may what it is in another launch.
bool canBeLarge(const LaneArithmetic &A, Symbol S);

/// Whether the kernel compares something with it, or with a factor of it, as
/// with the number of rows or their length. A dilation bounds nothing: it may
/// as well be 1. What is no value of the program counts as a bound.
bool isBound(const LaneArithmetic &A, Symbol S);

/// Whether the symbol, whatever it is, moves every lane by whole periods, of
/// \p Period bytes.
bool keepsPeriod(const LaneArithmetic &A, const Term &T, unsigned Period);

/// Whether all lanes \p Active move by whole periods for one of two values
/// that some bound leaves.
bool isAlignedButForBounds(const LaneArithmetic &A, const LaneValue &Address,
                           LaneMask Active, unsigned Period);

/// Why nothing is known of an address that depends on it.
UnknownCause causeOf(const LaneArithmetic &A, Symbol S);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_SYMBOLFACTS_H
