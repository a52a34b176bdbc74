//===- analyzer/ir/IndexedParameters.cpp - Copied to be indexed -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/IndexedParameters.h"

#include "analyzer/ir/GivenFields.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace cudalint {

/// On a kernel, of each: the number of the parameter, whether its index differs
/// by lane, and file, line, column and function of each frame of the place. A
/// place as LLVM has it may not be there.
static constexpr char IndexedNote[] = "cuda-lint.indexed";
static constexpr unsigned FirstFrame = 2;

static unsigned numberAt(const MDNode &Note, unsigned Operand) {
  return static_cast<unsigned>(
      mdconst::extract<ConstantInt>(Note.getOperand(Operand))->getZExtValue());
}

static std::string textAt(const MDNode &Note, unsigned Operand) {
  return cast<MDString>(Note.getOperand(Operand))->getString().str();
}

static const Argument *passedParameter(const Value &Pointer) {
  const auto *Passed =
      dyn_cast<Argument>(getUnderlyingObject(&Pointer, /*MaxLookup=*/0));
  return Passed && Passed->hasByValAttr() &&
                 Passed->getParent()->getCallingConv() ==
                     CallingConv::PTX_Kernel
             ? Passed
             : nullptr;
}

bool indexesParameter(const Value &Pointer) {
  const Argument *Passed = passedParameter(Pointer);
  if (!Passed)
    return false;
  const DataLayout &Layout = Passed->getParent()->getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer.getType()), 0);
  return Pointer.stripAndAccumulateConstantOffsets(
             Layout, Offset, /*AllowNonInbounds=*/true) != Passed;
}

/// What a call gives to lanes that give it the same.
static bool givesTheSameToAllLanes(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  const StringRef Name = Callee ? Callee->getName() : "";
  if (Name.starts_with("llvm.nvvm.read.ptx.sreg."))
    return Name.contains("cta") || Name.contains("ntid");
  return Callee && Callee->isIntrinsic() && Call.doesNotAccessMemory() &&
         !Call.isConvergent();
}

/// Whether \p Index may differ from lane to lane. Lanes that leave a loop in
/// other turns are not looked at.
static bool differsByLane(const Value &Index) {
  constexpr unsigned MostLooked = 256;
  SmallVector<const Value *, 16> Work = {&Index};
  SmallPtrSet<const Value *, 32> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    const auto *I = dyn_cast<Instruction>(V);
    if (!I)
      continue;
    if (Seen.size() > MostLooked ||
        isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
      return true;
    if (const auto *Call = dyn_cast<CallInst>(I);
        Call && !givesTheSameToAllLanes(*Call))
      return true;
    Work.append(I->op_begin(), I->op_end());
  }
  return false;
}

void noteIndexed(const Instruction &Marker, const Value &Pointer) {
  const DILocation *Where = Marker.getDebugLoc();
  if (!Where || !indexesParameter(Pointer))
    return;
  const Argument *Passed = passedParameter(Pointer);
  const bool Differs = differsByLane(Pointer);
  // One of each kind is enough, however often a loop is written out.
  SmallVector<MDNode *, 4> Notes;
  Passed->getParent()->getMetadata(IndexedNote, Notes);
  if (any_of(Notes, [&](const MDNode *Each) {
        return numberAt(*Each, 0) == Passed->getArgNo() &&
               (numberAt(*Each, 1) != 0 || !Differs);
      }))
    return;
  LLVMContext &Context = Marker.getContext();
  SmallVector<Metadata *, 8> Note;
  const auto addNumber = [&](unsigned Number) {
    Note.push_back(ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(Context), Number)));
  };
  addNumber(Passed->getArgNo());
  addNumber(Differs);
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
    const Argument *Passed = Kernel.getArg(numberAt(*Each, 0));
    if (Passed->hasAttribute("nvvm.grid_constant") ||
        Given.isChanged(Passed, std::nullopt, AnyBits))
      continue;
    auto Its = llvm::find_if(
        Result, [&](const IndexedParameter &P) { return P.Which == Passed; });
    if (Its == Result.end()) {
      Its = Result.insert(Its, {.Which = Passed, .Where = {}});
      for (unsigned I = FirstFrame; I + 3 < Each->getNumOperands(); I += 4)
        Its->Where.push_back(
            {{textAt(*Each, I), numberAt(*Each, I + 1), numberAt(*Each, I + 2)},
             textAt(*Each, I + 3)});
    }
    Its->DiffersByLane |= numberAt(*Each, 1) != 0;
  }
  return Result;
}

} // namespace cudalint
