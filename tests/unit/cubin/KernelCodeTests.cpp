//===- tests/unit/cubin/KernelCodeTests.cpp - Kernels of cubins -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/KernelCode.h"
#include "tests/unit/cubin/FakeCubin.h"

#include <elf.h>
#include <gmock/gmock.h>

namespace cudalint::cubin::KernelCodeTests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

std::string instruction(std::uint64_t Low, std::uint64_t High) {
  return fake::bytesOf(Low) + fake::bytesOf(High);
}

// Of sm_90, as nvdisasm prints them.
const std::string Ldg128 = instruction(0x0000100402087981, 0x000ea2000c1e1d00),
                  // @P0 STG.E desc[UR4][R2.64], R7
    StgIf = instruction(0x0000000702000986, 0x000fe2000c101904),
                  // LDGSTS.E.BYPASS.128 [R11], desc[UR16][R24.64], !P1
    Ldgsts = instruction(0x00000000180b7fae, 0x0003e2000c901c50),
                  Exit = instruction(0x000000000000794d, 0x000fea0003800000),
                  Unknown = instruction(0x0000000000007fff, 0);

/// BRA over a distance from the next instruction, `@P0` if \p IsSure is not
/// set.
std::string bra(std::int64_t Instructions, bool IsSure) {
  auto Units = static_cast<std::uint64_t>(Instructions * 4);
  return instruction(0x0947 | (IsSure ? 7u << 12 : 0u) | (Units & 0xff) << 16 |
                         (Units >> 8 & 0x3fffffff) << 34,
                     0x000fea0003800000 | (Units >> 38 & 0x3ffff));
}

std::string cubin(const std::string &Code) {
  fake::ElfWriter Out;
  Out.add({".text.kernel", SHT_PROGBITS, Code});
  Out.add({{1, 0, "kernel", true, true}});
  return Out.write();
}

Code code(const std::string &Bytes) {
  CodeOrReason Read = readCode(Bytes);
  EXPECT_TRUE(Read) << Read.Reason;
  return Read ? *Read.Value : Code();
}

TEST(KernelCode, MemoryInstructionsOfAKernel) {
  Code C = code(cubin(Ldg128 + StgIf + Ldgsts + Unknown + Exit));
  EXPECT_EQ(C.Architecture, 90u);
  EXPECT_FALSE(C.HasLines);
  ASSERT_THAT(C.Functions, SizeIs(1));
  const FunctionCode &F = C.Functions[0];
  EXPECT_EQ(F.Name, "kernel");
  EXPECT_TRUE(F.IsKernel);
  EXPECT_EQ(F.Instructions, 5u);
  EXPECT_THAT(F.UnknownOpcodes, ElementsAre(Pair(0xfff, 1)));
  ASSERT_THAT(F.Memory, SizeIs(4));
  EXPECT_EQ(F.Memory[0].Opcode, "LDG");
  EXPECT_EQ(F.Memory[0].Access.Bytes, 16u);
  EXPECT_EQ(F.Memory[0].Access.AddressRegister, 2u);
  EXPECT_EQ(F.Memory[0].Access.Offset, 16);
  EXPECT_FALSE(F.Memory[0].Predicated);
  EXPECT_EQ(F.Memory[1].Access.What, Op::Store);
  EXPECT_TRUE(F.Memory[1].Predicated);
  EXPECT_EQ(F.Memory[2].Offset, 32u);
  EXPECT_EQ(F.Memory[2].Access.In, Space::Global);
  EXPECT_EQ(F.Memory[3].Offset, 32u);
  EXPECT_EQ(F.Memory[3].Access.In, Space::Shared);
}

// What ptxas puts there and nobody executes is not listed.
TEST(KernelCode, CountsWhatIsOfDoubles) {
  // Of sm_75, as nvdisasm prints them: DADD R6, R6, R8; F2F.F32.F64 R2, R2.
  const std::string Dadd = instruction(0x0000000006067229, 0x004ed00000000008),
                    F2f = instruction(0x0000000200027310, 0x004e620000301000);
  EXPECT_EQ(code(cubin(Dadd + Ldg128 + F2f + Exit)).Functions.at(0).Doubles,
            2u);
  EXPECT_EQ(code(cubin(Ldg128 + Exit)).Functions.at(0).Doubles, 0u);
}

TEST(KernelCode, WhatNeverHappensIsNone) {
  std::string Never = Ldg128;
  Never[1] = static_cast<char>((Never[1] & 0x0f) | 0xf0); // @!PT
  EXPECT_THAT(code(cubin(Never + StgIf + Exit)).Functions.at(0).Memory,
              SizeIs(1));
  EXPECT_THAT(code(cubin(Ldg128 + StgIf + Exit)).Functions.at(0).Memory,
              SizeIs(2));
}

