//===- analyzer/ir/AddressShapes.cpp - What addresses have in common ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AddressShapes.h"

#include "analyzer/ir/ValueReuse.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

static constexpr std::uint64_t MostTurns = 1 << 16; // more stay a loop

namespace {
/// Passes make a phi of what several branches compute alike.
class WithoutAlikes : public SCEVRewriteVisitor<WithoutAlikes> {
public:
  using SCEVRewriteVisitor::SCEVRewriteVisitor;

  const SCEV *visitUnknown(const SCEVUnknown *S) {
    auto *Phi = dyn_cast<PHINode>(S->getValue());
    if (!Phi || !SE.isSCEVable(Phi->getType()) || !Phi->getNumIncomingValues())
      return S;
    const SCEV *First = SE.getSCEV(Phi->getIncomingValue(0));
    const bool AreAlike =
        First != S && llvm::all_of(Phi->incoming_values(), [&](const Use &U) {
          return SE.getSCEV(U.get()) == First;
        });
    return AreAlike ? First : S;
  }
};
} // namespace

/// By how much the values of lanes x and x + 1 differ, in the lowest bits,
/// which widening an integer leaves as they are. Nothing: not by a constant.
static std::optional<std::uint64_t> laneStep(const SCEV *S) {
  if (isa<SCEVConstant>(S))
    return 0;
  if (auto *Cast = dyn_cast<SCEVCastExpr>(S))
    return laneStep(Cast->getOperand());
  if (auto *Value = dyn_cast<SCEVUnknown>(S)) {
    if (isa<Argument, GlobalVariable>(Value->getValue()))
      return 0;
    auto *Call = dyn_cast<IntrinsicInst>(Value->getValue());
    switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return 1;
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return 0;
    default:
      return std::nullopt;
    }
  }
  if (auto *Counter = dyn_cast<SCEVAddRecExpr>(S))
    return Counter->isAffine() && laneStep(Counter->getOperand(1)) == 0
               ? laneStep(Counter->getStart())
               : std::nullopt;
  const bool IsSum = isa<SCEVAddExpr>(S);
  if (!IsSum && !isa<SCEVMulExpr>(S))
    return std::nullopt;
  std::uint64_t Sum = 0, Factor = 1;
  unsigned Others = 0, Moving = 0;
  for (const SCEV *Each : cast<SCEVCommutativeExpr>(S)->operands()) {
    const std::optional<std::uint64_t> Step = laneStep(Each);
    if (!Step)
      return std::nullopt;
    Sum += *Step;
    Moving += *Step != 0;
    if (auto *Constant = dyn_cast<SCEVConstant>(Each))
      Factor *= Constant->getAPInt().getRawData()[0];
    else
      ++Others;
  }
  if (IsSum || !Moving)
    return Sum;
  return Others == 1 ? std::optional(Factor * Sum) : std::nullopt;
}

static std::optional<std::int64_t> constantOf(const SCEV *S) {
  auto *C = dyn_cast<SCEVConstant>(S);
  if (!C || C->getAPInt().getSignificantBits() > 64)
    return std::nullopt;
  return C->getAPInt().getSExtValue();
}

AddressShapes::AddressShapes(Function &F) : A(F), InEachRun(F) {
  // The compiler places shared arrays one behind the other: if all are whole
  // words of 16 bytes, each begins with one.
  const DataLayout &Layout = F.getParent()->getDataLayout();
  for (const GlobalVariable &G : F.getParent()->globals())
    if (G.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED &&
        !G.isDeclaration())
      SharedIsAligned &=
          Layout.getTypeAllocSize(G.getValueType()) % MostAligned == 0;
  for (const Instruction &I : instructions(F))
    for (const Loop *L = isBarrier(I) ? A.Loops.getLoopFor(I.getParent())
                                      : nullptr;
         L; L = L->getParentLoop())
      WithBarriers.insert(L);
}

