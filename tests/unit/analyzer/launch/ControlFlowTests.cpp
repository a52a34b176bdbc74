//===- tests/unit/analyzer/launch/ControlFlowTests.cpp - Tests ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>

using testing::ElementsAre;
using testing::UnorderedElementsAre;

namespace cudalint::test::ControlFlowTests {

using Shapes = std::vector<std::string>;

TEST(ControlFlow, LastAssignmentCounts) {
  EXPECT_EQ(blocksInMain("int t = 32; a<<<1, t>>>(0); t = 64; a<<<1, t>>>(0);"),
            (Shapes{"32,1,1", "64,1,1"}));
}

TEST(ControlFlow, BranchOnConstant) {
  EXPECT_EQ(blocksInMain("const bool big = sizeof(int) == 4; int t;\n"
                         "if (big) t = 256; else t = 64; a<<<1, t>>>(0);"),
            Shapes{"256,1,1"});
}

TEST(ControlFlow, BothOutcomesOfACondition) {
  EXPECT_EQ(blocksInMain("int t; if (argc > 1) t = 256; else t = 64;\n"
                         "a<<<1, t>>>(0);"),
            (Shapes{"64,1,1", "256,1,1"}));
  EXPECT_EQ(blocksInMain("a<<<1, argc > 1 ? 128 : 32>>>(0);"),
            (Shapes{"32,1,1", "128,1,1"}));
}

TEST(ControlFlow, OneConditionDecidesBoth) {
  EXPECT_EQ(shapesInMain("dim3 g(1), t(32); if (argc > 1) { g.x = 2; t.x = 64; "
                         "t.y = 2; }\na<<<g, t>>>(0);"),
            (Shapes{"1,1,1|32,1,1", "2,1,1|64,2,1"}));
}

TEST(ControlFlow, TwoConditionsMayExcludeEachOther) {
  EXPECT_EQ(blocksInMain("dim3 t(32); if (argc > 2) t.x = 64;\n"
                         "if (argc < 2) t.y = 2; a<<<1, t>>>(0);"),
            Shapes{"?,?,1"});
}

TEST(ControlFlow, ConditionKnownLaterIsUsed) {
  EXPECT_EQ(blocksInMain("int t = argc == 3 ? 64 : 32;\n"
                         "if (argc == 3) a<<<1, t>>>(0); else b<<<1, t>>>(0);"),
            (Shapes{"64,1,1", "32,1,1"}));
}

TEST(ControlFlow, InsideOfEquality) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void run(int t) {
      dim3 block(t, t);
      if (t == 16) a<<<1, block>>>(0);
      else a<<<1, block>>>(0);
    })")),
            (Shapes{"16,16,1", "?,?,1"}));
}

TEST(ControlFlow, BehindInequality) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void run(int t) {
      if (t != 128) return;
      a<<<1, t>>>(0);
    })")),
            Shapes{"128,1,1"});
}

TEST(ControlFlow, Conjunction) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void run(int x, int y) {
      if (x == 32 && y == 8) a<<<1, dim3(x, y)>>>(0);
      if (x == 32 || y == 8) a<<<2, dim3(x, y)>>>(0);
      if (!(x != 4 || y != 2)) a<<<3, dim3(x, y)>>>(0);
    })")),
            (Shapes{"32,8,1", "?,?,1", "4,2,1"}));
}

TEST(ControlFlow, EqualityOfAReassignedVariable) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void run(int t, int u) {
      if (t == 16) { t = u; a<<<1, t>>>(0); }
    })")),
            Shapes{"?,1,1"});
}

TEST(ControlFlow, SwitchCases) {
  EXPECT_EQ(shapes(extract(R"(
    template <int N> __global__ void r(int) {}
    void run(int threads) {
      dim3 block(threads, 1, 1);
      int smem = threads * 4;
      switch (threads) {
      case 512: r<512><<<1, block, smem>>>(0); break;
      case 256: r<256><<<2, block, smem>>>(0); break;
      default: r<1><<<3, block, smem>>>(0);
      }
    })")),
            (Shapes{"1,1,1|512,1,1", "2,1,1|256,1,1", "3,1,1|?,1,1"}));
}

TEST(ControlFlow, SwitchFallsThrough) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void run(int t) {
      switch (t) {
      case 32:
      case 64: a<<<1, t>>>(0); break;
      case 96: t = 8;
      case 128: a<<<2, t>>>(0);
      }
    })")),
            // Either label leads to each launch, and to nothing else.
            (Shapes{"32,1,1", "64,1,1", "8,1,1", "128,1,1"}));
}

