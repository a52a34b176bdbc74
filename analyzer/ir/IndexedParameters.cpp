//===- analyzer/ir/IndexedParameters.cpp - Copied to be indexed -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/IndexedParameters.h"

#include "analyzer/ir/GivenFields.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace cudalint {

/// On a kernel, of each: the number of the parameter, and file, line, column
/// and function of each frame of the place. A place as LLVM has it may not be
/// there.
static constexpr char IndexedNote[] = "cuda-lint.indexed";

static unsigned numberAt(const MDNode &Note, unsigned Operand) {
  return static_cast<unsigned>(
      mdconst::extract<ConstantInt>(Note.getOperand(Operand))->getZExtValue());
}

static std::string textAt(const MDNode &Note, unsigned Operand) {
  return cast<MDString>(Note.getOperand(Operand))->getString().str();
}

static unsigned numberOf(const MDNode &Note) { return numberAt(Note, 0); }

static bool isNoted(const Function &Kernel, unsigned Number) {
  SmallVector<MDNode *, 4> Notes;
  Kernel.getMetadata(IndexedNote, Notes);
  return any_of(Notes,
                [&](const MDNode *Each) { return numberOf(*Each) == Number; });
}

void noteIndexed(const Instruction &Inst, const Value &Pointer) {
  const auto *Passed = dyn_cast<Argument>(getUnderlyingObject(&Pointer, 0));
  const DILocation *Where = Inst.getDebugLoc();
  if (!Passed || !Passed->hasByValAttr() || !Where ||
      Passed->getParent()->getCallingConv() != CallingConv::PTX_Kernel ||
      isNoted(*Passed->getParent(), Passed->getArgNo()))
    return;
  const DataLayout &Layout = Inst.getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer.getType()), 0);
  if (Pointer.stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true) == Passed)
    return;
  LLVMContext &Context = Inst.getContext();
  SmallVector<Metadata *, 8> Note;
  const auto addNumber = [&](unsigned Number) {
    Note.push_back(ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(Context), Number)));
  };
  addNumber(Passed->getArgNo());
  for (const CodeFrame &Each : framesOf(Where)) {
    Note.push_back(MDString::get(Context, Each.Where.File));
    addNumber(Each.Where.Line);
    addNumber(Each.Where.Column);
    Note.push_back(MDString::get(Context, Each.Function));
  }
  const_cast<Function *>(Passed->getParent())
      ->addMetadata(IndexedNote, *MDNode::get(Context, Note));
}

std::vector<IndexedParameter> indexedParameters(const Function &Kernel) {
  std::vector<IndexedParameter> Result;
  SmallVector<MDNode *, 4> Notes;
  Kernel.getMetadata(IndexedNote, Notes);
  const GivenFields Given(Kernel, {});
  constexpr unsigned AnyBits = 8;
  for (const MDNode *Each : Notes) {
    const Argument *Passed = Kernel.getArg(numberOf(*Each));
    if (Passed->hasAttribute("nvvm.grid_constant") ||
        Given.isChanged(Passed, std::nullopt, AnyBits))
      continue;
    Result.push_back({Passed, {}});
    for (unsigned I = 1; I + 3 < Each->getNumOperands(); I += 4)
      Result.back().Where.push_back(
          {{textAt(*Each, I), numberAt(*Each, I + 1), numberAt(*Each, I + 2)},
           textAt(*Each, I + 3)});
  }
  return Result;
}

} // namespace cudalint
