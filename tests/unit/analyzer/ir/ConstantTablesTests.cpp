//===- tests/unit/analyzer/ir/ConstantTablesTests.cpp - Tables ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tables that the program writes down. nvcc 13.0 loads from those that are not
/// `__constant__` with LDG, from global memory, and keeps what is indexed by
/// constants in instructions: both read from its code.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace ConstantTablesTests {

using namespace cudalint;
using testing::IsEmpty;
using testing::SizeIs;

static Evaluated withTables(const std::string &Body, const Setting &S = {}) {
  return evaluate("constexpr __device__ int Constexpr[64] = {3, 1, 4, 1, 5};\n"
                  "static __device__ const int Const[64] = {3, 1, 4, 1, 5};\n"
                  "static __constant__ int Fixed[64] = {3, 1, 4, 1, 5};\n"
                  "__global__ void k(int *out, int n) {\n"
                  "  static constexpr int Local[64] = {3, 1, 4, 1, 5};\n"
                  "  int t = threadIdx.x, x = 0;\n" +
                      Body + "\n  out[t] = x;\n}\n",
                  S);
}

// Each second of 64 words, 32 lanes: 256 bytes are 8 sectors.
TEST(ConstantTables, LanesLoadFromGlobalMemory) {
  for (const char *Table : {"Constexpr", "Const", "Local"}) {
    const Access A = withTables("x = " + std::string(Table) + "[2 * (t % 32)];")
                         .globalLoad();
    EXPECT_TRUE(costs(A, {.PerRequest = 8, .Ideal = 4})) << Table;
    EXPECT_EQ(A.Bytes, 4u);
  }
}

TEST(ConstantTables, ButNotFromWhatTheUserPutIntoConstantMemory) {
  withTables("x = Fixed[t % 32];").only(MemorySpace::Constant, AccessOp::Load);
}

// `int Step = 4;` in constant memory is 4 unless host code may set it.
TEST(ConstantTables, WhatHostCodeNamesIsNotKnown) {
  auto Store = [](const std::string &Host) {
    return evaluate("__constant__ int Step = 4;\n"
                    "__device__ int helper() { return Step; }\n"
                    "__global__ void k(int *out) {\n"
                    "  out[threadIdx.x * helper()] = 1; // it\n}\n" +
                    Host)
        .only(MemorySpace::Global, AccessOp::Store, "// it");
  };
  EXPECT_TRUE(costs(Store(""), {.PerRequest = 16, .Ideal = 4}));
  EXPECT_TRUE(costs(Store("int size() { return sizeof(Step); }"),
                    {.PerRequest = 16, .Ideal = 4}));
  EXPECT_EQ(Store("void set(const void *); void f() { set(&Step); }").Trust,
            Certainty::Unknown);
}

TEST(ConstantTables, ATurnThatOnlyTheRunCountsIsLoaded) {
  const Access A =
      withTables("for (int j = 0; j < n; ++j) x += Const[j] * t;").globalLoad();
  EXPECT_TRUE(costs(A, {.PerRequest = 1, .Ideal = 1}));
}

TEST(ConstantTables, WhatIsIndexedByConstantsIsNotLoaded) {
  for (const char *Body :
       {"x = Const[3];", "for (int j = 0; j < 8; ++j) x += Constexpr[j] * t;"})
    EXPECT_THAT(withTables(Body, {.Expected = true})
                    .all(MemorySpace::Global, AccessOp::Load),
                IsEmpty())
        << Body;
}

// Eight turns, written out: the eight instructions are of the array.
TEST(ConstantTables, InstructionsAreOfWhatIsLoaded) {
  Setting S;
  MachineInstruction I;
  I.Name = "LDG";
  I.Space = MemorySpace::Global;
  I.Bytes = 4;
  I.Frames = {{.File = "kernel.cu", .Line = 7}};
  S.Code.emplace(8, I);
  const std::vector<Access> All =
      withTables("for (int j = 0; j < 8; ++j) x += Const[j] * out[t + 32 * j];",
                 S)
          .all(MemorySpace::Global, AccessOp::Load);
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_TRUE(costs(All[0], {.PerRequest = 4, .Ideal = 4}));
  EXPECT_THAT(All[0].Instructions, SizeIs(8));
}

} // namespace ConstantTablesTests
