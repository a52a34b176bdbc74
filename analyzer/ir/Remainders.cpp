//===- analyzer/ir/Remainders.cpp - What a remainder decides --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/Remainders.h"

#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/SymbolFacts.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <numeric>
#include <optional>

namespace cudalint {

/// Of several periods together. Chosen.
static constexpr std::uint64_t MostRemainders = 1024;

/// Which of \p Period remainders \p Value has.
static std::size_t remainderOf(std::int64_t Value, std::size_t Period) {
  const auto By = static_cast<std::int64_t>(Period);
  return static_cast<std::size_t>(Value - floorDiv(Value, By) * By);
}

/// The part of \p Values that belongs to \p Value of their symbol.
static std::int64_t decidedBy(const ByRemainder &Values, std::int64_t Value) {
  return Values.Values[remainderOf(Value, Values.Values.size())];
}

static bool holdsFor(const HeldRemainders &Held, std::int64_t Value) {
  return Held.Holds[remainderOf(Value, Held.Holds.size())];
}

/// Without the sign, which `n % 8 == 4` of a signed n asks for as well.
static std::uint64_t lowBits(const LaneValue &Mask) {
  return static_cast<std::uint64_t>(Mask.Constant[0]) &
         ((std::uint64_t(1) << (Mask.Bits - 1)) - 1);
}

/// The operation needs its left side only modulo this; 0: it needs all of it.
static std::uint64_t modulusOf(unsigned Operation, const LaneValue &B) {
  if (Operation == 't')
    return 2;
  if (!B.isConstant())
    return 0;
  if (Operation == '&' && B.Constant[0] < 0)
    return lowBits(B) < SmallRange ? std::bit_ceil(lowBits(B) + 1) : 0;
  if (B.Constant[0] <= 0)
    return 0;
  const auto C = static_cast<std::uint64_t>(B.Constant[0]);
  switch (Operation) {
  case '&':
    return C < SmallRange ? std::bit_ceil(C + 1) : 0;
  case 'r':
  case 'R':
    return C <= SmallRange ? C : 0;
  default:
    return 0;
  }
}

namespace {
/// The one symbol that decides a value, and how.
struct Decided {
  std::optional<Symbol> By;
  std::uint64_t Period = 1;
  bool IsWhole = false; ///< The symbol itself is in it.
  bool TakesNonNegative = false;

