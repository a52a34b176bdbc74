//===- analyzer/ir/AddressVariants.cpp - Concrete addresses of a request --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AddressVariants.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace cudalint {

/// Values of a symbol whose range is known and no longer than this are all
/// tried.
static constexpr std::int64_t SmallRange = 32;
static constexpr const char DependsOnData[] =
    "the address depends on loaded data";
static constexpr const char DependsOnRunTime[] =
    "how far lanes are apart depends on a value known only at run time";
/// Variants of one request at most.
static constexpr unsigned MaxVariants = 64;

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

static LaneOffsets constantOffsets(const LaneValue &Address) {
  LaneOffsets O;
  for (unsigned L = 0; L < WarpSize; ++L)
    O[L] = Address.Constant[L];
  return O;
}

static bool isBounded(const SymbolInfo &I) {
  return I.Min != NoMin && I.Max != NoMax && I.Max - I.Min < SmallRange;
}

/// A size that the program's user chooses, rather than something that runs
/// through values by itself.
static bool isChosenAtRunTime(const LaneArithmetic &A, Symbol S) {
  const SymbolInfo &I = A.info(S);
  if (I.Kind == SymbolKind::Product)
    return std::ranges::any_of(I.Factors, [&](Symbol F) {
      return A.info(F).Kind == SymbolKind::Parameter;
    });
  return I.Kind == SymbolKind::Parameter;
}

static StrideSymbol makeStride(const LaneArithmetic &A, const Term &T,
                               LaneMask Active) {
  StrideSymbol R;
  R.S = T.S;
  R.Name = A.info(T.S).Name;
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
  return R;
}

