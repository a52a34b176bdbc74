//===- analyzer/ir/BlockRole.cpp - What a block is to a kernel ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/BlockRole.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/BlockValues.h"
#include "analyzer/ir/FunctionAnalyses.h"
#include "analyzer/ir/RegisterReads.h"
#include "analyzer/ir/SharedVariables.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <string>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cudalint {

static constexpr StringRef RoleNote = "cuda-lint.block-role";

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

/// Whether the step of a loop hangs by the size of the grid, or something is
/// divided by it: an index does, too, that takes it for a number of rows.
static bool sharesByGridSize(const Function &F, const LoopInfo &Loops) {
  SmallVector<const Instruction *> Pending;
  SmallPtrSet<const Instruction *, 16> Seen;
  for (const Instruction &I : instructions(F))
    if (readsGridSize(I) && Seen.insert(&I).second)
      Pending.push_back(&I);
  while (!Pending.empty()) {
    const Instruction *Of = Pending.pop_back_val();
    for (const Use &Each : Of->uses()) {
      auto *I = dyn_cast<Instruction>(Each.getUser());
      if (!I || isa<LoadInst, StoreInst, CmpInst>(I))
        continue;
      const Loop *Around = Loops.getLoopFor(I->getParent());
      if (auto *Phi = dyn_cast<PHINode>(I);
          Phi && Around && Around->getHeader() == I->getParent() &&
          Around->contains(Phi->getIncomingBlock(Each)))
        return true;
      auto *Division = dyn_cast<BinaryOperator>(I);
      if (Division && Division->isIntDivRem() && Each.getOperandNo() == 1)
        return true;
      if (Seen.insert(I).second)
        Pending.push_back(I);
    }
  }
  return false;
}

static bool isOfThreads(const Instruction &I) {
  const auto reads = [&](unsigned Operand, StringRef What) {
    const Value *Of = I.getOperand(Operand);
    while (auto *Cast = dyn_cast<CastInst>(Of))
      Of = Cast->getOperand(0);
    auto *Read = dyn_cast<Instruction>(Of);
    return Read && readRegister(*Read) == What;
  };
  return I.getOpcode() == Instruction::Mul &&
         ((reads(0, "ctaid.x") && reads(1, "ntid.x")) ||
          (reads(1, "ctaid.x") && reads(0, "ntid.x")));
}

/// Whether it calls what may read anything: the body is not here, or was not
/// inlined, and it is nothing that every program has.
static bool isUnseenCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->isInlineAsm() || isa<IntrinsicInst>(I) ||
      markedAccess(I) || isFence(I))
    return false;
  const Function *Callee = Call->getCalledFunction();
  if (!Callee)
    return true;
  static constexpr StringLiteral Known[] = {
      "__nv_",  "llvm.", "cuda",     "__cudaCDP2", "vprintf",
      "malloc", "free",  "__assert", "cuda-lint."};
  return none_of(Known, [&](StringRef Each) {
    return Callee->getName().starts_with(Each);
  });
}

/// Memory of the thread or the block alone.
static bool isOfBlock(const Value &Pointer) {
  if (Pointer.getType()->getPointerAddressSpace() ==
      NVPTXAS::ADDRESS_SPACE_SHARED)
    return true;
  const Value *Of = getUnderlyingObject(&Pointer);
  return isa<AllocaInst>(Of) || isSharedVariable(Of);
}

/// Whether all that comes of \p Index is where a result is stored, behind all
/// loops: the block has done the same as the others. What a loop fills is a
/// part of its own.
static bool placesResultsAlone(const Instruction &Index,
                               const LoopInfo &Loops) {
  SmallVector<const Instruction *> Pending = {&Index};
  SmallPtrSet<const Instruction *, 16> Seen = {&Index};
  while (!Pending.empty())
    for (const Use &Each : Pending.pop_back_val()->uses()) {
      auto *I = dyn_cast<Instruction>(Each.getUser());
      if (!I || Loops.getLoopFor(I->getParent()))
        return false;
      auto *Store = dyn_cast<StoreInst>(I);
      const std::optional<MarkedAccess> Marked = markedAccess(*I);
      if ((Store && Each.getOperandNo() == Store->getPointerOperandIndex()) ||
          (Marked && Marked->Op == AccessOp::Store &&
           Marked->Pointer == Each.get()))
        continue;
      if (!isa<BinaryOperator, CastInst, GetElementPtrInst>(I))
        return false;
      if (Seen.insert(I).second)
        Pending.push_back(I);
    }
  return true;
}

