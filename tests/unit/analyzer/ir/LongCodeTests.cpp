//===- tests/unit/analyzer/ir/LongCodeTests.cpp - What generators write ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/LongCode.h"
#include "tests/unit/analyzer/ir/Evaluation.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <gmock/gmock.h>

namespace LongCodeTests {

using namespace cudalint;
using namespace llvm;
using testing::ElementsAre;

namespace {

/// The one function of a piece of IR, and passes run over it.
class LongCodeTest : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  Function *F = nullptr;

  void read(const std::string &Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(Text, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str();
    F = M->getFunction("f");
  }
  template <typename Pass> void run() {
    FunctionAnalysisManager Analyses;
    Pass().run(*F, Analyses);
    ASSERT_FALSE(verifyFunction(*F, &errs()));
  }
  template <typename Kind> std::size_t count() const {
    return static_cast<std::size_t>(llvm::count_if(
        instructions(*F), [](Instruction &I) { return isa<Kind>(I); }));
  }
  unsigned mostUses() const {
    unsigned Most = 0;
    for (Instruction &I : instructions(*F))
      Most = std::max(Most, I.getNumUses());
    return Most;
  }
};

} // namespace

/// `i` is used `Count` times, by additions that are all stored.
static std::string crowded(unsigned Count) {
  std::string Text = "define void @f(i32 %t, ptr %p) {\n%i = mul i32 %t, 3\n";
  for (unsigned K = 0; K < Count; ++K) {
    const std::string Sum = "%s" + std::to_string(K);
    Text += Sum + " = add i32 %i, " + std::to_string(K + 1) +
            "\nstore volatile i32 " + Sum + ", ptr %p\n";
  }
  return Text + "ret void\n}\n";
}

TEST_F(LongCodeTest, CopiesShareTheUsers) {
  read(crowded(1000));
  ASSERT_EQ(mostUses(), 1000u);
  run<CopyCrowdedValues>();
  EXPECT_LE(mostUses(), 128u);
  EXPECT_EQ(count<CallInst>(), 8u); // 1000 / 128, rounded up
}

TEST_F(LongCodeTest, CopiesAreGoneAfterwards) {
  read(crowded(1000));
  run<CopyCrowdedValues>();
  run<DropCopies>();
  dropCopyFunctions(*M);
  EXPECT_EQ(mostUses(), 1000u);
  EXPECT_EQ(count<CallInst>(), 0u);
  EXPECT_EQ(M->size(), 1u);
}

TEST_F(LongCodeTest, WhatPeopleWriteIsLeftAlone) {
  read(crowded(256));
  run<CopyCrowdedValues>();
  EXPECT_EQ(count<CallInst>(), 0u);
}

/// A kernel of `Accesses` stores to memory, besides a store and a load of a
/// variable of its own and the load of a member of its parameter.
static std::string kernel(unsigned Accesses) {
  std::string Text = "define ptx_kernel void @f(ptr byval({i32}) %s, ptr %p) {"
                     "\n%x = alloca i32\n%m = load i32, ptr %s\n"
                     "store i32 %m, ptr %x\n%v = load i32, ptr %x\n";
  for (unsigned K = 0; K < Accesses; ++K)
    Text += "store volatile i32 %v, ptr %p\n";
  return Text + "ret void\n}\n";
}

TEST_F(LongCodeTest, TooLongKernelsAreLeftOut) {
  ModuleAnalysisManager Analyses;
  read(kernel(10));
  markAccesses(*M);
  LeaveOutLongKernels(10).run(*M, Analyses);
  EXPECT_EQ(count<StoreInst>(), 11u);
  EXPECT_EQ(accessesLeftOut(*F), std::nullopt);
  EXPECT_EQ(findKernel(*M, "f"), F);

  read(kernel(11));
  markAccesses(*M);
  LeaveOutLongKernels(10).run(*M, Analyses);
  ASSERT_FALSE(verifyModule(*M, &errs()));
  EXPECT_EQ(count<StoreInst>(), 0u);
  EXPECT_EQ(accessesLeftOut(*F), 11u);
  EXPECT_EQ(findKernel(*M, "f"), nullptr);
}

TEST_F(LongCodeTest, FunctionsAreNoKernels) {
  ModuleAnalysisManager Analyses;
  read(crowded(20));
  markAccesses(*M);
  LeaveOutLongKernels(10).run(*M, Analyses);
  EXPECT_EQ(count<StoreInst>(), 20u);
  EXPECT_EQ(accessesLeftOut(*F), std::nullopt);
}

/// The same statement in a short kernel and in a long one costs the same.
TEST(LongCode, LengthChangesNoNumber) {
  auto Kernel = [](unsigned Count) {
    std::string S = "__global__ void k(float *o, const float *a, int n) {\n"
                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
    for (unsigned K = 0; K < Count; ++K)
      S += "  o[i * 2 + " + std::to_string(K) + "] = a[i + n + " +
           std::to_string(K) + "];\n";
    return S + "}\n";
  };
  const Evaluated Short = evaluate(Kernel(2)), Long = evaluate(Kernel(800));
  auto CostsOf = [](const Evaluated &E, AccessOp Op, std::size_t Count) {
    std::vector<std::pair<double, double>> Costs;
    for (const Access &A : E.all(MemorySpace::Global, Op)) {
      if (A.Predicted && Costs.size() < Count)
        Costs.emplace_back(A.Predicted->PerRequest, A.Predicted->Ideal);
    }
    return Costs;
  };
  for (AccessOp Op : {AccessOp::Load, AccessOp::Store}) {
    EXPECT_EQ(Long.all(MemorySpace::Global, Op).size(), 800u);
    EXPECT_EQ(CostsOf(Short, Op, 2), CostsOf(Long, Op, 2));
    EXPECT_EQ(CostsOf(Long, Op, 800).size(), 800u);
  }
}

} // namespace LongCodeTests
