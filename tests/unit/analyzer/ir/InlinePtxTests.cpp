//===- tests/unit/analyzer/ir/InlinePtxTests.cpp - Accesses in asm --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Templates as LLVM hands them on, with `$N` for the operands. The first ones
/// are instructions that the toolkit's headers contain (sm_32_intrinsics.hpp,
/// cuda_fp16.hpp, cuda_pipeline_helpers.h); sizes are those of the PTX manual.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/InlinePtx.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

namespace InlinePtxTests {

using namespace cudalint;
using testing::IsEmpty;
using testing::SizeIs;

struct PtxRow {
  const char *Template;
  AccessOp Op;
  MemorySpace Space;
  unsigned Bytes, Operand;
};

class ToolkitTemplates : public testing::TestWithParam<PtxRow> {};

TEST_P(ToolkitTemplates, IsOneAccess) {
  const PtxRow &Row = GetParam();
  const std::vector<PtxAccess> Found = parseInlinePtx(Row.Template);
  ASSERT_THAT(Found, SizeIs(1)) << Row.Template;
  EXPECT_EQ(Found[0].Op, Row.Op) << Row.Template;
  EXPECT_EQ(Found[0].Space, Row.Space) << Row.Template;
  EXPECT_EQ(Found[0].Bytes, Row.Bytes) << Row.Template;
  EXPECT_EQ(Found[0].AddressOperand, Row.Operand) << Row.Template;
}

static constexpr auto Load = AccessOp::Load;
static constexpr auto Store = AccessOp::Store;
static constexpr auto Atomic = AccessOp::Atomic;
static constexpr auto Global = MemorySpace::Global;
static constexpr auto Shared = MemorySpace::Shared;
static constexpr auto Generic = MemorySpace::Generic;

INSTANTIATE_TEST_SUITE_P(
    Loads, ToolkitTemplates,
    testing::Values(
        PtxRow{"ld.global.nc.s8 $0, [$1];", Load, Global, 1, 1},
        PtxRow{"ld.global.cg.u16 $0, [$1];", Load, Global, 2, 1},
        PtxRow{"ld.global.nc.b16 $0, [$1];", Load, Global, 2, 1},
        PtxRow{"ld.global.cs.b32 $0, [$1];", Load, Global, 4, 1},
        PtxRow{"ld.global.cv.f32 $0, [$1];", Load, Global, 4, 1},
        PtxRow{"ld.global.lu.s64 $0, [$1];", Load, Global, 8, 1},
        PtxRow{"ld.global.cs.f64 $0, [$1];", Load, Global, 8, 1},
        PtxRow{"ld.global.nc.v2.s8 {$0,$1}, [$2];", Load, Global, 2, 2},
        PtxRow{"ld.global.ca.v4.u8 {$0,$1,$2,$3}, [$4];", Load, Global, 4, 4},
        PtxRow{"ld.global.cg.v4.u16 {$0,$1,$2,$3}, [$4];", Load, Global, 8, 4},
        PtxRow{"ld.global.nc.v4.f32 {$0,$1,$2,$3}, [$4];", Load, Global, 16, 4},
        PtxRow{"ld.global.cs.v2.f64 {$0,$1}, [$2];", Load, Global, 16, 2},
        PtxRow{"ld.global.nc.v2.u64 {$0,$1}, [$2];", Load, Global, 16, 2}));

INSTANTIATE_TEST_SUITE_P(
    StoresAndAtomics, ToolkitTemplates,
    testing::Values(
        PtxRow{"st.global.wb.s32 [$0], $1;", Store, Global, 4, 0},
        PtxRow{"st.global.cg.s64 [$0], $1;", Store, Global, 8, 0},
        PtxRow{"st.global.wt.v2.s16 [$0], {$1,$2};", Store, Global, 4, 0},
        PtxRow{"st.global.cs.v4.f32 [$0], {$1,$2,$3,$4};", Store, Global, 16,
               0},
        PtxRow{"atom.add.v2.f32         {$0, $1}, [$2], {$3, $4};", Atomic,
               Generic, 8, 2},
        PtxRow{"atom.add.noftz.f16x2 $0,[$1],$2;", Atomic, Generic, 4, 1},
        PtxRow{"red.global.add.f32 [$0], $1;", Atomic, Global, 4, 0},
        PtxRow{"atom.shared.cas.b64 $0, [$1], $2, $3;", Atomic, Shared, 8, 1}));

INSTANTIATE_TEST_SUITE_P(
    AsUsersWriteThem, ToolkitTemplates,
    testing::Values(
        PtxRow{"ld.shared.f32 $0, [$1];", Load, Shared, 4, 1},
        PtxRow{"ld.volatile.shared.u32 $0, [$1];", Load, Shared, 4, 1},
        PtxRow{"ld.f32 $0, [$1];", Load, Generic, 4, 1},
        PtxRow{"ld.acquire.gpu.global.u32 $0, [$1];", Load, Global, 4, 1},
        PtxRow{"ld.global.L1::no_allocate.v4.u32 {$0,$1,$2,$3}, [$4];", Load,
               Global, 16, 4},
        PtxRow{"ld.global.b128 $0, [$1];", Load, Global, 16, 1},
        PtxRow{"\n\tst.global.u32 [ $0 ], $1;\n", Store, Global, 4, 0},
        PtxRow{"{ st.shared.u8 [${0}], $1; }", Store, Shared, 1, 0},
        PtxRow{"st.global.u64\t[$0],\t$1;", Store, Global, 8, 0}));

TEST(InlinePtx, AsynchronousCopyIsALoadAndAStore) {
  for (const char *Template :
       {"cp.async.ca.shared.global [$0], [$1], 8;",
        "cp.async.ca.shared.global [$0], [$1], 8, $2;",
        "cp.async.ca.shared.global.L2::128B [$0], [$1], 8;"}) {
    const auto Found = parseInlinePtx(Template);
    ASSERT_THAT(Found, SizeIs(2)) << Template;
    EXPECT_EQ(Found[0].Op, Load);
    EXPECT_EQ(Found[0].Space, Global);
    EXPECT_EQ(Found[0].Bytes, 8u);
    EXPECT_EQ(Found[0].AddressOperand, 1u);
    EXPECT_EQ(Found[1].Op, Store);
    EXPECT_EQ(Found[1].Space, Shared);
    EXPECT_EQ(Found[1].Bytes, 8u);
    EXPECT_EQ(Found[1].AddressOperand, 0u);
  }
}

// The toolkit passes both sizes as operands.
TEST(InlinePtx, AsynchronousCopyOfAnOperandsSize) {
  constexpr const char *Template =
      "cp.async.cg.shared.global [$0], [$1], $2, $3;";
  EXPECT_THAT(parseInlinePtx(Template), IsEmpty());
  const auto Found = parseInlinePtx(Template, [](unsigned N) {
    return N == 2 ? std::optional(16u) : std::nullopt;
  });
  ASSERT_THAT(Found, SizeIs(2));
  EXPECT_EQ(Found[0].Bytes, 16u);
  EXPECT_EQ(Found[1].Bytes, 16u);
}

// A row of an 8 x 8 matrix of 16-bit elements is 16 bytes.
TEST(InlinePtx, Matrices) {
  struct Row {
    const char *Template;
    AccessOp Op;
    unsigned Matrices, Operand;
  };
  for (const Row &R :
       {Row{"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];", Load, 1, 1},
        Row{"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$0, $1}, [$2];",
            Load, 2, 2},
        Row{"ldmatrix.sync.aligned.m8n8.x4.shared.b16{$0, $1, $2, $3}, [$4];\n",
            Load, 4, 4},
        Row{"ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {$0, $1, $2, $3}, "
            "[$4];\n",
            Load, 4, 4},
        Row{"stmatrix.sync.aligned.m8n8.x4.shared.b16 [$0], {$1, $2, $3, $4};",
            Store, 4, 0}}) {
    const auto Found = parseInlinePtx(R.Template);
    ASSERT_THAT(Found, SizeIs(1)) << R.Template;
    EXPECT_EQ(Found[0].Op, R.Op) << R.Template;
    EXPECT_EQ(Found[0].Space, Shared) << R.Template;
    EXPECT_EQ(Found[0].Bytes, 16u) << R.Template;
    EXPECT_EQ(Found[0].Matrices, R.Matrices) << R.Template;
    EXPECT_EQ(Found[0].AddressOperand, R.Operand) << R.Template;
  }
}

TEST(InlinePtx, AddressesOfSharedMemory) {
  for (const char *Template :
       {"{ .reg .u64 addr; cvta.to.shared.u64 addr, $1; cvt.u32.u64 $0, addr; "
        "}\n",
        "cvta.to.shared.u64 $0, $1;",
        "{\n.reg .u64 a;\ncvta.to.shared.u64 a,$1;\ncvt.u32.u64 $0,a;\n}"})
    EXPECT_EQ(sharedAddressOperand(Template), 1u) << Template;
  for (const char *Template :
       {"", "{ }", "cvta.to.global.u64 $0, $1;", "cvta.to.shared.u64 $1, $0;",
        "cvta.to.shared.u64x $0, $1;", "cvta.to.shared.u64 $0;",
        "cvta.to.shared.u64 a, $1; cvt.u32.u64 $0, b;",
        "cvta.to.shared.u64 a, $1; add.u64 $0, a, 4;",
        "cvta.to.shared.u64 a, b; cvt.u32.u64 $0, a;",
        "cvta.to.shared.u64 a, $1; cvt.u32.u64 $0, a; ld.u32 $0, [$0];"})
    EXPECT_EQ(sharedAddressOperand(Template), std::nullopt) << Template;
}

TEST(InlinePtx, OneInstructionOnACondition) {
  const auto Found = predicatedInstruction(
      "{\n   .reg .pred p;\n   setp.ne.b32 p, $0, 0;\n   @p "
      "cp.async.cg.shared.global [$1], [$2], $3;\n}\n");
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Condition, 0u);
  EXPECT_EQ(Found->Instruction, "cp.async.cg.shared.global [$1], [$2], $3;");
  for (const char *Template :
       {"", "@p st.u32 [$0], $1;", "setp.ne.b32 p, $0, 0;",
        "setp.eq.b32 p, $0, 0; @p st.u32 [$1], $2;",
        "setp.ne.b32 p, $0, 1; @p st.u32 [$1], $2;",
        "setp.ne.b32 p, r, 0; @p st.u32 [$1], $2;",
        "setp.ne.b32 p, $0, 0; @!p st.u32 [$1], $2;",
        "setp.ne.b32 p, $0, 0; @pq st.u32 [$1], $2;",
        "setp.ne.b32 p, $0, 0; @p", "setp.ne.b32 p, $0, 0; st.u32 [$1], $2;",
        "setp.ne.b32 p, $0, 0; @p st.u32 [$1], $2; @p st.u32 [$3], $2;"})
    EXPECT_FALSE(predicatedInstruction(Template)) << Template;
}

