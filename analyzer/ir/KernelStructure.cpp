//===- analyzer/ir/KernelStructure.cpp - Loops and order of a kernel ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KernelStructure.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/PassedSizes.h"
#include "analyzer/ir/WarpInterpreter.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cudalint {

/// Whether nothing outside of its block uses a value; what a phi uses leaves
/// the block, even if it comes back to it. So does what a comparison compares
/// by which a branch elsewhere goes: what is left of a distance is asked there.
static bool staysInBlock(const Instruction &I) {
  return llvm::all_of(I.users(), [&](const User *U) {
    const auto *Its = cast<Instruction>(U);
    return !isa<PHINode>(Its) && Its->getParent() == I.getParent() &&
           !(isa<ICmpInst>(Its) && Its->isUsedOutsideOfBlock(Its->getParent()));
  });
}

namespace {
/// What the branches ask of the blocks that were looked at so far.
class Questions {
public:
  /// Whether the branch at the end of \p B asks what one before it asked, or
  /// compares the same value with another constant.
  bool isToldBefore(const BasicBlock &B) const {
    // A block with a barrier has no copies.
    const Value *Condition = askedBy(B);
    if (!Condition || llvm::any_of(B, [](const Instruction &I) {
          auto *Call = dyn_cast<CallBase>(&I);
          return Call && Call->isConvergent() && !markedAccess(I);
        }))
      return false;
    if (auto *Phi = dyn_cast<PHINode>(Condition); Phi && Phi->getParent() == &B)
      return llvm::any_of(Phi->incoming_values(),
                          [](const Use &U) { return isa<Constant>(U.get()); });
    return Asked.contains(Condition) ||
           Compared.contains(comparedIn(*Condition));
  }

  void add(const BasicBlock &B) {
    const Value *Condition = askedBy(B);
    if (!Condition)
      return;
    Asked.insert(Condition);
    Compared.insert(comparedIn(*Condition));
  }

private:
  DenseSet<const Value *> Asked, Compared;

  static const Value *askedBy(const BasicBlock &B) {
    if (auto *Switch = dyn_cast<SwitchInst>(B.getTerminator()))
      return Switch->getCondition();
    auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    return Branch && Branch->isConditional() ? Branch->getCondition() : nullptr;
  }
  /// What is compared with constants; a switch does that with its condition.
  static const Value *comparedIn(const Value &Condition) {
    auto *Compare = dyn_cast<ICmpInst>(&Condition);
    return Compare && isa<ConstantInt>(Compare->getOperand(1))
               ? Compare->getOperand(0)
               : &Condition;
  }
};
} // namespace

/// Blocks that are visited to find where lanes meet: of hostile code, in which
/// each branch leads to many others, that would be all for each.
static constexpr std::size_t MostVisited = 1 << 20;

