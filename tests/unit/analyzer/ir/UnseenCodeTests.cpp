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

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <gmock/gmock.h>

namespace UnseenCodeTests {

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

// The runtime's own functions have C linkage, and these do not.
TEST(UnseenCode, BodiesOfOtherFilesThatAreNamedLikeTheRuntimes) {
  EXPECT_THAT(unseenIn(R"(
extern __device__ float cuda_dot(const float *p);
extern __device__ float cudaKernelHelper(const float *p);
extern __device__ float __mine(const float *p);
extern __device__ float malloc(const float *p);
__global__ void k(float *o) {
  o[0] = cuda_dot(o);
  o[1] = cudaKernelHelper(o);
  o[2] = __mine(o);
  o[3] = malloc(o);
}
)"),
              ElementsAre(is(Kind::Elsewhere, "cuda_dot(float const*)", 7),
                          is(Kind::Elsewhere, "cudaKernelHelper(", 8),
                          is(Kind::Elsewhere, "__mine(float const*)", 9),
                          is(Kind::Elsewhere, "malloc(float const*)", 10)));
}

// All that the function leads to is read once, and not for each call of it:
// five billion instructions.
TEST(UnseenCode, ManyCallsOfOneLargeFunction) {
  llvm::LLVMContext Context;
  llvm::Module Module("m", Context);
  llvm::IRBuilder<> Builder(Context);
  auto *Type =
      llvm::FunctionType::get(Builder.getVoidTy(), {Builder.getPtrTy()}, false);
  auto begin = [&](const char *Name) {
    auto *F = llvm::Function::Create(Type, llvm::GlobalValue::ExternalLinkage,
                                     Name, Module);
    Builder.SetInsertPoint(llvm::BasicBlock::Create(Context, "", F));
    return F;
  };
  llvm::Function *Callee = begin("f");
  for (unsigned I = 0; I != 50'000; ++I)
    Builder.CreateLoad(Builder.getInt32Ty(), Callee->getArg(0), true);
  Builder.CreateCall(Callee, {Callee->getArg(0)});
  Builder.CreateRetVoid();
  llvm::Function *Kernel = begin("k");
  for (unsigned I = 0; I != 50'000; ++I)
    Builder.CreateCall(Callee, {Kernel->getArg(0)});
  Builder.CreateRetVoid();

  const std::vector<UnseenCode> Found = unseenCodeOf(*Kernel, {});
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].What, Kind::Recursion);
  EXPECT_EQ(Found[0].Alike, 49'999u);
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

// A function that is passed on is known by its name once what it is passed to
// is inlined: the load that it makes is seen, and strided.
TEST(UnseenCode, FunctionsThatArePassedOn) {
  const std::string Functions = R"(
__device__ float f(const float *p, int i) {
  return p[2 * i]; // load
}
using Function = float (*)(const float *, int);
template <Function F> __device__ float byTemplate(const float *p, int i) {
  return F(p, i);
}
__device__ float byPointer(Function F, const float *p, int i) {
  return F(p, i);
}
struct Holder {
  Function F;
  __device__ float operator()(const float *p, int i) const {
    return byPointer(F, p, i);
  }
};
template <class T> __device__ float byHolder(T H, const float *p, int i) {
  return H(p, i);
}
)";
  for (const char *Call :
       {"byTemplate<f>(a, t)", "byPointer(f, a, t)",
        "byHolder(Holder{f}, a, t)",
        "byHolder([](const float *p, int i) { return byPointer(f, p, i); }, a, "
        "t)"}) {
    SCOPED_TRACE(Call);
    const Evaluated E =
        evaluate(Functions +
                 "__global__ void k(float *o, const float *a) {\n"
                 "  int t = threadIdx.x;\n  o[t] = " +
                 Call + ";\n}\n");
    EXPECT_THAT(E.Unseen, IsEmpty());
    EXPECT_TRUE(costs(E.globalLoad("// load"), {8, 4}));
  }
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

/// What is told of a kernel with nothing but that asm statement.
static std::vector<std::string> toldOf(const std::string &Template) {
  std::vector<std::string> Names;
  for (const UnseenCode &Each :
       unseenIn("__global__ void k(float *o, float x) {\n  asm volatile(R\"(" +
                Template + ")\" :: \"l\"(o), \"f\"(x) : \"memory\");\n}"))
    Names.push_back(Each.Name);
  return Names;
}

TEST(UnseenCode, PtxBehindPredicatesLabelsAndComments) {
  const std::string Load = "ld.global.f32";
  for (const char *Template :
       {"@p ld.global.f32 r, [%0];", "@!%%p\tld.global.f32 r, [%0];",
        "{\n .reg .pred p;\n setp.ne.b32 p, 1, 0;\n"
        " @p ld.global.f32 r, [%0];\n}",
        "// one element\nld.global.f32 r, [%0];",
        "/* a; b */ ld.global.f32 r, [%0]; // done",
        "{ // ld.shared.f32 r;\n"
        "ld.global.f32 r, [%0]; }",
        "AGAIN: ld.global.f32 r, [%0];",
        "$L%=_1 : { @p ld.global.f32 r, [%0]; }",
        "bra AGAIN; L: M: ld.global.f32 r, [%0];",
        "ld.global.f32\tr,[%0];\nadd.f32 r, r, r;"})
    EXPECT_THAT(toldOf(Template), ElementsAre(Load)) << Template;
}

TEST(UnseenCode, PtxThatTouchesMemory) {
  for (const char *Mnemonic :
       {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
        "cp.async.bulk.global.shared::cta.bulk_group",
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32",
        "multimem.ld_reduce.global.add.f32", "multimem.red.global.add.f32",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
        "tcgen05.ld.sync.aligned.16x64b.x1.b32",
        "tcgen05.st.sync.aligned.16x64b.x1.b32",
        "tcgen05.cp.cta_group::1.128x256b",
        "tcgen05.mma.cta_group::1.kind::f16",
        "wmma.load.a.sync.aligned.row.m16n16k16.f16", "tex.2d.v4.f32.s32",
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32"})
    EXPECT_THAT(toldOf(std::string(Mnemonic) + " {a}, [b], c;"),
                ElementsAre(Mnemonic));
}

TEST(UnseenCode, PtxThatTouchesNoMemory) {
  for (const char *Template :
       {"cp.async.bulk.commit_group;",
        "cp.async.bulk.wait_group 0;",
        "cp.async.bulk.wait_group.read 0;",
        "cp.async.bulk.prefetch.L2.global [%0], 16;",
        "cp.async.commit_group;",
        "wgmma.fence.sync.aligned;",
        "wgmma.wait_group.sync.aligned 0;",
        "tcgen05.wait::ld.sync.aligned;",
        "// ld.global.f32 r, [%0];",
        "/* ld.global.f32 r, [%0];",
        "ld.param.u32 r, [a];",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {d}, {a}, {b}, {c};",
        "@p bra ld; ld: bar.sync 0;",
        "@",
        "@!",
        "@p",
        "ld:",
        ":",
        "{",
        "/",
        ""})
    EXPECT_THAT(toldOf(Template), IsEmpty()) << Template;
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
              HasSubstr("kernel 'k(int *)' and 3 more call 'f(int)', here"));
  Code = {.What = Kind::Instruction, .Name = "wmma.load", .Where = {}};
  EXPECT_THAT(describe(Code, "k()"),
              StartsWith("kernel 'k()' uses wmma.load:"));
  EXPECT_THAT(describe(Code, "k()", 1),
              StartsWith("kernel 'k()' and 1 more use wmma.load:"));
}

// An array of the thread is set in registers; one of the program is not.
TEST(UnseenCode, SetsOfPrivateArraysAreNone) {
  const std::string Body = R"(
  float sums[4][4] = {};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 4; ++j)
      sums[i & 3][j] += out[i * 512 + threadIdx.x];
  out[threadIdx.x] = sums[n & 3][1];
)";
  EXPECT_THAT(unseenIn("__global__ void k(float *out, int n) {" + Body + "}\n"),
              IsEmpty());
  EXPECT_THAT(unseenIn("__global__ void k(float *out, int n) {\n"
                       "  __builtin_memset(out + threadIdx.x, 0, 4096);\n" +
                       Body + "}\n"),
              ElementsAre(Field(&UnseenCode::Name, HasSubstr("memset"))));
}

} // namespace UnseenCodeTests
