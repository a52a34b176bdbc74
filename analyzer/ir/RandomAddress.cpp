//===- analyzer/ir/RandomAddress.cpp - Addresses from data --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RandomAddress.h"

#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

/// Sums and products that are followed into an address, one in the other.
static constexpr unsigned MostDepth = 12;
/// Numbers from the data in one address; more are not followed.
static constexpr std::size_t MostParts = 4;
/// Beyond, a number may as well be any.
static constexpr std::uint64_t ManyValues = 1 << 20;

namespace {

class Decomposition {
public:
  Decomposition(const Instruction &At, LaneMask Active, ValueEvaluator &Values,
                LaneArithmetic &A)
      : At(At), Layout(At.getModule()->getDataLayout()), Active(Active),
        Values(Values), A(A) {
    Out.Known = LaneValue::constant(64, 0);
  }

  /// False: it is not followed.
  bool add(const Value &V, std::int64_t Factor, unsigned Depth);

  RandomAddress Out;

private:
  const Instruction &At;
  const DataLayout &Layout;
  LaneMask Active;
  ValueEvaluator &Values;
  LaneArithmetic &A;

  /// Values of one block alone are forgotten behind it.
  bool isKept(const Value &V) const {
    auto *I = dyn_cast<Instruction>(&V);
    return !I || I->getParent() == At.getParent() ||
           llvm::any_of(I->users(), [&](const User *U) {
             return cast<Instruction>(U)->getParent() != I->getParent();
           });
  }
  std::optional<std::int64_t> constantOf(const Value &V) {
    const LaneValue L = Values.get(&V);
    if (L.Unknown & Active || !L.isConstantIn(Active) ||
        !L.Constant.isUniformIn(Active))
      return std::nullopt;
    return L.Constant[static_cast<unsigned>(countr_zero(Active))];
  }
  bool addParts(const Operator &Op, std::int64_t Factor, unsigned Depth);
  bool addNumber(const Value &V, std::int64_t Factor);
};

} // namespace

/// The number itself, of which only the size is known.
bool Decomposition::addNumber(const Value &V, std::int64_t Factor) {
  if (!V.getType()->isIntegerTy() || Out.Parts.size() == MostParts || !Factor)
    return false;
  const KnownBits Bits = computeKnownBits(&V, Layout);
  const ConstantRange Range =
      computeConstantRange(&V, /*ForSigned=*/false)
          .intersectWith(ConstantRange::fromKnownBits(Bits, false));
  const APInt Most = Range.getUnsignedMax();
  // `32 * row` is a multiple of 32.
  const unsigned Zeros = std::min(Bits.countMinTrailingZeros(), 31u);
  if (Bits.isZero() || __builtin_mul_overflow(Factor, 1ll << Zeros, &Factor))
    return false;
  RandomPart Part{.Bytes = Lanes(Factor)};
  if (Most.lshr(Zeros).ult(ManyValues))
    Part.Values = Most.lshr(Zeros).getZExtValue() + 1;
  Out.Parts.push_back(Part);
  return true;
}

bool Decomposition::addParts(const Operator &Op, std::int64_t Factor,
                             unsigned Depth) {
  auto Scaled = [&](const Value &V, std::int64_t By) {
    std::int64_t Product = 0;
    return !__builtin_mul_overflow(Factor, By, &Product) &&
           add(V, Product, Depth + 1);
  };
  const Value *X = Op.getOperand(0);
  const Value *Y = Op.getNumOperands() > 1 ? Op.getOperand(1) : nullptr;
  switch (Op.getOpcode()) {
  case Instruction::AddrSpaceCast:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Freeze:
    return Scaled(*X, 1);
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(Op).isDisjoint())
      return addNumber(Op, Factor);
    [[fallthrough]];
  case Instruction::Add:
    return Scaled(*X, 1) && Scaled(*Y, 1);
  case Instruction::Sub:
    return Scaled(*X, 1) && Scaled(*Y, -1);
  case Instruction::Shl:
    if (std::optional<std::int64_t> By = constantOf(*Y);
        By && *By >= 0 && *By < 32)
      return Scaled(*X, std::int64_t(1) << *By);
    return false;
  case Instruction::Mul:
    if (std::optional<std::int64_t> By = constantOf(*Y))
      return Scaled(*X, *By);
    if (std::optional<std::int64_t> By = constantOf(*X))
      return Scaled(*Y, *By);
    return false;
  default:
    return addNumber(Op, Factor);
  }
}

