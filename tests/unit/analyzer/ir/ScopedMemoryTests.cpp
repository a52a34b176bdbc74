//===- tests/unit/analyzer/ir/ScopedMemoryTests.cpp - Blocks --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Atomics of a block or of the system cost what those of the device do, and
/// the shared memory of another block of the cluster is not the grid's global
/// memory. Numbers are counted by hand: sectors of 32 bytes, banks of 4 bytes.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace ScopedMemoryTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static Evaluated warp(const std::string &Text) {
  return evaluate("__global__ void k(int *o, float *f, int n) {\n"
                  "  __shared__ int s[1024];\n"
                  "  __shared__ float r[1024];\n"
                  "  int t = threadIdx.x;\n" +
                      Text +
                      "\n  __syncthreads();\n  o[t] = s[t] + r[t]; // end\n}\n",
                  {.Block = {32, 1, 1}});
}

static Access sharedAtomic(const std::string &Text) {
  return warp(Text + " // it")
      .only(MemorySpace::Shared, AccessOp::Atomic, "// it");
}

TEST(ScopedAtomics, InSharedMemory) {
  EXPECT_TRUE(
      costs(sharedAtomic("atomicAdd_block(s + t * 32, 5);"), {32, 1, 32}));
  EXPECT_TRUE(
      costs(sharedAtomic("atomicMax_system(s + t * 8, n);"), {8, 1, 8}));
  EXPECT_TRUE(
      costs(sharedAtomic("o[t] = atomicExch_block(s + t * 2, n);"), {2, 1, 2}));
  EXPECT_TRUE(costs(sharedAtomic("o[t] = atomicCAS_block(s + t * 4, 1, n);"),
                    {8, 2, 4}));
  EXPECT_EQ(sharedAtomic("atomicAdd_block(s + t, 1);").Kind,
            RequestKind::Increment);
}

// As without a scope: a loop, of which nobody knows the turns.
TEST(ScopedAtomics, OfFloatsInSharedMemory) {
  const Access A = sharedAtomic("atomicAdd_block(r + t, 1.0f);");
  EXPECT_EQ(A.Trust, Certainty::Unknown);
  EXPECT_THAT(A.WhyUnknown, HasSubstr("compares and swaps"));
}

/// An atomic of inline PTX, 8 lanes to an element of 4 bytes.
static Access ofPtx(const std::string &Instruction,
                    const char *Value = "r\"(n)") {
  return sharedAtomic(
      "asm volatile(\"" + Instruction +
      " [%0], %1;\" :: \"r\"((unsigned)(size_t)"
      "(__attribute__((address_space(3))) int *)(s + t / 8)), \"" +
      Value + ");");
}

// The same instructions as those that the functions make.
TEST(ScopedAtomics, OfInlinePtx) {
  EXPECT_TRUE(costs(ofPtx("red.shared.add.u32"), {8, 1, 8}));
  EXPECT_TRUE(costs(
      sharedAtomic("asm volatile(\"atom.shared.cas.b32 %0, [%1], "
                   "%2, %3;\" : \"=r\"(o[t]) : \"r\"((unsigned)(size_t)"
                   "(__attribute__((address_space(3))) int *)(s + t / 8)), "
                   "\"r\"(n), \"r\"(n));"),
      {16, 2, 8}));
  for (const char *Loop : {"red.shared.add.f32", "red.shared.add.noftz.f16x2"})
    EXPECT_THAT(ofPtx(Loop, "f\"(1.0f)").WhyUnknown,
                HasSubstr("compares and swaps"))
        << Loop;
}

TEST(ScopedAtomics, InGlobalMemory) {
  const Evaluated E = warp("atomicAdd_block(o + t * 8, 5); // a\n"
                           "atomicAdd_block(f + t, 5.0f); // b");
  EXPECT_TRUE(
      costs(E.only(MemorySpace::Global, AccessOp::Atomic, "// a"), {32, 4}));
  EXPECT_TRUE(
      costs(E.only(MemorySpace::Global, AccessOp::Atomic, "// b"), {4, 4}));
}

TEST(ScopedAtomics, InStructsAndUnions) {
  const Evaluated E = evaluate(R"(
union word { int i; float f; };
struct cell { int count; word w; };
__global__ void k(int *o) {
  __shared__ cell s[64];
  __shared__ union { int a[64]; float b[64]; } u;
  atomicAdd(&s[threadIdx.x].count, 2); // count
  atomicAdd_block(&s[threadIdx.x].w.i, 2); // word
  atomicExch_block(&u.a[threadIdx.x * 2 & 63], 2); // union
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x].w.i + u.a[threadIdx.x];
}
)",
                               {.Block = {32, 1, 1}});
  for (const char *Mark : {"// count", "// word", "// union"})
    EXPECT_TRUE(
        costs(E.only(MemorySpace::Shared, AccessOp::Atomic, Mark), {2, 1, 2}))
        << Mark;
}

// Whose shared memory it is decides what it costs, and where: no sectors of
// global memory, in any case.
TEST(ClusterMemory, IsNotGlobal) {
  const Evaluated E = warp("int *other = (int *)__nvvm_mapa(s, n);\n"
                           "other[t * 8] = 1; // store\n"
                           "o[t] = other[t * 32]; // load\n"
                           "atomicAdd(other + t * 8, 1); // add\n"
                           "other[n] = 2; // uniform");
  for (const auto &[Mark, Op] : {std::pair("// store", AccessOp::Store),
                                 std::pair("// load", AccessOp::Load),
                                 std::pair("// add", AccessOp::Atomic),
                                 std::pair("// uniform", AccessOp::Store)}) {
    const Access A = E.only(MemorySpace::Generic, Op, Mark);
    EXPECT_EQ(A.Trust, Certainty::Unknown) << Mark;
    EXPECT_FALSE(A.Predicted) << Mark;
    EXPECT_THAT(A.WhyUnknown, HasSubstr("cluster")) << Mark;
    EXPECT_THAT(E.all(MemorySpace::Global, Op, Mark), IsEmpty()) << Mark;
  }
  // Its own shared memory is as ever.
  EXPECT_TRUE(costs(E.all(MemorySpace::Shared, AccessOp::Load, "// end").at(0),
                    {1, 1, 1}));
}

// One lane's word of each request lies in a sector more: 5 for 4.
TEST(MovedPointers, AreNotAligned) {
  const Evaluated E = evaluate("__global__ void k(float *o, const float *p) {\n"
                               "  o[threadIdx.x] = p[threadIdx.x];\n}\n",
                               {.Offsets = {{1, 4}}});
  EXPECT_TRUE(costs(E.globalLoad(), {5, 4}));
  EXPECT_TRUE(costs(E.globalStore(), {4, 4}));
  EXPECT_THAT(E.globalLoad().Assumptions,
              ElementsAre("'p' is 4 bytes past a 256-byte boundary"));
  EXPECT_THAT(E.globalStore().Assumptions,
              ElementsAre("'o' is 256-byte aligned"));
}

} // namespace ScopedMemoryTests
