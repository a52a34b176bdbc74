//===- analyzer/ir/ValueCalls.cpp - Registers, shuffles, functions --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/BitFunctions.h"
#include "analyzer/ir/InlinePtx.h"
#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/PackedFunctions.h"
#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

#include <bit>

using namespace llvm;

namespace cudalint {

LaneValue ValueEvaluator::specialRegister(StringRef Name, unsigned Bits) {
  auto Dimension = [](char C) { return static_cast<unsigned>(C - 'x'); };
  auto Lane = [](auto F) {
    std::array<std::int64_t, WarpSize> V;
    for (unsigned L = 0; L < WarpSize; ++L)
      V[L] = static_cast<std::int64_t>(F(L));
    return Lanes(V);
  };
  StringRef Base = Name;
  if (Base.size() > 2 && (Base[Base.size() - 2] == '.') && Base.back() >= 'x' &&
      Base.back() <= 'z') {
    unsigned D = Dimension(Base.back());
    StringRef Kind = Base.drop_back(2);
    if (Kind == "tid")
      return ThreadIndex[D].Bits == Bits ? ThreadIndex[D]
                                         : A.zext(ThreadIndex[D], Bits, true);
    if (Kind == "ntid")
      return LaneValue::constant(Bits, Shape.Block[D]);
    LaneValue V = Kind == "ctaid"    ? BlockIndex[D]
                  : Kind == "nctaid" ? GridSize[D]
                                     : LaneValue::unknown(0);
    if (V.Bits)
      return V.Bits == Bits ? V : A.zext(V, Bits, true);
  }
  if (Name == "laneid")
    return LaneValue::constant(Bits, Lane([](unsigned L) { return L; }));
  if (Name == "warpsize" || Name == "WARP_SZ")
    return LaneValue::constant(Bits, WarpSize);
  auto MaskOf = [&](auto F) {
    return LaneValue::constant(Bits, Lane([&](unsigned L) {
                                 LaneMask M = 0;
                                 for (unsigned K = 0; K < WarpSize; ++K)
                                   M |= LaneMask(F(K, L)) << K;
                                 return M;
                               }));
  };
  StringRef Mask = Name;
  if (Mask.consume_front("lanemask")) {
    Mask.consume_front("_");
    Mask.consume_front(".");
    if (Mask == "lt")
      return MaskOf([](unsigned K, unsigned L) { return K < L; });
    if (Mask == "le")
      return MaskOf([](unsigned K, unsigned L) { return K <= L; });
    if (Mask == "gt")
      return MaskOf([](unsigned K, unsigned L) { return K > L; });
    if (Mask == "ge")
      return MaskOf([](unsigned K, unsigned L) { return K >= L; });
    if (Mask == "eq")
      return MaskOf([](unsigned K, unsigned L) { return K == L; });
  }
  return LaneValue::unknown(Bits);
}

/// Source lane of each lane in a shuffle, as the PTX manual defines it.
static unsigned shuffleSource(StringRef Mode, unsigned Lane, std::uint64_t B,
                              std::uint64_t C) {
  unsigned Clamp = C & 31, Segment = (C >> 8) & 31, Offset = B & 31;
  unsigned MaxLane = (Lane & Segment) | (Clamp & ~Segment & 31);
  unsigned MinLane = Lane & Segment;
  int From;
  bool Valid;
  if (Mode == "up") {
    From = static_cast<int>(Lane) - static_cast<int>(Offset);
    Valid = From >= static_cast<int>(MaxLane);
  } else if (Mode == "down") {
    From = static_cast<int>(Lane + Offset);
    Valid = From <= static_cast<int>(MaxLane);
  } else if (Mode == "bfly") {
    From = static_cast<int>(Lane ^ Offset);
    Valid = From <= static_cast<int>(MaxLane);
  } else {
    From = static_cast<int>(MinLane | (Offset & ~Segment & 31));
    Valid = From <= static_cast<int>(MaxLane);
  }
  return Valid ? static_cast<unsigned>(From) : Lane;
}

LaneValue ValueEvaluator::shuffle(const CallInst &I, LaneMask Active) {
  // llvm.nvvm.shfl[.sync].MODE.TYPE([mask,] value, b, c)
  StringRef Name = I.getCalledFunction()->getName();
  unsigned First = Name.contains(".sync.") ? 1 : 0;
  StringRef Mode = Name.contains(".up.")     ? "up"
                   : Name.contains(".down.") ? "down"
                   : Name.contains(".bfly.") ? "bfly"
                                             : "idx";
  LaneValue V = get(I.getArgOperand(First));
  LaneValue B = get(I.getArgOperand(First + 1));
  LaneValue C = get(I.getArgOperand(First + 2));
  if (!isTracked(I.getType()))
    return V.isUniform() ? UniformFloat : LaneValue::unknown(64);
  // What one lane has goes to all, whatever it is.
  auto isOneLane = [&] {
    const bool HasMask = First == 1;
    return Mode == "idx" && I.getType()->isIntegerTy() &&
           B.isUniformIn(Active) && C.isConstant() && C.Constant == Lanes(31) &&
           (!HasMask || get(I.getArgOperand(0)).isUniformIn(Active));
  };
  if (!B.isConstantIn(Active) || !C.isConstantIn(Active))
    return V.isUniformIn(Active) ? V
           : isOneLane()         ? uniform(I, SymbolKind::Loaded, {})
                                 : LaneValue::unknown(V.Bits);
  const auto Here = static_cast<unsigned>(std::countr_zero(Active));
  if (Active && isOneLane() && V.Unknown & Active)
    if (const LaneMask From = LaneMask(1) << (B.Constant[Here] & 31);
        V.Unknown & Active & From)
      return uniform(I, SymbolKind::Loaded, {});
  std::array<unsigned, WarpSize> Source;
  for (unsigned L = 0; L < WarpSize; ++L)
    Source[L] =
        shuffleSource(Mode, L, static_cast<std::uint64_t>(B.Constant[L]),
                      static_cast<std::uint64_t>(C.Constant[L]));
  auto Permuted = [&](const Lanes &X) {
    std::array<std::int64_t, WarpSize> R;
    for (unsigned L = 0; L < WarpSize; ++L)
      R[L] = X[Source[L]];
    return Lanes(R);
  };
  LaneValue R = V;
  R.Unknown = 0;
  for (unsigned L = 0; L < WarpSize; ++L)
    // What a lane that is not there has is undefined.
    R.Unknown |= LaneMask((V.Unknown | ~Active) >> Source[L] & 1) << L;
  R.Constant = Permuted(V.Constant);
  for (Term &T : R.Terms)
    T.Coefficient = Permuted(T.Coefficient);
  llvm::erase_if(R.Terms, [](const Term &T) { return T.Coefficient.isZero(); });
  return R;
}

/// `Function` lane by lane, where all that it is given is known.
LaneValue ValueEvaluator::perLane(const CallInst &I,
                                  const BitFunction &Function,
                                  LaneMask Active) {
  std::array<LaneValue, 3> Operands;
  LaneValue R = LaneValue::constant(bitsOf(I.getType()), 0);
  for (unsigned K = 0; K < Function.Operands; ++K) {
    Operands[K] = get(I.getArgOperand(K));
    R.Unknown |= Operands[K].Unknown;
    R.Assumes |= Operands[K].Assumes;
    if (!Operands[K].Terms.empty())
      return opaqueResult(I, Active);
  }
  std::array<std::int64_t, WarpSize> Result = {};
  for (unsigned L = 0; L < WarpSize; ++L) {
    std::array<std::uint64_t, 3> X = {};
    for (unsigned K = 0; K < Function.Operands; ++K)
      X[K] = unsignedOf(Operands[K].Constant[L], Operands[K].Bits);
    Result[L] =
        static_cast<std::int64_t>(Function.Compute(X, Operands[0].Bits));
  }
  R.Constant = reduce(Lanes(Result), R.Bits);
  return R;
}

/// Whether the result of a template is that of its operands alone: it names no
/// register that a lane has besides.
static bool isOfOperands(const InlineAsm &Asm, const CallInst &I) {
  return !Asm.hasSideEffects() && I.doesNotAccessMemory() &&
         StringRef(Asm.getAsmString()).find('%') == StringRef::npos;
}

LaneValue ValueEvaluator::call(const CallInst &I, LaneMask Active,
                               LaneMask Doubtful, unsigned Picked) {
  unsigned Bits = bitsOf(I.getType());
  if (auto *Asm = dyn_cast<InlineAsm>(I.getCalledOperand())) {
    if (I.getType()->isIntegerTy() && I.arg_empty())
      return specialRegister(
          StringRef(cudalint::specialRegister(Asm->getAsmString())), Bits);
    const BitFunction *Function = findPtxFunction(Asm->getAsmString());
    if (Function && I.getType()->isIntegerTy(32) &&
        I.arg_size() == Function->Operands)
      return perLane(I, *Function, Active);
    return I.getType()->isIntegerTy() && isOfOperands(*Asm, I)
               ? opaqueResult(I, Active)
               : LaneValue::unknown(Bits);
  }
  const Function *F = I.getCalledFunction();
  if (!F)
    return LaneValue::unknown(Bits);
  StringRef Name = F->getName();
  if (Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return specialRegister(Name, Bits);
  if (Name.starts_with("llvm.nvvm.shfl."))
    return shuffle(I, Active);
  // The shared memory of whichever block of the cluster it is asked for.
  if (Name.starts_with("llvm.nvvm.mapa"))
    return makeObject(nullptr, {}, 1, MemorySpace::Generic);
  auto Arg = [&](unsigned K) { return get(I.getArgOperand(K)); };
  if (auto *MM = dyn_cast<MinMaxIntrinsic>(&I)) {
    bool Signed = MM->isSigned();
    bool Min = MM->getIntrinsicID() == Intrinsic::smin ||
               MM->getIntrinsicID() == Intrinsic::umin;
    return Min ? A.min(Arg(0), Arg(1), Signed) : A.max(Arg(0), Arg(1), Signed);
  }
  // What LLVM makes of max(x, y) - y, and of min(x, ~y) + y.
  if (I.getIntrinsicID() == Intrinsic::usub_sat)
    return A.sub(A.max(Arg(0), Arg(1), /*Signed=*/false), Arg(1), true);
  if (I.getIntrinsicID() == Intrinsic::uadd_sat) {
    const LaneValue Last = LaneValue::constant(Bits, -1);
    return A.add(A.min(Arg(0), A.sub(Last, Arg(1)), /*Signed=*/false), Arg(1),
                 true);
  }
  if (Name == "__nv_mul24" || Name == "__nv_umul24")
    return A.mul(Arg(0), Arg(1), true);
  if (I.getIntrinsicID() == Intrinsic::abs) {
    LaneValue V = Arg(0);
    LaneValue Zero = LaneValue::constant(V.Bits, 0);
    return A.select(A.compare(LaneArithmetic::Predicate::SLT, V, Zero),
                    A.sub(Zero, V, true), V);
  }
  switch (I.getIntrinsicID()) {
  case Intrinsic::expect:
  case Intrinsic::ssa_copy:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
    return Arg(0);
  default:
    break;
  }
  if (auto Count = count(I, Active))
    return *Count;
  if (const BitFunction *Function = findBitFunction(Name))
    return perLane(I, *Function, Active);
  if (const BitFunction *Function = findPackedFunction(Name))
    return perLane(I, *Function, Active);
  if (auto R = exchange(I, F->getName(), Active, Doubtful))
    return *R;
  if (Name.contains("vote") || Name.contains("activemask"))
    return openVote(I, Name, Active, Picked);
  if (Name.contains("redux") || Name.contains("match.all"))
    return I.getType()->isStructTy() ? LaneValue::unknown(Bits)
                                     : uniform(I, SymbolKind::Opaque, {});
  if (F->doesNotAccessMemory() || F->isIntrinsic())
    return I.getType()->isVoidTy() ? LaneValue::unknown(64)
                                   : opaqueResult(I, Active);
  return LaneValue::unknown(Bits);
}

} // namespace cudalint
