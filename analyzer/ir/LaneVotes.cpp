//===- analyzer/ir/LaneVotes.cpp - What lanes say of themselves -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneVotes.h"

#include "analyzer/ir/DataOrigin.h"
#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace cudalint {

void LaneVotes::addMask(Symbol Mask, LaneVote Vote) {
  if (Votes.size() >= MostVotes)
    return;
  Votes.push_back(std::move(Vote));
  Masks[Mask] = static_cast<unsigned>(Votes.size());
}

/// Gives each lane's word a symbol. False: there are too many.
bool LaneVotes::name(LaneVote &Vote, unsigned Number) {
  if (!Vote.Says.empty())
    return true;
  if (Counted == MostCounted)
    return false;
  ++Counted;
  for (unsigned L = 0; L < WarpSize; ++L)
    Vote.Says.push_back(A.makeSymbol({.Kind = SymbolKind::Loaded,
                                      .Min = 0,
                                      .Max = 1,
                                      .IsGathered = true,
                                      .Vote = Number}));
  return true;
}

std::optional<LaneValue>
LaneVotes::count(Symbol Mask, const std::array<LaneMask, WarpSize> &Of,
                 unsigned Bits) {
  const unsigned Number = Masks.at(Mask);
  LaneVote &Vote = Votes[Number - 1];
  if (!name(Vote, Number))
    return std::nullopt;
  LaneValue R = LaneValue::constant(Bits, 0);
  for (unsigned K = 0; K < WarpSize; ++K) {
    std::array<std::int64_t, WarpSize> Counts = {};
    for (unsigned L = 0; L < WarpSize; ++L)
      Counts[L] = (Of[L] & Vote.Lanes) >> K & 1;
    if (const Lanes C = Lanes(Counts); !C.isZero())
      R.Terms.push_back({Vote.Says[K], C});
  }
  return R;
}

std::optional<LaneValue> LaneVotes::numbers(LaneVote Vote, unsigned Bits) {
  if (Counted == MostCounted || Votes.size() >= MostVotes)
    return std::nullopt;
  Votes.push_back(std::move(Vote));
  const auto Number = static_cast<unsigned>(Votes.size());
  LaneVote &Of = Votes.back();
  if (!name(Of, Number))
    return std::nullopt;
  LaneValue R = LaneValue::constant(Bits, 0);
  R.Unknown = ~Of.Lanes;
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!(Of.Lanes >> L & 1))
      continue;
    std::array<std::int64_t, WarpSize> Own = {};
    Own[L] = 1;
    R.Terms.push_back({Of.Says[L], Lanes(Own)});
  }
  return R;
}

const LaneVote *LaneVotes::countedIn(const LaneValue &V) const {
  unsigned Found = 0;
  for (const Term &T : V.Terms)
    if (const unsigned Number = A.info(T.S).Vote) {
      if (Found && Found != Number)
        return nullptr;
      Found = Number;
    }
  return Found ? &Votes[Found - 1] : nullptr;
}

bool LaneVotes::isCount(const LaneValue &V) const {
  return llvm::any_of(V.Terms,
                      [&](const Term &T) { return A.info(T.S).Vote != 0; });
}

//===----------------------------------------------------------------------===//
// Who is it that counts
//===----------------------------------------------------------------------===//

/// Whether \p X is \p WantedX exactly where \p Y is \p WantedY.
static bool areSame(const Value &X, bool WantedX, const Value &Y, bool WantedY,
                    const DataLayout &Layout) {
  if (&X == &Y)
    return WantedX == WantedY;
  if (!X.getType()->isIntegerTy(1) || !Y.getType()->isIntegerTy(1))
    return false;
  const std::optional<bool> If = isImpliedCondition(&X, &Y, Layout, WantedX);
  const std::optional<bool> IfNot =
      isImpliedCondition(&X, &Y, Layout, !WantedX);
  return If && IfNot && *If == WantedY && *IfNot != WantedY;
}

namespace {
/// Looks for what else in an address depends on a vote.
class OtherUses {
public:
  OtherUses(const LaneVote &Vote, const Instruction &At, ValueEvaluator &Values)
      : Vote(Vote), At(At), Values(Values) {}

  bool isIn(const Value &V);

private:
  static constexpr std::size_t MostValues = 256;
  const LaneVote &Vote;
  const Instruction &At;
  ValueEvaluator &Values;
  SmallPtrSet<const Value *, 32> Seen;

  /// All lanes have the same for the others: whom they ask does not matter.
  bool isShuffleOfOne(const CallInst &Call) {
    const Function *F = Call.getCalledFunction();
    return F && F->getName().starts_with("llvm.nvvm.shfl.sync.") &&
           isKept(*Call.getArgOperand(1), At) &&
           Values.get(Call.getArgOperand(1)).isUniformIn(Vote.Lanes);
  }
  bool counts(const Value &V) {
    return isKept(V, At) &&
           Values.laneVotes().countedIn(Values.get(&V)) == &Vote;
  }
};
} // namespace

