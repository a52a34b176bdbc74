//===- tests/unit/cubin/InstructionTests.cpp - What SASS does -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/Instruction.h"

#include <gmock/gmock.h>

namespace cudalint::cubin::InstructionTests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Touched = std::pair<Space, Op>;

std::vector<Touched> accesses(std::uint64_t Word) {
  std::vector<Touched> Out;
  for (const MemoryAccess &Each : accessesOf({Word, 0}, 90))
    Out.emplace_back(Each.In, Each.What);
  return Out;
}

Touched access(Space In, Op What) { return {In, What}; }

// The words are from `nvdisasm -hex` of kernels that were built by nvcc 13.0
// for sm_75, sm_80, sm_86, sm_89, sm_90, sm_100 and sm_120.

TEST(Instruction, Loads) {
  // LDG.E R8, desc[UR10][R4.64]
  EXPECT_THAT(accesses(0x0000000a04087981),
              ElementsAre(access(Space::Global, Op::Load)));
  // LDG.E on sm_75
  EXPECT_THAT(accesses(0x381), ElementsAre(access(Space::Global, Op::Load)));
  // LD.E R6, desc[UR4][R6.64]
  EXPECT_THAT(accesses(0x0000000406067980),
              ElementsAre(access(Space::Generic, Op::Load)));
  // LDL R26, [R23]
  EXPECT_THAT(accesses(0x00000000171a7983),
              ElementsAre(access(Space::Local, Op::Load)));
  // @!PT LDS RZ, [RZ]
  EXPECT_THAT(accesses(0x00000000fffff984),
              ElementsAre(access(Space::Shared, Op::Load)));
  // LDSM.16.M88.2 R42, [R66+0x1000]
  EXPECT_THAT(accesses(0x00100000422a783b),
              ElementsAre(access(Space::Shared, Op::Load)));
}

TEST(Instruction, Stores) {
  // The form of the operands differs: STG 0x386 on sm_75, 0x986 since sm_80.
  for (std::uint64_t Word : {0x386, 0x986})
    EXPECT_THAT(accesses(Word), ElementsAre(access(Space::Global, Op::Store)));
  for (std::uint64_t Word : {0x385, 0x985})
    EXPECT_THAT(accesses(Word), ElementsAre(access(Space::Generic, Op::Store)));
  for (std::uint64_t Word : {0x388, 0x988})
    EXPECT_THAT(accesses(Word), ElementsAre(access(Space::Shared, Op::Store)));
  EXPECT_THAT(accesses(0x387), ElementsAre(access(Space::Local, Op::Store)));
  // STSM
  EXPECT_THAT(accesses(0x844), ElementsAre(access(Space::Shared, Op::Store)));
}

TEST(Instruction, Atomics) {
  // REDG.E.ADD.STRONG.GPU desc[UR4][R6.64], R15; RED before sm_90
  EXPECT_THAT(accesses(0x0000000f0600798e),
              ElementsAre(access(Space::Global, Op::Atomic)));
  // That of a sum of floats without its result, on sm_90 and later.
  EXPECT_THAT(accesses(0x9a6), ElementsAre(access(Space::Global, Op::Atomic)));
  for (std::uint64_t Atomg : {0x3a8, 0x3a9, 0x9a3, 0x9a8})
    EXPECT_THAT(accesses(Atomg),
                ElementsAre(access(Space::Global, Op::Atomic)));
  for (std::uint64_t Atom : {0x38a, 0x38b, 0x98a, 0x9a2})
    EXPECT_THAT(accesses(Atom),
                ElementsAre(access(Space::Generic, Op::Atomic)));
  for (std::uint64_t Atoms : {0x38c, 0x38d, 0x58d, 0x98c, 0xf8c})
    EXPECT_THAT(accesses(Atoms),
                ElementsAre(access(Space::Shared, Op::Atomic)));
}

TEST(Instruction, ThirtyTwoBytesAtOnce) {
  // What ld.global.v8.b32 and st.global.v8.b32 add to a kernel for sm_100 and
  // sm_120.
  EXPECT_THAT(accesses(0x97e), ElementsAre(access(Space::Global, Op::Load)));
  EXPECT_THAT(accesses(0x97f), ElementsAre(access(Space::Global, Op::Store)));
}

TEST(Instruction, AsynchronousCopyIsALoadAndAStore) {
  // LDGSTS.E [R13], desc[UR4][R20.64]
  EXPECT_THAT(accesses(0x00000000140d7fae),
              ElementsAre(access(Space::Global, Op::Load),
                          access(Space::Shared, Op::Store)));
}

TEST(Instruction, OthersTouchNothing) {
  EXPECT_THAT(accesses(0x00000a00ff017b82), IsEmpty()); // LDC: constants
  EXPECT_THAT(accesses(0xfffffffc00e88947), IsEmpty()); // BRA
  EXPECT_THAT(accesses(0x000000000000894d), IsEmpty()); // EXIT
  EXPECT_THAT(accesses(0x0000000402007210), IsEmpty()); // IADD3
  EXPECT_THAT(accesses(0x000000000c0573c4), IsEmpty()); // REDUX: in registers
  EXPECT_THAT(accesses(0x9af), IsEmpty());              // LDGDEPBAR
  // ARRIVES.LDGSTSBAR.64.TRANSCNT [UR17]: of cuda::memcpy_async.
  EXPECT_THAT(accesses(0x00000000ff0079b0), IsEmpty());
  EXPECT_EQ(nameOf({0x00000000ff0079b0, 0}, 90), "ARRIVES");
  EXPECT_THAT(accesses(0x98f), IsEmpty()); // CCTL
}

} // namespace
} // namespace cudalint::cubin::InstructionTests
