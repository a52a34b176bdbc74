//===- analyzer/ir/BranchSides.cpp - Code that a branch chooses -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/BranchSides.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/FunctionAnalyses.h"
#include "analyzer/ir/IssueSlots.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

static constexpr StringRef MarkName = "cuda-lint.sides";

/// More sides than that are a table of functions.
static constexpr unsigned MostSides = 16;

/// Turns that a loop is taken to make where it is not known: a weight against
/// what is outside of it.
static constexpr unsigned UsualTurns = 16;

static const Value *conditionOf(const BasicBlock &B) {
  if (auto *Switch = dyn_cast<SwitchInst>(B.getTerminator()))
    return Switch->getCondition();
  auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
  return Branch && Branch->isConditional() ? Branch->getCondition() : nullptr;
}

/// Whether it is computed from the number of the thread, and not from what is
/// loaded or what another thread has.
static bool isByThread(const Value &Condition) {
  constexpr std::size_t MostValues = 128;
  SmallSetVector<const Value *, 16> Seen;
  Seen.insert(&Condition);
  bool Found = false;
  for (std::size_t Next = 0; Next != Seen.size(); ++Next) {
    auto *I = dyn_cast<Instruction>(Seen[Next]);
    if (!I)
      continue;
    if (auto *Call = dyn_cast<CallInst>(I)) {
      const Function *F = Call->getCalledFunction();
      if (!F || !F->isIntrinsic() || Call->isConvergent())
        return false;
      if (F->getName().starts_with("llvm.nvvm.read.ptx.sreg.")) {
        Found |=
            F->getName().contains(".tid.") || F->getName().contains(".laneid");
        continue;
      }
    }
    if (I->mayReadFromMemory() || isa<AllocaInst>(I))
      return false;
    for (const Value *Operand : I->operands())
      Seen.insert(Operand);
    if (Seen.size() > MostValues)
      return false;
  }
  return Found;
}

/// Whether two ways from \p B lead to code of their own; most lead to where
/// others do.
static bool hasSides(const BasicBlock &B, const DominatorTree &Dominators) {
  return llvm::count_if(successors(&B), [&](const BasicBlock *To) {
           return Dominators.dominates(BasicBlockEdge(&B, To), To);
         }) > 1;
}

namespace {
class Sides {
public:
  explicit Sides(Function &F) : F(F), A(F), PostDominators(F) {
    for (const BasicBlock &B : F) {
      double Slots = 0;
      for (const Instruction &I : B)
        Slots += issueSlotsOf(I);
      SlotsOf[&B] = Slots;
      OfKernel += Slots * timesOf(B);
    }
  }

  struct Branch {
    /// By where a side begins, or where all meet.
    MapVector<const BasicBlock *, double> Sides;
    bool IsAtLeast = false;
  };
  /// Nothing where it is none of those to be marked.
  std::optional<Branch> branchAt(const BasicBlock &B);
  void mark(BasicBlock &B, const Branch &Of);

private:
  Function &F;
  FunctionAnalyses A;
  PostDominatorTree PostDominators;
  DenseMap<const BasicBlock *, double> SlotsOf;
  double OfKernel = 0;

  using BlockSet = SmallSetVector<const BasicBlock *, 16>;
  std::optional<BlockSet> sideFrom(const BasicBlock &First,
                                   const BasicBlock *Meeting,
                                   const Loop *Around) const;
  double slotsOf(const BlockSet &Side, const Loop *Around, bool &IsAtLeast);
  unsigned turnsOf(const Loop &L) {
    return A.Scalars.getSmallConstantTripCount(&L);
  }
  double timesOf(const BasicBlock &B) {
    double Times = 1;
    for (const Loop *L = A.Loops.getLoopFor(&B); L; L = L->getParentLoop())
      Times *= turnsOf(*L) ? turnsOf(*L) : UsualTurns;
    return Times;
  }
};
} // namespace

