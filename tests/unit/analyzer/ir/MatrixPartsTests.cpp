//===- tests/unit/analyzer/ir/MatrixPartsTests.cpp - wmma -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The matrices of wmma. Expected numbers are what Nsight Compute counted on an
/// H200: docs/validation/matrices-h200.md.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

namespace MatrixPartsTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

/// One of Clang's functions behind load_matrix_sync and store_matrix_sync. Of
/// `%`, the pointer, and of `$`, the stride.
struct Call {
  const char *Text;
  const char *Element;
  unsigned Instructions;
  /// Wavefronts of all of them, in lines 32, 40, 48, 64 and 72 elements apart.
  std::array<double, 5> Wavefronts;
  double Sectors; ///< Of all, whichever line.
  bool IsStore = false;
  /// In shared memory, where these are fewer; 0: as many.
  unsigned InShared = 0;
};

static constexpr std::array<int, 5> Strides = {32, 40, 48, 64, 72};

static std::string written(const Call &C, const std::string &Pointer,
                           int Stride) {
  std::string Text;
  for (const char *At = C.Text; *At; ++At)
    Text += *At == '%'   ? Pointer
            : *At == '$' ? std::to_string(Stride)
                         : std::string(1, *At);
  return Text + "; // here\n";
}

static std::vector<Access> accessesOf(const Call &C, bool IsShared,
                                      int Stride) {
  const std::string Element = C.Element;
  Setting S;
  S.Block = {32, 1, 1};
  const Evaluated E = evaluate(
      "__global__ void k(" + Element +
          " *g, float *o) {\n"
          "  __shared__ __attribute__((aligned(128))) " +
          Element +
          " s[64 * 72];\n"
          "  int h[8] = {}; float f[8] = {};\n  " +
          written(C, IsShared ? "s" : "g", Stride) +
          // Or nobody needs what is loaded.
          (C.IsStore && IsShared ? "  o[threadIdx.x] = s[threadIdx.x];\n"
                                 : "") +
          "  o[threadIdx.x] = h[0] + f[0];\n}\n",
      S);
  EXPECT_THAT(E.Unseen, IsEmpty());
  return E.all(IsShared ? MemorySpace::Shared : MemorySpace::Global,
               C.IsStore ? AccessOp::Store : AccessOp::Load, "// here");
}

static double sumOf(const std::vector<Access> &All) {
  double Sum = 0;
  for (const Access &A : All) {
    EXPECT_TRUE(A.Predicted) << toString(A);
    if (A.Predicted)
      Sum += A.Predicted->PerRequest * A.Executions.value_or(0);
  }
  return Sum;
}

class Matrices : public testing::TestWithParam<Call> {};

