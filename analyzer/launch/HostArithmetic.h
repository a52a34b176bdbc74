//===- analyzer/launch/HostArithmetic.h - C++ arithmetic --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arithmetic on constants with the widths and rules of C++ on the host.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_HOSTARITHMETIC_H
#define CUDA_LINT_ANALYZER_LAUNCH_HOSTARITHMETIC_H

#include "analyzer/launch/HostValue.h"

namespace cudalint {

/// A constant; `Bits` as in ValueNode.
struct Number {
  NumberType Type;
  std::uint64_t Bits = 0;
};

Number integerNumber(NumberType Type, std::uint64_t Bits);
Number realNumber(NumberType Type, double Real);

/// Empty where C++ does not define the result: overflow of a signed type,
/// division by zero, a shift by too much, a real that does not fit.
std::optional<Number> foldUnary(Operator Code, NumberType Type, Number Operand);
std::optional<Number> foldBinary(Operator Code, NumberType Type, Number Left,
                                 Number Right);
std::optional<Number> foldConvert(NumberType To, Number Operand);
/// What is made of the base-2 logarithm, of type \p Of, of a number that is no
/// power of two: its last bit is up to the C library, its whole part is not.
/// Empty where it is, or where \p Code does not round.
std::optional<Number> foldRoundedLog2(Operator Code, NumberType To,
                                      NumberType Of, Number Operand);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_HOSTARITHMETIC_H
