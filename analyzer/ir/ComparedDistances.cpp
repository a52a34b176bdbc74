//===- analyzer/ir/ComparedDistances.cpp - What is compared ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ComparedDistances.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cudalint {

namespace {
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
      std::abs(C->getSExtValue()) > MostDistance)
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

std::pair<const Value *, bool> askedFor(const Value *Condition) {
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

void addDistances(const Value *Condition, bool Holds, unsigned Depth,
                  SmallVectorImpl<Distance> &To) {
  const Value *A = nullptr, *B = nullptr;
  if (const auto [Asked, Yes] = askedFor(Condition); Asked) {
    addDistances(Asked, Holds == Yes, Depth, To);
  } else if (const auto *C = dyn_cast<ICmpInst>(Condition)) {
    std::optional<Distance> D = distanceIf(*C, Holds);
    if (!D)
      return;
    D->IsOfSigned = C->isSigned();
    D->IsOfUnsigned = C->isUnsigned();
    To.push_back(*D);
    // What is left now was left when the loop began, and more.
    if (D->Least != std::numeric_limits<std::int64_t>::min())
      for (const Sum &Begin : whenLoopsBegan(D->From))
        To.push_back({.Of = D->Of,
                      .From = Begin.All,
                      .Least = D->Least + Begin.More,
                      .Compared = C,
                      .IsOfSigned = D->IsOfSigned,
                      .IsOfUnsigned = D->IsOfUnsigned});
    if (D->Greatest != std::numeric_limits<std::int64_t>::max())
      for (const Sum &Begin : whenLoopsBegan(D->Of))
        To.push_back({.Of = Begin.All,
                      .From = D->From,
                      .Greatest = D->Greatest - Begin.More,
                      .Compared = C,
                      .IsOfSigned = D->IsOfSigned,
                      .IsOfUnsigned = D->IsOfUnsigned});
  } else if (Depth > 0 &&
             (Holds ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
                    : match(Condition, m_LogicalOr(m_Value(A), m_Value(B))))) {
    addDistances(A, Holds, Depth - 1, To);
    addDistances(B, Holds, Depth - 1, To);
  }
}

void narrow(Distance &D, const Distance &By) {
  if ((D.Of == By.Of && D.From == By.From) ||
      (D.Of == By.From && D.From == By.Of)) {
    D.IsOfSigned |= By.IsOfSigned;
    D.IsOfUnsigned |= By.IsOfUnsigned;
  }
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

} // namespace cudalint
