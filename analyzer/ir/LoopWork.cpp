//===- analyzer/ir/LoopWork.cpp - What a turn of a loop is ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LoopWork.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/FunctionAnalyses.h"
#include "analyzer/ir/IssueSlots.h"
#include "analyzer/ir/SharedVariables.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

static constexpr StringRef WorkNote = "cuda-lint.work";

namespace {
/// What a thread computes.
struct Work {
  double Floats = 0, Doubles = 0; ///< FMAs.
  double Others = 0;              ///< Issue slots.
};
} // namespace

/// Of an integer: whether loops that are written out leave nothing of it but a
/// constant in an address.
static bool isCounted(const Instruction &I, FunctionAnalyses &A) {
  const Loop *L = A.Loops.getLoopFor(I.getParent());
  auto IsOfTurn = [&](Value *V) {
    if (!A.Scalars.isSCEVable(V->getType()))
      return false;
    const SCEV *S = A.Scalars.getSCEV(V);
    auto *Sum = dyn_cast<SCEVAddRecExpr>(S);
    return (Sum && Sum->isAffine()) || (L && A.Scalars.isLoopInvariant(S, L));
  };
  if (isa<ICmpInst>(I))
    return IsOfTurn(I.getOperand(0)) && IsOfTurn(I.getOperand(1));
  return IsOfTurn(const_cast<Instruction *>(&I));
}

static Work workOf(const BasicBlock &Block, FunctionAnalyses &A) {
  Work Out;
  for (const Instruction &I : Block) {
    if (isFusedMultiplyAdd(I)) {
      (I.getType()->isDoubleTy() ? Out.Doubles : Out.Floats) += 1;
      continue;
    }
    // What is accessed is counted by itself, and where, with it.
    if (I.isTerminator() || isa<LoadInst, StoreInst, GetElementPtrInst>(I))
      continue;
    if (const double Slots = issueSlotsOf(I); Slots && !isCounted(I, A))
      Out.Others += Slots;
  }
  return Out;
}

/// Whether some kernel of the file has a variable in shared memory.
static bool usesShared(const Function &Kernel) {
  return llvm::any_of(
      Kernel.getParent()->globals(),
      [](const GlobalVariable &V) { return isSharedVariable(&V); });
}

void noteWork(Function &Kernel) {
  if (!usesShared(Kernel) ||
      llvm::none_of(instructions(Kernel), isFusedMultiplyAdd))
    return;
  FunctionAnalyses A(Kernel);
  Type *Number = Type::getDoubleTy(Kernel.getContext());
  double All = 0;
  auto Note = [&](std::initializer_list<double> Of) {
    SmallVector<Metadata *> Numbers;
    for (const double Each : Of)
      Numbers.push_back(ConstantAsMetadata::get(ConstantFP::get(Number, Each)));
    return MDNode::get(Kernel.getContext(), Numbers);
  };
  for (BasicBlock &Each : Kernel) {
    if (!A.Loops.getLoopFor(&Each))
      continue;
    const Work W = workOf(Each, A);
    All += W.Floats + W.Doubles;
    Each.getTerminator()->setMetadata(WorkNote,
                                      Note({W.Floats, W.Doubles, W.Others}));
  }
  Kernel.setMetadata(WorkNote, Note({All}));
}

static double noted(const MDNode *Note, unsigned K) {
  return Note ? mdconst::extract<ConstantFP>(Note->getOperand(K))
                    ->getValueAPF()
                    .convertToDouble()
              : 0;
}

static Work notedWork(const BasicBlock &B) {
  const MDNode *Note = B.getTerminator()->getMetadata(WorkNote);
  return {noted(Note, 0), noted(Note, 1), noted(Note, 2)};
}

namespace {
class LoopsOfKernel {
public:
  LoopsOfKernel(Function &F, const SourceFacts &Facts)
      : F(F), Facts(Facts), A(F) {}

  std::vector<ArithmeticLoop> find();

private:
  Function &F;
  const SourceFacts &Facts;
  FunctionAnalyses A;

  unsigned turnsOf(const Loop &L) {
    return A.Scalars.getSmallConstantTripCount(&L);
  }
  bool isInEachTurn(const BasicBlock &B, const Loop &Of) const;
  std::optional<Work> workOf(const Loop &L);
  TurnAccess accessIn(const Instruction &I, const MarkedAccess &Marked,
                      const Loop &Of);
  std::vector<TurnAccess> accessesAround(const Loop &L);
  std::optional<ArithmeticLoop> describe(const Loop &L);
};
} // namespace

bool LoopsOfKernel::isInEachTurn(const BasicBlock &B, const Loop &Of) const {
  const BasicBlock *At = &B;
  for (const Loop *L = A.Loops.getLoopFor(&B);; L = L->getParentLoop()) {
    if (!L->getLoopLatch() || !A.Dominators.dominates(At, L->getLoopLatch()))
      return false;
    if (L == &Of)
      return true;
    At = L->getHeader();
  }
}

