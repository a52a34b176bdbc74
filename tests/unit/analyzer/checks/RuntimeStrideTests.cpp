//===- tests/unit/analyzer/checks/RuntimeStrideTests.cpp - Conditions -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phrases.h"
#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace RuntimeStrideTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

using Offsets = std::function<std::int64_t(std::int64_t, std::int64_t)>;

/// An access whose lane `l` is at `OffsetOf(l, v)` when the symbol is `v`.
static Access stridedAccess(const KernelModel &K, MemorySpace Space,
                            std::string Symbol, std::int64_t BytesPerUnit,
                            const Offsets &OffsetOf) {
  RuntimeStride Stride{.Symbol = std::move(Symbol),
                       .BytesPerUnit = BytesPerUnit,
                       .PerRequest = {},
                       .IsBound = true,
                       .IsOfRows = Space == MemorySpace::Shared};
  const auto At = [&](std::int64_t V) {
    return makeAccess(K, Space, 4, 4, [&](auto L) { return OffsetOf(L, V); });
  };
  const bool Shared = Space == MemorySpace::Shared;
  // Shared: by residue, and 0 stands for a multiple of 32 words.
  for (int V = 0; V < (Shared ? 32 : 33); ++V)
    Stride.PerRequest.push_back(
        At(Shared && V == 0 ? 32 : V).Predicted->PerRequest);
  Access A = At(1 << 20);
  if (Shared) // A pitch in shared memory is never guessed.
    A.Predicted.reset();
  A.Source.Text = "a[i]";
  A.Stride = std::move(Stride);
  return A;
}

static std::vector<Finding> lint(const KernelModel &K) {
  return runCheck("runtime-stride", K);
}

/// For which strides; empty where that is not told.
static std::string conditionOf(const Finding &F) {
  const NamedValue *When = F.What.find("when");
  return When ? std::get<std::string>(When->What) : std::string();
}

TEST(RuntimeStride, SharedPitchConflictsWhenEven) {
  KernelModel K = makeKernel();
  K.Accesses = {stridedAccess(K, MemorySpace::Shared, "pitch", 4,
                              [](auto L, auto V) { return 4 * L * V; })};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  // gcd(pitch, 32) ways.
  EXPECT_THAT(Found[0].What, AllOf(Is("conflicts-of-stride"),
                                   Tells("access", "load of 'a[i]'"),
                                   Tells("symbol", "pitch")));
  EXPECT_EQ(conditionOf(Found[0]),
            "if and only if pitch is even, with up to 32 wavefronts instead of "
            "1 when pitch % 32 == 0");
  EXPECT_TRUE(Found[0].Cause.isEmpty());
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("choose-stride"), Tells("choice", "an odd length")));
  EXPECT_EQ(Found[0].Level, Severity::Note);
}

TEST(RuntimeStride, SharedOneBadResidue) {
  KernelModel K = makeKernel();
  RuntimeStride S{"pitch", 4, std::vector<double>(32, 1)};
  S.IsOfRows = true;
  S.PerRequest[0] = 32;
  K.Accesses = {
      makeAccess(K, MemorySpace::Shared, 4, 4, [](auto L) { return 4 * L; })};
  K.Accesses[0].Stride = S;
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(conditionOf(Found[0]), "if and only if pitch % 32 == 0, with 32 "
                                   "wavefronts instead of 1");
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("choose-stride"),
                    Tells("choice", "a length with length % 32 == 1")));
  EXPECT_EQ(Found[0].Level, Severity::Note);
}

TEST(RuntimeStride, SharedSilentWhenNothingConflicts) {
  KernelModel K = makeKernel();
  K.Accesses = {
      makeAccess(K, MemorySpace::Shared, 4, 4, [](auto L) { return 4 * L; })};
  K.Accesses[0].Stride = RuntimeStride{"n", 4, std::vector<double>(32, 1)};
  EXPECT_THAT(lint(K), IsEmpty());
}

TEST(RuntimeStride, SharedBadForEveryValueIsAWarning) {
  KernelModel K = makeKernel();
  K.Accesses = {
      makeAccess(K, MemorySpace::Shared, 4, 4, [](auto L) { return 4 * L; })};
  K.Accesses[0].Stride = RuntimeStride{"n", 8, std::vector<double>(32, 2)};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(conditionOf(Found[0]), StartsWith("whatever n is,"));
  EXPECT_EQ(Found[0].Level, Severity::Warning);
}