/// An atomic on global memory of which somebody uses the old value.
static bool takesNumber(const Instruction &I) {
  if (inlineAssembly(I).contains("atom."))
    return !I.getType()->isVoidTy();
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return isResultUsed(*Update) && !isOfBlock(*Update->getPointerOperand());
  auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
  return Exchange && !Exchange->use_empty() &&
         !isOfBlock(*Exchange->getPointerOperand());
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// A load that sees what others have stored meanwhile; null: it is none.
static const Value *flagOf(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isVolatile() || Load->isAtomic() ? Load->getPointerOperand()
                                                  : nullptr;
  // `atomicAdd(flag, 0)`
  auto *Update = dyn_cast<AtomicRMWInst>(&I);
  auto *Zero =
      Update ? dyn_cast<ConstantInt>(Update->getValOperand()) : nullptr;
  const bool ChangesNothing = Zero && Zero->isZero() &&
                              (Update->getOperation() == AtomicRMWInst::Add ||
                               Update->getOperation() == AtomicRMWInst::Or);
  return ChangesNothing ? Update->getPointerOperand() : nullptr;
}

/// Whether a condition that ends \p L hangs by a flag that stays where it is.
static bool waitsForFlag(const Loop &L) {
  SmallVector<BasicBlock *> Exits;
  L.getExitingBlocks(Exits);
  SmallVector<const Value *> Pending;
  for (const BasicBlock *Each : Exits)
    if (auto *Branch = dyn_cast<BranchInst>(Each->getTerminator());
        Branch && Branch->isConditional())
      Pending.push_back(Branch->getCondition());
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (const Value *Flag = flagOf(*I);
        Flag && L.isLoopInvariant(Flag) && !isOfBlock(*Flag))
      return true;
    // What is done with what was loaded from other places is no wait.
    if (!isa<LoadInst, PHINode>(I))
      append_range(Pending, I->operand_values());
  }
  return false;
}

/// Whether it turns more than a few times and accesses nothing.
static bool isBareLoop(const Loop &L, ScalarEvolution &Scalars) {
  constexpr unsigned Few = 8; // Chosen.
  const unsigned Turns = Scalars.getSmallConstantTripCount(&L);
  return (Turns == 0 || Turns > Few) &&
         none_of(L.blocks(), [](const BasicBlock *B) {
           return any_of(*B, [](const Instruction &I) {
             return isa<LoadInst, StoreInst>(I) || accessesMemory(I);
           });
         });
}

//===----------------------------------------------------------------------===//
// Places that all blocks share
//===----------------------------------------------------------------------===//

static bool storesToOnePlace(Function &F) {
  constexpr std::size_t MostBlocks = 500; // The time grows by its square.
  SmallVector<const StoreInst *> Stores;
  for (const Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I);
        Store && !isOfBlock(*Store->getPointerOperand()))
      Stores.push_back(Store);
  if (Stores.empty() || F.size() > MostBlocks)
    return false;
  BlockValues Values(F);
  return any_of(Stores, [&](const StoreInst *Store) {
    return Values.mayDiffer(Store->getValueOperand()) &&
           !Values.mayDiffer(Store->getPointerOperand()) &&
           !Values.mayBeLeftOut(*Store->getParent());
  });
}

/// Empty where \p V is no call of a function by its name.
static StringRef calledName(const Value &V) {
  auto *Call = dyn_cast<CallBase>(&V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? Callee->getName() : "";
}

/// The function of the device runtime's that launches a grid; since CUDA 12,
/// its header gives the names of the source others.
static bool launchesGrid(const Instruction &I) {
  StringRef Name = calledName(I);
  return (Name.consume_front("__cudaCDP2") || Name.consume_front("cuda")) &&
         Name.starts_with("LaunchDevice");
}

/// Where the arguments of a grid that is launched go.
static bool isParameterBuffer(const Value &Pointer) {
  return calledName(*getUnderlyingObject(&Pointer))
      .contains("GetParameterBuffer");
}

/// Whether what is stored to \p Pointer is left when the kernel is done.
static bool isLeft(const Value &Pointer) {
  return !isOfBlock(Pointer) && !isParameterBuffer(Pointer);
}

static bool leavesSomething(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return isLeft(*Store->getPointerOperand());
  if (auto *Copy = dyn_cast<MemIntrinsic>(&I))
    return isLeft(*Copy->getRawDest());
  if (const std::optional<MarkedAccess> Marked = markedAccess(I))
    return Marked->Op != AccessOp::Load && isLeft(*Marked->Pointer);
  if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm())
    return Call->mayWriteToMemory();
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(I) || isUnseenCall(I);
}