/// Of a turn of \p L; nothing where it is not known how often loops in it turn.
std::optional<Work> LoopsOfKernel::workOf(const Loop &L) {
  Work Out;
  for (const BasicBlock *B : L.blocks()) {
    const Work Of = notedWork(*B);
    double Times = 1;
    for (const Loop *In = A.Loops.getLoopFor(B); In != &L;
         In = In->getParentLoop())
      Times *= turnsOf(*In);
    if (!Times)
      return std::nullopt;
    Out.Floats += Times * Of.Floats;
    Out.Doubles += Times * Of.Doubles;
    Out.Others += Times * Of.Others;
  }
  return Out;
}

TurnAccess LoopsOfKernel::accessIn(const Instruction &I,
                                   const MarkedAccess &Marked, const Loop &Of) {
  TurnAccess Out;
  Out.Where = codePlaceOf(I, Facts).Where;
  Out.Op = Marked.Op;
  Out.Bytes = Marked.Bytes;
  Out.IsShared = isSharedVariable(getUnderlyingObject(Marked.Pointer));
  bool IsInvariant = true;
  for (const Loop *L = A.Loops.getLoopFor(I.getParent());;
       L = L->getParentLoop()) {
    IsInvariant &= A.Scalars.isLoopInvariant(
        A.Scalars.getSCEV(const_cast<Value *>(Marked.Pointer)), L);
    if (L == &Of)
      break;
    if (!IsInvariant)
      Out.PerTurn *= turnsOf(*L);
  }
  // A compiler makes it before the loop, or behind it, if nothing else writes
  // or reads there.
  if (IsInvariant || Marked.IsRedundant || !isInEachTurn(*I.getParent(), Of))
    Out.PerTurn = 0;
  return Out;
}

std::vector<TurnAccess> LoopsOfKernel::accessesAround(const Loop &L) {
  std::vector<TurnAccess> Out;
  const Loop *Around = L.getParentLoop();
  for (const Instruction &I : instructions(F)) {
    const std::optional<MarkedAccess> Marked = markedAccess(I);
    if (!Marked || L.contains(I.getParent()) ||
        (Around && !Around->contains(I.getParent())) || Marked->IsRedundant ||
        isa<AllocaInst>(getUnderlyingObject(Marked->Pointer)))
      continue;
    TurnAccess Each{.Where = codePlaceOf(I, Facts).Where,
                    .Op = Marked->Op,
                    .Bytes = Marked->Bytes,
                    .IsShared =
                        isSharedVariable(getUnderlyingObject(Marked->Pointer))};
    for (const Loop *In = A.Loops.getLoopFor(I.getParent()); In != Around;
         In = In->getParentLoop())
      Each.PerTurn *= std::max(turnsOf(*In), 1u);
    Out.push_back(std::move(Each));
  }
  return Out;
}

/// Whether lanes wait for each other in it, or something unseen happens.
static bool isWait(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(I) ||
         (Call && !markedAccess(I) &&
          (Call->isConvergent() || Call->isInlineAsm()));
}

std::optional<ArithmeticLoop> LoopsOfKernel::describe(const Loop &L) {
  const std::optional<Work> Of = workOf(L);
  if (!Of || Of->Floats + Of->Doubles < 1)
    return std::nullopt;
  ArithmeticLoop Out{.FloatFma = Of->Floats,
                     .DoubleFma = Of->Doubles,
                     .OtherSlots = Of->Others,
                     .Turns = turnsOf(L)};
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      if (isWait(I))
        return std::nullopt;
      const std::optional<MarkedAccess> Marked = markedAccess(I);
      if (Marked && !isa<AllocaInst>(getUnderlyingObject(Marked->Pointer)))
        Out.Accesses.push_back(accessIn(I, *Marked, L));
    }
  Out.Around = accessesAround(L);
  return Out;
}

std::vector<ArithmeticLoop> LoopsOfKernel::find() {
  // From each load outwards to the first loop that multiplies and adds.
  SmallSetVector<const Loop *, 8> Found;
  for (const Instruction &I : instructions(F)) {
    const std::optional<MarkedAccess> Marked = markedAccess(I);
    if (!Marked || Marked->Op != AccessOp::Load)
      continue;
    const Loop *L = A.Loops.getLoopFor(I.getParent());
    while (L && llvm::none_of(L->blocks(), [](const BasicBlock *B) {
             const Work W = notedWork(*B);
             return W.Floats + W.Doubles > 0;
           }))
      L = L->getParentLoop();
    if (L)
      Found.insert(L);
  }
  std::vector<ArithmeticLoop> Out;
  for (const Loop *L : Found)
    // Of nested ones the inner one is where the time goes.
    if (llvm::none_of(Found, [&](const Loop *Other) {
          return Other != L && L->contains(Other);
        }))
      if (std::optional<ArithmeticLoop> Each = describe(*L))
        Out.push_back(std::move(*Each));
  return Out;
}

std::vector<ArithmeticLoop> arithmeticLoops(Function &Kernel,
                                            const SourceFacts &Facts) {
  const MDNode *Note = Kernel.getMetadata(WorkNote);
  if (!Note)
    return {};
  // A loop that computes nothing but numbers may have gone.
  double All = 0;
  for (const BasicBlock &B : Kernel) {
    const Work W = notedWork(B);
    All += W.Floats + W.Doubles;
  }
  if (All != noted(Note, 0))
    return {};
  return LoopsOfKernel(Kernel, Facts).find();
}

} // namespace cudalint
