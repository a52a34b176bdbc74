//===- tests/unit/analyzer/ir/WarpVotesTests.cpp - Lanes tell each other --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

#include <functional>

namespace WarpVotesTests {

using namespace cudalint;
using testing::Contains;
using testing::HasSubstr;

static Access store(const std::string &Body, const Setting &S) {
  return evaluate("#define ballot __nvvm_vote_ballot_sync\n"
                  "#define any __nvvm_vote_any_sync\n"
                  "#define all __nvvm_vote_all_sync\n"
                  "#define popc __builtin_popcount\n"
                  "#define full 0xffffffffu\n"
                  "__global__ void k(char *o, const int *p, int n) {\n"
                  "  int t = threadIdx.x;\n"
                  "  unsigned before = (1u << t % 32) - 1;\n" +
                      Body + "\n}\n",
                  S)
      .globalStore("// here");
}

/// Expects that the lanes of `Mask` store at `Index`.
static void expectOffsets(const std::string &Body, std::uint32_t Mask,
                          const std::function<std::int64_t(int)> &Index,
                          std::int64_t Threads = 32) {
  SCOPED_TRACE(Body);
  const Access A = store(Body, {.Block = {Threads, 1, 1}});
  ASSERT_FALSE(A.Samples.empty()) << A.WhyUnknown;
  EXPECT_EQ(A.Samples[0].ActiveMask, Mask);
  const int First = std::countr_zero(Mask);
  for (int L = 0; L < 32; ++L)
    if (Mask >> L & 1) {
      EXPECT_EQ(A.Samples[0].Offset[L] - A.Samples[0].Offset[First],
                Index(L) - Index(First))
          << "lane " << L;
    }
}

static void expectUnknown(const std::string &Body) {
  SCOPED_TRACE(Body);
  EXPECT_EQ(store(Body, {.Block = {32, 1, 1}}).Trust, Certainty::Unknown);
}

TEST(WarpVotes, RankAmongLanesThatAreKnown) {
  expectOffsets("unsigned m = ballot(full, t % 3 == 1);\n"
                "if (t % 3 == 1) o[popc(m & before) * 4] = 1; // here\n",
                0x92492492, [](int T) { return T / 3 * 4; });
  expectOffsets(
      "unsigned m = ballot(full, t & 4);\n"
      "o[__builtin_ffs(m >> (t & 7))] = 1; // here",
      ~0u, [](int T) { return __builtin_ffs(int(0xf0f0f0f0u >> (T & 7))); });
}

TEST(WarpVotes, OfLanesThatAreThere) {
  expectOffsets("if (t & 1) {\n"
                "  unsigned m = ballot(0xaaaaaaaau, t > 8);\n"
                "  o[popc(m) * t] = 1; // here\n"
                "}",
                0xaaaaaaaa, [](int T) { return 12 * T; });
  // Of a block of 20 threads, 12 lanes do not exist.
  expectOffsets(
      "o[popc(ballot(full, 1)) * t] = 1; // here", 0xfffff,
      [](int T) { return 20 * T; }, 20);
}

TEST(WarpVotes, AnyAndAll) {
  expectOffsets("o[t * (any(full, t == 3) ? 2 : 4)] = 1; // here", ~0u,
                [](int T) { return T * 2; });
  expectOffsets("o[t * (any(full, t == 32) ? 2 : 4)] = 1; // here", ~0u,
                [](int T) { return T * 4; });
  expectOffsets("o[t * (all(full, t < 32) ? 2 : 4)] = 1; // here", ~0u,
                [](int T) { return T * 2; });
  expectOffsets("o[t * (all(full, t < 31) ? 2 : 4)] = 1; // here", ~0u,
                [](int T) { return T * 4; });
  // One lane that is known decides.
  expectOffsets("o[t * (any(full, p[t] > 3 || t == 3) ? 2 : 4)] = 1; // here",
                ~0u, [](int T) { return T * 2; });
}

TEST(WarpVotes, Matches) {
  expectOffsets("unsigned m = __nvvm_match_any_sync_i32(full, t / 5);\n"
                "o[__builtin_ctz(m) * 8] = 4; // here",
                ~0u, [](int T) { return T / 5 * 5 * 8; });
  expectOffsets("unsigned m = __nvvm_match_any_sync_i32(full, n + t % 2);\n"
                "o[t * (m & 3)] = 4; // here",
                ~0u, [](int T) { return T * (1 + T % 2); });
}

TEST(WarpVotes, Reductions) {
  expectOffsets("o[t * (__nvvm_redux_sync_add(t, full) & 7)] = 1; // here", ~0u,
                [](int T) { return T * (496 & 7); });
  expectOffsets("o[t * __nvvm_redux_sync_max(3 - t, full)] = 1; // here", ~0u,
                [](int T) { return T * 3; });
  expectOffsets("o[t * (31 - (int)__nvvm_redux_sync_umax(t, full) + 2)] = 1; "
                "// here",
                ~0u, [](int T) { return T * 2; });
}

TEST(WarpVotes, WhatDataDecidesIsNotKnown) {
  expectUnknown("unsigned m = ballot(full, p[t] > 0);\n"
                "o[popc(m & before) * 4] = 1; // here");
  expectUnknown("if (p[t]) { unsigned m = ballot(full, t & 1);\n"
                "o[popc(m & before) * 4] = 1; } // here");
  expectUnknown("o[t * (any(full, p[t] > 3) ? 2 : 4)] = 1; // here");
  expectUnknown("unsigned m = __nvvm_match_any_sync_i32(full, p[t]);\n"
                "o[__builtin_ctz(m) * 8] = 4; // here");
}

// Lanes beyond a bound would say no, too.
TEST(WarpVotes, DoubtOfLanesThatSayNoDoesNotMatter) {
  const Access A = store("if (t + blockIdx.x * 256 >= n) return;\n"
                         "unsigned m = ballot(full, 0);\n"
                         "o[(m + 1) * t] = 1; // here",
                         {});
  EXPECT_TRUE(costs(A, {1, 1})) << toString(A);
}

TEST(WarpVotes, LanesThatShuffleFromWhoIsNotThere) {
  expectUnknown("if (t < 16) {\n"
                "  int v = __shfl_sync(0xffffu, t * 2, t + 16);\n"
                "  o[v * 4] = 1; // here\n"
                "}");
}

} // namespace WarpVotesTests
