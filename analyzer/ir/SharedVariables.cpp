//===- analyzer/ir/SharedVariables.cpp - Who touches shared memory --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/SharedVariables.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/StaticAccess.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

bool isSharedVariable(const Value *Object) {
  auto *Variable = dyn_cast<GlobalVariable>(Object);
  return Variable &&
         Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// Owner of what may point into one of several.
static constexpr std::size_t Several = ~std::size_t(0);

/// The result points where an operand does, or is part of such an address.
static bool handsOn(const User &U) {
  if (isa<GEPOperator, PHINode, SelectInst, FreezeInst>(U))
    return true;
  if (auto *Call = dyn_cast<IntrinsicInst>(&U)) {
    const StringRef Name = Call->getCalledFunction()->getName();
    return Call->getIntrinsicID() == Intrinsic::ptrmask ||
           Name.starts_with("llvm.nvvm.ptr.") ||
           Name.starts_with("llvm.nvvm.mapa");
  }
  const auto *O = dyn_cast<Operator>(&U);
  return O && (Instruction::isCast(O->getOpcode()) ||
               Instruction::isBinaryOp(O->getOpcode()));
}

/// Nothing is read or written, and the address goes nowhere.
static bool isHarmless(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return isa<CmpInst>(I) || I.isLifetimeStartOrEnd() || isFence(I) ||
         (Call && Call->getCalledFunction()->getName().starts_with(
                      "llvm.nvvm.isspacep."));
}

/// What \p U does, when it is no access, in words.
static std::string inWords(const Use &U) {
  const auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return "its address is in another variable";
  if (isa<StoreInst>(I))
    return "its address is stored";
  if (isa<MemTransferInst>(I))
    return "many bytes of it are copied at once";
  if (isa<MemSetInst>(I))
    return "many bytes of it are set at once";
  if (const auto *Call = dyn_cast<CallBase>(I)) {
    if (Call->isInlineAsm())
      return "its address is used by inline PTX";
    const Function *F = Call->getCalledFunction();
    if (F && F->getName().starts_with("llvm.nvvm.wmma."))
      return "wmma loads or stores a matrix of it";
    if (F)
      return "its address is passed to '" + F->getName().str() + "'";
    return "its address is passed to a function";
  }
  return "its address is used in a way that is not followed";
}

/// Copies of few bytes are marked as accesses.
static bool isMarkedCopy(const Instruction &I) {
  const auto *Copy = dyn_cast<MemIntrinsic>(&I);
  const auto *Length =
      Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
  return Length && Length->getZExtValue() <= MaxCopyBytes;
}

void SharedVariables::follow(const GlobalVariable &Variable,
                             const Function &Kernel, std::size_t Index) {
  SharedVariable &Its = Variables[Index];
  Type *Element = Variable.getValueType();
  while (auto *Array = dyn_cast<ArrayType>(Element))
    Element = Array->getElementType();
  const std::uint64_t ElementBytes =
      Variable.getDataLayout().getTypeAllocSize(Element).getFixedValue();
  SmallVector<const Value *> Left = {&Variable};
  Owner[&Variable] = Index;
  auto lookAt = [&](const Use &U) {
    const User &By = *U.getUser();
    const auto *I = dyn_cast<Instruction>(&By);
    // Kernels have their own uses; what they call may be called by this one.
    if (I && I->getFunction() != &Kernel) {
      if (I->getFunction()->getCallingConv() != CallingConv::PTX_Kernel)
        Its.Unseen = "a function that is not evaluated uses it";
      return;
    }
    if (handsOn(By)) {
      const auto [Known, New] = Owner.try_emplace(&By, Index);
      if (New) {
        Left.push_back(&By);
      } else if (Known->second != Index && Known->second != Several) {
        const std::string Both = "some access is to it or to another variable";
        Variables[Known->second].Unseen = Its.Unseen = Both;
        Known->second = Several;
        Left.push_back(&By);
      }
      return;
    }
    if (!I) {
      Its.Unseen = inWords(U);
      return;
    }
    bool IsAccess = false;
    for (const StaticAccess &Each : accessesOf(*I))
      if (Each.Pointer == U.get()) {
        IsAccess = true;
        // nvcc keeps what is stored to as another type, `*(float4 *)&tile[i]`.
        Its.IsOnlyStored &= Each.Op == AccessOp::Store && !Each.Volatile &&
                            Each.Bytes <= ElementBytes;
        Its.HasMatrices |= Each.Part != nullptr;
        // wmma takes lines that begin at multiples of 16 bytes.
        Its.Widest = std::max(
            {Its.Widest, Each.Matrices || Each.Part ? 16u : 0u, Each.Bytes});
        if (!Each.IsRedundant)
          Accesses.emplace_back(I, Index);
      }
    // What a plain load or store accesses, its marker says.
    const bool IsMarked = getLoadStorePointerOperand(I) == U.get();
    // Of a call, the accesses above tell, or it is not seen what it does.
    Its.IsOnlyStored &= !I->mayReadFromMemory() || isa<CallBase>(I);
    if (!IsAccess && !IsMarked && !isHarmless(*I) && !isMarkedCopy(*I))
      Its.Unseen = inWords(U);
  };
  while (!Left.empty())
    for (const Use &U : Left.pop_back_val()->uses())
      lookAt(U);
  Its.IsOnlyStored &= Its.Unseen.empty();
}

/// `tile` of `_ZZ1kPfE4tile`, k(float*)::tile.
static std::string plainName(StringRef Linkage) {
  const std::string Name = demangle(Linkage);
  const std::size_t Scope = Name.rfind("::");
  return Scope == Name.npos ? Name : Name.substr(Scope + 2);
}

SharedVariables::SharedVariables(const Function &Kernel) {
  // Those that constants lead to, too: as the users of all variables are
  // walked, most of them are in other kernels.
  SmallPtrSet<const GlobalVariable *, 8> Used;
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *> Left;
  for (const BasicBlock &B : Kernel)
    for (const Instruction &I : B)
      for (const Use &U : I.operands())
        if (isa<Constant>(U.get()))
          Left.push_back(U.get());
  while (!Left.empty()) {
    const Value *V = Left.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (auto *G = dyn_cast<GlobalVariable>(V)) {
      if (G->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
        Used.insert(G);
    } else if (auto *E = dyn_cast<ConstantExpr>(V)) {
      for (const Use &U : E->operands())
        Left.push_back(U.get());
    }
  }
  std::vector<const GlobalVariable *> Sorted(Used.begin(), Used.end());
  std::ranges::sort(Sorted, {},
                    [](const GlobalVariable *G) { return G->getName().str(); });
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  for (const GlobalVariable *G : Sorted)
    Variables.push_back(
        {.Name = G->getName().str(),
         .PlainName = plainName(G->getName()),
         .Bytes =
             G->isDeclaration()
                 ? 0
                 : Layout.getTypeAllocSize(G->getValueType()).getFixedValue()});
  for (std::size_t I = 0; I != Sorted.size(); ++I)
    follow(*Sorted[I], Kernel, I);
}

void SharedVariables::markUnreached(
    const DenseSet<const Instruction *> &Reached) {
  for (const auto &[I, Index] : Accesses)
    Variables[Index].HasUnreached |= !Reached.contains(I);
}

std::string SharedVariables::variableOf(const Value &Address) const {
  const auto Found = Owner.find(&Address);
  return Found == Owner.end() || Found->second == Several
             ? std::string()
             : Variables[Found->second].Name;
}

} // namespace cudalint
