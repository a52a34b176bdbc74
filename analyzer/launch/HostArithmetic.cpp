//===- analyzer/launch/HostArithmetic.cpp - C++ arithmetic ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostArithmetic.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>

using llvm::APSInt;

namespace cudalint {

static APSInt toInteger(const Number &N) {
  return APSInt(llvm::APInt(N.Type.Width, N.Bits, /*isSigned=*/false,
                            /*implicitTrunc=*/true),
                !N.Type.Signed);
}

static double toReal(const Number &N) { return llvm::bit_cast<double>(N.Bits); }

Number integerNumber(NumberType Type, std::uint64_t Bits) {
  if (Type.Width < 64) {
    unsigned Spare = 64 - Type.Width;
    Bits <<= Spare;
    Bits = Type.Signed ? static_cast<std::uint64_t>(
                             static_cast<std::int64_t>(Bits) >> Spare)
                       : Bits >> Spare;
  }
  return {Type, Bits};
}

Number realNumber(NumberType Type, double Real) {
  if (Type.Width == 32)
    Real = static_cast<float>(Real);
  return {Type, llvm::bit_cast<std::uint64_t>(Real)};
}

static Number truth(bool Truth) { return {Boolean, Truth}; }

static Number fromInteger(const APSInt &Value, NumberType Type) {
  return integerNumber(Type, static_cast<std::uint64_t>(
                                 Value.isSigned() ? static_cast<std::uint64_t>(
                                                        Value.getSExtValue())
                                                  : Value.getZExtValue()));
}

std::optional<Number> foldConvert(NumberType To, Number Operand) {
  bool FromReal = Operand.Type.Kind == NumberType::Real;
  if (To == Boolean)
    return truth(FromReal ? toReal(Operand) != 0 : Operand.Bits != 0);
  if (To.Kind == NumberType::Integer) {
    if (!FromReal)
      return integerNumber(To, Operand.Bits);
    double Real = std::trunc(toReal(Operand));
    double Limit = std::ldexp(1.0, To.Width - (To.Signed ? 1 : 0));
    double Least = To.Signed ? -Limit : 0.0;
    if (!(Real >= Least && Real < Limit)) // NaN too.
      return std::nullopt;
    return integerNumber(To, To.Signed ? static_cast<std::uint64_t>(
                                             static_cast<std::int64_t>(Real))
                                       : static_cast<std::uint64_t>(Real));
  }
  if (FromReal)
    return realNumber(To, toReal(Operand));
  // Not through double when the target is float: that would round twice.
  if (To.Width == 32)
    return realNumber(
        To, Operand.Type.Signed
                ? static_cast<float>(static_cast<std::int64_t>(Operand.Bits))
                : static_cast<float>(Operand.Bits));
  return realNumber(
      To, Operand.Type.Signed
              ? static_cast<double>(static_cast<std::int64_t>(Operand.Bits))
              : static_cast<double>(Operand.Bits));
}

/// The base-2 logarithm of an exact power of two; others are left to libm,
/// whose last bit is not ours to promise.
static std::optional<double> exactLog2(double Real) {
  int Exponent = 0;
  if (!(Real > 0) || std::frexp(Real, &Exponent) != 0.5)
    return std::nullopt;
  return Exponent - 1;
}

static std::optional<double> realUnary(Operator Code, double Real) {
  switch (Code) {
  case Operator::Negate:
    return -Real;
  case Operator::Ceil:
    return std::ceil(Real);
  case Operator::Floor:
    return std::floor(Real);
  case Operator::Truncate:
    return std::trunc(Real);
  case Operator::Round:
    return std::round(Real);
  case Operator::SquareRoot:
    return Real < 0 ? std::nullopt : std::optional(std::sqrt(Real));
  case Operator::Absolute:
    return std::fabs(Real);
  case Operator::Log2:
    return exactLog2(Real);
  default:
    return std::nullopt;
  }
}

std::optional<Number> foldRoundedLog2(Operator Code, NumberType To,
                                      NumberType Of, Number Operand) {
  // Libraries err by a few units in the last place at most: glibc's by 2 (its
  // manual, "Known Maximum Errors in Math Functions").
  constexpr double Units = 8;
  const bool Rounds =
      Code == Operator::Ceil || Code == Operator::Floor ||
      Code == Operator::Truncate || Code == Operator::Round ||
      (Code == Operator::Convert && To.Kind == NumberType::Integer);
  const double Real = toReal(Operand);
  if (!Rounds || !(Real > 0) || std::isinf(Real))
    return std::nullopt;
  const double Log = std::log2(Real);
  const double Epsilon = Of.Width == 32
                             ? std::numeric_limits<float>::epsilon()
                             : std::numeric_limits<double>::epsilon();
  const double Error = Units * Epsilon * std::fabs(Log);
  // Halves, too, where rounding turns.
  if (std::fabs(2 * Log - std::round(2 * Log)) <= 2 * Error)
    return std::nullopt;
  const Number Rounded = realNumber(Of, Log);
  return Code == Operator::Convert ? foldConvert(To, Rounded)
                                   : foldUnary(Code, To, Rounded);
}

std::optional<Number> foldUnary(Operator Code, NumberType Type,
                                Number Operand) {
  if (Code == Operator::LogicalNot)
    return truth(!foldConvert(Boolean, Operand)->Bits);
  if (Operand.Type.Kind == NumberType::Real) {
    std::optional<double> Real = realUnary(Code, toReal(Operand));
    return Real ? std::optional(realNumber(Type, *Real)) : std::nullopt;
  }
  APSInt Integer = toInteger(Operand);
  switch (Code) {
  case Operator::Complement:
    return fromInteger(~Integer, Type);
  case Operator::Absolute:
    if (Integer.isNonNegative())
      return fromInteger(Integer, Type);
    [[fallthrough]];
  case Operator::Negate:
    if (Type.Signed && Integer.isMinSignedValue())
      return std::nullopt;
    return fromInteger(-Integer, Type);
  default:
    return std::nullopt;
  }
}

static std::optional<Number> foldReal(Operator Code, NumberType Type,
                                      double Left, double Right) {
  // Rounding a double result to float equals float arithmetic for these
  // operations, since 53 >= 2 * 24 + 2 bits (Figueroa's theorem).
  switch (Code) {
  case Operator::Add:
    return realNumber(Type, Left + Right);
  case Operator::Subtract:
    return realNumber(Type, Left - Right);
  case Operator::Multiply:
    return realNumber(Type, Left * Right);
  case Operator::Divide:
    if (Right == 0)
      return std::nullopt;
    return realNumber(Type, Left / Right);
  case Operator::Less:
    return truth(Left < Right);
  case Operator::LessEqual:
    return truth(Left <= Right);
  case Operator::Equal:
    return truth(Left == Right);
  case Operator::Power: {
    double Power = std::pow(Left, Right);
    // Whole numbers below 2^53 are exact in any libm worth the name.
    bool Whole = std::trunc(Left) == Left && std::trunc(Right) == Right &&
                 Right >= 0 && std::fabs(Power) < 9007199254740992.0;
    return Whole ? std::optional(realNumber(Type, Power)) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

static std::optional<Number> foldShift(bool Left, NumberType Type,
                                       const APSInt &Value,
                                       const APSInt &Count) {
  if (Count.isNegative() || Count.uge(Value.getBitWidth()))
    return std::nullopt;
  unsigned Bits = static_cast<unsigned>(Count.getZExtValue());
  if (!Left)
    return fromInteger(Value >> Bits, Type);
  if (Value.isSigned() && (Value.isNegative() || Value.countl_zero() <= Bits))
    return std::nullopt;
  return fromInteger(Value << Bits, Type);
}

std::optional<Number> foldBinary(Operator Code, NumberType Type, Number Left,
                                 Number Right) {
  if (Left.Type.Kind == NumberType::Real) {
    if (Right.Type.Kind != NumberType::Real)
      return std::nullopt;
    return foldReal(Code, Type, toReal(Left), toReal(Right));
  }
  if (Right.Type.Kind != NumberType::Integer)
    return std::nullopt;
  APSInt A = toInteger(Left);
  APSInt B = toInteger(Right);
  if (Code == Operator::ShiftLeft || Code == Operator::ShiftRight)
    return foldShift(Code == Operator::ShiftLeft, Type, A, B);
  if (!(Left.Type == Right.Type))
    return std::nullopt;
  bool Overflow = false;
  APSInt Result(A);
  switch (Code) {
  case Operator::Add:
    Result =
        APSInt(A.isSigned() ? A.sadd_ov(B, Overflow) : A + B, A.isUnsigned());
    break;
  case Operator::Subtract:
    Result =
        APSInt(A.isSigned() ? A.ssub_ov(B, Overflow) : A - B, A.isUnsigned());
    break;
  case Operator::Multiply:
    Result =
        APSInt(A.isSigned() ? A.smul_ov(B, Overflow) : A * B, A.isUnsigned());
    break;
  case Operator::Divide:
  case Operator::Remainder:
    if (B.isZero() || (A.isSigned() && A.isMinSignedValue() && B.isAllOnes()))
      return std::nullopt;
    Result = Code == Operator::Divide ? A / B : A % B;
    break;
  case Operator::And:
    Result = A & B;
    break;
  case Operator::Or:
    Result = A | B;
    break;
  case Operator::Xor:
    Result = A ^ B;
    break;
  case Operator::Less:
    return truth(A < B);
  case Operator::LessEqual:
    return truth(A <= B);
  case Operator::Equal:
    return truth(A == B);
  case Operator::Minimum:
    return B < A ? Right : Left;
  case Operator::Maximum:
    return A < B ? Right : Left;
  default:
    return std::nullopt;
  }
  if (Overflow)
    return std::nullopt;
  return fromInteger(Result, Type);
}

} // namespace cudalint
