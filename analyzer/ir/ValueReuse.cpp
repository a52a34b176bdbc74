//===- analyzer/ir/ValueReuse.cpp - Values that stay ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ValueReuse.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/SharedVariables.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

using namespace llvm;

namespace cudalint {

bool isBarrier(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return isa<FenceInst>(I) ||
         (Callee && Callee->getName().starts_with("llvm.nvvm.bar"));
}

namespace {
class Reuse {
public:
  Reuse(ArrayRef<PlacedAccess> All, const DominatorTree &Dominators,
        const LoopInfo &Loops)
      : All(All), Dominators(Dominators), Loops(Loops) {
    for (const Instruction &I : instructions(All.front().Inst->getFunction()))
      if (isBarrier(I))
        write(I, nullptr, true);
      else if (isa<CallBase>(I) && I.mayWriteToMemory() && !markedAccess(I) &&
               !isFence(I))
        write(I, nullptr, false);
    for (const PlacedAccess &Each : All)
      if (Each.Written->Op != AccessOp::Load)
        write(*Each.Inst, getUnderlyingObject(Each.Pointer), false);
  }

  void findShared();
  void findForwarded();
  void findStaying();

private:
  ArrayRef<PlacedAccess> All;
  const DominatorTree &Dominators;
  const LoopInfo &Loops;
  struct Write {
    const Instruction *Inst;
    const Value *Object; ///< Null: any may be.
    bool IsBarrier;

    bool mayChange(const Value *Of) const {
      if (!Object || Object == Of)
        return true;
      const bool AreVariables =
          isa<GlobalVariable>(Object) && isa<GlobalVariable>(Of);
      return !AreVariables && !isSharedVariable(Object) &&
             !isSharedVariable(Of);
    }
  };
  DenseMap<const BasicBlock *, std::vector<Write>> Writes;
  /// Objects that are written in each loop; null: any may be.
  DenseMap<const Loop *, DenseSet<const Value *>> WrittenIn;