/// The blocks from \p First to where all sides meet. Nothing where some lead
/// out of the loop, to its next turn, or have lanes do something together.
std::optional<Sides::BlockSet> Sides::sideFrom(const BasicBlock &First,
                                               const BasicBlock *Meeting,
                                               const Loop *Around) const {
  BlockSet Side;
  Side.insert(&First);
  for (std::size_t Next = 0; Next != Side.size(); ++Next) {
    const BasicBlock *B = Side[Next];
    if (Around && (!Around->contains(B) || Around->getHeader() == B))
      return std::nullopt;
    for (const Instruction &I : *B)
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->isConvergent() && !markedAccess(I) && !isFence(I))
        return std::nullopt;
    for (const BasicBlock *To : successors(B))
      if (To != Meeting)
        Side.insert(To);
  }
  return Side;
}

/// Of the blocks that who is on the side comes to in any case.
double Sides::slotsOf(const BlockSet &Side, const Loop *Around,
                      bool &IsAtLeast) {
  double Slots = 0;
  for (const BasicBlock *B : Side) {
    double Times = 1;
    bool IsCertain = true;
    const BasicBlock *At = B;
    for (const Loop *L = A.Loops.getLoopFor(B); L != Around;
         L = L->getParentLoop()) {
      const BasicBlock *Latch = L->getLoopLatch();
      IsCertain &= Latch && A.Dominators.dominates(At, Latch);
      IsAtLeast |= !turnsOf(*L);
      Times *= turnsOf(*L) ? turnsOf(*L) : 1;
      At = L->getHeader();
    }
    if (IsCertain && PostDominators.dominates(At, Side.front()))
      Slots += Times * SlotsOf.lookup(B);
  }
  return Slots;
}

/// Where nobody comes, as beside all cases that there are.
static bool isUnreachable(const BasicBlock &B) {
  return isa<UnreachableInst>(*B.getFirstNonPHIIt());
}

std::optional<Sides::Branch> Sides::branchAt(const BasicBlock &B) {
  const BasicBlock *Meeting = nullptr;
  bool IsFirst = true;
  for (const BasicBlock *To : successors(&B)) {
    if (isUnreachable(*To))
      continue;
    if (!IsFirst && Meeting)
      Meeting = PostDominators.findNearestCommonDominator(Meeting, To);
    else if (IsFirst)
      Meeting = To;
    IsFirst = false;
  }
  const Loop *Around = A.Loops.getLoopFor(&B);
  Branch Out;
  SmallPtrSet<const BasicBlock *, 32> Taken;
  unsigned Long = 0;
  for (const BasicBlock *To : successors(&B)) {
    if (Out.Sides.count(To) || isUnreachable(*To))
      continue;
    if (To == Meeting) {
      Out.Sides.insert({To, 0});
      continue;
    }
    const std::optional<BlockSet> Side = sideFrom(*To, Meeting, Around);
    // Code that two sides share is no side of either.
    if (!Side || llvm::any_of(*Side, [&](const BasicBlock *Each) {
          return !Taken.insert(Each).second;
        }))
      return std::nullopt;
    const double Slots = slotsOf(*Side, Around, Out.IsAtLeast);
    Out.Sides.insert({To, Slots});
    Long += Slots >= LeastOfSide;
  }
  if (Long < 2 || Out.Sides.size() > MostSides)
    return std::nullopt;
  return Out;
}

/// A call that no pass drops, nor merges with another one, but over which all
/// may be moved: it neither reads nor writes, but says not that it returns.
static FunctionCallee markOf(Module &M) {
  Type *Number = Type::getInt32Ty(M.getContext());
  FunctionCallee Mark = M.getOrInsertFunction(
      MarkName, Type::getVoidTy(M.getContext()), Number, Number);
  auto *Callee = cast<Function>(Mark.getCallee());
  Callee->setDoesNotAccessMemory();
  Callee->setDoesNotThrow();
  for (Attribute::AttrKind Each : {Attribute::NoMerge, Attribute::NoCallback,
                                   Attribute::NoFree, Attribute::NoSync})
    Callee->addFnAttr(Each);
  return Mark;
}

