//===- tests/unit/analyzer/ir/RemainderBranchesTests.cpp - Left over ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RemainderBranches.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gmock/gmock.h>

namespace RemainderBranchesTests {

using namespace cudalint;
using namespace llvm;

namespace {
/// How many values the distance has on the way between two blocks of a piece of
/// IR; 0: it is not told.
class RemainderBranchesTest : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  RemainderBranches Found;

  void read(const std::string &Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(Text, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str();
    Function &F = *M->begin();
    Found = findRemainderBranches(F, DominatorTree(F));
  }
  std::int64_t on(StringRef From, StringRef To) const {
    return found(From, To).Values;
  }
  /// Other comparisons one of which may be so instead.
  std::size_t others(StringRef From, StringRef To) const {
    return found(From, To).Or.size();
  }

private:
  Remainder found(StringRef From, StringRef To) const {
    const auto block = [&](StringRef Name) -> const BasicBlock * {
      for (const BasicBlock &B : *M->begin())
        if (B.getName() == Name)
          return &B;
      return nullptr;
    };
    return Found.lookup({block(From), block(To)});
  }
};
} // namespace

/// while (i < n) { if (Condition) wide; else rest; i += 64; }
static std::string loop(const std::string &Condition) {
  return "define void @f(i32 %n, i32 %start, i32 %m) {\n"
         "entry:\n  br label %head\n"
         "head:\n  %i = phi i32 [%start, %entry], [%next, %latch]\n"
         "  %more = icmp slt i32 %i, %n\n"
         "  br i1 %more, label %body, label %exit\n"
         "body:\n" +
         Condition +
         "  br i1 %c, label %wide, label %rest\n"
         "wide:\n  br label %latch\nrest:\n  br label %latch\n"
         "latch:\n  %next = add i32 %i, 64\n  br label %head\n"
         "exit:\n  ret void\n}\n";
}

TEST_F(RemainderBranchesTest, WhatIsLeftInALoop) {
  // n - i >= 8, else 1 to 7.
  read(loop("  %left = sub i32 %n, %i\n  %c = icmp sgt i32 %left, 7\n"));
  EXPECT_EQ(on("body", "rest"), 7);
  EXPECT_EQ(on("body", "wide"), 0);
  EXPECT_EQ(on("head", "body"), 0);
  EXPECT_EQ(on("head", "exit"), 0);
  // The same by another comparison: i + 8 <= n.
  read(loop("  %e = add i32 %i, 8\n  %c = icmp sle i32 %e, %n\n"));
  EXPECT_EQ(on("body", "rest"), 7);
  // And with what is compared in 64 bits.
  read(loop("  %w = sext i32 %i to i64\n  %v = sext i32 %n to i64\n"
            "  %e = add i64 %w, 3\n  %c = icmp slt i64 %e, %v\n"));
  EXPECT_EQ(on("body", "rest"), 3);
}

TEST_F(RemainderBranchesTest, NothingOfOtherBounds) {
  read(loop("  %left = sub i32 %m, %i\n  %c = icmp sgt i32 %left, 7\n"));
  EXPECT_EQ(on("body", "rest"), 0);
  // From 8 on there is no end.
  read(loop("  %left = sub i32 %n, %i\n  %c = icmp slt i32 %left, 8\n"));
  EXPECT_EQ(on("body", "wide"), 7);
  EXPECT_EQ(on("body", "rest"), 0);
}

// x = i + j * 8: x + 8 < n, else in a loop x + k < n.
TEST_F(RemainderBranchesTest, SumsInAnyOrder) {
  read(R"(
define void @f(i32 %i, i32 %j, i32 %n) {
entry:
  %a = or disjoint i32 %i, 8
  %b = add nsw i32 %a, %j
  %c = icmp slt i32 %b, %n
  br i1 %c, label %wide, label %before
wide:
  ret void
before:
  %x = add nsw i32 %j, %i
  br label %head
head:
  %k = phi i32 [0, %before], [%next, %latch]
  %more = icmp slt i32 %k, 8
  br i1 %more, label %body, label %exit
body:
  %y = or disjoint i32 %x, %k
  %d = icmp slt i32 %y, %n
  br i1 %d, label %inside, label %outside
inside:
  br label %latch
outside:
  br label %latch
latch:
  %next = add i32 %k, 1
  br label %head
exit:
  ret void
}
)");
  EXPECT_EQ(on("body", "inside"), 8);
  EXPECT_EQ(on("body", "outside"), 0);
}

// if (x >= 4 && x + 7 < n) inside; else if (x < n) border.
static std::string border(const std::string &Condition) {
  return R"(
define void @f(i32 %x, i32 %y, i32 %n, i32 %m) {
entry:
  %a = icmp sgt i32 %x, 3
  %e = add nsw i32 %x, 7
)" + Condition +
         R"(
inside:
  ret void
other:
  %d = icmp slt i32 %x, %n
  br i1 %d, label %border, label %exit
border:
  %use = add i32 %x, %y
  ret void
exit:
  ret void
}
)";
}

