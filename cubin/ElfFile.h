//===- cubin/ElfFile.h - The sections of an ELF file ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_CUBIN_ELFFILE_H
#define CUDA_LINT_CUBIN_ELFFILE_H

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace cudalint::cubin {

/// A copy of the \p T at \p Offset, if it lies within \p Bytes.
template <class T>
std::optional<T> readAt(std::string_view Bytes, std::uint64_t Offset) {
  if (Offset > Bytes.size() || Bytes.size() - Offset < sizeof(T))
    return std::nullopt;
  T Value;
  std::memcpy(&Value, Bytes.data() + Offset, sizeof(T));
  return Value;
}

/// The characters from \p Offset to the next zero, which is there and not too
/// far.
std::optional<std::string_view> stringAt(std::string_view Bytes,
                                         std::uint64_t Offset);

/// The sections of an ELF file of 64 bits. Nothing in it is trusted: a section
/// that does not lie in the file is empty, and a file that is none has none.
class ElfFile {
public:
  struct Section {
    std::string_view Name;
    std::string_view Bytes; // none of SHT_NOBITS
    std::uint64_t Size = 0; // in memory, as the file says it
    std::uint32_t Type = 0;
    std::uint32_t Link = 0, Info = 0;
  };
  struct Symbol {
    std::uint32_t Section = 0;
    std::uint64_t Value = 0;
    std::uint64_t Size = 0;
    std::uint32_t Name = 0; // of nameOf
    std::uint8_t Type = 0;  // STT_FUNC
    std::uint8_t Other = 0; // NVIDIA's flags
  };
  /// In Other: it is a kernel.
  static constexpr std::uint8_t EntryFlag = 0x10;

  /// \p Bytes outlives the file.
  explicit ElfFile(std::string_view Bytes);

  const std::vector<Section> &sections() const { return Sections; }

  /// Of the whole file, in bytes.
  std::size_t size() const { return Size; }

  /// What the header says of the machine; 0 in a file that is none.
  std::uint16_t machine() const { return Machine; }
  std::uint32_t flags() const { return Flags; }
  std::uint8_t abiVersion() const { return AbiVersion; }

  /// The number of the first section that is called \p Name.
  std::optional<std::uint32_t> find(std::string_view Name) const;

  /// Symbol \p Number of the table in section \p Table, if it is there. One
  /// that another file defines is in section 0.
  std::optional<Symbol> symbol(std::uint32_t Table, std::uint32_t Number) const;

  /// The name of a symbol of that table; empty where it has none.
  std::string_view nameOf(std::uint32_t Table, const Symbol &S) const;

private:
  std::vector<Section> Sections;
  std::map<std::string_view, std::uint32_t> Names;
  /// By the table of symbols, that of the sections with large numbers.
  std::map<std::uint32_t, std::uint32_t> LargeNumbers;
  std::size_t Size = 0;
  std::uint16_t Machine = 0;
  std::uint32_t Flags = 0;
  std::uint8_t AbiVersion = 0;
};

/// The compute capability, times ten, that a cubin is for; 0 of all else.
unsigned architectureOf(const ElfFile &File);

} // namespace cudalint::cubin

#endif // CUDA_LINT_CUBIN_ELFFILE_H
