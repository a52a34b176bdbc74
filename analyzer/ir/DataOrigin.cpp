//===- analyzer/ir/DataOrigin.cpp - Whose data a number is ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/DataOrigin.h"

#include "analyzer/ir/ComputedIndices.h"
#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <map>
#include <vector>

using namespace llvm;

namespace cudalint {

bool isKept(const Value &V, const Instruction &At) {
  auto *I = dyn_cast<Instruction>(&V);
  return !I || I->getParent() == At.getParent() ||
         llvm::any_of(I->users(), [&](const User *U) {
           return cast<Instruction>(U)->getParent() != I->getParent();
         });
}

/// A result that is the same where the operands are.
static bool isFunctionOfOperands(const Instruction &I) {
  if (auto *Call = dyn_cast<CallInst>(&I))
    return Call->doesNotAccessMemory() && !Call->isConvergent();
  return !I.mayReadOrWriteMemory() && !isa<PHINode, AllocaInst>(I);
}

/// Lanes that load from one address at once get one value.
static bool isFunctionOfAddress(const LoadInst &Load) {
  return !Load.isVolatile() &&
         Load.getPointerAddressSpace() != NVPTXAS::ADDRESS_SPACE_LOCAL &&
         !isa<AllocaInst>(getUnderlyingObject(Load.getPointerOperand()));
}

namespace {

class Walk {
public:
  Walk(const Instruction &At, LaneMask Active, ValueEvaluator &Values)
      : At(At), Active(Active), Values(Values) {}

  /// \p InAddress: it decides which data, and is none itself.
  void visit(const Value &V, bool InAddress = false);

  DataOrigin Out;

private:
  static constexpr std::size_t MostValues = 256;
  const Instruction &At;
  LaneMask Active;
  ValueEvaluator &Values;
  std::set<std::pair<const Value *, bool>> Seen;
  std::set<const Value *> SeenInPhi;

  void lookForExchange(const Value &V);
  void divide(const LaneValue &By);
  void divideAll() {
    for (unsigned L = 0; L < WarpSize; ++L)
      Out.Draw[L] = static_cast<std::uint8_t>(L);
  }
};

} // namespace

/// Lanes whose \p By differs no longer have the same number.
void Walk::divide(const LaneValue &By) {
  std::array<std::uint8_t, WarpSize> Divided = {};
  for (unsigned L = 0; L < WarpSize; ++L) {
    Divided[L] = static_cast<std::uint8_t>(L);
    for (unsigned K = 0; K < L; ++K)
      if (Out.Draw[K] == Out.Draw[L] && Divided[K] == K &&
          By.isUniformIn(LaneMask(1) << K | LaneMask(1) << L)) {
        Divided[L] = static_cast<std::uint8_t>(K);
        break;
      }
  }
  Out.Draw = Divided;
}

/// What a loop makes of numbers that lanes tell each other, or either of two of
/// them, is not followed; but it is none of each lane's own.
void Walk::lookForExchange(const Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || isa<LoadInst>(I) || SeenInPhi.size() > MostValues ||
      !SeenInPhi.insert(I).second)
    return;
  if (isKept(V, At)) {
    const LaneValue L = Values.get(&V);
    Out.IsExchanged |= Values.laneVotes().isCount(L);
    if (!(L.Unknown & Active) && !Values.isGathered(L))
      return;
  }
  auto *Call = dyn_cast<CallInst>(I);
  // Of `any` and `all`, all lanes have the same.
  if (Call && Call->isConvergent() && !Call->isInlineAsm() &&
      !Call->getType()->isIntegerTy(1))
    Out.IsExchanged = true;
  for (const Use &Operand : I->operands())
    lookForExchange(*Operand.get());
}

