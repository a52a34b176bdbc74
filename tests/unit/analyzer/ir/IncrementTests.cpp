//===- tests/unit/analyzer/ir/IncrementTests.cpp - Atomics that count -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which atomics on shared memory nvcc makes ATOMS.POPC.INC of: what is
/// expected here is what the code has that nvcc 13.0 makes of these statements.
/// Eight words are shared by four lanes each. Lanes of a word that are counted
/// take one access together, 1 wavefront; else they take turns, 4 wavefronts.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

namespace IncrementTests {

using namespace cudalint;

static Access atomicOf(const std::string &Statement,
                       ComputeCapability CC = {9, 0}) {
  Setting S;
  S.CC = CC;
  S.Block = {32, 1, 1};
  return evaluate("__global__ void k(int *o, int n) {\n"
                  "  __shared__ int s[256];\n"
                  "  int i = threadIdx.x / 4;\n  " +
                      Statement +
                      " // it\n"
                      "  __syncthreads();\n"
                      "  o[threadIdx.x] = s[threadIdx.x];\n}\n",
                  S)
      .only(MemorySpace::Shared, AccessOp::Atomic, "// it");
}

static testing::AssertionResult isCounted(const Access &A) {
  if (A.Kind != RequestKind::Increment)
    return testing::AssertionFailure() << "no increment";
  return costs(A, {1, 1, 1});
}

static testing::AssertionResult takesTurns(const Access &A) {
  if (A.Kind == RequestKind::Increment)
    return testing::AssertionFailure() << "an increment";
  return costs(A, {4, 1, 4});
}

TEST(Increments, OfOneByEachNameThatItHas) {
  EXPECT_TRUE(isCounted(atomicOf("atomicAdd(s + i, 1);")));
  EXPECT_TRUE(isCounted(atomicOf("atomicSub(s + i, -1);")));
  EXPECT_TRUE(isCounted(atomicOf("atomicInc((unsigned *)s + i, ~0u);")));
  EXPECT_TRUE(isCounted(atomicOf("int one = n > 0 ? 1 : 1; "
                                 "atomicAdd(s + i, one);")));
}

TEST(Increments, NotWhereAnotherNumberIsAdded) {
  EXPECT_TRUE(takesTurns(atomicOf("atomicAdd(s + i, 2);")));
  EXPECT_TRUE(takesTurns(atomicOf("atomicAdd(s + i, -1);")));
  EXPECT_TRUE(takesTurns(atomicOf("atomicSub(s + i, 1);")));
  EXPECT_TRUE(takesTurns(atomicOf("atomicAdd(s + i, n);")));
  EXPECT_TRUE(takesTurns(atomicOf("atomicInc((unsigned *)s + i, 7u);")));
}

TEST(Increments, NotWhereTheOldValueIsUsed) {
  EXPECT_TRUE(takesTurns(atomicOf("o[n + i] = atomicAdd(s + i, 1);")));
  EXPECT_TRUE(takesTurns(atomicOf("if (atomicAdd(s + i, 1) == 5) o[0] = 1;")));
}

TEST(Increments, OfDifferentWordsMeetInBanksAllTheSame) {
  // Eight words, 32 words apart: all in one bank.
  EXPECT_TRUE(costs(atomicOf("atomicAdd(s + 32 * i, 1);"), {8, 1, 8}));
}

TEST(Increments, FromComputeCapability80On) {
  EXPECT_TRUE(takesTurns(atomicOf("atomicAdd(s + i, 1);", {7, 5})));
  for (const ComputeCapability CC :
       {ComputeCapability{8, 0}, ComputeCapability{8, 6},
        ComputeCapability{10, 0}, ComputeCapability{12, 0}})
    EXPECT_TRUE(isCounted(atomicOf("atomicAdd(s + i, 1);", CC)))
        << toString(CC);
}

// Two values for each lane, and lanes at one word take turns.
TEST(Increments, CompareAndSwapIsNone) {
  const Access A = atomicOf("atomicCAS(s + i, n, 1);");
  EXPECT_EQ(A.Kind, RequestKind::CompareAndSwap);
  EXPECT_TRUE(costs(A, {8, 2, 4}));
  EXPECT_TRUE(costs(atomicOf("atomicCAS(s + threadIdx.x, n, 1);"), {2, 2, 1}));
}

TEST(Increments, OnGlobalMemoryAreOrdinaryAtomics) {
  const Access A = evaluate("__global__ void k(int *o) {\n"
                            "  atomicAdd(o + threadIdx.x, 1);\n}\n")
                       .only(MemorySpace::Global, AccessOp::Atomic);
  EXPECT_NE(A.Kind, RequestKind::Increment);
  EXPECT_TRUE(costs(A, {4, 4}));
}

} // namespace IncrementTests
