//===- tests/unit/analyzer/resources/FatBinaryTests.cpp - Made-up ones ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fat binaries that are written here, entry by entry, and damaged. What nvcc
/// writes is in RealObjectTests.cpp.
///
//===----------------------------------------------------------------------===//

#include "../../cubin/FakeCubin.h"
#include "analyzer/resources/FatBinary.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <lz4.h>
#include <random>

namespace FatBinaryTests {

using namespace cudalint;
using fake::bytesOf;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct Entry {
  std::uint16_t Kind = 2; // machine code
  std::string Code;
  std::uint64_t Flags = 0;
  std::uint32_t Packed = 0;
  std::uint64_t Plain = 0;
};

std::string padded(std::string Bytes) {
  Bytes.resize((Bytes.size() + 7) / 8 * 8, '\0');
  return Bytes;
}

std::string write(const std::vector<Entry> &Entries) {
  std::string All;
  for (const Entry &E : Entries) {
    const std::string Code = padded(E.Code);
    All += bytesOf(E.Kind) + bytesOf(std::uint16_t{0x101}) +
           bytesOf(std::uint32_t{64}) + bytesOf(std::uint64_t{Code.size()}) +
           bytesOf(E.Packed) + std::string(20, '\0') + bytesOf(E.Flags) +
           std::string(8, '\0') + bytesOf(E.Plain) + Code;
  }
  return bytesOf(0xba55ed50u) + bytesOf(std::uint16_t{1}) +
         bytesOf(std::uint16_t{16}) + bytesOf(std::uint64_t{All.size()}) + All;
}

/// With zstd the compressor itself would be needed: nvcc's own output is.
Entry packed(const std::string &Plain) {
  Entry E;
  E.Code.resize(static_cast<std::size_t>(
      LZ4_compressBound(static_cast<int>(Plain.size()))));
  E.Code.resize(static_cast<std::size_t>(LZ4_compress_default(
      Plain.data(), E.Code.data(), static_cast<int>(Plain.size()),
      static_cast<int>(E.Code.size()))));
  E.Flags = 0x2011;
  E.Packed = static_cast<std::uint32_t>(E.Code.size());
  E.Plain = Plain.size();
  return E;
}

} // namespace

TEST(FatBinary, machineCodeOfAllEntries) {
  const std::string Long(1000, 'x');
  EXPECT_THAT(cubinsIn(write({{.Code = "12345678"},
                              {.Kind = 1, .Code = "ptx"},
                              {.Kind = 8, .Code = "for a link"},
                              packed(Long),
                              {.Code = "abcdefgh"}})),
              ElementsAre("12345678", Long, "abcdefgh"));
  EXPECT_THAT(cubinsIn(write({})), IsEmpty());
}

TEST(FatBinary, inAnObject) {
  const std::string Linked = write({{.Code = "linked.."}});
  const std::string First = write({{.Code = "first..."}});
  const std::string Second = write({{.Code = "second.."}});
  fake::ElfWriter Object;
  Object.add({"__nv_relfatbin", SHT_PROGBITS, First + Second});
  Object.add({".text", SHT_PROGBITS, write({{.Code = "no code."}})});
  Object.add({".nv_fatbin", SHT_PROGBITS, Linked});
  // It is of a host: a cubin is itself the code.
  std::string Bytes = Object.write();
  EXPECT_THAT(cubinsIn(Bytes), ElementsAre(Bytes));
  const std::uint16_t Host = EM_X86_64;
  Bytes.replace(offsetof(Elf64_Ehdr, e_machine), 2, bytesOf(Host));
  EXPECT_THAT(cubinsIn(Bytes), ElementsAre("linked..", "first...", "second.."));
}

TEST(FatBinary, whatIsNone) {
  for (const std::string &Bytes :
       {std::string(), std::string("text"), std::string(100, '\0'),
        std::string("\x7f"
                    "ELF"),
        write({{.Code = "12345678"}}).substr(0, 17)})
    EXPECT_THAT(cubinsIn(Bytes), IsEmpty());
}

TEST(FatBinary, sizesThatLie) {
  // More than there is, more than anything has, and a wrong size.
  Entry E = packed(std::string(1000, 'x'));
  for (const std::uint64_t Size :
       {std::uint64_t{999}, std::uint64_t{0}, std::uint64_t{1} << 29,
        std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    E.Plain = Size;
    for (const std::string &Each : cubinsIn(write({E})))
      EXPECT_EQ(Each, std::string(1000, 'x'));
  }
  E = packed(std::string(1000, 'x'));
  E.Packed = 0xffffffff;
  EXPECT_THAT(cubinsIn(write({E, {.Code = "12345678"}})),
              ElementsAre("12345678"));
  // Many that are large when they are unpacked: there is an end to it.
  const Entry Large = packed(std::string(400 << 20, 'x'));
  std::size_t Sum = 0;
  for (const std::string &Each : cubinsIn(write(std::vector<Entry>(3, Large))))
    Sum += Each.size();
  EXPECT_LE(Sum, std::size_t{1} << 30);
}

TEST(FatBinary, damagedOnes) {
  const std::string Whole = write({{.Code = "12345678"},
                                   packed(std::string(300, 'y')),
                                   {.Code = "abcdefgh"}});
  for (std::size_t End = 0; End != Whole.size(); ++End)
    cubinsIn(Whole.substr(0, End));
  std::minstd_rand Random(1); // NOLINT: the same in every run
  for (unsigned Turn = 0; Turn != 5000; ++Turn) {
    std::string Bytes = Whole;
    for (unsigned I = 0; I != 1 + Turn % 4; ++I)
      Bytes[Random() % Bytes.size()] = static_cast<char>(Random());
    std::size_t Sum = 0;
    for (const std::string &Each : cubinsIn(Bytes))
      Sum += Each.size();
    EXPECT_LE(Sum, std::size_t{1} << 30);
  }
}

} // namespace FatBinaryTests
