//===- tests/unit/analyzer/tool/LaunchOptionTests.cpp - Sizes -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/LaunchOption.h"

#include <gmock/gmock.h>

namespace LaunchOptionTests {

using namespace cudalint;
using testing::HasSubstr;

static LaunchOption launch(std::string_view Text) {
  std::string Error;
  std::optional<LaunchOption> Option = parseLaunchOption(Text, Error);
  EXPECT_TRUE(Option.has_value()) << Text << ": " << Error;
  return Option.value_or(LaunchOption());
}

static std::string launchError(std::string_view Text) {
  std::string Error;
  EXPECT_FALSE(parseLaunchOption(Text, Error).has_value()) << Text;
  return Error;
}

static std::string blockError(std::string_view Text) {
  std::string Error;
  EXPECT_FALSE(parseBlockOption(Text, Error).has_value()) << Text;
  return Error;
}

TEST(LaunchOption, whatIsLeftOutIsOne) {
  LaunchOption L = launch("reduce=64,256");
  EXPECT_EQ(L.Kernel, "reduce");
  EXPECT_EQ(L.Grid, (Extent{64, 1, 1}));
  EXPECT_EQ(L.Block, (Extent{256, 1, 1}));
  EXPECT_EQ(L.DynamicSharedBytes, std::nullopt);
}

TEST(LaunchOption, threeDimensionsAndSharedMemory) {
  LaunchOption L = launch("k = 8x4x2 , 16x8x4 , 49152");
  EXPECT_EQ(L.Kernel, "k");
  EXPECT_EQ(L.Grid, (Extent{8, 4, 2}));
  EXPECT_EQ(L.Block, (Extent{16, 8, 4}));
  EXPECT_EQ(L.DynamicSharedBytes, 49152);
}

TEST(LaunchOption, aQuestionMarkIsUnknown) {
  LaunchOption L = launch("k=?,?x8,?");
  EXPECT_EQ(L.Grid, Extent());
  EXPECT_EQ(L.Block, (Extent{std::nullopt, 8, 1}));
  EXPECT_EQ(L.DynamicSharedBytes, std::nullopt);
}

TEST(LaunchOption, aSignatureMayHoldCommasAndEquals) {
  EXPECT_EQ(launch("ns::k<4, float>(float *, int)=64,256").Kernel,
            "ns::k<4, float>(float *, int)");
  EXPECT_EQ(launch("k<(a <= b)>=64,256").Kernel, "k<(a <= b)>");
  EXPECT_EQ(launch("*=1,32").Kernel, "*");
}

TEST(LaunchOption, badLaunchesSayWhy) {
  EXPECT_THAT(launchError("k"), HasSubstr("no '='"));
  EXPECT_THAT(launchError("=1,32"), HasSubstr("name of the kernel is empty"));
  EXPECT_THAT(launchError("k=32"), HasSubstr("there is 1 part after '='"));
  EXPECT_THAT(launchError("k=1,2,3,4"), HasSubstr("there are 4 parts"));
  EXPECT_THAT(launchError("k=1,0"), HasSubstr("must be at least 1"));
  EXPECT_THAT(launchError("k=1,-32"), HasSubstr("block dimension x is -32"));
  EXPECT_THAT(launchError("k=1,32x1x1x1"), HasSubstr("4 dimensions"));
  EXPECT_THAT(launchError("k=1,n"), HasSubstr("'n' is not a whole number"));
  EXPECT_THAT(launchError("k=1,32.5"), HasSubstr("not a whole number"));
  EXPECT_THAT(launchError("k=1,"), HasSubstr("'' is not a whole number"));
  EXPECT_THAT(launchError("k=1,32,-1"), HasSubstr("shared memory is -1"));
  EXPECT_THAT(launchError("k=99999999999999999999,32"),
              HasSubstr("out of range"));
}

TEST(LaunchOption, blocks) {
  std::string Error;
  using Block = std::array<std::int64_t, 3>;
  EXPECT_EQ(parseBlockOption("256", Error), (Block{256, 1, 1}));
  EXPECT_EQ(parseBlockOption("32,8", Error), (Block{32, 8, 1}));
  EXPECT_EQ(parseBlockOption("8x8x4", Error), (Block{8, 8, 4}));
  EXPECT_THAT(blockError("0"), HasSubstr("must be at least 1"));
  EXPECT_THAT(blockError("32,"), HasSubstr("block dimension y ''"));
  EXPECT_THAT(blockError("1,2,3,4"), HasSubstr("4 dimensions"));
  EXPECT_THAT(blockError("?"), HasSubstr("not a whole number"));
}

// Limits of compute capability 9.0: 1024 threads, z at most 64, a grid of at
// most 65535 in y, 227 KiB of shared memory.
TEST(LaunchOption, limitsOfTheTarget) {
  Target Gpu = *parseTarget("sm_90");
  auto why = [&](std::string_view Text) {
    ShapeOptions Shapes;
    Shapes.Launches.push_back(launch(Text));
    return whyImpossible(Shapes, Gpu);
  };
  EXPECT_EQ(why("k=2147483647,1024,232448"), "");
  EXPECT_THAT(why("k=1,32x33"), HasSubstr("1056 threads"));
  EXPECT_THAT(why("k=1,1x1x65"), HasSubstr("block dimension z is 65"));
  EXPECT_THAT(why("k=1x65536,32"), HasSubstr("grid dimension y is 65536"));
  EXPECT_THAT(why("k=1,32,232449"), HasSubstr("sm_90 allows 232448"));
  EXPECT_EQ(why("k=?,?"), "");
}

} // namespace LaunchOptionTests
