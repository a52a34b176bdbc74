//===- tests/unit/cubin/LineTableTests.cpp - Lines of code ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/LineTable.h"
#include "tests/unit/cubin/FakeCubin.h"

#include <elf.h>
#include <gmock/gmock.h>

namespace cudalint::cubin::LineTableTests {
namespace {

using fake::bytes, fake::EndSequence, fake::lineUnit, fake::SetAddress;
using testing::ElementsAre, testing::SizeIs;

/// A frame that outlives its table.
struct SourceLine {
  std::string File;
  unsigned Line = 0;

  bool operator==(const SourceLine &) const = default;
};

/// 0x00 line 3; 0x10 line 4; 0x20 line 12 of the header, inlined; 0x30 line 4;
/// to 0x180. The opcode 0xf0 is (0xf0 - 10) / 14 = 16 bytes and
/// (0xf0 - 10) % 14 - 5 = 1 line on.
const std::string Program =
    SetAddress + bytes("\3\2\1\xf0") + bytes("\2\x10\4\2\0\3\x90\2\0\3\x8\1") +
    bytes("\2\x10\4\1\3\x78\1") + bytes("\2\xd0\x02") + EndSequence;

/// A cubin with the code `.text.first`, section 4, of which symbol 1 stands at
/// its start, and `.text.second`, section 5, of which symbol 2 does; symbol 3
/// stands 0x200 behind the start of section 5. Symbols are those that the
/// sequences begin at.
std::string cubin(const std::string &Lines,
                  const std::vector<std::uint64_t> &Symbols,
                  const std::string &Names = "") {
  fake::ElfWriter Out;
  Out.add({".debug_str", SHT_PROGBITS, Names});
  std::uint32_t OfLines = Out.add({".debug_line", SHT_PROGBITS, Lines});
  constexpr std::uint32_t OfSymbols = 7;
  Out.add(fake::relocationsOf(Lines, OfLines, OfSymbols, Symbols));
  Out.add({".text.first", SHT_PROGBITS, std::string(0x180, '\0')});
  Out.add({".text.second", SHT_PROGBITS, std::string(0x180, '\0')});
  EXPECT_EQ(Out.add({{4, 0, ""}, {5, 0, ""}, {5, 0x200, ""}}), OfSymbols);
  return Out.write();
}

SourceLine lineAt(const std::string &Cubin, std::uint32_t Section,
                  std::uint64_t Offset) {
  ElfFile File(Cubin);
  LineTable Table(File);
  auto Found = Table.find(Section, Offset);
  return Found ? SourceLine{std::string(Found->File), Found->Line}
               : SourceLine();
}

SourceLine at(std::string File, unsigned Line) { return {File, Line}; }

TEST(LineTable, EachInstructionHasTheLineOfTheRowBefore) {
  std::string Cubin = cubin(lineUnit(Program), {1});
  EXPECT_EQ(lineAt(Cubin, 4, 0), at("/src/a.cu", 3));
  EXPECT_EQ(lineAt(Cubin, 4, 0x10), at("/src/a.cu", 4));
  EXPECT_EQ(lineAt(Cubin, 4, 0x1f), at("/src/a.cu", 4));
  EXPECT_EQ(lineAt(Cubin, 4, 0x20), at("/inc/h.cuh", 12));
  EXPECT_EQ(lineAt(Cubin, 4, 0x30), at("/src/a.cu", 4));
  EXPECT_EQ(lineAt(Cubin, 4, 0x17f), at("/src/a.cu", 4));
  EXPECT_EQ(lineAt(Cubin, 4, 0x180), SourceLine()) << "behind the end";
  EXPECT_EQ(lineAt(Cubin, 5, 0), SourceLine()) << "another function";
  EXPECT_EQ(lineAt(Cubin, 77, 0), SourceLine());
}

TEST(LineTable, HasSizeAndTimeOfTheFiles) {
  const std::string Cubin = cubin(lineUnit(Program), {1});
  ElfFile File(Cubin);
  LineTable Table(File);
  EXPECT_EQ(Table.find(4, 0)->Version,
            (FileVersion{.Bytes = 900, .Modified = 50}));
  EXPECT_EQ(Table.find(4, 0x20)->Version, FileVersion()) << "of the header";
}

TEST(LineTable, DwarfFourHasOneFieldMore) {
  EXPECT_EQ(lineAt(cubin(lineUnit(Program, 4), {1}), 4, 0x20),
            at("/inc/h.cuh", 12));
}

TEST(LineTable, EachFunctionHasRowsOfItsOwn) {
  // The second's begin at line 1 again, behind 0x200 bytes of its section.
  std::string Second = SetAddress + bytes("\3\6\1\2\x40") + EndSequence;
  std::string Cubin = cubin(lineUnit(Program + Second), {1, 3});
  EXPECT_EQ(lineAt(Cubin, 4, 0x10), at("/src/a.cu", 4));
  EXPECT_EQ(lineAt(Cubin, 5, 0x1ff), SourceLine());
  EXPECT_EQ(lineAt(Cubin, 5, 0x200), at("/src/a.cu", 7));
  EXPECT_EQ(lineAt(Cubin, 5, 0x240), SourceLine());
}

TEST(LineTable, ALinkedFileHasSeveralUnits) {
  std::string Two =
      lineUnit(SetAddress + bytes("\3\x10\1\2\x40") + EndSequence);
  std::string Cubin = cubin(lineUnit(Program) + Two, {1, 2});
  EXPECT_EQ(lineAt(Cubin, 4, 0), at("/src/a.cu", 3));
  EXPECT_EQ(lineAt(Cubin, 5, 0), at("/src/a.cu", 17));
}

TEST(LineTable, LineZeroAndUnknownFilesAreNoLine) {
  std::string None = SetAddress + bytes("\3\x7f\1\2\x10\3\1\4\x9\1") +
                     bytes("\2\x10") + EndSequence;
  std::string Cubin = cubin(lineUnit(None), {1});
  EXPECT_EQ(lineAt(Cubin, 4, 0), SourceLine());
  EXPECT_EQ(lineAt(Cubin, 4, 0x10), SourceLine());
}

/// To the end of the code, 16 bytes behind the last row.
const std::string Rest = bytes("\2\x10") + EndSequence;

std::vector<std::string> chainAt(const std::string &Program,
                                 std::uint64_t Offset) {
  // At 0 of the names is `inner`, at 6 `middle`.
  std::string Bytes = cubin(lineUnit(SetAddress + Program + Rest), {1},
                            bytes("inner\0middle\0"));
  ElfFile File(Bytes);
  std::vector<std::string> Out;
  for (const Frame &Each : LineTable(File).frames(4, Offset))
    Out.push_back(std::string(Each.File) + ":" + std::to_string(Each.Line) +
                  " " + std::string(Each.Function));
  return Out;
}

TEST(LineTable, CallsThatWereInlinedAreAChain) {
  // NVIDIA's opcode 0x90 names the row of the call, from 1, and the function:
  // what ptxas writes for `inlined_at`. Row 1 is line 11 of the kernel, row 2
  // line 6 of `middle` that was called there, row 3 line 2 of `inner`; row 4,
  // at 0x10, is line 12 of the kernel.
  std::string Program = bytes("\3\xa\1") + bytes("\0\3\x90\1\6\3\x7b\1") +
                        bytes("\0\3\x90\2\0\3\x7c\1") +
                        bytes("\0\3\x90\0\0\3\xa\2\x10\1");
  EXPECT_THAT(
      chainAt(Program, 0),
      ElementsAre("/src/a.cu:2 inner", "/src/a.cu:6 middle", "/src/a.cu:11 "));
  EXPECT_THAT(chainAt(Program, 0x10), ElementsAre("/src/a.cu:12 "));
}

TEST(LineTable, ProfilersShowTheFirstOfTheRowsOfAnAddress) {
  // Line 11 of the kernel is there for the call alone, and line 2 follows at
  // its address; at 0x10 line 3 of the same call has a row of its own.
  std::string Program =
      bytes("\3\xa\1") + bytes("\0\3\x90\1\0\3\x77\1") + bytes("\3\1\2\x10\1");
  std::string Bytes = cubin(lineUnit(SetAddress + Program + Rest), {1},
                            bytes("inner\0middle\0"));
  EXPECT_EQ(lineAt(Bytes, 4, 0), SourceLine("/src/a.cu", 11));
  EXPECT_EQ(lineAt(Bytes, 4, 8), SourceLine("/src/a.cu", 11));
  EXPECT_EQ(lineAt(Bytes, 4, 0x10), SourceLine("/src/a.cu", 3));
  EXPECT_THAT(chainAt(Program, 0),
              ElementsAre("/src/a.cu:2 inner", "/src/a.cu:11 "));
}

TEST(LineTable, ACallStandsBeforeWhatWasInlined) {
  // Of row 7, which is not there, nothing is known: it is told, and the
  // innermost line stays. A row cannot be inlined into itself.
  std::string Program = bytes("\3\xa\1") + bytes("\0\3\x90\7\0\3\x7c\1");
  EXPECT_THAT(chainAt(Program, 0), ElementsAre("/src/a.cu:7 "));
  std::string Bytes = cubin(lineUnit(SetAddress + Program + Rest), {1});
  EXPECT_TRUE(LineTable(ElfFile(Bytes)).hasUnknown());
}

TEST(LineTable, ColumnsAreKept) {
  std::string Bytes =
      cubin(lineUnit(SetAddress + bytes("\5\x11\1") + Rest), {1});
  auto Found = LineTable(ElfFile(Bytes)).find(4, 0);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Column, 17u);
}

TEST(LineTable, AChainEnds) {
  // Each row is inlined at the one before.
  std::string Program = bytes("\1");
  for (unsigned char Row = 1; Row != 127; ++Row)
    Program += bytes("\0\3\x90") + static_cast<char>(Row) + bytes("\0\1");
  EXPECT_THAT(chainAt(Program, 0), SizeIs(127));
}

TEST(LineTable, WhatIsNotUnderstoodIsTold) {
  auto isUnknown = [](const std::string &Lines) {
    std::string Bytes = cubin(Lines, {});
    ElfFile File(Bytes);
    return LineTable(File).hasUnknown();
  };
  EXPECT_FALSE(isUnknown(""));
  EXPECT_TRUE(isUnknown(lineUnit(Program, 5)));
  EXPECT_TRUE(isUnknown(lineUnit(Program).substr(0, 60)));
  EXPECT_TRUE(isUnknown("abc"));
}

TEST(LineTable, AnyByteMayLie) {
  // The sanitizers watch, and it comes to an end.
  std::string Whole = cubin(lineUnit(Program), {1});
  for (std::size_t At = 0; At != Whole.size(); ++At)
    for (int Value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string Broken = Whole;
      Broken[At] = static_cast<char>(Value);
      SourceLine Found = lineAt(Broken, 4, 0x10);
      EXPECT_TRUE(Found.File.empty() || Found.Line != 0);
    }
  for (std::size_t Size = 0; Size != Whole.size(); ++Size)
    EXPECT_EQ(lineAt(Whole.substr(0, Size), 4, 0x10), SourceLine());
}

} // namespace
} // namespace cudalint::cubin::LineTableTests