KernelStructure::KernelStructure(const Function &Kernel, Partings PartedAt)
    : F(Kernel), PartedAt(std::move(PartedAt)),
      Dominators(const_cast<Function &>(Kernel)), Loops(Dominators),
      OfPassedSizes(valuesOfPassedSizes(Kernel)) {
  const unsigned Instructions = F.getInstructionCount();
  Numbers.reserve(Instructions + F.arg_size());
  Needed.reserve(Instructions);
  OfWays.reserve(Instructions);
  for (const Argument &A : F.args())
    Numbers.try_emplace(&A, Numbers.size());
  Remainders = findRemainderBranches(F, Dominators);
  PostDominatorTree PostDominators(const_cast<Function &>(F));
  Regions[nullptr];
  for (const llvm::Loop *L : Loops.getLoopsInPreorder())
    Regions[L].Loop = L;

  std::vector<const BasicBlock *> Writers; // Of private arrays.
  ReversePostOrderTraversal<const Function *> RPO(&F);
  unsigned Position = 0;
  Questions Before;
  std::size_t Work = MostVisited;
  for (const BasicBlock *B : RPO) {
    Order[B] = ++Position;
    const llvm::Loop *L = Loops.getLoopFor(B);
    Regions[L].Items.push_back(B);
    // A loop stands in its parent where its header comes.
    if (L && L->getHeader() == B)
      Regions[L->getParentLoop()].Items.push_back(B);

    for (const BasicBlock *To : successors(B))
      for (const llvm::Loop *Outer = L; Outer; Outer = Outer->getParentLoop()) {
        if (Outer->getHeader() == To)
          Regions[Outer].Latches.push_back({B, To});
        if (!Outer->contains(To))
          Regions[Outer].Exits.push_back({B, To});
      }

    if (auto *Node = Dominators.getNode(B); Node && Node->getIDom()) {
      // After a loop: the block before it.
      while (Node->getIDom() &&
             L != Loops.getLoopFor(Node->getIDom()->getBlock()) &&
             (!L || L->contains(Node->getIDom()->getBlock())))
        Node = Node->getIDom();
      if (Node->getIDom()) {
        const BasicBlock *D = Node->getIDom()->getBlock();
        CameBy[B] = D;
        const bool AllCome = PostDominators.dominates(B, D);
        if (Loops.getLoopFor(D) == L && AllCome)
          Convergent[B] = D;
        if (!AllCome && !B->getUniquePredecessor() && passesBy(B, D, Work))
          BeforeMeeting.insert(B);
        if (!B->getUniquePredecessor() && Before.isToldBefore(*B))
          PassedBy.insert(B);
      }
    }
    Before.add(*B);
    std::vector<unsigned> &Own = OwnValues[B];
    for (const Instruction &I : *B) {
      if (!I.getType()->isVoidTy()) {
        unsigned Number = Numbers.size();
        Numbers.try_emplace(&I, Number);
        if (staysInBlock(I))
          Own.push_back(Number);
      }
      if (auto Each = accessesOf(I); !Each.empty())
        Accesses[&I] = std::move(Each);
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Store &&
          isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()))) {
        if (Writers.empty() || Writers.back() != B)
          Writers.push_back(B);
        for (const llvm::Loop *O = L; O; O = O->getParentLoop())
          Regions[O].StoresToLocals = true;
      }
    }
  }
  findReaders(Writers);
  findAddedUp();
  findNeeded();
  countStretches();
}

std::pair<const Value *, bool> zeroOrOne(const Instruction &I) {
  if (isa<ZExtInst>(I) && I.getOperand(0)->getType()->isIntegerTy(1))
    return {I.getOperand(0), true};
  auto *Number = dyn_cast<PHINode>(&I);
  if (!Number || !I.getType()->isIntegerTy())
    return {nullptr, false};
  // `if (p) n = 1; else n = 0;`, of which p comes with n.
  auto IsAlso = [&](const PHINode &Truth, bool One) {
    for (unsigned K = 0; K < Number->getNumIncomingValues(); ++K) {
      auto *N = dyn_cast<ConstantInt>(Number->getIncomingValue(K));
      auto *T = dyn_cast<ConstantInt>(
          Truth.getIncomingValueForBlock(Number->getIncomingBlock(K)));
      if (!N || !T || !(N->isZero() || N->isOne()) ||
          N->isOne() != (T->isOne() == One))
        return false;
    }
    return true;
  };
  for (const PHINode &Truth : I.getParent()->phis())
    for (const bool One : {true, false})
      if (Truth.getType()->isIntegerTy(1) && IsAlso(Truth, One))
        return {&Truth, One};
  return {nullptr, false};
}

void KernelStructure::findAddedUp() {
  constexpr std::size_t MostValues = 1024;
  SmallVector<const Value *> Pending;
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() &&
        Call->getCalledFunction()->getName() == "llvm.nvvm.shfl.sync.up.i32")
      Pending.push_back(Call->getArgOperand(1));
  SmallPtrSet<const Value *, 32> Seen;
  while (!Pending.empty() && Seen.size() < MostValues) {
    auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (zeroOrOne(*I).first)
      AddedUp.insert(I);
    else if (isa<PHINode, SelectInst>(I) || I->getOpcode() == Instruction::Add)
      append_range(Pending, I->operand_values());
  }
}

