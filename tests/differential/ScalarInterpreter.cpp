//===- tests/differential/ScalarInterpreter.cpp - One thread --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarInterpreter.h"

#include "analyzer/ir/AccessMarkers.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cudalint::differential {

ScalarInterpreter::ScalarInterpreter(const Function &F,
                                     const std::array<std::int64_t, 3> &Block,
                                     const RandomLaunch &Launch)
    : F(F), Layout(F.getParent()->getDataLayout()), Block(Block),
      Launch(Launch) {
  for (const Argument &A : F.args())
    Numbers.try_emplace(&A, Numbers.size());
  for (const BasicBlock &B : F)
    for (const Instruction &I : B)
      Numbers.try_emplace(&I, Numbers.size());
}

std::uint64_t ScalarInterpreter::addressOf(const llvm::Value &Object) {
  if (auto *A = dyn_cast<Argument>(&Object))
    return std::uint64_t(0x1000'0000'0000) * (A->getArgNo() + 1);
  if (isa<AllocaInst>(Object))
    return 0x00ff'0000;
  return Object.getName() == "tile" ? 0x40'0000 : 0x50'0000;
}

Outcome ScalarInterpreter::run(unsigned L, std::uint64_t &Steps,
                               std::vector<Execution> &Trace) {
  Lane = L;
  std::int64_t T = std::int64_t(Launch.Warp) * 32 + L;
  Thread = {T % Block[0], T / Block[0] % Block[1], T / Block[0] / Block[1]};
  Frame.assign(Numbers.size(), Value());
  Private.clear();
  Turns.fill(-1);
  for (const Argument &A : F.args())
    Frame[Numbers[&A]].Bits =
        A.getType()->isPointerTy()
            ? APInt(64, addressOf(A))
            : APInt(A.getType()->getIntegerBitWidth(),
                    static_cast<std::uint64_t>(Launch.Arguments[A.getArgNo()]),
                    true, true);

  const BasicBlock *From = nullptr, *At = &F.getEntryBlock();
  for (;;) {
    // Phis read what was before any of them is written.
    std::vector<std::pair<unsigned, Value>> Phis;
    for (const PHINode &Phi : At->phis())
      Phis.push_back({Numbers[&Phi], get(Phi.getIncomingValueForBlock(From))});
    for (auto &[N, V] : Phis)
      Frame[N] = std::move(V);
    const BasicBlock *To = nullptr;
    for (const Instruction &I : *At) {
      if (isa<PHINode>(I))
        continue;
      if (!Steps)
        return Outcome::TooLong;
      --Steps;
      if (isa<ReturnInst>(I))
        return Outcome::Returned;
      if (auto *Br = dyn_cast<BranchInst>(&I)) {
        unsigned Which = 0;
        if (Br->isConditional()) {
          Value C = get(Br->getCondition());
          if (C.Poison)
            return Outcome::Undefined;
          Which = C.Bits.isZero();
        }
        To = Br->getSuccessor(Which);
      } else if (auto *Switch = dyn_cast<SwitchInst>(&I)) {
        Value C = get(Switch->getCondition());
        if (C.Poison)
          return Outcome::Undefined;
        To = Switch->getDefaultDest();
        for (auto &Case : Switch->cases())
          if (Case.getCaseValue()->getValue() == C.Bits)
            To = Case.getCaseSuccessor();
      } else if (isa<UnreachableInst>(I)) {
        return Outcome::Undefined;
      } else if (auto End = execute(I, Trace)) {
        return *End;
      }
    }
    From = At;
    At = To;
  }
}

ScalarInterpreter::Value ScalarInterpreter::get(const llvm::Value *V) {
  if (auto It = Numbers.find(V); It != Numbers.end())
    return Frame[It->second];
  Value R;
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    R.Bits = C->getValue();
  } else if (auto *C = dyn_cast<ConstantFP>(V)) {
    R.Bits = C->getValueAPF().bitcastToAPInt();
  } else if (isa<GlobalVariable>(V)) {
    R.Bits = APInt(64, addressOf(*V));
  } else if (isa<ConstantPointerNull>(V)) {
    R.Bits = APInt(64, 0);
  } else if (auto *E = dyn_cast<ConstantExpr>(V);
             E && E->getOpcode() == Instruction::AddrSpaceCast) {
    return get(E->getOperand(0));
  } else if (auto *G = dyn_cast<GEPOperator>(V)) {
    return address(*G);
  } else if (auto *C = dyn_cast<Constant>(V);
             C && isa<FixedVectorType>(V->getType())) {
    unsigned N = cast<FixedVectorType>(V->getType())->getNumElements();
    for (unsigned K = 0; K < N; ++K)
      R.Elements.push_back(get(C->getAggregateElement(K)));
  } else {
    R.Poison = true; // undef, poison and what nobody draws
  }
  return R;
}

