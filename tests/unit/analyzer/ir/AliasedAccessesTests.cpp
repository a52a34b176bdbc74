//===- tests/unit/analyzer/ir/AliasedAccessesTests.cpp - Tests ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

namespace AliasedAccessesTests {

using namespace cudalint;

/// Of the load or store on the line with `here`: the parameter that it may be
/// made again for, and for how many loops. \p Restrict stands before the names.
static std::optional<MayAlias> aliasedIn(const std::string &Body, AccessOp Op,
                                         const std::string &Restrict = "") {
  Setting S;
  S.Expected = true;
  const Evaluated E = evaluate(
      "__device__ float table[64];\n"
      "__device__ void other(float *);\n"
      "__global__ void k(float *" +
          Restrict + " a, float *" + Restrict + " b, const float *" + Restrict +
          " c, int n) {\n"
          "  __shared__ float s[64];\n"
          "  int t = blockIdx.x * 256 + threadIdx.x;\n" +
          Body + "\n}\n",
      S);
  return E.only(MemorySpace::Global, Op, "here").Aliased;
}

static std::optional<MayAlias> load(const std::string &Body,
                                    const std::string &Restrict = "") {
  return aliasedIn(Body, AccessOp::Load, Restrict);
}

static std::optional<MayAlias> store(const std::string &Body,
                                     const std::string &Restrict = "") {
  return aliasedIn(Body, AccessOp::Store, Restrict);
}

static const char InTurns[] = "for (int j = 0; j < n; ++j) {\n"
                              "  float v = c[t]; // here\n"
                              "  a[j * 256 + t] = v * j; }";

TEST(AliasedAccesses, AStoreInALoopMakesLoadsHappenAgain) {
  EXPECT_EQ(load(InTurns), (MayAlias{.Parameter = 0, .Loops = 1}));
  EXPECT_EQ(load("for (int j = 0; j < n; ++j)\n"
                 "for (int i = 0; i < 4; ++i) {\n"
                 "  float v = c[t]; // here\n"
                 "  b[(j + i) * 256 + t] = v * j; }"),
            (MayAlias{.Parameter = 1, .Loops = 2}));
  // The inner loop may make no turn.
  EXPECT_EQ(load("for (int j = 0; j < n; ++j)\n"
                 "for (int i = 0; i < n; ++i) {\n"
                 "  float v = c[t]; // here\n"
                 "  b[(j + i) * 256 + t] = v * j; }"),
            (MayAlias{.Parameter = 1, .Loops = 1}));
  // In the inner loop alone.
  EXPECT_EQ(load("for (int j = 0; j < n; ++j)\n"
                 "for (int i = 0; i < n; ++i) {\n"
                 "  float v = c[j]; // here\n"
                 "  b[(j + i) * 256 + t] = v * j; }"),
            (MayAlias{.Parameter = 1, .Loops = 1}));
  EXPECT_EQ(load("for (int j = 0; j < n; ++j) {\n"
                 "  s[threadIdx.x & 63] = j;\n"
                 "  float v = c[t]; // here\n"
                 "  a[j * 256 + t] = v * s[j & 63]; }"),
            (MayAlias{.Parameter = 0, .Loops = 1}))
      << "shared memory is elsewhere";
}

TEST(AliasedAccesses, LoadsInALoopMakeAStoreHappenAgain) {
  EXPECT_EQ(store("for (int j = 0; j < n; ++j)\n"
                  "  a[t] += b[j * 256 + t] * c[j]; // here"),
            (MayAlias{.Parameter = 1, .Loops = 1}));
  EXPECT_EQ(store("for (int j = 0; j < n; ++j)\n"
                  "  a[t] += j; // here"),
            std::nullopt)
      << "nothing else is accessed";
}

TEST(AliasedAccesses, AStoreInBetweenMakesALoadHappenAgain) {
  EXPECT_EQ(load("a[t] = c[t] + 1;\n"
                 "b[t] = c[t] + 2; // here"),
            (MayAlias{.Parameter = 0, .Loops = 0}));
  EXPECT_EQ(load("a[t] = c[t] + 1;\n"
                 "b[t] = c[t + 1]; // here"),
            std::nullopt)
      << "another address";
  EXPECT_EQ(load("b[t] = c[t] + 2; // here\n"
                 "a[t] = 1;"),
            std::nullopt);
}

TEST(AliasedAccesses, WhatIsRestrictedIsNot) {
  EXPECT_EQ(load(InTurns, "__restrict__"), std::nullopt);
  EXPECT_EQ(store("for (int j = 0; j < n; ++j)\n"
                  "  a[t] += b[j * 256 + t] * c[j]; // here",
                  "__restrict__"),
            std::nullopt);
}

// Where each turn does the same, the loop is there to take time.
TEST(AliasedAccesses, LoopsThatRepeatThemselvesAreMeantTo) {
  const std::string Turns = "for (int j = 0; j < 1000; ++j)\n";
  EXPECT_FALSE(load(Turns + "  a[t] = b[t] // here\n + c[t];"));
  EXPECT_FALSE(store(Turns + "  a[t] = b[t] // here\n + c[t];"));
  EXPECT_FALSE(store("for (int j = n; j > 0; j -= 2)\n"
                     "  a[t] = b[t] + c[t]; // here"));
  // There the turns add up, or differ.
  EXPECT_TRUE(load(Turns + "  a[t] +=\n c[t]; // here"));
  EXPECT_TRUE(store(Turns + "  a[t] = b[t] + j * c[t]; // here"));
  EXPECT_TRUE(load("for (int i = 0; i < n; ++i)\n" + Turns +
                   "  a[i * 256 + t] = c[j * 256 + t]\n + b[t]; // here"));
}

TEST(AliasedAccesses, OtherReasonsAreNot) {
  // Its own pointer may write there, in another turn.
  EXPECT_EQ(load("for (int j = 0; j < n; ++j) {\n"
                 "  float v = a[t]; // here\n"
                 "  a[j * 256 + t + 1] = v;\n"
                 "  b[j * 256 + t] = v; }"),
            std::nullopt);
  EXPECT_EQ(load("for (int j = 0; j < n; ++j) {\n"
                 "  float v = c[t]; // here\n"
                 "  __syncthreads();\n"
                 "  a[j * 256 + t] = v * j; }"),
            std::nullopt);
  EXPECT_EQ(load("for (int j = 0; j < n; ++j) {\n"
                 "  float v = c[t]; // here\n"
                 "  table[j & 63] = v;\n"
                 "  a[j * 256 + t] = v * j; }"),
            std::nullopt)
      << "a variable of the program, whose address anyone may have";
  EXPECT_EQ(load("for (int j = 0; j < n; ++j) {\n"
                 "  float v = c[t]; // here\n"
                 "  atomicAdd(a + t, v); }"),
            std::nullopt);
  // Not in each turn: nobody loads what is not asked for.
  EXPECT_EQ(load("for (int j = 0; j < n; ++j) {\n"
                 "  float v = 0;\n"
                 "  if (j & 1)\n"
                 "    v = c[t]; // here\n"
                 "  a[j * 256 + t] = v * j; }"),
            std::nullopt);
  EXPECT_EQ(load("const volatile float *v = c;\n"
                 "for (int j = 0; j < n; ++j)\n"
                 "  a[j * 256 + t] = v[t]; // here"),
            std::nullopt);
  EXPECT_EQ(load("for (int j = 0; j < n; ++j)\n"
                 "  a[j * 256 + t] = c[j]; // here"),
            std::nullopt)
      << "another address in each turn";
}

} // namespace AliasedAccessesTests
