//===- tests/unit/runtime/ncu/ExportLineTests.cpp - Fields ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/ncu/ExportLine.h"

#include <gmock/gmock.h>

namespace ExportLineTests {

using namespace cudalint::ncu;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename Function> static std::string faultOf(Function Do) {
  try {
    Do();
  } catch (const Fault &Why) {
    return Why.what();
  }
  return "none";
}

TEST(ExportLine, QuotesWithinASourceLineAreNotDoubled) {
  EXPECT_THAT(fieldsOf(R"("1","#include "Mixed.h"","-")", 1),
              ElementsAre("1", "#include \"Mixed.h\"", "-"));
}

TEST(ExportLine, TheHeaderTellsWhichPiecesBelongTogether) {
  // printf("a","b") in the second of three columns.
  EXPECT_THAT(fieldsOf(R"("9","f("a","b","c");","-")", 1, 3),
              ElementsAre("9", R"(f("a","b","c");)", "-"));
  EXPECT_THAT(fieldsOf(R"("9","f","-")", 1, 3), ElementsAre("9", "f", "-"));
  // Fewer are not made up.
  EXPECT_THAT(fieldsOf(R"("9","f")", 1, 3), ElementsAre("9", "f"));
}

TEST(ExportLine, TheNameOfAKernelEndsWithAComma) {
  EXPECT_THAT(fieldsOf("\"Kernel Name\",\"f(float *)\",", 1),
              ElementsAre("Kernel Name", "f(float *)"));
}

TEST(ExportLine, WhatASpreadsheetWrites) {
  EXPECT_THAT(fieldsOf(R"(a,"b,c",,d)", 1), ElementsAre("a", "b,c", "", "d"));
  EXPECT_THAT(fieldsOf("", 1), ElementsAre(""));
}

TEST(ExportLine, BadLinesNameTheirNumber) {
  EXPECT_THAT(faultOf([] { fieldsOf("\"a\",\"b", 7); }),
              HasSubstr("line 7: the last field has no end"));
  EXPECT_THAT(faultOf([] { fieldsOf("\"", 7); }), HasSubstr("line 7: "));
  EXPECT_THAT(faultOf([] { fieldsOf("a,\"b", 8); }), HasSubstr("line 8: "));
  EXPECT_THAT(faultOf([] { fieldsOf(std::string(1000000, ','), 3); }),
              HasSubstr("line 3: more than 20000 columns"));
  std::string Quoted = "\"";
  for (int I = 0; I != 1000000; ++I)
    Quoted += "\",\"";
  EXPECT_THAT(faultOf([&] { fieldsOf(Quoted + "\"", 3); }),
              HasSubstr("more than 20000 columns"));
}

TEST(ExportLine, LinesEndAsTheyLike) {
  Lines All("a\r\nb\n\nc");
  EXPECT_EQ("a", All.next());
  EXPECT_EQ("b", All.next());
  EXPECT_EQ("", All.next());
  EXPECT_FALSE(All.isOpen());
  EXPECT_EQ("c", All.next());
  EXPECT_TRUE(All.isOpen());
  EXPECT_EQ(4u, All.number());
  EXPECT_FALSE(All.next());
  EXPECT_THAT(faultOf([] { Lines(std::string_view("a\0b", 3)).next(); }),
              HasSubstr("bytes that are no text"));
}

TEST(ExportLine, Counts) {
  EXPECT_EQ(8192u, countOf("8192", "c", 1));
  EXPECT_EQ(62914560u, countOf("62,914,560", "c", 1));
  EXPECT_EQ(12u, countOf("12.000000", "c", 1));
  EXPECT_EQ(UINT64_MAX, countOf("18446744073709551615", "c", 1));
  for (const char *Unknown : {"", "-", "n/a"})
    EXPECT_FALSE(countOf(Unknown, "c", 1)) << Unknown;
  for (const char *Bad :
       {"-1", "nan", "inf", "1.5", "1e3", "=1+2", "0x10", "1,2", "12,34,567",
        ",123", "1.234.567", "18446744073709551616", "12 ", "+3", ".", "1,"})
    EXPECT_THAT(faultOf([&] { countOf(Bad, "Instructions", 9); }),
                HasSubstr("line 9: column 'Instructions' is '"))
        << Bad;
}

TEST(ExportLine, Figures) {
  EXPECT_EQ(4.198400, figureOf("4.198400", "c", 1));
  EXPECT_EQ(224657534246.58, figureOf("224,657,534,246.58", "c", 1));
  EXPECT_EQ(1500, figureOf("1.5e3", "c", 1));
  EXPECT_FALSE(figureOf("n/a", "c", 1));
  for (const char *Bad : {"-1", "nan", "inf", "1e999", "=A1", "0x1p3", "1.2.3"})
    EXPECT_THAT(faultOf([&] { figureOf(Bad, "Time", 9); }),
                HasSubstr("line 9: column 'Time' is '"))
        << Bad;
}

TEST(ExportLine, AMessageQuotesLittle) {
  EXPECT_LT(faultOf([] { countOf(std::string(1000000, 'x'), "c", 1); }).size(),
            200u);
}

} // namespace ExportLineTests
