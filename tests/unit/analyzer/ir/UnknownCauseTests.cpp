//===- tests/unit/analyzer/ir/UnknownCauseTests.cpp - Why it is unknown ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What makes an address unknown, in one word: the nearest thing on the way to
/// it that nobody can know before the program runs. The access is the store in
/// the last line; the cause is in the line that is marked, if it has one.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace UnknownCauseTests {

using namespace cudalint;
using testing::HasSubstr;

using Why = UnknownCause;

namespace {
struct Snippet {
  UnknownCause Cause;
  std::string Body;
  std::string What = {}; ///< Part of the phrase.

  friend void PrintTo(const Snippet &S, std::ostream *Out) { *Out << S.Body; }
};
} // namespace

static Evaluated kernelOf(const std::string &Body, const Setting &S = {}) {
  return evaluate("__device__ int unseen(int);\n"
                  "__device__ int Table[1024], Counter;\n"
                  "__global__ void k(float *G, float *H, const int *a,\n"
                  "                  const float *f, int n) {\n"
                  "  __shared__ int s[1024];\n"
                  "  int t = threadIdx.x;\n" +
                      Body + "\n}\n",
                  S);
}

class UnknownCauses : public testing::TestWithParam<Snippet> {};

TEST_P(UnknownCauses, OneWord) {
  const Evaluated E = kernelOf(GetParam().Body);
  const Access A = E.globalStore("= 1;");
  EXPECT_EQ(A.Trust, Certainty::Unknown) << toString(A);
  EXPECT_EQ(A.Cause, GetParam().Cause)
      << static_cast<int>(A.Cause) << ": " << A.WhyUnknown;
  EXPECT_THAT(A.WhyUnknown, HasSubstr(GetParam().What));
  const std::size_t Mark = E.Source.find("// here");
  if (Mark == std::string::npos)
    return;
  const auto End = E.Source.begin() + static_cast<std::ptrdiff_t>(Mark);
  EXPECT_EQ(A.CauseWhere.Line, 1 + std::count(E.Source.begin(), End, '\n'));
}

INSTANTIATE_TEST_SUITE_P(
    Data, UnknownCauses,
    testing::Values(
        Snippet{Why::LoadedData, "G[a[t]] = 1;", "a[t]"},
        Snippet{Why::LoadedData, "int i = a[t]; // here\nG[i] = 1;", "a[t]"},
        Snippet{Why::LoadedData,
                "int i = Table[t] & 31; // here\nG[i + t] = 1;", "Table[t]"},
        Snippet{Why::LoadedData,
                "s[t] = t;\n__syncthreads();\n"
                "int i = s[t ^ 1]; // here\nG[i] = 1;",
                "s[t ^ 1]"},
        // What the loop adds up is loaded: that is more than a loop.
        Snippet{Why::LoadedData,
                "int i = 0;\n"
                "for (int j = 0; j < n; ++j)\n"
                "  i += a[t + j]; // here\n"
                "G[i] = 1;",
                "a[t + j]"},
        // Of a number that is loaded and was a float, data decides.
        Snippet{Why::LoadedData, "int i = f[t]; // here\nG[i] = 1;", "f[t]"},
        // Between lanes: what they exchange is data, not how.
        Snippet{Why::LoadedData,
                "int v = a[t]; // here\n"
                "int i = __shfl_xor_sync(~0u, v, 1);\n"
                "G[i] = 1;",
                "a[t]"}));

INSTANTIATE_TEST_SUITE_P(
    Others, UnknownCauses,
    testing::Values(
        Snippet{Why::SharedWrites,
                "int i = atomicAdd(&Counter, 1); // here\nG[i] = 1;", "atomic"},
        Snippet{Why::SharedWrites,
                "int i = atomicCAS((int *)a + t, 0, 1); // here\nG[i] = 1;",
                "atomic"},
        Snippet{Why::UnseenCode, "int i = unseen(t); // here\nG[i] = 1;",
                "unseen"},
        Snippet{Why::UnseenCode,
                "int i;\n"
                "asm(\"prmt.b32 %0, %1, %1, 12816;\" : \"=r\"(i) : \"r\"(t)); "
                "// here\nG[i] = 1;",
                "inline PTX"},
        Snippet{Why::PrivateArray,
                "int p[64];\n"
                "for (int j = 0; j < 64; ++j) p[(j * n) & 63] = t * j;\n"
                "int i = p[(t * n) & 63]; // here\n"
                "G[i] = 1;",
                "private array"}));

