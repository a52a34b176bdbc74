//===- analyzer/ir/UnknownCause.cpp - Why an address is not known ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/UnknownCause.h"

#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/StaticAccess.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <deque>
#include <fmt/format.h>

using namespace llvm;

namespace cudalint {

static bool loadsPrivate(const LoadInst &Load) {
  return isa<AllocaInst>(getUnderlyingObject(Load.getPointerOperand()));
}

/// What comes from its arguments alone, or from a register such as tid, or is
/// exchanged between lanes, is followed through the arguments.
static bool onlyComputes(const CallInst &Call) {
  return Call.getCalledFunction() && !Call.isInlineAsm() &&
         (Call.doesNotAccessMemory() ||
          (isa<IntrinsicInst>(Call) && Call.onlyAccessesInaccessibleMemory()));
}

static std::string calleeOf(const CallInst &Call) {
  if (Call.isInlineAsm())
    return "inline PTX";
  const Function *F = Call.getCalledFunction();
  return F ? fmt::format("'{}'", F->getName().str())
           : std::string("a function that is called through a pointer");
}

/// Whether \p Test holds for some instruction that \p Of is computed from, the
/// nearest first.
template <typename Predicate>
static bool anyOperand(const Value &Of, Predicate Test) {
  constexpr std::size_t MostValues = 4096;
  std::deque<const Value *> Pending = {&Of};
  SmallPtrSet<const Value *, 32> Seen;
  while (!Pending.empty() && Seen.size() < MostValues) {
    auto *I = dyn_cast<Instruction>(Pending.front());
    Pending.pop_front();
    if (!I || !Seen.insert(I).second)
      continue;
    if (Test(*I))
      return true;
    for (const Use &Operand : I->operands())
      Pending.push_back(Operand.get());
  }
  return false;
}

/// The cause that \p I is by itself; nothing if it only passes on what it is
/// computed from.
static std::optional<UnknownReason> causeIn(const Instruction &I,
                                            const KernelStructure &Kernel,
                                            const SourceFacts &Facts) {
  using enum UnknownCause;
  Access Place;
  Place.Op = AccessOp::Load;
  locate(Place, I, Facts);
  auto Because = [&](UnknownCause Cause, std::string What) {
    return UnknownReason{Cause, std::move(What), Place.UserWhere};
  };
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (loadsPrivate(*Load))
      return Because(PrivateArray, "what a private array holds there");
    return Because(LoadedData, Place.Source.Text.empty()
                                   ? std::string("data that is loaded")
                                   : fmt::format("'{}', which is loaded",
                                                 Place.Source.Text));
  }
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return Because(SharedWrites, "what an atomic returns");
  // Inline PTX that loads is seen, as far as that goes.
  for (const StaticAccess &Each : Kernel.accesses(I)) {
    if (Each.Op == AccessOp::Atomic)
      return Because(SharedWrites, "what an atomic returns");
    if (Each.Op == AccessOp::Load)
      return Because(LoadedData, "data that is loaded");
  }
  if (auto *Call = dyn_cast<CallInst>(&I); Call && !onlyComputes(*Call))
    return Because(UnseenCode,
                   fmt::format("the result of {}", calleeOf(*Call)));
  if (isa<FPToSIInst, FPToUIInst>(I))
    return Because(FloatingPoint, "a number that was floating-point");
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    const llvm::Loop *L = Kernel.loopOf(Phi->getParent());
    if (L && L->getHeader() == Phi->getParent())
      return Because(LoopBound, "a variable that a loop changes in a way "
                                "that is not followed");
    if (Phi->getType()->isPointerTy())
      return Because(PointerMerge, "a pointer that is one or another");
  }
  if (isa<SelectInst>(I) && I.getType()->isPointerTy())
    return Because(PointerMerge, "a pointer that is one or another");
  return std::nullopt;
}

UnknownReason explainUnknown(const Value &Address,
                             const KernelStructure &Kernel,
                             const SourceFacts &Facts) {
  // Data decides more often than how a loop computes with it.
  std::optional<UnknownReason> Weak, Strong;
  anyOperand(Address, [&](const Instruction &I) {
    std::optional<UnknownReason> Cause = causeIn(I, Kernel, Facts);
    if (!Cause)
      return false;
    const bool IsWeak = Cause->Cause == UnknownCause::LoopBound ||
                        Cause->Cause == UnknownCause::PointerMerge ||
                        Cause->Cause == UnknownCause::FloatingPoint;
    std::optional<UnknownReason> &Of = IsWeak ? Weak : Strong;
    if (!Of)
      Of = std::move(Cause);
    return !IsWeak;
  });
  if (Strong || Weak)
    return std::move(Strong ? *Strong : *Weak);
  return {UnknownCause::NotModelled, "arithmetic that is not followed", {}};
}

/// Where data is loaded by which \p Branch decides; nothing: it does not.
static Location dataOfBranch(const Instruction &Branch,
                             const KernelStructure &Kernel,
                             const SourceFacts &Facts) {
  const Value *Condition = nullptr;
  if (auto *Switch = dyn_cast<SwitchInst>(&Branch))
    Condition = Switch->getCondition();
  else if (auto *Br = dyn_cast<BranchInst>(&Branch); Br && Br->isConditional())
    Condition = Br->getCondition();
  if (!Condition)
    return {};
  UnknownReason Why = explainUnknown(*Condition, Kernel, Facts);
  return Why.Cause == UnknownCause::NotModelled ? Location()
                                                : std::move(Why.Where);
}

/// Of the branches that decide whether lanes come to \p Block, the last one
/// that data decides.
static Location whereLanesParted(const BasicBlock *Block,
                                 const KernelStructure &Kernel,
                                 const SourceFacts &Facts) {
  for (const BasicBlock *B = Block; B;) {
    const BasicBlock *Same = Kernel.sameLanesAs(B);
    const BasicBlock *Before = Kernel.cameBy(B);
    if (Before && !Same)
      if (Location At = dataOfBranch(*Before->getTerminator(), Kernel, Facts);
          At.Line)
        return At;
    B = Same ? Same : Before;
  }
  // Lanes leave a loop in different turns.
  for (const llvm::Loop *L = Kernel.loopOf(Block); L; L = L->getParentLoop())
    for (const auto &[From, To] : Kernel.region(L).Exits)
      if (Location At = dataOfBranch(*From->getTerminator(), Kernel, Facts);
          At.Line)
        return At;
  return {};
}

Location whereUnknown(UnknownCause Cause, const Instruction &I,
                      const Value &Address, const KernelStructure &Kernel,
                      const SourceFacts &Facts) {
  Location Where;
  switch (Cause) {
  case UnknownCause::LoadedLanes:
    return whereLanesParted(I.getParent(), Kernel, Facts);
  case UnknownCause::AtomicLoop:
    return codePlaceOf(I, Facts).Where;
  case UnknownCause::PointerMerge:
    anyOperand(Address, [&](const Instruction &Operand) {
      if (!isa<PHINode, SelectInst>(Operand) ||
          !Operand.getType()->isPointerTy())
        return false;
      Where = codePlaceOf(Operand, Facts).Where;
      return Where.Line != 0;
    });
    return Where;
  default:
    return Where;
  }
}

} // namespace cudalint
