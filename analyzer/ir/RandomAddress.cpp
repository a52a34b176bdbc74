//===- analyzer/ir/RandomAddress.cpp - Addresses from data --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RandomAddress.h"

#include "analyzer/ir/ArrayBound.h"
#include "analyzer/ir/DataOrigin.h"
#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/ADT/STLExtras.h"
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
static constexpr std::size_t MostNumbers = 4;

namespace {

class Decomposition {
public:
  Decomposition(const Instruction &At, LaneMask Active, ValueEvaluator &Values,
                LaneArithmetic &A)
      : At(At), Layout(At.getModule()->getDataLayout()), Meant(Active),
        Active(Active), Values(Values), A(A) {
    Out.Known = LaneValue::constant(64, 0);
  }

  /// How a number is made wider on its way into the address.
  enum class Extension { None, Signed, Unsigned };

  /// False: it is not followed.
  bool add(const Value &V, std::int64_t Factor, unsigned Depth,
           Extension Wider = Extension::None);

  RandomAddress Out;

private:
  /// Where each of Out.Numbers comes from.
  struct Origin {
    const Value *Number;
    bool IsSigned;
    DataOrigin Data;
  };
  std::vector<Origin> Origins;
  const Instruction &At;
  const DataLayout &Layout;
  const LaneMask Meant;
  LaneMask Active; ///< Of these, those that have one side of a select.
  ValueEvaluator &Values;
  LaneArithmetic &A;

  std::optional<std::int64_t> constantOf(const Value &V) {
    const LaneValue L = Values.get(&V);
    if (L.Unknown & Active || !L.isConstantIn(Active) ||
        !L.Constant.isUniformIn(Active))
      return std::nullopt;
    return L.Constant[static_cast<unsigned>(countr_zero(Active))];
  }
  /// Adds to what is known, in the lanes Active.
  void addKnown(const LaneValue &V) {
    Out.Known = A.add(
        Out.Known,
        Active == Meant ? V : A.blend(Active, V, LaneValue::constant(64, 0)),
        true);
  }
  /// Whether \p Add adds what is meant in the lanes \p Part alone.
  template <typename Function> bool inLanes(LaneMask Part, Function Add) {
    const LaneMask All = std::exchange(Active, Part);
    const bool IsAdded = !Part || Add();
    Active = All;
    return IsAdded;
  }
  bool isData(const Value &V) {
    return (Values.get(&V).Unknown & Active) == Active;
  }
  ConstantRange rangeOf(const Value &V, bool IsSigned, unsigned Depth = 0);
  bool addInLanes(std::array<std::int64_t, WarpSize> &To,
                  std::int64_t Bytes) const;
  bool isSumOfParts(const Operator &Op, bool IsSigned);
  bool addParts(const Operator &Op, std::int64_t Factor, unsigned Depth,
                Extension Wider);
  bool addEither(const SelectInst &S, std::int64_t Factor, unsigned Depth,
                 Extension Wider);
  bool addNumber(const Value &V, std::int64_t Factor, Extension Wider);
};

} // namespace

/// Where \p V can be, by what is known of its parts in this launch: below n,
/// where it is `x % n`.
ConstantRange Decomposition::rangeOf(const Value &V, bool IsSigned,
                                     unsigned Depth) {
  // `(data[i] & mask) % n + k`; each more is looked at for each number again.
  constexpr unsigned MostOperations = 3;
  const unsigned Bits = V.getType()->getIntegerBitWidth();
  ConstantRange Out = computeConstantRange(&V, IsSigned)
                          .intersectWith(ConstantRange::fromKnownBits(
                              computeKnownBits(&V, Layout), IsSigned));
  if (!isKept(V, At))
    return Out;
  const LaneValue Known = Values.get(&V);
  if (!(Known.Unknown & Active) && !Known.Assumes) {
    ConstantRange OfLanes = ConstantRange::getEmpty(Bits);
    for (unsigned L = 0; L < WarpSize; ++L) {
      if (!(Active >> L & 1))
        continue;
      const std::optional<Range> R = A.range(Known, L);
      const __int128 Size = __int128(1) << Bits;
      if (!R || Known.MayWrap || R->Min < -Size / 2 || R->Max >= Size / 2)
        return Out;
      OfLanes = OfLanes.unionWith(ConstantRange::getNonEmpty(
          APInt(Bits, static_cast<std::uint64_t>(R->Min), true, true),
          APInt(Bits, static_cast<std::uint64_t>(R->Max), true, true) + 1));
    }
    return Out.intersectWith(OfLanes);
  }
  if (Depth == MostOperations)
    return Out;
  if (auto *Phi = dyn_cast<PHINode>(&V)) {
    ConstantRange Any = ConstantRange::getEmpty(Bits);
    for (const Use &In : Phi->incoming_values())
      Any = Any.unionWith(rangeOf(*In.get(), IsSigned, Depth + 1));
    return Out.intersectWith(Any);
  }
  auto *Op = dyn_cast<BinaryOperator>(&V);
  if (!Op)
    return Out;
  return Out.intersectWith(
      rangeOf(*Op->getOperand(0), IsSigned, Depth + 1)
          .binaryOp(Op->getOpcode(),
                    rangeOf(*Op->getOperand(1), IsSigned, Depth + 1)));
}

