//===- tests/unit/cubin/FakeCubin.cpp - Made-up cubins --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/cubin/FakeCubin.h"

#include <cstring>
#include <elf.h>

namespace fake {

std::uint32_t ElfWriter::add(Section S) {
  Sections.push_back(std::move(S));
  return static_cast<std::uint32_t>(Sections.size());
}

std::uint32_t ElfWriter::add(const std::vector<Symbol> &Symbols) {
  std::string Names(1, '\0'), Table(sizeof(Elf64_Sym), '\0');
  for (const Symbol &Each : Symbols) {
    Elf64_Sym Out = {};
    Out.st_name = static_cast<std::uint32_t>(Names.size());
    Names += Each.Name + '\0';
    Out.st_info = ELF64_ST_INFO(
        STB_GLOBAL,
        Each.IsFunction ? STT_FUNC : static_cast<unsigned>(STT_SECTION));
    Out.st_other = Each.IsKernel ? 0x10 : 0; // STO_CUDA_ENTRY
    Out.st_shndx = Each.Section;
    Out.st_value = Each.Value;
    Table += bytesOf(Out);
  }
  std::uint32_t OfNames = add({".strtab", SHT_STRTAB, Names});
  return add({".symtab", SHT_SYMTAB, Table, OfNames});
}

std::string ElfWriter::write() const {
  std::vector<Section> All = Sections;
  std::string Names(1, '\0');
  All.push_back({".shstrtab", SHT_STRTAB, {}});
  std::vector<Elf64_Shdr> Headers(1);
  for (const Section &Each : All) {
    Elf64_Shdr Header = {};
    Header.sh_name = static_cast<std::uint32_t>(Names.size());
    Names += Each.Name + '\0';
    Header.sh_type = Each.Type;
    Header.sh_link = Each.Link;
    Header.sh_info = Each.Info;
    Headers.push_back(Header);
  }
  All.back().Bytes = Names;
  std::string Out(sizeof(Elf64_Ehdr), '\0');
  for (std::size_t I = 0; I != All.size(); ++I) {
    Headers[I + 1].sh_offset = Out.size();
    Headers[I + 1].sh_size = All[I].Bytes.size();
    Out += All[I].Bytes;
  }
  Elf64_Ehdr Header = {};
  std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
  Header.e_ident[EI_CLASS] = ELFCLASS64;
  Header.e_ident[EI_ABIVERSION] = 8;
  Header.e_machine = EM_CUDA;
  Header.e_flags = 90 << 8;
  Header.e_shoff = Out.size();
  Header.e_shentsize = sizeof(Elf64_Shdr);
  Header.e_shnum = static_cast<std::uint16_t>(Headers.size());
  Header.e_shstrndx = static_cast<std::uint16_t>(Headers.size() - 1);
  std::memcpy(Out.data(), &Header, sizeof Header);
  for (const Elf64_Shdr &Each : Headers)
    Out += bytesOf(Each);
  return Out;
}

ElfWriter::Section relocationsOf(const std::string &Bytes, std::uint32_t Lines,
                                 std::uint32_t Symbols,
                                 const std::vector<std::uint64_t> &Numbers) {
  std::string Out;
  std::size_t At = 0;
  for (std::uint64_t Number : Numbers) {
    At = Bytes.find(SetAddress, At) + 3;
    Elf64_Rela Each = {};
    Each.r_offset = At;
    Each.r_info = ELF64_R_INFO(Number, 2);
    Out += bytesOf(Each);
  }
  return {".rela.debug_line", SHT_RELA, Out, Symbols, Lines};
}

std::string lineUnit(const std::string &Program, std::uint16_t Version,
                     const std::string &Folder, const std::string &File) {
  std::string Zero(1, '\0');
  std::string Rest = "\x01";
  if (Version == 4)
    Rest += '\x01';
  // The standard opcodes have the numbers of arguments that DWARF 2 gives.
  Rest += bytes("\x01\xfb\x0e\x0a\0\1\1\1\1\0\0\0\1") + Folder + Zero + Zero;
  // Of 900 bytes, from 50 s after 1970 began; of the header nothing is known.
  Rest += File + bytes("\0\1\x32\x84\7/inc/h.cuh\0\0\0\0\0");
  std::string Body = bytesOf(Version) +
                     bytesOf(static_cast<std::uint32_t>(Rest.size())) + Rest +
                     Program;
  return bytesOf(static_cast<std::uint32_t>(Body.size())) + Body;
}

std::string makeCubin(const std::string &Kernel, const std::string &File,
                      unsigned char Line) {
  std::string Program = SetAddress + "\x03" + static_cast<char>(Line - 1) +
                        bytes("\1\2\x10\3\1\1\2\x10") + EndSequence;
  std::string Lines = lineUnit(Program, 2, "/build", File);
  ElfWriter Out;
  std::uint32_t Code =
      Out.add({".text." + Kernel, SHT_PROGBITS,
               bytesOf(std::uint64_t{0x981}) + std::string(8, '\0') +
                   bytesOf(std::uint64_t{0x986}) + std::string(8, '\0')});
  std::uint32_t OfLines = Out.add({".debug_line", SHT_PROGBITS, Lines});
  std::uint32_t Symbols =
      Out.add({{static_cast<std::uint16_t>(Code), 0, Kernel, true, true}});
  Out.add(relocationsOf(Lines, OfLines, Symbols, {1}));
  return Out.write();
}

} // namespace fake
