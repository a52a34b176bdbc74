//===- analyzer/ir/RemainderBranches.cpp - What is left over --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RemainderBranches.h"

#include "analyzer/ir/ComparedDistances.h"

#include "hardware/WarpTransactions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cudalint {

/// Blocks from which one comes to \p B for the first time.
static SmallVector<const BasicBlock *, 2>
entriesOf(const BasicBlock &B, const DominatorTree &Dominators) {
  SmallVector<const BasicBlock *, 2> Result;
  for (const BasicBlock *Each : predecessors(&B))
    if (!Dominators.dominates(&B, Each) && !is_contained(Result, Each))
      Result.push_back(Each); // No loop back.
  return Result;
}

/// A condition, and what it is.
using Known = std::pair<const Value *, bool>;

/// What holds on a way.
struct Holding {
  SmallVector<Distance, 8> All; ///< The last first.
  std::size_t Own = 0;          ///< So many of them are of the way itself.
  /// Of each, one at least is so.
  SmallVector<SmallVector<Known, 2>, 2> OneOf;
};

static constexpr unsigned ConditionDepth = 3;

/// By a branch from \p B to \p S; nothing where that is always taken.
static std::optional<Known> knownOn(const BasicBlock *B, const BasicBlock *S) {
  const auto *Br = dyn_cast<BranchInst>(B->getTerminator());
  if (!Br || !Br->isConditional() || Br->getSuccessor(0) == Br->getSuccessor(1))
    return std::nullopt;
  return Known(Br->getCondition(), Br->getSuccessor(0) == S);
}

/// Adds what one at least is of where \p Each is known.
static void addOneOf(Known Each, unsigned Depth, SmallVectorImpl<Known> &To) {
  const auto [Condition, Holds] = Each;
  const Value *A = nullptr, *B = nullptr;
  if (const auto [Asked, Yes] = askedFor(Condition); Asked && Depth > 0)
    addOneOf({Asked, Holds == Yes}, Depth - 1, To);
  else if (Depth > 0 &&
           (Holds ? match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))
                  : match(Condition, m_LogicalAnd(m_Value(A), m_Value(B))))) {
    addOneOf({A, Holds}, Depth - 1, To);
    addOneOf({B, Holds}, Depth - 1, To);
  } else
    To.push_back(Each);
}

/// Adds that one comes to \p S from one of \p From.
static void addWays(ArrayRef<const BasicBlock *> From, const BasicBlock *S,
                    Holding &To) {
  SmallVector<Known, 2> OneOf;
  for (const BasicBlock *Each : From) {
    const std::optional<Known> Its = knownOn(Each, S);
    if (!Its)
      return;
    addOneOf(*Its, ConditionDepth, OneOf);
    if (From.size() == 1)
      addDistances(Its->first, Its->second, ConditionDepth, To.All);
  }
  if (OneOf.size() > 1)
    To.OneOf.push_back(std::move(OneOf));
}

/// What holds wherever one comes by the way from \p From to \p To.
static Holding holdingOn(const BasicBlock *From, const BasicBlock *To,
                         const DominatorTree &Dominators) {
  constexpr unsigned MostSteps = 32;
  Holding Result;
  addWays(From, To, Result);
  Result.Own = Result.All.size();
  const BasicBlock *B = From;
  for (unsigned Step = 0; B && Step != MostSteps; ++Step) {
    addWays(entriesOf(*B, Dominators), B, Result);
    const auto *Node = Dominators.getNode(B);
    const auto *Above = Node ? Node->getIDom() : nullptr;
    B = Above ? Above->getBlock() : nullptr;
  }
  return Result;
}

