//===- tests/unit/runtime/probe/CodeRangeTests.cpp - In it or not ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/CodeRange.h"

#include <gtest/gtest.h>
#include <thread>

namespace cudalint::probe::CodeRangeTests {
namespace {

/// A thread of its own: what is nested is the thread's.
template <typename Function> void onThread(Function Act) {
  std::thread(Act).join();
}

TEST(CodeRange, AllIsInsideWhereNothingIsChosen) {
  const CodeRange None("");
  EXPECT_TRUE(None.isInside());
  EXPECT_FALSE(None.isNamed(""));
}

TEST(CodeRange, BetweenPushAndPop) {
  CodeRange Range("step");
  EXPECT_TRUE(Range.isNamed("step"));
  EXPECT_FALSE(Range.isNamed("steps"));
  onThread([&] {
    EXPECT_FALSE(Range.isInside());
    EXPECT_EQ(0, Range.push(0, false));
    EXPECT_FALSE(Range.isInside());
    EXPECT_EQ(1, Range.push(0, true));
    EXPECT_EQ(2, Range.push(0, true)); // Once more in itself.
    EXPECT_EQ(3, Range.push(0, false));
    EXPECT_TRUE(Range.isInside());
    onThread([&] { EXPECT_FALSE(Range.isInside()); });
    EXPECT_EQ(3, Range.pop(0));
    EXPECT_EQ(2, Range.pop(0));
    EXPECT_TRUE(Range.isInside());
    EXPECT_EQ(1, Range.pop(0));
    EXPECT_FALSE(Range.isInside());
    EXPECT_EQ(0, Range.pop(0));
    // More pops than pushes are the program's mistake, not ours.
    EXPECT_GT(0, Range.pop(0));
    EXPECT_EQ(0, Range.push(0, true));
    EXPECT_TRUE(Range.isInside());
  });
}

TEST(CodeRange, DomainsAreNestedAmongThemselves) {
  CodeRange Range("step");
  onThread([&] {
    Range.push(3, true);
    Range.push(0, false);
    Range.pop(3);
    EXPECT_FALSE(Range.isInside());
    // More domains than are kept apart do no harm.
    Range.push(4'000'000'000, true);
    EXPECT_TRUE(Range.isInside());
    Range.pop(4'000'000'000);
    EXPECT_FALSE(Range.isInside());
  });
}

TEST(CodeRange, StartAndEndAreOfTheProcess) {
  CodeRange Range("step");
  const std::uint64_t Other = Range.start(false);
  EXPECT_FALSE(Range.isInside());
  const std::uint64_t One = Range.start(true), Two = Range.start(true);
  EXPECT_NE(One, Two);
  onThread([&] { EXPECT_TRUE(Range.isInside()); });
  Range.end(Other);
  onThread([&] { Range.end(One); });
  EXPECT_TRUE(Range.isInside());
  Range.end(Two);
  EXPECT_FALSE(Range.isInside());
  // What was never started ends nothing.
  const std::uint64_t Three = Range.start(true);
  Range.end(0);
  Range.end(~std::uint64_t{0});
  EXPECT_TRUE(Range.isInside());
  // Nor does what was ended before.
  for (int Again = 0; Again != 2; ++Again)
    Range.end(Two);
  EXPECT_TRUE(Range.isInside());
  Range.end(Three);
  EXPECT_FALSE(Range.isInside());
}

TEST(CodeRange, TheProfilersApi) {
  CodeRange Range("cudaProfilerApi"), Other("step");
  for (CodeRange *Each : {&Range, &Other})
    Each->profilerStarted();
  EXPECT_TRUE(Range.isInside());
  EXPECT_FALSE(Other.isInside());
  Range.profilerStopped();
  EXPECT_FALSE(Range.isInside());
}

} // namespace
} // namespace cudalint::probe::CodeRangeTests
