//===- tests/unit/analyzer/ir/PowerValuesTests.cpp - Powers of two --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What accesses cost by a power of two that only the run knows, counted by
/// hand: banks are words modulo 32, sectors are 8 floats.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace PowerValuesTests {

using namespace cudalint;
using testing::Contains;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::Pair;

/// Powers and costs; empty where the access has none by power.
static std::vector<std::pair<std::int64_t, double>> byPower(const Access &A) {
  std::vector<std::pair<std::int64_t, double>> Out;
  if (A.ByPower)
    for (const PowerCost &Each : A.ByPower->Values)
      Out.emplace_back(Each.Power, Each.PerRequest);
  return Out;
}

static double costAt(const Access &A, std::int64_t Power) {
  for (const auto &[Each, Cost] : byPower(A))
    if (Each == Power)
      return Cost;
  return -1;
}

// Lanes that are v words apart, v a power of two up to 32, meet v by v. With 32
// words, thread 255 would be at word 8160 of 4096.
TEST(PowerValues, aStrideIsLookedAtAsFarAsTheArrayReaches) {
  const Access A = evaluate("__global__ void k(float *o, int n) {\n"
                            "  __shared__ float s[4096];\n"
                            "  s[threadIdx.x * (1 << n)] = o[threadIdx.x];\n"
                            "  __syncthreads();\n"
                            "  o[threadIdx.x] = s[threadIdx.x];\n"
                            "}\n")
                       .sharedStore();
  EXPECT_FALSE(A.Predicted) << toString(A);
  EXPECT_EQ(A.Trust, Certainty::Unknown);
  EXPECT_EQ(A.Cause, UnknownCause::RunTimeValue);
  EXPECT_THAT(byPower(A), ElementsAre(Pair(1, 1), Pair(2, 2), Pair(4, 4),
                                      Pair(8, 8), Pair(16, 16)));
  ASSERT_TRUE(A.ByPower);
  EXPECT_EQ(A.ByPower->Symbol, "1 << n");
  // That it is a power of two is no assumption: it is written there.
  EXPECT_THAT(A.ByPower->Assumptions, ElementsAre("'1 << n' is 16 at most"));
}

// Half of the words of 64 are read, in runs of `half`. Up to 16, words that are
// 32 apart are both among them: two for each of 16 banks. From 32 on, a warp
// reads 32 words in a row. Word 255 + 512 fits, 255 + 1024 does not.
TEST(PowerValues, aStageOfATransformConflictsWhileItIsShorterThanAWarp) {
  const Evaluated E =
      evaluate("__global__ void k(float *o, int stage) {\n"
               "  __shared__ float s[1024];\n"
               "  int t = threadIdx.x, half = 1 << stage;\n"
               "  int lo = ((t >> stage) << (stage + 1)) + (t & (half - 1));\n"
               "  s[t] = o[t];\n"
               "  __syncthreads();\n"
               "  o[t] = s[lo + half]; // here\n"
               "}\n");
  const Access A = E.sharedLoad("here");
  ASSERT_TRUE(A.ByPower) << toString(A);
  for (std::int64_t Half : {1, 2, 4, 8, 16})
    EXPECT_EQ(costAt(A, Half), 2) << Half;
  for (std::int64_t Half : {32, 64, 128, 256, 512})
    EXPECT_EQ(costAt(A, Half), 1) << Half;
  EXPECT_EQ(costAt(A, 1024), -1);
  // What does not depend on it is as it was.
  const Access Store = E.sharedStore();
  EXPECT_EQ(Store.Trust, Certainty::Exact) << toString(Store);
  EXPECT_FALSE(Store.ByPower);
}

// n different floats, 8 in a sector, 32 lanes at most.
TEST(PowerValues, aMaskMakesFewAddressesOfManyLanes) {
  const Access A =
      evaluate("__global__ void k(float *o, const float *in, int n) {\n"
               "  o[threadIdx.x] = in[threadIdx.x & (n - 1)];\n"
               "}\n")
          .globalLoad();
  EXPECT_EQ(costAt(A, 1), 1);
  EXPECT_EQ(costAt(A, 8), 1);
  EXPECT_EQ(costAt(A, 16), 2);
  EXPECT_EQ(costAt(A, 32), 4);
  EXPECT_EQ(costAt(A, 32768), 4);
  // The code does not say that it is one: it is taken to be.
  ASSERT_TRUE(A.ByPower);
  EXPECT_THAT(A.ByPower->Assumptions,
              Contains("'n' is a power of two, 32768 at most"));
  // The number for a large size has bounds that hold for the small ones.
  ASSERT_TRUE(A.Predicted && A.Predicted->Least) << toString(A);
  EXPECT_EQ(A.Predicted->PerRequest, 4);
  EXPECT_EQ(A.Predicted->Least, 1);
}

