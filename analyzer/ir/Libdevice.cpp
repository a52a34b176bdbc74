//===- analyzer/ir/Libdevice.cpp - Functions of libdevice -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/Libdevice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace cudalint {

/// The intrinsic that computes what the function \p Name of libdevice does.
static Intrinsic::ID intrinsicOf(StringRef Name) {
  return StringSwitch<Intrinsic::ID>(Name)
      .Cases({"__nv_min", "__nv_llmin"}, Intrinsic::smin)
      .Cases({"__nv_max", "__nv_llmax"}, Intrinsic::smax)
      .Cases({"__nv_umin", "__nv_ullmin"}, Intrinsic::umin)
      .Cases({"__nv_umax", "__nv_ullmax"}, Intrinsic::umax)
      .Cases({"__nv_abs", "__nv_llabs"}, Intrinsic::abs)
      .Cases({"__nv_popc", "__nv_popcll"}, Intrinsic::ctpop)
      .Cases({"__nv_clz", "__nv_clzll"}, Intrinsic::ctlz)
      .Cases({"__nv_brev", "__nv_brevll"}, Intrinsic::bitreverse)
      .Default(Intrinsic::not_intrinsic);
}

/// False: it is declared otherwise than in CUDA's headers.
static bool becomesIntrinsic(CallInst &Call, Intrinsic::ID ID) {
  const bool IsMinMax = ID == Intrinsic::smin || ID == Intrinsic::smax ||
                        ID == Intrinsic::umin || ID == Intrinsic::umax;
  const unsigned Operands = IsMinMax ? 2 : 1;
  if (Call.arg_size() != Operands || !Call.getType()->isIntegerTy())
    return false;
  Type *Ty = Call.getArgOperand(0)->getType();
  if (!Ty->isIntegerTy() || (IsMinMax && Ty != Call.getType()) ||
      !all_of(Call.args(),
              [&](const Use &Each) { return Each->getType() == Ty; }))
    return false;
  SmallVector<Value *, 2> Arguments(Call.args());
  IRBuilder<> B(&Call);
  // Of the smallest number and of 0, CUDA defines what LLVM leaves open.
  if (ID == Intrinsic::abs || ID == Intrinsic::ctlz)
    Arguments.push_back(B.getFalse());
  Value *Result = B.CreateIntrinsic(ID, {Ty}, Arguments);
  // The bits of 64 are counted in 32.
  Call.replaceAllUsesWith(B.CreateZExtOrTrunc(Result, Call.getType()));
  Call.eraseFromParent();
  return true;
}

/// Without this a call would stop every pass from moving a load across it.
static void describe(Function &F) {
  F.setDoesNotThrow();
  F.setWillReturn();
  F.removeFnAttr(Attribute::Convergent);
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      Call->removeFnAttr(Attribute::Convergent);
  const bool WritesThroughPointer =
      any_of(F.args(), [](Argument &A) { return A.getType()->isPointerTy(); });
  if (WritesThroughPointer)
    F.setOnlyAccessesArgMemory();
  else
    F.setDoesNotAccessMemory();
}

void describeLibdevice(Module &M) {
  for (Function &F : M) {
    if (!F.isDeclaration() || !F.getName().starts_with("__nv_"))
      continue;
    if (const Intrinsic::ID ID = intrinsicOf(F.getName()))
      for (User *U : make_early_inc_range(F.users()))
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && Call->getCalledOperand() == &F)
          becomesIntrinsic(*Call, ID);
    describe(F);
  }
}

} // namespace cudalint