TEST_F(RemainderBranchesTest, BordersOnEitherSide) {
  read(border("  %b = icmp slt i32 %e, %n\n"
              "  %c = select i1 %a, i1 %b, i1 false\n"
              "  br i1 %c, label %inside, label %other"));
  EXPECT_EQ(on("other", "border"), 7);
  EXPECT_EQ(others("other", "border"), 1);
  EXPECT_EQ(on("entry", "other"), 0);
  EXPECT_EQ(on("other", "exit"), 0);
  read(border("  br i1 %a, label %more, label %other\n"
              "more:\n"
              "  %b = icmp slt i32 %e, %n\n"
              "  br i1 %b, label %inside, label %other"));
  EXPECT_EQ(on("other", "border"), 7);
  EXPECT_EQ(others("other", "border"), 1);
  // By rows as well, whole warps may go there; that is asked for in the run.
  read(border("  %b = icmp slt i32 %e, %n\n"
              "  %r = icmp sgt i32 %y, 0\n"
              "  %f = select i1 %a, i1 %b, i1 false\n"
              "  %c = select i1 %f, i1 %r, i1 false\n"
              "  br i1 %c, label %inside, label %other"));
  EXPECT_EQ(others("other", "border"), 2);
  // Of another bound, or anything else that is no comparison, nothing is known.
  read(border("  %b = icmp slt i32 %e, %m\n"
              "  %c = select i1 %a, i1 %b, i1 false\n"
              "  br i1 %c, label %inside, label %other"));
  EXPECT_EQ(on("other", "border"), 0);
  read(border("  %b = icmp slt i32 %e, %n\n"
              "  %g = trunc i32 %m to i1\n"
              "  %f = select i1 %a, i1 %b, i1 false\n"
              "  %c = select i1 %f, i1 %g, i1 false\n"
              "  br i1 %c, label %inside, label %other"));
  EXPECT_EQ(on("other", "border"), 0);
}

// if (expected(i + 1 < n)) ...; else if (i < n) ...
TEST_F(RemainderBranchesTest, WhatIsExpected) {
  read(R"(
define void @f(i32 %i, i32 %n) {
entry:
  %e = add i32 %i, 1
  %a = icmp slt i32 %e, %n
  %w = zext i1 %a to i64
  %x = call i64 @llvm.expect.i64(i64 %w, i64 1)
  %not = icmp eq i64 %x, 0
  br i1 %not, label %rest, label %all
rest:
  %b = icmp slt i32 %i, %n
  br i1 %b, label %few, label %all
few:
  ret void
all:
  ret void
}
declare i64 @llvm.expect.i64(i64, i64)
)");
  EXPECT_EQ(on("rest", "few"), 1);
  EXPECT_EQ(on("rest", "all"), 0);
}

