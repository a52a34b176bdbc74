//===- analyzer/ir/StaticAccess.cpp - What an instruction accesses --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/StaticAccess.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/InlinePtx.h"
#include "analyzer/ir/MatrixParts.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace cudalint {

/// Fills in what the type of the pointer tells, also of one that was cast to
/// the generic space.
static void inferSpace(StaticAccess &A) {
  const Value *Pointer = A.Pointer;
  while (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer))
    Pointer = Cast->getPointerOperand();
  if (A.Space != MemorySpace::Generic || !Pointer->getType()->isPointerTy())
    return;
  switch (Pointer->getType()->getPointerAddressSpace()) {
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
    A.Space = MemorySpace::Global;
    break;
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    A.Space = MemorySpace::Shared;
    break;
  case NVPTXAS::ADDRESS_SPACE_CONST:
  case NVPTXAS::ADDRESS_SPACE_PARAM:
    A.Space = MemorySpace::Constant;
    break;
  case NVPTXAS::ADDRESS_SPACE_LOCAL:
    A.Space = MemorySpace::Local;
    break;
  case NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    A.InCluster = true;
    break;
  default:
    break;
  }
}

static unsigned bytesOf(const Instruction &I, Type *T) {
  return static_cast<unsigned>(
      I.getModule()->getDataLayout().getTypeStoreSize(T).getFixedValue());
}

/// An access of the intrinsics that copy to shared memory asynchronously:
/// llvm.nvvm.cp.async.{ca,cg}.shared.global.BYTES[.s](shared, global, ...).
static unsigned asyncCopyBytes(const CallInst &I) {
  const Function *F = I.getCalledFunction();
  if (!F)
    return 0;
  StringRef Name = F->getName();
  if (!Name.consume_front("llvm.nvvm.cp.async.ca.shared.global.") &&
      !Name.consume_front("llvm.nvvm.cp.async.cg.shared.global."))
    return 0;
  unsigned Bytes = 0;
  return Name.consumeInteger(10, Bytes) ? 0 : Bytes;
}

static void addPtx(const CallInst &I, SmallVectorImpl<StaticAccess> &Out) {
  auto *Asm = dyn_cast<InlineAsm>(I.getCalledOperand());
  if (!Asm)
    return;
  // Operands are numbered outputs first.
  unsigned Outputs = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm->ParseConstraints())
    Outputs += C.Type == InlineAsm::isOutput && !C.isIndirect;
  auto Operand = [&](unsigned N) -> const Value * {
    return N >= Outputs && N - Outputs < I.arg_size()
               ? I.getArgOperand(N - Outputs)
               : nullptr;
  };
  const auto constant = [&](unsigned N) -> std::optional<unsigned> {
    const auto *C = dyn_cast_or_null<ConstantInt>(Operand(N));
    return C ? std::optional(static_cast<unsigned>(C->getLimitedValue(64)))
             : std::nullopt;
  };
  for (const PtxAccess &P : parseInlinePtx(Asm->getAsmString().str(), constant))
    if (const Value *V = Operand(P.AddressOperand)) {
      if (P.Matrices)
        Out.push_back({.Op = P.Op,
                       .Space = MemorySpace::Shared,
                       .Bytes = 16,
                       .Align = 16,
                       .Pointer = V,
                       .Matrices = P.Matrices});
      else
        Out.push_back({.Op = P.Op,
                       .Space = P.Space,
                       .Bytes = P.Bytes,
                       .Align = P.Bytes,
                       .Pointer = V,
                       .Atomic = P.Atomic});
    }
}

SmallVector<StaticAccess, 2> accessesOf(const Instruction &I) {
  SmallVector<StaticAccess, 2> Out;
  if (std::optional<MarkedAccess> Marked = markedAccess(I)) {
    Out.push_back({.Op = Marked->Op,
                   .Bytes = Marked->Bytes,
                   .Align = Marked->Align,
                   .Pointer = Marked->Pointer,
                   .Volatile = Marked->Volatile,
                   .IsRedundant = Marked->IsRedundant});
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    const unsigned Bytes = bytesOf(I, RMW->getType());
    Out.push_back({.Op = AccessOp::Atomic,
                   .Bytes = Bytes,
                   .Align = Bytes,
                   .Pointer = RMW->getPointerOperand(),
                   .Atomic = RMW->isFloatingPointOperation()
                                 ? AtomicForm::FloatingPoint
                             : RMW->getOperation() == AtomicRMWInst::Xchg
                                 ? AtomicForm::Exchange
                                 : AtomicForm::Arithmetic});
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    const unsigned Bytes = bytesOf(I, Exchange->getNewValOperand()->getType());
    Out.push_back({.Op = AccessOp::Atomic,
                   .Bytes = Bytes,
                   .Align = Bytes,
                   .Pointer = Exchange->getPointerOperand(),
                   .Atomic = AtomicForm::CompareAndSwap});
  } else if (auto *Call = dyn_cast<CallInst>(&I)) {
    if (unsigned Bytes = asyncCopyBytes(*Call)) {
      Out.push_back({.Op = AccessOp::Load,
                     .Space = MemorySpace::Global,
                     .Bytes = Bytes,
                     .Align = Bytes,
                     .Pointer = Call->getArgOperand(1)});
      Out.push_back({.Op = AccessOp::Store,
                     .Space = MemorySpace::Shared,
                     .Bytes = Bytes,
                     .Align = Bytes,
                     .Pointer = Call->getArgOperand(0)});
    } else {
      addPtx(*Call, Out);
      for (const MatrixPart &Each : matrixPartsOf(*Call))
        Out.push_back({.Op = Each.Op,
                       .Bytes = Each.Bytes,
                       .Align = Each.Bytes,
                       .Pointer = Each.Pointer,
                       .Matrices = Each.Matrices,
                       .Part = std::make_shared<const MatrixPart>(Each)});
    }
  }
  for (StaticAccess &A : Out)
    inferSpace(A);
  return Out;
}

bool isSurelyNotPrivate(const Value &Pointer) {
  const unsigned Space = Pointer.getType()->getPointerAddressSpace();
  return (Space != NVPTXAS::ADDRESS_SPACE_GENERIC &&
          Space != NVPTXAS::ADDRESS_SPACE_LOCAL) ||
         isa<Argument, GlobalVariable>(getUnderlyingObject(&Pointer));
}

} // namespace cudalint
