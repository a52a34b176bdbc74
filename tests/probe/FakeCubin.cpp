//===- tests/probe/FakeCubin.cpp - The code of a kernel -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/probe/FakeCubin.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <vector>

namespace fake {

template <class T> static std::string bytesOf(const T &Value) {
  return {reinterpret_cast<const char *>(&Value), sizeof Value};
}

static const std::string Zero(1, '\0');

/// A line table of DWARF 2. Its program sets the address, of which a
/// relocation says the function, and makes a row at 0 and at 16.
static std::string lineTable(const std::string &File, unsigned char Line) {
  // Step 1; statements; lines from -5, 14 of them; 10 standard opcodes.
  std::string Header = "\x01\x01\xfb\x0e\x0a" + Zero + "\1\1\1\1" + Zero +
                       Zero + Zero + "\1" + "/build" + Zero + Zero + File +
                       Zero + "\1" + Zero + Zero + Zero;
  std::string Program = Zero + "\x09\x02" + std::string(8, '\0') + "\x03" +
                        static_cast<char>(Line - 1) + "\1\2\x10\3\1\1\2\x10" +
                        Zero + "\1\1";
  std::string Body = bytesOf(std::uint16_t{2}) +
                     bytesOf(static_cast<std::uint32_t>(Header.size())) +
                     Header + Program;
  return bytesOf(static_cast<std::uint32_t>(Body.size())) + Body;
}

std::string makeCubin(const std::string &Kernel, const std::string &File,
                      unsigned char Line) {
  std::string Names = Zero + ".text." + Kernel + Zero + ".debug_line" + Zero;
  std::string Lines = lineTable(File, Line);
  Elf64_Sym Symbol = {};
  Symbol.st_shndx = 2;
  Elf64_Rela Relocation = {};
  Relocation.r_offset =
      Lines.find("\x09\x02" + std::string(8, '\0')) + 2; // the address
  Relocation.r_info = ELF64_R_INFO(1, 2);
  std::string Out(sizeof(Elf64_Ehdr), '\0');
  std::vector<Elf64_Shdr> Sections(1);
  auto add = [&](std::size_t Name, std::uint32_t Type, const std::string &Bytes,
                 std::uint32_t Link = 0, std::uint32_t Info = 0) {
    Elf64_Shdr Each = {};
    Each.sh_name = static_cast<std::uint32_t>(Name);
    Each.sh_type = Type;
    Each.sh_offset = Out.size();
    Each.sh_size = Bytes.size();
    Each.sh_link = Link;
    Each.sh_info = Info;
    Sections.push_back(Each);
    Out += Bytes;
  };
  add(0, SHT_STRTAB, Names);
  add(1, SHT_PROGBITS,
      bytesOf(std::uint64_t{0x981}) + std::string(8, '\0') +
          bytesOf(std::uint64_t{0x986}) + std::string(8, '\0'));
  add(Names.find(".debug_line"), SHT_PROGBITS, Lines);
  add(0, SHT_RELA, bytesOf(Relocation), 5, 3);
  add(0, SHT_SYMTAB, bytesOf(Elf64_Sym()) + bytesOf(Symbol));
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

} // namespace fake
