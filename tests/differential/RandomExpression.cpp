//===- tests/differential/RandomExpression.cpp - Draws values -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomExpression.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cudalint::differential {

void RandomExpression::seed(Function &F) {
  auto Read = [&](Intrinsic::ID Id, const char *Name) {
    return B.CreateIntrinsic(Id, {}, {}, nullptr, Name);
  };
  Tid = {Read(Intrinsic::nvvm_read_ptx_sreg_tid_x, "tid.x"),
         Read(Intrinsic::nvvm_read_ptx_sreg_tid_y, "tid.y"),
         Read(Intrinsic::nvvm_read_ptx_sreg_tid_z, "tid.z")};
  Ntid = {Read(Intrinsic::nvvm_read_ptx_sreg_ntid_x, "ntid.x"),
          Read(Intrinsic::nvvm_read_ptx_sreg_ntid_y, "ntid.y"),
          Read(Intrinsic::nvvm_read_ptx_sreg_ntid_z, "ntid.z")};
  Ctaid = {Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, "ctaid.x"),
           Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_y, "ctaid.y"),
           Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_z, "ctaid.z")};
  Nctaid = {Read(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, "nctaid.x"),
            Read(Intrinsic::nvvm_read_ptx_sreg_nctaid_y, "nctaid.y"),
            Read(Intrinsic::nvvm_read_ptx_sreg_nctaid_z, "nctaid.z")};
  for (Argument &A : F.args())
    if (A.getType()->isIntegerTy()) {
      Parameters.push_back(&A);
      keep(&A);
    }
  keep(Tid[0]), keep(Tid[0]), keep(Tid[0]), keep(Tid[1]), keep(Tid[2]);
  keep(Ctaid[0]), keep(Ctaid[1]), keep(Ntid[0]), keep(Ntid[1]);
  if (R.chance(30))
    keep(Nctaid[0]);
  if (R.chance(20))
    keep(Read(Intrinsic::nvvm_read_ptx_sreg_laneid, "laneid"));
  // What most kernels begin with.
  for (unsigned D = 0; D < 2; ++D)
    if (R.chance(50)) {
      bool Flags = R.chance(30);
      Value *Id = B.CreateAdd(B.CreateMul(Ctaid[D], Ntid[D], "", false, Flags),
                              Tid[D], "", false, Flags);
      keep(Id), keep(Id);
    }
}

Value *RandomExpression::constant(unsigned Bits) {
  unsigned Kind = static_cast<unsigned>(R.below(100));
  std::uint64_t V;
  if (Kind < 40)
    V = R.below(9);
  else if (Kind < 65)
    V = std::uint64_t(1) << R.below(std::min(Bits, 12u));
  else if (Kind < 80)
    V = R.pick<std::uint64_t>({3, 5, 12, 15, 24, 31, 33, 48, 63, 96, 100, 127});
  else if (Kind < 90)
    V = 0 - (1 + R.below(33));
  else if (Kind < 94)
    V = (std::uint64_t(1) << (Bits - 1)) - R.below(2);
  else
    V = R.next();
  return ConstantInt::get(B.getContext(), APInt(Bits, V, false, true));
}

Value *RandomExpression::resized(Value *V, unsigned Bits) {
  unsigned From = V->getType()->getIntegerBitWidth();
  Type *T = B.getIntNTy(Bits);
  if (From == Bits)
    return V;
  if (From > Bits)
    return B.CreateTrunc(V, T);
  return R.chance(50) && From > 1 ? B.CreateSExt(V, T) : B.CreateZExt(V, T);
}

Value *RandomExpression::leaf(unsigned Bits) {
  if (R.chance(15))
    return constant(Bits);
  // Twice, to find one of the right width more often.
  Value *V = Pool[R.below(Pool.size())];
  if (!V->getType()->isIntegerTy(Bits))
    V = Pool[R.below(Pool.size())];
  return resized(V, Bits);
}

Value *RandomExpression::arithmetic(unsigned Bits, unsigned Depth) {
  Value *X = value(Bits, Depth - 1);
  Value *Y = R.chance(45) ? constant(Bits) : value(Bits, Depth - 1);
  bool NSW = R.chance(30), NUW = R.chance(8);
  unsigned Kind = static_cast<unsigned>(R.below(10));
  if (Kind < 5)
    return B.CreateAdd(X, Y, "", NUW, NSW);
  if (Kind < 7)
    return B.CreateSub(X, Y, "", NUW, NSW);
  return B.CreateMul(X, Y, "", NUW, NSW);
}