void AddressShapes::describe(const Instruction &I, const Value &Pointer,
                             WrittenAccess &Out) {
  const Value *Generic = &Pointer;
  while (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Generic))
    Generic = Cast->getPointerOperand();
  const SCEV *Address = WithoutAlikes(A.Scalars).visit(
      A.Scalars.getSCEV(const_cast<Value *>(Generic)));
  Out.ChainOffset = 0;
  const SCEV *Rest = withoutConstant(Address, Out.ChainOffset);
  // Where distances might overflow, it is near no other address.
  constexpr std::int64_t Farthest = std::int64_t(1) << 60;
  if (Out.ChainOffset < -Farthest || Out.ChainOffset > Farthest) {
    Out.ChainOffset = 0;
    Rest = Address;
  }
  Out.Chain = Chains.try_emplace(Rest, Chains.size() + 1).first->second;
  Out.BaseAlign = baseAlignment(Address);
  // nvcc loads bytes together that types say to be aligned, as uchar4, and none
  // that indices do.
  if (Out.Bytes > 1)
    Out.Align = std::max(Out.Align, alignmentOf(Address, Out.BaseAlign));
  if (const std::optional<std::uint64_t> Step = laneStep(Address);
      Step && *Step)
    Out.MostAlign = 1u << std::min(llvm::countr_zero(*Step), 31);
  describeLoops(*I.getParent(), Address, Out);
  describeFirstTurn(*I.getParent(), Address, Out);
  describeConditions(*I.getParent(), Out);
  describeVariable(Address, Out);
}

void AddressShapes::describeLoops(const BasicBlock &Block, const SCEV *Address,
                                  WrittenAccess &Out) {
  const Loop *Innermost = A.Loops.getLoopFor(&Block);
  Out.LoopDepth = A.Loops.getLoopDepth(&Block);
  if (Innermost)
    Out.Loop = Loops.try_emplace(Innermost, Loops.size() + 1).first->second;
  bool IsInvariant = true, IsInEachTurn = true;
  const BasicBlock *At = &Block;
  std::uint64_t Turns = 1, AddressTurns = 1;
  for (const Loop *L = Innermost; L; L = L->getParentLoop()) {
    const std::optional<std::int64_t> Step = stepIn(Address, L);
    if (Step && *Step)
      Out.Steps.push_back(*Step);
    IsInvariant &= Step == 0;
    Out.IsInvariantInSome |= Step == 0;
    Out.MayBeInvariantInSome |=
        Step.value_or(0) == 0 && !WithBarriers.contains(L);
    if (Step != 0)
      AddressTurns = std::min(AddressTurns * turnsOf(L), MostTurns);
    Out.Invariant += IsInvariant;
    const BasicBlock *Latch = L->getLoopLatch();
    IsInEachTurn &= Latch && A.Dominators.dominates(At, Latch);
    Out.InEachTurn += IsInEachTurn;
    // What comes to a loop that makes a turn comes to what is in each.
    if (turnsOf(L))
      At = L->getHeader();
    Out.LoopTurns.push_back(static_cast<unsigned>(turnsOf(L)));
    Out.LoopsAlike.push_back(alike(L));
    Turns = std::min(Turns * turnsOf(L), MostTurns);
  }
  Out.Turns = static_cast<unsigned>(Turns);
  Out.InEachRun = IsInEachTurn &&
                  InEachRun.dominates(At, &Block.getParent()->getEntryBlock());
  Out.AddressTurns = static_cast<unsigned>(AddressTurns);
}

/// Whether its turns may be written out: their number is known, and no pragma
/// says that they stay a loop.
bool AddressShapes::mayBeWrittenOut(const Loop &L) {
  if (turnsOf(&L) < 2 || WithBarriers.contains(&L) ||
      (hasUnrollTransformation(&L) & TM_Disable))
    return false;
  return getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count") != 1;
}

void AddressShapes::describeFirstTurn(const BasicBlock &Block,
                                      const SCEV *Address, WrittenAccess &Out) {
  const Loop *L = A.Loops.getLoopFor(&Block);
  if (!L || Out.BaseAlign == 1 || !mayBeWrittenOut(*L))
    return;
  const std::optional<std::int64_t> Step = stepIn(Address, L);
  if (!Step || !*Step)
    return;
  LoopToScevMapT First = {{L, A.Scalars.getZero(A.Scalars.getEffectiveSCEVType(
                                  Address->getType()))}};
  const SCEV *Start =
      SCEVLoopAddRecRewriter::rewrite(Address, First, A.Scalars);
  Out.StepWrittenOut = *Step;
  Out.FirstAlign = alignmentOf(Start, Out.BaseAlign);
}

