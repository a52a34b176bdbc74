//===- tests/unit/analyzer/ir/Operations.h - Plain arithmetic ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The operations of the evaluator on two plain integers, as the language
/// reference of LLVM defines them: what the arithmetic over lanes is compared
/// with.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_IR_OPERATIONS_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_IR_OPERATIONS_H

#include "analyzer/ir/LaneValue.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace cudalint {

enum class Operation {
  Add,
  Sub,
  Mul,
  Shl,
  LShr,
  AShr,
  UDiv,
  SDiv,
  URem,
  SRem,
  And,
  Or,
  Xor,
  SMin,
  SMax,
  UMin,
  UMax,
  EQ,
  NE,
  ULT,
  ULE,
  UGT,
  UGE,
  SLT,
  SLE,
  SGT,
  SGE
};
inline constexpr int OperationKinds = static_cast<int>(Operation::SGE) + 1;

inline const char *nameOf(Operation O) {
  static const char *const Names[] = {
      "add",  "sub", "mul", "shl", "lshr", "ashr", "udiv", "sdiv", "urem",
      "srem", "and", "or",  "xor", "smin", "smax", "umin", "umax", "eq",
      "ne",   "ult", "ule", "ugt", "uge",  "slt",  "sle",  "sgt",  "sge"};
  return Names[static_cast<int>(O)];
}

inline bool isComparison(Operation O) { return O >= Operation::EQ; }
inline bool isDivision(Operation O) {
  return O >= Operation::UDiv && O <= Operation::SRem;
}

inline std::uint64_t maskOf(unsigned Bits) {
  return Bits >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << Bits) - 1;
}
inline std::int64_t signedOf(std::uint64_t X, unsigned Bits) {
  X &= maskOf(Bits);
  if (Bits < 64 && (X >> (Bits - 1) & 1))
    X |= ~maskOf(Bits);
  return static_cast<std::int64_t>(X);
}

/// `X` and `Y` are taken modulo 2^Bits, and so is the result. Empty where the
/// operation is undefined.
inline std::optional<std::uint64_t> plain(Operation O, std::uint64_t X,
                                          std::uint64_t Y, unsigned Bits) {
  const std::uint64_t M = maskOf(Bits);
  X &= M;
  Y &= M;
  const std::int64_t A = signedOf(X, Bits), B = signedOf(Y, Bits);
  const bool Overflows =
      Y == M && X == (std::uint64_t(1) << (Bits - 1)); // lowest / -1
  using enum Operation;
  switch (O) {
  case Add:
    return (X + Y) & M;
  case Sub:
    return (X - Y) & M;
  case Mul:
    return (X * Y) & M;
  case Shl:
    return Y < Bits ? std::optional((X << Y) & M) : std::nullopt;
  case LShr:
    return Y < Bits ? std::optional(X >> Y) : std::nullopt;
  case AShr:
    return Y < Bits ? std::optional(static_cast<std::uint64_t>(A >> Y) & M)
                    : std::nullopt;
  case UDiv:
    return Y ? std::optional(X / Y) : std::nullopt;
  case URem:
    return Y ? std::optional(X % Y) : std::nullopt;
  case SDiv:
    return Y && !Overflows
               ? std::optional(static_cast<std::uint64_t>(A / B) & M)
               : std::nullopt;
  case SRem:
    return Y && !Overflows
               ? std::optional(static_cast<std::uint64_t>(A % B) & M)
               : std::nullopt;
  case And:
    return X & Y;
  case Or:
    return X | Y;
  case Xor:
    return X ^ Y;
  case SMin:
    return A < B ? X : Y;
  case SMax:
    return A > B ? X : Y;
  case UMin:
    return X < Y ? X : Y;
  case UMax:
    return X > Y ? X : Y;
  case EQ:
    return X == Y;
  case NE:
    return X != Y;
  case ULT:
    return X < Y;
  case ULE:
    return X <= Y;
  case UGT:
    return X > Y;
  case UGE:
    return X >= Y;
  case SLT:
    return A < B;
  case SLE:
    return A <= B;
  case SGT:
    return A > B;
  case SGE:
    return A >= B;
  }
  return std::nullopt;
}

/// Whether a signed addition, subtraction, multiplication or shift to the left
/// overflows, which the flag `nsw` of LLVM rules out.
inline bool wraps(Operation O, std::uint64_t X, std::uint64_t Y,
                  unsigned Bits) {
  const __int128 A = signedOf(X, Bits), B = signedOf(Y, Bits);
  __int128 R = 0;
  if (O == Operation::Add)
    R = A + B;
  else if (O == Operation::Sub)
    R = A - B;
  else if (O == Operation::Mul)
    R = A * B;
  else if (O == Operation::Shl)
    R = A * (__int128(1) << std::min<std::uint64_t>(Y & maskOf(Bits), 64));
  const __int128 Limit = __int128(1) << (Bits - 1);
  return R < -Limit || R >= Limit;
}

/// The same operation over all lanes. `NoWrap` where it has such a flag.
inline LaneValue overLanes(LaneArithmetic &Arithmetic, Operation O,
                           const LaneValue &A, const LaneValue &B,
                           bool NoWrap = false) {
  using enum Operation;
  using Predicate = LaneArithmetic::Predicate;
  switch (O) {
  case Add:
    return Arithmetic.add(A, B, NoWrap);
  case Sub:
    return Arithmetic.sub(A, B, NoWrap);
  case Mul:
    return Arithmetic.mul(A, B, NoWrap);
  case Shl:
    return Arithmetic.shl(A, B, NoWrap);
  case LShr:
    return Arithmetic.lshr(A, B);
  case AShr:
    return Arithmetic.ashr(A, B);
  case UDiv:
    return Arithmetic.udiv(A, B);
  case SDiv:
    return Arithmetic.sdiv(A, B);
  case URem:
    return Arithmetic.urem(A, B);
  case SRem:
    return Arithmetic.srem(A, B);
  case And:
    return Arithmetic.bitAnd(A, B);
  case Or:
    return Arithmetic.bitOr(A, B);
  case Xor:
    return Arithmetic.bitXor(A, B);
  case SMin:
    return Arithmetic.min(A, B, true);
  case SMax:
    return Arithmetic.max(A, B, true);
  case UMin:
    return Arithmetic.min(A, B, false);
  case UMax:
    return Arithmetic.max(A, B, false);
  default:
    return Arithmetic.compare(
        static_cast<Predicate>(static_cast<int>(O) - static_cast<int>(EQ)), A,
        B);
  }
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_IR_OPERATIONS_H
