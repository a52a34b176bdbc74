//===- tests/unit/analyzer/frontend/DeviceFunctionsTests.cpp - Tests ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/DeviceFunctions.h"

#include "analyzer/frontend/UserFunctions.h"
#include "tests/mock/MockCuda.h"
#include "tests/unit/analyzer/frontend/Parsing.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <gtest/gtest.h>

#include <set>

namespace cudalint::test::DeviceFunctionsTests {

/// Calls \p Read with the tree of \p Code.
static void withTree(const std::string &Code,
                     const std::function<void(clang::ASTContext &)> &Read) {
  llvm::LLVMContext Context;
  parseFile("input.cu",
            {{.StandInHeader = mockCuda()}, {}, {{"input.cu", Code}}}, Context,
            [&](clang::ASTContext &AST, auto &) { Read(AST); });
}

/// Names of what runs there, and of what may.
static std::multiset<std::string> onDevice(const std::string &Code,
                                           bool ForBoth = false) {
  std::multiset<std::string> Names;
  withTree(Code, [&](clang::ASTContext &AST) {
    const DeviceFunctions Found = deviceFunctions(AST);
    for (const clang::FunctionDecl *F : ForBoth ? Found.ForBoth : Found.Reached)
      Names.insert(plainName(*F));
  });
  return Names;
}

using Names = std::multiset<std::string>;

TEST(DeviceFunctions, WhatIsMadeForTheDevice) {
  EXPECT_EQ(onDevice("__global__ void k() {}\n__device__ void d() {}\n"
                     "void host() { k<<<1, 1>>>(); }\n"
                     "__host__ void alsoHost() {}\n__device__ void seen();\n"),
            (Names{"k", "d"}));
}

// What is used at all may be used by a kernel: what calls a virtual function, a
// destructor or a functor, or goes through a pointer, is not followed.
TEST(DeviceFunctions, OfNoKernel) {
  const std::string Code =
      "struct S { __device__ virtual void v() {} __device__ ~S() {} };\n"
      "__device__ void inner() {}\n"
      "__device__ void unused() { inner(); }\n"
      "struct F { __device__ void operator()() const {} };\n"
      "__device__ void inTable() {}\n"
      "__device__ void (*Table[])() = {inTable};\n"
      "__device__ void used() {}\n";
  const auto idle = [](const std::string &Text) {
    Names Found;
    withTree(Text, [&](clang::ASTContext &AST) {
      const DeviceFunctions All = deviceFunctions(AST);
      for (std::size_t I = 0; I != All.Reached.size(); ++I)
        if (isOfNoKernel(All, I))
          Found.insert(plainName(*All.Reached[I]));
    });
    return Found;
  };
  EXPECT_EQ(idle(Code + "__global__ void k() { used(); }\n"), Names{"unused"});
  // A library of functions: its kernels are elsewhere.
  EXPECT_EQ(idle(Code), Names{});
}

// A header offers more than each of those need who include it.
TEST(DeviceFunctions, UnusedOfHeaders) {
  const std::string Header =
      "struct S { __device__ virtual void v() {} };\n"
      "struct F { __device__ void operator()() const {} };\n"
      "__device__ void inTable() {}\n"
      "__device__ void (*Table[])() = {inTable};\n"
      "__host__ __device__ void inner() {}\n"
      "__device__ void outer() { inner(); }\n"
      "__global__ void unlaunched() {}\n";
  const auto unused = [&](const std::string &Code) {
    Names Found;
    llvm::LLVMContext Context;
    parseFile("input.cu",
              {{.StandInHeader = mockCuda()},
               {},
               {{"input.cu", "#include \"h.h\"\n" + Code}, {"h.h", Header}}},
              Context, [&](clang::ASTContext &AST, auto &) {
                for (const auto *F : deviceFunctions(AST).UnusedOfHeaders)
                  Found.insert(plainName(*F));
              });
    return Found;
  };
  EXPECT_EQ(unused("void host() { inner(); }\n"), (Names{"inner", "outer"}));
  EXPECT_EQ(unused("__global__ void k() { inner(); }\n"), Names{"outer"});
  EXPECT_EQ(unused("__device__ void d() { outer(); }\n"), Names{});
  EXPECT_EQ(unused("void host() { auto f = [] __device__() { outer(); }; }\n"),
            Names{});
}

TEST(DeviceFunctions, ForBothSidesByTheirUsers) {
  const std::string Code = "__host__ __device__ void inner() {}\n"
                           "__host__ __device__ void outer() { inner(); }\n"
                           "void host() { outer(); }\n";
  EXPECT_EQ(onDevice(Code), Names{});
  EXPECT_EQ(onDevice(Code, /*ForBoth=*/true), (Names{"inner", "outer"}));
  const std::string Kernel = "__global__ void k() { inner(); }\n";
  EXPECT_EQ(onDevice(Code + Kernel), (Names{"inner", "k"}));
  EXPECT_EQ(onDevice(Code + Kernel, /*ForBoth=*/true), Names{"outer"});
}

TEST(DeviceFunctions, WhatTheyUse) {
  EXPECT_EQ(onDevice("constexpr int unsaid() { return 1; }\n"
                     "constexpr int ofHost() { return 2; }\n"
                     "struct Maker { __host__ __device__ Maker() {} };\n"
                     "__global__ void k(int *p) { Maker m; *p = unsaid(); }\n"
                     "int host() { return ofHost(); }\n"),
            (Names{"Maker::Maker", "k", "unsaid"}));
}

TEST(DeviceFunctions, Lambdas) {
  EXPECT_EQ(onDevice("template <class F> __global__ void k(F f) { f(); }\n"
                     "void host() { auto f = [] __device__() {};\n"
                     "  auto g = [] {};\n  g();\n  k<<<1, 1>>>(f); }\n")
                .size(),
            2U);
}

TEST(DeviceFunctions, InstantiationsAndNoTemplates) {
  EXPECT_EQ(onDevice("template <int N> __device__ int f() { return N; }\n"
                     "template <int N> __device__ int g() { return N; }\n"
                     "__global__ void k(int *p) { *p = f<1>() + f<2>(); }\n"),
            (Names{"f", "f", "k"}));
}

TEST(DeviceFunctions, WhatIsOfATemplate) {
  std::set<std::string> Of, Not;
  withTree("template <class T> struct S { __device__ void member() {} };\n"
           "template <class T> __device__ void function() {\n"
           "  struct Local { __device__ void local() {} };\n"
           "  Local().local();\n}\n"
           "template <> struct S<float> { __device__ void own() {} };\n"
           "__global__ void k() {\n"
           "  S<int>().member(); S<float>().own(); function<int>();\n}\n",
           [&](clang::ASTContext &AST) {
             for (const clang::FunctionDecl *F : deviceFunctions(AST).Reached)
               (isOfTemplate(*F) ? Of : Not).insert(F->getNameAsString());
           });
  EXPECT_EQ(Of, (std::set<std::string>{"function", "local", "member"}));
  EXPECT_EQ(Not, (std::set<std::string>{"k", "own"}));
}

// Defaults may have others, twice each: that would be many.
TEST(DeviceFunctions, ADefaultIsVisitedOnce) {
  unsigned Times = 0;
  withTree("__device__ int f(int a = 7) { return a; }\n"
           "__device__ int g(int a = f(), int b = f()) { return a + b; }\n"
           "__global__ void k(int *p) { *p = g() + g(); }\n",
           [&](clang::ASTContext &AST) {
             for (const clang::FunctionDecl *F : deviceFunctions(AST).Reached)
               forEachThatRuns(AST, *F, [&](const clang::Stmt &S) {
                 Times += llvm::isa<clang::IntegerLiteral>(S);
               });
           });
  EXPECT_EQ(Times, 1U);
}

static std::set<uint64_t> numbersThatRun(const std::string &Code) {
  std::set<uint64_t> Numbers;
  withTree(Code, [&](clang::ASTContext &AST) {
    for (const clang::FunctionDecl *F : deviceFunctions(AST).Reached)
      forEachThatRuns(AST, *F, [&](const clang::Stmt &S) {
        if (const auto *L = llvm::dyn_cast<clang::IntegerLiteral>(&S))
          Numbers.insert(L->getValue().getZExtValue());
      });
  });
  return Numbers;
}

// They stand elsewhere, and run here.
TEST(DeviceFunctions, InitializersAndDefaults) {
  EXPECT_EQ(numbersThatRun("struct S {\n  int a = 10, b;\n"
                           "  __device__ S() : b(11) {}\n};\n"
                           "__device__ void f(int n = 12) {}\n"
                           "__global__ void k() { S s; f(); }\n"),
            (std::set<uint64_t>{10, 11, 12}));
}

TEST(DeviceFunctions, WhatCanRun) {
  const std::set<uint64_t> Numbers =
      numbersThatRun("template <int N> __device__ void f(int *p) {\n"
                     "  if constexpr (N == 2) *p = 10; else *p = 11;\n"
                     "  if (N > 5) *p = 20;\n"
                     "  if (*p) *p = 30; else *p = 31;\n"
                     "  *p = sizeof(40 + 1L);\n}\n"
                     "__global__ void k(int *p) { f<2>(p); }\n");
  for (const uint64_t Runs : {10, 30, 31})
    EXPECT_TRUE(Numbers.contains(Runs)) << Runs;
  for (const uint64_t Never : {11, 20, 40})
    EXPECT_FALSE(Numbers.contains(Never)) << Never;
}

} // namespace cudalint::test::DeviceFunctionsTests