void AddressShapes::describeConditions(const BasicBlock &Block,
                                       WrittenAccess &Out) {
  const Loop *Innermost = A.Loops.getLoopFor(&Block);
  constexpr unsigned MostAround = 64;
  unsigned Looked = 0;
  for (auto *D = A.Dominators.getNode(&Block);
       D && D->getIDom() && Looked != MostAround; D = D->getIDom()) {
    ++Looked;
    const BasicBlock *Branch = D->getIDom()->getBlock();
    // That a loop goes on is none of them.
    const Loop *Around = A.Loops.getLoopFor(Branch);
    const bool Ends =
        Around && Around->contains(&Block) && Around->isLoopExiting(Branch);
    const bool Decides = !Ends && !InEachRun.dominates(D->getBlock(), Branch);
    Out.Conditions += Decides;
    Out.ConditionsInLoop += Decides && A.Loops.getLoopFor(Branch) == Innermost;
  }
}

void AddressShapes::describeVariable(const SCEV *Address, WrittenAccess &Out) {
  auto *Base = dyn_cast<SCEVUnknown>(A.Scalars.getPointerBase(Address));
  const Value *Of = Base ? Base->getValue()->stripPointerCasts() : nullptr;
  if (!isa_and_present<AllocaInst, GlobalVariable>(Of))
    return;
  const KnownVariable &V = variable(*Of);
  Out.Variable = V.Uses.Escapes ? 0 : V.Number;
  Out.IsUnread = !V.Uses.IsRead;
  Out.IsUnwritten = V.BeginsUndefined && !V.Uses.IsWritten;
  Out.OfTurnsAlone = !SCEVExprContains(
      A.Scalars.removePointerBase(Address),
      [](const SCEV *S) { return isa<SCEVUnknown, SCEVCouldNotCompute>(S); });
  Out.OfKnownTable = V.IsTable && Out.OfTurnsAlone &&
                     Out.Op == AccessOp::Load && Out.AddressTurns;
}

const AddressShapes::KnownVariable &AddressShapes::variable(const Value &Of) {
  const auto [Found, IsNew] = Variables.try_emplace(&Of);
  KnownVariable &V = Found->second;
  if (!IsNew)
    return V;
  V = {.Number = Variables.size(), .Uses = usesOf(Of)};
  auto *Global = dyn_cast<GlobalVariable>(&Of);
  V.BeginsUndefined =
      !Global || Global->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  V.IsTable = Global && Global->isConstant() && Global->hasUniqueInitializer();
  return V;
}

/// Of the array of the program that an address is in; else 1.
unsigned AddressShapes::baseAlignment(const SCEV *Address) {
  auto *Base = dyn_cast<SCEVUnknown>(A.Scalars.getPointerBase(Address));
  auto *Array = Base ? dyn_cast<GlobalVariable>(Base->getValue()) : nullptr;
  if (!Array)
    return 1;
  std::uint64_t Align = Array->getAlign().valueOrOne().value();
  if (Array->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED &&
      (SharedIsAligned || Array->isDeclaration()))
    Align = std::max(Align, MostAligned);
  return static_cast<unsigned>(std::min(Align, MostAligned));
}

/// What the multiples in the index make sure of.
unsigned AddressShapes::alignmentOf(const SCEV *Address, unsigned BaseAlign) {
  if (BaseAlign == 1)
    return 1;
  const SCEV *Index = A.Scalars.removePointerBase(Address);
  const unsigned Zeros =
      Index->isZero() ? 31 : A.Scalars.getMinTrailingZeros(Index);
  return std::min(BaseAlign, 1u << std::min(Zeros, 31u));
}

