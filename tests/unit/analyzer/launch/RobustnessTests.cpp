//===- tests/unit/analyzer/launch/RobustnessTests.cpp - Tests -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>

namespace cudalint::test::RobustnessTests {

using Shapes = std::vector<std::string>;

TEST(Robustness, Nothing) {
  LaunchFacts Facts = extract("");
  EXPECT_TRUE(Facts.Kernels.empty());
  EXPECT_TRUE(Facts.Launches.empty());
}

TEST(Robustness, ErrorsAroundALaunch) {
  LaunchFacts Facts = extract(R"(
    __global__ void k(int) {}
    int main() {
      undeclared(3);
      int t = 64;
      Missing object;
      k<<<1, t>>>(0);
      int u = undeclared + 1;
      k<<<2, u>>>(0);
    })",
                              /*MayFail=*/true);
  EXPECT_THAT(shapes(Facts), testing::Contains("1,1,1|64,1,1"));
  for (const std::string &Each : shapes(Facts))
    EXPECT_THAT(Each, testing::AnyOf("1,1,1|64,1,1", "2,1,1|?,1,1"));
}

TEST(Robustness, ErrorsInAKernel) {
  LaunchFacts Facts = extract(R"(
    __global__ void bad(int *p) { p[threadIdx.y] = missing; }
    __global__ void good(int *p) {}
    int main() { good<<<1, 32>>>(nullptr); })",
                              /*MayFail=*/true);
  EXPECT_EQ(blocks(Facts), Shapes{"32,1,1"});
  EXPECT_EQ(Facts.Kernels.back().Signature, "good(int *)");
}

// Clang instantiates it as if it were 0.
TEST(Robustness, AnErrorInATemplateIsNoNumber) {
  LaunchFacts Facts = extract(R"(
    __global__ void k(int) {}
    template <typename T> void run(T n) {
      constexpr int Width = MISSING;
      dim3 block(Width * 2, 2);
      k<<<n, block>>>(Width);
    }
    int main() { run(3); })",
                              /*MayFail=*/true);
  EXPECT_EQ(shapes(Facts), Shapes{"3,1,1|?,2,1"});
}

// Its initialiser has no type.
TEST(Robustness, WhatIsDeclaredTwice) {
  LaunchFacts Facts = extract(R"(
    __global__ void k(int *p) {
      int ALIGN(16);
      int ALIGN(16);
      p[threadIdx.x] = 0;
    }
    int main() { int n(3), n(4, 5); k<<<n, 32>>>(nullptr); })",
                              /*MayFail=*/true);
  EXPECT_EQ(blocks(Facts), Shapes{"32,1,1"});
}

TEST(Robustness, TooManyArguments) {
  extract("__global__ void k(int) {}\nint main() { k<<<1, 2, 3, 4, 5>>>(1); }",
          /*MayFail=*/true);
}

TEST(Robustness, DeepNesting) {
  std::string Code =
      "__global__ void k(int) {}\nint main(int argc, char **) {\n"
      "k<<<1, 32>>>(0);\n";
  for (int I = 0; I < 1500; ++I)
    Code += "if (argc == " + std::to_string(I) + ") argc = 2; else ";
  Code += "argc = 3;\n}\nvoid other() { k<<<2, 64>>>(0); }\n";
  // The deep function is not read, but its launch is not lost.
  LaunchFacts Facts = extract(Code);
  EXPECT_EQ(shapes(Facts), (Shapes{"?,?,?|?,?,?", "2,1,1|64,1,1"}));
  EXPECT_EQ(Facts.Launches.at(0).KernelAsWritten, "k");
}

TEST(Robustness, LongExpression) {
  std::string Sum = "0";
  for (int I = 0; I < 3000; ++I)
    Sum += " + 1";
  // 3000 levels of nesting: told or unknown, but not wrong.
  EXPECT_THAT(shapesInMain("a<<<1, " + Sum + ">>>(0);"),
              testing::Each(testing::AnyOf("1,1,1|3000,1,1", "?,?,?|?,?,?")));
}

TEST(Robustness, SwitchOfTenThousandCases) {
  std::string Code =
      "__global__ void k(int) {}\nvoid run(int n) {\nint t = 0;\n"
      "switch (n) {\n";
  for (int I = 0; I < 10000; ++I)
    Code += "case " + std::to_string(I) + ": t = " + std::to_string(I % 1024) +
            "; break;\n";
  Code += "}\nk<<<1, t>>>(0);\n}\n";
  EXPECT_EQ(blocks(extract(Code)), Shapes{"?,1,1"});
}

TEST(Robustness, ManyNestedLoopsEnd) {
  std::string Body = "int n = 0;\n";
  for (char Name = 'c'; Name < 'k'; ++Name)
    Body += std::string("for (int ") + Name + " = 1; " + Name + " < 60; " +
            Name + "++) ";
  Body += "{ n++; a<<<1, n>>>(0); }";
  EXPECT_EQ(blocksInMain(Body), Shapes{"?,1,1"});
}

// Each is run at least twice: 2^40 times the innermost, if nothing ended that.
TEST(Robustness, FortyNestedLoopsEnd) {
  std::string Loops;
  for (int I = 0; I < 40; ++I) {
    const std::string Name = "i" + std::to_string(I);
    Loops += "for (int " + Name + " = 0; " + Name + " < 3; ++" + Name + ") ";
  }
  EXPECT_THAT(blocksInMain(Loops + "a<<<1, 32>>>(1);"),
              testing::AnyOf(Shapes{"32,1,1"}, Shapes{"?,1,1"}));
  EXPECT_EQ(blocksInMain("int x = 0;\n" + Loops +
                         "{ ++x; a<<<1, 32 + x % 7>>>(1); }"),
            Shapes{"?,1,1"});
}

// However much was run before.
TEST(Robustness, ALoopAfterTheStepsForgetsWhatItChangesAlone) {
  std::string Loops;
  for (int I = 0; I < 16; ++I) {
    const std::string Name = "i" + std::to_string(I);
    Loops += "for (int " + Name + " = 0; " + Name + " < n; ++" + Name + ") ";
  }
  EXPECT_EQ(blocksInMain("int n = argc, x = 0;\n" + Loops +
                         "++x;\n"
                         "int d = 64;\n"
                         "for (int j = 0; j < n; ++j) ++x;\n"
                         "a<<<1, d>>>(0);"),
            Shapes{"64,1,1"});
}

TEST(Robustness, ManyCallsEnd) {
  // Each level calls the next twice: 2^40 calls, if all were followed.
  std::string Code = "__global__ void k(int) {}\n"
                     "void f0(int t) { k<<<1, t>>>(0); }\n";
  for (int I = 1; I <= 40; ++I)
    Code += "void f" + std::to_string(I) + "(int t) { f" +
            std::to_string(I - 1) + "(t); f" + std::to_string(I - 1) +
            "(t + 0); }\n";
  Code += "int main() { f40(32); }\n";
  for (const std::string &Each : blocks(extract(Code)))
    EXPECT_THAT(Each, testing::AnyOf("32,1,1", "?,1,1"));
}

TEST(Robustness, InitialisedWithItself) {
  EXPECT_EQ(blocksInMain("int t = t + 1; a<<<1, t>>>(0);"), Shapes{"?,1,1"});
}

} // namespace cudalint::test::RobustnessTests
