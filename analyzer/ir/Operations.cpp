//===- analyzer/ir/Operations.cpp - Floating-point operations -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/Operations.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace cudalint {

/// By the name of the function: `llvm.nvvm.fma.rn.f`, `__nv_fmaf_rn`,
/// `__nv_fadd_rn`.
static unsigned operationsOfCall(StringRef Name) {
  if (Name.consume_front("llvm.nvvm.")) {
    if (Name.starts_with("fma."))
      return 2;
    for (const char *Each : {"add.", "mul.", "div.", "sqrt.", "rcp."})
      if (Name.starts_with(Each))
        return !Name.contains(".i") && !Name.contains(".u");
    return 0;
  }
  if (!Name.consume_front("__nv_"))
    return 0;
  if (Name.starts_with("fma"))
    return Name.starts_with("fmax") ? 0 : 2;
  for (const char *Each : {"fadd_", "fsub_", "fmul_", "fdiv_", "dadd_", "dsub_",
                           "dmul_", "ddiv_", "sqrt", "fsqrt_", "dsqrt_"})
    if (Name.starts_with(Each))
      return 1;
  return 0;
}

static unsigned operationsOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return 1;
  case Instruction::Call:
    break;
  default:
    return 0;
  }
  const auto &Call = cast<CallInst>(I);
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return 2;
  case Intrinsic::sqrt:
    return 1;
  default:
    return Call.getCalledFunction()
               ? operationsOfCall(Call.getCalledFunction()->getName())
               : 0;
  }
}

/// Of one instruction of PTX: `fma.rn.f16x2 $0,$1,$2,$3`.
static void addOperationsOfPtx(StringRef Instruction, OperationCount &Out) {
  Instruction = Instruction.ltrim(" \t\n{");
  const StringRef Name = Instruction.take_while(
      [](char C) { return isAlnum(C) || C == '.' || C == '_'; });
  const StringRef Type = Name.rsplit('.').second;
  double *const Into = StringSwitch<double *>(Type)
                           .Cases({"f16", "f16x2", "bf16", "bf16x2"}, &Out.Half)
                           .Cases({"f32", "f32x2"}, &Out.Float)
                           .Case("f64", &Out.Double)
                           .Default(nullptr);
  if (Into)
    *Into += (Type.ends_with("x2") ? 2 : 1) *
             StringSwitch<unsigned>(Name.split('.').first)
                 .Cases({"fma", "mad"}, 2)
                 .Cases({"add", "sub", "mul", "div", "sqrt", "rcp"}, 1)
                 .Default(0);
}

static OperationCount operationsOf(const BasicBlock &Block) {
  OperationCount Out;
  for (const Instruction &I : Block) {
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm()) {
      // The intrinsics of halves are such.
      SmallVector<StringRef> Each;
      StringRef(cast<InlineAsm>(Call->getCalledOperand())->getAsmString())
          .split(Each, ';');
      for (const StringRef Instruction : Each)
        addOperationsOfPtx(Instruction, Out);
      continue;
    }
    const Type *T = I.getType();
    unsigned Elements = 1;
    if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
      Elements = Vector->getNumElements();
      T = Vector->getElementType();
    }
    if (!T->isFloatingPointTy())
      continue;
    double &Into = T->isDoubleTy()  ? Out.Double
                   : T->isFloatTy() ? Out.Float
                                    : Out.Half;
    Into += Elements * operationsOf(I);
  }
  return Out;
}

static constexpr char OperationsNote[] = "cuda_lint.operations";

void noteOperations(Function &Kernel) {
  Type *Number = Type::getInt32Ty(Kernel.getContext());
  auto Note = [&](const OperationCount &C) {
    SmallVector<Metadata *> Counts;
    for (const double Each : {C.Half, C.Float, C.Double})
      Counts.push_back(ConstantAsMetadata::get(
          ConstantInt::get(Number, static_cast<std::uint64_t>(Each))));
    return MDNode::get(Kernel.getContext(), Counts);
  };
  OperationCount All;
  for (BasicBlock &Each : Kernel) {
    const OperationCount C = operationsOf(Each);
    All.add(C);
    if (C != OperationCount())
      Each.getTerminator()->setMetadata(OperationsNote, Note(C));
  }
  Kernel.setMetadata(OperationsNote, Note(All));
}

static OperationCount readNote(const MDNode *Note) {
  if (!Note)
    return {};
  auto Count = [&](unsigned K) {
    return static_cast<double>(
        mdconst::extract<ConstantInt>(Note->getOperand(K))->getZExtValue());
  };
  return {.Half = Count(0), .Float = Count(1), .Double = Count(2)};
}

OperationCount notedOperations(const BasicBlock &Block) {
  return readNote(Block.getTerminator()->getMetadata(OperationsNote));
}

bool hasAllNotedOperations(const Function &Kernel) {
  OperationCount All;
  for (const BasicBlock &Each : Kernel)
    All.add(notedOperations(Each));
  return All == readNote(Kernel.getMetadata(OperationsNote));
}

bool hasMatrixOperations(const Function &Kernel) {
  return llvm::any_of(instructions(Kernel), [](const Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      return false;
    if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
      return StringRef(Asm->getAsmString()).contains("mma");
    const Function *F = Call->getCalledFunction();
    return F && F->getName().starts_with("llvm.nvvm.") &&
           F->getName().contains("mma");
  });
}

} // namespace cudalint