std::optional<Outcome>
ScalarInterpreter::execute(const Instruction &I,
                           std::vector<Execution> &Trace) {
  if (isa<AllocaInst>(I)) {
    Frame[Numbers[&I]].Bits = APInt(64, addressOf(I));
    return std::nullopt;
  }
  if (std::optional<MarkedAccess> Access = markedAccess(I))
    return accessed(I, get(Access->Pointer), Trace);
  if (isFence(I))
    return std::nullopt;
  if (isa<LoadInst, StoreInst, AtomicRMWInst>(I))
    return memory(I, Trace);
  if (auto *Assume = dyn_cast<AssumeInst>(&I)) {
    Value C = get(Assume->getArgOperand(0));
    return C.Poison || C.Bits.isZero() ? std::optional(Outcome::Undefined)
                                       : std::nullopt;
  }
  bool Undefined = false;
  std::optional<Value> V = compute(I, Undefined);
  if (Undefined)
    return Outcome::Undefined;
  if (!V) {
    raw_string_ostream(Why) << I;
    return Outcome::Unsupported;
  }
  Frame[Numbers[&I]] = std::move(*V);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Loads and stores are traced at their markers, which say what is accessed.
std::optional<Outcome>
ScalarInterpreter::accessed(const Instruction &I, const Value &Pointer,
                            std::vector<Execution> &Trace) {
  if (Pointer.Poison)
    return Outcome::Undefined;
  const std::uint64_t Address = Pointer.Bits.getZExtValue();
  if (auto Mark = markedLoop(I)) {
    auto *Array = F.getArg(1);
    Turns[*Mark] = static_cast<std::int64_t>(Address - addressOf(*Array)) / 8;
  }
  Trace.push_back({&I, Address, Turns});
  return std::nullopt;
}

std::optional<Outcome>
ScalarInterpreter::memory(const Instruction &I, std::vector<Execution> &Trace) {
  Value P = get(getLoadStorePointerOperand(&I)
                    ? getLoadStorePointerOperand(&I)
                    : cast<AtomicRMWInst>(I).getPointerOperand());
  if (P.Poison)
    return Outcome::Undefined;
  std::uint64_t Address = P.Bits.getZExtValue();
  if (isa<AtomicRMWInst>(I))
    Trace.push_back({&I, Address, Turns});
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Frame[Numbers[&I]] = load(Load->getType(), Address);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    store(get(Store->getValueOperand()), Store->getValueOperand()->getType(),
          Address);
  else
    Frame[Numbers[&I]] = load(I.getType(), Address);
  return std::nullopt;
}

/// Addresses of this thread's own arrays.
static bool isPrivate(std::uint64_t Address) {
  return Address >= 0x00ff'0000 && Address < 0x00ff'0020;
}

ScalarInterpreter::Value ScalarInterpreter::load(Type *T,
                                                 std::uint64_t Address) {
  Value R;
  if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
    Type *E = Vector->getElementType();
    std::uint64_t Size = Layout.getTypeStoreSize(E).getFixedValue();
    for (unsigned K = 0; K < Vector->getNumElements(); ++K)
      R.Elements.push_back(load(E, Address + K * Size));
    return R;
  }
  unsigned Bits = static_cast<unsigned>(Layout.getTypeSizeInBits(T));
  R.Bits = APInt(Bits, 0);
  if (isPrivate(Address)) {
    for (unsigned K = 0; K < Bits / 8; ++K) {
      auto It = Private.find(Address + K);
      if (It == Private.end())
        R.Poison = true;
      else
        R.Bits |= APInt(Bits, It->second) << (8 * K);
    }
    return R;
  }
  Random Content(Address * 8 + Bits);
  R.Bits = APInt(Bits, Content.chance(80) ? Content.below(100) : Content.next(),
                 false, true);
  return R;
}

