//===- tests/unit/analyzer/ir/NeededCodeTests.cpp - What is computed ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which instructions a run computes, which of them a trial of a turn, and what
/// the ways through a loop depend on, that are not asked for twice.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KernelStructure.h"
#include "tests/unit/analyzer/ir/Evaluation.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gmock/gmock.h>

#include <functional>

namespace NeededCodeTests {

using namespace cudalint;
using namespace llvm;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

class NeededCodeTest : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  const Function *F = nullptr;
  std::unique_ptr<KernelStructure> K;

  void read(const std::string &Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(Text, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str();
    F = M->getFunction("f");
    K = std::make_unique<KernelStructure>(*F);
  }
  const Instruction &named(StringRef Name) const {
    for (const Instruction &I : instructions(*F))
      if (I.getName() == Name)
        return I;
    ADD_FAILURE() << "no instruction " << Name.str();
    return F->getEntryBlock().front();
  }
  /// The stores that run, by what they store.
  std::vector<std::string> storesRun() const {
    std::vector<std::string> R;
    for (const Instruction &I : instructions(*F))
      if (auto *Store = dyn_cast<StoreInst>(&I); Store && K->isNeeded(I))
        R.push_back(Store->getValueOperand()->getName().str());
    return R;
  }
  std::optional<std::vector<std::string>> sourcesOfLoop(StringRef Of) const {
    const auto &Sources =
        K->region(K->loopOf(named(Of).getParent())).SourcesOfWays;
    if (!Sources)
      return std::nullopt;
    std::vector<std::string> R;
    for (const Instruction *I : *Sources)
      R.push_back(I->getName().str());
    return R;
  }
};

} // namespace

// An index that is kept in a private array is read back; what only data is kept
// in is not looked at.
TEST_F(NeededCodeTest, StoresOfWhatIsReadBack) {
  read(R"(
define void @f(ptr addrspace(1) %p, i32 %i, i32 %n, float %x) {
  %indices = alloca [4 x i32]
  %sums = alloca [4 x float]
  %j = add i32 %i, 7
  %at = getelementptr i32, ptr %indices, i32 %n
  store i32 %j, ptr %at
  %y = fadd float %x, 1.0
  %into = getelementptr float, ptr %sums, i32 %n
  store float %y, ptr %into
  %k = load i32, ptr %indices
  %z = load float, ptr %sums
  %to = getelementptr float, ptr addrspace(1) %p, i32 %k
  %test = icmp slt i32 %k, %n
  br i1 %test, label %then, label %end
then:
  store float %z, ptr addrspace(1) %to
  br label %end
end:
  ret void
})");
  EXPECT_THAT(storesRun(), UnorderedElementsAre("j"));
  EXPECT_TRUE(K->isNeeded(named("j")));
  EXPECT_FALSE(K->isNeeded(named("y")));
}

/// A condition on what `%q` of `Pointer` leads to, behind stores to two
/// private variables.
static std::string twoVariables(const std::string &Pointer) {
  return R"(
define void @f(ptr %p, i64 %n, i32 %i) {
  %known = alloca i32
  %apart = alloca i32
  %j = add i32 %i, 7
  store i32 %j, ptr %known
  %k = add i32 %i, 8
  store i32 %k, ptr %apart
  )" + Pointer +
         R"(
  %m = load i32, ptr %q
  %test = icmp slt i32 %m, 5
  br i1 %test, label %then, label %end
then:
  br label %end
end:
  ret void
})";
}

// A pointer that was loaded may lead to a variable whose address is in memory;
// one that was not followed to its end, to any.
TEST_F(NeededCodeTest, VariablesThatPointersMayLeadTo) {
  read(twoVariables("%q = load ptr, ptr %p"));
  EXPECT_THAT(storesRun(), IsEmpty());
  read(twoVariables("store ptr %known, ptr %p\n  %q = load ptr, ptr %p"));
  EXPECT_THAT(storesRun(), UnorderedElementsAre("j"));
  read(twoVariables("%q = inttoptr i64 %n to ptr"));
  EXPECT_THAT(storesRun(), UnorderedElementsAre("j", "k"));
}

