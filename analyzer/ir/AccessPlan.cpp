//===- analyzer/ir/AccessPlan.cpp - As which instructions -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessPlan.h"

#include "analyzer/frontend/SystemHeaders.h"
#include "analyzer/ir/Access.h"
#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/FunctionAnalyses.h"
#include "analyzer/ir/StaticAccess.h"
#include "analyzer/ir/ValueReuse.h"
#include "analyzer/ir/VariableUses.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace cudalint {

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

/// What the addresses of a kernel have in common.
class AddressShapes {
public:
  explicit AddressShapes(Function &F) : A(F), InEachRun(F) {
    // The compiler places shared arrays one behind the other: if all are whole
    // words of 16 bytes, each begins with one.
    const DataLayout &Layout = F.getParent()->getDataLayout();
    for (const GlobalVariable &G : F.getParent()->globals())
      if (G.getAddressSpace() == 3 && !G.isDeclaration())
        SharedIsAligned &=
            Layout.getTypeAllocSize(G.getValueType()) % MostAligned == 0;
    for (const Instruction &I : instructions(F))
      for (const Loop *L = isBarrier(I) ? A.Loops.getLoopFor(I.getParent())
                                        : nullptr;
           L; L = L->getParentLoop())
        WithBarriers.insert(L);
  }

  void describe(const Instruction &I, const Value &Pointer,
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
    Out.Align = std::max(Out.Align, alignmentOf(Address, Out.BaseAlign));
    if (const std::optional<std::uint64_t> Step = laneStep(Address);
        Step && *Step)
      Out.MostAlign = 1u << std::min(llvm::countr_zero(*Step), 31);
    const Loop *Innermost = A.Loops.getLoopFor(I.getParent());
    Out.LoopDepth = A.Loops.getLoopDepth(I.getParent());
    if (Innermost)
      Out.Loop = Loops.try_emplace(Innermost, Loops.size() + 1).first->second;
    bool IsInvariant = true, IsInEachTurn = true;
    const BasicBlock *At = I.getParent();
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
      Turns = std::min(Turns * turnsOf(L), MostTurns);
    }
    Out.Turns = static_cast<unsigned>(Turns);
    Out.InEachRun = IsInEachTurn &&
                    InEachRun.dominates(At, &I.getFunction()->getEntryBlock());
    Out.AddressTurns = static_cast<unsigned>(AddressTurns);
    const BasicBlock *Here = I.getParent();
    constexpr unsigned MostAround = 64;
    unsigned Looked = 0;
    for (auto *D = A.Dominators.getNode(Here);
         D && D->getIDom() && Looked != MostAround; D = D->getIDom()) {
      ++Looked;
      const BasicBlock *Branch = D->getIDom()->getBlock();
      // That a loop goes on is none of them.
      const Loop *Around = A.Loops.getLoopFor(Branch);
      const bool Ends =
          Around && Around->contains(Here) && Around->isLoopExiting(Branch);
      const bool Decides = !Ends && !InEachRun.dominates(D->getBlock(), Branch);
      Out.Conditions += Decides;
      Out.ConditionsInLoop +=
          Decides && A.Loops.getLoopFor(Branch) == Innermost;
    }
    describeVariable(Address, Out);
  }

  const DominatorTree &dominators() const { return A.Dominators; }
  const LoopInfo &loops() const { return A.Loops; }

