//===- analyzer/ir/WarpBranches.cpp - Where lanes go from a block ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/WarpRun.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include <bit>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cudalint {

/// The lanes of `Mask` that may go where `Condition` is `Wanted`. `Id` is a
/// number that no other call was given. `ByBlock`: dimensions of blockIdx,
/// where nothing else is not known in it. `OfOne`: it asks for one value of
/// blockIdx. `Data`: the condition, where data
/// decides it; else null. `Side`: as PathMask::Undecided, 0 of a loop's test.
static PathMask splitMask(const LaneValue &Condition, PathMask Mask,
                          bool Wanted, unsigned Id, unsigned ByBlock,
                          bool OfOne, const Value *Data, unsigned Side) {
  PathMask R = {.Assumes = Mask.Assumes | Condition.Assumes,
                .Condition = Mask.Condition,
                .Partings = Mask.Partings,
                .SomeBlocks = Mask.SomeBlocks,
                .FewBlocks = Mask.FewBlocks,
                .OpenBlocks = Mask.OpenBlocks,
                .Undecided = Mask.Undecided,
                .UndecidedBefore = Mask.UndecidedBefore,
                .Chosen = Mask.Chosen,
                .Held = Mask.Held};
  if (Data)
    R.Chosen = {.Set = Id,
                .By = Mask.Chosen.isOneSet() ? Data : nullptr,
                .Wanted = Wanted,
                .From = Mask.Chosen.Set,
                .Of = Mask.May};
  LaneMask Surely = 0, Symbolic = 0;
  for (unsigned L = 0; L < WarpSize; ++L) {
    LaneMask Bit = LaneMask(1) << L & Mask.May;
    if (Condition.Unknown & Bit) {
      R.May |= Bit;
      R.Doubtful |= Bit;
      if (!(Condition.Assumes & (AssumesAllLanes | AssumesBlockLanes)))
        R.DataDriven |= Bit;
      if (Condition.Assumes & AssumesBlockLanes)
        R.OpenBlocks |= PathMask::AllDimensions;
    } else if (!Condition.isConstantIn(Bit)) {
      Symbolic |= Bit;
    } else if ((Condition.Constant[L] != 0) == Wanted) {
      Surely |= Bit;
    }
  }
  // Lanes that wait for the same unknown condition go together: when some
  // others go anyway, whether these do is a matter of that condition.
  R.May |= Surely | Symbolic;
  if (!Surely && R.May && Side) {
    R.UndecidedBefore = Mask.Undecided;
    R.Undecided = Side;
  }
  R.SomeBlocks |= Symbolic && ByBlock;
  R.FewBlocks |= !Surely && R.May && OfOne;
  if (Symbolic)
    R.OpenBlocks |= ByBlock;
  if (Surely || R.Doubtful || !Condition.isUniformIn(Symbolic)) {
    R.Doubtful |= Symbolic;
    if (Symbolic && ByBlock)
      R.Assumes |= AssumesBlockLanes;
  } else if (Symbolic) {
    R.Condition = Id;
  }
  R.Partings += R.Doubtful != 0;
  R.Doubtful = (R.Doubtful | Mask.Doubtful) & R.May;
  R.DataDriven = (R.DataDriven | Mask.DataDriven) & R.May;
  return R;
}

/// Whether some of these lanes came to the block by one way, and others by
/// another. All of them by either, as a condition decides, is no such case.
bool WarpInterpreter::comeApart(const BasicBlock *B, LaneMask Lanes) const {
  const auto Came = Ways.find(B);
  if (Came == Ways.end())
    return false;
  auto AllWait = [](const PathMask &Each) {
    return Each.waiting() == Each.May;
  };
  const PathMask *First = nullptr;
  for (const PathMask &Each : Came->second) {
    if (!(Each.May & Lanes))
      continue;
    if (First && (Each.May != First->May || !AllWait(Each) ||
                  !AllWait(*First) || Each.Condition == First->Condition))
      return true;
    First = &Each;
  }
  return false;
}

