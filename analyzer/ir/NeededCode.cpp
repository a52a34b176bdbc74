//===- analyzer/ir/NeededCode.cpp - What a run has to compute -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/BranchSides.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/MatrixParts.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cudalint {

/// The stores to private variables.
class PrivateStores {
public:
  explicit PrivateStores(const Function &F);

  /// Calls \p Add with those whose values \p Load may read, unless it was
  /// called with them before.
  void addReadBy(const LoadInst &Load, function_ref<void(const Value *)> Add);

private:
  DenseMap<const Value *, SmallVector<const Instruction *>> To;
  SmallVector<const Instruction *> Anywhere; ///< Wherever the pointer leads.
  /// Variables that loaded pointers may lead to.
  SmallVector<const Value *> HandedOut;
};

/// What a pointer leads to that may be private.
static SmallVector<const Value *, 4> privateObjectsOf(const Value &Pointer) {
  SmallVector<const Value *, 4> Objects;
  if (!isSurelyNotPrivate(Pointer))
    getUnderlyingObjects(&Pointer, Objects);
  llvm::erase_if(Objects, IsaPred<Argument, Constant>);
  return Objects;
}

/// Whether some pointer to the variable is kept in memory, or comes from a
/// call.
static bool isHandedOut(const AllocaInst &Variable) {
  SmallPtrSet<const Value *, 16> Seen = {&Variable};
  SmallVector<const Value *> Pending = {&Variable};
  while (!Pending.empty()) {
    const Value *Pointer = Pending.pop_back_val();
    for (const User *U : Pointer->users()) {
      const auto *I = cast<Instruction>(U);
      const bool IsAccessed =
          getLoadStorePointerOperand(I) == Pointer &&
          !(isa<StoreInst>(I) && I->getOperand(0) == Pointer);
      if (IsAccessed || markedAccess(*I) || isa<CmpInst, MemIntrinsic>(I) ||
          I->isLifetimeStartOrEnd())
        continue;
      if (!isa<GetElementPtrInst, CastInst, PHINode, SelectInst, FreezeInst>(I))
        return true;
      if (Seen.insert(I).second)
        Pending.push_back(I);
    }
  }
  return false;
}

PrivateStores::PrivateStores(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store)
      continue;
    const auto Objects = privateObjectsOf(*Store->getPointerOperand());
    if (llvm::all_of(Objects, IsaPred<AllocaInst>))
      for (const Value *Object : Objects)
        To[Object].push_back(Store);
    else
      Anywhere.push_back(Store);
  }
  for (const Value *Object : llvm::make_first_range(To))
    if (isHandedOut(*cast<AllocaInst>(Object)))
      HandedOut.push_back(Object);
}

void PrivateStores::addReadBy(const LoadInst &Load,
                              function_ref<void(const Value *)> Add) {
  auto AddAll = [&](const Value *Object) {
    if (auto Its = To.find(Object); Its != To.end()) {
      llvm::for_each(Its->second, Add);
      Its->second.clear(); // Once is enough.
    }
  };
  const auto Objects = privateObjectsOf(*Load.getPointerOperand());
  for (const Value *Object : Objects) {
    if (isa<AllocaInst>(Object))
      AddAll(Object);
    else if (isa<LoadInst, CallBase>(Object))
      llvm::for_each(std::exchange(HandedOut, {}), AddAll);
    else // It was too far to follow.
      for (auto &[Each, Stores] : std::exchange(To, decltype(To)()))
        llvm::for_each(Stores, Add);
  }
  if (!Objects.empty())
    llvm::for_each(std::exchange(Anywhere, {}), Add);
}

/// Adds to \p Set the instructions that those in \p Pending are computed from:
/// what is kept in a private array may be an index that is read back.
void KernelStructure::addSources(InstructionSet &Set,
                                 SmallVector<const Instruction *> Pending,
                                 PrivateStores Stores) const {
  auto Add = [&](const Value *V) {
    if (auto *I = dyn_cast_or_null<Instruction>(V); I && Set.insert(I).second)
      Pending.push_back(I);
  };
  while (!Pending.empty()) {
    const Instruction *I = Pending.pop_back_val();
    llvm::for_each(I->operands(), Add);
    // That is asked in its place.
    if (isAddedUp(*I))
      Add(zeroOrOne(*I).first);
    if (auto *Load = dyn_cast<LoadInst>(I))
      Stores.addReadBy(*Load, Add);
  }
}

