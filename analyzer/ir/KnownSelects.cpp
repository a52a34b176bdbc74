//===- analyzer/ir/KnownSelects.cpp - Selects under a condition -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KnownSelects.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace cudalint {

/// Branches on the way to a use that are looked at; the same condition is near.
static constexpr unsigned MostBranches = 16;
/// Ways into a block at most; more are no `if`.
static constexpr unsigned MostWays = 8;

namespace {

/// What branches say of conditions. A condition that dominates a branch and a
/// use that the branch leads to has the same value in both: to execute it again
/// is to come by the branch again.
class Conditions {
public:
  Conditions(const Function &F, const DominatorTree &DT)
      : Layout(F.getParent()->getDataLayout()), DT(DT) {}

  /// Calls \p Visit with each condition that is known in \p At, the nearest
  /// first, and its value, until that returns true.
  template <typename Function>
  bool anyIn(const BasicBlock *At, Function Visit) const {
    const DomTreeNode *Node = DT.getNode(At);
    for (unsigned N = 0; Node && Node->getIDom() && N < MostBranches; ++N) {
      Node = Node->getIDom();
      const BasicBlock *From = Node->getBlock();
      auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
      if (!Branch || !Branch->isConditional())
        continue;
      for (bool Taken : {true, false})
        if (DT.dominates(
                BasicBlockEdge(From, Branch->getSuccessor(Taken ? 0 : 1)), At))
          if (Visit(Branch->getCondition(), Taken))
            return true;
    }
    return false;
  }

  std::optional<bool> knownIn(const BasicBlock *At,
                              const Value *Condition) const {
    std::optional<bool> Known;
    anyIn(At, [&](const Value *Other, bool Taken) {
      Known = isImpliedCondition(Other, Condition, Layout, Taken);
      return Known.has_value();
    });
    return Known;
  }

  /// Known on the way from one block to another.
  std::optional<bool> knownBetween(const BasicBlock *From, const BasicBlock *To,
                                   const Value *Condition) const {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    if (Branch && Branch->isConditional() &&
        Branch->getSuccessor(0) != Branch->getSuccessor(1))
      if (std::optional<bool> Known =
              isImpliedCondition(Branch->getCondition(), Condition, Layout,
                                 Branch->getSuccessor(0) == To))
        return Known;
    return knownIn(From, Condition);
  }

private:
  const DataLayout &Layout;
  const DominatorTree &DT;
};

} // namespace

static const BasicBlock *blockOf(const Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  return Phi ? Phi->getIncomingBlock(U) : User->getParent();
}

/// The one value that comes to \p Phi by ways on which \p Condition can be
/// \p Is; null: several.
static Value *comesWith(const PHINode &Phi, const Value *Condition, bool Is,
                        const Conditions &Known) {
  Value *Only = nullptr;
  for (unsigned I = 0; I != Phi.getNumIncomingValues(); ++I) {
    Value *Each = Phi.getIncomingValue(I);
    const std::optional<bool> There =
        Known.knownBetween(Phi.getIncomingBlock(I), Phi.getParent(), Condition);
    if (Each == Only || isa<UndefValue>(Each) || (There && *There != Is))
      continue;
    if (Only)
      return nullptr;
    Only = Each;
  }
  return Only;
}

/// What \p I is where it is used; null: more than one.
static Value *valueFor(const Use &U, Instruction &I, const Conditions &Known,
                       const DominatorTree &DT) {
  const BasicBlock *At = blockOf(U);
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    if (Select->getCondition()->getType()->isVectorTy())
      return nullptr;
    const std::optional<bool> Is = Known.knownIn(At, Select->getCondition());
    if (!Is)
      return nullptr;
    return *Is ? Select->getTrueValue() : Select->getFalseValue();
  }
  auto *Phi = dyn_cast<PHINode>(&I);
  if (!Phi || Phi->getNumIncomingValues() > MostWays)
    return nullptr;
  // What comes round a loop was computed under the conditions of another turn.
  for (const BasicBlock *From : Phi->blocks())
    if (DT.dominates(Phi->getParent(), From))
      return nullptr;
  Value *Found = nullptr;
  Known.anyIn(At, [&](const Value *Condition, bool Is) {
    Found = comesWith(*Phi, Condition, Is, Known);
    if (Found && !DT.dominates(Found, U))
      Found = nullptr;
    return Found != nullptr;
  });
  return Found;
}

PreservedAnalyses KnownSelects::run(Function &F, FunctionAnalysisManager &AM) {
  const auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  const Conditions Known(F, DT);
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    if (!isa<SelectInst, PHINode>(I))
      continue;
    for (Use &U : make_early_inc_range(I.uses()))
      if (Value *V = valueFor(U, I, Known, DT); V && V != &I) {
        U.set(V);
        Changed = true;
      }
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace cudalint