/// Adds \p Bytes to those of the lanes Active; false where that overflows.
bool Decomposition::addInLanes(std::array<std::int64_t, WarpSize> &To,
                               std::int64_t Bytes) const {
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1 && __builtin_add_overflow(To[L], Bytes, &To[L]))
      return false;
  return true;
}

/// The number itself, of which only the size is known.
bool Decomposition::addNumber(const Value &V, std::int64_t Factor,
                              Extension Wider) {
  if (!V.getType()->isIntegerTy() || V.getType()->getIntegerBitWidth() > 64)
    return false;
  const bool IsSigned = Wider != Extension::Unsigned;
  const KnownBits Bits = computeKnownBits(&V, Layout);
  const ConstantRange Range = rangeOf(V, IsSigned);
  // `32 * row` is a multiple of 32.
  const unsigned Zeros = std::min(Bits.countMinTrailingZeros(), 31u);
  std::int64_t Bytes = 0;
  if (Range.isEmptySet() || Bits.isZero() || !Factor ||
      __builtin_mul_overflow(Factor, std::int64_t(1) << Zeros, &Bytes))
    return false;
  // `x % 10` of a signed x is one of 19 numbers from -9 on.
  const APInt First = IsSigned ? Range.getSignedMin() : Range.getUnsignedMin();
  const APInt Last = IsSigned ? Range.getSignedMax() : Range.getUnsignedMax();
  const std::uint64_t Count = (Last - First).lshr(Zeros).getZExtValue();
  std::uint64_t Number = 0;
  std::int64_t From = 0;
  if (Count < ManyValues &&
      !__builtin_mul_overflow(
          Factor,
          IsSigned ? First.getSExtValue()
                   : static_cast<std::int64_t>(First.getZExtValue()),
          &From)) {
    Number = Count + 1;
    addKnown(LaneValue::constant(64, From));
  }
  // `i + 32 * i` is one number, not two.
  for (std::size_t K = 0; K < Origins.size(); ++K)
    if (Origins[K].Number == &V) {
      RandomNumber &Same = Out.Numbers[K];
      const bool IsSame =
          Origins[K].IsSigned == IsSigned || !Range.getSignedMin().isNegative();
      if (!IsSame || Same.Values != Number || !addInLanes(Same.Bytes, Bytes))
        return false;
      return true;
    }
  DataOrigin Data = originOfData(V, At, Active, Values);
  // What only lanes and numbers of the whole warp decide is no draw of a lane.
  if (Data.IsExchanged || Data.Sources.empty() ||
      Origins.size() == MostNumbers ||
      !llvm::all_of(Origins, [&](const Origin &Each) {
        return areIndependent(*Each.Number, Each.Data, V, Data);
      }))
    return false;
  RandomNumber N = RandomNumber::ofTheWarp(0, Number);
  if (!addInLanes(N.Bytes, Bytes))
    return false;
  N.Draw = Data.Draw;
  Out.Numbers.push_back(N);
  Origins.push_back({&V, IsSigned, std::move(Data)});
  return true;
}

/// Whether a sum or product that is made wider is that of what it is made of.
/// Where that is not certain, but what data adds is little, an index is taken
/// not to overflow.
bool Decomposition::isSumOfParts(const Operator &Op, bool IsSigned) {
  using Overflow = ConstantRange::OverflowResult;
  auto *Sum = dyn_cast<OverflowingBinaryOperator>(&Op);
  if (!Sum || (IsSigned ? Sum->hasNoSignedWrap() : Sum->hasNoUnsignedWrap()))
    return true;
  const ConstantRange X = rangeOf(*Op.getOperand(0), IsSigned);
  const ConstantRange Y = rangeOf(*Op.getOperand(1), IsSigned);
  switch (Op.getOpcode()) {
  case Instruction::Add:
    if ((IsSigned ? X.signedAddMayOverflow(Y) : X.unsignedAddMayOverflow(Y)) ==
        Overflow::NeverOverflows)
      return true;
    break;
  case Instruction::Sub:
    if ((IsSigned ? X.signedSubMayOverflow(Y) : X.unsignedSubMayOverflow(Y)) ==
        Overflow::NeverOverflows)
      return true;
    break;
  default:
    return false;
  }
  const auto isLittle = [&](unsigned I, const ConstantRange &R) {
    return !(Values.get(Op.getOperand(I)).Unknown & Active) ||
           !R.isSizeLargerThan(ManyValues);
  };
  if (!isLittle(0, X) || !isLittle(1, Y))
    return false;
  Out.Known.Assumes |= AssumesNoWrap;
  return true;
}

