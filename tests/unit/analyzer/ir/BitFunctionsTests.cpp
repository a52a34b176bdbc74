//===- tests/unit/analyzer/ir/BitFunctionsTests.cpp - Bits ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integer intrinsics of known operands. Expected values are worked out by hand
/// from the PTX manual.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/BitFunctions.h"

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace BitFunctionsTests {

using namespace cudalint;

static std::uint64_t call(const char *Name, std::uint64_t X,
                          std::uint64_t Y = 0, std::uint64_t Z = 0,
                          unsigned Bits = 32) {
  const BitFunction *F = findBitFunction(Name);
  if (!F) {
    ADD_FAILURE() << Name;
    return 0;
  }
  const std::uint64_t R = F->Compute({X, Y, Z}, Bits);
  return Bits == 64 ? R : R & ((std::uint64_t(1) << Bits) - 1);
}

TEST(BitFunctions, BytePerm) {
  for (const char *Name : {"__nv_byte_perm", "llvm.nvvm.prmt"}) {
    // The identity, the other word, and all bytes backwards.
    EXPECT_EQ(call(Name, 0x33221100, 0x77665544, 0x3210), 0x33221100u);
    EXPECT_EQ(call(Name, 0x33221100, 0x77665544, 0x7654), 0x77665544u);
    EXPECT_EQ(call(Name, 0x33221100, 0x77665544, 0x0123), 0x00112233u);
    EXPECT_EQ(call(Name, 0x33221100, 0x77665544, 0x4321), 0x44332211u);
  }
}

// prmt spreads the sign of a byte where the highest bit of its selector is set.
// __byte_perm has selectors of three bits: libdevice clears the fourth, with
// `and i32 %c, 30583`.
TEST(BitFunctions, BytePermSigns) {
  EXPECT_EQ(call("llvm.nvvm.prmt", 0x00008040, 0, 0x98), 0x4040ff00u);
  EXPECT_EQ(call("__nv_byte_perm", 0x00008040, 0, 0x98), 0x40408040u);
  EXPECT_EQ(call("llvm.nvvm.prmt", 0x00f8, 0, 0x4448), 0x000000ffu);
  EXPECT_EQ(call("__nv_byte_perm", 0x00f8, 0, 0x4448), 0x000000f8u);
}

TEST(BitFunctions, HighHalvesOfProducts) {
  EXPECT_EQ(call("__nv_umulhi", 0x80000000, 6), 3u);
  EXPECT_EQ(call("__nv_umulhi", 0xffffffff, 0xffffffff), 0xfffffffeu);
  EXPECT_EQ(call("__nv_mulhi", 0xffffffff, 0xffffffff), 0u);
  EXPECT_EQ(call("__nv_mulhi", 0xffffffff, 1), 0xffffffffu);
  EXPECT_EQ(call("llvm.nvvm.mulhi.i", 1 << 20, 1 << 20), 1u << 8);
  EXPECT_EQ(call("__nv_umul64hi", 1ull << 63, 10, 0, 64), 5u);
  EXPECT_EQ(call("__nv_mul64hi", ~0ull, 1, 0, 64), ~0ull);
}

TEST(BitFunctions, FunnelShifts) {
  EXPECT_EQ(call("llvm.fshl.i32", 0x12345678, 0x9abcdef0, 8), 0x3456789au);
  EXPECT_EQ(call("llvm.fshr.i32", 0x12345678, 0x9abcdef0, 8), 0x789abcdeu);
  // By the remainder of the width: none at all.
  EXPECT_EQ(call("llvm.fshl.i32", 1, 2, 32), 1u);
  EXPECT_EQ(call("llvm.fshr.i32", 1, 2, 64), 2u);
}

TEST(BitFunctions, Differences) {
  EXPECT_EQ(call("__nv_sad", 3, 5, 10), 12u);
  EXPECT_EQ(call("__nv_sad", 0xffffffff, 1, 0), 2u);
  EXPECT_EQ(call("__nv_usad", 0xffffffff, 1, 0), 0xfffffffeu);
}

TEST(BitFunctions, Means) {
  EXPECT_EQ(call("__nv_hadd", 3, 4), 3u);
  EXPECT_EQ(call("__nv_rhadd", 3, 4), 4u);
  EXPECT_EQ(call("__nv_hadd", 0xfffffffd, 0), 0xfffffffeu); // -3 / 2 is -2
  EXPECT_EQ(call("__nv_uhadd", 0xffffffff, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(call("__nv_urhadd", 0xffffffff, 0), 0x80000000u);
}

TEST(BitFunctions, Counts) {
  EXPECT_EQ(call("llvm.ctlz.i32", 1), 31u);
  EXPECT_EQ(call("llvm.ctlz.i16", 1, 0, 0, 16), 15u);
  EXPECT_EQ(call("llvm.cttz.i32", 0), 32u);
  EXPECT_EQ(call("__nv_ffs", 8), 4u);
  EXPECT_EQ(call("__nv_ffs", 0), 0u);
  EXPECT_EQ(call("llvm.bitreverse.i8", 0x13, 0, 0, 8), 0xc8u);
  EXPECT_EQ(call("llvm.bswap.i32", 0x11223344), 0x44332211u);
}

TEST(BitFunctions, WhatIsNotKnown) {
  EXPECT_EQ(findBitFunction("__nv_sinf"), nullptr);
  EXPECT_EQ(findBitFunction("llvm.nvvm.barrier0"), nullptr);
  EXPECT_EQ(findBitFunction("llvm"), nullptr);
}

// In a kernel: lane t at word t / 2, and what an index takes for granted is
// not lost on the way.
TEST(BitFunctions, InAnIndex) {
  const Evaluated E = evaluate(R"(
extern "C" __device__ unsigned __nv_umulhi(unsigned, unsigned);
extern "C" __device__ int __nv_abs(int);
__global__ void k(float *o) {
  o[__nv_umulhi(threadIdx.x, 1u << 31)] = 1; // half
  o[__nv_abs((int)threadIdx.x - 16)] = 2; // both sides
}
)",
                               {.Block = {32, 1, 1}});
  EXPECT_TRUE(costs(E.globalStore("// half"), {2, 2}));
  // Words 0 to 16: 17 words in 3 sectors.
  EXPECT_TRUE(costs(E.globalStore("// both sides"), {3, 3}));
}

// Lane t at word 32 * t: all in one bank. Were signs spread, 1.
TEST(BitFunctions, BytePermInAnIndex) {
  const Evaluated E = evaluate(R"(
extern "C" __device__ int __nv_byte_perm(int, int, int);
__global__ void k(float *o) {
  __shared__ float s[4096];
  s[__nv_byte_perm(threadIdx.x << 3, 0, 0x4448) * 4 & 4095] = 1; // permuted
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
)",
                               {.Block = {32, 1, 1}});
  EXPECT_TRUE(costs(E.sharedStore("// permuted"), {32, 1, 32}));
}

} // namespace BitFunctionsTests