Value *RandomExpression::division(unsigned Bits, unsigned Depth) {
  Value *X = value(Bits, Depth - 1), *Y;
  if (R.chance(80)) {
    Y = constant(Bits);
    if (llvm::cast<ConstantInt>(Y)->isZero())
      Y = ConstantInt::get(Y->getType(), 7);
  } else {
    Y = value(Bits, 0);
    if (R.chance(60))
      Y = B.CreateOr(Y, ConstantInt::get(Y->getType(), 1));
  }
  switch (R.below(4)) {
  case 0:
    return B.CreateUDiv(X, Y);
  case 1:
    return B.CreateSDiv(X, Y);
  case 2:
    return B.CreateURem(X, Y);
  default:
    return B.CreateSRem(X, Y);
  }
}

Value *RandomExpression::shift(unsigned Bits, unsigned Depth) {
  Value *X = value(Bits, Depth - 1);
  Type *T = X->getType();
  Value *By;
  if (R.chance(85))
    By = ConstantInt::get(T, R.below(R.chance(80) ? std::min(Bits, 7u) : Bits));
  else
    By = B.CreateAnd(value(Bits, 0), ConstantInt::get(T, R.pick({3u, 7u})));
  bool NSW = R.chance(30), NUW = R.chance(8);
  switch (R.below(4)) {
  case 0:
  case 1:
    return B.CreateShl(X, By, "", NUW, NSW);
  case 2:
    return B.CreateLShr(X, By);
  default:
    return B.CreateAShr(X, By);
  }
}

/// Intrinsics over single bits and bytes.
Value *RandomExpression::bits(Value *X, Value *Y) {
  Type *T = X->getType();
  switch (R.below(6)) {
  case 0:
    return B.CreateUnaryIntrinsic(Intrinsic::ctpop, X);
  case 1:
    return B.CreateBinaryIntrinsic(
        R.pick({Intrinsic::ctlz, Intrinsic::cttz, Intrinsic::abs}), X,
        B.getInt1(R.chance(50)));
  case 2:
    if (T->getIntegerBitWidth() >= 16)
      return B.CreateUnaryIntrinsic(Intrinsic::bswap, X);
    [[fallthrough]];
  case 3:
    return B.CreateUnaryIntrinsic(Intrinsic::bitreverse, X);
  default:
    return B.CreateIntrinsic(
        R.pick({Intrinsic::fshl, Intrinsic::fshr}), {T},
        {X, R.chance(40) ? X : Y, ConstantInt::get(T, R.below(2 * 64))});
  }
}

Value *RandomExpression::choice(unsigned Bits, unsigned Depth) {
  Value *X = value(Bits, Depth - 1);
  Value *Y = R.chance(50) ? constant(Bits) : value(Bits, Depth - 1);
  if (R.chance(40))
    return B.CreateSelect(condition(), X, Y);
  if (R.chance(15))
    return bits(X, Y);
  return B.CreateBinaryIntrinsic(R.pick({Intrinsic::smin, Intrinsic::smax,
                                         Intrinsic::umin, Intrinsic::umax}),
                                 X, Y);
}

/// An integer that is a float for a while.
Value *RandomExpression::fraction(unsigned Bits, unsigned Depth) {
  HasFractions = true;
  Value *X = value(32, Depth - 1);
  if (R.chance(50))
    X = B.CreateAnd(X, B.getInt32(R.pick({31u, 255u, 65535u})));
  Type *T = R.chance(80) ? B.getFloatTy() : B.getDoubleTy();
  bool Signed = R.chance(80);
  Value *F = Signed ? B.CreateSIToFP(X, T) : B.CreateUIToFP(X, T);
  for (std::uint64_t K = 1 + R.below(2); K; --K) {
    Value *C =
        ConstantFP::get(T, R.pick({0.5, 0.25, 2.0, 1.5, 3.0, 5.0, 7.0, 33.0,
                                   -0.5, -2.0, 0.1, 1e10, 0.75, 16.0}));
    F = B.CreateBinOp(
        R.pick({Instruction::FMul, Instruction::FMul, Instruction::FDiv,
                Instruction::FAdd, Instruction::FSub}),
        F, C);
  }
  if (R.chance(15))
    F = B.CreateFNeg(F);
  if (R.chance(40))
    F = B.CreateUnaryIntrinsic(
        R.pick({Intrinsic::floor, Intrinsic::ceil, Intrinsic::trunc,
                Intrinsic::rint, Intrinsic::fabs}),
        F);
  if (R.chance(15))
    return B.CreateSelect(
        B.CreateFCmp(
            R.pick({CmpInst::FCMP_OLT, CmpInst::FCMP_OEQ, CmpInst::FCMP_UGE}),
            F, ConstantFP::get(T, R.pick({0.0, 3.0, 7.5, 100.0}))),
        resized(X, Bits), constant(Bits));
  return resized(R.chance(85) ? B.CreateFPToSI(F, B.getInt32Ty())
                              : B.CreateFPToUI(F, B.getInt32Ty()),
                 Bits);
}

