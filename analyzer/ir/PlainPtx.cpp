//===- analyzer/ir/PlainPtx.cpp - What LLVM has for inline PTX ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/PlainPtx.h"

#include "analyzer/ir/InlinePtx.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace cudalint {

/// Operand `$N`, where \p Outputs are numbered first; null: it is none that is
/// given.
static Value *operand(const CallInst &Call, unsigned N, unsigned Outputs) {
  return N >= Outputs && N - Outputs < Call.arg_size()
             ? Call.getArgOperand(N - Outputs)
             : nullptr;
}

static void replaceByCast(CallInst &Call, const InlineAsm &Asm) {
  if (!Call.getType()->isIntegerTy())
    return;
  const std::optional<unsigned> N =
      sharedAddressOperand(Asm.getAsmString().str());
  Value *Address = N ? operand(Call, *N, 1) : nullptr;
  if (!Address || !(Address->getType()->isPointerTy() ||
                    Address->getType()->isIntegerTy(64)))
    return;
  IRBuilder<> B(&Call);
  if (Address->getType()->isIntegerTy())
    Address = B.CreateIntToPtr(Address, B.getPtrTy());
  Value *Shared =
      B.CreateAddrSpaceCast(Address, B.getPtrTy(NVPTXAS::ADDRESS_SPACE_SHARED));
  Call.replaceAllUsesWith(B.CreatePtrToInt(Shared, Call.getType()));
  Call.eraseFromParent();
}

/// What gives a result besides is left alone: it keeps what it had.
static void replaceByBranch(CallInst &Call, const InlineAsm &Asm) {
  if (!Call.getType()->isVoidTy())
    return;
  const std::optional<PredicatedPtx> Guarded =
      predicatedInstruction(Asm.getAsmString().str());
  Value *Condition = Guarded ? operand(Call, Guarded->Condition, 0) : nullptr;
  if (!Condition || !Condition->getType()->isIntegerTy(32))
    return;
  IRBuilder<> B(&Call);
  Instruction *Then = SplitBlockAndInsertIfThen(
      B.CreateICmpNE(Condition, B.getInt32(0)), &Call, /*Unreachable=*/false);
  Call.moveBefore(Then->getIterator());
  Call.setCalledOperand(InlineAsm::get(
      Call.getFunctionType(), Guarded->Instruction, Asm.getConstraintString(),
      Asm.hasSideEffects(), Asm.isAlignStack(), Asm.getDialect()));
}

void makePtxPlain(Module &M) {
  for (Function &F : M) {
    SmallVector<CallInst *> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
        Calls.push_back(Call);
    for (CallInst *Call : Calls) {
      const auto &Asm = *cast<InlineAsm>(Call->getCalledOperand());
      if (Call->getType()->isVoidTy())
        replaceByBranch(*Call, Asm);
      else
        replaceByCast(*Call, Asm);
    }
  }
}

} // namespace cudalint