INSTANTIATE_TEST_SUITE_P(
    Lanes, UnknownCauses,
    testing::Values(Snippet{Why::LoadedLanes, "if (a[t]) // here\n  G[t] = 1;",
                            "lanes"},
                    // In some warps the number of the thread alone decides.
                    Snippet{Why::LoadedLanes,
                            "if ((unsigned)(t | a[t]) < 64u) // here\n"
                            "  G[t * (t / 32 + 1)] = 1;",
                            "lanes"},
                    Snippet{Why::LoadedLanes,
                            "int i = a[t]; // here\n"
                            "if (i > 3)\n"
                            "  if (blockIdx.x < n)\n"
                            "    G[t] = 1;",
                            "lanes"},
                    // Who has left the loop stores no more.
                    Snippet{Why::LoadedLanes,
                            "for (int j = 0; j < n; ++j) {\n"
                            "  if (a[t + 64 * j]) break; // here\n"
                            "  G[t + 64 * j] = 1;\n"
                            "}",
                            "lanes"}));

// However a load or an atomic is written.
INSTANTIATE_TEST_SUITE_P(
    Functions, UnknownCauses,
    testing::Values(
        Snippet{Why::SharedWrites,
                "int i = atomicAdd_block(&Counter, 1); // here\nG[i] = 1;",
                "atomic"},
        Snippet{Why::SharedWrites,
                "int i = atomicExch_block(&Counter, t); // here\nG[i] = 1;",
                "atomic"},
        Snippet{Why::SharedWrites,
                "int i = atomicInc((unsigned *)&Counter, 9); // here\n"
                "G[i] = 1;",
                "atomic"},
        Snippet{Why::LoadedData,
                "int i = __nvvm_ldg_i(a + t); // here\nG[i] = 1;"},
        Snippet{Why::LoadedData,
                "int i = *(volatile int *)(a + t); // here\nG[i] = 1;"},
        Snippet{Why::LoadedData,
                "int i;\n"
                "asm volatile(\"ld.global.s32 %0, [%1];\" : \"=r\"(i) : "
                "\"l\"(a + t)); // here\nG[i] = 1;"},
        Snippet{Why::SharedWrites,
                "int i;\n"
                "asm volatile(\"atom.global.add.s32 %0, [%1], 1;\" : "
                "\"=r\"(i) : \"l\"(a + t)); // here\nG[i] = 1;"}));

INSTANTIATE_TEST_SUITE_P(
    Weak, UnknownCauses,
    testing::Values(
        Snippet{Why::FloatingPoint,
                "float x = t;\nint i = x * x * 0.37f; // here\nG[i] = 1;",
                "floating"},
        Snippet{Why::LoopBound,
                "int i = t;\n"
                "for (int j = 0; j < n; ++j) i = i * i + j;\n"
                "G[i] = 1;",
                "loop"},
        Snippet{Why::NotModelled, "int i = (t * t * t * n) ^ n;\nG[i] = 1;",
                ""}));

//===----------------------------------------------------------------------===//
// What is no cause
//===----------------------------------------------------------------------===//

