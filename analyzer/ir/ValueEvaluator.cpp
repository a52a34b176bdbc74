//===- analyzer/ir/ValueEvaluator.cpp - Instructions over lane values -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"

#include <bit>

using namespace llvm;

namespace cudalint {

const Value *ValueEvaluator::originOf(Symbol S) const {
  return static_cast<const Value *>(A.info(S).Origin);
}

bool ValueEvaluator::isGathered(const LaneValue &V) const {
  return llvm::any_of(V.Terms,
                      [&](const Term &T) { return A.isGathered(T.S); });
}

unsigned ValueEvaluator::bitsOf(const Type *T) const {
  if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64)
    return T->getIntegerBitWidth();
  return 64; // pointers by their index type; all else is opaque
}

bool ValueEvaluator::isTracked(const Type *T) {
  return (T->isIntegerTy() && T->getIntegerBitWidth() <= 64) ||
         T->isPointerTy();
}

static bool isComputed(const Value &V) { return isa<Instruction, Argument>(V); }

const LaneValue &ValueEvaluator::get(const Value *V) {
  if (isComputed(*V))
    return Values[Kernel.number(V)];
  if (const auto Known = Constants.find(V); Known != Constants.end())
    return Known->second;
  return Constants.emplace(V, constant(*V)).first->second;
}

/// `(address + 127) & ~127`: an address in the same array, wherever in it, that
/// is a multiple of 128. Empty for what is none.
std::optional<LaneValue> ValueEvaluator::alignedDown(const LaneValue &V,
                                                     const LaneValue &Mask) {
  if (V.Bits != 64 || !V.isUniform() || !Mask.isConstant() ||
      !Mask.Constant.isUniform())
    return std::nullopt;
  const std::uint64_t Step = ~static_cast<std::uint64_t>(Mask.Constant[0]) + 1;
  const Term *Object = nullptr;
  for (const Term &T : V.Terms) {
    if (A.info(T.S).Kind != SymbolKind::Object)
      continue;
    if (Object || !(T.Coefficient == Lanes(1)))
      return std::nullopt;
    Object = &T;
  }
  if (!Object || !std::has_single_bit(Step) || Step > AllocationAlign)
    return std::nullopt;
  LaneValue R = A.bitAnd(V, Mask);
  if (R.Terms.size() != 1 || A.info(R.Terms[0].S).Kind == SymbolKind::Object)
    return R;
  auto [It, New] = AlignedObjects.try_emplace(R.Terms[0].S);
  if (New) {
    const SymbolInfo Old = A.info(Object->S);
    It->second = makeObject(nullptr, Old.Name, Step, spaceOf(Object->S));
  }
  LaneValue Aligned = It->second;
  Aligned.Assumes = R.Assumes;
  return Aligned;
}

LaneValue ValueEvaluator::opaqueResult(const Instruction &I, LaneMask Active) {
  // The same operands in all lanes give the same result in all lanes.
  std::uint32_t Assumes = 0;
  for (const Value *Op : I.operands()) {
    if (isa<BasicBlock>(Op) || isa<Function>(Op) || isa<InlineAsm>(Op) ||
        isa<MetadataAsValue>(Op))
      continue;
    const LaneValue &V = get(Op);
    if (!V.isUniformIn(Active))
      return LaneValue::unknown(bitsOf(I.getType()));
    Assumes |= V.Assumes;
  }
  LaneValue R = uniform(I, SymbolKind::Opaque, {});
  R.Assumes |= Assumes;
  return R;
}

LaneValue ValueEvaluator::binary(const BinaryOperator &I) {
  const LaneValue &L = get(I.getOperand(0)), &R = get(I.getOperand(1));
  bool NSW = isa<OverflowingBinaryOperator>(I) && I.hasNoSignedWrap();
  switch (I.getOpcode()) {
  case Instruction::Add:
    return A.add(L, R, NSW);
  case Instruction::Sub:
    return A.sub(L, R, NSW);
  case Instruction::Mul:
    return A.mul(L, R, NSW);
  case Instruction::Shl:
    return A.shl(L, R, NSW);
  case Instruction::LShr:
    return A.lshr(L, R);
  case Instruction::AShr:
    return A.ashr(L, R);
  case Instruction::UDiv:
    return A.udiv(L, R);
  case Instruction::SDiv:
    return A.sdiv(L, R);
  case Instruction::URem:
    return A.urem(L, R);
  case Instruction::SRem:
    return A.srem(L, R);
  case Instruction::And:
    if (auto Aligned = alignedDown(L, R))
      return *Aligned;
    return A.bitAnd(L, R);
  case Instruction::Or:
    if (llvm::cast<PossiblyDisjointInst>(I).isDisjoint())
      return A.add(L, R, /*NoWrap=*/true);
    return A.bitOr(L, R);
  case Instruction::Xor:
    return A.bitXor(L, R);
  default:
    return LaneValue::unknown(bitsOf(I.getType()));
  }
}

