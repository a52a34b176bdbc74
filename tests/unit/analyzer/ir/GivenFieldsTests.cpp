//===- tests/unit/analyzer/ir/GivenFieldsTests.cpp - Objects passed -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sizes that a launch passes in a struct. Numbers are counted by hand: lanes
/// that are n elements of 4 bytes apart touch min(32, 4 n) sectors of 32 bytes.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace GivenFieldsTests {

using namespace cudalint;

/// `n` is at 16, `pad` at 20, `wide` at 24, `size` at 32 and `flag` at 44.
static Evaluated kernel(const std::string &Body,
                        std::vector<PassedField> Fields) {
  return evaluate("struct Box { float *p, *q; int n, pad; long long wide;\n"
                  "             int size[3]; bool flag; };\n"
                  "__global__ void k(float *o, Box box) {\n"
                  "  int t = threadIdx.x;\n" +
                      Body + "\n}\n",
                  {.Fields = std::move(Fields)});
}

static bool stores(const Evaluated &E, double Sectors) {
  return costs(E.globalStore(), {Sectors, 4});
}

TEST(GivenFields, AreStrides) {
  const std::string Body = "o[t * box.n] = 1;";
  EXPECT_TRUE(stores(kernel(Body, {{1, 16, 32, 2}}), 8));
  EXPECT_TRUE(stores(kernel(Body, {{1, 16, 32, 1}}), 4));
  EXPECT_TRUE(stores(kernel("o[t * box.wide] = 1;", {{1, 24, 64, 3}}), 12));
  EXPECT_TRUE(stores(kernel("o[t * box.size[1]] = 1;", {{1, 36, 32, 4}}), 16));
  EXPECT_TRUE(
      stores(kernel("o[box.flag ? t : 8 * t] = 1;", {{1, 44, 8, 1}}), 4));
  EXPECT_TRUE(
      stores(kernel("o[box.flag ? t : 8 * t] = 1;", {{1, 44, 8, 0}}), 32));
  // Backwards.
  EXPECT_TRUE(stores(kernel("o[t * box.n + 62] = 1;", {{1, 16, 32, -2}}), 8));
}

TEST(GivenFields, OfAnotherPlaceOrSizeAreNotTaken) {
  const std::string Body = "o[t * box.n] = 1;";
  for (const PassedField &Other : std::vector<PassedField>{
           {1, 20, 32, 2}, {0, 16, 32, 2}, {1, 16, 64, 2}, {7, 16, 32, 2}})
    EXPECT_FALSE(stores(kernel(Body, {Other}), 8)) << Other.Offset;
}

TEST(GivenFields, ThroughFunctionsAndCopies) {
  const std::string Before =
      "struct Box { int n; };\n"
      "struct Outer { int before; Box box;\n"
      "               __device__ int step() const { return box.n; } };\n"
      "__device__ int of(Box box) { return box.n; }\n"
      "__global__ void k(float *o, Outer out) {\n  int t = threadIdx.x;\n";
  for (const char *Body : {"o[t * out.step()] = 1;", "o[t * of(out.box)] = 1;",
                           "Box b = out.box; o[t * b.n] = 1;",
                           "const Outer &r = out; o[t * r.box.n] = 1;"})
    EXPECT_TRUE(stores(
        evaluate(Before + Body + "\n}\n", {.Fields = {{1, 4, 32, 2}}}), 8))
        << Body;
}

// A kernel may change its copy.
TEST(GivenFields, WhatTheKernelChangesIsNotKnown) {
  const std::vector<PassedField> Two = {{1, 16, 32, 2}};
  EXPECT_FALSE(stores(kernel("box.n *= 2; o[t * box.n] = 1;", Two), 8));
  EXPECT_FALSE(stores(
      kernel("int *n = &box.n; if (o[0] > 0) *n = 7; o[t * box.n] = 1;", Two),
      8));
  // Also where nobody knows which field, and by what lies over it.
  for (const char *Body :
       {"for (int i = 0; i < 4; ++i) box.size[i % 3] *= 4;\n"
        "o[t * box.size[1]] = 1;",
        "box.size[(int)o[0]] = 8; o[t * box.size[1]] = 1;",
        "((char *)&box.size[1])[1] = 8; o[t * box.size[1]] = 1;",
        "__builtin_memcpy(&box.size[1], o, 4); o[t * box.size[1]] = 1;"})
    EXPECT_FALSE(stores(kernel(Body, {{1, 36, 32, 2}}), 8)) << Body;
  // The fields beside it are what they are.
  EXPECT_TRUE(stores(kernel("int *n = &box.n; if (o[0] > 0) *n = 7;\n"
                            "o[t * box.size[1] + box.n * 8] = 1;",
                            {{1, 36, 32, 2}}),
                     8));
  EXPECT_TRUE(stores(
      kernel("Box mine = box; mine.n *= 2; o[t * mine.n] = 1;", Two), 16));
}

TEST(GivenFields, BoundLoops) {
  const Evaluated E = kernel(
      "for (int i = 0; i < box.n; ++i) o[t + i * 256] = 1;", {{1, 16, 32, 5}});
  EXPECT_EQ(E.globalStore().Executions, 5);
}

// 32 words begin at one of eight places in a sector: in one of them they take
// four, in the others five, (4 + 7 * 5) / 8.
TEST(CountedArguments, AreNoRoundSizes) {
  const std::string Source = "__global__ void k(float *o, int n) {\n"
                             "  o[threadIdx.x + n] = 1;\n}\n";
  EXPECT_TRUE(costs(evaluate(Source).globalStore(), {4, 4}));
  EXPECT_TRUE(
      costs(evaluate(Source, {.NotRound = {1}}).globalStore(), {4.875, 4}));
}

} // namespace GivenFieldsTests
