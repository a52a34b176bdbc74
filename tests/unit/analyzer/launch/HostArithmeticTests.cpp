//===- tests/unit/analyzer/launch/HostArithmeticTests.cpp - Bytes ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostArithmetic.h"

#include "llvm/ADT/bit.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace cudalint::HostArithmeticTests {

static constexpr NumberType SignedByte{NumberType::Integer, 8, true};
static constexpr NumberType Byte{NumberType::Integer, 8, false};
static constexpr NumberType Int{NumberType::Integer, 32, true};
static constexpr NumberType Unsigned{NumberType::Integer, 32, false};
static constexpr NumberType Long{NumberType::Integer, 64, true};
static constexpr NumberType Size{NumberType::Integer, 64, false};
static constexpr NumberType Float{NumberType::Real, 32, true};
static constexpr NumberType Double{NumberType::Real, 64, true};

static Number integer(NumberType Type, std::int64_t Value) {
  return integerNumber(Type, static_cast<std::uint64_t>(Value));
}

/// Empty where nothing is defined.
static std::optional<std::int64_t> value(const std::optional<Number> &N) {
  return N ? std::optional(static_cast<std::int64_t>(N->Bits)) : std::nullopt;
}

static std::optional<double> real(const std::optional<Number> &N) {
  return N ? std::optional(llvm::bit_cast<double>(N->Bits)) : std::nullopt;
}

/// What whole numbers without bounds give, if C++ lets a byte hold it: signed
/// ones must not overflow, unsigned ones wrap.
static std::optional<std::int64_t> inByte(std::int64_t Exact, bool Signed) {
  if (!Signed)
    return Exact & 0xff;
  return Exact < -128 || Exact > 127 ? std::nullopt : std::optional(Exact);
}

static std::optional<std::int64_t> byHand(Operator Code, std::int64_t A,
                                          std::int64_t B, bool Signed) {
  switch (Code) {
  case Operator::Add:
    return inByte(A + B, Signed);
  case Operator::Subtract:
    return inByte(A - B, Signed);
  case Operator::Multiply:
    return inByte(A * B, Signed);
  case Operator::Divide:
    return B == 0 ? std::nullopt : inByte(A / B, Signed);
  case Operator::Remainder:
    // -128 % -1 is as undefined as the quotient.
    return B == 0 || (A == -128 && B == -1) ? std::nullopt
                                            : inByte(A % B, Signed);
  case Operator::And:
    return A & B;
  case Operator::Or:
    return A | B;
  case Operator::Xor:
    return A ^ B;
  case Operator::Less:
    return A < B;
  case Operator::LessEqual:
    return A <= B;
  case Operator::Equal:
    return A == B;
  case Operator::Minimum:
    return A < B ? A : B;
  case Operator::Maximum:
    return A < B ? B : A;
  default:
    return std::nullopt;
  }
}

TEST(HostArithmetic, EveryPairOfBytes) {
  for (const NumberType Type : {SignedByte, Byte})
    for (const Operator Code :
         {Operator::Add, Operator::Subtract, Operator::Multiply,
          Operator::Divide, Operator::Remainder, Operator::And, Operator::Or,
          Operator::Xor, Operator::Less, Operator::LessEqual, Operator::Equal,
          Operator::Minimum, Operator::Maximum})
      for (std::int64_t A = Type.Signed ? -128 : 0, I = 0; I != 256; ++I, ++A)
        for (std::int64_t B = Type.Signed ? -128 : 0, J = 0; J != 256; ++J, ++B)
          ASSERT_EQ(
              value(foldBinary(Code, Type, integer(Type, A), integer(Type, B))),
              byHand(Code, A, B, Type.Signed))
              << static_cast<int>(Code) << ": " << A << ", " << B;
}

