//===- analyzer/ir/SmallBounds.cpp - Code of few threads ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/SmallBounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace cudalint {

namespace {
/// `Index < Size`, which \p Test says, or its opposite.
struct Bound {
  const ICmpInst *Test = nullptr;
  const Value *Index = nullptr;
  std::vector<const Value *> Factors; ///< Of the size, sorted.
  bool IsOpposite = false;
};
} // namespace

static const Value *uncast(const Value *V) {
  while (isa<CastInst, FreezeInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  return V;
}

/// Adds the parameters of which \p V is the product, but for numbers. False:
/// it is no such product.
static bool addFactors(const Value *V, std::vector<const Value *> &To,
                       unsigned Depth = 0) {
  constexpr unsigned Most = 8;
  V = uncast(V);
  if (isa<ConstantInt>(V))
    return true;
  if (isa<Argument>(V)) {
    To.push_back(V);
    return true;
  }
  const auto *Product = dyn_cast<BinaryOperator>(V);
  if (!Product || Depth == Most)
    return false;
  if (Product->getOpcode() == Instruction::Shl)
    return isa<ConstantInt>(Product->getOperand(1)) &&
           addFactors(Product->getOperand(0), To, Depth + 1);
  return Product->getOpcode() == Instruction::Mul &&
         addFactors(Product->getOperand(0), To, Depth + 1) &&
         addFactors(Product->getOperand(1), To, Depth + 1);
}

static void addBounds(const ICmpInst &Test, std::vector<Bound> &To) {
  if (!Test.isRelational())
    return;
  for (const unsigned Index : {0u, 1u}) {
    // Below the least of two sizes, it is below both.
    SmallVector<const Value *, 2> Sizes = {uncast(Test.getOperand(1 - Index))};
    if (const auto *Least = dyn_cast<MinMaxIntrinsic>(Sizes.front());
        Least && ICmpInst::isLT(Least->getPredicate()))
      Sizes = {Least->getLHS(), Least->getRHS()};
    for (const Value *Size : Sizes) {
      Bound B{.Test = &Test, .Index = uncast(Test.getOperand(Index))};
      if (isa<Constant>(B.Index) || !addFactors(Size, B.Factors) ||
          B.Factors.empty())
        continue;
      std::ranges::sort(B.Factors);
      // `size > index` says the same as `index < size`.
      const auto Predicate =
          Index == 0 ? Test.getPredicate() : Test.getSwappedPredicate();
      B.IsOpposite = ICmpInst::isGT(Predicate) || ICmpInst::isGE(Predicate);
      To.push_back(std::move(B));
    }
  }
}

/// Whether they are one index, or one of a loop, and what it begins with or
/// goes on with.
static bool areOneIndex(const Value *A, const Value *B) {
  const auto isIncoming = [](const Value *Of, const Value *Each) {
    const auto *Phi = dyn_cast<PHINode>(Of);
    return Phi && any_of(Phi->incoming_values(),
                         [&](const Value *In) { return uncast(In) == Each; });
  };
  return A == B || isIncoming(A, B) || isIncoming(B, A);
}

/// Whether \p Other compares the index of \p B with a multiple of its size.
static bool isWider(const Bound &Other, const Bound &B) {
  return Other.Factors.size() > B.Factors.size() &&
         areOneIndex(B.Index, Other.Index) &&
         std::ranges::includes(Other.Factors, B.Factors);
}

/// Whether \p Condition holds only where \p Test does; or, if \p IsOpposite,
/// does not hold only where that does not.
static bool needs(const Value *Condition, const Value *Test, bool IsOpposite) {
  using namespace PatternMatch;
  const Value *A = nullptr, *B = nullptr;
  return Condition == Test ||
         ((IsOpposite
               ? match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))
               : match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))) &&
          (needs(A, Test, IsOpposite) || needs(B, Test, IsOpposite)));
}

SmallBounds::SmallBounds(const Function &Kernel) {
  std::vector<Bound> All;
  for (const Instruction &I : instructions(Kernel))
    if (const auto *Test = dyn_cast<ICmpInst>(&I))
      addBounds(*Test, All);
  for (const Bound &B : All) {
    SmallVector<const BasicBlock *, 4> Wider;
    for (const Bound &Other : All)
      if (isWider(Other, B))
        Wider.push_back(Other.Test->getParent());
    if (Wider.empty())
      continue;
    if (!Dominators)
      Dominators.emplace(const_cast<Function &>(Kernel));
    for (const BasicBlock &Block : Kernel) {
      const auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
      if (!Branch || !Branch->isConditional() ||
          Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
          !needs(Branch->getCondition(), B.Test, B.IsOpposite))
        continue;
      const BasicBlockEdge Edge(&Block,
                                Branch->getSuccessor(B.IsOpposite ? 1 : 0));
      // `for (i = column; i < rows * columns; i += columns)` behind
      // `column < columns` is what each thread does there.
      if (any_of(Wider, [&](const BasicBlock *Each) {
            return !Dominators->dominates(Edge, Each);
          }))
        Edges.push_back(Edge);
    }
  }
}

bool SmallBounds::isBehind(const BasicBlock &Code) const {
  return any_of(Edges, [&](const BasicBlockEdge &Edge) {
    return Dominators->dominates(Edge, &Code);
  });
}

} // namespace cudalint
