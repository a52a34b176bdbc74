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

#include <string>

namespace cudalint {

/// Values of a symbol whose range is known and no longer than this are all
/// tried.
inline constexpr std::int64_t SmallRange = 32;

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

/// Whether its range is known and is a SmallRange.
inline bool isBounded(const SymbolInfo &I) {
  return I.Min != NoMin && I.Max != NoMax && I.Max - I.Min < SmallRange;
}

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
