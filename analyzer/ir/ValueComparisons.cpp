//===- analyzer/ir/ValueComparisons.cpp - Conditions of integers ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ValueEvaluator.h"

using namespace llvm;

namespace cudalint {

static LaneArithmetic::Predicate predicateOf(CmpInst::Predicate P) {
  using enum LaneArithmetic::Predicate;
  switch (P) {
  case CmpInst::ICMP_EQ:
    return EQ;
  case CmpInst::ICMP_NE:
    return NE;
  case CmpInst::ICMP_ULT:
    return ULT;
  case CmpInst::ICMP_ULE:
    return ULE;
  case CmpInst::ICMP_UGT:
    return UGT;
  case CmpInst::ICMP_UGE:
    return UGE;
  case CmpInst::ICMP_SLT:
    return SLT;
  case CmpInst::ICMP_SLE:
    return SLE;
  case CmpInst::ICMP_SGT:
    return SGT;
  default:
    return SGE;
  }
}

/// What a comparison of `a op b` says of `a` and `b`, each compared alike.
enum class OfBits {
  All,  ///< Both.
  Any,  ///< One of them, or both.
  Other ///< Something else.
};

/// `(x | y) < 256` is what Clang makes of `x < 256 && y < 256`: no bit beyond
/// the first eight is set in either.
static OfBits meaningOf(Instruction::BinaryOps Op, CmpInst::Predicate P,
                        const APInt &With) {
  const bool IsOr = Op == Instruction::Or;
  auto If = [](bool Holds, OfBits Meaning) {
    return Holds ? Meaning : OfBits::Other;
  };
  const APInt None = APInt::getZero(With.getBitWidth());
  const APInt AllOnes = APInt::getAllOnes(With.getBitWidth());
  switch (P) {
  case CmpInst::ICMP_EQ:
    return If(With == (IsOr ? None : AllOnes), OfBits::All);
  case CmpInst::ICMP_NE:
    return If(With == (IsOr ? None : AllOnes), OfBits::Any);
  case CmpInst::ICMP_ULT:
    return If(IsOr && With.isPowerOf2(), OfBits::All);
  case CmpInst::ICMP_UGE:
    return If(IsOr && With.isPowerOf2(), OfBits::Any);
  case CmpInst::ICMP_ULE:
    return If(IsOr && (With + 1).isPowerOf2(), OfBits::All);
  case CmpInst::ICMP_UGT:
    return If(IsOr && (With + 1).isPowerOf2(), OfBits::Any);
  // The sign.
  case CmpInst::ICMP_SLT:
    return If(With == None, IsOr ? OfBits::Any : OfBits::All);
  case CmpInst::ICMP_SGE:
    return If(With == None, IsOr ? OfBits::All : OfBits::Any);
  case CmpInst::ICMP_SLE:
    return If(With == AllOnes, IsOr ? OfBits::Any : OfBits::All);
  case CmpInst::ICMP_SGT:
    return If(With == AllOnes, IsOr ? OfBits::All : OfBits::Any);
  default:
    return OfBits::Other;
  }
}

/// 0 for a pointer that is null, where pointers are compared.
static LaneValue asCompared(const LaneArithmetic &A, LaneValue V) {
  const bool IsNull = V.Terms.size() == 1 && !V.Unknown &&
                      V.Constant.isZero() && A.info(V.Terms[0].S).IsNull &&
                      V.Terms[0].Coefficient == Lanes(1);
  return IsNull ? LaneValue::constant(V.Bits, 0) : V;
}

LaneValue ValueEvaluator::comparison(CmpInst::Predicate P, const Value &Left,
                                     const Value &Right, unsigned Depth) {
  const LaneValue Whole = A.compare(predicateOf(P), asCompared(A, get(&Left)),
                                    asCompared(A, get(&Right)));
  auto *Bits = dyn_cast<BinaryOperator>(&Left);
  auto *With = dyn_cast<ConstantInt>(&Right);
  if (Whole.isConstant() || !Depth || !With || !Bits ||
      (Bits->getOpcode() != Instruction::Or &&
       Bits->getOpcode() != Instruction::And))
    return Whole;
  const OfBits Meaning = meaningOf(Bits->getOpcode(), P, With->getValue());
  if (Meaning == OfBits::Other)
    return Whole;
  const LaneValue X = comparison(P, *Bits->getOperand(0), Right, Depth - 1);
  const LaneValue Y = comparison(P, *Bits->getOperand(1), Right, Depth - 1);
  return Meaning == OfBits::All ? A.bitAnd(X, Y) : A.bitOr(X, Y);
}

} // namespace cudalint