TEST(RuntimeStride, SharedResiduesAreListed) {
  KernelModel K = makeKernel();
  RuntimeStride S{"w", 4, std::vector<double>(32, 1)};
  for (const int V : {3, 5, 11, 13, 19, 21, 27, 29})
    S.PerRequest[V] = 2;
  K.Accesses = {
      makeAccess(K, MemorySpace::Shared, 4, 4, [](auto L) { return 4 * L; })};
  K.Accesses[0].Stride = S;
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(conditionOf(Found[0]),
              StartsWith("if and only if w % 8 is one of 3, 5, with 2 "
                         "wavefronts"));
}

TEST(RuntimeStride, GlobalUnlessOne) {
  KernelModel K = makeKernel();
  K.Accesses = {stridedAccess(K, MemorySpace::Global, "n", 4,
                              [](auto L, auto V) { return 4 * L * V; })};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic-of-stride"), Tells("access", "load of 'a[i]'"),
                    Tells("traffic", 32), Tells("unit", "sectors"),
                    Tells("ideal", 4), Tells("when", "unless n is 1")));
  EXPECT_THAT(Found[0].Cause, AllOf(Is("run-time-stride"), Tells("bytes", 4),
                                    Tells("symbol", "n")));
  EXPECT_THAT(Found[0].Cause.Text, HasSubstr("neighbouring lanes"));
  // No turn and no other row of the block comes to what lies beside it.
  EXPECT_THAT(Found[0].Remedy, Is("lay-out-or-tile"));
  EXPECT_EQ(Found[0].Level, Severity::Warning);
  EXPECT_EQ(Found[0].Predicted, (Prediction{"sectors_per_request", 32.0, 4.0}));
  K.Accesses[0].Block = {32, 8, 1};
  EXPECT_THAT(lint(K).at(0).Remedy, Is("neighbours-side-by-side"));
}

// A dilation may as well be 1: no share of the kernel follows from it.
TEST(RuntimeStride, WhatBoundsNothingIsANote) {
  KernelModel K = makeKernel();
  K.Accesses = {stridedAccess(K, MemorySpace::Global, "n", 4,
                              [](auto L, auto V) { return 4 * L * V; })};
  K.Accesses[0].Stride->IsBound = false;
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic-of-general-stride"),
                    Tells("when", "unless n is 1"), Tells("ideal", 4)));
  // The condition stands before what lines have no room for.
  EXPECT_THAT(Found[0].What.Text, HasSubstr("{when}, ideal {ideal}"));
  EXPECT_EQ(Found[0].Level, Severity::Note);
  EXPECT_FALSE(Found[0].Predicted.has_value());
  // Of rows that the address walks along, it is the length.
  K.Accesses[0].Stride->IsOfRows = true;
  EXPECT_EQ(lint(K).at(0).What.Id, "traffic-of-stride");
  // Nobody knows what this is about.
  K.Accesses[0].Stride->Symbol.clear();
  EXPECT_THAT(lint(K), IsEmpty());
}

// Floats that a number of bytes parts: with 4 they are side by side, and 5 is
// none.
TEST(RuntimeStride, BytesAreWholeElements) {
  KernelModel K = makeKernel();
  K.Accesses = {stridedAccess(K, MemorySpace::Global, "nb0", 1,
                              [](auto L, auto V) { return L * V; })};
  K.Accesses[0].Stride->IsBound = false;
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic-of-general-stride"), Tells("traffic", 32),
                    Tells("unit", "sectors"), Tells("ideal", 4),
                    Tells("when", "unless nb0 is 4")));
  EXPECT_FALSE(Found[0].Predicted.has_value());
}

TEST(RuntimeStride, GlobalWidthOfAMatrixIsAMatterOfAlignment) {
  // Blocks of 8x32: four rows of 32 bytes, `w` floats apart. A row that starts
  // inside a sector touches two.
  KernelModel K = makeKernel();
  K.Accesses = {
      stridedAccess(K, MemorySpace::Global, "w", 4,
                    [](auto L, auto V) { return L / 8 * 4 * V + L % 8 * 4; })};
  K.Accesses[0].Block = {8, 32, 1};
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What, AllOf(Is("traffic-of-stride"), Tells("traffic", 7),
                                   Tells("unit", "sectors"),
                                   Tells("when", "unless w % 8 == 0")));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("pad-stride"), Tells("multiple", 8)));
  EXPECT_EQ(Found[0].Level, Severity::Note);
}