  void write(const Instruction &I, const Value *Object, bool IsBarrier) {
    // What a kernel is given points into global memory.
    if (!isa_and_present<GlobalVariable, Argument, AllocaInst>(Object))
      Object = nullptr;
    Writes[I.getParent()].push_back({&I, Object, IsBarrier});
    for (const Loop *L = Loops.getLoopFor(I.getParent()); L;
         L = L->getParentLoop())
      WrittenIn[L].insert(Object);
  }
  bool reaches(const Instruction &From, const PlacedAccess &To,
               bool PastWrites);
  /// Blocks that may still be visited; beyond, all may be reached.
  std::size_t Work = 1 << 20;
};
} // namespace

/// Whether some way from one to the other, in the same turn of all loops that
/// are around both, has no barrier and, unless \p PastWrites, nothing that may
/// write there.
bool Reuse::reaches(const Instruction &From, const PlacedAccess &To,
                    bool PastWrites) {
  const BasicBlock *Begin = From.getParent(), *End = To.Inst->getParent();
  const Value *Object = getUnderlyingObject(To.Pointer);
  auto Stops = [&](const BasicBlock *B, auto IsThere) {
    const auto Of = Writes.find(B);
    return Of != Writes.end() &&
           llvm::any_of(Of->second, [&](const Write &Each) {
             return (Each.IsBarrier ||
                     (!PastWrites && Each.mayChange(Object))) &&
                    IsThere(*Each.Inst);
           });
  };
  if (Begin == End ||
      Stops(Begin,
            [&](const Instruction &I) { return From.comesBefore(&I); }) ||
      Stops(End, [&](const Instruction &I) { return I.comesBefore(To.Inst); }))
    return false;
  SmallPtrSet<const BasicBlock *, 32> Seen;
  for (const Loop *L = Loops.getLoopFor(Begin); L; L = L->getParentLoop())
    if (L->contains(End))
      Seen.insert(L->getHeader());
  SmallVector<const BasicBlock *> Pending(successors(Begin));
  while (!Pending.empty()) {
    if (!Work)
      return true;
    --Work;
    const BasicBlock *Next = Pending.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    if (Next == End)
      return true;
    if (!Stops(Next, [](const Instruction &) { return true; }))
      append_range(Pending, successors(Next));
  }
  return false;
}

/// More accesses of one address are not looked at one by one.
static constexpr std::size_t MostAlike = 32;

void Reuse::findShared() {
  std::map<std::tuple<unsigned, std::int64_t>, std::vector<std::size_t>> Alike;
  for (std::size_t A = 0; A != All.size(); ++A)
    if (const WrittenAccess &W = *All[A].Written;
        W.Op != AccessOp::Atomic && !W.Volatile)
      Alike[{W.Chain, W.ChainOffset}].push_back(A);
  auto IsLoad = [&](std::size_t A) {
    return All[A].Written->Op == AccessOp::Load;
  };
  for (const auto &[Address, Of] : Alike)
    for (const std::size_t To : Of)
      for (const std::size_t From : Of) {
        if (From == To || !IsLoad(To))
          continue;
        const Instruction &A = *All[From].Inst, &B = *All[To].Inst;
        // What always had the value is another matter, unless it may change.
        const bool Always = Dominators.dominates(A.getParent(), B.getParent());
        if (Of.size() <= MostAlike && !reaches(A, All[To], !Always))
          continue;
        if (Always && All[To].Written->IsRedundant)
          continue;
        All[To].Written->SharesValue = true;
        All[From].Written->SharesValue |= IsLoad(From);
      }
}

/// Of a store on some of the ways to a load from the same array a compiler may
/// know more than that their addresses look different.
void Reuse::findForwarded() {
  std::map<const Value *, std::vector<std::size_t>> Stores, Loads;
  for (std::size_t A = 0; A != All.size(); ++A)
    if (const Value *Object = getUnderlyingObject(All[A].Pointer);
        isSharedVariable(Object) && !All[A].Written->Volatile)
      (All[A].Written->Op == AccessOp::Load ? Loads : Stores)[Object].push_back(
          A);
  for (const auto &[Object, Of] : Loads)
    for (const std::size_t To : Of)
      for (const std::size_t From : Stores[Object]) {
        const Instruction &A = *All[From].Inst, &B = *All[To].Inst;
        if (All[To].Written->SharesValue)
          break;
        All[To].Written->SharesValue =
            Stores[Object].size() > MostAlike ||
            (!Dominators.dominates(A.getParent(), B.getParent()) &&
             reaches(A, All[To], true));
      }
}

void Reuse::findStaying() {
  for (const PlacedAccess &Each : All) {
    // Of other memory, compilers may know more.
    if (Each.Written->Op != AccessOp::Load ||
        Each.Written->ObjectSpace != MemorySpace::Shared)
      continue;
    const Value *Object = getUnderlyingObject(Each.Pointer);
    auto MayBeOf = [&](const Value *Written) {
      return !Written || Written == Object ||
             (isSharedVariable(Written) && !isSharedVariable(Object));
    };
    Each.Written->StaysInLoops = 0;
    for (const Loop *L = Loops.getLoopFor(Each.Inst->getParent()); L;
         L = L->getParentLoop()) {
      const auto By = WrittenIn.find(L);
      if (By != WrittenIn.end() && llvm::any_of(By->second, MayBeOf))
        break;
      ++Each.Written->StaysInLoops;
    }
    if (WrittenAccess &W = *Each.Written; !W.Volatile)
      W.LeavesLoops = std::min({W.StaysInLoops, W.Invariant, W.InEachTurn});
  }
}

void findReuse(ArrayRef<PlacedAccess> All, const DominatorTree &Dominators,
               const LoopInfo &Loops) {
  if (All.empty())
    return;
  Reuse Found(All, Dominators, Loops);
  Found.findShared();
  Found.findForwarded();
  Found.findStaying();
}

} // namespace cudalint
