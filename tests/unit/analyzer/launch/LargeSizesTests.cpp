//===- tests/unit/analyzer/launch/LargeSizesTests.cpp - Tests -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace LargeSizesTests {

using namespace cudalint;
using namespace cudalint::test;
using Shapes = std::vector<std::string>;

/// Of the launch of `a` by a function that is told `n`, `m` and `argc`.
static Launch launchIn(const std::string &Body) {
  const LaunchFacts Facts =
      extract("#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
              "void fail() { exit(1); }\n"
              "#define REQUIRE(x) if (!(x)) fail()\n"
              "__global__ void a(int) {}\n"
              "struct Tensor { int size; };\n"
              "void run(int n, int m, long k, const Tensor *tensor) {\n" +
              Body + "\n}\n");
  EXPECT_EQ(Facts.Launches.size(), 1u);
  return Facts.Launches.at(0);
}

static std::string blockIfLarge(const std::string &Body) {
  const Launch L = launchIn(Body);
  if (!L.IfLarge)
    return "none";
  std::string Text;
  for (const auto &Each : L.IfLarge->Block)
    Text += std::to_string(*Each) + " ";
  return Text + L.LargeName;
}

TEST(LargeSizes, SizesThatGoTogether) {
  const auto isPaired = [](const char *Block, PairedSizes As) {
    const Launch L = launchIn(std::string("a<<<1, dim3(") + Block + ")>>>(0);");
    return L.Paired == std::optional(As);
  };
  EXPECT_TRUE(isPaired("512 / n, n", {512, 0, 1}));
  EXPECT_TRUE(isPaired("2, m, 256 / m", {256, 2, 1}));
  for (const char *Block :
       {"512 / n, m", "n / m, m", "2048 / n, n", "8, 512 / n, n", "n, n"})
    EXPECT_FALSE(
        launchIn(std::string("a<<<1, dim3(") + Block + ")>>>(0);").Paired)
        << Block;
}

TEST(LargeSizes, BoundBlocks) {
  EXPECT_EQ(blockIfLarge("a<<<1, MIN(n, 128)>>>(0);"), "128 1 1 'n'");
  EXPECT_EQ(blockIfLarge("a<<<1, MIN(128, n / 2 + 1)>>>(0);"), "128 1 1 'n'");
  EXPECT_EQ(blockIfLarge("a<<<1, std::min(n, 128)>>>(0);"), "128 1 1 'n'");
  EXPECT_EQ(blockIfLarge("a<<<1, n >= 128 ? 128 : n>>>(0);"), "128 1 1 'n'");
  EXPECT_EQ(blockIfLarge("int t = n; if (t > 256) t = 256; a<<<1, t>>>(0);"),
            "256 1 1 'n'");
  EXPECT_EQ(blockIfLarge("a<<<1, dim3(32, MIN(n * m, 8))>>>(0);"),
            "32 8 1 'n' and 'm'");
}

// Where a pointer is null, there is nothing to do.
TEST(LargeSizes, AreThoseOfWhatThereIs) {
  EXPECT_EQ(blockIfLarge("const int size = tensor ? tensor->size : 0;\n"
                         "a<<<1, std::min<unsigned>(size, 128)>>>(0);"),
            "128 1 1 'tensor->size'");
  EXPECT_EQ(blockIfLarge("const int size = tensor == nullptr ? 0 : n;\n"
                         "a<<<1, MIN(size, 128)>>>(0);"),
            "128 1 1 'n'");
  EXPECT_EQ(blockIfLarge("a<<<1, MIN(k == 0 ? n : 7, 128)>>>(0);"), "none");
}

// What is left for the other dimensions is theirs.
TEST(LargeSizes, ShareTheirBound) {
  EXPECT_EQ(blockIfLarge("long half = std::max(k / 2, 1l); dim3 b;\n"
                         "b.x = std::min<unsigned>(half, 128);\n"
                         "b.y = std::min<unsigned>(n, 128 / b.x);\n"
                         "a<<<1, b>>>(0);"),
            "128 1 1 'k'");
  EXPECT_EQ(blockIfLarge("dim3 b; b.x = n < 32 ? n : 32;\n"
                         "b.y = std::min<unsigned>(m, 128 / b.x);\n"
                         "b.z = std::min<unsigned>(m, 128 / b.x / b.y);\n"
                         "a<<<1, b>>>(0);"),
            "32 4 1 'm' and 'n'");
  // A bound of a bound of what bounds have left.
  EXPECT_EQ(blockIfLarge("long half = std::max(k / 2, 1l); dim3 b;\n"
                         "b.x = std::min<unsigned>(half, 128);\n"
                         "b.y = std::min<unsigned>(n, 128 / b.x);\n"
                         "b.z = std::min(std::min<unsigned>(n * m,\n"
                         "    128 / b.x / b.y), 64u);\n"
                         "a<<<1, b>>>(0);"),
            "128 1 1 'k'");
}

TEST(LargeSizes, SayNothingOfOthers) {
  EXPECT_EQ(blockIfLarge("a<<<1, n>>>(0);"), "none");
  EXPECT_EQ(blockIfLarge("a<<<1, 1024 / n>>>(0);"), "none");
  EXPECT_EQ(blockIfLarge("a<<<1, MIN(n, m)>>>(0);"), "none");
  EXPECT_EQ(blockIfLarge("a<<<1, MIN(n, 4096)>>>(0);"), "none");
  // A remainder is not large.
  EXPECT_EQ(blockIfLarge("a<<<1, MIN(n % 100, 64)>>>(0);"), "none");
  // What has a default is that.
  EXPECT_EQ(blockIfLarge("int t = 64; sscanf(\"\", \"%d\", &t);\n"
                         "a<<<1, MIN(t, 128)>>>(0);"),
            "none");
  // What is known is no assumption.
  EXPECT_EQ(blockIfLarge("a<<<n, 64>>>(0);"), "none");
}