static const char Halved[] = "__global__ void k(float *a, int n) {\n"
                             "  for (int d = n / 2; d > 0; d /= 2) {\n"
                             "    __syncthreads();\n"
                             "    if (threadIdx.x < d)\n"
                             "      a[threadIdx.x] += a[threadIdx.x + d];\n"
                             "  }\n"
                             "}\n";

// n = 64: 32, 16, 8, 4, 2 and 1 lanes of the first warp store to 4, 2, 1, 1, 1
// and 1 sectors. n = 128: before that, two warps with all lanes, 4 sectors for
// each. Whatever n is, all lanes in all turns it is not.
TEST(PowerValues, notAllLanesAreInALoopThatHalves) {
  const Access A = evaluate(Halved).globalStore();
  EXPECT_THAT(costAt(A, 64), DoubleEq(10.0 / 6));
  EXPECT_THAT(costAt(A, 128), DoubleEq(18.0 / 8));
  EXPECT_EQ(costAt(A, 2), 1);
  // With n = 1 the loop does not turn.
  EXPECT_EQ(costAt(A, 1), -1);
  EXPECT_FALSE(A.Predicted) << toString(A);
}

// A launch that passes `1 << n` says what the kernel does not: lanes that are
// so many words apart. 255 * 2 fits 512 words, 255 * 4 does not.
TEST(PowerValues, aLaunchMaySayThatItIsOne) {
  Setting S;
  S.Powers = {1};
  const Access A = evaluate("__global__ void k(float *o, int pitch) {\n"
                            "  __shared__ float s[512];\n"
                            "  s[threadIdx.x * pitch] = o[threadIdx.x];\n"
                            "  __syncthreads();\n"
                            "  o[threadIdx.x] = s[threadIdx.x];\n"
                            "}\n",
                            S)
                       .sharedStore();
  EXPECT_THAT(byPower(A), ElementsAre(Pair(1, 1), Pair(2, 2)));
  ASSERT_TRUE(A.ByPower);
  EXPECT_THAT(A.ByPower->Assumptions, ElementsAre("'pitch' is 2 at most"));
}

TEST(PowerValues, aGivenArgumentIsNotLookedFor) {
  Setting S;
  S.Arguments = {std::nullopt, 64};
  const Access A = evaluate(Halved, S).globalStore();
  EXPECT_FALSE(A.ByPower);
  ASSERT_TRUE(A.Predicted) << toString(A);
  EXPECT_THAT(A.Predicted->PerRequest, DoubleEq(10.0 / 6));
}

// Groups of 1 << n threads are turned round: each warp reads 32 different words
// in a row, whatever n is. With 512, thread 0 would read word 511 of 256.
TEST(PowerValues, whatCostsTheSameForAllIsANumber) {
  const Access A =
      evaluate("__global__ void k(float *o, int n) {\n"
               "  __shared__ float s[256];\n"
               "  int t = threadIdx.x, size = 1 << n;\n"
               "  s[t] = o[t];\n"
               "  __syncthreads();\n"
               "  o[t] = s[((t >> n) << n) + size - 1 - (t & (size - 1))];\n"
               "}\n")
          .sharedLoad();
  EXPECT_TRUE(costs(A, {1, 1}));
  EXPECT_EQ(A.Trust, Certainty::Assumed);
  EXPECT_THAT(A.Assumptions, Contains("'1 << n' is 256 at most"));
  EXPECT_FALSE(A.ByPower);
}

// 2 * s = 2: every second lane, all 4 sectors of the warp. 2 * s = 16: lanes 0
// and 16, two sectors. From 32 on, one lane. Each lane needs 4 bytes.
TEST(PowerValues, lanesThatAddUpGetFewer) {
  const Access A = evaluate("__global__ void k(float *a, int s) {\n"
                            "  if (threadIdx.x % (2 * s) == 0)\n"
                            "    a[threadIdx.x] += a[threadIdx.x + s];\n"
                            "}\n")
                       .globalStore();
  EXPECT_EQ(costAt(A, 1), 4);
  EXPECT_EQ(costAt(A, 4), 4);
  EXPECT_EQ(costAt(A, 8), 2);
  EXPECT_EQ(costAt(A, 16), 1);
  EXPECT_EQ(costAt(A, 128), 1);
}

