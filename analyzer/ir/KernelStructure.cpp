//===- analyzer/ir/KernelStructure.cpp - Loops and order of a kernel ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KernelStructure.h"

#include "analyzer/ir/WarpInterpreter.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cudalint {

/// Whether nothing outside of its block uses a value; what a phi uses leaves
/// the block, even if it comes back to it.
static bool staysInBlock(const Instruction &I) {
  return llvm::all_of(I.users(), [&](const User *U) {
    return !isa<PHINode>(U) &&
           cast<Instruction>(U)->getParent() == I.getParent();
  });
}

KernelStructure::KernelStructure(const Function &Kernel)
    : F(Kernel), Dominators(const_cast<Function &>(Kernel)), Loops(Dominators) {
  for (const Argument &A : F.args())
    Numbers.try_emplace(&A, Numbers.size());
  PostDominatorTree PostDominators(const_cast<Function &>(F));
  Regions[nullptr];
  for (const llvm::Loop *L : Loops.getLoopsInPreorder())
    Regions[L].Loop = L;

  ReversePostOrderTraversal<const Function *> RPO(&F);
  unsigned Position = 0;
  for (const BasicBlock *B : RPO) {
    Order[B] = ++Position;
    const llvm::Loop *L = Loops.getLoopFor(B);
    Regions[L].Items.push_back(B);
    // A loop stands in its parent where its header comes.
    if (L && L->getHeader() == B)
      Regions[L->getParentLoop()].Items.push_back(B);

    for (const BasicBlock *To : successors(B))
      for (const llvm::Loop *Outer = L; Outer; Outer = Outer->getParentLoop()) {
        if (Outer->getHeader() == To)
          Regions[Outer].Latches.push_back({B, To});
        if (!Outer->contains(To))
          Regions[Outer].Exits.push_back({B, To});
      }

    if (auto *Node = Dominators.getNode(B); Node && Node->getIDom()) {
      // After a loop: the block before it.
      while (Node->getIDom() &&
             L != Loops.getLoopFor(Node->getIDom()->getBlock()) &&
             (!L || L->contains(Node->getIDom()->getBlock())))
        Node = Node->getIDom();
      if (Node->getIDom()) {
        const BasicBlock *D = Node->getIDom()->getBlock();
        if (Loops.getLoopFor(D) == L && PostDominators.dominates(B, D))
          Convergent[B] = D;
      }
    }
    std::vector<unsigned> &Own = OwnValues[B];
    for (const Instruction &I : *B) {
      if (!I.getType()->isVoidTy()) {
        unsigned Number = Numbers.size();
        Numbers.try_emplace(&I, Number);
        if (staysInBlock(I))
          Own.push_back(Number);
      }
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Store &&
          isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand())))
        for (const llvm::Loop *O = L; O; O = O->getParentLoop())
          Regions[O].StoresToLocals = true;
    }
  }
}

std::shared_ptr<const KernelStructure>
makeKernelStructure(const Function &Kernel) {
  return std::make_shared<const KernelStructure>(Kernel);
}

unsigned loopDepth(const KernelStructure &K, const Instruction &I) {
  const llvm::Loop *L = K.loopOf(I.getParent());
  return L ? L->getLoopDepth() : 0;
}

} // namespace cudalint
