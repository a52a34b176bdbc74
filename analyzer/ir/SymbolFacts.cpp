//===- analyzer/ir/SymbolFacts.cpp - What a symbol may be -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/SymbolFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace cudalint {

std::string describe(const LaneArithmetic &A, Symbol S) {
  const SymbolInfo &I = A.info(S);
  if (!I.Name.empty())
    return "'" + I.Name + "'";
  std::string Names;
  for (Symbol F : I.Factors) {
    if (A.info(F).Name.empty())
      continue;
    Names += Names.empty() ? "'" : " * ";
    Names += A.info(F).Name;
  }
  return Names.empty() ? "a value known only at run time" : Names + "'";
}

std::string writtenName(const LaneArithmetic &A, Symbol S) {
  const std::string Quoted = describe(A, S);
  return A.info(S).Kind == SymbolKind::Object || Quoted.front() != '\''
             ? std::string()
             : Quoted.substr(1, Quoted.size() - 2);
}

Assumption alignmentOf(const SymbolInfo &Object) {
  const std::string Name =
      Object.Name.empty() ? std::string("data") : "'" + Object.Name + "'";
  if (!Object.MovedBy)
    return {Name + " is 256-byte aligned", AssumptionKind::Alignment};
  return {Name + " is " + std::to_string(Object.MovedBy) + " byte" +
              (Object.MovedBy == 1 ? "" : "s") + " past a 256-byte boundary",
          AssumptionKind::Program};
}

Assumption roundness(const LaneArithmetic &A, Symbol S) {
  std::string Name = describe(A, S);
  std::string Text = Name + " is a multiple of 32";
  return {std::move(Text), AssumptionKind::RoundSize, std::move(Name)};
}

std::optional<FewValues> fewValues(const SymbolInfo &I) {
  if (I.Min == NoMin || I.Max == NoMax || I.Max < I.Min)
    return std::nullopt;
  const auto Range =
      static_cast<std::uint64_t>(I.Max) - static_cast<std::uint64_t>(I.Min);
  // More of it than any address needs would overflow.
  constexpr std::uint64_t LargestStep = 1 << 20;
  const auto Step = static_cast<std::int64_t>(
      std::clamp<std::uint64_t>(I.MultipleOf, 1, LargestStep));
  const auto Skipped = static_cast<std::uint64_t>((Step - I.Min % Step) % Step);
  if (Range >= SmallRange * static_cast<std::uint64_t>(Step) || Skipped > Range)
    return std::nullopt;
  return FewValues{I.Min + static_cast<std::int64_t>(Skipped), Step,
                   static_cast<unsigned>((Range - Skipped) /
                                         static_cast<std::uint64_t>(Step)) +
                       1};
}

bool isChosenAtRunTime(const LaneArithmetic &A, Symbol S) {
  const SymbolInfo &I = A.info(S);
  if (I.Kind == SymbolKind::Product)
    return std::ranges::any_of(I.Factors, [&](Symbol F) {
      return A.info(F).Kind == SymbolKind::Parameter;
    });
  return I.Kind == SymbolKind::Parameter;
}

bool canBeLarge(const LaneArithmetic &A, Symbol S) {
  constexpr std::int64_t Large = 1024;
  auto MayBeSmall = [&](Symbol F) { return A.info(F).MayBeSmall; };
  return A.info(S).Max >= Large && !MayBeSmall(S) &&
         !std::ranges::any_of(A.info(S).Factors, MayBeSmall) &&
         !writtenName(A, S).empty();
}

/// Whether \p V is compared with what is no constant, as it is or but for
/// casts and constants.
static bool isCompared(const llvm::Value &V, unsigned Depth) {
  return llvm::any_of(V.users(), [&](const llvm::User *U) {
    if (const auto *Comparison = llvm::dyn_cast<llvm::ICmpInst>(U))
      return !llvm::isa<llvm::Constant>(Comparison->getOperand(0)) &&
             !llvm::isa<llvm::Constant>(Comparison->getOperand(1));
    if (llvm::isa<llvm::MinMaxIntrinsic>(U))
      return true;
    const auto *Binary = llvm::dyn_cast<llvm::BinaryOperator>(U);
    const bool IsSame =
        llvm::isa<llvm::CastInst, llvm::FreezeInst>(U) ||
        (Binary && llvm::isa<llvm::Constant>(Binary->getOperand(1)));
    return IsSame && Depth > 0 && isCompared(*U, Depth - 1);
  });
}