TEST(InlinePtx, NothingIsKnownOfOtherInstructions) {
  for (const char *Template :
       {"", " ", ";", "{}", "{", "}", "ld", "ld ", "ld.global", "[", "[$0]",
        "cp.async.commit_group;", "cp.async.wait_group $0;",
        "cp.async.mbarrier.arrive.shared.b64 [$0];",
        "cp.async.bulk.shared::cluster.global [$0], [$1], $2;",
        "shf.l.wrap.b32 $0, $1, $2, $3;", "mov.u32 $0, %laneid;", "bar.sync 0;",
        "membar.gl;", "prefetch.global.L2 [$0];",
        // Rows of other sizes.
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {$0, $1}, [$2];",
        "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {$0}, [$1];",
        "ldmatrix.sync.aligned.m8n8.x3.shared.b16 {$0}, [$1];",
        // No accesses to memory with banks or sectors.
        "ld.param.u32 $0, [$1];", "ld.const.u32 $0, [$1];",
        // Several instructions, or one that may not run.
        "ld.global.u32 $0, [$1]; add.u32 $0, $0, 1;",
        "@p ld.global.u32 $0, [$1];",
        "{ .reg .pred p; setp.ne.u32 p, $2, 0; @p ld.global.u32 $0, [$1]; }",
        // No width, a width that there is not, no address in a register.
        "ld.global $0, [$1];", "ld.global.u9999999999 $0, [$1];",
        "ld.global.v4.f64 $0, [symbol];", "ld.global.u32 $0, [symbol];",
        "ld.global.u32 $0, [$99999999999999];", "ld.global.u32 $0, [$",
        "ld.global.u32 $0, [", "ld.global.u32 $0, $1;"})
    EXPECT_THAT(parseInlinePtx(Template), IsEmpty()) << Template;
}

