//===- tests/unit/analyzer/ir/KernelStructureTests.cpp - Loops and order --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/WarpInterpreter.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gmock/gmock.h>

namespace KernelStructureTests {

using namespace cudalint;
using namespace llvm;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// The structure of the one function of a piece of IR.
class KernelStructureTest : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  const Function *F = nullptr;
  std::unique_ptr<KernelStructure> K;

  void read(const char *Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(Text, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str();
    F = &*M->begin();
    K = std::make_unique<KernelStructure>(*F);
  }
  const BasicBlock *block(StringRef Name) const {
    for (const BasicBlock &B : *F)
      if (B.getName() == Name)
        return &B;
    ADD_FAILURE() << "no block " << Name.str();
    return &F->getEntryBlock();
  }
  static std::vector<std::string> names(ArrayRef<const BasicBlock *> Blocks) {
    std::vector<std::string> R;
    for (const BasicBlock *B : Blocks)
      R.push_back(B->getName().str());
    return R;
  }
};

} // namespace

TEST_F(KernelStructureTest, Diamond) {
  read(R"(
define void @f(i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  ret void
})");
  EXPECT_EQ(K->topLevel().Loop, nullptr);
  EXPECT_EQ(K->topLevel().Items.size(), 4u);
  for (const char *Before : {"left", "right"}) {
    EXPECT_LT(K->order(block("entry")), K->order(block(Before)));
    EXPECT_LT(K->order(block(Before)), K->order(block("join")));
    EXPECT_EQ(K->sameLanesAs(block(Before)), nullptr);
  }
  // Whoever comes to the branch comes to the join.
  EXPECT_EQ(K->sameLanesAs(block("join")), block("entry"));
}

TEST_F(KernelStructureTest, EarlyReturnDoesNotJoin) {
  read(R"(
define void @f(i1 %c) {
entry:
  br i1 %c, label %gone, label %rest
gone:
  ret void
rest:
  ret void
})");
  EXPECT_EQ(K->sameLanesAs(block("rest")), nullptr);
}

static constexpr const char *Nest = R"(
define void @f(i32 %n, ptr %p) {
entry:
  %x = alloca i32
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  store i32 %j, ptr %x
  %j1 = add i32 %j, 1
  %cj = icmp slt i32 %j1, %n
  br i1 %cj, label %inner, label %latch
latch:
  store i32 %i, ptr %p
  %i1 = add i32 %i, 1
  %ci = icmp slt i32 %i1, %n
  br i1 %ci, label %outer, label %exit
exit:
  ret void
})";

TEST_F(KernelStructureTest, LoopsStandWhereTheirHeadersCome) {
  read(Nest);
  EXPECT_THAT(names(K->topLevel().Items),
              ElementsAre("entry", "outer", "exit"));
  const Loop *Outer = K->loopOf(block("latch"));
  const Loop *Inner = K->loopOf(block("inner"));
  ASSERT_TRUE(Outer && Inner);
  EXPECT_EQ(Inner->getParentLoop(), Outer);
  EXPECT_THAT(names(K->region(Outer).Items),
              ElementsAre("outer", "inner", "latch"));
  EXPECT_THAT(names(K->region(Inner).Items), ElementsAre("inner"));
}

TEST_F(KernelStructureTest, ExitsAndLatches) {
  read(Nest);
  const Region &Outer = K->region(K->loopOf(block("latch")));
  const Region &Inner = K->region(K->loopOf(block("inner")));
  EXPECT_THAT(Outer.Exits,
              ElementsAre(BlockEdge(block("latch"), block("exit"))));
  EXPECT_THAT(Outer.Latches,
              ElementsAre(BlockEdge(block("latch"), block("outer"))));
  EXPECT_THAT(Inner.Exits,
              ElementsAre(BlockEdge(block("inner"), block("latch"))));
  EXPECT_THAT(Inner.Latches,
              ElementsAre(BlockEdge(block("inner"), block("inner"))));
  EXPECT_THAT(K->topLevel().Exits, IsEmpty());
}

TEST_F(KernelStructureTest, AnEdgeOutOfBothLoopsIsAnExitOfBoth) {
  read(R"(
define void @f(i1 %c, i1 %d, i1 %e) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %out, label %back
back:
  br i1 %d, label %inner, label %latch
latch:
  br i1 %e, label %outer, label %out
out:
  ret void
})");
  const BlockEdge Both(block("inner"), block("out"));
  EXPECT_THAT(K->region(K->loopOf(block("inner"))).Exits,
              testing::Contains(Both));
  EXPECT_THAT(K->region(K->loopOf(block("latch"))).Exits,
              testing::Contains(Both));
}

