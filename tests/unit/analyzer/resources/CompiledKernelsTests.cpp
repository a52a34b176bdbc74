//===- tests/unit/analyzer/resources/CompiledKernelsTests.cpp - Read back -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cubins are made up of instructions of sm_90, as nvdisasm prints them, and of
/// lines as ptxas writes them: what each must say follows from that.
///
//===----------------------------------------------------------------------===//

#include "analyzer/resources/CompiledKernels.h"
#include "tests/unit/cubin/FakeCubin.h"

#include <elf.h>
#include <gmock/gmock.h>

namespace CompiledKernelsTests {

using namespace cudalint;
using fake::bytes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

static const ComputeCapability SM90{9, 0};

static std::string instruction(std::uint64_t Low, std::uint64_t High) {
  return fake::bytesOf(Low) + fake::bytesOf(High);
}

// LDG.E.128 of [R2+0x10]; @P0 STG.E of [R2]
static const std::string Ldg128 = instruction(0x0000100402087981,
                                              0x000ea2000c1e1d00),
                         StgIf = instruction(0x0000000702000986,
                                             0x000fe2000c101904),
                         // LDGSTS.E.BYPASS.128 [R11], desc[UR16][R24.64], !P1
    Ldgsts = instruction(0x00000000180b7fae, 0x0003e2000c901c50),
                         Exit = instruction(0x000000000000794d,
                                            0x000fea0003800000),
                         Unknown = instruction(0x0000000000007fff, 0);

/// The fields of a distance from the next instruction.
static std::string withDistance(std::uint64_t Low, std::uint64_t High,
                                std::int64_t Instructions) {
  const auto Units = static_cast<std::uint64_t>(4 * Instructions);
  return instruction(Low | (Units & 0xff) << 16 |
                         (Units >> 8 & 0x3fffffff) << 34,
                     High | (Units >> 38 & 0x3ffff));
}
/// `@P0 BRA` over so many instructions, back from the next one.
static std::string branchBack(std::int64_t Instructions) {
  return withDistance(0x0947, 0x000fea0003800000, -Instructions);
}
/// CALL.REL of what begins so many instructions behind the next one.
static std::string call(std::int64_t Instructions) {
  return withDistance(0x7944, 0x000fea0003c00000, Instructions);
}

/// The same, behind @P0.
static std::string callIf(std::int64_t Instructions) {
  return withDistance(0x0944, 0x000fea0003c00000, Instructions);
}

static const std::string SetAddress = fake::SetAddress,
                         End = bytes("\2\xd0\2") + fake::EndSequence;

/// Line 11 of /src/a.cu from the start on.
static const std::string OneLine = SetAddress + bytes("\3\xa\1") + End;

/// The kernel `k` and behind it, where there are any, functions that ptxas has
/// copied into its section: `f` at \p First, `g` at \p Second.
static std::string cubin(const std::string &Code,
                         const std::string &Program = OneLine,
                         std::uint64_t First = 0, std::uint64_t Second = 0,
                         const std::string &Folder = "/src") {
  const std::string Lines = fake::lineUnit(Program, 2, Folder);
  fake::ElfWriter Out;
  Out.add({".text.k", SHT_PROGBITS, Code});
  Out.add({".debug_str", SHT_PROGBITS, bytes("inner\0")});
  const std::uint32_t OfLines = Out.add({".debug_line", SHT_PROGBITS, Lines});
  std::vector<fake::ElfWriter::Symbol> Symbols = {{1, 0, "k", true, true}};
  if (First)
    Symbols.push_back({1, First, "$k$f", true});
  if (Second)
    Symbols.push_back({1, Second, "$k$g", true});
  const std::uint32_t OfSymbols = Out.add(Symbols);
  Out.add(fake::relocationsOf(Lines, OfLines, OfSymbols, {1}));
  return Out.write();
}

/// What is known of its one kernel.
static std::vector<MachineInstruction>
memoryOf(const std::string &Cubin, const PrivateNames &Names = {}) {
  std::vector<KernelInstructions> Kernels =
      readInstructions(Cubin, SM90, Names);
  EXPECT_THAT(Kernels, SizeIs(1));
  if (Kernels.size() != 1)
    return {};
  EXPECT_EQ(Kernels[0].Kernel, "k");
  EXPECT_EQ(Kernels[0].CC, SM90);
  return std::move(Kernels[0].Memory);
}

static Location at(const char *File, unsigned Line) {
  return {.File = File, .Line = Line};
}

TEST(CompiledKernels, WhatIsInTheCode) {
  const auto Memory = memoryOf(cubin(Ldg128 + StgIf + Exit));
  ASSERT_THAT(Memory, SizeIs(2));
  EXPECT_EQ(Memory[0].Name, "LDG.128");
  EXPECT_EQ(Memory[0].Offset, 0u);
  EXPECT_EQ(Memory[0].Op, AccessOp::Load);
  EXPECT_EQ(Memory[0].Space, MemorySpace::Global);
  EXPECT_EQ(Memory[0].Bytes, 16u);
  EXPECT_EQ(Memory[0].AddressOffset, 16);
  EXPECT_FALSE(Memory[0].Predicated);
  EXPECT_THAT(Memory[0].Loops, IsEmpty());
  EXPECT_EQ(Memory[1].Name, "STG") << "32 bits are not told";
  EXPECT_EQ(Memory[1].Offset, 16u);
  EXPECT_EQ(Memory[1].Op, AccessOp::Store);
  EXPECT_EQ(Memory[1].Bytes, 4u);
  EXPECT_TRUE(Memory[1].Predicated);
}

// A copy loads from global and stores to shared memory.
TEST(CompiledKernels, ACopyIsTwo) {
  const auto Memory = memoryOf(cubin(Ldgsts + Exit));
  ASSERT_THAT(Memory, SizeIs(2));
  EXPECT_EQ(Memory[0].Offset, Memory[1].Offset);
  EXPECT_EQ(Memory[0].Op, AccessOp::Load);
  EXPECT_EQ(Memory[0].Space, MemorySpace::Global);
  EXPECT_EQ(Memory[1].Op, AccessOp::Store);
  EXPECT_EQ(Memory[1].Space, MemorySpace::Shared);
  EXPECT_EQ(Memory[1].Bytes, 16u);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// At 0 line 11 of the kernel, which is there for the call of `inner` alone,
/// whose line 2 is at 0, too; from 0x10 on line 12 of the kernel.
static const std::string Inlined = SetAddress + bytes("\3\xa\1") +
                                   bytes("\0\3\x90\1\0\3\x77\1") +
                                   bytes("\0\3\x90\0\0\3\xa\2\x10\1") + End;

// The frames are all of the chain; the place is the one that profilers show.
TEST(CompiledKernels, FramesAndThePlaceThatProfilersShow) {
  const auto Memory = memoryOf(cubin(Ldg128 + StgIf + Exit, Inlined));
  ASSERT_THAT(Memory, SizeIs(2));
  EXPECT_THAT(Memory[0].Frames,
              ElementsAre(at("/src/a.cu", 2), at("/src/a.cu", 11)));
  EXPECT_EQ(Memory[0].Where, at("/src/a.cu", 11));
  EXPECT_THAT(Memory[1].Frames, ElementsAre(at("/src/a.cu", 12)));
  EXPECT_EQ(Memory[1].Where, at("/src/a.cu", 12));
}

// nvcc was given another name of the file.
TEST(CompiledKernels, FilesHaveTheNamesOfTheUser) {
  const auto Memory = memoryOf(cubin(Ldg128 + Exit, Inlined),
                               {{"/src", "my folder"}, {"/inc", "other"}});
  ASSERT_THAT(Memory, SizeIs(1));
  EXPECT_THAT(Memory[0].Frames,
              ElementsAre(at("my folder/a.cu", 2), at("my folder/a.cu", 11)));
  EXPECT_EQ(Memory[0].Where, at("my folder/a.cu", 11));
}

// Line 11 of the user's header calls what the toolkit has in line 2: that is
// what profilers show. Whose code it is, Clang tells.
TEST(CompiledKernels, HeadersOfTheToolkitAreFramesToo) {
  const std::string InToolkit = SetAddress + bytes("\4\2\3\xa\2\x10\1") +
                                bytes("\0\3\x90\1\0\4\1\3\x77\2\x10\1") + End;
  const auto Memory = memoryOf(cubin(Exit + Exit + Ldg128 + Exit, InToolkit, 0,
                                     0, "/usr/local/cuda/include"));
  ASSERT_THAT(Memory, SizeIs(1));
  EXPECT_THAT(
      Memory[0].Frames,
      ElementsAre(at("/usr/local/cuda/include/a.cu", 2), at("/inc/h.cuh", 11)));
  EXPECT_EQ(Memory[0].Where, at("/usr/local/cuda/include/a.cu", 2));
}

TEST(CompiledKernels, WithoutLinesNothingIsSaid) {
  EXPECT_THAT(readInstructions(cubin(Ldg128 + Exit, ""), SM90, {}), IsEmpty());
  EXPECT_THAT(readInstructions("", SM90, {}), IsEmpty());
  EXPECT_THAT(readInstructions("\177ELF, or so", SM90, {}), IsEmpty());
}

//===----------------------------------------------------------------------===//
// Loops and calls
//===----------------------------------------------------------------------===//

// 0 load, 1 load, 2 back to 1, 3 back to 0, 4 store.
TEST(CompiledKernels, LoopsAreInnermostFirst) {
  const auto Memory = memoryOf(
      cubin(Ldg128 + Ldg128 + branchBack(2) + branchBack(4) + StgIf + Exit));
  ASSERT_THAT(Memory, SizeIs(3));
  EXPECT_THAT(Memory[0].Loops, ElementsAre(0x00));
  EXPECT_THAT(Memory[1].Loops, ElementsAre(0x10, 0x00));
  EXPECT_THAT(Memory[2].Loops, IsEmpty());
}

/// 0 load, 1 call of `f`, 2 back to 0, 3 store, 4 exit; `f` is 5 load, 6 back
/// to 5, 7 exit. Lines: 11, the call in 12, and 20 of the header in `f`.
static const std::string CallInLoop = Ldg128 + call(3) + branchBack(3) + StgIf +
                                      Exit + Ldg128 + branchBack(2) + Exit;
static const std::string LinesOfCall =
    SetAddress + bytes("\3\xa\1") + bytes("\3\1\2\x10\1") +
    bytes("\3\1\2\x20\1") + bytes("\4\2\3\x7\2\x20\1") + End;

// Its loops are those of the function, then those around the call; the frames
// go on in the same way.
TEST(CompiledKernels, AFunctionThatWasNotInlinedIsPartOfItsCaller) {
  const auto Memory = memoryOf(cubin(CallInLoop, LinesOfCall, 0x50));
  ASSERT_THAT(Memory, SizeIs(3));
  EXPECT_THAT(Memory[0].Loops, ElementsAre(0x00));
  EXPECT_THAT(Memory[1].Loops, IsEmpty());
  EXPECT_EQ(Memory[2].Offset, 0x50u);
  EXPECT_THAT(Memory[2].Loops, ElementsAre(0x50, 0x00));
  EXPECT_THAT(Memory[2].Frames,
              ElementsAre(at("/inc/h.cuh", 20), at("/src/a.cu", 12)));
  EXPECT_EQ(Memory[2].Where, at("/inc/h.cuh", 20));
}

// Two calls are two copies, of which one is in a loop.
TEST(CompiledKernels, EachCallIsACopy) {
  // 0 call, 1 call, 2 back to 1, 3 exit; `f` is 4 load, 5 exit.
  const auto Memory = memoryOf(cubin(
      call(3) + call(2) + branchBack(2) + Exit + Ldg128 + Exit, OneLine, 0x40));
  ASSERT_THAT(Memory, SizeIs(2));
  EXPECT_THAT(Memory[0].Loops, IsEmpty());
  EXPECT_THAT(Memory[1].Loops, ElementsAre(0x10));
  EXPECT_NE(Memory[0].Copy, Memory[1].Copy);
  EXPECT_EQ(Memory[0].CopyOfLoop, 0u);
  EXPECT_EQ(Memory[1].CopyOfLoop, 0u) << "the loop is the kernel's";
}

// The loop of a function is another one in each copy.
TEST(CompiledKernels, ALoopIsOfItsCopy) {
  // 0 call, 1 call, 2 exit; `f` is 3 load, 4 back to 3, 5 exit.
  const auto Memory = memoryOf(cubin(
      call(2) + call(1) + Exit + Ldg128 + branchBack(2) + Exit, OneLine, 0x30));
  ASSERT_THAT(Memory, SizeIs(2));
  EXPECT_EQ(Memory[0].Loops, Memory[1].Loops);
  EXPECT_NE(Memory[0].CopyOfLoop, Memory[1].CopyOfLoop);
  EXPECT_TRUE(Memory[0].IsInEachRun);
}

// Nor does each run come to the loop of a function that it may not call, or to
// one that a branch passes by.
TEST(CompiledKernels, ALoopBehindABranchIsNotInEachRun) {
  // 0 branch over 1, 1 call, 2 exit; `f` is 3 load, 4 back to 3, 5 exit.
  const auto Called = memoryOf(
      cubin(branchBack(-1) + call(1) + Exit + Ldg128 + branchBack(2) + Exit,
            OneLine, 0x30));
  ASSERT_THAT(Called, SizeIs(1));
  EXPECT_TRUE(Called[0].IsInEachTurn);
  EXPECT_FALSE(Called[0].IsInEachRun);
  // 0 call, 1 exit; `f` is 2 branch over 3 and 4, 3 load, 4 back to 3, 5 exit:
  // its arguments may decide.
  const auto Passing = memoryOf(
      cubin(call(1) + Exit + branchBack(-2) + Ldg128 + branchBack(2) + Exit,
            OneLine, 0x20));
  ASSERT_THAT(Passing, SizeIs(1));
  EXPECT_TRUE(Passing[0].IsInEachRun);
  // 0 branch over 1 and 2, 1 load, 2 back to 1, 3 exit.
  const auto Passed =
      memoryOf(cubin(branchBack(-2) + Ldg128 + branchBack(2) + Exit, OneLine));
  ASSERT_THAT(Passed, SizeIs(1));
  EXPECT_TRUE(Passed[0].IsInEachTurn);
  EXPECT_FALSE(Passed[0].IsInEachRun);
}

// What each run of a function comes to, a run of the kernel does if it comes to
// the call. The last ones are behind a branch and behind a predicate.
TEST(CompiledKernels, WhatIsCalledInEachRunIsInEachRun) {
  // 0 call, 1 branch over 2, 2 call, 3 predicated call, 4 exit; `f` is 5, 6.
  const auto Memory = memoryOf(cubin(call(4) + branchBack(-1) + call(2) +
                                         callIf(1) + Exit + Ldg128 + Exit,
                                     OneLine, 0x50));
  ASSERT_THAT(Memory, SizeIs(3));
  EXPECT_TRUE(Memory[0].IsInEachTurn);
  EXPECT_FALSE(Memory[1].IsInEachTurn);
  EXPECT_FALSE(Memory[2].IsInEachTurn);
}

// Code that may be linked with other code has functions in sections of their
// own, to which relocations lead; `far` is in another file.
TEST(CompiledKernels, AFunctionInASectionOfItsOwnToo) {
  const std::string Lines = fake::lineUnit(OneLine + OneLine);
  fake::ElfWriter Out;
  Out.add({".text.k", SHT_PROGBITS, call(0) + call(0) + Exit});
  Out.add({".text.f$1", SHT_PROGBITS, Ldg128 + Exit});
  const std::uint32_t OfLines = Out.add({".debug_line", SHT_PROGBITS, Lines});
  const std::uint32_t OfSymbols = Out.add(
      {{1, 0, "k", true, true}, {2, 0, "f$1", true}, {0, 0, "far", true}});
  Out.add(fake::relocationsOf(Lines, OfLines, OfSymbols, {1, 2}));
  Elf64_Rela Near = {}, Far = {};
  Near.r_info = ELF64_R_INFO(2, 0x4b);
  Far.r_offset = 0x10;
  Far.r_info = ELF64_R_INFO(3, 0x4b);
  Out.add({".rela.text.k", SHT_RELA, fake::bytesOf(Near) + fake::bytesOf(Far),
           OfSymbols, 1});
  const auto Memory = memoryOf(Out.write());
  ASSERT_THAT(Memory, SizeIs(1));
  EXPECT_EQ(Memory[0].Name, "LDG.128");
  EXPECT_THAT(Memory[0].Frames,
              ElementsAre(at("/src/a.cu", 11), at("/src/a.cu", 11)));
}

// A function that calls itself, or another one that calls it, has no end.
TEST(CompiledKernels, RecursionLeavesAKernelOut) {
  // 0 call of 2, 1 exit; `f` is 2 load, 3 call of 2, 4 exit.
  EXPECT_THAT(readInstructions(cubin(call(1) + Exit + Ldg128 + call(-2) + Exit,
                                     OneLine, 0x20),
                               SM90, {}),
              IsEmpty());
  // Without the call of itself it is known.
  EXPECT_THAT(memoryOf(cubin(call(1) + Exit + Ldg128 + Exit, OneLine, 0x20)),
              SizeIs(1));
}

// Nobody knows what an unknown opcode accesses; what is never called does not
// matter.
TEST(CompiledKernels, AnUnknownOpcodeLeavesAKernelOut) {
  EXPECT_THAT(readInstructions(cubin(Ldg128 + Unknown + Exit), SM90, {}),
              IsEmpty());
  EXPECT_THAT(
      readInstructions(cubin(call(1) + Exit + Unknown + Exit, OneLine, 0x20),
                       SM90, {}),
      IsEmpty());
  EXPECT_THAT(memoryOf(cubin(Ldg128 + Exit + Unknown + Exit, OneLine, 0x20)),
              SizeIs(1));
}

// 0 calls `f` twice, which calls `g` twice: four copies, each with its calls.
TEST(CompiledKernels, CallsOfCalls) {
  // `k` is 0 to 2, `f` 3 to 5, `g` 6 and 7.
  const auto Memory = memoryOf(
      cubin(call(2) + call(1) + Exit + call(2) + call(1) + Exit + Ldg128 + Exit,
            OneLine, 0x30, 0x60));
  ASSERT_THAT(Memory, SizeIs(4));
  for (const MachineInstruction &Each : Memory) {
    EXPECT_EQ(Each.Offset, 0x60u);
    EXPECT_THAT(Each.Frames, SizeIs(3));
  }
}

// 90 calls of `f`, which calls `g` as often, which is 100 loads: 283
// instructions that would be 810,000, each with three frames.
TEST(CompiledKernels, TooManyCopiesLeaveAKernelOut) {
  const std::string Lines =
      SetAddress + bytes("\3\xa\1") + bytes("\2\x80\x40") + fake::EndSequence;
  auto Cubin = [&](int Loads) {
    std::string Code;
    for (int I = 90; I != 0; --I)
      Code += call(I);
    Code += Exit;
    for (int I = 90; I != 0; --I)
      Code += call(I);
    Code += Exit;
    for (int I = 0; I != Loads; ++I)
      Code += Ldg128;
    return cubin(Code + Exit, Lines, 91 * 16, 182 * 16);
  };
  EXPECT_THAT(readInstructions(Cubin(100), SM90, {}), IsEmpty());
  EXPECT_THAT(memoryOf(Cubin(1)), SizeIs(90 * 90));
}

} // namespace CompiledKernelsTests
