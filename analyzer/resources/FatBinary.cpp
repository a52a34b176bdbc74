//===- analyzer/resources/FatBinary.cpp - Code in an object ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/FatBinary.h"

#include "cubin/ElfFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

#include <climits>
#include <cstdint>
#include <lz4.h>
#include <optional>

using cudalint::cubin::readAt;

namespace cudalint {

/// In the first four bytes of a fat binary.
static constexpr std::uint32_t Magic = 0xba55ed50;

/// Of an entry: machine code. 1 is PTX, 8 is code for a link.
static constexpr std::uint16_t MachineCode = 2;

enum CompressionFlag : std::uint64_t { Lz4 = 0x2000, Zstd = 0x8000 };

/// Of all entries, as they are before they are compressed. What nvcc makes of
/// one file is rarely more than some megabytes.
static constexpr std::uint64_t MostBytes = 1u << 30;

/// How many bytes one byte may become: code is packed ten times at most, and
/// LZ4 cannot do more than 255. A size that lies is not made room for.
static constexpr std::uint64_t MostDense = 1024;

/// \p Size bytes, or nothing.
static std::optional<std::string>
decompressed(std::string_view Bytes, std::uint64_t Flags, std::uint64_t Size) {
  std::string Out(Size, '\0');
  if (Flags & Zstd) {
    std::size_t Got = Size;
    if (!llvm::compression::zstd::isAvailable())
      return std::nullopt;
    llvm::Error Why = llvm::compression::zstd::decompress(
        llvm::arrayRefFromStringRef({Bytes.data(), Bytes.size()}),
        reinterpret_cast<std::uint8_t *>(Out.data()), Got);
    if (Why) {
      llvm::consumeError(std::move(Why));
      return std::nullopt;
    }
    Out.resize(Got);
    return Out;
  }
  if (Bytes.size() > INT_MAX || Size > INT_MAX)
    return std::nullopt;
  const int Got = LZ4_decompress_safe(Bytes.data(), Out.data(),
                                      static_cast<int>(Bytes.size()),
                                      static_cast<int>(Size));
  if (Got < 0)
    return std::nullopt;
  Out.resize(static_cast<std::size_t>(Got));
  return Out;
}

namespace {

class Reader {
public:
  /// All fat binaries of \p Bytes, which follow each other.
  void readSection(std::string_view Bytes) {
    constexpr std::size_t HeaderBytes = 16;
    while (Bytes.size() >= HeaderBytes) {
      const auto First = *readAt<std::uint32_t>(Bytes, 0);
      if (First != Magic) {
        Bytes.remove_prefix(8); // Each begins at a multiple of eight.
        continue;
      }
      const std::size_t Header = *readAt<std::uint16_t>(Bytes, 6);
      const auto Size = *readAt<std::uint64_t>(Bytes, 8);
      if (Header < HeaderBytes || Header > Bytes.size() ||
          Size > Bytes.size() - Header)
        return;
      readEntries(Bytes.substr(Header, Size));
      Bytes.remove_prefix(Header + Size);
    }
  }

  std::vector<std::string> Cubins;

private:
  void readEntries(std::string_view Bytes) {
    constexpr std::size_t LeastHeader = 64;
    while (Bytes.size() >= LeastHeader) {
      const auto Kind = *readAt<std::uint16_t>(Bytes, 0);
      const std::uint64_t Header = *readAt<std::uint32_t>(Bytes, 4);
      const auto Size = *readAt<std::uint64_t>(Bytes, 8);
      if (Header < LeastHeader || Header > Bytes.size() ||
          Size > Bytes.size() - Header)
        return;
      if (Kind == MachineCode)
        readCode(Bytes, Bytes.substr(Header, Size));
      Bytes.remove_prefix(Header + Size);
    }
  }

  void readCode(std::string_view Entry, std::string_view Code) {
    const auto Flags = *readAt<std::uint64_t>(Entry, 40);
    const bool IsCompressed = Flags & (Lz4 | Zstd);
    const std::uint64_t Size =
        IsCompressed ? *readAt<std::uint64_t>(Entry, 56) : Code.size();
    if (Size > MostBytes - Total)
      return;
    if (!IsCompressed) {
      Total += Size;
      Cubins.emplace_back(Code);
      return;
    }
    // What stands behind it fills up to a multiple of eight.
    const std::uint64_t Packed = *readAt<std::uint32_t>(Entry, 16);
    if (Packed > Code.size() || Size > MostDense * Packed)
      return;
    Total += Size;
    if (std::optional<std::string> Plain =
            decompressed(Code.substr(0, Packed), Flags, Size))
      Cubins.push_back(std::move(*Plain));
  }

  std::uint64_t Total = 0;
};

} // namespace

std::vector<std::string> cubinsIn(std::string_view File) {
  Reader All;
  if (readAt<std::uint32_t>(File, 0) == Magic) {
    All.readSection(File);
    return std::move(All.Cubins);
  }
  const cubin::ElfFile Elf(File);
  if (cubin::architectureOf(Elf) != 0)
    return {std::string(File)};
  // What is linked runs; what waits for a link is the second best.
  for (const char *Name : {".nv_fatbin", "__nv_relfatbin"})
    for (const cubin::ElfFile::Section &Each : Elf.sections())
      if (Each.Name == Name)
        All.readSection(Each.Bytes);
  return std::move(All.Cubins);
}

} // namespace cudalint