TEST(HostArithmetic, WhatOverflowsIsNotDefinedUnlessUnsigned) {
  constexpr std::int64_t Most = std::numeric_limits<int>::max();
  EXPECT_EQ(value(foldBinary(Operator::Add, Int, integer(Int, Most),
                             integer(Int, 1))),
            std::nullopt);
  EXPECT_EQ(value(foldBinary(Operator::Add, Long, integer(Long, Most),
                             integer(Long, 1))),
            Most + 1);
  EXPECT_EQ(value(foldBinary(Operator::Subtract, Unsigned, integer(Unsigned, 0),
                             integer(Unsigned, 1))),
            4294967295);
  EXPECT_EQ(
      value(foldBinary(Operator::Multiply, Unsigned, integer(Unsigned, 65536),
                       integer(Unsigned, 65537))),
      65536);
}

TEST(HostArithmetic, ShiftsStayInTheType) {
  auto Shift = [](Operator Code, NumberType Type, std::int64_t Of,
                  std::int64_t By) {
    return value(foldBinary(Code, Type, integer(Type, Of), integer(Int, By)));
  };
  EXPECT_EQ(Shift(Operator::ShiftLeft, Int, 1, 30), 1 << 30);
  EXPECT_EQ(Shift(Operator::ShiftLeft, Int, 3, 30), std::nullopt);
  EXPECT_EQ(Shift(Operator::ShiftLeft, Int, 1, 32), std::nullopt);
  EXPECT_EQ(Shift(Operator::ShiftLeft, Int, 1, -1), std::nullopt);
  EXPECT_EQ(Shift(Operator::ShiftLeft, Unsigned, 3, 31), 2147483648);
  EXPECT_EQ(Shift(Operator::ShiftRight, Int, -8, 1), -4);
  EXPECT_EQ(Shift(Operator::ShiftRight, Unsigned, -8, 1), 2147483644);
  EXPECT_EQ(Shift(Operator::ShiftRight, Int, 8, 32), std::nullopt);
}

TEST(HostArithmetic, OfOneNumber) {
  EXPECT_EQ(value(foldUnary(Operator::Negate, Int, integer(Int, 5))), -5);
  EXPECT_EQ(
      value(foldUnary(Operator::Negate, SignedByte, integer(SignedByte, -128))),
      std::nullopt);
  EXPECT_EQ(value(foldUnary(Operator::Negate, Byte, integer(Byte, 1))), 255);
  EXPECT_EQ(value(foldUnary(Operator::Complement, Int, integer(Int, 0))), -1);
  EXPECT_EQ(value(foldUnary(Operator::Complement, Byte, integer(Byte, 0))),
            255);
  EXPECT_EQ(value(foldUnary(Operator::LogicalNot, Boolean, integer(Int, 7))),
            0);
  EXPECT_EQ(
      value(foldUnary(Operator::LogicalNot, Boolean, realNumber(Double, 0))),
      1);
  EXPECT_EQ(value(foldUnary(Operator::Absolute, Int, integer(Int, -9))), 9);
  EXPECT_EQ(real(foldUnary(Operator::Ceil, Double, realNumber(Double, 2.25))),
            3);
  EXPECT_EQ(real(foldUnary(Operator::Floor, Double, realNumber(Double, -2.25))),
            -3);
  EXPECT_EQ(
      real(foldUnary(Operator::Truncate, Double, realNumber(Double, -2.75))),
      -2);
  // Halves away from zero, as round() has them.
  EXPECT_EQ(real(foldUnary(Operator::Round, Double, realNumber(Double, -2.5))),
            -3);
  EXPECT_EQ(
      real(foldUnary(Operator::SquareRoot, Double, realNumber(Double, -1))),
      std::nullopt);
  EXPECT_EQ(real(foldUnary(Operator::Log2, Double, realNumber(Double, 1024))),
            10);
  // Its last bit is the library's.
  EXPECT_EQ(real(foldUnary(Operator::Log2, Double, realNumber(Double, 1000))),
            std::nullopt);
}

