//===- analyzer/ir/RemainderBranches.cpp - What is left over --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RemainderBranches.h"

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

/// Wider than that, all lanes may go there anyway. Also keeps sums in range.
static constexpr std::int64_t Most = 4096;

namespace {
/// What is added up, sorted: of one sum in two orders it is the same.
using Addends = SmallVector<const Value *, 4>;

/// `Of - From` is in [Least, Greatest].
struct Distance {
  Addends Of, From;
  std::int64_t Least = std::numeric_limits<std::int64_t>::min();
  std::int64_t Greatest = std::numeric_limits<std::int64_t>::max();
  const ICmpInst *Compared = nullptr;
};

/// `All + More`.
struct Sum {
  Addends All;
  std::int64_t More = 0;

  void add(const Sum &Other) {
    All.append(Other.All.begin(), Other.All.end());
    llvm::sort(All);
    More += Other.More;
  }
};
} // namespace

/// The value that it is but for its width: what is compared is taken to fit 32
/// bits, but no fewer.
static const Value *withoutCasts(const Value *V) {
  const Value *Inner = nullptr;
  while (match(V, m_ZExtOrSExt(m_Value(Inner))) ||
         (V->getType()->getScalarSizeInBits() >= 32 &&
          match(V, m_Trunc(m_Value(Inner)))))
    V = Inner;
  return V;
}

static std::optional<std::int64_t> smallConstant(const Value *V) {
  const auto *C = dyn_cast<ConstantInt>(V);
  if (!C || C->getValue().getSignificantBits() > 32 ||
      std::abs(C->getSExtValue()) > Most)
    return std::nullopt;
  return C->getSExtValue();
}

static Sum sumOf(const Value *V) {
  constexpr unsigned MostAddends = 8;
  Sum S;
  SmallVector<const Value *, MostAddends> Open = {V};
  while (!Open.empty()) {
    const Value *Each = withoutCasts(Open.pop_back_val());
    const Value *A = nullptr, *B = nullptr;
    if (const std::optional<std::int64_t> C = smallConstant(Each))
      S.More += *C;
    else if (S.All.size() + Open.size() + 2 <= MostAddends &&
             match(Each, m_AddLike(m_Value(A), m_Value(B))))
      Open.append({A, B});
    else
      S.All.push_back(Each);
  }
  llvm::sort(S.All);
  return S;
}

/// What two sides that are compared say of a difference: `Of - From + More`
/// stands on the left, 0 on the right. From nothing, where a sum is compared
/// with a number.
static std::pair<Distance, std::int64_t> differenceOf(const ICmpInst &C) {
  const Value *Left = withoutCasts(C.getOperand(0));
  const Value *Right = withoutCasts(C.getOperand(1));
  if (const std::optional<std::int64_t> Bound = smallConstant(Right)) {
    const Sum S = sumOf(Left);
    const Value *Of = nullptr, *From = nullptr;
    if (S.All.size() != 1 ||
        !match(S.All.front(), m_Sub(m_Value(Of), m_Value(From))))
      return {Distance{.Of = S.All, .Compared = &C}, S.More - *Bound};
    const Sum X = sumOf(Of), Y = sumOf(From);
    return {Distance{.Of = X.All, .From = Y.All, .Compared = &C},
            X.More - Y.More + S.More - *Bound};
  }
  const Sum X = sumOf(Left), Y = sumOf(Right);
  return {Distance{.Of = X.All, .From = Y.All, .Compared = &C},
          X.More - Y.More};
}

/// Whether it is computed from the thread index: where no lane's value is known
/// to differ from another's, nothing is left of fewer lanes.
static bool isOfThread(const Value *V, unsigned Depth) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(V))
    return Call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_x ||
           Call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_laneid;
  if (Depth == 0 || !isa<BinaryOperator, CastInst>(V))
    return false;
  return llvm::any_of(cast<Instruction>(V)->operands(), [&](const Use &Each) {
    return isOfThread(Each, Depth - 1);
  });
}

static bool isOfThread(const Addends &All) {
  constexpr unsigned MostSteps = 4;
  return llvm::any_of(
      All, [](const Value *Each) { return isOfThread(Each, MostSteps); });
}

/// What holds where \p C is \p Holds.
static std::optional<Distance> distanceIf(const ICmpInst &C, bool Holds) {
  auto [D, More] = differenceOf(C);
  const auto hasNumber = [](const Addends &All) {
    return llvm::any_of(All, IsaPred<Constant>);
  };
  if (D.Of.empty() || (D.From.empty() && !C.isEquality()) || hasNumber(D.Of) ||
      hasNumber(D.From))
    return std::nullopt;
  // Below zero, an unsigned difference is large: only that it is small says
  // anything, and that it is not below zero.
  const ICmpInst::Predicate Is =
      Holds ? C.getPredicate() : C.getInversePredicate();
  const std::optional<std::int64_t> Bound = smallConstant(C.getOperand(1));
  if (C.isUnsigned() && Bound) {
    if (Is != ICmpInst::ICMP_ULT && Is != ICmpInst::ICMP_ULE)
      return std::nullopt;
    D.Least = -More - *Bound;
  }
  switch (Is) {
  case ICmpInst::ICMP_SLT:
  case ICmpInst::ICMP_ULT:
    D.Greatest = -More - 1;
    break;
  case ICmpInst::ICMP_SLE:
  case ICmpInst::ICMP_ULE:
    D.Greatest = -More;
    break;
  case ICmpInst::ICMP_SGT:
  case ICmpInst::ICMP_UGT:
    D.Least = -More + 1;
    break;
  case ICmpInst::ICMP_SGE:
  case ICmpInst::ICMP_UGE:
    D.Least = -More;
    break;
  case ICmpInst::ICMP_EQ: // Of lanes that differ, `lane == row` is one.
    if (!isOfThread(D.Of) && !isOfThread(D.From))
      return std::nullopt;
    D.Least = D.Greatest = -More;
    break;
  default:
    return std::nullopt;
  }
  return D;
}

