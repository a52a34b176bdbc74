//===- tests/unit/analyzer/ir/CountedLanesTests.cpp - Ranks ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Addresses that count lanes which data picks. Expected numbers: n words of 4
/// bytes side by side are in (n + 7) / 8 sectors on average over where they
/// can begin in one, and 16 of 32 lanes say yes on average, of the ways in
/// which some lane does. From the beginning of a sector, they are in
/// ceil(n / 8).
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

namespace CountedLanesTests {

using namespace cudalint;

static constexpr double AnyPlace = (16 + 7) / 8.0;

/// The sum over n of C(32, n) ceil(n / 8) / (2^32 - 1).
static double fromASector() {
  double Mean = 0, Ways = 1;
  for (int N = 1; N <= 32; ++N) {
    Ways = Ways * (33 - N) / N;
    Mean += Ways / 4294967295.0 * ((N + 7) / 8);
  }
  return Mean;
}

static Evaluated kernel(const std::string &Text) {
  return evaluate("#define ballot __nvvm_vote_ballot_sync\n"
                  "#define popc __builtin_popcount\n"
                  "#define full 0xffffffffu\n"
                  "__global__ void k(int *o, const int *a, int *c, int n) {\n"
                  "  __shared__ int s[2048];\n"
                  "  int t = threadIdx.x, lane = t & 31;\n"
                  "  unsigned below = (1u << lane) - 1;\n"
                  "  int x = a[t];\n" +
                  Text + "\n}\n");
}

/// Of the store on the line that is marked `here`.
static Access store(const std::string &Text) {
  return kernel(Text).globalStore("here");
}

static Expectation expected(const Access &A) {
  EXPECT_EQ(A.Trust, Certainty::Unknown);
  EXPECT_TRUE(A.Expected) << A.WhyUnknown;
  return A.Expected.value_or(Expectation());
}

static void expectCompaction(const std::string &Text, double Mean) {
  const Expectation X = expected(store(Text));
  EXPECT_NEAR(X.PerRequest, Mean, 1e-6) << Text;
  EXPECT_NEAR(X.Lanes, 16, 1e-6) << Text;
  EXPECT_TRUE(X.IsExact) << Text;
  EXPECT_TRUE(X.IsCounted) << Text;
  EXPECT_EQ(X.Least, 1) << Text;
  EXPECT_EQ(X.Most, Mean == AnyPlace ? 5 : 4) << Text;
}

static void expectNothing(const std::string &Text) {
  const Access A = store(Text);
  EXPECT_EQ(A.Trust, Certainty::Unknown) << Text;
  EXPECT_FALSE(A.Expected) << Text;
}

// The store is of those who are counted: side by side, however many.
TEST(CountedLanes, ACompaction) {
  const Access A = store("unsigned m = ballot(full, x > 0);\n"
                         "int r = popc(m & below);\n"
                         "if (x > 0) o[r] = x; // here");
  EXPECT_EQ(A.Cause, UnknownCause::LoadedLanes);
  EXPECT_NEAR(expected(A).PerRequest, fromASector(), 1e-6);
  EXPECT_EQ(expected(A).IfEqual, 4);
  EXPECT_NEAR(expected(A).Ideal, fromASector(), 1e-6);
}

TEST(CountedLanes, HoweverTheLanesBelowAreSpelt) {
  for (const char *Rank : {
           "popc(m & ((1u << lane) - 1))",
           "popc(m & ~(~0u << lane))",
           "popc(m & ~(-1 << lane))",
           "popc(m & __nvvm_read_ptx_sreg_lanemask_lt())",
           "popc(below & m)",
           "popc(m & __nvvm_read_ptx_sreg_lanemask_le()) - 1",
           "popc(m << (31 - lane)) - 1",
           "popc(m << (32 - lane))",
           "popc(m & 0x7fffffffu >> (31 - lane))",
       })
    expectCompaction("unsigned m = ballot(full, x > 0);\n"
                     "if (x > 0) o[" +
                         std::string(Rank) + "] = x; // here",
                     fromASector());
  expectCompaction("unsigned m = ballot(full, x > 0), lt;\n"
                   "asm(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(lt));\n"
                   "if (x > 0) o[popc(m & lt)] = x; // here",
                   fromASector());
}

// Those above, as of who fills an array from its end.
TEST(CountedLanes, FromTheOtherSide) {
  expectCompaction("unsigned m = ballot(full, x > 0);\n"
                   "if (x > 0) o[popc(m & ~below) - 1] = x; // here",
                   fromASector());
  expectCompaction("unsigned m = ballot(full, x > 0);\n"
                   "if (x > 0) o[a[n] - popc(m & below)] = x; // here",
                   AnyPlace);
}

TEST(CountedLanes, AConditionAndItsOpposite) {
  expectCompaction("unsigned m = ballot(full, x <= 0);\n"
                   "if (x > 0) return;\n"
                   "o[popc(m & below)] = x; // here",
                   fromASector());
  expectCompaction("unsigned m = ballot(full, x > 0);\n"
                   "if (!(x > 0)) o[n] = 1; else\n"
                   "o[popc(m & below)] = x; // here",
                   fromASector());
}

// One atomic for the warp, whose result goes to all.
TEST(CountedLanes, WarpAggregatedAtomics) {
  expectCompaction("unsigned m = ballot(full, x > 0);\n"
                   "int base = 0;\n"
                   "if (lane == 0) base = atomicAdd(c, popc(m));\n"
                   "base = __shfl_sync(full, base, 0);\n"
                   "if (x > 0) o[base + popc(m & below)] = x; // here",
                   AnyPlace);
  expectCompaction("if (x > 0) {\n"
                   "  unsigned m = __nvvm_activemask();\n"
                   "  int leader = __builtin_ctz(m), base;\n"
                   "  if (lane == leader) base = atomicAdd(c, popc(m));\n"
                   "  base = __shfl_sync(m, base, leader);\n"
                   "  o[base + popc(m & below)] = x; // here\n"
                   "}",
                   AnyPlace);
  expectCompaction("if (t < n) {\n"
                   "  if (x > 0) {\n"
                   "    unsigned m = __nvvm_activemask();\n"
                   "    o[popc(m & below)] = x; // here\n"
                   "  }\n"
                   "}",
                   fromASector());
}

// Where in a sector each turn begins depends on all before it.
TEST(CountedLanes, Loops) {
  expectCompaction("int first = 0;\n"
                   "for (int i = 0; i < n; ++i) {\n"
                   "  int y = a[t + 32 * i];\n"
                   "  unsigned m = ballot(full, y > 0);\n"
                   "  if (y > 0) o[a[n] + popc(m & below)] = y; // here\n"
                   "  first += popc(m);\n"
                   "}\n",
                   AnyPlace);
}

TEST(CountedLanes, SharedMemory) {
  const Expectation X =
      expected(kernel("unsigned m = ballot(full, x > 0);\n"
                      "if (x > 0) s[popc(m & below)] = x; // here")
                   .sharedStore("here"));
  EXPECT_EQ(X.PerRequest, 1);
  EXPECT_EQ(X.Most, 1);
  // Rows of 32 words: all in one bank, as many as say yes.
  const Expectation Y =
      expected(kernel("unsigned m = ballot(full, x > 0);\n"
                      "if (x > 0) s[32 * popc(m & below)] = x; // here")
                   .sharedStore("here"));
  EXPECT_NEAR(Y.PerRequest, 16, 1e-6);
  EXPECT_EQ(Y.Most, 32);
}

// 31 lanes before the last one count, 15.5 on average: ranks from 0 to m, which
// are in floor(m / 8) + 1 sectors; m and 31 - m together in 5.
TEST(CountedLanes, RanksOfAllLanes) {
  const Access A = store("unsigned m = ballot(full, x > 0);\n"
                         "o[popc(m & below)] = x; // here");
  EXPECT_EQ(A.Cause, UnknownCause::LoadedData);
  const Expectation X = expected(A);
  EXPECT_NEAR(X.PerRequest, 2.5, 1e-9);
  EXPECT_EQ(X.Lanes, 32);
  EXPECT_EQ(X.Least, 1);
  EXPECT_EQ(X.Most, 4);
}

static std::string scanned(const std::string &Flag, const std::string &Store) {
  return "int f = " + Flag +
         ", r = f;\n"
         "for (int d = 1; d < 32; d *= 2) {\n"
         "  int y = __shfl_up_sync(full, r, d);\n"
         "  if (lane >= d) r += y;\n"
         "}\n" +
         Store;
}

// Sums of 0 and 1 are what lanes count.
TEST(CountedLanes, PrefixSumsByShuffles) {
  expectCompaction(scanned("x > 0", "if (f) o[r - 1] = x; // here"),
                   fromASector());
  expectCompaction(scanned("x > 0", "if (x > 0) o[r - f] = x; // here"),
                   fromASector());
  expectCompaction(scanned("0; if (a[t + 1] > 0 && x > 0) f = 1; else f = 0; "
                           "int g = f",
                           "if (f) o[r - 1] = x; // here"),
                   fromASector());
  EXPECT_NEAR(
      expected(store(scanned("x > 0", "o[r - f] = x; // here"))).PerRequest,
      2.5, 1e-9);
}

// Sums of any numbers are sorted, or not, and nobody knows how far apart.
TEST(CountedLanes, PrefixSumsOfData) {
  expectNothing(scanned("x", "o[r] = x; // here"));
  expectNothing(scanned("x & 3", "o[r] = x; // here"));
  // Not all of the sum: pairs.
  expectNothing("int f = x > 0, r = f, y = __shfl_up_sync(full, r, 1);\n"
                "if (lane >= 1) r += y;\n"
                "o[r] = x; // here");
}

// Others than those who are counted access.
TEST(CountedLanes, WhoAccessesIsNotWhoCounts) {
  for (const char *Statement : {
           "if (x > 1) o[popc(m & below)] = x; // here",
           "if (x <= 0) o[popc(m & below)] = x; // here",
           "if (a[t + 1] > 0) o[popc(m & below)] = x; // here",
           "if (x > 0) if (a[t + 1]) o[popc(m & below)] = x; // here",
           "if (x > 0 && t % 2) o[popc(m & below)] = x; // here",
           "if (x > 0 || a[t + 1]) o[popc(m & below)] = x; // here",
           "if (x > 0) if (popc(m & below) < n) o[popc(m & below)] = x; // "
           "here",
       })
    expectNothing("unsigned m = ballot(full, x > 0);\n" +
                  std::string(Statement));
}

// What is added to the rank is not the same for all, or depends on it.
TEST(CountedLanes, MoreThanTheRank) {
  for (const char *Index : {
           "popc(m & below) + lane",
           "popc(m & below) + a[t + 1]",
           "popc(m & below) * 2 + popc(m & ~below)",
           "popc(m & below) + popc(m) / 2",
           "popc(m & below) + (m & 7)",
           "popc(m & below) + __builtin_ctz(m)",
           "popc(m & below) / 2",
           "(x > 5 ? popc(m & below) : 0)",
       })
    expectNothing("unsigned m = ballot(full, x > 0);\n"
                  "if (x > 0) o[" +
                  std::string(Index) + "] = x; // here");
}

// Votes of others, of groups, or of no lanes that data picks.
TEST(CountedLanes, MasksThatAreNoVoteOfTheWarp) {
  for (const char *Mask : {
           "s[t / 32]",              // what some warp has stored
           "(unsigned)a[t / 32]",    //
           "ballot(0xffffu, x > 0)", // not all that are there
           "ballot(lane < 16 ? 0xffffu : 0xffff0000u, x > 0)",
           "ballot(below, x > 0)",
           "ballot(full, x > 0) ^ 1u",
           "(unsigned)x",
       })
    expectNothing("unsigned m = " + std::string(Mask) +
                  ";\nif (x > 0) o[popc(m & below)] = x; // here");
  // Halves of a warp count on their own.
  expectNothing("unsigned m = ballot(full, x > 0);\n"
                "if (x > 0) o[popc(m & below & (lane < 16 ? 0xffffu : "
                "0xffff0000u))] = x; // here");
  // Bits shifted the other way.
  expectNothing("unsigned m = ballot(full, x > 0);\n"
                "if (x > 0) o[popc((m >> 1) & below)] = x; // here");
}

// A vote of an earlier turn, and lanes that come together from other places.
TEST(CountedLanes, OtherLanesThanThen) {
  expectNothing("unsigned m = 0;\n"
                "for (int i = 0; i < n; ++i) {\n"
                "  int y = a[t + 32 * i];\n"
                "  if (y > 0) o[popc(m & below)] = y; // here\n"
                "  m = ballot(full, y > 0);\n"
                "}\n");
  expectNothing("unsigned m = 0;\n"
                "if (x > 0) m = __nvvm_activemask();\n"
                "if (a[t + 1] > 0) o[popc(m & below)] = x; // here");
}

// Bounds are no data: who votes for one is nobody that data picks.
TEST(CountedLanes, AVoteOnABound) {
  expectNothing("unsigned m = ballot(full, t < n);\n"
                "if (t < n) o[popc(m & below)] = x; // here");
  expectCompaction("bool p = t < n && x > 0;\n"
                   "unsigned m = ballot(full, p);\n"
                   "if (p) o[popc(m & below)] = x; // here",
                   fromASector());
}

// A known vote is one as before.
TEST(CountedLanes, KnownVotes) {
  const Access A = store("unsigned m = ballot(full, t & 1);\n"
                         "if (t & 1) o[popc(m & below)] = x; // here");
  EXPECT_NE(A.Trust, Certainty::Unknown);
  EXPECT_TRUE(costs(A, {.PerRequest = 2, .Ideal = 2, .Ways = {}, .Lanes = 16}));
}

// What one lane has, whatever it is, all have afterwards.
TEST(CountedLanes, AShuffleOfOneLane) {
  const Access A = store("int y = __shfl_sync(full, x, 5);\n"
                         "o[32 * y + lane] = x; // here");
  EXPECT_TRUE(costs(A, {.PerRequest = 4, .Ideal = 4}));
  expectNothing("int y = __shfl_sync(full, x, x);\n"
                "o[32 * y + lane] = x; // here");
  expectNothing("int y = __shfl_sync(lane < 16 ? 0xffffu : 0xffff0000u, x,\n"
                "                    n);\n"
                "o[32 * y + lane] = x; // here");
}

// An index that may be what lanes told each other is no draw of its own.
TEST(CountedLanes, ARankOrElse) {
  expectNothing("unsigned m = ballot(full, x > 0);\n"
                "int r = x;\n"
                "if (a[t + 1]) r = popc(m & below) * 64;\n"
                "o[r] = x; // here");
}

// Hostile: votes in loops that turn as often as any is run.
TEST(CountedLanes, ManyVotes) {
  const Access A = store("for (int i = 0; i < 100000; ++i) {\n"
                         "  int y = a[t + 32 * i];\n"
                         "  unsigned m = ballot(full, y > 0);\n"
                         "  if (y > 0) o[popc(m & below)] = y; // here\n"
                         "}\n");
  EXPECT_EQ(A.Trust, Certainty::Unknown);
}

} // namespace CountedLanesTests