/// A loop in another one; `Inside` is in the inner one, `Behind` behind it, and
/// the inner one ends where its counter is `Bound`.
static std::string nest(const std::string &Bound,
                        const std::string &Inside = {},
                        const std::string &Behind = {}) {
  return R"(
declare void @writes(ptr)
declare i32 @shfl(i32) convergent nounwind memory(none)
define void @f(i32 %n, ptr addrspace(1) %p) {
entry:
  %x = alloca i32
  %three = add i32 %n, 3
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %twice = mul i32 %i, 2
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %j1 = add i32 %j, 1
  )" + Inside +
         "\n  %cj = icmp slt i32 %j1, " + Bound + R"(
  br i1 %cj, label %inner, label %latch
latch:
  )" + Behind +
         R"(
  %i1 = add i32 %i, 1
  %ci = icmp slt i32 %i1, %n
  br i1 %ci, label %outer, label %exit
exit:
  ret void
})";
}

// Of what is outside of all loops, there is but one value in a run.
TEST_F(NeededCodeTest, NothingThatTurnsOfOthersChange) {
  for (const char *Bound : {"8", "%n", "%three"}) {
    read(nest(Bound));
    EXPECT_THAT(sourcesOfLoop("j"), testing::Optional(IsEmpty())) << Bound;
  }
  // Nobody tries the turns of a loop around the outermost one.
  EXPECT_EQ(sourcesOfLoop("i"), std::nullopt);
}

TEST_F(NeededCodeTest, AllThatABoundIsComputedFrom) {
  read(nest("%twice"));
  EXPECT_THAT(sourcesOfLoop("j"),
              testing::Optional(UnorderedElementsAre("twice", "i", "i1")));
}

TEST_F(NeededCodeTest, WaysThatMoreThanTheirSourcesDecides) {
  for (const auto &[Inside, Behind] :
       std::initializer_list<std::pair<const char *, const char *>>{
           // A private variable that the outer loop may have changed.
           {"%bound = load i32, ptr %x", ""},
           // All private variables are something else afterwards.
           {"%bound = add i32 %n, 1\n  call void @writes(ptr %x)", ""},
           // Other lanes' values.
           {"%bound = call i32 @shfl(i32 %j)", ""},
           // Used behind the loop, as it was in the last turn.
           {"%bound = add i32 %n, %j",
            "switch i32 %bound, label %more [ i32 1, label %exit ]\nmore:"}}) {
    std::string Text = nest("%bound", Inside, Behind);
    if (*Behind)
      Text.replace(Text.find("[ %i1, %latch ]"), 15, "[ %i1, %more ]");
    read(Text);
    EXPECT_EQ(sourcesOfLoop("j"), std::nullopt) << Inside << "; " << Behind;
  }
}

// In the first turns the inner loop is never left early, in others it is: no
// multiple of 32 bytes is known of `off`.
TEST(LoopPassages, OtherWaysInOtherTurns) {
  const Evaluated E = evaluate(R"(
__global__ void k(float *o, int *p, int n) {
  int t = threadIdx.x, off = 0;
  for (int i = 0; i < n; ++i) {
    o[t + off] = 1;
    for (int j = 0; j < n; ++j) {
      if (i > 5) {
        off += 1;
        break;
      }
      p[j] = i;
    }
  }
})");
  const Access A = E.globalStore("o[t");
  EXPECT_NE(A.Trust, Certainty::Exact);
  if (A.Predicted) {
    EXPECT_GT(A.Predicted->PerRequest, 4);
  }
}

/// `x += a[...]` in so many loops, one in the other, whose counters go on as
/// `Next` says.
static std::string
deepNest(unsigned Depth,
         const std::function<std::string(const std::string &)> &Next) {
  std::string Loops, Index = "t";
  for (unsigned D = 0; D < Depth; ++D) {
    const std::string I = "i" + std::to_string(D);
    Loops += "for (int " + I + " = 1; " + I + " < n; " + Next(I) + ")\n";
    Index += " + 32 * " + I;
  }
  return "__global__ void k(float *o, const float *a, int n) {\n"
         "  int t = threadIdx.x;\n  float x = 0;\n" +
         Loops + "x += a[" + Index + "];\n  o[t] = x;\n}\n";
}

// Where each loop tried its turns anew in each trial of the one around it, this
// would be a billion of them.
TEST(LoopPassages, DeepNestsTakeNoLongerThanTheyAreDeep) {
  const std::string Counted =
      deepNest(30, [](const std::string &I) { return "++" + I; });
  EXPECT_TRUE(costs(evaluate(Counted).globalLoad(), {4, 4}));
  const std::string Doubled = deepNest(
      16, [](const std::string &I) { return I + " = 2 * " + I + " + n"; });
  EXPECT_TRUE(costs(evaluate(Doubled).globalLoad(), {4, 4}));
}

} // namespace NeededCodeTests