// Anything may stand in an asm statement: no answer is wrong, none may crash.
TEST(InlinePtx, SurvivesAnything) {
  std::mt19937_64 Draw(7);
  const std::string Alphabet = "ldst.cpasyncv248ufb16[]{}$%;@:, \t\n0123";
  const char *const Starts[] = {"",
                                "ld.",
                                "st.global.",
                                "atom.",
                                "cp.async.ca.shared.global ",
                                "cp.async.cg.shared.global ["};
  for (int Turn = 0; Turn < 20'000; ++Turn) {
    std::string S = Starts[Draw() % std::size(Starts)];
    for (std::size_t Length = Draw() % 40; Length; --Length)
      S += Draw() % 50 ? Alphabet[Draw() % Alphabet.size()]
                       : static_cast<char>(Draw());
    for (const PtxAccess &A : parseInlinePtx(S, [](unsigned) { return 16u; }))
      EXPECT_LE(A.Bytes, 64u) << S;
    specialRegister(S);
    sharedAddressOperand(S);
    predicatedInstruction(S);
  }
  EXPECT_THAT(parseInlinePtx(std::string(1 << 20, '[')), IsEmpty());
  EXPECT_THAT(
      parseInlinePtx("ld.global" + std::string(1 << 20, '.') + "u32 $0, [$1];"),
      SizeIs(1));
}

TEST(InlinePtx, SpecialRegisters) {
  EXPECT_EQ(specialRegister("mov.u32 $0, %laneid;"), "laneid");
  EXPECT_EQ(specialRegister("mov.u32 $0, %%laneid;"), "laneid");
  EXPECT_EQ(specialRegister("\tmov.s32  $0,  %tid.x;\n"), "tid.x");
  EXPECT_EQ(specialRegister("mov.b32 $0, %lanemask_lt;"), "lanemask_lt");
  EXPECT_EQ(specialRegister("mov.u64 $0, %clock64;"), "");
  EXPECT_EQ(specialRegister("mov.u32 $0, $1;"), "");
  EXPECT_EQ(specialRegister("add.u32 $0, %laneid, 1;"), "");
  EXPECT_EQ(specialRegister(""), "");
}

} // namespace InlinePtxTests
