//===- tests/unit/runtime/probe/ModuleTableTests.cpp - Loaded code --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ModuleTable.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <set>

namespace cudalint::probe::ModuleTableTests {
namespace {

/// Code of \p Function: one instruction, \p Word.
std::string cubin(const std::string &Function, std::uint64_t Word) {
  std::string Names = std::string("\0.text.", 7) + Function + '\0';
  Elf64_Ehdr Header = {};
  std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
  Header.e_ident[EI_CLASS] = ELFCLASS64;
  Header.e_shentsize = sizeof(Elf64_Shdr);
  Header.e_shnum = 3;
  Header.e_shstrndx = 1;
  Header.e_shoff = sizeof Header + Names.size() + sizeof Word;
  Elf64_Shdr Sections[3] = {};
  Sections[1].sh_type = SHT_STRTAB;
  Sections[1].sh_offset = sizeof Header;
  Sections[1].sh_size = Names.size();
  Sections[2].sh_name = 1;
  Sections[2].sh_type = SHT_PROGBITS;
  Sections[2].sh_offset = sizeof Header + Names.size();
  Sections[2].sh_size = sizeof Word;
  std::string Out(reinterpret_cast<const char *>(&Header), sizeof Header);
  Out += Names;
  Out.append(reinterpret_cast<const char *>(&Word), sizeof Word);
  return Out.append(reinterpret_cast<const char *>(Sections), sizeof Sections);
}

std::optional<std::uint64_t> wordOf(const ModuleTable &Table,
                                    std::uint32_t Number,
                                    const std::string &Function) {
  auto Code = Table.find(Number, Function);
  return Code ? Code->word(Function, 0) : std::nullopt;
}

TEST(ModuleTable, EveryContentHasANumberOfItsOwn) {
  ModuleTable Table;
  std::set<std::uint32_t> Numbers;
  for (std::uint64_t Word = 0; Word != 20000; ++Word)
    Numbers.insert(Table.number(cubin("w", Word)));
  EXPECT_EQ(Numbers.size(), 20000u);
  EXPECT_EQ(Numbers.count(0), 0u);
  EXPECT_EQ(Table.number(cubin("w", 7)), Table.number(cubin("w", 7)));
}

TEST(ModuleTable, StaticKernelsOfOneNameAreToldApart) {
  // Two files of equal size and CUPTI's number, as two static kernels make
  // them.
  ModuleTable Table;
  std::uint32_t A = Table.number(cubin("w", 4)),
                B = Table.number(cubin("w", 8));
  Table.loaded(cubin("w", 4), 0x59aff3b2);
  Table.loaded(cubin("w", 8), 0x59aff3b2);
  EXPECT_EQ(wordOf(Table, A, "w"), 4u);
  EXPECT_EQ(wordOf(Table, B, "w"), 8u);
  EXPECT_EQ(wordOf(Table, 0x59aff3b2, "w"), std::nullopt)
      << "it could be either";
  EXPECT_EQ(wordOf(Table, A, "x"), std::nullopt) << "that code is not there";
}

TEST(ModuleTable, ByTheNumberOfCuptiTheFunctionDecides) {
  ModuleTable Table;
  Table.loaded(cubin("ka", 1), 0x80c84f5);
  Table.loaded(cubin("kb", 2), 0x80c84f5);
  EXPECT_EQ(wordOf(Table, 0x80c84f5, "ka"), 1u);
  EXPECT_EQ(wordOf(Table, 0x80c84f5, "kb"), 2u);
  EXPECT_EQ(wordOf(Table, 0x80c84f5, "kc"), std::nullopt);
}

TEST(ModuleTable, AModuleGoesWithItsLastUnload) {
  ModuleTable Table;
  std::uint32_t Number = Table.number(cubin("k", 1));
  EXPECT_EQ(wordOf(Table, Number, "k"), std::nullopt) << "not loaded yet";
  Table.loaded(cubin("k", 1), std::nullopt);
  Table.loaded(cubin("k", 1), std::nullopt);
  Table.unloaded(cubin("k", 1));
  EXPECT_EQ(wordOf(Table, Number, "k"), 1u);
  Table.unloaded(cubin("k", 1));
  EXPECT_EQ(wordOf(Table, Number, "k"), std::nullopt);
  Table.unloaded(cubin("k", 1));
  Table.loaded(cubin("k", 1), std::nullopt);
  EXPECT_EQ(Table.number(cubin("k", 1)), Number);
  EXPECT_EQ(wordOf(Table, Number, "k"), 1u);
}

TEST(ModuleTable, CodeThatIsGoneIsKeptUpToABound) {
  ModuleTable Table;
  const std::string One = cubin("f", 1), Two = cubin("f", 2),
                    Three = cubin("f", 3);
  // Of equal size.
  const std::size_t Most = 2 * One.size();
  auto Has = [&](const std::string &Bytes) {
    return wordOf(Table, Table.number(Bytes), "f").has_value();
  };
  for (const std::string *Each : {&One, &Two, &Three}) {
    Table.loaded(*Each, std::nullopt);
    Table.unloaded(*Each, Most);
  }
  EXPECT_FALSE(Has(One));
  EXPECT_TRUE(Has(Two));
  EXPECT_TRUE(Has(Three));
  // What was loaded again stays, whatever goes meanwhile.
  Table.loaded(Two, std::nullopt);
  for (int I = 0; I != 5; ++I) {
    Table.loaded(One, std::nullopt);
    Table.unloaded(One, Most);
  }
  EXPECT_TRUE(Has(Two));
  EXPECT_TRUE(Has(Three));
  EXPECT_TRUE(Has(One));
  // Nobody asks to keep it.
  Table.unloaded(Two);
  EXPECT_FALSE(Has(Two));
  EXPECT_FALSE(Has(One));
}

} // namespace
} // namespace cudalint::probe::ModuleTableTests