void ScalarInterpreter::store(const Value &V, Type *T, std::uint64_t Address) {
  if (!isPrivate(Address) || !V.Elements.empty())
    return;
  unsigned Bytes = static_cast<unsigned>(Layout.getTypeSizeInBits(T)) / 8;
  for (unsigned K = 0; K < Bytes; ++K) {
    if (V.Poison)
      Private.erase(Address + K);
    else
      Private[Address + K] =
          static_cast<unsigned>(V.Bits.extractBitsAsZExtValue(8, 8 * K));
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<ScalarInterpreter::Value>
ScalarInterpreter::compute(const Instruction &I, bool &Undefined) {
  if (auto *G = dyn_cast<GEPOperator>(&I))
    return I.getType()->isVectorTy() ? std::optional<Value>() : address(*G);
  std::vector<Value> Operands;
  auto *Call = dyn_cast<CallInst>(&I);
  for (const Use &U : Call ? Call->args() : I.operands())
    Operands.push_back(get(U));
  if (auto *S = dyn_cast<SelectInst>(&I)) {
    if (S->getCondition()->getType()->isVectorTy())
      return std::nullopt;
    if (Operands[0].Poison)
      return Operands[0];
    return Operands[Operands[0].Bits.isZero() ? 2 : 1];
  }
  if (isa<ExtractElementInst, InsertElementInst>(I)) {
    bool Extract = isa<ExtractElementInst>(I);
    Value &At = Operands[Extract ? 1 : 2], V = Operands[0];
    unsigned N =
        cast<FixedVectorType>(I.getOperand(0)->getType())->getNumElements();
    V.Elements.resize(N, {APInt(32, 0), true, {}});
    if (At.Poison || At.Bits.uge(N))
      return std::nullopt;
    Value &Element = V.Elements[At.Bits.getZExtValue()];
    if (Extract)
      return Value(Element);
    Element = Operands[1];
    return V;
  }
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    Value R;
    unsigned N =
        cast<FixedVectorType>(I.getOperand(0)->getType())->getNumElements();
    for (Value &V : Operands)
      V.Elements.resize(N, {APInt(32, 0), true, {}});
    for (int From : Shuffle->getShuffleMask())
      R.Elements.push_back(
          From < 0 ? Value{APInt(32, 0), true, {}}
                   : Operands[static_cast<unsigned>(From) / N]
                         .Elements[static_cast<unsigned>(From) % N]);
    return R;
  }
  if (auto *Vector = dyn_cast<FixedVectorType>(I.getType())) {
    Value R;
    for (unsigned K = 0; K < Vector->getNumElements(); ++K) {
      std::vector<Value> Of;
      for (Value &V : Operands) {
        if (V.Elements.size() <= K)
          return std::nullopt;
        Of.push_back(V.Elements[K]);
      }
      auto E = elementwise(I, Of, Undefined);
      if (!E)
        return std::nullopt;
      R.Elements.push_back(std::move(*E));
    }
    return R;
  }
  return elementwise(I, Operands, Undefined);
}

std::optional<ScalarInterpreter::Value>
ScalarInterpreter::elementwise(const Instruction &I, ArrayRef<Value> Operands,
                               bool &Undefined) {
  // A divisor decides whether there is any meaning, even beside poison.
  bool Divides = I.isIntDivRem();
  if (Divides && (Operands[1].Poison || Operands[1].Bits.isZero())) {
    Undefined = true;
    return Value();
  }
  unsigned Bits = I.getType()->isPtrOrPtrVectorTy()
                      ? 64
                      : std::max(I.getType()->getScalarSizeInBits(), 1u);
  for (const Value &V : Operands)
    if (V.Poison || !V.Elements.empty())
      return V.Elements.empty() ? std::optional(Value{APInt(Bits, 0), true, {}})
                                : std::nullopt;
  if (auto *Binary = dyn_cast<BinaryOperator>(&I))
    return I.getType()->isFPOrFPVectorTy()
               ? real(I, Operands)
               : binary(*Binary, Operands[0], Operands[1], Undefined);
  if (isa<FCmpInst, SIToFPInst, UIToFPInst, FPToSIInst, FPToUIInst, FPExtInst,
          FPTruncInst, UnaryOperator>(I))
    return real(I, Operands);
  if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
    const APInt &A = Operands[0].Bits, &B = Operands[1].Bits;
    bool Signs = A.isNegative() != B.isNegative();
    return Value{APInt(1, ICmpInst::compare(A, B, Compare->getPredicate())),
                 Compare->hasSameSign() && Signs,
                 {}};
  }
  if (isa<TruncInst, ZExtInst, SExtInst, PtrToIntInst, IntToPtrInst,
          AddrSpaceCastInst>(I))
    return converted(I, Operands[0]);
  if (isa<FreezeInst>(I))
    return Operands[0]; // of poison: anything, so nothing may depend on it
  if (auto *Call = dyn_cast<CallInst>(&I))
    return intrinsic(*Call, Operands);
  return std::nullopt;
}

