//===- tests/unit/cubin/FakeCubin.h - Made-up cubins ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_CUBIN_FAKECUBIN_H
#define CUDA_LINT_TESTS_UNIT_CUBIN_FAKECUBIN_H

#include <cstdint>
#include <string>
#include <vector>

namespace fake {

template <class T> std::string bytesOf(const T &Value) {
  return {reinterpret_cast<const char *>(&Value), sizeof Value};
}

/// All characters of a literal, zeros too.
template <std::size_t N> std::string bytes(const char (&Text)[N]) {
  return {Text, N - 1};
}

/// An ELF file of 64 bits, for a GPU of compute capability 9.0.
class ElfWriter {
public:
  struct Section {
    std::string Name;
    std::uint32_t Type; // SHT_PROGBITS
    std::string Bytes;
    std::uint32_t Link = 0, Info = 0;
  };
  struct Symbol {
    std::uint16_t Section;
    std::uint64_t Value;
    std::string Name;
    bool IsFunction = false, IsKernel = false;
  };

  /// Its number: the first is 1.
  std::uint32_t add(Section S);

  /// The table of these symbols, from 1, and its names; its number.
  std::uint32_t add(const std::vector<Symbol> &Symbols);

  /// The file. The last section holds the names of all.
  std::string write() const;

private:
  std::vector<Section> Sections;
};

/// For each address that a table of lines sets, in order, the symbol of section
/// \p Symbols that it is of, as a section of relocations of \p Lines.
ElfWriter::Section relocationsOf(const std::string &Bytes, std::uint32_t Lines,
                                 std::uint32_t Symbols,
                                 const std::vector<std::uint64_t> &Numbers);

/// The start of a sequence of lines: an address that a relocation completes.
inline const std::string SetAddress = bytes("\0\x09\2\0\0\0\0\0\0\0\0");
inline const std::string EndSequence = bytes("\0\1\1");

/// `.debug_line` as ptxas writes it, after the DWARF 2 specification, 6.2: of
/// the files 1 `/src/a.cu`, as `a.cu` in a folder, and 2 `/inc/h.cuh`. A
/// special opcode advances the address by (opcode - 10) / 14 and the line by
/// (opcode - 10) % 14 - 5.
std::string lineUnit(const std::string &Program, std::uint16_t Version = 2,
                     const std::string &Folder = "/x/.././src",
                     const std::string &File = "a.cu");

/// The code of \p Kernel, a load (LDG) at 0 and a store (STG) at 16, which
/// stand in \p Line and the next one of \p File.
std::string makeCubin(const std::string &Kernel, const std::string &File,
                      unsigned char Line);

} // namespace fake

#endif // CUDA_LINT_TESTS_UNIT_CUBIN_FAKECUBIN_H