// Each with its own cost: a report makes one problem of them.
TEST(RuntimeStride, EachAccessIsAFinding) {
  KernelModel K = makeKernel();
  RuntimeStride S{"pitch", 4, std::vector<double>(32, 1)};
  S.IsOfRows = true;
  S.PerRequest[0] = 32;
  for (const unsigned Line : {4, 5, 6}) {
    K.Accesses.push_back(makeAccess(K, MemorySpace::Shared, Line, 4,
                                    [](auto L) { return 4 * L; }));
    K.Accesses.back().Stride = S;
  }
  const std::vector<Finding> Found = lint(K);
  ASSERT_THAT(Found, SizeIs(3));
  EXPECT_EQ(Found[0].Others, 0u);
}

TEST(RuntimeStride, SilentOfWhatHasNoName) {
  KernelModel K = makeKernel();
  for (const MemorySpace Space : {MemorySpace::Global, MemorySpace::Shared}) {
    K.Accesses = {stridedAccess(K, Space, "", 4,
                                [](auto L, auto V) { return 4 * L * V; })};
    EXPECT_THAT(lint(K), IsEmpty());
  }
}

// A thread has as many elements as the program gives it.
TEST(RuntimeStride, RowsAloneAreLengthened) {
  KernelModel K = makeKernel();
  K.Accesses = {stridedAccess(K, MemorySpace::Shared, "n / 10", 4,
                              [](auto L, auto V) { return 4 * L * V; })};
  K.Accesses[0].Stride->IsOfRows = false;
  const Finding F = lint(K).at(0);
  EXPECT_THAT(conditionOf(F), StartsWith("if and only if 'n / 10' is even,"));
  EXPECT_TRUE(F.Remedy.isEmpty());
}

TEST(RuntimeStride, WhatIsAssumedOfItIsNotWhatever) {
  KernelModel K = makeKernel();
  K.Accesses = {stridedAccess(K, MemorySpace::Global, "n", 4,
                              [](auto L, auto V) { return 64 * L + 4 * V; })};
  K.Accesses[0].Stride->PerRequest.assign(33, 16);
  EXPECT_EQ(conditionOf(lint(K).at(0)), "whatever n is");
  K.Accesses[0].Assumptions = {
      {"'n' is large", AssumptionKind::LargeSize, "'n'"}};
  const Finding F = lint(K).at(0);
  EXPECT_THAT(F.What, Is("traffic-of-any-stride"));
  EXPECT_EQ(F.Level, Severity::Warning);
}

TEST(RuntimeStride, WhatFewThreadsDoIsANote) {
  KernelModel K = makeKernel();
  K.Accesses = {stridedAccess(K, MemorySpace::Global, "n", 4,
                              [](auto L, auto V) { return 4 * L * V; })};
  EXPECT_EQ(lint(K).at(0).Level, Severity::Warning);
  K.Accesses[0].IsOfFewThreads = true;
  EXPECT_EQ(lint(K).at(0).Level, Severity::Note);
}

// What lies beside a part of a row that is no sector, no lane has.
TEST(RuntimeStride, NarrowTilesAreWidened) {
  KernelModel K = makeKernel();
  K.Accesses = {stridedAccess(K, MemorySpace::Global, "n", 1,
                              [](auto L, auto V) { return L * V; })};
  K.Accesses[0].BlockStep = 8;
  K.Accesses[0].LoopDepth = 2;
  Finding F = lint(K).at(0);
  EXPECT_THAT(F.Remedy, AllOf(Is("widen-tile"), Tells("bytes", 8)));
  EXPECT_THAT(F.What, Tells("when", "when n > 4"));
  K.Accesses[0].BlockStep = 32;
  F = lint(K).at(0);
  EXPECT_THAT(F.Remedy, Is("neighbours-side-by-side"));
  EXPECT_THAT(F.What, Tells("when", "unless n is 4"));
}

TEST(RuntimeStride, WarningsAreSaidAtEachPlace) {
  KernelModel K = makeKernel();
  K.Accesses = {stridedAccess(K, MemorySpace::Global, "n", 4,
                              [](auto L, auto V) { return 4 * L * V; })};
  K.Accesses.push_back(K.Accesses[0]);
  K.Accesses[1].UserWhere.Line = 8;
  EXPECT_THAT(lint(K), SizeIs(2));
}

} // namespace RuntimeStrideTests
