//===- tests/unit/analyzer/tool/ChangedLinesTests.cpp - Of a diff ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ChangedLines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Pair;

namespace cudalint::ChangedLinesTests {

static auto linesOf(const std::string &Text) {
  ChangedLines Read = parseDiff(Text);
  EXPECT_THAT(Read.Error, IsEmpty()) << Text;
  return Read.ByFile;
}

TEST(ParseDiff, AsGitWritesIt) {
  EXPECT_THAT(
      linesOf("diff --git a/s/a.cu b/s/a.cu\n"
              "index 1..2 100644\n"
              "--- a/s/a.cu\n"
              "+++ b/s/a.cu\n"
              "@@ -2,3 +2,4 @@ void f()\n"
              " same\n-old\n+new\n+more\n same\n"
              "@@ -10 +11,0 @@\n-gone\n"
              "@@ -20,0 +21 @@\n+one\n"),
      ElementsAre(Pair("s/a.cu", ElementsAre(Pair(3u, 4u), Pair(21u, 21u)))));
}

TEST(ParseDiff, AsDiffWritesIt) {
  EXPECT_THAT(linesOf("--- old/a.cu\t2026-01-01 00:00:00\n"
                      "+++ new/a.cu\t2026-01-02 00:00:00\n"
                      "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n"),
              ElementsAre(Pair("new/a.cu", ElementsAre(Pair(1u, 1u)))));
}

TEST(ParseDiff, LinesThatLookLikeThoseOfADiff) {
  EXPECT_THAT(linesOf("--- a/a.cu\n+++ b/a.cu\n@@ -1,2 +1,3 @@\n"
                      "--- i;\n+++ j;\n+@@ -1 +1 @@\n \n"),
              ElementsAre(Pair("a.cu", ElementsAre(Pair(1u, 2u)))));
}

TEST(ParseDiff, NamesOfFolders) {
  const std::string Hunk = "@@ -0,0 +1 @@\n+x\n";
  const auto name = [&](const std::string &Old, const std::string &New) {
    return linesOf("--- " + Old + "\n+++ " + New + "\n" + Hunk);
  };
  EXPECT_THAT(name("a/x.cu", "b/x.cu"), ElementsAre(Key("x.cu")));
  EXPECT_THAT(name("i/x.cu", "w/x.cu"), ElementsAre(Key("x.cu")));
  EXPECT_THAT(name("/dev/null", "b/x.cu"), ElementsAre(Key("x.cu")));
  // With --no-prefix.
  EXPECT_THAT(name("b/x.cu", "b/x.cu"), ElementsAre(Key("b/x.cu")));
  EXPECT_THAT(name("x.cu", "x.cu"), ElementsAre(Key("x.cu")));
  EXPECT_THAT(
      name("\"a/\\303\\244\\t\\\"x.cu\"", "\"b/\\303\\244\\t\\\"x.cu\""),
      ElementsAre(Key("\xc3\xa4\t\"x.cu")));
  EXPECT_THAT(name("a/x y.cu", "b/x y.cu\r"), ElementsAre(Key("x y.cu")));
}

TEST(ParseDiff, WhatHasNoLines) {
  EXPECT_THAT(linesOf(""), IsEmpty());
  EXPECT_THAT(linesOf("\n \n"), IsEmpty());
  EXPECT_THAT(linesOf("diff --git a/x.png b/x.png\nBinary files a/x.png and "
                      "b/x.png differ\n"),
              IsEmpty());
  EXPECT_THAT(linesOf("--- a/x.cu\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"),
              IsEmpty());
  EXPECT_THAT(linesOf("diff --git a/x.cu b/y.cu\nsimilarity index 100%\n"
                      "rename from x.cu\nrename to y.cu\n"),
              IsEmpty());
}

TEST(ParseDiff, Faults) {
  EXPECT_THAT(parseDiff("int main() {}\n").Error, HasSubstr("no unified diff"));
  EXPECT_THAT(parseDiff("+++ b/a.cu\n@@ -1 +x @@\n").Error,
              HasSubstr("line 2"));
  EXPECT_THAT(parseDiff("+++ b/a.cu\n@@ -1 +99999999999 @@\n").Error,
              HasSubstr("line 2"));
  EXPECT_THAT(parseDiff("--- a\n+++ b\n@@ -1,2 +1,2 @@\n+x\n").Error,
              HasSubstr("ends within"));
  EXPECT_THAT(parseDiff("--- a\n+++ b\n@@ -1,2 +1,2 @@\n+x\nzzz\n").Error,
              HasSubstr("line 5"));
  EXPECT_THAT(parseDiff("--- a\n+++ b\n@@ -1 +1 @@\n+x\n+y\n").Error,
              HasSubstr("line 5"));
  // git's own of merges.
  EXPECT_THAT(parseDiff("diff --cc a.cu\n@@@ -1,1 -1,1 +1,1 @@@\n").ByFile,
              IsEmpty());
}

TEST(ParseDiff, LongLinesAndManyHunks) {
  std::string Text = "--- a/a.cu\n+++ b/a.cu\n";
  for (unsigned I = 1; I <= 20'000; ++I)
    Text += "@@ -0,0 +" + std::to_string(2 * I) + " @@\n+" +
            std::string(50, 'x') + "\n";
  EXPECT_EQ(linesOf(Text).at("a.cu").size(), 20'000u);
}

static Document documentOf(std::vector<Finding> Findings) {
  Document Doc;
  Doc.Units.push_back({.File = "a.cu", .Findings = std::move(Findings)});
  return Doc;
}

static Finding at(const std::string &File, unsigned Line) {
  Finding F;
  F.Where = {.File = File, .Line = Line, .Column = 1};
  return F;
}

TEST(KeepChanged, OnlyWhatIsOnALine) {
  const ChangedLines Changes = {
      .ByFile = {{"sub/a.cu", {{2, 3}, {7, 7}}}, {"/abs/b.cuh", {{1, 1}}}},
      .Error = ""};
  Finding Inlined = at("sub/a.cu", 99);
  Inlined.InlinedAt = {{.File = "sub/a.cu", .Line = 7, .Column = 2}};
  Document Doc =
      documentOf({at("sub/a.cu", 1), at("sub/a.cu", 2), at("./sub/a.cu", 3),
                  at("sub/a.cu", 4), at("sub/a.cu", 8), at("a.cu", 2),
                  at("/abs/b.cuh", 1), Inlined, Finding()});
  keepChanged(std::span(&Doc, 1), Changes, "/repo");
  std::vector<unsigned> Lines;
  for (const Finding &F : Doc.Units[0].Findings)
    Lines.push_back(F.Where.Line);
  EXPECT_THAT(Lines, ElementsAre(2u, 3u, 1u, 99u));
}

TEST(KeepChanged, NamesFromAFolderAround) {
  const ChangedLines Changes = {.ByFile = {{"src/a.cu", {{1, 1}}}},
                                .Error = ""};
  Document Doc = documentOf({at("a.cu", 1), at("../other/a.cu", 1)});
  keepChanged(std::span(&Doc, 1), Changes, "/repo/src");
  EXPECT_EQ(Doc.Units[0].Findings.size(), 1u);
}

} // namespace cudalint::ChangedLinesTests