/// Fewer rows than this in one warp are a tile, not a stride.
static bool hasManyValues(const Lanes &C, LaneMask Active) {
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

/// The symbol as the user wrote it, without quotes; empty where he did not.
static std::string writtenName(const LaneArithmetic &A, Symbol S) {
  const std::string Quoted = describe(A, S);
  return A.info(S).Kind == SymbolKind::Object || Quoted.front() != '\''
             ? std::string()
             : Quoted.substr(1, Quoted.size() - 2);
}

/// What is taken for granted where lanes use different objects.
static std::string apart(const std::set<std::string> &Names, unsigned Objects) {
  std::string Text;
  if (Objects < 2 || Names.size() < Objects)
    Text = "arrays that lanes choose from";
  else
    for (auto It = Names.begin(); It != Names.end(); ++It)
      Text += (It == Names.begin()            ? ""
               : std::next(It) == Names.end() ? " and "
                                              : ", ") +
              *It;
  return Text + " are 256-byte aligned and do not overlap";
}

/// Whether the symbol, whatever it is, moves every lane by whole periods.
static bool keepsPeriod(const LaneArithmetic &A, const Term &T,
                        unsigned Period) {
  std::uint64_t Common = Period;
  for (unsigned L = 0; L < WarpSize; ++L)
    Common = std::gcd(
        Common, static_cast<std::uint64_t>(std::abs(T.Coefficient[L])) *
                    std::gcd<std::uint64_t>(A.info(T.S).MultipleOf, Period));
  return Common == Period;
}

/// Whether a pitch, if that is what the symbol is, can be taken to be large.
/// What the program computes from other things, `transposed ? pitch : 1`, may
/// as well be 1, and so may what it is in another launch.
static bool canBeLarge(const LaneArithmetic &A, Symbol S) {
  constexpr std::int64_t Large = 1024;
  auto MayBeSmall = [&](Symbol F) { return A.info(F).MayBeSmall; };
  return A.info(S).Max >= Large && !MayBeSmall(S) &&
         !std::ranges::any_of(A.info(S).Factors, MayBeSmall) &&
         !writtenName(A, S).empty();
}

/// One of two values, for all lanes alike: a bound that bites or does not.
static bool isChoice(const SymbolInfo &I) {
  return (I.Kind == SymbolKind::Opaque || I.Kind == SymbolKind::Parameter) &&
         I.Min == 0 && I.Max == 1;
}

static void assumeEquallyFrequent(const LaneArithmetic &A, Symbol S,
                                  AddressVariants &R) {
  const bool ByBlock = A.info(S).Kind == SymbolKind::BlockIndex;
  (ByBlock ? R.ByBlock : R.ByTurn) = true;
  R.Assumptions.insert(
      ByBlock ? "all values of " + describe(A, S) + " are equally frequent"
      : isChoice(A.info(S)) ? "either value of a condition is equally frequent"
                            : "turns of a loop are equally frequent");
}

std::string alignmentOf(const SymbolInfo &Object) {
  const std::string Name =
      Object.Name.empty() ? std::string("data") : "'" + Object.Name + "'";
  if (!Object.MovedBy)
    return Name + " is 256-byte aligned";
  return Name + " is " + std::to_string(Object.MovedBy) + " byte" +
         (Object.MovedBy == 1 ? "" : "s") + " past a 256-byte boundary";
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

/// Whether that is so for one of two values that some bound leaves.
static bool isAlignedButForBounds(const LaneArithmetic &A,
                                  const LaneValue &Address, LaneMask Active,
                                  unsigned Period) {
  std::set<Symbol> Choices;
  for (const Term &T : Address.Terms) {
    const SymbolInfo &I = A.info(T.S);
    if (isChoice(I))
      Choices.insert(T.S);
    for (Symbol F : I.Factors)
      if (isChoice(A.info(F)))
        Choices.insert(F);
  }
  return std::ranges::any_of(Choices, [&](Symbol C) {
    return isAlignedIf(A, Address, Active, Period, C, false) ||
           isAlignedIf(A, Address, Active, Period, C, true);
  });
}

static UnknownCause causeOf(const LaneArithmetic &A, Symbol S) {
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

AddressVariants globalVariants(const LaneArithmetic &A,
                               const LaneValue &Address, LaneMask Active,
                               unsigned Period, bool Round) {
  AddressVariants R;
  if (Address.Unknown & Active) {
    R.WhyUnknown = DependsOnData;
    return R;
  }
  auto MultipleOf = [&](const SymbolInfo &I) {
    return Round || I.Kind == SymbolKind::Object ? I.AssumedMultipleOf
                                                 : I.MultipleOf;
  };
  // Uniform terms: only their remainder matters.
  std::uint64_t Step = Period;
  std::vector<const Term *> Varying;
  for (const Term &T : Address.Terms) {
    if (!T.Coefficient.isUniformIn(Active)) {
      if (A.isGathered(T.S) &&
          (A.info(T.S).Vote || !keepsPeriod(A, T, Period))) {
        R.WhyUnknown = DependsOnData;
        return R;
      }
      const SymbolInfo &Of = A.info(T.S);
      if (!isBounded(Of) && Of.Kind != SymbolKind::Counter &&
          Of.Kind != SymbolKind::Object && !A.isGathered(T.S) &&
          !canBeLarge(A, T.S) && !keepsPeriod(A, T, Period)) {
        R.WhyUnknown = DependsOnRunTime;
        R.Cause = UnknownCause::RunTimeValue;
        return R;
      }
      Varying.push_back(&T);
      continue;
    }
    const SymbolInfo &I = A.info(T.S);
    std::uint64_t C = static_cast<std::uint64_t>(
        std::abs(T.Coefficient[std::countr_zero(Active)]));
    std::uint64_t Proved = std::gcd<std::uint64_t>(C * I.MultipleOf, Period);
    std::uint64_t Assumed = std::gcd<std::uint64_t>(C * MultipleOf(I), Period);
    if (Proved != Period && Assumed == Period)
      R.TakesRound |= I.Kind != SymbolKind::Object;
    if (Proved != Period && Assumed == Period)
      R.Assumptions.insert(I.Kind == SymbolKind::Object
                               ? alignmentOf(I)
                               : describe(A, T.S) + " is a multiple of 32");
    Step = std::gcd(Step, std::max<std::uint64_t>(Assumed, 1));
  }

  // Terms that differ between lanes: values that stand for the symbol.
  unsigned Choices = 1;
  for (const Term *T : Varying) {
    const SymbolInfo &I = A.info(T->S);
    if (isBounded(I))
      Choices = std::max<unsigned>(Choices, I.Max - I.Min + 1);
    else if (I.Kind == SymbolKind::Counter)
      Choices = std::max<unsigned>(Choices, SmallRange);
    else if (MultipleOf(I) < 32 && I.Kind != SymbolKind::Object)
      Choices = std::max(Choices, 8u);
  }
  if (Round && Step != Period &&
      isAlignedButForBounds(A, Address, Active, Period)) {
    Step = Period;
    R.Assumptions.insert("bounds do not move what they are bounds of");
  }
  unsigned Remainders = static_cast<unsigned>(Period / Step);
  unsigned Count = std::min(MaxVariants, std::max(Choices, Remainders));
  if (Remainders > 1)
    R.Assumptions.insert("the offset takes every alignment in turn");
  for (unsigned V = 0; V < Count; ++V) {
    MadeUpOffsets MadeUp;
    unsigned MadeUpTerms = 0;
    LaneOffsets O = constantOffsets(Address);
    std::int64_t Shift = static_cast<std::int64_t>(Step) * (V % Remainders);
    for (std::int64_t &X : O)
      X += Shift;
    for (std::size_t K = 0; K < Varying.size(); ++K) {
      const SymbolInfo &I = A.info(Varying[K]->S);
      std::int64_t Odd = static_cast<std::int64_t>(2 * K + 1);
      std::int64_t Value;
      if (isBounded(I)) {
        Value = I.Min + V % (I.Max - I.Min + 1);
      } else if (I.Kind == SymbolKind::Counter) {
        Value = V % SmallRange;
      } else {
        // Far apart, and no power of two alone.
        Value = (std::int64_t(1) << 20) * Odd;
        if (MultipleOf(I) < 32 && I.Kind != SymbolKind::Object)
          Value +=
              static_cast<std::int64_t>(MultipleOf(I)) * ((V * (Odd + 2)) % 32);
        MadeUp.Symbol =
            ++MadeUpTerms == 1 ? writtenName(A, Varying[K]->S) : std::string();
        MadeUp.Value = Value;
        for (unsigned L = 0; L < WarpSize; ++L)
          MadeUp.Offset[L] += Varying[K]->Coefficient[L] * Value;
      }
      for (unsigned L = 0; L < WarpSize; ++L)
        O[L] += Varying[K]->Coefficient[L] * Value;
    }
    R.Offsets.push_back(O);
    if (MadeUpTerms)
      R.MadeUp.push_back(
          std::make_shared<const MadeUpOffsets>(std::move(MadeUp)));
  }
  std::set<std::string> Objects;
  unsigned ObjectCount = 0;
  for (const Term *T : Varying) {
    const SymbolInfo &I = A.info(T->S);
    if (I.Kind == SymbolKind::Object) {
      ++ObjectCount;
      if (!I.Name.empty())
        Objects.insert("'" + I.Name + "'");
      continue;
    }
    if (isBounded(I) || I.Kind == SymbolKind::Counter)
      assumeEquallyFrequent(A, T->S, R);
    else if (A.isGathered(T->S))
      R.Assumptions.insert("rows that loaded data picks are different ones");
    else {
      R.Assumptions.insert(describe(A, T->S) + " is large");
      // Where a few rows make up a warp, it matters where each starts.
      if (I.AssumedMultipleOf >= 32 && I.MultipleOf < 32 &&
          !hasManyValues(T->Coefficient, Active)) {
        R.Assumptions.insert(describe(A, T->S) + " is a multiple of 32");
        R.TakesRound = true;
      }
    }
  }
  if (ObjectCount)
    R.Assumptions.insert(apart(Objects, ObjectCount));
  if (Varying.size() == 1 && isChosenAtRunTime(A, Varying[0]->S) &&
      hasManyValues(Varying[0]->Coefficient, Active))
    R.Stride = makeStride(A, *Varying[0], Active);
  return R;
}

/// The offsets where each lane chooses one of several arrays that all begin in
/// the first bank: which bank it is in, then, the rest of the address says.
static std::optional<LaneOffsets> inSharedArrays(const LaneArithmetic &A,
                                                 const LaneValue &Address,
                                                 LaneMask Active) {
  constexpr std::int64_t Apart = 1 << 20; // more than all of shared memory
  LaneOffsets O = constantOffsets(Address);
  std::array<unsigned, WarpSize> Arrays = {};
  std::int64_t Next = 0;
  for (const Term &T : Address.Terms) {
    if (T.Coefficient.isUniformIn(Active))
      continue;
    const SymbolInfo &I = A.info(T.S);
    if (I.Kind != SymbolKind::Object || !I.BeginsInFirstBank)
      return std::nullopt;
    Next += Apart;
    for (unsigned L = 0; L < WarpSize; ++L) {
      if (!(Active >> L & 1) || T.Coefficient[L] == 0)
        continue;
      if (T.Coefficient[L] != 1 || Arrays[L]++)
        return std::nullopt;
      O[L] += Next;
    }
  }
  return O;
}

AddressVariants constantVariants(const LaneArithmetic &A,
                                 const LaneValue &Address, LaneMask Active) {
  // Whether they are the same, the data decides.
  if (std::ranges::any_of(Address.Terms, [&](const Term &T) {
        return !T.Coefficient.isUniformIn(Active) && A.isGathered(T.S);
      })) {
    AddressVariants R;
    R.WhyUnknown = DependsOnData;
    return R;
  }
  return globalVariants(A, Address, Active, /*Period=*/1);
}

AddressVariants sharedVariants(const LaneArithmetic &A,
                               const LaneValue &Address, LaneMask Active) {
  AddressVariants R;
  if (Address.Unknown & Active) {
    R.WhyUnknown = DependsOnData;
    return R;
  }
  const Term *Varying = nullptr;
  for (const Term &T : Address.Terms) {
    if (T.Coefficient.isUniformIn(Active))
      continue;
    if (A.isGathered(T.S)) {
      R.WhyUnknown = DependsOnData;
      return R;
    }
    if (Varying) {
      if (const auto Offsets = inSharedArrays(A, Address, Active)) {
        R.Offsets.push_back(*Offsets);
        R.Assumptions.insert("shared arrays lie one behind the other");
        return R;
      }
      R.WhyUnknown = "the address depends on " + describe(A, Varying->S) +
                     " and " + describe(A, T.S);
      R.Cause = causeOf(A, Varying->S);
      return R;
    }
    Varying = &T;
  }
  if (!Varying) {
    R.Offsets.push_back(constantOffsets(Address));
    return R;
  }
  const SymbolInfo &I = A.info(Varying->S);
  StrideSymbol Stride = makeStride(A, *Varying, Active);
  if (isBounded(I) || I.Kind == SymbolKind::Counter) {
    std::int64_t From = isBounded(I) ? I.Min : 0;
    std::int64_t To = isBounded(I) ? I.Max : SmallRange - 1;
    for (std::int64_t V = From; V <= To; ++V)
      R.Offsets.push_back(withStride(Address, Stride, V));
    assumeEquallyFrequent(A, Varying->S, R);
    return R;
  }
  if (I.Kind == SymbolKind::Object) {
    R.WhyUnknown = "lanes use different arrays";
    R.Cause = UnknownCause::PointerMerge;
    return R;
  }
  R.WhyUnknown = "the address depends on " + describe(A, Varying->S);
  R.Cause = causeOf(A, Varying->S);
  if (isChosenAtRunTime(A, Varying->S))
    R.Stride = std::move(Stride);
  return R;
}

} // namespace cudalint
