//===- tests/unit/analyzer/fix/UnifiedDiffTests.cpp - A patch -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// That git takes the patches, tests/cli/fix_test.py shows.
///
//===----------------------------------------------------------------------===//

#include "analyzer/fix/UnifiedDiff.h"

#include <gtest/gtest.h>

namespace UnifiedDiffTests {

using namespace cudalint;

static std::string diff(std::string_view Before, std::vector<Edit> Edits) {
  return unifiedDiff("a.cu", Before, Edits);
}

/// What follows the names.
static std::string hunks(std::string_view Before, std::vector<Edit> Edits) {
  const std::string Text = diff(Before, std::move(Edits));
  EXPECT_TRUE(Text.starts_with("--- a/a.cu\n+++ b/a.cu\n")) << Text;
  return Text.substr(Text.find('@'));
}

TEST(UnifiedDiff, WithoutEditsThereIsNone) {
  EXPECT_EQ(diff("", {}), "");
  EXPECT_EQ(diff("x\n", {}), "");
}

TEST(UnifiedDiff, ThreeLinesAroundAChange) {
  EXPECT_EQ(hunks("1\n2\n3\n4\n5\n6\n7\n8\n9\n", {{"", 8, 1, "five"}}),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, EditsOfALineAreOneChange) {
  EXPECT_EQ(hunks("ab\ncd\n", {{"", 0, 1, "A"}, {"", 1, 1, "B"}}),
            "@@ -1,2 +1,2 @@\n-ab\n+AB\n cd\n");
  // Over a line end, and on the line behind.
  EXPECT_EQ(hunks("ab\ncd\nef\n", {{"", 1, 2, ""}, {"", 4, 1, "D"}}),
            "@@ -1,3 +1,2 @@\n-ab\n-cd\n+acD\n ef\n");
}

TEST(UnifiedDiff, HunksCountTheLinesOfThoseBefore) {
  std::string Text;
  for (char C = 'a'; C <= 'z'; ++C)
    Text += {C, '\n'};
  EXPECT_EQ(hunks(Text, {{"", 0, 0, "0\n1\n"}, {"", 40, 2, ""}}),
            "@@ -1,4 +1,6 @@\n-a\n+0\n+1\n+a\n b\n c\n d\n"
            "@@ -18,8 +20,7 @@\n r\n s\n t\n-u\n-v\n+v\n w\n x\n y\n");
  // Six lines between them are shown once.
  EXPECT_EQ(hunks(Text, {{"", 20, 1, "K"}, {"", 34, 1, "R"}}),
            "@@ -8,14 +8,14 @@\n h\n i\n j\n-k\n+K\n l\n m\n n\n o\n p\n q\n"
            "-r\n+R\n s\n t\n u\n");
}

TEST(UnifiedDiff, AFileWithoutALastLineEnd) {
  EXPECT_EQ(hunks("1\n2", {{"", 2, 1, "b"}}),
            "@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+b\n\\ No "
            "newline at end of file\n");
  EXPECT_EQ(hunks("1\n2", {{"", 3, 0, "\n"}}),
            "@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+2\n");
  EXPECT_EQ(hunks("", {{"", 0, 0, "1\n"}}), "@@ -0,0 +1,1 @@\n+1\n");
  EXPECT_EQ(hunks("1\n", {{"", 0, 2, ""}}), "@@ -1,1 +0,0 @@\n-1\n");
}

TEST(UnifiedDiff, LineEndsStay) {
  EXPECT_EQ(hunks("1\r\n2\r\n", {{"", 3, 1, "b"}}),
            "@@ -1,2 +1,2 @@\n 1\r\n-2\r\n+b\r\n");
}

TEST(UnifiedDiff, NamesAreQuotedAsGitDoes) {
  const auto head = [](const std::string &Name) {
    const std::vector<Edit> Edits = {{"", 0, 1, "2"}};
    const std::string Text = unifiedDiff(Name, "1\n", Edits);
    return Text.substr(0, Text.find('\n'));
  };
  EXPECT_EQ(head("with blank.cu"), "--- a/with blank.cu\t");
  EXPECT_EQ(head("a\"b.cu"), "--- \"a/a\\\"b.cu\"");
  EXPECT_EQ(head("a\nb.cu"), "--- \"a/a\\012b.cu\"");
  EXPECT_EQ(head("\xc3\xa4.cu"), "--- \"a/\\303\\244.cu\"");
}

} // namespace UnifiedDiffTests
