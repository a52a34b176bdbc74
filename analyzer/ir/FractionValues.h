//===- analyzer/ir/FractionValues.h - Integers through float ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows indices that pass through float or double: `(int)(i * 0.5f)`,
/// `floorf(i / 2.0f)`. Such a number is an integer over a constant, and exact
/// as long as the type holds it without rounding; what rounds is not followed.
///
/// One quotient may round, i / 3.0f: its integer part is that of the integers,
/// which is all that may be asked of it. It is that as long as division rounds
/// correctly, as it does unless -use_fast_math is asked for.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_FRACTIONVALUES_H
#define CUDA_LINT_ANALYZER_IR_FRACTIONVALUES_H

#include "analyzer/ir/LaneValue.h"

#include "llvm/IR/Instructions.h"

#include <functional>
#include <map>
#include <optional>

namespace cudalint {

/// Numerator / Denominator in each lane.
struct Fraction {
  LaneValue Numerator; ///< Of 64 bits.
  std::int64_t Denominator = 1;

  /// A float holds it, if its numerator is small enough.
  bool isExact() const { return (Denominator & (Denominator - 1)) == 0; }
};

class FractionValues {
public:
  /// `ValueOf` gives integers.
  FractionValues(LaneArithmetic &A,
                 std::function<LaneValue(const llvm::Value *)> ValueOf)
      : A(A), ValueOf(std::move(ValueOf)) {}

  /// Notes what an instruction whose result is a float makes; nothing where
  /// that is not followed.
  void run(const llvm::Instruction &I);

  /// Whether some float that it is given depends on the number of the warp.
  bool dependsOnWarp(const llvm::Instruction &I) const;

  /// What an instruction makes of floats that is an integer or a truth value.
  std::optional<LaneValue> integerOf(const llvm::Instruction &I);

private:
  LaneArithmetic &A;
  std::function<LaneValue(const llvm::Value *)> ValueOf;
  std::map<const llvm::Value *, Fraction> Fractions;

  std::optional<Fraction> get(const llvm::Value *V) const;
  std::optional<Fraction> make(const llvm::Instruction &I);
  std::optional<Fraction> fromInteger(const llvm::Value *V, bool Signed);
  std::optional<Fraction> combine(const llvm::BinaryOperator &I);
  std::optional<Fraction> call(const llvm::CallInst &I);
  std::optional<Fraction> held(Fraction F, const llvm::Type *T) const;
  std::optional<LaneValue> rounded(const Fraction &F, char Mode);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_FRACTIONVALUES_H
