//===- tests/unit/analyzer/ir/ByteRangesTests.cpp - Sets of bytes ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ByteRanges.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

namespace ByteRangesTests {

using namespace cudalint;
using testing::Eq;
using testing::Optional;

static constexpr std::size_t Enough = 1 << 16;

static auto holds(std::uint64_t Bytes, std::uint64_t Sectors) {
  return Optional(Eq(ByteRanges::Size{Bytes, Sectors}));
}

TEST(ByteRanges, NothingIsNothing) {
  ByteRanges R;
  EXPECT_THAT(R.size(Enough), holds(0, 0));
  EXPECT_TRUE(R.add({4, 4}));
  EXPECT_TRUE(R.add({8, 4}));
  EXPECT_TRUE(R.add({0, 4}, 4, 0));
  EXPECT_TRUE(R.add({0, 4}, 4, -3));
  EXPECT_EQ(R.held(), 0u);
  EXPECT_THAT(R.size(0), holds(0, 0));
}

TEST(ByteRanges, EachByteOnce) {
  ByteRanges R;
  R.add({64, 128});
  R.add({0, 32});
  R.add({96, 160});
  R.add({64, 128});
  EXPECT_THAT(R.size(Enough), holds(32 + 96, 4));
  // What closes the gap makes one of them.
  R.add({32, 64});
  EXPECT_THAT(R.size(1), holds(160, 5));
}

// A byte on either side of 0 is in another sector; two pieces of one are one.
TEST(ByteRanges, SectorsBeginAtMultiplesOf32) {
  ByteRanges R;
  R.add({-1, 1});
  EXPECT_THAT(R.size(Enough), holds(2, 2));
  R.add({-32, -30});
  R.add({30, 33});
  EXPECT_THAT(R.size(Enough), holds(7, 3));
}

// 8 warps of 32 floats each, moved by the block of 1,024 bytes: no gap is left.
TEST(ByteRanges, RepetitionsFitTogether) {
  ByteRanges R;
  for (std::int64_t Warp = 0; Warp < 8; ++Warp)
    ASSERT_TRUE(R.add({Warp * 128, Warp * 128 + 128}, 1024, 1'000'000));
  EXPECT_THAT(R.size(1), holds(1'024'000'000, 32'000'000));
  // The last warp alone leaves gaps: every one of them is a range.
  ByteRanges Last;
  ASSERT_TRUE(Last.add({896, 1024}, 1024, 1000));
  EXPECT_EQ(Last.held(), 1u);
  EXPECT_THAT(Last.size(1000), holds(128'000, 4000));
  EXPECT_EQ(Last.size(999), std::nullopt);
}

TEST(ByteRanges, NoMoreRangesThanThat) {
  ByteRanges R;
  for (std::int64_t I = 0; I < 4; ++I)
    R.add({I * 8, I * 8 + 4});
  EXPECT_EQ(R.size(3), std::nullopt);
  EXPECT_THAT(R.size(4), holds(16, 1));
  R.add({100, 104}, 8, INT64_C(1) << 40);
  EXPECT_EQ(R.size(Enough), std::nullopt);
}

TEST(ByteRanges, WhatIsOutOfReachIsNotAdded) {
  constexpr std::int64_t Far = ByteRanges::Farthest;
  ByteRanges R;
  EXPECT_FALSE(R.add({INT64_MIN, INT64_MAX}));
  EXPECT_FALSE(R.add({Far, Far + 1}));
  EXPECT_FALSE(R.add({-Far - 1, -Far}));
  EXPECT_FALSE(R.add({0, 4}, INT64_MAX, INT64_MAX));
  EXPECT_FALSE(R.add({0, 4}, INT64_MIN, 2));
  EXPECT_FALSE(R.add({0, 4}, Far, 2)); // its end is behind
  EXPECT_EQ(R.held(), 0u);
  EXPECT_TRUE(R.add({-Far, -Far + 4}));
  EXPECT_TRUE(R.add({Far - 4, Far}));
  EXPECT_TRUE(R.add({0, 4}, Far - 4, 2));
  EXPECT_THAT(R.size(Enough), holds(12, 3));
}

TEST(ByteRanges, NoMoreRepetitionsThanAreLookedThrough) {
  ByteRanges R;
  int Kept = 0;
  while (Kept < 10'000 && R.add({0, 4}, 8, 100 + Kept))
    ++Kept;
  EXPECT_LT(Kept, 10'000);
  // The longest has all of the others in it.
  EXPECT_THAT(R.size(Enough * 1024),
              holds(4u * static_cast<unsigned>(99 + Kept),
                    (8u * static_cast<unsigned>(99 + Kept) + 27) / 32));
}

// Against a set of single bytes.
TEST(ByteRanges, AreAsASetOfBytes) {
  std::mt19937 Random(1);
  auto In = [&](std::int64_t First, std::int64_t Last) {
    return std::uniform_int_distribution<std::int64_t>(First, Last)(Random);
  };
  for (int Case = 0; Case < 3000; ++Case) {
    ByteRanges R;
    std::set<std::int64_t> Bytes, Sectors;
    const std::int64_t Number = In(0, 6);
    for (std::int64_t K = 0; K < Number; ++K) {
      const std::int64_t First = In(-80, 80), Length = In(0, 24);
      const std::int64_t Move = In(-40, 40), Times = In(0, 24);
      ASSERT_TRUE(R.add({First, First + Length}, Move, Times));
      if (In(0, 3) == 0)
        R.merge();
      for (std::int64_t T = 0; T < Times; ++T)
        for (std::int64_t B = 0; B < Length; ++B) {
          const std::int64_t At = First + T * Move + B;
          Bytes.insert(At);
          Sectors.insert((At + 32'000) / 32);
        }
    }
    ASSERT_THAT(R.size(Enough), holds(Bytes.size(), Sectors.size())) << Case;
  }
}

} // namespace ByteRangesTests