/// Arithmetic of float and double, rounded to the nearest.
std::optional<ScalarInterpreter::Value>
ScalarInterpreter::real(const Instruction &I, ArrayRef<Value> Operands) const {
  constexpr auto Nearest = APFloat::rmNearestTiesToEven;
  auto Of = [](APInt V) { return Value{std::move(V), false, {}}; };
  auto Float = [&](unsigned K) {
    return APFloat(
        I.getOperand(K)->getType()->getScalarType()->getFltSemantics(),
        Operands[K].Bits);
  };
  Type *To = I.getType()->getScalarType();
  bool Inexact;
  switch (I.getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP: {
    APFloat R(To->getFltSemantics());
    R.convertFromAPInt(Operands[0].Bits, I.getOpcode() == Instruction::SIToFP,
                       Nearest);
    return Of(R.bitcastToAPInt());
  }
  case Instruction::FPToSI:
  case Instruction::FPToUI: {
    APSInt R(To->getIntegerBitWidth(), I.getOpcode() == Instruction::FPToUI);
    bool Fits = Float(0).convertToInteger(R, APFloat::rmTowardZero, &Inexact) !=
                APFloat::opInvalidOp;
    return Value{R, !Fits, {}};
  }
  case Instruction::FPExt:
  case Instruction::FPTrunc: {
    APFloat R = Float(0);
    R.convert(To->getFltSemantics(), Nearest, &Inexact);
    return Of(R.bitcastToAPInt());
  }
  case Instruction::FNeg:
    return Of(neg(Float(0)).bitcastToAPInt());
  case Instruction::FCmp:
    return Of(APInt(1, FCmpInst::compare(Float(0), Float(1),
                                         cast<FCmpInst>(I).getPredicate())));
  case Instruction::FAdd:
    return Of((Float(0) + Float(1)).bitcastToAPInt());
  case Instruction::FSub:
    return Of((Float(0) - Float(1)).bitcastToAPInt());
  case Instruction::FMul:
    return Of((Float(0) * Float(1)).bitcastToAPInt());
  case Instruction::FDiv:
    return Of((Float(0) / Float(1)).bitcastToAPInt());
  default:
    return std::nullopt;
  }
}

