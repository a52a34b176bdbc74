//===- tests/unit/analyzer/launch/LostCodeTests.cpp - Tests ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace LostCodeTests {

using namespace cudalint;
using namespace cudalint::test;
using testing::ElementsAre;

static std::vector<std::string> shapesOf(const std::string &Rest) {
  return shapes(extract("__global__ void k(float *p) {}\n" + Rest,
                        /*MayFail=*/true));
}

/// The launches of a function with that body.
static std::vector<std::string> shapesIn(const std::string &Body) {
  return shapesOf("struct Size { int x = 0; void set(int); };\n"
                  "void run(float *p) {\n" +
                  Body + "\n}\n");
}

TEST(LostCode, WhatAStatementWithAnErrorSets) {
  EXPECT_THAT(shapesIn("int n = 0; n = MISSING; k<<<n, 64>>>(p);"),
              ElementsAre("?,1,1|64,1,1"));
  EXPECT_THAT(shapesIn("int n = 0; n += missing(3); k<<<n, 64>>>(p);"),
              ElementsAre("?,1,1|64,1,1"));
  EXPECT_THAT(shapesIn("int n = 0; if (MISSING > 2) n = 5; k<<<n, 64>>>(p);"),
              ElementsAre("?,1,1|64,1,1"));
  EXPECT_THAT(shapesIn("int n = 0;\n"
                       "if (MISSING) { n = 5; } else { n = 7; }\n"
                       "k<<<n, 64>>>(p);"),
              ElementsAre("?,1,1|64,1,1"));
  EXPECT_THAT(shapesIn("int n = 0; for (int i = 0; i < MISSING; ++i) n++;\n"
                       "k<<<n, 64>>>(p);"),
              ElementsAre("?,1,1|64,1,1"));
  EXPECT_THAT(shapesIn("int n = 0; missing(&n); k<<<n, 64>>>(p);"),
              ElementsAre("?,1,1|64,1,1"));
  EXPECT_THAT(shapesIn("Size s; s.x = MISSING; k<<<s.x, 64>>>(p);"),
              ElementsAre("?,1,1|64,1,1"));
}

TEST(LostCode, AnEnumerator) {
  EXPECT_THAT(shapesOf("enum { Rows = 8, Columns = MISSING_MACRO };\n"
                       "void run(float *p) { k<<<Rows, Columns>>>(p); }\n"),
              ElementsAre("8,1,1|?,1,1"));
}

TEST(LostCode, WhatIsLostInTheFunctionThatIsCalled) {
  EXPECT_THAT(shapesOf("void get(int &n) { n = MISSING; }\n"
                       "void run(float *p) { int n = 4; get(n);\n"
                       "  k<<<n, 64>>>(p); }\n"),
              ElementsAre("?,1,1|64,1,1"));
  EXPECT_THAT(shapesOf("int get(int c) { if (c) return MISSING; return 4; }\n"
                       "void run(float *p, int c) {\n"
                       "  k<<<get(c), 64>>>(p); }\n"),
              ElementsAre("?,1,1|64,1,1"));
  EXPECT_THAT(shapesIn("int n = 4; [](int &v) { v = MISSING; }(n);\n"
                       "k<<<n, 64>>>(p);"),
              ElementsAre("?,1,1|64,1,1"));
}

TEST(LostCode, WhatPointersLeadTo) {
  EXPECT_THAT(shapesIn("int n = 4; int *q = &n; *q = MISSING;\n"
                       "k<<<n, 64>>>(p);"),
              ElementsAre("?,1,1|64,1,1"));
}

TEST(LostCode, ListsOfValuesAreNoBlocks) {
  EXPECT_THAT(shapesIn("dim3 g(4); g = dim3{MISSING, 1, 1};\n"
                       "k<<<g, 64>>>(p);"),
              ElementsAre("?,?,?|64,1,1"));
  EXPECT_THAT(shapesIn("dim3 g(4), h(2); g = {MISSING, 1, 1};\n"
                       "k<<<h, 64>>>(p);"),
              ElementsAre("2,1,1|64,1,1"));
}

TEST(LostCode, LabelsAndMacros) {
  EXPECT_THAT(shapesOf("void run(float *p, int c) { int n = 4;\n"
                       "  switch (c) { case MISSING: n = 2; break; }\n"
                       "  k<<<n, 64>>>(p); }\n"),
              ElementsAre("?,1,1|64,1,1"));
  EXPECT_THAT(shapesOf("#define SET n = MISSING\n"
                       "void run(float *p) { int n = 4; SET;\n"
                       "  k<<<n, 64>>>(p); }\n"),
              ElementsAre("?,1,1|64,1,1"));
}

// What is lost in device code sets nothing of the host's.
TEST(LostCode, CodeOfTheDevice) {
  EXPECT_THAT(shapesOf("__global__ void b(int *n) { n[threadIdx.x] = MISSING; "
                       "}\n"
                       "int n = 4;\n"
                       "void run(float *p) { dim3 g(n); g.x *= 2;\n"
                       "  k<<<g, 64>>>(p); }\n"),
              ElementsAre("8,1,1|64,1,1"));
}

// A loop's `;` ends no statement, and what is before and behind it is there.
TEST(LostCode, WhatOthersSetIsKnown) {
  EXPECT_THAT(shapesIn("int n = 2, m = 3; m = MISSING; k<<<n, 64>>>(p);"),
              ElementsAre("2,1,1|64,1,1"));
  EXPECT_THAT(shapesIn("const int n = 2; int m = n * MISSING;\n"
                       "k<<<n, 64>>>(p);"),
              ElementsAre("2,1,1|64,1,1"));
  // A variable of that name in another function is another one.
  EXPECT_THAT(shapesOf("void other() { int n = 0; n = MISSING; }\n"
                       "void run(float *p) { int n = 2; k<<<n, 64>>>(p); }\n"),
              ElementsAre("2,1,1|64,1,1"));
  // The preprocessor has said all that there is to its lines.
  EXPECT_THAT(shapesOf("#error no such machine\n"
                       "int n = 2;\n"
                       "void run(float *p) { k<<<n, 64>>>(p); }\n"),
              ElementsAre("2,1,1|64,1,1"));
}

TEST(LostCode, GlobalsThatNothingInitialises) {
  EXPECT_THAT(shapesOf("int n, m;\n"
                       "void set() { m = MISSING; n = m; }\n"
                       "int main() { float *p = nullptr; set();\n"
                       "  k<<<n, 64>>>(p); }\n"),
              ElementsAre("?,1,1|64,1,1"));
  // A function that is called in what is lost.
  EXPECT_THAT(shapesOf("int n = 0;\n"
                       "int set(int v) { return n = v; }\n"
                       "int main() { float *p = nullptr; set(MISSING);\n"
                       "  k<<<n, 64>>>(p); }\n"),
              ElementsAre("?,1,1|64,1,1"));
}

} // namespace LostCodeTests
