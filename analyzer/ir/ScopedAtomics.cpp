//===- analyzer/ir/ScopedAtomics.cpp - Atomics of a block -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ScopedAtomics.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <optional>

using namespace llvm;

namespace cudalint {

static std::optional<AtomicRMWInst::BinOp> operationOf(StringRef Name,
                                                       bool IsFloat) {
  using enum AtomicRMWInst::BinOp;
  return StringSwitch<std::optional<AtomicRMWInst::BinOp>>(Name)
      .Case("add", IsFloat ? FAdd : Add)
      .Case("exch", Xchg)
      .Case("max", IsFloat ? FMax : Max)
      .Case("min", IsFloat ? FMin : Min)
      .Case("inc", UIncWrap)
      .Case("dec", UDecWrap)
      .Case("and", And)
      .Case("or", Or)
      .Case("xor", Xor)
      .Default(std::nullopt);
}

/// The same without a scope; null for an operation that is not known.
static Value *plainAtomic(CallInst &Call, StringRef Operation) {
  constexpr AtomicOrdering Order = AtomicOrdering::SequentiallyConsistent;
  IRBuilder<> B(&Call);
  Value *Pointer = Call.getArgOperand(0);
  Type *T = Call.getType();
  const Align Natural(
      Call.getModule()->getDataLayout().getTypeStoreSize(T).getFixedValue());
  if (Operation == "cas" && Call.arg_size() == 3)
    return B.CreateExtractValue(
        B.CreateAtomicCmpXchg(Pointer, Call.getArgOperand(1),
                              Call.getArgOperand(2), Natural, Order, Order),
        0);
  auto Op = operationOf(Operation, T->isFloatingPointTy());
  if (!Op || Call.arg_size() != 2)
    return nullptr;
  return B.CreateAtomicRMW(*Op, Pointer, Call.getArgOperand(1), Natural, Order);
}

void makeScopedAtomicsPlain(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    // llvm.nvvm.atomic.add.gen.i.cta.i32.p0
    StringRef Name = F.getName();
    if (!Name.consume_front("llvm.nvvm.atomic."))
      continue;
    const StringRef Operation = Name.split(".gen.").first;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledFunction() != &F)
        continue;
      if (Value *Plain = plainAtomic(*Call, Operation)) {
        Call->replaceAllUsesWith(Plain);
        Call->eraseFromParent();
      }
    }
  }
}

} // namespace cudalint