// The lower ones of pairs that are `half` apart. Up to 4, some lane is in each
// of the 4 sectors; with 8 and 16, half of the sectors have all lanes and the
// others none; from 32 on, whole warps have all lanes or none.
TEST(PowerValues, halfOfTheLanesExchange) {
  const Access A = evaluate("__global__ void k(float *o, int half) {\n"
                            "  int t = threadIdx.x;\n"
                            "  if ((t ^ half) > t)\n"
                            "    o[t] = 1;\n"
                            "}\n")
                       .globalStore();
  for (std::int64_t Half : {1, 2, 4})
    EXPECT_EQ(costAt(A, Half), 4) << Half;
  for (std::int64_t Half : {8, 16})
    EXPECT_EQ(costAt(A, Half), 2) << Half;
  for (std::int64_t Half : {32, 128, 256})
    EXPECT_EQ(costAt(A, Half), 4) << Half;
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

TEST(PowerValues, anyOtherStrideStaysAStride) {
  const Access A = evaluate("__global__ void k(float *o, int n) {\n"
                            "  extern __shared__ float s[];\n"
                            "  o[threadIdx.x] = s[threadIdx.x * n];\n"
                            "}\n")
                       .sharedLoad();
  EXPECT_FALSE(A.ByPower);
  EXPECT_TRUE(A.Stride);
}

// Two words at an odd pitch would fault: it tells nothing of what they cost.
TEST(PowerValues, aStrideThatFaultsIsNoAnswer) {
  const Access A =
      evaluate("__global__ void k(float2 *o, int n) {\n"
               "  extern __shared__ float s[];\n"
               "  o[threadIdx.x] = *(float2 *)(s + threadIdx.x * n);\n"
               "}\n")
          .sharedLoad();
  ASSERT_TRUE(A.Stride);
  const std::vector<double> &Costs = A.Stride->PerRequest;
  EXPECT_EQ(Costs[2], 2);
  EXPECT_EQ(Costs[1], *std::ranges::max_element(Costs));
  EXPECT_EQ(Costs[3], Costs[1]);
}

// n - 1 that is no mask, n that is halved once, and a set of bits.
TEST(PowerValues, otherUsesSayNothingOfIt) {
  for (const char *Index :
       {"(threadIdx.x * (n - 1))", "(threadIdx.x * (n / 2))",
        "((threadIdx.x & n) * 3)", "((threadIdx.x ^ 5) * n)"}) {
    const Access A =
        evaluate("__global__ void k(float *o, const float *in, int n) {\n"
                 "  o[threadIdx.x] = in[" +
                 std::string(Index) + "];\n}\n")
            .globalLoad();
    EXPECT_FALSE(A.ByPower) << Index;
  }
}

// Which lanes take part is data: no power tells.
TEST(PowerValues, loadedDataStaysUnknown) {
  const Access A =
      evaluate("__global__ void k(float *o, const int *in, int n) {\n"
               "  o[in[threadIdx.x] << n] = 1;\n"
               "}\n")
          .globalStore();
  EXPECT_FALSE(A.ByPower) << toString(A);
  EXPECT_FALSE(A.Predicted);
}

//===----------------------------------------------------------------------===//
// Sizes of other launches
//===----------------------------------------------------------------------===//

TEST(PowerValues, whatIsOneInAnotherLaunchIsNotTakenToBeLarge) {
  const std::string Source =
      "__global__ void k(float *o, const float *in, int pitch) {\n"
      "  o[threadIdx.x] = in[threadIdx.x * pitch];\n"
      "}\n";
  const Access Large = evaluate(Source).globalLoad();
  ASSERT_TRUE(Large.Predicted);
  EXPECT_EQ(Large.Predicted->PerRequest, 32);
  EXPECT_THAT(Large.Assumptions, Contains("'pitch' is 8 or more"));
  Setting S;
  S.SmallElsewhere = {2};
  const Access Open = evaluate(Source, S).globalLoad();
  EXPECT_FALSE(Open.Predicted) << toString(Open);
  EXPECT_EQ(Open.Cause, UnknownCause::RunTimeValue);
  // Another parameter's position is none of its business.
  S.SmallElsewhere = {0, 1};
  EXPECT_TRUE(evaluate(Source, S).globalLoad().Predicted);
}

} // namespace PowerValuesTests
