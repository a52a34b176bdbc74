//===- analyzer/ir/RandomAddress.cpp - Addresses from data --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RandomAddress.h"

#include "analyzer/ir/LaneOperations.h"
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

  /// How a number is made wider on its way into the address.
  enum class Extension { None, Signed, Unsigned };

  /// False: it is not followed.
  bool add(const Value &V, std::int64_t Factor, unsigned Depth,
           Extension Wider = Extension::None);

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
  bool addParts(const Operator &Op, std::int64_t Factor, unsigned Depth,
                Extension Wider);
  bool addNumber(const Value &V, std::int64_t Factor, Extension Wider);
};

} // namespace

/// The number itself, of which only the size is known.
bool Decomposition::addNumber(const Value &V, std::int64_t Factor,
                              Extension Wider) {
  if (!V.getType()->isIntegerTy() || V.getType()->getIntegerBitWidth() > 64 ||
      Out.Parts.size() == MostParts)
    return false;
  const bool IsSigned = Wider != Extension::Unsigned;
  const KnownBits Bits = computeKnownBits(&V, Layout);
  const ConstantRange Range =
      computeConstantRange(&V, IsSigned)
          .intersectWith(ConstantRange::fromKnownBits(Bits, IsSigned));
  // `32 * row` is a multiple of 32.
  const unsigned Zeros = std::min(Bits.countMinTrailingZeros(), 31u);
  std::int64_t Bytes = 0;
  if (Range.isEmptySet() || Bits.isZero() || !Factor ||
      __builtin_mul_overflow(Factor, std::int64_t(1) << Zeros, &Bytes))
    return false;
  RandomPart Part{.Bytes = Lanes(Bytes)};
  // `x % 10` of a signed x is one of 19 numbers from -9 on.
  const APInt First = IsSigned ? Range.getSignedMin() : Range.getUnsignedMin();
  const APInt Last = IsSigned ? Range.getSignedMax() : Range.getUnsignedMax();
  const std::uint64_t Count = (Last - First).lshr(Zeros).getZExtValue();
  std::int64_t From = 0;
  if (Count < ManyValues &&
      !__builtin_mul_overflow(
          Factor,
          IsSigned ? First.getSExtValue()
                   : static_cast<std::int64_t>(First.getZExtValue()),
          &From)) {
    Part.Values = Count + 1;
    Out.Known = A.add(Out.Known, LaneValue::constant(64, From), true);
  }
  Out.Parts.push_back(Part);
  return true;
}

/// Whether a sum or product that is made wider is that of what it is made of.
static bool isWiderOfParts(const Operator &Op, bool Signed) {
  auto *Sum = dyn_cast<OverflowingBinaryOperator>(&Op);
  return !Sum || (Signed ? Sum->hasNoSignedWrap() : Sum->hasNoUnsignedWrap());
}

bool Decomposition::addParts(const Operator &Op, std::int64_t Factor,
                             unsigned Depth, Extension Wider) {
  if (Wider != Extension::None &&
      !isWiderOfParts(Op, Wider == Extension::Signed))
    return addNumber(Op, Factor, Wider);
  auto Scaled = [&](const Value &V, std::int64_t By) {
    std::int64_t Product = 0;
    return !__builtin_mul_overflow(Factor, By, &Product) &&
           add(V, Product, Depth + 1, Wider);
  };
  const Value *X = Op.getOperand(0);
  const Value *Y = Op.getNumOperands() > 1 ? Op.getOperand(1) : nullptr;
  switch (Op.getOpcode()) {
  case Instruction::SExt:
    return add(*X, Factor, Depth + 1, Extension::Signed);
  case Instruction::ZExt:
    return add(*X, Factor, Depth + 1, Extension::Unsigned);
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
    return Scaled(*X, 1);
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(Op).isDisjoint())
      return addNumber(Op, Factor, Wider);
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
    return addNumber(Op, Factor, Wider);
  }
}

bool Decomposition::add(const Value &V, std::int64_t Factor, unsigned Depth,
                        Extension Wider) {
  if (!isKept(V) || Depth > MostDepth)
    return false;
  const LaneValue L = Values.get(&V);
  if (!(L.Unknown & Active)) {
    if (L.Bits == 0)
      return false;
    const LaneValue Wide = L.Bits >= 64                   ? L
                           : Wider == Extension::Unsigned ? A.zext(L, 64)
                                                          : A.sext(L, 64);
    Out.Known = A.add(Out.Known,
                      A.mul(Wide, LaneValue::constant(64, Factor), true), true);
    return true;
  }
  if (auto *G = dyn_cast<GEPOperator>(&V)) {
    SmallMapVector<Value *, APInt, 4> Indices;
    APInt Constant(Layout.getIndexTypeSizeInBits(G->getType()), 0);
    std::int64_t Bytes = 0;
    if (!G->collectOffset(Layout, Constant.getBitWidth(), Indices, Constant) ||
        !add(*G->getPointerOperand(), Factor, Depth + 1) ||
        __builtin_mul_overflow(Factor, Constant.getSExtValue(), &Bytes))
      return false;
    Out.Known = A.add(Out.Known, LaneValue::constant(64, Bytes), true);
    return llvm::all_of(Indices, [&](const auto &Index) {
      std::int64_t Step = 0;
      return !__builtin_mul_overflow(Factor, Index.second.getSExtValue(),
                                     &Step) &&
             add(*Index.first, Step, Depth + 1, Extension::Signed);
    });
  }
  auto *Op = dyn_cast<Operator>(&V);
  // Operands that are forgotten make it a number of which nothing is known.
  if (!Op || !llvm::all_of(Op->operands(), [&](const Use &Each) {
        return isKept(*Each.get());
      }))
    return addNumber(V, Factor, Wider);
  return addParts(*Op, Factor, Depth, Wider);
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
      const std::uint64_t Step = magnitude(Part.Bytes[0]);
      if (!Part.Bytes.isUniform() || !Step || Bytes < Step)
        continue;
      const std::uint64_t Most = std::min(Bytes / Step, ManyValues);
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
