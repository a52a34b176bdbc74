//===- analyzer/ir/BlockValues.cpp - What differs by block ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/BlockValues.h"

#include "analyzer/ir/RegisterReads.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace cudalint {

static bool isSource(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    const Value *Of = getUnderlyingObject(Load->getPointerOperand());
    auto *Parameter = dyn_cast<Argument>(Of);
    return Load->getPointerAddressSpace() != NVPTXAS::ADDRESS_SPACE_CONST &&
           !(Parameter && Parameter->hasByValAttr());
  }
  if (readsBlockIndex(I) || isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !I.getType()->isVoidTy() && readRegister(I).empty() &&
         !Call->doesNotAccessMemory();
}

BlockValues::BlockValues(Function &F) : Tree(F) {
  for (bool Grows = true; Grows;) {
    Grows = false;
    for (const Instruction &I : instructions(F))
      if (!Differing.contains(&I) && differs(I)) {
        Differing.insert(&I);
        Grows = true;
      }
  }
}

bool BlockValues::mayBeLeftOut(const BasicBlock &B) {
  return any_of(conditionsOf(B),
                [&](const BasicBlock *Of) { return hasDifferingEnd(*Of); });
}

/// The blocks whose ends decide whether \p B is come to.
ArrayRef<BasicBlock *> BlockValues::conditionsOf(const BasicBlock &B) {
  const auto [Its, IsNew] = Conditions.try_emplace(&B);
  if (IsNew) {
    SmallPtrSet<BasicBlock *, 1> Of = {const_cast<BasicBlock *>(&B)};
    ReverseIDFCalculator Frontier(Tree);
    Frontier.setDefiningBlocks(Of);
    SmallVector<BasicBlock *> Found;
    Frontier.calculate(Found);
    Its->second.assign(Found.begin(), Found.end());
  }
  return Its->second;
}

bool BlockValues::hasDifferingEnd(const BasicBlock &B) const {
  return any_of(B.getTerminator()->operands(),
                [&](const Use &Each) { return mayDiffer(Each); });
}

bool BlockValues::differs(const Instruction &I) {
  if (isSource(I) ||
      any_of(I.operand_values(), [&](const Value *V) { return mayDiffer(V); }))
    return true;
  auto *Merge = dyn_cast<PHINode>(&I);
  return Merge && any_of(Merge->blocks(), [&](const BasicBlock *From) {
           return mayBeLeftOut(*From) || hasDifferingEnd(*From);
         });
}

} // namespace cudalint