/// Whether some comparison in a condition is of blockIdx, with nothing else in
/// it that is not known but how often a loop has turned.
bool WarpInterpreter::asksForBlock(const Value *Condition, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(Condition);
  if (!I || !Depth)
    return false;
  if (!isa<ICmpInst>(I))
    return isa<BinaryOperator, SelectInst, FreezeInst>(I) &&
           llvm::any_of(I->operands(), [&](const Value *Operand) {
             return asksForBlock(Operand, Depth - 1);
           });
  bool ByBlock = false;
  for (const Value *Operand : I->operands()) {
    const LaneValue V = Values.get(Operand);
    for (const Term &T : V.Terms) {
      const SymbolInfo &Info = A.info(T.S);
      if (!Info.ByBlock && Info.Kind != SymbolKind::Counter &&
          Info.Kind != SymbolKind::Warp)
        return false;
      ByBlock |= Info.ByBlock != 0;
    }
  }
  return ByBlock;
}

bool WarpInterpreter::asksForOneBlock(const Value *Condition, bool Wanted,
                                      unsigned Depth) {
  const Value *Left = nullptr, *Right = nullptr;
  if (Depth &&
      (Wanted ? match(Condition, m_LogicalAnd(m_Value(Left), m_Value(Right)))
              : match(Condition, m_LogicalOr(m_Value(Left), m_Value(Right)))))
    return asksForOneBlock(Left, Wanted, Depth - 1) ||
           asksForOneBlock(Right, Wanted, Depth - 1);
  const auto *Compare = dyn_cast<ICmpInst>(Condition);
  return Compare &&
         Compare->getPredicate() ==
             (Wanted ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE) &&
         asksForBlock(Condition, 1);
}

/// Where a switch may lead to, by the range of its value.
static SmallSetVector<const BasicBlock *, 8>
successorsFor(const SwitchInst &Switch, const LaneValue &V, LaneMask Active,
              const LaneArithmetic &A) {
  std::optional<Range> All;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1) {
      const std::optional<Range> Each = A.range(V, L);
      if (!Each || V.MayWrap || V.Bits > 63) {
        All.reset();
        break;
      }
      All = All ? Range{std::min(All->Min, Each->Min),
                        std::max(All->Max, Each->Max)}
                : *Each;
    }
  SmallSetVector<const BasicBlock *, 8> Result;
  Result.insert(Switch.getDefaultDest());
  for (const auto &Case : Switch.cases()) {
    auto IsIn = [&](std::int64_t Value) {
      return Value >= All->Min && Value <= All->Max;
    };
    // Ranges of narrow values are signed or not: `true` is 1 and -1.
    const llvm::APInt &Value = Case.getCaseValue()->getValue();
    if (!All || IsIn(Value.getSExtValue()) ||
        IsIn(static_cast<std::int64_t>(Value.getZExtValue())))
      Result.insert(Case.getCaseSuccessor());
  }
  return Result;
}

/// Notes which loops around the end of \p B it may leave, and whether that was
/// decided.
void WarpInterpreter::noteExits(const BasicBlock *B, const Value *Condition,
                                bool IsDecided) {
  for (const llvm::Loop *L = Kernel.loopOf(B); L; L = L->getParentLoop())
    for (const BasicBlock *S : successors(B)) {
      if (L->contains(S))
        continue;
      if (IsDecided)
        Decided[L] = true;
      else if (!Outcome.BoundByBlock.contains(L) && asksForBlock(Condition, 4))
        Outcome.BoundByBlock.insert(L);
    }
}