TEST(LargeSizes, AssertionsLeaveOne) {
  const std::string Body =
      "REQUIRE(n / m == 64 || n / m == 128);\n"
      "if (n / m == 64) { fail(); } else a<<<1, n / m>>>(0);";
  EXPECT_EQ(launchIn(Body).Block[0], 128);
  EXPECT_EQ(launchIn("REQUIRE(n == 64 || n == 96 || n == 128);\n"
                     "if (n == 64 || n == 128) return; a<<<1, n>>>(0);")
                .Block[0],
            96);
  EXPECT_EQ(launchIn("REQUIRE(n == 64 || n == 128 || m == 7);\n"
                     "if (n == 64) return; a<<<1, n>>>(0);")
                .Block[0],
            std::nullopt);
}

TEST(LaunchValue, UsualGridIsMost) {
  for (const auto &[Grid, IsMost] :
       {std::pair("MIN(n, 26)", true), std::pair("(int)MIN(k, 26L)", true),
        std::pair("std::max(MIN(n, 26), 1)", true),
        std::pair("dim3(MIN(n, 26), MIN(13, MIN(m, n)))", true),
        std::pair("MIN(n, 26) + 1", false)}) {
    const Launch L = launchIn("a<<<" + std::string(Grid) + ", 256>>>(0);");
    EXPECT_TRUE(L.UsualGrid) << Grid;
    EXPECT_EQ(L.UsualGridIsMost, IsMost) << Grid;
  }
}

TEST(LaunchValue, GridsRoundedToNone) {
  const auto isRounded = [](const std::string &Body) {
    const Launch L = launchIn(Body);
    EXPECT_EQ(L.Grid[0] == 0 || L.Grid[1] == 0, true) << Body;
    return L.IsRoundedToNone;
  };
  EXPECT_TRUE(isRounded("int s = 9; a<<<s / 16, 16>>>(0);"));
  EXPECT_TRUE(isRounded("int s = 9, t = 16; const int b = (s - 1 + 1) / t;\n"
                        "a<<<b, t>>>(0);"));
  EXPECT_TRUE(isRounded("int s = 9; dim3 g(2, s / 16); a<<<g, 16>>>(0);"));
  EXPECT_TRUE(isRounded("int s = 9; a<<<dim3(2, s / 16), 16>>>(0);"));
  // There is nothing left to round up.
  EXPECT_TRUE(isRounded("int s = 9; a<<<ceil(s / 16), 16>>>(0);"));
  EXPECT_TRUE(isRounded("int s = 9; dim3 g(2, (int)ceilf(s / 16));\n"
                        "a<<<g, 16>>>(0);"));
  // To round up gives no more, or it is done already.
  EXPECT_FALSE(isRounded("int s = 0; a<<<(s + 15) / 16, 16>>>(0);"));
  EXPECT_FALSE(isRounded("int s = 0, t = 16; a<<<(s + t - 1) / t, t>>>(0);"));
  EXPECT_FALSE(isRounded("int s = 0; a<<<s, 16>>>(0);"));
  EXPECT_FALSE(isRounded("a<<<0 / 16, 16>>>(0);"));
  // What is assigned later decides.
  EXPECT_FALSE(isRounded("int s = 9, b = s / 16; b = 0; a<<<b, 16>>>(0);"));
  EXPECT_FALSE(isRounded("int s = 9; dim3 g(s / 3); g.x = 0;\n"
                         "a<<<g, 16>>>(0);"));
}

// With three outputs there would be no block: so nobody passes three.
TEST(LaunchValue, GridsThatAConditionLeavesNoBlock) {
  const auto gridOf = [](const std::string &Body) {
    return extractMain("int n = argc; " + Body).Launches.at(0).Grid[0];
  };
  EXPECT_EQ(gridOf("if (n == 3) a<<<n / 64, 256>>>(n);"), std::nullopt);
  EXPECT_EQ(gridOf("if (n == 300) a<<<n / 64, 256>>>(n);"), 4);
  EXPECT_EQ(gridOf("if (n == 3) a<<<0, 256>>>(n);"), 0);
}

// The grid that a default gives, beside a block that is known.
TEST(LaunchValue, UsualGrid) {
  const LaunchFacts Facts =
      extractMain("int n = 1000; if (argc > 1) n = atoi(argv[1]);\n"
                  "a<<<(n + 255) / 256, 256>>>(n);\n"
                  "a<<<argc, 256>>>(0);\n"
                  "const int t = n < 256 ? n : 256;\n"
                  "b<<<(n + t - 1) / t, t>>>(n);");
  ASSERT_EQ(Facts.Launches.size(), 3u);
  EXPECT_EQ(Facts.Launches[0].Grid[0], std::nullopt);
  EXPECT_EQ(Facts.Launches[0].UsualGrid, (Extent{4, 1, 1}));
  EXPECT_EQ(Facts.Launches[1].UsualGrid, std::nullopt);
  EXPECT_FALSE(Facts.Launches[0].UsualGridIsMost);
  ASSERT_TRUE(Facts.Launches[2].Usual);
  EXPECT_EQ(Facts.Launches[2].UsualGrid, (Extent{4, 1, 1}));
}

} // namespace LargeSizesTests
