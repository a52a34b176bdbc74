//===- runtime/probe/ElfFile.h - The sections of an ELF file ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_ELFFILE_H
#define CUDA_LINT_RUNTIME_PROBE_ELFFILE_H

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace cudalint::probe {

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
    std::uint32_t Type = 0;
    std::uint32_t Link = 0, Info = 0;
  };
  struct Symbol {
    std::uint32_t Section = 0;
    std::uint64_t Value = 0;
  };

  /// \p Bytes outlives the file.
  explicit ElfFile(std::string_view Bytes);

  const std::vector<Section> &sections() const { return Sections; }

  /// The number of the first section that is called \p Name.
  std::optional<std::uint32_t> find(std::string_view Name) const;

  /// Symbol \p Number of the table in section \p Table, if it is defined.
  std::optional<Symbol> symbol(std::uint32_t Table, std::uint32_t Number) const;

private:
  std::vector<Section> Sections;
  std::map<std::string_view, std::uint32_t> Names;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_ELFFILE_H
