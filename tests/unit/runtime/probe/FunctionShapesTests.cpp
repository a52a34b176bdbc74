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

using namespace cudalint::probe;

namespace {

using Block = std::array<unsigned, 3>;

const int Handles[4] = {};
const FunctionShapes::Owner Owner = {&Handles[0], &Handles[1]};
const FunctionShapes::Handle One = &Handles[2], Two = &Handles[3];

TEST(FunctionShapes, ABlockThatNobodySetIsNotKnown) {
  FunctionShapes All;
  EXPECT_FALSE(All.of(One));
  All.setSharedBytes(One, Owner, 256);
  EXPECT_FALSE(All.of(One));
  All.setBlock(One, Owner, {32, 4, 1});
  ASSERT_TRUE(All.of(One));
  EXPECT_EQ(All.of(One)->Block, (Block{32, 4, 1}));
  EXPECT_EQ(All.of(One)->DynamicSharedBytes, 256u);
  EXPECT_FALSE(All.of(Two));
}

TEST(FunctionShapes, TheLastCallHolds) {
  FunctionShapes All;
  All.setBlock(One, Owner, {32, 4, 1});
  EXPECT_EQ(All.of(One)->DynamicSharedBytes, 0u);
  All.setBlock(One, Owner, {64, 1, 1});
  All.setSharedBytes(One, Owner, 16);
  All.setSharedBytes(One, Owner, 32);
  EXPECT_EQ(All.of(One)->Block, (Block{64, 1, 1}));
  EXPECT_EQ(All.of(One)->DynamicSharedBytes, 32u);
}

TEST(FunctionShapes, ALaunchByANewerCallEndsIt) {
  FunctionShapes All;
  All.setBlock(One, Owner, {64, 1, 1});
  All.setBlock(Two, Owner, {64, 1, 1});
  All.launchedOtherwise(One);
  EXPECT_FALSE(All.of(One));
  EXPECT_TRUE(All.of(Two));
}

TEST(FunctionShapes, GoWithTheirModulesAndContexts) {
  FunctionShapes All;
  auto Fill = [&] {
    All.setBlock(One, Owner, {64, 1, 1});
    All.setBlock(Two, {&Handles[1], nullptr}, {64, 1, 1});
  };
  Fill();
  All.moduleGone(Owner.Module);
  EXPECT_FALSE(All.of(One));
  EXPECT_FALSE(All.of(Two)); // it may be of any
  Fill();
  All.moduleGone(&Handles[3]);
  EXPECT_TRUE(All.of(One));
  Fill();
  All.contextGone(Owner.Context);
  EXPECT_FALSE(All.of(One));
  EXPECT_TRUE(All.of(Two));
  All.allGone();
  EXPECT_FALSE(All.of(Two));
}

TEST(FunctionShapes, AreBounded) {
  FunctionShapes All;
  const std::vector<char> Many(FunctionShapes::MostFunctions + 1);
  for (const char &Each : Many)
    All.setBlock(&Each, Owner, {64, 1, 1});
  EXPECT_TRUE(All.of(&Many.front()));
  EXPECT_FALSE(All.of(&Many.back()));
}

} // namespace