  /// False: there are several.
  bool add(const LaneArithmetic &Of, const LaneValue &V);
};
} // namespace

bool Decided::add(const LaneArithmetic &Of, const LaneValue &V) {
  for (const Term &T : V.Terms) {
    const SymbolInfo &I = Of.info(T.S);
    if (I.IsGathered || I.Vote || I.ByWarp)
      return false;
    const Symbol S = I.Remainders ? I.Remainders->Of : T.S;
    if (By && *By != S)
      return false;
    By = S;
    if (!I.Remainders) {
      IsWhole = true;
      continue;
    }
    Period = std::lcm(Period, std::uint64_t(I.Remainders->Values.size()));
    TakesNonNegative |= I.Remainders->TakesNonNegative;
  }
  return true;
}

/// What \p V is in \p Lane where the symbol that decides it is \p Value.
static std::int64_t valueAt(const LaneArithmetic &Of, const LaneValue &V,
                            std::int64_t Value, unsigned Lane = 0) {
  auto Sum = static_cast<std::uint64_t>(V.Constant[Lane]);
  for (const Term &T : V.Terms) {
    const auto &Remainders = Of.info(T.S).Remainders;
    Sum += static_cast<std::uint64_t>(T.Coefficient[Lane]) *
           static_cast<std::uint64_t>(Remainders ? decidedBy(*Remainders, Value)
                                                 : Value);
  }
  return canonical(Sum, V.Bits);
}

/// Of constants.
static LaneValue apply(LaneArithmetic &Of, unsigned Operation,
                       const LaneValue &A, const LaneValue &B) {
  switch (Operation) {
  case '&':
    return Of.bitAnd(A, B);
  case '|':
    return Of.bitOr(A, B);
  case '^':
    return Of.bitXor(A, B);
  case 'd':
    return Of.sdiv(A, B);
  case 'D':
    return Of.udiv(A, B);
  case 'r':
    return Of.srem(A, B);
  case 'R':
    return Of.urem(A, B);
  case 'L':
    return Of.shl(A, B);
  case '>':
    return Of.lshr(A, B);
  case ')':
    return Of.ashr(A, B);
  case 't':
    return Of.trunc(A, 1);
  case 'z':
    return A;
  default:
    return Of.compare(static_cast<LaneArithmetic::Predicate>(Operation >> 8), A,
                      B);
  }
}

std::shared_ptr<const ByRemainder> byRemainder(LaneArithmetic &Of,
                                               unsigned Operation,
                                               const LaneValue &A,
                                               const LaneValue &B) {
  Decided From;
  if (!From.add(Of, A) || !From.add(Of, B) || !From.By)
    return nullptr;
  const std::uint64_t Modulus = From.IsWhole ? modulusOf(Operation, B) : 0;
  if (From.IsWhole) {
    const auto Few = fewValues(Of.info(*From.By));
    if (Modulus)
      From.Period = std::lcm(From.Period, Modulus);
    else if (Few && Few->First == 0 && Few->Step == 1)
      From.Period = Few->Count;
    else
      return nullptr;
  }
  if (From.Period > SmallRange)
    return nullptr;
  auto R = std::make_shared<ByRemainder>();
  R->Of = *From.By;
  R->TakesNonNegative = From.TakesNonNegative ||
                        (Modulus && Operation == '&' && B.Constant[0] < 0);
  for (std::uint64_t K = 0; K < From.Period; ++K) {
    std::int64_t Left = valueAt(Of, A, static_cast<std::int64_t>(K));
    // Of more than one period, it is the same but for what is negative, as what
    // grows smaller becomes.
    if (Operation == 'r' && Modulus) {
      if (llvm::any_of(A.Terms,
                       [](const Term &T) { return T.Coefficient[0] < 0; }))
        return nullptr;
      R->TakesNonNegative |= Of.info(*From.By).Min < 0 || Left < 0;
      const auto By = static_cast<std::int64_t>(Modulus);
      Left -= floorDiv(Left, By) * By;
    }
    const LaneValue V =
        apply(Of, Operation, LaneValue::constant(A.Bits, Left),
              LaneValue::constant(
                  B.Bits, valueAt(Of, B, static_cast<std::int64_t>(K))));
    if (!V.isConstant())
      return nullptr;
    R->Values.push_back(V.Constant[0]);
  }
  return R;
}

/// All or none say nothing: the one is no news, the other cannot be.
static bool saysAnything(const std::vector<bool> &Holds) {
  return llvm::any_of(Holds, [&](bool Each) { return Each != Holds.front(); });
}

static HeldRemaindersPtr one(HeldRemainders Held) {
  return std::make_shared<const std::vector<HeldRemainders>>(1,
                                                             std::move(Held));
}

HeldRemaindersPtr heldWhere(const LaneArithmetic &Of, const LaneValue &Value,
                            LaneMask Lanes,
                            llvm::function_ref<bool(std::int64_t)> IsWanted) {
  Decided From;
  if (!Lanes || (Value.Unknown & Lanes) || !Value.isUniformIn(Lanes) ||
      !From.add(Of, Value) || !From.By || From.IsWhole ||
      From.Period > SmallRange)
    return nullptr;
  const SymbolKind Kind = Of.info(*From.By).Kind;
  if (Kind != SymbolKind::Parameter && Kind != SymbolKind::BlockIndex)
    return nullptr;
  const auto Lane = static_cast<unsigned>(std::countr_zero(Lanes));
  std::vector<bool> Holds;
  for (std::uint64_t K = 0; K < From.Period; ++K)
    Holds.push_back(
        IsWanted(valueAt(Of, Value, static_cast<std::int64_t>(K), Lane)));
  return saysAnything(Holds) ? one({*From.By, std::move(Holds)}) : nullptr;
}

/// Of one symbol, by the remainders of both periods; none where that says
/// nothing.
static std::optional<HeldRemainders>
joined(const HeldRemainders &A, const HeldRemainders &B, bool Both) {
  const std::size_t Period = std::lcm(A.Holds.size(), B.Holds.size());
  if (Period > MostRemainders)
    return std::nullopt;
  std::vector<bool> Holds;
  for (std::size_t K = 0; K < Period; ++K) {
    const bool InA = A.Holds[K % A.Holds.size()];
    const bool InB = B.Holds[K % B.Holds.size()];
    Holds.push_back(Both ? InA && InB : InA || InB);
  }
  return saysAnything(Holds)
             ? std::optional(HeldRemainders{A.Of, std::move(Holds)})
             : std::nullopt;
}

static HeldRemaindersPtr allOf(std::vector<HeldRemainders> Held) {
  if (Held.empty())
    return nullptr;
  llvm::sort(Held, [](const HeldRemainders &X, const HeldRemainders &Y) {
    return X.Of < Y.Of;
  });
  return std::make_shared<const std::vector<HeldRemainders>>(std::move(Held));
}

HeldRemaindersPtr bothHold(const HeldRemaindersPtr &A,
                           const HeldRemaindersPtr &B) {
  if (!A || !B || A == B)
    return A ? A : B;
  std::vector<HeldRemainders> Held;
  for (const HeldRemainders &Each : *A) {
    const HeldRemainders *Other = heldOf(B.get(), Each.Of);
    if (!Other)
      Held.push_back(Each);
    else if (auto Both = joined(Each, *Other, /*Both=*/true))
      Held.push_back(std::move(*Both));
  }
  for (const HeldRemainders &Each : *B)
    if (!heldOf(A.get(), Each.Of))
      Held.push_back(Each);
  return allOf(std::move(Held));
}

HeldRemaindersPtr eitherHolds(const HeldRemaindersPtr &A,
                              const HeldRemaindersPtr &B) {
  if (!A || !B || A == B)
    return A && B ? A : nullptr;
  std::vector<HeldRemainders> Held;
  for (const HeldRemainders &Each : *A)
    if (const HeldRemainders *Other = heldOf(B.get(), Each.Of))
      if (auto Either = joined(Each, *Other, /*Both=*/false))
        Held.push_back(std::move(*Either));
  return allOf(std::move(Held));
}

const HeldRemainders *heldOf(const std::vector<HeldRemainders> *Held,
                             Symbol Of) {
  if (!Held)
    return nullptr;
  const auto It = llvm::find_if(
      *Held, [&](const HeldRemainders &Each) { return Each.Of == Of; });
  return It == Held->end() ? nullptr : &*It;
}

bool leavesOutMultiples(const HeldRemainders &Held, std::uint64_t Step) {
  for (std::uint64_t K = 0; K < Held.Holds.size(); ++K)
    if (!Held.Holds[(K * Step) % Held.Holds.size()])
      return true;
  return false;
}

std::optional<JointShifts> jointShifts(const LaneArithmetic &Of, Symbol By,
                                       const std::vector<const Term *> &Terms,
                                       unsigned Lane,
                                       const HeldRemainders *Held) {
  const SymbolInfo &I = Of.info(By);
  JointShifts R;
  std::uint64_t Period = 1;
  for (const Term *T : Terms)
    if (const auto &Values = Of.info(T->S).Remainders) {
      Period = std::lcm(Period, std::uint64_t(Values->Values.size()));
      R.TakesNonNegative |= Values->TakesNonNegative;
    }
  if (Held)
    Period = std::lcm(Period, std::uint64_t(Held->Holds.size()));
  if (Period > MostRemainders)
    return std::nullopt;
  // Of an array, it is where it begins that matters.
  const std::uint64_t MultipleOf =
      I.Kind == SymbolKind::Object ? I.AssumedMultipleOf : I.MultipleOf;
  const std::uint64_t Step = std::gcd(Period, MultipleOf);
  const auto Few = fewValues(I);
  const FewValues Values =
      Few ? *Few
          : FewValues{0, static_cast<std::int64_t>(Step),
                      static_cast<unsigned>(Period / Step)};
  std::vector<std::int64_t> Taken;
  for (unsigned K = 0; K < Values.Count; ++K)
    if (!Held || holdsFor(*Held, Values[K]))
      Taken.push_back(Values[K]);
  if (Taken.empty())
    return std::nullopt;
  R.Bytes.resize(Taken.size());
  for (const Term *T : Terms) {
    const auto Bytes = static_cast<std::uint64_t>(T->Coefficient[Lane]);
    const auto &Decided = Of.info(T->S).Remainders;
    for (std::size_t K = 0; K < Taken.size(); ++K)
      R.Bytes[K] = static_cast<std::int64_t>(
          static_cast<std::uint64_t>(R.Bytes[K]) +
          Bytes * static_cast<std::uint64_t>(
                      Decided ? decidedBy(*Decided, Taken[K]) : Taken[K]));
    if (!Decided && !Few)
      R.Multiples = std::gcd(R.Multiples, Bytes * (Period / Step * MultipleOf));
  }
  return R;
}

} // namespace cudalint