private:
  FunctionAnalyses A;
  PostDominatorTree InEachRun;
  static constexpr std::uint64_t MostAligned = 16;
  bool SharedIsAligned = true;
  DenseSet<const Loop *> WithBarriers;

  /// Of the array of the program that an address is in; else 1.
  unsigned baseAlignment(const SCEV *Address) {
    auto *Base = dyn_cast<SCEVUnknown>(A.Scalars.getPointerBase(Address));
    auto *Array = Base ? dyn_cast<GlobalVariable>(Base->getValue()) : nullptr;
    if (!Array)
      return 1;
    std::uint64_t Align = Array->getAlign().valueOrOne().value();
    if (Array->getAddressSpace() == 3 &&
        (SharedIsAligned || Array->isDeclaration()))
      Align = std::max(Align, MostAligned);
    return static_cast<unsigned>(std::min(Align, MostAligned));
  }

  struct KnownVariable {
    unsigned Number = 0;
    VariableUses Uses;
    bool IsTable = false, BeginsUndefined = false;
  };
  DenseMap<const Value *, KnownVariable> Variables;

  const KnownVariable &variable(const Value &Of) {
    const auto [Found, IsNew] = Variables.try_emplace(&Of);
    KnownVariable &V = Found->second;
    if (!IsNew)
      return V;
    V = {.Number = Variables.size(), .Uses = usesOf(Of)};
    auto *Global = dyn_cast<GlobalVariable>(&Of);
    V.BeginsUndefined = !Global || Global->getAddressSpace() == 3;
    V.IsTable =
        Global && Global->isConstant() && Global->hasUniqueInitializer();
    return V;
  }

  void describeVariable(const SCEV *Address, WrittenAccess &Out) {
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

  /// What the multiples in the index make sure of.
  unsigned alignmentOf(const SCEV *Address, unsigned BaseAlign) {
    if (BaseAlign == 1)
      return 1;
    const SCEV *Index = A.Scalars.removePointerBase(Address);
    const unsigned Zeros =
        Index->isZero() ? 31 : A.Scalars.getMinTrailingZeros(Index);
    return std::min(BaseAlign, 1u << std::min(Zeros, 31u));
  }

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

  /// How often the body is run: where the loop ends in its head, once less than
  /// that.
  unsigned bodiesOf(const Loop *L) {
    const BasicBlock *Exit = L->getExitingBlock();
    auto *Back = dyn_cast<SCEVConstant>(A.Scalars.getBackedgeTakenCount(L));
    if (!Exit || !Back || (Exit != L->getHeader() && Exit != L->getLoopLatch()))
      return 0;
    return static_cast<unsigned>(Back->getAPInt().getLimitedValue(MostTurns)) +
           (Exit == L->getLoopLatch());
  }
  static constexpr std::uint64_t MostTurns = 1 << 16; // more stay a loop

  DenseMap<const Loop *, unsigned> KnownTurns;
  /// 0: not known.
  unsigned turnsOf(const Loop *L) {
    const auto [Found, IsNew] = KnownTurns.try_emplace(L, 0);
    if (IsNew)
      Found->second = bodiesOf(L);
    return Found->second;
  }

  DenseMap<const SCEV *, unsigned> Chains;
  DenseMap<const Loop *, unsigned> Loops;

  static std::optional<std::int64_t> constantOf(const SCEV *S) {
    auto *C = dyn_cast<SCEVConstant>(S);
    if (!C || C->getAPInt().getSignificantBits() > 64)
      return std::nullopt;
    return C->getAPInt().getSExtValue();
  }

  /// `S` less its constant bytes, which are added to `Bytes` and wrap, as
  /// addresses do.
  const SCEV *withoutConstant(const SCEV *S, std::int64_t &Bytes) {
    if (auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
      SmallVector<const SCEV *> Terms;
      for (const SCEV *Term : Sum->operands())
        if (std::optional<std::int64_t> C = constantOf(Term))
          (void)__builtin_add_overflow(Bytes, *C, &Bytes);
        else
          Terms.push_back(
              isa<SCEVAddRecExpr>(Term) ? withoutConstant(Term, Bytes) : Term);
      return Terms.empty() ? S : A.Scalars.getAddExpr(Terms);
    }
    auto *Counter = dyn_cast<SCEVAddRecExpr>(S);
    if (!Counter || !Counter->isAffine())
      return S;
    const SCEV *Start = withoutConstant(Counter->getStart(), Bytes);
    return A.Scalars.getAddRecExpr(Start, Counter->getStepRecurrence(A.Scalars),
                                   Counter->getLoop(), SCEV::FlagAnyWrap);
  }

  std::optional<std::int64_t> stepIn(const SCEV *S, const Loop *L) {
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
    return A.Scalars.isLoopInvariant(S, L) ? std::optional<std::int64_t>(0)
                                           : std::nullopt;
  }
};

} // namespace