/// Of \p Lanes as many as can go where a distance is one of a few values: those
/// from the first on that has as many behind it, whichever that is in the run,
/// and those of which another comparison is not known to be otherwise.
LaneMask WarpInterpreter::lanesOf(const Remainder &Few, LaneMask Lanes) {
  const LaneValue X = Values.get(Few.Compared->getOperand(0));
  const LaneValue Y = Values.get(Few.Compared->getOperand(1));
  const LaneValue D = A.sub(X, Y);
  // Clamped values differ only where no clamp bites: at a border, one does.
  if (D.Unknown & Lanes || D.Assumes & AssumesInterior)
    return Lanes;
  for (const Term &T : D.Terms)
    if (!T.Coefficient.isUniformIn(Lanes))
      return Lanes;
  LaneMask Most = 0;
  for (unsigned First = 0; First < WarpSize; ++First) {
    LaneMask Its = 0;
    for (unsigned L = 0; L < WarpSize; ++L) {
      const std::int64_t Behind = D.Constant[L] - D.Constant[First];
      if ((Lanes >> L & 1) && Behind >= 0 && Behind < Few.Values)
        Its |= LaneMask(1) << L;
    }
    if ((Lanes >> First & 1) && std::popcount(Its) > std::popcount(Most))
      Most = Its;
  }
  for (const auto &[Compared, Holds] : Few.Or) {
    const LaneValue C = Values.evaluate(*Compared, Lanes, 0, 0);
    for (unsigned L = 0; L < WarpSize; ++L) {
      const LaneMask Bit = LaneMask(1) << L & Lanes;
      if (!C.isConstantIn(Bit) || (C.Constant[L] != 0) == Holds)
        Most |= Bit;
    }
  }
  return Most;
}

/// What holds of remainders where all of \p Lanes come by \p Condition, or by
/// that it does not hold.
HeldRemaindersPtr WarpInterpreter::heldBy(const Value &Condition,
                                          LaneMask Lanes, bool Wanted,
                                          unsigned Depth) {
  const Value *Left = nullptr, *Right = nullptr;
  const bool IsAnd =
      match(&Condition, m_LogicalAnd(m_Value(Left), m_Value(Right)));
  if (Depth && (IsAnd || match(&Condition,
                               m_LogicalOr(m_Value(Left), m_Value(Right))))) {
    const HeldRemaindersPtr X = heldBy(*Left, Lanes, Wanted, Depth - 1);
    const HeldRemaindersPtr Y = heldBy(*Right, Lanes, Wanted, Depth - 1);
    return IsAnd == Wanted ? bothHold(X, Y) : eitherHolds(X, Y);
  }
  return heldWhere(A, Values.get(&Condition), Lanes,
                   [&](std::int64_t Is) { return (Is != 0) == Wanted; });
}

/// As PathMask::Undecided, of the way to the \p K-th successor.
static unsigned undecidedSide(const BasicBlock *B, unsigned K,
                              const KernelStructure &In) {
  constexpr unsigned Sides = 2;
  const llvm::Loop *L = In.loopOf(B);
  const bool IsTest = L && L->isLoopExiting(B);
  return IsTest ? 0 : 1 + In.order(B) * Sides + K;
}

void WarpInterpreter::branchBy(const BranchInst &Br, PathMask Mask) {
  const BasicBlock *B = Br.getParent();
  LaneValue C = Values.get(Br.getCondition());
  noteExits(B, Br.getCondition(), C.isConstantIn(Mask.May));
  Outcome.LeftOutUnder |= C.Assumes;
  const unsigned ByBlock =
      A.isOfKind(C, SymbolKind::BlockIndex) ? A.blockDimensions(C) : 0;
  const bool ByData = C.Unknown & Mask.May &&
                      isByData(*Br.getCondition(), Mask.May, Br, Values);
  for (unsigned K = 0; K < 2; ++K) {
    PathMask Part = splitMask(C, Mask, K == 0, ++Conditions, ByBlock,
                              asksForOneBlock(Br.getCondition(), K == 0, 4),
                              ByData ? Br.getCondition() : nullptr,
                              undecidedSide(B, K, Kernel));
    const Remainder Few = Kernel.remainderOn({B, Br.getSuccessor(K)});
    if (Few.Compared && !C.isConstantIn(Part.May))
      Part.keepOnly(lanesOf(Few, Part.May));
    Part.Held = bothHold(
        Mask.Held, heldBy(*Br.getCondition(), Part.May, K == 0, /*Depth=*/4));
    if (comeApart(B, Part.May))
      Part.Assumes |= AssumesMeeting;
    leave(B, Br.getSuccessor(K), Part);
  }
}

