//===- analyzer/ir/VariableUses.cpp - What is done with an array ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/VariableUses.h"

#include "analyzer/ir/StaticAccess.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace cudalint {

static constexpr VariableUses Anything = {
    .IsRead = true, .IsWritten = true, .Escapes = true};

/// Adds what \p U does with the address; false: nobody knows.
static bool addUse(const Use &U, VariableUses &Out) {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return false;
  if (isa<LoadInst>(I)) {
    Out.IsRead = true;
    return true;
  }
  if (auto *Store = dyn_cast<StoreInst>(I)) {
    Out.IsWritten = true;
    return Store->getPointerOperand() == U.get();
  }
  if (I->isLifetimeStartOrEnd())
    return true;
  if (auto *Set = dyn_cast<MemSetInst>(I)) {
    Out.IsWritten = true;
    return Set->getRawDest() == U.get();
  }
  bool IsAccess = false;
  for (const StaticAccess &Each : accessesOf(*I))
    if (Each.Pointer == U.get()) {
      IsAccess = true;
      Out.IsRead |= Each.Op != AccessOp::Store || Each.Volatile;
      Out.IsWritten |= Each.Op != AccessOp::Load || Each.Volatile;
    }
  return IsAccess;
}

VariableUses usesOf(const Value &Variable) {
  VariableUses Out;
  if (auto *Global = dyn_cast<GlobalVariable>(&Variable))
    if (!Global->hasLocalLinkage())
      return Anything;
  SmallVector<const Value *> Left = {&Variable};
  SmallPtrSet<const Value *, 16> Seen = {&Variable};
  while (!Left.empty()) {
    const Value *Address = Left.pop_back_val();
    for (const Use &U : Address->uses()) {
      if (isa<GEPOperator, AddrSpaceCastOperator>(U.getUser())) {
        if (Seen.insert(U.getUser()).second)
          Left.push_back(U.getUser());
      } else if (!addUse(U, Out)) {
        return Anything;
      }
    }
  }
  return Out;
}

} // namespace cudalint
