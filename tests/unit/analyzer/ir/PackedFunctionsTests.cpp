//===- tests/unit/analyzer/ir/PackedFunctionsTests.cpp - Parts of words ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions of the halves and bytes of a word. Expected values are worked out
/// by hand, a byte at a time.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/PackedFunctions.h"

#include "tests/unit/analyzer/ir/Evaluation.h"

namespace PackedFunctionsTests {

using namespace cudalint;

static std::uint64_t apply(const BitFunction *F, std::uint64_t X,
                           std::uint64_t Y, std::uint64_t Z = 0) {
  if (!F) {
    ADD_FAILURE() << "not known";
    return 0;
  }
  return F->Compute({X, Y, Z}, 32) & 0xffffffff;
}

static std::uint64_t call(const char *Name, std::uint64_t X,
                          std::uint64_t Y = 0) {
  SCOPED_TRACE(Name);
  return apply(findPackedFunction(Name), X, Y);
}

static std::uint64_t ptx(const char *Name, std::uint64_t X, std::uint64_t Y,
                         std::uint64_t Z) {
  SCOPED_TRACE(Name);
  return apply(findPtxFunction(std::string(Name) + " $0, $1, $2, $3;"), X, Y,
               Z);
}

TEST(PackedFunctions, SumsStayInTheirParts) {
  EXPECT_EQ(call("__nv_vadd4", 0x7f'ff'01'80, 0x01'01'02'80), 0x80000300u);
  EXPECT_EQ(call("__nv_vadd2", 0xffff'7fff, 0x0001'0001), 0x00008000u);
  EXPECT_EQ(call("__nv_vsub4", 0x00'05'80'ff, 0x01'06'01'ff), 0xffff7f00u);
  EXPECT_EQ(call("__nv_vsub2", 0x0000'0003, 0x0001'0001), 0xffff0002u);
}

TEST(PackedFunctions, Saturation) {
  EXPECT_EQ(call("__nv_vaddss4", 0x7f'80'10'ff, 0x01'ff'10'01), 0x7f802000u);
  EXPECT_EQ(call("__nv_vaddus4", 0xff'80'10'00, 0x01'80'10'00), 0xffff2000u);
  EXPECT_EQ(call("__nv_vsubss2", 0x8000'0005, 0x0001'0006), 0x8000ffffu);
  EXPECT_EQ(call("__nv_vsubus2", 0x8000'0005, 0x0001'0006), 0x7fff0000u);
  EXPECT_EQ(call("__nv_vnegss2", 0x8000'0001), 0x7fffffffu);
  EXPECT_EQ(call("__nv_vneg2", 0x8000'0001), 0x8000ffffu);
  EXPECT_EQ(call("__nv_vabsss4", 0x80'ff'7f'00), 0x7f017f00u);
  EXPECT_EQ(call("__nv_vabs4", 0x80'ff'7f'00), 0x80017f00u);
}

TEST(PackedFunctions, DistancesMeansAndLimits) {
  EXPECT_EQ(call("__nv_vabsdiffu4", 0x01'ff'10'00, 0xff'01'10'01), 0xfefe0001u);
  // 1 and -1 are 2 apart, and so are -1 and 1.
  EXPECT_EQ(call("__nv_vabsdiffs4", 0x01'ff'10'00, 0xff'01'10'01), 0x02020001u);
  EXPECT_EQ(call("__nv_vsadu4", 0x01'ff'10'00, 0xff'01'10'01), 0x1fdu);
  EXPECT_EQ(call("__nv_vsads4", 0x01'ff'10'00, 0xff'01'10'01), 5u);
  EXPECT_EQ(call("__nv_vavgu4", 0xff'00'02'03, 0xff'01'03'03), 0xff010303u);
  EXPECT_EQ(call("__nv_vhaddu4", 0xff'00'02'03, 0xff'01'03'03), 0xff000203u);
  EXPECT_EQ(call("__nv_vmaxs2", 0xffff'0001, 0x0001'0002), 0x00010002u);
  EXPECT_EQ(call("__nv_vmaxu2", 0xffff'0001, 0x0001'0002), 0xffff0002u);
  EXPECT_EQ(call("__nv_vmins2", 0xffff'0001, 0x0001'0002), 0xffff0001u);
  EXPECT_EQ(call("__nv_vminu2", 0xffff'0001, 0x0001'0002), 0x00010001u);
}

TEST(PackedFunctions, Comparisons) {
  EXPECT_EQ(call("__nv_vcmpeq4", 0x01'02'03'04, 0x01'00'03'00), 0xff00ff00u);
  EXPECT_EQ(call("__nv_vseteq4", 0x01'02'03'04, 0x01'00'03'00), 0x01000100u);
  EXPECT_EQ(call("__nv_vsetne2", 0x0102'0304, 0x0102'0000), 1u);
  EXPECT_EQ(call("__nv_vcmpgts2", 0xffff'0002, 0x0001'0001), 0x0000ffffu);
  EXPECT_EQ(call("__nv_vcmpgtu2", 0xffff'0002, 0x0001'0001), 0xffffffffu);
  EXPECT_EQ(call("__nv_vcmplts2", 0xffff'0002, 0x0001'0001), 0xffff0000u);
  EXPECT_EQ(call("__nv_vsetleu2", 0xffff'0001, 0x0001'0001), 1u);
  EXPECT_EQ(call("__nv_vsetges2", 0xffff'0001, 0x0001'0001), 1u);
}

TEST(PackedFunctions, FunnelShifts) {
  // The low word is the first operand.
  EXPECT_EQ(ptx("shf.l.wrap.b32", 0x9abcdef0, 0x12345678, 8), 0x3456789au);
  EXPECT_EQ(ptx("shf.r.wrap.b32", 0x9abcdef0, 0x12345678, 8), 0x789abcdeu);
  EXPECT_EQ(ptx("shf.l.wrap.b32", 1, 2, 32), 2u);
  EXPECT_EQ(ptx("shf.l.clamp.b32", 1, 2, 32), 1u);
  EXPECT_EQ(ptx("shf.l.clamp.b32", 1, 2, 99), 1u);
  EXPECT_EQ(ptx("shf.r.wrap.b32", 1, 2, 64), 1u);
  EXPECT_EQ(ptx("shf.r.clamp.b32", 1, 2, 64), 2u);
}

TEST(PackedFunctions, DotProducts) {
  // 1 * 5 + 2 * 6 + 3 * 7 + 4 * 8, and 100.
  EXPECT_EQ(ptx("dp4a.u32.u32", 0x04030201, 0x08070605, 100), 170u);
  EXPECT_EQ(ptx("dp4a.s32.s32", 0x000000ff, 0x00000003, 10), 7u);
  EXPECT_EQ(ptx("dp4a.u32.u32", 0x000000ff, 0x00000003, 10), 775u);
  EXPECT_EQ(ptx("dp4a.s32.u32", 0x000000ff, 0x000000ff, 300), 45u);
  EXPECT_EQ(ptx("dp2a.lo.u32.u32", 0x0003'0002, 0x09'08'07'06, 1), 34u);
  EXPECT_EQ(ptx("dp2a.hi.u32.u32", 0x0003'0002, 0x09'08'07'06, 1), 44u);
}

TEST(PackedFunctions, OtherTemplatesAreNotKnown) {
  for (const char *Template :
       {"shf.l.wrap.b32 $0, $2, $1, $3;", "shf.l.wrap.b32 $0, $1, $2, 5;",
        "{ shf.l.wrap.b32 $0, $1, $2, $3; }", "shf.l.wrap.b32", "",
        "dp4a.s32.s32 $0, $1, $2, $3; add.u32 $0, $0, 1;"})
    EXPECT_FALSE(findPtxFunction(Template)) << Template;
  for (const char *Name : {"__nv_vadd3", "__nv_v4", "__nv_vadd", "vadd4"})
    EXPECT_FALSE(findPackedFunction(Name)) << Name;
}

// Lanes are 2 words apart: two ways.
TEST(PackedFunctions, InAnIndex) {
  for (const char *Index :
       {"__nv_vadd4(t, t)", "funnel(0, t, 1)", "dot(t, 2, 0)"}) {
    SCOPED_TRACE(Index);
    const Access A =
        evaluate(
            "extern \"C\" __device__ unsigned __nv_vadd4(unsigned, unsigned);\n"
            "__device__ unsigned funnel(unsigned l, unsigned h, unsigned n) {\n"
            "  unsigned r;\n"
            "  asm(\"shf.l.wrap.b32 %0, %1, %2, %3;\" : \"=r\"(r)\n"
            "      : \"r\"(l), \"r\"(h), \"r\"(n));\n"
            "  return r;\n}\n"
            "__device__ unsigned dot(unsigned a, unsigned b, unsigned c) {\n"
            "  unsigned r;\n"
            "  asm volatile(\"dp4a.u32.u32 %0, %1, %2, %3;\" : \"=r\"(r)\n"
            "      : \"r\"(a), \"r\"(b), \"r\"(c));\n"
            "  return r;\n}\n"
            "__global__ void k() {\n"
            "  __shared__ float s[1024];\n"
            "  unsigned t = threadIdx.x;\n"
            "  s[" +
                std::string(Index) + "] = 1;\n}\n",
            {.Block = {64, 1, 1}})
            .sharedStore();
    EXPECT_EQ(A.Trust, Certainty::Exact);
    EXPECT_TRUE(costs(A, {2, 1, 2}));
  }
}

} // namespace PackedFunctionsTests
