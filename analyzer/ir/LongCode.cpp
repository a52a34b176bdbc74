//===- analyzer/ir/LongCode.cpp - What generators write -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LongCode.h"

#include "analyzer/ir/AccessMarkers.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"

using namespace llvm;

namespace cudalint {

/// Far more than people write; 1,000 blocks one below the other take 0.1 s.
static constexpr std::size_t MostBlocksToNumber = 2000;

static constexpr StringRef CopyName = "cuda-lint.copy.";

/// A function of which nothing is known but that it is one: InstCombine looks
/// through an argument that is said to be returned, and the copies were gone.
static FunctionCallee copyOf(Module &M, Type *T) {
  FunctionCallee Copy = M.getOrInsertFunction(
      (CopyName + Twine(T->getIntegerBitWidth())).str(), T, T);
  auto *F = cast<Function>(Copy.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setSpeculatable();
  return Copy;
}

static bool isCopy(const Value *V) {
  auto *Call = dyn_cast<CallInst>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName().starts_with(CopyName);
}

PreservedAnalyses CopyCrowdedValues::run(Function &F,
                                         FunctionAnalysisManager &) {
  constexpr unsigned MostUses = 256, UsesOfCopy = 128;
  SmallVector<Instruction *> Crowded;
  for (Instruction &I : instructions(F))
    if (I.getType()->isIntegerTy() && I.hasNUsesOrMore(MostUses + 1))
      Crowded.push_back(&I);
  for (Instruction *I : Crowded) {
    auto Place = I->getInsertionPointAfterDef();
    if (!Place)
      continue;
    SmallVector<Use *> Uses(make_pointer_range(I->uses()));
    ConstantRange Range = computeConstantRange(I, /*ForSigned=*/true);
    FunctionCallee Function = copyOf(*F.getParent(), I->getType());
    IRBuilder<> B(I->getParent(), *Place);
    CallInst *Copy = nullptr;
    for (std::size_t K = 0; K < Uses.size(); ++K) {
      if (K % UsesOfCopy == 0) {
        Copy = B.CreateCall(Function, {I});
        if (!Range.isFullSet() && !Range.isEmptySet())
          Copy->addRangeRetAttr(Range);
      }
      Uses[K]->set(Copy);
    }
  }
  if (Crowded.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

PreservedAnalyses DropCopies::run(Function &F, FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isCopy(&I))
      continue;
    I.replaceAllUsesWith(I.getOperand(0));
    I.eraseFromParent();
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

PreservedAnalyses NumberValues::run(Function &F, FunctionAnalysisManager &AM) {
  if (F.size() > MostBlocksToNumber)
    return EarlyCSEPass(/*UseMemorySSA=*/true).run(F, AM);
  return GVNPass().run(F, AM);
}

static constexpr StringRef LeftOutName = "cuda-lint-accesses-left-out";

PreservedAnalyses LeaveOutLongKernels::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    const std::size_t Accesses = countAccesses(F);
    if (Accesses <= MostAccesses)
      continue;
    // It stays a definition: a mere declaration would be removed.
    const GlobalValue::LinkageTypes Linkage = F.getLinkage();
    F.deleteBody();
    F.setLinkage(Linkage);
    ReturnInst::Create(F.getContext(),
                       BasicBlock::Create(F.getContext(), "", &F));
    F.addFnAttr(LeftOutName, std::to_string(Accesses));
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

std::optional<std::uint64_t> accessesLeftOut(const Function &Kernel) {
  std::uint64_t Accesses = 0;
  if (Kernel.getFnAttribute(LeftOutName)
          .getValueAsString()
          .getAsInteger(10, Accesses))
    return std::nullopt;
  return Accesses;
}

void dropCopyFunctions(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.getName().starts_with(CopyName) && F.use_empty())
      F.eraseFromParent();
}

} // namespace cudalint