LaneValue ValueEvaluator::cast(const Instruction &I) {
  const LaneValue &V = get(I.getOperand(0));
  unsigned Bits = bitsOf(I.getType());
  switch (I.getOpcode()) {
  case Instruction::Trunc:
    return A.trunc(V, Bits);
  case Instruction::ZExt:
    return A.zext(V, Bits, llvm::cast<PossiblyNonNegInst>(I).hasNonNeg());
  case Instruction::SExt:
    return A.sext(V, Bits);
  case Instruction::PtrToInt:
    return Bits < 64 ? A.trunc(V, Bits) : V;
  case Instruction::IntToPtr:
    return V.Bits < 64 ? A.zext(V, 64) : V;
  case Instruction::AddrSpaceCast:
    return V;
  default:
    return LaneValue::unknown(Bits);
  }
}

LaneValue ValueEvaluator::address(const GEPOperator &G) {
  LaneValue P = get(G.getPointerOperand());
  for (auto It = gep_type_begin(G), End = gep_type_end(G); It != End; ++It) {
    const Value *Index = It.getOperand();
    if (StructType *S = It.getStructTypeOrNull()) {
      std::uint64_t Field = llvm::cast<ConstantInt>(Index)->getZExtValue();
      std::uint64_t Offset =
          Layout.getStructLayout(S)->getElementOffset(Field).getFixedValue();
      P = A.add(P, LaneValue::constant(64, static_cast<std::int64_t>(Offset)),
                true);
      continue;
    }
    const LaneValue &V = get(Index);
    const LaneValue Stride = LaneValue::constant(
        64, static_cast<std::int64_t>(
                It.getSequentialElementStride(Layout).getFixedValue()));
    P = A.add(P, A.mul(V.Bits < 64 ? A.sext(V, 64) : V, Stride, true), true);
  }
  return P;
}

LaneValue ValueEvaluator::evaluate(const Instruction &I, LaneMask Active,
                                   LaneMask Doubtful, unsigned Picked) {
  if (I.getType()->isFloatingPointTy()) {
    Fractions.run(I);
  } else if (auto Integer = Fractions.integerOf(I)) {
    if (Fractions.dependsOnWarp(I))
      A.tellWarpsApart();
    return *Integer;
  }
  LaneValue V = result(I, Active, Doubtful, Picked);
  if (!A.areSeveralWarps())
    return V;
  const SmallVector<const Value *, 4> Read = readBy(I);
  if (llvm::none_of(Read,
                    [&](const Value *Each) {
                      return isComputed(*Each) && A.dependsOnWarp(get(Each));
                    }) ||
      isFunctionOf(Read, V, I))
    return V;
  return inEachWarp(Read, I, Active, Doubtful, Picked);
}

/// All of which result() reads the value: operands, and what the operand of a
/// comparison is made of.
SmallVector<const Value *, 4> ValueEvaluator::readBy(const Instruction &I) {
  SmallVector<const Value *, 4> All;
  const bool IsCompared = isa<ICmpInst>(I) && isa<ConstantInt>(I.getOperand(1));
  auto Add = [&](auto &Self, const Value &V, unsigned Depth) -> void {
    if (isa<BasicBlock, Function, MetadataAsValue>(V))
      return;
    All.push_back(&V);
    if (auto *Bits = dyn_cast<BinaryOperator>(&V);
        Bits && Depth &&
        (Bits->getOpcode() == Instruction::Or ||
         Bits->getOpcode() == Instruction::And))
      for (const Use &Each : Bits->operands())
        Self(Self, *Each.get(), Depth - 1);
  };
  for (const Use &Operand : I.operands())
    Add(Add, *Operand.get(), IsCompared ? MostCompared : 0);
  return All;
}

