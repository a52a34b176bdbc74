//===- analyzer/ir/StrideSymbol.cpp - What lanes are apart by -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/StrideSymbol.h"

#include "analyzer/ir/SymbolFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <bit>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

using namespace llvm;

namespace cudalint {

LaneOffsets constantOffsets(const LaneValue &Address) {
  LaneOffsets O;
  for (unsigned L = 0; L < WarpSize; ++L)
    O[L] = Address.Constant[L];
  return O;
}

/// A parameter as it is named, or a number; else empty.
static std::string textOfOperand(const Value *V) {
  while (isa<CastInst, FreezeInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  if (const auto *Number = dyn_cast<ConstantInt>(V);
      Number && Number->getBitWidth() <= 64)
    return std::to_string(Number->getSExtValue());
  return isa<Argument>(V)
             ? V->getName().take_until([](char C) { return C == '.'; }).str()
             : std::string();
}

static const char *signOf(unsigned Opcode) {
  switch (Opcode) {
  case Instruction::SDiv:
  case Instruction::UDiv:
    return " / ";
  case Instruction::SRem:
  case Instruction::URem:
    return " % ";
  case Instruction::AShr:
  case Instruction::LShr:
    return " >> ";
  default:
    return nullptr;
  }
}

/// Whether it computes with parameters, and else with numbers alone.
static bool isOfParameters(const Instruction &I) {
  const auto isParameter = [](const Value *V) {
    const std::string Text = textOfOperand(V);
    return !Text.empty() && !isa<ConstantInt>(V);
  };
  return !isa<CastInst, FreezeInst, PHINode>(I) &&
         llvm::any_of(I.operand_values(), isParameter) &&
         llvm::all_of(I.operand_values(), [](const Value *V) {
           return isa<Function>(V) || !textOfOperand(V).empty();
         });
}

/// The one value of parameters alone in the address that is no sum and no
/// product of them.
static std::string quotientIn(const Value &Pointer) {
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *> Pending = {&Pointer};
  std::set<std::string> Texts;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || isa<LoadInst>(I) || !Seen.insert(I).second)
      continue;
    const unsigned Opcode = I->getOpcode();
    if (isOfParameters(*I) && Opcode != Instruction::Add &&
        Opcode != Instruction::Sub && Opcode != Instruction::Mul &&
        Opcode != Instruction::Shl) {
      const char *Sign = signOf(Opcode);
      Texts.insert(Sign ? textOfOperand(I->getOperand(0)) + Sign +
                              textOfOperand(I->getOperand(1))
                        : std::string());
      continue;
    }
    Pending.append(I->op_begin(), I->op_end());
  }
  return Texts.size() == 1 ? *Texts.begin() : std::string();
}

std::string strideName(const LaneArithmetic &A, Symbol S,
                       const Value &Pointer) {
  const SymbolInfo &I = A.info(S);
  if (!I.Name.empty())
    return I.Name;
  if (I.Kind != SymbolKind::Product)
    return I.Kind == SymbolKind::Parameter ? quotientIn(Pointer)
                                           : std::string();
  std::string Names;
  for (const Symbol F : I.Factors) {
    if (A.info(F).Name.empty())
      return {};
    Names += (Names.empty() ? "" : " * ") + A.info(F).Name;
  }
  return Names;
}

std::optional<std::int64_t> longerBy(const LaneValue &Address,
                                     const StrideSymbol &Stride,
                                     LaneMask Active) {
  // Where each row begins, by the coefficient of the symbol.
  std::map<std::int64_t, std::int64_t> Begins;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1) {
      const std::int64_t At = Address.Constant[L];
      const auto [It, New] = Begins.try_emplace(Stride.Coefficient[L], At);
      It->second = std::min(It->second, At);
    }
  if (Begins.size() < 2)
    return std::nullopt;
  const auto [By, At] = *Begins.begin();
  const auto [LastBy, LastAt] = *Begins.rbegin();
  if ((LastAt - At) % (LastBy - By) != 0)
    return std::nullopt;
  const std::int64_t Longer = (LastAt - At) / (LastBy - By);
  for (const auto &[EachBy, EachAt] : Begins)
    if (EachAt - At != Longer * (EachBy - By))
      return std::nullopt;
  return Longer;
}

StrideSymbol makeStride(const LaneArithmetic &A, const Term &T,
                        LaneMask Active) {
  StrideSymbol R;
  R.S = T.S;
  R.Name = A.info(T.S).Name;
  R.IsBound = isBound(A, T.S);
  std::uint64_t Step = 0;
  std::int64_t Last = 0;
  bool First = true;
  for (unsigned L = 0; L < WarpSize; ++L) {
    R.Coefficient[L] = T.Coefficient[L];
    if (!(Active >> L & 1))
      continue;
    if (!First)
      Step = std::gcd(
          Step, static_cast<std::uint64_t>(std::abs(T.Coefficient[L] - Last)));
    Last = T.Coefficient[L];
    First = false;
  }
  R.BytesPerUnit = static_cast<std::int64_t>(Step);
  const auto Begin = static_cast<unsigned>(std::countr_zero(Active));
  while (Begin + R.RowLanes < WarpSize &&
         R.Coefficient[Begin + R.RowLanes] == R.Coefficient[Begin])
    ++R.RowLanes;
  return R;
}

bool hasManyValues(const Lanes &C, LaneMask Active) {
  std::set<std::int64_t> Values;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1)
      Values.insert(C[L]);
  return Values.size() >= 8;
}

LaneOffsets withStride(const LaneValue &Address, const StrideSymbol &Stride,
                       std::int64_t Value) {
  LaneOffsets O = constantOffsets(Address);
  for (unsigned L = 0; L < WarpSize; ++L)
    O[L] += Stride.Coefficient[L] * Value;
  return O;
}

} // namespace cudalint
