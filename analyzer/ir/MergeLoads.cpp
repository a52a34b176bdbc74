//===- analyzer/ir/MergeLoads.cpp - Neighbours of other types -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/MergeLoads.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <map>

using namespace llvm;

namespace cudalint {

/// A load of part of a 16-byte word, at a constant distance from a base.
struct PartialLoad {
  LoadInst *Load;
  const Value *Base;
  std::int64_t Offset;
  std::uint64_t Bytes;
};

/// Makes one load of two neighbours that fill an aligned word; null if they do
/// not, or if memory may change between them.
static LoadInst *mergePair(const PartialLoad &Low, const PartialLoad &High) {
  std::uint64_t Bytes = Low.Bytes + High.Bytes;
  if (Low.Base != High.Base ||
      Low.Offset + static_cast<std::int64_t>(Low.Bytes) != High.Offset ||
      !isPowerOf2_64(Bytes) || Bytes > 16 || Low.Load->getAlign() < Bytes ||
      Low.Load->getPointerAddressSpace() != High.Load->getPointerAddressSpace())
    return nullptr;
  LoadInst *First = Low.Load, *Second = High.Load;
  if (Second->comesBefore(First))
    std::swap(First, Second);
  for (Instruction *I = First; I != Second; I = I->getNextNode())
    if (I->mayWriteToMemory())
      return nullptr;
  // The address of the lower half must be there when the first one loads.
  if (First != Low.Load)
    return nullptr;
  IRBuilder<> B(First);
  B.SetCurrentDebugLocation(Low.Load->getDebugLoc());
  Type *Wide = B.getIntNTy(static_cast<unsigned>(Bytes * 8));
  LoadInst *L =
      B.CreateAlignedLoad(Wide, First->getPointerOperand(), First->getAlign());
  auto Part = [&](LoadInst *Of, std::uint64_t At) {
    const DataLayout &DL = Of->getModule()->getDataLayout();
    Type *Ty = Of->getType();
    Value *V = At ? B.CreateLShr(L, At * 8) : static_cast<Value *>(L);
    V = B.CreateTrunc(V, B.getIntNTy(static_cast<unsigned>(
                             DL.getTypeSizeInBits(Ty).getFixedValue())));
    V = Ty->isPointerTy() ? B.CreateIntToPtr(V, Ty) : B.CreateBitCast(V, Ty);
    Of->replaceAllUsesWith(V);
  };
  Part(Low.Load, 0);
  Part(High.Load, Low.Bytes);
  Low.Load->eraseFromParent();
  High.Load->eraseFromParent();
  return L;
}

/// Loads of a block by place, so that neighbours in memory are neighbours here.
using LoadsByPlace =
    std::map<std::pair<const Value *, std::int64_t>, PartialLoad>;

static LoadsByPlace partialLoads(BasicBlock &B, const DataLayout &DL) {
  LoadsByPlace Loads;
  for (Instruction &I : B) {
    auto *L = dyn_cast<LoadInst>(&I);
    if (!L || !L->isSimple() || L->getType()->isAggregateType())
      continue;
    std::uint64_t Bits = DL.getTypeSizeInBits(L->getType());
    if (Bits % 8 || Bits >= 128)
      continue;
    std::int64_t Offset = 0;
    const Value *Base =
        GetPointerBaseWithConstantOffset(L->getPointerOperand(), Offset, DL);
    Loads.try_emplace({Base, Offset}, PartialLoad{L, Base, Offset, Bits / 8});
  }
  return Loads;
}

PreservedAnalyses MergeMixedLoads::run(Function &F, FunctionAnalysisManager &) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  bool Changed = false;
  for (BasicBlock &B : F) {
    LoadsByPlace Loads = partialLoads(B, DL);
    for (auto It = Loads.begin(); It != Loads.end();) {
      PartialLoad &Low = It->second;
      auto High = Loads.find(
          {Low.Base, Low.Offset + static_cast<std::int64_t>(Low.Bytes)});
      LoadInst *Wide =
          High == Loads.end() ? nullptr : mergePair(Low, High->second);
      if (!Wide) {
        ++It;
        continue;
      }
      Changed = true;
      Low.Load = Wide;
      Low.Bytes += High->second.Bytes;
      Loads.erase(High);
      // It may be the upper half of something wider, or the lower one.
      if (It != Loads.begin())
        --It;
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace cudalint