TEST(ControlFlow, SwitchOnConstantTakesOneCase) {
  EXPECT_EQ(blocksInMain("int t; switch (2) { case 1: t = 1; break; case 2: "
                         "t = 2; break; default: t = 3; } a<<<1, t>>>(0);"),
            Shapes{"2,1,1"});
}

TEST(ControlFlow, LoopOverConstants) {
  EXPECT_EQ(blocksInMain("for (int t = 32; t <= 512; t *= 2)\n"
                         "a<<<1, t>>>(0);"),
            (Shapes{"32,1,1", "64,1,1", "128,1,1", "256,1,1", "512,1,1"}));
}

TEST(ControlFlow, LoopOverList) {
  EXPECT_EQ(
      blocksInMain("int sizes[] = {64, 192};\n"
                   "for (int t : sizes) a<<<1, t>>>(0);\n"
                   "for (int t : {32, 96}) b<<<1, t>>>(0);\n"
                   "for (int i = 0; i < 2; i++) a<<<2, sizes[i]>>>(0);"),
      (Shapes{"64,1,1", "192,1,1", "32,1,1", "96,1,1", "64,1,1", "192,1,1"}));
}

TEST(ControlFlow, LoopOfManyTurnsIsUnknown) {
  EXPECT_EQ(blocksInMain("for (int t = 1; t <= 1000; t++) a<<<1, t>>>(0);"),
            Shapes{"?,1,1"});
}

TEST(ControlFlow, LoopOfUnknownLengthIsUnknown) {
  EXPECT_EQ(blocksInMain("for (int t = 32; t <= argc; t *= 2)\n"
                         "a<<<1, t>>>(0);"),
            Shapes{"?,1,1"});
}

TEST(ControlFlow, LoopThatDoesNotTouchTheShape) {
  EXPECT_EQ(blocksInMain("int t = 64; for (int i = 0; i < argc; i++)\n"
                         "a<<<1, t>>>(i);"),
            Shapes{"64,1,1"});
}

TEST(ControlFlow, LoopThatChangesTheShapeBehindTheLaunch) {
  EXPECT_EQ(blocksInMain("int t = 64; for (int i = 0; i < argc; i++) {\n"
                         "a<<<1, t>>>(0); t = 32; }\na<<<2, t>>>(0);"),
            (Shapes{"?,1,1", "?,1,1"}));
}

TEST(ControlFlow, LoopThatChangesTheShapeThroughAPointer) {
  EXPECT_EQ(blocksInMain("int t = 64; int *p = &t;\n"
                         "for (int i = 0; i < argc; i++) {\n"
                         "a<<<1, t>>>(0); *p = 32; }"),
            Shapes{"?,1,1"});
}

TEST(ControlFlow, ComputingLoop) {
  EXPECT_EQ(blocksInMain("int p = 1; while (p < 100) p <<= 1;\n"
                         "a<<<1, p>>>(0);"),
            Shapes{"128,1,1"});
}

TEST(ControlFlow, BreakInLoop) {
  EXPECT_EQ(blocksInMain("int t = 0; for (int i = 0; i < 10; i++) {\n"
                         "if (i == 3) break; t += 32; }\na<<<1, t>>>(0);\n"
                         "for (int i = 0; i < 10; i++) { t = i;\n"
                         "if (argc == i) break; }\na<<<2, t>>>(0);"),
            (Shapes{"96,1,1", "?,1,1"}));
}

TEST(ControlFlow, DoWhileOfAMacro) {
  EXPECT_EQ(blocksInMain("int t = 32;\n"
                         "do { a<<<1, t>>>(0); t = 64; } while (0);\n"
                         "a<<<2, t>>>(0);"),
            (Shapes{"32,1,1", "64,1,1"}));
}

TEST(ControlFlow, NestedLoops) {
  EXPECT_EQ(blocksInMain("for (int i = 0; i < argc; i++)\n"
                         "for (int x = 8; x <= 16; x += 8)\n"
                         "for (int y = 1; y <= 2; y++)\n"
                         "a<<<1, dim3(x, y)>>>(0);"),
            (Shapes{"8,1,1", "8,2,1", "16,1,1", "16,2,1"}));
}

