//===- analyzer/ir/Inlining.cpp - What becomes part of kernels ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/Inlining.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>

using namespace llvm;

namespace cudalint {

/// What may be added to one function.
static constexpr std::uint64_t MaxInstructions = 250'000;
/// What is as short as this is always inlined: the longest kernels ask for
/// threadIdx, too.
static constexpr std::uint64_t Short = 64;

namespace {
/// Sizes functions as if everything were inlined, callees before callers, and
/// marks the calls that would make their function too long.
class InliningBudget {
public:
  explicit InliningBudget(Module &M) {
    CallGraph Graph(M);
    for (auto Group = scc_begin(&Graph); !Group.isAtEnd(); ++Group)
      for (CallGraphNode *Node : *Group)
        if (Function *F = Node->getFunction(); F && !F->isDeclaration())
          Sizes[F] = spend(*F);
  }

private:
  DenseMap<const Function *, std::uint64_t> Sizes;

  struct Callee {
    std::uint64_t Size = 0; ///< Of all copies together.
    SmallVector<CallInst *, 8> Calls;
  };

  std::uint64_t spend(Function &F) {
    MapVector<const Function *, Callee> Callees;
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallInst>(&I);
      auto Known = Sizes.find(Call ? Call->getCalledFunction() : nullptr);
      if (Known == Sizes.end())
        continue;
      Callee &Each = Callees[Known->first];
      Each.Size = SaturatingAdd(Each.Size, Known->second);
      Each.Calls.push_back(Call);
    }
    auto Smallest = Callees.takeVector();
    std::ranges::stable_sort(Smallest, {},
                             [](const auto &Each) { return Each.second.Size; });
    std::uint64_t Added = 0;
    for (auto &[Function, Each] : Smallest)
      if (Sizes.lookup(Function) <= Short ||
          SaturatingAdd(Added, Each.Size) <= MaxInstructions)
        Added = SaturatingAdd(Added, Each.Size);
      else
        for (CallInst *Call : Each.Calls)
          Call->setIsNoInline();
    return SaturatingAdd<std::uint64_t>(F.getInstructionCount(), Added);
  }
};
} // namespace

void requestInlining(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration() || F.getCallingConv() == CallingConv::PTX_Kernel)
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    F.addFnAttr(Attribute::AlwaysInline);
    F.setLinkage(GlobalValue::InternalLinkage);
    F.setComdat(nullptr);
  }
  InliningBudget Budget(M);
}

/// A copy of what argument \p Number of \p Call points to, made before it.
static Value *copyFor(CallInst &Call, unsigned Number, Type *Ty) {
  Function &Caller = *Call.getFunction();
  const DataLayout &Layout = Caller.getParent()->getDataLayout();
  IRBuilder<> AtEntry(&*Caller.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Copy = AtEntry.CreateAlloca(Ty);
  Copy->setAlignment(std::max(Layout.getPrefTypeAlign(Ty),
                              Call.getParamAlign(Number).valueOrOne()));
  Value *Original = Call.getArgOperand(Number);
  IRBuilder<>(&Call).CreateMemCpy(Copy, Copy->getAlign(), Original,
                                  Original->getPointerAlignment(Layout),
                                  Layout.getTypeAllocSize(Ty).getFixedValue());
  return Copy;
}

void copyAtCalls(Module &M) {
  for (Function &F : M) {
    if (!F.hasFnAttribute(Attribute::AlwaysInline) || F.hasAddressTaken() ||
        !all_of(F.users(), IsaPred<CallInst>))
      continue;
    for (Argument &Parameter : F.args()) {
      Type *Ty = Parameter.getParamByValType();
      if (!Ty)
        continue;
      const unsigned Number = Parameter.getArgNo();
      for (User *Each : F.users()) {
        auto *Call = cast<CallInst>(Each);
        Call->setArgOperand(Number, copyFor(*Call, Number, Ty));
        Call->removeParamAttr(Number, Attribute::ByVal);
      }
      F.removeParamAttr(Number, Attribute::ByVal);
    }
  }
}

} // namespace cudalint
