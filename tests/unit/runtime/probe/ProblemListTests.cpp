//===- tests/unit/runtime/probe/ProblemListTests.cpp - Each once ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ProblemList.h"

#include <gmock/gmock.h>

namespace cudalint::probe::ProblemListTests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::SizeIs;

TEST(ProblemList, EachStandsOnce) {
  ProblemList List;
  List.add({"a", "x"});
  List.add(loss("a", "x"));
  List.add({"a", "x"});
  EXPECT_THAT(List.all(), ElementsAre(Problem{"a", "x"}, loss("a", "x")));
}

TEST(ProblemList, ALossTakesThePlaceOfANote) {
  ProblemList List;
  for (std::size_t I = 0; I != MostProblems; ++I)
    List.add({"note", std::to_string(I)});
  List.add({"note", "too many"});
  List.add(loss("loss", "must be said"));
  EXPECT_THAT(List.all(), SizeIs(MostProblems + 1));
  EXPECT_THAT(List.all(), Contains(loss("loss", "must be said")));
  // A note had to go, which is none.
  EXPECT_EQ(List.all().back(),
            (Problem{"more-problems", "more are not listed"}));
  EXPECT_THAT(List.all(), Not(Contains(Problem{"note", "too many"})));
}

TEST(ProblemList, LossesAreBoundedToo) {
  ProblemList List;
  for (std::size_t I = 0; I != 2 * MostProblems; ++I)
    List.add(loss("loss", std::to_string(I)));
  EXPECT_THAT(List.all(), SizeIs(MostProblems + 1));
  EXPECT_EQ(List.all().back(), loss("more-problems", "more are not listed"));
}

TEST(ProblemList, OneLossOfEachKindIsSaid) {
  ProblemList List;
  for (std::size_t I = 0; I != MostProblems; ++I)
    List.add(loss("often", std::to_string(I)));
  EXPECT_THAT(List.all(), SizeIs(MostProblems));
  List.add(loss("once", "must be said"));
  List.add(loss("once", "again"));
  EXPECT_THAT(List.all(), SizeIs(MostProblems + 1));
  EXPECT_THAT(List.all(), Contains(loss("once", "must be said")));
  EXPECT_THAT(List.all(), Contains(loss("often", "0")));
}

} // namespace
} // namespace cudalint::probe::ProblemListTests