// Registers, and what lanes exchange, are known: they are never blamed for what
// is computed from them in a way that is not followed.
TEST(UnknownCause, RegistersAndExchangesAreNotUnseenCode) {
  for (const char *Index : {
           "threadIdx.x",
           "blockIdx.x * blockDim.x + threadIdx.y",
           "gridDim.x * t",
           "__nvvm_read_ptx_sreg_laneid()",
           "__nvvm_read_ptx_sreg_warpid()",
           "__nvvm_read_ptx_sreg_clock()",
           "__shfl_sync(~0u, t, t ^ 3)",
           "__shfl_down_sync(~0u, t * t, 1)",
           "__builtin_popcount(t)",
           "__builtin_bitreverse32(t)",
           "__nvvm_mulhi_i(t, n)",
       }) {
    const Access A = kernelOf("int i = " + std::string(Index) +
                              ";\nG[(i * n + t * t * t * n) ^ n] = 1;")
                         .globalStore("= 1;");
    EXPECT_EQ(A.Trust, Certainty::Unknown) << toString(A);
    EXPECT_NE(A.Cause, Why::UnseenCode) << Index << ": " << A.WhyUnknown;
    EXPECT_NE(A.Cause, Why::LoadedData) << Index << ": " << A.WhyUnknown;
  }
}

TEST(UnknownCause, WhatIsKnownHasNone) {
  const Access A = kernelOf("G[t] = 1;").globalStore();
  EXPECT_EQ(A.WhyUnknown, "");
  EXPECT_EQ(A.CauseWhere.Line, 0u);
}

// One array or another, as each lane likes.
TEST(UnknownCause, APointerThatIsOneOrAnother) {
  const Access A = kernelOf("float *P = t * t * n & 4 ? G : H;\n"
                            "P[t] = 1;")
                       .globalStore("= 1;");
  EXPECT_EQ(A.Trust, Certainty::Unknown) << toString(A);
  EXPECT_EQ(A.Cause, Why::PointerMerge) << A.WhyUnknown;
}

// The nearest one: the index is loaded, and where it is loaded from is loaded,
// too.
TEST(UnknownCause, TheNearestIsTold) {
  const Evaluated E = kernelOf("int i = a[t];\n"
                               "int j = Table[i]; // near\n"
                               "G[j] = 1;");
  const Access A = E.globalStore("= 1;");
  EXPECT_EQ(
      A.CauseWhere.Line,
      E.all(MemorySpace::Global, AccessOp::Load, "// near").at(0).Where.Line);
  EXPECT_THAT(A.WhyUnknown, HasSubstr("Table[i]"));
}

TEST(UnknownCause, AnAtomicThatIsALoopIsItsOwnPlace) {
  const Access A = kernelOf("atomicAdd((float *)s + t, 1.0f);")
                       .only(MemorySpace::Shared, AccessOp::Atomic);
  EXPECT_EQ(A.Cause, Why::AtomicLoop) << A.WhyUnknown;
  EXPECT_EQ(A.CauseWhere.Line, A.UserWhere.Line);
  EXPECT_NE(A.CauseWhere.Line, 0u);
}

/// Each lane stores into one of two shared arrays of so many words.
static Access storeInEither(unsigned Words) {
  const std::string Size = std::to_string(Words);
  return kernelOf("__shared__ int u[" + Size + "], v[" + Size +
                  "];\n"
                  "int *P = t & 1 ? u : v;\n"
                  "P[t % 32] = 1;")
      .sharedStore();
}

// Where they begin is not known, and decides which banks meet.
TEST(UnknownCause, TwoSharedArraysInAnyBanks) {
  const Access A = storeInEither(35);
  EXPECT_EQ(A.Cause, Why::PointerMerge) << A.WhyUnknown;
  EXPECT_EQ(A.CauseWhere.Line + 1, A.UserWhere.Line);
}

// Arrays of whole rows all begin in the first bank: each lane has its own.
TEST(UnknownCause, TwoSharedArraysInTheSameBanksAreKnown) {
  EXPECT_TRUE(costs(storeInEither(64), {.PerRequest = 1, .Ideal = 1}));
}

// In one branch it is a shared access, in the other a global one.
TEST(UnknownCause, APointerIntoTwoSpaces) {
  const Evaluated E = kernelOf("const int *P = n ? a : s;\n"
                               "G[t] = P[t];");
  for (MemorySpace Space :
       {MemorySpace::Global, MemorySpace::Shared, MemorySpace::Generic})
    for (const Access &A : E.all(Space, AccessOp::Load))
      EXPECT_EQ(A.Cause, Why::PointerMerge) << A.WhyUnknown;
}

} // namespace UnknownCauseTests