/// Where it is written, in the user's code as far as there is some.
static std::vector<Location> framesOf(const Instruction &I, AccessOp Op,
                                      const SourceFacts &Facts,
                                      bool &InHeader) {
  Access Place;
  Place.Op = Op;
  locate(Place, I, Facts);
  std::vector<Location> All = std::move(Place.InlinedAt);
  if (Place.Where.Line)
    All.insert(All.begin(), std::move(Place.Where));
  std::vector<Location> User = userFrames(All);
  InHeader = !User.empty() && User.front() != All.front();
  return User;
}

/// Of what \p Object points into, as far as that is known: what the kernel is
/// given by value is in constant memory, and pointers that are given to it, in
/// whatever it is, are into global memory.
static MemorySpace spaceOfObject(const Value &Object) {
  if (isa<AllocaInst>(Object))
    return MemorySpace::Local;
  if (auto *Variable = dyn_cast<GlobalVariable>(&Object))
    switch (Variable->getAddressSpace()) {
    case 0:
    case 1:
      return MemorySpace::Global;
    case 3:
      return MemorySpace::Shared;
    case 4:
      return MemorySpace::Constant;
    default:
      return MemorySpace::Generic;
    }
  if (auto *Given = dyn_cast<Argument>(&Object))
    return Given->hasByValAttr() ? MemorySpace::Constant : MemorySpace::Global;
  if (auto *Load = dyn_cast<LoadInst>(&Object)) {
    auto *From =
        dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()));
    if (From && From->hasByValAttr())
      return MemorySpace::Global;
  }
  return MemorySpace::Generic;
}

/// Generic unless all that it may point into is in one space.
static MemorySpace spaceOf(const Value &Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  const MemorySpace First = spaceOfObject(*Objects.front());
  return all_of(
             Objects,
             [&](const Value *Each) { return spaceOfObject(*Each) == First; })
             ? First
             : MemorySpace::Generic;
}

namespace {
/// Numbers runs of loads with no store between them, and of stores with
/// nothing, in one block.
class Runs {
public:
  void next(const Instruction &I) {
    if (I.getParent() != Block)
      ++Loads, ++Stores;
    Block = I.getParent();
    const std::optional<MarkedAccess> Marked = markedAccess(I);
    if (!Marked) {
      if (I.mayWriteToMemory() && !isa<StoreInst>(I))
        ++Loads, ++Stores;
      return;
    }
    if (Marked->Volatile)
      ++Loads, ++Stores;
    else if (Marked->Op == AccessOp::Load)
      ++Stores;
    else
      ++Loads;
  }
  unsigned of(AccessOp Op) const {
    return Op == AccessOp::Load ? Loads : Stores;
  }

private:
  const BasicBlock *Block = nullptr;
  unsigned Loads = 0, Stores = 0;
};
} // namespace

/// Whether a value is one for all lanes by what it is computed from, as far as
/// compilers look.
static bool isOneForAllLanes(const Value &V,
                             SmallPtrSetImpl<const Value *> &Seen) {
  if (isa<Constant>(V) || isa<Argument>(V) || !Seen.insert(&V).second)
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return false;
  if (auto *Call = dyn_cast<CallInst>(I)) {
    const Function *F = Call->getCalledFunction();
    return F && F->getName().starts_with("llvm.nvvm.read.ptx.sreg.") &&
           F->getName().contains("cta"); // ctaid, nctaid
  }
  constexpr unsigned MostLooked = 64;
  // Counters of loops; of other values that meet, lanes may have either.
  auto *Phi = dyn_cast<PHINode>(I);
  if (Phi && llvm::none_of(Phi->incoming_values(), [&](const Use &U) {
        auto *Next = dyn_cast<BinaryOperator>(U.get());
        return Next && llvm::is_contained(Next->operands(), Phi);
      }))
    return false;
  return (isa<BinaryOperator>(I) || isa<CastInst>(I) || Phi ||
          isa<GetElementPtrInst>(I)) &&
         Seen.size() < MostLooked &&
         llvm::all_of(
             I->operands(),
             [&](const Use &U) { return isOneForAllLanes(*U.get(), Seen); });
}