TEST(ControlFlow, EarlyExit) {
  EXPECT_EQ(blocksInMain("int t = 64; if (argc < 2) { t = 0; exit(1); }\n"
                         "a<<<1, t>>>(0); return 0; a<<<2, 32>>>(0);"),
            // The second is never reached: it is told as it stands.
            (Shapes{"64,1,1", "32,1,1"}));
}

TEST(ControlFlow, ForwardGoto) {
  EXPECT_EQ(blocksInMain("int t = 64; cudaError_t e = cudaGetLastError();\n"
                         "if (e != cudaSuccess) goto done;\n"
                         "a<<<1, t>>>(0); e = cudaGetLastError();\n"
                         "done: a<<<2, t>>>(0);"),
            (Shapes{"64,1,1", "64,1,1"}));
}

TEST(ControlFlow, BackwardGoto) {
  EXPECT_EQ(blocksInMain("const int u = 8; int t = 32;\n"
                         "again: a<<<1, dim3(t, u)>>>(0); t = 64;\n"
                         "if (argc--) goto again;"),
            Shapes{"?,8,1"});
}

TEST(ControlFlow, DeadCodeIsToldWhenNothingElseIs) {
  EXPECT_EQ(blocksInMain("if (false) a<<<1, 96>>>(0); a<<<2, 32>>>(0);"),
            (Shapes{"96,1,1", "32,1,1"}));
}

/// For each launch in source order, whether constants rule it out.
static std::vector<bool> neverRun(const std::string &Body) {
  std::vector<bool> Result;
  for (const Launch &L : extractMain(Body).Launches)
    Result.push_back(L.NeverRuns);
  return Result;
}

TEST(ControlFlow, WhatConstantsRuleOutNeverRuns) {
  using Each = std::vector<bool>;
  EXPECT_EQ(neverRun("int i = 1; switch (i) {\n"
                     "case 0: a<<<1, 2000>>>(0); break;\n"
                     "case 1: a<<<2, 64>>>(0);\n" // falls through
                     "case 2: a<<<3, 96>>>(0); break;\n"
                     "default: a<<<4, 32>>>(0); }"),
            (Each{true, false, false, true}));
  EXPECT_EQ(neverRun("int i = 7; switch (i) {\n"
                     "case 0 ... 6: a<<<1, 32>>>(0); break;\n"
                     "default: a<<<2, 32>>>(0); }"),
            (Each{true, false}));
  EXPECT_EQ(neverRun("const bool f = false; if (f) a<<<1, 32>>>(0);\n"
                     "else a<<<2, 32>>>(0);\n"
                     "while (f) a<<<3, 32>>>(0);\n"
                     "for (int i = 4; i < 3; ++i) a<<<4, 32>>>(0);\n"
                     "return 0;\n"
                     "a<<<5, 32>>>(0);"),
            (Each{true, false, true, true, true}));
}

TEST(ControlFlow, WhatMayRunIsNotRuledOut) {
  using Each = std::vector<bool>;
  EXPECT_EQ(neverRun("int i = argc; switch (i) {\n"
                     "case 0: a<<<1, 32>>>(0); break;\n"
                     "default: a<<<2, 32>>>(0); }"),
            (Each{false, false}));
  // What the library does to it is not known.
  EXPECT_EQ(neverRun("int i = 0; cudaGetDevice(&i);\n"
                     "if (i) a<<<1, 32>>>(0);"),
            Each{false});
  EXPECT_EQ(neverRun("int i = 0; goto in; while (false) {\n"
                     "in: a<<<1, 32>>>(0); } "),
            Each{false});
  // Nobody calls it, but somebody might.
  EXPECT_FALSE(extract("__global__ void k() {}\n"
                       "void f(bool b) { if (b) k<<<1, 32>>>(); }\n"
                       "static void g(bool b) { if (b) k<<<1, 32>>>(); }\n"
                       "void h() { f(false); }")
                   .Launches[0]
                   .NeverRuns);
}

TEST(ControlFlow, WhatOneInstantiationRulesOutAnotherRuns) {
  for (const Launch &L :
       extract("__global__ void k() {}\n"
               "template <int N> void f() { if (N > 3) k<<<N, 32>>>(); }\n"
               "void g() { f<1>(); f<8>(); }")
           .Launches)
    EXPECT_EQ(L.NeverRuns, L.Grid[0] == 1);
}

