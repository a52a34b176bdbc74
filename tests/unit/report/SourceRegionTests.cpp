//===- tests/unit/report/SourceRegionTests.cpp - What a finding marks -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SourceRegion.h"

#include "ReportDocuments.h"

#include <gtest/gtest.h>

namespace SourceRegionTests {

using namespace cudalint;

/// The column in UTF-16 of a byte column in the only line, or in line 2.
static unsigned column(std::string Text, unsigned Column, unsigned Line = 1) {
  const Texts Known = {{"a.cu", std::move(Text)}};
  const SourceText Source = sourceOf(Known);
  QuotedSources Sources(Source);
  return inUtf16({Line, Column, 0, 0}, "a.cu", Sources).Column;
}

TEST(SourceRegion, ColumnsOfAsciiStay) {
  EXPECT_EQ(column("abc\n", 1), 1u);
  EXPECT_EQ(column("a\tc\n", 3), 3u);
  EXPECT_EQ(column("abc\n", 4), 4u);
}

TEST(SourceRegion, CharactersOfSeveralBytesAreOneUnitOrTwo) {
  EXPECT_EQ(column("\xC3\xA9x", 3), 2u);         // e with an accent
  EXPECT_EQ(column("\xE4\xB8\xADx", 4), 2u);     // a Chinese character
  EXPECT_EQ(column("\xF0\x9F\x98\x80x", 5), 3u); // an emoji
  // Inside a character.
  EXPECT_EQ(column("\xF0\x9F\x98\x80x", 3), 1u);
}

TEST(SourceRegion, BytesThatAreNotUtf8AreOneUnitEach) {
  EXPECT_EQ(column("\xE9t\xE9 = x", 7), 7u); // Latin-1
  EXPECT_EQ(column("\xC3", 2), 2u);
}

TEST(SourceRegion, AByteOrderMarkIsNoUnit) {
  EXPECT_EQ(column("\xEF\xBB\xBFint x;", 4), 1u);
  EXPECT_EQ(column("\xEF\xBB\xBFint x;", 8), 5u);
  EXPECT_EQ(column("\xEF\xBB\xBFint x;", 2), 1u);
  EXPECT_EQ(column("x\n\xEF\xBB\xBFx", 4, 2), 2u);
}

TEST(SourceRegion, LinesEndAsForClang) {
  EXPECT_EQ(column("x\r\n\xC3\xA9y\r\n", 3, 2), 2u);
  // Nothing is behind the end.
  EXPECT_EQ(column("abc\r\n", 9), 4u);
}

TEST(SourceRegion, WhatIsNotKnownStays) {
  EXPECT_EQ(column("abc", 7, 4), 7u);
  EXPECT_EQ(column("abc", 0), 0u);
  const SourceText None;
  QuotedSources Sources(None);
  EXPECT_EQ(inUtf16({2, 7, 2, 9}, "b.cu", Sources), (SourceRegion{2, 7, 2, 9}));
}

TEST(SourceRegion, IsWhatIsMeantOrThePlace) {
  Finding F = findingAt("a.cu", 6, 17);
  EXPECT_EQ(regionOf(F), (SourceRegion{6, 17, 0, 0}));
  F.Meant = {{"a.cu", 6, 10}, {"a.cu", 7, 4}};
  EXPECT_EQ(regionOf(F), (SourceRegion{6, 10, 7, 4}));
  // In another file, or backwards, as macros make it.
  F.Meant = {{"b.h", 6, 10}, {"b.h", 6, 20}};
  EXPECT_EQ(regionOf(F), (SourceRegion{6, 17, 0, 0}));
  F.Meant = {{"a.cu", 6, 20}, {"a.cu", 6, 10}};
  EXPECT_EQ(regionOf(F), (SourceRegion{6, 17, 0, 0}));
  F.Meant = {{"a.cu", 6, 20}, {"a.cu", 6, 20}};
  EXPECT_EQ(regionOf(F), (SourceRegion{6, 17, 0, 0}));
  EXPECT_EQ(regionOf(Location{"a.cu", 0, 5}), SourceRegion());
}

TEST(SourceRegion, OfAnEditIsFoundByItsBytes) {
  const Texts Known = {{"a.cu", "ab\r\ncd\n"}};
  const SourceText Source = sourceOf(Known);
  QuotedSources Sources(Source);
  EXPECT_EQ(regionOf(Edit{"a.cu", 1, 4, ""}, Sources),
            (SourceRegion{1, 2, 2, 2}));
  EXPECT_EQ(regionOf(Edit{"a.cu", 7, 0, "x"}, Sources),
            (SourceRegion{3, 1, 3, 1}));
  EXPECT_FALSE(regionOf(Edit{"a.cu", 7, 1, ""}, Sources));
  EXPECT_FALSE(regionOf(Edit{"b.cu", 0, 0, "x"}, Sources));
}

} // namespace SourceRegionTests
