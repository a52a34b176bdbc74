//===- analyzer/ir/FractionValues.cpp - Integers through float ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/FractionValues.h"

#include "analyzer/ir/LaneOperations.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

#include <bit>
#include <numeric>

using namespace llvm;

namespace cudalint {

/// Denominators and constants beyond this are no part of an index.
static constexpr std::int64_t MostDenominator = std::int64_t(1) << 30;

/// Integers up to this are all held without rounding; 0 for other types.
static std::int64_t largestHeld(const Type *T) {
  return T->isFloatTy()    ? std::int64_t(1) << 24
         : T->isDoubleTy() ? std::int64_t(1) << 53
                           : 0;
}

/// Every constant is an integer over a power of two.
static std::optional<Fraction> ofConstant(const ConstantFP &C) {
  if (!largestHeld(C.getType()))
    return std::nullopt;
  const double Value = C.getType()->isFloatTy()
                           ? C.getValueAPF().convertToFloat()
                           : C.getValueAPF().convertToDouble();
  for (std::int64_t Denominator = 1; Denominator <= MostDenominator;
       Denominator *= 2) {
    const double Numerator = Value * static_cast<double>(Denominator);
    if (!(std::abs(Numerator) <= 0x1p53))
      return std::nullopt;
    if (static_cast<double>(static_cast<std::int64_t>(Numerator)) == Numerator)
      return Fraction{
          LaneValue::constant(64, static_cast<std::int64_t>(Numerator)),
          Denominator};
  }
  return std::nullopt;
}

std::optional<Fraction> FractionValues::get(const Value *V) const {
  if (auto *C = dyn_cast<ConstantFP>(V))
    return ofConstant(*C);
  auto It = Fractions.find(V);
  return It == Fractions.end() ? std::nullopt : std::optional(It->second);
}

/// The fraction, if a float of type `T` holds it in all lanes without rounding;
/// where a range is not known, that is assumed.
std::optional<Fraction> FractionValues::held(Fraction F, const Type *T) const {
  const std::int64_t Largest = largestHeld(T);
  if (!Largest || F.Denominator > MostDenominator)
    return std::nullopt;
  for (unsigned L = 0; L < WarpSize; ++L) {
    const LaneMask Bit = LaneMask(1) << L;
    if (F.Numerator.isConstantIn(Bit)) {
      std::uint64_t N = magnitude(F.Numerator.Constant[L]);
      // Powers of two are no matter, but to a quotient that rounds.
      if (N && F.isExact())
        N >>= std::countr_zero(N);
      if (N > static_cast<std::uint64_t>(Largest))
        return std::nullopt;
    } else if (auto R = A.range(F.Numerator, L);
               R && (R->Min < -Largest || R->Max > Largest)) {
      F.Numerator.Assumes |= AssumesExactFloat;
    }
  }
  return F;
}

std::optional<Fraction> FractionValues::fromInteger(const Value *V,
                                                    bool Signed) {
  if (!V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  LaneValue N = ValueOf(V);
  if (N.Bits < 64)
    N = Signed ? A.sext(N, 64) : A.zext(N, 64);
  return Fraction{std::move(N), 1};
}

/// The largest number in the polynomial of any lane.
static std::uint64_t largest(const LaneValue &V) {
  std::uint64_t R = 0;
  for (unsigned L = 0; L < WarpSize; ++L) {
    R = std::max(R, magnitude(V.Constant[L]));
    for (const Term &T : V.Terms)
      R = std::max(R, magnitude(T.Coefficient[L]));
  }
  return R;
}

static bool overflows(std::uint64_t X, std::uint64_t Y) {
  return static_cast<unsigned __int128>(X) * Y >> 60 != 0;
}

std::optional<Fraction> FractionValues::combine(const BinaryOperator &I) {
  auto L = get(I.getOperand(0)), R = get(I.getOperand(1));
  if (!L || !R || !L->isExact() || !R->isExact())
    return std::nullopt;
  // What is as large is no index.
  const std::uint64_t MostL = largest(L->Numerator),
                      MostR = largest(R->Numerator);
  if (overflows(MostL, std::max<std::uint64_t>(MostR, R->Denominator)) ||
      overflows(MostR, L->Denominator))
    return std::nullopt;
  auto Times = [&](const LaneValue &V, std::int64_t C) {
    return A.mul(V, LaneValue::constant(64, C), /*NoWrap=*/true);
  };
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub: {
    const std::int64_t D = std::max(L->Denominator, R->Denominator);
    const LaneValue X = Times(L->Numerator, D / L->Denominator),
                    Y = Times(R->Numerator, D / R->Denominator);
    return Fraction{I.getOpcode() == Instruction::FAdd ? A.add(X, Y, true)
                                                       : A.sub(X, Y, true),
                    D};
  }
  case Instruction::FMul:
    return Fraction{A.mul(L->Numerator, R->Numerator, true),
                    L->Denominator * R->Denominator};
  case Instruction::FDiv: {
    const LaneValue &By = R->Numerator;
    if (!By.isConstant() || !By.Constant.isUniform() || !By.Constant[0] ||
        MostR > MostDenominator)
      return std::nullopt;
    const std::int64_t Sign = By.Constant[0] < 0 ? -1 : 1;
    Fraction Q{Times(L->Numerator, Sign * R->Denominator),
               L->Denominator * Sign * By.Constant[0]};
    // A quotient that rounds is one of integers.
    if (!Q.isExact() && (L->Denominator != 1 || R->Denominator != 1))
      return std::nullopt;
    return Q;
  }
  default:
    return std::nullopt;
  }
}

/// The integer next to it: `d`own, `u`p, towards `z`ero; to the `n`earest only
/// where it is one already. Quotients by constants in each lane are exact; of
/// others it is assumed that they are not negative.
std::optional<LaneValue> FractionValues::rounded(const Fraction &F, char Mode) {
  const std::int64_t D = F.Denominator;
  const LaneValue &N = F.Numerator;
  if (D == 1)
    return N;
  if (N.Terms.empty()) {
    LaneValue R = N;
    R.Constant = N.Constant.map([=](std::int64_t X) {
      const std::int64_t Down = floorDiv(X, D), Up = -floorDiv(-X, D);
      if (Mode == 'n') {
        // Twice the distance decides; between two, the even one.
        const std::int64_t Twice = 2 * (X - Down * D);
        return Twice < D || (Twice == D && Down % 2 == 0) ? Down : Up;
      }
      return Mode == 'd' || (Mode == 'z' && X >= 0) ? Down : Up;
    });
    return R;
  }
  const LaneValue By = LaneValue::constant(64, D);
  switch (Mode) {
  case 'd':
  case 'z':
    return A.sdiv(N, By);
  case 'u':
    return A.sdiv(A.add(N, LaneValue::constant(64, D - 1), true), By);
  default:
    return std::nullopt;
  }
}

/// How a function of that name rounds; 0 for others. A name ends in its type.
static char roundingOf(StringRef Name) {
  if (Name.consume_front("llvm.")) {
    Name.consume_front("nvvm.");
    Name = Name.take_front(Name.find('.'));
  } else if (!Name.consume_front("__nv_")) {
    return 0;
  }
  Name.consume_back("f");
  return Name == "floor"                                                ? 'd'
         : Name == "ceil"                                               ? 'u'
         : Name == "trunc"                                              ? 'z'
         : Name == "rint" || Name == "nearbyint" || Name == "roundeven" ? 'n'
                                                                        : 0;
}

/// `__nv_float2int_rd`, `llvm.nvvm.f2i.rm`: from what, to what, and how.
static std::pair<StringRef, StringRef> conversionOf(StringRef Name,
                                                    char &Mode) {
  StringRef Kind, Rounding;
  if (Name.consume_front("__nv_")) {
    std::tie(Kind, Rounding) = Name.rsplit('_');
  } else if (Name.consume_front("llvm.nvvm.")) {
    std::tie(Kind, Rounding) = Name.split('.');
    Rounding.consume_back(".ftz");
  }
  // PTX says `m`inus and `p`lus for down and up.
  Mode = Rounding.size() != 2 || Rounding[0] != 'r' ? 0
         : Rounding[1] == 'd' || Rounding[1] == 'm' ? 'd'
         : Rounding[1] == 'u' || Rounding[1] == 'p' ? 'u'
         : Rounding[1] == 'z' || Rounding[1] == 'n' ? Rounding[1]
                                                    : 0;
  return Kind.split('2');
}

std::optional<Fraction> FractionValues::call(const CallInst &I) {
  const Function *F = I.getCalledFunction();
  if (!F || I.arg_empty())
    return std::nullopt;
  const StringRef Name = F->getName();
  if (const char Mode = roundingOf(Name); Mode && I.arg_size() == 1) {
    auto X = get(I.getArgOperand(0));
    // The nearest integer to what was rounded may be another one.
    auto R =
        X && (Mode != 'n' || X->isExact()) ? rounded(*X, Mode) : std::nullopt;
    return R ? std::optional(Fraction{*R, 1}) : std::nullopt;
  }
  if (Name.starts_with("llvm.fabs.") || Name == "__nv_fabsf" ||
      Name == "__nv_fabs") {
    auto X = get(I.getArgOperand(0));
    if (!X || !X->Numerator.Terms.empty())
      return std::nullopt;
    X->Numerator.Constant = X->Numerator.Constant.map(
        [](std::int64_t N) { return N < 0 ? -N : N; });
    return X;
  }
  char Mode;
  const auto [From, To] = conversionOf(Name, Mode);
  const bool IsReal = To == "float" || To == "double" || To == "f" || To == "d";
  if (!Mode || !IsReal || I.arg_size() != 1)
    return std::nullopt;
  return fromInteger(I.getArgOperand(0), !From.starts_with("u"));
}

std::optional<Fraction> FractionValues::make(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return fromInteger(I.getOperand(0), I.getOpcode() == Instruction::SIToFP);
  case Instruction::FPExt:
  case Instruction::FPTrunc: {
    // A quotient that rounds would round again.
    auto F = get(I.getOperand(0));
    return F && F->isExact() ? F : std::nullopt;
  }
  case Instruction::FNeg: {
    auto F = get(I.getOperand(0));
    if (F)
      F->Numerator =
          A.sub(LaneValue::constant(64, 0), F->Numerator, /*NoWrap=*/true);
    return F;
  }
  case Instruction::Call:
    return call(cast<CallInst>(I));
  default:
    if (auto *B = dyn_cast<BinaryOperator>(&I))
      return combine(*B);
    return std::nullopt;
  }
}

