//===- analyzer/ir/RuntimeDivisions.cpp - Slow divisions ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RuntimeDivisions.h"

#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/FunctionAnalyses.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

#include <algorithm>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cudalint {

/// Loops of fewer turns are written out, and their counters are constants then.
static constexpr unsigned FewTurns = 16;

/// Whether 32 bits hold it: compilers divide it as such a number.
static bool fitsWord(const Value &V, const DataLayout &Layout) {
  return computeKnownBits(&V, Layout).countMinLeadingZeros() >= 32;
}

static bool isPowerOfTwo(const Value &V, const DataLayout &Layout) {
  // Of `1 << n`, signed, nobody says that n is not the sign's place.
  auto *Shift = dyn_cast<BinaryOperator>(&V);
  return (Shift && Shift->getOpcode() == Instruction::Shl &&
          isa<Constant>(Shift->getOperand(0))) ||
         isKnownToBeAPowerOfTwo(&V, Layout, /*OrZero=*/true);
}

/// Neither it nor its negative, as of a mask or a step back.
static bool isBeyondWord(const Value &V) {
  const auto *C = dyn_cast<ConstantInt>(&V);
  return C && C->getValue().getSignificantBits() > 33;
}

/// Whether \p Shifted is `x << n` with what the mixture \p Of begins with: x,
/// or, in a loop, what the last turn made of it.
static bool isOfItself(const Value &Shifted, const Value &Other,
                       const Value &Of) {
  const Value *X = nullptr;
  if (!match(&Shifted, m_Shl(m_Value(X), m_Value())))
    return false;
  const auto *Phi = dyn_cast<PHINode>(X);
  return X == &Other || (Phi && is_contained(Phi->incoming_values(), &Of));
}

/// Whether \p V evidently takes more than 32 bits: one of these makes it so,
/// unless it is thrown away later.
static bool isWide(const Value &V, const FunctionAnalyses &A,
                   SmallPtrSetImpl<const Value *> &Seen) {
  constexpr unsigned MostValues = 16;
  if (isBeyondWord(V))
    return true;
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || !I->getType()->isIntegerTy(64) || Seen.size() == MostValues ||
      !Seen.insert(I).second)
    return false;
  const auto isWideToo = [&](const Value *Of) { return isWide(*Of, A, Seen); };
  const Value *X = nullptr, *Y = nullptr;
  const APInt *By = nullptr;
  if (match(I, m_Shl(m_Value(X), m_APInt(By))) && By->uge(32))
    return true;
  if (match(I, m_Shl(m_Value(X), m_Value())) ||
      (match(I, m_LShr(m_Value(X), m_APInt(By))) && By->ult(32)))
    return isWideToo(X);
  if (match(I, m_FShl(m_Value(X), m_Deferred(X), m_Value())) ||
      match(I, m_FShr(m_Value(X), m_Deferred(X), m_Value())))
    return true;
  if (match(I, m_Xor(m_Value(X), m_Value(Y))))
    return isOfItself(*X, *Y, V) || isOfItself(*Y, *X, V) || isWideToo(X) ||
           isWideToo(Y);
  if (match(I, m_Add(m_Value(X), m_Value(Y))) ||
      match(I, m_Mul(m_Value(X), m_Value(Y))) ||
      match(I, m_Or(m_Value(X), m_Value(Y))))
    return isWideToo(X) || isWideToo(Y);
  // What a loop begins with need not be as wide as what it makes.
  const auto *Phi = dyn_cast<PHINode>(I);
  return Phi && A.Loops.isLoopHeader(Phi->getParent()) &&
         any_of(Phi->incoming_values(), isWideToo);
}

static bool isWide(const Value &V, const FunctionAnalyses &A) {
  SmallPtrSet<const Value *, 16> Seen;
  return isWide(V, A, Seen);
}

/// Whether all that turns in it tries an atomic update again: mostly, once.
static bool isAsInnermost(const Loop &L) {
  return all_of(L.getSubLoops(), [](const Loop *Each) {
    return Each->isInnermost() && any_of(Each->blocks(), [](const auto *B) {
             return any_of(*B, IsaPred<AtomicCmpXchgInst>);
           });
  });
}

