//===- analyzer/launch/LargeSizes.cpp - Where n is large ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LargeSizes.h"

namespace cudalint {

/// Values are small trees; what is nested deeper is not looked at.
static constexpr unsigned MaxTreeDepth = 24;

static bool isPositive(Value V) {
  return V->isNumber() && !V->isZero() &&
         (V->Type.Kind == NumberType::Real
              ? V->real() > 0
              : !V->Type.Signed || static_cast<std::int64_t>(V->Bits) > 0);
}

/// Whether it is large if all is that it is computed from, `(n + 1) / 2`.
bool LargeSizes::isLarge(Value V, unsigned Depth) {
  if (Depth > MaxTreeDepth)
    return false;
  // What is something unless input changes it is that, and no other size.
  // Nor is what a byte holds ever large.
  constexpr unsigned BitsOfByte = 8;
  if (V->isSymbolic())
    return !Values.usual(V) &&
           (V->Type.Width == 0 || V->Type.Width > BitsOfByte);
  if (V->Tag != ValueNode::Operation)
    return false;
  auto isOperandLarge = [&](unsigned I) {
    return isLarge(V->Operands[I], Depth + 1);
  };
  switch (V->Code) {
  case Operator::Convert:
    return V->Type.Width > 1 && isOperandLarge(0);
  case Operator::Ceil:
  case Operator::Floor:
  case Operator::Truncate:
  case Operator::Round:
  case Operator::SquareRoot:
    return isOperandLarge(0);
  case Operator::Add:
  case Operator::Multiply: {
    const bool IsLarge[] = {isOperandLarge(0), isOperandLarge(1)};
    return (IsLarge[0] && IsLarge[1]) ||
           (IsLarge[0] && isPositive(V->Operands[1])) ||
           (IsLarge[1] && isPositive(V->Operands[0]));
  }
  case Operator::Subtract:
    return isOperandLarge(0) && V->Operands[1]->isNumber();
  case Operator::Divide:
    return isOperandLarge(0) && isPositive(V->Operands[1]);
  case Operator::Choose:
    return isOperandLarge(1) && isOperandLarge(2);
  case Operator::Minimum:
  case Operator::Maximum:
    return isOperandLarge(0) && isOperandLarge(1);
  default:
    return false;
  }
}

std::optional<bool> LargeSizes::isLess(Value Left, Value Right, bool OrEqual) {
  const bool IsLeft = isLarge(Left), IsRight = isLarge(Right);
  if (IsLeft == IsRight || !(IsLeft ? Right : Left)->isNumber())
    return std::nullopt;
  // Whether there is anything at all, is not a question of large or small.
  const Value Bound = IsLeft ? Right : Left;
  const std::optional<std::int64_t> Number = integerOf(Bound);
  if (!Number || *Number > 1 + (OrEqual ? 1 : 0))
    Names.insert(describeUnknown(IsLeft ? Left : Right));
  return IsRight;
}

std::optional<bool> LargeSizes::truthOf(Value Condition, unsigned Depth) {
  if (Condition->isNumber())
    return !Condition->isZero();
  if (Condition->Tag != ValueNode::Operation || Depth > MaxTreeDepth)
    return std::nullopt;
  switch (Condition->Code) {
  case Operator::LogicalNot:
    if (const auto Inner = truthOf(Condition->Operands[0], Depth + 1))
      return !*Inner;
    return std::nullopt;
  case Operator::Convert:
    return Condition->From.Width == 1
               ? truthOf(Condition->Operands[0], Depth + 1)
               : std::nullopt;
  case Operator::Less:
  case Operator::LessEqual: {
    const Value Left = of(Condition->Operands[0], Depth + 1);
    const Value Right = of(Condition->Operands[1], Depth + 1);
    const Value Folded =
        Values.binary(Condition->Code, Condition->Type, Left, Right);
    if (Folded->isNumber())
      return !Folded->isZero();
    return isLess(Left, Right, Condition->Code == Operator::LessEqual);
  }
  default:
    return std::nullopt;
  }
}

Value LargeSizes::of(Value V, unsigned Depth) {
  if (V->Tag != ValueNode::Operation || Depth > MaxTreeDepth)
    return V;
  if (auto Found = Done.find(V); Found != Done.end())
    return Found->second;
  Value Result = V;
  if (V->Code == Operator::Choose) {
    if (const auto Truth = truthOf(V->Operands[0], Depth + 1))
      Result = of(V->Operands[*Truth ? 1 : 2], Depth + 1);
    else if (!isNullTest(V->Operands[0]))
      Result = V;
    else if (V->Operands[2]->isZero() && isLarge(V->Operands[1]))
      Result = of(V->Operands[1], Depth + 1); // `p ? p->n : 0`
    else if (V->Operands[1]->isZero() && isLarge(V->Operands[2]))
      Result = of(V->Operands[2], Depth + 1);
  } else if (V->Operands.size() == 1) {
    const Value Operand = of(V->Operands[0], Depth + 1);
    Result = V->Code == Operator::Convert
                 ? Values.convert(V->From, V->Type, Operand)
                 : Values.unary(V->Code, V->Type, Operand);
  } else {
    const Value Left = of(V->Operands[0], Depth + 1);
    const Value Right = of(V->Operands[1], Depth + 1);
    Result = Values.binary(V->Code, V->Type, Left, Right);
    if (Result->isExtremum())
      if (const auto IsLess = isLess(Left, Right, /*OrEqual=*/false))
        Result = *IsLess == (V->Code == Operator::Minimum) ? Left : Right;
  }
  Done[V] = Result;
  return Result;
}

} // namespace cudalint
