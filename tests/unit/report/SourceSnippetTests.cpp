//===- tests/unit/report/SourceSnippetTests.cpp - Lines and carets --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SourceSnippet.h"

#include "report/TerminalText.h"

#include <gtest/gtest.h>
#include <sstream>

namespace SourceSnippetTests {

using namespace cudalint;

static std::string plain(std::string_view Line, unsigned Number,
                         unsigned Column, unsigned Width = 0) {
  TextOptions Options;
  Options.Width = Width;
  return snippet(Line, Number, Column, Options);
}

//===----------------------------------------------------------------------===//
// Carets
//===----------------------------------------------------------------------===//

TEST(Snippet, PutsTheCaretBelowItsColumn) {
  EXPECT_EQ(plain("a[i] = b[i];", 6, 8), "    6 | a[i] = b[i];\n"
                                         "      |        ^\n");
}

TEST(Snippet, LineNumbersWiden) {
  EXPECT_EQ(plain("ab", 99999, 2), "99999 | ab\n"
                                   "      |  ^\n");
  EXPECT_EQ(plain("ab", 1234567, 2), "1234567 | ab\n"
                                     "        |  ^\n");
}

TEST(Snippet, NoColumnNoCaret) { EXPECT_EQ(plain("ab", 1, 0), "    1 | ab\n"); }

TEST(Snippet, TabsGoToTheNextEighthColumn) {
  EXPECT_EQ(plain("\t\tx", 1, 3), "    1 |                 x\n"
                                  "      |                 ^\n");
  EXPECT_EQ(plain("ab\tx", 1, 4), "    1 | ab      x\n"
                                  "      |         ^\n");
}

TEST(Snippet, ColumnsCountBytesAndCaretsCountColumns) {
  // é is two bytes and one column, 日 three and two.
  EXPECT_EQ(plain("éé日x", 1, 8), "    1 | éé日x\n"
                                  "      |     ^\n");
  // In the middle of é: the caret stands below it.
  EXPECT_EQ(plain("aéb", 1, 3), "    1 | aéb\n"
                                "      |  ^\n");
  // Below e with its accent, then behind both.
  EXPECT_EQ(plain("e\u0301x", 1, 4), "    1 | e\u0301x\n"
                                     "      |  ^\n");
}

TEST(Snippet, HostileBytesAreShownAsNumbers) {
  EXPECT_EQ(plain("\x1b[2J\xFFx", 1, 6), "    1 | <U+001B>[2J<FF>x\n"
                                         "      |                ^\n");
}

TEST(Snippet, ACaretBehindTheLineStandsAtItsEnd) {
  EXPECT_EQ(plain("ab", 1, 3), "    1 | ab\n"
                               "      |   ^\n");
  EXPECT_EQ(plain("ab", 1, 4000000000u), "    1 | ab\n"
                                         "      |   ^\n");
  EXPECT_EQ(plain("", 1, 1), "    1 | \n"
                             "      | ^\n");
}

TEST(Snippet, AByteOrderMarkIsNotShown) {
  EXPECT_EQ(plain("\xEF\xBB\xBFint x;", 1, 8), "    1 | int x;\n"
                                               "      |     ^\n");
}

//===----------------------------------------------------------------------===//
// Long lines
//===----------------------------------------------------------------------===//

/// The character that stands above the caret.
static char pointedAt(const std::string &Snippet) {
  std::istringstream In(Snippet);
  std::string Line, Caret;
  std::getline(In, Line);
  std::getline(In, Caret);
  return Line.at(Caret.find('^'));
}

static unsigned widest(const std::string &Snippet) {
  std::istringstream In(Snippet);
  unsigned Widest = 0;
  for (std::string Line; std::getline(In, Line);)
    Widest = std::max(Widest, columnsOf(Line));
  return Widest;
}

TEST(Snippet, ALineThatJustFitsIsWhole) {
  std::string Line(72, 'x');
  EXPECT_EQ(plain(Line, 1, 72, 80), "    1 | " + Line + "\n" + "      | " +
                                        std::string(71, ' ') + "^\n");
}

TEST(Snippet, LongLinesAreCutBehindTheCaret) {
  std::string Line = "ab" + std::string(100, 'x');
  EXPECT_EQ(plain(Line, 1, 2, 80),
            "    1 | ab" + std::string(67, 'x') + "...\n      |  ^\n");
}

TEST(Snippet, WhereverTheCaretStandsItIsShownAndTheLineFits) {
  for (unsigned Length : {71u, 72u, 73u, 74u, 75u, 76u, 100u, 300u})
    for (unsigned Column = 1; Column <= Length; ++Column) {
      std::string Line(Length, '.');
      Line[Column - 1] = '@';
      std::string Out = plain(Line, 1, Column, 80);
      ASSERT_EQ(pointedAt(Out), '@') << Length << ':' << Column << '\n' << Out;
      ASSERT_LE(widest(Out), 80u) << Length << ':' << Column << '\n' << Out;
    }
}

TEST(Snippet, WideCharactersAreNotCutInHalf) {
  for (unsigned Width = 40; Width != 50; ++Width)
    for (unsigned At = 0; At != 60; ++At) {
      std::string Line;
      for (unsigned I = 0; I != 60; ++I)
        Line += I == At ? "@" : "日";
      std::string Out = plain(Line, 1, 3 * At + 1, Width);
      ASSERT_LE(widest(Out), Width) << Out;
      ASSERT_EQ(Out, printable(Out.substr(0, Out.find('\n'))) +
                         Out.substr(Out.find('\n')));
      std::string Before = Out.substr(0, Out.find('@'));
      std::string Caret = Out.substr(Out.find('\n') + 1);
      ASSERT_EQ(columnsOf(Before), Caret.find('^')) << Out;
    }
}

TEST(Snippet, AWideCharacterAboveTheCaretIsWhole) {
  for (unsigned At = 0; At != 100; ++At) {
    std::string Line(At, '.');
    Line += "日" + std::string(100 - At, '.');
    std::string Out = plain(Line, 1, At + 1, 60);
    ASSERT_NE(Out.find("日"), Out.npos) << Out;
    ASSERT_LE(widest(Out), 60u) << Out;
  }
}

TEST(Snippet, WithoutAWidthLinesEndAt4096Columns) {
  std::string Line(10000000, 'x');
  Line[5000000] = '@';
  std::string Out = plain(Line, 1, 5000001);
  EXPECT_EQ(pointedAt(Out), '@');
  EXPECT_LE(widest(Out), 4096u + 8);
  EXPECT_EQ(Out.substr(8, 4), "...x");
}

TEST(Snippet, ANarrowTerminalStillShowsTheCaret) {
  std::string Line(100, '.');
  Line[50] = '@';
  for (unsigned Width = 1; Width != 40; ++Width)
    EXPECT_EQ(pointedAt(plain(Line, 1, 51, Width)), '@') << Width;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static SourceText file(std::string_view Text) {
  return [Text](const std::string &) { return Text; };
}

TEST(QuotedSources, LinesEndAsForClang) {
  SourceText Source = file("one\ntwo\r\nthree\rfour");
  QuotedSources Sources(Source);
  EXPECT_EQ(Sources.line("f", 0), std::nullopt);
  EXPECT_EQ(Sources.line("f", 1), "one");
  EXPECT_EQ(Sources.line("f", 2), "two");
  EXPECT_EQ(Sources.line("f", 3), "three");
  EXPECT_EQ(Sources.line("f", 4), "four");
  EXPECT_EQ(Sources.line("f", 5), std::nullopt);
}

TEST(QuotedSources, TheLastNewlineBeginsNoLine) {
  SourceText Source = file("one\n\n");
  QuotedSources Sources(Source);
  EXPECT_EQ(Sources.line("f", 2), "");
  EXPECT_EQ(Sources.line("f", 3), std::nullopt);
}

TEST(QuotedSources, AnEmptyOrMissingFileHasNoLines) {
  SourceText Empty = file("");
  EXPECT_EQ(QuotedSources(Empty).line("f", 1), std::nullopt);
  SourceText Missing = [](const std::string &) { return std::nullopt; };
  EXPECT_EQ(QuotedSources(Missing).line("f", 1), std::nullopt);
  SourceText None;
  EXPECT_EQ(QuotedSources(None).line("f", 1), std::nullopt);
}

TEST(QuotedSources, PlacesAndTextOfOffsets) {
  SourceText Source = file("ab\ncd\n");
  QuotedSources Sources(Source);
  EXPECT_EQ(Sources.place("f", 0), (Location{"f", 1, 1}));
  EXPECT_EQ(Sources.place("f", 2), (Location{"f", 1, 3}));
  EXPECT_EQ(Sources.place("f", 4), (Location{"f", 2, 2}));
  EXPECT_EQ(Sources.place("f", 7), std::nullopt);
  EXPECT_EQ(Sources.text("f", 3, 2), "cd");
  EXPECT_EQ(Sources.text("f", 3, 4), std::nullopt);
  EXPECT_EQ(Sources.text("f", UINT64_MAX, UINT64_MAX), std::nullopt);
}

TEST(QuotedSources, EachFileIsAskedForOnce) {
  int Asked = 0;
  SourceText Source = [&](const std::string &) {
    ++Asked;
    return std::nullopt;
  };
  QuotedSources Sources(Source);
  Sources.line("f", 1);
  Sources.line("f", 2);
  Sources.place("f", 0);
  EXPECT_EQ(Asked, 1);
}

} // namespace SourceSnippetTests
