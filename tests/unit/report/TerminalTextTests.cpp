//===- tests/unit/report/TerminalTextTests.cpp - Safe and fitting text ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/TerminalText.h"

#include <gtest/gtest.h>

namespace TerminalTextTests {

using namespace cudalint;

TEST(TerminalText, OrdinaryTextIsUnchanged) {
  for (const char *Text :
       {"", "load touches 12 sectors", "é日本語😀", "e\u0301"})
    EXPECT_EQ(printable(Text), Text);
}

TEST(TerminalText, ControlCharactersAreNumbered) {
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "<U+001B>[31mred<U+001B>[0m");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f"),
            "a<U+000A>b<U+0009>c<U+000D>d<U+007F>");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "<U+0000>");
  // C1: U+009B begins an escape sequence on some terminals.
  EXPECT_EQ(printable("\u009b31m"), "<U+009B>31m");
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "<9B>31m");
}

TEST(TerminalText, InvisibleAndTurningCharactersAreNumbered) {
  EXPECT_EQ(printable("a\u202Eb\u2066c\u200Bd\uFEFFe\u2028f"),
            "a<U+202E>b<U+2066>c<U+200B>d<U+FEFF>e<U+2028>f");
  EXPECT_EQ(printable("\U000E0041"), "<U+E0041>");
}

TEST(TerminalText, BrokenUtf8IsNumberedByteByByte) {
  EXPECT_EQ(printable("\x80"), "<80>");                         // alone
  EXPECT_EQ(printable("\xC0\xAF"), "<C0><AF>");                 // overlong '/'
  EXPECT_EQ(printable("\xE0\x80\xAF"), "<E0><80><AF>");         // the same
  EXPECT_EQ(printable("\xED\xA0\x80"), "<ED><A0><80>");         // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "<F4><90><80><80>"); // 110000
  EXPECT_EQ(printable("\xE6\x97"), "<E6><97>");                 // cut off
  EXPECT_EQ(printable("\xE6z"), "<E6>z");
  EXPECT_EQ(printable("\xFF\xFE"), "<FF><FE>");
}

TEST(TerminalText, ColumnsAreThoseOfATerminal) {
  EXPECT_EQ(columnsOf("abc"), 3u);
  EXPECT_EQ(columnsOf("é"), 1u);
  EXPECT_EQ(columnsOf("日本"), 4u);
  EXPECT_EQ(columnsOf("e\u0301"), 1u); // a letter and its accent
  EXPECT_EQ(columnsOf("😀"), 2u);
  EXPECT_EQ(columnsOf("한글"), 4u);
}

TEST(TerminalText, WrapsBetweenWordsAsClangDoes) {
  EXPECT_EQ(wrapped("aaa bbb ccc", 0, 0), "aaa bbb ccc");
  // Columns 10 to 12, 14 to 16: exactly full.
  EXPECT_EQ(wrapped("aaa bbb ccc", 10, 17), "aaa bbb\n      ccc");
  EXPECT_EQ(wrapped("aaa bbb ccc", 10, 16), "aaa\n      bbb ccc");
  EXPECT_EQ(wrapped("日本 日本", 0, 8), "日本\n      日本");
  EXPECT_EQ(wrapped("日本 日本", 0, 9), "日本 日本");
}

TEST(TerminalText, AWordThatIsTooLongStandsAloneWhole) {
  EXPECT_EQ(wrapped("a bbbbbbbbbbbbbbb c", 0, 8),
            "a\n      bbbbbbbbbbbbbbb\n      c");
  EXPECT_EQ(wrapped("bbbbbbbbb", 70, 8), "bbbbbbbbb");
}

TEST(TerminalText, ColoursAreClangs) {
  EXPECT_EQ(coloured("x", Style::Plain, true), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(coloured("x", Style::Error, true), "\x1b[0;1;31mx\x1b[0m");
  EXPECT_EQ(coloured("x", Style::Warning, true), "\x1b[0;1;35mx\x1b[0m");
  EXPECT_EQ(coloured("x", Style::Note, true), "\x1b[0;1;36mx\x1b[0m");
  EXPECT_EQ(coloured("x", Style::Caret, true), "\x1b[0;1;32mx\x1b[0m");
  EXPECT_EQ(coloured("x", Style::Error, false), "x");
}

TEST(TerminalText, IsCutToColumns) {
  EXPECT_EQ(cutTo("kernel", 6), "kernel");
  EXPECT_EQ(cutTo("kernels", 6), "kerne~");
  EXPECT_EQ(cutToEnd("a/b/c.cu:12", 8), "~c.cu:12");
  EXPECT_EQ(cutToEnd("c.cu:12", 8), "c.cu:12");
  // A wide character is left out whole.
  EXPECT_EQ(cutTo("\xe6\xa0\xb8\xe5\xbf\x83", 3), "\xe6\xa0\xb8~");
  EXPECT_EQ(cutTo("\xe6\xa0\xb8\xe5\xbf\x83", 2), "~");
  EXPECT_EQ(cutToEnd("\xe6\xa0\xb8\xe5\xbf\x83", 2), "~");
}

// Each character is read twice, and not once for each before it.
TEST(TerminalText, AMegabyteIsCutAtOnce) {
  const std::string Long(1 << 20, 'a');
  EXPECT_EQ(cutToEnd(Long + "b.cu", 8), "~aaab.cu");
  EXPECT_EQ(cutTo("b.cu" + Long, 8), "b.cuaaa~");
}

} // namespace TerminalTextTests
