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
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

#include <algorithm>

using namespace llvm;

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

static bool isSlow(const BinaryOperator &I, FunctionAnalyses &A) {
  const DataLayout &Layout = I.getModule()->getDataLayout();
  const Value &By = *I.getOperand(1), &Of = *I.getOperand(0);
  const Loop *L = A.Loops.getLoopFor(I.getParent());
  if (!L || !L->isInnermost() || !L->getLoopLatch() ||
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

std::vector<RuntimeDivision> runtimeDivisions(Function &Kernel,
                                              const SourceFacts &Facts) {
  std::vector<RuntimeDivision> Result;
  std::optional<FunctionAnalyses> A;
  // A quotient and its remainder are one division.
  DenseSet<std::pair<const Value *, const Value *>> Divided;
  for (const Instruction &I : instructions(Kernel)) {
    auto *Division = dyn_cast<BinaryOperator>(&I);
    if (!Division || !Division->isIntDivRem() || !I.getDebugLoc())
      continue;
    if (!A)
      A.emplace(Kernel);
    if (isSlow(*Division, *A) &&
        Divided.insert({I.getOperand(0), I.getOperand(1)}).second)
      Result.push_back({.Place = codePlaceOf(I, Facts),
                        .IsRemainder = I.getOpcode() == Instruction::URem ||
                                       I.getOpcode() == Instruction::SRem,
                        .IsSigned = I.getOpcode() == Instruction::SDiv ||
                                    I.getOpcode() == Instruction::SRem,
                        .CountsUp = growsByConstant(*Division, *A)});
  }
  std::ranges::stable_sort(Result, {}, &RuntimeDivision::Place);
  const auto Alike = std::ranges::unique(Result, {}, &RuntimeDivision::Place);
  Result.erase(Alike.begin(), Alike.end());
  return Result;
}

} // namespace cudalint