static bool isSlow(const BinaryOperator &I, FunctionAnalyses &A) {
  const DataLayout &Layout = I.getModule()->getDataLayout();
  const Value &By = *I.getOperand(1), &Of = *I.getOperand(0);
  const Loop *L = A.Loops.getLoopFor(I.getParent());
  if (!L || !isAsInnermost(*L) || !L->getLoopLatch() ||
      !I.getType()->isIntegerTy(64) || isa<Constant>(By) ||
      isPowerOfTwo(By, Layout) ||
      (fitsWord(Of, Layout) && fitsWord(By, Layout)))
    return false;
  // Compilers make it once where nothing in it changes.
  if (L->isLoopInvariant(&Of) && L->isLoopInvariant(&By))
    return false;
  const unsigned Turns = A.Scalars.getSmallConstantMaxTripCount(L);
  if (Turns && Turns < FewTurns)
    return false;
  return A.Dominators.dominates(I.getParent(), L->getLoopLatch());
}

/// A loop over the whole grid, whose step only the launch knows, may turn once.
static bool growsByConstant(const BinaryOperator &I, FunctionAnalyses &A) {
  const auto *Counter =
      dyn_cast<SCEVAddRecExpr>(A.Scalars.getSCEV(I.getOperand(0)));
  return Counter && Counter->getLoop() == A.Loops.getLoopFor(I.getParent()) &&
         isa<SCEVConstant>(Counter->getStepRecurrence(A.Scalars));
}

/// Whether what \p I gives, or a sum or multiple of it, is an index.
static bool isIndex(const Instruction &I) {
  SmallVector<const Instruction *> Pending = {&I};
  SmallPtrSet<const Instruction *, 16> Seen;
  while (!Pending.empty()) {
    const Instruction *Value = Pending.pop_back_val();
    if (!Seen.insert(Value).second)
      continue;
    for (const User *U : Value->users()) {
      const auto *By = cast<Instruction>(U);
      if (isa<GetElementPtrInst>(By))
        return true;
      if (isa<CastInst, PHINode, SelectInst>(By) ||
          By->getOpcode() == Instruction::Add ||
          By->getOpcode() == Instruction::Mul ||
          By->getOpcode() == Instruction::Shl)
        Pending.push_back(By);
    }
  }
  return false;
}

static void noteOther(RuntimeDivision &Of, const CodePlace &Other) {
  const Location &Own = Of.Place.Where;
  if (Other.Where.File == Own.File && Other.Where.Line != Own.Line)
    Of.OtherLine = Other.Where.Line;
}

std::vector<RuntimeDivision> runtimeDivisions(Function &Kernel,
                                              const SourceFacts &Facts) {
  std::vector<RuntimeDivision> Result;
  std::optional<FunctionAnalyses> A;
  // A quotient and its remainder are one division.
  DenseMap<std::pair<const Value *, const Value *>, std::size_t> Divided;
  for (const Instruction &I : instructions(Kernel)) {
    auto *Division = dyn_cast<BinaryOperator>(&I);
    if (!Division || !Division->isIntDivRem() || !I.getDebugLoc())
      continue;
    if (!A)
      A.emplace(Kernel);
    if (!isSlow(*Division, *A))
      continue;
    const auto [First, IsNew] =
        Divided.try_emplace({I.getOperand(0), I.getOperand(1)}, Result.size());
    if (!IsNew)
      noteOther(Result[First->second], codePlaceOf(I, Facts));
    else
      Result.push_back({.Place = codePlaceOf(I, Facts),
                        .IsRemainder = I.getOpcode() == Instruction::URem ||
                                       I.getOpcode() == Instruction::SRem,
                        .IsSigned = I.getOpcode() == Instruction::SDiv ||
                                    I.getOpcode() == Instruction::SRem,
                        .CountsUp = growsByConstant(*Division, *A),
                        .IsOfWide = isWide(*I.getOperand(0), *A),
                        .IsIndex = isIndex(I)});
  }
  std::ranges::stable_sort(Result, {}, &RuntimeDivision::Place);
  const auto Alike = std::ranges::unique(Result, {}, &RuntimeDivision::Place);
  Result.erase(Alike.begin(), Alike.end());
  return Result;
}

} // namespace cudalint