TEST(ControlFlow, KernelPointer) {
  LaunchFacts Facts = extractMain("auto k = &a; k<<<1, 32>>>(0);\n"
                                  "void (*p)(int) = b; p<<<2, 64>>>(0);");
  ASSERT_EQ(Facts.Launches.size(), 2U);
  EXPECT_EQ(Facts.Launches[0].Kernel, "_Z1ai");
  EXPECT_EQ(Facts.Launches[1].Kernel, "_Z1bi");
}

TEST(ControlFlow, KernelPointerChosenInALoop) {
  LaunchFacts Facts = extractMain(R"(
    void (*k)(int);
    for (int i = 0; i < 2; i++) {
      switch (i) { case 0: k = &a; break; case 1: k = &b; break; }
      k<<<1, 32>>>(0);
    })");
  ASSERT_EQ(Facts.Launches.size(), 2U);
  EXPECT_EQ(Facts.Launches[0].KernelAsWritten, "a");
  EXPECT_EQ(Facts.Launches[1].KernelAsWritten, "b");
}

TEST(ControlFlow, KernelPointerOutOfSight) {
  LaunchFacts Facts = extract(R"(
    typedef void (*Kernel)(int);
    void run(Kernel *table, int i) { table[i]<<<1, 32>>>(0); })");
  ASSERT_EQ(Facts.Launches.size(), 1U);
  EXPECT_EQ(Facts.Launches[0].Kernel, "");
  EXPECT_EQ(Facts.Launches[0].KernelAsWritten, "table[i]");
  EXPECT_THAT(Facts.Launches[0].Unknown,
              ElementsAre("the kernel depends on 'table[i]'"));
  EXPECT_EQ(blocks(Facts), Shapes{"32,1,1"});
}

/// `kernel block` of each launch, and `usually` what it has of a Usual.
static std::vector<std::string> kernelsAndBlocks(const LaunchFacts &Facts) {
  std::vector<std::string> Said;
  const std::vector<std::string> Blocks = blocks(Facts);
  for (std::size_t I = 0; I != Facts.Launches.size(); ++I) {
    const Launch &L = Facts.Launches[I];
    Said.push_back(L.Kernel + " " + Blocks[I]);
    if (L.Usual && L.Usual->Block[0])
      Said.back() += " usually " + std::to_string(*L.Usual->Block[0]);
  }
  return Said;
}

// No case may be taken: the last one is none of these kernels.
TEST(ControlFlow, KernelPointerOfCases) {
  EXPECT_THAT(kernelsAndBlocks(extractMain(R"(
    void (*k)(int);
    switch (argc) { case 1: k = &a; break; case 2: k = &b; break; }
    k<<<1, 32>>>(0);)")),
              UnorderedElementsAre("_Z1ai 32,1,1", "_Z1bi 32,1,1", " 32,1,1"));
  EXPECT_THAT(kernelsAndBlocks(extractMain(R"(
    void (*k)(int) = nullptr;
    if (argc == 1) k = a;
    if (argc == 2) k = b;
    k<<<1, 32>>>(0);)")),
              UnorderedElementsAre("_Z1ai 32,1,1", "_Z1bi 32,1,1", " 32,1,1"));
}

// What the block depends on may exclude what the kernel depends on.
TEST(ControlFlow, KernelPointerAndABlockOfInput) {
  EXPECT_THAT(
      kernelsAndBlocks(extractMain(R"(
    int threads = 96;
    if (argc > 1) threads = atoi(argv[1]);
    auto k = argc == 2 ? a : b;
    k<<<1, threads>>>(0);)")),
      UnorderedElementsAre("_Z1ai ?,1,1 usually 96", "_Z1bi ?,1,1 usually 96"));
}

TEST(ControlFlow, ExceptionHandler) {
  EXPECT_EQ(blocksInMain("int t = 32; const int u = 4;\n"
                         "try { t = 64; a<<<1, t>>>(0); t = 96; }\n"
                         "catch (...) { a<<<2, dim3(t, u)>>>(0); }"),
            (Shapes{"64,1,1", "?,4,1"}));
}

} // namespace cudalint::test::ControlFlowTests
