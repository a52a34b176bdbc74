//===- analyzer/ir/IssueSlots.cpp - What code is compiled to --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/IssueSlots.h"

#include "analyzer/ir/AccessMarkers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace cudalint {

/// Special functions come at an eighth of the rate of an FMA from 7.0 on (CUDA
/// C++ Programming Guide, "Arithmetic Instructions"), and a function of the
/// mathematical library or a division is made of one and some more.
static constexpr double SlotsOfFunction = 8;

/// Of integers by what only the run knows, on an H100: see slow-division.
static constexpr double SlotsOfDivision = 10, SlotsOfLongDivision = 97;

/// By a constant: a multiplication, a shift and what corrects them.
static constexpr double SlotsOfKnownDivision = 3;

/// A product that is added to something, once.
static bool isFusedProduct(const Value &V) {
  auto *Product = dyn_cast<BinaryOperator>(&V);
  return Product && Product->getOpcode() == Instruction::FMul &&
         Product->hasOneUse() && Product->hasAllowContract();
}

bool isFusedMultiplyAdd(const Instruction &I) {
  if (auto *Call = dyn_cast<CallInst>(&I)) {
    const Function *F = Call->getCalledFunction();
    if (!F || !(I.getType()->isFloatTy() || I.getType()->isDoubleTy()))
      return false;
    const Intrinsic::ID Id = F->getIntrinsicID();
    StringRef Name = F->getName();
    return Id == Intrinsic::fma || Id == Intrinsic::fmuladd ||
           Name.starts_with("llvm.nvvm.fma.") ||
           (Name.consume_front("__nv_fma") && !Name.starts_with("x"));
  }
  return (I.getOpcode() == Instruction::FAdd ||
          I.getOpcode() == Instruction::FSub) &&
         I.hasAllowContract() &&
         (isFusedProduct(*I.getOperand(0)) || isFusedProduct(*I.getOperand(1)));
}

/// Whether it is added by an FMA, which adds one product: of two, `a * b + c *
/// d`, the other one is an instruction.
static bool isPartOfFma(const Instruction &I) {
  if (!isFusedProduct(I))
    return false;
  auto &Sum = *cast<Instruction>(*I.user_begin());
  return isFusedMultiplyAdd(Sum) &&
         (Sum.getOperand(0) == &I || !isFusedProduct(*Sum.getOperand(0)));
}

static double slotsOfCall(const CallInst &Call) {
  if (markedAccess(Call) || isFence(Call) || isa<DbgInfoIntrinsic>(Call) ||
      Call.isLifetimeStartOrEnd() || isa<AssumeInst>(Call))
    return 0;
  if (isFusedMultiplyAdd(Call))
    return 1;
  const Function *F = Call.getCalledFunction();
  if (!F)
    return 1;
  StringRef Name = F->getName();
  // Where a lane is does not change: it is in a register.
  if (Name.starts_with("llvm.nvvm.read.ptx.sreg."))
    return 0;
  switch (F->getIntrinsicID()) {
  case Intrinsic::sqrt:
    return SlotsOfFunction;
  case Intrinsic::not_intrinsic:
    return Name.starts_with("__nv_f") && !Name.starts_with("__nv_fdiv")
               ? 1 // __nv_fabsf, __nv_fadd_rn, __nv_fmaxf
               : SlotsOfFunction;
  default:
    return 1;
  }
}

static double slotsOfIntegerDivision(const Instruction &I) {
  if (isa<ConstantInt>(I.getOperand(1))) {
    const APInt &By = cast<ConstantInt>(I.getOperand(1))->getValue();
    return By.isPowerOf2() ? 1 : SlotsOfKnownDivision;
  }
  return I.getType()->isIntegerTy(64) ? SlotsOfLongDivision : SlotsOfDivision;
}

double issueSlotsOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Alloca:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::Ret:
  case Instruction::Unreachable:
    return 0;
  case Instruction::Br:
    return cast<BranchInst>(I).isConditional() ? 1 : 0;
  case Instruction::GetElementPtr:
    return cast<GetElementPtrInst>(I).hasAllConstantIndices() ? 0 : 1;
  case Instruction::FMul:
    return isPartOfFma(I) ? 0 : 1;
  case Instruction::FDiv:
  case Instruction::FRem:
    return SlotsOfFunction;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return slotsOfIntegerDivision(I);
  case Instruction::Call:
    return slotsOfCall(cast<CallInst>(I));
  default:
    return 1;
  }
}

} // namespace cudalint