static bool prints(const Instruction &I) {
  const StringRef Name = calledName(I);
  return Name == "vprintf" || Name == "printf";
}

static bool readsBlockSize(const Instruction &I) {
  return readRegister(I).starts_with("ntid.");
}

/// Whether it is computed from the block's size, or more lanes than a warp has.
static bool isOfBlockSize(const Value &Start) {
  if (const auto *Number = dyn_cast<ConstantInt>(&Start))
    return Number->getValue().ugt(WarpSize - 1);
  SmallVector<const Value *> Pending = {&Start};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (readsBlockSize(*I))
      return true;
    if (isa<BinaryOperator, CastInst>(I))
      Pending.append(I->value_op_begin(), I->value_op_end());
  }
  return false;
}

/// `for (int n = blockDim.x / 2; n > 0; n /= 2)`
static bool halvesBlock(const Loop &L) {
  const BasicBlock *Before = L.getLoopPredecessor(), *Latch = L.getLoopLatch();
  const auto isHalved = [&](const PHINode &N) {
    return match(N.getIncomingValueForBlock(Latch),
                 m_CombineOr(m_Shr(m_Specific(&N), m_One()),
                             m_IDiv(m_Specific(&N), m_SpecificInt(2)))) &&
           isOfBlockSize(*N.getIncomingValueForBlock(Before));
  };
  return Before && Latch && any_of(L.getHeader()->phis(), isHalved);
}

//===----------------------------------------------------------------------===//
// The note
//===----------------------------------------------------------------------===//

void noteBlockRole(Function &Kernel) {
  std::string Note;
  auto Has = [&](auto Predicate) {
    return any_of(instructions(Kernel), Predicate);
  };
  const bool IsUnseen = Has(isUnseenCall);
  FunctionAnalyses A(Kernel);
  const bool Loads = Has([](const Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || isOfBlock(*Load->getPointerOperand()))
      return false;
    auto *Parameter =
        dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()));
    return !Parameter || !Parameter->hasByValAttr();
  });
  const auto TellsApart = [&](const Instruction &I) {
    return readsBlockIndex(I) && !(Loads && placesResultsAlone(I, A.Loops));
  };
  const bool Measures = Has(readsClock);
  if (IsUnseen || Has(TellsApart) || Has(takesNumber) ||
      (Measures && Has(readsBlockIndex)))
    Note += 'i';
  if (Has(launchesGrid))
    Note += 'l';
  if (Has(prints) && !Has(leavesSomething))
    Note += 'p';
  if (sharesByGridSize(Kernel, A.Loops))
    Note += 'g';
  if (Has(isOfThreads))
    Note += 't';
  const auto Loops = A.Loops.getLoopsInPreorder();
  if (any_of(Loops, [](const Loop *L) { return waitsForFlag(*L); }))
    Note += 'w';
  if (any_of(Loops, [&](const Loop *L) { return isBareLoop(*L, A.Scalars); }))
    Note += 'b';
  if (storesToOnePlace(Kernel))
    Note += 's';
  if (any_of(Loops, [](const Loop *L) { return halvesBlock(*L); }))
    Note += 'h';
  for (const char Each : {'x', 'y', 'z'})
    if (IsUnseen || Has([Each](const Instruction &I) {
          const std::string Name = std::string("ntid.") + Each;
          return readRegister(I) == Name ||
                 inlineAssembly(I).contains("%" + Name);
        }))
      Note += Each;
  Kernel.addFnAttr(RoleNote, Note);
}

BlockRole notedBlockRole(const Function &Kernel) {
  if (!Kernel.hasFnAttribute(RoleNote))
    return {};
  const StringRef Note = Kernel.getFnAttribute(RoleNote).getValueAsString();
  return {.TellsBlocksApart = Note.contains('i'),
          .SharesAmongBlocks = Note.contains('g'),
          .HasPartPerThread = Note.contains('t'),
          .StoresToOnePlace = Note.contains('s'),
          .LaunchesKernels = Note.contains('l'),
          .OnlyPrints = Note.contains('p'),
          .WaitsForFlag = Note.contains('w'),
          .HasBareLoops = Note.contains('b'),
          .HalvesItself = Note.contains('h'),
          .ReadsBlockSize = {Note.contains('x'), Note.contains('y'),
                             Note.contains('z')}};
}

} // namespace cudalint