void Walk::visit(const Value &V, bool InAddress) {
  if (!Seen.insert({&V, InAddress}).second)
    return;
  auto *I = dyn_cast<Instruction>(&V);
  if (Seen.size() > MostValues || (I && !isKept(*I, At))) {
    Out.Sources.insert(&V);
    divideAll();
    return;
  }
  // Of what few groups of lanes loaded, each group's is a symbol.
  const LaneValue L = Values.get(&V);
  Out.IsExchanged |= Values.laneVotes().isCount(L);
  if (!(L.Unknown & Active) && !Values.isGathered(L)) {
    divide(L);
    return;
  }
  if (auto *Load = dyn_cast_or_null<LoadInst>(I)) {
    if (!InAddress) {
      Out.Sources.insert(Load);
      Out.IsExchanged |= isComputedIndex(*Load);
    }
    if (isFunctionOfAddress(*Load))
      visit(*Load->getPointerOperand(), true);
    else
      divideAll();
    return;
  }
  if (I && isFunctionOfOperands(*I)) {
    for (const Use &Operand : I->operands())
      if (!isa<BasicBlock, Function>(Operand.get()))
        visit(*Operand.get(), InAddress);
    return;
  }
  if (auto *Call = dyn_cast_or_null<CallInst>(I); Call && Call->isConvergent())
    Out.IsExchanged = true;
  if (auto *Phi = dyn_cast_or_null<PHINode>(I))
    for (const Use &Incoming : Phi->incoming_values())
      lookForExchange(*Incoming.get());
  Out.Sources.insert(&V);
  divideAll();
}

DataOrigin originOfData(const Value &Number, const Instruction &At,
                        LaneMask Active, ValueEvaluator &Values) {
  Walk W(At, Active, Values);
  W.visit(Number);
  return std::move(W.Out);
}

namespace {
/// Some bits of a value.
struct BitField {
  const Value *Of = nullptr;
  unsigned First = 0, End = 0;
};
} // namespace

static BitField bitFieldOf(const Value &V) {
  const unsigned Bits = V.getType()->getIntegerBitWidth();
  auto *Op = dyn_cast<Operator>(&V);
  auto *By = Op && Op->getNumOperands() == 2
                 ? dyn_cast<ConstantInt>(Op->getOperand(1))
                 : nullptr;
  if (!Op || !Op->getNumOperands() ||
      !Op->getOperand(0)->getType()->isIntegerTy())
    return {&V, 0, Bits};
  switch (Op->getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
    return bitFieldOf(*Op->getOperand(0));
  case Instruction::Trunc: {
    BitField F = bitFieldOf(*Op->getOperand(0));
    F.End = std::min(F.End, F.First + Bits);
    return F;
  }
  case Instruction::LShr:
  case Instruction::AShr:
    if (BitField F = bitFieldOf(*Op->getOperand(0));
        By && By->getValue().ult(F.End - F.First)) {
      F.First += static_cast<unsigned>(By->getZExtValue());
      return F;
    }
    break;
  case Instruction::And:
    if (By && !By->isZero()) {
      BitField F = bitFieldOf(*Op->getOperand(0));
      F.End = std::min(F.End, F.First + By->getValue().getActiveBits());
      F.First += By->getValue().countr_zero();
      return F.First < F.End ? F : BitField{&V, 0, Bits};
    }
    break;
  default:
    break;
  }
  return {&V, 0, Bits};
}

/// `x / w` and `x % w`
static bool areParts(const Value &X, const Value &Y) {
  auto *Quotient = dyn_cast<Operator>(&X), *Remainder = dyn_cast<Operator>(&Y);
  if (!Quotient || !Remainder)
    return false;
  const unsigned Of = Quotient->getOpcode(), By = Remainder->getOpcode();
  return ((Of == Instruction::UDiv && By == Instruction::URem) ||
          (Of == Instruction::SDiv && By == Instruction::SRem)) &&
         Quotient->getOperand(0) == Remainder->getOperand(0) &&
         Quotient->getOperand(1) == Remainder->getOperand(1);
}

bool areIndependent(const Value &X, const DataOrigin &OfX, const Value &Y,
                    const DataOrigin &OfY) {
  if (llvm::none_of(OfX.Sources, [&](const Value *Each) {
        return OfY.Sources.contains(Each);
      }))
    return true;
  if (areParts(X, Y) || areParts(Y, X))
    return true;
  const BitField A = bitFieldOf(X), B = bitFieldOf(Y);
  return A.Of == B.Of && (A.End <= B.First || B.End <= A.First);
}

} // namespace cudalint
