//===- tests/unit/analyzer/ir/LongLoopTests.cpp - Turns for others --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops too long to run every turn of: the turns that are run stand for the
/// others. Expected means are over all turns, by hand; a float that lanes are
/// 1, 2, 4, 6, 8 and more apart costs 4, 8, 16, 24 and 32 sectors.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

#include <array>
#include <functional>
#include <set>

namespace LongLoopTests {

using namespace cudalint;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The load of a kernel with that body.
static Access load(const std::string &Body, const Setting &S = {}) {
  return evaluate("__global__ void k(float *o, const float *a, int n) {\n"
                  "  int t = threadIdx.x;\n"
                  "  float s = 0;\n" +
                      Body + "\n  o[t] = s;\n}\n",
                  S)
      .globalLoad();
}

static void expectMean(const Access &A, double Mean, double Share) {
  ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
  EXPECT_NEAR(A.Predicted->PerRequest, Mean, Mean * Share);
}

// The first 500 of 1,000 turns cost 4, the others 32.
TEST(LongLoops, WhatChangesHalfWay) {
  const Access A = load("for (int k = 0; k < 1000; ++k)\n"
                        "  s += a[t * (k < 500 ? 1 : 32) + k * 32768];");
  expectMean(A, 18, 1e-9);
  EXPECT_NEAR(A.Predicted->Requests, 1000, 0.01);
  EXPECT_THAT(A.Assumptions, Not(Contains(HasSubstr("turns from all over"))))
      << "there is work for all of them";
}

/// Wavefronts per request of a store to 4,096 words of shared memory, by one
/// warp in a loop of `Turns` turns, at `t * (Factor) + (Offset)`; `Warps` share
/// the work there is.
static Access sharedStore(const std::string &Factor, std::int64_t Turns,
                          unsigned Warps = 1) {
  return evaluate("__global__ void k() {\n"
                  "  __shared__ float s[4096];\n"
                  "  unsigned t = threadIdx.x % 32;\n"
                  "  for (unsigned k = 0; k < " +
                      std::to_string(Turns) +
                      "; ++k)\n"
                      "    s[t * (" +
                      Factor +
                      ") & 4095] = k;\n"
                      "}\n",
                  {.Block = {32 * Warps, 1, 1}})
      .sharedStore();
}

/// What that costs, lane by lane: distinct words of the fullest bank. Factors
/// that are equal in 4,096 make the same addresses.
static double wavefronts(std::uint32_t Factor) {
  static std::array<double, 4096> Known;
  double &Cost = Known[Factor % Known.size()];
  if (Cost > 0)
    return Cost;
  std::array<std::set<std::uint32_t>, 32> Banks;
  for (std::uint32_t T = 0; T < 32; ++T)
    Banks[T * Factor % 32].insert(T * Factor & 4095);
  std::size_t Most = 0;
  for (const auto &Words : Banks)
    Most = std::max(Most, Words.size());
  return Cost = static_cast<double>(Most);
}

static void
expectMeanOf(const std::string &Text, std::int64_t Turns, unsigned Warps,
             const std::function<std::uint32_t(std::uint32_t)> &Factor) {
  SCOPED_TRACE(Text + " in " + std::to_string(Turns) + " turns, " +
               std::to_string(Warps) + " warps");
  double Sum = 0;
  for (std::int64_t K = 0; K < Turns; ++K)
    Sum += wavefronts(Factor(static_cast<std::uint32_t>(K)));
  const Access A = sharedStore(Text, Turns, Warps);
  expectMean(A, Sum / static_cast<double>(Turns), 0.01);
  ASSERT_TRUE(A.Predicted);
  EXPECT_NEAR(A.Predicted->Requests, static_cast<double>(Turns), 0.01);
}

// What repeats after any number of turns has its share, also where that does
// not divide the number of turns.
TEST(LongLoops, WhatRepeatsHasItsShare) {
  for (std::uint32_t Period = 2; Period <= 33; ++Period) {
    const std::string P = std::to_string(Period);
    expectMeanOf("k % " + P + " ? 1 : 32", 30011, 1,
                 [=](std::uint32_t K) { return K % Period ? 1u : 32u; });
    expectMeanOf("k % " + P, 5000 + Period, 4,
                 [=](std::uint32_t K) { return K % Period; });
  }
}

TEST(LongLoops, WhatGrowsHasItsShare) {
  for (std::int64_t Turns : {500, 1000, 4999, 5000, 20000, 65536})
    for (unsigned Warps : {1u, 4u}) {
      expectMeanOf("k", Turns, Warps, [](std::uint32_t K) { return K; });
      expectMeanOf("3 * k + 1", Turns, Warps,
                   [](std::uint32_t K) { return 3 * K + 1; });
      expectMeanOf("k / 7", Turns, Warps,
                   [](std::uint32_t K) { return K / 7; });
      expectMeanOf("k ^ k >> 3", Turns, Warps,
                   [](std::uint32_t K) { return K ^ K >> 3; });
      expectMeanOf("k < 450 ? 1 : 32", Turns, Warps,
                   [](std::uint32_t K) { return K < 450 ? 1u : 32u; });
    }
}

TEST(LongLoops, TooManyTurnsAreSaidToBeSampled) {
  EXPECT_THAT(sharedStore("k < 50000 ? 1 : 32", 100000).Assumptions,
              Contains(HasSubstr("turns from all over")));
}

TEST(LongLoops, CounterThatIsComparedForInequality) {
  const Access A = load("for (unsigned k = 0; k != 1000; ++k)\n"
                        "  s += a[t * (1 + k / 250) * 2];");
  expectMean(A, (8 + 16 + 24 + 32) / 4.0, 0.02);
}

TEST(LongLoops, Millions) {
  const Access A = load("for (int k = 0; k < 4000000; ++k)\n"
                        "  s += a[t * (k < 1000000 ? 32 : 1)];");
  expectMean(A, (32 + 3 * 4) / 4.0, 0.02);
}

// Of 499,500 turns of the inner loop, 118,828 have j >= 512.
TEST(LongLoops, Triangle) {
  const Access A = load("for (int k = 0; k < 1000; ++k)\n"
                        "  for (int j = 0; j < k; ++j)\n"
                        "    s += a[t * (j & 512 ? 8 : 1)];");
  expectMean(A, 4 + 28 * 118828 / 499500.0, 0.02);
}

// Rows of 33 floats: 7 of 8 start in the middle of a sector. As turns repeat
// after 8, it is known of each of them: 1,251 of 10,001 start with a sector.
TEST(LongLoops, AlignmentsHaveTheirShare) {
  const Access A = load("for (int k = 0; k < 10001; ++k) s += a[t + 33 * k];");
  expectMean(A, (4 * 1251 + 5 * 8750) / 10001.0, 1e-9);
  EXPECT_NEAR(A.Predicted->Requests, 10001, 1e-6);
  EXPECT_THAT(A.Assumptions, ElementsAre("'a' is 256-byte aligned"));
}

// What moves by a byte in each turn is known of all 5,000; of the others, turns
// are samples.
TEST(LongLoops, WhatRepeatsIsExactBesideWhatDoesNot) {
  const Evaluated E =
      evaluate("__global__ void k(int n) {\n"
               "  __shared__ char s[65536];\n"
               "  __shared__ float u[4096];\n"
               "  int t = threadIdx.x;\n"
               "  for (int k = 0; k < 5000; ++k) {\n"
               "    s[t + k] = k; // repeats\n"
               "    u[t * (k / 99) & 4095] = k; // not\n"
               "    if (k != 40) u[t + k & 4095] = n; // guard\n"
               "  }\n"
               "}\n",
               {.Block = {512, 1, 1}});
  const Access Repeats = E.sharedStore("// repeats");
  EXPECT_EQ(Repeats.Trust, Certainty::Exact) << toString(Repeats);
  EXPECT_TRUE(costs(Repeats, {1, 1}));
  for (const char *Mark : {"// not", "// guard"})
    EXPECT_THAT(E.sharedStore(Mark).Assumptions,
                Contains(HasSubstr("turns from all over")));
}

// One turn in 100,000, and not one of those that are run.
TEST(LongLoops, WhatFewTurnsReachIsListed) {
  for (const char *Turn : {"49999", "70003", "99991"}) {
    const Evaluated E = evaluate("__global__ void k(float *o, float *p) {\n"
                                 "  int t = threadIdx.x;\n"
                                 "  for (int k = 0; k < 100000; ++k) {\n"
                                 "    o[t + k * 32] = 1; // each\n"
                                 "    if (k == " +
                                 std::string(Turn) +
                                 ") p[t * 2 + k] = 3; // one\n"
                                 "    if (t > 256) p[t * 2 + k] = 4; // none\n"
                                 "  }\n"
                                 "}\n");
    EXPECT_TRUE(costs(E.globalStore("// each"), {4, 4}));
    const Access A = E.globalStore("// one");
    EXPECT_EQ(A.Trust, Certainty::Unknown) << toString(A);
    EXPECT_THAT(A.WhyUnknown, HasSubstr("none of the turns"));
    EXPECT_THAT(E.all(MemorySpace::Global, AccessOp::Store, "// none"),
                IsEmpty());
  }
}

// 4,096 turns are run one by one, as they do not grow by the same step.
TEST(LongLoops, WhatIsBehindTheFirstTurnsIsListed) {
  const Access A = evaluate("__global__ void k(float *o) {\n"
                            "  int x = 0;\n"
                            "  for (int k = 0; k < 9000; ++k) {\n"
                            "    if (k == 8000) o[x + threadIdx.x] = 3;\n"
                            "    x += k & 1 ? 3 : k & 2 ? 5 : 1;\n"
                            "  }\n"
                            "}\n")
                       .globalStore();
  EXPECT_EQ(A.Trust, Certainty::Unknown) << toString(A);
}

// Lane l takes part from turn 100 * (l + 1) on, for the rest of 3,200.
TEST(LongLoops, LanesThatJoinLate) {
  const Access A = load("for (int k = 0; k < 3200; ++k)\n"
                        "  if (t % 32 < k / 100) s += a[t + 256 * k];");
  // 1 to 31 lanes: 8 times 1, 2 and 3 sectors, 7 times 4.
  expectMean(A, (8 * (1 + 2 + 3) + 7 * 4) / 31.0, 0.02);
  EXPECT_NEAR(A.Predicted->Lanes, 16, 0.3);
}

// Lane l leaves after 2000 - 4 * l turns.
TEST(LongLoops, LanesThatLeaveEarly) {
  const Access A = load("for (int k = 4 * t; k < 2000; ++k) s += a[k];",
                        {.Block = {32, 1, 1}});
  ASSERT_TRUE(A.Predicted);
  EXPECT_NEAR(A.Predicted->Requests, 2000, 0.01);
  EXPECT_NEAR(A.Predicted->Lanes, (32 * 2000 - 4 * 496) / 2000.0, 0.01);
}

// What is no function of the turn alone is run turn by turn.
TEST(LongLoops, CounterWithTwoSpeeds) {
  const Access A = load("int x = 0;\n"
                        "for (int k = 0; k < 600; ++k) {\n"
                        "  s += a[t * (1 + x / 100)];\n"
                        "  x += k < 300 ? 1 : 2;\n"
                        "}");
  // 100 turns each of 1, 2, 3 and 50 each of 4 to 9 apart.
  expectMean(A,
             (100 * (4 + 8 + 12) + 50 * (16 + 20 + 24 + 28 + 32 + 32)) / 600.0,
             1e-9);
}

TEST(LongLoops, ShortOnesAreExact) {
  const Access A = evaluate("__global__ void k() {\n"
                            "  __shared__ float s[4096];\n"
                            "  for (int k = 0; k < 128; ++k)\n"
                            "    s[threadIdx.x * (k < 64 ? 1 : 32) & 4095] = "
                            "k;\n}\n",
                            {.Block = {32, 1, 1}})
                       .sharedStore();
  EXPECT_EQ(A.Trust, Certainty::Exact) << toString(A);
  EXPECT_TRUE(costs(A, {(1 + 32) / 2.0, 1, 32}));
}

// Lanes are 4 bytes apart until the loop ends, early.
TEST(LongLoops, BreakInOneTurn) {
  const Access A = load("for (int i = 0; i < 5000; ++i) {\n"
                        "  if (i == 777) break;\n"
                        "  s += a[t * (i < 777 ? 1 : 32) + 32768 * i];\n"
                        "}");
  expectMean(A, 4, 1e-9);
  EXPECT_NEAR(A.Predicted->Requests, 777, 0.01);
}

// Lane 5 leaves after 901 turns, the others after 5,000.
TEST(LongLoops, BreakOfOneLane) {
  const Access A = load("for (int i = 0; i < 5000; ++i) {\n"
                        "  s += a[t + 32768 * i];\n"
                        "  if (i == 900 && t == 5) break;\n"
                        "}",
                        {.Block = {32, 1, 1}});
  ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
  EXPECT_NEAR(A.Predicted->Requests, 5000, 0.01);
  EXPECT_NEAR(A.Predicted->Lanes, 31 + 901 / 5000.0, 0.001);
}

// Whatever work is left: what is called exact is of all turns, and what is of
// the first turns alone says so.
static void expectHonest(const Access &A, double Mean) {
  ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
  if (A.Trust == Certainty::Exact) {
    EXPECT_NEAR(A.Predicted->PerRequest, Mean, 1e-9) << toString(A);
  } else if (!A.Predicted->MoreRequests) {
    EXPECT_NEAR(A.Predicted->PerRequest, Mean, Mean * 0.03) << toString(A);
  }
}

// 40 turns, 18 of them with lanes side by side, in 32 warps that have little
// work each.
TEST(LongLoops, LittleWorkForFewTurns) {
  for (int Inner = 80; Inner < 104; Inner += 4) {
    SCOPED_TRACE(Inner);
    expectHonest(evaluate("__global__ void k() {\n"
                          "  __shared__ float s[4096], u[4096];\n"
                          "  int t = threadIdx.x;\n"
                          "  for (int i = 0; i < 40; ++i) {\n"
                          "    s[t * (i < 18 ? 1 : 32) & 4095] = i; // here\n"
                          "    for (int j = 0; j < " +
                              std::to_string(Inner) +
                              "; ++j)\n"
                              "      u[t + j & 4095] = j;\n"
                              "  }\n"
                              "}\n",
                          {.Block = {1024, 1, 1}})
                     .sharedStore("// here"),
                 (18 + 22 * 32) / 40.0);
  }
}

// The first 64 of 1,000 turns cost 4, the others 32; long turns.
TEST(LongLoops, LittleWorkForManyTurns) {
  std::string Statements;
  unsigned Sampled = 0;
  for (int Count = 1; Count <= 100; ++Count) {
    Statements += "    s = s * x + " + std::to_string(Count) + ".5f;\n";
    if (Count % 10)
      continue;
    SCOPED_TRACE(Count);
    const Access A =
        evaluate("__global__ void k(float *o, const float *a, float x) {\n"
                 "  int t = threadIdx.x;\n"
                 "  float s = 0;\n"
                 "  for (int i = 0; i < 1000; ++i) {\n"
                 "    s += a[t * (i < 64 ? 1 : 32) + 32768 * i]; // here\n" +
                     Statements +
                     "  }\n"
                     "  o[t] = s;\n"
                     "}\n",
                 {.Block = {1024, 1, 1}})
            .globalLoad("// here");
    expectHonest(A, (64 * 4 + 936 * 32) / 1000.0);
    Sampled += A.Predicted && !A.Predicted->MoreRequests;
  }
  EXPECT_GT(Sampled, 0u);
}

// Not enough is left for the second loop: its three turns are not exact.
TEST(LongLoops, NoWorkLeft) {
  const Access A = evaluate("__global__ void k() {\n"
                            "  __shared__ float s[4096], u[4096];\n"
                            "  int t = threadIdx.x;\n"
                            "  int x = 0;\n"
                            "  for (int i = 0; i < 4000; ++i) {\n"
                            "    u[t + x & 4095] = i;\n"
                            "    x += i & 1 ? 3 : i & 2 ? 5 : 1;\n"
                            "  }\n"
                            "#pragma unroll 1\n"
                            "  for (int k = 0; k < 3; ++k)\n"
                            "    s[t * (k ? 32 : 1) & 4095] = k; // here\n"
                            "}\n",
                            {.Block = {1024, 1, 1}})
                       .sharedStore("// here");
  ASSERT_TRUE(A.Predicted || !A.WhyUnknown.empty());
  if (A.Predicted)
    expectHonest(A, (1 + 2 * 32) / 3.0);
}

// Lanes leave the inner loop one after the other, and may not be together in
// the next turn: that they are is said, and hides nothing of how often it is.
TEST(LongLoops, BehindLanesThatDataParts) {
  const Evaluated E = evaluate(R"(
__global__ void k(const int *last, float *o) {
  int t = threadIdx.x;
  for (int r = 0; r < 8; ++r) {
    for (int i = 0; i < 500; ++i)
      o[t + i * 32] = r;
    int j = t;
    while (last[j + r] > 0)
      j += 32;
  }
})");
  const Access A = E.globalStore("o[t");
  EXPECT_TRUE(costs(A, {4, 4}));
  ASSERT_TRUE(A.Executions) << A.WhyNotCounted;
  EXPECT_NEAR(*A.Executions, 8 * 500, 1e-6);
  EXPECT_THAT(A.Assumptions, Not(Contains(HasSubstr("turns"))));
  EXPECT_THAT(A.Assumptions,
              Contains(HasSubstr("lanes that come here by different ways")));
}

} // namespace LongLoopTests
