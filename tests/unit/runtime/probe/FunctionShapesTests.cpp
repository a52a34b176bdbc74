//===- tests/unit/runtime/probe/FunctionShapesTests.cpp - Until they go ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/FunctionShapes.h"

#include <gtest/gtest.h>
#include <vector>

namespace FunctionShapesTests {

using namespace cudalint::probe;

namespace {

using Block = std::array<unsigned, 3>;

const int Handles[6] = {};
const FunctionShapes::Handle Context = &Handles[0], Other = &Handles[1];
const FunctionShapes::Handle One = &Handles[2], Two = &Handles[3];
const FunctionShapes::Handle Module = &Handles[4], OtherModule = &Handles[5];

TEST(FunctionShapes, ABlockThatNobodySetIsNotKnown) {
  FunctionShapes All;
  EXPECT_FALSE(All.of(One));
  All.setSharedBytes(Context, One, 256);
  EXPECT_FALSE(All.of(One));
  All.setBlock(Context, One, {32, 4, 1});
  ASSERT_TRUE(All.of(One));
  EXPECT_EQ(All.of(One)->Block, (Block{32, 4, 1}));
  EXPECT_EQ(All.of(One)->DynamicSharedBytes, 256u);
  EXPECT_FALSE(All.of(Two));
}

TEST(FunctionShapes, TheLastCallHolds) {
  FunctionShapes All;
  All.setBlock(Context, One, {32, 4, 1});
  EXPECT_EQ(All.of(One)->DynamicSharedBytes, 0u);
  All.setBlock(Context, One, {64, 1, 1});
  All.setSharedBytes(Context, One, 16);
  All.setSharedBytes(Context, One, 32);
  EXPECT_EQ(All.of(One)->Block, (Block{64, 1, 1}));
  EXPECT_EQ(All.of(One)->DynamicSharedBytes, 32u);
}

TEST(FunctionShapes, ALaunchByANewerCallEndsIt) {
  FunctionShapes All;
  All.setBlock(Context, One, {64, 1, 1});
  All.setBlock(Context, Two, {64, 1, 1});
  All.launchedOtherwise(One);
  EXPECT_FALSE(All.of(One));
  EXPECT_TRUE(All.of(Two));
}

TEST(FunctionShapes, GoWithTheirModulesAndContexts) {
  FunctionShapes All;
  EXPECT_FALSE(All.lacksModule(One));
  auto Fill = [&] {
    All.setBlock(Context, One, {64, 1, 1});
    All.setBlock(Other, Two, {64, 1, 1});
  };
  Fill();
  EXPECT_TRUE(All.lacksModule(One));
  All.setModule(One, Module);
  EXPECT_FALSE(All.lacksModule(One));
  // A module goes of which nothing is known, and then its own.
  All.moduleGone(OtherModule);
  EXPECT_TRUE(All.of(One));
  All.moduleGone(Module);
  EXPECT_FALSE(All.of(One));
  EXPECT_TRUE(All.of(Two));
  Fill();
  All.contextGone(Context);
  EXPECT_FALSE(All.of(One));
  EXPECT_TRUE(All.of(Two));
  All.allGone();
  EXPECT_FALSE(All.of(Two));
}

TEST(FunctionShapes, AreBounded) {
  FunctionShapes All;
  const std::vector<char> Many(FunctionShapes::MostFunctions + 1);
  for (const char &Each : Many)
    All.setBlock(Context, &Each, {64, 1, 1});
  EXPECT_TRUE(All.of(&Many.front()));
  EXPECT_FALSE(All.of(&Many.back()));
}

} // namespace

} // namespace FunctionShapesTests
