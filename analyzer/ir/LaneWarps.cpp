//===- analyzer/ir/LaneWarps.cpp - Values in several warps at once --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values that depend on the number of the warp, which is one more symbol:
/// `threadIdx.x` of all warps is 32·w + (0, 1, 2, … 31). It counts from 0 for
/// the first of all, also when that one is left out of what the run stands for:
/// then the constant part is a value that no warp has, and may wrap.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>

namespace cudalint {

void LaneArithmetic::makeWarps(unsigned First, unsigned Last) {
  OfWarps = {makeSymbol({.Kind = SymbolKind::Warp,
                         .Min = 0,
                         .Max = Last - First,
                         .ByWarp = true}),
             First,
             {First, Last}};
}

bool LaneArithmetic::dependsOnWarp(const LaneValue &A) const {
  return OfWarps && std::ranges::any_of(A.Terms, [&](const Term &T) {
           return Symbols[T.S].ByWarp;
         });
}

bool LaneArithmetic::dependsAlike(const LaneValue &A) const {
  return std::ranges::all_of(A.Terms, [&](const Term &T) {
    return !Symbols[T.S].ByWarp || T.Coefficient.isUniform();
  });
}

bool LaneArithmetic::isConstantInWarp(const LaneValue &A, LaneMask Mask) const {
  return !(A.Unknown & Mask) &&
         std::ranges::all_of(A.Terms, [&](const Term &T) {
           return Symbols[T.S].Kind == SymbolKind::Warp ||
                  T.Coefficient.isZeroIn(Mask);
         });
}

bool LaneArithmetic::wrapsInEachWarp(const LaneValue &A) {
  if (!A.MayWrap)
    return false;
  // The bounds grow by the same from warp to warp, unless by squares.
  for (const Term &T : A.Terms)
    if (std::ranges::count(Symbols[T.S].Factors, OfWarps->Number) > 1)
      return false;
  const Range First = hull(inWarp(A, OfWarps->Left.First));
  const Range Last = hull(inWarp(A, OfWarps->Left.Last));
  const __int128 Limit = __int128(1) << (A.Bits - 1);
  return std::max(First.Min, Last.Min) < -Limit ||
         std::min(First.Max, Last.Max) >= Limit;
}

LaneValue LaneArithmetic::inWarp(const LaneValue &A, unsigned Warp) {
  if (!dependsOnWarp(A))
    return A;
  LaneValue R = A;
  llvm::erase_if(R.Terms, [&](const Term &T) { return Symbols[T.S].ByWarp; });
  for (const Term &T : A.Terms) {
    if (!Symbols[T.S].ByWarp)
      continue;
    std::uint64_t Times = 1;
    std::optional<Symbol> Rest;
    std::vector<Symbol> Factors = Symbols[T.S].Factors;
    if (Factors.empty())
      Factors = {T.S};
    for (const Symbol F : Factors)
      if (F == OfWarps->Number)
        Times *= Warp - OfWarps->First;
      else
        Rest = Rest ? product(*Rest, F) : F;
    LaneValue Part = scale(LaneValue::constant(A.Bits, T.Coefficient),
                           canonical(Times, A.Bits));
    if (Rest && !Part.Constant.isZero()) {
      Part.Terms.push_back({*Rest, Part.Constant});
      Part.Constant = 0;
    }
    R = combine(R, Part, 1);
  }
  R.MayWrap &= !R.Terms.empty();
  return R;
}

/// `To` - `From` in all lanes of `Mask`, if that is the same.
static std::optional<std::int64_t> step(const Lanes &From, const Lanes &To,
                                        LaneMask Mask) {
  std::optional<std::int64_t> Step;
  for (; Mask; Mask &= Mask - 1) {
    const auto L = static_cast<unsigned>(std::countr_zero(Mask));
    std::int64_t Each = 0;
    if (__builtin_sub_overflow(To[L], From[L], &Each) ||
        (Step && *Step != Each))
      return std::nullopt;
    Step = Each;
  }
  return Step.value_or(0);
}

static Lanes coefficientOf(const LaneValue &V, Symbol S) {
  const auto It = std::ranges::find(V.Terms, S, &Term::S);
  return It == V.Terms.end() ? Lanes(0) : It->Coefficient;
}

/// By what a value grows from one warp to the next: the constant, and symbols.
struct Growth {
  std::optional<Symbol> Of; ///< Nothing: the constant.
  std::int64_t Step;
  bool operator==(const Growth &) const = default;
};

/// Nothing where that is not the same in all lanes, or something else differs.
static std::optional<std::vector<Growth>> growth(const LaneValue &From,
                                                 const LaneValue &To) {
  if (To.Bits != From.Bits || To.Unknown != From.Unknown ||
      To.Assumes != From.Assumes)
    return std::nullopt;
  std::vector<Growth> R;
  auto Add = [&](std::optional<Symbol> Of, const Lanes &X, const Lanes &Y) {
    const std::optional<std::int64_t> By = step(X, Y, ~From.Unknown);
    if (By && *By)
      R.push_back({Of, *By});
    return By.has_value();
  };
  if (!Add(std::nullopt, From.Constant, To.Constant))
    return std::nullopt;
  for (const Term &T : To.Terms)
    if (!Add(T.S, coefficientOf(From, T.S), T.Coefficient))
      return std::nullopt;
  for (const Term &T : From.Terms)
    if (std::ranges::find(To.Terms, T.S, &Term::S) == To.Terms.end() &&
        !Add(T.S, T.Coefficient, 0))
      return std::nullopt;
  std::ranges::sort(R, {}, &Growth::Of);
  // A truth value is 0 or 1 in all of them, and no number.
  if (!R.empty() && From.Bits == 1)
    return std::nullopt;
  return R;
}

LaneValue
LaneArithmetic::throughWarps(const std::function<LaneValue(unsigned)> &F) {
  WarpRange &Of = OfWarps->Left;
  std::vector<LaneValue> Each;
  for (unsigned W = Of.First; W <= Of.Last; ++W)
    Each.push_back(F(W));
  // The longest that grows by the same, from `Begin` on.
  std::size_t Begin = 0, Count = 1;
  std::vector<Growth> Steps;
  for (std::size_t From = 0; From + Count < Each.size();) {
    const auto By = growth(Each[From], Each[From + 1]);
    std::size_t To = From + 1;
    if (By)
      while (To + 1 < Each.size() && growth(Each[To], Each[To + 1]) == By)
        ++To;
    if (By && To - From + 1 > Count) {
      Begin = From;
      Count = To - From + 1;
      Steps = *By;
    }
    From = To;
  }
  if (Count < Each.size()) {
    Of = {Of.First + static_cast<unsigned>(Begin),
          Of.First + static_cast<unsigned>(Begin + Count - 1)};
    SymbolInfo &Number = Symbols[OfWarps->Number];
    Number.Min = Of.First - OfWarps->First;
    Number.Max = Of.Last - OfWarps->First;
  }
  // The number counts from the first of all, those that are left out too: what
  // it would be there must be no other integer than the polynomial says.
  LaneValue R = Each[Begin];
  const auto Before = static_cast<std::int64_t>(Of.First - OfWarps->First);
  R.MayWrap = false;
  for (const Growth &G : Steps) {
    const __int128 Exact = -static_cast<__int128>(G.Step) * Before;
    const std::int64_t Back =
        canonical(static_cast<std::uint64_t>(Exact), R.Bits);
    LaneValue Part = LaneValue::constant(R.Bits, G.Of ? 0 : Back);
    Part.MayWrap = Back != Exact;
    if (G.Of && Back)
      Part.Terms.push_back({*G.Of, Back});
    LaneValue ByNumber = LaneValue::constant(R.Bits, 0);
    ByNumber.Terms.push_back(
        {G.Of ? product(*G.Of, OfWarps->Number) : OfWarps->Number, G.Step});
    R = combine(combine(R, Part, 1), ByNumber, 1);
  }
  for (std::size_t K = Begin; K != Begin + Count; ++K)
    R.MayWrap |= Each[K].MayWrap;
  if (R.Terms.size() > MaxTerms)
    AreApart = true;
  return R;
}

} // namespace cudalint
