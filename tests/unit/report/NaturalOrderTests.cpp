//===- tests/unit/report/NaturalOrderTests.cpp - Tests --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/NaturalOrder.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

namespace NaturalOrderTests {

using namespace cudalint;

TEST(NaturalOrder, NumbersCompareAsNumbers) {
  const char *Sorted[] = {"", "a", "k1.cu", "k2.cu", "k10.cu", "k10a", "l"};
  for (std::size_t I = 0; I != std::size(Sorted); ++I)
    for (std::size_t J = 0; J != std::size(Sorted); ++J)
      EXPECT_EQ(isNaturallyLess(std::string_view(Sorted[I]), Sorted[J]), I < J)
          << Sorted[I] << ' ' << Sorted[J];
  // Of one value, but not one name; and more digits than a number can have.
  EXPECT_NE(isNaturallyLess(std::string_view("k01"), "k1"),
            isNaturallyLess(std::string_view("k1"), "k01"));
  EXPECT_TRUE(isNaturallyLess(std::string_view("k" + std::string(99, '8')),
                              "k" + std::string(99, '9')));
  EXPECT_TRUE(
      isNaturallyLess(Location{"k2.cu", 90, 1}, Location{"k10.cu", 3, 1}));
  EXPECT_TRUE(
      isNaturallyLess(Location{"k2.cu", 9, 1}, Location{"k2.cu", 10, 1}));
}

} // namespace NaturalOrderTests