/// Whether nvcc adds up what the lanes of a warp do there.
static bool addsUp(const Instruction &I, const Value &Pointer) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  if (!RMW || !RMW->getType()->isIntegerTy(32))
    return false;
  switch (RMW->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin: {
    SmallPtrSet<const Value *, 16> Seen;
    return isOneForAllLanes(Pointer, Seen);
  }
  default:
    return false;
  }
}

AccessPlan::AccessPlan(const Function &Kernel, const SourceFacts &Facts,
                       const std::vector<MachineInstruction> *Code) {
  // The analyses change nothing, but say so nowhere.
  AddressShapes Shapes(const_cast<Function &>(Kernel));
  Runs Run;
  BranchAlternatives Branches;
  std::vector<std::pair<const Instruction *, const Value *>> Places;
  for (const Instruction &I : instructions(Kernel)) {
    unsigned Part = 0;
    Run.next(I);
    for (const StaticAccess &Each : accessesOf(I)) {
      const bool IsKnown = Each.Space != MemorySpace::Generic || Each.InCluster;
      const MemorySpace Space = IsKnown ? Each.Space : spaceOf(*Each.Pointer);
      if (Space == MemorySpace::Constant) {
        ++Part;
        continue;
      }
      WrittenAccess W;
      W.Op = Each.Op;
      // Only of what Clang has a use for does the type of the pointer tell that
      // it is into global memory: an instruction of that space is rather of
      // such an access than of one of which the compiler may have none.
      W.Space = Space == MemorySpace::Local ? Space : Each.Space;
      W.ObjectSpace = Space;
      W.Bytes = Each.Bytes;
      W.Align = Each.Align;
      W.Volatile = Each.Volatile || Each.Op == AccessOp::Atomic;
      W.IsRedundant = Each.IsRedundant;
      W.Frames = framesOf(I, Each.Op, Facts, W.InHeader);
      W.Run = Run.of(W.Op);
      Shapes.describe(I, *Each.Pointer, W);
      W.AddsUp = addsUp(I, *Each.Pointer);
      Branches.add(I, Written.size(), W);
      Numbers[{&I, Part++}] = Written.size();
      Written.push_back(std::move(W));
      Places.emplace_back(&I, Each.Pointer);
    }
  }
  std::vector<PlacedAccess> Placed;
  for (std::size_t A = 0; A != Places.size(); ++A)
    Placed.push_back({Places[A].first, Places[A].second, &Written[A]});
  findReuse(Placed, Shapes.dominators(), Shapes.loops());
  BranchPartings = Branches.finish(Written, Shapes.dominators());
  Compiled = Code ? matchCompiled(Written, *Code) : expectCompiled(Written);
  std::set<unsigned> AtPlace;
  for (const Instruction &I : instructions(Kernel))
    for (unsigned Part = 0; Part != accessesOf(I).size(); ++Part) {
      const CompiledAccess *Each = find(I, Part);
      if (!Each)
        continue;
      for (const CompiledPart &P : Each->Parts) {
        if (P.Pool < Compiled.Pools.size())
          ++Sharers[P.Pool];
        if (P.IsOfNeighbours)
          NeighbourRuns.insert({written(I, Part)->Op, written(I, Part)->Run});
        if (!P.IsAlternative)
          continue;
        const std::vector<Location> &Frames = written(I, Part)->Frames;
        const MachineInstruction &Of = Compiled.Pools[P.Pool].front();
        const bool IsAtPlace =
            !Frames.empty() && !Of.Frames.empty() &&
            Frames.front().Line == Of.Frames.front().Line &&
            baseName(Frames.front().File) == baseName(Of.Frames.front().File) &&
            AtPlace.insert(P.Pool).second;
        if (IsAtPlace || !Owners.contains(P.Pool))
          Owners[P.Pool] = {&I, Part};
      }
    }
  findCompanies();
}

