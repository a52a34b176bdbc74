//===- tests/unit/cubin/CubinTests.cpp - Cubins, whole and broken ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/Cubin.h"
#include "tests/unit/cubin/FakeCubin.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <vector>

namespace cudalint::cubin::CubinTests {
namespace {

using testing::Eq;
using testing::Optional;

/// `.text.kernel` holds the instructions 1, 2, 3 of 16 bytes each.
std::string smallCubin() {
  std::string Code;
  for (std::uint64_t Word : {1, 0, 2, 0, 3, 0})
    Code += fake::bytesOf(Word);
  fake::ElfWriter Out;
  Out.add({".text.kernel", SHT_PROGBITS, Code});
  return Out.write();
}

std::optional<std::uint64_t>
wordOf(std::string Bytes, std::string_view Function, std::uint64_t Offset) {
  return Cubin(std::move(Bytes)).word(Function, Offset);
}

TEST(Cubin, FindsInstructionsByFunctionAndOffset) {
  Cubin C(smallCubin());
  EXPECT_THAT(C.word("kernel", 0), Optional(Eq(1u)));
  EXPECT_THAT(C.word("kernel", 16), Optional(Eq(2u)));
  EXPECT_THAT(C.word("kernel", 32), Optional(Eq(3u)));
  EXPECT_EQ(C.line("kernel", 0), std::nullopt);
  EXPECT_TRUE(C.has("kernel"));
  EXPECT_FALSE(C.has("kerne"));
}

TEST(Cubin, ListsTheAccessesOfAFunction) {
  // LDG.E R0, [R2.64] in line 3 and STG.E [R4.64], R0 in line 4.
  Cubin C(fake::makeCubin("kernel", "a.cu", 3));
  auto Found = C.accesses("kernel", 2);
  ASSERT_TRUE(Found);
  EXPECT_FALSE(Found->CallsOthers);
  ASSERT_EQ(Found->Accesses.size(), 2u);
  const CodeAccess &Load = Found->Accesses[0], &Store = Found->Accesses[1];
  EXPECT_EQ(Load.Offset, 0u);
  EXPECT_EQ(Load.Opcode, "LDG");
  EXPECT_EQ(Load.Access.In, Space::Global);
  EXPECT_EQ(Load.Access.What, Op::Load);
  ASSERT_TRUE(Load.Shown);
  EXPECT_EQ(Load.Shown->Line, 3u);
  ASSERT_EQ(Load.Frames.size(), 1u);
  EXPECT_EQ(Load.Frames[0].File, Load.Shown->File);
  EXPECT_EQ(Store.Offset, 16u);
  EXPECT_EQ(Store.Access.What, Op::Store);
  EXPECT_EQ(Store.Shown->Line, 4u);
  // More than are wanted are none.
  EXPECT_FALSE(C.accesses("kernel", 1));
  EXPECT_FALSE(C.accesses("another", 2));
}

/// A kernel of these words, 16 bytes for two.
std::optional<FunctionAccesses> accessesIn(std::vector<std::uint64_t> Words,
                                           bool IsRelocated = false) {
  std::string Code;
  for (std::uint64_t Word : Words)
    Code += fake::bytesOf(Word);
  fake::ElfWriter Out;
  std::uint32_t Text = Out.add({".text.kernel", SHT_PROGBITS, Code});
  std::uint32_t Other = Out.add({".text.other", SHT_PROGBITS, Code});
  std::uint32_t Symbols =
      Out.add({{static_cast<std::uint16_t>(Other), 0, "other", true, false}});
  if (IsRelocated)
    Out.add({".rel.text.kernel", SHT_REL,
             fake::bytesOf(Elf64_Rel{0, ELF64_R_INFO(1, 1)}), Symbols, Text});
  return Cubin(Out.write()).accesses("kernel", 100);
}

// CALL.REL.NOINC of the instruction after the next one, and EXIT, for sm_90.
constexpr std::uint64_t Call = 0x0000000000047944,
                        CallHigh = 0x000fea0003c00000;
constexpr std::uint64_t Exit = 0x000000000000794d,
                        ExitHigh = 0x000fea0003800000;

TEST(Cubin, ACallOfAnotherSectionIsToldApart) {
  std::vector<std::uint64_t> Words = {Call,     CallHigh, Exit,
                                      ExitHigh, Exit,     ExitHigh};
  EXPECT_FALSE(accessesIn(Words)->CallsOthers);
  EXPECT_TRUE(accessesIn(Words, true)->CallsOthers);
  Words.resize(2); // The target is no longer in the section.
  EXPECT_TRUE(accessesIn(Words)->CallsOthers);
  EXPECT_FALSE(accessesIn({Exit, ExitHigh})->CallsOthers);
}

bool mayWait(std::vector<std::uint64_t> Words) {
  std::string Code;
  for (std::uint64_t Word : Words)
    Code += fake::bytesOf(Word);
  fake::ElfWriter Out;
  Out.add({".text.kernel", SHT_PROGBITS, Code});
  return Cubin(Out.write()).mayWait("kernel");
}

// A kernel, one that it does not call, and what it may call.
TEST(Cubin, CodeThatRunsWithAKernel) {
  const auto bytes = [](std::vector<std::uint64_t> Words) {
    std::string Code;
    for (std::uint64_t Word : Words)
      Code += fake::bytesOf(Word);
    return Code;
  };
  // CALL.ABS.NOINC of a register.
  constexpr std::uint64_t CallPointer = 0x0000000018007343,
                          CallPointerHigh = 0x001fea0003c00000;
  fake::ElfWriter Out;
  for (const char *Kernel : {"calls", "alone", "jumps"})
    Out.add({std::string(".nv.constant0.") + Kernel, SHT_PROGBITS, "1234"});
  Out.add({".text.calls", SHT_PROGBITS,
           bytes({CallPointer, CallPointerHigh, Exit, ExitHigh})});
  Out.add({".text.alone", SHT_PROGBITS, bytes({Exit, ExitHigh})});
  // Into its own section.
  Out.add({".text.jumps", SHT_PROGBITS,
           bytes({Call, CallHigh, Exit, ExitHigh, Exit, ExitHigh})});
  Out.add({".text.function", SHT_PROGBITS,
           bytes({Exit, ExitHigh, Exit, ExitHigh, Exit, ExitHigh})});
  const Cubin Its(Out.write());
  EXPECT_EQ(32u + 48u, Its.codeBytes("calls"));
  EXPECT_EQ(16u, Its.codeBytes("alone"));
  EXPECT_EQ(48u, Its.codeBytes("jumps"));
  EXPECT_EQ(0u, Its.codeBytes("none"));
  EXPECT_EQ(0u, Cubin("no file").codeBytes("calls"));
}

// As ptxas 13.0 writes them for sm_90.
constexpr std::uint64_t Load = 0x402007981, Weak = 0x1ea4000c1e1900,
                        OfGpu = 0x1ea4000c1ef900, OfSystem = 0x1ea4000c1f5900,
                        Constant = 0x1ea4000c1e9900;
constexpr std::uint64_t Back = 0xfffffffc00f48947, BackHigh = 0xfea000383ffff;
constexpr std::uint64_t Nop = 0x7918, NopHigh = 0xfc00000000000;

TEST(Cubin, ALoopThatReadsWhatOthersWriteMayWait) {
  EXPECT_TRUE(mayWait({Load, OfSystem, Back, BackHigh}));
  EXPECT_TRUE(mayWait({Load, OfGpu, Nop, NopHigh, Back, BackHigh}));
  EXPECT_FALSE(mayWait({Load, Weak, Back, BackHigh}));
  EXPECT_FALSE(mayWait({Load, Constant, Back, BackHigh}));
  // Behind the loop, or in none.
  EXPECT_FALSE(mayWait({Back, BackHigh, Load, OfSystem}));
  EXPECT_FALSE(mayWait({Load, OfSystem, Nop, NopHigh}));
  EXPECT_FALSE(mayWait({}));
  EXPECT_FALSE(Cubin("no file").mayWait("kernel"));
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
} // namespace cudalint::cubin::CubinTests
