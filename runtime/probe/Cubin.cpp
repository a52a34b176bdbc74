//===- runtime/probe/Cubin.cpp - Finds an instruction in a cubin ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Cubin.h"

#include <cstring>
#include <elf.h>

namespace cudalint::probe {

/// A copy of the \p T at \p Offset, if it lies within \p Bytes.
template <class T>
static std::optional<T> readAt(const std::vector<char> &Bytes,
                               std::uint64_t Offset) {
  if (Offset > Bytes.size() || Bytes.size() - Offset < sizeof(T))
    return std::nullopt;
  T Value;
  std::memcpy(&Value, Bytes.data() + Offset, sizeof(T));
  return Value;
}

/// The characters from \p Offset to the next zero.
static std::optional<std::string_view> stringAt(const std::vector<char> &Bytes,
                                                std::uint64_t Offset) {
  if (Offset >= Bytes.size())
    return std::nullopt;
  std::string_view Rest(Bytes.data() + Offset, Bytes.size() - Offset);
  std::size_t End = Rest.find('\0');
  if (End == std::string_view::npos)
    return std::nullopt;
  return Rest.substr(0, End);
}

std::optional<Cubin::Code> Cubin::findCode(std::string_view Function) const {
  auto Header = readAt<Elf64_Ehdr>(Bytes, 0);
  if (!Header || std::memcmp(Header->e_ident, ELFMAG, SELFMAG) != 0 ||
      Header->e_ident[EI_CLASS] != ELFCLASS64 ||
      Header->e_shentsize != sizeof(Elf64_Shdr) ||
      Header->e_shoff > Bytes.size())
    return std::nullopt;
  // A file with 0xff00 sections or more keeps their number in the first one.
  auto First = readAt<Elf64_Shdr>(Bytes, Header->e_shoff);
  if (!First)
    return std::nullopt;
  std::uint64_t Count = Header->e_shnum ? Header->e_shnum : First->sh_size;
  std::uint64_t NamesIndex =
      Header->e_shstrndx == SHN_XINDEX ? First->sh_link : Header->e_shstrndx;
  if (Count > Bytes.size() / sizeof(Elf64_Shdr) || NamesIndex >= Count)
    return std::nullopt;
  auto Names = readAt<Elf64_Shdr>(Bytes, Header->e_shoff +
                                             NamesIndex * sizeof(Elf64_Shdr));
  if (!Names || Names->sh_offset > Bytes.size())
    return std::nullopt;

  static constexpr std::string_view Prefix = ".text.";
  for (std::uint64_t I = 0; I != Count; ++I) {
    auto Section =
        readAt<Elf64_Shdr>(Bytes, Header->e_shoff + I * sizeof(Elf64_Shdr));
    if (!Section)
      return std::nullopt;
    auto Name = stringAt(Bytes, Names->sh_offset + Section->sh_name);
    if (!Name || !Name->starts_with(Prefix) ||
        Name->substr(Prefix.size()) != Function)
      continue;
    if (Section->sh_type == SHT_NOBITS || Section->sh_offset > Bytes.size() ||
        Section->sh_size > Bytes.size() - Section->sh_offset)
      return std::nullopt;
    return Code{Section->sh_offset, Section->sh_size};
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Cubin::instruction(std::string_view Function,
                                                std::uint64_t Offset) const {
  if (LastFunction != Function) {
    LastCode = findCode(Function);
    LastFunction = Function;
  }
  if (!LastCode || Offset > LastCode->Size ||
      LastCode->Size - Offset < sizeof(std::uint64_t))
    return std::nullopt;
  return readAt<std::uint64_t>(Bytes, LastCode->Offset + Offset);
}

} // namespace cudalint::probe