void AccessPlan::findCompanies() {
  using AccessRun = std::pair<AccessOp, unsigned>;
  const auto Count = static_cast<unsigned>(Written.size());
  auto RunOf = [&](unsigned A) {
    return AccessRun(Written[A].Op, Written[A].Run);
  };
  std::set<AccessRun> WithWords; // What of several is in one.
  for (unsigned A = 0; A != Count; ++A)
    if (llvm::any_of(Compiled.Accesses[A].Parts, [](const CompiledPart &P) {
          return P.IsWider || P.IsOfNeighbours;
        }))
      WithWords.insert(RunOf(A));
  IntEqClasses Together(Count);
  std::vector<bool> Meets(Count);
  auto Join = [&](auto &First, const auto &Key, unsigned A) {
    Together.join(First.try_emplace(Key, A).first->second, A);
    Meets[A] = true;
  };
  std::map<AccessRun, unsigned> FirstOfRun;
  std::map<unsigned, unsigned> FirstOfPool;
  for (unsigned A = 0; A != Count; ++A) {
    if (WithWords.contains(RunOf(A)))
      Join(FirstOfRun, RunOf(A), A);
    for (const CompiledPart &P : Compiled.Accesses[A].Parts)
      if (P.IsShared)
        Join(FirstOfPool, P.Pool, A);
  }
  Together.compress();
  for (unsigned A = 0; A != Count; ++A)
    Companies.push_back(Meets[A] ? Together[A] + 1 : 0);
}

unsigned AccessPlan::companyOf(const Instruction &I, unsigned Part) const {
  auto Found = Numbers.find({&I, Part});
  return Found == Numbers.end() ? 0 : Companies[Found->second];
}

bool AccessPlan::isAmongNeighbours(const Instruction &I, unsigned Part) const {
  if (NeighbourRuns.empty())
    return false;
  const WrittenAccess *W = written(I, Part);
  return W && NeighbourRuns.contains({W->Op, W->Run});
}

std::pair<const Instruction *, unsigned>
AccessPlan::ownerOf(unsigned Pool) const {
  return Owners.lookup(Pool);
}

std::optional<RemovedAccess> AccessPlan::recordOf(std::size_t Number,
                                                  std::string Why) const {
  const WrittenAccess &W = Written[Number];
  if (W.Frames.empty())
    return std::nullopt;
  return RemovedAccess{.Where = W.Frames.front(),
                       .Space = Written[Number].ObjectSpace,
                       .Op = W.Op,
                       .Bytes = W.Bytes,
                       .Why = std::move(Why),
                       .InlinedAt = {W.Frames.begin() + 1, W.Frames.end()}};
}

std::optional<RemovedAccess> AccessPlan::removed(const Instruction &I,
                                                 unsigned Part,
                                                 std::string Why) const {
  auto Found = Numbers.find({&I, Part});
  return Found == Numbers.end() ? std::nullopt
                                : recordOf(Found->second, std::move(Why));
}

std::vector<RemovedAccess> AccessPlan::removed() const {
  std::vector<RemovedAccess> Result;
  for (std::size_t I = 0; I != Written.size(); ++I)
    if (Compiled.Accesses[I].Parts.empty())
      if (std::optional<RemovedAccess> Each =
              recordOf(I, Compiled.Accesses[I].WhyRemoved))
        Result.push_back(std::move(*Each));
  std::ranges::stable_sort(Result, {}, &RemovedAccess::Where);
  return Result;
}

const CompiledAccess *AccessPlan::find(const Instruction &I,
                                       unsigned Part) const {
  auto Found = Numbers.find({&I, Part});
  return Found == Numbers.end() ? nullptr : &Compiled.Accesses[Found->second];
}

const WrittenAccess *AccessPlan::written(const Instruction &I,
                                         unsigned Part) const {
  auto Found = Numbers.find({&I, Part});
  return Found == Numbers.end() ? nullptr : &Written[Found->second];
}

} // namespace cudalint
