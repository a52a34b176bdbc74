//===- tests/differential/Reduction.cpp - Smaller kernels -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

#include <set>

using namespace llvm;

namespace cudalint::differential {

RandomKernel copyOf(const RandomKernel &Kernel) {
  RandomKernel R;
  R.M = CloneModule(*Kernel.M);
  R.F = R.M->getFunction(Kernel.F->getName());
  R.Block = Kernel.Block;
  R.UsesLoaded = Kernel.UsesLoaded;
  return R;
}

static Instruction *nth(Function &F, unsigned N) {
  for (Instruction &I : instructions(F))
    if (!N--)
      return &I;
  return nullptr;
}

/// What counts the turns of a loop, and the store that marks them: without it
/// the comparison has nothing to go by.
static std::set<const Instruction *> countersOf(const Function &F) {
  std::set<const Instruction *> R;
  for (const Instruction &I : instructions(F)) {
    if (!markedLoop(I))
      continue;
    std::vector<const Instruction *> Left = {&I};
    while (!Left.empty()) {
      const Instruction *Next = Left.back();
      Left.pop_back();
      if (R.insert(Next).second)
        for (const Use &U : Next->operands())
          if (auto *Op = dyn_cast<Instruction>(&U))
            Left.push_back(Op);
    }
  }
  return R;
}

/// Ways to simplify one instruction; beyond the last there is nothing to do.
static constexpr unsigned Ways = 9;

static bool simplify(Instruction &I, unsigned Way) {
  if (I.isTerminator()) {
    if (Way > 1 || I.getNumSuccessors() < 2 || !isa<BranchInst, SwitchInst>(I))
      return false;
    BasicBlock *To = I.getSuccessor(Way), *From = I.getParent();
    for (unsigned K = 0; K < I.getNumSuccessors(); ++K)
      if (K != Way)
        I.getSuccessor(K)->removePredecessor(From, true);
    ReplaceInstWithInst(&I, BranchInst::Create(To));
    return true;
  }
  bool Void = I.getType()->isVoidTy();
  if (Way == 0) {
    if (!Void && !I.use_empty())
      I.replaceAllUsesWith(Constant::getNullValue(I.getType()));
    I.eraseFromParent();
    return true;
  }
  if (isa<PHINode>(I) && Way > 1)
    return false;
  if (Way == 1) {
    if (!I.getType()->isIntegerTy() || I.use_empty())
      return false;
    I.replaceAllUsesWith(ConstantInt::get(I.getType(), 1));
    I.eraseFromParent();
    return true;
  }
  if (Way == 2) {
    bool Had = I.hasPoisonGeneratingFlags();
    I.dropPoisonGeneratingFlags();
    return Had;
  }
  // An operand takes the place of the result, or a constant its own.
  unsigned Operand = (Way - 3) / 2;
  if (Operand >= I.getNumOperands())
    return false;
  Value *Op = I.getOperand(Operand);
  if (Way % 2) {
    if (Op == &I || Op->getType() != I.getType())
      return false;
    I.replaceAllUsesWith(Op);
    I.eraseFromParent();
    return true;
  }
  if (isa<Constant>(Op) || !Op->getType()->isIntegerTy())
    return false;
  I.setOperand(Operand, ConstantInt::get(Op->getType(), 1));
  return true;
}

static void tidy(Function &F) {
  EliminateUnreachableBlocks(F);
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isInstructionTriviallyDead(&I)) {
        I.eraseFromParent();
        Changed = true;
      }
  }
}

RandomKernel reduce(const RandomKernel &Kernel,
                    const std::function<bool(const RandomKernel &)> &Fails) {
  RandomKernel Best = copyOf(Kernel);
  bool Changed = true;
  for (unsigned Round = 0; Changed && Round < 8; ++Round) {
    Changed = false;
    for (unsigned N = 0; nth(*Best.F, N); ++N)
      for (unsigned Way = 0; Way < Ways; ++Way) {
        RandomKernel Try = copyOf(Best);
        Instruction *I = nth(*Try.F, N);
        if (!I)
          break;
        if (countersOf(*Try.F).contains(I) || !simplify(*I, Way))
          continue;
        tidy(*Try.F);
        if (verifyFunction(*Try.F) || !Fails(Try))
          continue;
        Best = std::move(Try);
        Changed = true;
        break;
      }
  }
  // Blocks in a line become one.
  RandomKernel Try = copyOf(Best);
  for (BasicBlock &B : make_early_inc_range(*Try.F))
    MergeBlockIntoPredecessor(&B);
  return Fails(Try) ? std::move(Try) : std::move(Best);
}

} // namespace cudalint::differential