bool isBound(const LaneArithmetic &A, Symbol S) {
  const SymbolInfo &I = A.info(S);
  if (I.Kind == SymbolKind::Product)
    return std::ranges::any_of(I.Factors,
                               [&](Symbol F) { return isBound(A, F); });
  const auto *By = static_cast<const llvm::Value *>(I.Fixed.By);
  // Of what lies in a struct, the uses are not looked for.
  if (I.Kind != SymbolKind::Parameter || !By || By->getType()->isPointerTy())
    return true;
  constexpr unsigned Steps = 3;
  return isCompared(*By, Steps);
}

bool keepsPeriod(const LaneArithmetic &A, const Term &T, unsigned Period) {
  std::uint64_t Common = Period;
  for (unsigned L = 0; L < WarpSize; ++L)
    Common = std::gcd(
        Common, static_cast<std::uint64_t>(std::abs(T.Coefficient[L])) *
                    std::gcd<std::uint64_t>(A.info(T.S).MultipleOf, Period));
  return Common == Period;
}

/// Whether all lanes move by whole periods if `Choice` is `Made`, as far as
/// sizes and arrays are taken to be aligned. Where min(a, b) is written as
/// b + c * (a - b), nothing of b is left if c is 1.
static bool isAlignedIf(const LaneArithmetic &A, const LaneValue &Address,
                        LaneMask Active, unsigned Period, Symbol Choice,
                        bool Made) {
  // Factors of each part that lanes share, sorted, and their coefficient.
  std::map<std::vector<Symbol>, std::uint64_t> Parts;
  for (const Term &T : Address.Terms) {
    if (!T.Coefficient.isUniformIn(Active))
      continue;
    const SymbolInfo &I = A.info(T.S);
    std::vector<Symbol> Of =
        I.Kind == SymbolKind::Product ? I.Factors : std::vector<Symbol>{T.S};
    if (std::erase(Of, Choice) == 0 || Made)
      Parts[Of] += static_cast<std::uint64_t>(
          T.Coefficient[static_cast<unsigned>(std::countr_zero(Active))]);
  }
  for (const auto &[Factors, Coefficient] : Parts) {
    // Modulo a power of two, the sign does not matter.
    std::uint64_t Common = std::gcd<std::uint64_t>(Coefficient, Period);
    for (Symbol F : Factors)
      Common = std::gcd<std::uint64_t>(
          Common * std::gcd<std::uint64_t>(A.info(F).AssumedMultipleOf, Period),
          Period);
    if (Common != Period)
      return false;
  }
  return true;
}

bool isAlignedButForBounds(const LaneArithmetic &A, const LaneValue &Address,
                           LaneMask Active, unsigned Period) {
  std::set<Symbol> Choices;
  for (const Term &T : Address.Terms) {
    // On its own, it is what the program adds: `n & 1`.
    for (Symbol F : A.info(T.S).Factors)
      if (isChoice(A.info(F)))
        Choices.insert(F);
  }
  return std::ranges::any_of(Choices, [&](Symbol C) {
    return isAlignedIf(A, Address, Active, Period, C, false) ||
           isAlignedIf(A, Address, Active, Period, C, true);
  });
}

UnknownCause causeOf(const LaneArithmetic &A, Symbol S) {
  switch (A.info(S).Kind) {
  case SymbolKind::Loaded:
    return UnknownCause::LoadedData;
  case SymbolKind::Counter:
    return UnknownCause::LoopBound;
  case SymbolKind::BlockIndex:
    return UnknownCause::Blocks;
  case SymbolKind::Object:
    return UnknownCause::PointerMerge;
  default:
    return UnknownCause::RunTimeValue;
  }
}

} // namespace cudalint
