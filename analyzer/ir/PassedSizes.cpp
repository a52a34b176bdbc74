//===- analyzer/ir/PassedSizes.cpp - What launches decide -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/PassedSizes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cudalint {

/// An integer of an object that is passed by value.
static bool isPassedField(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || !Load->getType()->isIntegerTy())
    return false;
  const auto *Object =
      dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()));
  return Object && Object->hasByValAttr();
}

/// What is loaded is data, whatever the address is.
static bool computesFrom(const Instruction &I) {
  return !I.getType()->isVoidTy() && !I.mayReadFromMemory() &&
         !isa<AllocaInst, CmpInst>(I);
}

DenseSet<const Value *> valuesOfPassedSizes(const Function &Kernel) {
  DenseSet<const Value *> Result;
  SmallVector<const Value *> Pending;
  const auto add = [&](const Value &V) {
    if (Result.insert(&V).second)
      Pending.push_back(&V);
  };
  for (const Argument &Each : Kernel.args())
    if (Each.getType()->isIntegerTy())
      add(Each);
  for (const Instruction &I : instructions(Kernel))
    if (isPassedField(I))
      add(I);
  while (!Pending.empty())
    for (const User *U : Pending.pop_back_val()->users())
      if (const auto *By = dyn_cast<Instruction>(U); By && computesFrom(*By))
        add(*By);
  return Result;
}

} // namespace cudalint
