//===- tests/unit/runtime/probe/CubinTests.cpp - Cubins, whole and broken -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Cubin.h"

#include <cstring>
#include <elf.h>
#include <gmock/gmock.h>

namespace cudalint::probe {
namespace {

using testing::Eq;
using testing::Optional;

/// An ELF file with a section of names and one of code, `.text.kernel`, that
/// holds the instructions 1, 2, 3 of 16 bytes each.
std::string smallCubin() {
  std::string Names("\0.shstrtab\0.text.kernel\0", 24);
  std::vector<std::uint64_t> Code = {1, 0, 2, 0, 3, 0};
  std::size_t NamesAt = sizeof(Elf64_Ehdr);
  std::size_t CodeAt = NamesAt + Names.size();
  std::size_t SectionsAt = CodeAt + 8 * Code.size();

  Elf64_Ehdr Header = {};
  std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
  Header.e_ident[EI_CLASS] = ELFCLASS64;
  Header.e_shoff = SectionsAt;
  Header.e_shentsize = sizeof(Elf64_Shdr);
  Header.e_shnum = 3;
  Header.e_shstrndx = 1;
  Elf64_Shdr Sections[3] = {};
  Sections[1].sh_name = 1;
  Sections[1].sh_type = SHT_STRTAB;
  Sections[1].sh_offset = NamesAt;
  Sections[1].sh_size = Names.size();
  Sections[2].sh_name = 11;
  Sections[2].sh_type = SHT_PROGBITS;
  Sections[2].sh_offset = CodeAt;
  Sections[2].sh_size = 8 * Code.size();

  std::string Out;
  auto Append = [&](const void *From, std::size_t Size) {
    Out.append(static_cast<const char *>(From), Size);
  };
  Append(&Header, sizeof Header);
  Append(Names.data(), Names.size());
  Append(Code.data(), 8 * Code.size());
  Append(Sections, sizeof Sections);
  return Out;
}

std::optional<std::uint64_t>
wordOf(std::string Bytes, std::string_view Function, std::uint64_t Offset) {
  return Cubin(std::move(Bytes)).instruction(Function, Offset).Word;
}

TEST(Cubin, FindsInstructionsByFunctionAndOffset) {
  Cubin C(smallCubin());
  EXPECT_THAT(C.instruction("kernel", 0).Word, Optional(Eq(1u)));
  EXPECT_THAT(C.instruction("kernel", 16).Word, Optional(Eq(2u)));
  EXPECT_THAT(C.instruction("kernel", 32).Word, Optional(Eq(3u)));
  EXPECT_EQ(C.instruction("kernel", 0).Where, SourceLine());
  EXPECT_TRUE(C.has("kernel"));
  EXPECT_FALSE(C.has("kerne"));
}

TEST(Cubin, NothingOutsideTheCode) {
  EXPECT_EQ(wordOf(smallCubin(), "kernel", 48), std::nullopt);
  EXPECT_EQ(wordOf(smallCubin(), "kernel", 41), std::nullopt);
  EXPECT_EQ(wordOf(smallCubin(), "kernel", ~std::uint64_t{0}), std::nullopt);
  EXPECT_EQ(wordOf(smallCubin(), "kerne", 0), std::nullopt);
  EXPECT_EQ(wordOf(smallCubin(), "", 0), std::nullopt);
}

TEST(Cubin, ABrokenFileHasNoInstructions) {
  EXPECT_EQ(wordOf({}, "kernel", 0), std::nullopt);
  std::string Whole = smallCubin();
  // Cut anywhere, the section table at the end is damaged.
  for (std::size_t Size = 0; Size != Whole.size(); ++Size)
    EXPECT_EQ(wordOf(Whole.substr(0, Size), "kernel", 16), std::nullopt)
        << Size;
}

TEST(Cubin, AnyByteMayLie) {
  // Whatever stands there, nothing outside the file is read: the sanitizers
  // watch.
  std::string Whole = smallCubin();
  for (std::size_t At = 0; At != Whole.size(); ++At)
    for (int Value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string Broken = Whole;
      Broken[At] = static_cast<char>(Value);
      auto Found = wordOf(std::move(Broken), "kernel", 16);
      EXPECT_LE(Found.has_value(), 1);
    }
}

} // namespace
} // namespace cudalint::probe