void Sides::mark(BasicBlock &B, const Branch &Of) {
  IRBuilder<> Builder(B.getTerminator());
  auto NumberOf = [&](const BasicBlock *To) {
    const auto At = Of.Sides.find(To);
    return Builder.getInt32(At == Of.Sides.end()
                                ? 0
                                : static_cast<unsigned>(At - Of.Sides.begin()));
  };
  Value *Side = nullptr;
  if (auto *Switch = dyn_cast<SwitchInst>(B.getTerminator())) {
    Side = NumberOf(Switch->getDefaultDest());
    for (const auto &Case : Switch->cases())
      Side = Builder.CreateSelect(
          Builder.CreateICmpEQ(Switch->getCondition(), Case.getCaseValue()),
          NumberOf(Case.getCaseSuccessor()), Side);
  } else {
    auto *Branch = cast<BranchInst>(B.getTerminator());
    Side = Builder.CreateSelect(Branch->getCondition(),
                                NumberOf(Branch->getSuccessor(0)),
                                NumberOf(Branch->getSuccessor(1)));
  }
  const auto Place =
      static_cast<unsigned>(std::distance(F.begin(), B.getIterator()));
  CallInst *Mark = Builder.CreateCall(markOf(*F.getParent()),
                                      {Side, Builder.getInt32(Place)});
  Mark->setDebugLoc(B.getTerminator()->getDebugLoc());
  SmallVector<Metadata *> Numbers;
  auto Add = [&](double Number) {
    Numbers.push_back(ConstantAsMetadata::get(
        ConstantFP::get(Builder.getDoubleTy(), Number)));
  };
  Add(Of.IsAtLeast);
  Add(timesOf(B));
  Add(OfKernel);
  for (const auto &[To, Slots] : Of.Sides)
    Add(Slots);
  Mark->setMetadata(MarkName, MDNode::get(F.getContext(), Numbers));
}

void markBranchSides(Function &Kernel) {
  SmallVector<BasicBlock *> Candidates;
  for (BasicBlock &B : Kernel)
    if (const Value *Condition = conditionOf(B);
        Condition && B.getTerminator()->getDebugLoc() && isByThread(*Condition))
      Candidates.push_back(&B);
  if (Candidates.empty())
    return;
  const DominatorTree Dominators(Kernel);
  llvm::erase_if(Candidates, [&](const BasicBlock *B) {
    return !hasSides(*B, Dominators);
  });
  if (Candidates.empty())
    return;
  Sides Of(Kernel);
  SmallVector<std::pair<BasicBlock *, Sides::Branch>> Found;
  for (BasicBlock *B : Candidates)
    if (std::optional<Sides::Branch> Branch = Of.branchAt(*B))
      Found.emplace_back(B, std::move(*Branch));
  for (const auto &[B, Branch] : Found)
    Of.mark(*B, Branch);
}

std::optional<MarkedSides> markedSides(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const MDNode *Numbers = Call ? Call->getMetadata(MarkName) : nullptr;
  if (!Numbers)
    return std::nullopt;
  auto Number = [&](unsigned K) {
    return mdconst::extract<ConstantFP>(Numbers->getOperand(K))
        ->getValueAPF()
        .convertToDouble();
  };
  MarkedSides Out = {.Side = Call->getArgOperand(0),
                     .IsAtLeast = Number(0) != 0,
                     .Times = Number(1),
                     .OfKernel = Number(2)};
  for (unsigned K = 3; K != Numbers->getNumOperands(); ++K)
    Out.Instructions.push_back(Number(K));
  return Out;
}

std::optional<MarkedSides> markedSidesAt(const BasicBlock &B) {
  for (const Instruction &I : B)
    if (std::optional<MarkedSides> Of = markedSides(I))
      return Of;
  return std::nullopt;
}

} // namespace cudalint