TEST_P(Matrices, CostWhatAnH200Counts) {
  const Call &C = GetParam();
  for (std::size_t I = 0; I != Strides.size(); ++I) {
    const std::vector<Access> Shared = accessesOf(C, true, Strides[I]);
    EXPECT_THAT(Shared, SizeIs(C.InShared ? C.InShared : C.Instructions));
    EXPECT_EQ(sumOf(Shared), C.Wavefronts[I]) << Strides[I];
    const std::vector<Access> Global = accessesOf(C, false, Strides[I]);
    EXPECT_THAT(Global, SizeIs(C.Instructions));
    EXPECT_EQ(sumOf(Global), C.Sectors) << Strides[I];
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Matrices,
    testing::Values(Call{"__hmma_m16n16k16_ld_a(h, (const int *)%, $, 0)",
                         "short",
                         4,
                         {16, 4, 8, 32, 4},
                         32,
                         false,
                         1},
                    Call{"__hmma_m16n16k16_ld_a(h, (const int *)%, $, 1)",
                         "short",
                         4,
                         {16, 4, 8, 32, 4},
                         32,
                         false,
                         1},
                    Call{"__hmma_m16n16k16_ld_b(h, (const int *)%, $, 0)",
                         "short",
                         4,
                         {16, 4, 8, 32, 4},
                         32,
                         false,
                         1},
                    Call{"__hmma_m32n8k16_ld_a(h, (const int *)%, $, 0)",
                         "short",
                         8,
                         {32, 8, 16, 64, 8},
                         64,
                         false,
                         2},
                    Call{"__hmma_m32n8k16_ld_b(h, (const int *)%, $, 1)",
                         "short",
                         2,
                         {8, 2, 4, 16, 2},
                         16,
                         false,
                         1},
                    Call{"__hmma_m8n32k16_ld_a(h, (const int *)%, $, 0)",
                         "short",
                         2,
                         {8, 2, 4, 16, 2},
                         16,
                         false,
                         1},
                    Call{"__hmma_m8n32k16_ld_b(h, (const int *)%, $, 0)",
                         "short",
                         8,
                         {32, 8, 16, 64, 8},
                         64,
                         false,
                         2},
                    Call{"__mma_bf16_m16n16k16_ld_a(h, (const int *)%, $, 0)",
                         "short",
                         4,
                         {16, 4, 8, 32, 4},
                         32},
                    Call{"__mma_bf16_m16n16k16_ld_b(h, (const int *)%, $, 0)",
                         "short",
                         4,
                         {16, 4, 8, 32, 4},
                         32},
                    Call{"__mma_tf32_m16n16k8_ld_a(h, (const int *)%, $, 0)",
                         "float",
                         4,
                         {32, 8, 16, 32, 8},
                         32},
                    Call{"__mma_tf32_m16n16k8_ld_a(h, (const int *)%, $, 1)",
                         "float",
                         4,
                         {16, 4, 8, 16, 4},
                         16},
                    Call{"__mma_tf32_m16n16k8_ld_b(h, (const int *)%, $, 0)",
                         "float",
                         4,
                         {16, 4, 8, 16, 4},
                         16},
                    Call{"__mma_tf32_m16n16k8_ld_b(h, (const int *)%, $, 1)",
                         "float",
                         4,
                         {32, 8, 16, 32, 8},
                         32},
                    Call{"__mma_tf32_m16n16k8_ld_c(f, %, $, 0)",
                         "float",
                         4,
                         {32, 8, 16, 32, 8},
                         32},
                    Call{"__mma_m16n16k8_st_c_f32(%, f, $, 1)",
                         "float",
                         8,
                         {32, 16, 32, 32, 16},
                         32,
                         true},
                    Call{"__hmma_m16n16k16_ld_c_f16(h, (const int *)%, $, 1)",
                         "short",
                         4,
                         {16, 4, 8, 32, 4},
                         32},
                    Call{"__hmma_m16n16k16_st_c_f16((int *)%, h, $, 0)",
                         "short",
                         4,
                         {16, 4, 8, 32, 4},
                         32,
                         true},
                    Call{"__hmma_m16n16k16_ld_c_f32(f, %, $, 0)",
                         "float",
                         4,
                         {32, 8, 16, 32, 8},
                         32},
                    Call{"__hmma_m16n16k16_ld_c_f32(f, %, $, 1)",
                         "float",
                         8,
                         {32, 16, 32, 32, 16},
                         32},
                    Call{"__hmma_m16n16k16_st_c_f32(%, f, $, 0)",
                         "float",
                         4,
                         {32, 8, 16, 32, 8},
                         32,
                         true},
                    Call{"__hmma_m16n16k16_st_c_f32(%, f, $, 1)",
                         "float",
                         8,
                         {32, 16, 32, 32, 16},
                         32,
                         true},
                    Call{"__imma_m16n16k16_st_c_i32(%, h, $, 0)",
                         "int",
                         4,
                         {32, 8, 16, 32, 8},
                         32,
                         true},
                    Call{"__hmma_m32n8k16_st_c_f32(%, f, $, 0)",
                         "float",
                         4,
                         {32, 8, 16, 32, 8},
                         32,
                         true},
                    Call{"__hmma_m32n8k16_st_c_f32(%, f, $, 1)",
                         "float",
                         8,
                         {32, 16, 32, 32, 16},
                         32,
                         true},
                    Call{"__hmma_m8n32k16_st_c_f32(%, f, $, 0)",
                         "float",
                         8,
                         {32, 16, 32, 32, 16},
                         32,
                         true},
                    Call{"__hmma_m8n32k16_ld_c_f32(f, %, $, 1)",
                         "float",
                         4,
                         {32, 8, 16, 32, 8},
                         32}));

// What was not measured is not evaluated.
TEST(Matrices, OfBytesAreUnseen) {
  const Evaluated E = evaluate("__global__ void k(int *p, float *o) {\n"
                               "  int h[8] = {};\n"
                               "  __imma_m16n16k16_ld_a_s8(h, p, 32, 0);\n"
                               "  o[threadIdx.x] = h[0];\n}\n",
                               {.Block = {32, 1, 1}});
  EXPECT_THAT(E.Unseen, ElementsAre(Field(&UnseenCode::Name, "wmma.load")));
}

// n elements from line to line: each line is in sectors of its own.
TEST(Matrices, AStrideOfTheHost) {
  const Evaluated E = evaluate("__global__ void k(float *p, int n) {\n"
                               "  float f[8] = {};\n"
                               "  __hmma_m16n16k16_st_c_f32(p, f, n, 0);\n}\n",
                               {.Block = {32, 1, 1}});
  const std::vector<Access> All = E.all(MemorySpace::Global, AccessOp::Store);
  ASSERT_THAT(All, SizeIs(4));
  EXPECT_EQ(sumOf(All), 32);
}

} // namespace MatrixPartsTests
