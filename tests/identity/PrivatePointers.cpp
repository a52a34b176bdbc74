//===- tests/identity/PrivatePointers.cpp - Into the thread's own ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrivatePointers.h"

#include "analyzer/ir/AccessMarkers.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace cudalint {

PrivatePointers::PrivatePointers(const Function &F) {
  Contents[Foreign].set(Foreign);
  if (F.getCallingConv() == CallingConv::PTX_Kernel)
    for (const Argument &A : F.args())
      if (A.hasByValAttr()) {
        addObject(A);
        Contents[Numbers[&A]].set(Foreign);
      }
  for (const GlobalVariable &G : F.getParent()->globals())
    if (G.isConstant() && G.hasPrivateLinkage()) {
      addObject(G);
      Contents[Numbers[&G]].set(Foreign);
    }
  for (const Instruction &I : instructions(F))
    if (isa<AllocaInst>(I))
      addObject(I);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Instruction &I : instructions(F))
      Changed |= visit(I);
  }
}

void PrivatePointers::addObject(const Value &V) {
  const unsigned Number = Numbers.size() + 1;
  Numbers[&V] = Number;
  Contents[Number];
}

PrivatePointers::Objects PrivatePointers::pointeesOf(const Value &V) const {
  Objects Result;
  if (auto Own = Numbers.find(&V); Own != Numbers.end()) {
    Result.set(Own->second);
  } else if (isa<Instruction>(V)) {
    if (auto Known = Pointees.find(&V); Known != Pointees.end())
      return Known->second;
  } else if (isa<Argument, GlobalValue, InlineAsm>(V)) {
    Result.set(Foreign);
  } else if (auto *C = dyn_cast<Constant>(&V)) {
    for (const Use &Operand : C->operands())
      Result |= pointeesOf(*Operand);
  }
  return Result;
}

PrivatePointers::Objects PrivatePointers::contentsOf(const Objects &Of) const {
  Objects Result;
  for (unsigned Object : Of)
    Result |= Contents.find(Object)->second;
  return Result;
}

/// What others know of, they may write anything into.
bool PrivatePointers::escape(const Objects &What) {
  bool Changed = false;
  Objects Pending = What;
  while (!Pending.empty()) {
    const auto Next = static_cast<unsigned>(Pending.find_first());
    Pending.reset(Next);
    Objects &In = Contents[Next];
    if (In.test(Foreign))
      continue;
    Pending |= In;
    In.set(Foreign);
    Changed = true;
  }
  return Changed;
}

bool PrivatePointers::store(const Objects &Into, const Objects &What) {
  bool Changed = false;
  for (unsigned Object : Into) {
    if (Object != Foreign)
      Changed |= Contents[Object] |= What;
    // What somebody else can reach, what is stored there can be reached from.
    if (Contents[Object].test(Foreign))
      Changed |= escape(What);
  }
  return Changed;
}

bool PrivatePointers::visit(const Instruction &I) {
  bool Changed = false;
  Objects Result;
  if (isa<AllocaInst, CmpInst>(I) || markedAccess(I) || I.isTerminator())
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Result = contentsOf(pointeesOf(*Load->getPointerOperand()));
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    return store(pointeesOf(*Store->getPointerOperand()),
                 pointeesOf(*Store->getValueOperand()));
  } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
    return store(pointeesOf(*Copy->getRawDest()),
                 contentsOf(pointeesOf(*Copy->getRawSource())));
  } else if (isa<MemSetInst, DbgInfoIntrinsic, LifetimeIntrinsic>(I)) {
    return false;
  } else if (isa<CallBase, AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    for (const Use &Operand : I.operands())
      Changed |= escape(pointeesOf(*Operand));
    Result.set(Foreign);
  } else if (auto *Address = dyn_cast<GetElementPtrInst>(&I)) {
    Result = pointeesOf(*Address->getPointerOperand());
  } else if (auto *Choice = dyn_cast<SelectInst>(&I)) {
    Result = pointeesOf(*Choice->getTrueValue());
    Result |= pointeesOf(*Choice->getFalseValue());
  } else {
    // An integer may be an address, too.
    for (const Use &Operand : I.operands())
      Result |= pointeesOf(*Operand);
  }
  return (Pointees[&I] |= Result) || Changed;
}

bool PrivatePointers::isPrivate(const Value &Pointer) const {
  const Objects All = pointeesOf(Pointer);
  return !All.empty() && !All.test(Foreign);
}

} // namespace cudalint
