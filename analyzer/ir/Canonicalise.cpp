//===- analyzer/ir/Canonicalise.cpp - Device IR in one shape --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/Canonicalise.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/Inlining.h"
#include "analyzer/ir/KnownSelects.h"
#include "analyzer/ir/Libdevice.h"
#include "analyzer/ir/LongCode.h"
#include "analyzer/ir/PlainPtx.h"
#include "analyzer/ir/ScopedAtomics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <mutex>

using namespace llvm;

namespace cudalint {

/// Copies of whole structs become loads and stores, so that values are known
/// through them.
static bool expandCopy(MemCpyInst &Copy) {
  auto *Size = dyn_cast<ConstantInt>(Copy.getLength());
  if (!Size || Size->getZExtValue() > MaxCopyBytes)
    return false;
  std::uint64_t Bytes = Size->getZExtValue();
  IRBuilder<> B(&Copy);
  Align Source = Copy.getSourceAlign().valueOrOne();
  Align Dest = Copy.getDestAlign().valueOrOne();
  std::vector<std::pair<Value *, std::uint64_t>> Parts;
  for (auto [At, Size] : piecesOfCopy(Bytes, std::min(Source, Dest))) {
    Type *Ty = B.getIntNTy(static_cast<unsigned>(Size * 8));
    Value *From =
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Copy.getRawSource(), At);
    Parts.push_back({B.CreateAlignedLoad(Ty, From, commonAlignment(Source, At),
                                         Copy.isVolatile()),
                     At});
  }
  for (auto [Part, At] : Parts) {
    Value *To =
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Copy.getRawDest(), At);
    B.CreateAlignedStore(Part, To, commonAlignment(Dest, At),
                         Copy.isVolatile());
  }
  Copy.eraseFromParent();
  return true;
}

struct ExpandCopies : PassInfoMixin<ExpandCopies> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    SmallVector<MemCpyInst *> Copies;
    for (Instruction &I : instructions(F))
      if (auto *Copy = dyn_cast<MemCpyInst>(&I))
        Copies.push_back(Copy);
    bool Changed = false;
    for (MemCpyInst *Copy : Copies)
      Changed |= expandCopy(*Copy);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// Puts private variables into registers, and takes away the markers that turn
/// out to be of such: each shows more of the other.
struct FreePrivateVariables : PassInfoMixin<FreePrivateVariables> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
    constexpr unsigned MostRounds = 8;
    for (unsigned Round = 0; Round < MostRounds; ++Round) {
      const bool Dropped = dropPrivateMarkers(F);
      if (Round && !Dropped)
        break;
      AM.invalidate(F, PreservedAnalyses::none());
      PreservedAnalyses Kept = SROAPass(SROAOptions::ModifyCFG).run(F, AM);
      AM.invalidate(F, Kept);
    }
    return PreservedAnalyses::none();
  }
};

/// Whether some kernel calls what was not known by its name when functions were
/// inlined.
static bool callsThroughPointers(const Module &M) {
  return any_of(M, [](const Function &F) {
    return any_of(instructions(F), [](const Instruction &I) {
      auto *Call = dyn_cast<CallInst>(&I);
      if (!Call || Call->isInlineAsm() || Call->isNoInline())
        return false;
      const Function *Callee = Call->getCalledFunction();
      return !Callee || !Callee->isDeclaration();
    });
  });
}

static std::unique_ptr<TargetMachine> makeTargetMachine(const Module &M) {
  static std::once_flag Once;
  std::call_once(Once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
  });
  std::string Error;
  const llvm::Target *T =
      TargetRegistry::lookupTarget(M.getTargetTriple(), Error);
  if (!T)
    return nullptr;
  StringRef CPU = "sm_90";
  for (const Function &F : M)
    if (F.hasFnAttribute("target-cpu")) {
      CPU = F.getFnAttribute("target-cpu").getValueAsString();
      break;
    }
  return std::unique_ptr<TargetMachine>(T->createTargetMachine(
      M.getTargetTriple(), CPU, "", TargetOptions(), std::nullopt));
}

void canonicalise(Module &M, std::size_t MostAccesses) {
  describeLibdevice(M);
  requestInlining(M);
  makeScopedAtomicsPlain(M);
  makePtxPlain(M);
  markAccesses(M);
  copyAtCalls(M);

  std::unique_ptr<TargetMachine> TM = makeTargetMachine(M);
  PipelineTuningOptions Tuning;
  PassBuilder PB(TM.get(), Tuning);
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);

  // What is passed as a pointer to a function that is inlined can be inlined
  // after it.
  constexpr unsigned MostRounds = 4;
  for (unsigned Round = 0; Round < MostRounds; ++Round) {
    ModulePassManager Inline;
    Inline.addPass(LeaveOutLongKernels(MostAccesses));
    Inline.addPass(GlobalDCEPass()); // What no kernel calls.
    // Small bodies first: what is inlined often should be simple already.
    FunctionPassManager FPM;
    FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
    FPM.addPass(DropRedundant());
    FPM.addPass(SimplifyCFGPass());
    Inline.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
    Inline.addPass(AlwaysInlinerPass());
    Inline.addPass(GlobalDCEPass());
    // Now with what is inlined.
    Inline.addPass(LeaveOutLongKernels(MostAccesses));
    Inline.run(M, MAM);
    if (!callsThroughPointers(M))
      break;
    MAM.invalidate(M, PreservedAnalyses::none());
    requestInlining(M);
  }

  ModulePassManager MPM;
  {
    FunctionPassManager FPM;
    FPM.addPass(FreePrivateVariables());
    FPM.addPass(ExpandCopies());
    FPM.addPass(FreePrivateVariables());
    FPM.addPass(DropRedundant());
    FPM.addPass(CopyCrowdedValues());
    FPM.addPass(InstCombinePass());
    FPM.addPass(DropCopies());
    FPM.addPass(SimplifyCFGPass());
    FPM.addPass(InferAddressSpacesPass());
    FPM.addPass(LoopSimplifyPass());
    FPM.addPass(LCSSAPass());
    FPM.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                /*UseMemorySSA=*/true));
    FPM.addPass(NumberValues());
    FPM.addPass(CopyCrowdedValues());
    FPM.addPass(InstCombinePass());
    FPM.addPass(DropCopies());
    FPM.addPass(SimplifyCFGPass());
    FPM.addPass(KnownSelects());
    FPM.addPass(FinishMarkers());
    FPM.addPass(ADCEPass());
    FPM.addPass(EarlyCSEPass());
    FPM.addPass(LoopSimplifyPass());
    FPM.addPass(LCSSAPass());
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  }
  MPM.run(M, MAM);
  dropCopyFunctions(M);
}

} // namespace cudalint
