//===- analyzer/launch/CheckedValues.cpp - What was asked before ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/CheckedValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

namespace cudalint {

/// What the evaluator takes a size to be a multiple of: its RoundSize.
static constexpr std::uint64_t Round = 32;

/// Conversions between integers keep the bits that remainders by powers of two
/// ask for.
static Value withoutConversions(Value V) {
  while (V->Tag == ValueNode::Operation && V->Code == Operator::Convert &&
         V->From.Kind == NumberType::Integer &&
         V->Type.Kind == NumberType::Integer && V->Type.Width >= 8)
    V = V->Operands[0];
  return V;
}

std::optional<std::int64_t> limitOf(Value V, const Knowledge &Known) {
  std::optional<std::int64_t> Limit;
  for (const auto &[About, Fact] : Known) {
    const bool IsLess = About->Code == Operator::Less;
    if (About->Tag != ValueNode::Operation || !Fact->isNumber() ||
        (!IsLess && About->Code != Operator::LessEqual))
      continue;
    // Of `V < c`, it holds; of `c < V`, it does not.
    const bool Holds = !Fact->isZero();
    const std::optional<std::int64_t> Number =
        integerOf(About->Operands[Holds ? 1 : 0]);
    if (About->Operands[Holds ? 0 : 1] != V || !Number || *Number == INT64_MIN)
      continue;
    const std::int64_t Most = IsLess == Holds ? *Number - 1 : *Number;
    Limit = std::min(Limit.value_or(Most), Most);
  }
  return Limit;
}

namespace {
/// What of a number was asked.
struct Question {
  enum { Remainder, Bits } Of;
  std::uint64_t Number; ///< Divided by it, or the bits of it.
};
} // namespace

/// What \p About asks of \p V, of which conversions keep the lowest bits.
static std::optional<Question> questionOf(Value About, Value V) {
  if (About->Tag != ValueNode::Operation || About->Operands.size() != 2 ||
      withoutConversions(About->Operands[0]) != withoutConversions(V))
    return std::nullopt;
  const std::int64_t Number = integerOf(About->Operands[1]).value_or(0);
  if (Number < 1)
    return std::nullopt;
  if (About->Code == Operator::Remainder)
    return Question{Question::Remainder, static_cast<std::uint64_t>(Number)};
  if (About->Code == Operator::And)
    return Question{Question::Bits, static_cast<std::uint64_t>(Number)};
  return std::nullopt;
}

std::uint64_t divisorOf(Value V, const Knowledge &Known) {
  constexpr std::uint64_t Largest = 1 << 20; // Nobody asks for more.
  std::uint64_t Result = 1;
  for (const auto &[About, Fact] : Known) {
    if (!Fact->isInteger() || !Fact->isZero())
      continue;
    const std::optional<Question> Asked = questionOf(About, V);
    if (!Asked || Asked->Number >= Largest)
      continue;
    if (Asked->Of == Question::Remainder)
      Result = std::max(Result, Asked->Number & -Asked->Number);
    else if (llvm::isMask_64(Asked->Number))
      Result = std::max(Result, Asked->Number + 1);
  }
  return Result;
}

/// Whether the answer \p Fact to what \p About asks rules out that \p V is a
/// multiple of 32.
static bool rulesOutRound(Value About, Value Fact, Value V) {
  if (!Fact->isInteger())
    return false;
  if (const std::optional<Question> Asked = questionOf(About, V))
    // Of a multiple of 32, the remainder is one of what both have in common.
    return Asked->Of == Question::Remainder
               ? Fact->Bits % std::gcd(Asked->Number, Round) != 0
               : Fact->Bits % Round != 0;
  // Asked whether it is 0, as `if (n % 4)` and `n % 4 == 0` do.
  const bool IsEqual = About->Code == Operator::Equal;
  const bool IsTruth =
      About->Code == Operator::Convert && About->Type == Boolean;
  if (About->Tag != ValueNode::Operation || (!IsEqual && !IsTruth) ||
      Fact->isZero() != IsEqual)
    return false;
  return llvm::any_of(About->Operands, [&](Value Side) {
    const std::optional<Question> Asked = questionOf(Side, V);
    const bool IsOfZero =
        !IsEqual || llvm::any_of(About->Operands, [](Value Each) {
          return Each->isInteger() && Each->isZero();
        });
    return Asked && IsOfZero &&
           (Asked->Of == Question::Remainder ? Round % Asked->Number == 0
                                             : Asked->Number < Round);
  });
}

/// By how much \p V, modulo Round, is more than another value, or than its
/// negative; 0: it is a value of its own.
static std::uint64_t moreThanAnother(Value V) {
  std::uint64_t More = 0;
  bool IsNegated = false;
  for (;;) {
    V = withoutConversions(V);
    const bool IsDifference = V->Code == Operator::Subtract;
    if (V->Tag != ValueNode::Operation ||
        (V->Code != Operator::Add && !IsDifference))
      return More % Round;
    const unsigned Number = V->Operands[1]->isInteger() ? 1 : 0;
    if (!V->Operands[Number]->isInteger())
      return More % Round;
    const bool IsLess = IsNegated != (IsDifference && Number == 1);
    const std::uint64_t Its = V->Operands[Number]->Bits;
    More += IsLess ? 0 - Its : Its;
    IsNegated ^= IsDifference && Number == 0;
    V = V->Operands[1 - Number];
  }
}

bool isNotRound(Value V, const Knowledge &Known) {
  return moreThanAnother(V) != 0 || llvm::any_of(Known, [&](const auto &Each) {
           return rulesOutRound(Each.first, Each.second, V);
         });
}

} // namespace cudalint