void WarpInterpreter::switchBy(const SwitchInst &Switch, PathMask Mask) {
  const BasicBlock *B = Switch.getParent();
  LaneValue V = Values.get(Switch.getCondition());
  if (A.dependsOnWarp(V))
    A.tellWarpsApart();
  const bool IsKnown = V.isConstantIn(Mask.May);
  noteExits(B, Switch.getCondition(), IsKnown);
  if (!IsKnown) {
    switchByUnknown(Switch, V, Mask);
    return;
  }
  Outcome.LeftOutUnder |= V.Assumes;
  std::map<const BasicBlock *, LaneMask> To;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Mask.May >> L & 1) {
      auto *Case = ConstantInt::get(
          cast<IntegerType>(Switch.getCondition()->getType()),
          static_cast<std::uint64_t>(V.Constant[L]), /*IsSigned=*/true,
          /*ImplicitTrunc=*/true);
      To[Switch.findCaseValue(Case)->getCaseSuccessor()] |= LaneMask(1) << L;
    }
  for (const BasicBlock *S : successors(B)) {
    const LaneMask M = std::exchange(To[S], 0);
    leave(B, S,
          {.May = M,
           .Doubtful = Mask.Doubtful & M,
           .DataDriven = Mask.DataDriven & M,
           .Assumes = Mask.Assumes | V.Assumes |
                      (comeApart(B, M) ? std::uint32_t{AssumesMeeting} : 0),
           .Condition = Mask.Condition,
           .Partings = Mask.Partings,
           .SomeBlocks = Mask.SomeBlocks,
           .FewBlocks = Mask.FewBlocks,
           .OpenBlocks = Mask.OpenBlocks,
           .Undecided = Mask.Undecided,
           .UndecidedBefore = Mask.UndecidedBefore,
           .Chosen = Mask.Chosen,
           .Held = Mask.Held});
  }
}

/// Any case, for all lanes alike if they have the same value.
void WarpInterpreter::switchByUnknown(const SwitchInst &Switch,
                                      const LaneValue &V, PathMask Mask) {
  const BasicBlock *B = Switch.getParent();
  const auto Possible = successorsFor(Switch, V, Mask.May, A);
  PathMask Any = Mask;
  Any.Assumes |= V.Assumes;
  for (const BasicBlock *S : successors(B))
    if (!Possible.contains(S)) {
      Outcome.LeftOutUnder |= V.Assumes;
      leave(B, S, {.Assumes = Any.Assumes});
    }
  if (Possible.size() == 1) {
    leave(B, Possible.front(), Any);
    return;
  }
  Any.SomeBlocks |= A.blockDimensions(V) != 0;
  if (A.isOfKind(V, SymbolKind::BlockIndex))
    Any.OpenBlocks |= A.blockDimensions(V);
  if (!V.isUniformIn(Mask.May)) {
    Any.Doubtful = Any.May;
    Any.Chosen = {.Set = LaneChoice::Mixed};
    ++Any.Partings;
  }
  Any.Undecided = undecidedSide(B, 0, Kernel);
  for (const BasicBlock *S : Possible) {
    Any.Condition = ++Conditions;
    Any.Held =
        bothHold(Mask.Held, heldWhere(A, V, Mask.May, [&](std::int64_t Is) {
                   auto *Case = ConstantInt::get(
                       cast<IntegerType>(Switch.getCondition()->getType()),
                       static_cast<std::uint64_t>(Is),
                       /*IsSigned=*/true, /*ImplicitTrunc=*/true);
                   return Switch.findCaseValue(Case)->getCaseSuccessor() == S;
                 }));
    leave(B, S, Any);
  }
}

void WarpInterpreter::branch(const BasicBlock *B, PathMask Mask) {
  const Instruction *T = B->getTerminator();
  if (auto *Br = dyn_cast<BranchInst>(T)) {
    if (Br->isUnconditional())
      leave(B, Br->getSuccessor(0), Mask);
    else
      branchBy(*Br, Mask);
    return;
  }
  if (auto *Switch = dyn_cast<SwitchInst>(T)) {
    switchBy(*Switch, Mask);
    return;
  }
  if (T->getNumSuccessors() > 0)
    for (const BasicBlock *S : successors(B))
      leave(B, S,
            {.May = Mask.May,
             .Doubtful = Mask.May,
             .Assumes = Mask.Assumes,
             .Partings = Mask.Partings + 1,
             .Chosen = {.Set = LaneChoice::Mixed},
             .Held = Mask.Held});
}

} // namespace cudalint