// Of all threads of a row, one has the number m.
TEST_F(RemainderBranchesTest, WhatIsEqual) {
  const std::string Thread =
      "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
  const std::string Declared = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
  read(loop(Thread + "  %c = icmp eq i32 %t, %m\n") + Declared);
  EXPECT_EQ(on("body", "wide"), 1);
  EXPECT_EQ(on("body", "rest"), 0);
  read(loop(Thread + "  %c = icmp ne i32 %t, %m\n") + Declared);
  EXPECT_EQ(on("body", "rest"), 1);
  EXPECT_EQ(on("body", "wide"), 0);
  // m + t == n, and the same of t % 32.
  read(loop(Thread + "  %s = add i32 %m, %t\n"
                     "  %c = icmp eq i32 %s, %n\n") +
       Declared);
  EXPECT_EQ(on("body", "wide"), 1);
  read(loop(Thread + "  %lane = and i32 %t, 31\n"
                     "  %c = icmp eq i32 %lane, %m\n") +
       Declared);
  EXPECT_EQ(on("body", "wide"), 1);
  // t / 8 == m: lanes that share a value go there together.
  read(loop(Thread + "  %eighth = lshr i32 %t, 3\n"
                     "  %c = icmp eq i32 %eighth, %m\n") +
       Declared);
  EXPECT_EQ(on("body", "wide"), 1);
  // t / 8 + m == 5.
  read(loop(Thread + "  %eighth = lshr i32 %t, 3\n"
                     "  %s = add i32 %eighth, %m\n"
                     "  %c = icmp eq i32 %s, 5\n") +
       Declared);
  EXPECT_EQ(on("body", "wide"), 1);
  // A counter of which nobody knows in which lanes it differs.
  read(loop("  %c = icmp eq i32 %i, %m\n"));
  EXPECT_EQ(on("body", "wide"), 0);
}

// Of unsigned numbers, one comparison says both: i - m < 8.
TEST_F(RemainderBranchesTest, FromZeroOn) {
  read(loop("  %d = sub i32 %i, %m\n  %c = icmp ult i32 %d, 8\n"));
  EXPECT_EQ(on("body", "wide"), 8);
  EXPECT_EQ(on("body", "rest"), 0);
  read(loop("  %d = sub i32 %i, %m\n  %e = add i32 %d, 3\n"
            "  %c = icmp ule i32 %e, 8\n"));
  EXPECT_EQ(on("body", "wide"), 9);
  read(loop("  %d = sub i32 %i, %m\n  %c = icmp slt i32 %d, 8\n"));
  EXPECT_EQ(on("body", "wide"), 0);
}

TEST_F(RemainderBranchesTest, NothingOfWhatMayWrap) {
  // Of unsigned numbers, n - i > 7 also where i is the larger one.
  read(R"(
define void @f(i32 %i, i32 %n) {
entry:
  %left = sub i32 %n, %i
  %a = icmp ugt i32 %left, 7
  br i1 %a, label %many, label %exit
many:
  %e = add i32 %i, 10
  %b = icmp sgt i32 %e, %n
  br i1 %b, label %few, label %exit
few:
  ret void
exit:
  ret void
}
)");
  EXPECT_EQ(on("many", "few"), 0);
  // The low byte of a number is another one.
  read(loop("  %t = trunc i32 %i to i8\n  %w = zext i8 %t to i32\n"
            "  %e = add i32 %w, 8\n  %c = icmp sle i32 %e, %n\n"));
  EXPECT_EQ(on("body", "rest"), 0);
}

// if (i + 3 < n) ...; else for (; i < n; ++i) ...
TEST_F(RemainderBranchesTest, WhatIsLeftOfOnePiece) {
  read(R"(
define void @f(i32 %i, i32 %n) {
entry:
  %e = add i32 %i, 3
  %c = icmp slt i32 %e, %n
  br i1 %c, label %wide, label %head
wide:
  ret void
head:
  %j = phi i32 [%i, %entry], [%next, %body]
  %more = icmp slt i32 %j, %n
  br i1 %more, label %body, label %exit
body:
  %next = add i32 %j, 1
  br label %head
exit:
  ret void
}
)");
  EXPECT_EQ(on("head", "body"), 3);
  EXPECT_EQ(on("entry", "head"), 0);
  EXPECT_EQ(on("head", "exit"), 0);
}

TEST_F(RemainderBranchesTest, ConditionsTogether) {
  // i < n && i + 2 >= n: one of two.
  read(R"(
define void @f(i32 %i, i32 %n) {
entry:
  %a = icmp slt i32 %i, %n
  %e = add i32 %i, 2
  %b = icmp sge i32 %e, %n
  %c = and i1 %a, %b
  br i1 %c, label %few, label %all
few:
  ret void
all:
  ret void
}
)");
  EXPECT_EQ(on("entry", "few"), 2);
  EXPECT_EQ(on("entry", "all"), 0);
}

} // namespace RemainderBranchesTests
