//===- cubin/ElfFile.cpp - The sections of an ELF file --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/ElfFile.h"

#include <elf.h>

namespace cudalint::cubin {

/// More than any name has. In a file that is made so, each of thousands of
/// names ends where all of it does.
static constexpr std::size_t LongestString = 1 << 16;

std::optional<std::string_view> stringAt(std::string_view Bytes,
                                         std::uint64_t Offset) {
  if (Offset >= Bytes.size())
    return std::nullopt;
  std::string_view Rest = Bytes.substr(Offset, LongestString);
  std::size_t End = Rest.find('\0');
  if (End == std::string_view::npos)
    return std::nullopt;
  return Rest.substr(0, End);
}

ElfFile::ElfFile(std::string_view Bytes) : Size(Bytes.size()) {
  auto Header = readAt<Elf64_Ehdr>(Bytes, 0);
  if (!Header || std::memcmp(Header->e_ident, ELFMAG, SELFMAG) != 0 ||
      Header->e_ident[EI_CLASS] != ELFCLASS64 ||
      Header->e_shentsize != sizeof(Elf64_Shdr) ||
      Header->e_shoff > Bytes.size())
    return;
  Machine = Header->e_machine;
  Flags = Header->e_flags;
  AbiVersion = Header->e_ident[EI_ABIVERSION];
  // A file with 0xff00 sections or more keeps their number in the first one.
  auto First = readAt<Elf64_Shdr>(Bytes, Header->e_shoff);
  if (!First)
    return;
  std::uint64_t Count = Header->e_shnum ? Header->e_shnum : First->sh_size;
  std::uint64_t NamesIndex =
      Header->e_shstrndx == SHN_XINDEX ? First->sh_link : Header->e_shstrndx;
  if (Count > (Bytes.size() - Header->e_shoff) / sizeof(Elf64_Shdr) ||
      NamesIndex >= Count)
    return;
  std::vector<Elf64_Shdr> Headers(Count);
  std::memcpy(Headers.data(), Bytes.data() + Header->e_shoff,
              Count * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr &Each : Headers) {
    Section &S = Sections.emplace_back();
    S.Type = Each.sh_type;
    S.Link = Each.sh_link;
    S.Info = Each.sh_info;
    S.Size = Each.sh_size;
    if (Each.sh_type != SHT_NOBITS && Each.sh_offset <= Bytes.size() &&
        Each.sh_size <= Bytes.size() - Each.sh_offset)
      S.Bytes = Bytes.substr(Each.sh_offset, Each.sh_size);
  }
  for (std::uint32_t I = 0; I != Count; ++I) {
    if (Sections[I].Type == SHT_SYMTAB_SHNDX)
      LargeNumbers.try_emplace(Sections[I].Link, I);
    auto Name = stringAt(Sections[NamesIndex].Bytes, Headers[I].sh_name);
    if (!Name || Name->empty())
      continue;
    Sections[I].Name = *Name;
    Names.try_emplace(*Name, I);
  }
}

std::optional<std::uint32_t> ElfFile::find(std::string_view Name) const {
  auto Found = Names.find(Name);
  if (Found == Names.end())
    return std::nullopt;
  return Found->second;
}

std::optional<ElfFile::Symbol> ElfFile::symbol(std::uint32_t Table,
                                               std::uint32_t Number) const {
  if (Table >= Sections.size())
    return std::nullopt;
  auto Found = readAt<Elf64_Sym>(Sections[Table].Bytes,
                                 Number * std::uint64_t{sizeof(Elf64_Sym)});
  if (!Found)
    return std::nullopt;
  Symbol Out = {.Section = Found->st_shndx,
                .Value = Found->st_value,
                .Size = Found->st_size,
                .Name = Found->st_name,
                .Type = std::uint8_t(ELF64_ST_TYPE(Found->st_info)),
                .Other = Found->st_other};
  if (Found->st_shndx != SHN_XINDEX)
    return Out;
  // With 0xff00 sections or more, the number stands in a table of its own.
  auto Large = LargeNumbers.find(Table);
  if (Large == LargeNumbers.end())
    return std::nullopt;
  auto Index =
      readAt<std::uint32_t>(Sections[Large->second].Bytes, Number * 4ULL);
  if (!Index)
    return std::nullopt;
  Out.Section = *Index;
  return Out;
}

std::string_view ElfFile::nameOf(std::uint32_t Table, const Symbol &S) const {
  if (Table >= Sections.size() || Sections[Table].Link >= Sections.size())
    return {};
  return stringAt(Sections[Sections[Table].Link].Bytes, S.Name).value_or("");
}

unsigned architectureOf(const ElfFile &File) {
  if (File.machine() != EM_CUDA)
    return 0;
  // CUDA 13 moved it.
  return File.flags() >> (File.abiVersion() >= 8 ? 8 : 0) & 0xff;
}

} // namespace cudalint::cubin