// The inner loop writes a private variable, so the outer one does, too.
TEST_F(KernelStructureTest, StoresToPrivateVariables) {
  read(Nest);
  EXPECT_TRUE(K->region(K->loopOf(block("inner"))).StoresToLocals);
  EXPECT_TRUE(K->region(K->loopOf(block("latch"))).StoresToLocals);
  EXPECT_FALSE(K->topLevel().StoresToLocals);
}

TEST_F(KernelStructureTest, EveryValueHasItsNumber) {
  read(Nest);
  std::set<unsigned> Numbers;
  unsigned Values = 0;
  auto Add = [&](const Value &V) {
    ++Values;
    Numbers.insert(K->number(&V));
  };
  for (const Argument &A : F->args())
    Add(A);
  for (const Instruction &I : instructions(*F))
    if (!I.getType()->isVoidTy())
      Add(I);
  EXPECT_EQ(Numbers.size(), Values);
  EXPECT_EQ(K->valueCount(), Values);
  EXPECT_EQ(*Numbers.rbegin(), Values - 1);
}

TEST_F(KernelStructureTest, DepthOfAnInstruction) {
  read(Nest);
  EXPECT_EQ(loopDepth(*K, block("entry")->front()), 0u);
  EXPECT_EQ(loopDepth(*K, block("latch")->front()), 1u);
  EXPECT_EQ(loopDepth(*K, block("inner")->front()), 2u);
}

// Code that nobody reaches has no place, and a cycle with two ways in is no
// loop: neither may be stumbled over.
TEST_F(KernelStructureTest, UnreachableAndIrreducible) {
  read(R"(
define void @f(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %exit
b:
  br i1 %d, label %a, label %exit
dead:
  br label %exit
exit:
  ret void
})");
  EXPECT_EQ(K->loopOf(block("a")), nullptr);
  EXPECT_THAT(names(K->topLevel().Items), testing::SizeIs(4));
  EXPECT_EQ(K->order(block("dead")), 0u);
  LaneArithmetic Arithmetic;
  runWarp(*K, LaunchShape(), 0, 1000, Arithmetic, [](const Request &) {});
}

// `switch (x) { case 0: first; case 1: second; break; default: other; } last;`
TEST_F(KernelStructureTest, ACaseThatIsFallenIntoIsBeforeTheMeeting) {
  read(R"(
define void @k(i32 %x) {
entry:
  switch i32 %x, label %other [ i32 0, label %first i32 1, label %second ]
first:
  br label %second
second:
  br label %last
other:
  br label %last
last:
  fence seq_cst
  ret void
})");
  EXPECT_TRUE(K->isBeforeMeeting(block("second")));
  EXPECT_FALSE(K->isBeforeMeeting(block("first")));
  EXPECT_FALSE(K->isBeforeMeeting(block("last")));
}

// `if (x) { if (y) return; some; } all;`: who has left is not waited for.
TEST_F(KernelStructureTest, WhoReturnsMeetsNobody) {
  read(R"(
define void @k(i1 %x, i1 %y) {
entry:
  br i1 %x, label %if, label %all
if:
  br i1 %y, label %return, label %some
some:
  br label %all
all:
  fence seq_cst
  br label %return
return:
  ret void
})");
  EXPECT_FALSE(K->isBeforeMeeting(block("all")));
}

// `for (;;) { if (x) continue; if (y) break; some; }`: nor who leaves the loop.
TEST_F(KernelStructureTest, WhoBreaksMeetsNobodyInTheLoop) {
  read(R"(
define void @k(i1 %x, i1 %y) {
entry:
  br label %head
head:
  br i1 %x, label %latch, label %check
check:
  br i1 %y, label %out, label %some
some:
  br label %latch
latch:
  br label %head
out:
  ret void
})");
  EXPECT_FALSE(K->isBeforeMeeting(block("latch")));
}

// `if (x || y) some; all;`, of which y is looked at in a block of its own.
TEST_F(KernelStructureTest, ABranchWithTwoConditionsIsBeforeTheMeeting) {
  read(R"(
define void @k(i1 %x, i1 %y) {
entry:
  br i1 %x, label %some, label %check
check:
  br i1 %y, label %some, label %all
some:
  br label %all
all:
  fence seq_cst
  ret void
})");
  EXPECT_TRUE(K->isBeforeMeeting(block("some")));
  EXPECT_FALSE(K->isBeforeMeeting(block("all")));
}

} // namespace KernelStructureTests
