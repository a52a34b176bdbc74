//===- tests/unit/analyzer/ir/UnseenCodeTests.cpp - What is not evaluated -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every way for a kernel to touch memory that the evaluator does not see is
/// told, and nothing else is.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/UnseenCode.h"

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Kind = UnseenCode::Kind;

static std::vector<UnseenCode> unseenIn(const std::string &Source) {
  return evaluate(Source).Unseen;
}

static auto is(Kind What, const std::string &Name, unsigned Line) {
  return AllOf(Field(&UnseenCode::What, What),
               Field(&UnseenCode::Name, StartsWith(Name)),
               Field(&UnseenCode::Where, Field(&Location::Line, Line)));
}

TEST(UnseenCode, Recursion) {
  EXPECT_THAT(unseenIn(R"(
__device__ int f(const int *p, int n) { return n ? f(p, n - 1) : p[7 * n]; }
__global__ void k(int *o) {
  o[threadIdx.x] = f(o, threadIdx.x);
}
)"),
              ElementsAre(is(Kind::Recursion, "f(int const*, int)", 4)));
}

TEST(UnseenCode, RecursionThroughAnother) {
  const std::vector<UnseenCode> Found = unseenIn(R"(
__device__ int odd(const int *p, int n);
__device__ int even(const int *p, int n) { return n ? odd(p, n - 1) : p[n]; }
__device__ int odd(const int *p, int n) { return n ? even(p, n - 1) : p[n]; }
__global__ void k(int *o) { o[threadIdx.x] = even(o, threadIdx.x); }
)");
  // One of the two is inlined, and the call of the other stays.
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].What, Kind::Recursion);
}

TEST(UnseenCode, RecursionThatOnlyComputes) {
  EXPECT_THAT(unseenIn(R"(
__device__ int f(int n) { return n > 1 ? f(n / 2) + f(n - 1) : 1; }
__global__ void k(int *o) {
  o[f(threadIdx.x)] = 1;
}
)"),
              ElementsAre(is(Kind::Computation, "f(int)", 4)));
}

TEST(UnseenCode, BodiesOfOtherFiles) {
  EXPECT_THAT(
      unseenIn(R"(
extern __device__ float elsewhere(const float *p, int i);
extern "C" __device__ void plain(float *p);
__device__ float through(const float *p) { return elsewhere(p, 1); }
__global__ void k(float *o) {
  o[threadIdx.x] = through(o);
  plain(o);
  plain(o + 1);
}
)"),
      ElementsAre(is(Kind::Elsewhere, "elsewhere(float const*, int)", 4),
                  AllOf(is(Kind::Elsewhere, "plain", 7),
                        Field(&UnseenCode::Alike, 1u))));
}

// 8^12 copies, if each was inlined.
TEST(UnseenCode, CallsThatWouldBeTooMany) {
  std::string Source =
      "__device__ int f0(int *p, int i) { return p[3 * i]; }\n";
  for (unsigned N = 1; N <= 12; ++N) {
    const std::string Inner = "f" + std::to_string(N - 1);
    std::string Sum = Inner + "(p, i)";
    for (unsigned I = 1; I != 8; ++I)
      Sum += " + " + Inner + "(p, i ^ " + std::to_string(I) + ")";
    Source += "__device__ int f" + std::to_string(N) +
              "(int *p, int i) { return " + Sum + "; }\n";
  }
  const std::vector<UnseenCode> Found = unseenIn(
      Source +
      "__global__ void k(int *p) { p[threadIdx.x] = f12(p, threadIdx.x); }");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].What, Kind::NotInlined);
  EXPECT_GT(Found[0].Alike, 0u);
}

TEST(UnseenCode, PointersToFunctions) {
  EXPECT_THAT(unseenIn(R"(
__global__ void k(float *o, float (*f)(const float *, int)) {
  o[threadIdx.x] = f(o, threadIdx.x);
}
)"),
              ElementsAre(is(Kind::Pointer, "", 3)));
}

TEST(UnseenCode, VirtualFunctions) {
  EXPECT_THAT(unseenIn(R"(
struct base { __device__ virtual float get(const float *, int) const = 0; };
__global__ void k(float *o, const base *b) {
  o[threadIdx.x] = b->get(o, threadIdx.x);
}
)"),
              ElementsAre(is(Kind::Virtual, "", 4)));
}

TEST(UnseenCode, PtxOfSeveralInstructions) {
  EXPECT_THAT(unseenIn(R"(
__global__ void k(float *o) {
  asm volatile("{ .reg .b32 r; ld.global.b32 r, [%0]; st.global.b32 [%0], r; }"
               :: "l"(o) : "memory");
}
)"),
              ElementsAre(is(Kind::Instruction, "ld.global.b32", 3)));
}

TEST(UnseenCode, CopiesOfManyBytes) {
  EXPECT_THAT(unseenIn(R"(
struct page { char c[4096]; };
__global__ void k(page *o, const page *p) {
  *o = *p;
}
)"),
              ElementsAre(is(Kind::Instruction, "a copy", 4)));
}

// What is evaluated, and what touches none of the kernel's arrays.
TEST(UnseenCode, NothingToTell) {
  EXPECT_THAT(unseenIn(R"(
extern "C" __device__ int vprintf(const char *, const char *);
extern "C" __device__ float __nv_sinf(float);
extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void __assertfail(const char *, const char *, unsigned,
                                        const char *, size_t);
struct row { float v[16]; };
__device__ float twice(float x) { return 2 * x; }
__global__ void k(float *o, row *r, const row *q, int *h) {
  __shared__ int s[32];
  if (!o) __assertfail("", "", 1, "", 1);
  vprintf("", 0);
  *(int *)malloc(4) = 1;
  *r = *q;
  o[threadIdx.x] = twice(__nv_sinf(o[threadIdx.x]));
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("st.global.b32 [%0], 1;" :: "l"(o) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  atomicAdd(h, 1);
  atomicAdd_block(s + threadIdx.x, 1);
  __syncthreads();
  o[threadIdx.x + 32] = __shfl_sync(~0u, s[threadIdx.x], 3);
}
)"),
              IsEmpty());
}

TEST(UnseenCode, WordsForTheUser) {
  UnseenCode Code{.What = Kind::Recursion, .Name = "f(int)", .Where = {}};
  Code.Alike = 2;
  EXPECT_THAT(describe(Code, "k(int *)"),
              AllOf(HasSubstr("kernel 'k(int *)' calls 'f(int)'"),
                    HasSubstr("here and in 2 more places"),
                    HasSubstr("which calls itself"),
                    HasSubstr("is not evaluated")));
  EXPECT_THAT(describe(Code, "k(int *)", 3),
              HasSubstr("kernel 'k(int *)' and 3 more: it calls 'f(int)'"));
}