/// The value that a counter begins with, where it grows by a constant.
static const Value *beginOf(const Value *V) {
  const auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || Phi->getNumIncomingValues() != 2)
    return nullptr;
  for (unsigned I = 0; I != 2; ++I) {
    const Value *Step = nullptr;
    if (!match(Phi->getIncomingValue(I),
               m_AddLike(m_Specific(Phi), m_Value(Step))))
      continue;
    const std::optional<std::int64_t> By = smallConstant(Step);
    return By && *By > 0 ? Phi->getIncomingValue(1 - I) : nullptr;
  }
  return nullptr;
}

/// The sums that were there, in place of this one, when a loop began of which
/// a counter is in it.
static SmallVector<Sum, 2> whenLoopsBegan(const Addends &All) {
  SmallVector<Sum, 2> Result;
  for (std::size_t I = 0; I != All.size(); ++I)
    if (const Value *Begin = beginOf(All[I])) {
      Sum Before = {.All = All};
      Before.All.erase(Before.All.begin() + I);
      Before.add(sumOf(Begin));
      Result.push_back(std::move(Before));
    }
  return Result;
}

/// The condition that one asks for, as an integer that is 0 or 1, and which of
/// them: `__builtin_expect(a < b, 1)`. Null: it is no such condition.
static std::pair<const Value *, bool> askedFor(const Value *Condition) {
  CmpPredicate Is;
  Value *Integer = nullptr, *Asked = nullptr;
  if (!match(Condition, m_ICmp(Is, m_Value(Integer), m_Zero())) ||
      !ICmpInst::isEquality(Is))
    return {};
  if (const auto *Call = dyn_cast<IntrinsicInst>(Integer);
      Call && Call->getIntrinsicID() == Intrinsic::expect)
    Integer = Call->getArgOperand(0);
  if (!match(Integer, m_ZExtOrSExt(m_Value(Asked))) ||
      !Asked->getType()->isIntegerTy(1))
    return {};
  return {Asked, Is == ICmpInst::ICMP_NE};
}

/// Adds what holds where \p Condition is \p Holds.
static void add(const Value *Condition, bool Holds, unsigned Depth,
                SmallVectorImpl<Distance> &To) {
  const Value *A = nullptr, *B = nullptr;
  if (const auto [Asked, Yes] = askedFor(Condition); Asked) {
    add(Asked, Holds == Yes, Depth, To);
  } else if (const auto *C = dyn_cast<ICmpInst>(Condition)) {
    std::optional<Distance> D = distanceIf(*C, Holds);
    if (!D)
      return;
    To.push_back(*D);
    // What is left now was left when the loop began, and more.
    if (D->Least != std::numeric_limits<std::int64_t>::min())
      for (const Sum &Begin : whenLoopsBegan(D->From))
        To.push_back({.Of = D->Of,
                      .From = Begin.All,
                      .Least = D->Least + Begin.More,
                      .Compared = C});
    if (D->Greatest != std::numeric_limits<std::int64_t>::max())
      for (const Sum &Begin : whenLoopsBegan(D->Of))
        To.push_back({.Of = Begin.All,
                      .From = D->From,
                      .Greatest = D->Greatest - Begin.More,
                      .Compared = C});
  } else if (Depth > 0 &&
             (Holds ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
                    : match(Condition, m_LogicalOr(m_Value(A), m_Value(B))))) {
    add(A, Holds, Depth - 1, To);
    add(B, Holds, Depth - 1, To);
  }
}

/// Where \p By is of the same two sides as \p D.
static void narrow(Distance &D, const Distance &By) {
  if (D.Of == By.Of && D.From == By.From) {
    D.Least = std::max(D.Least, By.Least);
    D.Greatest = std::min(D.Greatest, By.Greatest);
  }
  if (D.Of != By.From || D.From != By.Of)
    return;
  if (By.Greatest != std::numeric_limits<std::int64_t>::max())
    D.Least = std::max(D.Least, -By.Greatest);
  if (By.Least != std::numeric_limits<std::int64_t>::min())
    D.Greatest = std::min(D.Greatest, -By.Least);
}

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
      add(Its->first, Its->second, ConditionDepth, To.All);
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
    if (D.Least < -Most || D.Greatest > Most || D.Least > D.Greatest ||
        !isThereIn(*D.Compared, B, Dominators))
      return;
    const std::int64_t Values = D.Greatest - D.Least + 1;
    if (!Least.Compared || Values < Least.Values)
      Least = {D.Compared, Values};
  };
  for (const Distance &Each : ArrayRef(On.All).take_front(On.Own))
    take(Each);
  for (const Distance &Each : More)
    take(Each);
  return Least;
}

/// Likewise where one of \p OneOf is so: a distance is one of a few values by
/// one of them, and the others are comparisons that \p B can ask for.
static Remainder fewestOfEither(const BasicBlock &B, const Holding &On,
                                ArrayRef<Known> OneOf,
                                const DominatorTree &Dominators) {
  Remainder Result;
  for (const auto &[Condition, Holds] : OneOf) {
    SmallVector<Distance, 4> More;
    add(Condition, Holds, ConditionDepth, More);
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