ScalarInterpreter::Value ScalarInterpreter::binary(const BinaryOperator &I,
                                                   const Value &L,
                                                   const Value &R,
                                                   bool &Undefined) {
  const APInt &A = L.Bits, &B = R.Bits;
  unsigned Bits = A.getBitWidth();
  Value V;
  bool Signed = false, Unsigned = false;
  switch (I.getOpcode()) {
  case Instruction::Add:
    V.Bits = A.sadd_ov(B, Signed);
    (void)A.uadd_ov(B, Unsigned);
    break;
  case Instruction::Sub:
    V.Bits = A.ssub_ov(B, Signed);
    (void)A.usub_ov(B, Unsigned);
    break;
  case Instruction::Mul:
    V.Bits = A.smul_ov(B, Signed);
    (void)A.umul_ov(B, Unsigned);
    break;
  case Instruction::Shl: {
    if (B.uge(Bits)) {
      V.Poison = true;
      break;
    }
    unsigned S = static_cast<unsigned>(B.getZExtValue());
    V.Bits = A.shl(S);
    Signed = V.Bits.ashr(S) != A;
    Unsigned = V.Bits.lshr(S) != A;
    break;
  }
  case Instruction::LShr:
  case Instruction::AShr: {
    if (B.uge(Bits)) {
      V.Poison = true;
      break;
    }
    unsigned S = static_cast<unsigned>(B.getZExtValue());
    V.Bits = I.getOpcode() == Instruction::LShr ? A.lshr(S) : A.ashr(S);
    V.Poison = I.isExact() && A.countr_zero() < S && !A.isZero();
    Taken.Negative |= A.isNegative();
    break;
  }
  case Instruction::UDiv:
    V.Bits = A.udiv(B);
    V.Poison = I.isExact() && !A.urem(B).isZero();
    Taken.Negative |= A.isNegative() || B.isNegative();
    break;
  case Instruction::URem:
    V.Bits = A.urem(B);
    Taken.Negative |= A.isNegative() || B.isNegative();
    break;
  case Instruction::SDiv:
  case Instruction::SRem:
    if (A.isMinSignedValue() && B.isAllOnes()) {
      Undefined = true;
      return V;
    }
    Taken.Negative |= A.isNegative() || B.isNegative();
    V.Bits = I.getOpcode() == Instruction::SDiv ? A.sdiv(B) : A.srem(B);
    V.Poison = I.getOpcode() == Instruction::SDiv && I.isExact() &&
               !A.srem(B).isZero();
    break;
  case Instruction::And:
    V.Bits = A & B;
    break;
  case Instruction::Or:
    V.Bits = A | B;
    V.Poison = cast<PossiblyDisjointInst>(I).isDisjoint() && A.intersects(B);
    break;
  default:
    V.Bits = A ^ B;
    break;
  }
  if (isa<OverflowingBinaryOperator>(I)) {
    V.Poison |=
        (Signed && I.hasNoSignedWrap()) || (Unsigned && I.hasNoUnsignedWrap());
    Taken.Wrapped |= Signed;
  }
  if (V.Poison)
    V.Bits = APInt(Bits, 0);
  return V;
}

ScalarInterpreter::Value ScalarInterpreter::converted(const Instruction &I,
                                                      const Value &A) {
  Value V;
  unsigned Bits = I.getType()->getScalarType()->isPointerTy()
                      ? 64
                      : I.getType()->getScalarSizeInBits();
  switch (I.getOpcode()) {
  case Instruction::Trunc: {
    V.Bits = A.Bits.trunc(Bits);
    auto &T = cast<TruncInst>(I);
    bool Signed = V.Bits.sext(A.Bits.getBitWidth()) != A.Bits;
    V.Poison =
        (Signed && T.hasNoSignedWrap()) ||
        (T.hasNoUnsignedWrap() && V.Bits.zext(A.Bits.getBitWidth()) != A.Bits);
    Taken.Wrapped |= Signed && Bits > 1;
    break;
  }
  case Instruction::ZExt:
    V.Bits = A.Bits.zext(Bits);
    V.Poison = cast<PossiblyNonNegInst>(I).hasNonNeg() && A.Bits.isNegative();
    Taken.Wrapped |= A.Bits.isNegative() && A.Bits.getBitWidth() > 1;
    break;
  case Instruction::SExt:
    V.Bits = A.Bits.sext(Bits);
    break;
  default: // pointers have 64 bits, the same in every address space
    V.Bits = A.Bits.zextOrTrunc(Bits);
    break;
  }
  return V;
}

ScalarInterpreter::Value ScalarInterpreter::address(const GEPOperator &G) {
  Value P = get(G.getPointerOperand());
  for (auto It = gep_type_begin(G), End = gep_type_end(G); It != End; ++It) {
    Value Index = get(It.getOperand());
    P.Poison |= Index.Poison;
    if (P.Poison)
      return P;
    if (StructType *S = It.getStructTypeOrNull()) {
      P.Bits += Layout.getStructLayout(S)
                    ->getElementOffset(
                        static_cast<unsigned>(Index.Bits.getZExtValue()))
                    .getFixedValue();
      continue;
    }
    std::uint64_t Stride =
        It.getSequentialElementStride(Layout).getFixedValue();
    P.Bits += Index.Bits.sextOrTrunc(64) * APInt(64, Stride);
  }
  return P;
}