/// Whether it is what that gives in each of several warps, too: it takes no
/// more for granted, and nothing is in it that is not in any of them.
bool ValueEvaluator::isFunctionOf(ArrayRef<const Value *> Read,
                                  const LaneValue &V, const Instruction &I) {
  LaneMask Unknown = 0;
  std::uint32_t Assumes = 0;
  SmallVector<Symbol, 16> Symbols;
  auto AddFactors = [&](Symbol S, SmallVectorImpl<Symbol> &To) {
    if (A.info(S).Factors.empty())
      To.push_back(S);
    else
      llvm::append_range(To, A.info(S).Factors);
  };
  for (const Value *Operand : Read) {
    const LaneValue &Each = get(Operand);
    // Of what is no value, such as a callee, get() says that it is unknown.
    if (isComputed(*Operand))
      Unknown |= Each.Unknown;
    Assumes |= Each.Assumes;
    for (const Term &T : Each.Terms)
      AddFactors(T.S, Symbols);
  }
  if (isa<SExtInst>(I) && A.wrapsInEachWarp(get(I.getOperand(0))))
    Assumes |= AssumesNoWrap;
  if (V.Unknown & ~Unknown || V.Assumes & ~Assumes || !A.dependsAlike(V))
    return false;
  SmallVector<Symbol, 16> Own;
  for (const Term &T : V.Terms)
    AddFactors(T.S, Own);
  return llvm::all_of(Own, [&](Symbol S) { return is_contained(Symbols, S); });
}

/// The result in each of several warps, as one value.
LaneValue ValueEvaluator::inEachWarp(ArrayRef<const Value *> Read,
                                     const Instruction &I, LaneMask Active,
                                     LaneMask Doubtful, unsigned Picked) {
  SmallVector<std::pair<unsigned, LaneValue>, 3> Operands;
  for (const Value *Operand : Read)
    if (isComputed(*Operand))
      Operands.emplace_back(Kernel.number(Operand), get(Operand));
  LaneValue R = A.throughWarps([&](unsigned Warp) {
    for (const auto &[Number, V] : Operands)
      Values[Number] = A.inWarp(V, Warp);
    return result(I, Active, Doubtful, Picked);
  });
  for (auto &[Number, V] : Operands)
    Values[Number] = std::move(V);
  return R;
}

LaneValue ValueEvaluator::result(const Instruction &I, LaneMask Active,
                                 LaneMask Doubtful, unsigned Picked) {
  unsigned Bits = bitsOf(I.getType());
  if (auto *B = dyn_cast<BinaryOperator>(&I); B && isTracked(I.getType()))
    return binary(*B);
  if (auto *C = dyn_cast<ICmpInst>(&I))
    if (isTracked(C->getOperand(0)->getType()) && I.getType()->isIntegerTy())
      return comparison(C->getPredicate(), *C->getOperand(0),
                        *C->getOperand(1));
  if (isa<CastInst>(I) && isTracked(I.getType()) &&
      isTracked(I.getOperand(0)->getType())) {
    if (auto Numbers = numbersOf(I, Active, Picked))
      return *Numbers;
    return cast(I);
  }
  if (auto *G = dyn_cast<GetElementPtrInst>(&I); G && isTracked(I.getType()))
    return address(llvm::cast<GEPOperator>(*G));
  if (auto *S = dyn_cast<SelectInst>(&I);
      S && S->getCondition()->getType()->isIntegerTy()) {
    const LaneValue &C = get(S->getCondition());
    const LaneValue &T = get(S->getTrueValue()), &F = get(S->getFalseValue());
    if (Bits == 1) {
      // `a && b` and `a || b`, however they are spelt.
      if (F.isConstant() && F.Constant.isZero() && !F.Assumes)
        return A.bitAnd(C, T);
      if (T.isConstant() && T.Constant == Lanes(1) && !T.Assumes)
        return A.bitOr(C, F);
    }
    if (!isTracked(I.getType()))
      return C.isUniformIn(Active) && T.isUniformIn(Active) &&
                     F.isUniformIn(Active)
                 ? UniformFloat
                 : LaneValue::unknown(Bits);
    return A.select(C, T, F);
  }
  if (auto *Freeze = dyn_cast<FreezeInst>(&I))
    return get(Freeze->getOperand(0));
  if (auto *C = dyn_cast<CallInst>(&I))
    return call(*C, Active, Doubtful, Picked);
  if (auto *Alloca = dyn_cast<AllocaInst>(&I))
    return objectOf(*Alloca, Alloca->getAlign().value(), MemorySpace::Local);
  if (I.getType()->isVoidTy())
    return LaneValue::unknown(64);
  return opaqueResult(I, Active);
}

} // namespace cudalint