void FractionValues::run(const Instruction &I) {
  auto F = make(I);
  if (F)
    F = held(std::move(*F), I.getType());
  if (F)
    Fractions.insert_or_assign(&I, std::move(*F));
  else
    Fractions.erase(&I);
}

static std::optional<LaneArithmetic::Predicate>
fractionPredicateOf(CmpInst::Predicate P) {
  using enum LaneArithmetic::Predicate;
  switch (P) {
  case CmpInst::FCMP_OEQ:
  case CmpInst::FCMP_UEQ:
    return EQ;
  case CmpInst::FCMP_ONE:
  case CmpInst::FCMP_UNE:
    return NE;
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_ULT:
    return SLT;
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULE:
    return SLE;
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_UGT:
    return SGT;
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGE:
    return SGE;
  default:
    return std::nullopt;
  }
}

/// `fptosi`, `__nv_float2int_rz`, `llvm.nvvm.d2ll.rz`.
static bool isSignedConversion(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return isa<FPToSIInst>(I);
  char Mode;
  return !conversionOf(Call->getCalledFunction()->getName(), Mode)
              .second.starts_with("u");
}

/// The integer in the type of `I`; of a number beyond it nothing is known.
static std::optional<LaneValue>
inType(LaneArithmetic &A, std::optional<LaneValue> V, const Instruction &I) {
  if (!V || !I.getType()->isIntegerTy() ||
      I.getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  if (Bits == 64)
    return V;
  // A conversion to an unsigned type is no different below 2^(Bits - 1).
  const std::int64_t Beyond = std::int64_t(1) << (Bits - 1);
  LaneValue R = A.trunc(*V, Bits);
  for (unsigned L = 0; L < WarpSize; ++L)
    if (LaneMask Bit = LaneMask(1) << L;
        V->isConstantIn(Bit) &&
        (V->Constant[L] < -Beyond || V->Constant[L] >= Beyond ||
         (V->Constant[L] < 0 && !isSignedConversion(I))))
      R.Unknown |= Bit;
  return R;
}

bool FractionValues::dependsOnWarp(const Instruction &I) const {
  return llvm::any_of(I.operands(), [&](const Use &Operand) {
    const auto F = Fractions.find(Operand.get());
    return F != Fractions.end() && A.dependsOnWarp(F->second.Numerator);
  });
}

std::optional<LaneValue> FractionValues::integerOf(const Instruction &I) {
  if (auto *C = dyn_cast<FCmpInst>(&I)) {
    auto L = get(C->getOperand(0)), R = get(C->getOperand(1));
    auto P = fractionPredicateOf(C->getPredicate());
    if (!L || !R || !P || !L->isExact() || !R->isExact())
      return std::nullopt;
    const std::int64_t D = std::max(L->Denominator, R->Denominator);
    if (overflows(largest(L->Numerator), D) ||
        overflows(largest(R->Numerator), D))
      return std::nullopt;
    auto Over = [&](const Fraction &F) {
      return A.mul(F.Numerator, LaneValue::constant(64, D / F.Denominator),
                   /*NoWrap=*/true);
    };
    return A.compare(*P, Over(*L), Over(*R));
  }
  if (isa<FPToSIInst, FPToUIInst>(I)) {
    auto F = get(I.getOperand(0));
    return F ? inType(A, rounded(*F, 'z'), I) : std::nullopt;
  }
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || Call->arg_size() != 1 ||
      !Call->getArgOperand(0)->getType()->isFloatingPointTy())
    return std::nullopt;
  char Mode;
  conversionOf(Callee->getName(), Mode);
  auto F = Mode ? get(Call->getArgOperand(0)) : std::nullopt;
  if (!F || (Mode == 'n' && !F->isExact()))
    return std::nullopt;
  return inType(A, rounded(*F, Mode), I);
}

} // namespace cudalint
