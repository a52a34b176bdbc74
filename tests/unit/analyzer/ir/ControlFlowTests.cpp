//===- tests/unit/analyzer/ir/ControlFlowTests.cpp - Lanes and turns ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Guards, loops, switches and recursion, with blocks of every shape. Expected
/// numbers are counted by hand; the comments say how where it is not plain.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace ControlFlowTests {

using namespace cudalint;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A kernel with that statement, `t` the thread and `s` an array in shared
/// memory.
static Evaluated statement(const std::string &Text, const Setting &S = {}) {
  return evaluate("__global__ void k(float *o, const float *a, const int *p, "
                  "int n) {\n"
                  "  __shared__ float s[2048];\n"
                  "  int t = threadIdx.x;\n" +
                      Text + "\n}\n",
                  S);
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

// 16 lanes times 4 bytes: 2 sectors, by one warp of the block.
TEST(Guards, HalfAWarp) {
  const Access A = statement("if (t < 16) o[t] = 1;").globalStore();
  EXPECT_TRUE(costs(A, {2, 2, {}, 16}));
  EXPECT_EQ(A.Predicted->Warps, 1u);
}

TEST(Guards, OneThread) {
  const Access A = statement("if (t == 0) s[32 * t] = 1;").sharedStore();
  EXPECT_TRUE(costs(A, {1, 1, 1, 1}));
  EXPECT_EQ(A.Predicted->Warps, 1u);
  EXPECT_EQ(A.Trust, Certainty::Exact);
}

// Every other lane: the same 4 sectors for half of the bytes. In shared memory
// 16 lanes two words apart are in 16 banks.
TEST(Guards, EverySecondLane) {
  const Evaluated E = statement("if (t % 2 == 0) { o[t] = 1; s[t] = 2; }");
  EXPECT_TRUE(costs(E.globalStore(), {4, 2, {}, 16}));
  EXPECT_TRUE(costs(E.sharedStore(), {1, 1, 1, 16}));
}

TEST(Guards, BothSidesOfABranch) {
  const Evaluated E =
      statement("if (t & 1) s[t] = 1; // odd\n else s[2 * t] = 2; // even");
  EXPECT_TRUE(costs(E.sharedStore("// odd"), {1, 1, 1, 16}));
  // Words 0, 4, 8 … 120 of 16 lanes: 8 banks, 2 lanes each.
  EXPECT_TRUE(costs(E.sharedStore("// even"), {2, 1, 2, 16}));
}

TEST(Guards, LogicOfConditions) {
  const Evaluated E = statement("if (t >= 8 && t < 24) s[t] = 1; // and\n"
                                "if (t < 4 || (t & 31) > 29) s[t] = 2; // or\n"
                                "if (!(t < 8)) s[t] = 3; // not",
                                {.Block = {32, 1, 1}});
  EXPECT_TRUE(costs(E.sharedStore("// and"), {1, 1, 1, 16}));
  EXPECT_TRUE(costs(E.sharedStore("// or"), {1, 1, 1, 6}));
  EXPECT_TRUE(costs(E.sharedStore("// not"), {1, 1, 1, 24}));
}

TEST(Guards, LanesThatReturnEarlyAreGone) {
  const Access A = statement("if (t >= 8) return;\n o[t] = 1;").globalStore();
  EXPECT_TRUE(costs(A, {1, 1, {}, 8}));
  EXPECT_EQ(A.Predicted->Warps, 1u);
}

// i < n holds for all lanes but at the end of the array: no reason to doubt.
TEST(Guards, TheEndOfTheArray) {
  const Access A =
      statement("int i = blockIdx.x * blockDim.x + t; if (i < n) o[i] = a[i];")
          .globalStore();
  EXPECT_TRUE(costs(A, {4, 4, {}, 32}));
}

TEST(Guards, KnownArgumentDecides) {
  const Access A =
      statement("if (t < n) o[t] = 1;", {.Arguments = {{}, {}, {}, 40}})
          .globalStore();
  // 32 lanes of the first warp and 8 of the second: (4 + 1) / 2 sectors.
  EXPECT_TRUE(costs(A, {2.5, 2.5, {}, 20}));
  EXPECT_EQ(A.Predicted->Warps, 2u);
}

// What data decides is not known: all lanes are taken, and that is said.
TEST(Guards, DataIsAssumed) {
  const Access A = statement("if (p[t] > 0) s[t * 2] = 1;").sharedStore();
  EXPECT_EQ(A.Trust, Certainty::Assumed);
  EXPECT_THAT(A.Assumptions, Contains(HasSubstr("data")));
  EXPECT_TRUE(costs(A, {2, 1, 2, 32}));
}

// One value for all lanes: all of them go, or none.
TEST(Guards, AnUnknownParameterIsNoDoubt) {
  const Access A = statement("if (n > 7) s[t * 2] = 1;").sharedStore();
  EXPECT_EQ(A.Trust, Certainty::Exact) << toString(A);
  EXPECT_TRUE(costs(A, {2, 1, 2, 32}));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

// Warp 1 of 40 threads has 8 lanes: 1 sector. Means of 4 and 1, 32 and 8.
TEST(Blocks, PartialLastWarp) {
  const Access A = statement("o[t] = 1;", {.Block = {40, 1, 1}}).globalStore();
  EXPECT_TRUE(costs(A, {2.5, 2.5, {}, 20}));
  EXPECT_EQ(A.Predicted->Warps, 2u);
}

TEST(Blocks, FewerThanAWarp) {
  EXPECT_TRUE(costs(statement("o[t] = 1;", {.Block = {1, 1, 1}}).globalStore(),
                    {1, 1, {}, 1}));
  EXPECT_TRUE(
      costs(statement("s[t * 32] = 1;", {.Block = {5, 1, 1}}).sharedStore(),
            {5, 1, 5, 5}));
}

// 8 x 4 x 4 threads: a warp is one z. Word 16x + 4y + z: x tells two banks
// apart and y four, so 8 banks with 4 lanes each.
TEST(Blocks, ThreeDimensions) {
  const Evaluated E = evaluate(R"(
__global__ void k(float *o) {
  __shared__ float s[8][4][4];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  s[x][y][z] = 1;
  o[(z * blockDim.y + y) * blockDim.x + x] = s[7 - x][y][z];
}
)",
                               {.Block = {8, 4, 4}});
  EXPECT_TRUE(costs(E.sharedStore(), {4, 1, 4, 32}));
  EXPECT_TRUE(costs(E.sharedLoad(), {4, 1, 4, 32}));
  EXPECT_TRUE(costs(E.globalStore(), {4, 4, {}, 32}));
}

// 24 x 4 threads are three warps; rows of 24 do not end with them. Threads are
// in order of x, then y, so 24y + x are 32 neighbours in every warp.
TEST(Blocks, RowsThatAreNoWarps) {
  const Evaluated E = evaluate(R"(
__global__ void k(float *o) {
  __shared__ float s[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = 1; // rows
  o[y * 24 + x] = s[3][x]; // flat
}
)",
                               {.Block = {24, 4, 1}});
  EXPECT_TRUE(costs(E.globalStore("// flat"), {4, 4, {}, 32}));
  // Warp 0 is row 0 and columns 0 to 7 of row 1, in banks 0 to 7 again: 2 ways.
  // Warp 1: columns 8 to 23 of row 1, 0 to 15 of row 2: banks 8 to 15 twice.
  // Warp 2: columns 16 to 23 of row 2 and all of row 3: banks 16 to 23 twice.
  EXPECT_TRUE(costs(E.sharedStore("// rows"), {2, 1, 2, 32}));
  // The same word for both rows: no conflict.
  EXPECT_TRUE(costs(E.sharedLoad("// flat"), {1, 1, 1, 32}));
}

TEST(Blocks, ALaunchOfOneBlockHasNoUnknownIndex) {
  const Access A =
      evaluate("__device__ float g[4096];\n"
               "__global__ void k() { g[blockIdx.x * 3 + threadIdx.x] = 1; }",
               {.Grid = {1, 1, 1}})
          .globalStore();
  EXPECT_TRUE(costs(A, {4, 4}));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

// Lanes t > k remain in turn k, 31 - k of them, all in bank k.
TEST(Loops, Triangular) {
  const Evaluated E = statement("float x = 0;\n"
                                "for (int k = 0; k < t; ++k)\n"
                                "  x += s[t * 32 + k]; // row\n"
                                "o[t] = x;",
                                {.Block = {32, 1, 1}});
  const Access A = E.sharedLoad("// row");
  // Turns 0 to 30: 31 + 30 + … + 1 = 496.
  EXPECT_TRUE(costs(A, {496.0 / 31, 1, 31, 496.0 / 31}));
  EXPECT_EQ(A.Predicted->Requests, 31);
  EXPECT_EQ(A.LoopDepth, 1u);
  EXPECT_EQ(A.Trust, Certainty::Exact) << toString(A);
}

TEST(Loops, TriangularOverColumns) {
  const Evaluated E = statement("for (int i = t; i < 32; ++i)\n"
                                "  s[i * 32 + t] = 1;",
                                {.Block = {32, 1, 1}});
  // Lane t always in bank t; in turn j the lanes t < 32 - j.
  EXPECT_TRUE(costs(E.sharedStore(), {1, 1, 1, 16.5}));
  EXPECT_EQ(E.sharedStore().Predicted->Requests, 32);
}

TEST(Loops, GridStride) {
  const Evaluated E =
      statement("for (int i = blockIdx.x * blockDim.x + t; i < n;\n"
                "     i += blockDim.x * gridDim.x)\n"
                "  o[i] = a[2 * i];");
  EXPECT_TRUE(costs(E.globalStore(), {4, 4, {}, 32}));
  EXPECT_TRUE(costs(E.globalLoad(), {8, 4, {}, 32}));
}

// A tile of 256 for every turn: k·256 + t are neighbours whatever k is.
TEST(Loops, Tiled) {
  const Evaluated E = statement("float x = 0;\n"
                                "for (int k = 0; k < n; ++k) {\n"
                                "  s[t] = a[k * 256 + t]; // in\n"
                                "  __syncthreads();\n"
                                "  for (int j = 0; j < 256; ++j)\n"
                                "    x += s[j]; // all\n"
                                "  __syncthreads();\n"
                                "}\n"
                                "o[t] = x;");
  EXPECT_TRUE(costs(E.globalLoad("// in"), {4, 4}));
  EXPECT_TRUE(costs(E.sharedStore("// in"), {1, 1, 1}));
  // All lanes read one word.
  EXPECT_TRUE(costs(E.sharedLoad("// all"), {1, 1, 1, 32}));
  EXPECT_EQ(E.sharedLoad("// all").LoopDepth, 2u);
}

// Offsets 0, 4, … 28 bytes: a warp's 128 bytes touch 4 sectors once, else 5.
TEST(Loops, WindowThatSlides) {
  const Access A = statement("float x = 0;\n"
                             "for (int k = 0; k < 8; ++k)\n"
                             "  x += a[t + k]; // window\n"
                             "o[t] = x;")
                       .globalLoad("// window");
  EXPECT_TRUE(costs(A, {(4 + 7 * 5) / 8.0, 4}));
}

// The step doubles: strides 1, 2, 4, 8, 16, 32 in words, as many ways.
TEST(Loops, PatternThatChangesFromTurnToTurn) {
  const Access A = statement("for (int d = 1; d <= 32; d *= 2)\n"
                             "  s[t % 32 * d] = 1;")
                       .sharedStore();
  EXPECT_TRUE(costs(A, {63.0 / 6, 1, 32}));
  EXPECT_EQ(A.Predicted->Requests, 6);
}

TEST(Loops, UnknownCountOfTurns) {
  const Evaluated E = statement("for (int k = 0; k < n; ++k)\n"
                                "  s[t * 2 + k] = 1;");
  // A step that all lanes share moves all of them by a bank.
  EXPECT_TRUE(costs(E.sharedStore(), {2, 1, 2, 32}));
}

TEST(Loops, LeftByABreak) {
  const Evaluated E = statement("for (int k = 0; k < 100; ++k) {\n"
                                "  if (k == 4) break;\n"
                                "  s[t + 32 * k] = 1; // in\n"
                                "}\n"
                                "o[t] = 1; // after",
                                {.Block = {32, 1, 1}});
  EXPECT_EQ(E.sharedStore("// in").Predicted->Requests, 4);
  EXPECT_TRUE(costs(E.globalStore("// after"), {4, 4, {}, 32}));
}

// Data ends it: what follows is run by all lanes all the same.
TEST(Loops, LeftWhenDataSaysSo) {
  const Evaluated E = statement("int i = t;\n"
                                "while (p[i] != 0)\n"
                                "  i = p[i];\n"
                                "s[t * 4] = 1; // after\n"
                                "s[i] = 2; // where it ended");
  EXPECT_TRUE(costs(E.sharedStore("// after"), {4, 1, 4, 32}));
  EXPECT_EQ(E.sharedStore("// where").Trust, Certainty::Unknown);
  EXPECT_FALSE(E.sharedStore("// where").Predicted);
}

TEST(Loops, PointerThatWalks) {
  const Evaluated E = statement("const float *q = a + 3 * t;\n"
                                "float x = 0;\n"
                                "for (int k = 0; k < n; ++k) {\n"
                                "  x += *q; // walk\n"
                                "  q += 768;\n"
                                "}\n"
                                "o[t] = x;");
  EXPECT_TRUE(costs(E.globalLoad("// walk"), {12, 4}));
}

//===----------------------------------------------------------------------===//
// Switches, recursion, size
//===----------------------------------------------------------------------===//

// Eight lanes, four words apart, in each of the cases.
TEST(Switches, LanesGoToTheirCase) {
  const Evaluated E = statement("switch (t & 3) {\n"
                                "case 0: s[t] = 1; break; // zero\n"
                                "case 1: s[t * 8] = 2; break; // one\n"
                                "default: s[7] = 3; // rest\n"
                                "}",
                                {.Block = {32, 1, 1}});
  EXPECT_TRUE(costs(E.sharedStore("// zero"), {1, 1, 1, 8}));
  // Words 8, 40, 72 …: one bank.
  EXPECT_TRUE(costs(E.sharedStore("// one"), {8, 1, 8, 8}));
  EXPECT_TRUE(costs(E.sharedStore("// rest"), {1, 1, 1, 16}));
}

// A GPU puts lanes together where all of a branch meet. An H200 makes of those
// of both cases here two requests.
TEST(Switches, WhoFallsIntoACaseMayComeLater) {
  for (const char *End : {"break;", ""}) {
    const Evaluated E = statement("switch (t & 3) {\n"
                                  "case 0: s[t] = 1; " +
                                      std::string(End) +
                                      "\n"
                                      "case 1: s[t + 256] = 2; break; // one\n"
                                      "default: s[t + 512] = 3; // rest\n"
                                      "}\n"
                                      "s[t + 768] = 4; // all\n",
                                  {.Block = {32, 1, 1}});
    const Access One = E.sharedStore("// one");
    EXPECT_EQ(One.Assumptions.empty(), *End != 0) << End;
    for (const std::string &Each : One.Assumptions)
      EXPECT_EQ(Each, "lanes that come here by different ways go on together");
    EXPECT_TRUE(E.sharedStore("// rest").Assumptions.empty());
    EXPECT_TRUE(E.sharedStore("// all").Assumptions.empty());
  }
}

/// In a loop, another one that lanes leave one after the other.
static std::string apart(const std::string &Turns, const std::string &Behind) {
  return "float x = 0;\n"
         "for (int k = 0; k < 3; ++k) {\n"
         "for (int i = 0; i <= (" +
         Turns + "); ++i) x += a[i + k];\n" + Behind + "}\n";
}

// They may go on one after the other until a barrier, as an H200 does with some
// programs; a lone lane has nobody to wait for.
TEST(Branches, WhoLeavesALoopEarlyMayBeAhead) {
  for (const char *Turns : {"t & 3", "3"}) {
    const Evaluated E =
        statement(apart(Turns, "s[t + k] = x; // behind\n"
                               "if (t == 0) s[256 + k] = x; // lone\n"
                               "__syncthreads();\n"
                               "s[t + 512 + k] = x; // met\n"),
                  {.Block = {32, 1, 1}});
    EXPECT_EQ(E.sharedStore("// behind").Assumptions.empty(), *Turns == '3');
    EXPECT_THAT(E.sharedStore("// lone").Assumptions, IsEmpty());
    EXPECT_THAT(E.sharedStore("// met").Assumptions, IsEmpty());
  }
}

// Not all barriers make sure of that: those that other blocks come to, that few
// lanes wait at, and what is no barrier.
TEST(Branches, WhoIsAheadStaysSo) {
  auto IsAhead = [](const char *Between) {
    return !statement(apart("t & 3", Between + std::string("s[t + k] = x;\n")),
                      {.Block = {32, 1, 1}})
                .sharedStore()
                .Assumptions.empty();
  };
  for (const char *Between :
       {"if (blockIdx.x == 3) __syncthreads();",
        "if (t < 16) __nvvm_bar_warp_sync(0xffff);",
        "x += __nvvm_shfl_sync_bfly_f32(3, x, 1, 31);",
        "x += __nvvm_activemask();", "if (n > 5) __syncthreads();"})
    EXPECT_TRUE(IsAhead(Between)) << Between;
  for (const char *Between : {"__syncthreads();", "__nvvm_bar_warp_sync(~0u);",
                              "x += __nvvm_shfl_sync_bfly_f32(~0u, x, 1, 31);"})
    EXPECT_FALSE(IsAhead(Between)) << Between;
}

// Where n tells twice, lanes that know do not come to the second question, and
// those of the first branch come later than others. A barrier keeps it one.
TEST(Branches, WhoIsToldBeforeIsNotAsked) {
  for (const char *Between : {"", "__syncthreads();"}) {
    const std::string Again = "if (n > 5) s[t + 512] = 2; // again\n";
    const Evaluated E = statement(
        "if (n > 5) o[t] = 1; else if (t & 1) "
        "for (int i = 0; i < n; ++i) o[t + i] = 2;\n" +
            std::string(Between) + "if (n <= 5) s[t] = 1; // else\n" + Again,
        {.Block = {32, 1, 1}});
    const Access A = E.sharedStore("// else");
    EXPECT_EQ(testing::Matches(testing::Contains(
                  testing::HasSubstr("different ways")))(A.Assumptions),
              !*Between)
        << Between;
  }
}

// The same of a switch that is asked again.
TEST(Switches, WhoIsToldBeforeIsNotAsked) {
  for (const char *Again : {"t & 3", "t & 7"}) {
    const Evaluated E = statement("switch (t & 3) {\n"
                                  "case 0: s[t] = 1; break;\n"
                                  "case 1: s[t + 256] = 2; break;\n"
                                  "default: s[t + 512] = 3;\n"
                                  "}\n"
                                  "switch (" +
                                      std::string(Again) +
                                      ") {\n"
                                      "case 3: s[t + 768] = 4; break;\n"
                                      "default: s[t + 1024] = 5; // rest\n"
                                      "}\n",
                                  {.Block = {32, 1, 1}});
    EXPECT_EQ(E.sharedStore("// rest").Assumptions.empty(),
              Again == std::string("t & 7"));
  }
}

TEST(Switches, OnWhatIsNotKnownAllCasesMayRun) {
  const Evaluated E = statement("switch (n) {\n"
                                "case 5: s[t * 2] = 1; break; // five\n"
                                "case 9: s[t * 4] = 2; break; // nine\n"
                                "}");
  EXPECT_TRUE(costs(E.sharedStore("// five"), {2, 1, 2, 32}));
  EXPECT_TRUE(costs(E.sharedStore("// nine"), {4, 1, 4, 32}));
}

// The constant of a case of few bits is negative, or the value is not.
TEST(Switches, CasesOfNarrowValues) {
  const Evaluated Bool = statement("switch (bool(n != 0)) {\n"
                                   "case false: return;\n"
                                   "case true: s[t * 2] = 1; break; // yes\n"
                                   "}");
  EXPECT_TRUE(costs(Bool.sharedStore("// yes"), {2, 1, 2, 32}));
  for (const char *Type : {"char", "signed char", "unsigned char"}) {
    const Evaluated E = statement("switch ((" + std::string(Type) +
                                  ")(n & 255)) {\n"
                                  "case 7: s[t * 2] = 1; break; // seven\n"
                                  "case (" +
                                  Type +
                                  ")200: s[t * 4] = 2; break; // 200\n"
                                  "}");
    EXPECT_TRUE(costs(E.sharedStore("// seven"), {2, 1, 2, 32})) << Type;
    EXPECT_TRUE(costs(E.sharedStore("// 200"), {4, 1, 4, 32})) << Type;
  }
}

// A function that calls itself cannot be inlined: what it returns is unknown,
// what the kernel does by itself is not.
TEST(Recursion, TheRestIsEvaluated) {
  const Evaluated E = evaluate(R"(
__device__ int depth(const int *p, int i) {
  return p[i] ? depth(p, p[i]) + 1 : 0;
}
__global__ void k(float *o, const int *p) {
  __shared__ float s[64];
  s[threadIdx.x * 2] = 1; // known
  int d = depth(p, threadIdx.x);
  o[d] = s[threadIdx.x]; // unknown
}
)",
                               {.Block = {32, 1, 1}});
  EXPECT_TRUE(costs(E.sharedStore("// known"), {2, 1, 2}));
  EXPECT_TRUE(costs(E.sharedLoad("// unknown"), {1, 1, 1}));
  EXPECT_EQ(E.globalStore("// unknown").Trust, Certainty::Unknown);
}

//===----------------------------------------------------------------------===//
// Behind a bound of which it is not known who is within
//===----------------------------------------------------------------------===//

// All that are there go the same way.
TEST(Bounds, ChoiceThatAllShare) {
  const Evaluated E = statement("if (t + blockIdx.x * 256 >= n) return;\n"
                                "int k;\n"
                                "if (p[0]) { s[0] = 1; k = 32; }\n"
                                "else { s[4] = 2; k = 64; }\n"
                                "o[t * 2 + k] = 1; // here\n");
  EXPECT_TRUE(costs(E.globalStore("// here"), {8, 4}));
  EXPECT_THAT(E.globalStore("// here").Assumptions,
              testing::Not(Contains(HasSubstr("border"))));
}

TEST(Bounds, CounterOfAnInnerLoop) {
  const Evaluated E = statement("if (t + blockIdx.x * 256 >= n) return;\n"
                                "int index = n;\n"
                                "float x = 0;\n"
                                "for (int i = 0; i < p[0]; ++i)\n"
                                "  for (int j = 0; j < 4; ++j)\n"
                                "    x += a[index++]; // here\n"
                                "o[t] = x;\n");
  EXPECT_TRUE(costs(E.globalLoad("// here"), {1, 1}));
}

// Each lane leaves when its own data says so.
TEST(Bounds, CounterOfALoopThatLanesLeaveAlone) {
  const Evaluated E = statement("if (t + blockIdx.x * 256 >= n) return;\n"
                                "int i = 0;\n"
                                "while (p[t + i * 256] > 0) ++i;\n"
                                "o[t * 2 + i] = 1; // here\n");
  EXPECT_EQ(E.globalStore("// here").Trust, Certainty::Unknown);
}

// Data decides for each lane which way it goes.
TEST(Bounds, ChoiceOfEachLane) {
  const Evaluated E = statement("if (t + blockIdx.x * 256 >= n) return;\n"
                                "int k;\n"
                                "if (p[t]) { s[0] = 1; k = 32; }\n"
                                "else { s[4] = 2; k = 64; }\n"
                                "o[t * 2 + k] = 1; // here\n");
  EXPECT_EQ(E.globalStore("// here").Trust, Certainty::Unknown);
}

// What takes more than linear time does not end before the test is stopped.
TEST(Size, SwitchOfTenThousandCases) {
  std::string Text = "switch (p[t]) {\n";
  for (int K = 0; K < 10'000; ++K)
    Text += "case " + std::to_string(K * 7) + ": s[t + " +
            std::to_string(K % 32) + "] = " + std::to_string(K) + "; break;\n";
  Text += "}\n";
  const Evaluated E = statement(Text, {.Block = {64, 1, 1}});
  EXPECT_THAT(E.Kernel.Accesses,
              Contains(testing::Field(&Access::Space, MemorySpace::Shared)));
}

TEST(Size, DeepNestOfBranches) {
  std::string Text;
  for (int K = 0; K < 200; ++K)
    Text += "if (p[t + " + std::to_string(K) + "]) {\n";
  Text += "s[t] = 1; // inside\n" + std::string(200, '}');
  EXPECT_TRUE(costs(statement(Text).sharedStore("// inside"), {1, 1, 1, 32}));
}

TEST(Size, DeepNestOfLoops) {
  std::string Text, Index;
  for (int K = 0; K < 8; ++K) {
    const std::string V = "i" + std::to_string(K);
    Text += "for (int " + V + " = 0; " + V + " < n; ++" + V + ") {\n";
    Index += " + " + V;
  }
  Text += "s[t * 2" + Index + "] = 1; // inside\n" + std::string(8, '}');
  EXPECT_TRUE(costs(statement(Text).sharedStore("// inside"), {2, 1, 2, 32}));
}

// Clang asks for all three at once whether they are below 256: no bit beyond
// the eighth is set in any of them. All lanes of 16 x 4 x 4 threads pass, and
// 16 x 16 blocks are just as many threads as are asked for.
TEST(Guards, SeveralBoundsThatAreOneComparison) {
  Setting S;
  S.Block = {16, 4, 4};
  S.Grid = {16, 64, 64};
  const Evaluated E = statement(
      "unsigned x = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "unsigned y = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "unsigned z = blockIdx.z * blockDim.z + threadIdx.z;\n"
      "if (x < 256 && y < 256 && z < 256) o[(z * 256 + y) * 256 + x] = 1;",
      S);
  const Access A = E.globalStore();
  // Two rows of 16 floats, 2 sectors each.
  EXPECT_TRUE(costs(A, {4, 4, {}, 32}));
  EXPECT_EQ(A.Executions, 1);
}

// The first 4 of each 16 lanes have all that is asked for: 8 of 32 store, 16
// bytes in each of two rows.
TEST(Guards, SeveralBoundsLeaveLanesOut) {
  Setting S;
  S.Block = {16, 2, 1};
  const Evaluated E =
      statement("unsigned x = threadIdx.x, y = threadIdx.y * 2;\n"
                "if (x < 4 && y < 4) o[y * 16 + x] = 1;",
                S);
  EXPECT_TRUE(costs(E.globalStore(), {2, 1, {}, 8}));
}

// Each of two numbers is one for all lanes; of lanes of which some have one and
// some the other, either may take the branch, or both.
TEST(ControlFlow, LanesThatHaveOneOfTwoFloatsMayPart) {
  const std::string Head = "__shared__ float s[64]; int t = threadIdx.x;\n"
                           "float x = G[blockIdx.x];\n";
  const std::string Tail = "if (x > 1) G[t + 64] = s[t * 2];\n";
  auto load = [&](const std::string &Between) {
    return evaluate("__global__ void k(float *G) {\n" + Head + Between + Tail +
                    "}\n")
        .all(MemorySpace::Shared, AccessOp::Load)
        .at(0);
  };
  EXPECT_EQ(load("").Trust, Certainty::Exact);
  const Access Parted = load("if (t & 1) x = G[blockIdx.x + 99];\n");
  EXPECT_EQ(Parted.Trust, Certainty::Assumed);
  EXPECT_THAT(
      Parted.Assumptions,
      testing::ElementsAre("all lanes take branches that depend on data"));
}

} // namespace ControlFlowTests