/// How often the body is run: where the loop ends in its head, once less than
/// that.
unsigned AddressShapes::bodiesOf(const Loop *L) {
  const BasicBlock *Exit = L->getExitingBlock();
  auto *Back = dyn_cast<SCEVConstant>(A.Scalars.getBackedgeTakenCount(L));
  if (!Exit || !Back || (Exit != L->getHeader() && Exit != L->getLoopLatch()))
    return 0;
  return static_cast<unsigned>(Back->getAPInt().getLimitedValue(MostTurns)) +
         (Exit == L->getLoopLatch());
}

/// 0: not known.
unsigned AddressShapes::turnsOf(const Loop *L) {
  const auto [Found, IsNew] = KnownTurns.try_emplace(L, 0);
  if (IsNew)
    Found->second = bodiesOf(L);
  return Found->second;
}

/// One number for loops that turn as often, whatever that is: `for (i = 0; i <
/// n; ++i)` and another one.
unsigned AddressShapes::alike(const Loop *L) {
  const auto [Own, IsNew] = LoopsAlike.try_emplace(L, LoopsAlike.size() + 1);
  if (!IsNew)
    return Own->second;
  const SCEV *Turns = A.Scalars.getBackedgeTakenCount(L);
  if (!isa<SCEVCouldNotCompute>(Turns))
    Own->second = ByTurns.try_emplace(Turns, Own->second).first->second;
  return Own->second;
}

/// `S` less its constant bytes, which are added to `Bytes` and wrap, as
/// addresses do.
const SCEV *AddressShapes::withoutConstant(const SCEV *S, std::int64_t &Bytes) {
  if (auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    SmallVector<const SCEV *> Terms;
    for (const SCEV *Term : Sum->operands())
      if (std::optional<std::int64_t> C = constantOf(Term))
        (void)__builtin_add_overflow(Bytes, *C, &Bytes);
      else
        Terms.push_back(isa<SCEVAddRecExpr>(Term) ? withoutConstant(Term, Bytes)
                                                  : Term);
    return Terms.empty() ? S : A.Scalars.getAddExpr(Terms);
  }
  auto *Counter = dyn_cast<SCEVAddRecExpr>(S);
  if (!Counter || !Counter->isAffine())
    return S;
  const SCEV *Start = withoutConstant(Counter->getStart(), Bytes);
  return A.Scalars.getAddRecExpr(Start, Counter->getStepRecurrence(A.Scalars),
                                 Counter->getLoop(), SCEV::FlagAnyWrap);
}

std::optional<std::int64_t> AddressShapes::stepIn(const SCEV *S,
                                                  const Loop *L) {
  if (auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    std::int64_t Total = 0;
    for (const SCEV *Term : Sum->operands()) {
      std::optional<std::int64_t> Step = stepIn(Term, L);
      if (!Step || __builtin_add_overflow(Total, *Step, &Total))
        return std::nullopt;
    }
    return Total;
  }
  if (auto *Counter = dyn_cast<SCEVAddRecExpr>(S);
      Counter && Counter->isAffine()) {
    if (Counter->getLoop() == L)
      return constantOf(Counter->getStepRecurrence(A.Scalars));
    return stepIn(Counter->getStart(), L);
  }
  // An index that does not overflow moves alike in any width; `i % 16`, of 4
  // bits, does.
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S)) {
    const SCEV *Of = cast<SCEVCastExpr>(S)->getOperand();
    return Of->getType()->getIntegerBitWidth() >= 32 ? stepIn(Of, L)
                                                     : std::nullopt;
  }
  if (auto *Product = dyn_cast<SCEVMulExpr>(S);
      Product && Product->getNumOperands() == 2)
    if (const auto Factor = constantOf(Product->getOperand(0))) {
      std::optional<std::int64_t> Step = stepIn(Product->getOperand(1), L);
      if (!Step || __builtin_mul_overflow(*Step, *Factor, &*Step))
        return std::nullopt;
      return Step;
    }
  return A.Scalars.isLoopInvariant(S, L) ? std::optional<std::int64_t>(0)
                                         : std::nullopt;
}

} // namespace cudalint