std::optional<std::int64_t>
ScalarInterpreter::specialRegister(StringRef Name) const {
  if (Name == "laneid")
    return Lane;
  if (Name == "warpsize")
    return 32;
  auto [Kind, Dimension] = Name.rsplit('.');
  if (Dimension.size() != 1 || Dimension[0] < 'x' || Dimension[0] > 'z')
    return std::nullopt;
  unsigned D = static_cast<unsigned>(Dimension[0] - 'x');
  if (Kind == "tid")
    return Thread[D];
  if (Kind == "ntid")
    return Block[D];
  if (Kind == "ctaid")
    return Launch.BlockIndex[D];
  if (Kind == "nctaid")
    return Launch.Grid[D];
  return std::nullopt;
}

std::optional<ScalarInterpreter::Value>
ScalarInterpreter::intrinsic(const CallInst &I, ArrayRef<Value> Operands) {
  const Function *Callee = I.getCalledFunction();
  if (!Callee)
    return std::nullopt;
  StringRef Name = Callee->getName();
  auto Of = [](APInt V) { return Value{std::move(V), false, {}}; };
  if (Name.consume_front("llvm.nvvm.read.ptx.sreg.")) {
    auto R = specialRegister(Name);
    if (!R)
      return std::nullopt;
    return Of(APInt(I.getType()->getIntegerBitWidth(),
                    static_cast<std::uint64_t>(*R)));
  }
  if (Operands.empty())
    return std::nullopt;
  const APInt &A = Operands[0].Bits;
  const APInt &B = Operands[Operands.size() > 1 ? 1 : 0].Bits;
  unsigned Bits = A.getBitWidth();
  switch (I.getIntrinsicID()) {
  case Intrinsic::smin:
    return Of(APIntOps::smin(A, B));
  case Intrinsic::smax:
    return Of(APIntOps::smax(A, B));
  case Intrinsic::umin:
    return Of(APIntOps::umin(A, B));
  case Intrinsic::umax:
    return Of(APIntOps::umax(A, B));
  case Intrinsic::abs:
    return Value{A.abs(), A.isMinSignedValue() && B.getBoolValue(), {}};
  case Intrinsic::uadd_sat:
    return Of(A.uadd_sat(B));
  case Intrinsic::usub_sat:
    return Of(A.usub_sat(B));
  case Intrinsic::sadd_sat:
    return Of(A.sadd_sat(B));
  case Intrinsic::ssub_sat:
    return Of(A.ssub_sat(B));
  case Intrinsic::ctpop:
    return Of(APInt(Bits, A.popcount()));
  case Intrinsic::ctlz:
    return Value{
        APInt(Bits, A.countl_zero()), A.isZero() && B.getBoolValue(), {}};
  case Intrinsic::cttz:
    return Value{
        APInt(Bits, A.countr_zero()), A.isZero() && B.getBoolValue(), {}};
  case Intrinsic::bswap:
    return Of(A.byteSwap());
  case Intrinsic::bitreverse:
    return Of(A.reverseBits());
  case Intrinsic::fshl:
  case Intrinsic::fshr: {
    unsigned S = static_cast<unsigned>(Operands[2].Bits.urem(Bits));
    bool Left = I.getIntrinsicID() == Intrinsic::fshl;
    if (!S)
      return Of(Left ? A : B);
    return Of(Left ? A.shl(S) | B.lshr(Bits - S) : A.shl(Bits - S) | B.lshr(S));
  }
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint: {
    APFloat R(I.getType()->getScalarType()->getFltSemantics(), A);
    R.roundToIntegral(
        I.getIntrinsicID() == Intrinsic::floor  ? APFloat::rmTowardNegative
        : I.getIntrinsicID() == Intrinsic::ceil ? APFloat::rmTowardPositive
        : I.getIntrinsicID() == Intrinsic::trunc
            ? APFloat::rmTowardZero
            : APFloat::rmNearestTiesToEven);
    return Of(R.bitcastToAPInt());
  }
  case Intrinsic::fabs:
    return Of(A & ~APInt::getSignMask(Bits));
  case Intrinsic::scmp:
  case Intrinsic::ucmp: {
    bool Signed = I.getIntrinsicID() == Intrinsic::scmp;
    int Sign = A == B ? 0 : (Signed ? A.slt(B) : A.ult(B)) ? -1 : 1;
    return Of(APInt(I.getType()->getIntegerBitWidth(),
                    static_cast<std::uint64_t>(Sign), true));
  }
  default:
    return std::nullopt;
  }
}

} // namespace cudalint::differential