/// Whether some way from \p D that does not come to \p B meets one from there,
/// in the same turn. Who leaves the kernel, or a loop, is waited for by nobody.
/// Where \p Work, which is blocks, ends before that is known: perhaps.
bool KernelStructure::passesBy(const BasicBlock *B, const BasicBlock *D,
                               std::size_t &Work) const {
  const llvm::Loop *L = Loops.getLoopFor(B);
  auto WaysFrom = [&](const BasicBlock *From) {
    SmallPtrSet<const BasicBlock *, 32> Seen = {B};
    SmallVector<const BasicBlock *> Pending(successors(From));
    while (!Pending.empty() && Work) {
      --Work;
      const BasicBlock *Next = Pending.pop_back_val();
      const bool IsGone = L ? !L->contains(Next) || Next == L->getHeader()
                            : isa<ReturnInst>(Next->front());
      if (!IsGone && Seen.insert(Next).second)
        append_range(Pending, successors(Next));
    }
    Seen.erase(B);
    return Seen;
  };
  const auto FromHere = WaysFrom(B);
  const auto FromThere = WaysFrom(D);
  return !Work || llvm::any_of(FromThere, [&](const BasicBlock *Each) {
    return FromHere.contains(Each);
  });
}

/// Whether something in the block may read a private array.
static bool readsLocals(const BasicBlock &B) {
  return llvm::any_of(B, [](const Instruction &I) {
    if (!I.mayReadFromMemory() || markedAccess(I))
      return false;
    auto *Load = dyn_cast<LoadInst>(&I);
    const Value *Object =
        Load ? getUnderlyingObject(Load->getPointerOperand()) : nullptr;
    return !Object || !(isa<Argument, GlobalVariable>(Object));
  });
}

void KernelStructure::findReaders(
    const std::vector<const BasicBlock *> &Writers) {
  constexpr std::size_t MostWriters = 256;
  if (Writers.empty() || Writers.size() > MostWriters)
    return;
  DenseSet<const BasicBlock *> Readers;
  for (const BasicBlock &B : F)
    if (readsLocals(B))
      Readers.insert(&B);
  for (const BasicBlock *From : Writers) {
    DenseSet<const BasicBlock *> Seen;
    SmallVector<const BasicBlock *> Pending(successors(From));
    bool ArePassing = true;
    while (!Pending.empty() && ArePassing) {
      const BasicBlock *B = Pending.pop_back_val();
      if (!Seen.insert(B).second)
        continue;
      ArePassing = !Readers.contains(B) || Dominators.dominates(From, B);
      llvm::append_range(Pending, successors(B));
    }
    if (ArePassing)
      PassedByReaders.insert(From);
  }
}

std::shared_ptr<const KernelStructure>
makeKernelStructure(const Function &Kernel, Partings PartedAt) {
  return std::make_shared<const KernelStructure>(Kernel, std::move(PartedAt));
}

/// It may change what a load of global or shared memory reads.
static bool mayWrite(const Instruction &I) {
  // No lane reads the private variables of another.
  if (const std::optional<MarkedAccess> Marked = markedAccess(I))
    return Marked->Op != AccessOp::Load &&
           !isa<AllocaInst>(getUnderlyingObject(Marked->Pointer));
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return !isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()));
  return !isFence(I) && I.mayWriteToMemory() && !I.isLifetimeStartOrEnd() &&
         !isa<DbgInfoIntrinsic>(I);
}

void KernelStructure::countStretches() {
  for (const BasicBlock &B : F) {
    unsigned Writes = 0;
    for (const Instruction &I : B) {
      if (Accesses.contains(&I))
        Stretches[&I] = Writes;
      Writes += mayWrite(I);
    }
  }
}

BlockPlace KernelStructure::placeOf(const Instruction &I) const {
  const BasicBlock *B = I.getParent();
  const llvm::Loop *L = loopOf(B);
  return {.Block = order(B),
          .Loop = L ? order(L->getHeader()) + 1 : 0,
          .Stretch = Stretches.lookup(&I)};
}

unsigned loopDepth(const KernelStructure &K, const Instruction &I) {
  const llvm::Loop *L = K.loopOf(I.getParent());
  return L ? L->getLoopDepth() : 0;
}

} // namespace cudalint
