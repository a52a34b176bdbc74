//===- tests/unit/analyzer/tool/CrashGuardTests.cpp - Work that may crash -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/CrashGuard.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace CrashGuardTests {

using namespace cudalint;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HAS_ADDRESS_SANITIZER 1
#endif

namespace {
class Guarded : public testing::Test {
protected:
  CrashGuard Guard;
};
} // namespace

TEST_F(Guarded, workThatEndsIsDone) {
  int Value = 0;
  EXPECT_TRUE(Guard.runFile([&] { Value = 1; }));
  EXPECT_EQ(Value, 1);
}

TEST_F(Guarded, anAbortIsSurvived) {
  EXPECT_FALSE(Guard.runFile([] { std::abort(); }));
  EXPECT_TRUE(Guard.runFile([] {})) << "and the next work runs";
}

TEST_F(Guarded, aCrashInsideTheWorkCostsThatPartOnly) {
  bool After = false;
  EXPECT_TRUE(Guard.runFile([&] {
    EXPECT_FALSE(Guard.runPart([] { std::abort(); }));
    After = true;
  }));
  EXPECT_TRUE(After);
}

// The sanitizer has its own stack limit and its own say about it.
#ifndef HAS_ADDRESS_SANITIZER
/// Takes 4 KiB of stack for each step down.
static std::size_t dive(std::size_t Depth) {
  volatile char Frame[4096];
  Frame[Depth % sizeof(Frame)] = 1;
  std::size_t Below = Depth == 0 ? 0 : dive(Depth - 1);
  return Below + Frame[Depth % sizeof(Frame)];
}

TEST_F(Guarded, deepNestingFits) {
  // 100 MB of stack, where a thread usually has 8.
  EXPECT_TRUE(Guard.runFile([] { dive(25'000); }));
}

TEST_F(Guarded, anOverflowOfTheStackIsSurvived) {
  EXPECT_FALSE(Guard.runFile([] { dive(1'000'000'000); }));
  EXPECT_FALSE(Guard.runFile([] { dive(1'000'000'000); })) << "twice";
}
#endif

} // namespace CrashGuardTests