/// Whether what \p C compares is still there in \p B: what is of one block
/// alone is forgotten behind it, unless its comparison is not.
static bool isThereIn(const ICmpInst &C, const BasicBlock &B,
                      const DominatorTree &Dominators) {
  return C.getParent() == &B ||
         (Dominators.dominates(C.getParent(), &B) &&
          all_of(C.operands(), [&](const Use &Each) {
            const auto *I = dyn_cast<Instruction>(Each);
            return !I || I->isUsedOutsideOfBlock(I->getParent()) ||
                   (I->getParent() == C.getParent() &&
                    C.isUsedOutsideOfBlock(C.getParent()));
          }));
}

/// The fewest values that a distance that is known in \p B takes where all that
/// \p On and \p More say holds; compared: null, if nothing bounds any.
static Remainder fewestOf(const BasicBlock &B, const Holding &On,
                          ArrayRef<Distance> More,
                          const DominatorTree &Dominators) {
  Remainder Least;
  const auto take = [&](Distance D) {
    for (const Distance &Each : On.All)
      narrow(D, Each);
    for (const Distance &Each : More)
      narrow(D, Each);
    if (!isThereIn(*D.Compared, B, Dominators))
      return;
    // By a way on which something is and is not, nobody comes.
    const bool IsNever = D.isNever();
    if (!IsNever && (D.Least < -MostDistance || D.Greatest > MostDistance ||
                     D.Least > D.Greatest))
      return;
    const std::int64_t Values = IsNever ? 0 : D.Greatest - D.Least + 1;
    if (!Least.Compared || Values < Least.Values)
      Least = {D.Compared, Values};
  };
  for (const Distance &Each : ArrayRef(On.All).take_front(On.Own))
    take(Each);
  for (const Distance &Each : More)
    take(Each);
  return Least;
}

/// Whether some of \p More is not so where \p On holds.
static bool isRuledOut(ArrayRef<Distance> More, const Holding &On) {
  return llvm::any_of(More, [&](Distance D) {
    for (const Distance &Each : On.All)
      narrow(D, Each);
    return D.isNever();
  });
}

/// Likewise where one of \p OneOf is so: a distance is one of a few values by
/// one of them, and the others are comparisons that \p B can ask for.
static Remainder fewestOfEither(const BasicBlock &B, const Holding &On,
                                ArrayRef<Known> OneOf,
                                const DominatorTree &Dominators) {
  Remainder Result;
  std::size_t RuledOut = 0;
  for (const auto &[Condition, Holds] : OneOf) {
    SmallVector<Distance, 4> More;
    addDistances(Condition, Holds, ConditionDepth, More);
    if (isRuledOut(More, On)) {
      ++RuledOut;
      continue;
    }
    Remainder Its = fewestOf(B, On, More, Dominators);
    const auto *Compared = dyn_cast<ICmpInst>(Condition);
    if (Its.Compared && !Result.Compared) {
      Its.Or = std::move(Result.Or);
      Result = std::move(Its);
    } else if (Compared && isThereIn(*Compared, B, Dominators)) {
      Result.Or.push_back({Compared, Holds});
    } else {
      return {};
    }
  }
  if (RuledOut == OneOf.size())
    for (const Distance &Its : ArrayRef(On.All).take_front(On.Own))
      if (isThereIn(*Its.Compared, B, Dominators))
        return {Its.Compared, 0};
  return Result;
}

RemainderBranches findRemainderBranches(const Function &F,
                                        const DominatorTree &Dominators) {
  RemainderBranches Result;
  for (const BasicBlock &B : F) {
    const auto *Br = dyn_cast<BranchInst>(B.getTerminator());
    if (!Br || !Br->isConditional() || !Dominators.isReachableFromEntry(&B))
      continue;
    for (const BasicBlock *S : successors(&B)) {
      const Holding On = holdingOn(&B, S, Dominators);
      Remainder Least = fewestOf(B, On, {}, Dominators);
      for (const auto &OneOf : On.OneOf)
        if (!Least.Compared)
          Least = fewestOfEither(B, On, OneOf, Dominators);
      if (Least.Compared)
        Result[{&B, S}] = Least;
    }
  }
  return Result;
}

} // namespace cudalint
