//===- analyzer/ir/GivenFields.cpp - What a launch passes -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/GivenFields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace cudalint {

/// Whether all that is done with \p Pointer is to read what is there.
static bool isReadOnly(const Value &Pointer) {
  return all_of(Pointer.users(), [&](const User *U) {
    if (isa<GEPOperator, BitCastOperator, AddrSpaceCastOperator>(U))
      return isReadOnly(*U);
    if (const auto *Copy = dyn_cast<MemTransferInst>(U))
      return Copy->getRawDest() != &Pointer;
    // Those of the analysis itself mark what is accessed.
    const auto *Call = dyn_cast<CallInst>(U);
    return isa<LoadInst>(U) ||
           (Call && Call->onlyReadsMemory(static_cast<unsigned>(
                        find(Call->args(), &Pointer) - Call->arg_begin())));
  });
}

/// On a parameter.
static constexpr char ChangedNote[] = "cuda-lint.changed";

void noteChangedParameters(Function &Kernel) {
  for (Argument &Object : Kernel.args())
    if (Object.hasByValAttr() && !isReadOnly(Object))
      Object.addAttr(Attribute::get(Kernel.getContext(), ChangedNote));
}

GivenFields::GivenFields(const Function &Kernel,
                         std::span<const PassedField> Known) {
  for (const Argument &Object : Kernel.args()) {
    const auto isIn = [&](const PassedField &Each) {
      return Each.Position == Object.getArgNo();
    };
    if (!Object.hasByValAttr())
      continue;
    if (Object.hasAttribute(ChangedNote)) {
      Changed.insert(&Object);
      continue;
    }
    for (const PassedField &Each : make_filter_range(Known, isIn))
      Values[{&Object, static_cast<std::int64_t>(Each.Offset), Each.Bits}] =
          Each.Value;
  }
}

std::optional<std::int64_t> GivenFields::find(const Value *Object,
                                              std::int64_t Offset,
                                              unsigned Bits) const {
  const auto Its = Values.find({Object, Offset, Bits});
  return Its == Values.end() ? std::nullopt : std::optional(Its->second);
}

} // namespace cudalint
