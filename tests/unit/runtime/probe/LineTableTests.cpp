//===- tests/unit/runtime/probe/LineTableTests.cpp - Lines of code --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/LineTable.h"

#include <elf.h>
#include <gmock/gmock.h>

namespace cudalint::probe {
namespace {

using testing::Eq;
using testing::Optional;

template <class T> std::string bytesOf(const T &Value) {
  return {reinterpret_cast<const char *>(&Value), sizeof Value};
}

/// All characters of a literal, zeros too.
template <std::size_t N> std::string bytes(const char (&Text)[N]) {
  return {Text, N - 1};
}

/// `.debug_line` as ptxas writes it, after the DWARF 2 specification, 6.2. The
/// standard opcodes have the numbers of arguments that it gives them.
std::string unit(const std::string &Program, std::uint16_t Version = 2) {
  std::string Rest("\x01", 1);
  if (Version == 4)
    Rest += '\x01';
  Rest += bytes("\x01\xfb\x0e\x0a\0\1\1\1\1\0\0\0\1");
  Rest += bytes("/x/.././src\0\0");
  Rest += bytes("a.cu\0\1\0\0/inc/h.cuh\0\0\0\0\0");
  std::string Body = bytesOf(Version) +
                     bytesOf(static_cast<std::uint32_t>(Rest.size())) + Rest +
                     Program;
  return bytesOf(static_cast<std::uint32_t>(Body.size())) + Body;
}

const std::string SetAddress = bytes("\0\x09\2\0\0\0\0\0\0\0\0");
const std::string End = bytes("\0\1\1");

/// 0x00 line 3; 0x10 line 4; 0x20 line 12 of the header, inlined; 0x30 line 4;
/// to 0x180. The opcode 0xf0 is (0xf0 - 10) / 14 = 16 bytes and
/// (0xf0 - 10) % 14 - 5 = 1 line on.
const std::string Program =
    SetAddress + bytes("\3\2\1\xf0") + bytes("\2\x10\4\2\0\3\x90\2\0\3\x8\1") +
    bytes("\2\x10\4\1\3\x78\1") + bytes("\2\xd0\x02") + End;

/// A cubin with the code `.text.first`, section 4, of which symbol 1 stands at
/// its start, and `.text.second`, section 5, of which symbol 2 does; symbol 3
/// stands 0x200 behind the start of section 5.
std::string cubin(const std::string &Lines,
                  const std::vector<std::uint64_t> &Symbols) {
  std::string Names =
      bytes("\0.n\0.debug_line\0.rela\0.text.first\0.text.second\0.s\0");
  std::string Table(sizeof(Elf64_Sym), '\0');
  for (auto [Section, Value] : {std::pair{4, 0}, {5, 0}, {5, 0x200}}) {
    Elf64_Sym Symbol = {};
    Symbol.st_shndx = static_cast<std::uint16_t>(Section);
    Symbol.st_value = static_cast<std::uint64_t>(Value);
    Table += bytesOf(Symbol);
  }
  std::string Relocations;
  std::size_t At = 0;
  for (std::uint64_t Number : Symbols) {
    At = Lines.find(SetAddress, At) + 3;
    Elf64_Rela Each = {};
    Each.r_offset = At;
    Each.r_info = ELF64_R_INFO(Number, 2);
    Relocations += bytesOf(Each);
  }
  std::string Out(sizeof(Elf64_Ehdr), '\0');
  std::vector<Elf64_Shdr> Sections(1);
  auto add = [&](std::uint32_t Name, std::uint32_t Type,
                 const std::string &Bytes, std::uint32_t Link = 0,
                 std::uint32_t Info = 0) {
    Elf64_Shdr Each = {};
    Each.sh_name = Name;
    Each.sh_type = Type;
    Each.sh_offset = Out.size();
    Each.sh_size = Bytes.size();
    Each.sh_link = Link;
    Each.sh_info = Info;
    Sections.push_back(Each);
    Out += Bytes;
  };
  add(1, SHT_STRTAB, Names);
  add(4, SHT_PROGBITS, Lines);
  add(16, SHT_RELA, Relocations, 6, 2);
  add(22, SHT_PROGBITS, std::string(0x180, '\0'));
  add(34, SHT_PROGBITS, std::string(0x180, '\0'));
  add(47, SHT_SYMTAB, Table);
  Elf64_Ehdr Header = {};
  std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
  Header.e_ident[EI_CLASS] = ELFCLASS64;
  Header.e_shoff = Out.size();
  Header.e_shentsize = sizeof(Elf64_Shdr);
  Header.e_shnum = static_cast<std::uint16_t>(Sections.size());
  Header.e_shstrndx = 1;
  std::memcpy(Out.data(), &Header, sizeof Header);
  for (const Elf64_Shdr &Each : Sections)
    Out += bytesOf(Each);
  return Out;
}

SourceLine lineAt(const std::string &Cubin, std::uint32_t Section,
                  std::uint64_t Offset) {
  ElfFile File(Cubin);
  return LineTable(File).find(Section, Offset);
}

SourceLine at(std::string File, unsigned Line) { return {File, Line}; }

TEST(LineTable, EachInstructionHasTheLineOfTheRowBefore) {
  std::string Cubin = cubin(unit(Program), {1});
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

TEST(LineTable, DwarfFourHasOneFieldMore) {
  EXPECT_EQ(lineAt(cubin(unit(Program, 4), {1}), 4, 0x20),
            at("/inc/h.cuh", 12));
}

TEST(LineTable, EachFunctionHasRowsOfItsOwn) {
  // The second's begin at line 1 again, behind 0x200 bytes of its section.
  std::string Second = SetAddress + bytes("\3\6\1\2\x40") + End;
  std::string Cubin = cubin(unit(Program + Second), {1, 3});
  EXPECT_EQ(lineAt(Cubin, 4, 0x10), at("/src/a.cu", 4));
  EXPECT_EQ(lineAt(Cubin, 5, 0x1ff), SourceLine());
  EXPECT_EQ(lineAt(Cubin, 5, 0x200), at("/src/a.cu", 7));
  EXPECT_EQ(lineAt(Cubin, 5, 0x240), SourceLine());
}

TEST(LineTable, ALinkedFileHasSeveralUnits) {
  std::string Two = unit(SetAddress + bytes("\3\x10\1\2\x40") + End);
  std::string Cubin = cubin(unit(Program) + Two, {1, 2});
  EXPECT_EQ(lineAt(Cubin, 4, 0), at("/src/a.cu", 3));
  EXPECT_EQ(lineAt(Cubin, 5, 0), at("/src/a.cu", 17));
}

TEST(LineTable, LineZeroAndUnknownFilesAreNoLine) {
  std::string None =
      SetAddress + bytes("\3\x7f\1\2\x10\3\1\4\x9\1") + bytes("\2\x10") + End;
  std::string Cubin = cubin(unit(None), {1});
  EXPECT_EQ(lineAt(Cubin, 4, 0), SourceLine());
  EXPECT_EQ(lineAt(Cubin, 4, 0x10), SourceLine());
}

TEST(LineTable, WhatIsNotUnderstoodIsTold) {
  auto isUnknown = [](const std::string &Lines) {
    std::string Bytes = cubin(Lines, {});
    ElfFile File(Bytes);
    return LineTable(File).hasUnknown();
  };
  EXPECT_FALSE(isUnknown(""));
  EXPECT_TRUE(isUnknown(unit(Program, 5)));
  EXPECT_TRUE(isUnknown(unit(Program).substr(0, 60)));
  EXPECT_TRUE(isUnknown("abc"));
}

TEST(LineTable, AnyByteMayLie) {
  // The sanitizers watch, and it comes to an end.
  std::string Whole = cubin(unit(Program), {1});
  for (std::size_t At = 0; At != Whole.size(); ++At)
    for (int Value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string Broken = Whole;
      Broken[At] = static_cast<char>(Value);
      SourceLine Found = lineAt(Broken, 4, 0x10);
      EXPECT_EQ(Found.File.has_value(), Found.Line != 0);
    }
  for (std::size_t Size = 0; Size != Whole.size(); ++Size)
    EXPECT_EQ(lineAt(Whole.substr(0, Size), 4, 0x10), SourceLine());
}

} // namespace
} // namespace cudalint::probe