void KernelStructure::findNeeded() {
  const PrivateStores Stores(F);
  SmallVector<const Instruction *> Pending;
  for (const Instruction &I : instructions(F))
    if (I.isTerminator())
      Pending.push_back(&I);
  addSources(OfWays, std::move(Pending), Stores);
  Needed = OfWays;
  Pending.clear();
  auto Need = [&](const Value *V) {
    if (auto *I = dyn_cast<Instruction>(V); I && Needed.insert(I).second)
      Pending.push_back(I);
  };
  for (const Instruction &I : instructions(F)) {
    if (markedSides(I))
      llvm::for_each(I.operands(), Need);
    for (const StaticAccess &Each : accesses(I)) {
      Need(Each.Pointer);
      if (Each.Part)
        Need(Each.Part->Stride);
    }
  }
  addSources(Needed, std::move(Pending), Stores);

  // With what the next turn of a loop begins, a trial of one is to tell.
  SmallVector<const Instruction *> Headers;
  for (const llvm::Loop *L : Loops.getLoopsInPreorder())
    for (const PHINode &Phi : L->getHeader()->phis())
      if (Needed.contains(&Phi) && OfWays.insert(&Phi).second)
        Headers.push_back(&Phi);
  addSources(OfWays, std::move(Headers), Stores);

  for (const BasicBlock &B : F) {
    BlockCode &Of = Code[&B];
    for (const Instruction &I : B) {
      if (isa<PHINode>(I) || I.isTerminator() || isa<DbgInfoIntrinsic>(I))
        continue;
      ++Of.Instructions;
      auto *Call = dyn_cast<CallInst>(&I);
      if (isNeeded(I) || !accesses(I).empty() ||
          (Call && Call->mayHaveSideEffects()))
        Of.Steps.push_back(&I);
      if (isOfWays(I) || (Call && mayWritePrivate(*Call)))
        Of.StepsOfWays.push_back(&I);
    }
  }
  for (const llvm::Loop *L : Loops.getLoopsInPreorder())
    Regions[L].SourcesOfWays = findSourcesOfWays(*L);
}

bool mayWritePrivate(const CallInst &Call) {
  const Function *F = Call.getCalledFunction();
  return Call.mayWriteToMemory() &&
         !(F && (F->isIntrinsic() || F->getName().starts_with("__nv_") ||
                 markedAccess(Call)));
}

/// Whether what it computes is decided by its operands, and by nothing else
/// that may change in a run.
static bool isDecidedByOperands(const Instruction &I) {
  if (I.getType()->isFloatingPointTy() || isa<StoreInst>(I))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isSurelyNotPrivate(*Load->getPointerOperand());
  auto *Call = dyn_cast<CallInst>(&I);
  return !Call || !(Call->isConvergent() || Call->mayHaveSideEffects());
}

std::optional<std::vector<const Instruction *>>
KernelStructure::findSourcesOfWays(const llvm::Loop &L) const {
  constexpr std::size_t MostSources = 128;
  const llvm::Loop *Outermost = L.getOutermostLoop();
  // How lanes came to the header is asked again there.
  if (Outermost == &L || isPassedBy(L.getHeader()))
    return std::nullopt;
  std::vector<const Instruction *> Sources;
  SmallPtrSet<const Instruction *, 16> Seen;
  auto AddOperands = [&](const Instruction &Of) {
    for (const Value *Operand : Of.operands())
      if (auto *I = dyn_cast<Instruction>(Operand); I && !L.contains(I) &&
                                                    Outermost->contains(I) &&
                                                    Seen.insert(I).second)
        Sources.push_back(I);
  };
  auto StaysInside = [&](const Use &U) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    return L.contains(Phi ? Phi->getIncomingBlock(U) : User->getParent()) ||
           !(isOfWays(*User) || User->isTerminator());
  };
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      if (auto *Call = dyn_cast<CallInst>(&I); Call && mayWritePrivate(*Call))
        return std::nullopt;
      if (!isOfWays(I) && !I.isTerminator())
        continue;
      if (!isDecidedByOperands(I) || isAddedUp(I) ||
          !llvm::all_of(I.uses(), StaysInside))
        return std::nullopt;
      AddOperands(I);
    }
  for (std::size_t K = 0; K != Sources.size(); ++K) {
    if (Sources.size() > MostSources ||
        Sources[K]->getType()->isFloatingPointTy())
      return std::nullopt;
    AddOperands(*Sources[K]);
  }
  return Sources;
}

} // namespace cudalint