/// One value in some lanes and the other in the rest, where it is known in
/// which. Where data decides that for each lane, it is no draw of a number
/// unless both are.
bool Decomposition::addEither(const SelectInst &S, std::int64_t Factor,
                              unsigned Depth, Extension Wider) {
  const LaneValue Condition = Values.get(S.getCondition());
  LaneMask Then = 0;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1) {
      if (Condition.Unknown >> L & 1 ||
          !Condition.isConstantIn(LaneMask(1) << L))
        return isData(*S.getTrueValue()) && isData(*S.getFalseValue()) &&
               addNumber(S, Factor, Wider);
      Then |= LaneMask(Condition.Constant[L] != 0) << L;
    }
  Out.Known.Assumes |= Condition.Assumes;
  const auto addSide = [&](const Value *Side) {
    return add(*Side, Factor, Depth + 1, Wider);
  };
  return inLanes(Then, [&] { return addSide(S.getTrueValue()); }) &&
         inLanes(Active & ~Then, [&] { return addSide(S.getFalseValue()); });
}

bool Decomposition::addParts(const Operator &Op, std::int64_t Factor,
                             unsigned Depth, Extension Wider) {
  if (Wider != Extension::None && !isSumOfParts(Op, Wider == Extension::Signed))
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
    // How long a row is, as other differences, is no number like any other.
    return !(isData(*X) && isData(*Y)) && Scaled(*X, 1) && Scaled(*Y, -1);
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
  case Instruction::Select:
    return addEither(cast<SelectInst>(Op), Factor, Depth, Wider);
  default:
    return addNumber(Op, Factor, Wider);
  }
}

bool Decomposition::add(const Value &V, std::int64_t Factor, unsigned Depth,
                        Extension Wider) {
  if (!isKept(V, At) || Depth > MostDepth)
    return false;
  const LaneValue L = Values.get(&V);
  if (!(L.Unknown & Active)) {
    if (L.Bits == 0)
      return false;
    const LaneValue Wide = L.Bits >= 64                   ? L
                           : Wider == Extension::Unsigned ? A.zext(L, 64)
                                                          : A.sext(L, 64);
    addKnown(A.mul(Wide, LaneValue::constant(64, Factor), true));
    return true;
  }
  // `t % 2 ? data[t] : 5` is a number of the data in some lanes.
  if (const LaneMask Known = Active & ~L.Unknown)
    return inLanes(Known, [&] { return add(V, Factor, Depth + 1, Wider); }) &&
           inLanes(Active & L.Unknown,
                   [&] { return add(V, Factor, Depth + 1, Wider); });
  if (auto *G = dyn_cast<GEPOperator>(&V)) {
    SmallMapVector<Value *, APInt, 4> Indices;
    APInt Constant(Layout.getIndexTypeSizeInBits(G->getType()), 0);
    std::int64_t Bytes = 0;
    if (!G->collectOffset(Layout, Constant.getBitWidth(), Indices, Constant) ||
        !add(*G->getPointerOperand(), Factor, Depth + 1) ||
        __builtin_mul_overflow(Factor, Constant.getSExtValue(), &Bytes))
      return false;
    addKnown(LaneValue::constant(64, Bytes));
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
        return isKept(*Each.get(), At);
      }))
    return addNumber(V, Factor, Wider);
  return addParts(*Op, Factor, Depth, Wider);
}

/// Numbers that several lanes share are symbols of the address; false where
/// one of them is none like any other.
static bool addSymbols(RandomAddress &Out, LaneArithmetic &A) {
  bool IsComputed = false;
  llvm::erase_if(Out.Known.Terms, [&](const Term &T) {
    const SymbolInfo &Info = A.info(T.S);
    if (!Info.IsGathered)
      return false;
    IsComputed |= Info.IsComputed;
    RandomNumber N;
    for (unsigned L = 0; L < WarpSize; ++L)
      N.Bytes[L] = T.Coefficient[L];
    if (Info.Min == 0 && Info.Max >= 0 &&
        Info.Max < static_cast<std::int64_t>(ManyValues))
      N.Values = static_cast<std::uint64_t>(Info.Max) + 1;
    Out.Numbers.push_back(N);
    return true;
  });
  return !IsComputed;
}

RandomAddress randomAddress(const Value &Pointer, const Instruction &At,
                            const LaneValue &Address, LaneMask Active,
                            unsigned Bytes, ValueEvaluator &Values,
                            LaneArithmetic &A) {
  RandomAddress Out;
  if (Address.Unknown & Active) {
    Decomposition D(At, Active, Values, A);
    if (!D.add(Pointer, 1, 0))
      return {};
    Out = std::move(D.Out);
  } else {
    Out.Known = Address;
  }
  // What lanes count is no draw of each.
  if (llvm::any_of(Out.Known.Terms,
                   [&](const Term &T) { return A.info(T.S).Vote != 0; }))
    return {};
  if (!addSymbols(Out, A) || !ArrayBound(Out, Active, Bytes, A).apply(Values))
    return {};
  return Out;
}

} // namespace cudalint