bool Decomposition::add(const Value &V, std::int64_t Factor, unsigned Depth) {
  if (!isKept(V) || Depth > MostDepth)
    return false;
  const LaneValue L = Values.get(&V);
  if (!(L.Unknown & Active)) {
    if (L.Bits == 0)
      return false;
    const LaneValue Wide = L.Bits < 64 ? A.sext(L, 64) : L;
    Out.Known = A.add(Out.Known,
                      A.mul(Wide, LaneValue::constant(64, Factor), true), true);
    return true;
  }
  if (auto *G = dyn_cast<GEPOperator>(&V)) {
    SmallMapVector<Value *, APInt, 4> Indices;
    APInt Constant(Layout.getIndexTypeSizeInBits(G->getType()), 0);
    if (!G->collectOffset(Layout, Constant.getBitWidth(), Indices, Constant) ||
        !add(*G->getPointerOperand(), Factor, Depth + 1))
      return false;
    Out.Known =
        A.add(Out.Known,
              LaneValue::constant(64, Factor * Constant.getSExtValue()), true);
    return llvm::all_of(Indices, [&](const auto &Index) {
      return add(*Index.first, Factor * Index.second.getSExtValue(), Depth + 1);
    });
  }
  auto *Op = dyn_cast<Operator>(&V);
  // Operands that are forgotten make it a number of which nothing is known.
  if (!Op || !llvm::all_of(Op->operands(), [&](const Use &Each) {
        return isKept(*Each.get());
      }))
    return addNumber(V, Factor);
  return addParts(*Op, Factor, Depth);
}

/// Numbers that several lanes share are symbols of the address.
static RandomAddress fromSymbols(const LaneValue &Address, LaneArithmetic &A) {
  RandomAddress Out{.Known = Address, .Parts = {}};
  std::erase_if(Out.Known.Terms, [&](const Term &T) {
    const SymbolInfo &Info = A.info(T.S);
    if (!Info.IsGathered)
      return false;
    RandomPart Part{.Bytes = T.Coefficient, .Values = 0, .PerLane = false};
    if (Info.Min == 0 && Info.Max >= 0 &&
        Info.Max < static_cast<std::int64_t>(ManyValues))
      Part.Values = static_cast<std::uint64_t>(Info.Max) + 1;
    Out.Parts.push_back(std::move(Part));
    return true;
  });
  return Out;
}

/// No number leads out of an array of known size.
static void boundByArray(RandomAddress &Address, const Instruction &At,
                         const ValueEvaluator &Values) {
  for (const Term &T : Address.Known.Terms) {
    auto *Array = dyn_cast_or_null<GlobalVariable>(Values.originOf(T.S));
    if (!Array || Array->isDeclaration())
      continue;
    const std::uint64_t Bytes =
        At.getModule()->getDataLayout().getTypeAllocSize(Array->getValueType());
    for (RandomPart &Part : Address.Parts) {
      const auto Step = static_cast<std::uint64_t>(std::abs(Part.Bytes[0]));
      if (!Part.Bytes.isUniform() || !Step || Bytes < Step)
        continue;
      const std::uint64_t Most = Bytes / Step;
      Part.Values = Part.Values ? std::min(Part.Values, Most) : Most;
    }
  }
}

RandomAddress randomAddress(const Value &Pointer, const Instruction &At,
                            const LaneValue &Address, LaneMask Active,
                            ValueEvaluator &Values, LaneArithmetic &A) {
  RandomAddress Out;
  if (Address.Unknown & Active) {
    Decomposition D(At, Active, Values, A);
    if (!D.add(Pointer, 1, 0))
      return {};
    Out = std::move(D.Out);
  } else {
    Out = fromSymbols(Address, A);
  }
  boundByArray(Out, At, Values);
  return Out;
}

} // namespace cudalint
