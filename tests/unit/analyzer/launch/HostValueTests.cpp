//===- tests/unit/analyzer/launch/HostValueTests.cpp - Host values --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostValue.h"

#include <gtest/gtest.h>

namespace cudalint::HostValueTests {

static constexpr NumberType Int{NumberType::Integer, 32, true};
static constexpr NumberType Unsigned{NumberType::Integer, 32, false};
static constexpr NumberType Long{NumberType::Integer, 64, true};

namespace {
class HostValue : public testing::Test {
protected:
  Value integer(std::int64_t Number, NumberType Type = Int) {
    return Make.integer(Type, static_cast<std::uint64_t>(Number));
  }
  Value add(Value A, Value B) { return Make.binary(Operator::Add, Int, A, B); }
  Value times(Value A, Value B, NumberType Type = Int) {
    return Make.binary(Operator::Multiply, Type, A, B);
  }

  ValueFactory Make;
  const Value N = Make.symbol("n"), M = Make.symbol("m");
};
} // namespace

TEST_F(HostValue, EqualOnesAreOne) {
  EXPECT_EQ(integer(7), integer(7));
  EXPECT_NE(integer(7), integer(7, Long));
  EXPECT_EQ(add(N, integer(1)), add(N, integer(1)));
  EXPECT_NE(add(N, integer(1)), add(M, integer(1)));
  EXPECT_NE(Make.symbol("n"), N);
}

TEST_F(HostValue, WhatIsKnownLaterIsPutInAndFolded) {
  const Value Blocks =
      Make.binary(Operator::Divide, Int, add(N, integer(255)), integer(256));
  EXPECT_EQ(integerOf(Blocks), std::nullopt);
  // 1000 + 255 = 1255 = 4 * 256 + 231
  EXPECT_EQ(integerOf(Make.resolve(Blocks, {{N, integer(1000)}})), 4);
  EXPECT_EQ(Make.resolve(Blocks, {{M, integer(1000)}}), Blocks);
  EXPECT_EQ(Make.resolve(times(N, M), {{N, integer(3)}}), times(integer(3), M));
}

TEST_F(HostValue, AChoiceOfWhatIsComparedIsTheSmallerOrTheLargerOne) {
  const Value Four = integer(4);
  auto less = [&](Value A, Value B) {
    return Make.binary(Operator::Less, Boolean, A, B);
  };
  const Value Least = Make.choose(less(N, Four), N, Four);
  const Value Most = Make.choose(less(N, Four), Four, N);
  for (const auto &[Size, IsLess] :
       {std::pair{3, true}, {4, false}, {5, false}}) {
    const Knowledge Known = {{N, integer(Size)}};
    EXPECT_EQ(integerOf(Make.resolve(Least, Known)), std::min(Size, 4));
    EXPECT_EQ(integerOf(Make.resolve(Most, Known)), std::max(Size, 4));
    // As little is known in `if (n < 4)` and behind it.
    const Knowledge Compared = {{less(N, Four), Make.boolean(IsLess)}};
    EXPECT_EQ(Make.resolve(Least, Compared), IsLess ? N : Four);
    EXPECT_EQ(Make.resolve(Most, Compared), IsLess ? Four : N);
  }
  // `n >= 4` is `!(n < 4)`, or `4 <= n`.
  const Value AtLeast = Make.binary(Operator::LessEqual, Boolean, Four, N);
  EXPECT_EQ(Make.resolve(Least, {{AtLeast, Make.boolean(true)}}), Four);
  EXPECT_EQ(Make.resolve(Most, {{AtLeast, Make.boolean(false)}}), Four);
  EXPECT_EQ(
      Make.choose(Make.unary(Operator::LogicalNot, Boolean, less(N, Four)),
                  Four, N),
      Least);
  const Value Power = Make.binary(Operator::ShiftLeft, Int, integer(1), M);
  EXPECT_TRUE(isPowerOfTwo(Make.choose(less(Power, Four), Power, Four)));
  EXPECT_FALSE(isPowerOfTwo(Least));
}

TEST_F(HostValue, BoundsOfBoundsAreNoLargerThanTheirParts) {
  Value Least = N;
  for (int I = 1; I <= 10; ++I) {
    const Value Bound = Make.binary(Operator::Divide, Int, integer(1 << 20), M);
    Least = Make.choose(Make.binary(Operator::Less, Boolean, Bound, Least),
                        Bound, Least);
    const Value Other = integer(1000 - I);
    Least = Make.choose(Make.binary(Operator::Less, Boolean, Other, Least),
                        Other, Least);
  }
  EXPECT_EQ(Make.resolve(Least, {{N, integer(2000)}, {M, integer(1)}}),
            integer(990));
}

TEST_F(HostValue, AChoiceIsWhatBothWaysAre) {
  EXPECT_EQ(Make.choose(N, integer(4), integer(4)), integer(4));
  EXPECT_EQ(Make.choose(integer(2), integer(4), integer(5)), integer(4));
  EXPECT_EQ(Make.choose(integer(0), integer(4), integer(5)), integer(5));
  const Value Open = Make.choose(N, integer(4), integer(5));
  EXPECT_EQ(integerOf(Open), std::nullopt);
  EXPECT_EQ(Make.resolve(Open, {{N, Make.boolean(false)}}), integer(5));
}

TEST_F(HostValue, WhatIsNotDefinedIsNotKnown) {
  const Value Quotient =
      Make.binary(Operator::Divide, Int, integer(1), integer(0));
  EXPECT_TRUE(Quotient->isSymbolic());
  EXPECT_TRUE(add(integer(2147483647), integer(1))->isSymbolic());
}

TEST_F(HostValue, PartsOfAnObject) {
  int Field = 0, Other = 0;
  const PartKey X = fieldKey(&Field), Y = fieldKey(&Other);
  const Value Zero = integer(0);
  const Value Pair = Make.aggregate({{Y, integer(2)}, {X, N}}, Zero);
  EXPECT_EQ(Make.part(Pair, X, "x"), N);
  EXPECT_EQ(Make.part(Pair, Y, "y"), integer(2));
  // The others are the rest.
  const Value Array = Make.aggregate({{indexKey(3), N}}, Zero);
  EXPECT_EQ(Make.part(Array, indexKey(3), "a[3]"), N);
  EXPECT_EQ(Make.part(Array, indexKey(2), "a[2]")->isSymbolic(), true);
  // A part of what is not known is not known, but always the same.
  EXPECT_EQ(Make.part(M, X, "m.x"), Make.part(M, X, "m.x"));
  EXPECT_NE(Make.part(M, X, "m.x"), Make.part(M, Y, "m.y"));
}

TEST_F(HostValue, StoresIntoParts) {
  int Outer = 0, Inner = 0;
  const PartKey Path[] = {fieldKey(&Outer), indexKey(1)};
  const Value Changed = Make.withPart(M, Path, 2, integer(9));
  EXPECT_EQ(Make.partAt(Changed, {Path[0], Path[1]}, ""), integer(9));
  // All else is as it was.
  EXPECT_EQ(Make.part(Changed, fieldKey(&Inner), "m.i"),
            Make.part(M, fieldKey(&Inner), "m.i"));
  EXPECT_EQ(Make.partAt(Changed, {Path[0], indexKey(0)}, "m.o[0]"),
            Make.partAt(M, {Path[0], indexKey(0)}, "m.o[0]"));
  // The same part again.
  const Value Again = Make.withPart(Changed, Path, 2, integer(10));
  EXPECT_EQ(Make.partAt(Again, {Path[0], Path[1]}, ""), integer(10));
}

TEST_F(HostValue, PartsAreLookedForOnBothWays) {
  int Field = 0;
  const PartKey X = fieldKey(&Field);
  const Value Either =
      Make.choose(N, Make.aggregate({{X, integer(1)}}, integer(0)),
                  Make.aggregate({{X, integer(2)}}, integer(0)));
  EXPECT_EQ(Make.part(Either, X, "x"), Make.choose(N, integer(1), integer(2)));
}

TEST_F(HostValue, TheUsualOneIsThatOfTheKnownWay) {
  // argc > 1 ? atoi(argv[1]) : 256
  EXPECT_EQ(Make.usual(Make.choose(N, M, integer(256))), integer(256));
  EXPECT_EQ(Make.usual(Make.choose(N, integer(128), integer(256))), nullptr);
  // The largest of two, as `if (n < 256) n = 256`: mostly n, whatever that is.
  const auto largest = [&](Value Least) {
    return Make.choose(Make.binary(Operator::Less, Int, N, Least), Least, N);
  };
  EXPECT_EQ(Make.usual(largest(integer(256))), nullptr);
  EXPECT_EQ(Make.usual(largest(integer(1))), nullptr);
  EXPECT_EQ(Make.usual(M), nullptr);
  // What something unknown happened to.
  const Value Passed = Make.symbol("n", integer(64));
  EXPECT_EQ(Make.usual(Passed), integer(64));
  EXPECT_EQ(Make.usual(add(Passed, integer(1))), integer(65));
  EXPECT_EQ(Make.usual(add(Passed, M)), nullptr);
}

TEST_F(HostValue, PowersOfTwo) {
  const Value Shift = Make.binary(Operator::ShiftLeft, Int, integer(1), N);
  EXPECT_TRUE(isPowerOfTwo(integer(64)));
  EXPECT_FALSE(isPowerOfTwo(integer(0)));
  EXPECT_FALSE(isPowerOfTwo(integer(96)));
  EXPECT_FALSE(isPowerOfTwo(integer(-64)));
  EXPECT_FALSE(isPowerOfTwo(N));
  EXPECT_TRUE(isPowerOfTwo(Shift));
  EXPECT_FALSE(
      isPowerOfTwo(Make.binary(Operator::ShiftLeft, Int, integer(3), N)));
  EXPECT_TRUE(isPowerOfTwo(times(Shift, integer(4))));
  EXPECT_FALSE(isPowerOfTwo(times(Shift, integer(6))));
  // 65536u * 65536u is 0.
  EXPECT_FALSE(isPowerOfTwo(times(Make.convert(Int, Unsigned, Shift),
                                  integer(4, Unsigned), Unsigned)));
  EXPECT_TRUE(isPowerOfTwo(Make.choose(M, Shift, integer(32))));
  EXPECT_FALSE(isPowerOfTwo(Make.choose(M, Shift, N)));
  // Its upper bits may be cut.
  EXPECT_TRUE(isPowerOfTwo(Make.convert(Int, Long, Shift)));
  EXPECT_FALSE(
      isPowerOfTwo(Make.convert(Int, {NumberType::Integer, 8, false}, Shift)));
}

TEST_F(HostValue, SizesAreNoLargeUnsignedNumbers) {
  EXPECT_EQ(integerOf(integer(-1)), -1);
  EXPECT_EQ(integerOf(integer(-1, Unsigned)), 4294967295);
  EXPECT_EQ(integerOf(integer(-1, {NumberType::Integer, 64, false})),
            std::nullopt);
}

TEST_F(HostValue, ElementsOfAnArray) {
  int Object = 0;
  const Place Array{.Object = &Object, .Path = {}};
  const Place Third = elementOf(Array, integer(3));
  EXPECT_TRUE(Third.Exact);
  EXPECT_EQ(Third.Path, std::vector{indexKey(3)});
  EXPECT_FALSE(elementOf(Array, N).Exact);
  EXPECT_FALSE(elementOf(Array, integer(-1)).Exact);
  EXPECT_EQ(elementBehind(Third, 2).Path, std::vector{indexKey(5)});
  EXPECT_EQ(elementBehind(Third, -3).Path, std::vector{indexKey(0)});
  EXPECT_FALSE(elementBehind(Third, -4).Exact);
  EXPECT_FALSE(elementBehind(Third, std::nullopt).Exact);
  // What is no array has nothing behind it.
  EXPECT_TRUE(elementBehind(Array, 0).Exact);
  EXPECT_FALSE(elementBehind(Array, 1).Exact);
}

TEST_F(HostValue, NewerOnes) {
  const std::uint64_t Count = Make.symbolCount();
  const Value Later = Make.symbol("later");
  EXPECT_TRUE(isNewerThan(add(Later, integer(1)), Count));
  EXPECT_FALSE(isNewerThan(add(Later, N), Count));
  EXPECT_TRUE(isNewerThan(integer(1), Count));
}

TEST_F(HostValue, WhatItDependsOnIsNamed) {
  EXPECT_EQ(describeUnknown(add(N, integer(1))), "n");
  EXPECT_EQ(describeUnknown(add(times(N, M), N)), "n and m");
  EXPECT_EQ(describeUnknown(Make.symbol("")), "a value that cannot be told");
}

// Loops of host code would make ever larger ones: there is an end.
TEST_F(HostValue, LargeOnesAreForgotten) {
  Value Sum = N;
  for (int I = 0; I != 100; ++I)
    Sum = add(Sum, Sum);
  EXPECT_LT(Sum->Size, 1000000u);
  EXPECT_EQ(integerOf(Sum), std::nullopt);
}

} // namespace cudalint::HostValueTests