Value *RandomExpression::value(unsigned Bits, unsigned Depth) {
  if (!Depth)
    return leaf(Bits);
  unsigned Kind = static_cast<unsigned>(R.below(100));
  if (Kind < 50)
    return arithmetic(Bits, Depth);
  if (Kind < 60)
    return division(Bits, Depth);
  if (Kind < 70)
    return shift(Bits, Depth);
  if (Kind < 80) {
    Value *X = value(Bits, Depth - 1);
    Value *Y = R.chance(70) ? constant(Bits) : value(Bits, Depth - 1);
    return B.CreateBinOp(R.pick({Instruction::And, Instruction::And,
                                 Instruction::Or, Instruction::Xor}),
                         X, Y);
  }
  if (Kind < 88)
    return choice(Bits, Depth);
  if (Kind < 90)
    return resized(condition(), Bits);
  if (Kind < 93)
    return fraction(Bits, Depth);
  return resized(value(R.pick({8u, 16u, 32u, 32u, 64u}), Depth - 1), Bits);
}

Value *RandomExpression::condition() {
  if (R.chance(15)) {
    Value *X = condition(), *Y = condition();
    switch (R.below(5)) {
    case 0:
      return B.CreateAnd(X, Y);
    case 1:
      return B.CreateOr(X, Y);
    case 2:
      return B.CreateXor(X, R.chance(50) ? B.getTrue() : Y);
    case 3:
      return B.CreateLogicalAnd(X, Y);
    default:
      return B.CreateLogicalOr(X, Y);
    }
  }
  unsigned Bits = R.pick({32u, 32u, 32u, 64u, 16u});
  unsigned Depth = static_cast<unsigned>(R.below(2));
  Value *X = value(Bits, Depth);
  Value *Y = R.chance(60) ? constant(Bits) : value(Bits, 0);
  auto P = static_cast<CmpInst::Predicate>(
      CmpInst::FIRST_ICMP_PREDICATE +
      R.below(CmpInst::LAST_ICMP_PREDICATE - CmpInst::FIRST_ICMP_PREDICATE +
              1));
  return B.CreateICmp(P, X, Y);
}

LoopDraw RandomExpression::loop(unsigned Bits) {
  LoopDraw D;
  Type *T = B.getIntNTy(Bits);
  auto Number = [&](std::uint64_t V) { return ConstantInt::get(T, V); };
  D.Start = Number(0);
  D.Step = Number(1);
  D.NoSignedWrap = R.chance(40);
  D.Continue = R.chance(60) ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
  Value *Parameter = Parameters[R.below(Parameters.size())];
  switch (R.below(10)) {
  case 0: // doubling
    D.Start = Number(1);
    D.Bound = resized(Ntid[0], Bits);
    D.Advance = Instruction::Shl;
    break;
  case 1: // halving
    D.Start = B.CreateLShr(resized(Ntid[0], Bits), Number(1));
    D.Bound = Number(0);
    D.Advance = Instruction::LShr;
    D.Continue = CmpInst::ICMP_UGT;
    break;
  case 2: // triangular
    D.Bound = resized(Tid[R.below(2)], Bits);
    break;
  case 3: // grid-stride
    D.Start =
        resized(B.CreateAdd(B.CreateMul(Ctaid[0], Ntid[0]), Tid[0]), Bits);
    D.Bound = resized(Parameter, Bits);
    D.Step = resized(B.CreateMul(Ntid[0], Nctaid[0]), Bits);
    break;
  case 4: // from the thread on, by the block
    D.Start = resized(Tid[0], Bits);
    D.Bound = R.chance(50)
                  ? resized(Parameter, Bits)
                  : Number(R.below(std::uint64_t(1) << (Bits - 1)) % 900);
    D.Step = resized(Ntid[0], Bits);
    break;
  case 5:
  case 6: // to a parameter
    D.Bound = resized(Parameter, Bits);
    D.Step = Number(R.pick({1u, 1u, 2u, 8u}));
    break;
  case 7: // whatever
    D.Start = value(Bits, 1);
    D.Bound = value(Bits, 1);
    D.Step = R.chance(70) ? constant(Bits) : value(Bits, 0);
    D.Continue = R.pick({CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::ICMP_NE,
                         CmpInst::ICMP_SLE, CmpInst::ICMP_SGT});
    break;
  default: // a constant number
    D.Step = Number(R.pick({1u, 1u, 2u, 3u, 7u}));
    D.Bound = Number(R.below(R.chance(90) ? 18 : 120));
    break;
  }
  return D;
}

} // namespace cudalint::differential
