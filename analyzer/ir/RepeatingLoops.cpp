//===- analyzer/ir/RepeatingLoops.cpp - Loops to take time ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RepeatingLoops.h"

#include "analyzer/ir/AccessMarkers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cudalint {

/// On the terminator of a loop's header.
static constexpr char RepeatsNote[] = "cuda-lint.repeats";

/// Whether \p Phi does nothing but to count the turns of \p L.
static bool onlyCounts(const PHINode &Phi, const Loop &L) {
  SmallVector<const User *> Left(Phi.users());
  SmallPtrSet<const User *, 8> Seen = {&Phi};
  while (!Left.empty()) {
    const User *Next = Left.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    const auto *I = cast<Instruction>(Next);
    const auto ends = [&](const User *U) {
      const auto *Branch = dyn_cast<BranchInst>(U);
      return Branch && L.isLoopExiting(Branch->getParent());
    };
    if (isa<BinaryOperator, CastInst>(I) && L.contains(I))
      append_range(Left, I->users());
    else if (!isa<ICmpInst>(I) || !all_of(I->users(), ends))
      return false;
  }
  return true;
}

/// The pointer that the kernel is given and that \p I goes by; or null.
static const Argument *pointerGiven(const Instruction &I) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  return Pointer ? dyn_cast<Argument>(getUnderlyingObject(Pointer)) : nullptr;
}

static bool repeatsItself(const Loop &L) {
  if (!all_of(L.getHeader()->phis(),
              [&](const PHINode &Phi) { return onlyCounts(Phi, L); }))
    return false;
  SmallPtrSet<const Argument *, 8> Stored, Loaded;
  for (const BasicBlock *Each : L.blocks())
    for (const Instruction &I : *Each) {
      if (markedAccess(I) || isa<AssumeInst, LifetimeIntrinsic>(I) ||
          !I.mayReadOrWriteMemory())
        continue;
      const Argument *Its = pointerGiven(I);
      if (!Its)
        return false;
      (isa<StoreInst>(I) ? Stored : Loaded).insert(Its);
    }
  // Sums may be kept in memory.
  return none_of(Stored,
                 [&](const Argument *Each) { return Loaded.contains(Each); });
}

void noteRepeatingLoops(Function &F) {
  const DominatorTree Dominators(F);
  const LoopInfo Loops(Dominators);
  for (const Loop *Each : Loops.getLoopsInPreorder())
    if (repeatsItself(*Each))
      Each->getHeader()->getTerminator()->setMetadata(
          RepeatsNote, MDNode::get(F.getContext(), {}));
}

bool isNotedAsRepeating(const Loop &L) {
  return L.getHeader()->getTerminator()->hasMetadata(RepeatsNote);
}

} // namespace cudalint