/// Whether memory gave back what it is, in some lane at least.
static bool isFromMemory(const Value &V, unsigned Depth) {
  if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(V))
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  return I && Depth && isa<PHINode, SelectInst, CastInst>(I) &&
         llvm::any_of(I->operands(), [&](const Use &Operand) {
           return isFromMemory(*Operand.get(), Depth - 1);
         });
}

static bool isShuffleOfMemory(const CallInst &Call) {
  constexpr unsigned MostDepth = 4;
  const Function *F = Call.getCalledFunction();
  return F && F->getName().starts_with("llvm.nvvm.shfl.sync.") &&
         isFromMemory(*Call.getArgOperand(1), MostDepth);
}

/// A count is part of the address as it is, with all that goes into it. What is
/// computed from one and none itself, as half of it, is another number that is
/// not independent of it; so is what the mask says besides. What memory gives
/// back, and what earlier turns left, is taken to be independent.
bool OtherUses::isIn(const Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !Seen.insert(I).second)
    return false;
  if (Seen.size() > MostValues || I == Vote.Told || I == Vote.Predicate)
    return true;
  auto *Call = dyn_cast<CallInst>(I);
  const bool IsCounting = Values.isCounting(*I);
  if (IsCounting || isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(I) ||
      (isa<PHINode>(I) && Values.isLoopHeader(*I->getParent())))
    return false;
  // Which lane a shuffle asks decides nothing about what memory gave back.
  if (Call && isShuffleOfMemory(*Call))
    return false;
  if (Call && isShuffleOfOne(*Call))
    return isIn(*Call->getArgOperand(1));
  const bool IsCount = !isKept(V, At) || counts(V);
  // By the other ways no lane came.
  if (isa<PHINode>(I) && isKept(V, At) && IsCount)
    return llvm::any_of(I->operands(), [&](const Use &Operand) {
      return counts(*Operand) && isIn(*Operand);
    });
  return llvm::any_of(I->operands(), [&](const Use &Operand) {
    if (isa<BasicBlock, Function>(Operand.get()))
      return false;
    // Of a shuffle, any lane's.
    return (!IsCount && !Call && counts(*Operand)) || isIn(*Operand);
  });
}

std::shared_ptr<const CountedLanes>
countedLanes(const Value &Pointer, const Instruction &At,
             const LaneValue &Address, LaneMask Active,
             const LaneChoice &Chosen, ValueEvaluator &Values) {
  const LaneVote *Vote = Values.laneVotes().countedIn(Address);
  if (!Vote || Address.Unknown & Active || Active != Vote->Lanes ||
      !Chosen.isOneSet())
    return nullptr;
  bool OnlyYes = false;
  if (!Vote->Predicate) {
    if (Chosen.Set != Vote->Set)
      return nullptr;
    OnlyYes = true;
  } else if (Chosen.By) {
    const DataLayout &Layout = At.getModule()->getDataLayout();
    if (Chosen.From != Vote->Set || Chosen.Of != Vote->Lanes ||
        !areSame(*Chosen.By, Chosen.Wanted, *Vote->Predicate, Vote->Wanted,
                 Layout))
      return nullptr;
    OnlyYes = true;
  } else if (Chosen.Set || Vote->Set) {
    return nullptr;
  }
  if (OtherUses(*Vote, At, Values).isIn(Pointer))
    return nullptr;
  return std::make_shared<const CountedLanes>(
      CountedLanes{Vote->Says, Vote->Lanes, OnlyYes, Vote->Predicate});
}

//===----------------------------------------------------------------------===//
// What decides
//===----------------------------------------------------------------------===//

/// Whether data decides \p Condition by itself, whatever it is made of; nothing
/// where that is what decides.
static std::optional<bool> isDataItself(const Value &Condition, LaneMask Active,
                                        const Instruction &At,
                                        ValueEvaluator &Values) {
  if (isa<Constant>(Condition))
    return false;
  if (!isKept(Condition, At))
    return true;
  const LaneValue V = Values.get(&Condition);
  if (!(V.Unknown & Active))
    return false;
  if (!(V.Assumes & (AssumesAllLanes | AssumesBlockLanes)))
    return true;
  // A bound compares what is known of each lane.
  if (auto *Compare = dyn_cast<ICmpInst>(&Condition))
    return llvm::any_of(Compare->operands(), [&](const Use &Operand) {
      return !isKept(*Operand.get(), At) ||
             Values.get(Operand.get()).Unknown & Active;
    });
  // `i < n && p[i]`: the bound, and data.
  if (isa<PHINode, SelectInst, BinaryOperator, CastInst, FreezeInst>(Condition))
    return std::nullopt;
  return false;
}

bool isByData(const Value &Condition, LaneMask Active, const Instruction &At,
              ValueEvaluator &Values) {
  constexpr std::size_t MostValues = 64;
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *> Pending = {&Condition};
  while (!Pending.empty()) {
    const Value *V = Pending.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() > MostValues)
      return true;
    const std::optional<bool> Itself = isDataItself(*V, Active, At, Values);
    if (Itself.value_or(false))
      return true;
    if (!Itself)
      append_range(Pending, cast<Instruction>(V)->operand_values());
  }
  return false;
}

} // namespace cudalint
