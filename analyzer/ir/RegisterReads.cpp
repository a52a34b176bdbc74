//===- analyzer/ir/RegisterReads.cpp - Special registers ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RegisterReads.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cudalint {

StringRef readRegister(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  StringRef Name = Callee ? Callee->getName() : StringRef();
  return Name.consume_front("llvm.nvvm.read.ptx.sreg.") ? Name : StringRef();
}

StringRef inlineAssembly(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->isInlineAsm()
             ? cast<InlineAsm>(Call->getCalledOperand())->getAsmString()
             : StringRef();
}

bool readsBlockIndex(const Instruction &I) {
  const StringRef Name = readRegister(I), Text = inlineAssembly(I);
  return Name.starts_with("ctaid.") || Name.starts_with("cluster") ||
         Text.contains("%ctaid") || Text.contains("%cluster");
}

bool readsClock(const Instruction &I) {
  const StringRef Name = readRegister(I), Text = inlineAssembly(I);
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Name.starts_with("clock") || Name.starts_with("globaltimer") ||
         Name == "smid" || Text.contains("%clock") ||
         Text.contains("%globaltimer") || Text.contains("%smid") ||
         (Intrinsic &&
          Intrinsic->getIntrinsicID() == llvm::Intrinsic::readcyclecounter);
}

bool readsGridSize(const Instruction &I) {
  const StringRef Name = readRegister(I), Text = inlineAssembly(I);
  return Name.starts_with("nctaid.") || Name.starts_with("nclusterid") ||
         Text.contains("%nctaid") || Text.contains("%ncluster");
}

} // namespace cudalint
