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
/// the first of them: a value of that one is the polynomial's constant part,
/// and none of the others wraps where theirs do not.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>

namespace cudalint {

Symbol LaneArithmetic::makeWarps(unsigned First, unsigned Last) {
  Warps = {makeSymbol({.Kind = SymbolKind::Warp,
                       .Min = 0,
                       .Max = Last - First,
                       .ByWarp = true}),
           First, Last};
  return Warps->Number;
}

bool LaneArithmetic::dependsOnWarp(const LaneValue &A) const {
  return Warps && std::ranges::any_of(A.Terms, [&](const Term &T) {
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
    if (std::ranges::count(Symbols[T.S].Factors, Warps->Number) > 1)
      return false;
  const Range First = hull(inWarp(A, Warps->First));
  const Range Last = hull(inWarp(A, Warps->Last));
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
      if (F == Warps->Number)
        Times *= Warp - Warps->First;
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
  R.MayWrap = A.MayWrap && !R.Terms.empty();
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

std::optional<LaneValue>
LaneArithmetic::throughWarps(const std::function<LaneValue(unsigned)> &F) {
  const LaneValue First = F(Warps->First);
  LaneValue Last = First;
  struct Growth {
    std::optional<Symbol> Of; ///< Nothing: the constant.
    std::int64_t Step;
  };
  std::optional<std::vector<Growth>> Steps;
  const LaneMask Known = ~First.Unknown;
  bool MayWrap = First.MayWrap;
  for (unsigned W = Warps->First + 1; W <= Warps->Last; ++W) {
    const LaneValue Next = F(W);
    MayWrap |= Next.MayWrap;
    if (Next.Bits != First.Bits || Next.Unknown != First.Unknown ||
        Next.Assumes != First.Assumes)
      return std::nullopt;
    std::vector<Growth> Now;
    auto Add = [&](std::optional<Symbol> Of, const Lanes &From,
                   const Lanes &To) {
      const std::optional<std::int64_t> By = step(From, To, Known);
      if (By)
        Now.push_back({Of, *By});
      return By.has_value();
    };
    if (!Add(std::nullopt, Last.Constant, Next.Constant))
      return std::nullopt;
    for (const Term &T : Next.Terms)
      if (!Add(T.S, coefficientOf(Last, T.S), T.Coefficient))
        return std::nullopt;
    for (const Term &T : Last.Terms)
      if (std::ranges::find(Next.Terms, T.S, &Term::S) == Next.Terms.end() &&
          !Add(T.S, T.Coefficient, 0))
        return std::nullopt;
    std::erase_if(Now, [](const Growth &G) { return !G.Step; });
    std::ranges::sort(Now, {}, &Growth::Of);
    if (Steps &&
        !std::ranges::equal(*Steps, Now, [](const Growth &X, const Growth &Y) {
          return X.Of == Y.Of && X.Step == Y.Step;
        }))
      return std::nullopt;
    Steps = std::move(Now);
    Last = Next;
  }
  LaneValue R = First;
  R.MayWrap = MayWrap;
  // A truth value is 0 or 1 in all of them, and no number.
  if (Steps && !Steps->empty() && First.Bits == 1)
    return std::nullopt;
  for (const Growth &G : Steps.value_or(std::vector<Growth>())) {
    LaneValue Part = LaneValue::constant(R.Bits, 0);
    Part.Terms.push_back(
        {G.Of ? product(*G.Of, Warps->Number) : Warps->Number, G.Step});
    R = combine(R, Part, 1);
  }
  R.MayWrap = MayWrap;
  if (R.Terms.size() > MaxTerms)
    return std::nullopt;
  return R;
}

} // namespace cudalint