TEST(HostArithmetic, TheWholePartOfALogarithm) {
  const auto rounded = [](Operator Code, NumberType Of, double Number) {
    return real(foldRoundedLog2(Code, Of, Of, realNumber(Of, Number)));
  };
  EXPECT_EQ(rounded(Operator::Ceil, Double, 1000), 10);
  EXPECT_EQ(rounded(Operator::Floor, Double, 1000), 9);
  EXPECT_EQ(rounded(Operator::Round, Double, 1000), 10); // 9.97
  EXPECT_EQ(value(foldRoundedLog2(Operator::Convert, Int, Double,
                                  realNumber(Double, 1000))),
            9);
  // So near to 24 that a float is 24 itself, or the one below.
  EXPECT_EQ(rounded(Operator::Floor, Double, 16777215), 23);
  EXPECT_EQ(rounded(Operator::Floor, Float, 16777215), std::nullopt);
  // Nothing is rounded, or there is none.
  EXPECT_EQ(rounded(Operator::Negate, Double, 1000), std::nullopt);
  EXPECT_EQ(rounded(Operator::Ceil, Double, 0), std::nullopt);
  EXPECT_EQ(rounded(Operator::Ceil, Double, -4), std::nullopt);
}

TEST(HostArithmetic, ConversionsCutAndKeepSigns) {
  EXPECT_EQ(value(foldConvert(Byte, integer(Int, 300))), 44);
  EXPECT_EQ(value(foldConvert(SignedByte, integer(Int, 200))), -56);
  EXPECT_EQ(value(foldConvert(Unsigned, integer(SignedByte, -1))), 4294967295);
  EXPECT_EQ(value(foldConvert(Size, integer(Int, -1))), -1); // all bits
  EXPECT_EQ(value(foldConvert(Boolean, integer(Int, 256))), 1);
  EXPECT_EQ(value(foldConvert(Boolean, realNumber(Double, 0.5))), 1);
  EXPECT_EQ(value(foldConvert(Int, realNumber(Double, -2.9))), -2);
  // What does not fit is not defined.
  EXPECT_EQ(value(foldConvert(Byte, realNumber(Double, 256))), std::nullopt);
  EXPECT_EQ(value(foldConvert(Byte, realNumber(Double, 255.9))), 255);
  EXPECT_EQ(value(foldConvert(Unsigned, realNumber(Double, -1))), std::nullopt);
  EXPECT_EQ(value(foldConvert(Int, realNumber(Double, NAN))), std::nullopt);
  // 2^24 + 1 is between two floats; the even one is 2^24.
  EXPECT_EQ(real(foldConvert(Float, integer(Int, 16777217))), 16777216);
  // 2^60 + 2^36 + 1 is nearer to the upper of its floats, which are 2^37
  // apart; rounded to a double first, it would be half-way and go to 2^60.
  EXPECT_EQ(
      real(foldConvert(Float, integer(Long, (1LL << 60) + (1LL << 36) + 1))),
      std::ldexp(1, 60) + std::ldexp(1, 37));
  EXPECT_EQ(real(foldConvert(Double, integer(Size, -1))), std::ldexp(1, 64));
}

TEST(HostArithmetic, FloatsAreNoDoubles) {
  // 2^24 + 1 is 2^24 in a float.
  EXPECT_EQ(real(foldBinary(Operator::Add, Float, realNumber(Float, 16777216),
                            realNumber(Float, 1))),
            16777216);
  EXPECT_EQ(real(foldBinary(Operator::Add, Double, realNumber(Double, 16777216),
                            realNumber(Double, 1))),
            16777217);
  EXPECT_EQ(real(foldBinary(Operator::Divide, Float, realNumber(Float, 1),
                            realNumber(Float, 3))),
            static_cast<double>(1.0f / 3.0f));
  EXPECT_EQ(real(foldBinary(Operator::Divide, Double, realNumber(Double, 1),
                            realNumber(Double, 0))),
            std::nullopt);
  EXPECT_EQ(real(foldBinary(Operator::Power, Double, realNumber(Double, 3),
                            realNumber(Double, 4))),
            81);
  EXPECT_EQ(real(foldBinary(Operator::Power, Double, realNumber(Double, 2),
                            realNumber(Double, 0.5))),
            std::nullopt);
}

TEST(HostArithmetic, TypesThatDifferAreNotAdded) {
  EXPECT_EQ(
      value(foldBinary(Operator::Add, Long, integer(Int, 1), integer(Long, 1))),
      std::nullopt);
  EXPECT_EQ(value(foldBinary(Operator::Add, Double, realNumber(Double, 1),
                             integer(Int, 1))),
            std::nullopt);
}

} // namespace cudalint::HostArithmeticTests
