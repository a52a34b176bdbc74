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

// Of 64 words lane 0 can take all and lane 31 the last 33, if the number is not
// negative, and if it may be negative, any.
TEST(RandomAddress, LanesWithBoundsOfTheirOwnHaveNoExpectation) {
  for (const char *Index : {"p[t] + t", "p[t] + 8 * t", "(p[t] & 63) + t"})
    EXPECT_FALSE(ofArray(Index).Expected) << Index;
  // The code itself keeps 95 words within 95.
  EXPECT_TRUE(ofArray("(p[t] & 63) + t", 95).Expected);
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
TEST(RandomAddress, RanksAreNotRandom) {
  EXPECT_FALSE(shuffled("__builtin_popcount(__nvvm_vote_ballot_sync(~0u, x > 0)"
                        "                   & ((1u << (t & 31)) - 1))")
                   .Expected);
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