TEST(KernelCode, LinesAndTheirFunction) {
  Code C = code(fake::makeCubin("k", "a.cu", 3));
  EXPECT_TRUE(C.HasLines);
  const FunctionCode &F = C.Functions.at(0);
  ASSERT_THAT(F.Memory, SizeIs(2));
  ASSERT_THAT(F.Memory[1].Frames, SizeIs(1));
  EXPECT_EQ(F.Memory[1].Frames[0].File, "/build/a.cu");
  EXPECT_EQ(F.Memory[1].Frames[0].Line, 4u);
}

TEST(KernelCode, LoopsNest) {
  // 0 load, 1 load, 2 back to 1 if, 3 store, 4 back to 0 if, 5 store, 6 exit
  Code C = code(cubin(Ldg128 + Ldg128 + bra(-2, false) + StgIf +
                      bra(-5, false) + StgIf + Exit));
  const FunctionCode &F = C.Functions.at(0);
  EXPECT_THAT(F.Loops, ElementsAre(Loop{0, 80, std::nullopt, 1, true},
                                   Loop{16, 48, 0, 2, true}));
  ASSERT_THAT(F.Memory, SizeIs(4));
  EXPECT_EQ(F.Memory[0].Loop, 0u);
  EXPECT_EQ(F.Memory[1].Loop, 1u);
  EXPECT_EQ(F.Memory[1].LoopDepth, 2u);
  EXPECT_EQ(F.Memory[2].Loop, 0u);
  EXPECT_EQ(F.Memory[3].Loop, std::nullopt);
}

TEST(KernelCode, ABranchBackIsNotAlwaysALoop) {
  // 0 to 4 if, 1 load, 2 store, 3 exit, 4 load, 5 back to 2: a block that was
  // moved behind the end. Then the branch to itself that ends all code.
  Code C = code(cubin(bra(3, false) + Ldg128 + StgIf + Exit + Ldg128 +
                      bra(-4, true) + bra(-1, true)));
  EXPECT_THAT(C.Functions.at(0).Loops, IsEmpty());
  EXPECT_FALSE(C.Functions[0].HasUnknownBranches);
}

TEST(KernelCode, BranchesOutOfTheFunctionAreTold) {
  EXPECT_TRUE(
      code(cubin(bra(9, true) + Exit)).Functions.at(0).HasUnknownBranches);
}

TEST(KernelCode, FunctionsOfOneSection) {
  // The kernel's own code, CALL.REL of the next instruction but one, and the
  // copy of a function for this kernel.
  std::string CallNext =
      instruction(0x0000000000047944, 0x000fea0003c00000); // one further
  fake::ElfWriter Out;
  Out.add({".text.kernel", SHT_PROGBITS, CallNext + Exit + Ldg128 + Exit});
  Out.add({{1, 0, "kernel", true, true}, {1, 32, "$kernel$_Z1fv", true}});
  Code C = code(Out.write());
  ASSERT_THAT(C.Functions, SizeIs(2));
  EXPECT_THAT(C.Functions[0].Memory, IsEmpty());
  ASSERT_THAT(C.Functions[0].Calls, SizeIs(1));
  EXPECT_EQ(C.Functions[0].Calls[0].Callee, "_Z1fv");
  EXPECT_EQ(C.Functions[1].Name, "_Z1fv");
  EXPECT_EQ(C.Functions[1].Section, "kernel");
  EXPECT_FALSE(C.Functions[1].IsKernel);
  EXPECT_EQ(C.Functions[1].Begin, 32u);
  EXPECT_THAT(C.Functions[1].Memory, SizeIs(1));
}

TEST(KernelCode, WhatIsNoCubinIsRefused) {
  EXPECT_EQ(readCode("").Reason, "not an ELF file of 64 bits");
  std::string Host = cubin(Exit);
  Host[offsetof(Elf64_Ehdr, e_machine)] = EM_X86_64;
  EXPECT_FALSE(readCode(Host));
  std::string Old = cubin(Exit);
  Old[offsetof(Elf64_Ehdr, e_flags) + 1] = 61;
  EXPECT_FALSE(readCode(Old));
}

TEST(KernelCode, AnyByteMayLie) {
  // The sanitizers watch, and it comes to an end.
  std::string Whole = fake::makeCubin("k", "a.cu", 3);
  for (std::size_t At = 0; At != Whole.size(); ++At)
    for (int Value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string Broken = Whole;
      Broken[At] = static_cast<char>(Value);
      CodeOrReason Read = readCode(Broken);
      EXPECT_EQ(Read.Reason.empty(), Read.Value.has_value());
    }
  for (std::size_t Size = 0; Size != Whole.size(); ++Size)
    EXPECT_FALSE(readCode(Whole.substr(0, Size)));
  // Loops of any form.
  std::string Code;
  for (int I = 0; I != 400; ++I)
    Code += bra(I * 7919 % 401 - 200, I % 3 == 0);
  EXPECT_TRUE(readCode(cubin(Code)));
}

} // namespace
} // namespace cudalint::cubin::KernelCodeTests
