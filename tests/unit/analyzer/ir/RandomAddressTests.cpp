//===- tests/unit/analyzer/ir/RandomAddressTests.cpp - Data as index -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What requests cost whose addresses are random. Expected numbers are those of
/// balls in bins: 32 balls in m bins fill m (1 - (1 - 1/m)^32) of them, and the
/// fullest of 32 bins holds 3.53 of 32 balls on average.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <cmath>
#include <gmock/gmock.h>

namespace RandomAddressTests {

using namespace cudalint;

static Evaluated statement(const std::string &Text) {
  return evaluate("__global__ void k(float *o, const float *a, const int *p,\n"
                  "                  const unsigned char *q, int n) {\n"
                  "  __shared__ float s[2048];\n"
                  "  __shared__ float few[32];\n"
                  "  int t = threadIdx.x;\n" +
                  Text + "\n}\n");
}

static double filled(double Bins, double Balls = 32) {
  return Bins * (1 - std::pow(1 - 1 / Bins, Balls));
}

/// Within 3 %.
static void expectAbout(double Expected, double Actual) {
  EXPECT_NEAR(Expected, Actual, 0.03 * Expected);
}

static Expectation expected(const Access &A) {
  EXPECT_EQ(A.Trust, Certainty::Unknown);
  EXPECT_TRUE(A.Expected) << A.WhyUnknown;
  return A.Expected.value_or(Expectation());
}

/// Of a load of `a` with that index.
static Expectation gather(const std::string &Index) {
  return expected(statement("long i = " + Index +
                            "; // index\n"
                            "o[t] = a[i]; // gather")
                      .globalLoad("gather"));
}

// Each of 32 lanes a sector of its own; 4 hold what they need.
TEST(RandomAddress, AGatherFromALargeArrayIsASectorForEachLane) {
  const Expectation X = gather("p[t]");
  expectAbout(32, X.PerRequest);
  expectAbout(4, X.Ideal);
  EXPECT_EQ(X.Least, 1);
  EXPECT_EQ(X.Most, 32);
}

// 256 words are 32 sectors.
TEST(RandomAddress, AMaskBoundsTheNumber) {
  const Expectation X = gather("p[t] & 255");
  expectAbout(filled(32), X.PerRequest);
}

TEST(RandomAddress, ARemainderBoundsTheNumber) {
  const Expectation X = gather("unsigned(p[t]) % 64u");
  expectAbout(filled(8), X.PerRequest);
}

// 100 words are 12 sectors and a half.
TEST(RandomAddress, MinimumAndMaximumBoundTheNumber) {
  const double OfHundred =
      12 * (1 - std::pow(0.92, 32)) + 1 - std::pow(0.96, 32);
  for (const char *Index : {"min(max(p[t], 0), 99)", "umin(p[t], 99)"}) {
    SCOPED_TRACE(Index);
    const Expectation X = gather(Index);
    expectAbout(OfHundred, X.PerRequest);
    EXPECT_EQ(X.Most, 13);
  }
}

// 0 to 32 bits: 4 sectors, and one word of a fifth.
TEST(RandomAddress, AsManyAsThereAreBits) {
  expectAbout(4 * (1 - std::pow(25. / 33, 32)) + 1 - std::pow(32. / 33, 32),
              gather("__popc(p[t])").PerRequest);
}

// No lane tells another anything in a function of libdevice.
TEST(RandomAddress, AFunctionOfLibdeviceIsOfItsOperands) {
  expectAbout(32, gather("int(__saturatef(a[t]) * 1e6f)").PerRequest);
}

// Of 33 places where the row can begin, the warp is on both sides of its end in
// 31. Of a row of 32 it has all words wherever it begins.
TEST(RandomAddress, ARowThatEndsInsideTheWarp) {
  const Evaluated E = statement("unsigned v = p[0];\n"
                                "o[t] = s[(t + v % 33u) % 33u]; // 33\n"
                                "o[t + 32] = s[(t + v % 32u) % 32u]; // 32");
  EXPECT_EQ(E.sharedLoad("33").Trust, Certainty::Unknown);
  EXPECT_TRUE(costs(E.sharedLoad("32"), {1, 1}));
}

// Seven more than the lane end no row of 40, one more than it no row of 33.
TEST(RandomAddress, ARowThatEndsBehindTheWarp) {
  for (const auto &[Mask, Row] : {std::pair("7", "40"), {"1", "33"}}) {
    SCOPED_TRACE(Row);
    const std::string Text = "int v = (t & 31) + (p[0] & " + std::string(Mask) +
                             "), w = " + Row +
                             ";\n"
                             "o[t] = a[v % w + v / w * 1000]; // gather";
    const Access A = statement(Text).globalLoad("gather");
    ASSERT_TRUE(A.Predicted) << A.WhyUnknown;
    EXPECT_THAT(A.Assumptions,
                testing::Not(testing::Contains(testing::HasSubstr("rows"))));
  }
}

// An unsigned difference that ends at 0, as LLVM has it.
TEST(RandomAddress, ADifferenceThatEndsAtZero) {
  const Access A = statement("unsigned u = t;\n"
                             "o[t] = a[u - umin(u, 4u)]; // left")
                       .globalLoad("left");
  // The first of 8 warps has 28 words, the others begin inside a sector.
  EXPECT_TRUE(costs(A, {4.875, 4})) << A.WhyUnknown;
}

/// The same in a launch that gives n and all of the grid.
static Access gatherOf(const std::string &Index, std::int64_t N) {
  return evaluate("__global__ void k(float *o, const float *a,\n"
                  "                  const unsigned *p, unsigned n) {\n"
                  "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "  unsigned j = " +
                      Index +
                      "; // index\n"
                      "  o[i] = a[j]; // gather\n"
                      "}\n",
                  {.Arguments = {std::nullopt, std::nullopt, std::nullopt, N},
                   .Grid = {264, 1, 1}})
      .globalLoad("gather");
}

// What the launch gives bounds a number as what is written there does.
TEST(RandomAddress, AnArgumentBoundsTheNumber) {
  const Expectation X = expected(gatherOf("p[i] % n", 64));
  expectAbout(filled(8), X.PerRequest);
  EXPECT_EQ(X.Most, 8);
  expectAbout(filled(32), expected(gatherOf("p[i] & n", 255)).PerRequest);
  // 1024 values, of which every eighth is a sector.
  expectAbout(filled(128),
              expected(gatherOf("(p[i] & n) >> 2", 4095)).PerRequest);
}

// The first or the second word behind that of the lane: a fifth sector half of
// the time. No index of this grid is near 2^32.
TEST(RandomAddress, ALittleMoreThanTheIndexOfTheThread) {
  const Access A = gatherOf("i + (p[i] & 1)", 0);
  EXPECT_EQ(expected(A).PerRequest, 4.5);
  EXPECT_EQ(expected(A).Most, 5);
  EXPECT_THAT(A.Assumptions,
              testing::Not(testing::Contains(testing::HasSubstr("overflow"))));
}

// 1000 is a multiple of 8: the sixteen words are two sectors.
TEST(RandomAddress, AFewWordsOfARowOfTheBlock) {
  expectAbout(
      2, expected(gatherOf("blockIdx.x * 1000 + (p[i] & 15)", 0)).PerRequest);
}

// Sixteen lanes draw one of 128 sectors; the others are in the first one.
TEST(RandomAddress, ANumberOfSomeLanes) {
  const double Own = std::pow(127.0 / 128, 16);
  for (const char *Index :
       {"i & 1 ? p[i] & 1023 : 5", "i & 1 ? 5 : p[i] & 1023"}) {
    const Expectation X = expected(gatherOf(Index, 0));
    expectAbout(filled(128, 16) + Own, X.PerRequest);
    EXPECT_EQ(X.Most, 17) << Index;
  }
}

// Five sectors at most, but how many is a matter of the odds.
TEST(RandomAddress, DataThatChoosesBetweenKnownPlacesIsNoNumber) {
  for (const char *Index : {"p[i] < 100 ? 0 : i", "p[i] < 100 ? i : 7"}) {
    const Access A = gatherOf(Index, 0);
    EXPECT_EQ(A.Trust, Certainty::Unknown) << Index;
    EXPECT_FALSE(A.Expected) << Index;
  }
}

TEST(RandomAddress, AByteIsOneOf256) {
  const Expectation X = gather("q[t]");
  expectAbout(filled(32), X.PerRequest);
}

// -9 to 9: 19 words in 3 or 4 sectors, and 32 draws meet nearly all.
TEST(RandomAddress, ARemainderOfASignedNumber) {
  const Expectation X = gather("p[t] % 10");
  EXPECT_GT(X.PerRequest, 2.9);
  EXPECT_LE(X.Most, 4);
}

// 16 words, 16 apart: two banks, and no more than 8 words in one.
TEST(RandomAddress, ASumIsNotFollowedBeyondItsWidth) {
  const Expectation X = expected(statement("int v = p[t]; // index\n"
                                           "o[t] = s[(unsigned char)(v << 4)];")
                                     .sharedLoad());
  EXPECT_LE(X.Most, 8);
  EXPECT_GT(X.PerRequest, 5);
}

// Nothing that a user writes overflows what we compute with.
TEST(RandomAddress, HugeFactors) {
  const Access A = statement("long i = p[t]; // index\n"
                             "o[t] = a[i * 0x300000000001L]; // gather")
                       .globalLoad("gather");
  EXPECT_EQ(A.Trust, Certainty::Unknown);
}

// Words 64 lanes apart, and each within the sector that begins there.
TEST(RandomAddress, TheKnownPartCounts) {
  const Expectation X = expected(statement("int i = p[t] & 7; // index\n"
                                           "o[t] = a[64 * t + i]; // gather")
                                     .globalLoad("gather"));
  EXPECT_EQ(X.PerRequest, 32);
  EXPECT_EQ(X.Least, 32);
  EXPECT_EQ(X.Most, 32);
}

TEST(RandomAddress, TheFullestOf32Banks) {
  const Expectation X = expected(statement("int i = p[t]; // index\n"
                                           "o[t] = s[i & 2047];")
                                     .sharedLoad());
  expectAbout(3.5, X.PerRequest);
  EXPECT_EQ(X.Ideal, 1);
  EXPECT_EQ(X.Least, 1);
}

// No number leads out of the array: 32 words in 32 banks never conflict.
TEST(RandomAddress, AnArrayBoundsTheNumber) {
  const Expectation X = expected(statement("int i = p[t]; // index\n"
                                           "o[t] = few[i];")
                                     .sharedLoad());
  EXPECT_EQ(X.PerRequest, 1);
  EXPECT_EQ(X.Most, 1);
}

/// Of a load with that index of an array of so many words.
static Access ofArray(const std::string &Index, int Words = 64) {
  return evaluate("__device__ float g[" + std::to_string(Words) +
                      "];\n"
                      "__global__ void k(float *o, const int *p, int n) {\n"
                      "  int t = threadIdx.x;\n"
                      "  int i = " +
                      Index + "; // index\n  o[t] = g[i]; // gather\n}\n",
                  {.Block = {32, 1, 1}})
      .globalLoad("gather");
}

// 64 words are 8 sectors, wherever the number begins to count: 5 words later,
// or at the block's.
TEST(RandomAddress, NoRequestMeetsMoreSectorsThanTheArrayHas) {
  for (const char *Index :
       {"p[t]", "p[t] + 5", "63 - p[t]", "(p[t] & 255) + 5 - 5",
        "p[t] + blockIdx.x", "p[t] + n * 3", "p[t] + p[t + 1]", "p[t] + t",
        "p[t] + 8 * t", "(p[t] & 63) + t", "(p[t] & 63) + blockIdx.x",
        "p[t] % 100 + p[t + 1] % 100", "8 * p[t] + t % 8"}) {
    const Access A = ofArray(Index);
    EXPECT_EQ(A.Trust, Certainty::Unknown) << Index;
    const Expectation X = A.Expected.value_or(Expectation());
    EXPECT_LE(X.Most, 8) << Index;
    EXPECT_LE(X.PerRequest, 8) << Index;
    EXPECT_LE(X.IfEqual, 8) << Index;
    EXPECT_LE(X.Least, 1) << Index;
  }
  for (const char *Index : {"p[t]", "p[t] + 5", "63 - p[t]",
                            "p[t] + blockIdx.x", "8 * p[t] + t % 8"})
    expectAbout(filled(8), expected(ofArray(Index)).PerRequest);
}

// Whatever is added to a number that may be any, the sum may be any that the
// array allows: 32 draws of 64 words, 8 in each sector, and none is missed by
// all with (1 - 1/8)^32.
TEST(RandomAddress, ASumWithAnyNumberIsAnyOfTheArray) {
  for (const char *Index : {"p[t]", "p[t] + t", "p[t] - 8 * t"}) {
    const Expectation E = expected(ofArray(Index));
    EXPECT_NEAR(E.PerRequest, 8 * (1 - std::pow(7.0 / 8, 32)), 1e-6) << Index;
    EXPECT_EQ(E.Least, 1);
    EXPECT_LE(E.Most, 8);
  }
}

// Ranks strided over 4 regions of 64 words, as radix sorts do: together they
// may be any of 256 words, 32 sectors.
TEST(RandomAddress, OfTwoNumbersOneIsWhatTheOtherLeaves) {
  const Expectation E = expected(ofArray("(p[t] & 3) * 64 + p[t + 32]", 256));
  EXPECT_NEAR(E.PerRequest, 32 * (1 - std::pow(31.0 / 32, 32)), 0.2);
  EXPECT_LE(E.Most, 32);
}

// Of 64 words lane 0 can take all and lane 31 the last 33, if the number is not
// negative.
TEST(RandomAddress, LanesWithFewerValuesThanOthersHaveNoExpectation) {
  EXPECT_FALSE(ofArray("(p[t] & 63) + t").Expected);
  // The code itself keeps 95 words within 95.
  EXPECT_TRUE(ofArray("(p[t] & 63) + t", 95).Expected);
}

/// Of a load with that index in the given turns, v being a byte of data.
static Expectation turns(const std::string &Turns, const std::string &Index) {
  return expected(statement("extern __shared__ float large[];\n"
                            "int v = p[t] & 255; // index\n"
                            "float x = 0;\n" +
                            Turns + " x += large[" + Index +
                            "]; // turns\n"
                            "o[t] = x;")
                      .sharedLoad("turns"));
}

// All of them, and in whatever order. With 32 words between the values, all are
// in one bank, and 32 draws meet as many of them as of so many bins.
TEST(RandomAddress, AllTurnsOfALoopCount) {
  const Expectation Up = turns("for (int k = 1; k <= 32; ++k)", "v * k");
  const Expectation Down = turns("for (int k = 32; k >= 1; --k)", "v * k");
  EXPECT_TRUE(Up.IsExact);
  EXPECT_NEAR(Up.PerRequest, Down.PerRequest, 1e-9);
  EXPECT_EQ(Up.Most, 32);
  EXPECT_EQ(Down.Most, 32);
  double Sum = 0;
  for (int K = 1; K <= 32; ++K)
    Sum += turns("", "v * " + std::to_string(K)).PerRequest;
  EXPECT_NEAR(Up.PerRequest, Sum / 32, 1e-9);
  EXPECT_NEAR(turns("", "v * 32").PerRequest, filled(256), 1e-9);
}

// More different turns than are looked at: what any 32 lanes can cost.
TEST(RandomAddress, ManyDifferentTurnsAreNotComputed) {
  const Expectation X = turns("for (int k = 1; k <= 100; ++k)", "v * k");
  EXPECT_FALSE(X.IsExact);
  EXPECT_GT(X.StandardError, 0);
  EXPECT_EQ(X.Least, 1);
  EXPECT_EQ(X.Most, 32);
  // Turns that are a row apart cost the same.
  EXPECT_TRUE(turns("for (int k = 1; k <= 100; ++k)", "v + 256 * k").IsExact);
}

// 4 warps of 32 lanes and one of 8, which draw one of 128 sectors each.
TEST(RandomAddress, AllWarpsCount) {
  const Expectation X =
      expected(evaluate("__global__ void k(float *o, const float *a,\n"
                        "                  const int *p) {\n"
                        "  int t = threadIdx.x;\n"
                        "  int i = p[t] & 1023; // index\n"
                        "  o[t] = a[i]; // gather\n}\n",
                        {.Block = {136, 1, 1}})
                   .globalLoad("gather"));
  EXPECT_TRUE(X.IsExact);
  EXPECT_NEAR(X.Lanes, 27.2, 1e-9);
  EXPECT_NEAR(X.PerRequest, (4 * filled(128) + filled(128, 8)) / 5, 1e-9);
}

// Rows of 33 words: the row adds to the bank, which stays random; rows of 32
// words, the lane alone decides the bank.
TEST(RandomAddress, RowsOfARandomNumber) {
  const Expectation X = expected(statement("int i = p[t] & 31; // index\n"
                                           "o[t] = s[33 * i + t % 32];")
                                     .sharedLoad());
  expectAbout(3.5, X.PerRequest);
  const Expectation Y = expected(statement("int i = p[t] & 31; // index\n"
                                           "o[t] = s[32 * i + t % 32];")
                                     .sharedLoad());
  EXPECT_EQ(Y.PerRequest, 1);
}

// A scatter costs what a gather does.
TEST(RandomAddress, Stores) {
  const Expectation X = expected(statement("int i = p[t] & 255; // index\n"
                                           "o[i] = 1;")
                                     .globalStore());
  expectAbout(filled(32), X.PerRequest);
}

/// Of a load of `s` with that index, x being data.
static Access shuffled(const std::string &Index) {
  return statement("int x = p[t]; // index\n"
                   "o[t] = s[" +
                   Index + "];")
      .sharedLoad();
}

// A shared load of one address costs one wavefront; an atomic takes turns.
TEST(RandomAddress, NeighboursThatAgree) {
  const Expectation Load = expected(shuffled("x & 255"));
  EXPECT_TRUE(Load.IsExact);
  EXPECT_EQ(Load.StandardError, 0);
  EXPECT_EQ(Load.IfEqual, 1);
  EXPECT_EQ(Load.Most, 8); // words of a bank
  EXPECT_EQ(Load.Lanes, 32);
  const Expectation Add =
      expected(statement("int x = p[t] & 255; // index\n"
                         "atomicAdd((int *)&s[x], t);")
                   .only(MemorySpace::Shared, AccessOp::Atomic));
  EXPECT_EQ(Add.IfEqual, 32);
  EXPECT_EQ(Add.Least, 1);
  EXPECT_EQ(Add.Most, 32);
}

// Two lanes load each index, and so 16 different ones at most.
TEST(RandomAddress, LanesThatLoadOneIndex) {
  const Expectation X = gather("p[t / 2]");
  EXPECT_EQ(X.PerRequest, 16);
  EXPECT_EQ(X.Most, 16);
  const Expectation Y = gather("p[p[t / 2] & 1023] & 255");
  expectAbout(filled(32, 16), Y.PerRequest);
}

// 32 lanes that draw a multiple of 33 words are in random banks; if the two
// numbers were drawn apart, so were they. x + 31 x is 32 x, and stays in bank
// 0: 32 words, of which 32 draws meet 20.4.
TEST(RandomAddress, OneNumberTwice) {
  const Expectation X = expected(shuffled("(x & 31) + 31 * (x & 31)"));
  expectAbout(filled(32), X.PerRequest);
  EXPECT_EQ(X.Most, 32);
}

// Other bits of it, or quotient and remainder, are numbers of their own;
// numbers that overlap in some bits are not, and nothing is said of them.
TEST(RandomAddress, TwoNumbersOfOne) {
  expectAbout(3.5,
              expected(shuffled("33 * (x & 31) + (x >> 5 & 31)")).PerRequest);
  expectAbout(3.5, expected(statement("extern __shared__ float large[];\n"
                                      "unsigned x = p[t] & 1023; // index\n"
                                      "unsigned w = n;\n"
                                      "o[t] = large[x / w + 33 * (x % w)];")
                                .sharedLoad())
                       .PerRequest);
  EXPECT_FALSE(shuffled("33 * (x & 31) + (x & 63)").Expected);
  EXPECT_FALSE(shuffled("33 * (x & 31) + (x * x & 63)").Expected);
}

// Ranks of the lanes that say yes: sorted, and not independent of each other.
// No two are in one bank, where independent draws of 32 words would be.
TEST(RandomAddress, RanksAreNotRandom) {
  const std::string Rank =
      "__builtin_popcount(__nvvm_vote_ballot_sync(~0u, x > 0)"
      "                   & ((1u << (t & 31)) - 1))";
  const Expectation X = expected(shuffled(Rank));
  EXPECT_TRUE(X.IsCounted);
  EXPECT_EQ(X.PerRequest, 1);
  EXPECT_EQ(X.Most, 1);
  EXPECT_FALSE(shuffled("(" + Rank + " * 5) % 32").Expected);
}

// A permutation: 32 lanes, 32 banks.
TEST(RandomAddress, OneNumberOfTheWarpIsNoDrawOfEachLane) {
  EXPECT_FALSE(shuffled("(p[0] & 31) ^ (t & 31)").Expected);
}

// Which lanes load is data, too: nothing is said of it.
TEST(RandomAddress, LanesFromDataHaveNoExpectation) {
  const Access A = statement("int i = p[t]; // index\n"
                             "if (i > 0) o[t] = a[i]; // gather")
                       .globalLoad("gather");
  EXPECT_EQ(A.Trust, Certainty::Unknown);
  EXPECT_FALSE(A.Expected);
}

TEST(RandomAddress, WhatIsKnownHasNoExpectation) {
  const Access A = statement("o[t] = a[t];").globalLoad();
  EXPECT_FALSE(A.Expected);
}

// The same in every run: there is no other source of chance.
TEST(RandomAddress, TwiceTheSame) {
  EXPECT_EQ(gather("p[t] & 1023").PerRequest, gather("p[t] & 1023").PerRequest);
}

} // namespace RandomAddressTests
