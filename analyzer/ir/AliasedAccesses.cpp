//===- analyzer/ir/AliasedAccesses.cpp - What pointers may share ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AliasedAccesses.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/RepeatingLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace cudalint {
namespace {

/// What another access does to one that could do without being made again.
enum class Effect {
  None,    ///< It is elsewhere.
  Perhaps, ///< Only as pointers may lead to the same place.
  Sure,    ///< It keeps it, or nobody knows.
};

class Aliased {
public:
  Aliased(ArrayRef<PlacedAccess> All, const LoopInfo &Loops)
      : All(All), Loops(Loops) {
    for (const Instruction &I : instructions(All.front().Inst->getFunction()))
      if (!markedAccess(I) && !isa<AssumeInst, LifetimeIntrinsic>(I) &&
          (isBarrier(I) || (isa<CallBase>(I) && I.mayReadOrWriteMemory())))
        Opaque.push_back(&I);
  }

  std::optional<MayAlias> of(const PlacedAccess &Each) const;

  /// As WrittenAccess::LeavesLoops, of a load from memory that the kernel is
  /// given.
  unsigned loopsLeftBy(const PlacedAccess &Each) const;

private:
  ArrayRef<PlacedAccess> All;
  const LoopInfo &Loops;
  SmallVector<const Instruction *> Opaque; ///< Calls and barriers.

  template <typename Predicate>
  std::optional<unsigned> onlyCause(const PlacedAccess &Of,
                                    Predicate IsBetween) const;
};

} // namespace

/// The pointer that the kernel is given and that \p Each goes by; or null.
static const Argument *parameterOf(const PlacedAccess &Each) {
  auto *Given = dyn_cast<Argument>(getUnderlyingObject(Each.Pointer));
  return Given && Given->getType()->isPointerTy() && !Given->hasByValAttr()
             ? Given
             : nullptr;
}

static bool isSameAddress(const WrittenAccess &A, const WrittenAccess &B) {
  return A.Chain == B.Chain && A.ChainOffset == B.ChainOffset &&
         A.Bytes == B.Bytes;
}

/// What \p Other, which writes, does to \p Of by where it is.
static Effect effectOfWrite(const PlacedAccess &Other, const PlacedAccess &Of) {
  const WrittenAccess &By = *Other.Written, &W = *Of.Written;
  const Argument *Own = parameterOf(Of), *Its = parameterOf(Other);
  if (!Its) {
    // Pointers that the kernel is given lead neither to what it has itself nor
    // to what it is given by value.
    const Value *Object = getUnderlyingObject(Other.Pointer);
    auto *Variable = dyn_cast<GlobalVariable>(Object);
    const bool IsElsewhere =
        isa<AllocaInst, Argument>(Object) ||
        (Variable &&
         (Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED ||
          Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST));
    return IsElsewhere ? Effect::None : Effect::Sure;
  }
  if (Its != Own)
    return Own->hasNoAliasAttr() || Its->hasNoAliasAttr() ? Effect::None
                                                          : Effect::Perhaps;
  // A value that is stored over and over again goes by a register from turn to
  // turn.
  return W.Op == AccessOp::Store && isSameAddress(By, W) ? Effect::None
                                                         : Effect::Sure;
}

/// What \p Other does to \p Of.
static Effect effectOf(const PlacedAccess &Other, const PlacedAccess &Of) {
  const WrittenAccess &By = *Other.Written, &W = *Of.Written;
  // Volatile memory and atomics keep their place among all others.
  if (By.Volatile)
    return Effect::Sure;
  if (By.Op == AccessOp::Load && W.Op == AccessOp::Load)
    return Effect::None;
  return effectOfWrite(Other, Of);
}

/// The parameter of the first access between that perhaps has an effect on
/// \p Of, where none surely has one and some perhaps.
template <typename Predicate>
std::optional<unsigned> Aliased::onlyCause(const PlacedAccess &Of,
                                           Predicate IsBetween) const {
  if (any_of(Opaque, [&](const Instruction *I) { return IsBetween(*I); }))
    return std::nullopt;
  std::optional<unsigned> First;
  for (const PlacedAccess &Other : All) {
    if (Other.Inst == Of.Inst || !IsBetween(*Other.Inst))
      continue;
    const Effect What = effectOf(Other, Of);
    if (What == Effect::Sure)
      return std::nullopt;
    if (What == Effect::Perhaps && !First)
      First = parameterOf(Other)->getArgNo();
  }
  return First;
}

std::optional<MayAlias> Aliased::of(const PlacedAccess &Each) const {
  const WrittenAccess &W = *Each.Written;
  if (W.Volatile || W.IsRedundant || W.Op == AccessOp::Atomic ||
      !parameterOf(Each))
    return std::nullopt;
  std::optional<MayAlias> Found;
  const BasicBlock *Block = Each.Inst->getParent();
  unsigned Depth = 0;
  for (const Loop *L = Loops.getLoopFor(Block);
       L && Depth < std::min(W.Invariant, W.InEachTurn);
       L = L->getParentLoop()) {
    // Nobody wants it to be removed.
    if (isNotedAsRepeating(*L))
      break;
    const std::optional<unsigned> Cause =
        onlyCause(Each, [&](const Instruction &I) { return L->contains(&I); });
    if (!Cause)
      break;
    Found = MayAlias{.Parameter = *Cause, .Loops = ++Depth};
  }
  if (Found || W.Op != AccessOp::Load)
    return Found;
  for (const PlacedAccess &Before : All) {
    if (Before.Inst->getParent() != Block ||
        !Before.Inst->comesBefore(Each.Inst) ||
        !isSameAddress(*Before.Written, W) || Before.Written->Volatile)
      continue;
    const std::optional<unsigned> Cause =
        onlyCause(Each, [&](const Instruction &I) {
          return I.getParent() == Block && Before.Inst->comesBefore(&I) &&
                 I.comesBefore(Each.Inst);
        });
    if (Cause)
      return MayAlias{.Parameter = *Cause, .Loops = 0};
  }
  return std::nullopt;
}

unsigned Aliased::loopsLeftBy(const PlacedAccess &Each) const {
  const WrittenAccess &W = *Each.Written;
  if (W.Volatile || W.Op != AccessOp::Load)
    return 0;
  unsigned Left = 0;
  for (const Loop *L = Loops.getLoopFor(Each.Inst->getParent());
       L && Left < std::min(W.Invariant, W.InEachTurn);
       L = L->getParentLoop()) {
    auto Stays = [&](const PlacedAccess &Other) {
      return !L->contains(Other.Inst) || Other.Written->Op == AccessOp::Load ||
             effectOfWrite(Other, Each) == Effect::None;
    };
    // What other threads write there would be seen by another pointer.
    auto MayWrite = [&](const Instruction *I) {
      return L->contains(I) &&
             !(isBarrier(*I) && parameterOf(Each)->hasNoAliasAttr());
    };
    if (any_of(Opaque, MayWrite) || !all_of(All, Stays))
      break;
    ++Left;
  }
  return Left;
}

void findAliased(ArrayRef<PlacedAccess> All, const LoopInfo &Loops) {
  // Each is looked at with all others.
  constexpr std::size_t Most = 1024;
  if (All.empty() || All.size() > Most)
    return;
  const Aliased Kernel(All, Loops);
  for (const PlacedAccess &Each : All) {
    Each.Written->Aliased = Kernel.of(Each);
    if (parameterOf(Each))
      Each.Written->LeavesLoops = Kernel.loopsLeftBy(Each);
  }
}

} // namespace cudalint
